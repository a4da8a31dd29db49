"""How the solver stands at a state: what it misses, how long it took, on which branch, how safe.

What is counted as an iteration: the forward kernels solve block by block. A closed form takes none.
Any other block is looked up in the table of its branch, whatever the pose before, and improved by
Newton's method until a step is below 1e-7; these steps are counted, by solving once more. A
machine that the kernels do not cover is left to the general solver, and its steps are counted from
the pose that it starts in.
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from ..errors import LengthError, SingularityError
from ..jit import Records, header, numbers, records
from ..mechanism import Floats, State, constraint_jacobian, residuals, solve
from ..mechanism.kernels import RowKind
from ..topology import FourBar
from .forward import block_solving as kernels
from .forward.solve import checked_start, fk
from .records import BLOCK, LINKAGE, Operation
from .velocities import RANK, loop_motions, rates

if TYPE_CHECKING:
    from .model import Kinematics

Method = Literal["closed form", "newton", "general"]
Side = Literal["positive", "negative", "open", "crossed"]
Towards = Literal["shorter", "longer"]
PLACES = (RowKind.POINT, RowKind.OFFSET)
NUDGE = 1e-5  # of a stroke by which a length is changed to see the lever change
FLAT = 1e-9  # rate of a lever at which no dead centre is in sight


@dataclass(frozen=True)
class Solving:
    """How groups are solved together: their positions, by which method, in how many steps."""

    groups: tuple[int, ...]
    method: Method
    iterations: int


@dataclass(frozen=True)
class Branch:
    """Which of several solutions is taken.

    Attributes:
        kind: "hinge" and "slide" have a closed form with two solutions, a "four-bar" closes in two
            ways, of a "block" the sign of its Jacobian's determinant tells.
        name: of the group or groups, or of the four-bar's loop.
        side: sign of the root, or how the four-bar stands.
        as_home: the same as at home.
    """

    kind: Literal["hinge", "slide", "four-bar", "block"]
    name: str
    side: Side
    as_home: bool


@dataclass(frozen=True)
class DeadCentre:
    """The nearest length in which a group cannot set its motion.

    Attributes:
        group: position of the group.
        left: change of its first member's length up to there [m], not negative.
        towards: which way.
        inside: it lies inside the cylinder's bounds.
        exact: found by a closed form; else estimated: a lever falls with the root of what is left.
    """

    group: int
    left: float
    towards: Towards
    inside: bool
    exact: bool


@dataclass(frozen=True)
class Inspection:
    """Figures of a state.

    Attributes:
        gap: largest distance between the halves of a closure [m].
        angle: largest angle between them, or miss of a coupled joint [rad].
        length_error: largest difference between the state's lengths and those of the forward
            solution to the lengths that were wanted [m]; None where there is no solution.
        solving: how each block was solved, in the order of solving.
        branches: which solutions were taken.
        dead_centre: the nearest of all groups; None where none is in sight.
        conditioning: smallest singular value of the constraint Jacobian (closing equations and
            lengths of first members over all joint velocities) over the largest at home; 0 at a
            singular pose.
        lever: smallest change of a length per joint motion that keeps loops closed [m/rad, m/m];
            None without cylinders.
        weakest: position of the group whose length has most of this motion, or -1.
        problem: why a figure is missing, for people.
    """

    gap: float
    angle: float
    length_error: float | None
    solving: tuple[Solving, ...]
    branches: tuple[Branch, ...]
    dead_centre: DeadCentre | None
    conditioning: float
    lever: float | None
    weakest: int
    problem: str

    @property
    def iterations(self) -> int:
        """Steps of all blocks together."""
        return sum(part.iterations for part in self.solving)


def inspect(
    kinematics: Kinematics,
    state: State,
    lengths: Floats | None = None,
    start: State | None = None,
) -> Inspection:
    """All figures of a state; one that cannot be found is left out.

    Args:
        kinematics: the machine, made ready.
        state: of this machine.
        lengths: that the inputs were wanted to have [m, rad], (n_inputs,); those of the state if
            None.
        start: where the general solver starts, home if None; the kernels need no start.

    Raises:
        StateError: a state of another machine.
    """
    state = checked_start(kinematics, state, "state")
    start = checked_start(kinematics, start)
    wanted = state.inputs if lengths is None else lengths
    gap, angle = closure_errors(state)
    problem = ""
    length_error: float | None = None
    try:
        again = fk(kinematics, wanted, state)
        length_error = float(np.abs(again.drives - state.drives).max(initial=0.0))
    except (LengthError, SingularityError) as error:
        problem = str(error)
    lever, weakest = _lever(state)
    return Inspection(
        gap=gap,
        angle=angle,
        length_error=length_error,
        solving=count_steps(kinematics, wanted[: len(kinematics.first_members)], start),
        branches=branches(kinematics, state),
        dead_centre=dead_centre(kinematics, state),
        conditioning=conditioning(kinematics, state),
        lever=lever,
        weakest=weakest,
        problem=problem,
    )


# ----------------------------------------------------------------- residual


def closure_errors(state: State) -> tuple[float, float]:
    """Largest miss of the closing equations: of places [m], of directions and couplings [rad]."""
    m = state.mechanism
    at_place = np.isin(m.constraints["kind"][m.closing_rows], PLACES)
    gap, angle = (
        float(np.abs(residuals(state, m.closing_rows[part])).max(initial=0.0))
        for part in (at_place, ~at_place)
    )
    return gap, angle


# --------------------------------------------------------------- iterations


def count_steps(kinematics: Kinematics, lengths: Floats, start: State) -> tuple[Solving, ...]:
    """Steps of the forward solution to lengths of first members [m], (n_groups,)."""
    every = tuple(range(len(kinematics.mechanism.robot.groups)))
    wanted = np.array(start.lengths)
    wanted[kinematics.first_members] = lengths
    if not kinematics.regular:
        m = kinematics.mechanism
        rows = np.concatenate([m.closing_rows, m.length_rows[m.first_members]])
        return (Solving(every, "general", solve(m, start.q, wanted, rows).steps),)
    link, work = kinematics.link, kinematics.new_work()
    _variables(kinematics, start, numbers(work, header(link, LINKAGE).work.theta))
    found = []
    for number, block in enumerate(kinematics.plan.blocks):
        _, steps = kernels.block_steps(link, number, wanted, work)
        newton = _blocks(kinematics)[number].operation == Operation.NEWTON
        found.append(Solving(block.groups, "newton" if newton else "closed form", steps))
    return tuple(found)


def _variables(kinematics: Kinematics, state: State, theta_out: Floats) -> None:
    """Driving variables of a state."""
    kernels.start(kinematics.link, state.q, theta_out)


def _blocks(kinematics: Kinematics) -> Records:
    """The blocks as the kernels have them."""
    return records(kinematics.link, header(kinematics.link, LINKAGE).blocks, BLOCK)


# ------------------------------------------------------------------ branches


def branches(kinematics: Kinematics, state: State) -> tuple[Branch, ...]:
    """Which solution each closed form, four-bar and coupled block has taken."""
    found = [
        _ring_branch(kinematics, state, ring)
        for ring in kinematics.plan.topology.contraction.four_bars
    ]
    if kinematics.packer is not None:
        theta = np.zeros(len(kinematics.plan.variables))
        _variables(kinematics, state, theta)
        found += [
            branch
            for number in range(len(kinematics.plan.blocks))
            if (branch := _block_branch(kinematics, state, number, theta)) is not None
        ]
    return tuple(found)


def _block_branch(
    kinematics: Kinematics, state: State, number: int, theta: Floats
) -> Branch | None:
    record, block = _blocks(kinematics)[number], kinematics.plan.blocks[number]
    robot = kinematics.mechanism.robot
    name = ", ".join(robot.group_names[group] for group in block.groups)
    value = float(theta[block.variables[0]])
    if record.operation == Operation.CLOSED_TURN:
        root, home = math.sin(value + record.shift), float(record.side)
        return Branch("hinge", name, _sign(root), root * home >= 0.0)
    if record.operation == Operation.CLOSED_SLIDE:
        root, home = value + float(record.shift), float(record.side)
        return Branch("slide", name, _sign(root), root * home >= 0.0)
    now, then = (_orientation(kinematics, each, number) for each in (state, kinematics.home))
    if now == 0.0 or then == 0.0:
        return None
    return Branch("block", name, _sign(now), now * then > 0.0)


def _sign(value: float) -> Side:
    return "negative" if value < 0.0 else "positive"


def _orientation(kinematics: Kinematics, state: State, number: int) -> float:
    """Determinant of a block's variables per length; 0 at a singular pose."""
    m, block = kinematics.mechanism, kinematics.plan.blocks[number]
    rows = [
        m.velocity_of_joint[m.robot.joints[kinematics.plan.variables[v].joint].name].start
        for v in block.variables
    ]
    try:
        part = rates(state).positions[np.ix_(rows, block.groups)]
    except SingularityError:
        return 0.0
    return float(np.linalg.det(part))


