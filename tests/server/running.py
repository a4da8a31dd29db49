"""A real server in a process of its own, and clients that talk with it."""

from __future__ import annotations

import atexit
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import httpx
from websockets.sync.client import connect

from headframe.protocol import VERSION, decode

BEAT = 0.05
LONG = 60.0
PROGRAM = (sys.executable, "-m", "headframe")


class Running:
    """`headframe run`, or another command that serves; its addresses and its end.

    What a test that failed has left running is killed with the tests' process.
    """

    def __init__(self, *arguments, env=None, command="run", program=PROGRAM, cwd=None):
        self.process = subprocess.Popen(
            [*program, command, "--no-browser", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(env or {})},
            cwd=cwd,
        )
        atexit.register(self.process.kill)  # does nothing where it has ended
        self.addresses = [self.process.stdout.readline().strip() for _ in range(2)]
        if not all(self.addresses):
            raise RuntimeError(self.rest())
        pattern = r"(http://(.+):(\d+))/(?:\?[\w=&]+)?#(\w+)=([\w-]+)"
        parts = [re.fullmatch(pattern, address) for address in self.addresses]
        self.base, self.host, port = parts[0][1], parts[0][2], parts[0][3]
        self.port = int(port)
        self.tokens = {part[4]: part[5] for part in parts}

    def stop(self, number=signal.SIGTERM):
        """Exit code, seconds, and what it said on standard error."""
        started = time.monotonic()
        self.process.send_signal(number)
        said = self.rest()
        atexit.unregister(self.process.kill)
        return self.process.returncode, time.monotonic() - started, said

    def rest(self, seconds=20):
        """What it says on standard error before it ends; it is killed where it does not."""
        try:
            return self.process.communicate(timeout=seconds)[1]
        except BaseException:
            self.process.kill()
            raise

    def get(self, path, **options):
        return httpx.get(self.base + path, **options)

    def post(self, path, **options):
        return httpx.post(self.base + path, **options)

    def cookie(self, role):
        answer = self.post("/session", json={"token": self.tokens[role]})
        assert answer.status_code == 200, answer.text
        return dict(answer.cookies)

    def bearer(self, role):
        return {"Authorization": f"Bearer {self.tokens[role]}"}

    @contextmanager
    def talk(self, role="operator", headers=None, origin=None, hello=True, unread=None):
        """A client; `unread` is how many messages it takes in before it is asked for them."""
        with connect(
            f"{self.base.replace('http', 'ws')}/ws",
            additional_headers=self.bearer(role) if headers is None else headers,
            origin=origin,
            max_size=None,
            max_queue=unread,
            close_timeout=10
            if unread is None
            else 0.5,  # it closes behind frames that it never reads
            compression=None,
        ) as socket:
            talker = Talker(socket)
            if hello:
                talker.send(type="hello", version=VERSION)
                talker.until(lambda: talker.status and talker.frame, LONG)
            yield talker


class Talker:
    """Remembers the newest of everything that the server says."""

    def __init__(self, socket):
        self.socket = socket
        self.welcome = self.scene = self.status = self.frame = None
        self.refused, self.notices, self.pongs, self.frames = [], [], 0, 0
        self.prepared = []  # what compiles in the background

    def send(self, **message):
        self.socket.send(json.dumps(message))

    def take(self, timeout=LONG):
        said = self.socket.recv(timeout=timeout)
        if isinstance(said, bytes):
            self.frame = decode(said)
            self.frames += 1
            return
        message = json.loads(said)
        match message["type"]:
            case "welcome" | "scene" | "status" as kind:
                setattr(self, kind, message)
            case "preparing":
                self.prepared.append(message)
            case "refused":
                self.refused.append(message)
            case "notice":
                self.notices.append(message["code"])
            case "pong":
                self.pongs += 1

    def until(self, condition, timeout=10.0):
        """Listen until something is so."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"status {self.status}, refused {self.refused}")
            self.take(max(end - time.monotonic(), 0.01))

    def listen(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                self.take(left)
            except TimeoutError:
                return

    def beat(self, levers=None, age=0.0, present=True):
        self.send(type="levers", levers=levers or {}, age=age, present=present, sent=0.0)

    def hold(self, seconds, levers=None):
        """Hold levers for a while, as a page does."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.beat(levers)
            self.listen(BEAT)

    def hold_until(self, condition, levers=None, timeout=8.0):
        """Hold levers until something is so."""
        end = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError(f"status {self.status}")
            self.hold(BEAT, levers)

    def alive(self):
        """Let the levers come alive."""
        while self.status["presence"]:
            self.hold(0.1)

    def refusal(self, **message):
        """Send what must be refused; gives back why."""
        before = len(self.refused)
        self.send(**message)
        self.until(lambda: len(self.refused) > before)
        return self.refused[-1]["text"]

    def choose(self, name):
        """Drive another machine of the catalogue."""
        number = self.scene["number"]
        self.send(type="choose_machine", name=name)
        self.until(lambda: self.scene["number"] > number and self.frame.scene > number, LONG)
        assert self.scene["machine"]["name"] == name

    def length(self, cylinder):
        names = [c["name"] for c in self.scene["machine"]["cylinders"]]
        return self.frame.lengths[names.index(cylinder)]

    def fresh(self):
        """Everything as at the start, for the next test."""
        self.alive()
        if self.scene["machine"]["name"] != "roadheader":
            self.choose("roadheader")
        self.send(type="release")
        self.send(type="restart")
        self.send(type="time_scale", scale=1.0)
        self.send(type="set_physics", dynamics=False, formulation="auto", gravity=9.81)
        self.hold(0.3)
        self.refused.clear()
        self.notices.clear()
