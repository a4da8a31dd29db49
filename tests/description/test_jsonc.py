import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headframe.description.jsonc import line_numbers, parse, path_text, shown

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def value_of(text):
    value, found = parse(text)
    assert found.problems == []
    return value


@given(VALUES)
def test_plain_json_is_read_as_the_standard_parser_reads_it(value):
    assert value_of(json.dumps(value)) == value


@given(VALUES, st.sampled_from(["// x\n", "/* x */", "/* \n\n */", "//\n", "/***/", '// "x\n']))
def test_comments_and_trailing_commas_change_nothing(value, comment):
    text = json.dumps(value, indent=1)
    commented = "\n".join(f"{comment}{line} {comment}" for line in text.split("\n"))
    assert value_of(commented) == value
    lines = text.split("\n")
    trailing = "\n".join(
        line + ","
        if not line.endswith(("[", "{", ",")) and following.lstrip()[:1] in ("]", "}")
        else line
        for line, following in zip(lines, [*lines[1:], ""], strict=True)
    )
    assert value_of(trailing) == value


@pytest.mark.parametrize(
    "value",
    ["http://x", "a // b", "/* a */", 'a " // b', "\\", "\\\\ // x", "a, ]", "[,]", "{,}", ",}"],
)
def test_what_looks_like_a_comment_in_a_string_stays(value):
    text = "[" + json.dumps({value: [value, 1]}) + ", // comment\n]"
    assert value_of(text) == [{value: [value, 1]}]


@pytest.mark.parametrize("text", ["[,]", "{,}", "[1,,]", "[1,,2]", '{"a":,}', ",[1]", "[1],"])
def test_commas_that_follow_nothing(text):
    _, found = parse(text)
    assert len(found.problems) == 1


def test_lines_are_right_in_spite_of_comments():
    text = """// one
{ /* two
three */ "a": [
  1, // four
  {"b\\u0063": 5, "d": "// no comment",},
  [[], {}, [6,
    7]],
],
"e": {"f":
  10}, "a b": 10 }"""
    assert value_of(text)["a"][1] == {"bc": 5, "d": "// no comment"}
    expected = {
        ("a",): 3,
        ("a", 0): 4,
        ("a", 1): 5,
        ("a", 1, "bc"): 5,
        ("a", 1, "d"): 5,
        ("a", 2): 6,
        ("a", 2, 1): 6,
        ("a", 2, 2, 0): 6,
        ("a", 2, 2, 1): 7,
        ("e",): 9,
        ("e", "f"): 9,
        ("a b",): 10,
    }
    lines = line_numbers(text, [*expected, ("a", 9), ("x", "y")])
    assert {path: line for path, line in lines.items() if path in expected} == expected
    assert set(lines) - set(expected) == {("a", 2, 2)}


def paths_in(value, path=()):
    if not isinstance(value, dict | list):
        return
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        yield from paths_in(inner, (*path, key))


@given(VALUES)
def test_every_value_has_the_line_it_stands_in(value):
    text = json.dumps(value, indent=1)
    lines = text.split("\n")
    paths = list(paths_in(value))
    found = line_numbers(text, paths)
    assert set(found) == set(paths)
    for path, line in found.items():
        if isinstance(path[-1], str):
            assert lines[line - 1].lstrip().startswith(json.dumps(path[-1]) + ":")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("links", 2, "visual", 0, "geometry"), "links[2].visual[0].geometry"),
        (("home", "joints", "base joint"), "home.joints['base joint']"),
        (("a.b", 0), "['a.b'][0]"),
        (("x", "\n"), r"x['\n']"),
        (("x", "k" * 1000), "x['" + "k" * 56 + "...]"),
    ],
)
def test_paths_as_people_write_them(path, text):
    assert path_text(path) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        ("a", "'a'"),
        ("\ud800\x1b", r"'\ud800\x1b'"),
        (0.5, "0.5"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity or a number beyond 1e308"),
        (10**400, "Infinity or a number beyond 1e308"),
        ([1, "a", None], "[1, 'a', null]"),
        ([0] * 7, "a list of 7 values"),
        ({}, "an empty object"),
        ({"a": 1}, "an object"),
        ("x" * 100, "'" + "x" * 56 + "..."),
    ],
)
def test_values_as_people_read_them(value, text):
    assert shown(value) == text


@pytest.mark.parametrize(
    "text",
    [
        '"' + '\\"' * 300_000,
        '"' + "\\" * 300_001,
        "/*" * 300_000 + "x",
        ", " * 300_000,
        '"\n' * 100_000,
        "[" + " " * 500_000 + ",",
        "/" * 500_001,
        "{" + ",".join(f'"{i % 30_000}":1' for i in range(60_000)) + "}",
    ],
    ids=["quotes", "backslashes", "comments", "commas", "lines", "spaces", "slashes", "keys"],
)
@pytest.mark.timeout(20)
def test_no_text_takes_more_than_its_length(text):
    """Texts that would take a pattern that tries again and again minutes or hours."""
    _, found = parse(text)
    assert found.problems


def test_a_file_may_name_its_schema():
    assert value_of('{"$schema": "x.json", "name": {"$schema": 1}}') == {"name": {"$schema": 1}}
    value, found = parse('{"name": 1, "$schema": 5}')
    ((path, problem),) = found.problems
    assert path == ("$schema",)
    assert "found 5, expected the path or address" in problem.message
    assert value == {"name": 1}
