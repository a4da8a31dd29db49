"""Kernels of the ledger: what drives, dampers, pulls, stops and corrections did in a step."""

from __future__ import annotations

from ...actuation.kernels import DrivenBy
from ...dynamics.kernels import (
    MODEL,
    POWER,
    RESISTANCE,
    add_pull,
    add_weights,
    set_velocities,
    tree_parts,
)
from ...jit import Records, header, kernel, numbers, records
from ...mechanism import Floats
from ...spatial.kernels import dot
from .lines import own_part
from .records import DRIVE_LINE, FRICTION, IMPULSE_STATE

GUIDED = DrivenBy.GUIDED.value


@kernel
def account(
    model: Floats, pulls_in: Records, state: Floats, drives_in: Records, work: Floats
) -> None:
    """Work of a step, by the mean of the velocities before and after it.

    An impulse p along J changes the kinetic energy by p J (v_before + v_after) / 2. What is left
    of all impulses after friction, drives and stops is the loops'; the pseudo-velocities lift
    weights and stretch springs, which with it makes the correction. Drives still stand as the step
    took them, those at a stop too.
    """
    head, own, moment = header(model, MODEL), own_part(model), header(state, IMPULSE_STATE)
    freedoms, bodies = tree_parts(model, work)
    resistances = records(model, head.resistances, RESISTANCE)
    frictions, h = records(model, own.frictions, FRICTION), own.step
    places = records(model, own.drives, DRIVE_LINE)
    v, kept, done = numbers(state, moment.v), numbers(state, moment.kept), moment.run.work
    before, push = numbers(work, own.work.before), numbers(work, own.work.push)
    impulses, power = numbers(work, own.work.impulses), records(work, own.work.power, POWER)[0]
    rest, damped, pushed = 0.0, power.dampers, False
    for k in range(v.shape[0]):
        rest += impulses[k] * 0.5 * (before[k] + v[k])
        damped -= resistances[k].damping * before[k] * 0.5 * (v[k] - before[k])
        pushed = pushed or push[k] != 0.0
    lost, driven, stopped = 0.0, 0.0, 0.0
    for i in range(frictions.shape[0]):
        velocity = frictions[i].velocity
        lost += kept[i] * 0.5 * (before[velocity] + v[velocity])
    for n in range(drives_in.shape[0]):
        place = places[n]
        rate = 0.5 * (before[place.velocity] + v[place.velocity])
        driven += kept[place.guide] * rate
        stopped += (kept[place.stops[0]] + kept[place.stops[1]]) * rate
        if drives_in[n].now != GUIDED:
            done.drives += h * drives_in[n].pull * rate
    rest -= lost + driven + stopped
    if pushed:
        set_velocities(freedoms, push, bodies)
        add_weights(head.gravity, bodies)
        for d in range(bodies.shape[0]):
            rest -= h * dot(bodies[d].velocity, bodies[d].pull)
        for n in range(pulls_in.shape[0]):  # they are in the pulls too, and no energy of ours
            rest += h * add_pull(pulls_in[n], bodies)
    if pulls_in.shape[0] > 0:
        set_velocities(freedoms, v, bodies)
        done.pulls += 0.5 * h * power.pulls
        for n in range(pulls_in.shape[0]):
            done.pulls += 0.5 * h * add_pull(pulls_in[n], bodies)
    done.drives += driven
    done.dampers += lost + h * damped
    done.stops += stopped
    done.joints += rest
