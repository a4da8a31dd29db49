"""Who has the operator's seat."""

from headframe.server.seat import KEPT, Seat, Sitter


def test_first_operator_sits_and_others_watch():
    seat = Seat()
    assert seat.client == -1
    assert seat.arrive(Sitter(1, "a"), 0.0)
    assert not seat.arrive(Sitter(2, "b"), 1.0)
    assert not seat.arrive(Sitter(3, "a"), 1.0)  # a second tab of the same browser
    assert seat.client == 1


def test_taking_it_tells_who_had_it():
    seat = Seat()
    assert seat.take(Sitter(2, "b")) == -1
    assert seat.take(Sitter(1, "a")) == 2
    assert seat.client == 1


def test_reload_keeps_it():
    seat = Seat()
    seat.arrive(Sitter(1, "a"), 0.0)
    assert seat.leave(1, 10.0)
    assert seat.client == -1
    assert not seat.arrive(Sitter(2, "b"), 10.0 + KEPT - 0.1)
    assert seat.arrive(Sitter(3, "a"), 10.0 + KEPT - 0.1)
    assert seat.client == 3


def test_empty_seat_is_free_after_a_while():
    seat = Seat()
    seat.arrive(Sitter(1, "a"), 0.0)
    seat.leave(1, 10.0)
    assert seat.arrive(Sitter(2, "b"), 10.0 + KEPT + 0.1)


def test_watcher_who_leaves_changes_nothing():
    seat = Seat()
    seat.arrive(Sitter(1, "a"), 0.0)
    assert not seat.leave(2, 1.0)
    assert seat.client == 1
    seat.leave(1, 2.0)
    assert not seat.leave(1, 3.0)


def test_a_seat_that_is_taken_while_it_is_empty_is_taken():
    """Its client has gone, and is waited for; who takes the seat sits in it at once."""
    seat = Seat()
    seat.arrive(Sitter(1, "a"), 0.0)
    assert seat.leave(1, 1.0)
    assert seat.take(Sitter(2, "b")) == -1
    assert seat.client == 2
    assert not seat.arrive(Sitter(3, "a"), 1.5)


def test_reload_that_is_heard_of_before_the_old_page_has_gone_keeps_it():
    seat = Seat()
    seat.arrive(Sitter(1, "a"), 0.0)
    assert not seat.arrive(Sitter(2, "a"), 10.0)
    assert seat.leave(1, 10.2)
    assert seat.client == 2


def test_a_second_tab_does_not_follow_long_after():
    seat = Seat()
    seat.arrive(Sitter(1, "a"), 0.0)
    assert not seat.arrive(Sitter(2, "a"), 10.0)
    assert seat.leave(1, 10.1 + KEPT)
    assert seat.client == -1


def test_nobody_follows_who_has_gone_or_is_somebody_else():
    seat = Seat()
    seat.arrive(Sitter(1, "a"), 0.0)
    assert not seat.arrive(Sitter(2, "a"), 1.0)
    assert not seat.leave(2, 1.5)
    assert not seat.arrive(Sitter(3, "b"), 1.6)
    assert seat.leave(1, 2.0)
    assert seat.client == -1


def test_nobody_follows_who_was_there_when_another_took_the_seat():
    seat = Seat()
    seat.arrive(Sitter(1, "a"), 0.0)
    assert not seat.arrive(Sitter(2, "a"), 1.0)
    seat.take(Sitter(3, "b"))
    assert seat.leave(3, 1.5)
    assert seat.client == -1
