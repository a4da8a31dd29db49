"""What of a profile can be cut: against forward kinematics, and against closed forms."""

import numpy as np
import pytest
from arms import gantry
from scipy.spatial import cKDTree

import headframe as hf
from headframe.errors import StateError
from headframe.workbench.head import head_of, with_point
from headframe.workbench.section import (
    cut_section,
    inside_polygon,
    signed_distance,
    zero_lines,
)

SQUARE = np.array([[-1.0, -1.0], [3.0, -1.0], [3.0, 3.0], [-1.0, 3.0]])


@pytest.fixture(scope="module")
def roadheader():
    return hf.load("roadheader")


def plane_at(x, z=0.0):
    X = np.eye(4)
    X[:3, 3] = x, 0.0, z
    return X


def middles(section):
    rows, columns = np.indices(section.reach.shape)
    return section.corner + section.cell * np.stack([columns, rows], axis=-1)


def slice_of(machine, point, x):
    """Places of the plane where forward kinematics brings the point: the telescope is bisected."""
    kinematics = machine.kinematics
    low, high = np.stack(kinematics.usable)
    names = machine.robot.group_names
    slew, boom, telescope = (names.index(name) for name in ("slew", "boom", "telescope"))
    axis = np.linspace(0.0, 1.0, 141)
    grid = np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2)
    first = [members[0] for members in machine.robot.groups]
    rows = np.tile(machine.home.lengths[first], (len(grid), 1))
    rows[:, slew] = low[slew] + grid[:, 0] * (high - low)[slew]
    rows[:, boom] = low[boom] + grid[:, 1] * (high - low)[boom]

    def place(telescoped):
        rows[:, telescope] = telescoped
        poses = machine.fk_batch(rows, ("cutter_head",)).poses[:, 0]
        return poses[:, :3, :3] @ point + poses[:, :3, 3]

    short, long = (np.full(len(grid), end[telescope]) for end in (low, high))
    good = (place(short)[:, 0] <= x) & (place(long)[:, 0] >= x)
    for _ in range(40):
        middle = 0.5 * (short + long)
        ahead = place(middle)[:, 0] > x
        short, long = np.where(ahead, short, middle), np.where(ahead, middle, long)
    return place(0.5 * (short + long))[good][:, 1:]


@pytest.mark.parametrize("x", [5.2, 5.6, 6.0])
def test_roadheader_reaches_what_forward_kinematics_finds(roadheader, x):
    head = head_of(roadheader, "cutter_head")
    profile = hf.arched(5.5, 2.0, 2.75)
    section = cut_section(
        roadheader, roadheader.home, "cutter_head", profile, plane_at(x), head.radius, head.point,
        cell=0.1,
    )  # fmt: skip
    found = slice_of(roadheader, head.point, x)
    away = cKDTree(found).query(middles(section).reshape(-1, 2))[0].reshape(section.reach.shape)
    assert section.reach.sum() > 100
    assert away[section.reach].max() < 0.06  # spacing of what forward kinematics finds
    edge = signed_distance(section.reach) * section.cell
    free = inside_polygon(found, profile)
    column, row = np.round((found[free] - section.corner) / section.cell).astype(int).T
    assert edge[row, column].min() > -0.2  # whatever it finds lies in the region, or a cell beside
    covered = (section.inside * (away <= head.radius)).sum() / section.inside.sum()
    assert section.fraction == pytest.approx(covered, abs=0.02)


def test_reach_of_a_gantry_is_a_rectangle_and_the_head_adds_its_radius():
    machine = gantry((0, 1, 2), (1.0, 2.0, 1.0))
    place = machine.home.pose("s3")[:3, 3]
    low = [place[k] - (machine.home.lengths[k] - 1.0) for k in range(3)]
    around = SQUARE + low[1:]
    section = cut_section(
        machine, machine.home, "s3", around, plane_at(low[0] + 0.5), 0.3, cell=0.04
    )
    assert section.area == pytest.approx(16.0)
    assert section.reach.sum() * 0.04**2 == pytest.approx(2.0, rel=0.05)
    grown = 2.0 + 0.3 * 6.0 + np.pi * 0.3**2
    around_it = 6.0 + 2.0 * np.pi * 0.3
    half_a_cell = 0.5 * 0.04 * around_it
    assert section.fraction * 16.0 == pytest.approx(grown, abs=half_a_cell)
    ends = section.border
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum()
    assert length == pytest.approx(around_it, rel=0.05)
    beyond = cut_section(machine, machine.home, "s3", around, plane_at(low[0] - 0.1), 0.3, cell=0.1)
    assert (beyond.fraction, len(beyond.border)) == (0.0, 0)


