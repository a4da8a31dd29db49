"""Parts of the machine: chosen by a click or from a list, with their facts; marks at them."""

import numpy as np
import pytest
from playwright.sync_api import expect

import headframe as hf
from headframe.description.appearance import parts_of
from headframe.kinematics.inspection import inspect

PICKED = """(() => {
  const box = view.overlay.canvas.getBoundingClientRect();
  for (let y = 0.3; y < 0.9; y += 0.07) for (let x = 0.2; x < 0.8; x += 0.05) {
    const at = [box.left + x * box.width, box.top + y * box.height];
    const hit = view.overlay.pick(...at);
    if (hit) return { ...hit, at };
  }
  return null;
})()"""
CENTRES = """(() => {
  const balls = view.overlay.group.getObjectByName("centres");
  if (!balls) return null;
  const places = Array.from(balls.instanceMatrix.array);
  return Array.from({ length: balls.count }, (_, n) => places.slice(16 * n + 12, 16 * n + 15));
})()"""
AXES = """(() => {
  const lines = view.overlay.group.getObjectByName("axes");
  return lines ? Array.from(lines.geometry.getAttribute("position").array) : null;
})()"""


@pytest.fixture(scope="module")
def machine():
    return hf.load("roadheader")


@pytest.fixture
def tool(cab):
    cab.find("tool-inspect").click()
    expect(cab.find("inspect-solver")).to_be_visible(timeout=60_000)
    yield cab
    cab.find("close-tool").click()
    cab.until("view.overlay.lights.length === 0")


def chosen(cab):
    return cab.find("inspect-link").input_value()


def test_a_click_selects_what_is_under_it(tool, machine):
    tool.until(f"({PICKED}) !== null")
    hit = tool.tell(PICKED)
    tool.page.mouse.click(*hit["at"])
    expect(tool.find("inspect-link")).to_have_value(hit["link"])
    assert tool.tell("view.overlay.lights") == [hit["link"]]
    # the point that was hit lies in the box of this link's own surface
    index = [link.name for link in machine.links].index(hit["link"])
    X = tool.link_poses()[index]
    point = np.linalg.inv(X) @ (*hit["point"], 1.0)
    corners = np.concatenate(
        [part.vertices for part in parts_of(machine.robot, machine.folder)[index]]
    )
    assert (point[:3] >= corners.min(axis=0) - 1e-3).all()
    assert (point[:3] <= corners.max(axis=0) + 1e-3).all()


@pytest.mark.slow
def test_looking_around_selects_nothing(tool):
    tool.until(f"({PICKED}) !== null")
    x, y = tool.tell(PICKED)["at"]
    tool.page.mouse.move(x, y)
    tool.page.mouse.down()
    tool.page.mouse.move(x + 60, y + 10, steps=4)
    tool.page.mouse.move(x, y, steps=4)
    tool.page.mouse.up()
    tool.page.wait_for_timeout(200)
    assert chosen(tool) == ""
    assert tool.tell("view.overlay.lights") == []


@pytest.mark.slow
def test_a_part_of_the_list_shows_its_facts(tool, machine):
    tool.find("inspect-link").select_option("boom")
    boom = machine.robot.link("boom")
    expect(tool.find("inspect-mass")).to_contain_text(f"{boom.inertial.mass:.0f} kg")
    x, y, z = machine.home.pose("boom")[:3, 3]
    expect(tool.find("inspect-position")).to_contain_text(f"{x:.3f}")
    expect(tool.find("inspect-position")).to_contain_text(f"{z:.3f}")
    angle = np.degrees(machine.home.joints["pitching"])
    expect(tool.find("inspect-joint-pitching")).to_contain_text(f"{angle:.1f}")
    length = 1e3 * machine.home.lengths[machine.robot.actuator_index["boom_left"]]
    expect(tool.find("inspect-length-boom_left")).to_contain_text(f"{length:.0f} mm")
    expect(tool.find("inspect-sources")).to_contain_text("masses and inertias")
    expect(tool.find("inspect-sources")).not_to_contain_text("gathering motors")
    assert tool.tell("view.overlay.lights") == ["boom"]
    assert y == pytest.approx(0.0, abs=1e-9)


def test_marks_stand_where_the_library_has_them(tool, machine):
    tool.find("inspect-centres").check()
    tool.find("inspect-axes").check()
    links = [link for link in machine.links if link.inertial is not None]
    masses = np.array([link.inertial.mass for link in links])
    places = np.array([(machine.home.pose(k.name) @ (*k.inertial.com, 1.0))[:3] for k in links])
    tool.until(f"({CENTRES})?.at(-1)[2] > 0.01")
    shown = np.array(tool.tell(CENTRES))
    np.testing.assert_allclose(shown[:-1], places, atol=1e-5)
    np.testing.assert_allclose(shown[-1], masses @ places / masses.sum(), atol=1e-5)
    ends = np.array(tool.tell(AXES)).reshape(len(machine.links), 3, 2, 3)
    for link, drawn in zip(machine.links, ends, strict=True):
        X = machine.home.pose(link.name)
        along = drawn[:, 1] - drawn[:, 0]
        np.testing.assert_allclose(drawn[:, 0], np.tile(X[:3, 3], (3, 1)), atol=1e-5)
        unit = along / np.linalg.norm(along, axis=1)[:, None]
        np.testing.assert_allclose(unit, X[:3, :3].T, atol=1e-4)
    calls = tool.tell("view.stats().calls")
    tool.find("inspect-centres").uncheck()
    tool.find("inspect-axes").uncheck()
    tool.until(f"({CENTRES}) === null && ({AXES}) === null")
    tool.until(f"view.stats().calls <= {calls} - 2")


def test_the_solver_tells_its_figures(tool, machine):
    found = inspect(machine.kinematics, machine.home)
    expect(tool.find("inspect-conditioning")).to_have_text(f"{found.conditioning:.4f}")
    left = 1e3 * found.dead_centre.left
    expect(tool.find("inspect-dead")).to_contain_text(f"{left:.1f} mm, Shovel plate")
    expect(tool.find("inspect-iterations")).to_contain_text("0 (closed form)")
    expect(tool.find("inspect-gap")).to_contain_text("0 m")
    expect(tool.find("inspect-branches")).to_contain_text("as at home")


@pytest.mark.slow
def test_who_watches_may_inspect(server, cab, visit):
    viewer = visit(server.addresses[1]).loaded()
    viewer.find("tool-inspect").click()
    expect(viewer.find("inspect-solver")).to_be_visible(timeout=60_000)
    assert viewer.find("toast").count() == 0
