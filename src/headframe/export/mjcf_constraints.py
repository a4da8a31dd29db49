"""Everything in MJCF that is not a body: closures, repeaters, springs, motors, the home pose."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import numpy as np

from ..description import Does, Joint, Keeps, Repeater, Spring
from ..topology import Closure
from .mjcf_model import Floats, MjcfDocument
from .xml_text import numbers, put

# A pin is held at two points this far to either side of its middle [m]
PIN_REACH = 0.1


def add_closure(model: MjcfDocument, closure: Closure) -> None:
    """One pivot that closes a loop, by what MuJoCo has for it.

    - a hinge: the pin is held at two points on its axis;
    - a ball: one point is held;
    - rigid: a weld;
    - others: a body that moves so on link A is welded to link B.
    """
    on_a, on_b = (model.robot.joints[j] for j in (closure.forward, closure.backward))
    name = f"{on_a.name}/{on_b.name}"
    body_a, body_b = model.bodies[on_a.parent], model.bodies[on_b.parent]
    if on_a.kind.is_hinge:
        axis_a, axis_b = axis_in_link(on_a), axis_in_link(on_b)
        R_WA, R_WB = model.poses[body_a][:3, :3], model.poses[body_b][:3, :3]
        sense = 1.0 if (R_WA @ axis_a) @ (R_WB @ axis_b) > 0 else -1.0
        for end, reach in ((".1", PIN_REACH), (".2", -PIN_REACH)):
            p_a = on_a.origin[:3, 3] + reach * axis_a
            p_b = on_b.origin[:3, 3] + reach * sense * axis_b
            hold(model, "connect", name + end, (body_a, p_a), (body_b, p_b))
    elif on_a.kind.keeps == (Keeps.POINT,):
        ends = (body_a, on_a.origin[:3, 3]), (body_b, on_b.origin[:3, 3])
        hold(model, "connect", name, *ends)
    elif on_a.kind.is_fixed:
        hold(model, "weld", name, (body_a, on_a.origin), (body_b, on_b.origin))
    else:
        X_WB = model.poses[body_b] @ on_b.origin
        carrier = add_carrier(model, name, on_a, on_b, body_a, X_WB)
        hold(model, "weld", name, (carrier, np.eye(4)), (body_b, on_b.origin))


def add_carrier(
    model: MjcfDocument, name: str, on_a: Joint, on_b: Joint, body_a: ET.Element, X_WB: Floats
) -> ET.Element:
    """A body on link A that moves as the closing joint lets it; at home it stands at `X_WB`."""
    carrier = model.add_body(body_a, name, X_WB)
    R_BA = X_WB[:3, :3].T @ model.poses[body_a][:3, :3]
    p_WA = (model.poses[body_a] @ on_a.origin)[:3, 3]
    p_AB = X_WB[:3, :3].T @ (X_WB[:3, 3] - p_WA)
    motions = on_a.kind.motions
    for n, motion in enumerate(motions, 1):
        one = name if len(motions) == 1 else f"{name}.{n}"
        if motion.does is Does.BALL:
            model.add_joint(carrier, one, "ball", (1.0, 0.0, 0.0, 0.0))
            continue
        axis = R_BA @ on_a.origin[:3, :3] @ on_a.direction(motion)
        if motion.along == "axis2":  # the first one of the half on B
            axis = on_b.direction()
        slides = motion.does is Does.SLIDE
        home, word = (float(p_AB @ axis), "slide") if slides else (0.0, "hinge")
        model.add_joint(carrier, one, word, (home,), axis=numbers(axis))
    return carrier


def axis_in_link(joint: Joint) -> Floats:
    """Axis of a joint in its parent link, (3,)."""
    axis: Floats = joint.origin[:3, :3] @ joint.direction()
    return axis


def hold(
    model: MjcfDocument,
    kind: str,
    name: str,
    one: tuple[ET.Element, Floats],
    other: tuple[ET.Element, Floats],
) -> None:
    """A connect between two points (3,) or a weld between two poses (4, 4) of two bodies.

    Given by sites, so that both ends are the machine's own figures: the residual that MuJoCo
    reports is the true gap.
    """
    put(
        model.equality,
        kind,
        name=model.names.new("equality", name),
        site1=model.add_site(one[0], f"{name}.a", one[1]),
        site2=model.add_site(other[0], f"{name}.b", other[1]),
    )


def add_repeater(model: MjcfDocument, repeater: Repeater) -> None:
    """q[joint] = ratio q[follows] + offset, as MuJoCo's polynomial about the home pose.

    MuJoCo's is y - y0 = c0 + c1 (x - x0) with x0, y0 at home.
    """
    joint = model.joints.get(repeater.joint, [])
    follows = model.joints.get(repeater.follows, [])
    if len(joint) != 1 or len(follows) != 1:
        model.notes.append(
            f"repeater {repeater.name!r} is left out: {repeater.joint!r} or {repeater.follows!r} "
            "is not a joint of one freedom in the tree"
        )
        return
    x0, y0 = (float(model.state.joints[n]) for n in (repeater.follows, repeater.joint))
    constant = repeater.ratio * x0 + repeater.offset - y0
    put(
        model.equality,
        "joint",
        name=model.names.new("equality", repeater.name),
        joint1=joint[0],
        joint2=follows[0],
        polycoef=numbers(constant, repeater.ratio, 0.0, 0.0, 0.0),
    )


def add_spring(model: MjcfDocument, spring: Spring) -> None:
    """A straight tendon with stiffness [N/m], rest length [m] and damping [N s/m]."""
    tendon = put(
        model.tendon,
        "spatial",
        name=model.names.new("tendon", spring.name),
        stiffness=numbers(spring.stiffness),
        springlength=numbers(spring.rest_length),
        damping=numbers(spring.damping),
        width="0.02",
    )
    ends = ((".a", spring.link_a, spring.point_a), (".b", spring.link_b, spring.point_b))
    for end, link, point in ends:
        site = model.add_site(model.bodies[link], spring.name + end, point)
        put(tendon, "site", site=site)


def add_home(model: MjcfDocument) -> None:
    """The home pose as a keyframe: positions in the order of the bodies, and commands."""
    positions = [
        value
        for element in model.world.iter()
        if element.tag in ("joint", "freejoint")
        for value in model.home[element]
    ]
    key = put(model.keyframe, "key", name="home")
    if positions:
        key.set("qpos", numbers(positions))
    if model.controls:
        key.set("ctrl", numbers(model.controls))
