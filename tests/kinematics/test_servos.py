"""Joints that servos move count in kinematics as the lengths of cylinders do."""

import json
import math

import numpy as np
import pytest
from tests.finite_differences import central
from tests.servo_machines import (
    cranked_four_bar,
    elbow_arm,
    finger,
    four_bar_beside_a_boom,
    geared_four_bar,
    picker,
    slewing_crane,
)

import build
import headframe as hf
from headframe.errors import (
    LengthError,
    SingularityError,
    StateError,
    UnknownElementError,
    UnreachableError,
)
from headframe.kinematics.inverse import general


def hand(a: float, b: float, first: float = 0.8, second: float = 0.5) -> np.ndarray:
    """Where the hand of the arm with an elbow is."""
    return np.array(
        [first * math.cos(a) + second * math.cos(a + b),
         first * math.sin(a) + second * math.sin(a + b), 0.0]
    )  # fmt: skip


def drawn(machine, random, part: float = 0.9) -> np.ndarray:
    """Values of all inputs within a part of their ranges."""
    ends = np.array([(max(i.lower, -math.pi), min(i.upper, math.pi)) for i in machine.robot.inputs])
    middle, half = ends.mean(axis=1), 0.5 * np.ptp(ends, axis=1)
    return middle + part * half * random.uniform(-1.0, 1.0, len(ends))


# --------------------------------------------------------------------- forward


def test_forward_kinematics_of_an_arm_is_the_formula():
    for a, b in ((0.3, -1.2), (-2.0, 2.4)):
        for given in ([a, b], {"shoulder": a, "elbow": b}, {"shoulder_motor": a, "elbow": b}):
            state = elbow_arm().fk(given)
            np.testing.assert_allclose(state.pose("hand")[:3, 3], hand(a, b), atol=1e-15)
            np.testing.assert_array_equal(state.drives, [a, b])
            assert state.joints["elbow"] == b


def test_what_is_not_named_stays_as_at_the_start():
    start = elbow_arm().fk([0.4, 0.5])
    np.testing.assert_array_equal(elbow_arm().fk({"elbow": -1.0}, start=start).inputs, [0.4, -1.0])


def test_a_mimic_follows():
    state = picker().fk({"left_finger": 0.02})
    assert state.joints["right_finger"] == pytest.approx(0.02, abs=1e-15)


def test_a_chain_of_followers_follows_in_whatever_order_the_file_has_it():
    state = finger().fk({"knuckle": 0.6})
    assert state.joints["middle"] == pytest.approx(-0.5 * 0.6 + 0.2, abs=1e-15)
    assert state.joints["end"] == pytest.approx(1.5 * -0.1 + 0.1, abs=1e-15)


def test_a_servo_of_a_joint_that_follows_is_no_input():
    robot = finger().robot
    assert [each.name for each in robot.inputs] == ["knuckle"]
    assert robot.drive_names == ("knuckle",)
    np.testing.assert_array_equal(finger().fk([0.3]).inputs, [0.3])


def test_a_batch_is_many_single_calls():
    random = np.random.default_rng(3)
    for machine, link in (
        (picker(), "right_finger"),
        (slewing_crane(), "hand"),
        (finger(), "nail"),
        (geared_four_bar(), "rocker_link"),
    ):
        rows = np.array([drawn(machine, random, 0.5) for _ in range(20)])
        batch = machine.fk_batch(rows, (link,))
        for row, q, pose in zip(rows, batch.joints, batch.pose(link), strict=True):
            state = machine.fk(row)
            np.testing.assert_allclose(q, state.q, atol=1e-12)
            np.testing.assert_allclose(pose, state.pose(link), atol=1e-12)


def test_a_servo_that_cranks_a_loop_takes_it_along():
    """Closed form: the rocker's pivot is where two circles cross, on the side it has at home."""
    machine = cranked_four_bar()
    assert not machine.kinematics.regular
    side = None
    for angle in np.linspace(-1.0, 5.0, 25):
        state = machine.fk({"crank": float(angle)})
        assert abs(state.joints["crank"] - angle) < 1e-12
        pivot = state.pose("rocker_link")[:3, 3]
        crank = np.array([0.3 * math.cos(angle), 0.0, -0.3 * math.sin(angle)])
        ground = np.array([1.0, 0.0, 0.0])
        assert np.linalg.norm(pivot - crank) == pytest.approx(0.9, abs=1e-10)
        assert np.linalg.norm(pivot - ground) == pytest.approx(0.7, abs=1e-10)
        now = np.sign(np.cross(ground - crank, pivot - crank)[1])
        side = side or now
        assert now == side


