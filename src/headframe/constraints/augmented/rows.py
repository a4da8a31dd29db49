"""Kernels of the rows: residuals Phi, slopes Phi_q, rates, and what velocities alone accelerate.

Every row is at most a product of two combinations of elements, x . y, so that an element that is in
them with parts x_e and y_e has the slope x_e y + y_e x. In an ANGLE the parts of x turn with its
scalar s: x -> x sin s - z cos s.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...jit import (
    VECTOR,
    Record,
    Records,
    entry,
    header,
    indices,
    inlined_kernel,
    kernel,
    numbers,
    records,
)
from ...spatial.kernels import Numbers, cosine_and_sine, dot3
from .records import AUGMENTED, NATURAL_ROW, ROW_NOW, TERM, NaturalRowKind

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

DOT, ANGLE, LINEAR, RATIO, GUIDE = (kind.value for kind in NaturalRowKind)


@inlined_kernel
def turning(row: Record, q_in: Floats) -> tuple[float, float]:
    """Parts of x and z in the first factor of a row: sin s and -cos s of an ANGLE, 1 and 0 else."""
    if row.kind == ANGLE:
        c, s = cosine_and_sine(q_in[row.scalar])
        return s, -c
    return 1.0, 0.0


@inlined_kernel
def first_factor(row: Record, terms: Records, of_x: float, of_z: float, q_in: Floats) -> Numbers:
    """Combination of_x x + of_z z of elements, or of their velocities."""
    a, b, c = 0.0, 0.0, 0.0
    for t in range(row.terms[0], row.terms[0] + row.terms[1]):
        part, at = of_x * terms[t].x + of_z * terms[t].z, terms[t].place
        a += part * q_in[at]
        b += part * q_in[at + 1]
        c += part * q_in[at + 2]
    return a, b, c


@inlined_kernel
def second_factor(row: Record, terms: Records, q_in: Floats) -> Numbers:
    """Combination y of elements, or of their velocities."""
    a, b, c = 0.0, 0.0, 0.0
    for t in range(row.terms[0], row.terms[0] + row.terms[1]):
        part, at = terms[t].y, terms[t].place
        a += part * q_in[at]
        b += part * q_in[at + 1]
        c += part * q_in[at + 2]
    return a, b, c


@inlined_kernel
def component(row: Record, terms: Records, q_in: Floats) -> float:
    """One component of the combination x."""
    total = 0.0
    for t in range(row.terms[0], row.terms[0] + row.terms[1]):
        total += terms[t].x * q_in[terms[t].place + row.component]
    return total


@inlined_kernel
def set_product(row: Record, terms: Records, n: int, q_in: Floats, slopes: Floats) -> float:
    """Residual and slopes of a DOT or an ANGLE."""
    of_x, of_z = turning(row, q_in)
    x = first_factor(row, terms, of_x, of_z, q_in)
    y = second_factor(row, terms, q_in)
    at = row.entries[0]
    for t in range(row.terms[0], row.terms[0] + row.terms[1]):
        if terms[t].place < n:
            on_x, on_y = of_x * terms[t].x + of_z * terms[t].z, terms[t].y
            for k in range(3):
                slopes[at + k] = on_x * y[k] + on_y * x[k]
            at += 3
    residual = dot3(x, y) - row.offset
    if row.kind == ANGLE:
        # d/ds (x sin s - z cos s) = x cos s + z sin s
        slopes[at] = dot3(first_factor(row, terms, -of_z, of_x, q_in), y)
    elif row.scalar >= 0:
        residual -= q_in[row.scalar]
        slopes[at] = -1.0
    return float(residual)


@entry(VECTOR, VECTOR, VECTOR)
@kernel
def set_rows(model: Floats, q_in: Floats, work: Floats) -> float:
    """Residuals and slopes of all rows that take part; the largest residual."""
    head, worst = header(model, AUGMENTED), 0.0
    rows, terms = records(model, head.rows, NATURAL_ROW), records(model, head.terms, TERM)
    now, slopes = records(work, head.work.rows, ROW_NOW), numbers(work, head.work.slopes)
    for i in range(rows.shape[0]):
        row, first = rows[i], rows[i].entries[0]
        residual = 0.0
        if row.kind <= ANGLE:
            residual = set_product(row, terms, head.n, q_in, slopes)
        elif row.kind == LINEAR:
            residual, at = component(row, terms, q_in), first
            for t in range(row.terms[0], row.terms[0] + row.terms[1]):
                if terms[t].place < head.n:
                    slopes[at] = terms[t].x
                    at += 1
        elif row.kind == RATIO:
            residual = q_in[row.scalar] - row.ratio * q_in[row.leader] - row.offset
            slopes[first], slopes[first + 1] = 1.0, -row.ratio
        elif now[i].live:
            residual = q_in[row.scalar] - now[i].aim
            slopes[first] = 1.0
        else:
            slopes[first] = 0.0
        now[i].residual = residual
        worst = max(worst, abs(residual))
    return worst


@inlined_kernel
def along(row: Record, entries: Ints, slopes: Floats, v_in: Floats) -> float:
    """Slopes of a row times velocities, or accelerations."""
    total = 0.0
    for e in range(row.entries[0], row.entries[0] + row.entries[1]):
        total += slopes[e] * v_in[entries[e]]
    return total


@inlined_kernel
def add_along(row: Record, entries: Ints, slopes: Floats, force: float, out: Floats) -> None:
    """Add what a force along a row is in the coordinates."""
    for e in range(row.entries[0], row.entries[0] + row.entries[1]):
        out[entries[e]] += slopes[e] * force


@inlined_kernel
def swept(row: Record, terms: Records, q_in: Floats, v_in: Floats) -> float:
    """(d Phi_q / dt) qdot: what a row's second rate is while all accelerations are 0.

    Of x . y it is 2 xdot . ydot; where x turns with s, xdot has a part by s and x a second rate.
    """
    if row.kind > ANGLE:
        return 0.0
    of_x, of_z = turning(row, q_in)
    x_rate = first_factor(row, terms, of_x, of_z, v_in)
    y_rate = second_factor(row, terms, v_in)
    if row.kind == DOT:
        return 2.0 * dot3(x_rate, y_rate)
    s_rate, y = v_in[row.scalar], second_factor(row, terms, q_in)
    turned = first_factor(row, terms, -of_z, of_x, q_in)
    turned_rate = first_factor(row, terms, -of_z, of_x, v_in)
    x = first_factor(row, terms, of_x, of_z, q_in)
    total = 2.0 * (dot3(x_rate, y_rate) + s_rate * dot3(turned, y_rate))
    return float(total + 2.0 * s_rate * dot3(turned_rate, y) - s_rate * s_rate * dot3(x, y))


@entry(VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def row_rates(model: Floats, v_in: Floats, work: Floats, rates_out: Floats) -> None:
    """Rates of all rows, the slopes being set; of a GUIDE that of its scalar."""
    head = header(model, AUGMENTED)
    rows, entries = records(model, head.rows, NATURAL_ROW), indices(model, head.entries)
    slopes = numbers(work, head.work.slopes)
    for i in range(rows.shape[0]):
        rates_out[i] = along(rows[i], entries, slopes, v_in)


@kernel
def press_rates(model: Floats, scale: float, v_in: Floats, work: Floats) -> float:
    """`right` = Phi_q^T scale alpha (Phi_q v + Phi_t): the rates' penalty; the largest rate."""
    head, worst = header(model, AUGMENTED), 0.0
    rows, entries = records(model, head.rows, NATURAL_ROW), indices(model, head.entries)
    now, slopes = records(work, head.work.rows, ROW_NOW), numbers(work, head.work.slopes)
    right = numbers(work, head.work.right)
    for i in range(head.n):
        right[i] = 0.0
    for i in range(rows.shape[0]):
        if now[i].live:
            rate = along(rows[i], entries, slopes, v_in) + now[i].forced
            worst = max(worst, abs(rate))
            add_along(rows[i], entries, slopes, scale * rows[i].penalty * rate, right)
    return worst


