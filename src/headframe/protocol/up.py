"""Messages from a page or a program to the server: JSON objects whose `type` names the class.

Every number is finite and has a least and a greatest value, which are told with its field.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

Fraction = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]
Metres = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]
Seconds = Annotated[float, Field(ge=0.0, le=1e9, allow_inf_nan=False)]
Clock = Annotated[float, Field(ge=-1e15, le=1e15, allow_inf_nan=False)]  # [ms]
Turn = Annotated[float, Field(ge=-2.0, le=2.0, allow_inf_nan=False)]  # part of a quaternion
Number = Annotated[int, Field(ge=0, le=2**53)]
Name = Annotated[str, Field(min_length=1, max_length=256)]

STRICT = ConfigDict(extra="forbid", strict=True)


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a client: which version of the protocol it speaks."""

    __pydantic_config__ = STRICT
    version: Number
    type: Literal["hello"] = "hello"


@dataclass(frozen=True, slots=True)
class Levers:
    """Where the operator's hands are, twenty times a second: also the heartbeat.

    Attributes:
        levers: deflection of each lever that is not neutral, -1 to 1, by group; positive extends.
        age: since the page's main thread last took its turn [s].
        present: the page is visible and has the focus.
        sent: the client's own clock [ms], which `Pong` gives back.
    """

    __pydantic_config__ = STRICT
    levers: Annotated[dict[Name, Fraction], Field(max_length=256)]
    age: Seconds
    present: bool
    sent: Clock
    type: Literal["levers"] = "levers"


@dataclass(frozen=True, slots=True)
class Ping:
    """Answered by `Pong`; `sent` is the client's own clock [ms]."""

    __pydantic_config__ = STRICT
    sent: Clock
    type: Literal["ping"] = "ping"


@dataclass(frozen=True, slots=True)
class GoTo:
    """Bring a group to a length [m], or a servo to a position [rad, m], at its own speed."""

    __pydantic_config__ = STRICT
    group: Name
    length: Metres
    type: Literal["go_to"] = "go_to"


@dataclass(frozen=True, slots=True)
class LetFloat:
    """Open a group's valves, so that it moves freely, or close them; in dynamic mode."""

    __pydantic_config__ = STRICT
    group: Name
    on: bool
    type: Literal["let_float"] = "let_float"


@dataclass(frozen=True, slots=True)
class SpinMotor:
    """Let a motor turn at a fraction of its largest speed; 0 stops it."""

    __pydantic_config__ = STRICT
    motor: Name
    speed: Fraction
    type: Literal["spin_motor"] = "spin_motor"


@dataclass(frozen=True, slots=True)
class EmergencyStop:
    """Stop everything for everyone; also viewers may."""

    __pydantic_config__ = STRICT
    type: Literal["emergency_stop"] = "emergency_stop"


@dataclass(frozen=True, slots=True)
class Release:
    """Release the emergency stop: only the operator, with all levers neutral."""

    __pydantic_config__ = STRICT
    type: Literal["release"] = "release"


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """Take the operator's seat from whoever has it."""

    __pydantic_config__ = STRICT
    type: Literal["take_seat"] = "take_seat"


@dataclass(frozen=True, slots=True)
class Pause:
    """Let simulated time stand still, or go on."""

    __pydantic_config__ = STRICT
    on: bool
    type: Literal["pause"] = "pause"


@dataclass(frozen=True, slots=True)
class Step:
    """Make so many substeps while paused, in one go: nothing is heard meanwhile."""

    __pydantic_config__ = STRICT
    count: Annotated[int, Field(ge=1, le=1_000)] = 1
    type: Literal["step"] = "step"


@dataclass(frozen=True, slots=True)
class TimeScale:
    """Simulated seconds a second."""

    __pydantic_config__ = STRICT
    scale: Annotated[float, Field(ge=0.1, le=4.0, allow_inf_nan=False)]
    type: Literal["time_scale"] = "time_scale"


@dataclass(frozen=True, slots=True)
class Rewind:
    """Go back to a moment of the ring, in simulated seconds, and pause there."""

    __pydantic_config__ = STRICT
    time: Seconds
    type: Literal["rewind"] = "rewind"


@dataclass(frozen=True, slots=True)
class Restart:
    """Begin anew: the machine at home, or the physics process after it died."""

    __pydantic_config__ = STRICT
    type: Literal["restart"] = "restart"


