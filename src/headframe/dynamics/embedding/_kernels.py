"""Kernels of loop embedding: a closed-chain machine in as many coordinates as it has freedoms.

Every position y of the spanning tree, those of four-bars, tubes and rods included, is an explicit
function of the driving variables theta, with first derivatives G = dy/dtheta and their rates
Gdot = dG/dt in closed form. So

    y' = G theta',    y'' = G theta'' + Gdot theta',
    G^T (M y'' + b) = G^T tau    =>    (G^T M G) theta'' = G^T (tau - b - M Gdot theta'),

with M and b the tree's inertia and bias. No loop is left that could drift. G is sparse: a hinge
follows one variable, a cylinder the few between its mounts.

The coordinates are either the variables themselves, or the lengths of the redundant groups' first
members in place of the variables that these set (`LENGTHS`); a length that is prescribed is then
exact. In both cases the equations are solved for theta'', with prescribed rows as constraints
whose multipliers are the drives' reactions:

    M_r theta'' = Q + G_P^T lambda,    G_P theta'' + Gdot_P theta' = the accelerations prescribed.

`functions` has y, G and Gdot, `layout` the arrays.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation._kernels import (
    AIM,
    AIM_RATE,
    GUIDED,
    NOW,
    PULL,
    REACTION,
    give_way,
    leave_stop,
    pulled_stop,
    rests,
)
from ...jit import inlined_kernel, kernel, part, table
from ...kinematics.forward._kernels import BLOCK_I, MAX
from ...kinematics.forward._kernels import joints as set_joints
from ...kinematics.lengths._kernels import (
    BLOCKS_I,
    N_ACTS,
    N_BARS,
    N_BLOCKS,
)
from ..linear._kernels import factor, solve_factored
from ..model._kernels import (
    BY_DAMPERS,
    BY_DRIVES,
    BY_PULLS,
    DEAD_CENTRE,
    HEADER,
    N_ROWS,
    N_SPRINGS,
    ND,
    NO_INERTIA,
    NOT_FINITE,
    NV,
    OK,
    STATUSES,
    TREE_AT,
    add_forces,
    add_positions,
    resist,
    tree_of,
)
from ..tree._kernels import (
    ARMATURE,
    COMPOSITE,
    INDEX,
    IV,
    PARENT,
    ROW,
    TREE_I,
    TURN,
    F,
    T,
    composite,
    gather_forces,
    number_of,
    place,
    set_velocities,
)
from ..tree.algebra._kernels import cosine_and_sine, dot, momentum
from ..tree.articulated._kernels import articulate_and_accelerate
from .functions._kernels import add_row, place_all, row_dot, set_extra
from .layout._kernels import (
    ACT_FREEDOMS,
    ACTS_AT,
    COLUMNS_AT,
    EXTRA,
    FREEDOM_F,
    FREEDOM_I,
    FREEDOMS_AT,
    FREEDOMS_F,
    HINGE,
    LENGTHS,
    LINK_AT,
    LINK_SIZE,
    RINGED,
    ROD,
    ROWS_AT,
    SLIDE,
    TILT,
    TUBE,
    linkage,
    views,
    work_size,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TAKEN, STOPPED, DRIVEN = 1, 2, 3  # rows that are constrained, in the order in which they hold
DEAD = 1e-12  # of a row's own inertia: below it no force of that row can move it


@kernel
def reduce_inertia(
    model_i: Ints, tree_i: Ints, tree_f: Floats, G_in: Floats, work: Floats, M_out: Floats
) -> None:
    """M_r = G^T M G by composite bodies and rotors, the tree being placed."""
    nd, columns = model_i[ND], model_i[COLUMNS_AT]
    composite(tree_i, work)
    for i in range(M_out.shape[0]):
        for j in range(M_out.shape[0]):
            M_out[i, j] = 0.0
    for d in range(nd):
        f = F * nd + 6 * d
        momentum(work, COMPOSITE * nd + 10 * d, T * nd + 6 * d, f)
        fi = model_i[FREEDOMS_AT] + FREEDOM_I * d
        first, count = model_i[fi + 4], model_i[fi + 5]
        e = d
        while e >= 0:
            value = dot(work, T * nd + 6 * e, f)
            if e == d:
                value += tree_f[d + 1, ARMATURE]
            ei = model_i[FREEDOMS_AT] + FREEDOM_I * e
            for a in range(first, first + count):
                row = model_i[columns + a]
                scaled = value * G_in[a]
                for b in range(model_i[ei + 4], model_i[ei + 4] + model_i[ei + 5]):
                    col = model_i[columns + b]
                    M_out[row, col] += scaled * G_in[b]
                    if e != d:
                        M_out[col, row] += scaled * G_in[b]
            e = tree_i[e, PARENT]


@inlined_kernel
def constrain(
    model_i: Ints, chosen_io: Floats, G: Floats, L: Floats, wanted: Floats, S: Floats,
    response: Floats, answer_io: Floats,
) -> int:  # fmt: skip
    """Add M^-1 G_P^T lambda so that the chosen rows get what is still `wanted` of them.

    `chosen_io` is TAKEN for rows that take part. Rows that are STOPPED or DRIVEN take part unless
    they depend on those before them, TAKEN ones before STOPPED and these before DRIVEN ones; then
    they are chosen no more. `wanted` holds what their rows of G times the answer should be, and in
    the end their multipliers. Returns 1 + the first TAKEN row that nothing can move.
    """
    rows = chosen_io.shape[0]
    for r in range(rows):
        if chosen_io[r] == 0.0:
            continue
        freedom = model_i[model_i[ROWS_AT] + r]
        for k in range(answer_io.shape[0]):
            response[r, k] = 0.0
        add_row(model_i, freedom, G, 1.0, response[r])
        solve_factored(L, response[r])
        wanted[r] -= row_dot(model_i, freedom, G, answer_io)
    for r in range(rows):
        if chosen_io[r] == 0.0:
            continue
        freedom = model_i[model_i[ROWS_AT] + r]
        for s in range(rows):
            if chosen_io[s] != 0.0:
                S[r, s] = row_dot(model_i, freedom, G, response[s])
    # Gauss elimination without pivoting, as S is positive definite
    for turn in range(TAKEN, DRIVEN + 1):
        for r in range(rows):
            if chosen_io[r] != turn:
                continue
            own = S[r, r]
            for before in range(TAKEN, turn + 1):
                for p in range(rows):
                    if chosen_io[p] != before or (before == turn and p >= r):
                        continue
                    scale = S[r, p] / S[p, p]
                    for s in range(rows):
                        if comes_after(s, p, chosen_io):
                            S[r, s] -= scale * S[p, s]
                    wanted[r] -= scale * wanted[p]
            if not S[r, r] > DEAD * own:
                if turn == TAKEN:
                    return 1 + r
                chosen_io[r] = 0.0
    for back in range(DRIVEN, TAKEN - 1, -1):
        for r in range(rows - 1, -1, -1):
            if chosen_io[r] != back:
                continue
            for s in range(rows):
                if comes_after(s, r, chosen_io):
                    wanted[r] -= S[r, s] * wanted[s]
            wanted[r] /= S[r, r]
            for k in range(answer_io.shape[0]):
                answer_io[k] += wanted[r] * response[r, k]
    return 0


@inlined_kernel
def comes_after(s: int, r: int, chosen_in: Floats) -> bool:
    """Whether row s comes after row r in the elimination."""
    return bool(chosen_in[s] > chosen_in[r] or (chosen_in[s] == chosen_in[r] and s > r))


@inlined_kernel
def is_open(model_i: Ints) -> bool:
    """Whether the machine has neither cylinders nor four-bars: a tree, which no loop closes."""
    link_i = linkage(model_i)
    return bool(link_i[N_ACTS] == 0 and link_i[N_BARS] == 0)


@inlined_kernel
def any_guided(drive_in: Floats) -> bool:
    """Whether any row's acceleration is prescribed."""
    found = False
    for r in range(drive_in.shape[0]):
        found = found or drive_in[r, NOW] == GUIDED
    return found


