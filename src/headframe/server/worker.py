"""The physics process: one session, sixty ticks a second.

It talks with the server through a pipe, in tuples whose first part tells what they are. To it come
`Order`s; from it go

    ("loading", text, part)     what it is busy with; part 1 when that is done
    ("scene", Scene, glb, name) what there is to be seen, with the machine's shapes, and its name
    ("told", Told)              what changes now and then, ten times a second at most
    ("frame", bytes)            what moves, every tick
    ("check", Checkpoint)       from where a new process could go on, every second
    ("refused", client, about, text)
    ("reached", client, Reached)
    ("chosen", Chosen)          answer to a file: without problems if it is driven now
    ("inspected", client, Inspected)
    ("sheets", texts by name)   what pages fetch of the scene that comes next
"""

from __future__ import annotations

import contextlib
import gc
import math
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

import numpy as np
from scipy.spatial.transform import Rotation

from ..dynamics.motion.engine import INTEGRATORS
from ..errors import HeadframeError, HeadframeWarning, UnknownElementError
from ..export.scene_glb import link_scene
from ..machine import load, machines
from ..mechanism import State
from ..protocol import Frame, encode, up
from ..protocol.down import Played, Presence, Told
from ..protocol.frame import Flags
from ..sim.pacer import TICK
from ..sim.playing import Playing, read_course
from ..sim.session import Physics, Session, Target
from ..sim.simulation import FORMULATIONS
from .faults import Chosen, faults_of
from .inspecting import Inspector
from .sheets import sheets_of
from .showing import reached, scene_of

TOLD_EVERY = 6  # ticks
CHECK_EVERY = 60


@dataclass(frozen=True, slots=True)
class Order:
    """A message of a client, or of the server itself (client -1), received at `at` [s]."""

    client: int
    at: float
    message: Any


@dataclass(frozen=True, slots=True)
class Leave:
    """The seat is empty: its client closed, or another one took it."""

    reason: str


@dataclass(frozen=True, slots=True)
class DriveFile:
    """Drive a machine that came as a file."""

    key: str
    path: str


