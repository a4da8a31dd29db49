"""Commands with numbers and files that nobody means: one line of complaint, at once."""

import os
import sys

import pytest
from typer.testing import CliRunner

from headframe.cli.main import app

EXTREMES = ["nan", "inf", "-inf", "1e308", "-1e308", "1e-320", "-1", "0"]
OPTIONS = ["--seconds", "--step", "--rate", "--gravity"]
HARMLESS = {("--gravity", "1e-320"), ("--gravity", "-1"), ("--gravity", "0")}
ON_FILES = [
    ["check"], ["info"], ["fk"], ["topology"], ["run", "--no-browser"], ["replay", "--no-browser"],
    ["run", "--no-browser", "--scene"], ["draw", "-o", "x.png"], ["convert", "-o", "x.urdf"],
    ["export", "-o", "x.csv"], ["trajectory", "lhd", "-o", "x.csv"],
]  # fmt: skip


def complaint(*words):
    """The one line that a command says before it ends with status 1."""
    result = CliRunner().invoke(app, [str(word) for word in words])
    assert result.exit_code == 1, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result.output


@pytest.mark.parametrize("option", OPTIONS)
def test_extreme_numbers_of_simulate(option):
    for value in EXTREMES:
        if (option, value) not in HARMLESS:
            said = complaint("simulate", "lhd", "--seconds", "0.01", f"{option}={value}")
            assert f"error: {option[2:]}" in said, (value, said)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize("words", ON_FILES, ids=" ".join)
def test_a_pipe_is_refused_and_does_not_block(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe.json")
    said = complaint(*words, "pipe.json")
    assert "pipe.json" in said
    assert "not a plain file" in said or "there is no such file" in said


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="this system has no such device")
@pytest.mark.parametrize("words", ON_FILES, ids=" ".join)
def test_a_device_is_refused(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "/dev/zero" in complaint(*words, "/dev/zero")


@pytest.mark.parametrize(
    "words",
    [
        ["draw", "lhd", "-o", "x.png"],
        ["draw", "lhd", "--topology", "-o", "x.png"],
        ["workspace", "lhd", "-o", "x.png"],
        ["trajectory", "lhd", "no.json", "-o", "x.csv", "--plot", "x.png"],
        ["simulate", "lhd", "--plot", "x.png"],
    ],
    ids=" ".join,
)
def test_a_missing_extra_is_told_before_the_work(words, tmp_path, monkeypatch):
    """No machine is assembled for a picture that cannot be drawn."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib", None)

    def worked(*_arguments):
        raise AssertionError("the work was begun")

    monkeypatch.setattr("headframe.mechanism.assemble", worked)
    monkeypatch.setattr("headframe.pictures.stages.analyse", worked)
    assert "matplotlib" in complaint(*words)
