"""Kernels of forces on free bodies: gravity, external pulls, springs; energy, and work done.

Impulses act on velocities V0 and leave V1. The work of an impulse p along a row J is
p J (V0 + V1) / 2; over all impulses that adds up to the change of kinetic energy exactly.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...jit import VECTOR, Records, entry, inlined_kernel, kernel
from .rows import (
    BODIES,
    BY_DAMPERS,
    BY_PULLS,
    MASS,
    PER_MASS,
    TABLES,
    Bodies,
    Tables,
    copy,
    inverse_inertia,
    turned,
)

Floats = NDArray[np.float64]


@kernel
def push(
    body: int, body_f: Floats, X: Floats, fx: float, fy: float, fz: float,
    px: float, py: float, pz: float, V_io: Floats, spin_io: Floats,
) -> None:  # fmt: skip
    """An impulse [N s] at a world point, on velocity and angular momentum."""
    rx, ry, rz = px - X[body, 3], py - X[body, 7], pz - X[body, 11]
    V_io[body, 3] += body_f[body, PER_MASS] * fx
    V_io[body, 4] += body_f[body, PER_MASS] * fy
    V_io[body, 5] += body_f[body, PER_MASS] * fz
    spin_io[body, 0] += ry * fz - rz * fy
    spin_io[body, 1] += rz * fx - rx * fz
    spin_io[body, 2] += rx * fy - ry * fx


@kernel
def set_angular(body_f: Floats, X: Floats, spin: Floats, V_io: Floats) -> None:
    """Angular velocities from angular momenta."""
    for body in range(1, X.shape[0]):
        x, y, z = inverse_inertia(body_f, X, body, spin[body, 0], spin[body, 1], spin[body, 2])
        V_io[body, 0], V_io[body, 1], V_io[body, 2] = x, y, z


@kernel
def accelerate(
    tables: Tables, bodies: Bodies, pulls_in: Records, h: float, before_out: Floats
) -> None:
    """Velocities after h seconds of gravity, external pulls and springs; and those before.

    Angular momenta are what bodies keep: the angular velocity follows from them at the pose now,
    so that the gyroscopic term needs no formula of its own and loses no momentum. `pulls_in`
    are PULL records, with bodies in place of freedoms.
    """
    body_f, X, V, spin = tables.body_f, bodies.X, bodies.V, bodies.spin
    set_angular(body_f, X, spin, V)
    copy(V, before_out)
    add_springs(tables, X, h, V, spin)
    for body in range(1, X.shape[0]):
        for k in range(3):
            V[body, 3 + k] += h * tables.gravity[k]
    for n in range(pulls_in.shape[0]):
        pull = pulls_in[n]
        body, f = pull.freedom, pull.force
        x, y, z, _, _, _ = point_of(X, V, body, pull.point)
        push(body, body_f, X, h * f[0], h * f[1], h * f[2], x, y, z, V, spin)
        for k in range(3):
            spin[body, k] += h * pull.moment[k]
    set_angular(body_f, X, spin, V)


@inlined_kernel
def point_of(
    X: Floats, V: Floats, body: int, point: Floats
) -> tuple[float, float, float, float, float, float]:
    """Place and velocity of a body's point."""
    x, y, z = point[0], point[1], point[2]
    rx = X[body, 0] * x + X[body, 1] * y + X[body, 2] * z
    ry = X[body, 4] * x + X[body, 5] * y + X[body, 6] * z
    rz = X[body, 8] * x + X[body, 9] * y + X[body, 10] * z
    wx, wy, wz = V[body, 0], V[body, 1], V[body, 2]
    return (
        X[body, 3] + rx,
        X[body, 7] + ry,
        X[body, 11] + rz,
        V[body, 3] + wy * rz - wz * ry,
        V[body, 4] + wz * rx - wx * rz,
        V[body, 5] + wx * ry - wy * rx,
    )


@inlined_kernel
def end_of(
    X: Floats, V: Floats, body: int, table: Floats, row: int, at: int
) -> tuple[float, float, float, float, float, float]:
    """Place and velocity of a body's point."""
    rx, ry, rz = turned(X, body, table, row, at)
    wx, wy, wz = V[body, 0], V[body, 1], V[body, 2]
    return (
        X[body, 3] + rx,
        X[body, 7] + ry,
        X[body, 11] + rz,
        V[body, 3] + wy * rz - wz * ry,
        V[body, 4] + wz * rx - wx * rz,
        V[body, 5] + wx * ry - wy * rx,
    )


