"""Jacobians, momentum, centre of mass and energy of a machine's spanning tree, loops open."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...errors import DynamicsError
from ...mechanism import Floats, Mechanism, Tree, checked_vector, tree_of
from ..status import OK
from .calling import (
    Compiled,
    mechanism_of,
    place_of,
    quantities,
    ready,
    ready_at,
    ready_with_base,
    with_care,
)

ORIGIN = np.zeros(3)
REFUSED = -1  # in place of a status, where a kernel does not take its arguments


class CentreOfMass(NamedTuple):
    """Mass of a machine and where its centre is.

    Attributes:
        mass: of all links [kg].
        position: of the centre in base axes [m], (3,).
    """

    mass: float
    position: Floats


class TreeEnergy(NamedTuple):
    """Energy of a machine's moving links.

    Attributes:
        kinetic: [J].
        potential: of gravity, 0 for what is level with the base's origin [J].
    """

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Kinetic and potential [J]."""
        return self.kinetic + self.potential


def body_jacobian(
    mechanism: Mechanism | Compiled,
    q: ArrayLike,
    link: str,
    point: ArrayLike | None = None,
    out: Floats | None = None,
) -> Floats:
    """Jacobian of a point of a link: J v is the link's angular velocity and the point's velocity.

    Over the velocities of the spanning tree, loops open; `Machine.jacobian` is the one over the
    lengths of the cylinders, loops closed.

    Args:
        mechanism: a machine, or its `mechanism`.
        q: positions as for `rnea`, (nq,).
        link: name of a link; tubes and rods are links too.
        point: in link axes [m], (3,); the link's origin if None.
        out: for the answer, (6, nv).

    Returns:
        Angular rows first, then linear ones, in base axes, (6, nv).

    Raises:
        NotAMachineError: something else in place of a machine.
        StateError: an array of another size, or numbers that are not finite.
        UnknownElementError: no link of that name.
    """
    p_LP_L = ORIGIN if point is None else point
    try:
        memory, at, nv = ready_at(mechanism, link)
        J = np.empty((6, nv)) if out is None else out
        if quantities.body_jacobian(memory, at, p_LP_L, q, J) == OK:
            return J
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        pass
    tree = tree_of(mechanism_of(mechanism))
    before = (place_of(tree, link), checked_vector(p_LP_L, 3, "point"))
    return with_care(quantities.body_jacobian, tree, q, {}, (6, tree.nv), out, None, before)


def momentum(mechanism: Mechanism | Compiled, q: ArrayLike, v: ArrayLike) -> Floats:
    """Momentum of a machine: angular about the base's origin [N m s], then linear [N s], (6,).

    In base axes; rotors (`armature`) have none. Arguments and errors as for `rnea`.
    """
    h, far = _of_motion(quantities.momentum, mechanism, q, v, 6)
    if far is not None:
        h[:3] += np.cross(far.origin, h[3:])
    return h


def centre_of_mass(mechanism: Mechanism | Compiled, q: ArrayLike) -> CentreOfMass:
    """Mass of a machine and its centre of mass, with what stands on the base.

    Arguments and errors as for `rnea`.

    Raises:
        DynamicsError: no link has mass.
    """
    found = np.empty(4)
    try:
        memory, base, far = ready_with_base(mechanism)
        status = quantities.centre_of_mass(memory, base, q, found)
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        status = REFUSED
    if status != OK:
        tree = tree_of(mechanism_of(mechanism))
        base, far = ready_with_base(mechanism)[1], tree.nearby
        if base[0] == 0.0 and not any(link.inertial for link in tree.mechanism.robot.links):
            raise DynamicsError("no link has mass: give one an `inertial`")
        with_care(quantities.centre_of_mass, tree, q, {}, (4,), found, None, (base,))
    centre = found[1:]
    return CentreOfMass(float(found[0]), centre if far is None else centre + far.origin)


def energy(mechanism: Mechanism | Compiled, q: ArrayLike, v: ArrayLike) -> TreeEnergy:
    """Kinetic and potential energy of a machine's moving links, rotors (`armature`) included.

    Gravity is that of `rnea`; what stands on the base, whose energy does not change, and springs
    are left out. Arguments and errors as for `rnea`.
    """
    found, far = _of_motion(quantities.energy, mechanism, q, v, 2)
    lift = 0.0 if far is None else far.lift
    return TreeEnergy(float(found[0]), float(found[1]) + lift)


def _of_motion(
    kernel: Callable[..., int],
    mechanism: Mechanism | Compiled,
    q: ArrayLike,
    v: ArrayLike,
    size: int,
) -> tuple[Floats, Tree | None]:  # fmt: skip
    """What a kernel tells of a motion, (size,); and the tree if its origin is not the base's."""
    found = np.empty(size)
    try:
        ready(mechanism)  # refuses inertias that no body has
        memory, _, far = ready_with_base(mechanism)
        if kernel(memory, q, v, found) == OK:
            return found, far
    except (TypeError, ValueError):  # of Numba, which takes no such argument
        pass
    tree = tree_of(mechanism_of(mechanism))
    return with_care(kernel, tree, q, {"v": v}, (size,), found), tree.nearby
