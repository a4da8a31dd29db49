"""The constrained tree's arrays, and how many of its loops' rows are independent."""

from __future__ import annotations

import numpy as np

from ...mechanism.compiled import Floats, Ints
from ..loops import _kernels as loop_kernels
from ..loops.packing import Loops, loops_of
from ..model import _kernels as shared
from ..model.packing import Model
from ..tree import _kernels as tree_kernels
from ..tree.packing import Tree, empty_freedoms
from . import _kernels as kernels
from .basis._kernels import HEAD
from .parts import _kernels as parts

LENT = 1e-9  # [m^2 or 1] of all masses and rotors: inertia lent to freedoms that move none
NEARBY = 0.1  # [rad, m] how far from home the loops' rank is looked at
LOOKS = 4
STILL = 1e-9  # [rad/s, m/s] of velocities near 1: what is left of them where nothing can move


def pack_constrained(model: Model) -> tuple[Ints, Floats, int]:
    """`model_i`, `model_f` and the size of `work`.

    The coordinates are the tree's q and v. Rows that a plane loop does not need are left out; of
    the others as many are enforced as are independent near home.
    """
    tree, loops = model.tree, loops_of(model.tree, lean=True)
    m, n_rows = loops.m, len(model.rows)
    freedom_at = {int(row[tree_kernels.IV]): d for d, row in enumerate(tree.tree_i)}
    rows = [(row.position, row.velocity, freedom_at[row.velocity]) for row in model.rows]
    paths = _paths(loops, freedom_at) + [_path(tree, freedom) for _, _, freedom in rows]
    groups = _groups(loops) + list(range(m, m + n_rows))
    starts = HEAD * (m + n_rows) + np.cumsum([0] + [len(path) for path in paths])
    heads = [
        (start, len(path), group)
        for start, path, group in zip(starts[:-1], paths, groups, strict=True)
    ]
    parts_i = [np.array(part, dtype=np.int64).ravel() for part in (rows, loops.loops_i, heads)]
    parts_i += [np.array(path, dtype=np.int64) for path in paths]
    at = np.cumsum([part.size for part in parts_i[:2]])
    extra = tree.armature + _lent(model, loops)
    header = [m, m, 0, int(at[0]), int(at[1]), 0, loops.loops_f.size]
    model_i, model_f = model.arrays(
        shared.CONSTRAINED, tree.nq, tree.nv, model.tree_quaternions(), header,
        np.concatenate(parts_i), np.concatenate([loops.loops_f.ravel(), extra]),
    )  # fmt: skip
    model_i[[parts.ROWS_AT, parts.LOOPS_AT, parts.PATHS_AT]] += model_i[shared.OWN]
    model_i[[parts.LOOPS_F_AT, parts.EXTRA_AT]] += model_i[shared.OWN + 1]
    model_i[parts.RANK] = _rank(model, model_i, model_f)
    return model_i, model_f, parts.work_size(model_i)


def _path(tree: Tree, *freedoms: int) -> list[int]:
    """All that move any of the freedoms, from the leaves to the base."""
    moving = {d for freedom in freedoms if freedom >= 0 for d in tree.ancestors[freedom]}
    return sorted(moving, reverse=True)


def _paths(loops: Loops, freedom_at: dict[int, int]) -> list[list[int]]:
    paths = []
    for row in loops.loops_i:
        if row[loop_kernels.KIND] == loop_kernels.RATIO:
            ends = row[[loop_kernels.V_FOLLOWER, loop_kernels.V_LEADER]]
            paths.append(_path(loops.tree, *(freedom_at[int(v)] for v in ends)))
        else:
            paths.append(_path(loops.tree, int(row[loop_kernels.A]), int(row[loop_kernels.B])))
    return paths


def _groups(loops: Loops) -> list[int]:
    """The first row of the same loop and kind, for every row."""
    keys = list(zip(loops.name, loops.kind, loops.loops_i[:, loop_kernels.KIND], strict=True))
    return [keys.index(key) for key in keys]


def _lent(model: Model, loops: Loops) -> Floats:
    """Inertia lent to freedoms that move nothing, as those of massless rods, if loops hold them.

    Their motion is the loops' alone then, and the inertia, which is no part of any energy, only
    makes the tree's matrix regular. What no loop holds stays without, and cannot be simulated.
    """
    tree = loops.tree
    empty, lent = empty_freedoms(tree), np.zeros(len(tree.tree_i))
    J, work = np.zeros((loops.m, tree.nv)), tree.new_work()
    home = tree.positions(model.home)
    tree_kernels.place_tree(tree.tree_i, tree.tree_f, home, np.zeros(tree.nv), work)
    loop_kernels.jacobian(loops.loops_i, loops.loops_f, tree.tree_i, work, J)
    columns = J[:, tree.tree_i[empty, tree_kernels.IV]]
    if empty.size and loops.m and np.linalg.matrix_rank(columns, tol=1e-9) == empty.size:
        lent[empty] = LENT * (tree.tree_f[1:, tree_kernels.MASS] + tree.armature).sum()
    return lent


def _rank(model: Model, model_i: Ints, model_f: Floats) -> int:
    """The most rows of the loops that are independent at home or at a few poses near it.

    Home itself may be a singular pose.
    """
    tree, rng = model.tree, np.random.default_rng(0)
    work = np.zeros(parts.work_size(model_i))
    drive = model.new_drive()
    home = tree.positions(model.home)
    best = kernels.rank_at(model_i, model_f, home, np.zeros(tree.nv), drive, work)
    if best < 0:
        return int(model_i[parts.N_LOOPS])  # whoever evaluates it will say so
    for _ in range(LOOKS):
        q, v = home.copy(), rng.normal(size=tree.nv)
        if kernels.project(model_i, model_f, q, v, drive, work) or np.abs(v).max() < STILL:
            continue
        rates = np.zeros(tree.nq)
        shared.position_rates(model_i, q, v * NEARBY / np.abs(v).max(), rates)
        q += rates
        shared.normalise(model_i, q)
        if kernels.project(model_i, model_f, q, v, drive, work) == 0:
            best = max(best, kernels.rank_at(model_i, model_f, q, v, drive, work))
    return int(best)
