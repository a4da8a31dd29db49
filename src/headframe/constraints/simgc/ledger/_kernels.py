"""Kernels of the ledger: what drives, dampers, pulls, stops and corrections did in a step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....actuation._kernels import GUIDED, NOW, PULL
from ....dynamics.model._kernels import BY_DAMPERS, BY_PULLS, ND, add_pull
from ....dynamics.tree._kernels import BODY, TREE_F, V, set_velocities
from ....jit import inlined_kernel, kernel
from ..layout._kernels import (
    BEFORE,
    BY_CORRECTION,
    BY_DRIVES,
    BY_FRICTION,
    BY_PULL,
    BY_STOPS,
    IMPULSES,
    N_FRICTION,
    POWER,
    PUSH,
    Parts,
)

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def account(
    model_i: Ints, model_f: Floats, h: float, parts: Parts, tree_i: Ints, pulls_in: Floats,
    drive_in: Floats,
) -> None:  # fmt: skip
    """Work of a step, by the mean of the velocities before and after it.

    An impulse p along J changes the kinetic energy by p J (v_before + v_after) / 2. What is left
    of all impulses after friction, drives and stops is the loops'; the pseudo-velocities lift
    weights and stretch springs, which with it makes the correction. Drives still stand as the step
    took them, those at a stop too.
    """
    nd, n_friction, v = model_i[ND], model_i[N_FRICTION], parts.v
    before, push, power = parts.vectors[BEFORE], parts.vectors[PUSH], parts.vectors[POWER]
    ledger, work, kept = parts.ledger, parts.work, parts.kept
    rest, damped, pushed = 0.0, power[BY_DAMPERS], False
    for k in range(v.shape[0]):
        rest += parts.vectors[IMPULSES, k] * 0.5 * (before[k] + v[k])
        damped -= model_f[TREE_F * (1 + nd) + k] * before[k] * 0.5 * (v[k] - before[k])
        pushed = pushed or push[k] != 0.0
    lost, driven, stopped = 0.0, 0.0, 0.0
    for i in range(n_friction):
        velocity = parts.joints[parts.frictions[i], 0]
        lost += kept[i] * 0.5 * (before[velocity] + v[velocity])
    for n in range(drive_in.shape[0]):
        velocity, row = parts.drives[n, 1], n_friction + 3 * n
        rate = 0.5 * (before[velocity] + v[velocity])
        driven += kept[row] * rate
        stopped += (kept[row + 1] + kept[row + 2]) * rate
        if drive_in[n, NOW] != GUIDED:
            ledger[BY_DRIVES] += h * drive_in[n, PULL] * rate
    rest -= lost + driven + stopped
    if pushed:
        set_velocities(tree_i, push, work)
        for d in range(nd):
            rest -= h * gravity_power(model_f, work, BODY * nd + 10 * d, V * nd + 6 * d)
            for k in range(6):
                rest -= h * parts.wrenches[d, k] * work[V * nd + 6 * d + k]
        for n in range(pulls_in.shape[0]):  # they are in the wrenches too, and no energy of ours
            rest += h * add_pull(pulls_in[n], nd, work, parts.wrenches)
    if pulls_in.shape[0] > 0:
        set_velocities(tree_i, v, work)
        ledger[BY_PULL] += 0.5 * h * power[BY_PULLS]
        for n in range(pulls_in.shape[0]):
            ledger[BY_PULL] += 0.5 * h * add_pull(pulls_in[n], nd, work, parts.wrenches)
    ledger[BY_DRIVES] += driven
    ledger[BY_FRICTION] += lost + h * damped
    ledger[BY_STOPS] += stopped
    ledger[BY_CORRECTION] += rest


@inlined_kernel
def gravity_power(model_f: Floats, work: Floats, body: int, v: int) -> float:
    """Power of a body's weight at a velocity: (s x g) . w + m g . v, with s its first moment."""
    g0, g1, g2 = model_f[0], model_f[1], model_f[2]
    m, s0, s1, s2 = work[body], work[body + 1], work[body + 2], work[body + 3]
    power = (s1 * g2 - s2 * g1) * work[v] + (s2 * g0 - s0 * g2) * work[v + 1]
    power += (s0 * g1 - s1 * g0) * work[v + 2]
    return float(power + m * (g0 * work[v + 3] + g1 * work[v + 4] + g2 * work[v + 5]))


def warm_up() -> None:
    """Nothing is called from outside of kernels."""
