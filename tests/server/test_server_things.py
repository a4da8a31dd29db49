"""Bodies and statics of a scene, as pages are told of them."""

import json
import struct
from pathlib import Path

import numpy as np

from headframe.server.cast import Cast, SceneChoice
from headframe.server.shapes import SceneShapes
from headframe.server.showing import things_of

STORE = Path(__file__).parents[2] / "docs" / "examples" / "store.json"


def nodes_of(glb):
    (length,) = struct.unpack_from("<I", glb, 12)
    return json.loads(glb[20 : 20 + length])["nodes"]


def test_a_page_is_told_where_each_is_and_gets_a_shape_for_each_kind():
    cast, shapes = Cast(SceneChoice(str(STORE))), SceneShapes()
    scene = cast.staged.scene
    things = list(things_of(scene))
    assert len(things) == sum(body.count for body in scene.bodies) + len(scene.statics)
    assert [thing.name for thing in things[:4]] == ["crate 1", "crate 2", "crate 3", "pipe 1"]
    assert [thing.fixed for thing in things[-2:]] == [True, True]
    np.testing.assert_allclose(things[2].position, (9, -1, 2.0))
    ramp = next(thing for thing in things if thing.name == "ramp")
    assert ramp.shape == len(scene.bodies)
    data = shapes.of(cast)
    nodes = nodes_of(data[shapes.things(cast)])
    assert [node["extras"]["link"] for node in nodes] == list(range(7))
    assert nodes[ramp.shape]["name"] == "ramp"


def test_a_scene_without_any_has_no_shapes_of_them():
    cast, shapes = Cast(SceneChoice("yard")), SceneShapes()
    assert shapes.things(cast) == ""
    assert "" not in shapes.of(cast)
