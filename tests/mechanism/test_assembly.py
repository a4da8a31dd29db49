"""The home pose: closed, in bounds, and the right one among several."""

import math
import warnings
from pathlib import Path

import numpy as np
import pytest

import headframe as hf
from build import actuator, four_bar, joint, machine, peaucellier, rssr, stewart_platform
from headframe.description.model import Home
from headframe.description.reading import read_text, robot_from
from headframe.machine import Machine
from headframe.mechanism import follow, loop_gaps, solve
from headframe.mechanism.assembly import _check_closed
from headframe.mechanism.blocks import find_blocks
from headframe.mechanism.cutout import Cutout
from headframe.mechanism.request import HomeRequest
from headframe.mechanism.search import Assembly, Search

FIXTURES = Path(__file__).parents[1] / "fixtures"
DIALECTS = ["demo_dialect_support.json", "paper_dialect_support.json"]


def load_quietly(path) -> Machine:
    """Load a file whose notes (on placeholder limits) are not the point of the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hf.HeadframeWarning)
        return hf.load(path)


def with_home(m, **home) -> Machine:
    """The machine with a home that the reader of files would not accept."""
    return Machine(m.robot.model_copy(update={"home": Home(**home)}))


def assert_assembled(m):
    home = m.home
    assert max(loop_gaps(home).values(), default=0.0) < 1e-12
    for length, a in zip(home.lengths, m.actuators, strict=True):
        assert a.bounds.lower <= length <= a.bounds.upper


@pytest.mark.parametrize("name", DIALECTS)
def test_files_without_a_home_assemble(name):
    assert_assembled(load_quietly(FIXTURES / name))


def test_two_leg_support_reaches_the_known_pose():
    """The level pose of this geometry was found elsewhere: front link at 2.5993 rad."""
    m = load_quietly(FIXTURES / "demo_dialect_support.json")
    target = np.array([2.4504, 2.4504, 2.4501, 2.4501])
    end = follow(m.mechanism, m.home.q, m.home.lengths, target)
    assert end.solved
    state = hf.State(m.mechanism, end.q)
    assert state.joints["joint_ground_front_link"] == pytest.approx(2.5993, abs=2e-4)
    canopy = state.pose("canopy")
    assert math.atan2(canopy[1, 0], canopy[0, 0]) == pytest.approx(0.0, abs=2e-4)


@pytest.mark.parametrize("make", [rssr, stewart_platform, peaucellier])
def test_loops_of_any_kind_close(make):
    assert_assembled(make())


def test_peaucellier_draws_a_straight_line():
    """Inversion in a circle takes the crank's circle through O to a straight line, x = const."""
    m = peaucellier().mechanism
    crank = m.velocity_of_joint["crank"].start
    others = np.delete(np.arange(m.nv), crank)
    q, tips = peaucellier().home.q.copy(), []
    for angle in (-0.25, 0.0, 0.3):
        q[m.position_of_joint["crank"]] = angle
        turned = solve(m, q, dofs=others)
        assert turned.solved
        tips.append(hf.State(m, turned.q).pose("cd_link")[[0, 2], 3])
    x, z = np.array(tips).T
    assert np.ptp(x) < 1e-11
    assert np.ptp(z) > 0.3
    # |OA| |OC| = long^2 - short^2, and A is at distance 2a from O when the crank is at 0
    assert x[1] == pytest.approx((3.0**2 - 1.2**2) / 2.0, abs=1e-11)


def crank_and_cylinder(tilt, **fields):
    """A crank of length 1 about the origin, tilted; a cylinder from (-1.5, 0, 0) to its end."""
    return machine(
        [joint("hinge", "base", "crank", rpy=[0, tilt, 0])],
        [actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (1.0, 2.0))],
        **fields,
    )


