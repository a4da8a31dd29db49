"""Plots: what is drawn is what frames tell; scrolled, zoomed, taken away."""

import csv
import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

pytestmark = pytest.mark.blind

PART = "document.querySelector('hf-app').shadowRoot.querySelector('hf-tool').shadowRoot"
PART = f"{PART}.querySelector('hf-plots')"
NEWS = """() => {
  let n = 0;
  globalThis.news = setInterval(() => headframe.store.set({ latency: n++ }), 10);
}"""
HIDE = "() => Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })"
NOTE = """() => {
  globalThis.noted = [];
  globalThis.endNote = headframe.store.watch(
    ({ time, lengths }) => noted.push([time, ...lengths])
  );
}"""


@pytest.fixture
def tool(cab):
    cab.find("tool-plots").click()
    expect(cab.find("plot-length")).to_be_visible()
    yield cab
    cab.page.evaluate("globalThis.endNote?.()")
    cab.find("close-tool").click()


def chart(cab, kind):
    """Ids and data of a plot: times [s], then one row each in the shown unit."""
    ids, data = cab.tell(
        f"(() => {{ const chart = {PART}.charts.find((one) => one.kind === '{kind}'); "
        "return [chart.ids, chart.plot.data.map((row) => [...row])]; })()"
    )
    return ids, np.array(data, dtype=float)


def seen(cab):
    """The stretch of time that is looked at [s]."""
    return cab.tell(f"(({{ min, max }}) => [min, max])({PART}.charts[0].plot.scales.x)")


def redraws(cab, seconds):
    """How often each plot is drawn within some seconds, by kind; as the page tells."""
    return cab.page.evaluate(
        f"""async (seconds) => {{
          const count = () => {PART}.charts.map(({{ kind, redraws }}) => [kind, redraws]);
          const before = new Map(count());
          await new Promise((done) => setTimeout(done, 1000 * seconds));
          return Object.fromEntries(count().map(([kind, n]) => [kind, n - before.get(kind)]));
        }}""",
        seconds,
    )


def test_plots_are_drawn_when_something_is_new_and_can_be_seen(tool):
    tool.page.evaluate(NEWS)  # facts that change a hundred times a second
    tool.find("plots-choose").click()
    for kind in ("angle", "energy", "computing"):
        tool.find(f"plots-all-{kind}").click()
    tool.find("plots-choose").click()
    tool.find("plot-length").scroll_into_view_if_needed()
    tool.until(f"{PART}.charts[0].seen && !{PART}.charts.at(-1).seen")
    running = redraws(tool, 1.5)
    assert 1 <= running["length"] <= 16  # ten a second
    assert running["computing"] == 0  # scrolled out
    tool.find("plot-computing").scroll_into_view_if_needed()
    tool.until(f"{PART}.charts.at(-1).seen && !{PART}.charts[0].seen")
    scrolled = redraws(tool, 0.5)
    assert scrolled["computing"] >= 1
    assert scrolled["length"] == 0
    tool.page.evaluate(HIDE)
    assert set(redraws(tool, 0.4).values()) == {0}
    tool.page.evaluate("() => { delete document.hidden; clearInterval(globalThis.news); }")
    tool.send(type="pause", on=True)
    tool.until("facts.status.paused")
    tool.page.wait_for_timeout(300)
    assert set(redraws(tool, 0.4).values()) == {0}  # nothing is new


def test_plotted_lengths_are_those_of_the_frames(tool):
    tool.find("plots-span").select_option("10")  # so short that every frame is drawn
    tool.page.evaluate(NOTE)
    tool.drive("w", "boom", 0.05)
    tool.page.evaluate("endNote()")
    tool.page.wait_for_timeout(300)
    ids, data = chart(tool, "length")
    noted = np.array(tool.tell("noted"))
    column = 1 + tool.index("boom")
    assert np.ptp(noted[:, column]) > 0.04
    plotted = dict(zip(data[0], data[1 + ids.index("length boom")], strict=True))
    common = [row for row in noted if row[0] in plotted]
    assert len(common) > 0.9 * len({row[0] for row in noted}) > 10
    for row in common:
        assert plotted[row[0]] == pytest.approx(1e3 * row[column], rel=1e-7)
    assert all(np.diff(data[0]) > 0)


