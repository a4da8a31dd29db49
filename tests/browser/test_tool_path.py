"""A path: via points placed, planned, seen as a ribbon, played, saved, opened; a cut laid out."""

import json

import numpy as np
import pytest
from cab import eventually
from playwright.sync_api import expect

import headframe as hf

HEAD = "cutter_head"
RIBBON = 'view.overlay.group.getObjectByName("ribbon")'
VIA = [(5.6, -0.3, 1.8), (5.62, 0.0, 2.0), (5.6, 0.3, 1.8)]
ON_ROCK = """(() => {  // a place of the window where nothing hides the rock, and the point there
  const { overlay } = view;
  const box = overlay.canvas.getBoundingClientRect();
  for (let v = 0.2; v < 0.9; v += 0.05) for (let u = 0.1; u < 0.9; u += 0.05) {
    const at = [box.left + u * box.width, box.top + v * box.height];
    let top = document.elementFromPoint(...at);
    while (top?.shadowRoot?.elementFromPoint(...at)) top = top.shadowRoot.elementFromPoint(...at);
    const hit = overlay.point(...at);
    if (top === overlay.canvas && hit?.link === "") return [...at, ...hit.point];
  }
})()"""
FETCHED = """performance.getEntriesByType("resource")
  .filter(({ name }) => name.endsWith("path.bin")).length"""
LONG = 120_000  # for a study on a busy computer [ms]


@pytest.fixture
def tool(cab):
    cab.find("tool-path").click()
    expect(cab.find("path-link")).to_have_value(HEAD)
    yield cab
    if cab.find("path-clear").is_enabled():
        cab.find("path-clear").click()
    cab.find("close-tool").click()
    cab.until("view.overlay.group.children.length === 0")


def type_in(tool, points):
    """Add via points, each where the link is, and type where it should be."""
    for n, point in enumerate(points):
        tool.find("path-here").click()
        expect(tool.find("path-via")).to_have_count(n + 1)
        for name, value in zip("xyz", point, strict=True):
            tool.find(f"path-{name}").fill(f"{value}")
            tool.find(f"path-{name}").press("Tab")


def plan(tool):
    tool.find("path-plan").click()
    expect(tool.find("path-plan")).to_be_enabled(timeout=LONG)


def opened(tool, name, content):
    """Open a file, as by its button."""
    tool.find("path-import").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": content.encode()}
    )


def table(path):
    """Heads and numbers of a .csv file."""
    heads, *rows = path.read_text().splitlines()
    return heads, np.array([[float(cell) for cell in row.split(",")] for row in rows])


def place(tool):
    return np.array(tool.tell(f"view.worldMatrix('{HEAD}')")[12:15])


def ribbon(tool):
    """The middle of the ribbon in the scene graph, (n, 3) [m]."""
    tool.until(f"{RIBBON} !== undefined")
    numbers = tool.tell(f"Array.from({RIBBON}.geometry.getAttribute('position').array)")
    return np.array(numbers).reshape(-1, 2, 3).mean(axis=1)


def test_planned_path_is_seen_played_and_saved(tool):
    """One after the other, since planning takes its time."""
    type_in(tool, VIA)
    plan(tool)
    motion = hf.trajectory(hf.load("roadheader"), HEAD, VIA)
    np.testing.assert_allclose(ribbon(tool), motion.poses[:, :3, 3], atol=1e-5)
    assert f"{motion.duration:.2f}" in tool.find("path-duration").inner_text()
    assert tool.find("path-lengths").locator("path").count() == 3  # slew, boom, telescope
    tool.find("path-color-limit").click()
    expect(tool.find("path-limiting")).to_contain_text("% of the time")

    with tool.page.expect_download() as saving:
        tool.find("path-export-csv").click()
    file = saving.value.path()
    motion.save(file.with_suffix(".csv"))
    saved, wanted = (table(path) for path in (file, file.with_suffix(".csv")))
    assert saved[0] == wanted[0]
    np.testing.assert_allclose(saved[1], wanted[1], atol=1e-5)  # frames have single precision

    tool.play_path()
    eventually(lambda: np.allclose(place(tool), VIA[-1], atol=1e-4))


@pytest.mark.slow
def test_cursor_goes_with_the_machine_and_a_lever_stops_it(tool):
    type_in(tool, VIA[:2])
    plan(tool)
    tool.find("path-rate").select_option("0.25")
    tool.insist(
        tool.find("path-play").click,
        "facts.status.playing?.begun != null",
        "facts.status.playing === null",
    )
    both = """(() => {
      const marked = view.overlay.group.getObjectByName("cursor");
      const head = view.worldMatrix("cutter_head");
      return [...marked.position.toArray(), ...head.slice(12, 15)];
    })()"""
    tool.send(type="pause", on=True)
    tool.until("facts.status.paused && view.overlay.group.getObjectByName('cursor').visible")
    tool.page.wait_for_timeout(1000)  # for a picture of it
    if tool.tell("facts.status.playing?.begun != null"):  # else a heartbeat was late
        x, y, z, *head = tool.tell(both)
        np.testing.assert_allclose([x, y, z], head, atol=1e-3)
    tool.send(type="pause", on=False)
    tool.page.evaluate("document.activeElement?.blur()")
    tool.page.keyboard.down("w")
    tool.until("facts.status.playing === null")
    tool.page.keyboard.up("w")
    expect(tool.find("path-ended")).to_have_text("Playing was stopped.")


