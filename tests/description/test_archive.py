"""Machines in zip archives: what is taken, what is refused and with which words."""

import gc
import io
import json
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import headframe as hf
from headframe.description import archive
from headframe.description.archive import machine_file, pack, unpack
from headframe.description.packages import CLOSED
from headframe.errors import ArchiveError, MachineFileError, Problem

GOOD = b'{"mrdf": "1", "name": "post", "links": [{"name": "post"}]}'


def problems_of(data, tmp_path, name="machine.zip"):
    """Texts of what is wrong with an archive; nothing may lie outside the folder afterwards."""
    path, folder = tmp_path / name, tmp_path / "inside"
    path.write_bytes(data)
    found = unpack(path, folder)
    assert {p for p in tmp_path.rglob("*") if folder not in p.parents} <= {path, folder}
    return [] if isinstance(found, Path) else list(map(str, found))


def zipped(files, change=lambda info: None, method=zipfile.ZIP_DEFLATED):
    """An archive as it comes from anywhere: names are written as they are."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name, content in files:
            info = zipfile.ZipInfo("x")
            info.filename = info.orig_filename = name
            info.compress_type = method
            change(info)
            file.writestr(info, content)
    return packed.getvalue()


# ------------------------------------------------------------------- good ones


@pytest.mark.parametrize("name", hf.machines())
def test_catalogue_comes_back_the_same(name, tmp_path):
    path = hf.load(name).save(tmp_path / "packed.zip")
    loaded = hf.load(path)
    assert loaded.robot == hf.load(name).robot
    if loaded.robot.geometry_file is not None:
        kept = (loaded.folder / loaded.robot.geometry_file).read_bytes()
        assert kept == (hf.load(name).folder / loaded.robot.geometry_file).read_bytes()
    assert hf.examine(path).problems == []


def test_mesh_in_a_folder_comes_along(tmp_path):
    mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    shape = {"geometry": {"type": "mesh", "path": "meshes/tetra.obj"}}
    robot = {"mrdf": "1", "name": "post", "links": [{"name": "post", "visual": [shape]}]}
    files = {"deep/post.json": json.dumps(robot).encode(), "deep/meshes/tetra.obj": mesh.encode()}
    path = tmp_path / "post.zip"
    path.write_bytes(pack(files))
    machine = hf.load(path)
    again = hf.load(machine.save(tmp_path / "again.zip"))
    assert (again.folder / "meshes" / "tetra.obj").read_text() == mesh


def test_folder_lives_as_long_as_the_machine(tmp_path):
    path = tmp_path / "post.zip"
    path.write_bytes(pack({"post.json": GOOD}))
    machine = hf.load(path)
    folder = machine.folder
    assert folder.is_dir()
    assert machine.save(tmp_path / "copy.json").is_file()
    del machine
    gc.collect()
    assert not folder.exists()


def test_refused_archive_leaves_no_folder(tmp_path, monkeypatch):
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    bad = {"a.json": b"{", "a.3dt": b""}
    (tmp_path / "bad.zip").write_bytes(pack(bad))
    with pytest.raises(MachineFileError, match=r"bad\.zip/a\.json: file \(line 1"):
        hf.load(tmp_path / "bad.zip")
    assert hf.examine(tmp_path / "bad.zip").problems
    assert list((tmp_path / "temporary").iterdir()) == []


def test_same_files_give_the_same_bytes(tmp_path):
    door = hf.load("door")
    first, second = (door.save(tmp_path / name).read_bytes() for name in ("a.zip", "a.zip"))
    assert first == second


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["a.json"], "a.json"),
        (["deep/down/a.MRDF", "deep/a.3dt"], "deep/down/a.MRDF"),
        (["a.urdf", "meshes/scene.json"], "a.urdf"),
        (["one.json", "lift.json"], "lift.json"),
        (["x/one.json", "x/LIFT.urdf", "x/y/lift.json"], "x/LIFT.urdf"),
        (["arm.xml", "assets/arm.obj"], "arm.xml"),
        (["package.xml", "urdf/arm.urdf", "urdf/more.xml"], "urdf/arm.urdf"),
        (["package.xml", "arm.xml"], "arm.xml"),
        (["finger.xml", "lift.xml", "scene.xml"], "lift.xml"),
        (["arm.mjcf", "scene.xml"], "arm.mjcf"),
    ],
)
def test_which_file_is_the_machine(names, chosen):
    assert machine_file(names, "lift") == chosen


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["a.3dt", "a.txt"], "holds no machine file"),
        (["package.xml"], "holds no machine file"),
        ([], "holds no machine file"),
        (["a.json", "b.json"], "found 2 machine files: 'a.json', 'b.json'"),
        (["lift.json", "lift.urdf"], "found 2 machine files"),
        (["x/a.json", "y/b.json"], "put one at the top"),
    ],
)
def test_machine_that_is_not_clear(names, why):
    found = machine_file(names, "lift")
    assert isinstance(found, Problem)
    assert why in str(found)


def test_litter_of_file_managers_is_left_out(tmp_path):
    files = [("post.json", GOOD), ("__MACOSX/._post.json", b"x"), (".DS_Store", b"x"),
             ("meshes/._a.json", b""), ("folder/", b"")]  # fmt: skip
    assert problems_of(zipped(files), tmp_path) == []
    found = {p.name for p in (tmp_path / "inside").rglob("*")}
    assert found - {CLOSED} == {"post.json"}


def test_backslashes_are_folders(tmp_path):
    files = [("set\\post.json", GOOD), ("set\\meshes\\a.obj", b"v 0 0 0")]
    assert problems_of(zipped(files), tmp_path) == []
    assert (tmp_path / "inside" / "set" / "meshes" / "a.obj").is_file()


# ----------------------------------------------------------------- hostile ones


@pytest.mark.parametrize(
    "name",
    ["../evil.json", "a/../../evil.json", "..\\evil.json", "..", "/etc/evil.json", "\\evil.json",
     "C:\\evil.json", "c:evil.json", "//host/evil.json", "a//b.json", "./a.json", "a/./b.json",
     "a\0.json", "a\nb.json", "a?.json", "con.json", "x/NUL", "a.", "a ", "d/" * 20 + "a.json",
     "n" * 201 + ".json", "\u202ea.json"],
)  # fmt: skip
def test_name_that_is_refused(name, tmp_path):
    found = problems_of(zipped([("post.json", GOOD), (name, b"x")]), tmp_path)
    assert len(found) == 1
    assert not (tmp_path / "inside").exists()


def test_every_problem_is_told_at_once_with_its_place(tmp_path):
    files = [("../a.json", b"x"), ("/b.json", b"x"), ("a.3dt", b"x"), ("A.3DT", b"x")]
    found = problems_of(zipped(files), tmp_path)
    assert [text.split(":")[0] for text in found] == ["../a.json", "/b.json", "A.3DT", "file"]
    assert "holds no machine file" in found[-1]


@pytest.mark.parametrize(
    ("mode", "why"),
    [(stat.S_IFLNK, "a link"), (stat.S_IFIFO, "neither"), (stat.S_IFCHR, "neither")],
)
def test_only_plain_files(mode, why, tmp_path):
    def change(info):
        if info.filename == "sly":
            info.external_attr = (mode | 0o777) << 16

    found = problems_of(zipped([("post.json", GOOD), ("sly", b"/etc/passwd")], change), tmp_path)
    assert len(found) == 1
    assert found[0].startswith(f"sly: {why}")


def test_file_in_a_file(tmp_path):
    found = problems_of(zipped([("a", b"x"), ("a/post.json", GOOD)]), tmp_path)
    assert found == ["a/post.json: lies in a, which is a file"]


def test_encrypted_file(tmp_path):
    data = bytearray(pack({"post.json": GOOD}))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    assert "encrypted" in problems_of(bytes(data), tmp_path)[0]


def test_other_methods(tmp_path):
    data = zipped([("post.json", GOOD)], method=zipfile.ZIP_LZMA)
    assert "another method" in problems_of(data, tmp_path)[0]


def test_bomb_by_ratio(tmp_path):
    data = zipped([("post.json", GOOD), ("zeros.3dt", bytes(8 * 2**20))])
    assert len(data) < 20_000
    found = problems_of(data, tmp_path)
    assert len(found) == 1
    assert "times as many" in found[0]
    assert not (tmp_path / "inside").exists()


def test_bomb_by_size(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "LARGEST_FILE", 1000)
    monkeypatch.setattr(archive, "MOST_UNPACKED", 3000)
    files = [("post.json", GOOD), *((f"{i}.3dt", bytes(900)) for i in range(4)), ("b", bytes(1001))]
    found = problems_of(zipped(files), tmp_path)
    assert found[0] == "b: found 1,001 bytes, expected at most 1,000"
    assert found[1].endswith("bytes unpacked, expected at most 3,000")


def test_too_many_files(tmp_path):
    files = [(f"{i}.txt", b"") for i in range(archive.MOST_FILES)]
    found = problems_of(zipped([("post.json", GOOD), *files]), tmp_path)
    assert found[0].startswith("file: found 1,001 files")


def test_list_that_is_longer_than_it_says(tmp_path):
    """The record claims few files; the list itself is what fills the memory."""
    data = bytearray(zipped([(f"{i:0150d}.txt", b"") for i in range(4000)]))
    at = data.rindex(b"PK\x05\x06")
    struct.pack_into("<HH", data, at + 8, 1, 1)
    assert "expected at most 1,000 files" in problems_of(bytes(data), tmp_path)[0]


def test_zip64_is_refused(tmp_path):
    data = bytearray(pack({"post.json": GOOD}))
    at = data.rindex(b"PK\x05\x06")
    data[at:at] = b"PK\x06\x07" + bytes(16)
    assert "zip64" in problems_of(bytes(data), tmp_path)[0]


def test_size_that_is_a_lie(tmp_path):
    """The list says 10 bytes of a file that has more: what is read is no machine."""
    data = bytearray(pack({"post.json": GOOD}))
    at = data.index(b"PK\x01\x02")
    struct.pack_into("<L", data, at + 24, 10)
    assert problems_of(bytes(data), tmp_path) == ["post.json: damaged: it cannot be unpacked"]


@pytest.mark.parametrize("data", [b"", b"PK", b"nothing", bytes(1000), b"PK\x05\x06", GOOD])
def test_no_archive(data, tmp_path):
    assert "not a zip archive" in problems_of(data, tmp_path)[0]


def test_folder_and_missing_file(tmp_path):
    (tmp_path / "a.zip").mkdir()
    assert "cannot be read" in str(unpack(tmp_path / "a.zip", tmp_path / "x")[0])
    assert "cannot be read" in str(unpack(tmp_path / "no.zip", tmp_path / "x")[0])
    with pytest.raises(hf.UnknownMachineError, match="there is no such file"):
        hf.load("no.zip")
    (tmp_path / "b.zip").write_bytes(b"PK")
    with pytest.raises(ArchiveError, match="no end record"):
        hf.load(tmp_path / "b.zip")


WHOLE = pack({"post.json": GOOD, "meshes/a.obj": b"v 0 0 0\n" * 50, "post.3dt": b"3DT\n" * 9})


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_damaged_archives_are_problems_and_no_tracebacks(data, tmp_path_factory):
    """Bytes changed, cut off or put in: a list of problems or a file, and nothing else."""
    broken = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(broken) - 1))
        broken[at] = data.draw(st.integers(0, 255))
    start, end = data.draw(st.integers(0, 40)), data.draw(st.integers(0, len(WHOLE)))
    cut = bytes(broken[start if data.draw(st.booleans()) else 0 :][: max(end, 1)])
    problems_of(cut, tmp_path_factory.mktemp("cut"))
