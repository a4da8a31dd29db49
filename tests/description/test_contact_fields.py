"""What a machine file says about contact: its base, materials, what is touched and what is not."""

import json

import pytest

from headframe.description import SHIPPED_MATERIALS, CollisionShape, Link, Visual
from headframe.description.reading import read_text
from headframe.description.writing import mrdf_text
from headframe.errors import (
    DuplicateNameError,
    MissingFieldError,
    NameUnknownError,
    UnknownFieldError,
    ValueRangeError,
    WrongTypeError,
)

BOX = {"type": "box", "x": 1, "y": 1, "z": 1}
LINING = {
    "name": "lining",
    "young": 1e9,
    "poisson": 0.4,
    "restitution": 0.4,
    "friction": {"static": 0.5, "dynamic": 0.4},
}


SKIN = {"law": "volumetric", "foundation": 1e9}
NONE = {"young": None, "poisson": None}


def machine(shape=None, **fields):
    touched = {"geometry": BOX, "contact": "lining"} if shape is None else shape
    links = [{"name": "arm", "collision": [touched]}, {"name": "hand"}]
    joints = [{"name": "j", "parent": "arm", "child": "hand", "type": "fixed"}]
    data = {"mrdf": "1", "name": "m", "links": links, "joints": joints, "materials": [LINING]}
    return read_text(json.dumps({**data, **fields}))


def problem(*args, **fields):
    (found,) = machine(*args, **fields).problems
    return found.kind, found.place, f"{found.message}; {found.hint}"


def test_all_of_it_is_optional():
    robot = read_text('{"mrdf": "1", "name": "m", "links": [{"name": "a"}]}').robot
    assert (robot.base, robot.materials, robot.no_contact) == ("fixed", (), ())
    assert "base" not in mrdf_text(robot)


def test_what_is_read_is_kept_and_written_again():
    bristle = {"stiffness": 1e6, "damping": 1e3}
    viscous = {"static": 0.5, "dynamic": 0.4, "viscous": 2.0}
    soft = {"name": "soft", "stiffness": 2e5, "exponent": 1.0, "restitution": 0, "bristle": bristle}
    reading = machine(
        base="free", no_contact=[["arm", "hand"]], materials=[LINING, {**soft, "friction": viscous}]
    )
    robot = reading.robot
    assert reading.notes == []
    assert (robot.base, robot.no_contact) == ("free", (("arm", "hand"),))
    (shape,) = robot.link("arm").collision
    assert (type(shape), shape.contact) == (CollisionShape, "lining")
    lining, soft = robot.materials
    assert (lining.young, lining.poisson, lining.stiffness, lining.exponent) == (
        1e9,
        0.4,
        None,
        1.5,
    )
    assert (soft.stiffness, soft.exponent, soft.friction.viscous) == (2e5, 1.0, 2.0)
    assert (soft.bristle.stiffness, soft.bristle.damping) == (1e6, 1e3)
    again = read_text(mrdf_text(robot)).robot
    assert again == robot


def test_laws_are_kept_and_written_again():
    friction = {"static": 0.5, "dynamic": 0.4, "law": "stiction-point", "transition": 0.01}
    pad = {**LINING, "law": "kelvin-voigt", "damping": 200.0, "friction": friction}
    robot = machine(materials=[pad]).robot
    (found,) = robot.materials
    assert (found.law, found.damping) == ("kelvin-voigt", 200.0)
    assert (found.friction.law, found.friction.transition, found.friction.strain) == (
        "stiction-point",
        0.01,
        None,
    )
    assert read_text(mrdf_text(robot)).robot == robot


@pytest.mark.parametrize("name", SHIPPED_MATERIALS)
def test_materials_that_ship_need_no_entry(name):
    assert machine({"geometry": BOX, "contact": name}).problems == []


def test_a_visual_in_the_place_of_a_shape_to_touch_becomes_one():
    visual = Visual.make(geometry=BOX, translation=(1, 2, 3), name="plate")
    (shape,) = Link.make(name="a", collision=(visual,)).collision
    assert type(shape) is CollisionShape
    assert (shape.name, shape.translation, shape.contact) == ("plate", (1, 2, 3), None)
    assert shape.geometry == visual.geometry
    assert "material" not in shape.model_fields_set


def test_the_authors_dialect_tells_of_fields_that_are_not_theirs():
    reading = read_text('{"name": "m", "links": [{"name": "a"}], "base": "free"}')
    assert any("found 'base' but no key \"mrdf\"" in note for note in reading.notes)
    assert reading.robot.base == "free"


def test_what_is_seen_has_no_contact():
    links = [{"name": "arm", "visual": [{"geometry": BOX, "contact": "steel"}]}, {"name": "hand"}]
    kind, place, message = problem(links=links)
    assert (kind, place) == (UnknownFieldError, "links[0].visual[0].contact")
    assert "unknown field 'contact'" in message


@pytest.mark.parametrize(
    ("fields", "kind", "place", "message"),
    [
        ({"base": "fre"}, ValueRangeError, "base", "did you mean 'free'?"),
        ({"no_contact": [["arm", "hnd"]]}, NameUnknownError, "no_contact[0][1]", "mean 'hand'?"),
        ({"no_contact": [["arm", "arm"]]}, ValueRangeError, "no_contact[0]", "expected two links"),
        ({"no_contact": [["arm"]]}, WrongTypeError, "no_contact[0]", "expected 2 names of links"),
        ({"no_contact": ["arm"]}, WrongTypeError, "no_contact[0]", "expected a list"),
        ({"no_contact": [["arm", 3]]}, WrongTypeError, "no_contact[0][1]", "expected a string"),
    ],
)
def test_the_base_and_pairs_without_contact(fields, kind, place, message):
    found = problem(**fields)
    assert found[:2] == (kind, place)
    assert message in found[2]


