"""Commands that solve: what they print, what they write, and how they complain."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import headframe as hf
from headframe.baselines.paper import methods
from headframe.cli.answers import distance
from headframe.cli.main import app

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "serpentine.json"


@pytest.fixture
def headframe():
    def call(*words):
        return CliRunner().invoke(app, [str(word) for word in words])

    return call


@pytest.fixture
def via(tmp_path):
    def write(*points, **fields):
        path = tmp_path / "via.json"
        path.write_text(json.dumps({"via": list(points), **fields}))
        return path

    return write


def answer(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def complaint(result):
    assert result.exit_code == 1
    assert "Traceback" not in result.output
    assert result.stderr.count("error:") == 1
    return result.stderr


# ------------------------------------------------------------------------- fk


def test_fk_prints_lengths_joints_and_poses(headframe):
    result = headframe("fk", "roadheader", "--set", "boom=1.5", "--set", "slew=1.4")
    assert result.exit_code == 0, result.output
    for words in ("boom_right", "1.500000", "slewing", "cutter_head", "roll, pitch, yaw"):
        assert words in result.output


def test_fk_as_json_is_what_the_library_gives(headframe):
    found = answer(
        headframe("fk", "roadheader", "--set", "boom_left=1.5", "--link", "boom", "--json")
    )
    state = hf.load("roadheader").fk({"boom": 1.5})
    assert np.allclose(list(found["lengths"].values()), state.lengths)
    assert set(found["poses"]) == {"cutter_head", "boom"}
    assert np.allclose(found["poses"]["boom"]["position"], state.pose("boom")[:3, 3])
    assert found["joints"]["pitching"] == pytest.approx(state.joints["pitching"])


def test_fk_without_settings_is_home(headframe):
    found = answer(headframe("fk", "door", "--json"))
    assert np.allclose(list(found["lengths"].values()), hf.load("door").home.lengths)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--set", "boom"], "--set: found 'boom', expected NAME=VALUE"),
        (["--set", "boom=long"], "--set: found 'boom=long'"),
        (["--set", "=1.5"], "--set: found '=1.5'"),
        (["--set", "boom=1.5", "--set", "boom=1.6"], "found 'boom' twice"),
        (["--set", "bom=1.5"], "did you mean 'boom'?"),
        (["--set", "boom=9"], "'boom_left': found 9 m, expected 1.4867 to 2.2365 m"),
        (["--set", "boom=nan"], "expected a finite length"),
        (["--link", "bom"], "did you mean 'boom'?"),
        (["--method", "guess"], "method: found 'guess'"),
    ],
)
def test_fk_complains(headframe, words, message):
    assert message in complaint(headframe("fk", "roadheader", *words))


# ------------------------------------------------------------------------- ik


def test_ik_reaches_a_position(headframe):
    result = headframe("ik", "roadheader", "--position", 5.5, -1.0, 2.0)
    assert result.exit_code == 0, result.output
    for words in ("cutter_head reached", "free", "iterations", " ms", "slew_left", "-1.000000"):
        assert words in result.output


def test_ik_as_json(headframe):
    found = answer(headframe("ik", "roadheader", "--position", 5.5, -1.0, 2.0, "--json"))
    assert found["reachable"]
    assert found["converged"]
    assert found["angle_error"] is None
    state = hf.load("roadheader").fk(list(found["lengths"].values()))
    assert np.allclose(state.pose("cutter_head")[:3, 3], (5.5, -1.0, 2.0), atol=1e-6)


def test_ik_says_when_it_is_the_closest(headframe):
    result = headframe("ik", "roadheader", "--position", 5.5, 0, 9, "--rpy", 0, -10, 0)
    assert result.exit_code == 0, result.output
    assert "out of reach, this is the closest" in result.output
    assert "error        4.806 m, 28" in result.output
    assert "converged    yes" in result.output


def test_ik_says_when_it_ran_out_of_steps(headframe, monkeypatch):
    monkeypatch.setattr(methods, "MOST", 1)
    words = ("ik", "tcchs", "--position", 0.25, 0, 2.8, "--rpy", 0, -5, 0, "--method", "gradient")
    result = headframe(*words)
    assert result.exit_code == 0, result.output
    assert "canopy not reached" in result.output
    assert "out of reach" not in result.output
    assert "converged    no, another start may come nearer" in result.output
    assert answer(headframe(*words, "--json"))["converged"] is False


@pytest.mark.parametrize(
    ("metres", "text"),
    [
        (5.81e3, "5,810.00 m"),
        (4.8061, "4.806 m"),
        (1.0, "1.000 m"),
        (0.9996, "1.000 m"),
        (0.9994, "999 mm"),
        (0.1234, "123 mm"),
        (0.01234, "12.3 mm"),
        (2.5e-7, "0.00025 mm"),
        (0.0, "0 mm"),
    ],
)
def test_distances_have_the_unit_that_suits_them(metres, text):
    assert distance(metres) == text


def test_ik_takes_degrees_and_other_links(headframe):
    words = ("roadheader", "--link", "boom", "--json")
    there = answer(headframe("fk", *words, "--set", "boom=1.6", "--set", "slew=1.5"))
    pose = there["poses"]["boom"]
    target = ("--position", *pose["position"], "--rpy", *np.degrees(pose["rpy"]))
    found = answer(headframe("ik", *words, *target))
    assert found["reachable"]
    assert found["lengths"]["boom_left"] == pytest.approx(1.6, abs=1e-6)
    assert found["lengths"]["slew_left"] == pytest.approx(1.5, abs=1e-6)


def test_ik_starts_where_it_is_told(headframe):
    """Cylinders that do not move the link stay as set."""
    found = answer(
        headframe(
            *("ik", "roadheader", "--position", 5.5, 0.5, 2.0, "--json"),
            *("--set", "shovel_plate=0.6", "--weights", 1, 1, 1, 2, 2, 2),
        )
    )
    assert found["lengths"]["apron_left"] == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--link", "cuter_head"], "did you mean 'cutter_head'?"),
        (["--link", "main_body"], "'main_body': no cylinder moves it"),
        (["--rpy", "0", "0", "0", "--free-orientation"], "found --rpy and --free-orientation"),
        (["--weights", "1", "1", "1", "1", "1", "-1"], "weights: found"),
        (["--method", "guess"], "guess"),
        (["--set", "boom"], "NAME=VALUE"),
    ],
)
def test_ik_complains(headframe, words, message):
    result = headframe("ik", "roadheader", "--position", "5.5", "0", "2", *words)
    assert message in complaint(result)


def test_ik_refuses_a_place_that_is_none(headframe):
    assert "target" in complaint(headframe("ik", "door", "--position", "nan", "0", "0"))


def test_ik_without_an_end_effector_asks_for_a_link(headframe, tmp_path):
    text = {"mrdf": "1", "name": "block", "links": [{"name": "block"}]}
    (tmp_path / "block.json").write_text(json.dumps(text))
    result = headframe("ik", tmp_path / "block.json", "--position", 0, 0, 0)
    assert "expected --link" in complaint(result)


# ------------------------------------------------------------------ workspace


def test_workspace_writes_points(headframe, tmp_path):
    result = headframe("workspace", "roadheader", "--samples", 500, "-o", tmp_path / "cloud.npz")
    assert result.exit_code == 0, result.output
    for words in ("500 samples", "slew, boom, telescope", "extent (m)", "volume 10.", "500 points"):
        assert words in result.stdout
    with np.load(tmp_path / "cloud.npz") as file:
        assert file["points"].shape == (500, 3)


@pytest.mark.parametrize(
    ("machine", "link", "size"),
    [
        ("tcchs", "canopy", "no area: the point stays on a curve"),
        ("tcchs", "front_beam", "no volume: the point stays on a surface"),
        ("tcchs", "insert_plate", "no size: 4 groups move the link"),
        ("door", "leaf_right", "length 0.4458 m"),
    ],
)
def test_workspace_prints_extents_of_every_machine(headframe, tmp_path, machine, link, size):
    path = tmp_path / "cloud.npz"
    result = headframe("workspace", machine, "--link", link, "--samples", 200, "-o", path)
    assert result.exit_code == 0, result.output
    assert "200 samples" in result.stdout
    assert size in result.stdout
    with np.load(path) as file:
        points = file["points"]
    rows = [line.split() for line in result.stdout.splitlines()]
    for k, axis in enumerate("xyz"):
        found = next(row[1:] for row in rows if row[:1] == [axis])
        low, high = points[:, k].min(), points[:, k].max()
        assert np.allclose(np.array(found, dtype=float), (low, high, high - low), atol=6e-4)


def test_workspace_writes_a_picture(headframe, tmp_path):
    result = headframe(
        *("workspace", "lhd", "--samples", 500, "-o", tmp_path / "cloud.png"),
        *("--grid", "--point", 1, 0, -0.2),
    )
    assert result.exit_code == 0, result.output
    assert "area" in result.stdout
    assert (tmp_path / "cloud.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("machine", "words", "message"),
    [
        ("roadheader", ["-o", "cloud.doc"], "workspaces are written as .npz, .png"),
        ("roadheader", ["-o", "no/such/cloud.npz"], "there is no folder"),
        ("roadheader", ["-o", "cloud.npz", "--link", "cuter_head"], "did you mean 'cutter_head'?"),
        ("roadhead", ["-o", "cloud.npz"], "did you mean 'roadheader'"),
    ],
)
def test_workspace_complains(headframe, tmp_path, monkeypatch, machine, words, message):
    monkeypatch.chdir(tmp_path)
    assert message in complaint(headframe("workspace", machine, *words))
    assert list(tmp_path.iterdir()) == []


# ----------------------------------------------------------------- trajectory


def test_trajectory_of_the_example(headframe, tmp_path):
    result = headframe(
        *("trajectory", "roadheader", EXAMPLE, "-o", tmp_path / "cut.csv"),
        *("--plot", tmp_path / "cut.png"),
    )
    assert result.exit_code == 0, result.output
    assert "29 via points in" in result.stdout
    assert "note:" not in result.stderr
    with (tmp_path / "cut.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert f"{len(rows) - 1:,} rows" in result.stdout
    assert (tmp_path / "cut.png").read_bytes().startswith(b"\x89PNG")


def test_trajectory_cuts_a_cross_section(headframe, tmp_path):
    """What it prints and writes is the library's serpentine, with what is out of reach."""
    output = tmp_path / "cut.json"
    words = ("trajectory", "roadheader", "--serpentine", 5.0, 1.8, 1.2, "--depth", 5.6)
    result = headframe(*words, "-o", output, "--step", 0.05)
    assert result.exit_code == 0, result.output
    way = hf.serpentine(
        hf.load("roadheader"), None, hf.arched(5.0, 1.8, 1.2), depth=5.6, diameter=1.0
    )
    assert (
        f"{len(way.rows)} rows, {way.spacing:.3f} m apart, {len(way)} via points" in result.stdout
    )
    assert f"{100 * way.covered():.1f} %" in result.stdout
    assert len(way.left_out) > 0
    assert result.stdout.count(f"{way.left_out[0].left:.3f}") > 0
    written = json.loads(output.read_text())
    passed = np.array(written["positions"])[written["via_rows"]]
    np.testing.assert_allclose(passed, way.positions(5.6), atol=1e-6)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "found neither, expected a file of via points or --serpentine"),
        ((EXAMPLE, "--serpentine", 4, 1.8, 1.4), "found both"),
        (("--serpentine", 4, 1.8, 1.4, "--depth", 50), "reaches no row"),
        (("--serpentine", 4, 1.8, 1.4, "--diameter", 9), "does not fit"),
        (("--serpentine", -4, 1.8, 1.4), "width: found -4"),
    ],
)
def test_serpentine_complains(headframe, tmp_path, words, message):
    output = tmp_path / "cut.csv"
    result = headframe("trajectory", "roadheader", *words, "-o", output)
    assert message in complaint(result)
    assert not output.exists()


