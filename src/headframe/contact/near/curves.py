"""The middle lines of tori and chain links: a circle or an arc, and two lines with two bows.

Places on them are told by the way along them [m]: of a torus from the end of its arc, of a chain
link from the beginning of the straight part at y = -radius, in the direction of x. A capsule has
one, too: its axis.
"""

from __future__ import annotations

import math

from ...jit import Record, inlined_kernel, kernel
from ...spatial.kernels import Numbers
from ..records import ShapeKind
from .vectors import clamped


@inlined_kernel
def tube_of(a: Record) -> float:
    """Radius about the middle line [m]."""
    tube: float = a.sizes[0] if a.kind == ShapeKind.CAPSULE else a.sizes[1]
    return tube


@inlined_kernel
def is_closed(a: Record) -> bool:
    """Whether a middle line has no ends."""
    if a.kind == ShapeKind.CAPSULE:
        return False
    return bool(a.kind == ShapeKind.CHAIN_LINK or a.sizes[2] >= math.pi)


@inlined_kernel
def curve_length(a: Record) -> float:
    """Length of a middle line [m]."""
    if a.kind == ShapeKind.CAPSULE:
        half: float = a.sizes[1]
        return 2.0 * half
    radius: float = a.sizes[0]
    third: float = a.sizes[2]  # half a straight part, or half the arc
    if a.kind == ShapeKind.CHAIN_LINK:
        return 4.0 * third + 2.0 * math.pi * radius
    return 2.0 * min(third, math.pi) * radius


@kernel
def curve_at(a: Record, s: float) -> tuple[Numbers, Numbers]:
    """The point of a middle line after a way s, and its direction there, in the shape's axes."""
    if a.kind == ShapeKind.CAPSULE:
        return (0.0, 0.0, s - a.sizes[1]), (0.0, 0.0, 1.0)
    radius = a.sizes[0]
    if a.kind == ShapeKind.TORUS:
        angle = s / radius - min(a.sizes[2], math.pi) if radius > 0.0 else 0.0
        c, d = math.cos(angle), math.sin(angle)
        return (radius * c, radius * d, 0.0), (-d, c, 0.0)
    half, bow = a.sizes[2], math.pi * radius
    whole = curve_length(a)
    s = s - whole * math.floor(s / whole) if whole > 0.0 else 0.0
    side = 1.0
    if s >= 2.0 * half + bow:  # the other half is the same, turned by half a turn
        s -= 2.0 * half + bow
        side = -1.0
    if s < 2.0 * half:
        return (side * (s - half), -side * radius, 0.0), (side, 0.0, 0.0)
    angle = (s - 2.0 * half) / radius - 0.5 * math.pi if radius > 0.0 else 0.0
    c, d = math.cos(angle), math.sin(angle)
    return (side * (half + radius * c), side * radius * d, 0.0), (-side * d, side * c, 0.0)


@kernel
def nearest_of_curve(a: Record, c: Numbers) -> tuple[Numbers, Numbers]:
    """The point of a middle line that is nearest to a point c, and the line's direction there."""
    radius = a.sizes[0]
    if a.kind == ShapeKind.TORUS:
        arc = min(a.sizes[2], math.pi)
        angle = clamped(math.atan2(c[1], c[0]), -arc, arc)
        if c[0] == 0.0 and c[1] == 0.0:
            angle = 0.0
        x, y = math.cos(angle), math.sin(angle)
        return (radius * x, radius * y, 0.0), (-y, x, 0.0)
    half = a.sizes[2]
    if abs(c[0]) <= half:  # beside the straight parts
        side = 1.0 if c[1] > 0.0 else -1.0
        return (c[0], side * radius, 0.0), (-side, 0.0, 0.0)
    end = math.copysign(half, c[0])
    angle = math.atan2(c[1], c[0] - end)
    x, y = math.cos(angle), math.sin(angle)
    return (end + radius * x, radius * y, 0.0), (-y, x, 0.0)
