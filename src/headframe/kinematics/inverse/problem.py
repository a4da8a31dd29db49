"""What moves a link, as arrays for the kernels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ...errors import SingularityError
from ...mechanism import State
from ...mechanism.compiled import Floats, Ints
from ...spatial import invert
from ..forward import _kernels as forward
from .objective import _kernels as kernels

if TYPE_CHECKING:
    from ..model import Kinematics

NODES = {1: 9, 2: 5, 3: 4, 4: 3}  # seeds along each length, by the number of lengths


@dataclass(frozen=True, eq=False)
class Problem:
    """The groups that move a link, its way from the base, and places to start from.

    Attributes:
        link: name of the link.
        groups: positions of the groups that move it; a group matters if the block that sets one
            of the way's variables contains it or needs it.
        path_i, path_f: the way, see `objective._kernels`; path_f holds the link's pose at home
            with the spinning joints as at home.
        box: lower and upper lengths of the groups' first members [m], then seeds: lengths (N) and
            the link's pose there (12), (2 + n, N + 12).
        reason: why the kernels cannot solve it; then the arrays are empty.
    """

    link: str
    groups: tuple[int, ...]
    path_i: Ints
    path_f: Floats
    box: Floats
    reason: str = ""

    @property
    def bounds(self) -> Floats:
        """Lower and upper lengths of the groups' first members [m], (2, n)."""
        return self.box[:2, : self.n]

    @property
    def n(self) -> int:
        """Number of lengths to find."""
        return len(self.groups)


def make_problem(kinematics: Kinematics, link: str) -> Problem:
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
    if len(groups) > kernels.N or len(way) > kernels.MAX_PATH or len(blocks) > kernels.MAX_BLOCKS:
        return _none(link, f"{len(groups)} groups over {len(way)} joints move {link!r}")
    first = [int(kinematics.first_members[group]) for group in groups]
    path = packer.paths[body]
    motions = [motion for motion, _ in path]
    for act in first:
        begin, count = packer.acts_i[act][:2]
        motions += [row[4] for row in packer.steps_i[begin : begin + count]]
    motions = list(dict.fromkeys(motions))
    if len(motions) > forward.MAX_MOTIONS:
        return _none(link, f"{len(motions)} motions move {link!r}")
    path_i = np.zeros(kernels.PATH_HEAD + kernels.PATH_I * len(way), dtype=np.int64)
    path_i[:3] = len(way), len(groups), len(blocks)
    path_i[4 : 4 + len(blocks)] = blocks
    for at, values in (
        (kernels.VARIABLES_AT, [variable for _, variable in pairs]),
        (kernels.ACTUATORS_AT, first),
        (kernels.MOTIONS_AT, [len(motions), *motions]),
        (kernels.PATH_HEAD, [n for k, step in enumerate(way) for n in (path[k][0], step.variable)]),
    ):
        path_i[at : at + len(values)] = values
    planes = [(*plane.ex, *plane.ey, *plane.normal) for _, plane in path]
    path_f = np.concatenate([kinematics.home.pose(link)[:3].ravel(), np.ravel(planes)])
    bounds = np.zeros((2, kernels.N + 12))
    low, high = kinematics.usable
    bounds[0, : len(groups)] = low[list(groups)]
    bounds[1, : len(groups)] = high[list(groups)]
    seeds = _seeds(kinematics, link, groups, bounds)
    if not _partners_fit(kinematics, groups, bounds):
        return _none(link, "partners meet their own bounds inside the box of lengths")
    return Problem(link, groups, path_i, path_f, np.vstack([bounds, seeds]))


def stays(kinematics: Kinematics, problem: Problem) -> bool:
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


def _none(link: str, reason: str) -> Problem:
    empty = np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros((2, 0))
    return Problem(link, (), *empty, reason)


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
        or robot.joints[topology.parent_joint[index]].type == "fixed"
    ):
        index = topology.parent[index]
    return robot.links[index].name


def _partners_fit(kinematics: Kinematics, groups: tuple[int, ...], bounds: Floats) -> bool:
    """Whether partners stay inside their bounds all over the box, corners and faces first."""
    n = len(groups)
    robot = kinematics.mechanism.robot
    if all(len(robot.groups[group]) == 1 for group in groups):
        return True
    nodes = {1: 33, 2: 9, 3: 5}.get(n, 3)
    places = np.array(list(product(np.linspace(0.0, 1.0, nodes), repeat=n))) if n < 8 else None
    if places is None:
        return True
    all_lengths = np.repeat(np.array(kinematics.home.lengths)[None], len(places), axis=0)
    first = kinematics.first_members[list(groups)]
    all_lengths[:, first] = bounds[0, :n] + places * (bounds[1, :n] - bounds[0, :n])
    status = np.zeros(len(places), dtype=np.int64)
    q = np.empty((len(places), kinematics.home.q.size))
    forward.forward_batch(
        kinematics.link_i, kinematics.link_f, all_lengths, kinematics.home.q, 0,
        kinematics.new_work(), q, status,
    )  # fmt: skip
    return not (status % forward.STATUSES == forward.PARTNER_OUT).any()


def _seeds(kinematics: Kinematics, link: str, groups: tuple[int, ...], bounds: Floats) -> Floats:
    """Lengths of a coarse grid, a little inside the bounds, and the link's pose at each."""
    n = len(groups)
    nodes = NODES.get(n, 2)
    inside = (np.arange(nodes) + 0.5) / nodes
    seeds = np.zeros((nodes**n, kernels.N + 12))
    all_lengths = np.array(kinematics.home.lengths)
    q = np.empty(kinematics.home.q.size)
    first = kinematics.first_members[list(groups)]
    for row, place in enumerate(product(inside, repeat=n)):
        seeds[row, :n] = bounds[0, :n] + np.array(place) * (bounds[1, :n] - bounds[0, :n])
        all_lengths[first] = seeds[row, :n]
        status = forward.forward(
            kinematics.link_i, kinematics.link_f, all_lengths, kinematics.home.q, 0,
            kinematics.work, q,
        )  # fmt: skip
        if status % forward.STATUSES == forward.PARTNER_OUT:
            seeds[row] = np.nan
            continue
        if status:
            raise SingularityError(f"{link!r}: no pose at {seeds[row, :n]}")
        seeds[row, kernels.N :] = State(kinematics.mechanism, q).pose(link)[:3].ravel()
    return seeds[~np.isnan(seeds[:, 0])]
