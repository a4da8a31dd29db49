"""A real server and real clients: levers, dead man, emergency stop, time, roles."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed

import headframe as hf
from headframe.protocol.frame_layout import Flags

pytestmark = pytest.mark.quiet

BEATING = Path(__file__).with_name("beating.py")


def poses_of(frame):
    """Poses of a frame as matrices, (n, 4, 4)."""
    X = np.tile(np.eye(4), (len(frame.poses), 1, 1))
    w, x, y, z = frame.poses[:, 3:].T
    X[:, :3, 3] = frame.poses[:, :3]
    X[:, 0, :3] = np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], 1)
    X[:, 1, :3] = np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], 1)
    X[:, 2, :3] = np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], 1)
    return X


def test_scene_tells_what_the_machine_has(operator):
    machine, robot = operator.scene["machine"], hf.load("roadheader").robot
    assert [group["name"] for group in machine["groups"]] == list(robot.group_names)
    assert machine["links"] == [link.name for link in robot.links]
    assert [motor["name"] for motor in machine["motors"]] == [m.name for m in robot.motors]
    assert machine["machine_class"] == "roadheader"
    assert {choice["name"] for choice in operator.scene["catalogue"]} >= set(hf.machines())


def test_frames_are_forward_kinematics(operator):
    machine = hf.load("roadheader")
    operator.hold(1.0, {"boom": 1.0, "slew": -0.5, "telescope": 0.7})
    operator.hold(0.5)
    frame = operator.frame
    state = machine.fk(frame.lengths[[0, 2, 4, 5, 7, 8]])
    wanted = np.array([state.pose(link.name) for link in machine.links])
    still = [i for i, link in enumerate(machine.links) if "gathering" not in link.name]
    np.testing.assert_allclose(poses_of(frame)[still], wanted[still], atol=1e-5)


def test_frames_come_sixty_times_a_second(operator):
    operator.hold(0.2)
    first = operator.frame
    operator.hold(3.0)
    made, passed = operator.frame.number - first.number, operator.frame.time - first.time
    assert made / passed == pytest.approx(60.0, rel=0.2)  # another program may take the processor


def test_lever_moves_at_the_cylinder_s_speed(operator):
    operator.hold(0.5, {"boom": 0.5})
    before, then = operator.length("boom_left"), operator.frame.time
    operator.hold(1.0, {"boom": 0.5})
    speed = (operator.length("boom_left") - before) / (operator.frame.time - then)
    assert speed == pytest.approx(0.03, rel=1e-3)
    assert operator.frame.speeds[2] == pytest.approx(0.03, rel=1e-3)


def test_slider_goes_to_its_length(operator):
    target = operator.length("boom_left") + 0.05
    operator.send(type="go_to", group="boom", length=target)
    operator.hold(2.0)
    assert operator.length("boom_left") == pytest.approx(target, abs=1e-6)
    assert operator.status["targets"] == {"boom": target}


def test_motor_spins(operator):
    for _ in range(5):  # a heartbeat that is late stops it again
        operator.alive()
        operator.send(type="spin_motor", motor="cutting_motor", speed=0.5)
        operator.hold(0.5)
        if operator.status["motors"]:
            break
    assert operator.frame.motors[0, 0] == pytest.approx(2.4)
    assert operator.status["motors"] == {"cutting_motor": 0.5}
    operator.send(type="spin_motor", motor="cutting_motor", speed=0.0)
    operator.hold(0.5)
    assert operator.frame.motors[0, 0] == 0.0


# ----------------------------------------------------------------- dead man


def quiet(operator):
    """The status without what changes by itself."""
    operator.alive()
    changing = ("newest", "oldest", "overruns", "viewers", "operators")
    return {name: value for name, value in operator.status.items() if name not in changing}


def stopped(operator, cylinder="boom_left"):
    """Where the cylinder is, once it stands."""
    operator.until(lambda: abs(operator.frame.speeds[2]) < 1e-9)
    return operator.length(cylinder)


def test_silence_makes_levers_dead(operator):
    operator.hold(0.5, {"boom": 1.0})
    moving = operator.length("boom_left")
    operator.until(lambda: operator.status["presence"] == "silent", 1.0)
    assert stopped(operator) - moving < 0.06 * 0.5 + 0.01
    assert operator.frame.flags & Flags.DEAD
    operator.hold(0.3, {"boom": 1.0})
    assert operator.status["presence"] == "centre"
    assert operator.frame.speeds[2] == 0.0
    operator.alive()
    operator.hold(0.3, {"boom": 1.0})
    assert operator.frame.speeds[2] > 0.0


@pytest.mark.parametrize(
    ("beat", "reason"), [({"present": False}, "hidden"), ({"age": 1.2}, "stalled")]
)
def test_page_without_attention_makes_levers_dead(operator, beat, reason):
    operator.hold(0.5, {"boom": 1.0})
    operator.beat({"boom": 1.0}, **beat)
    operator.until(lambda: operator.status["presence"] == reason, 1.0)
    stopped(operator)


@pytest.mark.parametrize("how", [signal.SIGSTOP, signal.SIGKILL])
def test_client_that_is_stopped_or_killed(server, operator, how):
    """Another process takes the seat, holds the lever, and is stopped in the middle of it."""
    address = f"{server.base.replace('http', 'ws')}/ws"
    client = subprocess.Popen(
        [sys.executable, str(BEATING), address, server.tokens["operator"], "boom"],
        stderr=subprocess.DEVNULL,
    )
    try:
        operator.until(lambda: operator.frame.speeds[2] > 0.05, 15.0)
        client.send_signal(how)
        at, moving = time.monotonic(), operator.length("boom_left")
        operator.until(lambda: operator.status["presence"] in ("silent", "closed"), 2.0)
        assert time.monotonic() - at < 0.6
        assert stopped(operator) - moving < 0.06 * 0.6
    finally:
        client.kill()
        client.wait()


def test_closing_the_socket_makes_levers_dead(server, operator):
    with server.talk() as other:
        other.send(type="take_seat")
        other.alive()
        other.hold(0.5, {"boom": 1.0})
    operator.until(lambda: operator.status["presence"] == "closed", 2.0)
    assert operator.status["seat"] == -1
    stopped(operator)


# ----------------------------------------------------------- emergency stop


def test_emergency_stop_latches_for_everyone(server, operator):
    operator.hold(0.5, {"boom": 1.0})
    with server.talk("viewer") as viewer:
        viewer.send(type="emergency_stop")
        viewer.until(lambda: viewer.status["emergency"])
        assert "viewers only watch" in viewer.refusal(type="release")
    operator.hold(0.5, {"boom": 1.0})
    assert operator.status["emergency"]
    assert operator.frame.flags & Flags.EMERGENCY
    assert operator.frame.speeds[2] == 0.0
    assert "neutral" in operator.refusal(type="release")
    assert "emergency stop" in operator.refusal(type="spin_motor", motor="cutting_motor", speed=1.0)
    operator.hold(0.2)
    operator.send(type="release")
    operator.until(lambda: not operator.status["emergency"])
    operator.hold(0.3, {"boom": 1.0})
    assert operator.frame.speeds[2] > 0.0


# -------------------------------------------------------------- roles, seat

MOVING = [
    {"type": "levers", "levers": {"boom": 1.0}, "age": 0.0, "present": True, "sent": 0.0},
    {"type": "go_to", "group": "boom", "length": 2.0},
    {"type": "let_float", "group": "boom", "on": True},
    {"type": "spin_motor", "motor": "cutting_motor", "speed": 1.0},
    {"type": "pause", "on": True},
    {"type": "step", "count": 1},
    {"type": "time_scale", "scale": 2.0},
    {"type": "rewind", "time": 0.0},
    {"type": "restart"},
    {"type": "set_physics", "dynamics": True},
    {"type": "choose_machine", "name": "tcchs"},
    {"type": "release"},
]


def test_only_the_seat_moves_anything(server, operator):
    before = quiet(operator)
    with server.talk("viewer") as viewer, server.talk() as other:
        for message in MOVING:
            assert "viewers only watch" in viewer.refusal(**message), message
            assert "somebody else has the seat" in other.refusal(**message), message
    operator.hold(0.3)
    assert quiet(operator) == before


def test_viewers_cannot_take_the_seat(server, operator):
    with server.talk("viewer") as viewer:
        assert "viewers only watch" in viewer.refusal(type="take_seat")


def test_who_loses_the_seat_is_told_and_its_levers_are_dead(server, operator):
    operator.hold(0.3, {"boom": 1.0})
    with server.talk() as other:
        assert other.status["seat"] == operator.welcome["client"]
        other.send(type="take_seat")
        other.until(lambda: other.status["seat"] == other.welcome["client"])
        operator.until(lambda: "seat_lost" in operator.notices)
        stopped(operator)
        assert "somebody else" in operator.refusal(type="pause", on=True)


def test_reload_keeps_the_seat(server, operator):
    headers = {"Cookie": "; ".join(f"{k}={v}" for k, v in server.cookie("operator").items())}
    with server.talk(headers=headers) as page:
        page.send(type="take_seat")
        page.until(lambda: page.status["seat"] == page.welcome["client"])
        first = page.welcome["client"]
    with server.talk() as other:
        assert other.status["seat"] == -1
    with server.talk(headers=headers) as page:
        assert page.welcome["client"] > first
        page.until(lambda: page.status["seat"] == page.welcome["client"], 2.0)


# ------------------------------------------------------------- bad messages


NO_MESSAGES = [
    "", "{", "[]", "null", '{"type":"nonsense"}', '{"type":"pause","on":1}', "\x00" * 100,
    '{"type":"time_scale","scale":NaN}', '{"type":"levers","levers":{"boom":9}}', "[" * 60_000,
]  # fmt: skip


def test_bad_messages_are_answered_and_change_nothing(operator):
    before = quiet(operator)
    for n, text in enumerate(NO_MESSAGES):
        operator.socket.send(text)
        operator.until(lambda n=n: len(operator.refused) > n)
        assert "found" in operator.refused[-1]["text"], text[:100]
    operator.hold(0.3)
    assert quiet(operator) == before


IMPOSSIBLE = [
    ({"type": "go_to", "group": "bom", "length": 2.0}, "boom"),
    ({"type": "go_to", "group": "boom", "length": 9.0}, "expected 1.4867 to 2.2365 m"),
    ({"type": "let_float", "group": "boom", "on": True}, "choose dynamics"),
    ({"type": "spin_motor", "motor": "x", "speed": 1.0}, "motor"),
    ({"type": "rewind", "time": 1e9}, "expected"),
    ({"type": "step", "count": 1}, "while paused"),
    ({"type": "set_physics", "dynamics": True, "formulation": "x"}, "formulation"),
    ({"type": "choose_machine", "name": "no_such_machine"}, "no_such_machine"),
]


def test_what_cannot_be_done_is_refused_with_a_reason(operator):
    before = quiet(operator)
    for message, why in IMPOSSIBLE:
        assert why in operator.refusal(**message), message
    operator.hold(0.3)
    assert quiet(operator) == before


def test_names_that_lead_out_of_the_catalogue_are_refused(operator, tmp_path):
    """The page chooses from the catalogue; files come by upload."""
    file = tmp_path / "machine.json"
    hf.load("door").save(file)
    assert "no machine" in operator.refusal(type="choose_machine", name=str(file))
    assert operator.scene["machine"]["name"] == "roadheader"


def test_flood_of_a_viewer_ends_its_own_connection(server, operator):
    flood = json.dumps({"type": "ping", **{f"x{i}": 0 for i in range(5000)}})
    assert 50_000 < len(flood) < 64 * 1024
    with server.talk("viewer") as viewer:
        code = None
        for _ in range(200):
            try:
                viewer.socket.send(flood)
                viewer.listen(0.01)
            except ConnectionClosed as closed:
                code = closed.rcvd.code
                break
        assert code == 1008
    operator.hold(0.5, {"boom": 1.0})
    operator.alive()


def test_message_that_is_too_large_closes_the_socket(server, operator):
    with server.talk() as other:
        other.socket.send("x" * (64 * 1024 + 1))
        with pytest.raises(Exception, match="1009"):
            other.listen(5.0)
    operator.hold(0.2)
    assert operator.status["alive"]


# --------------------------------------------------------------------- time


def test_pause_step_and_scale(operator):
    operator.send(type="pause", on=True)
    operator.until(lambda: operator.status["paused"])
    at = operator.frame.time
    operator.hold(0.3)
    assert operator.frame.time == at
    operator.send(type="step", count=5)
    operator.hold(0.2)
    assert operator.frame.time == pytest.approx(at + 0.005)
    operator.send(type="time_scale", scale=0.1)
    operator.send(type="pause", on=False)
    operator.hold(0.2, {"boom": 1.0})
    lengths = []
    for _ in range(20):
        number = operator.frame.number
        operator.until(lambda number=number: operator.frame.number > number)
        operator.beat({"boom": 1.0})
        lengths.append(operator.length("boom_left"))
    assert len(set(lengths)) == 20  # new poses in every frame
    at, started = operator.frame.time, time.monotonic()
    operator.hold(1.0)
    passed = (operator.frame.time - at) / (time.monotonic() - started)
    assert passed == pytest.approx(0.1, rel=0.1)


ON_THE_GROUND = 1.4914  # length of boom_left at which the cutting drum lies on the ground [m]


def test_boom_floats_down_and_is_rewound(operator):
    operator.send(type="set_physics", dynamics=True)
    operator.until(lambda: operator.status["dynamics"])
    assert operator.status["formulation"] == "embedded"
    operator.send(type="let_float", group="boom", on=True)
    operator.hold(0.2)
    began, up_here = operator.frame.time, operator.length("boom_left")
    assert up_here > 1.7
    operator.hold_until(lambda: abs(operator.length("boom_left") - ON_THE_GROUND) < 1e-3)
    operator.send(type="rewind", time=began)
    operator.until(lambda: operator.status["paused"])
    operator.hold(0.1)
    assert operator.frame.time == pytest.approx(began, abs=1e-3)
    assert operator.length("boom_left") == pytest.approx(up_here, abs=1e-6)
    assert operator.status["floating"] == ["boom"]
    operator.send(type="pause", on=False)
    operator.hold_until(lambda: abs(operator.length("boom_left") - ON_THE_GROUND) < 1e-3)


def test_every_machine_is_driven(server, operator):
    for name in ("door", "jumbo", "lhd", "shearer", "sshs", "sths", "tcchs", "roadheader"):
        operator.choose(name)
        shapes = server.get(f"/{operator.scene['geometry']}", headers=server.bearer("viewer"))
        assert shapes.content[:4] == b"glTF", name
        operator.alive()
        group = operator.scene["machine"]["groups"][0]
        first = group["cylinders"][0]
        before = operator.frame.lengths[first]
        sign = 1.0 if before < 0.5 * (group["lower"] + group["upper"]) else -1.0
        operator.hold(1.0, {group["name"]: sign})
        assert sign * (operator.frame.lengths[first] - before) > 0.2 * group["speed"], name
