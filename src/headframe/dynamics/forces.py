"""Kernels that every formulation over the tree shares: forces, energies, quaternions."""

from __future__ import annotations

import math

from ..jit import VECTOR, Record, Records, entry, header, inlined_kernel, kernel, records
from ..mechanism import Floats
from ..mechanism.kernels import FREEDOM, PLACE
from ..spatial.kernels import (
    ZERO,
    cross3,
    plus,
    point_at,
    product,
    put_six,
    six,
    stepped_quaternion,
    three,
    wrench,
)
from .loads import add_loads, stored_energy
from .records import BODY, ENERGY, MODEL, RESISTANCE
from .tree.quantities import kinetic_and_potential

CREEP = 1e-3  # [rad/s, m/s] below which dry friction grows with speed instead of jumping
SLOWLY = 10.0  # of these: speed up to which an implicit step looks ahead at dry friction


@inlined_kernel
def tree_parts(model: Floats, work: Floats) -> tuple[Records, Records]:
    """Freedoms and bodies of a model's tree."""
    head = header(model, MODEL)
    return records(model, head.freedoms, FREEDOM), records(work, head.bodies, BODY)


# ------------------------------------------------------------------------------------- quaternions


@entry(VECTOR, VECTOR, VECTOR, VECTOR)
@kernel
def position_rates(model: Floats, q_in: Floats, v_in: Floats, qdot_out: Floats) -> None:
    """Rates of the positions: velocities, but for quaternions 1/2 quat (0, w), w in body axes.

    Positions and velocities stand in the same order; a quaternion has one position more.
    """
    quaternions = records(model, header(model, MODEL).quaternions, PLACE)
    iq, iv, passed = 0, 0, 0
    while iv < v_in.shape[0]:
        if passed < quaternions.shape[0] and quaternions[passed].position == iq:
            w, x, y, z = q_in[iq], q_in[iq + 1], q_in[iq + 2], q_in[iq + 3]
            a, b, c = v_in[iv], v_in[iv + 1], v_in[iv + 2]
            qdot_out[iq] = 0.5 * (-x * a - y * b - z * c)
            qdot_out[iq + 1] = 0.5 * (w * a + y * c - z * b)
            qdot_out[iq + 2] = 0.5 * (w * b + z * a - x * c)
            qdot_out[iq + 3] = 0.5 * (w * c + x * b - y * a)
            iq, iv, passed = iq + 4, iv + 3, passed + 1
        else:
            qdot_out[iq] = v_in[iv]
            iq, iv = iq + 1, iv + 1


@kernel
def add_positions(model: Floats, change_in: Floats, q_io: Floats) -> None:
    """Move positions by a change of the freedoms; quaternions turn by the exponential."""
    quaternions = records(model, header(model, MODEL).quaternions, PLACE)
    iq, iv, passed = 0, 0, 0
    while iv < change_in.shape[0]:
        if passed < quaternions.shape[0] and quaternions[passed].position == iq:
            turn = change_in[iv], change_in[iv + 1], change_in[iv + 2]
            quaternion = q_io[iq], q_io[iq + 1], q_io[iq + 2], q_io[iq + 3]
            w, x, y, z = stepped_quaternion(quaternion, turn)
            q_io[iq], q_io[iq + 1], q_io[iq + 2], q_io[iq + 3] = w, x, y, z
            iq, iv, passed = iq + 4, iv + 3, passed + 1
        else:
            q_io[iq] += change_in[iv]
            iq, iv = iq + 1, iv + 1


@entry(VECTOR, VECTOR)
@kernel
def normalise(model: Floats, q_io: Floats) -> None:
    """Make the coordinates' quaternions unit ones."""
    quaternions = records(model, header(model, MODEL).quaternions, PLACE)
    for k in range(quaternions.shape[0]):
        at = quaternions[k].position
        total = 0.0
        for i in range(4):
            total += q_io[at + i] * q_io[at + i]
        scale = 1.0 / math.sqrt(total)
        for i in range(4):
            q_io[at + i] *= scale


