"""Machines that come as files of every format, and machines to take home."""

import io
import json
import re
import threading
import zipfile
from urllib.parse import unquote

import numpy as np
import pytest
from defusedxml import ElementTree
from running import LONG, Running

import headframe as hf
from headframe.description.archive import pack
from headframe.export import format_named
from headframe.server.exporting import export_machine, file_stem


def upload(server, content, name, role="operator"):
    return server.post(
        "/machine", params={"name": name}, content=content, headers=server.bearer(role), timeout=60
    )


def download(server, form, role="viewer"):
    return server.get(
        "/machine/export", params={"form": form}, headers=server.bearer(role), timeout=120
    )


def door(**changes):
    """Files of the door, with another name."""
    machine = hf.load("door")
    described = json.loads((machine.folder / "door.json").read_text())
    described.update(name="my door", **changes)
    return {
        "door.json": json.dumps(described).encode(),
        "door.3dt": (machine.folder / "door.3dt").read_bytes(),
    }


# -------------------------------------------------------------------- coming in


def test_archive_is_driven_with_its_looks(server):
    answer = upload(server, pack(door()), "gate.zip")
    assert answer.json() == {"problems": [], "notes": []}
    with server.talk("viewer") as viewer:
        assert viewer.scene["machine"]["name"] == "my door"
        shapes = server.get(f"/{viewer.scene['geometry']}", headers=server.bearer("viewer"))
        assert len(shapes.content) > 100_000  # those of the 3DT file


def bomb():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("door.json", b"{}")
        file.writestr("big.3dt", bytes(16 * 2**20))
    return packed.getvalue()


WRONG = {name: value for name, value in door(links=5).items() if name == "door.json"}
BROKEN = {
    "brace": ("m.json", b"{", "file", "line 1"),
    "no links": ("m.mrdf", b'{"mrdf": "1", "name": "x", "links": []}', "links", "links"),
    "bytes": ("m.json", bytes(range(256)), "file", "UTF-8"),
    "deep": ("m.json", b"[" * 100_000, "file", ""),
    "urdf": ("m.urdf", b"<robot/>", "", ""),
    "entities": ("m.urdf", b'<!DOCTYPE r [<!ENTITY a "b">]><robot name="&a;"/>', "file", ""),
    "cut urdf": ("m.urdf", b"<robot name='x'><link", "file", "not"),
    "mjcf": ("m.xml", b"<mujoco/>", "worldbody", "found no body"),
    "include": ("m.mjcf", b'<mujoco><include file="/etc/x.xml"/></mujoco>', "include", "absolute"),
    "traversal": ("m.zip", pack({"../../m.json": b"{}", "m.json": b"{}"}), "../../m.json", "'..'"),
    "bomb": ("m.zip", bomb(), "file", "times as many"),
    "cut zip": ("m.zip", pack(door())[:-30], "file", "not a zip archive"),
    "hollow zip": ("m.zip", pack(door())[4000:], "door.json", "damaged"),
    "no machine": ("m.zip", pack({"a.txt": b"x"}), "file", "holds no machine file"),
    "two": ("m.zip", pack({"a.json": b"{}", "b.json": b"{}"}), "file", "found 2 machine files"),
    "broken inside": ("m.zip", pack(WRONG), "links", "links"),
    "without looks": ("m.zip", pack({"door.json": door()["door.json"]}), "geometry_file", "3dt"),
    "apart": (
        "m.zip",
        pack(door(actuators=[], home=None)),
        "",
        "",
    ),
}


@pytest.mark.parametrize("which", BROKEN)
def test_broken_file_changes_nothing(server, which):
    name, content, place, why = BROKEN[which]
    with server.talk("viewer") as viewer:
        before = viewer.scene
        answer = upload(server, content, name)
        assert answer.status_code == 422
        problems = answer.json()["problems"]
        assert problems
        assert (problems[0]["place"] or "file").startswith(place)
        assert why in problems[0]["text"]
        for problem in problems:
            assert problem["message"]
            assert "Traceback" not in problem["text"]
            assert "/tmp" not in problem["text"]
        frames = viewer.frames
        viewer.until(lambda: viewer.frames > frames + 3)
        assert viewer.scene == before
        assert viewer.status["alive"]


def test_places_come_apart(server):
    text = b'{\n "mrdf": "1", "name": "x",\n "links": 5}'
    problem = upload(server, text, "m.json").json()["problems"][0]
    assert problem["place"] == "links"
    assert problem["line"] == 3
    assert problem["text"].startswith("links (line 3): ")


@pytest.mark.slow
def test_files_of_machines_that_are_gone_are_removed(tmp_path):
    """Only the folder of the machine that is driven stays."""
    running = Running("door", "--port", "0", env={"TMPDIR": str(tmp_path)})
    try:
        with running.talk():
            for _ in range(3):
                assert upload(running, pack(door()), "gate.zip").status_code == 200
            assert upload(running, b"{", "bad.json").status_code == 422
            (folder,) = tmp_path.glob("headframe-*")
            assert len(list(folder.iterdir())) == 1
    finally:
        running.stop()
    assert list(tmp_path.glob("headframe-*")) == []


