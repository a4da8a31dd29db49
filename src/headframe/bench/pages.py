"""A page of the benchmarks: its sections, kept apart by marks so that a part can be run again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import cast

from ..description import write_file
from ..errors import UnknownElementError
from .goals import HEADER, Goal
from .progress import Progress
from .section import PEERS, BenchSettings, ReportSection, SectionModule
from .surroundings import surroundings
from .tables import table

SECTION = re.compile(r"<!-- part: (\w+) -->\n(.*?)<!-- end of part -->\n", re.DOTALL)
TARGETS = re.compile(r"<!-- own targets -->\n\n(.*?)\n<!-- end of own targets -->", re.DOTALL)


@dataclass(frozen=True)
class BenchPage:
    """A page that a command writes.

    Attributes:
        file: its name.
        preface: what it begins with.
        parts: its sections in their order; each is a module of `package`.
        package: full name.
        peers: keys of the engines that it compares with.
    """

    file: str
    preface: str
    parts: tuple[str, ...]
    package: str
    peers: tuple[str, ...]

    def run(
        self, parts: Sequence[str], settings: BenchSettings, folder: Path, progress: Progress
    ) -> tuple[list[Goal], list[Path]]:
        """Run parts and write the page after each of them; the targets, and what was written."""
        for name in parts:
            if name not in self.parts:
                raise UnknownElementError("part", name, self.parts)
        for key in settings.peers:
            if key not in PEERS:
                raise UnknownElementError("peer", key, self.peers)
        folder.mkdir(parents=True, exist_ok=True)
        page = folder / self.file
        goals: list[Goal] = []
        written = [page]
        for name in [part for part in self.parts if part in parts]:
            module = cast(SectionModule, import_module(f"{self.package}.{name}"))
            section = module.section(module.measure(settings, progress), folder)
            goals += section.goals
            written += section.figures
            sections = old_sections(page)
            sections[name] = text_of(section)
            write_file(page, self.text(sections))
        return goals, written

    def text(self, sections: Mapping[str, str]) -> str:
        """The whole page: all targets, where it ran, then the sections in their order."""
        own = [sections[name] for name in self.parts if name in sections]
        rows = [line for text in own for line in target_rows(text)]
        pieces = [
            self.preface,
            "<!-- targets -->\n\n" + table(HEADER, rows) + "\n<!-- end of targets -->\n",
            "## Where it ran\n",
            table(["what", "which"], [[k, v] for k, v in surroundings().items()]),
        ]
        pieces += [
            f"<!-- part: {name} -->\n{sections[name]}<!-- end of part -->\n"
            for name in self.parts
            if name in sections
        ]
        return "\n".join(pieces)


def text_of(section: ReportSection) -> str:
    """A section in Markdown."""
    parts = [f"## {section.title}\n", *section.text]
    if section.goals:
        rows = table(HEADER, [goal.row() for goal in section.goals])
        parts.append(f"<!-- own targets -->\n\n{rows}\n<!-- end of own targets -->\n")
    return "\n".join(parts)


def old_sections(page: Path) -> dict[str, str]:
    """Sections of the page as it is, by part."""
    if not page.exists():
        return {}
    return dict(SECTION.findall(page.read_text(encoding="utf-8")))


def target_rows(text: str) -> list[list[str]]:
    """Rows of the targets of a section."""
    lines = [line for found in TARGETS.findall(text) for line in found.splitlines()[2:]]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line]
