"""What pages fetch once a scene: the graph and the facts, against the library."""

import json
from itertools import pairwise

import httpx
import numpy as np
import pytest

import headframe as hf
from build import joint, machine, with_rotors
from headframe.protocol import write
from headframe.server.facts_sheet import facts_sheet
from headframe.server.sheets import MOST_NODES, sheets_of
from headframe.server.topology_sheet import topology_sheet


@pytest.mark.parametrize("name", hf.machines())
def test_graphs_are_those_of_the_library(name):
    one = hf.load(name)
    sheet = topology_sheet(one, 3)
    topology = one.topology
    assert json.loads(write(sheet))["scene"] == 3
    assert {node.name for node in sheet.raw.nodes} == {link.name for link in one.robot.main_links}
    joints = {edge.joint for edge in sheet.raw.edges if edge.joint}
    closing = {one.robot.joints[c.backward].name for c in topology.closures}
    assert joints == {j.name for j in one.joints} - closing
    generalized = [e for e in topology.contraction.edges if e.kind == "generalized"]
    assert sum(e.kind == "generalized" for e in sheet.contracted.edges) == len(generalized)
    assert [(i.group, i.type) for i in sheet.iteps] == [
        (one.robot.group_names[i.group], i.type) for i in topology.iteps
    ]
    places = {node.name: (node.x, node.y) for node in sheet.raw.nodes}
    assert places == {node.name: (node.x, node.y) for node in sheet.contracted.nodes}
    for itep in sheet.iteps:
        for node in itep.graph.nodes:
            assert places[node.links[0]] == (node.x, node.y)


def test_curves_begin_and_end_at_their_nodes():
    sheet = topology_sheet(hf.load("sths"), 1)
    for graph in (sheet.raw, sheet.contracted, *(itep.graph for itep in sheet.iteps)):
        for edge in graph.edges:
            source, target = graph.nodes[edge.source], graph.nodes[edge.target]
            x0, y0, _, _, x1, y1 = edge.line
            for x, y, node in ((x0, y0, source), (x1, y1, target)):
                away = np.hypot(x - node.x, y - node.y)
                assert graph.radius < away < graph.radius + 8.0


def test_what_lights_up_is_what_moves():
    """Move one group, the others locked: every lit link moves, seen from the path's ground."""
    one = hf.load("tcchs")
    for itep in topology_sheet(one, 1).iteps:
        members = [one.robot.actuator_index[name] for name in itep.members]
        moved = one.fk({itep.members[0]: one.home.lengths[members[0]] + 0.01})
        moves = {
            link.name
            for link in one.robot.main_links
            if np.abs(moved.pose(link.name) - one.home.pose(link.name)).max() > 1e-9
        }
        lit = {name for name, what in itep.links.items() if what == "moves"}
        assert lit & moves, itep.group
        base = next(name for name, what in itep.links.items() if what == "ground")
        for name in lit:  # seen from the ground of the path
            before, after = (np.linalg.inv(s.pose(base)) @ s.pose(name) for s in (one.home, moved))
            assert np.abs(before - after).max() > 1e-9, (itep.group, name)
        assert {one.actuators[i].tube for i in members} <= {
            name for name, what in itep.links.items() if what == "actuator"
        }


def test_pins_are_where_the_joints_are():
    one = hf.load("sths")
    for itep in topology_sheet(one, 1).iteps:
        for pin in itep.pins:
            X = one.home.pose(pin.link) @ one.robot.joint(pin.joint).origin
            p = one.home.pose(pin.link) @ (*pin.place, 1.0)
            np.testing.assert_allclose(p[:3], X[:3, 3], atol=1e-12)
            assert np.linalg.norm(pin.axis) == pytest.approx(1.0)


def test_a_four_bar_lights_all_its_links():
    sheet = topology_sheet(hf.load("door"), 1)
    (itep,) = sheet.iteps
    assert itep.type == "C"
    assert {"frame", "leaf_left", "rod", "leaf_right"} <= set(itep.links)
    assert len(itep.pins) == 4
    assert len(itep.raw.edges) == 5  # four pivots and the cylinder


