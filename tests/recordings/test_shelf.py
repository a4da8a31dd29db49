"""The folder of recordings: names stay in it, and nothing is overwritten."""

import os
from datetime import datetime
from pathlib import Path

import pytest
from runs import TICK

import headframe as hf
from headframe.recordings import shelf as shelves
from headframe.recordings.shelf import Shelf, checked_name, default_folder, default_name


@pytest.fixture
def shelf(tmp_path, made):
    shelf = Shelf(tmp_path / "kept")
    _, file = shelf.create("first")
    file.write(made.data)
    file.close()
    return shelf


@pytest.mark.parametrize(
    "name",
    ["", " ", ".", "..", "../x", "a/b", "a\\b", "c:x", "x\0", "x\ny", ".hidden", "x.", "NUL",
     "com1.mcap", "a" * 121, "ü" * 101, 'a"b', "a*"],
)  # fmt: skip
def test_names_that_are_no_files_are_refused(shelf, name):
    for act in (shelf.create, shelf.path, shelf.delete, lambda n: shelf.rename("first", n)):
        with pytest.raises(hf.RecordingError, match="name: found"):
            act(name)
    assert [path.name for path in shelf.folder.iterdir()] == ["first.mcap"]


@pytest.mark.parametrize("name", ["run 2", "Lauf über Öl", "a.b", "x" * 120, "run-3_(b)"])
def test_names_for_people_are_taken(shelf, name):
    assert checked_name(f"  {name}.mcap ") == name
    got, file = shelf.create(name)
    file.close()
    assert shelf.path(got).parent == shelf.folder


def test_nothing_is_overwritten(shelf, made):
    shelf.create("second")[1].close()
    with pytest.raises(hf.RecordingError, match="there is a recording 'first' already"):
        shelf.create("first")
    with pytest.raises(hf.RecordingError, match="'first' already"):
        shelf.rename("second", "first")
    assert shelf.path("first").read_bytes() == made.data
    assert shelf.path("second").exists()


def test_a_new_name_takes_the_recording_along(shelf, made):
    assert shelf.rename("first", "other") == "other"
    assert shelf.path("other").read_bytes() == made.data
    with pytest.raises(hf.RecordingError, match="no recording 'first'"):
        shelf.path("first")
    assert shelf.rename("other", "other") == "other"
    shelf.delete("other")
    assert shelf.items() == []


def test_a_name_that_cannot_be_given_is_free_again(shelf, made, monkeypatch):
    """The new name is taken first, by an empty file: that does not stay behind."""

    def refuse(self, target):
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", refuse)
        with pytest.raises(hf.RecordingError, match="'first' cannot be named anew: Permission"):
            shelf.rename("first", "other")
    assert [path.name for path in shelf.folder.iterdir()] == ["first.mcap"]
    assert shelf.rename("first", "other") == "other"


