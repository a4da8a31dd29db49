"""Bodies and statics of scenes: where they are, what they weigh, and every sort of mistake."""

import json
import math

import numpy as np
import pytest
import trimesh
from jsonschema import Draft202012Validator

from headframe import errors
from headframe.staging import load_scene
from headframe.staging.reading import read_scene
from headframe.staging.schema import scene_schema

BOX = {"type": "box", "x": 1.0, "y": 0.5, "z": 0.25}
BODY = {"name": "crate", "shapes": [{"geometry": BOX}], "mass": 20.0}
WALL = {"name": "wall", "shapes": {"geometry": BOX}, "at": {"xyz": [5, 0, 0]}}
OWN = {
    "name": "ice",
    "young": 9e9,
    "restitution": 0.2,
    "friction": {"static": 0.05, "dynamic": 0.03},
}
VALIDATOR = Draft202012Validator(scene_schema())


@pytest.fixture
def write(tmp_path):
    def write(**changes):
        data = {"headframe_scene": 1, "name": "bay", "environment": {"kind": "yard"}}
        data |= {"machines": [{"name": "a", "machine": "gripper"}], **changes}
        path = tmp_path / "scene.json"
        path.write_text(json.dumps(data))
        return path

    return write


def test_rows_of_bodies_stand_one_step_on_from_each_other(write):
    row = {**BODY, "at": {"xyz": [1, 2, 3], "rpy": [0, 0, math.pi / 2]}, "count": 3}
    scene = load_scene(write(bodies=[{**row, "step": {"xyz": [2, 0, 0]}}], statics=[WALL])).scene
    (crate,), (wall,) = scene.bodies, scene.statics
    np.testing.assert_allclose(crate.poses[:, :3, 3], [(1, 2, 3), (1, 4, 3), (1, 6, 3)], atol=1e-12)
    assert crate.units == ("crate 1", "crate 2", "crate 3")
    np.testing.assert_allclose(wall.at.pose[:3, 3], (5, 0, 0))
    assert len(wall.shapes) == 1


def test_a_scene_without_any_is_as_before(write):
    scene = load_scene(write()).scene
    assert (scene.bodies, scene.statics, scene.materials) == ((), (), ())


def test_mass_or_density(write):
    dense = {**BODY, "name": "stone", "density": 2000.0}
    del dense["mass"]
    crate, stone = load_scene(write(bodies=[BODY, dense])).scene.bodies
    assert crate.units == ("crate",)
    assert crate.inertial().mass == 20.0
    assert stone.inertial().mass == pytest.approx(250.0)
    np.testing.assert_allclose(
        np.diag(crate.inertial().inertia), 20 / 12 * np.array([0.3125, 1.0625, 1.25])
    )


def test_materials_of_a_body_and_of_its_shapes(write):
    shapes = [{"geometry": BOX}, {"geometry": BOX, "contact": "ice", "translation": [0, 0, 1]}]
    body = {**BODY, "shapes": shapes, "material": "wood"}
    scene = load_scene(write(bodies=[body], statics=[WALL], materials=[OWN])).scene
    assert [shape.contact for shape in scene.bodies[0].surfaces] == ["wood", "ice"]
    assert [shape.contact for shape in scene.statics[0].surfaces] == ["steel"]
    assert scene.materials[0].friction.dynamic == 0.03


def test_measures_may_go_by_the_words_of_machine_files(write):
    drum = {"geometry": {"type": "cylinder", "radius": 0.3, "length": 0.9}}
    path = write(bodies=[{**BODY, "shapes": drum}])
    geometry = load_scene(path).scene.bodies[0].shapes[0].geometry
    assert (geometry.r1, geometry.r2, geometry.h) == (0.3, 0.3, 0.9)
    assert VALIDATOR.is_valid(json.loads(path.read_text()))


def body(**changes):
    return {"bodies": [{**BODY, **changes}]}


def shape(geometry, **more):
    return body(shapes=[{"geometry": geometry, **more}])


