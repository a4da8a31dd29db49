"""Messages from the server to a page, beside the frames: JSON objects with a `type`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["operator", "viewer"]
Presence = Literal["", "no_operator", "silent", "stalled", "hidden", "closed", "centre"]
Part = Literal[
    "",
    "driving",
    "dynamics",
    "reaching",
    "contact",
    "impulses",
    "augmented",
    "pictures",
    "comparison",
    "bench",
]  # of `jit.compile_order`


@dataclass(frozen=True, slots=True)
class Welcome:
    """The server's first message.

    Attributes:
        version: of the protocol.
        build: of the page that the server serves.
        client: number of this connection.
        role: what this session may do.
    """

    version: int
    build: str
    client: int
    role: Role
    type: Literal["welcome"] = "welcome"


@dataclass(frozen=True, slots=True)
class Group:
    """A redundant group of cylinders: one lever.

    Attributes:
        name: of the group.
        cylinders: indices of its members; the first sets the motion.
        lower: bound of the first member [m]; `upper` likewise.
        speed: largest [m/s].
        force: largest of all members together [N]; 0 where it is not known.
    """

    name: str
    cylinders: tuple[int, ...]
    lower: float
    upper: float
    speed: float
    force: float


@dataclass(frozen=True, slots=True)
class MotorInfo:
    """A drive of a joint: the link that it turns, largest speed [rad/s] and torque [N m].

    A servo can be told where to go, so that tools that plan count on it.

    Attributes:
        carrier: the link that its joint sits on.
        cuts: whether what it turns is a tool for cutting, such as a roadheader's head.
        kind: of drive, such as "motor" or "rotary actuator".
    """

    name: str
    joint: str
    link: str
    speed: float
    torque: float
    servo: bool
    carrier: str = ""
    cuts: bool = False
    kind: str = "motor"


@dataclass(frozen=True, slots=True)
class CylinderInfo:
    """A cylinder: its links, which slide in each other, and its bounds [m]."""

    name: str
    tube: str
    rod: str
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class JointInfo:
    """A joint with one freedom: whether it turns [rad] or slides [m], and its limits if it has any.

    `lower` and `upper` are None where there is no limit.
    """

    name: str
    turns: bool
    lower: float | None
    upper: float | None


@dataclass(frozen=True, slots=True)
class MachineInfo:
    """What a page needs of a machine; names are shown as text.

    Attributes:
        name: of the machine.
        machine_class: such as "roadheader" or "support"; empty if the file has none.
        up_axis: "z" or "y" in the machine's own axes.
        links: names, in the order of the frames' poses.
        end_effector: the link that works; empty if the file names none.
        joints: those that a frame has positions of, in its order.
        root: the link that stands still; all others hang on it.
    """

    name: str
    machine_class: str
    up_axis: Literal["z", "y"]
    links: tuple[str, ...]
    end_effector: str
    cylinders: tuple[CylinderInfo, ...]
    groups: tuple[Group, ...]
    motors: tuple[MotorInfo, ...]
    joints: tuple[JointInfo, ...]
    root: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """A machine of the catalogue, to choose."""

    name: str
    machine_class: str


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """A format in which `machine/export?form=NAME` gives the machine as a file.

    Attributes:
        name: how it is asked for.
        title: how people call it.
        text: what it is for, in a few words of English.
        lacks: what it cannot express, likewise; empty if nothing.
    """

    name: str
    title: str
    text: str
    lacks: str


@dataclass(frozen=True, slots=True)
class StandInfo:
    """Machines of one kind in the scene.

    Attributes:
        name: of the stand.
        machine: what each of them is.
        geometry: address of shapes for many of them, with fewer triangles than the driven one has.
        near: address of the shapes in full, for the nearest ones.
        units: names of the single machines.
        first: number of the first of them among all units of the scene.
    """

    name: str
    machine: MachineInfo
    geometry: str
    near: str
    units: tuple[str, ...]
    first: int


@dataclass(frozen=True, slots=True)
class ThingInfo:
    """A body that lies about in the scene, or something that stands fast.

    Attributes:
        name: of it.
        shape: number of the node, among those of `SceneInfo.thing_shapes`, that shows it.
        fixed: it stands fast.
        position: where it is at first, in the world: x, y, z [m].
        quaternion: how it is turned there: w, x, y, z.
    """

    name: str
    shape: int
    fixed: bool
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class SceneInfo:
    """What there is to be seen; frames of another `number` do not belong to it.

    Attributes:
        number: counts scenes.
        machine: the machine that is driven.
        geometry: address of its shapes (binary glTF, one node a link).
        name: of the scene; `scenes` are those to choose from.
        environment: kind of the surroundings: "tunnel", "longwall" or "yard".
        surroundings: their measures [m] by name.
        stands: all machines of the scene; `driven` is the position of those that are driven.
        guest: the scene has room for any machine of the catalogue.
        catalogue: machines to choose from.
        formulations: of dynamics, to choose from; `integrators` likewise.
        formats: of files that the machine can be taken home in.
        things: bodies that lie about, and what stands fast.
        thing_shapes: address of their shapes (binary glTF); empty if there are none.
        members: names of all that contacts are told of: the ground, things, links of the machine
            that is driven, units of all stands.
        touched: address of the shapes with which the machine touches (binary glTF, as `geometry`).
    """

    number: int
    machine: MachineInfo
    geometry: str
    name: str
    scenes: tuple[str, ...]
    environment: str
    surroundings: dict[str, float]
    stands: tuple[StandInfo, ...]
    driven: int
    guest: bool
    catalogue: tuple[Choice, ...]
    formulations: tuple[str, ...]
    integrators: tuple[str, ...]
    formats: tuple[ExportChoice, ...] = ()
    things: tuple[ThingInfo, ...] = ()
    thing_shapes: str = ""
    members: tuple[str, ...] = ()
    touched: str = ""
    type: Literal["scene"] = "scene"


@dataclass(frozen=True, slots=True)
class Played:
    """A path that the machine follows.

    At the simulated time t it is at ``start + (t - begun) * speed`` of the path.

    Attributes:
        number: of the study that planned it.
        speed: seconds of the path in a simulated second.
        start: where in the path it began [s].
        begun: simulated time of that [s]; None while the machine is on its way to the start.
    """

    number: int
    speed: float
    start: float
    begun: float | None


@dataclass(frozen=True, slots=True)
class SessionStatus:
    """The session's part of a status: what physics knows.

    Attributes:
        paused: simulated time stands still.
        scale: simulated seconds a second.
        dynamics: under forces; otherwise by kinematics.
        formulation: in use, "kinematic" without dynamics.
        reason: why "auto" chose it.
        integrator: in use; empty where the formulation brings its own.
        gravity: [m/s^2].
        step: a substep [s].
        emergency: the emergency stop is latched.
        presence: why levers are dead, empty while they are alive.
        floating: groups with open valves.
        targets: lengths that groups go to [m], and positions that servos go to [rad, m].
        motors: fraction of its speed for each motor that turns.
        playing: the path that it follows.
        oldest: earliest moment to rewind to, in whole seconds; frames have it exactly.
        newest: latest moment that can be come back to, likewise.
        forgotten: states went out of the ring, so that `oldest` is not the beginning.
        overruns: ticks whose debt was dropped.
        trouble: why the simulation stopped; empty while it goes well.
        selected: names of the units that obey, the first of which frames are about.
    """

    paused: bool
    scale: float
    dynamics: bool
    formulation: str
    reason: str
    integrator: str
    gravity: float
    step: float
    emergency: bool
    presence: Presence
    floating: tuple[str, ...]
    targets: dict[str, float]
    motors: dict[str, float]
    playing: Played | None
    oldest: float
    newest: float
    forgotten: bool
    overruns: int
    trouble: str
    selected: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Status(SessionStatus):
    """What changes now and then; the whole of it whenever a part of it has changed.

    Attributes:
        alive: the physics process runs.
        seat: number of the client that has the seat, or -1.
        operators: how many operator sessions there are; `viewers` likewise.
    """

    alive: bool
    seat: int
    operators: int
    viewers: int
    type: Literal["status"] = "status"


@dataclass(frozen=True, slots=True)
class Pong:
    """Answer to `Ping` and `Levers`."""

    sent: float
    type: Literal["pong"] = "pong"


@dataclass(frozen=True, slots=True)
class Refused:
    """Answer to a message that changed nothing: which type, and why."""

    about: str
    text: str
    type: Literal["refused"] = "refused"


@dataclass(frozen=True, slots=True)
class Dropped:
    """A message that was not followed, since a later one took its place while it waited.

    Attributes:
        about: its type.
    """

    about: str
    type: Literal["dropped"] = "dropped"


@dataclass(frozen=True, slots=True)
class Reached:
    """Answer to `Reach`: where the link can be.

    Attributes:
        link: its name; `number` is that of the question.
        position: of the link's origin there, in the world [m].
        quaternion: of its axes there (w, x, y, z).
        distance: left to the target [m].
        angle: left to the target's axes [rad]; 0 if any would do.
        reachable: nothing is left.
        iterations: steps of the solver.
        limits: groups that are at an end of their stroke there.
    """

    link: str
    number: int
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]
    distance: float
    angle: float
    reachable: bool
    iterations: int
    limits: tuple[str, ...]
    type: Literal["reached"] = "reached"


@dataclass(frozen=True, slots=True)
class StudyStatus:
    """How a study is: a computation of the workbench that takes its time.

    Attributes:
        number: counts studies; `kind` says which one it is.
        state: a study that fails says why in `text`; else that is what it is busy with.
        part: that is done, 0 to 1.
        facts: small results of a study that is done.
        files: names below ``study/NUMBER/``.
    """

    number: int
    kind: str
    state: Literal["waiting", "running", "done", "failed", "cancelled"]
    part: float
    text: str
    facts: dict[str, Any] = field(default_factory=dict)
    files: tuple[str, ...] = ()
    type: Literal["study"] = "study"


@dataclass(frozen=True, slots=True)
class SolvedBlock:
    """Groups that are solved together: how, and in how many steps."""

    groups: tuple[str, ...]
    method: Literal["closed form", "newton", "general"]
    iterations: int


@dataclass(frozen=True, slots=True)
class TakenBranch:
    """Which of several solutions a part of the machine has taken; see `kinematics.inspection`."""

    kind: Literal["hinge", "slide", "four-bar", "block"]
    name: str
    side: Literal["positive", "negative", "open", "crossed"]
    as_home: bool


@dataclass(frozen=True, slots=True)
class NearDeadCentre:
    """The nearest dead centre: of which group, how much stroke is left to it [m], which way.

    `inside`: within the bounds; `exact`: by a closed form, else estimated.
    """

    group: str
    left: float
    towards: Literal["shorter", "longer"]
    inside: bool
    exact: bool


@dataclass(frozen=True, slots=True)
class Inspected:
    """Answer to `Inspect`: how the solver stands.

    Attributes:
        number: that of the question.
        time: simulated [s].
        gap: largest distance between the halves of a closure [m].
        angle: largest angle between them [rad].
        length_error: largest miss of a length [m]; None where the solver has no answer.
        iterations: steps of all blocks together.
        blocks: how each was solved.
        branches: which solutions were taken.
        dead_centre: the nearest; None where none is in sight.
        conditioning: smallest singular value of the constraint Jacobian over the largest at home.
        lever: smallest change of a length per joint motion [m/rad, m/m]; None without cylinders.
        weakest: group whose length that is; empty if none.
        problem: why a figure is missing; empty if none is.
    """

    number: int
    time: float
    gap: float
    angle: float
    length_error: float | None
    iterations: int
    blocks: tuple[SolvedBlock, ...]
    branches: tuple[TakenBranch, ...]
    dead_centre: NearDeadCentre | None
    conditioning: float
    lever: float | None
    weakest: str
    problem: str
    type: Literal["inspected"] = "inspected"


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a person should know: the page has the words for each code."""

    code: Literal["seat_lost", "seat_taken", "reload"]
    type: Literal["notice"] = "notice"


