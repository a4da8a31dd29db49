"""The command `simulate`: what it prints and writes, and how it complains."""

import io
import json
import math
import os
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from typer.testing import CliRunner

import headframe as hf
from headframe.cli import simulate as command
from headframe.cli.main import app
from headframe.sim.recording import Recorder, load_npz

SHORT = ("--seconds", 0.2)


@pytest.fixture
def headframe():
    def call(*words):
        return CliRunner().invoke(app, ["simulate", *(str(word) for word in words)])

    return call


def complaint(result):
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output
    assert result.stderr.count("error:") == 1
    return result.stderr


def facts(result) -> dict[str, str]:
    """The lines of the summary, by their first words."""
    lines = (re.split(r"\s{2,}", line.strip(), maxsplit=1) for line in result.stdout.splitlines())
    return {line[0]: line[1] for line in lines if len(line) == 2}


# --------------------------------------------------------------------- output


def test_it_says_how_and_how_fast_and_where_everything_is(headframe):
    result = headframe("lhd", *SHORT, "--set", "lift=speed:0.1")
    assert result.exit_code == 0, result.output
    found = facts(result)
    assert "lhd: simulated 0.2 s" in result.stdout
    assert found["formulation"] == "embedded: its loops have closed forms"
    assert found["integrator"] == "rk4"
    assert found["steps"] == "200 of 1 ms"
    assert float(found["real-time factor"].replace(",", "")) > 0.0
    assert re.fullmatch(r"[\d.]+ us", found["a step"])
    assert re.fullmatch(r"[\d.e+-]+ s, [\d.e+-]+ s of it for recording", found["wall time"])
    balance = re.match(r"(\S+) J, (\S+) of the energy exchanged", found["energy balance"])
    assert float(balance[2]) < 1e-9
    simulation = hf.Simulation(hf.load("lhd"))
    before = simulation.cylinder("lift").length
    simulation.command({"lift": hf.speed(0.1), "slide": hf.locked()})
    simulation.run(0.2)
    reading = simulation.cylinder("lift")
    row = next(line for line in result.stdout.splitlines() if line.startswith("lift"))
    assert f"{before:.4f}" in row
    assert f"{reading.length:.4f}" in row
    assert f"{reading.speed:.4f}" in row
    assert f"{reading.force / 1000:,.2f}" in row
    assert "speed 0.1 m/s" in row


def test_what_is_not_set_is_locked_and_motors_idle(headframe, tmp_path):
    path = tmp_path / "run.npz"
    result = headframe("roadheader", "--seconds", 0.05, "--save", path)
    assert result.exit_code == 0, result.output
    found = load_npz(path)
    cylinders = found.first >= 0
    commands = np.array(found.commands)
    assert set(commands[cylinders]) == {"locked"}
    assert set(commands[~cylinders]) == {"floating"}
    assert np.ptp(found.lengths, axis=0).max() < 1e-9
    assert "cutting_motor" in result.stdout


def test_hold_floating_lets_the_machine_fall_onto_its_stops(headframe):
    result = headframe("lhd", "--seconds", 0.5, "--hold", "floating")
    row = next(line for line in result.stdout.splitlines() if line.startswith("lift"))
    assert row.split()[-1] == "lower"
    assert f"{hf.load('lhd').robot.actuators[1].bounds.lower:.4f}" in row


def test_commands_of_all_kinds(headframe, tmp_path):
    path = tmp_path / "run.npz"
    words = (
        "slew=length:1.6", "boom=speed:0.01", "telescope=force:2e4", "shovel_plate=locked",
        "stabiliser_left=floating", "cutting_motor=torque:500", "gathering_left_spin=speed:1",
    )  # fmt: skip
    options = [part for word in words for part in ("--set", word)]
    result = headframe("roadheader", "--seconds", 0.05, *options, "--save", path)
    assert result.exit_code == 0, result.output
    found = load_npz(path)
    assert dict(zip(found.drives, found.commands, strict=True)) == {
        "slew": "length 1.6 m",
        "boom": "speed 0.01 m/s",
        "telescope": "force 20000 N",
        "shovel_plate": "locked",
        "stabiliser_left": "floating",
        "stabiliser_right": "locked",
        "cutting": "torque 500 N m",
        "gathering_left_spin": "speed 1 rad/s",
        "gathering_right_spin": "floating",
    }
    assert (found.forces[:, found.drives.index("telescope")] == 2e4).all()


