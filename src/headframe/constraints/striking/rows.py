"""Kernels of contacts as rows of sequential impulses.

A contact has three rows, J v of a against b along its normal and two tangents, over the velocities
of one or two movers, and what unit impulses make of these velocities, Y = M^-1 J^T (paper SIMGC,
Fig. 2). One sweep gives every contact (Eqs. (3), (4), (8) and the clipping behind it)

- along the normal the impulse p_n >= 0 that makes J v as large as it must be at least;
- along the tangents the impulse p_t that stops it, or one at the limit where |p_t| would be more
  than mu p_n. Each tangent clipped by itself would let friction reach sqrt(2) mu p_n along a
  diagonal, so it is one vector in a circle. p_t <- p_t - c u_t, drawn back onto the circle, rests
  where p_t is opposed to u_t if c is one number; 1 / the largest eigenvalue of what unit impulses
  along the tangents do is one for which it converges.

What the normal velocity must be at least, with u the one before the step, gap = -depth, and g_n the
gravity along the normal of what moves:

- 0 for what touches, -gap / h where there is still a way to go: it is come to, not run into;
- an approach -u that ends in this step, and is faster than FALLS steps of free fall, bounces. The
  impact counts as the step's beginning, and gravity pulls for all of it: -e u + min(h g_n, 0). So a
  bounce changes the energy of a body by -(1 - e^2) m u^2 / 2 - m (h g)^2 / 2: it never grows.

Where several contacts of an island push at once, or friction helps, restitution in this sense can
add energy all the same. Then all of that island bounce less: see `stepping.bounce_less`.
"""

from __future__ import annotations

import math

from ...dynamics.kernels import MoverKind, add_scaled, inner, zero
from ...jit import Record, inlined_kernel, kernel, table
from ...mechanism import Floats
from ...spatial.kernels import Numbers, six, three, velocity_at
from .calls import PSEUDO, VELOCITIES
from .loose import loose_rows
from .machine import array, machine_rows
from .parts import StrikingParts

MACHINE_KIND = MoverKind.MACHINE.value
SETTLED = 1e-3  # [m/s] up to which friction is static
NOTHING = 1e-14  # [1/kg] mobility of what nothing moves
FALLS = 2.0  # steps of free fall, whose speed an approach must have to bounce


# ---------------------------------------------------------------------- both sides of a contact


