"""load(save(x)) == x, exactly; saving twice gives the same bytes."""

import json
import math
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import headframe
from headframe.description.reading import read_text
from headframe.description.writing import mrdf_text
from headframe.errors import HeadframeWarning
from headframe.machine import Machine

FIXTURES = sorted((Path(__file__).parents[1] / "fixtures").glob("*.json"))


@pytest.mark.parametrize("source", [*headframe.machines(), *FIXTURES], ids=str)
def test_files_round_trip(source, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadframeWarning)
        machine = headframe.load(source)
    first = machine.save(tmp_path / "first.json")
    again = headframe.load(first)  # what was noted is settled now: a warning would be an error
    assert again.robot == machine.robot
    assert again.counts == machine.counts
    second = again.save(tmp_path / "second.json")
    assert second.read_bytes() == first.read_bytes()


def test_saving_writes_the_canonical_form(tmp_path):
    (demo,) = (path for path in FIXTURES if "demo" in path.name)
    with pytest.warns(HeadframeWarning):
        machine = headframe.load(demo)
    data = json.loads(machine.save(tmp_path / "demo.json").read_text())
    assert list(data)[:3] == ["mrdf", "name", "up_axis"]
    assert (data["mrdf"], data["up_axis"]) == ("1", "y")
    assert data["links"][0] == {"name": "base_link"}
    assert "tube_visual" not in data["actuators"][0]
    assert data["links"][1]["visual"][0]["translation"] == pytest.approx([0.9, 0.15, 0])


@pytest.mark.parametrize("source", [*headframe.machines(), *FIXTURES], ids=str)
def test_lines_are_fit_for_reading(source):
    """A line is longer than a screen is wide only if one text is."""
    reading = headframe.machine.examine(source)
    for line in mrdf_text(reading.robot).splitlines():
        assert len(line) <= 120 or line.count('", "') == 0


# -- robots out of the blue ------------------------------------------------------------

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**20), 10**20)
SIZES = st.floats(min_value=1e-300, max_value=1e6)
VECTORS = st.lists(NUMBERS, min_size=3, max_size=3)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
AXES = st.sampled_from([[1, 0, 0], [0, 1, 0], [0, 0, -1], [0.6, 0, 0.8], [3, 4, 12]])
COLORS = st.lists(st.floats(0, 1), min_size=3, max_size=4)


def record(**fields):
    """An object with all of the fields, and any of those whose names end in _."""
    required = {key: value for key, value in fields.items() if not key.endswith("_")}
    optional = {key[:-1]: value for key, value in fields.items() if key.endswith("_")}
    return st.fixed_dictionaries(required, optional=optional)


BENT = st.floats(min_value=1e-300, max_value=1e5)
ARCS = st.floats(min_value=1e-300, max_value=2 * math.pi)
PLACES = st.lists(st.floats(-1, 1), min_size=3, max_size=3)
TETRAHEDRON = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
GEOMETRIES = st.one_of(
    record(type=st.just("box"), x=SIZES, y=SIZES, z=SIZES),
    record(type=st.just("cylinder"), r1=SIZES, r2=SIZES, h=SIZES),
    record(type=st.just("capsule"), r=SIZES, h=SIZES),
    record(type=st.just("sphere"), r=SIZES),
    record(type=st.just("cone"), r=SIZES, h=SIZES),
    BENT.flatmap(
        lambda r: record(type=st.just("torus"), R=st.just(2 * r), r=st.just(r), arc_=ARCS)
    ),
    BENT.flatmap(
        lambda r: record(type=st.just("chain_link"), R=st.just(2 * r), r=st.just(r), length=SIZES)
    ),
    record(
        type=st.just("hull"),
        points=st.lists(PLACES, max_size=5).map(lambda more: [*TETRAHEDRON, *more]),
    ),
    record(
        type=st.just("mesh"),
        path=st.just("a/b.stl"),
        scale_=st.lists(SIZES, min_size=3, max_size=3),
    ),
)
SHAPE = {
    "name_": WORDS,
    "translation_": VECTORS,
    "orientation_": VECTORS,
    "geometry": GEOMETRIES,
    "material_": record(color_=COLORS),
}
SHAPES = st.lists(record(**SHAPE), max_size=3)
TOUCHED = st.lists(record(**SHAPE, contact_=st.sampled_from(["own", "steel"])), max_size=3)
FRICTION = record(static=st.floats(1, 1e9), dynamic=st.floats(0, 1), viscous_=SIZES)
MATERIAL = {
    "name": st.just("own"),
    "restitution": st.floats(0, 1),
    "friction": FRICTION,
    "bristle_": record(stiffness=SIZES, damping_=SIZES),
}
MATERIALS = st.one_of(
    record(**MATERIAL, young=SIZES, poisson_=st.floats(-0.9, 0.5)),
    record(**MATERIAL, stiffness=SIZES, exponent_=st.floats(0.5, 5)),
)


