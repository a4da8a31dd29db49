"""The tutorial, step by step, as its page says: docs/tutorial.md."""

import json
import re
from pathlib import Path

import numpy as np
from mcap.reader import make_reader
from playwright.sync_api import expect

import headframe as hf

DOCS = Path(__file__).parents[2] / "docs"
FILE = DOCS / "examples" / "my_support.json"
LONG = 120_000  # for a study on a busy computer [ms]
TIP = "forepole"


def drive(cab, lengths):
    """Bring groups to lengths [m]."""
    for group, metres in lengths.items():
        at = f"store.frame.lengths[{cab.index(group)}]"
        cab.insist(
            lambda group=group, metres=metres: cab.send(type="go_to", group=group, length=metres),
            f"Math.abs({at} - {metres}) < 1e-6",
            f"facts.status.targets['{group}'] === undefined",
        )


def test_own_support_is_driven_planned_recorded_and_read_elsewhere(visit, new_server, tmp_path):
    server = new_server("--port", "0", "--recordings", str(tmp_path), str(FILE))
    cab = visit(server.addresses[0]).loaded().alive()
    assert cab.machine["name"] == "my_support"
    machine = hf.load(FILE)

    cab.find("tool-workspace").click()
    expect(cab.find("workspace-link")).to_have_value(TIP)
    cab.find("workspace-start").click()
    expect(cab.find("workspace-facts")).to_be_visible(timeout=LONG)
    assert cab.tell("view.overlay.group.children.length") > 0

    cab.find("tool-path").click()
    places = []
    for n, (legs, tilt, push) in enumerate([(1.7, 1.5, 1.2), (1.9, 1.48, 1.5), (2.1, 1.45, 1.3)]):
        drive(cab, {"legs": legs, "tilt": tilt, "push": push})
        cab.find("path-here").click()
        expect(cab.find("path-via")).to_have_count(n + 1)
        places.append(machine.fk([legs, tilt, push]).pose(TIP)[:3, 3])
    cab.find("path-oriented").check()
    cab.find("path-plan").click()
    expect(cab.find("path-duration")).to_be_visible(timeout=LONG)

    cab.find("tool-record").click()
    cab.find("record-field").fill("first run")
    cab.find("record-go").click()
    expect(cab.find("rec")).to_be_visible()
    cab.find("tool-path").click()
    expect(cab.find("path-via")).to_have_count(3)  # they still stand there
    cab.play_path()
    cab.find("tool-record").click()
    cab.find("record-go").click()
    expect(cab.find("record-said")).to_contain_text("first run")

    with cab.page.expect_download() as download:
        cab.find("download-first run").click()
    download.value.save_as(tmp_path / "downloaded.mcap")
    trace = tip_by_the_reader_of_mcap(tmp_path / "downloaded.mcap")
    for place in places:
        assert np.linalg.norm(trace - place, axis=1).min() < 2e-3, place
    cab.find("tool-workspace").click()  # the cloud is still there, too
    expect(cab.find("workspace-facts")).to_be_visible()


def tip_by_the_reader_of_mcap(path):
    """Places of the tip (n, 3), read without Headframe."""
    found = []
    with path.open("rb") as file:
        for _, _, message in make_reader(file).iter_messages(["/tf"]):
            transforms = json.loads(message.data)["transforms"]
            tip = next(t for t in transforms if t["child_frame_id"] == TIP)
            found.append([tip["translation"][axis] for axis in "xyz"])
    return np.array(found)


def test_program_of_the_tutorial_reads_a_recording(new_server, tmp_path, monkeypatch, capsys):
    """The last example, as it stands there."""
    text = (DOCS / "tutorial.md").read_text()
    (program,) = re.findall(r"^```py\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert "headframe" not in program
    name = re.search(r'open\("([^"]+)"', program)[1]
    server = new_server("--port", "0", "--recordings", str(tmp_path), str(FILE))
    headers = server.bearer("operator")
    with server.talk() as operator:
        operator.alive()
        server.post(f"/recordings?name={name.removesuffix('.mcap')}", headers=headers)
        operator.hold(1.0)
        server.post("/recordings/stop", headers=headers)
    monkeypatch.chdir(tmp_path)
    exec(compile(program, "tutorial", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 20
    assert all("'x': 4.39" in line for line in lines)
