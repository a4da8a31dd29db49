"""The home pose of an MJCF model: its keyframe `home`, else where the file has its bodies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ...spatial import compose, matrix_from_quaternion
from .equalities import Closure
from .places import Floats, unit
from .tree import Body, Tree, at_ref
from .values import Values

Position = Any  # a number, or a list of them
WIDTH = {"free": 7, "ball": 4, "hinge": 1, "slide": 1}
OPEN = 0.02  # [m]: a keyframe whose loops gape more than that is no home
SLACK = 1e-9


def home_of(
    root: Element,
    tree: Tree,
    closures: Sequence[Closure],
    repeaters: Sequence[Mapping[str, Any]],
    values: Values,
) -> dict[str, Position]:
    """Positions at home by joint; joints that are not named are at 0, or as near as they can be.

    A joint whose position lies outside of its range is left out.
    """
    still = {f.name: at_ref(body, f) for body in tree.bodies for f in body.freedoms}
    key = _keyframe(root, tree, values)
    if key is not None and (gap := _widest(tree, closures, key)) > OPEN:
        message = f"the keyframe 'home' leaves a loop open by {gap:.3g} m"
        values.remark(f"{message}; the pose that the bodies are given in is taken")
        key = None
    home = still if key is None else key
    _lead(home, repeaters)
    plain = key is None and not closures and not repeaters
    if plain and all(value == 0.0 for value in home.values()):
        return {}
    outside = [name for name, value in home.items() if not _allowed(tree, name, value)]
    if outside and key is not None:
        values.remark("the keyframe 'home' is outside of the range; it is not kept", outside[0])
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


def _allowed(tree: Tree, name: str, value: Position) -> bool:
    limit = tree.freedoms[name].limit
    if limit is None or isinstance(value, list):
        return True
    return bool(limit[0] - SLACK <= value <= limit[1] + SLACK)


def _keyframe(root: Element, tree: Tree, values: Values) -> dict[str, Position] | None:
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


def _widest(tree: Tree, closures: Sequence[Closure], home: Mapping[str, Position]) -> float:
    """The widest gap of a loop at some positions [m]."""
    if not closures:
        return 0.0
    poses: dict[Body, Floats] = {}
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
    gaps = [(poses[c.one] @ c.X_one)[:3, 3] - (poses[c.other] @ c.X_other)[:3, 3] for c in closures]
    return max(float(np.linalg.norm(gap)) for gap in gaps)


def _moved(value: Sequence[float]) -> Floats:
    return compose(matrix_from_quaternion(value[:4]), value[4:])
