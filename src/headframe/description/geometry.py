"""Shapes and their colours. Shapes are centred on their origin; round ones lie along z."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PrivateAttr, model_validator
from pydantic_core import PydanticCustomError

from ..spatial import pose

GREAT = 1e6  # [m]: no shape is larger
WHOLE_TURN = 2.0 * math.pi
FEWEST_POINTS, MOST_POINTS = 4, 5000  # of a hull
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0)]
NotNegative = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0)]
Size = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=GREAT)]


def _other_than_nought(value: float) -> float:
    if value == 0.0:
        raise PydanticCustomError("not_equal", "a number other than 0", {"ne": 0.0})
    return value


NotZero = Annotated[
    float,
    Field(strict=True, allow_inf_nan=False, ge=-GREAT, le=GREAT),
    AfterValidator(_other_than_nought),
]
Fraction = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0, le=1)]
Name = Annotated[str, Field(strict=True, min_length=1, max_length=256)]
Place = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-GREAT, le=GREAT)]
Arc = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0, le=WHOLE_TURN)]
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


class Limit(Element):
    """Lower and upper end of a range."""

    lower: Number
    upper: Number


class Box(Element):
    """Edges along x, y and z [m]."""

    type: Literal["box"]
    x: Size
    y: Size
    z: Size


class Cylinder(Element):
    """Along z: radius r1 at -h/2, radius r2 at +h/2 [m]."""

    type: Literal["cylinder"]
    r1: Size
    r2: Size
    h: Size


class Capsule(Element):
    """Along z: a cylinder of height h between two half-spheres of radius r [m]."""

    type: Literal["capsule"]
    r: Size
    h: Size


class Sphere(Element):
    """Radius r [m]."""

    type: Literal["sphere"]
    r: Size


class Cone(Element):
    """Along z: radius r at -h/2, apex at +h/2 [m]."""

    type: Literal["cone"]
    r: Size
    h: Size


class Torus(Element):
    """A bar of radius r bent about z to a circle of radius R, that of its middle line [m].

    `arc` [rad] is how far round it goes, half of it to either side of the x axis; what does not go
    all the way round ends in half-spheres, which come on top.
    """

    type: Literal["torus"]
    R: Size
    r: Size
    arc: Arc = WHOLE_TURN


class ChainLink(Element):
    """A bar of radius r bent to a link of a chain [m]: two bows and two straight parts.

    Its middle line lies in the plane z = 0: half-circles of radius R about x = +-length/2, and
    between them straight lines along x.
    """

    type: Literal["chain_link"]
    R: Size
    r: Size
    length: Size


class Hull(Element):
    """What a skin stretched over points encloses: the convex hull of points [m]."""

    type: Literal["hull"]
    points: Annotated[
        tuple[tuple[Place, Place, Place], ...],
        Field(min_length=FEWEST_POINTS, max_length=MOST_POINTS),
    ]


class Mesh(Element):
    """A mesh file, given relative to the machine file; scale along x, y and z.

    A negative scale mirrors it. A reader that finds files of packages outside of the machine
    file's folder notes where this one is (`located`); that is no part of the description.
    """

    type: Literal["mesh"]
    path: Name
    scale: tuple[NotZero, NotZero, NotZero] = (1.0, 1.0, 1.0)
    _file: Path | None = PrivateAttr(None)
    _root: Path | None = PrivateAttr(None)
    _stand_in: Box | None = PrivateAttr(None)

    def located(self, file: Path, root: Path, stand_in: Box | None) -> Mesh:
        """The same mesh, with its file.

        Args:
            file: the file, links resolved.
            root: the folder that the file may read from, links resolved.
            stand_in: what is seen in its place if it cannot be read; None if that is an error.
        """
        mesh = self.model_copy()
        mesh._file, mesh._root, mesh._stand_in = file, root, stand_in
        return mesh

    @property
    def file(self) -> Path | None:
        """Where the file is; None if it is `path` in the machine file's folder."""
        return self._file

    @property
    def root(self) -> Path | None:
        """The folder that the file may read from; None if it is the machine file's."""
        return self._root

    @property
    def stand_in(self) -> Box | None:
        """What is seen in its place if it cannot be read; None if that is an error."""
        return self._stand_in

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mesh) and (self.path, self.scale) == (other.path, other.scale)

    def __hash__(self) -> int:
        return hash((self.path, self.scale))


Bent = Torus | ChainLink
Primitive = Box | Cylinder | Capsule | Sphere | Cone | Bent | Hull
Geometry = Annotated[Primitive | Mesh, Field(discriminator="type")]


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
    """A shape on a link: what is seen."""

    name: Name | None = None
    translation: Vector = ORIGIN
    orientation: Vector = ORIGIN
    geometry: Geometry
    material: Material = Material()

    @property
    def pose(self) -> NDArray[np.float64]:
        """X_LV, the shape's pose in its link, (4, 4)."""
        return pose(self.translation, self.orientation)


class CollisionShape(Visual):
    """A shape on a link that others touch; `contact` names the material of its surface.

    A `Visual` in its place becomes one.
    """

    contact: Name | None = None

    @model_validator(mode="before")
    @classmethod
    def _from_visual(cls, given: Any) -> Any:
        if isinstance(given, Visual) and not isinstance(given, CollisionShape):
            return {key: getattr(given, key) for key in given.model_fields_set}
        return given