def test_a_servo_turns_a_loop_through_joints_that_follow_it():
    """The loop stays closed though two repeaters stand between the servo and its crank."""
    machine = geared_four_bar()
    assert machine.mechanism.servos.tied.tolist() == [True]
    for angle in (2.0, 1.0, -3.0, 5.0):
        state = machine.fk({"pinion": angle})
        assert state.joints["wheel"] == pytest.approx(-angle, abs=1e-12)
        assert state.joints["crank"] == pytest.approx(-0.5 * angle, abs=1e-12)
        direct = cranked_four_bar().fk({"crank": -0.5 * angle})
        expected = direct.pose("rocker_link")
        np.testing.assert_allclose(state.pose("rocker_link"), expected, atol=1e-9)


def test_a_whole_turn_of_a_crank_unwinds_the_joints_behind_it():
    """The loop is as before, but positions of joints are counted on, not wrapped."""
    machine = cranked_four_bar()
    home = machine.home
    state = machine.fk({"crank": home.joints["crank"] + 2.0 * math.pi})
    np.testing.assert_allclose(state.pose("rocker_link"), home.pose("rocker_link"), atol=1e-9)
    turned = {name: state.joints[name] - home.joints[name] for name in ("coupler", "rocker")}
    assert turned["coupler"] == pytest.approx(-2.0 * math.pi, abs=1e-9)
    assert turned["rocker"] == pytest.approx(0.0, abs=1e-9)


def test_partners_of_a_group_follow_beside_a_servo_that_turns_a_loop():
    machine = four_bar_beside_a_boom()
    assert machine.mechanism.servos.tied.all()
    state = machine.fk([1.2, 0.5])
    np.testing.assert_allclose(state.lengths, [1.2, 1.2], atol=1e-10)
    assert state.joints["crank"] == pytest.approx(0.5, abs=1e-12)


def test_a_servo_beside_cylinders_leaves_their_lengths_alone():
    machine = slewing_crane()
    home = machine.home
    turned = machine.fk({"slew": 1.1})
    np.testing.assert_allclose(turned.lengths, home.lengths, atol=1e-12)
    X = np.eye(4)
    c, s = math.cos(1.1), math.sin(1.1)
    X[:2, :2] = [[c, -s], [s, c]]
    for link in ("hand",):
        expected = X @ home.pose(link)
        np.testing.assert_allclose(turned.pose(link), expected, atol=1e-12)


def test_positions_outside_their_limits_are_refused():
    with pytest.raises(LengthError, match=r"'elbow_motor': found 3 rad, expected -2.5 to 2.5 rad"):
        elbow_arm().fk({"elbow": 3.0})
    with pytest.raises(LengthError, match=r"row 1: 'shoulder_motor': found -4 rad"):
        elbow_arm().fk_batch([[0.0, 0.0], [-4.0, 0.0]])
    assert picker().fk({"slew": 9.0}).inputs[0] == 9.0  # it has no ends


@pytest.mark.parametrize("value", [math.nan, math.inf, "1", None, True])
def test_positions_that_are_none_are_refused(value):
    with pytest.raises(StateError, match=r"'elbow': found .*, expected a .*position \[rad\]"):
        elbow_arm().fk({"elbow": value})


def test_names_that_are_none_are_answered_with_the_nearest():
    with pytest.raises(UnknownElementError, match=r"actuator, group or servo.*shoulder"):
        elbow_arm().fk({"sholder": 0.1})


def test_two_names_of_one_servo_must_agree():
    assert elbow_arm().fk({"elbow": 0.2, "elbow_motor": 0.2}).inputs[1] == 0.2
    with pytest.raises(LengthError, match=r"set the same motion: found 0.2 rad and 0.3 rad"):
        elbow_arm().fk({"elbow": 0.2, "elbow_motor": 0.3})


def test_arrays_of_another_shape_are_refused():
    with pytest.raises(StateError, match=r"expected \(2,\), one for each actuator and servo"):
        elbow_arm().fk([0.1, 0.2, 0.3])


# ----------------------------------------------------------------------- rates


