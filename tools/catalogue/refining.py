"""Looks made of a machine's own visuals: every shape as it would be built, dressed with details.

A visual says what it is by its geometry and its name: a tyre gets a tread profile, a lamp a lens, a
pin its keepers, a cover its bolts. `dress` then puts stripes, louvres, plates and ribs on the sides
of boxes that are found by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import kit as k
import numpy as np
import solids as s
from kit.vectors import Array
from rams import rams

from headframe.description import Box, Capsule, Cone, Cylinder, Robot, Sphere, Visual

COVERS = ("cover", "door", "panel", "cabinet", "hood", "lid", "valve", "plate", "tank", "flange")
DISCS = ("cover", "flange", "turntable", "gear", "hub", "cap", "motor", "seat", "ring", "root")
EYES = ("eye", "bearing", "knuckle", "head")
SOFT = ("seat", "backrest", "cushion")
GLASS = ("window", "windscreen", "glass")


def refined(robot: Robot, **attributes: str) -> s.Looks:
    """Make looks of all links: a component a link, and one for either half of the cylinders."""
    looks = s.Looks(
        robot.name, origin="drawn to look like the class; not a maker's model", **attributes
    )
    for link in robot.main_links:
        looks.component(link.name)
        for visual in link.visuals:
            for name, color, solid in _built(visual):
                looks.add(name, link.name, color, solid)
    if robot.actuators:
        rams(looks, robot, "cylinder barrels", "piston rods")
    return looks


@dataclass(frozen=True)
class Side:
    """A side of a box: its middle [m], half its edges as vectors [m], and its outward normal."""

    centre: Array
    u: Array
    v: Array
    normal: Array

    def inset(self, share: float) -> Side:
        """Give a smaller rectangle in the middle of it."""
        return Side(self.centre, share * self.u, share * self.v, self.normal)

    def lifted(self, height: float) -> Array:
        """Give the point above its middle [m]."""
        return self.centre + height * self.normal


def side_of(visual: Visual, side: str) -> Side:
    """Give a side of a box, `+x` to `-z` in the box's own axes; u runs along the longer edge."""
    geometry = visual.geometry
    assert isinstance(geometry, Box), visual.name
    half = np.array((geometry.x, geometry.y, geometry.z)) / 2
    X = visual.pose
    axis, sign = "xyz".index(side[1]), 1.0 if side[0] == "+" else -1.0
    a, b = sorted((i for i in range(3) if i != axis), key=lambda i: -half[i])
    R = X[:3, :3]
    normal, u, v = sign * R[:, axis], half[a] * R[:, a], half[b] * R[:, b]
    if np.cross(u, v) @ normal < 0:
        v = -v
    return Side(X[:3, 3] + half[axis] * normal, u, v, normal)


def named(robot: Robot, link: str, name: str) -> list[Visual]:
    """Find the visuals of a link by name.

    Raises:
        ValueError: there is none.
    """
    found = [visual for visual in robot.link(link).visuals if visual.name == name]
    if not found:
        raise ValueError(f"{robot.name}: {link} has no visual {name!r}")
    return found


Dressing = tuple[str, str, str, str, float]  # kind, link, visual, side, a number


def dress(looks: s.Looks, robot: Robot, dressings: Sequence[Dressing]) -> None:
    """Put details on sides of boxes.

    The kinds, with what their number means: `stripes` (how many), `louvres` (how many), `bolts`
    (pitch [m]), `label` (width [m]), `ribs` (how many, across the longer edge).
    """
    for kind, link, name, which, number in dressings:
        looks.component(link)
        for visual in named(robot, link, name):
            side = side_of(visual, which)
            for color, solid in _dressed(kind, side, number, visual.material.color):
                looks.add(f"{name} {kind}", link, color, solid)


