"""Processes that write files on a disk that is full: told, and they live."""

import errno
from types import SimpleNamespace

import pytest

from headframe.errors import StateError
from headframe.export import FORMATS
from headframe.machine import LoadOptions
from headframe.server import exporting, study_process
from headframe.server.study_messages import StudyFailed, Task
from headframe.server.study_process import MOST_PARTS, Runner, read_request


class Pipe:
    def __init__(self):
        self.said = []

    def send(self, said):
        self.said.append(said)

    def close(self):
        pass


def full(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


def run(monkeypatch, study, request):
    pipe = Pipe()
    monkeypatch.setattr(study_process, "_machine", lambda *_: SimpleNamespace(home=None))
    monkeypatch.setitem(study_process.STUDIES, "section", (dict, study))
    runner = Runner(pipe, SimpleNamespace(value=0))
    runner.run(Task(1, "section", "door", None, request, "/nowhere/at/all"))
    return pipe.said[-1]


def test_a_study_on_a_full_disk_fails_and_the_next_may_do_better(monkeypatch):
    monkeypatch.setattr(study_process.Path, "mkdir", full)
    said = run(monkeypatch, full, {})
    assert said == StudyFailed(1, "its files cannot be kept: no space left on device")


def test_a_pipe_that_is_closed_ends_the_process(monkeypatch):
    def gone(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr(study_process.Path, "mkdir", gone)
    with pytest.raises(BrokenPipeError):
        run(monkeypatch, full, {})


def test_a_large_request_is_read_in_the_process(monkeypatch):
    assert "expected a JSON object" in run(monkeypatch, full, b"[1, 2").text
    assert "expected a JSON object" in run(monkeypatch, full, b"[" * 100_000).text


def test_requests_have_a_bound():
    assert read_request(b'{"a": [1]}') == {"a": [1]}
    with pytest.raises(StateError, match="lists and objects"):
        read_request(b'{"a": [' + b"[]," * MOST_PARTS + b"0]}")


def test_an_export_on_a_full_disk_is_told(monkeypatch):
    pipe = Pipe()
    monkeypatch.setattr(exporting, "export_machine", full)
    exporting._work(pipe, "door", FORMATS["mrdf"], LoadOptions())
    assert pipe.said[-1].trouble == "it cannot be written: no space left on device"
