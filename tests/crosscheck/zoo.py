"""Small robots that between them have every joint, closure and element a machine can have."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import headframe
from headframe.description import JOINT_KINDS, Robot
from headframe.machine import Machine

INERTIAL = {
    "mass": 100.0,
    "com": [0.1, 0.02, -0.03],
    "inertia": [[4.0, 0.1, 0.2], [0.1, 5.0, 0.3], [0.2, 0.3, 6.0]],
}
Y = [0.0, 1.0, 0.0]


def link(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "inertial": INERTIAL, **more}


def joint(
    name: str, parent: str, child: str, kind: str = "revolute", **more: Any
) -> dict[str, Any]:
    if JOINT_KINDS[kind].axes:
        more.setdefault("axis", Y)
    return {"name": name, "parent": parent, "child": child, "type": kind, **more}


def at(*xyz: float, rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> dict[str, Any]:
    return {"origin_translation": list(xyz), "origin_orientation": list(rpy)}


def closure(kind: str, a: str, b: str, on_a: dict[str, Any], on_b: dict[str, Any]) -> list[Any]:
    return [joint("close_a", a, b, kind, **on_a), joint("close_b", b, a, kind, **on_b)]


def four_bar() -> dict[str, Any]:
    """A four-bar with a cylinder between its sides; the pin's two axes point opposite ways."""
    links = [link(n) for n in ("base", "crank", "coupler", "rocker")]
    links += [link("tube"), {"name": "rod"}]  # the rod is massless
    return {
        "name": "four_bar",
        "links": links,
        "joints": [
            joint("a", "base", "crank", **at(0, 0, 0.2)),
            joint("b", "crank", "coupler", **at(0, 0, 1.0), damping=2.0, friction=1.0),
            joint("c", "coupler", "rocker", **at(1.2, 0, 0), limit={"lower": -3, "upper": 3}),
            *closure(
                "revolute", "rocker", "base",
                {**at(0, 0, -1.1, rpy=(0.3, 0, 0)), "axis": [0, math.cos(0.3), -math.sin(0.3)]},
                {**at(1.5, 0, 0.2), "axis": [0, -1, 0]},
            ),
        ],
        "actuators": [
            {
                "name": "jack", "tube": "tube", "rod": "rod",
                "tube_parent": "base", "rod_parent": "coupler",
                "tube_offset": [0.9, 0.1, 0.1], "rod_offset": [0.3, 0.1, 0.1], "tube_axis": Y,
                "bound": {"lower": 1.0, "upper": 1.4}, "force": 1e5,
            }
        ],
    }  # fmt: skip


def slewing_telescope() -> dict[str, Any]:
    """Slew, spatial lifting pair, telescope; links with poses of their own, massless ones."""
    cylinders = []
    for side, y in (("left", 0.3), ("right", -0.3)):
        other = "right" if side == "left" else "left"
        cylinders.append(
            {
                "name": f"lift_{side}", "tube": f"tube_{side}", "rod": f"rod_{side}",
                "tube_parent": "turret", "rod_parent": "boom",
                "tube_offset": [0.3, y, 0.1], "rod_offset": [1.0, 0.5 * y, 0.0],
                "bound": {"lower": 0.8, "upper": 1.2}, "redundants": [f"lift_{other}"],
            }
        )  # fmt: skip
    tilted = {"translation": [0.1, 0.2, 0.3], "orientation": [0.4, -0.5, 0.6]}
    return {
        "name": "slewing_telescope",
        "links": [
            link("base", translation=[0.5, 0.0, 1.0], orientation=[0.0, 0.0, 0.3]),
            link("turret"),
            {"name": "boom"},
            link("stick", **tilted),
            {"name": "tip", **tilted},
            link("bracket", **tilted),
            *(link(f"{part}_{side}") for side in ("left", "right") for part in ("tube", "rod")),
        ],
        "joints": [
            joint("slew", "base", "turret", axis=[0, 0, 1], **at(0, 0, 0.5)),
            joint("lift", "turret", "boom", axis=[0, -1, 0], **at(0, 0, 0.6)),
            joint("extend", "boom", "stick", "prismatic", axis=[1, 0, 0], **at(1.2, 0, 0)),
            joint("wrist", "stick", "tip", "continuous", axis=[0.6, 0, 0.8], **at(0.5, 0, 0)),
            joint("weld", "tip", "bracket", "fixed", **at(0.1, 0, 0, rpy=(0.1, 0.2, 0.3))),
        ],
        "actuators": cylinders,
        "home": {"joints": {"slew": 0.4, "extend": 0.25, "wrist": 7.0}},
    }