def _ring_branch(kinematics: Kinematics, state: State, ring: FourBar) -> Branch:
    """A four-bar closes in two ways, mirrored at the line between two opposite pivots."""
    now, then = (ring_corners(each, ring) for each in (state, kinematics.home))
    name = kinematics.plan.topology.loops[ring.closure].name
    side: Side = "crossed" if _crossed(now) else "open"
    return Branch("four-bar", name, side, _bend(now) * _bend(then) > 0.0)


def ring_corners(state: State, ring: FourBar) -> Floats:
    """Pivots of a four-bar in its own plane [m], (4, 2): a-b, b-c, c-d, d-a.

    The plane's axes turn with the ground, so that poses can be compared.
    """
    topology = state.mechanism.topology
    robot, closure = topology.robot, topology.closures[ring.closure]
    joints = [robot.joints[j if j >= 0 else closure.forward] for j in ring.joints]
    ground = robot.links[topology.clusters[ring.links[0]][0]].name
    R_WG = state.pose(ground)[:3, :3]
    points = np.array([(state.pose(j.parent) @ j.origin)[:3, 3] for j in joints]) @ R_WG
    first = joints[0]
    axis = R_WG.T @ (state.pose(first.parent) @ first.origin)[:3, :3] @ np.asarray(first.axis)
    normal = axis / np.linalg.norm(axis)
    across = np.eye(3)[int(np.argmin(np.abs(normal)))]
    x = across - (across @ normal) * normal
    x /= np.linalg.norm(x)
    corners: Floats = points @ np.column_stack([x, np.cross(normal, x)])
    return corners


