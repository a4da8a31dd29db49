"""Shapes that are made of what is seen: few, convex, and about the pieces."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from headframe.contact.hulls import MOST_HULLS, Piece, few_points, grouped, shapes_around
from headframe.description import CollisionShape, Sphere

RNG = np.random.default_rng(16)


def box(at=(0.0, 0.0, 0.0), edges=(1.0, 1.0, 1.0)):
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
    return (corners - 0.5) * edges + at


def ball(count, radius=1.0):
    points = RNG.normal(size=(count, 3))
    return radius * points / np.linalg.norm(points, axis=1, keepdims=True)


def test_few_points_keep_most_of_a_ball():
    points = ball(2000)
    few = few_points(points)
    assert len(few) == 40
    # of a sphere 40 points in triangles keep about 1 - 2 pi/(sqrt(3) n) of the height at most
    full, kept = ConvexHull(points).volume, ConvexHull(few).volume
    assert 0.7 * full < kept <= full
    outside = few @ ConvexHull(points).equations[:, :3].T + ConvexHull(points).equations[:, 3]
    assert outside.max() < 1e-9


def test_corners_are_kept_where_there_are_many_points_beside():
    corners = box()
    around = np.concatenate(
        [corners, corners + 1e-12 * RNG.normal(size=(8, 3)), 0.99 * ball(200, 0.4)]
    )
    few = few_points(np.concatenate([around, box(edges=(0.999,) * 3)]))
    assert ConvexHull(few).volume == pytest.approx(1.0, abs=1e-6)
    assert len(few_points(corners)) == 8


def test_flat_starts_are_no_trouble():
    """A disc with a single point above it: the first points taken may all lie in the disc."""
    angle = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    disc = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    few = few_points(np.concatenate([disc, [[0.0, 0.0, 1e-3]]]))
    assert few[:, 2].max() == 1e-3
    assert len(few) <= 40


def test_pieces_that_fill_a_box_are_one_and_those_far_apart_are_not():
    row = [box((x, 0, 0)) for x in range(4)]
    assert grouped([*row, box((20, 0, 0)), box((20, 5, 0))]) == [[0, 1, 2, 3], [4], [5]]
    assert grouped([]) == []


def test_small_pieces_join_what_holds_them():
    bolts = [box(at, (0.05, 0.05, 0.05)) for at in ball(30, 0.4)]
    assert grouped([box(), *bolts]) == [list(range(31))]


def test_there_are_never_many():
    clouds = [box(at) for at in 50 * RNG.normal(size=(60, 3))]
    groups = grouped(clouds)
    assert len(groups) == MOST_HULLS
    assert sorted(i for group in groups for i in group) == list(range(60))


def test_a_piece_that_stays_alone_keeps_its_shape():
    shape = CollisionShape.make(geometry=Sphere(type="sphere", r=1.0))
    found = shapes_around([Piece(ball(200), shape), Piece(box((9, 0, 0)))])
    assert found[0] is shape
    assert found[1].geometry.type == "hull"
    np.testing.assert_allclose(
        np.sort(found[1].geometry.points, axis=0), np.sort(box((9, 0, 0)), axis=0)
    )


@pytest.mark.parametrize("count", [4, 2])
def test_plates_and_lines_are_given_a_thickness(count):
    (shape,) = shapes_around([Piece(box()[:count])])
    points = np.array(shape.geometry.points)
    sides = np.sort(np.ptp(points, axis=0))
    np.testing.assert_allclose(sides[-1], 1.002, atol=1e-9)
    np.testing.assert_allclose(sides[0], 0.002, atol=1e-9)