@pytest.mark.parametrize("tilt", [0.4, -0.4])
def test_of_two_covering_assemblies_the_one_nearer_to_zero_is_taken(tilt):
    """Law of cosines: l^2 = 1.5^2 + 1 + 3 cos(angle); the crank is at -tilt +- angle."""
    angle = math.acos((1.5**2 - 1.5**2 - 1.0) / 3.0)
    expected = math.copysign(angle, tilt) - tilt
    m = crank_and_cylinder(tilt)
    assert m.home.joints["hinge"] == pytest.approx(expected, abs=1e-12)
    assert m.home.lengths[0] == pytest.approx(1.5, abs=1e-13)


def test_cover_of_the_box_comes_before_nearness_to_zero():
    """Of this support's eight assemblies two cover the whole box; the nearest to zero does not."""
    m = load_quietly(FIXTURES / "demo_dialect_support.json")
    search, request = search_of(m)
    found = search.assemblies(request.q)
    nearest = min(found, key=lambda assembly: assembly.squares)
    whole = [assembly for assembly in found if assembly.cover == 1.0]
    assert len(found) == 8
    assert len(whole) == 2
    assert nearest.cover < 0.95
    expected = min(whole, key=lambda assembly: assembly.squares)
    np.testing.assert_allclose(m.home.q, expected.q, atol=1e-12)


def test_home_by_joints_is_kept():
    m = crank_and_cylinder(0.0, home={"joints": {"hinge": -2.0}})
    assert m.home.joints["hinge"] == pytest.approx(-2.0, abs=1e-12)


def test_home_by_actuators_is_kept():
    m = crank_and_cylinder(0.4, home={"actuators": {"cyl": 1.9}})
    assert m.home.lengths[0] == pytest.approx(1.9, abs=1e-13)


def test_home_with_rounded_joint_values_is_polished():
    exact = four_bar(2.0, 1.0, 2.0, 1.5, home={"joints": {"crank": -1.0}}).home.joints
    rounded = {name: round(value, 3) for name, value in exact.items()}
    polished = four_bar(2.0, 1.0, 2.0, 1.5, home={"joints": rounded})
    assert_assembled(polished)
    for name, value in polished.home.joints.items():
        assert value == pytest.approx(exact[name], abs=2e-3)


def test_partner_out_of_bounds_rules_an_assembly_out():
    """The mirrored cylinder forbids one of the two elbows."""
    m = machine(
        [joint("hinge", "base", "crank", rpy=[0, 0.4, 0])],
        [
            actuator(
                "a", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (1.0, 2.0), redundants=["b"]
            ),
            actuator("b", ("base", (0, 0, 2)), ("crank", (1, 0, 0)), (2.0, 4.0), redundants=["a"]),
        ],
    )
    assert_assembled(m)
    assert m.home.pose("crank")[2, 0] < 0, "the end must be below, far from the second mount"


def test_four_bar_too_short_says_which_loop_and_by_how_much():
    """Bars of 1 + 1 + 1 stretched towards a pivot 10 away leave 7."""
    with pytest.raises(hf.AssemblyError, match=r"close_ground/close_rocker.*open by 7 m") as caught:
        _ = four_bar(10.0, 1.0, 1.0, 1.0).home
    assert caught.value.loop == "close_ground/close_rocker"
    assert caught.value.gap == pytest.approx(7.0, rel=1e-3)


def test_cylinder_that_cannot_reach_is_named():
    m = machine(
        [joint("hinge", "base", "crank")],
        [actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (3.0, 4.0))],
    )
    with pytest.raises(hf.AssemblyError, match="'cyl'") as caught:
        _ = m.home
    assert caught.value.gap == pytest.approx(0.5, rel=1e-2)  # 3 is the shortest, 2.5 the longest


def test_home_outside_the_bounds_is_an_error():
    with pytest.raises(hf.AssemblyError, match=r"'cyl'.*2\.5.*outside its bounds 1 to 2"):
        _ = crank_and_cylinder(0.0, home={"joints": {"hinge": 0.0}}).home
    with pytest.raises(hf.AssemblyError, match="'cyl' is to be 7 m"):
        _ = with_home(crank_and_cylinder(0.0), actuators={"cyl": 7.0}).home


