"""Recordings over the network: made while driving, listed, looked at, sent, fetched."""

import contextlib
import json
import time
from urllib.parse import quote

import httpx
import numpy as np
import pytest
from running import Running
from websockets.exceptions import ConnectionClosed

import headframe as hf
from headframe.protocol.frame import decode
from headframe.recordings import open_run
from headframe.recordings.package import unpack


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("kept") / "runs"


@pytest.fixture(scope="module")
def server(kept):
    running = Running("--port", "0", "--recordings", str(kept), "lhd")
    yield running
    code, _, said = running.stop()
    assert (code, said) == (0, "")


@pytest.fixture
def driver(server):
    """An operator in the seat, levers alive, at home."""
    with server.talk() as talker:
        talker.send(type="take_seat")
        talker.until(lambda: talker.status["seat"] == talker.welcome["client"])
        talker.alive()
        talker.send(type="restart")
        talker.hold(0.2)
        yield talker
        with contextlib.suppress(ConnectionClosed):  # closed, if it did not read for long
            talker.listen(0.2)  # what waits to be read would hold up its end


def ask(server, method, path, role="operator", **options):
    name = path.split("?")
    url = server.base + "/recordings" + quote(name[0]) + "".join(f"?{q}" for q in name[1:])
    return httpx.request(method, url, headers=server.bearer(role), timeout=60, **options)


def record(server, talker, name, seconds=1.2, levers=None):
    """Record for a while; the frames that came over the socket meanwhile."""
    assert ask(server, "POST", f"?name={name}").json() == {"name": name}
    talker.hold(seconds, levers)
    seen = talker.frame
    answer = ask(server, "POST", "/stop")
    assert answer.json() == {"name": name}, answer.text
    return seen


def names(server):
    return {item["name"]: item for item in ask(server, "GET", "").json()["recordings"]}


def test_what_is_driven_is_recorded_frame_by_frame(server, driver, kept):
    heard = {}
    assert ask(server, "POST", "?name=drive").status_code == 201
    group = driver.scene["machine"]["groups"][0]["name"]
    home, end = driver.frame.lengths[0], time.monotonic() + 60
    while len(heard) < 60 or driver.frame.lengths[0] == home:
        assert time.monotonic() < end
        driver.beat({} if driver.status["presence"] else {group: 0.7})  # neutral lets it live again
        driver.listen(0.02)
        heard[driver.frame.number] = driver.frame
    ask(server, "POST", "/stop")
    run = open_run(kept / "drive.mcap")
    frames = {decode(frame).number: decode(frame) for _, frame in run.frames()}
    assert not run.cut
    both = heard.keys() & frames.keys()
    assert len(both) > 30
    for number in both:
        for part in ("poses", "lengths", "speeds", "forces", "motors", "joints", "energy"):
            np.testing.assert_array_equal(
                getattr(frames[number], part), getattr(heard[number], part)
            )
    assert sorted(frames) == list(range(min(frames), max(frames) + 1))  # every tick
    assert frames[max(frames)].lengths[0] != frames[min(frames)].lengths[0]
    assert np.all(np.diff([at for at, _ in run.frames()]) > 0)
    about = run.about
    assert (about.machine.name, about.circumstances.environment) == ("lhd", "tunnel")
    assert about.circumstances.formulation == "kinematic"
    assert abs(about.started * 1e-9 - time.time()) < 300


def test_the_machine_comes_out_of_the_recording(server, driver, kept, tmp_path):
    record(server, driver, "machine")
    path = unpack(open_run(kept / "machine.mcap").machine(), tmp_path)
    assert hf.load(path).robot == hf.load("lhd").robot


def test_everybody_is_told_when_it_begins_and_ends(server, driver):
    with server.talk("viewer") as viewer:
        said = []
        take = viewer.take

        def heard(timeout=10.0):
            message = viewer.socket.recv(timeout=timeout)
            if isinstance(message, str) and (got := json.loads(message))["type"] == "recording":
                said.append(got)

        viewer.take = heard
        ask(server, "POST", "?name=told")
        driver.hold(0.3)
        with server.talk("viewer", hello=False) as late:
            greeting = [json.loads(late.socket.recv(timeout=10)) for _ in range(3)]
        ask(server, "POST", "/stop")
        viewer.until(lambda: len(said) >= 2)
        viewer.take = take
    assert [(s["on"], s["name"]) for s in said] == [(True, "told"), (False, "told")]
    [on] = [message for message in greeting if message["type"] == "recording"]
    assert on["on"]
    assert on["seconds"] > 0.2


