"""Things that are loaded by name when somebody asks for them: "room.module:name".

So a room can offer methods that stand above it, such as those that exist for comparison only, and
nobody who does not ask for them pays for their loading.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load_by_name(place: str) -> Any:
    """What stands at "room.module:name" of this package."""
    module, name = place.split(":")
    return getattr(import_module(f"{__package__}.{module}"), name)
