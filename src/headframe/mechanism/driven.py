"""What drives act on, and springs, as records of the compiled machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..jit import Records, new_records
from .records import DRIVEN, SPRING

if TYPE_CHECKING:
    from .tree import Tree


def driven_by(tree: Tree) -> Records:
    """DRIVEN of the groups in their order, then of the joints with drives in the drives' order."""
    mechanism, robot = tree.mechanism, tree.mechanism.robot
    found = new_records(len(robot.groups) + len(robot.joint_drives), DRIVEN)
    found.lower, found.upper = -np.inf, np.inf
    found.most_speed = found.most_acceleration = found.most_force = np.inf
    groups, joints = found[: len(robot.groups)], found[len(robot.groups) :]
    joints.leader = -1
    for record, members in zip(groups, robot.groups, strict=True):
        cylinder, actuator = tree.cylinders[members[0]], robot.actuators[members[0]]
        record.leader = members[0]
        record.place.position = cylinder.length_position
        record.place.velocity = cylinder.length_velocity
        record.lower, record.upper = actuator.bounds.lower, actuator.bounds.upper
        record.most_speed = actuator.speed or np.inf
        record.most_acceleration = actuator.acceleration or np.inf
    servos = {each.name: each for each in robot.inputs if each.joint}
    for record, drive in zip(joints, robot.joint_drives, strict=True):
        record.place.position = mechanism.position_of_joint[drive.joint].start
        record.place.velocity = mechanism.velocity_of_joint[drive.joint].start
        limit = robot.joint(drive.joint).limit
        if limit is not None:
            record.lower, record.upper = limit.lower, limit.upper
        record.most_speed = drive.max_speed or np.inf
        record.most_force = drive.max_torque or np.inf
        record.torque = drive.torque
        if drive.name in servos:  # else it would ask for all its torque in every step
            record.most_acceleration = servos[drive.name].full_acceleration
    return found


def springs_of(tree: Tree) -> Records:
    """SPRING records in the order of the file; their ends in the frames of freedoms."""
    springs = tree.mechanism.robot.springs
    found = new_records(len(springs), SPRING)
    for record, spring in zip(found, springs, strict=True):
        ends = (spring.link_a, spring.point_a), (spring.link_b, spring.point_b)
        for end, (link, point) in enumerate(ends):
            X = tree.X_FL[link]
            record.freedoms[end] = tree.freedom_of_link[link]
            record.points[end] = X[:3, :3] @ np.asarray(point) + X[:3, 3]
        record.stiffness, record.damping = spring.stiffness, spring.damping
        record.rest_length = spring.rest_length
    return found