@kernel
def evaluate_open(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, drive_io: Floats,
    pulls_in: Floats, work: Floats, vdot_out: Floats, power_out: Floats,
) -> int:  # fmt: skip
    """`evaluate` of a tree whose rows nothing guides: by articulated bodies, without any G.

    Each freedom is plus or minus one coordinate, counted from home.
    """
    tree_i, tree_f = tree_of(model_i, model_f)
    nd = number_of(tree_i)
    table_i, table_f = model_i[FREEDOMS_AT] & INDEX, model_i[FREEDOMS_F] & INDEX
    columns, at = model_i[COLUMNS_AT] & INDEX, ROW * nd
    v_tree, tau, vdot = part(work, at, nd), part(work, at + nd, nd), part(work, at + 2 * nd, nd)
    for d in range(nd):
        fi, ff, turn = table_i + FREEDOM_I * d, table_f + FREEDOM_F * d, TURN * nd + 2 * d
        column = model_i[columns + (model_i[fi + 4] & INDEX)] & INDEX
        sign, home = model_f[ff + 2], model_f[ff + 3]
        if model_i[fi] == HINGE:
            work[turn], work[turn + 1] = cosine_and_sine(home + sign * q_in[column])
        elif model_i[fi] == SLIDE:
            work[turn] = home + sign * q_in[column]
        else:
            set_extra(model_i, fi, q_in, turn, work)
        v_tree[tree_i[d, IV] & INDEX] = sign * v_in[column]
    place(tree_i, tree_f, work)
    set_velocities(tree_i, v_tree, work)
    pulled = nd if pulls_in.shape[0] > 0 or model_i[N_SPRINGS] > 0 else 0
    wrenches = table(work, at + 3 * nd, pulled, 6)
    if pulled > 0:
        add_forces(model_i, model_f, v_tree, pulls_in, work, wrenches, tau, power_out)
    else:
        power_out[BY_DAMPERS], power_out[BY_PULLS] = resist(nd, model_f, v_tree, tau), 0.0
    power_out[BY_DRIVES] = push_rows(model_i, tree_i, v_tree, drive_io, tau)
    if not articulate_and_accelerate(tree_i, tree_f, tau, wrenches, work, vdot):
        return NO_INERTIA
    total = 0.0
    for d in range(nd):
        column = model_i[columns + (model_i[table_i + FREEDOM_I * d + 4] & INDEX)] & INDEX
        value = model_f[table_f + FREEDOM_F * d + 2] * vdot[tree_i[d, IV] & INDEX]
        vdot_out[column] = value
        total += value
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def push_rows(
    model_i: Ints, tree_i: Ints, v_tree: Floats, drive_io: Floats, tau_io: Floats
) -> float:
    """Add to the tree's torques what drives push with, none being guided; their power [W]."""
    given = 0.0
    for r in range(model_i[N_ROWS]):
        iv = tree_i[model_i[model_i[ROWS_AT] + r], IV]
        tau_io[iv] += drive_io[r, PULL]
        given += drive_io[r, PULL] * v_tree[iv]
        drive_io[r, REACTION] = 0.0
    return given