def test_contradictory_home_is_an_error():
    """Rounding is polished away; a wrong value is not."""
    exact = four_bar(2.0, 1.0, 2.0, 1.5, home={"joints": {"crank": -1.0}}).home.joints
    wrong = {**exact, "coupler": exact["coupler"] + 0.9}
    with pytest.raises(hf.AssemblyError, match="do not close with joint") as caught:
        _ = four_bar(2.0, 1.0, 2.0, 1.5, home={"joints": wrong}).home
    assert caught.value.gap > 0.1


def test_home_lengths_of_partners_must_fit():
    legs = [
        actuator("a", ("base", (-1.5, 1, 0)), ("crank", (1, 1, 0)), (1.0, 2.0), redundants=["b"]),
        actuator("b", ("base", (-1.5, -1, 0)), ("crank", (1, -1, 0)), (1, 2), redundants=["a"]),
    ]
    hinge = [joint("hinge", "base", "crank")]
    assert_assembled(machine(hinge, legs, home={"actuators": {"a": 1.5, "b": 1.5}}))
    with pytest.raises(hf.AssemblyError, match=r"'b' is to be 1\.6 m long, but follows"):
        _ = machine(hinge, legs, home={"actuators": {"a": 1.5, "b": 1.6}}).home


def test_home_outside_a_joint_limit_is_an_error():
    hinge = joint("hinge", "base", "crank", limit={"lower": 0.0, "upper": 1.0})
    with pytest.raises(hf.AssemblyError, match="'hinge' is at -2, outside its limit 0 to 1"):
        _ = with_home(machine([hinge]), joints={"hinge": -2.0}).home


def test_home_with_the_wrong_number_of_values_is_an_error():
    m = with_home(machine([joint("ball", "a", "b", "spherical")]), joints={"ball": 0.5})
    with pytest.raises(hf.AssemblyError, match="'ball' takes 4 value"):
        _ = m.home


def test_axes_that_are_not_parallel_leave_the_loop_open():
    m = machine(
        [
            joint("crank", "ground", "crank_link"),
            joint("coupler", "crank_link", "coupler_link", at=[1, 0, 0]),
            joint("rocker", "coupler_link", "rocker_link", at=[2, 0, 0]),
            joint("close_ground", "ground", "rocker_link", at=[2, 0, 0], axis=[1, 0, 0]),
            joint("close_rocker", "rocker_link", "ground", at=[1.5, 0, 0]),
        ]
    )
    with pytest.raises(hf.AssemblyError, match="close_ground/close_rocker"):
        _ = m.home


def test_repeater_holds_at_home():
    m = machine(
        [joint("lead", "base", "a"), joint("tail", "a", "b", at=[1, 0, 0])],
        repeaters=[{"name": "r", "joint": "tail", "follows": "lead", "ratio": -2, "offset": 0.5}],
    )
    assert m.home.joints["tail"] == pytest.approx(0.5 - 2 * m.home.joints["lead"], abs=1e-13)


def test_joint_limits_are_kept_where_they_can_be():
    m = machine(
        [joint("hinge", "base", "crank", rpy=[0, 0.4, 0], limit={"lower": -3.0, "upper": 0.0})],
        [actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (1.0, 2.0))],
    )
    assert -3.0 <= m.home.joints["hinge"] <= 0.0


# -- lengths and limits that leave little room -----------------------------------------


def test_home_length_is_kept_where_no_component_covers_the_box():
    """The crank's end is 0.5 to 2.5 away: no pose has a length below 0.5."""
    for length in (0.9, 1.9):
        m = machine(
            [joint("hinge", "base", "crank", rpy=[0, 0.4, 0])],
            [actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (0.2, 2.4))],
            home={"actuators": {"cyl": length}},
        )
        assert m.home.lengths[0] == pytest.approx(length, abs=1e-12)


def test_box_whose_middle_cannot_be_assembled():
    """The longest possible length is 2.5: most of the box from 2.3 to 8 is out of reach."""
    m = machine(
        [joint("hinge", "base", "crank", rpy=[0, 0.4, 0])],
        [actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (2.3, 8.0))],
    )
    assert_assembled(m)
    assert 2.3 <= m.home.lengths[0] <= 2.5


