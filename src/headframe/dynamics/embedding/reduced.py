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

from ...actuation.kernels import give_way, rests
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
from ...kinematics.kernels import LINKAGE
from ...kinematics.kernels import joints as set_joints
from ...mechanism import Floats, Ints
from ...mechanism.kernels import FREEDOM
from ...spatial.kernels import body_at, dot, momentum_of, product, put_six, six
from ..driven_rows import GUIDED, add_drives, any_guided, let_go, react, rows_of, work_in_impact
from ..forces import add_forces, add_positions, inertia_of_resistance, tree_parts
from ..linear import add_scaled, all_finite, copy, factor, inner, solve_factored, zero, zero_matrix
from ..motion.calls import ARREST, EVALUATE, PROJECT, READ_ROWS
from ..records import BODY, FUNCTION, LED_LENGTH, MODEL, RESISTANCE
from ..status import DEAD_CENTRE, NO_INERTIA, NOT_FINITE, OK, failed
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
    set_own_turn,
)
from .holding import accelerate_held, forces_to_z, hold_rows, z_to_rates

OUT, TAKEN, STOPPED, DRIVEN = 0, 1, 2, 3  # rows that are constrained, in the order they hold in
DEAD = 1e-12  # of a row's own inertia: below it no force of that row can move it
TURN = 2.0 * math.pi


@kernel
def reduce_inertia(model: Floats, work: Floats) -> None:
    """M_r = G^T M G by composite bodies and rotors, the tree being placed."""
    own = own_part(model)
    freedoms, bodies = tree_parts(model, work)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    G, M = numbers(work, own.work.G), matrix(work, own.work.M)
    resistances = records(model, header(model, MODEL).resistances, RESISTANCE)
    v_tree, ahead = numbers(work, own.work.v_tree), header(model, MODEL).ahead
    composite(freedoms, bodies)
    zero_matrix(M)
    for d in range(freedoms.shape[0]):
        body, y = bodies[d], functions[d]
        force = momentum_of(body_at(body.composite), six(body.axis))
        put_six(body.force, force)
        e = d
        while e >= 0:
            value = product(six(bodies[e].axis), force)
            if e == d:
                value += freedoms[d].armature
                if ahead > 0.0:
                    iv = freedoms[d].velocity
                    value += inertia_of_resistance(resistances[iv], v_tree[iv], ahead)
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


@kernel
def set_inertia(model: Floats, q_in: Floats, v_in: Floats, work: Floats) -> int:
    """Everything that positions and velocities decide, M_r and its factor included."""
    own = own_part(model)
    status = place_all(model, q_in, v_in, work)
    if status != OK:
        return status
    reduce_inertia(model, work)
    return OK if factor(matrix(work, own.work.M), matrix(work, own.work.L)) else NO_INERTIA


@inlined_kernel
def set_inertia_here(model: Floats, drives_in: Records, work: Floats) -> int:
    """M_r and its factor where the tree stands already, and the basis of guided rows."""
    own = own_part(model)
    freedoms, bodies = tree_parts(model, work)
    set_velocities(freedoms, numbers(work, own.work.v_tree), bodies)
    reduce_inertia(model, work)
    if not factor(matrix(work, own.work.M), matrix(work, own.work.L)):
        return NO_INERTIA
    return hold_rows(model, drives_in, work)