def test_without_overbreak_the_head_stays_inside():
    machine = gantry((0, 1, 2), (1.0, 2.0, 1.0))
    place = machine.home.pose("s3")[:3, 3]
    low = [place[k] - (machine.home.lengths[k] - 1.0) for k in range(3)]
    room = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]]) + low[1:]
    whole, careful = (
        cut_section(
            machine, machine.home, "s3", room, plane_at(low[0] + 0.5), 0.3, cell=0.02,
            overbreak=overbreak,
        )
        for overbreak in (True, False)
    )  # fmt: skip
    assert whole.fraction == pytest.approx(1.0)
    corners = (4.0 - np.pi) * 0.3**2  # what a round head leaves in four corners
    half_a_cell = 0.5 * 0.02 * 6.0
    assert careful.fraction * 2.0 == pytest.approx(2.0 - corners, abs=half_a_cell)


def test_without_overbreak_the_heads_middle_is_nowhere_outside():
    """The machine reaches far around a small profile, and the grid has a rim around it."""
    machine = gantry((0, 1, 2), (1.0, 2.0, 1.0))
    place = machine.home.pose("s3")[:3, 3]
    low = [place[k] - (machine.home.lengths[k] - 1.0) for k in range(3)]
    room = np.array([[0.8, 0.4], [1.2, 0.4], [1.2, 0.6], [0.8, 0.6]]) + low[1:]
    section = cut_section(
        machine, machine.home, "s3", room, plane_at(low[0] + 0.5), 0.05, cell=0.02, overbreak=False
    )
    assert section.reach.any()
    assert not section.reach[section.inside < 1.0].any()
    assert not section.cut[section.inside == 0.0].any()


def test_plane_may_stand_askew():
    machine = gantry((0, 1, 2), (1.0, 1.0, 1.0))
    place = machine.home.pose("s3")[:3, 3]
    low = np.array([place[k] - (machine.home.lengths[k] - 1.0) for k in range(3)])
    X = np.eye(4)
    across = np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
    X[:3, :3] = np.stack([np.cross(across, [0.0, 0.0, 1.0]), across, [0.0, 0.0, 1.0]], axis=1)
    X[:3, 3] = low
    section = cut_section(machine, machine.home, "s3", SQUARE, X, 0.0, cell=0.05)
    half_a_cell = 0.5 * 0.05 * (2.0 + 2.0 * np.sqrt(2.0))
    assert section.fraction * 16.0 == pytest.approx(np.sqrt(2.0), abs=half_a_cell)


def test_head_is_what_the_motor_turns(roadheader):
    head = head_of(roadheader, "cutter_head")
    assert head.radius == pytest.approx(0.656, abs=0.001)
    np.testing.assert_allclose(head.point, [0.1066, 0.0, 0.0], atol=1e-4)
    assert head_of(roadheader, "boom") is None


def test_link_at_a_point_is_where_the_point_is(roadheader):
    point = np.array([0.4, -0.2, 0.1])
    extended, name = with_point(roadheader, "cutter_head", point)
    lengths = {"slew": 1.4, "boom": 1.7, "telescope": 2.2}
    X = roadheader.fk(lengths).pose("cutter_head")
    np.testing.assert_allclose(
        extended.fk(lengths).pose(name)[:3, 3], X[:3, :3] @ point + X[:3, 3], atol=1e-9
    )
    assert name not in roadheader.robot.link_index


@pytest.mark.parametrize(
    ("outline", "options", "match"),
    [
        ([[0, 0], [1, 0]], {}, "three corners"),
        ([[0, 0], [1, 0], [2, 0]], {}, "no area"),
        ([[0, 0], [1, 0], [np.nan, 1]], {}, "finite"),
        (SQUARE, {"cell": 0.0}, "cell"),
        (SQUARE, {"cell": 0.001}, "cells, expected no more"),
        (SQUARE, {"radius": -1.0}, "radius"),
    ],
)
def test_what_is_no_section_is_refused(roadheader, outline, options, match):
    options = {"radius": 0.5, **options}
    with pytest.raises(StateError, match=match):
        cut_section(roadheader, roadheader.home, "cutter_head", outline, plane_at(5.0), **options)


def test_lines_at_zero():
    rows, columns = np.indices((41, 41))
    lines = zero_lines(15.0 - np.hypot(rows - 20.0, columns - 20.0))
    sizes = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1)
    assert sizes.sum() == pytest.approx(2.0 * np.pi * 15.0, rel=0.01)
    np.testing.assert_allclose(np.hypot(*(lines.reshape(-1, 2) - 20.0).T), 15.0, atol=0.03)