def test_home_is_moved_towards_the_middle_of_the_box():
    """Reachable lengths are 0.5 to 2.5, the middle of the box is 2.6: home comes close to it.

    The joint is at zero where the cylinder is shortest, so that nearness to zero alone would
    leave home there.
    """
    m = machine(
        [joint("hinge", "base", "crank")],
        [actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (-1, 0, 0)), (0.7, 4.5))],
    )
    assert_assembled(m)
    assert m.home.lengths[0] > 2.3


def test_stewart_platform_without_home_is_inside_its_bounds():
    robot = stewart_platform().robot.model_copy(update={"home": None})
    m = Machine(robot)
    assert_assembled(m)
    assert m.home.joints["float"][0] >= 0.0


def test_limit_beyond_half_a_turn_chooses_the_turn():
    """The solutions are at 1.51 and -2.31 rad; only the second, a turn on, is in the limit."""
    m = machine(
        [joint("hinge", "base", "crank", rpy=[0, 0.4, 0], limit={"lower": 3.3, "upper": 5.0})],
        [actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (1.0, 2.0))],
    )
    angle = math.acos(-1.0 / 3.0)
    assert m.home.joints["hinge"] == pytest.approx(-0.4 - angle + 2 * math.pi, abs=1e-12)


def test_limit_that_no_assembly_keeps_is_an_error():
    m = machine(
        [joint("hinge", "base", "crank", limit={"lower": 0.0, "upper": 0.1})],
        [actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (1.0, 2.0))],
    )
    with pytest.raises(hf.AssemblyError, match=r"'hinge' is at .*, outside its limit 0 to 0\.1"):
        _ = m.home


@pytest.mark.parametrize(("ratio", "offset"), [(2.0, 7.0), (3.3, -1.0)])
def test_repeaters_count_whole_turns(ratio, offset):
    m = machine(
        [
            joint("hinge", "base", "crank", rpy=[0, 0.4, 0]),
            joint("tail", "crank", "b", at=[1, 0, 0]),
        ],
        [actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (1.0, 2.0))],
        repeaters=[
            {"name": "r", "joint": "tail", "follows": "hinge", "ratio": ratio, "offset": offset}
        ],
    )
    joints = m.home.joints
    assert joints["tail"] == pytest.approx(ratio * joints["hinge"] + offset, abs=1e-12)
    assert m.home.lengths[0] == pytest.approx(1.5, abs=1e-12)


def test_rounded_quaternion_of_a_home_is_made_unit():
    m = machine(
        [joint("ball", "a", "b", "spherical")], home={"joints": {"ball": [0.7071, 0.7071, 0, 0]}}
    )
    R = m.home.pose("b")[:3, :3]
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-14)


def test_wrong_numbers_are_typed_errors():
    m = crank_and_cylinder(0.4).mechanism
    for q in (np.zeros(2), [np.nan], np.zeros((1, 1))):
        with pytest.raises(hf.StateError):
            hf.State(m, q)
        with pytest.raises(hf.StateError):
            solve(m, q)
    with pytest.raises(hf.StateError):
        solve(m, [0], lengths=np.ones(3))
    assert solve(m, [1], np.array([1.5]), rows=m.length_rows).solved, "whole numbers will do"


@pytest.mark.parametrize(("hinge", "across"), [([0, 1, 0], 2), ([0, 0, 1], 1)])
def test_slider_crank_is_closed_by_a_prismatic_pair(hinge, across):
    """The slider's place follows from geometry; it neither turns nor leaves its line."""
    m = machine(
        [
            joint("crank", "ground", "a", axis=hinge),
            joint("coupler", "a", "b", at=[1, 0, 0], axis=hinge),
            joint("pin", "b", "slider", at=[2, 0, 0], axis=hinge),
            joint("guide_ground", "ground", "slider", "prismatic", axis=[1, 0, 0]),
            joint("guide_slider", "slider", "ground", "prismatic", axis=[1, 0, 0]),
        ],
        home={"joints": {"crank": -0.7}},
    )
    place = m.home.pose("slider")[:3, 3]
    root = math.sqrt(4 - math.sin(0.7) ** 2)
    assert min(abs(place[0] - math.cos(0.7) - side * root) for side in (1, -1)) < 1e-12
    assert place[across] == pytest.approx(0.0, abs=1e-12)
    np.testing.assert_allclose(m.home.pose("slider")[:3, :3], np.eye(3), atol=1e-11)