@inlined_kernel
def constrain(model: Floats, work: Floats) -> int:
    """Add M^-1 G_P^T lambda to the answer so that the chosen rows get what is `wanted` of them.

    `chosen` is TAKEN for rows that take part. Rows that are STOPPED or DRIVEN take part unless they
    depend on those before them, TAKEN ones before STOPPED and these before DRIVEN ones; then they
    are OUT. `wanted` holds what their rows of G times the answer should be, and in the end their
    multipliers. Fails with the first TAKEN row that nothing can move.
    """
    own = own_part(model)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    rows, chosen = rows_of(model), numbers(work, own.work.chosen)
    G, L = numbers(work, own.work.G), matrix(work, own.work.L)
    S, response = matrix(work, own.work.S), matrix(work, own.work.response)
    wanted, answer = numbers(work, own.work.wanted), numbers(work, own.work.answer)
    for r in range(rows.shape[0]):
        if chosen[r] == OUT:
            continue
        y = functions[rows[r].freedom]
        zero(response[r])
        add_row(y, columns, G, 1.0, response[r])
        solve_factored(L, response[r])
        wanted[r] -= row_dot(y, columns, G, answer)
    for r in range(rows.shape[0]):
        if chosen[r] == OUT:
            continue
        y = functions[rows[r].freedom]
        for s in range(rows.shape[0]):
            if chosen[s] != OUT:
                S[r, s] = row_dot(y, columns, G, response[s])
    dead = eliminate_in_turn(chosen, S, wanted)
    if dead:
        return failed(DEAD_CENTRE, dead - 1)
    for back in range(DRIVEN, TAKEN - 1, -1):
        for r in range(rows.shape[0] - 1, -1, -1):
            if chosen[r] != back:
                continue
            for s in range(rows.shape[0]):
                if comes_after(s, r, chosen):
                    wanted[r] -= S[r, s] * wanted[s]
            wanted[r] /= S[r, r]
            add_scaled(wanted[r], response[r], answer)
    return OK


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


@kernel
def evaluate_open(
    model: Floats, q_in: Floats, v_in: Floats, drives_io: Records, pulls_in: Records,
    work: Floats, vdot_out: Floats, power_out: Record,
) -> int:  # fmt: skip
    """`evaluate` of a tree whose rows nothing guides: by articulated bodies, without any G.

    Each freedom is plus or minus one coordinate, counted from home.
    """
    head, own = header(model, MODEL), own_part(model)
    freedoms, bodies = tree_parts(model, work)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    v_tree, tau = numbers(work, own.work.v_tree), numbers(work, own.work.tau)
    vdot = numbers(work, own.work.bias)
    for d in range(freedoms.shape[0]):
        y = functions[d]
        set_own_turn(y, q_in, q_in, bodies[d].turn)
        v_tree[freedoms[d].velocity] = y.sign * v_in[columns[y.first]]
    place(freedoms, bodies)
    set_velocities(freedoms, v_tree, bodies)
    add_forces(model, v_tree, pulls_in, bodies, tau, power_out)
    power_out.drives = add_drives(model, drives_io, v_tree, tau)
    for r in range(drives_io.shape[0]):
        drives_io[r].reaction = 0.0
    if not articulate_and_accelerate(freedoms, head.gravity, tau, bodies, vdot):
        return NO_INERTIA
    for d in range(freedoms.shape[0]):
        y = functions[d]
        vdot_out[columns[y.first]] = y.sign * vdot[freedoms[d].velocity]
    return OK if all_finite(vdot_out) else NOT_FINITE


