"""Machines that are left to the general solver: spatial, multi-cyclic, coupled, two-sheeted."""

import json

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine, peaucellier, rssr, stewart_platform
from headframe.description.reading import read_text
from headframe.description.writing import mrdf_text
from headframe.errors import LengthError, SingularityError, StateError
from headframe.kinematics.inverse import general
from headframe.mechanism import State, residuals
from headframe.spatial import exp_pose, pose, pose_error

X_WB = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))
POINT = [0, 0, 0, 1, 1, 1]


def with_cylinder(one, cylinder):
    """The machine, assembled as it is, with a cylinder."""
    content = json.loads(mrdf_text(one.robot))
    content["actuators"] = [cylinder]
    content["home"] = {"joints": {k: np.array(v).tolist() for k, v in one.home.joints.items()}}
    reading = read_text(json.dumps(content))
    assert reading.robot is not None, reading.problems
    return hf.Machine(reading.robot)


def assert_closed(state):
    assert np.abs(residuals(state)).max(initial=0.0) < 1e-10


# -- the Stewart platform ---------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_a_stewart_platform_stands_on_its_legs(seed):
    """The pose that is found has the leg lengths, mount to mount, from the description alone."""
    one = stewart_platform()
    assert not one.kinematics.regular
    lengths = np.random.default_rng(seed).uniform(1.75, 2.2, 6)
    state = one.fk(lengths)
    X = state.pose("platform")
    legs = [
        np.linalg.norm(X[:3, :3] @ leg.rod_offset + X[:3, 3] - np.array(leg.tube_offset))
        for leg in one.actuators
    ]
    np.testing.assert_allclose(legs, lengths, rtol=0, atol=1e-10)
    assert np.linalg.norm(state.q[:4]) == pytest.approx(1.0, abs=1e-12)
    assert X[2, 3] > 1.0, "above the base, not its mirror image below"


def test_a_stewart_platform_goes_where_it_was_and_one_leg_alone():
    one = stewart_platform()
    lengths = np.random.default_rng(11).uniform(1.8, 2.0, 6)
    there = one.fk(lengths)
    back = one.fk(one.home.lengths, there)
    np.testing.assert_allclose(back.pose("platform"), one.home.pose("platform"), atol=1e-10)
    alone = one.fk({"leg3": 2.0}, there)
    np.testing.assert_allclose(alone.lengths[[0, 1, 2, 4, 5]], lengths[[0, 1, 2, 4, 5]], atol=1e-10)
    assert alone.lengths[3] == pytest.approx(2.0, abs=1e-10)


