"""A page of the simulator, and the hands on it."""

from __future__ import annotations

import contextlib
import re
import time

import numpy as np

LONG = 60.0  # for a picture, or a machine, on a slow computer [s]
LEAVE_FOCUS = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  at?.blur();
}"""
SIZE = {"width": 1280, "height": 720}


class Cab:
    """What a test sees of a page and does to it; `page` is Playwright's.

    Problems that the browser tells (errors of scripts, requests that fail) are collected in
    `problems`, apart from those that a test expects; `always` are expected of this page.
    """

    def __init__(self, page, always=()):
        self.page, self.always = page, tuple(always)
        self.problems, self.expected, self.requests = [], [*always], []
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._console)
        page.on("requestfailed", self._failed)
        page.on("request", lambda request: self.requests.append(request.url))

    def _console(self, message):
        if message.type == "error":
            self.problems.append(f"console: {message.text} {message.location.get('url', '')}")

    def _failed(self, request):
        if "ERR_ABORTED" not in (request.failure or ""):  # the page was left or reloaded
            self.problems.append(f"request: {request.url} {request.failure}")

    def forget(self):
        """Another test begins: nothing has happened yet."""
        for events in (self.problems, self.expected, self.requests):
            events.clear()
        self.expects(*self.always)

    def expects(self, *patterns):
        """Some problems are what the test is about."""
        self.expected += patterns

    @property
    def surprises(self):
        return [p for p in self.problems if not any(re.search(e, p) for e in self.expected)]

    # ------------------------------------------------------------------ facts

    def find(self, name):
        """An element by its test id; shadow roots are looked into."""
        return self.page.get_by_test_id(name)

    def tell(self, expression):
        """Value of a JavaScript expression about `store`, `view`, `hands` and `facts`."""
        return self.page.evaluate(_script(expression))

    def until(self, expression, timeout=LONG):
        """Wait until an expression is true."""
        end = time.monotonic() + timeout
        while not self.tell(expression):
            if time.monotonic() > end:
                status = self.tell("JSON.stringify(facts.status)")
                raise AssertionError(f"never {expression}\nstatus {status}")
            self.page.wait_for_timeout(30)

    @property
    def status(self):
        return self.tell("facts.status")

    @property
    def machine(self):
        return self.tell("facts.scene.machine")

    @property
    def time(self):
        return self.tell("store.frame.time")

    def index(self, group):
        """Index of a group's first cylinder."""
        return next(g for g in self.machine["groups"] if g["name"] == group)["cylinders"][0]

    def length(self, group):
        return self.tell(f"store.frame.lengths[{self.index(group)}]")

    def speed(self, group):
        return self.tell(f"store.frame.speeds[{self.index(group)}]")

    def standing(self, group):
        """Length of a group, once it stands."""
        self.until(f"Math.abs(store.frame.speeds[{self.index(group)}]) < 1e-9", 20)
        return self.length(group)

    def situation(self, name):
        """The banner or overlay of a situation."""
        return self.page.locator(f'[data-situation="{name}"]')

    # ------------------------------------------------------------------ coming

    def open(self, address):
        self.page.goto(address)
        return self

    def loaded(self):
        """Wait until the machine is in the picture as a frame shows it."""
        self.until("facts.scene !== null && facts.loading === null && store.frame !== null")
        self.until("view === null || facts.scene.machine.links.every(view.worldMatrix, view)")
        return self

    def alive(self):
        """Wait until the levers live."""
        self.until("store.hasSeat && facts.status.presence === ''")
        return self

    def fresh(self, machine="roadheader"):
        """Everything as at the start, for the next test."""
        self.loaded()
        if self.page.get_by_role("dialog").count():
            self.page.keyboard.press("Escape")
        self.page.evaluate(LEAVE_FOCUS)
        self.page.evaluate("headframe.forgetTools()")
        if not self.tell("store.hasSeat"):
            self.page.evaluate("headframe.store.send({type: 'take_seat'})")
        self.alive()
        if self.machine["name"] != machine:
            number = self.tell("facts.scene.number")
            self.send(type="choose_machine", name=machine)
            self.until(f"facts.scene.number > {number}")
            self.loaded()
        self.send(type="release")
        self.send(type="restart")
        self.send(type="time_scale", scale=1)
        self.send(type="set_physics", dynamics=False, formulation="auto", gravity=9.81)
        self.until(
            "!facts.status.emergency && !facts.status.paused && facts.status.scale === 1 && "
            "!facts.status.dynamics && facts.status.gravity === 9.81 && "
            "facts.status.presence === ''"
        )
        return self

    def send(self, **message):
        """A message past the panel, to prepare something."""
        self.page.evaluate("message => headframe.store.send(message)", message)

    # ------------------------------------------------------------------- hands

    def hold(self, grasp, let_go, until, tries=5):
        """Hold something until an expression is true, and keep holding it.

        On a computer that is busy with other things a heartbeat can come late, and levers are dead
        then; or the page lets go of a lever, since it was out of sight for a moment. As a person
        would, let go and begin anew.
        """
        for _ in range(tries):
            self.alive()
            grasp()
            with contextlib.suppress(AssertionError):
                self.until(f"({until}) || facts.status.presence !== ''", LONG / tries)
            if self.tell(until) and self.tell("facts.status.presence") == "":
                return
            let_go()
        raise AssertionError(f"never {until}\nstatus {self.status}")

    def insist(self, act, until, lost, tries=6):
        """Do something until an expression is true, again where a late heartbeat has undone it.

        `lost` is an expression that is true before the server has taken it, and after it is undone.
        """
        for _ in range(tries):
            self.alive()
            act()
            with contextlib.suppress(AssertionError):
                self.until(f"({until}) || !({lost})", 5.0)
                self.until(f"({until}) || ({lost})")
            if self.tell(until):
                return
        raise AssertionError(f"never {until}\nstatus {self.status}")

    def play_path(self):
        """Play the planned path to its end, again where a late heartbeat has stopped it."""
        for _ in range(8):
            self.alive()
            self.find("path-play").click()
            with contextlib.suppress(AssertionError):
                self.until("facts.status.playing !== null", 5.0)
            if self.tell("facts.status.playing === null"):
                continue  # levers were dead just then
            ended = self.find("path-ended")
            ended.wait_for(timeout=1000 * LONG)
            if ended.inner_text() == "Played to the end.":
                return
        raise AssertionError(f"never played to the end\nstatus {self.status}")

    def drag_lever(self, group, part, until):
        """Take a lever by the mouse, move it up by a part of its way, and keep it there."""
        mouse = self.page.mouse
        box = self.find(f"lever-{group}").bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        def grasp():
            mouse.move(x, y)
            mouse.down()
            mouse.move(x, y - part * 0.5 * box["height"], steps=3)

        self.hold(grasp, mouse.up, until)

    def hold_key(self, key, until):
        """Hold a key down."""
        keyboard = self.page.keyboard
        self.hold(lambda: keyboard.down(key), lambda: keyboard.up(key), until)

    def longer(self, group, by=0.02):
        """Expression: a group is longer than now, or shorter where `by` is negative [m]."""
        sign = 1 if by > 0 else -1
        now = self.length(group)
        return f"{sign} * (store.frame.lengths[{self.index(group)}] - {now}) > {abs(by)}"

    def drive(self, key, group, by):
        """Move a group by a key."""
        self.hold_key(key, self.longer(group, by))
        self.page.keyboard.up(key)
        self.standing(group)

    def slide(self, name, part):
        """Drag the thumb of a slider to a part of its way, 0 to 1."""
        box, place = self.find(name).bounding_box(), self._thumb(name)
        upright = box["height"] > box["width"]

        def at(where):
            if upright:
                return box["x"] + box["width"] / 2, box["y"] + (1 - where) * box["height"]
            return box["x"] + where * box["width"], box["y"] + box["height"] / 2

        self.page.mouse.move(*at(place))
        self.page.mouse.down()
        self.page.mouse.move(*at(part), steps=4)
        self.page.mouse.up()

    def _thumb(self, name):
        low, value, high = self.find(name).evaluate("e => [+e.min, +e.value, +e.max]")
        return 0.02 + 0.96 * (value - low) / (high - low)

    # ----------------------------------------------------------------- picture

    def link_poses(self):
        """Pose of every link in the scene graph, (n, 4, 4), of the frame that is shown last."""
        rows = self.tell("facts.scene.machine.links.map((link) => view.worldMatrix(link))")
        return np.array(rows).reshape(-1, 4, 4).transpose(0, 2, 1)


def _script(expression):
    return (
        "() => { const { store, view, hands } = globalThis.headframe ?? {}; "
        "const facts = store?.facts; "
        f"return store === undefined ? null : ({expression}); }}"
    )


def eventually(condition, timeout=LONG, every=0.05):
    """Wait until a Python condition is true; gives back its value."""
    end = time.monotonic() + timeout
    while not (value := condition()):
        assert time.monotonic() < end, "never so"
        time.sleep(every)
    return value
