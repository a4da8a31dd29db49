"""How public functions call kernels over a spanning tree: quickly, or with care and errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ...description.inertia import require_sound
from ...errors import (
    DynamicsError,
    HeadframeError,
    NotAMachineError,
    StateError,
    UnknownElementError,
)
from ...mechanism import Mechanism
from ...mechanism.compiled import Floats, Ints
from ...topology import Topology
from . import _kernels
from .articulated import _kernels as _articulated
from .packing import Tree, checked_vector, lacking, tree_of
from .quantities import _kernels as _quantities

kernels: Any = _kernels  # they look at their arguments' types themselves
articulated: Any = _articulated
quantities: Any = _quantities
DOUBLE = np.dtype(float)
OK = _kernels.OK


class Compiled(Protocol):
    """A `Machine`, which holds its mechanism."""

    @property
    def mechanism(self) -> Mechanism:
        """The machine as flat arrays."""

    @property
    def topology(self) -> Topology:
        """What the mechanism was made from."""

    def __hash__(self) -> int:
        """What is made for it is kept."""


def mechanism_of(given: Mechanism | Compiled) -> Mechanism:
    """The mechanism itself, or that of a machine; NotAMachineError for anything else."""
    if isinstance(given, Mechanism):
        return given
    # `Machine` stands in a room above; a state has a mechanism too, but is none
    if hasattr(given, "topology") and isinstance(getattr(given, "mechanism", None), Mechanism):
        return given.mechanism
    raise NotAMachineError(
        f"found {given!r:.80}, expected a Machine, such as load(...) gives, or its mechanism"
    )


@lru_cache(maxsize=256)
def ready(given: Mechanism | Compiled) -> tuple[Ints, Floats, int]:
    """What the kernels take, and nv.

    The kernels are compiled for vectors of doubles, once, and from then on refuse anything else
    with a TypeError: looking at a call's arrays here would take as long as the call.

    Raises:
        DynamicsError: a link with an inertia that no body has.
    """
    require_sound(mechanism_of(given).robot)
    return _arrays(given)


@lru_cache(maxsize=256)
def _arrays(given: Mechanism | Compiled) -> tuple[Ints, Floats, int]:
    """What `ready` gives, for what needs no inertia."""
    tree = tree_of(mechanism_of(given))
    _lock_kernels()
    return tree.tree_i, tree.memory, tree.nv


@lru_cache(maxsize=256)
def ready_with_matrices(given: Mechanism | Compiled) -> tuple[Ints, Floats, Floats, int]:
    """What `forward_dynamics` of the quantities' kernels takes, and nv."""
    tree_i, memory, nv = ready(given)
    _lock_quantities()
    return tree_i, memory, np.zeros(2 * nv * nv), nv


@lru_cache(maxsize=256)
def ready_with_base(given: Mechanism | Compiled) -> tuple[Ints, Floats, Floats]:
    """What the kernels take, and mass and first moment of what stands on the base, (4,)."""
    tree_i, memory, _ = _arrays(given)
    _lock_quantities()
    tree, total = tree_of(mechanism_of(given)), np.zeros(4)
    for link in tree.mechanism.robot.links:
        if tree.freedom_of_link[link.name] < 0 and link.inertial is not None:
            X_WL = tree.X_FL[link.name]
            p_WC = X_WL[:3, :3] @ np.asarray(link.inertial.com) + X_WL[:3, 3]
            total += link.inertial.mass * np.array([1.0, *p_WC])
    return tree_i, memory, total


@lru_cache(maxsize=1024)
def ready_at(given: Mechanism | Compiled, link: str) -> tuple[Ints, Floats, Floats, int]:
    """What `body_jacobian` takes for a link, and nv."""
    tree_i, memory, nv = _arrays(given)
    _lock_quantities()
    return tree_i, memory, place_of(tree_of(mechanism_of(given)), link), nv


