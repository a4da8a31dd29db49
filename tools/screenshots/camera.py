"""Hands on a page, and the camera before it."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import FloatRect, Locator, Page

from .files import DOCS, keep

PATIENCE = 300.0  # for one picture of a renderer without a graphics card [s]
FRAMES = 3  # drawn after a change before the picture is taken: textures and cameras settle
TIME = 12.0  # simulated time that pictures of machines show [s]
ASIDE = (450, 715)  # where the mouse points at nothing
TELLS_OF_THE_COMPUTER = "hf-readouts, .banners"
ABOUT = "const { store, view } = globalThis.headframe ?? {}; const facts = store?.facts;"


class Camera:
    """Makes a page ready and takes its picture.

    The page does not draw until then, so that levers live on a computer without a graphics card.
    """

    def __init__(self, page: Page) -> None:
        self.page = page

    # ------------------------------------------------------------------ page

    def begin(self, quality: str) -> Camera:
        """Wait for the machine, take the seat, and let everything be as at the start."""
        self.until("view && store.facts.connection === 'open'")
        self.draw(False)
        self.until("facts.scene && !facts.loading && store.frame")
        if not self.tell("store.hasSeat"):
            self.send(type="take_seat")
        self.until("store.hasSeat")
        self.find("quality").select_option(quality)
        self.show(TELLS_OF_THE_COMPUTER, False)
        self.send(type="set_physics", dynamics=False)
        self.send(type="time_scale", scale=1.0)
        self.send(type="pause", on=False)
        self.send(type="restart")
        self.until("!facts.status.dynamics && !facts.status.paused && !facts.loading")
        return self.standing()

    def standing(self) -> Camera:
        """Wait until all links are in the picture."""
        self.until("facts.scene.machine.links.every(view.worldMatrix, view)")
        return self

    def tell(self, expression: str) -> Any:
        """Value of a JavaScript expression about `store`, `view` and `facts`."""
        return self.page.evaluate(f"() => {{ {ABOUT} return store ? ({expression}) : null; }}")

    def until(self, expression: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.tell(expression):
            if time.monotonic() > end:
                raise SystemExit(f"the page never came to: {expression}")
            self.page.wait_for_timeout(50)

    def send(self, **message: object) -> None:
        """Tell the server something."""
        self.page.evaluate("message => headframe.store.send(message)", message)

    def find(self, name: str) -> Locator:
        """An element by its test id."""
        return self.page.get_by_test_id(name)

    def click(self, *names: str) -> None:
        """Click on elements by their test ids, one after the other."""
        for name in names:
            self.find(name).click()

    def show(self, parts: str, on: bool) -> None:
        """Show or hide parts of the page, by a selector."""
        self.page.evaluate(
            "([parts, on]) => { const { shadowRoot } = document.querySelector('hf-app'); "
            "for (const part of shadowRoot.querySelectorAll(parts)) "
            "part.style.visibility = on ? '' : 'hidden'; }",
            [parts, on],
        )

    # --------------------------------------------------------------- machine

    def choose(self, name: str) -> None:
        """Drive another machine, and stop its time at a moment that is always the same."""
        if self.tell("facts.scene.machine.name") != name:
            number = self.tell("facts.scene.number")
            self.send(type="choose_machine", name=name)
            self.until(f"facts.scene.number > {number} && !facts.loading && store.frame")
        self.standing().stop_at(TIME)

    def stop_at(self, seconds: float) -> None:
        """Pause at a moment of simulated time [s]."""
        self.send(type="pause", on=False)
        self.send(type="time_scale", scale=4.0)
        self.until(f"store.frame.time > {seconds}")
        self.send(type="time_scale", scale=1.0)
        self.send(type="rewind", time=seconds)
        self.until(f"facts.status.paused && Math.abs(store.frame.time - {seconds}) < 1e-6")

    def wait(self, seconds: float) -> None:
        """Let simulated time go on [s]."""
        self.until(f"store.frame.time > {self.tell('store.frame.time') + seconds}")

    def pause(self) -> None:
        """Let time stand still."""
        self.send(type="pause", on=True)
        self.until("facts.status.paused")

    def length(self, group: str) -> float:
        """Length of a group's first cylinder [m]."""
        return float(self.tell(length_of(group)))

    def part(self, group: str, part: float) -> float:
        """Length at a part of a group's stroke, 0 to 1 [m]."""
        found = self.tell(group_called(group))
        lower, upper = found["lower"], found["upper"]
        return float(lower + part * (upper - lower))

    def bring(self, **lengths: float) -> None:
        """Bring groups to lengths [m], all at once."""
        self.insist(
            lambda: [self.go_to(group, wanted) for group, wanted in lengths.items()],
            " && ".join(
                f"Math.abs({length_of(group)} - {wanted}) < 1e-4"
                for group, wanted in lengths.items()
            ),
        )

    def go_to(self, group: str, length: float) -> None:
        """Send a group to a length [m]."""
        self.send(type="go_to", group=group, length=length)

    def insist(self, act: Any, until: str, every: float = 3.0) -> None:
        """Do something until an expression is true; again where a late heartbeat has undone it."""
        for _ in range(int(PATIENCE / every)):
            self.until("facts.status.presence === ''")
            act()
            end = time.monotonic() + every
            while time.monotonic() < end:
                if self.tell(until):
                    return
                self.page.wait_for_timeout(50)
        raise SystemExit(f"the page never came to: {until}")

    # --------------------------------------------------------------- picture

    def look(self, view: str) -> None:
        """Choose a camera of the page."""
        self.click(f"camera-{view}")

    def stand(
        self, azimuth: float, elevation: float, distance: float, at: tuple[float, float, float]
    ) -> None:
        """Look at a place [m] from a direction [rad] and a distance [m], inside the room."""
        self.page.evaluate(
            "([azimuth, elevation, distance, at]) => { "
            "const { orbit, origin } = headframe.view.cameras; "
            "Object.assign(orbit, { azimuth, elevation, distance, touched: true }); "
            "orbit.target.fromArray(at).sub(origin); }",
            [azimuth, elevation, distance, at],
        )

    def draw(self, on: bool) -> None:
        """Let the page draw, or stand still."""
        self.page.evaluate(
            "on => { const { view } = headframe; "
            "if (on) delete view.render; else view.render = () => {}; }",
            on,
        )

    def settle(self, mouse: tuple[float, float] = ASIDE) -> None:
        """Draw what has changed, and no more."""
        self.page.evaluate(
            "for (const { id } of headframe.store.facts.toasts) headframe.store.dismiss(id)"
        )
        self.page.mouse.move(*mouse)
        self.draw(True)
        self.page.evaluate(
            "count => new Promise(done => { const more = () => "
            "count-- > 0 ? requestAnimationFrame(more) : done(); more(); })",
            FRAMES,
        )
        self.draw(False)

    def shoot(self, clip: FloatRect | None = None) -> bytes:
        """The page, or a part of it, as PNG."""
        return self.page.screenshot(clip=clip, timeout=1000 * PATIENCE, caret="hide")

    def take(self, name: str, mouse: tuple[float, float] = ASIDE) -> None:
        """Keep a picture of the page, once what has changed is drawn."""
        self.settle(mouse)
        keep(self.shoot(), DOCS / f"{name}.jpg")


def group_called(name: str) -> str:
    """Expression: a group of the driven machine."""
    return f"facts.scene.machine.groups.find((group) => group.name === '{name}')"


def length_of(group: str) -> str:
    """Expression: length of a group's first cylinder [m]."""
    return f"store.frame.lengths[{group_called(group)}.cylinders[0]]"
