"""Closed meshes: what they enclose, and where shapes touch them."""

import math

import numpy as np
import pytest

from contact_scenes import (
    HULL_STARTS,
    POOL,
    after,
    pose,
    random_pose,
    random_shape,
    shape,
    touching,
)
from headframe.contact import closed_mesh, convex_hull, filled, pack_solids
from headframe.contact.kernels import NEAR_WORK, ShapeKind
from headframe.contact.near.mesh_queries import mesh_gap
from headframe.errors import StateError
from headframe.jit import new_records

K = ShapeKind

BOX = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


def box_mesh(half=(1.0, 1.0, 1.0)):
    """A box of twelve triangles."""
    hull = convex_hull(BOX * half)
    return closed_mesh(hull.points, hull.mesh.triangles)


def corner_mesh():
    """An L: a floor of 2 x 1 with a wall of height 1 on half of it, all 1 deep."""
    outline = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    front = [(x, 0.0, z) for x, z in outline]
    back = [(x, 1.0, z) for x, z in outline]
    caps = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]
    triangles = [*caps, *((i + 6, k + 6, j + 6) for i, j, k in caps)]
    for i in range(6):
        j = (i + 1) % 6
        triangles += [(i, i + 6, j + 6), (i, j + 6, j)]
    return closed_mesh(front + back, np.array(triangles))


def mesh_shape(mesh):
    """A record of a mesh, and the buffer that holds it behind the hulls."""
    buffer, starts = pack_solids([*POOL, mesh])
    return shape(K.MESH, solid=starts[-1], radius=mesh.radius), buffer


def test_what_a_box_encloses():
    mesh = box_mesh((1.0, 2.0, 3.0))
    found = filled(mesh)
    assert found.volume == pytest.approx(48.0)
    assert found.centroid == pytest.approx([0, 0, 0], abs=1e-14)
    assert np.allclose(found.inertia, np.diag([13.0, 10.0, 5.0]) * 48.0 / 3.0)


def test_half_edges_lead_back():
    mesh = corner_mesh()
    for t in range(len(mesh.triangles)):
        for k in range(3):
            other, twin = mesh.beside[t, k], mesh.twins[t, k]
            assert mesh.beside[other, twin] == t
            assert mesh.triangles[other, twin] == mesh.triangles[t, (k + 1) % 3]


def test_open_meshes_and_wrong_ones_are_refused():
    mesh = box_mesh()
    with pytest.raises(StateError, match="a hole at the edge from"):
        closed_mesh(mesh.points, mesh.triangles[1:], "bucket")
    with pytest.raises(StateError, match="counter-clockwise"):
        closed_mesh(mesh.points, mesh.triangles[:, ::-1])
    with pytest.raises(StateError, match="same side"):
        closed_mesh(mesh.points, np.concatenate([mesh.triangles, mesh.triangles[:1]]))
    with pytest.raises(StateError, match="points of"):
        closed_mesh([[0, 0, np.nan]] * 5, mesh.triangles)
    with pytest.raises(StateError, match="triangles of"):
        closed_mesh(mesh.points, [[0, 1, 99]])
    with pytest.raises(StateError, match="four or more points"):
        convex_hull([[0, 0, 0]])
    with pytest.raises(StateError, match="not all in one plane"):
        convex_hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]])


def test_the_distance_of_a_corner_shape():
    """By the distance of three boxes: inside two of them, outside of what both leave."""
    record, buffer = mesh_shape(corner_mesh())
    work = new_records(1, NEAR_WORK)[0]
    random = np.random.default_rng(1)
    for p in random.uniform(-0.5, 2.5, (500, 3)):
        d, n = mesh_gap(tuple(p), buffer, int(record["solid"][0]), work.stack)
        x, y, z = p
        inside = 0 < y < 1 and 0 < z < 2 and 0 < x < 2 and (z < 1 or x < 1)
        assert (d < 0) == inside
        assert np.linalg.norm(n) == pytest.approx(1.0)
        q = p - d * np.array(n)
        assert mesh_gap(tuple(q), buffer, int(record["solid"][0]), work.stack)[0] == pytest.approx(
            0.0, abs=1e-12
        )