def test_a_stewart_platform_on_a_moved_base():
    one = stewart_platform()
    lengths = np.random.default_rng(12).uniform(1.8, 2.0, 6)
    state = one.fk(lengths, one.home.moved(X_WB))
    np.testing.assert_allclose(
        state.pose("platform"), X_WB @ one.fk(lengths).pose("platform"), atol=1e-10
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("base", [np.eye(4), X_WB], ids=["standing", "moved"])
def test_a_stewart_platform_reaches_a_pose(seed, base):
    one, random = stewart_platform(), np.random.default_rng(seed)
    Y = base @ one.home.pose("platform") @ exp_pose(random.uniform(-0.1, 0.1, 6))
    result = one.ik("platform", Y, one.home.moved(base))
    assert result.reachable
    assert result.objective < 1e-9
    np.testing.assert_allclose(result.state.pose("platform"), Y, atol=1e-9)
    legs = [
        np.linalg.norm(
            Y[:3, :3] @ leg.rod_offset + Y[:3, 3] - base[:3, :3] @ leg.tube_offset - base[:3, 3]
        )
        for leg in one.actuators
    ]
    np.testing.assert_allclose(result.lengths, legs, rtol=0, atol=1e-8)


@pytest.mark.parametrize("seed", range(5))
def test_a_stewart_platform_reaches_a_point(seed):
    """However the target is turned; and an orientation, wherever it is."""
    one, random = stewart_platform(), np.random.default_rng(seed)
    Y = one.home.pose("platform") @ pose(random.uniform(-0.2, 0.2, 3), random.uniform(-3, 3, 3))
    result = one.ik("platform", Y, mask=POINT)
    assert result.position_error < 1e-9
    assert result.objective == pytest.approx(result.position_error, abs=1e-12)
    Y = pose((9.0, 9.0, 9.0), random.uniform(-0.1, 0.1, 3))
    result = one.ik("platform", Y, mask=[1, 1, 1, 0, 0, 0])
    assert result.angle_error < 1e-9


def test_a_stewart_platform_gets_as_near_as_its_legs_let_it():
    """Straight up all legs are at their bounds; elsewhere no sampled lengths come nearer."""
    one, random = stewart_platform(), np.random.default_rng(1)
    up = one.ik("platform", pose((0, 0, 5), (0, 0, 0)))
    np.testing.assert_allclose(up.lengths, 2.4, atol=1e-9)
    assert not up.reachable
    Y = pose((0.6, 0.3, 2.6), (0.3, 0.2, 0.1))
    found = one.ik("platform", Y)
    assert ((found.lengths >= 1.6 - 1e-9) & (found.lengths <= 2.4 + 1e-9)).all()
    for _ in range(100):
        near = np.clip(found.lengths + random.normal(scale=0.03, size=6), 1.6, 2.4)
        other = one.fk(near, found.state).pose("platform")
        assert np.linalg.norm(pose_error(other, Y)) > found.objective - 1e-6


def test_a_stewart_platform_that_got_caught_begins_again_elsewhere():
    """Out of reach, with a second place to get caught at."""
    one, Y = stewart_platform(), pose((-0.4, -0.15, 1.05), (-0.9, 0.41, 0.35))
    options = one.kinematics, "platform", Y, one.home, np.ones(6)
    alone, many = general.general_ik(*options, restarts=0), general.general_ik(*options, 16)
    found = one.ik("platform", Y)
    assert many.objective <= found.objective < 0.95 * alone.objective
    assert found.objective < 1.01 * many.objective


def test_a_stewart_platform_says_when_it_ran_out_of_steps(monkeypatch):
    one, far = stewart_platform(), pose((0.6, 0.3, 2.6), (0.3, 0.2, 0.1))
    near = one.home.pose("platform") @ pose((0.1, 0.05, 0.1), (0.05, 0.0, 0.1))
    assert one.ik("platform", near).converged
    assert one.ik("platform", far).converged, "out of reach, but the closest that can be"
    monkeypatch.setattr(general, "MAX_STEPS", 3)
    assert not one.ik("platform", far).converged


def test_a_stewart_platform_refuses_what_others_refuse():
    one = stewart_platform()
    with pytest.raises(StateError, match=r"'base': no cylinder moves it, .*: 'platform'$"):
        one.ik("base", np.eye(4))
    lengths = np.array(one.home.lengths)
    lengths[2] = 2.5
    with pytest.raises(LengthError) as found:
        one.fk(lengths)
    assert (found.value.actuator, found.value.length) == ("leg2", 2.5)
    assert found.value.expected == (1.6, 2.4)
    lengths[2] = np.nan
    with pytest.raises(StateError, match="'leg2': found nan"):
        one.fk(lengths)
    with pytest.raises(StateError, match="target"):
        one.ik("platform", 2 * np.eye(4))


# -- without a cylinder -----------------------------------------------------------------


@pytest.mark.parametrize("make", [rssr, peaucellier])
def test_no_cylinders_no_motion(make):
    one = make()
    for lengths in ([], (), {}, np.zeros(0)):
        state = one.fk(lengths)
        np.testing.assert_allclose(state.q, one.home.q, rtol=0, atol=1e-12)
        assert_closed(state)
    moved = one.fk([], one.home.moved(X_WB))
    np.testing.assert_allclose(moved.base, X_WB)
    assert len(one.fk_batch(np.zeros((3, 0)))) == 3
    with pytest.raises(StateError):
        one.fk([1.0])
    link = one.links[-1].name
    with pytest.raises(StateError, match=r"no cylinder moves it, expected .*: none"):
        one.ik(link, one.home.pose(link))


# -- with one ---------------------------------------------------------------------------


def driven_peaucellier():
    a = 1.0
    cylinder = actuator("c", ("ground", (a, 0, 1.5)), ("crank_link", (0.8, 0, 0)), (1.04, 2.1))
    return with_cylinder(peaucellier(a=a), cylinder)


def tip(state, short=1.2):
    return (state.pose("bc_link") @ [short, 0, 0, 1])[:3]


def test_peaucelliers_tip_stays_on_its_line():
    """x = (long^2 - short^2) / 2a = 3.78, while the crank turns to both sides.

    It can turn by 0.9 rad, to where the rhombus lies flat.
    """
    one = driven_peaucellier()
    assert "no planar four-bars" in one.kinematics.plan.reason
    heights, turns = [], []
    for length in np.linspace(1.06, 2.08, 30):
        state = one.fk([length])
        assert state.lengths[0] == pytest.approx(length, abs=1e-10)
        assert_closed(state)
        x, y, z = tip(state)
        assert x == pytest.approx((3.0**2 - 1.2**2) / 2.0, abs=1e-9)
        assert y == pytest.approx(0.0, abs=1e-12)
        heights.append(z)
        turns.append(state.joints["crank"])
    assert min(turns) < -0.7
    assert max(turns) > 0.6
    assert np.ptp(heights) > 2.0
    assert (np.diff(heights) > 0).all() or (np.diff(heights) < 0).all(), "no flip on the way"


def test_peaucelliers_tip_is_brought_along_its_line():
    """Inverse kinematics of the bar's end, as a point of a link: its height sets the crank."""
    one = driven_peaucellier()
    wanted = one.fk([1.2])
    result = one.ik("bc_link", wanted.pose("bc_link"), one.fk([1.9]))
    assert result.objective < 1e-9
    assert result.lengths == pytest.approx([1.2], abs=1e-8)


def test_a_spatial_four_bar_with_a_cylinder():
    """The crank of the RSSR is set by a cylinder; its spherical joints follow."""
    plain = rssr()
    free = actuator("c", ("ground", (0, -1.0, 0.3)), ("crank_link", (0.3, 0, 0.1)), (0.1, 5.0))
    length = float(with_cylinder(plain, free).home.lengths[0])
    one = with_cylinder(plain, {**free, "bound": {"lower": 0.9 * length, "upper": 1.1 * length}})
    low, high, _, _ = one.stroke(one.home, "c")
    assert high - low > 0.02
    for length in np.linspace(low + 1e-3, high - 1e-3, 9):
        state = one.fk([length])
        assert_closed(state)
        assert state.lengths[0] == pytest.approx(length, abs=1e-10)
        back = one.fk(one.home.lengths, state)
        np.testing.assert_allclose(
            back.pose("rocker_link"), one.home.pose("rocker_link"), atol=1e-9
        )
    wanted = one.fk([0.3 * low + 0.7 * high])
    result = one.ik("rocker_link", wanted.pose("rocker_link"))
    assert result.objective < 1e-8
    assert result.lengths == pytest.approx(wanted.lengths, abs=1e-6)


def test_a_repeated_joint_follows():
    one = machine(
        [joint("a", "base", "l1"), joint("b", "l1", "l2", at=[1, 0, 0])],
        [actuator("c", ("base", (0, 0, 1)), ("l1", (0.5, 0, 0)), (0.6, 1.4))],
        repeaters=[{"name": "rep", "joint": "b", "follows": "a", "ratio": 0.7, "offset": 0.1}],
    )
    for length in (0.7, 1.0, 1.3):
        state = one.fk([length])
        assert state.lengths == pytest.approx([length], abs=1e-10)
        assert state.joints["b"] == pytest.approx(0.7 * state.joints["a"] + 0.1, abs=1e-10)


def test_cylinders_that_lock_each_other():
    """Two on one hinge: only lengths that fit both exist; others meet a singular pose."""
    one = machine(
        [joint("a", "base", "l1")],
        [
            actuator("c", ("base", (0, 0, 1)), ("l1", (0.5, 0, 0)), (0.6, 1.4)),
            actuator("d", ("base", (0, 0, 1)), ("l1", (0.6, 0, 0)), (0.5, 1.6)),
        ],
    )
    np.testing.assert_allclose(one.fk(one.home.lengths).q, one.home.q, atol=1e-10)
    with pytest.raises(SingularityError):
        one.fk(one.home.lengths + np.array([0.1, 0.0]))


# -- planar machines whose branch has several sheets ------------------------------------


def two_sheets():
    """Both dead centres, 0.5 m and 1.5 m, inside the bounds."""
    return machine(
        [joint("hinge", "base", "arm", axis=[0, -1, 0])],
        [actuator("c", ("base", (1.0, 0, 0)), ("arm", (0.5, 0, 0)), (0.2, 2.0))],
        home={"joints": {"hinge": 0.8}},
    )


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_inverse_kinematics_stays_on_the_starts_sheet(side):
    one = two_sheets()
    start = State(one.mechanism, np.array([side * 0.8]))
    for angle in (0.3, 1.5, 2.8):
        target = State(one.mechanism, np.array([side * angle])).pose("arm")
        result = one.ik("arm", target, start)
        assert result.objective < 1e-9
        assert result.state.q == pytest.approx([side * angle], abs=1e-8)
    across = one.ik("arm", State(one.mechanism, np.array([-side * 0.5])).pose("arm"), start)
    assert not across.reachable, "beyond the dead centre"
    assert across.state.q[0] * side >= -1e-6
    assert across.objective < 0.8 + 0.5


def test_point_of_a_two_sheeted_machine():
    one = two_sheets()
    Y = State(one.mechanism, np.array([1.7])).pose("arm") @ pose((0, 0, 0), (1, 2, 3))
    link_at_the_hinge = one.ik("arm", Y, mask=POINT)
    assert link_at_the_hinge.position_error < 1e-9
