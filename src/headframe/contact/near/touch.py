"""Where two shapes touch: the right pair of kinds, chosen by their numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...jit import (
    MATRICES,
    MATRIX,
    NUMBER,
    VECTOR,
    WHOLE,
    WHOLE_MATRIX,
    Record,
    Records,
    all_records,
    array_of,
    caller,
    entry,
    header,
    inlined_kernel,
    kernel,
    record_of,
)
from ..records import NEAR_WORK, POSE, SHAPE, TOUCH, ShapeKind
from .against_plane import touch_plane
from .balls import sphere_box, sphere_capsule, sphere_round, sphere_sphere
from .boxes import box_box
from .capsules import capsule_box, capsule_capsule
from .convex import convex_convex
from .mesh_balls import sphere_mesh
from .mesh_convex import convex_mesh
from .mesh_mesh import mesh_mesh
from .rings import ring_any
from .vectors import Floats
from .writing import flip

# both shapes with their poses, solids, margin, scratch memory, what was found: how many places
TOUCH_SHAPES = WHOLE(
    record_of(SHAPE), MATRIX, record_of(SHAPE), MATRIX, VECTOR, NUMBER, record_of(NEAR_WORK),
    array_of(TOUCH),
)  # fmt: skip
touch_at: Callable[..., int] = caller(TOUCH_SHAPES)  # `touch`, by its address


@entry(*TOUCH_SHAPES.args)
@kernel
def touch(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Write the places where two shapes touch or are nearer than a margin [m]; how many they are.

    Kinds come in any order. X_WA and X_WB are poses of the shapes' own frames (3, 4). Of each place
    all but `a` and `b` is written, at most as many as there is room for.
    """
    if a.kind <= b.kind:
        return touch_in_order(a, X_WA, b, X_WB, solids, margin, work, found_out)
    count = touch_in_order(b, X_WB, a, X_WA, solids, margin, work, found_out)
    flip(found_out, count)
    return count


@kernel
def touch_in_order(
    a: Record,
    X_WA: Floats,
    b: Record,
    X_WB: Floats,
    solids: Floats,
    margin: float,
    work: Record,
    found_out: Records,
) -> int:
    """Two shapes of which the first has the lower kind."""
    if b.kind == ShapeKind.PLANE:
        return touch_plane(a, X_WA, X_WB, solids, margin, found_out)
    if a.kind == ShapeKind.SPHERE:
        if b.kind == ShapeKind.SPHERE:
            return sphere_sphere(a, X_WA, b, X_WB, margin, found_out)
        if b.kind == ShapeKind.BOX:
            return sphere_box(a, X_WA, b, X_WB, margin, found_out)
        if b.kind == ShapeKind.CAPSULE:
            return sphere_capsule(a, X_WA, b, X_WB, margin, found_out)
        if b.kind in (ShapeKind.CYLINDER, ShapeKind.CONE):
            return sphere_round(a, X_WA, b, X_WB, margin, found_out)
    if a.kind == ShapeKind.BOX:
        if b.kind == ShapeKind.BOX:
            return box_box(a, X_WA, b, X_WB, solids, margin, work, found_out)
        if b.kind == ShapeKind.CAPSULE:
            count = capsule_box(b, X_WB, a, X_WA, margin, work, found_out)
            flip(found_out, count)
            return count
    if a.kind == ShapeKind.CAPSULE and b.kind == ShapeKind.CAPSULE:
        return capsule_capsule(a, X_WA, b, X_WB, margin, found_out)
    if is_convex(a.kind) and is_convex(b.kind):
        return convex_convex(a, X_WA, b, X_WB, solids, margin, work, found_out)
    if b.kind == ShapeKind.MESH and a.kind == ShapeKind.SPHERE:
        return sphere_mesh(a, X_WA, b, X_WB, solids, margin, work, found_out)
    if b.kind == ShapeKind.MESH and a.kind == ShapeKind.MESH:
        return mesh_mesh(a, X_WA, b, X_WB, solids, margin, work, found_out)
    if b.kind == ShapeKind.MESH and is_convex(a.kind) and a.kind != ShapeKind.CAPSULE:
        return convex_mesh(a, X_WA, b, X_WB, solids, margin, work, found_out)
    if is_ring(a.kind) or (b.kind == ShapeKind.MESH and a.kind == ShapeKind.CAPSULE):
        return ring_any(a, X_WA, b, X_WB, solids, margin, work, found_out)
    if is_ring(b.kind):
        count = ring_any(b, X_WB, a, X_WA, solids, margin, work, found_out)
        flip(found_out, count)
        return count
    return 0


@inlined_kernel
def is_ring(kind: int) -> bool:
    """Whether a shape is a middle line with a tube about it."""
    return kind in (ShapeKind.TORUS, ShapeKind.CHAIN_LINK)


@inlined_kernel
def is_convex(kind: int) -> bool:
    """Whether a shape is convex and no plane."""
    return kind <= ShapeKind.CONE or kind == ShapeKind.HULL


@entry(array_of(SHAPE), MATRICES, WHOLE_MATRIX, VECTOR, NUMBER, VECTOR, array_of(TOUCH))
@kernel
def touch_pairs(
    shapes: Records,
    X_WS_in: Floats,
    pairs_in: Floats,
    solids: Floats,
    margin: float,
    work: Floats,
    found_out: Records,
) -> int:
    """Write the places where pairs (n, 2) of shapes touch, one pair behind the other; how many.

    `work` has room for a NEAR_WORK.
    """
    # parts that are cut from buffers are not counted by their users, which would take 100 ns a pair
    near = header(work, NEAR_WORK)
    poses = all_records(X_WS_in.reshape(-1), POSE)
    places = all_records(found_out.view(np.float64), TOUCH)
    count = 0
    for k in range(pairs_in.shape[0]):
        i, j = pairs_in[k, 0], pairs_in[k, 1]
        found = touch(
            shapes[i], poses[i].X_WS, shapes[j], poses[j].X_WS, solids, margin, near, places[count:]
        )
        for place in range(count, count + found):
            places[place].a, places[place].b = i, j
        count += found
    return count
