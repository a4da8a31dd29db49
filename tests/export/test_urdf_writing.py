"""URDF that we write: complete about what it leaves out, and read back as the same tree."""

import math
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import trimesh

import headframe
from headframe import ExportError
from headframe.description import Robot, triangles_of
from headframe.description.reading import read_bytes
from headframe.export import urdf_notes, urdf_text, write_urdf
from headframe.machine import Machine
from headframe.mechanism import State
from headframe.spatial import pose

AXIS = (0.0, 0.6, 0.8)


def machine(**content):
    return Machine(Robot.model_validate({"name": "test", **content}))


def joint(name, parent, child, kind="revolute", **more):
    if kind in ("revolute", "prismatic", "continuous", "universal"):
        more.setdefault("axis", AXIS)
    return {"name": name, "parent": parent, "child": child, "type": kind, **more}


def links(*names):
    return [{"name": name} for name in names]


def read_back(text):
    reading = read_bytes(text.encode())
    assert not reading.problems
    return Machine(reading.robot)


def same_places(one, other):
    """All main links of `one` stand in `other` where they stand in `one`."""
    upright = pose((0, 0, 0), (math.pi / 2, 0, 0)) if one.robot.up_axis == "y" else np.eye(4)
    random = np.random.default_rng(3)
    for _ in range(5):
        q = random.uniform(-2, 2, one.mechanism.q_zero.size)
        state = State(one.mechanism, q)
        q_other = other.mechanism.q_zero.copy()
        for name, part in other.mechanism.position_of_joint.items():
            if name in state.joints:
                q_other[part] = state.joints[name]
        other_state = State(other.mechanism, q_other)
        for link in one.robot.main_links:
            expected = upright @ state.pose(link.name)
            assert other_state.pose(link.name) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("with_cylinders", [False, True])
@pytest.mark.parametrize("name", headframe.machines())
def test_catalogue_round_trip(name, with_cylinders):
    one = headframe.load(name)
    state = one.home if with_cylinders else None
    other = read_back(urdf_text(one.robot, one.topology, state))
    same_places(one, other)
    kept = one.robot.links if with_cylinders else one.robot.main_links
    for link in kept:
        assert other.robot.link(link.name).inertial == link.inertial


def test_links_with_poses_of_their_own():
    own = {"translation": (0.1, 0.2, 0.3), "orientation": (0.4, 0.5, 0.6)}
    one = machine(
        links=[{"name": name, **own} for name in ("base", "a", "b", "c")],
        joints=[
            joint("ja", "base", "a", origin_orientation=(0.1, 0.2, 0.3)),
            joint("jb", "a", "b", "prismatic"),
            joint("jc", "b", "c", "fixed"),
        ],
    )
    same_places(one, read_back(urdf_text(one.robot, one.topology)))


def test_y_up_is_turned_at_the_root():
    one = machine(links=links("base", "arm"), joints=[joint("j", "base", "arm")], up_axis="y")
    same_places(one, read_back(urdf_text(one.robot, one.topology)))


@pytest.mark.parametrize("name", headframe.machines())
def test_everything_left_out_is_named(name):
    one = headframe.load(name)
    notes = urdf_notes(one.robot, one.topology, one.home)
    text = urdf_text(one.robot, one.topology, one.home)
    for actuator in one.actuators:
        (note,) = [note for note in notes if note.startswith(f"Actuator {actuator.name!r}")]
        assert f"{actuator.bounds.lower:g} to {actuator.bounds.upper:g} m" in note
    assert len([n for n in notes if n.startswith("Loop ")]) == len(one.topology.closures)
    assert len([n for n in notes if n.startswith("Motor ")]) == len(one.robot.motors)
    assert all(note.replace("--", "- -") in text for note in notes)


def test_limits_and_motors():
    one = machine(
        links=links("base", "a", "b", "c"),
        joints=[
            joint("ja", "base", "a", limit={"lower": -1.0, "upper": 2.0}, damping=3.0),
            joint("jb", "base", "b", "prismatic", armature=7.0),
            joint("jc", "base", "c", "continuous", armature=0.5),
        ],
        motors=[{"name": "m", "joint": "jc", "max_torque": 5.0, "max_speed": 6.0}],
    )
    root = ET.fromstring(urdf_text(one.robot, one.topology))
    a, b, c = (root.find(f"joint[@name='{name}']/limit").attrib for name in ("ja", "jb", "jc"))
    assert (a["lower"], a["upper"]) == ("-1.0", "2.0")
    assert (b["lower"], b["upper"]) == ("-1000.0", "1000.0")
    assert c == {"effort": "5.0", "velocity": "6.0"}
    assert root.find("joint[@name='ja']/dynamics").get("damping") == "3.0"
    notes = urdf_notes(one.robot, one.topology)
    assert any(note.startswith("Joints without limits") and "'jb'" in note for note in notes)
    assert [note for note in notes if note.startswith("Armature")] == [
        "Armature of joint 'jb' is left out: 7 kg.",
        "Armature of joint 'jc' is left out: 0.5 kg m^2.",
    ]


