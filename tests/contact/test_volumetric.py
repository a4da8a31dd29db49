"""The volumetric law: what two solids have in common, force and torque of it."""

import math

import numpy as np
import pytest

from contact_scenes import pose, random_pose
from finite_differences import central
from headframe import StateError
from headframe.contact import (
    common_of_balls,
    common_solid,
    common_with_ground,
    convex_hull,
    exact_dissipation,
    filled,
    force,
    pair_of,
    volumes,
    volumetric,
    volumetric_push,
)
from headframe.contact.near import mesh_common
from headframe.contact.records import COMMON, MEMORY, PAIR, WIDE_PUSH
from headframe.contact.volumetric import one_wide_push
from headframe.description import Bristle, ContactMaterial, Friction
from headframe.jit import new_records
from plain_python import run_as_python

BOX = convex_hull([(x, y, z) for x in (-0.3, 0.3) for y in (-0.2, 0.2) for z in (-0.1, 0.1)])
H = 2e-3

# -------------------------------------------------------------------------- what is in common


def sampled(inside, low, high, count=400_000):
    """Volume, centroid and inertia of points that are inside, by a grid of random places."""
    random = np.random.default_rng(4)
    points = random.uniform(low, high, (count, 3))
    points = points[inside(points)]
    volume = np.prod(np.subtract(high, low)) * len(points) / count
    middle = points.mean(axis=0)
    second = volume * np.cov(points.T, bias=True)
    return volume, middle, np.trace(second) * np.eye(3) - second


def assert_same(found, volume, centroid, inertia, share):
    assert found.volume == pytest.approx(volume, rel=share)
    size = volume ** (1 / 3)
    np.testing.assert_allclose(found.centroid, centroid, atol=share * size)
    np.testing.assert_allclose(found.inertia, inertia, atol=share * volume * size**2)


@pytest.mark.parametrize(("radii", "way"), [((1.0, 0.6), 1.2), ((0.6, 1.0), 0.7), ((1, 1), 0.5)])
def test_two_balls_against_random_points(radii, way):
    a, b = np.array([0.1, -0.2, 0.3]), np.array([0.1, -0.2, 0.3]) + way * np.array([0.6, 0, 0.8])

    def inside(p):
        return (np.linalg.norm(p - a, axis=1) < radii[0]) & (
            np.linalg.norm(p - b, axis=1) < radii[1]
        )

    found = common_of_balls(a, radii[0], b, radii[1])
    both = sum(radii)
    lens = (both - way) ** 2 * (way**2 + 2 * way * both - 3 * (radii[0] - radii[1]) ** 2)
    assert found.volume == pytest.approx(math.pi * lens / (12 * way), rel=1e-12)
    assert_same(found, *sampled(inside, a - radii[0], a + radii[0]), 0.02)


def test_balls_apart_and_one_in_the_other():
    assert common_of_balls([0, 0, 2], 1.0, [0, 0, 0], 1.0).volume == 0.0
    for first in (True, False):
        ends = ([0.1, 0, 0], 0.3), ([0, 0, 0], 1.0)
        found = common_of_balls(*(sum(ends if first else ends[::-1], ())))
        ball = 4 / 3 * math.pi * 0.3**3
        assert_same(found, ball, [0.1, 0, 0], 0.4 * ball * 0.09 * np.eye(3), 1e-12)


def test_a_ball_on_a_plane_has_a_cap_below_it():
    X_WP, radius, depth = random_pose(np.random.default_rng(2), 1.0), 0.7, 0.2
    centre = X_WP[:, 3] + X_WP[:, :3] @ [0.3, -0.4, radius - depth]
    X_WS = np.column_stack([np.eye(3), centre])
    found = common_with_ground(radius, X_WS, X_WP)
    assert found.volume == pytest.approx(math.pi * depth**2 * (radius - depth / 3), rel=1e-12)

    def inside(p):
        below = (p - X_WP[:, 3]) @ X_WP[:, 2] < 0.0
        return below & (np.linalg.norm(p - centre, axis=1) < radius)

    assert_same(found, *sampled(inside, centre - radius, centre + radius, 2_000_000), 0.01)
    deep = common_with_ground(radius, X_WS - np.outer(X_WP[:, 2], [0, 0, 0, 9.0]), X_WP)
    assert deep.volume == pytest.approx(4 / 3 * math.pi * radius**3)
    assert deep.centroid == pytest.approx(centre - 9.0 * X_WP[:, 2])


