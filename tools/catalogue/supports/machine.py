"""A whole support."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import kit as k

from headframe.description import Joint, Link, Provenance, Robot

from . import lemniscate
from .paint import YELLOW, Paint

FRONT_ANGLE = 2.53  # of the front link at home [rad]


def support(
    name: str,
    size: str,
    *,
    home: Mapping[str, float],
    links: Sequence[Link],
    joints: Sequence[Joint],
    cylinders: Sequence[k.Cylinder],
    paint: Paint = YELLOW,
) -> Robot:
    """Put a support together.

    Args:
        name: The machine's name.
        size: Its class and size, and what they are taken from.
        home: Values of the joints that not every support has [rad, m].
        links: All main links.
        joints: The joints that not every support has.
        cylinders: All cylinders.
        paint: Its colours.
    """
    machine = k.robot(
        name,
        "support",
        "canopy",
        home={**lemniscate.home(FRONT_ANGLE), **home},
        links=links,
        joints=[*lemniscate.joints(), *joints],
        cylinders=cylinders,
        provenance=_provenance(size),
        looks=True,
    )
    return k.repainted(machine, dict(zip(YELLOW, paint, strict=True)))


def _provenance(size: str) -> list[Provenance]:
    """State where the figures of every support come from."""
    return [
        k.estimated("machine", size),
        k.data_sheet(
            "actuators/legs/bore",
            "GB/T 2348 bore series; force = piston area x 31.5 MPa working pressure (good)",
        ),
        k.estimated(
            "joints/base four-bar",
            "own numerical search; no pin coordinates of a real support are public",
        ),
        k.estimated(
            "actuators/bounds", "strokes from the height range of the class; mounts by own design"
        ),
        k.estimated(
            "actuators/speed, acceleration",
            "usual for emulsion supplies of 300-400 l/min; not from a data sheet (weak)",
        ),
        k.estimated(
            "links/inertial",
            "shares of the class's total mass; centre and inertia from the shown shapes",
        ),
        k.estimated("links/visual", "drawn to look like the class; not a maker's model"),
    ]
