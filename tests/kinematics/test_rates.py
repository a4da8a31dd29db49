"""Jacobians against differences of the solved motion, and the poses in which there are none."""

import copy
import pickle

import numpy as np
import pytest

import headframe as hf
from build import actuator, four_bar, joint, machine, stewart_platform
from finite_differences import central
from headframe.bench.printed import ORDER
from headframe.errors import SingularityError
from headframe.kinematics.velocities import jacobian, position_rates, rates
from headframe.mechanism import State, residuals
from headframe.mechanism.solver import constraint_jacobian
from headframe.spatial import pose
from poses import beside, home_and_elsewhere

X_WB = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))
X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]


def moving_twists(state, group, h=1e-5):
    """Twists of all links at their origins, (nlinks, 6), by differences of their poses."""
    names = [link.name for link in state.mechanism.robot.links]

    def poses(change):
        after = beside(state, group, change)
        return np.array([after.pose(name) for name in names])

    twists = []
    for name, rate in zip(names, central(poses, h), strict=True):
        spin = rate[:3, :3] @ state.pose(name)[:3, :3].T
        twists.append([spin[2, 1], spin[0, 2], spin[1, 0], *rate[:3, 3]])
    return np.array(twists)


def worst_error(state):
    """Largest difference of any link's Jacobian from differences of the motion [rad/m, m/m]."""
    links = [link.name for link in state.mechanism.robot.links]
    groups = range(len(state.mechanism.robot.groups))
    ours = np.array([jacobian(state, link) for link in links])
    theirs = np.stack([moving_twists(state, group) for group in groups], axis=-1)
    assert np.abs(theirs).max() > 0.1
    return np.abs(ours - theirs).max()


# With steps of 1e-5 m the differences err by some 1e-10 times the third derivative, and by 1e-15
# of the solver divided by the step: 2e-9 on these machines.
TOLERANCE = 2e-8


@pytest.mark.parametrize("name", ORDER)
def test_every_link_moves_as_its_jacobian_says(name):
    for state in home_and_elsewhere(hf.load(name)):
        assert worst_error(state) < TOLERANCE


@pytest.mark.parametrize("name", ORDER)
def test_joints_move_as_their_rates_say(name):
    for state in home_and_elsewhere(hf.load(name)):
        for group, rate in enumerate(position_rates(state).T):
            moved = central(lambda h, s=state, g=group: beside(s, g, h).q, 1e-5)
            assert rate == pytest.approx(moved, abs=TOLERANCE)


@pytest.mark.parametrize("name", ORDER)
def test_rates_keep_loops_closed_and_other_groups_locked(name):
    for state in home_and_elsewhere(hf.load(name)):
        m = state.mechanism
        dq_dl = position_rates(state)
        assert dq_dl.shape == (m.nv, len(m.first_members))
        closing = constraint_jacobian(state, m.closing_rows) @ dq_dl
        # rounding of rates of up to 20 rad/m
        assert np.abs(closing).max(initial=0.0) < 1e-12
        first = rates(state).lengths[m.first_members]
        assert first == pytest.approx(np.eye(len(m.first_members)), abs=1e-12)


# ------------------------------------------------------------ general machines


def shifted_platform():
    """The Stewart platform, moved off its symmetric pose, on a tilted ground."""
    state = stewart_platform().home
    for leg, change in enumerate((0.2, -0.1, 0.15, 0.05, -0.15, 0.1)):
        state = beside(state, leg, change)
    return state.moved(X_WB)


def pin_on_a_moving_link():
    """No pins are given: that of `c` is the first hinge's, whose parent moves too."""
    return machine(
        [
            joint("knuckle", "ground", "a", "universal", axis=X, axis2=Y),
            joint("hinge", "a", "b", axis=[0.6, 0.8, 0], at=[0, 0, 1]),
        ],
        [
            actuator("u", ("ground", (1, 0.1, 0)), ("a", (0.2, 0, 0.8)), (0.1, 9)),
            actuator("v", ("ground", (-0.2, 1, 0)), ("a", (0, 0.3, 0.7)), (0.1, 9)),
            actuator("c", ("ground", (0.5, -0.9, 0.3)), ("b", (0.4, -0.3, 0.5)), (0.1, 9)),
        ],
        home={"joints": {"knuckle": [0.2, -0.3], "hinge": 0.4}},
    ).home