def _area(a: Floats, b: Floats, c: Floats) -> float:
    """Twice the area of a triangle, positive if it is walked counterclockwise."""
    return float((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])


def _bend(corners: Floats) -> float:
    """On which side of the line from pivot b-c to pivot d-a the pivot c-d lies."""
    _, B, C, D = corners
    return _area(B, D, C)


def _crossed(corners: Floats) -> bool:
    """Whether two opposite links cross."""
    A, B, C, D = corners
    return any(
        _area(p, q, r) * _area(p, q, s) < 0.0 and _area(r, s, p) * _area(r, s, q) < 0.0
        for p, q, r, s in ((A, B, C, D), (B, C, D, A))
    )


# -------------------------------------------------------------- singularity


def conditioning(kinematics: Kinematics, state: State) -> float:
    """Smallest singular value of the constraint Jacobian over the largest at home.

    It is 0 at a singular pose. Loops in a plane have more equations than they need: as many values
    count as there are independent equations at home, or here if there are more.
    """
    here, home = (
        np.linalg.svd(_constraints(each), compute_uv=False) for each in (state, kinematics.home)
    )
    largest = float(home.max(initial=0.0))
    if not largest > 0.0:
        return 1.0
    rank = max(int((values > RANK * largest).sum()) for values in (here, home))
    return float(here[rank - 1]) / largest


