"""Machines in motion for tests: variants of the catalogue, small ones, and random states."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

import headframe
from build import actuator, joint, machine, with_rotors
from headframe.bench.mechanisms import seven_joint_arm
from headframe.description import Robot
from headframe.dynamics.embedding.motion import EmbeddedMotion
from headframe.dynamics.model import DynamicsModel
from headframe.dynamics.records import PULL
from headframe.errors import LengthError, SingularityError
from headframe.jit import Records, new_records
from headframe.machine import Machine
from headframe.mechanism import State
from headframe.mechanism.tree import tree_of

EIGHT = ("door", "jumbo", "lhd", "roadheader", "shearer", "sshs", "sths", "tcchs")


@cache
def loaded(name: str) -> Machine:
    """A machine of the catalogue, made once."""
    return headframe.load(name)


def changed(one: Machine, change: Callable[[dict[str, Any]], None]) -> Machine:
    """The machine after `change` has been at its file's content."""
    content = one.robot.model_dump(by_alias=True)
    change(content)
    return Machine(Robot.model_validate(content))


# ------------------------------------------------------------------------------ small machines


def thin_rod(name: str, length: float, mass: float) -> dict[str, Any]:
    """A link with a thin rod from its origin along x."""
    J = mass * length**2 / 12 * np.diag([0.0, 1.0, 1.0])
    return {
        "name": name,
        "inertial": {"mass": mass, "com": [length / 2, 0.0, 0.0], "inertia": J.tolist()},
    }


def cylinder(name: str, tube: tuple, rod: tuple, bound: tuple, **fields: Any) -> dict[str, Any]:
    """A cylinder between points of two links; its parts are links `name_tube` and `name_rod`."""
    parts = {"tube": f"{name}_tube", "rod": f"{name}_rod"}
    return {**actuator(name, tube, rod, bound, **fields), **parts}


def block(name: str, mass: float, com: tuple = (0.0, 0.0, 0.0), size: float = 0.3) -> dict:
    """A link with a cube around its centre of mass."""
    J = (mass * size**2 / 6 * np.eye(3)).tolist()
    return {"name": name, "inertial": {"mass": mass, "com": list(com), "inertia": J}}


# An arm on a hinge about y, held by a cylinder under it; all in the x-z plane, level at home.
ARM, ARM_MASS, HELD_AT = 2.0, 100.0, 1.0  # [m, kg, m]
FOOT = (0.3, -0.9)  # x and z of the tube's mount
TUBE, TUBE_MASS, ROD, ROD_MASS = 0.7, 12.0, 0.6, 7.0
STROKE = (0.95, 1.6)


def boom(
    bound: tuple[float, float] = STROKE, ram: Any = (), lift: Any = (), **more: Any
) -> Machine:
    """The boom; its tube and its rod are thin rods with mass."""
    foot, held = ("base", (FOOT[0], 0.0, FOOT[1])), ("arm", (HELD_AT, 0.0, 0.0))
    rams = [cylinder("ram", foot, held, bound, **dict(ram))]
    links = [
        {"name": "base"}, thin_rod("arm", ARM, ARM_MASS),
        thin_rod("ram_tube", TUBE, TUBE_MASS), thin_rod("ram_rod", ROD, ROD_MASS),
    ]  # fmt: skip
    more = {"home": {"joints": {"lift": 0.0}}, **more}
    return machine([joint("lift", "base", "arm", **dict(lift))], rams, links=links, **more)


