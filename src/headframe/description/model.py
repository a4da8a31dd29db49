"""What a machine is, as frozen data: links, joints, actuators and what belongs to them.

The classes have the fields of a canonical MRDF file, so that they also define its JSON Schema.
Lengths in metres, angles in radians, masses in kilograms, forces in newtons. Poses are in the
file's own axes; `up_axis` only tells viewers and gravity which way is up.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, GetCoreSchemaHandler, WithJsonSchema
from pydantic_core import PydanticKnownError, core_schema

from ..errors import UnknownElementError
from ..spatial import pose
from .contact_material import ContactMaterial
from .drives import Actuator, JointDrive, Motor, RotaryActuator, joint_drives_of
from .geometry import (
    ORIGIN,
    CollisionShape,
    Element,
    Limit,
    Name,
    NotNegative,
    Number,
    Positive,
    Vector,
    Visual,
)
from .inputs import Input, Unit, inputs_of, servos_of
from .joint_kinds import JOINT_KINDS, JointKind, Motion

V = TypeVar("V")
USUAL_AXES = {  # of motions; fields of a joint that are not given stand for x and y
    "axis": (1.0, 0.0, 0.0),
    "axis2": (0.0, 1.0, 0.0),
    "x": (1.0, 0.0, 0.0),
    "y": (0.0, 1.0, 0.0),
    "z": (0.0, 0.0, 1.0),
}


def _known_kind(name: object) -> object:
    if not isinstance(name, str) or name not in JOINT_KINDS:
        *names, last = (repr(kind) for kind in JOINT_KINDS)
        raise PydanticKnownError("literal_error", {"expected": f"{', '.join(names)} or {last}"})
    return name


JointType = Annotated[
    str, BeforeValidator(_known_kind), WithJsonSchema({"type": "string", "enum": [*JOINT_KINDS]})
]


class FrozenMapping(Mapping[str, V]):
    """Values by name that never change."""

    def __init__(self, values: Mapping[str, V]) -> None:
        self._values = dict(values)

    def __getitem__(self, name: str) -> V:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __hash__(self) -> int:
        return hash(frozenset(self._values.items()))

    def __repr__(self) -> str:
        return repr(self._values)


class _Frozen:
    """Mark of a mapping that pydantic keeps as a `FrozenMapping`, and dumps as a dictionary."""

    @staticmethod
    def __get_pydantic_core_schema__(
        source: Any, handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        keys, values = (handler.generate_schema(part) for part in get_args(source))
        fields = core_schema.dict_schema(keys, values)
        return core_schema.no_info_before_validator_function(
            lambda given: dict(given) if isinstance(given, FrozenMapping) else given,
            core_schema.no_info_after_validator_function(FrozenMapping, fields),
            serialization=core_schema.plain_serializer_function_ser_schema(
                dict, return_schema=fields
            ),
        )


class Inertial(Element):
    """Mass [kg], centre of mass [m] and inertia [kg m^2] about it, both in link axes."""

    mass: Number
    com: Vector = ORIGIN
    inertia: tuple[Vector, Vector, Vector]


class Link(Element):
    """A rigid body.

    `translation` and `orientation` (roll-pitch-yaw) place the root link in the world, and any
    other link in the moving frame of the joint that carries it. A link without `inertial` is
    massless.
    """

    name: Name
    translation: Vector = ORIGIN
    orientation: Vector = ORIGIN
    visuals: Annotated[tuple[Visual, ...], Field(alias="visual")] = ()
    collision: tuple[CollisionShape, ...] = ()
    inertial: Inertial | None = None

    @property
    def pose(self) -> NDArray[np.float64]:
        """X_JL, the link in its joint's moving frame (the world, for the root), (4, 4)."""
        return pose(self.translation, self.orientation)


class Joint(Element):
    """Connects `parent` to `child`: X_PC = X_PJ T(axis, q) X_JC.

    X_PJ is the origin, X_JC the child link's own pose. The MineRobot paper prints Eq. (2) the
    other way round, T(axis, q) X_PJ, which would turn the child about its parent's origin.

    `damping` [N m s/rad, N s/m], `friction` [N m, N] and `armature` [kg m^2, kg] hold for every
    freedom of the joint, each in the unit of one that turns or slides. Armature is the inertia of
    the drive's rotor, seen at the joint: it is added to the diagonal of the inertia matrix.
    `pitch` is how far a thread moves on in one whole turn [m], to the left if it is negative.
    """

    name: Name
    parent: Name
    child: Name
    type: JointType
    origin_translation: Vector = ORIGIN
    origin_orientation: Vector = ORIGIN
    axis: Vector | None = None
    axis2: Vector | None = None
    pitch: Number | None = None
    limit: Limit | None = None
    damping: NotNegative = 0.0
    friction: NotNegative = 0.0
    armature: NotNegative = 0.0

    @property
    def origin(self) -> NDArray[np.float64]:
        """X_PJ, the joint in its parent link, (4, 4)."""
        return pose(self.origin_translation, self.origin_orientation)

    @property
    def kind(self) -> JointKind:
        """What joints of its type do."""
        return JOINT_KINDS[self.type]

    @property
    def way_per_radian(self) -> float:
        """How far a thread moves on with its angle [m/rad]; 0 for all others."""
        return (self.pitch or 0.0) / (2.0 * math.pi)

    def direction(self, motion: Motion | None = None) -> NDArray[np.float64]:
        """Axis of one of its motions, or of its first, in the joint's frame, (3,)."""
        along = "axis" if motion is None else motion.along
        given = {"axis": self.axis, "axis2": self.axis2}.get(along)
        return np.array(given or USUAL_AXES[along], dtype=float)


