"""Deliberately broken files: every defect is named, with its place, by `load` and by `check`.

A good file (tests/fixtures) is broken in one place by replacing text. The defect must be reported
as the right class of error, at the right place and line, in words that say what was found and
what was expected, and it must be the only one reported.
"""

import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

import headframe
from headframe import errors
from headframe.cli.main import app
from headframe.description.reading import MOST_ELEMENTS, read_text

FIXTURES = Path(__file__).parents[1] / "fixtures"
CRANE = "canonical_crane"
DEMO = "demo_dialect_support"
PAPER = "paper_dialect_support"
TEXTS = {name: (FIXTURES / f"{name}.json").read_text() for name in (CRANE, DEMO, PAPER)}


@dataclass(frozen=True)
class Broken:
    """How a good file is broken, and what must be said about it.

    `at` is text in the line that must be named; the replaced line if it is empty, no line at all
    if it is None.
    """

    name: str
    old: str
    new: str
    kind: type[errors.MachineFileError]
    place: str
    words: tuple[str, ...]
    at: str | None = ""
    base: str = CRANE

    @property
    def text(self) -> str:
        good = TEXTS[self.base]
        assert self.old in good
        return good.replace(self.old, self.new, 1)

    @property
    def line(self) -> int | None:
        if self.at is None:
            return None
        start = self.text.index(self.at) if self.at else TEXTS[self.base].index(self.old)
        return self.text.count("\n", 0, start) + 1


LOWER = '"lower": 1.1,\n        "upper": 1.9'
LEFT = '"redundants": ["right"],\n      "group": "lifting"'
MASS = '"mass": 900.0'
INERTIA = "[[170.0, 0.0, 0.0], [0.0, 300.0, 0.0], [0.0, 0.0, 460.0]]"
MESH = '"path": "meshes/wedge.obj"'
DRUM = '{"name": "drum"},'
MOTOR = '"joint": "drum_turn", "torque"'
GEAR = '"joint": "crank_turn", "follows": "slew"'
FAR = "x" * 300
HOME = '"joints": {\n      "slew": 0.1,\n      "lift": 0.3,\n      "swing": [0.0, 0.05]\n    }'
MOUNT = TEXTS[PAPER][
    TEXTS[PAPER].index('{\n      "name": "mount_rod2"') : TEXTS[PAPER].index('],\n  "actuators"')
]

