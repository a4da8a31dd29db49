"""Trajectories: through every via point, within every limit, from rest to rest."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine
from headframe.kinematics.batch import ik_batch
from headframe.planning import trajectories
from headframe.planning.curve import make_curve
from headframe.planning.timing import fastest
from headframe.planning.trajectories import UnreachableError, trajectory
from headframe.planning.via_file import ViaFileError, read_via_file
from headframe.spatial import pose, pose_error

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "serpentine.json"
HEAD = "cutter_head"


@pytest.fixture(scope="module")
def roadheader():
    return hf.load("roadheader")


@pytest.fixture(scope="module")
def serpentine(roadheader):
    file = read_via_file(EXAMPLE)
    return trajectory(roadheader.kinematics, file.link, file.points)


def slide(**fields):
    """One slide with a cylinder along it, of 1 to 3 m."""
    cylinder = actuator("ram", ("base", (-1, 0, 0)), ("slide", (0, 0, 0)), (1.0, 3.0), **fields)
    return machine([joint("rail", "base", "slide", "prismatic", axis=[1, 0, 0])], [cylinder])


def check_limits(one, motion):
    """Every cylinder, partners included: speed and acceleration, also between the rows."""
    assert (np.abs(motion.speeds) <= motion.limits * (1 + 1e-9)).all()
    dt = np.diff(motion.times)[:, None]
    assert (np.abs(np.diff(motion.lengths, axis=0) / dt) <= motion.limits * (1 + 1e-6)).all()
    hardest = np.array([actuator.acceleration or np.inf for actuator in one.actuators])
    # limits of acceleration hold at the samples of the curve; between them nearly
    assert (np.abs(np.diff(motion.speeds, axis=0) / dt) <= 1.05 * hardest).all()


def check_rest(motion):
    assert motion.times[0] == 0.0
    assert np.abs(motion.speeds[[0, -1]]).max() == 0.0


def check_smooth(motion):
    """Lengths are the integral of speeds: no jumps. The rest is that of the trapezium rule."""
    dt = np.diff(motion.times)[:, None]
    mean = 0.5 * (motion.speeds[1:] + motion.speeds[:-1])
    assert np.abs(np.diff(motion.lengths, axis=0) - mean * dt).max() < 5e-5


# ---------------------------------------------------------------- the example


def test_serpentine_passes_its_via_points(serpentine):
    file = read_via_file(EXAMPLE)
    assert len(serpentine.via_rows) == len(file.points) == 29
    passed = serpentine.poses[serpentine.via_rows, :3, 3]
    assert np.abs(passed - np.array(file.points)).max() < 1e-6
    assert serpentine.reachable.all()
    assert serpentine.position_errors.max() < 1e-6


def test_serpentine_keeps_all_limits(roadheader, serpentine):
    check_limits(roadheader, serpentine)
    check_rest(serpentine)
    check_smooth(serpentine)


def test_serpentine_is_as_fast_as_a_cylinder_allows(serpentine):
    """Nearly all the time a cylinder is at its limit of speed, or speeds up or slows down."""
    share = np.abs(serpentine.speeds) / serpentine.limits
    assert share.max() > 0.999
    assert (share.max(axis=1) > 0.98).mean() > 0.7


def test_poses_are_those_of_the_lengths(roadheader, serpentine):
    for row in range(0, len(serpentine), 250):
        state = roadheader.fk(serpentine.lengths[row])
        assert np.allclose(state.pose(HEAD), serpentine.poses[row], atol=1e-9)


def test_rows_are_evenly_spaced_but_for_the_via_points(serpentine):
    dt = np.diff(serpentine.times)
    assert (dt > 0.0).all()
    assert dt.max() <= 2 * 0.02
    assert np.median(dt) == pytest.approx(0.02, rel=0.01)


def test_the_curve_has_no_corners(serpentine):
    """Directions of neighbouring rows differ by the curvature only."""
    steps = np.diff(serpentine.poses[:, :3, 3], axis=0)
    steps = steps[np.linalg.norm(steps, axis=1) > 1e-4]
    steps /= np.linalg.norm(steps, axis=1, keepdims=True)
    assert (np.sum(steps[1:] * steps[:-1], axis=1) > 0.99).all()


# --------------------------------------------------------------------- timing


@pytest.mark.parametrize(
    ("distance", "seconds"),
    [(1.0, 1.0 / 0.1 + 0.1 / 0.2), (0.02, 2 * np.sqrt(0.02 / 0.2))],
    ids=["up to full speed", "never at full speed"],
)
def test_one_cylinder_takes_the_time_of_a_trapezium(distance, seconds):
    one = slide(speed=0.1, acceleration=0.2)
    motion = trajectory(one.kinematics, "slide", [(0.5, 0, 0), (0.5 + distance, 0, 0)])
    assert motion.duration == pytest.approx(seconds, rel=0.01)
    assert motion.assumed == ()
    check_limits(one, motion)
    check_rest(motion)


def test_unknown_limits_are_assumed_and_said_so():
    one = slide()
    motion = trajectory(one.kinematics, "slide", [(0.5, 0, 0), (1.5, 0, 0)])
    assert motion.assumed == ("ram",)
    assert motion.limits == pytest.approx([0.1])
    assert motion.duration == pytest.approx(1.0 / 0.1 + 0.5, rel=0.01)


def test_the_speed_of_the_link_can_be_limited(roadheader, serpentine):
    points = read_via_file(EXAMPLE).points[:6]
    motion = trajectory(roadheader.kinematics, HEAD, points, link_speed=0.1)
    way = np.linalg.norm(np.diff(motion.poses[:, :3, 3], axis=0), axis=1)
    assert (way / np.diff(motion.times)).max() < 0.1 * (1 + 1e-6)
    check_limits(roadheader, motion)


def test_fastest_on_a_way_with_a_slow_piece():
    """A piece in which the length changes twice as fast is passed at half the rate."""
    u = np.linspace(0.0, 2.0, 401)
    slope = 1.0 + 0.5 * (1 + np.tanh((u - 1.0) / 0.05))
    second = 0.5 / 0.05 / np.cosh((u - 1.0) / 0.05) ** 2
    timing = fastest(
        u, slope[:, None], second[:, None], np.array([0.1]), np.array([1.0]), np.full(401, np.inf)
    )
    assert timing.rate[0] == timing.rate[-1] == 0.0
    assert timing.rate[100] == pytest.approx(0.1, rel=1e-3)
    assert timing.rate[300] == pytest.approx(0.05, rel=1e-3)
    u_at, rate = timing.at(timing.t)
    assert np.allclose(u_at, u)
    assert np.allclose(rate, timing.rate)


# ----------------------------------------------------------------- via points


def test_poses_are_reached_with_their_orientation(roadheader):
    lengths = [(1.4, 1.6, 2.0), (1.6, 1.8, 2.2), (1.75, 1.9, 2.4)]
    poses = [
        roadheader.fk(dict(zip(("slew", "boom", "telescope"), row, strict=True))).pose(HEAD)
        for row in lengths
    ]
    motion = trajectory(roadheader.kinematics, HEAD, poses)
    assert not motion.free
    for row, X in zip(motion.via_rows, poses, strict=True):
        assert np.abs(pose_error(motion.poses[row], X)).max() < 1e-6
    # three freedoms cannot follow a curve of six: near, and it says how near
    assert 0.0 < motion.position_errors.max() < 0.01
    assert 0.0 < motion.angle_errors.max() < 0.05
    check_limits(roadheader, motion)
    check_smooth(motion)


@pytest.mark.parametrize(
    ("name", "via"),
    [
        ("door", [{"pull": 1.3}, {"pull": 1.9}]),
        ("lhd", [{"lift": 1.8, "slide": 1.2}, {"lift": 2.2, "slide": 1.4}, {"lift": 1.7}]),
        ("sshs", [{"front_legs": 2.2, "rear_legs": 2.3}, {"front_legs": 2.6, "rear_legs": 2.7}]),
        ("jumbo", [{"swing": 1.1}, {"lift": 1.9, "feed": 3.0}]),
    ],
)
def test_lengths_as_via_points(name, via):
    one = hf.load(name)
    motion = trajectory(one.kinematics, one.robot.end_effector, via)
    for row, lengths in zip(motion.via_rows, via, strict=True):
        assert np.allclose(motion.lengths[row], one.fk(lengths).lengths, atol=1e-5)
    check_limits(one, motion)
    check_rest(motion)
    check_smooth(motion)


def test_a_start_comes_before_the_via_points(roadheader):
    motion = trajectory(roadheader.kinematics, HEAD, [(5.5, 1.0, 1.5)], start=roadheader.home)
    assert np.allclose(motion.lengths[0], roadheader.home.lengths, atol=1e-9)
    assert motion.via_rows.tolist() == [len(motion) - 1]
    assert np.allclose(motion.poses[-1, :3, 3], (5.5, 1.0, 1.5), atol=1e-6)
    check_limits(roadheader, motion)


def test_a_machine_elsewhere(roadheader):
    base = np.eye(4)
    base[:3, 3] = 3.0, 1.0, -0.5
    start = roadheader.home.moved(base)
    motion = trajectory(roadheader.kinematics, HEAD, [(8.5, 2.0, 1.0)], start=start)
    assert np.allclose(motion.poses[-1, :3, 3], (8.5, 2.0, 1.0), atol=1e-6)


def test_a_machine_elsewhere_that_does_not_begin_where_it_stands(roadheader):
    """The same lengths as of one at the origin; what does not move the link stays as it stands."""
    base = pose((3.0, 60.0, 1.0), (0.0, 0.0, 2.0))
    via = np.array([(5.6, -0.3, 1.8), (5.62, 0.0, 2.0), (5.6, 0.3, 1.8)])
    moved = via @ base[:3, :3].T + base[:3, 3]
    jacks = roadheader.fk({"stabiliser_left_jack": 1.0})
    here = trajectory(roadheader.kinematics, HEAD, via, standing=jacks)
    there = trajectory(roadheader.kinematics, HEAD, moved, standing=jacks.moved(base))
    np.testing.assert_allclose(there.lengths, here.lengths, atol=1e-9)
    np.testing.assert_allclose(there.poses[-1, :3, 3], moved[-1], atol=1e-7)
    names = [a.name for a in roadheader.actuators]
    assert here.lengths[0, names.index("stabiliser_left_jack")] == pytest.approx(1.0)


def test_out_of_reach_is_an_error_that_says_by_how_much(roadheader):
    points = [(5.5, 0.0, 1.5), (7.0, 0.0, 1.5), (5.5, 0.0, 2.5)]
    with pytest.raises(UnreachableError, match=r"via\[1\]: cannot be reached: .* m away") as caught:
        trajectory(roadheader.kinematics, HEAD, points)
    assert caught.value.via == 1
    target = np.eye(4)
    target[:3, 3] = points[1]
    alone = roadheader.ik(HEAD, target, mask=(0, 0, 0, 1, 1, 1))
    assert caught.value.position_error == pytest.approx(alone.position_error, rel=1e-3)


def test_millimetres_are_recognised_before_the_work_begins(roadheader):
    """Metres would be a curve of 200 000 samples; not one of them is solved."""
    points = [(5400.0, -1000.0, 1600.0), (5600.0, 0.0, 2200.0), (5.5, 0.0, 1.5)]
    told = []
    with pytest.raises(UnreachableError, match="positions are in metres") as caught:
        trajectory(roadheader.kinematics, HEAD, points, progress=lambda *done: told.append(done))
    assert told == []
    first, second, hint = str(caught.value).splitlines()
    assert first.startswith("via[0]: cannot be reached: the closest is 5714 m away")
    assert second.strip().startswith("via[1]: cannot be reached: the closest is 6010 m away")
    assert "millimetres" in hint
    assert (caught.value.via, caught.value.angle_error) == (1, 0.0)
    assert caught.value.position_error == pytest.approx(np.linalg.norm(points[1]), rel=0.01)


def test_a_near_miss_is_no_matter_of_units(roadheader):
    with pytest.raises(UnreachableError) as caught:
        trajectory(roadheader.kinematics, HEAD, [(5.5, 0.0, 1.5), (6.5, 0.0, 2.0)])
    assert "metres" not in str(caught.value)


def test_nothing_beyond_the_end_counts_as_reached():
    """Out over the end of the stroke at x = 2 and back: samples are far apart, rows are not."""
    via = [(1.0, 0, 0), (2.55, 0, 0), (0.5, 0, 0)]
    motion = trajectory(slide().kinematics, "slide", via, closest=True, step=0.2)
    x = motion.targets[:, 0, 3]
    assert not motion.reachable[x > 2.0 + 1e-5].any()
    assert motion.reachable[x < 1.7].all()


def test_a_limit_of_the_link_that_is_never_met_changes_nothing(roadheader):
    points = [(5.5, 0.0, 1.5), (5.55, 0.4, 1.9), (5.5, 0.0, 2.3)]
    plain = trajectory(roadheader.kinematics, HEAD, points, step=0.1)
    wide = trajectory(roadheader.kinematics, HEAD, points, step=0.1, link_speed=50.0)
    np.testing.assert_allclose(wide.times, plain.times, rtol=1e-12)
    assert (np.abs(wide.speeds) <= wide.limits * (1 + 1e-9)).all()


def test_a_machine_that_stands_elsewhere_begins_there(roadheader):
    X_WB = pose((3.0, -2.0, 0.5), (0.0, 0.1, 1.0))
    standing = roadheader.home.moved(X_WB)
    points = [tuple(X_WB[:3, :3] @ p + X_WB[:3, 3]) for p in ((5.5, 0, 1.5), (5.5, 0.3, 1.8))]
    motion = trajectory(roadheader.kinematics, HEAD, points, standing=standing)
    np.testing.assert_array_equal(motion.state.base, X_WB)
    np.testing.assert_allclose(motion.state.pose(HEAD), motion.poses[0], atol=1e-12)
    np.testing.assert_allclose(motion.poses[0, :3, 3], points[0], atol=1e-6)


def test_a_start_at_the_first_via_point_is_no_point_of_its_own(roadheader):
    """Where orientations are free, the place alone says whether it stands there already."""
    home = roadheader.home
    points = [home.pose(HEAD)[:3, 3], (5.55, 0.4, 1.9)]
    plain = trajectory(roadheader.kinematics, HEAD, points)
    again = trajectory(roadheader.kinematics, HEAD, points, start=home)
    assert again.via_rows.tolist() == plain.via_rows.tolist()
    np.testing.assert_allclose(again.times, plain.times, rtol=1e-6)


@pytest.mark.parametrize("interval", [0.02, 0.031, 0.043, 0.057, 0.1])
def test_no_row_is_close_to_that_of_a_via_point(roadheader, interval):
    points = [(5.5, 0.1 * k, 1.5 + 0.07 * k * k) for k in range(5)]
    motion = trajectory(roadheader.kinematics, HEAD, points, interval=interval)
    gaps = np.diff(motion.times)
    assert gaps.min() > 0.099 * interval
    assert gaps.max() < 1.201 * interval


def test_out_of_reach_is_passed_closest_if_asked_for(roadheader):
    points = [(5.5, 0.0, 1.5), (7.0, 0.6, 1.5), (5.5, 0.0, 2.5)]
    motion = trajectory(roadheader.kinematics, HEAD, points, closest=True)
    assert not motion.reachable.all()
    assert motion.reachable[[0, -1]].all()
    assert 0.5 < motion.position_errors.max() < 1.5
    assert (np.abs(motion.speeds) <= motion.limits * (1 + 1e-9)).all()
    low, high = (
        np.array([getattr(a.bounds, end) for a in roadheader.actuators])
        for end in ("lower", "upper")
    )
    assert (motion.lengths >= low - 1e-9).all()
    assert (motion.lengths <= high + 1e-9).all()
    stopped = motion.lengths[:, 4] > roadheader.actuators[4].bounds.upper - 1e-9
    assert stopped.sum() > 20
    assert np.abs(motion.speeds[stopped, 4])[1:-1].max() < 1e-9  # it stands still at its end
    check_rest(motion)
    check_smooth(motion)


@pytest.mark.parametrize(
    ("via", "match"),
    [
        ([], "via points: found 0"),
        ([(5.5, 0, 1)], "via points: found 1"),
        ([(5.5, 0, 1), (5.5, 0, 1)], r"via\[1\]: found the same place as via\[0\]"),
        ([(5.5, 0, 1), (5.5, 0)], r"via\[1\]: found shape \(2,\)"),
        ([(5.5, 0, 1), (5.5, 0, np.nan)], r"via\[1\]: found .*expected three finite"),
        ([(5.5, 0, 1), "there"], r"via\[1\]: found 'there'"),
        ([(5.5, 0, 1), np.eye(4)], r"via\[0\]: found a position alone, but via\[1\]"),
        ([np.eye(4), np.ones((4, 4))], r"via\[1\]: pose: found a 3 x 3 part that is no rotation"),
        ([(5.5, 0, 1), {"bom": 1.5}], r"via\[1\]: no actuator .*did you mean 'boom'"),
        ([(5.5, 0, 1), {"boom": 9.0}], r"via\[1\]: 'boom_left': found 9 m"),
    ],
)
def test_bad_via_points(roadheader, via, match):
    with pytest.raises(hf.HeadframeError, match=match):
        trajectory(roadheader.kinematics, HEAD, via)


def test_all_bad_via_points_are_told_at_once(roadheader):
    """The error is of the first one's kind."""
    via = [(5.5, 0, 1), {"bom": 1.5}, (5.5, 0), np.eye(4), {"boom": 9.0}]
    with pytest.raises(hf.UnknownElementError) as caught:
        trajectory(roadheader.kinematics, HEAD, via)
    lines = [line.strip() for line in str(caught.value).splitlines()]
    assert [line[:7] for line in lines] == ["via[1]:", "via[2]:", "via[4]:", "via[0]:"]
    assert "did you mean 'boom'" in lines[0]
    assert "'boom_left': found 9 m, expected 1.4867 to 2.2365 m" in lines[2]
    with pytest.raises(hf.StateError, match=r"via\[19\].*\n  \.\.\. and 5 more$"):
        trajectory(roadheader.kinematics, HEAD, ["nowhere"] * 25)


