"""Reading URDF: what it means, and what is said about files that are not right."""

import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headframe.description.reading import read_bytes
from headframe.description.urdf import mesh_path, parse_urdf
from headframe.errors import (
    HeadframeError,
    MeshError,
    MissingFieldError,
    NameUnknownError,
    NestingError,
    NotFiniteError,
    NotXmlError,
    TooManyElementsError,
    UnknownFieldError,
    ValueRangeError,
    WrongTypeError,
)
from headframe.spatial import matrix_from_rpy

GOOD = """<?xml version="1.0"?>
<robot name="arm">
  <material name="yellow"><color rgba="1 0.8 0 1"/></material>
  <link name="base">
    <visual name="plate">
      <origin xyz="0 0 .5" rpy="0 0 1e-1"/>
      <geometry><box size="1 2 3"/></geometry>
      <material name="yellow"/>
    </visual>
    <visual><geometry><sphere radius="2"/></geometry></visual>
    <collision><geometry><cylinder radius="1" length="4"/></geometry></collision>
  </link>
  <link name="upper">
    <inertial>
      <origin xyz="1 2 3" rpy="0.1 0.2 0.3"/>
      <mass value="5"/>
      <inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="2.5"/>
    </inertial>
    <visual>
      <geometry><mesh filename="package://arm_description/meshes/a.stl" scale="1 1 2"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material>
    </visual>
  </link>
  <link name="lower"/>
  <link name="slider"/>
  <link name="ball"/>
  <joint name="shoulder" type="revolute">
    <origin xyz="0 0 1"/>
    <parent link="base"/><child link="upper"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="2" effort="10" velocity="3"/>
    <dynamics damping="0.5" friction="0.25"/>
    <safety_controller k_velocity="1"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="lower"/>
    <mimic joint="shoulder" multiplier="2" offset="0.5"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="lower"/><child link="slider"/>
    <limit effort="1" velocity="1"/>
  </joint>
  <joint name="loose" type="floating"><parent link="base"/><child link="ball"/></joint>
  <transmission name="t1"/><transmission name="t2"/><gazebo/>
</robot>
"""


def parsed(text):
    machine, problems, notes = parse_urdf(text.encode())
    assert not problems
    return machine, notes


def problem_of(text):
    """The one problem that a file has."""
    _, problems, _ = parse_urdf(text if isinstance(text, bytes) else text.encode())
    (problem,) = problems
    return problem


def changed(old, new):
    assert old in GOOD
    return GOOD.replace(old, new, 1)


# -- what it means ----------------------------------------------------------------------


def test_links_and_shapes():
    machine, _ = parsed(GOOD)
    base, upper, *_ = machine["links"]
    plate, ball = base["visual"]
    assert plate == {
        "name": "plate",
        "translation": [0.0, 0.0, 0.5],
        "orientation": [0.0, 0.0, 0.1],
        "geometry": {"type": "box", "x": 1.0, "y": 2.0, "z": 3.0},
        "material": {"color": [1.0, 0.8, 0.0, 1.0]},
    }
    assert ball["geometry"] == {"type": "sphere", "r": 2.0}
    drum = {"type": "cylinder", "r1": 1.0, "r2": 1.0, "h": 4.0}
    assert base["collision"][0]["geometry"] == drum
    mesh = {"type": "mesh", "path": "meshes/a.stl", "scale": [1.0, 1.0, 2.0]}
    assert upper["visual"][0]["geometry"] == mesh


def test_an_inertia_is_turned_into_the_link_s_axes():
    machine, _ = parsed(GOOD)
    inertial = machine["links"][1]["inertial"]
    R = matrix_from_rpy((0.1, 0.2, 0.3))
    tensor = np.array([[1, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2.5]])
    assert inertial["mass"] == 5.0
    assert inertial["com"] == [1.0, 2.0, 3.0]
    assert np.array(inertial["inertia"]) == pytest.approx(R @ tensor @ R.T)


def test_joints():
    machine, _ = parsed(GOOD)
    shoulder, elbow, slide, loose = machine["joints"]
    assert shoulder["type"] == "revolute"
    assert shoulder["axis"] == [0.0, 1.0, 0.0]
    assert shoulder["limit"] == {"lower": -1.0, "upper": 2.0}
    assert (shoulder["damping"], shoulder["friction"]) == (0.5, 0.25)
    assert elbow["axis"] == [1.0, 0.0, 0.0]
    assert "limit" not in slide
    assert loose["type"] == "free"
    (repeater,) = machine["repeaters"]
    assert (repeater["joint"], repeater["follows"]) == ("elbow", "shoulder")
    assert (repeater["ratio"], repeater["offset"]) == (2.0, 0.5)


