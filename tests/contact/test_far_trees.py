"""Spheres of machines, octrees and planes: nothing that is near is missed."""

import itertools

import numpy as np
import pytest

from contact_scenes import POOL, random_pose, random_shape
from headframe.contact.far import hierarchies, sphere_graph, statics
from headframe.contact.far.sphere_graph import sphere_around, sphere_pairs, update_spheres
from headframe.contact.far.statics import facets_near, is_solid, members_near
from headframe.contact.kernels import BOUNDS, ShapeKind
from headframe.jit import as_argument
from plain_python import run_as_python

K = ShapeKind


def test_the_sphere_around_two():
    c, r = sphere_around((0.0, 0.0, 0.0), 1.0, (4.0, 0.0, 0.0), 1.0)
    assert (c, r) == ((2.0, 0.0, 0.0), 3.0)  # (4.14) as printed gives (4, 0, 0)
    assert sphere_around((0.0, 0.0, 0.0), 3.0, (1.0, 0.0, 0.0), 1.0) == ((0.0, 0.0, 0.0), 3.0)
    assert sphere_around((1.0, 0.0, 0.0), 1.0, (0.0, 0.0, 0.0), 3.0) == ((0.0, 0.0, 0.0), 3.0)
    c, r = sphere_around((0.0, 0.0, 0.0), 1.0, (0.0, 3.0, 0.0), 0.5)
    assert np.linalg.norm(np.subtract(c, (0, 0, 0))) + 1.0 == pytest.approx(r)
    assert np.linalg.norm(np.subtract(c, (0, 3, 0))) + 0.5 == pytest.approx(r)


def machine(random, count=10):
    """A tree of links with two shapes each."""
    parents = [-1, *(int(random.integers(0, k)) for k in range(1, count))]
    kinds = [K(kind) for kind in random.integers(0, 5, 2 * count)]
    shapes = np.concatenate([random_shape(kind, random) for kind in kinds])
    shapes_of = [[2 * k, 2 * k + 1] for k in range(count)]
    poses = np.array([random_pose(random, 4.0) for _ in shapes])
    return as_argument(hierarchies.sphere_graph(parents, shapes_of)), shapes, poses


def near(shapes, poses):
    """Pairs whose spheres touch."""
    return {
        (i, j)
        for i, j in itertools.combinations(range(len(shapes)), 2)
        if np.linalg.norm(poses[i][:, 3] - poses[j][:, 3]) <= shapes["radius"][[i, j]].sum()
    }


@pytest.mark.parametrize("seed", range(5))
def test_a_machine_finds_its_own_pairs_and_those_of_two(seed):
    random = np.random.default_rng(seed)
    nodes, shapes, poses = machine(random)
    update_spheres(shapes, poses, nodes)
    for node in nodes:  # a sphere holds what is in it
        for child in node["children"]:
            if child >= 0:
                inner = nodes[child]
                apart = np.linalg.norm(inner["centre"] - node["centre"])
                assert apart + inner["radius"] <= node["radius"] * (1 + 1e-12)
    stack, pairs = np.zeros((100, 2), np.int64), np.zeros((1000, 2), np.int64)
    count = sphere_pairs(nodes, nodes, stack, pairs)
    found = [tuple(sorted(pair)) for pair in pairs[:count].tolist()]
    assert len(set(found)) == len(found)
    assert set(found) == near(shapes, poses)
    others, theirs, places = machine(random, 7)
    update_spheres(theirs, places, others)
    count = sphere_pairs(nodes, others, stack, pairs)
    expected = {
        (i, j)
        for i, j in itertools.product(range(len(shapes)), range(len(theirs)))
        if np.linalg.norm(poses[i][:, 3] - places[j][:, 3])
        <= shapes["radius"][i] + theirs["radius"][j]
    }
    assert {tuple(pair) for pair in pairs[:count].tolist()} == expected
    assert sphere_pairs(nodes, nodes, stack, pairs[:1]) == -1


def test_an_octree_finds_all_boxes_that_are_touched():
    random = np.random.default_rng(1)
    low = random.uniform(-10, 10, (300, 3))
    high = low + random.uniform(0.1, 2.0, (300, 3))
    cells, members = hierarchies.octree(low, high)
    cells = as_argument(cells)
    assert len(cells) > 50
    stack, out = np.zeros(8 * 13, np.int64), np.zeros(300, np.int64)
    shares = []
    for _ in range(50):
        box = np.zeros(1, BOUNDS)
        box["low"] = random.uniform(-10, 10, 3)
        box["high"] = box["low"] + random.uniform(0.0, 1.0, 3)
        count = members_near(cells, members, box, stack, out)
        touched = np.flatnonzero(((low <= box["high"]) & (high >= box["low"])).all(axis=1))
        assert set(touched) <= set(out[:count].tolist())
        shares.append(count / 300)
    assert np.mean(shares) < 0.2
    assert members_near(cells, members, box, stack, out[:0]) <= 0


