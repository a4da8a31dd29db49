"""Kernels of loop embedding: a closed-chain machine in as many coordinates as it has freedoms.

Every position y of the spanning tree, those of four-bars, tubes and rods included, is an explicit
function of the driving variables theta, with first derivatives G = dy/dtheta and their rates
Gdot = dG/dt in closed form (see `functions`). So

    y' = G theta',    y'' = G theta'' + Gdot theta',
    G^T (M y'' + b) = G^T tau    =>    (G^T M G) theta'' = G^T (tau - b - M Gdot theta'),

with M and b the tree's inertia and bias. No loop is left that could drift. G is sparse: a hinge
follows one variable, a cylinder the few between its mounts.

The coordinates are either the variables themselves, or the lengths of the redundant groups' first
members in place of the variables that these set; a length that is prescribed is then exact. In both
cases the equations are solved for theta'', with prescribed rows as constraints whose multipliers
are the drives' reactions:

    M_r theta'' = Q + G_P^T lambda,    G_P theta'' + Gdot_P theta' = the accelerations prescribed.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation.kernels import DrivenBy, give_way, leave_stop, pulled_stop, rests
from ...jit import (
    VECTOR,
    Record,
    Records,
    entry,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    records,
)
from ...kinematics.kernels import BLOCK, LINKAGE
from ...kinematics.kernels import joints as set_joints
from ...mechanism.kernels import FREEDOM
from ...spatial.kernels import body_at, cosine_and_sine, dot, momentum_of, product, put_six, six
from ..forces import add_forces, add_positions
from ..linear import factor, solve_factored
from ..motion.calls import ARREST, EVALUATE, PROJECT, READ_ROWS
from ..records import (
    BODY,
    EMBEDDED_CYLINDER,
    EMBEDDED_ROW,
    FUNCTION,
    MODEL,
)
from ..status import DynamicsStatus, failed
from ..tree.articulated import articulate_and_accelerate
from ..tree.composite_inertia import composite
from ..tree.newton_euler import gather_forces
from ..tree.placing import place, set_velocities
from .functions import (
    EXTRA,
    HINGE,
    RINGED,
    ROD,
    SLIDE,
    TILT,
    TUBE,
    add_row,
    own_part,
    place_all,
    row_dot,
    set_extra,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OK, NO_INERTIA, DEAD_CENTRE, NOT_FINITE = (
    DynamicsStatus.OK.value, DynamicsStatus.NO_INERTIA.value, DynamicsStatus.DEAD_CENTRE.value,
    DynamicsStatus.NOT_FINITE.value,
)  # fmt: skip
GUIDED = DrivenBy.GUIDED.value
OUT, TAKEN, STOPPED, DRIVEN = 0, 1, 2, 3  # rows that are constrained, in the order they hold in
DEAD = 1e-12  # of a row's own inertia: below it no force of that row can move it
TURN = 2.0 * math.pi


@kernel
def reduce_inertia(model: Floats, work: Floats) -> None:
    """M_r = G^T M G by composite bodies and rotors, the tree being placed."""
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    G, M = numbers(work, own.work.G), matrix(work, own.work.M)
    composite(freedoms, bodies)
    for i in range(M.shape[0]):
        for j in range(M.shape[0]):
            M[i, j] = 0.0
    for d in range(freedoms.shape[0]):
        body, y = bodies[d], functions[d]
        force = momentum_of(body_at(body.composite), six(body.axis))
        put_six(body.force, force)
        e = d
        while e >= 0:
            value = product(six(bodies[e].axis), force)
            if e == d:
                value += freedoms[d].armature
            x = functions[e]
            for a in range(y.first, y.first + y.count):
                row = columns[a]
                scaled = value * G[a]
                for b in range(x.first, x.first + x.count):
                    col = columns[b]
                    M[row, col] += scaled * G[b]
                    if e != d:
                        M[col, row] += scaled * G[b]
            e = freedoms[e].parent


@inlined_kernel
def constrain(model: Floats, chosen_io: Floats, work: Floats) -> int:
    """Add M^-1 G_P^T lambda to the answer so that the chosen rows get what is `wanted` of them.

    `chosen_io` is TAKEN for rows that take part. Rows that are STOPPED or DRIVEN take part unless
    they depend on those before them, TAKEN ones before STOPPED and these before DRIVEN ones; then
    they are OUT. `wanted` holds what their rows of G times the answer should be, and in the end
    their multipliers. Returns 1 + the first TAKEN row that nothing can move.
    """
    own = own_part(model)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    rows = records(model, own.rows, EMBEDDED_ROW)
    G, L = numbers(work, own.work.G), matrix(work, own.work.L)
    S, response = matrix(work, own.work.S), matrix(work, own.work.response)
    wanted, answer = numbers(work, own.work.wanted), numbers(work, own.work.answer)
    for r in range(rows.shape[0]):
        if chosen_io[r] == OUT:
            continue
        y = functions[rows[r].freedom]
        for k in range(answer.shape[0]):
            response[r, k] = 0.0
        add_row(y, columns, G, 1.0, response[r])
        solve_factored(L, response[r])
        wanted[r] -= row_dot(y, columns, G, answer)
    for r in range(rows.shape[0]):
        if chosen_io[r] == OUT:
            continue
        y = functions[rows[r].freedom]
        for s in range(rows.shape[0]):
            if chosen_io[s] != OUT:
                S[r, s] = row_dot(y, columns, G, response[s])
    dead = eliminate_in_turn(chosen_io, S, wanted)
    if dead:
        return dead
    for back in range(DRIVEN, TAKEN - 1, -1):
        for r in range(rows.shape[0] - 1, -1, -1):
            if chosen_io[r] != back:
                continue
            for s in range(rows.shape[0]):
                if comes_after(s, r, chosen_io):
                    wanted[r] -= S[r, s] * wanted[s]
            wanted[r] /= S[r, r]
            for k in range(answer.shape[0]):
                answer[k] += wanted[r] * response[r, k]
    return 0


@inlined_kernel
def eliminate_in_turn(chosen_io: Floats, S_io: Floats, wanted_io: Floats) -> int:
    """Gauss elimination without pivoting, as S is positive definite; rows as in `constrain`."""
    rows = chosen_io.shape[0]
    for turn in range(TAKEN, DRIVEN + 1):
        for r in range(rows):
            if chosen_io[r] != turn:
                continue
            own = S_io[r, r]
            for before in range(TAKEN, turn + 1):
                for p in range(rows):
                    if chosen_io[p] != before or (before == turn and p >= r):
                        continue
                    scale = S_io[r, p] / S_io[p, p]
                    for s in range(rows):
                        if comes_after(s, p, chosen_io):
                            S_io[r, s] -= scale * S_io[p, s]
                    wanted_io[r] -= scale * wanted_io[p]
            if not S_io[r, r] > DEAD * own:
                if turn == TAKEN:
                    return 1 + r
                chosen_io[r] = OUT
    return 0


@inlined_kernel
def comes_after(s: int, r: int, chosen_in: Floats) -> bool:
    """Whether row s comes after row r in the elimination."""
    return bool(chosen_in[s] > chosen_in[r] or (chosen_in[s] == chosen_in[r] and s > r))


@inlined_kernel
def is_open(link: Floats) -> bool:
    """Whether the machine has neither cylinders nor four-bars: a tree, which no loop closes."""
    head = header(link, LINKAGE)
    return bool(head.chains[1] == 0 and head.four_bars[1] == 0)


@inlined_kernel
def any_guided(drives_in: Records) -> bool:
    """Whether any row's acceleration is prescribed."""
    found = False
    for r in range(drives_in.shape[0]):
        found = found or drives_in[r].now == GUIDED
    return found


