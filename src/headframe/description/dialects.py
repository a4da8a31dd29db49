"""Files as the authors of the MineRobot paper write them, turned into Headframe's canonical form.

Two dialects carry no key ``"mrdf"``: the one printed in figure 5 of the paper, in which tubes and
rods are links and their mounts are joints, and the one of the authors' published demo, in which
an actuator holds its mount points and visuals. In both, y is up, shapes extend from their origin
along +x, colours run from 0 to 255, joint limits are placeholders, and a root link ``base_link``
may go unlisted.

Nothing here judges: what does not look as expected is passed on, for `reading` to report. Every
value that moves keeps a note of where in the file it came from.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import NameUnknownError, ValueRangeError
from ..spatial import compose, matrix_from_rpy, pose, rpy_from_matrix
from .drives import JOINT_DRIVES
from .joint_kinds import JOINT_KINDS, Keeps
from .jsonc import Findings, Path, shown

IMPLICIT_ROOT = "base_link"
OWN_FIELDS = (
    "class",
    "end_effector",
    "geometry_file",
    "home",
    "springs",
    *JOINT_DRIVES,
    "repeaters",
    "base",
    "materials",
    "no_contact",
    "provenance",
)
MOUNT_TYPES = tuple(  # of joints that hold a point, and can be where a cylinder is mounted
    kind.name for kind in JOINT_KINDS.values() if Keeps.POINT in kind.keeps and not kind.is_fixed
)
LOST_BY_MOUNTS = ("limit", "damping", "friction", "armature", "axis2")
ALONG_X = matrix_from_rpy((0.0, math.pi / 2, 0.0))  # takes a shape's z axis to x


@dataclass
class Normalised:
    """A file in canonical form, and how it got there.

    Attributes:
        data: the canonical form, not yet checked.
        authors: whether the file is in a dialect of the authors.
        moved: canonical path of a value -> its path in the file, where they differ.
        absorbed: joints that became mounts of actuators, by their position in the file.
        invented: names of tubes and rods that the file does not name.
        found: what could not be brought into canonical form, what was left out or assumed; all
            at paths in the file.
    """

    data: dict[str, Any]
    authors: bool = False
    moved: dict[Path, Path] = field(default_factory=dict)
    absorbed: dict[int, dict[str, Any]] = field(default_factory=dict)
    invented: set[str] = field(default_factory=set)
    found: Findings = field(default_factory=Findings)

    def origin(self, path: Path) -> Path:
        """Path in the file of the value at a canonical path."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.moved:
                return self.moved[path[:end]] + path[end:]
        return path


def normalise(raw: dict[str, Any]) -> Normalised:
    """Bring a parsed file of any dialect into canonical form."""
    authors = "mrdf" not in raw
    result = Normalised(dict(raw), authors)
    for key in ("links", "joints", "actuators"):
        if isinstance(raw.get(key), list):
            result.data[key] = [dict(e) if isinstance(e, dict) else e for e in raw[key]]
    if authors:
        _warn_of_own_form(result)
        result.data["mrdf"] = "1"
        result.data.setdefault("up_axis", "y")
    _normalise_links(result)
    if authors:
        _drop_placeholder_limits(result)
    _normalise_actuators(result)
    if authors:
        _add_implicit_root(result)
    return result


def _warn_of_own_form(result: Normalised) -> None:
    """Say how a file without "mrdf" is read, if it has fields that only Headframe's form has."""
    own = [key for key in OWN_FIELDS if key in result.data]
    own += [
        key
        for key in ("inertial", "collision")
        if any(key in link for _, link in _elements(result.data, "links"))
    ]
    if own:
        result.found.note(
            (),
            f'found {own[0]!r} but no key "mrdf": read as the format\'s authors write it, y up, '
            "shapes from their origin along x, colours 0 to 255; for Headframe's own form "
            'add "mrdf": "1"',
        )


