"""The command line: every command, its output and its errors."""

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import headframe as hf
from headframe.cli.main import app


@pytest.fixture
def headframe():
    def call(*words):
        return CliRunner().invoke(app, [str(word) for word in words])

    return call


def test_list_names_every_machine(headframe):
    result = headframe("list")
    assert result.exit_code == 0
    for name in hf.machines():
        assert name in result.output


def test_info_says_what_a_user_asks_first(headframe):
    result = headframe("info", "roadheader")
    assert result.exit_code == 0
    for words in ("7 / 24 / 9", "cutter_head", "slew_left", "provenance"):
        assert words in result.output


def test_topology_prints_four_bars_and_types(headframe):
    result = headframe("topology", "sths")
    assert result.exit_code == 0
    assert "four-bar  [base, front_link, shield, rear_link]" in result.output
    assert "type D, generalized four-bar" in result.output


def test_version(headframe):
    assert headframe("--version").output.strip() == f"headframe {hf.__version__}"


def test_no_command_shows_the_help(headframe):
    assert "Usage" in headframe().output


@pytest.mark.parametrize("command", ["info", "draw", "convert"])
def test_unknown_machine_is_one_line_and_status_1(headframe, command, tmp_path):
    output = {"info": [], "draw": ["-o", tmp_path / "x.png"], "convert": ["-o", tmp_path / "x.xml"]}
    result = headframe(command, "roadhead", *output[command])
    assert result.exit_code == 1
    assert "did you mean 'roadheader'" in result.output
    assert "Traceback" not in result.output
    assert list(tmp_path.iterdir()) == []


def test_schema_is_json_schema(headframe):
    schema = json.loads(headframe("schema").output)
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert {"links", "joints", "actuators", "mrdf", "class", "home"} <= set(schema["properties"])


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("m.json", b"{"),
        ("m.xml", b"<mujoco"),
        ("m.urdf", b"<?xml"),
        ("m.glb", b"glTF"),
    ],
)
def test_convert_goes_by_the_suffix(headframe, tmp_path, name, start):
    result = headframe("convert", "sths", "-o", tmp_path / name)
    assert result.exit_code == 0, result.output
    data = (tmp_path / name).read_bytes()
    assert start in data[:200]


def test_convert_by_name_of_the_format(headframe, tmp_path):
    result = headframe("convert", "door", "-o", tmp_path / "door.txt", "--to", "mrdf")
    assert result.exit_code == 0
    assert hf.load(tmp_path / "door.txt").robot == hf.load("door").robot


def test_convert_to_nothing_known_is_an_error(headframe, tmp_path):
    result = headframe("convert", "door", "-o", tmp_path / "door.doc")
    assert result.exit_code == 1
    assert "'.doc' is none of .zip, .json" in result.output
    assert list(tmp_path.iterdir()) == []


def test_draw_writes_pictures(headframe, tmp_path):
    for words in ([], ["--topology"], ["--no-names"]):
        picture = tmp_path / f"{len(words)}{''.join(words)}.png"
        result = headframe("draw", "door", "-o", picture, *words)
        assert result.exit_code == 0, result.output
        assert picture.read_bytes().startswith(b"\x89PNG")


def test_draw_stage_implies_topology(headframe, tmp_path):
    written = {}
    for stage in ("raw", "contracted", "itep"):
        for more in ([], ["--topology"]):
            picture = tmp_path / f"{stage}{len(more)}.png"
            result = headframe("draw", "lhd", "-o", picture, "--stage", stage, *more)
            assert result.exit_code == 0, result.output
            written[stage, len(more)] = picture.read_bytes()
        assert written[stage, 0] == written[stage, 1]
    headframe("draw", "lhd", "-o", tmp_path / "default.png", "--topology")
    assert (tmp_path / "default.png").read_bytes() == written["raw", 0]
    assert len(set(written.values())) == 3


def test_draw_of_an_unknown_stage_is_an_error(headframe, tmp_path):
    result = headframe("draw", "lhd", "-o", tmp_path / "x.png", "--stage", "half")
    assert result.exit_code == 2
    assert "contracted" in result.output
    assert list(tmp_path.iterdir()) == []


def test_draw_into_a_missing_folder_is_an_error(headframe, tmp_path):
    result = headframe("draw", "door", "-o", tmp_path / "no" / "such" / "folder.png")
    assert result.exit_code == 1
    assert "error:" in result.output


def test_notes_go_to_stderr_and_errors_leave_stdout_clean(tmp_path):
    """As a shell sees it."""
    done = subprocess.run(
        [sys.executable, "-m", "headframe.cli.main", "info", "no_such_machine"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("error: no_such_machine")
