"""`Machine.fk`: every way to give lengths, what follows, what stays, and what is refused."""

import math
import warnings
from decimal import Decimal
from fractions import Fraction
from functools import cache
from types import MappingProxyType

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine
from headframe.bench.printed import ORDER
from headframe.errors import (
    HeadframeError,
    LengthError,
    NotAMachineError,
    PartnerError,
    SingularityError,
    StateError,
    UnknownElementError,
)
from headframe.mechanism import State
from headframe.spatial import pose

SLACK = 1e-9  # [m] by which a partner may disagree
X_WB = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))


@cache
def loaded(name):
    return hf.load(name)


@pytest.fixture(params=ORDER)
def m(request):
    return loaded(request.param)


def drawn(m, seed=1):
    """Lengths of the first members somewhere in the box, (n_groups,)."""
    low, high = m.kinematics.usable
    return np.random.default_rng(seed).uniform(low, high)


def along(m, name, part):
    """The length of a group or actuator a part of its stroke from its lower bound [m]."""
    members = dict(zip(m.robot.group_names, m.robot.groups, strict=True)).get(name)
    bounds = (m.actuators[members[0]] if members else m.robot.actuator(name)).bounds
    return bounds.lower + part * (bounds.upper - bounds.lower)


def same(state, other, atol=0.0):
    np.testing.assert_allclose(state.q, other.q, rtol=0, atol=atol)
    np.testing.assert_allclose(state.base, other.base, rtol=0, atol=atol)


# -- the ways to say it -----------------------------------------------------------------


def test_the_compiled_machine_is_made_once():
    m = loaded("tcchs")
    assert hf.compile_machine(m) is m.mechanism
    assert hf.compile_machine(m) is hf.compile_machine(m)
    with pytest.raises(NotAMachineError):
        hf.compile_machine("tcchs")


def test_arrays_and_mappings_say_the_same(m):
    """All actuators or one a group, as an array, list or tuple, or by name."""
    by_group = drawn(m)
    state = m.fk(by_group)
    np.testing.assert_allclose(
        state.lengths[m.mechanism.first_members], by_group, rtol=0, atol=1e-12
    )
    lengths = np.array(state.lengths)
    names = [a.name for a in m.actuators]
    firsts = [names[members[0]] for members in m.robot.groups]
    for given in (
        lengths,
        lengths.tolist(),
        tuple(lengths.tolist()),
        by_group.tolist(),
        tuple(by_group.tolist()),
        dict(zip(names, lengths, strict=True)),
        dict(zip(names, lengths.tolist(), strict=True)),
        dict(zip(firsts, by_group, strict=True)),
        dict(zip(m.robot.group_names, by_group, strict=True)),
        dict(reversed(list(zip(m.robot.group_names, by_group, strict=True)))),
        MappingProxyType(dict(zip(names, lengths, strict=True))),
    ):
        same(m.fk(given), state, atol=1e-12)


def test_home_has_the_lengths_of_home(m):
    same(m.fk(m.home.lengths), m.home, atol=1e-12)
    same(m.fk({}), m.home, atol=1e-12)