@pytest.mark.parametrize("name", ["step", "interval", "link_speed"])
@pytest.mark.parametrize("value", [0.0, -1.0, np.nan, np.inf])
def test_bad_steps(roadheader, name, value):
    with pytest.raises(hf.StateError, match=f"{name}: found"):
        trajectory(roadheader.kinematics, HEAD, [(5.5, 0, 1), (5.5, 0, 2)], **{name: value})


def test_too_many_steps(roadheader):
    with pytest.raises(hf.StateError, match="no more than"):
        trajectory(roadheader.kinematics, HEAD, [(5.5, 0, 1), (5.5, 0, 2)], step=1e-8)


def test_too_many_rows(roadheader):
    with pytest.raises(hf.StateError, match="no more than 2000000 rows"):
        trajectory(roadheader.kinematics, HEAD, [(5.5, 0, 1), (5.5, 0, 2)], interval=1e-9)


def test_unknown_link(roadheader):
    with pytest.raises(hf.UnknownElementError, match="did you mean 'cutter_head'"):
        trajectory(roadheader.kinematics, "cuter_head", [(5.5, 0, 1), (5.5, 0, 2)])


def test_a_link_that_no_cylinder_moves(roadheader):
    with pytest.raises(hf.StateError, match=r"'main_body': no cylinder moves it.*'turret'"):
        trajectory(roadheader.kinematics, "main_body", [{"boom": 1.6}, {"boom": 1.8}])


