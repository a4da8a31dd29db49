"""Ends a process in which a test goes on long after its time is up.

pytest-timeout raises in a test, once. What waits after that (for a process in a `with`, a thread,
the end of a fixture) waits for ever, and so does compiled code, which no signal interrupts. So some
time later the name of the test and the stacks of all threads are printed and the process ends, with
all that it has started; pytest-xdist then tells which test it was and goes on with the others.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading
from collections.abc import Generator
from typing import Any

import psutil
import pytest

GRACE = 60.0  # for a test that was told to end, and for its fixtures [s]
DEAF = 10.0  # longer than that no thread gets its turn: something compiled goes on [s]


def watch(config: pytest.Config, grace: float = GRACE) -> None:
    """Watch over every test of a run."""
    assert sys.__stderr__ is not None
    config.pluginmanager.register(Overtime(os.dup(sys.__stderr__.fileno()), grace))


class Overtime:
    """A plugin that adds to the limits of pytest-timeout.

    Args:
        stderr: where to write, which no test may close: a number of a file.
        grace: seconds between the end of a test's time and that of the process.
    """

    def __init__(self, stderr: int, grace: float = GRACE) -> None:
        self.stderr, self.grace = stderr, grace
        self._timer: threading.Timer | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        try:
            return (yield)
        finally:
            self.disarm()

    @pytest.hookimpl(wrapper=True, optionalhook=True)
    def pytest_timeout_set_timer(
        self, item: pytest.Item, settings: Any
    ) -> Generator[None, Any, Any]:
        if settings.timeout and sys.gettrace() is None:  # nobody looks at it with a debugger
            self.arm(item.nodeid, settings.timeout + self.grace)
        return (yield)

    def pytest_enter_pdb(self) -> None:
        self.disarm()

    def arm(self, name: str, seconds: float) -> None:
        self.disarm()
        self._timer = threading.Timer(seconds, self.end, (name,))
        self._timer.daemon = True
        self._timer.start()
        faulthandler.dump_traceback_later(seconds + DEAF, exit=True, file=self.stderr)

    def disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            faulthandler.cancel_dump_traceback_later()

    def end(self, name: str) -> None:
        text = f"\n{name}\nwent on for {self.grace:g} s after its time was up. It was here:\n"
        os.write(self.stderr, text.encode())
        faulthandler.dump_traceback(self.stderr)
        for child in psutil.Process().children(recursive=True):
            child.kill()
        os._exit(1)
