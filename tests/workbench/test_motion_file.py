"""Files of via points and of motions: taken, or refused with all their problems."""

import json

import numpy as np
import pytest

import headframe as hf
from headframe.sim.playing import read_course
from headframe.workbench.motion_file import FileRequest, MotionFileError, read_path
from headframe.workbench.path import COURSE_FILE, FILES
from headframe.workbench.study import Bench

VIA = [(5.6, -0.6, 1.6), (5.62, 0.0, 1.9), (5.6, 0.6, 1.6)]


@pytest.fixture(scope="module")
def roadheader():
    return hf.load("roadheader")


@pytest.fixture(scope="module")
def texts(roadheader, tmp_path_factory):
    """A planned motion, as both kinds of files."""
    folder = tmp_path_factory.mktemp("motion")
    motion = hf.trajectory(roadheader, "cutter_head", VIA)
    found = {}
    for kind in ("csv", "json"):
        motion.save(folder / f"way.{kind}")
        found[kind] = (folder / f"way.{kind}").read_text()
    return motion, found


def take(machine, folder, text, kind="json", state=None):
    bench = Bench(machine, state or machine.home, folder, lambda part, text: None)
    return read_path(bench, FileRequest(f"way.{kind}", text))


def problems(machine, folder, text, kind="json"):
    with pytest.raises(MotionFileError) as caught:
        take(machine, folder, text, kind)
    assert not (folder / COURSE_FILE).exists()
    return caught.value.problems


def test_rows_of_via_points_are_told_in_their_order_and_once(roadheader, tmp_path):
    text = '{"times": [0, 1, 2], "lengths": {"slew_left": [1.5, 1.5, 1.5]}, "via_rows": [2, 0, 2]}'
    assert take(roadheader, tmp_path, text).facts["via_times"] == [0.0, 2.0]


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_what_was_saved_comes_back(roadheader, texts, tmp_path, kind):
    motion, found = texts
    outcome = take(roadheader, tmp_path, found[kind], kind)
    assert outcome.files == FILES
    facts = outcome.facts
    assert facts["link"] == "cutter_head"
    assert facts["duration"] == pytest.approx(motion.duration)
    course = read_course(tmp_path / COURSE_FILE, roadheader.robot, 1)
    np.testing.assert_allclose(course.values, motion.lengths[:, [0, 2, 4]], atol=1e-10)
    back = json.loads((tmp_path / "path.json").read_text())
    np.testing.assert_allclose(back["positions"], motion.poses[:, :3, 3], atol=1e-9)
    np.testing.assert_allclose(back["lengths"]["boom_right"], motion.lengths[:, 3], atol=1e-9)


def test_lengths_alone_are_enough(roadheader, texts, tmp_path):
    """Speeds are those of the lengths; groups that are not named stay."""
    motion, _ = texts
    state = roadheader.fk({"stabiliser_left": 1.0})
    text = json.dumps(
        {"times": motion.times.tolist(), "lengths": {"slew_left": motion.lengths[:, 0].tolist()}}
    )
    take(roadheader, tmp_path, text, state=state)
    back = json.loads((tmp_path / "path.json").read_text())
    np.testing.assert_allclose(back["speeds"]["slew_left"], motion.speeds[:, 0], atol=2e-3)
    assert np.ptp(back["lengths"]["boom_left"]) < 1e-12
    assert back["lengths"]["stabiliser_left_jack"][0] == pytest.approx(1.0)


def test_files_may_name_a_schema(roadheader, texts, tmp_path):
    _, found = texts
    named = json.dumps({"$schema": "motion.schema.json", **json.loads(found["json"])})
    assert take(roadheader, tmp_path, named).files == FILES
    via = {"$schema": "via.schema.json", "via": [{"position": place} for place in VIA]}
    assert len(take(roadheader, tmp_path, json.dumps(via)).facts["via"]) == 3