def joint_zoo() -> dict[str, Any]:
    """Every kind of joint in a tree, y up, with a spring, motors and a repeater."""
    half = math.sqrt(0.5)
    own = {"translation": [0.1, -0.2, 0.3], "orientation": [0.3, 0.2, -0.1]}
    return {
        "name": "joint zoo <&\"--'>",
        "up_axis": "y",
        "links": [link("world"), *(link(n, **own) for n in "abcdefgh")],
        "joints": [
            joint("universal", "world", "a", "universal", axis=[1, 0, 0], axis2=Y, **at(0, 1, 0)),
            joint("spherical", "a", "b", "spherical", **at(0, 0.5, 0, rpy=(0.1, 0.2, 0.3))),
            joint("float", "world", "c", "free", **at(3, 0, 0, rpy=(0.1, 0.2, 0.3))),
            joint("drift", "b", "d", "free", **at(0, 2, 0)),
            joint("lead", "world", "e", **at(1, 0, 0)),
            joint("follow", "e", "f", "prismatic", **at(1, 0, 0)),
            joint("spin", "e", "g", "continuous", axis=[0, 0, 1], **at(1, 0, 0)),
            joint("thread", "a", "h", "helical", axis=[0.6, 0, 0.8], pitch=-0.4, **at(0, 0, 1)),
        ],
        "springs": [
            {
                "name": "coil", "link_a": "world", "point_a": [0, 0, 0],
                "link_b": "e", "point_b": [0.5, 0.5, 0],
                "stiffness": 1000.0, "rest_length": 0.4, "damping": 3.0,
            }
        ],
        "motors": [
            {"name": "m", "joint": "spin", "torque": 5.0, "max_torque": 20.0, "max_speed": 3.0},
            {"name": "m2", "joint": "spherical"},
        ],
        "repeaters": [
            {"name": "r", "joint": "follow", "follows": "lead", "ratio": -0.5, "offset": 0.2}
        ],
        "home": {
            "joints": {
                "universal": [0.3, -0.4], "spherical": [half, 0.0, half, 0.0],
                "float": [half, half, 0.0, 0.0, 0.1, 0.2, 0.3],
                "drift": [half, 0.0, 0.0, half, -0.1, 0.2, 0.5], "lead": 0.6, "follow": -0.1,
                "thread": 2.0,
            }
        },
    }  # fmt: skip


def slider_crank() -> dict[str, Any]:
    """A loop that closes in a prismatic pair."""
    return {
        "name": "slider_crank",
        "links": [link(n) for n in ("base", "crank", "rod", "slider")],
        "joints": [
            joint("a", "base", "crank"),
            joint("b", "crank", "rod", **at(0.5, 0, 0)),
            joint("c", "rod", "slider", **at(1.5, 0, 0)),
            *closure(
                "prismatic", "base", "slider",
                {**at(0, 0, 0.1), "axis": [1, 0, 0]}, {**at(0.1, 0, 0), "axis": [1, 0, 0]},
            ),
        ],
        "home": {"joints": {"a": -0.5}},
    }  # fmt: skip


def cardan() -> dict[str, Any]:
    """Two shafts at an angle, tied by a universal pair."""
    tilt = 0.4
    return {
        "name": "cardan",
        "links": [link(n) for n in ("base", "shaft_1", "shaft_2")],
        "joints": [
            joint("a", "base", "shaft_1", axis=[1, 0, 0]),
            joint("b", "base", "shaft_2", axis=[1, 0, 0], **at(1, 0, 0, rpy=(0, 0, tilt))),
            *closure(
                "universal", "shaft_1", "shaft_2",
                {**at(1, 0, 0), "axis": Y, "axis2": [0, 0, 1]},
                {**at(0, 0, 0), "axis": [0, 0, 1], "axis2": Y},
            ),
        ],
        "home": {"joints": {"a": 0.3}},
    }  # fmt: skip


def rssr() -> dict[str, Any]:
    """A spatial linkage that closes in a ball."""
    return {
        "name": "rssr",
        "links": [link(n) for n in ("base", "crank", "rod", "rocker")],
        "joints": [
            joint("a", "base", "crank", axis=[1, 0, 0]),
            joint("b", "crank", "rod", "spherical", **at(0, 0, 0.3)),
            joint("c", "base", "rocker", **at(1.0, 0.2, 0)),
            *closure("spherical", "rocker", "rod", at(0, 0, 0.8), at(0.9, 0.3, 0.4)),
        ],
    }


def split_coupler() -> dict[str, Any]:
    """A four-bar whose coupler comes in two halves that are bolted together."""
    return {
        "name": "split_coupler",
        "links": [link(n) for n in ("base", "crank", "front", "rocker", "rear")],
        "joints": [
            joint("a", "base", "crank"),
            joint("b", "crank", "front", **at(0, 0, 1.0)),
            joint("c", "base", "rocker", **at(1.5, 0, 0)),
            joint("d", "rocker", "rear", **at(0, 0, 1.1)),
            *closure(
                "fixed", "front", "rear",
                at(0.7, 0, 0, rpy=(0.2, 0.3, 0.4)), at(-0.6, 0, 0, rpy=(0.2, 0.3, 0.4)),
            ),
        ],
    }  # fmt: skip


def weightless() -> dict[str, Any]:
    """The four-bar without any mass."""
    content = four_bar()
    content["links"] = [{"name": one["name"]} for one in content["links"]]
    return content


SMALL = {
    make.__name__: make
    for make in (
        four_bar, slewing_telescope, joint_zoo, slider_crank, cardan, rssr, split_coupler,
        weightless,
    )
}  # fmt: skip


def floats(value: Any) -> Any:
    """JSON's integers as the floats that the description takes."""
    if isinstance(value, dict):
        return {key: floats(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [floats(part) for part in value]
    return float(value) if isinstance(value, int) else value


def machine(name: str) -> Machine:
    """A small robot, a file in the authors' dialects or a machine of the catalogue."""
    if name in SMALL:
        return Machine(Robot.model_validate(floats(SMALL[name]())))
    if name in headframe.machines():
        return headframe.load(name)
    with warnings.catch_warnings():
        # files in the authors' dialects have placeholders, of which loading warns
        warnings.simplefilter("ignore", headframe.HeadframeWarning)
        return headframe.load(FIXTURES / name)


FIXTURES = Path(__file__).parent.parent / "fixtures"
DIALECTS = sorted(path.name for path in FIXTURES.glob("*_dialect_*.json"))
ALL = [*SMALL, *DIALECTS, *headframe.machines()]
