"""Drawings of graphs: what is in them, how they are laid out, that they are written."""

import numpy as np
import pytest

import headframe
from headframe.description import Robot
from headframe.errors import ExportError
from headframe.pictures.graph import DrawnEdge, Graph, Node
from headframe.pictures.layout import bend_edges, columns_of, curve, place_nodes
from headframe.pictures.page import draw_graph
from headframe.pictures.stages import draw_topology, raw_graph
from headframe.topology import analyse

pytest.importorskip("matplotlib")


def edges_of(graph, kind):
    return [
        (graph.nodes[e.source].name, graph.nodes[e.target].name, e.label, e.both)
        for e in graph.edges
        if e.kind == kind
    ]


def small_machine():
    """A four-bar with a pair of cylinders, a slide, a bolted part and a spinning one."""
    names = ["base", "crank", "coupler", "rocker", "slide", "lamp", "wheel"]
    parts = [f"{part}{i}" for i in (1, 2) for part in ("tube", "rod")]

    def joint(parent, child, kind="revolute"):
        axis = {} if kind == "fixed" else {"axis": (0.0, 1.0, 0.0)}
        name = f"{parent}_{child}"
        return {"name": name, "parent": parent, "child": child, "type": kind, **axis}

    def actuator(i):
        return {
            "name": f"jack{i}", "tube": f"tube{i}", "rod": f"rod{i}", "group": "jacks",
            "tube_parent": "base", "rod_parent": "crank", "redundants": [f"jack{3 - i}"],
            "tube_offset": (0.0, 0.0, 0.0), "rod_offset": (1.0, 0.0, 0.0),
            "bound": {"lower": 0.5, "upper": 1.5},
        }  # fmt: skip

    return Robot.model_validate(
        {
            "name": "small", "class": "toy", "end_effector": "coupler",
            "links": [{"name": name} for name in names + parts],
            "joints": [
                joint("base", "crank"), joint("crank", "coupler"), joint("coupler", "rocker"),
                joint("base", "rocker"), joint("rocker", "base"),
                joint("coupler", "slide", "prismatic"), joint("slide", "lamp", "fixed"),
                joint("slide", "wheel", "continuous"),
            ],
            "motors": [{"name": "motor", "joint": "slide_wheel"}],
            "actuators": [actuator(1), actuator(2)],
        }
    )  # fmt: skip


def test_nodes_are_the_main_links_numbered_as_in_the_file():
    graph = raw_graph(analyse(small_machine()))
    assert [node.name for node in graph.nodes][:4] == ["base", "crank", "coupler", "rocker"]
    assert [node.number for node in graph.nodes] == [str(i) for i in range(7)]
    assert [node.name for node in graph.nodes if not node.main] == ["lamp", "wheel"]
    assert [node.name for node in graph.nodes if node.marked] == ["coupler"]
    assert graph.facts == "toy   ·   5 links, 9 joints, 2 actuators"


def test_edges_have_their_kinds_and_directions():
    graph = raw_graph(analyse(small_machine()))
    assert edges_of(graph, "revolute") == [
        ("base", "crank", "base_crank", False),
        ("crank", "coupler", "crank_coupler", False),
        ("coupler", "rocker", "coupler_rocker", False),
        ("base", "rocker", "base_rocker", True),  # one pivot, both ways
    ]
    assert edges_of(graph, "prismatic") == [("coupler", "slide", "coupler_slide", False)]
    assert edges_of(graph, "fixed") == [("slide", "lamp", "slide_lamp", False)]
    assert edges_of(graph, "other") == [("slide", "wheel", "slide_wheel", False)]
    assert edges_of(graph, "actuator") == [("base", "crank", "jacks \u00d7 2", False)]


def test_a_four_bar_becomes_a_diamond():
    bars = [(0, 1), (1, 2), (2, 3), (0, 3)]
    columns = columns_of(4, bars, bars)
    assert columns == [0, 1, 2, 1]
    places = place_nodes(columns, bars)
    assert places[0, 1] == places[2, 1] == 0.0
    assert places[1, 1] == -places[3, 1] != 0.0


def test_nodes_that_only_actuators_reach_are_placed_too():
    assert columns_of(4, [(0, 1)], [(1, 2)]) == [0, 1, 2, 0]


def test_order_in_a_column_avoids_crossings():
    edges = [(0, 1), (0, 2), (1, 4), (2, 3)]
    places = place_nodes([0, 1, 1, 2, 2], edges)
    assert (places[1, 1] > places[2, 1]) == (places[4, 1] > places[3, 1])


def test_large_columns_are_ordered_by_swaps():
    edges = [(0, i) for i in range(1, 9)] + [(i, 17 - i) for i in range(1, 9)]
    places = place_nodes([0] + [1] * 8 + [2] * 8, edges)
    assert len({tuple(place) for place in places}) == 17


def test_edges_between_the_same_nodes_run_side_by_side():
    places = np.array([[0.0, 0.0], [300.0, 0.0]])
    pairs = [(0, 1), (0, 1), (1, 0)]
    bends = bend_edges(places, 20.0, pairs)
    middles = [
        curve(places[a], places[b], bend)[20] for (a, b), bend in zip(pairs, bends, strict=True)
    ]
    heights = sorted(middle[1] for middle in middles)
    assert np.diff(heights).min() > 10


def test_edges_bend_round_nodes_in_their_way():
    places = np.array([[0.0, 0.0], [200.0, 0.0], [400.0, 0.0]])
    bends = bend_edges(places, 20.0, [(0, 1), (1, 2), (0, 2)])
    assert bends[:2] == [0.0, 0.0]
    assert abs(bends[2]) > 0.1


@pytest.mark.parametrize("name", headframe.machines())
def test_every_machine_of_the_catalogue(tmp_path, name):
    robot = headframe.load(name).robot
    assert draw_topology(robot, tmp_path / "graph.png").stat().st_size > 5000


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_other_formats(tmp_path, suffix):
    assert draw_topology(small_machine(), tmp_path / f"graph{suffix}").stat().st_size > 5000


def test_other_stages_are_drawn_by_the_same_function(tmp_path):
    graph = Graph(
        "contracted $stage$", "",
        (Node("0", "base"), Node("1~3", "four-bar"), Node("4", "alone")),
        (DrawnEdge(0, 1, "generalized", "four-bar"), DrawnEdge(0, 1, "actuator", "legs")),
    )  # fmt: skip
    assert draw_graph(graph, str(tmp_path / "graph.png")).exists()


def test_a_single_link_is_drawn(tmp_path):
    alone = Robot.model_validate({"name": "alone", "links": [{"name": "base"}]})
    assert draw_topology(alone, tmp_path / "graph.png").exists()


def test_what_cannot_be_written_is_said(tmp_path):
    with pytest.raises(ExportError, match=r"\.png"):
        draw_topology(small_machine(), tmp_path / "graph.gif")
