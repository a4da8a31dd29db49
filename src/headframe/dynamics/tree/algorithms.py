"""RNEA, CRBA, ABA and Cholesky over a machine's spanning tree, as free functions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from ...mechanism import Floats, Mechanism, tree_of
from ..status import OK
from .calling import (
    Compiled,
    articulated,
    composite,
    mechanism_of,
    newton_euler,
    quantities,
    ready,
    ready_with_matrices,
    with_care,
)


def rnea(
    mechanism: Mechanism | Compiled,
    q: ArrayLike,
    v: ArrayLike,
    vdot: ArrayLike,
    out: Floats | None = None,
    wrenches: Mapping[str, ArrayLike] | None = None,
) -> Floats:
    """Generalized forces that a motion of the spanning tree needs, gravity included.

    Positions and velocities follow the joints of the file, then the cylinders: the angle of the
    tube about its pin, for a mount that is no plane one the angle out of that plane, and the
    length. Vectors of doubles without gaps are the fastest.

    Args:
        mechanism: a machine, or its `mechanism`.
        q: positions [rad, m, unit quaternions], (nq,).
        v: velocities [rad/s, m/s], (nv,).
        vdot: accelerations [rad/s^2, m/s^2], (nv,).
        out: for the answer, (nv,).
        wrenches: external forces by link: moment [N m] and force [N] in base axes, the moment
            taken about the base's origin, (6,).

    Returns:
        Torques [N m] and forces [N], (nv,).

    Raises:
        NotAMachineError: something else in place of a machine.
        StateError: an array of another size, or numbers that are not finite.
        UnknownElementError: a force on a link that is not there.
    """
    try:
        memory, nv = ready(mechanism)
        tau = np.empty(nv) if out is None else out
        if wrenches is None and newton_euler.rnea(memory, q, v, vdot, tau) == OK:
            return tau
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        pass
    tree = tree_of(mechanism_of(mechanism))
    return with_care(newton_euler.rnea, tree, q, {"v": v, "vdot": vdot}, (tree.nv,), out, wrenches)


def crba(mechanism: Mechanism | Compiled, q: ArrayLike, out: Floats | None = None) -> Floats:
    """Inertia matrix of the spanning tree, (nv, nv); arguments as for `rnea`.

    The joints' `armature` stands on its diagonal.
    """
    try:
        memory, nv = ready(mechanism)
        M = np.empty((nv, nv)) if out is None else out
        if composite.crba(memory, q, M) == OK:
            return M
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        pass
    tree = tree_of(mechanism_of(mechanism))
    return with_care(composite.crba, tree, q, {}, (tree.nv, tree.nv), out)


def aba(
    mechanism: Mechanism | Compiled,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    out: Floats | None = None,
    wrenches: Mapping[str, ArrayLike] | None = None,
) -> Floats:
    """Accelerations of the spanning tree under generalized forces `tau`, (nv,).

    Loops are not closed: this is the tree alone, gravity included. Arguments as for `rnea`.

    Raises:
        NotAMachineError: something else in place of a machine.
        StateError: an array of another size, or numbers that are not finite.
        UnknownElementError: a force on a link that is not there.
        DynamicsError: a joint that moves nothing that has mass and has no armature.
    """
    try:
        memory, nv = ready(mechanism)
        vdot = np.empty(nv) if out is None else out
        if wrenches is None and articulated.aba(memory, q, v, tau, vdot) == OK:
            return vdot
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        pass
    tree = tree_of(mechanism_of(mechanism))
    return with_care(articulated.aba, tree, q, {"v": v, "tau": tau}, (tree.nv,), out, wrenches)


def forward_dynamics(
    mechanism: Mechanism | Compiled,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    wrenches: Mapping[str, ArrayLike] | None = None,
    out: Floats | None = None,
) -> Floats:
    """Accelerations of the spanning tree by its inertia matrix, (nv,); as `aba`, another way.

    M comes from CRBA, the bias from RNEA, and M vdot = tau - bias is solved by Cholesky: the
    roadheader paper's way. Arguments as for `rnea`, gravity included.

    Raises:
        NotAMachineError: something else in place of a machine.
        StateError: an array of another size, or numbers that are not finite.
        UnknownElementError: a force on a link that is not there.
        DynamicsError: an inertia matrix that is not positive definite; `body` names the joint or
            the cylinder where it shows.
    """
    kernel = quantities.forward_dynamics
    try:
        memory, matrices, nv = ready_with_matrices(mechanism)
        vdot = np.empty(nv) if out is None else out
        if wrenches is None and kernel(memory, matrices, q, v, tau, vdot) == OK:
            return vdot
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        pass
    tree = tree_of(mechanism_of(mechanism))
    before = (ready_with_matrices(mechanism)[1],)
    rates = {"v": v, "tau": tau}
    return with_care(kernel, tree, q, rates, (tree.nv,), out, wrenches, before)
