"""JSON Schema of canonical MRDF."""

from __future__ import annotations

from typing import Any

from .model import Robot


def mrdf_schema() -> dict[str, Any]:
    """The schema, draft 2020-12; it describes files with the key ``"mrdf"``."""
    schema = Robot.model_json_schema(by_alias=True)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "MRDF 1"
    schema["required"] = ["mrdf", *schema.get("required", [])]
    return schema
