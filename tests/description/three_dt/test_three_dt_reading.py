"""3DT text: what is read, what is refused and where the fault is said to be."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headframe.description.files import LARGEST_FILE
from headframe.description.three_dt import (
    Body,
    Component,
    Model,
    model_from,
    model_text,
    read_model,
    read_model_text,
)
from headframe.description.three_dt.scanning import MOST_PROBLEMS
from headframe.errors import (
    DuplicateNameError,
    FileTooLargeError,
    MachineFileError,
    MissingFieldError,
    NotFiniteError,
    NotReadableError,
    NotThreeDtError,
    TooManyElementsError,
    UnknownFieldError,
    ValueRangeError,
    WrongTypeError,
)
from three_dt_models import CRANE, cube, two_cubes


def problems(text):
    reading = read_model_text(text)
    assert (reading.model is None) == bool(reading.problems)
    return reading.problems


def changed(old, new):
    assert CRANE.count(old) == 1, old
    return CRANE.replace(old, new)


# -- what is read ----------------------------------------------------------------------


def test_everything_is_read():
    model = model_from(read_model_text(CRANE), "crane.3dt")
    assert (model.name, dict(model.attributes)) == ("crane", {"maker": "nobody"})
    assert [component.name for component in model.components] == ["Main Body", "Boom"]
    solid, plate = model.bodies
    assert (solid.name, solid.link, solid.color) == ("tetrahedron", "base", (0.9, 0.5, 0.1, 1.0))
    assert dict(solid.attributes) == {"material": "steel"}
    assert solid.faces == ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
    np.testing.assert_array_equal(solid.vertices, [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    assert (plate.color, plate.crease, plate.faces) == ((0.1, 0.2, 0.3, 0.5), 80.0, ((0, 1, 2, 3),))
    np.testing.assert_array_equal(plate.triangles, [[0, 1, 2], [0, 2, 3]])
    counts = {"components": 2, "bodies": 2, "vertices": 8, "faces": 5, "triangles": 6}
    assert model.counts == counts


def test_polygons_are_cut_from_their_first_corners():
    """The triangles cover the same area, in the order of the faces."""
    angles = 2 * np.pi * np.arange(7) / 7
    ring = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
    body = Body.make("b", "l", ring, [(0, 1, 2), (0, 2, 3, 4, 5, 6)])
    assert body.triangles.tolist() == [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5], [0, 5, 6]]
    a, b, c = (ring[body.triangles[:, k]] for k in range(3))
    area = np.cross(b - a, c - a)[:, 2].sum() / 2
    assert area == pytest.approx(3.5 * np.sin(2 * np.pi / 7))


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_and_a_byte_order_mark_do_not_matter(tmp_path, end):
    path = tmp_path / "crane.3dt"
    path.write_bytes(b"\xef\xbb\xbf" + CRANE.replace("\n", end).encode())
    assert read_model(path).model == read_model_text(CRANE).model


def test_comments_and_blank_lines_may_stand_among_rows():
    text = changed("        1 0 0\n", "\n  # the second\n        1 0 0   # metres\n")
    assert read_model_text(text).model == read_model_text(CRANE).model


def test_writing_and_reading_gives_the_same():
    for model in (two_cubes(), read_model_text(CRANE).model):
        text = model_text(model)
        again = model_from(read_model_text(text), "again")
        assert again == model
        assert model_text(again) == text


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
PLACES = st.floats(-9e5, 9e5)


@st.composite
def models(draw):
    """Models with any names, and bodies of one triangle each that has an area."""
    components = []
    for name in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
        bodies = []
        for own in draw(st.lists(NAMES, min_size=1, max_size=3, unique=True)):
            x, y, z = (draw(PLACES) for _ in range(3))
            vertices = [[x, y, z], [x + 1.0, y, z], [x, y + 1.0, z]]
            color = [draw(st.floats(0, 1)) for _ in range(4)]
            attributes = draw(
                st.dictionaries(NAMES, st.text(st.characters(exclude_categories=["Cs"])))
            )
            crease = draw(st.floats(0, 180))
            bodies.append(
                Body.make(own, draw(NAMES), vertices, [(0, 1, 2)], color, attributes, crease)
            )
        components.append(Component(name, tuple(bodies)))
    return Model(draw(NAMES), tuple(components))


@given(models())
@settings(max_examples=60, deadline=None)
def test_any_model_round_trips(model):
    reading = read_model_text(model_text(model))
    assert reading.problems == []
    assert reading.model == model


def test_a_model_cannot_be_changed():
    body = cube()
    with pytest.raises(ValueError, match="read-only"):
        body.vertices[0] = 1.0
    with pytest.raises(AttributeError):
        body.name = "other"


# -- what is refused -------------------------------------------------------------------

FAULTS = [
    # old, new, error, line, words of the message
    ("3DT 1", "3DT 2", NotThreeDtError, 1, "found version '2', expected '1'"),
    ("3DT 1", "solid crane", NotThreeDtError, 1, "expected the header '3DT 1'"),
    ('robot "crane"', 'robo "crane"', NotThreeDtError, 3, "did you mean 'robot'?"),
    ('robot "crane"', "robot crane", WrongTypeError, 3, "expected the name of the robot in double"),
    ('"nobody"', '"nobody" "else"', NotThreeDtError, 4, "expected the end of the line"),
    ('component "Boom"', 'component "Main Body"', DuplicateNameError, 21, "is taken by an earlier"),
    ('component "Boom"', 'komponent "Boom"', UnknownFieldError, 21, "did you mean 'component'?"),
    ('component "Boom"', 'component ""', ValueRangeError, 21, "0 characters, expected 1 to 256"),
    ('body "plate" link "boom"', 'body "plate"', MissingFieldError, 22, "that carries the body"),
    ('body "plate" link "boom"', 'body "plate', WrongTypeError, 22, "double quotes"),
    ("color 0.9 0.5 0.1\n", "colour 0.9 0.5 0.1\n", UnknownFieldError, 7, "did you mean 'color'?"),
    ("color 0.9 0.5 0.1\n", "color 230 128 25\n", ValueRangeError, 7, "divide by 255"),
    ("color 0.9 0.5 0.1\n", "color 0.9 0.5\n", WrongTypeError, 7, "found 2 values"),
    ("crease 80", "crease 200", ValueRangeError, 24, "expected 0 to 180 degrees"),
    ("crease 80", "crease", WrongTypeError, 24, "expected one angle"),
    ("        1 0 0\n", "        1 nan 0\n", NotFiniteError, 11, "expected a finite number"),
    ("        1 0 0\n", "        1 -inf 0\n", NotFiniteError, 11, "expected a finite number"),
    ("        1 0 0\n", "        1 1e999 0\n", NotFiniteError, 11, "expected a finite number"),
    ("        1 0 0\n", "        1 0 2e7\n", ValueRangeError, 11, "at most 1e+06 m"),
    ("        1 0 0\n", "        1 0\n", WrongTypeError, 11, "a vertex of 2 values"),
    ("        1 0 0\n", "        1 O 0\n", WrongTypeError, 11, "found 'O', expected a number"),
    ("        1 0 0\n", "        1 1_0 0\n", WrongTypeError, 11, "expected a number"),
    ("        1 0 0\n", "        1 ٣ 0\n", WrongTypeError, 11, "expected a number"),
    ("        1 0 0\n", "", NotThreeDtError, 13, "found 3 rows before 'faces', expected 4"),
    ("        2 0 3\n", "        2 0 4\n", ValueRangeError, 18, "found vertex 4, expected 0 to 3"),
    ("        2 0 3\n", "        2 0 -1\n", ValueRangeError, 18, "found vertex -1"),
    ("        2 0 3\n", "        2 0\n", ValueRangeError, 18, "a face of 2 corners"),
    ("        2 0 3\n", "        2 0 3.5\n", WrongTypeError, 18, "the position of a vertex"),
    ("        2 0 3\n", "        2 0 2\n", ValueRangeError, 18, "a vertex twice in a face"),
    ("        0 1 0\n", "        2 0 0\n", ValueRangeError, 15, "a face without area"),
    ("vertices 4\n        0 0", "vertices four\n        0 0", WrongTypeError, 9, "how many"),
    ("      faces 4\n", "      facets 4\n", UnknownFieldError, 14, "did you mean 'faces'?"),
    ("      faces 4\n", "", NotThreeDtError, 14, "that no list has announced"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "kind", "line", "words"), FAULTS)
def test_a_fault_is_told_with_its_line(old, new, kind, line, words):
    found = problems(changed(old, new))
    first = found[0]
    assert (first.kind, first.line) == (kind, line), found
    assert words in str(first), first


def test_a_value_is_told_with_its_column_and_place():
    (problem,) = problems(changed("        1 0 0\n", "        1 nan 0\n"))
    where = "component 'Main Body' / body 'tetrahedron' (line 11, column 11)"
    assert str(problem) == f"{where}: found 'nan', expected a finite number"


def test_all_faults_are_told_at_once():
    text = CRANE
    for old, new in (
        ("color 0.9", "colour 0.9"),
        ("        1 0 0\n", "        1 nan 0\n"),
        ("color 0.1 0.2 0.3 0.5", "color 0.1 0.2 0.3 5"),
        ("0 1 2 3\n", "0 1 2 9\n"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    found = problems(text)
    assert [problem.line for problem in found] == [7, 11, 23, 31]
    with pytest.raises(UnknownFieldError, match=r"crane\.3dt: 4 problems") as caught:
        model_from(read_model_text(text), "crane.3dt")
    assert len(caught.value.problems) == 4


@pytest.mark.parametrize("length", range(0, len(CRANE) - 5, 7))
def test_a_file_that_is_cut_off_is_refused(length):
    assert problems(CRANE[:length])


def test_a_missing_end_is_told():
    found = problems(changed("        2 0 3\n    end\n", "        2 0 3\n"))
    assert "is the 'end' of the component of line 5 missing?" in str(found[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        ("# nothing\n", "the file is empty"),
        ("3DT 1\n", "the robot is missing"),
        ('3DT 1\nrobot "r"\nend\n', "the robot has no components"),
        ('3DT 1\nrobot "r"\ncomponent "c"\nend\nend\n', "the component has no bodies"),
        (CRANE + "robot\n", "after the end of the robot"),
    ],
)
def test_what_is_missing_is_told(text, words):
    assert any(words in problem.message for problem in problems(text))


def test_a_body_without_rows_is_told():
    text = '3DT 1\nrobot "r"\ncomponent "c"\nbody "b" link "l"\nend\nend\nend\n'
    assert [problem.message for problem in problems(text)] == [
        "the vertices are missing",
        "the faces are missing",
    ]


# -- hostile files ---------------------------------------------------------------------


def test_a_count_that_would_fill_the_memory_is_refused():
    for count in ("900000000", "9" * 18, "9" * 40):
        text = CRANE.replace("vertices 4\n        0", f"vertices {count}\n        0")
        started = time.perf_counter()
        assert problems(text)[0].kind in (TooManyElementsError, WrongTypeError)
        assert time.perf_counter() - started < 1.0


def test_more_rows_than_lines_is_refused():
    (first, *_) = problems(changed("vertices 4\n        0", "vertices 4000\n        0"))
    assert "only" in first.message
    assert first.line == 9


def test_problems_come_to_an_end():
    rows = "\n".join(["x"] * 5000)
    text = f'3DT 1\nrobot "r"\n{rows}\nend\n'
    assert len(problems(text)) == MOST_PROBLEMS


def test_files_that_are_none(tmp_path):
    path = tmp_path / "model.3dt"
    assert read_model(path).problems[0].kind is NotReadableError
    assert read_model(tmp_path).problems[0].kind is NotReadableError
    path.write_bytes(CRANE.encode("utf-16"))
    (problem,) = read_model(path).problems
    assert (problem.kind, problem.hint) == (NotThreeDtError, "it looks like UTF-16")
    path.write_bytes(CRANE.encode().replace(b"nobody", b"nob\xffdy"))
    (problem,) = read_model(path).problems
    assert (problem.kind, problem.line) == (NotThreeDtError, 4)
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    assert read_model(path).problems[0].kind is FileTooLargeError


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_no_text_is_a_traceback(data):
    """Damaged texts give problems or a model, never another exception."""
    text = list(CRANE)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at] = data.draw(st.sampled_from(['"', "\n", "#", "9", " ", "-", "é", "end", "\\", ""]))
    reading = read_model_text("".join(text))
    if reading.model is None:
        with pytest.raises(MachineFileError):
            model_from(reading, "fuzz.3dt")


def test_reading_is_quick():
    """30,000 triangles in a fraction of a second of processor time; 0.5 s leaves room."""
    rng = np.random.default_rng(5)
    bodies = []
    for i in range(100):
        vertices = np.round(rng.uniform(-1, 1, (150, 3)), 4)
        faces = np.array([rng.choice(150, 3, replace=False) for _ in range(300)])
        bodies.append(Body.make(f"b{i}", "base", vertices, faces))
    model = Model("large", (Component("c", tuple(bodies)),))
    text = model_text(model)
    started = time.process_time()
    reading = read_model_text(text)
    assert time.process_time() - started < 0.5
    assert reading.model == model
    assert model.counts["triangles"] == 30_000
