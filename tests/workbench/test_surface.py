"""The boundary of what is reached: closed forms, every sample inside, and the right end."""

import numpy as np
import pytest
from arms import gantry, stretching_arm
from tests.servo_machines import picker

import headframe as hf
from headframe.planning.workspaces import workspace
from headframe.workbench.image import NO_END, Image, box_faces
from headframe.workbench.surface import alpha_shape, surface_of


def reached(machine, link, point=(0.0, 0.0, 0.0), samples=4000):
    cloud = workspace(machine.kinematics, link, samples, start=machine.home, point=point)
    image = Image(machine.kinematics, cloud, lambda: None)
    return image, surface_of(image)


def winding(points, surface):
    """How often the surface goes round each point: its solid angles added up."""
    corners = surface.vertices[surface.triangles]
    found = []
    for point in points:
        a, b, c = (corners - point).transpose(1, 0, 2)
        sizes = [np.linalg.norm(side, axis=1) for side in (a, b, c)]
        above = np.einsum("ij,ij->i", a, np.cross(b, c))
        below = np.prod(sizes, axis=0) + sum(
            np.einsum("ij,ij->i", one, two) * size
            for one, two, size in ((a, b, sizes[2]), (b, c, sizes[0]), (c, a, sizes[1]))
        )
        found.append(np.arctan2(above, below).sum() / (2.0 * np.pi))
    return np.array(found)


def distance(points, surface):
    """From each point to the nearest triangle: dense samples of the triangles."""
    from scipy.spatial import cKDTree

    corners = surface.vertices[surface.triangles]
    weights = np.array([(i, j, 8 - i - j) for i in range(9) for j in range(9 - i)]) / 8.0
    dense = np.einsum("wk,tkx->wtx", weights, corners).reshape(-1, 3)
    return cKDTree(dense).query(points)[0]