@kernel
def evaluate_open(
    model: Floats, q_in: Floats, v_in: Floats, drives_io: Records, pulls_in: Records,
    work: Floats, vdot_out: Floats, power_out: Record,
) -> int:  # fmt: skip
    """`evaluate` of a tree whose rows nothing guides: by articulated bodies, without any G.

    Each freedom is plus or minus one coordinate, counted from home.
    """
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    v_tree, tau = numbers(work, own.work.v_tree), numbers(work, own.work.tau)
    vdot = numbers(work, own.work.bias)
    for d in range(freedoms.shape[0]):
        y, turn = functions[d], bodies[d].turn
        column = columns[y.first]
        if y.source == HINGE:
            angle = y.home + y.sign * q_in[column]
            turn[0], turn[1] = cosine_and_sine(angle)
            turn[2] = y.pitch * angle
        elif y.source == SLIDE:
            turn[2] = y.home + y.sign * q_in[column]
        else:
            set_extra(y, q_in, turn)
        v_tree[freedoms[d].velocity] = y.sign * v_in[column]
    place(freedoms, bodies)
    set_velocities(freedoms, v_tree, bodies)
    add_forces(model, v_tree, pulls_in, bodies, tau, power_out)
    given = 0.0
    rows = records(model, own.rows, EMBEDDED_ROW)
    for r in range(rows.shape[0]):
        iv = freedoms[rows[r].freedom].velocity
        tau[iv] += drives_io[r].pull
        given += drives_io[r].pull * v_tree[iv]
        drives_io[r].reaction = 0.0
    power_out.drives = given
    if not articulate_and_accelerate(freedoms, head.gravity, tau, bodies, vdot):
        return NO_INERTIA
    total = 0.0
    for d in range(freedoms.shape[0]):
        y = functions[d]
        value = y.sign * vdot[freedoms[d].velocity]
        vdot_out[columns[y.first]] = value
        total += value
    return OK if math.isfinite(total) else NOT_FINITE


