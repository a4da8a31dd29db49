"""Models in the making: bodies by component, for a 3DT file."""

from __future__ import annotations

from dataclasses import dataclass

from kit.palette import Color

from headframe.description.three_dt import (
    Body,
    Component,
    Model,
    model_from,
    model_text,
    read_model_text,
)
from headframe.description.three_dt.model import MODEL_CREASE

from .hiding import Cover
from .mesh import Solid, joined, rounded_off

SWEPT = ("hose", "cable", "pipe", "rail", "post", "vane")  # words in the names of what is swept


@dataclass(frozen=True)
class Draft:
    """A body before the faces inside other bodies are dropped."""

    name: str
    link: str
    color: Color
    solids: tuple[Solid, ...]
    attributes: dict[str, str]

    @property
    def crease(self) -> float:
        """The angle from which its edges look sharp [deg]; swept things look round."""
        return 80.0 if any(word in self.name for word in SWEPT) else MODEL_CREASE


class Looks:
    """Collects the bodies of a robot.

    Bodies go to the component that was opened last; a name that is taken gets a number.
    """

    def __init__(self, name: str, **attributes: str) -> None:
        self.name = name
        self.attributes = attributes
        self.components: dict[str, list[Draft]] = {}
        self.current: list[Draft] = []

    def component(self, name: str) -> None:
        """Open a component, or open it again."""
        self.current = self.components.setdefault(name, [])

    def add(self, name: str, link: str, color: Color, *solids: Solid, **attributes: str) -> None:
        """Add a body made of solids in link axes."""
        taken = {draft.name for draft in self.current}
        number, free = 1, name
        while free in taken:
            number += 1
            free = f"{name} {number}"
        pieces = tuple(piece for solid in solids for piece in solid.pieces)
        self.current.append(Draft(free, link, color, pieces, attributes))

    def model(self) -> Model:
        """Give the whole, checked as a file is.

        Raises:
            MachineFileError: something is wrong with it.
        """
        solids: dict[str, list[Solid]] = {}
        for drafts in self.components.values():
            for draft in drafts:
                if draft.color[3] >= 1.0:
                    solids.setdefault(draft.link, []).extend(draft.solids)
        covers = {link: Cover(group) for link, group in solids.items()}
        parts = []
        for name, drafts in self.components.items():
            made = (_body(draft, covers.get(draft.link)) for draft in drafts)
            parts.append(Component(name, tuple(body for body in made if body is not None)))
        whole = Model(self.name, tuple(parts), self.attributes)
        return model_from(read_model_text(model_text(whole)), self.name)


def _body(draft: Draft, cover: Cover | None) -> Body | None:
    """Make the body of what can be seen of a draft; None if that is nothing."""
    solids = draft.solids if cover is None else [cover.open_faces(each) for each in draft.solids]
    whole = rounded_off(joined(solids))
    if not whole.faces:
        return None
    fields = (draft.color, draft.attributes, draft.crease)
    return Body.make(draft.name, draft.link, whole.vertices, whole.faces, *fields)
