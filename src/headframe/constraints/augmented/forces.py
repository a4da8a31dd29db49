"""Kernels of masses and forces in natural coordinates: M, Q(q, v), and its tangents K and C.

A force f on a point r = sum_k c_k e_k of a body is c_k f on its elements, by virtual work, and
tangents -df/dr = K and -df/dv = C are c_k c_l K, c_k c_l C between them. A moment m turns the axes
r_k of a body, delta r_k = delta phi x r_k, so that m / 2 x r_k on each of the three axes does its
work: sum_k (m x r_k) . (delta phi x r_k) = 2 m . delta phi.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...actuation.kernels import DriveMode, DrivenBy
from ...jit import Record, Records, header, indices, inlined_kernel, kernel, numbers, records
from ...spatial.kernels import Numbers, cross3, dot3, three
from .records import (
    AUGMENTED,
    BLOCK_PLACES,
    DRIVEN_SCALAR,
    MASS_PAIR,
    NATURAL_BODY,
    NATURAL_ROW,
    NATURAL_SPRING,
    ROW_NOW,
    SCALAR_LOSS,
    TERM,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FORCE, PUSHED = DriveMode.FORCE.value, DrivenBy.PUSHED.value
CREEP = 1e-3  # [rad/s, m/s] below which dry friction grows with speed instead of jumping


# ----------------------------------------------------------------------------------------- masses


@inlined_kernel
def add_inertia(model: Floats, scale: float, a_in: Floats, out: Floats) -> None:
    """Add scale M a."""
    pairs = records(model, header(model, AUGMENTED).masses, MASS_PAIR)
    for n in range(pairs.shape[0]):
        pair = pairs[n]
        a, b, mass = pair.a, pair.b, scale * pair.mass
        for k in range(pair.width):
            out[a + k] += mass * a_in[b + k]
            if a != b:
                out[b + k] += mass * a_in[a + k]


@inlined_kernel
def kinetic(model: Floats, v_in: Floats) -> float:
    """Kinetic energy [J]."""
    pairs, total = records(model, header(model, AUGMENTED).masses, MASS_PAIR), 0.0
    for n in range(pairs.shape[0]):
        pair, own = pairs[n], 0.0
        for k in range(pair.width):
            own += v_in[pair.a + k] * v_in[pair.b + k]
        total += pair.mass * own * (0.5 if pair.a == pair.b else 1.0)
    return total


# ---------------------------------------------------------------------------------------- springs


@inlined_kernel
def span_of(spring: Record, terms: Records, q_in: Floats) -> Numbers:
    """From one end of a spring to the other, or the rate of that."""
    a, b, c = 0.0, 0.0, 0.0
    for t in range(spring.terms[0], spring.terms[0] + spring.terms[1]):
        part, at = terms[t].x, terms[t].place
        a += part * q_in[at]
        b += part * q_in[at + 1]
        c += part * q_in[at + 2]
    return a, b, c


@inlined_kernel
def stretched(spring: Record, terms: Records, q_in: Floats, v_in: Floats) -> tuple[
    Numbers, float, float
]:  # fmt: skip
    """Direction, length and rate of a spring."""
    d, rate = span_of(spring, terms, q_in), span_of(spring, terms, v_in)
    length = math.sqrt(dot3(d, d))
    scale = 1.0 / length if length > 0.0 else 0.0
    u = (scale * d[0], scale * d[1], scale * d[2])
    return u, length, dot3(u, rate)


@inlined_kernel
def add_springs(model: Floats, q_in: Floats, v_in: Floats, out: Floats) -> None:
    """Add what springs and their dampers do."""
    head = header(model, AUGMENTED)
    springs, terms = records(model, head.springs, NATURAL_SPRING), records(model, head.terms, TERM)
    for n in range(springs.shape[0]):
        spring = springs[n]
        u, length, rate = stretched(spring, terms, q_in, v_in)
        pull = spring.stiffness * (length - spring.rest_length) + spring.damping * rate
        for t in range(spring.terms[0], spring.terms[0] + spring.terms[1]):
            if terms[t].place < head.n:
                for k in range(3):
                    out[terms[t].place + k] -= pull * terms[t].x * u[k]


@inlined_kernel
def stiffen_springs(
    model: Floats, of_K: float, of_C: float, q_in: Floats, v_in: Floats, tangent: Floats
) -> None:
    """Add of_K K + of_C C of the springs to the tangent.

    With the tension f along u, K = k u u^T + f / l (1 - u u^T) and C = c u u^T. What a spring that
    is pushed together takes away across its direction is left out, and so is how fast its damper's
    direction turns: the tangent stays positive.
    """
    head = header(model, AUGMENTED)
    springs, terms = records(model, head.springs, NATURAL_SPRING), records(model, head.terms, TERM)
    blocks = records(model, head.blocks, BLOCK_PLACES)
    for n in range(springs.shape[0]):
        spring, at = springs[n], springs[n].blocks
        u, length, _ = stretched(spring, terms, q_in, v_in)
        tension = max(spring.stiffness * (length - spring.rest_length), 0.0)
        across = of_K * tension / length if length > 0.0 else 0.0
        whole = of_K * spring.stiffness + of_C * spring.damping - across
        for i in range(spring.terms[0], spring.terms[0] + spring.terms[1]):
            for j in range(spring.terms[0], i + 1):
                both = terms[i].x * terms[j].x
                for k in range(3):
                    for m in range(3):
                        place = blocks[at].places[k, m]
                        if place >= 0:
                            same = across if k == m else 0.0
                            tangent[place] += both * (whole * u[k] * u[m] + same)
                at += 1


# ----------------------------------------------------------------------------------------- bodies


@inlined_kernel
def part_of(body: Record, k: int, point: Floats) -> float:
    """Part of an element in a point of its body."""
    c = body.coefficients[k]
    return float(c[0] * point[0] + c[1] * point[1] + c[2] * point[2] + c[3])


@inlined_kernel
def push(n: int, body: Record, point: Floats, force: Numbers, out: Floats) -> None:
    """Add a force in base axes on a point of a body."""
    for k in range(4):
        at, part = body.places[k], part_of(body, k, point)
        if at < n:
            for i in range(3):
                out[at + i] += part * force[i]


@kernel
def stiffen(model: Floats, number: int, point: Floats, K: Numbers, tangent: Floats) -> None:
    """Add what a force on a point of a body, in base axes, adds to the tangent.

    K = (xx, yy, zz, xy, xz, yz) is its -df/dp times the tangent's part of K, plus its -df/dv times
    that of C. Nothing outside of the tests pushes back on points yet.
    """
    head = header(model, AUGMENTED)
    body = records(model, head.bodies, NATURAL_BODY)[number]
    blocks, at = records(model, head.blocks, BLOCK_PLACES), body.blocks
    xx, yy, zz, xy, xz, yz = K
    lines = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    for i in range(4):
        part = part_of(body, i, point)
        for j in range(i + 1):
            both = part * part_of(body, j, point)
            for k in range(3):
                for m in range(3):
                    place = blocks[at].places[k, m]
                    if place >= 0:
                        tangent[place] += both * lines[k][m]
            at += 1


@inlined_kernel
def axis_of(body: Record, k: int, q_in: Floats) -> Numbers:
    """An axis of a body, its origin for k = 3, or the rate of these."""
    a, b, c = 0.0, 0.0, 0.0
    for e in range(4):
        at, part = body.places[e], body.coefficients[e, k]
        a += part * q_in[at]
        b += part * q_in[at + 1]
        c += part * q_in[at + 2]
    return a, b, c


@inlined_kernel
def turn(n: int, body: Record, moment: Numbers, q_in: Floats, out: Floats) -> None:
    """Add a moment in base axes on a body."""
    for k in range(3):
        half = cross3(moment, axis_of(body, k, q_in))
        for e in range(4):
            at, part = body.places[e], 0.5 * body.coefficients[e, k]
            if at < n:
                for i in range(3):
                    out[at + i] += part * half[i]


@inlined_kernel
def spin_of(body: Record, q_in: Floats, v_in: Floats) -> Numbers:
    """Angular velocity of a body: half the sum of r_k x r_k', over its axes."""
    x, y, z = 0.0, 0.0, 0.0
    for k in range(3):
        part = cross3(axis_of(body, k, q_in), axis_of(body, k, v_in))
        x, y, z = x + 0.5 * part[0], y + 0.5 * part[1], z + 0.5 * part[2]
    return x, y, z