@kernel
def evaluate(
    model_i: Ints,
    model_f: Floats,
    q_in: Floats,
    v_in: Floats,
    drive_io: Floats,
    pulls_in: Floats,
    work: Floats,
    vdot_out: Floats,
    power_out: Floats,
) -> int:
    """Accelerations of the coordinates, reactions of guided rows, and powers [W]."""
    if is_open(model_i) and not any_guided(drive_io):
        return evaluate_open(
            model_i, model_f, q_in, v_in, drive_io, pulls_in, work, vdot_out, power_out
        )
    status = place_all(model_i, model_f, q_in, v_in, work)
    if status != OK:
        return status
    (
        _, _, rate, _, _, _, _, G, Gdot, v_tree, bias, tau, M, L, right, answer, _, wanted,
        wrenches, S, response,
    ) = views(model_i, model_f, work)  # fmt: skip
    nd, nv, rows = model_i[ND], model_i[NV], model_i[N_ROWS]
    tree_i, tree_f = tree_of(model_i, model_f)
    add_forces(model_i, model_f, v_tree, pulls_in, work, wrenches, tau, power_out)
    gather_forces(tree_i, tree_f, bias, wrenches, work)
    for k in range(nv):
        right[k] = 0.0
    for d in range(nd):
        iv = tree_i[d, IV]
        force = tau[iv] - dot(work, T * nd + 6 * d, F * nd + 6 * d)
        force -= tree_f[d + 1, ARMATURE] * bias[iv]
        add_row(model_i, d, G, force, right)
    reduce_inertia(model_i, tree_i, tree_f, G, work, M)
    given = 0.0
    for r in range(rows):
        freedom = model_i[model_i[ROWS_AT] + r]
        if drive_io[r, NOW] == GUIDED:
            wanted[r] = drive_io[r, PULL] - row_dot(model_i, freedom, Gdot, rate)
        else:
            add_row(model_i, freedom, G, drive_io[r, PULL], right)
            given += drive_io[r, PULL] * v_tree[tree_i[freedom, IV]]
            drive_io[r, REACTION] = 0.0
    if not factor(M, L):
        return NO_INERTIA
    for k in range(nv):
        answer[k] = right[k]
    solve_factored(L, answer)
    dead = constrain(model_i, drive_io[:, NOW], G, L, wanted, S, response, answer)
    if dead:
        return DEAD_CENTRE + STATUSES * (dead - 1)
    for r in range(rows):
        if drive_io[r, NOW] == GUIDED:
            drive_io[r, REACTION] = wanted[r]
            given += wanted[r] * v_tree[tree_i[model_i[model_i[ROWS_AT] + r], IV]]
    power_out[BY_DRIVES] = given
    to_coordinates(model_i, answer, G, Gdot, rate, vdot_out)
    total = 0.0
    for k in range(nv):
        total += vdot_out[k]
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def to_coordinates(
    model_i: Ints, vector: Floats, G: Floats, Gdot: Floats, rate: Floats, out: Floats
) -> None:
    """Theta'' as accelerations of the coordinates: G theta'' + Gdot theta' for lengths."""
    for k in range(out.shape[0]):
        out[k] = vector[k]
    if model_i[LENGTHS]:
        link_i = linkage(model_i)
        for b in range(link_i[N_BLOCKS]):
            bi = link_i[BLOCKS_I] + BLOCK_I * b
            for k in range(link_i[bi + 1]):
                act = link_i[bi + 4 + MAX + k]
                rod = model_i[model_i[ACTS_AT] + ACT_FREEDOMS * act + 2]
                value = row_dot(model_i, rod, G, vector) + row_dot(model_i, rod, Gdot, rate)
                out[link_i[bi + 4 + k]] = value