def _dressed(
    kind: str, side: Side, number: float, paint: k.Color
) -> Iterator[tuple[k.Color, s.Solid]]:
    if kind == "stripes":
        band = side.inset(0.92)
        height = min(float(np.linalg.norm(band.v)), 0.06)
        v = s.unit(band.v) * height
        yield k.BLACK, s.stripes(side.lifted(0.003), 0.9 * band.u, v, int(number))
    elif kind == "louvres":
        field = side.inset(0.7)
        u, v = field.u, field.v
        yield k.DARK_GREY, s.louvres(side.lifted(0.004), u, v, int(number))
    elif kind == "bolts":
        yield k.STEEL_GREY, rim_bolts(side, number)
    elif kind == "label":
        u, v = s.unit(side.u) * number / 2, s.unit(side.v) * number / 4
        yield k.WHITE, s.name_plate(side.lifted(0.003), u, v)
    elif kind == "ribs":
        for t in np.linspace(-0.8, 0.8, int(number)):
            length = 1.8 * float(np.linalg.norm(side.v))
            rib = s.block((0.03, length, 0.05))
            x, y = s.unit(side.u), s.unit(side.v)
            yield paint, rib.in_axes(side.lifted(0.02) + t * side.u, x, y, side.normal)
    else:
        raise ValueError(f"unknown dressing {kind!r}")


def rim_bolts(side: Side, pitch: float = 0.15, size: float = 0.012) -> s.Solid:
    """Make bolts along the rim of a side, about `pitch` apart [m]."""
    reach = [float(np.linalg.norm(edge)) for edge in (side.u, side.v)]
    margin = min(0.03, 0.25 * min(reach))
    shares = [(r - margin) / r for r in reach]
    along, across = (int(min(7, max(2, round(2 * r / pitch)))) for r in reach)
    points = s.frame_points(side.centre, shares[0] * side.u, shares[1] * side.v, (along, across))
    return s.bolts(points, side.normal, size)


# ------------------------------------------------------------------- what a visual is built as


def _built(visual: Visual) -> Iterator[tuple[str, k.Color, s.Solid]]:
    """Give name, colour and solid of every piece of a visual."""
    name, geometry = visual.name or "part", visual.geometry
    color = visual.material.color
    X = visual.pose
    at, z = X[:3, 3], X[:3, 2]
    if isinstance(geometry, Box):
        yield from _box(visual, name, geometry)
    elif isinstance(geometry, Cylinder):
        yield from _cylinder(name, color, geometry, at, z)
    elif isinstance(geometry, Capsule):
        start, end = at - z * geometry.h / 2, at + z * geometry.h / 2
        sag = np.array((0.0, 0.0, -0.06 * geometry.h)) if "hose" in name else np.zeros(3)
        if "lever" in name:
            yield name, k.CHROME, s.shaft(start, end, 0.6 * geometry.r, 6)
            yield f"{name} knob", k.BLACK, s.ball(end, 1.6 * geometry.r, 6)
        else:
            yield f"{name} hose", color, s.hose([start, at + sag, end], geometry.r)
    elif isinstance(geometry, Sphere):
        yield name, color, s.ball(at, geometry.r, 12)
    elif isinstance(geometry, Cone):
        yield from _cone(name, color, geometry, at, z)


def _box(visual: Visual, name: str, box: Box) -> Iterator[tuple[str, k.Color, s.Solid]]:
    size, color = (box.x, box.y, box.z), visual.material.color
    X = visual.pose
    axes = (X[:3, 0], X[:3, 1], X[:3, 2])
    if any(word in name for word in SOFT):
        yield name, color, s.block(size, bevel=0.3 * min(size)).in_axes(X[:3, 3], *axes)
        return
    yield name, color, s.block(size).in_axes(X[:3, 3], *axes)
    flat = int(np.argmin(size))
    edges = sorted(size)
    if any(word in name for word in GLASS):
        front = side_of(visual, "+" + "xyz"[flat])
        yield f"{name} frame", k.RUBBER, _frame(front, edges[0])
    elif any(word in name for word in COVERS) and edges[1] > 0.2:
        sides = [side_of(visual, sign + "xyz"[flat]) for sign in "+-"]
        yield f"{name} bolts", k.STEEL_GREY, s.joined(rim_bolts(side, 0.22) for side in sides)


