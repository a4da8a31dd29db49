"""What of a roadway's cross-section a machine can cut from where it stands.

The section is a polygon in a plane. The head is a ball whose middle moves in that plane: a place
of the plane is cut if the middle can be brought within the ball's radius of it. Where the middle
can get is asked of inverse kinematics, at the middles of the cells of a grid.

Axes of a section: x ahead, across the plane, y to the left, z up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import distance_transform_edt

from ..errors import StateError
from ..machine import Machine
from ..mechanism import Floats, State
from .head import with_point

REACHED = 1e-3  # [m]
COARSE = 4  # cells between two places that are asked about first
CHUNK = 64  # targets in one call
MOST_CELLS = 400_000
FINE = 4  # places along a cell that tell how much of it is inside
PLACE_ONLY = (0, 0, 0, 1, 1, 1)

Bools = NDArray[np.bool_]
Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Section:
    """What can be cut.

    Attributes:
        outline: the profile, (n, 2) [m].
        corner: y and z of the middle of the first cell [m], (2,).
        cell: width of a cell [m].
        reach: whether the head's middle can be brought to the middle of each cell, (rows, columns):
            rows go up, columns to the left.
        cut: whether the middle of each cell can be cut, (rows, columns).
        inside: how much of each cell lies inside the profile, 0 to 1, (rows, columns).
        radius: of the head [m].
    """

    outline: Floats
    corner: Floats
    cell: float
    reach: Bools
    cut: Bools
    inside: Floats
    radius: float

    @property
    def area(self) -> float:
        """Area of the profile [m²]."""
        y, z = self.outline.T
        return 0.5 * abs(float(y @ np.roll(z, -1) - z @ np.roll(y, -1)))

    @property
    def fraction(self) -> float:
        """Part of the profile that can be cut, 0 to 1."""
        return float(self.inside[self.cut].sum() / max(self.inside.sum(), 1e-12))

    @property
    def codes(self) -> NDArray[np.uint8]:
        """For each cell 0 outside, 1 left standing, 2 cut, 3 where the head's middle gets, too."""
        codes = np.where(self.cut, np.where(self.reach, 3, 2), 1)
        return np.where(self.inside > 0.0, codes, 0).astype(np.uint8)

    @property
    def border(self) -> Floats:
        """Lines between what can be cut and what cannot, inside the profile [m], (m, 2, 2)."""
        field = _field(self.reach, self.cell, self.radius)
        if not np.isfinite(field).all():
            return np.zeros((0, 2, 2))
        lines = zero_lines(field) * self.cell + self.corner
        kept: Floats = lines[inside_polygon(lines.mean(axis=1), self.outline)]
        return kept


def cut_section(
    machine: Machine,
    state: State,
    link: str,
    outline: ArrayLike,
    X_WS: Floats,
    radius: float,
    point: ArrayLike = (0.0, 0.0, 0.0),
    cell: float = 0.05,
    overbreak: bool = True,
    progress: Progress | None = None,
) -> Section:
    """Find what of a profile can be cut.

    Args:
        machine: it cuts.
        state: where it stands, and the lengths of the cylinders that do not move the head.
        link: that carries the head.
        outline: the profile in the section's axes, y and z [m], (n, 2).
        X_WS: the section's axes in the world, (4, 4).
        radius: of the head [m], 0 or more.
        point: the head's middle in the link's axes [m].
        cell: width of the grid's cells [m]; borders are found to about half of it, and islands or
            holes of less than four cells may be missed.
        overbreak: whether the head may cut beyond the profile.
        progress: called with the part that is done.

    Raises:
        StateError: a profile that is none, or too fine a grid.
        UnknownElementError: no main link of that name.
    """
    polygon = checked_outline(outline)
    corner, shape = _grid(polygon, radius, cell)
    rows, columns = np.indices(shape)
    places = corner + cell * np.stack([columns, rows], axis=-1)
    inside = _coverage(places, cell, polygon)
    allowed = inside > 0.0
    if radius > 0.0 and overbreak:
        allowed = distance_transform_edt(~allowed) * cell <= radius + cell
    elif radius > 0.0:
        flat = places.reshape(-1, 2)
        clear = inside_polygon(flat, polygon) & (_distance_to(polygon, flat) >= radius)
        allowed = clear.reshape(shape)
    asking = _Asking(machine, state, link, np.array(point, dtype=float), X_WS, progress)
    reach = asking.answer(places, allowed)
    cut = _field(reach, cell, radius) > 0.0
    return Section(polygon, corner, cell, reach, cut, inside, radius)


