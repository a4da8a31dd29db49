"""Machines for the tests of what moves in maximal coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from build import joint, machine
from headframe.actuation.records import DRIVE
from headframe.baselines.maximal.motion import MaximalMotion
from headframe.baselines.simmc.engine import Simmc
from headframe.baselines.xpbd.engine import Xpbd
from headframe.dynamics.constrained.motion import ConstrainedMotion
from headframe.dynamics.model import DynamicsModel
from headframe.machine import Machine
from headframe.mechanism.tree import tree_of

BOTH = (Simmc, Xpbd)
NO_GRAVITY = np.zeros(3)


def model_of(one: Machine, gravity: np.ndarray | None = None) -> DynamicsModel:
    tree = tree_of(one.mechanism)
    if gravity is not None:
        tree = tree.with_gravity(gravity)
    return DynamicsModel(tree, one.kinematics, one.home)


def exact(model: DynamicsModel, seconds: float, step: float = 2e-4) -> ConstrainedMotion:
    """The same machine by the constrained tree and RK4, from home, after some time."""
    motion = ConstrainedMotion(model, step)
    motion.run(round(seconds / step))
    return motion


def bar(name: str, length: float, mass: float = 1.0, width: float = 0.05) -> dict[str, Any]:
    """A bar along x that begins at its origin."""
    J = mass / 12 * np.diag([2 * width**2, length**2 + width**2, length**2 + width**2])
    inertial = {"mass": mass, "com": [length / 2, 0, 0], "inertia": J.tolist()}
    return {"name": name, "inertial": inertial}


def chain(n: int, length: float = 0.5, motors: Any = (), **fields: Any) -> Machine:
    """Bars on hinges about y, one behind the other, horizontal where all joints are 0."""
    names = ["base", *(f"bar_{k}" for k in range(n))]
    joints = [
        joint(f"hinge_{k}", names[k], names[k + 1], at=[length if k else 0.0, 0, 0], **fields)
        for k in range(n)
    ]
    links = [{"name": "base"}, *(bar(name, length) for name in names[1:])]
    home = {"joints": {f"hinge_{k}": 0.0 for k in range(n)}}
    return machine(joints, links=links, home=home, motors=list(motors))


def flywheel(motor: bool = False, **fields: Any) -> Machine:
    """A wheel about y through its centre of mass, with an inertia of 2 kg m^2 about it."""
    wheel = {"mass": 5.0, "inertia": np.diag([1.2, 2.0, 1.1]).tolist()}
    motors = [{"name": "motor", "joint": "axle", "max_torque": 3.0, "max_speed": 50.0}]
    return machine(
        [joint("axle", "base", "wheel", "continuous", **fields)],
        links=[{"name": "base"}, {"name": "wheel", "inertial": wheel}],
        motors=motors if motor else [],
    )


def brick(**fields: Any) -> Machine:
    """A free body with three different moments of inertia."""
    inertial = {
        "mass": 3.0,
        "com": [0.1, -0.2, 0.3],
        "inertia": [[0.5, 0.02, 0.01], [0.02, 0.8, -0.03], [0.01, -0.03, 1.1]],
    }
    return machine(
        [joint("float", "base", "brick", "free")],
        links=[{"name": "base"}, {"name": "brick", "inertial": inertial}],
        **fields,
    )


def slide(low: float = -1.0, high: float = 1.0, **fields: Any) -> Machine:
    """A block of 2 kg on a slide along x."""
    inertial = {"mass": 2.0, "inertia": (0.1 * np.eye(3)).tolist()}
    limit = {"lower": low, "upper": high}
    return machine(
        [joint("slide", "base", "block", "prismatic", axis=[1, 0, 0], limit=limit, **fields)],
        links=[{"name": "base"}, {"name": "block", "inertial": inertial}],
    )


def four_bar() -> Machine:
    return machine(
        [
            joint("crank", "ground", "crank_link"),
            joint("coupler", "crank_link", "coupler_link", at=[0.4, 0, 0]),
            joint("rocker", "coupler_link", "rocker_link", at=[1.1, 0, 0]),
            joint("close_ground", "ground", "rocker_link", at=[1.0, 0, 0]),
            joint("close_rocker", "rocker_link", "ground", at=[0.8, 0, 0]),
        ],
        links=[
            {"name": "ground"}, bar("crank_link", 0.4), bar("coupler_link", 1.1),
            bar("rocker_link", 0.8),
        ],
        home={"joints": {"crank": -0.5}},
    )  # fmt: skip


def command(motion: MaximalMotion, name: str, mode: int, value: float = 0.0) -> int:
    """Command a drive by name; its number."""
    n = [row.name for row in motion.model.rows].index(name)
    motion.drives[n].mode, motion.drives[n].value = mode, value
    return n


def balance(motion: MaximalMotion, start: float) -> float:
    """What the ledger does not explain of the change of energy [J]."""
    return sum(motion.energy()) - start - sum(motion.work_done())


def assert_same_drives(found: Any, wanted: Any, **tolerances: float) -> None:
    """Whether drives are alike, field by field."""
    for name in DRIVE.names:
        assert found[name] == pytest.approx(wanted[name], **tolerances, nan_ok=True), name
