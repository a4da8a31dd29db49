"""The three stages of a machine's graph: what is in each of them."""

import itertools

import numpy as np
import pytest

import headframe
from build import actuator, joint, machine, rssr, stewart_platform
from headframe.description import Robot
from headframe.errors import ExportError
from headframe.pictures.graph import DrawnEdge, Graph, Layout, Node, lay_out
from headframe.pictures.page import LEGEND, draw_graph, legend_height, legend_rows
from headframe.pictures.panels import PAGE, grid
from headframe.pictures.stages import (
    STAGES,
    contracted_graph,
    draw_topology,
    itep_facts,
    itep_panels,
    raw_graph,
)

pytest.importorskip("matplotlib")


def topology_of(name):
    return headframe.load(name).topology


def named(graph, topology, **wanted):
    """Ends by name, kind and label of the edges that are as wanted."""
    numbers = {str(i): link.name for i, link in enumerate(topology.robot.main_links)}
    name = [numbers[node.number] for node in graph.nodes]
    return [
        (name[e.source], name[e.target], e.kind, e.label)
        for e in graph.edges
        if all(getattr(e, field) == value for field, value in wanted.items())
    ]


def panels_of(topology):
    return {panel.title: panel for panel in itep_panels(topology)}


# -------------------------------------------------------------- contracted


def test_four_bars_become_generalized_joints():
    topology = topology_of("tcchs")
    graph = contracted_graph(topology)
    assert named(graph, topology, kind="generalized") == [
        ("base", "shield", "generalized", "base_front_link"),
        ("front_beam", "guard_rocker", "generalized", "front_beam_guard_rocker"),
    ]
    strong = named(graph, topology, faint=False, kind="revolute")
    assert [edge[:2] for edge in strong] == [
        ("shield", "canopy"),
        ("canopy", "front_beam"),
        ("shield", "tail_beam"),
    ]
    assert "2 four-bars, 2 generalized joints" in graph.facts


def test_what_was_contracted_is_faint_and_nameless():
    topology = topology_of("tcchs")
    graph = contracted_graph(topology)
    gone = ["front_link", "rear_link", "guard_link", "guard_plate"]
    assert [node.name for node in graph.nodes if node.faint] == gone
    faint = named(graph, topology, faint=True)
    assert {label for *_, label in faint} == {""}
    # 7 bars and pivots: the joint of guard_rocker is where the generalized joint is
    assert len(faint) == 7
    assert ("front_beam", "guard_rocker", "revolute", "") not in faint


def test_hulls_hold_the_links_of_the_four_bars():
    graph = contracted_graph(topology_of("tcchs"))
    names = [[graph.nodes[n].name for n in hull.nodes] for hull in graph.hulls]
    assert names == [
        ["base", "front_link", "shield", "rear_link"],
        ["front_beam", "guard_rocker", "guard_link", "guard_plate"],
    ]
    assert [hull.name for hull in graph.hulls] == ["four-bar 1", "four-bar 2"]
    assert [hull.name for hull in contracted_graph(topology_of("lhd")).hulls] == ["four-bar"]


def test_merged_links_are_faint_and_their_edges_go_to_the_cluster():
    topology = topology_of("roadheader")
    graph = contracted_graph(topology)
    merged = {node.name for node in graph.nodes if node.faint}
    assert merged == {
        "cutting_drum", "gathering_arm_left", "gathering_arm_right", "rear_frame", "conveyor",
        "crawler_left", "crawler_right",
    }  # fmt: skip
    assert {child for _, child, *_ in named(graph, topology, faint=True)} == merged
    assert not graph.hulls
    assert "no four-bars" in graph.facts


def test_loops_that_are_no_four_bars_stay():
    topology = rssr().topology
    graph = contracted_graph(topology)
    assert named(graph, topology, both=True) == [
        ("coupler_link", "rocker_link", "other", "socket_a")
    ]
    assert not any(edge.faint for edge in graph.edges)
    assert not any(node.faint for node in graph.nodes)
    assert "1 loop left" in graph.facts


