"""Reading URDF: what it means, and what is said about files that are not right."""

import re
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.servo_machines import servo

from headframe.description.reading import read_bytes
from headframe.description.urdf import parse_urdf
from headframe.errors import (
    HeadframeError,
    InertiaError,
    MissingFieldError,
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


def parsed(text, **options):
    found = parse_urdf(text if isinstance(text, bytes) else text.encode(), **options)
    assert not found.problems
    return found.machine, found.notes


def problem_of(text):
    """The one problem that a file has."""
    (problem,) = parse_urdf(text if isinstance(text, bytes) else text.encode()).problems
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
    mesh = {"type": "mesh", "path": "arm_description/meshes/a.stl", "scale": [1.0, 1.0, 2.0]}
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


def test_joints_that_move_have_motors_with_their_ratings():
    """So a robot from elsewhere can be driven; a joint that follows another has no motor."""
    machine, _ = parsed(GOOD)
    assert machine["motors"] == [
        servo("shoulder", max_torque=10.0, max_speed=3.0),
        servo("slide", max_torque=1.0, max_speed=1.0),
    ]
    for limit, ratings in (
        ("", {}),
        ('effort="10"', {"max_torque": 10.0}),
        ('effort="0" velocity="3"', {"max_speed": 3.0}),
        ('effort="inf" velocity="1e9"', {}),
    ):
        other = GOOD.replace('lower="-1" upper="2" effort="10" velocity="3"', f'lower="-1" {limit}')
        assert parsed(other)[0]["motors"][0] == servo("shoulder", **ratings)
    free = GOOD.replace('effort="10" velocity="3"', 'effort="1e9" velocity="1000"')
    assert [motor["name"] for motor in parsed(free)[0]["motors"]] == ["slide"]  # our own export
    bare = GOOD.replace('<limit effort="1" velocity="1"/>', "")
    assert parsed(bare)[0]["motors"][1] == servo("slide", max_speed=0.1)


def test_what_is_ignored_is_said():
    _, notes = parsed(GOOD)
    said = "\n".join(notes)
    for word in ("<transmission> (2)", "<gazebo> (1)", "safety_controller", "'slide'"):
        assert word in said


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


def test_of_a_material_that_is_defined_twice_the_first_definition_counts():
    """Who only names it gets that one; whoever defines it for itself keeps its own."""
    second = '<material name="yellow"><color rgba="0 0 1 1"/></material>'
    machine, _ = parsed(changed('<material name="red"><color rgba="1 0 0 1"/></material>', second))
    shapes = [machine["links"][n]["visual"][0] for n in (0, 1)]
    assert shapes[0]["material"] == {"color": [1.0, 0.8, 0.0, 1.0]}
    assert shapes[1]["material"] == {"color": [0.0, 0.0, 1.0, 1.0]}


def test_a_material_without_a_colour_does_not_hide_its_definition():
    text = changed('<robot name="arm">', '<robot name="arm"><material name="yellow"/>')
    machine, _ = parsed(text)
    assert machine["links"][0]["visual"][0]["material"] == {"color": [1.0, 0.8, 0.0, 1.0]}


def test_a_link_of_no_mass_is_massless():
    nothing = '<inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/>'
    text = re.sub(r"<inertia ixx.*?/>", nothing, changed('value="5"', 'value="0"'))
    machine, notes = parsed(text)
    assert "inertial" not in machine["links"][1]
    assert any("massless" in note for note in notes)


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
        ('<parent link="base"/>', "", MissingFieldError, "joint 'shoulder'"),
        ('<parent link="base"/>', "<parent/>", MissingFieldError, "joint 'shoulder'/parent@link"),
        ('name="lower"', "", MissingFieldError, "link@name"),
        ('type="revolute"', 'type="revolut"', ValueRangeError, "joint 'shoulder'@type"),
        ('type="revolute"', "", MissingFieldError, "joint 'shoulder'@type"),
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
    text = GOOD.replace('xyz="0 0 1"', 'xyz="0 0 nan"').replace('upper="2"', 'upper="big"')
    problems = parse_urdf(text.encode()).problems
    assert {problem.kind for problem in problems} == {NotFiniteError, WrongTypeError}


def test_the_nearest_type_is_suggested():
    problem = problem_of(changed('type="revolute"', 'type="revolut"'))
    assert "'revolute'" in problem.hint


def test_macros_must_be_expanded():
    text = changed("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
    text = text.replace('<link name="lower"/>', '<link name="lower"/><xacro:arm side="left"/>')
    problem = problem_of(text)
    assert problem.kind is UnknownFieldError
    assert "xacro FILE.urdf.xacro > FILE.urdf" in problem.hint
    for value in ("${length}", "$(arg length)"):
        problem = problem_of(changed('rpy="0 0 1e-1"', f'name="{value}"'))
        assert problem.kind is UnknownFieldError
        assert "xacro" in problem.hint
    unused = '<xacro:property name="width" value="1"/><xacro:arg name="a" default="b"/>'
    text = changed("<robot ", '<robot xmlns:xacro="http://www.ros.org/wiki/xacro" ')
    _, notes = parsed(text.replace('<link name="lower"/>', '<link name="lower"/>' + unused))
    assert "<property> (1) is ignored" in notes


def test_other_formats_are_told_what_to_do():
    assert "sdf2urdf" in problem_of("<sdf version='1.6'/>").hint


# -- what is forgiven -------------------------------------------------------------------

REVOLUTE = '<limit lower="-1" upper="2" effort="10" velocity="3"/>'
SHAPE_FORMS = [
    ('<sphere radius="2"/>', "", "no shape"),
    ('<sphere radius="2"/>', '<ball r="2"/>', "unknown shape <ball>"),
    ('<sphere radius="2"/>', "<sphere/>", "the attribute is missing"),
    ('<sphere radius="2"/>', '<sphere radius="0"/>', "found sizes 0"),
    ('<sphere radius="2"/>', '<sphere radius="big"/>', "'big'"),
    ('<box size="1 2 3"/>', '<box size="0 0 0"/>', "found sizes 0 0 0"),
    ('<geometry><sphere radius="2"/></geometry>', "", "<geometry> is missing"),
]


@pytest.mark.parametrize(("old", "new", "note"), SHAPE_FORMS)
def test_a_shape_that_cannot_be_used_is_left_out(old, new, note):
    machine, notes = parsed(changed(old, new))
    assert len(machine["links"][0]["visual"]) == 1
    (told,) = [text for text in notes if note in text]
    assert "left out" in told
    found = parse_urdf(changed(old, new).encode(), strict=True).problems
    assert any(note in problem.message for problem in found)


@pytest.mark.parametrize(
    ("old", "new", "note"),
    [
        ('<box size="1 2 3"/>', '<box size="1 2 3"/><sphere radius="1"/>', "the first is taken"),
        ('<box size="1 2 3"/>', '<box size="1 2 0"/>', "0.1 mm for 0"),
        ('<box size="1 2 3"/>', '<box size="1, 2, 3"/>', "commas"),
        ('rgba="1 0.8 0 1"', 'rgba="255 204 0 1"', "parts of 255"),
        ('rgba="1 0.8 0 1"', 'rgba="1.2 0.8 0 1"', "cut to 0 to 1"),
        ('scale="1 1 2"', 'scale="0 1 2"', "other than 0"),
        ('xyz="0 0 1"', 'xyz=""', "empty"),
        ('xyz="0 0 1"', 'xyz="0, 0, 1"', "commas"),
        ('xyz="0 0 1"', 'xyz="0 0 1 0"', "zeros behind"),
        ('lower="-1"', 'lower="-1.5."', "without its last sign"),
        ('lower="-1" upper="2"', 'lower="2" upper="-1"', "the other way round"),
        ('lower="-1" upper="2"', 'lower="-inf" upper="inf"', "infinite"),
        ('damping="0.5"', 'damping="-0.5"', "0 is taken"),
        ('type="revolute"', 'type="Revolute"', "read as 'revolute'"),
        ('joint="shoulder"', 'joint="sholder"', "did you mean 'shoulder'"),
        (' name="arm"', "", "called 'robot'"),
        ('<mass value="5"/>', "", "<mass> is missing"),
        ('value="5"', "", "the attribute is missing"),
        ('value="5"', 'value="-5"', "found a mass of -5"),
        ('value="5"', 'value="0"', "found a mass of 0"),
        ('ixx="1"', 'ixx="nan"', "'nan'"),
        (' ixy="0.1"', "", "ixy missing"),
    ],
)  # fmt: skip
def test_what_does_no_harm_to_the_mechanism_is_a_note(old, new, note):
    text = re.sub(r"<mesh[^>]*>", '<mesh filename="a.stl" scale="1 1 2"/>', changed(old, new))
    text = changed(old, new) if "scale" in old else text
    reading = read_bytes(text.encode())
    assert not reading.problems
    assert any(note in told for told in reading.notes), reading.notes


def test_colours_of_bytes_are_fractions():
    machine, _ = parsed(changed('rgba="1 0.8 0 1"', 'rgba="255 204 0 1"'))
    color = machine["links"][0]["visual"][0]["material"]["color"]
    assert color == pytest.approx([1.0, 0.8, 0.0, 1.0])


def test_a_link_that_nothing_carries_is_fixed_to_the_largest_tree():
    text = changed('<link name="lower"/>', '<link name="lower"/><link name="stone"/>')
    reading = read_bytes(text.encode())
    joint = reading.robot.joints[-1]
    assert (joint.type, joint.parent, joint.child) == ("fixed", "base", "stone")
    assert any("'stone'" in note for note in reading.notes)


def test_a_world_that_is_not_declared_is_added():
    hung = '<joint name="foot" type="fixed"><parent link="world"/><child link="base"/></joint>'
    reading = read_bytes(changed('<link name="lower"/>', '<link name="lower"/>' + hung).encode())
    assert "world" in reading.robot.link_index


def test_a_planar_joint_moves_in_the_plane_of_its_axis():
    plain = changed('type="revolute"', 'type="planar"').replace(REVOLUTE, "")
    reading = read_bytes(plain.encode())
    assert not reading.problems
    slides = [joint for joint in reading.robot.joints if joint.name.startswith("shoulder")]
    assert [joint.type for joint in slides] == ["prismatic", "prismatic", "continuous"]
    axes = np.array([joint.axis for joint in slides])
    assert axes @ axes.T == pytest.approx(np.eye(3))
    assert axes[2] == pytest.approx([0.0, 1.0, 0.0])
    assert slides[0].parent == "base"
    assert slides[2].child == "upper"
    assert slides[0].origin_translation == (0.0, 0.0, 1.0)
    assert slides[1].origin_translation == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("data", "note"),
    [
        (b"\n\n" + GOOD.encode(), "blanks before"),
        (GOOD.encode() + b"\0", "zeros behind"),
        (GOOD.replace("arm", "br\u00e4s", 1).encode("latin-1"), "Latin-1"),
        (changed("<transmission", "<!-- a -- b --><transmission").encode(), "comments"),
        (changed("<gazebo/>", "<gz:gazebo/>").encode(), "prefixes"),
    ],
)
def test_xml_as_people_write_it(data, note):
    machine, notes = parsed(data)
    assert len(machine["links"]) == 5
    assert any(note in told for told in notes)


def test_lines_keep_their_numbers_in_a_file_that_is_mended():
    text = "\n\n" + changed('xyz="0 0 1"', 'xyz="0 0 one"').replace(
        "<transmission", "<!-- a -- \n b --><transmission", 1
    )
    problem = problem_of(text)
    assert 'xyz="0 0 one"' in text.splitlines()[problem.line - 1]


def test_a_file_with_a_namespace_of_its_own_is_read():
    machine, _ = parsed(changed("<robot ", '<robot xmlns="http://drake.mit.edu" '))
    assert len(machine["joints"]) == 4


def test_inertias_that_no_body_has_are_a_note_that_says_by_how_much():
    text = re.sub(r"<inertia ixx.*?/>", '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" '
                  'izz="2.5"/>', GOOD)  # fmt: skip
    reading = read_bytes(text.encode())
    (note,) = [note for note in reading.notes if "no body has" in note]
    assert "link 'upper' by 0.5 kg m^2" in note
    assert reading.robot.link("upper").inertial.mass == 5.0
    (problem,) = read_bytes(text.encode(), strict=True).problems
    assert problem.kind is InertiaError


# -- XML that is not read ---------------------------------------------------------------

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
        (b"<robot name='x'>\x00</robot>", NotXmlError),
        (b"<robot name='x'>" + b"<a>" * 100_000, NestingError),
        (b"<robot name='x'>" + b"<a/>" * 200_000, TooManyElementsError),
    ],
)
def test_xml_that_is_not_read(data, kind):
    start = time.perf_counter()
    found = parse_urdf(data)
    assert found.machine is None
    assert found.problems[0].kind is kind
    assert time.perf_counter() - start < 5.0  # seconds on a busy machine, never minutes


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
    assert parse_urdf(b"<robot " + data).problems