def _frame(side: Side, thickness: float) -> s.Solid:
    """Make a rubber frame round a pane."""
    depth = thickness + 0.02
    middle = side.centre - side.normal * thickness / 2
    bars = []
    for u, v in ((side.u, side.v), (side.v, side.u)):
        for sign in (-1.0, 1.0):
            p = middle + sign * v
            bars.append(s.bar(p - u, p + u, depth, 0.03, side=side.normal))
    return s.joined(bars)


def _cylinder(
    name: str, color: k.Color, shape: Cylinder, at: Array, z: Array
) -> Iterator[tuple[str, k.Color, s.Solid]]:
    r1, r2, half = shape.r1, shape.r2, shape.h / 2
    start, end = at - z * half, at + z * half
    if "tyre" in name:
        w, r = half, r1
        tread = [(-w, 0.55 * r), (-w, 0.80 * r), (-0.8 * w, 0.97 * r), (-0.5 * w, r), (0.5 * w, r)]
        tread += [(0.8 * w, 0.97 * r), (w, 0.80 * r), (w, 0.55 * r)]
        yield name, color, s.ring(tread, at, z, 28)
    elif "rim" in name and r1 > 0.15:
        w, r = half, r1
        dish = [
            (-w, r),
            (-w, 0.9 * r),
            (-0.5 * w, 0.8 * r),
            (0.5 * w, 0.8 * r),
            (w, 0.9 * r),
            (w, r),
        ]
        yield name, color, s.ring(dish, at, z, 24)
        disc = s.shaft(at - z * 0.55 * w, at + z * 0.55 * w, 0.82 * r, 20)
        yield f"{name} disc", color, disc
        nuts = [s.flange(at + sign * 0.55 * w * z, sign * z, 0.62 * r, 8, 0.02) for sign in (-1, 1)]
        yield f"{name} nuts", k.STEEL_GREY, s.joined(nuts)
    elif "lamp" in name or "light" in name:
        housing, lens = s.lamp(end, z, r1)
        yield f"{name} housing", k.DARK_GREY, housing
        yield name, color, lens
    else:
        solid = s.shaft(start, end, r1, 20, end_radius=None if r1 == r2 else r2)
        yield name, color, solid
        if min(r1, r2) < 0.03 or r1 != r2:
            return
        ends = ((start, -z), (end, z))
        if (name == "part" and color == k.DARK_GREY) or "pin" in name:
            yield f"{name} keepers", k.STEEL_GREY, s.joined(s.keeper(p, d, r1) for p, d in ends)
        elif any(word in name for word in DISCS) and r1 > 0.1:
            count = 6 if r1 < 0.2 else 8 if r1 < 0.3 else 12
            rings = [s.flange(p, d, 0.82 * r1, count, 0.05 * r1 + 0.006) for p, d in ends]
            yield f"{name} bolts", k.STEEL_GREY, s.joined(rings)
        elif any(word in name for word in EYES) or (name == "part" and shape.h < 2 * r1):
            yield f"{name} bush", k.BRASS, s.shaft(start - 0.004 * z, end + 0.004 * z, 0.6 * r1, 12)


def _cone(
    name: str, color: k.Color, shape: Cone, at: Array, z: Array
) -> Iterator[tuple[str, k.Color, s.Solid]]:
    base, h, r = at - z * shape.h / 2, shape.h, shape.r
    if "pick" not in name:
        yield name, color, s.lathe([(0.0, r), (h, 0.0)], base, z, 12)
        return
    yield (
        f"{name} holder",
        k.DARK_GREY,
        s.without_foot(s.lathe([(0.0, 1.3 * r), (0.4 * h, r)], base, z, 6)),
    )
    shank = s.lathe([(0.35 * h, 0.75 * r), (0.85 * h, 0.35 * r)], base, z, 6)
    yield name, k.STEEL_GREY, s.without_foot(shank)
    yield (
        f"{name} tip",
        color,
        s.without_foot(s.lathe([(0.84 * h, 0.32 * r), (h, 0.0)], base, z, 5)),
    )