@dataclass(frozen=True, slots=True)
class RecordingStatus:
    """Whether what happens is being recorded: told to everybody when that begins and ends.

    Attributes:
        on: it is.
        name: of the recording; empty if there is none, or if nothing of it could be kept.
        seconds: since it began, or how much of it is kept [s].
        text: why it ended by itself; empty if it did not.
    """

    on: bool
    name: str
    seconds: float
    text: str
    type: Literal["recording"] = "recording"


@dataclass(frozen=True, slots=True)
class Loading:
    """What the physics process is busy with, and how far it is; part 1 when it is done."""

    text: str
    part: float
    type: Literal["loading"] = "loading"


@dataclass(frozen=True, slots=True)
class Preparing:
    """What is compiled in the background after the first start; told while that goes on.

    Attributes:
        part: of the program that will be ready next; empty when all of it is.
        seconds: until that, by what was measured so far [s]; None before anything was.
        waiting: types of messages that were asked for too early, "study" for a study; they are
            followed as soon as they can be.
    """

    part: Part
    seconds: float | None
    waiting: tuple[str, ...]
    type: Literal["preparing"] = "preparing"


Down = (
    Welcome
    | SceneInfo
    | Status
    | Pong
    | Refused
    | Dropped
    | Reached
    | Inspected
    | StudyStatus
    | Notice
    | RecordingStatus
    | Loading
    | Preparing
)
