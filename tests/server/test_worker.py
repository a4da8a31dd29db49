"""The physics process, run here: what it says, and that it outlives failures."""

import threading
import time
from dataclasses import dataclass
from multiprocessing import Pipe

import pytest

from headframe.errors import DynamicsError
from headframe.protocol import decode, up
from headframe.protocol.down import Loading, Refused, SessionStatus
from headframe.protocol.frame_layout import Flags
from headframe.server.faults import Chosen
from headframe.server.messages import (
    Checkpoint,
    ClientReply,
    DriveFile,
    FrameReport,
    Leave,
    Order,
    SceneReport,
)
from headframe.server.worker import Worker
from headframe.sim.pacer import TICK
from headframe.sim.session import Physics
from headframe.workbench import Standing


class Bench:
    """A worker on one end of a pipe, and all that it says on the other."""

    scene = "tunnel"

    def __init__(self, machine="door", dynamics=False):
        self.ours, theirs = Pipe()
        self.worker = Worker(theirs, machine, self.scene, Physics(dynamics=dynamics))
        self.now = 50.0
        self.said = []
        threading.Thread(target=self.listen, daemon=True).start()
        self.begin(self.worker)

    def begin(self, worker):
        worker.load(worker.name, worker.first)

    def tick(self, count=1):
        for _ in range(count):
            self.now += TICK
            self.order(up.Levers({}, 0.0, True, 0.0))
            self.worker.tick(self.now)
            self.hear()

    def order(self, message, client=7):
        self.worker.follow(Order(client, self.now, message))
        self.hear()

    def listen(self):
        """In a thread: a scene does not fit into the pipe."""
        while True:
            self.said.append(self.ours.recv())

    def hear(self):
        """Wait until everything is heard that was said."""
        mark = "mark", object, len(self.said), time.monotonic()
        self.worker.pipe.send(mark)
        while mark not in self.said:
            time.sleep(1e-4)
        self.said.remove(mark)

    def last(self, kind):
        return next(said for said in reversed(self.said) if isinstance(said, kind))

    def refused(self):
        replies = (said for said in reversed(self.said) if isinstance(said, ClientReply))
        return next(said for said in replies if isinstance(said.message, Refused))

    def count(self, kind):
        return sum(isinstance(said, kind) for said in self.said)


@pytest.fixture
def bench():
    return Bench()


def test_scene_comes_before_frames(bench):
    bench.tick(3)
    kinds = [type(said) for said in bench.said]
    assert kinds.index(SceneReport) < kinds.index(FrameReport)
    said = bench.last(SceneReport)
    scene, shapes, choice = said.scene, said.shapes, said.choice
    assert scene.machine.name == choice.machine == "door"
    assert all(shape[:4] == b"glTF" for shape in shapes.values())
    assert {f"geometry/{name}.glb" for name in shapes} == {scene.geometry, scene.touched}
    assert decode(bench.last(FrameReport).frame).scene == scene.number


def test_status_is_told_when_it_changes_only(bench):
    bench.tick(30)
    before = bench.count(SessionStatus)
    bench.tick(30)
    assert bench.count(SessionStatus) <= before + 1  # a second went by
    bench.order(up.TimeScale(2.0))
    assert bench.last(SessionStatus).scale == 2.0


def test_checkpoint_every_second(bench):
    bench.tick(130)
    checkpoints = [said for said in bench.said if isinstance(said, Checkpoint)]
    assert len(checkpoints) == 2
    assert checkpoints[0].steps < checkpoints[1].steps
    assert checkpoints[1].machine == "door"


@pytest.mark.parametrize("error", [DynamicsError("it fell"), RuntimeError("a defect")])
def test_failure_is_trouble_and_can_be_rewound(bench, monkeypatch, capsys, error):
    bench.tick(60)

    def failing(*_):
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(type(bench.worker.session.motion), "step", failing)
        bench.tick(12)
    assert str(error) in bench.last(SessionStatus).trouble
    assert bench.last(SessionStatus).paused
    frame = decode(bench.last(FrameReport).frame)
    assert frame.flags & Flags.TROUBLE
    assert ("RuntimeError" in capsys.readouterr().err) == isinstance(error, RuntimeError)
    bench.order(up.Pause(False))
    assert "has stopped" in bench.refused().message.text
    bench.order(up.Rewind(0.2))
    bench.order(up.Pause(False))
    bench.tick(30)
    assert bench.last(SessionStatus).trouble == ""
    assert decode(bench.last(FrameReport).frame).time == pytest.approx(0.7, abs=0.05)


