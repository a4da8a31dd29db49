"""Authoring kit of the catalogue: shapes, links with their inertia, cylinders, joints, files.

A machine script builds plain dicts in the canonical MRDF form and hands them to `robot` and
`write`. Metres, kilograms, radians, newtons; z up, x forward, y left.

A shape is a VISUAL dict that may carry one private key, dropped by `link`: `_weight`, which scales
its volume relative to the link's other shapes (0 for paint and hoses). Shapes come from `box`,
`beam`, `rod`, ...; `mirror` and `both` make the other side. Lists of shapes nest freely.

Example:
    arm = link("arm", [beam((0, 0, 0), (2, 0, 0), 0.2, 0.3), pin((0, 0, 0), 0.05, 0.3)], mass=800)
    lift = cylinder("lift", "body", "arm", (0, 0, -0.5), (1, 0, -0.1), 1.0, 1.5, bore=0.12)
"""

from __future__ import annotations

import copy
import itertools
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

Shape = dict[str, Any]
Shapes = list[Shape | Iterable[Shape]]  # as `link` and `robot` take them
Color = tuple[float, float, float, float]
Array = NDArray[np.float64]
Point = Sequence[float] | Array

STEEL = 7850.0  # kg/m3
GRAVITY = 9.81

# Paints and surfaces.
YELLOW: Color = (0.95, 0.70, 0.08, 1.0)
ORANGE: Color = (0.90, 0.42, 0.08, 1.0)
RED: Color = (0.72, 0.12, 0.10, 1.0)
BLUE: Color = (0.16, 0.33, 0.58, 1.0)
LIGHT_BLUE: Color = (0.30, 0.52, 0.75, 1.0)
GREEN: Color = (0.16, 0.45, 0.28, 1.0)
WHITE: Color = (0.92, 0.92, 0.90, 1.0)
LIGHT_GREY: Color = (0.70, 0.72, 0.74, 1.0)
GREY: Color = (0.48, 0.50, 0.52, 1.0)
DARK_GREY: Color = (0.25, 0.26, 0.28, 1.0)
BLACK: Color = (0.08, 0.08, 0.09, 1.0)
CHROME: Color = (0.86, 0.88, 0.91, 1.0)
BRASS: Color = (0.72, 0.58, 0.25, 1.0)
CARBIDE: Color = (0.35, 0.33, 0.32, 1.0)
GLASS: Color = (0.55, 0.75, 0.85, 0.45)
RUBBER: Color = (0.12, 0.12, 0.12, 1.0)
STEEL_GREY: Color = (0.58, 0.60, 0.62, 1.0)


# ---------------------------------------------------------------------------------------------
# Shapes
# ---------------------------------------------------------------------------------------------


def _shape(
    geometry: dict[str, Any],
    at: Point,
    rpy: Point,
    color: Color,
    name: str | None,
    weight: float,
) -> Shape:
    """A VISUAL dict; a zero pose is left out."""
    shape: Shape = {} if name is None else {"name": name}
    if any(abs(v) > 0.0 for v in at):
        shape["translation"] = [_tidy(v) for v in at]
    if any(abs(v) > 1e-12 for v in rpy):
        shape["orientation"] = [_tidy(v) for v in rpy]
    shape["geometry"] = {k: v if isinstance(v, str) else _tidy(v) for k, v in geometry.items()}
    shape["material"] = {"color": [float(v) for v in color]}
    if weight != 1.0:
        shape["_weight"] = float(weight)
    return shape


def _tidy(value: float, digits: int = 7) -> float:
    """A float rounded to 0.1 micrometre, and no negative zero."""
    return round(float(value), digits) + 0.0