@inlined_kernel
def piece_of(moving: Record, stage: int, piece: int) -> Floats:
    """A piece of the velocities, or pseudo-velocities, of a mover."""
    v = array(moving.v) if stage == VELOCITIES else array(moving.push)
    piece_out: Floats = table(v, 0, v.shape[0] // moving.wide, moving.wide)[piece]
    return piece_out


@inlined_kernel
def rate_of(m: StrikingParts, one: Record, strike: Record, stage: int, k: int) -> float:
    """Velocity of a against b along an axis."""
    total = 0.0
    if one.a >= 0:
        total += rate_of_side(m, one.a, one.rows_a, strike.piece_a, stage, k)
    if one.b >= 0:
        total += rate_of_side(m, one.b, one.rows_b, strike.piece_b, stage, k)
    return total


@inlined_kernel
def rate_of_side(m: StrikingParts, mover: int, begin: int, piece: int, stage: int, k: int) -> float:
    """What one side has of that."""
    moving = m.moving[mover]
    return inner(table(m.rows, begin, 3, moving.wide)[k], piece_of(moving, stage, piece))


@inlined_kernel
def hit(m: StrikingParts, one: Record, strike: Record, stage: int, k: int, impulse: float) -> None:
    """Add the velocities that an impulse along an axis makes."""
    if one.a >= 0:
        hit_side(m, one.a, one.held_a, strike.piece_a, stage, k, impulse)
    if one.b >= 0:
        hit_side(m, one.b, one.held_b, strike.piece_b, stage, k, impulse)


@inlined_kernel
def hit_side(
    m: StrikingParts, mover: int, begin: int, piece: int, stage: int, k: int, impulse: float
) -> None:
    """Add those of one side."""
    moving = m.moving[mover]
    add_scaled(impulse, table(m.rows, begin, 3, moving.wide)[k], piece_of(moving, stage, piece))


# ------------------------------------------------------------------------------ before the sweeps


@kernel
def set_strike(m: StrikingParts, one: Record, strike: Record) -> None:
    """All that a contact needs for its sweeps; the impulses of the last step are applied."""
    strike.piece_a, strike.piece_b = 0, 0
    if one.a >= 0:
        strike.piece_a = set_side(m, one, one.a, one.body_a, 1.0, one.rows_a, one.held_a)
    if one.b >= 0:
        strike.piece_b = set_side(m, one, one.b, one.body_b, -1.0, one.rows_b, one.held_b)
    if one.a == one.b and strike.piece_a == strike.piece_b:
        merge_sides(m, one)
    set_mobility(m, one, strike)
    set_before(m, one, strike.before)
    set_least(m, one, strike, 1.0)
    pair = m.pairs[one.pair]
    sliding = math.hypot(strike.before[1], strike.before[2]) > SETTLED
    strike.friction = pair.dynamic if sliding else pair.static
    start_impulse(m, one, strike)


@kernel
def set_side(
    m: StrikingParts, one: Record, mover: int, body: int, sign: float, begin: int, begin_Y: int
) -> int:
    """Rows of a contact by the velocities of one of its movers; over which piece of these."""
    number, wide = m.movers[mover].number, m.moving[mover].wide
    J, Y = table(m.rows, begin, 3, wide), table(m.rows, begin_Y, 3, wide)
    if m.movers[mover].kind == MACHINE_KIND:
        freedom = m.carriers[body].freedom
        return machine_rows(m.machines[number], freedom, one, sign, m.point, m.axes, J, Y)
    loose_rows(m.loose[number], one.touch.point, one.axes, sign, J, Y)
    return 0


@inlined_kernel
def merge_sides(m: StrikingParts, one: Record) -> None:
    """One side for two links of the same machine: the velocities are the same ones."""
    wide = m.moving[one.a].wide
    J_a, J_b = table(m.rows, one.rows_a, 3, wide), table(m.rows, one.rows_b, 3, wide)
    Y_a, Y_b = table(m.rows, one.held_a, 3, wide), table(m.rows, one.held_b, 3, wide)
    for k in range(3):
        add_scaled(1.0, J_b[k], J_a[k])
        add_scaled(1.0, Y_b[k], Y_a[k])
        zero(J_b[k])
        zero(Y_b[k])


@inlined_kernel
def set_mobility(m: StrikingParts, one: Record, strike: Record) -> None:
    """Change of velocity by unit impulses, the effective mass along the normal, and the tangents'.

    Of a symmetric matrix [[a, b], [b, c]] the largest eigenvalue is
    (a + c) / 2 + hypot((a - c) / 2, b).
    """
    K, T = strike.mobility, strike.tangent
    for i in range(3):
        for j in range(3):
            K[i, j] = 0.0
    if one.a >= 0:
        add_mobility(m, one.a, one.rows_a, one.held_a, K)
    if one.b >= 0:
        add_mobility(m, one.b, one.rows_b, one.held_b, K)
    strike.mass = 1.0 / K[0, 0] if K[0, 0] > NOTHING else 0.0
    a, b, c = K[1, 1], 0.5 * (K[1, 2] + K[2, 1]), K[2, 2]
    largest, left = 0.5 * (a + c) + math.hypot(0.5 * (a - c), b), a * c - b * b
    strike.lightest = 1.0 / largest if largest > NOTHING else 0.0
    T[0, 0], T[0, 1], T[1, 0], T[1, 1] = 0.0, 0.0, 0.0, 0.0
    if left > NOTHING * largest * largest:
        T[0, 0], T[0, 1], T[1, 0], T[1, 1] = c / left, -b / left, -b / left, a / left
    else:  # it can move along one direction only
        T[0, 0], T[1, 1] = strike.lightest, strike.lightest


@inlined_kernel
def add_mobility(m: StrikingParts, mover: int, begin: int, begin_Y: int, K_io: Floats) -> None:
    """Add J Y^T of one side."""
    wide = m.moving[mover].wide
    J, Y = table(m.rows, begin, 3, wide), table(m.rows, begin_Y, 3, wide)
    for i in range(3):
        for j in range(3):
            K_io[i, j] += inner(J[i], Y[j])


@inlined_kernel
def set_before(m: StrikingParts, one: Record, before_out: Floats) -> None:
    """Velocity of a against b before the step, along the axes."""
    for k in range(3):
        before_out[k] = 0.0
        if one.a >= 0:
            before_out[k] += along(one.axes[k], velocity_of(m, one, one.body_a))
        if one.b >= 0:
            before_out[k] -= along(one.axes[k], velocity_of(m, one, one.body_b))


@inlined_kernel
def velocity_of(m: StrikingParts, one: Record, body: int) -> Numbers:
    """Velocity of a body at a contact before the step, world axes."""
    return velocity_at(six(m.placed[body].velocity), three(one.touch.point))


@inlined_kernel
def along(axis: Floats, u: Numbers) -> float:
    """A vector along an axis."""
    return float(axis[0] * u[0] + axis[1] * u[1] + axis[2] * u[2])


@inlined_kernel
def set_least(m: StrikingParts, one: Record, strike: Record, share: float) -> None:
    """Least normal velocity after the step, and whether the contact bounces.

    `share` is that of its restitution that it bounces with.
    """
    g, h, gap, approach = m.gravity, m.h, -one.touch.depth, -strike.before[0]
    falls = along(one.touch.normal, three(g))
    pulled = (falls if one.a >= 0 else 0.0) - (falls if one.b >= 0 else 0.0)
    slowest = FALLS * h * math.sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])
    strike.least = min(-gap / h, 0.0)
    strike.bounces = 0
    if approach > slowest and gap <= h * (approach - h * pulled):
        leaves = share * m.pairs[one.pair].restitution * approach + min(h * pulled, 0.0)
        if leaves > strike.least:
            strike.least, strike.bounces = leaves, 1


