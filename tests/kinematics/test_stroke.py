"""`Machine.stroke`: how far a cylinder goes with the others locked, and what ends it."""

import math
from functools import cache

import numpy as np
import pytest
from linkages import support

import headframe as hf
from build import actuator, joint, machine, stewart_platform
from headframe.bench.printed import ORDER
from headframe.errors import (
    LengthError,
    PartnerError,
    SingularityError,
    StateError,
    UnknownElementError,
)
from headframe.mechanism import State
from headframe.spatial import pose


@cache
def loaded(name):
    return hf.load(name)


def names(one):
    return [a.name for a in one.actuators]


def assert_ends(one, state, name, apart=3e-6):
    """Just inside both ends it can be, just outside it cannot, for the reason given.

    A four-bar's opening is kept clear of by 1e-6 m.
    """
    found = one.stroke(state, name)
    first = next(m[0] for m in one.robot.groups if one.robot.actuator_index[name] in m)
    assert one.actuators[first].name == name, "of first members only"
    now = state.lengths[first]
    assert found.low <= now + 1e-9
    assert found.high >= now - 1e-9
    for end, reason, outwards in (
        (found.low, found.low_reason, -apart),
        (found.high, found.high_reason, apart),
    ):
        if abs(end - now) > apart:
            one.fk({name: end - outwards}, state)
        kind = SingularityError if reason == "singularity" else LengthError
        with pytest.raises(kind) as refused:
            one.fk({name: end + outwards}, state)
        assert not isinstance(refused.value, PartnerError)
        assert (refused.value.actuator == name) == (reason != "partner")
    return found


# -- closed forms -----------------------------------------------------------------------


def arm(a, b, bounds, home=0.8, out=0.0):
    """A cylinder over one hinge, its mounts `a` and `b` from it, `out` of the plane."""
    return machine(
        [joint("hinge", "base", "arm", axis=[0, -1, 0])],
        [actuator("c", ("base", (a, 0, 0)), ("arm", (b, out, 0)), bounds)],
        home={"joints": {"hinge": home}},
    )


@pytest.mark.parametrize(("a", "b"), [(1.0, 0.5), (0.5, 1.0), (2.0, 1.9), (0.3, 5.0)])
@pytest.mark.parametrize("out", [0.0, 0.4])
def test_between_two_dead_centres(a, b, out):
    """Arms in line, folded and stretched: |a - b| and a + b, out of the plane by `out`."""
    one = arm(a, b, (0.01, 20.0), out=out)
    found = one.stroke(one.home, "c")
    assert found.low == pytest.approx(math.hypot(a - b, out), abs=1e-9)
    assert found.high == pytest.approx(math.hypot(a + b, out), abs=1e-9)
    assert (found.low_reason, found.high_reason) == ("singularity", "singularity")
    assert found == (found.low, found.high, "singularity", "singularity")
    assert_ends(one, one.home, "c")


def test_between_bounds():
    one = arm(1.0, 0.5, (0.7, 1.3))
    assert one.stroke(one.home, "c") == (0.7, 1.3, "bound", "bound")
    assert_ends(one, one.home, "c")


def test_a_bound_and_a_dead_centre():
    one = arm(1.0, 0.5, (0.7, 3.0))
    found = assert_ends(one, one.home, "c")
    assert (found.low, found.low_reason, found.high_reason) == (0.7, "bound", "singularity")
    assert found.high == pytest.approx(1.5, abs=1e-9)
    one = arm(1.0, 0.5, (0.1, 1.3))
    found = assert_ends(one, one.home, "c")
    assert (found.high, found.low_reason, found.high_reason) == (1.3, "singularity", "bound")
    assert found.low == pytest.approx(0.5, abs=1e-9)


def test_a_slide_ends_where_the_cylinder_stands_square_to_it():
    one = machine(
        [joint("slide", "base", "sledge", "prismatic", axis=[1, 0, 0])],
        [actuator("c", ("base", (0, 0, 0.6)), ("sledge", (0, 0, 0)), (0.1, 2.0))],
        home={"joints": {"slide": 0.8}},
    )
    found = one.stroke(one.home, "c")
    assert found == (pytest.approx(0.6, abs=1e-9), 2.0, "singularity", "bound")