# ---------------------------------------------------------------------- files


def test_csv_has_units_and_every_row(serpentine, tmp_path):
    path = serpentine.save(tmp_path / "cut.csv")
    with path.open(newline="") as file:
        head, *rows = csv.reader(file)
    assert head[:3] == ["time [s]", "slew_left [m]", "slew_left [m/s]"]
    assert head[-7:] == [
        f"{HEAD} {name}" for name in ("x [m]", "y [m]", "z [m]", "qw", "qx", "qy", "qz")
    ]
    numbers = np.array(rows, dtype=float)
    assert numbers.shape == (len(serpentine), 1 + 2 * 9 + 7)
    assert np.allclose(numbers[:, 0], serpentine.times)
    assert np.allclose(numbers[:, head.index("boom_right [m]")], serpentine.lengths[:, 3])
    assert np.allclose(numbers[:, head.index("boom_right [m/s]")], serpentine.speeds[:, 3])
    assert np.allclose(numbers[:, -7:-4], serpentine.poses[:, :3, 3])


def test_json_has_lists_by_name(serpentine, tmp_path):
    content = json.loads(serpentine.save(tmp_path / "cut.json").read_text())
    assert content["link"] == HEAD
    assert np.allclose(content["lengths"]["telescope"], serpentine.lengths[:, 4])
    assert len(content["times"]) == len(content["quats"]) == len(serpentine)
    assert content["via_rows"] == serpentine.via_rows.tolist()


