"""Studies in their process: told about, given up, refused, and begun again after a crash."""

import json
import multiprocessing
import pickle
import time

import httpx
import numpy as np
import pytest
from tests.servo_machines import picker

import headframe as hf
from headframe.errors import CommandError
from headframe.mechanism import State
from headframe.server import studies as module
from headframe.server.studies import Studies
from headframe.spatial import pose
from headframe.workbench.study import Standing

LONG = 120.0
SECTION = {
    "link": "cutter_head", "outline": [[2, 0], [2, 3], [-2, 3], [-2, 0]], "origin": [5.6, 0, 0],
    "left": [0, 1, 0], "up": [0, 0, 1], "cell": 0.5,
}  # fmt: skip


class Listener:
    """Studies below a folder, and all that they told."""

    def __init__(self, folder):
        self.heard = []
        self.studies = Studies(folder, self.heard.append)

    def begin(self, kind, request, machine="roadheader", standing=None):
        return self.studies.begin(kind, machine, standing, request).number

    def of(self, number):
        return [told for told in self.heard if told.number == number]

    def until(self, number, *states):
        end = time.monotonic() + LONG
        while (last := self.of(number)[-1]).state not in states:
            assert time.monotonic() < end, self.heard[-3:]
            time.sleep(0.01)
        return last


@pytest.fixture(scope="module")
def listener(tmp_path_factory):
    heard = Listener(tmp_path_factory.mktemp("studies"))
    yield heard
    heard.studies.stop()


def test_progress_is_told_and_files_are_left(listener):
    number = listener.begin("workspace", {"link": "cutter_head", "samples": 60_000})
    last = listener.until(number, "done", "failed")
    assert last.state == "done", last.text
    told = listener.of(number)
    assert told[0].state == "waiting"
    running = [t for t in told if t.state == "running"]
    assert running
    assert [t.part for t in running] == sorted(t.part for t in running)
    assert (last.part, last.facts["samples"]) == (1.0, 60_000)
    folder = listener.studies.place(number)
    assert {path.name for path in folder.iterdir()} == set(last.files)


@pytest.mark.parametrize("inputs", [{"slew": 1.5, "telescope": 2.3}, "ends"])
def test_a_study_starts_from_the_state_to_the_last_bit(inputs):
    machine = hf.load("roadheader")
    if inputs == "ends":
        inputs = {each.name: each.upper for each in machine.robot.inputs}
    state = machine.fk(inputs).moved(pose((1 / 3, 2 / 3, 0.1), (0.1, 0.2, 0.3)))
    assert (state.q != state.q.astype(np.float32)).any()
    sent = pickle.loads(pickle.dumps(Standing.at(state)))
    studied = sent.of(hf.load("roadheader"))
    assert studied.q.tobytes() == state.q.tobytes()
    assert studied.base.tobytes() == state.base.tobytes()
    assert studied.lengths.tobytes() == state.lengths.tobytes()
    for link in machine.links:
        assert studied.pose(link.name).tobytes() == state.pose(link.name).tobytes()


def test_servos_are_studied_as_they_stand():
    machine = picker()
    state = machine.fk({"shoulder": 1.9, "left_finger": 0.03, "slew": -2.0})
    assert Standing.at(state).of(machine).q.tobytes() == state.q.tobytes()


def test_a_machine_that_forces_pressed_beyond_its_reach_is_studied_where_it_can_be():
    machine = hf.load("roadheader")
    slew = machine.robot.inputs[0]
    state = machine.fk({slew.name: slew.upper})
    q = state.q.copy()
    nearly = machine.fk({slew.name: slew.upper - 1e-3}).q
    moved = np.abs(nearly - q) > 1e-6
    q[moved] += (q - nearly)[moved]  # a millimetre further
    beyond = Standing(q, state.base)
    assert State(machine.mechanism, q).inputs[0] > slew.upper + 5e-4
    np.testing.assert_allclose(beyond.of(machine).q, state.q, atol=1e-12)


def test_a_state_of_another_machine_is_refused():
    with pytest.raises(hf.StateError, match="shape"):
        Standing.at(hf.load("door").home).of(hf.load("roadheader"))


def test_the_machine_is_studied_as_it_stands(listener):
    machine = hf.load("roadheader")
    state = machine.fk({"slew": 1.5, "telescope": 2.3})
    number = listener.begin(
        "workspace", {"link": "boom", "samples": 100, "point": [3, 0, 0]},
        standing=Standing.at(state),
    )  # fmt: skip
    last = listener.until(number, "done", "failed")
    cloud = hf.workspace(machine, "boom", samples=100, point=(3, 0, 0), start=state)
    data = (listener.studies.place(number) / "cloud.bin").read_bytes()
    points = np.frombuffer(data, "<f4", 300).reshape(-1, 3)
    np.testing.assert_array_equal(points, cloud.points.astype("<f4"))
    assert last.facts["groups"] == ["slew", "boom"]


