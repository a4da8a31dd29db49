"""Show all: one key or one button, and everything that is shown is in the picture."""

import pytest
from playwright.sync_api import expect

NEARER = "view.cameras.orbit.zoom(0.1), view.cameras.orbit.pan(0.5, 0.4), true"
# how far from the picture's middle some points of the world are; 1 is at its border
PLACE = """(points) => {
  const { cameras, overlay } = headframe.view;
  const camera = cameras.update(0);
  return Math.max(...points.map((point) => {
    const { x, y, z } = overlay.group.position.clone().set(...point).project(camera);
    return Math.abs(z) > 1 ? 1e9 : Math.max(Math.abs(x), Math.abs(y));
  }));
}"""
LINKS = "facts.scene.machine.links.map((link) => view.worldMatrix(link).slice(12, 15))"
UNITS = """facts.scene.stands.flatMap(({ machine, units, first }) =>
  units.flatMap((_, n) => machine.links.map((link) => view.unitMatrix(first + n, link))))
  .map((matrix) => matrix?.slice(12, 15))"""
VIA = (6.5, -1.5, 3.0)


def farthest(cab, points):
    return cab.page.evaluate(PLACE, points)


def test_key_and_button_bring_the_machine_and_what_tools_show_into_the_picture(cab):
    cab.find("tool-path").click()
    cab.find("path-here").click()
    for name, value in zip("xyz", VIA, strict=True):
        cab.find(f"path-{name}").fill(f"{value}")
        cab.find(f"path-{name}").press("Tab")
    cab.until(f"view.overlay.group.getObjectByName('vias').instanceMatrix.array[12] === {VIA[0]}")
    cab.page.evaluate("document.activeElement?.blur()")
    points = [*cab.tell(LINKS), VIA]
    for camera, act in (
        ("orbit", lambda: cab.page.keyboard.press("Home")),
        ("top", cab.find("show-all").click),
    ):
        cab.find(f"camera-{camera}").click()
        assert cab.tell(NEARER)
        if camera == "orbit":
            assert farthest(cab, points) > 1
        act()
        expect(cab.find("camera-orbit")).to_have_attribute("aria-pressed", "true")
        assert 0.5 < farthest(cab, points) < 1
    assert not cab.tell("facts.status.emergency")
    cab.find("path-clear").click()
    cab.find("close-tool").click()


def test_help_names_the_key(cab):
    cab.page.keyboard.press("F1")
    row = cab.page.get_by_role("dialog").get_by_role("row").filter(has_text="Show all")
    expect(row.locator("kbd")).to_have_text("HOME", ignore_case=True)
    cab.page.keyboard.press("Escape")


@pytest.fixture
def yard(cab):
    """The yard, with machines of several kinds; afterwards the tunnel again."""
    number = cab.tell("facts.scene.number")
    cab.send(type="choose_scene", name="yard", machine=None)
    cab.until(f"facts.scene.number > {number} && facts.scene.name === 'yard'")
    cab.loaded()
    yield cab
    number = cab.tell("facts.scene.number")
    cab.send(type="choose_scene", name="tunnel", machine="roadheader")
    cab.until(f"facts.scene.number > {number} && facts.scene.name === 'tunnel'")
    cab.loaded()


def test_all_units_of_a_scene_are_in_the_picture(yard):
    yard.until("store.frame.number > 60")  # units that stand are told of in turn
    assert yard.tell(NEARER)
    yard.find("show-all").click()
    yard.page.evaluate("headframe.view.render(performance.now())")
    yard.until(f"{UNITS}.every((place) => place)")
    points = yard.tell(UNITS)
    assert len(points) > 20
    assert 0.5 < farthest(yard, points) < 1