def test_list_tells_what_is_there(shelf, made):
    (shelf.folder / "junk.mcap").write_bytes(b"junk")
    (shelf.folder / "note.txt").write_bytes(b"")
    (shelf.folder / "cut.mcap").write_bytes(made.data[: len(made.data) // 2])
    items = {item.name: item for item in shelf.items()}
    assert set(items) == {"first", "junk", "cut"}
    assert items["first"].glance.seconds == pytest.approx(899 * TICK * 1e-9)
    assert not items["first"].glance.cut
    assert items["cut"].glance.cut
    assert items["junk"].glance is None
    assert "expected an MCAP file" in items["junk"].problem
    assert str(shelf.folder) not in items["junk"].problem
    assert {item.name for item in shelf.items(without=["cut"])} == {"first", "junk"}


def test_links_that_lead_out_are_not_followed(shelf, tmp_path, made):
    (tmp_path / "secret.mcap").write_bytes(made.data)
    os.symlink(tmp_path / "secret.mcap", shelf.folder / "way.mcap")
    assert {item.name for item in shelf.items()} == {"first"}
    with pytest.raises(hf.RecordingError, match="no recording"):
        shelf.path("way")


def test_one_that_lies_elsewhere_is_shown_and_stays(tmp_path, made):
    shelf = Shelf(tmp_path / "kept", made.path)
    assert shelf.other == "run"
    [item] = shelf.items()
    assert (item.name, item.fixed) == ("run", True)
    assert shelf.path("run") == made.path
    for act in (lambda: shelf.delete("run"), lambda: shelf.rename("run", "x")):
        with pytest.raises(hf.RecordingError, match="stays as it is"):
            act()
    shelf.create("run")[1].close()
    assert shelf.other == "run (opened)"


def test_one_that_lies_in_the_folder_is_listed_once_and_can_be_renamed(shelf, monkeypatch):
    """However its path is written."""
    monkeypatch.chdir(shelf.folder.parent)
    for path in (shelf.folder / "first.mcap", Path("kept", "first.mcap"), Path("kept/../kept")):
        opened = Shelf(shelf.folder, path if path.suffix else path / "first.mcap")
        assert [(item.name, item.fixed) for item in opened.items()] == [("first", False)]
        assert (opened.first, opened.other) == ("first", "")
        assert opened.path("first") == shelf.folder / "first.mcap"
    opened.rename("first", "second")
    assert opened.first == ""


def test_the_one_to_look_at_first_may_lie_elsewhere(shelf, made):
    assert Shelf(shelf.folder).first == ""
    elsewhere = Shelf(shelf.folder, made.path)
    assert elsewhere.first == elsewhere.other == "run"
    elsewhere.create("run")[1].close()
    assert elsewhere.first == "run (opened)"


def test_a_folder_that_cannot_be_made_is_told_without_its_place(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(hf.RecordingError, match="cannot be kept") as caught:
        Shelf(tmp_path / "file" / "in").create("x")
    assert str(tmp_path) not in str(caught.value)


def test_default_folder_is_in_the_users_data(monkeypatch, tmp_path):
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_folder() == tmp_path / "headframe" / "recordings"
    monkeypatch.delenv("XDG_DATA_HOME")
    assert default_folder() == Path.home() / ".local" / "share" / "headframe" / "recordings"


def test_default_names_are_names():
    when = datetime(2031, 2, 3, 4, 5, 6)
    assert default_name("roadheader", when) == "roadheader 2031-02-03 04.05.06"
    for machine in ("a/b:c", "", "...", "x" * 300, "a\nb"):
        name = default_name(machine, when)
        assert checked_name(name) == name


def test_list_tells_what_has_changed_since_it_was_last_told(shelf, made):
    """A recording that grows, one that is replaced by another of its size, one that is mended."""
    whole, path = shelf.items()[0], shelf.folder / "first.mcap"
    before = path.stat().st_mtime_ns
    path.write_bytes(made.data[: len(made.data) // 2])
    os.utime(path, ns=(before, before))  # as old as before
    [cut] = shelf.items()
    assert cut.glance.cut
    assert cut.size == len(made.data) // 2
    path.write_bytes(bytes(cut.size))
    os.utime(path, (1e9, 1e9))  # as large as before
    [junk] = shelf.items()
    assert junk.glance is None
    assert junk.problem
    assert junk.changed == 1e9
    path.write_bytes(made.data)
    [mended] = shelf.items()
    assert (mended.problem, mended.size) == ("", whole.size)
    assert mended.glance == whole.glance


def test_the_newest_is_listed_first(shelf):
    for name, when in (("b", 3e9), ("old", 1e9), ("a", 3e9), ("new", 4e9)):
        shelf.create(name)[1].close()
        os.utime(shelf.path(name), (when, when))
    os.utime(shelf.path("first"), (2e9, 2e9))
    assert [item.name for item in shelf.items()] == ["new", "a", "b", "first", "old"]


def test_so_many_are_listed_and_no_more(shelf, monkeypatch):
    monkeypatch.setattr(shelves, "MOST", 2)
    for name, when in (("a", 3e9), ("b", 1e9)):
        shelf.create(name)[1].close()
        os.utime(shelf.path(name), (when, when))
    os.utime(shelf.path("first"), (2e9, 2e9))
    assert [item.name for item in shelf.items()] == ["a", "first"]
