"""What the elements of a machine say about each other, and what physics allows."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from ..errors import (
    AxisError,
    BoundsError,
    DuplicateNameError,
    MissingFieldError,
    RedundantsError,
    SelfJointError,
    ValueRangeError,
)
from .bodies import check_file, check_inertial, check_shapes
from .connections import check_graph, check_home
from .contact_material import ContactMaterial, check_material
from .drives import JOINT_DRIVES, Actuator
from .geometry import Limit, Vector
from .inertia import note_inertias
from .joint_kinds import JOINT_KINDS, names_of_single
from .jsonc import Findings, Path
from .loops import closure_pairs
from .model import (
    Home,
    Joint,
    Link,
    Provenance,
    Repeater,
    Spring,
)
from .names import ELEMENTS, NameCheck


@dataclass
class Parts:
    """The elements of a file, as far as they are sound in themselves, each with its position.

    `raw` is the whole file in canonical form: names are looked up there, so that a mistake in
    one place of an element hides none in another, and no mistake is reported twice. `invented`
    are the names in it that the file does not have.
    """

    links: list[tuple[int, Link]]
    joints: list[tuple[int, Joint]]
    actuators: list[tuple[int, Actuator]]
    springs: list[tuple[int, Spring]]
    joint_drives: dict[str, list[tuple[int, Any]]]  # by the list that they stand in
    repeaters: list[tuple[int, Repeater]]
    materials: list[tuple[int, ContactMaterial]]
    provenance: list[tuple[int, Provenance]]
    home: Home | None
    raw: dict[str, Any]
    geometry_file: str | None = None
    invented: Collection[str] = ()


@dataclass
class Outcome(Findings):
    """What was found, at canonical paths, and the elements with unit axes."""

    parts: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)


def validate(parts: Parts, folder: FilePath | None, forgiving: bool = False) -> Outcome:
    """Check everything that takes more than one field to judge.

    `forgiving`: inertias that no body has are notes, until dynamics needs them.
    """
    outcome = Outcome()
    for key in ELEMENTS:
        drives = parts.joint_drives
        outcome.parts[key] = drives[key] if key in drives else getattr(parts, key)
    names = NameCheck(parts.raw, outcome, parts.invented)
    _check_joints(parts, outcome)
    _check_actuators(parts, outcome)
    _check_springs(parts, outcome)
    _check_joint_drives(parts, outcome)
    _check_redundants(parts, outcome)
    for i, link in parts.links:
        if link.inertial is not None and not forgiving:
            check_inertial(link.inertial, ("links", i, "inertial"), outcome)
        check_shapes(i, link, folder, outcome)
    for i, material in parts.materials:
        check_material(material, ("materials", i), outcome)
    if forgiving:
        note_inertias([link for _, link in parts.links], outcome)
    if parts.geometry_file is not None:
        check_file(parts.geometry_file, (".3dt",), folder, ("geometry_file",), outcome)
    if parts.home is not None:
        joints = [joint for _, joint in parts.joints]
        check_home(parts.home, joints, [actuator for _, actuator in parts.actuators], outcome)
    if names.graph_is_known:
        check_graph(parts.raw, outcome)
    return outcome


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
            if not joint.kind.is_single:
                outcome.complain(
                    ValueRangeError,
                    (*path, "limit"),
                    f"found a limit in the {joint.type} joint {joint.name!r}, but only "
                    f"{names_of_single()} joints take one",
                )
        for name in joint.kind.axes:
            if getattr(joint, name) is None:
                needed = "one" if name == "axis" else "two axes"
                outcome.complain(
                    MissingFieldError,
                    (*path, name),
                    f"the field {name!r} is missing: a {joint.type} joint needs {needed}",
                )
        _check_pitch(joint, path, outcome)
        axes = {
            name: _unit(axis, (*path, name), joint.name, outcome)
            for name in ("axis", "axis2")
            if (axis := getattr(joint, name)) is not None
        }
        changed = {name: axis for name, axis in axes.items() if axis != getattr(joint, name)}
        if joint.kind.axes == ("axis", "axis2") and len(axes) == 2:
            _check_perpendicular(joint, axes["axis"], axes["axis2"], (*path, "axis2"), outcome)
        unit_joints.append((i, joint.model_copy(update=changed) if changed else joint))
    outcome.parts["joints"] = unit_joints
    _check_slides(unit_joints, outcome)


def _check_pitch(joint: Joint, path: Path, outcome: Outcome) -> None:
    """Threads have a pitch, and nothing else has."""
    if joint.kind.has_pitch and not joint.pitch:
        found = "is missing" if joint.pitch is None else "is 0"
        outcome.complain(
            MissingFieldError if joint.pitch is None else ValueRangeError,
            (*path, "pitch"),
            f"the field 'pitch' {found}: a {joint.type} joint needs the way that it moves on in "
            "one whole turn [m]",
        )
    elif joint.pitch is not None and not joint.kind.has_pitch:
        threads = ", ".join(kind.name for kind in JOINT_KINDS.values() if kind.has_pitch)
        outcome.complain(
            ValueRangeError,
            (*path, "pitch"),
            f"found a pitch in the {joint.type} joint {joint.name!r}, but only {threads} joints "
            "take one",
        )


def _check_slides(joints: list[tuple[int, Joint]], outcome: Outcome) -> None:
    """The two halves of a slide that closes a loop slide along the same line."""
    for a, b in closure_pairs([joint for _, joint in joints]):
        (_, first), (place, second) = joints[a], joints[b]
        if not (first.kind.is_slide and second.kind.is_slide and first.axis and second.axis):
            continue
        sine = math.hypot(*np.cross(first.axis, second.axis))
        if sine > 1e-6 and any(first.axis) and any(second.axis):
            outcome.complain(
                AxisError,
                ("joints", place, "axis"),
                f"found axis {_shown(second.axis)} in {second.name!r} and {_shown(first.axis)} in "
                f"{first.name!r}, the other half of this slide, expected the same line in both: "
                "their joint frames coincide in orientation",
            )


def _shown(axis: Vector) -> str:
    return "[" + ", ".join(f"{value:.6g}" for value in axis) + "]"


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


def _check_joint_drives(parts: Parts, outcome: Outcome) -> None:
    limits = {joint.name: joint.limit for _, joint in parts.joints}
    for listed, kind in JOINT_DRIVES.items():
        for i, drive in parts.joint_drives[listed] if kind.ends else ():
            if limits.get(drive.joint, True) is None:
                outcome.complain(
                    MissingFieldError,
                    (listed, i, "joint"),
                    f"joint {drive.joint!r} has no limit, expected one: {kind.name} "
                    f"{drive.name!r} cannot turn on and on",
                )
    for i, motor in parts.joint_drives["motors"]:
        if motor.max_torque is not None and abs(motor.torque) > motor.max_torque:
            outcome.complain(
                ValueRangeError,
                ("motors", i, "torque"),
                f"found {motor.torque:g} in motor {motor.name!r}, expected at most its max_torque "
                f"of {motor.max_torque:g}",
            )


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