# -- parts of the search ---------------------------------------------------------------


def search_of(m):
    request = HomeRequest(m.mechanism)
    (block,) = find_blocks(m.mechanism)
    return Search(Cutout(m.mechanism, block), request), request


def test_assemblies_elsewhere_are_looked_for_where_none_covers_the_box():
    """With bounds as wide as 1.70 to 3.80 no component of the two-leg support is whole."""
    robot = load_quietly(FIXTURES / "demo_dialect_support.json").robot
    wide = [
        a.model_copy(update={"bounds": a.bounds.model_copy(update={"lower": 1.7, "upper": 3.8})})
        for a in robot.actuators
    ]
    m = Machine(robot.model_copy(update={"actuators": tuple(wide)}))
    search, request = search_of(m)
    in_the_middle = search._at_lengths(request.q, request.lengths)
    everywhere = search.assemblies(request.q)
    assert all(assembly.cover < 1.0 for assembly in in_the_middle)
    assert len(everywhere) > len(in_the_middle)
    assert_assembled(m)


def test_home_length_that_cannot_be_is_named():
    """The crank's end is 2.5 away at the most."""
    cylinder = actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (0.7, 2.8))
    m = machine([joint("hinge", "base", "crank")], [cylinder], home={"actuators": {"cyl": 2.7}})
    with pytest.raises(hf.AssemblyError, match=r"'cyl' cannot be 2\.7 m long, as home wants") as e:
        _ = m.home
    assert e.value.gap == pytest.approx(0.2, rel=1e-2)


def test_an_assembly_is_moved_towards_the_middle_of_the_box():
    """From 1.0 towards 2.6 the way ends at 2.5; nine tenths of it are gone."""
    cylinder = actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (0.7, 4.5))
    search, _ = search_of(machine([joint("hinge", "base", "crank")], [cylinder]))
    start = np.array([1.0])
    q = search.part.solve(np.array([2.0]), start, search.part.driven).q
    _, lengths = search._centred(q, start)
    assert lengths[0] == pytest.approx(1.0 + 0.9 * 1.5, abs=1e-5)


def test_fresh_assemblies_turn_no_further_than_they_must():
    limit = {"lower": 3.3, "upper": 5.0}
    low = {"lower": -9.0, "upper": -5.0}
    hinges = [
        joint("free_turn", "base", "a"),
        joint("limited", "a", "b", limit=limit),
        joint("limited_low", "b", "c", limit=low),
        joint("follower", "c", "d"),
        joint("ball", "d", "e", "spherical"),
    ]
    repeater = {"name": "r", "joint": "follower", "follows": "free_turn"}
    cylinder = actuator("cyl", ("base", (3, 0, 0)), ("e", (1, 0, 0)), (0.1, 9.0))
    m = machine(hinges, [cylinder])
    search, request = search_of(m)
    fresh = search._fresh(np.array([7.0, -1.91, 0.5, -4.0, -0.6, 0.8, 0.0, 0.0]))
    turn = 2 * math.pi
    expected = [7.0 - turn, -1.91 + turn, 0.5 - turn, -4.0 + turn, 0.6, -0.8, 0.0, 0.0]
    np.testing.assert_allclose(fresh, expected, atol=1e-12)
    tied = machine(hinges, [cylinder], repeaters=[repeater])
    search, request = search_of(tied)
    fresh = search._fresh(np.array([7.0, 3.5, -6.0, 7.0, 1.0, 0.0, 0.0, 0.0]))
    np.testing.assert_allclose(fresh[[0, 3]], 7.0)
    assert request.q[1] == 3.3


