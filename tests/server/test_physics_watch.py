"""A physics process that hangs is noticed, whether it ticks or loads; played by a fake one."""

import time

import pytest

from headframe.protocol import up
from headframe.server.cast import SceneChoice
from headframe.server.messages import Order, OrderReplaced
from headframe.server.physics import BUSY_PATIENCE, LONGEST_BUSY, PATIENCE, PhysicsProcess


class FakeProcess:
    exitcode, pid = None, 1

    def __init__(self):
        self.living = True

    def is_alive(self):
        return self.living

    def join(self, _seconds):
        pass

    def kill(self):
        self.living = False


@pytest.fixture
def physics():
    said = []
    physics = PhysicsProcess(SceneChoice("tunnel", "door"), False, said.append)
    physics._process, physics.said = FakeProcess(), said
    physics._heard = physics._beat = time.monotonic()
    return physics


@pytest.mark.parametrize(
    ("busy", "silent", "lifeless", "ends"),
    [
        (False, 0.9 * PATIENCE, 0.0, False),
        (False, 1.1 * PATIENCE, 0.0, True),
        (True, 1.1 * PATIENCE, 0.0, False),
        (True, 10.0, 0.9 * BUSY_PATIENCE, False),
        (True, 10.0, 1.1 * BUSY_PATIENCE, True),  # stopped while it loads
        (True, 1.1 * LONGEST_BUSY, 0.0, True),  # it lives, and loads for ever
    ],
)
def test_a_process_that_hangs_is_ended(physics, busy, silent, lifeless, ends):
    physics._busy = busy
    physics._heard -= silent
    physics._beat -= lifeless
    physics.check()
    assert bool(physics.said) == ends
    assert physics.alive != ends
    if ends:
        assert "did not answer" in physics.said[0].text


def test_a_sign_of_life_is_enough_while_it_loads(physics):
    physics._busy = True
    physics._beat -= 2 * BUSY_PATIENCE
    physics._shared.beat()
    physics.check()
    assert physics.alive


def test_nothing_is_ordered_of_a_dead_process(physics):
    assert physics.order(Order(1, 0.0, up.Step(1)))
    physics._process.kill()
    assert not physics.order(Order(1, 0.0, up.Step(1)))


def test_replaced_orders_are_reported(physics):
    physics.order(Order(1, 0.0, up.Rewind(1.0)))
    physics.order(Order(1, 0.0, up.Rewind(2.0)))
    assert physics.said == [OrderReplaced(Order(1, 0.0, up.Rewind(1.0)))]
