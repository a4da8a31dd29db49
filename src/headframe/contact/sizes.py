"""Sizes of shapes: which are allowed, and the sphere that holds a shape."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..checks import number, refuse
from .records import ShapeKind

# what the sizes of a kind are called, in the order of `SHAPE.sizes`
SIZES = {
    ShapeKind.SPHERE: ("radius",),
    ShapeKind.BOX: ("half edge x", "half edge y", "half edge z"),
    ShapeKind.CAPSULE: ("radius", "half height"),
    ShapeKind.CYLINDER: ("radius below", "radius above", "half height"),
    ShapeKind.CONE: ("radius", "half height"),
    ShapeKind.TORUS: ("radius", "radius of the tube", "half arc"),
    ShapeKind.CHAIN_LINK: ("radius", "radius of the wire", "half length"),
    ShapeKind.PLANE: (),
}


def bounding_radius(kind: ShapeKind, sizes: Sequence[float]) -> float:
    """Radius of the sphere about a shape's origin that holds it [m]; infinite for a plane.

    Hulls and meshes know their own.

    Raises:
        StateError: a size that the shape needs is missing, not a number, or not above 0.
    """
    kind = ShapeKind(kind)
    names = SIZES.get(kind)
    if names is None:
        refuse("kind", kind.name, "a shape that sizes describe")
    if len(sizes) < len(names):
        refuse(f"sizes of a {kind.name.lower()}", sizes, ", ".join(names))
    where = kind.name.lower()
    for name, size in zip(names, sizes, strict=False):
        if name == "radius above":
            number(f"{where}: {name}", size, least=0.0, unit="m")
        else:
            number(f"{where}: {name}", size, above=0.0, unit="rad" if "arc" in name else "m")
    match kind:
        case ShapeKind.BOX:
            return math.hypot(*sizes[:3])
        case ShapeKind.CAPSULE:
            return sizes[0] + sizes[1]
        case ShapeKind.CYLINDER:
            return math.hypot(max(sizes[0], sizes[1]), sizes[2])
        case ShapeKind.CONE:
            return max(math.hypot(sizes[0], sizes[1]), sizes[1])
        case ShapeKind.TORUS:
            return sizes[0] + sizes[1]
        case ShapeKind.CHAIN_LINK:
            return sizes[0] + sizes[1] + sizes[2]
        case ShapeKind.PLANE:
            return math.inf
    return float(sizes[0])