def test_picture(serpentine, tmp_path):
    path = serpentine.plot(tmp_path / "cut.png")
    assert path.read_bytes().startswith(b"\x89PNG")


def test_picture_of_a_machine_without_shapes_and_off_the_curve(tmp_path):
    one = slide()
    motion = trajectory(
        one.kinematics, "slide", [(0.5, 0, 0), (1, 0.3, 0), (1.5, 0, 0)], closest=True
    )
    assert motion.plot(tmp_path / "slide.png").exists()


@pytest.mark.parametrize("name", ["cut.txt", "cut", "no/folder.csv"])
def test_a_file_that_cannot_be_written(serpentine, tmp_path, name):
    with pytest.raises(hf.ExportError):
        serpentine.save(tmp_path / name)
    with pytest.raises(hf.ExportError):
        serpentine.plot(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------ via files


def test_every_way_to_give_a_via_point(tmp_path):
    path = tmp_path / "via.json"
    path.write_text(
        """{"via": [  // with comments, and trailing commas
            {"position": [1, 2, 3]},
            {"position": [1, 2, 3], "rpy": [0, 0, 1.5707963267948966]},
            {"position": [1, 2, 3], "rpy_deg": [0, 0, 90]},
            {"position": [1, 2, 3], "quat": [0.70710678, 0, 0, 0.70710678]},
            {"lengths": {"boom": 1.5}},
        ]}"""
    )
    file = read_via_file(path)
    assert file.link is None
    assert np.allclose(file.points[0], (1, 2, 3))
    quarter = np.array([[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
    for point in file.points[1:4]:
        assert np.allclose(point, quarter, atol=1e-7)
    assert file.points[4] == {"boom": 1.5}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ("[1, 2]", "found [1, 2], expected an object with link or via"),
        ('{"link": "a"}', "'via' is missing"),
        ('{"via": []}', "via (line 1): found [], expected a list of via points"),
        ('{"link": 3, "via": [{"position": [1, 2, 3]}]}', "link (line 1): found 3"),
        ('{"vias": [], "via": [{"position": [1, 2, 3]}]}', "vias (line 1): unknown field"),
        ('{"via": [7]}', "via[0] (line 1): found 7, expected an object"),
        ('{"via": [{}]}', "via[0] (line 1): found neither 'position' nor 'lengths'"),
        ('{"via": [{"position": [1, 2]}]}', "found [1, 2], expected three numbers [m]"),
        ('{"via": [{"position": [1, NaN, 2]}]}', "via[0].position (line 1): found [1, NaN, 2]"),
        ('{"via": [{"position": [1, 1e999, 2]}]}', "via[0].position (line 1): found [1, Inf"),
        ('{"via": [{"position": [1, true, 2]}]}', "found [1, true, 2], expected three numbers"),
        ('{"via": [{"position": "here"}]}', "found 'here', expected three numbers [m]"),
        ('{"via": [{"posision": [1, 2, 3]}]}', "did you mean 'position'?"),
        (
            '{"via": [{"position": [1, 2, 3], "rpy": [1]}]}',
            "found [1], expected three numbers [rad]",
        ),
        ('{"via": [{"position": [1, 2, 3], "quat": [1, 1, 0, 0]}]}', "norm is 1.414"),
        ('{"via": [{"position": [1, 2, 3], "quat": [0, 0, 0, 0]}]}', "norm is 0"),
        (
            '{"via": [{"position": [1, 2, 3], "quat": [1, 0, 0, 0], "rpy": [0, 0, 0]}]}',
            "found 'rpy' and 'quat', expected one orientation",
        ),
        (
            '{"via": [{"position": [1, 2, 3], "lengths": {"boom": 1}}]}',
            "expected 'lengths' alone",
        ),
        ('{"via": [{"lengths": {"boom": null}}]}', "via[0].lengths.boom (line 1): found null"),
        ('{"via": [{"lengths": {}}]}', "via[0].lengths (line 1): found an empty object"),
        ('{"via": [{"lengths": {"boom": 1, "boom": 2}}]}', "'boom' is given more than once"),
    ],
)
def test_problems_of_a_via_file_have_their_place(tmp_path, text, words):
    path = tmp_path / "via.json"
    path.write_text(text)
    with pytest.raises(ViaFileError) as caught:
        read_via_file(path)
    assert words in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_all_problems_of_a_via_file_are_listed(tmp_path):
    path = tmp_path / "via.json"
    path.write_text('{"via": [\n{"position": [1]},\n{"position": [1, 2, 3], "rpy": 4},\n5]}')
    with pytest.raises(ViaFileError) as caught:
        read_via_file(path)
    assert [problem.line for problem in caught.value.problems] == [2, 3, 4]


def test_one_problem_of_a_via_file_does_not_hide_another(tmp_path):
    """Neither a key that stands there twice, nor a field that must not be there or is missing."""
    path = tmp_path / "via.json"
    path.write_text(
        """{"link": 7, "via": [
        {"position": [1, 2, 3], "position": [1, 2]},
        {"lengths": {"boom": "long", "slew": null}, "rpy": [1]},
        {"quat": [1, 1, 0, 0]}]}"""
    )
    with pytest.raises(ViaFileError) as caught:
        read_via_file(path)
    found = {(problem.place, problem.line) for problem in caught.value.problems}
    assert found == {
        ("link", 1),
        ("via[0].position", 2),
        ("via[1]", 3),
        ("via[1].rpy", 3),
        ("via[1].lengths.boom", 3),
        ("via[1].lengths.slew", 3),
        ("via[2]", 4),
        ("via[2].quat", 4),
    }
    assert "via[0].position (line 2): the key 'position' is given more" in str(caught.value)
    assert "via[0].position (line 2): found [1, 2], expected three numbers" in str(caught.value)


@pytest.mark.parametrize("kind", ["missing", "folder", "binary"])
def test_a_via_file_that_cannot_be_read(tmp_path, kind):
    path = tmp_path / "via.json"
    if kind == "folder":
        path.mkdir()
    elif kind == "binary":
        path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(ViaFileError):
        read_via_file(path)


def test_via_points_out_of_reach_keep_their_numbers_behind_a_start(roadheader):
    """The start is no via point: it is not counted, wherever the machine stands."""
    points = [(5.5, 0.0, 1.5), (6.5, 0.0, 2.0), (5.5, 0.0, 2.5)]
    for start in (None, roadheader.home, roadheader.fk({"slew": 1.4})):
        with pytest.raises(UnreachableError, match=r"^via\[1\]: cannot be reached") as caught:
            trajectory(roadheader.kinematics, HEAD, points, start=start)
        assert caught.value.via == 1
        assert caught.value.position_error < 1.0, "found on the way, not before"
        assert len(str(caught.value).splitlines()) == 1


def test_turns_are_parts_of_a_curve():
    """A radian counts as a metre: u grows by both together, and a turn in one place is a way."""
    poses = np.array(
        [
            pose((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
            pose((0.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
            pose((0.3, 0.0, 0.0), (0.0, 0.0, 1.4)),
            pose((0.3, 2.0, 0.0), (0.0, 0.0, 1.4)),
        ]
    )
    np.testing.assert_allclose(make_curve(poses, free=False).knots, [0.0, 1.0, 1.5, 3.5])
    np.testing.assert_allclose(make_curve(poses[1:], free=True).knots, [0.0, 0.3, 2.3])
    with pytest.raises(hf.StateError, match=r"via\[1\]: found the same place as via\[0\]"):
        make_curve(poses, free=True)


def test_a_long_way_is_solved_in_pieces_that_go_on_from_each_other(roadheader, monkeypatch):
    """Each sample is found from the one before, also where a piece ends."""
    starts, ends = [], []

    def watched(kinematics, link, targets, start, *rest, **options):
        found = ik_batch(kinematics, link, targets, start, *rest, **options)
        starts.append(start)
        ends.append(found.joints[-1])
        return found

    whole = trajectory(roadheader.kinematics, HEAD, [(5.5, 0.4, 1.6), (5.6, -0.4, 1.9)])
    monkeypatch.setattr(trajectories, "CHUNK", 20)
    monkeypatch.setattr(trajectories, "ik_batch", watched)
    base = pose((1.0, 2.0, 0.0), (0.0, 0.0, 0.5))
    via = np.array([(5.5, 0.4, 1.6), (5.6, -0.4, 1.9)]) @ base[:3, :3].T + base[:3, 3]
    standing, told = roadheader.home.moved(base), []
    motion = trajectory(
        roadheader.kinematics, HEAD, via, standing=standing,
        progress=lambda done, of: told.append((done, of)),
    )  # fmt: skip
    np.testing.assert_allclose(motion.lengths, whole.lengths, atol=1e-7)
    assert len(told) > 4
    assert told[-1][0] == told[-1][1]
    for start, end in zip(starts[-len(told) + 1 :], ends[-len(told) : -1], strict=True):
        np.testing.assert_array_equal(start.q, end)
        np.testing.assert_array_equal(start.base, base)


def test_limits_are_assumed_of_cylinders_that_move_only():
    """Whoever stands still needs no limit, and nobody is told of one."""
    one = machine(
        [
            joint("rail", "base", "slide", "prismatic", axis=[1, 0, 0]),
            joint("post", "slide", "mast", "prismatic", axis=[0, 0, 1]),
        ],
        [
            actuator("ram", ("base", (-1, 0, 0)), ("slide", (0, 0, 0)), (1.0, 3.0)),
            actuator("jack", ("slide", (0, 0, -1)), ("mast", (0, 0, 0)), (1.0, 3.0)),
        ],
    )
    motion = trajectory(one.kinematics, "mast", [(0.5, 0, 1.0), (1.5, 0, 1.0)])
    assert motion.assumed == ("ram",)
    motion = trajectory(one.kinematics, "mast", [(0.5, 0, 1.0), (1.5, 0, 1.5)])
    assert motion.assumed == ("ram", "jack")
