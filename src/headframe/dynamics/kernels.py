"""The kernels of this room that other rooms call, with their records and what they return."""

from .forces import add_forces, add_positions, add_pull, add_weights, energies, tree_parts
from .linear import add_scaled, copy, inner, zero
from .loop_rows import jacobian, residuals
from .records import BODY, ENERGY, LOOP_ROW, MODEL, POWER, PULL, RESISTANCE, RUN, RowKind
from .status import STATUSES, DynamicsStatus, failed
from .tree.articulated import articulate_and_accelerate, respond
from .tree.placing import place_tree, set_velocities

__all__ = [
    "BODY",
    "ENERGY",
    "LOOP_ROW",
    "MODEL",
    "POWER",
    "PULL",
    "RESISTANCE",
    "RUN",
    "STATUSES",
    "DynamicsStatus",
    "RowKind",
    "add_forces",
    "add_positions",
    "add_pull",
    "add_scaled",
    "add_weights",
    "articulate_and_accelerate",
    "copy",
    "energies",
    "failed",
    "inner",
    "jacobian",
    "place_tree",
    "residuals",
    "respond",
    "set_velocities",
    "tree_parts",
    "zero",
]