@entry(*EVALUATE.args)
@kernel
def evaluate(
    model: Floats, q_in: Floats, v_in: Floats, drives_io: Records, pulls_in: Records,
    work: Floats, vdot_out: Floats, power_out: Record,
) -> int:  # fmt: skip
    """Accelerations of the coordinates, reactions of guided rows, and powers [W]."""
    head, own = header(model, MODEL), own_part(model)
    if is_open(numbers(model, own.link)) and not any_guided(drives_io):
        return evaluate_open(model, q_in, v_in, drives_io, pulls_in, work, vdot_out, power_out)
    status = place_all(model, q_in, v_in, work)
    if status != OK:
        return status
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    rows = records(model, own.rows, EMBEDDED_ROW)
    G, Gdot = numbers(work, own.work.G), numbers(work, own.work.Gdot)
    v_tree, bias = numbers(work, own.work.v_tree), numbers(work, own.work.bias)
    tau, rate = numbers(work, own.work.tau), numbers(work, own.work.rate)
    M, L = matrix(work, own.work.M), matrix(work, own.work.L)
    right, answer = numbers(work, own.work.right), numbers(work, own.work.answer)
    wanted, chosen = numbers(work, own.work.wanted), numbers(work, own.work.chosen)
    add_forces(model, v_tree, pulls_in, bodies, tau, power_out)
    gather_forces(freedoms, head.gravity, bias, bodies)
    for k in range(head.nv):
        right[k] = 0.0
    for d in range(freedoms.shape[0]):
        iv = freedoms[d].velocity
        force = tau[iv] - dot(bodies[d].axis, bodies[d].force)
        force -= freedoms[d].armature * bias[iv]
        add_row(functions[d], columns, G, force, right)
    reduce_inertia(model, work)
    given = 0.0
    for r in range(rows.shape[0]):
        drive, y = drives_io[r], functions[rows[r].freedom]
        chosen[r] = TAKEN if drive.now == GUIDED else OUT
        if drive.now == GUIDED:
            wanted[r] = drive.pull - row_dot(y, columns, Gdot, rate)
        else:
            add_row(y, columns, G, drive.pull, right)
            given += drive.pull * v_tree[freedoms[rows[r].freedom].velocity]
            drive.reaction = 0.0
    if not factor(M, L):
        return NO_INERTIA
    for k in range(head.nv):
        answer[k] = right[k]
    solve_factored(L, answer)
    dead = constrain(model, chosen, work)
    if dead:
        return failed(DEAD_CENTRE, dead - 1)
    for r in range(rows.shape[0]):
        if drives_io[r].now == GUIDED:
            drives_io[r].reaction = wanted[r]
            given += wanted[r] * v_tree[freedoms[rows[r].freedom].velocity]
    power_out.drives = given
    to_coordinates(model, answer, rate, work, vdot_out)
    total = 0.0
    for k in range(head.nv):
        total += vdot_out[k]
    return OK if math.isfinite(total) else NOT_FINITE


