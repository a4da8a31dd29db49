"""Shapes and materials. Shapes are centred on their origin; round ones lie along z."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from ..spatial import pose

Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0)]
NotNegative = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0)]
Fraction = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=1)]
Name = Annotated[str, Field(strict=True, min_length=1, max_length=256)]
Vector = tuple[Number, Number, Number]
ORIGIN: Vector = (0.0, 0.0, 0.0)


class Element(BaseModel):
    """Frozen data with no fields but its own."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", validate_by_alias=True, validate_by_name=False
    )

    @classmethod
    def make(cls, **fields: Any) -> Self:
        """Make an element in code, by the names of its fields."""
        return cls.model_validate(fields, by_alias=True, by_name=True)


class Box(Element):
    """Edges along x, y and z [m]."""

    type: Literal["box"]
    x: Positive
    y: Positive
    z: Positive


class Cylinder(Element):
    """Along z: radius r1 at -h/2, radius r2 at +h/2 [m]."""

    type: Literal["cylinder"]
    r1: Positive
    r2: Positive
    h: Positive


class Capsule(Element):
    """Along z: a cylinder of height h between two half-spheres of radius r [m]."""

    type: Literal["capsule"]
    r: Positive
    h: Positive


class Sphere(Element):
    """Radius r [m]."""

    type: Literal["sphere"]
    r: Positive


class Cone(Element):
    """Along z: radius r at -h/2, apex at +h/2 [m]."""

    type: Literal["cone"]
    r: Positive
    h: Positive


class Mesh(Element):
    """A mesh file, given relative to the machine file; scale along x, y and z."""

    type: Literal["mesh"]
    path: Name
    scale: tuple[Positive, Positive, Positive] = (1.0, 1.0, 1.0)


Geometry = Annotated[Box | Cylinder | Capsule | Sphere | Cone | Mesh, Field(discriminator="type")]


class Material(Element):
    """Colour as red, green, blue and opacity, each 0 to 1."""

    color: tuple[Fraction, Fraction, Fraction, Fraction] = (0.6, 0.6, 0.6, 1.0)

    @property
    def linear(self) -> tuple[float, float, float, float]:
        """The colour in linear light, as renderers reckon; files have sRGB (IEC 61966-2-1)."""
        red, green, blue = (
            value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
            for value in self.color[:3]
        )
        return red, green, blue, self.color[3]


class Visual(Element):
    """A shape on a link: what is seen, or (under `collision`) what is touched."""

    name: Name | None = None
    translation: Vector = ORIGIN
    orientation: Vector = ORIGIN
    geometry: Geometry
    material: Material = Material()

    @property
    def pose(self) -> NDArray[np.float64]:
        """X_LV, the shape's pose in its link, (4, 4)."""
        return pose(self.translation, self.orientation)
