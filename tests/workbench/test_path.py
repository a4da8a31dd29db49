"""The study of a path: files, facts, and every via point that is out of reach."""

import csv
import json
import struct
from types import SimpleNamespace

import numpy as np
import pytest

import headframe as hf
from headframe.errors import StateError
from headframe.sim.playing import read_course
from headframe.spatial import pose, quaternion_from_matrix
from headframe.workbench.kinds import STUDIES
from headframe.workbench.path import COURSE_FILE, FILES, MAGIC, PathRequest, Via, _misses, _targets
from headframe.workbench.study import Bench, CancelledError, checked_request

HEAD = "cutter_head"
VIA = [(5.6, -0.6, 1.6), (5.62, 0.0, 1.9), (5.6, 0.6, 1.6)]


@pytest.fixture(scope="module")
def roadheader():
    return hf.load("roadheader")


def points(*places):
    return [{"position": list(place)} for place in places]


def run(machine, folder, kind="path", state=None, progress=lambda part, text: None, **request):
    request_type, study = STUDIES[kind]
    bench = Bench(machine, state or machine.home, folder, progress)
    return study(bench, checked_request(request_type, request))


@pytest.fixture(scope="module")
def planned(roadheader, tmp_path_factory):
    folder = tmp_path_factory.mktemp("path")
    return folder, run(roadheader, folder, via=points(*VIA))


def unpacked(data):
    """`path.bin` by its documentation."""
    magic, n, m, k = struct.unpack_from("<4I", data)
    assert magic == MAGIC
    numbers = np.frombuffer(data, "<f4", offset=16).astype(float)
    sizes = {"times": n, "lengths": n * m, "speeds": n * m, "positions": 3 * n, "off": n,
             "limiting": n, "share": n, "via": k}  # fmt: skip
    assert len(numbers) == sum(sizes.values())
    parts = np.split(numbers, np.cumsum(list(sizes.values()))[:-1])
    found = dict(zip(sizes, parts, strict=True))
    for name, width in (("lengths", m), ("speeds", m), ("positions", 3)):
        found[name] = found[name].reshape(n, width)
    return found


def test_machine_elsewhere_is_led_in_the_world(roadheader, planned, tmp_path):
    """Via points are places of the world, also for one of many units."""
    base = np.eye(4)
    base[:3, 3] = 1.0, 40.0, 0.5
    via = np.array(VIA) + base[:3, 3]
    outcome = run(roadheader, tmp_path, state=roadheader.home.moved(base), via=points(*via))
    assert outcome.facts["planned"], outcome.facts
    found, at_home = (
        unpacked((folder / "path.bin").read_bytes()) for folder in (tmp_path, planned[0])
    )
    np.testing.assert_allclose(found["lengths"], at_home["lengths"], atol=1e-5)
    np.testing.assert_allclose(found["positions"], at_home["positions"] + base[:3, 3], atol=1e-5)


def test_files_are_those_of_the_library(roadheader, planned):
    folder, outcome = planned
    assert outcome.files == FILES
    motion = hf.trajectory(roadheader, HEAD, VIA)
    motion.save(folder / "same.csv")
    assert (folder / "path.csv").read_text() == (folder / "same.csv").read_text()
    told = json.loads((folder / "path.json").read_text())
    assert told["link"] == HEAD
    assert told["times"][-1] == pytest.approx(outcome.facts["duration"])
    facts = outcome.facts
    assert facts["planned"]
    assert facts["rows"] == len(motion)
    assert facts["missed"] == []
    assert facts["largest_error"] < 1e-6
    assert facts["cylinders"] == [a.name for a in roadheader.actuators]
    way = np.linalg.norm(np.diff(motion.poses[:, :3, 3], axis=0), axis=1).sum()
    assert facts["way"] == pytest.approx(way)
    assert facts["via_times"] == pytest.approx(motion.times[motion.via_rows])


def test_ribbon_is_forward_kinematics_of_the_lengths(roadheader, planned):
    folder, _ = planned
    path = unpacked((folder / "path.bin").read_bytes())
    for row in range(0, len(path["times"]), 23):
        groups = path["lengths"][row][[members[0] for members in roadheader.robot.groups]]
        place = roadheader.fk(groups).pose(HEAD)[:3, 3]
        np.testing.assert_allclose(path["positions"][row], place, atol=1e-5)
    assert path["positions"][path["via"].astype(int)] == pytest.approx(np.array(VIA), abs=1e-5)
    assert path["off"].max() < 1e-5


