"""Hydraulic cylinders: barrel, gland, cap, eyes and pins, chromed rod."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from headframe.description import Actuator, Limit, Link

from .elements import link
from .hinges import Range
from .palette import CHROME, DARK_GREY, LIGHT_GREY, Color
from .shapes import Shape, hose, pin, rod, sphere
from .sides import other_side
from .vectors import ORIGIN, Point, Y, Z, decimals, significant, triple

Mount = tuple[str, Point]  # a link, and a point in its axes [m]


@dataclass(frozen=True)
class Ram:
    """What one would order: sizes and ratings of a cylinder.

    Attributes:
        bore: Piston diameter [m].
        rod_diameter: 0.7 bores unless told [m].
        pressure: Working pressure [Pa]; gives the force from the piston area.
        speed: Speed limit [m/s].
        acceleration: Acceleration limit [m/s2].
        ball_ends: Whether it ends in balls, as support legs do, and not in pinned eyes.
        color: Paint of the barrel.
    """

    bore: float
    rod_diameter: float | None = None
    pressure: float = 31.5e6
    speed: float = 0.10
    acceleration: float = 0.5
    ball_ends: bool = False
    color: Color = LIGHT_GREY

    @property
    def rod_size(self) -> float:
        """Diameter of the rod [m]."""
        return 0.7 * self.bore if self.rod_diameter is None else self.rod_diameter

    @property
    def outer(self) -> float:
        """Outer diameter of the barrel [m]."""
        return 1.22 * self.bore

    @property
    def eye(self) -> float:
        """Radius of the barrel's eye or ball [m]."""
        return (0.52 if self.ball_ends else 0.55) * self.outer

    @property
    def force(self) -> float:
        """Force limit [N]."""
        return significant(math.pi / 4 * self.bore**2 * self.pressure, 4)


@dataclass(frozen=True)
class Cylinder:
    """An actuator and the links of its visible parts."""

    actuator: Actuator
    tube: Link
    rod: Link


def cylinder(
    name: str,
    tube: Mount,
    rod: Mount,
    lengths: Range,
    ram: Ram,
    *,
    axis: Point = Y,
    group: str | None = None,
) -> Cylinder:
    """Make a cylinder.

    The barrel ends just short of the rod's eye at the lower bound; the rod reaches to the
    barrel's floor there and keeps a guided overlap at the upper bound.

    Args:
        name: Its name; the links are called `<name>_tube` and `<name>_rod`.
        tube: Main link that carries the barrel, and the mount point.
        rod: Main link that carries the rod, and the mount point.
        lengths: Shortest and longest distance between the mount points [m].
        ram: Sizes and ratings.
        axis: Direction of the pins, in the axes of either link.
        group: What users call the redundant group; the cylinder's name unless told.
    """
    lower, upper = lengths
    tube_length, rod_length = lower - 1.25 * ram.eye, lower - 1.15 * ram.eye
    if upper < 1.25 * lower:
        raise ValueError(f"{name}: stroke under a quarter of the closed length")
    if tube_length + rod_length - upper < 0.5 * ram.bore:
        raise ValueError(f"{name}: overlap at the upper bound is under half a bore")
    actuator = Actuator.make(
        name=name,
        tube=f"{name}_tube",
        rod=f"{name}_rod",
        tube_parent=tube[0],
        rod_parent=rod[0],
        tube_offset=triple(tube[1]),
        rod_offset=triple(rod[1]),
        tube_axis=triple(axis),
        rod_axis=triple(axis),
        bounds=Limit(lower=significant(lower), upper=significant(upper)),
        group=name if group is None else group,
        speed=ram.speed,
        acceleration=ram.acceleration,
        force=ram.force,
        bore=ram.bore,
        rod_diameter=decimals(ram.rod_size, 4),
    )
    return Cylinder(
        actuator,
        link(f"{name}_tube", _tube(ram, tube_length), fill=1.0),
        link(f"{name}_rod", _rod(ram, rod_length), fill=1.0),
    )


def pair(
    name: str,
    tube: Mount,
    rod: Mount,
    lengths: Range,
    ram: Ram,
    *,
    group: str,
    axis: Point = Y,
    play: float = 0.0,
) -> list[Cylinder]:
    """Make `<name>_left` with the mounts given and `<name>_right` with their mirror images."""
    left = cylinder(f"{name}_left", tube, rod, lengths, ram, axis=axis, group=group)
    tube, rod = (tube[0], other_side(tube[1])), (rod[0], other_side(rod[1]))
    right = cylinder(f"{name}_right", tube, rod, lengths, ram, axis=axis, group=group)
    return redundant(left, right, play=play)


def redundant(*members: Cylinder, play: float = 0.0) -> list[Cylinder]:
    """Declare cylinders one redundant group, whose first member sets the motion.

    The others take their lengths from the geometry. `play` [m] widens their bounds at both ends,
    so that they keep inside when the first one stands at its end stop.
    """
    names = [member.actuator.name for member in members]
    group = []
    for i, member in enumerate(members):
        changes: dict[str, object] = {"redundants": (*names[:i], *names[i + 1 :])}
        if i > 0 and play > 0.0:
            bounds = member.actuator.bounds
            lower, upper = decimals(bounds.lower - play), decimals(bounds.upper + play)
            changes["bounds"] = Limit(lower=lower, upper=upper)
        group.append(replace(member, actuator=member.actuator.model_copy(update=changes)))
    return group


def _tube(ram: Ram, length: float) -> list[Shape]:
    """Shape barrel, cap, gland, hose and eye; x looks along the cylinder [m]."""
    bore, outer, start = ram.bore, ram.outer, 0.55 * ram.eye
    hollow = 1.0 - (bore / outer) ** 2
    aside = 0.58 * outer
    shapes = [
        rod((start, 0, 0), (length, 0, 0), outer / 2, ram.color, "barrel", hollow),
        rod((start, 0, 0), (start + 0.25 * bore, 0, 0), 0.53 * outer, DARK_GREY, "cap"),
        rod((length - 0.35 * bore, 0, 0), (length, 0, 0), 0.56 * outer, DARK_GREY, "gland", 0.6),
        hose(
            (start + 0.3 * bore, aside, 0),
            (length - 0.25 * bore, aside, 0),
            max(0.012, 0.05 * bore),
        ),
    ]
    if ram.ball_ends:
        return [*shapes, sphere(ORIGIN, ram.eye, DARK_GREY, "ball")]
    return [*shapes, *_eye(ram, ram.eye, 0.75 * bore, ram.color)]


def _rod(ram: Ram, length: float) -> list[Shape]:
    """Shape rod and eye; x looks along the cylinder [m]."""
    size, eye = ram.rod_size, 0.9 * ram.eye
    bar = rod((0.5 * eye, 0, 0), (length, 0, 0), size / 2, CHROME, "rod")
    if ram.ball_ends:
        head = rod(ORIGIN, (0.9 * eye, 0, 0), 0.62 * size, DARK_GREY, "head")
        return [bar, head, sphere(ORIGIN, eye, DARK_GREY, "ball")]
    return [bar, *_eye(ram, eye, 0.7 * ram.bore, DARK_GREY)]


def _eye(ram: Ram, radius: float, width: float, color: Color) -> list[Shape]:
    """Shape an eye [m] and the pin through it."""
    return [
        pin(ORIGIN, radius, width, color, "eye", 0.7, axis=Z),
        pin(ORIGIN, 0.45 * ram.eye, 1.5 * ram.bore, DARK_GREY, "pin", axis=Z),
    ]
