"""The roadheader's looks: bodies in the ten components that people divide it into."""

from __future__ import annotations

import solids as s
from rams import rams

from headframe.description import Robot
from headframe.description.three_dt import Model

from .boom import arm_base, cutting_head, supporting_arm, telescopic_arm
from .hull import hull
from .loading import shovel, star
from .rear import conveyor, rear_frame, stabiliser
from .running import crawlers
from .station import station


def looks(robot: Robot) -> Model:
    """Make the model."""
    made = s.Looks("roadheader", origin="drawn to look like the 230-kW class; not a maker's model")
    made.component("Main Body")
    hull(made)
    station(made)
    crawlers(made)
    made.component("Cutting Head")
    cutting_head(made)
    made.component("Telescopic Arm")
    telescopic_arm(made)
    made.component("Supporting Arm")
    supporting_arm(made)
    made.component("Arm Base")
    arm_base(made)
    rams(made, robot, "Cylinder Barrel", "Piston Rod")
    made.component("Rear Frame")
    rear_frame(made)
    conveyor(made)
    for side in ("left", "right"):
        stabiliser(made, side)
    made.component("Shovel Plate")
    shovel(made)
    made.component("Loader Gathering Arm")
    for side in ("left", "right"):
        star(made, side)
    return made.model()
