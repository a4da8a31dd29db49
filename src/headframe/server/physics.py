"""The physics process as the server sees it: started, listened to, and started again."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from ..machine import LoadOptions
from ..protocol.down import Loading
from .cast import SceneChoice
from .messages import (
    Checkpoint,
    Order,
    OrderDone,
    OrderReplaced,
    PhysicsEnded,
    PipeReport,
    Report,
)
from .order_queue import OrderQueue
from .shared import Shared
from .worker import main

PATIENCE = 5.0  # longest silence of a process that has a machine [s]
BUSY_PATIENCE = 30.0  # longest time without a sign of life of one that loads [s]
LONGEST_BUSY = 600.0  # longest time that loading takes, kernels being compiled for the first time
LAST_WAIT = 0.3  # for a process to end by itself [s]


class PhysicsProcess:
    """Runs the physics process; `report` gets what it says, in a thread of its own.

    Beside the worker's reports there are `PhysicsEnded` and `OrderReplaced`.
    """

    def __init__(
        self,
        choice: SceneChoice,
        dynamics: bool,
        report: Callable[[Report], None],
        reading: LoadOptions | None = None,
    ) -> None:
        """Hold the settings; `start` starts."""
        self._settings = choice, dynamics, reading or LoadOptions()
        self._report = report
        self._process: BaseProcess | None = None
        self._orders = OrderQueue()
        self._shared = Shared()
        self._busy = False
        self._heard = self._beat = 0.0  # when it last said something, and showed a sign of life
        self._beats = 0
        self._generation = 0

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.is_alive()

    @property
    def pid(self) -> int | None:
        """Number of the process."""
        return None if self._process is None else self._process.pid

    @property
    def pressed(self) -> int:
        """How often the emergency stop has been pressed."""
        return self._shared.pressed

    def press(self) -> None:
        """Press the emergency stop, past all orders that wait."""
        self._shared.press()

    def start(
        self,
        choice: SceneChoice | None = None,
        checkpoint: Checkpoint | None = None,
        scene: int = 0,
        released: int = 0,
    ) -> None:
        """Start a process.

        Args:
            choice: what it drives; that of the settings if None.
            checkpoint: where another process was, to go on from there.
            scene: number of the last scene that was shown.
            released: how often the emergency stop had been pressed when it was last released.

        Raises:
            OSError: the computer has no room for it.
        """
        self.stop()
        first, *others = self._settings
        settings = (choice or first, *others)
        context = get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=main,
            args=(theirs, *settings, checkpoint, scene, self._shared, released),
            daemon=True,
            name="physics",
        )
        try:
            process.start()
        except OSError:
            ours.close()
            raise
        finally:
            theirs.close()
        self._generation += 1
        self._process, self._orders = process, OrderQueue()
        self._busy = True  # it may take its time to load
        self._heard = self._beat = time.monotonic()
        for work in (self._listen, self._send):
            threading.Thread(
                target=work, args=(ours, self._orders, self._generation), daemon=True
            ).start()

    def stop(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        self._generation += 1
        self._orders.end()  # which tells the process to end
        if process is None:
            return
        process.join(LAST_WAIT)
        if process.is_alive():
            process.kill()
            process.join(LAST_WAIT)

    def order(self, order: Order) -> bool:
        """Pass an order on; False where the process does not take any more."""
        if not self.alive:
            return False
        dropped = self._orders.put(order)
        for old in dropped or ():
            self._report(OrderReplaced(old))
        return dropped is not None

    def check(self) -> None:
        """Notice a process that hangs: it says nothing, though it should tick."""
        now, beats = time.monotonic(), self._shared.beats
        if beats != self._beats:
            self._beats, self._beat = beats, now
        if self._process is None:
            return
        if self._busy:
            hangs = now - self._beat > BUSY_PATIENCE or now - self._heard > LONGEST_BUSY
            patience = BUSY_PATIENCE if now - self._beat > BUSY_PATIENCE else LONGEST_BUSY
        else:
            hangs, patience = now - self._heard > PATIENCE, PATIENCE
        if hangs:
            self.stop()
            self._report(PhysicsEnded(f"the physics process did not answer for {patience:g} s"))

    # --------------------------------------------------------------- threads

    def _listen(self, pipe: Connection, orders: OrderQueue, generation: int) -> None:
        """Report what the process says until it ends."""
        try:
            while True:
                said: PipeReport = pipe.recv()
                if generation != self._generation:
                    return
                if isinstance(said, Loading):
                    self._busy = said.part < 1.0
                self._heard = time.monotonic()
                if isinstance(said, OrderDone):
                    orders.followed()
                else:
                    self._report(said)
        except (EOFError, OSError):
            pass
        finally:
            orders.end()  # ends the other thread
        if generation == self._generation:
            process = self._process
            if process is not None:
                process.join(1.0)
            code = None if process is None else process.exitcode
            self._report(PhysicsEnded(f"the physics process ended (exit code {code})"))

    def _send(self, pipe: Connection, orders: OrderQueue, _number: int) -> None:
        """Pass orders on; at their end tell the process to end, too."""
        with contextlib.suppress(OSError, ValueError):
            while (order := orders.get()) is not None:
                pipe.send(order)
            pipe.send(None)
