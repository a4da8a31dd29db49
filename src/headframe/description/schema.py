"""JSON Schema of machine files: of what people write, and of the canonical form alone."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from .model import Robot
from .reading import LISTS
from .schema_words import MORE_WORDS, WORDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
AUTHORS = "Authors"  # what names of elements of the authors' dialects begin with
SAME: dict[
    str, dict[str, tuple[str, ...]]
] = {  # other words for a field, by shape; one of them must be there
    "Cylinder": {"r1": ("r", "radius"), "h": ("length", "height")},
    "Capsule": {"r": ("radius",), "h": ("length", "height")},
    "Sphere": {"r": ("radius",)},
    "Cone": {"r": ("radius",), "h": ("length", "height")},
    "Mesh": {"path": ("url", "filename")},
}
SHAPES_OF_LINKS = {"visual": "Visual", "collision": "CollisionShape"}
Schema = dict[str, Any]


def canonical_schema() -> Schema:
    """The schema of the form that Headframe saves, draft 2020-12.

    Two things that people write are in it too: a shape without its list, a colour without opacity.
    """
    schema = Robot.model_json_schema(by_alias=True)
    schema["required"] = ["mrdf", *schema.get("required", [])]
    shapes = schema["$defs"]["Link"]["properties"]
    for key, name in SHAPES_OF_LINKS.items():
        del shapes[key]["items"], shapes[key]["type"]
        shapes[key]["anyOf"] = _one_or_many(name)
    schema["$defs"]["Material"]["properties"]["color"]["minItems"] = 3
    schema["$defs"]["Inertial"]["properties"]["mass"]["exclusiveMinimum"] = 0
    return titled(described(schema, "Robot", WORDS), "MRDF 1, canonical")


def mrdf_schema() -> Schema:
    """The schema of everything that Headframe reads as MRDF, draft 2020-12.

    Files with the key ``"mrdf"`` are in Headframe's own form, all others in the authors' dialects.
    What takes more than one place of a file to judge is left to `headframe check`.
    """
    schema = canonical_schema()
    forms: Schema = schema["$defs"]
    _loosen_shapes(forms)
    _loosen_actuator(forms["Actuator"], "Visual")
    forms |= _authors_forms(forms)
    fields = schema["properties"]
    del fields["up_axis"]["default"]  # it depends
    both = {key: LISTS[key].__name__ for key in LISTS if AUTHORS + LISTS[key].__name__ in forms}
    for key in both:
        del fields[key]["items"]
    schema["required"] = ["name", "links"]
    schema["if"] = {"required": ["mrdf"]}
    for branch, prefix in (("then", ""), ("else", AUTHORS)):
        items = {key: {"items": _ref(prefix + name)} for key, name in both.items()}
        schema[branch] = {"properties": items}
    return titled(schema, "MRDF 1")


def with_shapes(schema: Schema, root: str, words: Mapping[str, Mapping[str, str]]) -> Schema:
    """What `described` gives, for the schema of another kind of file that has shapes to touch."""
    forms = described(schema, root, {**WORDS, **words})["$defs"]
    forms["Material"]["properties"]["color"]["minItems"] = 3
    _loosen_shapes(forms)
    return schema


def _loosen_shapes(forms: Schema) -> None:
    """Measures may go by other names."""
    for shape, words in SAME.items():
        _allow_other_words(forms[shape], words)


def described(schema: Schema, root: str, words: Mapping[str, Mapping[str, str]]) -> Schema:
    """A schema with words for every field and without pydantic's titles, in place.

    Args:
        schema: as pydantic makes it.
        root: the class that the whole file is.
        words: by class and field; the empty field is the class itself.
    """
    for name, element in {root: schema, **schema["$defs"]}.items():
        element.pop("title", None)
        element["description"] = words[name][""]
        for key, field in element["properties"].items():
            element["properties"][key] = {**_for_editors(field), "description": words[name][key]}
    return schema


def _for_editors(field: Schema) -> Schema:
    """A field in a form that editors understand best: its type comes first, and no `$ref`.

    They write a value of the first type, and in place of the words beside a `$ref` they show those
    of what it refers to.
    """
    left_out = (
        "title",
        "discriminator",
        *(("default",) if field.get("default", 0) is None else ()),
    )
    field = {key: value for key, value in field.items() if key not in left_out}
    if "$ref" in field:
        return {"type": "object", "allOf": [{"$ref": field.pop("$ref")}], **field}
    match field.get("anyOf"):
        case [{"$ref": str()}, {"type": "null"}]:
            return {"type": ["object", "null"], **field}
        case [{"type": str(kind)} as one, {"type": "null"}]:
            del field["anyOf"]
            return {**one, "type": [kind, "null"], **field}
    return field


def titled(schema: Schema, title: str) -> Schema:
    """A schema with its dialect and title, which allows files to name it themselves."""
    named = {"type": "string", "description": MORE_WORDS["$schema"]}
    fields = {"$schema": named, **schema.pop("properties")}
    return {**schema, "$schema": DIALECT, "title": title, "properties": fields}


def _allow_other_words(shape: Schema, words: Mapping[str, tuple[str, ...]]) -> None:
    """Let measures go by other names; what is required is one of the names."""
    fields, needed = shape["properties"], []
    for key, others in words.items():
        shape["required"].remove(key)
        needed.append({"anyOf": [{"required": [name]} for name in (key, *others)]})
        for name in others:
            fields[name] = {**fields[key], "description": MORE_WORDS[name]}
    if "r2" in fields:
        shape["required"].remove("r2")
    shape["allOf"] = needed


def _loosen_actuator(actuator: Schema, visual: str) -> None:
    """Tubes and rods are made, and mounts are found, where they are not given."""
    fields = actuator["properties"]
    for key in ("tube_visual", "rod_visual"):
        fields[key] = {"anyOf": _one_or_many(visual), "description": MORE_WORDS[key]}
    fields["limit"] = {**fields["bound"], "description": MORE_WORDS["limit"]}
    actuator["required"] = ["name"]
    actuator["anyOf"] = [{"required": ["bound"]}, {"required": ["limit"]}]


def _authors_forms(own: Schema) -> Schema:
    """The elements that the authors write in another way, by their names in the schema."""
    names = ("Link", "Visual", "CollisionShape", "Material", "Joint", "Actuator")
    link, visual, touched, material, joint, actuator = (deepcopy(own[name]) for name in names)
    for element in (link, visual, touched):
        fields = element["properties"]
        for key in ("translation", "orientation"):
            words = MORE_WORDS[f"origin_{key}"]
            fields[f"origin_{key}"] = {**fields[key], "description": words}
    for key, name in SHAPES_OF_LINKS.items():
        link["properties"][key]["anyOf"] = _one_or_many(AUTHORS + name)
    for shape in (visual, touched):
        shape["properties"]["material"]["allOf"] = [_ref(f"{AUTHORS}Material")]
        del shape["properties"]["material"]["default"]
    shade = {"type": "number", "minimum": 0, "maximum": 255}
    color = {"type": "array", "items": shade, "minItems": 3, "maxItems": 4}
    material["properties"] = {
        "color": {**color, "description": MORE_WORDS["color"]},
        "opacity": {**shade, "description": MORE_WORDS["opacity"]},
    }
    joint["properties"]["limit"] = {
        "type": ["object", "null"],
        "additionalProperties": {"type": "number"},
        "description": MORE_WORDS["placeholder"],
    }
    _loosen_actuator(actuator, f"{AUTHORS}Visual")
    kind = {"const": "actuator", "description": MORE_WORDS["type"]}
    actuator["properties"]["type"] = kind
    forms = (link, visual, touched, material, joint, actuator)
    return {AUTHORS + name: form for name, form in zip(names, forms, strict=True)}


def _one_or_many(name: str) -> list[Schema]:
    """A list of elements, or one of them without its list."""
    return [{"type": "array", "items": _ref(name)}, _ref(name)]


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}