@dataclass(frozen=True, slots=True)
class SetPhysics:
    """How the machine moves: the choices that are not None change.

    Attributes:
        dynamics: under forces, or by kinematics alone.
        formulation: of dynamics, such as "auto" or "simgc".
        integrator: such as "rk4"; empty takes the formulation's own.
        gravity: downwards [m/s^2].
    """

    __pydantic_config__ = STRICT
    dynamics: bool | None = None
    formulation: Name | None = None
    integrator: Annotated[str, Field(max_length=64)] | None = None
    gravity: Annotated[float, Field(ge=0.0, le=100.0, allow_inf_nan=False)] | None = None
    type: Literal["set_physics"] = "set_physics"


@dataclass(frozen=True, slots=True)
class Reach:
    """Bring a link to a place, or as near as its cylinders allow; answered by `Reached`.

    By kinematics the machine is there at once; under forces its cylinders go there.

    Attributes:
        link: a main link.
        position: of the link's origin in the world [m].
        quaternion: of its axes (w, x, y, z); None if any will do.
        number: the client's own, which the answer gives back.
    """

    __pydantic_config__ = STRICT
    link: Name
    position: tuple[Metres, Metres, Metres]
    quaternion: tuple[Turn, Turn, Turn, Turn] | None = None
    number: Number = 0
    type: Literal["reach"] = "reach"


@dataclass(frozen=True, slots=True)
class Inspect:
    """How the solver stands, for whoever asks; answered by `Inspected`.

    Attributes:
        number: the client's own, which the answer gives back.
    """

    __pydantic_config__ = STRICT
    number: Number = 0
    type: Literal["inspect"] = "inspect"


@dataclass(frozen=True, slots=True)
class Play:
    """Follow a path that a study planned: to where it starts, then along it.

    It ends at its end, at a lever, at the dead man's switch and at the emergency stop.

    Attributes:
        number: of the study.
        speed: seconds of the path in a simulated second.
        start: where in the path to begin [s].
    """

    __pydantic_config__ = STRICT
    number: Annotated[int, Field(ge=1, le=2**53)]
    speed: Annotated[float, Field(ge=0.01, le=1.0, allow_inf_nan=False)] = 1.0
    start: Seconds = 0.0
    type: Literal["play"] = "play"


@dataclass(frozen=True, slots=True)
class StopPlaying:
    """Follow the path no longer."""

    __pydantic_config__ = STRICT
    type: Literal["stop_playing"] = "stop_playing"


@dataclass(frozen=True, slots=True)
class Select:
    """Drive some units of a stand; all others hold. Levers have to be neutral.

    Units of another kind begin a new session there; all machines stay where they are.

    Attributes:
        stand: its name.
        units: their names; None for all of the stand.
    """

    __pydantic_config__ = STRICT
    stand: Name
    units: Annotated[tuple[Name, ...], Field(min_length=1, max_length=1000)] | None = None
    type: Literal["select"] = "select"


@dataclass(frozen=True, slots=True)
class ChooseScene:
    """Go to another scene of the catalogue, with a machine of it as the guest if one is given."""

    __pydantic_config__ = STRICT
    name: Name
    machine: Name | None = None
    type: Literal["choose_scene"] = "choose_scene"


@dataclass(frozen=True, slots=True)
class ChooseMachine:
    """Drive another machine of the catalogue, in a scene that has room for a guest."""

    __pydantic_config__ = STRICT
    name: Name
    type: Literal["choose_machine"] = "choose_machine"


# what the server passes on to physics as it is
ForPhysics = (
    Levers
    | GoTo
    | LetFloat
    | SpinMotor
    | EmergencyStop
    | Release
    | Pause
    | Step
    | TimeScale
    | Rewind
    | Restart
    | SetPhysics
    | Reach
    | Inspect
    | StopPlaying
    | Select
    | ChooseScene
    | ChooseMachine
)
# and what it answers itself, or changes on the way
ForServer = Hello | Ping | TakeSeat | Play
Up = Annotated[ForServer | ForPhysics, Field(discriminator="type")]
FOR_ALL = (Hello, Ping, EmergencyStop, Inspect)  # what viewers may send
FOR_OPERATORS = (TakeSeat,)  # ... and who holds the operator's token, without the seat
