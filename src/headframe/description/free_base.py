"""A machine whose base is free to move: on a joint of six freedoms, above a ground without mass."""

from __future__ import annotations

from .model import Joint, Link, Robot

GROUND, STANDING = "ground", "base"  # names of the link and the joint that are added


def on_free_base(robot: Robot, root: str) -> Robot:
    """The robot with its root link on a free joint, which comes first.

    Names that the robot has already get an underscore more.
    """
    ground, joint = _new(GROUND, robot.link_index), _new(STANDING, robot.joint_index)
    standing = Joint.make(name=joint, parent=ground, child=root, type="free")
    fields = {name: getattr(robot, name) for name in Robot.model_fields}
    fields["links"] = Link.make(name=ground), *robot.links
    fields["joints"] = standing, *robot.joints
    return Robot.model_construct(**{**fields, "base": "fixed"})


def _new(name: str, taken: dict[str, int]) -> str:
    return name if name not in taken else _new(name + "_", taken)