class _Asking:
    """Asks inverse kinematics which places of a grid the head's middle can be brought to."""

    def __init__(
        self,
        machine: Machine,
        state: State,
        link: str,
        point: Floats,
        X_WS: Floats,
        progress: Progress | None,
    ) -> None:
        machine.mechanism.robot.link(link)
        self.machine, self.link = with_point(machine, link, point)
        first = [members[0] for members in machine.robot.groups]
        self.start = self.machine.fk(state.lengths[first]).moved(state.base)
        self.X_WS, self.progress = X_WS, progress

    def answer(self, places: Floats, allowed: Bools) -> Bools:
        """Which of the places, (rows, columns, 2), can be reached; those not allowed are not.

        Every fourth row and column is asked about first. Where the four around a cell agree, it is
        as they are; where they do not, each place between is asked about.
        """
        rows, columns = allowed.shape
        knots = np.zeros_like(allowed)
        knots[np.ix_(_knots(rows), _knots(columns))] = True
        coarse = self._ask(places, knots, 0.0, 0.4)
        mixed = _mixed(coarse[np.ix_(_knots(rows), _knots(columns))])
        row, column = _cell_of(rows), _cell_of(columns)
        doubtful = mixed[np.ix_(row, column)] & ~knots
        same = coarse[np.ix_(_knots(rows)[row], _knots(columns)[column])]
        fine = self._ask(places, doubtful & allowed, 0.4, 1.0)
        found: Bools = np.where(knots, coarse, np.where(doubtful, fine, same)) & allowed
        return found

    def _ask(self, places: Floats, where: Bools, begin: float, end: float) -> Bools:
        """Ask about the places that are marked, in rows that go to and fro."""
        order = [
            (row, column)
            for row in range(len(where))
            for column in np.flatnonzero(where[row])[:: 1 if row % 2 else -1]
        ]
        reached = np.zeros_like(where)
        start = self.start
        for at in range(0, len(order), CHUNK):
            if self.progress is not None:
                self.progress(begin + (end - begin) * at / len(order))
            part = tuple(np.array(order[at : at + CHUNK]).T)
            targets = np.tile(start.pose(self.link), (len(part[0]), 1, 1))
            targets[:, :3, 3] = self._world(places[part])
            found = self.machine.ik_batch(self.link, targets, start, mask=PLACE_ONLY)
            reached[part] = found.objective < REACHED
        return reached

    def _world(self, flat: Floats) -> Floats:
        points: Floats = self.X_WS[:3, 3] + flat @ self.X_WS[:3, 1:3].T
        return points


# ------------------------------------------------------------------- the grid


def _grid(polygon: Floats, radius: float, cell: float) -> tuple[Floats, tuple[int, int]]:
    """Middle of the first cell, and numbers of rows and columns, of a grid around a profile."""
    if not (np.isfinite(cell) and cell > 0.0):
        raise StateError(f"cell: found {cell:g} m, expected more than 0")
    if not (np.isfinite(radius) and radius >= 0.0):
        raise StateError(f"radius: found {radius:g} m, expected 0 or more")
    low, high = polygon.min(axis=0) - radius - cell, polygon.max(axis=0) + radius + cell
    columns, rows = np.ceil((high - low) / cell).astype(int) + 1
    if rows * columns > MOST_CELLS:
        raise StateError(
            f"cell: found {cell:g} m, which makes {rows * columns} cells, expected no more than "
            f"{MOST_CELLS}"
        )
    return 0.5 * (low + high) - 0.5 * cell * np.array([columns - 1, rows - 1]), (rows, columns)


def checked_outline(outline: ArrayLike) -> Floats:
    """A polygon of three corners or more around some area, (n, 2).

    Raises:
        StateError: anything else.
    """
    polygon = np.array(outline, dtype=float)
    if polygon.ndim != 2 or polygon.shape[1:] != (2,) or len(polygon) < 3:
        raise StateError(f"outline: found shape {polygon.shape}, expected three corners or more")
    if not np.isfinite(polygon).all():
        raise StateError("outline: expected finite numbers")
    y, z = polygon.T
    if abs(y @ np.roll(z, -1) - z @ np.roll(y, -1)) < 1e-6:
        raise StateError("outline: found no area, expected a polygon around some")
    return polygon