def rpy_of(rotation: Array) -> Array:
    """Roll, pitch, yaw of a rotation matrix: R = Rz(yaw) Ry(pitch) Rx(roll), (3, 3) -> (3,)."""
    pitch = math.asin(max(-1.0, min(1.0, -rotation[2, 0])))
    if abs(rotation[2, 0]) > 1.0 - 1e-12:  # x axis vertical: yaw and roll turn about one axis
        return np.array([math.atan2(-rotation[1, 2], rotation[1, 1]), pitch, 0.0])
    return np.array(
        [
            math.atan2(rotation[2, 1], rotation[2, 2]),
            pitch,
            math.atan2(rotation[1, 0], rotation[0, 0]),
        ]
    )


def rotation_of(rpy: Point) -> Array:
    """Rotation matrix of roll, pitch, yaw, (3,) -> (3, 3)."""
    return np.asarray(Rotation.from_euler("xyz", np.asarray(rpy, float)).as_matrix())


def _frame_along(direction: Array, hint: Point, axis: int) -> Array:
    """A right-handed frame whose `axis` column is `direction` and whose y is near `hint`."""
    d = direction / np.linalg.norm(direction)
    side = np.asarray(hint, float)
    side = side - d * (side @ d)
    if np.linalg.norm(side) < 1e-6:
        side = np.array([1.0, 0.0, 0.0]) - d * d[0]
    side = side / np.linalg.norm(side)
    if axis == 0:
        return np.column_stack([d, side, np.cross(d, side)])
    return np.column_stack([np.cross(side, d), side, d])


def box(
    size: Point,
    at: Point = (0.0, 0.0, 0.0),
    rpy: Point = (0.0, 0.0, 0.0),
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
) -> Shape:
    """A box with edges `size` along its own x, y, z, centred at `at`."""
    geometry = {"type": "box", "x": size[0], "y": size[1], "z": size[2]}
    return _shape(geometry, at, rpy, color, name, weight)


def beam(
    start: Point,
    end: Point,
    width: float,
    height: float,
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
    side: Point = (0.0, 1.0, 0.0),
) -> Shape:
    """A box from `start` to `end`: `width` along `side` (y unless told), `height` across both."""
    p, q = np.asarray(start, float), np.asarray(end, float)
    rotation = _frame_along(q - p, side, 0)
    size = (float(np.linalg.norm(q - p)), width, height)
    return box(size, (p + q) / 2, rpy_of(rotation), color, name, weight)


def plate(
    start: Point,
    end: Point,
    width: float,
    thickness: float,
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
    below: bool = False,
) -> Shape:
    """A plate in the x-z plane's direction `start` -> `end`, `width` along y.

    Its upper face runs through the two points, or its lower face where `below` is false: that
    is, the plate lies above the line, or below it.
    """
    p, q = np.asarray(start, float), np.asarray(end, float)
    rotation = _frame_along(q - p, (0.0, 1.0, 0.0), 0)
    shift = rotation[:, 2] * thickness / 2 * (-1.0 if below else 1.0)
    return beam(p + shift, q + shift, width, thickness, color, name, weight)


def strip(
    points: Sequence[Point],
    width: float,
    height: float,
    color: Color = GREY,
    weight: float = 1.0,
    side: Point = (0.0, 1.0, 0.0),
) -> list[Shape]:
    """Beams along a polyline: a bent arm out of boxes."""
    return [
        beam(a, b, width, height, color, None, weight, side) for a, b in itertools.pairwise(points)
    ]


def rod(
    start: Point,
    end: Point,
    radius: float,
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
    end_radius: float | None = None,
) -> Shape:
    """A round bar (or a truncated cone) from `start` to `end`."""
    p, q = np.asarray(start, float), np.asarray(end, float)
    rotation = _frame_along(q - p, (0.0, 1.0, 0.0), 2)
    r2 = radius if end_radius is None else end_radius
    geometry = {"type": "cylinder", "r1": radius, "r2": r2, "h": float(np.linalg.norm(q - p))}
    return _shape(geometry, (p + q) / 2, rpy_of(rotation), color, name, weight)


