"""Coal's distances and depths of convex shapes.

Coal's depths of round shapes are often too large, and sometimes it gives none. A way out is at
most as long as any that somebody finds, so ours must not be longer than theirs; that it is a way
out at all, the furthest points of both shapes along its normal tell, which are computed here.
"""

import itertools

import numpy as np
import pytest

from contact_scenes import hull_of, random_pose, random_shape, touching
from headframe.contact.kernels import ShapeKind

coal = pytest.importorskip("coal")

K = ShapeKind
KINDS = [K.SPHERE, K.BOX, K.CAPSULE, K.CYLINDER, K.CONE, K.HULL]
PAIRS = list(itertools.combinations_with_replacement(KINDS, 2))
EQUAL = 1e-6  # of coal's own tolerance
MARGIN = 0.3

pytestmark = pytest.mark.crosscheck


def coal_shape(record):
    """The same shape there."""
    s = record["sizes"][0]
    match record["kind"][0]:
        case K.SPHERE:
            return coal.Sphere(s[0])
        case K.BOX:
            return coal.Box(*(2.0 * s))
        case K.CAPSULE:
            return coal.Capsule(s[0], 2.0 * s[1])
        case K.CYLINDER:
            return coal.Cylinder(s[0], 2.0 * s[2])
        case K.CONE:
            return coal.Cone(s[0], 2.0 * s[1])
    hull = hull_of(record)
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for p in hull.points:
        points.append(p)
    for face in hull.faces:
        for k in range(1, len(face) - 1):
            triangles.append(coal.Triangle(face[0], face[k], face[k + 1]))
    return coal.Convex(points, triangles)


def coal_distance(a, X_WA, b, X_WB):
    """Distance there; less than 0 is a depth."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance = request.epa_tolerance = 1e-9
    request.gjk_max_iterations = request.epa_max_iterations = 1000
    X, Y = (coal.Transform3s(X[:, :3].copy(), X[:, 3].copy()) for X in (X_WA, X_WB))
    return coal.distance(coal_shape(a), X, coal_shape(b), Y, request, result)


def reach(record, X, n):
    """How far a shape reaches along n."""
    s = record["sizes"][0]
    d, at = X[:, :3].T @ n, X[:, 3] @ n
    aside = np.hypot(d[0], d[1])
    match record["kind"][0]:
        case K.SPHERE:
            return at + s[0]
        case K.BOX:
            return at + np.abs(d) @ s
        case K.CAPSULE:
            return at + s[0] + abs(d[2]) * s[1]
        case K.CYLINDER:
            return at + max(aside * s[0] - d[2] * s[2], aside * s[1] + d[2] * s[2])
        case K.CONE:
            return at + max(aside * s[0] - d[2] * s[1], d[2] * s[1])
    return at + (hull_of(record).points @ d).max()


def compare(kinds, seeds, number):
    """Compare pairs; how many overlap, and how many of their depths are the same."""
    random = np.random.default_rng([*seeds, *kinds])
    overlapping = same = longer = 0
    for _ in range(number):
        a, b = random_shape(kinds[0], random), random_shape(kinds[1], random)
        for each in (a, b):
            if each["kind"][0] == K.CYLINDER:
                each["sizes"][0, 1] = each["sizes"][0, 0]
        X_WA, X_WB = random_pose(random, 1.0), random_pose(random, 1.0)
        found = touching(a, X_WA, b, X_WB, MARGIN)
        theirs = coal_distance(a, X_WA, b, X_WB)
        if theirs >= MARGIN - EQUAL:
            assert max(found["depth"], default=-MARGIN) <= -MARGIN + EQUAL
            continue
        assert len(found), "a contact is missed"
        deepest = found[found["depth"].argmax()]
        n, depth = deepest["normal"], deepest["depth"]
        apart = -reach(a, X_WA, -n) - reach(b, X_WB, n)
        assert apart == pytest.approx(-depth, abs=1e-7)  # it is a way out
        if theirs >= 0.0:
            assert -depth == pytest.approx(theirs, abs=EQUAL)
        else:
            overlapping += 1
            same += abs(-depth - theirs) < EQUAL
            assert -depth > theirs - 1e-4, "there is a much shorter way out"
            longer += -depth < theirs - EQUAL
        if random.random() < 0.1:  # grazing
            X_WA[:, 3] += depth * n
            found = touching(a, X_WA, b, X_WB, 1e-6)
            assert np.abs(found["depth"]).min(initial=1.0) < 1e-8
    # of two ways out that are nearly the same the longer one may be taken
    assert longer <= 2e-4 * overlapping
    return overlapping, same


@pytest.mark.parametrize("kinds", PAIRS, ids=lambda pair: f"{pair[0].name}-{pair[1].name}".lower())
def test_distances_and_depths(kinds):
    overlapping, same = compare(kinds, [21], 1000)
    assert overlapping > 100
    assert same > 0.85 * overlapping


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kinds", PAIRS, ids=lambda pair: f"{pair[0].name}-{pair[1].name}".lower())
def test_distances_and_depths_of_many(kinds):
    compare(kinds, [22], 100_000)
