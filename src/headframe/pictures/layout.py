"""Places for the nodes of a small graph, and gentle curves for its edges.

Nodes stand in columns by their distance from the root over the joints, so that a four-bar
becomes a diamond. The order within a column is the one with the fewest crossings; edges bend as
far as they must to keep clear of nodes and of each other.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from .labels import segments_cross

Floats = NDArray[np.float64]
Pair = tuple[int, int]
BENDS = (0.0, 0.15, -0.15, 0.3, -0.3, 0.45, -0.45, 0.6, -0.6, 0.8, -0.8)
SIDE_BY_SIDE = 36.0  # distance of edges between the same nodes [px]


def columns_of(count: int, joints: Sequence[Pair], others: Sequence[Pair]) -> list[int]:
    """Column of every node: steps from node 0 over `joints`, else over any edge."""
    column: dict[int, int] = {}
    for edges in (joints, [*joints, *others]):
        beside: dict[int, list[int]] = defaultdict(list)
        for a, b in edges:
            beside[a].append(b)
            beside[b].append(a)
        waiting = deque(column or {0: 0})
        column.setdefault(0, 0)
        while waiting:
            node = waiting.popleft()
            for other in beside[node]:
                if other not in column:
                    column[other] = column[node] + 1
                    waiting.append(other)
    return [column.get(node, 0) for node in range(count)]


def place_nodes(columns: Sequence[int], edges: Sequence[Pair], sweeps: int = 6) -> Floats:
    """Column and height of every node, (n, 2); heights are in steps, 0 in the middle."""
    members: dict[int, list[int]] = defaultdict(list)
    for node, column in enumerate(columns):
        members[column].append(node)
    places = np.zeros((len(columns), 2))
    places[:, 0] = columns

    def stack(nodes: Sequence[int]) -> None:
        for i, node in enumerate(nodes):
            places[node, 1] = (len(nodes) - 1) / 2 - i

    for nodes in members.values():
        stack(nodes)
    pairs = np.array(edges, dtype=np.int64).reshape(-1, 2)
    for _ in range(sweeps):
        before = places.copy()
        for column in sorted(members):
            nodes = members[column]
            trials = permutations(nodes) if len(nodes) <= 5 else _swaps(nodes)
            best: tuple[float, tuple[int, ...]] | None = None
            for trial in trials:
                stack(trial)
                cost = _untidiness(places, pairs)
                if best is None or cost < best[0] - 1e-9:
                    best = (cost, tuple(trial))
            if best:
                members[column] = list(best[1])
                stack(best[1])
        if np.array_equal(before, places):
            break
    return places


def _swaps(nodes: Sequence[int]) -> list[tuple[int, ...]]:
    """A column as it is, and with two neighbours changed."""
    trials = [tuple(nodes)]
    for i in range(len(nodes) - 1):
        swapped = list(nodes)
        swapped[i], swapped[i + 1] = swapped[i + 1], swapped[i]
        trials.append(tuple(swapped))
    return trials


def _untidiness(places: Floats, pairs: NDArray[np.int64]) -> float:
    """Crossings, nodes on edges, and length of all edges drawn straight."""
    if not len(pairs):
        return 0.0
    a, b = places[pairs[:, 0]], places[pairs[:, 1]]
    crossings = segments_cross(a[:, None], b[:, None], a[None], b[None]).sum() / 2
    along = b - a
    length = np.linalg.norm(along, axis=1)
    # distance of every node from every edge it does not belong to
    off = places[None] - a[:, None]
    t = np.einsum("eni,ei->en", off, along) / np.maximum(length, 1e-9)[:, None] ** 2
    gap = np.linalg.norm(off - np.clip(t, 0, 1)[..., None] * along[:, None], axis=-1)
    own = (np.arange(len(places)) == pairs[:, :1]) | (np.arange(len(places)) == pairs[:, 1:])
    hits = ((gap < 0.2) & ~own).sum()
    return float(4.0 * crossings + 3.0 * hits + 0.2 * length.sum())


def curve(a: Floats, b: Floats, bend: float, points: int = 41) -> Floats:
    """A curve from a to b whose middle is `bend` half-lengths to the left, (points, 2)."""
    side = np.array([(b - a)[1], -(b - a)[0]])  # rows grow downwards
    control = (a + b) / 2 + bend * side
    t = np.linspace(0.0, 1.0, points)[:, None]
    return np.asarray((1 - t) ** 2 * a + 2 * t * (1 - t) * control + t**2 * b)


def beyond(points: Floats, middle: Floats, radius: float) -> NDArray[np.bool_]:
    """Which points lie outside a circle."""
    return np.asarray(np.linalg.norm(points - middle, axis=-1) > radius, dtype=np.bool_)


def bend_edges(places: Floats, radius: float, edges: Sequence[Pair]) -> list[float]:
    """Bend of every edge, so that none runs through a node or along another edge.

    Edges between the same two nodes run side by side, bent as one.

    Args:
        places: middles of the nodes [px], (n, 2).
        radius: of the nodes [px].
        edges: pairs of nodes.
    """
    bundles: dict[Pair, list[int]] = defaultdict(list)
    for i, (a, b) in enumerate(edges):
        bundles[min(a, b), max(a, b)].append(i)
    bends = [0.0] * len(edges)
    drawn = _Drawn(places, radius)
    lengths = {pair: float(np.linalg.norm(places[pair[0]] - places[pair[1]])) for pair in bundles}
    for pair in sorted(bundles, key=lambda pair: lengths[pair]):  # long ones bend around short
        count = len(bundles[pair])
        spread = (np.arange(count) - (count - 1) / 2) * 2 * SIDE_BY_SIDE / max(lengths[pair], 1.0)
        best: tuple[float, list[Floats], float] | None = None
        for base in BENDS:
            lines = [curve(places[pair[0]], places[pair[1]], base + more) for more in spread]
            cost = sum(drawn.in_the_way(line, pair) for line in lines)
            cost += count * 90.0 * abs(base)
            if best is None or cost < best[0] - 1e-9:
                best = (cost, lines, base)
        if best:
            drawn.add(pair, best[1])
            for i, more in zip(bundles[pair], spread, strict=True):
                bend = best[2] + float(more)
                bends[i] = bend if edges[i] == pair else -bend
    return bends


class _Drawn:
    """Nodes and the edges that are drawn already; tells what another edge would run into."""

    def __init__(self, places: Floats, radius: float) -> None:
        self.places, self.radius = places, radius
        self.pairs = np.zeros((0, 2), dtype=np.int64)
        self.lines = np.zeros((0, 41, 2))

    def add(self, pair: Pair, lines: Sequence[Floats]) -> None:
        """Edges between two nodes, as points along them, (41, 2) each."""
        self.pairs = np.concatenate([self.pairs, [pair] * len(lines)])
        self.lines = np.concatenate([self.lines, lines])

    def in_the_way(self, line: Floats, pair: Pair) -> float:
        """Cost of drawing an edge along a line."""
        others = np.delete(self.places, pair, axis=0)  # a node's name stands above or below it
        apart = np.abs(line - others[:, None]) / (self.radius + 26.0, self.radius + 22.0)
        cost = 40.0 * int((apart < 1.0).all(axis=-1).sum())
        if not len(self.lines):
            return cost
        points = self.lines.reshape(-1, 2)
        square = (line**2).sum(axis=1)[:, None] - 2 * line @ points.T + (points**2).sum(axis=1)
        near = square.reshape(len(line), *self.lines.shape[:2]).min(axis=-1) < 16.0**2
        for node in pair:  # edges that share a node meet there
            at_node = ~beyond(line, self.places[node], 4 * self.radius)
            near &= ~(at_node[:, None] & (self.pairs == node).any(axis=1))
        return cost + 8.0 * int(near.sum()) + 60.0 * self._crossings(line)

    def _crossings(self, line: Floats) -> int:
        """How often a line crosses the edges: each one's steps have ends on both sides of it."""
        count = len(self.lines)
        ours = _sides(line, self.lines.reshape(-1, 2)).reshape(len(line) - 1, count, -1)
        theirs = np.stack([_sides(other, line) for other in self.lines], axis=1)
        through = (ours[..., :-1] * ours[..., 1:] < 0) & (
            (theirs[..., :-1] * theirs[..., 1:] < 0).transpose(2, 1, 0)
        )
        return int(through.sum())


def _sides(line: Floats, points: Floats) -> Floats:
    """On which side of each step of a line each point is: twice the area between, (n - 1, m)."""
    start, along = line[:-1], np.diff(line, axis=0)
    normal = np.column_stack([-along[:, 1], along[:, 0]])
    return np.asarray(normal @ points.T - (normal * start).sum(axis=1)[:, None])
