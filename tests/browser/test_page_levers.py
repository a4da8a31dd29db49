"""Levers and sliders by the mouse, keys, a gamepad."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.blind

GAMEPAD = """() => {
globalThis.pad = { index: 0, connected: true, axes: [0, 0, 0, 0],
  buttons: Array.from({ length: 17 }, () => ({ pressed: false, value: 0 })) };
navigator.getGamepads = () => [globalThis.pad];
}"""
HELD = "Object.keys(hands.levers()).length"


def test_lever_follows_the_mouse_and_springs_back(cab):
    before = cab.length("boom")
    cab.drag_lever("boom", 0.9, cab.longer("boom"))
    assert cab.tell("hands.lever('boom')") > 0.5
    assert int(cab.find("lever-boom").get_attribute("aria-valuenow")) > 50
    assert cab.speed("boom") == pytest.approx(0.06 * cab.tell("hands.lever('boom')"), rel=0.01)
    cab.page.mouse.up()
    cab.until(f"{HELD} === 0")
    expect(cab.find("lever-boom")).to_have_attribute("aria-valuenow", "0")
    stood = cab.standing("boom")
    assert stood > before + 0.02
    cab.drag_lever("boom", -0.9, cab.longer("boom", -0.02))
    cab.page.mouse.up()
    assert cab.standing("boom") < stood - 0.02


def test_half_a_lever_is_half_the_speed(cab):
    lever = "hands.lever('boom')"
    partly = f"{lever} > 0.05 && {lever} < 0.95"
    cab.drag_lever(
        "boom", 0.2, f"{partly} && Math.abs(store.frame.speeds[2] - 0.06 * {lever}) < 1e-4"
    )
    cab.page.mouse.up()


def test_arrow_keys_move_a_lever_in_focus(cab):
    cab.find("lever-telescope").focus()
    cab.drive("ArrowUp", "telescope", 0.02)
    cab.drive("ArrowDown", "telescope", -0.02)
    assert cab.tell(f"{HELD} === 0")


def test_key_let_go_of_stops_a_lever_that_loses_the_focus(cab):
    cab.find("lever-telescope").focus()
    cab.hold_key("ArrowUp", cab.longer("telescope", 0.01))
    cab.find("lever-boom").focus()
    cab.standing("telescope")
    cab.page.keyboard.up("ArrowUp")


@pytest.mark.parametrize("part", [0.8, 0.0, 1.0])
def test_slider_sends_the_group_to_a_length(cab, part):
    group = next(g for g in cab.machine["groups"] if g["name"] == "telescope")
    wanted = group["lower"] + part * (group["upper"] - group["lower"])
    near = 0.1 * (group["upper"] - group["lower"])
    cab.insist(
        lambda: cab.slide("slider-telescope", part),
        "Math.abs(store.frame.lengths[4] - facts.status.targets.telescope) < 1e-6 && "
        f"Math.abs(facts.status.targets.telescope - {wanted}) < {near}",
        "facts.status.targets.telescope === undefined",
    )
    length = cab.standing("telescope")
    assert group["lower"] - 1e-6 <= length <= group["upper"] + 1e-6
    assert length == pytest.approx(wanted, abs=near)


TARGETS = """() => {
  const { store } = headframe;
  globalThis.targets = [];
  store.subscribe(() => {
    const { boom } = store.facts.status?.targets ?? {};
    if (boom !== undefined) globalThis.targets.push(boom);
  });
}"""


def test_slider_by_keys(cab):
    cab.find("slider-boom").focus()
    before = cab.length("boom")
    cab.page.evaluate(TARGETS)  # a step is made so soon that one who looks now and then misses it
    cab.insist(
        lambda: cab.page.keyboard.press("ArrowUp"), "globalThis.targets.length > 0",
        "globalThis.targets.length === 0",
    )  # fmt: skip
    assert cab.tell("globalThis.targets[0]") == pytest.approx(before, abs=0.01)


@pytest.mark.parametrize(
    ("key", "group", "by"),
    [("w", "boom", 0.02), ("s", "boom", -0.02), ("d", "slew", 0.02), ("a", "slew", -0.02),
     ("r", "telescope", 0.02), ("f", "telescope", -0.02)],
)  # fmt: skip
def test_keys_move_groups(cab, key, group, by):
    cab.drive(key, group, by)
    assert cab.tell(f"{HELD} === 0")


def test_two_keys_at_once(cab):
    cab.hold_key("w", cab.longer("boom", 0.01))
    cab.hold_key("d", cab.longer("slew", 0.01))
    if cab.tell("hands.lever('boom')") > 0:
        assert cab.speed("boom") > 0.0
    cab.page.keyboard.up("w")
    cab.standing("boom")
    cab.page.keyboard.up("d")
    cab.standing("slew")


def test_letters_in_a_number_field_do_not_move_the_machine(cab):
    cab.find("gravity-number").click()
    before = cab.length("boom")
    cab.page.keyboard.down("w")
    cab.page.wait_for_timeout(400)
    cab.page.keyboard.up("w")
    assert cab.length("boom") == before


def test_motor_by_key_and_by_button(cab):
    cab.alive()
    cab.page.keyboard.press("1")
    cab.until("facts.status.motors.cutting_motor === 1 && store.frame.motors[0] > 4")
    expect(cab.find("motor-cutting_motor-forward")).to_have_attribute("aria-pressed", "true")
    cab.page.keyboard.press("1")
    cab.until("store.frame.motors[0] === 0")
    cab.alive()
    cab.page.keyboard.press("Shift+1")
    cab.until("store.frame.motors[0] < -4")
    cab.find("motor-cutting_motor-stop").click()
    cab.until("store.frame.motors[0] === 0")
    cab.alive()
    cab.find("motor-gathering_left_motor-reverse").click()
    cab.until("facts.status.motors.gathering_left_motor === -1")


@pytest.mark.parametrize("key", ["F1", "?"])
def test_help_lists_every_key(cab, key):
    cab.page.keyboard.press(key)
    sheet = cab.page.locator("hf-help")
    expect(sheet.get_by_role("dialog")).to_be_visible()
    keys = sheet.locator("kbd").all_inner_texts()
    assert {"W", "S", "A", "D", "R", "F", "1", "2", "3", "P", "C", "F1", "?"} <= set(keys)
    assert {"Esc", "Del"} <= set(keys) or {"ESCAPE", "DELETE"} <= set(keys)
    named = [words.lower() for words in sheet.locator("td, th").all_inner_texts()]
    for group in cab.machine["groups"]:
        assert group["name"].replace("_", " ") in named
    cab.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    assert not cab.status["emergency"]


# ------------------------------------------------------------------ gamepad


@pytest.fixture
def pad(cab):
    """The page with a gamepad, which is taken away again."""
    cab.page.evaluate(GAMEPAD)
    cab.until("hands.gamepads.count === 1")
    yield cab
    cab.page.evaluate("() => { pad.connected = false; navigator.getGamepads = () => []; }")


def push(pad, axis, value):
    pad.page.evaluate("([axis, value]) => { pad.axes[axis] = value; }", [axis, value])


def press(pad, button, on=True):
    script = "([i, on]) => { pad.buttons[i] = { pressed: on, value: on ? 1 : 0 }; }"
    pad.page.evaluate(script, [button, on])


def test_stick_moves_the_boom(pad):
    pad.hold(lambda: push(pad, 1, -1), lambda: push(pad, 1, 0), pad.longer("boom"))
    assert pad.tell("hands.lever('boom')") == 1.0
    push(pad, 1, 0)
    pad.standing("boom")
    pad.hold(lambda: push(pad, 0, -1), lambda: push(pad, 0, 0), pad.longer("slew", -0.02))
    push(pad, 0, 0)
    pad.standing("slew")


def test_dead_zone(pad):
    push(pad, 1, -0.1)
    push(pad, 3, 0.11)
    pad.page.wait_for_timeout(500)
    assert pad.tell("hands.levers()") == {}
    push(pad, 1, -0.3)
    pad.until("hands.lever('boom') > 0 && hands.lever('boom') < 0.2")
    push(pad, 1, 0)


def test_gamepad_that_is_pulled_out_lets_go(pad):
    pad.hold(lambda: push(pad, 1, -1), lambda: push(pad, 1, 0), pad.longer("boom", 0.01))
    pad.page.evaluate("pad.connected = false")
    pad.standing("boom")
    assert pad.tell("hands.levers()") == {}
    pad.page.evaluate("pad.connected = true")  # still deflected: without effect until it is centred
    pad.page.wait_for_timeout(500)
    assert pad.tell("hands.levers()") == {}
    push(pad, 1, 0)
    pad.page.wait_for_timeout(300)
    pad.hold(lambda: push(pad, 1, -1), lambda: push(pad, 1, 0), pad.longer("boom", 0.01))
    push(pad, 1, 0)


def test_buttons_of_a_gamepad(pad):
    def tap():
        press(pad, 0, False)
        pad.page.wait_for_timeout(200)  # a picture or more, so that it is seen
        press(pad, 0)

    turns = "facts.status.motors.cutting_motor === 1"
    pad.insist(tap, turns, f"!({turns})")
    press(pad, 0, False)
    press(pad, 1)
    pad.until("facts.status.emergency && store.frame.motors[0] === 0")
    press(pad, 1, False)
