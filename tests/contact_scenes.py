"""Shapes at random places, for the tests of contact."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.transform import Rotation

from headframe.contact import bounding_radius
from headframe.contact.kernels import NEAR_WORK, SHAPE, TOUCH, ShapeKind, touch_pairs
from headframe.contact.solids import convex_hull, pack_solids
from headframe.jit import doubles

WORK = np.zeros(doubles(NEAR_WORK))


def random_hull(random: np.random.Generator, count: int):
    """A hull of so many points at most, some of them in common planes."""
    points = random.uniform(-1.0, 1.0, (count, 3))
    if random.random() < 0.5:
        points = np.round(points * 2.0) / 2.0 + np.eye(3)[np.arange(count) % 3] * 0.25
    return convex_hull(points * random.uniform(0.3, 1.0, 3))


POOL = [random_hull(np.random.default_rng([11, k]), k) for k in range(6, 46, 2)]
HULLS, HULL_STARTS = pack_solids(POOL)


def shape(kind, *sizes, solid=-1, radius=None) -> np.ndarray:
    """A record of a shape."""
    made = np.zeros(1, SHAPE)
    made["kind"], made["solid"], made["body"] = kind, solid, -1
    made["sizes"][0, : len(sizes)] = sizes
    if radius is None:
        radius = bounding_radius(kind, sizes)
    made["radius"] = radius
    return made


def pose(place=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0)) -> np.ndarray:
    """A pose (3, 4) by a place and a rotation vector."""
    return np.column_stack([Rotation.from_rotvec(turn).as_matrix(), place])


def touching(a, X_WA, b, X_WB, margin=0.01, solids=HULLS, room=64, kernel=touch_pairs):
    """Places where two shapes touch."""
    found, shapes = np.zeros(room, TOUCH), np.concatenate([a, b])
    poses = np.ascontiguousarray([X_WA, X_WB])
    pairs = np.array([[0, 1]])
    if kernel is not touch_pairs:  # plain Python
        found, shapes = found.view(np.recarray), shapes.view(np.recarray)
    count = kernel(shapes, poses, pairs, solids, margin, WORK, found)
    return found[:count]


def random_sizes(kind: ShapeKind, random: np.random.Generator) -> tuple[float, ...]:
    """Sizes of a shape, of 0.1 to 1 m."""
    size = random.uniform(0.1, 1.0, 3)
    match kind:
        case ShapeKind.SPHERE:
            return (size[0],)
        case ShapeKind.CAPSULE | ShapeKind.CONE:
            return size[0], size[1]
        case ShapeKind.CYLINDER:
            return size[0], size[0] if random.random() < 0.5 else size[1], size[2]
        case ShapeKind.TORUS:
            arc = math.pi if random.random() < 0.5 else random.uniform(0.3, 3.0)
            return size[0] + 0.1, 0.3 * size[1], arc
        case ShapeKind.CHAIN_LINK:
            return size[0] + 0.1, 0.3 * size[1], size[2]
        case ShapeKind.PLANE:
            return ()
    return tuple(size)


def random_shape(kind: ShapeKind, random: np.random.Generator) -> np.ndarray:
    """A record of a shape of 0.1 to 1 m."""
    if kind in (ShapeKind.HULL, ShapeKind.MESH):
        k = random.integers(len(POOL))
        return shape(kind, solid=HULL_STARTS[k], radius=POOL[k].radius)
    return shape(kind, *random_sizes(kind, random))


def hull_of(record: np.ndarray):
    """The hull of a record."""
    return POOL[HULL_STARTS.tolist().index(int(record["solid"][0]))]


def random_pose(random: np.random.Generator, spread: float) -> np.ndarray:
    """A pose, of which every tenth has parallel or right angles."""
    place = random.uniform(-spread, spread, 3)
    if random.random() < 0.1:
        quarters = random.integers(0, 4, 3) * math.pi / 2
        turn = Rotation.from_euler("xyz", quarters).as_rotvec()
        place = np.round(place, 1)
    else:
        turn = Rotation.random(random_state=random.integers(1 << 31)).as_rotvec()
    return pose(place, turn)


def after(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Pose X Y."""
    return np.column_stack([X[:, :3] @ Y[:, :3], X[:, :3] @ Y[:, 3] + X[:, 3]])
