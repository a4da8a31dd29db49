"""Machines of thin bars for the tests of SIMGC, all in the x-z plane with hinges about y."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from build import joint, machine
from headframe.constraints.simgc.engine import Simgc
from headframe.dynamics.model import DynamicsModel
from headframe.machine import Machine
from headframe.mechanism.tree import tree_of


def rod(name: str, end: np.ndarray, mass: float = 1.0) -> dict[str, Any]:
    """A thin bar from its origin to a point."""
    J = mass / 12.0 * ((end @ end) * np.eye(3) - 0.9999 * np.outer(end, end))
    inertial = {"mass": mass, "com": (0.5 * end).tolist(), "inertia": J.tolist()}
    return {"name": name, "inertial": inertial}


def bar(name: str, length: float, mass: float = 1.0) -> dict[str, Any]:
    """A thin bar along x that begins at its origin."""
    return rod(name, np.array([length, 0.0, 0.0]), mass)


def model_of(made: Machine) -> DynamicsModel:
    return DynamicsModel(tree_of(made.mechanism), made.kinematics, made.home)


def simgc(made: Machine, step: float = 1e-3, **settings: Any) -> Simgc:
    return Simgc(model_of(made), step, **settings)


def chain(n: int, length: float = 0.5, first: float = 0.0, **fields: Any) -> Machine:
    """Bars hanging from each other, horizontal where all joints are 0."""
    names = ["column", *(f"link_{k}" for k in range(1, n + 1))]
    joints = [
        joint(f"joint_{k}", names[k - 1], names[k], at=[length if k > 1 else 0.0, 0, 0], **fields)
        for k in range(1, n + 1)
    ]
    links = [{"name": "column"}, *(bar(name, length) for name in names[1:])]
    return machine(joints, links=links, home={"joints": {"joint_1": first}})


def four_bar(crank: float = 0.4, **fields: Any) -> Machine:
    return machine(
        [
            joint("crank", "ground", "crank_link", **fields),
            joint("coupler", "crank_link", "coupler_link", at=[crank, 0, 0]),
            joint("rocker", "coupler_link", "rocker_link", at=[1.1, 0, 0]),
            joint("close_ground", "ground", "rocker_link", at=[1.0, 0, 0]),
            joint("close_rocker", "rocker_link", "ground", at=[0.8, 0, 0]),
        ],
        links=[
            {"name": "ground"}, bar("crank_link", crank), bar("coupler_link", 1.1),
            bar("rocker_link", 0.8),
        ],
        home={"joints": {"crank": -0.5}},
        motors=[{"name": "motor", "joint": "crank", "max_torque": 200.0, "max_speed": 10.0}],
    )  # fmt: skip


def n_four_bar(n: int) -> Machine:
    """IFToMM's A02: n squares in a row, n + 1 uprights of 1 m and 1 kg, n bars on top."""
    joints, links = [], [{"name": "ground"}]
    for k in range(n + 1):
        links.append(bar(f"upright_{k}", 1.0))
        joints.append(joint(f"foot_{k}", "ground", f"upright_{k}", at=[k, 0, 0]))
    for k in range(n):
        links.append(bar(f"top_{k}", 1.0))
        joints.append(joint(f"head_{k}", f"upright_{k}", f"top_{k}", at=[1, 0, 0]))
        joints.append(joint(f"a_{k}", f"top_{k}", f"upright_{k + 1}", at=[1, 0, 0]))
        joints.append(joint(f"b_{k}", f"upright_{k + 1}", f"top_{k}", at=[1, 0, 0]))
    up = -math.pi / 2  # x of an upright points up
    home = {f"foot_{k}": up for k in range(n + 1)} | {f"head_{k}": -up for k in range(n)}
    return machine(joints, links=links, home={"joints": home})


def bricard() -> Machine:
    """IFToMM's A04: five bars along edges of a cube and the ground as a sixth, six hinges.

    Counted by its joints it could not move; every hinge is perpendicular to both of its bars.
    """
    P = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [0, -1, 0], [0, -1, 1], [0, 0, 1]], dtype=float)
    names = ["ground", *(f"bar_{k}" for k in range(5))]
    joints, links = [], [{"name": "ground"}]
    for k in range(6):
        axis = np.cross(P[k] - P[k - 1], P[(k + 1) % 6] - P[k]).tolist()
        if k < 5:  # links keep the ground's axes at home
            at = (P[k] - P[max(k - 1, 0)]).tolist()
            joints.append(joint(f"hinge_{k}", names[k], names[k + 1], axis=axis, at=at))
            links.append(rod(names[k + 1], P[k + 1] - P[k]))
        else:
            joints.append(joint("close_a", "ground", "bar_4", axis=axis, at=P[5].tolist()))
            at = (P[5] - P[4]).tolist()
            joints.append(joint("close_b", "bar_4", "ground", axis=axis, at=at))
    return machine(joints, links=links)