def test_a_flat_cap_is_that_of_a_paraboloid():
    """V = pi R d^2, J_n = 2/3 V R d, J_t = V (R d / 3 + d^2 / 18), but for d / R."""
    R, d = 2.0, 1e-4
    found = common_with_ground(R, pose((0, 0, R - d)), pose())
    V = math.pi * R * d * d
    assert found.volume == pytest.approx(V, rel=1e-4)
    assert np.diag(found.inertia) == pytest.approx(
        V * np.array([R * d / 3, R * d / 3, R * d * 2 / 3]), rel=1e-4
    )


def test_a_box_sinks_in_by_a_face_an_edge_and_a_corner():
    flat = common_with_ground(BOX, pose((1, 2, 0.07)), pose())
    a, b, c = 0.6, 0.4, 0.03
    inertia = a * b * c / 12 * np.diag([b * b + c * c, a * a + c * c, a * a + b * b])
    assert_same(flat, a * b * c, [1, 2, -c / 2], inertia, 1e-12)
    edge = common_with_ground(
        BOX, pose((0, 0, math.hypot(0.2, 0.1) - 0.02), (math.atan2(0.2, 0.1), 0, 0)), pose()
    )
    assert edge.volume == pytest.approx(0.6 * 0.02**2 / 2 * (2.0 + 0.5), rel=1e-9)
    whole = common_with_ground(BOX, pose((0, 0, -3.0), (1, 2, 3)), pose())
    assert whole.volume == pytest.approx(0.6 * 0.4 * 0.2, rel=1e-12)
    assert common_with_ground(BOX, pose((0, 0, 3.0), (1, 2, 3)), pose()).volume == 0.0


def test_a_hull_below_a_plane_is_what_it_has_in_common_with_a_large_box():
    """By quite another way: both surfaces cut each other."""
    random = np.random.default_rng(8)
    ground = convex_hull([(x, y, z) for x in (-5, 5) for y in (-5, 5) for z in (-5, 0.0)])
    for _ in range(20):
        X_WP = random_pose(random, 1.0)
        turned = random_pose(random, 1.0)[:, :3]
        at = X_WP[:, 3] + X_WP[:, :3] @ [*random.uniform(-1, 1, 2), random.uniform(-0.2, 0.2)]
        X_WS = np.column_stack([turned, at])
        found = common_with_ground(BOX, X_WS, X_WP)
        other = common_solid(BOX.mesh, X_WS, ground.mesh, X_WP)
        assert_same(found, other.volume, other.centroid, other.inertia, 1e-7)
    assert filled(BOX.mesh).volume == pytest.approx(0.048)


# ------------------------------------------------------------------------------ force and torque


def skin(foundation=2e8, restitution=0.5, static=0.4, bristle=(1e6, 1e3)):
    return ContactMaterial(
        name="skin", law="volumetric", foundation=foundation, restitution=restitution,
        friction=Friction(static=static, dynamic=static),
        bristle=Bristle(stiffness=bristle[0], damping=bristle[1]),
    )  # fmt: skip


def test_the_force_is_that_of_the_volume():
    """K V (1 + a v): 4.6, with foundations in series and the exact dissipation."""
    pair = pair_of(skin(), skin())
    assert (pair.foundation, pair.law) == (1e8, "volumetric")
    common = common_with_ground(0.5, pose((0, 0, 0.49)), pose())
    up = [0, 0, 1]
    still, torque = volumetric_push(pair, common, up, [0, 0, 0], [0, 0, 0], 0.3)
    assert still == pytest.approx([0, 0, 1e8 * common.volume])
    assert torque == pytest.approx([0, 0, 0])
    pressed, _ = volumetric_push(pair, common, up, [0, 0, -0.1], [0, 0, 0], 0.3)
    assert pressed[2] / still[2] == pytest.approx(1 + exact_dissipation(0.5) * 0.1 / 0.3)


