"""Which solution: the end of the straight way in length space from home, or an error, never a flip.

The oracle is `follow`, the general solver's continuation: it knows nothing of driving variables,
blocks, closed forms or tables. Its parts of 0.001 rad are finer than those of `fk`, which follows
too where a branch is not one sheet: with the same parts it would agree with any flip.
Where branches meet, it is no truth: which one it goes on depends on how it steps over the place.
"""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from linkages import PAIRS, chain, driven_four_bar, support

from build import actuator, joint, machine
from headframe.errors import AssemblyError, LengthError, SingularityError
from headframe.mechanism import State, follow
from headframe.mechanism.solver import residuals

SEEDS = st.integers(0, 2**32 - 1)
FINE = 0.001
OTHERS = (0.005, 0.02)  # as good where branches cross


def bounds(one):
    return np.array([(a.bounds.lower, a.bounds.upper) for a in one.actuators]).T


def assembled(linkage):
    """The machine, if it is one: cylinders may contradict each other, or start out of reach."""
    one = linkage.machine()
    try:
        _ = one.home
    except AssemblyError:
        assume(False)
    return one


def attempt(one, lengths):
    """The state, or the error that says why there is none."""
    try:
        return one.fk(lengths), None
    except SingularityError as error:
        return None, error


def compare(one, random, count, crossing=False):
    """The law for `count` lengths in the box, a third of them corners.

    `crossing`: the way may lead through a pose in which branches meet. There an error is right,
    and so is any branch that a continuation goes on.
    """
    low, high = bounds(one)
    for _ in range(count):
        part = random.uniform(size=low.size)
        if random.random() < 0.3:
            part = np.round(part)
        lengths = low + part * (high - low)
        state, refused = attempt(one, lengths)
        ends = [way(one, lengths, turn) for turn in ((FINE, *OTHERS) if crossing else (FINE,))]
        if state is None:
            assert crossing or not ends[0].solved, f"{lengths} can be reached: {refused}"
            assert refused.actuator in one.robot.actuator_index
            continue
        if not ends[0].solved:
            ends[0] = way(one, lengths, FINE, pieces=1000)
        ways = [end.q for end in ends if end.solved]
        assert ways, f"{lengths}: no way leads there"
        # joints are continuous, so a whole turn is a difference; 1e-8 is far from any other branch
        # and far above rounding next to a dead centre, where angles go as the root of lengths
        assert min(np.abs(state.q - q).max(initial=0.0) for q in ways) < 1e-8, f"{lengths}: a flip"
        assert np.abs(residuals(state)).max(initial=0.0) < 1e-10
        np.testing.assert_allclose(state.lengths, lengths, rtol=0, atol=1e-10)


def way(one, lengths, max_turn, pieces=1):
    """Where the straight way from home ends.

    `follow` gives up where a millionth of the way is too much in one part. In pieces it gets
    through where a link swings round while its cylinder hardly moves, as in a folding deltoid.
    """
    q, before = one.home.q, one.home.lengths
    for done in np.linspace(0.0, 1.0, pieces + 1)[1:]:
        now = one.home.lengths + done * (lengths - one.home.lengths)
        end = follow(one.mechanism, q, before, now, max_turn=max_turn)
        if not end.solved:
            break
        q, before = end.q, now
    return end


@pytest.mark.parametrize("kind", ["any", "drag", "nearly parallelogram", "nearly deltoid"])
@settings(max_examples=14)
@given(seed=SEEDS, pair=st.sampled_from(PAIRS))
def test_four_bars(kind, seed, pair):
    random = np.random.default_rng(seed)
    compare(assembled(driven_four_bar(random, kind, pair)), random, 8)


@pytest.mark.parametrize("kind", ["parallelogram", "deltoid"])
@settings(max_examples=14)
@given(seed=SEEDS, pair=st.sampled_from(PAIRS))
def test_four_bars_whose_branches_cross(kind, seed, pair):
    random = np.random.default_rng(seed)
    compare(assembled(driven_four_bar(random, kind, pair)), random, 8, crossing=True)


@settings(max_examples=25)
@given(seed=SEEDS)
def test_chains_of_hinges_and_slides(seed):
    random = np.random.default_rng(seed)
    compare(assembled(chain(random)), random, 8)


@settings(max_examples=10)
@given(seed=SEEDS, widest=st.sampled_from((1.1, 1.8)))
def test_supports(seed, widest):
    random = np.random.default_rng(seed)
    compare(assembled(support(random, widest)), random, 8)


# -- machines made so that there is something to get wrong ------------------------------


def bar(ground, crank, coupler, rocker, cylinder, angle):
    """A four-bar as in `build.four_bar`, with a cylinder."""
    return machine(
        [
            joint("crank", "ground", "crank_link"),
            joint("coupler", "crank_link", "coupler_link", at=[crank, 0, 0]),
            joint("rocker", "coupler_link", "rocker_link", at=[coupler, 0, 0]),
            joint("close_ground", "ground", "rocker_link", at=[ground, 0, 0]),
            joint("close_rocker", "rocker_link", "ground", at=[rocker, 0, 0]),
        ],
        [cylinder],
        home={"joints": {"crank": angle}},
    )


