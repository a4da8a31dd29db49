"""The boundary of what a point reaches, as triangles and lines, and the ends that make it.

How it is found depends on what the point sweeps, and on how many groups move it:

- "faces": a volume swept by three groups whose map nowhere turns over. Its boundary is the image
  of the six faces of the box of lengths, placed by forward kinematics at a grid of each face. A
  face is one group at one end of its stroke: that end limits it.
- "sheet": a surface swept by two groups: the image of the rectangle of lengths, and its edges.
- "curve": swept by one group.
- "hull": any other volume. An alpha shape of samples, of which many lie where all groups but two
  are at ends: what a ball cannot get into from outside without touching a sample. All samples are
  inside, but bays narrower than the ball and hollows without a way out are filled, and at the
  border a little is missing between samples.
  What limits a place is an end at which a group stands there and beyond which it would go on
  outwards.
- "outline": the same in a plane, with triangles.
- "line": any other curve, through its samples in order.
- "": there is none: the point stays, or what it sweeps is none of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial import Delaunay

from ..mechanism import Floats, Ints
from .image import NO_END, Image, box_faces

NODES = {1: 257, 2: 65, 3: 41}  # along each edge of the box of lengths
RIM = 8_000  # samples at the faces of the box, for a hull
MOST_FACES = 4096  # of the box, beyond which only the cloud makes a hull
WITHIN = 8_000  # samples of the cloud, for a hull
BALL = 1.3  # times the least radius of an alpha shape's ball
SAME = 0.02  # of the samples' spacing: what is nearer is one
AT_END = 0.04  # of the stroke: a group that is nearer to its end stands there
GAP = 8.0  # times the mean step along a line: farther than that, it is none


@dataclass(frozen=True, eq=False)
class ReachSurface:
    """Triangles and lines.

    Attributes:
        method: how it was found, see above.
        vertices: [m], (n, 3).
        ends: number of the end that limits each vertex, see `Image`; 255 where none does, (n,).
        triangles: positions of vertices, (m, 3); those of a volume seen from outside go left about.
        lines: positions of vertices, (k, 2).
    """

    method: str
    vertices: Floats
    ends: Ints
    triangles: Ints
    lines: Ints

    @property
    def measure(self) -> float | None:
        """Volume [m³], area [m²] or length [m] of what it is the boundary of; None of nothing."""
        corners = self.vertices[self.triangles]
        if self.method in ("faces", "hull"):
            middle = self.vertices.mean(axis=0)
            return float(np.linalg.det(corners - middle).sum() / 6.0)
        if self.method in ("sheet", "outline"):
            sides = corners[:, 1:] - corners[:, :1]
            return float(np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).sum() / 2.0)
        if self.method in ("curve", "line"):
            ends = self.vertices[self.lines]
            return float(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum())
        return None


def surface_of(image: Image) -> ReachSurface:
    """The boundary of what a point reaches."""
    n, d = len(image.moving), image.dimension
    found = None
    if n == d and d > 0 and not image.folded:
        found = {1: _curve, 2: _sheet, 3: _faces}[d](image)
    if found is None and d == 3:
        found = _hull(image)
    if found is None and d == 2 and image.plane is not None:
        found = _hull(image)
    if found is None and d == 1:
        found = _line(image)
    return found or NOTHING


def _made(
    method: str, vertices: Floats, ends: Ints, triangles: Ints, lines: Ints
) -> ReachSurface | None:
    """A surface; None if some of its vertices cannot be taken."""
    if not np.isfinite(vertices).all():
        return None
    return ReachSurface(method, vertices, ends, triangles, lines)


NOTHING = ReachSurface(
    "",
    np.zeros((0, 3)),
    np.zeros(0, dtype=np.int64),
    np.zeros((0, 3), dtype=np.int64),
    np.zeros((0, 2), dtype=np.int64),
)


# ------------------------------------------------------------- images of boxes


def _curve(image: Image) -> ReachSurface | None:
    nodes = NODES[1]
    strokes = image.strokes(np.linspace(0.0, 1.0, nodes)[:, None])
    lines = _chain(nodes)
    ends = image.nearest_ends(strokes)
    return _made("curve", image.place(strokes), ends, NOTHING.triangles, lines)


def _sheet(image: Image) -> ReachSurface | None:
    nodes = NODES[2]
    square = box_faces(2, 2, nodes)
    axis = np.linspace(0.0, 1.0, nodes)
    edges, edge_ends = [], []
    for k, group in enumerate(image.moving):
        for upper in (0, 1) if group in image.ended else ():  # else a seam, and no edge
            edge = np.empty((nodes, 2))
            edge[:, k], edge[:, 1 - k] = upper, axis
            edges.append(edge)
            edge_ends.append(np.full(nodes, 2 * group + upper))
    strokes = image.strokes(np.vstack([square, *edges]))
    chains = [_chain(nodes) + len(square) + i * nodes for i in range(len(edges))]
    lines = np.vstack([NOTHING.lines, *chains])
    ends = np.concatenate([image.nearest_ends(strokes[: len(square)]), *edge_ends])
    return _made("sheet", image.place(strokes), ends, _grid_triangles(nodes), lines)


def _faces(image: Image) -> ReachSurface | None:
    if not image.ended:
        return None
    nodes = NODES[3]
    square = box_faces(2, 2, nodes)
    strokes: list[Floats] = []
    ends: list[Ints] = []
    triangles: list[Ints] = []
    for k, group in enumerate(image.moving):
        for upper in (0, 1) if group in image.ended else ():  # else a seam inside
            face = np.full((len(square), 3), float(upper))
            face[:, [(k + 1) % 3, (k + 2) % 3]] = square
            whole = _grid_triangles(nodes) + len(square) * len(strokes)
            strokes.append(face)
            ends.append(np.full(len(square), 2 * group + upper))
            triangles.append(whole if upper else whole[:, ::-1])
    vertices = image.place(image.strokes(np.vstack(strokes)))
    faces = np.vstack(triangles)
    found = _made("faces", vertices, np.concatenate(ends), faces, NOTHING.lines)
    if found is not None and (found.measure or 0.0) < 0.0:  # the map is a mirror
        return ReachSurface("faces", vertices, found.ends, faces[:, ::-1].copy(), NOTHING.lines)
    return found


def _grid_triangles(nodes: int) -> Ints:
    """Two triangles for each cell of a square grid whose second index runs first, (m, 3)."""
    corner = (np.arange(nodes - 1)[:, None] * nodes + np.arange(nodes - 1)).reshape(-1, 1)
    right, up = corner + nodes, corner + 1
    across = right + 1
    return np.vstack([np.hstack([corner, right, across]), np.hstack([corner, across, up])])


def _chain(nodes: int) -> Ints:
    at = np.arange(nodes - 1)
    return np.stack([at, at + 1], axis=1)


def _line(image: Image) -> ReachSurface | None:
    """Samples in the order of their longest axis, if that is an order along the curve."""
    points, strokes = image.cloud.points, image.cloud_strokes
    _, _, axes = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    order = np.argsort(points @ axes[0])
    order = order[:: max(1, len(order) // 2000)]
    steps = np.linalg.norm(np.diff(points[order], axis=0), axis=1)
    span = float(np.ptp(points @ axes[0]))
    if span <= 0.0 or steps.sum() > 2.0 * span or steps.max() > GAP * steps.mean():
        return None
    ends = image.nearest_ends(strokes[order])
    return _made("line", points[order], ends, NOTHING.triangles, _chain(len(order)))


# --------------------------------------------------------------------- hulls


def _hull(image: Image) -> ReachSurface | None:
    """An alpha shape of samples, in space or in a plane."""
    d, n = image.dimension, len(image.moving)
    strokes = image.cloud_strokes[:WITHIN]
    rim = _rim(n, d - 1)
    strokes = np.vstack([image.strokes(rim), strokes])
    points = image.place(strokes)
    good = np.isfinite(points).all(axis=1)
    points, strokes = points[good], strokes[good]
    flat = points if d == 3 else (points - image.plane[0]) @ image.plane[1].T  # type: ignore[index]
    kept = distinct(flat)
    points, strokes, flat = points[kept], strokes[kept], flat[kept]
    if len(flat) < 4 * (d + 1):
        return None
    image.beat()
    simplices, border = alpha_shape(flat)
    image.beat()
    ends = image.nearest_ends(strokes)
    rim_points = np.unique(border)
    normals = _normals(flat, border)[rim_points]
    if d == 2:
        normals = normals @ image.plane[1]  # type: ignore[index]
    ends[rim_points] = _limiting(image, strokes[rim_points], normals)
    if d == 2:
        return _made("outline", points, ends, simplices, border)
    place = np.full(len(points), -1)
    place[rim_points] = np.arange(len(rim_points))
    return _made("hull", points[rim_points], ends[rim_points], place[border], NOTHING.lines)


def _rim(n: int, k: int) -> Floats:
    """Samples at all faces of dimension k of the box of n lengths, (m, n); none if too many."""
    faces = comb(n, k) * 2 ** (n - k)
    if faces > MOST_FACES:
        return np.zeros((0, n))
    nodes = int(np.clip((RIM / faces) ** (1.0 / k), 2, 129))
    return box_faces(n, k, nodes)


def distinct(points: Floats) -> Ints:
    """Positions of points of which no two are nearly the same, (m,)."""
    spans = np.maximum(np.ptp(points, axis=0), 1e-12)
    cell = SAME * float(np.prod(spans) / len(points)) ** (1.0 / points.shape[1])
    _, first = np.unique(np.round(points / cell).astype(np.int64), axis=0, return_index=True)
    kept: Ints = np.sort(first)
    return kept


def alpha_shape(points: Floats) -> tuple[Ints, Ints]:
    """Simplices between points, (n, d), and the facets around them, (m, d), with d 2 or 3.

    Of the Delaunay simplices those that a ball cannot get into from outside without touching a
    point; the ball is a little larger than the smallest one that leaves every point in a simplex.
    Facets of a volume seen from outside go left about, and so do the edges of an area.
    """
    d = points.shape[1]
    found = Delaunay(points)
    simplices, beside = found.simplices.astype(np.int64), found.neighbors
    radii = _radii(points[simplices])
    least = np.full(len(points), np.inf)
    for k in range(d + 1):
        np.minimum.at(least, simplices[:, k], radii)
    ball = BALL * float(least[np.isfinite(least)].max())
    inside = ~_open_to_outside(radii > ball, beside)
    facets, opposite = [], []
    for k in range(d + 1):
        other = beside[:, k]
        edge = inside & ((other < 0) | ~inside[other])
        facets.append(np.delete(simplices[edge], k, axis=1))
        opposite.append(simplices[edge, k])
    border = np.vstack(facets)
    side = np.linalg.det(points[border] - points[np.concatenate(opposite)][:, None])
    turned = side < 0.0
    border[turned, :2] = border[turned, 1::-1]
    return simplices[inside], border


def _open_to_outside(wide: NDArray[np.bool_], beside: Ints) -> NDArray[np.bool_]:
    """Which of the wide simplices are connected with the outside through wide ones, (n,)."""
    n = len(wide)
    rows, columns = [], []
    for k in range(beside.shape[1]):
        other = np.where(beside[:, k] < 0, n, beside[:, k])  # the outside is the last
        joined = wide & np.append(wide, True)[other]
        rows.append(np.flatnonzero(joined))
        columns.append(other[joined])
    at = np.concatenate(rows), np.concatenate(columns)
    graph = coo_array((np.ones(len(at[0]), dtype=bool), at), shape=(n + 1, n + 1))
    labels = connected_components(graph, directed=False)[1]
    found: NDArray[np.bool_] = labels[:-1] == labels[-1]
    return found


def _radii(corners: Floats) -> Floats:
    """Radius of the ball through the corners of simplices, (n, d + 1, d); infinite if flat."""
    sides = corners[:, 1:] - corners[:, :1]
    squares = (sides**2).sum(axis=2)
    size = squares.max(axis=1) ** (sides.shape[2] / 2.0)
    fine = np.abs(np.linalg.det(sides)) > 1e-9 * size
    radii = np.full(len(corners), np.inf)
    centres = np.linalg.solve(2.0 * sides[fine], squares[fine][..., None])[..., 0]
    radii[fine] = np.linalg.norm(centres, axis=1)
    return radii


def _normals(points: Floats, border: Ints) -> Floats:
    """Outward normals of the border's points, (n, d); zeros elsewhere."""
    corners = points[border]
    if points.shape[1] == 3:
        outward = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    else:
        along = corners[:, 1] - corners[:, 0]
        outward = np.stack([along[:, 1], -along[:, 0]], axis=1)
    normals = np.zeros_like(points)
    for k in range(border.shape[1]):
        np.add.at(normals, border[:, k], outward)
    sizes = np.linalg.norm(normals, axis=1, keepdims=True)
    unit: Floats = normals / np.maximum(sizes, 1e-30)
    return unit


def _limiting(image: Image, strokes: Floats, normals: Floats) -> Ints:
    """The end beyond which the point would go on outwards fastest, (n,); 255 for none."""
    gain = np.einsum("nij,ni->nj", image.derivative(strokes), normals)
    ends = np.full(len(strokes), NO_END, dtype=np.int64)
    best = np.zeros(len(strokes))
    for k in image.ended:
        for upper in (0, 1):
            stands = strokes[:, k] > 1.0 - AT_END if upper else strokes[:, k] < AT_END
            outward = np.where(stands, gain[:, k] if upper else -gain[:, k], 0.0)
            better = outward > np.maximum(best, 1e-9)
            ends[better], best[better] = 2 * k + upper, outward[better]
    return ends
