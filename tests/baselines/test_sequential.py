"""The paper's forward kinematics against the exact one, and where it cannot follow."""

import json
from functools import cache

import numpy as np
import pytest

import headframe as hf
from build import actuator, four_bar, joint, machine, stewart_platform
from headframe.baselines.paper import nested_newton as kernels
from headframe.baselines.paper.sequential import sequence_of, sequential
from headframe.bench.printed import ORDER
from headframe.description.reading import read_text
from headframe.errors import LengthError, PartnerError, SingularityError, StateError
from headframe.machine import Machine, find

# The exact solution is good to some 1e-15; the paper's is stopped at 1e-10 m of length, which
# over the shortest levers of the catalogue is some 6e-10 rad.
AGREE = 1e-8


@cache
def loaded(name):
    return hf.load(name)


def random_lengths(m, random):
    """One length for every group, inside what its freedom allows."""
    low, high = m.kinematics.usable
    return low + random.random(low.size) * (high - low)


@pytest.mark.parametrize("name", ORDER)
def test_small_moves_end_where_the_exact_ones_do(name):
    m, random = loaded(name), np.random.default_rng(1)
    first = m.kinematics.first_members
    low, high = m.kinematics.usable
    for _ in range(20):
        start = m.fk(random_lengths(m, random))
        lengths = np.clip(start.lengths[first] + random.uniform(-0.01, 0.01, first.size), low, high)
        exact, found = m.fk(lengths, start), m.fk(lengths, start, method="paper")
        assert np.abs(found.q - exact.q).max() < AGREE


@pytest.mark.parametrize("name", ORDER)
def test_large_moves_end_where_the_exact_ones_do(name):
    m, random = loaded(name), np.random.default_rng(2)
    start = m.home
    for _ in range(100):
        exact = m.fk(random_lengths(m, random))
        found = m.fk(exact.lengths, start, method="paper")
        assert np.abs(found.q - exact.q).max() < AGREE
        assert np.abs(found.lengths - exact.lengths).max() < 2e-9
        start = exact


@pytest.mark.parametrize("name", ["tcchs", "sths", "roadheader"])
def test_the_papers_tolerance_ends_near(name):
    m, random = loaded(name), np.random.default_rng(3)
    for _ in range(20):
        exact = m.fk(random_lengths(m, random))
        wanted = np.array(exact.lengths)
        q = sequential(m.kinematics, wanted, 1, m.home, tolerance=1e-6)
        assert np.abs(q - exact.q).max() < 1e-5


def test_what_is_not_moved_stays():
    m = loaded("tcchs")
    same = m.fk(m.home.lengths, method="paper")
    assert (same.q == m.home.q).all()
    moved = m.fk({"tail_jacks": m.home.lengths[4] + 0.05}, method="paper")
    changed = np.flatnonzero(moved.q != m.home.q)
    assert changed.size == 1


def widened(name, by):
    """A support of the catalogue whose legs may be longer and shorter by some metres."""
    data = json.loads(find(name).read_text())
    for entry in data["actuators"]:
        if "leg" in entry["name"]:
            bound = entry["bound"]
            bound["lower"], bound["upper"] = bound["lower"] - by, bound["upper"] + by
    reading = read_text(json.dumps(data))
    assert reading.robot is not None
    return Machine(reading.robot)


def test_a_pose_in_between_that_does_not_exist():
    """Lowering a support from high up: all legs together it can, the front legs alone it cannot."""
    m = widened("tcchs", 0.3)
    high = m.fk({"front_legs": 3.1, "rear_legs": 3.1})
    wanted = {"front_legs": 1.8, "rear_legs": 1.8}
    end = m.fk(wanted, high)
    assert end.lengths[:4] == pytest.approx([1.8] * 4, abs=1e-9)
    with pytest.raises(SingularityError, match="meets a singular pose"):
        m.fk({"front_legs": 1.8}, high)
    with pytest.raises(SingularityError, match="in between that does not exist") as caught:
        m.fk(wanted, high, method="paper")
    assert caught.value.actuator == "front_leg_left"


def test_partners_and_bounds_are_checked_as_in_the_exact_method():
    m = loaded("roadheader")
    lengths = np.array(m.fk({"slew": m.home.lengths[0] + 0.01}).lengths)
    m.fk(lengths, method="paper")
    lengths[1] += 1e-3
    with pytest.raises(PartnerError, match="follows from its partner 'slew_left'") as caught:
        m.fk(lengths, method="paper")
    assert caught.value.expected[0] == pytest.approx(lengths[1] - 1e-3, abs=1e-8)
    lengths[1] = 9.0
    with pytest.raises(LengthError, match="found 9 m"):
        m.fk(lengths, method="paper")
    lengths[1] = np.nan
    with pytest.raises(StateError, match="finite"):
        m.fk(lengths, method="paper")


