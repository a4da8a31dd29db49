"""`serpentine`: via points that lead a cutting head over a cross-section, row by row.

Rows are level and evenly spaced, from the floor upwards, each as long as the profile leaves room
for the head and as the machine reaches; where one ends the way bends into the next. At last the
head goes round along the profile and takes what the rows have left at the walls and under the arch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ..checks import flag, number, vector
from ..errors import StateError
from ..kinematics import checked_start, ik_batch
from ..mechanism import Floats, State
from .curve import POSITION_ONLY
from .profile import area, checked_profile, contains, distance, row

if TYPE_CHECKING:
    from ..kinematics import Kinematics

Bools = np.ndarray[tuple[int], np.dtype[np.bool_]]
Reachable = Callable[[Floats], Bools]  # whether places (y, z) [m], (n, 2), can be reached, (n,)

HEIGHTS = 512  # that are looked at for where a head fits at all
PRECISE = 1e-9  # [m] of the lowest and the highest row
TRIED = 0.02  # [m] between places of a row whose reach is looked at
BEND = 1.0 / 3.0  # of the distance of rows: where a row leaves its line to turn
BENT = 4  # pieces of a bend
SHARP = np.radians(25.0)  # turn of the way from which a corner is bent
OUTLINE = 64  # heights from which the way along the profile is made
SAME = 1e-6  # [m] between places that are one
GRID = 0.02  # [m] of the brute-force grid that tells what is cut
MOST_ROWS = 1000
MOST_GRID = 4_000_000  # places of that grid
SMALLEST = 1e-6  # [m]: of heads, of distances between via points and places


@dataclass(frozen=True)
class LeftOut:
    """A piece of a row that cannot be reached: its height and from where to where [m]."""

    height: float
    right: float
    left: float


@dataclass(frozen=True, eq=False)
class Serpentine:
    """A way over a profile, in the profile's own axes: y to the left, z up [m].

    Attributes:
        profile: the cross-section, (n, 2).
        radius: of the head [m]; `margin` is kept from it to the profile [m].
        spacing: between two rows [m], never more than what was asked for.
        rows: height and the right and left end of each row [m], (n, 3), from the floor upwards.
        points: via points, (n, 2), in the order of the way.
        left_out: what of the rows the machine cannot reach.
    """

    profile: Floats
    radius: float
    margin: float
    spacing: float
    rows: Floats
    points: Floats
    left_out: tuple[LeftOut, ...]

    @property
    def length(self) -> float:
        """Length of the way, straight from via point to via point [m]."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())

    def covered(self, grid: float = GRID) -> float:
        """Part of the profile's area that the head sweeps, by brute force on a grid [m]."""
        grid = number("grid", grid, least=SMALLEST, unit="m")
        low, high = self.profile.min(axis=0), self.profile.max(axis=0)
        sides = np.ceil((high - low) / grid)
        counts = sides.astype(int)
        if sides.prod() > MOST_GRID:
            raise StateError(f"grid: found {grid:g} m, expected at most {MOST_GRID} places")
        axes = [start + grid * (0.5 + np.arange(n)) for start, n in zip(low, counts, strict=True)]
        places = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, 2)
        places = places[contains(self.profile, places)]
        return float((distance(self.points, places, closed=False) <= self.radius).mean())

    def positions(
        self, depth: float, floor: float = 0.0, centre: float = 0.0, up: ArrayLike = (0, 0, 1)
    ) -> Floats:
        """Via points in the world [m], (n, 3).

        Args:
            depth: how far ahead the plane is, along x [m].
            floor: height of the profile's z = 0 [m].
            centre: where the profile's y = 0 is, to the left [m].
            up: unit vector, (3,).
        """
        depth, floor, centre = _checked_place(depth, floor, centre)
        return in_world(self.points, depth, floor, centre, vector("up", up, 3))

    def __len__(self) -> int:
        return len(self.points)


def in_world(points: Floats, depth: float, floor: float, centre: float, up: Floats) -> Floats:
    """Places (y, z) of a plane across x, (n, 2), in the world [m], (n, 3)."""
    ahead = np.array([1.0, 0.0, 0.0])
    left = np.cross(up, ahead)
    y, z = points.T
    found: Floats = (
        depth * ahead + np.multiply.outer(y + centre, left) + np.multiply.outer(z + floor, up)
    )
    return found


