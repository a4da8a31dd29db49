"""A seven-joint arm that falls: our steps, and those of the peers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from ...export import mjcf_text, urdf_text
from ...machine import Machine
from ...mechanism import Floats
from ...sim import Simulation
from ..mechanisms import seven_joint_arm
from ..progress import Progress
from ..section import BenchSettings, peer
from ..timing import undisturbed
from .bullet import BulletArm
from .scenes import time_of_steps

STEP, GRAVITY = 1e-3, 9.81
COMPARED = 100  # steps after which velocities are compared
PASSES = 3


@dataclass(frozen=True)
class ArmTime:
    """One engine on the arm.

    Attributes:
        key, name: for looking it up, and for tables.
        time: of a step [us].
        apart: largest difference of a velocity to ours after `compared` steps [rad/s].
        compared: see `apart`.
    """

    key: str
    name: str
    time: float
    apart: float
    compared: int = COMPARED


@dataclass(frozen=True)
class Arm:
    """An engine's arm: back to the start, make steps, tell velocities in our order, (7,)."""

    key: str
    name: str
    reset: Callable[[], None]
    steps: Callable[[int], None]
    velocities: Callable[[], Floats]


def step_arms(steps: int, settings: BenchSettings, progress: Progress) -> list[ArmTime]:
    """Our own steps, and those of every peer that is installed."""
    machine = seven_joint_arm()
    sim = Simulation(machine, "embedded", "semi-implicit", step=STEP)
    start = sim.save()
    time = time_of_steps(sim, steps, PASSES)
    sim.step(COMPARED)
    v = sim.v
    found = [ArmTime("steps", "Headframe, step(n)", time, 0.0)]

    def one_by_one(n: int) -> None:
        for _ in range(n):
            sim.step(1)

    arms = [
        Arm("loop", "Headframe, step(1)", lambda: sim.restore(start), one_by_one, lambda: sim.v)
    ]
    makers: dict[str, Callable[[Any, Machine], list[Arm]]] = {
        "mujoco": mujoco_arms, "pinocchio": pinocchio_arm, "pybullet": pybullet_arm,
        "drake": drake_arm,
    }  # fmt: skip
    for key, make in makers.items():
        module = peer(key, settings, progress)
        if module is not None:
            arms += make(module, machine)
    return found + [_timed(arm, steps, v) for arm in arms]


def _timed(arm: Arm, steps: int, v: Floats) -> ArmTime:
    arm.reset()
    arm.steps(COMPARED)
    apart = float(np.abs(arm.velocities() - v).max())
    best = np.inf
    with undisturbed():
        for _ in range(PASSES):
            arm.reset()
            begin = perf_counter()
            arm.steps(steps)
            best = min(best, perf_counter() - begin)
    return ArmTime(arm.key, arm.name, 1e6 * best / steps, apart)


def mujoco_arms(mujoco: Any, machine: Machine) -> list[Arm]:
    """The exported MJCF, stepped in a Python loop, and by `mujoco.rollout`."""
    from mujoco import rollout

    model = mujoco.MjModel.from_xml_string(mjcf_text(machine.robot, machine.topology, machine.home))
    model.opt.timestep = STEP
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    start = np.zeros(mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    mujoco.mj_getState(model, data, start, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    rolled = np.zeros(model.nv)

    def loop(n: int) -> None:
        step = mujoco.mj_step
        for _ in range(n):
            step(model, data)

    def roll(n: int) -> None:
        states, _ = rollout.rollout(model, data, start, nstep=n)
        rolled[:] = states[0, -1, 1 + model.nq : 1 + model.nq + model.nv]

    def reset() -> None:
        mujoco.mj_resetData(model, data)

    return [
        Arm("mujoco", "MuJoCo, mj_step in a loop", reset, loop, lambda: data.qvel.copy()),
        Arm("rollout", "mujoco.rollout", reset, roll, rolled.copy),
    ]


def pinocchio_arm(pin: Any, machine: Machine) -> list[Arm]:
    """ABA, v += h a, and `integrate`, in a Python loop."""
    model = pin.buildModelFromXML(urdf_text(machine.robot, machine.topology))
    data, nothing = model.createData(), np.zeros(model.nv)
    order = [model.joints[model.getJointId(name)].idx_v for name in _hinges(machine)]
    angles = np.zeros(model.nv)
    angles[order] = [machine.home.joints[name] for name in _hinges(machine)]
    start = pin.integrate(model, pin.neutral(model), angles)
    state = {"q": start.copy(), "v": nothing.copy()}

    def reset() -> None:
        state["q"], state["v"] = start.copy(), np.zeros(model.nv)

    def loop(n: int) -> None:
        q, v, aba, integrate = state["q"], state["v"], pin.aba, pin.integrate
        for _ in range(n):
            v = v + STEP * aba(model, data, q, v, nothing)
            q = integrate(model, q, STEP * v)
        state["q"], state["v"] = q, v

    return [Arm("pinocchio", "Pinocchio, ABA in a loop", reset, loop, lambda: state["v"][order])]


def pybullet_arm(bullet: Any, machine: Machine) -> list[Arm]:
    """The exported URDF in generalized coordinates, its motors and damping off."""
    names = _hinges(machine)
    values = [float(machine.home.joints[name]) for name in names]
    engine = BulletArm(bullet, urdf_text(machine.robot, machine.topology), names, values, STEP)

    def loop(n: int) -> None:
        for _ in range(n):
            engine.step()

    return [Arm("pybullet", "PyBullet, in a loop", engine.reset, loop, engine.velocities)]


def drake_arm(_: Any, machine: Machine) -> list[Arm]:
    """The exported URDF as a discrete plant; one call of `AdvanceTo` for all steps."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.systems.analysis import Simulator

    plant = MultibodyPlant(time_step=STEP)
    Parser(plant).AddModelsFromString(urdf_text(machine.robot, machine.topology), "urdf")
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("link_0"))
    plant.Finalize()
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    joints = [plant.GetJointByName(name) for name in _hinges(machine)]

    def reset() -> None:
        context.SetTime(0.0)
        for name, joint in zip(_hinges(machine), joints, strict=True):
            joint.set_angle(context, float(machine.home.joints[name]))
            joint.set_angular_rate(context, 0.0)
        simulator.Initialize()

    def advance(n: int) -> None:
        simulator.AdvanceTo(context.get_time() + n * STEP)

    def velocities() -> Floats:
        return np.array([joint.get_angular_rate(context) for joint in joints])

    return [Arm("drake", "Drake, AdvanceTo", reset, advance, velocities)]


def _hinges(machine: Machine) -> list[str]:
    return list(machine.mechanism.velocity_of_joint)
