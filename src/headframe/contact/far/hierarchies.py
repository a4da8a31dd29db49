"""Trees of spheres, cells and planes, made once before shapes are looked for in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...jit import Records, new_records
from ..records import CELL, HALF_SPACES, SPHERE_NODE

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

FEW = 8  # members of a cell that is not divided
DEEPEST = 12  # levels of an octree
CANDIDATES = 8  # planes that are compared before space is divided
IN_PLANE = 1e-9  # of a size: points so near to a plane are in it


def sphere_graph(parents: Sequence[int], shapes_of: Sequence[Sequence[int]]) -> Records:
    """Spheres for the links of a machine, as `update_spheres` takes them, the root first.

    A link's sphere holds its own shapes and the spheres of the links that hang on it, so that parts
    that move together are together.

    Args:
        parents: for every link the link that carries it, -1 for the base; a parent comes before.
        shapes_of: for every link its shapes.
    """
    children: list[list[int]] = [[] for _ in parents]
    roots: list[int] = []
    for link, parent in enumerate(parents):
        (children[parent] if parent >= 0 else roots).append(link)
    rows: list[tuple[int, int, int]] = []  # two children and a shape, leaves first

    def joined(nodes: list[int]) -> int:
        """One node for several: halves of them, joined."""
        if len(nodes) == 1:
            return nodes[0]
        left, right = joined(nodes[: len(nodes) // 2]), joined(nodes[len(nodes) // 2 :])
        rows.append((left, right, -1))
        return len(rows) - 1

    tops: dict[int, int] = {}
    for link in reversed(range(len(parents))):
        nodes = []
        for shape in shapes_of[link]:
            rows.append((-1, -1, shape))
            nodes.append(len(rows) - 1)
        nodes += [tops[child] for child in children[link] if child in tops]
        if nodes:
            tops[link] = joined(nodes)
    found = [tops[root] for root in roots if root in tops]
    if found:
        joined(found)
    made = new_records(len(rows), SPHERE_NODE)
    last = len(rows) - 1  # the root was made last and comes first
    for row, (left, right, shape) in enumerate(rows):
        node = made[last - row]
        node.leaf = shape
        node.children[:] = (last - left, last - right) if shape < 0 else (-1, -1)
    return made


def octree(low: Floats, high: Floats) -> tuple[Records, Whole]:
    """Cells over boxes (n, 3) along the axes, and the members of all cells one behind the other.

    A cell is divided at its middle as long as it holds more than a few. A box belongs to every cell
    without children that it touches, so that whatever touches it finds it.
    """
    cells: list[tuple[Floats, Floats, list[int], Whole]] = []
    waiting = [(low.min(axis=0), high.max(axis=0), np.arange(len(low)), -1, 0, 0)]
    while waiting:
        bottom, top, members, parent, side, level = waiting.pop()
        at = len(cells)
        cells.append((bottom, top, [-1] * 8, members))
        if parent >= 0:
            cells[parent][2][side] = at
        if len(members) <= FEW or level == DEEPEST:
            continue
        middle = 0.5 * (bottom + top)
        parts = []
        for part in range(8):
            upper = np.array([part & 1, part & 2, part & 4]) > 0
            least, most = np.where(upper, middle, bottom), np.where(upper, top, middle)
            inside = ((low[members] <= most) & (high[members] >= least)).all(axis=1)
            parts.append((least, most, members[inside], at, part, level + 1))
        if sum(len(part[2]) for part in parts) >= 4 * len(members):
            continue  # boxes as large as the cell: dividing it would not part them
        cells[at] = (bottom, top, cells[at][2], members[:0])
        waiting += parts
    made = new_records(len(cells), CELL)
    listed: list[int] = []
    for cell, (bottom, top, children, members) in zip(made, cells, strict=True):
        cell.low[:], cell.high[:], cell.children[:] = bottom, top, children
        cell.members[:] = len(listed), len(members)
        listed += members.tolist()
    return made, np.array(listed, np.int64)


def half_spaces(corners: Floats) -> tuple[Records, Whole]:
    """Planes that divide space along facets (n, 3, 3), and the facets in all planes.

    Each plane is that of a facet; of some the one is taken that divides the others most evenly and
    cuts fewest. A facet on both sides of a plane is split in two (section 4.4.2 of the thesis).
    """
    size = float(np.ptp(corners.reshape(-1, 3), axis=0).max()) if len(corners) else 1.0
    rows: list[tuple[Floats, float, list[int], list[int]]] = []  # plane, [front, back], members
    facets = [(np.asarray(c, np.float64), k) for k, c in enumerate(corners)]
    waiting = [(facets, -1, 0)]
    while waiting:
        parts, parent, side = waiting.pop()
        parts = [part for part in parts if plane_of(part[0]) is not None]
        if not parts:
            continue
        n, offset = best_plane(parts, IN_PLANE * size)
        at = len(rows)
        members: list[int] = []
        rows.append((n, offset, [-1, -1], members))
        if parent >= 0:
            rows[parent][2][side] = at
        sides: tuple[list[tuple[Floats, int]], list[tuple[Floats, int]]] = ([], [])
        for polygon, source in parts:
            heights = polygon @ n - offset
            if (np.abs(heights) <= IN_PLANE * size).all():
                members.append(source)
                continue
            for k, sign in ((0, 1.0), (1, -1.0)):
                piece = cut_off(polygon, sign * heights, IN_PLANE * size)
                if len(piece) >= 3:
                    sides[k].append((piece, source))
        waiting += [(sides[0], at, 0), (sides[1], at, 1)]
    made = new_records(len(rows), HALF_SPACES)
    listed: list[int] = []
    for node, (n, offset, (front, back), members) in zip(made, rows, strict=True):
        node.normal[:], node.offset, node.front, node.back = n, offset, front, back
        node.members[:] = len(listed), len(members)
        listed += members
    return made, np.array(listed, np.int64)


def plane_of(polygon: Floats) -> tuple[Floats, float] | None:
    """Normal and offset of a polygon's plane; None if it is a line."""
    p = polygon - polygon[0]
    n = np.cross(p, np.roll(p, -1, axis=0)).sum(axis=0)
    length = np.linalg.norm(n)
    if not length > 1e-18:
        return None
    return n / length, float(n @ polygon[0] / length)


