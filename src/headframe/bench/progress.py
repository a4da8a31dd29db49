"""How far a comparison is: a bar in a terminal, lines in a file or a pipe. On stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Progress(Protocol):
    """What a comparison tells while it runs."""

    def begin(self, what: str, steps: int) -> None:
        """Something of so many steps begins."""

    def step(self, what: str) -> None:
        """One of them is done; `what` comes now."""

    def say(self, line: str) -> None:
        """A line that stays, such as one about a peer that is left out."""


class Lines:
    """A line for every twentieth part."""

    def begin(self, what: str, steps: int) -> None:
        """See `Progress`."""
        self._steps, self._done = steps, 0
        self.say(what)

    def step(self, what: str) -> None:
        """See `Progress`."""
        self._done += 1
        every = max(1, self._steps // 20)
        if self._done % every == 0 or self._done == self._steps:
            self.say(f"  {self._done}/{self._steps} {what}")

    def say(self, line: str) -> None:
        """See `Progress`."""
        print(line, file=sys.stderr, flush=True)


class Bar:
    """rich's progress bar."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as RichProgress

        columns = (
            TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
            TimeRemainingColumn(), TextColumn("{task.fields[now]}"),
        )  # fmt: skip
        self.bars = RichProgress(*columns, console=Console(stderr=True))

    def begin(self, what: str, steps: int) -> None:
        """See `Progress`."""
        self._task = self.bars.add_task(what, total=steps, now="")

    def step(self, what: str) -> None:
        """See `Progress`."""
        self.bars.update(self._task, advance=1, now=what)

    def say(self, line: str) -> None:
        """See `Progress`."""
        self.bars.console.print(line, markup=False, highlight=False)


@contextmanager
def shown() -> Iterator[Progress]:
    """What fits where standard error goes."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    bar = Bar()
    with bar.bars:
        yield bar