@pytest.mark.parametrize(
    ("machine", "link"),
    [(elbow_arm, "hand"), (picker, "right_finger"), (slewing_crane, "hand"),
     (cranked_four_bar, "rocker_link"), (finger, "nail"), (geared_four_bar, "rocker_link")],
)  # fmt: skip
def test_jacobians_are_differences(machine, link):
    machine = machine()
    random = np.random.default_rng(1)
    state = machine.fk(drawn(machine, random, 0.4))
    J = machine.jacobian(link, state)
    R = state.pose(link)[:3, :3]
    for n in range(len(machine.robot.inputs)):

        def moved(h: float, n: int = n) -> np.ndarray:
            inputs = np.array(state.inputs)
            inputs[n] += h
            return machine.fk(inputs, start=state).pose(link)

        dX = central(moved)
        skew = dX[:3, :3] @ R.T
        turn = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
        np.testing.assert_allclose(J[:3, n], turn, atol=1e-8)
        np.testing.assert_allclose(J[3:, n], dX[:3, 3], atol=1e-8)


def test_statics_is_what_inverse_dynamics_needs_to_hold_an_arm():
    machine = picker()
    random = np.random.default_rng(5)
    state = machine.fk(drawn(machine, random))
    zero = np.zeros(machine.mechanism.nv)
    torques = hf.rnea(machine, state.q, zero, zero)
    held = machine.statics(state)
    np.testing.assert_allclose(held[:3], torques[:3], atol=1e-10)
    # the mimic's weight hangs on the finger that it follows
    assert held[3] == pytest.approx(torques[3] + torques[4], abs=1e-12)


# --------------------------------------------------------------------- inverse


def test_inverse_kinematics_of_an_arm_is_the_formula():
    for a, b in ((0.3, 1.2), (-0.9, -0.8)):
        target = np.eye(4)
        target[:3, 3] = hand(a, b)
        start = elbow_arm().fk([0.0, math.copysign(0.5, b)])
        found = elbow_arm().ik("hand", target, start, mask=(0, 0, 0, 1, 1, 1))
        assert found.reachable
        np.testing.assert_allclose(found.drives, [a, b], atol=1e-6)


def test_poses_of_an_arm_are_found_again():
    random = np.random.default_rng(2)
    machine = picker()
    for _ in range(25):
        state = machine.fk(drawn(machine, random))
        found = machine.ik("forearm", state.pose("forearm"))
        assert found.reachable
        np.testing.assert_allclose(found.state.pose("forearm"), state.pose("forearm"), atol=1e-6)
        assert found.drives[3] == 0.0  # the gripper does not move the forearm


def test_a_target_out_of_reach_is_neared():
    target = np.eye(4)
    target[:3, 3] = 2.0, 0.0, 0.0
    found = elbow_arm().ik("hand", target, elbow_arm().fk([0.3, 0.5]), mask=(0, 0, 0, 1, 1, 1))
    assert not found.reachable
    assert found.position_error == pytest.approx(0.7, abs=1e-6)  # stretched towards it


@pytest.mark.parametrize("weights", [(1.0, 1.0), (1.0, 3.0), (3.0, 1.0)])
def test_no_pose_of_an_arm_is_nearer_than_the_one_that_is_found(weights):
    """Every pose of a fine grid is looked at; weights are along the hand's own axes."""
    arm, all_weights = elbow_arm(), (0.0, 0.0, 0.0, *weights, 1.0)
    a, b = np.meshgrid(*[np.linspace(-2.5, 2.5, 401)] * 2, indexing="ij")
    x, y = 0.8 * np.cos(a) + 0.5 * np.cos(a + b), 0.8 * np.sin(a) + 0.5 * np.sin(a + b)
    c, s = np.cos(a + b), np.sin(a + b)
    for place in ((-1.5, 0.1), (-1.4, -0.3), (1.2, 1.1), (0.1, -0.05), (-0.2, 0.1)):
        dx, dy = place[0] - x, place[1] - y
        errors = np.hypot(weights[0] * (c * dx + s * dy), weights[1] * (c * dy - s * dx))
        target = np.eye(4)
        target[:2, 3] = place
        found = arm.ik("hand", target, weights=all_weights)
        assert found.objective <= errors.min() + 1e-6
        nearest = found.state.pose("hand")
        apart = nearest[:3, :3].T @ (target[:3, 3] - nearest[:3, 3])
        assert found.objective == pytest.approx(np.linalg.norm(all_weights[3:] * apart), abs=1e-9)


