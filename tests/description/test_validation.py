"""What elements say about each other: the finer points. The defects are in test_broken_files."""

import copy
import json
import math
import pickle

import pytest

from headframe.description.model import FrozenMapping, Home
from headframe.description.reading import read_text
from headframe.description.writing import mrdf_text
from headframe.errors import (
    AxisError,
    BoundsError,
    DisconnectedError,
    InertiaError,
    MissingFieldError,
    NameUnknownError,
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


def ball(*quat):
    return read("ab", [joint("j", "a", "b", "spherical")], home={"joints": {"j": quat}})


@pytest.mark.parametrize(
    ("kind", "width"),
    [("revolute", 1), ("continuous", 1), ("prismatic", 1), ("universal", 2), ("free", 7)],
)
def test_home_has_as_many_values_as_the_joint_type(kind, width):
    between = [joint("j", "a", "b", kind, **({"axis2": [1, 0, 0]} if width == 2 else {}))]
    for count in range(1, 9):
        values = [1.0] + [0.0] * (count - 1)
        reading = read("ab", between, home={"joints": {"j": values if count > 1 else 1.0}})
        if count == width:
            assert reading.problems == []
            continue
        (problem,) = reading.problems
        assert (problem.kind, problem.place) == (ValueRangeError, "home.joints.j")
        assert f"'j' takes {width} value(s), but {count} are given" in problem.message


def test_quaternions_at_home_are_unit():
    assert ball(0.6, 0.0, 0.8, 0.0).problems == []
    assert ball(0.7071, 0.7071, 0.0, 0.0).problems == []
    for quat in ((0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0), (1.002, 0.0, 0.0, 0.0)):
        (problem,) = ball(*quat).problems
        assert (problem.kind, problem.place) == (ValueRangeError, "home.joints.j")
        assert "the quaternion of joint 'j' has length" in problem.message


def test_home_keeps_limits_and_bounds():
    hinge = joint("j", "a", "b", limit={"lower": -1, "upper": 0.5})
    for value in (-1, 0.5, 0.5 + 1e-10):
        assert read("ab", [hinge], home={"joints": {"j": value}}).problems == []
    (problem,) = read("ab", [hinge], home={"joints": {"j": 0.6}}).problems
    assert (problem.kind, problem.place) == (BoundsError, "home.joints.j")
    assert "'j' is at 0.6, outside its limit -1 to 0.5" in problem.message

    ram, hinge = [actuator("ram")], [joint("j", "a", "b")]
    assert read("ab", hinge, actuators=ram, home={"actuators": {"ram": 2}}).problems == []
    (problem,) = read("ab", hinge, actuators=ram, home={"actuators": {"ram": 2.5}}).problems
    assert (problem.kind, problem.place) == (BoundsError, "home.actuators.ram")
    assert "'ram' is to be 2.5 m long, outside its bounds 1 to 2 m" in problem.message


def test_home_is_not_judged_by_wrong_limits_or_for_joints_without_positions():
    hinge = joint("j", "a", "b", limit={"lower": 1, "upper": -1})
    assert kinds(read("ab", [hinge], home={"joints": {"j": 0}})) == [BoundsError]
    weld = joint("j", "a", "b", "fixed")
    assert kinds(read("ab", [weld], home={"joints": {"j": [0, 0]}})) == [ValueRangeError]
    ring = [joint("ab", "a", "b"), joint("bc", "b", "c"), joint("ac", "a", "c")]
    ring.append(joint("ca", "c", "a"))
    assert kinds(read("abc", ring, home={"joints": {"ca": [0, 0]}})) == [ValueRangeError]


def test_home_cannot_be_changed():
    home = Home(joints={"a": 1, "b": [1, 0, 0, 0]}, actuators={"ram": 2})
    for values in (home.joints, home.actuators):
        assert isinstance(values, FrozenMapping)
        with pytest.raises(TypeError):
            values["a"] = 3.0
        with pytest.raises(TypeError):
            del values["a"]
        with pytest.raises(AttributeError):
            values.clear()
    assert home.joints == {"a": 1.0, "b": (1.0, 0.0, 0.0, 0.0)}
    assert home.actuators == {"ram": 2.0}
    assert repr(home.actuators) == "{'ram': 2.0}"
    again = Home(joints={"b": [1, 0, 0, 0], "a": 1}, actuators={"ram": 2})
    assert (again, hash(again)) == (home, hash(home))
    assert again != Home(joints={"a": 2}, actuators={"ram": 2})


def test_what_was_given_as_home_stays_apart():
    given = {"a": 1.0}
    home = Home(joints=given)
    given["a"] = 2.0
    assert home.joints["a"] == 1.0


def test_home_is_copied_dumped_and_read_again():
    home = Home(joints={"a": 1, "b": [1, 0, 0, 0]})
    assert home.model_dump(exclude_defaults=True) == {"joints": {"a": 1.0, "b": (1.0, 0, 0, 0)}}
    assert type(home.model_dump()["joints"]) is dict
    for again in (
        Home.model_validate(home.model_dump()),
        Home.model_validate_json(home.model_dump_json()),
        Home(joints=home.joints),
        pickle.loads(pickle.dumps(home)),
        copy.deepcopy(home),
    ):
        assert again == home
        assert isinstance(again.joints, FrozenMapping)
    robot = read("ab", [joint("j", "a", "b")], home={"joints": {"j": 0.5}}).robot
    assert hash(robot) == hash(read_text(mrdf_text(robot)).robot)


# -- joints ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["universal", "spherical", "free", "fixed"])
def test_limits_are_for_joints_of_one_freedom(kind):
    limited = joint("j", "a", "b", kind, axis2=[1, 0, 0], limit={"lower": -1, "upper": 1})
    (problem,) = read("ab", [limited]).problems
    assert (problem.kind, problem.place) == (ValueRangeError, "joints[0].limit")
    assert f"the {kind} joint 'j', but only revolute, prismatic, continuous or" in problem.message


@pytest.mark.parametrize("kind", ["revolute", "continuous", "prismatic"])
def test_joints_of_one_freedom_have_limits(kind):
    limited = joint("j", "a", "b", kind, limit={"lower": -1, "upper": 1})
    assert read("ab", [limited]).robot.joints[0].limit.upper == 1.0


def test_placeholder_limits_of_the_authors_are_no_problem():
    weld = joint("j", "a", "b", "fixed", limit={"lower": 0, "upper": 3.14})
    data = {"name": "m", "links": [{"name": "a"}, {"name": "b"}], "joints": [weld]}
    reading = read_text(json.dumps(data))
    assert reading.problems == []
    assert reading.robot.joints[0].limit is None


def test_a_joint_may_have_armature():
    assert read("ab", [joint("j", "a", "b", armature=0.25)]).robot.joints[0].armature == 0.25
    assert read("ab", [joint("j", "a", "b")]).robot.joints[0].armature == 0.0
    (problem,) = read("ab", [joint("j", "a", "b", armature=-0.25)]).problems
    assert (problem.kind, problem.place) == (ValueRangeError, "joints[0].armature")


@pytest.mark.parametrize("half", [2, 3])
def test_a_joint_that_closes_a_loop_has_no_armature(half):
    """It has no velocity of its own, and would be ignored."""
    joints = ring("revolute")
    joints[half]["armature"] = 0.25
    (problem,) = read("abc", joints).problems
    assert (problem.kind, problem.place) == (ValueRangeError, f"joints[{half}].armature")
    assert "closes a loop, expected armature in a joint of the tree" in problem.message
    joints[half]["armature"] = 0.0
    assert read("abc", joints).problems == []


def ring(kind, first=(0, 1, 0), second=(0, 1, 0)):
    """Three links in a ring; the last pivot is of the given kind and has these axes."""
    return [
        joint("ab", "a", "b"),
        joint("bc", "b", "c"),
        joint("ac", "a", "c", kind, axis=list(first), axis2=[1, 0, 0]),
        joint("ca", "c", "a", kind, axis=list(second), axis2=[1, 0, 0]),
    ]


def test_a_free_joint_closes_nothing():
    (problem,) = read("abc", ring("free")).problems
    assert (problem.kind, problem.place) == (ValueRangeError, "joints[3].type")
    assert "'ca' and 'ac'" in problem.message
    assert "a free joint closes nothing" in problem.message
    for kind in ("revolute", "continuous", "prismatic", "universal", "spherical", "fixed"):
        assert read("abc", ring(kind)).problems == []


def test_both_halves_of_a_slide_lie_along_one_line():
    for second in ((0, 1, 0), (0, -1, 0), (5e-7, 1, 0)):
        assert read("abc", ring("prismatic", second=second)).problems == []
    for second in ((1, 0, 0), (0, 0.6, 0.8), (2e-6, 1, 0)):
        (problem,) = read("abc", ring("prismatic", second=second)).problems
        assert (problem.kind, problem.place) == (AxisError, "joints[3].axis")
        assert "'ac', the other half of this slide" in problem.message
    assert read("abc", ring("revolute", second=(1, 0, 0))).problems == []
    assert kinds(read("abc", ring("prismatic", second=(0, 0, 0)))) == [AxisError]


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (2, 0, 1)])
def test_a_pivot_among_three_joints_of_two_links_cannot_be_told(order):
    """A door on two hinges, one of them written as a pair."""
    hinges = [joint("low", "a", "b"), joint("high", "a", "b"), joint("back", "b", "a")]
    (problem,) = read("ab", [hinges[i] for i in order]).problems
    assert (problem.kind, problem.place) == (TwoParentsError, "joints[2]")
    assert all(f"'{name}'" in problem.message for name in ("low", "high", "back"))
    assert "cannot be told" in problem.message
    assert "one pair that closes a loop" in problem.hint