def pin_along_the_cylinder():
    """A carrier that turns about z and is tilted; on it a slide along its y and its cylinder."""
    return machine(
        [
            joint("turn", "ground", "carrier", axis=Z, rpy=[0.3, 0, 0]),
            joint("slide", "carrier", "slider", "prismatic", axis=Y),
        ],
        [
            actuator(
                "turner", ("ground", (1, 0.3, 0.1)), ("carrier", (0.2, 0.6, 0)), (0.1, 9),
                tube_axis=[0, 0.6, 0.8],
            ),
            actuator(
                "pusher", ("carrier", (0.1, 0, 0.2)), ("slider", (0.1, 1, 0.2)), (0.1, 9),
                tube_axis=Y,
            ),
        ],
        home={"joints": {"turn": 0.2, "slide": 0.3}},
    ).home  # fmt: skip


def skew_pins():
    """A pin that is neither square to the cylinder nor to the hinge; mounts off the plane."""
    return machine(
        [joint("hinge", "base", "arm", at=[0, 0, 1])],
        [
            actuator(
                "cyl", ("base", (1, 0.2, 0)), ("arm", (2, -0.3, 0.3)), (0.2, 9),
                tube_axis=[0.48, 0.6, 0.64],
            )
        ],
        home={"joints": {"hinge": -0.3}},
    ).home  # fmt: skip


@pytest.mark.parametrize(
    "make", [shifted_platform, pin_on_a_moving_link, pin_along_the_cylinder, skew_pins]
)
def test_general_machines_move_as_their_jacobians_say(make):
    state = make()
    assert worst_error(state) < TOLERANCE
    assert worst_error(state.moved(X_WB)) < TOLERANCE


def test_a_base_turns_the_jacobians():
    home = hf.load("roadheader").home
    moved = home.moved(X_WB)
    R = X_WB[:3, :3]
    for link in ("cutter_head", "boom", "boom_left_tube", "slew_right_rod"):
        J = jacobian(home, link)
        expected = np.vstack([R @ J[:3], R @ J[3:]])
        # twists are taken at the world's origin in between, metres away
        assert jacobian(moved, link) == pytest.approx(expected, abs=1e-13)


# --------------------------------------------------------- what is not driven


def test_freedoms_that_no_cylinder_drives_rest():
    one = machine(
        [
            joint("slew", "base", "turret", axis=Z),
            joint("lift", "turret", "boom", at=[0, 0, 1]),
            joint("extend", "boom", "stick", "prismatic", axis=X),
            joint("spin", "stick", "head", "continuous", axis=X, at=[2, 0, 0]),
            joint("loose", "base", "stone", "free"),
            joint("ball", "stick", "hook", "spherical"),
        ],
        [actuator("cyl", ("turret", (1, 0, 0)), ("boom", (1.5, 0.2, 0)), (0.1, 9))],
        motors=[{"name": "m", "joint": "spin"}],
        home={"joints": {"lift": -0.4, "slew": 0.2, "extend": 0.1}},
    )
    rate = position_rates(one.home)[:, 0]
    driven = one.mechanism.velocity_of_joint["lift"].start
    assert abs(rate[driven]) > 0.5
    assert np.abs(np.delete(rate, driven)).max() < 1e-15


@pytest.mark.parametrize("driven", [True, False])
def test_a_joint_that_a_motor_spins_is_held(driven):
    """The rod sits on the far side of the spinning joint: left alone, both would turn."""
    one = machine(
        [
            joint("lift", "base", "boom", axis=Y),
            joint("spin", "boom", "head", "continuous", axis=Y, at=[1, 0, 0]),
        ],
        [actuator("cyl", ("base", (0.5, 0, -1)), ("head", (0.5, 0, 0.2)), (0.1, 9))],
        motors=[{"name": "m", "joint": "spin"}] if driven else [],
        home={"joints": {"lift": -0.1, "spin": 0.2}},
    )
    lift, spin = position_rates(one.home)[:, 0]
    assert abs(lift) > 0.1
    assert (spin == 0.0) if driven else (abs(spin) > 0.1)
    if driven:
        lengths = constraint_jacobian(one.home, one.mechanism.length_rows)[0]
        assert lift == pytest.approx(1.0 / lengths[0], rel=1e-12)


def test_a_repeater_follows():
    one = machine(
        [
            joint("lead", "base", "boom"),
            joint("follow", "boom", "stick", "prismatic", axis=X, at=[1, 0, 0]),
        ],
        [actuator("cyl", ("base", (0, 0, -1)), ("boom", (0.8, 0, 0)), (0.1, 9))],
        repeaters=[{"name": "r", "joint": "follow", "follows": "lead", "ratio": -0.5}],
    )
    lead, follow = position_rates(one.home)[:, 0]
    assert follow == pytest.approx(-0.5 * lead, rel=1e-12)
    assert worst_error(one.home) < TOLERANCE


