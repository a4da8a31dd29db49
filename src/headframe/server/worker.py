"""The physics process: one session, sixty ticks a second.

It talks with the server through a pipe: `messages` has all that is said there.
"""

from __future__ import annotations

import contextlib
import gc
import math
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, cast

import numpy as np

from ..dynamics import INTEGRATORS
from ..errors import CommandError, HeadframeError, HeadframeWarning, UnknownElementError
from ..machine import LoadOptions, machines
from ..mechanism import Floats, State
from ..protocol import Flags, Frame, encode, unhandled, up
from ..protocol.down import Loading, Played, Presence, Refused, SessionStatus
from ..sim import FORMULATION_NAMES, TICK, Physics, Playing, Session, Target, read_course
from ..staging import scenes
from ..workbench import Standing
from .cast import Cast, SceneChoice, file_stem, frame_poses
from .faults import Chosen, faults_of
from .inspecting import Inspector
from .lying import Lying
from .messages import (
    Checkpoint,
    ClientReply,
    DriveFile,
    FrameReport,
    Leave,
    Order,
    OrderDone,
    OrderMessage,
    PhysicsFailed,
    PipeReport,
    PlayFile,
    SceneReport,
    SheetsReport,
    StopReleased,
)
from .shapes import SceneShapes
from .shared import Shared
from .sheets import sheets_of
from .showing import reach_message, scene_of

STATUS_EVERY = 6  # ticks
TUNNEL = "tunnel"  # has room for whatever machine comes
CHECK_EVERY = 60
BEAT = 0.25  # between signs of life [s]
STILL = (  # what is done though the emergency stop was pressed after it was ordered
    up.Levers, Leave, up.EmergencyStop, up.Release, up.Pause, up.TimeScale, up.StopPlaying,
    up.Inspect, up.ChooseMachine, up.ChooseScene, DriveFile,
)  # fmt: skip