def test_a_material_that_is_not_there_is_told_with_the_nearest():
    kind, place, message = problem({"geometry": BOX, "contact": "rubbr"})
    assert (kind, place) == (NameUnknownError, "links[0].collision[0].contact")
    assert message == "link 'arm' names 'rubbr', which is no material; did you mean 'rubber'?"
    assert "did you mean 'lining'?" in problem({"geometry": BOX, "contact": "linin"})[2]


def test_materials_have_names_of_their_own():
    kind, place, _ = problem(materials=[LINING, LINING])
    assert (kind, place) == (DuplicateNameError, "materials[1].name")


@pytest.mark.parametrize(
    ("change", "kind", "place", "message"),
    [
        ({"restitution": 1.2}, ValueRangeError, "restitution", "found 1.2, expected at most 1"),
        ({"restitution": -0.1}, ValueRangeError, "restitution", "expected at least 0"),
        (
            {"friction": {"static": 0.3, "dynamic": 0.4}},
            ValueRangeError,
            "friction.static",
            "found 0.3 below dynamic 0.4 in material 'lining', expected at least that",
        ),
        ({"friction": {"static": 0.3}}, MissingFieldError, "friction.dynamic", "is missing"),
        (
            {"friction": {"static": 1, "dynamic": -1}},
            ValueRangeError,
            "friction.dynamic",
            "least 0",
        ),
        (
            {"friction": {"static": 1, "dynamic": 1, "viscus": 1}},
            UnknownFieldError,
            "friction.viscus",
            "did you mean 'viscous'?",
        ),
        ({"stiffness": 1e6}, ValueRangeError, "stiffness", "both young and stiffness"),
        (
            {"young": None, "poisson": None},
            MissingFieldError,
            "",
            "'young' or 'stiffness' is missing",
        ),
        ({"young": None, "stiffness": 1e6}, ValueRangeError, "poisson", "poisson without young"),
        ({"young": 0}, ValueRangeError, "young", "more than 0"),
        ({"poisson": 0.6}, ValueRangeError, "poisson", "found 0.6 in material 'lining'"),
        ({"exponent": 1.0}, ValueRangeError, "exponent", "give the stiffness itself"),
        (
            {"young": None, "poisson": None, "stiffness": 1e6, "exponent": 9},
            ValueRangeError,
            "exponent",
            "expected 0.5 to 5",
        ),
        ({"bristle": {"stiffness": 0}}, ValueRangeError, "bristle.stiffness", "more than 0"),
        (
            {"bristle": {"stiffness": 1, "damping": -1}},
            ValueRangeError,
            "bristle.damping",
            "least 0",
        ),
        ({"bristle": {"damping": 1}}, MissingFieldError, "bristle.stiffness", "is missing"),
        ({"law": "hunt"}, ValueRangeError, "law", "'hunt-crossley'"),
        ({"law": "kelvin-voigt"}, MissingFieldError, "", "'damping' is missing"),
        ({"damping": 10.0}, ValueRangeError, "damping", "with the law hunt-crossley in material"),
        (
            {"law": "volumetric", "foundation": 1e9, "poisson": None},
            ValueRangeError,
            "young",
            "alone",
        ),
        ({"law": "volumetric", **NONE}, MissingFieldError, "", "'foundation' is missing"),
        ({"foundation": 1e9}, ValueRangeError, "foundation", "expected volumetric"),
        ({"law": "kelvin-voigt", "damping": 0}, ValueRangeError, "damping", "more than 0"),
        (
            {"friction": {"static": 1, "dynamic": 1, "strain": 0.9}},
            ValueRangeError,
            "friction.strain",
            "with the law return-map in material 'lining', expected stiction-point",
        ),
        (
            {"friction": {"static": 1, "dynamic": 1, "law": "stiction-point", "transition": 0}},
            ValueRangeError,
            "friction.transition",
            "more than 0",
        ),
    ],
)
def test_materials_that_none_has(change, kind, place, message):
    found = problem({"geometry": BOX}, materials=[{**LINING, **change}])
    assert found[:2] == (kind, f"materials[0].{place}".rstrip("."))
    assert message in found[2]


@pytest.mark.parametrize(
    ("geometry", "place", "message"),
    [
        (
            {"type": "torus", "R": 0.3, "r": 0.3},
            "r",
            "found 0.3, expected less than R, which is 0.3",
        ),
        ({"type": "torus", "R": 0, "r": 0.3}, "R", "expected more than 0"),
        ({"type": "torus", "R": 0.3, "r": 0.1, "arc": 0}, "arc", "expected more than 0"),
        ({"type": "torus", "R": 0.3, "r": 0.1, "arc": 7}, "arc", "expected at most 6.28319"),
        ({"type": "chain_link", "R": 0.1, "r": 0.2, "length": 1}, "r", "expected less than R"),
        ({"type": "chain_link", "R": 0.1, "r": 0.05, "length": 0}, "length", "more than 0"),
        (
            {"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0]]},
            "points",
            "4 points or more",
        ),
        (
            {"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]},
            "points",
            "expected a body with a volume",
        ),
        ({"type": "hull", "points": [[1, 2, 3]] * 4}, "points", "expected a body with a volume"),
        (
            {"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1]]},
            "points[3]",
            "expected 3 values",
        ),
        (
            {"type": "hull", "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1e7]]},
            "points[3][2]",
            "expected at most 1e+06",
        ),
    ],
)
def test_shapes_that_are_none(geometry, place, message):
    for key in ("visual", "collision"):
        links = [{"name": "arm", key: [{"geometry": geometry}]}, {"name": "hand"}]
        _, found, told = problem(links=links)
        assert found == f"links[0].{key}[0].geometry.{place}"
        assert message in told