def test_start_and_options_reach_the_simulation(headframe, tmp_path):
    path = tmp_path / "run.npz"
    result = headframe(
        *("lhd", "--seconds", 0.1, "--step", 0.002, "--integrator", "midpoint"),
        *("--coordinates", "variables", "--gravity", "0,0,-1.62", "--length", "lift=1.9"),
        *("--rate", 50, "--save", path),
    )
    assert result.exit_code == 0, result.output
    assert facts(result)["integrator"] == "midpoint"
    assert "50 of 2 ms" in result.stdout
    found = load_npz(path)
    machine = hf.load("lhd")
    start = machine.fk({"lift": 1.9})
    assert np.allclose(found.lengths[0], start.lengths)
    assert np.allclose(found.forces[0], machine.statics(start, gravity=1.62), rtol=1e-6)
    assert np.allclose(found.time, [0.0, 0.02, 0.04, 0.06, 0.08, 0.1])
    assert found.about.options["length"] == {"lift": 1.9}
    assert found.about.options["gravity"] == [0.0, 0.0, -1.62]


def test_the_file_is_the_motion_that_the_library_gives(headframe, tmp_path):
    path = tmp_path / "run.npz"
    headframe("lhd", *SHORT, "--set", "lift=force:9e4", "--set", "slide=floating", "--save", path)
    simulation = hf.Simulation(hf.load("lhd"))
    simulation.command({"lift": hf.force(9e4), "slide": hf.floating()})
    simulation.run(0.2)
    found = load_npz(path)
    assert (found.q[-1] == simulation.q).all()
    assert (found.v[-1] == simulation.v).all()
    with np.load(path) as file:
        assert str(file["machine"]) == "lhd"
        options = json.loads(str(file["options"]))
    assert options["set"] == {"lift": "force(90000)", "slide": "floating()"}


def test_picture_and_file_are_written_and_named(headframe, tmp_path):
    picture, file = tmp_path / "run.png", tmp_path / "run.npz"
    result = headframe("lhd", *SHORT, "--plot", picture, "--save", file)
    assert result.exit_code == 0, result.output
    assert f"{picture}: picture" in result.stdout
    assert f"{file}: 21 rows" in result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_chain_that_nothing_drives_shows_its_joints(headframe, tmp_path):
    picture = tmp_path / "run.png"
    result = headframe("five_link_chain", "--seconds", 0.1, "--plot", picture)
    assert result.exit_code == 0, result.output
    assert re.search(r"hinge_1 +0\.0000 +[\d.]+ +rad", result.stdout)
    assert picture.exists()


# --------------------------------------------------------------------- errors


def test_a_run_that_stops_is_still_written(headframe, tmp_path):
    """Euler's method with a step that is far too long."""
    picture, file = tmp_path / "run.png", tmp_path / "run.npz"
    result = headframe(
        *("five_link_chain", "--seconds", 300, "--integrator", "euler", "--step", 0.2),
        *("--plot", picture, "--save", file),
    )
    assert "is not finite any more: try a smaller step" in complaint(result)
    found = load_npz(file)
    assert 2 <= len(found) < 1000
    assert np.isfinite(found.q).all()
    assert found.about.error in result.stderr
    assert f"simulated {found.seconds:g} of 300 s" in result.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert max(len(line) for line in result.stdout.splitlines()) <= 200


