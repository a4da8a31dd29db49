"""JSON Schema of scene files."""

from __future__ import annotations

from typing import Any

from .scene import MOST_STANDS, Scene


def scene_schema() -> dict[str, Any]:
    """The schema, draft 2020-12; it describes files with the key ``"headframe_scene"``."""
    schema = Scene.model_json_schema(by_alias=True)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Headframe scene 1"
    schema["properties"]["machines"]["maxItems"] = MOST_STANDS
    return schema
