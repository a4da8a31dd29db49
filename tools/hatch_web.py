"""Hatchling's hook: the page is built with the package, see `build_web`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))
import build_web


class WebHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the page before the package, and asks for Node where there is none."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What building needs, beside Hatchling."""
        wanted = build_web.WEB.is_dir() and not build_web.is_current()
        return [build_web.node_wheel()] if wanted and not build_web.has_node() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page."""
        build_web.build()