@kernel
def stretch(
    tables: Tables, X: Floats, V: Floats, s: int
) -> tuple[float, float, float, float, float]:
    """Direction of a spring from its first end to its second, length and rate."""
    a, b = tables.spring_i[s, 0], tables.spring_i[s, 1]
    ax, ay, az, ux, uy, uz = end_of(X, V, a, tables.spring_f, s, 0)
    bx, by, bz, wx, wy, wz = end_of(X, V, b, tables.spring_f, s, 3)
    x, y, z = bx - ax, by - ay, bz - az
    l = math.sqrt(x * x + y * y + z * z)
    if l > 0.0:
        x, y, z = x / l, y / l, z / l
    return x, y, z, l, x * (wx - ux) + y * (wy - uy) + z * (wz - uz)


@kernel
def add_springs(tables: Tables, X: Floats, h: float, V_io: Floats, spin_io: Floats) -> None:
    """Impulses of springs with dampers, from the state at the step's start."""
    table, body_f = tables.spring_f, tables.body_f
    for s in range(table.shape[0]):
        a, b = tables.spring_i[s, 0], tables.spring_i[s, 1]
        x, y, z, l, speed = stretch(tables, X, V_io, s)
        pull = h * (table[s, 6] * (l - table[s, 7]) + table[s, 8] * speed)
        x, y, z = pull * x, pull * y, pull * z
        px, py, pz = turned(X, a, table, s, 0)
        px, py, pz = X[a, 3] + px, X[a, 7] + py, X[a, 11] + pz
        # along one line, so that both ends may use the same point
        push(a, body_f, X, x, y, z, px, py, pz, V_io, spin_io)
        push(b, body_f, X, -x, -y, -z, px, py, pz, V_io, spin_io)
    for k in range(3):
        spin_io[0, k] = 0.0


@kernel
def book(
    tables: Tables, X: Floats, V_before: Floats, V_mean: Floats, pulls_in: Records, h: float,
    ledger_io: Floats,
) -> float:  # fmt: skip
    """Work of external pulls and of the dampers in springs, with the mean velocities of a step.

    Returns the work of gravity and of the springs themselves, which comes back.
    """
    returned = 0.0
    for body in range(1, X.shape[0]):
        for k in range(3):
            returned += h * tables.body_f[body, MASS] * tables.gravity[k] * V_mean[body, 3 + k]
    for n in range(pulls_in.shape[0]):
        pull = pulls_in[n]
        body, f = pull.freedom, pull.force
        _, _, _, x, y, z = point_of(X, V_mean, body, pull.point)
        power = x * f[0] + y * f[1] + z * f[2]
        for k in range(3):
            power += pull.moment[k] * V_mean[body, k]
        ledger_io[BY_PULLS] += h * power
    for s in range(tables.spring_f.shape[0]):
        _, _, _, l, before = stretch(tables, X, V_before, s)
        _, _, _, _, mean = stretch(tables, X, V_mean, s)
        ledger_io[BY_DAMPERS] -= h * tables.spring_f[s, 8] * before * mean
        returned -= h * tables.spring_f[s, 6] * (l - tables.spring_f[s, 7]) * mean
    return returned


@entry(TABLES, BODIES, VECTOR)
@kernel
def energies(tables: Tables, bodies: Bodies, energy_out: Floats) -> None:
    """Kinetic, potential and spring energy [J]."""
    X, V, table = bodies.X, bodies.V, tables.spring_f
    kinetic, potential, stored = 0.0, 0.0, 0.0
    for body in range(1, X.shape[0]):
        m = tables.body_f[body, MASS]
        for k in range(3):
            kinetic += 0.5 * (m * V[body, 3 + k] ** 2 + V[body, k] * bodies.spin[body, k])
            potential -= m * tables.gravity[k] * X[body, 4 * k + 3]
    for s in range(table.shape[0]):
        _, _, _, l, _ = stretch(tables, X, V, s)
        stored += 0.5 * table[s, 6] * (l - table[s, 7]) ** 2
    energy_out[0], energy_out[1], energy_out[2] = kinetic, potential, stored