@dataclass(frozen=True, slots=True)
class PlayFile:
    """Follow a course that a study left in a file; for the rest see `up.Play`."""

    number: int
    path: str
    speed: float
    start: float
    type: str = "play"


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a machine was: enough to go on from there in a new process.

    `ring` is the size of all states that can be rewound to [bytes].
    """

    machine: str
    physics: Physics
    steps: int
    q: tuple[float, ...]
    v: tuple[float, ...]
    ring: int


class Worker:
    """Drives the session by orders and tells what comes of it."""

    def __init__(self, pipe: Connection, machine: str, scene: str, physics: Physics) -> None:
        """Wait for `load`."""
        self.pipe, self.scene_name = pipe, scene
        self.name, self.first = machine, physics
        self.scene = self.number = self.ticks = 0
        self.session: Session
        self.told: Told | None = None

    # ------------------------------------------------------------------ life

    @contextlib.contextmanager
    def busy(self, what: str) -> Iterator[None]:
        """Tell what takes its time, and when it is done: kernels may have to be compiled."""
        self.pipe.send(("loading", what, 0.0))
        try:
            yield
        finally:
            self.pipe.send(("loading", "", 1.0))

    def load(self, name: str, physics: Physics, checkpoint: Checkpoint | None = None) -> None:
        """Drive a machine; what is refused changes nothing."""
        with self.busy(f"reading {Path(name).stem}"):
            self._load(name, physics, checkpoint)

    def _load(self, name: str, physics: Physics, checkpoint: Checkpoint | None) -> None:
        machine = load(name)
        self.pipe.send(("loading", f"assembling {machine.name}", 0.3))
        session = Session(machine, physics)
        if checkpoint is not None:
            q, v = np.array(checkpoint.q), np.array(checkpoint.v)
            session.resume(State(machine.mechanism, q), v, checkpoint.steps)
        self.pipe.send(("loading", f"shaping {machine.name}", 0.6))
        shapes = link_scene(machine.robot, machine.folder)
        self.pipe.send(("loading", f"drawing {machine.name}", 0.8))
        sheets = sheets_of(machine, self.scene + 1)
        if hasattr(self, "session"):
            session.cab.emergency = self.session.cab.emergency
        self.name, self.session, self.told = name, session, None
        self.scene += 1
        self.inspector = Inspector()
        self.pipe.send(("sheets", sheets))
        self.pipe.send(
            ("scene", scene_of(self.scene, machine, self.scene_name, FORMULATIONS, INTEGRATORS),
             shapes, name)
        )  # fmt: skip
        gc.collect()
        gc.freeze()  # what a machine is made of stays: collections need not look at it again

    def run(self) -> None:
        """Tick until the server hangs up."""
        due = time.monotonic()
        while True:
            due += TICK
            self.wait(due)
            now = time.monotonic()
            if now - due > TICK:
                due = now
            self.tick(now)

    def wait(self, until: float) -> None:
        """Follow orders until a moment of real time [s]."""
        while self.pipe.poll(max(until - time.monotonic(), 0.0)):
            order = self.pipe.recv()
            if order is None:
                raise EOFError
            self.follow(order)

    def tick(self, now: float) -> None:
        """One tick: substeps, a frame, and now and then more."""
        self.ticks += 1
        started = time.perf_counter()
        try:
            self.session.tick(now)
            self.pipe.send(("frame", self.frame(started)))
        except (OSError, EOFError):
            raise
        except Exception as error:  # a defect of ours must not take the operator's session along
            trouble = f"{type(error).__name__}: {error}"
            if trouble != self.session.trouble:  # once, not sixty times a second
                traceback.print_exc(file=sys.stderr)
            self.session.trouble = trouble
        if self.ticks % TOLD_EVERY == 0:
            self.tell()
        if self.ticks % CHECK_EVERY == 0 and not self.session.trouble:
            self.pipe.send(("check", self.checkpoint()))

    # ---------------------------------------------------------------- orders

    def follow(self, order: Order) -> None:
        """Do what a message says, or tell its client why not."""
        message = order.message
        try:
            self._do(order, message)
        except HeadframeError as error:
            if isinstance(message, DriveFile):
                self.pipe.send(("chosen", Chosen(message.key, faults_of(error))))
            else:
                about = getattr(message, "type", type(message).__name__)
                self.pipe.send(("refused", order.client, about, str(error)))
        if not isinstance(message, up.Levers):
            self.tell()

    def _do(self, order: Order, message: Any) -> None:
        session = self.session
        match message:
            case up.Levers():
                session.cab.beat(order.at, message.levers, message.age, message.present)
            case Leave():
                session.cab.leave(message.reason)
            case up.GoTo():
                session.cab.go_to(message.group, message.length)
            case up.LetFloat():
                session.let_float(message.group, message.on)
            case up.SpinMotor():
                session.spin(message.motor, message.speed)
            case up.EmergencyStop():
                session.cab.stop()
            case up.Release():
                session.cab.release()
            case up.Pause():
                session.pause(message.on)
            case up.Step():
                session.step(message.count, time.monotonic())
            case up.TimeScale():
                session.pacer.scale = message.scale
            case up.Rewind():
                session.rewind(message.time)
            case up.Restart():
                session.restart()
            case up.SetPhysics():
                with self.busy("preparing physics"):
                    session.set_physics(_changed(session.physics, message))
                session.pacer.rest(time.monotonic())  # preparing is no overrun
            case up.Reach():
                target = Target(message.link, message.position, message.quaternion)
                found = reached(session.machine, session.reach(target), target, message.number)
                self.pipe.send(("reached", order.client, found))
            case up.Inspect():
                seen = self.inspector.look(session, message.number, time.monotonic())
                self.pipe.send(("inspected", order.client, seen))
            case PlayFile():
                course = read_course(Path(message.path), session.machine.robot, message.number)
                session.play(course, message.speed, message.start)
            case up.StopPlaying():
                session.stop_playing()
            case up.ChooseMachine():
                if message.name not in machines():  # files come in another way
                    raise UnknownElementError("machine", message.name, machines())
                self.load(message.name, Physics(dynamics=session.physics.dynamics))
            case DriveFile():
                with warnings.catch_warnings(record=True) as notes:
                    warnings.simplefilter("always", HeadframeWarning)
                    self.load(message.path, Physics(dynamics=session.physics.dynamics))
                told = tuple(str(note.message).removeprefix(f"{message.path}: ") for note in notes)
                self.pipe.send(("chosen", Chosen(message.key, notes=told)))

    # --------------------------------------------------------------- reports

    def frame(self, started: float) -> bytes:
        """What moves, as bytes."""
        session = self.session
        reading = session.read()
        quat = Rotation.from_matrix(reading.poses[:, :3, :3]).as_quat(scalar_first=True)
        poses = np.hstack([reading.poses[:, :3, 3], quat])
        flags = (
            Flags.PAUSED * session.paused
            | Flags.EMERGENCY * session.cab.emergency
            | Flags.DEAD * bool(session.cab.dead_man.reason)
            | Flags.DYNAMICS * session.physics.dynamics
            | Flags.TROUBLE * bool(session.trouble)
        )
        self.number += 1
        return encode(
            Frame(
                self.number, self.scene, session.time, session.oldest, session.newest, int(flags),
                session.step_time, time.perf_counter() - started, session.pacer.overruns,
                poses, reading.lengths, reading.speeds, reading.forces, reading.motors,
                reading.joints, reading.energy,
            )
        )  # fmt: skip

    def tell(self) -> None:
        """Tell what has changed, if anything has."""
        session = self.session
        motion, switches = session.motion, session.cab.switches
        told = Told(
            paused=session.paused or bool(session.trouble),
            scale=session.pacer.scale,
            dynamics=session.physics.dynamics,
            formulation=motion.formulation,
            reason=motion.reason,
            integrator=motion.integrator,
            gravity=session.physics.gravity,
            step=session.pacer.step,
            emergency=session.cab.emergency,
            presence=cast(Presence, session.cab.dead_man.reason),
            floating=tuple(sorted(switches.floating)),
            targets=dict(switches.targets),
            motors=dict(switches.motors),
            playing=_played(switches.playing, session.pacer.step),
            oldest=math.ceil(session.oldest),  # whole seconds: frames have them exactly
            newest=math.floor(session.newest),
            forgotten=session.forgotten,
            overruns=session.pacer.overruns,
            trouble=session.trouble,
        )
        if told != self.told:
            self.told = told
            self.pipe.send(("told", told))

    def checkpoint(self) -> Checkpoint:
        """Where the machine is."""
        session = self.session
        velocities = getattr(session.motion, "v", ())
        return Checkpoint(
            self.name, session.physics, session.steps, tuple(session.motion.state.q.tolist()),
            tuple(map(float, velocities)), session.ring_bytes,
        )  # fmt: skip


def _played(playing: Playing | None, step: float) -> Played | None:
    """What is played, as pages are told."""
    if playing is None:
        return None
    begun = playing.begun * step if playing.there else None
    return Played(playing.course.number, playing.rate, playing.start, begun)


def _changed(physics: Physics, message: up.SetPhysics) -> Physics:
    """These physics with what a message changes."""
    given: dict[str, Any] = {
        name: value
        for name in ("dynamics", "formulation", "gravity")
        if (value := getattr(message, name)) is not None
    }
    if message.integrator is not None:
        given["integrator"] = message.integrator or None
    elif message.formulation is not None:
        given["integrator"] = None  # another formulation's own
    return replace(physics, **given)


def main(
    pipe: Connection,
    machine: str,
    scene: str,
    dynamics: bool,
    checkpoint: Checkpoint | None,
    last_scene: int,
) -> None:
    """Run in a process of its own until the pipe is closed."""
    for name in ("SIGINT", "SIGTERM"):  # the server tells when to end
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    worker = Worker(pipe, machine, scene, Physics(dynamics=dynamics))
    worker.scene = last_scene
    try:
        worker.load(
            checkpoint.machine if checkpoint else machine,
            checkpoint.physics if checkpoint else worker.first,
            checkpoint,
        )
        worker.run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except HeadframeError as error:
        with contextlib.suppress(OSError):
            pipe.send(("failed", str(error)))