def capsule(
    start: Point,
    end: Point,
    radius: float,
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
) -> Shape:
    """A round bar with half-spheres centred on `start` and `end`: hoses, rounded arms."""
    p, q = np.asarray(start, float), np.asarray(end, float)
    rotation = _frame_along(q - p, (0.0, 1.0, 0.0), 2)
    geometry = {"type": "capsule", "r": radius, "h": float(np.linalg.norm(q - p))}
    return _shape(geometry, (p + q) / 2, rpy_of(rotation), color, name, weight)


def sphere(
    at: Point, radius: float, color: Color = GREY, name: str | None = None, weight: float = 1.0
) -> Shape:
    """A ball."""
    return _shape({"type": "sphere", "r": radius}, at, (0, 0, 0), color, name, weight)


def cone(
    base: Point,
    apex: Point,
    radius: float,
    color: Color = GREY,
    name: str | None = None,
    weight: float = 1.0,
) -> Shape:
    """A cone from the centre of its base to its apex: picks, bits."""
    p, q = np.asarray(base, float), np.asarray(apex, float)
    rotation = _frame_along(q - p, (0.0, 1.0, 0.0), 2)
    geometry = {"type": "cone", "r": radius, "h": float(np.linalg.norm(q - p))}
    return _shape(geometry, (p + q) / 2, rpy_of(rotation), color, name, weight)


def pin(
    at: Point,
    radius: float,
    length: float,
    axis: Point = (0.0, 1.0, 0.0),
    color: Color = DARK_GREY,
    name: str | None = None,
    weight: float = 1.0,
) -> Shape:
    """A pin (or a boss, a drum, a wheel) centred at `at`, along `axis`."""
    half = np.asarray(axis, float) / np.linalg.norm(axis) * length / 2
    return rod(
        np.asarray(at, float) - half, np.asarray(at, float) + half, radius, color, name, weight
    )


def lug(
    at: Point,
    foot: Point,
    width: float,
    radius: float,
    color: Color = GREY,
    gap: float = 0.0,
    axis: Point = (0.0, 1.0, 0.0),
) -> list[Shape]:
    """A bracket from `foot` to a rounded eye at `at`; with `gap`, a clevis of two plates."""
    a, f, y = (np.asarray(v, float) for v in (at, foot, axis))
    shapes: list[Shape] = []
    for shift in (0.0,) if gap == 0.0 else (-(gap + width) / 2, (gap + width) / 2):
        d = y * shift
        shapes.append(beam(f + d, a + d, width, 1.8 * radius, color, side=axis))
        shapes.append(pin(a + d, radius, width, axis, color))
    return shapes


def mirror(shape: Shape) -> Shape:
    """The shape on the other side of the plane y = 0; left in its name becomes right."""
    other = copy.deepcopy(shape)
    if "translation" in other:
        x, y, z = other["translation"]
        other["translation"] = [x, -y + 0.0, z]
    if "orientation" in other:
        roll, pitch, yaw = other["orientation"]
        other["orientation"] = [-roll + 0.0, pitch, -yaw + 0.0]
    if "name" in other:
        other["name"] = swap_side(other["name"])
    return other


def both(*shapes: Shape | Iterable[Shape]) -> list[Shape]:
    """The shapes and their mirror images, in the order left, right, left, right."""
    return [s for shape in flat(shapes) for s in (shape, mirror(shape))]


def flat(shapes: Iterable[Shape | Iterable[Shape]]) -> list[Shape]:
    """Shapes and lists of shapes as one list."""
    out: list[Shape] = []
    for item in shapes:
        out += [item] if isinstance(item, dict) else flat(item)
    return out


def moved(shapes: Iterable[Shape], translation: Point, rpy: Point = (0.0, 0.0, 0.0)) -> list[Shape]:
    """Copies of the shapes, turned by `rpy` about the origin and then shifted."""
    turn, shift = rotation_of(rpy), np.asarray(translation, float)
    out = []
    for shape in shapes:
        centre = turn @ np.asarray(shape.get("translation", (0, 0, 0)), float) + shift
        rotation = turn @ rotation_of(shape.get("orientation", (0, 0, 0)))
        placed = _shape(
            shape["geometry"],
            centre,
            rpy_of(rotation),
            tuple(shape["material"]["color"]),
            shape.get("name"),
            shape.get("_weight", 1.0),
        )
        out.append(placed)
    return out


