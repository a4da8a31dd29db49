"""URDF on the command line: packages, strictness, repair, and what `check` counts."""

import json
import pickle
import warnings
from pathlib import Path

import pytest
import trimesh
import typer
from typer.testing import CliRunner

import headframe
from dae_files import dae_of
from headframe.cli import run as starting
from headframe.cli.main import app
from headframe.server import study_process
from headframe.server.cast import Cast, SceneChoice

ROBOT = """<robot name="arm">
  <link name="base"><visual><geometry><mesh filename="package://arm/base.dae"/></geometry></visual>
  </link>
  <link name="tip"><visual><geometry><mesh filename="package://arm/tip.dae"/></geometry></visual>
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/></inertial>
  </link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="tip"/>
    <axis xyz="0 0 1"/></joint>
</robot>
"""


@pytest.fixture
def files(tmp_path):
    """A URDF file alone, and its package elsewhere; one of its two meshes is broken."""
    file = tmp_path / "a" / "b" / "c" / "d" / "e" / "arm.urdf"
    file.parent.mkdir(parents=True)
    file.write_text(ROBOT)
    box = trimesh.creation.box((1, 1, 1))
    package = tmp_path / "store" / "arm"
    package.mkdir(parents=True)
    (package / "base.dae").write_text(dae_of(box.vertices, box.faces))
    (package / "tip.dae").write_text("<COLLADA>")
    return str(file), f"arm={package}"


def run(*words, status=0):
    result = CliRunner().invoke(app, words)
    assert result.exit_code == status, result.output
    return result.output


def test_check_counts_meshes_in_a_line(files):
    file, package = files
    lines = run("check", file).splitlines()
    (line,) = [line for line in lines if "2 meshes" in line]
    assert "2 meshes, 2 missing (boxes in their place): 'base.dae', 'tip.dae'" in line
    assert any("--package arm=DIR" in line for line in lines)
    assert any("'tip' by 1 kg m^2" in line for line in lines)
    found = run("check", file, "--package", package)
    assert "2 meshes, all found; 1 cannot be read (boxes instead): 'tip.dae'" in found
    (Path(package.partition("=")[2]) / "tip.dae").unlink()
    assert "2 meshes, 1 missing" in run("check", file, "--package", package)


def test_strict_refuses(files):
    file, package = files
    told = run("check", file, "--strict", status=1)
    assert told.count("package 'arm' is not found") == 2
    assert "triangle inequality" in run("info", file, "--strict", status=1)
    Path(file).write_text(ROBOT.replace('izz="3"', 'izz="2"'))
    assert "cannot be read" in run("check", file, "--strict", "--package", package, status=1)


# What each command that takes a machine needs besides it; the folder to write to is {0}.
COMMANDS = {
    "check": "",
    "convert": "-o {0}/out.json",
    "draw": "-o {0}/out.png",
    "fk": "",
    "ik": "--link tip --position 1 0 0",
    "info": "",
    "simulate": "--seconds 0.01 --repair nearest",
    "topology": "",
    "trajectory": "{0}/via.json --link tip -o {0}/out.csv",
    "workspace": "--link tip --samples 10 -o {0}/out.npz",
}
SERVING = {"run"}  # it does not end: tests/server/test_serving.py starts it


def test_all_commands_that_take_a_machine_are_known():
    taking = {
        command.name
        for command in typer.main.get_command(app).commands.values()
        if any(parameter.name == "package" for parameter in command.params)
    }
    machines = {
        command.name
        for command in typer.main.get_command(app).commands.values()
        if any(parameter.name in ("machine", "files") for parameter in command.params)
    }
    assert taking == machines == {*COMMANDS, *SERVING}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_takes_packages(files, command, tmp_path):
    """Whatever else becomes of it: the package is looked for, and found where it is said to be."""
    file, package = files
    via = {"link": "tip", "via": [{"position": [0, 0, 0]}, {"position": [0, 0, 0.1]}]}
    (tmp_path / "via.json").write_text(json.dumps(via))
    rest = COMMANDS[command].format(tmp_path).split()
    assert "is not found" in told(command, file, *rest)
    assert "is not found" not in told(command, file, *rest, "--package", package)


def told(*words):
    result = CliRunner().invoke(app, words)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.output


def test_a_package_that_is_no_folder_is_told(files):
    file, _ = files
    for command in ("check", "info"):
        told = run(command, file, "--package", "arm", status=1)
        assert "error: --package: found 'arm', expected NAME=DIR" in told