def test_a_machine_without_cylinders_has_no_columns():
    one = four_bar(2.0, 1.0, 2.2, 1.3)
    assert position_rates(one.home).shape == (one.mechanism.nv, 0)
    assert jacobian(one.home, "coupler_link").shape == (6, 0)


# -------------------------------------------------------------- singular poses


def test_a_dead_centre_names_the_actuator():
    one = machine(
        [joint("other", "ground", "x", at=[0, 0, 3]), joint("crank", "ground", "arm")],
        [
            actuator("fine", ("ground", (1, 0, 3)), ("x", (0, 0, 1)), (0.1, 9)),
            actuator("stuck", ("ground", (2, 0, 0)), ("arm", (1, 0, 0)), (0.1, 9), group="legs"),
        ],
    )
    state = State(one.mechanism, [0.3, 0.0])
    with pytest.raises(SingularityError, match=r"'stuck' \(group 'legs'\)") as caught:
        position_rates(state)
    assert caught.value.actuator == "stuck"
    assert caught.value.reachable is None
    for near in (1e-4, -1e-4):
        # length^2 = 5 - 4 cos(q), so that dq/dl = length / (2 sin(q))
        length = np.sqrt(5.0 - 4.0 * np.cos(near))
        rate = position_rates(State(one.mechanism, [0.3, near]))[1, 1]
        assert rate == pytest.approx(length / (2.0 * np.sin(near)), rel=1e-9)


def test_a_parallelogram_laid_flat_is_singular():
    """Parallelogram and antiparallelogram meet there."""
    cylinder = actuator("cyl", ("ground", (0, 0, -1)), ("crank_link", (0.5, 0, 0)), (0.1, 9))
    one = four_bar(2.0, 1.0, 2.0, 1.0, actuators=[cylinder], home={"joints": {"crank": -0.7}})
    assert worst_error(one.home) < TOLERANCE
    flat = State(one.mechanism, [0.0, 0.0, np.pi])
    assert np.abs(residuals(flat)).max() < 1e-15
    with pytest.raises(SingularityError, match="branches of the motion cross") as caught:
        position_rates(flat)
    assert caught.value.actuator == "cyl"


def test_a_flat_loop_that_no_cylinder_drives_is_no_hindrance():
    loop = four_bar(2.0, 1.0, 2.0, 1.0).robot
    joints = [j.model_dump(exclude_none=True) for j in loop.joints]
    joints.append(joint("lift", "ground", "arm"))
    one = machine(
        joints,
        [actuator("cyl", ("ground", (0, 0, -1)), ("arm", (0.5, 0, 0)), (0.1, 9))],
    )
    flat = State(one.mechanism, [0.0, 0.0, np.pi, 0.0])
    assert position_rates(flat)[3, 0] != 0.0


def test_mounts_that_cannot_move_apart():
    one = machine(
        [joint("weld", "base", "arm", "fixed", at=[0, 0, 1])],
        [actuator("cyl", ("base", (1, 0, 0)), ("arm", (0, 0, 0)), (0.1, 9))],
    )
    with pytest.raises(SingularityError) as caught:
        position_rates(State(one.mechanism, []))
    assert caught.value.actuator == "cyl"


def test_more_cylinders_than_freedoms():
    one = machine(
        [joint("hinge", "base", "arm")],
        [
            actuator("a", ("base", (0, 0, -1)), ("arm", (0.5, 0, 0)), (0.1, 9)),
            actuator("b", ("base", (0, 0, -2)), ("arm", (0.7, 0, 0)), (0.1, 9)),
        ],
    )
    with pytest.raises(SingularityError):
        position_rates(State(one.mechanism, [0.1]))


# ------------------------------------------------------------------- the rest


def test_rates_are_kept_with_the_state_and_cannot_be_changed():
    home = skew_pins()
    assert position_rates(home) is position_rates(home)
    with pytest.raises(ValueError, match="read-only"):
        position_rates(home)[0, 0] = 1.0
    for again in (pickle.loads(pickle.dumps(home)), copy.deepcopy(home)):
        assert np.array_equal(jacobian(again, "cyl_rod"), jacobian(home, "cyl_rod"))


def test_an_unknown_link_is_answered_with_the_nearest():
    with pytest.raises(hf.UnknownElementError, match="did you mean 'arm'"):
        jacobian(skew_pins(), "amr")