def swap_side(name: str) -> str:
    """`left` for `right` in a name and the other way round."""
    if "left" in name:
        return name.replace("left", "right")
    return name.replace("right", "left")


# ---------------------------------------------------------------------------------------------
# Links
# ---------------------------------------------------------------------------------------------


def solid(geometry: dict[str, Any]) -> tuple[float, Array, Array]:
    """Volume, centroid and inertia about it at density 1 of a shape in its own axes.

    Returns:
        Volume [m3], centroid [m] (3,), inertia [m5] (3, 3).
    """
    kind = geometry["type"]
    centre = np.zeros(3)
    if kind == "box":
        x, y, z = geometry["x"], geometry["y"], geometry["z"]
        volume = x * y * z
        moments = volume / 12 * np.array([y * y + z * z, x * x + z * z, x * x + y * y])
    elif kind in ("cylinder", "cone"):
        r1 = geometry["r1"] if kind == "cylinder" else geometry["r"]
        r2 = geometry["r2"] if kind == "cylinder" else 0.0
        h = geometry["h"]
        # Discs of radius r1 + (r2 - r1) t, t in 0..1: polynomials of t, exact with 4 points.
        t, w = np.polynomial.legendre.leggauss(4)
        t, w = (t + 1) / 2, w / 2
        r, z = r1 + (r2 - r1) * t, (t - 0.5) * h
        area = np.pi * r * r * w * h
        volume = float(area.sum())
        centre[2] = float(area @ z) / volume
        axial = float(area @ (r * r)) / 2
        across = axial / 2 + float(area @ (z - centre[2]) ** 2)
        moments = np.array([across, across, axial])
    elif kind == "sphere":
        volume = 4 / 3 * np.pi * geometry["r"] ** 3
        moments = np.full(3, 0.4 * volume * geometry["r"] ** 2)
    elif kind == "capsule":
        r, h = geometry["r"], geometry["h"]
        tube, ball = np.pi * r * r * h, 4 / 3 * np.pi * r**3
        volume = tube + ball
        axial = tube * r * r / 2 + ball * 0.4 * r * r
        across = tube * (r * r / 4 + h * h / 12)
        across += ball * (0.4 * r * r + h * h / 4 + 3 / 8 * h * r)
        moments = np.array([across, across, axial])
    else:
        raise ValueError(f"no mass properties for a {kind}")
    return float(volume), centre, np.diag(moments)


def inertial(shapes: Iterable[Shape], density: float = STEEL, mass: float | None = None) -> Shape:
    """Mass, centre of mass and inertia about it of shapes.

    Args:
        shapes: The shapes; overlaps count twice, `_weight` scales a shape's volume.
        density: Effective density [kg/m3]; welded structures are hollow, see `link`.
        mass: Where given, everything is scaled to this mass [kg].
    """
    bodies = []
    for shape in shapes:
        volume, centre, moment = solid(shape["geometry"])
        m = volume * density * shape.get("_weight", 1.0)
        if m <= 0.0:
            continue
        turn = rotation_of(shape.get("orientation", (0, 0, 0)))
        place = turn @ centre + np.asarray(shape.get("translation", (0, 0, 0)), float)
        bodies.append((m, place, turn @ moment @ turn.T * density * shape.get("_weight", 1.0)))
    total = sum(m for m, _, _ in bodies)
    com = sum((m * p for m, p, _ in bodies), np.zeros(3)) / total
    inertia = np.zeros((3, 3))
    for m, place, moment in bodies:
        d = place - com
        inertia += moment + m * ((d @ d) * np.eye(3) - np.outer(d, d))
    scale = 1.0 if mass is None else mass / total
    inertia = (inertia + inertia.T) / 2 * scale
    return {
        "mass": _significant(total * scale, 6),
        "com": [_tidy(v, 6) for v in com],
        "inertia": [[_tidy(_significant(v, 9), 6) for v in row] for row in inertia],
    }