def serpentine(
    kinematics: Kinematics,
    link: str,
    profile: ArrayLike,
    depth: float,
    diameter: float,
    overlap: float = 0.2,
    margin: float = 0.05,
    floor: float = 0.0,
    centre: float = 0.0,
    every: float = 0.25,
    contour: bool = True,
    start: State | None = None,
) -> Serpentine:
    """A serpentine of a link's origin over a profile, where the machine reaches.

    Args:
        kinematics: the machine, made ready.
        link: the cutting head: a main link.
        profile: corners (y, z) [m], (n, 2); see `profile.arched`.
        depth: of the plane in which the link's origin moves, ahead along x [m].
        diameter: of the head [m].
        overlap: part of the diameter by which neighbouring rows overlap, 0 to less than 1.
        margin: kept between the head and the profile [m].
        floor: height of the profile's z = 0 in the world [m].
        centre: where the profile's y = 0 is, to the left [m].
        every: distance of via points along a row at most [m].
        contour: whether the head at last goes round along the profile.
        start: where groups stay that do not move the link; home if None.

    Raises:
        StateError: numbers out of their range; a head that does not fit; rows in several pieces; a
            plane that the link does not reach at all.
        UnknownElementError: no main link of that name.
    """
    kinematics.inverse_solver(link).check_moved()
    origin = checked_start(kinematics, start)
    depth, floor, centre = _checked_place(depth, floor, centre)
    up = kinematics.mechanism.robot.up

    def reachable(points: Floats) -> Bools:
        targets = np.tile(origin.pose(link), (len(points), 1, 1))
        targets[:, :3, 3] = in_world(points, depth, floor, centre, up)
        return ik_batch(kinematics, link, targets, origin, None, POSITION_ONLY).reachable

    return sweep(profile, diameter, overlap, margin, every, contour, reachable)


def sweep(
    profile: ArrayLike,
    diameter: float,
    overlap: float = 0.2,
    margin: float = 0.05,
    every: float = 0.25,
    contour: bool = True,
    reachable: Reachable | None = None,
) -> Serpentine:
    """The way of a head over a profile; for the arguments see `serpentine`.

    Without `reachable` every place can be reached.
    """
    outline = checked_profile(profile)
    diameter = number("diameter", diameter, least=SMALLEST, unit="m")
    every = number("every", every, least=SMALLEST, unit="m")
    margin = number("margin", margin, least=0.0, unit="m")
    overlap, contour = number("overlap", overlap, least=0.0), flag("contour", contour)
    if overlap >= 1.0:
        raise StateError(f"overlap: found {overlap!r}, expected 0 to less than 1")
    radius = 0.5 * diameter
    room = _rows(outline, radius + margin, diameter * (1.0 - overlap))
    spacing = float(room[1, 0] - room[0, 0]) if len(room) > 1 else 0.0
    rows, left_out = (room, ()) if reachable is None else _within_reach(room, reachable)
    if not len(rows):
        raise StateError("depth: the link reaches no row of this plane, expected another depth")
    corners = _corners(rows)
    if contour and len(rows) > 1:
        way = _outline(outline, radius + margin, rows, reachable, every)
        corners = _joined(corners, way)
    points = _via_points(corners, spacing, every)
    _check_inside(outline, points, radius + margin)
    if reachable is not None:  # a bend between two rows may lead out of reach
        points = points[reachable(points)]
    return Serpentine(outline, radius, margin, spacing, rows, points, left_out)


def _checked_place(depth: float, floor: float, centre: float) -> tuple[float, float, float]:
    """Where a profile stands [m]."""
    return (
        number("depth", depth, unit="m"),
        number("floor", floor, unit="m"),
        number("centre", centre, unit="m"),
    )


def _rows(profile: Floats, radius: float, spacing: float) -> Floats:
    """Height, right and left end of every row on which the disc fits, (n, 3)."""
    low, high = float(profile[:, 1].min()), float(profile[:, 1].max())
    heights = np.linspace(low, high, HEIGHTS)
    fits = [bool(row(profile, z, radius)) for z in heights]
    if not any(fits):
        raise StateError(
            f"diameter: a head that needs {2.0 * radius:.4g} m does not fit into the profile of "
            f"{area(profile):.4g} m², expected a smaller one"
        )
    first, last = fits.index(True), HEIGHTS - 1 - fits[::-1].index(True)
    bottom = _edge(profile, radius, heights[max(first - 1, 0)], heights[first])
    top = _edge(profile, radius, heights[min(last + 1, HEIGHTS - 1)], heights[last])
    count = int(np.ceil((top - bottom) / spacing - PRECISE)) + 1 if top > bottom else 1
    if count > MOST_ROWS:
        raise StateError(f"overlap: found {count} rows, expected at most {MOST_ROWS}")
    found = []
    for z in np.linspace(bottom, top, count):
        pieces = row(profile, float(z), radius)
        if len(pieces) != 1:
            raise StateError(
                f"profile: the row at {z:.4g} m falls into {len(pieces)} pieces, expected one: "
                "cut a profile of such a shape in parts"
            )
        found.append((float(z), *pieces[0]))
    return np.array(found)


def _edge(profile: Floats, radius: float, bad: float, good: float) -> float:
    """The height between one where the disc does not fit and one where it does, to the last."""
    while abs(good - bad) > PRECISE:
        middle = 0.5 * (bad + good)
        if row(profile, middle, radius):
            good = middle
        else:
            bad = middle
    return float(good)


