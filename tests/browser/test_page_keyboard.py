"""Everything by the keyboard alone: bar, cameras, tools, levers, the stop, windows."""

import pytest
from deep import FOCUSED, focused
from playwright.sync_api import expect

SEEN = f"""(({{ outlineStyle, outlineWidth }}) =>
  outlineStyle !== "none" && parseFloat(outlineWidth) > 0)(getComputedStyle({FOCUSED}))"""
START = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""
LONGEST = 120  # presses of Tab for the whole page


@pytest.fixture(autouse=True)
def start(cab):
    """Tab begins at the top of the page, which is not dead for a moment just now."""
    for name in ("scene", "mode-kinematic", "gravity"):
        expect(cab.find(name)).to_be_enabled()
    cab.page.evaluate(START)


def walk(cab, until, back=False):
    """Press Tab until an element has the focus; what was met, in order, the last time round.

    Under load the server can take the operator for absent: levers are dead for a moment, Tab passes
    them by, and comes to the end of the page."""
    met = []
    for _ in range(LONGEST):
        cab.page.keyboard.press("Shift+Tab" if back else "Tab")
        if cab.page.evaluate("document.activeElement === document.body"):
            met.clear()
            continue
        at = focused(cab)
        assert cab.page.evaluate(SEEN), f"{at} has the focus, and nobody sees it"
        met.append(at)
        if at == until:
            return met
    raise AssertionError(f"never at {until!r}: {met}")


def test_tab_walks_through_the_page_in_order(cab):
    met = walk(cab, "timescale-reset")
    order = ["chooser", "scene", "mode-kinematic", "gravity", "help", "camera-orbit"]
    order += ["show-all", "quality"]
    order += ["tool-reach", "tool-machine", "lever-slew", "slider-slew", "lever-stabiliser_right"]
    order += ["motor-cutting_motor-forward", "estop", "pause", "rewind", "timescale"]
    assert [name for name in met if name in order] == order
    assert len(set(met) - {""}) == len([name for name in met if name])


def test_a_window_keeps_the_focus_and_gives_it_back(cab):
    keyboard = cab.page.keyboard
    walk(cab, "chooser")
    keyboard.press("Enter")
    expect(cab.page.get_by_role("dialog")).to_be_visible()
    assert focused(cab) == "close"
    met = walk(cab, "close")  # round
    assert "machine-roadheader" in met
    assert not {"chooser", "estop", "pause"} & set(met)
    walk(cab, "machine-sths", back=True)
    keyboard.press("Escape")
    expect(cab.page.get_by_role("dialog")).to_have_count(0)
    assert focused(cab) == "chooser"
    assert not cab.tell("facts.status.emergency")


def test_a_machine_is_chosen_and_driven(cab):
    keyboard = cab.page.keyboard
    walk(cab, "chooser")
    keyboard.press("Space")
    walk(cab, "machine-lhd")
    number = cab.tell("facts.scene.number")
    keyboard.press("Enter")
    cab.until(f"facts.scene.number > {number}")
    cab.loaded().alive()
    group = cab.machine["groups"][0]["name"]
    walk(cab, f"lever-{group}")
    farther = cab.longer(group, 0.01)
    cab.hold(lambda: keyboard.down("ArrowUp"), lambda: keyboard.up("ArrowUp"), farther)
    keyboard.up("ArrowUp")
    cab.standing(group)
    assert focused(cab) == f"lever-{group}"


def test_a_tool_is_opened_and_closed(cab):
    walk(cab, "tool-controls")
    cab.page.keyboard.press("Enter")
    expect(cab.find("panel-controls").locator("hf-controls")).to_be_attached()
    met = walk(cab, "close-tool")
    assert all(name.startswith("tool-") or name == "close-tool" for name in met)
    assert "invert-boom" in walk(cab, "controls-reset")
    walk(cab, "close-tool", back=True)
    cab.page.keyboard.press("Space")
    expect(cab.find("panel-controls")).to_have_count(0)
    assert focused(cab) == "tool-controls"


def test_the_stop_and_its_release(cab):
    walk(cab, "estop")
    cab.page.keyboard.press("Space")
    cab.until("facts.status.emergency")
    walk(cab, "release")
    cab.page.keyboard.press("Enter")
    cab.until("!facts.status.emergency")


def test_letters_in_a_field_do_not_drive(cab):
    walk(cab, "gravity-number")
    cab.page.keyboard.down("w")
    assert cab.tell("hands.neutral")
    cab.page.keyboard.up("w")
    cab.find("tool-record").click()
    field = cab.find("panel-record").locator("input").first
    field.focus()
    cab.page.keyboard.down("w")
    assert cab.tell("hands.neutral")
    cab.page.keyboard.up("w")
    cab.find("close-tool").click()