def link(
    name: str,
    shapes: Iterable[Shape | Iterable[Shape]],
    *,
    mass: float | None = None,
    density: float = STEEL,
    fill: float = 0.35,
    collision: Iterable[Shape | Iterable[Shape]] = (),
) -> Shape:
    """A LINK with its inertia computed from its shapes.

    Args:
        name: The link's name.
        shapes: Shapes or lists of them, in link axes.
        mass: Total mass [kg] where one is known or wanted; else it follows from the volume.
        density: Density of the metal [kg/m3].
        fill: Share of the shapes' volume that is metal (welded box structures are hollow).
        collision: Shapes to touch; materials and names are dropped.
    """
    visuals = flat(shapes)
    out: Shape = {"name": name, "visual": [_public(s) for s in visuals]}
    touch = [
        {k: v for k, v in s.items() if k in ("translation", "orientation", "geometry")}
        for s in flat(collision)
    ]
    if touch:
        out["collision"] = touch
    out["inertial"] = inertial(visuals, density * fill, mass)
    return out


def _public(shape: Shape) -> Shape:
    """The shape without its private keys."""
    return {k: v for k, v in shape.items() if not k.startswith("_")}


# ---------------------------------------------------------------------------------------------
# Cylinders
# ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cylinder:
    """An ACTUATOR and the LINKs of its visible parts."""

    actuator: Shape
    tube: Shape
    rod: Shape

    @property
    def name(self) -> str:
        """Name of the actuator."""
        return str(self.actuator["name"])


