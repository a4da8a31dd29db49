"""The other side of a machine, and shapes moved as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from headframe.description.geometry import Vector
from headframe.spatial import pose, rpy_from_matrix

from .shapes import Shape, Shapes, flat, placed
from .vectors import ORIGIN, Point

SIDES = {"left": 1.0, "right": -1.0}  # where y points there


def other_side(point: Point) -> Vector:
    """Mirror a point in the plane y = 0."""
    x, y, z = point
    return x, -y + 0.0, z


def on_side(point: Point, side: str) -> Vector:
    """Give a point of the left side [m] on the side called `left` or `right`."""
    x, y, z = point
    return x, SIDES[side] * y + 0.0, z


def mirror(shape: Shape) -> Shape:
    """Mirror a shape in the plane y = 0; `left` in its name becomes `right`."""
    seen = shape.visual
    roll, pitch, yaw = seen.orientation
    mirrored = seen.model_copy(
        update={
            "name": seen.name and _swapped(seen.name),
            "translation": other_side(seen.translation),
            "orientation": (-roll + 0.0, pitch, -yaw + 0.0),
        }
    )
    return Shape(mirrored, shape.weight)


def both(*shapes: Shape | Shapes) -> list[Shape]:
    """Give the shapes and their mirror images in the order left, right, left, right."""
    return [side for shape in flat(shapes) for side in (shape, mirror(shape))]


def moved(shapes: Iterable[Shape], translation: Point, rpy: Point = ORIGIN) -> list[Shape]:
    """Turn shapes by `rpy` [rad] about the origin, then shift them [m]."""
    X_new_old = pose(tuple(translation), tuple(rpy))
    there = []
    for shape in shapes:
        seen = shape.visual
        X = X_new_old @ seen.pose
        turned = rpy_from_matrix(X[:3, :3])
        there.append(
            placed(seen.geometry, X[:3, 3], turned, seen.material.color, seen.name, shape.weight)
        )
    return there


def _swapped(name: str) -> str:
    """Put `left` for `right` in a name, or `right` for `left`."""
    if "left" in name:
        return name.replace("left", "right")
    return name.replace("right", "left")
