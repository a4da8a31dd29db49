"""Algorithm 1: which loops are planar four-bars, and what is left after contraction."""

import math

import pytest

import headframe as hf
from build import actuator, four_bar, joint, machine, peaucellier, rssr
from headframe.bench.printed import ORDER


def contracted(m):
    names = m.topology.cluster_names
    return {(names[e.parent], names[e.child], e.kind) for e in m.topology.contraction.edges}


def four_bars(m):
    names = m.topology.cluster_names
    return [tuple(names[n] for n in f.links) for f in m.topology.contraction.four_bars]


def test_ring_starts_at_the_ground_and_its_input_is_the_first_joint():
    m = four_bar(2, 1, 2, 1.5)
    assert four_bars(m) == [("ground", "crank_link", "coupler_link", "rocker_link")]
    (found,) = m.topology.contraction.four_bars
    assert m.joints[found.input].name == "crank"
    assert [m.joints[j].name for j in found.joints[:3]] == ["crank", "coupler", "rocker"]
    assert found.joints[3] == -1


def test_nothing_hangs_on_a_bare_four_bar():
    assert contracted(four_bar(2, 1, 2, 1.5)) == set()


def test_ground_in_the_middle_of_the_chain_is_found():
    """The same four-bar modelled from both ends, closed between coupler and rocker."""
    m = machine(
        [
            joint("crank", "ground", "a"),
            joint("coupler", "a", "b", at=[1, 0, 0]),
            joint("rocker", "ground", "c", at=[2, 0, 0]),
            joint("close_b", "b", "c", at=[2, 0, 0]),
            joint("close_c", "c", "b", at=[1.5, 0, 0]),
        ]
    )
    assert four_bars(m) == [("ground", "a", "b", "c")]
    (found,) = m.topology.contraction.four_bars
    assert m.joints[found.input].name == "crank"


def test_fixed_parts_belong_to_their_link():
    m = machine(
        [
            joint("crank", "ground", "a"),
            joint("bolt", "a", "a_end", "fixed", at=[1, 0, 0], rpy=[0, 0.3, 0]),
            joint("coupler", "a_end", "b"),
            joint("rocker", "b", "c", at=[2, 0, 0]),
            joint("close_ground", "ground", "c", at=[2, 0, 0]),
            joint("close_c", "c", "ground", at=[1.5, 0, 0]),
        ]
    )
    assert four_bars(m) == [("ground", "a", "b", "c")]


def test_children_and_cylinders_get_generalized_joints():
    m = machine(
        [
            joint("crank", "ground", "a"),
            joint("coupler", "a", "b", at=[1, 0, 0]),
            joint("rocker", "b", "c", at=[2, 0, 0]),
            joint("close_ground", "ground", "c", at=[2, 0, 0]),
            joint("close_c", "c", "ground", at=[1.5, 0, 0]),
            joint("tip", "b", "tool", at=[1, 0, 1]),
        ],
        [actuator("cyl", ("a", (0.5, 0, 0)), ("c", (0.5, 0, 0)), (0.1, 9.0))],
    )
    assert contracted(m) == {
        ("b", "tool", "revolute"),
        ("ground", "a", "generalized"),
        ("ground", "b", "generalized"),
        ("ground", "c", "generalized"),
        ("a", "c", "generalized"),
    }


@pytest.mark.parametrize("tilt", [0.0, 0.2])
def test_only_parallel_hinges_make_a_four_bar(tilt):
    """One hinge tilted out of the plane: the loop is spatial and is named as left over."""
    m = machine(
        [
            joint("crank", "ground", "a"),
            joint("coupler", "a", "b", at=[1, 0, 0], axis=[0, math.cos(tilt), math.sin(tilt)]),
            joint("rocker", "b", "c", at=[2, 0, 0]),
            joint("close_ground", "ground", "c", at=[2, 0, 0]),
            joint("close_c", "c", "ground", at=[1.5, 0, 0]),
        ]
    )
    found = m.topology.contraction
    assert len(found.four_bars) == (tilt == 0.0)
    assert found.leftover == (() if tilt == 0.0 else ("close_ground/close_c",))


