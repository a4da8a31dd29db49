"""Small machines for tests, made in code."""

from __future__ import annotations

import json
from typing import Any

from headframe.description import JOINT_KINDS
from headframe.description.reading import read_text
from headframe.machine import Machine


def joint(name: str, parent: str, child: str, kind: str = "revolute", **fields: Any) -> dict:
    """A joint's entry; axes and a pitch are given where they are needed."""
    entry = {"name": name, "parent": parent, "child": child, "type": kind}
    usual = {"axis": [0, 1, 0], "axis2": [1, 0, 0]}
    entry |= {field: fields.pop(field, usual[field]) for field in JOINT_KINDS[kind].axes}
    if JOINT_KINDS[kind].has_pitch:
        entry["pitch"] = fields.pop("pitch", 0.7)
    if "at" in fields:
        entry["origin_translation"] = fields.pop("at")
    if "rpy" in fields:
        entry["origin_orientation"] = fields.pop("rpy")
    return {**entry, **fields}


def actuator(name: str, tube: tuple, rod: tuple, bound: tuple, **fields: Any) -> dict:
    """An actuator's entry; `tube` and `rod` are (parent, point)."""
    return {
        "name": name,
        "tube_parent": tube[0],
        "tube_offset": list(tube[1]),
        "rod_parent": rod[0],
        "rod_offset": list(rod[1]),
        "bound": {"lower": bound[0], "upper": bound[1]},
        **fields,
    }


def entries(joints: list[dict], actuators: tuple | list = (), **fields: Any) -> dict:
    """A file of the links that the joints speak of."""
    names = list(dict.fromkeys(name for j in joints for name in (j["parent"], j["child"])))
    return {
        "mrdf": "1",
        "name": "test machine",
        "links": [{"name": name} for name in names or ["base"]],
        "joints": joints,
        "actuators": list(actuators),
        **fields,
    }


def machine(joints: list[dict], actuators: tuple | list = (), **fields: Any) -> Machine:
    """A machine of the links that the joints speak of."""
    reading = read_text(json.dumps(entries(joints, actuators, **fields)))
    assert reading.robot is not None, reading.problems
    return Machine(reading.robot)


def with_rotors(one: Machine, size: float = 1.0) -> Machine:
    """The machine with armature in all joints of its tree, no two alike."""
    joints = list(one.robot.joints)
    for n, j in enumerate(one.topology.tree_joints, start=1):
        armature = size * (0.3 + 0.7 * (n * 0.618 % 1.0))
        joints[j] = joints[j].model_copy(update={"armature": armature})
    return Machine(one.robot.model_copy(update={"joints": tuple(joints)}), one.folder)


def four_bar(ground: float, crank: float, coupler: float, rocker: float, **fields: Any) -> Machine:
    """A planar four-bar in the x-z plane, pivots about y; its links lie along their x axes."""
    return machine(
        [
            joint("crank", "ground", "crank_link"),
            joint("coupler", "crank_link", "coupler_link", at=[crank, 0, 0]),
            joint("rocker", "coupler_link", "rocker_link", at=[coupler, 0, 0]),
            joint("close_ground", "ground", "rocker_link", at=[ground, 0, 0]),
            joint("close_rocker", "rocker_link", "ground", at=[rocker, 0, 0]),
        ],
        **fields,
    )


def stewart_platform() -> Machine:
    """Six cylinders between a base and a platform that is otherwise free."""
    import numpy as np

    angles = np.deg2rad([-15, 15, 105, 135, 225, 255])
    upper = np.deg2rad([-45, 45, 75, 165, 195, 285])
    legs = [
        actuator(
            f"leg{i}",
            ("base", (2 * np.cos(a), 2 * np.sin(a), 0.0)),
            ("platform", (1.2 * np.cos(b), 1.2 * np.sin(b), 0.0)),
            (1.6, 2.4),
        )
        for i, (a, b) in enumerate(zip(angles, upper, strict=True))
    ]
    return machine(
        [joint("float", "base", "platform", "free")],
        legs,
        home={"joints": {"float": [1, 0, 0, 0, 0, 0, 1.5]}},
    )