@pytest.mark.parametrize("name", headframe.machines())
def test_stages_have_the_same_nodes_and_actuators(name):
    topology = topology_of(name)
    raw, contracted = raw_graph(topology), contracted_graph(topology)
    assert [n.name for n in raw.nodes] == [n.name for n in contracted.nodes]
    labels = [[e.label for e in g.edges if e.kind == "actuator"] for g in (raw, contracted)]
    assert labels[0] == labels[1]


def test_links_keep_their_places():
    topology = topology_of("sths")
    raw = lay_out(raw_graph(topology))
    assert np.array_equal(lay_out(contracted_graph(topology), raw.pixels).pixels, raw.pixels)


def test_pages_of_raw_and_contracted_graph_have_the_same_size(tmp_path):
    from matplotlib.image import imread

    robot = headframe.load("tcchs").robot
    shapes = {
        imread(draw_topology(robot, tmp_path / f"{stage}.png", stage)).shape
        for stage in ("raw", "contracted")
    }
    assert len(shapes) == 1


def test_a_page_is_at_least_as_large_as_the_one_it_is_like(tmp_path):
    from matplotlib.image import imread

    graph = Graph("", "", (Node("0", "a"), Node("1", "b")), (DrawnEdge(0, 1, "revolute"),))
    alone = lay_out(graph)
    tall = Layout(alone.pixels, (*alone.lines, np.array([[0.0, -900.0], [0.0, 900.0]])))
    heights = [
        imread(draw_graph(graph, tmp_path / f"{i}.png", like)).shape[0]
        for i, like in enumerate((None, alone, tall))
    ]
    assert heights[0] == heights[1]
    assert heights[2] > 1800


# -------------------------------------------------------------------- itep


def test_a_panel_a_group():
    panels = itep_panels(topology_of("tcchs"))
    assert [(panel.title, panel.letter) for panel in panels] == [
        ("front_legs", "D"),
        ("rear_legs", "D"),
        ("tail_jacks", "B"),
        ("front_beam_jacks", "B"),
        ("insert_jacks", "A"),
        ("face_guard_jack", "C"),
    ]
    assert panels[0].aside == "front_leg_left, front_leg_right"
    assert panels[5].aside == ""  # its only member has its name
    assert itep_facts(topology_of("tcchs")).endswith(
        "1 \u00d7 A, 2 \u00d7 B, 1 \u00d7 C, 2 \u00d7 D"
    )


def test_type_d_shows_the_locked_cylinder():
    topology = topology_of("tcchs")
    panel = panels_of(topology)["front_legs"]
    assert named(panel.graph, topology, faint=False) == [
        ("shield", "canopy", "revolute", "shield_canopy"),
        ("base", "shield", "generalized", "base_front_link"),
        ("base", "canopy", "actuator", ""),
        ("base", "canopy", "locked", "rear_legs \u00d7 2"),
    ]
    assert [node.name for node in panel.graph.nodes if not node.faint] == [
        "base",
        "shield",
        "canopy",
    ]
    (line,) = panel.lines
    for words in ("type D, generalized four-bar", "drives base_front_link", "closed by rear_legs"):
        assert words in line


def test_a_joint_on_the_path_that_does_not_move_is_held():
    topology = topology_of("sths")
    graph = panels_of(topology)["legs"].graph
    assert named(graph, topology, kind="held") == [("shield", "canopy", "held", "shield_canopy")]
    assert [hull.faint for hull in graph.hulls] == [False, True]
    assert named(panels_of(topology)["balance_jack"].graph, topology, kind="held") == []


def test_nodes_of_panels_are_the_clusters():
    topology = topology_of("roadheader")
    graph = panels_of(topology)["telescope"].graph
    assert len(graph.nodes) == len(topology.clusters) == 7
    assert [node.name for node in graph.nodes if node.name] == ["boom", "cutter_head"]
    assert [node.number for node in graph.nodes if node.marked] == ["3"]


@pytest.mark.parametrize("name", headframe.machines())
def test_panels_differ_in_looks_only(name):
    """They share one layout."""
    panels = itep_panels(topology_of(name))
    for one, other in itertools.pairwise(panels):
        ends = [[(e.source, e.target) for e in panel.graph.edges] for panel in (one, other)]
        assert ends[0] == ends[1]
        assert [n.number for n in one.graph.nodes] == [n.number for n in other.graph.nodes]