def cylinder(
    name: str,
    tube_parent: str,
    rod_parent: str,
    tube_offset: Point,
    rod_offset: Point,
    lower: float,
    upper: float,
    *,
    bore: float,
    rod_diameter: float | None = None,
    pressure: float = 31.5e6,
    force: float | None = None,
    speed: float = 0.10,
    acceleration: float = 0.5,
    axis: Point = (0.0, 1.0, 0.0),
    rod_axis: Point | None = None,
    group: str | None = None,
    ends: str = "eye",
    color: Color = LIGHT_GREY,
    rod_color: Color = CHROME,
    hose: bool = True,
) -> Cylinder:
    """A hydraulic cylinder: barrel, gland, cap, eyes and pins, chromed rod.

    The barrel ends just short of the rod's eye at the lower bound; the rod reaches to the
    barrel's floor there and keeps a guided overlap at the upper bound.

    Args:
        name: Its name; the links are called `<name>_tube` and `<name>_rod`.
        tube_parent: Main link that carries the barrel.
        rod_parent: Main link that carries the rod.
        tube_offset: Mount point in the tube's parent [m].
        rod_offset: Mount point in the rod's parent [m].
        lower: Shortest length between the mount points [m].
        upper: Longest length [m].
        bore: Piston diameter [m].
        rod_diameter: 0.7 bores unless told [m].
        pressure: Working pressure [Pa]; gives the force from the piston area.
        force: Force limit [N] where it is not that.
        speed: Speed limit [m/s].
        acceleration: Acceleration limit [m/s2].
        axis: Pin direction at the tube, in the parent's axes.
        rod_axis: Pin direction at the rod; like the tube's unless told.
        group: What users call the redundant group.
        ends: "eye" for pinned eyes, "ball" for the ball ends of support legs.
        color: Paint of the barrel.
        rod_color: Colour of the rod.
        hose: Whether a hose runs along the barrel.
    """
    rod_d = 0.7 * bore if rod_diameter is None else rod_diameter
    outer = bore * 1.22
    ball = ends == "ball"
    eye = (0.52 if ball else 0.55) * outer  # radius of the eye or ball
    tube_length = lower - 1.25 * eye
    rod_length = lower - 1.15 * eye
    overlap = tube_length + rod_length - upper
    if overlap < 0.5 * bore:
        raise ValueError(f"{name}: overlap {overlap:.3f} m at the upper bound is under half a bore")

    hollow = 1.0 - (bore / outer) ** 2
    z = (0.0, 0.0, 1.0)
    start = 0.55 * eye
    tube_shapes = [
        rod((start, 0, 0), (tube_length, 0, 0), outer / 2, color, "barrel", hollow),
        rod((start, 0, 0), (start + 0.25 * bore, 0, 0), 0.53 * outer, DARK_GREY, "cap"),
        rod(
            (tube_length - 0.35 * bore, 0, 0),
            (tube_length, 0, 0),
            0.56 * outer,
            DARK_GREY,
            "gland",
            0.6,
        ),
    ]
    if hose:
        y = 0.58 * outer
        tube_shapes.append(
            capsule(
                (start + 0.3 * bore, y, 0),
                (tube_length - 0.25 * bore, y, 0),
                max(0.012, 0.05 * bore),
                BLACK,
                "hose",
                0.0,
            )
        )
    rod_eye = 0.9 * eye
    rod_shapes = [rod((0.5 * rod_eye, 0, 0), (rod_length, 0, 0), rod_d / 2, rod_color, "rod")]
    if ball:
        tube_shapes.append(sphere((0, 0, 0), eye, DARK_GREY, "ball"))
        rod_shapes.append(rod((0.0, 0, 0), (0.9 * rod_eye, 0, 0), 0.62 * rod_d, DARK_GREY, "head"))
        rod_shapes.append(sphere((0, 0, 0), rod_eye, DARK_GREY, "ball"))
    else:
        tube_shapes.append(pin((0, 0, 0), eye, 0.75 * bore, z, color, "eye", 0.7))
        tube_shapes.append(pin((0, 0, 0), 0.45 * eye, 1.5 * bore, z, DARK_GREY, "pin"))
        rod_shapes.append(pin((0, 0, 0), rod_eye, 0.7 * bore, z, DARK_GREY, "eye", 0.7))
        rod_shapes.append(pin((0, 0, 0), 0.45 * eye, 1.5 * bore, z, DARK_GREY, "pin"))

    actuator: Shape = {
        "name": name,
        "tube": f"{name}_tube",
        "rod": f"{name}_rod",
        "tube_parent": tube_parent,
        "rod_parent": rod_parent,
        "tube_offset": [float(v) for v in tube_offset],
        "rod_offset": [float(v) for v in rod_offset],
        "tube_axis": [float(v) for v in axis],
        "rod_axis": [float(v) for v in (axis if rod_axis is None else rod_axis)],
        "bound": {"lower": float(lower), "upper": float(upper)},
    }
    if group is not None:
        actuator["group"] = group
    area = math.pi / 4 * bore**2
    actuator |= {
        "speed": float(speed),
        "acceleration": float(acceleration),
        "force": float(_significant(area * pressure if force is None else force, 4)),
        "bore": float(bore),
        "rod_diameter": _tidy(rod_d, 4),
    }
    return Cylinder(
        actuator,
        link(f"{name}_tube", tube_shapes, fill=1.0),
        link(f"{name}_rod", rod_shapes, fill=1.0),
    )


def pair(
    name: str,
    tube_parent: str,
    rod_parent: str,
    tube_offset: Point,
    rod_offset: Point,
    lower: float,
    upper: float,
    *,
    group: str,
    **rest: Any,
) -> list[Cylinder]:
    """A redundant pair on both sides of y = 0: `<name>_left` (as given), `<name>_right`."""
    left = cylinder(
        f"{name}_left",
        tube_parent,
        rod_parent,
        tube_offset,
        rod_offset,
        lower,
        upper,
        group=group,
        **rest,
    )
    tube_other, rod_other = ([x, -y + 0.0, z] for x, y, z in (tube_offset, rod_offset))
    right = cylinder(
        f"{name}_right",
        tube_parent,
        rod_parent,
        tube_other,
        rod_other,
        lower,
        upper,
        group=group,
        **rest,
    )
    return redundant(left, right)


