"""Recordings in the page: made, looked at again, slowed down, compared, of other machines."""

import shutil

import numpy as np
import pytest
from cab import eventually
from playwright.sync_api import expect

from headframe.protocol import decode
from headframe.recordings import open_run


@pytest.fixture
def tool(cab):
    cab.find("tool-record").click()
    expect(cab.find("record-go")).to_be_enabled()
    yield cab
    if cab.find("close-tool").count():
        cab.find("close-tool").click()
    cab.until("facts.replay === '' && store.replayed === null")


@pytest.fixture
def group(cab):
    return cab.machine["groups"][0]["name"]


def record(cab, name, group, by):
    """Record how a group goes to another length."""
    cab.send(type="restart")
    home = cab.standing(group)
    cab.find("record-field").fill(name)
    cab.find("record-go").click()
    expect(cab.find("rec")).to_be_visible()
    expect(cab.find("record-since")).not_to_have_text("0:00")
    cab.page.evaluate("document.activeElement?.blur()")
    cab.insist(
        lambda: cab.send(type="go_to", group=group, length=home + by),
        f"Math.abs(store.frame.lengths[{cab.index(group)}] - {home + by}) < 1e-4",
        f"facts.status.targets['{group}'] === undefined",
    )
    cab.find("record-go").click()
    expect(cab.find("record-said")).to_contain_text(name)
    expect(cab.find(f"recording-{name}")).to_be_visible()
    expect(cab.find("rec")).to_have_count(0)
    return home


def film(path):
    """Frames of a file."""
    return [decode(frame) for _, frame in open_run(path).frames()]


def scrub(cab, part):
    cab.find("film-scrub").evaluate(
        "(e, part) => { e.value = part * e.max; e.dispatchEvent(new Event('input')); "
        "e.dispatchEvent(new Event('change')); }",
        part,
    )


def tick_at(path, part):
    """The last tick up to a part of a recording's time."""
    times, _ = open_run(path).read()
    return int(np.searchsorted(times, part * times[-1] * (1 + 1e-12), side="right")) - 1


def picture_shows(cab, frame):
    """The scene graph comes to stand as a frame says."""
    wanted = frame.poses[:, :3]
    eventually(lambda: np.allclose(cab.link_poses()[:, :3, 3], wanted, atol=1e-5))


def test_a_run_is_recorded_and_looked_at_again(tool, group, recordings):
    home = record(tool, "first run", group, 0.05)
    frames = film(recordings / "first run.mcap")
    assert np.ptp([f.lengths[tool.index(group)] for f in frames]) > 0.04
    live = tool.length(group)
    tool.find("open-first run").click()
    expect(tool.find("film-name")).to_have_text("first run")
    expect(tool.situation("replay")).to_contain_text("first run")
    tool.until("facts.status.paused && store.replayed !== null")
    for part in (0.0, 0.5, 1.0, 0.2):
        scrub(tool, part)
        tick = tick_at(recordings / "first run.mcap", part)
        expect(tool.find("film-tick")).to_have_text(str(tick + 1))
        tool.until(f"store.replayed?.number === {frames[tick].number}")
        np.testing.assert_array_equal(
            tool.tell("Array.from(store.replayed.lengths)"), frames[tick].lengths
        )
        picture_shows(tool, frames[tick])
    assert frames[0].lengths[tool.index(group)] == pytest.approx(home, abs=1e-5)
    tool.find("back-to-live").click()
    tool.until("facts.replay === '' && store.replayed === null")
    assert tool.length(group) == live


