"""Paints and surfaces: red, green, blue and opacity, each 0 to 1."""

from __future__ import annotations

Color = tuple[float, float, float, float]

YELLOW: Color = (0.95, 0.70, 0.08, 1.0)
ORANGE: Color = (0.90, 0.42, 0.08, 1.0)
RED: Color = (0.72, 0.12, 0.10, 1.0)
BLUE: Color = (0.16, 0.33, 0.58, 1.0)
GREEN: Color = (0.16, 0.45, 0.28, 1.0)
WHITE: Color = (0.92, 0.92, 0.90, 1.0)
LIGHT_GREY: Color = (0.70, 0.72, 0.74, 1.0)
GREY: Color = (0.48, 0.50, 0.52, 1.0)
DARK_GREY: Color = (0.25, 0.26, 0.28, 1.0)
BLACK: Color = (0.08, 0.08, 0.09, 1.0)
CHROME: Color = (0.86, 0.88, 0.91, 1.0)
BRASS: Color = (0.72, 0.58, 0.25, 1.0)
CARBIDE: Color = (0.35, 0.33, 0.32, 1.0)
GLASS: Color = (0.55, 0.75, 0.85, 0.45)
RUBBER: Color = (0.12, 0.12, 0.12, 1.0)
STEEL_GREY: Color = (0.58, 0.60, 0.62, 1.0)
