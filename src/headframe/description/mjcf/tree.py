"""The tree of bodies in MJCF: where each stands, what moves it, and what lies in it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ...errors import BoundsError, ValueRangeError
from ...spatial import axis_angle_matrix, compose, quaternion_from_matrix, rotated
from ..urdf_values import called, short
from .compiler import Settings
from .defaults import Defaults
from .places import Floats, Places, moved, unit
from .values import MjcfNames, MjcfValues, PlacedElement

KINDS = ("free", "ball", "slide", "hinge")
MAKERS = ("replicate", "composite", "flexcomp", "attach")  # they make bodies that are not there
STILL = ("camera", "light", "plugin")


@dataclass(eq=False)
class Freedom:
    """A joint of MJCF: it moves its body, seen from where the joints before it have put that.

    Attributes:
        name: of the joint.
        kind: "free", "ball", "slide" or "hinge".
        pos: of the joint in the body's frame [m], (3,).
        axis: unit vector in the body's frame, (3,).
        ref: position at which the body stands where the file has it [rad, m].
        limit: lowest and highest position [rad, m]; None if there are none.
        element: what the file says, defaults included.
        place: for messages.
    """

    name: str
    kind: str
    pos: Floats
    axis: Floats
    ref: float
    limit: tuple[float, float] | None
    element: Element
    place: str

    @property
    def is_single(self) -> bool:
        """Whether it has one freedom."""
        return self.kind in ("hinge", "slide")

    @property
    def before(self) -> Floats:
        """X_BJ, the joint in the body's frame, (4, 4)."""
        return moved(self.pos) if self.kind in ("hinge", "ball") else np.eye(4)

    @property
    def after(self) -> Floats:
        """The body in the joint's moving frame, (4, 4): back by `ref`, back by `pos`."""
        return self.turned(-self.ref) @ moved(-self.before[:3, 3])

    def turned(self, q: float) -> Floats:
        """What a position does, (4, 4)."""
        if self.kind == "slide":
            return moved(q * self.axis)
        if self.kind == "hinge":
            return compose(axis_angle_matrix(self.axis, q), np.zeros(3))
        return np.eye(4)


@dataclass(eq=False)
class MjcfBody:
    """A body: its pose in its parent X_PB and in the world X_WB where all joints are at `ref`.

    Attributes:
        name: of the body, and of its link.
        parent: None for the world.
        X_PB, X_WB: (4, 4).
        element: what the file says.
        place: for messages.
        freedoms: its joints, in their order.
        geoms: elements of its shapes with their poses X_BG, (4, 4).
        inertial: the element that says what it weighs.
        X_BI: pose of that element, (4, 4).
    """

    name: str
    parent: MjcfBody | None
    X_PB: Floats
    X_WB: Floats
    element: Element
    place: str
    freedoms: list[Freedom] = field(default_factory=list)
    geoms: list[tuple[PlacedElement, Floats]] = field(default_factory=list)
    inertial: Element | None = None
    X_BI: Floats = field(default_factory=lambda: np.eye(4))


@dataclass
class MjcfTree:
    """All bodies, parents before children and depth first, as MuJoCo numbers them.

    Attributes:
        bodies: the world first.
        by_name: bodies by the names that the file has for them.
        freedoms: all joints in the order of MuJoCo's positions.
        sites: body and pose X_BS in it of every site that has a name.
    """

    bodies: list[MjcfBody]
    by_name: dict[str, MjcfBody] = field(default_factory=dict)
    freedoms: dict[str, Freedom] = field(default_factory=dict)
    sites: dict[str, tuple[MjcfBody, Floats]] = field(default_factory=dict)


