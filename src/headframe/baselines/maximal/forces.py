"""Kernels of forces on free bodies: gravity, external pulls, springs; energy, and work done.

Impulses act on velocities V0 and leave V1. The work of an impulse p along a row J is
p J (V0 + V1) / 2; over all impulses that adds up to the change of kinetic energy exactly.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...dynamics.kernels import ENERGY, RUN
from ...jit import VECTOR, Record, Records, entry, header, inlined_kernel, kernel
from ...spatial.kernels import Numbers, cross3, direction_at, dot3, six, three, velocity_at
from .parts import MaximalParts, parts_of
from .records import MAXIMAL
from .rows import stretched

Floats = NDArray[np.float64]


@inlined_kernel
def push(light: float, body: Record, arm: Numbers, impulse: Numbers, V_io: Floats) -> None:
    """An impulse [N s] at an arm from the centre of mass, on velocity and angular momentum."""
    turn = cross3(arm, impulse)
    for k in range(3):
        V_io[3 + k] += light * impulse[k]
        body.spin[k] += turn[k]


@kernel
def set_angular(rigid: Records, bodies: Records, V_io: Floats) -> None:
    """Angular velocities from angular momenta."""
    for n in range(1, bodies.shape[0]):
        w = stretched(bodies[n].X, rigid[n].per_inertia, three(bodies[n].spin))
        V_io[n, 0], V_io[n, 1], V_io[n, 2] = w


@kernel
def keep_angular(rigid: Records, bodies: Records, V: Floats, start: Records) -> None:
    """Angular momenta from angular velocities, at the poses that a step began with."""
    for n in range(1, bodies.shape[0]):
        spin = stretched(start[n].X, rigid[n].inertia, three(V[n]))
        bodies[n].spin[0], bodies[n].spin[1], bodies[n].spin[2] = spin


@kernel
def accelerate(model: Floats, pulls_in: Records, h: float, state: Floats, work: Floats) -> None:
    """Velocities after h seconds of gravity, external pulls and springs; those before are kept.

    Angular momenta are what bodies keep: the angular velocity follows from them at the pose now,
    so that the gyroscopic term needs no formula of its own and loses no momentum. `pulls_in`
    are PULL records, with bodies in place of freedoms.
    """
    m, gravity = parts_of(model, state, work), header(model, MAXIMAL).gravity
    rigid, bodies, V = m.rigid, m.bodies, m.V
    set_angular(rigid, bodies, V)
    for n in range(V.shape[0]):
        for k in range(6):
            m.V_before[n, k] = V[n, k]
    add_springs(m.springs, rigid, bodies, h, V)
    for n in range(1, V.shape[0]):
        for k in range(3):
            V[n, 3 + k] += h * gravity[k]
    for p in range(pulls_in.shape[0]):
        pull = pulls_in[p]
        n, f = pull.freedom, pull.force
        arm = direction_at(bodies[n].X, pull.point)
        push(rigid[n].per_mass, bodies[n], arm, (h * f[0], h * f[1], h * f[2]), V[n])
        for k in range(3):
            bodies[n].spin[k] += h * pull.moment[k]
    set_angular(rigid, bodies, V)


@kernel
def stretch(spring: Record, bodies: Records, V: Floats) -> tuple[Numbers, float, float]:
    """Direction of a spring from its first end to its second, length and rate."""
    a, b = spring.freedoms[0], spring.freedoms[1]
    X_A, X_B = bodies[a].X, bodies[b].X
    at_a, at_b = direction_at(X_A, spring.points[0]), direction_at(X_B, spring.points[1])
    u, w = velocity_at(six(V[a]), at_a), velocity_at(six(V[b]), at_b)
    x = X_B[0, 3] + at_b[0] - (X_A[0, 3] + at_a[0])
    y = X_B[1, 3] + at_b[1] - (X_A[1, 3] + at_a[1])
    z = X_B[2, 3] + at_b[2] - (X_A[2, 3] + at_a[2])
    l = math.sqrt(x * x + y * y + z * z)
    if l > 0.0:
        x, y, z = x / l, y / l, z / l
    return (x, y, z), l, x * (w[0] - u[0]) + y * (w[1] - u[1]) + z * (w[2] - u[2])


@kernel
def add_springs(springs: Records, rigid: Records, bodies: Records, h: float, V_io: Floats) -> None:
    """Impulses of springs with dampers, from the state at the step's start."""
    for s in range(springs.shape[0]):
        spring = springs[s]
        n, l, speed = stretch(spring, bodies, V_io)
        pull = h * (spring.stiffness * (l - spring.rest_length) + spring.damping * speed)
        for end in range(2):
            body = spring.freedoms[end]
            p = pull if end == 0 else -pull
            arm = direction_at(bodies[body].X, spring.points[end])
            push(
                rigid[body].per_mass, bodies[body], arm, (p * n[0], p * n[1], p * n[2]), V_io[body]
            )
    for k in range(3):
        bodies[0].spin[k] = 0.0


@inlined_kernel
def set_mean(m: MaximalParts) -> None:
    """Mean velocities of a step."""
    for n in range(m.V.shape[0]):
        for k in range(6):
            m.V_mean[n, k] = 0.5 * (m.V_before[n, k] + m.V[n, k])


@kernel
def book(
    model: Floats, pulls_in: Records, h: float, start: Records, state: Floats, work: Floats
) -> float:
    """Work of external pulls and of the dampers in springs, with the mean velocities of a step.

    `start` is where the bodies were. Returns the work of gravity and of the springs themselves,
    which comes back.
    """
    m, gravity = parts_of(model, state, work), header(model, MAXIMAL).gravity
    done, returned = header(state, RUN).work, 0.0
    for n in range(1, start.shape[0]):
        for k in range(3):
            returned += h * m.rigid[n].mass * gravity[k] * m.V_mean[n, 3 + k]
    for p in range(pulls_in.shape[0]):
        pull = pulls_in[p]
        V = six(m.V_mean[pull.freedom])
        rate = velocity_at(V, direction_at(start[pull.freedom].X, pull.point))
        power = dot3(rate, three(pull.force)) + dot3(three(pull.moment), (V[0], V[1], V[2]))
        done.pulls += h * power
    for s in range(m.springs.shape[0]):
        spring = m.springs[s]
        _, l, begun = stretch(spring, start, m.V_before)
        _, _, mean = stretch(spring, start, m.V_mean)
        done.dampers -= h * spring.damping * begun * mean
        returned -= h * spring.stiffness * (l - spring.rest_length) * mean
    return returned


@entry(VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def energies(model: Floats, state: Floats, work: Floats, energy_out: Floats) -> None:
    """ENERGY [J]."""
    m, gravity = parts_of(model, state, work), header(model, MAXIMAL).gravity
    energy = header(energy_out, ENERGY)
    energy.kinetic, energy.potential, energy.springs = 0.0, 0.0, 0.0
    for n in range(1, m.bodies.shape[0]):
        body, V, mass = m.bodies[n], m.V[n], m.rigid[n].mass
        for k in range(3):
            energy.kinetic += 0.5 * (mass * V[3 + k] ** 2 + V[k] * body.spin[k])
            energy.potential -= mass * gravity[k] * body.X[k, 3]
    for s in range(m.springs.shape[0]):
        spring = m.springs[s]
        _, l, _ = stretch(spring, m.bodies, m.V)
        energy.springs += 0.5 * spring.stiffness * (l - spring.rest_length) ** 2
