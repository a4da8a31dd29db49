"""Names beside a picture: where to put them so that nothing overlaps.

The free part of the picture is divided into cells as large as the largest name. Names go into
cells so that the leaders are short, run over few strange parts, and neither cross each other nor
any name. An assignment by cost comes first; moving one name at a time then removes crossings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

OVER_OTHERS = 2.5  # cost of a pixel of leader that runs over another part
CROSSING = 3000.0  # cost of crossing a leader or a name
GAP = 12  # free space between the machine and a name [px]


@dataclass(frozen=True)
class Placed:
    """A name's place: middle of its text, the leader's end there, and its end on the part [px]."""

    text: tuple[float, float]
    start: tuple[float, float]
    anchor: tuple[float, float]


def place_names(
    owner: NDArray[np.int32], wanted: list[int], sizes: Floats, blocked: Mask | None = None
) -> list[Placed | None]:
    """Find a place for every name.

    Args:
        owner: which name a pixel belongs to, -1 for none, (h, w).
        wanted: the owners that get a name.
        sizes: width and height of their texts [px], (n, 2).
        blocked: further pixels that names must not cover, (h, w).

    Returns:
        A place for each of `wanted`; None where a part cannot be seen or the picture is full.
    """
    anchors = [_anchors(owner, who) for who in wanted]
    seen = [i for i, points in enumerate(anchors) if len(points)]
    result: list[Placed | None] = [None] * len(wanted)
    if not seen:
        return result
    cells = _free_cells(owner, sizes[seen], blocked)
    if not len(cells):
        return result
    tables = [_costs(owner, wanted[i], anchors[i], sizes[i], cells) for i in seen]
    cost = np.stack([table[0] for table in tables])
    starts = np.stack([table[1] for table in tables])
    ends = np.stack([table[2] for table in tables])
    for row, cell in _assign(cost, starts, ends, sizes[seen], cells).items():
        result[seen[row]] = Placed(
            (float(cells[cell, 0]), float(cells[cell, 1])),
            (float(starts[row, cell, 0]), float(starts[row, cell, 1])),
            (float(ends[row, cell, 0]), float(ends[row, cell, 1])),
        )
    return result


def _anchors(owner: NDArray[np.int32], who: int, most: int = 12, least: int = 24) -> Floats:
    """Points well inside what is seen of a part, spread over it, (k, 2) as x, y [px]."""
    from scipy.ndimage import distance_transform_edt

    mask = owner == who
    if int(mask.sum()) < least:
        return np.zeros((0, 2))
    rows, cols = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    top, left = rows[0], cols[0]
    box = np.pad(mask[top : rows[-1] + 1, left : cols[-1] + 1], 1)
    depth = distance_transform_edt(box)[1:-1, 1:-1]
    enough = min(0.7 * float(depth.max()), 14.0)
    points = np.argwhere(depth >= enough).astype(float)
    points = points[:: max(1, len(points) // 2000)]
    deepest = np.argwhere(depth == depth.max())[0].astype(float)
    chosen = [deepest]
    apart = np.linalg.norm(points - deepest, axis=1)
    while len(chosen) < most and apart.max() > 6.0:
        chosen.append(points[int(np.argmax(apart))])
        apart = np.minimum(apart, np.linalg.norm(points - chosen[-1], axis=1))
    return np.array(chosen)[:, ::-1] + (left + 0.5, top + 0.5)


def _free_cells(owner: NDArray[np.int32], sizes: Floats, blocked: Mask | None) -> Floats:
    """Middles of cells where a name covers nothing, (k, 2) as x, y [px]."""
    height, width = owner.shape
    taken = owner >= 0
    if blocked is not None:
        taken = taken | blocked
    total = np.pad(np.cumsum(np.cumsum(taken, axis=0), axis=1), ((1, 0), (1, 0)))
    cell_width = float(sizes[:, 0].max()) + 16.0
    cell_height = float(sizes[:, 1].max()) + 9.0
    columns, rows = int(width // cell_width), int(height // cell_height)
    cells = []
    for row in range(rows):
        y = (row + 0.5) * height / rows
        for column in range(columns):
            x = (column + 0.5) * width / columns
            left = max(0, int(x - cell_width / 2 - GAP))
            right = min(width, int(x + cell_width / 2 + GAP))
            top = max(0, int(y - cell_height / 2 - GAP))
            bottom = min(height, int(y + cell_height / 2 + GAP))
            covered = total[bottom, right] - total[top, right] - total[bottom, left]
            if covered + total[top, left] == 0:
                cells.append((x, y))
    return np.array(cells).reshape(-1, 2)


def _costs(
    owner: NDArray[np.int32], who: int, anchors: Floats, size: Floats, cells: Floats
) -> tuple[Floats, Floats, Floats]:
    """Cost (k,), leader start (k, 2) and leader end (k, 2) of putting a name into each cell."""
    half = size / 2 + (3.0, 1.0)
    sides = np.array([(-half[0], 0.0), (half[0], 0.0), (0.0, -half[1]), (0.0, half[1])])
    starts = cells[:, None, None, :] + sides[None, :, None, :]
    ends = np.broadcast_to(anchors, (len(cells), 4, len(anchors), 2))
    starts = np.broadcast_to(starts, ends.shape)
    length = np.linalg.norm(ends - starts, axis=-1)
    # a leader must leave the text outwards
    outwards = np.einsum("csai,si->csa", ends - starts, np.sign(sides)) > 0
    steps = np.linspace(0.04, 0.96, 24)
    along = starts[..., None, :] + steps[:, None] * (ends - starts)[..., None, :]
    pixel = along.astype(np.int32)
    there = owner[
        np.clip(pixel[..., 1], 0, owner.shape[0] - 1), np.clip(pixel[..., 0], 0, owner.shape[1] - 1)
    ]
    strange = ((there >= 0) & (there != who)).mean(axis=-1)
    cost = length * (1.0 + OVER_OTHERS * strange) + np.where(outwards, 0.0, 1e4)
    best = cost.reshape(len(cells), -1).argmin(axis=1)
    pick = (np.arange(len(cells)), best)
    return (
        cost.reshape(len(cells), -1)[pick],
        starts.reshape(len(cells), -1, 2)[pick],
        ends.reshape(len(cells), -1, 2)[pick],
    )


def _assign(
    cost: Floats, starts: Floats, ends: Floats, sizes: Floats, cells: Floats
) -> dict[int, int]:
    """Cell of every name (names without one are left out)."""
    from scipy.optimize import linear_sum_assignment

    rows, chosen = linear_sum_assignment(cost)
    cell_of = dict(zip(rows.tolist(), chosen.tolist(), strict=True))
    for _ in range(8):
        changed = False
        for i in cell_of:
            others = [j for j in cell_of if j != i]
            at = [cell_of[j] for j in others]
            trouble = _trouble(
                starts[i], ends[i], cells, sizes[i],
                starts[others, at], ends[others, at], cells[at], sizes[others],
            )  # fmt: skip
            total = cost[i] + CROSSING * trouble
            total[at] = np.inf
            best = int(np.argmin(total))
            if total[best] < total[cell_of[i]] - 1e-9:
                cell_of[i], changed = best, True
        if not changed:
            break
    return cell_of


def _trouble(
    starts: Floats,
    ends: Floats,
    cells: Floats,
    size: Floats,
    other_starts: Floats,
    other_ends: Floats,
    other_cells: Floats,
    other_sizes: Floats,
) -> Floats:
    """How many leaders or texts of others each choice (k) of one name would touch, (k,)."""
    if not len(other_cells):
        return np.zeros(len(cells))
    a, b = starts[:, None], ends[:, None]
    crossings = segments_cross(a, b, other_starts[None], other_ends[None])
    half = other_sizes / 2 + 4.0
    through = np.zeros_like(crossings)
    for turn in (1.0, -1.0):  # both diagonals of the others' boxes, and of one's own
        arm = half * (1.0, turn)
        through |= segments_cross(a, b, (other_cells - arm)[None], (other_cells + arm)[None])
        own = (size / 2 + 4.0) * (1.0, turn)
        corner, opposite = (cells - own)[:, None], (cells + own)[:, None]
        through |= segments_cross(corner, opposite, other_starts[None], other_ends[None])
    return (crossings.astype(float) + through).sum(axis=1)


def segments_cross(a: Floats, b: Floats, c: Floats, d: Floats) -> Mask:
    """Whether segments ab and cd have a point in common, broadcast over leading axes."""

    def side(p: Floats, q: Floats, r: Floats) -> Floats:
        e, f = q - p, r - p
        return np.asarray(e[..., 0] * f[..., 1] - e[..., 1] * f[..., 0])

    return np.asarray(
        (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0), dtype=np.bool_
    )