def test_bounds_speeds_and_accelerations_by_differences(roadheader, planned):
    folder, _ = planned
    with (folder / "path.csv").open() as file:
        rows = list(csv.DictReader(file))
    times = np.array([float(row["time [s]"]) for row in rows])
    for actuator in roadheader.actuators:
        lengths = np.array([float(row[f"{actuator.name} [m]"]) for row in rows])
        speeds = np.array([float(row[f"{actuator.name} [m/s]"]) for row in rows])
        assert actuator.bounds.lower <= lengths.min()
        assert lengths.max() <= actuator.bounds.upper
        assert np.abs(np.diff(lengths) / np.diff(times)).max() <= actuator.speed * (1 + 1e-6)
        assert np.abs(np.diff(speeds) / np.diff(times)).max() <= 1.05 * actuator.acceleration
        assert speeds[0] == speeds[-1] == 0.0


def test_which_cylinder_limits(roadheader, planned):
    """Counted anew from the table: where one is at its speed it is the one that is told."""
    folder, outcome = planned
    path = unpacked((folder / "path.bin").read_bytes())
    limits = np.array([actuator.speed for actuator in roadheader.actuators])
    shares = np.abs(path["speeds"]) / limits
    full = np.flatnonzero(shares.max(axis=1) > 0.999)
    assert full.size > 50
    told = path["limiting"][full].astype(int)
    assert (shares[full, told] > 0.94).all()
    assert (path["share"][full] > 0.999 - 1e-6).all()
    parts = {each["cylinder"]: each for each in outcome.facts["limiting"]}
    assert set(parts) <= {a.name for a in roadheader.actuators}
    total = sum(each["speed"] + each["acceleration"] for each in parts.values())
    assert 0.8 < total <= 1.0 + 1e-9
    assert total == pytest.approx((path["limiting"] >= 0).mean(), abs=0.03)


def test_course_is_the_same_motion(roadheader, planned):
    folder, _ = planned
    course = read_course(folder / COURSE_FILE, roadheader.robot, 1)
    path = unpacked((folder / "path.bin").read_bytes())
    np.testing.assert_allclose(course.times, path["times"], atol=1e-5)
    np.testing.assert_allclose(course.values, path["lengths"][:, [0, 2, 4]], atol=1e-6)


def test_part_of_the_speed(roadheader, planned, tmp_path):
    outcome = run(roadheader, tmp_path, via=points(*VIA), part=0.25)
    assert outcome.facts["duration"] == pytest.approx(4 * planned[1].facts["duration"], rel=1e-3)
    path = unpacked((tmp_path / "path.bin").read_bytes())
    limits = np.array([actuator.speed for actuator in roadheader.actuators])
    assert (np.abs(path["speeds"]) <= 0.25 * limits * (1 + 1e-5)).all()
    steps = np.diff(path["lengths"], axis=0) / np.diff(path["times"])[:, None]
    assert (np.abs(steps) <= 0.25 * limits * 1.01).all()
    assert np.diff(path["times"]).max() < 0.05
    assert path["share"].max() > 0.95, "what limits is that of the fastest motion"
    fastest = {each["cylinder"] for each in planned[1].facts["limiting"]}
    assert {each["cylinder"] for each in outcome.facts["limiting"]} == fastest


def test_via_points_are_missed_by_place_or_by_angle():
    """What is left of either counts; without orientations only the place."""
    poses = np.array([pose((n, 0.0, 0.0), (0.0, 0.0, 0.0)) for n in range(4)])
    targets = poses.copy()
    targets[1] = pose((1.0, 0.0, 2e-5), (0.0, 0.0, 0.0))
    targets[2] = pose((2.0, 0.0, 0.0), (0.0, 3e-5, 0.0))
    targets[3] = pose((3.0, 0.0, 5e-6), (0.0, 5e-6, 0.0))
    for free, wanted in ((False, [1, 2]), (True, [1])):
        motion = SimpleNamespace(via_rows=np.arange(4), poses=poses, targets=targets, free=free)
        found = _misses(motion)
        assert [miss["via"] for miss in found] == wanted
        assert found[0]["distance"] == pytest.approx(2e-5)
    assert _misses(SimpleNamespace(**{**vars(motion), "free": False}))[1]["angle"] == (
        pytest.approx(3e-5)
    )


def test_speed_of_the_link(roadheader, tmp_path):
    run(roadheader, tmp_path, via=points(*VIA), link_speed=0.05)
    path = unpacked((tmp_path / "path.bin").read_bytes())
    way = np.linalg.norm(np.diff(path["positions"], axis=0), axis=1)
    assert (way / np.diff(path["times"])).max() < 0.051


