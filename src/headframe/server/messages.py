"""All that the server and the physics process say to each other, through one pipe.

Down go `Order`s: messages of clients that concern physics, and the server's own. Up come `Report`s.
Whoever gets one takes it apart by `match` and ends with `protocol.unhandled`: a message that was
forgotten there fails type checking, and at run time it is an error that names it.

The emergency stop does not come through the pipe alone: see `Shared`.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..mechanism import Floats
from ..protocol import up
from ..protocol.down import Inspected, Loading, Reached, Refused, SceneInfo, SessionStatus
from ..sim import Physics
from .cast import SceneChoice
from .faults import Chosen

# ----------------------------------------------------------------------------- down


@dataclass(frozen=True, slots=True)
class Leave:
    """The seat is empty: its client closed, or another one took it."""

    reason: str
    type: str = "leave"


@dataclass(frozen=True, slots=True)
class DriveFile:
    """Drive a machine that came as a file; answered by `Chosen` with the same key."""

    key: str
    path: str
    type: str = "drive_file"


@dataclass(frozen=True, slots=True)
class PlayFile:
    """Follow a course that a study left in a file; for the rest see `up.Play`."""

    number: int
    path: str
    speed: float
    start: float
    type: str = "play"


OrderMessage = up.ForPhysics | Leave | DriveFile | PlayFile


@dataclass(frozen=True, slots=True)
class Order:
    """A message of a client, or of the server itself (client -1), received at `at` [s].

    `pressed` is how often the emergency stop had been pressed when the order was given.
    """

    client: int
    at: float
    message: OrderMessage
    pressed: int = 0


# ------------------------------------------------------------------------------- up


@dataclass(frozen=True, slots=True, eq=False)
class SceneReport:
    """Another scene: what there is to be seen, and how to come back.

    Attributes:
        scene: for pages.
        shapes: binary glTF by name.
        choice: to begin anew here.
    """

    scene: SceneInfo
    shapes: dict[str, bytes]
    choice: SceneChoice


@dataclass(frozen=True, slots=True)
class SheetsReport:
    """What pages fetch of the scene that comes next: JSON texts by name."""

    sheets: dict[str, bytes]


@dataclass(frozen=True, slots=True, eq=False)
class FrameReport:
    """What moves, every tick.

    Attributes:
        frame: for pages, in single precision.
        standing: how the unit stands that the frame is about, exactly: a `Standing`, packed.
    """

    frame: bytes
    standing: bytes

    def __reduce__(self) -> tuple[type[FrameReport], tuple[bytes, bytes]]:
        """For the pipe, faster than dataclasses do it: of this, sixty are sent a second."""
        return FrameReport, (self.frame, self.standing)


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """Where a machine was: enough to go on from there in a new process. Every second.

    `ring` is the size of all states that can be rewound to [bytes]; `joints` are the positions of
    all units' joints, kind by kind, (n, nq) each; `base` is where the driven one stands, (4, 4),
    and `bodies` where loose bodies are, (n, 4, 4).
    """

    machine: str
    physics: Physics
    steps: int
    q: tuple[float, ...]
    v: tuple[float, ...]
    ring: int
    choice: SceneChoice
    joints: tuple[Floats, ...]
    selected: tuple[int, ...]
    base: Floats
    bodies: Floats


@dataclass(frozen=True, slots=True)
class ClientReply:
    """An answer to one client."""

    client: int
    message: Refused | Reached | Inspected


@dataclass(frozen=True, slots=True)
class StopReleased:
    """The emergency stop is released, which had been pressed so often."""

    pressed: int


@dataclass(frozen=True, slots=True)
class OrderDone:
    """One more order is done with."""


@dataclass(frozen=True, slots=True)
class PhysicsFailed:
    """Why the process cannot go on: its last words."""

    text: str


@dataclass(frozen=True, slots=True)
class PhysicsEnded:
    """The process died or hangs; said by `Physics`, which watches it."""

    text: str


@dataclass(frozen=True, slots=True)
class OrderReplaced:
    """Another order took the place of this one before it was sent; said by `Physics`."""

    order: Order


# `Loading` is what the process is busy with, `SessionStatus` what changes now and then (ten times a
# second at most), and `Chosen` the answer to `DriveFile`
Report = (
    Loading
    | SceneReport
    | SheetsReport
    | SessionStatus
    | FrameReport
    | Checkpoint
    | ClientReply
    | Chosen
    | StopReleased
    | PhysicsFailed
    | PhysicsEnded
    | OrderReplaced
)
PipeReport = Report | OrderDone
