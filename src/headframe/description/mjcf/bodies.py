"""What MJCF's bodies weigh: `<inertial>`, or their geoms, as the compiler's settings say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...errors import InertiaError, MassError
from .compiler import Settings
from .inertia import Solid
from .places import Floats
from .shapes import Geom, Geoms
from .tree import MjcfBody
from .values import MjcfValues

MASSLESS = "the link is massless"


def solids_of(
    bodies: Sequence[MjcfBody],
    geoms: Mapping[MjcfBody, Sequence[Geom]],
    reader: Geoms,
    settings: Settings,
    values: MjcfValues,
) -> dict[MjcfBody, Solid]:
    """Mass and inertia of every body that has some, in the body's axes."""
    found = {}
    for body in bodies:
        given = body.inertial is not None and settings.from_geoms != "true"
        solid = _given(body, values) if given else None
        if solid is None and not given and settings.from_geoms != "false":
            solid = reader.solid(geoms[body])
        if solid is not None or (settings.least_mass > 0.0 and body.parent is not None):
            solid = solid or Solid(0.0, np.zeros(3), np.zeros((3, 3)))
            found[body] = _bounded(solid, settings)
    if settings.total_mass > 0.0:
        total = sum(solid.mass for body, solid in found.items() if body.parent is not None)
        if total > 0.0:
            factor = settings.total_mass / total
            found = {body: solid.scaled(factor) for body, solid in found.items()}
    return found


def _given(body: MjcfBody, values: MjcfValues) -> Solid | None:
    """Mass and inertia of an `<inertial>`."""
    element, place = body.inertial, f"{body.place}/inertial"
    assert element is not None
    mass = values.soft_number(element, place, "mass", None, MASSLESS)
    full = values.numbers(element, place, "fullinertia", 6, 6, MASSLESS)
    diagonal = values.numbers(element, place, "diaginertia", 3, 3, MASSLESS)
    if mass is None:
        return None
    if mass <= 0.0:
        message = f"found a mass of {mass:g}, expected more than 0"
        if mass < 0.0:
            values.forgive(MassError, place, element, message, MASSLESS)
        return None
    if full is not None:
        xx, yy, zz, xy, xz, yz = full
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    elif diagonal is not None:
        I = np.diag(diagonal)
    else:
        message = "diaginertia and fullinertia are missing"
        values.forgive(InertiaError, place, element, message, "a point mass is taken")
        I = np.zeros((3, 3))
    return Solid(mass, np.zeros(3), I).seen_from(body.X_BI)


def _bounded(solid: Solid, settings: Settings) -> Solid:
    """A solid with the least mass and moments that the settings want, balanced if they say so."""
    mass, I = max(solid.mass, settings.least_mass), solid.inertia
    if settings.least_inertia > 0.0 or settings.balance:
        moments, R = np.linalg.eigh(I)
        moments = np.maximum(moments, settings.least_inertia)
        if settings.balance and 2.0 * moments.max() > moments.sum():
            moments = np.full(3, moments.mean())
        I = (R * moments) @ R.T
    return Solid(mass, solid.com, I)


def as_inertial(solid: Solid) -> dict[str, Any]:
    """Mass, centre of mass and inertia as MRDF has them."""
    I: Floats = (solid.inertia + solid.inertia.T) / 2
    com = [float(value) for value in solid.com]
    return {"mass": float(solid.mass), "com": com, "inertia": I.tolist()}
