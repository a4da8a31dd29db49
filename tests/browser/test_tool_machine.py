"""A machine of one's own: dropped on the page or chosen, refused or driven, and taken home."""

import base64
import json
import zipfile

import pytest
from playwright.sync_api import expect

import headframe as hf
import headframe.description.reading
from headframe.description.archive import pack
from headframe.export import FORMATS

DRAG = """([kind, name, content]) => {
  const transfer = new DataTransfer();
  const bytes = Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  transfer.items.add(new File([bytes], name));
  const at = document.querySelector("canvas");
  const options = { dataTransfer: transfer, bubbles: true, cancelable: true, composed: true };
  at.dispatchEvent(new DragEvent(kind, options));
}"""


@pytest.fixture
def tool(cab):
    yield cab
    if cab.find("close-tool").count():
        cab.find("close-tool").click()


def drag(cab, kind, name, content):
    """Files are dragged over the picture, or dropped there."""
    cab.page.evaluate(DRAG, [kind, name, base64.b64encode(content).decode()])


def own(name="my <b>door</b>"):
    folder = hf.load("door").folder
    machine = json.loads((folder / "door.json").read_text())
    machine["name"] = name
    return {
        "door.json": json.dumps(machine).encode(),
        "door.3dt": (folder / "door.3dt").read_bytes(),
    }


def test_archive_that_is_dropped_on_the_page_is_driven(tool):
    number = tool.tell("facts.scene.number")
    drag(tool, "dragenter", "gate.zip", b"")
    expect(tool.find("dropzone")).to_be_visible()
    drag(tool, "dragleave", "gate.zip", b"")
    expect(tool.find("dropzone")).to_have_count(0)
    drag(tool, "dragenter", "gate.zip", b"")
    drag(tool, "drop", "gate.zip", pack(own()))
    expect(tool.find("dropzone")).to_have_count(0)
    tool.until(f"facts.scene.number > {number} && facts.loading === null")
    tool.loaded().alive()
    assert tool.machine["name"] == "my <b>door</b>"
    expect(tool.find("machine-answer")).to_contain_text("gate.zip is driven now")
    expect(tool.find("chooser")).to_contain_text("<b>")  # a name is text
    key = tool.tell("hands.mapping.groups[0].keys[0]").removeprefix("Key").lower()
    tool.hold_key(key, "Math.abs(store.frame.speeds[0]) > 0")
    tool.page.keyboard.up(key)


def test_every_problem_is_listed_and_the_machine_goes_on(tool):
    before = tool.tell("facts.scene.number")
    broken = {"mrdf": "1", "name": "<img src=x>", "links": [{"name": "<i>a</i>"}, {"nam": 5}]}
    tool.expects("422")
    tool.find("tool-machine").click()
    tool.find("machine-file").set_input_files(
        {"name": "broken.json", "mimeType": "", "buffer": json.dumps(broken, indent=1).encode()}
    )
    expect(tool.find("machine-problems")).to_be_visible()
    reading = hf.description.reading.read_text(json.dumps(broken, indent=1))
    shown = tool.find("machine-problems").locator("li").all_inner_texts()
    assert len(shown) == len(reading.problems) > 1
    for text, problem in zip(shown, reading.problems, strict=True):
        assert problem.place in text
        assert problem.message in text
        assert problem.hint in text
        assert problem.line is None or f"line {problem.line}" in text
    answer = tool.find("machine-answer")
    expect(answer).to_contain_text("Roadheader goes on")
    assert tool.tell("facts.scene.number") == before
    time = tool.time
    tool.until(f"store.frame.time > {time}")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "why"),
    [("m.zip", pack({"../x.json": b"{}"}), "../x.json"), ("m.stl", b"solid", "no machine file")],
)
def test_refusal_names_the_place(tool, name, content, why):
    tool.expects("422")
    drag(tool, "drop", name, content)
    expect(tool.find("machine-problems")).to_contain_text(why)
    expect(tool.find("machine-answer")).to_contain_text("Nothing has changed")


def test_formats_are_those_of_the_server(tool):
    tool.find("tool-machine").click()
    expect(tool.find("machine-take-zip")).to_be_visible()
    shown = tool.page.locator("[data-testid^=machine-take-]").evaluate_all(
        "all => all.map((one) => [one.dataset.testid.slice(13), one.textContent.trim()])"
    )
    assert [tuple(one) for one in shown] == [(each.name, each.title) for each in FORMATS.values()]


@pytest.mark.slow
def test_machine_is_taken_home(tool):
    tool.find("tool-machine").click()
    with tool.page.expect_download(timeout=120_000) as coming:
        tool.find("machine-take-zip").click()
    file = coming.value
    assert file.suggested_filename == "roadheader.zip"
    with zipfile.ZipFile(file.path()) as archive:
        assert set(archive.namelist()) == {"roadheader.json", "roadheader.3dt"}
    expect(tool.find("machine-made")).to_contain_text("roadheader.zip")
    with tool.page.expect_download(timeout=120_000) as coming:
        tool.find("machine-take-urdf").click()
    assert coming.value.suggested_filename.startswith("roadheader")
    expect(tool.find("machine-notes").locator("li").first).not_to_be_empty()


@pytest.mark.slow
def test_who_only_watches_drives_nothing_and_takes_home_all_the_same(server, cab, visit):
    viewer = visit(server.addresses[1]).loaded()
    viewer.expects("403")
    number = viewer.tell("facts.scene.number")
    drag(viewer, "dragenter", "gate.zip", b"")
    expect(viewer.find("dropzone")).to_contain_text("Only the operator")
    drag(viewer, "drop", "gate.zip", pack(own()))
    expect(viewer.find("machine-problems")).to_contain_text("only the operator in the seat")
    expect(viewer.find("machine-choose")).to_be_disabled()
    with viewer.page.expect_download(timeout=120_000) as coming:
        viewer.find("machine-take-mrdf").click()
    assert json.loads(coming.value.path().read_text())["name"] == "roadheader"
    assert viewer.tell("facts.scene.number") == number
