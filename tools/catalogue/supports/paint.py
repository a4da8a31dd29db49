"""Colours of the supports: drawn in yellow, painted over when a machine is whole."""

from __future__ import annotations

from typing import NamedTuple

import kit as k


class Paint(NamedTuple):
    """The colours that differ between supports."""

    body: k.Color
    dark: k.Color
    plate: k.Color
    link: k.Color


YELLOW = Paint(
    body=k.YELLOW,
    dark=(0.82, 0.58, 0.05, 1.0),
    plate=(0.88, 0.64, 0.07, 1.0),
    link=(0.20, 0.36, 0.58, 1.0),
)
BODY, DARK, PLATE, LINK = YELLOW
LEG: k.Color = (0.78, 0.80, 0.82, 1.0)
WEAR = k.STEEL_GREY
