"""A robot from a URDF file with COLLADA meshes: seen, driven, planned for, recorded."""

from pathlib import Path

import numpy as np
from mcap.reader import make_reader
from playwright.sync_api import expect

import headframe as hf

DOCS = Path(__file__).parents[2] / "docs"
FILE = DOCS / "examples" / "picker_description" / "urdf" / "picker.urdf"
LONG = 120_000  # for a study on a busy computer [ms]
HAND = "left_finger"
CORNERS = """(() => {  // of the turret, as it is seen
  let most = 0;
  let root = view.overlay.group;
  while (root.parent) root = root.parent;
  root.getObjectByName("turret")?.traverse((part) => {
    most = Math.max(most, part.geometry?.getAttribute("position").count ?? 0);
  });
  return most;
})()"""


def place(cab, link=HAND):
    """Where a link stands in the picture [m]."""
    return np.array(cab.tell(f"view.worldMatrix('{link}')")[12:15])


def joint(cab, name):
    """A place in the frame's joints."""
    names = [each["name"] for each in cab.machine["joints"]]
    return f"store.frame.joints[{names.index(name)}]"


def go_to(cab, **positions):
    """Bring servos to positions [rad, m] by their sliders."""
    for name, value in positions.items():
        cab.insist(
            lambda name=name, value=value: cab.send(type="go_to", group=name, length=value),
            f"Math.abs({joint(cab, name)} - {value}) < 1e-6",
            f"facts.status.targets['{name}'] === undefined",
        )


def test_robot_is_driven_planned_for_and_recorded(visit, new_server, tmp_path, findings):
    server = new_server("--port", "0", "--recordings", str(tmp_path), str(FILE))
    cab = visit(server.addresses[0]).loaded().alive()
    machine = hf.load(FILE)

    # its meshes are there, not boxes in their place
    assert cab.tell(CORNERS) > 24
    assert findings(cab, "a robot") == []

    # buttons and slider of a motor; the other finger follows
    cab.find("motor-elbow-forward").click()
    cab.until(f"{joint(cab, 'elbow')} > 0.05")
    cab.find("motor-elbow-stop").click()
    slider = cab.find("servo-left_finger")
    expect(slider).to_have_attribute("max", "0.03")
    cab.insist(
        lambda: slider.fill("0.015"),
        f"Math.abs({joint(cab, 'right_finger')} - 0.015) < 1e-4",
        "facts.status.targets['left_finger'] === undefined",
    )

    # its hand is brought to a place
    cab.find("tool-reach").click()
    cab.find("reach-link").select_option(HAND)
    goal = machine.fk([-0.4, 0.8, 0.2, 0.015]).pose(HAND)[:3, 3]
    for name, value in zip("xyz", goal, strict=True):
        cab.find(f"reach-{name}").fill(f"{value:.4f}")
    cab.insist(
        cab.find("reach-go").click,
        f"Math.abs(view.worldMatrix('{HAND}')[13] - {goal[1]:.4f}) < 1e-3",
        "facts.status.presence !== ''",
    )
    np.testing.assert_allclose(place(cab), goal, atol=1e-3)

    # everywhere that it gets
    cab.find("tool-workspace").click()
    cab.find("workspace-link").select_option("forearm")
    cab.find("workspace-start").click()
    expect(cab.find("workspace-facts")).to_be_visible(timeout=LONG)
    expect(cab.find("panel-workspace")).to_contain_text("Shoulder at 108.9°")
    expect(cab.find("panel-workspace")).not_to_contain_text("Slew at")  # it has no ends

    # a path, played and recorded
    cab.find("tool-path").click()
    cab.find("path-link").select_option(HAND)
    for n, angles in enumerate([{"shoulder": 0.6, "slew": -0.3}, {"shoulder": 1.0, "slew": 0.5}]):
        go_to(cab, **angles)
        cab.find("path-here").click()
        expect(cab.find("path-via")).to_have_count(n + 1)
    end = place(cab)
    cab.find("path-plan").click()
    expect(cab.find("path-duration")).to_be_visible(timeout=LONG)
    assert cab.find("path-lengths").locator("path").count() >= 2
    cab.find("tool-record").click()
    cab.find("record-field").fill("picker")
    cab.find("record-go").click()
    expect(cab.find("rec")).to_be_visible()
    cab.find("tool-path").click()
    cab.play_path()
    np.testing.assert_allclose(place(cab), end, atol=1e-3)
    cab.find("tool-record").click()
    cab.find("record-go").click()
    expect(cab.find("rec")).to_be_hidden()
    (file,) = tmp_path.glob("*.mcap")
    with file.open("rb") as stream:
        topics = {channel.topic for _, channel, _ in make_reader(stream).iter_messages()}
    assert topics
