"""A robot as canonical MRDF text: one form, fit for people and for diffs."""

from __future__ import annotations

import json
from typing import Any

from .model import Robot

WIDTH = 100


def mrdf_text(robot: Robot) -> str:
    """The canonical MRDF of a robot; reading it gives an equal robot."""
    fields = robot.model_dump(by_alias=True, exclude_defaults=True)
    return _laid_out({"mrdf": robot.mrdf, **fields}, 0) + "\n"


def _laid_out(value: Any, indent: int) -> str:
    """JSON in which whatever fits on one line stands on one line."""
    compact = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if len(compact) + indent <= WIDTH - 20 or not isinstance(value, dict | list | tuple):
        return compact
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        opening, closing = "{", "}"
        lines = [
            f"{pad}{json.dumps(key, ensure_ascii=False)}: {_laid_out(item, indent + 2)}"
            for key, item in value.items()
        ]
    else:
        opening, closing = "[", "]"
        lines = [pad + _laid_out(item, indent + 2) for item in value]
    return opening + "\n" + ",\n".join(lines) + "\n" + " " * indent + closing
