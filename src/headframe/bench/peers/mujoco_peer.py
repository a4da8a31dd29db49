"""MuJoCo on a model made for the purpose, under Newton's method written in Python.

It is as lean as it gets: the main links without shapes or cylinders, a `connect` for every
closure and a tendon from mount to mount for every cylinder. MuJoCo then gives all gaps, all lengths
and their derivatives at once. Against the exported model, in which cylinders are bodies, that
saves three joints and three equations a cylinder.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from scipy.linalg import blas, lapack

from ...errors import MissingExtraError
from ...export import MjcfDocument, build_mjcf, put
from ...machine import Machine
from .base import Floats, PeerAnswer, PeerPart, Start, part_moving, whole
from .mujoco_reach import MAX_STEPS, MAX_TURN, PoseReach

DULL = ("damping", "frictionloss", "limited", "range")  # attributes of joints without use here


class MujocoPeer:
    """Forward and inverse kinematics of a machine on MuJoCo.

    Raises:
        MissingExtraError: MuJoCo is not installed.
    """

    name = "MuJoCo, lean model"

    def __init__(self, machine: Machine, tolerance: float = 1e-10) -> None:
        self._machine, self._tolerance = machine, tolerance
        self._newton = _Newton(_Engine(whole(machine)), tolerance)
        self._reaches: dict[str, PoseReach] = {}

    def start(self, q: Floats) -> Start:
        """See `Peer`."""
        return Start(q.copy(), q[self._newton.engine.places])

    def fk(self, lengths: Floats, start: Start) -> PeerAnswer:
        """See `Peer`."""
        return self._newton.solve(lengths, start)

    def ik(self, link: str, target: Floats, start: Start) -> PeerAnswer:
        """See `Peer`."""
        reach = self._reaches.get(link)
        if reach is None:
            newton = _Newton(_Engine(part_moving(self._machine, link)), self._tolerance)
            reach = self._reaches[link] = PoseReach(newton, link)
        return reach.solve(target, start)


class _Engine:
    """MuJoCo's model and data of a part, with views of what the solvers read.

    Attributes:
        gaps: of all closures, three each; then length minus target of all cylinders [m]; then
            position minus target of all held joints, (m,).
        J: derivative of `gaps`, (m, nv).
        qpos: joint positions, to be written to, (nq,).
        target: lengths and positions aimed at, minus those at home; to be written to.
        home: those at home.
        places: where Headframe's joint positions hold those of MuJoCo.
        bodies: names of MuJoCo's bodies, by those of links.
        calls: functions that bring `gaps` and `J` up to date, to be called in this order.
    """

    def __init__(self, part: PeerPart) -> None:
        try:
            import mujoco
        except ImportError:
            raise MissingExtraError("the peer MuJoCo", "mujoco", "bench") from None
        self.part, self.mujoco = part, mujoco
        document = lean_mjcf(part)
        self.bodies = {link: str(body.get("name")) for link, body in document.bodies.items()}
        self.model: Any = mujoco.MjModel.from_xml_string(document.text())
        bits = mujoco.mjtDisableBit
        self.model.opt.disableflags |= int(
            bits.mjDSBL_CONTACT | bits.mjDSBL_LIMIT | bits.mjDSBL_FRICTIONLOSS
        )
        self.data: Any = mujoco.MjData(self.model)
        self.calls = (
            mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_tendon, mujoco.mj_makeConstraint
        )  # fmt: skip
        for call in self.calls:
            call(self.model, self.data)
        # with nothing but equalities, MuJoCo puts these arrays in the same place every time
        self.gaps: Floats = self.data.efc_pos
        self.J: Floats = self.data.efc_J.reshape(self.gaps.size, self.model.nv)
        self.qpos: Floats = self.data.qpos
        pins = len(part.pins)
        self.cylinders = slice(3 * pins, 3 * pins + len(part.cylinders))
        self.target: Floats = self.model.eq_data[pins:, 0]
        held = [self.model.joint(joint.name).qposadr[0] for joint in part.held]
        self.home = np.concatenate([self.model.tendon_length0, self.model.qpos0[held]])
        self.held = part.places([joint.name for joint in part.held])
        self.places = part.places([self.model.joint(i).name for i in range(self.model.njnt)])


class _Newton:
    """Newton's method on gaps and lengths, by normal equations, with a limit for every step."""

    def __init__(self, engine: _Engine, tolerance: float) -> None:
        self.engine, self.tolerance = engine, tolerance
        n = engine.model.nv
        self.A, self.g = np.zeros((n, n)), np.zeros(n)

    def solve(self, lengths: Floats, start: Start) -> PeerAnswer:
        """Joint positions with the given lengths [m], (n_actuators,)."""
        engine = self.engine
        np.subtract(lengths[engine.part.cylinders], engine.home, engine.target)
        engine.qpos[:] = start.values
        gap, steps = self.settle()
        solved, values = gap < self.tolerance, engine.qpos.copy()
        return PeerAnswer(engine.part, values, engine.places, start, steps, solved, lengths)

    # ------------------------------------------------------------ for inverse kinematics

    def begin(self, start: Start) -> Floats:
        """Go to the start; gives the lengths there [m], (g,)."""
        engine = self.engine
        groups = len(engine.part.cylinders)
        engine.qpos[:] = start.q[engine.places]
        engine.target[:groups] = 0.0
        engine.target[groups:] = start.q[engine.held] - engine.home[groups:]
        for call in engine.calls:
            call(engine.model, engine.data)
        lengths: Floats = engine.gaps[engine.cylinders] + engine.home[:groups]
        return lengths

    def close(self, lengths: Floats) -> float:
        """Close the loops at the given lengths [m], (g,); gives the largest gap [m]."""
        engine, groups = self.engine, lengths.size
        np.subtract(lengths, engine.home[:groups], engine.target[:groups])
        return self.settle()[0]

    def moves(self) -> Floats:
        """How the joints move with the lengths, (nv, g)."""
        J = self.engine.J
        _, X, _ = lapack.dposv(np.dot(J.T, J), J[self.engine.cylinders].T)
        return np.asarray(X)

    def values(self, qpos: Floats) -> Floats:
        """The machine's own joint positions of MuJoCo's."""
        return qpos

    def settle(self) -> tuple[float, int]:
        """Move `qpos` until all gaps are closed; gives the largest one [m] and the steps taken."""
        engine, tolerance, A, g = self.engine, self.tolerance, self.A, self.g
        model, data, gaps, J, qpos = engine.model, engine.data, engine.gaps, engine.J, engine.qpos
        place, centre, tendon, constrain = engine.calls
        dot, largest, cholesky = np.dot, blas.idamax, lapack.dposv
        J_T, steps = J.T, 0
        while True:
            place(model, data)
            centre(model, data)
            tendon(model, data)
            constrain(model, data)
            gap = abs(gaps.item(largest(gaps)))
            if gap < tolerance or steps == MAX_STEPS:
                return gap, steps
            dot(J_T, J, A)
            dot(J_T, gaps, g)
            _, step, failed = cholesky(A, g)
            if failed:
                return gap, steps
            turn = abs(step.item(largest(step)))
            if turn > MAX_TURN:
                step *= MAX_TURN / turn
            qpos -= step
            steps += 1


