"""Volume, middle and inertia of shapes, exactly.

Of every shape three integrals over its volume are known: of 1, of x and of x x^T. They add up and
move along with frames, and a body's inertia follows from them: with the density d and the second
moment S about the middle it is d (trace(S) 1 - S). Where shapes of a body overlap, the overlap
counts for each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..description import (
    Box,
    Capsule,
    ChainLink,
    CollisionShape,
    Cone,
    Cylinder,
    Geometry,
    Inertial,
    Sphere,
    Torus,
)
from ..spatial import pose
from .shapes import Faceted, surface_of

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Moments:
    """Integrals over a volume, in some axes.

    Attributes:
        volume: [m^3].
        first: of x [m^4], (3,).
        second: of x x^T [m^5], (3, 3).
    """

    volume: float
    first: Floats
    second: Floats

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.volume + other.volume, self.first + other.first, self.second + other.second
        )

    def seen_from(self, X_AB: Floats) -> Moments:
        """The same volume, given in B, in the axes of A: x becomes R x + p."""
        R, p = X_AB[:3, :3], X_AB[:3, 3]
        turned = R @ self.first
        mixed = np.outer(turned, p)
        second = R @ self.second @ R.T + mixed + mixed.T + self.volume * np.outer(p, p)
        return Moments(self.volume, turned + self.volume * p, second)


def inertial_of(
    shapes: Sequence[CollisionShape],
    mass: float | None = None,
    density: float | None = None,
    folder: str | Path | None = None,
    place: str = "",
) -> Inertial:
    """Mass, centre of mass and inertia of a body of even density, in the body's axes.

    Args:
        shapes: what it is made of.
        mass: of all of it [kg]; or else
        density: [kg/m^3].
        folder: where mesh files are.
        place: where the shapes stand in their file, for error messages.

    Raises:
        MeshError: a mesh that cannot be read, or is not closed.
    """
    whole = Moments(0.0, np.zeros(3), np.zeros((3, 3)))
    for shape in shapes:
        whole += moments_of(shape.geometry, folder, place).seen_from(shape.pose)
    com = whole.first / whole.volume
    S = whole.second - whole.volume * np.outer(com, com)
    weight = mass if mass is not None else (density or 0.0) * whole.volume
    I = weight / whole.volume * (np.trace(S) * np.eye(3) - S)
    rows = tuple(tuple(row) for row in ((I + I.T) / 2).tolist())
    return Inertial.make(mass=float(weight), com=tuple(com.tolist()), inertia=rows)


def moments_of(geometry: Geometry, folder: str | Path | None = None, place: str = "") -> Moments:
    """Moments of a shape in its own axes."""
    match geometry:
        case Sphere(r=r):
            return _turned(4.0 / 3.0 * math.pi * r**3, 0.2 * r * r, 0.2 * r * r)
        case Box(x=x, y=y, z=z):
            volume = x * y * z
            return Moments(volume, np.zeros(3), volume / 12.0 * np.diag([x * x, y * y, z * z]))
        case Cylinder(r1=r1, r2=r2, h=h):
            return _frustum(r1, r2, h)
        case Cone(r=r, h=h):
            return _frustum(r, 0.0, h)
        case Capsule(r=r, h=h):
            ends = _half_ball(r).seen_from(pose((0, 0, h / 2), (0, 0, 0)))
            flipped = ends.seen_from(pose((0, 0, 0), (math.pi, 0, 0)))
            return _frustum(r, r, h) + ends + flipped
        case Torus(R=R, r=r, arc=arc):
            ring = _arc(R, r, arc / 2)
            return ring if arc >= 2.0 * math.pi else ring + _ends(R, r, arc / 2)
        case ChainLink(R=R, r=r, length=length):
            bow = _arc(R, r, math.pi / 2).seen_from(pose((length / 2, 0, 0), (0, 0, 0)))
            bar = _frustum(r, r, length).seen_from(pose((0, R, 0), (0, math.pi / 2, 0)))
            half = bow + bar
            return half + half.seen_from(pose((0, 0, 0), (0, 0, math.pi)))
    return of_surface(surface_of(geometry, folder, place))


def of_surface(surface: Faceted) -> Moments:
    """Moments of what a closed surface holds: tetrahedra from the origin to its faces.

    With the corners a, b, c of a face, D = det(a, b, c) and s = a + b + c, the integrals over its
    tetrahedron are D/6, D/24 s and D/120 (a a^T + b b^T + c c^T + s s^T).
    """
    corners = surface.points[surface.faces]  # (m, 3, 3): face, corner, component
    D = np.linalg.det(corners)
    s = corners.sum(axis=1)
    second = np.einsum("m,mki,mkj->ij", D, corners, corners) + np.einsum("m,mi,mj->ij", D, s, s)
    return Moments(float(D.sum()) / 6.0, D @ s / 24.0, second / 120.0)


def _turned(volume: float, across: float, along: float) -> Moments:
    """A shape about z whose middle is the origin, by its mean x^2 and z^2 [m^2]."""
    return Moments(volume, np.zeros(3), volume * np.diag([across, across, along]))


def _frustum(r1: float, r2: float, h: float) -> Moments:
    """From the radius r1 at -h/2 to r2 at h/2; four points of Gauss are exact to z^7."""
    at, weights = np.polynomial.legendre.leggauss(4)
    z, dz = at * h / 2, weights * h / 2
    r = 0.5 * (r1 + r2) + (r2 - r1) * z / h
    disc = math.pi * r * r * dz
    across = float(disc @ (r * r)) / 4.0
    second = np.diag([across, across, float(disc @ (z * z))])
    return Moments(float(disc.sum()), np.array([0.0, 0.0, float(disc @ z)]), second)


def _half_ball(r: float) -> Moments:
    """The half z > 0 of a ball about the origin: half of its moments, and pi r^4 / 4 along z."""
    first = np.array([0.0, 0.0, math.pi * r**4 / 4.0])
    return Moments(2.0 / 3.0 * math.pi * r**3, first, 2.0 / 15.0 * math.pi * r**5 * np.eye(3))


def _arc(R: float, r: float, half: float) -> Moments:
    """A ring without ends, from -half to half about z.

    At the angle t and at polar (u, b) in the section x = (R + u cos b) n(t) + u sin b z, and the
    volume is (R + u cos b) u du db dt. Over the section (R + u cos b)^k has the mean R, with k = 1,
    R^2 + r^2/4, with 2, and R^3 + 3 R r^2/4, with 3; (u sin b)^2 (R + u cos b) has R r^2/4.
    """
    section = math.pi * r * r
    first = section * (R * R + r * r / 4.0) * np.array([2.0 * math.sin(half), 0.0, 0.0])
    wave = math.sin(2.0 * half) / 2.0
    plane = section * (R**3 + 0.75 * R * r * r)
    second = np.diag(
        [plane * (half + wave), plane * (half - wave), section * R * r * r / 4.0 * 2.0 * half]
    )
    return Moments(2.0 * half * section * R, first, second)


def _ends(R: float, r: float, half: float) -> Moments:
    """The half-spheres at both ends of an arc."""
    both = Moments(0.0, np.zeros(3), np.zeros((3, 3)))
    for side in (1.0, -1.0):
        angle = side * half
        at = (R * math.cos(angle), R * math.sin(angle), 0.0)
        # its z along the line: first onto y, upwards or downwards, then round by the angle
        turn = pose((0, 0, 0), (0, 0, angle)) @ pose((0, 0, 0), (-side * math.pi / 2, 0, 0))
        turn[:3, 3] = at
        both += _half_ball(r).seen_from(turn)
    return both
