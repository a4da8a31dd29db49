"""Machine files with changed values, wild ones and mild ones."""

import copy
import json
import math
import random
from typing import Any

ODD = [
    None,
    True,
    False,
    0,
    -0.0,
    1,
    -1,
    2**53 + 1,
    10**22,
    10**400,
    -(10**400),
    1e-320,
    1e308,
    -1e308,
    math.nan,
    math.inf,
    "",
    " ",
    "x" * 257,
    "x" * 10_000,
    "\0",
    "\ud800",
    "\x1b[31m",
    "näme",
    "../up.stl",
    "meshes/wedge.obj",
    "1",
    "z",
    [],
    {},
    [[]],
    [0, 0, 0],
    [1, 0, 0],
    [1e308, 1e308, 1e308],
    [1e-320, 0, 0],
    ["a", None, {}],
    [1, 2, 3, 4, 5, 6, 7],
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    {"lower": 1, "upper": 2},
    {"type": ["box"]},
    {"type": {}},
    {"name": "x"},
    {"lower": math.nan},
]
KEYS = [
    "",
    "name",
    "type",
    "axis",
    "tube",
    "rod_visual",
    "limit",
    "bound",
    "mrdf",
    "home",
    "opacity",
    "x" * 5000,
    "\ud800",
    "float",
    "geometry",
    "visual",
    "a.b[0]",
]


def containers(tree: Any) -> list[Any]:
    """All objects and lists of a file that hold something."""
    found, waiting = [], [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict | list):
            found += [item] if item else []
            waiting += item.values() if isinstance(item, dict) else item
    return found


def some_key(container: Any, chance: random.Random) -> Any:
    """A key or position."""
    return chance.choice(list(container) if isinstance(container, dict) else range(len(container)))


def mutate_tree(tree: Any, chance: random.Random) -> Any:
    for _ in range(chance.choice((1, 1, 1, 2, 4, 12))):
        inside = containers(tree)
        if not inside:
            return tree
        one, two = chance.choice(inside), chance.choice(inside)
        here, there = some_key(one, chance), some_key(two, chance)
        match chance.randrange(8):
            case 0 | 1:
                one[here] = copy.deepcopy(chance.choice(ODD))
            case 2:
                del one[here]
            case 3 if isinstance(one, dict):
                key = chance.choice(
                    (*KEYS, *(k[:-1] for k in one), *(two if isinstance(two, dict) else ()))
                )
                one[key] = one.pop(here)
            case 4 if isinstance(one, list):
                one.insert(chance.randrange(len(one) + 1), copy.deepcopy(one[here]))
            case 4:
                one[chance.choice(KEYS)] = copy.deepcopy(chance.choice(ODD))
            case 5:
                first, second = copy.deepcopy(one[here]), copy.deepcopy(two[there])
                one[here], two[there] = second, first
            case 6:
                value = one[here]
                for _ in range(chance.choice((1, 2, 30, 70))):
                    value = [value] if chance.random() < 0.5 else {"x": value}
                one[here] = value
            case 7:  # any value of the same type from elsewhere in the file
                same = [
                    value
                    for other in inside
                    for value in (other.values() if isinstance(other, dict) else other)
                    if type(value) is type(one[here])
                ]
                one[here] = copy.deepcopy(chance.choice(same))
    return tree


def as_text(value: Any, chance: random.Random) -> str:
    """JSON, now and then with a key given twice, comments or trailing commas."""
    text = json.dumps(value, indent=chance.choice((None, 1)))
    if chance.random() < 0.1:
        text = text.replace("}", ', "name": "again"}', chance.choice((1, 3)))
    if chance.random() < 0.1:
        text = text.replace("]", ", // comment\n]").replace("[, //", "[//")
    return text


# -- mild ones: many of these files are still machines ---------------------------------

OTHER_WORDS = [
    ("r1", "radius"), ("r1", "r"), ("r", "radius"), ("h", "length"), ("h", "height"),
    ("path", "url"), ("path", "filename"), ("bound", "limit"), ("color", "opacity"),
    ("translation", "origin_translation"), ("orientation", "origin_orientation"),
    ("tube", "tube_visual"), ("rod", "rod_visual"), ("visual", "collision"),
]  # fmt: skip
SHAPE = {"geometry": {"type": "cylinder", "r": 0.1, "length": 1}, "material": {"color": [1, 1, 1]}}
MORE_FIELDS = [  # a field that the element has, one that it gets, and its value
    ("links", "$schema", "mrdf.schema.json"), ("links", "$schema", 5), ("links", "mrdf", "1"),
    ("links", "home", None), ("links", "home", {"actuators": {}, "joints": None}),
    ("links", "class", None), ("links", "springs", []), ("links", "up_axis", "y"),
    ("child", "limit", {}), ("child", "limit", None), ("child", "axis2", None),
    ("child", "limit", {"lower": -1, "upper": 1, "effort": 3}), ("child", "damping", 0),
    ("child", "armature", 0.5),
    ("bound", "type", "actuator"), ("limit", "type", "actuator"), ("rod_parent", "speed", None),
    ("rod_parent", "tube_visual", SHAPE), ("rod_parent", "rod_visual", [SHAPE, SHAPE]),
    ("geometry", "material", {"opacity": 0.5}), ("geometry", "name", None),
    ("geometry", "material", {"color": [200, 100, 0, 0.5]}), ("color", "opacity", 0.5),
    ("name", "visual", SHAPE), ("name", "collision", SHAPE), ("name", "inertial", None),
    ("name", "visual", []),
]  # fmt: skip


def vary(tree: Any, chance: random.Random) -> Any:
    """Write a machine in another way that is often as good."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        inside = [item for item in containers(tree) if isinstance(item, dict)]
        one = chance.choice([tree, *inside])
        match chance.randrange(6):
            case 0:
                words = [pair for pair in OTHER_WORDS if pair[0] in one]
                words += [(new, old) for old, new in OTHER_WORDS if new in one]
                if words:
                    old, new = chance.choice(words)
                    one[new] = one.pop(old)
            case 1 if one:
                del one[some_key(one, chance)]
            case 2 | 3:
                beside, key, value = chance.choice(MORE_FIELDS)
                fitting = [item for item in inside if beside in item]
                if fitting:
                    chance.choice(fitting)[key] = copy.deepcopy(value)
            case 4:
                for key in one:
                    if isinstance(one[key], list) and len(one[key]) == 1:
                        one[key] = one[key][0]
            case 5:
                for key in one:
                    if isinstance(one[key], float):
                        one[key] = round(one[key] + 0.5)
    return tree