def test_ratings_of_joints_that_turn_are_motors():
    """So a robot from elsewhere can be driven; a joint that follows another has no motor."""
    machine, _ = parsed(GOOD)
    assert machine["motors"] == [
        {"name": "shoulder", "joint": "shoulder", "max_torque": 10.0, "max_speed": 3.0}
    ]
    for limit in ("", 'effort="10"', 'effort="0" velocity="3"', 'effort="1e9" velocity="3"'):
        other = GOOD.replace('lower="-1" upper="2" effort="10" velocity="3"', f'lower="-1" {limit}')
        assert "motors" not in parsed(other)[0], limit


def test_what_is_ignored_is_said():
    _, notes = parsed(GOOD)
    said = "\n".join(notes)
    for word in ("<transmission> (2)", "<gazebo> (1)", "safety_controller", "'slide'", "a.stl"):
        assert word in said
    assert "effort and velocity limits of 1 joint" in said


def test_the_result_is_a_robot():
    text = re.sub(r"<visual>\s*<geometry><mesh.*?</visual>", "", GOOD, flags=re.DOTALL)
    reading = read_bytes(text.encode())
    assert not reading.problems
    assert [link.name for link in reading.robot.links][:2] == ["base", "upper"]


def test_materials_may_be_defined_later_and_elsewhere():
    text = changed('<material name="yellow"/>', '<material name="red"/>')
    machine, _ = parsed(text)
    assert machine["links"][0]["visual"][0]["material"] == {"color": [1.0, 0.0, 0.0, 1.0]}
    machine, notes = parsed(changed('<material name="yellow"/>', '<material name="pink"/>'))
    assert "material" not in machine["links"][0]["visual"][0]
    assert any("'pink'" in note for note in notes)


def test_a_link_of_no_mass_is_massless():
    nothing = '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'
    text = re.sub(r"<inertia ixx.*?/>", nothing, changed('value="5"', 'value="0"'))
    machine, notes = parsed(text)
    assert "inertial" not in machine["links"][1]
    assert any("massless" in note for note in notes)


SHAPE = "link 'base'/visual/geometry"


# -- what is wrong ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "kind", "place"),
    [
        ('xyz="0 0 1"', 'xyz="0 0 nan"', NotFiniteError, "joint 'shoulder'/origin@xyz"),
        ('xyz="0 0 1"', 'xyz="0 0 -Infinity"', NotFiniteError, "joint 'shoulder'/origin@xyz"),
        ('xyz="0 0 1"', 'xyz="0 0 1e999"', NotFiniteError, "joint 'shoulder'/origin@xyz"),
        ('xyz="0 0 1"', 'xyz="0 0 1_0"', WrongTypeError, "joint 'shoulder'/origin@xyz"),
        ('xyz="0 0 1"', 'xyz="0 0 \u0661"', WrongTypeError, "joint 'shoulder'/origin@xyz"),
        ('xyz="0 0 1"', 'xyz="0 0 0x1"', WrongTypeError, "joint 'shoulder'/origin@xyz"),
        ('xyz="0 0 1"', 'xyz="0 1"', WrongTypeError, "joint 'shoulder'/origin@xyz"),
        ('lower="-1"', 'lower="low"', WrongTypeError, "joint 'shoulder'/limit@lower"),
        ('value="5"', "", MissingFieldError, "link 'upper'/inertial/mass@value"),
        ('<mass value="5"/>', "", MissingFieldError, "link 'upper'/inertial"),
        ('<parent link="base"/>', "", MissingFieldError, "joint 'shoulder'"),
        ('<parent link="base"/>', "<parent/>", MissingFieldError, "joint 'shoulder'/parent@link"),
        ('name="lower"', "", MissingFieldError, "link@name"),
        (' name="arm"', "", MissingFieldError, "robot@name"),
        ('type="revolute"', 'type="revolut"', ValueRangeError, "joint 'shoulder'@type"),
        ('type="revolute"', 'type="planar"', ValueRangeError, "joint 'shoulder'@type"),
        ('type="revolute"', "", MissingFieldError, "joint 'shoulder'@type"),
        ('<sphere radius="2"/>', '<ball r="2"/>', ValueRangeError, f"{SHAPE}/ball"),
        ('<sphere radius="2"/>', "", MissingFieldError, SHAPE),
        ('joint="shoulder"', 'joint="sholder"', NameUnknownError, "joint 'elbow'/mimic@joint"),
    ],
)  # fmt: skip
def test_a_defect_is_named(old, new, kind, place):
    problem = problem_of(changed(old, new))
    assert (problem.kind, problem.place) == (kind, place)
    text = changed(old, new)
    lines = text.splitlines()
    assert problem.line is not None
    tag = re.findall(r"[a-z]+", place.split("@")[0].split("/")[-1])[0]
    assert f"<{tag}" in lines[problem.line - 1]


