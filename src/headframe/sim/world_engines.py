"""What moves a world: formulations by their names, loaded when somebody asks for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from ..checks import choice
from ..dynamics import WorldEngine, WorldParts
from ..errors import StateError, suggest
from ..loading import load_by_name
from ..mechanism import Floats


@dataclass(frozen=True)
class WorldFormulation:
    """A way to move a world.

    Attributes:
        name: as users call it.
        place: "module:class" of its engine, a `WorldEngine` made of parts, step, gravity, options.
        machines: formulations that its machines can have; the first one is what "auto" takes.
        sleeps: whether its loose bodies can sleep.
        joins: whether members can be joined in it.
    """

    name: str
    place: str
    machines: tuple[str, ...]
    sleeps: bool = False
    joins: bool = False

    def make(
        self, parts: WorldParts, step: float, gravity: Floats, sleeping: bool,
        options: Mapping[str, Any],
    ) -> WorldEngine:  # fmt: skip
        """An engine where the parts are."""
        own = {**options, "sleeping": sleeping} if self.sleeps else options
        engine: WorldEngine = load_by_name(self.place)(parts, step, gravity, **own)
        return engine

    def checked(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Options, of which it knows all names."""
        known = signature(load_by_name(self.place)).parameters
        own = [name for name in known if name not in ("parts", "step", "gravity", "sleeping")]
        for option in options:
            if option not in own:
                told = suggest(option, own) if own else "it takes no options"
                raise StateError(f"a world of {self.name!r} takes no {option!r}; {told}")
        return dict(options)

    def of_machine(self, formulation: object) -> str:
        """What moves a machine, where somebody asks for that formulation."""
        asked = choice("formulation", formulation, dict.fromkeys(("auto", *self.machines)))
        return self.machines[0] if asked == "auto" else asked


WORLD_FORMULATIONS = {
    each.name: each
    for each in (
        WorldFormulation(
            "auto", "dynamics:WorldEngine", ("auto", "embedded", "constrained"), sleeps=True,
            joins=True,
        ),
        WorldFormulation("simgc", "constraints:ImpulseWorld", ("simgc",)),
        WorldFormulation("simmc", "constraints:ImpulseWorld", ("simmc",)),
    )
}  # fmt: skip


def world_formulation(name: object) -> WorldFormulation:
    """By its name."""
    return WORLD_FORMULATIONS[choice("formulation", name, tuple(WORLD_FORMULATIONS))]
