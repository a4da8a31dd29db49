"""Pictures of the catalogue's machines for the chooser, drawn when they are first asked for."""

from __future__ import annotations

import threading
from pathlib import Path
from tempfile import TemporaryDirectory

from ..machine import load, machines


class Thumbnails:
    """Draws each machine once. Safe to use from several threads."""

    def __init__(self) -> None:
        """Nothing is drawn yet."""
        self._drawn: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def of(self, name: str) -> bytes | None:
        """PNG of a machine; None if there is none of that name."""
        if name not in machines():
            return None
        with self._lock:
            if name not in self._drawn:
                self._drawn[name] = _draw(name)
            return self._drawn[name]


def _draw(name: str) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.png"
        load(name).draw(path, names=False)
        return path.read_bytes()
