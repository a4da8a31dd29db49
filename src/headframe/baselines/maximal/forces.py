"""Kernels of forces on free bodies: gravity, external pulls, springs; energy, and work done.

Impulses act on velocities V0 and leave V1. The work of an impulse p along a row J is
p J (V0 + V1) / 2; over all impulses that adds up to the change of kinetic energy exactly.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...dynamics.kernels import ENERGY, RUN
from ...jit import VECTOR, Record, Records, entry, header, inlined_kernel, kernel
from ...spatial.kernels import cross3, direction_at, dot3, six, three, velocity_at
from .parts import MaximalParts, parts_of
from .rows import rate, set_row, stretched

Floats = NDArray[np.float64]


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
    m = parts_of(model, state, work)
    rigid, bodies, V = m.rigid, m.bodies, m.V
    set_angular(rigid, bodies, V)
    for n in range(V.shape[0]):
        for k in range(6):
            m.V_before[n, k] = V[n, k]
    add_springs(m, h)
    for n in range(1, V.shape[0]):
        for k in range(3):
            V[n, 3 + k] += h * m.gravity[k]
    for p in range(pulls_in.shape[0]):
        pull = pulls_in[p]
        n, f = pull.freedom, pull.force
        turn = cross3(direction_at(bodies[n].X, pull.point), three(f))
        for k in range(3):
            bodies[n].spin[k] += h * (turn[k] + pull.moment[k])
            V[n, 3 + k] += h * rigid[n].per_mass * f[k]
    set_angular(rigid, bodies, V)


@inlined_kernel
def tension(spring: Record, length: float, speed: float) -> tuple[float, float]:
    """What a spring and its damper pull with [N], at a length and a rate."""
    return spring.stiffness * (length - spring.rest_length), spring.damping * speed


@kernel
def add_springs(m: MaximalParts, h: float) -> None:
    """Impulses of springs with dampers, from the state at the step's start."""
    response, V, J = m.spare[0], m.V, m.spare[0].J
    for s in range(m.springs.shape[0]):
        length = set_row(m.springs[s].row, m.bodies, response)
        elastic, damping = tension(m.springs[s], length, rate(response, V))
        impulse = -h * (elastic + damping)
        for end in range(2):
            n = response.ends[end]
            for k in range(3):
                m.bodies[n].spin[k] += impulse * J[end, k]
                V[n, 3 + k] += impulse * m.rigid[n].per_mass * J[end, 3 + k]
    for k in range(3):
        m.bodies[0].spin[k] = 0.0


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
    m = parts_of(model, state, work)
    done, returned = header(state, RUN).work, 0.0
    for n in range(1, start.shape[0]):
        for k in range(3):
            returned += h * m.rigid[n].mass * m.gravity[k] * m.V_mean[n, 3 + k]
    for p in range(pulls_in.shape[0]):
        pull = pulls_in[p]
        V = six(m.V_mean[pull.freedom])
        v = velocity_at(V, direction_at(start[pull.freedom].X, pull.point))
        power = dot3(v, three(pull.force)) + dot3(three(pull.moment), (V[0], V[1], V[2]))
        done.pulls += h * power
    for s in range(m.springs.shape[0]):
        length = set_row(m.springs[s].row, start, m.spare[0])
        elastic, damping = tension(m.springs[s], length, rate(m.spare[0], m.V_before))
        mean = rate(m.spare[0], m.V_mean)
        done.dampers -= h * damping * mean
        returned -= h * elastic * mean
    return returned


@entry(VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def energies(model: Floats, state: Floats, work: Floats, energy_out: Floats) -> None:
    """ENERGY [J]."""
    m = parts_of(model, state, work)
    energy = header(energy_out, ENERGY)
    energy.kinetic, energy.potential, energy.springs = 0.0, 0.0, 0.0
    for n in range(1, m.bodies.shape[0]):
        body, V, mass = m.bodies[n], m.V[n], m.rigid[n].mass
        for k in range(3):
            energy.kinetic += 0.5 * (mass * V[3 + k] ** 2 + V[k] * body.spin[k])
            energy.potential -= mass * m.gravity[k] * body.X[k, 3]
    for s in range(m.springs.shape[0]):
        spring, length = m.springs[s], set_row(m.springs[s].row, m.bodies, m.spare[0])
        energy.springs += 0.5 * spring.stiffness * (length - spring.rest_length) ** 2
