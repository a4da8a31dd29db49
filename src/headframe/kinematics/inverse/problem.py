"""What moves a link, as a problem for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ...errors import SingularityError
from ...jit import Packing, Records, Scratch, header, new_records
from ...mechanism import Floats, Ints, State
from ...spatial import invert
from ..forward import block_solving as forward
from ..forward.status import STATUSES, ForwardStatus
from ..records import (
    CHAIN_STEP,
    INVERSE_WORK,
    MAX_BLOCKS,
    MAX_MOTIONS,
    MAX_PATH,
    MAX_STEPS,
    MOST_GROUPS,
    MOST_VARIABLES,
    MOTION,
    PATH_RATES,
    PATH_STEP,
    PROBLEM,
    SEED,
    TABLE_DIMS,
)

if TYPE_CHECKING:
    from ..linkage import Plane
    from ..model import Kinematics

NODES = {1: 9, 2: 5, 3: 4, 4: 3, 5: 3}  # seeds along each length, by the number of lengths


@dataclass(frozen=True, eq=False)
class IKProblem:
    """The groups that move a link, its way from the base, and places to start from.

    Attributes:
        link: name of the link.
        groups: positions of the groups that move it; a group matters if the block that sets one
            of the way's variables contains it or needs it.
        packed: for the kernels, see `records.PROBLEM`; the link's pose at home is that with the
            spinning joints as at home.
        work_size: doubles of scratch memory.
        bounds: lower and upper lengths of the groups' first members [m], (2, n).
        reason: why the kernels cannot solve it; then `packed` is empty.
    """

    link: str
    groups: tuple[int, ...]
    packed: Floats
    work_size: int
    bounds: Floats
    reason: str = ""

    @property
    def n(self) -> int:
        """Number of lengths to find."""
        return len(self.groups)


def make_problem(kinematics: Kinematics, link: str) -> IKProblem:
    """Find what moves a link."""
    plan, packer = kinematics.plan, kinematics.packer
    if packer is None or not kinematics.regular:
        reason = plan.reason or "its branch is not one sheet over all lengths"
        return _none(link, reason)
    body = _rigid_parent(kinematics, link)
    way = plan.steps_between(_root(kinematics), body)
    if way is None:
        return _none(link, f"joints of more than one freedom lead to {link!r}")
    variables = {step.variable for step in way}
    if servo := _servo_on(kinematics, variables):
        return _none(link, f"servo {servo!r} moves {link!r}")
    setting = [
        number
        for number, block in enumerate(plan.blocks)
        if variables.intersection(block.variables)
    ]
    blocks = plan.closure_of(setting)
    pairs = [
        pair
        for b in blocks
        for pair in zip(plan.blocks[b].groups, plan.blocks[b].variables, strict=True)
    ]
    groups = tuple(group for group, _ in pairs)
    if len(groups) > MOST_GROUPS or len(way) > MAX_PATH or len(blocks) > MAX_BLOCKS:
        return _none(link, f"{len(groups)} groups over {len(way)} joints move {link!r}")
    first = [int(kinematics.first_members[group]) for group in groups]
    path = packer.paths[body]
    motions = [motion for motion, _ in path]
    motions += [int(step.motion) for act in first for step in packer.steps_of(act)]
    motions = list(dict.fromkeys(motions))
    if len(motions) > MAX_MOTIONS:
        return _none(link, f"{len(motions)} motions move {link!r}")
    bounds = np.array([ends[list(groups)] for ends in kinematics.usable])
    seeds = _seeds(kinematics, link, groups, bounds)
    if not _partners_fit(kinematics, groups, bounds):
        return _none(link, "partners meet their own bounds inside the box of lengths")
    scratch = Scratch()
    packing = Packing(
        PROBLEM, n=len(groups), n_blocks=len(blocks), n_motions=len(motions),
        X_home=kinematics.home.pose(link)[:3],
        work=_spans(kinematics, len(groups), len(way), len(seeds), scratch),
    )  # fmt: skip
    for name, values in (
        ("blocks", blocks), ("variables", [variable for _, variable in pairs]),
        ("actuators", first), ("motions", motions), ("lower", bounds[0]), ("upper", bounds[1]),
    ):  # fmt: skip
        packing.header[name][0, : len(values)] = values
    packing.add("path", _path(path, [step.variable for step in way]))
    packing.add("seeds", seeds)
    return IKProblem(link, groups, packing.buffer(), scratch.size, bounds)


def _path(path: list[tuple[int, Plane]], variables: list[int]) -> Records:
    """The link's way from the base."""
    steps = new_records(len(path), PATH_STEP)
    for step, (motion, plane), variable in zip(steps, path, variables, strict=True):
        step.motion, step.variable = motion, variable
        step.ex, step.ey, step.normal = plane.ex, plane.ey, plane.normal
    return steps


def _spans(kinematics: Kinematics, n: int, steps: int, seeds: int, scratch: Scratch) -> Records:
    """Scratch memory of the kernels, for so many lengths and a way of so many steps."""
    packer = kinematics.packer
    assert packer is not None
    return scratch.spans(
        INVERSE_WORK, theta=len(packer.variables), motions=(len(packer.motions), MOTION),
        chains=(n * (MAX_STEPS + 1), CHAIN_STEP), lengths=len(packer.chains),
        block=(MOST_VARIABLES, MOST_VARIABLES + 1), weights=(TABLE_DIMS, 4),
        place=len(packer.variables), path=(steps, PATH_RATES), X=(3, 4), error=6, lam=6, a=6,
        out=6, g=n, H=(n, n), kept_g=n, kept_H=(n, n), step=n, low=n, high=n, held=n, free=n,
        now=n, trial=n, values=n, g_lengths=n, best=n, scores=seeds, L=(n, n), K=(n, n),
        HK=(n, n), A=(n, n + 1),
    )  # fmt: skip


