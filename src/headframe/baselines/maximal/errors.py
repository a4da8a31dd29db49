"""What maximal coordinates cannot move, and what a status of their kernels says to people."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...description import Does, Joint
from ...dynamics import DynamicsModel
from ...dynamics.kernels import STATUSES, DynamicsStatus
from ...errors import listed
from ...mechanism import Tree
from .bodies import RigidBody


def failure(bodies: Sequence[RigidBody], status: int) -> tuple[str, str]:
    """The link where a step failed, and what its status says about it."""
    number, kind = divmod(status, STATUSES)
    assert kind == DynamicsStatus.NOT_FINITE, kind  # there is no other
    name = bodies[number - 1].name
    return name, f"the motion of {name!r} stops being finite"


def why_not(model: DynamicsModel) -> str:
    """Why maximal coordinates cannot move a machine; empty if they can."""
    return obstacle(model.tree)[0]


def obstacle(tree: Tree) -> tuple[str, str]:
    """What maximal coordinates have no rows for, and the joint or link that it is about."""
    others = "take 'embedded', 'constrained' or 'simgc'"
    rotors = list(dict.fromkeys(tree.owner[d] for d in np.flatnonzero(tree.armature)))
    if rotors:  # inertia between two bodies, and each body here has only its own
        return (
            f"joints {listed(rotors)} have armature, which couples the two links of a joint; in "
            f"maximal coordinates every link has its own inertia only: {others}"
        ), rotors[0]
    for j in tree.mechanism.topology.tree_joints:
        joint = tree.mechanism.robot.joints[j]
        if not (joint.kind.has_ball or is_cross(joint) or _is_axis(joint)):
            return (
                f"joint {joint.name!r} is {joint.kind.name}, for which maximal coordinates have no "
                f"rows: {others}"
            ), joint.child
    return "", ""


def is_cross(joint: Joint) -> bool:
    """Whether it turns about one axis, then about another."""
    return [motion.does for motion in joint.kind.motions] == [Does.TURN, Does.TURN]


def _is_axis(joint: Joint) -> bool:
    """Whether all that it does is about and along one axis, or it does nothing."""
    return len({motion.along for motion in joint.kind.motions}) <= 1
