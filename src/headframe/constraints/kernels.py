"""The kernels of this room that other rooms call, with their records and what they return."""

from .augmented.forces import add_inertia, set_forces, set_tangent
from .augmented.newton import constraint_part, factor_tangent, project_rates, solve_tangent
from .augmented.records import (
    AUGMENTED,
    AUGMENTED_STATE,
    DRIVEN_SCALAR,
    MASS_PAIR,
    NATURAL_ROW,
    ROW_NOW,
    TERM,
)
from .augmented.rows import add_along, along, second_rate, set_rows
from .augmented.stepping import end_step, guide_rows, look_at_drives, set_guides
from .striking.calls import (
    BEGIN,
    FINISH,
    LINK,
    PLACE_MACHINE,
    PSEUDO,
    RESPOND_TO,
    SWEEP,
    TURN,
)

__all__ = [
    "AUGMENTED",
    "AUGMENTED_STATE",
    "BEGIN",
    "DRIVEN_SCALAR",
    "FINISH",
    "LINK",
    "MASS_PAIR",
    "NATURAL_ROW",
    "PLACE_MACHINE",
    "PSEUDO",
    "RESPOND_TO",
    "ROW_NOW",
    "SWEEP",
    "TERM",
    "TURN",
    "add_along",
    "add_inertia",
    "along",
    "constraint_part",
    "end_step",
    "factor_tangent",
    "guide_rows",
    "look_at_drives",
    "project_rates",
    "second_rate",
    "set_forces",
    "set_guides",
    "set_rows",
    "set_tangent",
    "solve_tangent",
]
