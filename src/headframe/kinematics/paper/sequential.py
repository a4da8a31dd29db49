"""Forward kinematics as in the MineRobot paper: one redundant group after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import SingularityError, StateError
from ...mechanism import State
from ...mechanism.compiled import Floats, Ints
from ...topology.iteps import Itep
from ..forward import _kernels as forward
from ..forward.solve import error_of
from ..inverse.objective._kernels import N
from ..lengths import _kernels as lengths
from . import _kernels as kernels
from .descent._kernels import ROWS

if TYPE_CHECKING:
    from ..model import Kinematics

TYPES = {"A": kernels.TYPE_A, "B": kernels.TYPE_B, "C": kernels.TYPE_C, "D": kernels.TYPE_D}
KEPT = "_paper_sequence"


class Sequence:
    """The groups of a machine as a table for the kernels, with scratch memory for one thread.

    Attributes:
        reason: why the machine is outside the paper's scope; then the table has no groups.
        table: what each group moves, see `paper._kernels`.
        state: scratch memory.
        rows: scratch memory for lengths and gradients, (ROWS, N).
    """

    def __init__(self, kinematics: Kinematics) -> None:
        self.kinematics = kinematics
        self.reason = _reason(kinematics)
        self.table: Ints = np.zeros(kernels.SEQ_HEAD, dtype=np.int64)
        self.state: Floats = np.zeros(0)
        self.rows: Floats = np.zeros((ROWS, N))
        packer = kinematics.packer
        if packer is None:
            return
        iteps = () if self.reason else kinematics.plan.topology.iteps
        head = [len(iteps), len(packer.steps_i)]
        records = [number for itep in iteps for number in self._record(itep)]
        self.table = np.array([*head, *records], dtype=np.int64)
        self.state = np.zeros(
            kernels.state_size(len(packer.vars_i), len(packer.bars_i), len(packer.acts_i), *head)
        )

    def _record(self, itep: Itep) -> list[int]:
        act = int(self.kinematics.first_members[itep.group])
        if itep.type != "D":
            (edge,) = itep.edges
            variable = self._variable(edge.joint, edge.four_bar)
            step, *members = self._step(act, variable)
            common = [TYPES[itep.type], act, variable, edge.four_bar, step, *members[:2]]
            return [*common, *[-1] * (kernels.SEQ - len(common))]
        bar = next(edge for edge in itep.edges if edge.kind == "generalized")
        hinge = next(edge for edge in itep.edges if edge.kind == "revolute")
        variable = self._variable(bar.joint, bar.four_bar)
        hinge_variable = self._variable(hinge.joint, -1)
        record = [kernels.TYPE_D, act, variable, bar.four_bar, 0, 0, 0]
        record += [itep.locked_by, hinge_variable]
        for chain in (act, int(self.kinematics.first_members[itep.locked_by])):
            record += [*self._step(chain, variable), self._step(chain, hinge_variable)[0]]
        return record

    def _variable(self, joint: int, four_bar: int) -> int:
        """Position of the variable of a joint, or of a four-bar."""
        return next(
            number
            for number, variable in enumerate(self.kinematics.plan.variables)
            if (variable.four_bar == four_bar if four_bar >= 0 else variable.joint == joint)
        )

    def _step(self, act: int, variable: int) -> tuple[int, int, int]:
        """Position of a variable's step in the table, and the members it leads between.

        -1 where the actuator's chain does not pass it.
        """
        packer = self.kinematics.packer
        assert packer is not None
        begin, count = packer.acts_i[act][:2]
        for step in range(begin, begin + count):
            kind, var, enter, leave = packer.steps_i[step][:4]
            if var == variable:
                if kind == lengths.TURNING:  # of a four-bar: over the pivot between x and y
                    enter, leave = (0, 1) if packer.steps_f[step][2] > 0.0 else (1, 0)
                return step, enter, leave
        return -1, 0, 0


def _reason(kinematics: Kinematics) -> str:
    """Why a machine is outside the scope of the paper; empty if it is not."""
    if kinematics.plan.reason:
        return kinematics.plan.reason
    names = kinematics.mechanism.robot.group_names
    return next(
        (
            f"{names[itep.group]!r} is none of types A to D: {itep.reason}"
            for itep in kinematics.plan.topology.iteps
            if itep.type not in TYPES
        ),
        "",
    )


def sequence_of(kinematics: Kinematics) -> Sequence:
    """The machine's table of groups, made once."""
    kept: Sequence | None = vars(kinematics).get(KEPT)
    if kept is None:
        kept = vars(kinematics)[KEPT] = Sequence(kinematics)
    return kept


def check_scope(sequence: Sequence) -> None:
    """StateError for a machine outside the paper's scope."""
    if sequence.reason:
        raise StateError(f"the paper's method does not cover this machine: {sequence.reason}")


def sequential(
    kinematics: Kinematics,
    wanted: Floats,
    given: int,
    origin: State,
    tolerance: float = 1e-10,
) -> Floats:
    """Joint positions for given lengths by Algorithm 3 of the MineRobot paper, (nq,).

    One redundant group after the other is brought to its length with all others locked, by
    Newton-Raphson with finite-difference derivatives on one variable, from where the machine
    stands; four-bars are closed inside by Newton-Raphson too (Eqs. 9, 11, 14 and 18). So the
    machine passes through poses with some groups moved and others not. These need not exist,
    even where the start and the end do.

    A four-bar's closure is solved inside f for every type C, as the paper has it, even where the
    cylinder spans the input joint itself and its length does not depend on it.

    Args:
        kinematics: the machine, made ready.
        wanted: lengths of all actuators [m], (n_actuators,).
        given: 1 if the redundant partners' lengths count, 0 if they follow.
        origin: where the machine stands.
        tolerance: of a length [m]. The paper stops at 1e-6; the default is what makes the
            result comparable with the exact one.

    Raises:
        StateError: a machine outside the paper's scope, or a length that is not finite.
        LengthError: a length outside its bounds; PartnerError if a partner disagrees.
        SingularityError: a group cannot be moved to its length with the others where they are.
    """
    sequence = sequence_of(kinematics)
    check_scope(sequence)
    q = np.empty(origin.q.size)
    status = kernels.sequential_forward(
        kinematics.link_i, kinematics.link_f, sequence.table, wanted, origin.q, given, tolerance,
        sequence.state, q,
    )  # fmt: skip
    if status:
        raise _error(sequence, status, wanted)
    return q


def _error(sequence: Sequence, status: int, wanted: Floats) -> Exception:
    kinematics = sequence.kinematics
    code, act = status % forward.STATUSES, status // forward.STATUSES
    if code == forward.NO_SOLUTION:
        name = kinematics.mechanism.robot.actuators[act].name
        return SingularityError(
            f"{name!r}: found {float(wanted[act]):.9g} m, but the sequential update needs a pose "
            "in between that does not exist, or that Newton-Raphson does not find: this cylinder "
            "there, and those after it not moved yet; method 'exact' moves all together",
            name,
        )
    n_vars = len(kinematics.plan.variables)
    kinematics.work[:n_vars] = sequence.state[:n_vars]  # where the error's text looks for it
    return error_of(kinematics, status, wanted)