def best_plane(parts: list[tuple[Floats, int]], tight: float) -> tuple[Floats, float]:
    """Of some facets' planes the one that divides all facets most evenly and cuts fewest."""
    best, chosen = np.inf, plane_of(parts[0][0])
    for polygon, _ in parts[:: max(1, len(parts) // CANDIDATES)]:
        plane = plane_of(polygon)
        if plane is None:
            continue
        front = back = cut = 0
        for other, _ in parts:
            heights = other @ plane[0] - plane[1]
            above, below = bool((heights > tight).any()), bool((heights < -tight).any())
            front += above and not below
            back += below and not above
            cut += above and below
        cost = abs(front - back) + 3 * cut
        if cost < best:
            best, chosen = cost, plane
    if chosen is None:
        raise ArithmeticError("no facet has a plane")
    return chosen


def cut_off(polygon: Floats, heights: Floats, tight: float) -> Floats:
    """What of a polygon is above a plane."""
    kept = []
    for k in range(len(polygon)):
        m = (k + 1) % len(polygon)
        if heights[k] >= -tight:
            kept.append(polygon[k])
        if (heights[k] > tight and heights[m] < -tight) or (
            heights[k] < -tight and heights[m] > tight
        ):
            s = heights[k] / (heights[k] - heights[m])
            kept.append(polygon[k] + s * (polygon[m] - polygon[k]))
    if not kept or heights.max() <= tight:
        return np.zeros((0, 3))
    return np.array(kept)
