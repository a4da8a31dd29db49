"""The compiled machine, its states, the general loop solver and the assembly of the home pose."""

from .assembly import assemble
from .blocks import bounds_of
from .compiled import Mechanism, compile_mechanism
from .cylinders import Placing, pin_of
from .freedoms import ancestors_of, common_of
from .servos import followers_of
from .solver import (
    constraint_jacobian,
    crosses_fold,
    follow,
    length_rates,
    loop_angles,
    loop_gaps,
    residuals,
    solve,
)
from .state import STANDING, State
from .system import Floats, Ints, Solution
from .tree import (
    GRAVITY,
    PARALLEL,
    CylinderFreedoms,
    Tree,
    advice_without_inertia,
    checked_vector,
    empty_freedoms,
    idle_links,
    tree_of,
    without_inertia,
)

__all__ = [
    "GRAVITY",
    "PARALLEL",
    "STANDING",
    "CylinderFreedoms",
    "Floats",
    "Ints",
    "Mechanism",
    "Placing",
    "Solution",
    "State",
    "Tree",
    "advice_without_inertia",
    "ancestors_of",
    "assemble",
    "bounds_of",
    "checked_vector",
    "common_of",
    "compile_mechanism",
    "constraint_jacobian",
    "crosses_fold",
    "empty_freedoms",
    "follow",
    "followers_of",
    "idle_links",
    "length_rates",
    "loop_angles",
    "loop_gaps",
    "pin_of",
    "residuals",
    "solve",
    "tree_of",
    "without_inertia",
]