def test_an_interrupted_run_is_still_written(headframe, tmp_path, monkeypatch):
    plain = hf.Simulation.step

    def step(self, n=1):
        plain(self, n)
        if self.time > 0.0495:
            raise KeyboardInterrupt

    monkeypatch.setattr(hf.Simulation, "step", step)
    result = headframe("lhd", *SHORT, "--save", tmp_path / "run.npz")
    assert result.exit_code == command.INTERRUPTED
    assert "note: interrupted at 0.04 s" in result.stderr
    assert np.allclose(load_npz(tmp_path / "run.npz").time, [0.0, 0.01, 0.02, 0.03, 0.04])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "boom"], "expected NAME=COMMAND"),
        (["--set", "boom="], "expected NAME=COMMAND"),
        (["--set", "=locked"], "expected NAME=COMMAND"),
        (["--set", "boom=sped:1"], "did you mean 'speed'?"),
        (
            ["--set", "boom=0.05"],
            "--set: boom: found '0.05'; there are 'length', 'position'",
        ),
        (["--set", "boom=speed"], "expected a number after speed:"),
        (["--set", "boom=speed:fast"], "expected a number after speed:"),
        (["--set", "boom=speed:nan"], "speed: found nan, expected a finite number"),
        (["--set", "boom=locked:1"], "expected no number after locked"),
        (["--set", "boom=locked", "--set", "boom=locked"], "found 'boom' twice"),
        (["--set", "boom=locked", "--set", "boom_left=locked"], "which are one"),
        (["--set", "bom=locked"], "did you mean 'boom'?"),
        (["--set", "boom_right=locked"], "follows the first cylinder of its group"),
        (["--set", "boom=torque:1"], "'boom' is a cylinder"),
        (["--set", "boom=length:99"], "expected a length of"),
        (["--set", "boom=speed:99"], "expected at most"),
        (["--set", "boom=force:1e12"], "expected at most"),
        (["--set", "cutting_motor=force:1"], "is a motor"),
        (["--hold", "loked"], "--hold: found 'loked'; did you mean 'locked'?"),
        (["--length", "boom"], "--length: found 'boom', expected NAME=LENGTH"),
        (["--length", "boom=long"], "--length: found 'boom=long', expected NAME=LENGTH"),
        (["--length", "bom=2"], "did you mean 'boom'?"),
        (["--length", "boom=99"], "99"),
        (["--seconds", "0"], "seconds: found 0.0"),
        (["--seconds", "-1"], "seconds: found -1.0"),
        (["--seconds", "nan"], "seconds: found nan"),
        (["--seconds", "1e-5"], "expected at least a step"),
        (["--seconds", "1e9"], "lower rate"),
        (["--rate", "0"], "rate: found 0.0"),
        (["--step", "0"], "step: found 0.0"),
        (["--gravity", "down"], "--gravity: found 'down'"),
        (["--gravity", "0,1"], "--gravity: found '0,1'"),
        (["--gravity", "nan"], "gravity"),
        (["--integrator", "rk5"], "integrator: found 'rk5'; did you mean 'rk"),
        (["--formulation", "embeded"], "did you mean 'embedded'?"),
        (["--coordinates", "angles"], "coordinates: found 'angles'"),
        (["--plot", "run.doc"], "drawings are written as"),
        (["--save", "run.csv"], "recordings are written as .npz"),
        (["--save", "no/such/run.npz"], "there is no folder"),
        (["--plot", "no/such/run.png"], "there is no folder"),
    ],
)
def test_it_complains_before_it_runs(headframe, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Recorder, "run", lambda *_: pytest.fail("it ran"))
    outputs = [] if {"--plot", "--save"} & set(words) else ["--save", "run.npz"]
    assert message in complaint(headframe("roadheader", *words, *outputs))
    assert list(tmp_path.iterdir()) == []


def test_unknown_machines(headframe):
    assert "did you mean 'roadheader'" in complaint(headframe("roadhead"))


def test_a_folder_that_may_not_be_written_to_is_refused_first(headframe, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    for option, name in (("--save", "run.npz"), ("--plot", "run.png")):
        stderr = complaint(headframe("no machine", option, tmp_path / name))
        assert f"{tmp_path / name}: cannot be written: permission denied" in stderr


def test_a_picture_needs_matplotlib_and_it_says_so_first(headframe, tmp_path, monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    stderr = complaint(headframe("no machine", "--plot", tmp_path / "run.png"))
    assert "drawing needs matplotlib" in stderr


# ------------------------------------------------------------------- progress


class Clock:
    """A clock that is set by hand."""

    def __init__(self):
        self.now = 0.0

    def perf_counter(self):
        return self.now


def test_a_pipe_gets_few_lines(monkeypatch, capsys):
    clock = Clock()
    monkeypatch.setattr(command, "time", clock)
    with command.moving_on("lhd", 0.001) as tell:
        for done in range(100, 10_001, 100):
            clock.now += 0.5
            tell(done, 10_000)
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "simulating lhd"
    assert lines[1] == "  1 of 10 s, 0.2 times real time"
    assert len(lines) == 10
    with command.moving_on("lhd", 0.001) as tell:  # a short run needs no more than its first line
        for done in range(100, 10_001, 100):
            clock.now += 0.01
            tell(done, 10_000)
    assert capsys.readouterr().err == "simulating lhd\n"


def test_a_terminal_gets_a_bar(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal, clock = Terminal(), Clock()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr(command, "time", clock)
    with command.moving_on("lhd", 0.001) as tell:
        clock.now = 0.5
        tell(5000, 10_000)
    text = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", terminal.getvalue())
    assert "simulating lhd" in text
    assert "5.0 of 10 s, 10 times real time" in text


def test_the_largest_force_is_that_of_the_largest_size():
    assert command._extreme([1.0, -5.0, float("nan"), 3.0]) == -5.0
    assert command._extreme([float("nan"), 2.0]) == 2.0
    assert math.isnan(command._extreme([float("nan")]))


def test_a_name_may_have_an_equals_sign_in_it():
    """The last one parts the name from what it is told."""
    assert command.lengths_of(["a=b=1.5"]) == {"a=b": 1.5}
    assert command.commands_of(["a=b=speed:0.1"]) == {"a=b": hf.speed(0.1)}


def test_the_last_stop_that_was_touched_is_told():
    def told(*stops):
        return command._stop(SimpleNamespace(stops=np.array(stops)[:, None]), 0)

    assert told(0, 0, 0) == ""
    assert told(-1, 0, 1) == "upper"
    assert told(1, 0, -1, 0) == "was lower"
