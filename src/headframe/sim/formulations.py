"""All formulations: their names, what they take, and where they are, to be loaded when needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature

from ..dynamics import INTEGRATORS, DynamicsModel, Engine
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
        own_integrators: of those that it brings, the names, if there is a choice.
        coordinates: whether it has a choice of coordinates.
        automatic: whether "auto" may choose it; of these, the first one that can move a machine.
        touches: whether a world takes it.
        why_not: tells why it cannot move a model by an integrator; empty if it can.
    """

    name: str
    place: str
    integrators: bool = False
    own_integrators: tuple[str, ...] = ()
    coordinates: bool = False
    automatic: bool = False
    touches: bool = False
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


def _not_natural(model: DynamicsModel, _integrator: str | None) -> str:
    reason: str = load_by_name("constraints.augmented.natural:why_not")(model)
    return reason


FORMULATIONS = {
    each.name: each
    for each in (
        Formulation(
            "embedded", "dynamics.embedding.motion:EmbeddedMotion", integrators=True,
            coordinates=True, automatic=True, touches=True, why_not=_not_embedded,
        ),
        Formulation(
            "constrained", "dynamics.constrained.motion:ConstrainedMotion", integrators=True,
            automatic=True, touches=True,
        ),
        Formulation(
            "augmented", "constraints.augmented.engine:Augmented",
            own_integrators=("newmark", "hht", "generalized-alpha"), why_not=_not_natural,
        ),
        Formulation("simgc", "constraints.simgc.engine:Simgc"),
        Formulation("simmc", "baselines.simmc.engine:Simmc", why_not=_not_maximal),
        Formulation("xpbd", "baselines.xpbd.engine:Xpbd", why_not=_not_maximal),
        Formulation("penalty", "baselines.index_one.engine:Penalty", why_not=_not_natural),
        Formulation("lagrange", "baselines.index_one.engine:Lagrange", why_not=_not_natural),
        Formulation("baumgarte", "baselines.index_one.engine:Baumgarte", why_not=_not_natural),
        Formulation("matrix-r", "baselines.index_one.engine:MatrixR", why_not=_not_natural),
    )
}  # fmt: skip
FORMULATION_NAMES = ("auto", *FORMULATIONS)
INTEGRATOR_NAMES = (
    *INTEGRATORS, *(name for each in FORMULATIONS.values() for name in each.own_integrators),
)  # fmt: skip


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


def parts_needed(name: str) -> tuple[str, ...]:
    """All parts of the kernels that driving by a formulation needs, that of worlds included."""
    parts = [DYNAMICS, part_needed(name)]
    if name not in FORMULATIONS or FORMULATIONS[name].touches:
        parts.append(part_of("headframe.dynamics.touching"))
    return tuple(dict.fromkeys(parts))


def part_needed(name: str) -> str:
    """The part of all kernels that a formulation, or "auto", needs; see `jit.compile_order`."""
    return FORMULATIONS[name].part if name in FORMULATIONS else DYNAMICS
