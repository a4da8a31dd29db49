"""At 1280 x 720, what a tool has found lies in the window, without anybody scrolling."""

import json

import pytest
from playwright.sync_api import expect

LONG = 60_000  # for a study on a busy computer [ms]
# how far a box sticks out of the window, or out of what the tool shows of itself [px]
OUTSIDE = """(element) => {
  const box = element.getBoundingClientRect();
  let frame = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  for (let at = element; at; at = at.parentNode ?? at.host) {
    if (!(at instanceof Element) || at === element) continue;
    if (!/auto|scroll|hidden/.test(getComputedStyle(at).overflowY)) continue;
    const { left, top, right, bottom } = at.getBoundingClientRect();
    frame = { left: Math.max(frame.left, left), top: Math.max(frame.top, top),
      right: Math.min(frame.right, right), bottom: Math.min(frame.bottom, bottom) };
  }
  return Math.max(frame.left - box.left, frame.top - box.top,
    box.right - frame.right, box.bottom - frame.bottom);
}"""


def assert_seen(cab, name, timeout=LONG):
    found = cab.find(name).first
    expect(found).to_be_visible(timeout=timeout)
    cab.page.wait_for_timeout(150)  # for the page to come to rest
    box = found.bounding_box()
    assert box["height"] > 15
    assert found.evaluate(OUTSIDE) <= 1.0, (name, box)


@pytest.fixture
def opened(cab):
    """Opens tools; afterwards none is open."""
    assert cab.page.viewport_size == {"width": 1280, "height": 720}

    def go(tool):
        cab.find(f"tool-{tool}").click()
        expect(cab.find(f"panel-{tool}")).to_be_visible()
        return cab

    yield go
    if cab.find("path-clear").count():
        cab.find("path-clear").click()
    if cab.find("close-tool").count():
        cab.find("close-tool").click()


def test_path(opened):
    cab = opened("path")
    for n, point in enumerate([(5.6, -0.3, 1.8), (5.62, 0.0, 2.0), (5.6, 0.3, 1.8)]):
        cab.find("path-here").click()
        expect(cab.find("path-via")).to_have_count(n + 1)
        for name, value in zip("xyz", point, strict=True):
            cab.find(f"path-{name}").fill(f"{value}")
            cab.find(f"path-{name}").press("Tab")
    cab.find("path-plan").click()
    assert_seen(cab, "path-results")
    cab.find("path-x").fill("8")
    cab.find("path-x").press("Tab")
    cab.find("path-plan").click()
    assert_seen(cab, "path-missed")


def test_workspace_and_section(opened):
    cab = opened("workspace")
    cab.find("workspace-samples").select_option("10000")
    cab.find("workspace-start").click()
    assert_seen(cab, "workspace-results")
    cab.find("section-start").click()
    assert_seen(cab, "section-results")


def test_reach(opened):
    cab = opened("reach")
    cab.find("reach-y").fill("0.2")
    cab.insist(cab.find("reach-go").click, "facts.status !== null", "facts.status.presence !== ''")
    assert_seen(cab, "reach-answer")


def test_cut(opened):
    cab = opened("path")
    cab.find("path-cut").locator("summary").click()
    for name, value in (("width", 4), ("wall", 1.8), ("rise", 1.4), ("depth", 5.6), ("floor", 0)):
        cab.find(f"cut-{name}").fill(str(value))
    cab.find("cut-make").click()
    assert_seen(cab, "cut-results")


@pytest.mark.parametrize(
    ("tool", "result"),
    [
        ("topology", "topology-graph"),
        ("inspect", "inspect-solver"),
        ("plots", "plot-length"),
        ("plots", "plot-force"),
    ],
)
def test_what_needs_no_asking(opened, tool, result):
    assert_seen(opened(tool), result, 15_000)


def test_explained_group(opened):
    cab = opened("topology")
    cab.find("topology-group-boom").click()
    assert_seen(cab, "topology-detail")


def test_inspected_part(opened):
    cab = opened("inspect")
    cab.find("inspect-link").select_option("cutter_head")
    assert_seen(cab, "inspect-position")
    assert_seen(cab, "inspect-mass")


def test_machine_with_many_problems(opened):
    cab = opened("machine")
    cab.expects("422")
    wrong = json.dumps({"mrdf": "1", "name": "wrong", "links": [{"nmae": "a"}] * 30})
    cab.find("machine-file").set_input_files(
        {"name": "wrong.json", "mimeType": "application/json", "buffer": wrong.encode()}
    )
    assert_seen(cab, "machine-answer")
