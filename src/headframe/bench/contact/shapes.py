"""Pairs of shapes near each other and in each other, beside coal."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...contact import HullSolid, MeshSolid, closed_mesh, convex_hull, pack_solids, surface_of
from ...contact.kernels import NEAR_WORK, SHAPE, TOUCH, ShapeKind, touch_pairs
from ...description import Hull
from ...jit import doubles, new_records
from ...mechanism import Floats
from ...spatial import matrix_from_quaternion
from ..goals import Goal
from ..progress import Progress
from ..section import BenchSettings, ReportSection, peer
from ..tables import NOTHING, number, table

K = ShapeKind
KINDS = (K.SPHERE, K.BOX, K.CAPSULE, K.CYLINDER, K.CONE, K.HULL, K.MESH)
PAIRS, PASSES, SEED = 400, 5, 7
SPREAD = 0.9  # [m] about which shapes of half a metre lie, so that many touch and many do not
CORNERS, POINTS = 24, 402  # of hulls and meshes
WANTED = 2.0
TEXT = """{pairs} random pairs of each kind, of about half a metre, by kind a fifth to three
fifths of them in each other; the shortest of {passes} passes. Ours finds up to four points, or one
a region, with the margin of a step (0); coal finds one point of convex shapes and up to 64 of
meshes (a sphere of {triangles} triangles, {corners} corners of a hull). coal is called from Python;
what such a call takes by itself, that of two balls far apart, is taken out of its times.
"""


@dataclass(frozen=True)
class PairTime:
    """Times of a pair [us], ours and coal's."""

    kinds: tuple[str, str]
    ours: float
    theirs: float | None


@dataclass(frozen=True, eq=False)
class RandomPairs:
    """Pairs of shapes: SHAPE records (2 n,), their poses (2 n, 3, 4), hulls and meshes."""

    shapes: NDArray[Any]
    poses: Floats
    solids: list[HullSolid | MeshSolid]

    def seconds(self) -> float:
        """Time that a pair takes here [s]."""
        buffer, starts = pack_solids(self.solids)
        shapes = self.shapes.copy()
        own = shapes["solid"] >= 0
        shapes["solid"][own] = starts[shapes["solid"][own]]
        count = len(shapes) // 2
        pairs: Any = np.arange(2 * count, dtype=np.int64).reshape(count, 2)
        work, found = np.zeros(doubles(NEAR_WORK)), new_records(128 * count, TOUCH)
        best = np.inf
        for _ in range(PASSES):
            begin = perf_counter()
            touch_pairs(shapes, self.poses, pairs, buffer, 0.0, work, found)
            best = min(best, perf_counter() - begin)
        return float(best) / count


def random_pairs(kinds: tuple[ShapeKind, ShapeKind], count: int) -> RandomPairs:
    """Pairs of two kinds."""
    rng = np.random.default_rng([SEED, *kinds])
    shapes, solids = np.zeros(2 * count, SHAPE), list[HullSolid | MeshSolid]()
    poses = np.zeros((2 * count, 3, 4))
    for n, row in enumerate(shapes):
        kind = kinds[n % 2]
        row["kind"], row["solid"], row["X_BS"] = kind, -1, np.eye(4)[:3]
        row["sizes"], row["radius"] = _sizes(kind, rng)
        if kind in (K.HULL, K.MESH):
            row["solid"] = len(solids)
            solids.append(_solid(kind, rng))
            row["radius"] = solids[-1].radius
        turn = rng.normal(size=4)
        poses[n, :, :3] = matrix_from_quaternion(turn / np.linalg.norm(turn))
        poses[n, :, 3] = rng.uniform(-SPREAD / 2, SPREAD / 2, 3)
    return RandomPairs(shapes, poses, solids)


def _sizes(kind: ShapeKind, rng: np.random.Generator) -> tuple[Floats, float]:
    a, b, c = rng.uniform(0.15, 0.35, 3)
    sizes = {
        K.SPHERE: ((a,), a), K.BOX: ((a, b, c), np.hypot(np.hypot(a, b), c)),
        K.CAPSULE: ((a, b), a + b), K.CYLINDER: ((a, a, b), np.hypot(a, b)),
        K.CONE: ((a, b), np.hypot(a, b)),
    }.get(kind, ((), 0.0))  # fmt: skip
    whole = np.zeros(SHAPE["sizes"].shape)
    whole[: len(sizes[0])] = sizes[0]
    return whole, float(sizes[1])


