"""What a scene is, as frozen data; the classes also define the JSON Schema of scene files.

Lengths in metres, angles in radians. The world's z points up; machines look along x.
"""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from ..description import ORIGIN, Element, Name, Vector
from ..spatial import Matrix, pose

VERSION = 1
MOST_UNITS = 1000  # of all stands together
MOST_STANDS = 32
FARTHEST = 10_000.0  # from the world's origin [m]: frames tell places in single precision

Count = Annotated[int, Field(strict=True, ge=1, le=MOST_UNITS)]
Place = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=-100, le=100)]
Height = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=1, le=20)]
Size = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=10, le=500)]


class Placement(Element):
    """A pose: translation [m] and roll, pitch, yaw [rad]."""

    xyz: Vector = ORIGIN
    rpy: Vector = ORIGIN

    @property
    def pose(self) -> Matrix:
        """The same as a matrix, (4, 4)."""
        return pose(self.xyz, self.rpy)


class Tunnel(Element):
    """A roadway around the machine, with its face ahead."""

    kind: Literal["tunnel"]


class Longwall(Element):
    """A longwall face: supports in a row along y, the coal ahead of them.

    Attributes:
        seam: height of the roof above the floor [m].
        conveyor: x of the middle of the armoured face conveyor [m].
        face: x of the coal face [m].
    """

    kind: Literal["longwall"]
    seam: Height = 3.3
    conveyor: Place = 5.15
    face: Place = 6.4


class Yard(Element):
    """Level ground under the sky, with a fence around.

    Attributes:
        length: along x [m], about the origin; `width` along y likewise.
        fence: its height [m].
    """

    kind: Literal["yard"]
    length: Size = 60.0
    width: Size = 44.0
    fence: Height = 2.4


Environment = Annotated[Tunnel | Longwall | Yard, Field(discriminator="kind")]
ENVIRONMENTS: dict[str, type[Element]] = {"tunnel": Tunnel, "longwall": Longwall, "yard": Yard}


class Stand(Element):
    """Machines of one kind that stand in a row.

    Attributes:
        name: of the stand.
        machine: a name of the catalogue, or a path relative to the scene file.
        origin: where the first stands in the world.
        count: how many there are.
        step: where the next stands, in the axes of the one before.
    """

    name: Name
    machine: Name
    origin: Placement = Placement()
    count: Count = 1
    step: Placement = Placement()

    @property
    def poses(self) -> Matrix:
        """Where each stands in the world, (count, 4, 4)."""
        poses, step = [self.origin.pose], self.step.pose
        while len(poses) < self.count:
            poses.append(poses[-1] @ step)
        return np.array(poses)

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the single machines: numbers from 1."""
        return tuple(str(n + 1) for n in range(self.count))


class Scene(Element):
    """Machines, where they stand, and what is around them.

    Attributes:
        version: of the format.
        name: of the scene.
        environment: the surroundings.
        machines: kinds of machines, each with its place.
        guest: where one more machine may stand, which is chosen later; None if there is no room.
        drive: the stand that is driven at first; the first of all if it is not given.
    """

    version: Literal[1] = Field(alias="headframe_scene")
    name: Name
    environment: Environment
    machines: tuple[Stand, ...] = ()
    guest: Placement | None = None
    drive: Name | None = None

    @property
    def driven(self) -> Stand | None:
        """The stand that is driven at first; None in a scene that has only room for a guest."""
        named = (stand for stand in self.machines if self.drive in (None, stand.name))
        return next(named, None)
