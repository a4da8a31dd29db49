"""The order of solving: which groups set which freedoms, together or one after the other."""

from functools import cache

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine, peaucellier, rssr, stewart_platform
from headframe.bench.printed import ORDER
from headframe.kinematics.plan import adjacent
from headframe.kinematics.records import StepKind

# Blocks as {group: freedom}, and the groups whose blocks they need. A freedom is named after its
# joint, a four-bar after the joint that the topology takes for its input.
LEGS = ({"front_legs": "base_front_link", "rear_legs": "shield_canopy"}, set())
BLOCKS = {
    "tcchs": [
        LEGS,
        ({"tail_jacks": "shield_tail_beam"}, set()),
        ({"front_beam_jacks": "canopy_front_beam"}, set()),
        ({"insert_jacks": "tail_beam_insert_plate"}, set()),
        ({"face_guard_jack": "front_beam_guard_rocker"}, set()),
    ],
    "sshs": [
        LEGS,
        ({"front_beam_jack": "canopy_front_beam"}, set()),
        ({"extension_jack": "front_beam_extension"}, set()),
        ({"face_guard_jack": "extension_face_guard"}, set()),
    ],
    "sths": [
        ({"balance_jack": "shield_canopy"}, set()),
        ({"face_guard_jack": "canopy_guard_rocker"}, set()),
        ({"legs": "base_front_link"}, {"balance_jack"}),
    ],
    "roadheader": [
        ({"slew": "slewing"}, set()),
        ({"boom": "pitching"}, set()),
        ({"telescope": "telescoping"}, set()),
        ({"shovel_plate": "apron_hinge"}, set()),
        ({"stabiliser_left": "stabiliser_left_hinge"}, set()),
        ({"stabiliser_right": "stabiliser_right_hinge"}, set()),
    ],
    "lhd": [({"slide": "sliding"}, set()), ({"lift": "arm_hinge"}, set())],
    "door": [({"door": "left_hinge"}, set())],
    "jumbo": [
        ({"swing": "swinging"}, set()),
        ({"lift": "boom_hinge"}, set()),
        ({"feed": "feeding"}, set()),
    ],
    "shearer": [
        ({"left_arm": "ranging_left"}, set()),
        ({"right_arm": "ranging_right"}, set()),
        ({"cowl": "cowl_hinge"}, set()),
    ],
}
FOUR_BARS = {
    "tcchs": {"base_front_link", "front_beam_guard_rocker"},
    "sshs": {"base_front_link"},
    "sths": {"base_front_link", "canopy_guard_rocker"},
    "lhd": {"arm_hinge"},
    "door": {"left_hinge"},
    "jumbo": {"boom_hinge"},
}
SLIDES = {
    "tcchs": {"tail_beam_insert_plate"},
    "sshs": {"front_beam_extension"},
    "roadheader": {"telescoping"},
    "lhd": {"sliding"},
    "jumbo": {"feeding"},
}


@cache
def loaded(name):
    return hf.load(name)


def freedom(one, variable):
    return one.joints[one.kinematics.plan.variables[variable].joint].name


def groups(one, numbers):
    return {one.robot.group_names[group] for group in numbers}


def test_all_machines_of_the_catalogue_are_here():
    assert set(BLOCKS) == set(ORDER)


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks(name):
    one = loaded(name)
    plan = one.kinematics.plan
    assert plan.reason == ""
    found = []
    for block in plan.blocks:
        set_by = {
            one.robot.group_names[group]: freedom(one, variable)
            for group, variable in zip(block.groups, block.variables, strict=True)
        }
        needed = set().union(*(groups(one, plan.blocks[n].groups) for n in block.needs))
        found.append((set_by, needed))
    assert sorted(found, key=str) == sorted(BLOCKS[name], key=str)


@pytest.mark.parametrize("name", BLOCKS)
def test_blocks_stand_behind_those_they_need_and_cover_everything(name):
    plan = loaded(name).kinematics.plan
    for number, block in enumerate(plan.blocks):
        assert all(other < number for other in block.needs)
        assert number in plan.closure_of([number])
    every_group = sorted(group for block in plan.blocks for group in block.groups)
    assert every_group == list(range(len(loaded(name).robot.groups)))
    every_variable = [variable for block in plan.blocks for variable in block.variables]
    assert len(set(every_variable)) == len(every_variable)


@pytest.mark.parametrize("name", BLOCKS)
def test_freedoms_are_of_the_right_kind(name):
    one = loaded(name)
    kinds = {freedom(one, n): v.kind for n, v in enumerate(one.kinematics.plan.variables)}
    assert {f for f, kind in kinds.items() if kind == StepKind.RING} == FOUR_BARS.get(name, set())
    assert {f for f, kind in kinds.items() if kind == StepKind.SLIDING} == SLIDES.get(name, set())
    assert set(kinds.values()) <= set(StepKind)


