"""Servos are told where to go: by commands, by hand in the cab, and along a planned motion."""

import numpy as np
import pytest
from tests.build import joint, machine
from tests.servo_machines import cranked_four_bar, elbow_arm, picker, servo, slewing_crane

import headframe as hf
from headframe.errors import CommandError
from headframe.export.page import machine_info
from headframe.sim.cab import Cab
from headframe.sim.kinematic import Kinematic
from headframe.sim.pacer import TICK
from headframe.sim.session import Physics, Session, Target
from headframe.workbench.path import course_of


class Driver:
    """Ticks a session by a clock of its own."""

    def __init__(self, machine, physics=None):
        self.session, self.now = Session(machine, physics), 100.0
        self.session.tick(self.now)
        self.tick()

    def tick(self):
        self.now += TICK
        self.session.cab.beat(self.now, {}, 0.0, True)
        self.session.tick(self.now)

    def until(self, condition, most=3000):
        for _ in range(most):
            if condition():
                return
            self.tick()
        raise AssertionError("never so")

    @property
    def inputs(self):
        return self.session.motion.state.inputs


FORCES = Physics(dynamics=True)


# -------------------------------------------------------------------- commands


@pytest.mark.parametrize("formulation", ["embedded", "constrained"])
def test_a_servo_beside_a_cylinder_goes_to_a_position_and_stays(formulation):
    sim = hf.Simulation(slewing_crane(), formulation=formulation, step=1e-3)
    sim.command({"slew": hf.position(0.3), "ram": hf.locked()})
    sim.step(1500)
    assert sim.state.joints["slew"] == pytest.approx(0.3, abs=1e-9)
    assert abs(sim.joint("slew").velocity) < 1e-9  # the hand swings on


def test_servos_of_an_arm_hold_it_against_gravity():
    sim = hf.Simulation(picker(), step=1e-3)
    sim.command({"shoulder": hf.position(0.6), "elbow": hf.position(-0.4)})
    sim.command({name: hf.locked() for name in ("slew", "left_finger")})
    sim.step(1500)
    np.testing.assert_allclose(sim.state.inputs, [0.0, 0.6, -0.4, 0.0], atol=1e-9)
    held = picker().statics(sim.state)
    assert sim.forces["shoulder"] == pytest.approx(held[1], abs=1e-6)
    assert sim.forces["elbow"] == pytest.approx(held[2], abs=1e-6)


def test_positions_outside_the_limits_are_refused():
    sim = hf.Simulation(picker())
    with pytest.raises(CommandError, match=r"expected a position of -1.2 to 1.9 rad"):
        sim.command({"shoulder": hf.position(2.0)})
    with pytest.raises(CommandError, match=r"expected a position of 0 to 0.03 m"):
        sim.command({"left_finger": hf.position(0.2)})


def test_a_cylinder_has_a_length_and_a_motor_a_position():
    sim = hf.Simulation(slewing_crane())
    with pytest.raises(CommandError, match=r"'ram' is a cylinder: found position.*a length"):
        sim.command({"ram": hf.position(1.0)})
    with pytest.raises(CommandError, match=r"'slew' is a motor: found length.*a position"):
        sim.command({"slew": hf.length(1.0)})


def test_kinematics_leads_servos_and_cylinders_together():
    machine = slewing_crane()
    motion = Kinematic(machine, 1e-3)
    ram = float(motion.state.lengths[0]) + 0.02
    motion.command({"slew": hf.position(0.2), "ram": hf.length(ram)})
    motion.step(3000)
    assert motion.state.joints["slew"] == pytest.approx(0.2, abs=1e-12)
    assert motion.state.lengths[0] == pytest.approx(ram, abs=1e-12)
    np.testing.assert_allclose(motion.wanted, [ram, 0.2], atol=1e-12)


def test_kinematics_turns_a_servo_of_a_loop():
    motion = Kinematic(cranked_four_bar(), 1e-2)
    motion.command({"crank": hf.speed(0.5)})
    motion.step(100)
    # within a quarter of a second it comes to its speed
    assert motion.state.joints["crank"] == pytest.approx(-1.0 + 0.5 * (1.0 - 0.125), abs=0.01)
    gap = np.linalg.norm(motion.state.pose("rocker_link")[:3, 3] - np.array([1.0, 0.0, 0.0]))
    assert gap == pytest.approx(0.7, abs=1e-10)


# ------------------------------------------------------------------------ cab


def alive(machine) -> Cab:
    cab = Cab(machine.robot)
    cab.beat(1.0, {}, 0.0, True)
    return cab