class Worker:
    """Drives the session by orders and tells what comes of it."""

    def __init__(
        self,
        pipe: Connection,
        machine: str,
        scene: str,
        physics: Physics,
        shared: Shared | None = None,
        released: int = 0,
        reading: LoadOptions | None = None,
    ) -> None:
        """Wait for `load`.

        Args:
            pipe: to the server.
            machine: the first machine, by name or path.
            scene: the first scene, by name or path.
            physics: how it moves at first.
            shared: what the server sees too; a new one if None.
            released: how often the emergency stop had been pressed when it was last released.
            reading: how files of machines are read.
        """
        self.pipe, self.started, self.reading = pipe, scene, reading
        self.shared = shared or Shared()
        self._released = self._seen = released
        self.name, self.first = machine, physics
        self.scene = self.number = self.ticks = 0
        self.session: Session
        self.cast: Cast
        self.shapes = SceneShapes()
        self._started_name = ""
        self.last_status: SessionStatus | None = None

    # ------------------------------------------------------------------ life

    def say(self, report: PipeReport) -> None:
        """Send the server a report."""
        self.pipe.send(report)

    @contextlib.contextmanager
    def busy(self, what: str) -> Iterator[None]:
        """Tell what takes its time, and when it is done: kernels may have to be compiled."""
        self.say(Loading(what, 0.0))
        try:
            yield
        finally:
            self.say(Loading("", 1.0))

    def load(self, name: str, physics: Physics, checkpoint: Checkpoint | None = None) -> None:
        """Drive a machine as the scene's guest; what is refused changes nothing."""
        scene = self.cast.source if hasattr(self, "cast") else self.started
        self.stage(SceneChoice(scene, name), physics, checkpoint)

    def stage(
        self, choice: SceneChoice, physics: Physics, checkpoint: Checkpoint | None = None
    ) -> None:
        """Go to a scene and drive one of its machines; what is refused changes nothing."""
        with self.busy(f"reading {file_stem(choice.guest or choice.scene)}"):
            cast = Cast(choice, self.reading)
            self._keep_standing(cast)
            if checkpoint is not None:
                for position, joints in enumerate(checkpoint.joints[: len(cast.kinds)]):
                    cast.stand(position, joints)
            self._drive(cast, physics, checkpoint)

    def _keep_standing(self, cast: Cast) -> None:
        """In the same scene, machines that are there again stay where they are."""
        if not hasattr(self, "cast") or self.cast.source != cast.source:
            return
        self._let_stand()
        there = {kind.name: n for n, kind in enumerate(cast.kinds)}  # its file may have changed
        for kind in self.cast.kinds[: len(self.cast.staged.scene.machines)]:
            if kind.name in there:
                cast.stand(there[kind.name], kind.joints)

    def _let_stand(self) -> None:
        """Tell the cast where the machines have come to."""
        session, cast = self.session, self.cast
        cast.stand(cast.driven, session.joints)
        if session.machine.robot.base == "free":
            unit, state = cast.now.first + session.selected[0], session.motion.state
            cast.place_unit(unit, state.q, state.base)
        for number, (q, base) in session.other_states().items():
            cast.place_unit(number, q, base)

    def _drive(
        self, cast: Cast, physics: Physics, checkpoint: Checkpoint | None = None,
        lying: Floats | None = None,
    ) -> None:  # fmt: skip
        """A session with the kind that is driven; loose bodies may lie elsewhere than at first."""
        kind, machine = cast.now, cast.now.machine
        self.say(Loading(f"assembling {machine.name}", 0.3))
        if checkpoint is not None:
            lying = checkpoint.bodies
        session = Session(
            machine, physics, bases=None if kind.alone else kind.bases, joints=kind.joints,
            setting=cast.setting(), lying=lying,
        )  # fmt: skip
        if checkpoint is not None:
            if checkpoint.selected:
                session.select(checkpoint.selected)
            q, v = np.array(checkpoint.q), np.array(checkpoint.v)
            start = State(machine.mechanism, q, checkpoint.base)
            session.resume(start, v, checkpoint.steps)
        self.say(Loading(f"shaping {machine.name}", 0.6))
        shapes = self.shapes.of(cast)
        self.say(Loading(f"drawing {machine.name}", 0.8))
        sheets = sheets_of(machine, self.scene + 1)
        if hasattr(self, "session"):
            session.cab.emergency = self.session.cab.emergency
        session.check_stop = self.check_stop
        self.name, self.cast, self.session, self.last_status = kind.source, cast, session, None
        self._seen = self._released
        self.check_stop()  # it may have been pressed meanwhile
        self.scene += 1
        self.inspector, self.lying = Inspector(), Lying()
        self.say(SheetsReport(sheets))
        own = {source: name for name, source in self._own_scene().items()}
        known = tuple(dict.fromkeys((*scenes(), *own.values())))
        scene = scene_of(self.scene, cast, self.shapes, known, FORMULATION_NAMES, INTEGRATORS)
        scene = replace(scene, name=own.get(cast.source, scene.name))
        choice = replace(cast.choice, started=self.started)
        self.say(SceneReport(scene, shapes, choice))
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
        """Follow orders until a moment of real time [s], at least one of those that wait."""
        while self.pipe.poll(max(until - time.monotonic(), 0.0)):
            order = self.pipe.recv()
            if order is None:
                raise EOFError
            self.follow(order)
            self.say(OrderDone())
            if time.monotonic() >= until:  # a tick is due, however many orders wait
                return

    def check_stop(self) -> bool:
        """Look at the emergency stop; true if it was pressed since it was last looked at."""
        pressed = self.shared.pressed
        if pressed <= max(self._seen, self._released):
            return False
        self._seen = pressed
        self.session.cab.stop()
        return True

    def tick(self, now: float) -> None:
        """One tick: substeps, a frame, and now and then more."""
        self.ticks += 1
        started = time.perf_counter()
        seen = self._seen
        self.check_stop()
        try:
            self.session.tick(now)
            frame = self.frame(started)
            self.say(FrameReport(frame, Standing.at(self.session.motion.state).packed()))
        except (OSError, EOFError):
            raise
        except Exception as error:  # a defect of ours must not take the operator's session along
            trouble = f"{type(error).__name__}: {error}"
            if trouble != self.session.trouble:  # once, not sixty times a second
                traceback.print_exc(file=sys.stderr)
            self.session.trouble = trouble
        if self.ticks % STATUS_EVERY == 0 or self._seen != seen:
            self.tell_status()
        if self.ticks % CHECK_EVERY == 0 and not self.session.trouble:
            self.say(self.checkpoint())

    # ---------------------------------------------------------------- orders

    def follow(self, order: Order) -> None:
        """Do what a message says, or tell its client why not."""
        message = order.message
        self.check_stop()
        try:
            if order.pressed < self._seen and not isinstance(message, STILL):
                raise CommandError("the emergency stop was pressed meanwhile")
            self._do(order, message)
        except HeadframeError as error:
            self._refuse(order, error)
        except (OSError, EOFError) as error:
            if self.pipe.closed or isinstance(error, EOFError | ConnectionError):
                raise  # the server hung up
            self._refuse(order, CommandError(f"{type(error).__name__}: {error}"))
        except Exception as error:  # a defect of ours must not take the operator's session along
            traceback.print_exc(file=sys.stderr)
            self._refuse(order, CommandError(f"a defect: {type(error).__name__}: {error}"))
        if not isinstance(message, up.Levers):
            self.tell_status()

    def _refuse(self, order: Order, error: HeadframeError) -> None:
        """Tell whose message it was why nothing came of it."""
        message = order.message
        if isinstance(message, DriveFile):
            self.say(Chosen(message.key, faults_of(error)))
        else:
            about = getattr(message, "type", type(message).__name__)  # of an order nobody knows
            self.say(ClientReply(order.client, Refused(about, str(error))))

    def _do(self, order: Order, message: OrderMessage) -> None:
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
                self._release(order)
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
                found = reach_message(
                    session.machine, session.reach(target), target, message.number
                )
                self.say(ClientReply(order.client, found))
            case up.Inspect():
                seen = self.inspector.look(session, message.number, time.monotonic())
                self.say(ClientReply(order.client, seen))
            case PlayFile():
                course = read_course(Path(message.path), session.machine.robot, message.number)
                session.play(course, message.speed, message.start)
            case up.StopPlaying():
                session.stop_playing()
            case up.Select():
                self.select(message.stand, message.units)
            case up.ChooseScene():
                self._choose_scene(message)
            case up.ChooseMachine():
                _check_known(message.name)
                self.load(message.name, Physics(dynamics=session.physics.dynamics))
            case DriveFile():
                with warnings.catch_warnings(record=True) as notes:
                    warnings.simplefilter("always", HeadframeWarning)
                    roomy = self.cast.staged.scene.guest is not None
                    scene = self.cast.source if roomy else TUNNEL
                    physics = Physics(dynamics=session.physics.dynamics)
                    self.stage(SceneChoice(scene, message.path), physics)
                told = tuple(str(note.message).removeprefix(f"{message.path}: ") for note in notes)
                self.say(Chosen(message.key, notes=told))
            case _:
                unhandled(message, "physics process")

    def _release(self, order: Order) -> None:
        """Release the emergency stop, unless it was pressed again meanwhile."""
        if order.pressed < self.shared.pressed:
            raise CommandError("the emergency stop was pressed again")
        self.session.cab.release()
        self._released = order.pressed
        self.say(StopReleased(order.pressed))

    def select(self, stand: str, units: Sequence[str] | None) -> None:
        """Drive units of a stand; of another kind in a new session, all staying where they are."""
        position = self.cast.position(stand)
        wanted = self.cast.kinds[position].numbers(units)
        if position == self.cast.driven:
            self.session.select(wanted)
            self.session.pacer.rest(time.monotonic())
            return
        if not self.session.cab.dead_man.neutral:
            raise CommandError("units are selected with all levers neutral")
        before = self.cast.driven
        with self.busy(f"preparing {stand}"):
            self._let_stand()
            self.cast.driven = position
            old = self.session
            physics = replace(old.physics, formulation="auto", integrator=None)
            try:  # how it is computed depends on the machine; all else goes on
                self._drive(self.cast, physics, lying=old.body_poses)
            except HeadframeError:
                self.cast.driven = before
                raise
            self.session.select(wanted)
            self.session.paused = old.paused or bool(old.trouble)
            self.session.pacer.scale = old.pacer.scale

    def _choose_scene(self, message: up.ChooseScene) -> None:
        """Scenes of the catalogue, and the one that the server was started with."""
        own = self._own_scene()
        if message.name not in (*scenes(), *own):
            raise UnknownElementError("scene", message.name, dict.fromkeys((*scenes(), *own)))
        if message.machine is not None:
            _check_known(message.machine)
        source = own.get(message.name, message.name)
        physics = Physics(dynamics=self.session.physics.dynamics)
        self.stage(SceneChoice(source, message.machine or ""), physics)

    def _own_scene(self) -> dict[str, str]:
        """Name and source of the scene file that the server was started with, if it was one."""
        if self.started in scenes():
            return {}
        if not self._started_name and self.cast.source == self.started:
            taken = self.cast.staged.name in scenes()
            self._started_name = f"{self.cast.staged.name}{' (file)' * taken}"
        return {self._started_name: self.started} if self._started_name else {}

    # --------------------------------------------------------------- reports

    def frame(self, started: float) -> bytes:
        """What moves, as bytes."""
        session = self.session
        reading = session.read()
        crowd = self.cast.crowd(*session.moved(), session.others_moved())
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
                frame_poses(reading.poses), reading.lengths, reading.speeds, reading.forces,
                reading.motors, reading.joints, reading.energy,
                self.cast.now.first + session.selected[0], crowd,
                self.lying.rows(reading.bodies), reading.contacts,
            )
        )  # fmt: skip

    def tell_status(self) -> None:
        """Tell what has changed, if anything has."""
        session = self.session
        motion, switches = session.motion, session.cab.switches
        now = SessionStatus(
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
            selected=tuple(self.cast.now.units[n] for n in session.selected),
        )
        if now != self.last_status:
            self.last_status = now
            self.say(now)

    def checkpoint(self) -> Checkpoint:
        """Where the machine is."""
        session = self.session
        joints = [kind.joints for kind in self.cast.kinds]
        joints[self.cast.driven] = session.joints
        return Checkpoint(
            self.name, session.physics, session.steps, tuple(session.motion.state.q.tolist()),
            tuple(session.motion.velocities.tolist()), session.ring_bytes, self.cast.choice,
            tuple(joints), session.selected, session.motion.state.base, session.body_poses,
        )  # fmt: skip


