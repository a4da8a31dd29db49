"""Every message with extreme numbers, to physics in this process: refused or obeyed, it lives."""

import dataclasses
import json
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from test_worker import Bench

from headframe.errors import ProtocolError, StateError
from headframe.protocol import decode, read, up
from headframe.protocol.typescript import _members
from headframe.server.messages import ClientReply, FrameReport
from headframe.sim.session import Target

EXTREMES = (
    0, -0.0, 1, -1, 5e-324, 1e-300, 1e6, -1e6, 1e9, 1e15, 2**31, 2**53, 2**63, 2**64, 1e300, 1e307,
    1.7976931348623157e308, -1e308, 1e999, -1e999,
)  # fmt: skip
numbers = st.one_of(st.sampled_from(EXTREMES), st.floats(allow_nan=False), st.integers())


def _messages(machine):
    """A message of every kind that reaches physics, with names that it knows."""
    group, link = machine.robot.group_names[0], "bucket"
    motor = next((m.name for m in machine.robot.motors), "none")
    return [
        up.Levers({group: 0.5}, 0.0, True, 0.0),
        up.GoTo(group, 1.0),
        up.SpinMotor(motor, 0.5),
        up.Step(3),
        up.TimeScale(1.0),
        up.Rewind(0.1),
        up.SetPhysics(gravity=9.0),
        up.Reach(link, (1.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0), 1),
        up.Inspect(1),
        up.Play(1, 0.5, 0.0),
        up.Pause(True),
        up.LetFloat(group, True),
    ]


def _leaves(value, path=()):
    """Where the numbers of a message stand."""
    if isinstance(value, dict):
        return [leaf for key, part in value.items() for leaf in _leaves(part, (*path, key))]
    if isinstance(value, list | tuple):
        return [leaf for n, part in enumerate(value) for leaf in _leaves(part, (*path, n))]
    return [path] if isinstance(value, int | float) and not isinstance(value, bool) else []


def _put(value, path, number):
    if not path:
        return number
    if isinstance(value, dict):
        return {k: _put(v, path[1:], number) if k == path[0] else v for k, v in value.items()}
    return [_put(v, path[1:], number) if n == path[0] else v for n, v in enumerate(value)]


@pytest.fixture(scope="module")
def bench():
    return Bench("lhd")


@settings(
    max_examples=200, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip
@given(data=st.data())
def test_physics_lives_whatever_number_comes(bench, data):
    message = data.draw(st.sampled_from(_messages(bench.worker.session.machine)))
    given_ = dataclasses.asdict(message)
    if leaves := _leaves(given_):
        given_ = _put(given_, data.draw(st.sampled_from(leaves)), data.draw(numbers))
    try:
        heard = read(json.dumps(given_))
    except ProtocolError:
        return
    before = len(bench.said)
    bench.order(heard)
    bench.tick(1)
    new = bench.said[before:]
    assert not [said for said in new if isinstance(said, ClientReply) and "defect" in str(said)]
    frame = decode(bench.last(FrameReport).frame)
    assert np.isfinite(frame.poses).all()
    assert math.isfinite(frame.time)
    assert not bench.worker.session.trouble
    del bench.said[:-50]


def test_every_kind_that_physics_hears_is_tried(bench):
    tried = {type(message) for message in _messages(bench.worker.session.machine)}
    schemas = {kind: json.dumps(TypeAdapter(kind).json_schema()) for kind in _members(up.Up)}
    numeric = {kind for kind, text in schemas.items() if '"number"' in text or '"integer"' in text}
    assert numeric - tried == {up.Hello, up.Ping}


@pytest.mark.parametrize("time", [1e307, math.inf, -math.inf, math.nan, 1e18, -1.0])
def test_rewinding_to_no_moment_is_refused(bench, time):
    bench.tick(3)
    steps = bench.worker.session.steps
    bench.order(up.Rewind(time))  # as a program with the Session of its own might
    assert "time: found" in bench.refused().message.text
    assert bench.worker.session.steps == steps


@pytest.mark.parametrize("number", [math.inf, math.nan])
@pytest.mark.parametrize("what", ["position", "quaternion"])
def test_reaching_for_no_place_is_refused(bench, number, what):
    bench.tick(3)
    before = bench.worker.session.motion.state.q.copy()
    x, w = (number, 1.0) if what == "position" else (0.0, number)
    with pytest.raises(StateError, match=what):
        bench.worker.session.reach(Target("bucket", (x, 0.0, 0.0), (w, 0.0, 0.0, 0.0)))
    np.testing.assert_array_equal(bench.worker.session.motion.state.q, before)


def test_a_defect_refuses_the_message_and_physics_lives(bench, monkeypatch, capsys):
    def failing(*_):
        raise ZeroDivisionError("a defect of ours")

    with monkeypatch.context() as patch:
        patch.setattr(type(bench.worker.session), "restart", failing)
        bench.order(up.Restart(), client=3)
    reply = bench.refused()
    client, about, text = reply.client, reply.message.about, reply.message.text
    assert (client, about) == (3, "restart")
    assert "ZeroDivisionError" in text
    assert "ZeroDivisionError" in capsys.readouterr().err
    bench.tick(2)
    bench.order(up.Restart())
    assert bench.worker.session.steps == 0
