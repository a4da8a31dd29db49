"""What of a machine is touched, and which of its links pass through each other."""

import json

import numpy as np
import pytest
import trimesh
from typer.testing import CliRunner

import headframe as hf
from headframe.cli.main import app
from headframe.contact import WhyApart
from headframe.contact.kernels import ShapeKind
from headframe.description.reading import read_text
from headframe.errors import MeshError
from headframe.machine import Machine

BOX = {"type": "box", "x": 1.0, "y": 1.0, "z": 1.0}


def box(x=0.0, **more):
    return {"geometry": BOX, "translation": [x, 0, 0], **more}


def hinge(name, parent, child, kind="revolute", x=0.0):
    axis = {"axis": [0, 1, 0]} if kind == "revolute" else {}
    place = {"origin_translation": [x, 0, 0]}
    return {"name": name, "parent": parent, "child": child, "type": kind, **axis, **place}


def machine(links, joints, folder=None, **more):
    data = {"mrdf": "1", "name": "m", "links": links, "joints": joints, **more}
    reading = read_text(json.dumps(data), folder)
    assert reading.problems == []
    return Machine(reading.robot, folder)


def row(*offsets, **more):
    """Links in a row, each with a box of 1 m, hinged to the one before at these distances."""
    names = "abcdefgh"[: len(offsets)]
    links = [{"name": name, "collision": [box()]} for name in names]
    joints = [
        hinge(f"to {names[i]}", names[i - 1], names[i], x=offsets[i]) for i in range(1, len(names))
    ]
    return machine(links, joints, **more)


def told(one):
    """Why pairs are apart, by the names of their links."""
    names = [link.name for link in one.links]
    return {names[i] + names[j]: why for (i, j), why in one.collision.apart.items()}


def test_links_that_a_joint_connects_pass_through_each_other():
    one = row(0.0, 0.5, 2.0, 2.0)
    assert told(one) == {"ab": WhyApart.JOINED, "bc": WhyApart.JOINED, "cd": WhyApart.JOINED}
    assert one.collision.pairs == ((0, 2), (0, 3), (1, 3))


def test_links_that_touch_at_home_pass_through_each_other():
    one = row(0.0, 0.5, 0.45, 2.0)
    assert told(one)["ac"] is WhyApart.HOME  # 0.95 m apart, boxes of 1 m
    assert "bd" not in told(one)


def test_what_is_listed_and_what_is_bolted():
    links = [{"name": name, "collision": [box()]} for name in "abcd"]
    joints = [
        hinge("ab", "a", "b", "fixed", 3.0),
        hinge("bc", "b", "c", x=3.0),
        hinge("ad", "a", "d", x=-9.0),
    ]
    one = machine(links, joints, no_contact=[["d", "c"]])
    assert told(one) == {
        "ab": WhyApart.BOLTED,
        "ac": WhyApart.JOINED,  # by the joint of b
        "bc": WhyApart.JOINED,
        "ad": WhyApart.JOINED,
        "bd": WhyApart.JOINED,
        "cd": WhyApart.LISTED,
    }
    assert one.collision.pairs == ()
    assert one.collision.bodies == (0, 0, 2, 3)


def test_a_free_joint_holds_nothing_together():
    links = [{"name": name, "collision": [box()]} for name in "ab"]
    one = machine(links, [hinge("ab", "a", "b", "free", 3.0)])
    assert one.collision.pairs == ((0, 1),)


def test_a_cylinders_parts_and_mounts():
    lift = hf.load("docs/examples/lift.json")
    collision, names = lift.collision, [link.name for link in lift.links]
    (ram,) = lift.actuators
    parts = (ram.tube, ram.rod, ram.tube_parent, ram.rod_parent)
    tube, rod, low, high = (names.index(part) for part in parts)
    for a, b in ((tube, rod), (tube, low), (tube, high), (rod, low), (rod, high)):
        assert collision.apart[min(a, b), max(a, b)] is WhyApart.CYLINDER
    assert collision.made[tube]  # the file gives it no shapes: a plain cylinder is seen
    assert [shape.geometry.type for shape in collision.shapes[tube]] == ["cylinder"]