def hinged(name, parent, child, more=""):
    return (
        f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
        f"{more}</joint>"
    )


def robot_of(links, *joints):
    named = "".join(f'<link name="{link}"/>' for link in links)
    return f'<robot name="r">{named}{"".join(joints)}</robot>'.encode()


def test_a_chain_of_mimics_is_at_home_where_its_leader_takes_it():
    """The file has the last follower first."""
    found = parse_urdf(
        robot_of(
            "abcd",
            hinged("third", "c", "d", '<mimic joint="second" multiplier="3" offset="0.2"/>'),
            hinged("second", "b", "c", '<mimic joint="first" multiplier="-2" offset="1"/>'),
            hinged("first", "a", "b"),
        )
    )
    home = found.machine["home"]["joints"]
    assert home == {"first": 0.0, "second": 1.0, "third": pytest.approx(3.2)}


def test_separate_trees_stand_on_the_largest():
    """Whatever comes first in the file."""
    found = parse_urdf(robot_of("abcde", hinged("j", "b", "c"), hinged("k", "c", "d")))
    added = [joint for joint in found.machine["joints"] if joint["type"] == "fixed"]
    assert [(joint["parent"], joint["child"]) for joint in added] == [("b", "a"), ("b", "e")]


@pytest.mark.parametrize("normal", ["0 0 1", "1 2 -3", "0 -1 0"])
def test_the_slides_of_a_planar_joint_are_right_handed(normal):
    axis = f'<axis xyz="{normal}"/>'
    text = robot_of("ab", hinged("p", "a", "b", axis)).replace(b"continuous", b"planar")
    x, y, turn = (np.array(joint["axis"]) for joint in parse_urdf(text).machine["joints"])
    np.testing.assert_allclose(np.cross(x, y), turn, atol=1e-12)
    wanted = np.array([float(word) for word in normal.split()])
    np.testing.assert_allclose(turn, wanted / np.linalg.norm(wanted), atol=1e-12)


def test_a_range_the_wrong_way_round_is_turned():
    limit = '<limit lower="1.5" upper="-0.5" effort="1" velocity="1"/>'
    text = robot_of("ab", hinged("j", "a", "b", limit)).replace(b"continuous", b"revolute")
    found = parse_urdf(text)
    assert found.machine["joints"][0]["limit"] == {"lower": -0.5, "upper": 1.5}
    assert any("the other way round" in note for note in found.notes)
