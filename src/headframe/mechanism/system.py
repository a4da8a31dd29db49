"""Freedoms and the rows that close loops over them: what the general solver works on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..errors import StateError
from ..jit import Packing, Records, Scratch, new_records
from . import levenberg_marquardt as kernels
from .closing import residuals
from .placing import place_frames
from .records import FRAME, MECHANISM, SOLVER_WORK, RowKind

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TOLERANCE = 1e-11  # residual [m] from which a solution counts; two more steps polish it
MAX_TURN = 0.1  # largest joint motion [rad, m] within one part of a continuation


@dataclass(frozen=True)
class Solution:
    """Where the solver ended: positions, largest residual [m], whether it counts as solved.

    `reached` is the fraction of a way that exists, `steps` the number of steps from one start.
    """

    q: Floats
    residual: float
    solved: bool
    reached: float = 1.0
    steps: int = 0


class LoopSystem:
    """A machine, or a part of one, as the general solver takes it.

    Attributes:
        freedoms: FREEDOM records, parents first.
        constraints: LOOP_ROW records.
        q_zero: positions with joints at 0, quaternions at no turn, (nq,).
    """

    freedoms: Records
    constraints: Records
    q_zero: Floats

    @cached_property
    def length_rows(self) -> Ints:
        """The LENGTH constraint of every actuator, in the order of the actuators."""
        return np.flatnonzero(self.constraints["kind"] == RowKind.LENGTH)

    @cached_property
    def closing_rows(self) -> Ints:
        """The constraints that always hold, closures and repeaters."""
        return np.flatnonzero(self.constraints["kind"] != RowKind.LENGTH)

    @cached_property
    def packing(self) -> tuple[Floats, int]:
        """What the solver's kernels take, and doubles of their scratch memory."""
        scratch, nq = Scratch(), self.q_zero.size
        nv, rows = len(self.freedoms), len(self.constraints)
        work = scratch.spans(
            SOLVER_WORK, frames=(nv, FRAME), r=rows, r_trial=rows, J=(rows, nv), J_last=(rows, nv),
            A=(nv, nv), band=nv, g=nv, dv=nv, q_trial=nq, q_last=nq, q_now=nq, q_next=nq, q_half=nq,
            target=rows,
        )  # fmt: skip
        packing = Packing(MECHANISM, work=work)
        packing.add("freedoms", self.freedoms)
        packing.add("constraints", self.constraints)
        return packing.buffer(), scratch.size

    def targets(self, lengths: Floats | None = None) -> Floats:
        """Right-hand sides of the constraints for the given actuator lengths [m], or for 0."""
        target: Floats = self.constraints["offset"].copy()
        if lengths is not None:
            if np.shape(lengths) != self.length_rows.shape or not np.isfinite(lengths).all():
                raise StateError(
                    f"found lengths of shape {np.shape(lengths)}, expected "
                    f"{self.length_rows.size} finite ones"
                )
            target[self.length_rows] = lengths
        return target

    def frames(self, q: Floats) -> Records:
        """FRAME records of the freedoms at some positions."""
        frames = new_records(len(self.freedoms), FRAME)
        place_frames(self.freedoms, q, frames)
        return frames

    def residuals(self, q: Floats, rows: Ints, lengths: Floats | None = None) -> Floats:
        """Left-hand sides of some constraints less their targets, (n,)."""
        r = np.zeros(len(rows))
        residuals(self.constraints, self.targets(lengths), rows, q, self.frames(q), r)
        return r

    def solved(
        self, q_start: Floats, lengths: Floats | None, rows: Ints, dofs: Ints, max_steps: int
    ) -> Solution:
        """Close loops from `q_start`, see `solver.solve`."""
        q, (packed, size) = np.empty_like(q_start), self.packing
        status, worst, steps = kernels.solve(
            packed, self.targets(lengths), rows, dofs, q_start, TOLERANCE, max_steps,
            np.zeros(size), q,
        )  # fmt: skip
        return Solution(q, float(worst), status == kernels.SOLVED, steps=int(steps))

    def followed(
        self, q_start: Floats, lengths_start: Floats, lengths: Floats, rows: Ints, dofs: Ints,
        max_turn: float = MAX_TURN,
    ) -> Solution:  # fmt: skip
        """Move the actuators in a straight line in length space, see `solver.follow`."""
        q, (packed, size) = np.empty_like(q_start), self.packing
        status, worst, reached = kernels.follow(
            packed, self.targets(lengths_start), self.targets(lengths), rows, dofs, q_start,
            TOLERANCE, max_turn, np.zeros(size), q,
        )  # fmt: skip
        return Solution(q, float(worst), status == kernels.SOLVED, float(reached))