def arm(low, high, home):
    """A cylinder over one hinge: 0.5 m at 0, its shortest, 1.5 m at pi, its longest."""
    return machine(
        [joint("hinge", "base", "arm", axis=[0, -1, 0])],
        [actuator("c", ("base", (1.0, 0, 0)), ("arm", (0.5, 0, 0)), (low, high))],
        home={"joints": {"hinge": home}},
    )


def test_beyond_a_gap_nothing_is_reached():
    """The crank's ways to the left and to the right are apart: at 53 degrees the loop opens.

    The cylinder's length goes on falling through both, so its closed form has an angle for 0.5 m
    too, in which the loop closes; but no way leads there.
    """
    cylinder = actuator("c", ("ground", (-0.2, 0, 1.2)), ("crank_link", (0.8, 0, 0)), (0.5, 2.02))
    one = bar(1.2, 1.0, 2.0, 1.0, cylinder, 1.13)
    for length in (0.5, 0.7, 0.9, 1.5, 1.9):
        with pytest.raises(SingularityError) as found:
            one.fk([length])
        low, high = found.value.reachable
        assert low < one.home.lengths[0] < high
        assert not low <= length <= high


def test_a_deltoid_does_not_fold_over():
    """Where crank and ground coincide, coupler and rocker could turn freely: branches cross."""
    cylinder = actuator("c", ("ground", (0.2, 0, -0.8)), ("crank_link", (0.6, 0, 0)), (0.25, 1.42))
    one = bar(1.0, 1.0, 1.5, 1.5, cylinder, -1.0)
    compare(one, np.random.default_rng(1), 40, crossing=True)


@pytest.mark.parametrize(
    "mounts",
    [
        (("ground", (0, 0, 1.5)), ("crank_link", (0.8, 0, 0))),
        (("ground", (0, 0, 1.5)), ("coupler_link", (0.8, 0, 0))),
        (("crank_link", (0.5, 0, 0.3)), ("rocker_link", (0.3, 0, 0.8))),
    ],
    ids=["crank", "coupler", "across"],
)
def test_a_parallelogram_does_not_go_through_flat(mounts):
    """At crank 0 all pivots are in one line: it could go on crossed as well as parallel."""
    one = bar(1.5, 1.0, 1.5, 1.0, actuator("c", *mounts, (0.05, 4.0)), 0.8)
    parallel = one.home.q - np.array([0.8, -0.8, 0.8])
    for angle in (0.9, 0.4, 0.1, 0.02):
        q = parallel + np.array([angle, -angle, angle])
        state = one.fk(State(one.mechanism, q).lengths)
        np.testing.assert_allclose(state.q, q, rtol=0, atol=1e-8)
    for angle in (-0.02, -0.1, -0.5, -1.0):
        lengths = State(one.mechanism, parallel + np.array([angle, -angle, angle])).lengths
        with pytest.raises(SingularityError) as found:
            one.fk(lengths)
        assert found.value.actuator == "c"


@pytest.mark.parametrize(
    ("seed", "pair"),
    [(1000235, (1, 3)), (1000397, (1, 3)), (1001018, (2, 3)), (1001459, (3, 0)), (1001963, (1, 3))],
)
def test_parallelograms_whose_branches_nearly_cross(seed, pair):
    """They come as near as 1e-3: parts of 0.02 can step over, those of 0.005 do not."""
    random = np.random.default_rng(seed)
    compare(assembled(driven_four_bar(random, "nearly parallelogram", pair)), random, 8)


def test_a_support_whose_home_is_next_to_a_fold():
    """After 0.5 % of the way the branch turns back; another sheet goes on nearby."""
    random = np.random.default_rng(2002850)
    compare(assembled(support(random, 1.8)), random, 8)


def test_a_start_beyond_the_dead_centre_stays_there():
    """With both dead centres inside the bounds the branch has two sheets: the start tells."""
    one = arm(0.2, 2.0, 0.8)
    for side in (1.0, -1.0):
        start = State(one.mechanism, np.array([side * 0.8]))
        for angle in (0.3, 1.0, 2.5):
            length = State(one.mechanism, np.array([angle])).lengths
            assert one.fk(length, start).q == pytest.approx([side * angle], abs=1e-8)


def test_a_home_on_a_dead_centre_has_no_side():
    one = arm(0.4, 1.6, 0.0)
    with pytest.raises(SingularityError):
        one.fk([1.0])


def test_bounds_may_touch_dead_centres():
    """The ends themselves can be reached; angles there are as good as a root of rounding."""
    one = arm(0.5, 1.5, 0.8)
    assert one.fk([0.5]).q == pytest.approx([0.0], abs=1e-7)
    assert one.fk([1.5]).q == pytest.approx([math.pi], abs=1e-7)
    with pytest.raises(LengthError):
        one.fk([1.5 + 2e-9])
