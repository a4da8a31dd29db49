"""The schema that `headframe schema` prints takes what `headframe check` takes."""

import copy
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mutating import mutate_tree, vary
from typer.testing import CliRunner

import headframe
from headframe.cli.main import app
from headframe.description.jsonc import parse
from headframe.description.reading import read_text
from headframe.description.schema import canonical_schema, mrdf_schema
from headframe.description.writing import mrdf_text

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "tests" / "fixtures"
CRANE = FIXTURES / "canonical_crane.json"
MACHINES = sorted((Path(headframe.__file__).parent / "machines").glob("*.json"))
EXAMPLES = [
    path
    for path in sorted((ROOT / "docs" / "examples").glob("*.json"))
    if "links" in parse(path.read_text())[0]
]
DIALECTS = sorted(FIXTURES.glob("*_dialect_*.json"))
WRITTEN = Draft202012Validator(mrdf_schema())
CANONICAL = Draft202012Validator(canonical_schema())


def complaints(validator, data):
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(data)]


@pytest.mark.parametrize(
    "schema", [mrdf_schema(), canonical_schema()], ids=["written", "canonical"]
)
def test_the_schema_is_one(schema):
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == Draft202012Validator.META_SCHEMA["$id"]


def test_the_command_prints_the_schema():
    for options, wanted in (([], mrdf_schema()), (["--canonical"], canonical_schema())):
        result = CliRunner().invoke(app, ["schema", *options])
        assert result.exit_code == 0
        assert json.loads(result.output) == wanted
    both = CliRunner().invoke(app, ["schema", "--canonical", "--scene"])
    assert both.exit_code == 1
    assert "expected one of them" in both.output


@pytest.mark.parametrize("path", [CRANE, *MACHINES, *EXAMPLES, *DIALECTS], ids=lambda p: p.stem)
def test_good_files_fit_and_what_is_saved_of_them_is_canonical(path):
    text = path.read_text(encoding="utf-8")
    assert complaints(WRITTEN, parse(text)[0]) == []
    saved = mrdf_text(read_text(text, path.parent).robot)
    assert complaints(CANONICAL, json.loads(saved)) == []


def test_examples_on_the_page_fit():
    """Those that are whole JSON: parts of a file, some of them as the authors write it."""
    page = (ROOT / "docs" / "mrdf.md").read_text(encoding="utf-8")
    authors = page.index("## The authors' dialects")
    found = 0
    for block in re.finditer(r"^```js\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        part, problems = parse("{" + block[1] + "}")
        if problems.problems:
            continue
        head = {} if block.start() > authors else {"mrdf": "1"}
        assert complaints(WRITTEN, {**head, "name": "x", "links": [], **part}) == []
        found += 1
    assert found >= 3


def test_what_is_left_out_when_saving_is_optional():
    data = {"mrdf": "1", "name": "a", "links": [{"name": "b"}]}
    assert complaints(CANONICAL, data) == []


def elements(schema):
    """Everything in a schema that has fields."""
    return {"": schema, **schema["$defs"]}.items()


@pytest.mark.parametrize(
    "schema", [mrdf_schema(), canonical_schema()], ids=["written", "canonical"]
)
def test_every_field_is_described_with_its_unit(schema):
    for name, element in elements(schema):
        assert element["description"], name
        for key, field in element["properties"].items():
            assert len(field["description"]) > 5, (name, key)
            measures = "number" in field.get("type", "") or "prefixItems" in field
            plain = re.search(r"\[[^\]]+\]|0 to 1|unit vector|factors", field["description"], re.I)
            assert plain or not measures, (name, key, field["description"])


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["mrdf"], "2"),
        (["name"], None),
        (["links"], None),
        (["clas"], "loader"),
        (["$schema"], 5),
        (["up_axis"], "x"),
        (["base"], "loose"),
        (["no_contact"], [["a"]]),
        (["materials"], [{"name": "a", "restitution": 2, "friction": {"static": 1, "dynamic": 1}}]),
        (["links", 0, "name"], 5),
        (["links", 0, "translation"], [1, 2]),
        (["links", 0, "origin_translation"], [1, 2, 3]),
        (["links", 0, "visual", 0, "geometry", "x"], 0),
        (["links", 0, "visual", 0, "geometry", "x"], None),
        (["links", 0, "visual", 0, "geometry", "type"], "boxx"),
        (["links", 0, "visual", 0, "material", "color"], [0.5, 0.5, 2]),
        (["links", 0, "visual", 0, "material", "opacity"], 1),
        (["links", 0, "inertial", "mass"], -1),
        (["links", 0, "inertial", "inertia"], None),
        (["joints", 0, "type"], "revolut"),
        (["joints", 0, "damping"], -1),
        (["joints", 0, "damping"], True),
        (["joints", 0, "armature"], -1),
        (["actuators", 0, "bound"], None),
        (["actuators", 0, "bound", "upper"], "2"),
        (["actuators", 0, "redundants"], "right"),
        (["actuators", 0, "type"], "actuator"),
        (["springs", 0, "stiffness"], None),
        (["provenance", 0, "kind"], "guessed"),
        (["home", "joints", "slew"], "left"),
    ],
    ids=str,
)
def test_broken_files_do_not_fit(path, value):
    """What the schema refuses, the reader refuses too."""
    data = copy.deepcopy(parse(CRANE.read_text())[0])
    inside = data
    for key in path[:-1]:
        inside = inside[key]
    if value is None:
        del inside[path[-1]]
    else:
        inside[path[-1]] = value
    assert complaints(WRITTEN, data)
    assert complaints(CANONICAL, data)
    assert read_text(json.dumps(data), CRANE.parent).problems