def _elements(data: dict[str, Any], key: str) -> list[tuple[int, dict[str, Any]]]:
    """The objects of a list in the file, with their positions; nothing if it is no list."""
    items = data.get(key)
    if not isinstance(items, list):
        return []
    return [(i, item) for i, item in enumerate(items) if isinstance(item, dict)]


def _rename(result: Normalised, element: dict[str, Any], path: Path, old: str, new: str) -> None:
    """Give a field its canonical name, unless the element already has one of that name."""
    if old in element and new not in element:
        element[new] = element.pop(old)
        result.moved[(*path, new)] = (*result.origin(path), old)


# -- links and shapes ------------------------------------------------------------------


def _normalise_links(result: Normalised) -> None:
    for i, link in _elements(result.data, "links"):
        path: Path = ("links", i)
        if result.authors:
            _rename(result, link, path, "origin_translation", "translation")
            _rename(result, link, path, "origin_orientation", "orientation")
        for key in ("visual", "collision"):
            if key in link:
                link[key] = canonical_shapes(result, link[key], (*path, key))


def canonical_shapes(result: Normalised, value: Any, path: Path) -> Any:
    """A list of canonical shapes; one entry may stand without its list."""
    if isinstance(value, dict):
        result.moved[(*path, 0)] = result.origin(path)
        value = [value]
    if not isinstance(value, list):
        return value
    return [
        _shape(result, dict(entry), (*path, i)) if isinstance(entry, dict) else entry
        for i, entry in enumerate(value)
    ]


def _shape(result: Normalised, shape: dict[str, Any], path: Path) -> dict[str, Any]:
    if result.authors:
        _rename(result, shape, path, "origin_translation", "translation")
        _rename(result, shape, path, "origin_orientation", "orientation")
    if isinstance(shape.get("geometry"), dict):
        shape["geometry"] = _geometry(result, dict(shape["geometry"]), (*path, "geometry"))
        if result.authors:
            _centre(shape)
    if isinstance(shape.get("material"), dict):
        shape["material"] = _material(result, dict(shape["material"]), (*path, "material"))
    return shape


def _geometry(result: Normalised, geometry: dict[str, Any], path: Path) -> dict[str, Any]:
    """Other words for the same measures: radius, length, height, url."""
    kind = geometry.get("type")
    if kind == "cylinder":
        _rename(result, geometry, path, "radius", "r1")
        _rename(result, geometry, path, "r", "r1")
        if "r1" in geometry and "r2" not in geometry:
            geometry["r2"] = geometry["r1"]
            result.moved[(*path, "r2")] = result.origin((*path, "r1"))
    elif kind in ("capsule", "sphere", "cone"):
        _rename(result, geometry, path, "radius", "r")
    elif kind == "mesh":
        _rename(result, geometry, path, "url", "path")
        _rename(result, geometry, path, "filename", "path")
    if kind in ("cylinder", "capsule", "cone"):
        _rename(result, geometry, path, "length", "h")
        _rename(result, geometry, path, "height", "h")
    return geometry


def _centre(shape: dict[str, Any]) -> None:
    """Move a shape that extends from its origin along +x so that it is centred on its origin."""
    geometry = shape["geometry"]
    kind = str(geometry.get("type"))
    sizes = {key: geometry.get(key) for key in ("x", "r", "h") if key in geometry}
    if not all(_is_number(size) for size in sizes.values()):
        return
    half = {
        "box": 0.5 * sizes.get("x", 0.0),
        "cylinder": 0.5 * sizes.get("h", 0.0),
        "cone": 0.5 * sizes.get("h", 0.0),
        "capsule": 0.5 * sizes.get("h", 0.0) + sizes.get("r", 0.0),
        "sphere": sizes.get("r", 0.0),
    }.get(kind)
    translation = shape.get("translation", [0.0, 0.0, 0.0])
    orientation = shape.get("orientation", [0.0, 0.0, 0.0])
    if half is None or not _is_vector(translation) or not _is_vector(orientation):
        return
    X = pose(translation, orientation) @ compose(np.eye(3), (half, 0.0, 0.0))
    shape["translation"] = [float(value) for value in X[:3, 3]]
    if kind in ("cylinder", "cone", "capsule"):
        shape["orientation"] = list(rpy_from_matrix(X[:3, :3] @ ALONG_X))


