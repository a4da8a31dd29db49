"""The catalogue's models: freedoms, the straight line, the repeater, motors that can hold them."""

import math

import numpy as np
import pytest

import headframe as hf
from finite_differences import central
from headframe.dynamics.tree.algorithms import rnea
from headframe.mechanism import State, loop_gaps, solve
from headframe.mechanism.solver import constraint_jacobian

MODELS = ("five_link_chain", "gripper", "peaucellier")


def freedoms(state):
    """Velocities that keep all loops closed and all repeaters in step."""
    m = state.mechanism
    J = constraint_jacobian(state, m.closing_rows)
    return m.nv - (np.linalg.matrix_rank(J, tol=1e-9) if J.size else 0)


@pytest.mark.parametrize(
    ("name", "parts", "count"),
    [("five_link_chain", (6, 5, 0), 5), ("gripper", (8, 7, 0), 6), ("peaucellier", (8, 10, 0), 1)],
)
def test_parts_and_freedoms(name, parts, count):
    """Links with the base, joints, no cylinders."""
    one = hf.load(name)
    assert tuple(one.counts.values()) == parts
    assert max(loop_gaps(one.home).values(), default=0.0) < 1e-12
    assert freedoms(one.home) == count


@pytest.mark.parametrize("name", MODELS)
def test_every_link_that_moves_has_mass(name):
    one = hf.load(name)
    for link in one.links:
        assert link.inertial is not None
        assert link.inertial.mass > 0.1
        assert np.linalg.eigvalsh(np.array(link.inertial.inertia)).min() > 0.0
    notes = " ".join(entry.source for entry in one.robot.provenance)
    assert "prints no sizes" in notes


def test_chain_is_level_and_its_hinges_rub():
    one = hf.load("five_link_chain")
    heights = [one.home.pose(f"link_{n}")[2, 3] for n in range(1, 6)]
    assert np.ptp(heights) == 0.0
    assert heights[0] > 2.0  # the length of the chain: it can hang
    friction = [joint.friction for joint in one.joints]
    assert friction == [2.0, 1.6, 1.2, 0.8, 0.4]
    # far less than the weight's torque at the start
    torques = rnea(one.mechanism, one.home.q, np.zeros(5), np.zeros(5))
    assert (np.abs(torques) > 5 * np.array(friction)).all()


# ------------------------------------------------------------------------------- Peaucellier


def turned(one, angle, q):
    """The linkage at an angle of its crank, from positions nearby."""
    m = one.mechanism
    crank = m.velocity_of_joint["hinge_1"].start
    q = q.copy()
    q[m.position_of_joint["hinge_1"]] = angle
    solution = solve(m, q, dofs=np.delete(np.arange(m.nv), crank))
    assert solution.solved
    return State(m, solution.q)


@pytest.fixture(scope="module")
def turns():
    """Half a hundred poses over the crank's whole range."""
    one = hf.load("peaucellier")
    limit = one.robot.joint("hinge_1").limit
    states = []
    for ends in ((one.home.q[0], limit.lower), (one.home.q[0], limit.upper)):
        q = one.home.q
        for angle in np.linspace(*ends, 25):
            states.append(turned(one, angle, q))
            q = states[-1].q
    return one, states


def test_pen_moves_on_a_straight_line(turns):
    _, states = turns
    points = np.array([state.pose("pen")[:3, 3] for state in states])
    wanted = (0.9**2 - 0.5**2) / (2 * 0.27)  # of the circle's inverse
    np.testing.assert_allclose(points[:, 0], wanted, rtol=0, atol=1e-12)
    np.testing.assert_allclose(points[:, 1], 0.0, atol=1e-12)
    assert np.ptp(points[:, 2]) > 1.4


def test_linkage_has_one_freedom_everywhere(turns):
    _, states = turns
    assert {freedoms(state) for state in states} == {1}


def test_motor_holds_the_linkage(turns):
    """Its torque is the slope of the potential energy; a margin of more than two is left."""
    one, states = turns
    (motor,) = one.robot.motors

    def height(state):
        bodies = [(k, k.inertial) for k in one.links]
        return 9.81 * sum(b.mass * (state.pose(k.name) @ [*b.com, 1.0])[2] for k, b in bodies)

    needed = [
        central(lambda h, s=state: height(turned(one, s.q[0] + h, s.q)), 1e-5)
        for state in states[::4]
    ]
    assert 2 * np.abs(needed).max() < motor.max_torque


# ----------------------------------------------------------------------------------- gripper


def test_second_finger_follows_the_first():
    one = hf.load("gripper")
    (repeater,) = one.robot.repeaters
    assert (repeater.follows, repeater.joint, repeater.ratio) == ("finger_1", "finger_2", -1.0)
    assert one.home.joints["finger_2"] == -one.home.joints["finger_1"]
    driven = {motor.joint for motor in one.robot.motors}
    assert driven == {joint.name for joint in one.joints} - {"finger_2"}
    # the fingers mirror each other: their pads look at each other, as far from the middle
    X_palm = np.linalg.inv(one.home.pose("palm"))
    left, right = ((X_palm @ one.home.pose(f"{side}_finger")) for side in ("left", "right"))
    pads = [X @ [0, y, 0.15, 1] for X, y in ((left, -0.041), (right, 0.041))]
    assert pads[0][1] == pytest.approx(-pads[1][1])
    assert pads[0][[0, 2]] == pytest.approx(pads[1][[0, 2]])


def test_fingers_close_before_they_meet_their_limits():
    """Pads touch within the range, and stand well apart at its other end."""
    one = hf.load("gripper")

    def gap(angle):
        q = one.home.q.copy()
        for name, value in (("finger_1", angle), ("finger_2", -angle)):
            q[one.mechanism.position_of_joint[name]] = value
        X = np.linalg.inv(State(one.mechanism, q).pose("palm"))
        state = State(one.mechanism, q)
        return (X @ state.pose("left_finger") @ [0, -0.041, 0.15, 1])[1]

    limit = one.robot.joint("finger_1").limit
    assert gap(limit.lower) < 0.0 < 0.05 < gap(limit.upper)
    mirrored = one.robot.joint("finger_2").limit
    assert (mirrored.lower, mirrored.upper) == (-limit.upper, -limit.lower)


def test_motors_hold_the_arm_stretched_out():
    one = hf.load("gripper")
    q = np.zeros(7)
    q[one.mechanism.position_of_joint["shoulder"]] = math.pi / 2
    needed = np.abs(rnea(one.mechanism, q, np.zeros(7), np.zeros(7)))
    for motor in one.robot.motors:
        at = one.mechanism.velocity_of_joint[motor.joint].start
        assert 2 * needed[at] < motor.max_torque