def test_the_pressure_of_a_rolling_skin_by_sums_over_its_places():
    """Its moment is that of (4.7), but for the depth squared in J."""
    pair, R, d, w, v0 = pair_of(skin(), skin()), 0.5, 1e-3, 0.3, 0.5
    common = common_with_ground(R, pose((0, 0, R - d)), pose())
    _, torque = volumetric_push(pair, common, [0, 0, 1], [0, 0, 0], [0, w, 0], v0)
    x = np.linspace(-0.04, 0.04, 2001)
    X, Y = np.meshgrid(x, x)
    depth = np.maximum(d - R + np.sqrt(R * R - X * X - Y * Y), 0.0)
    rate = w * X  # of the depth: the front goes down as it turns about y
    pressure = 1e8 * depth * (1 + exact_dissipation(0.5) / v0 * rate)
    moment = -(pressure * X).sum() * (x[1] - x[0]) ** 2  # about y, of forces along z
    assert torque == pytest.approx([0, moment, 0], rel=2e-3, abs=1e-9)


def test_rolling_is_resisted_within_the_place():
    """However fast it rolls, the force's middle stays in the place."""
    pair = pair_of(skin(), skin())
    common = common_with_ground(0.5, pose((0, 0, 0.499)), pose())
    push, torque = volumetric_push(pair, common, [0, 0, 1], [0, 0, 0], [1e6, 0, 0], 0.0)
    radius = math.sqrt(2 * 0.5 * 1e-3)
    assert abs(torque[0]) / push[2] == pytest.approx(radius, rel=1e-3)
    assert torque[0] < 0.0


def test_spinning_and_sliding_share_one_cone():
    pair = pair_of(skin(bristle=(1e9, 1e7)), skin(bristle=(1e9, 1e7)))
    common = common_with_ground(0.5, pose((0, 0, 0.499)), pose())
    r = math.sqrt(common.inertia[2, 2] / common.volume)
    for v, w in ((0.0, 3.0), (1.0, 0.0), (0.02, 1.5)):
        push, torque = volumetric_push(pair, common, [0, 0, 1], [v, 0, 0], [0, 0, w])
        size = math.hypot(v, r * w)
        assert push[0] == pytest.approx(-0.4 * push[2] * v / size)
        assert torque[2] == pytest.approx(-0.4 * push[2] * r * r * w / size)
    held, torque = volumetric_push(pair, common, [0, 0, 1], [0] * 3, [0] * 3, bent=[1e-9, 0, 2e-9])
    assert held[0] == pytest.approx(-5e8 * 1e-9)
    assert torque[2] == pytest.approx(-r * 5e8 * 2e-9)


def wide(u, speed=0.3, slides=0, depth=2e-3, kernel=one_wide_push, **given):
    pair, common = new_records(1, PAIR)[0], new_records(1, COMMON)[0]
    memory, out = new_records(1, MEMORY)[0], new_records(1, WIDE_PUSH)[0]
    fields = {
        "dissipation": 0.4, "static": 0.8, "dynamic": 0.6, "bristle_stiffness": 3e5,
        "bristle_damping": 200.0, **given,
    }  # fmt: skip
    for name, value in fields.items():
        pair[name] = value
    common.stiffness, common.exponent, common.gyration = 4e7, 1.9, 0.02
    common.rolling = [[4.0, 1.0], [1.0, 3.0]]
    memory.speed, memory.slides = speed, slides
    kernel(pair, common, H, depth, np.array([1e-4, -2e-4, 1e-4]), memory, np.array(u, float), out)
    return out


