"""Shapes of the description as the kernels' records."""

import math

import numpy as np
import pytest
import trimesh

from headframe.contact import shape_records
from headframe.contact.kernels import NEAR_WORK, TOUCH, ShapeKind, touch_pairs
from headframe.contact.shapes import closed
from headframe.description import CollisionShape, triangles_of
from headframe.errors import MeshError
from headframe.jit import as_argument, doubles, new_records

SHAPES = [
    ({"type": "sphere", "r": 2.0}, ShapeKind.SPHERE, (2, 0, 0)),
    ({"type": "box", "x": 2.0, "y": 4.0, "z": 6.0}, ShapeKind.BOX, (1, 2, 3)),
    ({"type": "capsule", "r": 0.5, "h": 2.0}, ShapeKind.CAPSULE, (0.5, 1, 0)),
    ({"type": "cylinder", "r1": 0.5, "r2": 0.7, "h": 2.0}, ShapeKind.CYLINDER, (0.5, 0.7, 1)),
    ({"type": "cone", "r": 0.5, "h": 2.0}, ShapeKind.CONE, (0.5, 1, 0)),
    ({"type": "torus", "R": 2.0, "r": 0.5, "arc": 3.0}, ShapeKind.TORUS, (2, 0.5, 1.5)),
    ({"type": "torus", "R": 2.0, "r": 0.5}, ShapeKind.TORUS, (2, 0.5, math.pi)),
    (
        {"type": "chain_link", "R": 2.0, "r": 0.5, "length": 3.0},
        ShapeKind.CHAIN_LINK,
        (2, 0.5, 1.5),
    ),
    (
        {"type": "hull", "points": [(5, 5, 5), (6, 5, 5), (5, 6, 5), (5, 5, 6)]},
        ShapeKind.HULL,
        (0,) * 3,
    ),
]
PLACE = {"translation": (1.0, 2.0, 3.0), "orientation": (0.1, -0.2, 0.3)}


def shape(geometry, **more):
    return CollisionShape.make(geometry=geometry, **more)


@pytest.mark.parametrize(("geometry", "kind", "sizes"), SHAPES, ids=lambda value: str(value)[:20])
def test_sizes_and_the_sphere_that_holds_a_shape(geometry, kind, sizes):
    one = shape(geometry, **PLACE)
    found = shape_records([(7, one, 2)])
    (row,) = found.records
    assert (row["kind"], row["body"], row["material"]) == (kind, 7, 2)
    np.testing.assert_allclose(row["sizes"], sizes)
    vertices, _ = triangles_of(one.geometry)
    points = vertices @ one.pose[:3, :3].T + one.pose[:3, 3]  # in the body
    away = np.linalg.norm(points - row["X_BS"][:, 3], axis=1).max()
    assert 0.99 * row["radius"] <= away <= row["radius"] * (1 + 1e-12)
    if kind == ShapeKind.HULL:
        assert row["solid"] == 0
        again = found.solids[0].points @ row["X_BS"][:, :3].T + row["X_BS"][:, 3]
        np.testing.assert_allclose(np.sort(again, axis=0), np.sort(points, axis=0), atol=1e-12)
    else:
        assert row["solid"] == -1
        np.testing.assert_array_equal(row["X_BS"], one.pose[:3])


def test_hulls_are_laid_into_one_buffer():
    """And the kernels find where they touch: two corners of tetrahedra, and a ball in a hull."""
    tetrahedron = {"type": "hull", "points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]}
    ball = {"type": "sphere", "r": 0.5}
    places = ((0, 0, 0), (1.2, 0, 0), (-0.4, 0.2, 0.2))
    shapes = [
        shape(geometry, translation=place)
        for geometry, place in zip((tetrahedron, tetrahedron, ball), places, strict=True)
    ]
    records, solids = shape_records([(n, each, 0) for n, each in enumerate(shapes)]).packed()
    assert records["solid"][0] != records["solid"][1]
    assert records["solid"][2] == -1
    X_WS = np.ascontiguousarray(records["X_BS"])
    found = new_records(20, TOUCH)
    pairs = np.array([(0, 1), (0, 2), (1, 2)])
    work = np.zeros(doubles(NEAR_WORK))
    count = touch_pairs(as_argument(records), X_WS, pairs, solids, 0.3, work, as_argument(found))
    told = {(row.a, row.b): row.depth for row in found[:count]}
    assert set(told) == {(0, 1), (0, 2)}
    assert told[0, 1] == pytest.approx(-0.2)  # the tip at x = 1 and the face at 1.2
    assert told[0, 2] == pytest.approx(0.1)


def test_meshes_are_packed_as_hulls_are(tmp_path):
    geometry = write(tmp_path, "ball.stl", trimesh.creation.icosphere(1, 0.5))
    records, buffer = shape_records([(0, shape(geometry), 0)] * 2, tmp_path).packed()
    assert records["solid"][0] == 0
    assert 0 < records["solid"][1] < len(buffer)


def write(folder, name, mesh):
    mesh.export(folder / name)
    return {"type": "mesh", "path": name}


@pytest.mark.parametrize("name", ["ball.stl", "ball.obj"])
def test_a_closed_mesh_has_its_points_once_and_looks_outwards(tmp_path, name):
    ball = trimesh.creation.icosphere(2, 0.5)
    ball.apply_translation((3, 0, 0))
    geometry = write(tmp_path, name, ball)
    for scale in ((1, 1, 1), (-1, 1, 1)):
        found = shape_records([(0, shape({**geometry, "scale": scale}), 0)], tmp_path)
        (solid,) = found.solids
        assert (len(solid.points), len(solid.triangles)) == (len(ball.vertices), len(ball.faces))
        again = trimesh.Trimesh(solid.points, solid.triangles, process=False)
        assert again.is_watertight
        assert again.volume == pytest.approx(ball.volume, rel=1e-6)
        (row,) = found.records
        assert row["kind"] == ShapeKind.MESH
        assert row["radius"] == pytest.approx(0.5, rel=1e-3)
        np.testing.assert_allclose(row["X_BS"][:, 3], (3 * scale[0], 0, 0), atol=1e-6)


def test_inward_faces_are_turned():
    box = trimesh.creation.box((1, 2, 3))
    found = closed(box.vertices, box.faces[:, ::-1])
    assert trimesh.Trimesh(found.points, found.faces).volume == pytest.approx(6.0)


def test_an_open_mesh_is_told_where_a_volume_is_asked_for(tmp_path):
    box = trimesh.creation.box((1, 2, 3))
    box.update_faces(np.arange(len(box.faces)) > 1)  # without one side
    geometry = write(tmp_path, "open.obj", box)
    with pytest.raises(MeshError) as caught:
        shape_records([(0, shape(geometry), 0)], tmp_path, ["links[3].collision[0]"])
    (problem,) = caught.value.problems
    assert problem.place == "links[3].collision[0]"
    assert "mesh 'open.obj': 4 of 15 edges" in problem.message
    assert "expected a closed surface" in problem.message
    assert "give a hull" in problem.hint


def test_faces_that_contradict_each_other_enclose_nothing():
    box = trimesh.creation.box((1, 2, 3))
    faces = box.faces.copy()
    faces[0] = faces[0][::-1]
    with pytest.raises(MeshError, match="expected a closed surface"):
        closed(box.vertices, faces)
    with pytest.raises(MeshError, match="expected a closed surface"):
        closed(box.vertices, np.concatenate([box.faces, box.faces]))