def test_what_runs_can_be_given_up(listener):
    number = listener.begin("workspace", {"link": "cutter_head", "samples": 500_000})
    listener.until(number, "running")
    listener.studies.cancel()
    last = listener.until(number, "cancelled", "done")
    assert last.state == "cancelled"
    assert last.part < 0.9
    assert last.files == ()


def test_a_new_study_takes_the_place_of_the_old_one(listener):
    first = listener.begin("workspace", {"link": "cutter_head", "samples": 500_000})
    second = listener.begin("section", SECTION)
    assert listener.until(first, "cancelled", "done").state == "cancelled"
    assert listener.until(second, "done", "failed").state == "done"


def test_every_wrong_field_of_a_request_is_told(listener):
    number = listener.begin("workspace", {"samples": 1, "seed": -1, "colour": "red"})
    last = listener.until(number, "failed", "done")
    assert last.state == "failed"
    for field in ("link", "samples", "seed", "colour"):
        assert f"{field}: " in last.text
    number = listener.begin("workspace", {"link": "cutter_hed"})
    assert "cutter_head" in listener.until(number, "failed", "done").text


def test_a_process_that_dies_is_told_and_the_next_study_works(listener):
    number = listener.begin("workspace", {"link": "cutter_head", "samples": 500_000})
    listener.until(number, "running")
    (process,) = [p for p in multiprocessing.active_children() if p.name == "studies"]
    process.kill()
    last = listener.until(number, "failed", "done")
    assert (last.state, last.text) == ("failed", "the process ended")
    process.join(20.0)
    number = listener.begin("section", SECTION)
    assert listener.until(number, "done", "failed").state == "done"


def test_files_of_old_studies_go(listener, monkeypatch):
    monkeypatch.setattr(module, "KEPT", 2)
    numbers = []
    for _ in range(3):
        numbers.append(listener.begin("section", SECTION))
        assert listener.until(numbers[-1], "done", "failed").state == "done"
    assert [listener.studies.place(n).exists() for n in numbers] == [False, True, True]
    assert sorted(listener.studies.statuses) == numbers[1:]


def test_there_is_no_such_study(listener):
    before = len(listener.heard)
    with pytest.raises(CommandError, match="workspace"):
        listener.begin("alchemy", {})
    assert len(listener.heard) == before


# ------------------------------------------------------------------ the routes


def told(talker, number):
    """The end of a study, as the socket tells it."""
    while True:
        said = talker.socket.recv(timeout=LONG)
        if isinstance(said, bytes):
            continue
        message = json.loads(said)
        if (
            message["type"] == "study"
            and message["number"] == number
            and message["state"] not in ("waiting", "running")
        ):
            return message


def test_operators_begin_and_everybody_sees(server, operator):
    answer = server.post("/study/section", json=SECTION, headers=server.bearer("operator"))
    assert answer.status_code == 200
    number = answer.json()["number"]
    message = told(operator, number)
    assert (message["state"], message["files"]) == ("done", ["section.bin", "section.json"])
    path = f"/study/{number}/section.bin"
    seen = server.get(path, headers=server.bearer("viewer"))
    assert len(seen.content) == message["facts"]["rows"] * message["facts"]["columns"]
    assert server.get(path).status_code == 401
    for other in ("section.txt", "..%2f..%2fetc%2fpasswd", "%2e%2e"):
        answer = server.get(f"/study/{number}/{other}", headers=server.bearer("viewer"))
        assert answer.status_code == 404, other
    answer = server.get("/study/99/section.bin", headers=server.bearer("viewer"))
    assert answer.status_code == 404


def test_viewers_and_strangers_may_not_begin_or_give_up(server, operator):
    for headers, status in ((server.bearer("viewer"), 403), ({}, 401)):
        answer = server.post("/study/workspace", json={"link": "boom"}, headers=headers)
        assert answer.status_code == status
        assert httpx.delete(f"{server.base}/study", headers=headers).status_code == status
    answer = httpx.delete(f"{server.base}/study", headers=server.bearer("operator"))
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("kind", "body", "status", "text"),
    [
        ("alchemy", b"{}", 404, "expected one of workspace"),
        ("workspace", b"[1]", 422, "JSON object"),
        ("workspace", b"{", 422, "JSON object"),
        ("workspace", b"[" * 100_000, 422, "JSON object"),
        ("workspace", b" " * (2**20 + 1), 413, "larger than 1 MiB"),
        ("path_file", b" " * (24 * 2**20 + 1), 413, "larger than 24 MiB"),
    ],
)
def test_requests_that_cannot_be_used(server, operator, kind, body, status, text):
    answer = server.post(f"/study/{kind}", content=body, headers=server.bearer("operator"))
    assert answer.status_code == status
    assert text in answer.json()["error"]