CASES = {
    "holds": ((-0.1, 0.01, 0.02, 0.1, 0.2, -0.3), {}),
    "slides and spins": ((-0.1, 0.7, -0.4, 9.0, 0.2, -0.3), {}),
    "slides on": ((0.05, -0.5, 0.3, 4.0, 0.2, -0.3), {"slides": 1}),
    "rolls fast": ((-0.1, 0.01, 0.02, 0.1, 9.0, -7.0), {"speed": 0.0}),
    "with grease": ((-0.1, 0.7, -0.4, 9.0, 0.2, -0.3), {"viscous": 40.0}),
    "hardly": ((0.99, 0.1, 0.1, 2.0, 0.1, 0.1), {"viscous": 40.0, "dissipation": 0.1}),
}


@pytest.mark.parametrize("case", CASES)
def test_slopes_are_those_of_differences(case):
    u, given = CASES[case]
    found = wide(u, **given)
    assert found.force[0] > 0.0
    for k, axis in enumerate(np.eye(6)):
        slope = central(lambda t, axis=axis: wide(u + t * axis, **given).force)
        np.testing.assert_allclose(found.slope[:, k], slope, rtol=1e-6, atol=1e-6 * 1e3)


def test_it_is_monotone():
    """Friction, rolling and spin, at the same normal force; rolling where its place is round."""
    random = np.random.default_rng(5)
    for _ in range(300):
        u = random.normal(size=6) * [0, 0.5, 0.5, 9, 0.0, 0.0]
        other = u + random.normal(size=6) * [0, 1, 1, 20, 0, 0]
        assert (wide(other).force - wide(u).force) @ (other - u) <= 1e-9
    forces = [wide((0, 0, 0, 0, w, w / 3.0)).force for w in np.linspace(-20, 20, 400)]
    assert (np.diff([f[4] + f[5] / 3.0 for f in forces]) <= 1e-12).all()


def test_uncompiled_it_gives_the_same(monkeypatch):
    found = {case: wide(u, **given).force for case, (u, given) in CASES.items()}
    X_WS = pose((0, 0, 0.1), (1, 2, 3))
    hull, balls = common_with_ground(BOX, X_WS, pose()), common_of_balls([0] * 3, 1, [1, 0, 0], 0.7)
    cap = common_with_ground(0.3, X_WS, pose())
    run_as_python(monkeypatch, volumetric, force, volumes, mesh_common)
    for case, (u, given) in CASES.items():
        plain = wide(u, **given, kernel=volumetric.one_wide_push)
        np.testing.assert_allclose(plain.force, found[case], rtol=1e-13)
    monkeypatch.setattr("headframe.contact.common.solid_below", plain_solid_below)
    monkeypatch.setattr("headframe.contact.common.ball_below", volumes.ball_below)
    monkeypatch.setattr("headframe.contact.common.balls_common", volumes.balls_common)
    for again, before in (
        (common_with_ground(BOX, X_WS, pose()), hull),
        (common_of_balls([0] * 3, 1, [1, 0, 0], 0.7), balls),
        (common_with_ground(0.3, X_WS, pose()), cap),
    ):
        assert_same(again, before.volume, before.centroid, before.inertia, 1e-12)


def plain_solid_below(shapes, *rest):
    volumes.solid_below(shapes.view(np.recarray), *rest)


def test_what_it_refuses():
    common = common_with_ground(0.5, pose((0, 0, 0.499)), pose())
    steel = skin().model_copy(update={"law": "hunt-crossley", "foundation": None, "young": 1e9})
    with pytest.raises(StateError, match="expected a pair with a foundation"):
        volumetric_push(pair_of(steel, steel), common, [0, 0, 1], [0] * 3, [0] * 3)
    with pytest.raises(StateError, match="expected a unit vector"):
        volumetric_push(pair_of(skin(), steel), common, [0, 0, 2], [0] * 3, [0] * 3)
    assert pair_of(skin(), steel).foundation == 2e8
    with pytest.raises(StateError, match="radius_b"):
        common_of_balls([0] * 3, 1.0, [0] * 3, -1.0)
    nothing = common_with_ground(0.5, pose((0, 0, 9.0)), pose())
    assert (
        volumetric_push(pair_of(skin(), steel), nothing, [0, 0, 1], [0] * 3, [0] * 3)[0].max() == 0
    )
