"""Forward kinematics as in the MineRobot paper: one redundant group after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...errors import SingularityError, StateError
from ...jit import Packing, Record, Records, Scratch, as_records, header, new_records, numbers
from ...kinematics import STATUSES, error_of
from ...kinematics.kernels import LINKAGE, MOST_GROUPS, NO_SOLUTION, StepKind
from ...mechanism import Floats, State
from ...topology import Itep
from . import nested_newton as kernels
from .records import ITEP, PLANE_MOTION, SEARCH_WORK, SEQUENCE, SEQUENCE_WORK, IteType

if TYPE_CHECKING:
    from ...kinematics import Kinematics

TYPES = {kind.name: kind for kind in IteType}
KEPT = "_paper_sequence"


class Sequence:
    """The groups of a machine for the kernels, with scratch memory for one thread.

    Attributes:
        reason: why the machine is outside the paper's scope; then there are no groups.
        packed: what each group moves, see `records.SEQUENCE`.
        state: scratch memory.
        search_work: scratch memory of the searches, see `records.SEARCH_WORK`.
        lengths: its lengths [m], (MOST_GROUPS,).
        gradient: its gradient [1/m], (MOST_GROUPS,).
    """

    def __init__(self, kinematics: Kinematics) -> None:
        """Collect what each group moves."""
        self.kinematics = kinematics
        self.reason = _reason(kinematics)
        vectors = Packing(SEARCH_WORK)
        for name in SEARCH_WORK.names or ():
            vectors.add(name, np.zeros(MOST_GROUPS))
        self.search_work: Floats = vectors.buffer()
        own = header(self.search_work, SEARCH_WORK)
        self.lengths = numbers(self.search_work, own.lengths)
        self.gradient = numbers(self.search_work, own.gradient)
        iteps = () if self.reason else kinematics.plan.topology.iteps
        scratch = Scratch()
        packing = Packing(SEQUENCE, work=self._spans(len(iteps), scratch))
        packing.add("iteps", as_records([self._record(itep) for itep in iteps], ITEP))
        self.packed: Floats = packing.buffer()
        self.state: Floats = np.zeros(scratch.size)

    def _spans(self, groups: int, scratch: Scratch) -> Records:
        packer = self.kinematics.packer
        n_vars, n_bars, n_acts, n_steps = 0, 0, 0, 0
        if packer is not None:
            n_vars, n_bars = len(packer.variables), len(packer.four_bars)
            n_acts, n_steps = len(packer.chains), len(packer.steps)
        size = n_vars + 2 * n_bars + groups
        spans = np.zeros((), SEQUENCE_WORK)
        spans["theta"], spans["angles"] = scratch.reserve(n_vars), scratch.reserve((n_bars, 2))
        spans["current"], spans["configuration"] = scratch.reserve(groups), (0, size)
        spans["kept"], spans["wanted"] = scratch.reserve(size), scratch.reserve(n_acts)
        spans["motions"] = scratch.reserve((n_steps, PLANE_MOTION))
        spans["X"], spans["error"] = scratch.reserve((3, 4)), scratch.reserve(6)
        return spans

    def _record(self, itep: Itep) -> Record:
        record = new_records(1, ITEP)[0]
        act = int(self.kinematics.first_members[itep.group])
        record.type, record.actuator = TYPES[itep.type], act
        if itep.type != "D":
            (edge,) = itep.edges
            record.four_bar = edge.four_bar
            record.variable = self._variable(edge.joint, edge.four_bar)
            record.step, record.enter, record.leave = self._step(act, record.variable)
            return record
        bar = next(edge for edge in itep.edges if edge.kind == "generalized")
        hinge = next(edge for edge in itep.edges if edge.kind == "revolute")
        record.four_bar, record.lock = bar.four_bar, itep.locked_by
        record.variable = self._variable(bar.joint, bar.four_bar)
        record.hinge = self._variable(hinge.joint, -1)
        locked = int(self.kinematics.first_members[itep.locked_by])
        for passing, chain in ((record.own, act), (record.held, locked)):
            passing.step, passing.enter, passing.leave = self._step(chain, record.variable)
            passing.hinge = self._step(chain, record.hinge)[0]
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
        first = int(packer.chains[act].first)
        for number, step in enumerate(packer.steps_of(act), start=first):
            if step.variable == variable:
                enter, leave = int(step.enter), int(step.leave)
                if step.kind == StepKind.TURNING:  # of a four-bar: over the pivot between x and y
                    enter, leave = (0, 1) if step.sign > 0.0 else (1, 0)
                return number, enter, leave
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
        kinematics.link, sequence.packed, wanted, origin.q, given, tolerance, sequence.state, q
    )  # fmt: skip
    if status:
        raise _error(sequence, status, wanted)
    return q


def _error(sequence: Sequence, status: int, wanted: Floats) -> Exception:
    kinematics = sequence.kinematics
    code, act = status % STATUSES, status // STATUSES
    if code == NO_SOLUTION:
        name = kinematics.mechanism.robot.actuators[act].name
        return SingularityError(
            f"{name!r}: found {float(wanted[act]):.9g} m, but the sequential update needs a pose "
            "in between that does not exist, or that Newton-Raphson does not find: this cylinder "
            "there, and those after it not moved yet; method 'exact' moves all together",
            name,
        )
    # where the error's text looks for it
    own = header(sequence.packed, SEQUENCE).work.theta
    left = numbers(kinematics.work, header(kinematics.link, LINKAGE).work.theta)
    left[:] = numbers(sequence.state, own)
    return error_of(kinematics, status, wanted)
