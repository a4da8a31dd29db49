"""Convex hulls for what a machine's file gives no shapes to touch: made of what is seen of a link.

What is seen has many pieces: plates, bolts, hoses. Those that fill most of their common box are
taken together, until there are few, and of each group the hull is taken, with few points. Boxes
stand along the link's axes, as most pieces of a machine do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..description import CollisionShape, Hull, hull_of
from ..errors import MeshError

Floats = NDArray[np.float64]
MOST_HULLS = 6  # of a link
MOST_POINTS = 40  # of a hull
EMPTY = 0.25  # part of a common box that may be empty wherever pieces are taken together
THIN = 1e-3  # of a link's size: what counts as the thickness of a plate without any


@dataclass(frozen=True)
class Piece:
    """A piece of a link's surface.

    Attributes:
        points: in the link's axes [m], (n, 3).
        shape: what it is exactly, where it is one of the description's shapes.
    """

    points: Floats
    shape: CollisionShape | None = None


def shapes_around(pieces: Sequence[Piece]) -> tuple[CollisionShape, ...]:
    """Few convex shapes that hold the pieces of a link.

    A piece that stays alone keeps its exact shape, if it has one. What has no volume, as a plate
    without thickness, is given a little.
    """
    found = []
    thin = THIN * max((float(np.ptp(piece.points, axis=0).max()) for piece in pieces), default=0.0)
    for group in grouped([piece.points for piece in pieces]):
        alone = pieces[group[0]].shape if len(group) == 1 else None
        if alone is not None:
            found.append(alone)
            continue
        points = np.concatenate([pieces[i].points for i in group])
        try:
            corners, _ = hull_of(points)
        except MeshError:  # all in one plane
            steps = thin * np.concatenate([np.eye(3), -np.eye(3)])
            corners, _ = hull_of((points[:, None] + steps).reshape(-1, 3))
        few = tuple(map(tuple, few_points(corners).tolist()))
        found.append(CollisionShape.make(geometry=Hull(type="hull", points=few)))
    return tuple(found)


def grouped(clouds: Sequence[Floats]) -> list[list[int]]:
    """Positions of clouds of points (n, 3) [m] that are taken together.

    The two that leave the least of their common box empty are joined, again and again, as long as
    there are too many or it is a small part of the box. A cloud fills its own box.
    """
    if not clouds:
        return []
    groups = [[i] for i in range(len(clouds))]
    low = np.array([points.min(axis=0) for points in clouds])
    high = np.array([points.max(axis=0) for points in clouds])
    pad = THIN * float((high.max(axis=0) - low.min(axis=0)).max())
    low, high = low - pad, high + pad
    filled = np.prod(high - low, axis=1)
    while len(groups) > 1:
        both, empty = _common_boxes(low, high, filled)
        i, j = divmod(int(np.argmin(empty)), len(groups))
        if len(groups) <= MOST_HULLS and empty[i, j] > EMPTY * both[i, j]:
            break
        groups[i] += groups.pop(j)
        low[i], high[i] = np.minimum(low[i], low[j]), np.maximum(high[i], high[j])
        filled[i] = min(filled[i] + filled[j], float(np.prod(high[i] - low[i])))
        low, high = np.delete(low, j, axis=0), np.delete(high, j, axis=0)
        filled = np.delete(filled, j)
    return [sorted(group) for group in groups]


def _common_boxes(low: Floats, high: Floats, filled: Floats) -> tuple[Floats, Floats]:
    """Volumes of the common boxes of two groups, (n, n), and what of them is empty [m^3].

    Below the diagonal this is infinite; of pairs without any the smaller comes first.
    """
    both: Floats = np.prod(
        np.maximum(high[:, None], high[None]) - np.minimum(low[:, None], low[None]), axis=2
    )
    empty: Floats = np.maximum(both - filled[:, None] - filled[None], 1e-6 * both)
    empty[np.tril_indices(len(filled))] = np.inf
    return both, empty


def few_points(points: Floats, most: int = MOST_POINTS) -> Floats:
    """Of the corners of a hull (n, 3), those few that keep most of it, (at most `most`, 3).

    It begins with the furthest points along a few directions; then those furthest outside of the
    hull of what has been taken are added, one for each of its faces at most.
    """
    from scipy.spatial import ConvexHull, QhullError

    if len(points) <= most:
        return points
    size = float(np.ptp(points, axis=0).max())
    taken = sorted({int(i) for i in np.argmax(points @ _DIRECTIONS.T, axis=0)})
    while len(taken) < most:
        try:
            planes = ConvexHull(points[taken]).equations
        except QhullError:  # those few lie in a plane
            middle = points[taken].mean(axis=0)
            _, _, axes = np.linalg.svd(points[taken] - middle)
            taken.append(int(np.argmax(np.abs((points - middle) @ axes[2]))))
            continue
        outside = points @ planes[:, :3].T + planes[:, 3]
        furthest = outside.argmax(axis=0)  # of every face
        height = outside.max(axis=0)
        best: dict[int, float] = {}
        for point, above in zip(furthest.tolist(), height.tolist(), strict=True):
            if above > 1e-9 * size:
                best[point] = max(above, best.get(point, 0.0))
        if not best:
            break
        room = max(1, (most - len(taken)) // 3)  # those added first change what is outside
        taken += sorted(best, key=lambda point: -best[point])[:room]
    kept: Floats = points[np.sort(taken)]
    return kept


# along the axes and to the corners of a cube
_DIRECTIONS: Floats = np.array(
    [
        (x, y, z)
        for x in (-1.0, 0.0, 1.0)
        for y in (-1.0, 0.0, 1.0)
        for z in (-1.0, 0.0, 1.0)
        if abs(x) + abs(y) + abs(z) in (1.0, 3.0)
    ]
)