def _played(playing: Playing | None, step: float) -> Played | None:
    """What is played, as pages are told."""
    if playing is None:
        return None
    begun = playing.begun * step if playing.there else None
    return Played(playing.course.number, playing.rate, playing.start, begun)


def _check_known(machine: str) -> None:
    """Only the catalogue's machines are chosen by name; files come in another way."""
    if machine not in machines():
        raise UnknownElementError("machine", machine, machines())


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


def _beat(shared: Shared) -> None:
    """Tell that the process lives, also while it loads and says nothing."""
    while True:
        shared.beat()
        time.sleep(BEAT)


def main(
    pipe: Connection,
    choice: SceneChoice,
    dynamics: bool,
    reading: LoadOptions,
    checkpoint: Checkpoint | None,
    last_scene: int,
    shared: Shared,
    released: int,
) -> None:
    """Run in a process of its own until the pipe is closed."""
    for name in ("SIGINT", "SIGTERM"):  # the server tells when to end
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    started = choice.started or choice.scene
    threading.Thread(target=_beat, args=(shared,), daemon=True).start()
    physics = Physics(dynamics=dynamics)
    worker = Worker(pipe, choice.guest, started, physics, shared, released, reading)
    worker.scene = last_scene
    try:
        worker.stage(
            checkpoint.choice if checkpoint else choice,
            checkpoint.physics if checkpoint else worker.first,
            checkpoint,
        )
        worker.run()
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except HeadframeError as error:
        with contextlib.suppress(OSError):
            pipe.send(PhysicsFailed(str(error)))
