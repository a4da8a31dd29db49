"""Reading URDF: an XML file becomes the raw form of a canonical MRDF file.

What comes out is checked like any MRDF file; here only what URDF itself gets wrong is reported:
XML that is broken or unsafe, numbers that are none, attributes and elements that must be there,
mesh paths that leave the folder. All problems are collected, each with its element and line.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ..errors import (
    MachineFileError,
    MeshError,
    MissingFieldError,
    NameUnknownError,
    NotFiniteError,
    Problem,
    UnknownFieldError,
    ValueRangeError,
    WrongTypeError,
    suggest,
)
from ..spatial import matrix_from_rpy
from .safe_xml import parse_xml

WIDE_EFFORT = 1e9  # [N m]: as good as no figure, where URDF wants one
JOINT_TYPES = {
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "floating": "free",
}
# float() also takes '1_0', 'nan' and digits of other scripts
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
NOT_A_NUMBER = re.compile(r"[+-]?(nan|inf|infinity)", re.IGNORECASE)
# Attributes of URDF's round shapes, and the fields of ours that they fill
SIZES: dict[str, dict[str, tuple[str, ...]]] = {
    "sphere": {"radius": ("r",)},
    "cylinder": {"radius": ("r1", "r2"), "length": ("h",)},
    "capsule": {"radius": ("r",), "length": ("h",)},
}
KNOWN: dict[str, set[str]] = {
    "robot": {"link", "joint", "material"},
    "link": {"inertial", "visual", "collision"},
    "joint": {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"},
}


def parse_urdf(data: bytes) -> tuple[dict[str, Any] | None, list[Problem], list[str]]:
    """Turn a URDF file into the raw form of canonical MRDF.

    Args:
        data: the file.

    Returns:
        The machine, not yet checked, or None if the file is not URDF at all; what is wrong with
        the file; what was left out or changed.
    """
    root, problems = parse_xml(data)
    if root is None:
        return None, problems, []
    reader = _Reader(root)
    return reader.robot(), reader.problems, reader.notes()


# --------------------------------------------------------------- reader


class _Reader:
    """Walks through the elements; notes problems and goes on."""

    def __init__(self, root: Element) -> None:
        self.root = root
        self.problems: list[Problem] = []
        self.ignored: Counter[str] = Counter()
        self.remarks: list[str] = []
        self.ratings = 0  # joints whose effort and velocity limits are left out
        self.colors = self.named_colors()
        self.joint_names = dict.fromkeys(e.get("name", "") for e in root.findall("joint"))

    def robot(self) -> dict[str, Any]:
        """The whole machine."""
        self.look_for_unknown(self.root, "robot", "robot")
        machine: dict[str, Any] = {"mrdf": "1"}
        name = self.text(self.root, "robot", "name")
        if name is not None:
            machine["name"] = name
        machine["links"] = [self.link(element) for element in self.root.findall("link")]
        machine["joints"] = [self.joint(element) for element in self.root.findall("joint")]
        repeaters = [r for e in self.root.findall("joint") for r in self.mimic(e)]
        if repeaters:
            machine["repeaters"] = repeaters
        motors = [m for e in self.root.findall("joint") for m in self.motor(e)]
        if motors:
            machine["motors"] = motors
        return machine

    def notes(self) -> list[str]:
        """What was left out or changed."""
        left_out = [f"<{tag}> ({count}) is ignored" for tag, count in self.ignored.items()]
        if self.ratings:
            left_out.append(f"effort and velocity limits of {self.ratings} joints are not kept")
        return self.remarks + left_out

    # ------------------------------------------------------------ links

    def link(self, element: Element) -> dict[str, Any]:
        """A link with its shapes and its inertia."""
        place = _called("link", element)
        self.look_for_unknown(element, "link", place)
        link: dict[str, Any] = {}
        name = self.text(element, place, "name")
        if name is not None:
            link["name"] = name
        for tag in ("visual", "collision"):
            shapes = [self.shape(e, f"{place}/{tag}") for e in element.findall(tag)]
            shapes = [shape for shape in shapes if shape is not None]
            if shapes:
                link[tag] = shapes
        inertial = element.find("inertial")
        if inertial is not None:
            content = self.inertial(inertial, f"{place}/inertial")
            if content is not None:
                link["inertial"] = content
        return link

    def inertial(self, element: Element, place: str) -> dict[str, Any] | None:
        """Mass, centre of mass and inertia; the tensor is turned into the link's axes."""
        xyz, rpy = self.origin(element, place)
        mass = self.number_in(element, place, "mass", "value")
        tensor = self.required(element, place, "inertia")
        words = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
        parts = [
            None if tensor is None else self.number(tensor, f"{place}/inertia", word)
            for word in words
        ]
        if mass is None or None in parts:
            return None
        ixx, ixy, ixz, iyy, iyz, izz = parts
        I_B = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]], dtype=float)
        if mass == 0 and not I_B.any():
            self.remarks.append(f"{place}: no mass and no inertia; the link is massless")
            return None
        if any(rpy):
            R_LB = matrix_from_rpy(rpy)
            I_L = R_LB @ I_B @ R_LB.T
            I_B = (I_L + I_L.T) / 2
        return {"mass": mass, "com": xyz, "inertia": I_B.tolist()}

    def shape(self, element: Element, place: str) -> dict[str, Any] | None:
        """A visual or collision shape; None if it has none that is known."""
        geometry = self.required(element, place, "geometry")
        content = None if geometry is None else self.geometry(geometry, f"{place}/geometry")
        xyz, rpy = self.origin(element, place)
        if content is None:
            return None
        shape: dict[str, Any] = {"translation": xyz, "orientation": rpy, "geometry": content}
        if element.get("name"):
            shape["name"] = element.get("name")
        material = element.find("material")
        if material is not None:
            color = self.color(material, f"{place}/material")
            if color is not None:
                shape["material"] = {"color": color}
        return shape

    def geometry(self, element: Element, place: str) -> dict[str, Any] | None:
        """The one shape in a `geometry` element."""
        shapes = [child for child in element if isinstance(child.tag, str)]
        if len(shapes) != 1:
            found = f"{len(shapes)} shapes" if shapes else "no shape"
            self.complain(MissingFieldError, place, element, f"{found}, expected one")
            return None
        (shape,) = shapes
        place = f"{place}/{shape.tag}"
        if shape.tag == "mesh":
            return self.mesh(shape, place)
        if shape.tag == "box":
            size = self.vector(shape, place, "size", None)
            return None if size is None else {"type": "box"} | dict(zip("xyz", size, strict=True))
        if shape.tag not in SIZES:
            message = f"unknown shape <{shape.tag[:80]}>"
            hint = suggest(shape.tag, ("box", "mesh", *SIZES))
            self.complain(ValueRangeError, place, shape, message, hint)
            return None
        content: dict[str, Any] = {"type": shape.tag}
        for word, keys in SIZES[shape.tag].items():
            value = self.number(shape, place, word)
            if value is None:
                return None
            content |= dict.fromkeys(keys, value)
        return content

    def mesh(self, element: Element, place: str) -> dict[str, Any] | None:
        """A mesh file, as a path inside the file's folder."""
        scale = self.vector(element, place, "scale", [1.0, 1.0, 1.0])
        filename = self.text(element, place, "filename")
        if filename is None or scale is None:
            return None
        path = mesh_path(filename)
        if path is None:
            message = f"mesh {filename!r} is outside the file's folder"
            hint = "give a relative path, or package://NAME/ and a path in the folder"
            self.complain(MeshError, f"{place}@filename", element, message, hint)
            return None
        if path != filename:
            self.remarks.append(f"mesh {filename!r} is looked for as {path!r} in the file's folder")
        return {"type": "mesh", "path": path, "scale": scale}

    def named_colors(self) -> dict[str, list[float]]:
        """Colours by name, of the whole file: the first definition of a name counts."""
        colors: dict[str, list[float]] = {}
        for material in self.root.iter("material"):
            element, name = material.find("color"), material.get("name")
            if element is None or not name or name in colors:
                continue
            values = [_strict(word) for word in element.get("rgba", "").split()]
            if len(values) == 4 and all(v is not None and math.isfinite(v) for v in values):
                colors[name] = [v for v in values if v is not None]
        return colors

    def color(self, material: Element, place: str) -> list[float] | None:
        """Colour of a material: its own, else that of its name."""
        own = material.find("color")
        if own is not None:
            return self.vector(own, f"{place}/color", "rgba", None, 4)
        if material.find("texture") is not None:
            self.ignored["texture"] += 1
        name = material.get("name", "")
        if name in self.colors:
            return list(self.colors[name])
        if material.find("texture") is None:
            message = f"no material {name!r} is defined; the shape stays grey"
            self.remarks.append(f"{place}: {message}")
        return None

    # ----------------------------------------------------------- joints

    def joint(self, element: Element) -> dict[str, Any]:
        """A joint."""
        place = _called("joint", element)
        self.look_for_unknown(element, "joint", place)
        joint: dict[str, Any] = {}
        for key in ("name", "type"):
            word = self.text(element, place, key)
            if word is not None:
                joint[key] = word
        for key in ("parent", "child"):
            end = self.required(element, place, key)
            link = None if end is None else self.text(end, f"{place}/{key}", "link")
            if link is not None:
                joint[key] = link
        joint["origin_translation"], joint["origin_orientation"] = self.origin(element, place)
        self.joint_type(element, place, joint)
        if joint.get("type") in ("revolute", "continuous", "prismatic"):
            axis = element.find("axis")
            joint["axis"] = [1.0, 0.0, 0.0]
            if axis is not None:
                joint["axis"] = self.vector(axis, f"{place}/axis", "xyz", [1.0, 0.0, 0.0])
        if joint.get("type") in ("revolute", "prismatic"):
            limit = self.limit(element, place)
            if limit is not None:
                joint["limit"] = limit
        dynamics = element.find("dynamics")
        if dynamics is not None:
            for key in ("damping", "friction"):
                value = self.number(dynamics, f"{place}/dynamics", key, 0.0)
                if value:
                    joint[key] = value
        return {key: value for key, value in joint.items() if value is not None}

    def joint_type(self, element: Element, place: str, joint: dict[str, Any]) -> None:
        """Replace URDF's word for the type by MRDF's."""
        given = joint.pop("type", None)
        joint["type"] = JOINT_TYPES.get(given or "", "fixed")  # one problem, not two
        if given is None or given in JOINT_TYPES:
            return
        if given == "planar":
            message = "planar joints are not supported"
            hint = "write two prismatic joints and a continuous one"
            self.complain(ValueRangeError, f"{place}@type", element, message, hint)
        else:
            hint = suggest(given, JOINT_TYPES)
            message = f"unknown joint type {given!r}"
            self.complain(ValueRangeError, f"{place}@type", element, message, hint)

    def limit(self, element: Element, place: str) -> dict[str, float] | None:
        """Range of a joint; None where the file gives none."""
        limit = element.find("limit")
        if limit is None or ("lower" not in limit.attrib and "upper" not in limit.attrib):
            self.remarks.append(f"{place}: no range is given; the joint is not limited")
            return None
        lower = self.number(limit, f"{place}/limit", "lower", 0.0)
        upper = self.number(limit, f"{place}/limit", "upper", 0.0)
        return None if lower is None or upper is None else {"lower": lower, "upper": upper}

    def motor(self, element: Element) -> list[dict[str, Any]]:
        """The motor of a joint that turns, with the joint's ratings; none where it has none."""
        limit, name = element.find("limit"), element.get("name", "")
        if limit is None or not ("effort" in limit.attrib or "velocity" in limit.attrib):
            return []
        place = f"{_called('joint', element)}/limit"
        effort = self.number(limit, place, "effort", 0.0) or 0.0
        velocity = self.number(limit, place, "velocity", 0.0) or 0.0
        turns = element.get("type") in ("revolute", "continuous")
        if not turns or element.find("mimic") is not None:
            self.ratings += 1
            return []
        if not name or effort <= 0.0 or velocity <= 0.0 or effort >= WIDE_EFFORT:
            return []
        return [{"name": name, "joint": name, "max_torque": effort, "max_speed": velocity}]

    def mimic(self, element: Element) -> list[dict[str, Any]]:
        """The repeater of a joint that mimics another."""
        mimic = element.find("mimic")
        if mimic is None:
            return []
        place = f"{_called('joint', element)}/mimic"
        name = element.get("name", "")
        follows = self.text(mimic, place, "joint")
        ratio = self.number(mimic, place, "multiplier", 1.0)
        offset = self.number(mimic, place, "offset", 0.0)
        if follows is None or ratio is None or offset is None:
            return []
        if follows not in self.joint_names:
            message = f"joint {_short(follows)} is not there"
            # looking for the nearest name takes time: a file full of errors gets no more hints
            hint = suggest(follows, self.joint_names) if len(self.problems) < 20 else ""
            self.complain(NameUnknownError, f"{place}@joint", mimic, message, hint)
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

    # ------------------------------------------------- elements and values

    def complain(
        self,
        kind: type[MachineFileError],
        place: str,
        element: Element,
        message: str,
        hint: str = "",
    ) -> None:
        """Note a problem of an element."""
        line = getattr(element, "line", None)
        self.problems.append(Problem(kind, place, message, hint, line))

    def look_for_unknown(self, element: Element, kind: str, place: str) -> None:
        """Count elements that are not read; macros that were not expanded are a problem."""
        for child in element:
            if not isinstance(child.tag, str) or child.tag in KNOWN[kind]:
                continue
            space, _, word = child.tag.rpartition("}")
            if "xacro" in space:
                message = f"<xacro:{word[:80]}> is a macro"
                hint = "expand the file with xacro first"
                self.complain(UnknownFieldError, place, child, message, hint)
            else:
                tag = word[:80] if kind == "robot" else f"{kind}/{word[:80]}"
                self.ignored[tag] += 1

    def required(self, element: Element, place: str, tag: str) -> Element | None:
        """The first child with that tag."""
        child = element.find(tag)
        if child is None:
            self.complain(MissingFieldError, place, element, f"<{tag}> is missing")
        return child

    def origin(self, element: Element, place: str) -> tuple[list[float], list[float]]:
        """Translation [m] and roll-pitch-yaw [rad] of an element's `origin`; zeros without one."""
        origin = element.find("origin")
        if origin is None:
            return [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]
        xyz, rpy = (
            self.vector(origin, f"{place}/origin", key, [0.0, 0.0, 0.0]) for key in ("xyz", "rpy")
        )
        return xyz or [0.0, 0.0, 0.0], rpy or [0.0, 0.0, 0.0]

    def text(self, element: Element, place: str, key: str) -> str | None:
        """An attribute that must be there."""
        value = element.get(key)
        if value is None:
            self.complain(MissingFieldError, f"{place}@{key}", element, "the attribute is missing")
        return value

    def number_in(self, element: Element, place: str, tag: str, key: str) -> float | None:
        """A number in an attribute of a child that must be there."""
        child = self.required(element, place, tag)
        return None if child is None else self.number(child, f"{place}/{tag}", key)

    def number(
        self, element: Element, place: str, key: str, default: float | None = None
    ) -> float | None:
        """A number in an attribute; without a default it must be there."""
        values = self.vector(element, place, key, None if default is None else [default], 1)
        return None if values is None else values[0]

    def vector(
        self,
        element: Element,
        place: str,
        key: str,
        default: list[float] | None,
        count: int = 3,
    ) -> list[float] | None:
        """Numbers in an attribute; without a default they must be there."""
        if key not in element.attrib and default is not None:
            return list(default)
        text = self.text(element, place, key)
        if text is None:
            return None
        place = f"{place}@{key}"
        words = text.split()
        if len(words) != count:
            wanted = "one number" if count == 1 else f"{count} numbers"
            message = f"found {_short(text)}, expected {wanted}"
            self.complain(WrongTypeError, place, element, message)
            return None
        return self.finite(words, element, place)

    def finite(self, words: Iterable[str], element: Element, place: str) -> list[float] | None:
        """Words as numbers; None, and a problem, if one is none."""
        values = []
        for word in words:
            value = _strict(word)
            if value is None:
                message = f"found {_short(word)}, expected a number"
                self.complain(WrongTypeError, place, element, message)
                return None
            if not math.isfinite(value):
                message = f"found {_short(word)}, expected a finite number"
                self.complain(NotFiniteError, place, element, message)
                return None
            values.append(value)
        return values


def _strict(word: str) -> float | None:
    """A decimal number in ASCII digits; NaN or an infinity if it says so; None if neither."""
    if NUMBER.fullmatch(word) or NOT_A_NUMBER.fullmatch(word):
        return float(word)
    return None


def _called(tag: str, element: Element) -> str:
    """An element's place: its tag and name."""
    name = element.get("name")
    return tag if name is None else f"{tag} {_short(name)}"


def _short(text: str) -> str:
    """Text in quotes, cut where it is long."""
    return repr(text if len(text) <= 80 else text[:77] + "...")


def mesh_path(filename: str) -> str | None:
    """A mesh's path relative to the file's folder; None if it leaves the folder.

    `package://NAME/PATH` is taken as PATH: the package is the folder.
    """
    name = filename.strip()
    scheme, mark, rest = name.partition("://")
    if mark:
        if scheme not in ("package", "model"):
            return None
        _, _, name = rest.partition("/")
    if not name or "\0" in name or ("%" in name and mark):
        return None
    name = name.replace("\\", "/")
    if PureWindowsPath(name).drive or name.startswith("/"):
        return None
    parts = [part for part in PurePosixPath(name).parts if part != "."]
    return None if not parts or ".." in parts else "/".join(parts)