BROKEN = [
    ({"bodies": {}}, "bodies", errors.WrongTypeError, "a list"),
    ({"bodies": [3]}, "bodies[0]", errors.WrongTypeError, "an object"),
    ({"statics": 3}, "statics", errors.WrongTypeError, "a list"),
    (body(mass=None), "bodies[0]", errors.MassError, "body 'crate' has no mass"),
    (body(mass=0), "bodies[0].mass", errors.ValueRangeError, "found 0, expected more than 0"),
    (body(mass=None, density=-1), "bodies[0].density", errors.ValueRangeError, "more than 0"),
    (body(density=100.0), "bodies[0].density", errors.MassError, "both mass and density"),
    (body(count=0), "bodies[0].count", errors.ValueRangeError, "at least 1"),
    (body(count=2), "bodies[0].step", errors.ValueRangeError, "2 bodies would be in one place"),
    (
        body(count=1000, step={"xyz": [99, 0, 0]}),
        "bodies[0].step",
        errors.ValueRangeError,
        "m away",
    ),
    (body(at={"xyz": [0, 0]}), "bodies[0].at.xyz", errors.WrongTypeError, "3 values"),
    (body(at={"zyx": [0, 0, 0]}), "bodies[0].at.zyx", errors.UnknownFieldError, "xyz"),
    (body(at={"xyz": [1e5, 0, 0]}), "bodies[0].at", errors.ValueRangeError, "at most 10000 m"),
    (body(shapes=[]), "bodies[0].shapes", errors.ValueRangeError, "at least one"),
    (body(shapes=5), "bodies[0].shapes", errors.WrongTypeError, "a list of shapes"),
    (body(shape=[]), "bodies[0].shape", errors.UnknownFieldError, "did you mean 'shapes'"),
    (body(material="wod"), "bodies[0].material", errors.NameUnknownError, "did you mean 'wood'"),
    (body(material=5), "bodies[0].material", errors.WrongTypeError, "a string"),
    (
        shape({**BOX, "x": 0}),
        "bodies[0].shapes[0].geometry.x",
        errors.ValueRangeError,
        "more than 0",
    ),
    (shape({"type": "bax"}), "bodies[0].shapes[0].geometry.type", errors.ValueRangeError, "'box'"),
    (
        shape(BOX, contact="ic"),
        "bodies[0].shapes[0].contact",
        errors.NameUnknownError,
        "no contact",
    ),
    (
        shape({"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}),
        "bodies[0].shapes[0].geometry.points",
        errors.ValueRangeError,
        "a body with a volume",
    ),
    (
        shape({"type": "torus", "R": 0.1, "r": 0.2}),
        "bodies[0].shapes[0].geometry.r",
        errors.ValueRangeError,
        "less than R",
    ),
    (
        shape({"type": "mesh", "path": "none.stl"}),
        "bodies[0].shapes[0].geometry.path",
        errors.MeshError,
        "there is no file",
    ),
    (
        shape({"type": "mesh", "path": "open.stl"}),
        "bodies[0].shapes[0].geometry.path",
        errors.MeshError,
        "expected a closed surface",
    ),
    ({"bodies": [BODY, BODY]}, "bodies[1].name", errors.DuplicateNameError, "taken"),
    (
        {"bodies": [BODY], "statics": [{**WALL, "name": "crate"}]},
        "statics[0].name",
        errors.DuplicateNameError,
        "taken by an earlier body or static",
    ),
    ({"statics": [{**WALL, "mass": 3}]}, "statics[0].mass", errors.UnknownFieldError, "unknown"),
    ({"statics": [{"name": "w"}]}, "statics[0].shapes", errors.MissingFieldError, "missing"),
    ({"statics": [WALL] * 201}, "statics", errors.TooManyElementsError, "at most 200"),
    (
        {
            "bodies": [
                {**BODY, "name": f"b{n}", "count": 600, "step": {"xyz": [1, 0, 0]}}
                for n in range(2)
            ]
        },
        "bodies",
        errors.TooManyElementsError,
        "more than 1000 bodies",
    ),
    (
        {"materials": [{**OWN, "restitution": 2}]},
        "materials[0].restitution",
        errors.ValueRangeError,
        "at most 1",
    ),
    (
        {"materials": [{**OWN, "stiffness": 2}]},
        "materials[0].stiffness",
        errors.ValueRangeError,
        "both",
    ),
    ({"materials": [OWN, OWN]}, "materials[1].name", errors.DuplicateNameError, "taken"),
]


@pytest.mark.parametrize(("changes", "place", "kind", "message"), BROKEN)
def test_mistakes_are_told_with_their_places(write, tmp_path, changes, place, kind, message):
    block = trimesh.creation.box((1, 1, 1))
    block.update_faces(np.arange(len(block.faces)) > 0)
    block.export(tmp_path / "open.stl")
    reading = read_scene(write(**changes))
    assert reading.scene is None
    assert [problem.place for problem in reading.problems] == [place]
    (problem,) = reading.problems
    assert problem.kind is kind
    assert message in f"{problem.message}; {problem.hint}"


def test_the_schema_takes_what_the_reader_takes(write):
    data = json.loads(write(bodies=[BODY], statics=[WALL], materials=[OWN]).read_text())
    assert list(VALIDATOR.iter_errors(data)) == []
    for changes in (body(mass=0), shape({**BOX, "x": 0}), {"statics": [{"name": "w"}]}):
        assert not VALIDATOR.is_valid(json.loads(write(**changes).read_text()))