def test_every_via_point_out_of_reach_is_named(roadheader, tmp_path):
    """Two that are missed by little, one by far; the distance is the closest that `ik` finds."""
    given = [VIA[0], (6.3, -0.2, 1.7), VIA[1], (6.25, 0.2, 1.7), VIA[2]]
    for far in (given, [*given, (50.0, 0.0, 2.0)]):
        outcome = run(roadheader, tmp_path, via=points(*far))
        assert outcome.facts["planned"] is False
        assert outcome.files == ()
        missed = {each["via"]: each["distance"] for each in outcome.facts["missed"]}
        assert list(missed) == ([1, 3] if far is given else [1, 3, 5])
        for number, distance in missed.items():
            target = roadheader.home.pose(HEAD)
            target[:3, 3] = far[number]
            found = roadheader.ik(HEAD, target, mask=(0, 0, 0, 1, 1, 1))
            assert distance == pytest.approx(found.position_error, rel=0.01)
    assert not (tmp_path / COURSE_FILE).exists()
    outcome = run(roadheader, tmp_path, via=points(*given), closest=True)
    assert outcome.facts["planned"]
    assert [each["via"] for each in outcome.facts["missed"]] == [1, 3]
    assert outcome.facts["largest_error"] > 0.1


def test_orientations(roadheader, tmp_path):
    poses = [roadheader.fk({"slew_left": s, "boom_left": 1.8}).pose(HEAD) for s in (1.5, 1.6)]
    via = [
        {"position": pose[:3, 3].tolist(),
         "quaternion": quaternion_from_matrix(pose[:3, :3]).tolist()}
        for pose in poses
    ]  # fmt: skip
    outcome = run(roadheader, tmp_path, via=via, oriented=True, closest=True)
    assert outcome.facts["missed"] == []
    assert outcome.facts["free"] is False
    turned = [{**each, "quaternion": [1.0, 0.0, 0.0, 0.0]} for each in via]
    facts = run(roadheader, tmp_path, via=turned, oriented=True).facts
    assert [each["via"] for each in facts["missed"]] == [0, 1]
    assert min(each["angle"] for each in facts["missed"]) > 0.001
    wrong = [via[0], {**via[1], "quaternion": [2.0, 0.0, 0.0, 0.0]}, *points(VIA[0])]
    with pytest.raises(StateError, match=r"via\[1\]: found a quaternion.*\nvia\[2\]: found no"):
        run(roadheader, tmp_path, via=wrong, oriented=True)


def test_from_where_the_machine_stands(roadheader, tmp_path):
    state = roadheader.fk({"slew_left": 1.5, "telescope": 2.1})
    for options in ({"from_here": True, "via": points(*VIA)}, {"via": points(VIA[0])}):
        run(roadheader, tmp_path, state=state, **options)
        path = unpacked((tmp_path / "path.bin").read_bytes())
        np.testing.assert_allclose(path["lengths"][0], state.lengths, atol=1e-6)
        assert path["via"][0] > 0


def test_study_can_be_given_up(roadheader, tmp_path):
    def progress(part, text):
        if part > 0.05:
            raise CancelledError

    with pytest.raises(CancelledError):
        run(roadheader, tmp_path, progress=progress, via=points(*VIA))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({}, "via: Field required"),
        ({"via": []}, "via:"),
        ({"via": points(VIA[0]), "part": 0.0}, "part:"),
        ({"via": points(VIA[0]), "link_speed": -1.0, "parts": 1}, "link_speed:.*parts:"),
        ({"via": [{"position": [0.0, float("nan"), 0.0]}]}, "via.0.position.1:"),
        ({"via": points(*VIA), "link": "boom_tube"}, "boom_tube"),
    ],
)
def test_wrong_requests(roadheader, tmp_path, request_, message):
    with pytest.raises(hf.HeadframeError, match=message):
        run(roadheader, tmp_path, **request_)


def test_sweep_gives_via_points(roadheader, tmp_path):
    way = hf.serpentine(roadheader, HEAD, hf.arched(4.0, 1.8, 1.4), depth=5.6, diameter=1.0)
    facts = run(
        roadheader, tmp_path, "sweep", depth=5.6, diameter=1.0, width=4.0, wall=1.8, rise=1.4
    ).facts
    np.testing.assert_allclose(facts["via"], way.positions(5.6), atol=1e-12)
    assert facts["covered"] == pytest.approx(way.covered())
    assert facts["rows"] == len(way.rows)
    assert facts["left_out"] == []


def test_sweep_of_a_polygon_tells_what_is_left_out(roadheader, tmp_path):
    profile = [[-2.5, 0.0], [2.5, 0.0], [2.0, 3.5], [-2.0, 3.5]]
    facts = run(
        roadheader, tmp_path, "sweep", depth=5.6, diameter=1.0, profile=profile, contour=False
    ).facts
    assert facts["left_out"]
    for height, right, left in facts["left_out"]:
        assert right <= left
        assert 0.0 < height < 3.5
    with pytest.raises(StateError, match="expected another depth"):
        run(roadheader, tmp_path, "sweep", depth=60.0, diameter=1.0)


def test_a_quaternion_that_is_nearly_one_is_normalised():
    turned = np.array([0.6, 0.0, 0.8, 0.0]) * 1.0005
    request = PathRequest((Via((1.0, 2.0, 3.0), tuple(turned)),), oriented=True)
    R = _targets(request)[0, :3, :3]
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-12)