def test_a_four_bar_that_opens():
    """It opens where coupler and rocker lie on each other, 2 - 1 = 1 m from ground to crank."""
    one = machine(
        [
            joint("crank", "ground", "crank_link"),
            joint("coupler", "crank_link", "coupler_link", at=[1.0, 0, 0]),
            joint("rocker", "coupler_link", "rocker_link", at=[2.0, 0, 0]),
            joint("close_ground", "ground", "rocker_link", at=[1.2, 0, 0]),
            joint("close_rocker", "rocker_link", "ground", at=[1.0, 0, 0]),
        ],
        [actuator("c", ("ground", (-0.2, 0, 1.2)), ("crank_link", (0.8, 0, 0)), (0.5, 2.02))],
        home={"joints": {"crank": 1.13}},
    )
    found = assert_ends(one, one.home, "c")
    # 1 = 1 + 1.44 - 2.4 cos(crank) at cos = 0.6, where the rod's mount is at (0.48, -0.64)
    assert found.low == pytest.approx(math.hypot(0.48 + 0.2, -0.64 - 1.2), abs=2e-6)
    assert found.high == pytest.approx(math.hypot(0.2, 1.2) + 0.8, abs=1e-9)
    assert (found.low_reason, found.high_reason) == ("singularity", "singularity")


# -- partners ---------------------------------------------------------------------------


def slewing(left, right):
    """An antagonistic pair over one hinge, alike at home: while one shortens the other grows."""
    return machine(
        [joint("slew", "base", "turret", axis=[0, 0, 1])],
        [
            actuator(
                "left", ("base", (-1, 0.5, 0)), ("turret", (0.5, 0.5, 0)), left,
                redundants=["right"],
            ),
            actuator(
                "right", ("base", (-1, -0.5, 0)), ("turret", (0.5, -0.5, 0)), right,
                redundants=["left"],
            ),
        ],
        home={"joints": {"slew": 0.0}},
    )  # fmt: skip


def other(length):
    """The one's length where the other has `length`: a = sqrt(1.25), b = sqrt(0.5)."""
    a, b = math.sqrt(1.25), math.sqrt(0.5)
    # angles between the arms at home, where both are 1.5 long
    home = math.acos((1.25 + 0.5 - 1.5**2) / (2 * a * b))
    turned = math.acos((1.25 + 0.5 - length**2) / (2 * a * b)) - home
    return math.sqrt(1.25 + 0.5 - 2 * a * b * math.cos(home - turned))


def test_a_partner_ends_it_before_its_own_bound_does():
    one = slewing((1.1, 1.8), (1.3, 1.7))
    found = assert_ends(one, one.home, "left", apart=1e-7)
    assert (found.low_reason, found.high_reason) == ("partner", "partner")
    assert found.low == pytest.approx(other(1.7), abs=3e-9)
    assert found.high == pytest.approx(other(1.3), abs=3e-9)


def test_the_partner_sees_its_own_bounds():
    one = slewing((1.1, 1.8), (1.3, 1.7))
    found = one.stroke(one.home, "right")
    assert (found.low, found.high) == pytest.approx((1.3, 1.7), abs=2e-9)
    assert (found.low_reason, found.high_reason) == ("bound", "bound")


def test_the_partner_sees_its_first_members_bounds_as_a_partners():
    one = slewing((1.3, 1.7), (0.9, 1.8))
    assert one.stroke(one.home, "left") == (1.3, 1.7, "bound", "bound")
    found = one.stroke(one.home, "right")
    assert (found.low, found.high) == pytest.approx((other(1.7), other(1.3)), abs=1e-9)
    assert (found.low_reason, found.high_reason) == ("partner", "partner")


def test_the_partner_sees_a_dead_centre():
    """The first member is stretched at a + b; its partner then ends too, shorter."""
    one = slewing((1.3, 1.9), (0.2, 3.0))
    stretched = math.sqrt(1.25) + math.sqrt(0.5)
    found = one.stroke(one.home, "left")
    assert found == (1.3, pytest.approx(stretched, abs=1e-9), "bound", "singularity")
    found = one.stroke(one.home, "right")
    assert found.low == pytest.approx(other(stretched - 1e-15), abs=1e-5)  # a root of rounding
    assert found.high == pytest.approx(other(1.3), abs=1e-9)
    assert (found.low_reason, found.high_reason) == ("singularity", "partner")


def test_a_partner_that_turns_back_on_its_way():
    """While 'left' shrinks to 0.5 m, 'right' grows to its dead centre and shrinks again."""
    one = slewing((0.5, 1.8), (0.1, 3.0))
    longest = math.sqrt(1.25) + math.sqrt(0.5)
    assert one.fk({"left": other(longest - 1e-12)}).lengths[1] == pytest.approx(longest, abs=1e-9)
    assert one.stroke(one.home, "right").high == pytest.approx(longest, abs=1e-6)


