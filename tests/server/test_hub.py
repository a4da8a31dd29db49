"""The hub between clients and a physics process that is only played."""

import asyncio
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from headframe.errors import ProtocolError
from headframe.protocol import up
from headframe.protocol.down import (
    Dropped,
    Loading,
    Notice,
    Pong,
    Refused,
    SceneInfo,
    SessionStatus,
)
from headframe.server.access import OPERATOR, VIEWER, Visitor
from headframe.server.cast import SceneChoice
from headframe.server.hub import MOST_CLIENTS, NO_SESSION, Hub
from headframe.server.messages import (
    Checkpoint,
    ClientReply,
    DriveFile,
    FrameReport,
    Leave,
    Order,
    OrderReplaced,
    PhysicsEnded,
    PhysicsFailed,
    SceneReport,
    StopReleased,
)
from headframe.server.settings import ServerSettings
from headframe.sim.dead_man import CLOSED, NOBODY
from headframe.sim.session import Physics
from headframe.workbench.study import Standing

AT_HOME = Standing(np.zeros(2), np.eye(4))


class FakePhysics:
    """Takes orders and says nothing by itself."""

    def __init__(self):
        self.alive, self.takes, self.pressed = True, True, 0
        self.orders, self.starts = [], []

    def press(self):
        self.pressed += 1
        self.orders.append("press")

    def order(self, order):
        if self.alive and self.takes:
            self.orders.append(order)
        return self.alive and self.takes

    def start(self, choice=None, checkpoint=None, scene=0, released=0):
        self.alive = True
        self.starts.append((choice, checkpoint, scene, released))

    @property
    def messages(self):
        return [order.message for order in self.orders if isinstance(order, Order)]


class FakeClient:
    """Remembers what it was told."""

    def __init__(self, number, role=OPERATOR, session=None):
        self.number, self.role = number, role
        self.visitor = Visitor(session or f"session {number}", role)
        self.told, self.status, self.frames = [], None, 0

    def offer(self, _frame):
        self.frames += 1

    def tell(self, message):
        self.told.append(message)

    def tell_status(self, status):
        self.status = status

    def kinds(self, kind):
        return [message for message in self.told if isinstance(message, kind)]


@pytest.fixture
def hub(tmp_path):
    hub = Hub(ServerSettings(), "build", tmp_path)
    hub.physics = FakePhysics()
    hub._handle(NO_SESSION)
    return hub


def come(hub, number, role=OPERATOR, session=None):
    client = FakeClient(number, role, session)
    hub.arrive(client)
    return client


def say(hub, client, message):
    hub.hear(client, json.dumps({**message_of(message), "type": message.type}))


def message_of(message):
    return {name: getattr(message, name) for name in message.__slots__}


LEFT = up.Levers({"boom": 1.0}, 0.0, True, 5.0)
NEUTRAL = up.Levers({}, 0.0, True, 6.0)


# ---------------------------------------------------------------- emergency stop


def test_stop_goes_past_the_orders_and_is_told_at_once(hub):
    operator, viewer = come(hub, 1), come(hub, 2, VIEWER)
    say(hub, operator, up.Step(1000))
    say(hub, viewer, up.EmergencyStop())
    assert hub.physics.pressed == 1
    assert hub.physics.orders[-2] == "press"  # before anything is put into the queue
    assert isinstance(hub.physics.messages[-1], up.EmergencyStop)
    assert operator.status.emergency
    assert viewer.status.emergency


def test_stop_is_pressed_though_the_queue_is_full(hub):
    operator = come(hub, 1)
    hub.physics.takes = False
    say(hub, operator, up.EmergencyStop())
    assert hub.physics.pressed == 1
    assert operator.status.emergency
    assert not operator.kinds(Refused)


def test_stop_is_pressed_once_until_it_is_released(hub):
    operator = come(hub, 1)
    for _ in range(3):
        say(hub, operator, up.EmergencyStop())
    assert hub.physics.pressed == 1


def test_stop_is_latched_until_physics_has_released_it(hub):
    operator = come(hub, 1)
    say(hub, operator, up.EmergencyStop())
    say(hub, operator, up.Release())
    release = hub.physics.orders[-1]
    assert (type(release.message), release.pressed) == (up.Release, 1)
    assert operator.status.emergency
    hub._handle(StopReleased(1))
    assert not operator.status.emergency
    assert not hub.emergency


def test_a_release_before_the_last_press_releases_nothing(hub):
    operator = come(hub, 1)
    say(hub, operator, up.EmergencyStop())
    hub.physics.pressed += 1
    hub._handle(StopReleased(1))
    assert operator.status.emergency


