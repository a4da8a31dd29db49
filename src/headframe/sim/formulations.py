"""All formulations: their names, what they take, and where they are, to be loaded when needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature

from ..dynamics import DynamicsModel, Engine
from ..dynamics import why_not as cannot_be_embedded
from ..errors import DynamicsError, StateError, suggest
from ..jit import DYNAMICS, part_of
from ..loading import load_by_name

VARIATIONAL = "variational"


def _can_move(_model: DynamicsModel, _integrator: str | None) -> str:
    return ""


@dataclass(frozen=True)
class Formulation:
    """A way to compute motion.

    Attributes:
        name: as users call it.
        place: "module:class" of its engine, made of a model, a step [s] and options.
        integrators: whether it takes an integrator; others bring their own.
        coordinates: whether it has a choice of coordinates.
        automatic: whether "auto" may choose it; of these, the first one that can move a machine.
        why_not: tells why it cannot move a model by an integrator; empty if it can.
    """

    name: str
    place: str
    integrators: bool = False
    coordinates: bool = False
    automatic: bool = False
    why_not: Callable[[DynamicsModel, str | None], str] = _can_move

    @property
    def part(self) -> str:
        """The part of all kernels that it needs besides dynamics; see `jit.compile_order`."""
        return part_of(f"headframe.{self.place.partition(':')[0]}")

    def make(self, model: DynamicsModel, step: float, **options: object) -> Engine:
        """An engine at rest at the model's home.

        Raises:
            StateError: an option that it does not take.
            DynamicsError: a machine that it cannot move.
        """
        engine: Callable[..., Engine] = load_by_name(self.place)
        known = [each for each in signature(engine).parameters if each not in ("model", "step")]
        for option in options:
            if option not in known:
                raise StateError(f"{self.name!r} takes no {option!r}; {suggest(option, known)}")
        return engine(model, step, **options)


def _not_embedded(model: DynamicsModel, integrator: str | None) -> str:
    reason = cannot_be_embedded(model)
    if reason:
        return f"its loops cannot be embedded: {reason}"
    if integrator == VARIATIONAL and model.tree_quaternions():
        return "its free turns need it with the variational integrator"
    return ""


def _not_maximal(model: DynamicsModel, _integrator: str | None) -> str:
    reason: str = load_by_name("baselines.maximal.errors:why_not")(model)
    return reason


FORMULATIONS = {
    each.name: each
    for each in (
        Formulation(
            "embedded", "dynamics.embedding.motion:EmbeddedMotion", integrators=True,
            coordinates=True, automatic=True, why_not=_not_embedded,
        ),
        Formulation(
            "constrained", "dynamics.constrained.motion:ConstrainedMotion", integrators=True,
            automatic=True,
        ),
        Formulation("simgc", "constraints.simgc.engine:Simgc"),
        Formulation("simmc", "baselines.simmc.engine:Simmc", why_not=_not_maximal),
        Formulation("xpbd", "baselines.xpbd.engine:Xpbd", why_not=_not_maximal),
    )
}  # fmt: skip
FORMULATION_NAMES = ("auto", *FORMULATIONS)


def choose(model: DynamicsModel, integrator: str | None) -> tuple[str, str]:
    """What "auto" takes for a machine: the name of a formulation, and why."""
    reason = "its loops have closed forms"
    if not model.tree.cylinders and not model.tree.mechanism.topology.loops:
        reason = "it has no loops"
    for each in FORMULATIONS.values():
        if each.automatic:
            why_not = each.why_not(model, integrator)
            if not why_not:
                return each.name, reason
            reason = why_not
    raise DynamicsError(reason)


def part_needed(name: str) -> str:
    """The part of all kernels that a formulation, or "auto", needs; see `jit.compile_order`."""
    return FORMULATIONS[name].part if name in FORMULATIONS else DYNAMICS
