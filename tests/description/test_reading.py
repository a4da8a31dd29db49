"""What a file says and what becomes of it; broken files are in test_broken_files."""

import json
import warnings
from pathlib import Path

import pytest

import headframe
from headframe.description import Capsule, Cone, Cylinder, Mesh
from headframe.description.reading import read_bytes, read_text
from headframe.errors import HeadframeError, HeadframeWarning, MachineFileError, Problem

CRANE = Path(__file__).parents[1] / "fixtures" / "canonical_crane.json"


@pytest.fixture(scope="module")
def crane():
    return headframe.load(CRANE)


def read(**fields):
    return read_text(json.dumps({"mrdf": "1", "name": "a", "links": [{"name": "b"}], **fields}))


def test_everything_in_the_file_is_in_the_robot(crane):
    robot = crane.robot
    assert (robot.name, robot.machine_class, robot.end_effector) == ("crane", "loader", "hook")
    assert robot.home.joints == {"slew": 0.1, "lift": 0.3, "swing": (0.0, 0.05)}
    base = robot.link("base")
    assert base.translation == (0, 0, 0.1)
    assert base.visuals[1].geometry == Mesh(
        type="mesh", path="meshes/wedge.obj", scale=(1.0, 2.0, 1.0)
    )
    assert base.collision[0].geometry == base.visuals[0].geometry
    assert base.inertial.mass == 900
    assert robot.link("mast").visuals[0].geometry == Cylinder(
        type="cylinder", r1=0.3, r2=0.25, h=1.6
    )
    assert robot.link("boom").visuals[0].geometry == Capsule(type="capsule", r=0.15, h=2.5)
    assert robot.link("cap").visuals[0].geometry == Cone(type="cone", r=0.2, h=0.3)
    slew = robot.joint("slew")
    assert (slew.limit.lower, slew.limit.upper, slew.damping, slew.friction) == (-1.5, 1.5, 20, 5)
    left = robot.actuator("left")
    assert (left.speed, left.acceleration, left.force) == (0.1, 0.5, 2e5)
    assert (left.bore, left.rod_diameter, left.group) == (0.12, 0.08, "lifting")
    assert robot.groups == ((0, 1),)
    assert robot.group_names == ("lifting",)
    assert robot.springs[0].stiffness == 4e4
    assert robot.motors[0].torque == 10
    assert robot.repeaters[0].ratio == -2
    assert robot.provenance[0].kind == "estimated"


def test_one_shape_or_a_list_of_shapes():
    shape = {"geometry": {"type": "sphere", "r": 1}}
    one = read(links=[{"name": "b", "visual": shape, "collision": shape}]).robot
    many = read(links=[{"name": "b", "visual": [shape], "collision": [shape]}]).robot
    assert one == many


def test_a_colour_without_opacity_is_opaque():
    shape = {"geometry": {"type": "sphere", "r": 1}, "material": {"color": [1, 0.5, 0]}}
    robot = read(links=[{"name": "b", "visual": shape}]).robot
    assert robot.links[0].visuals[0].material.color == (1, 0.5, 0, 1)


def test_null_is_as_good_as_nothing_where_a_field_may_be_left_out():
    link = {"name": "b", "inertial": None}
    assert read(links=[link], home=None, end_effector=None).robot == read().robot


def test_a_robot_cannot_be_changed(crane):
    with pytest.raises(ValueError, match="frozen"):
        crane.robot.name = "other"


@pytest.mark.parametrize(
    ("axis", "length"), [([0, 0, 2], "2"), ([1, 1, 0], "1.41421"), ([1e-9, 0, 0], "1e-09")]
)
def test_an_axis_that_is_no_unit_vector_is_normalised_with_a_warning(tmp_path, axis, length):
    joint = {"name": "j", "parent": "b", "child": "c", "type": "revolute", "axis": axis}
    data = {"mrdf": "1", "name": "a", "links": [{"name": "b"}, {"name": "c"}], "joints": [joint]}
    path = tmp_path / "axis.json"
    path.write_text(json.dumps(data, indent=1))
    with pytest.warns(HeadframeWarning, match=f"joints.0..axis .line 18.*length {length}") as seen:
        machine = headframe.load(path)
    assert seen[0].filename == __file__, "the warning points at the user's line"
    assert sum(value**2 for value in machine.joints[0].axis) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    "axis", [[0, 0, 1], [0.6, 0.8, 0], [0.57735026919, 0.57735026919, 0.57735026919]]
)
def test_a_unit_axis_passes_without_a_word(axis):
    joint = {"name": "j", "parent": "b", "child": "c", "type": "prismatic", "axis": axis}
    reading = read(links=[{"name": "b"}, {"name": "c"}], joints=[joint])
    assert reading.notes == []
    assert sum(value**2 for value in reading.robot.joints[0].axis) == pytest.approx(1, abs=1e-11)


@pytest.mark.parametrize("scale", [5e-324, 1e-200, 1e200, 1.7e308])
def test_axes_of_any_size(scale):
    joint = {
        "name": "j",
        "parent": "b",
        "child": "c",
        "type": "revolute",
        "axis": [scale, 0, scale],
    }
    reading = read(links=[{"name": "b"}, {"name": "c"}], joints=[joint])
    assert reading.robot.joints[0].axis == pytest.approx((0.5**0.5, 0, 0.5**0.5))


def test_a_byte_order_mark_is_no_mistake():
    reading = read_bytes(b"\xef\xbb\xbf" + CRANE.read_bytes(), CRANE.parent)
    assert reading.problems == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_line_ends_of_other_systems(end):
    text = CRANE.read_text().replace("\n", end)
    assert read_text(text, CRANE.parent).problems == []
    text = text.replace('"mass": 900.0', '"mass": "heavy"')
    (problem,) = read_text(text, CRANE.parent).problems
    assert '"heavy"' in text.split("\n")[problem.line - 1]


def test_an_error_holds_its_problems():
    with pytest.raises(MachineFileError) as caught:
        raise MachineFileError(
            [Problem(MachineFileError, "a", f"wrong {i}") for i in range(25)], "f"
        )
    text = str(caught.value)
    assert text.startswith("f: 25 problems\n  a: wrong 0\n")
    assert text.endswith("wrong 19\n  ... and 5 more")
    assert len(caught.value.problems) == 25


def test_nothing_happens_but_the_error(tmp_path):
    """Never half a robot: no machine, no file, no warning."""
    text = CRANE.read_text().replace('"axis": [0, -1, 0]', '"axis": [0, -2, 0], "dampng": 1')
    path = tmp_path / "crane.json"
    path.write_text(text.replace("meshes/wedge.obj", "gone.obj"))
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with pytest.raises(HeadframeError) as caught:
            headframe.load(path)
    assert len(caught.value.problems) == 2
    assert seen == []
    assert list(tmp_path.iterdir()) == [path]


def test_large_files_are_read_in_reasonable_time():
    count = 10_000
    links = [{"name": f"link{i}"} for i in range(count)]
    joints = [
        {"name": f"j{i}", "parent": f"link{i}", "child": f"link{i + 1}", "type": "fixed"}
        for i in range(count - 1)
    ]
    assert len(read(links=links, joints=joints).robot.links) == count
    for joint in joints:
        joint["parent"] = joint["parent"].replace("n", "m")
    reading = read(links=links, joints=joints)
    assert len(reading.problems) == count - 1
    assert "did you mean 'link0'?" in str(reading.problems[0])
