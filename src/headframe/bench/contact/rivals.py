"""The same heap of boxes, and the same machine, in Headframe, MuJoCo and PyBullet."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol
from xml.etree import ElementTree as ET

import numpy as np

from ...actuation import floating, locked
from ...mechanism import Floats
from ...sim import World
from ...spatial import compose, matrix_from_rpy, quaternion_from_matrix
from ..dynamics.bullet import BulletClient
from ..standing_machine import HEIGHT, standing_machine

EDGE, MASS, FRICTION = 0.2, 8.0, 0.5  # of a box [m], [kg]
GROUND = f'<geom type="plane" size="99 99 1" friction="{FRICTION} 0.005 0.0001"/>'


class Rival(Protocol):
    """Something that makes steps."""

    def steps(self, n: int) -> None:
        """Make so many."""

    def contacts(self) -> int:
        """How many points touch."""


def seconds_of(rival: Rival, n: int) -> float:
    """Time that a step takes, of so many [s]."""
    begin = perf_counter()
    rival.steps(n)
    return (perf_counter() - begin) / n


def places_of_boxes(count: int, seed: int = 1) -> list[Floats]:
    """Poses (4, 4) of boxes that hang above the ground in layers, a little turned."""
    rng = np.random.default_rng(seed)
    side = max(1, round((count / 4) ** 0.5))
    found = []
    for n in range(count):
        grid = np.array([n % side, (n // side) % side, n // side**2])
        place = grid * [0.38, 0.38, 0.42] + [0, 0, 0.25] + rng.uniform(-0.03, 0.03, 3)
        found.append(compose(matrix_from_rpy(rng.uniform(-0.5, 0.5, 3).tolist()), place))
    return found


class OurHeap:
    """Boxes in a `World`."""

    def __init__(self, places: list[Floats], step: float) -> None:
        self.world = World(step=step)
        self.world.add_static("ground", {"type": "plane"})
        box = {"type": "box", "x": EDGE, "y": EDGE, "z": EDGE}
        for n, X_WB in enumerate(places):
            self.world.add_body(f"box {n}", box, MASS, X_WB, "wood")

    def steps(self, n: int) -> None:
        """Make so many."""
        self.world.step(n)

    def contacts(self) -> int:
        """How many points touch."""
        return len(self.world.contacts)


class MujocoWorld:
    """A model in MuJoCo."""

    def __init__(self, mujoco: Any, text: str, step: float) -> None:
        self.mujoco, self.model = mujoco, mujoco.MjModel.from_xml_string(text)
        self.model.opt.timestep = step
        self.data = mujoco.MjData(self.model)

    def steps(self, n: int) -> None:
        """Make so many, in one call."""
        self.mujoco.mj_step(self.model, self.data, n)

    def contacts(self) -> int:
        """How many points touch."""
        return int(np.sum(self.data.contact.dist[: self.data.ncon] <= 0.0))


def mujoco_heap(mujoco: Any, places: list[Floats], step: float) -> MujocoWorld:
    """Boxes in MuJoCo, with its own contact settings."""
    half = EDGE / 2
    bodies = "".join(
        f'<body pos="{_text(X[:3, 3])}" quat="{_text(quaternion_from_matrix(X[:3, :3]))}">'
        f'<freejoint/><geom type="box" size="{half} {half} {half}" mass="{MASS}" '
        f'friction="{FRICTION} 0.005 0.0001"/></body>'
        for X in places
    )
    return MujocoWorld(mujoco, f"<mujoco><worldbody>{GROUND}{bodies}</worldbody></mujoco>", step)


class BulletWorld:
    """A world of PyBullet, with a ground."""

    def __init__(self, bullet: Any, step: float) -> None:
        self.client = BulletClient(bullet, step)
        plane = self.client("createCollisionShape", bullet.GEOM_PLANE)
        ground = self.client("createMultiBody", 0, plane)
        self.client("changeDynamics", ground, -1, lateralFriction=FRICTION)

    def steps(self, n: int) -> None:
        """Make so many."""
        for _ in range(n):
            self.client.step()

    def contacts(self) -> int:
        """How many points touch."""
        return len(self.client("getContactPoints"))


def bullet_heap(bullet: Any, places: list[Floats], step: float) -> BulletWorld:
    """Boxes in PyBullet."""
    world = BulletWorld(bullet, step)
    box = world.client("createCollisionShape", bullet.GEOM_BOX, halfExtents=[EDGE / 2] * 3)
    for X in places:
        w, x, y, z = quaternion_from_matrix(X[:3, :3])
        body = world.client("createMultiBody", MASS, box, -1, X[:3, 3].tolist(), [x, y, z, w])
        world.client("changeDynamics", body, -1, lateralFriction=FRICTION)
    return world


class OurMachine:
    """The standing machine in a `World`: its hinges locked, or loose."""

    def __init__(self, step: float, held: bool, lift: float, turned: tuple[float, ...]) -> None:
        self.world = World(step=step)
        self.world.add_static("ground", {"type": "plane"})
        at = compose(matrix_from_rpy(turned), [0, 0, HEIGHT + lift])
        self.machine = self.world.add(standing_machine(), "it", at)
        motors = self.machine.machine.robot.motors
        self.machine.command({each.name: locked() if held else floating() for each in motors})

    def steps(self, n: int) -> None:
        """Make so many."""
        self.world.step(n)

    def contacts(self) -> int:
        """How many points touch."""
        return len(self.world.contacts)


def machine_in_mujoco(
    mujoco: Any, step: float, held: bool, lift: float, turned: tuple[float, ...]
) -> MujocoWorld:
    """The standing machine as it is exported; locked hinges are held by constraints."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "machine.xml"
        standing_machine().export(path, "mjcf")
        root = ET.fromstring(path.read_text(encoding="utf-8"))
    world = root.find("worldbody")
    assert world is not None
    world.insert(0, ET.fromstring(GROUND))
    for gone in (root.find("actuator"), root.find("keyframe")):
        if gone is not None:
            root.remove(gone)
    if held:
        rows = ET.SubElement(root, "equality")
        for joint in world.iter("joint"):
            if joint.get("type", "hinge") == "hinge":
                ET.SubElement(rows, "joint", joint1=joint.get("name", ""))
    found = MujocoWorld(mujoco, ET.tostring(root, encoding="unicode"), step)
    X = compose(matrix_from_rpy(turned), [0, 0, HEIGHT + lift])
    found.data.qpos[:3] += X[:3, 3]
    found.data.qpos[3:7] = quaternion_from_matrix(X[:3, :3])
    return found


def _text(values: Any) -> str:
    return " ".join(f"{value:.9g}" for value in values)
