"""A link is brought to a place: by its handle, and by numbers."""

import numpy as np
import pytest
from playwright.sync_api import expect

import headframe as hf

HEAD = "cutter_head"
HANDLE = 'view.overlay.group.getObjectByName("handle")'
ON_SCREEN = """(() => {
  const { overlay } = view;
  const handle = overlay.group.getObjectByName("handle");
  const p = handle.getWorldPosition(handle.position.clone()).project(overlay.lens);
  const box = overlay.canvas.getBoundingClientRect();
  return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
})()"""


@pytest.fixture
def tool(cab):
    cab.find("tool-reach").click()
    expect(cab.find("reach-link")).to_have_value(HEAD)
    yield cab
    cab.find("close-tool").click()


def place(cab, link=HEAD):
    """Where a link stands in the picture [m]."""
    return np.array(cab.tell(f"view.worldMatrix('{link}')")[12:15])


def computed(cab, link=HEAD):
    """Where the library has it, at the lengths of the frame."""
    machine = hf.load("roadheader")
    lengths = np.array(cab.tell("Array.from(store.frame.lengths)"))
    return machine.fk(lengths[[m[0] for m in machine.robot.groups]]).pose(link)[:3, 3]


def type_in(cab, **fields):
    for name, value in fields.items():
        cab.find(f"reach-{name}").fill(f"{value:.4f}")
    cab.find("reach-go").click()


def test_numbers_bring_the_link_there(tool):
    goal = place(tool) + np.array([0.1, 0.3, -0.2])
    tool.insist(
        lambda: type_in(tool, **dict(zip("xyz", goal, strict=True))),
        f"Math.abs(view.worldMatrix('{HEAD}')[13] - {goal[1]}) < 1e-3",
        "facts.status.presence !== ''",
    )
    expect(tool.find("reach-there")).to_be_visible()
    tool.page.wait_for_timeout(300)
    np.testing.assert_allclose(place(tool), np.round(goal, 4), atol=1e-5)
    np.testing.assert_allclose(computed(tool), place(tool), atol=1e-5)


def test_what_is_out_of_reach_is_a_ghost_with_the_distance_left(tool):
    far = place(tool) + np.array([5.0, 0.0, 0.0])
    tool.insist(
        lambda: type_in(tool, x=far[0]),
        "view.overlay.group.getObjectByName('ghost cutter_head') !== undefined",
        "facts.status.presence !== ''",
    )
    expect(tool.find("reach-left")).to_contain_text("Out of reach")
    tool.page.wait_for_timeout(300)
    shown = tool.tell(
        "view.overlay.group.getObjectByName('ghost cutter_head').matrix.elements.slice(12, 15)"
    )
    assert shown[0] == pytest.approx(far[0], abs=1e-4)
    left = float(tool.find("reach-left").inner_text().split()[3])
    assert left == pytest.approx(1e3 * np.linalg.norm(place(tool) - shown), abs=0.2)
    assert "telescope" in tool.find("reach-limits").inner_text().lower()
    tool.find("reach-give-up").click()
    tool.until("view.overlay.group.getObjectByName('ghost cutter_head') === undefined")


def test_handle_is_dragged_and_the_machine_follows(tool):
    tool.until(f"Math.abs({HANDLE}.position.x - view.worldMatrix('{HEAD}')[12]) < 1e-6")
    before = place(tool)
    mouse = tool.page.mouse

    def drag():
        x, y = tool.tell(ON_SCREEN)
        mouse.move(x, y)
        tool.page.wait_for_timeout(200)
        mouse.down()
        mouse.move(x - 40, y + 40, steps=8)
        tool.page.wait_for_timeout(300)
        mouse.up()

    tool.insist(
        drag,
        f"Math.abs(view.worldMatrix('{HEAD}')[14] - {before[2]}) > 0.05",
        "facts.status.presence !== ''",
    )
    tool.page.wait_for_timeout(300)
    np.testing.assert_allclose(computed(tool), place(tool), atol=1e-5)
    assert tool.tell("view.overlay.busy") is False


def test_who_only_watches_moves_nothing(server, cab, visit):
    viewer = visit(server.addresses[1]).loaded()
    viewer.find("tool-reach").click()
    before = place(viewer)
    expect(viewer.find("reach-z")).not_to_have_value("")
    expect(viewer.find("reach-go")).to_be_disabled()
    expect(viewer.find("only-watching")).to_contain_text("Viewers only watch")
    viewer.send(type="reach", link=HEAD, position=[5.5, 0.2, 1.5], quaternion=None, number=1)
    expect(viewer.find("toast").first).to_contain_text("viewers only watch")
    np.testing.assert_array_equal(place(viewer), before)