def test_refusal_names_client_and_message(bench):
    bench.order(up.GoTo("gate", 1.0), client=3)
    reply = bench.refused()
    assert (reply.client, reply.message.about) == (3, "go_to")
    text = reply.message.text
    assert "door" in text


def test_machine_that_cannot_be_loaded_leaves_the_old_one(bench, tmp_path):
    bench.tick(10)
    steps = bench.worker.session.steps
    file = tmp_path / "broken.json"
    file.write_text('{"mrdf": "1", "name": "x", "links": [], "joints": 5}')
    bench.order(DriveFile("key", str(file)))
    chosen = bench.last(Chosen)
    assert chosen.key == "key"
    assert [fault.place for fault in chosen.problems] == ["joints"]
    assert bench.last(Loading) == Loading("", 1.0)
    assert bench.worker.session.machine.name == "door"
    assert bench.worker.session.steps == steps


def test_emergency_stop_stays_with_another_machine(bench):
    bench.order(up.EmergencyStop())
    bench.order(up.ChooseMachine("lhd"))
    bench.tick(2)
    assert bench.last(SceneReport).scene.machine.name == "lhd"
    assert decode(bench.last(FrameReport).frame).flags & Flags.EMERGENCY


@pytest.mark.parametrize("away", [Leave("closed"), up.Levers({}, 0.0, False, 0.0)])
def test_what_was_switched_on_is_off_however_soon_somebody_comes(bench, away):
    """The next operator's heartbeat may come within the same tick."""
    bench.tick(3)
    bench.order(up.GoTo("door", bench.worker.session.motion.state.lengths[0] - 0.01))
    assert bench.worker.session.cab.switches.targets
    bench.order(away)
    bench.order(up.Levers({}, 0.0, True, 0.0))
    assert not bench.worker.session.cab.switches.targets


def test_preparing_physics_is_no_overrun(bench):
    bench.tick(3)
    bench.order(up.SetPhysics(dynamics=True))
    bench.now = time.monotonic()
    bench.tick(6)
    assert bench.worker.session.pacer.overruns == 0


def test_empty_seat_makes_levers_dead(bench):
    bench.tick(3)
    bench.order(Leave("closed"))
    bench.worker.tell_status()
    bench.hear()
    assert bench.last(SessionStatus).presence == "closed"


@pytest.mark.parametrize(
    ("message", "formulation", "integrator"),
    [
        (up.SetPhysics(dynamics=True), "embedded", "rk4"),
        (up.SetPhysics(dynamics=True, integrator="rk6"), "embedded", "rk6"),
        (up.SetPhysics(dynamics=True, formulation="constrained"), "constrained", "rk4"),
        (up.SetPhysics(dynamics=True, formulation="simgc"), "simgc", ""),
    ],
)
def test_choices_of_physics(bench, message, formulation, integrator):
    bench.order(message)
    bench.tick(7)
    told = bench.last(SessionStatus)
    assert (told.dynamics, told.formulation, told.integrator) == (True, formulation, integrator)
    bench.order(up.SetPhysics(formulation="auto"))
    assert bench.last(SessionStatus).integrator == "rk4"
    bench.order(up.SetPhysics(gravity=1.62))
    assert bench.last(SessionStatus).gravity == 1.62


def test_overruns_are_counted_and_shown(bench):
    bench.tick(3)
    bench.now += 2.0
    bench.tick(6)
    assert decode(bench.last(FrameReport).frame).overruns > 100
    assert bench.last(SessionStatus).overruns > 100


def test_an_order_that_nobody_thought_of_is_refused_by_name(bench):
    @dataclass(frozen=True)
    class LiftOff:
        type: str = "lift_off"

    bench.order(LiftOff())
    assert bench.refused().message.about == "lift_off"
    assert "LiftOff" in bench.refused().message.text


@pytest.mark.parametrize("dynamics", [False, True])
def test_frames_come_with_the_state_to_the_last_bit(dynamics):
    bench = Bench("roadheader", dynamics)
    bench.order(up.GoTo("boom", 2.1))
    bench.tick(7)
    state, said = bench.worker.session.motion.state, bench.last(FrameReport)
    standing = Standing.unpacked(said.standing)
    assert standing.q.tobytes() == state.q.tobytes()
    assert standing.X_WB.tobytes() == state.base.tobytes()
    assert (state.lengths != decode(said.frame).lengths).any()  # where single precision matters
