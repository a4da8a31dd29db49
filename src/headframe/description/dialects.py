"""Files as the authors of paper 002 write them, turned into Headframe's canonical form.

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
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import AxisError, MachineFileError, NameUnknownError, Problem, ValueRangeError
from ..spatial import compose, matrix_from_rpy, pose, rpy_from_matrix
from .jsonc import Path, path_text

IMPLICIT_ROOT = "base_link"
ALONG_X = matrix_from_rpy((0.0, math.pi / 2, 0.0))  # takes a shape's z axis to x


@dataclass
class Normalised:
    """A file in canonical form, and how it got there.

    Attributes:
        data: the canonical form, not yet checked.
        moved: canonical path of a value -> its path in the file, where they differ.
        problems: what could not be brought into canonical form.
        notes: what was left out or assumed, for the user to know.
    """

    data: dict[str, Any]
    moved: dict[Path, Path] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def origin(self, path: Path) -> Path:
        """Path in the file of the value at a canonical path."""
        for end in range(len(path), 0, -1):
            if path[:end] in self.moved:
                return self.moved[path[:end]] + path[end:]
        return path

    def complain(self, kind: type[MachineFileError], path: Path, message: str) -> None:
        """Note a problem at a path in the file."""
        self.problems.append(Problem(kind, path_text(path), message))


def normalise(raw: dict[str, Any]) -> Normalised:
    """Bring a parsed file of any dialect into canonical form."""
    authors = "mrdf" not in raw
    result = Normalised({key: value for key, value in raw.items()})
    for key in ("links", "joints", "actuators"):
        if isinstance(raw.get(key), list):
            result.data[key] = [dict(e) if isinstance(e, dict) else e for e in raw[key]]
    if authors:
        result.data["mrdf"] = "1"
        result.data.setdefault("up_axis", "y")
    _normalise_links(result, authors)
    if authors:
        _drop_placeholder_limits(result)
    _normalise_actuators(result, authors)
    if authors:
        _add_implicit_root(result)
    return result


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


def _normalise_links(result: Normalised, authors: bool) -> None:
    for i, link in _elements(result.data, "links"):
        path: Path = ("links", i)
        if authors:
            _rename(result, link, path, "origin_translation", "translation")
            _rename(result, link, path, "origin_orientation", "orientation")
        for key in ("visual", "collision"):
            if key in link:
                link[key] = _shapes(result, link[key], (*path, key), authors)


def _shapes(result: Normalised, value: Any, path: Path, authors: bool) -> Any:
    """A list of canonical shapes; one entry may stand without its list."""
    if isinstance(value, dict):
        result.moved[(*path, 0)] = result.origin(path)
        value = [value]
    if not isinstance(value, list):
        return value
    return [
        _shape(result, dict(entry), (*path, i), authors) if isinstance(entry, dict) else entry
        for i, entry in enumerate(value)
    ]


def _shape(result: Normalised, shape: dict[str, Any], path: Path, authors: bool) -> dict[str, Any]:
    if authors:
        _rename(result, shape, path, "origin_translation", "translation")
        _rename(result, shape, path, "origin_orientation", "orientation")
    if isinstance(shape.get("geometry"), dict):
        shape["geometry"] = _geometry(result, dict(shape["geometry"]), (*path, "geometry"))
        if authors:
            _centre(shape)
    if isinstance(shape.get("material"), dict):
        shape["material"] = _material(result, dict(shape["material"]), (*path, "material"), authors)
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
    kind = geometry.get("type")
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


def _material(
    result: Normalised, material: dict[str, Any], path: Path, authors: bool
) -> dict[str, Any]:
    """Colours as four numbers from 0 to 1."""
    opacity = material.pop("opacity", None) if authors else None
    color = material.get("color")
    if not isinstance(color, list) or not all(_is_number(value) for value in color):
        return material
    color = list(color)
    if authors:
        if any(not 0 <= value <= 255 for value in color):
            place = result.origin((*path, "color"))
            result.complain(ValueRangeError, place, f"found {color}, expected 0 to 255 each")
            color = [128, 128, 128]
        color = [value / 255 for value in color[:3]] + color[3:]
    elif any(value > 1 for value in color):
        result.complain(
            ValueRangeError,
            result.origin((*path, "color")),
            f'found {color}, expected 0 to 1 each (0 to 255 only in files without "mrdf")',
        )
        color = [0.5, 0.5, 0.5]
    if len(color) == 3:
        color.append(opacity if _is_number(opacity) else 1.0)
    material["color"] = color
    return material


# -- joints and actuators --------------------------------------------------------------


def _drop_placeholder_limits(result: Normalised) -> None:
    """The authors' joint limits are placeholders: an assembled machine does not keep them."""
    dropped = 0
    for _, joint in _elements(result.data, "joints"):
        if joint.get("type") != "fixed" and isinstance(joint.pop("limit", None), dict):
            dropped += 1
    if dropped:
        result.notes.append(
            f'{dropped} joint limits ignored: in files without "mrdf" they are placeholders'
        )