def crane() -> Machine:
    """The boom with a hand that hangs at its end, springs, damping and dry friction."""

    def change(content: dict[str, Any]) -> None:
        content["links"] += (block("hand", 30.0, (0.4, 0.0, -0.2)),)
        content["joints"] += (
            joint("wrist", "arm", "hand", at=(ARM, 0.0, 0.0), damping=8.0, friction=3.0),
        )
        content["joints"][0]["damping"] = 60.0
        content["springs"] = (
            {
                "name": "coil", "link_a": "base", "point_a": (-0.2, 0.1, 1.1), "link_b": "hand",
                "point_b": (0.3, -0.2, 0.1), "stiffness": 900.0, "rest_length": 1.4,
                "damping": 35.0,
            },
            {
                "name": "strut", "link_a": "arm", "point_a": (0.5, 0.0, 0.3), "link_b": "ram_rod",
                "point_b": (0.2, 0.1, 0.0), "stiffness": 4000.0, "rest_length": 0.2,
            },
        )  # fmt: skip

    return changed(boom(), change)


def skew_boom() -> Machine:
    """Two arms, each with a cylinder out of its hinges' plane, on pins askew to the hinges."""
    rams = [
        cylinder(
            "left", ("base", (0.3, 0.5, -0.9)), ("arm", (1.0, 0.1, 0.2)), (0.9, 1.6),
            tube_axis=[0.1, 0.9, 0.3],
        ),
        cylinder(
            "tip", ("arm", (1.2, -0.3, 0.4)), ("hand", (0.4, 0.2, 0.3)), (1.1, 1.4),
            tube_axis=[0.6, 0.5, -0.2],
        ),
    ]  # fmt: skip
    parts = [f"{name}_{part}" for name in ("left", "tip") for part in ("tube", "rod")]
    links = [
        {"name": "base"}, thin_rod("arm", 2.0, 100.0), block("hand", 40.0, (0.3, 0.1, 0.2)),
        *(block(part, 9.0, (0.25, 0.02, -0.03)) for part in parts),
    ]  # fmt: skip
    hinges = [joint("lift", "base", "arm"), joint("tilt", "arm", "hand", at=[2.0, 0, 0])]
    return machine(hinges, rams, links=links)


def standing_on(one: Machine, kind: str, **fields: Any) -> Machine:
    """The machine on a joint of such a kind instead of on the ground."""
    root = one.robot.links[one.topology.root].name

    def change(content: dict[str, Any]) -> None:
        content["links"] = ({"name": "ground"}, *content["links"])
        below = joint("below", "ground", root, kind, **fields)
        content["joints"] = (*content["joints"], below)
        for link in content["links"]:
            if link["name"] == root and not link.get("inertial"):
                link["inertial"] = block(root, 2000.0, (0.1, -0.2, 0.3), 1.0)["inertial"]

    return changed(one, change)


def slider_crank(crank: float = 0.3, length: float = 1.0, start: float = 0.9) -> Machine:
    """A crank about y and a slider along x, with one cylinder as connecting rod, one as pusher.

    With the first one locked and the second one floating it is a slider-crank.
    """
    ends = ("crank", (crank, 0, 0)), ("slider", (0, 0, 0))
    rods = [
        cylinder("link", *ends, (0.5 * length, 1.5 * length)),
        cylinder("push", ("base", (-2.0, 0, 0)), ("slider", (0, 0, 0)), (1.5, 4.0)),
    ]
    joints = [
        joint("turn", "base", "crank", "continuous"),
        joint("slide", "base", "slider", "prismatic", axis=[1, 0, 0]),
    ]
    links = [
        {"name": "base"}, thin_rod("crank", crank, 4.0), block("slider", 6.0),
        thin_rod("link_tube", 0.8 * length, 3.0),
        *({"name": name} for name in ("link_rod", "push_tube", "push_rod")),
    ]  # fmt: skip
    reach = crank * np.cos(start) + np.sqrt(length**2 - (crank * np.sin(start)) ** 2)
    return machine(joints, rods, links=links, home={"joints": {"turn": start, "slide": reach}})


def sprung_arm() -> Machine:
    """Seven hinges without a loop, with damping, two motors and a spring."""

    def change(content: dict[str, Any]) -> None:
        for j in content["joints"]:
            j["damping"] = 2.0
        content["motors"] = tuple({"name": f"motor_{n}", "joint": f"joint_{n}"} for n in (2, 5))
        content["springs"] = (
            {
                "name": "spring",
                "link_a": "link_0",
                "point_a": (0.3, 0.1, 0.2),
                "link_b": "link_5",
                "point_b": (0.05, 0.0, 0.1),
                "stiffness": 300.0,
                "rest_length": 0.2,
                "damping": 5.0,
            },
        )

    return changed(seven_joint_arm(), change)