def test_release_needs_neutral_levers(hub):
    operator = come(hub, 1)
    say(hub, operator, up.EmergencyStop())
    say(hub, operator, LEFT)
    say(hub, operator, up.Release())
    assert "neutral" in operator.kinds(Refused)[-1].text
    assert not [m for m in hub.physics.messages if isinstance(m, up.Release)]
    say(hub, operator, NEUTRAL)
    say(hub, operator, up.Release())
    assert isinstance(hub.physics.messages[-1], up.Release)


@pytest.mark.parametrize("how", ["taken", "left"])
def test_levers_of_one_who_left_do_not_keep_the_next_from_releasing(hub, how):
    first = come(hub, 1)
    say(hub, first, up.EmergencyStop())
    say(hub, first, LEFT)
    if how == "left":
        hub.leave(first)
        second = come(hub, 2, session="session 1")
    else:
        second = come(hub, 2)
        say(hub, second, up.TakeSeat())
    assert [m for m in hub.physics.messages if isinstance(m, Leave)] == [
        Leave(CLOSED if how == "left" else NOBODY)
    ]
    say(hub, second, up.Release())
    assert isinstance(hub.physics.messages[-1], up.Release)


@pytest.mark.parametrize("message", [up.Restart(), up.Rewind(0.0)])
def test_revived_physics_is_told_that_the_stop_is_latched(hub, message):
    operator = come(hub, 1)
    say(hub, operator, up.EmergencyStop())
    hub._handle(StopReleased(1))
    say(hub, operator, up.EmergencyStop())
    hub.physics.alive = False
    hub._handle(PhysicsEnded("killed"))
    assert not operator.status.alive
    say(hub, operator, message)
    (*_, released) = hub.physics.starts[-1]
    assert released == 1 < hub.physics.pressed == 2
    assert hub.emergency
    hub._handle(NO_SESSION)
    assert operator.status.emergency


def test_revived_physics_is_not_stopped_without_reason(hub):
    operator = come(hub, 1)
    say(hub, operator, up.EmergencyStop())
    hub._handle(StopReleased(1))
    hub.physics.alive = False
    hub._handle(PhysicsEnded("killed"))
    say(hub, operator, up.Restart())
    assert hub.physics.starts[-1][3] == hub.physics.pressed == 1


# ------------------------------------------------------------------------ orders


def test_order_that_physics_does_not_take_is_refused(hub):
    operator = come(hub, 1)
    hub.physics.takes = False
    say(hub, operator, up.Step(5))
    assert "too many orders" in operator.kinds(Refused)[-1].text
    hub.physics.alive = False
    say(hub, operator, up.Step(5))
    assert "does not answer" in operator.kinds(Refused)[-1].text
    before = len(operator.told)
    say(hub, operator, NEUTRAL)  # twenty times a second: answered by a pong alone
    assert operator.told[before:] == [Pong(6.0)]


def test_dropped_orders_are_answered(hub):
    operator = come(hub, 1)
    hub._handle(OrderReplaced(Order(1, 0.0, up.Rewind(3.0))))
    assert operator.kinds(Dropped) == [Dropped("rewind")]
    hub._handle(OrderReplaced(Order(9, 0.0, up.Rewind(3.0))))  # who is gone


def test_dropped_machine_file_is_answered(hub):
    async def two():
        first = asyncio.create_task(hub.drive_file("a", "a.json"))
        await asyncio.sleep(0)
        hub._handle(OrderReplaced(Order(-1, 0.0, DriveFile("a", "a.json"))))
        return await first

    assert "another machine" in asyncio.run(two()).problems[0].message


@pytest.mark.parametrize("end", ["dead before", "dies", "revived"])
def test_machine_file_is_answered_when_physics_is_dead(hub, end):
    operator = come(hub, 1)

    async def drive():
        if end == "dead before":
            hub.physics.alive = False
        task = asyncio.create_task(hub.drive_file("a", "a.json"))
        await asyncio.sleep(0)
        if end != "dead before":
            hub.physics.alive = False
        if end == "dies":
            hub._handle(PhysicsEnded("killed"))
        if end == "revived":  # before its end was noticed
            say(hub, operator, up.Restart())
        return await asyncio.wait_for(task, 5.0)

    assert asyncio.run(drive()).problems


def test_physics_that_cannot_be_started_is_told(hub, capsys):
    operator = come(hub, 1)
    hub.physics.alive = False
    hub._handle(PhysicsEnded("killed"))

    def full(*_):
        raise OSError(24, "Too many open files")

    hub.physics.start = full
    say(hub, operator, up.Restart())
    assert "too many open files" in operator.status.trouble
    assert not operator.status.alive
    assert hub.health()["status"] == "physics ended"
    assert "too many open files" in capsys.readouterr().err


def test_viewers_order_nothing(hub):
    come(hub, 1)
    viewer = come(hub, 2, VIEWER)
    say(hub, viewer, up.Step(5))
    assert "only watch" in viewer.kinds(Refused)[-1].text
    assert hub.physics.orders == []


