"""Laws of near detection that hold for every pair of kinds."""

import importlib
import math
import pkgutil

import numpy as np
import pytest

from contact_scenes import after, pose, random_pose, random_shape, shape, touching
from headframe.contact import near
from headframe.contact.kernels import ShapeKind
from headframe.contact.near import touch
from plain_python import run_as_python

K = ShapeKind
SOLID = [K.SPHERE, K.BOX, K.CAPSULE, K.CYLINDER, K.CONE, K.HULL]
AGAINST_PLANE = [*SOLID, K.TORUS, K.CHAIN_LINK]
PAIRS = [(a, K.PLANE) for a in AGAINST_PLANE]
PAIRS += [(a, b) for k, a in enumerate(SOLID) for b in SOLID[k:]]
PAIRS += [(K.BOX, K.TORUS), (K.TORUS, K.HULL), (K.SPHERE, K.CHAIN_LINK), (K.TORUS, K.CHAIN_LINK)]
NAMES = [f"{a.name}-{b.name}".lower() for a, b in PAIRS]


def surroundings(kind: ShapeKind, seed: int, number: int = 100):
    """Random pairs of a kind and another."""
    random = np.random.default_rng([seed, *kind])
    for _ in range(number):
        a, b = random_shape(kind[0], random), random_shape(kind[1], random)
        yield a, random_pose(random, 1.0), b, random_pose(random, 1.0), random


def is_round(kinds) -> bool:
    """Whether normals are known to the root of rounding only, since depths are least there."""
    found = {K.CYLINDER, K.CONE} & set(kinds) and not {K.SPHERE, K.PLANE} & set(kinds)
    return bool(found)


def max_depth(found) -> float:
    """How deep two shapes are."""
    return max(found["depth"], default=-1.0)


@pytest.mark.parametrize("kinds", PAIRS, ids=NAMES)
def test_normals_are_unit_vectors_and_nothing_is_nan(kinds):
    seen = 0
    for a, X_WA, b, X_WB, _ in surroundings(kinds, 1):
        found = touching(a, X_WA, b, X_WB)
        seen += len(found)
        assert np.all(np.isfinite(found["point"])), (a, b)
        assert np.all(np.isfinite(found["depth"]) & (found["depth"] > -0.01))
        assert np.allclose(np.linalg.norm(found["normal"], axis=1), 1.0, rtol=0, atol=1e-14)
        assert len(set(found["feature"].tolist())) == len(found)
    assert seen > 20


@pytest.mark.parametrize("kinds", PAIRS, ids=NAMES)
def test_the_other_way_round_only_the_normal_is_turned(kinds):
    for a, X_WA, b, X_WB, _ in surroundings(kinds, 2):
        one, other = touching(a, X_WA, b, X_WB), touching(b, X_WB, a, X_WA)
        if is_round(kinds) and len(one) != len(other):  # two polygons for caps, edge on edge
            assert np.isclose(max_depth(one), max_depth(other), rtol=0, atol=1e-8)
            continue
        assert len(one) == len(other)
        close = 1e-5 if is_round(kinds) else 1e-11
        assert np.allclose(np.sort(one["depth"]), np.sort(other["depth"]), rtol=0, atol=close)
        if len(one):
            close = 1e-5 if is_round(kinds) else 1e-8
            assert np.allclose(one["normal"][0], -other["normal"][0], rtol=0, atol=close)


@pytest.mark.parametrize("kinds", PAIRS, ids=NAMES)
def test_places_move_along_with_the_shapes(kinds):
    for a, X_WA, b, X_WB, random in surroundings(kinds, 3):
        X = random_pose(random, 5.0)
        one, other = touching(a, X_WA, b, X_WB), touching(a, after(X, X_WA), b, after(X, X_WB))
        close = 1e-8 if is_round(kinds) else 1e-11
        assert np.isclose(max_depth(one), max_depth(other), rtol=0, atol=close)
        if len(one) == 0 or not np.allclose(X[:, :3] @ one["normal"][0], other["normal"][0]):
            continue  # several ways out are equally short
        if is_round(kinds) and set(one["feature"]) != set(other["feature"]):
            continue  # a corner of a cap's polygon that is just at another edge
        assert set(one["feature"]) == set(other["feature"])
        one, other = np.sort(one, order="feature"), np.sort(other, order="feature")
        close = (1e-5, 1e-3) if is_round(kinds) else (1e-11, 1e-8)
        assert np.allclose(one["depth"], other["depth"], rtol=0, atol=close[0])
        moved = one["point"] @ X[:, :3].T + X[:, 3]
        assert np.allclose(moved, other["point"], rtol=0, atol=close[1])


