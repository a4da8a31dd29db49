"""The catalogue's machines as mechanisms: strokes, masses, and the whole box of lengths."""

import itertools
import math

import numpy as np
import pytest

import headframe as hf
from headframe.mechanism import follow, length_rates, loop_gaps

NAMES = ("tcchs", "sths", "sshs", "roadheader", "lhd", "door", "jumbo", "shearer")
SAMPLE, FULL = 150, 10_000

# No singular pose is near the box. Where a branch ends, two assemblies meet, and the rate of a
# length with the motion falls to zero like the root of the length that is left. A cylinder whose
# branch ends m strokes beyond its bound therefore has, at this bound, sqrt(m / (1 + m)) of the
# rate at its other one. A twentieth of the stroke is more than mounts and stops of a real cylinder
# are out by, and goes with a fall to about a fifth.
BEYOND = 0.05  # of the stroke, by which the branch goes on beyond every bound
FALL = math.sqrt(BEYOND / (1 + BEYOND))  # smallest singular value in the box, of home's


@pytest.fixture(scope="module", params=NAMES)
def m(request):
    return hf.load(request.param)


def test_home_is_assembled_and_in_bounds(m):
    assert max(loop_gaps(m.home).values(), default=0.0) < 1e-12
    for length, actuator in zip(m.home.lengths, m.actuators, strict=True):
        assert actuator.bounds.lower <= length <= actuator.bounds.upper


def test_strokes_are_real(m):
    for actuator in m.actuators:
        stroke = actuator.bounds.upper - actuator.bounds.lower
        assert stroke >= 0.25 * actuator.bounds.lower, actuator.name


@pytest.mark.parametrize("name", ["tcchs", "sshs"])
def test_leg_strokes_keep_to_the_rule_of_thumb(name):
    """A leg's stroke is at most 0.55 of the distance between the leg groups."""
    m = hf.load(name)
    front, rear = (m.robot.actuator(n) for n in ("front_leg_left", "rear_leg_left"))
    apart = min(
        np.linalg.norm(np.subtract(front.tube_offset, rear.tube_offset)[[0, 2]]),
        np.linalg.norm(np.subtract(front.rod_offset, rear.rod_offset)[[0, 2]]),
    )
    for leg in (front, rear):
        assert leg.bounds.upper - leg.bounds.lower <= 0.55 * apart + 1e-9


def test_every_machine_is_complete(m):
    assert sum(len(link.visuals) for link in m.links) >= 30
    assert m.robot.machine_class
    assert m.robot.end_effector
    assert m.robot.provenance
    for link in m.links:
        assert link.inertial is not None, link.name
    for actuator in m.actuators:
        for figure in ("speed", "acceleration", "force", "bore", "rod_diameter"):
            assert getattr(actuator, figure) is not None, f"{actuator.name}.{figure}"


def bounds(m):
    """Shortest and longest length of every actuator [m], two arrays (n_actuators,)."""
    limits = [actuator.bounds for actuator in m.actuators]
    return np.array([b.lower for b in limits]), np.array([b.upper for b in limits])


def with_first(m, lengths):
    """The lengths at home with those of the first members replaced, (n_actuators,)."""
    target = m.home.lengths.copy()
    target[m.mechanism.first_members] = lengths
    return target


def corners(m):
    """The corners of the box of first members: which of them stand at their upper bounds."""
    choices = itertools.product((False, True), repeat=len(m.mechanism.first_members))
    return [np.array(corner) for corner in choices]


def box(m, count, seed):
    """All corners of the box of first members, then `count` lengths drawn from it."""
    random = np.random.default_rng(seed)
    lower, upper = (b[m.mechanism.first_members] for b in bounds(m))
    for corner in corners(m):
        yield with_first(m, np.where(corner, upper, lower))
    for _ in range(count):
        yield with_first(m, random.uniform(lower, upper))


def reach(m, target):
    """The state at the lengths `target`, on the branch of home."""
    end = follow(m.mechanism, m.home.q, m.home.lengths, target)
    assert end.solved, f"{m.name}: {target} reached to {end.reached:.3f} of the way"
    return hf.State(m.mechanism, end.q)