def test_all_defects_are_listed_at_once():
    text = GOOD.replace('xyz="0 0 1"', 'xyz="0 0 nan"').replace('radius="2"', 'radius="big"')
    _, problems, _ = parse_urdf(text.encode())
    assert {problem.kind for problem in problems} == {NotFiniteError, WrongTypeError}


def test_the_nearest_type_is_suggested():
    problem = problem_of(changed('type="revolute"', 'type="revolut"'))
    assert "'revolute'" in problem.hint
    problem = problem_of(changed('type="revolute"', 'type="planar"'))
    assert "not supported" in problem.message


def test_macros_must_be_expanded():
    text = changed("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
    text = text.replace('<link name="lower"/>', '<link name="lower"/><xacro:arm side="left"/>')
    problem = problem_of(text)
    assert problem.kind is UnknownFieldError
    assert "xacro" in problem.hint


BOMB = """<?xml version="1.0"?>
<!DOCTYPE robot [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<robot name="&b;"/>"""
OUTSIDE = '<!DOCTYPE robot [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot name="x">&a;</robot>'


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (BOMB.encode(), NotXmlError),
        (OUTSIDE.encode(), NotXmlError),
        (b"<!DOCTYPE robot><robot name='x'/>", NotXmlError),
        (b"<robot name='x'>", NotXmlError),
        (b"<robot name='x'/><robot name='y'/>", NotXmlError),
        (b"", NotXmlError),
        (b"<sdf version='1.6'/>", NotXmlError),
        (b"<?xml version='1.0' encoding='klingon'?><robot name='x'/>", NotXmlError),
        (b"<?xml version='1.0' encoding='utf-16'?><robot name='x'/>", NotXmlError),
        (b"<robot name='\xff\xfe'/>", NotXmlError),
        (b"<robot name='x'>\x00</robot>", NotXmlError),
        (b"<robot name='x'>" + b"<a>" * 100_000, NestingError),
        (b"<robot name='x'>" + b"<a/>" * 200_000, TooManyElementsError),
    ],
)
def test_xml_that_is_not_read(data, kind):
    start = time.perf_counter()
    machine, problems, _ = parse_urdf(data)
    assert machine is None
    assert problems[0].kind is kind
    assert time.perf_counter() - start < 5.0  # seconds on a busy machine, never minutes


@pytest.mark.parametrize(
    ("filename", "path"),
    [
        ("a.stl", "a.stl"),
        ("meshes/a.stl", "meshes/a.stl"),
        ("./meshes//a.stl", "meshes/a.stl"),
        ("meshes\\a.stl", "meshes/a.stl"),
        ("package://arm/meshes/a.stl", "meshes/a.stl"),
        ("package://arm/../../etc/passwd", None),
        ("package://arm//etc/passwd", None),
        ("package://arm", None),
        ("../a.stl", None),
        ("meshes/../../a.stl", None),
        ("/a.stl", None),
        ("C:\\a.stl", None),
        ("\\\\host\\share\\a.stl", None),
        ("file:///a.stl", None),
        ("http://example.org/a.stl", None),
        ("", None),
    ],
)
def test_mesh_paths_stay_in_the_folder(filename, path):
    assert mesh_path(filename) == path
    if path is None:
        text = changed("package://arm_description/meshes/a.stl", filename)
        problem = problem_of(text)
        assert problem.kind is MeshError
        assert problem.place == "link 'upper'/visual/geometry/mesh@filename"


# -- anything ---------------------------------------------------------------------------

FRAGMENTS = [
    "<",
    ">",
    "/>",
    '"',
    "&",
    "nan",
    "1e999",
    "<link",
    "<joint ",
    "]]>",
    "<!--",
    "\x00",
    "é",
]


@given(
    st.lists(
        st.tuples(st.integers(0, len(GOOD)), st.integers(0, 40), st.sampled_from(["", *FRAGMENTS])),
        min_size=1,
        max_size=4,
    )
)
def test_mutated_files_yield_problems_or_a_robot(edits):
    text = GOOD
    for start, length, insert in edits:
        text = text[:start] + insert + text[start + length :]
    reading = read_bytes(text.encode())
    assert (reading.robot is None) == bool(reading.problems)
    assert all(issubclass(problem.kind, HeadframeError) for problem in reading.problems)


@given(st.binary(max_size=200))
def test_any_bytes(data):
    _, problems, _ = parse_urdf(b"<robot " + data)
    assert problems