def test_open_poses_are_refused_whoever_made_them(monkeypatch):
    m = four_bar(2.0, 1.0, 2.0, 1.5)
    with monkeypatch.context() as patch:
        patch.setattr(Search, "assembled", lambda self, q: q)
        with pytest.raises(hf.AssemblyError, match="stays open by"):
            _ = m.home
    with pytest.raises(hf.AssemblyError, match="close_ground/close_rocker"):
        _check_closed(hf.State(m.mechanism, m.mechanism.q_zero + 0.3))
    tied = machine(
        [joint("lead", "base", "a"), joint("tail", "a", "b")],
        repeaters=[{"name": "r", "joint": "tail", "follows": "lead", "ratio": 2.0}],
    )
    with pytest.raises(hf.AssemblyError, match="repeater is off by 1"):
        _check_closed(hf.State(tied.mechanism, [1.0, 1.0]))


def test_all_cylinders_that_home_leaves_outside_their_bounds_are_named():
    """The likely mistake of somebody who changes strokes in a file that names its home."""
    path = Path(__file__).parents[2] / "docs" / "examples" / "my_support.json"
    text = path.read_text().replace('"lower": 1.3, "upper": 2.3', '"lower": 3.3, "upper": 3.9')
    own = Machine(robot_from(read_text(text), "mine"))
    with pytest.raises(hf.AssemblyError) as caught:
        _ = own.home
    said = str(caught.value)
    assert "'left_leg'" in said
    assert "'right_leg'" in said
    assert "outside its bounds 3.3 to 3.9 m" in said
    assert "change the bounds, or the joints that home names" in said


@pytest.mark.parametrize(
    ("covers", "wanted"),
    [
        ((1.0, 0.99), 0),  # a whole box is no chance: only less than a sample counts as equal
        ((1.0, 1.0), 1),
        ((0.5, 0.4), 1),  # equal within twice the deviation of 64 samples, which is 0.125
        ((0.5, 0.36), 0),
        ((0.4, 0.5), 1),
        ((0.36, 0.5, 0.45), 2),
    ],
)
def test_of_assemblies_that_cover_as_much_the_one_nearest_to_zero_is_chosen(covers, wanted):
    """Further assemblies are nearer to zero; noise is 2 sqrt(c (1 - c) / 64) and half a sample."""
    cylinder = actuator("cyl", ("base", (-1.5, 0, 0)), ("crank", (1, 0, 0)), (0.7, 2.4))
    search, request = search_of(machine([joint("hinge", "base", "crank")], [cylinder]))
    found = [Assembly(request.q, 10.0 - n, lambda c=cover: c) for n, cover in enumerate(covers)]
    for order in (found, found[::-1]):
        assert search.chosen(order, request.q) is found[wanted]


def test_limits_of_loops_that_no_cylinder_drives_are_kept_where_they_can_be():
    """Of all poses that close the one nearest to zero of those within limits, if there are any."""
    m = machine(
        [
            joint("crank", "ground", "a", limit={"lower": 2.0, "upper": 2.4}),
            joint("coupler", "a", "b", at=[1, 0, 0]),
            joint("rocker", "b", "c", at=[2, 0, 0]),
            joint("close_ground", "ground", "c", at=[2, 0, 0]),
            joint("close_c", "c", "ground", at=[1.5, 0, 0]),
        ]
    )
    assert 2.0 <= m.home.joints["crank"] <= 2.4
    search, request = search_of(m)
    near, within, far = (np.array(q) for q in ([1.9, 0, 0], [2.2, 2.0, 2.0], [2.2, 3.0, 3.0]))
    assert search._nearest_to_zero([near, far, within], request.q) is within
    assert search._nearest_to_zero([near + 1.0, near], request.q) is near


@pytest.mark.parametrize(
    ("ends", "home"), [((-1.0, 2.0), 0.0), ((0.5, 2.0), 0.5), ((-2, -1), -1.0)]
)
def test_a_joint_that_home_does_not_name_is_at_zero_or_nearest_to_it(ends, home):
    limit = {"lower": ends[0], "upper": ends[1]}
    one = machine([joint("hinge", "base", "arm", limit=limit)])
    assert one.home.joints["hinge"] == home
