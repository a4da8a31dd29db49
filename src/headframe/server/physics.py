"""The physics process as the server sees it: started, listened to, and started again."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from .cast import Whence
from .worker import Checkpoint, Order, main

WAITING = 1000  # orders that a process may leave unread
PATIENCE = 5.0  # longest silence of a process that has a machine [s]
LAST_WAIT = 0.3  # for a process to end by itself [s]

Report = Callable[[tuple[Any, ...]], None]


class Physics:
    """Runs the physics process; `report` gets what it says, in a thread of its own.

    Beside the worker's own reports there is ("ended", reason): the process died or hangs.
    """

    def __init__(self, whence: Whence, dynamics: bool, report: Report) -> None:
        """Hold the settings; `start` starts."""
        self._settings = whence, dynamics
        self._report = report
        self._process: BaseProcess | None = None
        self._orders: queue.Queue[Order | None] = queue.Queue(WAITING)
        self._heard = 0.0
        self._generation = 0

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """Number of the process."""
        return None if self._process is None else self._process.pid

    def start(
        self, whence: Whence | None = None, checkpoint: Checkpoint | None = None, scene: int = 0
    ) -> None:
        """Start a process.

        Args:
            whence: what it drives; that of the settings if None.
            checkpoint: where another process was, to go on from there.
            scene: number of the last scene that was shown.
        """
        self.stop()
        first, *others = self._settings
        settings = (whence or first, *others)
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=main,
            args=(theirs, *settings, checkpoint, scene),
            daemon=True,
            name="physics",
        )
        process.start()
        theirs.close()
        self._generation += 1
        self._process, self._orders = process, queue.Queue(WAITING)
        self._heard = float("inf")  # it may take its time to load
        for work in (self._listen, self._send):
            threading.Thread(
                target=work, args=(ours, self._orders, self._generation), daemon=True
            ).start()

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        self._generation += 1
        if process is None:
            return
        if not self._orders.full():
            self._orders.put_nowait(None)
            process.join(LAST_WAIT)
        if process.is_alive():
            process.kill()
            process.join(LAST_WAIT)

    def order(self, order: Order) -> bool:
        """Pass an order on; False where the process does not take any more."""
        try:
            self._orders.put_nowait(order)
        except queue.Full:
            return False
        return True

    def check(self) -> None:
        """Notice a process that hangs: it says nothing, though it should tick."""
        if self._process is not None and time.monotonic() - self._heard > PATIENCE:
            self.stop()
            self._report(("ended", f"the physics process did not answer for {PATIENCE:g} s"))

    # --------------------------------------------------------------- threads

    def _listen(self, pipe: Connection, orders: queue.Queue[Order | None], generation: int) -> None:
        """Report what the process says until it ends."""
        try:
            while True:
                said = pipe.recv()
                if generation != self._generation:
                    return
                busy = said[0] == "loading" and said[2] < 1.0
                self._heard = float("inf") if busy else time.monotonic()
                self._report(said)
        except (EOFError, OSError):
            pass
        if not orders.full():
            orders.put_nowait(None)  # ends the other thread
        if generation == self._generation:
            process = self._process
            if process is not None:
                process.join(1.0)
            code = None if process is None else process.exitcode
            self._report(("ended", f"the physics process ended (exit code {code})"))

    def _send(self, pipe: Connection, orders: queue.Queue[Order | None], _number: int) -> None:
        """Pass orders on until one is None, which tells the process to end."""
        order: Order | None = Order(-1, 0.0, None)
        with contextlib.suppress(OSError, ValueError):
            while order is not None:
                order = orders.get()
                pipe.send(order)
