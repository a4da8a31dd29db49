"""A longwall with a hundred supports on a real server."""

import time

import numpy as np
import pytest
from running import Running

import headframe as hf
from headframe.protocol import decode

LEGS = ("front_legs", "rear_legs")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    kept = tmp_path_factory.mktemp("recordings")
    running = Running("--port", "0", "--scene", "longwall", "--recordings", str(kept))
    yield running
    code, _, said = running.stop()
    assert (code, said) == (0, "")


@pytest.fixture
def operator(server):
    with server.talk() as talker:
        talker.send(type="take_seat")
        talker.until(lambda: talker.status["seat"] == talker.welcome["client"])
        talker.alive()
        talker.units = {}
        yield talker


def gather(talker, least=100):
    """Listen until all units were told of."""
    talker.units = {}
    take = talker.take

    def taking(*arguments):
        take(*arguments)
        for units in talker.frame.crowd:
            talker.units.update(zip(units.numbers.tolist(), units.poses, strict=True))

    talker.take = taking
    while len(talker.units) < least:
        talker.hold(0.05)
    talker.take = take
    return {unit: poses.copy() for unit, poses in talker.units.items()}


def heights(units):
    """Height of every support's canopy [m]."""
    index = [link.name for link in hf.load("tcchs").links].index("canopy")
    return np.array([units[n][index, 2] for n in range(100)])


def select(talker, units):
    talker.send(type="select", stand="support", units=units)
    wanted = units or [str(n + 1) for n in range(100)]
    talker.until(lambda: talker.status["selected"] == wanted)


def drive(talker, levers, until, tries=5):
    """Hold levers until something is so; a late heartbeat makes them dead, then begin anew."""
    for _ in range(tries):
        talker.alive()
        for _ in range(60):
            talker.hold(0.1, levers)
            if until():
                break
        talker.hold(0.3)
        if until():
            return
    raise AssertionError("levers had no effect")


def test_group_lever_moves_all_and_one_lever_moves_one(operator):
    names = [stand["name"] for stand in operator.scene["stands"]]
    assert (operator.scene["name"], names) == ("longwall", ["support"])
    assert len(operator.scene["stands"][0]["units"]) == 100
    operator.send(type="restart")
    home = heights(gather(operator))
    np.testing.assert_allclose(home, home[0], atol=1e-5)

    select(operator, ["42"])
    start = operator.length("front_leg_left")
    levers = dict.fromkeys(LEGS, -1.0)
    drive(operator, levers, lambda: operator.length("front_leg_left") < start - 0.02)
    one = heights(gather(operator))
    moved = np.abs(one - home) > 1e-3
    assert np.flatnonzero(moved).tolist() == [41]
    assert operator.frame.unit == 41

    select(operator, None)
    start = operator.length("front_leg_left")
    drive(operator, levers, lambda: operator.length("front_leg_left") < start - 0.02)
    every = heights(gather(operator))
    assert (every < one - 5e-3).all()
    assert every[41] < every[0] - 5e-3
    assert operator.frame.unit == 0


def test_poses_are_those_of_forward_kinematics(operator):
    """Of the first unit by its lengths, and of all others by the same motion."""
    machine = hf.load("tcchs")
    select(operator, None)
    operator.send(type="restart")
    operator.hold(0.2)
    start = operator.length("front_leg_left")
    drive(operator, {"front_legs": -1.0}, lambda: operator.length("front_leg_left") < start - 0.03)
    units = gather(operator)
    first = [members[0] for members in machine.robot.groups]
    state = machine.fk(operator.frame.lengths[first])
    for n in (0, 1, 49, 99):
        base = np.eye(4)
        base[1, 3] = -86.625 + 1.75 * n
        there = state.moved(base)
        wanted = [there.pose(link.name)[:3, 3] for link in machine.links]
        np.testing.assert_allclose(units[n][:, :3], wanted, atol=1e-5)


def test_viewers_only_watch(server, operator):
    with server.talk("viewer") as viewer:
        for message in (
            {"type": "select", "stand": "support", "units": ["3"]},
            {"type": "choose_scene", "name": "tunnel"},
        ):
            assert "viewers only watch" in viewer.refusal(**message)


def test_shapes_are_served_to_those_who_may_see(server, operator):
    stand = operator.scene["stands"][0]
    for address in (stand["geometry"], stand["near"]):
        assert server.get(f"/{address}").status_code == 401
        answer = server.get(f"/{address}", headers=server.bearer("viewer"))
        assert answer.status_code == 200
        assert answer.content[:4] == b"glTF"
    gone = server.get("/geometry/nothing.glb", headers=server.bearer("viewer"))
    assert gone.status_code == 404


def test_studies_and_recordings_are_of_the_unit_that_is_driven(server, operator):
    """The ninetieth support stands at y = 69.125 m, and so does its workspace."""
    headers, machine = server.bearer("operator"), hf.load("tcchs")
    operator.send(type="restart")
    select(operator, ["90"])
    operator.until(lambda: operator.frame.unit == 89)
    request = {"link": "canopy", "samples": 500}
    number = server.post("/study/workspace", json=request, headers=headers).json()["number"]
    cloud = fetched(server, operator, f"/study/{number}/cloud.bin")
    points = np.frombuffer(cloud, "<f4", 3 * 500).reshape(-1, 3)
    base = np.eye(4)
    base[1, 3] = 69.125
    start = machine.fk(operator.frame.lengths[[m[0] for m in machine.robot.groups]]).moved(base)
    wanted = hf.workspace(machine, "canopy", samples=500, start=start).points
    np.testing.assert_allclose(points, wanted, atol=2e-5)

    server.post("/recordings?name=ninetieth", headers=headers)
    operator.hold(0.5)
    server.post("/recordings/stop", headers=headers)
    server.post("/recordings?name=of one", headers=headers)
    operator.hold(0.3)
    select(operator, ["91"])
    operator.hold(0.3)
    again = server.post("/recordings?name=of another", headers=headers)
    assert again.status_code == 201, "a recording ends when another unit is driven"
    server.post("/recordings/stop", headers=headers)
    frames = server.get("/recordings/ninetieth/frames?first=0&count=3", headers=headers).content
    frame = decode(frames[: len(frames) // 3])
    assert (frame.unit, frame.crowd) == (89, ())
    index = [link.name for link in machine.links].index("canopy")
    np.testing.assert_allclose(frame.poses[index, :3], start.pose("canopy")[:3, 3], atol=1e-4)


def fetched(server, talker, path, patience=60.0):
    """A file of a study, once it is there; the talker listens meanwhile."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        answer = server.get(path, headers=server.bearer("viewer"))
        if answer.status_code == 200:
            return answer.content
        talker.hold(0.2)
    raise AssertionError(f"{path} never came")
