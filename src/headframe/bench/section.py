"""A part of the page, and what it is made with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from ..errors import MissingExtraError
from .goals import Goal
from .progress import Progress

PEERS = {
    "pinocchio": ("Pinocchio", "pinocchio"),
    "mujoco": ("MuJoCo", "mujoco"),
    "pybullet": ("PyBullet", "pybullet"),
    "drake": ("Drake", "pydrake"),
    "coal": ("coal", "coal"),
}


@dataclass(frozen=True)
class BenchSettings:
    """How much is measured.

    Attributes:
        peers: keys of `PEERS`.
        steps: of the study of energy drift.
        hold: for which machines are held [s].
        lift: steps of the raised boom.
        seconds: of the benchmark problems [s].
        small: as little as shows that everything runs, in all other respects.
    """

    peers: Sequence[str] = tuple(PEERS)
    steps: int = 1_000_000
    hold: float = 3600.0
    lift: int = 10_000
    seconds: float = 10.0
    small: bool = False

    @classmethod
    def quick(cls, peers: Sequence[str] = tuple(PEERS)) -> BenchSettings:
        """To see that everything runs."""
        return cls(peers, steps=1000, hold=1.0, lift=100, seconds=0.2, small=True)


@dataclass(frozen=True)
class ReportSection:
    """A part of the page.

    Attributes:
        title: its heading.
        text: pieces of Markdown.
        goals: what was aimed at.
        figures: pictures that were drawn.
    """

    title: str
    text: list[str]
    goals: list[Goal]
    figures: list[Path]


class SectionModule(Protocol):
    """A module that measures a part."""

    def measure(self, settings: BenchSettings, progress: Progress) -> Any:
        """Run it: plain results."""

    def section(self, found: Any, folder: Path) -> ReportSection:
        """What the page says of it; pictures go to the folder."""


def peer(key: str, settings: BenchSettings, progress: Progress) -> Any:
    """A peer's Python module; None, and a line about it, if it is not installed or not wanted."""
    if key not in settings.peers:
        return None
    name, module = PEERS[key]
    try:
        return import_module(module)
    except ImportError:
        progress.say(f"{name} is left out: {MissingExtraError('comparing', module, 'bench')}")
        return None
