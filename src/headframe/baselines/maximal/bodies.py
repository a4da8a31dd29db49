"""Rigid bodies: what the freedoms of a tree carry, about their centres of mass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import DynamicsError
from ...mechanism import Floats, Tree
from ...spatial import compose

# A thin rod has no inertia about its own axis, and nothing could turn it: moments below the first
# part of the largest are raised to the second. Motion in a plane does not feel it.
THIN, FILLED = 1e-9, 1e-3


@dataclass(frozen=True)
class RigidBody:
    """A rigid body: what one of the tree's freedoms carries.

    Attributes:
        name: of its first link.
        freedom: of the tree.
        X_FB: pose of the centre of mass, principal axes, in the freedom's frame, (4, 4).
        mass: [kg].
        inertia: principal moments [kg m^2], none of them 0, (3,).
    """

    name: str
    freedom: int
    X_FB: Floats
    mass: float
    inertia: Floats


def body_of(tree: Tree, freedom: int, name: str) -> RigidBody:
    """The body that a freedom carries, by the name of its first link.

    Raises:
        DynamicsError: it has no mass, or no inertia at all.
    """
    row: Floats = tree.freedoms["body"][freedom]
    mass, xx, yy, zz, xy, xz, yz = (row[k] for k in (0, 4, 5, 6, 7, 8, 9))
    needed = (
        "in maximal coordinates every link is a body of its own: give it an `inertial`, fix it to "
        'its neighbour, or ask for repair="nearest"'
    )
    if not mass > 0.0:
        raise DynamicsError(f"{name!r} has no mass: {needed}", body=name)
    c = row[1:4] / mass
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moments, R = np.linalg.eigh(J - mass * (c @ c * np.eye(3) - np.outer(c, c)))
    if not moments[2] > THIN * abs(J).max():
        raise DynamicsError(f"{name!r} is a point without inertia: {needed}", body=name)
    moments[moments < THIN * moments[2]] = FILLED * moments[2]
    if np.linalg.det(R) < 0.0:
        R[:, 0] = -R[:, 0]
    return RigidBody(name, freedom, compose(R, c), float(mass), moments)


def without_mass(tree: Tree) -> set[int]:
    """Freedoms of cylinders' parts that can do without a body: the rod, or tube and rod."""
    mass, found = tree.freedoms["body"][:, 0], set()
    for cylinder in tree.cylinders:
        if mass[cylinder.rod] == 0.0:
            found.add(cylinder.rod)
            if mass[cylinder.tube[-1]] == 0.0:
                found.update(cylinder.tube)
    return found
