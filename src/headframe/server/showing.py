"""What a page needs to know of a machine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from ..export import FORMATS, machine_info
from ..kinematics import IKResult
from ..machine import Machine, load, machines
from ..protocol.down import (
    Choice,
    ExportChoice,
    Reached,
    SceneInfo,
    StandInfo,
    ThingInfo,
)
from ..sim import Target
from ..spatial import Matrix, quaternion_from_matrix
from ..staging import Scene
from .cast import Cast
from .shapes import SceneShapes, address


def scene_of(
    number: int,
    cast: Cast,
    shapes: SceneShapes,
    scenes: Iterable[str],
    formulations: Iterable[str],
    integrators: Iterable[str],
) -> SceneInfo:
    """The scene with its machines."""
    scene = cast.staged.scene
    measures = scene.environment.model_dump(exclude={"kind"})
    return SceneInfo(
        number=number,
        machine=machine_info(cast.now.machine.mechanism),
        geometry=address(shapes.full(cast.now)),
        name=scene.name,
        scenes=tuple(scenes),
        environment=scene.environment.kind,
        surroundings={name: float(value) for name, value in measures.items()},
        stands=tuple(
            StandInfo(
                name=kind.name,
                machine=machine_info(kind.machine.mechanism),
                geometry=address(shapes.many(kind)),
                near=address(shapes.full(kind)),
                units=kind.units,
                first=kind.first,
            )
            for kind in cast.kinds
        ),
        driven=cast.driven,
        guest=scene.guest is not None,
        catalogue=_catalogue(),
        formulations=tuple(formulations),
        integrators=tuple(integrators),
        formats=tuple(
            ExportChoice(each.name, each.title, each.text, each.lacks) for each in FORMATS.values()
        ),
        things=tuple(things_of(scene)),
        thing_shapes=address(name) if (name := shapes.things(cast)) else "",
        members=cast.members(),
        touched=address(shapes.touched(cast.now)),
    )


def things_of(scene: Scene) -> Iterator[ThingInfo]:
    """Bodies and statics, each with the number of its shape."""
    for n, body in enumerate(scene.bodies):
        for name, X_WB in zip(body.units, body.poses, strict=True):
            yield _thing(name, n, False, X_WB)
    for n, static in enumerate(scene.statics, len(scene.bodies)):
        yield _thing(static.name, n, True, static.at.pose)


def _thing(name: str, shape: int, fixed: bool, X_WB: Matrix) -> ThingInfo:
    x, y, z = map(float, X_WB[:3, 3])
    w, i, j, k = map(float, quaternion_from_matrix(X_WB[:3, :3]))
    return ThingInfo(name, shape, fixed, (x, y, z), (w, i, j, k))


@cache
def _catalogue() -> tuple[Choice, ...]:
    """Machines to choose from."""
    return tuple(Choice(name, load(name).robot.machine_class or "") for name in machines())


AT_END = 1e-6  # part of its stroke below which a drive is at an end of it


def reach_message(machine: Machine, found: IKResult, target: Target, number: int) -> Reached:
    """Where a link got to, as pages show it."""
    X_WL, robot = found.state.pose(found.link), machine.robot
    ends = [
        each.name
        for each, value in zip(robot.inputs, found.state.inputs, strict=True)
        if min(value - each.lower, each.upper - value) < AT_END * (each.upper - each.lower)
    ]
    x, y, z = map(float, X_WL[:3, 3])
    w, i, j, k = map(float, quaternion_from_matrix(X_WL[:3, :3]))
    return Reached(
        link=found.link,
        number=number,
        position=(x, y, z),
        quaternion=(w, i, j, k),
        distance=found.position_error,
        angle=found.angle_error if target.quaternion is not None else 0.0,
        reachable=found.reachable,
        iterations=found.iterations,
        limits=tuple(ends),
    )
