"""What all drawings share: a figure without global state, texts taken literally, saving."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..description import output_path, unwritable
from ..errors import ExportError, MissingExtraError

SUFFIXES = (".png", ".svg", ".pdf")
DPI = 100
INK = "#1d2733"
QUIET = "#77818c"
ORANGE = "#c8570a"
TIMES, MINUS = "\u00d7", "\u2212"


def checked_path(path: str | Path) -> Path:
    """The path, if a drawing can be made and written there: asked before the work is done.

    Raises:
        ExportError: another suffix than .png, .svg or .pdf, or a folder that does not exist.
        MissingExtraError: matplotlib is not installed.
    """
    path = checks.path("path", path)
    if path.suffix.lower() not in SUFFIXES:
        raise ExportError(f"{path}: drawings are written as {', '.join(SUFFIXES)}")
    output_path(path)
    if find_spec("matplotlib") is None:
        raise _no_matplotlib()
    return path


def _no_matplotlib() -> MissingExtraError:
    return MissingExtraError("drawing", "matplotlib", "plot")


def new_figure(width: int, height: int) -> Any:
    """A white `matplotlib.figure.Figure` of that many pixels, without pyplot.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise _no_matplotlib() from None
    figure = Figure(figsize=(width / DPI, height / DPI), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def panel(figure: Any, left: float, top: float, width: float, height: float) -> Any:
    """Axes at a place of the figure given in pixels from the top left corner."""
    full_width, full_height = figure.get_size_inches() * DPI
    box = (
        left / full_width,
        1.0 - (top + height) / full_height,
        width / full_width,
        height / full_height,
    )
    return figure.add_axes(box)


@contextmanager
def any_letters() -> Iterator[None]:
    """Characters that the font lacks become boxes, without a warning."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*[Gg]lyph.*")
        yield


def text_size(text: Any) -> NDArray[np.float64]:
    """Width and height of a text artist [px], (2,)."""
    with any_letters():
        box = text.get_window_extent(text.figure.canvas.get_renderer())
    return np.array([box.width, box.height])


def save(figure: Any, path: Path) -> Path:
    """Write the figure."""
    try:
        with any_letters():
            figure.savefig(path, dpi=DPI)
    except OSError as error:
        raise unwritable(path, error) from None
    return path


def shortened(text: str, most: int = 28) -> str:
    """One line of at most `most` characters, to be drawn."""
    line = "".join(letter if letter.isprintable() else " " for letter in text)
    return line if len(line) <= most else line[: most - 1] + "…"