def test_trajectory_from_home_through_lengths(headframe, via, tmp_path):
    """The link is the end effector where neither the file nor an option names one."""
    path = via({"lengths": {"lift": 1.8}}, {"lengths": {"lift": 2.2, "slide": 1.4}})
    output = tmp_path / "lift.json"
    result = headframe("trajectory", "lhd", path, "-o", output, "--from-home", "--step", 0.05)
    assert result.exit_code == 0, result.output
    content = json.loads(output.read_text())
    assert content["link"] == "bucket"
    assert content["lengths"]["lift"][0] == pytest.approx(hf.load("lhd").home.lengths[1])
    assert content["lengths"]["lift"][-1] == pytest.approx(2.2, abs=1e-6)
    assert "off the curve" in result.stderr


@pytest.mark.parametrize("options", [(), ("--from-home",)])
def test_trajectory_begins_at_the_first_via_point_unless_told_otherwise(
    headframe, via, tmp_path, options
):
    first, last = [5.5, 0.4, 1.6], [5.6, -0.2, 1.9]
    path = via({"position": first}, {"position": last}, link="cutter_head")
    output = tmp_path / "out.json"
    result = headframe("trajectory", "roadheader", path, "-o", output, "--step", 0.1, *options)
    assert result.exit_code == 0, result.output
    content = json.loads(output.read_text())
    home = hf.load("roadheader").home.pose("cutter_head")[:3, 3]
    assert content["positions"][0] == pytest.approx(home if options else first, abs=1e-6)
    assert content["positions"][-1] == pytest.approx(last, abs=1e-6)
    assert [content["positions"][row] for row in content["via_rows"]] == [
        pytest.approx(first, abs=1e-6), pytest.approx(last, abs=1e-6),
    ]  # fmt: skip
    assert (content["via_rows"][0] == 0) == (not options)


