"""How public functions call kernels over a spanning tree: quickly, or with care and errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ...description import require_sound
from ...errors import NotAMachineError, StateError
from ...jit import Packing, lock
from ...mechanism import Floats, Mechanism, Tree, checked_vector, tree_of
from ...mechanism.kernels import LINK
from ...topology import Topology
from ..errors import tree_error
from ..status import OK
from . import articulated as _articulated
from . import composite_inertia as _composite
from . import newton_euler as _newton_euler
from . import quantities as _quantities
from .memory import bodies_of, pack_tree

newton_euler: Any = _newton_euler  # kernels look at their arguments' types themselves
composite: Any = _composite
articulated: Any = _articulated
quantities: Any = _quantities
DOUBLE = np.dtype(float)


class Compiled(Protocol):
    """A `Machine`, which holds its mechanism."""

    @property
    def mechanism(self) -> Mechanism:
        """The compiled machine."""

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
def memory_of(tree: Tree) -> Floats:
    """What all kernels over a tree take: its freedoms and their scratch memory.

    They work about the origin of `Tree.nearby`: what is told of the base's origin goes through
    `pulls_on_bodies` on its way in, and `functions` on its way out.
    """
    return pack_tree(tree.nearby)


@lru_cache(maxsize=256)
def ready(given: Mechanism | Compiled) -> tuple[Floats, int]:
    """What the kernels take, and nv.

    The kernels are compiled for vectors of doubles, once, and from then on refuse anything else
    with a TypeError: looking at a call's arrays here would take as long as the call.

    Raises:
        DynamicsError: a link with an inertia that no body has.
    """
    require_sound(mechanism_of(given).robot)
    return _memory(given)


@lru_cache(maxsize=256)
def _memory(given: Mechanism | Compiled) -> tuple[Floats, int]:
    """What `ready` gives, for what needs no inertia."""
    tree = tree_of(mechanism_of(given))
    _lock_algorithms()
    return memory_of(tree), tree.nv


@lru_cache(maxsize=256)
def ready_with_matrices(given: Mechanism | Compiled) -> tuple[Floats, Floats, int]:
    """What `forward_dynamics` of the quantities' kernels takes, and nv."""
    memory, nv = ready(given)
    _lock_quantities()
    packing = Packing(_quantities.MATRICES)
    packing.add("M", np.zeros((nv, nv)))
    packing.add("L", np.zeros((nv, nv)))
    return memory, packing.buffer(), nv


@lru_cache(maxsize=256)
def ready_with_base(given: Mechanism | Compiled) -> tuple[Floats, Floats, Tree | None]:
    """What the kernels take, what stands on the base, and the tree if its origin is another.

    What stands on the base is its mass and first moment, (4,), about the origin of the tree.
    """
    memory, _ = _memory(given)
    _lock_quantities()
    tree, total = tree_of(mechanism_of(given)).nearby, np.zeros(4)
    for link in tree.mechanism.robot.links:
        if tree.freedom_of_link[link.name] < 0 and link.inertial is not None:
            X_WL = tree.X_FL[link.name]
            p_WC = X_WL[:3, :3] @ np.asarray(link.inertial.com) + X_WL[:3, 3]
            total += link.inertial.mass * np.array([1.0, *p_WC])
    return memory, total, tree if tree.origin.any() else None


@lru_cache(maxsize=1024)
def ready_at(given: Mechanism | Compiled, link: str) -> tuple[Floats, Floats, int]:
    """What `body_jacobian` takes for a link, and nv."""
    memory, nv = _memory(given)
    _lock_quantities()
    return memory, place_of(tree_of(mechanism_of(given)), link), nv


def place_of(tree: Tree, link: str) -> Floats:
    """Where a link is, as a LINK in a buffer of its own."""
    freedom, X_FL = tree.carrier_of(link), tree.nearby.X_FL
    return Packing(LINK, freedom=freedom, X_FL=X_FL[link][:3]).buffer()


@cache
def _lock_algorithms() -> None:
    for kernel in (newton_euler.rnea, composite.crba, articulated.aba):
        lock(kernel)


@cache
def _lock_quantities() -> None:
    for kernel in (
        quantities.body_jacobian, quantities.momentum, quantities.centre_of_mass,
        quantities.energy, quantities.forward_dynamics,
    ):  # fmt: skip
        lock(kernel)


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
    memory, nv = memory_of(tree), tree.nv
    bodies = bodies_of(memory)
    positions = checked_vector(q, tree.nq, "q")
    vectors = [checked_vector(values, nv, name) for name, values in rates.items()]
    answer = answer_for(out, shape)
    if wrenches is not None:
        bodies["pull"] = pulls_on_bodies(tree, wrenches)
    try:
        status = kernel(memory, *before, positions, *vectors, answer)
    finally:
        bodies["pull"] = 0.0
    if status != OK:
        raise tree_error(tree, status, bodies["gain"])
    return answer


def pulls_on_bodies(tree: Tree, wrenches: object) -> Floats:
    """Forces on links added up by the freedom that carries them, (nd, 6).

    Moments are given about the base's origin, and added up about that of `Tree.nearby`.
    """
    if not isinstance(wrenches, Mapping):
        found = type(wrenches).__name__
        raise StateError(f"wrenches: found {found}, expected vectors of shape (6,) by link (dict)")
    total = np.zeros((len(tree.freedoms), 6))
    for link, wrench in wrenches.items():
        freedom = tree.carrier_of(link)
        vector = checked_vector(wrench, 6, f"wrench on {link!r}")
        if freedom >= 0:
            total[freedom] += vector
    total[:, :3] -= np.cross(tree.nearby.origin, total[:, 3:])
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