def rssr() -> Machine:
    """A spatial four-bar: revolute, spherical, spherical, revolute, with skew axes."""
    return machine(
        [
            joint("crank", "ground", "crank_link", axis=[0, 0, 1]),
            joint("ball", "crank_link", "coupler_link", "spherical", at=[0.4, 0, 0]),
            joint("rocker", "ground", "rocker_link", axis=[1, 0, 0], at=[1.0, 0.5, 0]),
            joint("socket_a", "coupler_link", "rocker_link", "spherical", at=[1.6, 0, 0]),
            joint("socket_b", "rocker_link", "coupler_link", "spherical", at=[0, 0.9, 0.2]),
        ]
    )


def peaucellier(a: float = 1.0, long: float = 3.0, short: float = 1.2) -> Machine:
    """The Peaucellier-Lipkin linkage: three loops, one freedom; its tip moves on a straight line.

    Two long bars from the ground pivot O to the corners B and D of a rhombus A, B, C, D of short
    bars; the crank of length `a` holds A on a circle through O.
    """
    return machine(
        [
            joint("crank", "ground", "crank_link", at=[a, 0, 0]),
            joint("ab", "crank_link", "ab_link", at=[a, 0, 0]),
            joint("bc", "ab_link", "bc_link", at=[short, 0, 0]),
            joint("cd", "bc_link", "cd_link", at=[short, 0, 0]),
            joint("da", "cd_link", "da_link", at=[short, 0, 0]),
            joint("ob", "ground", "ob_link"),
            joint("od", "ground", "od_link"),
            joint("close_a1", "da_link", "crank_link", at=[short, 0, 0]),
            joint("close_a2", "crank_link", "da_link", at=[a, 0, 0]),
            joint("close_b1", "ob_link", "bc_link", at=[long, 0, 0]),
            joint("close_b2", "bc_link", "ob_link"),
            joint("close_d1", "od_link", "da_link", at=[long, 0, 0]),
            joint("close_d2", "da_link", "od_link"),
        ],
        home={
            "joints": {
                "crank": -0.69,
                "ab": -0.13,
                "bc": 0.95,
                "cd": 2.19,
                "da": 0.95,
                "ob": -0.53,
                "od": -0.16,
            }
        },
    )


def row_of_four_bars(n: int, driven: bool = True) -> Machine:
    """Four-bars in a row, each standing on the coupler of the one before; loops share no joint.

    Their cranks are 1 m high and their couplers 1.2 m long on a ground of 1 m; if they are driven,
    then each by a cylinder from its rocker's foot to its crank.
    """
    joints, cylinders, ground = [], [], "ground"
    for i in range(n):
        x, z = (0.5, 0.3) if i else (0.0, 0.0)
        crank, coupler, rocker = f"crank{i}", f"coupler{i}", f"rocker{i}"
        foot = [x + 1.0, 0, z]
        joints += [
            joint(f"foot_{crank}", ground, crank, at=[x, 0, z]),
            joint(f"head_{crank}", crank, coupler, at=[0, 0, 1]),
            joint(f"foot_{rocker}", ground, rocker, at=foot),
            joint(f"close_{coupler}", coupler, rocker, at=[1.2, 0, 0]),
            joint(f"close_{rocker}", rocker, coupler, at=[0, 0, 1]),
        ]
        if driven:
            cylinders.append(
                actuator(f"cylinder{i}", (ground, foot), (crank, (0, 0, 0.8)), (0.9, 1.5))
            )
        ground = coupler
    return machine(joints, cylinders)


def row_of_windows(n: int, driven: bool = False) -> Machine:
    """Four-bars in a row on one ground, each with a post of the one before: loops share joints.

    No two neighbours are alike. If it is driven, then by one cylinder at the first post.
    """
    joints = [joint(f"foot{i}", "ground", f"post{i}", at=[i, 0, 0]) for i in range(n + 1)]
    for i in range(n):
        beam, post = f"beam{i}", f"post{i + 1}"
        joints += [
            joint(f"head{i}", f"post{i}", beam, at=[0, 0, 1 + 0.05 * (i % 3)]),
            joint(f"close_{beam}", beam, post, at=[1 + 0.03 * (i % 2), 0, 0]),
            joint(f"close_{post}", post, beam, at=[0, 0, 1 + 0.05 * ((i + 1) % 3)]),
        ]
    cylinder = actuator("cylinder", ("ground", (-1, 0, 0)), ("post0", (0, 0, 0.8)), (1.1, 1.5))
    return machine(joints, [cylinder] if driven else [])
