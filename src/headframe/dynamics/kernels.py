"""The kernels of this room that other rooms call, with their records and what they return."""

from .forces import add_forces, add_positions, add_pull, add_weights, energies, tree_parts
from .linear import add_scaled, copy, factor, inner, solve_factored, zero
from .loop_rows import jacobian, residuals
from .records import BODY, ENERGY, LOOP_ROW, MODEL, POWER, PULL, RESISTANCE, RUN, RowKind
from .status import STATUSES, DynamicsStatus, failed
from .touching.islands import set_islands
from .touching.loose import (
    fly,
    momentum_from,
    place_loose,
    quaternion_of,
    torque_of,
    turn_from,
)
from .touching.loose import turn as turn_loose
from .touching.meeting import copy_touch, find_meetings
from .touching.placing import place_shapes, seen_from_world
from .touching.records import (
    CARRIER,
    CONTACT,
    ISLAND,
    JOINED,
    LOOSE,
    MACHINE,
    MEETING,
    MOVER,
    PLACED,
    WORLD,
    WORLD_STATE,
    MoverKind,
)
from .touching.stepping import lay_rows
from .tree.articulated import articulate_and_accelerate, respond
from .tree.placing import place_tree, set_velocities

__all__ = [
    "BODY",
    "CARRIER",
    "CONTACT",
    "ENERGY",
    "ISLAND",
    "JOINED",
    "LOOP_ROW",
    "LOOSE",
    "MACHINE",
    "MEETING",
    "MODEL",
    "MOVER",
    "PLACED",
    "POWER",
    "PULL",
    "RESISTANCE",
    "RUN",
    "STATUSES",
    "WORLD",
    "WORLD_STATE",
    "DynamicsStatus",
    "MoverKind",
    "RowKind",
    "add_forces",
    "add_positions",
    "add_pull",
    "add_scaled",
    "add_weights",
    "articulate_and_accelerate",
    "copy",
    "copy_touch",
    "energies",
    "factor",
    "failed",
    "find_meetings",
    "fly",
    "inner",
    "jacobian",
    "lay_rows",
    "momentum_from",
    "place_loose",
    "place_shapes",
    "place_tree",
    "quaternion_of",
    "residuals",
    "respond",
    "seen_from_world",
    "set_islands",
    "set_velocities",
    "solve_factored",
    "torque_of",
    "tree_parts",
    "turn_from",
    "turn_loose",
    "zero",
]
