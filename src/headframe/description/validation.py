"""What the elements of a machine say about each other, and what physics allows."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, NamedTuple, get_args

import numpy as np

from ..errors import (
    AxisError,
    BoundsError,
    DisconnectedError,
    DuplicateNameError,
    FileTooLargeError,
    InertiaError,
    MassError,
    MeshError,
    MissingFieldError,
    NameUnknownError,
    RedundantsError,
    SelfJointError,
    TwoParentsError,
    ValueRangeError,
    suggest,
)
from .geometry import Mesh, Vector
from .jsonc import Findings, Path, shown
from .loops import closure_pairs
from .model import (
    AXIAL_TYPES,
    Actuator,
    Home,
    Inertial,
    Joint,
    JointType,
    Limit,
    Link,
    Motor,
    Provenance,
    Repeater,
    Spring,
)

ELEMENTS = ("links", "joints", "actuators", "springs", "motors", "repeaters", "provenance")
REFERENCES = {  # the fields that name another element, and of which kind
    "joints": {"parent": "links", "child": "links"},
    "actuators": dict.fromkeys(("tube", "rod", "tube_parent", "rod_parent"), "links"),
    "springs": {"link_a": "links", "link_b": "links"},
    "motors": {"joint": "joints"},
    "repeaters": {"joint": "joints", "follows": "joints"},
}
MOST_COMPARISONS = 20_000  # of names, in search of the nearest
LARGEST_MESH = 64 * 2**20  # bytes
MESH_SUFFIXES = (".stl", ".obj", ".ply", ".glb", ".gltf", ".off")


@dataclass
class Parts:
    """The elements of a file, as far as they are sound in themselves, each with its position.

    `raw` is the whole file in canonical form: names are looked up there, so that a mistake in
    one place of an element hides none in another, and no mistake is reported twice.
    """

    links: list[tuple[int, Link]]
    joints: list[tuple[int, Joint]]
    actuators: list[tuple[int, Actuator]]
    springs: list[tuple[int, Spring]]
    motors: list[tuple[int, Motor]]
    repeaters: list[tuple[int, Repeater]]
    provenance: list[tuple[int, Provenance]]
    home: Home | None
    raw: dict[str, Any]


@dataclass
class Outcome(Findings):
    """What was found, at canonical paths, and the elements with unit axes."""

    parts: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)


class Edge(NamedTuple):
    """A joint as the graph sees it; `place` is its position in the file."""

    place: int
    name: str
    parent: str
    child: str
    type: str


def validate(parts: Parts, folder: FilePath | None) -> Outcome:
    """Check everything that takes more than one field to judge."""
    outcome = Outcome()
    for key in ELEMENTS:
        outcome.parts[key] = getattr(parts, key)
    names = _Names(parts.raw, outcome)
    _check_joints(parts, outcome)
    _check_actuators(parts, outcome)
    _check_springs(parts, outcome)
    _check_redundants(parts, outcome)
    for i, link in parts.links:
        if link.inertial is not None:
            _check_inertial(link.inertial, ("links", i, "inertial"), outcome)
        _check_meshes(i, link, folder, outcome)
    if parts.home is not None:
        _check_home(parts.home, outcome)
    if names.graph_is_known:
        _check_graph(parts.raw, outcome)
    return outcome


# -- names -----------------------------------------------------------------------------


def _raw(data: dict[str, Any], key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a list in the file, sound or not, with their positions."""
    items = data.get(key)
    for i, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield i, item


def _text(item: dict[str, Any], key: str) -> str:
    """The text in a field, or none."""
    value = item.get(key)
    return value if isinstance(value, str) else ""