def _normalise_actuators(result: Normalised, authors: bool) -> None:
    links = {_name(link, "name") for _, link in _elements(result.data, "links")}
    absorbed: set[int] = set()
    for i, actuator in _elements(result.data, "actuators"):
        path: Path = ("actuators", i)
        if authors:
            kind = actuator.pop("type", "actuator")
            if kind != "actuator":
                result.complain(
                    ValueRangeError, (*path, "type"), f"found {kind!r}, expected 'actuator'"
                )
        _rename(result, actuator, path, "limit", "bound")
        for part in ("tube", "rod"):
            _add_part(result, actuator, path, part, links, authors)
            _absorb_mount(result, actuator, path, part, absorbed)
    if absorbed:
        joints = result.data["joints"]
        kept = [j for j in range(len(joints)) if j not in absorbed]
        result.data["joints"] = [joints[j] for j in kept]
        for new, old in enumerate(kept):
            if new != old:
                result.moved[("joints", new)] = ("joints", old)


def _add_part(
    result: Normalised,
    actuator: dict[str, Any],
    path: Path,
    part: str,
    links: set[str | None],
    authors: bool,
) -> None:
    """Make the tube or rod a link, where the file has only its visual or nothing at all."""
    visual = actuator.pop(f"{part}_visual", None)
    listed = result.data.get("links")
    if part in actuator or not isinstance(listed, list):
        return
    name = f"{actuator.get('name')}_{part}"
    while name in links:
        name += "_"
    links.add(name)
    actuator[part] = name
    link: dict[str, Any] = {"name": name}
    position: Path = ("links", len(listed))
    result.moved[position] = path
    if visual is not None:
        result.moved[(*position, "visual")] = (*path, f"{part}_visual")
        link["visual"] = _shapes(result, visual, (*position, "visual"), authors)
    listed.append(link)


def _absorb_mount(
    result: Normalised, actuator: dict[str, Any], path: Path, part: str, absorbed: set[int]
) -> None:
    """Take the mount point and pin from the joint that leads to a tube or rod."""
    child, parent = _name(actuator, part), actuator.get(f"{part}_parent")
    mounts = [
        (j, joint)
        for j, joint in _elements(result.data, "joints")
        if joint.get("child") == child and j not in absorbed
    ]
    if child is None or not mounts:
        return
    j, joint = mounts[0]
    absorbed.add(j)
    if joint.get("parent") != parent:
        result.complain(
            NameUnknownError,
            (*path, f"{part}_parent"),
            f"found {parent!r}, but joint {joint.get('name')!r} mounts the {part} on "
            f"{joint.get('parent')!r}",
        )
        return
    origin = joint.get("origin_translation", [0.0, 0.0, 0.0])
    result.moved[(*path, f"{part}_offset")] = ("joints", j, "origin_translation")
    given = actuator.setdefault(f"{part}_offset", origin)
    if _is_vector(given) and _is_vector(origin) and math.dist(given, origin) > 1e-9:
        result.complain(
            ValueRangeError,
            (*path, f"{part}_offset"),
            f"found {given}, but joint {joint.get('name')!r} has its origin at {origin}",
        )
    axis = joint.get("axis")
    turned = joint.get("origin_orientation", [0.0, 0.0, 0.0])
    if axis is None or f"{part}_axis" in actuator:
        return
    result.moved[(*path, f"{part}_axis")] = ("joints", j, "axis")
    if _is_vector(axis) and _is_vector(turned):
        if not any(axis):
            result.complain(AxisError, ("joints", j, "axis"), "the axis has no length")
            return
        if any(turned):
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
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) < 1e300
    )


def _is_vector(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(_is_number(v) for v in value)