def test_the_cab_brings_a_servo_to_a_position_until_it_is_spun():
    cab = alive(picker())
    cab.go_to("shoulder", 0.5)
    assert cab.commands(1.0)["shoulder"] == hf.position(0.5)
    cab.spin("shoulder", -0.5)
    assert cab.commands(1.0)["shoulder"] == hf.speed(-0.5 * 1.2)
    cab.go_to("shoulder", 0.1)
    assert cab.commands(1.0)["shoulder"] == hf.position(0.1)
    cab.stop()
    assert cab.commands(1.0)["shoulder"] == hf.locked()


@pytest.mark.parametrize(("kind", "most"), [("prismatic", 0.1), ("revolute", 1.0)])
def test_a_motor_without_a_limit_is_as_fast_everywhere(kind, most):
    """In the cab, on the page and among the inputs: 0.1 m/s of a slide, else 1 rad/s."""
    one = machine([joint("way", "base", "carriage", kind)], motors=[servo("way")])
    cab = alive(one)
    cab.spin("way", -0.5)
    assert cab.commands(1.0)["way"] == hf.speed(-0.5 * most)
    assert machine_info(one.mechanism).motors[0].speed == most
    assert one.robot.inputs[0].full_speed == most


def test_the_cab_refuses_positions_beyond_the_limits():
    with pytest.raises(CommandError, match=r"'shoulder': found 3 rad, expected -1.2 to 1.9 rad"):
        alive(picker()).go_to("shoulder", 3.0)


# ---------------------------------------------------------------------- session


@pytest.mark.parametrize("physics", [None, FORCES])
def test_a_hand_reaches_a_place(physics):
    driver = Driver(picker(), physics)
    goal = picker().fk([0.4, 0.7, -0.2, 0.0])
    found = driver.session.reach(Target("forearm", tuple(goal.pose("forearm")[:3, 3])))
    assert found.reachable
    driver.until(
        lambda: (
            np.linalg.norm(
                driver.session.motion.state.pose("forearm")[:3, 3] - goal.pose("forearm")[:3, 3]
            )
            < 1e-5
        )
    )


@pytest.mark.parametrize("physics", [None, FORCES])
def test_a_planned_motion_is_played(physics):
    machine = picker()
    motion = hf.trajectory(
        machine, "left_finger", [{"shoulder": 0.5}, {"shoulder": 0.9, "slew": 0.5}]
    )
    course = course_of(machine, motion)
    assert [machine.robot.inputs[n].name for n in course.inputs] == [
        "slew", "shoulder", "elbow", "left_finger",
    ]  # fmt: skip
    driver = Driver(machine, physics)
    driver.session.play(course)
    driver.until(lambda: driver.session.cab.switches.playing.there)
    apart = []
    while (playing := driver.session.cab.switches.playing) is not None:
        wanted, _ = course.at(playing.moment(driver.session.pacer.step))
        apart.append(np.abs(driver.inputs - wanted).max())
        driver.tick()
    assert max(apart) < (1e-9 if physics is None else 5e-3)
    np.testing.assert_allclose(driver.inputs, course.values[-1], atol=5e-3)


def test_spinning_a_motor_that_is_led_ends_what_is_played():
    machine = elbow_arm()
    motion = hf.trajectory(machine, "hand", [{"shoulder": 0.1, "elbow": 0.3}, {"shoulder": 0.6}])
    driver = Driver(machine)
    driver.session.play(course_of(machine, motion))
    driver.tick()
    assert driver.session.cab.switches.playing is not None
    driver.session.spin("elbow_motor", 0.5)
    assert driver.session.cab.switches.playing is None


def test_a_motor_that_spins_is_no_input():
    robot = hf.load("roadheader").robot
    assert robot.motors
    assert robot.servos == ()
    assert all(not each.joint for each in robot.inputs)


def test_servos_with_little_torque_to_spare_settle():
    """They speed up as planning says, and do not ask for all their torque in every step."""
    sim = hf.Simulation(picker(), step=1e-3)
    sim.command({name: hf.locked() for name in ("slew", "left_finger")})
    sim.command({"shoulder": hf.position(1.5), "elbow": hf.position(0.0)})
    largest = 0.0
    for _ in range(300):
        sim.step(10)
        largest = max(largest, abs(sim.forces["shoulder"]))
    np.testing.assert_allclose(sim.state.inputs, [0.0, 1.5, 0.0, 0.0], atol=1e-9)
    assert largest < 40.0  # of 80 N m
    assert abs(sim.joint("shoulder").velocity) < 1e-9


def test_torques_by_kinematics_are_those_that_hold_still():
    driver = Driver(picker())
    driver.session.reach(
        Target("forearm", tuple(picker().fk([0.4, 0.7, -0.2, 0.0]).pose("forearm")[:3, 3]))
    )
    for _ in range(60):
        driver.tick()
    held = picker().statics(driver.session.motion.state)
    assert abs(held[1]) > 1.0
    np.testing.assert_allclose(driver.session.read().motors[:, 1], held, atol=1e-9)