def _constraints(state: State) -> Floats:
    """Closing equations and first members' lengths over the joint velocities."""
    m = state.mechanism
    return constraint_jacobian(
        state, np.concatenate([m.closing_rows, m.length_rows[m.first_members]])
    )


def _lever(state: State) -> tuple[float | None, int]:
    """Smallest length per motion that keeps loops closed [m/rad, m/m], and which group's it is."""
    m = state.mechanism
    count = len(m.first_members)
    if not count:
        return None, -1
    L = constraint_jacobian(state, m.length_rows[m.first_members])
    U, S, _ = np.linalg.svd(L @ loop_motions(state))
    return float(S[-1]) if S.size >= count else 0.0, int(np.argmax(np.abs(U[:, -1])))


def dead_centre(kinematics: Kinematics, state: State) -> DeadCentre | None:
    """The dead centre that takes the least stroke of any one group, the others locked."""
    found = [
        nearest
        for group in range(len(kinematics.mechanism.robot.groups))
        if (nearest := dead_centre_of(kinematics, state, group)) is not None
    ]
    return min(found, key=lambda each: each.left, default=None)


def dead_centre_of(kinematics: Kinematics, state: State, group: int) -> DeadCentre | None:
    """The nearest dead centre of a group, given by position; None if none is in sight.

    Where the working branch is not one sheet, another block may end a motion before its own dead
    centre does.
    """
    reach, found = kinematics.reach_of(group), []
    if reach is not None and reach.dead_centres is not None:
        found = _known(kinematics, state, group, reach.dead_centres)
    if not found or not kinematics.regular:
        found += _estimated(kinematics, state, group)
    return min(found, key=lambda each: each.left, default=None)


def _known(
    kinematics: Kinematics, state: State, group: int, ends: tuple[float, float]
) -> list[DeadCentre]:
    first = int(kinematics.first_members[group])
    bounds, now = kinematics.mechanism.robot.actuators[first].bounds, float(state.lengths[first])
    ways: tuple[tuple[float, float, Towards], ...] = (
        (ends[0], now - ends[0], "shorter"),
        (ends[1], ends[1] - now, "longer"),
    )
    return [
        DeadCentre(group, max(left, 0.0), towards, bounds.lower <= end <= bounds.upper, True)
        for end, left, towards in ways
        if math.isfinite(end) and end > 0.0
    ]


def _estimated(kinematics: Kinematics, state: State, group: int) -> list[DeadCentre]:
    """From the lever here and a little further on.

    With x the motion, a length near its dead centre d is l = d - k x^2, and the lever dl/dx has the
    square 4 k (d - l): it falls evenly to 0. So what is left is the square over its rate.
    """
    robot = kinematics.mechanism.robot
    first = int(kinematics.first_members[group])
    bounds, now = robot.actuators[first].bounds, float(state.lengths[first])
    here = _lever_squared(state, group)
    near = None
    for nudge in (NUDGE * (bounds.upper - bounds.lower), -NUDGE * (bounds.upper - bounds.lower)):
        with contextlib.suppress(LengthError, SingularityError):
            near = fk(kinematics, {robot.actuators[first].name: now + nudge}, state)
            break
    there = None if near is None else _lever_squared(near, group)
    if near is None or here is None or there is None:
        return []
    rate = (there - here) / (float(near.lengths[first]) - now)
    if abs(rate) < FLAT:
        return []
    left = here / abs(rate)
    end = now + (left if rate < 0.0 else -left)
    if not end > 0.0:
        return []
    inside = bounds.lower <= end <= bounds.upper and not kinematics.regular
    return [DeadCentre(group, left, "longer" if rate < 0.0 else "shorter", inside, False)]


def _lever_squared(state: State, group: int) -> float | None:
    """Square of a group's length per joint motion, the others locked; None at a singular pose."""
    try:
        per_metre = rates(state).positions[:, group]
    except SingularityError:
        return None
    return 1.0 / float(per_metre @ per_metre)