BROKEN = [
    # -- fields that do not belong or are not there
    Broken(
        "unknown field of the machine",
        '"class": "loader"',
        '"clas": "loader"',
        errors.UnknownFieldError,
        "clas",
        ("unknown field 'clas'", "did you mean 'class'?"),
    ),
    Broken(
        "unknown field of a link",
        '"translation": [0.0, 0.0, 0.1]',
        '"translaton": [0.0, 0.0, 0.1]',
        errors.UnknownFieldError,
        "links[0].translaton",
        ("unknown field 'translaton'", "did you mean 'translation'?"),
    ),
    Broken(
        "unknown field of a visual",
        '"name": "plinth"',
        '"nam": "plinth"',
        errors.UnknownFieldError,
        "links[0].visual[0].nam",
        ("unknown field 'nam'", "did you mean 'name'?"),
    ),
    Broken(
        "unknown field of a shape",
        '"type": "capsule", "r": 0.15',
        '"type": "capsule", "r": 0.15, "width": 1',
        errors.UnknownFieldError,
        "links[2].visual.geometry.width",
        ("unknown field 'width'", "'r', 'h'"),
    ),
    Broken(
        "unknown field of a material",
        '"color": [0.9',
        '"colour": [0.9',
        errors.UnknownFieldError,
        "links[0].visual[0].material.colour",
        ("unknown field 'colour'", "did you mean 'color'?"),
    ),
    Broken(
        "unknown field of an inertial",
        '"com": [0.0',
        '"center": [0.0',
        errors.UnknownFieldError,
        "links[0].inertial.center",
        ("unknown field 'center'", "'mass', 'com', 'inertia'"),
    ),
    Broken(
        "unknown field of a joint",
        '"damping": 20.0',
        '"dampng": 20.0',
        errors.UnknownFieldError,
        "joints[0].dampng",
        ("unknown field 'dampng'", "did you mean 'damping'?"),
    ),
    Broken(
        "unknown field of a limit",
        '"upper": 1.5}',
        '"upper": 1.5, "uper": 2}',
        errors.UnknownFieldError,
        "joints[0].limit.uper",
        ("unknown field 'uper'", "did you mean 'upper'?"),
    ),
    Broken(
        "unknown field of an actuator",
        '"bore": 0.12',
        '"boer": 0.12',
        errors.UnknownFieldError,
        "actuators[0].boer",
        ("unknown field 'boer'", "did you mean 'bore'?"),
    ),
    Broken(
        "unknown field of a spring",
        '"stiffness": 4.0e4',
        '"stiffness": 4.0e4, "k": 1',
        errors.UnknownFieldError,
        "springs[0].k",
        ("unknown field 'k'",),
    ),
    Broken(
        "unknown field of a motor",
        '"max_speed": 3.0',
        '"maxspeed": 3.0',
        errors.UnknownFieldError,
        "motors[0].maxspeed",
        ("unknown field 'maxspeed'", "did you mean 'max_speed'?"),
    ),
    Broken(
        "unknown field of home",
        '"home": {\n    "joints"',
        '"home": {\n    "joint"',
        errors.UnknownFieldError,
        "home.joint",
        ("unknown field 'joint'", "did you mean 'joints'?"),
        at='"joint": {',
    ),
    Broken(
        "a key that would break the line",
        '"class": "loader"',
        '"a\\n b": "loader"',
        errors.UnknownFieldError,
        r"['a\n b']",
        (r"unknown field 'a\n b'",),
    ),
    Broken(
        "a key that is no Unicode",
        '"name": "plinth"',
        r'"na\ud800me": "plinth"',
        errors.ValueRangeError,
        "links[0].visual[0]",
        (r"found 'na\ud800me', expected valid Unicode",),
        at='{\n          "na',
    ),
    Broken(
        "machine without a name",
        '"name": "crane",\n',
        "\n",
        errors.MissingFieldError,
        "name",
        ("the field 'name' is missing",),
        at=None,
    ),
    Broken(
        "list given twice",
        '"links": [',
        '"provenance": [], "links": [',
        errors.DuplicateNameError,  # provenance stands at the end, too
        "provenance",
        ("the key 'provenance' is given more than once",),
        at='"provenance": [\n',
    ),
    Broken(
        "link without a name",
        DRUM,
        '{"translation": [0, 0, 0]}, ' + DRUM,
        errors.MissingFieldError,
        "links[5].name",
        ("the field 'name' is missing",),
    ),
    Broken(
        "visual without geometry",
        '"visual": {"geometry": {"type": "sphere", "r": 0.2}}',
        '"visual": {"name": "ball"}',
        errors.MissingFieldError,
        "links[4].visual.geometry",
        ("the field 'geometry' is missing",),
    ),
    Broken(
        "shape without a type",
        '"type": "sphere", ',
        "",
        errors.MissingFieldError,
        "links[4].visual.geometry",
        ("the field 'type' is missing", "box, cylinder, capsule"),
        at='{"name": "hook"',
    ),
    Broken(
        "box without a side",
        '"x": 2.0, "y": 1.5, "z": 0.2},\n',
        '"x": 2.0, "y": 1.5},\n',
        errors.MissingFieldError,
        "links[0].visual[0].geometry.z",
        ("the field 'z' is missing",),
    ),
    Broken(
        "inertial without inertia",
        '"mass": 350.0, "inertia": [[80.0, 1.0, 0.0], [1.0, 80.0, 0.0], [0.0, 0.0, 15.0]]',
        '"mass": 350.0',
        errors.MissingFieldError,
        "links[1].inertial.inertia",
        ("the field 'inertia' is missing",),
    ),
    Broken(
        "joint without a parent",
        '"parent": "mast", "child": "cap", ',
        '"child": "cap", ',
        errors.MissingFieldError,
        "joints[2].parent",
        ("the field 'parent' is missing",),
    ),
    Broken(
        "revolute joint without an axis",
        '"axis": [0, -1, 0]',
        '"damping": 0',
        errors.MissingFieldError,
        "joints[1].axis",
        ("the field 'axis' is missing", "a revolute joint needs one"),
        at='{\n      "name": "lift"',
    ),
    Broken(
        "universal joint without a second axis",
        '"axis2": [0, 1, 0]',
        '"damping": 0',
        errors.MissingFieldError,
        "joints[3].axis2",
        ("the field 'axis2' is missing",),
        at='{\n      "name": "swing"',
    ),
    Broken(
        "actuator without bounds",
        '"bound": {"lower": 1.1, "upper": 1.9},\n',
        "\n",
        errors.MissingFieldError,
        "actuators[1].bound",
        ("the field 'bound' is missing",),
        at='{\n      "name": "right"',
    ),
    Broken(
        "actuator without a mount point",
        '"tube_offset": [0.3, 0.2, -0.4],\n',
        "\n",
        errors.MissingFieldError,
        "actuators[0].tube_offset",
        ("the field 'tube_offset' is missing", "a joint that leads to it"),
        at='{\n      "name": "left"',
    ),
    Broken(
        "bounds without an upper end",
        '{"lower": 1.1, "upper": 1.9}',
        '{"lower": 1.1}',
        errors.MissingFieldError,
        "actuators[1].bound.upper",
        ("the field 'upper' is missing",),
    ),
    # -- wrong types
    Broken(
        "name that is a number",
        DRUM,
        '{"name": 5}, ' + DRUM,
        errors.WrongTypeError,
        "links[5].name",
        ("found 5, expected a string",),
    ),
    Broken(
        "number in quotes",
        MASS,
        '"mass": "900"',
        errors.WrongTypeError,
        "links[0].inertial.mass",
        ("found '900', expected a number",),
    ),
    Broken(
        "true for a number",
        '"damping": 20.0',
        '"damping": true',
        errors.WrongTypeError,
        "joints[0].damping",
        ("found true, expected a number",),
    ),
    Broken(
        "null for a list",
        '"tube_offset": [0.3, 0.2, -0.4]',
        '"tube_offset": null',
        errors.WrongTypeError,
        "actuators[0].tube_offset",
        ("found null, expected a list",),
    ),
    Broken(
        "list that is an object",
        '"motors": [\n    {',
        '"motors": {"winch":\n    {',
        errors.NotJsonError,  # its bracket closes no brace
        "",
        ("expected ',' or a closing bracket, near '],'",),
        at='],\n  "repeaters"',
    ),
    Broken(
        "home that is a number",
        HOME,
        '"joints": 5',
        errors.WrongTypeError,
        "home.joints",
        ("found 5, expected an object",),
    ),
    Broken(
        "link that is no object",
        DRUM,
        DRUM + ' "wheel",',
        errors.WrongTypeError,
        "links[6]",
        ("found 'wheel', expected an object",),
    ),
    Broken(
        "two numbers for a point",
        '"point_a": [0.2, 0.0, 0.3]',
        '"point_a": [0.2, 0.0]',
        errors.WrongTypeError,
        "springs[0].point_a",
        ("found [0.2, 0.0], expected 3 values",),
    ),
    Broken(
        "four numbers for a point",
        '"point_a": [0.2, 0.0, 0.3]',
        '"point_a": [0.2, 0.0, 0.3, 1]',
        errors.WrongTypeError,
        "springs[0].point_a",
        ("found [0.2, 0.0, 0.3, 1], expected 3 values",),
    ),
    Broken(
        "word for a home position",
        '"slew": 0.1',
        '"slew": "left"',
        errors.WrongTypeError,
        "home.joints.slew",
        ("found 'left', expected a number",),
    ),
    Broken(
        "word in a home position",
        "[0.0, 0.05]",
        '[0.0, "x"]',
        errors.WrongTypeError,
        "home.joints.swing[1]",
        ("found 'x', expected a number",),
    ),
    # -- numbers that are none
    Broken(
        "NaN",
        MASS,
        '"mass": NaN',
        errors.NotFiniteError,
        "links[0].inertial.mass",
        ("found NaN, expected a finite number",),
    ),
    Broken(
        "Infinity",
        '"upper": 1.5}',
        '"upper": Infinity}',
        errors.NotFiniteError,
        "joints[0].limit.upper",
        ("found Infinity", "expected a finite number"),
    ),
    Broken(
        "-Infinity",
        '"lower": -1.5',
        '"lower": -Infinity',
        errors.NotFiniteError,
        "joints[0].limit.lower",
        ("found -Infinity", "expected a finite number"),
    ),
    Broken(
        "1e999",
        '"force": 2.0e5',
        '"force": 1e999',
        errors.NotFiniteError,
        "actuators[0].force",
        ("number beyond 1e308", "expected a finite number"),
    ),
    Broken(
        "integer of 400 digits",
        '"rest_length": 0.5',
        '"rest_length": ' + "9" * 400,
        errors.NotFiniteError,
        "springs[0].rest_length",
        ("number beyond 1e308", "expected a finite number"),
    ),
    Broken(
        "integer of 10,000 digits",
        '"rest_length": 0.5',
        '"rest_length": -' + "9" * 10_000,
        errors.NotFiniteError,
        "springs[0].rest_length",
        ("number beyond 1e308", "expected a finite number"),
    ),
    # -- numbers and words out of range
    Broken(
        "version to come",
        '"mrdf": "1"',
        '"mrdf": "2"',
        errors.ValueRangeError,
        "mrdf",
        ("found '2', expected '1'",),
    ),
    Broken(
        "version without quotes",
        '"mrdf": "1"',
        '"mrdf": 1',
        errors.WrongTypeError,
        "mrdf",
        ("found 1, expected '1'", "in quotes"),
    ),
    Broken(
        "x up",
        '"up_axis": "z"',
        '"up_axis": "x"',
        errors.ValueRangeError,
        "up_axis",
        ("found 'x', expected one of 'z' or 'y'",),
    ),
    Broken(
        "misspelt type of joint",
        '"child": "boom",\n      "type": "revolute"',
        '"child": "boom",\n      "type": "revolut"',
        errors.ValueRangeError,
        "joints[1].type",
        ("found 'revolut'", "'prismatic'", "did you mean 'revolute'?"),
        at='"type": "revolut"',
    ),
    Broken(
        "misspelt shape",
        '"type": "capsule"',
        '"type": "capsul"',
        errors.ValueRangeError,
        "links[2].visual.geometry.type",
        ("found 'capsul'", "'cylinder'", "did you mean 'capsule'?"),
    ),
    Broken(
        "kind of provenance",
        '"kind": "estimated"',
        '"kind": "guessed"',
        errors.ValueRangeError,
        "provenance[0].kind",
        ("found 'guessed'", "'measured', 'data sheet' or 'estimated'"),
    ),
    Broken(
        "flat box",
        '"y": 1.5, "z": 0.2},\n',
        '"y": 1.5, "z": 0},\n',
        errors.ValueRangeError,
        "links[0].visual[0].geometry.z",
        ("found 0, expected more than 0",),
    ),
    Broken(
        "negative damping",
        '"damping": 20.0',
        '"damping": -20.0',
        errors.ValueRangeError,
        "joints[0].damping",
        ("found -20.0, expected at least 0",),
    ),
    Broken(
        "rod thicker than its bore",
        '"rod_diameter": 0.08',
        '"rod_diameter": 0.2',
        errors.ValueRangeError,
        "actuators[0].rod_diameter",
        ("found a rod of 0.2 m", "bore of 0.12 m"),
    ),
    Broken(
        "colour out of range",
        "[0.9, 0.7, 0.1, 1.0]",
        "[230, 180, 25, 1.0]",
        errors.ValueRangeError,
        "links[0].visual[0].material.color",
        ("found [230, 180, 25, 1.0], expected 0 to 1 each",),
    ),
    Broken(
        "empty name",
        DRUM,
        '{"name": ""}, ' + DRUM,
        errors.ValueRangeError,
        "links[5].name",
        ("found '', expected 1 to 256 characters",),
    ),
    Broken(
        "name of 300 characters",
        '"name": "plinth"',
        f'"name": "{FAR}"',
        errors.ValueRangeError,
        "links[0].visual[0].name",
        ("found 'xxx", "...", "expected 1 to 256 characters"),
    ),
    Broken(
        "name that is no Unicode",
        '"name": "plinth"',
        r'"name": "\ud800"',
        errors.ValueRangeError,
        "links[0].visual[0].name",
        (r"found '\ud800', expected valid Unicode",),
    ),
    # -- axes
    Broken(
        "axis of zero length",
        '"axis": [0, -1, 0]',
        '"axis": [0, 0, 0]',
        errors.AxisError,
        "joints[1].axis",
        ("axis of 'lift' without length", "expected a unit vector"),
    ),
    Broken(
        "pin of zero length",
        '"tube_axis": [0, 1, 0]',
        '"tube_axis": [0, 0.0, -0.0]',
        errors.AxisError,
        "actuators[0].tube_axis",
        ("axis of 'left' without length", "expected a unit vector"),
    ),
    Broken(
        "axes that are not perpendicular",
        '"axis2": [0, 1, 0]',
        '"axis2": [0.6, 0.8, 0]',
        errors.AxisError,
        "joints[3].axis2",
        ("'swing'", "53.13 degrees apart, expected 90"),
    ),
    # -- names
    Broken(
        "unknown parent",
        '"parent": "mast", "child": "cap"',
        '"parent": "masd", "child": "cap"',
        errors.NameUnknownError,
        "joints[2].parent",
        ("'cap_weld' names 'masd', which is no link", "did you mean 'mast'?"),
    ),
    Broken(
        "unknown child",
        '"child": "drum"',
        '"child": "dram"',
        errors.NameUnknownError,
        "joints[4].child",
        ("'drum_turn' names 'dram', which is no link", "did you mean 'drum'?"),
    ),
    Broken(
        "unknown tube",
        '"tube": "tube_left"',
        '"tube": "tub_left"',
        errors.NameUnknownError,
        "actuators[0].tube",
        ("'left' names 'tub_left', which is no link", "did you mean 'tube_left'?"),
    ),
    Broken(
        "unknown carrier of a rod",
        '"rod_parent": "boom",\n      "tube_offset": [0.3, 0.2',
        '"rod_parent": "bom",\n      "tube_offset": [0.3, 0.2',
        errors.NameUnknownError,
        "actuators[0].rod_parent",
        ("'left' names 'bom', which is no link", "did you mean 'boom'?"),
    ),
    Broken(
        "unknown partner",
        '["right"]',
        '["right", "rihgt"]',
        errors.NameUnknownError,
        "actuators[0].redundants[1]",
        ("'left' names 'rihgt', which is no actuator", "did you mean 'right'?"),
    ),
    Broken(
        "unknown end effector",
        '"end_effector": "hook"',
        '"end_effector": "hooks"',
        errors.NameUnknownError,
        "end_effector",
        ("the end effector names 'hooks', which is no link", "did you mean 'hook'?"),
    ),
    Broken(
        "end effector that is a joint",
        '"end_effector": "hook"',
        '"end_effector": "swing"',
        errors.NameUnknownError,
        "end_effector",
        ("the end effector names 'swing', which is no link", "there are 'base', 'mast'"),
    ),
    Broken(
        "unknown joint in home",
        '"lift": 0.3',
        '"lifd": 0.3',
        errors.NameUnknownError,
        "home.joints.lifd",
        ("home names 'lifd', which is no joint", "did you mean 'lift'?"),
    ),
    Broken(
        "unknown link of a spring",
        '"link_b": "boom"',
        '"link_b": "bom"',
        errors.NameUnknownError,
        "springs[0].link_b",
        ("'buffer' names 'bom', which is no link", "did you mean 'boom'?"),
    ),
    Broken(
        "unknown joint of a motor",
        MOTOR,
        '"joint": "drum_trun", "torque"',
        errors.NameUnknownError,
        "motors[0].joint",
        ("'winch' names 'drum_trun', which is no joint", "did you mean 'drum_turn'?"),
    ),
    Broken(
        "unknown joint that a repeater follows",
        GEAR,
        '"joint": "crank_turn", "follows": "slow"',
        errors.NameUnknownError,
        "repeaters[0].follows",
        ("'gear' names 'slow', which is no joint", "did you mean 'slew'?"),
    ),
    Broken(
        "two links of one name",
        '{"name": "coupler"},',
        '{"name": "coupler"}, {"name": "drum"},',
        errors.DuplicateNameError,
        "links[8].name",
        ("the name 'drum' is taken by an earlier link",),
    ),
    Broken(
        "two joints of one name",
        '"name": "crank_pin"',
        '"name": "slew"',
        errors.DuplicateNameError,
        "joints[6].name",
        ("the name 'slew' is taken by an earlier joint",),
    ),
    Broken(
        "two actuators of one name",
        '"name": "actuator_shield_canopy"',
        '"name": "actuator_base_canopy0"',
        errors.DuplicateNameError,
        "actuators[2].name",
        ("the name 'actuator_base_canopy0' is taken by an earlier actuator",),
        base=PAPER,
    ),
    Broken(
        "key given twice",
        MASS,
        '"mass": 1.0, "mass": 900.0',
        errors.DuplicateNameError,
        "links[0].inertial.mass",
        ("the key 'mass' is given more than once",),
    ),
    Broken(
        "one tube for two actuators",
        '"tube": "tube_right"',
        '"tube": "tube_left"',
        errors.DuplicateNameError,
        "actuators[1].tube",
        ("link 'tube_left' is already the tube of actuator 'left'",),
    ),
    # -- the graph
    Broken(
        "joint from a link to itself",
        '"parent": "mast", "child": "cap"',
        '"parent": "cap", "child": "cap"',
        errors.SelfJointError,
        "joints[2].child",
        ("joint 'cap_weld' connects 'cap' to itself",),
    ),
    Broken(
        "actuator from a link to itself",
        '"rod_parent": "boom",\n      "tube_offset": [0.3, 0.2',
        '"rod_parent": "mast",\n      "tube_offset": [0.3, 0.2',
        errors.SelfJointError,
        "actuators[0].rod_parent",
        ("actuator 'left' connects 'mast' to itself",),
    ),
    Broken(
        "spring from a link to itself",
        '"link_b": "boom"',
        '"link_b": "mast"',
        errors.SelfJointError,
        "springs[0].link_b",
        ("spring 'buffer' connects 'mast' to itself",),
    ),
    Broken(
        "link without a joint",
        DRUM,
        DRUM + ' {"name": "wheel"},',
        errors.DisconnectedError,
        "links[6]",
        ("link 'wheel' is not connected to the root 'base'",),
    ),
    Broken(
        "link with two parents",
        '{"name": "drum_turn"',
        '{"name": "extra", "parent": "boom", "child": "drum", "type": "fixed"},\n'
        '{"name": "drum_turn"',
        errors.TwoParentsError,
        "joints[5].child",
        ("link 'drum' has two parents", "joint 'extra' leads to it", "opposite directions"),
        at='"drum_turn", "parent"',
    ),
    Broken(
        "joint to a tube that an actuator carries",
        '{"name": "drum_turn"',
        '{"name": "extra", "parent": "tube_left", "child": "rod_left", "type": "prismatic", '
        '"axis": [1, 0, 0]}, {"name": "drum_turn"',
        errors.TwoParentsError,
        "joints[4]",
        ("joint 'extra' holds 'rod_left', which actuator 'left' carries already",),
    ),
    Broken(
        "halves of a pivot that disagree",
        '"parent": "rocker", "child": "base", "type": "revolute"',
        '"parent": "rocker", "child": "base", "type": "prismatic"',
        errors.ValueRangeError,
        "joints[9].type",
        ("found 'prismatic', expected 'revolute' as in 'rocker_foot'",),
    ),
    # -- bounds and redundants
    Broken(
        "bounds reversed",
        '{"lower": 1.1, "upper": 1.9}',
        '{"lower": 1.9, "upper": 1.1}',
        errors.BoundsError,
        "actuators[1].bound",
        ("lower 1.9 above upper 1.1", "actuator 'right'"),
    ),
    Broken(
        "bounds negative",
        LOWER,
        '"lower": -1.1,\n        "upper": 1.9',
        errors.BoundsError,
        "actuators[0].bound.lower",
        ("found -1.1", "more than 0"),
    ),
    Broken(
        "limits reversed",
        '{"lower": -1.5, "upper": 1.5}',
        '{"lower": 1.5, "upper": -1.5}',
        errors.BoundsError,
        "joints[0].limit",
        ("lower 1.5 above upper -1.5", "joint 'slew'"),
    ),
    Broken(
        "one-sided redundants",
        LEFT,
        '"redundants": [],\n      "group": "lifting"',
        errors.RedundantsError,
        "actuators[1].redundants[0]",
        ("'right' names 'left' as redundant", "add 'right' to the redundants of 'left'"),
        at='["left"]',
    ),
    Broken(
        "redundant to itself",
        '["right"]',
        '["right", "left"]',
        errors.RedundantsError,
        "actuators[0].redundants[1]",
        ("'left' is redundant to itself",),
    ),
    Broken(
        "partners in different groups",
        LEFT,
        '"redundants": ["right"],\n      "group": "hoisting"',
        errors.RedundantsError,
        "actuators[1].group",
        ("found group 'lifting'", "partner 'left' is in 'hoisting'"),
        at='"group": "lifting"',
    ),
    # -- masses
    Broken(
        "no mass",
        MASS,
        '"mass": 0',
        errors.MassError,
        "links[0].inertial.mass",
        ("found 0, expected a mass of more than 0",),
    ),
    Broken(
        "negative mass",
        MASS,
        '"mass": -900',
        errors.MassError,
        "links[0].inertial.mass",
        ("found -900, expected a mass of more than 0",),
    ),
    Broken(
        "inertia that breaks the triangle inequality",
        INERTIA,
        "[[100, 0, 0], [0, 100, 0], [0, 0, 300]]",
        errors.InertiaError,
        "links[0].inertial.inertia",
        ("found principal moments 100, 100, 300", "triangle inequality"),
    ),
    Broken(
        "inertia that is not symmetric",
        INERTIA,
        "[[170, 3, 0], [0, 300, 0], [0, 0, 460]]",
        errors.InertiaError,
        "links[0].inertial.inertia",
        ("not symmetric",),
    ),
    Broken(
        "negative inertia",
        INERTIA,
        "[[-1, 0, 0], [0, 300, 0], [0, 0, 300]]",
        errors.InertiaError,
        "links[0].inertial.inertia",
        ("found principal moments -1, 300, 300, expected none below 0",),
    ),
    # -- meshes
    Broken(
        "mesh above the folder",
        MESH,
        '"path": "../wedge.obj"',
        errors.MeshError,
        "links[0].visual[1].geometry.path",
        ("found '../wedge.obj', expected a file inside the machine file's folder",),
    ),
    Broken(
        "mesh that goes down and up",
        MESH,
        '"path": "meshes/../../wedge.obj"',
        errors.MeshError,
        "links[0].visual[1].geometry.path",
        ("found 'meshes/../../wedge.obj', expected a file inside",),
    ),
    Broken(
        "mesh with an absolute path",
        MESH,
        '"path": "/etc/wedge.obj"',
        errors.MeshError,
        "links[0].visual[1].geometry.path",
        ("found '/etc/wedge.obj', expected a relative path with '/'",),
    ),
    Broken(
        "mesh with a Windows path",
        MESH,
        r'"path": "..\\wedge.obj"',
        errors.MeshError,
        "links[0].visual[1].geometry.path",
        ("expected a relative path with '/'",),
    ),
    Broken(
        "mesh on a drive",
        MESH,
        '"path": "C:/wedge.obj"',
        errors.MeshError,
        "links[0].visual[1].geometry.path",
        ("found 'C:/wedge.obj', expected a relative path with '/'",),
    ),
    Broken(
        "mesh on the web",
        MESH,
        '"path": "https://example.org/wedge.obj"',
        errors.MeshError,
        "links[0].visual[1].geometry.path",
        ("found 'https://example.org/wedge.obj', expected a relative path with '/'",),
    ),
    Broken(
        "mesh that is not there",
        MESH,
        '"path": "meshes/wege.obj"',
        errors.MeshError,
        "links[0].visual[1].geometry.path",
        ("there is no file 'meshes/wege.obj'",),
    ),
    Broken(
        "mesh of an unknown kind",
        MESH,
        '"path": "meshes/wedge.txt"',
        errors.MeshError,
        "links[0].visual[1].geometry.path",
        ("found 'meshes/wedge.txt', expected a file of .stl, .dae, .obj",),
    ),
    # -- home, motors, repeaters
    Broken(
        "home by joints and by actuators",
        '"swing": [0.0, 0.05]\n    }',
        '"swing": [0.0, 0.05]\n    }, "actuators": {"left": 1.5}',
        errors.ValueRangeError,
        "home",
        ("found both of 'joints' and 'actuators', expected one of them",),
        at='"home"',
    ),
    Broken(
        "negative length at home",
        HOME,
        '"actuators": {"left": -1.5}',
        errors.ValueRangeError,
        "home.actuators.left",
        ("found -1.5, expected more than 0",),
    ),
    Broken(
        "home position of a fixed joint",
        '"lift": 0.3',
        '"cap_weld": 0.3',
        errors.ValueRangeError,
        "home.joints.cap_weld",
        ("joint 'cap_weld' is fixed, expected one with a position of its own",),
    ),
    Broken(
        "home position of a joint that closes a loop",
        '"lift": 0.3',
        '"rocker_foot": 0.3',
        errors.ValueRangeError,
        "home.joints.rocker_foot",
        ("joint 'rocker_foot' closes a loop, expected one with a position of its own",),
    ),
    Broken(
        "motor on a fixed joint",
        MOTOR,
        '"joint": "cap_weld", "torque"',
        errors.ValueRangeError,
        "motors[0].joint",
        ("joint 'cap_weld' is fixed, expected a revolute, prismatic, continuous or helical",),
    ),
    Broken(
        "motor without limits that make sense",
        '"max_torque": 500.0',
        '"max_torque": 0',
        errors.ValueRangeError,
        "motors[0].max_torque",
        ("found 0, expected more than 0",),
    ),
    Broken(
        "repeater that follows a joint of two freedoms",
        GEAR,
        '"joint": "crank_turn", "follows": "swing"',
        errors.ValueRangeError,
        "repeaters[0].follows",
        ("joint 'swing' is universal, expected a revolute, prismatic, continuous or helical",),
    ),
    Broken(
        "repeater that follows itself",
        GEAR,
        '"joint": "slew", "follows": "slew"',
        errors.ValueRangeError,
        "repeaters[0].follows",
        ("joint 'slew' follows itself",),
    ),
    Broken(
        "repeaters that follow each other",
        '{"name": "gear", "joint": "crank_turn", "follows": "slew"',
        '{"name": "a", "joint": "crank_turn", "follows": "slew"},'
        '{"name": "b", "joint": "slew", "follows": "lift"},'
        '{"name": "c", "joint": "lift", "follows": "crank_turn"',
        errors.ValueRangeError,
        "repeaters[1].follows",
        ("follows itself",),
    ),
    Broken(
        "joint that two motors drive",
        '"motors": [\n    {',
        '"motors": [\n    {"name": "other", "joint": "drum_turn"},\n    {',
        errors.DuplicateNameError,
        "motors[1].joint",
        ("joint 'drum_turn' is driven by motor 'other' already",),
        at='{"name": "winch"',
    ),
    Broken(
        "joint that follows two",
        '{"name": "gear", "joint": "crank_turn", "follows": "slew"',
        '{"name": "a", "joint": "crank_turn", "follows": "lift"},'
        '{"name": "b", "joint": "crank_turn", "follows": "slew"',
        errors.DuplicateNameError,
        "repeaters[1].joint",
        ("joint 'crank_turn' follows 'lift' already",),
    ),
    # -- the authors' dialects
    Broken(
        "demo: colour out of range",
        "[180, 90, 20]",
        "[180, 90, 256]",
        errors.ValueRangeError,
        "links[1].visual.material.color",
        ("found [180, 90, 256], expected 0 to 255 each",),
        base=DEMO,
    ),
    Broken(
        "demo: unknown parent",
        '"parent": "base_link"',
        '"parent": "basis"',
        errors.NameUnknownError,
        "joints[0].parent",
        ("'joint_base_ground' names 'basis', which is no link",),
        base=DEMO,
    ),
    Broken(
        "demo: shape of a tube",
        '"geometry": {"type": "cylinder", "r1": 0.16, "r2": 0.16, "h": 1.7}',
        '"geometry": {"type": "cylinder", "r1": -0.16, "r2": 0.16, "h": 1.7}',
        errors.ValueRangeError,
        "actuators[0].tube_visual.geometry.r1",
        ("found -0.16, expected more than 0",),
        base=DEMO,
    ),
    Broken(
        "demo: misspelt visual",
        '"tube_visual": {',
        '"tube_visuals": {',
        errors.UnknownFieldError,
        "actuators[0].tube_visuals",
        ("unknown field 'tube_visuals'", "did you mean 'tube_visual'?"),
        base=DEMO,
    ),
    Broken(
        "demo: type of an actuator",
        '"type": "actuator"',
        '"type": "motor"',
        errors.ValueRangeError,
        "actuators[0].type",
        ("found 'motor', expected 'actuator'",),
        base=DEMO,
    ),
    Broken(
        "demo: limit of an actuator",
        '"limit": {"lower": 1.95, "upper": 2.95}',
        '"limit": {"lower": 2.95, "upper": 1.95}',
        errors.BoundsError,
        "actuators[0].limit",
        ("lower 2.95 above upper 1.95",),
        base=DEMO,
    ),
    Broken(
        "demo: actuator without a limit",
        '"limit": {"lower": 1.95, "upper": 2.95},\n',
        "\n",
        errors.MissingFieldError,
        "actuators[0].bound",
        ("the field 'bound' (or 'limit') is missing",),
        at='{\n      "name": "leg_front_1"',
        base=DEMO,
    ),
    Broken(
        "demo: limit of a joint that is a word",
        '"limit": {"lower": 0, "upper": 3.14}',
        '"limit": "none"',
        errors.WrongTypeError,
        "joints[1].limit",
        ("found 'none', expected an object",),
        base=DEMO,
    ),
    Broken(
        "paper: mount on another link",
        '"tube_parent": "base"',
        '"tube_parent": "shield"',
        errors.NameUnknownError,
        "actuators[0].tube_parent",
        ("found 'shield', but joint 'mount_tube0' mounts the tube on 'base'",),
        base=PAPER,
    ),
    Broken(
        "paper: mount that is missing",
        MOUNT,
        "",
        errors.MissingFieldError,
        "actuators[2].rod_offset",
        ("the field 'rod_offset' is missing", "mount the rod by a joint"),
        at='{\n      "name": "actuator_shield_canopy"',
        base=PAPER,
    ),
    Broken(
        "paper: mount that cannot turn",
        '"child": "tube0",\n      "type": "revolute"',
        '"child": "tube0",\n      "type": "fixed"',
        errors.ValueRangeError,
        "joints[6].type",
        ("found 'fixed' for the mount of a tube, expected one of revolute",),
        at='"type": "fixed"',
        base=PAPER,
    ),
    Broken(
        "paper: mount with an axis of zero length",
        '"origin_translation": [2.05, 0.30, 0.5],\n      "origin_orientation": [0, 0, 0],\n'
        '      "axis": [0, 0, 1]',
        '"origin_translation": [2.05, 0.30, 0.5],\n      "origin_orientation": [0, 0, 0],\n'
        '      "axis": [0, 0, 0.0]',
        errors.AxisError,
        "joints[6].axis",
        ("without length",),
        at='"axis": [0, 0, 0.0]',
        base=PAPER,
    ),
    Broken(
        "paper: mount with an unknown field",
        '"origin_translation": [2.05, 0.30, 0.5]',
        '"origin_translatoin": [2.05, 0.30, 0.5]',
        errors.UnknownFieldError,
        "joints[6].origin_translatoin",
        ("unknown field", "did you mean 'origin_translation'?"),
        base=PAPER,
    ),
]