@inlined_kernel
def point_of(body: Record, point: Floats, q_in: Floats) -> Numbers:
    """A point of a body in base axes, or its velocity."""
    a, b, c = 0.0, 0.0, 0.0
    for k in range(4):
        at, part = body.places[k], part_of(body, k, point)
        a += part * q_in[at]
        b += part * q_in[at + 1]
        c += part * q_in[at + 2]
    return a, b, c


# -------------------------------------------------------------------------------------------- all


@inlined_kernel
def pushed(drive: Record) -> float:
    """What a drive pushes with, where it does not guide; at a stop it may push on."""
    if drive.now == PUSHED:
        return float(drive.pull)
    return float(drive.value) if drive.mode == FORCE else 0.0


@inlined_kernel
def resistance(loss: Record, rate: float) -> float:
    """Force of damping and dry friction along a scalar [N, N m]."""
    force = -loss.damping * rate
    if loss.friction > 0.0:
        force -= loss.friction * math.tanh(rate / CREEP)
    return float(force)


@inlined_kernel
def resisting(loss: Record, rate: float) -> float:
    """Slope of damping and dry friction along a scalar [N s/m, N m s].

    Of dry friction the mean of the tangent and of the secant from rest. With the tangent alone
    Newton's method jumps to and fro across the knee of tanh; with the secant it comes nearer in
    every turn, but slowly.
    """
    slope = loss.damping
    if loss.friction > 0.0:
        x = abs(rate) / CREEP
        part = math.tanh(x)
        secant = part / x if x > 1e-6 else 1.0
        slope += 0.5 * (secant + 1.0 - part * part) * loss.friction / CREEP
    return float(slope)


