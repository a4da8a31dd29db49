"""Tells people that kernels are being compiled."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing import parent_process
from typing import Any

from numba.core import event

PROGRESS = "HEADFRAME_PROGRESS"  # environment: whether this process tells of what it compiles
TOLD_EVERY = 5.0  # seconds between two lines on what is compiled
PACKAGE = __name__.partition(".")[0]


class CompileProgress(event.Listener):  # type: ignore[misc]
    """Tells on standard error that kernels are compiled, at once and then now and then.

    Numba tells of kernels that are compiled, not of those that are read from the cache.

    Attributes:
        declared: kernels of all rooms that are loaded; a program uses some of them.
        done: those that this process has compiled, for whatever types.
    """

    def __init__(self) -> None:
        self.declared = 0
        self.done: set[Callable[..., Any]] = set()
        self._under_way = 0
        self._began = 0.0

    def on_start(self, event: Any) -> None:
        """Numba begins to compile a kernel, maybe within another one."""
        self._under_way += 1
        if not self._began and parent_process() is None:
            self._began = time.monotonic()
            say("compiling kernels, which are kept for the next time")
            threading.Thread(target=self._tell, daemon=True).start()

    def on_end(self, event: Any) -> None:
        """A kernel is done; Numba compiles functions of its own, too."""
        self._under_way -= 1
        function = event.data["dispatcher"].py_func
        if function.__module__.partition(".")[0] == PACKAGE:
            self.done.add(function)

    def _tell(self) -> None:
        while True:
            time.sleep(TOLD_EVERY)
            if self._under_way:
                passed = time.monotonic() - self._began
                done = len(self.done)
                say(f"  {done} of at most {self.declared} kernels compiled, {passed:.0f} s")


def say(text: str) -> None:
    """Tell on standard error: standard output belongs to what a command answers."""
    print(text, file=sys.stderr, flush=True)


progress = CompileProgress()
if os.environ.get(PROGRESS):
    event.register("numba:compile", progress)
