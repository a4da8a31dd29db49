"""The states to go back to."""

from dataclasses import dataclass

import numpy as np

from headframe.sim.ring import ARRAY, OBJECT, Moment, Ring, size_of


def filled(count, most_steps=10**9, most_bytes=10**9, size=10):
    ring = Ring(most_steps, most_bytes)
    for step in range(0, 10 * count, 10):
        ring.add(Moment(step, f"at {step}", size))
    return ring


def test_last_moment_at_or_before():
    ring = filled(5)
    assert [ring.before(step).steps for step in (0, 9, 10, 15, 40, 1000)] == [0, 0, 10, 10, 40, 40]
    assert ring.before(-1) is None
    assert Ring(1).before(0) is None
    assert Ring(1).oldest is None


def test_oldest_go_when_it_gets_too_large():
    ring = filled(100, most_bytes=250)
    assert len(ring) == 25
    assert ring.size == 250
    assert ring.forgotten
    assert ring.oldest == 750


def test_oldest_go_when_they_are_too_old():
    """One at or before the limit stays, so that the whole span can be reached."""
    ring = filled(100, most_steps=105)
    assert ring.oldest == 880
    assert ring.before(990 - 105).steps == 880
    assert ring.forgotten


def test_going_on_from_the_middle_forgets_the_other_path():
    ring = filled(10)
    ring.add(Moment(45, "other", 10))
    assert [ring.before(step).steps for step in (44, 45, 1000)] == [40, 45, 45]
    assert ring.size == 60
    assert not ring.forgotten


def test_same_moment_replaces():
    ring = filled(3)
    ring.add(Moment(20, "again", 30))
    assert ring.before(20).state == "again"
    assert ring.size == 50


def test_one_state_is_kept_whatever_its_size():
    ring = filled(3, most_bytes=1)
    assert len(ring) == 1


def test_clearing_begins_anew():
    ring = filled(100, most_bytes=250)
    ring.clear()
    assert (len(ring), ring.size, ring.forgotten) == (0, 0, False)


def test_size_counts_arrays_in_dataclasses():
    @dataclass
    class Inner:
        numbers: np.ndarray

    @dataclass
    class Outer:
        inner: Inner
        more: np.ndarray
        shared: dict

    outer = Outer(Inner(np.zeros(10)), np.zeros((3, 4)), {"x": np.zeros(1000)})
    assert size_of(outer) == 2 * OBJECT + 2 * ARRAY + 8 * 22
