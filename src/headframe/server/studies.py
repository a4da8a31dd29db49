"""Studies as the server sees them: begun, told about, given up."""

from __future__ import annotations

import contextlib
import shutil
import threading
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from ..errors import CommandError
from ..machine import LoadOptions
from ..protocol import unhandled
from ..protocol.down import StudyStatus
from ..workbench import STUDIES, Standing
from .study_messages import (
    StudyCancelled,
    StudyDone,
    StudyFailed,
    StudyProgress,
    StudyReport,
    Task,
)
from .study_process import main

KEPT = 8  # studies whose files are kept
LAST_WAIT = 0.3  # for the process to end by itself [s]


def unknown_study(kind: str) -> str:
    """What is wrong with the name of a study."""
    return f"study: found {kind[:40]!r}, expected one of {', '.join(STUDIES)}"


class Studies:
    """Runs studies in a process that is started with the first of them.

    Attributes:
        statuses: the newest of every study that is kept, by number.
    """

    def __init__(
        self,
        folder: Path,
        report: Callable[[StudyStatus], None],
        reading: LoadOptions | None = None,
        ready: Callable[[], bool] = lambda: True,
    ) -> None:
        """Keep files below `folder`.

        Args:
            folder: where files of studies are kept.
            report: called in a thread with whatever changes.
            reading: options with which machines are read.
            ready: whether studies can run yet; until then one waits for `proceed`.
        """
        self.folder, self.report, self._reading = folder, report, reading or LoadOptions()
        self.ready = ready
        self._held: Task | None = None
        self.statuses: dict[int, StudyStatus] = {}
        self._context = get_context("spawn")
        self._given_up = self._context.Value("q", 0)
        self._number = 0
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._lock, self._sending = threading.Lock(), threading.Lock()

    def begin(
        self,
        kind: str,
        machine: str,
        standing: Standing | None,
        request: Mapping[str, Any] | bytes,
    ) -> StudyStatus:
        """Begin a study of a machine as it stands, or at home; one that still runs is given up.

        A request in bytes is JSON, which the process reads: a large one takes its time.

        Raises:
            CommandError: there is no such study.
        """
        if kind not in STUDIES:
            raise CommandError(unknown_study(kind))
        self.cancel()
        self._number += 1
        status = StudyStatus(self._number, kind, "waiting", 0.0, "")
        self._set_status(status)
        self._forget()
        self._held = Task(
            self._number, kind, machine, standing, request, str(self.place(self._number))
        )
        self.proceed()
        return self.statuses[self._number]

    @property
    def waits(self) -> bool:
        """Whether a study waits until studies can run."""
        return self._held is not None

    def proceed(self) -> None:
        """Begin the study that waits, if studies can run now."""
        task = self._held
        if task is None or not self.ready():
            return
        self._held = None
        try:
            self._send(task)
        except (OSError, RuntimeError) as error:  # no process or thread to be had
            text = f"it cannot be begun: {error}"
            self._set_status(StudyStatus(task.number, task.kind, "failed", 0.0, text))

    def cancel(self) -> None:
        """Give up whatever runs or waits."""
        self._given_up.value = self._number
        task, self._held = self._held, None
        if task is not None:
            self._set_status(StudyStatus(task.number, task.kind, "cancelled", 0.0, ""))

    def place(self, number: int) -> Path:
        """Folder of a study's files."""
        return self.folder / f"study-{number}"

    def stop(self) -> None:
        """End the process."""
        self.cancel()
        process, pipe = self._process, self._pipe
        self._process = self._pipe = None
        if process is None or pipe is None:
            return
        if self._sending.acquire(timeout=LAST_WAIT):  # else it does not even read
            with contextlib.suppress(OSError):
                pipe.send(None)
            self._sending.release()
        process.join(LAST_WAIT)
        if process.is_alive():
            process.kill()
            process.join(1.0)

    # --------------------------------------------------------------- process

    def _send(self, task: Task) -> None:
        if self._process is None or not self._process.is_alive():
            self._start()
        assert self._pipe is not None
        # a large request waits in the pipe until the process is there: not in the server's loop
        threading.Thread(target=self._pass_on, args=(self._pipe, task), daemon=True).start()

    def _pass_on(self, pipe: Connection, task: Task) -> None:
        with self._sending, contextlib.suppress(OSError):
            pipe.send(task)

    def _start(self) -> None:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(
            target=main, args=(theirs, self._given_up, self._reading), daemon=True, name="studies"
        )
        process.start()
        theirs.close()
        self._process, self._pipe = process, ours
        threading.Thread(target=self._listen, args=(ours,), daemon=True).start()

    def _listen(self, pipe: Connection) -> None:
        try:
            while True:
                self._hear(pipe.recv())
        except (EOFError, OSError):
            for status in list(self.statuses.values()):
                if status.state in ("waiting", "running") and pipe is self._pipe:
                    self._set_status(
                        StudyStatus(
                            status.number, status.kind, "failed", status.part, "the process ended"
                        )
                    )

    def _hear(self, said: StudyReport) -> None:
        status = self.statuses.get(said.number)
        if status is None:
            return
        match said:
            case StudyProgress(number, part, text):
                self._set_status(StudyStatus(number, status.kind, "running", part, text))
            case StudyDone(number, outcome):
                facts, files = outcome.facts, tuple(outcome.files)
                self._set_status(StudyStatus(number, status.kind, "done", 1.0, "", facts, files))
            case StudyFailed(number, text):
                self._set_status(StudyStatus(number, status.kind, "failed", status.part, text))
            case StudyCancelled(number):
                self._set_status(StudyStatus(number, status.kind, "cancelled", status.part, ""))
            case _:
                unhandled(said, "studies")

    def _set_status(self, status: StudyStatus) -> None:
        with self._lock:
            self.statuses[status.number] = status
        self.report(status)

    def _forget(self) -> None:
        """Only the last studies keep their files."""
        with self._lock:
            old = sorted(self.statuses)[:-KEPT]
            for number in old:
                del self.statuses[number]
        for number in old:
            shutil.rmtree(self.place(number), ignore_errors=True)
