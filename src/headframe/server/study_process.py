"""The process in which studies run, one after the other, beside physics; see `study_messages`."""

from __future__ import annotations

import json
import signal
import sys
import time
import traceback
import warnings
from functools import lru_cache
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path
from typing import Any

from ..errors import HeadframeError, HeadframeWarning, StateError
from ..machine import LoadOptions, Machine
from ..workbench import STUDIES, Bench, CancelledError, checked_request
from .study_messages import (
    StudyCancelled,
    StudyDone,
    StudyFailed,
    StudyProgress,
    StudyReport,
    Task,
)

TELL_EVERY = 0.1  # [s]
MOST_PARTS = 500_000  # lists and objects in a request


def read_request(text: bytes) -> dict[str, Any]:
    """A request in JSON.

    Raises:
        StateError: no JSON object, or one of too many parts.
    """
    if text.count(b"[") + text.count(b"{") > MOST_PARTS:
        raise StateError(f"request: expected at most {MOST_PARTS} lists and objects")
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise StateError("request: expected a JSON object")
    return given


class Runner:
    """Runs tasks; `given_up` is the number up to which tasks are cancelled.

    Machines are read with the options `reading`.
    """

    def __init__(
        self, pipe: Connection, given_up: Synchronized[int], reading: LoadOptions | None = None
    ) -> None:
        self.pipe, self.given_up, self.reading = pipe, given_up, reading or LoadOptions()
        self.last_told_at = 0.0

    def say(self, report: StudyReport) -> None:
        """Send the server a report."""
        self.pipe.send(report)

    def run(self, task: Task) -> None:
        """Run a task and tell what came of it."""

        def progress(part: float, text: str) -> None:
            if task.number <= self.given_up.value:
                raise CancelledError
            now = time.monotonic()
            if now - self.last_told_at >= TELL_EVERY:
                self.last_told_at = now
                self.say(StudyProgress(task.number, float(part), text))

        folder = Path(task.folder)
        try:
            progress(0.0, "")
            machine = _machine(task.machine, self.reading)
            state = machine.home if task.standing is None else task.standing.of(machine)
            kind, study = STUDIES[task.kind]
            given = task.request
            request = checked_request(
                kind, read_request(given) if isinstance(given, bytes) else given
            )
            folder.mkdir(parents=True, exist_ok=True)
            outcome = study(Bench(machine, state, folder, progress, task.number), request)
            json.dumps(outcome.facts, allow_nan=False)  # what is no JSON is a defect of the study
            self.say(StudyDone(task.number, outcome))
        except CancelledError:
            self.say(StudyCancelled(task.number))
        except HeadframeError as error:
            self.say(StudyFailed(task.number, str(error)))
        except (EOFError, ConnectionError):
            raise  # the server hung up
        except OSError as error:  # a disk that is full
            reason = (error.strerror or "it cannot be written").lower()
            self.say(StudyFailed(task.number, f"its files cannot be kept: {reason}"))
        except Exception as error:  # a defect of ours: the next study may do better
            traceback.print_exc(file=sys.stderr)
            self.say(StudyFailed(task.number, f"{type(error).__name__}: {error}"))


@lru_cache(maxsize=2)
def _machine(name: str, reading: LoadOptions) -> Machine:
    with warnings.catch_warnings():  # its notes were told when it was chosen
        warnings.simplefilter("ignore", HeadframeWarning)
        return reading.load(name)


def main(pipe: Connection, given_up: Synchronized[int], reading: LoadOptions) -> None:
    """Run in a process of its own until the pipe is closed."""
    for name in ("SIGINT", "SIGTERM"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    runner = Runner(pipe, given_up, reading)
    try:
        while (task := pipe.recv()) is not None:
            runner.run(task)
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
