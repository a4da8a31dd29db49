"""Equality constraints of MJCF: pivots that close loops, and joints that follow others.

- `connect` holds a point of two bodies together. One between two bodies is a ball, or a pin where
  the loop that it closes moves in a plane; two are a pin through both points; more are a weld.
- `weld` holds two bodies together.
- `joint` with a linear polynomial makes a joint follow another.

In MRDF two links have one joint between them, or one pair of joints that closes a loop. Where there
is a joint already, the pair holds a link without mass that is fixed to the first body.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ...spatial import compose, invert, transform_points
from ..urdf_values import called
from .defaults import Defaults
from .places import Floats, Places, as_fields, unit, z_along
from .tree import Freedom, MjcfBody, MjcfTree, angle_between
from .values import MjcfNames, MjcfValues

PARALLEL = 1e-6  # [rad]: hinges of a loop that moves in a plane
APART = 1e-6  # [m]: points of connects that are two and not one
UNKNOWN = "is not understood and left out"


@dataclass(eq=False)
class Point:
    """A connect: a point of two bodies, in the axes of each, (3,)."""

    name: str
    one: MjcfBody
    other: MjcfBody
    p_one: Floats
    p_other: Floats


@dataclass(eq=False)
class MjcfClosure:
    """What closes a loop: a pivot's pose on each of two bodies, (4, 4), and the pivot's type."""

    name: str
    type: str
    one: MjcfBody
    other: MjcfBody
    X_one: Floats
    X_other: Floats

    @property
    def path(self) -> list[Freedom]:
        """The joints of the loop that it closes."""
        return [freedom for _, freedom in path_between(self.one, self.other)]


@dataclass
class Equalities:
    """What the equality constraints of a file make."""

    closures: list[MjcfClosure] = field(default_factory=list)
    repeaters: list[dict[str, Any]] = field(default_factory=list)


class EqualityReader:
    """Reads `<equality>`."""

    def __init__(
        self,
        tree: MjcfTree,
        defaults: Defaults,
        places: Places,
        names: MjcfNames,
        values: MjcfValues,
    ) -> None:
        self.tree, self.defaults, self.places = tree, defaults, places
        self.names, self.values = names, values
        self.singles = {name: f for name, f in tree.freedoms.items() if f.is_single}

    def read(self, root: Element) -> Equalities:
        """All constraints of all `<equality>` elements."""
        found = Equalities()
        points: dict[tuple[int, int], list[Point]] = {}
        number = {id(body): n for n, body in enumerate(self.tree.bodies)}
        for element in (e for section in root.findall("equality") for e in section):
            place = called(str(element.tag)[:80], element)
            whole = self.defaults.merged(element)
            if whole.get("active", "true").strip() == "false":
                self.values.remark("the constraint is not active, and is left out", place)
            elif element.tag == "connect":
                if (point := self._connect(whole, place)) is not None:
                    one, other = number[id(point.one)], number[id(point.other)]
                    key = (min(one, other), max(one, other))
                    points.setdefault(key, []).append(point)
            elif element.tag == "weld":
                found.closures += self._weld(whole, place)
            elif element.tag == "joint":
                found.repeaters += self._follow(whole, place)
            else:
                self.values.remark(f"this constraint {UNKNOWN}", place)
        found.closures += [self._pivot(group) for group in points.values()]
        found.repeaters = self._once(found.repeaters)
        return found

    # ------------------------------------------------------------------ ends

    def _ends(
        self, element: Element, place: str
    ) -> tuple[tuple[MjcfBody, Floats], tuple[MjcfBody, Floats]] | None:
        """Two bodies with a pose in each that become one, (4, 4); None if that is not given.

        By sites: their poses. By bodies: the first body's frame, and where that stands in the
        second one with all joints at `ref`.
        """
        if "site1" in element.attrib or "site2" in element.attrib:
            names = [
                self.values.named(element, place, key, self.tree.sites, "site")
                for key in ("site1", "site2")
            ]
            if names[0] is None or names[1] is None:
                self._lacking(element, place, ("site1", "site2"))
                return None
            return self.tree.sites[names[0]], self.tree.sites[names[1]]
        known = self.tree.by_name
        name = self.values.named(element, place, "body1", known, "body")
        other = self.values.named(element, place, "body2", known, "body")
        if name is None:
            self._lacking(element, place, ("body1",))
            return None
        if other is None and "body2" in element.attrib:
            return None
        one, two = known[name], known["world"] if other is None else known[other]
        return (one, np.eye(4)), (two, invert(two.X_WB) @ one.X_WB)

    def _lacking(self, element: Element, place: str, keys: tuple[str, ...]) -> None:
        for key in keys:
            self.values.text(element, place, key)

    def _is_idle(self, one: MjcfBody, other: MjcfBody, place: str) -> bool:
        """Whether this closes no loop, which is told: bodies that no joint parts, or mocap's."""
        if "true" in (one.element.get("mocap", ""), other.element.get("mocap", "")):
            message = "it pulls at a body from outside (mocap), which is no part of the machine"
            self.values.remark(f"{message}; the constraint is left out", place)
            return True
        if one is not other and path_between(one, other):
            return False
        message = "both ends lie on one body, or on bodies that do not move against each other"
        self.values.remark(f"{message}; the constraint is left out", place)
        return True

    # -------------------------------------------------------------- closures

    def _connect(self, element: Element, place: str) -> Point | None:
        ends = self._ends(element, place)
        if ends is None:
            return None
        (one, X_one), (other, X_other) = ends
        anchor = np.zeros(3)
        if "site1" not in element.attrib:
            given = self.values.vector(element, place, "anchor", None, 3)
            if given is None:
                return None
            anchor = np.array(given)
        if self._is_idle(one, other, place):
            return None
        name = self.names.own("equality", element, f"{one.name}/{other.name}")
        ends_at = transform_points(X_one, anchor), transform_points(X_other, anchor)
        return Point(name, one, other, *ends_at)

    def _weld(self, element: Element, place: str) -> list[MjcfClosure]:
        ends = self._ends(element, place)
        if ends is None or self._is_idle(ends[0][0], ends[1][0], place):
            return []
        (one, X_one), (other, X_other) = ends
        if "site1" not in element.attrib:
            X_one, X_other = invert(X_other), np.eye(4)
            relative = self.values.numbers(element, place, "relpose", 7, 7)
            if relative is not None and any(relative[3:]):
                X_one = compose(self.places.quaternion(relative[3:]), relative[:3])
        name = self.names.own("equality", element, f"{one.name}/{other.name}")
        return [MjcfClosure(name, "fixed", one, other, X_one, X_other)]

    def _pivot(self, points: list[Point]) -> MjcfClosure:
        """What the connects between two bodies are together."""
        first = points[0]
        one, other = first.one, first.other
        ends = [(p.p_one, p.p_other) if p.one is one else (p.p_other, p.p_one) for p in points]
        a, b = ends[0]
        apart = [(p - a, q - b) for p, q in ends[1:] if np.linalg.norm(p - a) > APART]
        if not apart:
            axis = self._plane(one, other)
            if axis is None:
                X_one, X_other = compose(np.eye(3), a), compose(np.eye(3), b)
                return MjcfClosure(first.name, "spherical", one, other, X_one, X_other)
            directions = one.X_WB[:3, :3].T @ axis, other.X_WB[:3, :3].T @ axis
            return self._pin(first, (a, b), directions)
        line = max(apart, key=lambda vectors: float(np.linalg.norm(vectors[0])))
        others = [v for v in apart if np.linalg.norm(np.cross(line[0], v[0])) > APART**2]
        if not others:
            return self._pin(first, (a, b), line)
        self.values.remark("three connects between two bodies are a weld", first.name)
        across = max(others, key=lambda v: float(np.linalg.norm(np.cross(line[0], v[0]))))
        X_one, X_other = (
            compose(_triad(line[k], across[k]), point) for k, point in enumerate((a, b))
        )
        return MjcfClosure(first.name, "fixed", one, other, X_one, X_other)

    def _pin(
        self, point: Point, places: tuple[Floats, Floats], directions: tuple[Floats, Floats]
    ) -> MjcfClosure:
        """A pin whose axis is z of its pose on either body."""
        poses = []
        for p, direction in zip(places, directions, strict=True):
            R = z_along(direction)
            poses.append(compose(np.eye(3) if R is None else R, p))
        return MjcfClosure(point.name, "revolute", point.one, point.other, *poses)

    def _plane(self, one: MjcfBody, other: MjcfBody) -> Floats | None:
        """The axis square to the plane that a loop moves in, in the world; None if in none.

        The loop does so if its hinges are parallel and its slides square to them, at any pose.
        """
        axis = None
        path = path_between(one, other)
        turning = [(body, freedom) for body, freedom in path if freedom.kind == "hinge"]
        if len(turning) + sum(freedom.kind == "slide" for _, freedom in path) < len(path):
            return None
        for body, freedom in turning:
            own = body.X_WB[:3, :3] @ freedom.axis
            axis = own if axis is None else axis
            if angle_between(axis, own) > PARALLEL:
                return None
        for body, freedom in path:
            if axis is not None and freedom.kind == "slide":
                along = body.X_WB[:3, :3] @ freedom.axis
                if angle_between(axis, along) < math.pi / 2 - PARALLEL:
                    return None
        return axis

    # ------------------------------------------------------------- followers

    def _follow(self, element: Element, place: str) -> list[dict[str, Any]]:
        """A repeater: y - y0 = c0 + c1 (x - x0), with x0 and y0 the joints' positions `ref`."""
        known = self.singles
        joint = self.values.named(element, place, "joint1", known, "hinge or slide")
        leader = self.values.named(element, place, "joint2", known, "hinge or slide")
        given = self.values.numbers(element, place, "polycoef", 1, 5)
        if joint is None:
            self._lacking(element, place, ("joint1",))
            return []
        if leader is None:
            if "joint2" not in element.attrib:
                self.values.remark(f"a joint that is held still {UNKNOWN}", place)
            return []
        coefficients = [*(given or [0.0, 1.0]), 0.0, 0.0, 0.0, 0.0, 0.0][:5]
        if given is not None and len(given) == 1:
            coefficients[1] = 1.0  # MuJoCo's default stays where the file gives fewer
        if any(coefficients[2:]):
            self.values.remark(f"a polynomial that is not linear {UNKNOWN}", place)
            return []
        x0, y0 = known[leader].ref, known[joint].ref
        ratio = coefficients[1]
        name = self.names.own("repeater", element, f"{joint} follows {leader}")
        offset = y0 + coefficients[0] - ratio * x0
        return [{"name": name, "joint": joint, "follows": leader, "ratio": ratio, "offset": offset}]

    def _once(self, repeaters: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Repeaters without those of a joint that follows already, and without circles."""
        by_joint: dict[str, dict[str, Any]] = {}
        for repeater in repeaters:
            if by_joint.setdefault(repeater["joint"], repeater) is not repeater:
                message = "its joint follows another already; the constraint is left out"
                self.values.remark(message, repeater["name"])
        sound: set[str] = set()
        for start in list(by_joint):
            chain: dict[str, None] = {}
            joint = start
            while joint in by_joint and joint not in sound and joint not in chain:
                chain[joint] = None
                joint = by_joint[joint]["follows"]
            if joint in chain:
                message = "its joint would follow itself; the constraint is left out"
                self.values.remark(message, by_joint.pop(joint)["name"])
            sound |= chain.keys()
        return list(by_joint.values())


def path_between(one: MjcfBody, other: MjcfBody) -> list[tuple[MjcfBody, Freedom]]:
    """The joints between two bodies along the tree, each with the body that it moves."""
    ways = []
    for end in (one, other):
        way, body = [], end
        while body.parent is not None:
            way.append(body)
            body = body.parent
        ways.append(way)
    shared = set(ways[0]) & set(ways[1])
    return [(b, f) for way in ways for b in way if b not in shared for f in b.freedoms]


def _triad(along: Floats, across: Floats) -> Floats:
    """Axes with x along one vector and y as near another as can be, (3, 3)."""
    x = unit(along)
    assert x is not None
    y = unit(across - (across @ x) * x)
    assert y is not None
    return np.stack([x, y, np.cross(x, y)], axis=1)


def closing_joints(
    closure: MjcfClosure, joined: set[frozenset[str]], names: MjcfNames
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Links and joints of a closure; `joined` are pairs of links that have a joint or a pair."""
    one, other = closure.one.name, closure.other.name
    links, joints = [], []
    X_one = closure.X_one
    if frozenset((one, other)) in joined:
        held = names.new("body", closure.name)
        links.append({"name": held})
        joints.append(
            {
                "name": names.new("joint", f"{closure.name} mount"),
                "type": "fixed",
                "parent": one,
                "child": held,
                **as_fields(X_one, "origin_"),
            }
        )
        one, X_one = held, np.eye(4)
    joined.add(frozenset((one, other)))
    for end, parent, child, X in (("a", one, other, X_one), ("b", other, one, closure.X_other)):
        joint: dict[str, Any] = {
            "name": names.new("joint", f"{closure.name}.{end}"),
            "type": closure.type,
            "parent": parent,
            "child": child,
            **as_fields(X, "origin_"),
        }
        if closure.type == "revolute":
            joint["axis"] = [0.0, 0.0, 1.0]
        joints.append(joint)
    return links, joints
