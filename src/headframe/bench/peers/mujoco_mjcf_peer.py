"""MuJoCo on the model that Headframe exports, under Newton's method written in Python.

The MJCF text is loaded as it is: tubes and rods are bodies, on two hinges and a slide each, and a
`connect` ties each rod to its link. Slides are set to the wanted lengths; Newton's method moves the
other joints until all `connect`s are closed, those of redundant cylinders too: an open one would
be no solution of this model. What a user who knows MuJoCo would do once for speed is done once:
shapes are left out, equations that say nothing new are switched off, and joints that never move
are not solved for. Inverse kinematics moves the first members of groups only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.linalg import blas, lapack

from ...errors import MissingExtraError
from ...export import build_mjcf
from ...machine import Machine
from ...mechanism import State
from .base import Floats, Ints, PeerAnswer, PeerPart, Start, part_moving, whole
from .mujoco_reach import MAX_STEPS, MAX_TURN, PoseReach

NOTHING = 1e-9  # a gap [m] or a derivative that is none
PROBES = 4  # random configurations in which that is looked at
PROBE_TURN = 0.3  # how far they are from home [rad, m]


class MujocoMjcfPeer:
    """Forward and inverse kinematics of a machine on MuJoCo, with the exported model.

    Raises:
        MissingExtraError: MuJoCo is not installed.
    """

    name = "MuJoCo"

    def __init__(self, machine: Machine, tolerance: float = 1e-10) -> None:
        self._machine, self._tolerance = machine, tolerance
        cylinders = np.arange(len(machine.actuators))
        self._newton = GapNewton(
            MujocoEngine(replace(whole(machine), cylinders=cylinders)), tolerance
        )
        self._reaches: dict[str, PoseReach] = {}

    def start(self, q: Floats) -> Start:
        """See `Peer`."""
        return Start(q.copy(), self._newton.engine.positions(q))

    def fk(self, lengths: Floats, start: Start) -> PeerAnswer:
        """See `Peer`."""
        return self._newton.solve(lengths, start)

    def ik(self, link: str, target: Floats, start: Start) -> PeerAnswer:
        """See `Peer`."""
        reach = self._reaches.get(link)
        if reach is None:
            newton = GapNewton(MujocoEngine(part_moving(self._machine, link)), self._tolerance)
            reach = self._reaches[link] = PoseReach(newton, link)
        return reach.solve(target, start)


class MujocoEngine:
    """MuJoCo's model and data of a machine, with views of what the solvers read.

    Attributes:
        gaps: of the equations that are switched on [m], (m,).
        J: their derivative, (m, nv).
        qpos: joint positions, to be written to, (nq,); every joint has one freedom.
        slides: where `qpos` holds the lengths of the part's cylinders.
        unknown: where it holds what is solved for.
        rows: the gaps that are not always zero.
        main: where `qpos` holds the machine's own joints.
        places: where Headframe's joint positions hold these.
        calls: functions that bring `gaps` and `J` up to date, to be called in this order.
    """

    def __init__(self, part: PeerPart) -> None:
        try:
            import mujoco
        except ImportError:
            raise MissingExtraError("the peer MuJoCo", "mujoco", "bench") from None
        self.part, self.mujoco = part, mujoco
        machine = part.machine
        document = build_mjcf(machine.robot, machine.topology, machine.home, "meshes")
        self.bodies = {link: str(body.get("name")) for link, body in document.bodies.items()}
        spec = mujoco.MjSpec.from_string(document.text())
        for shape in (*spec.geoms, *spec.meshes):
            spec.delete(shape)
        self.model: Any = spec.compile()
        bits = mujoco.mjtDisableBit
        self.model.opt.disableflags |= int(
            bits.mjDSBL_CONTACT | bits.mjDSBL_LIMIT | bits.mjDSBL_FRICTIONLOSS
        )
        self.model.opt.jacobian = int(mujoco.mjtJacobian.mjJAC_DENSE)
        self.data: Any = mujoco.MjData(self.model)
        self.qpos: Floats = self.data.qpos
        self.calls = mujoco.mj_kinematics, mujoco.mj_comPos, mujoco.mj_makeConstraint

        own = {name: names[0] for name, names in document.joints.items() if len(names) == 1}
        self.main = self.addresses(own.values())
        self.places = part.places(list(own))
        mounts = [document.bodies[actuator.tube].findall("joint") for actuator in part.actuators]
        pins, crosses = (
            self.addresses(str(mount[end].get("name")) for mount in mounts) for end in (0, 1)
        )
        rods = [document.bodies[actuator.rod] for actuator in part.actuators]
        slides = [rod.findall("joint")[0] for rod in rods]
        self.slides = self.addresses(str(slide.get("name")) for slide in slides)
        joints = self.addresses(own[joint.name] for joint in part.joints)

        self.hinges = np.concatenate([pins, crosses])
        self.switch_on(
            [str(rod.get("name")) for rod in rods], np.concatenate([joints, self.hinges])
        )
        idle = self.idle(np.concatenate([joints, pins]), crosses)
        self.unknown = np.concatenate([joints, pins, crosses[~idle]])
        self.rows = self.speaking(np.concatenate([joints, pins, self.slides]))

    def addresses(self, names: Any) -> Ints:
        """Where `qpos` holds joints."""
        return np.array([self.model.joint(name).qposadr[0] for name in names], dtype=np.int64)

    def update(self) -> None:
        """Bring everything up to date with `qpos`."""
        for call in self.calls:
            call(self.model, self.data)

    def switch_on(self, rods: list[str], unknown: Ints) -> None:
        """Keep the equations of these rods, and those of closures that say something new."""
        model, data = self.model, self.data
        ends = model.site_bodyid[model.eq_obj1id]
        all_rods = [self.bodies[actuator.rod] for actuator in self.part.machine.actuators]
        kept: Floats = np.zeros((0, unknown.size))
        chosen = []
        for equation in range(model.neq):
            body = model.body(ends[equation]).name
            if body in all_rods and body not in rods:
                continue
            data.eq_active[:] = 0
            data.eq_active[equation] = 1
            self.update()
            J = data.efc_J.reshape(-1, model.nv)[:, unknown]
            more = np.vstack([kept, J])
            if rank(more) > rank(kept):
                kept = more
                chosen.append(equation)
        data.eq_active[:] = 0
        data.eq_active[chosen] = 1
        self.update()
        # with nothing but equalities, MuJoCo puts these arrays in the same place every time
        self.gaps: Floats = data.efc_pos
        self.J: Floats = data.efc_J.reshape(self.gaps.size, model.nv)

    def probes(self, moving: Ints) -> Iterator[None]:
        """Go to random configurations around home, and back."""
        random, home = np.random.default_rng(0), self.model.qpos0.copy()
        for _ in range(PROBES):
            self.qpos[:] = home
            self.qpos[moving] += random.uniform(-PROBE_TURN, PROBE_TURN, moving.size)
            self.update()
            yield
        self.qpos[:] = home
        self.update()

    def idle(self, moving: Ints, hinges: Ints) -> Any:
        """Which of some hinges no gap ever turns, as in a cylinder that stays in a plane."""
        pulls = []
        for _ in self.probes(np.concatenate([moving, self.slides])):
            about = self.J[:, hinges].T
            pulls += [*np.abs(about @ self.J[:, moving]).T, np.abs(about @ self.gaps)]
        return np.max(pulls, axis=0) < NOTHING

    def speaking(self, moving: Ints) -> Ints:
        """The gaps that are not always zero."""
        found = []
        for _ in self.probes(moving):
            found += [*np.abs(self.J[:, moving]).T, np.abs(self.gaps)]
        return np.flatnonzero(np.max(found, axis=0) > NOTHING)

    def positions(self, q: Floats) -> Floats:
        """MuJoCo's joint positions for Headframe's `q`, (nq,): cylinders point at their ends."""
        state = State(self.part.machine.mechanism, q)
        self.qpos[:] = self.model.qpos0
        self.qpos[self.main] = q[self.places]
        self.qpos[self.slides] = state.lengths[self.part.cylinders]
        for _ in range(MAX_STEPS):
            self.update()
            step = np.linalg.lstsq(self.J[:, self.hinges], self.gaps, rcond=None)[0]
            self.qpos[self.hinges] -= step * min(1.0, MAX_TURN / max(np.abs(step).max(), 1e-12))
            if np.abs(step).max() < 1e-13:
                break
        return self.qpos.copy()


class GapNewton:
    """Newton's method on the gaps, with a limit for every step.

    As many gaps as unknowns are solved as they are; more by their normal equations.
    """

    def __init__(self, engine: MujocoEngine, tolerance: float) -> None:
        self.engine, self.tolerance = engine, tolerance
        m, n = engine.rows.size, engine.unknown.size
        self.square = m == n
        # LAPACK takes columns one after the other, so this holds the transpose of J's part
        self.pick = (engine.rows[None, :] * engine.model.nv + engine.unknown[:, None]).copy()
        self.part_T = np.zeros((n, m))

    def solve(self, lengths: Floats, start: Start) -> PeerAnswer:
        """Joint positions with the given lengths [m], (n_actuators,)."""
        engine = self.engine
        engine.qpos[:] = start.values
        engine.qpos[engine.slides] = lengths[engine.part.cylinders]
        gap, steps = self.settle()
        solved, values = gap < self.tolerance, engine.qpos[engine.main]
        return PeerAnswer(engine.part, values, engine.places, start, steps, solved, lengths)

    def settle(self) -> tuple[float, int]:
        """Move `qpos` until all gaps are closed; gives the largest one [m] and the steps taken."""
        engine, tolerance = self.engine, self.tolerance
        model, data, gaps, qpos = engine.model, engine.data, engine.gaps, engine.qpos
        J, unknown, rows = engine.J.ravel(), engine.unknown, engine.rows
        pick, part_T = self.pick, self.part_T
        place, centre, constrain = engine.calls
        largest, general, cholesky = blas.idamax, lapack.dgesv, lapack.dposv
        part, square, steps = part_T.T, self.square, 0
        while True:
            place(model, data)
            centre(model, data)
            constrain(model, data)
            gap = abs(gaps.item(largest(gaps)))
            if gap < tolerance or steps == MAX_STEPS:
                return gap, steps
            J.take(pick, out=part_T, mode="clip")
            r = gaps.take(rows)
            if square:
                _, _, step, failed = general(part, r, 1, 1)
            else:
                _, step, failed = cholesky(part_T.dot(part), part_T.dot(r))
            if failed:
                return gap, steps
            turn = abs(step.item(largest(step)))
            if turn > MAX_TURN:
                step *= MAX_TURN / turn
            qpos[unknown] -= step
            steps += 1

    # ------------------------------------------------------------ for inverse kinematics

    def begin(self, start: Start) -> Floats:
        """Go to the start; gives the lengths there [m], (g,)."""
        engine = self.engine
        engine.qpos[:] = start.values
        engine.update()
        return engine.qpos[engine.slides]

    def close(self, lengths: Floats) -> float:
        """Close the loops at the given lengths [m], (g,); gives the largest gap [m]."""
        self.engine.qpos[self.engine.slides] = lengths
        return self.settle()[0]

    def moves(self) -> Floats:
        """How all joints move with the lengths, (nv, g)."""
        engine = self.engine
        engine.J.ravel().take(self.pick, out=self.part_T)
        A, b = self.part_T.T, engine.J[engine.rows][:, engine.slides]
        if self.square:
            _, _, x, _ = lapack.dgesv(A, b, 1, 1)
        else:
            _, x, _ = lapack.dposv(np.dot(A.T, A), np.dot(A.T, b))
        X = np.zeros((engine.model.nv, b.shape[1]))
        X[engine.slides] = np.eye(b.shape[1])
        X[engine.unknown] = -x
        return X

    def values(self, qpos: Floats) -> Floats:
        """The machine's own joint positions of MuJoCo's."""
        return qpos[self.engine.main]


def rank(A: Floats) -> int:
    """Rank of a matrix; 0 of one without rows."""
    return int(np.linalg.matrix_rank(A, tol=NOTHING)) if A.size else 0