class _Names:
    """Checks that names are unique, and that every name spoken of is there.

    Attributes:
        graph_is_known: whether all links have names of their own and all joints and actuators
            name links that are there, so that it makes sense to look at the graph.
    """

    def __init__(self, data: dict[str, Any], outcome: Outcome) -> None:
        self.outcome = outcome
        self.graph_is_known = all(
            isinstance(data.get(key, []), list)
            and all(isinstance(item, dict) for item in data.get(key, []))
            for key in ("links", "joints", "actuators")
        )
        self.names = {key: self._unique(data, key) for key in ELEMENTS[:-1]}
        self.comparisons = MOST_COMPARISONS
        for key, kinds in REFERENCES.items():
            for i, item in _raw(data, key):
                for name, kind in kinds.items():
                    self._check(item.get(name), kind, (key, i, name), shown(item.get("name")))
        for i, actuator in _raw(data, "actuators"):
            partners = actuator.get("redundants")
            for k, partner in enumerate(partners if isinstance(partners, list) else ()):
                path: Path = ("actuators", i, "redundants", k)
                self._check(partner, "actuators", path, shown(actuator.get("name")))
        self._check(data.get("end_effector"), "links", ("end_effector",), "the end effector")
        home = data.get("home")
        for kind in ("joints", "actuators"):
            values = home.get(kind) if isinstance(home, dict) else None
            for name in values if isinstance(values, dict) else ():
                self._check(name, kind, ("home", kind, name), "home")

    def _unique(self, data: dict[str, Any], key: str) -> dict[str, None]:
        """All names of one kind, in the order of the file."""
        names: dict[str, None] = {}
        for i, item in _raw(data, key):
            name = item.get("name")
            if not isinstance(name, str) or not name:
                self.graph_is_known &= key != "links"
                continue
            if name in names:
                message = f"the name {shown(name)} is taken by an earlier {key[:-1]}"
                self.outcome.complain(DuplicateNameError, (key, i, "name"), message)
                self.graph_is_known &= key != "links"
            names[name] = None
        return names

    def _check(self, name: Any, kind: str, path: Path, owner: str) -> None:
        choices = self.names[kind]
        if isinstance(name, str) and name in choices:
            return
        if kind == "links":
            self.graph_is_known &= path[0] not in ("joints", "actuators")
        if isinstance(name, str) and (choices or kind != "links"):
            self.comparisons -= len(choices)  # many mistakes in a large file would take minutes
            hint = suggest(name, choices) if self.comparisons > 0 else ""
            message = f"{owner} names {shown(name)}, which is no {kind[:-1]}"
            self.outcome.complain(NameUnknownError, path, message, hint)


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
                MissingFieldError,
                (*path, "axis"),
                f"the field 'axis' is missing: a {joint.type} joint needs one",
            )
        if joint.type == "universal" and joint.axis2 is None:
            outcome.complain(
                MissingFieldError,
                (*path, "axis2"),
                "the field 'axis2' is missing: a universal joint needs two axes",
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
        angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
        message = f"found axes of {joint.name!r} {angle:.4g} degrees apart, expected 90"
        outcome.complain(AxisError, path, message)


def _unit(axis: Vector, path: Path, owner: str, outcome: Outcome) -> Vector:
    """The axis with length 1; a visible change is noted, no length at all is a problem."""
    largest = max(abs(value) for value in axis)
    if largest == 0.0:
        message = f"found an axis of {owner!r} without length, expected a unit vector"
        outcome.complain(AxisError, path, message)
        return axis
    scaled = [value / largest for value in axis]
    norm = largest * math.sqrt(sum(value * value for value in scaled))
    if abs(norm - 1.0) < 1e-12:
        return axis
    if abs(norm - 1.0) > 1e-6:
        outcome.note(path, f"the axis of {owner!r} has length {norm:.6g}, normalised to 1")
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
            f"found lower {limit.lower:g} above upper {limit.upper:g} in {owner}, expected the "
            "smaller one first",
        )
    if positive and limit.lower <= 0.0:
        outcome.complain(
            BoundsError,
            (*path, "lower"),
            f"found {limit.lower:g} in {owner}, expected a length of more than 0",
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
                f"found a rod of {actuator.rod_diameter:g} m in {owner}, expected less than its "
                f"bore of {actuator.bore:g} m",
            )
        axes = {
            name: _unit(axis, (*path, name), actuator.name, outcome)
            for name in ("tube_axis", "rod_axis")
            if (axis := getattr(actuator, name)) is not None
        }
        changed = {name: axis for name, axis in axes.items() if axis != getattr(actuator, name)}
        unit_actuators.append((i, actuator.model_copy(update=changed) if changed else actuator))
    outcome.parts["actuators"] = unit_actuators