def test_two_pivots_of_the_same_two_links_cannot_be_told_apart():
    pairs = [joint(f"{way}{k}", *way) for k in range(2) for way in ("ac", "ca")]
    (problem,) = read("abc", [joint("ab", "a", "b"), joint("bc", "b", "c"), *pairs]).problems
    assert problem.kind is TwoParentsError
    assert "'ac0', 'ca0', 'ac1' and 'ca1'" in problem.message


# -- motors ----------------------------------------------------------------------------


@pytest.mark.parametrize(("torque", "fits"), [(5, True), (-5, True), (5.1, False), (-5.1, False)])
def test_a_motor_keeps_its_largest_torque(torque, fits):
    motor = {"name": "m", "joint": "j", "torque": torque, "max_torque": 5}
    reading = read("ab", [joint("j", "a", "b")], motors=[motor])
    if fits:
        assert reading.problems == []
        return
    (problem,) = reading.problems
    assert (problem.kind, problem.place) == (ValueRangeError, "motors[0].torque")
    assert f"found {torque} in motor 'm', expected at most its max_torque of 5" in problem.message


# -- names that the reader invents -----------------------------------------------------

SHAPE = {"geometry": {"type": "sphere", "r": 1}}


@pytest.mark.parametrize("heading", [{"mrdf": "1"}, {}])
def test_without_links_only_their_lack_is_a_problem(heading):
    ram = actuator("ram", tube_visual=SHAPE, rod_visual=SHAPE)
    data = {**heading, "name": "m", "joints": [joint("j", "a", "b")], "actuators": [ram]}
    (problem,) = read_text(json.dumps(data)).problems
    assert (problem.kind, problem.place) == (MissingFieldError, "links")