def test_a_group_out_of_scope_has_its_reason():
    topology = stewart_platform().topology
    panels = itep_panels(topology)
    assert {panel.letter for panel in panels} == {"?"}
    assert panels[2].lines == (
        "type ?, out of scope, left to the general solver",
        topology.iteps[2].reason,
    )
    strong = named(panels[2].graph, topology, faint=False)
    assert strong == [
        ("base", "platform", "other", "float"),  # not known to be held
        ("base", "platform", "actuator", ""),
    ]


def test_a_cylinder_that_cannot_move_is_drawn(tmp_path):
    """Its path is empty; its mounts are on one cluster."""
    stuck = machine(
        [joint("bolts", "base", "plate", "fixed"), joint("hinge", "base", "arm")],
        [actuator("strut", ("base", (0, 0, 0)), ("plate", (1, 0, 0)), (0.5, 1.5))],
    )
    (panel,) = itep_panels(stuck.topology)
    assert panel.letter == "?"
    assert [node.name for node in panel.graph.nodes] == ["base", ""]
    for stage in STAGES:
        assert stuck.draw_topology(tmp_path / f"{stage}.png", stage).exists()


def test_without_actuators_one_panel_says_so(tmp_path):
    (panel,) = itep_panels(rssr().topology)
    assert panel.title == "no actuators"
    assert all(edge.faint for edge in panel.graph.edges)
    assert rssr().draw_topology(tmp_path / "x.png", "itep").stat().st_size > 5000


# ----------------------------------------------------------------- drawing


@pytest.mark.parametrize("stage", ["contracted", "itep"])
@pytest.mark.parametrize("name", headframe.machines())
def test_every_machine_of_the_catalogue(tmp_path, name, stage):
    path = headframe.load(name).draw_topology(tmp_path / "graph.png", stage)
    assert path.stat().st_size > 5000


def test_the_three_pictures_differ(tmp_path):
    robot = headframe.load("lhd").robot
    written = [draw_topology(robot, tmp_path / f"{stage}.png", stage) for stage in STAGES]
    assert len({path.read_bytes() for path in written}) == 3
    assert draw_topology(robot, tmp_path / "default.png").read_bytes() == written[0].read_bytes()


@pytest.mark.parametrize("stage", STAGES)
def test_a_single_link_is_drawn(tmp_path, stage):
    alone = Robot.model_validate({"name": "alone", "links": [{"name": "base"}]})
    assert draw_topology(alone, tmp_path / "graph.svg", stage).exists()


def test_an_unknown_stage_is_said(tmp_path):
    with pytest.raises(ExportError, match="found stage 'expanded', expected 'raw', 'contracted'"):
        draw_topology(headframe.load("door").robot, tmp_path / "x.png", "expanded")
    assert list(tmp_path.iterdir()) == []


def test_panels_fill_as_few_rows_as_fit_evenly():
    assert grid(6, 500.0) == (2, 3)
    assert grid(5, 900.0) == (3, 2)
    assert grid(3, 2 * PAGE) == (3, 1)
    assert grid(1, 500.0) == (1, 1)


def test_the_legend_says_what_occurs_in_rows_that_fit():
    kinds = ("revolute", "prismatic", "generalized", "actuator", "locked")
    graph = Graph(
        "", "", (Node("0", ""), Node("1", "")), tuple(DrawnEdge(0, 1, kind) for kind in kinds)
    )
    rows = legend_rows([graph], 5000)
    assert [len(row) for row in rows] == [len(kinds)]
    assert legend_height(rows) == LEGEND
    narrow = legend_rows([graph], 700)
    assert len(narrow) > 1
    assert [entry for row in narrow for entry in row] == rows[0]
    faint = Graph("", "", graph.nodes, (DrawnEdge(0, 1, "revolute", faint=True),), rest="the rest")
    assert [text for _, text in legend_rows([faint], 5000)[0]] == ["the rest"]