def _solid(kind: ShapeKind, rng: np.random.Generator) -> HullSolid | MeshSolid:
    if kind == K.HULL:
        points = rng.normal(size=(CORNERS, 3))
        return convex_hull(0.35 * points / np.linalg.norm(points, axis=1, keepdims=True))
    ball = surface_of(Hull(type="hull", points=spread_points(POINTS)), None, "")
    return closed_mesh(ball.points * rng.uniform(0.2, 0.35, 3), ball.faces)


def spread_points(count: int) -> tuple[tuple[float, float, float], ...]:
    """Points on the unit sphere, evenly along a spiral."""
    n = np.arange(count) + 0.5
    z, turn = 1.0 - 2.0 * n / count, np.pi * (1.0 + 5.0**0.5) * n
    aside = np.sqrt(1.0 - z * z)
    x, y = aside * np.cos(turn), aside * np.sin(turn)
    return tuple(zip(x.tolist(), y.tolist(), z.tolist(), strict=True))


# ------------------------------------------------------------------------------------------- coal


def coal_seconds(coal: Any, pairs: RandomPairs) -> float:
    """Time that a pair takes in coal, without that of a call [s]."""
    shapes = [_coal_shape(coal, row, pairs.solids) for row in pairs.shapes]
    poses = [coal.Transform3s(X[:, :3].copy(), X[:, 3].copy()) for X in pairs.poses]
    request = coal.CollisionRequest()
    request.num_max_contacts = 64
    balls = [coal.Sphere(0.1)] * len(shapes)
    there = [coal.Transform3s(np.eye(3), np.array([9.0 * n, 0, 0])) for n in range(len(shapes))]
    return _collided(coal, request, shapes, poses) - _collided(coal, request, balls, there)


def _collided(coal: Any, request: Any, shapes: list[Any], poses: list[Any]) -> float:
    result, best = coal.CollisionResult(), np.inf
    for _ in range(PASSES):
        begin = perf_counter()
        for n in range(0, len(shapes), 2):
            result.clear()
            coal.collide(shapes[n], poses[n], shapes[n + 1], poses[n + 1], request, result)
        best = min(best, perf_counter() - begin)
    return float(best) / (len(shapes) // 2)


def _coal_shape(coal: Any, row: Any, solids: list[HullSolid | MeshSolid]) -> Any:
    a, b, c = row["sizes"][:3]
    match row["kind"]:
        case K.SPHERE:
            return coal.Sphere(a)
        case K.BOX:
            return coal.Box(2 * a, 2 * b, 2 * c)
        case K.CAPSULE:
            return coal.Capsule(a, 2 * b)
        case K.CYLINDER:
            return coal.Cylinder(a, 2 * c)
        case K.CONE:
            return coal.Cone(a, 2 * b)
    solid = solids[row["solid"]]
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for point in solid.points:
        points.append(point)
    if isinstance(solid, HullSolid):
        for face in solid.faces:
            for k in range(1, len(face) - 1):
                triangles.append(coal.Triangle(face[0], face[k], face[k + 1]))
        return coal.Convex(points, triangles)
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(solid.triangles), len(solid.points))
    model.addVertices(solid.points)
    model.addTriangles(solid.triangles)
    model.endModel()
    return model


# ------------------------------------------------------------------------------------------- page


def measure(settings: BenchSettings, progress: Progress) -> list[PairTime]:
    """Run it."""
    coal, count = peer("coal", settings, progress), 4 if settings.small else PAIRS
    combinations = list(combinations_with_replacement(KINDS, 2))
    progress.begin("shapes", len(combinations))
    found = []
    for kinds in combinations:
        pairs = random_pairs(kinds, count)
        theirs = 1e6 * coal_seconds(coal, pairs) if coal else None
        names = kinds[0].name.lower(), kinds[1].name.lower()
        found.append(PairTime(names, 1e6 * pairs.seconds(), theirs))
        progress.step(" and ".join(names))
    return found


def section(found: list[PairTime], folder: Path) -> ReportSection:
    """What the page says of it."""
    rows = [
        [*each.kinds, number(each.ours), number(each.theirs),
         NOTHING if each.theirs is None else number(each.ours / each.theirs)]
        for each in found
    ]  # fmt: skip
    header = ["a", "b", ">Headframe [us]", ">coal [us]", ">ratio"]
    text = TEXT.format(pairs=PAIRS, passes=PASSES, triangles=2 * POINTS - 4, corners=CORNERS)
    goals = [
        Goal(f"{each.kinds[0]} and {each.kinds[1]}, times coal", each.ours / each.theirs, WANTED)
        for each in found
        if each.theirs is not None and {"hull", "mesh"} & set(each.kinds)
    ]
    return ReportSection("Pairs of shapes", [text, table(header, rows)], goals, [])
