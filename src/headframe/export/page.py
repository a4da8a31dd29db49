"""What a page needs to know of a machine."""

from __future__ import annotations

from ..description import Robot
from ..description.inputs import FULL_SPEED, full_speed_of
from ..mechanism import Mechanism
from ..protocol.down import CylinderInfo, Group, JointInfo, MachineInfo, MotorInfo


def machine_info(mechanism: Mechanism) -> MachineInfo:
    """A machine as pages show it."""
    robot = mechanism.robot
    children = {joint.name: joint.child for joint in robot.joints}
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
                m.name, m.joint, children[m.joint], full_speed_of(robot, m), m.max_torque or 0.0,
                m in robot.servos,
            )
            for m in robot.motors
        ),
        joints=tuple(_joint_info(robot, name) for name in mechanism.single_positions),
    )  # fmt: skip


def _joint_info(robot: Robot, name: str) -> JointInfo:
    joint = robot.joint(name)
    limit = joint.limit
    return JointInfo(
        name,
        turns=joint.type != "prismatic",
        lower=None if limit is None else limit.lower,
        upper=None if limit is None else limit.upper,
    )
