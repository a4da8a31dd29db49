"""Scenes in the page: a hundred supports against the library, choosing units, what it costs."""

import numpy as np
import pytest
from playwright.sync_api import expect
from running import Running
from test_page_scene import pictures

import headframe as hf

NEAR = 1e-5
SMALL = {"width": 800, "height": 450}


@pytest.fixture(scope="module")
def longwall():
    running = Running("--port", "0", "--scene", "longwall")
    yield running
    running.stop()


def seated(cab):
    """The page with the seat, which the page of the test before may have left just now."""
    cab.loaded()
    if not cab.tell("store.hasSeat"):
        cab.send(type="take_seat")
    return cab.alive()


def selected(cab, *names):
    """Expression: these units obey."""
    listed = ", ".join(f"'{name}'" for name in names)
    return f"facts.status.selected.join() === [{listed}].join()"


def draw(cab):
    """Draw the newest frame now: in the test mode pictures come seldom."""
    cab.page.evaluate(
        "const { store, view } = headframe; view.show(store.frame); view.render(performance.now())"
    )


def drawn(cab, unit):
    """Poses of a unit's links in the scene graph, (n, 4, 4)."""
    poses = f"facts.scene.machine.links.map((link) => view.unitMatrix({unit}, link))"
    cab.until(f"!{poses}.includes(null)")  # a page that is slow misses frames that tell of some
    rows = cab.tell(poses)
    return np.array(rows).reshape(-1, 4, 4).transpose(0, 2, 1)


def assert_drawn(cab, machine, lengths, units):
    """Units in the picture where forward kinematics has them."""
    low = np.array([a.bounds.lower for a in machine.robot.actuators])
    high = np.array([a.bounds.upper for a in machine.robot.actuators])
    first = [members[0] for members in machine.robot.groups]
    state = machine.fk(np.clip(lengths, low, high)[first])
    for unit in units:
        base = np.eye(4)
        base[1, 3] = -86.625 + 1.75 * unit
        there = state.moved(base)
        wanted = np.array([there.pose(link.name) for link in machine.links])
        np.testing.assert_allclose(drawn(cab, unit), wanted, atol=NEAR)


def test_units_are_drawn_where_the_library_has_them(longwall, visit):
    cab = seated(visit(longwall.addresses[0]))
    machine = hf.load("tcchs")
    cab.insist(
        lambda: cab.find("unit-50").click(),
        selected(cab, "50"),
        "facts.status.selected[0] !== '50'",
    )
    cab.find("unit-53").click(modifiers=["Shift"])
    cab.until(selected(cab, "50", "51", "52", "53"))
    expect(cab.find("units-chosen")).to_have_text("4 of 100")
    cab.drive("s", "front_legs", -0.02)
    cab.find("pause").click()
    cab.until("facts.status.paused")
    lengths = np.array(cab.tell("Array.from(store.frame.lengths)"))
    frames = cab.tell("store.frame.number")
    cab.until(f"store.frame.number > {frames + 40}")  # everybody was told of in turn
    draw(cab)
    assert cab.tell("store.frame.unit") == 49
    assert_drawn(cab, machine, lengths, (49, 50, 52))
    assert_drawn(cab, machine, np.array(machine.home.lengths), (48, 53, 60, 75))
    assert cab.tell("view.unitMatrix(49, 'nothing')") is None

    viewer = visit(longwall.addresses[1]).loaded()  # two pages at once show the same
    viewer.until(selected(viewer, "50", "51", "52", "53"))
    frames = viewer.tell("store.frame.number")
    viewer.until(f"store.frame.number > {frames + 40}")
    draw(viewer)
    assert_drawn(viewer, machine, lengths, (49, 50, 52))
    assert_drawn(viewer, machine, np.array(machine.home.lengths), (48, 53))
    expect(viewer.find("unit-60")).to_be_disabled()


