"""The body tree in MJCF: main links, then tubes and rods.

Bodies are written where they stand in the home pose, and joints get `ref`, so that MuJoCo's
default configuration is the home pose and its joint positions are Headframe's.
"""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np

from ..description import Actuator, Joint, Limit, Link
from ..errors import ExportError
from ..spatial import axis_angle_matrix, invert
from .mjcf_constraints import hold
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
    still = {root.name}  # links that never move
    depth = {root.name: 1}
    model.bodies[root.name] = model.add_body(model.world, root.name, state.pose(root.name))
    add_link_content(model, model.bodies[root.name], root)
    for j in topology.tree_joints:
        joint = robot.joints[j]
        link = robot.link(joint.child)
        parent = model.bodies[joint.parent]
        if joint.type == "fixed" and joint.parent in still:
            still.add(link.name)
        if joint.type == "free" and joint.parent in still:
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
    X_CJ = invert(link.pose)
    R_CJ, p_CJ = X_CJ[:3, :3], X_CJ[:3, 3]
    axis = np.asarray(joint.axis or X_AXIS)
    value = model.state.joints.get(joint.name)
    common = dynamics_of(joint) | {"pos": numbers(p_CJ)}
    if joint.type in ("revolute", "continuous", "prismatic"):
        kind = "slide" if joint.type == "prismatic" else "hinge"
        home = float(value)  # type: ignore[arg-type]
        common |= {"axis": numbers(R_CJ @ axis)} | range_of(joint)
        return [model.add_joint(body, joint.name, kind, (home,), **common)]
    if joint.type == "universal":
        first, second = (float(part) for part in value)  # type: ignore[union-attr]
        axis2 = np.asarray(joint.axis2 or (0.0, 1.0, 0.0))
        # the second rotation stands between the first axis and the body
        axis = axis_angle_matrix(axis2, second).T @ axis
        parts = ((".1", first, axis), (".2", second, axis2))
        return [
            model.add_joint(
                body, joint.name + end, "hinge", (home,), axis=numbers(R_CJ @ about), **common
            )
            for end, home, about in parts
        ]
    if joint.type == "spherical":
        return [model.add_joint(body, joint.name, "ball", (1.0, 0.0, 0.0, 0.0), **common)]
    if joint.type == "free":
        return add_free_joint(model, body, joint, link)
    return []


def add_free_joint(model: MjcfDocument, body: ET.Element, joint: Joint, link: Link) -> list[str]:
    """A free joint; below a body that moves, three slides and a ball.

    The slides' positions are the translation of the joint's frame; the ball's quaternion is the
    rotation since home, as all of MuJoCo's balls.
    """
    body_name, dynamics = body.get("name", ""), dynamics_of(joint)
    if any(child is body for child in model.world):
        name = model.names.new("joint", joint.name)
        tag, kind = ("joint", {"type": "free"}) if dynamics else ("freejoint", {})
        element = put(body, tag, name=name, **kind, **dynamics)
        X_WB = model.poses[body]
        model.home[element] = (*X_WB[:3, 3], *quaternion(body))
        return [name]
    X_WJ = model.state.pose(joint.parent) @ joint.origin
    X_WC = model.poses[body]
    X_CJ = invert(link.pose)
    p_JC = (invert(X_WJ) @ X_WC @ X_CJ)[:3, 3]  # where the joint has moved its frame to
    R_CJ_home = X_WC[:3, :3].T @ X_WJ[:3, :3]
    names = [
        model.add_joint(
            body,
            f"{joint.name}.{letter}",
            "slide",
            (p_JC[i],),
            axis=numbers(R_CJ_home[:, i]),
            **dynamics,
        )
        for i, letter in enumerate("xyz")
    ]
    model.notes.append(
        f"joint {joint.name!r} is free, but body {body_name!r} hangs on a body that moves: "
        "three slides and a ball stand for it"
    )
    ball = model.add_joint(
        body, f"{joint.name}.ball", "ball", (1.0, 0.0, 0.0, 0.0), pos=numbers(X_CJ[:3, 3]),
        **dynamics,
    )  # fmt: skip
    return [*names, ball]


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


def interval(limit: Limit) -> str:
    """Two numbers, the second larger than the first, as MuJoCo wants them."""
    lower, upper = limit.lower, limit.upper
    if lower == upper:
        lower, upper = lower - 1e-6, upper + 1e-6
    return numbers(lower, upper)


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
    add_length_actuator(model, actuator, slide, length)


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


def add_length_actuator(model: MjcfDocument, actuator: Actuator, slide: str, length: float) -> None:
    """Holds the slide at the commanded length [m].

    The full force answers an error of 10 mm or a speed of 1 m/s. Where no force is known, ten
    times the machine's weight stands for it, and nothing limits the force.
    """
    force = actuator.force or 98.1 * max(model.total_mass, 1.0)
    stiffness = force / 0.01
    attributes = {}
    if actuator.force:
        attributes = {"forcelimited": "true", "forcerange": numbers(-force, force)}
    put(
        model.actuator, "position", name=model.names.new("actuator", actuator.name), joint=slide,
        kp=numbers(stiffness), kv=numbers(0.01 * stiffness), ctrllimited="true",
        ctrlrange=interval(actuator.bounds), **attributes,
    )  # fmt: skip
    model.controls.append(length)


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
