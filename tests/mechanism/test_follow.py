"""`follow` stays on the branch it starts on, and says where the way ends."""

import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import headframe as hf
from build import actuator, four_bar, joint, machine
from headframe.mechanism import State, crosses_fold, follow, residuals

SUPPORT = Path(__file__).parents[1] / "fixtures" / "demo_dialect_support.json"


def crank(radius, distance):
    """A crank about y, and a cylinder from a point of the ground to its tip."""
    return machine(
        [joint("crank", "ground", "arm")],
        [actuator("cyl", ("ground", (distance, 0, 0)), ("arm", (radius, 0, 0)), (0.1, 9))],
    ).mechanism


def arm():
    """Two hinges and two cylinders; in its plane of lengths, branches lie close together."""
    return machine(
        [joint("a", "ground", "x"), joint("b", "x", "y", at=[1, 0, 0])],
        [
            actuator("c1", ("ground", (2, 0, 0)), ("y", (1, 0, 0)), (0.01, 9)),
            actuator("c2", ("ground", (-1, 0, 1)), ("y", (0.5, 0, 0.5)), (0.01, 9)),
        ],
        home={"joints": {"a": 0.1, "b": 0.2}},
    ).mechanism


@pytest.fixture(scope="module")
def support():
    """The two-leg support's mechanism, home and corners of its box of lengths."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hf.HeadframeWarning)
        home = hf.load(SUPPORT).home
    return home.mechanism, home, [lengths(home.mechanism, u, v) for u in (0, 1) for v in (0, 1)]


def lengths(mechanism, *parts):
    """All lengths of the support, its two groups at the given parts of their bounds."""
    bounds = [a.bounds for a in mechanism.robot.actuators]
    lower, upper = (np.array([getattr(b, end) for b in bounds]) for end in ("lower", "upper"))
    return lower + np.repeat(parts, 2) * (upper - lower)


def small_steps(mechanism, q, start, end, count=200):
    """The same way in `count` parts: solved, fraction reached, positions."""
    for k in range(count):
        ends = (start + (end - start) * i / count for i in (k, k + 1))
        solution = follow(mechanism, q, *ends, max_turn=0.01)
        q = solution.q
        if not solution.solved:
            return False, (k + solution.reached) / count, q
    return True, 1.0, q


@pytest.mark.parametrize("out", [True, False])
@pytest.mark.parametrize(("radius", "distance"), [(1.0, 2.0), (0.5, 0.8), (1.0, 1.1)])
def test_a_crank_stops_at_its_dead_centre(radius, distance, out):
    m = crank(radius, distance)
    start = State(m, [1.0]).lengths
    dead = radius + distance if out else distance - radius
    end = dead + 0.4 * (dead - start)
    solution = follow(m, np.array([1.0]), start, end)
    assert not solution.solved
    # the last part that is tried is 1e-6 of the way
    assert solution.reached == pytest.approx(1 / 1.4, abs=3e-6)
    assert solution.reached <= 1 / 1.4 + 1e-9
    assert abs(State(m, solution.q).lengths[0] - dead) < 3e-6 * abs(end[0] - start[0])
    assert abs(solution.q[0] - (np.pi if out else 0.0)) < 0.01


def test_a_crank_gets_as_far_as_just_before_its_dead_centre():
    m = crank(1.0, 2.0)
    end = State(m, [3.1]).lengths
    solution = follow(m, np.array([0.05]), State(m, [0.05]).lengths, end)
    assert solution.solved
    assert solution.reached == 1.0
    assert solution.q[0] == pytest.approx(3.1, abs=1e-8)


def test_a_support_comes_home_from_any_round_trip(support):
    m, home, corners = support
    random = np.random.default_rng(5)
    for corner in corners:
        stops = [corner, *(lengths(m, *random.uniform(0, 1, 2)) for _ in range(20)), home.lengths]
        q, now = home.q, home.lengths
        for stop in stops:
            solution = follow(m, q, now, stop)
            assert solution.solved
            q, now = solution.q, stop
        np.testing.assert_allclose(q, home.q, atol=1e-9)


def test_a_support_goes_from_corner_to_corner_in_one_go(support):
    m, home, corners = support
    for first, last in ((0, 3), (3, 0), (1, 2), (2, 1)):
        start, end = corners[first], corners[last]
        q = follow(m, home.q, home.lengths, start).q
        jump = follow(m, q, start, end, max_turn=0.25)
        solved, _, expected = small_steps(m, q, start, end)
        assert jump.solved
        assert solved
        np.testing.assert_allclose(jump.q, expected, atol=1e-9)


# Ways on which the nearest solution is on another branch. The first two need the bound on the
# motion of one part, the others that a part goes on where the one before it pointed to.
@pytest.mark.parametrize(
    ("q_start", "q_of_end"),
    [
        ((0.81, -1.90), (-2.63, -0.53)),
        ((-1.47, -0.33), (0.03, 0.32)),
        ((-0.15, -2.91), (-0.19, -3.25)),
        ((1.04, -2.43), (0.68, -1.94)),
        ((-0.88, 1.02), (-0.44, 0.86)),
        ((-2.49, 1.48), (-2.34, 0.50)),
    ],
)
def test_one_go_ends_where_small_steps_do(q_start, q_of_end):
    m = arm()
    start, end = State(m, q_start).lengths, State(m, q_of_end).lengths
    once = follow(m, np.array(q_start), start, end)
    solved, reached, q = small_steps(m, np.array(q_start), start, end)
    assert once.solved == solved
    assert once.reached == pytest.approx(reached, abs=1e-5)
    # where the way ends, positions change with the root of the length
    np.testing.assert_allclose(once.q, q, atol=1e-9 if solved else 0.02)


@pytest.mark.parametrize(("angle", "crosses"), [(0.29, False), (0.01, False), (-0.01, True)])
def test_a_fold_between_two_poses_is_seen(angle, crosses):
    """A parallelogram that is flat at crank 0, its crank held."""
    one = four_bar(1.5, 1.0, 1.5, 1.0)
    begin = 0.3 if angle > 0.1 else 0.02

    def at(crank):
        q = one.home.q.copy()
        q[:] = crank, -crank, crank - math.pi
        return q

    m = one.mechanism
    assert np.abs(residuals(State(m, at(begin)))).max() < 1e-12
    assert crosses_fold(m, at(begin), at(angle), m.closing_rows, np.array([1, 2])) == crosses


def spinning_parallelogram():
    """A parallelogram driven by a cylinder; its coupler hangs in two balls, and can spin."""
    return machine(
        [
            joint("crank", "ground", "crank_link"),
            joint("ball", "crank_link", "coupler_link", "spherical", at=[1.0, 0, 0]),
            joint("rocker", "ground", "rocker_link", at=[1.5, 0, 0]),
            joint("socket_a", "coupler_link", "rocker_link", "spherical", at=[1.5, 0, 0]),
            joint("socket_b", "rocker_link", "coupler_link", "spherical", at=[1.0, 0, 0]),
        ],
        [actuator("cyl", ("ground", (0, 0, 2)), ("crank_link", (0.5, 0, 0)), (1.0, 3.0))],
        home={"joints": {"crank": 0.5, "rocker": 0.5}},
    ).mechanism


def level(crank, spin=0.0):
    """Positions of that parallelogram: the coupler stays level, and spins about itself."""
    c, s, cx, sx = *turn(-crank), *turn(spin)
    return np.array([crank, c * cx, c * sx, s * cx, -s * sx, crank])


def turn(angle):
    return math.cos(0.5 * angle), math.sin(0.5 * angle)


@pytest.mark.parametrize("spin", [0.0, 0.7])
@pytest.mark.parametrize(
    ("begin", "angle", "crosses"),
    [
        (0.3, 0.29, False),
        (0.02, 0.01, False),
        (0.02, -0.01, True),
        (1e-5, -1e-5, True),
        (0.02, 0.0, True),
        (0.0, 0.02, False),
    ],
)
def test_a_fold_is_seen_where_a_motion_is_free(begin, angle, crosses, spin):
    """The crank is held; rocker and coupler have one motion more than equations."""
    m = spinning_parallelogram()
    for q in (level(begin), level(angle, spin)):
        assert np.abs(residuals(State(m, q))).max() < 1e-12
    held = np.arange(1, m.nv)
    assert crosses_fold(m, level(begin), level(angle, spin), m.closing_rows, held) == crosses


def test_no_way_leads_over_a_fold_where_a_motion_is_free():
    """Where the parallelogram lies flat, it could go on as its mirror image."""
    m = spinning_parallelogram()
    start, end = State(m, level(0.5)).lengths, State(m, level(-0.5)).lengths
    flat = float((State(m, level(0.0)).lengths - start)[0] / (end - start)[0])
    solution = follow(m, level(0.5), start, end)
    assert not solution.solved
    assert solution.reached == pytest.approx(flat, abs=1e-5)
    back = follow(m, level(0.5), start, State(m, level(0.01)).lengths)
    assert back.solved
    assert back.q[[0, 5]] == pytest.approx([0.01, 0.01], abs=1e-9)