def _check_springs(parts: Parts, outcome: Outcome) -> None:
    for i, spring in parts.springs:
        if spring.link_a == spring.link_b:
            message = f"spring {spring.name!r} connects {spring.link_a!r} to itself"
            outcome.complain(SelfJointError, ("springs", i, "link_b"), message)


def _check_redundants(parts: Parts, outcome: Outcome) -> None:
    """Partners name each other, and a group's name stands for all of them and for no other."""
    partners: dict[str, frozenset[str]] = {}
    for _, actuator in parts.actuators:
        partners.setdefault(actuator.name, frozenset(actuator.redundants))
    together = {name: set(others) for name, others in partners.items()}  # in either direction
    for name, others in partners.items():
        for other in others & partners.keys():
            together[other].add(name)
    leader: dict[str, str] = {}  # first actuator of the group that an actuator belongs to
    for _, actuator in parts.actuators:
        waiting = [] if actuator.name in leader else [actuator.name]
        while waiting:
            name = waiting.pop()
            if name in partners and name not in leader:
                leader[name] = actuator.name
                waiting += together[name]
    named: dict[str, tuple[str, str]] = {}  # leader -> group and an actuator that says so
    owner: dict[str, str] = {}  # group -> an actuator of it
    for i, actuator in parts.actuators:
        for k, name in enumerate(actuator.redundants):
            path: Path = ("actuators", i, "redundants", k)
            if name == actuator.name:
                outcome.complain(RedundantsError, path, f"{name!r} is redundant to itself")
            elif actuator.name not in partners.get(name, {actuator.name}):
                outcome.complain(
                    RedundantsError,
                    path,
                    f"{actuator.name!r} names {name!r} as redundant, but not the other way round",
                    f"add {actuator.name!r} to the redundants of {name!r}",
                )
        if actuator.group is None:
            continue
        path = ("actuators", i, "group")
        group, other = named.setdefault(leader[actuator.name], (actuator.group, actuator.name))
        if group != actuator.group:
            outcome.complain(
                RedundantsError,
                path,
                f"found group {actuator.group!r}, but its redundant partner {other!r} is in "
                f"{group!r}",
            )
        other = owner.setdefault(actuator.group, actuator.name)
        if leader[other] != leader[actuator.name]:
            outcome.complain(
                RedundantsError,
                path,
                f"found group {actuator.group!r}, which is also the group of {other!r}, but they "
                "are not redundant to each other",
            )


# -- masses and meshes -----------------------------------------------------------------


def _check_inertial(inertial: Inertial, path: Path, outcome: Outcome) -> None:
    """Mass must be positive; principal moments must satisfy the triangle inequality."""
    if inertial.mass <= 0.0:
        outcome.complain(
            MassError, (*path, "mass"), f"found {inertial.mass:g}, expected a mass of more than 0"
        )
    size = max(abs(value) for row in inertial.inertia for value in row)
    inertia = np.array(inertial.inertia) / (size or 1.0)
    if np.abs(inertia - inertia.T).max() > 1e-9:
        message = "found a matrix that is not symmetric, expected a symmetric one"
        outcome.complain(InertiaError, (*path, "inertia"), message)
        return
    moments = np.linalg.eigvalsh(inertia)
    listed = ", ".join(f"{moment * size:g}" for moment in moments)
    if moments[0] < -1e-9:
        message = f"found principal moments {listed}, expected none below 0"
        outcome.complain(InertiaError, (*path, "inertia"), message)
    elif moments[0] + moments[1] < moments[2] - 1e-9:
        outcome.complain(
            InertiaError,
            (*path, "inertia"),
            f"found principal moments {listed}, expected the two smaller to add up to at least the "
            "largest (triangle inequality)",
        )