def test_run_takes_an_archive(tmp_path):
    (tmp_path / "gate.zip").write_bytes(pack(door()))
    running = Running(str(tmp_path / "gate.zip"), "--port", "0", env={"TMPDIR": str(tmp_path)})
    try:
        with running.talk() as talker:
            assert talker.scene["machine"]["name"] == "my door"
            talker.send(type="restart")
            talker.listen(0.2)
            assert talker.status["alive"]
        assert download(running, "zip").status_code == 200
    finally:
        running.stop()
    assert list(tmp_path.glob("headframe-*")) == []


# -------------------------------------------------------------------- going out


@pytest.fixture(scope="module")
def own(server):
    """The server with a machine that came as an archive."""
    assert upload(server, pack(door()), "gate.zip").status_code == 200
    return server


def parts_of(answer):
    """Files of an archive that came, by name."""
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        return {name: file.read(name) for name in file.namelist()}


def test_archive_comes_back(own, tmp_path):
    answer = download(own, "zip")
    assert answer.headers["content-type"] == "application/zip"
    disposition = answer.headers["content-disposition"]
    assert disposition == "attachment; filename=\"my_door.zip\"; filename*=UTF-8''my_door.zip"
    assert set(parts_of(answer)) == {"my_door.json", "door.3dt"}
    (tmp_path / "back.zip").write_bytes(answer.content)
    (tmp_path / "sent.zip").write_bytes(pack(door()))
    assert hf.load(tmp_path / "back.zip").robot == hf.load(tmp_path / "sent.zip").robot
    again = upload(own, answer.content, "my_door.zip")
    assert again.json() == {"problems": [], "notes": []}


def test_mrdf_is_the_machine_alone_and_says_so(own):
    answer = download(own, "mrdf")
    assert answer.json()["name"] == "my door"
    assert "meshes are not in this file" in unquote(answer.headers["x-headframe-notes"])


@pytest.mark.parametrize("form", ["mjcf", "urdf"])
def test_xml_has_every_link(own, form):
    answer = download(own, form)
    content = answer.content
    if answer.headers["content-type"] == "application/zip":
        content = next(
            v for k, v in parts_of(answer).items() if k.endswith(format_named(form).suffixes[0])
        )
    tags = {"mjcf": "body", "urdf": "link"}
    root = ElementTree.fromstring(content)
    assert len(list(root.iter(tags[form]))) >= len(hf.load("door").links) - 1
    notes = [unquote(note) for note in answer.headers["x-headframe-notes"].split(",")]
    assert notes
    assert all(notes)


def test_gltf_is_what_the_library_writes(own):
    answer = download(own, "glb")
    assert answer.headers["content-type"] == "model/gltf-binary"
    assert answer.content[:4] == b"glTF"
    length = int(np.frombuffer(answer.content, "<u4", 1, 8)[0])
    assert length == len(answer.content)
    assert re.search(r'filename="my_door\.glb"', answer.headers["content-disposition"])


@pytest.mark.parametrize(("form", "status"), [("", 400), ("stl", 400), ("../x", 400), ("ZIP", 400)])
def test_other_forms_are_refused(own, form, status):
    answer = download(own, form)
    assert answer.status_code == status
    assert "form: found" in answer.text


def test_strangers_take_nothing_home(own):
    assert own.get("/machine/export", params={"form": "mrdf"}).status_code == 401


def test_frames_go_on_while_a_file_is_made(own):
    """The operator's heartbeat is heard all the while: it is made elsewhere."""
    with own.talk() as talker:
        talker.send(type="take_seat")
        talker.alive()
        done, answered, frames = [], talker.pongs, talker.frames
        thread = threading.Thread(target=lambda: done.append(download(own, "mjcf")), daemon=True)
        thread.start()
        beats = 0
        while not done:
            talker.hold(0.1)
            beats += 1
        thread.join(LONG)
        assert done[0].status_code == 200
        assert talker.pongs - answered >= beats  # two heartbeats or more each time
        assert talker.frames - frames > beats


# ----------------------------------------------------------------- without server


@pytest.mark.parametrize(
    ("name", "stem"),
    [("lhd", "lhd"), ("my <b>loader</b>", "my_b_loader_b"), ("../../x", "x"), ("...", "machine"),
     ("", "machine"), ("Grubenlader Größe 3", "Grubenlader_Größe_3"), ("a" * 300, "a" * 80),
     ("a\r\nb: c", "a_b_c"), ('"; rm', "rm")],
)  # fmt: skip
def test_names_of_files(name, stem):
    assert file_stem(name) == stem


def test_machine_without_shapes_has_no_picture_to_give(tmp_path):
    file = tmp_path / "post.json"
    file.write_text('{"mrdf": "1", "name": "post", "links": [{"name": "post"}]}')
    with pytest.raises(hf.ExportError) as caught:
        export_machine(str(file), format_named("glb"))
    assert str(caught.value) == "post: no link has a visual, there is nothing to write"
    assert export_machine(str(file), format_named("mrdf")).notes == ()
    assert export_machine(str(file), format_named("zip")).name == "post.zip"
