"""The studies by name."""

from __future__ import annotations

from .study import Study

STUDIES: dict[str, tuple[type, Study]] = {}
