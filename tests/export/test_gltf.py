"""glTF of assembled machines, read back by trimesh."""

import json

import numpy as np
import pytest
import trimesh

import headframe
from headframe.description import Robot
from headframe.errors import ExportError
from headframe.export.gltf import assembled_scene, write_gltf
from headframe.spatial import pose
from three_dt_models import CRANE

RED, GLASS = [1.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.5, 0.25]


class Placed:
    """A state that has its poses from a table."""

    def __init__(self, **poses):
        self.poses = poses

    def pose(self, link):
        return self.poses.get(link, np.eye(4))


def box(size=(1.0, 1.0, 1.0), color=None, **fields):
    geometry = dict(zip(("type", "x", "y", "z"), ("box", *size), strict=True))
    return {"geometry": geometry, **({"material": {"color": color}} if color else {}), **fields}


def robot(*links, **fields):
    return Robot.model_validate({"name": "toy", "links": list(links), **fields})


def tree_of(path):
    return json.loads(path.read_bytes())


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
def test_what_is_written_is_read_back_where_it_was(tmp_path, suffix):
    toy = robot(
        {"name": "base", "visual": [box((4.0, 2.0, 1.0))]},
        {"name": "arm", "visual": [box((1.0, 1.0, 1.0), translation=[0.5, 0.0, 0.0])]},
    )
    state = Placed(arm=pose((0.0, 0.0, 3.0), (0.0, -np.pi / 2, 0.0)))  # its x looks up
    path = write_gltf(toy, state, tmp_path / f"toy.{suffix}")
    scene = trimesh.load_scene(path)
    # y is up: height 3 to 4 of the arm is y; the base's width of 2 is z
    np.testing.assert_allclose(scene.bounds, [[-2, -0.5, -1], [2, 4, 1]], atol=1e-6)


def test_machines_that_are_y_up_stay_so(tmp_path):
    toy = robot({"name": "base", "visual": [box((4.0, 2.0, 1.0))]}, up_axis="y")
    scene = trimesh.load_scene(write_gltf(toy, Placed(), tmp_path / "toy.glb"))
    np.testing.assert_allclose(scene.extents, (4, 2, 1), atol=1e-6)


def test_there_is_one_node_a_link_named_like_it(tmp_path):
    toy = robot(
        {"name": "world", "visual": [box(name="toy"), box(name="toy")]},
        {"name": "world/toy", "visual": [box()]},
        {"name": "empty"},
    )
    path = write_gltf(toy, Placed(), tmp_path / "toy.gltf")
    names = [node["name"] for node in tree_of(path)["nodes"]]
    assert len(names) == len(set(names))
    assert {"world/toy", "empty", "toy", "world/toy_2", "world/toy_3", "world/toy/0"} <= set(names)


def test_colours_are_linear_and_glass_is_blended(tmp_path):
    toy = robot({"name": "base", "visual": [box(color=RED), box(color=GLASS)]})
    materials = tree_of(write_gltf(toy, Placed(), tmp_path / "toy.gltf"))["materials"]
    red, glass = (material["pbrMetallicRoughness"]["baseColorFactor"] for material in materials)
    np.testing.assert_allclose(red, RED, atol=1e-2)
    # sRGB 0.5 is 0.214 linear; trimesh keeps colours in 8 bits
    np.testing.assert_allclose(glass, [0.214, 0.214, 0.214, 0.25], atol=4e-3)
    assert [material.get("alphaMode", "OPAQUE") for material in materials] == ["OPAQUE", "BLEND"]


def test_normals_are_written_and_sharp(tmp_path):
    toy = robot({"name": "base", "visual": [box()]})
    scene = trimesh.load_scene(write_gltf(toy, Placed(), tmp_path / "toy.glb"), process=False)
    (mesh,) = scene.geometry.values()
    assert len(mesh.vertices) == 24  # 6 sides with 4 corners of their own
    np.testing.assert_allclose(np.abs(mesh.vertex_normals).max(axis=1), 1.0, atol=1e-6)


@pytest.mark.parametrize("name", headframe.machines())
def test_every_machine_of_the_catalogue(tmp_path, name):
    machine = headframe.load(name)
    scene = assembled_scene(machine.robot, machine.home)
    assert {link.name for link in machine.robot.links} <= set(scene.graph.nodes)
    X_WL = scene.graph.get(machine.robot.links[-1].name)[0]
    up = np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    expected = up @ machine.home.pose(machine.robot.links[-1].name)[:3, 3]
    np.testing.assert_allclose(X_WL[:3, 3], expected, atol=1e-12)
    assert write_gltf(machine.robot, machine.home, tmp_path / "m.glb").stat().st_size < 8e6


def test_what_cannot_be_written_is_said(tmp_path):
    toy = robot({"name": "base", "visual": [box()]})
    with pytest.raises(ExportError, match=r"\.glb or \.gltf"):
        write_gltf(toy, Placed(), tmp_path / "toy.obj")
    with pytest.raises(ExportError, match="cannot be written"):
        write_gltf(toy, Placed(), tmp_path / "missing" / "toy.glb")
    with pytest.raises(ExportError, match="nothing to write"):
        write_gltf(robot({"name": "base"}), Placed(), tmp_path / "toy.glb")


def test_bodies_of_a_3dt_file_take_the_place_of_visuals(tmp_path):
    (tmp_path / "crane.3dt").write_text(CRANE)
    links = [
        {"name": "base", "visual": [box()]},
        {"name": "boom"},
        {"name": "c", "visual": [box()]},
    ]
    toy = robot(*links, geometry_file="crane.3dt")
    names = set(assembled_scene(toy, Placed(), tmp_path).geometry)
    assert names == {"base/tetrahedron", "boom/plate", "c/0"}
    assert set(assembled_scene(toy, Placed()).geometry) == {"base/0", "c/0"}
