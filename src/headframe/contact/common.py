"""What two solids have in common, and how hard that pushes them apart by the volumetric law."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..checks import number, vector
from ..errors import StateError
from ..jit import doubles, new_records
from .kernels import (
    COMMON,
    MEMORY,
    MOMENTS,
    NEAR_WORK,
    PAIR,
    SHAPE,
    WIDE_PUSH,
    ShapeKind,
    common_moments,
)
from .materials import PairMaterial, fill_pair
from .meshes import Filled, MeshSolid
from .solids import HullSolid, pack_solids
from .volumes import ball_below, balls_common, solid_below
from .volumetric import one_wide_push

Floats = NDArray[np.float64]


def common_of_balls(centre_a: object, radius_a: float, centre_b: object, radius_b: float) -> Filled:
    """Volume, centroid and inertia of what two balls have in common [m], in W.

    Without anything in common the volume is 0 and the centroid the centre of b.
    """
    a, b = vector("centre_a", centre_a, 3, "m"), vector("centre_b", centre_b, 3, "m")
    radii = (number("radius_a", radius_a, above=0.0), number("radius_b", radius_b, above=0.0))
    out = np.zeros(doubles(MOMENTS))
    balls_common(*radii, a - b, out)
    return _filled(out, np.column_stack([np.eye(3), b]))


def common_with_ground(solid: MeshSolid | HullSolid | float, X_WS: Floats, X_WP: Floats) -> Filled:
    """Volume, centroid and inertia of what of a solid is below a plane, in W.

    `solid` at the pose X_WS (3, 4) is a hull, a mesh, or the radius of a ball [m]; what is below is
    where z < 0 of the pose X_WP (3, 4). With nothing there the volume is 0.
    """
    out, R = np.zeros(doubles(MOMENTS)), X_WP[:, :3]
    X_PS = np.column_stack([R.T @ X_WS[:, :3], R.T @ (X_WS[:, 3] - X_WP[:, 3])])
    if isinstance(solid, MeshSolid | HullSolid):
        solids, starts = pack_solids([solid])
        shapes = np.zeros(1, SHAPE)
        shapes["solid"] = starts
        solid_below(shapes, np.ascontiguousarray(X_PS), solids, out)
        return _filled(out, X_WP)
    ball_below(number("radius", solid, above=0.0, unit="m"), float(X_PS[2, 3]), out)
    under = X_WP.copy()
    under[:, 3] = X_WP[:, 3] + R[:, :2] @ X_PS[:2, 3]
    return _filled(out, under)


def volumetric_push(
    pair: PairMaterial, common: Filled, normal: object, velocity: object, turning: object,
    approach: float = 0.0, bent: object = (0.0, 0.0, 0.0),
) -> tuple[Floats, Floats]:  # fmt: skip
    """Force [N] and torque [N m] on a by the volumetric law, at the centroid of what is common.

    Args:
        pair: two materials, one of which has that law.
        common: what a and b have in common.
        normal: unit vector from b to a, (3,).
        velocity: of a against b at the centroid [m/s], (3,).
        turning: angular velocity of a against b [rad/s], (3,).
        approach: speed of the fastest approach so far [m/s].
        bent: how far bristles are bent along the surface [m], and about the normal times the
            radius of gyration, as one vector (3,).

    Raises:
        StateError: an argument is not what it should be, or the pair has no foundation.
    """
    if pair.foundation is None:
        raise StateError(f"pair: found the law {pair.law}, expected a pair with a foundation")
    n = vector("normal", normal, 3)
    if abs(np.linalg.norm(n) - 1.0) > 1e-6:
        raise StateError(f"normal: found {normal!r:.80}, expected a unit vector")
    speed = number("approach", approach, least=0.0, unit="m/s")
    if not common.volume > 0.0:
        return np.zeros(3), np.zeros(3)
    axes = _axes(n)
    J, K = axes @ common.inertia @ axes.T, pair.foundation
    record, solid = new_records(1, PAIR)[0], new_records(1, COMMON)[0]
    memory, out = new_records(1, MEMORY)[0], new_records(1, WIDE_PUSH)[0]
    fill_pair(pair, record)
    solid.stiffness, solid.exponent, solid.rolling = K, 1.0, K * J[1:, 1:]
    solid.gyration, memory.speed = np.sqrt(J[0, 0] / common.volume), speed
    both = [vector("velocity", velocity, 3, "m/s"), vector("turning", turning, 3, "rad/s")]
    u = np.concatenate([axes @ each for each in both])
    bristle = np.roll(axes @ vector("bent", bent, 3, "m"), -1)
    one_wide_push(record, solid, 0.0, common.volume, bristle, memory, u, out)
    return out.force[:3] @ axes, out.force[3:] @ axes


def _axes(normal: Floats) -> Floats:
    """A normal and two tangents, as rows."""
    first = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
    first /= np.linalg.norm(first)
    return np.array([normal, first, np.cross(normal, first)])


def _filled(moments: Floats, X_WB: Floats) -> Filled:
    """MOMENTS in axes B, as volume, centroid and inertia in W."""
    found, R = moments.view(MOMENTS)[0], X_WB[:, :3]
    volume = float(found["volume"])
    centroid = found["first"] / volume if volume > 0.0 else np.zeros(3)
    second = R @ (found["second"] - volume * np.outer(centroid, centroid)) @ R.T
    return Filled(volume, R @ centroid + X_WB[:, 3], np.trace(second) * np.eye(3) - second)


def common_solid(a: MeshSolid, X_WA: Floats, b: MeshSolid, X_WB: Floats) -> Filled:
    """Volume, centroid and inertia of what two meshes at poses (3, 4) have in common, in W.

    Without anything in common the volume is 0 and the centroid the origin of b.

    Raises:
        StateError: they cut each other in more lines than there is room for.
    """
    solids, starts = pack_solids([a, b])
    shapes = np.zeros(2, SHAPE)
    shapes["kind"], shapes["solid"], shapes["radius"] = ShapeKind.MESH, starts, (a.radius, b.radius)
    work, out = np.zeros(doubles(NEAR_WORK)), np.zeros(doubles(MOMENTS))
    poses = [np.ascontiguousarray(X, np.float64) for X in (X_WA, X_WB)]
    if common_moments(shapes, poses[0], poses[1], solids, work, out) < 0:
        raise StateError("two meshes: found more lines in which they cut each other than fit")
    return _filled(out, poses[1])