def _knots(count: int) -> NDArray[np.int64]:
    """Every fourth place and the last one."""
    return np.unique(np.append(np.arange(0, count, COARSE), count - 1))


def _cell_of(count: int) -> NDArray[np.int64]:
    """Number of the coarse cell in which each place lies."""
    cells = np.searchsorted(_knots(count), np.arange(count), side="right") - 1
    return np.minimum(cells, len(_knots(count)) - 2)


def _mixed(corners: Bools) -> Bools:
    """For each coarse cell whether its four corners differ."""
    around = np.stack([corners[:-1, :-1], corners[1:, :-1], corners[:-1, 1:], corners[1:, 1:]])
    mixed: Bools = around.min(axis=0) != around.max(axis=0)
    return mixed


def _coverage(places: Floats, cell: float, polygon: Floats) -> Floats:
    """How much of each cell lies inside the polygon, (rows, columns)."""
    steps = cell * ((np.arange(FINE) + 0.5) / FINE - 0.5)
    covered = np.zeros(places.shape[:2])
    for y in steps:
        for z in steps:
            flat = (places + np.array([y, z])).reshape(-1, 2)
            covered += inside_polygon(flat, polygon).reshape(covered.shape)
    return covered / FINE**2


def inside_polygon(points: Floats, polygon: Floats) -> Bools:
    """Whether points, (n, 2), lie inside a polygon, (m, 2): an odd number of sides to the right."""
    odd = np.zeros(len(points), dtype=np.int64)
    for (y0, z0), (y1, z1) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if z0 == z1:
            continue
        crosses = (points[:, 1] < z0) != (points[:, 1] < z1)
        at = y0 + (points[:, 1] - z0) * (y1 - y0) / (z1 - z0)
        odd += crosses & (points[:, 0] < at)
    inside: Bools = odd % 2 == 1
    return inside


def _distance_to(polygon: Floats, points: Floats) -> Floats:
    """Distance of points, (n, 2), from the nearest side of a polygon [m], (n,)."""
    nearest = np.full(len(points), np.inf)
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        along = b - a
        part = np.clip((points - a) @ along / max(float(along @ along), 1e-30), 0.0, 1.0)
        away = np.linalg.norm(points - (a + part[:, None] * along), axis=1)
        np.minimum(nearest, away, out=nearest)
    return nearest


def _field(reach: Bools, cell: float, radius: float) -> Floats:
    """How deep each cell's middle lies in what the head cuts [m], (rows, columns)."""
    return signed_distance(reach) * cell + radius


def signed_distance(mask: Bools) -> Floats:
    """Distance of cells from the border of a mask, in cells, positive inside, (rows, columns)."""
    if not mask.any() or mask.all():
        return np.full(mask.shape, np.inf if mask.any() else -np.inf)
    inner, outer = distance_transform_edt(mask), distance_transform_edt(~mask)
    field: Floats = np.where(mask, inner - 0.5, 0.5 - outer)
    return field


def zero_lines(field: Floats) -> Floats:
    """Lines at which a field is 0, linear between its values, in columns and rows, (m, 2, 2)."""
    rows, columns = np.indices(field.shape)
    at = np.stack([columns, rows], axis=-1).astype(float)
    cut = [slice(None, -1), slice(1, None)]
    corner = [(cut[r], cut[c]) for r, c in ((0, 0), (0, 1), (1, 1), (1, 0))]
    lines = []
    for three in ((0, 1, 2), (0, 2, 3)):
        values = np.stack([field[corner[i]].ravel() for i in three], axis=1)
        points = np.stack([at[corner[i]].reshape(-1, 2) for i in three], axis=1)
        lines.append(_triangle_lines(values, points))
    return np.vstack(lines)


def _triangle_lines(values: Floats, points: Floats) -> Floats:
    """Where a linear function with values at the corners of triangles is 0, (m, 2, 2)."""
    above = values > 0.0
    lines = []
    for alone in range(3):
        one, two = (alone + 1) % 3, (alone + 2) % 3
        split = (above[:, alone] != above[:, one]) & (above[:, alone] != above[:, two])
        v, p = values[split], points[split]
        ends = []
        for other in (one, two):
            part = v[:, alone] / (v[:, alone] - v[:, other])
            ends.append(p[:, alone] + part[:, None] * (p[:, other] - p[:, alone]))
        lines.append(np.stack(ends, axis=1))
    return np.vstack(lines)