def test_a_sphere_in_a_groove_touches_both_walls_and_one_on_a_plane_touches_once():
    record, buffer = mesh_shape(corner_mesh())
    ball = shape(K.SPHERE, 0.3)
    found = touching(ball, pose((1.29, 0.5, 1.29)), record, pose(), solids=buffer)
    assert len(found) == 2
    assert {tuple(np.round(n, 9)) for n in found["normal"]} == {(1, 0, 0), (0, 0, 1)}
    assert np.allclose(found["depth"], 0.01)
    for x in (1.5, 1.7, 1.999):  # over the edge between two triangles as well
        found = touching(ball, pose((x, 0.5, 1.29)), record, pose(), solids=buffer)
        assert len(found) == 1
        assert found["normal"][0] == pytest.approx([0, 0, 1])
    edge = touching(ball, pose((2.2, 0.5, 1.2)), record, pose(), solids=buffer)
    assert len(edge) == 1
    assert edge["normal"][0] == pytest.approx([math.sqrt(0.5), 0, math.sqrt(0.5)])


@pytest.mark.parametrize("kind", [kind for kind in K if kind < K.MESH])
def test_a_convex_mesh_is_touched_as_the_hull_of_its_points(kind):
    random = np.random.default_rng([2, kind])
    seen = rough = 0
    for _ in range(60):
        k = random.integers(len(POOL))
        mesh = shape(K.MESH, solid=HULL_STARTS[k], radius=POOL[k].radius)
        hull = shape(K.HULL, solid=HULL_STARTS[k], radius=POOL[k].radius)
        a = random_shape(kind, random)
        X_WA, X_WB = random_pose(random, 1.0), random_pose(random, 1.0)
        found = touching(a, X_WA, hull, X_WB, 1.0)
        if not len(found):
            continue
        best = found[found["depth"].argmax()]
        for depth in (0.003, -0.004):  # little overlap, and a small gap
            X = X_WA.copy()
            X[:, 3] += (best["depth"] - depth) * best["normal"]
            expected = touching(a, X, hull, X_WB)
            with_mesh = touching(a, X, mesh, X_WB)
            if not len(expected):
                continue
            seen += 1
            assert len(with_mesh), (depth, expected)
            ours, theirs = with_mesh["depth"].max(), expected["depth"].max()
            if depth > 0.0 and kind not in (K.SPHERE, K.CAPSULE, K.TORUS, K.CHAIN_LINK):
                assert 0.0 < ours < 10.0 * theirs  # it is pushed out of single triangles
                rough += not 0.5 * theirs < ours < 2.0 * theirs
            else:
                assert ours == pytest.approx(theirs, abs=1e-7)
            swapped = touching(mesh, X_WB, a, X)
            assert np.allclose(swapped["normal"], -with_mesh["normal"])
    assert seen > 30
    assert rough <= 0.05 * seen


def test_a_box_that_slides_over_many_triangles_feels_one_plane():
    n = 6
    x = np.linspace(-3, 3, n + 1)
    top = [(a, b, 0.0) for a in x for b in x]
    bottom = [(a, b, -1.0) for a in x for b in x]
    triangles = []
    for i in range(n):
        for j in range(n):
            p, q, r, s = (i * (n + 1) + j, (i + 1) * (n + 1) + j,
                          (i + 1) * (n + 1) + j + 1, i * (n + 1) + j + 1)  # fmt: skip
            triangles += [(p, q, r), (p, r, s)]
            below = np.array([(p, r, q), (p, s, r)]) + len(top)
            triangles += below.tolist()
    rim = [i * (n + 1) for i in range(n)] + [n * (n + 1) + j for j in range(n)]
    rim += [(n - i) * (n + 1) + n for i in range(n)] + [n - j for j in range(n)]
    for p, q in zip(rim, [*rim[1:], rim[0]], strict=True):
        triangles += [(p, p + len(top), q + len(top)), (p, q + len(top), q)]
    plate = closed_mesh(top + bottom, np.array(triangles))
    record, buffer = mesh_shape(plate)
    box = shape(K.BOX, 0.4, 0.3, 0.2)
    random = np.random.default_rng(3)
    for _ in range(30):
        place = (*random.uniform(-1.5, 1.5, 2), 0.195)
        X = pose(place, (0, 0, random.uniform(0, 3)))
        found = touching(box, X, record, pose(), solids=buffer, room=128)
        assert np.allclose(found["normal"], [0, 0, 1])
        assert np.allclose(found["depth"], 0.005)
        corners = {(x, y) for x in (-0.4, 0.4) for y in (-0.3, 0.3)}
        local = (found["point"] - X[:, 3]) @ X[:, :3]
        for x, y in corners:
            assert np.abs(local[:, :2] - (x, y)).max(axis=1).min() < 1e-9
        assert len(set(found["feature"].tolist())) == len(found)


