"""Orders that wait for physics: few, in their order, none that a later one replaces."""

import threading

import pytest

from headframe.protocol import up
from headframe.server.messages import DriveFile, Leave, Order
from headframe.server.order_queue import MOST, MOST_OF_ONE, MOST_URGENT, UNDERWAY, OrderQueue


def order(message, client=1):
    return Order(client, 0.0, message)


def levers(value=0.0, present=True, age=0.0):
    return up.Levers({"boom": value} if value else {}, age, present, 0.0)


def waiting(orders):
    found = [o.message for o in orders._waiting]
    return found


def test_orders_come_in_their_order_and_not_too_many_at_once():
    orders = OrderQueue()
    for n in range(UNDERWAY + 2):
        assert orders.put(order(up.Step(n + 1))) == []
    assert [orders.get().message.count for _ in range(UNDERWAY)] == list(range(1, UNDERWAY + 1))
    got = []
    thread = threading.Thread(target=lambda: got.append(orders.get()), daemon=True)
    thread.start()
    thread.join(0.05)
    assert not got  # the process has not followed any yet
    orders.followed()
    thread.join(5.0)
    assert got[0].message.count == UNDERWAY + 1


def test_a_client_has_room_for_so_many():
    orders = OrderQueue()
    for _ in range(MOST_OF_ONE):
        assert orders.put(order(up.Step(1))) is not None
    assert orders.put(order(up.Step(1))) is None
    assert orders.put(order(up.Step(1), client=2)) is not None


@pytest.mark.parametrize(
    "message", [levers(), up.EmergencyStop(), up.Release(), up.Pause(True), Leave("closed")]
)
def test_there_is_always_room_for_what_is_safe(message):
    orders = OrderQueue()
    for n in range(MOST):
        orders.put(order(up.Step(1), client=n))
    assert orders.put(order(up.Step(1), client=-2)) is None
    assert orders.put(order(message)) is not None


def test_levers_replace_levers():
    orders = OrderQueue()
    orders.put(order(levers(0.5)))
    assert orders.put(order(levers(0.7))) == [order(levers(0.5))]
    assert waiting(orders) == [levers(0.7)]
    assert orders.put(order(levers(0.2), client=2)) == []  # another hand


@pytest.mark.parametrize("dead", [levers(present=False), levers(age=1.5)])
def test_levers_that_are_dead_are_heard(dead):
    orders = OrderQueue()
    orders.put(order(dead))
    assert orders.put(order(levers())) == []
    assert waiting(orders) == [dead, levers()]


def test_levers_do_not_pass_another_order():
    orders = OrderQueue()
    for message in (levers(), up.Pause(False), levers(0.5)):
        assert orders.put(order(message)) == []
    assert waiting(orders) == [levers(), up.Pause(False), levers(0.5)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (up.Rewind(1.0), up.Rewind(2.0)),
        (up.TimeScale(0.5), up.TimeScale(2.0)),
        (up.Reach("a", (0.0, 0.0, 0.0)), up.Reach("a", (0.0, 0.0, 1.0))),
    ],
)
def test_only_the_last_of_some_matters(first, second):
    orders = OrderQueue()
    orders.put(order(first))
    assert orders.put(order(second)) == [order(first)]
    assert waiting(orders) == [second]


def test_the_last_machine_is_loaded():
    orders = OrderQueue()
    orders.put(order(up.ChooseMachine("lhd")))
    orders.put(order(up.Step(1)))
    assert orders.put(order(DriveFile("k", "p"), client=-1)) == [order(up.ChooseMachine("lhd"))]
    assert orders.put(order(up.ChooseScene("yard"))) == [order(DriveFile("k", "p"), client=-1)]
    assert waiting(orders) == [up.Step(1), up.ChooseScene("yard")]


def test_steps_are_not_replaced():
    orders = OrderQueue()
    orders.put(order(up.Step(1)))
    assert orders.put(order(up.Step(1))) == []


def test_after_the_end_nothing_is_taken():
    orders = OrderQueue()
    orders.put(order(up.Step(1)))
    orders.end()
    assert orders.get() is None
    assert orders.put(order(levers())) is None


@pytest.mark.parametrize("message", [up.Pause(True), up.Release(), Leave("gone")])
def test_the_same_urgent_order_waits_once(message):
    orders = OrderQueue()
    for _ in range(5000):
        assert orders.put(order(message)) is not None
    assert len(waiting(orders)) == 1


def test_urgent_orders_in_turn_are_bounded():
    orders, refused = OrderQueue(), 0
    for n in range(5000):
        for message in (up.Pause(n % 2 == 0), up.Release()):
            refused += orders.put(order(message)) is None
    assert len(waiting(orders)) <= MOST_URGENT
    assert refused > 0
    assert orders.put(order(Leave("gone"))) is not None
