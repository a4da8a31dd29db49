"""Spanning tree, closures, merged links and counts."""

from types import SimpleNamespace

import numpy as np
import pytest

import headframe as hf
from build import actuator, four_bar, joint, machine, peaucellier, rssr
from headframe.description.loops import closure_pairs

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


def test_only_continuous_joints_with_a_motor_spin():
    """A hinge between limits moves its link elsewhere, motor or not; so does one that is idle."""
    m = machine(
        [
            joint("drum", "base", "drum_link", "continuous"),
            joint("slew", "base", "tower", "revolute"),
            joint("pendulum", "tower", "hook", "continuous"),
        ],
        motors=[{"name": "m1", "joint": "drum"}, {"name": "m2", "joint": "slew"}],
    )
    assert [m.joints[j].name for j in m.topology.spinning] == ["drum"]
    assert m.topology.cluster_names == ("base", "tower", "hook")
    assert [m.joints[j].name for j in m.topology.moving_joints] == ["slew", "pendulum"]


def test_links_of_a_cluster_stand_as_in_any_pose():
    """Fixed parts keep their place, turned joints and turned links one behind the other."""
    links = [{"name": name} for name in ("base", "arm", "plate", "lug", "drum")]
    links[2] |= {"translation": [0.1, 0.2, 0.3], "orientation": [0.4, -0.3, 0.2]}
    links[3] |= {"translation": [-0.2, 0.0, 0.1], "orientation": [0.0, 0.5, -1.0]}
    m = machine(
        [
            joint("lift", "base", "arm"),
            joint("weld", "arm", "plate", "fixed", at=[1, 0, 0], rpy=[0.3, 0.0, 0.7]),
            joint("bolt", "plate", "lug", "fixed", at=[0, 1, 0], rpy=[0.0, 0.2, 0.1]),
            joint("spin", "lug", "drum", "continuous", at=[0, 0, 1], rpy=[0.1, 0.0, 0.0]),
        ],
        links=links,
        motors=[{"name": "m", "joint": "spin"}],
    )
    state = hf.State(m.mechanism, [0.8, 0.0])
    arm = np.linalg.inv(state.pose("arm"))
    index = m.robot.link_index
    for name in ("arm", "plate", "lug", "drum"):
        found = m.topology.pose_in_cluster[index[name]]
        np.testing.assert_allclose(found, arm @ state.pose(name), atol=1e-12)


def test_pairs_of_closing_joints_are_taken_in_the_order_of_the_file():
    """Two pivots between the same two links: the first halves belong together, then the others."""

    def leads(parent, child):
        return SimpleNamespace(parent=parent, child=child)

    there, back = leads("a", "b"), leads("b", "a")
    assert closure_pairs([there, there, back, back]) == ((0, 2), (1, 3))
    assert closure_pairs([there, back, back, there]) == ((0, 1), (2, 3))
    assert closure_pairs([there, there, leads("a", "c"), back]) == ((0, 3),)