def test_keys_given_twice_are_no_motion(roadheader, texts, tmp_path):
    text = texts[1]["json"].rstrip().rstrip("}") + ', "times": [0, 1]}'
    (problem,) = problems(roadheader, tmp_path, text)
    assert "more than once" in problem


def test_via_points_come_as_facts(roadheader, tmp_path):
    text = """{"link": "cutter_head", // the head
      "via": [{"position": [5.6, 0, 1.6]}, {"lengths": {"boom": 1.9}},]}"""
    facts = take(roadheader, tmp_path, text).facts
    assert facts["oriented"] is False
    assert facts["link"] == "cutter_head"
    assert facts["via"][0] == {"position": [5.6, 0.0, 1.6], "quaternion": None}
    place = roadheader.fk({"boom": 1.9}).pose("cutter_head")[:3, 3]
    assert facts["via"][1]["position"] == pytest.approx(place)
    turned = '{"via": [{"position": [5.6, 0, 1.6], "rpy_deg": [0, 0, 90]}]}'
    facts = take(roadheader, tmp_path, turned).facts
    assert facts["oriented"] is True
    assert facts["via"][0]["quaternion"] == pytest.approx([0.5**0.5, 0, 0, 0.5**0.5])
    assert list(tmp_path.iterdir()) == []


def test_problems_of_via_points_without_the_server_s_folder(roadheader, tmp_path):
    text = '{"via": [{"position": [1, 2]}, {"place": 3}]}'
    found = problems(roadheader, tmp_path, text)
    assert len(found) == 3
    assert all(str(tmp_path) not in problem for problem in found)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[]", "neither"),
        ('{"times": 3}', "times: found 3"),
        ('{"times": [0, 1], "lengths": []}', "lengths: found"),
        ('{"times": [0, 1], "lengths": {"slew_left": [1.5, "x"]}}', r"slew_left\[1\]: found 'x'"),
        ('{"times": [0, 1], "lengths": {"slew_left": [1.5, NaN]}}', "not JSON|finite"),
        ('{"times": [0, 0], "lengths": {"slew_left": [1.5, 1.5]}}', r"times\[1\]"),
        ('{"times": [1, 2], "lengths": {"slew_left": [1.5, 1.5]}}', "first row, expected 0"),
        ('{"times": [0], "lengths": {"slew_left": [1.5]}}', "1 rows"),
        ('{"times": [0, 1], "lengths": {}}', "none of slew_left"),
        ('{"times": [0, 1], "lengths": {"slew_left": [1.5]}}', "1 numbers, expected 2"),
        ('{"times": [0, 1], "lengths": {"slew_lift": [1.5, 1.5]}}', "did you mean 'slew_left'"),
        ('{"times": [0, 1], "lengths": {"slew_right": [1.5, 1.5]}}', "slew_left: is missing"),
        ('{"times": [0, 1], "lengths": {"slew_left": [1.5, 1.5]}, "link": "heat"}', "link:"),
        ('{"times": [0, 1], "lengths": {"slew_left": [1.5, 1.5]}, "via_rows": [2]}', "via_rows"),
        ('{"times": [0, 1], "machine": "lhd", "lengths": {"slew_left": [1, 1]}}', "'lhd', exp"),
    ],
)
def test_what_is_no_motion(roadheader, tmp_path, text, message):
    import re

    assert re.search(message, "\n".join(problems(roadheader, tmp_path, text)))


def test_all_that_the_machine_cannot_do_is_listed(roadheader, texts, tmp_path):
    motion, found = texts
    content = json.loads(found["json"])
    content["lengths"]["telescope"] = (motion.lengths[:, 4] + 2.0).tolist()
    content["speeds"]["boom_left"][0] = 0.05
    content["speeds"]["slew_left"][30] = 0.5
    listed = problems(roadheader, tmp_path, json.dumps(content))
    text = "\n".join(listed)
    assert "'telescope': found" in text
    assert "expected 1.9 to 2.45 m" in text
    assert "'boom_left': found 0.05 m/s in the first row" in text
    assert "'slew_left': found 0.5 m/s" in text
    assert "speeds that differ" in text
    assert len(listed) >= 4