# --------------------------------------------------------------------------- the model


def lean_mjcf(part: PeerPart) -> MjcfDocument:
    """MJCF of a part: moving links, closures, and a tendon for every cylinder."""
    machine = part.machine
    document = build_mjcf(machine.robot, machine.topology, machine.home, "meshes")
    kept = {joint.name for joint in (*part.joints, *part.held)}
    for body in list(document.world.iter("body")):
        strip(body, kept, machine.robot.cylinder_parts)
    for section in (
        document.asset, document.tendon, document.equality, document.actuator, document.keyframe
    ):  # fmt: skip
        section.clear()
    for number, pin in enumerate(part.pins):
        sites = add_sites(
            document, f"pin{number}", (pin.link_a, pin.point_a), (pin.link_b, pin.point_b)
        )
        put(document.equality, "connect", site1=sites[0], site2=sites[1])
    for number, actuator in enumerate(part.actuators):
        name = f"cylinder{number}"
        tendon = put(document.tendon, "spatial", name=name)
        tube = (actuator.tube_parent, np.asarray(actuator.tube_offset))
        rod = (actuator.rod_parent, np.asarray(actuator.rod_offset))
        for site in add_sites(document, name, tube, rod):
            put(tendon, "site", site=site)
        put(document.equality, "tendon", tendon1=name)
    for joint in part.held:
        put(document.equality, "joint", joint1=joint.name)
    for option in document.root.iter("option"):
        option.set("jacobian", "dense")
    return document


def strip(body: ET.Element, kept: set[str], cylinder_parts: frozenset[str]) -> None:
    """Take shapes, cylinders and the joints that stand still from a body."""
    for child in list(body):
        name = child.get("name", "")
        if (
            child.tag in ("geom", "site")
            or (child.tag == "body" and name in cylinder_parts)
            or (child.tag == "joint" and name not in kept)
        ):
            body.remove(child)
        elif child.tag == "joint":
            for attribute in DULL:
                child.attrib.pop(attribute, None)


def add_sites(document: MjcfDocument, name: str, *points: tuple[str, Floats]) -> list[str]:
    """Sites at points of links; gives their names."""
    return [
        document.add_site(document.bodies[link], f"{name}.{i}", point)
        for i, (link, point) in enumerate(points)
    ]
