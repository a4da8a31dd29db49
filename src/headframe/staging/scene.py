"""What a scene is, as frozen data; the classes also define the JSON Schema of scene files.

Lengths in metres, angles in radians. The world's z points up; machines look along x.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from ..description import (
    ORIGIN,
    USUAL_MATERIAL,
    CollisionShape,
    ContactMaterial,
    Element,
    Inertial,
    Name,
    Positive,
    Vector,
)
from ..spatial import Matrix, pose

VERSION = 1
MOST_UNITS = 1000  # of all stands together
MOST_STANDS = 32
MOST_BODIES = 1000  # of all rows together
MOST_THINGS = 200  # rows of bodies, and statics
MOST_SHAPES = 100  # of one of them
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
        base: "free" to stand on the ground under forces and be pushed, "fixed" to stay; as the
            machine's file says if None.
    """

    name: Name
    machine: Name
    base: Literal["fixed", "free"] | None = None
    origin: Placement = Placement()
    count: Count = 1
    step: Placement = Placement()

    @property
    def poses(self) -> Matrix:
        """Where each stands in the world, (count, 4, 4)."""
        return poses_in_row(self.origin, self.step, self.count)

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the single machines: numbers from 1."""
        return tuple(str(n + 1) for n in range(self.count))


def poses_in_row(first: Placement, step: Placement, count: int) -> Matrix:
    """Poses of which each is one step on, in the axes of the one before, (count, 4, 4)."""
    poses, on = [first.pose], step.pose
    while len(poses) < count:
        poses.append(poses[-1] @ on)
    return np.array(poses)


Bodies = Annotated[int, Field(strict=True, ge=1, le=MOST_BODIES)]
Shapes = Annotated[tuple[CollisionShape, ...], Field(min_length=1, max_length=MOST_SHAPES)]


class LooseBody(Element):
    """Bodies of one kind that nothing holds, in a row: boxes, stones, links of a chain.

    Attributes:
        name: of the body, or of the row.
        shapes: what it is made of, in its own axes.
        mass: of each [kg]; or else
        density: from which it follows [kg/m^3].
        at: where the first is in the world.
        material: of the surfaces of shapes that name none themselves.
        count: how many there are.
        step: where the next is, in the axes of the one before.
    """

    name: Name
    shapes: Shapes
    mass: Positive | None = None
    density: Positive | None = None
    at: Placement = Placement()
    material: Name | None = None
    count: Bodies = 1
    step: Placement = Placement()

    @property
    def poses(self) -> Matrix:
        """Where each is in the world at first, (count, 4, 4)."""
        return poses_in_row(self.at, self.step, self.count)

    @property
    def units(self) -> tuple[str, ...]:
        """Names of the single bodies: the row's, with a number from 1 if there are several."""
        if self.count == 1:
            return (self.name,)
        return tuple(f"{self.name} {n + 1}" for n in range(self.count))

    @property
    def surfaces(self) -> tuple[CollisionShape, ...]:
        """Its shapes, each with the name of its material."""
        return with_material(self.shapes, self.material)

    def inertial(self, folder: str | Path | None = None) -> Inertial:
        """Mass, centre of mass and inertia of each, in its own axes; meshes are in the folder.

        Raises:
            MeshError: a mesh that cannot be read, or is not closed.
        """
        from ..contact import inertial_of

        return inertial_of(self.shapes, self.mass, self.density, folder, self.name)


class StaticBody(Element):
    """What stands fast and is touched: a wall, a ramp.

    Attributes:
        name: of it.
        shapes: what it is made of, in its own axes.
        at: where it is in the world.
        material: of the surfaces of shapes that name none themselves.
    """

    name: Name
    shapes: Shapes
    at: Placement = Placement()
    material: Name | None = None

    @property
    def surfaces(self) -> tuple[CollisionShape, ...]:
        """Its shapes, each with the name of its material."""
        return with_material(self.shapes, self.material)


def with_material(
    shapes: tuple[CollisionShape, ...], material: str | None
) -> tuple[CollisionShape, ...]:
    """Shapes that all name their material, those without one this."""
    name = material or USUAL_MATERIAL
    return tuple(shape.model_copy(update={"contact": shape.contact or name}) for shape in shapes)


class Scene(Element):
    """Machines, where they stand, and what is around them.

    Attributes:
        version: of the format.
        name: of the scene.
        environment: the surroundings.
        machines: kinds of machines, each with its place.
        bodies: what lies about and nothing holds.
        statics: what stands fast and is touched.
        materials: contact materials of the scene's own, beside those that ship.
        guest: where one more machine may stand, which is chosen later; None if there is no room.
        drive: the stand that is driven at first; the first of all if it is not given.
    """

    version: Literal[1] = Field(alias="headframe_scene")
    name: Name
    environment: Environment
    machines: tuple[Stand, ...] = ()
    bodies: tuple[LooseBody, ...] = ()
    statics: tuple[StaticBody, ...] = ()
    materials: tuple[ContactMaterial, ...] = ()
    guest: Placement | None = None
    drive: Name | None = None

    @property
    def driven(self) -> Stand | None:
        """The stand that is driven at first; None in a scene that has only room for a guest."""
        named = (stand for stand in self.machines if self.drive in (None, stand.name))
        return next(named, None)
