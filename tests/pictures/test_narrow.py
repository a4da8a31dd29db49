"""Graphs for a narrow column: placed without matplotlib, readable, nothing outside the box."""

import subprocess
import sys

import numpy as np
import pytest

import headframe as hf
from headframe.pictures.narrow import narrow_layout, narrow_places, placed, size_for
from headframe.pictures.stages import contracted_graph, raw_graph


@pytest.mark.parametrize("name", hf.machines())
@pytest.mark.parametrize("stage", [raw_graph, contracted_graph])
def test_everything_is_inside_the_box(name, stage):
    topology = hf.load(name).topology
    graph = stage(topology)
    shown = placed(graph, narrow_layout(graph, narrow_places(raw_graph(topology))))
    left, top, width, height = shown.box
    low, high = np.array([left, top]), np.array([left + width, top + height])
    boxes = [*shown.names.boxes, *((p, np.zeros(2)) for line in shown.layout.lines for p in line)]
    for place, half in boxes:
        assert (place - half >= low - 1e-9).all()
        assert (place + half <= high + 1e-9).all()


@pytest.mark.parametrize("name", hf.machines())
def test_nodes_are_apart(name):
    places = narrow_places(raw_graph(hf.load(name).topology))
    gaps = np.linalg.norm(places[:, None] - places, axis=-1) + 1e9 * np.eye(len(places))
    assert gaps.min() > 4 * size_for(places).radius


def test_long_chains_go_down_and_wide_ones_across():
    tall = narrow_places(raw_graph(hf.load("tcchs").topology))
    wide = narrow_places(raw_graph(hf.load("roadheader").topology))
    assert np.ptp(tall[:, 1]) > np.ptp(tall[:, 0])
    assert np.ptp(wide[:, 0]) > 500


def test_matplotlib_is_not_needed():
    code = (
        "import sys, headframe as hf\n"
        "from headframe.pictures.narrow import *\n"
        "from headframe.pictures.stages import raw_graph\n"
        "graph = raw_graph(hf.load('door').topology)\n"
        "placed(graph, narrow_layout(graph, narrow_places(graph)))\n"
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