@kernel
def set_forces(
    model: Floats, q_in: Floats, v_in: Floats, drives_in: Records, pulls_in: Records, work: Floats
) -> None:
    """Generalized forces Q of all but the constraints.

    `pulls_in` are PULL records, with bodies in place of freedoms.
    """
    head = header(model, AUGMENTED)
    out, weights = numbers(work, head.work.force), numbers(model, head.weights)
    losses, driven = (
        records(model, head.losses, SCALAR_LOSS),
        records(model, head.drives, DRIVEN_SCALAR),
    )
    bodies = records(model, head.bodies, NATURAL_BODY)
    for i in range(head.n):
        out[i] = weights[i]
    add_springs(model, q_in, v_in, out)
    for n in range(losses.shape[0]):
        at = losses[n].place
        out[at] += resistance(losses[n], v_in[at])
    for n in range(driven.shape[0]):
        out[driven[n].place] += pushed(drives_in[n])
    for n in range(pulls_in.shape[0]):
        pull = pulls_in[n]
        body = bodies[pull.freedom]
        push(head.n, body, pull.point, three(pull.force), out)
        turn(head.n, body, three(pull.moment), q_in, out)


@kernel
def set_tangent(
    model: Floats, of_M: float, of_rows: float, of_K: float, of_C: float, q_in: Floats,
    v_in: Floats, work: Floats,
) -> None:  # fmt: skip
    """The tangent of_M M + of_rows Phi_q^T alpha Phi_q + of_K K + of_C C, (2.61)."""
    head = header(model, AUGMENTED)
    tangent, slopes = numbers(work, head.work.tangent), numbers(work, head.work.slopes)
    masses, rows = records(model, head.masses, MASS_PAIR), records(model, head.rows, NATURAL_ROW)
    now, pairs = records(work, head.work.rows, ROW_NOW), indices(model, head.pairs)
    losses = records(model, head.losses, SCALAR_LOSS)
    for i in range(tangent.shape[0]):
        tangent[i] = 0.0
    for n in range(masses.shape[0]):
        for k in range(masses[n].width):
            tangent[masses[n].places[k]] += of_M * masses[n].mass
    for i in range(rows.shape[0]):
        if now[i].live:
            add_products(rows[i], of_rows * rows[i].penalty, slopes, pairs, tangent)
    if of_K == 0.0 and of_C == 0.0:
        return
    stiffen_springs(model, of_K, of_C, q_in, v_in, tangent)
    for n in range(losses.shape[0]):
        tangent[losses[n].place] += of_C * resisting(losses[n], v_in[losses[n].place])


@inlined_kernel
def add_products(row: Record, scale: float, slopes: Floats, pairs: Ints, tangent: Floats) -> None:
    """Add scale times the products of a row's slopes."""
    first, at = row.entries[0], row.pairs
    for i in range(row.entries[1]):
        part = scale * slopes[first + i]
        for j in range(i + 1):
            tangent[pairs[at]] += part * slopes[first + j]
            at += 1


# ----------------------------------------------------------------------------------------- ledger


@inlined_kernel
def stored(model: Floats, q_in: Floats) -> tuple[float, float]:
    """Potential energy, and what springs store [J]."""
    head, lifted, tense = header(model, AUGMENTED), 0.0, 0.0
    weights, terms = numbers(model, head.weights), records(model, head.terms, TERM)
    springs = records(model, head.springs, NATURAL_SPRING)
    for i in range(weights.shape[0]):
        lifted -= weights[i] * q_in[i]
    for n in range(springs.shape[0]):
        d = span_of(springs[n], terms, q_in)
        tense += 0.5 * springs[n].stiffness * (math.sqrt(dot3(d, d)) - springs[n].rest_length) ** 2
    return lifted, tense