@entry(*EVALUATE.args)
@kernel
def evaluate(
    model: Floats, q_in: Floats, v_in: Floats, drives_io: Records, pulls_in: Records,
    work: Floats, vdot_out: Floats, power_out: Record,
) -> int:  # fmt: skip
    """Accelerations of the coordinates, reactions of guided rows, and powers [W]."""
    head, own = header(model, MODEL), own_part(model)
    quick = is_open(numbers(model, own.link)) and not any_guided(drives_io)
    if quick and head.factored == 0:
        return evaluate_open(model, q_in, v_in, drives_io, pulls_in, work, vdot_out, power_out)
    if head.factored == 0:
        status = set_inertia(model, q_in, v_in, work)
    else:
        status = set_inertia_here(model, drives_io, work)
    if status != OK:
        return status
    freedoms, bodies = tree_parts(model, work)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    led, rows = records(model, own.led, LED_LENGTH), rows_of(model)
    G, Gdot = numbers(work, own.work.G), numbers(work, own.work.Gdot)
    v_tree, bias = numbers(work, own.work.v_tree), numbers(work, own.work.bias)
    tau, rate = numbers(work, own.work.tau), numbers(work, own.work.rate)
    wanted, chosen = numbers(work, own.work.wanted), numbers(work, own.work.chosen)
    answer = numbers(work, own.work.answer)
    add_forces(model, v_tree, pulls_in, bodies, tau, power_out)
    power_out.drives = add_drives(model, drives_io, v_tree, tau)
    gather_forces(freedoms, head.gravity, bias, bodies)
    zero(answer)
    for d in range(freedoms.shape[0]):
        iv = freedoms[d].velocity
        force = tau[iv] - dot(bodies[d].axis, bodies[d].force)
        force -= freedoms[d].armature * bias[iv]
        add_row(functions[d], columns, G, force, answer)
    for r in range(rows.shape[0]):
        chosen[r] = OUT
        if drives_io[r].now == GUIDED:
            y = functions[rows[r].freedom]
            chosen[r] = TAKEN
            wanted[r] = drives_io[r].pull - row_dot(y, columns, Gdot, rate)
    L = matrix(work, own.work.L)
    if head.factored == 0:
        solve_factored(L, answer)
        status = constrain(model, work)
        if status != OK:
            return status
    else:
        forces_to_z(L, answer)
        accelerate_held(model, work, wanted, answer)
        z_to_rates(L, answer)
    power_out.drives += react(model, wanted, v_tree, drives_io)
    to_coordinates(model, answer, work, vdot_out)
    for n in range(led.shape[0]):
        vdot_out[led[n].variable] += bias[freedoms[led[n].rod].velocity]
    return OK if all_finite(vdot_out) else NOT_FINITE


@inlined_kernel
def to_coordinates(model: Floats, rate_in: Floats, work: Floats, out: Floats) -> None:
    """Rates of the variables as rates of the coordinates: for lengths, G times them."""
    own = own_part(model)
    functions, columns = records(model, own.functions, FUNCTION), indices(model, own.columns)
    led, G = records(model, own.led, LED_LENGTH), numbers(work, own.work.G)
    copy(rate_in, out)
    for n in range(led.shape[0]):
        out[led[n].variable] = row_dot(functions[led[n].rod], columns, G, rate_in)


@entry(*READ_ROWS.args)
@kernel
def read_rows(model: Floats, q_in: Floats, v_in: Floats, work: Floats, states_out: Records) -> int:
    """Position and rate of every row; most of them are coordinates themselves."""
    functions, rows = records(model, own_part(model).functions, FUNCTION), rows_of(model)
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
def position_of(model: Floats, q_in: Floats, d: int, work: Floats) -> float:
    """Position of one freedom that turns or slides, everything being placed."""
    own = own_part(model)
    columns, theta = indices(model, own.columns), numbers(work, own.work.theta)
    y = records(model, own.functions, FUNCTION)[d]
    turn = records(work, header(model, MODEL).bodies, BODY)[d].turn
    if y.source in (HINGE, SLIDE):
        return float(y.home + y.sign * theta[y.number])
    if y.source == RINGED and y.before + y.after == 1:
        return float(y.home + y.sign * input_angle(y, columns, theta))
    if y.source in (RINGED, TUBE, TILT):
        return nearest(math.atan2(turn[1], turn[0]), y.home)
    return float(turn[2] if y.source == ROD else q_in[y.number])


@inlined_kernel
def row_state(model: Floats, q_in: Floats, row: int, work: Floats) -> tuple[float, float]:
    """Position and rate of one row, everything being placed."""
    at, v_tree = rows_of(model)[row], numbers(work, own_part(model).work.v_tree)
    return position_of(model, q_in, at.freedom, work), v_tree[at.tree_velocity]


@entry(*PROJECT.args)
@kernel
def project(model: Floats, q_io: Floats, v_io: Floats, drives_in: Records, work: Floats) -> int:
    """Bring guided rows that are no coordinates where they should be, and to their rates.

    By the least change in the metric of kinetic energy. Where lengths are coordinates there is
    nothing to do.
    """
    own, rows, needed = own_part(model), rows_of(model), False
    functions = records(model, own.functions, FUNCTION)
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
    change = numbers(work, own.work.more)
    for _ in range(2):
        status = change_guided(model, q_io, v_io, drives_in, True, work)
        if status != OK:
            return status
        add_positions(model, change, q_io)
    status = change_guided(model, q_io, v_io, drives_in, False, work)
    if status == OK:
        add_scaled(1.0, change, v_io)
    return status


