"""A machine simulated by sequential impulses in generalized coordinates (SIMGC)."""

from __future__ import annotations

from collections import deque
from time import perf_counter

import numpy as np

from ...checks import flag, number, whole
from ...dynamics import KEPT, Bodies, DynamicsModel, Loops, TreeEngine, TreeState, impulse_failure
from ...dynamics.kernels import MODEL, POWER, RESISTANCE, DynamicsStatus, RowKind, place_tree
from ...jit import Packing, Records, Scratch, header, numbers, records
from ...mechanism import Floats, Ints
from ..striking.engine import Strikable, calls_to
from . import impulses as kernels
from . import touching
from .lines import PSEUDO, VELOCITIES, own_part
from .records import (
    DRIVE_LINE,
    FRICTION,
    IMPULSE_ROW,
    IMPULSE_STATE,
    IMPULSE_WORK,
    JOINT_LINE,
    LINE,
    SIMGC,
)

ALONE = -1  # group of a row that is solved by itself


class Simgc(TreeEngine):
    """A machine in the coordinates of its spanning tree, its loops held by impulses.

    Attributes:
        impulses: of all rows, from the last step.
    """

    def __init__(
        self,
        model: DynamicsModel,
        step: float,
        tolerance: float = 1e-6,
        iterations: int = 200,
        beta: float = 0.2,
        time_budget: float | None = None,
        grouped: bool = True,
    ) -> None:
        """Start at home, at rest, as `DynamicsModel.new_drives` drives it.

        Args:
            model: the machine.
            step: [s].
            tolerance: change of an impulse below which a sweep is the last [N s, N m s].
            iterations: most sweeps a step.
            beta: part of a loop's error taken back in a step, 0 < beta <= 1.
            time_budget: for the sweeps of a step [s]. It makes runs depend on the computer's
                mood, so that they cannot be repeated bit for bit; None for no such limit.
            grouped: solve the rows of one closure, and the drive of its cylinder, together.

        Raises:
            StateError: an option that is none of these.
        """
        super().__init__(model, step)
        tolerance = number("tolerance", tolerance, above=0.0)
        beta = number("beta", beta, above=0.0, most=1.0)
        iterations = whole("iterations", iterations)
        grouped = flag("grouped", grouped)
        self.time_budget = time_budget
        if time_budget is not None:
            self.time_budget = number("time_budget", time_budget, least=0.0, unit="s")
        self._iterations = iterations
        self._pack(grouped, step=self.step, tolerance=tolerance, beta=beta, iterations=iterations)

    def _pack(self, grouped: bool, **settings: float) -> None:
        """The model with its own part, the state and scratch memory."""
        tree, rows, loops = self.model.tree, self.model.rows, self.loops
        group_of_loop = _groups(loops) if grouped else np.full(loops.m, ALONE)
        friction = self.model.resistances.friction
        with_friction = np.flatnonzero(friction).tolist()
        velocities = sorted({*with_friction, *(row.velocity for row in rows)})
        line = {velocity: n for n, velocity in enumerate(velocities)}
        joints = [(velocity, self._group(velocity, group_of_loop)) for velocity in velocities]
        joint_of_row, drives = [line[k] for k in with_friction], []
        for row in rows:
            guide = len(joint_of_row)
            drives.append((row.position, row.velocity, guide, (guide + 1, guide + 2)))
            joint_of_row += 3 * [line[row.velocity]]
        scratch = Scratch()
        packing = self.model.tree_packing(scratch)
        n_lines, n = loops.m + len(joints), len(joint_of_row) + loops.m
        spans = self._spans(scratch, n_lines, n)
        own = packing.within("own", SIMGC, work=spans, **settings)
        own.add("loops", loops.rows)
        own.add("loop_groups", group_of_loop)
        own.add("joints", np.array(joints, JOINT_LINE))
        own.add("joint_of_row", np.array(joint_of_row, np.int64))
        own.add("frictions", np.array([(k, friction[k]) for k in with_friction], FRICTION))
        own.add("drives", np.array(drives, DRIVE_LINE))
        self.packed, self.work = packing.buffer(), np.zeros(scratch.size)
        # friction is a row here, not a force
        resistances = header(self.packed, MODEL).resistances
        records(self.packed, resistances, RESISTANCE).friction = 0.0
        moment = Packing(IMPULSE_STATE)
        moment.add("q", tree.positions(self.model.home))
        moment.add("v", np.zeros(tree.nv))
        moment.add("held", np.full(len(rows), np.nan))
        moment.add("kept", np.zeros(n))
        self.state = moment.buffer()
        self._moment = header(self.state, IMPULSE_STATE)
        self._q, self._v = (numbers(self.state, at) for at in (self._moment.q, self._moment.v))
        self.impulses = numbers(self.state, self._moment.kept)

    def _spans(self, scratch: Scratch, n_lines: int, n_rows: int) -> Records:
        """Scratch memory of the kernels."""
        nv = self.model.tree.nv
        return scratch.spans(
            IMPULSE_WORK, rows=(n_rows, IMPULSE_ROW), lines=(n_lines, LINE), J=(n_lines, nv),
            Y=(n_lines, nv), A=(n_lines, n_lines), mix=(n_lines, n_lines), rates=(2, n_lines),
            applied=(2, n_lines), tau=nv, vdot=nv, before=nv, push=nv, impulses=nv,
            power=(1, POWER),
        )  # fmt: skip

    def _group(self, velocity: int, group_of_loop: Ints) -> int:
        """Group that a joint's or a cylinder's rate is solved with: its own cylinder's closure."""
        robot = self.model.tree.mechanism.robot
        for cylinder in self.model.tree.cylinders:
            if cylinder.length_velocity == velocity:
                name = robot.actuators[cylinder.actuator].name
                pairs = zip(self.loops.name, self.loops.kind, strict=True)
                return int(group_of_loop[list(pairs).index((name, "cylinder"))])
        for i, row in enumerate(self.loops.rows):
            places = row.follower.velocity, row.leader.velocity
            if row.kind == RowKind.RATIO and velocity in places:
                return int(group_of_loop[i])
        return ALONE

    # ------------------------------------------------------------- what it tells

    @property
    def q(self) -> Floats:
        """Positions of the tree (cylinders last), (nq,); they can be written to."""
        return self._q

    @property
    def v(self) -> Floats:
        """Velocities of the tree, (nv,); they can be written to."""
        return self._v

    def place(self) -> Bodies:
        """The bodies of the placed tree, velocities being set."""
        place_tree(self.model.near.freedoms, self.q, self.v, self._bodies)
        return self._bodies

    def strikable(self) -> Strikable:
        """What a world of impulses needs of it."""
        push = numbers(self.work, own_part(self.packed).work.push)
        return Strikable(
            calls_to(touching), self.packed, self.state, self.flat_drives, self.work,
            lambda: self.given_pulls, self.v, push, self.model.tree.nv, np.zeros(3),
        )  # fmt: skip

    # ------------------------------------------------------------------ what it does

    def set_state(self, q: Floats, v: Floats) -> None:
        """Begin anew at positions and velocities of the tree; impulses are forgotten."""
        self.q[:], self.v[:], self.impulses[:] = q, v, 0.0

    def run(self, steps: int = 1) -> None:
        """Go on by so many steps.

        Raises:
            DynamicsError: a velocity that stops being finite, or a joint that moves nothing that
                has mass. The machine then stands where it stood before that step.
        """
        if self.time_budget is None:
            super().run(steps)
        else:
            self._run_within(self.time_budget, steps)

    def _go(self, steps: int) -> int:
        return int(
            kernels.run(
                self.packed, self.given_pulls, steps, self.state, self.given_drives, self.work
            )
        )

    def _run_within(self, budget: float, n: int) -> None:
        """Steps that end with the time; they cannot be made again, so each start is kept."""
        states: deque[TreeState] = deque(maxlen=KEPT)
        for _ in range(n):
            start = self.save()
            states.append(self.now())
            status = self._step_within(budget)
            if status != DynamicsStatus.OK:
                name, message = self._failure(status)
                self.restore(start)
                raise self._error(name, message, list(states))

    def _step_within(self, budget: float) -> int:
        """One step whose sweeps end with the time: pseudo-velocities get what is left."""
        start = perf_counter()
        status = kernels.begin(
            self.packed, self.given_pulls, self.state, self.given_drives, self.work
        )
        if status:
            return status
        for stage in (VELOCITIES, PSEUDO):
            if stage == PSEUDO:
                kernels.turn(self.packed, self.state, self.given_drives, self.work)
            for _ in range(self._iterations):
                done = kernels.improve(self.packed, 1, stage, self.state, self.work)
                if done or perf_counter() - start > budget:
                    break
        return kernels.finish(
            self.packed, self.given_pulls, self.state, self.given_drives, self.work
        )

    def _failure(self, status: int) -> tuple[str, str]:
        """Where a step failed, and what a status says about it."""
        return impulse_failure(self.model.tree, status, int(self._moment.counts.wrong), self.v)


def _groups(loops: Loops) -> Ints:
    """A number for the loop that each row belongs to."""
    pairs = list(zip(loops.name, loops.kind, strict=True))
    numbers = {pair: n for n, pair in enumerate(dict.fromkeys(pairs))}
    return np.array([numbers[pair] for pair in pairs], dtype=np.int64)
