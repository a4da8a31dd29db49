"""Records what physics tells, in a thread of its own, so that nothing waits for a disk."""

from __future__ import annotations

import contextlib
import errno
import os
import queue
import shutil
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from ..errors import HeadframeError, RecordingError
from ..export import machine_info
from ..machine import LoadOptions
from ..protocol import BODIES, bodies_of, header_of, whole
from ..protocol.down import RecordingStatus, SceneInfo, SessionStatus
from ..recordings import (
    About,
    Circumstances,
    Package,
    RunWriter,
    Shelf,
    default_name,
    glance,
    open_run,
    pack,
)

WAITING = 3600  # frames that may wait for the disk: a minute of them
MOST_BYTES = 2**30  # of a recording, which ends by itself then
LEAST_FREE = 2**28  # bytes of the disk that must be free before a recording begins
RESERVE = 2**26  # bytes of the disk that a recording leaves to others
LOOK_EVERY = 60  # frames: how often file and disk are looked at
FULL = "it has become as large as a recording may be"
SLOW = "the disk does not follow"
NO_SPACE = "the disk is full"
NO_QUOTA = "the user's share of the disk is used up"
GONE = "its file was removed"
OTHER_UNIT = "another unit is driven"

Ended = Callable[["Job", RecordingStatus], None]


@dataclass(frozen=True)
class Driven:
    """The machine that is driven: its scene, its name or path, its shapes."""

    scene: SceneInfo
    machine: str
    shapes: bytes


class MachinePacker:
    """Packs the machine that is driven, once; reading it takes a second."""

    def __init__(self, reading: LoadOptions | None = None) -> None:
        """Read machines with these options."""
        self._reading = reading or LoadOptions()
        self._lock = threading.Lock()
        self._packed: tuple[int, Package] | None = None

    def pack(self, driven: Driven) -> Package:
        """The machine's files.

        Raises:
            RecordingError: they are no longer those of the machine that is driven.
        """
        with self._lock:
            if self._packed is None or self._packed[0] != driven.scene.number:
                self._packed = driven.scene.number, self._read(driven)
            return self._packed[1]

    def _read(self, driven: Driven) -> Package:
        try:
            machine = self._reading.load(driven.machine)
            same = machine_info(machine.mechanism) == driven.scene.machine
            packed = pack(machine)
        except RecordingError:
            raise
        except HeadframeError:
            same, packed = False, Package({})
        if not same:
            raise RecordingError(
                f"the file of {driven.scene.machine.name!r} has changed: choose the machine again"
            )
        return packed


@dataclass(eq=False)
class Job:
    """A recording that is being made: where it goes, of what, and the frames that wait.

    `epoch` and `began` are its start on the wall clock and on the monotonic one [ns].
    """

    name: str
    file: IO[bytes]
    driven: Driven
    status: SessionStatus | None
    epoch: int = field(default_factory=time.time_ns)
    began: int = field(default_factory=time.monotonic_ns)
    frames: queue.Queue[tuple[int, bytes] | None] = field(
        default_factory=lambda: queue.Queue(WAITING)
    )
    bodies: NDArray[np.float32] = field(init=False)
    unit: int | None = None
    over: bool = False
    why: str = ""

    def __post_init__(self) -> None:
        """Loose bodies lie where they were at first, until frames tell otherwise."""
        self.bodies = lying_at_first(self.driven.scene)

    def end(self, why: str) -> None:
        """Let it come to its end, after the frames that wait."""
        self.over, self.why = True, self.why or why
        with contextlib.suppress(queue.Full):
            self.frames.put_nowait(None)

    def next(self) -> tuple[int, bytes] | None:
        """The next frame; None when there will be none."""
        while True:
            try:
                return self.frames.get(timeout=1.0)
            except queue.Empty:
                if self.over:
                    return None

    def about(self, package: Package) -> About:
        """What the recording tells of itself."""
        scene, status = self.driven.scene, self.status
        how = Circumstances(scene.environment)
        if status is not None:
            how = Circumstances(
                scene.environment, status.dynamics, status.formulation, status.integrator,
                status.gravity, status.step,
            )  # fmt: skip
        return About(
            machine=scene.machine,
            circumstances=how,
            started=self.epoch,
            fingerprint=package.fingerprint,
            files=tuple(package.files),
            headframe=__version__,
            scene=scene.name,
            bodies=bodies_in(scene),
        )