def _material(result: Normalised, material: dict[str, Any], path: Path) -> dict[str, Any]:
    """Colours as four numbers from 0 to 1; the fourth is the opacity, 1 if it is not given."""
    if result.authors and "opacity" in material:
        color = material.get("color", [153, 153, 153])
        if isinstance(color, list) and len(color) == 3:
            material["color"] = [*color, material.pop("opacity")]
            result.moved[(*path, "color", 3)] = (*result.origin(path), "opacity")
    color = material.get("color")
    if not isinstance(color, list) or len(color) not in (3, 4):
        return material
    most = 255 if result.authors else 1
    if any(_is_number(value) and not 0 <= value <= most for value in color):
        where = "without" if result.authors else "with"
        result.found.complain(
            ValueRangeError,
            result.origin((*path, "color")),
            f'found {shown(color)}, expected 0 to {most} each in a file {where} "mrdf"',
        )
        color = [0, 0, 0]
    elif result.authors:  # opacity may be given either way
        color = [
            value / 255 if _is_number(value) and (i < 3 or value > 1) else value
            for i, value in enumerate(color)
        ]
    material["color"] = color if len(color) == 4 else [*color, 1.0]
    return material


# -- joints and actuators --------------------------------------------------------------


def _drop_placeholder_limits(result: Normalised) -> None:
    """The authors' joint limits are placeholders: an assembled machine does not keep them."""
    dropped = []
    for _, joint in _elements(result.data, "joints"):
        limit = joint.get("limit")
        if isinstance(limit, dict) and all(_is_number(value) for value in limit.values()):
            del joint["limit"]
            dropped.append(shown(joint.get("name")))
    if dropped:
        listed = ", ".join(dropped[:3]) + (f" and {len(dropped) - 3} more" if dropped[3:] else "")
        text = f'limits of joints are placeholders in a file without "mrdf", ignored: {listed}'
        result.found.note((), text)


def _normalise_actuators(result: Normalised) -> None:
    links = {_name(link, "name") for _, link in _elements(result.data, "links")}
    leading_to: dict[str | None, list[int]] = defaultdict(list)
    for j, joint in _elements(result.data, "joints"):
        leading_to[_name(joint, "child")].append(j)
    for i, actuator in _elements(result.data, "actuators"):
        path: Path = ("actuators", i)
        if result.authors and (kind := actuator.pop("type", "actuator")) != "actuator":
            message = f"found {shown(kind)}, expected 'actuator'"
            result.found.complain(ValueRangeError, (*path, "type"), message)
        _rename(result, actuator, path, "limit", "bound")
        for part in ("tube", "rod"):
            _add_part(result, actuator, path, part, links)
            mounts = leading_to.get(_name(actuator, part))
            if mounts and _name(actuator, part) is not None:
                _absorb_mount(result, actuator, path, part, mounts)
    if result.absorbed:
        joints = result.data["joints"]
        kept = [j for j in range(len(joints)) if j not in result.absorbed]
        result.data["joints"] = [joints[j] for j in kept]
        result.moved |= {("joints", new): ("joints", old) for new, old in enumerate(kept)}


def _add_part(
    result: Normalised, actuator: dict[str, Any], path: Path, part: str, links: set[str | None]
) -> None:
    """Make the tube or rod a link, where the file has only its visual or nothing at all."""
    if part in actuator:
        return
    name = f"{_name(actuator, 'name') or 'actuator'}_{part}"
    while name in links:
        name += "_"
    links.add(name)
    result.invented.add(name)
    actuator[part] = name
    listed = result.data.get("links")
    if not isinstance(listed, list):  # which is a problem enough
        actuator.pop(f"{part}_visual", None)
        return
    link: dict[str, Any] = {"name": name}
    position: Path = ("links", len(listed))
    result.moved[position] = path
    if f"{part}_visual" in actuator:
        visual = actuator.pop(f"{part}_visual")
        result.moved[(*position, "visual")] = (*path, f"{part}_visual")
        link["visual"] = canonical_shapes(result, visual, (*position, "visual"))
    listed.append(link)


