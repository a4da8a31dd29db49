"""What elements say about each other: the finer points. The defects are in test_broken_files."""

import json

import pytest

from headframe.description.reading import read_text
from headframe.errors import (
    DisconnectedError,
    InertiaError,
    RedundantsError,
    TwoParentsError,
    ValueRangeError,
)


def joint(name, parent, child, kind="revolute", **fields):
    return {
        "name": name,
        "parent": parent,
        "child": child,
        "type": kind,
        "axis": [0, 1, 0],
        **fields,
    }


def actuator(name, tube_parent="a", rod_parent="b", **fields):
    return {
        "name": name,
        "tube_parent": tube_parent,
        "rod_parent": rod_parent,
        "tube_offset": [0, 0, 0],
        "rod_offset": [1, 0, 0],
        "bound": {"lower": 1, "upper": 2},
        **fields,
    }


def read(links="ab", joints=(), **fields):
    listed = [{"name": name} for name in links]
    data = {"mrdf": "1", "name": "m", "links": listed, "joints": list(joints), **fields}
    return read_text(json.dumps(data))


def kinds(reading):
    return [problem.kind for problem in reading.problems]


# -- the graph -------------------------------------------------------------------------


def test_one_link_is_a_machine():
    assert read("a").robot is not None


def test_a_pair_of_opposite_joints_closes_a_loop():
    ring = [
        joint("ab", "a", "b"),
        joint("bc", "b", "c"),
        joint("ac", "a", "c"),
        joint("ca", "c", "a"),
    ]
    assert read("abc", ring).problems == []


def test_a_loop_closed_by_one_joint_has_a_link_with_two_parents():
    ring = [joint("ab", "a", "b"), joint("bc", "b", "c"), joint("ac", "a", "c")]
    (problem,) = read("abc", ring).problems
    assert problem.kind is TwoParentsError
    assert "'bc' leads to it" in problem.message
    assert "opposite directions" in problem.hint


def test_only_a_pair_leaves_its_links_unconnected():
    pair = [joint("ab", "a", "b"), joint("ba", "b", "a")]
    (problem,) = read("ab", pair).problems
    assert problem.kind is DisconnectedError


def test_every_lost_link_is_listed():
    reading = read("abcde", [joint("ab", "a", "b"), joint("cd", "c", "d")])
    assert kinds(reading) == [DisconnectedError] * 3
    assert [problem.place for problem in reading.problems] == ["links[2]", "links[3]", "links[4]"]
    assert all("root 'a'" in problem.message for problem in reading.problems)


def test_the_root_is_where_most_links_hang():
    reading = read("abcd", [joint("bc", "b", "c"), joint("cd", "c", "d")])
    (problem,) = reading.problems
    assert problem.place == "links[0]"


def test_a_ring_beside_the_tree_is_not_connected():
    ring = [joint("cd", "c", "d"), joint("de", "d", "e"), joint("ec", "e", "c")]
    assert kinds(read("abcde", [joint("ab", "a", "b"), *ring])) == [DisconnectedError] * 3


def test_tubes_and_rods_need_no_joints_and_carry_nothing():
    actuators = [actuator("x", tube="t", rod="r")]
    assert read("abtr", [joint("ab", "a", "b")], actuators=actuators).problems == []
    actuators.append(actuator("y", "t", "b"))
    (problem,) = read("abtr", [joint("ab", "a", "b")], actuators=actuators).problems
    assert problem.kind is ValueRangeError
    assert "'t', a tube or rod" in problem.message


# -- redundants ------------------------------------------------------------------------


def redundant(groups, *partners):
    members = [
        actuator(f"x{i}", redundants=list(names), **({"group": group} if group else {}))
        for i, (names, group) in enumerate(zip(partners, groups, strict=True))
    ]
    return read(joints=[joint("ab", "a", "b")], actuators=members)


def test_partners_of_partners_are_partners():
    reading = redundant(("g", "g", "g"), ["x1"], ["x0", "x2"], ["x1"])
    assert reading.problems == []
    assert reading.robot.groups == ((0, 1, 2),)


def test_a_group_may_be_named_by_one_of_its_members():
    reading = redundant((None, "g"), ["x1"], ["x0"])
    assert reading.robot.group_names == ("g",)


def test_two_groups_of_one_name_could_not_be_told_apart():
    reading = redundant(("g", "g", "g", "g"), ["x1"], ["x0"], ["x3"], ["x2"])
    assert kinds(reading) == [RedundantsError] * 2
    assert "also the group of 'x0'" in reading.problems[0].message


# -- inertia ---------------------------------------------------------------------------


def with_inertia(inertia):
    link = {"name": "a", "inertial": {"mass": 1, "inertia": inertia}}
    return read_text(json.dumps({"mrdf": "1", "name": "m", "links": [link]}))


@pytest.mark.parametrize("scale", [1e-300, 1e-6, 1.0, 1e6, 1e300])
def test_inertias_of_any_size(scale):
    """A flat plate is the limit of what is possible; a little beyond is not."""
    plate = [[scale, 0, 0], [0, scale, 0], [0, 0, 2 * scale]]
    assert with_inertia(plate).problems == []
    plate[2][2] *= 1.0001
    assert kinds(with_inertia(plate)) == [InertiaError]


def test_inertia_is_judged_in_its_own_axes():
    """Moments 1, 1, 3 turned by 45 degrees have a diagonal that would do."""
    turned = [[2, 0, 1], [0, 1, 0], [1, 0, 2]]
    assert kinds(with_inertia(turned)) == [InertiaError]
    assert "1, 1, 3" in with_inertia(turned).problems[0].message


def test_a_point_mass_is_possible():
    assert with_inertia([[0, 0, 0]] * 3).problems == []


# -- followers and home ----------------------------------------------------------------


def test_repeaters_in_a_chain():
    joints = [joint("ab", "a", "b"), joint("bc", "b", "c"), joint("cd", "c", "d")]
    chain = [
        {"name": "r", "joint": "bc", "follows": "ab"},
        {"name": "s", "joint": "cd", "follows": "bc"},
    ]
    assert read("abcd", joints, repeaters=chain).problems == []
    chain.append({"name": "t", "joint": "ab", "follows": "cd"})
    (problem,) = read("abcd", joints, repeaters=chain).problems
    assert "follows itself" in problem.message


def test_home_needs_joints_or_actuators():
    (problem,) = read("a", home={}).problems
    assert "found neither of 'joints' and 'actuators'" in problem.message
    assert read("a", home={"joints": {}}).problems == []
