"""The catalogue's machines as mechanisms: strokes, masses, and the whole box of lengths."""

import numpy as np
import pytest

import headframe as hf
from headframe.mechanism import follow, length_rates, loop_gaps

NAMES = ("tcchs", "sths", "sshs", "roadheader", "lhd", "door", "jumbo", "shearer")
SAMPLE, FULL = 150, 10_000


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


def sweep(m, count, seed):
    """Lengths drawn from the box of first members; every draw must be reached from home.

    Returns the largest gap, how far any partner leaves its bounds, the smallest and largest
    singular value of d(lengths)/d(motion), and the end effector's places.
    """
    random = np.random.default_rng(seed)
    lower = np.array([a.bounds.lower for a in m.actuators])
    upper = np.array([a.bounds.upper for a in m.actuators])
    first = m.mechanism.first_members
    places = np.empty((count, 3))
    gap, outside, smallest, largest = 0.0, -np.inf, np.inf, 0.0
    for i in range(count):
        target = m.home.lengths.copy()
        target[first] = random.uniform(lower[first], upper[first])
        end = follow(m.mechanism, m.home.q, m.home.lengths, target)
        assert end.solved, f"{m.name}: {target[first]} reached to {end.reached:.3f} of the way"
        state = hf.State(m.mechanism, end.q)
        np.testing.assert_allclose(state.lengths[first], target[first], atol=1e-12)
        gap = max(gap, max(loop_gaps(state).values(), default=0.0))
        outside = max(outside, (lower - state.lengths).max(), (state.lengths - upper).max())
        if i < SAMPLE:
            rates = length_rates(state)
            smallest, largest = min(smallest, rates.min()), max(largest, rates.max())
        places[i] = state.pose(m.robot.end_effector)[:3, 3]
    return gap, outside, smallest, largest, places


def test_a_sample_of_the_box_assembles(m):
    gap, outside, smallest, _, _ = sweep(m, SAMPLE, seed=1)
    assert gap < 1e-12
    assert outside <= 1e-9
    assert smallest > 0.05, "a singular pose is near"


@pytest.mark.slow
def test_the_whole_box_assembles(m):
    gap, outside, smallest, largest, _ = sweep(m, FULL, seed=2)
    print(
        f"{m.name}: gap {gap:.1e} m, partners {outside:.1e} m, rates {smallest:.3f}-{largest:.3f}"
    )
    assert gap < 1e-12
    assert outside <= 1e-9
    assert smallest > 0.05


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