@pytest.mark.slow
def test_steps_speed_and_playing(tool, group, recordings):
    record(tool, "steps", group, 0.04)
    tool.find("open-steps").click()
    tool.until("store.replayed !== null")
    tool.find("film-start").click()
    for _ in range(3):
        tool.find("film-forward").click()
    expect(tool.find("film-tick")).to_have_text("4")
    tool.find("film-back").click()
    expect(tool.find("film-tick")).to_have_text("3")
    frames = film(recordings / "steps.mcap")
    tool.until(f"store.replayed.number === {frames[2].number}")
    tool.find("film-speed").evaluate("e => { e.value = 0; e.dispatchEvent(new Event('input')); }")
    expect(tool.find("film-pace")).to_contain_text("0.10")
    tool.find("film-play").click()
    tool.until(f"store.replayed.number > {frames[4].number}")
    assert tool.tell(f"store.replayed.number < {frames[-1].number}")  # slowly
    tool.find("film-speed").evaluate("e => { e.value = 1; e.dispatchEvent(new Event('input')); }")
    expect(tool.find("film-pace")).to_contain_text("4.00")
    expect(tool.find("film-tick")).to_have_text(str(len(frames)))  # to the end, where it stops
    expect(tool.find("film-play")).to_have_attribute("data-playing", "false")
    tool.until(f"store.replayed.number === {frames[-1].number}")


@pytest.mark.slow
def test_levers_are_dead_while_one_looks(tool, group):
    record(tool, "dead", group, 0.03)
    tool.find("open-dead").click()
    tool.until("facts.status.paused && facts.replay === 'dead' && !hands.live")
    before = tool.length(group)
    tool.page.evaluate("document.activeElement?.blur()")
    key = tool.tell("hands.mapping.groups[0].keys[0]")
    tool.page.keyboard.down(key)
    tool.page.wait_for_timeout(400)
    assert tool.tell("Object.keys(hands.levers()).length") == 0
    tool.page.keyboard.up(key)
    tool.page.keyboard.press("p")
    tool.page.keyboard.press("Space")
    tool.send(type="pause", on=False)  # whoever lets it go on: it is paused again
    tool.page.wait_for_timeout(1500)
    tool.until("facts.status.paused")
    expect(tool.find("pause")).to_be_disabled()
    tool.page.wait_for_timeout(300)
    assert tool.length(group) == pytest.approx(before, abs=1e-6)
    tool.find("film-live").click()
    tool.until("hands.live")
    assert tool.status["paused"]  # until somebody lets it go on


def test_two_runs_are_compared(tool, group, recordings):
    record(tool, "far", group, 0.06)
    record(tool, "near", group, 0.03)
    tool.find("open-far").click()
    tool.until("store.replayed !== null")
    tool.find("film-compare").select_option("near")
    tool.until("view.overlay.group.getObjectByName('ghost cutter_head') !== undefined")
    scrub(tool, 1.0)
    far, near = (film(recordings / f"{name}.mcap") for name in ("far", "near"))
    n = tool.index(group)
    row = tool.find("film-differences").locator("tbody tr").nth(n).locator("td")
    tool.until(f"store.replayed.number === {far[-1].number}")
    expect(row.first).to_have_text(f"{1e3 * far[-1].lengths[n]:.1f}")
    here, there, difference = (float(cell.replace("\u2212", "-")) for cell in row.all_inner_texts())
    assert here == pytest.approx(1e3 * far[-1].lengths[n], abs=0.06)
    beside = 1e3 * np.array([frame.lengths[n] for frame in near])
    assert np.min(np.abs(beside - there)) < 0.06
    assert difference == pytest.approx(here - there, abs=0.11)
    ghost = tool.tell(
        "view.overlay.group.getObjectByName('ghost cutter_head').matrix.elements.slice(12, 15)"
    )
    at = tool.machine["links"].index("cutter_head")
    places = np.array([frame.poses[at, :3] for frame in near])
    assert np.min(np.linalg.norm(places - ghost, axis=1)) < 1e-4
    tool.find("film-compare").select_option("")
    tool.until("view.overlay.group.getObjectByName('ghost cutter_head') === undefined")


