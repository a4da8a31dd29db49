"""A machine led by its lengths: against the library's forward kinematics, limits and stops."""

import numpy as np
import pytest

import headframe as hf
from build import actuator as cylinder
from build import joint, machine
from headframe.actuation import guiding as drives
from headframe.actuation.records import DRIVE
from headframe.errors import CommandError
from headframe.jit import new_records
from headframe.sim.kinematic import Kinematic

MACHINES = ("door", "jumbo", "lhd", "roadheader", "shearer", "sshs", "sths", "tcchs")


@pytest.fixture(params=MACHINES)
def motion(request):
    return Kinematic(hf.load(request.param), 1e-3)


def test_poses_are_those_of_forward_kinematics(motion):
    machine, random = motion.machine, np.random.default_rng(3)
    for _ in range(20):
        motion.command(
            {
                name: hf.speed(random.uniform(-1, 1) * machine.robot.actuators[group[0]].speed)
                for name, group in zip(machine.robot.group_names, machine.robot.groups, strict=True)
            }
        )
        motion.step(200)
        state = machine.fk(motion.state.lengths, start=motion.state)
        found = np.array([state.pose(link.name) for link in machine.links])
        np.testing.assert_allclose(motion.poses(), found, atol=1e-10)


def test_lengths_stay_within_their_bounds(motion):
    """Also where one cylinder's way ends since the others stand in it."""
    robot = motion.machine.robot
    for sign in (1.0, -1.0, 1.0):
        motion.command(
            {
                name: hf.speed(sign * robot.actuators[group[0]].speed)
                for name, group in zip(robot.group_names, robot.groups, strict=True)
            }
        )
        for _ in range(60):
            motion.step(500)
            for actuator, length in zip(robot.actuators, motion.state.lengths, strict=True):
                assert actuator.bounds.lower - 1e-9 <= length <= actuator.bounds.upper + 1e-9


def test_speed_and_acceleration_are_limited():
    motion = Kinematic(hf.load("roadheader"), 1e-3)
    motion.command({"boom": hf.speed(0.06)})
    lengths = []
    for _ in range(400):
        motion.step()
        lengths.append(motion.state.lengths[2])
    speeds = np.diff(lengths) / 1e-3
    assert np.abs(np.diff(speeds)).max() / 1e-3 < 0.3 * 1.001
    assert speeds[-1] == pytest.approx(0.06)
    assert motion.speeds[2] == pytest.approx(0.06)


def test_target_is_reached_and_held():
    motion = Kinematic(hf.load("roadheader"), 1e-3)
    motion.command({"boom": hf.length(2.0)})
    motion.step(5000)
    assert motion.state.lengths[2] == pytest.approx(2.0, abs=1e-9)
    held = motion.state.lengths
    motion.step(1000)
    np.testing.assert_array_equal(motion.state.lengths, held)


def test_motor_turns_its_joint_and_nothing_else():
    motion = Kinematic(hf.load("roadheader"), 1e-3)
    before = motion.state
    motion.command({"cutting_motor": hf.speed(4.8)})
    motion.step(1000)
    turned = motion.state.joints["cutting"] - before.joints["cutting"]
    assert turned == pytest.approx(4.8 * 0.9995, rel=1e-9)  # half a step to get up to speed
    np.testing.assert_allclose(motion.state.lengths, before.lengths, atol=1e-12)


def test_motor_of_a_loop_is_refused():
    motion = Kinematic(hf.load("peaucellier"), 1e-3)
    with pytest.raises(CommandError, match="choose dynamics"):
        motion.command({"motor": hf.speed(0.5)})
    motion.command({"motor": hf.locked()})


def test_forces_are_refused():
    motion = Kinematic(hf.load("roadheader"), 1e-3)
    with pytest.raises(CommandError, match="knows no forces"):
        motion.command({"boom": hf.force(1000.0)})


def test_floating_cylinder_rests():
    motion = Kinematic(hf.load("roadheader"), 1e-3)
    before = motion.state.lengths
    motion.command({"boom": hf.floating()})
    motion.step(1000)
    np.testing.assert_array_equal(motion.state.lengths, before)


def test_going_back_repeats_the_motion_exactly():
    motion = Kinematic(hf.load("tcchs"), 1e-3)
    motion.command({"front_legs": hf.speed(0.02), "tail_jacks": hf.speed(-0.03)})
    motion.step(500)
    saved = motion.save()
    ends = []
    for _ in range(2):
        motion.restore(saved)
        motion.step(300)
        ends.append(motion.state.q)
    assert ends[0].tobytes() == ends[1].tobytes()


def test_leading_kernel_as_plain_python():
    found = []
    for lead in (drives.lead, drives.lead.py_func):
        table = new_records(2, DRIVE)
        table.lower, table.upper = 0.0, 0.1
        table.most_speed, table.most_acceleration = 0.05, 0.3
        table[0].mode, table[0].value = drives.SPEED, 0.05
        positions, rates = np.full(2, 0.05), np.zeros(2)
        lead(300, 1e-2, table, positions, rates)
        found.append(positions)
    np.testing.assert_array_equal(*found)
    np.testing.assert_allclose(found[0], [0.1, 0.05], atol=1e-9)


def test_joints_of_a_robot_from_elsewhere_turn_to_their_limits(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(
        '<robot name="arm"><link name="base"/><link name="arm"/><joint name="swing" '
        'type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>'
        '<limit lower="-1" upper="0.5" effort="100" velocity="0.8"/></joint></robot>'
    )
    motion = Kinematic(hf.load(path), 1e-3)
    motion.command({"swing": hf.speed(0.8)})
    motion.step(500)
    assert 0.0 < motion.state.joints["swing"] < 0.5
    motion.step(3000)
    assert motion.state.joints["swing"] == pytest.approx(0.5)
    motion.command({"swing": hf.speed(-0.8)})
    motion.step(5000)
    assert motion.state.joints["swing"] == pytest.approx(-1.0)


def test_cylinder_that_cannot_go_on_stands_still_and_the_others_go_on():
    """The arm's dead centre lies at 1.5 m, within the bounds of its cylinder."""
    motion = Kinematic(
        machine(
            [
                joint("hinge", "base", "arm", axis=[0, -1, 0]),
                joint("rail", "base", "sledge", "prismatic", axis=[0, 1, 0]),
            ],
            [
                cylinder("lift", ("base", (1.0, 0, 0)), ("arm", (0.5, 0, 0)), (0.2, 2.0)),
                cylinder("push", ("base", (0, -1, 0)), ("sledge", (0, 0, 0)), (1.0, 3.0)),
            ],
            home={"joints": {"hinge": 0.8, "rail": 0.5}},
        ),
        1e-3,
    )
    motion.command({"lift": hf.speed(0.1), "push": hf.speed(0.1)})
    for _ in range(100):
        motion.step(100)
        assert motion.state.lengths == pytest.approx(motion.wanted, abs=1e-9)
    assert 1.48 < motion.state.lengths[0] <= 1.5
    assert (motion.rate("lift"), motion.speeds[0]) == (0.0, 0.0)
    assert motion.rate("push") == pytest.approx(0.1)
    assert motion.state.lengths[1] == pytest.approx(1.5 + 0.1 * 10.0, abs=0.05)
    motion.command({"lift": hf.speed(-0.1)})
    motion.step(2000)
    assert motion.state.lengths[0] < 1.4