class Spring(Element):
    """A spring with a damper between a point of each of two links [m, N/m, N s/m]."""

    name: Name
    link_a: Name
    point_a: Vector
    link_b: Name
    point_b: Vector
    stiffness: NotNegative
    rest_length: NotNegative
    damping: NotNegative = 0.0


class Repeater(Element):
    """A joint that follows another: q[joint] = ratio q[follows] + offset."""

    name: Name
    joint: Name
    follows: Name
    ratio: Number = 1.0
    offset: Number = 0.0


class Provenance(Element):
    """Where a figure comes from; `of` is a path in the file or names a group of figures."""

    of: Name
    kind: Literal["measured", "data sheet", "estimated"]
    source: Name


class Home(Element):
    """The home pose, by joint values or by actuator lengths; what is not named is found."""

    joints: Annotated[Mapping[Name, Number | tuple[Number, ...]], _Frozen] | None = None
    actuators: Annotated[Mapping[Name, Positive], _Frozen] | None = None


class Robot(Element):
    """A whole machine.

    `geometry_file` names a 3DT file beside the machine file: its bodies are what is seen of the
    links that it covers, instead of their visuals. `base` says whether the root link stands fast
    in a world or is free to move there; a `Simulation` holds it in either case. `no_contact` are
    pairs of links that pass through each other.
    """

    mrdf: Literal["1"] = "1"
    name: Name
    machine_class: Annotated[Name | None, Field(alias="class")] = None
    end_effector: Name | None = None
    up_axis: Literal["z", "y"] = "z"
    geometry_file: Name | None = None
    base: Literal["fixed", "free"] = "fixed"
    home: Home | None = None
    links: tuple[Link, ...]
    joints: tuple[Joint, ...] = ()
    actuators: tuple[Actuator, ...] = ()
    springs: tuple[Spring, ...] = ()
    motors: tuple[Motor, ...] = ()
    rotary_actuators: tuple[RotaryActuator, ...] = ()
    repeaters: tuple[Repeater, ...] = ()
    materials: tuple[ContactMaterial, ...] = ()
    no_contact: tuple[tuple[Name, Name], ...] = ()
    provenance: tuple[Provenance, ...] = ()

    @cached_property
    def link_index(self) -> dict[str, int]:
        """Position of every link, by name."""
        return {link.name: i for i, link in enumerate(self.links)}

    @cached_property
    def joint_index(self) -> dict[str, int]:
        """Position of every joint, by name."""
        return {joint.name: i for i, joint in enumerate(self.joints)}

    @cached_property
    def actuator_index(self) -> dict[str, int]:
        """Position of every actuator, by name."""
        return {actuator.name: i for i, actuator in enumerate(self.actuators)}

    @cached_property
    def cylinder_parts(self) -> frozenset[str]:
        """Names of the links that are tubes or rods."""
        return frozenset(
            part for actuator in self.actuators for part in (actuator.tube, actuator.rod)
        )

    @cached_property
    def main_links(self) -> tuple[Link, ...]:
        """The links that are neither tube nor rod."""
        return tuple(link for link in self.links if link.name not in self.cylinder_parts)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Redundant groups as positions of actuators; the first member sets the motion.

        Membership is the transitive closure of `redundants`; groups and members stand in the
        order of the file.
        """
        group_of: dict[int, int] = {}
        groups: list[list[int]] = []
        for first in range(len(self.actuators)):
            if first in group_of:
                continue
            members: list[int] = []
            waiting = [first]
            while waiting:
                i = waiting.pop()
                if i in group_of:
                    continue
                group_of[i] = len(groups)
                members.append(i)
                waiting += [self.actuator_index[name] for name in self.actuators[i].redundants]
            groups.append(sorted(members))
        return tuple(tuple(members) for members in groups)

    @cached_property
    def group_names(self) -> tuple[str, ...]:
        """Name of every group, its `group` or else the name of its first member."""
        return tuple(
            next(
                (self.actuators[i].group for i in members if self.actuators[i].group),
                None,
            )
            or self.actuators[members[0]].name
            for members in self.groups
        )

    @cached_property
    def joint_drives(self) -> tuple[JointDrive, ...]:
        """The motors, then the rotary actuators, each in the order of the file."""
        return joint_drives_of(self)

    @cached_property
    def servos(self) -> tuple[JointDrive, ...]:
        """Drives whose joints can be told where to go."""
        return servos_of(self)

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        """What motions follow from: the groups in their order, then the servos."""
        return inputs_of(self)

    @cached_property
    def drive_names(self) -> tuple[str, ...]:
        """All cylinders, partners included, then the servos."""
        return (*self.actuator_index, *(servo.name for servo in self.servos))

    @cached_property
    def drive_units(self) -> tuple[Unit, ...]:
        """Units of their values: lengths [m], and positions of joints [rad, m]."""
        servos = self.inputs[len(self.groups) :]
        lengths: list[Unit] = ["m" for _ in self.actuators]
        return (*lengths, *(each.unit for each in servos))

    @property
    def up(self) -> NDArray[np.float64]:
        """Unit vector that points up, in the file's axes, (3,)."""
        return np.array([0.0, 0.0, 1.0] if self.up_axis == "z" else [0.0, 1.0, 0.0])

    def link(self, name: str) -> Link:
        """The link of that name."""
        return self.links[_position("link", name, self.link_index)]

    def joint(self, name: str) -> Joint:
        """The joint of that name."""
        return self.joints[_position("joint", name, self.joint_index)]

    def actuator(self, name: str) -> Actuator:
        """The actuator of that name."""
        return self.actuators[_position("actuator", name, self.actuator_index)]


def _position(kind: str, name: str, index: Mapping[str, int]) -> int:
    if not isinstance(name, str) or name not in index:
        raise UnknownElementError(kind, name, index)
    return index[name]