@pytest.mark.parametrize("name", BLOCKS)
def test_a_group_moves_its_own_block_and_those_that_need_it(name):
    """With all other groups locked; seen in the joints of a state beside home."""
    one = loaded(name)
    plan = one.kinematics.plan
    for number, block in enumerate(plan.blocks):
        expected = {freedom(one, variable) for variable in block.variables}
        for other in plan.blocks:
            if number in other.needs:
                expected |= {freedom(one, variable) for variable in other.variables}
        for group in block.groups:
            act = one.mechanism.first_members[group]
            middle = np.mean([usable[group] for usable in one.kinematics.usable])
            now = one.home.lengths[act]
            there = one.fk({one.actuators[act].name: now + 0.2 * (middle - now) + 1e-3})
            turned = {
                name: there.joints[name] - one.home.joints[name]
                for name in (freedom(one, n) for n in range(len(plan.variables)))
            }
            assert {name for name, turn in turned.items() if abs(turn) > 1e-9} == expected


def test_a_coupled_block_and_a_chain_of_blocks_have_their_incidence():
    tcchs, sths = loaded("tcchs").kinematics.plan, loaded("sths").kinematics.plan
    assert tcchs.incidence[:2].astype(int).tolist() == [[1, 1, 0, 0, 0, 0]] * 2
    assert sths.incidence.astype(int).tolist() == [[1, 1, 0], [0, 1, 0], [0, 0, 1]]


def test_a_block_needs_its_needs_needs():
    """Cylinders over one, two and three hinges of a chain: each needs all before it."""
    one = chain_of(3, [("base", "l0"), ("base", "l1"), ("base", "l2")])
    plan = one.kinematics.plan
    assert [block.groups for block in plan.blocks] == [(0,), (1,), (2,)]
    assert [block.needs for block in plan.blocks] == [(), (0,), (0, 1)]
    assert plan.closure_of([2]) == (0, 1, 2)
    assert plan.closure_of([1]) == (0, 1)


def test_the_way_to_a_link_passes_its_freedoms():
    plan = loaded("tcchs").kinematics.plan
    way = plan.steps_between("base", "insert_plate")
    names = [freedom(loaded("tcchs"), step.variable) for step in way]
    assert names == ["base_front_link", "shield_tail_beam", "tail_beam_insert_plate"]
    assert all(step.down for step in way)
    back = plan.steps_between("insert_plate", "base")
    assert [step.variable for step in back] == [step.variable for step in reversed(way)]
    assert not any(step.down for step in back[:2])
    assert plan.steps_between("base", "base") == ()
    spinning = loaded("roadheader").kinematics.plan
    assert spinning.steps_between("main_body", "cutting_drum") is None


# -- four-bars --------------------------------------------------------------------------

RING = ("ground", "crank_link", "coupler_link", "rocker_link")
MOUNTS = ((-0.3, 0, 0.4), (0.5, 0, 0.2), (0.7, 0, 0.5), (0.4, 0, 0.3))


def driven(a, b, bound=(0.1, 5.0)):
    """A four-bar with a cylinder between two of its members."""
    return machine(
        [
            joint("crank", "ground", "crank_link"),
            joint("coupler", "crank_link", "coupler_link", at=[1.0, 0, 0]),
            joint("rocker", "coupler_link", "rocker_link", at=[1.4, 0, 0]),
            joint("close_ground", "ground", "rocker_link", at=[1.6, 0, 0]),
            joint("close_rocker", "rocker_link", "ground", at=[1.1, 0, 0]),
        ],
        [actuator("c", (RING[a], MOUNTS[a]), (RING[b], MOUNTS[b]), bound)],
        home={"joints": {"crank": -1.2}},
    )


@pytest.mark.parametrize("a", range(4))
def test_a_cylinder_over_one_hinge_of_a_four_bar_has_a_closed_form(a):
    """Members next to each other: both dead centres, or where the loop opens, are known."""
    b = (a + 1) % 4
    for ends in ((a, b), (b, a)):
        kinematics = driven(*ends).kinematics
        ((step,),) = kinematics.plan.ways
        assert adjacent(step)
        assert (step.enter, step.leave) == ends
        (block,) = kinematics.plan.blocks
        assert (block.groups, block.variables, block.needs) == ((0,), (0,), ())
        low, high = kinematics.reaches[0].interval
        assert 0.1 <= low < kinematics.home.lengths[0] < high < 5.0
        assert not kinematics.regular, "the bounds are far beyond the dead centres"


@pytest.mark.parametrize("ends", [(0, 2), (2, 0), (1, 3), (3, 1)])
def test_a_cylinder_across_a_four_bar_has_none(ends):
    kinematics = driven(*ends).kinematics
    ((step,),) = kinematics.plan.ways
    assert not adjacent(step)
    assert (step.enter, step.leave) == ends
    assert len(kinematics.plan.blocks) == 1
    assert kinematics.reaches[0].interval is None