def table_mesh():
    """Two legs under a board, as a plane outline of depth 1: legs at x = 0..1 and 3..4."""
    outline = [(0, 0), (1, 0), (1, 1), (3, 1), (3, 0), (4, 0), (4, 2), (0, 2)]
    front = [(x, 0.0, z) for x, z in outline]
    back = [(x, 1.0, z) for x, z in outline]
    caps = [(0, 1, 2), (0, 2, 7), (2, 3, 7), (3, 6, 7), (3, 4, 5), (3, 5, 6)]
    triangles = [*caps, *((i + 8, k + 8, j + 8) for i, j, k in caps)]
    for i in range(8):
        j = (i + 1) % 8
        triangles += [(i, i + 8, j + 8), (i, j + 8, j)]
    return closed_mesh(front + back, np.array(triangles))


def two_meshes(a, X_WA, b, X_WB, **options):
    """Places where two meshes touch."""
    buffer, starts = pack_solids([a, b])
    first = shape(K.MESH, solid=starts[0], radius=a.radius)
    second = shape(K.MESH, solid=starts[1], radius=b.radius)
    return touching(first, X_WA, second, X_WB, solids=buffer, **options)


def test_a_box_on_a_box_of_triangles_has_one_place():
    small, big = box_mesh((0.3, 0.2, 0.1)), box_mesh((2.0, 2.0, 1.0))
    found = two_meshes(small, pose((0.4, 0.1, 1.09), (0, 0, 0.3)), big, pose())
    assert len(found) == 1
    assert found["normal"][0] == pytest.approx([0, 0, 1], abs=1e-12)
    assert found["depth"][0] == pytest.approx(0.01, abs=1e-8)
    assert found["point"][0] == pytest.approx([0.4, 0.1, 0.995], abs=1e-8)
    assert len(two_meshes(small, pose((0.4, 0.1, 1.11)), big, pose())) == 0


def test_a_table_has_a_place_for_each_leg():
    board = box_mesh((5.0, 5.0, 0.5))
    X = after(random_pose(np.random.default_rng(4), 3.0), pose())
    found = two_meshes(table_mesh(), after(X, pose((0, 0, 0.48))), board, X)
    assert len(found) == 2
    local = (found["point"] - X[:, 3]) @ X[:, :3]
    assert np.allclose(found["normal"], X[:, 2])
    assert np.allclose(found["depth"], 0.02, rtol=0, atol=1e-7)
    assert np.allclose(np.sort(local[:, 0]), [0.5, 3.5], rtol=0, atol=1e-6)


def test_two_balls_of_triangles_overlap_as_far_as_balls_do():
    random = np.random.default_rng(5)
    points = random.normal(size=(2000, 3))
    ball = convex_hull(points / np.linalg.norm(points, axis=1)[:, None]).mesh
    found = two_meshes(ball, pose((0, 0, 1.8)), ball, pose())
    assert len(found) == 1
    assert found["normal"][0] == pytest.approx([0, 0, 1], abs=0.01)
    assert found["depth"][0] == pytest.approx(0.2, abs=0.01)
    other = two_meshes(ball, pose(), ball, pose((0, 0, 1.8)))
    assert other["normal"][0] == pytest.approx(-found["normal"][0], abs=1e-6)
    assert other["depth"][0] == pytest.approx(found["depth"][0], abs=1e-6)