# ------------------------------------------------------------------------------------------ forces


@inlined_kernel
def resist(resistances: Records, v_tree_in: Floats, tau_out: Floats) -> float:
    """Torques of damping and dry friction over the tree's velocities, (nd,); their power [W]."""
    lost = 0.0
    for i in range(resistances.shape[0]):
        rate, dry = v_tree_in[i], resistances[i].friction
        tau = -resistances[i].damping * rate
        if dry > 0.0:
            tau -= dry * math.tanh(rate / CREEP)
        tau_out[i] = tau
        lost += tau * rate
    return lost


@inlined_kernel
def inertia_of_resistance(resistance: Record, rate: float, h: float) -> float:
    """What a damper and dry friction add to the inertia of an implicit step of h seconds.

    Their torque where the step ends is tau - slope (v1 - v0), to the first order, so that
    M (v1 - v0) = h (tau - slope (v1 - v0)): as if the inertia were M + h slope. Dry friction that
    turns within CREEP would else throw a light joint to and fro. Of that, the slope is the secant
    through 0: with the tangent, which is flat from a few CREEP on, a joint whose friction is more
    than it needs to stop within a step would swing from there to the other side and back for ever.
    """
    slope = resistance.damping
    if resistance.friction > 0.0:
        turns = abs(rate) / CREEP
        if turns < SLOWLY:
            secant = math.tanh(turns) / turns if turns > 0.0 else 1.0
            slope += resistance.friction / CREEP * secant
    return float(h * slope)


@inlined_kernel
def add_pull(pull: Record, bodies: Records) -> float:
    """Add an external force to its body's; its power [W]."""
    body = bodies[pull.freedom]
    acting = wrench(point_at(body.X_WF, pull.point), three(pull.moment), three(pull.force))
    put_six(body.pull, plus(six(body.pull), acting))
    return product(six(body.velocity), acting)


@kernel
def add_forces(
    model: Floats,
    v_tree_in: Floats,
    pulls_in: Records,
    bodies: Records,
    tau_out: Floats,
    power_out: Record,
) -> None:
    """Forces that depend on the motion, the tree being placed and its velocities set.

    Pulls on the bodies by springs and external forces, and torques of damping and dry friction
    over the tree's velocities, (nd,).
    """
    head = header(model, MODEL)
    given = 0.0
    for d in range(bodies.shape[0]):
        put_six(bodies[d].pull, ZERO)
    for n in range(pulls_in.shape[0]):
        given += add_pull(pulls_in[n], bodies)
    lost = resist(records(model, head.resistances, RESISTANCE), v_tree_in, tau_out)
    power_out.dampers = lost + add_loads(model, head.loads, bodies)
    power_out.pulls = given


@inlined_kernel
def add_weights(gravity: Floats, bodies: Records) -> None:
    """Add to the pulls on the bodies what gravity does."""
    g = three(gravity)
    for d in range(bodies.shape[0]):
        body = bodies[d]
        m, s = body.inertia[0], (body.inertia[1], body.inertia[2], body.inertia[3])
        n = cross3(s, g)
        weight = (n[0], n[1], n[2], m * g[0], m * g[1], m * g[2])
        put_six(body.pull, plus(six(body.pull), weight))


@inlined_kernel
def add_flow(h: float, power: Record, flow_io: Record) -> None:
    """Book powers [W] that were there for h seconds."""
    flow_io.drives += h * power.drives
    flow_io.dampers += h * power.dampers
    flow_io.pulls += h * power.pulls


@entry(VECTOR, VECTOR, VECTOR)
@kernel
def energies(model: Floats, work: Floats, energy_out: Floats) -> None:
    """ENERGY [J], the tree being placed and its velocities set."""
    head, energy = header(model, MODEL), header(energy_out, ENERGY)
    freedoms, bodies = tree_parts(model, work)
    energy.kinetic, energy.potential = kinetic_and_potential(freedoms, head.gravity, bodies)
    energy.springs = stored_energy(model, head.loads, bodies)
