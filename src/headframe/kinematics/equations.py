"""The equation by which a group's length sets its motion, in signs and with its numbers.

All unknowns are motions from home: 0 there. A block of one group over one freedom has a closed
form; other blocks are written as what Newton's method makes small, and machines outside the scope
of both as what the general solver does.
"""

# ruff: noqa: RUF001 - mathematical signs are what this file is about

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ..jit import Record, header, records
from .plan import PlannedBlock, PlannedStep
from .records import BLOCK, LINKAGE, Operation, StepKind

if TYPE_CHECKING:
    from .model import Kinematics

Solver = Literal["closed form", "newton", "general"]
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
LETTERS = {StepKind.TURNING: "φ", StepKind.SLIDING: "s", StepKind.RING: "θ"}
MOTIONS = {StepKind.TURNING: "R", StepKind.SLIDING: "T", StepKind.RING: "F"}


@dataclass(frozen=True)
class Equation:
    """How lengths set a group's motion.

    Attributes:
        lines: equations as text; ℓ is the length of the group's first member.
        unknowns: symbol and joint of everything that they are solved for.
        numbers: symbol, value and unit of everything else in them.
        solver: how they are solved.
    """

    lines: tuple[str, ...]
    unknowns: tuple[tuple[str, str], ...]
    numbers: tuple[tuple[str, float, str], ...]
    solver: Solver


def equation(kinematics: Kinematics, group: int) -> Equation:
    """The equation of a redundant group, given by position."""
    for number, block in enumerate(kinematics.plan.blocks):
        if group in block.groups and kinematics.packer is not None:
            link = kinematics.link
            record = records(link, header(link, LINKAGE).blocks, BLOCK)[number]
            if record.operation == Operation.NEWTON:
                return _newton(kinematics, block, group)
            return _closed_form(kinematics, block, record)
    return Equation(("c(q) = 0", "ℓ(q) = L"), (), (), "general")


def _closed_form(kinematics: Kinematics, block: PlannedBlock, record: Record) -> Equation:
    """Over one hinge, or pivot of a four-bar, the law of cosines; over one slide Pythagoras'."""
    ((symbol, joint),) = _unknowns(kinematics, block)
    sign = "" if record.side > 0.0 else "−"
    constant, shift = float(record.constant), float(record.shift)
    lines: tuple[str, ...]
    numbers: tuple[tuple[str, float, str], ...]
    if record.operation == Operation.CLOSED_TURN:
        k1 = 1.0 / float(record.scale) if record.scale else 0.0
        lines = (
            f"ℓ² = k₀ + k₁ cos({symbol} + ψ)",
            f"{symbol} = {sign}arccos((ℓ² − k₀) / k₁) − ψ",
        )
        numbers = (("k₀", constant, "m²"), ("k₁", k1, "m²"), ("ψ", shift, "rad"))
    else:
        lines = (f"ℓ² = ({symbol} + b)² + c", f"{symbol} = {sign}√(ℓ² − c) − b")
        numbers = (("b", shift, "m"), ("c", constant, "m²"))
    return Equation(lines, ((symbol, joint),), numbers, "closed form")


def _newton(kinematics: Kinematics, block: PlannedBlock, group: int) -> Equation:
    """Over several freedoms: a chain of motions from the rod's mount to the tube's."""
    plan, packer = kinematics.plan, kinematics.packer
    assert packer is not None
    unknowns = _unknowns(kinematics, block)
    symbols = {
        number: symbol for number, (symbol, _) in zip(block.variables, unknowns, strict=True)
    }
    lines, numbers = [], []
    for member in (group, *(other for other in block.groups if other != group)):
        first = int(kinematics.first_members[member])
        prime = "" if member == group else "′"
        way = plan.ways[first]
        chain = " ".join(_motion(kinematics, step, symbols) for step in way)
        h2 = float(packer.chains[first].height2)
        height = f" + h{prime}²" if h2 > 0.0 else ""
        lines.append(f"ℓ{prime}² = |{chain} r{prime} − t{prime}|²{height}")
        if h2 > 0.0:
            numbers.append((f"h{prime}", h2**0.5, "m"))
    rings = dict.fromkeys(
        plan.variables[step.variable].four_bar
        for member in block.groups
        for step in plan.ways[int(kinematics.first_members[member])]
        if plan.variables[step.variable].four_bar >= 0
    )
    for ring in list(rings)[:1]:  # others close in the same way
        variable = next(n for n, v in enumerate(plan.variables) if v.four_bar == ring)
        symbol = symbols.get(variable, LETTERS[StepKind.RING])
        lines.append(f"F: |C − B({symbol})| = a, |C − D| = b")
        bar = packer.four_bars[ring]
        numbers += [("a", float(bar.yz_zw) ** 0.5, "m"), ("b", float(bar.wx_zw) ** 0.5, "m")]
    return Equation(tuple(lines), unknowns, tuple(numbers), "newton")


def _motion(kinematics: Kinematics, step: PlannedStep, symbols: dict[int, str]) -> str:
    """The motion of one freedom; of one that another block sets, without its letter."""
    kind = kinematics.plan.variables[step.variable].kind
    known = symbols.get(step.variable)
    return f"{MOTIONS[kind]}({known})" if known else f"{MOTIONS[kind]}°"


def _unknowns(kinematics: Kinematics, block: PlannedBlock) -> tuple[tuple[str, str], ...]:
    """Symbols of a block's variables, numbered where two are of one kind, and their joints."""
    variables = [kinematics.plan.variables[number] for number in block.variables]
    kinds = [variable.kind for variable in variables]
    found = []
    for n, variable in enumerate(variables):
        symbol = LETTERS[variable.kind]
        if kinds.count(variable.kind) > 1:
            symbol += str(kinds[: n + 1].count(variable.kind)).translate(SUBSCRIPTS)
        found.append((symbol, _joint(kinematics, variable.joint, variable.four_bar)))
    return tuple(found)


def _joint(kinematics: Kinematics, joint: int, four_bar: int) -> str:
    """Name of the joint whose motion a variable is: of a four-bar's, of the pivot it turns at."""
    joints, packer = kinematics.mechanism.robot.joints, kinematics.packer
    if four_bar >= 0 and packer is not None:
        turned = packer.rings[four_bar].joints[0]
        closure = kinematics.plan.topology.contraction.four_bars[four_bar].closure
        joint = turned if turned >= 0 else kinematics.plan.topology.closures[closure].forward
    return joints[joint].name
