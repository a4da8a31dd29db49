"""What frames tell of loose bodies: those that moved, and a few others in turn."""

import numpy as np

from headframe.server.lying import IN_TURN, Lying


def at(*places):
    poses = np.tile(np.eye(4), (len(places), 1, 1))
    poses[:, 0, 3] = places
    return poses


def test_bodies_that_moved_are_told_and_the_others_in_turn():
    lying, places = Lying(), np.arange(10.0)
    assert lying.rows(at(*places))[:, 0].tolist() == list(range(10))  # nothing was known
    places[7] += 1e-3
    told = lying.rows(at(*places))
    assert told[:, 0].tolist() == [4, 5, 6, 7]
    np.testing.assert_array_equal(told[3], [7, np.float32(7.001), 0, 0, 1, 0, 0, 0])
    seen = set()
    for _ in range(-(-10 // IN_TURN)):
        seen |= set(lying.rows(at(*places))[:, 0])
    assert seen == set(range(10))


def test_what_single_precision_does_not_see_has_not_moved():
    lying, places = Lying(), np.full(20, 3.0)
    lying.rows(at(*places))
    assert len(lying.rows(at(*(places + 1e-9)))) == IN_TURN


def test_without_bodies_nothing_is_told():
    assert Lying().rows(np.zeros((0, 4, 4))).shape == (0, 8)
