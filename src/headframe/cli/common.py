"""What all commands share: the machine argument, errors in a line, progress."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import HeadframeError, HeadframeWarning, escaped, printed

if TYPE_CHECKING:
    from rich.text import Text

    from ..machine import Machine

MachineArgument = Annotated[
    str,
    typer.Argument(metavar="NAME|FILE", help="Catalogue machine; MRDF, URDF, MJCF or zip file."),
]
PackageOption = Annotated[
    list[str] | None,
    typer.Option(
        "--package",
        metavar="NAME=DIR",
        help="Folder of a package that a URDF file names as package://NAME; can be given again.",
    ),
]
StrictOption = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Refuse URDF and MJCF with missing meshes, or with what is else forgiven with a note.",
    ),
]
RepairOption = Annotated[
    str | None,
    typer.Option(
        metavar="nearest",
        help="Replace inertias that no body has by the nearest that one has, and lend a little to "
        "what moves without any.",
    ),
]


def loaded(
    machine: str, package: list[str] | None, strict: bool = False, repair: str | None = None
) -> Machine:
    """The machine that a command is about."""
    from ..description import given_packages
    from ..machine import load

    return load(machine, given_packages(package or []), strict, repair)


def cell(name: str, style: str = "") -> Text:
    """A name, or a line with names in it, as text of a table: no markup, no signs of control."""
    from rich.text import Text

    return Text(printed(name), style=style)


def lines(text: str) -> str:
    """Text of several lines, without signs of control within them."""
    return "\n".join(map(escaped, text.split("\n")))


@contextmanager
def plain_errors() -> Iterator[None]:
    """Print a user's mistake as one message and leave with status 1; print warnings as notes."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", HeadframeWarning)
        try:
            yield
        except HeadframeError as error:
            print(f"error: {lines(str(error))}", file=sys.stderr)
            raise typer.Exit(1) from None
        finally:
            for warning in caught:
                if issubclass(warning.category, HeadframeWarning):
                    print(f"note: {lines(str(warning.message))}", file=sys.stderr)


@contextmanager
def progressing(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar where somebody may be looking, else a line; gives what is to be told done and all."""
    if not sys.stderr.isatty():
        print(printed(what), file=sys.stderr)
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(escape(printed(what)), total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