@inlined_kernel
def to_coordinates(model: Floats, vector: Floats, rate: Floats, work: Floats, out: Floats) -> None:
    """Theta'' as accelerations of the coordinates: G theta'' + Gdot theta' for lengths."""
    own = own_part(model)
    for k in range(out.shape[0]):
        out[k] = vector[k]
    if own.by_lengths:
        link = numbers(model, own.link)
        blocks = records(link, header(link, LINKAGE).blocks, BLOCK)
        functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
        cylinders = records(model, own.cylinders, EMBEDDED_CYLINDER)
        G, Gdot = numbers(work, own.work.G), numbers(work, own.work.Gdot)
        for b in range(blocks.shape[0]):
            for k in range(blocks[b].n):
                rod = functions[cylinders[blocks[b].actuators[k]].rod]
                value = row_dot(rod, columns, G, vector) + row_dot(rod, columns, Gdot, rate)
                out[blocks[b].variables[k]] = value


@entry(*READ_ROWS.args)
@kernel
def read_rows(model: Floats, q_in: Floats, v_in: Floats, work: Floats, states_out: Records) -> int:
    """Position and rate of every row; most of them are coordinates themselves."""
    own = own_part(model)
    functions = records(model, own.functions, FUNCTION)
    rows = records(model, own.rows, EMBEDDED_ROW)
    direct = True
    for r in range(rows.shape[0]):
        direct = direct and rows[r].position >= 0
    if not direct:
        status = place_all(model, q_in, v_in, work)
        if status != OK:
            return status
        for r in range(rows.shape[0]):
            states_out[r].position, states_out[r].rate = row_state(model, q_in, r, work)
        return OK
    for r in range(rows.shape[0]):
        y = functions[rows[r].freedom]
        states_out[r].position = y.home + y.sign * q_in[rows[r].position]
        states_out[r].rate = y.sign * v_in[rows[r].velocity]
    return OK


@inlined_kernel
def input_angle(y: Record, columns: Ints, theta: Floats) -> float:
    """Angle at the pivot of a four-bar whose turn is its variable: continuous, never wrapped."""
    angle = theta[columns[y.first]]
    return float(angle if y.after == 1 else -angle)


@inlined_kernel
def nearest(angle: float, home: float) -> float:
    """An angle with as many whole turns as bring it nearest to home [rad]."""
    beyond = angle - home
    return home + beyond - TURN * round(beyond / TURN)


@inlined_kernel
def row_state(model: Floats, q_in: Floats, row: int, work: Floats) -> tuple[float, float]:
    """Position and rate of one row, everything being placed."""
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    columns, theta = indices(model, own.columns), numbers(work, own.work.theta)
    freedom = records(model, own.rows, EMBEDDED_ROW)[row].freedom
    y = records(model, own.functions, FUNCTION)[freedom]
    turn = bodies[freedom].turn
    rate = numbers(work, own.work.v_tree)[freedoms[freedom].velocity]
    if y.source == HINGE:
        return y.home + y.sign * theta[y.number], rate
    if y.source == RINGED and y.before + y.after == 1:
        return y.home + y.sign * input_angle(y, columns, theta), rate
    if y.source == RINGED:
        return nearest(math.atan2(turn[1], turn[0]), y.home), rate
    if y.source == EXTRA:
        return q_in[y.number], rate
    return turn[2], rate