def _absorb_mount(
    result: Normalised, actuator: dict[str, Any], path: Path, part: str, mounts: list[int]
) -> None:
    """Take the mount point and pin from the joint that leads to a tube or rod."""
    joints, key = result.data["joints"], f"{part}_parent"
    if key not in actuator and _name(joints[mounts[0]], "parent") is not None:
        actuator[key] = joints[mounts[0]]["parent"]  # the mount says on what
    parent = actuator.get(key)
    j = next((j for j in mounts if joints[j].get("parent") == parent), mounts[0])
    fits = joints[j].get("parent") == parent
    if j in result.absorbed or (f"{part}_offset" in actuator and not fits):
        return
    joint, found = joints[j], result.found
    result.absorbed[j] = joint
    name = shown(joint.get("name"))
    if not fits:
        found.complain(
            NameUnknownError,
            (*path, key),
            f"found {shown(parent)}, but joint {name} mounts the {part} on "
            f"{shown(joint.get('parent'))}",
        )
    if joint.get("type") not in (*MOUNT_TYPES, None):
        found.complain(
            ValueRangeError,
            ("joints", j, "type"),
            f"found {shown(joint['type'])} for the mount of a {part}, expected one of "
            f"{', '.join(MOUNT_TYPES)}",
        )
    if lost := [key for key in LOST_BY_MOUNTS if key in joint]:
        found.note(("joints", j), f"{', '.join(lost)} of the mount {name} ignored")
    origin = joint.get("origin_translation", [0.0, 0.0, 0.0])
    if f"{part}_offset" not in actuator:
        actuator[f"{part}_offset"] = origin
        result.moved[(*path, f"{part}_offset")] = ("joints", j, "origin_translation")
    given = actuator[f"{part}_offset"]
    if _is_vector(given) and _is_vector(origin) and math.dist(given, origin) > 1e-9:
        found.complain(
            ValueRangeError,
            (*path, f"{part}_offset"),
            f"found {shown(given)}, but joint {name} has its origin at {shown(origin)}",
        )
    axis = joint.get("axis")
    turned = joint.get("origin_orientation", [0.0, 0.0, 0.0])
    if axis is None or f"{part}_axis" in actuator:
        return
    result.moved[(*path, f"{part}_axis")] = ("joints", j, "axis")
    if _is_vector(axis) and _is_vector(turned) and any(axis) and any(turned):
        axis = [float(v) for v in matrix_from_rpy(turned) @ np.asarray(axis, dtype=float)]
    actuator[f"{part}_axis"] = axis


def _add_implicit_root(result: Normalised) -> None:
    """List ``base_link`` if joints or actuators speak of it and the file does not list it."""
    links = result.data.get("links")
    if not isinstance(links, list):
        return
    if any(link.get("name") == IMPLICIT_ROOT for _, link in _elements(result.data, "links")):
        return
    spoken_of = {_name(joint, "parent") for _, joint in _elements(result.data, "joints")}
    for _, actuator in _elements(result.data, "actuators"):
        spoken_of |= {_name(actuator, "tube_parent"), _name(actuator, "rod_parent")}
    if IMPLICIT_ROOT not in spoken_of:
        return
    links.insert(0, {"name": IMPLICIT_ROOT})
    shifted: dict[Path, Path] = {
        ("links", int(path[1]) + 1, *path[2:]): origin
        for path, origin in result.moved.items()
        if path[0] == "links"
    }
    result.moved = {p: o for p, o in result.moved.items() if p[0] != "links"} | shifted
    for new in range(1, len(links)):
        result.moved.setdefault(("links", new), ("links", new - 1))


def _name(element: dict[str, Any], key: str) -> str | None:
    """The name in a field, if it is one."""
    value = element.get(key)
    return value if isinstance(value, str) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def _is_vector(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(_is_number(v) for v in value)