def _check_meshes(i: int, link: Link, folder: FilePath | None, outcome: Outcome) -> None:
    for key, shapes in (("visual", link.visuals), ("collision", link.collision)):
        for k, shape in enumerate(shapes):
            if isinstance(shape.geometry, Mesh):
                path: Path = ("links", i, key, k, "geometry", "path")
                _check_mesh(shape.geometry.path, folder, path, outcome)


def _check_mesh(name: str, folder: FilePath | None, path: Path, outcome: Outcome) -> None:
    """A mesh must be a file of a known kind inside the machine file's folder."""
    outside = f"found {name!r}, expected a file inside the machine file's folder"
    if any(sign in name for sign in "\0:\\") or FilePath(name).is_absolute():
        outcome.complain(MeshError, path, f"found {name!r}, expected a relative path with '/'")
        return
    depth = 0
    for part in name.split("/"):
        depth += -1 if part == ".." else 0 if part in ("", ".") else 1
        if depth < 0:
            outcome.complain(MeshError, path, outside)
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
            outcome.complain(MeshError, path, outside)
        elif not file.is_file():
            outcome.complain(MeshError, path, f"there is no file {name!r}")
        elif (size := file.stat().st_size) > LARGEST_MESH:
            message = f"found {name!r} of {size / 2**20:.1f} MiB, expected at most 64 MiB"
            outcome.complain(FileTooLargeError, path, message)
    except (OSError, RuntimeError) as error:  # RuntimeError: symbolic links in a circle
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        outcome.complain(MeshError, path, f"{name!r} cannot be read: {reason}")


# -- home and graph --------------------------------------------------------------------


def _check_home(home: Home, outcome: Outcome) -> None:
    if (home.joints is None) == (home.actuators is None):
        found = "neither" if home.joints is None else "both"
        message = f"found {found} of 'joints' and 'actuators', expected one of them"
        outcome.complain(ValueRangeError, ("home",), message)


def _check_graph(data: dict[str, Any], outcome: Outcome) -> None:
    """One tree that reaches every link, and pairs of joints that close its loops."""
    edges = [
        Edge(i, str(item.get("name")), item["parent"], item["child"], str(item.get("type")))
        for i, item in _raw(data, "joints")
    ]
    pairs = [(edges[a], edges[b]) for a, b in closure_pairs(edges)]
    closing = {edge.place for pair in pairs for edge in pair}
    carried = [
        (item[part], shown(item.get("name")))
        for _, item in _raw(data, "actuators")
        for part in ("tube", "rod")
    ]
    part_of = dict(carried)
    for a, b in pairs:
        if a.type != b.type and {a.type, b.type} <= set(get_args(JointType)):
            outcome.complain(
                ValueRangeError,
                ("joints", b.place, "type"),
                f"found {b.type!r}, expected {a.type!r} as in {a.name!r}, the other half of this "
                "pivot",
            )
    carrier: dict[str, str] = {}
    children: dict[str, list[str]] = defaultdict(list)
    for edge in edges:
        if part := next((end for end in (edge.child, edge.parent) if end in part_of), None):
            outcome.complain(
                TwoParentsError,
                ("joints", edge.place),
                f"joint {edge.name!r} holds {part!r}, which actuator {part_of[part]} carries "
                "already",
            )
        elif edge.place in closing or edge.parent == edge.child:
            continue
        elif edge.child in carrier:
            outcome.complain(
                TwoParentsError,
                ("joints", edge.place, "child"),
                f"link {edge.child!r} has two parents: joint {carrier[edge.child]!r} leads to it "
                "too",
                "a loop is closed by two joints between the same links in opposite directions",
            )
        else:
            carrier[edge.child] = edge.name
            children[edge.parent].append(edge.child)
    main = [(i, item["name"]) for i, item in _raw(data, "links") if item["name"] not in part_of]
    # a link is not also called lost if the joint or actuator that should hold it is wrong
    known = len(part_of) == len(carried) and all(edge.parent != edge.child for edge in edges)
    if known and "links" in data:
        _check_tree(main, carrier, children, outcome)
    for i, item in _raw(data, "actuators"):
        for kind in ("tube_parent", "rod_parent"):
            if item[kind] in part_of:
                outcome.complain(
                    ValueRangeError,
                    ("actuators", i, kind),
                    f"found {item[kind]!r}, a tube or rod, expected a link that can carry one",
                )
    _check_followers(data, edges, closing, outcome)