def test_a_bound_that_the_partner_passes_on_the_way_ends_it():
    """At 0.5 m 'right' would be inside its bounds again, but no way leads there."""
    one = slewing((0.5, 1.8), (0.1, 1.81))
    found = one.stroke(one.home, "left")
    assert found == (pytest.approx(other(1.81), abs=2e-8), 1.8, "partner", "bound")


def test_forward_kinematics_does_not_go_beyond_the_stroke():
    """The working branch is the connected set around home with all lengths in their bounds."""
    one = slewing((0.5, 1.8), (0.1, 1.81))
    assert one.stroke(one.home, "left").low > 0.8
    with pytest.raises((SingularityError, LengthError)):
        one.fk({"left": 0.5})


def test_members_that_are_twins():
    """Partners of the catalogue have a millimetre to spare: their first members' bounds end it."""
    m = loaded("roadheader")
    for name in ("boom_right", "apron_right", "slew_right"):
        found = m.stroke(m.home, name)
        bounds = m.robot.actuator(name).bounds
        assert found.low == pytest.approx(bounds.lower, abs=1.1e-3)
        assert found.high == pytest.approx(bounds.upper, abs=1.1e-3)
        assert (found.low_reason, found.high_reason) == ("partner", "partner")


# -- machines ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ORDER)
def test_the_catalogue_has_its_full_strokes(name):
    """The branch covers the box: from home and elsewhere each first member reaches its bounds."""
    m = loaded(name)
    elsewhere = m.fk(np.random.default_rng(1).uniform(*m.kinematics.usable))
    for state in (m.home, elsewhere):
        for act in m.mechanism.first_members:
            bounds = m.actuators[act].bounds
            found = m.stroke(state, m.actuators[act].name)
            assert found == (
                pytest.approx(bounds.lower, abs=1e-9),
                pytest.approx(bounds.upper, abs=1e-9),
                "bound",
                "bound",
            )


def test_the_others_are_locked():
    """How far one cylinder goes depends on where the other stands."""
    one = support(np.random.default_rng(5), 1.8).machine()
    first, second = names(one)
    low, high, _, _ = one.stroke(one.home, second)
    strokes = [
        one.stroke(one.fk({second: low + part * (high - low)}), first) for part in (0.3, 0.7)
    ]
    assert abs(strokes[0].low - strokes[1].low) + abs(strokes[0].high - strokes[1].high) > 1e-3


@pytest.mark.parametrize("seed", [5, 7, 9, 13, 17, 21])
def test_coupled_machines_that_are_not_one_sheet(seed):
    """Two cylinders over a four-bar and a canopy, with strokes beyond what can be reached."""
    one = support(np.random.default_rng(seed), 1.8).machine()
    assert one.kinematics.plan.blocks
    assert not one.kinematics.regular
    for name in names(one):
        assert_ends(one, one.home, name)


def test_another_block_may_end_it_before_its_own_dead_centre():
    one = support(np.random.default_rng(133), 1.8).machine()
    assert_ends(one, one.home, "cylinder_1")


def test_from_the_other_sheet():
    one = arm(1.0, 0.5, (0.2, 2.0))
    below = State(one.mechanism, np.array([-0.8]), pose((1, 2, 3), (0.3, 0.2, 0.1)))
    found = one.stroke(below, "c")
    assert (found.low, found.high) == pytest.approx((0.5, 1.5), abs=1e-9)
    assert_ends(one, below, "c")


def test_a_machine_of_the_general_solver():
    one = stewart_platform()
    found = one.stroke(one.home, "leg0")
    assert found.low == pytest.approx(1.6, abs=1e-9) or found.low_reason == "singularity"
    assert found.high == pytest.approx(2.4, abs=1e-9) or found.high_reason == "singularity"
    assert_ends(one, one.home, "leg0")


@pytest.mark.parametrize("name", ["roadheader", "tcchs"])
def test_a_group_is_its_first_member(name):
    m = loaded(name)
    for group, members in zip(m.robot.group_names, m.robot.groups, strict=True):
        assert m.stroke(m.home, group) == m.stroke(m.home, m.actuators[members[0]].name)


def test_what_is_refused():
    m = loaded("roadheader")
    with pytest.raises(UnknownElementError, match=r"no actuator or group .*did you mean 'boom'"):
        m.stroke(m.home, "bom")
    with pytest.raises(StateError, match="state: found 'home', expected a State"):
        m.stroke("home", "boom")
    with pytest.raises(UnknownElementError, match="did you mean 'boom_left'"):
        m.stroke(m.home, "bom_left")
    with pytest.raises(StateError, match="another machine"):
        m.stroke(loaded("tcchs").home, "boom_left")