def test_units_are_chosen_in_the_picture_and_by_keys(longwall, visit):
    cab = seated(visit(longwall.addresses[0]))
    cab.send(type="pause", on=False)
    cab.insist(
        lambda: cab.find("unit-20").click(),
        selected(cab, "20"),
        "facts.status.selected[0] !== '20'",
    )
    cab.page.keyboard.press(".")
    cab.until(selected(cab, "21"))
    cab.page.keyboard.press(",")
    cab.until(selected(cab, "20"))
    cab.find("unit-22").click(modifiers=["Control"])
    cab.until(selected(cab, "20", "22"))
    cab.find("unit-all").click()
    cab.until("facts.status.selected.length === 100")
    cab.find("unit-20").click()
    cab.until(selected(cab, "20"))
    cab.until("store.frame.unit === 19")
    draw(cab)
    place = cab.page.evaluate(
        """() => {
          const { store, view } = headframe;
          const box = document.querySelector("canvas").getBoundingClientRect();
          for (let x = 0.05; x < 0.95; x += 0.05)
            for (let y = 0.3; y < 0.9; y += 0.1) {
              const at = [box.left + x * box.width, box.top + y * box.height];
              const unit = view.unitAt(...at);
              if (unit !== null && unit !== store.frame.unit) return { at, unit };
            }
          return null;
        }"""
    )
    assert place is not None
    cab.page.mouse.click(*place["at"])
    cab.until(selected(cab, str(place["unit"] + 1)))


@pytest.mark.slow
def test_a_hundred_supports_stay_within_the_budget(longwall, visit):
    """At high quality, in a small window, since drawing by software takes its time."""
    cab = visit(longwall.addresses[0], query="", size=SMALL).loaded()
    cab.find("quality").select_option("high")
    cab.until("view.quality === 'high'")
    cab.send(type="take_seat")
    cab.send(type="select", stand="support", units=None)
    cab.until("facts.status.selected.length === 100")
    frames = cab.tell("store.frame.number")
    cab.until(f"store.frame.number > {frames + 40}")
    for camera in ("orbit", "chase", "seat", "top"):
        cab.until(f"view.camera === '{camera}'")
        pictures(cab, 1)
        stats = cab.tell("view.stats()")
        assert 30 < stats["calls"] <= 150, (camera, stats)
        assert 50_000 < stats["triangles"] <= 300_000, (camera, stats)
        cab.page.keyboard.press("c")


def test_scenes_and_their_machines_are_chosen(longwall, visit):
    cab = seated(visit(longwall.addresses[0]))
    number = cab.tell("facts.scene.number")
    cab.find("scene").select_option("yard")
    cab.until(f"facts.scene.number > {number} && facts.scene.name === 'yard'")
    cab.loaded().alive()
    assert cab.machine["machine_class"] == "loader"
    frames = cab.tell("store.frame.number")
    cab.until(f"store.frame.number > {frames + 2}")
    draw(cab)
    jumbo = np.array(cab.tell("view.unitMatrix(1, facts.scene.stands[1].machine.links[0])"))
    np.testing.assert_allclose(jumbo[12:15], [0, 6.5, 0], atol=NEAR)
    cab.find("stand-jumbo").click()
    cab.until("facts.scene.driven === 1")
    cab.loaded().alive()
    assert cab.machine["machine_class"] == "jumbo"
    draw(cab)
    np.testing.assert_allclose(cab.link_poses()[0][:3, 3], [0, 6.5, 0], atol=NEAR)
    number = cab.tell("facts.scene.number")
    cab.find("scene").select_option("longwall")
    cab.until(f"facts.scene.number > {number} && facts.scene.name === 'longwall'")
    cab.loaded().alive()
    cab.find("chooser").click()
    cab.find("machine-door").click()  # there is no room for it here: the tunnel has some
    cab.until("facts.scene.name === 'tunnel' && facts.scene.machine.name === 'door'")
    cab.loaded()
    expect(cab.find("units")).to_have_count(0)
    cab.find("scene").select_option("longwall")
    cab.until("facts.scene.name === 'longwall'")
    cab.loaded()