def redundant(*members: Cylinder) -> list[Cylinder]:
    """Declares cylinders one redundant group; the first member sets the motion."""
    for member in members:
        others = [m.name for m in members if m.name != member.name]
        items = list(member.actuator.items())
        at = [k for k, _ in items].index("bound") + 1
        items = [kv for kv in items if kv[0] != "redundants"]
        items.insert(at, ("redundants", others))
        member.actuator.clear()
        member.actuator.update(items)
    return list(members)


def turned_length(pivot: Point, tube: Point, rod_end: Point, angle: float, axis: Point) -> float:
    """Length of a cylinder across one hinge.

    Args:
        pivot: A point of the hinge [m].
        tube: Mount point of the tube, fixed [m].
        rod_end: Mount point of the rod where the hinge's angle is 0, in the same axes [m].
        angle: The hinge's angle [rad].
        axis: Its direction.

    Returns:
        Distance between the mount points at that angle [m].
    """
    a = np.asarray(axis, float) / np.linalg.norm(axis)
    c = np.asarray(pivot, float)
    turned = c + Rotation.from_rotvec(angle * a).apply(np.asarray(rod_end, float) - c)
    return float(np.linalg.norm(turned - np.asarray(tube, float)))


def strokes(
    pivot: Point, tube: Point, rod_end: Point, angles: tuple[float, float], axis: Point
) -> tuple[float, float]:
    """Bounds of a cylinder across a hinge that turns between two angles, to 0.1 mm [m].

    `rod_end` is given in the child's axes, the others in the parent's; both agree at angle 0.
    """
    end = np.add(pivot, rod_end)
    ends = sorted(turned_length(pivot, tube, end, a, axis) for a in angles)
    return round(ends[0], 4), round(ends[1], 4)


def with_play(members: list[Cylinder], play: float = 0.001) -> list[Cylinder]:
    """Widens the bounds of a group's followers by `play` [m] at both ends.

    Followers take their lengths from the geometry; the play keeps them inside their own bounds
    when the first member stands at its end stop.
    """
    for member in members[1:]:
        bound = member.actuator["bound"]
        bound["lower"] = _tidy(bound["lower"] - play)
        bound["upper"] = _tidy(bound["upper"] + play)
    return members


# ---------------------------------------------------------------------------------------------
# Joints and whole machines
# ---------------------------------------------------------------------------------------------


def joint(
    name: str,
    parent: str,
    child: str,
    kind: str,
    at: Point = (0.0, 0.0, 0.0),
    *,
    axis: Point | None = (0.0, 1.0, 0.0),
    rpy: Point = (0.0, 0.0, 0.0),
    limit: tuple[float, float] | None = None,
    damping: float | None = None,
    friction: float | None = None,
) -> Shape:
    """A JOINT; the child's frame sits at `at` in the parent. `axis` is None for a fixed one."""
    out: Shape = {"name": name, "parent": parent, "child": child, "type": kind}
    out["origin_translation"] = [float(v) + 0.0 for v in at]
    if any(rpy):
        out["origin_orientation"] = [float(v) + 0.0 for v in rpy]
    if axis is not None and kind not in ("fixed", "spherical", "free"):
        out["axis"] = [float(v) + 0.0 for v in axis]
    if limit is not None:
        out["limit"] = {"lower": float(limit[0]), "upper": float(limit[1])}
    if damping is not None:
        out["damping"] = float(damping)
    if friction is not None:
        out["friction"] = float(friction)
    return out


def revolute(name: str, parent: str, child: str, at: Point, **rest: Any) -> Shape:
    """A revolute joint, about y unless told."""
    return joint(name, parent, child, "revolute", at, **rest)


def closure(
    a: str,
    d: str,
    on_a: Point,
    on_d: Point,
    axis: Point = (0.0, 1.0, 0.0),
    names: tuple[str, str] | None = None,
) -> list[Shape]:
    """The pair of joints that closes a loop between links `a` and `d`: one pivot, seen twice."""
    there, back = names or (f"{a}_{d}", f"{d}_{a}")
    return [
        revolute(there, a, d, on_a, axis=axis),
        revolute(back, d, a, on_d, axis=axis),
    ]


