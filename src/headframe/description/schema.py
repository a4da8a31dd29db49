"""JSON Schema of MRDF."""

from __future__ import annotations

from typing import Any

from .model import Robot


def mrdf_schema() -> dict[str, Any]:
    """The schema, draft 2020-12; it describes files with the key ``"mrdf"``."""
    schema = Robot.model_json_schema(by_alias=True)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "MRDF 1"
    schema["required"] = ["mrdf", *schema.get("required", [])]
    # What the reader takes beside the canonical form: one shape without its list, no opacity.
    shapes = schema["$defs"]["Link"]["properties"]
    for key in ("visual", "collision"):
        listed = {name: shapes[key].pop(name) for name in ("items", "type")}
        shapes[key]["anyOf"] = [listed, listed["items"]]
    schema["$defs"]["Material"]["properties"]["color"]["minItems"] = 3
    schema["$defs"]["Inertial"]["properties"]["mass"]["exclusiveMinimum"] = 0
    return schema