@kernel
def rows(
    model_i: Ints, model_f: Floats, q_in: Floats, v_in: Floats, work: Floats, rows_out: Floats
) -> int:
    """Position and rate of every row, (n_rows, 2); most of them are coordinates themselves."""
    count, at = model_i[N_ROWS], model_i[ROWS_AT]
    direct = True
    for r in range(count):
        direct = direct and model_i[at + count + r] >= 0
    if not direct:
        status = place_all(model_i, model_f, q_in, v_in, work)
        if status != OK:
            return status
        read_rows(model_i, model_f, q_in, work, rows_out)
        return OK
    for r in range(count):
        ff = model_i[FREEDOMS_F] + FREEDOM_F * model_i[at + r]
        sign, home = model_f[ff + 2], model_f[ff + 3]
        rows_out[r, 0] = home + sign * q_in[model_i[at + count + r]]
        rows_out[r, 1] = sign * v_in[model_i[at + 2 * count + r]]
    return OK


@kernel
def read_rows(model_i: Ints, model_f: Floats, q_in: Floats, work: Floats, rows_out: Floats) -> None:
    """Position and rate of every row, everything being placed."""
    parts = views(model_i, model_f, work)
    for r in range(model_i[N_ROWS]):
        row_state(model_i, model_f, q_in, r, work, parts[1], parts[9], rows_out[r : r + 1])


@inlined_kernel
def input_angle(model_i: Ints, fi: int, theta: Floats) -> float:
    """Angle at the pivot of a four-bar whose turn is its variable: continuous, never wrapped."""
    angle = theta[model_i[model_i[COLUMNS_AT] + model_i[fi + 4]]]
    return float(angle if model_i[fi + 3] == 1 else -angle)


@inlined_kernel
def row_state(
    model_i: Ints, model_f: Floats, q_in: Floats, row: int, work: Floats, theta: Floats,
    v_tree: Floats, out: Floats,
) -> None:  # fmt: skip
    """Position and rate of one row, into the first two of `out`'s first row."""
    nd, at = model_i[ND], model_i[TREE_AT]
    freedom = model_i[model_i[ROWS_AT] + row]
    fi, ff = model_i[FREEDOMS_AT] + FREEDOM_I * freedom, model_i[FREEDOMS_F] + FREEDOM_F * freedom
    source, turn = model_i[fi], TURN * nd + 2 * freedom
    sign, home = model_f[ff + 2], model_f[ff + 3]
    if source == HINGE:
        out[0, 0] = home + sign * theta[model_i[fi + 1]]
    elif source == RINGED and model_i[fi + 2] + model_i[fi + 3] == 1:
        out[0, 0] = home + sign * input_angle(model_i, fi, theta)
    elif source == RINGED:
        angle = math.atan2(work[turn + 1], work[turn]) - home
        out[0, 0] = home + angle - 2.0 * math.pi * round(angle / (2.0 * math.pi))
    elif source == EXTRA:
        out[0, 0] = q_in[model_i[fi + 1]]
    else:
        out[0, 0] = work[turn]
    out[0, 1] = v_tree[model_i[at + TREE_I * freedom + IV]]


