"""The mechanisms of the dynamics benchmarks are what their names say."""

import math

import numpy as np
import pytest

from headframe.bench import mechanisms as b
from headframe.dynamics.tree.algorithms import crba
from headframe.mechanism import State, loop_gaps, solve
from headframe.mechanism.solver import constraint_jacobian

LOOPS = [b.slider_crank, b.four_bar, b.n_four_bars, b.bricard]


def jacobian(state):
    return constraint_jacobian(state, state.mechanism.closing_rows)


def freedoms(state):
    return state.mechanism.nv - np.linalg.matrix_rank(jacobian(state), tol=1e-9)


def turned(one, joint, angle, q):
    """The mechanism with one joint at a value, its loops closed again."""
    m = one.mechanism
    q = q.copy()
    q[m.position_of_joint[joint]] = angle
    others = np.delete(np.arange(m.nv), m.velocity_of_joint[joint].start)
    solution = solve(m, q, dofs=others)
    assert solution.solved
    return State(m, solution.q)


@pytest.mark.parametrize("make", LOOPS)
def test_loops_close_and_have_one_freedom(make):
    one = make()
    assert max(loop_gaps(one.home).values()) < 1e-12
    assert freedoms(one.home) == 1


@pytest.mark.parametrize("n", [2, 40])
def test_n_four_bars(n):
    """2 n + 1 rods of 1 m and 1 kg; the start velocity fits, and the head moves at 1 m/s."""
    one = b.n_four_bars(n)
    assert len(one.links) == 2 * n + 2
    assert sum(link.inertial.mass for link in one.links if link.inertial) == 2 * n + 1
    assert freedoms(one.home) == 1
    v = b.n_four_bars_velocity(n)
    np.testing.assert_allclose(jacobian(one.home) @ v, 0.0, atol=1e-14)
    assert (v[0], v[0] * 1.0) == (1.0, 1.0)  # about y, 1 m over the foot: along x
    # lying down, all in a line: one freedom for every square, and one
    q = one.home.q.copy()
    q[: n + 1], q[n + 1 :] = math.pi / 2, -math.pi / 2
    flat = State(one.mechanism, q)
    assert max(loop_gaps(flat).values()) < 1e-12
    assert freedoms(flat) == n + 1


def test_kinetic_energy_of_the_four_bars_at_the_start():
    """n + 1 rods turn, n glide: (n + 1) m l^2 / 6 + n m / 2 at 1 rad/s."""
    for n in (1, 2, 5):
        v = b.n_four_bars_velocity(n)
        one = b.n_four_bars(n)
        energy = v @ crba(one.mechanism, one.home.q) @ v / 2
        assert energy == pytest.approx((n + 1) / 6 + n / 2, rel=1e-13)


def test_bricard_moves_though_counting_says_that_it_cannot():
    """Gruebler: 6 bodies less the ground, 6 hinges: 6 * 5 - 5 * 6 = 0. It has one freedom."""
    one = b.bricard()
    bodies, hinges = len(one.links) - 1, len(one.mechanism.topology.tree_joints) + 1
    assert (bodies, hinges, 6 * bodies - 5 * hinges) == (5, 6, 0)
    moved = []
    for end in (0.5, -1.5):
        q = one.home.q
        for angle in np.linspace(0.0, end, 20):
            state = turned(one, "hinge_1", angle, q)
            q = state.q
            assert freedoms(state) == 1
            moved.append(state.pose("rod_3")[:3, 3])
    assert np.ptp(moved, axis=0).max() > 0.5  # far, not only to first order
    assert one.robot.up_axis == "y"
    ends = [(one.home.pose(f"rod_{n}") @ [0, 0, 0, 1])[:3] for n in range(1, 6)]
    edges = np.diff([*ends, [0, 0, 1], [0, 0, 0]], axis=0)
    np.testing.assert_allclose(np.linalg.norm(edges, axis=1), 1.0, atol=1e-15)


def test_slider_crank_is_in_line():
    """x = r cos(a) + sqrt(l^2 - r^2 sin^2(a)), whatever the angle."""
    one = b.slider_crank(0.2, 0.6)
    q = one.home.q
    for angle in np.linspace(0.5, 6.0, 20):
        state = turned(one, "main", angle, q)
        q = state.q
        reach = 0.2 * math.cos(angle) + math.sqrt(0.36 - 0.04 * math.sin(angle) ** 2)
        assert state.joints["slide"] == pytest.approx(reach, abs=1e-11)


def test_four_bar_stands_up():
    one = b.four_bar()
    heads = [one.home.pose(link)[2, 3] for link in ("coupler", "rocker")]
    assert min(heads) > 0.0
    for lengths, start in (((1.0, 0.3, 0.9, 0.7), 0.4), ((2.0, 0.6, 1.8, 1.5), -2.0)):
        assert max(loop_gaps(b.four_bar(lengths, start=start).home).values()) < 1e-12


@pytest.mark.parametrize("size", b.TREE_SIZES)
def test_random_trees(size):
    one = b.random_tree(size)
    assert one.mechanism.nv == size
    kinds = [joint.type for joint in one.joints]
    assert set(kinds) == {"revolute", "prismatic"}
    assert len({joint.parent for joint in one.joints}) < size  # it branches
    assert b.random_tree_urdf(size, 0) == b.random_tree_urdf(size, 0)
    assert b.random_tree_urdf(size, 0) != b.random_tree_urdf(size, 1)
    assert np.linalg.eigvalsh(crba(one.mechanism, np.zeros(size))).min() > 0.0


def test_arm():
    one = b.seven_joint_arm()
    assert one.mechanism.nv == 7
    assert sum(link.inertial.mass for link in one.links if link.inertial) == pytest.approx(18.0)
    top = State(one.mechanism, np.zeros(7)).pose("link_7")[:3, 3]
    assert top == pytest.approx([0.0, 0.0, 1.26])


def test_pendulums_and_bodies():
    assert b.simple_pendulum().home.pose("bar") == pytest.approx(np.eye(4))
    double = b.double_pendulum((1.0, 2.0), (3.0, 4.0), start=(0.0, 0.0))
    assert double.home.pose("lower")[:3, 3] == pytest.approx([0.0, 0.0, -1.0])
    assert [link.inertial.mass for link in double.links[1:]] == [3.0, 4.0]
    assert b.spinning_top(height=0.1).robot.link("top").inertial.com == (0.0, 0.0, 0.1)
    assert b.free_body((1.0, 2.0, 2.5)).mechanism.nv == 6


def test_they_can_be_seen(tmp_path):
    assert b.bricard().draw(tmp_path / "it.png").stat().st_size > 10_000
