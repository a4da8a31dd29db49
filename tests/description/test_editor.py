"""VS Code's JSON service, asked about machine files with our schema, says what people need."""

import os
from pathlib import Path

import pytest

from editor.asking import ask, is_there
from headframe.description.schema import canonical_schema, mrdf_schema
from headframe.staging.schema import scene_schema

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
OWN = '{"mrdf": "1", "name": "lift", "links": [{"name": "base"}], // the rest\n %s}'
THEIRS = '{"name": "lift", "links": [{"name": "base"}], %s}'


@pytest.fixture(scope="module", autouse=True)
def service():
    if not is_there():
        said = "VS Code's JSON service is not installed: run `make web`"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(said)


def test_fields_of_an_actuator_are_offered_with_their_words():
    text = OWN % '"actuators": [{"name": "ram", "bound": {"lower": 1, "upper": 2}, |}],'
    answer = ask(mrdf_schema(), text)
    assert answer.problems == []
    assert "name" not in answer.completions  # it is there
    assert "type" not in answer.completions  # which only the authors have
    insert, words = answer.completions["tube_offset"]
    assert insert == '"tube_offset": [$1]'
    assert words == "The tube's mount point in its parent's axes: x, y, z [m]."
    for key in ("tube_visual", "rod_visual", "tube_parent", "redundants", "force"):
        assert len(answer.completions[key][1]) > 10


def test_words_of_a_field_are_not_those_of_what_it_refers_to():
    text = OWN % '"actuators": [{"name": "ram", |}],'
    answer = ask(mrdf_schema(), text)
    assert answer.completions["bound"] == (
        '"bound": {$1}',
        "Shortest and longest length between the mount points [m].",
    )
    assert len(answer.problems) == 1


def test_types_of_joints_are_offered():
    answer = ask(mrdf_schema(), OWN % '"joints": [{"name": "a", "type": |}],')
    assert {'"revolute"', '"prismatic"', '"spherical"'} <= set(answer.completions)


def test_measures_of_a_shape_are_those_of_its_kind():
    text = OWN % '"actuators": [{"rod_visual": {"geometry": {"type": "capsule", |}}}],'
    assert set(ask(mrdf_schema(), text).completions) == {"r", "h", "radius", "length", "height"}


def test_hover_tells_the_unit():
    text = OWN % '"joints": [{"damp|ing": 3}],'
    assert ask(mrdf_schema(), text).hover.startswith("Viscous damping: [N m s/rad]")


def test_the_authors_fields_are_offered_without_the_key():
    assert "type" in ask(mrdf_schema(), THEIRS % '"actuators": [{|}],').completions
    link = THEIRS.replace('"base"', '"base", |') % ""
    assert "origin_translation" in ask(mrdf_schema(), link).completions


@pytest.mark.parametrize("name", ["lift", "my_support"])
def test_examples_have_no_problems(name):
    text = (EXAMPLES / f"{name}.json").read_text(encoding="utf-8")
    assert ask(mrdf_schema(), text + "|").problems == []


def test_a_misspelt_field_is_underlined():
    answer = ask(mrdf_schema(), OWN % '"joints": [], "actuator": [] |')
    assert answer.problems == ["Property actuator is not allowed."]


def test_other_schemas_complete_too():
    offered = ask(scene_schema(), '{"headframe_scene": 1, "machines": [{|}]}').completions
    assert offered["step"][1] == "Where the next one stands, in the axes of the one before."
    assert "tube" in ask(canonical_schema(), OWN % '"actuators": [{|}]').completions


def test_a_file_that_names_its_schema_is_known_by_it():
    text = '{"$schema": "./mrdf.schema.json", |}'
    answer = ask(mrdf_schema(), text)
    assert "actuators" in answer.completions
    assert len(answer.problems) == 2  # name and links are missing
