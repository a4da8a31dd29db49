"""URDF on the command line: packages, strictness, repair, and what `check` counts."""

from pathlib import Path

import pytest
import trimesh
from typer.testing import CliRunner

from dae_files import dae_of
from headframe.cli.main import app
from headframe.cli.run import _guest
from headframe.description.packages import GIVEN, Library

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


@pytest.mark.parametrize("command", ["info", "topology"])
def test_every_command_takes_packages(files, command):
    file, package = files
    assert "is not found" in run(command, file)
    assert "is not found" not in run(command, file, "--package", package)


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


def test_processes_that_are_started_find_all_packages_that_were_given(tmp_path, monkeypatch):
    monkeypatch.setenv(GIVEN, "")  # and as it was afterwards
    pairs = {name: tmp_path / f"{name} of mine" for name in ("arm", "hand")}
    for folder in pairs.values():
        folder.mkdir()
    with _guest("", [f"{name}={folder}" for name, folder in pairs.items()], False, None):
        library = Library(tmp_path / "elsewhere")
        for name, folder in pairs.items():
            assert library.packages(name) == (folder.resolve(),)
