"""Keys and sticks are bound by using them; the browser keeps them."""

import json

import pytest
from playwright.sync_api import expect
from test_page_levers import GAMEPAD, press, push

pytestmark = pytest.mark.blind

STORED = "headframe.controls"


@pytest.fixture
def tool(cab):
    cab.find("tool-controls").click()
    expect(cab.find("bind-plus-boom")).to_be_visible()
    yield cab
    cab.page.evaluate("() => { globalThis.pad && (pad.connected = false); }")
    cab.page.evaluate("() => { navigator.getGamepads = () => []; }")
    cab.find("controls-reset").click()
    cab.page.evaluate("() => localStorage.clear()")
    cab.find("close-tool").click()


def bind(cab, field, key):
    cab.find(field).click()
    expect(cab.find("controls-wish")).to_be_visible()
    cab.page.keyboard.press(key)
    expect(cab.find("controls-wish")).to_have_count(0)


def test_another_key_is_bound_and_drives(tool):
    before = tool.length("boom")
    bind(tool, "bind-plus-boom", "Numpad3")
    expect(tool.find("bind-plus-boom")).to_contain_text("Num 3")
    assert tool.length("boom") == before
    tool.drive("Numpad3", "boom", 0.02)
    stood = tool.standing("boom")
    tool.page.keyboard.down("w")  # its usual key
    tool.page.wait_for_timeout(400)
    tool.page.keyboard.up("w")
    assert tool.length("boom") == stood
    tool.page.keyboard.press("F1")
    sheet = tool.page.locator("hf-help")
    expect(sheet.locator("tr", has_text="Boom").locator("kbd").first).to_have_text("Num 3")
    tool.page.keyboard.press("Escape")
    tool.find("controls-reset").click()
    expect(tool.find("bind-plus-boom")).to_contain_text("W")
    tool.drive("w", "boom", 0.02)


@pytest.mark.slow
def test_console_shows_the_key(tool):
    bind(tool, "bind-minus-boom", "Numpad3")
    tool.find("close-tool").click()
    expect(tool.find("lever-boom").locator("kbd").last).to_have_text("Num 3")
    tool.find("tool-controls").click()


@pytest.mark.slow
def test_nothing_moves_while_a_key_is_awaited(tool):
    before = tool.length("slew")
    tool.find("bind-plus-boom").click()
    tool.page.keyboard.down("Tab")  # the browser's own
    tool.page.keyboard.up("Tab")
    expect(tool.find("controls-refused")).to_be_visible()
    tool.page.keyboard.press("Escape")
    expect(tool.find("controls-wish")).to_have_count(0)
    assert not tool.status["emergency"]
    tool.find("bind-plus-boom").click()
    tool.page.keyboard.down("d")  # slew's: bound to the boom now, and still held
    tool.page.wait_for_timeout(500)
    assert tool.tell("hands.levers()") == {}
    tool.page.keyboard.up("d")
    assert tool.length("slew") == before
    expect(tool.find("controls-conflict")).to_contain_text("Slew")


@pytest.mark.slow
def test_emergency_stop_is_never_bound_away(tool):
    tool.find("bind-plus-boom").click()
    tool.page.keyboard.press("Delete")
    tool.until("facts.status.emergency")
    expect(tool.find("controls-wish")).to_have_count(0)
    expect(tool.find("bind-plus-boom")).to_contain_text("W")


def test_stick_is_bound_by_moving_it(tool):
    tool.page.evaluate(GAMEPAD)
    tool.until("hands.gamepads.count === 1")
    before = tool.length("boom")
    tool.find("bind-slot-boom").click()
    expect(tool.find("controls-wish")).to_be_visible()
    tool.page.wait_for_timeout(300)
    push(tool, 2, -1)  # the right stick to the left shall extend
    expect(tool.find("controls-wish")).to_have_count(0)
    tool.page.wait_for_timeout(400)
    assert tool.length("boom") == before  # still deflected: has to come back first
    push(tool, 2, 0)
    tool.page.wait_for_timeout(300)
    tool.hold(lambda: push(tool, 2, -1), lambda: push(tool, 2, 0), tool.longer("boom"))
    push(tool, 2, 0)
    tool.standing("boom")
    expect(tool.find("invert-boom")).to_be_checked()
    tool.find("invert-boom").uncheck()
    tool.page.wait_for_timeout(200)
    tool.hold(lambda: push(tool, 2, -1), lambda: push(tool, 2, 0), tool.longer("boom", -0.02))
    push(tool, 2, 0)
    tool.standing("boom")
    tool.find("bind-button-cutting_motor").click()
    tool.page.wait_for_timeout(200)
    press(tool, 5)
    expect(tool.find("bind-button-cutting_motor")).to_contain_text("RB")
    press(tool, 5, False)


def test_dead_zone_is_set(tool):
    tool.page.evaluate(GAMEPAD)
    tool.until("hands.gamepads.count === 1")
    tool.find("controls-dead").fill("0.4")
    tool.page.wait_for_timeout(300)
    push(tool, 1, -0.35)
    tool.page.wait_for_timeout(400)
    assert tool.tell("hands.levers()") == {}
    push(tool, 1, -0.6)
    tool.until("hands.lever('boom') > 0")
    push(tool, 1, 0)


@pytest.mark.slow
def test_profile_is_saved_loaded_and_kept(tool):
    bind(tool, "bind-plus-boom", "Numpad3")
    with tool.page.expect_download() as coming:
        tool.find("controls-save").click()
    assert coming.value.suggested_filename == "controls_roadheader.json"
    saved = coming.value.path().read_bytes()
    assert json.loads(saved)["groups"] == {"boom": {"extend": "Numpad3"}}
    tool.find("controls-reset").click()
    expect(tool.find("bind-plus-boom")).to_contain_text("W")
    broken = {**json.loads(saved), "curve": 99, "groups": {"<b>": {"extend": "Escape"}}}
    file = {"name": "<i>.json", "mimeType": "application/json"}
    tool.find("controls-file").set_input_files({**file, "buffer": json.dumps(broken).encode()})
    listed = tool.find("controls-loaded").locator("li")
    expect(listed).to_have_count(2)
    expect(listed.last).to_contain_text("groups.<b>.extend")
    expect(tool.find("bind-plus-boom")).to_contain_text("W")
    tool.find("controls-file").set_input_files({**file, "buffer": saved})
    expect(tool.find("controls-loaded")).to_contain_text("is in use")
    expect(tool.find("bind-plus-boom")).to_contain_text("Num 3")
    assert "Numpad3" in tool.page.evaluate(f"localStorage.getItem('{STORED}')")


@pytest.mark.slow
def test_profile_is_there_after_a_reload_and_a_broken_one_is_told(own):
    own.find("tool-controls").click()
    bind(own, "bind-plus-boom", "Numpad3")
    own.page.reload()
    own.loaded().alive()
    own.drive("Numpad3", "boom", 0.02)
    own.page.evaluate(f"localStorage.setItem('{STORED}', '{{')")
    own.page.reload()
    expect(own.find("toast").first).to_contain_text("stored controls cannot be read")
    own.loaded().alive()
    own.drive("w", "boom", 0.02)
    assert own.page.evaluate(f"localStorage.getItem('{STORED}')") == "{"
