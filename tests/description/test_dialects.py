"""Files as the authors of the paper write them: in the paper, and in their demo."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

import headframe
from headframe.description.meshes import triangles_of
from headframe.description.reading import read_text
from headframe.errors import HeadframeWarning

FIXTURES = Path(__file__).parents[1] / "fixtures"
DEMO = FIXTURES / "demo_dialect_support.json"
PAPER = FIXTURES / "paper_dialect_support.json"


@pytest.fixture(scope="module")
def demo():
    with pytest.warns(HeadframeWarning):
        return headframe.load(DEMO)


@pytest.fixture(scope="module")
def paper():
    return headframe.load(PAPER)  # a warning would be an error


def robot_of(**fields):
    """A robot of one link and more, in the authors' dialect."""
    reading = read_text(json.dumps({"name": "a", "links": [{"name": "b"}], **fields}))
    assert reading.problems == []
    return reading.robot


def shape_of(geometry, **fields):
    link = {"name": "b", "visual": {"geometry": geometry, **fields}}
    return robot_of(links=[link]).links[0].visuals[0]


# -- the demo --------------------------------------------------------------------------


def test_the_demo_has_its_parts(demo):
    assert demo.counts == {"links": 5, "joints": 13, "actuators": 4}
    assert demo.robot.up_axis == "y"
    assert demo.robot.up.tolist() == [0, 1, 0]
    assert demo.robot.groups == ((0, 1), (2, 3))
    assert [joint.name for joint in demo.joints][:2] == [
        "joint_base_ground",
        "joint_ground_front_link",
    ]


def test_base_link_is_implied(demo):
    assert demo.links[0].name == "base_link"
    assert demo.robot.links[demo.topology.root].name == "base_link"
    listed = json.loads(DEMO.read_text())
    assert "base_link" not in [link["name"] for link in listed["links"]]


def test_a_listed_base_link_is_not_added_again():
    joint = {"name": "j", "parent": "base_link", "child": "b", "type": "fixed"}
    robot = robot_of(links=[{"name": "b"}, {"name": "base_link"}], joints=[joint])
    assert [link.name for link in robot.links] == ["b", "base_link"]


def test_base_link_is_not_implied_in_canonical_files():
    joint = {"name": "j", "parent": "base_link", "child": "b", "type": "fixed"}
    text = json.dumps({"mrdf": "1", "name": "a", "links": [{"name": "b"}], "joints": [joint]})
    (problem,) = read_text(text).problems
    assert "'base_link', which is no link" in problem.message


def test_tubes_and_rods_become_links(demo):
    leg = demo.robot.actuator("leg_front_1")
    assert (leg.tube, leg.rod) == ("leg_front_1_tube", "leg_front_1_rod")
    assert leg.tube_offset == (2.95, 0.3, 0.5)
    assert (leg.bounds.lower, leg.bounds.upper) == (1.95, 2.95)
    assert leg.redundants == ("leg_front_2",)
    (tube,) = demo.robot.link(leg.tube).visuals
    assert (tube.geometry.type, tube.geometry.h) == ("cylinder", 1.7)


def test_a_name_that_is_taken_is_not_given_again():
    links = [{"name": "b"}, {"name": "c"}, {"name": "ram_tube"}]
    joints = [
        {"name": "j", "parent": "b", "child": "c", "type": "revolute", "axis": [0, 0, 1]},
        {"name": "k", "parent": "b", "child": "ram_tube", "type": "fixed"},
    ]
    ram = {"name": "ram", "tube_parent": "b", "rod_parent": "c", "limit": {"lower": 1, "upper": 2}}
    ram |= {"tube_offset": [0, 0, 0], "rod_offset": [0, 0, 0]}
    robot = robot_of(links=links, joints=joints, actuators=[ram])
    assert robot.actuators[0].tube == "ram_tube_"


def test_limits_are_reported_and_not_enforced(demo):
    assert all(joint.limit is None for joint in demo.joints)
    reading = headframe.machine.examine(DEMO)
    (note,) = reading.notes
    assert "placeholders" in note
    assert "'joint_ground_front_link'" in note
    home = demo.home.joints  # assembled, though some positions lie outside the limits
    assert any(not 0 <= value <= 3.14 for value in home.values())


# -- the paper -------------------------------------------------------------------------


def test_the_paper_has_its_parts(paper):
    assert paper.counts == {"links": 5, "joints": 11, "actuators": 3}
    assert len(paper.joints) == 6, "mounts are absorbed"
    assert paper.robot.up_axis == "y"
    assert paper.robot.links[0].name == "base"
    assert paper.robot.groups == ((0, 1), (2,))


