"""The emergency stop overtakes whatever waits: physics in this process, substeps counted."""

import pytest
from test_worker import Bench

from headframe.protocol import decode, up
from headframe.protocol.down import SessionStatus
from headframe.protocol.frame_layout import Flags
from headframe.server.messages import ClientReply, FrameReport, Order, OrderDone, StopReleased
from headframe.sim.kinematic import Kinematic
from headframe.sim.simulation import Simulation


class Stopped(Bench):
    """Orders carry how often the stop had been pressed, as the hub's do."""

    def order(self, message, client=7):
        self.worker.follow(Order(client, self.now, message, self.worker.shared.pressed))
        self.hear()

    def stale(self, message, client=7):
        """An order that was given before the stop was pressed."""
        self.worker.follow(Order(client, self.now, message, self.worker.shared.pressed - 1))
        self.hear()

    @property
    def cab(self):
        return self.worker.session.cab


@pytest.fixture
def bench():
    bench = Stopped()
    bench.tick(3)
    return bench


@pytest.fixture
def moving():
    bench = Stopped(dynamics=True)
    bench.tick(3)
    bench.order(up.Pause(True))
    return bench


def test_a_thousand_substeps_end_between_two_looks(moving, monkeypatch):
    calls, real = [], Simulation.step

    def counted(self, n=1):
        calls.append(n)
        if len(calls) == 3:
            moving.worker.shared.press()
        real(self, n)

    monkeypatch.setattr(Simulation, "step", counted)
    monkeypatch.setattr(type(moving.worker.session), "_at_once", lambda _: 50)
    before = moving.worker.session.steps
    moving.order(up.Step(1000))
    assert len(calls) == 3  # none after the call during which it was pressed
    assert moving.worker.session.steps - before == sum(calls) < 1000
    assert moving.cab.emergency
    assert f"after {sum(calls)} of 1000" in moving.refused().message.text
    assert moving.last(SessionStatus).emergency


@pytest.mark.quiet
def test_substeps_between_two_looks_take_little_time(moving):
    """Whatever a substep costs, it is looked at before too much time has passed."""
    session = moving.worker.session
    for cost, most in ((1e-5, 400), (1e-3, 4), (1.0, 1)):
        session._cost = cost
        assert session._at_once() == pytest.approx(most, abs=1)


def test_the_rest_of_a_tick_is_made_at_rest(monkeypatch):
    bench = Stopped(dynamics=True)
    bench.tick(3)
    name = bench.worker.session.machine.robot.group_names[0]
    for _ in range(20):
        bench.now += 1 / 60
        bench.order(up.Levers({name: 1.0}, 0.0, True, 0.0))
        bench.worker.tick(bench.now)
    mover = type(bench.worker.session.motion)
    real = mover.step

    def pressing(self, n=1):
        real(self, n)
        bench.worker.shared.press()

    monkeypatch.setattr(type(bench.worker.session), "_at_once", lambda _: 4)
    steps, faster = bench.worker.session.steps, abs(bench.worker.session.motion.velocities).max()
    with monkeypatch.context() as patch:
        patch.setattr(mover, "step", pressing)
        bench.now += 1 / 60
        bench.worker.tick(bench.now)
    bench.hear()
    assert bench.worker.session.steps - steps in (16, 17)  # time goes on
    frame = decode(bench.last(FrameReport).frame)
    assert frame.flags & Flags.EMERGENCY
    slower = abs(bench.worker.session.motion.velocities).max()
    assert slower < faster
    bench.tick(60)
    assert abs(bench.worker.session.motion.velocities).max() < 1e-6
    bench.order(up.Rewind(steps * 1e-3 + 0.002))  # what was commanded then is commanded again
    assert not bench.worker.session.trouble


@pytest.mark.parametrize(
    "message",
    [
        up.Step(1000), up.GoTo("door", 0.9), up.SpinMotor("m", 1.0), up.LetFloat("door", True),
        up.Reach("door", (0.0, 0.0, 1.0)), up.Rewind(0.0), up.Restart(), up.SetPhysics(True),
    ],
)  # fmt: skip
def test_what_was_ordered_before_is_refused(bench, monkeypatch, message):
    def moved(*_):
        raise AssertionError("it moved")

    bench.order(up.Pause(True))
    bench.worker.shared.press()
    monkeypatch.setattr(Kinematic, "step", moved)
    steps = bench.worker.session.steps
    bench.stale(message)
    assert "pressed meanwhile" in bench.refused().message.text
    assert bench.worker.session.steps == steps
    assert bench.cab.emergency


def test_two_hundred_orders_that_wait_cost_no_substep(moving, monkeypatch):
    """As in the pipe: they were sent, and are all refused."""
    calls = []
    monkeypatch.setattr(Simulation, "step", lambda _, n=1: calls.append(n))
    moving.worker.shared.press()
    for _ in range(200):
        moving.stale(up.Step(1000))
    assert calls == []
    assert moving.count(ClientReply) == 200


def test_stop_during_a_change_of_machine_holds_when_it_is_done(bench):
    real = bench.worker.shapes.of

    def pressing(cast):
        bench.worker.shared.press()
        return real(cast)

    bench.worker.shapes.of = pressing
    bench.order(up.ChooseMachine("lhd"))
    assert bench.worker.session.machine.name == "lhd"
    assert bench.cab.emergency
    bench.tick(1)
    assert decode(bench.last(FrameReport).frame).flags & Flags.EMERGENCY


def test_release_is_for_what_was_pressed_before_it(bench):
    bench.worker.shared.press()
    bench.tick(1)
    bench.worker.shared.press()
    bench.stale(up.Release())
    assert "pressed again" in bench.refused().message.text
    assert bench.cab.emergency
    bench.order(up.Release())
    assert not bench.cab.emergency
    assert bench.last(StopReleased).pressed == 2
    bench.tick(2)
    assert not bench.cab.emergency


def test_a_press_that_was_released_at_once_still_stops(bench):
    """The process may see neither: what was switched on is off all the same."""
    name = bench.worker.session.machine.robot.group_names[0]
    bench.order(up.GoTo(name, float(bench.worker.session.motion.state.lengths[0]) - 0.01))
    assert bench.cab.switches.targets
    bench.worker.shared.press()
    bench.order(up.Release())
    assert not bench.cab.switches.targets
    assert not bench.cab.emergency


def test_a_stop_that_is_latched_holds_in_a_new_process():
    bench = Stopped()
    bench.worker.shared.press()
    bench.begin(bench.worker)
    assert bench.cab.emergency
    released = Stopped()
    released.worker.shared.press()
    released.worker._released = 1
    released.begin(released.worker)
    released.tick(2)
    assert not released.cab.emergency


def test_ticks_come_though_orders_wait(bench, monkeypatch):
    """A tick is due after a while, however many orders there are."""
    clock = iter(range(1000))
    monkeypatch.setattr("headframe.server.worker.time.monotonic", lambda: float(next(clock)))
    for _ in range(50):
        bench.ours.send(Order(7, 0.0, up.Pause(True)))
    bench.worker.wait(5.0)
    bench.hear()
    assert 1 <= bench.count(OrderDone) < 10