@pytest.mark.parametrize("ends", [(0, 1), (2, 3), (3, 0), (0, 2)])
def test_a_short_stroke_is_one_sheet(ends):
    length = float(driven(*ends).home.lengths[0])
    kinematics = driven(*ends, bound=(0.99 * length, 1.01 * length)).kinematics
    assert kinematics.regular
    interval = kinematics.reaches[0].interval
    assert interval is None or interval == pytest.approx((0.99 * length, 1.01 * length))


# -- machines that are left to the general solver ---------------------------------------


def chain_of(n, ends):
    """Hinges in a row, and cylinders between the given links."""
    joints = [
        joint(f"j{k}", "base" if k == 0 else f"l{k - 1}", f"l{k}", at=[0.5, 0, 0]) for k in range(n)
    ]
    cylinders = [
        actuator(f"c{k}", (a, (0, 0, 1 + 0.3 * k)), (b, (0.2 * k, 0, 0.1 * k)), (0.05, 30))
        for k, (a, b) in enumerate(ends)
    ]
    return machine(joints, cylinders, home={"joints": {f"j{k}": 0.1 for k in range(n)}})


def repeating():
    return machine(
        [joint("a", "base", "l1"), joint("b", "l1", "l2", at=[1, 0, 0])],
        [actuator("c", ("base", (0, 0, 1)), ("l1", (0.5, 0, 0)), (0.3, 2))],
        repeaters=[{"name": "rep", "joint": "b", "follows": "a", "ratio": 0.7, "offset": 0.0}],
    )


def across_a_motor():
    return machine(
        [joint("a", "base", "l1", "continuous")],
        [actuator("c", ("base", (0, 0, 1)), ("l1", (0.5, 0, 0)), (0.3, 3))],
        motors=[{"name": "m", "joint": "a"}],
    )


def rigid():
    return machine(
        [joint("a", "base", "l1", "fixed", at=[1, 0, 0])],
        [actuator("c", ("base", (0, 0, 1)), ("l1", (0.5, 0, 0)), (0.3, 3))],
    )


def skew():
    """Two hinges at right angles under one cylinder: no plane holds its motion."""
    return machine(
        [joint("a", "base", "l1"), joint("b", "l1", "l2", at=[1, 0, 0], axis=[0, 0, 1])],
        [
            actuator("c", ("base", (0, 0, 1)), ("l2", (0.5, 0.2, 0)), (0.3, 3)),
            actuator("d", ("l1", (0.5, 0.5, 0)), ("l2", (0.5, 0.2, 0)), (0.1, 3)),
        ],
    )


REASONS = {
    "stewart": (stewart_platform, "joint 'float' is free and a cylinder acts across it"),
    "rssr": (rssr, "loops that are no planar four-bars: socket_a/socket_b"),
    "peaucellier": (
        peaucellier,
        "loops that are no planar four-bars: close_a1/close_a2, close_b1/close_b2, "
        "close_d1/close_d2",
    ),
    "repeater": (repeating, "repeater 'rep' couples joints"),
    "two groups on one freedom": (
        lambda: chain_of(1, [("base", "l0"), ("base", "l0")]),
        "'c1' acts on freedoms that other groups set already",
    ),
    "three groups on two freedoms": (
        lambda: chain_of(2, [("base", "l0"), ("base", "l1"), ("l0", "l1")]),
        "acts on freedoms that other groups set already",
    ),
    "more freedoms than cylinders": (
        lambda: chain_of(2, [("base", "l1")]),
        "'c0' acts on more freedoms than cylinders hold",
    ),
    "motor": (across_a_motor, "joint 'a' is turned by a motor and a cylinder acts across it"),
    "rigid": (rigid, "nothing can move between the mounts of 'c'"),
    "nine together": (
        lambda: chain_of(9, [("base", "l8")] * 9),
        "more than 8 groups act on each other: c0, c1, c2, c3, c4, c5, c6, c7, c8",
    ),
    "skew": (skew, "cylinder 'c' acts over joints whose motion is not in one plane"),
}


@pytest.mark.parametrize("case", REASONS)
def test_what_is_out_of_scope_is_named(case):
    make, reason = REASONS[case]
    kinematics = make().kinematics
    assert reason in kinematics.plan.reason
    assert kinematics.plan.blocks == ()
    assert not kinematics.regular
    assert kinematics.reaches == ()


def test_eight_together_are_one_block():
    plan = chain_of(8, [("base", "l7")] * 8).kinematics.plan
    assert [block.groups for block in plan.blocks] == [tuple(range(8))]


def test_a_freedom_that_no_cylinder_acts_on_is_no_hindrance():
    """A second hinge that hangs loose has a variable, but no block."""
    plan = chain_of(2, [("base", "l0")]).kinematics.plan
    assert plan.reason == ""
    assert len(plan.variables) == 2
    assert [block.variables for block in plan.blocks] == [(0,)]
