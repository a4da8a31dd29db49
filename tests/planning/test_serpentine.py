"""Serpentines: inside the shrunk profile, rows close enough, and what is cut counted anew."""

import numpy as np
import pytest

import headframe as hf
from headframe.errors import StateError, UnknownElementError
from headframe.planning.profile import arched, area, checked_profile, contains, distance, row
from headframe.planning.serpentines import serpentine, sweep

TRAPEZIUM = [(-2.0, 0.0), (2.0, 0.0), (1.2, 3.0), (-1.2, 3.0)]
HOUSE = [(0.0, 0.0), (3.0, 0.0), (3.0, 2.0), (1.5, 3.5), (0.0, 2.0)]
PROFILES = {
    "arch": arched(4.0, 1.8, 1.4),
    "flat": arched(5.0, 3.0, 0.0),
    "half round": arched(4.4, 0.0, 2.2),
    "trapezium": TRAPEZIUM,
    "house": HOUSE,
}


@pytest.fixture(scope="module")
def roadheader():
    return hf.load("roadheader")


def clearance(profile, points, pieces=200):
    """Least distance from points to a polygon's outline, by dense samples of its sides [m]."""
    corners = np.asarray(profile, dtype=float)
    along = np.linspace(0.0, 1.0, pieces)[:, None]
    outline = np.concatenate(
        [a + along * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)]
    )
    return min(float(np.hypot(*(outline - point).T).min()) for point in points)


def inside(profile, points):
    """By the winding angle, which `contains` does not use."""
    corners = np.asarray(profile, dtype=float)
    for point in points:
        to = corners - point
        angle = np.arctan2(to[:, 1], to[:, 0])
        turn = (np.diff(np.append(angle, angle[0])) + np.pi) % (2 * np.pi) - np.pi
        if abs(turn.sum()) < np.pi:
            return False
    return True


# -------------------------------------------------------------------- profiles


def test_arch_is_walls_under_half_an_ellipse():
    profile = arched(4.0, 1.8, 1.4)
    assert area(profile) == pytest.approx(4.0 * 1.8 + 0.5 * np.pi * 2.0 * 1.4, rel=1e-3)
    assert profile[:, 1].min() == 0.0
    assert profile.max(axis=0) == pytest.approx([2.0, 3.2])
    roof = profile[profile[:, 1] > 1.8 + 1e-9]
    assert (roof[:, 0] / 2.0) ** 2 + ((roof[:, 1] - 1.8) / 1.4) ** 2 == pytest.approx(1.0)


@pytest.mark.parametrize("z", [0.3, 0.9, 1.5, 1.9])
@pytest.mark.parametrize("name", list(PROFILES))
def test_row_is_where_a_disc_fits(name, z):
    """Both ends touch the profile, and a little farther out the disc does not fit."""
    profile = checked_profile(PROFILES[name])
    pieces = row(profile, z, 0.25)
    assert len(pieces) == 1
    ends = np.array([[y, z] for y in pieces[0]])
    assert distance(profile, ends) == pytest.approx(0.25, abs=1e-9)
    assert clearance(profile, ends) == pytest.approx(0.25, abs=1e-3)
    beyond = ends + np.array([[-0.01, 0.0], [0.01, 0.0]])
    assert (distance(profile, beyond) < 0.25).all()


def test_rows_in_pieces():
    """Between the horns of a U there is no room."""
    profile = [(0, 0), (5, 0), (5, 3), (4, 3), (4, 1), (1, 1), (1, 3), (0, 3)]
    pieces = row(checked_profile(profile), 2.0, 0.3)
    assert np.array(pieces) == pytest.approx(np.array([(0.3, 0.7), (4.3, 4.7)]))
    with pytest.raises(StateError, match="falls into 2 pieces"):
        sweep(profile, 0.6, margin=0.0)


def test_corners_in_either_sense():
    there, back = checked_profile(HOUSE), checked_profile(HOUSE[::-1])
    assert area(there) == area(back) == pytest.approx(3.0 * 2.0 + 0.5 * 3.0 * 1.5)
    assert contains(there, np.array([[1.5, 3.0], [0.1, 3.0]])).tolist() == [True, False]


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([(0, 0), (1, 0)], "three corners"),
        ([(0, 0), (1, 0), (2, 0)], "no area"),
        ([(0, 0), (2, 2), (2, 0), (0, 1)], "cross"),
        ([(0, 0), (1, 0), (np.nan, 1)], "not finite"),
        ("roof", "three corners"),
    ],
)
def test_what_is_no_profile(points, message):
    with pytest.raises(StateError, match=message):
        checked_profile(points)


@pytest.mark.parametrize("numbers", [(0.0, 1.0, 1.0), (4.0, -1.0, 1.0), (4.0, 0.0, 0.0)])
def test_what_is_no_arch(numbers):
    with pytest.raises(StateError, match="expected a"):
        arched(*numbers)


# ------------------------------------------------------------------ serpentines


@pytest.mark.parametrize("contour", [True, False])
@pytest.mark.parametrize("name", list(PROFILES))
def test_every_point_is_inside_the_shrunk_profile(name, contour):
    profile = PROFILES[name]
    way = sweep(profile, 0.6, 0.25, 0.04, contour=contour)
    assert inside(profile, way.points)
    assert clearance(profile, way.points) > 0.3 + 0.04 - 1e-6