def test_trajectory_in_millimetres(headframe, via, tmp_path):
    path = via({"position": [5500, 0, 1500]}, {"position": [5600, 0, 2000]}, link="cutter_head")
    stderr = complaint(headframe("trajectory", "roadheader", path, "-o", tmp_path / "out.csv"))
    assert "via[1]: cannot be reached: the closest is 5940 m away" in stderr
    assert "positions are in metres" in stderr


def test_trajectory_out_of_reach(headframe, via, tmp_path):
    path = via({"position": [5.5, 0, 1.5]}, {"position": [6.5, 0, 2]}, link="cutter_head")
    output = tmp_path / "out.csv"
    words = ("trajectory", "roadheader", path, "-o", output)
    assert "via[1]: cannot be reached: the closest is" in complaint(headframe(*words))
    assert not output.exists()
    result = headframe(*words, "--closest")
    assert result.exit_code == 0, result.output
    assert "off the curve" in result.stderr
    assert output.exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-o", "cut.doc"], "trajectories are written as .csv, .json"),
        (["-o", "cut.csv", "--plot", "cut.doc"], "drawings are written as"),
        (["-o", "no/such/cut.csv"], "there is no folder"),
        (["-o", "cut.csv", "--link", "cuter_head"], "did you mean 'cutter_head'?"),
        (["-o", "cut.csv", "--step", "0"], "step: found 0.0"),
        (["-o", "cut.csv", "--interval", "-1"], "interval: found -1.0"),
    ],
)
def test_trajectory_complains(headframe, tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    assert message in complaint(headframe("trajectory", "roadheader", EXAMPLE, *words))
    assert list(tmp_path.iterdir()) == []


def test_trajectory_lists_the_problems_of_its_file(headframe, via, tmp_path):
    path = via({"position": [1, 2]}, {"posision": [1, 2, 3]})
    stderr = complaint(headframe("trajectory", "roadheader", path, "-o", tmp_path / "cut.csv"))
    assert "via[0].position (line 1): found [1, 2], expected three numbers [m]" in stderr
    assert "did you mean 'position'?" in stderr
    missing = headframe("trajectory", "roadheader", tmp_path / "no.json", "-o", tmp_path / "c.csv")
    assert "cannot be read: no such file" in complaint(missing)
