"""A model as 3DT text: one form, which reads back as an equal model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from .model import MODEL_CREASE, Body, Model

VERSION = "1"


def model_text(model: Model) -> str:
    """The 3DT text of a model."""
    return "\n".join([*_lines(model), ""])


def quoted(text: str) -> str:
    """A text in double quotes, escaped as in JSON."""
    return json.dumps(text, ensure_ascii=False)


def number(value: float) -> str:
    """The shortest decimal that reads back as the same number; no sign at zero."""
    value = float(value) + 0.0
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _lines(model: Model) -> Iterator[str]:
    yield f"3DT {VERSION}"
    yield f"robot {quoted(model.name)}"
    yield from _attributes(model.attributes, "  ")
    for component in model.components:
        yield f"  component {quoted(component.name)}"
        yield from _attributes(component.attributes, "    ")
        for body in component.bodies:
            yield from _body(body)
        yield "  end"
    yield "end"


def _attributes(attributes: Mapping[str, str], indent: str) -> Iterator[str]:
    for key, value in attributes.items():
        yield f"{indent}attribute {quoted(key)} {quoted(value)}"


def _body(body: Body) -> Iterator[str]:
    yield f"    body {quoted(body.name)} link {quoted(body.link)}"
    yield "      color " + " ".join(map(number, body.color))
    if body.crease != MODEL_CREASE:
        yield f"      crease {number(body.crease)}"
    yield from _attributes(body.attributes, "      ")
    yield f"      vertices {len(body.vertices)}"
    for x, y, z in body.vertices.tolist():
        yield f"{number(x)} {number(y)} {number(z)}"
    faces = body.faces
    yield f"      faces {len(faces)}"
    for face in faces:
        yield " ".join(map(str, face))
    yield "    end"