@entry(*PROJECT.args)
@kernel
def project(model: Floats, q_io: Floats, v_io: Floats, drives_in: Records, work: Floats) -> int:
    """Bring guided rows that are no coordinates where they should be, and to their rates.

    By the least change in the metric of kinetic energy. Where lengths are coordinates there is
    nothing to do.
    """
    head, own = header(model, MODEL), own_part(model)
    functions = records(model, own.functions, FUNCTION)
    rows = records(model, own.rows, EMBEDDED_ROW)
    needed = False
    for r in range(rows.shape[0]):
        row, drive = rows[r], drives_in[r]
        guided = drive.now == GUIDED
        needed = needed or (guided and row.position < 0)
        if guided and row.position >= 0:  # a coordinate itself: it is what it should be
            y = functions[row.freedom]
            q_io[row.position] = y.sign * (drive.aim - y.home)
            v_io[row.velocity] = y.sign * drive.aim_rate
    if not needed:
        return OK
    M, L = matrix(work, own.work.M), matrix(work, own.work.L)
    right, more = numbers(work, own.work.right), numbers(work, own.work.more)
    answer, wanted = numbers(work, own.work.answer), numbers(work, own.work.wanted)
    chosen = numbers(work, own.work.chosen)
    for iteration in range(3):
        status = place_all(model, q_io, v_io, work)
        if status != OK:
            return status
        reduce_inertia(model, work)
        if not factor(M, L):
            return NO_INERTIA
        for k in range(head.nv):
            answer[k], right[k] = 0.0, 0.0
        for r in range(rows.shape[0]):
            drive = drives_in[r]
            chosen[r] = TAKEN if drive.now == GUIDED else OUT
            position, rate = row_state(model, q_io, r, work)
            if iteration < 2:
                wanted[r] = drive.aim - position
                if functions[rows[r].freedom].source == RINGED:
                    wanted[r] = nearest(wanted[r], 0.0)
            else:
                wanted[r] = drive.aim_rate - rate
        dead = constrain(model, chosen, work)
        if dead:
            return failed(DEAD_CENTRE, dead - 1)
        zero_curves(numbers(work, own.work.Gdot))
        to_coordinates(model, answer, right, work, more)
        if iteration < 2:
            add_positions(model, more, q_io)
        else:
            for k in range(head.nv):
                v_io[k] += more[k]
    return OK


