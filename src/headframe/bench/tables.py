"""Tables in Markdown, and numbers as people read them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

NOTHING = "\u2013"  # a dash


def number(value: float | None, digits: int = 3) -> str:
    """A number with so many significant digits, without an exponent where that is short."""
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞"
    if value == 0.0:
        return "0"
    if abs(value) < 1e-3 or abs(value) >= 1e7:
        return f"{value:.{digits - 1}e}".replace("e-0", "e-").replace("e+0", "e")
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    text = f"{value:.{decimals}f}"
    if "." not in text:
        return f"{int(text):,}"
    return text


def plain(value: float | None) -> str:
    """A number as short as it gets: iterations, printed figures."""
    if value is None or math.isnan(value):
        return NOTHING
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def percent(part: float | None) -> str:
    """A part of 1 in per cent, whole where it is."""
    if part is None or math.isnan(part):
        return NOTHING
    return f"{100.0 * part:.4g} %"


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; a column whose title starts with > is set to the right."""
    titles = [title.removeprefix(">") for title in header]
    rule = ["---:" if title.startswith(">") else "---" for title in header]
    lines = [titles, rule, *(list(row) for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
