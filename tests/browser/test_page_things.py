"""Bodies and statics of a scene in the page."""

from pathlib import Path

import numpy as np
import pytest
from running import Running

from headframe.staging import load_scene

STORE = Path(__file__).parents[2] / "docs" / "examples" / "store.json"


@pytest.fixture(scope="module")
def store():
    running = Running("--port", "0", "--scene", str(STORE))
    yield running
    running.stop()


def test_they_are_drawn_where_the_file_has_them(store, visit):
    cab = visit(store.addresses[0]).loaded()
    scene = load_scene(STORE).scene
    wanted = [X for body in scene.bodies for X in body.poses]
    wanted += [static.at.pose for static in scene.statics]
    names = [name for body in scene.bodies for name in body.units]
    names += [static.name for static in scene.statics]
    assert cab.tell("facts.scene.things.map(({ name }) => name)") == names
    cab.until("view.thingMatrix(0) !== null")
    drawn = cab.tell("facts.scene.things.map((_, n) => view.thingMatrix(n))")
    found = np.array(drawn).reshape(-1, 4, 4).transpose(0, 2, 1)
    np.testing.assert_allclose(found, wanted, atol=1e-6)
    fixed = cab.tell("facts.scene.things.filter(({ fixed }) => fixed).map(({ name }) => name)")
    assert fixed == ["ramp", "wall"]


def test_another_scene_has_none_of_them(store, visit):
    cab = visit(store.addresses[0]).loaded()
    number = cab.tell("facts.scene.number")
    if not cab.tell("store.hasSeat"):
        cab.send(type="take_seat")
    cab.until("store.hasSeat")
    cab.send(type="choose_scene", name="yard")
    cab.until(f"facts.scene.number > {number} && !facts.loading && store.frame")
    cab.until("view.thingMatrix(0) === null")
    assert cab.tell("facts.scene.things") == []
