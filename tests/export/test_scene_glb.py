"""The GLB of a machine's links, read back by trimesh and by hand."""

import io
import json
import struct
import time

import numpy as np
import pytest
import trimesh

import headframe
from headframe.description import Robot
from headframe.description.appearance import parts_of
from headframe.description.meshes import triangles_of
from headframe.export.scene_glb import link_scene


def box(size=(1.0, 1.0, 1.0), color=None, **fields):
    geometry = dict(zip(("type", "x", "y", "z"), ("box", *size), strict=True))
    return {"geometry": geometry, **({"material": {"color": color}} if color else {}), **fields}


def robot(*links, **fields):
    return Robot.model_validate({"name": "toy", "links": list(links), **fields})


def tree_and_blob(data):
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON"
    return json.loads(data[20 : 20 + size]), data[20 + size + 8 :]


def values(tree, blob, place):
    accessor = tree["accessors"][place]
    view = tree["bufferViews"][accessor["bufferView"]]
    kind = {5123: "<u2", 5125: "<u4", 5126: "<f4"}[accessor["componentType"]]
    width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
    data = blob[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
    return np.frombuffer(data, kind)[: accessor["count"] * width].reshape(-1, width)


def loaded(data):
    return trimesh.load_scene(io.BytesIO(data), file_type="glb", process=False)


def test_a_node_a_link_with_its_position():
    toy = robot(
        {"name": "a b/c", "visual": [box(), box((3.0, 0.1, 0.1))]},
        {"name": "empty"},
        {"name": "last", "visual": [box()]},
    )
    tree, _ = tree_and_blob(link_scene(toy))
    assert [(node["name"], node["extras"]) for node in tree["nodes"]] == [
        ("a b/c", {"link": 0}),
        ("last", {"link": 2}),
    ]
    assert tree["scenes"][tree["scene"]]["nodes"] == [0, 1]
    assert not any({"matrix", "rotation", "translation", "scale"} & set(n) for n in tree["nodes"])
    assert [len(mesh["primitives"]) for mesh in tree["meshes"]] == [1, 1]


def test_positions_are_in_link_axes():
    sphere = {"geometry": {"type": "sphere", "r": 0.5}, "translation": [1.0, 2.0, 3.0]}
    toy = robot({"name": "ball", "visual": [sphere]})
    tree, blob = tree_and_blob(link_scene(toy))
    (primitive,) = tree["meshes"][0]["primitives"]
    ours = values(tree, blob, primitive["attributes"]["POSITION"])
    theirs = triangles_of(toy.links[0].visuals[0].geometry)[0] + (1.0, 2.0, 3.0)
    ours, theirs = (np.unique(np.round(v, 5), axis=0) for v in (ours.astype(float), theirs))
    np.testing.assert_allclose(ours, theirs, atol=2e-5)
    accessor = tree["accessors"][primitive["attributes"]["POSITION"]]
    np.testing.assert_allclose(
        [accessor["min"], accessor["max"]], [(0.5, 1.5, 2.5), (1.5, 2.5, 3.5)]
    )


def test_colours_are_linear_and_glass_is_a_second_primitive():
    visuals = [box(color=[0.5, 1.0, 0.0, 1.0]), box(color=[1.0, 1.0, 1.0, 0.25])]
    tree, blob = tree_and_blob(link_scene(robot({"name": "a", "visual": visuals})))
    solid, glass = tree["meshes"][0]["primitives"]
    colors = values(tree, blob, solid["attributes"]["COLOR_0"]) / 65535
    # sRGB 0.5 is 0.21404 in linear light
    np.testing.assert_allclose(
        colors, np.tile([0.21404, 1.0, 0.0, 1.0], (len(colors), 1)), atol=1e-4
    )
    assert tree["accessors"][solid["attributes"]["COLOR_0"]]["normalized"] is True
    assert values(tree, blob, glass["attributes"]["COLOR_0"])[0, 3] == round(0.25 * 65535)
    modes = [tree["materials"][p["material"]].get("alphaMode", "OPAQUE") for p in (solid, glass)]
    assert modes == ["OPAQUE", "BLEND"]


def test_what_cannot_be_seen_is_left_out():
    hidden = box(color=[1.0, 1.0, 1.0, 0.0])
    tree, _ = tree_and_blob(link_scene(robot({"name": "a", "visual": [hidden]})))
    assert "nodes" not in tree


def test_it_is_the_same_every_time():
    machine = headframe.load("door")
    assert link_scene(machine) == link_scene(machine.robot, machine.folder)


@pytest.mark.parametrize("name", headframe.machines())
def test_every_machine_of_the_catalogue(name):
    machine = headframe.load(name)
    started = time.process_time()
    data = link_scene(machine)
    assert time.process_time() - started < 1.0
    scene = loaded(data)
    assert 500 < sum(len(mesh.faces) for mesh in scene.geometry.values()) <= 40_000
    parts = dict(
        zip(
            (link.name for link in machine.links),
            parts_of(machine.robot, machine.folder),
            strict=True,
        )
    )
    tree, blob = tree_and_blob(data)
    assert {node["name"] for node in tree["nodes"]} == {n for n, group in parts.items() if group}
    for node in tree["nodes"]:
        assert machine.links[node["extras"]["link"]].name == node["name"]
        primitives = tree["meshes"][node["mesh"]]["primitives"]
        places = np.concatenate(
            [values(tree, blob, p["attributes"]["POSITION"]) for p in primitives]
        )
        expected = np.concatenate([part.vertices for part in parts[node["name"]]])
        np.testing.assert_allclose(places.min(axis=0), expected.min(axis=0), atol=1e-5)
        np.testing.assert_allclose(places.max(axis=0), expected.max(axis=0), atol=1e-5)
        for p in primitives:
            normals = values(tree, blob, p["attributes"]["NORMAL"])
            np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-5)


def test_boxes_round_visuals_of_the_catalogue_are_kept(tmp_path):
    """Without its 3DT file a machine shows its visuals, each as large as its plain mesh."""
    machine = headframe.load("shearer")
    for link, parts in zip(machine.links, parts_of(machine.robot), strict=True):
        assert len(parts) == len(link.visuals)
        for visual, part in zip(link.visuals, parts, strict=True):
            X = visual.pose
            plain = triangles_of(visual.geometry)[0] @ X[:3, :3].T + X[:3, 3]
            size = np.ptp(plain, axis=0).max()
            np.testing.assert_allclose(
                part.vertices.min(axis=0), plain.min(axis=0), atol=0.05 * size
            )
            np.testing.assert_allclose(
                part.vertices.max(axis=0), plain.max(axis=0), atol=0.05 * size
            )


def test_bodies_of_a_3dt_file_take_the_place_of_visuals(tmp_path):
    from three_dt_models import CRANE

    (tmp_path / "crane.3dt").write_text(CRANE)
    toy = robot(
        {"name": "base", "visual": [box((9.0, 9.0, 9.0))]},
        {"name": "boom"},
        {"name": "hook", "visual": [box((0.5, 0.5, 0.5))]},
        geometry_file="crane.3dt",
    )
    base, boom, hook = parts_of(toy, tmp_path)
    assert [part.name for part in (*base, *boom)] == ["tetrahedron", "plate"]
    assert base[0].vertices.max() == 1.0
    assert boom[0].material.color == (0.1, 0.2, 0.3, 0.5)
    assert len(hook) == 1
    assert [len(group) for group in parts_of(toy)] == [1, 0, 1]  # no folder: the visuals
