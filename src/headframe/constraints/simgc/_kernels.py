"""Kernels of SIMGC, the sequential impulses method in generalized coordinates: whole steps.

Numbers in the docstrings are the steps of algorithm SIMGC in the paper. Everything that a machine
may or must not do beyond its free tree is a row (see `rows`): dry friction of joints, guided rates,
end stops, loops. Arrays are cut into parts by `layout`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation._kernels import DRIVE
from ...dynamics.loops._kernels import jacobian, residuals
from ...dynamics.model._kernels import (
    HEADER,
    N_QUATS,
    N_ROWS,
    ND,
    NQ,
    NV,
    OWN,
    PULL_F,
    QUATS_AT,
    TREE_AT,
    add_forces,
    tree_of,
)
from ...dynamics.tree._kernels import MASS, REVOLUTE, TREE_F, TREE_I, place_tree
from ...dynamics.tree.articulated._kernels import articulate_and_accelerate, respond
from ...jit import inlined_kernel, kernel, part
from .drives._kernels import aim, aim_stops, react, set_stops
from .layout._kernels import (
    BEFORE,
    BETA,
    IMPULSES,
    ITERATED,
    ITERATIONS,
    LEDGER,
    LINES,
    LOOP_LINES,
    N_FRICTION,
    N_ORDER,
    N_PSEUDO,
    POWER,
    PSEUDO_SWEEPS,
    PUSH,
    SETTINGS,
    STEP,
    STEPS,
    SWEEPS,
    TAU,
    TOLERANCE,
    VDOT,
    WRONG,
    M,
    Parts,
    cut,
    sizes,
)
from .ledger._kernels import account
from .rows._kernels import (
    APPLIED,
    COUPLED,
    ERROR,
    HIGH,
    IMPULSE,
    LINE_OF,
    LOW,
    PSEUDO,
    PSEUDO_LINE,
    RATE,
    TARGET,
    add_line,
    couple,
    separate,
    sweep,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OK, NOT_FINITE, NO_INERTIA = 0, 2, 3
STAGES = (0, PSEUDO)


@kernel
def move(model_i: Ints, h: float, v_in: Floats, push_in: Floats, q_io: Floats) -> None:
    """Step 8, Eq. (9): q += h (v + v'); quaternions turn by the exponential and stay unit."""
    iq, iv, next_quat = 0, 0, 0
    at = model_i[QUATS_AT]
    while iv < v_in.shape[0]:
        if next_quat < model_i[N_QUATS] and model_i[at + 2 * next_quat] == iq:
            x = 0.5 * h * (v_in[iv] + push_in[iv])
            y = 0.5 * h * (v_in[iv + 1] + push_in[iv + 1])
            z = 0.5 * h * (v_in[iv + 2] + push_in[iv + 2])
            half = math.sqrt(x * x + y * y + z * z)
            s = math.sin(half) / half if half > 1e-12 else 1.0
            a, b, c, d = math.cos(half), s * x, s * y, s * z
            w, i, j, k = q_io[iq], q_io[iq + 1], q_io[iq + 2], q_io[iq + 3]
            w, i, j, k = (
                w * a - i * b - j * c - k * d,
                w * b + i * a + j * d - k * c,
                w * c - i * d + j * a + k * b,
                w * d + i * c - j * b + k * a,
            )
            unit = 1.0 / math.sqrt(w * w + i * i + j * j + k * k)
            q_io[iq], q_io[iq + 1] = w * unit, i * unit
            q_io[iq + 2], q_io[iq + 3] = j * unit, k * unit
            iq, iv, next_quat = iq + 4, iv + 3, next_quat + 1
        else:
            q_io[iq] += h * (v_in[iv] + push_in[iv])
            iq, iv = iq + 1, iv + 1


# ----------------------------------------------------------------- the rows


@inlined_kernel
def in_use(rows_f: Floats, row: int, stage: int) -> bool:
    """Whether a row may have an impulse."""
    return bool(rows_f[row, stage + HIGH] > rows_f[row, stage + LOW])


@kernel
def set_loops(m: int, first: int, parts: Parts, tree_i: Ints) -> int:
    """Lines of the loops, the generalized impulse of their last ones, and how many are in use.

    The Jacobian stands in the first m lines; a line moves up over those left out.
    """
    lines, rows_i, rows_f, nv = parts.lines, parts.rows_i, parts.rows_f, parts.v.shape[0]
    residuals(parts.loops_i, parts.loops_f, nv, parts.q, parts.work, lines[APPLIED])
    jacobian(parts.loops_i, parts.loops_f, tree_i, parts.work, parts.J)
    whole, warm = parts.vectors[VDOT], parts.vectors[IMPULSES]
    line = 0 * m  # not a literal, for which Numba would compile `add_line` once more
    for i in range(m):
        row = first + i
        rows_f[row, :] = 0.0
        for k in range(nv):
            whole[k] = parts.J[i, k]
            parts.J[line, k] = whole[k]
        lines[ERROR, line] = lines[APPLIED, i]
        if not add_line(
            tree_i, line, parts.loop_groups[i], m, parts.work,
            parts.J, parts.Y, parts.mix, parts.groups, lines,
        ):  # fmt: skip
            rows_i[row, LINE_OF], parts.kept[row] = -1, 0.0
            continue
        for stage in STAGES:
            rows_f[row, stage + LOW], rows_f[row, stage + HIGH] = -math.inf, math.inf
        for k in range(nv):
            warm[k] += parts.kept[row] * whole[k]
        rows_i[row, LINE_OF] = line
        line += 1
    return line


@kernel
def set_joints(loops: int, first: int, n_friction: int, parts: Parts, tree_i: Ints) -> int:
    """Lines of the joints that a row acts on, their last impulses, and how many lines there are."""
    rows_i, rows_f = parts.rows_i, parts.rows_f
    for row in range(first):
        rows_i[row, LINE_OF] = -1
    line = loops
    for joint in range(parts.joints.shape[0]):
        used = False
        for row in range(first):
            n = (row - n_friction) // 3
            acts_on = parts.frictions[row] if row < n_friction else parts.drives[n, 2]
            active = in_use(rows_f, row, 0) or in_use(rows_f, row, PSEUDO)
            if acts_on == joint and active:
                rows_i[row, LINE_OF], used = line, True
        if not used:
            continue
        velocity = parts.joints[joint, 0]
        parts.J[line, :] = 0.0
        parts.J[line, velocity] = 1.0
        parts.lines[ERROR, line] = 0.0
        good = add_line(
            tree_i, line, parts.joints[joint, 1], loops, parts.work,
            parts.J, parts.Y, parts.mix, parts.groups, parts.lines,
        )  # fmt: skip
        for row in range(first):
            if rows_i[row, LINE_OF] != line:
                continue
            if good:
                kept = min(max(parts.kept[row], rows_f[row, LOW]), rows_f[row, HIGH])
                rows_f[row, IMPULSE] = kept
                parts.vectors[IMPULSES, velocity] += kept
            else:
                rows_i[row, LINE_OF] = -1
        line += int(good)
    return line


@inlined_kernel
def set_order(
    rows_io: Ints, rows_f: Floats, order: Ints, pseudo_order: Ints, ints_io: Ints
) -> None:
    """Rows in the order of being solved: as they stand, the loops last, since they matter most."""
    n, n_pseudo = 0, 0
    for row in range(rows_io.shape[0]):
        rows_io[row, COUPLED] = -1
        if rows_io[row, LINE_OF] < 0:
            continue
        if in_use(rows_f, row, 0):
            order[n] = row
            n += 1
        if in_use(rows_f, row, PSEUDO):
            pseudo_order[n_pseudo] = row
            n_pseudo += 1
    ints_io[N_ORDER], ints_io[N_PSEUDO] = n, n_pseudo


# ------------------------------------------------------------------ a step


@kernel
def begin(
    model_i: Ints, model_f: Floats, settings: Floats, pulls_in: Floats,
    parts: Parts, drive_io: Floats, ints_io: Ints,
) -> int:  # fmt: skip
    """Steps 1 to 5: the free tree's velocities, the last impulses, and all effective masses."""
    tree_i, tree_f = tree_of(model_i, model_f)
    h, beta, n_friction = settings[STEP], settings[BETA], model_i[N_FRICTION]
    q, v, work, rows_f, drives = parts.q, parts.v, parts.work, parts.rows_f, parts.drives
    tau, vdot, before = parts.vectors[TAU], parts.vectors[VDOT], parts.vectors[BEFORE]
    # 1
    place_tree(tree_i, tree_f, q, v, work)
    add_forces(model_i, model_f, v, pulls_in, work, parts.wrenches, tau, parts.vectors[POWER])
    aim(h, beta, n_friction, drives, q, v, parts.kept, parts.held, drive_io, tau, rows_f)
    if not articulate_and_accelerate(tree_i, tree_f, tau, parts.wrenches, work, vdot):
        return NO_INERTIA
    # 2; step 3 is left out: a row's rate is J v, with no link's velocity in between
    for k in range(v.shape[0]):
        before[k] = v[k]
        v[k] += h * vdot[k]
        parts.vectors[IMPULSES, k] = 0.0
    # 5, and the impulses for 4 on the way
    for i in range(n_friction):
        rows_f[i, :] = 0.0
        rows_f[i, LOW], rows_f[i, HIGH] = -parts.friction[i] * h, parts.friction[i] * h
    set_stops(h, n_friction, drives, drive_io, q, v, before, parts.kept, rows_f)
    first = n_friction + 3 * model_i[N_ROWS]
    loops = set_loops(model_i[M], first, parts, tree_i)
    n = set_joints(loops, first, n_friction, parts, tree_i)
    couple(n, loops, parts.groups, parts.J, parts.Y, parts.A)
    set_order(parts.rows_i, rows_f, parts.order, parts.pseudo_order, ints_io)
    # 4
    respond(tree_i, parts.vectors[IMPULSES], work, vdot)
    for k in range(v.shape[0]):
        v[k] += vdot[k]
    for line in range(n):
        rate = 0.0
        for k in range(v.shape[0]):
            rate += parts.J[line, k] * v[k]
        parts.lines[RATE, line], parts.lines[APPLIED, line] = rate, 0.0
    ints_io[LINES], ints_io[LOOP_LINES] = n, loops
    ints_io[SWEEPS], ints_io[PSEUDO_SWEEPS] = 0, 0
    return OK


@kernel
def improve(settings: Floats, most: int, stage: int, parts: Parts, ints_io: Ints) -> bool:
    """Step 7 for velocities (stage 0) or pseudo-velocities, by at most so many sweeps.

    The two do not meet in the loop, so they are iterated one after the other, each until no
    impulse changes by more than the tolerance. True if that is so.
    """
    n = ints_io[N_ORDER if stage == 0 else N_PSEUDO]
    order = part(parts.order if stage == 0 else parts.pseudo_order, 0, n)
    if n == 0:
        return True
    for _ in range(most):
        ints_io[SWEEPS if stage == 0 else PSEUDO_SWEEPS] += 1
        change = sweep(
            ints_io[LINES], order, parts.rows_i, parts.A, stage, parts.rows_f, parts.lines
        )
        if not change > settings[TOLERANCE]:
            return True
    return False


@kernel
def turn(model_i: Ints, settings: Floats, drive_in: Floats, parts: Parts, ints_io: Ints) -> None:
    """Velocities from the impulses; then step 6, no pseudo-velocities yet, and what they shall do.

    A loop that is open by C closes with the rate -beta C / h (the paper does not print it).
    """
    h, beta, lines, rows_f = settings[STEP], settings[BETA], parts.lines, parts.rows_f
    add_up(parts.Y, lines, ints_io[LINES], APPLIED, parts.v)
    for line in range(ints_io[LINES]):
        lines[RATE + PSEUDO_LINE, line], lines[APPLIED + PSEUDO_LINE, line] = 0.0, 0.0
    n_friction = model_i[N_FRICTION]
    aim_stops(h, beta, n_friction, parts.drives, drive_in, parts.q, parts.v, rows_f)
    for i in range(ints_io[N_PSEUDO]):
        row = parts.pseudo_order[i]
        rows_f[row, PSEUDO + TARGET] -= beta / h * lines[ERROR, parts.rows_i[row, LINE_OF]]


@inlined_kernel
def add_up(vectors: Floats, lines: Floats, n: int, applied: int, v_io: Floats) -> None:
    """V += the vectors of all lines times their impulses."""
    for line in range(n):
        p = lines[applied, line]
        if p != 0.0:
            for k in range(vectors.shape[1]):
                v_io[k] += p * vectors[line, k]


@kernel
def finish(
    model_i: Ints, model_f: Floats, settings: Floats, pulls_in: Floats,
    parts: Parts, drive_io: Floats, ints_io: Ints,
) -> int:  # fmt: skip
    """Step 8: positions; then impulses for the next step, reactions and the ledger."""
    tree_i, _ = tree_of(model_i, model_f)
    h, n, lines = settings[STEP], ints_io[LINES], parts.lines
    push = parts.vectors[PUSH]
    push[:] = 0.0
    add_up(parts.Y, lines, n, APPLIED + PSEUDO_LINE, push)
    add_up(parts.J, lines, n, APPLIED, parts.vectors[IMPULSES])
    separate(n, ints_io[LOOP_LINES], parts.groups, parts.mix, lines)
    first = model_i[N_FRICTION] + 3 * model_i[N_ROWS]
    for row in range(parts.kept.shape[0]):
        line = parts.rows_i[row, LINE_OF]
        if line < 0:
            parts.kept[row] = 0.0
        elif row < first:
            parts.kept[row] = parts.rows_f[row, IMPULSE]
        else:
            parts.kept[row] += lines[APPLIED, line]
    account(model_i, model_f, h, parts, tree_i, pulls_in, drive_io)
    react(h, model_i[N_FRICTION], parts.kept, drive_io)
    move(model_i, h, parts.v, push, parts.q)
    ints_io[WRONG] = first_wrong(parts.q, parts.v)
    if ints_io[WRONG] >= 0:
        return NOT_FINITE
    ints_io[STEPS] += 1
    ints_io[ITERATED] += max(ints_io[SWEEPS], ints_io[PSEUDO_SWEEPS])
    return OK


@inlined_kernel
def first_wrong(q: Floats, v: Floats) -> int:
    """The first velocity that is not finite; 0 if a position is not; -1 if all is well."""
    for k in range(v.shape[0]):
        if not math.isfinite(v[k]):
            return k
    for k in range(q.shape[0]):
        if not math.isfinite(q[k]):
            return 0
    return -1


@kernel
def run(
    model_i: Ints, model_f: Floats, settings: Floats, pulls_in: Floats, n: int,
    state_io: Floats, drive_io: Floats, memory: Floats, ints_io: Ints,
) -> int:  # fmt: skip
    """So many steps; what a step that goes wrong leaves behind is to be thrown away."""
    parts = cut(model_i, model_f, state_io, memory, ints_io)
    most = int(settings[ITERATIONS])
    for _ in range(n):
        status = begin(model_i, model_f, settings, pulls_in, parts, drive_io, ints_io)
        if status != OK:
            return status
        for stage in STAGES:
            if stage == PSEUDO:
                turn(model_i, settings, drive_io, parts, ints_io)
            improve(settings, most, stage, parts, ints_io)
        status = finish(model_i, model_f, settings, pulls_in, parts, drive_io, ints_io)
        if status != OK:
            return status
    return OK


def warm_up() -> None:
    """Compile what the public class calls, on a pendulum and nothing else."""
    model_i = np.zeros(HEADER + TREE_I, dtype=np.int64)
    model_i[[NQ, NV, ND, TREE_AT, OWN]] = 1, 1, 1, HEADER, HEADER + TREE_I
    model_i[HEADER : HEADER + TREE_I] = -1, -1, REVOLUTE, 0, 0
    model_f = np.zeros(2 * TREE_F + 2)
    model_f[[TREE_F, TREE_F + 5, TREE_F + 10, TREE_F + MASS, TREE_F + MASS + 6]] = 1.0
    model_i[OWN + 1] = model_f.size
    settings = np.full(SETTINGS, 1e-3)
    rows, floats, ints = sizes(1, 0, 0, 0, 0)
    state, counts = np.zeros(2 + rows + LEDGER), np.zeros(ints, dtype=np.int64)
    memory, pulls, drive = np.zeros(floats), np.zeros((0, PULL_F)), np.zeros((0, DRIVE))
    run(model_i, model_f, settings, pulls, 1, state, drive, memory, counts)
    parts = cut.py_func(model_i, model_f, state, memory, counts)  # type: ignore[attr-defined]
    begin(model_i, model_f, settings, pulls, parts, drive, counts)
    improve(settings, 1, 0, parts, counts)
    turn(model_i, settings, drive, parts, counts)
    finish(model_i, model_f, settings, pulls, parts, drive, counts)
