"""Pairs of shapes that may touch."""

import itertools

import numpy as np
import pytest

from contact_scenes import HULLS, pose, random_pose, random_shape, shape, touching
from headframe.contact.far import bounds, sorting, sweep
from headframe.contact.kernels import BOUNDS, ShapeKind, near_pairs, pair_name
from headframe.jit import as_argument, new_records
from plain_python import run_as_python

K = ShapeKind
ALL = [kind for kind in K if kind not in (K.MESH, K.TRIANGLE)]


def pairs_of(shapes, poses, excluded=(), margin=0.01, room=None, kernel=near_pairs):
    """Pairs as a list."""
    count = len(shapes)
    room = count * count if room is None else room
    out = np.zeros((room, 2), np.int64)
    many = max(room, count)
    boxes = new_records(count, BOUNDS)
    if kernel is near_pairs:
        boxes = as_argument(boxes)
    found = kernel(
        shapes, poses, HULLS, np.array(sorted(excluded), np.int64), margin,
        boxes, np.zeros(many), np.zeros(many, np.int64), out,
    )  # fmt: skip
    return found if found < 0 else [tuple(pair) for pair in out[:found].tolist()]


def heap(seed, count=40, spread=2.0):
    """Shapes of all kinds, every other one of its own body; some stand still."""
    random = np.random.default_rng(seed)
    shapes = np.concatenate([random_shape(random.choice(ALL), random) for _ in range(count)])
    shapes["body"] = np.arange(count) // 2 - 3
    shapes["body"][shapes["body"] < 0] = -1
    return shapes, np.array([random_pose(random, spread) for _ in range(count)])


@pytest.mark.parametrize("seed", range(5))
def test_no_pair_is_missed_and_they_come_in_order(seed):
    shapes, poses = heap(seed)
    found = pairs_of(shapes, poses)
    assert found == sorted(set(found))
    for i, j in itertools.combinations(range(len(shapes)), 2):
        body = shapes["body"][[i, j]]
        touches = len(touching(shapes[i : i + 1], poses[i], shapes[j : j + 1], poses[j]))
        if body[0] == body[1]:
            assert (i, j) not in found
        elif touches:
            assert (i, j) in found
    assert len(found) < 0.8 * len(shapes) ** 2 / 2


def test_bodies_that_do_not_collide_are_left_out():
    shapes, poses = heap(7)
    found = pairs_of(shapes, poses)
    i, j = found[len(found) // 2]
    bodies = tuple(shapes["body"][[i, j]].tolist())
    fewer = pairs_of(shapes, poses, [pair_name(*bodies), pair_name(100, 101)])
    gone = set(found) - set(fewer)
    assert (i, j) in gone
    assert all(sorted(shapes["body"][list(pair)]) == sorted(bodies) for pair in gone)


def test_the_order_of_pairs_does_not_depend_on_the_axis():
    shapes, poses = heap(8)
    X = pose((0, 0, 0), (0, 0, np.pi / 2))
    turned = np.array([np.column_stack([X[:, :3] @ Y[:, :3], X[:, :3] @ Y[:, 3]]) for Y in poses])
    assert pairs_of(shapes, poses) == pairs_of(shapes, turned)


def test_too_little_room_is_told():
    shapes, poses = heap(9)
    assert pairs_of(shapes, poses, room=2) == -1


def test_nothing_and_one_shape():
    one = shape(K.SPHERE, 1.0)
    assert pairs_of(one, np.array([pose()])) == []
    assert pairs_of(one[:0], np.zeros((0, 3, 4))) == []


def test_as_plain_python_it_gives_the_same(monkeypatch):
    shapes, poses = heap(10, 12)
    compiled = pairs_of(shapes, poses)
    run_as_python(monkeypatch, bounds, sorting, sweep)
    assert pairs_of(shapes.view(np.recarray), poses, kernel=sweep.near_pairs) == compiled