@inlined_kernel
def second_rate(
    row: Record, now: Record, entries: Ints, terms: Records, slopes: Floats, q_in: Floats,
    v_in: Floats, a_in: Floats,
) -> float:  # fmt: skip
    """A row's second rate Phi_q a + (d Phi_q / dt) v + Phi_tt."""
    return float(along(row, entries, slopes, a_in) + swept(row, terms, q_in, v_in) + now.turned)


@kernel
def press_second_rates(
    model: Floats, scale: float, q_in: Floats, v_in: Floats, a_in: Floats, work: Floats
) -> float:
    """`right` = Phi_q^T scale alpha Phi'': the second rates' penalty; the largest of them."""
    head, worst = header(model, AUGMENTED), 0.0
    rows, terms = records(model, head.rows, NATURAL_ROW), records(model, head.terms, TERM)
    now, slopes = records(work, head.work.rows, ROW_NOW), numbers(work, head.work.slopes)
    entries, right = indices(model, head.entries), numbers(work, head.work.right)
    for i in range(head.n):
        right[i] = 0.0
    for i in range(rows.shape[0]):
        if now[i].live:
            rate = second_rate(rows[i], now[i], entries, terms, slopes, q_in, v_in, a_in)
            worst = max(worst, abs(rate))
            now[i].pressed = scale * rows[i].penalty * rate
            add_along(rows[i], entries, slopes, now[i].pressed, right)
    return worst
