"""The page as a panel in the hand: telephones upright and lying, a small tablet."""

import pytest
from cab import Cab
from deep import ALL, uncovered
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


@pytest.fixture(params=SIZES)
def hand(request, chromium, server, visit):
    """The operator's page in a window of this size, with touch."""
    width, height = SIZES[request.param]
    context = chromium.new_context(
        viewport={"width": width, "height": height}, locale="en-GB", has_touch=True
    )
    yield visit(server.addresses[0], context=context).fresh()
    context.close()


def complaints(cab, controls):
    """What is too small, too wide, covered or cut."""
    found = cab.page.evaluate(SMALL, LEAST) + cab.page.evaluate(WIDE)
    return found + [name for name in controls if not uncovered(cab, name)]


def levers(cab):
    return [f"lever-{group['name']}" for group in cab.machine["groups"]]


@pytest.mark.parametrize("machine", MACHINES)
def test_levers_and_stop_are_in_reach(hand, machine):
    hand.fresh(machine)
    bar = ["chooser", "seat", "menu", "pause", "rewind"]
    assert complaints(hand, [*levers(hand), "estop", *bar]) == []
    heights = [hand.find(name).bounding_box()["y"] for name in ("chooser", "menu")]
    assert heights[0] == pytest.approx(heights[1], abs=2)  # one row
    assert hand.page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


def test_windows_and_tools_leave_the_stop_free(hand):
    for window in ("menu", "chooser"):
        hand.find(window).tap()
        assert complaints(hand, ["estop", "close"]) == []
        hand.find("close").tap()
    for tool in ("reach", "plots", "controls", "record"):
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

    hand.hold(grasp, let_go, f"{hand.longer('boom')} && {hand.longer('telescope')}")
    assert hand.tell("[hands.lever('boom'), hands.lever('telescope')]") == [1, 1]
    let_go()
    assert hand.tell("hands.neutral")
    hand.standing("boom")


def test_the_stop_stops_by_a_finger(hand):
    hand.find("estop").tap()
    hand.until("facts.status.emergency")
    assert complaints(hand, ["estop", "release"]) == []
    hand.find("release").tap()
    hand.until("!facts.status.emergency")