def with_changes(problem: IKProblem, point: bool, X_home: Floats | None = None) -> Floats:
    """A copy of a problem for a point alone, or with another pose of the link at home."""
    packed = problem.packed.copy()
    head = header(packed, PROBLEM)
    head.point = point
    if X_home is not None:
        head.X_home = X_home[:3]
    return packed


def stays(kinematics: Kinematics, problem: IKProblem) -> bool:
    """Whether no drive can move the link; for the general solver, as far as joints tell."""
    if not problem.reason:
        return not problem.groups
    no_drives = not kinematics.mechanism.robot.inputs
    return no_drives or _rigid_parent(kinematics, problem.link) == _root(kinematics)


def _servo_on(kinematics: Kinematics, variables: set[int]) -> str:
    """Name of a servo that sets one of the variables; empty if none does."""
    robot = kinematics.mechanism.robot
    joints = {robot.joints[kinematics.plan.variables[v].joint].name for v in variables}
    return next((each.name for each in robot.inputs if each.joint in joints), "")


def home_pose(kinematics: Kinematics, link: str, origin: State) -> Floats:
    """The link's pose at home, but with the joints beyond its last driven one as at `origin`."""
    parent = _rigid_parent(kinematics, link)
    if parent == link:
        return kinematics.home.pose(link)
    X_PL = invert(origin.pose(parent)) @ origin.pose(link)
    X_WL: Floats = kinematics.home.pose(parent) @ X_PL
    return X_WL


def spun_positions(kinematics: Kinematics, link: str) -> Ints:
    """Places in q of the joints that motors spin between a link and its last driven one."""
    mechanism, topology = kinematics.mechanism, kinematics.mechanism.topology
    robot = topology.robot
    found: list[int] = []
    index, end = robot.link_index[link], robot.link_index[_rigid_parent(kinematics, link)]
    while index != end:
        part = mechanism.position_of_joint.get(robot.joints[topology.parent_joint[index]].name)
        if part is not None:
            found.extend(range(part.start, part.stop))
        index = topology.parent[index]
    return np.array(found, dtype=np.int64)


def _none(link: str, reason: str) -> IKProblem:
    return IKProblem(link, (), np.zeros(0), 0, np.zeros((2, 0)), reason)


def _root(kinematics: Kinematics) -> str:
    topology = kinematics.mechanism.topology
    return topology.robot.links[topology.root].name


def _rigid_parent(kinematics: Kinematics, link: str) -> str:
    """The link itself, or the one that carries it where motors or nothing move it further out."""
    topology = kinematics.mechanism.topology
    robot = topology.robot
    index = robot.link_index[link]
    while index != topology.root and (
        topology.parent_joint[index] in topology.spinning
        or robot.joints[topology.parent_joint[index]].kind.is_fixed
    ):
        index = topology.parent[index]
    return robot.links[index].name


def _partners_fit(kinematics: Kinematics, groups: tuple[int, ...], bounds: Floats) -> bool:
    """Whether partners stay inside their bounds all over the box, corners and faces first."""
    n = len(groups)
    if n > 7 or all(len(kinematics.mechanism.robot.groups[group]) == 1 for group in groups):
        return True
    along = np.linspace(0.0, 1.0, {1: 33, 2: 9, 3: 5}.get(n, 3))
    _, _, status = _over_box(kinematics, groups, bounds, along)
    return not (status == ForwardStatus.PARTNER_OUT).any()


def _seeds(kinematics: Kinematics, link: str, groups: tuple[int, ...], bounds: Floats) -> Records:
    """Lengths of a coarse grid, and the link's pose at each.

    Lengths are divided evenly; where there are but three nodes along each, into the middle and what
    is near to the bounds, at which most of the minima lie.
    """
    nodes = NODES.get(len(groups), 2)
    inside = (np.arange(nodes) + 0.5) / nodes if nodes != 3 else np.array([0.02, 0.5, 0.98])
    lengths, q, status = _over_box(kinematics, groups, bounds, inside)
    possible = status != ForwardStatus.PARTNER_OUT
    for row in np.flatnonzero(possible & (status != ForwardStatus.SOLVED)):
        raise SingularityError(f"{link!r}: no pose at {lengths[row]}")
    seeds = new_records(int(possible.sum()), SEED)
    for seed, row in zip(seeds, np.flatnonzero(possible), strict=True):
        seed.lengths[: len(groups)] = lengths[row]
        seed.X = State(kinematics.mechanism, q[row]).pose(link)[:3]
    return seeds


def _over_box(
    kinematics: Kinematics, groups: tuple[int, ...], bounds: Floats, along: Floats
) -> tuple[Floats, Floats, Ints]:
    """Lengths at the nodes of a grid over their box, (n, n_groups), joint positions, statuses.

    `along` are the places of the nodes along each length, 0 to 1; others are as at home.
    """
    places, home = np.array(list(product(along, repeat=len(groups)))), kinematics.home
    lengths = bounds[0] + places * (bounds[1] - bounds[0])
    all_lengths = np.repeat(np.array(home.lengths)[None], len(places), axis=0)
    all_lengths[:, kinematics.first_members[list(groups)]] = lengths
    q, status = np.empty((len(places), home.q.size)), np.zeros(len(places), dtype=np.int64)
    work = kinematics.new_work()
    forward.forward_batch(kinematics.link, all_lengths, home.q, 0, work, q, status)
    return lengths, q, status % STATUSES
