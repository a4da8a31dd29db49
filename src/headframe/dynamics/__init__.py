"""Motion under forces."""

from .embedding.packing import why_not
from .engine import KEPT, Energies, Engine, SavedRun, TreeEngine, TreeState, Work
from .errors import impulse_failure
from .loops import SAME, Loops, loop_jacobian, loops_of, tied_by_loops
from .model import DynamicsModel, Row
from .motion.calls import CALLS, evaluate
from .motion.engine import IntegratedMotion
from .motion.runge_kutta import INTEGRATORS
from .touching.world import WorldEngine, WorldParts
from .tree.algorithms import aba, crba, forward_dynamics, rnea
from .tree.functions import (
    CentreOfMass,
    TreeEnergy,
    body_jacobian,
    centre_of_mass,
    energy,
    momentum,
)
from .tree.memory import Bodies, placed

__all__ = [
    "CALLS",
    "INTEGRATORS",
    "KEPT",
    "SAME",
    "Bodies",
    "CentreOfMass",
    "DynamicsModel",
    "Energies",
    "Engine",
    "IntegratedMotion",
    "Loops",
    "Row",
    "SavedRun",
    "TreeEnergy",
    "TreeEngine",
    "TreeState",
    "Work",
    "WorldEngine",
    "WorldParts",
    "aba",
    "body_jacobian",
    "centre_of_mass",
    "crba",
    "energy",
    "evaluate",
    "forward_dynamics",
    "impulse_failure",
    "loop_jacobian",
    "loops_of",
    "momentum",
    "placed",
    "rnea",
    "tied_by_loops",
    "why_not",
]
