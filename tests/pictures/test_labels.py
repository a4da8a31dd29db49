"""Names beside pictures: none overlaps, no leader crosses another."""

import numpy as np
import pytest

from headframe.pictures.labels import place_names, segments_cross


def scattered(seed, count, shape=(400, 800)):
    """A picture with discs in its middle half, each an owner."""
    rng = np.random.default_rng(seed)
    owner = np.full(shape, -1, dtype=np.int32)
    rows, columns = np.indices(shape)
    for who in range(count):
        x = rng.uniform(0.25, 0.75) * shape[1]
        y = rng.uniform(0.25, 0.75) * shape[0]
        owner[(columns - x) ** 2 + (rows - y) ** 2 < rng.uniform(8, 30) ** 2] = who
    sizes = np.column_stack([rng.uniform(40, 130, count), np.full(count, 14.0)])
    return owner, sizes


@pytest.mark.parametrize("seed", range(6))
def test_names_are_clear_of_parts_and_of_each_other(seed):
    owner, sizes = scattered(seed, 24)
    places = place_names(owner, list(range(24)), sizes)
    placed = [(i, place) for i, place in enumerate(places) if place]
    visible = [who for who in range(24) if (owner == who).sum() >= 40]
    assert [i for i, _ in placed] == visible
    for i, place in placed:
        x, y = place.text
        width, height = sizes[i] / 2
        box = owner[int(y - height) : int(y + height), int(x - width) : int(x + width)]
        assert box.size
        assert (box < 0).all()
        column, row = map(int, place.anchor)
        assert owner[row, column] == i
        for j, other in placed:
            if j != i:
                gap = np.abs(np.subtract(place.text, other.text)) - (sizes[i] + sizes[j]) / 2
                assert gap.max() > 0
                ends = (place.start, place.anchor, other.start, other.anchor)
                assert not segments_cross(*map(np.array, ends))


def test_what_cannot_be_seen_gets_no_name():
    owner, sizes = scattered(1, 3)
    owner[owner == 1] = -1
    places = place_names(owner, [0, 1, 2], sizes)
    assert places[1] is None
    assert places[0] is not None


def test_a_full_picture_has_no_room():
    owner = np.zeros((100, 100), dtype=np.int32)
    assert place_names(owner, [0], np.array([[50.0, 14.0]])) == [None]
    assert place_names(owner, [], np.zeros((0, 2))) == []


def test_blocked_places_stay_free():
    owner = np.full((100, 300), -1, dtype=np.int32)
    owner[40:60, 140:160] = 0
    blocked = np.zeros((100, 300), dtype=bool)
    blocked[:, :200] = True
    (place,) = place_names(owner, [0], np.array([[40.0, 14.0]]), blocked)
    assert place.text[0] - 20 >= 200


def test_more_names_than_room_leaves_some_out():
    owner = np.full((60, 120), -1, dtype=np.int32)
    owner[25:35] = (np.arange(120) // 12)[None, :]
    places = place_names(owner, list(range(10)), np.tile([60.0, 12.0], (10, 1)))
    assert any(place is None for place in places)
