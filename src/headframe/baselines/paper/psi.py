"""Kernels of Psi = |W log(X^-1 Y)|, what the searches minimise over lengths.

It is evaluated either on the package's own forward kinematics or on the paper's. The searches call
it by its address, so that it is compiled once.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...jit import (
    FROZEN,
    MATRIX,
    NUMBER,
    VECTOR,
    caller,
    entry,
    header,
    indices,
    kernel,
    matrix,
    numbers,
    records,
    table,
)
from ...kinematics.kernels import LINKAGE, PATH_STEP, PROBLEM, SOLVED, error, go_to, half_square
from ...mechanism.kernels import copy
from ...spatial.kernels import HERE, compose, pose_at, put_pose, three, turned
from .nested_newton import length_now, sequential_kernel, set_state, step_motion
from .records import ITEP, PLANE_MOTION, SEQUENCE

Floats = NDArray[np.float64]

# link, sequence, problem, Y, weights, fk_tolerance, lengths, state, work
PSI = NUMBER(VECTOR, VECTOR, VECTOR, MATRIX, VECTOR, NUMBER, VECTOR, VECTOR, VECTOR)
call_psi: Callable[..., float] = caller(PSI)


@kernel
def link_pose(
    link: Floats, problem: Floats, theta_in: Floats, angles_in: Floats, X_out: Floats
) -> bool:
    """Pose of the link (3, 4), as `place_link` of the inverse kinematics but without its rates.

    A step z -> u z + t leads to a frame with ex and ey as its axes and at t, turns it by u about
    its third axis, their normal, and goes back from these axes.
    """
    head, steps_of_motions = header(problem, PROBLEM), indices(link, header(link, LINKAGE).motions)
    path, X = records(problem, head.path, PATH_STEP), HERE
    for k in range(path.shape[0]):
        step = path[k]
        ok, u, t = step_motion(link, steps_of_motions[step.motion], theta_in, angles_in)
        if not ok:
            return False
        x, y, n = three(step.ex), three(step.ey), three(step.normal)
        plane = (
            x[0], y[0], n[0], t.real * x[0] + t.imag * y[0],
            x[1], y[1], n[1], t.real * x[1] + t.imag * y[1],
            x[2], y[2], n[2], t.real * x[2] + t.imag * y[2],
        )  # fmt: skip
        back = (x[0], x[1], x[2], 0.0, y[0], y[1], y[2], 0.0, n[0], n[1], n[2], 0.0)
        X = compose(X, compose(turned(plane, u.real, u.imag), back))
    put_pose(X_out, compose(X, pose_at(head.X_home)))
    return True


@entry(*PSI.args)
@kernel
def psi(
    link: Floats, sequence: Floats, problem: Floats, Y_in: Floats, weights_in: Floats,
    fk_tolerance: float, l_in: Floats, state: Floats, work: Floats,
) -> float:  # fmt: skip
    """Psi, Eq. (21), at the lengths of the relevant groups; infinite where there is no pose.

    `fk_tolerance` is that of the paper's forward kinematics, or 0 for the package's own. The
    paper's moves the machine on from where the evaluation before left it; where it cannot, the
    machine goes back there.
    """
    head, order = header(problem, PROBLEM), header(sequence, SEQUENCE)
    X, e = matrix(state, order.work.X), numbers(state, order.work.error)
    if fk_tolerance > 0.0:
        theta, angles = numbers(state, order.work.theta), matrix(state, order.work.angles)
        now, kept = numbers(state, order.work.configuration), numbers(state, order.work.kept)
        wanted = numbers(state, order.work.wanted)
        copy(now, kept)
        for i in range(head.n):
            wanted[head.actuators[i]] = l_in[i]
        if sequential_kernel(link, sequence, wanted, fk_tolerance, state) != SOLVED:
            copy(kept, now)
            return math.inf
        placed = link_pose(link, problem, theta, angles, X)
    else:
        if not go_to(link, problem, l_in, work):
            return math.inf
        closed_forms = table(state, 0, 0, 2)  # no angles: four-bars by their closed forms
        placed = link_pose(link, problem, numbers(work, head.work.theta), closed_forms, X)
    if not placed:
        return math.inf
    error(X, Y_in, head.point, e)
    return math.sqrt(2.0 * half_square(e, weights_in))


@entry(VECTOR, VECTOR, VECTOR, FROZEN, VECTOR, VECTOR, VECTOR)
@kernel
def begin(
    link: Floats, sequence: Floats, problem: Floats, q_in: Floats, state: Floats, work: Floats,
    l_out: Floats,
) -> None:  # fmt: skip
    """Both configurations as at `q_in`, and the relevant lengths there, moved into the bounds."""
    head, order = header(problem, PROBLEM), header(sequence, SEQUENCE)
    iteps = records(sequence, order.iteps, ITEP)
    theta, angles = numbers(state, order.work.theta), matrix(state, order.work.angles)
    current, wanted = numbers(state, order.work.current), numbers(state, order.work.wanted)
    own_theta, place = numbers(work, head.work.theta), indices(work, head.work.place)
    motions = records(state, order.work.motions, PLANE_MOTION)
    set_state(link, sequence, q_in, state)
    copy(theta, own_theta)
    for var in range(theta.shape[0]):
        place[var] = -1
    for group in range(iteps.shape[0]):
        wanted[iteps[group].actuator] = current[group]
    for i in range(head.n):
        place[head.variables[i]] = i
        value = length_now(link, head.actuators[i], theta, angles, motions)
        l_out[i] = min(max(value, head.lower[i]), head.upper[i])
