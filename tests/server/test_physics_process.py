"""The physics process dies or raises: the server stays, and the operator goes on."""

import os
import signal

import psutil
import pytest

from headframe.protocol.frame_layout import Flags


def physics_of(server):
    """The process that computes: it has eaten the most time."""
    children = psutil.Process(server.process.pid).children()
    return max(children, key=lambda child: sum(child.cpu_times()[:2]))


@pytest.mark.quiet
@pytest.mark.parametrize("message", [{"type": "rewind", "time": 0.0}, {"type": "restart"}])
def test_killed_process_is_told_and_started_again(server, operator, message):
    operator.hold(2.5, {"boom": 1.0})
    far, late = operator.length("boom_left"), operator.frame.time
    old = physics_of(server)
    old.kill()
    operator.until(lambda: not operator.status["alive"], 5.0)
    assert "exit code -9" in operator.status["trouble"]
    assert server.get("/health").json()["status"] == "physics ended"
    with server.talk("viewer", hello=False) as viewer:
        viewer.until(lambda: viewer.status, 5.0)
        assert not viewer.status["alive"]
    number = operator.scene["number"]
    operator.send(**message)
    operator.until(lambda: operator.status["alive"] and operator.frame.scene > number, 60.0)
    operator.alive()
    assert physics_of(server).pid != old.pid
    if message["type"] == "rewind":  # to the last checkpoint, at most a second old, paused
        assert operator.status["paused"]
        assert operator.frame.time == pytest.approx(late, abs=1.2)
        assert operator.length("boom_left") == pytest.approx(far, abs=0.06 * 1.2)
        operator.send(type="pause", on=False)
    operator.hold(1.0, {"boom": -1.0})
    assert operator.frame.speeds[2] < -0.05


def test_machine_that_was_driven_comes_back(server, operator):
    operator.send(type="choose_machine", name="lhd")
    operator.until(lambda: operator.scene["machine"]["name"] == "lhd", 30.0)
    operator.hold(0.5)
    physics_of(server).kill()
    operator.until(lambda: not operator.status["alive"], 5.0)
    number = operator.scene["number"]
    operator.send(type="rewind", time=0.0)  # though there is no checkpoint of it yet
    operator.until(lambda: operator.status["alive"] and operator.frame.scene > number, 60.0)
    assert operator.scene["machine"]["name"] == "lhd"
    operator.send(type="choose_machine", name="roadheader")
    operator.until(lambda: operator.scene["machine"]["name"] == "roadheader", 30.0)
    operator.hold(0.3)


def test_process_that_hangs_is_ended(server, operator):
    operator.hold(1.5)
    os.kill(physics_of(server).pid, signal.SIGSTOP)
    operator.until(lambda: not operator.status["alive"], 15.0)
    assert "did not answer" in operator.status["trouble"]
    operator.send(type="restart")
    operator.until(lambda: operator.status["alive"] and operator.frame.time < 1.0, 60.0)
    operator.alive()


def test_emergency_stop_outlives_the_process(server, operator):
    operator.send(type="emergency_stop")
    operator.until(lambda: operator.status["emergency"])
    physics_of(server).kill()
    operator.until(lambda: not operator.status["alive"], 5.0)
    number = operator.scene["number"]
    operator.send(type="restart")
    operator.until(lambda: operator.status["alive"] and operator.frame.scene > number, 60.0)
    operator.hold(0.5)
    assert operator.status["emergency"]
    assert operator.frame.flags & Flags.EMERGENCY
