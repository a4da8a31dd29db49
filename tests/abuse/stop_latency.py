"""How long the emergency stop takes while orders pile up: python tests/abuse/stop_latency.py.

A viewer presses it; told is the time until its page shows it, obeyed the time until a frame of
physics does.
"""

import json
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "server"))

from running import Running

from headframe.protocol import decode
from headframe.protocol.frame_layout import Flags


class Watch:
    """A viewer that notes when it first sees the stop."""

    def __init__(self, talker):
        self.talker, self.told, self.obeyed = talker, None, None
        self.ready, self.over = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        while not self.over.is_set():
            try:
                said = self.talker.socket.recv(timeout=0.5)
            except TimeoutError:
                continue
            now = time.monotonic()
            if isinstance(said, bytes):
                self.ready.set()
                if self.obeyed is None and decode(said).flags & Flags.EMERGENCY:
                    self.obeyed = now
            elif self.told is None and json.loads(said).get("emergency"):
                self.told = now

    def press(self, patience=30.0):
        """Seconds until it was told, and until it was obeyed."""
        started = time.monotonic()
        self.talker.send(type="emergency_stop")
        while (self.told is None or self.obeyed is None) and time.monotonic() < started + patience:
            time.sleep(1e-3)
        self.over.set()
        self.thread.join(20.0)
        return tuple(None if at is None else at - started for at in (self.told, self.obeyed))


def many_steps(operator):
    """200 orders of a thousand substeps."""
    operator.send(type="set_physics", dynamics=True)
    operator.hold(1.0)
    operator.send(type="pause", on=True)
    operator.until(lambda: operator.status["paused"])
    for _ in range(200):
        operator.send(type="step", count=1000)


def many_machines(operator):
    """20 changes of the machine."""
    for n in range(20):
        operator.send(type="choose_machine", name=("lhd", "roadheader")[n % 2])


def measure(server, piled_up, wait=0.3):
    """Seconds until the stop is told and obeyed, `wait` seconds after orders were piled up."""
    with server.talk("viewer") as viewer, server.talk() as operator:
        watch = Watch(viewer)
        operator.send(type="take_seat")
        operator.until(lambda: operator.status["seat"] == operator.welcome["client"])
        operator.alive()
        piled_up(operator)
        operator.listen(wait)
        took = watch.press()
        operator.until(lambda: operator.status["emergency"])
        operator.until(lambda: operator.frame.flags & Flags.EMERGENCY, 60.0)
        operator.alive()
        operator.send(type="release")
        operator.until(lambda: not operator.status["emergency"], 60.0)
        operator.send(type="pause", on=False)
        operator.listen(0.2)
    return took


if __name__ == "__main__":
    running = Running("--port", "0", "lhd")
    try:
        for piled_up in (lambda operator: None, many_steps, many_machines):
            told, obeyed = measure(running, piled_up)
            name = (piled_up.__doc__ or "Nothing waits.").strip(".")
            print(f"{name}: told after {1e3 * told:.1f} ms, obeyed after {1e3 * obeyed:.1f} ms")
    finally:
        running.stop()