def test_mounts_are_absorbed(paper):
    jack = paper.robot.actuator("actuator_shield_canopy")
    assert (jack.tube, jack.rod) == ("tube2", "rod2")
    assert jack.tube_offset == (1.44, -0.26, 0)
    assert jack.rod_offset == (0.75, -0.30, 0)
    assert jack.tube_axis == jack.rod_axis == (0, 0, 1)
    assert not any(joint.child in paper.robot.cylinder_parts for joint in paper.joints)
    assert not any(joint.name.startswith("mount") for joint in paper.joints)


def test_the_pin_of_a_turned_mount():
    text = PAPER.read_text().replace(
        '"origin_translation": [1.44, -0.26, 0],\n      "origin_orientation": [0, 0, 0]',
        '"origin_translation": [1.44, -0.26, 0],\n      "origin_orientation": [0.5, 0, 0]',
    )
    reading = read_text(text)
    assert reading.problems == []
    axis = reading.robot.actuator("actuator_shield_canopy").tube_axis
    assert axis == pytest.approx((0, -math.sin(0.5), math.cos(0.5)))


def test_places_after_absorbed_mounts_and_implied_links_are_those_of_the_file():
    data = json.loads(DEMO.read_text())
    data["joints"].insert(0, data["joints"].pop())
    data["links"][3]["visual"]["geometry"]["y"] = "wide"
    (problem,) = read_text(json.dumps(data)).problems
    assert problem.place == "links[3].visual.geometry.y"
    text = PAPER.read_text()
    mounts = text[text.index("/* mounts */") : text.index('],\n  "actuators"')]
    text = text.replace(mounts, "").replace('"joints": [', '"joints": [' + mounts)
    text = text.replace('"name": "joint_shield_canopy",', '"name": "joint_shield_canopy", "x": 1,')
    (problem,) = read_text(text).problems
    assert problem.place == "joints[11].x"
    assert '"x": 1' in text.split("\n")[problem.line - 1]


def test_what_a_mount_cannot_keep_is_noted():
    text = PAPER.read_text().replace(
        '"name": "mount_tube0",', '"name": "mount_tube0", "damping": 1, "armature": 2,'
    )
    (note,) = read_text(text).notes
    assert note.startswith("joints[6] (line ")
    assert note.endswith("damping, armature of the mount 'mount_tube0' ignored")


