"""Take pictures of the scenes for the documentation.

    python tools/scene_pictures.py

Starts a server and a browser. An operator of this program's own brings machines into position by
the socket: supports of the longwall lowered in a wave, the yard's loader with its bucket up. Then
the page opens, and its pictures go to docs/_static/workbench.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from typing import Any

from playwright.sync_api import Browser, sync_playwright
from websockets.sync.client import ClientConnection, connect

import browser
from headframe.protocol import VERSION, decode
from screenshots import QUALITY, ROOT, SIZE, Camera, tell_of

FOLDER = ROOT / "docs" / "_static" / "workbench"
BEAT = 0.05
DEPTH = 0.5  # by which legs are lowered at most [m]
WAVE = 18  # supports from crest to crest
LEVELS = 7


class Hands:
    """An operator at the socket, with levers neutral."""

    def __init__(self, socket: ClientConnection) -> None:
        """Take the seat."""
        self.socket = socket
        self.scene: dict[str, Any] = {}
        self.status: dict[str, Any] = {}
        self.frame: Any = None
        self.send({"type": "hello", "version": VERSION})
        self.send({"type": "take_seat"})
        self.until(lambda: bool(self.status and self.scene and self.frame is not None))
        self.until(lambda: not self.status["presence"])

    def send(self, message: dict[str, Any]) -> None:
        """Say something."""
        self.socket.send(json.dumps(message))

    def until(self, condition: Any) -> None:
        """Beat and listen until something is so."""
        end = time.monotonic() + 120.0
        while not condition():
            if time.monotonic() > end:
                raise SystemExit("the server never came to that")
            self.send({"type": "levers", "levers": {}, "age": 0.0, "present": True, "sent": 0.0})
            beat = time.monotonic() + BEAT
            while (left := beat - time.monotonic()) > 0.0:
                try:
                    self.take(self.socket.recv(timeout=left))
                except TimeoutError:
                    break

    def take(self, said: str | bytes) -> None:
        """Remember the newest of everything."""
        if isinstance(said, bytes):
            self.frame = decode(said)
            return
        message = json.loads(said)
        if message["type"] == "scene":
            self.scene = message
        elif message["type"] == "status":
            self.status = message

    def bring(self, lengths: dict[str, float]) -> None:
        """Bring groups of the selected units to lengths [m]; again where a late beat undid it."""
        groups = {g["name"]: g["cylinders"][0] for g in self.scene["machine"]["groups"]}

        def there() -> bool:
            return all(
                abs(self.frame.lengths[groups[name]] - wanted) < 1e-4
                for name, wanted in lengths.items()
            )

        while not there():
            self.until(lambda: not self.status["presence"])
            for group, length in lengths.items():
                self.send({"type": "go_to", "group": group, "length": length})
            again = time.monotonic() + 3.0
            self.until(lambda again=again: there() or time.monotonic() > again)

    def length(self, group: str) -> float:
        """Length of a group now [m]."""
        groups = {g["name"]: g["cylinders"][0] for g in self.scene["machine"]["groups"]}
        return float(self.frame.lengths[groups[group]])

    def select(self, units: list[str] | None) -> None:
        """Select units of the driven stand."""
        stand = self.scene["stands"][self.scene["driven"]]
        self.send({"type": "select", "stand": stand["name"], "units": units})
        wanted = units or stand["units"]
        self.until(lambda: self.status["selected"] == wanted)

    def finish(self) -> None:
        """Pause."""
        self.send({"type": "pause", "on": True})
        self.until(lambda: self.status["paused"])


def lower_in_a_wave(hands: Hands) -> None:
    """Legs of a longwall's supports, level by level."""
    hands.send({"type": "time_scale", "scale": 4.0})
    units = hands.scene["stands"][0]["units"]
    legs = {name: hands.length(name) for name in ("front_legs", "rear_legs")}
    levels: dict[int, list[str]] = {}
    for n, name in enumerate(units):
        part = 0.5 - 0.5 * math.cos(2 * math.pi * (n - 49) / WAVE)
        levels.setdefault(round(part * (LEVELS - 1)), []).append(name)
    for level, names in sorted(levels.items()):
        if level:
            hands.select(names)
            depth = DEPTH * level / (LEVELS - 1)
            hands.bring({name: length - depth for name, length in legs.items()})
    hands.select(["50", "51", "52"])


def lift_bucket(hands: Hands) -> None:
    """The yard's loader with its bucket up."""
    hands.send({"type": "time_scale", "scale": 4.0})
    hands.bring({"lift": hands.length("lift") + 0.25})


SCENES = {"longwall": lower_in_a_wave, "yard": lift_bucket}


def main() -> int:
    """Make the pictures."""
    path = browser.find()
    if path is None:
        print("no browser found: install chromium, or set HEADFRAME_BROWSER")
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=browser.flags())
        for name in sys.argv[1:] or SCENES:
            picture(started, name)
        started.close()
    return 0


def picture(started: Browser, name: str) -> None:
    """One scene."""
    server = subprocess.Popen(
        [sys.executable, "-m", "headframe", "run", "--no-browser", "--port", "0", "--scene", name],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        base, token = address.split("/#operator=")
        with connect(
            f"{base.replace('http', 'ws')}/ws",
            additional_headers={"Authorization": f"Bearer {token}"},
            compression=None,
            max_size=None,
        ) as socket:
            hands = Hands(socket)
            SCENES[name](hands)
            hands.finish()
        context = started.new_context(viewport=SIZE, locale="en-GB", reduced_motion="reduce")
        camera = Camera(context.new_page(), None)
        camera.page.goto(address, wait_until="commit", timeout=300_000)
        camera.until("facts.scene && !facts.loading && store.frame && store.hasSeat")
        camera.page.get_by_test_id("quality").select_option("high")
        camera.until("view.quality === 'high'")
        camera.show("hf-readouts, .banners", False)
        print(camera.tell("view.stats()"), flush=True)
        camera.settle()
        file = FOLDER / f"scenes_{name}.jpg"
        camera.page.screenshot(path=file, type="jpeg", quality=QUALITY, timeout=300_000)
        print(camera.tell("view.stats()"), flush=True)
        tell_of(file)
        context.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
