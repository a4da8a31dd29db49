"""All that the server and the process of studies say to each other, through one pipe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..workbench import Standing, StudyOutcome


@dataclass(frozen=True, slots=True)
class Task:
    """A study to run: of a machine (name or path) as it stands, or at home."""

    number: int
    kind: str
    machine: str
    standing: Standing | None
    request: Mapping[str, Any] | bytes
    folder: str


@dataclass(frozen=True, slots=True)
class StudyProgress:
    """The part of a study that is done, 0 to 1, and what it is busy with."""

    number: int
    part: float
    text: str


@dataclass(frozen=True, slots=True)
class StudyDone:
    """What came of a study."""

    number: int
    outcome: StudyOutcome


@dataclass(frozen=True, slots=True)
class StudyFailed:
    """Why nothing came of a study."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class StudyCancelled:
    """A study was given up."""

    number: int


StudyReport = StudyProgress | StudyDone | StudyFailed | StudyCancelled