def place_of(tree: Tree, link: str) -> Floats:
    """Where a link is: [freedom, X_FL as 3x4 rows], (13,)."""
    if not isinstance(link, str) or link not in tree.freedom_of_link:
        raise UnknownElementError("link", link, tree.freedom_of_link)
    return np.array([tree.freedom_of_link[link], *tree.X_FL[link][:3].ravel()])


@cache
def _lock_kernels() -> None:
    kernels.warm_up()
    articulated.warm_up()
    for one in (kernels.rnea, kernels.crba, articulated.aba):
        one.disable_compile()


@cache
def _lock_quantities() -> None:
    quantities.warm_up()
    for one in (
        quantities.body_jacobian, quantities.momentum, quantities.centre_of_mass,
        quantities.energy, quantities.forward_dynamics,
    ):  # fmt: skip
        one.disable_compile()


def with_care(
    kernel: Callable[..., int],
    tree: Tree,
    q: ArrayLike,
    rates: Mapping[str, ArrayLike],
    shape: tuple[int, ...],
    out: Floats | None = None,
    wrenches: Mapping[str, ArrayLike] | None = None,
    before: tuple[Floats, ...] = (),
) -> Floats:
    """A kernel's answer for arguments that it does not take as they are, or the error.

    `before` are arrays that the kernel takes before the positions; `shape` is the answer's.
    """
    memory, nv = tree.memory, tree.nv
    positions = checked_vector(q, tree.nq, "q")
    vectors = [checked_vector(values, nv, name) for name, values in rates.items()]
    answer = answer_for(out, shape)
    if wrenches is not None:
        memory[-6 * nv :] = gathered(tree, wrenches).ravel()
    memory[kernels.PULLED] = wrenches is not None
    try:
        status = kernel(tree.tree_i, memory, *before, positions, *vectors, answer)
    finally:
        memory[kernels.PULLED] = False
    if status != OK:
        raise error_of(tree, status)
    return answer


def gathered(tree: Tree, wrenches: object) -> Floats:
    """Forces on links added up by the freedom that carries them, (nd, 6)."""
    if not isinstance(wrenches, Mapping):
        found = type(wrenches).__name__
        raise StateError(f"wrenches: found {found}, expected vectors of shape (6,) by link (dict)")
    total = np.zeros((len(tree.tree_i), 6))
    for link, wrench in wrenches.items():
        if link not in tree.freedom_of_link:
            raise UnknownElementError("link", link, tree.freedom_of_link)
        freedom = tree.freedom_of_link[link]
        vector = checked_vector(wrench, 6, f"wrench on {link!r}")
        if freedom >= 0:
            total[freedom] += vector
    return total


def answer_for(out: Floats | None, shape: tuple[int, ...]) -> Floats:
    """The array for the answer; StateError if it does not fit."""
    if out is None:
        return np.empty(shape)
    if type(out) is np.ndarray and out.dtype is DOUBLE and out.shape == shape:
        if out.flags.c_contiguous and out.flags.writeable:
            return out
        raise StateError("out: found an array in another order or one that cannot be written")
    found = f"shape {out.shape} of {out.dtype}" if isinstance(out, np.ndarray) else repr(out)
    raise StateError(f"out: found {found}, expected doubles of shape {shape}")


def error_of(tree: Tree, status: int) -> HeadframeError:
    """What a status of any kernel but the centre of mass stands for, the arguments being right."""
    if status == kernels.NO_INERTIA:
        nd = len(tree.tree_i)
        gains = tree.memory[tree.tree_f.size :][kernels.GAIN * nd :][:nd]
        first = np.flatnonzero(~(gains > 0.0))[-1]  # on the way inwards
        if gains[first] == 0.0:
            name = tree.owner[first]
            return DynamicsError(lacking(tree, name), body=name)
    freedom, kind = divmod(status, quantities.STATUSES)
    if kind == quantities.NOT_POSITIVE:
        name = tree.owner[freedom]
        return DynamicsError(
            f"the inertia matrix is not positive definite at {name!r}: it moves nothing that has "
            "mass, or nothing that joints before it do not move the same way, and has no armature",
            body=name,
        )
    return StateError("found numbers too large to compute with")