def _within_reach(rows: Floats, reachable: Reachable) -> tuple[Floats, tuple[LeftOut, ...]]:
    """Of every row the longest piece that is reached, and what is left out."""
    kept, out = [], []
    for z, right, left in rows.tolist():
        tried = np.linspace(right, left, max(2, int(np.ceil((left - right) / TRIED)) + 1))
        if left - right < SAME:
            tried = tried[:1]
        good = reachable(np.column_stack([tried, np.full(len(tried), z)]))
        begin, end = _longest(good)
        if end <= begin:
            out.append(LeftOut(z, right, left))
            continue
        kept.append((z, float(tried[begin]), float(tried[end - 1])))
        if begin > 0:
            out.append(LeftOut(z, right, float(tried[begin])))
        if end < len(tried):
            out.append(LeftOut(z, float(tried[end - 1]), left))
    return np.array(kept).reshape(-1, 3), tuple(out)


def _longest(good: Bools) -> tuple[int, int]:
    """The longest run of true values, from its first to behind its last."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], good, [False]]).astype(int)))
    runs = edges.reshape(-1, 2)
    if not len(runs):
        return 0, 0
    begin, end = runs[int(np.argmax(runs[:, 1] - runs[:, 0]))]
    return int(begin), int(end)


def _corners(rows: Floats) -> Floats:
    """The way from end to end of the rows, to and fro, (n, 2)."""
    corners: list[tuple[float, float]] = []
    for n, (z, right, left) in enumerate(rows.tolist()):
        ends = [(right, z), (left, z)]
        corners += ends if n % 2 == 0 else ends[::-1]
    return _without_repeats(np.array(corners))


def _without_repeats(way: Floats) -> Floats:
    """A way, (n, 2), without places that are the same as the one before."""
    apart = np.linalg.norm(np.diff(way, axis=0), axis=1)
    found: Floats = way[np.concatenate([[True], apart > SAME])]
    return found


def _outline(
    profile: Floats, radius: float, rows: Floats, reachable: Reachable | None, every: float
) -> tuple[Floats, Floats]:
    """Right and left border of what is reached between the first and the last row, each (n, 2)."""
    bottom, top = rows[0, 0], rows[-1, 0]
    heights = top - (top - bottom) * np.linspace(1.0, 0.0, OUTLINE) ** 2  # closer under an arch
    ends = []
    for z in heights.tolist():
        pieces = row(profile, z, radius)
        if len(pieces) == 1:
            ends.append((z, *pieces[0]))
    found = np.array(ends)
    if reachable is not None:
        found, _ = _within_reach(found, reachable)
    return _even(found[:, [1, 0]], every), _even(found[:, [2, 0]], every)


def _even(chain: Floats, every: float) -> Floats:
    """A chain in even pieces of about the same length, with the same ends, (n, 2)."""
    along = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(chain, axis=0), axis=1))])
    wanted = np.linspace(0.0, along[-1], max(2, int(np.ceil(along[-1] / every)) + 1))
    return np.column_stack([np.interp(wanted, along, chain[:, axis]) for axis in (0, 1)])


def _joined(corners: Floats, outline: tuple[Floats, Floats]) -> Floats:
    """The rows, and from their end down along one border, over the floor and up along the other."""
    right, left = outline
    at_left = abs(corners[-1, 0] - left[-1, 0]) < abs(corners[-1, 0] - right[-1, 0])
    down, up = (left, right) if at_left else (right, left)
    return _without_repeats(np.concatenate([corners, down[::-1], up]))


def _via_points(corners: Floats, spacing: float, every: float) -> Floats:
    """Via points along straight lines whose sharp corners are bent, (n, 2).

    A bend is a parabola inside its corner: the way stays within what is convex.
    """
    if len(corners) == 1:
        return corners
    points = [corners[:1]]
    for before, corner, after in zip(corners[:-2], corners[1:-1], corners[2:], strict=True):
        into, out = corner - before, after - corner
        turn = np.arctan2(into[0] * out[1] - into[1] * out[0], into @ out)
        if abs(turn) < SHARP:
            points.append(_straight(points[-1][-1], corner, every))
            continue
        reach = BEND * spacing
        enter = corner - into * min(reach / np.hypot(*into), 0.5)
        leave = corner + out * min(reach / np.hypot(*out), 0.5)
        t = np.linspace(0.0, 1.0, BENT + 1)[:, None]
        bend = (1 - t) ** 2 * enter + 2 * t * (1 - t) * corner + t**2 * leave
        points += [_straight(points[-1][-1], enter, every), bend[1:]]
    points.append(_straight(points[-1][-1], corners[-1], every))
    return _without_repeats(np.concatenate(points))


def _straight(a: Floats, b: Floats, every: float) -> Floats:
    """Places from behind a to b."""
    count = max(1, int(np.ceil(np.hypot(*(b - a)) / every)))
    return np.linspace(a, b, count + 1)[1:]


def _check_inside(profile: Floats, points: Floats, radius: float) -> None:
    """Refuse a way that leaves the profile between its rows."""
    close = np.concatenate([points[:1], *(_straight(a, b, TRIED) for a, b in pairwise(points))])
    bad = ~contains(profile, close) | (distance(profile, close) < radius - SAME)
    if bad.any():
        y, z = close[int(bad.argmax())]
        raise StateError(
            f"profile: the way from row to row comes too near to it at y = {y:.4g} m, "
            f"z = {z:.4g} m: cut a profile of such a shape in parts"
        )