def test_a_plan_is_there_though_the_tool_was_left_meanwhile(tool):
    type_in(tool, VIA)
    fetched = tool.tell(FETCHED)
    tool.find("path-plan").click()
    tool.find("close-tool").click()  # before the answer can have come
    tool.until("view.overlay.group.children.length === 0")
    tool.until(f"{FETCHED} > {fetched}")  # by a tool that is closed
    assert tool.tell(f"{RIBBON} === undefined")  # and not drawn by it
    tool.find("tool-path").click()
    expect(tool.find("path-results")).to_be_visible()
    tool.until(f"{RIBBON} !== undefined")


def test_click_on_the_face_places_a_via_point(tool):
    tool.find("path-place").click()
    spot = tool.tell(ON_ROCK)
    x, y, *point = spot
    tool.page.mouse.click(x, y)
    expect(tool.find("path-via")).to_have_count(1)
    shown = [float(tool.find(f"path-{name}").input_value()) for name in "xyz"]
    np.testing.assert_allclose(shown, point, atol=0.05)  # the camera may drift a little
    ball = tool.tell(
        "Array.from(view.overlay.group.getObjectByName('vias').instanceMatrix.array.slice(12, 15))"
    )
    np.testing.assert_allclose(ball, shown, atol=1e-3)
    tool.find("path-undo").click()
    expect(tool.find("path-via")).to_have_count(0)
    tool.find("path-place").click()


def test_via_points_out_of_reach_are_named(tool):
    type_in(tool, [VIA[0], (6.4, 0.0, 1.8), VIA[2], (6.5, 0.2, 1.8)])
    plan(tool)
    missed = tool.find("path-missed").locator("li")
    expect(missed).to_have_count(2)
    assert [text.split(":")[0] for text in missed.all_inner_texts()] == [
        "Via point 2",
        "Via point 4",
    ]
    assert tool.tell(f"{RIBBON} === undefined")
    assert tool.find("path-play").count() == 0


@pytest.mark.slow
def test_files_come_back_or_are_refused_with_all_problems(tool):
    machine = hf.load("roadheader")
    opened(tool, "via.json", json.dumps({"via": [{"position": list(point)} for point in VIA]}))
    expect(tool.find("path-via")).to_have_count(3, timeout=LONG)
    wrong = {"times": [0, 1, 2], "machine": "roadheader",
             "lengths": {"slew_left": [1.6, 1.6, 9.0], "telescope": [2.0, 2.3, 2.0]}}  # fmt: skip
    opened(tool, "wrong.json", json.dumps(wrong))
    problems = tool.find("path-problems").locator("li")
    expect(problems.first).to_contain_text("expected 1.2373 to 1.9538 m", timeout=LONG)
    told = "\n".join(problems.all_inner_texts())
    assert "'telescope': found 0.3 m/s" in told
    assert tool.tell(f"{RIBBON} === undefined")
    times = np.linspace(0.0, 4.0, 81)
    slide = 2.1 + 0.05 * (1 - np.cos(np.pi * times / 4.0))
    rows = "".join(f"{t:.3f},{s:.9f}\n" for t, s in zip(times, slide, strict=True))
    opened(tool, "way.csv", "time [s],telescope [m]\n" + rows)
    tool.until(f"{RIBBON} !== undefined")
    ends = [machine.fk({"telescope": s}).pose(HEAD)[:3, 3] for s in (slide[0], slide[-1])]
    np.testing.assert_allclose(ribbon(tool)[[0, -1]], ends, atol=1e-5)
    expect(tool.find("path-problems")).to_have_count(0)


def test_cut_of_the_roadway_s_own_section(tool):
    tool.find("path-cut").locator("summary").click()
    expect(tool.find("cut-width")).not_to_have_value("")
    room = tool.tell("view.overlay.surroundings.room")
    assert float(tool.find("cut-width").input_value()) == pytest.approx(2 * room["half"], abs=0.01)
    for name, value in (("width", 4), ("wall", 1.8), ("rise", 1.4), ("depth", 5.6), ("floor", 0)):
        tool.find(f"cut-{name}").fill(str(value))
    for name, value in (("diameter", 1), ("centre", 0)):
        tool.find(f"cut-{name}").fill(str(value))
    tool.find("cut-make").click()
    way = hf.serpentine(hf.load("roadheader"), HEAD, hf.arched(4, 1.8, 1.4), depth=5.6, diameter=1)
    expect(tool.find("path-via")).to_have_count(len(way), timeout=LONG)
    numbers = tool.tell(
        "Array.from(view.overlay.group.getObjectByName('vias').instanceMatrix.array)"
    )
    balls = np.array(numbers).reshape(-1, 16)[:, 12:15]
    np.testing.assert_allclose(balls, way.positions(5.6), atol=1e-5)
    expect(tool.find("cut-covered")).to_contain_text(f"{100 * way.covered():.1f} %")