@pytest.mark.parametrize("name", hf.machines())
def test_every_link_of_the_catalogue_that_is_seen_is_touched(name):
    one = hf.load(name)
    collision = one.collision
    for link, own, made in zip(one.links, collision.shapes, collision.made, strict=True):
        assert made == (not link.collision)
        assert own if made else own == link.collision
        assert len(own) <= max(6, len(link.collision))
    records, solids = collision.records.records, collision.records.solids
    assert len(records) == sum(map(len, collision.shapes))
    assert all(len(solid.points) <= 40 for solid in solids)
    assert len(collision.records.packed()[0]) == len(records)
    assert list(records["body"]) == [i for i, own in enumerate(collision.shapes) for _ in own]
    np.testing.assert_array_equal(
        records["solid"] >= 0, np.isin(records["kind"], (ShapeKind.HULL, ShapeKind.MESH))
    )
    names = {link.name for link in one.links}
    for joint in one.joints:
        pair = sorted(one.robot.link_index[end] for end in (joint.parent, joint.child))
        assert tuple(pair) in collision.apart
    assert len(names) == len(one.links)


def test_materials_are_those_of_the_file_or_ship():
    own = {"name": "pad", "stiffness": 1e6, "restitution": 0.1}
    pad = {**own, "friction": {"static": 0.5, "dynamic": 0.5}}
    links = [{"name": "a", "collision": [box(contact="pad"), box(2.0), box(4.0, contact="rubber")]}]
    collision = machine(links, [], materials=[pad]).collision
    assert [material.name for material in collision.materials] == ["pad", "steel", "rubber"]
    assert collision.materials[0].stiffness == 1e6
    assert list(collision.records.records["material"]) == [0, 1, 2]


def test_an_open_mesh_of_the_file(tmp_path):
    block = trimesh.creation.box((1, 1, 1))
    block.export(tmp_path / "block.stl")
    block.update_faces(np.arange(len(block.faces)) > 0)
    block.export(tmp_path / "open.stl")
    for name, kind in (("block.stl", ShapeKind.MESH), ("open.stl", None)):
        shape = {"geometry": {"type": "mesh", "path": name}}
        one = machine([{"name": "a", "collision": [shape]}], [], tmp_path)
        if kind is not None:
            assert list(one.collision.records.records["kind"]) == [kind]
            continue
        with pytest.raises(MeshError, match="expected a closed surface") as caught:
            _ = one.collision.records
        assert caught.value.problems[0].place == "links[0].collision[0]"
        seen = machine([{"name": "a", "visual": [shape]}], [], tmp_path)
        assert list(seen.collision.records.records["kind"]) == [ShapeKind.HULL]  # needs no volume


def test_meshes_of_other_formats_stand_for_their_hulls():
    picker = hf.load("docs/examples/picker_description/urdf/picker.urdf")
    kinds = picker.collision.records.records["kind"]
    assert set(kinds) <= {ShapeKind.HULL, ShapeKind.BOX, ShapeKind.CYLINDER, ShapeKind.SPHERE}


def test_the_command_draws_what_is_touched(tmp_path):
    target = tmp_path / "shapes.png"
    arguments = ["draw", "docs/examples/lift.json", "--collision", "--no-names", "-o", str(target)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    plain = tmp_path / "plain.png"
    hf.load("docs/examples/lift.json").draw(plain, names=False)
    assert target.read_bytes() != plain.read_bytes()
    both = CliRunner().invoke(app, ["draw", "lhd", "--collision", "--topology", "-o", str(target)])
    assert both.exit_code == 1
    assert "expected one of them" in both.output


def test_a_picture_of_them_has_their_colours_and_no_model():
    dressed = hf.load("lhd").collision.dressed
    assert dressed.geometry_file is None
    colors = {
        link.name: {visual.material.color for visual in link.visuals} for link in dressed.links
    }
    assert colors["bucket"] == {(0.25, 0.45, 0.70, 1.0)}
    assert colors["lift_tube"] == {(0.85, 0.55, 0.20, 1.0)}
