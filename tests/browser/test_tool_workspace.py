"""What a link reaches: computed beside physics, shown, sliced, saved, laid over the roadway."""

import io

import numpy as np
import pytest
from playwright.sync_api import expect

import headframe as hf
from headframe.workbench.head import head_of
from headframe.workbench.section import cut_section

CLOUD = "view.overlay.group.getObjectByName('workspace cloud')"
SURFACE = "view.overlay.group.getObjectByName('workspace surface')"
CUT = "view.overlay.group.getObjectByName('workspace cut')"
CELLS = "view.overlay.group.getObjectByName('section cells')"
EMPTY = "view.overlay.group.children.length === 0"


@pytest.fixture
def tool(cab):
    cab.find("tool-workspace").click()
    expect(cab.find("workspace-link")).to_have_value("cutter_head")
    yield cab
    if cab.find("close-tool").count():
        cab.find("close-tool").click()
    cab.until(EMPTY)


def standing(cab):
    """The machine as the frame shows it."""
    machine = hf.load("roadheader")
    lengths = np.array(cab.tell("Array.from(store.frame.lengths)"))
    return machine, machine.fk(lengths[[m[0] for m in machine.robot.groups]])


def compute(cab, samples="10000"):
    cab.find("workspace-samples").select_option(samples)
    cab.find("workspace-start").click()


def test_cloud_in_the_picture_is_the_library_s(tool):
    tool.find("workspace-x").fill("0.25")
    compute(tool)
    tool.until(f"{CLOUD} !== undefined")
    shown = np.array(tool.tell(f"Array.from({CLOUD}.geometry.attributes.position.array)"))
    machine, state = standing(tool)
    cloud = hf.workspace(machine, "cutter_head", samples=10_000, point=(0.25, 0, 0), start=state)
    np.testing.assert_allclose(shown.reshape(-1, 3), cloud.points, atol=1e-5)
    expect(tool.find("workspace-taken")).to_have_text("10,000")
    size = float(tool.find("workspace-size").inner_text().split()[0])
    assert size == pytest.approx(cloud.size, rel=2e-3)
    expect(tool.find("workspace-legend").locator("li")).to_have_count(6)

    tool.find("workspace-cloud").uncheck()
    tool.find("workspace-surface").uncheck()
    assert tool.tell(f"[{CLOUD}.visible, {SURFACE}.visible]") == [False, False]
    tool.find("workspace-surface").check()

    tool.find("workspace-slice-y").click()
    middle = (cloud.box[0][1] + cloud.box[1][1]) / 2
    heights = f"{CUT}.geometry.attributes.instanceStart.data.array.filter((_, i) => i % 3 === 1)"
    np.testing.assert_allclose(tool.tell(f"Array.from({heights})"), middle, atol=1e-3)
    assert tool.tell(f"{SURFACE}.material.clippingPlanes.length") == 1
    tool.find("workspace-slice-none").click()
    assert tool.tell(f"{CUT}.visible") is False

    with tool.page.expect_download() as saved:
        tool.find("workspace-save-npz").click()
    kept = np.load(io.BytesIO(saved.value.path().read_bytes()))
    np.testing.assert_array_equal(kept["points"], cloud.points)
    expect(tool.find("workspace-save-glb")).to_be_visible()
    with tool.page.expect_download(timeout=120_000) as saved:
        tool.find("workspace-save-png").click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    tool.find("close-tool").click()
    tool.until(EMPTY)


@pytest.mark.slow
def test_a_computation_is_given_up(tool):
    compute(tool, "500000")
    tool.find("workspace-cancel").click()
    expect(tool.find("workspace-cancelled")).to_be_visible(timeout=60_000)
    assert tool.tell(EMPTY)


@pytest.mark.slow
def test_a_point_that_is_none_is_refused(tool):
    tool.find("workspace-y").fill("4000")
    compute(tool)
    expect(tool.find("workspace-failed")).to_contain_text("point.1", timeout=60_000)
    assert tool.tell(EMPTY)


def test_section_is_laid_over_the_roadway_s_profile(tool):
    tool.find("section-start").click()
    tool.until(f"{CELLS} !== undefined")
    machine, state = standing(tool)
    room, foot = tool.tell("[view.roadway.room, view.roadway.origin.toArray()]")
    before = tool.tell(f"view.roadway.origin.x - {CELLS}.parent.matrix.elements[12]")
    head = state.pose("cutter_head")[:3, 3]
    assert foot[0] - before == pytest.approx(head[0], abs=0.026)  # the slider's steps
    angles = np.linspace(0.0, np.pi, 181)
    arch = np.stack(
        [room["half"] * np.cos(angles), room["wall"] + room["rise"] * np.sin(angles)], axis=1
    )
    outline = np.vstack([[[room["half"], 0.0]], arch, [[-room["half"], 0.0]]])
    X = np.eye(4)
    X[:3, 3] = foot[0] - before, foot[1], foot[2]
    drum = head_of(machine, "cutter_head")
    section = cut_section(
        machine, state, "cutter_head", outline, X, drum.radius, drum.point, cell=0.04
    )  # as fine as the page asks for it
    told = tool.find("section-fraction").inner_text()
    assert float(told.split()[0]) == pytest.approx(100.0 * section.fraction, abs=0.1)
    assert float(told.split()[3]) == pytest.approx(section.area, abs=0.1)
    tool.find("section-clear").click()
    tool.until(EMPTY)


@pytest.mark.slow
def test_another_machine_clears_everything(tool):
    compute(tool)
    tool.until(f"{CLOUD} !== undefined")
    number = tool.tell("facts.scene.number")
    tool.send(type="choose_machine", name="door")
    tool.until(f"facts.scene.number > {number}")
    tool.until(EMPTY)
    expect(tool.find("workspace-facts")).to_have_count(0)
    tool.loaded()
    expect(tool.find("workspace-link")).to_have_value("leaf_right")


@pytest.mark.slow
def test_who_only_watches_may_not_compute(server, cab, visit):
    viewer = visit(server.addresses[1]).loaded()
    viewer.find("tool-workspace").click()
    expect(viewer.find("only-watching")).to_contain_text("Viewers only watch")
    expect(viewer.find("workspace-start")).to_be_disabled()
    expect(viewer.find("section-start")).to_be_disabled()
    viewer.find("tool-path").click()
    viewer.find("path-here").click()
    expect(viewer.find("path-plan")).to_be_disabled()
