"""A machine simulated by sequential impulses in generalized coordinates (SIMGC)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from time import perf_counter

import numpy as np

from ...checks import flag, number, whole
from ...dynamics.loops import _kernels as loop_kernels
from ...dynamics.loops.packing import Loops, loops_of
from ...dynamics.model import _kernels as model_kernels
from ...dynamics.model.packing import Model
from ...dynamics.tree import _kernels as tree_kernels
from ...dynamics.tree.packing import lacking, without_inertia
from ...errors import DynamicsError
from ...mechanism.compiled import Floats, Ints
from ..failing import KEPT, go_again
from . import _kernels as kernels
from .layout import _kernels as layout
from .rows._kernels import PSEUDO

ALONE = -1  # group of a row that is solved by itself


@dataclass(frozen=True)
class Saved:
    """Everything that a run goes on from."""

    state: Floats
    drive: Floats
    pulls: Floats
    counts: tuple[int, ...]


class Simgc:
    """A machine in the coordinates of its spanning tree, its loops held by impulses.

    Attributes:
        q, v: positions and velocities of the tree (cylinders last), (nq,) and (nv,); they can be
            written to.
        drive: commands and reactions by row of the model, see `actuation`, (n_rows, DRIVE).
        pulls: external forces, (n, PULL_F), see `dynamics.model`'s `add_forces`.
        ledger: work that flowed in since the start [J]: by drives, by dampers and friction
            (negative), by pulls, by end stops (negative), and by impulses and pseudo-velocities
            that keep loops closed. Kinetic, potential and spring energy follow their sum but for
            the integrator's own error, which falls with the step.
        last_iterations: sweeps of the last step.
    """

    def __init__(
        self,
        model: Model,
        step: float,
        tolerance: float = 1e-6,
        iterations: int = 200,
        beta: float = 0.2,
        time_budget: float | None = None,
        grouped: bool = True,
    ) -> None:
        """Start at home, at rest, as `Model.new_drive` drives it.

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
        self.model = model
        self.step = number("step", step, above=0.0, unit="s")
        tolerance = number("tolerance", tolerance, above=0.0)
        beta = number("beta", beta, above=0.0, most=1.0)
        iterations = whole("iterations", iterations)
        grouped = flag("grouped", grouped)
        self.time_budget = time_budget
        if time_budget is not None:
            self.time_budget = number("time_budget", time_budget, least=0.0, unit="s")
        self.loops = loops_of(model.tree)
        self._settings = np.zeros(layout.SETTINGS)
        self._settings[[layout.STEP, layout.TOLERANCE, layout.BETA]] = self.step, tolerance, beta
        self._settings[layout.ITERATIONS] = iterations
        self._pack(grouped)
        self.q[:] = model.tree.positions(model.home)
        self.drive = model.new_drive()
        self.pulls = np.zeros((0, model_kernels.PULL_F))

    def _pack(self, grouped: bool) -> None:
        """Own part of the model, see `layout`, and memory for the kernels."""
        tree, rows, loops = self.model.tree, self.model.rows, self.loops
        nd = len(tree.tree_i)
        group_of_loop = _groups(loops) if grouped else np.full(loops.m, ALONE)
        friction = self.model._damping()[nd:]
        with_friction = np.flatnonzero(friction).tolist()
        velocities = sorted({*with_friction, *(row.velocity for row in rows)})
        line = {velocity: n for n, velocity in enumerate(velocities)}
        joints = [(velocity, self._group(velocity, group_of_loop)) for velocity in velocities]
        drives = [(row.position, row.velocity, line[row.velocity]) for row in rows]
        parts = (
            loops.loops_i, group_of_loop, joints, [line[k] for k in with_friction], drives
        )  # fmt: skip
        own_i = np.concatenate([np.asarray(part, dtype=np.int64).ravel() for part in parts])
        own_f = np.concatenate([loops.loops_f.ravel(), friction[with_friction]])
        self._model_i, self._model_f = self.model.arrays(
            layout.SIMGC, tree.nq, tree.nv, self.model.tree_quaternions(),
            [loops.m, len(velocities), len(with_friction)], own_i, own_f,
        )  # fmt: skip
        # friction is a row here, not a force
        at = tree_kernels.TREE_F * (1 + nd) + nd
        self._model_f[at : at + nd] = 0.0
        n, floats, ints = layout.sizes(nd, loops.m, len(velocities), len(with_friction), len(rows))
        self._state = np.zeros(tree.nq + tree.nv + len(rows) + n + layout.LEDGER)
        self._memory, self._ints = np.zeros(floats), np.zeros(ints, dtype=np.int64)
        moving = tree.nq + tree.nv
        self.q, self.v = self._state[: tree.nq], self._state[tree.nq : moving]
        self._state[moving : moving + len(rows)] = np.nan
        self.impulses = self._state[moving + len(rows) : moving + len(rows) + n]
        self.ledger = self._state[-layout.LEDGER :]

    def _group(self, velocity: int, group_of_loop: Ints) -> int:
        """Group that a joint's or a cylinder's rate is solved with: its own cylinder's closure."""
        robot = self.model.tree.mechanism.robot
        for cylinder in self.model.tree.cylinders:
            if cylinder.length_velocity == velocity:
                name = robot.actuators[cylinder.actuator].name
                pairs = zip(self.loops.name, self.loops.kind, strict=True)
                return int(group_of_loop[list(pairs).index((name, "cylinder"))])
        for i, row in enumerate(self.loops.loops_i):
            places = row[[loop_kernels.V_FOLLOWER, loop_kernels.V_LEADER]]
            if row[loop_kernels.KIND] == loop_kernels.RATIO and velocity in places:
                return int(group_of_loop[i])
        return ALONE

    # ------------------------------------------------------------- what it tells

    @property
    def steps(self) -> int:
        """Made so far."""
        return int(self._ints[layout.STEPS])

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return self.steps * self.step

    @property
    def last_iterations(self) -> int:
        """Sweeps of the last step."""
        return int(self._ints[[layout.SWEEPS, layout.PSEUDO_SWEEPS]].max())

    @property
    def mean_iterations(self) -> float:
        """Sweeps a step, in the mean since the start."""
        return float(self._ints[layout.ITERATED] / max(self._ints[layout.STEPS], 1))

    def position_error(self) -> float:
        """How far the loop that is open the widest is open [m, rad]."""
        tree, phi = self.model.tree, np.zeros(self.loops.m)
        work = self.place()
        loop_kernels.residuals(
            self.loops.loops_i, self.loops.loops_f, len(tree.tree_i), self.q, work, phi
        )
        return float(np.abs(phi).max(initial=0.0))

    def energy(self) -> tuple[float, float, float]:
        """Kinetic, potential and spring energy [J]."""
        found = np.zeros(3)
        model_kernels.energies(self._model_i, self._model_f, self.place(), found)
        return float(found[0]), float(found[1]), float(found[2])

    def pose(self, link: str) -> Floats:
        """X_world_link, (4, 4)."""
        return self.model.tree.pose(self.place(), link)

    def place(self) -> Floats:
        """Scratch memory that begins with the placed tree, velocities being set."""
        tree = self.model.tree
        work = self._work
        tree_kernels.place_tree(tree.tree_i, tree.tree_f, self.q, self.v, work)
        return work

    @cached_property
    def _work(self) -> Floats:
        return self.model.tree.new_work()

    # ------------------------------------------------------------------ what it does

    def set_state(self, q: Floats, v: Floats) -> None:
        """Begin anew at positions and velocities of the tree; impulses are forgotten."""
        self.q[:], self.v[:], self.impulses[:] = q, v, 0.0

    def save(self) -> Saved:
        """Everything that a run goes on from, bit for bit."""
        counts = tuple(self._ints[: layout.COUNTS].tolist())
        return Saved(self._state.copy(), self.drive.copy(), self.pulls.copy(), counts)

    def restore(self, saved: Saved) -> None:
        """Go back to what `save` gave."""
        self._state[:], self.drive[:], self.pulls = saved.state, saved.drive, saved.pulls.copy()
        self._ints[: layout.COUNTS] = saved.counts

    def run(self, n: int = 1) -> None:
        """Go on by n steps.

        Raises:
            DynamicsError: a velocity that stops being finite, or a joint that moves nothing that
                has mass. The machine then stands where it stood before that step.
        """
        if self.time_budget is not None:
            self._run_within(self.time_budget, n)
            return
        start, steps = self.save(), self.steps
        status = self._run(n)
        if status != kernels.OK:
            name, message = self._failure(status)
            raise self._error(name, message, go_again(self, start, self.steps - steps))

    def go(self, steps: int) -> None:
        """Make steps that are known to go well."""
        self._run(steps)

    def now(self) -> tuple[Floats, Floats]:
        """Copies of the positions and velocities."""
        return self.q.copy(), self.v.copy()

    def _run(self, n: int) -> int:
        status: int = kernels.run(
            self._model_i, self._model_f, self._settings, self.pulls, n,
            self._state, self.drive, self._memory, self._ints,
        )  # fmt: skip
        return status

    def _run_within(self, budget: float, n: int) -> None:
        """Steps that end with the time; they cannot be made again, so each start is kept."""
        states: deque[tuple[Floats, Floats]] = deque(maxlen=KEPT)
        for _ in range(n):
            start = self.save()
            states.append(self.now())
            status = self._step_within(budget)
            if status != kernels.OK:
                name, message = self._failure(status)
                self.restore(start)
                raise self._error(name, message, list(states))

    def _step_within(self, budget: float) -> int:
        """One step whose sweeps end with the time: pseudo-velocities get what is left."""
        model = self._model_i, self._model_f, self._settings
        parts, ints = self._parts, self._ints
        start = perf_counter()
        status = kernels.begin(*model, self.pulls, parts, self.drive, ints)
        if status:
            return status
        for stage in kernels.STAGES:
            if stage == PSEUDO:
                kernels.turn(self._model_i, self._settings, self.drive, parts, ints)
            for _ in range(int(self._settings[layout.ITERATIONS])):
                done = kernels.improve(self._settings, 1, stage, parts, ints)
                if done or perf_counter() - start > budget:
                    break
        return kernels.finish(*model, self.pulls, parts, self.drive, ints)

    @cached_property
    def _parts(self) -> layout.Parts:
        """The arrays as the kernels cut them."""
        arrays = self._model_i, self._model_f, self._state, self._memory, self._ints
        return layout.cut.py_func(*arrays)  # type: ignore[attr-defined, no-any-return]

    def _failure(self, status: int) -> tuple[str, str]:
        """Where a step failed, and what a status says about it."""
        tree = self.model.tree
        name = without_inertia(tree)
        if status == kernels.NO_INERTIA and name:
            return name, lacking(tree, name)
        wrong = int(self._ints[layout.WRONG])
        freedoms = tree.tree_i[:, tree_kernels.IV].tolist()
        if status == kernels.NO_INERTIA or wrong < 0:
            wrong = int(np.abs(self.v).argmax())
        name = tree.owner[freedoms.index(wrong)]
        return name, f"the motion of {name!r} stops being finite"

    def _error(self, name: str, message: str, states: list[tuple[Floats, Floats]]) -> DynamicsError:
        """The error of a step that begins now."""
        return DynamicsError(f"{message} (at {self.time:.6g} s)", name, self.time, states)


def _groups(loops: Loops) -> Ints:
    """A number for the loop that each row belongs to."""
    pairs = list(zip(loops.name, loops.kind, strict=True))
    numbers = {pair: n for n, pair in enumerate(dict.fromkeys(pairs))}
    return np.array([numbers[pair] for pair in pairs], dtype=np.int64)