@kernel
def project(
    model_i: Ints, model_f: Floats, q_io: Floats, v_io: Floats, drive_in: Floats, work: Floats
) -> int:
    """Bring guided rows that are no coordinates where they should be, and to their rates.

    By the least change in the metric of kinetic energy. Where lengths are coordinates there is
    nothing to do.
    """
    count, at = model_i[N_ROWS], model_i[ROWS_AT]
    needed = False
    for r in range(count):
        guided = drive_in[r, NOW] == GUIDED
        needed = needed or (guided and model_i[at + count + r] < 0)
        if guided and model_i[at + count + r] >= 0:  # a coordinate itself: it is what it should be
            ff = model_i[FREEDOMS_F] + FREEDOM_F * model_i[at + r]
            sign, home = model_f[ff + 2], model_f[ff + 3]
            q_io[model_i[at + count + r]] = sign * (drive_in[r, AIM] - home)
            v_io[model_i[at + 2 * count + r]] = sign * drive_in[r, AIM_RATE]
    if not needed:
        return OK
    parts = views(model_i, model_f, work)
    G, Gdot, M, L, right, answer, more, wanted, S, response = (
        parts[7], parts[8], parts[12], parts[13], parts[14], parts[15], parts[16], parts[17],
        parts[19], parts[20],
    )  # fmt: skip
    state = parts[6]  # a block's matrix is as good as any
    tree_i, tree_f = tree_of(model_i, model_f)
    nv = model_i[NV]
    for iteration in range(3):
        status = place_all(model_i, model_f, q_io, v_io, work)
        if status != OK:
            return status
        reduce_inertia(model_i, tree_i, tree_f, G, work, M)
        if not factor(M, L):
            return NO_INERTIA
        for k in range(nv):
            answer[k] = 0.0
        for r in range(count):
            row_state(model_i, model_f, q_io, r, work, parts[1], parts[9], state)
            if iteration < 2:
                wanted[r] = drive_in[r, AIM] - state[0, 0]
                if model_i[model_i[FREEDOMS_AT] + FREEDOM_I * model_i[at + r]] == RINGED:
                    wanted[r] -= 2.0 * math.pi * round(wanted[r] / (2.0 * math.pi))
            else:
                wanted[r] = drive_in[r, AIM_RATE] - state[0, 1]
        dead = constrain(model_i, drive_in[:, NOW], G, L, wanted, S, response, answer)
        if dead:
            return DEAD_CENTRE + STATUSES * (dead - 1)
        for k in range(nv):
            right[k] = 0.0
        zero_curves(Gdot)
        to_coordinates(model_i, answer, G, Gdot, right, more)
        if iteration < 2:
            add_positions(model_i, more, q_io)
        else:
            for k in range(nv):
                v_io[k] += more[k]
    return OK