# What is not JSON at all: no place, but a line
NOT_JSON = {
    "an empty file": (b"", 1, "the file is empty"),
    "nothing but a comment": (b"// nothing\n", 2, "the file is empty"),
    "a file cut off": (TEXTS[CRANE][:1500].encode(), 46, "at the end of the file"),
    "a file cut off in a name": (TEXTS[CRANE][:60].encode(), 1, "the file is empty"),
    "garbage": (b"The quick brown fox", 1, "expected a value, near 'The quick"),
    "binary": (bytes(range(200)), 2, "expected text in UTF-8"),
    "zeros": (bytes(100), 1, "expected a value, near"),
    "Latin-1": (b'{\n"name": "Stra\xdfe"}', 2, "found byte 0xdf, expected text in UTF-8"),
    "UTF-16": (TEXTS[CRANE].encode("utf-16"), 1, "it looks like UTF-16"),
    "an open string": (b'{\n"name": "crane,\n"links": []}', 2, 'line, after \'"name": "crane,\''),
    "a tab in a string": (b'{"name": "a\tb"}', 1, "a control character in a string, near"),
    "an open string at the end": (b'{"name": "crane', 1, "a string is not closed"),
    "an open comment": (b'{"name": "crane"\n/* here', 2, "a comment is not closed, near '/* here'"),
    "a key without quotes": (b'{\n\n  name: "crane"}', 3, "a key in double quotes, near 'name"),
    "single quotes": (b"{'name': 1}", 1, "expected a key in double quotes"),
    "a missing comma": (b'{"name": "a"\n"links": []}', 2, "expected ',' or a closing bracket"),
    "a missing colon": (b'{"name" "a"}', 1, "expected ':' after a key"),
    "two commas": (b'{"links": [1,,\n2]}', 1, "expected a value, near ','"),
    "a lone comma": (b'{"links": [,]}', 1, "expected a value, near ',]"),
    "a number that begins with a dot": (b'{"x": .5}', 1, "expected a value, near '.5"),
    "a backslash": (b'{"path": "a\\b\\c.stl"}', 1, "backslash that escapes nothing"),
    "two machines": (b"{}\n{}", 2, "more text after the end of the machine, near '{}'"),
    "YAML": (b"name: crane\nlinks: []\n", 1, "expected a value, near 'name"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("machines")
    shutil.copytree(FIXTURES / "meshes", path / "meshes")
    return path


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "broken.json"
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    path.write_bytes(data)
    return path


def loaded_problems(path: Path, kind: type[Exception]) -> list[errors.Problem]:
    with pytest.raises(errors.MachineFileError) as caught:
        headframe.load(path)
    assert type(caught.value) is kind, caught.value
    assert isinstance(caught.value, headframe.HeadframeError)
    assert path.name in str(caught.value)
    return list(caught.value.problems)


def checked(path: Path) -> str:
    """What `headframe check` prints about a file with something wrong in it."""
    result = CliRunner().invoke(app, ["check", str(path)])
    assert result.exit_code == 1, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result.output


def test_there_are_enough_broken_files():
    names = [broken.name for broken in BROKEN] + list(NOT_JSON)
    assert len(set(names)) == len(names) > 100


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: broken.name)
def test_a_broken_file_is_named(broken, folder):
    path = write(folder, broken.text)
    problems = loaded_problems(path, broken.kind)
    assert [str(problem) for problem in problems[1:]] == [], "one mistake is one problem"
    assert problems[0].kind is broken.kind
    assert problems[0].place == broken.place
    assert problems[0].line == broken.line
    for word in broken.words:
        assert word in str(problems[0])
    printed = checked(path)
    assert f"{path}: {problems[0]}\n" in printed
    assert f"{path}: 1 problem\n" in printed


@pytest.mark.parametrize("name", NOT_JSON)
def test_what_is_not_json(name, folder):
    data, line, words = NOT_JSON[name]
    path = write(folder, data)
    (problem,) = loaded_problems(path, errors.NotJsonError)
    assert problem.message.startswith("not JSON: ")
    assert words in str(problem)
    assert problem.line == line
    assert words in checked(path)


@pytest.mark.parametrize(
    ("text", "found"), [("[]", "[]"), ("3", "3"), ('"crane"', "'crane'"), ("null", "null")]
)
def test_json_that_is_no_object(text, found, folder):
    (problem,) = loaded_problems(write(folder, text), errors.WrongTypeError)
    assert str(problem) == f"file: found {found}, expected an object"


@pytest.mark.parametrize("links", ['"links": 3,', ""])
def test_a_machine_without_links(links, folder):
    text = '{"mrdf": "1", "name": "a", LINKS "joints": [], "actuators": []}'
    kind = errors.WrongTypeError if links else errors.MissingFieldError
    (problem,) = loaded_problems(write(folder, text.replace("LINKS", links)), kind)
    assert problem.place == "links"


@pytest.mark.parametrize("name", ["a", "b"])
def test_machines_without_a_root(name, folder):
    joint = '{"name": "j%s", "parent": "%s", "child": "%s", "type": "fixed"}'
    ring = ",".join(joint % (k, k, "abc"[("abc".index(k) + 1) % 3]) for k in "abc")
    links = '{"name": "a"}, {"name": "b"}, {"name": "c"}' if name == "a" else ""
    text = f'{{"mrdf": "1", "name": "x", "links": [{links}], "joints": [{ring if links else ""}]}}'
    (problem,) = loaded_problems(write(folder, text), errors.DisconnectedError)
    assert "no root" in problem.message if links else "expected at least one" in problem.message


# -- limits ----------------------------------------------------------------------------


def test_a_file_beyond_64_mib(folder):
    path = folder / "large.json"
    with path.open("wb") as file:
        file.truncate(64 * 2**20 + 1)  # sparse: takes no room
    (problem,) = loaded_problems(path, errors.FileTooLargeError)
    assert "expected at most 64 MiB" in problem.message
    assert "expected at most 64 MiB" in checked(path)


def test_a_file_that_never_ends():
    path = Path("/dev/zero")
    if not path.exists():
        pytest.skip("no /dev/zero here")
    loaded_problems(path, errors.NotReadableError)


@pytest.mark.parametrize("depth", [65, 1000, 200_000])
@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}"), ("[ // comment\n", ",]")])
def test_nesting_beyond_64(depth, brackets, folder):
    opening, closing = brackets
    text = '{\n"name": ' + opening * (depth - 1) + "1" + closing * (depth - 1) + "}"
    path = write(folder, text)
    (problem,) = loaded_problems(path, errors.NestingError)
    assert "expected 64 at most" in problem.message
    assert problem.line == (65 if "\n" in opening else 2)
    assert "deeper than 64 levels" in checked(path)


def test_nesting_of_64_is_only_a_wrong_type(folder):
    text = '{"mrdf": "1", "links": [{"name": "a"}], "name": ' + "[" * 63 + "]" * 63 + "}"
    loaded_problems(write(folder, text), errors.WrongTypeError)


@pytest.mark.parametrize(
    "content",
    [
        '"links": [' + ",".join(['{"name": "a"}'] * (MOST_ELEMENTS + 1)) + "]",
        '"links": [{"name": "a", "visual": [' + ",".join(["1"] * MOST_ELEMENTS) + "]}]",
        '"links": [], "provenance": [' + ",".join(["1"] * (MOST_ELEMENTS + 1)) + "]",
        '"links": [], "actuators": [{"redundants": [' + ",".join(["1"] * MOST_ELEMENTS) + "]}]",
        '"links": [], "x": [' + ",".join(["1"] * (30 * MOST_ELEMENTS + 2)) + "]",
    ],
    ids=["links", "shapes", "provenance", "partners", "anything"],
)
def test_more_than_100_000_elements(content, folder):
    path = write(folder, '{"mrdf": "1", "name": "a", ' + content + "}")
    (problem,) = loaded_problems(path, errors.TooManyElementsError)
    assert "expected at most 100,000" in problem.message
    assert "expected at most 100,000" in checked(path)


# -- files and folders -----------------------------------------------------------------


def test_a_folder_is_no_machine(folder):
    (problem,) = loaded_problems(folder, errors.NotReadableError)
    assert "cannot be read: is a directory" in problem.message


def test_a_file_that_is_not_there(folder):
    for name in (folder / "missing.json", "roadheadr"):
        with pytest.raises(errors.UnknownMachineError):
            headframe.load(name)
    assert "there is no such file" in checked(folder / "missing.json")
    assert "did you mean 'roadheader'?" in checked(Path("roadheadr"))


def test_meshes_behind_symbolic_links(folder, tmp_path):
    (tmp_path / "secret.obj").write_text("v 0 0 0\n")
    (folder / "meshes" / "out.obj").symlink_to(tmp_path / "secret.obj")
    (folder / "meshes" / "up").symlink_to(tmp_path, target_is_directory=True)
    (folder / "meshes" / "ring.obj").symlink_to(folder / "meshes" / "ring.obj")
    for name in ("out.obj", "up/secret.obj", "ring.obj"):
        text = TEXTS[CRANE].replace("meshes/wedge.obj", f"meshes/{name}")
        path = write(folder, text)
        (problem,) = loaded_problems(path, errors.MeshError)
        assert problem.place == "links[0].visual[1].geometry.path"
        assert name in checked(path)


def test_a_mesh_beyond_64_mib(folder):
    with (folder / "meshes" / "large.stl").open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    path = write(folder, TEXTS[CRANE].replace("wedge.obj", "large.stl"))
    (problem,) = loaded_problems(path, errors.FileTooLargeError)
    assert "expected at most 64 MiB" in problem.message


# -- several defects, and none ---------------------------------------------------------


def test_all_defects_of_a_file_are_listed_at_once(folder):
    edits = {
        '"class": "loader"': '"clas": "loader"',
        '"slew": 0.1': '"slow": 0.1',
        MASS: '"mass": -900, "com": [1, 2, 3]',
        MESH: '"path": "../up.stl"',
        DRUM: DRUM + ' {"name": "wheel"},',
        '"damping": 20.0': '"dampin": 20.0',
        '"axis": [0, -1, 0]': '"axis": [0, 0, 0], "limit": {"lower": 1, "upper": -1}',
        '"parent": "mast", "child": "cap"': '"parent": "mast", "child": "cap", "friction": "no"',
        LOWER: '"lower": NaN,\n        "upper": 1.9',
        '["right"]': '["right", "middle"]',
        '"stiffness": 4.0e4,': "",
        MOTOR: '"joint": "drum_trun", "torque"',
        GEAR: '"joint": "rocker_heel", "follows": "slew"',
    }
    text = TEXTS[CRANE]
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new, 1)
    path = write(folder, text)
    problems = loaded_problems(path, errors.UnknownFieldError)

    def line(word: str) -> int:
        return text.count("\n", 0, text.index(word)) + 1

    expected = [
        ("clas", line('"clas"'), errors.UnknownFieldError),
        ("home.joints.slow", line('"slow"'), errors.NameUnknownError),
        ("links[0].visual[1].geometry.path", line("../up.stl"), errors.MeshError),
        ("links[0].inertial.mass", line("-900"), errors.MassError),
        ("links[0].inertial.com", line("-900") + 1, errors.DuplicateNameError),
        ("links[6]", line("wheel"), errors.DisconnectedError),
        ("joints[0].dampin", line("dampin"), errors.UnknownFieldError),
        ("joints[1].limit", line('"upper": -1}'), errors.BoundsError),
        ("joints[1].axis", line("[0, 0, 0]"), errors.AxisError),
        ("joints[2].friction", line('"no"'), errors.WrongTypeError),
        ("actuators[0].bound.lower", line("NaN"), errors.NotFiniteError),
        ("actuators[0].redundants[1]", line("middle"), errors.NameUnknownError),
        ("springs[0].stiffness", line('"name": "buffer"') - 1, errors.MissingFieldError),
        ("motors[0].joint", line("drum_trun"), errors.NameUnknownError),
        ("repeaters[0].joint", line('"name": "gear"'), errors.ValueRangeError),
    ]
    found = [(problem.place, problem.line, problem.kind) for problem in problems]
    assert found == expected
    printed = checked(path)
    assert all(f"{path}: {problem}\n" in printed for problem in problems)
    assert f"{path}: {len(expected)} problems\n" in printed