def motor(name: str, joint_name: str, max_torque: float, max_speed: float) -> Shape:
    """A MOTOR on a continuous joint [N m, rad/s]."""
    return {
        "name": name,
        "joint": joint_name,
        "max_torque": float(max_torque),
        "max_speed": float(max_speed),
    }


def source(of: str, kind: str, text: str) -> Shape:
    """A PROVENANCE entry; `kind` is "measured", "data sheet" or "estimated"."""
    if kind not in ("measured", "data sheet", "estimated"):
        raise ValueError(kind)
    return {"of": of, "kind": kind, "source": text}


def robot(
    name: str,
    machine_class: str,
    end_effector: str,
    home: dict[str, float],
    links: Iterable[Shape],
    joints: Iterable[Shape | Iterable[Shape]],
    cylinders: Iterable[Cylinder],
    motors: Iterable[Shape] = (),
    provenance: Iterable[Shape] = (),
) -> Shape:
    """A whole machine: main links, then tubes and rods in the order of the cylinders."""
    cylinders = list(cylinders)
    parts = [part for c in cylinders for part in (c.tube, c.rod)]
    out: Shape = {
        "mrdf": "1",
        "name": name,
        "class": machine_class,
        "end_effector": end_effector,
        "home": {"joints": {k: float(v) + 0.0 for k, v in home.items()}},
        "links": [*links, *parts],
        "joints": flat(joints),
        "actuators": [c.actuator for c in cylinders],
    }
    for key, value in (("motors", list(motors)), ("provenance", list(provenance))):
        if value:
            out[key] = value
    return out


# ---------------------------------------------------------------------------------------------
# Files
# ---------------------------------------------------------------------------------------------

WIDTH = 160  # what fits stands on one line


def _significant(value: float, digits: int) -> float:
    """A float rounded to significant digits, and no negative zero."""
    return float(f"{float(value):.{digits - 1}e}") + 0.0


def _plain(value: Any, digits: int) -> Any:
    """The value with plain floats of at most `digits` significant digits."""
    if isinstance(value, dict):
        return {k: _plain(v, 17 if k == "home" else digits) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(v, digits) for v in value]
    if isinstance(value, float | np.floating):
        if not math.isfinite(value):
            raise ValueError("a machine file has finite numbers only")
        return _significant(float(value), digits)
    return value


def _lines(value: Any, indent: int, room: int) -> str:
    """JSON text: on one line what fits, else one element a line."""
    flat_text = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value:
        return flat_text
    if indent > 0 and len(flat_text) <= room:
        return flat_text
    pad, inner = " " * indent, " " * (indent + 1)
    if isinstance(value, list):
        items = [_lines(v, indent + 1, WIDTH - indent - 1) for v in value]
        return "[\n" + ",\n".join(inner + i for i in items) + "\n" + pad + "]"
    items = []
    line = ""
    for key, v in value.items():
        head = json.dumps(key) + ": "
        text = head + json.dumps(v, ensure_ascii=False)
        if len(text) > WIDTH - indent - 1:  # a long value gets lines of its own
            if line:
                items.append(line)
                line = ""
            items.append(head + _lines(v, indent + 1, WIDTH - indent - 1 - len(head)))
        elif indent > 1 and line and len(line) + 2 + len(text) <= WIDTH - indent - 1:
            line += ", " + text
        else:
            if line:
                items.append(line)
            line = text
    if line:
        items.append(line)
    return "{\n" + ",\n".join(inner + i for i in items) + "\n" + pad + "}"


def text_of(machine: Shape) -> str:
    """The file's text: stable, one shape, joint or vector at a glance."""
    return _lines(_plain(machine, 12), 0, WIDTH) + "\n"


def write(machine: Shape, path: str | Path) -> None:
    """Writes a machine as a canonical MRDF file."""
    Path(path).write_text(text_of(machine), encoding="utf-8")
