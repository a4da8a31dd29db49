"""Shapes: boxes between two points, round bars, brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from headframe.description import Box, Capsule, Cone, Cylinder, Geometry, Material, Sphere, Visual
from headframe.spatial import rpy_from_matrix

from .palette import BLACK, DARK_GREY, GREY, Color
from .vectors import ORIGIN, Array, Point, X, Y, decimals


@dataclass(frozen=True)
class Shape:
    """A shape on a link.

    Attributes:
        visual: What is seen, in link axes.
        weight: Scales its volume against the link's other shapes; 0 for paint and hoses.
    """

    visual: Visual
    weight: float = 1.0


Shapes: TypeAlias = "Sequence[Shape | Shapes]"


def placed(
    geometry: Geometry,
    at: Point,
    rpy: Point,
    color: Color,
    name: str | None = None,
    weight: float = 1.0,
) -> Shape:
    """Put a geometry at a point [m], turned by roll-pitch-yaw angles [rad]."""
    visual = Visual.make(
        name=name,
        translation=tuple(decimals(value) for value in at),
        orientation=tuple(decimals(value) for value in rpy),
        geometry=geometry,
        material=Material.make(color=color),
    )
    return Shape(visual, weight)


def box(
    size: Point,
    at: Point = ORIGIN,
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
    *,
    rpy: Point = ORIGIN,
) -> Shape:
    """Make a box with edges `size` along its own x, y and z [m], centred at `at`."""
    x, y, z = (decimals(edge) for edge in size)
    return placed(Box(type="box", x=x, y=y, z=z), at, rpy, color, name, weight)


def beam(
    start: Point,
    end: Point,
    width: float,
    height: float,
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
    *,
    side: Point = Y,
) -> Shape:
    """Make a box from `start` to `end`, `width` along `side` and `height` across both [m]."""
    middle, length, frame = _between(start, end, side)
    rpy = rpy_from_matrix(frame)
    return box((length, width, height), middle, color, name, weight, rpy=rpy)


def plate(
    start: Point,
    end: Point,
    width: float,
    thickness: float,
    color: Color = GREY,
    name: str | None = None,
    *,
    below: bool = False,
) -> Shape:
    """Make a plate on the line `start` -> `end`, `width` along y [m].

    It lies on top of the line, or under it where `below` is true.
    """
    normal = _between(start, end, Y)[2][:, 2]
    shift = normal * thickness / 2 * (-1.0 if below else 1.0)
    return beam(np.add(start, shift), np.add(end, shift), width, thickness, color, name)


def rod(
    start: Point,
    end: Point,
    radius: float,
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
    *,
    end_radius: float | None = None,
) -> Shape:
    """Make a round bar, or with `end_radius` a truncated cone, from `start` to `end` [m]."""
    middle, length, rpy = _round(start, end)
    r1, r2 = decimals(radius), decimals(radius if end_radius is None else end_radius)
    geometry = Cylinder(type="cylinder", r1=r1, r2=r2, h=length)
    return placed(geometry, middle, rpy, color, name, weight)


def capsule(
    start: Point,
    end: Point,
    radius: float,
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
) -> Shape:
    """Make a round bar with half-spheres centred on `start` and `end` [m]."""
    middle, length, rpy = _round(start, end)
    geometry = Capsule(type="capsule", r=decimals(radius), h=length)
    return placed(geometry, middle, rpy, color, name, weight)


def hose(start: Point, end: Point, radius: float, name: str = "hose") -> Shape:
    """Make a straight piece of hose or cable [m], which weighs nothing."""
    return capsule(start, end, radius, BLACK, name, 0.0)


def cone(
    base: Point, apex: Point, radius: float, color: Color = GREY, name: str | None = None
) -> Shape:
    """Make a cone from the centre of its base to its apex [m]: picks, teeth."""
    middle, length, rpy = _round(base, apex)
    return placed(Cone(type="cone", r=decimals(radius), h=length), middle, rpy, color, name)


def sphere(at: Point, radius: float, color: Color = GREY, name: str | None = None) -> Shape:
    """Make a ball [m]."""
    return placed(Sphere(type="sphere", r=decimals(radius)), at, ORIGIN, color, name)


def pin(
    at: Point,
    radius: float,
    length: float,
    color: Color = DARK_GREY,
    name: str | None = None,
    weight: float = 1.0,
    *,
    axis: Point = Y,
) -> Shape:
    """Make a pin (or a boss, a drum, a wheel) centred at `at`, along `axis` [m]."""
    half = np.asarray(axis, float) / np.linalg.norm(axis) * length / 2
    return rod(np.subtract(at, half), np.add(at, half), radius, color, name, weight)


def lug(
    at: Point,
    foot: Point,
    width: float,
    radius: float,
    color: Color = GREY,
    *,
    gap: float = 0.0,
    axis: Point = Y,
) -> list[Shape]:
    """Make a bracket from `foot` to a round eye at `at`; with `gap`, a clevis of two [m]."""
    shapes = []
    for shift in (0.0,) if gap == 0.0 else (-(gap + width) / 2, (gap + width) / 2):
        aside = np.multiply(axis, shift)
        eye = np.add(at, aside)
        shapes.append(beam(np.add(foot, aside), eye, width, 1.8 * radius, color, side=axis))
        shapes.append(pin(eye, radius, width, color, axis=axis))
    return shapes


def flat(shapes: Shapes) -> list[Shape]:
    """Make one list of shapes and lists of shapes."""
    found: list[Shape] = []
    for item in shapes:
        found += [item] if isinstance(item, Shape) else flat(item)
    return found


def _between(start: Point, end: Point, side: Point) -> tuple[Array, float, Array]:
    """Find middle [m], length [m] and axes of a beam: x along it, y nearest to `side`.

    Where `side` points along the beam, y is nearest to the link's x.
    """
    p, q = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(q - p))
    along = (q - p) / length
    across = side - along * (along @ side)
    if np.linalg.norm(across) < 1e-6:
        across = X - along * along[0]
    across = across / np.linalg.norm(across)
    return (p + q) / 2, length, np.column_stack([along, across, np.cross(along, across)])


def _round(start: Point, end: Point) -> tuple[Array, float, tuple[float, float, float]]:
    """Find middle [m], length [m] and roll-pitch-yaw [rad] of a round shape with z along it."""
    middle, length, frame = _between(start, end, Y)
    along, across, _ = frame.T
    rpy = rpy_from_matrix(np.column_stack([np.cross(across, along), across, along]))
    return middle, decimals(length), rpy
