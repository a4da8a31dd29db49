"""`Kinematics`: a machine made ready for solving, once, and kept."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..jit import header, records
from ..mechanism import Floats, Ints, Mechanism, State
from .forward.blocks import BlockPacker, BlockReach
from .forward.branches import branch_shifts, set_middles
from .forward.usable import usable_lengths
from .inverse.solve import InverseSolver
from .linkage import NotPlaneError, Packer
from .plan import Plan, make_plan
from .records import CHAIN, LINKAGE


@dataclass(frozen=True, eq=False)
class Kinematics:
    """Plan, home and arrays of a machine.

    Attributes:
        mechanism: the compiled machine.
        home: its assembled home pose.
        plan: the order of solving; its `reason` says why a machine is left to the general solver.
        reaches: what of each block's lengths can be reached, in the order of the blocks.
        link: the linkage for the kernels, see `records.LINKAGE`; empty for the general solver.
    """

    mechanism: Mechanism
    home: State
    plan: Plan
    reaches: tuple[BlockReach, ...]
    link: Floats
    packer: Packer | None

    @cached_property
    def regular(self) -> bool:
        """Whether the working branch covers the whole box of lengths on one sheet.

        Then forward kinematics has one answer, whatever the start. Servos that move the joints of
        a loop are left to the general solver.
        """
        servos = self.mechanism.servos
        one_sheet = all(reach.regular for reach in self.reaches)
        return not self.plan.reason and one_sheet and not servos.tied.any()

    @cached_property
    def work(self) -> Floats:
        """Scratch memory of the kernels, for one thread."""
        return self.new_work()

    def new_work(self) -> Floats:
        """Scratch memory of the kernels."""
        return np.zeros(0) if self.packer is None else self.packer.new_work()

    @cached_property
    def usable(self) -> tuple[Floats, Floats]:
        """Lower and upper lengths of every group's first member that its freedom allows [m].

        The bounds, cut where a dead centre or a partner's bounds end the motion first; for groups
        with a closed form, (n_groups,) each.
        """
        return usable_lengths(self)

    @cached_property
    def _inverse_solvers(self) -> dict[str, InverseSolver]:
        return {}

    def inverse_solver(self, link: str) -> InverseSolver:
        """Inverse kinematics of a link, made once."""
        try:
            solver = self._inverse_solvers.get(link)
        except TypeError:  # a list, say: no name at all
            solver = None
        if solver is None:
            solver = self._inverse_solvers[link] = InverseSolver(self, link)
        return solver

    def reach_of(self, group: int) -> BlockReach | None:
        """What of the lengths of a group's block can be reached; None without closed forms."""
        pairs = zip(self.plan.blocks, self.reaches, strict=True)
        return next((reach for block, reach in pairs if group in block.groups), None)

    def group_of(self, actuator: int) -> int:
        """The redundant group that an actuator belongs to."""
        return next(g for g, m in enumerate(self.mechanism.robot.groups) if actuator in m)

    @cached_property
    def plain(self) -> bool:
        """Whether the kernels alone give the answer: one sheet, and no servos."""
        return self.regular and not len(self.mechanism.servos)

    @cached_property
    def open_chain(self) -> bool:
        """Whether servos alone move it, over joints that no loop passes."""
        servos = self.mechanism.servos
        return bool(len(servos)) and not self.n_actuators and not servos.tied.any()

    @cached_property
    def shape(self) -> tuple[int]:
        """Shape of the values of all drives, actuators and servos."""
        return (len(self.mechanism.robot.drive_names),)

    @cached_property
    def leaders(self) -> Ints:
        """The drive of every input: a group's first member, or a servo."""
        return self.mechanism.leaders

    @cached_property
    def drive_of(self) -> dict[str, int]:
        """Drives that set a motion, by the name of a group, first member, servo or its joint."""
        drives: dict[str, int] = {}
        for kind in ("name", "element", "joint"):  # where names clash, the first kind counts
            for each in self.mechanism.robot.inputs:
                drives.setdefault(getattr(each, kind), each.drive)
        drives.pop("", None)
        return drives

    @cached_property
    def n_actuators(self) -> int:
        """Number of actuators."""
        return len(self.mechanism.robot.actuators)

    @cached_property
    def first_members(self) -> Ints:
        """The actuator of every group that sets the motion."""
        return self.mechanism.first_members


def make_kinematics(mechanism: Mechanism, home: State) -> Kinematics:
    """Plan a machine, pack its geometry at home, and map its working branch."""
    plan = make_plan(mechanism.topology)
    none = np.zeros(0)
    if plan.reason:
        return Kinematics(mechanism, home, plan, (), none, None)
    try:
        packer, blocks = _packed(plan, mechanism, home)
    except NotPlaneError as found:
        outside = Plan(plan.topology, plan.variables, (), (), str(found))
        return Kinematics(mechanism, home, outside, (), none, None)
    kinematics = Kinematics(mechanism, home, plan, tuple(blocks.reaches), blocks.packed(), packer)
    _limit_partners(kinematics)
    return kinematics


def _limit_partners(kinematics: Kinematics) -> None:
    """Tell the kernels where partners leave their bounds: what lies beyond is another branch."""
    if not kinematics.regular:
        return
    low, high = kinematics.usable
    chains = records(kinematics.link, header(kinematics.link, LINKAGE).chains, CHAIN)
    for group, members in enumerate(kinematics.mechanism.robot.groups):
        reach = kinematics.reach_of(group)
        for act in members[1:] if reach is not None and reach.interval is not None else ():
            chains[act].leader_lower, chains[act].leader_upper = low[group], high[group]


def _packed(plan: Plan, mechanism: Mechanism, home: State) -> tuple[Packer, BlockPacker]:
    """The first choice of four-bar angles in which the branch is one sheet; else the plain one."""
    fallback = None
    for shifts in branch_shifts(plan):
        packer = Packer(plan, mechanism, home, shifts)
        blocks = BlockPacker(plan, packer)
        set_middles(packer, blocks)
        if all(reach.regular for reach in blocks.reaches):
            return packer, blocks
        fallback = fallback or (packer, blocks)
    assert fallback is not None
    return fallback