@pytest.mark.parametrize("overlap", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("name", list(PROFILES))
def test_rows_are_never_farther_apart_than_wanted(name, overlap):
    way = sweep(PROFILES[name], 0.6, overlap, 0.04)
    heights = way.rows[:, 0]
    assert np.diff(heights) == pytest.approx(way.spacing)
    assert way.spacing <= 0.6 * (1.0 - overlap) + 1e-9
    top = max(z for _, z in np.asarray(PROFILES[name]))
    assert heights[0] == pytest.approx(0.34, abs=1e-6)  # the floor is level
    assert heights[-1] <= top - 0.34 + 1e-6


def test_covered_part_by_throwing_points():
    """Monte Carlo instead of the grid; the standard error is 0.003."""
    way = sweep(PROFILES["arch"], 0.8, 0.2, 0.05)
    random = np.random.default_rng(4)
    low, high = way.profile.min(axis=0), way.profile.max(axis=0)
    thrown = low + random.random((25_000, 2)) * (high - low)
    thrown = thrown[contains(way.profile, thrown)]
    along = np.linspace(0.0, 1.0, 40)[:, None]
    pairs = zip(way.points[:-1], way.points[1:], strict=True)
    dense = np.concatenate([a + along * (b - a) for a, b in pairs])
    cut = np.zeros(len(thrown), dtype=bool)
    for place in dense:
        cut |= np.hypot(*(thrown - place).T) <= 0.4
    assert way.covered() == pytest.approx(cut.mean(), abs=0.01)


def test_going_round_takes_what_rows_leave():
    rows = sweep(PROFILES["arch"], 0.8, margin=0.0, contour=False).covered()
    both = sweep(PROFILES["arch"], 0.8, margin=0.0).covered()
    assert rows < 0.95
    assert both > 0.98


def test_via_points_are_close():
    way = sweep(PROFILES["flat"], 0.8, every=0.3)
    steps = np.linalg.norm(np.diff(way.points, axis=0), axis=1)
    assert steps.min() > 0.0
    assert steps.max() <= 0.3 + 1e-9
    assert way.length == pytest.approx(steps.sum())


def test_only_where_it_can_be_reached():
    """What lies left of a line is out of reach: rows end at it, and it is said so."""
    way = sweep(PROFILES["flat"], 0.8, margin=0.0, reachable=lambda p: p[:, 0] <= 0.5)
    assert way.points[:, 0].max() <= 0.5
    assert way.points[:, 0].max() > 0.5 - 0.021
    assert len(way.left_out) == len(way.rows)
    for piece, (height, _, left) in zip(way.left_out, way.rows, strict=True):
        assert (piece.height, piece.right) == (height, left)
        assert piece.left == pytest.approx(2.1)


def test_rows_out_of_reach_are_left_out_whole():
    way = sweep(PROFILES["flat"], 0.8, margin=0.0, reachable=lambda p: p[:, 1] <= 1.5)
    assert way.rows[-1, 0] <= 1.5
    assert {round(piece.right, 6) for piece in way.left_out} == {-2.1}
    assert all(piece.height > 1.5 for piece in way.left_out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"diameter": 5.0}, "does not fit"),
        ({"diameter": 0.0}, "diameter: found 0"),
        ({"diameter": 0.8, "overlap": 1.0}, "overlap: found 1"),
        ({"diameter": 0.8, "margin": -0.1}, "margin: found -0.1"),
        ({"diameter": 0.8, "every": np.nan}, "every: found nan"),
        ({"diameter": 1e-5}, "rows"),
        ({"diameter": 0.8, "reachable": lambda p: p[:, 0] > 9.0}, "reaches no row"),
    ],
)
def test_what_cannot_be_cut(options, message):
    with pytest.raises(StateError, match=message):
        sweep(PROFILES["arch"], **options)


# --------------------------------------------------------------------- machine


def test_roadheader_cuts_where_it_reaches(roadheader):
    """Via points are reached; what is left out is not, seen from other starts."""
    way = hf.serpentine(roadheader, None, hf.arched(5.5, 1.85, 2.75), depth=5.6, diameter=1.0)
    points = way.positions(5.6)
    assert points[:, 0] == pytest.approx(5.6)
    mask = (0, 0, 0, 1, 1, 1)
    target = roadheader.home.pose("cutter_head")
    for point in points[:: len(points) // 12]:
        target[:3, 3] = point
        assert roadheader.ik("cutter_head", target, mask=mask).reachable
    assert len(way.left_out) > 4
    low = way.left_out[0]
    target[:3, 3] = 5.6, 0.5 * (low.right + low.left), low.height
    assert not roadheader.ik("cutter_head", target, mask=mask).reachable
    assert 0.6 < way.covered() < 0.9


def test_planned_serpentine_stays_inside(roadheader):
    """The smooth curve of the plan, too, by the poses that its lengths give."""
    way = serpentine(roadheader.kinematics, "cutter_head", PROFILES["arch"], 5.6, 1.0)
    motion = hf.trajectory(roadheader, "cutter_head", way.positions(5.6))
    passed = motion.poses[:, 1:3, 3]
    assert contains(way.profile, passed).all()
    assert distance(way.profile, passed).min() > 0.5
    assert motion.position_errors.max() < 1e-6


def test_other_axes():
    """With y up, the left is against z."""
    way = sweep(PROFILES["arch"], 1.0)
    there, upright = way.positions(5.0, 0.1, 0.2, (0, 1, 0)), way.positions(5.0, 0.1, 0.2)
    np.testing.assert_allclose(there[:, [0, 2, 1]] * [1, -1, 1], upright)


def test_unknown_link(roadheader):
    with pytest.raises(UnknownElementError):
        serpentine(roadheader.kinematics, "cutter_had", PROFILES["arch"], 5.6, 1.0)
