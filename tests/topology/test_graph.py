"""Spanning tree, closures, merged links and counts."""

import pytest

import headframe as hf
from build import actuator, four_bar, joint, machine, peaucellier, rssr

# links / joints / actuators as counted in the table of machines; freedoms = redundant groups
CATALOGUE = {
    "tcchs": (11, 34, 11, 6),
    "sths": (8, 17, 4, 3),
    "sshs": (8, 22, 7, 5),
    "roadheader": (7, 24, 9, 6),
    "lhd": (5, 9, 2, 2),
    "door": (4, 6, 1, 1),
    "jumbo": (6, 12, 3, 3),
    "shearer": (4, 19, 8, 3),
}


@pytest.mark.parametrize("name", CATALOGUE)
def test_catalogue_counts(name):
    m = hf.load(name)
    links, joints, actuators, freedoms = CATALOGUE[name]
    assert m.counts == {"links": links, "joints": joints, "actuators": actuators}
    assert len(m.robot.groups) == freedoms


def test_four_bar_has_one_closure_and_a_chain_of_three():
    m = four_bar(2, 1, 2, 1.5)
    (loop,) = m.topology.loops
    assert loop.name == "close_ground/close_rocker"
    assert [m.joints[j].name for j in loop.joints] == ["rocker", "coupler", "crank"][::-1]
    assert m.counts == {"links": 4, "joints": 4, "actuators": 0}


def test_three_loops_of_the_peaucellier_linkage():
    topology = peaucellier().topology
    assert len(topology.closures) == 3
    assert len(topology.tree_joints) == 7


def test_parents_stand_before_children():
    for m in (peaucellier(), rssr(), hf.load("tcchs")):
        seen = {m.topology.root}
        for j in m.topology.tree_joints:
            assert m.robot.link_index[m.joints[j].parent] in seen
            seen.add(m.robot.link_index[m.joints[j].child])


def test_fixed_and_spinning_links_merge():
    m = machine(
        [
            joint("bolt", "base", "frame", "fixed"),
            joint("lift", "frame", "arm"),
            joint("spin", "arm", "drum", "continuous"),
            joint("idle", "arm", "wheel", "continuous"),
        ],
        motors=[{"name": "m", "joint": "spin"}],
    )
    names = [[m.links[i].name for i in cluster] for cluster in m.topology.clusters]
    assert names == [["base", "frame"], ["arm", "drum"], ["wheel"]]
    assert m.counts["joints"] == 2


def test_path_goes_through_the_common_ancestor_only():
    m = machine(
        [
            joint("trunk", "root", "hub"),
            joint("left", "hub", "a"),
            joint("stay", "hub", "post", "fixed"),
            joint("right", "post", "b"),
        ],
        [actuator("cyl", ("a", (1, 0, 0)), ("b", (2, 0, 0)), (0.5, 9.0))],
    )
    (loop,) = m.topology.loops
    assert [m.joints[j].name for j in loop.joints] == ["left", "right"]


def test_redundant_groups_are_transitive_and_keep_the_file_order():
    cylinders = [
        actuator("a", ("base", (1, 0, 0)), ("arm", (2, 0, 0)), (0.5, 9), redundants=["c"]),
        actuator("b", ("base", (1, 1, 0)), ("arm", (2, 0, 0)), (0.5, 9), group="lift"),
        actuator("c", ("base", (1, 2, 0)), ("arm", (2, 0, 0)), (0.5, 9), redundants=["a", "d"]),
        actuator("d", ("base", (1, 3, 0)), ("arm", (2, 0, 0)), (0.5, 9), redundants=["c"]),
    ]
    robot = machine([joint("hinge", "base", "arm")], cylinders).robot
    assert robot.groups == ((0, 2, 3), (1,))
    assert robot.group_names == ("a", "lift")