def test_a_box_on_a_plane_and_on_a_box_stands_on_four_corners():
    box = shape(K.BOX, 0.5, 0.3, 0.2)
    for other, height in ((shape(K.PLANE), 0.19), (shape(K.BOX, 2.0, 2.0, 1.0), 1.19)):
        found = touching(box, pose((0.1, 0.2, height)), other, pose())
        assert len(found) == 4
        assert np.allclose(found["depth"], 0.01)
        assert np.allclose(found["normal"], [0, 0, 1])
        assert {(round(p[0], 9), round(p[1], 9)) for p in found["point"]} == {
            (-0.4, -0.1), (-0.4, 0.5), (0.6, -0.1), (0.6, 0.5),
        }  # fmt: skip


@pytest.mark.parametrize("tilt", [0.0, 1e-12, 1e-7, 1e-3])
def test_a_stack_of_equal_boxes_keeps_its_features(tilt):
    box = shape(K.BOX, 0.5, 0.5, 0.5)
    random = np.random.default_rng(4)
    seen = set()
    for _ in range(50):
        place = random.uniform(-1e-10, 1e-10, 3) + np.array([0, 0, 0.999])
        found = touching(box, pose(place, (tilt, 0.5 * tilt, 0)), box, pose())
        seen.add(frozenset(found["feature"].tolist()))
        assert len(found) >= 4
    assert len(seen) == 1


def test_a_cylinder_on_a_plane_stands_on_four_points_and_lies_on_two():
    cylinder = shape(K.CYLINDER, 0.5, 0.5, 1.0)
    standing = touching(cylinder, pose((0, 0, 0.99)), shape(K.PLANE), pose())
    lying = touching(cylinder, pose((0, 0, 0.49), (0, math.pi / 2, 0)), shape(K.PLANE), pose())
    assert np.allclose(standing["depth"], 0.01)
    assert np.allclose(lying["depth"], 0.01)
    assert (len(standing), len(lying)) == (4, 2)


def test_parallel_capsules_touch_at_two_places():
    capsule = shape(K.CAPSULE, 0.2, 1.0)
    found = touching(capsule, pose((0.39, 0, 0.5)), capsule, pose())
    assert np.allclose(np.sort(found["point"][:, 2]), [-0.5, 1.0])
    assert np.allclose(found["depth"], 0.01)
    X = pose((0, 0, 0.69), (0, math.pi / 2, 0))
    lying = touching(capsule, X, shape(K.BOX, 3, 3, 0.5), pose())
    assert np.allclose(np.sort(lying["point"][:, 0]), [-1.0, 1.0])
    assert np.allclose(lying["depth"], 0.01)


@pytest.mark.parametrize("kinds", PAIRS, ids=NAMES)
def test_shapes_at_one_place_or_without_sizes_have_a_normal(kinds):
    random = np.random.default_rng(5)
    for X_WA in (pose(), pose((0, 0, 0.5)), pose((0, 0, 0), (math.pi / 2, 0, 0))):
        for flat in (False, True):
            a, b = (random_shape(kind, random) for kind in kinds)
            if flat:
                a["sizes"][0, :2] = 0.0
            for found in (touching(a, X_WA, b, pose()), touching(a, X_WA, a, X_WA)):
                assert np.all(np.isfinite(found["point"]))
                assert np.all(np.isfinite(found["depth"]))
                assert np.allclose(np.linalg.norm(found["normal"], axis=1), 1.0)


def test_as_plain_python_all_pairs_give_the_same(monkeypatch):
    with_meshes = [(kind, K.MESH) for kind in (K.SPHERE, K.BOX, K.CAPSULE, K.MESH)]
    cases = [case for kinds in PAIRS + with_meshes for case in surroundings(kinds, 6, 2)]
    compiled = [touching(a, X_WA, b, X_WB) for a, X_WA, b, X_WB, _ in cases]
    names = [name for _, name, _ in pkgutil.walk_packages(near.__path__, f"{near.__name__}.")]
    run_as_python(monkeypatch, *map(importlib.import_module, names))
    for (a, X_WA, b, X_WB, _), expected in zip(cases, compiled, strict=True):
        found = touching(a, X_WA, b, X_WB, kernel=touch.touch_pairs)
        assert len(found) == len(expected)
        assert np.allclose(found["depth"], expected["depth"], rtol=0, atol=1e-9)
        assert np.allclose(found["normal"], expected["normal"], rtol=0, atol=1e-5)


@pytest.mark.parametrize("tilt", [0.0, 1e-10, 4e-10, 1e-9, 1e-8, 1e-6])
def test_a_box_that_hardly_tilts_touches_a_large_one_with_its_corners(tilt):
    """Its own normal and the table's are equally good then; no place is outside of its face."""
    table, box = shape(K.BOX, 0.2, 0.2, 0.01), shape(K.BOX, 0.05, 0.05, 0.03)
    found = touching(box, pose((0.08, 0.03, 0.0399), (tilt, 2 * tilt, 0.7)), table, pose())
    assert len(found) == 4
    for each in found:
        assert np.hypot(*(each["point"][:2] - [0.08, 0.03])) == pytest.approx(
            0.05 * 2**0.5, abs=1e-6
        )
