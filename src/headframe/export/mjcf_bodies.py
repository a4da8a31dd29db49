"""The body tree in MJCF: main links, then tubes and rods.

Bodies are written where they stand in the home pose, and joints get `ref`, so that MuJoCo's
default configuration is the home pose and its joint positions are Headframe's.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np

from ..description import Actuator, Does, Joint, Link, Motion
from ..errors import ExportError
from ..spatial import axis_angle_matrix, compose, invert, matrix_from_quaternion
from .mjcf_constraints import hold
from .mjcf_drives import add_position_actuator, interval
from .mjcf_geometry import add_link_content
from .mjcf_model import Floats, MjcfDocument
from .xml_text import numbers, put

# MuJoCo's XML reader stops at 500 nested elements
DEEPEST = 450
X_AXIS, Z_AXIS = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
# A body that moves must have mass in MuJoCo: a ten-thousandth of the machine's, and that much
# inertia at 0.1 m. With a tenth of it a light machine's rods shake under their actuators.
SMALL_PART, SMALL_RADIUS = 1e-4, 0.1


def add_tree(model: MjcfDocument) -> None:
    """Every main link as a body, with the joint that leads to it."""
    robot, topology, state = model.robot, model.topology, model.state
    root = robot.links[topology.root]
    still = set() if robot.base == "free" else {root.name}  # links that never move
    depth = {root.name: 1}
    model.bodies[root.name] = model.add_body(model.world, root.name, state.pose(root.name))
    if robot.base == "free":
        add_free_base(model, model.bodies[root.name])
    add_link_content(model, model.bodies[root.name], root)
    for j in topology.tree_joints:
        joint = robot.joints[j]
        link = robot.link(joint.child)
        parent = model.bodies[joint.parent]
        if joint.kind.is_fixed and joint.parent in still:
            still.add(link.name)
        if joint.kind.is_free and joint.parent in still:
            parent = model.world  # where alone MuJoCo allows a free joint
        depth[link.name] = depth[joint.parent] + 1
        if depth[link.name] > DEEPEST:
            raise ExportError(
                f"link {link.name!r} is the {DEEPEST + 1}th of a chain: "
                f"MuJoCo reads at most {DEEPEST} nested bodies"
            )
        body = model.add_body(parent, link.name, state.pose(link.name))
        model.bodies[link.name] = body
        model.joints[joint.name] = add_joint(model, body, joint, link)
        add_link_content(model, body, link)


def add_joint(model: MjcfDocument, body: ET.Element, joint: Joint, link: Link) -> list[str]:
    """The MJCF joints of a tree joint, in the order in which they move the body.

    MuJoCo gives a joint's axis in the body as it stands at home. With X_PC = X_PJ T(q) X_JC,
    a motion of the joint's frame J is one of the body C about an axis turned by R_CJ.
    """
    if joint.kind.is_free and any(child is body for child in model.world):
        return [add_free_joint(model, body, joint)]
    kind, names = joint.kind, []
    values = np.atleast_1d(np.asarray(model.state.joints.get(joint.name, ()), dtype=float))
    common = dynamics_of(joint) | (range_of(joint) if kind.is_single else {})
    parts = []  # what each motion does to the frame, from the last to the first
    X_CM = invert(link.pose)  # the frame behind a motion, in the body
    for motion, (at, _) in reversed(list(zip(kind.motions, kind.places, strict=True))):
        u = joint.direction(motion)
        axis, pos = X_CM[:3, :3] @ u, X_CM[:3, 3]
        parts.append((motion, float(values[at]), axis, pos))
        X_CM = X_CM @ invert(motion_pose(motion, u, values[at:], joint.way_per_radian))
    for n, (motion, home, axis, pos) in enumerate(reversed(parts)):
        name = joint.name if len(parts) == 1 else f"{joint.name}.{ending_of(motion, n)}"
        own = common | {"pos": numbers(pos)}
        if motion.does is Does.BALL:  # MuJoCo counts a ball's turn from home
            names.append(model.add_joint(body, name, "ball", (1.0, 0.0, 0.0, 0.0), **own))
            continue
        word, own["axis"] = "slide" if motion.does is Does.SLIDE else "hinge", numbers(axis)
        names.append(model.add_joint(body, name, word, (home,), **own))
        if motion.does is Does.SCREW:
            add_thread(model, body, joint, names[-1], home, axis)
    if kind.is_free:
        model.notes.append(
            f"joint {joint.name!r} is free, but body {body.get('name')!r} hangs on a body that "
            "moves: three slides and a ball stand for it"
        )
    if kind.has_pitch:
        model.notes.append(
            f"joint {joint.name!r} is {kind.name}, which MuJoCo does not have: a hinge stands for "
            "it, and a slide that an equality lets follow"
        )
    return names


def ending_of(motion: Motion, number: int) -> str:
    """What tells a motion of a joint from its others, in names."""
    if motion.does is Does.BALL:
        return "ball"
    return motion.along if motion.along in ("x", "y", "z") else f"{number + 1}"


def motion_pose(motion: Motion, axis: Floats, values: Floats, way_per_radian: float) -> Floats:
    """What a motion does to a frame (4, 4), at its values."""
    if motion.does is Does.BALL:
        return compose(matrix_from_quaternion(values[:4]), np.zeros(3))
    if motion.does is Does.SLIDE:
        return compose(np.eye(3), values[0] * axis)
    return compose(axis_angle_matrix(axis, values[0]), values[0] * way_per_radian * axis)


def add_thread(
    model: MjcfDocument, body: ET.Element, joint: Joint, hinge: str, home: float, axis: Floats
) -> None:
    """The slide of a thread, which follows its hinge; MuJoCo counts both from home."""
    slide = model.add_joint(
        body, f"{joint.name}.way", "slide", (joint.way_per_radian * home,), axis=numbers(axis)
    )
    put(
        model.equality,
        "joint",
        name=model.names.new("equality", f"{joint.name}.thread"),
        joint1=slide,
        joint2=hinge,
        polycoef=numbers(0.0, joint.way_per_radian, 0.0, 0.0, 0.0),
    )


def add_free_joint(model: MjcfDocument, body: ET.Element, joint: Joint) -> str:
    """A free joint of a body in the world, where alone MuJoCo has them."""
    name, dynamics = model.names.new("joint", joint.name), dynamics_of(joint)
    tag, kind = ("joint", {"type": "free"}) if dynamics else ("freejoint", {})
    element = put(body, tag, name=name, **kind, **dynamics)
    model.home[element] = (*model.poses[body][:3, 3], *quaternion(body))
    return name


def add_free_base(model: MjcfDocument, body: ET.Element) -> None:
    """The freedoms of the root link where the file says that it is free."""
    element = put(body, "freejoint", name=model.names.new("joint", "base"))
    model.home[element] = (*model.poses[body][:3, 3], *quaternion(body))
    model.notes.append("The base is free: it falls unless a ground is added below it.")


def quaternion(body: ET.Element) -> tuple[float, ...]:
    """The quaternion wxyz as it was written."""
    return tuple(float(part) for part in body.get("quat", "1 0 0 0").split())


def dynamics_of(joint: Joint) -> dict[str, str]:
    """Damping, dry friction and armature of a joint, where there are any."""
    given = {
        "damping": joint.damping,
        "frictionloss": joint.friction,
        "armature": joint.armature,
    }
    return {name: numbers(value) for name, value in given.items() if value}


def range_of(joint: Joint) -> dict[str, str]:
    """Limits of a joint, where there are any."""
    if joint.limit is None:
        return {}
    return {"limited": "true", "range": interval(joint.limit)}


# ------------------------------------------------------------- cylinders


def add_cylinder(model: MjcfDocument, number: int) -> None:
    """Tube and rod of an actuator, and the slide joint whose position is its length [m].

    The tube hangs on its parent by two hinges, the pin first, the rod in the tube by a slide;
    a `connect` ties the rod's end to its parent. That removes the three freedoms which the
    hinges and the slide bring, so that the cylinder neither adds nor takes any.
    """
    actuator = model.robot.actuators[number]
    length = float(model.state.lengths[number])
    X_WT, X_WR = model.state.pose(actuator.tube), model.state.pose(actuator.rod)
    tube = model.add_body(model.bodies[actuator.tube_parent], actuator.tube, X_WT)
    for end, axis in zip((".pin", ".cross"), mount_axes(model, actuator, X_WT), strict=True):
        model.add_joint(tube, actuator.name + end, "hinge", (0.0,), axis=numbers(axis))
    add_link_content(model, tube, model.robot.link(actuator.tube))
    rod = model.add_body(tube, actuator.rod, X_WR)
    R_RT = X_WR[:3, :3].T @ X_WT[:3, :3]
    slide = model.add_joint(
        rod, f"{actuator.name}.length", "slide", (length,), axis=numbers(R_RT @ X_AXIS),
        limited="true", range=interval(actuator.bounds),
    )  # fmt: skip
    add_link_content(model, rod, model.robot.link(actuator.rod))
    model.bodies[actuator.tube], model.bodies[actuator.rod] = tube, rod
    mount = np.asarray(actuator.rod_offset)
    hold(
        model, "connect", f"{actuator.name}.rod",
        (rod, np.zeros(3)), (model.bodies[actuator.rod_parent], mount),
    )  # fmt: skip
    add_position_actuator(model, actuator.name, slide, actuator.force, actuator.bounds, length)


def mount_axes(model: MjcfDocument, actuator: Actuator, X_WT: Floats) -> tuple[Floats, Floats]:
    """The two hinge axes of a tube's mount in the tube's frame, (3,) each.

    The first is the pin, fixed in the parent; the second is square to it and to the cylinder.
    Without a pin, or with one along the cylinder, the tube's own z serves.
    """
    pin = Z_AXIS
    if actuator.tube_axis is not None:
        R_WP = model.state.pose(actuator.tube_parent)[:3, :3]
        given = X_WT[:3, :3].T @ R_WP @ np.asarray(actuator.tube_axis)
        if np.linalg.norm(np.cross(given, X_AXIS)) > 0.05:
            pin = given
    across = np.cross(pin, X_AXIS)
    return pin, across / np.linalg.norm(across)


# ----------------------------------------------------- massless bodies


def give_mass(model: MjcfDocument) -> None:
    """A little mass for bodies that move and have none, which MuJoCo does not take."""
    mass = SMALL_PART * (model.total_mass or 1.0)
    given = []
    for body in model.world.iter("body"):
        if moves(body) and not has_mass(body):
            inertial = ET.Element(
                "inertial", pos="0 0 0", mass=numbers(mass),
                diaginertia=numbers([mass * SMALL_RADIUS**2] * 3),
            )  # fmt: skip
            body.insert(0, inertial)
            given.append(repr(body.get("name")))
    if given:
        model.notes.append(
            f"MuJoCo wants mass in every body that moves; {mass:.3g} kg was given to "
            + ", ".join(given)
        )


def moves(body: ET.Element) -> bool:
    """True if the body has joints of its own."""
    return body.find("joint") is not None or body.find("freejoint") is not None


def has_mass(body: ET.Element) -> bool:
    """True if the body, or one that is rigidly attached to it, has mass."""
    waiting = [body]
    while waiting:
        one = waiting.pop()
        if one.find("inertial") is not None:
            return True
        waiting += [child for child in one.findall("body") if not moves(child)]
    return False
