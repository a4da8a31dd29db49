"""Whether hulls touch, against what is known of boxes, balls and rings."""

import numpy as np
import pytest

from headframe.contact.overlap import convex_parts, hulls_touch, near_each_other, widest_gap
from headframe.description import CollisionShape
from headframe.spatial import matrix_from_rpy

RNG = np.random.default_rng(3)
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2


def moved(points, *by):
    return points + np.array([*by, 0.0, 0.0][:3])


@pytest.mark.parametrize("apart", [-0.1, 0.0, 0.0009, 0.0011, 0.5])
def test_boxes_face_to_face_and_edge_to_edge(apart):
    turned = CORNERS @ matrix_from_rpy((0.0, 0.0, np.pi / 4)).T
    assert hulls_touch(CORNERS, moved(CORNERS, 1 + apart, 0.3, 0.2)) == (apart < 1e-3)
    # an edge along z of the one and an edge along y of the other, both at 45 degrees
    other = CORNERS @ matrix_from_rpy((0.0, np.pi / 4, 0.0)).T
    reach = np.sqrt(0.5) * 2 + apart
    assert hulls_touch(turned, moved(other, reach)) == (apart < 1e-3)
    gap = widest_gap(turned, moved(other, reach))
    assert gap == pytest.approx(max(apart, 0.0), abs=1e-9)


def test_random_clouds_against_their_nearest_points():
    """By Gilbert's own iteration, which closes in on the shortest way from outside."""
    told = set()
    for _ in range(40):
        a = RNG.normal(size=(12, 3)) * 0.3
        b = RNG.normal(size=(12, 3)) * 0.3 + RNG.uniform(0.0, 1.0, size=3)
        way = shortest(a, b)
        if not 2e-3 < way < 6e-3:  # it comes near to 0 slowly
            assert hulls_touch(a, b) == (way < 4e-3)
            told.add(bool(way < 4e-3))
    assert told == {True, False}


def shortest(a, b):
    """Distance of two hulls by Frank and Wolfe's steps with an exact search along each."""
    v = a.mean(axis=0) - b.mean(axis=0)
    for _ in range(3000):
        w = a[np.argmin(a @ v)] - b[np.argmax(b @ v)]
        step = v - w
        if v @ step < 1e-6:
            break
        v = v - min(1.0, (v @ step) / (step @ step)) * step
    return np.linalg.norm(v)


def test_a_link_of_a_chain_goes_through_another():
    link = {"type": "chain_link", "R": 0.5, "r": 0.1, "length": 1.0}
    one = convex_parts(CollisionShape.make(geometry=link))
    turned = {"orientation": (np.pi / 2, 0.0, 0.0)}
    hangs = CollisionShape.make(geometry=link, translation=(1.7, 0.0, 0.0), **turned)
    assert not near_each_other(one, convex_parts(hangs))
    rests = CollisionShape.make(geometry=link, translation=(1.85, 0.0, 0.0), **turned)
    assert near_each_other(one, convex_parts(rests))
    assert not near_each_other(one, [])
