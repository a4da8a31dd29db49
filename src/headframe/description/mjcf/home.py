"""The home pose of an MJCF model: its keyframe `home`, else where the file has its bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ...spatial import compose, matrix_from_quaternion, pose_error
from .equalities import MjcfClosure
from .places import Floats, unit
from .tree import MjcfBody, MjcfTree, at_ref
from .values import MjcfValues

Position = Any  # a number, or a list of them
WIDTH = {"free": 7, "ball": 4, "hinge": 1, "slide": 1}
OPEN = 0.02  # [m, rad]: a loop that gapes more than that is not closed
SLACK = 1e-9


def home_of(
    root: Element,
    tree: MjcfTree,
    closures: Sequence[MjcfClosure],
    repeaters: Sequence[Mapping[str, Any]],
    values: MjcfValues,
) -> dict[str, Position]:
    """Positions at home by joint; joints that are not named are at 0, or as near as they can be.

    Left out are joints whose position is outside of their range, and the joints of loops that are
    not closed.
    """
    still = {f.name: at_ref(body, f) for body in tree.bodies for f in body.freedoms}
    key = _keyframe(root, tree, values)
    home = still if key is None else key
    _lead(home, repeaters)
    plain = key is None and not closures and not repeaters
    if plain and all(value == 0.0 for value in home.values()):
        return {}
    outside = {name for name, value in home.items() if not _allowed(tree, name, value)}
    for name in sorted(outside) if key is not None else ():
        values.remark("the keyframe 'home' is outside of the joint's range; it is not kept", name)
    for closure, gap, angle in _gaps(tree, closures, home):
        path = {freedom.name for freedom in closure.path}
        if is_open := max(gap, angle) > OPEN:
            what = "where the bodies stand" if key is None else "in the keyframe 'home'"
            told = f"open by {gap:.3g} m and {angle:.3g} rad {what}"
            values.remark(f"the loop is {told}; its joints are found anew", closure.name)
        if is_open or path & outside:
            outside |= path
    return {name: value for name, value in home.items() if name not in outside}


def _lead(home: dict[str, Position], repeaters: Sequence[Mapping[str, Any]]) -> None:
    """Put joints that follow others where these lead them; no joint follows itself."""
    waiting = {repeater["joint"]: repeater for repeater in repeaters}
    for name in list(waiting):
        chain = []
        while name in waiting:
            chain.append(waiting.pop(name))
            name = chain[-1]["follows"]
        for each in reversed(chain):
            home[each["joint"]] = each["ratio"] * home[each["follows"]] + each["offset"]


def _allowed(tree: MjcfTree, name: str, value: Position) -> bool:
    limit = tree.freedoms[name].limit
    if limit is None or isinstance(value, list):
        return True
    return bool(limit[0] - SLACK <= value <= limit[1] + SLACK)


def _keyframe(root: Element, tree: MjcfTree, values: MjcfValues) -> dict[str, Position] | None:
    """Positions of the keyframe called home, quaternions first."""
    keys = [key for section in root.findall("keyframe") for key in section.findall("key")]
    key = next((key for key in keys if key.get("name") == "home"), None)
    if len(keys) > (key is not None):
        values.ignored["key"] += len(keys) - (key is not None)
    if key is None or not key.get("qpos"):
        return None
    place, instead = "key 'home'", "it is not kept"
    count = sum(WIDTH[freedom.kind] for freedom in tree.freedoms.values())
    found = values.numbers(key, place, "qpos", count, count, instead)
    if found is None:
        return None
    home: dict[str, Position] = {}
    at = 0
    for freedom in tree.freedoms.values():
        part = found[at : at + WIDTH[freedom.kind]]
        at += len(part)
        if len(part) == 1:
            home[freedom.name] = part[0]
            continue
        quat = unit(np.array(part[-4:]))
        turn = [1.0, 0.0, 0.0, 0.0] if quat is None else [float(value) for value in quat]
        home[freedom.name] = [*turn, *part[:-4]]
    return home


def _gaps(
    tree: MjcfTree, closures: Sequence[MjcfClosure], home: Mapping[str, Position]
) -> list[tuple[MjcfClosure, float, float]]:
    """How far loops are open at some positions: gap [m], for welds also angle [rad]."""
    if not closures:
        return []
    poses: dict[MjcfBody, Floats] = {}
    for body in tree.bodies:
        X = body.X_PB if body.parent is None else poses[body.parent] @ body.X_PB
        for freedom in body.freedoms:
            value = home[freedom.name]
            if freedom.kind == "free":
                X = _moved(value)
            elif freedom.kind == "ball":
                turn = compose(matrix_from_quaternion(value), np.zeros(3))
                X = X @ freedom.before @ turn @ freedom.after
            else:
                X = X @ freedom.before @ freedom.turned(value) @ freedom.after
        poses[body] = X
    found = []
    for closure in closures:
        A, B = poses[closure.one] @ closure.X_one, poses[closure.other] @ closure.X_other
        error = pose_error(A, B)
        angle = float(np.linalg.norm(error[:3])) if closure.type == "fixed" else 0.0
        found.append((closure, float(np.linalg.norm(A[:3, 3] - B[:3, 3])), angle))
    return found


def _moved(value: Sequence[float]) -> Floats:
    return compose(matrix_from_quaternion(value[:4]), value[4:])