def test_numbers_are_saved_with_units(tool):
    tool.find("plots-span").select_option("10")
    tool.drive("w", "boom", 0.03)
    tool.find("plots-follow").click()  # stands still
    expect(tool.find("plots-follow")).to_have_attribute("aria-pressed", "false")
    start, end = seen(tool)
    with tool.page.expect_download() as coming:
        tool.find("plots-csv").click()
    assert coming.value.suggested_filename.startswith("roadheader_")
    rows = list(csv.reader(io.StringIO(coming.value.path().read_text())))
    assert rows[0][0] == "time [s]"
    assert "Length: boom [m]" in rows[0]
    assert "Force: boom [N]" in rows[0]
    table = np.array(rows[1:], dtype=float)
    assert start - 1e-5 <= table[0, 0] < table[-1, 0] <= end + 1e-5
    ids, data = chart(tool, "length")
    plotted = np.interp(table[:, 0], data[0], data[1 + ids.index("length boom")])
    saved = table[:, rows[0].index("Length: boom [m]")]
    np.testing.assert_allclose(1e3 * saved, plotted, rtol=1e-6)
    before = seen(tool)
    tool.page.wait_for_timeout(400)
    assert seen(tool) == before
    tool.find("plots-follow").click()
    tool.until(f"{PART}.charts[0].plot.scales.x.max > {before[1]}")


@pytest.mark.slow
def test_picture_is_saved(tool):
    tool.page.wait_for_timeout(500)
    with tool.page.expect_download() as coming:
        tool.find("plots-png").click()
    picture = Image.open(coming.value.path())
    assert picture.width >= 320
    assert picture.height > 250  # two plots
    colours = {count for count, _ in picture.convert("RGB").getcolors(2**24)}
    assert len(colours) > 5  # grid, letters and lines on the ground


@pytest.mark.slow
def test_quantities_are_chosen(tool):
    tool.find("plots-choose").click()
    expect(tool.find("plot-angle")).to_have_count(0)
    tool.find("plots-all-angle").click()
    expect(tool.find("plot-angle")).to_be_visible()
    tool.find("plot-angle").scroll_into_view_if_needed()
    tool.find("plots-all-force").click()  # all of them were
    expect(tool.find("plot-force")).to_have_count(0)
    tool.page.wait_for_timeout(300)
    ids, data = chart(tool, "angle")
    joints = [joint["name"] for joint in tool.machine["joints"] if joint["turns"]]
    assert ids == [f"angle {name}" for name in joints]
    names = [joint["name"] for joint in tool.machine["joints"]]
    now = tool.tell("Array.from(store.frame.joints)")
    expected = [np.degrees(now[names.index(name)]) for name in joints]
    np.testing.assert_allclose(data[1:, -1], expected, atol=1e-3)
    tool.find("plots-all-angle").click()
    tool.find("plots-all-force").click()


@pytest.mark.slow
def test_dragging_zooms_and_a_double_click_follows(tool):
    tool.find("plots-span").select_option("10")
    tool.page.wait_for_timeout(1500)
    box = tool.find("plot-length").locator(".u-over").bounding_box()
    y = box["y"] + box["height"] / 2
    tool.page.mouse.move(box["x"] + 0.8 * box["width"], y)
    tool.page.mouse.down()
    tool.page.mouse.move(box["x"] + 0.95 * box["width"], y, steps=4)
    tool.page.mouse.up()
    expect(tool.find("plots-follow")).to_have_attribute("aria-pressed", "false")
    start, end = seen(tool)
    assert end - start == pytest.approx(1.5, abs=0.2)
    expect(tool.find("plot-force")).to_be_visible()
    others = tool.tell(f"{PART}.charts.map(({{ plot }}) => plot.scales.x.min)")
    assert len(set(others)) == 1  # one axis of time for all
    tool.page.mouse.dblclick(box["x"] + 0.5 * box["width"], y)
    expect(tool.find("plots-follow")).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_going_on_from_an_earlier_moment_cuts_the_rest_off(tool):
    tool.until("store.frame.time > 2")
    tool.send(type="rewind", time=0.5)
    tool.until("facts.status.paused && store.frame.time < 0.6")
    tool.page.wait_for_timeout(300)
    _, data = chart(tool, "length")
    assert data[0].max() > 1.5  # still there to return to
    assert tool.tell(f"{PART}.charts[0].now") == pytest.approx(tool.time)  # a line stands there
    tool.send(type="pause", on=False)
    tool.until("!facts.status.paused && store.frame.time > 0.6")
    tool.page.wait_for_timeout(300)
    _, data = chart(tool, "length")
    assert data[0].max() <= tool.time + 1e-9
    assert all(np.diff(data[0]) > 0)
    assert tool.page.locator("hf-plots").count() == 1


@pytest.mark.slow
def test_another_machine_begins_anew(tool):
    tool.until("store.frame.time > 1")
    number = tool.tell("facts.scene.number")
    tool.send(type="choose_machine", name="door")
    tool.until(f"facts.scene.number > {number}")
    tool.loaded().alive()
    tool.until(
        f"{PART}.charts[0]?.ids[0] === 'length door' && {PART}.charts[0].plot.data[0].length"
    )
    ids, data = chart(tool, "length")
    assert ids == ["length door"]
    assert data[0].min() < 1.0
    assert data[1, -1] == pytest.approx(1e3 * tool.length("door"), rel=1e-6)
