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
    Preparing,
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

AT_HOME = Standing(np.zeros(2), np.eye(4)).packed()


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


class FakeCompiling:
    """Has everything compiled but what a test says."""

    def __init__(self, *waiting):
        self.waiting, self.wanted, self.seconds = list(waiting), [], 37.0

    @property
    def part(self):
        return self.waiting[0] if self.waiting else ""

    def is_ready(self, part):
        return part not in self.waiting

    def seconds_to(self, _part):
        return self.seconds

    def want(self, part):
        self.wanted.append(part)

    def start(self):
        pass

    def stop(self):
        self.waiting.clear()


@pytest.fixture
def hub(tmp_path, monkeypatch):
    monkeypatch.setattr("headframe.server.hub.Background", lambda _report: FakeCompiling())
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


def test_a_reload_that_is_heard_of_first_has_the_seat_and_its_levers_are_dead(hub):
    page, again = come(hub, 1, session="one"), come(hub, 2, session="one")
    assert again.status.seat == 1
    hub.leave(page)
    assert again.status.seat == 2
    assert isinstance(hub.physics.orders[-1].message, Leave)


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
    return Checkpoint(name, Physics(), 10, q, (), 0, SceneChoice("yard", ""), (), (0,), np.eye(4),
                      np.zeros((0, 4, 4)))  # fmt: skip


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
    assert hub.standing.packed() == AT_HOME
    show(hub, 2)
    assert hub.standing is None  # the frame was the last one of the scene before


# --------------------------------------------------------------------- compiling


DYNAMIC = up.SetPhysics(dynamics=True)


def ready(hub, *parts):
    """Some parts are compiled now."""
    for part in parts:
        hub.compiling.waiting.remove(part)
    hub._begin()


def test_what_is_not_compiled_yet_is_told_and_then_done(hub):
    hub.compiling.waiting = ["dynamics", "reaching"]
    operator, viewer = come(hub, 1), come(hub, 2, VIEWER)
    say(hub, operator, DYNAMIC)
    assert hub.physics.messages == []
    assert operator.kinds(Preparing)[-1] == Preparing("dynamics", 35.0, ("set_physics",))
    assert viewer.kinds(Preparing) == operator.kinds(Preparing)
    assert hub.compiling.wanted == ["contact", "dynamics"]  # each before what was wanted earlier
    say(hub, operator, LEFT)  # driving goes on
    assert [type(message) for message in hub.physics.messages] == [up.Levers]
    ready(hub, "dynamics")
    assert hub.physics.messages[-1] == DYNAMIC
    assert hub.physics.orders[-1].client == 1
    hub._tell_prepared()
    assert operator.kinds(Preparing)[-1] == Preparing("reaching", 35.0, ())


def test_it_is_done_once(hub):
    hub.compiling.waiting = ["dynamics"]
    say(hub, come(hub, 1), DYNAMIC)
    ready(hub, "dynamics")
    hub._begin()
    assert hub.physics.messages == [DYNAMIC]


NEEDS = {
    "dynamics": [DYNAMIC, up.SetPhysics(dynamics=True, formulation="embedded")],
    "impulses": [up.SetPhysics(dynamics=True, formulation="simgc")],
    "comparison": [
        up.SetPhysics(dynamics=True, formulation="simmc"),
        up.SetPhysics(dynamics=True, formulation="xpbd"),
    ],
    "reaching": [up.Reach("boom", (0.0, 0.0, 0.0), None, 1)],
}


@pytest.mark.parametrize(
    ("part", "message"), [(part, message) for part, all_ in NEEDS.items() for message in all_]
)
def test_which_part_a_message_waits_for(hub, part, message):
    hub.compiling.waiting = ["bench", part]
    say(hub, come(hub, 1), message)
    assert hub.physics.messages == []
    ready(hub, part)
    assert hub.physics.messages == [message]


def test_a_formulation_that_was_chosen_before_counts(hub):
    operator = come(hub, 1)
    hub.compiling.waiting = ["comparison"]
    say(hub, operator, up.SetPhysics(formulation="xpbd"))
    assert len(hub.physics.messages) == 1  # by kinematics it makes no difference yet
    say(hub, operator, DYNAMIC)
    assert len(hub.physics.messages) == 1


def test_gravity_and_kinematics_wait_for_nothing(hub):
    hub.compiling.waiting = ["dynamics"]
    operator = come(hub, 1)
    for message in (up.SetPhysics(gravity=1.62), up.SetPhysics(dynamics=False)):
        say(hub, operator, message)
        assert hub.physics.messages[-1] == message


def test_going_back_to_kinematics_takes_back_what_waits(hub):
    hub.compiling.waiting = ["dynamics"]
    operator = come(hub, 1)
    say(hub, operator, DYNAMIC)
    say(hub, operator, up.SetPhysics(dynamics=False))
    assert operator.kinds(Dropped) == [Dropped("set_physics")]
    ready(hub, "dynamics")
    assert hub.physics.messages == [up.SetPhysics(dynamics=False)]


