"""Tori and chain links against a search over many points of their middle lines."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from contact_scenes import hull_of, pose, random_pose, random_shape, shape, touching
from headframe.contact.kernels import ShapeKind
from headframe.contact.near.curves import curve_at, curve_length, nearest_of_curve

K = ShapeKind
CONVEX = [K.SPHERE, K.BOX, K.CAPSULE, K.CYLINDER, K.CONE, K.HULL]
RINGS = [K.TORUS, K.CHAIN_LINK]
PAIRS = [(ring, other) for ring in RINGS for other in CONVEX]
PAIRS += [(K.TORUS, K.TORUS), (K.TORUS, K.CHAIN_LINK), (K.CHAIN_LINK, K.CHAIN_LINK)]
NAMES = [f"{a.name}-{b.name}".lower() for a, b in PAIRS]


def line_of(a, X, count=400):
    """Points of a middle line, W (count, 3), written down once more."""
    radius, _, third = a["sizes"][0]
    u = np.linspace(0.0, 1.0, count)
    if a["kind"][0] == K.TORUS:
        angle = (2.0 * u - 1.0) * min(third, math.pi)
        points = np.stack([radius * np.cos(angle), radius * np.sin(angle), 0 * u], axis=1)
    else:
        angle = 2.0 * math.pi * u
        points = np.stack([radius * np.cos(angle), radius * np.sin(angle), 0 * u], axis=1)
        points[:, 0] += np.where(np.cos(angle) > 0.0, third, -third)
        side = np.linspace(-third, third, count)
        lines = [np.stack([side, np.full(count, y), 0 * side], axis=1) for y in (-radius, radius)]
        points = np.concatenate([points, *lines])
    return points @ X[:, :3].T + X[:, 3]


def distance(b, X, points):
    """Signed distances of points (n, 3) from a shape, written down once more."""
    c = (points - X[:, 3]) @ X[:, :3]
    s = b["sizes"][0]
    rho = np.hypot(c[:, 0], c[:, 1])
    match b["kind"][0]:
        case K.SPHERE:
            return np.linalg.norm(c, axis=1) - s[0]
        case K.BOX:
            q = np.abs(c) - s
            return np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0)
        case K.CAPSULE:
            c[:, 2] -= np.clip(c[:, 2], -s[1], s[1])
            return np.linalg.norm(c, axis=1) - s[0]
        case K.CYLINDER | K.CONE:
            below, above, half = s if b["kind"][0] == K.CYLINDER else (s[0], 0.0, s[1])
            return plane_distance(
                np.stack([rho, c[:, 2]], axis=1),
                np.array([(0, -half), (below, -half), (above, half), (0, half)]),
            )
        case K.HULL:
            return hull_distance(hull_of(b), c)
    line = line_of(b, np.eye(3, 4), 5000)
    from scipy.spatial import cKDTree

    return cKDTree(line).query(c)[0] - s[1]


def plane_distance(points, corners):
    """Signed distances in the half plane from a trapezium, whose last side is the axis."""
    best, inside = np.full(len(points), np.inf), np.full(len(points), True)
    for p, q in itertools.pairwise(corners):
        d = q - p
        t = np.clip((points - p) @ d / max(d @ d, 1e-300), 0, 1)
        best = np.minimum(best, np.linalg.norm(points - p - t[:, None] * d, axis=1))
        inside &= d[0] * (points[:, 1] - p[1]) - d[1] * (points[:, 0] - p[0]) >= 0
    return np.where(inside, -best, best)


def hull_distance(hull, points):
    """Signed distances from a hull: by its planes inside, by all its triangles outside."""
    offset = [n @ hull.points[f[0]] for n, f in zip(hull.normals, hull.faces, strict=True)]
    heights = (points @ hull.normals.T - offset).max(axis=1)
    best = np.full(len(points), np.inf)
    for face in hull.faces:
        for k in range(1, len(face) - 1):
            p, q, r = hull.points[[face[0], face[k], face[k + 1]]]
            best = np.minimum(best, triangle_distance(p, q, r, points))
    return np.where(heights <= 0.0, heights, best)


def triangle_distance(p, q, r, points):
    """Distances of points from a triangle: its plane inside, else its sides."""
    n = np.cross(q - p, r - p)
    n /= np.linalg.norm(n)
    inside, sides = np.full(len(points), True), np.full(len(points), np.inf)
    for u, v in ((p, q), (q, r), (r, p)):
        d = v - u
        inside &= (points - u) @ np.cross(n, d) >= 0.0
        t = np.clip((points - u) @ d / (d @ d), 0, 1)
        sides = np.minimum(sides, np.linalg.norm(points - u - t[:, None] * d, axis=1))
    return np.where(inside, np.abs((points - p) @ n), sides)


def least(a, X_WA, b, X_WB):
    """The least distance of the two, refined about the best of many points."""
    if b["kind"][0] in RINGS:
        line = distance(b, X_WB, line_of(a, X_WA, 4000))
        return line.min() - a["sizes"][0, 1]
    whole = curve_length(a.view(np.recarray)[0])

    def f(s):
        p = np.array(curve_at(a.view(np.recarray)[0], s)[0])
        return distance(b, X_WB, (X_WA[:, :3] @ p + X_WA[:, 3])[None])[0]

    line = line_of(a, X_WA, 2000)
    near = line[distance(b, X_WB, line).argmin()]
    c = (near - X_WA[:, 3]) @ X_WA[:, :3]
    grid = np.linspace(0.0, whole, 400)
    places = np.array([curve_at(a.view(np.recarray)[0], s)[0] for s in grid])
    at = grid[np.linalg.norm(places - c, axis=1).argmin()]
    width = whole / 300
    span = (max(at - width, 0.0), min(at + width, whole))
    found = minimize_scalar(f, bounds=span, method="bounded", options={"xatol": 1e-12})
    return min(found.fun, f(span[0]), f(span[1])) - a["sizes"][0, 1]


def compare(kinds, seed, number):
    random = np.random.default_rng([seed, *kinds])
    close = 1e-5 if kinds[1] in RINGS else 1e-7  # what the search is good for
    seen = 0
    for _ in range(number):
        a, b = random_shape(kinds[0], random), random_shape(kinds[1], random)
        X_WA, X_WB = random_pose(random, 0.8), random_pose(random, 0.8)
        found = touching(a, X_WA, b, X_WB, 0.1)
        expected = least(a, X_WA, b, X_WB)
        if expected > 0.1 - close:
            assert max(found["depth"], default=-0.1) <= -0.1 + 2 * close
            continue
        seen += 1
        assert len(found), "a contact is missed"
        assert -found["depth"].max() < expected + 1e-9
        assert -found["depth"].max() > expected - close or number > 100  # the search may miss one
        for touch in found:  # points are halfway between the surfaces, along the normal of b
            p, n, depth = touch["point"], touch["normal"], touch["depth"]
            on_b = distance(b, X_WB, (p + 0.5 * depth * n)[None])[0]
            on_a = distance(a, X_WA, (p - 0.5 * depth * n)[None])[0]
            assert on_b == pytest.approx(0.0, abs=close) or depth > 0.0
            assert on_a < 1e-5  # at a kink the normal is not across the middle line
    return seen


@pytest.mark.parametrize("kinds", PAIRS, ids=NAMES)
def test_the_deepest_place_is_found(kinds):
    number = 15 if kinds[1] in RINGS else 40  # the search in two lines takes its time
    assert compare(kinds, 1, number) > 0.2 * number


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kinds", PAIRS, ids=NAMES)
def test_the_deepest_place_of_many_is_found(kinds):
    compare(kinds, 2, 2000)


@pytest.mark.parametrize("kind", RINGS)
def test_middle_lines_go_on_at_unit_speed_and_are_nearest_to_themselves(kind):
    random = np.random.default_rng(3)
    for _ in range(20):
        a = random_shape(kind, random).view(np.recarray)[0]
        whole = curve_length(a)
        for s in random.uniform(0.0, whole, 20):
            (p, d), (q, _) = curve_at(a, s), curve_at(a, min(s + 1e-6, whole))
            way = min(s + 1e-6, whole) - s
            assert np.allclose(np.subtract(q, p), way * np.array(d), rtol=0, atol=1e-10)
            assert np.allclose(nearest_of_curve(a, p)[0], p, rtol=0, atol=1e-12)


def test_rings_that_lie_on_a_box_stand_on_several_places():
    table = shape(K.BOX, 3.0, 3.0, 0.5)
    for ring in (shape(K.TORUS, 0.5, 0.1, math.pi), shape(K.TORUS, 0.5, 0.1, 2.0),
                 shape(K.CHAIN_LINK, 0.3, 0.1, 0.4)):  # fmt: skip
        for tilt in (0.0, 1e-10, 1e-4):
            found = touching(ring, pose((0, 0, 0.59), (tilt, tilt, 0)), table, pose())
            assert len(found) >= 3
            assert np.allclose(found["normal"], [0, 0, 1])
            assert len(set(found["feature"])) == len(found)
            spread = found["point"][:, :2] - found["point"][:, :2].mean(axis=0)
            assert np.linalg.svd(spread)[1][1] > 0.1


def test_a_ring_on_a_rod_hangs_at_one_place_and_a_ball_in_it_touches_all_around():
    ring, rod = shape(K.TORUS, 0.5, 0.1, math.pi), shape(K.CAPSULE, 0.1, 2.0)
    found = touching(ring, pose((0, 0, -0.31)), rod, pose((0, 0, 0), (0, math.pi / 2, 0)))
    assert len(found) == 0
    upright = pose((0, 0, -0.305), (0, math.pi / 2, 0))
    found = touching(ring, upright, rod, pose((0, 0, 0), (0, math.pi / 2, 0)))
    assert len(found) == 1
    assert found["normal"][0] == pytest.approx([0, 0, 1], abs=1e-9)
    assert found["depth"][0] == pytest.approx(0.005)
    ball = shape(K.SPHERE, 0.5)
    found = touching(ball, pose((0, 0, 0.32)), ring, pose())
    assert len(found) == 4
    assert found["normal"].sum(axis=0)[:2] == pytest.approx([0, 0], abs=1e-9)
