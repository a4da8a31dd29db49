"""A real server plays a path that its study planned, and stops it when nobody is there."""

import json
import time

import numpy as np
import pytest
from running import LONG

import headframe as hf

pytestmark = pytest.mark.quiet

VIA = [(5.62, 0.2, 1.8), (5.6, 0.5, 1.9), (5.6, 0.3, 2.1)]


class Planner:
    """Plans by HTTP, as an operator."""

    def __init__(self, server, operator):
        self.server, self.operator = server, operator

    def begin(self, kind="path", **request):
        answer = self.server.post(
            f"/study/{kind}", headers=self.server.bearer("operator"), json=request
        )
        assert answer.status_code == 200, answer.text
        return answer.json()["number"]

    def file(self, number, name):
        return self.server.get(f"/study/{number}/{name}", headers=self.server.bearer("operator"))

    def planned(self, **request):
        """The number of a study that is done."""
        number = self.begin(**request)
        end = time.monotonic() + 4 * LONG
        while self.file(number, "path.json").status_code != 200:
            assert time.monotonic() < end
            self.operator.hold(0.2)
        return number


@pytest.fixture(scope="module")
def planned(server):
    """A path and its file."""
    with server.talk() as talker:
        talker.send(type="take_seat")
        planner = Planner(server, talker)
        number = planner.planned(via=[{"position": list(point)} for point in VIA])
        return number, json.loads(planner.file(number, "path.json").text)


def playing(operator, number, most=6, **options):
    """Play until the machine is on the path; a late heartbeat ends it, then once more."""
    for _ in range(most):
        operator.alive()
        operator.send(type="play", number=number, **options)
        operator.hold(0.3)
        for _ in range(200):
            told = operator.status["playing"]
            if told is None or told["begun"] is not None:
                break
            operator.hold(0.1)
        if told is not None:
            return told
    raise AssertionError(operator.status)


def firsts(frame):
    return frame.lengths[[0, 2, 4]]


def test_machine_follows_the_path_in_simulated_time(operator, planned):
    """Lengths of every frame are those of the file at the moment that the status tells."""
    number, path = planned
    lengths = np.array([path["lengths"][n] for n in ("slew_left", "boom_left", "telescope")]).T
    told = playing(operator, number, speed=0.5)
    assert told["number"] == number
    seen = 0
    while (now := operator.status["playing"]) is not None:
        operator.beat()
        operator.listen(0.05)
        frame = operator.frame
        moment = now["start"] + now["speed"] * (frame.time - now["begun"])
        if operator.status["playing"] != now or not 0.0 <= moment <= path["times"][-1] - 0.1:
            continue
        wanted = [np.interp(moment, path["times"], column) for column in lengths.T]
        np.testing.assert_allclose(firsts(frame), wanted, atol=1e-4)  # frames are float32
        seen += 1
    assert seen > 5
    operator.hold(0.2)
    if not operator.status["presence"] and moment > path["times"][-1] - 0.2:
        np.testing.assert_allclose(firsts(operator.frame), lengths[-1], atol=1e-5)
        machine = hf.load("roadheader")
        place = machine.fk(operator.frame.lengths[[0, 2, 4, 5, 7, 8]]).pose("cutter_head")
        assert place[:3, 3] == pytest.approx(VIA[-1], abs=1e-4)


def test_dead_man_ends_it(operator, planned):
    number, path = planned
    playing(operator, number, speed=0.2)
    operator.listen(1.5)  # no heartbeat
    assert operator.status["playing"] is None
    assert operator.status["presence"] == "silent"
    stood = firsts(operator.frame)
    operator.listen(0.5)
    np.testing.assert_array_equal(firsts(operator.frame), stood)
    last = [path["lengths"][n][-1] for n in ("slew_left", "boom_left", "telescope")]
    assert np.abs(stood - last).max() > 0.005
    operator.alive()
    operator.hold(0.3)  # it does not begin again by itself
    assert operator.status["playing"] is None
    np.testing.assert_array_equal(firsts(operator.frame), stood)


def test_emergency_stop_of_a_viewer_ends_it(server, operator, planned):
    playing(operator, planned[0], speed=0.2)
    with server.talk("viewer") as viewer:
        viewer.send(type="emergency_stop")
        operator.hold(0.5)
    assert operator.status["playing"] is None
    assert "emergency" in operator.refusal(type="play", number=planned[0])


def test_lever_and_stop_end_it(operator, planned):
    playing(operator, planned[0], speed=0.2)
    operator.hold(0.2, {"stabiliser_left": 0.2})
    assert operator.status["playing"] is None
    operator.hold(0.2)
    playing(operator, planned[0], speed=0.2)
    operator.send(type="stop_playing")
    operator.hold(0.2)
    assert operator.status["playing"] is None


def test_only_paths_are_played_and_only_from_the_seat(server, operator, planned):
    assert "expected one that has planned a path" in operator.refusal(type="play", number=4711)
    assert "play.speed" in operator.refusal(type="play", number=planned[0], speed=2.0)
    with server.talk("viewer") as viewer:
        assert "viewers only watch" in viewer.refusal(type="play", number=planned[0])
    start = operator.refusal(type="play", number=planned[0], start=1e6)
    assert "start: found" in start


def test_path_of_another_machine_is_refused(operator, planned):
    operator.choose("door")
    operator.alive()
    assert "path of 'roadheader'" in operator.refusal(type="play", number=planned[0])
    operator.choose("roadheader")


def test_file_that_comes_back_is_played(server, operator, planned):
    """The exported file, sent back, is checked and then played as a path of its own."""
    planner = Planner(server, operator)
    text = planner.file(planned[0], "path.csv").text
    number = planner.planned(kind="path_file", name="way.csv", text=text)
    assert number > planned[0]
    told = playing(operator, number, speed=1.0)
    assert told["number"] == number
    wrong = planner.begin("path_file", name="way.csv", text=text.replace("slew_left", "slew_lift"))
    operator.hold(1.0)
    assert "expected one that has" in operator.refusal(type="play", number=wrong)
