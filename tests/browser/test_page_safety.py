"""Dead man's switch, emergency stop and seat, as they are met on the page."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.blind

FOCUS = """
globalThis.focused = true;
globalThis.shown = "visible";
document.hasFocus = () => globalThis.focused;
Object.defineProperty(document, "visibilityState", { get: () => globalThis.shown });
Object.defineProperty(document, "hidden", { get: () => globalThis.shown === "hidden" });
"""
LOOK_AWAY = {
    "blur": "focused = false; window.dispatchEvent(new Event('blur'))",
    "hidden": "shown = 'hidden'; document.dispatchEvent(new Event('visibilitychange'))",
}
LOOK_BACK = {
    "blur": "focused = true; window.dispatchEvent(new Event('focus'))",
    "hidden": "shown = 'visible'; document.dispatchEvent(new Event('visibilitychange'))",
}


def standing(viewer, cylinder=2):
    viewer.until(lambda: abs(viewer.frame.speeds[cylinder]) < 1e-9)
    return viewer.frame.lengths[cylinder]


# ----------------------------------------------------------------- dead man


def look_away_and_back(server, visit, how):
    """A key is held while the page loses the operator's attention."""
    cab = visit(server.addresses[0], script=FOCUS).fresh()
    cab.hold_key("w", cab.longer("boom"))
    cab.page.evaluate(LOOK_AWAY[how])
    cab.until("facts.status.presence === 'hidden'")
    expect(cab.situation("presence")).to_contain_text("Levers dead")
    stood = cab.standing("boom")
    cab.page.evaluate(LOOK_BACK[how])
    cab.alive()  # the page itself has made its levers neutral
    expect(cab.situation("presence")).to_have_count(0)
    cab.page.wait_for_timeout(300)
    assert cab.length("boom") == stood  # what was held must be let go of first
    cab.page.keyboard.up("w")
    cab.drive("w", "boom", 0.01)


def test_page_without_focus_is_dead(server, visit):
    look_away_and_back(server, visit, "blur")


def test_hidden_page_is_dead(server, visit):
    look_away_and_back(server, visit, "hidden")


def test_closing_the_page_stops_the_machine(server, own):
    with server.talk("viewer") as viewer:
        own.hold_key("w", own.longer("boom"))
        viewer.until(lambda: viewer.frame.speeds[2] > 0.03)
        own.page.close()
        viewer.until(lambda: viewer.status["presence"] == "closed")
        stood = standing(viewer)
        viewer.listen(0.5)
        assert viewer.frame.lengths[2] == stood
        assert viewer.status["seat"] == -1


def test_page_that_hangs_is_dead(server, own):
    with server.talk("viewer") as viewer:
        own.hold_key("w", own.longer("boom"))
        own.page.evaluate(
            "setTimeout(() => { const end = performance.now() + 2500; "
            "while (performance.now() < end) { /* busy */ } }, 0)"
        )
        viewer.until(lambda: viewer.status["presence"] == "stalled")
        standing(viewer)
    own.page.keyboard.up("w")
    own.alive()


# ----------------------------------------------------------- emergency stop


def test_emergency_stop_by_click_is_latched(cab):
    cab.hold_key("w", cab.longer("boom"))
    cab.find("estop").click()
    cab.until("facts.status.emergency && (store.frame.flags & 2) === 2")
    expect(cab.situation("emergency")).to_be_visible()
    cab.standing("boom")
    expect(cab.find("release")).to_be_disabled()  # the key is still held
    cab.page.keyboard.up("w")
    expect(cab.find("release")).to_be_enabled()
    cab.page.keyboard.down("w")  # dead: the stop is latched
    cab.page.wait_for_timeout(300)
    assert cab.speed("boom") == 0.0
    expect(cab.find("release")).to_be_disabled()
    cab.page.keyboard.up("w")
    cab.find("release").click()
    cab.until("!facts.status.emergency")
    expect(cab.situation("emergency")).to_have_count(0)
    cab.drive("w", "boom", 0.01)


def test_emergency_stop_by_keys(cab):
    for key in ("Escape", "Delete", "Pause"):
        cab.page.keyboard.press(key)
        cab.until("facts.status.emergency")
        cab.find("release").click()
        cab.until("!facts.status.emergency")


def test_viewer_stops_the_machine_for_everyone(server, cab, visit):
    viewer = visit(server.addresses[1]).loaded()
    expect(viewer.find("seat")).to_have_text("You watch")
    expect(viewer.find("pause")).to_be_disabled()
    cab.hold_key("w", cab.longer("boom"))
    viewer.find("estop").click()
    for page in (cab, viewer):
        page.until("facts.status.emergency")
        expect(page.situation("emergency")).to_be_visible()
    cab.standing("boom")
    expect(viewer.find("release")).to_be_disabled()
    cab.page.keyboard.up("w")
    cab.find("release").click()
    for page in (cab, viewer):
        page.until("!facts.status.emergency")
        expect(page.situation("emergency")).to_have_count(0)


# --------------------------------------------------------------------- seat


def test_second_operator_watches_and_takes_the_seat(server, cab, visit):
    other = visit(server.addresses[0]).loaded()
    expect(other.situation("other_seat")).to_be_visible()
    expect(other.find("seat")).to_have_text("Somebody else drives")
    before = other.length("boom")
    other.page.keyboard.down("w")
    other.page.wait_for_timeout(400)
    other.page.keyboard.up("w")
    assert other.length("boom") == before
    cab.hold_key("w", cab.longer("boom"))
    other.find("take-seat").click()
    other.alive()
    expect(other.find("seat")).to_have_text("You drive")
    cab.until("!store.hasSeat")
    expect(cab.situation("other_seat")).to_be_visible()
    expect(cab.find("toast").first).to_contain_text("Somebody else took the seat")
    cab.standing("boom")
    cab.page.keyboard.up("w")
    other.drive("s", "boom", -0.01)


def test_reload_keeps_the_seat(own):
    client = own.tell("facts.welcome.client")
    own.page.reload()
    own.loaded().alive()
    assert own.tell("facts.welcome.client") != client
    own.drive("w", "boom", 0.01)
