"""RNEA, CRBA and ABA over a machine's spanning tree, as free functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...errors import DynamicsError, HeadframeError, StateError, UnknownElementError
from ...mechanism import Mechanism
from ...mechanism.compiled import Floats, Ints
from . import _kernels
from .articulated import _kernels as _articulated
from .packing import Tree, checked_vector, tree_of

kernels: Any = _kernels  # they look at their arguments' types themselves
articulated: Any = _articulated
DOUBLE = np.dtype(float)
OK = _kernels.OK


def rnea(
    mechanism: Mechanism,
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
        mechanism: a machine, compiled.
        q: positions [rad, m, unit quaternions], (nq,).
        v: velocities [rad/s, m/s], (nv,).
        vdot: accelerations [rad/s^2, m/s^2], (nv,).
        out: for the answer, (nv,).
        wrenches: external forces by link: moment [N m] and force [N] in base axes, the moment
            taken about the base's origin, (6,).

    Returns:
        Torques [N m] and forces [N], (nv,).

    Raises:
        StateError: an array of another size, or numbers that are not finite.
    """
    tree_i, memory, nv = ready(mechanism)
    tau = np.empty(nv) if out is None else out
    try:
        if wrenches is None and kernels.rnea(tree_i, memory, q, v, vdot, tau) == OK:
            return tau
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        pass
    return _with_care(kernels.rnea, mechanism, q, {"v": v, "vdot": vdot}, out, wrenches)


def crba(mechanism: Mechanism, q: ArrayLike, out: Floats | None = None) -> Floats:
    """Inertia matrix of the spanning tree, (nv, nv); arguments as for `rnea`."""
    tree_i, memory, nv = ready(mechanism)
    M = np.empty((nv, nv)) if out is None else out
    try:
        if kernels.crba(tree_i, memory, q, M) == OK:
            return M
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        pass
    return _with_care(kernels.crba, mechanism, q, {}, out, None, 2)


def aba(
    mechanism: Mechanism,
    q: ArrayLike,
    v: ArrayLike,
    tau: ArrayLike,
    out: Floats | None = None,
    wrenches: Mapping[str, ArrayLike] | None = None,
) -> Floats:
    """Accelerations of the spanning tree under generalized forces `tau`, (nv,).

    Loops are not closed: this is the tree alone, gravity included. Arguments as for `rnea`.

    Raises:
        StateError: an array of another size, or numbers that are not finite.
        DynamicsError: a joint that moves nothing that has mass.
    """
    tree_i, memory, nv = ready(mechanism)
    vdot = np.empty(nv) if out is None else out
    try:
        if wrenches is None and articulated.aba(tree_i, memory, q, v, tau, vdot) == OK:
            return vdot
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        pass
    return _with_care(articulated.aba, mechanism, q, {"v": v, "tau": tau}, out, wrenches)


def _with_care(
    kernel: Callable[..., int],
    mechanism: Mechanism,
    q: ArrayLike,
    rates: Mapping[str, ArrayLike],
    out: Floats | None,
    wrenches: Mapping[str, ArrayLike] | None,
    dimensions: int = 1,
) -> Floats:
    """A kernel's answer for arguments that it does not take as they are, or the error."""
    tree = tree_of(mechanism)
    tree_i, memory, nv = ready(mechanism)
    positions = checked_vector(q, tree.nq, "q")
    vectors = [checked_vector(values, nv, name) for name, values in rates.items()]
    answer = _answer(tree, out, dimensions)
    if wrenches is not None:
        memory[-6 * nv :] = gathered(tree, wrenches).ravel()
    memory[kernels.PULLED] = wrenches is not None
    status = kernel(tree_i, memory, positions, *vectors, answer)
    memory[kernels.PULLED] = False
    if status != OK:
        raise _error(tree, status)
    return answer


def gathered(tree: Tree, wrenches: Mapping[str, ArrayLike]) -> Floats:
    """Forces on links added up by the freedom that carries them, (nd, 6)."""
    total = np.zeros((len(tree.tree_i), 6))
    for link, wrench in wrenches.items():
        if link not in tree.freedom_of_link:
            raise UnknownElementError("link", link, tree.freedom_of_link)
        freedom = tree.freedom_of_link[link]
        vector = checked_vector(wrench, 6, f"wrench on {link!r}")
        if freedom >= 0:
            total[freedom] += vector
    return total


@lru_cache(maxsize=256)
def ready(mechanism: Mechanism) -> tuple[Ints, Floats, int]:
    """What the kernels take, and nv.

    The kernels are compiled for vectors of doubles, once, and from then on refuse anything else
    with a TypeError: looking at a call's arrays here would take as long as the call.
    """
    tree = tree_of(mechanism)
    _lock_kernels()
    return tree.tree_i, tree.memory, tree.nv


@cache
def _lock_kernels() -> None:
    kernels.warm_up()
    articulated.warm_up()
    for one in (kernels.rnea, kernels.crba, articulated.aba):
        one.disable_compile()


def _answer(tree: Tree, out: Floats | None, dimensions: int) -> Floats:
    """The array for the answer, of so many dimensions of nv; StateError if it does not fit."""
    shape = (tree.nv,) * dimensions
    if out is None:
        return np.empty(shape)
    if type(out) is np.ndarray and out.dtype is DOUBLE and out.shape == shape:
        if out.flags.c_contiguous and out.flags.writeable:
            return out
        raise StateError("out: found an array in another order or one that cannot be written")
    found = f"shape {out.shape} of {out.dtype}" if isinstance(out, np.ndarray) else repr(out)
    raise StateError(f"out: found {found}, expected doubles of shape {shape}")


def _error(tree: Tree, status: int) -> HeadframeError:
    """What a status stands for, the arguments being right."""
    if status == kernels.NO_INERTIA:
        nd = len(tree.tree_i)
        gains = tree.memory[tree.tree_f.size :][kernels.GAIN * nd :][:nd]
        first = np.flatnonzero(~(gains > 0.0))[-1]  # on the way inwards
        if gains[first] == 0.0:
            name = tree.owner[first]
            return DynamicsError(
                f"{name!r} moves nothing that has mass: give its link an `inertial`", body=name
            )
    return StateError("found numbers too large to compute with")