def _check_tree(
    main: list[tuple[int, str]],
    carrier: dict[str, str],
    children: dict[str, list[str]],
    outcome: Outcome,
) -> None:
    """Exactly one link has no parent, and every other is reached from it."""
    roots = [name for _, name in main if name not in carrier]
    if not main:
        message = "found no link but tubes and rods, expected at least one"
        outcome.complain(DisconnectedError, ("links",), message)
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
                f"link {name!r} is not connected to the root {root!r}: no chain of joints leads "
                "to it",
            )


def _reached(root: str, children: dict[str, list[str]]) -> Iterator[str]:
    waiting = [root]
    while waiting:
        name = waiting.pop()
        yield name
        waiting += children.get(name, ())


def _size(root: str, children: dict[str, list[str]]) -> int:
    return sum(1 for _ in _reached(root, children))


def _check_followers(
    data: dict[str, Any], edges: list[Edge], closing: set[int], outcome: Outcome
) -> None:
    """Home, motors and repeaters speak of tree joints; no repeater follows itself."""
    closed = {edge.name for edge in edges if edge.place in closing}
    types = {edge.name: edge.type for edge in edges}
    home = data.get("home")
    values = home.get("joints") if isinstance(home, dict) else None
    for name in values if isinstance(values, dict) else ():
        if name in closed or types.get(name) == "fixed":
            why = "closes a loop" if name in closed else "is fixed"
            message = f"joint {shown(name)} {why}, expected one with a position of its own"
            outcome.complain(ValueRangeError, ("home", "joints", name), message)

    def check(name: str, path: Path) -> None:
        kind = types.get(name, "")
        if name in closed or kind in ("fixed", "universal", "spherical", "free"):
            why = "closes a loop" if name in closed else f"is {kind}"
            outcome.complain(
                ValueRangeError,
                path,
                f"joint {shown(name)} {why}, expected a revolute, continuous or prismatic joint "
                "of the tree",
            )

    for i, motor in _raw(data, "motors"):
        check(_text(motor, "joint"), ("motors", i, "joint"))
    follows: dict[str, tuple[int, str]] = {}  # joint -> repeater and the joint it follows
    for i, repeater in _raw(data, "repeaters"):
        joint, leader = _text(repeater, "joint"), _text(repeater, "follows")
        check(joint, ("repeaters", i, "joint"))
        check(leader, ("repeaters", i, "follows"))
        if joint in follows:
            message = f"joint {shown(joint)} follows {shown(follows[joint][1])} already"
            outcome.complain(DuplicateNameError, ("repeaters", i, "joint"), message)
        elif joint and leader:
            follows[joint] = i, leader
    while follows:
        joint, (i, leader) = follows.popitem()
        chain = {joint}
        while leader in follows:
            chain.add(leader)
            i, leader = follows.pop(leader)
        if leader in chain:
            message = f"joint {shown(leader)} follows itself"
            outcome.complain(ValueRangeError, ("repeaters", i, "follows"), message)