def bodies_in(scene: SceneInfo) -> tuple[str, ...]:
    """Names of the loose bodies of a scene, in the order in which frames have them."""
    return tuple(thing.name for thing in scene.things if not thing.fixed)


def lying_at_first(scene: SceneInfo) -> NDArray[np.float32]:
    """Loose bodies of a scene as frames have them, (n, BODIES.width)."""
    rows = [
        (n, *thing.position, *thing.quaternion)
        for n, thing in enumerate(scene.things)
        if not thing.fixed
    ]
    return np.array(rows, np.float32).reshape(-1, BODIES.width)


def take_bodies(told: NDArray[np.float32], bodies: NDArray[np.float32]) -> None:
    """Let bodies be where rows of a frame tell; of those that nobody knows nothing is taken."""
    numbers = told[:, 0].astype(np.int64)
    known = (numbers >= 0) & (numbers < len(bodies))
    bodies[numbers[known]] = told[known]


class FrameRecorder:
    """One recording at a time.

    `offer` takes frames in the thread that has them; a thread of the recording's own writes them.
    """

    def __init__(self, shelf: Shelf, packer: MachinePacker, ended: Ended) -> None:
        """Wait for `start`; `ended` is called in a recording's thread when it is finished."""
        self._shelf, self._packer, self._ended = shelf, packer, ended
        self._job: Job | None = None
        # number of the scene, and rows of the bodies that frames of it told of, by their number
        self._seen: tuple[int, dict[int, NDArray[np.float32]]] = (-1, {})
        self._starting = threading.Lock()
        self._unfinished: set[str] = set()
        self._threads: list[threading.Thread] = []

    @property
    def name(self) -> str:
        """Name of the recording that is being made; empty if none is."""
        return "" if self._job is None else self._job.name

    @property
    def unfinished(self) -> frozenset[str]:
        """Names of recordings that are being made, or written to their end."""
        return frozenset(self._unfinished)

    def state(self) -> RecordingStatus:
        """What pages are told."""
        if self._job is None:
            return RecordingStatus(False, "", 0.0, "")
        return RecordingStatus(True, self.name, (time.monotonic_ns() - self._job.began) * 1e-9, "")

    def start(self, name: str, driven: Driven, status: SessionStatus | None) -> str:
        """Begin a recording; the name that it got.

        Raises:
            RecordingError: one is being made, or it cannot be kept under that name.
        """
        with self._starting:  # two who ask at once come here in two threads
            return self._start(name, driven, status)

    def _start(self, name: str, driven: Driven, status: SessionStatus | None) -> str:
        if self._job is not None:
            raise RecordingError(f"{self.name!r} is being recorded")
        wanted = name.strip() or default_name(driven.scene.machine.name, datetime.now())
        plain, file = self._shelf.create(wanted)
        try:
            free = shutil.disk_usage(self._shelf.folder).free
        except OSError:
            free = 0
        if free < LEAST_FREE:
            file.close()
            self._shelf.delete(plain)
            raise RecordingError(NO_SPACE)
        self._job = Job(plain, file, driven, status)
        self._unfinished.add(plain)
        thread = threading.Thread(target=self._write, args=(self._job,), daemon=True)
        self._threads = [t for t in self._threads if t.is_alive()] + [thread]
        thread.start()
        return plain

    def offer(self, frame: bytes) -> None:
        """Record a frame, if a recording is being made."""
        head, told = header_of(frame), bodies_of(frame)
        if head["scene"] != self._seen[0]:
            self._seen = head["scene"], {}
        self._seen[1].update((int(row[0]), row) for row in told)
        job = self._job
        if job is None:
            return
        if job.unit is None:
            job.unit = head["unit"]
            if self._seen[1]:  # where bodies lay when it began
                take_bodies(np.array(list(self._seen[1].values())), job.bodies)
        elif job.unit != head["unit"]:
            self.stop(OTHER_UNIT)
            return
        take_bodies(told, job.bodies)
        try:
            at = job.epoch + time.monotonic_ns() - job.began
            job.frames.put_nowait((at, whole(frame, job.bodies)))
        except queue.Full:
            self.stop(SLOW)

    def stop(self, why: str = "") -> None:
        """End the recording, if one is being made."""
        job, self._job = self._job, None
        if job is not None:
            job.end(why)

    def wait(self, seconds: float = 10.0) -> None:
        """Wait until everything is on the disk."""
        for thread in self._threads:
            thread.join(seconds)

    def _write(self, job: Job) -> None:
        """Write a recording; runs in a thread of its own."""
        seconds: float | None = None
        try:
            with job.file as file:
                why, seconds = self._write_frames(job, file)
        except RecordingError as error:
            why = str(error)
        except OSError as error:
            why = _reason(error)
        except Exception as error:  # a defect of ours: the recording ends, driving goes on
            traceback.print_exc(file=sys.stderr)
            why = f"{type(error).__name__}: {error}"
        if seconds is None and why != GONE:  # what can be read of it is kept
            seconds = self._readable(job.name)
        if seconds is None and why != GONE:
            with contextlib.suppress(RecordingError):
                self._shelf.delete(job.name)
        self._unfinished.discard(job.name)
        name = "" if seconds is None else job.name
        self._ended(job, RecordingStatus(False, name, seconds or 0.0, why or job.why))

    def _write_frames(self, job: Job, file: IO[bytes]) -> tuple[str, float | None]:
        """Write the frames that come; why there are no more, and how long it is [s].

        None in place of seconds: it has not a single moment.

        Raises:
            RecordingError, OSError: it cannot be written any further.
        """
        package = self._packer.pack(job.driven)
        writer = RunWriter(file, job.about(package), package, job.driven.shapes)
        why = ""
        while not why and (said := job.next()) is not None:
            writer.add(*said)
            if writer.count % LOOK_EVERY == 0:
                why = self._must_end(job.name, file)
        writer.close()
        if not self._lies_there(job.name, file):
            raise RecordingError(GONE)
        return why, writer.seconds if writer.count else None

    def _must_end(self, name: str, file: IO[bytes]) -> str:
        """Why a recording cannot go on; empty if it can."""
        if not self._lies_there(name, file):
            raise RecordingError(GONE)
        if file.tell() > MOST_BYTES:
            return FULL
        if shutil.disk_usage(self._shelf.folder).free < RESERVE:
            return NO_SPACE
        return ""

    def _lies_there(self, name: str, file: IO[bytes]) -> bool:
        """Whether the file that is written still lies under its name."""
        try:
            return os.path.samestat(os.fstat(file.fileno()), self._shelf.path(name).stat())
        except (OSError, RecordingError):
            return False

    def _readable(self, name: str) -> float | None:
        """Seconds of a recording that broke off which can be read; None if there is no moment."""
        try:
            path = self._shelf.path(name)
            open_run(path)
            return glance(path).seconds
        except RecordingError:
            return None

    def forget(self, job: Job) -> None:
        """A recording has come to its end by itself."""
        if self._job is job:
            self._job = None


def _reason(error: OSError) -> str:
    """Why a disk did not take something, in words."""
    known = {errno.ENOSPC: NO_SPACE, errno.EDQUOT: NO_QUOTA}
    return known.get(error.errno or 0) or (error.strerror or "it cannot be written").lower()
