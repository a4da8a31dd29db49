"""Kernels that both variational integrators share: momenta, half a step, friction's secant."""

from __future__ import annotations

import math

from ...jit import Record, Records, header, inlined_kernel, kernel
from ...mechanism import Floats
from ...spatial.kernels import add, body_at, cross, dot, momentum_of, product, put_six, six
from ..driven_rows import add_drives
from ..forces import CREEP, add_forces, add_weights, normalise, position_rates, tree_parts
from ..linear import add_scaled, copy
from ..records import MODEL


@kernel
def tree_momenta(
    model: Floats, v_tree_in: Floats, drives_in: Records, pulls_in: Records, work: Floats,
    tau_work: Floats, p_out: Floats, f_out: Floats, power_out: Record,
) -> None:  # fmt: skip
    """Momenta of a placed tree and forces that change them, over the freedoms; powers [W].

    With H_d the momentum of everything that freedom d moves, and without rotors,

        p_d = T_d . H_d,    f_d = (V_carrier x T_d) . H_d + T_d . (wrenches on it) + tau_d.
    """
    head = header(model, MODEL)
    freedoms, bodies = tree_parts(model, work)
    add_forces(model, v_tree_in, pulls_in, bodies, tau_work, power_out)
    power_out.drives = add_drives(model, drives_in, v_tree_in, tau_work)
    add_weights(head.gravity, bodies)
    for d in range(freedoms.shape[0]):
        body = bodies[d]
        put_six(body.force, momentum_of(body_at(body.inertia), six(body.velocity)))
    for d in range(freedoms.shape[0] - 1, -1, -1):  # of all that d moves, when its turn comes
        freedom, body = freedoms[d], bodies[d]
        pushed = tau_work[freedom.velocity] + dot(body.axis, body.pull)
        if freedom.parent >= 0:
            add(body.force, bodies[freedom.parent].force)
            add(body.pull, bodies[freedom.parent].pull)
        if freedom.carrier >= 0:
            carried = cross(six(bodies[freedom.carrier].velocity), six(body.axis))
            pushed += product(carried, six(body.force))
        p_out[d] = dot(body.axis, body.force)
        f_out[d] = pushed


@kernel
def half_step(
    model: Floats, h: float, q_in: Floats, v_in: Floats, rates_work: Floats, q_out: Floats
) -> None:
    """Positions half a step on."""
    position_rates(model, q_in, v_in, rates_work)
    copy(q_in, q_out)
    add_scaled(0.5 * h, rates_work, q_out)
    normalise(model, q_out)


@inlined_kernel
def secant_of_friction(rate: float) -> float:
    """Of unit dry friction, through 0: its force at a rate is this times the rate."""
    x = abs(rate) / CREEP
    return (math.tanh(x) / x if x > 1e-6 else 1.0) / CREEP
