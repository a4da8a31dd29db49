"""Take pictures of the simulator's page for the documentation and for its chooser.

    python tools/screenshots.py                     all
    python tools/screenshots.py --only lhd help     some

Starts a server and a browser. For the documentation (docs/_static/page): every machine from the
camera that turns about it, the roadheader from all cameras and in dynamic mode with its boom down,
the help and the chooser. For the chooser (web/public/machines): a small picture of every machine of
the catalogue. Read-outs and banners are hidden: they tell of the computer that takes the pictures.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import FloatRect, Page, ViewportSize, sync_playwright

import browser

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "_static" / "page"
SMALL_FOLDER = ROOT / "web" / "public" / "machines"
SMALL = (400, 250)  # pixels of a small picture
MACHINES = ("door", "jumbo", "lhd", "roadheader", "shearer", "sshs", "sths", "tcchs")
CAMERAS = ("orbit", "chase", "seat", "top")
SIZE = ViewportSize(width=1280, height=720)
QUALITY = 80  # of a JPEG
LARGEST = 300_000  # bytes of a picture
PATIENCE = 300.0  # for one picture of a renderer without a graphics card [s]
PICTURES = 3  # drawn after a change before it is taken: textures and cameras settle
TIME = 12.0  # simulated time that every picture shows [s]


def main() -> int:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description="Take pictures of the simulator's page.")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="names of pictures to make")
    only = parser.parse_args().only
    path = browser.find()
    if path is None:
        print("no browser found: install chromium, or set HEADFRAME_BROWSER")
        return 1
    for folder in (FOLDER, SMALL_FOLDER):
        folder.mkdir(parents=True, exist_ok=True)
    server = subprocess.Popen(
        [sys.executable, "-m", "headframe", "run", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        with sync_playwright() as playwright:
            started = playwright.chromium.launch(executable_path=path, args=browser.flags())
            context = started.new_context(viewport=SIZE, locale="en-GB", reduced_motion="reduce")
            page = context.new_page()
            page.goto(address)
            take_all(Camera(page, only))
            started.close()
    finally:
        server.terminate()
        server.wait()
    return 0


def take_all(camera: Camera) -> None:
    """Every picture, one after the other."""
    camera.until("facts.scene && !facts.loading && store.frame && store.hasSeat")
    camera.page.get_by_test_id("quality").select_option("high")
    camera.show("hf-readouts, .banners", False)
    for name in camera.tell("facts.scene.catalogue.map(({ name }) => name)"):
        if camera.wants(name):
            camera.choose(name)
            camera.take_small(name)
            if name in MACHINES:
                camera.take(name)
    if not any(camera.wants(name) for name in (*_ROADHEADER, *_SHEETS, "roadheader_dynamic")):
        return
    camera.choose("roadheader")
    for view in CAMERAS[1:]:
        camera.look(view)
        camera.take(f"roadheader_{view}")
    camera.look("orbit")
    for name, (open_it, close_it) in _SHEETS.items():
        camera.click(open_it)
        camera.take(name)
        camera.click(close_it)
    if camera.wants("roadheader_dynamic"):
        camera.lower_boom()
        camera.take("roadheader_dynamic")


_ROADHEADER = tuple(f"roadheader_{view}" for view in CAMERAS[1:])
_SHEETS = {"help": ("help", "close"), "chooser": ("chooser", "close")}


class Camera:
    """Makes a page ready and takes its picture."""

    def __init__(self, page: Page, only: list[str] | None) -> None:
        """Look at a page; `only` names the pictures that are wanted, None means all."""
        self.page, self.only = page, only

    def wants(self, name: str) -> bool:
        """Whether a picture is to be made."""
        return self.only is None or name in self.only

    def tell(self, expression: str) -> Any:
        """Value of a JavaScript expression about `store`, `view` and `facts`."""
        return self.page.evaluate(
            "() => { const { store, view } = globalThis.headframe ?? {}; "
            f"const facts = store?.facts; return store ? ({expression}) : null; }}"
        )

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.tell(expression):
            if time.monotonic() > end:
                raise SystemExit(f"the page never came to: {expression}")
            self.page.wait_for_timeout(100)

    def send(self, message: dict[str, object]) -> None:
        """Tell the server something."""
        self.page.evaluate("message => headframe.store.send(message)", message)

    def click(self, name: str) -> None:
        """Click on an element by its test id."""
        self.page.get_by_test_id(name).click(timeout=1000 * PATIENCE)

    def choose(self, name: str) -> None:
        """Drive another machine, and stop its time at a moment that is always the same."""
        if self.tell("facts.scene.machine.name") != name:
            number = self.tell("facts.scene.number")
            self.send({"type": "choose_machine", "name": name})
            self.until(f"facts.scene.number > {number} && !facts.loading && store.frame")
        self.until("facts.scene.machine.links.every(view.worldMatrix, view)")
        self.stop_at(TIME)

    def stop_at(self, seconds: float) -> None:
        """Pause at a moment of simulated time [s]."""
        self.send({"type": "pause", "on": False})
        self.send({"type": "time_scale", "scale": 4.0})
        self.until(f"store.frame.time > {seconds}")
        self.send({"type": "time_scale", "scale": 1.0})
        self.send({"type": "rewind", "time": seconds})
        self.until(f"facts.status.paused && Math.abs(store.frame.time - {seconds}) < 1e-6")

    def look(self, view: str) -> None:
        """Choose a camera."""
        self.click(f"camera-{view}")

    def lower_boom(self) -> None:
        """Let the boom sink under its own weight."""
        self.send({"type": "restart"})
        self.send({"type": "set_physics", "dynamics": True})
        self.until("facts.status.dynamics && !facts.loading")
        self.send({"type": "pause", "on": False})
        while not self.tell("facts.status.floating.length"):  # levers are dead on a slow page
            self.until("facts.status.presence === ''")
            self.send({"type": "let_float", "group": "boom", "on": True})
            self.page.wait_for_timeout(300)
        self.until("store.frame.lengths[2] < 1.5 && Math.abs(store.frame.speeds[2]) < 0.01")
        self.send({"type": "pause", "on": True})
        self.until("facts.status.paused")

    def take(self, name: str) -> None:
        """Take a picture, once what has changed is drawn."""
        if not self.wants(name):
            return
        self.settle()
        path = FOLDER / f"{name}.jpg"
        quality = QUALITY
        while True:
            self.page.screenshot(
                path=path, type="jpeg", quality=quality, timeout=1000 * PATIENCE, caret="hide"
            )
            size = path.stat().st_size
            if size <= LARGEST or quality <= 40:
                break
            quality -= 10
        tell_of(path)

    def take_small(self, name: str) -> None:
        """Take a small picture of the machine alone, from where it is seen whole."""
        canvas = self.canvas()
        spare = round(canvas["height"] - canvas["width"] * SMALL[1] / SMALL[0])
        self.page.set_viewport_size(
            ViewportSize(width=SIZE["width"], height=SIZE["height"] - spare)
        )
        self.show(".top, .toasts", False)
        self.settle()
        taken = self.page.screenshot(clip=self.canvas(), timeout=1000 * PATIENCE)
        self.show(".top, .toasts", True)
        self.page.set_viewport_size(SIZE)
        picture = Image.open(io.BytesIO(taken)).convert("RGB")
        wide = min(picture.width, picture.height * SMALL[0] / SMALL[1])
        high = wide * SMALL[1] / SMALL[0]
        left, top = (picture.width - wide) / 2, (picture.height - high) / 2
        picture = picture.resize(
            SMALL, Image.Resampling.LANCZOS, (left, top, left + wide, top + high)
        )
        picture.save(SMALL_FOLDER / f"{name}.jpg", quality=QUALITY, optimize=True)
        tell_of(SMALL_FOLDER / f"{name}.jpg")

    def canvas(self) -> FloatRect:
        """Where the picture is on the page [pixels]."""
        found = self.page.locator("canvas").bounding_box()
        assert found is not None
        return found

    def show(self, parts: str, on: bool) -> None:
        """Show or hide what lies over the picture, by a selector."""
        self.page.evaluate(
            "([parts, on]) => { const { shadowRoot } = document.querySelector('hf-app'); "
            "for (const part of shadowRoot.querySelectorAll(parts)) "
            "part.style.visibility = on ? '' : 'hidden'; }",
            [parts, on],
        )

    def settle(self) -> None:
        """Wait until what has changed is drawn."""
        self.page.evaluate(
            "for (const { id } of headframe.store.facts.toasts) headframe.store.dismiss(id)"
        )
        self.page.mouse.move(450, 700)
        self.page.evaluate(
            "count => new Promise(done => { const more = () => "
            "count-- > 0 ? requestAnimationFrame(more) : done(); more(); })",
            PICTURES,
        )


def tell_of(path: Path) -> None:
    """Print what was made."""
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size / 1000:.0f} kB", flush=True)


if __name__ == "__main__":
    sys.exit(main())
