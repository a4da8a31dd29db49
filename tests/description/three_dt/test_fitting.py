"""A machine and its 3DT file: the field of the machine file, links that are there, safe paths."""

import json

import pytest
from typer.testing import CliRunner

import headframe
from headframe.cli.main import app
from headframe.description import Robot
from headframe.description.reading import read_text
from headframe.description.three_dt import bodies_by_link
from headframe.errors import MeshError, NameUnknownError
from three_dt_models import CRANE

MACHINE = {
    "mrdf": "1",
    "name": "crane",
    "geometry_file": "crane.3dt",
    "links": [{"name": "base"}, {"name": "boom"}, {"name": "hook"}],
    "joints": [
        {"name": "slew", "parent": "base", "child": "boom", "type": "revolute", "axis": [0, 0, 1]},
        {"name": "hang", "parent": "boom", "child": "hook", "type": "fixed"},
    ],
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "crane.json").write_text(json.dumps(MACHINE))
    (tmp_path / "crane.3dt").write_text(CRANE)
    return tmp_path


def test_bodies_are_found_by_link(folder):
    machine = headframe.load(folder / "crane.json")
    found = bodies_by_link(machine.robot, machine.folder)
    assert {link: [body.name for body in bodies] for link, bodies in found.items()} == {
        "base": ["tetrahedron"],
        "boom": ["plate"],
    }


def test_without_a_folder_or_a_file_there_are_no_bodies(folder):
    machine = headframe.load(folder / "crane.json")
    assert bodies_by_link(machine.robot, None) == {}
    assert bodies_by_link(Robot.make(name="a", links=({"name": "b"},)), folder) == {}


def test_a_body_on_a_link_that_is_not_there(folder):
    (folder / "crane.3dt").write_text(CRANE.replace('link "boom"', 'link "bom"'))
    machine = headframe.load(folder / "crane.json")  # the file is read when it is needed
    with pytest.raises(NameUnknownError, match="did you mean 'boom'") as caught:
        bodies_by_link(machine.robot, machine.folder)
    (problem,) = caught.value.problems
    assert (problem.place, problem.line) == ("crane.3dt", 22)


def test_check_reads_the_file_too(folder):
    def check():
        return CliRunner().invoke(app, ["check", str(folder / "crane.json")])

    assert check().exit_code == 0
    (folder / "crane.3dt").write_text(CRANE.replace("2 1 0", "2 nan 0"))
    result = check()
    assert result.exit_code == 1
    assert "crane.3dt / component 'Boom' / body 'plate' (line 28, column 3)" in result.output
    assert "1 problem" in result.output


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("../crane.3dt", "inside the machine file's folder"),
        ("a/../../crane.3dt", "inside the machine file's folder"),
        ("/etc/crane.3dt", "expected a relative path"),
        ("C:\\crane.3dt", "expected a relative path"),
        ("crane.obj", "expected a file of .3dt"),
        ("missing.3dt", "there is no file"),
    ],
)
def test_paths_are_safe(folder, name, words):
    (folder / "sub").mkdir()
    inside = folder / "sub"
    (inside / "crane.obj").write_text("")
    reading = read_text(json.dumps({**MACHINE, "geometry_file": name}), inside)
    (problem,) = reading.problems
    assert (problem.kind, problem.place) == (MeshError, "geometry_file")
    assert words in problem.message


def test_a_robot_made_in_code_cannot_lead_outside(folder):
    (folder / "sub").mkdir()
    robot = Robot.make(name="a", links=({"name": "base"},), geometry_file="../crane.3dt")
    with pytest.raises(MeshError, match="inside the machine file's folder"):
        bodies_by_link(robot, folder / "sub")


def test_saving_takes_the_file_along(folder, tmp_path):
    machine = headframe.load(folder / "crane.json")
    (tmp_path / "other").mkdir()
    path = machine.save(tmp_path / "other" / "crane.json")
    again = headframe.load(path)
    assert again.robot == machine.robot
    assert (tmp_path / "other" / "crane.3dt").read_text() == CRANE


@pytest.mark.parametrize("name", headframe.machines())
def test_every_catalogue_file_fits_its_machine(name):
    machine = headframe.load(name)
    if machine.robot.geometry_file is None:
        return
    covered = bodies_by_link(machine.robot, machine.folder)
    assert set(covered) <= {link.name for link in machine.links}
    assert {actuator.tube for actuator in machine.actuators} <= set(covered)
