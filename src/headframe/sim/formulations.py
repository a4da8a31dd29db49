"""All formulations: their names, what they take, and where they are, to be loaded when needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from typing import cast

from ..dynamics import DynamicsModel, Engine
from ..dynamics import why_not as cannot_be_embedded
from ..errors import StateError, suggest
from ..jit import DYNAMICS, part_of
from ..loading import load_by_name


def _always(_model: DynamicsModel) -> str:
    return ""


@dataclass(frozen=True)
class Formulation:
    """A way to compute motion.

    Attributes:
        name: as users call it.
        place: "module:function" that makes an engine of a model, a step [s] and options.
        integrators: whether it takes an integrator; others bring their own.
        coordinates: whether it has a choice of coordinates.
        why_not: tells why it cannot move a model; empty if it can, as far as can be told before.
    """

    name: str
    place: str
    integrators: bool = False
    coordinates: bool = False
    why_not: Callable[[DynamicsModel], str] = _always

    @property
    def part(self) -> str:
        """The part of all kernels that it needs besides dynamics; see `jit.parts`."""
        return part_of(f"headframe.{self.place.partition(':')[0]}")

    def make(self, model: DynamicsModel, step: float, **options: object) -> Engine:
        """An engine at rest at the model's home.

        Raises:
            StateError: an option that it does not take.
            DynamicsError: a machine that it cannot move.
        """
        made = load_by_name(self.place)
        known = [each for each in signature(made).parameters if each not in ("model", "step")]
        for option in options:
            if option not in known:
                raise StateError(f"{self.name!r} takes no {option!r}; {suggest(option, known)}")
        return cast(Engine, made(model, step, **options))


FORMULATIONS = {
    each.name: each
    for each in (
        Formulation("embedded", "dynamics.motion.engine:embedded", True, True, cannot_be_embedded),
        Formulation("constrained", "dynamics.motion.engine:constrained", True),
        Formulation("simgc", "constraints.simgc.engine:Simgc"),
        Formulation("simmc", "baselines.simmc.engine:Simmc"),
        Formulation("xpbd", "baselines.xpbd.engine:Xpbd"),
    )
}
FORMULATION_NAMES = ("auto", *FORMULATIONS)


def part_needed(name: str) -> str:
    """The part of all kernels that a formulation, or "auto", needs; see `jit.parts`."""
    return FORMULATIONS[name].part if name in FORMULATIONS else DYNAMICS