def sweep(m, count, seed):
    """Reach the corners of the box of first members and `count` lengths drawn from it.

    Returns the largest gap, how far any partner leaves its bounds, and the smallest and largest
    singular value of d(lengths)/d(motion).
    """
    lower, upper = bounds(m)
    first = m.mechanism.first_members
    gap, outside, smallest, largest = 0.0, -np.inf, np.inf, 0.0
    for target in box(m, count, seed):
        state = reach(m, target)
        np.testing.assert_allclose(state.lengths[first], target[first], rtol=0, atol=1e-12)
        gap = max(gap, max(loop_gaps(state).values(), default=0.0))
        outside = max(outside, (lower - state.lengths).max(), (state.lengths - upper).max())
        rates = length_rates(state)
        smallest, largest = min(smallest, rates.min()), max(largest, rates.max())
    return gap, outside, smallest, largest


def test_corners_and_a_sample_of_the_box_assemble(m):
    gap, outside, smallest, _ = sweep(m, SAMPLE, seed=1)
    assert gap < 1e-12
    assert outside <= 1e-9
    assert smallest > FALL * length_rates(m.home).min(), "a singular pose is near"


@pytest.mark.slow
def test_the_whole_box_assembles(m):
    gap, outside, smallest, largest = sweep(m, FULL, seed=2)
    at_home = length_rates(m.home).min()
    print(
        f"{m.name}: gap {gap:.1e} m, partners {outside:.1e} m, rates {smallest:.3f}-{largest:.3f},"
        f" {smallest / at_home:.2f} of home's"
    )
    assert gap < 1e-12
    assert outside <= 1e-9
    assert smallest > FALL * at_home


def test_branch_goes_on_beyond_every_bound(m):
    """At home and at every corner each first member can go on, the others at rest."""
    first = m.mechanism.first_members
    lower, upper = bounds(m)
    starts = [with_first(m, np.where(c, upper[first], lower[first])) for c in corners(m)]
    for i in first:
        for bound in (lower, upper):
            starts.append(m.home.lengths.copy())
            starts[-1][i] = bound[i]
    for start in starts:
        state = reach(m, start)
        for i in first:
            stroke = upper[i] - lower[i]
            way = {lower[i]: -BEYOND * stroke, upper[i]: BEYOND * stroke}.get(start[i])
            if way is None:
                continue
            target = start.copy()
            target[i] += way
            end = follow(m.mechanism, state.q, start, target)
            assert end.solved, (
                f"{m.name}: {m.actuators[i].name} ends {end.reached * BEYOND:.1%} of its stroke "
                f"beyond {start[i]} m, with {start}"
            )


def test_assembles_without_the_home_of_the_file(m):
    bare = hf.Machine(m.robot.model_copy(update={"home": None}), m.folder)
    assert bare.robot.home is None
    assert max(loop_gaps(bare.home).values(), default=0.0) < 1e-12
    lower, upper = bounds(bare)
    assert (bare.home.lengths >= lower - 1e-9).all()
    assert (bare.home.lengths <= upper + 1e-9).all()


def test_cutting_head_sweeps_a_tunnel():
    """At least 3 m in height and 4 m in width, at the corners of the box."""
    m = hf.load("roadheader")
    places = []
    for slew in (0, 1):
        for boom in (0, 1):
            target = m.home.lengths.copy()
            for name, end in (("slew_left", slew), ("boom_left", boom), ("telescope", 1)):
                bounds = m.robot.actuator(name).bounds
                target[m.robot.actuator_index[name]] = (bounds.lower, bounds.upper)[end]
            end_state = follow(m.mechanism, m.home.q, m.home.lengths, target)
            assert end_state.solved
            places.append(hf.State(m.mechanism, end_state.q).pose("cutter_head")[:3, 3])
    _, width, height = np.ptp(np.array(places), axis=0)
    assert height >= 3.0
    assert width >= 4.0


def test_slew_pair_is_antagonistic():
    m = hf.load("roadheader")
    target = m.home.lengths.copy()
    left, right = m.robot.actuator_index["slew_left"], m.robot.actuator_index["slew_right"]
    target[left] += 0.1
    end = hf.State(m.mechanism, follow(m.mechanism, m.home.q, m.home.lengths, target).q)
    assert end.lengths[right] < m.home.lengths[right] - 0.05