def test_partners_must_fit(roadheader, texts, tmp_path):
    motion, found = texts
    content = json.loads(found["json"])
    content["lengths"]["slew_right"] = (motion.lengths[:, 1] - 0.01).tolist()
    assert "its group makes it" in problems(roadheader, tmp_path, json.dumps(content))[0]


def test_lines_of_a_table(roadheader, tmp_path):
    text = "time [s],slew_left [m]\n0,1.5\n1\nx,1.5\n3,inf\n"
    listed = problems(roadheader, tmp_path, text, "csv")
    assert [problem.partition(":")[0] for problem in listed] == [
        "line 3",
        "line 4, time [s]",
        "line 5, slew_left [m]",
    ]
    assert "expected a column 'time [s]'" in problems(roadheader, tmp_path, "a,b\n", "csv")[0]
    assert problems(roadheader, tmp_path, "", "csv")


def test_many_problems_are_counted(roadheader, tmp_path):
    text = "time [s],slew_left [m]\n" + "0,bad\n" * 50
    with pytest.raises(MotionFileError) as caught:
        take(roadheader, tmp_path, text, "csv")
    assert len(caught.value.problems) == 50
    assert "... and 30 more" in str(caught.value)


@pytest.mark.parametrize(("row", "where"), [(0, "first"), (-1, "last")])
def test_a_motion_begins_and_ends_at_rest(roadheader, texts, tmp_path, row, where):
    """A hundredth of its limit counts as rest."""
    motion, found = texts
    content = json.loads(found["json"])
    limit = motion.limits[2]
    content["speeds"]["boom_left"][row] = -0.011 * limit
    assert problems(roadheader, tmp_path, json.dumps(content)) == (
        f"'boom_left': found {-0.011 * limit:.4g} m/s in the {where} row, expected rest",
    )
    content["speeds"]["boom_left"][row] = -0.009 * limit
    assert take(roadheader, tmp_path, json.dumps(content)).facts["planned"]


def test_what_else_a_file_moves_is_played_too(roadheader, texts, tmp_path):
    """The stabiliser does not move the cutter head: it follows its file all the same."""
    motion, _ = texts
    home = roadheader.home.lengths[roadheader.robot.actuator_index["stabiliser_left_jack"]]
    way = home + 0.02 * np.sin(np.linspace(0.0, np.pi, len(motion))) ** 2
    content = {"times": motion.times.tolist(), "lengths": {"stabiliser_left_jack": way.tolist()}}
    take(roadheader, tmp_path, json.dumps(content))
    course = read_course(tmp_path / COURSE_FILE, roadheader.robot, 1)
    names = [roadheader.robot.group_names[group] for group in course.inputs]
    assert names == ["slew", "boom", "telescope", "stabiliser_left"]
    np.testing.assert_allclose(course.values[:, -1], way, atol=1e-9)
    assert np.ptp(course.values[:, :-1], axis=0).max() < 1e-9


def test_speeds_of_lengths_alone_begin_and_end_at_rest(roadheader, tmp_path):
    """Also where the lengths go on evenly: from rest, and to rest, in the first and last row."""
    times = np.linspace(0.0, 2.0, 21)
    home = roadheader.home.lengths[0]
    content = {"times": times.tolist(), "lengths": {"slew_left": (home + 0.02 * times).tolist()}}
    take(roadheader, tmp_path, json.dumps(content))
    course = read_course(tmp_path / COURSE_FILE, roadheader.robot, 1)
    assert not course.speeds[[0, -1]].any()
    np.testing.assert_allclose(course.speeds[1:-1, 0], 0.02, rtol=1e-6)