def test_planes_find_all_facets_that_a_sphere_touches_and_tell_what_is_solid():
    random = np.random.default_rng(2)
    for hull in POOL[4:12:2]:
        mesh = hull.mesh
        corners = mesh.points[mesh.triangles]
        planes, members = hierarchies.half_spaces(corners)
        planes = as_argument(planes)
        stack, out = np.zeros(len(planes) + 1, np.int64), np.zeros(len(corners), np.int64)
        for _ in range(100):
            c, r = random.uniform(-1, 1, 3), random.uniform(0.01, 0.5)
            count = facets_near(planes, members, c, r, stack, out)
            touched = {k for k, t in enumerate(corners) if facet_distance(t, c) < r}
            assert touched <= set(out[:count].tolist())
            heights = (c - corners[:, 0]) * mesh.normals
            assert is_solid(planes, c) == bool((heights.sum(axis=1) < 0.0).all())


def facet_distance(triangle, c):
    """Distance of a point from a triangle, by many points of it."""
    u = np.linspace(0, 1, 30)
    s, t = np.meshgrid(u, u)
    s, t = s[s + t <= 1], t[s + t <= 1]
    p, q, r = triangle
    points = p + s[:, None] * (q - p) + t[:, None] * (r - p)
    return np.linalg.norm(points - c, axis=1).min()


def test_facets_of_a_solid_that_is_not_convex_are_split():
    outline = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], float)
    quads = []
    for i in range(6):
        (x, z), (u, w) = outline[i], outline[(i + 1) % 6]
        quads += [[(x, 0, z), (x, 1, z), (u, 1, w)], [(x, 0, z), (u, 1, w), (u, 0, w)]]
    for y, sides in ((0.0, (0, 1, 2)), (1.0, (0, 2, 1))):
        for fan in ((0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)):
            p = [(*outline[k], y) for k in fan]
            quads.append([(p[k][0], p[k][2], p[k][1]) for k in sides])
    corners = np.array(quads, float)
    planes, members = hierarchies.half_spaces(corners)
    planes = as_argument(planes)
    random = np.random.default_rng(3)
    for p in random.uniform(-0.5, 2.5, (500, 3)):
        x, y, z = p
        inside = 0 < x < 2 and 0 < y < 1 and 0 < z < 2 and (x < 1 or z < 1)
        assert is_solid(planes, p) == inside
    assert set(members.tolist()) == set(range(len(corners)))


def test_as_plain_python_they_give_the_same(monkeypatch):
    random = np.random.default_rng(4)
    nodes, shapes, poses = machine(random, 4)
    update_spheres(shapes, poses, nodes)
    stack, pairs = np.zeros((40, 2), np.int64), np.zeros((99, 2), np.int64)
    count = sphere_pairs(nodes, nodes, stack, pairs)
    expected = pairs[:count].copy()
    low = random.uniform(-3, 3, (40, 3))
    cells, members = hierarchies.octree(low, low + 0.5)
    box = np.zeros(1, BOUNDS)
    box["high"] = 1.0
    out = np.zeros(40, np.int64)
    number = members_near(as_argument(cells), members, box, np.zeros(99, np.int64), out)
    listed = out[:number].copy()
    run_as_python(monkeypatch, sphere_graph, statics)
    again = nodes.copy().view(np.recarray)
    again.centre[:] = 0.0
    sphere_graph.update_spheres(shapes.view(np.recarray), poses, again)
    assert np.allclose(again.centre, nodes["centre"], rtol=0, atol=1e-12)
    assert sphere_graph.sphere_pairs(again, again, stack, pairs) == count
    assert np.array_equal(pairs[:count], expected)
    boxes = box.view(np.recarray)
    assert statics.members_near(cells, members, boxes, np.zeros(99, np.int64), out) == number
    assert np.array_equal(out[:number], listed)
    mesh = POOL[0].mesh
    planes, facets = hierarchies.half_spaces(mesh.points[mesh.triangles])
    assert statics.is_solid(planes, mesh.points.mean(axis=0))
    stack, out = np.zeros(99, np.int64), np.zeros(99, np.int64)
    count = statics.facets_near(planes, facets, np.zeros(3), 9.0, stack, out)
    assert count == len(mesh.triangles)
