"""Compiling in processes of their own while the program does something else.

Parts are compiled one after the other, most wanted first (see `compile_order`). The first part,
which a person waits for, has as many processes as there are processors, up to two; all others have
one of low priority.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from numba.core import event

from .cache import is_kept, note_kept
from .compile_order import PARTS, sources_of, weights
from .estimate import Estimate
from .progress import say
from .warming import end_with_parent, warm_up_file

MOST = 2  # processes that compile the first part
NICENESS = 19  # of the process that compiles the others
LAST_WAIT = 1.0  # for a process to end [s]
FIRST = next(iter(PARTS))


class Background:
    """Compiles what was never compiled before.

    Where nothing can be kept, and after a process has failed, every part counts as ready: kernels
    then compile where they are used.
    """

    def __init__(self, report: Callable[[], None]) -> None:
        """Look at what is there; `start` starts.

        Args:
            report: called in a thread after each kernel and each part.
        """
        self._report = report
        self._waiting = [part for part in PARTS if not is_kept(part)]  # in the order of work
        self._files = {part: list(sources_of(part)) for part in self._waiting}
        self._estimate = Estimate(weights() if self._waiting else {})
        self._lanes: list[Lane] = []
        self._spent = 0.0  # time of processes that have ended [s]
        self._lock = threading.RLock()
        self._stopped = False

    def is_ready(self, part: str) -> bool:
        """Whether everything of a part is compiled, so that it loads in a moment."""
        return part not in self._waiting

    @property
    def part(self) -> str:
        """What is being compiled; empty if nothing is left."""
        with self._lock:
            return self._waiting[0] if self._waiting else ""

    def seconds_to(self, part: str) -> float | None:
        """How long it will take until a part is ready [s]; None before anything is measured."""
        with self._lock:
            if part not in self._waiting:
                return 0.0
            before = self._waiting[: self._waiting.index(part) + 1]
            spent = self._spent + sum(lane.spent for lane in self._lanes)
            total = 0.0
            for each in before:
                seconds = self._estimate.seconds(each, spent)
                if seconds is None:
                    return None
                total += seconds / (max(len(self._lanes), 1) if each == FIRST else 1)
            return total

    def want(self, part: str) -> None:
        """Compile a part before the others, but for the first one."""
        with self._lock:
            if part in self._waiting and part != FIRST:
                self._waiting.remove(part)
                self._waiting.insert(int(FIRST in self._waiting), part)

    def start(self) -> None:
        """Start the processes, if there is anything to compile.

        Raises:
            OSError: the computer has no room for them.
        """
        if not self._waiting:
            return
        count = min(MOST, os.cpu_count() or 1) if FIRST in self._waiting else 1
        self._together = threading.Barrier(count)
        with self._lock:
            self._lanes = [Lane(self._compiled) for _ in range(count)]
            lanes = list(self._lanes)
        for number, lane in enumerate(lanes):
            threading.Thread(target=self._work, args=(lane, number), daemon=True).start()

    def stop(self) -> None:
        """End the processes; what they have compiled is kept."""
        with self._lock:
            self._stopped = True
            lanes, self._lanes = self._lanes, []
        for lane in lanes:
            lane.end()

    # --------------------------------------------------------------- threads

    def _work(self, lane: Lane, number: int) -> None:
        """Let a process compile until nothing is left."""
        try:
            if FIRST in self._waiting:
                self._first_part(lane, number)
            if number == 0:
                while part := self.part:
                    self._next_file(lane, part)
            self._dismiss(lane)
        except (EOFError, OSError, threading.BrokenBarrierError):
            self._give_up(lane)

    def _first_part(self, lane: Lane, number: int) -> None:
        """Share the files; one process begins with the largest, the other with the smallest.

        Two processes that keep the same kernel for different types at the same moment lose one of
        them, so that each asks for everything once more, which takes a moment.
        """
        files = self._files[FIRST]
        while True:
            with self._lock:
                if not files:
                    break
                chosen = (min if number else max)(files, key=lambda path: path.stat().st_size)
                files.remove(chosen)
            lane.compile(chosen, 0)
        self._together.wait()
        for file in sources_of(FIRST):
            lane.compile(file, 0)
        self._together.wait()
        if number == 0:
            self._finish(FIRST)

    def _next_file(self, lane: Lane, part: str) -> None:
        files = self._files[part]
        if files:
            lane.compile(files.pop(0), NICENESS)
        if not files:
            self._finish(part)

    def _finish(self, part: str) -> None:
        note_kept(part)
        with self._lock:
            self._estimate.finished(part)
            self._waiting.remove(part)
        self._report()

    def _dismiss(self, lane: Lane) -> None:
        """A process has done its work."""
        with self._lock, contextlib.suppress(ValueError):
            self._lanes.remove(lane)
            self._spent += lane.spent
        lane.end()

    def _give_up(self, lane: Lane) -> None:
        """A process has ended before its time: let everything compile where it is used."""
        with self._lock:
            if self._stopped or not self._waiting:
                return
            self._waiting.clear()
        self._together.abort()
        say(
            f"compiling in the background ended early (exit code {lane.exit_code()}): what is "
            "missing compiles when it is used"
        )
        self.stop()
        self._report()

    def _compiled(self, module: str, kernel: str) -> None:
        with self._lock:
            self._estimate.compiled(module, kernel)
        self._report()


class Lane:
    """A process that compiles files, one after the other."""

    def __init__(self, compiled: Callable[[str, str], None]) -> None:
        """Start it; `compiled` hears of each kernel, by module and name."""
        self._compiled = compiled
        self._past = self._began = 0.0
        context = get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=main, args=(theirs,), daemon=True, name="compiling")
        self._process.start()
        theirs.close()

    @property
    def spent(self) -> float:
        """Time that it has compiled for [s]."""
        return self._past + (time.monotonic() - self._began if self._began else 0.0)

    def compile(self, file: Path, niceness: int) -> None:
        """Wait until the kernels of a file are compiled.

        Raises:
            EOFError, OSError: the process ended.
        """
        self._began = time.monotonic()
        self._pipe.send((file, niceness))
        while (told := self._pipe.recv()) is not None:
            self._compiled(*told)
        self._past, self._began = self.spent, 0.0

    def end(self) -> None:
        """End the process, in the middle of a kernel if need be."""
        self._process.terminate()
        self._process.join(LAST_WAIT)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(LAST_WAIT)

    def exit_code(self) -> int | None:
        """How the process ended."""
        self._process.join(LAST_WAIT)
        return self._process.exitcode


class _Teller(event.Listener):  # type: ignore[misc]
    """Tells of every kernel that Numba has compiled."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def on_start(self, event: Any) -> None:
        """Numba begins to compile a function."""

    def on_end(self, event: Any) -> None:
        """A function is compiled."""
        function = event.data["dispatcher"].py_func
        self._pipe.send((function.__module__, function.__qualname__))


def main(pipe: Connection) -> None:
    """Compile files in a process of its own: each answered by its kernels, and None at its end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # meant for the parent, which ends this one
    end_with_parent()
    event.register("numba:compile", _Teller(pipe))
    try:
        while True:
            file, niceness = pipe.recv()
            _be_nice(niceness)
            try:
                warm_up_file(file)
            except Exception:  # a defect of ours: whoever uses the kernel will hear of it
                traceback.print_exc(file=sys.stderr)
            pipe.send(None)
    except (EOFError, OSError):
        return


def _be_nice(niceness: int) -> None:
    """Let other processes go first, where the system knows such a thing."""
    if hasattr(os, "nice"):
        os.nice(max(niceness - os.nice(0), 0))
