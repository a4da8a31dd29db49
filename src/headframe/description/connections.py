"""How the links of a machine file hang together: one tree, and pairs of joints that close loops."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ..errors import (
    BoundsError,
    DisconnectedError,
    DuplicateNameError,
    TwoParentsError,
    ValueRangeError,
)
from .drives import JOINT_DRIVES, Actuator, DriveKind
from .geometry import Limit
from .joint_kinds import JOINT_KINDS, names_of_single
from .jsonc import Findings, Path, shown
from .loops import closure_pairs
from .model import Home, Joint
from .names import raw_elements, text_of

BOUND_SLACK = 1e-9  # how far a home may lie outside bounds and limits [m, rad]


class JointEdge(NamedTuple):
    """A joint as the graph sees it; `place` is its position in the file."""

    place: int
    name: str
    parent: str
    child: str
    type: str


def check_home(
    home: Home, joints: Sequence[Joint], actuators: Sequence[Actuator], outcome: Findings
) -> None:
    """A home pose is given by joints or by actuators, each in its range."""
    if (home.joints is None) == (home.actuators is None):
        found = "neither" if home.joints is None else "both"
        message = f"found {found} of 'joints' and 'actuators', expected one of them"
        outcome.complain(ValueRangeError, ("home",), message)
    closing = {joints[j].name for pair in closure_pairs(joints) for j in pair}
    joint_of = {joint.name: joint for joint in joints if joint.name not in closing}
    for name, value in (home.joints or {}).items():
        if name in joint_of:
            _check_home_joint(joint_of[name], value, ("home", "joints", name), outcome)
    bounds_of = {actuator.name: actuator.bounds for actuator in actuators}
    for name, length in (home.actuators or {}).items():
        bounds = bounds_of.get(name)
        if bounds is not None and _is_outside(length, bounds):
            outcome.complain(
                BoundsError,
                ("home", "actuators", name),
                f"actuator {shown(name)} is to be {length:g} m long, outside its bounds "
                f"{bounds.lower:g} to {bounds.upper:g} m",
            )


def _check_home_joint(
    joint: Joint, value: float | tuple[float, ...], path: Path, outcome: Findings
) -> None:
    """As many values as the joint type has, unit quaternions, inside the limit."""
    if joint.kind.is_fixed:
        return  # check_graph says that it has no position
    values = value if isinstance(value, tuple) else (value,)
    width = joint.kind.positions
    name = shown(joint.name)
    if len(values) != width:
        message = f"joint {name} takes {width} value(s), but {len(values)} are given"
        outcome.complain(ValueRangeError, path, message)
    elif joint.kind.has_ball:
        norm = math.hypot(*values[:4])
        if abs(norm - 1.0) > 1e-3:
            message = f"the quaternion of joint {name} has length {norm:g}, expected 1"
            outcome.complain(ValueRangeError, path, message)
    elif width == 1 and joint.limit is not None and _is_outside(values[0], joint.limit):
        outcome.complain(
            BoundsError,
            path,
            f"joint {name} is at {values[0]:.4g}, outside its limit {joint.limit.lower:g} to "
            f"{joint.limit.upper:g}",
        )


def _is_outside(value: float, limit: Limit) -> bool:
    """Whether a value lies outside; nothing does if the limit itself is wrong."""
    return limit.lower <= limit.upper and not (
        limit.lower - BOUND_SLACK <= value <= limit.upper + BOUND_SLACK
    )


def check_graph(data: dict[str, Any], outcome: Findings) -> None:
    """One tree that reaches every link, and pairs of joints that close its loops."""
    edges = [
        JointEdge(i, str(item.get("name")), item["parent"], item["child"], str(item.get("type")))
        for i, item in raw_elements(data, "joints")
    ]
    pairs = [(edges[a], edges[b]) for a, b in closure_pairs(edges)]
    closing = {edge.place for pair in pairs for edge in pair}
    carried = [
        (item[part], shown(item.get("name")))
        for _, item in raw_elements(data, "actuators")
        for part in ("tube", "rod")
    ]
    part_of = dict(carried)
    doubtful = _check_pairs(edges, outcome)
    for a, b in pairs:
        if frozenset((a.parent, a.child)) in doubtful:
            continue
        if a.type == b.type and not JOINT_KINDS[a.type].closes:
            why = (
                "a free joint closes nothing"
                if JOINT_KINDS[a.type].is_free
                else f"close the loop at another of its joints, since its {a.type} joints have to "
                "be in the tree"
            )
            outcome.complain(
                ValueRangeError,
                ("joints", b.place, "type"),
                f"found {a.type!r} in {b.name!r} and {a.name!r}, the two halves of one pivot, "
                f"expected another type: {why}",
            )
        if a.type != b.type and {a.type, b.type} <= JOINT_KINDS.keys():
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
    main = [
        (i, item["name"]) for i, item in raw_elements(data, "links") if item["name"] not in part_of
    ]
    # a link is not also called lost if the joint or actuator that should hold it is wrong
    known = len(part_of) == len(carried) and all(edge.parent != edge.child for edge in edges)
    if known and "links" in data:
        _check_tree(main, carrier, children, outcome)
    for i, item in raw_elements(data, "actuators"):
        for kind in ("tube_parent", "rod_parent"):
            if item[kind] in part_of:
                outcome.complain(
                    ValueRangeError,
                    ("actuators", i, kind),
                    f"found {item[kind]!r}, a tube or rod, expected a link that can carry one",
                )
    _check_followers(data, edges, closing, outcome)


def _check_pairs(edges: list[JointEdge], outcome: Findings) -> set[frozenset[str]]:
    """Two links have one joint or one pivot of two joints between them; the links that do not."""
    between: dict[frozenset[str], list[JointEdge]] = defaultdict(list)
    for edge in edges:
        between[frozenset((edge.parent, edge.child))].append(edge)
    doubtful = set()
    for ends, joints in between.items():
        both_ways = len({edge.parent for edge in joints}) == 2
        if not both_ways or len(joints) < 3:
            continue
        doubtful.add(ends)
        *names, last = (repr(edge.name) for edge in joints)
        outcome.complain(
            TwoParentsError,
            ("joints", joints[-1].place),
            f"joints {', '.join(names)} and {last} all connect {joints[0].parent!r} and "
            f"{joints[0].child!r}: which two of them are one pivot cannot be told",
            "two links have either one joint between them or one pair that closes a loop; "
            "hinges on one line are one joint",
        )
    return doubtful


def _check_tree(
    main: list[tuple[int, str]],
    carrier: dict[str, str],
    children: dict[str, list[str]],
    outcome: Findings,
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
    data: dict[str, Any], edges: list[JointEdge], closing: set[int], outcome: Findings
) -> None:
    """Home, motors, armature and repeaters are of tree joints; no repeater follows itself."""
    closed = {edge.name for edge in edges if edge.place in closing}
    for i, item in raw_elements(data, "joints"):
        armature = item.get("armature")
        if i in closing and isinstance(armature, int | float) and armature > 0:
            outcome.complain(
                ValueRangeError,
                ("joints", i, "armature"),
                f"joint {shown(item.get('name'))} closes a loop, expected armature in a joint of "
                "the tree only: close the loop at another of its joints",
            )
    types = {edge.name: edge.type for edge in edges}
    home = data.get("home")
    values = home.get("joints") if isinstance(home, dict) else None
    for name in values if isinstance(values, dict) else ():
        if name in closed or (types.get(name) in JOINT_KINDS and JOINT_KINDS[types[name]].is_fixed):
            why = "closes a loop" if name in closed else "is fixed"
            message = f"joint {shown(name)} {why}, expected one with a position of its own"
            outcome.complain(ValueRangeError, ("home", "joints", name), message)

    def check(name: str, path: Path, drive: DriveKind | None = None) -> None:
        kind = JOINT_KINDS.get(types.get(name, ""))
        takes = (lambda kind: kind.is_single) if drive is None else drive.takes
        expected = names_of_single() if drive is None else drive.joints
        if name in closed or (kind and not takes(kind)):
            why = "closes a loop" if name in closed else f"is {kind and kind.name}"
            outcome.complain(
                ValueRangeError,
                path,
                f"joint {shown(name)} {why}, expected a {expected} joint of the tree",
            )

    driven: dict[str, str] = {}  # joint -> its drive
    for listed, drive_kind in JOINT_DRIVES.items():
        for i, drive in raw_elements(data, listed):
            joint, path = text_of(drive, "joint"), (listed, i, "joint")
            check(joint, path, drive_kind)
            if joint in driven:
                message = f"joint {shown(joint)} is driven by {driven[joint]} already"
                outcome.complain(DuplicateNameError, path, message)
            elif joint:
                driven[joint] = f"{drive_kind.name} {shown(text_of(drive, 'name'))}"
    follows: dict[str, tuple[int, str]] = {}  # joint -> repeater and the joint it follows
    for i, repeater in raw_elements(data, "repeaters"):
        joint, leader = text_of(repeater, "joint"), text_of(repeater, "follows")
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