EXAMPLES: dict[str, Callable[[], Machine]] = {
    **{name: (lambda name=name: loaded(name)) for name in EIGHT},
    "boom": boom,
    "crane": crane,
    "skew boom": skew_boom,
    "slider crank": slider_crank,
    "boom on a free joint": lambda: standing_on(boom(), "free"),
    "support on a spherical joint": lambda: standing_on(loaded("sths"), "spherical"),
    "loader on a universal joint": lambda: standing_on(loaded("lhd"), "universal"),
    "sprung arm": sprung_arm,
    "arm on a free joint": lambda: standing_on(sprung_arm(), "free"),
    "support with rotors": lambda: with_rotors(loaded("sths"), 4000.0),
    "crane with rotors on a spherical joint": lambda: with_rotors(
        standing_on(crane(), "spherical"), 80.0
    ),
}


@cache
def example(name: str) -> Machine:
    """One of the examples, made once."""
    return EXAMPLES[name]()


# ------------------------------------------------------------------------------- random states


def free_joints(one: Machine) -> list[str]:
    """Joints that neither a cylinder nor a four-bar decides."""
    topology, robot = one.topology, one.robot
    held = {j for a in robot.actuators for j in topology.movable_path(a.tube_parent, a.rod_parent)}
    held.update(j for bar in topology.contraction.four_bars for j in bar.joints)
    return [
        name
        for name in one.mechanism.position_of_joint
        if robot.joint_index[name] not in held and robot.joint(name).type != "fixed"
    ]


def draw_state(one: Machine, random: np.random.Generator, far: float = 0.8) -> State:
    """A configuration on the way to random lengths within the bounds; free joints stand anyhow."""
    robot, home = one.robot, one.home
    bounds = np.array([(a.bounds.lower, a.bounds.upper) for a in robot.actuators]).reshape(-1, 2)
    while True:
        lengths = home.lengths + far * (random.uniform(*bounds.T) - home.lengths)
        firsts = {n: lengths[m[0]] for n, m in zip(robot.group_names, robot.groups, strict=True)}
        try:
            q = (one.fk(firsts) if firsts else home).q.copy()
            break
        except (LengthError, SingularityError):  # a dead centre on the way, a partner out of bounds
            continue
    for name in free_joints(one):
        part = one.mechanism.position_of_joint[name]
        q[part] = random.uniform(-1.0, 1.0, part.stop - part.start)
        if robot.joint(name).type in ("spherical", "free"):
            q[part.start : part.start + 4] /= np.linalg.norm(q[part.start : part.start + 4])
    return State(one.mechanism, q)


def new_motion(
    one: Machine, by_lengths: bool | None = None, integrator: str = "rk4", step: float = 1e-3
) -> EmbeddedMotion:
    """The engine behind a simulation by loop embedding, at home."""
    model = DynamicsModel(tree_of(one.mechanism), one.kinematics, one.home)
    chosen = one.kinematics.regular if by_lengths is None else by_lengths
    return EmbeddedMotion(model, step, integrator, chosen)


# ------------------------------------------------------------------------------------- engines


def pull(freedom: int, point: Any = 0.0, moment: Any = 0.0, force: Any = 0.0) -> Records:
    """An external force on what a freedom carries, as engines take it."""
    pulls = new_records(1, PULL)
    pulls.freedom, pulls.point, pulls.moment, pulls.force = freedom, point, moment, force
    return pulls


def pose_of(engine: Any, link: str) -> np.ndarray:
    """X_base_link (4, 4) of one link of an engine's machine."""
    names = [one.name for one in engine.model.tree.mechanism.robot.links]
    return engine.poses()[names.index(link)]
