"""Compiling in the background: in which order, how far it is, and what comes of failures."""

import threading
import time
from typing import ClassVar

import pytest

from headframe.jit import background, cache
from headframe.jit.background import Background, Lane
from headframe.jit.compile_order import BENCH, DRIVING, DYNAMICS, PARTS, REACHING, sources_of
from headframe.jit.estimate import Estimate
from headframe.jit.sources import module_name

# ------------------------------------------------------------------- estimates

WEIGHTS = {"a": ("driving", 100.0, 50.0), "b": ("dynamics", 300.0, 100.0)}


def test_time_is_told_by_what_was_measured():
    estimate = Estimate(WEIGHTS)
    assert estimate.seconds("driving", 3.0) is None
    estimate.compiled("a", "first")
    assert estimate.seconds("driving", 3.0) == pytest.approx(3.0)
    assert estimate.seconds("dynamics", 3.0) == pytest.approx(18.0)
    estimate.compiled("b", "first")
    assert estimate.seconds("dynamics", 9.0) == pytest.approx(200.0 * 9.0 / 150.0)


def test_kernels_count_once_and_those_of_others_never():
    estimate = Estimate(WEIGHTS)
    for _ in range(3):
        estimate.compiled("a", "first")
    estimate.compiled("numba.cpython.unicode", "join")
    assert estimate.seconds("driving", 2.0) == pytest.approx(2.0)


def test_nothing_is_left_of_what_is_finished():
    estimate = Estimate(WEIGHTS)
    estimate.compiled("a", "first")
    estimate.finished("driving")
    assert estimate.seconds("driving", 2.0) == 0.0
    assert estimate.seconds("dynamics", 2.0) == pytest.approx(12.0)


# ----------------------------------------------------------------------- order


class FakeLane:
    """Compiles nothing, one file whenever it is let; `files` of all of them are remembered."""

    files: ClassVar = []
    dies_at = None

    def __init__(self, compiled):
        self.compiled, self.spent, self.ended = compiled, 0.0, False

    def compile(self, file, niceness):
        if file == self.dies_at:
            raise EOFError
        self.files.append((file, niceness))
        self.spent += 1.0
        self.compiled(module_name(file), "a kernel")

    def end(self):
        self.ended = True

    def exit_code(self):
        return -9


@pytest.fixture
def lanes(tmp_path, monkeypatch):
    """An empty cache, and processes that are only played."""
    cache.cache_folder.cache_clear()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(background, "Lane", FakeLane)
    monkeypatch.setattr(FakeLane, "files", [])
    monkeypatch.setattr(FakeLane, "dies_at", None)
    yield FakeLane
    cache.cache_folder.cache_clear()


def run(prepare=lambda _compiling: None):
    """Let everything be compiled; gives back what it went through."""
    parts, done, one_by_one = [], threading.Event(), threading.Lock()

    def report():  # two threads may call it at the same moment
        with one_by_one:
            if not parts or parts[-1] != compiling.part:
                parts.append(compiling.part)
        if not compiling.part:
            done.set()

    compiling = Background(report)
    prepare(compiling)
    compiling.start()
    assert done.wait(10.0)
    return compiling, parts


def test_parts_come_most_wanted_first_and_once(lanes):
    compiling, parts = run()
    assert parts == [*PARTS, ""]
    assert all(map(compiling.is_ready, PARTS))
    assert all(map(cache.is_kept, PARTS))
    lanes.files.clear()
    assert Background(lambda: None).part == ""  # the next start has nothing to do


def test_only_what_is_not_kept_is_compiled(lanes):
    for part in PARTS:
        if part != REACHING:
            cache.note_kept(part)
    run()
    assert [file for file, _ in lanes.files] == list(sources_of(REACHING))


def test_the_first_part_is_urgent_and_the_others_are_not(lanes):
    run()
    first = set(sources_of(DRIVING))
    assert {file for file, niceness in lanes.files if not niceness} == first
    assert all(niceness == 19 for file, niceness in lanes.files if file not in first)


def test_every_file_of_the_first_part_is_asked_for_once_more(lanes, monkeypatch):
    """By each process: they may have lost each other's kernels."""
    monkeypatch.setattr(background.os, "cpu_count", lambda: 2)
    run()
    for file in sources_of(DRIVING):
        assert [each for each, _ in lanes.files].count(file) == 3


def test_what_somebody_waits_for_comes_before_the_rest(lanes):
    _, parts = run(lambda compiling: compiling.want(BENCH))
    assert parts[:3] == [DRIVING, BENCH, DYNAMICS]


def test_a_process_that_dies_lets_everything_compile_where_it_is_used(lanes, monkeypatch, capfd):
    monkeypatch.setattr(lanes, "dies_at", sources_of(DYNAMICS)[1])
    compiling, _ = run()
    assert compiling.is_ready(BENCH)
    assert cache.is_kept(DRIVING)
    assert not cache.is_kept(DYNAMICS)
    assert "ended early (exit code -9)" in capfd.readouterr().err


@pytest.mark.parametrize("file", [0, -1])
def test_a_process_of_two_that_dies_does_not_leave_the_other_waiting(lanes, monkeypatch, file):
    monkeypatch.setattr(background.os, "cpu_count", lambda: 2)
    ordered = sorted(sources_of(DRIVING), key=lambda path: path.stat().st_size)
    monkeypatch.setattr(lanes, "dies_at", ordered[file])
    compiling, _ = run()
    assert compiling.is_ready(DRIVING)
    assert not cache.is_kept(DRIVING)


def test_an_interrupted_file_is_compiled_at_the_next_start(lanes, monkeypatch):
    """What is noted as kept was compiled to its end."""
    held, going = threading.Event(), threading.Event()

    class Slow(FakeLane):
        def compile(self, file, niceness):
            super().compile(file, niceness)
            if file in sources_of(DYNAMICS):
                held.set()
                going.wait(10.0)
                raise OSError  # the process was ended

    monkeypatch.setattr(background, "Lane", Slow)
    compiling = Background(lambda: None)
    compiling.start()
    assert held.wait(10.0)
    compiling.stop()
    going.set()
    assert Background(lambda: None).part == DYNAMICS


def test_time_to_later_parts_includes_those_before(lanes, monkeypatch):
    monkeypatch.setattr(background.os, "cpu_count", lambda: 1)
    compiling = Background(lambda: None)
    assert compiling.seconds_to(DYNAMICS) is None
    lane = FakeLane(compiling._compiled)
    lane.compile(sources_of(DRIVING)[0], 0)
    compiling._lanes = [lane]
    times = [compiling.seconds_to(part) for part in PARTS]
    assert times == sorted(times)
    assert times[0] > 0.0


# ------------------------------------------------------------------- a process


def test_a_process_compiles_and_tells_of_each_kernel(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    with_entries = [path for path in sources_of(DRIVING) if "@entry" in path.read_text()]
    file = min(with_entries, key=lambda path: path.stat().st_size)
    told = []
    lane = Lane(lambda module, name: told.append((module, name)))
    try:
        lane.compile(file, 0)
        spent = lane.spent
        assert spent > 0.0
        assert [name for module, name in told if module == module_name(file)]
        assert list(tmp_path.rglob("*.nbc"))
        time.sleep(0.01)
        assert lane.spent == spent  # nothing is compiled now
        told.clear()
        lane.compile(file, 19)
        assert told == []
    finally:
        lane.end()
    assert lane.exit_code() is not None
    with pytest.raises((EOFError, OSError)):
        lane.compile(file, 0)