@inlined_kernel
def start_impulse(m: StrikingParts, one: Record, strike: Record) -> None:
    """Begin with the impulses of the last step (step 4 of algorithm SIMGC), but not after a bounce.

    `memory.speed` is that of the approach that bounced in the last step, or 0.
    """
    strike.slides, strike.aside = 0, 0.0
    for k in range(3):
        strike.impulse[k] = 0.0
        if one.memory.speed == 0.0 and strike.bounces == 0 and strike.mass > 0.0:
            strike.impulse[k] = m.h * one.push.force[k]
            hit(m, one, strike, VELOCITIES, k, strike.impulse[k])


# ----------------------------------------------------------------------------------------- sweeps


@kernel
def sweep_strikes(m: StrikingParts, island: Record, stage: int, back: int) -> float:
    """One impulse for every contact of an island, or pseudo-impulse; the largest change."""
    worst = 0.0
    for k in range(island.begin, island.end):
        n = m.listing[island.begin + island.end - 1 - k if back else k]
        one, strike = m.meetings[n], m.strikes[n]
        if strike.mass == 0.0:
            continue
        if stage == PSEUDO:
            change = push_aside(m, one, strike)
        else:
            change = push_normally(m, one, strike)
            change = max(change, rub(m, one, strike))
        if change != change:
            return math.nan
        worst = max(worst, change)
    return worst


@inlined_kernel
def push_normally(m: StrikingParts, one: Record, strike: Record) -> float:
    """The impulse along the normal; by how much it changes."""
    lacking = strike.least - rate_of(m, one, strike, VELOCITIES, 0)
    after = max(strike.impulse[0] + strike.mass * lacking, 0.0)
    change = after - strike.impulse[0]
    if change != 0.0:
        strike.impulse[0] = after
        hit(m, one, strike, VELOCITIES, 0, change)
    return float(abs(change))


@inlined_kernel
def rub(m: StrikingParts, one: Record, strike: Record) -> float:
    """The impulse along the tangents; by how much it changes."""
    p, limit = strike.impulse, strike.friction * strike.impulse[0]
    if limit == 0.0 and p[1] == 0.0 and p[2] == 0.0:
        strike.slides = 1
        return 0.0
    u1, u2 = rate_of(m, one, strike, VELOCITIES, 1), rate_of(m, one, strike, VELOCITIES, 2)
    T = strike.tangent
    x, y = p[1] - T[0, 0] * u1 - T[0, 1] * u2, p[2] - T[1, 0] * u1 - T[1, 1] * u2
    strike.slides = 0
    if math.hypot(x, y) > limit:
        x, y = p[1] - strike.lightest * u1, p[2] - strike.lightest * u2
        size = math.hypot(x, y)
        if size > limit:
            strike.slides = 1
            x, y = x * (limit / size), y * (limit / size)
    change_1, change_2 = x - p[1], y - p[2]
    p[1], p[2] = x, y
    hit(m, one, strike, VELOCITIES, 1, change_1)
    hit(m, one, strike, VELOCITIES, 2, change_2)
    return float(max(abs(change_1), abs(change_2)))


@inlined_kernel
def push_aside(m: StrikingParts, one: Record, strike: Record) -> float:
    """The pseudo-impulse along the normal; by how much it changes."""
    lacking = strike.closing - rate_of(m, one, strike, PSEUDO, 0)
    after = max(strike.aside + strike.mass * lacking, 0.0)
    change = after - strike.aside
    if change != 0.0:
        strike.aside = after
        hit(m, one, strike, PSEUDO, 0, change)
    return float(abs(change))


# ------------------------------------------------------------------------------- after the sweeps


@inlined_kernel
def aim_aside(m: StrikingParts, one: Record, strike: Record) -> None:
    """What pseudo-velocities shall do, velocities being final.

    Of the indentation that these leave, a part of what is more than the slop is taken back; where
    it is less, pseudo-velocities may go as far.
    """
    left = one.touch.depth - m.h * rate_of(m, one, strike, VELOCITIES, 0) - m.slop
    strike.closing = (m.beta if left > 0.0 else 1.0) * left / m.h


@inlined_kernel
def work_of(m: StrikingParts, one: Record, strike: Record, mover: int) -> float:
    """What a contact does to a mover in the step [J]: impulses times mean velocities."""
    done = 0.0
    for k in range(3):
        if one.a == mover:
            before = along(one.axes[k], velocity_of(m, one, one.body_a))
            after = rate_of_side(m, one.a, one.rows_a, strike.piece_a, VELOCITIES, k)
            done += 0.5 * strike.impulse[k] * (before + after)
        if one.b == mover:
            before = along(one.axes[k], velocity_of(m, one, one.body_b))
            after = rate_of_side(m, one.b, one.rows_b, strike.piece_b, VELOCITIES, k)
            done += 0.5 * strike.impulse[k] * (after - before)
    return done


@inlined_kernel
def work_of_both(m: StrikingParts, one: Record, strike: Record) -> float:
    """What a contact does to its movers in the step [J]."""
    done = 0.0
    if one.a >= 0:
        done += work_of(m, one, strike, one.a)
    if one.b >= 0 and one.b != one.a:
        done += work_of(m, one, strike, one.b)
    return done