def is_closed(surface):
    """Every side of a triangle belongs to another one too, the other way round."""
    places = np.round(surface.vertices, 9)
    _, same = np.unique(places, axis=0, return_inverse=True)
    corners = same.ravel()[surface.triangles]
    sides = np.vstack([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    there = {(a, b) for a, b in sides.tolist()}
    return there == {(b, a) for a, b in there}


@pytest.mark.parametrize(("name", "link"), [("roadheader", "cutter_head"), ("jumbo", "rock_drill")])
def test_three_groups_have_the_faces_of_their_box(name, link):
    image, surface = reached(hf.load(name), link)
    cloud = image.cloud
    assert surface.method == "faces"
    assert is_closed(surface)
    assert surface.measure == pytest.approx(cloud.size, rel=2e-3)
    inner = cloud.points[cloud.margins > 0.01][:150]
    np.testing.assert_allclose(np.abs(winding(inner, surface)), 1.0, atol=0.1)
    on_it = cloud.points[cloud.margins == 0.0]
    assert distance(on_it, surface).max() < 0.02


def test_each_face_is_coloured_by_the_cylinder_that_ends_it():
    machine = hf.load("roadheader")
    image, surface = reached(machine, "cutter_head")
    cloud = image.cloud
    targets = np.tile(machine.home.pose("cutter_head"), (6, 1, 1))
    middles = [np.flatnonzero(surface.ends == end)[840] for end in range(6)]
    targets[:, :3, 3] = surface.vertices[middles]
    found = machine.ik_batch("cutter_head", targets, mask=[0, 0, 0, 1, 1, 1])
    assert found.objective.max() < 1e-6
    for end, lengths in enumerate(found.lengths):
        group, upper = divmod(end, 2)
        first = machine.robot.groups[machine.robot.group_names.index(cloud.inputs[group])][0]
        assert lengths[first] == pytest.approx(cloud.ends[upper, group], abs=1e-6)


def test_gantry_of_three_slides_is_a_box():
    _, surface = reached(gantry((0, 1, 2), (1.0, 2.0, 0.5)), "s3")
    assert surface.method == "faces"
    assert surface.measure == pytest.approx(1.0, rel=1e-9)
    for end in range(6):
        face = surface.vertices[surface.ends == end]
        assert np.ptp(face[:, end // 2]) == pytest.approx(0.0, abs=1e-9)


def test_a_fourth_slide_makes_the_box_longer():
    image, surface = reached(gantry((0, 1, 2, 0), (1.0, 2.0, 0.5, 0.25)), "s4")
    assert (image.dimension, len(image.moving)) == (3, 4)
    assert surface.method == "hull"
    assert surface.measure == pytest.approx(1.25, rel=0.02)
    assert is_closed(surface)
    inside = np.abs(winding(image.cloud.points[:100], surface)) > 0.5
    assert (inside | (distance(image.cloud.points[:100], surface) < 0.03)).all()
    low, high = surface.vertices.min(axis=0), surface.vertices.max(axis=0)
    middle = np.abs(surface.vertices - (low + high) / 2) < 0.4 * (high - low)
    for axis in range(3):  # along x the longer of both slides counts, which is the first
        others = np.delete(middle, axis, axis=1).all(axis=1)
        for upper, side in enumerate((low, high)):
            on_it = np.isclose(surface.vertices[:, axis], side[axis]) & others
            assert set(surface.ends[on_it]) == {2 * axis + upper}


def test_where_the_arm_is_stretched_no_end_limits_it():
    image, surface = reached(stretching_arm(), "arm", (1.0, 0.0, 0.0), 8000)
    assert image.folded
    assert surface.method == "hull"
    x = np.linspace(np.cos(0.5), 1.0, 20001)
    area = np.trapezoid(1.0 + 2.0 * np.sqrt(np.maximum(0.0, 1.0 - x**2)), x)
    assert surface.measure == pytest.approx(0.7 * area, rel=0.05)
    middle = np.abs(surface.vertices[:, 1:] - surface.vertices[:, 1:].mean(axis=0)).max(axis=1)
    far_out = (surface.vertices[:, 0] > 0.995) & (middle < 0.2)
    assert (surface.ends[far_out] == NO_END).mean() > 0.9


def test_two_groups_have_a_sheet_with_four_edges():
    image, surface = reached(hf.load("jumbo"), "feed_holder")
    assert (surface.method, image.dimension) == ("sheet", 2)
    assert surface.measure == pytest.approx(image.cloud.size, rel=1e-3)
    assert distance(image.cloud.points[:300], surface).max() < 0.03
    assert len(surface.lines) == 4 * 64
    assert [set(surface.ends[surface.lines[64 * k : 64 * k + 64]].ravel()) for k in range(4)] == [
        {0}, {1}, {2}, {3},
    ]  # fmt: skip


def test_one_group_has_a_curve():
    image, surface = reached(hf.load("shearer"), "cutter_hub_left")
    assert surface.method == "curve"
    assert surface.measure == pytest.approx(image.cloud.size, rel=1e-5)


def test_groups_that_do_not_move_the_point_do_not_limit_it():
    image, surface = reached(hf.load("jumbo"), "boom")
    assert image.cloud.inputs == ("swing", "lift")
    assert image.moving == (0,)
    assert surface.method == "curve"
    assert set(image.nearest_ends(image.cloud_strokes)) == {0, 1}


def test_two_groups_on_one_curve():
    _, surface = reached(hf.load("sshs"), "canopy")
    assert surface.method == "line"
    steps = np.diff(surface.vertices[surface.lines], axis=1)
    assert np.linalg.norm(steps, axis=2).max() < 0.05


def test_many_groups_in_a_plane_have_an_outline():
    _, surface = reached(gantry((0, 2, 0), (1.0, 2.0, 0.5)), "s3")
    assert surface.method == "outline"
    assert surface.measure == pytest.approx(3.0, rel=0.02)
    ends = surface.vertices[surface.lines]
    assert np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1).sum() == pytest.approx(7.0, rel=0.02)


def test_a_point_that_stays_has_no_boundary():
    image, surface = reached(hf.load("shearer"), "cowl")
    assert (image.dimension, surface.method, surface.measure) == (0, "", None)
    assert set(image.nearest_ends(image.cloud_strokes)) == {NO_END}


def test_alpha_shape_fills_a_hollow_and_keeps_a_bay():
    rng = np.random.default_rng(4)
    points = rng.uniform(-1.0, 1.0, (20_000, 2))
    ring = points[np.linalg.norm(points, axis=1) > 0.5]
    triangles, _ = alpha_shape(ring)
    sides = ring[triangles[:, 1:]] - ring[triangles[:, :1]]
    area = np.abs(np.linalg.det(sides)).sum() / 2.0
    assert area == pytest.approx(4.0, rel=0.04)
    outward = (np.abs(points[:, 1]) < 0.5) & (points[:, 0] > 0.0)
    bay = points[(np.linalg.norm(points, axis=1) > 0.5) & ~outward]
    triangles, border = alpha_shape(bay)
    sides = bay[triangles[:, 1:]] - bay[triangles[:, :1]]
    area = np.abs(np.linalg.det(sides)).sum() / 2.0
    assert area == pytest.approx(4.0 - np.pi / 8.0 - 1.0, rel=0.05)
    a, b = bay[border].transpose(1, 0, 2)
    assert np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]) / 2.0 == pytest.approx(area, rel=1e-9)


def test_faces_of_a_cube():
    assert len(box_faces(3, 2, 2)) == 24
    edges = box_faces(3, 1, 5)
    assert len(edges) == 12 * 5
    assert (np.isin(edges, (0.0, 1.0)).sum(axis=1) >= 2).all()


def test_a_turret_without_ends_has_a_seam_and_no_boundary():
    """Closed form: a sphere's zone, whose height is that of the arm between its ends."""
    machine = picker()
    cloud = hf.workspace(machine, "forearm", samples=500)
    image = Image(machine.kinematics, cloud, lambda: None)
    surface = surface_of(image)
    assert surface.method == "sheet"
    assert set(np.unique(surface.ends)) == {2, 3}  # the shoulder's
    heights = [machine.fk({"shoulder": angle}).pose("forearm")[2, 3] for angle in (0.3, 1.9)]
    lower = [machine.fk({"shoulder": -1.2}).pose("forearm")[2, 3], heights[1]]
    zones = sum(2 * np.pi * 0.4 * (heights[0] - low) for low in lower)  # the pole is at 0.3 rad
    assert surface.measure == pytest.approx(zones, rel=1e-2)
    assert not np.isin(cloud.limits, [0]).any()