def test_list_and_facts(server, driver):
    record(server, driver, "listed")
    item = names(server)["listed"]
    assert (item["machine"], item["cut"], item["problem"]) == ("lhd", False, "")
    assert 0.5 < item["seconds"] < 30
    facts = ask(server, "GET", "/listed").json()
    assert facts["fits"] is True
    assert (facts["whole"], facts["too_long"]) == (True, False)
    times = np.frombuffer(ask(server, "GET", "/listed/times").content, "<f8")
    assert (len(times), times[0]) == (facts["count"], 0.0)
    assert np.all(np.diff(times) > 0)
    got = ask(server, "GET", "/listed/frames?first=3&count=5").content
    assert len(got) == 5 * facts["size"]
    first, second = decode(got[: facts["size"]]), decode(got[facts["size"] : 2 * facts["size"]])
    assert second.number == first.number + 1
    assert ask(server, "GET", f"/listed/frames?first={facts['count']}&count=5").content == b""


def test_a_name_that_is_taken_is_refused_and_nothing_is_lost(server, driver, kept):
    record(server, driver, "once")
    data = (kept / "once.mcap").read_bytes()
    answer = ask(server, "POST", "?name=once")
    assert answer.status_code == 409
    assert "there is a recording 'once' already" in answer.json()["error"]
    assert (kept / "once.mcap").read_bytes() == data
    again = ask(server, "PUT", "/once", content=data)
    assert again.status_code == 422
    assert (kept / "once.mcap").read_bytes() == data


@pytest.mark.parametrize("name", ["../out", "a/b", ".x", "nul", "a\\b", "x" * 300, "a\nb"])
def test_no_name_leads_out_of_the_folder(server, driver, kept, name):
    before = sorted(path.name for path in kept.parent.rglob("*"))
    assert ask(server, "POST", f"?name={quote(name)}").status_code == 409
    for method, path in (
        ("GET", ""), ("GET", "/file"), ("GET", "/times"), ("DELETE", ""), ("PUT", ""),
        ("POST", "/machine"),
    ):  # fmt: skip
        answer = httpx.request(
            method,
            f"{server.base}/recordings/{quote(name, safe='')}{path}",
            headers=server.bearer("operator"),
        )
        assert answer.status_code in (404, 405, 409, 422), (method, path, answer.text)
        assert str(kept) not in answer.text
    assert sorted(path.name for path in kept.parent.rglob("*")) == before


def test_rename_and_delete(server, driver, kept):
    record(server, driver, "old")
    record(server, driver, "there", 0.5)
    assert ask(server, "PATCH", "/old?to=there").status_code == 409
    assert ask(server, "PATCH", "/old?to=..%2Fx").status_code == 409
    assert ask(server, "PATCH", "/old?to=Lauf%20%C3%BC").json() == {"name": "Lauf ü"}
    assert "old" not in names(server)
    assert ask(server, "GET", "/Lauf ü").json()["machine"] == "lhd"
    assert ask(server, "DELETE", "/Lauf ü").status_code == 200
    assert ask(server, "DELETE", "/Lauf ü").status_code == 404
    assert not (kept / "Lauf ü.mcap").exists()


def test_the_one_that_is_being_made_is_left_alone(server, driver):
    ask(server, "POST", "?name=now")
    driver.hold(0.3)
    assert ask(server, "POST", "?name=other").status_code == 409
    for method, path in (("DELETE", "/now"), ("PATCH", "/now?to=x"), ("GET", "/now"),
                         ("GET", "/now/file")):  # fmt: skip
        answer = ask(server, method, path)
        assert "is being recorded" in answer.json()["error"]
    assert "now" not in names(server)
    ask(server, "POST", "/stop")
    assert "now" in names(server)
    assert ask(server, "POST", "/stop").json()["error"] == "nothing is being recorded"


def test_fetched_and_sent_again_it_is_the_same(server, driver, kept):
    record(server, driver, "sent")
    fetched = ask(server, "GET", "/sent/file")
    assert 'filename="sent.mcap"' in fetched.headers["content-disposition"]
    assert fetched.content == (kept / "sent.mcap").read_bytes()
    assert ask(server, "PUT", "/again", content=fetched.content).json() == {"name": "again"}
    assert (kept / "again.mcap").read_bytes() == fetched.content
    cut = ask(server, "PUT", "/cut", content=fetched.content[:-2000])
    assert cut.status_code == 201
    assert names(server)["cut"]["cut"]
    assert ask(server, "GET", "/cut").json()["whole"] is False


@pytest.mark.parametrize("data", [b"", b"no recording", b"\x89MCAP0\r\n"])
def test_what_is_no_recording_is_not_kept(server, driver, kept, data):
    answer = ask(server, "PUT", "/bad", content=data)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("bad: ")
    assert str(kept) not in answer.text
    assert "bad" not in names(server)


