"""What a page needs to know of a machine."""

from __future__ import annotations

from ..description import FULL_SPEED, JointDrive, Robot, full_speed_of
from ..mechanism import Mechanism
from ..protocol.down import CylinderInfo, Group, JointInfo, MachineInfo, MotorInfo


def machine_info(mechanism: Mechanism) -> MachineInfo:
    """A machine as pages show it."""
    robot = mechanism.robot
    groups = []
    for name, members in zip(robot.group_names, robot.groups, strict=True):
        first = robot.actuators[members[0]]
        groups.append(
            Group(
                name=name,
                cylinders=members,
                lower=first.bounds.lower,
                upper=first.bounds.upper,
                speed=first.speed or FULL_SPEED,
                force=sum(robot.actuators[i].force or 0.0 for i in members),
            )
        )
    return MachineInfo(
        name=robot.name,
        machine_class=robot.machine_class or "",
        up_axis=robot.up_axis,
        links=tuple(link.name for link in robot.links),
        root=mechanism.root,
        end_effector=robot.end_effector or "",
        cylinders=tuple(
            CylinderInfo(a.name, a.tube, a.rod, a.bounds.lower, a.bounds.upper)
            for a in robot.actuators
        ),
        groups=tuple(groups),
        motors=tuple(
            MotorInfo(
                m.name, m.joint, robot.joint(m.joint).child, full_speed_of(robot, m),
                m.max_torque or 0.0, m in robot.servos, robot.joint(m.joint).parent,
                cuts(robot, m), m.kind,
            )
            for m in robot.joint_drives
        ),
        joints=tuple(_joint_info(robot, name) for name in mechanism.single_positions),
    )  # fmt: skip


def cuts(robot: Robot, motor: JointDrive) -> bool:
    """Whether what a motor turns is a tool for cutting.

    A tool that spins without end at the machine's end effector cuts: a roadheader's head, a drum.
    So do others like it, by motors of the same torque and speed, as the other drum of a shearer.
    """
    if not _spins(robot, motor):
        return False
    return any(
        robot.end_effector in (joint.parent, joint.child)
        and (motor.max_torque, motor.max_speed) == (working.max_torque, working.max_speed)
        for working in robot.joint_drives
        if _spins(robot, working)
        for joint in (robot.joint(working.joint),)
    )


def _spins(robot: Robot, motor: JointDrive) -> bool:
    """Whether a motor turns its joint on and on, and is not told where to go."""
    return motor not in robot.servos and robot.joint(motor.joint).limit is None


def _joint_info(robot: Robot, name: str) -> JointInfo:
    joint = robot.joint(name)
    limit = joint.limit
    return JointInfo(
        name,
        turns=not joint.kind.is_slide,
        lower=None if limit is None else limit.lower,
        upper=None if limit is None else limit.upper,
    )
