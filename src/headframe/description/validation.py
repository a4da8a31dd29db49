"""What the elements of a machine say about each other, and what physics allows."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from ..errors import (
    AxisError,
    BoundsError,
    DisconnectedError,
    DuplicateNameError,
    FileTooLargeError,
    InertiaError,
    MachineFileError,
    MassError,
    MeshError,
    MissingFieldError,
    NameUnknownError,
    Problem,
    RedundantsError,
    SelfJointError,
    TwoParentsError,
    ValueRangeError,
    suggest,
)
from .geometry import Mesh, Vector
from .jsonc import Path
from .loops import closure_pairs
from .model import (
    AXIAL_TYPES,
    Actuator,
    Inertial,
    Joint,
    Limit,
    Link,
    Motor,
    Provenance,
    Repeater,
    Robot,
    Spring,
)

LARGEST_MESH = 64 * 2**20  # bytes
MESH_SUFFIXES = (".stl", ".obj", ".ply", ".glb", ".gltf", ".off")


@dataclass
class Parts:
    """The elements of a file that are sound in themselves, each with its position.

    `named` holds the names of all elements, also of unsound ones; `complete` is False if any
    element is missing here, so that the graph as a whole cannot be judged.
    """

    links: list[tuple[int, Link]]
    joints: list[tuple[int, Joint]]
    actuators: list[tuple[int, Actuator]]
    springs: list[tuple[int, Spring]]
    motors: list[tuple[int, Motor]]
    repeaters: list[tuple[int, Repeater]]
    provenance: list[tuple[int, Provenance]]
    heading: Robot | None
    named: dict[str, frozenset[str]]
    complete: bool


@dataclass
class Outcome:
    """Problems with their canonical paths, notes, and the elements with unit axes."""

    problems: list[tuple[Path, Problem]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    parts: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)

    def complain(
        self, kind: type[MachineFileError], path: Path, message: str, hint: str = ""
    ) -> None:
        """Note a problem at a canonical path."""
        self.problems.append((path, Problem(kind, "", message, hint)))


def validate(parts: Parts, folder: FilePath | None) -> Outcome:
    """Check everything that takes more than one field to judge."""
    outcome = Outcome()
    for key in ("links", "joints", "actuators", "springs", "motors", "repeaters", "provenance"):
        outcome.parts[key] = getattr(parts, key)
    _check_duplicates(parts, outcome)
    _check_references(parts, outcome)
    _check_joints(parts, outcome)
    _check_actuators(parts, outcome)
    _check_redundants(parts, outcome)
    for i, link in parts.links:
        if link.inertial is not None:
            _check_inertial(link.inertial, ("links", i, "inertial"), outcome)
        _check_meshes(i, link, folder, outcome)
    _check_home(parts, outcome)
    if parts.complete and not outcome.problems:
        _check_graph(parts, outcome)
    return outcome


# -- names -----------------------------------------------------------------------------


def _check_duplicates(parts: Parts, outcome: Outcome) -> None:
    for key in ("links", "joints", "actuators", "springs", "motors", "repeaters"):
        first: dict[str, int] = {}
        for i, element in getattr(parts, key):
            if element.name in first:
                outcome.complain(
                    DuplicateNameError,
                    (key, i, "name"),
                    f"the name {element.name!r} is taken by {key}[{first[element.name]}]",
                )
            first.setdefault(element.name, i)


def _check_references(parts: Parts, outcome: Outcome) -> None:
    """Every name that an element uses must be the name of an element of the right kind."""
    references: list[tuple[str, Sequence[tuple[int, Any]], str, tuple[str, ...]]] = [
        ("joints", parts.joints, "links", ("parent", "child")),
        ("actuators", parts.actuators, "links", ("tube", "rod", "tube_parent", "rod_parent")),
        ("springs", parts.springs, "links", ("link_a", "link_b")),
        ("motors", parts.motors, "joints", ("joint",)),
        ("repeaters", parts.repeaters, "joints", ("joint", "follows")),
    ]
    for key, elements, kind, fields in references:
        for i, element in elements:
            for name in fields:
                _check_name(
                    getattr(element, name), kind, parts, (key, i, name), outcome, element.name
                )
    for i, actuator in parts.actuators:
        for k, name in enumerate(actuator.redundants):
            _check_name(
                name, "actuators", parts, ("actuators", i, "redundants", k), outcome, actuator.name
            )
    if parts.heading is not None and parts.heading.end_effector is not None:
        _check_name(
            parts.heading.end_effector, "links", parts, ("end_effector",), outcome, "end_effector"
        )


def _check_name(
    name: str, kind: str, parts: Parts, path: Path, outcome: Outcome, owner: str
) -> None:
    choices = parts.named[kind]
    if name not in choices:
        outcome.complain(
            NameUnknownError,
            path,
            f"{owner!r} speaks of {name!r}, which is no {kind[:-1]}",
            suggest(name, sorted(choices)),
        )


# -- joints ----------------------------------------------------------------------------


def _check_joints(parts: Parts, outcome: Outcome) -> None:
    unit_joints = []
    for i, joint in parts.joints:
        path: Path = ("joints", i)
        if joint.parent == joint.child:
            outcome.complain(
                SelfJointError,
                (*path, "child"),
                f"joint {joint.name!r} connects {joint.parent!r} to itself",
            )
        if joint.limit is not None:
            _check_range(joint.limit, (*path, "limit"), f"joint {joint.name!r}", outcome)
        if joint.type in AXIAL_TYPES and joint.axis is None:
            outcome.complain(
                MissingFieldError, (*path, "axis"), f"a {joint.type} joint needs an axis"
            )
        if joint.type == "universal" and joint.axis2 is None:
            outcome.complain(
                MissingFieldError, (*path, "axis2"), "a universal joint needs a second axis"
            )
        axes = {
            name: _unit(axis, (*path, name), joint.name, outcome)
            for name in ("axis", "axis2")
            if (axis := getattr(joint, name)) is not None
        }
        changed = {name: axis for name, axis in axes.items() if axis != getattr(joint, name)}
        if joint.type == "universal" and len(axes) == 2:
            _check_perpendicular(joint, axes["axis"], axes["axis2"], (*path, "axis2"), outcome)
        unit_joints.append((i, joint.model_copy(update=changed) if changed else joint))
    outcome.parts["joints"] = unit_joints


def _check_perpendicular(
    joint: Joint, axis: Vector, axis2: Vector, path: Path, outcome: Outcome
) -> None:
    cosine = sum(a * b for a, b in zip(axis, axis2, strict=True))
    if abs(cosine) > 1e-6 and any(axis) and any(axis2):
        outcome.complain(
            AxisError,
            path,
            f"the axes of universal joint {joint.name!r} are {math.degrees(math.acos(max(-1.0, min(1.0, cosine)))):.1f} "
            "degrees apart, expected 90",
        )


def _unit(axis: Vector, path: Path, owner: str, outcome: Outcome) -> Vector:
    """The axis with length 1; a visible change is noted, no length at all is a problem."""
    largest = max(abs(value) for value in axis)
    if largest == 0.0:
        outcome.complain(AxisError, path, f"the axis of {owner!r} has no length")
        return axis
    scaled = [value / largest for value in axis]
    norm = largest * math.sqrt(sum(value * value for value in scaled))
    if abs(norm - 1.0) < 1e-12:
        return axis
    if abs(norm - 1.0) > 1e-6:
        outcome.notes.append(f"axis of {owner!r} has length {norm:.6g}: normalised to 1")
    length = math.sqrt(sum(value * value for value in scaled))
    x, y, z = (value / length for value in scaled)
    return (x, y, z)


def _check_range(
    limit: Limit, path: Path, owner: str, outcome: Outcome, positive: bool = False
) -> None:
    if limit.lower > limit.upper:
        outcome.complain(
            BoundsError,
            path,
            f"{owner}: lower {limit.lower:g} is above upper {limit.upper:g}",
            "are they reversed?",
        )
    if positive and limit.lower <= 0.0:
        outcome.complain(
            BoundsError, (*path, "lower"), f"{owner}: found {limit.lower:g}, expected more than 0"
        )


# -- actuators -------------------------------------------------------------------------


def _check_actuators(parts: Parts, outcome: Outcome) -> None:
    used: dict[str, str] = {}
    unit_actuators = []
    for i, actuator in parts.actuators:
        path: Path = ("actuators", i)
        owner = f"actuator {actuator.name!r}"
        _check_range(actuator.bounds, (*path, "bound"), owner, outcome, positive=True)
        if actuator.tube_parent == actuator.rod_parent:
            outcome.complain(
                SelfJointError,
                (*path, "rod_parent"),
                f"{owner} connects {actuator.tube_parent!r} to itself",
            )
        for part in ("tube", "rod"):
            name = getattr(actuator, part)
            if name in used:
                outcome.complain(
                    DuplicateNameError, (*path, part), f"link {name!r} is already {used[name]}"
                )
            used.setdefault(name, f"the {part} of {owner}")
        if (
            actuator.bore is not None
            and actuator.rod_diameter is not None
            and actuator.rod_diameter >= actuator.bore
        ):
            outcome.complain(
                ValueRangeError,
                (*path, "rod_diameter"),
                f"{owner}: rod of {actuator.rod_diameter:g} m in a bore of {actuator.bore:g} m",
            )
        axes = {
            name: _unit(axis, (*path, name), actuator.name, outcome)
            for name in ("tube_axis", "rod_axis")
            if (axis := getattr(actuator, name)) is not None
        }
        changed = {name: axis for name, axis in axes.items() if axis != getattr(actuator, name)}
        unit_actuators.append((i, actuator.model_copy(update=changed) if changed else actuator))
    outcome.parts["actuators"] = unit_actuators


def _check_redundants(parts: Parts, outcome: Outcome) -> None:
    by_name = {actuator.name: (i, actuator) for i, actuator in parts.actuators}
    for i, actuator in parts.actuators:
        for k, name in enumerate(actuator.redundants):
            path: Path = ("actuators", i, "redundants", k)
            if name == actuator.name:
                outcome.complain(RedundantsError, path, f"{name!r} is redundant to itself")
                continue
            if name not in by_name:
                continue
            partner = by_name[name][1]
            if actuator.name not in partner.redundants:
                outcome.complain(
                    RedundantsError,
                    path,
                    f"{actuator.name!r} names {name!r} as redundant, but not the other way round",
                    f"add {actuator.name!r} to the redundants of {name!r}",
                )
            if None not in (actuator.group, partner.group) and actuator.group != partner.group:
                outcome.complain(
                    RedundantsError,
                    ("actuators", i, "group"),
                    f"{actuator.name!r} is in group {actuator.group!r}, "
                    f"its redundant partner {name!r} in {partner.group!r}",
                )
    _check_group_names(parts, outcome)


def _check_group_names(parts: Parts, outcome: Outcome) -> None:
    """Two groups of one name could not be told apart."""
    members: dict[str, list[tuple[int, Actuator]]] = defaultdict(list)
    for i, actuator in parts.actuators:
        if actuator.group is not None:
            members[actuator.group].append((i, actuator))
    for group, actuators in members.items():
        first = actuators[0][1]
        for i, actuator in actuators[1:]:
            if actuator.name not in first.redundants and first.name not in actuator.redundants:
                reached = set(first.redundants) & set(actuator.redundants)
                if not reached:
                    outcome.complain(
                        RedundantsError,
                        ("actuators", i, "group"),
                        f"{actuator.name!r} shares group {group!r} with {first.name!r}, "
                        "but they are not redundant to each other",
                    )


# -- masses and meshes -----------------------------------------------------------------


def _check_inertial(inertial: Inertial, path: Path, outcome: Outcome) -> None:
    """Mass must be positive; principal moments must satisfy the triangle inequality."""
    if inertial.mass <= 0.0:
        outcome.complain(
            MassError, (*path, "mass"), f"found {inertial.mass:g}, expected more than 0"
        )
    inertia = np.array(inertial.inertia)
    size = float(np.abs(inertia).max())
    if np.abs(inertia - inertia.T).max() > 1e-9 * size:
        outcome.complain(InertiaError, (*path, "inertia"), "the matrix is not symmetric")
        return
    moments = np.linalg.eigvalsh(inertia / size if size > 0 else inertia) * size
    slack = 1e-9 * size
    if moments[0] < -slack:
        outcome.complain(
            InertiaError, (*path, "inertia"), f"found principal moment {moments[0]:g} below 0"
        )
    elif moments[0] + moments[1] < moments[2] - slack:
        listed = ", ".join(f"{moment:g}" for moment in moments)
        outcome.complain(
            InertiaError,
            (*path, "inertia"),
            f"principal moments {listed}: the two smaller must add up to at least the largest",
        )


def _check_meshes(i: int, link: Link, folder: FilePath | None, outcome: Outcome) -> None:
    for key, shapes in (("visual", link.visuals), ("collision", link.collision)):
        for k, shape in enumerate(shapes):
            if isinstance(shape.geometry, Mesh):
                path: Path = ("links", i, key, k, "geometry", "path")
                _check_mesh(shape.geometry.path, folder, path, outcome)


def _check_mesh(name: str, folder: FilePath | None, path: Path, outcome: Outcome) -> None:
    """A mesh must be a file of a known kind inside the machine file's folder."""
    if "\0" in name or ":" in name or "\\" in name or FilePath(name).is_absolute():
        outcome.complain(MeshError, path, f"found {name!r}, expected a relative path with '/'")
        return
    depth = 0
    for part in name.split("/"):
        depth += -1 if part == ".." else 0 if part in ("", ".") else 1
        if depth < 0:
            outcome.complain(MeshError, path, f"{name!r} leaves the machine file's folder")
            return
    if FilePath(name).suffix.lower() not in MESH_SUFFIXES:
        outcome.complain(
            MeshError, path, f"found {name!r}, expected a file of {', '.join(MESH_SUFFIXES)}"
        )
        return
    if folder is None:
        return
    file = folder / name
    try:
        if not file.resolve().is_relative_to(folder.resolve()):
            outcome.complain(MeshError, path, f"{name!r} leads out of the machine file's folder")
        elif not file.is_file():
            outcome.complain(MeshError, path, f"there is no file {name!r}")
        elif file.stat().st_size > LARGEST_MESH:
            outcome.complain(FileTooLargeError, path, f"{name!r} is larger than 64 MiB")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        outcome.complain(MeshError, path, f"{name!r} cannot be read: {reason}")


