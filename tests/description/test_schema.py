"""The schema that `headframe schema` prints takes the catalogue's files and no broken ones."""

import copy
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import headframe
from headframe.cli.main import app
from headframe.description.jsonc import parse
from headframe.description.reading import read_text
from headframe.description.schema import mrdf_schema

CRANE = Path(__file__).parents[1] / "fixtures" / "canonical_crane.json"
MACHINES = Path(headframe.__file__).parent / "machines"
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "null": type(None),
}
SCHEMA = mrdf_schema()
# Every word that the schema may use: those that `fits` knows, and those that demand nothing
KNOWN = {"$ref", "anyOf", "oneOf", "const", "enum", "type", "required", "properties"}
KNOWN |= {"additionalProperties", "propertyNames", "items", "prefixItems", "minItems", "maxItems"}
KNOWN |= {"minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum"}
KNOWN |= {"$defs", "$schema", "title", "description", "default", "discriminator"}


def fits(value, schema):
    """Whether `value` is what `schema` asks for: as much of JSON Schema as ours uses."""
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    if "$ref" in schema:
        return fits(value, SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]])
    if "anyOf" in schema and not any(fits(value, choice) for choice in schema["anyOf"]):
        return False
    if "oneOf" in schema and sum(fits(value, choice) for choice in schema["oneOf"]) != 1:
        return False
    if value != schema.get("const", value) or value not in schema.get("enum", [value]):
        return False
    wanted = TYPES.get(schema.get("type"), object)
    if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not object):
        return False
    if isinstance(value, dict):
        return fits_object(value, schema)
    if isinstance(value, list):
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        firsts = schema.get("prefixItems", [])
        each = [*firsts, *[schema.get("items", {})] * len(value)]
        return least <= len(value) <= most and all(map(fits, value, each))
    if isinstance(value, str):
        return schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", 10**9)
    if isinstance(value, int | float):
        above = value > schema.get("exclusiveMinimum", float("-inf"))
        least, most = schema.get("minimum", value), schema.get("maximum", value)
        return above and least <= value <= most
    return True


def fits_object(value, schema):
    fields = schema.get("properties", {})
    others = schema.get("additionalProperties", {})
    if not set(schema.get("required", ())) <= set(value):
        return False
    for key, inner in value.items():
        expected = fields.get(key, others)
        if expected is False or not fits(inner, expected):
            return False
    return all(fits(key, schema.get("propertyNames", {})) for key in value)


def test_the_command_prints_the_schema():
    result = CliRunner().invoke(app, ["schema"])
    assert result.exit_code == 0
    assert json.loads(result.output) == SCHEMA
    assert SCHEMA["$schema"].endswith("2020-12/schema")
    assert {"mrdf", "name", "links"} <= set(SCHEMA["required"])


@pytest.mark.parametrize("path", [CRANE, *sorted(MACHINES.glob("*.json"))], ids=lambda p: p.stem)
def test_good_files_fit(path):
    data, _ = parse(path.read_text())
    assert fits(data, SCHEMA)


def test_what_is_left_out_when_saving_is_optional():
    assert fits({"mrdf": "1", "name": "a", "links": [{"name": "b"}]}, SCHEMA)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (["mrdf"], None),
        (["mrdf"], "2"),
        (["name"], None),
        (["links"], None),
        (["clas"], "loader"),
        (["up_axis"], "x"),
        (["links", 0, "name"], 5),
        (["links", 0, "translation"], [1, 2]),
        (["links", 0, "visual", 0, "geometry", "x"], 0),
        (["links", 0, "visual", 0, "geometry", "type"], "boxx"),
        (["links", 0, "visual", 0, "material", "color"], [0.5, 0.5, 2]),
        (["links", 0, "inertial", "mass"], -1),
        (["links", 0, "inertial", "inertia"], None),
        (["joints", 0, "type"], "revolut"),
        (["joints", 0, "damping"], -1),
        (["joints", 0, "damping"], True),
        (["actuators", 0, "bound", "upper"], "2"),
        (["actuators", 0, "redundants"], "right"),
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
    assert not fits(data, SCHEMA)
    if path != ["mrdf"] or value is not None:  # a file without it is the authors'
        assert read_text(json.dumps(data), CRANE.parent).problems