@pytest.mark.parametrize("name", hf.machines())
def test_facts_are_those_of_the_file(name):
    one = with_rotors(hf.load(name))
    sheet = facts_sheet(one, 2)
    assert [link.name for link in sheet.links] == [link.name for link in one.links]
    masses = [link.inertial.mass for link in one.links if link.inertial]
    assert sheet.mass == pytest.approx(sum(masses))
    for facts, link in zip(sheet.links, one.links, strict=True):
        if link.inertial is None:
            assert facts.mass is None
            continue
        xx, yy, zz, xy, xz, yz = facts.inertia
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        np.testing.assert_allclose(I, link.inertial.inertia, rtol=1e-12, atol=1e-9)
        assert sum(facts.moments) == pytest.approx(np.trace(I), abs=1e-9)
    positions = [j.index for j in sheet.joints if j.index >= 0]
    assert sorted(positions) == list(range(len(positions)))
    for found, given in zip(sheet.joints, one.joints, strict=True):
        assert (found.name, found.damping) == (given.name, given.damping)
        assert (found.friction, found.armature) == (given.friction, given.armature)
    assert [c.name for c in sheet.cylinders] == [a.name for a in one.actuators]
    assert len(sheet.sources) == len(one.robot.provenance)


def test_sources_name_what_they_are_about():
    found = {source.of: source for source in facts_sheet(hf.load("roadheader"), 1).sources}
    assert found["masses and inertias"].topics == ("mass",)
    assert found["cutting motor"].parts == ("cutting_motor",)
    assert found["bores, forces and speeds"].topics == ("cylinder",)
    assert found["pins, strokes and joint ranges"].parts == ()
    legs = {source.of: source for source in facts_sheet(hf.load("sths"), 1).sources}
    assert "legs" in legs["actuators/legs/bore"].parts


def test_a_machine_of_too_many_links_has_no_graph():
    links = [f"l{n}" for n in range(MOST_NODES + 1)]
    one = machine([joint(f"j{n}", a, b) for n, (a, b) in enumerate(pairwise(links))])
    assert set(sheets_of(one, 1)) == {"facts"}


# ------------------------------------------------------------------- routes


@pytest.mark.parametrize("path", ["/topology", "/facts"])
def test_every_session_may_fetch_them(server, path):
    with server.talk() as talker:
        number = talker.scene["number"]
    for role in ("operator", "viewer"):
        answer = server.get(path, cookies=server.cookie(role))
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["scene"] == number
    stranger = server.get(path)
    assert stranger.status_code == 401
    assert "token" in stranger.json()["error"]


def test_they_follow_the_machine(server, operator):
    operator.alive()
    operator.send(type="choose_machine", name="door")
    operator.until(lambda: operator.scene["machine"]["name"] == "door", 60.0)
    number = operator.scene["number"]
    with httpx.Client(base_url=server.base, cookies=server.cookie("viewer")) as client:
        graph, facts = (client.get(path).json() for path in ("/topology", "/facts"))
    assert graph["scene"] == facts["scene"] == number
    assert [itep["group"] for itep in graph["iteps"]] == ["door"]
    assert [c["name"] for c in facts["cylinders"]] == ["pull"]


def test_a_viewer_may_inspect(server):
    with server.talk("viewer") as viewer:
        said = []
        take = viewer.socket.recv

        def listen(timeout):
            got = take(timeout=timeout)
            if isinstance(got, str):
                said.append(json.loads(got))
            return got

        viewer.socket.recv = listen
        viewer.send(type="inspect", number=41)
        viewer.until(lambda: any(m["type"] == "inspected" for m in said))
        (answer,) = [m for m in said if m["type"] == "inspected"]
        assert answer["number"] == 41
        assert answer["gap"] < 1e-12
        assert answer["length_error"] < 1e-9
        assert not viewer.refused