# -- home and graph --------------------------------------------------------------------


def _check_home(parts: Parts, outcome: Outcome) -> None:
    home = parts.heading.home if parts.heading is not None else None
    if home is None:
        return
    if home.joints is not None and home.actuators is not None:
        outcome.complain(
            ValueRangeError, ("home",), "expected either joints or actuators, not both"
        )
    for kind, values in (("joints", home.joints), ("actuators", home.actuators)):
        for name in values or {}:
            _check_name(name, kind, parts, ("home", kind, name), outcome, "home")
    closing = {
        parts.joints[j][1].name
        for pair in closure_pairs([joint for _, joint in parts.joints])
        for j in pair
    }
    immovable = {joint.name for _, joint in parts.joints if joint.type == "fixed"} | closing
    for name in home.joints or {}:
        if name in immovable:
            outcome.complain(
                ValueRangeError,
                ("home", "joints", name),
                f"joint {name!r} is fixed or closes a loop: it has no position of its own",
            )


def _check_graph(parts: Parts, outcome: Outcome) -> None:
    """One tree that reaches every link, and pairs of joints that close its loops."""
    joints = parts.joints
    pairs = closure_pairs([joint for _, joint in joints])
    closing = {j for pair in pairs for j in pair}
    cylinder_parts = {
        part for _, actuator in parts.actuators for part in (actuator.tube, actuator.rod)
    }
    for a, b in pairs:
        if joints[a][1].type != joints[b][1].type:
            outcome.complain(
                ValueRangeError,
                ("joints", joints[b][0], "type"),
                f"found {joints[b][1].type!r}, but {joints[a][1].name!r}, the other half of this "
                f"pivot, is {joints[a][1].type!r}",
            )
    carrier: dict[str, str] = {}
    children: dict[str, list[str]] = defaultdict(list)
    for j, (i, joint) in enumerate(joints):
        if joint.child in cylinder_parts or joint.parent in cylinder_parts:
            part = joint.child if joint.child in cylinder_parts else joint.parent
            outcome.complain(
                TwoParentsError,
                ("joints", i),
                f"joint {joint.name!r} leads to {part!r}, which its actuator already carries",
            )
        elif j in closing:
            continue
        elif joint.child in carrier:
            outcome.complain(
                TwoParentsError,
                ("joints", i, "child"),
                f"link {joint.child!r} has two parents: joint {carrier[joint.child]!r} leads to "
                f"it already",
                "a loop is closed by two joints between the same links in opposite directions",
            )
        else:
            carrier[joint.child] = joint.name
            children[joint.parent].append(joint.child)
    main = [(i, link.name) for i, link in parts.links if link.name not in cylinder_parts]
    _check_tree(main, carrier, children, outcome)
    for kind in ("tube_parent", "rod_parent"):
        for i, actuator in parts.actuators:
            if getattr(actuator, kind) in cylinder_parts:
                outcome.complain(
                    ValueRangeError,
                    ("actuators", i, kind),
                    f"{getattr(actuator, kind)!r} is a tube or rod and cannot carry another",
                )
    if not outcome.problems:
        _check_followers(parts, {joints[j][1].name for j in closing}, outcome)


