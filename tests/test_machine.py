"""What a user holds: loading, saving, asking."""

import numpy as np
import pytest

import headframe as hf
from build import joint, machine


def test_catalogue_names():
    machines = {"tcchs", "sths", "sshs", "roadheader", "lhd", "door", "jumbo", "shearer"}
    models = {"five_link_chain", "gripper", "peaucellier"}
    assert hf.machines() == sorted(machines | models)
    loaded = {name: hf.load(name) for name in hf.machines()}
    assert {name for name, one in loaded.items() if one.robot.machine_class == "model"} == models
    assert {name for name, one in loaded.items() if one.actuators} == machines


def test_machine_prints_itself():
    assert repr(hf.load("roadheader")) == "Machine(roadheader: 7 links, 24 joints, 9 actuators)"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("roadhead", "did you mean 'roadheader'"),
        ("nowhere.json", "no such file"),
        ("a/b/c", "no such file"),
        ("", "neither"),
        ("nul\0byte", "neither"),
        ("x" * 5000, "neither"),
    ],
)
def test_unknown_machine_is_a_typed_error(name, words):
    with pytest.raises(hf.UnknownMachineError, match=words):
        hf.load(name)


def test_folder_is_no_machine(tmp_path):
    with pytest.raises(hf.MachineFileError, match="cannot be read"):
        hf.load(tmp_path)


def test_home_and_assemble_are_one():
    m = hf.load("lhd")
    assert hf.assemble(m) is m.home


def test_save_writes_what_load_reads(tmp_path):
    m = hf.load("sths")
    path = m.save(tmp_path / "copy.json")
    assert hf.load(path).robot == m.robot
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "sths.3dt"]


def test_save_into_a_missing_folder_is_a_typed_error(tmp_path):
    with pytest.raises(hf.ExportError, match="cannot be written"):
        hf.load("door").save(tmp_path / "no" / "folder" / "x.json")


def test_save_takes_meshes_along(tmp_path):
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "parts").mkdir(parents=True)
    target.mkdir()
    (source / "parts" / "plate.stl").write_text("solid plate\nendsolid plate\n")
    links = [
        {"name": "base", "visual": [{"geometry": {"type": "mesh", "path": "parts/plate.stl"}}]},
        {"name": "arm"},
    ]
    original = machine([joint("hinge", "base", "arm")], links=links)
    path = hf.Machine(original.robot, source).save(target / "m.json")
    assert (target / "parts" / "plate.stl").read_text().startswith("solid")
    assert hf.load(path).robot == original.robot


def test_description_is_frozen():
    robot = hf.load("door").robot
    with pytest.raises(Exception, match="frozen"):
        robot.name = "x"
    with pytest.raises(Exception, match="frozen"):
        robot.links[0].name = "x"


def test_lookups_name_the_nearest():
    robot = hf.load("roadheader").robot
    assert robot.link("turret").name == "turret"
    with pytest.raises(hf.UnknownElementError, match="did you mean 'turret'"):
        robot.link("turet")
    with pytest.raises(hf.UnknownElementError):
        robot.joint("no such joint")
    with pytest.raises(hf.UnknownElementError):
        robot.actuator("no such actuator")


def test_lengths_follow_the_order_of_the_actuators():
    m = hf.load("jumbo")
    assert m.home.lengths.shape == (len(m.actuators),)
    for length, actuator in zip(m.home.lengths, m.actuators, strict=True):
        tube, rod = m.home.pose(actuator.tube)[:3, 3], m.home.pose(actuator.rod)[:3, 3]
        assert length == pytest.approx(np.linalg.norm(rod - tube), abs=1e-13)


def test_saving_through_a_link_keeps_the_link(tmp_path):
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("{}")
    link.symlink_to(real)
    hf.load("door").save(link)
    assert link.is_symlink()
    assert hf.load(real).robot == hf.load("door").robot


def test_saving_over_a_folder_is_a_typed_error(tmp_path):
    with pytest.raises(hf.ExportError, match="no plain file"):
        hf.load("door").save(tmp_path)


def test_only_machines_can_be_assembled():
    with pytest.raises(hf.NotAMachineError, match="expected a Machine"):
        hf.assemble("roadheader")


def test_examine_raises_nothing():
    reading = hf.examine("nowhere.json")
    assert reading.robot is None
    assert "no such file" in str(reading.problems[0])


def test_capital_letters_find_the_nearest_name():
    with pytest.raises(hf.UnknownMachineError, match="did you mean 'roadheader'"):
        hf.load("ROADHEADER")