@st.composite
def inertials(draw):
    a, b = draw(st.floats(0, 1e6)), draw(st.floats(0, 1e6))
    tensor = [[a, 0, 0], [0, b, 0], [0, 0, a + b]]
    return draw(record(mass=SIZES, com_=VECTORS, inertia=st.just(tensor)))


@st.composite
def robots(draw):
    """A file with a tree of links, loops, actuators and all the rest."""
    names = draw(st.lists(WORDS, min_size=2, max_size=8, unique=True))
    links = [
        draw(
            record(
                name=st.just(name),
                translation_=VECTORS,
                visual_=SHAPES,
                collision_=TOUCHED,
                inertial_=inertials(),
            )
        )
        for name in names
    ]
    joints = [draw(joint(f"j{i}", names[:i], names[i])) for i in range(1, len(names))]
    connected = {frozenset((entry["parent"], entry["child"])) for entry in joints}
    a, b = draw(st.permutations(names))[:2]
    if frozenset((a, b)) not in connected and draw(st.booleans()):
        for name, parent, child in (("ab", a, b), ("ba", b, a)):
            pivot = {"name": name, "parent": parent, "child": child, "type": "revolute"}
            joints.append({**pivot, "axis": [0, 1, 0], "origin_translation": draw(VECTORS)})
    count = draw(st.integers(0, 3))
    actuators = [draw(actuator(f"a{i}", names, count)) for i in range(count)]
    single = [
        entry
        for entry in joints
        if entry["type"] in ("revolute", "prismatic") and entry["name"].startswith("j")
    ]
    data = {
        **({"mrdf": "1"} if draw(st.booleans()) else {}),
        "name": draw(WORDS),
        "links": links,
        "joints": joints,
        "actuators": actuators,
        "materials": [draw(MATERIALS)],
    }
    if single:
        name = single[0]["name"]
        values = st.floats(-1, math.pi) if "limit" in single[0] else NUMBERS
        data["home"] = {"joints": {name: draw(values)}}
        data["motors"] = [{"name": "m", "joint": name, "torque": draw(NUMBERS)}]
    optional = {
        "class": WORDS,
        "end_effector": st.sampled_from(names),
        "up_axis": st.sampled_from("yz"),
        "base": st.sampled_from(["fixed", "free"]),
        "no_contact": st.lists(st.permutations(names).map(lambda found: found[:2]), max_size=2),
        "provenance": st.lists(
            record(of=WORDS, kind=st.sampled_from(["measured", "estimated"]), source=WORDS),
            max_size=2,
        ),
        "springs": st.lists(
            record(
                name=st.just("s"),
                link_a=st.just(names[0]),
                link_b=st.just(names[1]),
                point_a=VECTORS,
                point_b=VECTORS,
                stiffness=SIZES,
                rest_length=SIZES,
                damping_=SIZES,
            ),
            max_size=1,
        ),
    }
    return data | draw(st.fixed_dictionaries({}, optional=optional))


@st.composite
def joint(draw, name, parents, child):
    kind = draw(
        st.sampled_from(["revolute", "prismatic", "fixed", "continuous", "spherical", "free"])
    )
    limited = kind in ("revolute", "prismatic", "continuous")
    return draw(
        record(
            name=st.just(name),
            parent=st.sampled_from(parents),
            child=st.just(child),
            type=st.just(kind),
            axis=AXES,
            origin_translation_=VECTORS,
            origin_orientation_=VECTORS,
            **({"limit_": st.just({"lower": -1, "upper": math.pi})} if limited else {}),
            damping_=SIZES,
            friction_=SIZES,
            armature_=SIZES,
        )
    )


@st.composite
def actuator(draw, name, names, count):
    a, b = draw(st.permutations(names))[:2]
    return draw(
        record(
            name=st.just(name),
            tube_parent=st.just(a),
            rod_parent=st.just(b),
            tube_offset=VECTORS,
            rod_offset=VECTORS,
            tube_axis_=AXES,
            bound=st.just({"lower": 0.1, "upper": draw(st.floats(0.1, 1e9))}),
            redundants=st.just([f"a{i}" for i in range(count) if f"a{i}" != name]),
            speed_=SIZES,
            bore_=SIZES,
        )
    )


@settings(max_examples=150)
@given(robots())
def test_any_robot_round_trips(data):
    reading = read_text(json.dumps(data))
    assert reading.problems == []
    text = mrdf_text(reading.robot)
    again = read_text(text)
    assert again.problems == again.notes == []
    assert again.robot == reading.robot
    assert mrdf_text(again.robot) == text
    assert Machine(again.robot).counts["actuators"] == len(data["actuators"])