def _check_tree(
    main: list[tuple[int, str]],
    carrier: dict[str, str],
    children: dict[str, list[str]],
    outcome: Outcome,
) -> None:
    """Exactly one link has no parent, and every other is reached from it."""
    roots = [name for _, name in main if name not in carrier]
    if not main:
        outcome.complain(DisconnectedError, ("links",), "a machine needs at least one link")
        return
    if not roots:
        outcome.complain(
            DisconnectedError, ("joints",), "every link has a parent: the machine has no root"
        )
        return
    root = max(roots, key=lambda name: _size(name, children))
    reached = set(_reached(root, children))
    for i, name in main:
        if name not in reached:
            outcome.complain(
                DisconnectedError,
                ("links", i),
                f"link {name!r} is not connected to the root {root!r} by joints",
            )


def _reached(root: str, children: dict[str, list[str]]) -> Iterator[str]:
    waiting = [root]
    while waiting:
        name = waiting.pop()
        yield name
        waiting += children.get(name, ())


def _size(root: str, children: dict[str, list[str]]) -> int:
    return sum(1 for _ in _reached(root, children))


def _check_followers(parts: Parts, closing: Iterable[str], outcome: Outcome) -> None:
    """Motors and repeaters act on tree joints of one freedom; no repeater follows itself."""
    closing = set(closing)
    single = {
        joint.name
        for _, joint in parts.joints
        if joint.type in ("revolute", "continuous", "prismatic") and joint.name not in closing
    }
    uses = [("motors", i, "joint", motor.joint) for i, motor in parts.motors]
    for i, repeater in parts.repeaters:
        uses += [
            ("repeaters", i, "joint", repeater.joint),
            ("repeaters", i, "follows", repeater.follows),
        ]
        if repeater.joint == repeater.follows:
            outcome.complain(
                ValueRangeError,
                ("repeaters", i, "follows"),
                f"joint {repeater.joint!r} cannot follow itself",
            )
    for key, i, name, joint in uses:
        if joint not in single:
            outcome.complain(
                ValueRangeError,
                (key, i, name),
                f"joint {joint!r} is no revolute, continuous or prismatic joint of the tree",
            )
    followers = Counter(repeater.joint for _, repeater in parts.repeaters)
    for i, repeater in parts.repeaters:
        if followers[repeater.joint] > 1:
            outcome.complain(
                DuplicateNameError,
                ("repeaters", i, "joint"),
                f"joint {repeater.joint!r} follows more than one other",
            )