@pytest.mark.parametrize(
    "weights", [(1, 1, 1, 1, 1, 1), (0, 0, 0, 1, 1, 1), (0, 0, 0, 1, 2, 5), (2, 0, 1, 1, 0, 3)]
)
def test_the_errors_derivative_is_its_difference(weights):
    machine, link, w = picker(), "right_finger", np.array(weights, dtype=float)
    random = np.random.default_rng(8)
    state = machine.fk(drawn(machine, random, 0.5))
    target = machine.fk(drawn(machine, random, 0.5)).pose(link)
    e, E = general._linear(state, link, target, w)
    np.testing.assert_allclose(e, w * general._error(state, link, target, w), atol=1e-15)
    for n in range(len(machine.robot.inputs)):

        def error(h: float, n: int = n) -> np.ndarray:
            inputs = np.array(state.inputs)
            inputs[n] += h
            return w * general._error(machine.fk(inputs, start=state), link, target, w)

        np.testing.assert_allclose(E[:, n], central(error), atol=1e-8)


def test_cylinders_and_a_servo_reach_together():
    machine = slewing_crane()
    random = np.random.default_rng(4)
    for _ in range(5):
        state = machine.fk(drawn(machine, random, 0.6))
        found = machine.ik("hand", state.pose("hand"), mask=(0, 0, 0, 1, 1, 1))
        assert found.position_error < 1e-6


def test_a_link_that_nothing_moves_says_so():
    with pytest.raises(StateError, match=r"'base': no cylinder or servo moves it"):
        elbow_arm().ik("base", np.eye(4))


# -------------------------------------------------------------------- planning


