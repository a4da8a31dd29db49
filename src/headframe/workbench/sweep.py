"""The study that makes the via points of a cut over a cross-section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from pydantic import ConfigDict, Field

from ..planning import arched, serpentine
from .path import MOST_VIA, chosen_link
from .study import Bench, StudyOutcome

Metres = Annotated[float, Field(ge=0.0, le=100.0, allow_inf_nan=False)]
Place = Annotated[float, Field(ge=-1000.0, le=1000.0, allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """A cross-section and the head that cuts it; see `kinematics.serpentine`.

    Attributes:
        depth: of the plane in which the link's origin moves [m].
        diameter: of the head [m].
        link: the end effector if empty.
        width, wall, rise: of an arched roadway [m], where there is no `profile`.
        profile: corners (y, z) [m] of any other cross-section.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")
    depth: Place
    diameter: Metres
    link: str = ""
    width: Metres = 4.0
    wall: Metres = 2.0
    rise: Metres = 1.0
    profile: Annotated[tuple[tuple[Place, Place], ...], Field(max_length=1000)] | None = None
    overlap: Annotated[float, Field(ge=0.0, le=0.95)] = 0.2
    margin: Metres = 0.05
    floor: Place = 0.0
    centre: Place = 0.0
    every: Annotated[float, Field(ge=0.02, le=10.0)] = 0.25
    contour: bool = True


def plan_sweep(bench: Bench, request: SweepRequest) -> StudyOutcome:
    """Via points of a serpentine, and what of the cross-section is cut and left out."""
    machine = bench.machine
    link = chosen_link(machine, request.link)
    bench.progress(0.1, "looking at what can be reached")
    profile = request.profile or arched(request.width, request.wall, request.rise)
    way = serpentine(
        machine.kinematics, link, profile, request.depth, request.diameter, request.overlap,
        request.margin, request.floor, request.centre, request.every, request.contour, bench.state,
    )  # fmt: skip
    bench.progress(0.8, "measuring what is cut")
    positions = way.positions(request.depth, request.floor, request.centre, machine.robot.up)
    return StudyOutcome(
        {
            "link": link,
            "via": positions[:MOST_VIA].tolist(),
            "rows": len(way.rows),
            "spacing": way.spacing,
            "way": way.length,
            "covered": way.covered(),
            "left_out": [[each.height, each.right, each.left] for each in way.left_out],
        }
    )
