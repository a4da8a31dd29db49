"""Things that are loaded by name when somebody asks for them: "room.module:name".

So a room can offer methods that stand above it, such as those that exist for comparison only, and
nobody who does not ask for them pays for their loading.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# what exists to be compared with, besides the formulations of `sim`
BASELINES = {
    "sequential": "baselines.paper.sequential:sequential",  # forward kinematics of the paper,
    "sequence": "baselines.paper.sequential:sequence_of",  # the steps that it goes through,
    "sequential rows": "baselines.paper.nested_newton:sequential_rows",  # for many lengths
    "minimise": "baselines.paper.methods:minimise_by",  # inverse kinematics by other methods,
    "convergence": "baselines.paper.methods:convergence",  # and how fast each of them is
}


def load_baseline(name: str) -> Any:
    """One of the methods to compare with."""
    return load_by_name(BASELINES[name])


def load_by_name(place: str) -> Any:
    """What stands at "room.module:name" of this package."""
    module, name = place.split(":")
    return getattr(import_module(f"{__package__}.{module}"), name)