def test_repeaters_are_mimics_where_urdf_can_say_them():
    one = machine(
        links=links("base", "a", "b", "c"),
        joints=[
            joint("ja", "base", "a"),
            joint("jb", "base", "b", "prismatic"),
            joint("jc", "base", "c", "universal", axis2=(1.0, 0.0, 0.0)),
        ],
        repeaters=[
            {"name": "r", "joint": "jb", "follows": "ja", "ratio": 0.5, "offset": 0.1},
            {"name": "second", "joint": "jb", "follows": "ja", "ratio": 0.5, "offset": 0.1},
        ],
    )
    text = urdf_text(one.robot, one.topology)
    (repeater,) = read_back(text).robot.repeaters
    assert (repeater.joint, repeater.follows) == ("jb", "ja")
    assert (repeater.ratio, repeater.offset) == (0.5, 0.1)
    notes = urdf_notes(one.robot, one.topology)
    assert any("'second' is left out" in note for note in notes)
    assert any("'jc' is universal" in note for note in notes)


def test_shapes_and_colours():
    visuals = [
        {"geometry": {"type": "box", "x": 1.0, "y": 2.0, "z": 3.0}},
        {"geometry": {"type": "sphere", "r": 1.0}, "material": {"color": (1.0, 0.0, 0.0, 0.5)}},
        {"geometry": {"type": "cylinder", "r1": 1.0, "r2": 1.0, "h": 3.0}, "name": "drum"},
        {"geometry": {"type": "cylinder", "r1": 1.0, "r2": 2.0, "h": 3.0}},
        {"geometry": {"type": "cone", "r": 1.0, "h": 3.0}},
        {"geometry": {"type": "capsule", "r": 1.0, "h": 3.0}, "translation": (1.0, 0.0, 0.0)},
    ]
    one = machine(links=[{"name": "base", "visual": visuals}])
    (base,) = read_back(urdf_text(one.robot, one.topology)).robot.links
    originals = one.robot.links[0].visuals
    assert base.visuals[:3] == originals[:3]
    radii = [visual.geometry.r1 for visual in base.visuals[3:6]]
    assert radii == [1.5, 0.5, 1.0]
    centres = [visual.translation for visual in base.visuals[5:]]
    assert centres == [(1.0, 0.0, 0.0), (1.0, 0.0, -1.5), (1.0, 0.0, 1.5)]
    assert any("'base' (2)" in note for note in urdf_notes(one.robot, one.topology))


def test_meshes_are_copied_and_read_again(tmp_path):
    trimesh.creation.box((1, 2, 3)).export(tmp_path / "block.stl")
    visual = {"geometry": {"type": "mesh", "path": "block.stl", "scale": (1.0, 2.0, 1.0)}}
    one = machine(links=[{"name": "base", "visual": [visual]}])
    target = tmp_path / "out" / "m.urdf"
    target.parent.mkdir()
    write_urdf(one.robot, one.topology, None, target, tmp_path)
    mesh = headframe.load(target).robot.links[0].visuals[0].geometry
    assert mesh.path == "m_meshes/block.obj"
    assert mesh.scale == (1.0, 2.0, 1.0)


def test_shapes_that_urdf_lacks_are_meshes_beside_the_file(tmp_path):
    shapes = [
        {"type": "torus", "R": 1.0, "r": 0.25},
        {"type": "chain_link", "R": 1.0, "r": 0.25, "length": 3.0},
        {"type": "hull", "points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]},
    ]
    touched = [{"geometry": shape} for shape in shapes]
    one = machine(links=[{"name": "base", "collision": touched}])
    notes = write_urdf(one.robot, one.topology, None, tmp_path / "m.urdf")
    assert notes == []
    found = headframe.load(tmp_path / "m.urdf").robot.links[0].collision
    names = [Path(shape.geometry.path).name for shape in found]
    assert names == ["torus.obj", "chainlink.obj", "hull.obj"]
    for shape, own in zip(found, one.robot.links[0].collision, strict=True):
        vertices, _ = triangles_of(shape.geometry, tmp_path)
        wanted, _ = triangles_of(own.geometry)
        np.testing.assert_allclose(vertices.min(axis=0), wanted.min(axis=0), atol=1e-6)
        np.testing.assert_allclose(vertices.max(axis=0), wanted.max(axis=0), atol=1e-6)
    text = urdf_text(one.robot, one.topology)  # without files beside it, boxes stand for them
    assert "as the boxes that hold them: 'base' (3)" in text
    boxes = read_back(text).robot.links[0].collision
    assert [shape.geometry.x for shape in boxes] == [2.5, 5.5, 1.0]
    assert boxes[2].translation == (0.5, 0.5, 0.5)


def test_what_is_said_of_contact_is_named():
    box = {"type": "box", "x": 1.0, "y": 1.0, "z": 1.0}
    shape = {"geometry": box, "contact": "rubber"}
    content = {"links": [{"name": "a", "collision": [shape]}, {"name": "b"}], "base": "free"}
    one = machine(**content, joints=[joint("ab", "a", "b")], no_contact=(("a", "b"),))
    notes = urdf_notes(one.robot, one.topology)
    for told in ("base is free", "not told: 'a' and 'b'", "Contact materials are left out"):
        assert any(told in note for note in notes)


def test_a_file_that_cannot_be_written(tmp_path):
    one = machine(links=links("base"))
    with pytest.raises(ExportError, match="cannot be written"):
        write_urdf(one.robot, one.topology, None, tmp_path)


def test_names_that_xml_cannot_hold():
    names = ["world", "a\x00", "a_", "--", "<&\"'>"]
    joints = [joint(f"to {name}", "world", name) for name in names[1:]]
    one = machine(links=links(*names), joints=joints, up_axis="y")
    root = ET.fromstring(urdf_text(one.robot, one.topology))
    written = [link.get("name") for link in root.findall("link")]
    assert sorted(written) == sorted(["world", "a_", "a__2", "--", "<&\"'>", "world_2"])
