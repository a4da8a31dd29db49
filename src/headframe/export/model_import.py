"""What models of other formats have in common on their way to 3DT."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..description import (
    Body,
    Component,
    Model,
    ModelReading,
    faults_of_faces,
    frozen,
    model_text,
    read_model_text,
)
from .unique_names import UniqueNames


class Collected:
    """Bodies by component, under names that are made unique by a number."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.components: dict[str, list[Body]] = {}
        self._names: dict[str, UniqueNames] = {}

    def add(self, component: str, body: Body) -> None:
        """Add a body without its faces that have no area; not at all if none is left."""
        body = with_area(body)
        if not len(body.sizes):
            return
        name = self._names.setdefault(component, UniqueNames()).new(body.name)
        self.components.setdefault(component, []).append(replace(body, name=name))

    def reading(self) -> ModelReading:
        """The model, or what 3DT cannot take of it."""
        components = (Component(name, tuple(bodies)) for name, bodies in self.components.items())
        checked = read_model_text(model_text(Model(self.name, tuple(components))))
        problems = [replace(problem, line=None, column=None) for problem in checked.problems]
        return ModelReading(checked.model, problems)


def with_area(body: Body) -> Body:
    """The body without faces that have no area or a corner twice."""
    repeated, flat = faults_of_faces(body.corners, body.sizes, body.vertices)
    sound = ~(repeated | flat)
    if sound.all():
        return body
    corners = body.corners[np.repeat(sound, body.sizes)]
    return replace(body, corners=frozen(corners), sizes=frozen(body.sizes[sound]))
