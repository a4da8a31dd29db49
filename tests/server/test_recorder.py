"""The recorder: what a disk that fails leaves, and two who begin at once."""

import errno
import os
import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from mcap.opcode import Opcode
from runs import frame_of

import headframe as hf
from headframe.errors import RecordingError
from headframe.export.page import machine_info
from headframe.protocol import decode, encode
from headframe.recordings import open_run
from headframe.recordings.package import pack
from headframe.recordings.records import Walk
from headframe.recordings.shelf import Shelf
from headframe.server import recorder as module
from headframe.server.recorder import Driven, FrameRecorder
from headframe.server.routes.recordings import _fits


class Failing:
    """A file on a disk that takes so many bytes, then answers with an error."""

    def __init__(self, file, room, number):
        self.file, self.room, self.number = file, room, number

    def write(self, data):
        if self.room < len(data):
            self.file.write(data[: self.room])  # a disk takes what there is room for
            self.room = 0
            raise OSError(self.number, os.strerror(self.number))
        self.room -= len(data)
        return self.file.write(data)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()


@pytest.fixture(scope="module")
def door():
    machine = hf.load("door")
    return machine_info(machine.mechanism), pack(machine)


class Bench:
    """A recorder of a shelf, and what it told at the end."""

    def __init__(self, folder, door):
        info, package = door
        self.shelf, self.told = Shelf(folder), []
        self.recorder = FrameRecorder(
            self.shelf,
            SimpleNamespace(pack=lambda _: package),
            lambda _, said: self.told.append(said),
        )
        scene = SimpleNamespace(
            machine=info, environment="tunnel", number=1, name="tunnel", things=()
        )
        self.driven = Driven(scene, "door", b"")
        rng = np.random.default_rng(2)
        self.frames = [frame_of(info, n, rng) for n in range(300)]

    def record(self, frames=300, before_last=None):
        self.recorder.start("run", self.driven, None)
        for n, frame in enumerate(self.frames[:frames]):
            if before_last and n == frames - 1:
                before_last()
            self.recorder.offer(frame)
        self.recorder.stop()
        self.recorder.wait()
        return self.told[-1]


@pytest.fixture
def bench(tmp_path, door, monkeypatch):
    ticks = iter(range(10**9))
    monkeypatch.setattr(module.time, "monotonic_ns", lambda: next(ticks) * 16_666_667)
    return Bench(tmp_path / "kept", door)


@pytest.fixture
def whole(bench):
    """Bytes before the moments of a whole recording, and of all of it."""
    said = bench.record()
    assert (said.name, said.text) == ("run", "")
    with bench.shelf.path("run").open("rb") as file:
        walk = Walk(file)
        head = next(record.start for record in walk if record.opcode == Opcode.CHUNK)
    bench.shelf.delete("run")
    return head, walk.size


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "the user's share of the disk is used up"),
        (errno.EIO, "input/output error"),
    ],
)
@pytest.mark.parametrize("part", [0.4, 0.75, 0.99])
def test_what_was_readable_stays_readable(bench, whole, monkeypatch, number, why, part):
    create, (head, size) = bench.shelf.create, whole

    def failing(name):
        plain, file = create(name)
        return plain, Failing(file, int(head + part * (size - head)), number)

    monkeypatch.setattr(bench.shelf, "create", failing)
    said = bench.record()
    assert (said.name, said.text) == ("run", why)
    found = [frame for _, frame in open_run(bench.shelf.path("run")).frames()]
    assert len(found) > 0.5 * part * 300
    assert found == bench.frames[: len(found)]
    assert 0.0 < said.seconds <= len(found) / 60.0  # it does not promise more than there is
    assert said.seconds > 0.5 * part * 5.0


def test_nothing_to_read_is_not_kept(bench, monkeypatch):
    create = bench.shelf.create

    def failing(name):
        plain, file = create(name)
        return plain, Failing(file, 500, errno.ENOSPC)

    monkeypatch.setattr(bench.shelf, "create", failing)
    said = bench.record()
    assert (said.name, said.seconds, said.text) == ("", 0.0, "the disk is full")
    assert not bench.shelf.items()