def test_convert_takes_the_meshes_along(files, tmp_path):
    file, package = files
    run("convert", file, "--package", package, "-o", str(tmp_path / "arm.json"))
    assert (tmp_path / "arm" / "base.dae").is_file()


def test_simulate_asks_for_repair(files):
    file, _ = files
    told = run("simulate", file, "--seconds", "0.01", status=1)
    assert "--repair nearest" in told
    assert "changed by" in run("simulate", file, "--seconds", "0.01", "--repair", "nearest")
    assert "'best'" in run("simulate", file, "--repair", "best", status=1)


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("arm.urdf.xacro", "<robot name='a'><link name='${b}'/></robot>", "xacro FILE.urdf.xacro"),
        ("arm.sdf", "<sdf version='1.6'><model name='a'/></sdf>", "sdf2urdf"),
    ],
)
def test_other_formats_are_told_what_to_do(tmp_path, name, text, hint):
    (tmp_path / name).write_text(text)
    for command in ("check", "info"):
        assert hint in run(command, str(tmp_path / name), status=1)


CONTINUOUS = {
    "arm.urdf": """<robot name="arm"><link name="base"/><link name="tip"/>
        <joint name="turn" type="continuous"><parent link="base"/><child link="tip"/></joint>
        </robot>""",
    "arm.xml": """<mujoco model="arm"><worldbody><body name="base"><geom size="1"/>
        <body name="tip"><joint name="turn"/><geom size="1"/></body></body></worldbody></mujoco>""",
}


@pytest.mark.parametrize("name", CONTINUOUS)
def test_links_and_joints_are_counted_as_the_file_has_them(tmp_path, name):
    """Not as the paper counts, which merges what a joint without limits turns about itself."""
    (tmp_path / name).write_text(CONTINUOUS[name])
    file = str(tmp_path / name)
    for words in (["check"], ["check", "--assemble"]):
        assert "arm, 2 links, 1 joint, 0 actuators" in run(*words, file)
    (line,) = [row for row in run("info", file).splitlines() if row.startswith("links /")]
    assert line.removeprefix("links / joints / actuators").strip() == "2 / 1 / 0"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", headframe.HeadframeWarning)
        machine = headframe.load(file)
    assert repr(machine) == "Machine(arm: 2 links, 1 joint, 0 actuators)"


def test_strict_names_the_link(files):
    file, _ = files
    (line,) = [row for row in run("check", file, "--strict", status=1).splitlines() if "pri" in row]
    assert f"{file}: link 'tip'/inertial.inertia: found principal moments 1, 1, 3" in line


def test_strict_names_the_body(tmp_path):
    inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/>'
    body = f'<body name="tip"><joint name="turn"/>{inertial}</body>'
    text = f"<mujoco><worldbody><body>{body}</body></worldbody></mujoco>"
    (tmp_path / "arm.xml").write_text(text)
    told = run("check", str(tmp_path / "arm.xml"), "--strict", status=1)
    assert "body 'tip'/inertial.inertia: found principal moments 1, 1, 3" in told


MASSLESS = """<robot name="arm"><link name="base"/><link name="tip"/>
  <joint name="turn" type="continuous"><parent link="base"/><child link="tip"/></joint></robot>"""


def test_a_machine_that_cannot_start_gives_an_error_and_nothing_else(tmp_path):
    file = tmp_path / "arm.urdf"
    file.write_text(MASSLESS)
    words = ["simulate", str(file), "--seconds", "0.1", "--save", str(tmp_path / "out.npz")]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert result.stderr.startswith("error: 'turn' moves nothing that has mass")
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "out.npz").exists()


def test_processes_that_are_started_read_files_as_the_command_did(files, monkeypatch):
    """Packages and repair go with the settings, from process to process."""
    file, package = files
    handed = []
    monkeypatch.setattr(starting, "start", lambda settings, browse: handed.append(settings))
    run("run", file, "--package", package, "--repair", "nearest", "--no-browser")
    reading = pickle.loads(pickle.dumps(handed[0].reading))
    assert reading.repair == "nearest"
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        for machine in (
            Cast(SceneChoice("tunnel", file), reading).now.machine,
            study_process._machine(file, reading),
        ):
            (shape,) = machine.robot.link("base").visuals
            assert Path(shape.geometry.path).name == "base.dae"
            assert machine.folder is not None
    assert any("changed by" in str(note.message) for note in notes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert headframe.load(file).robot != machine.robot  # nothing is left in the environment