def test_only_the_canonical_schema_wants_the_key():
    data = parse(CRANE.read_text())[0]
    del data["mrdf"]
    assert complaints(CANONICAL, data)


WAYS = [
    {
        "links": [
            {"name": "a", "visual": {"geometry": {"type": "cylinder", "radius": 1, "height": 2}}}
        ]
    },
    {"links": [{"name": "a", "visual": {"geometry": {"type": "cylinder", "r1": 1, "h": 2}}}]},
    {"links": [{"name": "a", "collision": {"geometry": {"type": "sphere", "radius": 1}}}]},
    {"links": [{"name": "a", "visual": {"geometry": {"type": "mesh", "url": "meshes/wedge.obj"}}}]},
    {"links": [{"name": "a"}], "home": None, "end_effector": None},
    {"links": [{"name": "a"}], "$schema": "./mrdf.schema.json"},
]


@pytest.mark.parametrize("own", [True, False], ids=["own form", "authors'"])
@pytest.mark.parametrize("way", WAYS, ids=str)
def test_other_ways_to_write_it_fit(way, own):
    data = {**({"mrdf": "1"} if own else {}), "name": "x", **way}
    reading = read_text(json.dumps(data), FIXTURES)
    assert reading.problems == []
    assert complaints(WRITTEN, data) == []
    assert "$schema" not in mrdf_text(reading.robot)


# -- the schema never refuses what the reader takes -------------------------------------

BASES = {
    path.stem: parse(path.read_text(encoding="utf-8"))[0] for path in (CRANE, *EXAMPLES, *DIALECTS)
}
SMALL = min(MACHINES, key=lambda path: path.stat().st_size)
BASES[SMALL.stem] = parse(SMALL.read_text(encoding="utf-8"))[0]


@pytest.mark.parametrize("change", [vary, mutate_tree], ids=["mild", "wild"])
@pytest.mark.parametrize("base", BASES)
def test_the_schema_takes_what_the_reader_takes(base, change):
    taken = 0

    @settings(max_examples=150, database=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**64))
    def run(seed):
        nonlocal taken
        chance = random.Random(f"{base} {seed}")
        data = change(copy.deepcopy(BASES[base]), chance)
        if not read_text(json.dumps(data)).problems:
            taken += 1
            assert complaints(WRITTEN, data) == []

    run()
    assert taken >= (40 if change is vary else 5)