def test_spatial_and_larger_loops_are_left_over():
    assert rssr().topology.contraction.leftover == ("socket_a/socket_b",)
    assert "close_a1/close_a2" in peaucellier().topology.contraction.leftover


def test_four_bars_that_share_a_link_are_two():
    """A strongly connected component would take both for one."""
    joints = [
        joint("crank", "ground", "a"),
        joint("coupler", "a", "b", at=[1, 0, 0]),
        joint("rocker", "b", "c", at=[2, 0, 0]),
        joint("close1", "ground", "c", at=[2, 0, 0]),
        joint("close2", "c", "ground", at=[1.5, 0, 0]),
        joint("crank2", "b", "d"),
        joint("coupler2", "d", "e", at=[1, 0, 0]),
        joint("rocker2", "e", "f", at=[2, 0, 0]),
        joint("close3", "b", "f", at=[2, 0, 0]),
        joint("close4", "f", "b", at=[1.5, 0, 0]),
    ]
    m = machine(joints)
    assert four_bars(m) == [("ground", "a", "b", "c"), ("b", "d", "e", "f")]
    assert contracted(m) == {("ground", "b", "generalized")}


def test_contracted_graph_of_the_catalogue_has_no_loops():
    for name in ORDER:
        topology = hf.load(name).topology
        assert topology.contraction.leftover == ()
        edges = {(e.parent, e.child) for e in topology.contraction.edges}
        reached = {n for edge in edges for n in edge} | {0}
        assert len(edges) == len(reached) - 1, name


@pytest.mark.parametrize("turned", ["a", "b", "c"])
@pytest.mark.parametrize("sense", [1.0, 0.0, -1.0])
def test_hinges_are_parallel_however_link_frames_are_turned(turned, sense):
    """A link's own frame may lie turned in its joint: from there on axes are given in that frame.

    Turned by 1.2 about z, y of the joint is (sin 1.2, cos 1.2, 0) in the link, and not y, nor
    that of a link turned the other way.
    """
    links = [{"name": name} for name in ("ground", "a", "b", "c")]
    links["abc".index(turned) + 1]["orientation"] = [0, 0, 1.2]
    behind = [math.sin(sense * 1.2), math.cos(sense * 1.2), 0.0]
    axes = {name: behind if name >= turned else [0, 1, 0] for name in "abc"}
    found = machine(
        [
            joint("crank", "ground", "a"),
            joint("coupler", "a", "b", at=[1, 0, 0], axis=axes["a"]),
            joint("rocker", "b", "c", at=[2, 0, 0], axis=axes["b"]),
            joint("close_ground", "ground", "c", at=[2, 0, 0]),
            joint("close_c", "c", "ground", at=[1.5, 0, 0], axis=axes["c"]),
        ],
        links=links,
    ).topology.contraction
    assert len(found.four_bars) == (sense == 1.0)
    assert found.leftover == (() if sense == 1.0 else ("close_ground/close_c",))


def test_cylinder_on_one_link_of_a_four_bar_makes_no_joint():
    """Between a link and what is welded to it nothing moves."""
    m = machine(
        [
            joint("crank", "ground", "a"),
            joint("weld", "a", "a_lug", "fixed", at=[0, 0, 1]),
            joint("coupler", "a", "b", at=[1, 0, 0]),
            joint("rocker", "b", "c", at=[2, 0, 0]),
            joint("close_ground", "ground", "c", at=[2, 0, 0]),
            joint("close_c", "c", "ground", at=[1.5, 0, 0]),
        ],
        [actuator("idle", ("a", (0.5, 0, 0)), ("a_lug", (0, 0, 0)), (0.1, 9.0))],
    )
    assert contracted(m) == {("ground", "a", "generalized")}
    (itep,) = m.topology.iteps
    assert (itep.type, itep.reason) == ("?", "its mounts cannot move apart")
