"""The machine's graph: its stages, and what a cylinder moves, in the graph and in the picture."""

from collections import Counter

import numpy as np
import pytest
from playwright.sync_api import expect

import headframe as hf
from headframe.pictures.stages import contracted_graph, raw_graph

PINS = """(() => {
  const pins = view.overlay.group.getObjectByName("pins");
  if (!pins) return null;
  const found = [];
  for (let n = 0; n < pins.count; n++)
    found.push(Array.from(pins.instanceMatrix.array.slice(16 * n + 12, 16 * n + 15)));
  return found;
})()"""


@pytest.fixture
def tool(cab):
    cab.find("tool-topology").click()
    expect(cab.find("topology-graph")).to_be_visible(timeout=60_000)
    yield cab
    cab.find("close-tool").click()
    cab.until("view.overlay.lights.length === 0")


def edges(cab):
    """Kind and name of every edge that is drawn, and whether it is dark."""
    return cab.page.locator("hf-topology .edge").evaluate_all(
        "all => all.map(e => [e.dataset.kind, e.dataset.name, 'dark' in e.dataset])"
    )


def kinds(graph):
    return Counter(edge.kind for edge in graph.edges)


def test_the_stages_are_the_librarys(tool):
    topology = hf.load("roadheader").topology
    assert Counter(kind for kind, *_ in edges(tool)) == kinds(raw_graph(topology))
    names = tool.page.locator("hf-topology .node").evaluate_all("a => a.map(n => n.dataset.name)")
    assert set(names) == {link.name for link in topology.robot.main_links}
    tool.find("topology-stage-contracted").click()
    expect(tool.find("topology-facts")).to_contain_text("generalized joint")
    assert Counter(kind for kind, *_ in edges(tool)) == kinds(contracted_graph(topology))
    tool.find("topology-stage-iteps").click()
    expect(tool.find("topology-type")).to_have_text("Slew · Type B")
    assert len(tool.page.locator("hf-topology .node").all()) == len(topology.clusters)
    tool.find("topology-stage-raw").click()


def test_a_cylinder_of_the_list_lights_what_it_moves(tool):
    tool.find("topology-group-boom").hover()
    expect(tool.find("topology-type")).to_have_text("Boom · Type B")
    expect(tool.find("topology-equation")).to_contain_text("ℓ² = k₀ + k₁ cos(φ + ψ)")
    expect(tool.find("topology-figures")).to_contain_text("Pitching")
    machine = hf.load("roadheader")
    cylinders = [machine.robot.actuator(name) for name in ("boom_left", "boom_right")]
    moving = {"turret", "boom", *(part for c in cylinders for part in (c.tube, c.rod))}
    assert set(tool.tell("view.overlay.lights")) == moving
    bright = {(kind, name) for kind, name, dark in edges(tool) if not dark}
    assert bright == {("revolute", "pitching"), ("actuator", "boom")}
    joint = machine.robot.joint("pitching")
    place = (machine.home.pose(joint.parent) @ joint.origin)[:3, 3]
    np.testing.assert_allclose(tool.tell(PINS), [place], atol=1e-5)
    tool.page.mouse.move(200, 300)
    tool.until("view.overlay.lights.length === 0")
    assert tool.tell(PINS) is None
    assert not any(dark for *_, dark in edges(tool))


@pytest.mark.slow
def test_an_edge_can_be_reached_by_keys_and_kept(tool):
    edge = tool.find("topology-edge-telescope")
    edge.focus()
    expect(tool.find("topology-type")).to_have_text("Telescope · Type A")
    tool.page.keyboard.press("Enter")
    edge.evaluate("e => e.blur()")
    expect(tool.find("topology-group-telescope")).to_have_attribute("aria-pressed", "true")
    assert "cutter_head" in tool.tell("view.overlay.lights")
    assert not tool.status["emergency"]
    tool.find("topology-group-telescope").click()
    tool.page.mouse.move(200, 300)
    tool.until("view.overlay.lights.length === 0")


@pytest.mark.slow
def test_it_follows_the_machine(cab):
    cab.find("tool-topology").click()
    cab.send(type="choose_machine", name="sths")
    cab.until("facts.scene.machine.name === 'sths'")
    cab.loaded()
    expect(cab.find("topology-group-balance_jack")).to_be_visible(timeout=60_000)
    cab.find("topology-stage-contracted").click()
    topology = hf.load("sths").topology
    assert Counter(kind for kind, *_ in edges(cab)) == kinds(contracted_graph(topology))
    assert len(cab.page.locator("hf-topology polygon.hull.rim").all()) == 2
    cab.find("topology-group-balance_jack").hover()
    expect(cab.find("topology-type")).to_contain_text("Type D")
    expect(cab.find("topology-figures")).to_contain_text("Legs")
    lit = cab.tell("view.overlay.lights")
    assert {"base", "front_link", "rear_link", "shield", "canopy"} <= set(lit)
    cab.find("close-tool").click()
    cab.until("view.overlay.lights.length === 0")
