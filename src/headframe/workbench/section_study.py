"""The study "section": what of a roadway's profile a machine can cut from where it stands.

It leaves ``section.bin``, a byte for each cell of the grid (see `Section.codes`), row by row from
the floor up, each from right to left as one looks ahead; and ``section.json``: profile, grid,
figures, and the lines between what can be cut and what cannot.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import ConfigDict, Field

from ..description import write_file
from ..errors import StateError
from ..mechanism import Floats
from .head import head_of
from .section import Section, cut_section
from .study import Bench, StudyOutcome
from .workspace import Coordinate, Point

STRAIGHT = 1e-6  # how far axes may be from unit length and from a right angle

Corner = tuple[Coordinate, Coordinate]


@dataclass(frozen=True, slots=True)
class SectionRequest:
    """What is asked for.

    Attributes:
        link: name of the main link that carries the head.
        outline: the profile [m]: y to the left and z up, in the section's axes.
        origin: of the section's axes, in the world [m].
        left: unit vector of its y axis, in the world.
        up: unit vector of its z axis, in the world.
        point: the head's middle in the link's axes [m]; as the machine is described if None.
        radius: of the head [m]; as the machine is described if None.
        cell: width of the grid's cells [m].
        overbreak: whether the head may cut beyond the profile.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    link: Annotated[str, Field(max_length=200)]
    outline: Annotated[list[Corner], Field(min_length=3, max_length=1000)]
    origin: Point
    left: Point
    up: Point
    point: Point | None = None
    radius: Annotated[float, Field(ge=0.0, le=20.0, allow_inf_nan=False)] | None = None
    cell: Annotated[float, Field(ge=0.01, le=1.0, allow_inf_nan=False)] = 0.05
    overbreak: bool = True


def study_section(bench: Bench, request: SectionRequest) -> StudyOutcome:
    """Find what of the profile can be cut, and write files.

    Raises:
        UnknownElementError: no main link of that name.
        StateError: a profile or axes that are none, or a link without a head and no radius given.
    """
    X_WS = axes_of(request)
    head = head_of(bench.machine, request.link)
    point = request.point or (head.point.tolist() if head else (0.0, 0.0, 0.0))
    radius = request.radius if request.radius is not None else head.radius if head else None
    if radius is None:
        raise StateError(f"radius: {request.link!r} has no head that a motor turns: give a radius")

    def progress(part: float) -> None:
        bench.progress(0.95 * part, "section")

    section = cut_section(
        bench.machine, bench.state, request.link, request.outline, X_WS, radius, point,
        request.cell, request.overbreak, progress,
    )  # fmt: skip
    facts = _facts(bench, request, section, point)
    lines = np.round(section.border, 5).tolist()
    whole = {**facts, "outline": request.outline, "border": lines}
    write_file(bench.folder / "section.bin", section.codes.tobytes())
    write_file(bench.folder / "section.json", json.dumps(whole, allow_nan=False))
    return StudyOutcome(facts, ("section.bin", "section.json"))


def axes_of(request: SectionRequest) -> Floats:
    """X_world_section, (4, 4).

    Raises:
        StateError: axes that are no unit vectors, or not at a right angle.
    """
    left, up = np.array(request.left), np.array(request.up)
    sizes = np.linalg.norm([left, up], axis=1)
    if np.abs(sizes - 1.0).max() > STRAIGHT or abs(left @ up) > STRAIGHT:
        raise StateError("left, up: expected unit vectors at a right angle")
    X = np.eye(4)
    X[:3, :] = np.stack([np.cross(left, up), left, up, request.origin], axis=1)
    return X


def _facts(bench: Bench, request: SectionRequest, section: Section, point: Any) -> dict[str, Any]:
    rows, columns = section.reach.shape
    return {
        "machine": bench.machine.name,
        "link": request.link,
        "point": [float(value) for value in point],
        "radius": section.radius,
        "origin": list(request.origin),
        "left": list(request.left),
        "up": list(request.up),
        "overbreak": request.overbreak,
        "cell": section.cell,
        "rows": rows,
        "columns": columns,
        "corner": section.corner.tolist(),
        "area": section.area,
        "fraction": section.fraction,
    }