@kernel
def change_guided(
    model: Floats, q_in: Floats, v_in: Floats, drives_in: Records, places: bool, work: Floats
) -> int:
    """Least change of the coordinates that brings guided rows to their places, or their rates."""
    own, rows = own_part(model), rows_of(model)
    functions, answer = records(model, own.functions, FUNCTION), numbers(work, own.work.answer)
    wanted, chosen = numbers(work, own.work.wanted), numbers(work, own.work.chosen)
    status = set_inertia(model, q_in, v_in, work)
    if status != OK:
        return status
    for r in range(rows.shape[0]):
        position, rate = row_state(model, q_in, r, work)
        chosen[r] = TAKEN if drives_in[r].now == GUIDED else OUT
        wanted[r] = drives_in[r].aim - position if places else drives_in[r].aim_rate - rate
        if places and functions[rows[r].freedom].source == RINGED:
            wanted[r] = nearest(wanted[r], 0.0)
    zero(answer)
    status = constrain(model, work)
    to_coordinates(model, answer, work, numbers(work, own.work.more))
    return status


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
    own, rows = own_part(model), rows_of(model)
    M, more = matrix(work, own.work.M), numbers(work, own.work.more)
    rate, v_tree = numbers(work, own.work.rate), numbers(work, own.work.v_tree)
    answer, wanted = numbers(work, own.work.answer), numbers(work, own.work.wanted)
    chosen, searching = numbers(work, own.work.chosen), True
    status = set_inertia(model, q_in, v_io, work)
    if status != OK:
        return status, 0.0, 0.0
    while searching:
        for r in range(rows.shape[0]):
            chosen[r] = DRIVEN if drives_io[r].now == GUIDED else OUT
            if mask_io[r] != 0.0 or rests(r, drives_io):
                chosen[r] = STOPPED
            wanted[r] = -v_tree[rows[r].tree_velocity] if mask_io[r] != 0.0 else 0.0
        zero(answer)
        status = constrain(model, work)
        if status != OK:
            return status, 0.0, 0.0
        for r in range(rows.shape[0]):
            if chosen[r] == OUT:
                wanted[r] = 0.0
        searching = let_go(hold, wanted, drives_io, mask_io)
    for r in range(rows.shape[0]):
        if chosen[r] == OUT and mask_io[r] != 0.0:
            mask_io[r] = 0.0
        elif chosen[r] == OUT and drives_io[r].now == GUIDED:
            give_way(r, drives_io)
    lost, done = 0.0, work_in_impact(model, wanted, v_tree, drives_io, mask_io)
    for i in range(answer.shape[0]):
        more[i] = rate[i] + answer[i]
        lost -= (rate[i] + 0.5 * answer[i]) * inner(M[i], answer)
    to_coordinates(model, more, work, v_io)
    return OK, lost + done, done


@entry(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def tree_state(
    model: Floats, q_in: Floats, v_in: Floats, work: Floats, q_tree_out: Floats, v_tree_out: Floats
) -> int:
    """Positions and velocities of the whole tree, which is left placed in `work`."""
    status = place_all(model, q_in, v_in, work)
    if status != OK:
        return status
    own, freedoms = own_part(model), records(model, header(model, MODEL).freedoms, FREEDOM)
    functions = records(model, own.functions, FUNCTION)
    theta, v_tree = numbers(work, own.work.theta), numbers(work, own.work.v_tree)
    for d in range(freedoms.shape[0]):
        y, iq = functions[d], freedoms[d].position
        if y.source != EXTRA:  # rings that cylinders set follow below
            q_tree_out[iq] = position_of(model, q_in, d, work)
        elif y.number >= 0:
            for k in range(max(y.width, 1)):
                q_tree_out[iq + k] = q_in[y.number + k]
    set_joints(numbers(model, own.link), theta, q_tree_out)
    copy(v_tree, v_tree_out)
    return OK
