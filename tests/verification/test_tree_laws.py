"""Open chains moved by our forward dynamics obey the laws that can be written down.

A plain RK4 in Python drives `aba`, so that nothing but the tree's algorithms is on trial.
"""

import math

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from headframe.bench.mechanisms import (
    double_pendulum,
    free_body,
    seven_joint_arm,
    simple_pendulum,
    spinning_top,
)
from headframe.dynamics.tree.algorithms import aba, crba
from headframe.mechanism import State
from headframe.mechanism.tree import tree_of
from headframe.spatial import pose, quaternion_from_matrix
from trees import energies, fall

G = 9.81


def total_energies(one, path):
    return np.array([sum(energies(tree_of(one.mechanism), q, v)[:2]) for q, v in path])


# ------------------------------------------------------------------------------------ pendulums


def test_pendulum_swings_in_the_time_that_an_elliptic_integral_says():
    """A01, let go level: period 4 sqrt(l / g) K(sin^2(45 degrees))."""
    one = simple_pendulum()
    period = 4 * math.sqrt(1.0 / G) * ellipk(0.5)
    steps = 2000
    path = fall(one, np.zeros(1), np.zeros(1), period / steps, steps)
    q, v = path[-1]
    assert abs(q[0]) < 1e-9
    assert abs(v[0]) < 1e-9
    assert path[steps // 2][0][0] == pytest.approx(-math.pi, abs=1e-10)  # the other side
    assert np.ptp(total_energies(one, path[::20])) < 1e-10


def double_pendulum_acceleration(angles, rates, lengths, masses):
    """Of two uniform rods, from Lagrange's equations in the rods' angles with the vertical.

    M = [[(m1/3 + m2) a^2, m2 a b/2 cos(d)], [.., m2 b^2/3]], d the difference of the angles.
    """
    (x, y), (a, b), (m1, m2) = angles, lengths, masses
    d, c = x - y, m2 * a * b / 2
    M = np.array([[(m1 / 3 + m2) * a * a, c * math.cos(d)], [c * math.cos(d), m2 * b * b / 3]])
    force = [
        -c * math.sin(d) * rates[1] ** 2 - (m1 / 2 + m2) * G * a * math.sin(x),
        c * math.sin(d) * rates[0] ** 2 - m2 / 2 * G * b * math.sin(y),
    ]
    return np.linalg.solve(M, force)


def test_double_pendulum_has_lagranges_accelerations():
    lengths, masses = (1.3, 0.7), (2.0, 0.6)
    one = double_pendulum(lengths, masses)
    random = np.random.default_rng(1)
    to_joints = np.array([[1.0, 0.0], [-1.0, 1.0]])  # the second joint counts from the first rod
    for angles, rates in random.normal(scale=2.0, size=(10, 2, 2)):
        wanted = to_joints @ double_pendulum_acceleration(angles, rates, lengths, masses)
        found = aba(one.mechanism, to_joints @ angles, to_joints @ rates, np.zeros(2))
        assert found == pytest.approx(wanted, rel=1e-11, abs=1e-11)


def test_double_pendulum_keeps_its_energy():
    """To rounding at a fine step; and a coarser one loses more, by the integrator's order."""
    one = double_pendulum(start=(1.0, 0.4))
    drifts = []
    for steps in (1000, 4000):
        path = fall(one, one.home.q, np.zeros(2), 2.0 / steps, steps)
        total = total_energies(one, path[:: steps // 100])
        moving = max(energies(tree_of(one.mechanism), *state)[0] for state in path[:: steps // 100])
        drifts.append(np.abs(total - total[0]).max() / moving)
    assert drifts[1] < 1e-11
    assert drifts[0] > 100 * drifts[1]  # 4^4 = 256 or more, but for rounding


def test_arm_keeps_its_energy():
    one = seven_joint_arm()
    path = fall(one, one.home.q, np.zeros(7), 2e-4, 2000)
    total = total_energies(one, path[::50])
    moving = max(energies(tree_of(one.mechanism), *state)[0] for state in path[::50])
    assert moving > 10.0
    assert np.abs(total - total[0]).max() < 1e-9 * moving


# ------------------------------------------------------------------------------------ the top


def test_top_precesses_steadily():
    """At the spin w with A W^2 cos(t) - C w W + m g l = 0 the tilt t and the precession W stay.

    A and C are the moments of inertia across and along the axis, at the tip.
    """
    mass, height, axial, transverse = 0.5, 0.06, 4e-4, 5e-4
    one = spinning_top(mass, height, axial, transverse)
    A, tilt, precession = transverse + mass * height**2, 0.6, 6.0
    spin = (mass * G * height + A * precession**2 * math.cos(tilt)) / (axial * precession)
    R = pose((0, 0, 0), (0, tilt, 0))[:3, :3]
    across = R.T @ [0, 0, precession]
    w = np.array([across[0], across[1], spin])  # in body axes
    h, steps = 2e-4, 3000
    path = fall(one, quaternion_from_matrix(R), w, h, steps)
    for n in range(0, steps + 1, 100):
        axis = State(one.mechanism, path[n][0]).pose("top")[:3, 2]
        angle = precession * h * n
        wanted = [
            math.sin(tilt) * math.cos(angle),
            math.sin(tilt) * math.sin(angle),
            math.cos(tilt),
        ]
        assert axis == pytest.approx(wanted, abs=1e-7)
    assert precession * h * steps > math.pi  # it went round far enough to tell


def test_top_keeps_what_a_top_keeps():
    """Falling and rising: energy, spin about the axis, and angular momentum about the vertical."""
    one = spinning_top()
    R = pose((0, 0, 0), (0, 0.5, 0))[:3, :3]
    path = fall(one, quaternion_from_matrix(R), np.array([0.0, 0.0, 120.0]), 2e-4, 3000)
    tilts = [State(one.mechanism, q).pose("top")[2, 2] for q, _ in path[::10]]
    assert np.ptp(tilts) > 0.05  # it nods
    assert np.ptp([v[2] for _, v in path]) < 1e-9
    total = total_energies(one, path[::50])
    assert np.ptp(total) < 1e-7 * total[0]
    vertical = [energies(tree_of(one.mechanism), q, v)[2][2] for q, v in path[::50]]
    assert np.ptp(vertical) < 1e-7 * abs(vertical[0])


# --------------------------------------------------------------------------------- free bodies


def momenta(one, path):
    """Angular momentum about the centre of mass, in world axes, and energy of the rotation."""
    found = []
    for q, v in path:
        kinetic, _, h = energies(tree_of(one.mechanism), q, v)
        linear = h[3:]
        found.append([*(h[:3] - np.cross(q[4:], linear)), kinetic - linear @ v[3:] / 2])
    return np.array(found)


def test_free_body_keeps_momentum_and_energy():
    """Its centre falls on a parabola meanwhile."""
    one = free_body((1.0, 2.0, 2.5), mass=3.0)
    random = np.random.default_rng(2)
    quat = random.normal(size=4)
    q = np.array([*(quat / np.linalg.norm(quat)), 1.0, -2.0, 3.0])
    v = random.normal(scale=2.0, size=6)
    h, steps = 1e-3, 3000
    path = fall(one, q, v, h, steps)
    kept = momenta(one, path[::100])
    assert np.ptp(kept, axis=0).max() < 1e-9 * np.abs(kept[0]).max()
    t = h * steps
    assert path[-1][0][4:] == pytest.approx(
        q[4:] + t * v[3:] + t * t / 2 * np.array([0, 0, -G]), abs=1e-10
    )


def elliptic_rates(moments, w, times):
    """Euler's free top: angular velocity in body axes, in Jacobi's elliptic functions.

    For moments I1 < I2 < I3 and L^2 > 2 E I2, with the motion at its start in the plane of the
    axes 1 and 3: w1 ~ cn, w2 ~ sn, w3 ~ dn (Landau and Lifshitz, Mechanics, section 37).
    """
    (a, b, c), (w1, _, w3) = moments, w
    twice_energy, L2 = a * w1**2 + c * w3**2, (a * w1) ** 2 + (c * w3) ** 2
    assert twice_energy * b < L2
    rate = math.sqrt((c - b) * (L2 - twice_energy * a) / (a * b * c))
    k2 = (b - a) * (twice_energy * c - L2) / ((c - b) * (L2 - twice_energy * a))
    sn, cn, dn, _ = ellipj(rate * times, k2)
    swing = math.sqrt((twice_energy * c - L2) / (b * (c - b)))
    return np.column_stack([w1 * cn, math.copysign(swing, w1 * w3) * sn, w3 * dn]), rate, k2


@pytest.mark.parametrize("R", [np.eye(3), pose((0, 0, 0), (0.3, math.pi / 2, -2.0))[:3, :3]])
def test_wing_nut_flips_when_it_should(R):
    """Dzhanibekov's: spun about its middle axis a body turns over, again and again, on time.

    The second start lies where three angles would lock; the motion is the same, turned.
    """
    moments = (1.0, 2.0, 3.0)
    one = free_body(moments)
    # just off the motion that would take for ever, at a moment when the middle rate is 0
    w = np.array([3.0, 0.0, 1.02 * math.sqrt(3.0)])
    q, v = np.array([*quaternion_from_matrix(R), 0, 0, 0]), np.array([*w, 0, 0, 0])
    h, steps = 2e-3, 4500
    path = fall(one, q, v, h, steps)
    times = h * np.arange(steps + 1)
    wanted, rate, k2 = elliptic_rates(moments, w, times)
    found = np.array([v[:3] for _, v in path])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-7)
    # the middle rate changes its sign every half period, and nearly all of the spin is in it
    flips = np.flatnonzero(np.diff(np.sign(found[:, 1])))
    assert len(flips) > 2
    assert np.diff(times[flips[1:]]) == pytest.approx(2 * ellipk(k2) / rate, abs=2 * h)
    kept = momenta(one, path[::100])
    assert np.ptp(kept, axis=0).max() < 1e-8 * np.abs(kept[0]).max()
    # the body turned over: its middle axis looks along the momentum, then against it
    L = kept[0, :3] / np.linalg.norm(kept[0, :3])
    along = [State(one.mechanism, q).pose("body")[:3, 1] @ L for q, _ in path[::10]]
    assert max(along) > 0.95
    assert min(along) < -0.95


def test_turned_start_turns_the_whole_motion():
    """No orientation is special: R of one run is a constant turn of R of the other."""
    one = free_body((1.0, 2.0, 2.7))
    v = np.array([1.0, 3.0, 0.5, 0, 0, 0])
    turn = pose((0, 0, 0), (0.4, math.pi / 2, 1.1))[:3, :3]
    ends = []
    for R in (np.eye(3), turn):
        q = np.array([*quaternion_from_matrix(R), 0, 0, 0])
        end, _ = fall(one, q, v, 1e-3, 1000)[-1]
        ends.append(State(one.mechanism, end).pose("body")[:3, :3])
    np.testing.assert_allclose(ends[1], turn @ ends[0], rtol=0, atol=1e-12)


def test_mass_matrix_of_the_double_pendulum():
    """The same numbers as Lagrange's, in the joints' coordinates."""
    one = double_pendulum((1.3, 0.7), (2.0, 0.6))
    d, c = 0.8, 0.6 * 1.3 * 0.7 / 2
    M = np.array([[(2.0 / 3 + 0.6) * 1.3**2, c * math.cos(d)], [c * math.cos(d), 0.6 * 0.49 / 3]])
    J = np.array([[1.0, 0.0], [1.0, 1.0]])  # rates of the rods from those of the joints
    np.testing.assert_allclose(crba(one.mechanism, [0.3, d]), J.T @ M @ J, rtol=1e-13)