class TreeReader:
    """Walks through the bodies; notes problems and goes on."""

    def __init__(
        self,
        settings: Settings,
        defaults: Defaults,
        places: Places,
        names: MjcfNames,
        values: MjcfValues,
    ) -> None:
        self.settings, self.defaults, self.places = settings, defaults, places
        self.names, self.values = names, values

    def tree(self, root: Element) -> MjcfTree:
        """All bodies of all `<worldbody>` elements."""
        I = np.eye(4)
        name = self.names.new("body", "world")
        world = MjcfBody(name, None, I, I, root, "worldbody")
        tree = MjcfTree([world], {name: world})
        waiting: list[tuple[Element, MjcfBody, Floats, str]] = []
        for element in reversed(root.findall("worldbody")):
            waiting += self._content(element, world, "", tree)[::-1]
        while waiting:
            element, parent, X_PB, around = waiting.pop()
            body = self._body(element, parent, X_PB, tree)
            inside = self.defaults.childclass(element, around)
            waiting += self._content(element, body, inside, tree)[::-1]
        return tree

    def _body(self, element: Element, parent: MjcfBody, X_PF: Floats, tree: MjcfTree) -> MjcfBody:
        name = self.names.own("body", element, f"body {len(tree.bodies)}")
        place = f"body {short(name)}"
        X_PB = X_PF @ self.places.pose(element, place)
        body = MjcfBody(name, parent, X_PB, parent.X_WB @ X_PB, element, place)
        tree.bodies.append(body)
        tree.by_name.setdefault(name, body)
        if element.get("mocap", "false").strip() == "true":
            self.values.remark("the mocap body stands still", place)
        if (element.get("gravcomp") or "0").strip() not in ("0", "0.0"):
            self.values.remark("gravcomp is not kept: gravity pulls in full", place)
        return body

    def _content(
        self, element: Element, body: MjcfBody, childclass: str, tree: MjcfTree
    ) -> list[tuple[Element, MjcfBody, Floats, str]]:
        """Put what lies in a body into it, through frames; gives the bodies that it carries."""
        carried = []
        waiting = [(child, np.eye(4), childclass) for child in reversed(element)]
        while waiting:
            child, X_BF, around = waiting.pop()
            tag = str(child.tag)
            if tag == "body":
                carried.append((child, body, X_BF, around))
            elif tag == "frame":
                X = X_BF @ self.places.pose(child, called("frame", child))
                inside = self.defaults.childclass(child, around)
                waiting += [(inner, X, inside) for inner in reversed(child)]
            elif tag in ("joint", "freejoint"):
                self._joint(child, body, X_BF, around, tree)
            elif tag == "geom":
                geom = self.defaults.merged(child, around)
                place = f"{body.place}/{called('geom', child)}"
                own = np.eye(4) if "fromto" in geom.attrib else self.places.pose(geom, place, True)
                body.geoms.append((geom, X_BF @ own))
            elif tag == "site":
                self._site(child, body, X_BF, around, tree)
            elif tag == "inertial":
                body.inertial = child
                body.X_BI = X_BF @ self.places.pose(child, f"{body.place}/inertial", soft=True)
            elif tag in MAKERS:
                place = f"{body.place}/{tag}"
                self.values.remark(f"<{tag}> is not understood; what it makes is left out", place)
            elif tag in STILL:
                self.values.ignored[tag] += 1
            else:
                self.values.remark(f"<{tag[:80]}> is not understood and left out", body.place)
        return carried

    def _site(
        self, element: Element, body: MjcfBody, X_BF: Floats, around: str, tree: MjcfTree
    ) -> None:
        site = self.defaults.merged(element, around)
        name = site.get("name", "")
        place = called("site", element)
        X_BS = X_BF @ self.places.pose(site, place, soft=True)
        fromto = self.values.numbers(site, place, "fromto", 6, 6, "it is not placed by them")
        if fromto is not None:
            X_BS = X_BF @ moved((np.array(fromto[:3]) + fromto[3:]) / 2)
        if name:
            tree.sites[name] = body, X_BS

    # ---------------------------------------------------------------- joints

    def _joint(
        self, element: Element, body: MjcfBody, X_BF: Floats, around: str, tree: MjcfTree
    ) -> None:
        free = element.tag == "freejoint"
        joint = element if free else self.defaults.merged(element, around)
        wanted = f"{body.name} joint" if not body.freedoms else f"{body.name} joint 2"
        name = self.names.own("joint", joint, wanted)
        place = f"joint {short(name)}"
        kind = "free" if free else self.values.word(joint, place, "type", "hinge", KINDS)
        if body.parent is None:
            self.values.complain(ValueRangeError, place, element, "the world cannot have a joint")
            return
        if kind == "free" and (body.parent.parent is not None or body.freedoms):
            message = "a free joint is only of a body in the world, and its only one"
            self.values.complain(ValueRangeError, place, element, message)
            return
        if body.freedoms and body.freedoms[0].kind == "free":
            message = "the body has a free joint already"
            self.values.complain(ValueRangeError, place, element, message)
            return
        pos = rotated(X_BF, self._vector(joint, place, "pos", 0.0)) + X_BF[:3, 3]
        axis = unit(rotated(X_BF, self._vector(joint, place, "axis", 1.0)))
        if axis is None:
            message = f"found {short(joint.get('axis', ''))}, expected a vector with a length"
            self.values.complain(ValueRangeError, f"{place}@axis", joint, message)
            return
        scale = self.settings.angle if kind == "hinge" else 1.0
        ref = 0.0
        if kind in ("hinge", "slide"):
            ref = (self.values.number(joint, place, "ref", 0.0) or 0.0) * scale
        limit = None if kind == "free" else self._limit(joint, place, kind, scale)
        freedom = Freedom(name, kind, pos, axis, ref, limit, joint, place)
        body.freedoms.append(freedom)
        tree.freedoms[name] = freedom

    def _vector(self, joint: Element, place: str, key: str, z: float) -> Floats:
        return np.array(self.values.vector(joint, place, key, [0.0, 0.0, z]) or [0.0, 0.0, z])

    def _limit(
        self, joint: Element, place: str, kind: str, scale: float
    ) -> tuple[float, float] | None:
        """The range of a joint that is limited."""
        limited = self.values.word(joint, place, "limited", "auto", ("true", "false", "auto"))
        found = None
        if "range" in joint.attrib:
            found = self.values.vector(joint, place, "range", None, 2)
        automatic = limited == "auto" and self.settings.autolimits
        if limited == "true" and found is None:
            message = "the joint is limited, but has no range"
            self.values.forgive(BoundsError, place, joint, message, "it is not limited")
        if found is None or not (limited == "true" or automatic):
            return None
        if kind == "ball":
            self.values.remark("the range of a ball joint is not kept", place)
            return None
        lower, upper = (value * scale for value in found)
        if lower == upper == 0.0 and automatic:
            return None
        if lower > upper:
            message = f"found range {joint.get('range')}, expected the smaller number first"
            self.values.complain(BoundsError, f"{place}@range", joint, message)
            return None
        return lower, upper


def at_ref(body: MjcfBody, freedom: Freedom) -> Any:
    """The position of a joint where the file has its body, as MRDF writes it."""
    if freedom.kind == "free":
        quat = quaternion_from_matrix(body.X_WB[:3, :3])
        return [*map(float, quat), *map(float, body.X_WB[:3, 3])]
    return [1.0, 0.0, 0.0, 0.0] if freedom.kind == "ball" else freedom.ref


def angle_between(a: Floats, b: Floats) -> float:
    """Angle between two lines along unit vectors [rad], 0 to pi/2."""
    return math.atan2(float(np.linalg.norm(np.cross(a, b))), abs(float(a @ b)))
