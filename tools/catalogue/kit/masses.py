"""Mass, centre of mass and inertia of shapes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from headframe.description import Box, Capsule, Cone, Cylinder, Geometry, Inertial, Sphere

from .shapes import Shape
from .vectors import Array, decimals, significant

STEEL = 7850.0  # density [kg/m3]


def inertial(shapes: Sequence[Shape], density: float, mass: float | None = None) -> Inertial:
    """Sum up shapes; where they overlap, the overlap counts twice.

    Args:
        shapes: The shapes of one link; `weight` scales a shape's volume.
        density: Effective density [kg/m3].
        mass: Where given, everything is scaled to this mass [kg].
    """
    bodies = []
    for shape in shapes:
        volume, height, moments = solid(shape.visual.geometry)
        effective = density * shape.weight
        if effective > 0.0:
            X = shape.visual.pose
            R = X[:3, :3]
            centre = R[:, 2] * height + X[:3, 3]
            bodies.append((volume * effective, centre, R @ np.diag(moments) @ R.T * effective))
    total = sum(m for m, _, _ in bodies)
    com = sum((m * centre for m, centre, _ in bodies), np.zeros(3)) / total
    inertia = np.zeros((3, 3))
    for m, centre, moment in bodies:
        d = centre - com
        inertia += moment + m * ((d @ d) * np.eye(3) - np.outer(d, d))
    scale = 1.0 if mass is None else mass / total
    inertia = (inertia + inertia.T) / 2 * scale
    return Inertial.make(
        mass=significant(total * scale, 6),
        com=tuple(decimals(value, 6) for value in com),
        inertia=tuple(tuple(decimals(significant(v, 9), 6) for v in row) for row in inertia),
    )


def solid(geometry: Geometry) -> tuple[float, float, Array]:
    """Measure a solid of density 1 in its own axes.

    Returns:
        Volume [m3], height of the centroid on the z axis [m], principal moments of inertia about
        the centroid [m5] (3,).
    """
    match geometry:
        case Box(x=x, y=y, z=z):
            volume = x * y * z
            moments = volume / 12 * np.array([y * y + z * z, x * x + z * z, x * x + y * y])
            return volume, 0.0, moments
        case Cylinder(r1=r1, r2=r2, h=h):
            return _truncated_cone(r1, r2, h)
        case Cone(r=r, h=h):
            return _truncated_cone(r, 0.0, h)
        case Sphere(r=r):
            volume = 4 / 3 * np.pi * r**3
            return volume, 0.0, np.full(3, 0.4 * volume * r**2)
        case Capsule(r=r, h=h):
            tube, ball = np.pi * r * r * h, 4 / 3 * np.pi * r**3
            axial = tube * r * r / 2 + ball * 0.4 * r * r
            across = tube * (r * r / 4 + h * h / 12)
            across += ball * (0.4 * r * r + h * h / 4 + 3 / 8 * h * r)
            return tube + ball, 0.0, np.array([across, across, axial])
    raise ValueError(f"no mass properties for a {geometry.type}")


def _truncated_cone(r1: float, r2: float, h: float) -> tuple[float, float, Array]:
    """Measure discs of radius r1 + (r2 - r1) t, t in 0..1: polynomials, exact with 4 points."""
    t, w = np.polynomial.legendre.leggauss(4)
    t, w = (t + 1) / 2, w / 2
    r, z = r1 + (r2 - r1) * t, (t - 0.5) * h
    discs = np.pi * r * r * w * h
    volume = float(discs.sum())
    height = float(discs @ z) / volume
    axial = float(discs @ (r * r)) / 2
    across = axial / 2 + float(discs @ (z - height) ** 2)
    return volume, height, np.array([across, across, axial])