def test_a_trajectory_of_an_arm_keeps_its_limits_and_its_curve(tmp_path):
    machine = elbow_arm()
    motion = hf.trajectory(machine, "hand", [hand(0.2, 0.9), hand(0.9, 0.7), hand(1.2, 1.1)])
    assert motion.names == ("shoulder_motor", "elbow_motor")
    assert motion.units == ("rad", "rad")
    np.testing.assert_array_equal(motion.limits, [0.7, 1.0])
    assert motion.assumed == ("elbow_motor",)
    assert (np.abs(motion.rates).max(axis=0) <= motion.limits * (1 + 1e-9)).all()
    assert np.abs(motion.rates / motion.limits).max() > 0.95  # as fast as they allow
    assert motion.position_errors.max() < 1e-5
    for row in (0, len(motion) // 2, -1):
        np.testing.assert_allclose(motion.poses[row, :3, 3], hand(*motion.drives[row]), atol=1e-12)
    rates = np.gradient(motion.drives, motion.times, axis=0)
    assert np.abs(rates - motion.rates)[2:-2].max() < 0.02
    first = motion.save(tmp_path / "arm.csv").read_text().splitlines()[0]
    assert first.startswith(
        "time [s],shoulder_motor [rad],shoulder_motor [rad/s],elbow_motor [rad]"
    )
    told = json.loads(motion.save(tmp_path / "arm.json").read_text())
    assert told["lengths"] == {}
    assert told["servos"]["elbow_motor"] == motion.drives[:, 1].tolist()
    assert told["servo_speeds"]["shoulder_motor"][-1] == 0.0


def test_via_points_may_be_positions_of_servos():
    motion = hf.trajectory(
        elbow_arm(), "hand", [{"shoulder": 0.1}, {"shoulder": 0.9, "elbow": 0.4}], step=0.05
    )
    np.testing.assert_allclose(motion.drives[-1], [0.9, 0.4], atol=1e-5)


def test_a_via_point_out_of_reach_is_named():
    with pytest.raises(UnreachableError, match=r"via\[1\]: cannot be reached: the closest is 0.7"):
        hf.trajectory(elbow_arm(), "hand", [hand(0.2, 0.9), (2.0, 0.0, 0.0)], step=0.05)


def test_the_area_that_an_arm_sweeps_is_the_integral():
    """Of |det J| = l1 l2 |sin elbow| over the ranges of both joints: 2.5 rad to either side."""
    cloud = hf.workspace(elbow_arm(), "hand", samples=2000)
    expected = 5.0 * 0.8 * 0.5 * 2.0 * (1.0 - math.cos(2.5))
    assert cloud.inputs == ("shoulder_motor", "elbow_motor")
    assert cloud.size == pytest.approx(expected, rel=2e-3)
    assert [each.unit for each in cloud.moved_by] == ["rad", "rad"]
    reach = np.linalg.norm(cloud.points, axis=1)
    assert reach.max() == pytest.approx(1.3, abs=1e-3)


def test_a_joint_without_ends_is_sampled_over_one_turn(tmp_path):
    cloud = hf.workspace(picker(), "forearm", samples=500)
    assert cloud.inputs == ("slew", "shoulder", "elbow")
    np.testing.assert_allclose(cloud.ends[:, 0], [-math.pi, math.pi])
    with np.load(cloud.save(tmp_path / "cloud.npz")) as file:
        assert json.loads(str(file["meta"]))["units"] == ["rad", "rad", "rad"]


def test_a_slide_without_ends_has_no_workspace():
    from tests.build import joint, machine
    from tests.servo_machines import servo

    endless = machine([joint("rail", "base", "cart", "prismatic")], motors=[servo("rail")])
    with pytest.raises(StateError, match=r"servo 'rail': found a slide without limits"):
        hf.workspace(endless, "cart")


@pytest.mark.parametrize("kind", ["trajectory", "workspace"])
def test_pictures_are_drawn(kind, tmp_path):
    if kind == "workspace":
        path = hf.workspace(picker(), "forearm", samples=500).save(tmp_path / "picture.png")
    else:
        via = [{"shoulder": 0.5}, {"shoulder": 0.9, "slew": 0.6}]
        path = hf.trajectory(picker(), "left_finger", via, step=0.05).plot(tmp_path / "picture.png")
    assert path.stat().st_size > 10_000


def test_a_turret_without_ends_takes_the_short_way():
    """One straight step from here would turn it twice around."""
    here = picker().fk({"shoulder": 0.6, "slew": 0.7})
    there = picker().fk({"shoulder": 0.5, "slew": -0.9}).pose("left_finger")
    found = picker().ik("left_finger", there, here, mask=(0, 0, 0, 1, 1, 1))
    assert found.reachable
    assert found.drives[0] == pytest.approx(-0.9, abs=0.1)


def test_drives_that_do_not_move_the_link_stay_at_their_ends():
    """Also where others come to theirs: the gripper stands at its lower end from the start."""
    random = np.random.default_rng(9)
    for _ in range(10):
        state = picker().fk(drawn(picker(), random, 1.0))
        found = picker().ik("forearm", state.pose("forearm"))
        assert found.reachable
        assert found.drives[3] == 0.0


def bent(side: float) -> list[np.ndarray]:
    """Places that the arm reaches only if its elbow bends to one side.

    With the elbow at the other side the shoulder would stand 1.08 rad further, beyond its end.
    """
    return [hand(side * a, side * 1.5) for a in (2.4, 2.0, 1.6)]


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_motion_begins_bent_to_the_side_that_leads_to_its_end(side):
    for start in (0.5, -0.5):
        standing = elbow_arm().fk([0.0, start])
        motion = hf.trajectory(elbow_arm(), "hand", bent(side), standing=standing)
        assert motion.reachable.all()
        assert (motion.drives[:, 1] * side > 0.0).all()
        assert np.abs(np.diff(motion.drives, axis=0)).max() < 0.1  # no jump


def test_a_motion_that_must_begin_bent_the_other_way_says_so():
    start = elbow_arm().fk([1.0, -1.5])
    with pytest.raises(UnreachableError, match=r"via\[\d\].*\n  on this way: the machine would"):
        hf.trajectory(elbow_arm(), "hand", bent(1.0), start=start)


def test_a_motor_that_spins_has_no_position():
    with pytest.raises(StateError, match=r"'cutting_motor': a motor that spins.*\"servo\": true"):
        hf.load("roadheader").fk({"cutting_motor": 0.4})


def test_a_servo_does_not_lead_a_parallelogram_through_flat():
    """At crank 0 all pivots are in one line: it could go on crossed as well as parallel."""
    motors = [{"name": "m", "joint": "crank", "servo": True}]
    angles = {"crank": 0.8, "coupler": -0.8, "rocker": 0.8 - math.pi}
    one = build.four_bar(1.5, 1.0, 1.5, 1.0, motors=motors, home={"joints": angles})
    side = math.copysign(1.0, one.home.joints["crank"])
    nearer = one.fk([side * 0.3])
    assert nearer.joints["crank"] == pytest.approx(side * 0.3, abs=1e-12)
    with pytest.raises(SingularityError, match=r"^'m': .* meets a singular pose after 50 %"):
        one.fk([-side * 0.3], start=nearer)