def test_the_seat_passes_with_a_notice(hub):
    first, second = come(hub, 1), come(hub, 2)
    say(hub, second, up.Step(1))
    assert "somebody else" in second.kinds(Refused)[-1].text
    say(hub, second, up.TakeSeat())
    assert first.kinds(Notice) == [Notice("seat_lost")]
    assert second.kinds(Notice) == [Notice("seat_taken")]
    assert first.status.seat == second.status.seat == 2


def test_status_is_of_the_hub_and_of_physics(hub):
    operator = come(hub, 1)
    told = SimpleNamespace(**{f: getattr(NO_SESSION, f) for f in SessionStatus.__slots__})
    told.emergency = True
    hub._handle(SessionStatus(**vars(told)))
    assert operator.status.emergency
    assert not hub.emergency


# ------------------------------------------------------------------------- slots


def test_an_operator_always_finds_a_place(hub):
    seated = come(hub, 1)
    others = [come(hub, n) for n in range(2, MOST_CLIENTS + 1)]
    for other in (seated, *others):
        other.closed = None
        other.close = lambda code, other=other: setattr(other, "closed", code)
    assert hub.has_room(OPERATOR)
    assert (seated.closed, others[0].closed, others[1].closed) == (None, 1013, None)
    assert seated.number in hub.clients
    assert others[0].number not in hub.clients


def test_viewers_wait_when_all_places_are_taken(hub):
    for n in range(MOST_CLIENTS):
        assert hub.has_room(VIEWER)
        come(hub, n + 1, VIEWER)
    assert not hub.has_room(VIEWER)
    assert hub.has_room(OPERATOR)


def test_viewers_do_without_frames_while_the_server_is_busy(hub):
    operator, viewer = come(hub, 1), come(hub, 2, VIEWER)
    for late, expected in ((0.0, 60), (1.0, 10)):
        operator.frames = viewer.frames = 0
        for _ in range(60):
            hub._late = late
            hub._handle(FrameReport(b"x", AT_HOME))
        assert operator.frames == 60
        assert viewer.frames == expected


# ------------------------------------------------------------------------ health


def test_health_tells_the_truth(hub):
    assert hub.health()["status"] == "loading"
    hub._handle(Loading("", 1.0))
    assert hub.health()["status"] == "ok"
    hub._handle(replace(NO_SESSION, trouble="the boom fell off"))
    assert hub.health()["status"] == "stopped"
    hub._handle(NO_SESSION)
    hub.physics.alive = False  # though nobody has noticed yet
    assert hub.health()["status"] == "physics ended"


def test_answers_to_one_who_left_are_dropped(hub):
    operator = come(hub, 1)
    before = list(operator.told)
    hub._handle(ClientReply(9, Refused("step", "no")))
    assert operator.told == before
    hub._handle(ClientReply(1, Refused("step", "no")))
    assert operator.told == [*before, Refused("step", "no")]


def test_a_report_that_nobody_thought_of_is_an_error_with_its_name(hub):
    class Weather:
        pass

    with pytest.raises(ProtocolError, match="Weather"):
        hub._handle(Weather())


def test_the_first_reason_of_an_end_is_told(hub, capsys):
    """Physics says why it fails, then its process ends: the second tells nothing new."""
    operator = come(hub, 1)
    hub._handle(PhysicsFailed("the file is gone"))
    hub._handle(PhysicsEnded("exit code 0"))
    assert operator.status.trouble == "the file is gone"
    assert capsys.readouterr().err.count("physics:") == 1


# ------------------------------------------------------------------------- scenes


def scene(number):
    return SceneInfo(number, None, "shape", "yard", (), "yard", {}, (), 0, True, (), (), ())


def show(hub, number):
    hub._handle(SceneReport(scene(number), {}, SceneChoice("yard", "")))


def checkpoint(name):
    q = (0.0,)
    return Checkpoint(name, Physics(), 10, q, (), 0, SceneChoice("yard", ""), (), (0,))


def test_another_machine_does_not_go_on_where_the_one_before_was(hub):
    operator = come(hub, 1)
    show(hub, 1)
    for later, expected in ((True, None), (False, "new")):
        hub._handle(checkpoint("old" if later else "new"))
        if later:
            show(hub, 2)
        hub.physics.alive = False
        hub._handle(PhysicsEnded("killed"))
        say(hub, operator, up.Rewind(0.0))
        begun = hub.physics.starts[-1][1]
        assert (begun and begun.machine) == expected


def test_how_the_machine_stands_is_told_of_the_scene_that_is_shown(hub):
    assert hub.standing is None
    show(hub, 1)
    hub._handle(FrameReport(b"", AT_HOME))
    assert hub.standing is AT_HOME
    show(hub, 2)
    assert hub.standing is None  # the frame was the last one of the scene before
