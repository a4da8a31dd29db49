"""Algorithm 2: what each group of cylinders moves, and its type."""

from collections import Counter

import pytest

import headframe as hf
from build import actuator, joint, machine, stewart_platform

# actuators of type A, B, C, D
TYPES = {
    "tcchs": (2, 4, 1, 4),
    "sths": (0, 0, 3, 1),
    "sshs": (1, 2, 0, 4),
    "roadheader": (1, 8, 0, 0),
    "lhd": (1, 0, 1, 0),
    "door": (0, 0, 1, 0),
    "jumbo": (1, 1, 1, 0),
    "shearer": (0, 8, 0, 0),
}


def by_group(m):
    return {m.robot.group_names[i.group]: i for i in m.topology.iteps}


@pytest.mark.parametrize("name", TYPES)
def test_catalogue_types(name):
    m = hf.load(name)
    count = Counter()
    for itep in m.topology.iteps:
        count[itep.type] += len(m.robot.groups[itep.group])
    assert tuple(count[letter] for letter in "ABCD") == TYPES[name]
    assert count["?"] == 0


def test_legs_of_a_two_group_support_lock_each_other():
    m = hf.load("tcchs")
    itep = by_group(m)["front_legs"]
    names = m.topology.cluster_names
    assert [names[n] for n in itep.path] == ["base", "shield", "canopy", "base"]
    assert m.robot.group_names[itep.locked_by] == "rear_legs"
    assert {edge.kind for edge in itep.edges} == {"generalized", "revolute"}
    assert m.joints[itep.driving].name == "base_front_link"


def test_locked_jack_turns_the_legs_of_a_shield_support_into_type_c():
    iteps = by_group(hf.load("sths"))
    jack = next(i for name, i in iteps.items() if "balance" in name)
    assert iteps["legs"].type == "C"
    assert jack.type == "D"


def test_jack_that_points_upstream_is_read_like_one_that_points_down():
    def arm(tube, rod):
        return machine(
            [joint("lift", "base", "arm")],
            [actuator("cyl", tube, rod, (0.1, 9.0))],
        )

    down = arm(("base", (1, 0, 0)), ("arm", (1, 0, 1)))
    up = arm(("arm", (1, 0, 1)), ("base", (1, 0, 0)))
    for m, path in ((down, ["base", "arm"]), (up, ["arm", "base"])):
        (itep,) = m.topology.iteps
        assert (itep.type, m.joints[itep.driving].name) == ("B", "lift")
        assert [m.topology.cluster_names[n] for n in itep.path] == path, "from tube to rod"


def test_redundant_partners_are_locked_once():
    """Two partners over two joints are one lock, so the third cylinder still moves a loop."""
    m = hf.load("sshs")
    assert by_group(m)["front_legs"].type == "D"


@pytest.mark.parametrize("locked_too", [False, True])
def test_cylinder_over_two_free_joints_is_out_of_scope_unless_another_holds_one(locked_too):
    cylinders = [actuator("long", ("base", (1, 0, 0)), ("hand", (1, 0, 1)), (0.1, 9.0))]
    if locked_too:
        cylinders.append(actuator("short", ("arm", (0, 0, 1)), ("hand", (0.5, 0, 1)), (0.1, 9.0)))
    m = machine(
        [joint("lift", "base", "arm"), joint("wrist", "arm", "hand", at=[2, 0, 0])], cylinders
    )
    itep = by_group(m)["long"]
    assert itep.type == ("B" if locked_too else "?")
    assert bool(itep.reason) == (not locked_too)


def test_machines_out_of_scope_say_so():
    for itep in stewart_platform().topology.iteps:
        assert itep.type == "?"
        assert "'float' is free" in itep.reason


def test_text_names_everything():
    text = str(hf.load("tcchs").topology)
    for words in (
        "[base, front_link, shield, rear_link]",
        "generalized joint  base -> shield",
        "front_legs (front_leg_left, front_leg_right): type D",
        "drives tail_beam_insert_plate",
    ):
        assert words in text


def chain_of_three(*cylinders):
    """Hinges between base, arm, hand and finger; cylinders by the links that they stand on."""
    return machine(
        [
            joint("lift", "base", "arm"),
            joint("wrist", "arm", "hand", at=[2, 0, 0]),
            joint("tip", "hand", "finger", at=[2, 0, 0]),
        ],
        [
            actuator(f"{tube}_{rod}_{n}", (tube, (0.3 * n, 0, 0.5)), (rod, (1, 0, 1)), (0.1, 9.0))
            for n, (tube, rod) in enumerate(cylinders)
        ],
    )


def test_two_cylinders_over_the_same_two_joints_lock_both():
    """One of them leaves a freedom between the joints, and the third cylinder two."""
    m = chain_of_three(("base", "finger"), ("base", "hand"), ("base", "hand"))
    long = m.topology.iteps[0]
    assert (long.type, m.joints[long.driving].name) == ("B", "tip")
    m = chain_of_three(("base", "finger"), ("base", "hand"))
    assert m.topology.iteps[0].type == "?"
    assert m.topology.iteps[0].reason == "3 joints move between its mounts"
    m = chain_of_three(("base", "finger"), ("base", "hand"), ("arm", "finger"))
    assert m.topology.iteps[0].reason == "3 joints move between its mounts", "not the same two"


def test_what_is_fixed_may_fix_more():
    """The first cylinder is over one joint only after the last one has fixed the other."""
    m = chain_of_three(("base", "finger"), ("base", "hand"), ("base", "arm"))
    long = m.topology.iteps[0]
    assert (long.type, m.joints[long.driving].name) == ("B", "tip")


def test_only_cylinders_that_touch_a_loop_left_over_are_out_of_scope():
    """A slider-crank is no four-bar: what stands on it cannot be told, what is beyond can."""
    m = machine(
        [
            joint("crank", "ground", "a"),
            joint("coupler", "a", "b", at=[1, 0, 0]),
            joint("pin", "b", "slider", at=[2, 0, 0]),
            joint("guide_ground", "ground", "slider", "prismatic", axis=[1, 0, 0]),
            joint("guide_slider", "slider", "ground", "prismatic", axis=[1, 0, 0]),
            joint("mast", "slider", "boom"),
            joint("jib", "boom", "hook", at=[2, 0, 0]),
        ],
        [
            actuator("on_it", ("slider", (0, 0, -1)), ("boom", (1, 0, 0)), (0.1, 9.0)),
            actuator("beside", ("boom", (0, 0, 1)), ("hook", (1, 0, 0)), (0.1, 9.0)),
        ],
    )
    assert m.topology.contraction.leftover == ("guide_ground/guide_slider",)
    on_it, beside = m.topology.iteps
    assert on_it.type == "?"
    assert on_it.reason == "loops that are no planar four-bars: guide_ground/guide_slider"
    assert (beside.type, m.joints[beside.driving].name) == ("B", "jib")
