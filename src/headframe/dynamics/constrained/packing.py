"""The constrained tree's model, and how many of its loops' rows are independent."""

from __future__ import annotations

import numpy as np

from ...jit import Packing, Records, Scratch
from ...mechanism import Floats, Tree, empty_freedoms
from ..forces import normalise, position_rates
from ..loop_rows import jacobian
from ..loops import Loops, loops_of
from ..model import DynamicsModel
from ..records import CONSTRAINED, CONSTRAINED_MIDPOINT, CONSTRAINED_WORK, PATH, POWER, RowKind
from ..tree.memory import placed
from . import multipliers as kernels

LENT = 1e-9  # [m^2 or 1] of all masses and rotors: inertia lent to freedoms that move none
NEARBY = 0.1  # [rad, m] how far from home the loops' rank is looked at
LOOKS = 4
STILL = 1e-9  # [rad/s, m/s] of velocities near 1: what is left of them where nothing can move


def pack_constrained(model: DynamicsModel) -> tuple[Floats, int]:
    """A model of the constrained tree, and doubles of scratch memory.

    The coordinates are the tree's q and v. Rows that a plane loop does not need are left out; of
    the others as many are enforced as are independent near home.
    """
    tree, loops, scratch = model.near, loops_of(model.near, lean=True), Scratch()
    driven = [tree.freedom_at[row.velocity] for row in model.rows]
    paths = _paths(loops) + [_path(tree, freedom) for freedom in driven]
    groups = _groups(loops) + list(range(loops.m, loops.m + len(driven)))
    starts = np.cumsum([0] + [len(path) for path in paths])
    heads = [
        (start, len(path), group)
        for start, path, group in zip(starts[:-1], paths, groups, strict=True)
    ]
    packing = model.tree_packing(scratch)
    packing.header["projects"] = 1
    own = packing.within(
        "own", CONSTRAINED, rank=loops.m, work=_spans(model, loops.m, scratch),
        midpoint=_midpoint(tree, scratch),
    )  # fmt: skip
    own.add("loops", loops.rows)
    own.add("paths", np.array(heads, PATH))
    own.add("steps", np.array([d for path in paths for d in path], dtype=np.int64))
    own.add("extra", tree.armature + _lent(model, loops))
    own.header["rank"] = _rank(model, packing, loops.m, scratch.size)
    return packing.buffer(), scratch.size


def _spans(model: DynamicsModel, m: int, scratch: Scratch) -> Records:
    """Scratch memory of the kernels, with m rows of the loops."""
    nd, nq, rows = model.tree.nv, model.tree.nq, m + len(model.rows)
    return scratch.spans(
        CONSTRAINED_WORK, L=(nd, nd), J=(m, nd), Y=(rows, nd), Q=(nd, nd), C=(rows, nd),
        classes=rows, kept=rows, wanted=rows, force=rows, group_length=rows, rest=rows, order=nd,
        rank=1, s=nd, mu=nd, z=nd, tau=nd, zeros=nd, extra=nd, change=nd, q_trial=nq,
    )  # fmt: skip


def _midpoint(tree: Tree, scratch: Scratch) -> Records:
    """Scratch memory of the variational integrator."""
    nq, nd = tree.nq, tree.nv
    return scratch.spans(
        CONSTRAINED_MIDPOINT, q=nq, rates=nq, v=nd, p0=nd, p=nd, f=nd, dv=nd,
        extra=nd, held=nd, before=nd, L0=(nd, nd), Q0=(nd, nd), power=(1, POWER),
    )  # fmt: skip


def _path(tree: Tree, *freedoms: int) -> list[int]:
    """All that move any of the freedoms, from the leaves to the base."""
    moving = {d for freedom in freedoms if freedom >= 0 for d in tree.ancestors[freedom]}
    return sorted(moving, reverse=True)


def _paths(loops: Loops) -> list[list[int]]:
    """The path of every row of the loops."""
    tree = loops.tree
    return [
        _path(tree, tree.freedom_at[row.follower.velocity], tree.freedom_at[row.leader.velocity])
        if row.kind == RowKind.RATIO
        else _path(tree, int(row.a), int(row.b))
        for row in loops.rows
    ]


def _groups(loops: Loops) -> list[int]:
    """The first row of the same loop and kind, for every row."""
    keys = list(zip(loops.name, loops.kind, loops.rows["kind"].tolist(), strict=True))
    return [keys.index(key) for key in keys]


def _lent(model: DynamicsModel, loops: Loops) -> Floats:
    """Inertia lent to freedoms that move nothing, as those of massless rods, if loops hold them.

    Their motion is the loops' alone then, and the inertia, which is no part of any energy, only
    makes the tree's matrix regular. What no loop holds stays without, and cannot be simulated.
    """
    tree = loops.tree
    empty, lent = empty_freedoms(tree), np.zeros(len(tree.freedoms))
    J = np.zeros((loops.m, tree.nv))
    jacobian(loops.rows, tree.freedoms, placed(tree, tree.positions(model.home)), J)
    columns = J[:, tree.freedoms["velocity"][empty]]
    if empty.size and loops.m and np.linalg.matrix_rank(columns, tol=1e-9) == empty.size:
        lent[empty] = LENT * (tree.freedoms["body"][:, 0] + tree.armature).sum()
    return lent


def _rank(model: DynamicsModel, packing: Packing, m: int, size: int) -> int:
    """The most rows of the loops that are independent at home or at a few poses near it.

    Home itself may be a singular pose.
    """
    tree, rng = model.tree, np.random.default_rng(0)
    buffer, work, drives = packing.buffer(), np.zeros(size), model.new_drives()
    home = tree.positions(model.home)
    status, best = kernels.rank_at(buffer, home, np.zeros(tree.nv), drives, work)
    if status:
        return m  # whoever evaluates it will say so
    for _ in range(LOOKS):
        q, v = home.copy(), rng.normal(size=tree.nv)
        if kernels.project(buffer, q, v, drives, work) or np.abs(v).max() < STILL:
            continue
        rates = np.zeros(tree.nq)
        position_rates(buffer, q, v * NEARBY / np.abs(v).max(), rates)
        q += rates
        normalise(buffer, q)
        if kernels.project(buffer, q, v, drives, work) == 0:
            best = max(best, kernels.rank_at(buffer, q, v, drives, work)[1])
    return int(best)