def test_a_partner_that_would_leave_its_bounds():
    """Two cylinders on either side of a hinge: the second is pushed together too far."""
    m = machine(
        [joint("hinge", "base", "arm", axis=[0, 0, 1])],
        [
            actuator("left", ("base", (-1, 0.5, 0)), ("arm", (0.5, 0.3, 0)), (1.0, 2.0),
                     redundants=["right"]),
            actuator("right", ("base", (-1, -0.5, 0)), ("arm", (0.5, -0.3, 0)), (1.4, 2.0),
                     redundants=["left"]),
        ],
    )  # fmt: skip
    with pytest.raises(LengthError, match="'right': its length follows from its partner 'left'"):
        m.fk([1.7], method="paper")


def test_a_machine_outside_the_papers_scope():
    m = stewart_platform()
    with pytest.raises(StateError, match="does not cover this machine: joint 'float' is free"):
        m.fk(m.home.lengths, method="paper")


def coupled():
    """Two slides and two cylinders that each act over both: in blocks, but of none of the types."""
    return machine(
        [
            joint("x", "base", "sledge", "prismatic", axis=[1, 0, 0]),
            joint("z", "sledge", "tool", "prismatic", axis=[0, 0, 1], at=[0.5, 0, 1]),
        ],
        [
            actuator("low", ("base", (-1, 0, 0)), ("tool", (0, 0, 0)), (1.0, 3.0)),
            actuator("high", ("base", (-1, 0, 2)), ("tool", (0, 0, 0)), (1.0, 3.0)),
        ],
    )


def test_a_structure_of_no_type_is_named():
    m = coupled()
    assert not m.kinematics.plan.reason
    with pytest.raises(StateError, match="'low' is none of types A to D: 2 joints move"):
        m.fk(m.home.lengths, method="paper")


def test_the_table_is_made_once():
    kinematics = loaded("tcchs").kinematics
    assert sequence_of(kinematics) is sequence_of(kinematics)


def hinge_before_the_four_bar(upwards):
    """A two-leg support upside down: the hinge at the ground, the four-bar on it."""
    ends = [
        (("base", (0.2, 0, -1.0)), ("coupler", (0.4, 0, 0.2))),
        (("base", (1.6, 0, -1.0)), ("coupler", (1.0, 0, 0.1))),
    ]
    return machine(
        [
            joint("hinge", "base", "floor"),
            joint("crank", "floor", "crank_link", at=[0.3, 0, 0.2]),
            joint("coupled", "crank_link", "coupler", at=[0.8, 0, 0]),
            joint("rocker", "coupler", "rocker_link", at=[1.2, 0, 0]),
            joint("close_floor", "floor", "rocker_link", at=[1.5, 0, 0.2]),
            joint("close_rocker", "rocker_link", "floor", at=[0.9, 0, 0]),
        ],
        [
            actuator(name, *(pair if up else pair[::-1]), (1.6, 1.9))
            for name, pair, up in zip("ab", ends, upwards, strict=True)
        ],
    )


@pytest.mark.parametrize("upwards", [(True, True), (True, False), (False, True), (False, False)])
def test_a_hinge_before_the_four_bar(upwards):
    """The outer loop closes over the hinge first, in either direction of either cylinder."""
    m = hinge_before_the_four_bar(upwards)
    assert [itep.type for itep in m.topology.iteps] == ["D", "D"]
    lengths = m.home.lengths + np.array([0.05, -0.04])
    found = m.fk(lengths, method="paper")
    exact = m.fk(lengths, method="continuation")
    assert found.lengths == pytest.approx(lengths, abs=1e-9)
    assert np.abs(found.q - exact.q).max() < AGREE


@pytest.mark.parametrize(
    ("tube", "rod"),
    [
        ("ground", "crank_link"),
        ("crank_link", "coupler_link"),
        ("rocker_link", "coupler_link"),
        ("rocker_link", "ground"),
        ("ground", "coupler_link"),
        ("rocker_link", "crank_link"),
    ],
)
def test_a_cylinder_between_any_two_links_of_a_four_bar(tube, rod):
    """Whichever pivot the package counts its angle at, the closing one being any of the others."""
    ends = (tube, (0.4, 0, 0.3)), (rod, (0.7, 0, 0.2))
    free = four_bar(2, 1, 2, 1.5, actuators=[actuator("c", *ends, (0.01, 9.0))])
    at_home = float(free.home.lengths[0])
    cylinder = actuator("c", *ends, (at_home - 0.02, at_home + 0.02))
    m = four_bar(2, 1, 2, 1.5, actuators=[cylinder], home={"actuators": {"c": at_home}})
    assert [itep.type for itep in m.topology.iteps] == ["C"]
    for change in (0.01, -0.01):
        lengths = m.home.lengths + change
        exact, found = m.fk(lengths, method="continuation"), m.fk(lengths, method="paper")
        assert np.abs(found.q - exact.q).max() < AGREE


@pytest.mark.parametrize("name", ["tcchs", "sths", "lhd", "jumbo"])
def test_kernels_run_as_plain_python(name, monkeypatch):
    m = loaded(name)
    lengths = random_lengths(m, np.random.default_rng(4))
    compiled = m.fk(lengths, method="paper")
    for key, value in list(vars(kernels).items()):
        if hasattr(value, "py_func"):
            monkeypatch.setattr(kernels, key, value.py_func)
    assert np.abs(m.fk(lengths, method="paper").q - compiled.q).max() < 1e-12