def test_any_real_array_serves():
    """Strided, turned round, read-only, of single precision or integers: read, never written."""
    m = loaded("roadheader")
    lengths = np.array(m.fk(drawn(m)).lengths)
    expected = m.fk(lengths)
    n = lengths.size
    wide = np.zeros((n, 3))
    wide[:, 1] = lengths
    big = lengths.astype(">f8")
    frozen = lengths.copy()
    frozen.flags.writeable = False
    unaligned = np.frombuffer(b"\0" + lengths.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    for given in (wide[:, 1], lengths[::-1].copy()[::-1], big, frozen, unaligned):
        before = given.copy()
        same(m.fk(given), expected, atol=1e-15)
        np.testing.assert_array_equal(given, before)
    one = arm(1.0, 3.0)
    assert one.fk(np.array([2])).lengths == pytest.approx([2.0], abs=1e-12)
    assert one.fk([2]).lengths == pytest.approx([2.0], abs=1e-12)
    assert one.fk(np.array([2], dtype=np.uint8)).lengths == pytest.approx([2.0], abs=1e-12)
    single = np.float32(1.7)
    assert one.fk(np.array([single])).lengths == pytest.approx([float(single)], abs=1e-12)
    for number in (2, np.float32(2.0), np.int8(2), Fraction(2), Decimal(2), np.array(2.0)):
        assert one.fk({"c": number}).lengths == pytest.approx([2.0], abs=1e-12)


def arm(low, high):
    """A cylinder over one hinge whose dead centres, 0.5 m and 3.5 m, are out of its bounds."""
    return machine(
        [joint("hinge", "base", "arm", axis=[0, -1, 0])],
        [actuator("c", ("base", (2.0, 0, 0)), ("arm", (1.5, 0, 0)), (low, high))],
        home={"joints": {"hinge": 1.0}},
    )


def test_what_is_given_is_not_kept():
    m = loaded("roadheader")
    lengths = np.array(m.home.lengths)
    state = m.fk(lengths)
    q = state.q.copy()
    lengths[:] = 0.0
    np.testing.assert_array_equal(state.q, q)
    with pytest.raises(ValueError, match="read-only"):
        state.q[0] = 1.0


# -- what stays -------------------------------------------------------------------------


def test_partial_updates_change_what_is_named_alone(m):
    """All lengths but those of the named group stay, and the joints of other blocks with them."""
    start = m.fk(drawn(m, seed=2))
    for group, name in enumerate(m.robot.group_names):
        low, high = (usable[group] for usable in m.kinematics.usable)
        length = low + 0.37 * (high - low)
        state = m.fk({name: length}, start)
        wanted = start.lengths[m.mechanism.first_members].copy()
        wanted[group] = length
        np.testing.assert_allclose(
            state.lengths[m.mechanism.first_members], wanted, rtol=0, atol=1e-12
        )
        same(state, m.fk(wanted), atol=1e-12)
        same(m.fk({m.actuators[m.robot.groups[group][0]].name: length}, start), state)


def test_other_branches_of_the_machine_stay():
    """Moving the boom neither moves the stabilisers nor the plate nor the turret."""
    m = loaded("roadheader")
    state = m.fk({"boom": along(m, "boom", 0.8)})
    for name, value in state.joints.items():
        if name != "pitching":
            assert value == pytest.approx(m.home.joints[name], abs=1e-12)
    assert abs(state.joints["pitching"] - m.home.joints["pitching"]) > 0.01


def test_the_start_does_not_matter_where_the_branch_is_one_sheet(m):
    assert m.kinematics.regular
    lengths = drawn(m, seed=3)
    expected = m.fk(lengths)
    for seed in range(4, 9):
        same(m.fk(lengths, m.fk(drawn(m, seed))), expected, atol=1e-12)


def test_the_base_stays(m):
    start = m.fk(drawn(m, seed=4)).moved(X_WB)
    lengths = drawn(m, seed=5)
    state, standing = m.fk(lengths, start), m.fk(lengths)
    np.testing.assert_allclose(state.base, X_WB, rtol=0, atol=1e-15)
    for link in m.mechanism.body_of_link:
        np.testing.assert_allclose(state.pose(link), X_WB @ standing.pose(link), atol=1e-12)
    np.testing.assert_allclose(state.lengths, standing.lengths, atol=1e-12)


def test_what_motors_spin_stays():
    m = loaded("roadheader")
    q = m.home.q.copy()
    spins = {"cutting": 1.3, "gathering_left_spin": -7.0, "gathering_right_spin": 20.0}
    for name, value in spins.items():
        q[m.mechanism.position_of_joint[name]] = value
    state = m.fk(drawn(m), State(m.mechanism, q))
    assert {name: state.joints[name] for name in spins} == spins
    assert m.fk(drawn(m)).joints["cutting"] == 0.0


def test_continuation_agrees(m):
    for seed in (6, 7):
        lengths = drawn(m, seed)
        state = m.fk(lengths)
        same(m.fk(lengths, method="continuation"), state, atol=1e-9)
        same(m.fk(np.array(state.lengths), method="continuation"), state, atol=1e-9)
        named = dict(zip(m.robot.group_names, lengths, strict=True))
        same(m.fk(named, m.fk(drawn(m, 8)), method="continuation"), state, atol=1e-9)


def test_continuation_keeps_base_and_spins():
    m = loaded("roadheader")
    q = m.home.q.copy()
    q[m.mechanism.position_of_joint["cutting"]] = 1.3
    start, length = State(m.mechanism, q, X_WB), along(m, "boom", 0.8)
    state = m.fk({"boom": length}, start, method="continuation")
    assert state.joints["cutting"] == pytest.approx(1.3, abs=1e-12)
    np.testing.assert_allclose(state.base, X_WB)


# -- partners ---------------------------------------------------------------------------

METHODS = ["exact", "continuation"]


@pytest.mark.parametrize("method", METHODS)
def test_partners_that_are_not_given_follow(method):
    m = loaded("roadheader")
    slew, boom = along(m, "slew", 0.3), along(m, "boom_left", 0.2)
    state = m.fk({"slew": slew, "boom_left": boom}, method=method)
    lengths = dict(zip((a.name for a in m.actuators), state.lengths, strict=True))
    assert lengths["slew_left"] == pytest.approx(slew, abs=1e-10)
    assert lengths["slew_right"] > m.home.lengths[1] > lengths["slew_left"], "the other way round"
    assert lengths["boom_right"] == pytest.approx(boom, abs=1e-10)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("pair", [("slew_left", "slew_right"), ("boom_left", "boom_right")])
def test_a_partner_that_disagrees_is_refused(method, pair):
    """By more than 1e-9 m, given by name or in an array; the first member sets the motion."""
    m = loaded("roadheader")
    first, partner = (m.robot.actuator_index[name] for name in pair)
    good = np.array(m.fk({pair[0]: along(m, pair[0], 0.4)}).lengths)
    for off, fits in ((5e-10, True), (-5e-10, True), (2e-9, False), (-2e-9, False), (0.1, False)):
        lengths = good.copy()
        lengths[partner] += off
        for given in (lengths, {name: lengths[i] for name, i in m.robot.actuator_index.items()}):
            if fits:
                np.testing.assert_allclose(m.fk(given, method=method).lengths, good, atol=1e-10)
                continue
            with pytest.raises(PartnerError) as found:
                m.fk(given, method=method)
            error = found.value
            assert isinstance(error, LengthError)
            assert error.actuator == pair[1]
            assert error.length == pytest.approx(lengths[partner], abs=1e-15)
            assert error.expected == pytest.approx((good[partner],) * 2, abs=1e-10)
            assert f"{pair[0]!r}" in str(error)
    assert first != partner


def test_a_partner_alone_says_nothing_new():
    """Named without its first member it moves nothing: it must have the length it has."""
    m = loaded("roadheader")
    same(m.fk({"slew_right": m.home.lengths[1]}), m.home, atol=1e-12)
    length = along(m, "slew_right", 0.3)
    with pytest.raises(PartnerError) as found:
        m.fk({"slew_right": length})
    assert found.value.actuator == "slew_right"
    assert found.value.length == length
    assert found.value.expected == pytest.approx((m.home.lengths[1],) * 2)


def test_a_group_and_its_first_member_must_agree():
    m = loaded("roadheader")
    length, other = along(m, "slew", 0.3), along(m, "slew", 0.4)
    same(m.fk({"slew": length, "slew_left": length}), m.fk({"slew": length}))
    with pytest.raises(PartnerError, match="set the same motion") as found:
        m.fk({"slew": length, "slew_left": other})
    assert found.value.actuator == "slew_left"


def slewing(partner=(0.5, 3.0)):
    """An antagonistic pair over one hinge: 'right' is at its longest where 'left' is shortest."""
    return machine(
        [joint("slew", "base", "turret", axis=[0, 0, 1])],
        [
            actuator(
                "left", ("base", (-1, 0.5, 0)), ("turret", (0.5, 0.5, 0)), (1.1, 1.8),
                redundants=["right"],
            ),
            actuator(
                "right", ("base", (-1, -0.5, 0)), ("turret", (0.5, -0.5, 0)), partner,
                redundants=["left"],
            ),
        ],
    )  # fmt: skip


@pytest.mark.parametrize("method", METHODS)
def test_a_partner_that_leaves_its_bounds_is_named(method):
    one = slewing(partner=(1.3, 1.7))
    assert one.kinematics.regular, "the kernel looks at partners too"
    good = one.fk([1.4], method=method)
    assert 1.3 < good.lengths[1] < 1.7
    free = slewing().fk([1.15]).lengths[1]
    assert free > 1.7
    for given in ([1.15], {"left": 1.15}):
        with pytest.raises(LengthError) as found:
            one.fk(given, method=method)
        assert not isinstance(found.value, PartnerError)
        assert found.value.actuator == "right"
        assert found.value.length == pytest.approx(free, abs=1e-9)
        assert found.value.expected == (1.3, 1.7)


# -- bounds -----------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_lengths_outside_their_bounds_are_refused(m, method):
    """The error names actuator, length and bounds, and nothing has changed."""
    start = m.fk(drawn(m, seed=9))
    before = start.q.copy()
    for group, members in enumerate(m.robot.groups):
        first = m.actuators[members[0]]
        bounds = (first.bounds.lower, first.bounds.upper)
        for length in (bounds[0] - 2e-9, bounds[1] + 2e-9, 0.0, -1.0, 1e6):
            wanted = start.lengths[m.mechanism.first_members].copy()
            wanted[group] = length
            for given in (wanted, {first.name: length}):
                with pytest.raises(LengthError) as found:
                    m.fk(given, start, method=method)
                assert not isinstance(found.value, PartnerError)
                assert found.value.actuator == first.name
                assert found.value.length == length
                assert found.value.expected == bounds
                assert repr(first.name) in str(found.value)
    np.testing.assert_array_equal(start.q, before)
    same(m.fk({}, start), start, atol=1e-12)


def test_a_rounding_beyond_a_bound_is_forgiven(m):
    for sign, ends in zip((-1, 1), m.kinematics.usable, strict=True):
        same(m.fk(ends + sign * 0.5 * SLACK), m.fk(ends), atol=1e-7)


def test_a_refusal_leaves_the_next_call_right():
    m = loaded("tcchs")
    lengths = drawn(m)
    expected = m.fk(lengths)
    with pytest.raises(LengthError):
        m.fk(np.zeros(lengths.size))
    same(m.fk(lengths), expected)


# -- what is refused --------------------------------------------------------------------


def test_lengths_that_are_no_numbers():
    m = loaded("roadheader")
    good = m.home.lengths.tolist()
    for bad in (
        None,
        "slew",
        "1.5",
        b"1.5",
        [None] * 9,
        ["1.5"] * 9,
        [1.5 + 0j] * 9,
        np.array(good, dtype=complex),
        np.array(good, dtype=object),
        np.array([True] * 9),
        [[1.5], [1.5, 1.6]],
        {1.5, 1.6},
        object(),
    ):
        with pytest.raises(StateError, match=r"(?s)lengths: found .*expected"):
            m.fk(bad)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_lengths_that_are_not_finite(bad, method):
    m = loaded("roadheader")
    for act, one in enumerate(m.actuators):
        lengths = np.array(m.home.lengths)
        lengths[act] = bad
        for given in (lengths, {one.name: bad}):
            with pytest.raises(StateError, match="finite") as found:
                m.fk(given, method=method)
            assert repr(one.name) in str(found.value)


@pytest.mark.parametrize(
    "shape", [(), (0,), (1,), (5,), (8,), (10,), (1, 9), (9, 1), (2, 6), (3, 3)]
)
def test_lengths_of_another_shape(shape):
    with pytest.raises(StateError, match=r"found shape .*expected \(9,\).*\(6,\)"):
        loaded("roadheader").fk(np.full(shape, 1.5))


@pytest.mark.parametrize(
    "bad", [None, "1.5", b"1", True, 1.5j, [1.5, 1.6], {}, object(), np.array([1.5, 1.6])]
)
def test_named_lengths_that_are_no_numbers(bad):
    m = loaded("roadheader")
    for name in ("boom", "boom_left", "boom_right"):
        with pytest.raises(StateError, match=repr(name)):
            m.fk({name: bad})


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("bom", "boom"),
        ("slew_lft", "slew_left"),
        ("Telescope", "telescope"),
        ("shovel", "shovel_plate"),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(name, meant):
    with pytest.raises(UnknownElementError, match=f"did you mean '{meant}'") as found:
        loaded("roadheader").fk({name: 1.5})
    assert isinstance(found.value, KeyError)
    assert found.value.name == name


@pytest.mark.parametrize("name", ["", 3, None, ("boom",), "x" * 10_000])
def test_names_of_nothing_at_all(name):
    with pytest.raises(UnknownElementError):
        loaded("roadheader").fk({name: 1.5})


def test_starts_of_another_machine():
    m, other = loaded("roadheader"), hf.load("roadheader")
    for start in (other.home, loaded("tcchs").home):
        with pytest.raises(StateError, match="another machine"):
            m.fk(m.home.lengths, start)
    for start in (m.home.q, m.home.lengths, "home", 0):
        with pytest.raises(StateError, match="expected a State"):
            m.fk(m.home.lengths, start)


@pytest.mark.parametrize("method", ["", "Exact", "newton", None, 3])
def test_unknown_methods(method):
    with pytest.raises(StateError, match=r"method: found .* expected one of 'exact', 'cont"):
        loaded("roadheader").fk(loaded("roadheader").home.lengths, method=method)


def test_every_refusal_is_a_headframe_error():
    m = loaded("roadheader")
    for given in ([0.0] * 9, [1.0], {"no": 1.0}, {"boom": "x"}, None):
        with pytest.raises(HeadframeError):
            m.fk(given)


def test_nothing_warns():
    """Divisions by zero and odd arrays are answered by errors, not by NumPy's warnings."""
    m = loaded("roadheader")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given in (np.zeros(9), np.full(9, 1e300), np.full(9, -1e300)):
            with pytest.raises(LengthError):
                m.fk(given)


# -- where the branch is not one sheet --------------------------------------------------


def two_sheets():
    """Both dead centres, 0.5 m and 1.5 m, inside the bounds."""
    return machine(
        [joint("hinge", "base", "arm", axis=[0, -1, 0])],
        [actuator("c", ("base", (1.0, 0, 0)), ("arm", (0.5, 0, 0)), (0.2, 2.0))],
        home={"joints": {"hinge": 0.8}},
    )


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("length", [0.3, 0.499, 1.501, 1.9])
def test_beyond_a_dead_centre_the_reachable_lengths_are_named(length, method):
    one = two_sheets()
    for given in ([length], {"c": length}):
        with pytest.raises(SingularityError) as found:
            one.fk(given, method=method)
        assert found.value.actuator == "c"
        assert found.value.reachable == pytest.approx((0.5, 1.5), abs=1e-9)
        assert "0.5" in str(found.value)


def test_the_start_chooses_the_sheet_and_home_is_the_default():
    one = two_sheets()
    below = State(one.mechanism, np.array([-0.8]))
    assert one.fk([1.2]).q == pytest.approx(-one.fk([1.2], below).q, abs=1e-9)
    assert one.fk([1.2]).q[0] > 0.0