@pytest.mark.parametrize("links", ["", "a"])
def test_invented_names_are_not_offered(links):
    joints = [joint("j", "a", "ram_tub")]
    reading = read(links, joints, actuators=[actuator("ram", rod_parent="ram_ro")])
    assert reading.problems
    for problem in reading.problems:
        assert problem.kind is NameUnknownError
        assert "ram_tube" not in problem.hint
        assert "ram_rod" not in problem.hint


def test_an_invented_name_can_be_spoken_of():
    """As a saved file would."""
    reading = read(
        "ab", [joint("j", "a", "b")], actuators=[actuator("ram")], end_effector="ram_rod"
    )
    assert reading.problems == []


def test_a_joint_of_no_links_is_a_problem():
    assert kinds(read("", [joint("j", "a", "b")])) == [NameUnknownError] * 2


@pytest.mark.parametrize("size", [1.0000001e6, 1e300])
@pytest.mark.parametrize(
    "shape",
    [
        {"type": "box", "x": 1.0, "y": 1.0, "z": None},
        {"type": "sphere", "r": None},
        {"type": "capsule", "r": None, "h": 1.0},
        {"type": "mesh", "path": "a.stl", "scale": [1.0, None, 1.0]},
    ],
    ids=lambda shape: shape["type"],
)
def test_sizes_that_no_machine_has(shape, size):
    def filled(value):
        if isinstance(value, list):
            return [filled(each) for each in value]
        return size if value is None else value

    given = {key: filled(value) for key, value in shape.items()}
    text = json.dumps(
        {"mrdf": "1", "name": "m", "links": [{"name": "a", "visual": [{"geometry": given}]}]}
    )
    reading = read_text(text)
    assert reading.robot is None
    assert any("expected at most 1e+06" in problem.message for problem in reading.problems)