def test_mistakes_do_not_follow_from_each_other():
    """An unsound element is not also missing to those that name it."""
    text = TEXTS[CRANE].replace('"name": "left"', '"name": "left", "speeed": 1')
    text = text.replace('"bound": {"lower": 1.1, "upper": 1.9}', '"bound": 7')
    text = text.replace('"name": "base",', '"name": "base", "orientation": [0, 0],')
    text = text.replace('"axis": [0, -1, 0]', '"axis": [0, "x", 0]')
    places = [problem.place for problem in read_text(text, FIXTURES).problems]
    assert places == [
        "links[0].orientation",
        "joints[1].axis[1]",
        "actuators[0].speeed",
        "actuators[1].bound",
    ]


def test_many_unknown_fields_are_counted():
    many = ", ".join(f'"k{i}": 1' for i in range(500))
    text = '{"mrdf": "1", "name": "a", "links": [{"name": "b", ' + many + "}]}"
    problems = read_text(text).problems
    assert len(problems) == 101
    assert any("400 more" in problem.message for problem in problems)


@pytest.mark.parametrize("name", TEXTS)
def test_the_good_files_are_good(name):
    result = CliRunner().invoke(app, ["check", str(FIXTURES / f"{name}.json")])
    assert result.exit_code == 0
    (summary,) = (line for line in result.output.splitlines() if ": note: " not in line)
    assert " links, " in summary
    assert " joints, " in summary
    assert " actuators" in summary


@pytest.mark.parametrize("name", ["", "[key]", "float", "geometry", "a b"])
def test_odd_names_in_home(name):
    text = TEXTS[CRANE].replace('"lift": 0.3', f'"{name}": "x"')
    problems = read_text(text, FIXTURES).problems
    assert all("home.joints" in problem.place for problem in problems)
    assert any("found 'x', expected a number" in problem.message for problem in problems)