@kernel
def arrest(
    model_i: Ints,
    model_f: Floats,
    q_in: Floats,
    v_io: Floats,
    mask_io: Floats,
    drive_io: Floats,
    hold: bool,
    work: Floats,
) -> tuple[int, float, float]:
    """Inelastic stop: rows with a mask get rate 0, guided ones keep theirs, by one impulse.

    The mask is -1 at lower stops and 1 at upper ones. No stop pulls: those that would have to, of
    rows that come or that rest, let go, and lose their mask; unless they are told to hold. A guided
    row that stops hold by way of the loops gives way, and so does a stop that others make needless.
    Returns (status, kinetic energy lost [J], work that the guided drives' impulses did [J]).
    """
    status = place_all(model_i, model_f, q_in, v_io, work)
    if status != OK:
        return status, 0.0, 0.0
    (
        _, _, rate, _, _, _, _, G, Gdot, v_tree, _, _, M, L, right, answer, more, wanted, _, S,
        response,
    ) = views(model_i, model_f, work)  # fmt: skip
    nv, rows_count = model_i[NV], model_i[N_ROWS]
    tree_i, tree_f = tree_of(model_i, model_f)
    reduce_inertia(model_i, tree_i, tree_f, G, work, M)
    if not factor(M, L):
        return NO_INERTIA, 0.0, 0.0
    chosen = drive_io[:, AIM_RATE]  # free until the next step aims
    for _ in range(rows_count + 1):
        for r in range(rows_count):
            masked = mask_io[r] != 0.0
            chosen[r] = DRIVEN if drive_io[r, NOW] == GUIDED else 0.0
            if masked or rests(r, drive_io):
                chosen[r] = STOPPED
            wanted[r] = -v_tree[tree_i[model_i[model_i[ROWS_AT] + r], IV]] if masked else 0.0
        for k in range(nv):
            answer[k] = 0.0
        dead = constrain(model_i, chosen, G, L, wanted, S, response, answer)
        if dead:
            return DEAD_CENTRE + STATUSES * (dead - 1), 0.0, 0.0
        for r in range(rows_count):
            if chosen[r] == 0.0:
                wanted[r] = 0.0
        pulled = pulled_stop(drive_io, mask_io, wanted)
        if hold or pulled < 0:
            break
        if mask_io[pulled] == 0.0:
            leave_stop(pulled, drive_io)
        mask_io[pulled] = 0.0
    for r in range(rows_count):
        if chosen[r] == 0.0 and mask_io[r] != 0.0:
            mask_io[r] = 0.0
        elif chosen[r] == 0.0 and drive_io[r, NOW] == GUIDED:
            give_way(r, drive_io)
    lost = 0.0
    for i in range(nv):
        for j in range(nv):
            lost -= (rate[i] + 0.5 * answer[i]) * M[i, j] * answer[j]
    done = 0.0
    for r in range(rows_count):
        freedom = model_i[model_i[ROWS_AT] + r]
        if drive_io[r, NOW] == GUIDED and mask_io[r] == 0.0:
            done += wanted[r] * v_tree[tree_i[freedom, IV]]
    for k in range(nv):
        more[k] = rate[k] + answer[k]
        right[k] = 0.0
    zero_curves(Gdot)
    to_coordinates(model_i, more, G, Gdot, right, v_io)
    return OK, lost + done, done


@inlined_kernel
def zero_curves(Gdot: Floats) -> None:
    """Forget Gdot: what follows asks for velocities, not for accelerations."""
    for k in range(Gdot.shape[0]):
        Gdot[k] = 0.0


@kernel
def tree_state(
    model_i: Ints,
    model_f: Floats,
    q_in: Floats,
    v_in: Floats,
    work: Floats,
    q_tree_out: Floats,
    v_tree_out: Floats,
) -> int:
    """Positions and velocities of the whole tree, which is left placed in `work`."""
    status = place_all(model_i, model_f, q_in, v_in, work)
    if status != OK:
        return status
    parts = views(model_i, model_f, work)
    link_i = linkage(model_i)
    link_f, theta, v_tree = parts[0], parts[1], parts[9]
    nd = model_i[ND]
    tree_i, _ = tree_of(model_i, model_f)
    for d in range(nd):
        fi, ff = model_i[FREEDOMS_AT] + FREEDOM_I * d, model_i[FREEDOMS_F] + FREEDOM_F * d
        source, iq, turn = model_i[fi], tree_i[d, 3], TURN * nd + 2 * d
        if source == RINGED and model_i[fi + 2] + model_i[fi + 3] == 1:
            angle = input_angle(model_i, fi, theta)
            q_tree_out[iq] = model_f[ff + 3] + model_f[ff + 2] * angle
        elif source in (RINGED, TUBE, TILT):  # near home; rings that cylinders set follow below
            angle = math.atan2(work[turn + 1], work[turn]) - model_f[ff + 3]
            turns = round(angle / (2.0 * math.pi))
            q_tree_out[iq] = model_f[ff + 3] + angle - 2.0 * math.pi * turns
        elif source in (HINGE, SLIDE):
            q_tree_out[iq] = model_f[ff + 3] + model_f[ff + 2] * theta[model_i[fi + 1]]
        elif source == ROD:
            q_tree_out[iq] = work[turn]
        elif source == EXTRA and model_i[fi + 1] >= 0:
            count = max(model_i[fi + 3], 1)
            for k in range(count):
                q_tree_out[iq + k] = q_in[model_i[fi + 1] + k]
    set_joints(link_i, link_f, theta, q_tree_out)
    for i in range(nd):
        v_tree_out[i] = v_tree[i]
    return OK


def warm_up() -> None:
    """Compile what is called from outside of kernels, on a model of nothing."""
    model_i, model_f = np.zeros(HEADER + 64, dtype=np.int64), np.zeros(64)
    model_i[LINK_AT], model_i[LINK_SIZE] = HEADER, 64
    none = np.zeros(0)
    tree_state(model_i, model_f, none, none, np.zeros(work_size(model_i)), none, none)