@pytest.mark.slow
def test_rename_delete_and_what_is_refused(tool, group, recordings):
    record(tool, "a", group, 0.02)
    tool.find("record-field").fill("a")
    tool.expects("409", "recordings")
    tool.find("record-go").click()
    expect(tool.find("record-problem")).to_contain_text("there is a recording 'a' already")
    tool.find("rename-a").click()
    tool.find("new-name").fill("../b")
    tool.find("keep-name").click()
    expect(tool.find("record-problem")).to_contain_text("expected none of")
    tool.find("rename-a").click()
    tool.find("new-name").fill("<b>&ü")
    tool.find("keep-name").click()
    expect(tool.find("record-problem")).to_contain_text("expected none of")
    tool.find("rename-a").click()
    tool.find("new-name").fill("b & ü")
    tool.find("keep-name").click()
    expect(tool.find("open-b & ü")).to_be_visible()
    assert (recordings / "b & ü.mcap").exists()
    tool.find("delete-b & ü").click()
    tool.find("really-b & ü").click()
    expect(tool.find("open-b & ü")).to_have_count(0)
    assert not (recordings / "b & ü.mcap").exists()


@pytest.mark.slow
def test_a_cut_file_is_added_and_says_so(tool, group, recordings, tmp_path):
    record(tool, "whole", group, 0.05)
    data = (recordings / "whole.mcap").read_bytes()
    path = tmp_path / "cut here.mcap"
    path.write_bytes(data[: len(data) - len(data) // 200 - 9000])
    tool.find("record-upload").set_input_files(path)
    expect(tool.find("open-cut here")).to_contain_text("cut off")
    tool.find("open-cut here").click()
    expect(tool.find("film-cut")).to_be_visible()
    count = len(film(path))
    expect(tool.find("film-tick").locator("..")).to_have_text(f"1 / {count}")
    (tmp_path / "junk.mcap").write_bytes(b"junk")
    tool.expects("422", "recordings")
    tool.find("record-upload").set_input_files(tmp_path / "junk.mcap")
    expect(tool.find("record-problem")).to_contain_text("expected an MCAP file")


@pytest.mark.slow
def test_a_recording_of_another_machine_brings_its_machine(own, recordings):
    own.send(type="choose_machine", name="door")
    own.until("facts.scene.machine.name === 'door'")
    own.loaded().alive()
    own.find("tool-record").click()
    record(own, "of the door", own.machine["groups"][0]["name"], -0.02)
    own.send(type="choose_machine", name="lhd")
    own.until("facts.scene.machine.name === 'lhd'")
    own.loaded()
    own.find("open-of the door").click()
    expect(own.find("record-foreign")).to_contain_text("Door")
    assert own.tell("facts.replay") == ""
    own.find("record-machine").click()
    own.until("facts.scene.machine.name === 'door' && facts.replay === 'of the door'")
    own.loaded()
    scrub(own, 1.0)
    picture_shows(own, film(recordings / "of the door.mcap")[-1])


@pytest.mark.slow
def test_viewers_look_but_do_not_touch(server, cab, visit, group, recordings):
    cab.find("tool-record").click()
    record(cab, "for all", group, 0.03)
    cab.find("close-tool").click()
    viewer = visit(server.addresses[1]).loaded()
    viewer.find("tool-record").click()
    expect(viewer.find("record-go")).to_be_disabled()
    viewer.find("open-for all").click()
    viewer.until("store.replayed !== null")
    assert not cab.status["paused"]  # what a viewer looks at pauses nobody
    for name in ("delete-for all", "rename-for all", "download-for all", "record-upload"):
        expect(viewer.find(name)).to_have_count(0)
    expect(viewer.situation("replay")).to_be_visible()


@pytest.mark.slow
def test_replay_opens_the_file_by_itself(visit, new_server, cab, group, recordings, tmp_path):
    cab.find("tool-record").click()
    record(cab, "to replay", group, 0.03)
    cab.find("close-tool").click()
    file = tmp_path / "sent to me.mcap"
    shutil.copyfile(recordings / "to replay.mcap", file)
    running = new_server(str(file), "--port", "0", command="replay")
    page = visit(running.addresses[0].replace("/?", "/?test&"))
    page.until("facts.replay === 'sent to me' && store.replayed !== null")
    page.loaded()
    expect(page.find("film-name")).to_have_text("sent to me")
    picture_shows(page, film(file)[0])