def test_later_wishes_are_added_to_what_waits(hub):
    hub.compiling.waiting = ["dynamics", "impulses"]
    operator = come(hub, 1)
    say(hub, operator, up.SetPhysics(dynamics=True, formulation="simgc"))
    say(hub, operator, up.SetPhysics(dynamics=True, gravity=1.62))
    assert operator.kinds(Dropped) == [Dropped("set_physics")]
    ready(hub, "dynamics")
    assert hub.physics.messages == []
    ready(hub, "impulses")
    assert hub.physics.messages == [up.SetPhysics(True, "simgc", None, 1.62)]


def test_only_who_has_the_seat_then_is_followed(hub):
    hub.compiling.waiting = ["dynamics"]
    first, second = come(hub, 1), come(hub, 2)
    say(hub, first, DYNAMIC)
    say(hub, second, up.TakeSeat())
    before = list(hub.physics.messages)
    ready(hub, "dynamics")
    assert hub.physics.messages == before
    assert first.kinds(Refused)[-1].about == "set_physics"


def test_what_a_client_waits_for_goes_with_it(hub):
    hub.compiling.waiting = ["dynamics"]
    operator = come(hub, 1)
    say(hub, operator, DYNAMIC)
    hub.leave(operator)
    ready(hub, "dynamics")
    assert DYNAMIC not in hub.physics.messages


def test_an_emergency_stop_meanwhile_counts(hub):
    """Physics sees that it was pressed after the message came, and refuses it."""
    hub.compiling.waiting = ["dynamics"]
    operator = come(hub, 1)
    say(hub, operator, DYNAMIC)
    say(hub, operator, up.EmergencyStop())
    ready(hub, "dynamics")
    (order,) = [order for order in hub.physics.orders if getattr(order, "message", 0) == DYNAMIC]
    assert (order.pressed, hub.physics.pressed) == (0, 1)


def test_who_comes_later_hears_what_is_prepared(hub):
    hub.compiling.waiting, hub.compiling.seconds = ["dynamics"], None
    come(hub, 1)
    hub._tell_prepared()
    assert come(hub, 2, VIEWER).kinds(Preparing) == [Preparing("dynamics", None, ())]
    ready(hub, "dynamics")
    assert hub.clients[2].kinds(Preparing)[-1] == Preparing("", None, ())
    assert come(hub, 3, VIEWER).kinds(Preparing) == []


def test_times_are_told_as_exactly_as_they_are_worth(hub):
    hub.compiling.waiting = ["dynamics"]
    operator = come(hub, 1)
    for seconds in (0.0, 0.4, 7.4, 38.0, 38.5, 94.0, 400.0):
        hub.compiling.seconds = seconds
        hub._tell_prepared()
    assert [told.seconds for told in operator.kinds(Preparing)] == [1.0, 7.0, 40.0, 90.0, 420.0]


def test_physics_starts_when_driving_is_compiled(tmp_path, monkeypatch):
    compiling = FakeCompiling("driving", "dynamics")
    monkeypatch.setattr("headframe.server.hub.Background", lambda _report: compiling)
    hub = Hub(ServerSettings(dynamics=True), "build", tmp_path)
    hub.physics = FakePhysics()
    hub.physics.alive = False

    async def live():
        await hub.start()
        hub._watching.cancel()

    asyncio.run(live())
    operator = come(hub, 1)
    assert hub.physics.starts == []
    assert hub.health()["status"] == "loading"
    say(hub, operator, up.Restart())
    assert operator.kinds(Refused)[-1].text == "the machine is not there yet"
    hub._tell_prepared()
    assert "about 35 s" in operator.kinds(Loading)[-1].text
    ready(hub, "driving")
    assert len(hub.physics.starts) == 1
    hub._begin()
    assert len(hub.physics.starts) == 1
    ready(hub, "dynamics")
    assert hub.physics.messages == [DYNAMIC]  # as the command line says


def test_a_study_waits_for_what_it_needs(hub):
    sent = []
    hub.studies._send = sent.append
    hub.compiling.waiting = ["reaching"]
    operator = come(hub, 1)
    number = hub.studies.begin("workspace", "door", None, {}).number
    hub._tell_prepared()
    assert operator.kinds(Preparing)[-1].waiting == ("study",)
    assert sent == []
    ready(hub, "reaching")
    assert [task.number for task in sent] == [number]
    hub._begin()
    assert len(sent) == 1


def test_a_study_that_waits_can_be_given_up_and_replaced(hub):
    sent = []
    hub.studies._send = sent.append
    hub.compiling.waiting = ["reaching"]
    first = hub.studies.begin("workspace", "door", None, {}).number
    second = hub.studies.begin("workspace", "door", None, {}).number
    assert hub.studies.statuses[first].state == "cancelled"
    ready(hub, "reaching")
    assert [task.number for task in sent] == [second]
    hub.compiling.waiting = ["reaching"]
    third = hub.studies.begin("workspace", "door", None, {}).number
    hub.studies.cancel()
    assert hub.studies.statuses[third].state == "cancelled"
    ready(hub, "reaching")
    assert len(sent) == 1
