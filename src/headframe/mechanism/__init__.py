"""The compiled machine, its states, the general loop solver and the assembly of the home pose."""

from .assembly import assemble
from .compiled import Mechanism, compile_mechanism
from .solver import Solution, follow, length_rates, loop_angles, loop_gaps, residuals, solve
from .state import State

__all__ = [
    "Mechanism",
    "Solution",
    "State",
    "assemble",
    "compile_mechanism",
    "follow",
    "length_rates",
    "loop_angles",
    "loop_gaps",
    "residuals",
    "solve",
]
