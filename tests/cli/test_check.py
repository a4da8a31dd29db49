"""`headframe check`: every problem in a line of its own; status 0 for good files only."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import headframe
from headframe.cli.main import app
from headframe.description.writing import mrdf_text
from moving import boom

FIXTURES = Path(__file__).parents[1] / "fixtures"
CRANE = FIXTURES / "canonical_crane.json"


def check(*arguments):
    result = CliRunner().invoke(app, ["check", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.output


def written(path, **fields):
    path.write_text(json.dumps({"mrdf": "1", "name": "m", "links": [{"name": "a"}], **fields}))
    return path


@pytest.mark.parametrize("name", headframe.machines())
def test_the_catalogue_is_good(name):
    status, output = check(name)
    assert status == 0
    assert output.startswith(f"{name}: ok: {name}, ")
    assert output.count("\n") == 1


def test_a_good_file_gets_one_line():
    assert check(CRANE) == (0, f"{CRANE}: ok: crane, 7 links, 11 joints, 2 actuators\n")


def test_notes_do_not_make_a_file_bad(tmp_path):
    joint = {"name": "j", "parent": "a", "child": "b", "type": "revolute", "axis": [0, 0, 3]}
    path = written(tmp_path / "m.json", links=[{"name": "a"}, {"name": "b"}], joints=[joint])
    status, output = check(path)
    note, summary = output.splitlines()
    assert status == 0
    assert note == (
        f"{path}: note: joints[0].axis (line 1): the axis of 'j' has length 3, normalised to 1"
    )
    assert summary.startswith(f"{path}: ok: m, ")


def test_bad_files_do_not_hide_good_ones(tmp_path):
    bad = written(tmp_path / "bad.json", end_effector="b", clas=1)
    status, output = check(CRANE, bad, tmp_path / "missing.json", "roadheader")
    assert status == 1
    assert f"{CRANE}: ok: " in output
    assert f"{bad}: clas (line 1): unknown field 'clas'; did you mean 'class'?\n" in output
    assert f"{bad}: end_effector (line 1): the end effector names 'b'" in output
    assert f"{bad}: 2 problems\n" in output
    assert f"{tmp_path / 'missing.json'}: there is no such file\n" in output
    assert "roadheader: ok: " in output


def test_assembling_is_part_of_it_on_request(tmp_path):
    status, output = check("--assemble", "sths")
    assert (status, output.split(": ")[1]) == (0, "assembles")
    ram = {"name": "ram", "tube_parent": "a", "rod_parent": "b", "bound": {"lower": 5, "upper": 6}}
    ram |= {"tube_offset": [0, 0, 0], "rod_offset": [1, 0, 0]}
    joint = {"name": "j", "parent": "a", "child": "b", "type": "revolute", "axis": [0, 0, 1]}
    links = [{"name": "a"}, {"name": "b"}]
    path = written(tmp_path / "m.json", links=links, joints=[joint], actuators=[ram])
    assert check(path)[0] == 0
    status, output = check("--assemble", path)
    assert status == 1
    assert "ram" in output


def test_urdf_files_are_checked_too(tmp_path):
    path = tmp_path / "m.urdf"
    joint = '<joint name="j" type="fixed"><parent link="a"/></joint>'
    path.write_text(f'<robot name="m"><link name="a"/><link name="b"/>{joint}</robot>')
    status, output = check(path)
    assert status == 1
    assert "joint 'j' (line 1): <child> is missing" in output


def test_names_are_printed_on_one_line_whatever_is_in_them(tmp_path):
    path = written(tmp_path / "m.json", name="a\nb\x1b[31m")
    status, output = check(path)
    assert status == 0
    assert output == f"{path}: ok: 'a\\nb\\x1b[31m', 1 link, 0 joints, 0 actuators\n"


MARKS = "\u202eb\x1b[31m"  # turns the order of letters around, and colours all that follows
MADE = {
    "check": [], "convert": ["-o", "out.xml"], "draw": ["-o", "out.png"], "fk": [],
    "ik": ["--position", "1", "0", "0"], "info": ["--assemble"],
    "simulate": ["--seconds", "0.01", "--set", f"ram{MARKS}=speed:0.01"], "topology": [],
    "trajectory": ["via.json", "-o", "out.csv"], "workspace": ["-o", "out.npz", "--samples", "9"],
}  # fmt: skip


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """A folder with a machine all of whose names hold such marks, and via points for it."""
    folder = tmp_path_factory.mktemp("marked")
    known = json.loads(mrdf_text(boom(end_effector="arm", name="m").robot))
    names = {known["name"]} | {
        item["name"] for key in ("links", "joints", "actuators") for item in known[key]
    }

    def put(value):
        if isinstance(value, dict):
            return {key + MARKS * (key in names): put(item) for key, item in value.items()}
        if isinstance(value, list):
            return [put(item) for item in value]
        return value + MARKS if isinstance(value, str) and value in names else value

    (folder / "m.json").write_text(json.dumps(put(known)))
    place = headframe.load(folder / "m.json").home.pose(f"arm{MARKS}")[:3, 3].tolist()
    via = {"link": f"arm{MARKS}", "via": [{"position": place}, {"position": place}]}
    (folder / "via.json").write_text(json.dumps(via))
    return folder


@pytest.mark.parametrize("command", MADE)
def test_no_command_prints_marks_of_direction_or_control(marked, command, monkeypatch):
    monkeypatch.chdir(marked)
    result = CliRunner().invoke(app, [command, "m.json", *MADE[command]])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    for text in (result.stdout, result.stderr):
        assert "\u202e" not in text
        assert "\x1b" not in text
    assert "\\u202e" in result.stdout + result.stderr


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b'{"name": "\xc3\xa9", "x": "\\ud800"}'])
def test_the_real_command_shows_no_traceback(tmp_path, content):
    """In a process of its own, on a terminal that knows ASCII only."""
    path = tmp_path / "straße.json"
    path.write_bytes(content)
    result = subprocess.run(
        [sys.executable, "-m", "headframe.cli.main", "check", str(path)],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PATH": ""},
        check=False,
    )
    assert result.returncode == 1
    assert b"problem" in result.stdout
    assert result.stderr == b""