# -- shapes and colours ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("geometry", "length"),
    [
        ({"type": "box", "x": 2.0, "y": 0.5, "z": 0.3}, 2.0),
        ({"type": "cylinder", "r1": 0.4, "r2": 0.2, "h": 3.0}, 3.0),
        ({"type": "cylinder", "radius": 0.4, "length": 3.0}, 3.0),
        ({"type": "cone", "r": 0.4, "h": 1.5}, 1.5),
        ({"type": "capsule", "r": 0.25, "h": 1.0}, 1.5),
        ({"type": "sphere", "r": 0.7}, 1.4),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
@pytest.mark.parametrize("turned", [(0, 0, 0), (0.3, -0.4, 1.2), (0, math.pi / 2, 0)])
def test_shapes_extend_from_their_origin_along_x(geometry, length, turned):
    origin = (0.1, -0.2, 0.3)
    shape = shape_of(geometry, origin_translation=origin, origin_orientation=turned)
    vertices, _ = triangles_of(shape.geometry)
    in_link = vertices @ shape.pose[:3, :3].T + shape.pose[:3, 3]
    X = headframe.spatial.pose(origin, turned)
    own = (in_link - X[:3, 3]) @ X[:3, :3]  # in the axes that the file gives the shape
    assert own[:, 0].min() == pytest.approx(0.0, abs=1e-9)
    assert own[:, 0].max() == pytest.approx(length, abs=1e-9)
    assert own[:, 1:].mean(axis=0) == pytest.approx([0, 0], abs=1e-9)
    if "r2" in geometry or geometry["type"] == "cone":  # thick at the origin
        at_origin = own[np.isclose(own[:, 0], 0.0)]
        assert np.linalg.norm(at_origin[:, 1:], axis=1).max() == pytest.approx(0.4)


def test_canonical_shapes_are_centred():
    visual = {"geometry": {"type": "box", "x": 2.0, "y": 0.5, "z": 0.3}}
    robot = robot_of(mrdf="1", links=[{"name": "b", "visual": visual}])
    assert robot.links[0].visuals[0].translation == (0, 0, 0)
    assert robot.up_axis == "z"


@pytest.mark.parametrize(
    ("material", "color"),
    [
        ({"color": [140, 80, 0]}, (140 / 255, 80 / 255, 0, 1)),
        ({"color": [255, 255, 255, 0.5]}, (1, 1, 1, 0.5)),
        ({"color": [255, 255, 255, 51]}, (1, 1, 1, 0.2)),
        ({"color": [0, 0, 51], "opacity": 0.25}, (0, 0, 0.2, 0.25)),
        ({"opacity": 0.25}, (0.6, 0.6, 0.6, 0.25)),
        ({}, (0.6, 0.6, 0.6, 1)),
    ],
)
def test_colours_of_the_authors(material, color):
    assert shape_of({"type": "sphere", "r": 1}, material=material).material.color == color


def test_opacity_that_is_no_number():
    visual = {"geometry": {"type": "sphere", "r": 1}, "material": {"opacity": "half"}}
    text = json.dumps({"name": "a", "links": [{"name": "b", "visual": visual}]})
    (problem,) = read_text(text).problems
    assert problem.place == "links[0].visual.material.opacity"


def test_poses_stay_in_the_files_own_axes(demo):
    assert demo.robot.joint("joint_shield_canopy").origin_translation == (2.39, 0.19, 0)
    assert demo.robot.joint("joint_shield_canopy").axis == (0, 0, 1)


@pytest.mark.parametrize("path", [DEMO, PAPER], ids=lambda path: path.stem)
def test_both_dialects_assemble(path):
    with pytest.warns(HeadframeWarning) if path == DEMO else pytest.MonkeyPatch.context():
        machine = headframe.load(path)
    for length, actuator in zip(machine.home.lengths, machine.actuators, strict=True):
        assert actuator.bounds.lower <= length <= actuator.bounds.upper


# -- places of problems ----------------------------------------------------------------


def places(links, **fields):
    """Places and lines of the problems of a file with a line for every link."""
    listed = ",\n".join(json.dumps(link) for link in links)
    rest = json.dumps({"name": "a", **fields})[1:]
    reading = read_text('{"links": [\n' + listed + "\n]," + rest)
    return [(problem.place, problem.line) for problem in reading.problems]


def test_places_are_those_of_the_file_where_base_link_is_implied():
    """The implied link comes first, and moves all others on by one."""
    hinge = {"name": "j", "parent": "base_link", "child": "b", "type": "fixed"}
    links = [
        {"name": "b", "origin_translation": [0, 0, "x"]},
        {"name": "c", "mass": -1, "visual": {"geometry": {"type": "box", "x": -1, "y": 1, "z": 1}}},
        {"name": "d", "visual": [{"geometry": {"type": "cylinder", "radius": "r", "length": 1}}]},
    ]
    listed = [*links, {"name": "base_link"}]
    joints = [hinge, {**hinge, "name": "k", "child": "c"}, {**hinge, "name": "l", "child": "d"}]
    implied = places(links, joints=joints)
    assert implied == places(listed, joints=joints)
    assert [line for _, line in implied] == sorted(line for _, line in implied)
    assert {line for _, line in implied} == {2, 3, 4}
    assert implied[0][0].startswith("links[0].origin_translation")
    assert implied[-1][0].startswith("links[2].visual[0].geometry.radius")


@pytest.mark.parametrize(("off", "fits"), [(0.0, True), (1e-12, True), (1e-6, False)])
def test_a_mount_and_its_actuator_name_the_same_point(off, fits):
    """Where both tell where the tube is mounted, a difference is somebody's mistake."""
    data = {
        "name": "a",
        "links": [{"name": name} for name in ("b", "c", "tube")],
        "joints": [
            {"name": "j", "parent": "b", "child": "c", "type": "revolute", "axis": [0, 0, 1]},
            {"name": "mount", "parent": "b", "child": "tube", "type": "revolute",
             "axis": [0, 0, 1], "origin_translation": [1, 2, 3]},
        ],
        "actuators": [
            {"name": "ram", "tube": "tube", "tube_parent": "b", "tube_offset": [1, 2, 3 + off],
             "rod_parent": "c", "rod_offset": [0, 0, 0], "limit": {"lower": 1, "upper": 2}}
        ],
    }  # fmt: skip
    problems = read_text(json.dumps(data)).problems
    assert [problem.place for problem in problems] == ([] if fits else ["actuators[0].tube_offset"])
    if not fits:
        assert "but joint 'mount' has its origin at [1, 2, 3]" in problems[0].message