def test_a_file_that_was_removed_is_told(bench):
    said = bench.record(before_last=lambda: bench.shelf.path("run").unlink())
    assert (said.name, said.text) == ("", "its file was removed")


def test_a_file_that_somebody_put_in_its_place_is_left_alone(bench):
    def replace():
        path = bench.shelf.path("run")
        path.unlink()
        path.write_bytes(b"mine")

    assert bench.record(before_last=replace).text == "its file was removed"
    assert bench.shelf.path("run").read_bytes() == b"mine"


def test_a_recording_leaves_room_on_the_disk(bench, monkeypatch):
    free = iter([10**12, 10**12, module.RESERVE - 1])
    monkeypatch.setattr(module.shutil, "disk_usage", lambda _: SimpleNamespace(free=next(free, 0)))
    said = bench.record()
    assert said.text == "the disk is full"
    run = open_run(bench.shelf.path("run"))
    assert len(list(run.frames())) == 2 * module.LOOK_EVERY
    assert not run.cut  # it was finished in time


def test_of_two_who_begin_at_once_one_is_refused(bench, monkeypatch):
    create, answers = bench.shelf.create, []

    def slow(name):
        made = create(name)
        time.sleep(0.05)
        return made

    def begin(name):
        try:
            answers.append(bench.recorder.start(name, bench.driven, None))
        except RecordingError as error:
            answers.append(str(error))

    monkeypatch.setattr(bench.shelf, "create", slow)
    threads = [threading.Thread(target=begin, args=(name,), daemon=True) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20.0)
    bench.recorder.stop()
    bench.recorder.wait()
    assert sum("is being recorded" in answer for answer in answers) == 1


def test_a_film_fits_the_machine_whose_files_are_the_same():
    """What a page is told of two machines can be alike while their files are not."""

    def fits(machine, fingerprint):
        film = SimpleNamespace(about=SimpleNamespace(machine="info", fingerprint="files"))
        packer = SimpleNamespace(pack=lambda _: SimpleNamespace(fingerprint=fingerprint))
        return _fits(film, packer, SimpleNamespace(scene=SimpleNamespace(machine=machine)))

    assert fits("info", "files")
    assert not fits("info", "other files")
    assert not fits("other info", "files")


def test_a_recording_ends_where_another_unit_is_driven(bench):
    """It has poses of one machine alone, standing at one place."""
    other = [encode(replace(decode(frame), unit=3)) for frame in bench.frames[100:110]]
    bench.recorder.start("run", bench.driven, None)
    for frame in (*bench.frames[:100], *other):
        bench.recorder.offer(frame)
    bench.recorder.wait()
    assert bench.told[-1].text == "another unit is driven"
    assert len(list(open_run(bench.shelf.path("run")).frames())) == 100


def test_bodies_lie_where_frames_have_told_so_far(bench, door):
    info, _ = door
    things = tuple(
        SimpleNamespace(name=f"t{n}", fixed=n > 2, position=(n, 0.0, 0.0), quaternion=(1, 0, 0, 0))
        for n in range(4)
    )
    scene = SimpleNamespace(machine=info, environment="yard", number=3, name="y", things=things)
    bench.driven = Driven(scene, "door", b"")
    rows = [[(1, 5.0)], [], [(2, 7.0)], [(9, 1.0)]]  # number and x of the bodies of each frame
    frames = [
        encode(replace(decode(bench.frames[n]), contacts=np.zeros((0, 12)), bodies=np.array(
            [[k, x, 0, 0, 1, 0, 0, 0] for k, x in told], float).reshape(-1, 8)))
        for n, told in enumerate(rows)
    ]  # fmt: skip
    bench.recorder.offer(frames[0])  # before the recording
    bench.recorder.start("run", bench.driven, None)
    for frame in frames[1:]:
        bench.recorder.offer(frame)
    bench.recorder.stop()
    bench.recorder.wait()
    run = open_run(bench.shelf.path("run"))
    assert (run.about.bodies, run.about.scene) == (("t0", "t1", "t2"), "y")
    _, told = run.read()
    assert told["body_values"][:, :, 1].tolist() == [[0, 5, 2], [0, 5, 7], [0, 5, 7]]
