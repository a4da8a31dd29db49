"""Reading URDF: an XML file becomes the raw form of a canonical MRDF file.

Files from the field are read as they are. What makes the mechanism ambiguous is a problem: a
joint without ends, an origin that is no place, a name that is taken twice. Everything else is a
note that says what was left out or changed. What comes out is checked like any MRDF file. All
problems are collected, each with its element and line.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ..errors import (
    BoundsError,
    DisconnectedError,
    InertiaError,
    MassError,
    MissingFieldError,
    NameUnknownError,
    NotXmlError,
    Problem,
    UnknownFieldError,
    ValueRangeError,
    suggest,
)
from .inputs import FULL_SPEED
from .joint_kinds import JOINT_KINDS
from .packages import Library
from .safe_xml import parse_forgiving
from .urdf_shapes import MeshUse, Shapes, turned
from .urdf_values import UrdfValues, called, short, strict_number

WIDE_EFFORT = 1e9  # [N m]: as good as no figure, where URDF wants one
WIDE_SPEED = 1e3  # [rad/s], likewise
JOINT_TYPES = {
    **{kind.urdf: kind.name for kind in JOINT_KINDS.values() if kind.urdf},
    "spherical": "spherical",  # not of URDF itself, but of programs that read it
    "ball": "spherical",
}
KNOWN: dict[str, set[str]] = {
    "robot": {"link", "joint", "material"},
    "link": {"inertial", "visual", "collision"},
    "joint": {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
}
EXPAND = "expand it first: xacro FILE.urdf.xacro > FILE.urdf"
HARMLESS_MACROS = {"property", "arg", "macro"}  # definitions: nothing is missing without them
OTHERS = {  # outermost elements of other formats, and what to do about them
    "sdf": "SDF is not read: take the URDF that it was made from, or convert it, such as with "
    "pysdf: sdf2urdf.py FILE.sdf FILE.urdf",
    "mujoco": "this is MJCF, but its encoding hides it: save it as UTF-8",
    "COLLADA": "this is a mesh: a URDF file names it in <mesh filename=...>",
}


@dataclass
class Parsed:
    """What a URDF file holds.

    Attributes:
        machine: raw form of canonical MRDF, not yet checked; None if the file is not URDF at all.
        problems: what is wrong with the file.
        notes: what was left out or changed.
        meshes: the meshes that it names.
        counts: links and joints as the file has them.
    """

    machine: dict[str, Any] | None
    problems: list[Problem]
    notes: list[str] = field(default_factory=list)
    meshes: MeshUse = field(default_factory=MeshUse)
    counts: dict[str, int] = field(default_factory=dict)


def parse_urdf(data: bytes, library: Library | None = None, strict: bool = False) -> Parsed:
    """Turn a URDF file into the raw form of canonical MRDF.

    Args:
        data: the file.
        library: finds its meshes; if None they are not looked for.
        strict: whether meshes that are missing, and values that are otherwise forgiven with a
            note, are problems.
    """
    root, problems, notes = parse_forgiving(data)
    if root is None:
        return Parsed(None, problems)
    if root.tag != "robot":
        message = f"the outermost element is <{root.tag[:80]}>, not <robot>: this is not URDF"
        return Parsed(None, [Problem(NotXmlError, "", message, OTHERS.get(root.tag, ""))])
    reader = _Reader(root, library, strict)
    machine = reader.robot()
    counts = {"links": len(root.findall("link")), "joints": len(root.findall("joint"))}
    problems, notes = reader.values.problems, notes + reader.notes()
    return Parsed(machine, problems, notes, reader.shapes.meshes, counts)


class _Reader:
    """Walks through the elements; notes problems and goes on."""

    def __init__(self, root: Element, library: Library | None, strict: bool) -> None:
        self.root = root
        self.values = UrdfValues(strict)
        self.shapes = Shapes(root, self.values, library)
        self.ratings = 0  # joints whose effort and velocity limits are left out
        self.joint_names = dict.fromkeys(e.get("name", "") for e in root.findall("joint"))

    def robot(self) -> dict[str, Any]:
        """The whole machine."""
        self._look_for_macros()
        self._look_for_unknown(self.root, "robot", "robot")
        machine: dict[str, Any] = {"mrdf": "1", "name": self._name()}
        links = [self.link(element) for element in self.root.findall("link")]
        joints = [j for e in self.root.findall("joint") for j in self.joint(e, links)]
        self._join(links, joints)
        self.shapes.stand_in(links, joints)
        machine["links"], machine["joints"] = links, joints
        elements = self.root.findall("joint")
        if repeaters := [r for e in elements for r in self.mimic(e)]:
            machine["repeaters"] = repeaters
            if home := _home(joints, repeaters):
                machine["home"] = {"joints": home}
        if motors := [m for e in elements for m in self.motor(e)]:
            machine["motors"] = motors
        return machine

    def notes(self) -> list[str]:
        """What was left out or changed."""
        notes = self.values.notes()
        if self.ratings:
            joints = "1 joint that mimics another"
            if self.ratings > 1:
                joints = f"{self.ratings} joints that mimic others"
            notes.append(f"effort and velocity of {joints} are not kept")
        return notes

    def _name(self) -> str:
        name = self.root.get("name", "").strip()[:256]
        if not name:
            kind, message = MissingFieldError, "the robot has no name"
            self.values.forgive(kind, "robot@name", self.root, message, "it is called 'robot'")
        return name or "robot"

    # ------------------------------------------------------------ links

    def link(self, element: Element) -> dict[str, Any]:
        """A link with its shapes and its inertia."""
        place = called("link", element)
        self._look_for_unknown(element, "link", place)
        link: dict[str, Any] = {}
        name = self.values.text(element, place, "name")
        if name is not None:
            link["name"] = name
        for tag in ("visual", "collision"):
            if shapes := self.shapes.of(element, f"{place}/{tag}"):
                link[tag] = shapes
        inertial = element.find("inertial")
        if inertial is not None:
            content = self.inertial(inertial, f"{place}/inertial")
            if content is not None:
                link["inertial"] = content
        return link

    def inertial(self, element: Element, place: str) -> dict[str, Any] | None:
        """Mass, centre of mass and inertia; the tensor is turned into the link's axes.

        What is not right makes the link massless: the mechanism does not depend on it, and
        dynamics says which links it lacks.
        """
        massless = "the link is massless"
        xyz, rpy = self.values.soft_origin(element, place)
        mass = self._mass(element, place, massless)
        tensor = self._tensor(element, place, massless)
        if mass is None or tensor is None:
            return None
        if mass <= 0.0:
            if mass == 0.0 and not tensor.any():
                self.values.remark("no mass and no inertia; the link is massless", place)
            else:
                message = f"found a mass of {mass:g}, expected more than 0"
                self.values.forgive(MassError, f"{place}/mass", element, message, massless)
            return None
        return {"mass": mass, "com": xyz, "inertia": turned(tensor, rpy).tolist()}

    def _mass(self, element: Element, place: str, massless: str) -> float | None:
        child = element.find("mass")
        if child is None:
            message = "<mass> is missing"
            self.values.forgive(MissingFieldError, place, element, message, massless)
            return None
        return self.values.soft_number(child, f"{place}/mass", "value", None, massless)

    def _tensor(self, element: Element, place: str, massless: str) -> Any:
        """The inertia about the centre of mass in the inertial's axes, (3, 3), or None."""
        child = element.find("inertia")
        if child is None:
            message, instead = "<inertia> is missing", "a point mass is taken"
            self.values.forgive(InertiaError, place, element, message, instead)
            return np.zeros((3, 3))
        words = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        if lacking := [word for word in words if word not in child.attrib]:
            message = f"{', '.join(lacking)} missing"
            kind = MissingFieldError
            self.values.forgive(kind, f"{place}/inertia", child, message, "0 is taken")
        parts = [
            self.values.soft_number(child, f"{place}/inertia", word, 0.0, massless)
            for word in words
        ]
        if None in parts:
            return None
        ixx, ixy, ixz, iyy, iyz, izz = parts
        return np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]], dtype=float)

    # ----------------------------------------------------------- joints

    def joint(self, element: Element, links: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """A joint, or the joints that stand for it; links that they need are added to `links`."""
        place = called("joint", element)
        self._look_for_unknown(element, "joint", place)
        joint: dict[str, Any] = {}
        for key in ("name", "type"):
            word = self.values.text(element, place, key)
            if word is not None:
                joint[key] = word
        for key in ("parent", "child"):
            end = self.values.required(element, place, key)
            link = None if end is None else self.values.text(end, f"{place}/{key}", "link")
            if link is not None:
                joint[key] = link
        joint["origin_translation"], joint["origin_orientation"] = self._origin(element, place)
        given = self._type(element, place, joint)
        if given == "planar" or JOINT_KINDS[joint["type"]].is_single:
            axis = element.find("axis")
            joint["axis"] = [1.0, 0.0, 0.0]
            if axis is not None:
                found = self.values.vector(axis, f"{place}/axis", "xyz", [1.0, 0.0, 0.0])
                joint["axis"] = found or [1.0, 0.0, 0.0]
        if given in ("revolute", "prismatic"):
            limit = self.limit(element, place)
            if limit is not None:
                joint["limit"] = limit
        self._losses(element, place, joint)
        if given == "planar":
            yield from self._planar(joint, place, links)
        else:
            yield joint

    def _origin(self, element: Element, place: str) -> tuple[list[float], list[float]]:
        """Translation [m] and roll-pitch-yaw [rad] of an element's `origin`; zeros without one."""
        zero = [0.0, 0.0, 0.0]
        origin = element.find("origin")
        if origin is None:
            return zero, zero
        xyz, rpy = (
            self.values.vector(origin, f"{place}/origin", key, zero) for key in ("xyz", "rpy")
        )
        return xyz or zero, rpy or zero

    def _losses(self, element: Element, place: str, joint: dict[str, Any]) -> None:
        """Damping and friction."""
        dynamics, where = element.find("dynamics"), f"{place}/dynamics"
        if dynamics is None:
            return
        for key in ("damping", "friction"):
            value = self.values.soft_number(dynamics, where, key, 0.0, "0 is taken")
            if value is not None and value < 0.0:
                message = f"found {value:g}, expected at least 0"
                self.values.forgive(
                    ValueRangeError, f"{where}@{key}", dynamics, message, "0 is taken"
                )
            elif value:
                joint[key] = value

    def _type(self, element: Element, place: str, joint: dict[str, Any]) -> str:
        """URDF's word for the type; MRDF's is put into the joint."""
        given = joint.pop("type", None)
        word = (given or "").strip().lower()
        joint["type"] = JOINT_TYPES.get(word, "fixed")  # one problem, not two
        if given is not None and word != given and word in (*JOINT_TYPES, "planar"):
            self.values.remark(f"the type {short(given)} is read as {word!r}", place)
        elif given is not None and word not in (*JOINT_TYPES, "planar"):
            hint = suggest(given, (*JOINT_TYPES, "planar"))
            message = f"unknown joint type {short(given)}"
            self.values.complain(ValueRangeError, f"{place}@type", element, message, hint)
        return word

    def _planar(
        self, joint: dict[str, Any], place: str, links: list[dict[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        """Two slides and a turn in the plane square to the axis, with links without mass."""
        name, child, normal = joint.get("name", ""), joint.get("child"), np.array(joint["axis"])
        size = float(np.linalg.norm(normal))
        if size == 0.0 or not math.isfinite(size) or child is None:
            joint["type"] = "continuous"  # and the axis is told as a problem
            yield joint
            return
        normal /= size
        along = np.eye(3)[int(np.argmin(np.abs(normal)))]
        along -= (along @ normal) * normal
        along /= np.linalg.norm(along)
        self.values.remark("the planar joint is made of two slides and a turn", place)
        still = {"origin_translation": [0.0, 0.0, 0.0], "origin_orientation": [0.0, 0.0, 0.0]}
        steps = [f"{name} x"[:256], f"{name} y"[:256]]
        links.extend({"name": step} for step in steps)
        slide = {key: joint[key] for key in joint if key not in ("damping", "friction")}
        across = np.cross(normal, along)
        yield {**slide, "name": steps[0], "type": "prismatic", "child": steps[0],
               "axis": along.tolist()}  # fmt: skip
        yield {**slide, **still, "name": steps[1], "type": "prismatic", "parent": steps[0],
               "child": steps[1], "axis": across.tolist()}  # fmt: skip
        yield {**joint, **still, "type": "continuous", "parent": steps[1],
               "axis": normal.tolist()}  # fmt: skip

    def limit(self, element: Element, place: str) -> dict[str, float] | None:
        """Range of a joint; None where the file gives none."""
        limit = element.find("limit")
        if limit is None or ("lower" not in limit.attrib and "upper" not in limit.attrib):
            self.values.remark("no range is given; the joint is not limited", place)
            return None
        words = [limit.get(key, "").strip() for key in ("lower", "upper")]
        if any((strict_number(word) or 0.0) in (math.inf, -math.inf) for word in words):
            self.values.remark("the range is infinite; the joint is not limited", place)
            return None
        lower = self.values.number(limit, f"{place}/limit", "lower", 0.0)
        upper = self.values.number(limit, f"{place}/limit", "upper", 0.0)
        if lower is None or upper is None:
            return None
        if lower > upper:
            message = f"found lower {lower:g} above upper {upper:g}"
            instead = "they are taken the other way round"
            self.values.forgive(BoundsError, f"{place}/limit", limit, message, instead)
            lower, upper = upper, lower
        return {"lower": lower, "upper": upper}

    def motor(self, element: Element) -> list[dict[str, Any]]:
        """The motor of a joint that turns or slides, with the joint's ratings where it has some.

        A joint that follows another has none, nor has one with the ratings by which our own
        export says so.
        """
        limit, name = element.find("limit"), element.get("name", "")
        word = element.get("type", "").strip().lower()
        effort, speed = (
            0.0 if limit is None else strict_number(limit.get(key, "").strip()) or 0.0
            for key in ("effort", "velocity")
        )
        if element.find("mimic") is not None and (effort or speed):
            self.ratings += 1
        if word not in JOINT_TYPES or not JOINT_KINDS[JOINT_TYPES[word]].is_single or not name:
            return []
        if (effort, speed) == (WIDE_EFFORT, WIDE_SPEED) or self.mimic_of(element):
            return []
        motor: dict[str, Any] = {"name": name, "joint": name, "servo": True}
        if 0.0 < effort < WIDE_EFFORT:
            motor["max_torque"] = effort
        if 0.0 < speed < WIDE_SPEED:
            motor["max_speed"] = speed
        elif word == "prismatic":
            motor["max_speed"] = FULL_SPEED
        return [motor]

    def mimic_of(self, element: Element) -> str:
        """Name of the joint that a joint follows; empty if it follows none that is there."""
        mimic = element.find("mimic")
        name = "" if mimic is None else mimic.get("joint", "")
        return name if name in self.joint_names else ""

    def mimic(self, element: Element) -> list[dict[str, Any]]:
        """The repeater of a joint that mimics another."""
        mimic = element.find("mimic")
        if mimic is None:
            return []
        place = f"{called('joint', element)}/mimic"
        name = element.get("name", "")
        follows = self.values.text(mimic, place, "joint")
        ratio = self.values.number(mimic, place, "multiplier", 1.0)
        offset = self.values.number(mimic, place, "offset", 0.0)
        if follows is None or ratio is None or offset is None:
            return []
        if element.get("type", "").strip().lower() in ("fixed", "floating", "planar"):
            message = "a joint of this type cannot mimic another"
            self.values.forgive(ValueRangeError, place, mimic, message, "<mimic> is ignored")
            return []
        if follows not in self.joint_names:
            message = f"joint {short(follows)} is not there"
            # looking for the nearest name takes time: a file full of errors gets no more hints
            few = len(self.values.problems) < 20
            hint = suggest(follows, self.joint_names) if few else ""
            where, instead = f"{place}@joint", "the joint moves on its own"
            message = f"{message} ({hint.rstrip('?')})" if hint else message
            self.values.forgive(NameUnknownError, where, mimic, message, instead)
            return []
        return [
            {
                "name": f"{name} mimics {follows}"[:256],
                "joint": name,
                "follows": follows,
                "ratio": ratio,
                "offset": offset,
            }
        ]

    # ------------------------------------------------------------ the whole

    def _join(self, links: list[dict[str, Any]], joints: list[dict[str, Any]]) -> None:
        """Add the link `world` where joints need it; stand separate trees on the largest."""
        names = [link.get("name", "") for link in links]
        parents = {joint.get("parent") for joint in joints}
        if "world" in parents and "world" not in names:
            self.values.remark("link 'world' is not there, but joints hang on it; it is added")
            links.append({"name": "world"})
            names.append("world")
        below: dict[str, list[str]] = {}
        for joint in joints:
            below.setdefault(joint.get("parent", ""), []).append(joint.get("child", ""))
        carried = {joint.get("child") for joint in joints}
        roots = [name for name in names if name not in carried]
        if len(roots) < 2 or len(set(names)) < len(names):
            return
        sizes = {root: _count(root, below) for root in roots}
        main = max(roots, key=lambda root: sizes[root])
        for root in roots:
            if root == main:
                continue
            message = f"no joint carries this link; expected one root, and {short(main)} is one"
            place, name = f"link {short(root)}", f"{root} stands on {main}"[:256]
            element = next(e for e in self.root.findall("link") if e.get("name", "") == root)
            instead = f"it is fixed to {short(main)}"
            self.values.forgive(DisconnectedError, place, element, message, instead)
            joints.append(
                {
                    "name": name,
                    "type": "fixed",
                    "parent": main,
                    "child": root,
                    "origin_translation": [0.0, 0.0, 0.0],
                    "origin_orientation": [0.0, 0.0, 0.0],
                }
            )

    def _look_for_macros(self) -> None:
        """Expressions that were not expanded are one problem of the whole file."""
        for element in self.root.iter():
            for key, value in element.attrib.items():
                if "${" in value or ("$(" in value and key != "filename"):
                    message = f"found {short(value)}, an expression of xacro"
                    where = f"<{str(element.tag).rpartition('}')[2][:80]}>"
                    self.values.complain(UnknownFieldError, where, element, message, EXPAND)
                    return

    def _look_for_unknown(self, element: Element, kind: str, place: str) -> None:
        """Count elements that are not read; macros that were not expanded are a problem."""
        for child in element:
            if not isinstance(child.tag, str) or child.tag in KNOWN[kind]:
                continue
            space, _, word = child.tag.rpartition("}")
            if "xacro" in space and word not in HARMLESS_MACROS:
                message = f"<xacro:{word[:80]}> is a macro"
                self.values.complain(UnknownFieldError, place, child, message, EXPAND)
            else:
                tag = word[:80] if kind == "robot" else f"{kind}/{word[:80]}"
                self.values.ignored[tag] += 1


def _home(joints: list[dict[str, Any]], repeaters: list[dict[str, Any]]) -> dict[str, float]:
    """Positions at home of joints that repeat others, and of those they repeat.

    Leaders are at 0, or as near to it as their limits allow, as joints are that repeat nothing;
    followers are where that takes them. A follower that this takes beyond its limits is left out.
    """
    ranges = {
        joint.get("name", ""): joint.get("limit", {"lower": -math.inf, "upper": math.inf})
        for joint in joints
        if JOINT_KINDS[joint["type"]].is_single
    }
    leads = {repeater["joint"]: repeater for repeater in repeaters}
    home: dict[str, float] = {}
    for name in leads:
        chain = [name]
        while chain[-1] in leads and len(chain) <= len(leads):
            chain.append(leads[chain[-1]]["follows"])
        first = chain[-1]
        if first in leads or not ranges.keys() >= set(chain):
            continue  # a circle, or a joint that does not move: told where it is checked
        value = min(max(0.0, ranges[first]["lower"]), ranges[first]["upper"])
        home[first] = value
        for follower in reversed(chain[:-1]):
            value = leads[follower]["ratio"] * value + leads[follower]["offset"]
            if ranges[follower]["lower"] <= value <= ranges[follower]["upper"]:
                home[follower] = value
    return home


def _count(root: str, below: dict[str, list[str]]) -> int:
    """Links that hang on a link; a circle is walked once."""
    seen, waiting = {root}, [root]
    while waiting:
        for child in below.get(waiting.pop(), ()):
            if child not in seen:
                seen.add(child)
                waiting.append(child)
    return len(seen)