def test_junk_in_the_folder_is_listed_with_its_problem(server, kept):
    kept.mkdir(exist_ok=True)
    (kept / "junk.mcap").write_bytes(b"junk")
    assert "expected an MCAP file" in names(server)["junk"]["problem"]
    answer = ask(server, "GET", "/junk")
    assert answer.status_code == 404
    assert str(kept) not in answer.text
    (kept / "junk.mcap").unlink()


def test_roles(server, driver):
    record(server, driver, "roles")
    for role, path, method, status in (
        ("viewer", "", "GET", 200), ("viewer", "/roles", "GET", 200),
        ("viewer", "/roles/frames?first=0&count=1", "GET", 200),
        ("viewer", "/roles/file", "GET", 403), ("viewer", "?name=x", "POST", 403),
        ("viewer", "/stop", "POST", 403), ("viewer", "/roles", "DELETE", 403),
        ("viewer", "/x", "PUT", 403), ("viewer", "/roles?to=x", "PATCH", 403),
        ("viewer", "/roles/machine", "POST", 403),
    ):  # fmt: skip
        assert ask(server, method, path, role).status_code == status, (method, path)
    for method, path in (("GET", ""), ("GET", "/roles"), ("GET", "/roles/times"),
                         ("GET", "/roles/frames?first=0&count=1"), ("GET", "/roles/file"),
                         ("POST", ""), ("DELETE", "/roles")):  # fmt: skip
        assert httpx.request(method, server.base + "/recordings" + path).status_code == 401
    cookie = server.cookie("operator")  # an operator without the seat
    got = httpx.post(f"{server.base}/recordings?name=x", cookies=cookie)
    assert got.status_code == 403
    assert httpx.get(f"{server.base}/recordings/roles/file", cookies=cookie).status_code == 200
    assert "roles" in names(server)


def test_frames_are_asked_for_in_bounds(server, driver):
    record(server, driver, "bounds", 0.5)
    for first, count in ((-1, 5), (0, 0), (0, 10**6)):
        assert ask(server, "GET", f"/bounds/frames?first={first}&count={count}").status_code == 400


def test_another_machine_ends_it_and_its_own_comes_back(server, driver):
    ask(server, "POST", "?name=switch")
    driver.hold(0.5)
    driver.choose("door")
    assert ask(server, "POST", "/stop").status_code == 409
    end = time.monotonic() + 10
    while "switch" not in names(server):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert not names(server)["switch"]["cut"]
    assert ask(server, "GET", "/switch").json()["fits"] is False
    number = driver.scene["number"]
    assert ask(server, "POST", "/switch/machine").json() == {"problems": []}
    driver.until(lambda: driver.scene["number"] > number, 60)
    assert driver.scene["machine"]["name"] == "lhd"
    assert ask(server, "GET", "/switch").json()["fits"] is True


@pytest.mark.slow
def test_a_server_that_ends_finishes_its_recording(tmp_path):
    running = Running("--port", "0", "--recordings", str(tmp_path / "runs"), "door")
    with running.talk() as talker:
        ask(running, "POST", "?name=last")
        talker.hold(0.7)
    code, _, said = running.stop()
    assert (code, said) == (0, "")
    run = open_run(tmp_path / "runs" / "last.mcap")
    assert len(list(run.frames())) > 20
    assert not run.cut


def readable(path):
    """How many frames of a file can be read, whatever state it is in."""
    try:
        return len(list(open_run(path).frames()))
    except hf.RecordingError:
        return 0


def test_a_server_that_is_killed_leaves_what_was_recorded(tmp_path):
    running = Running("--port", "0", "--recordings", str(tmp_path / "runs"), "door")
    path = tmp_path / "runs" / "killed.mcap"
    with running.talk() as talker:
        ask(running, "POST", "?name=killed")
        while readable(path) < 60:
            talker.hold(0.3)
        running.process.kill()
    running.rest()
    run = open_run(path)
    assert len(list(run.frames())) >= 60
    assert run.cut


def test_replay_serves_the_recording_with_its_machine(server, driver, kept, tmp_path):
    record(server, driver, "again2")
    file = tmp_path / "elsewhere.mcap"
    file.write_bytes((kept / "again2.mcap").read_bytes())
    running = Running(
        str(file), "--port", "0", "--recordings", str(tmp_path / "runs"), command="replay"
    )
    listed = ask(running, "GET", "").json()
    assert listed["replay"] == "elsewhere"
    assert [item["fixed"] for item in listed["recordings"]] == [True]
    end = time.monotonic() + 60
    while not (facts := ask(running, "GET", "/elsewhere").json())["fits"]:
        assert time.monotonic() < end, facts
        time.sleep(0.2)
    assert "stays as it is" in ask(running, "DELETE", "/elsewhere").json()["error"]
    code, _, said = running.stop()
    assert (code, said) == (0, "")
    assert "?tool=record&replay#" in running.addresses[0]
    assert file.exists()
    assert not (tmp_path / "runs").exists()