@pytest.mark.parametrize("axis", [[0.7071068, 0.7071068, 0], [0.5773503, 0.5773503, 0.5773503]])
def test_axes_given_with_seven_digits_are_made_unit_without_a_word(axis):
    """They are off by 1e-8: nobody's mistake, but a motor would turn by so much too far."""
    reading = read(joints=[joint("j", "a", "b", axis=axis)], actuators=[])
    assert (reading.problems, list(reading.notes)) == ([], [])
    found = reading.robot.joints[0].axis
    assert math.fsum(value * value for value in found) == pytest.approx(1.0, abs=4e-16)
    assert abs(math.fsum(value * value for value in axis) - 1.0) > 1e-8


def test_axes_that_are_far_from_unit_are_made_so_with_a_note():
    reading = read(joints=[joint("j", "a", "b", axis=[0, 0, 1.00001])])
    assert reading.robot.joints[0].axis == (0, 0, 1)
    assert len(reading.notes) == 1
    assert "has length 1.00001, normalised to 1" in str(reading.notes[0])


def test_bounds_may_be_one_length_and_limits_one_position():
    """A cylinder that is blocked, a joint that is held: its two ends are the same."""
    held = {"lower": 0.25, "upper": 0.25}
    blocked = {"lower": 1.5, "upper": 1.5}
    joints = [joint("j", "a", "b", limit=held)]
    reading = read(joints=joints, actuators=[actuator("c", bound=blocked)])
    assert reading.problems == []
    joints = [joint("j", "a", "b", limit={"lower": 0.25, "upper": 0.249})]
    crossed = actuator("c", bound={"lower": 1.5, "upper": 1.499})
    assert kinds(read(joints=joints, actuators=[crossed])) == [BoundsError, BoundsError]


@pytest.mark.parametrize("pin", ["tube_axis", "rod_axis"])
def test_pins_of_cylinders_are_normalised(pin):
    reading = read("ab", [joint("j", "a", "b")], actuators=[actuator("c", **{pin: [0, -3, 4]})])
    assert getattr(reading.robot.actuators[0], pin) == pytest.approx((0.0, -0.6, 0.8), abs=1e-15)
    assert "'c' has length 5, normalised to 1" in str(reading.notes[0])
