"""What all commands share: the machine argument, errors in a line, progress."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from ..errors import HeadframeError, HeadframeWarning

MachineArgument = Annotated[
    str,
    typer.Argument(metavar="NAME|FILE", help="A catalogue machine, or an MRDF, URDF or zip file."),
]


@contextmanager
def plain_errors() -> Iterator[None]:
    """Print a user's mistake as one message and leave with status 1; print warnings as notes."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", HeadframeWarning)
        try:
            yield
        except HeadframeError as error:
            print(f"error: {error}", file=sys.stderr)
            raise typer.Exit(1) from None
        finally:
            for warning in caught:
                if issubclass(warning.category, HeadframeWarning):
                    print(f"note: {warning.message}", file=sys.stderr)


@contextmanager
def progressing(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar where somebody may be looking, else a line; gives what is to be told done and all."""
    if not sys.stderr.isatty():
        print(what, file=sys.stderr)
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
