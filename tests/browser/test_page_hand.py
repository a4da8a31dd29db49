"""The page as a panel in the hand: telephones upright and lying, a small tablet."""

import time

import pytest
from cab import Cab
from deep import ALL, AT, uncovered
from playwright.sync_api import expect

SIZES = {"upright": (390, 844), "lying": (844, 390), "tablet": (768, 1024)}
MACHINES = ("roadheader", "lhd", "tcchs")
LEAST = 44  # of what a finger has to meet [px]
SMALL = f"""(least) => {ALL}
  .filter((e) => e.matches("button, select, input:not([type=file]), [role=slider]"))
  .filter((e) => e.checkVisibility({{ visibilityProperty: true }}))
  .map((e) => [e, (e.closest("label") ?? e).getBoundingClientRect()])
  .filter(([, {{ width, height }}]) => Math.min(width, height) < least - 0.5)
  .map(([e, {{ width, height }}]) => `${{e.dataset.testid ?? e.outerHTML}} ${{width}}x${{height}}`)
"""
WIDE = f"""() => {ALL}
  .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + 0.5)
  .map((e) => `${{e.localName}}.${{e.className}} ${{e.getBoundingClientRect().right}}`)"""


# numbers that are not whole in the window, lie under something, or are cut off by what holds them;
# `scrolled` if what can be scrolled may be
HIDDEN = f"""(scrolled) => {{
  const held = (e) => e.closest(".cell") ?? e.closest("dl") ?? e.parentElement;
  const within = (a, b) => a.left > b.left - 1 && a.right < b.right + 1 && a.bottom < b.bottom + 1;
  if (!scrolled) for (const e of {ALL}) if (e.matches(".banks")) e.scrollTop = 0;
  const shown = {ALL}
    .filter((e) => e.matches(".numbers b, .numbers .unit, [data-testid=time], dd, dt"))
    .filter((e) => scrolled || e.getRootNode().host.localName !== "hf-motor")
    .filter((e) => e.checkVisibility({{ visibilityProperty: true }}));
  const bad = shown.filter((e) => {{
    if (scrolled) e.scrollIntoView({{ block: "nearest", behavior: "instant" }});
    const box = e.getBoundingClientRect(), {{ left, top, right, bottom }} = box;
    if (box.width * box.height === 0 || left < 0 || top < 0) return true;
    if (right > innerWidth || bottom > innerHeight) return true;
    if (!within(box, held(e).getBoundingClientRect())) return true;
    if (getComputedStyle(e).pointerEvents === "none") return false; // no finger meets it anyway
    let at = ({AT})((left + right) / 2, (top + bottom) / 2);
    while (at && at !== held(e)) at = at.parentNode ?? at.host;
    return !at;
  }});
  return [shown.length, bad.map((e) => `${{held(e).innerText}}: ${{e.innerText}}`)];
}}"""
DRAWN = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""
TOOLS = (
    "reach", "workspace", "path", "inspect", "topology", "plots", "record", "controls", "machine",
)  # fmt: skip


@pytest.fixture(params=SIZES)
def hand(request, touched):
    """The operator's page in a window of this size, with touch."""
    return resized(touched, request.param)


def resized(cab, size):
    width, height = SIZES[size]
    cab.page.set_viewport_size({"width": width, "height": height})
    cab.page.evaluate(DRAWN)
    return cab


def complaints(cab, controls):
    """What is too small, too wide, covered or cut."""
    found = cab.page.evaluate(SMALL, LEAST) + cab.page.evaluate(WIDE)
    return found + [name for name in controls if not uncovered(cab, name)]


def levers(cab):
    return [f"lever-{group['name']}" for group in cab.machine["groups"]]


@pytest.mark.parametrize("machine", MACHINES)
def test_levers_and_stop_are_in_reach(touched, machine):
    touched.fresh(machine)
    bar = ["chooser", "seat", "menu", "pause", "rewind"]
    for size in SIZES:
        hand = resized(touched, size)
        assert complaints(hand, [*levers(hand), "estop", *bar]) == [], size
        heights = [hand.find(name).bounding_box()["y"] for name in ("chooser", "menu")]
        assert heights[0] == pytest.approx(heights[1], abs=2)  # one row
        assert hand.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("machine", MACHINES)
def test_readings_are_seen_whole(touched, machine):
    """Length, speed and force of every group, the time, and the numbers in the picture's corner."""
    touched.fresh(machine)
    for size in ("upright", "tablet"):  # lying, there is no room for the forces
        assert seen(resized(touched, size), scrolled=False) > 0
    touched.send(type="set_physics", dynamics=True)  # with buttons that take some room
    touched.until("facts.status.dynamics")
    for size in SIZES:
        hand = resized(touched, size)
        assert seen(hand, scrolled=True) >= 4 * len(hand.machine["groups"]) + 1 + 2 * 3


def seen(hand, scrolled, timeout=10.0):
    """How many readings are seen whole, once the page stands: a notice may cover one meanwhile."""
    end = time.monotonic() + timeout
    while True:
        count, bad = hand.page.evaluate(HIDDEN, scrolled)
        if not bad:
            return count
        assert time.monotonic() < end, bad
        hand.page.wait_for_timeout(200)


def test_windows_and_tools_leave_the_stop_free(hand):
    for window in ("menu", "chooser"):
        hand.find(window).tap()
        assert complaints(hand, ["estop", "close"]) == []
        hand.find("close").tap()
    for tool in TOOLS:
        hand.find("menu").tap()
        hand.find(f"tool-{tool}").tap()
        expect(hand.find(f"panel-{tool}").locator(f"hf-{tool}")).to_be_attached()
        assert complaints(hand, ["estop", "close-tool"]) == []
        hand.find("close-tool").tap()
    assert complaints(hand, [*levers(hand), "estop"]) == []


def test_two_fingers_hold_two_levers(hand: Cab):
    boxes = [hand.find(f"lever-{name}").bounding_box() for name in ("boom", "telescope")]
    places = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes]
    fingers = hand.page.context.new_cdp_session(hand.page)

    def touch(kind, up=0):
        points = [{"x": x, "y": y - up, "id": n} for n, (x, y) in enumerate(places)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def grasp():
        touch("touchStart")
        touch("touchMove", 45)

    def let_go():
        fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    both = "hands.lever('boom') === 1 && hands.lever('telescope') === 1"
    hand.hold(grasp, let_go, f"{hand.longer('boom')} && {hand.longer('telescope')} && {both}")
    let_go()
    assert hand.tell("hands.neutral")
    hand.standing("boom")


def test_the_stop_stops_by_a_finger(hand):
    hand.find("estop").tap()
    hand.until("facts.status.emergency")
    assert complaints(hand, ["estop", "release"]) == []
    hand.find("release").tap()
    hand.until("!facts.status.emergency")