@entry(*ARREST.args)
@kernel
def arrest(
    model: Floats, q_in: Floats, v_io: Floats, mask_io: Floats, drives_io: Records, hold: bool,
    work: Floats,
) -> tuple[int, float, float]:  # fmt: skip
    """Inelastic stop: rows with a mask get rate 0, guided ones keep theirs, by one impulse.

    The mask is -1 at lower stops and 1 at upper ones. No stop pulls: those that would have to, of
    rows that come or that rest, let go, and lose their mask; unless they are told to hold. A guided
    row that stops hold by way of the loops gives way, and so does a stop that others make needless.
    Returns (status, kinetic energy lost [J], work that the guided drives' impulses did [J]).
    """
    status = place_all(model, q_in, v_io, work)
    if status != OK:
        return status, 0.0, 0.0
    head, own = header(model, MODEL), own_part(model)
    freedoms = records(model, head.freedoms, FREEDOM)
    rows = records(model, own.rows, EMBEDDED_ROW)
    M, L = matrix(work, own.work.M), matrix(work, own.work.L)
    rate, v_tree = numbers(work, own.work.rate), numbers(work, own.work.v_tree)
    right, more = numbers(work, own.work.right), numbers(work, own.work.more)
    answer, wanted = numbers(work, own.work.answer), numbers(work, own.work.wanted)
    chosen = numbers(work, own.work.chosen)
    reduce_inertia(model, work)
    if not factor(M, L):
        return NO_INERTIA, 0.0, 0.0
    for _ in range(rows.shape[0] + 1):
        for r in range(rows.shape[0]):
            masked = mask_io[r] != 0.0
            chosen[r] = DRIVEN if drives_io[r].now == GUIDED else OUT
            if masked or rests(r, drives_io):
                chosen[r] = STOPPED
            wanted[r] = -v_tree[freedoms[rows[r].freedom].velocity] if masked else 0.0
        for k in range(head.nv):
            answer[k] = 0.0
        dead = constrain(model, chosen, work)
        if dead:
            return failed(DEAD_CENTRE, dead - 1), 0.0, 0.0
        for r in range(rows.shape[0]):
            if chosen[r] == OUT:
                wanted[r] = 0.0
        pulled = pulled_stop(drives_io, mask_io, wanted)
        if hold or pulled < 0:
            break
        if mask_io[pulled] == 0.0:
            leave_stop(pulled, drives_io)
        mask_io[pulled] = 0.0
    for r in range(rows.shape[0]):
        if chosen[r] == OUT and mask_io[r] != 0.0:
            mask_io[r] = 0.0
        elif chosen[r] == OUT and drives_io[r].now == GUIDED:
            give_way(r, drives_io)
    lost = 0.0
    for i in range(head.nv):
        for j in range(head.nv):
            lost -= (rate[i] + 0.5 * answer[i]) * M[i, j] * answer[j]
    done = 0.0
    for r in range(rows.shape[0]):
        if drives_io[r].now == GUIDED and mask_io[r] == 0.0:
            done += wanted[r] * v_tree[freedoms[rows[r].freedom].velocity]
    for k in range(head.nv):
        more[k] = rate[k] + answer[k]
        right[k] = 0.0
    zero_curves(numbers(work, own.work.Gdot))
    to_coordinates(model, more, right, work, v_io)
    return OK, lost + done, done


@inlined_kernel
def zero_curves(Gdot: Floats) -> None:
    """Forget Gdot: what follows asks for velocities, not for accelerations."""
    for k in range(Gdot.shape[0]):
        Gdot[k] = 0.0


@entry(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def tree_state(
    model: Floats, q_in: Floats, v_in: Floats, work: Floats, q_tree_out: Floats, v_tree_out: Floats
) -> int:
    """Positions and velocities of the whole tree, which is left placed in `work`."""
    status = place_all(model, q_in, v_in, work)
    if status != OK:
        return status
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    theta, v_tree = numbers(work, own.work.theta), numbers(work, own.work.v_tree)
    for d in range(freedoms.shape[0]):
        y, iq, turn = functions[d], freedoms[d].position, bodies[d].turn
        if y.source == RINGED and y.before + y.after == 1:
            q_tree_out[iq] = y.home + y.sign * input_angle(y, columns, theta)
        elif y.source in (RINGED, TUBE, TILT):  # rings that cylinders set follow below
            q_tree_out[iq] = nearest(math.atan2(turn[1], turn[0]), y.home)
        elif y.source in (HINGE, SLIDE):
            q_tree_out[iq] = y.home + y.sign * theta[y.number]
        elif y.source == ROD:
            q_tree_out[iq] = turn[2]
        elif y.source == EXTRA and y.number >= 0:
            for k in range(max(y.width, 1)):
                q_tree_out[iq + k] = q_in[y.number + k]
    set_joints(numbers(model, own.link), theta, q_tree_out)
    for i in range(freedoms.shape[0]):
        v_tree_out[i] = v_tree[i]
    return OK
