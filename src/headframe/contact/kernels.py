"""The kernels of this room that other rooms call, with their records and what they return."""

from .far.bounds import put_bounds
from .far.sorting import sort_by_keys
from .far.sphere_graph import sphere_pairs, update_spheres
from .far.statics import facets_near, is_solid, members_near
from .far.sweep import is_listed, near_pairs, overlap, pair_name, sort_pairs, widest_axis
from .force import bend, hertz_stiffness, push, stored_energy
from .near.mesh_common import common_moments
from .near.touch import TOUCH_SHAPES, touch, touch_at, touch_pairs
from .records import (
    BOUNDS,
    CELL,
    COMMON,
    FEET,
    HALF_SPACES,
    MEMORY,
    MOMENTS,
    NEAR_WORK,
    PAIR,
    PUSH,
    SHAPE,
    SOLID,
    SPHERE_NODE,
    TOUCH,
    WIDE_PUSH,
    ShapeKind,
)

__all__ = [
    "BOUNDS",
    "CELL",
    "COMMON",
    "FEET",
    "HALF_SPACES",
    "MEMORY",
    "MOMENTS",
    "NEAR_WORK",
    "PAIR",
    "PUSH",
    "SHAPE",
    "SOLID",
    "SPHERE_NODE",
    "TOUCH",
    "TOUCH_SHAPES",
    "WIDE_PUSH",
    "ShapeKind",
    "bend",
    "common_moments",
    "facets_near",
    "hertz_stiffness",
    "is_listed",
    "is_solid",
    "members_near",
    "near_pairs",
    "overlap",
    "pair_name",
    "push",
    "put_bounds",
    "sort_by_keys",
    "sort_pairs",
    "sphere_pairs",
    "stored_energy",
    "touch",
    "touch_at",
    "touch_pairs",
    "update_spheres",
    "widest_axis",
]
