"""Reading MJCF: what it means in MRDF, what is said of what is not understood, and bad files."""

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headframe.description.mjcf import parse_mjcf
from headframe.description.mjcf.inertia import hull, of_mesh, primitive
from headframe.description.packages import Library
from headframe.description.reading import read_bytes, read_file
from headframe.errors import (
    BoundsError,
    DuplicateNameError,
    MeshError,
    MissingFieldError,
    NameUnknownError,
    NestingError,
    NotFiniteError,
    NotReadableError,
    NotXmlError,
    TooManyElementsError,
    ValueRangeError,
    WrongTypeError,
)
from headframe.machine import Machine

ARM = """<mujoco model="arm">
  <compiler angle="radian"/>
  <worldbody>
    <body name="base">
      <geom type="box" size="0.1 0.1 0.1"/>
      <body name="upper" pos="0 0 1">
        <joint name="lift" axis="0 1 0" range="-1 2"/>
        <geom type="capsule" size="0.1 0.2"/>
        <body name="lower" pos="1 0 0">
          <joint name="bend" axis="0 1 0"/>
          <geom size="0.1"/>
        </body>
      </body>
    </body>
  </worldbody>
  <equality/>
</mujoco>
"""


def changed(old, new):
    assert old in ARM
    return ARM.replace(old, new, 1)


def parsed(text, **more):
    """Raw machine and notes of a file without problems."""
    found = parse_mjcf(text.encode(), **more)
    assert found.problems == []
    return found.machine, found.notes


def problems_of(text):
    found = parse_mjcf(text.encode())
    assert found.problems
    return found.problems


def element(machine, key, name):
    return next(one for one in machine[key] if one["name"] == name)


# -- what it means ------------------------------------------------------------------------


def test_bodies_are_links_and_joints_are_joints():
    machine, _ = parsed(ARM)
    assert [link["name"] for link in machine["links"]] == ["base", "upper", "lower"]
    lift, bend = machine["joints"]
    assert (lift["name"], lift["parent"], lift["child"]) == ("lift", "base", "upper")
    assert lift["type"] == "revolute"
    assert lift["limit"] == {"lower": -1.0, "upper": 2.0}
    assert lift["origin_translation"] == [0.0, 0.0, 1.0]
    assert bend["type"] == "continuous"
    assert "limit" not in bend
    assert machine["name"] == "arm"


def test_a_machine_comes_of_it_by_any_way(tmp_path):
    for name in ("arm.xml", "arm.mjcf"):
        (tmp_path / name).write_text("<!-- by hand: <robot> -->\n" + ARM)
        reading = read_file(tmp_path / name)
        assert reading.problems == []
        assert Machine(reading.robot).home.pose("lower")[:3, 3] == pytest.approx([1, 0, 1])
    assert read_bytes(ARM.encode()).robot is not None


def test_several_joints_of_a_body_have_links_between_them():
    joints = (
        '<joint name="lift" type="slide"/><joint name="turn"/><joint name="lean" axis="1 0 0"/>'
    )
    machine, _ = parsed(changed('<joint name="lift" axis="0 1 0" range="-1 2"/>', joints))
    chain = [(joint["name"], joint["parent"], joint["child"]) for joint in machine["joints"][:3]]
    assert chain == [
        ("lift", "base", "lift"), ("turn", "lift", "turn"), ("lean", "turn", "upper"),
    ]  # fmt: skip
    assert "inertial" not in element(machine, "links", "lift")
    assert "inertial" in element(machine, "links", "upper")


def test_such_a_body_moves_under_forces():
    from headframe.sim import Simulation

    joints = (
        '<joint name="lift" type="slide"/><joint name="turn"/><joint name="lean" axis="1 0 0"/>'
    )
    text = changed('<joint name="lift" axis="0 1 0" range="-1 2"/>', joints)
    sim = Simulation(Machine(read_bytes(text.encode()).robot))
    sim.run(0.1)
    assert sim.pose("upper")[2, 3] == pytest.approx(1 - 9.81 * 0.1**2 / 2, abs=1e-6)


def test_the_world_is_a_link_only_where_it_is_needed():
    machine, _ = parsed(changed('<body name="base">', '<body name="base" pos="1 2 3">'))
    assert machine["links"][0]["name"] == "base"
    assert machine["links"][0]["translation"] == [1.0, 2.0, 3.0]
    free = changed('<body name="base">', '<body name="base" pos="1 2 3"><freejoint name="f"/>')
    machine, _ = parsed(free)
    assert machine["links"][0]["name"] == "world"
    assert machine["home"]["joints"]["f"] == [1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]
    machine, _ = parsed(
        changed("<equality/>", '<equality><connect body1="lower" anchor="0 0 0"/></equality>')
    )
    assert machine["links"][0]["name"] == "world"


def test_refs_are_positions_where_the_bodies_stand():
    machine, _ = parsed(changed('range="-1 2"', 'range="-1 2" ref="0.5"'))
    assert machine["home"]["joints"] == {"lift": 0.5, "bend": 0.0}
    state = Machine(read_bytes(changed('range="-1 2"', 'ref="0.5"').encode()).robot).home
    assert state.pose("lower")[:3, 3] == pytest.approx([1.0, 0.0, 1.0])
    # where nothing is said of a home, a position outside of the range is not taken for one
    machine, _ = parsed(changed('range="-1 2"', 'range="1 2" ref="0.5"'))
    assert machine["home"]["joints"] == {"bend": 0.0}


LOOP = changed("<equality/>", '<equality><connect body1="lower" anchor="0 0 0"/></equality>')


@pytest.mark.parametrize(
    ("held", "kind"),
    [
        ('<connect body1="lower" anchor="1 0 0"/>', "revolute"),  # all hinges along y
        (
            '<connect body1="lower" anchor="1 0 0"/><connect body1="lower" anchor="1 1 0"/>',
            "revolute",
        ),
        (
            '<connect body1="lower" anchor="1 0 0"/><connect body1="lower" anchor="1 0 0"/>',
            "revolute",
        ),
        (
            '<connect body1="lower" anchor="1 0 0"/><connect body1="lower" anchor="1 1 0"/>'
            '<connect body1="lower" anchor="2 0 0"/>',
            "fixed",
        ),
        ('<weld body1="lower"/>', "fixed"),
    ],
)
def test_connects_between_two_bodies_are_one_pivot(held, kind):
    machine, _ = parsed(changed("<equality/>", f"<equality>{held}</equality>"))
    closing = machine["joints"][-2:]
    assert [joint["type"] for joint in closing] == [kind, kind]
    assert [joint["parent"] for joint in closing] == ["lower", "world"]
    if kind == "revolute":
        robot = read_bytes(changed("<equality/>", f"<equality>{held}</equality>").encode()).robot
        for joint in robot.joints[-2:]:
            axis = joint.origin[:3, :3] @ np.array(joint.axis)
            assert np.abs(axis) == pytest.approx([0, 1, 0])


def test_connects_that_name_the_bodies_in_either_order_are_one_pin():
    """The second names them the other way round: its anchor is a point of the other body."""
    held = (
        '<connect body1="lower" body2="base" anchor="1 0 0"/>'
        '<connect body1="base" body2="lower" anchor="2 0.5 1"/>'
    )
    text = changed("<equality/>", f"<equality>{held}</equality>")
    robot = read_bytes(text.encode()).robot
    on_lower, on_base = robot.joints[-2:]
    assert (on_lower.parent, on_base.parent) == ("lower", "base")
    np.testing.assert_allclose(on_lower.origin_translation, [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(on_base.origin_translation, [2, 0, 1], atol=1e-12)
    for joint in (on_lower, on_base):
        assert joint.type == "revolute"
        axis = joint.origin[:3, :3] @ np.array(joint.axis)
        np.testing.assert_allclose(np.abs(axis), [0, 1, 0], atol=1e-12)


def test_a_chain_of_followers_is_at_home_where_its_leader_takes_it():
    """The file has the last follower first; the keyframe has only the leader right."""
    more = '<body name="tip" pos="0 0 1"><joint name="tip" axis="0 1 0"/><geom size="0.1"/></body>'
    text = changed('<geom size="0.1"/>', f'<geom size="0.1"/>{more}').replace(
        "<equality/>",
        '<equality><joint joint1="tip" joint2="bend" polycoef="0.2 3"/>'
        '<joint joint1="bend" joint2="lift" polycoef="0.1 -2"/></equality>'
        '<keyframe><key name="home" qpos="0.3 0 0"/></keyframe>',
    )
    home = parsed(text)[0]["home"]["joints"]
    assert home["lift"] == 0.3
    assert home["bend"] == pytest.approx(0.1 - 2 * 0.3)
    assert home["tip"] == pytest.approx(0.2 + 3 * (0.1 - 2 * 0.3))


@pytest.mark.parametrize(
    ("more", "on_lower"),
    [("", [-1, 0, -1]), ('relpose="-1 0.1 -1 1 0 0 0"', [-1, 0.1, -1])],
)
def test_a_weld_holds_bodies_as_they_stand_or_as_it_says(more, on_lower):
    """The pose of the second body in the first."""
    held = f'<weld body1="lower" body2="base" {more}/>'
    text = changed("<equality/>", f"<equality>{held}</equality>")
    first, second = read_bytes(text.encode()).robot.joints[-2:]
    assert (first.parent, second.parent, first.type) == ("lower", "base", "fixed")
    np.testing.assert_allclose(first.origin_translation, on_lower, atol=1e-12)
    np.testing.assert_allclose(second.origin_translation, [0, 0, 0], atol=1e-12)


def test_a_total_mass_is_that_of_what_moves():
    """What belongs to the world itself does not count, as in MuJoCo."""
    text = changed('angle="radian"', 'angle="radian" settotalmass="10"').replace(
        "<worldbody>", '<worldbody><geom type="box" size="1 1 1"/>'
    )
    masses = {
        link["name"]: link["inertial"]["mass"]
        for link in parsed(text)[0]["links"]
        if "inertial" in link and link["name"] != "world"
    }
    assert sum(masses.values()) == pytest.approx(10.0)


def test_a_connect_of_a_spatial_loop_is_a_ball():
    text = LOOP.replace('name="bend" axis="0 1 0"', 'name="bend" axis="0 1 1"')
    machine, _ = parsed(text)
    assert machine["joints"][-1]["type"] == "spherical"


def test_a_connect_beside_a_joint_holds_a_link_of_its_own():
    held = '<equality><connect name="p" body1="lower" body2="upper" anchor="1 0 0"/></equality>'
    text = changed("<equality/>", held)
    machine, _ = parsed(text)
    assert machine["joints"][-3]["type"] == "fixed"
    assert machine["joints"][-3]["parent"] == "lower"
    assert read_bytes(text.encode()).problems == []


def test_linear_equalities_of_joints_are_repeaters():
    text = (
        changed(
            "<equality/>",
            '<equality><joint name="f" joint1="bend" joint2="lift" polycoef="0.1 -2"/></equality>',
        )
        .replace('range="-1 2"', 'range="-1 2" ref="0.5"')
        .replace('name="bend"', 'name="bend" ref="3"')
    )
    machine, _ = parsed(text)
    (repeater,) = machine["repeaters"]
    assert (repeater["joint"], repeater["follows"]) == ("bend", "lift")
    assert repeater["ratio"] == -2.0
    assert repeater["offset"] == pytest.approx(3 + 0.1 + 2 * 0.5)  # y - y0 = c0 + c1 (x - x0)
    assert machine["home"]["joints"]["bend"] == pytest.approx(3.1)
    assert "lift" not in {motor["joint"] for motor in machine["motors"]} - {"lift"}
    assert "bend" not in {motor["joint"] for motor in machine["motors"]}


ACTUATORS = [
    ('<motor joint="lift" ctrlrange="-3 2" gear="4"/>', {"max_torque": 12.0}),
    ('<motor joint="lift" gear="4" forcerange="-5 5" ctrlrange="-9 9"/>', {"max_torque": 20.0}),
    ('<position joint="lift" ctrlrange="-1 1" forcerange="-7 7" kp="9"/>', {"max_torque": 7.0}),
    ('<position joint="lift" ctrlrange="-1 1"/>', {}),
    ('<velocity joint="lift" ctrlrange="-2 2" gear="4"/>', {"max_speed": 0.5}),
    ('<general joint="lift" ctrlrange="-2 2" gainprm="10"/>', {"max_torque": 20.0}),
    ('<general joint="lift" ctrlrange="-2 2" gainprm="10" biastype="affine"/>', {}),
    ('<general joint="lift" forcelimited="false" forcerange="-1 1"/>', {}),
]


@pytest.mark.parametrize(("actuator", "ratings"), ACTUATORS)
def test_actuators_of_joints_are_motors(actuator, ratings):
    named = actuator.replace(" ", ' name="m" ', 1)
    text = changed("<equality/>", f"<actuator>{named}</actuator>")
    machine, _ = parsed(text)
    assert machine["motors"] == [{"name": "m", "joint": "lift", "servo": True, **ratings}]


def test_a_file_without_actuators_gets_motors():
    machine, notes = parsed(ARM)
    assert [motor["joint"] for motor in machine["motors"]] == ["lift", "bend"]
    assert "no actuators: joints that turn or slide are given motors" in notes
    machine, _ = parsed(LOOP)  # some joints of a loop are passive: nobody can tell which
    assert "motors" not in machine


def test_armature_is_kept():
    """Of joints, by their classes; of actuators, times the gear squared; none of a freejoint."""
    text = changed('<joint name="lift" axis="0 1 0" range="-1 2"/>', '<joint name="lift"/>')
    text = text.replace('<joint name="bend" ', '<joint name="bend" armature="0.5" ')
    text = text.replace('<body name="base">', '<body name="base"><freejoint name="f"/>')
    machine, notes = parsed(
        text.replace("<worldbody>", '<default><joint armature="0.25"/></default><worldbody>')
    )
    found = {j["name"]: j.get("armature", 0.0) for j in machine["joints"]}
    assert found == {"lift": 0.25, "bend": 0.5, "f": 0.0}
    assert not any("armature" in note for note in notes)
    driven = (
        '<actuator><motor joint="bend" gear="-3" armature="0.1"/>'
        '<position joint="bend" armature="2"/><motor joint="lift"/></actuator>'
    )
    machine, _ = parsed(text.replace("<equality/>", driven))
    found = {j["name"]: j.get("armature", 0.0) for j in machine["joints"]}
    assert found == pytest.approx({"lift": 0.0, "bend": 0.5 + 9 * 0.1 + 2.0, "f": 0.0})


def test_tendons_between_two_sites_are_springs():
    text = changed('<joint name="bend"', '<site name="s" pos="0 0 1"/><joint name="bend"').replace(
        '<geom type="box"', '<site name="t" pos="1 0 0"/><geom type="box"'
    )
    tendon = '<tendon><spatial stiffness="5" damping="2">{}</spatial></tendon>'
    ends = '<site site="s"/><site site="t"/>'
    machine, _ = parsed(text.replace("<equality/>", tendon.format(ends)))
    (spring,) = machine["springs"]
    assert (spring["link_a"], spring["point_a"]) == ("lower", [0.0, 0.0, 1.0])
    assert spring["rest_length"] == pytest.approx(2.0)  # as long as it is in the file
    heavy = tendon.replace("stiffness", 'name="t" armature="3" stiffness')
    _, notes = parsed(text.replace("<equality/>", heavy.format(ends)))
    assert "spatial 't': armature (inertia along the tendon) is not kept" in notes
    machine, notes = parsed(
        text.replace("<equality/>", tendon.format(ends + '<pulley divisor="2"/>'))
    )
    assert "springs" not in machine
    assert "spatial: the tendon is not understood and left out" in notes


def test_what_is_seen_and_what_is_touched():
    geoms = (
        '<geom class="v" type="box" size="1 2 3" rgba="1 0 0 1"/>'
        '<geom class="c" size="0.5" material="blue"/><geom name="both" size="0.25"/>'
    )
    text = changed('<geom type="box" size="0.1 0.1 0.1"/>', geoms).replace(
        "<worldbody>",
        '<default><default class="v"><geom contype="0" conaffinity="0" group="2"/></default>'
        '<default class="c"><geom group="3"/></default></default>'
        '<asset><material name="blue" rgba="0 0 1 1"/></asset><worldbody>',
    )
    machine, _ = parsed(text)
    base = machine["links"][0]
    assert [s["geometry"]["type"] for s in base["visual"]] == ["box", "sphere"]
    assert base["visual"][0]["geometry"] == {"type": "box", "x": 2.0, "y": 4.0, "z": 6.0}
    assert base["visual"][0]["material"] == {"color": [1.0, 0.0, 0.0, 1.0]}
    assert [s["geometry"]["r"] for s in base["collision"]] == [0.5, 0.25]
    assert base["collision"][0]["material"] == {"color": [0.0, 0.0, 1.0, 1.0]}
    assert base["visual"][1]["name"] == "both"


def test_where_nothing_is_seen_collision_shapes_are():
    machine, _ = parsed(ARM.replace("<geom ", '<geom group="3" '))
    assert all("visual" in link for link in machine["links"])


def test_gravity_says_what_is_up():
    machine, _ = parsed(changed("<worldbody>", '<option gravity="0 -9.81 0"/><worldbody>'))
    assert machine["up_axis"] == "y"
    _, notes = parsed(changed("<worldbody>", '<option gravity="1 0 0"/><worldbody>'))
    assert any("gravity 1 0 0 is not kept" in note for note in notes)


def test_keyframe_home_and_what_is_outside_of_it():
    def keyed(qpos):
        return changed("<equality/>", f'<keyframe><key name="home" qpos="{qpos}"/></keyframe>')

    machine, _ = parsed(keyed("1 -2"))
    assert machine["home"]["joints"] == {"lift": 1.0, "bend": -2.0}
    machine, notes = parsed(keyed("3 -2"))
    assert machine["home"]["joints"] == {"bend": -2.0}
    assert any(note.startswith("lift: the keyframe 'home' is outside") for note in notes)
    _, notes = parsed(keyed("1 2 3"))
    assert any("expected 2 numbers; it is not kept" in note for note in notes)


def test_a_home_with_open_loops_is_found_anew():
    text = LOOP.replace(
        "</equality>", '</equality><keyframe><key name="home" qpos="1 0.4"/></keyframe>'
    )
    machine, notes = parsed(text)
    assert "home" not in machine
    assert any("the loop is open by" in note for note in notes)
    assert Machine(read_bytes(text.encode()).robot).home is not None


# -- what is not understood is named --------------------------------------------------------

NAMED = [
    ('<joint name="bend"', '<replicate count="1000"><geom size="1"/></replicate><joint name="bend"',
     "body 'lower'/replicate: <replicate> is not understood; what it makes is left out"),
    ('<joint name="bend"', '<composite type="cable" count="9 1 1"/><joint name="bend"',
     "body 'lower'/composite: <composite> is not understood; what it makes is left out"),
    ('<joint name="bend"', '<flexcomp name="c"/><joint name="bend"',
     "body 'lower'/flexcomp: <flexcomp> is not understood; what it makes is left out"),
    ('<joint name="bend"', '<skeleton/><joint name="bend"',
     "body 'lower': <skeleton> is not understood and left out"),
    ("<equality/>", '<equality><joint joint1="bend" joint2="lift" polycoef="0 1 2"/></equality>',
     "joint: a polynomial that is not linear is not understood and left out"),
    ("<equality/>", '<equality><joint name="e" joint1="bend"/></equality>',
     "joint 'e': a joint that is held still is not understood and left out"),
    ("<equality/>", '<equality><tendon name="e"/></equality>',
     "tendon 'e': this constraint is not understood and left out"),
    ("<equality/>", '<equality><weld active="false" body1="lower"/></equality>',
     "weld: the constraint is not active, and is left out"),
    ("<equality/>", '<equality><weld body1="base"/></equality>',
     "weld: both ends lie on one body, or on bodies that do not move against each other; "
     "the constraint is left out"),
    ("<equality/>", '<actuator><muscle name="m" joint="lift"/></actuator>',
     "muscle 'm': actuators of the kind <muscle> are left out"),
    ("<equality/>", '<actuator><motor name="m" site="s"/></actuator>',
     "motor 'm': the actuator drives no joint, and is left out"),
    ("<equality/>", '<actuator><motor joint="lift"/><motor name="n" joint="lift"/></actuator>',
     "motor 'n': another actuator drives its joint; it is left out"),
    ('range="-1 2"', 'armature="-0.3"',
     "joint 'lift'@armature: found -0.3, expected at least 0; 0 is taken"),
    ('range="-1 2"', 'armature="1 2"',
     "joint 'lift'@armature: found '1 2', expected 1 number; 0 is taken"),
    ("<equality/>", '<actuator><motor name="m" joint="lift" armature="-1"/></actuator>',
     "motor 'm'@armature: found -1, expected at least 0; 0 is taken"),
    ('range="-1 2"', 'stiffness="3" springref="1"',
     "springs of joints (stiffness) are not kept: 1 joint, at most 3"),
    ('type="capsule" size="0.1 0.2"', 'type="ellipsoid" size="0.1 0.2 0.3"',
     "body 'upper'/geom: an ellipsoid is seen as a capsule along its longest axis"),
    ("<equality/>", "<sensor><gyro/><gyro/></sensor><visual/><contact><exclude/></contact>",
     "ignored: <contact/exclude> (1), <sensor> (2), <visual> (1)"),
    ("<equality/>", "<contact><pair/></contact>", "ignored: <contact/pair> (1)"),
    ('<geom type="box"', '<camera/><light/><geom type="plane" size="1 1 1"/><geom type="box"',
     "ignored: <camera> (1), <geom type=plane> (1), <light> (1)"),
    ('<body name="base">', '<body name="base" mocap="true">',
     "body 'base': the mocap body stands still"),
]  # fmt: skip


def test_bodies_that_are_excluded_from_contact():
    exclude = (
        '<contact><exclude body1="base" body2="upper"/><exclude body1="world" body2="x"/></contact>'
    )
    machine, notes = parsed(changed("<equality/>", exclude))
    assert machine["no_contact"] == [["base", "upper"]]
    assert any("<contact/exclude> (1)" in note for note in notes)


def test_points_in_the_file_are_a_hull():
    corners = "0 0 0  1 0 0  0 1 0  0 0 1  0.1 0.1 0.1"
    mesh = f'<asset><mesh name="m" vertex="{corners}" scale="2 1 1"/></asset><equality/>'
    text = changed("<equality/>", mesh).replace(
        'type="capsule" size="0.1 0.2"', 'type="mesh" mesh="m"'
    )
    machine, _ = parsed(text)
    shapes = [s["geometry"] for link in machine["links"] for s in link.get("visual", ())]
    (hull,) = (shape for shape in shapes if shape["type"] == "hull")
    assert sorted(map(tuple, hull["points"])) == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (2, 0, 0)]
    flat = text.replace("0 0 1  0.1 0.1 0.1", "1 1 0  0.1 0.1 0")
    machine, notes = parsed(flat)
    assert any("of points in a plane, or too many, a box is kept" in note for note in notes)


@pytest.mark.parametrize(("old", "new", "note"), NAMED)
def test_what_is_not_understood_is_named(old, new, note):
    _, notes = parsed(changed(old, new))
    assert note in notes


def test_followers_that_go_round_in_a_circle_or_follow_two():
    both = (
        '<joint name="a" joint1="bend" joint2="lift"/><joint name="b" joint1="lift" joint2="bend"/>'
    )
    machine, notes = parsed(changed("<equality/>", f"<equality>{both}</equality>"))
    assert len(machine["repeaters"]) == 1
    assert any("would follow itself" in note for note in notes)
    twice = (
        '<joint name="a" joint1="bend" joint2="lift"/><joint name="b" joint1="bend" joint2="lift"/>'
    )
    machine, notes = parsed(changed("<equality/>", f"<equality>{twice}</equality>"))
    assert len(machine["repeaters"]) == 1
    assert "b: its joint follows another already; the constraint is left out" in notes


# -- problems -------------------------------------------------------------------------------

BAD = [
    ('pos="0 0 1"', 'pos="0 0 nan"', NotFiniteError, "body 'upper'@pos", 6),
    ('pos="0 0 1"', 'pos="0 0"', WrongTypeError, "body 'upper'@pos", 6),
    ('pos="0 0 1"', 'quat="0 0 0 0"', ValueRangeError, "body 'upper'@quat", 6),
    ('pos="0 0 1"', 'xyaxes="1 0 0 2 0 0"', ValueRangeError, "body 'upper'@xyaxes", 6),
    ('pos="0 0 1"', 'quat="1 0 0 0" euler="0 0 0"', ValueRangeError, "body 'upper'", 6),
    ('pos="0 0 1"', 'childclass="nix"', NameUnknownError, "joint@childclass", 7),
    ('axis="0 1 0" range', 'axis="0 0 0" range', ValueRangeError, "joint 'lift'@axis", 7),
    ('axis="0 1 0" range', 'type="hing" range', ValueRangeError, "joint 'lift'@type", 7),
    ('range="-1 2"', 'range="2 -1"', BoundsError, "joint 'lift'@range", 7),
    ('range="-1 2"', 'range="2"', WrongTypeError, "joint 'lift'@range", 7),
    ('name="bend"', 'name="lift"', DuplicateNameError, "joint 'lift'@name", 10),
    ('<body name="lower"', '<body name="base"', DuplicateNameError, "body 'base'@name", 9),
    ('<joint name="bend" axis="0 1 0"/>', '<freejoint name="f"/>',
     ValueRangeError, "joint 'f'", 10),
    ('angle="radian"', 'angle="grad"', ValueRangeError, "compiler@angle", 2),
    ('angle="radian"', 'eulerseq="xyw"', ValueRangeError, "compiler@eulerseq", 2),
    ('angle="radian"', 'coordinate="global"', ValueRangeError, "compiler@coordinate", 2),
    ("<equality/>", '<equality><connect body1="lowr" anchor="0 0 0"/></equality>',
     NameUnknownError, "connect@body1", 16),
    ("<equality/>", '<equality><connect body1="lower"/></equality>',
     MissingFieldError, "connect@anchor", 16),
    ("<equality/>", '<equality><weld/></equality>', MissingFieldError, "weld@body1", 16),
    ("<equality/>", '<equality><joint joint1="x" joint2="lift"/></equality>',
     NameUnknownError, "joint@joint1", 16),
    ("<equality/>", '<actuator><motor joint="lft"/></actuator>',
     NameUnknownError, "motor@joint", 16),
    ("<equality/>", '<include/>', MissingFieldError, "include@file", 16),
    ("<equality/>", '<include file="a.xml"/>', NotReadableError, "include 'a.xml'", 16),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "kind", "place", "line"), BAD)
def test_problems_name_element_and_line(old, new, kind, place, line):
    problem = problems_of(changed(old, new))[0]
    assert (problem.kind, problem.place, problem.line) == (kind, place, line)


def test_all_problems_are_told_at_once_and_names_are_suggested():
    text = changed('pos="0 0 1"', 'pos="0 0 x"').replace('pos="1 0 0"', 'euler="1 2"')
    text = text.replace("<equality/>", '<actuator><motor joint="lft"/></actuator>')
    problems = problems_of(text)
    assert len(problems) == 3
    assert "lift" in problems[-1].hint


def test_no_body_is_a_problem():
    assert "found no body" in problems_of("<mujoco/>")[0].message


BOMB = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><mujoco model="&b;"/>'


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (BOMB, NotXmlError),
        ("<mujoco><worldbody>", NotXmlError),
        ("<mujoco>" + "<body>" * 600 + "</body>" * 600 + "</mujoco>", NestingError),
        ("<mujoco>" + "<a/>" * 100_001 + "</mujoco>", TooManyElementsError),
    ],
)
def test_hostile_xml(text, kind):
    reading = read_bytes(text.encode())
    assert reading.problems[0].kind is kind


def test_long_chains_are_read():
    """As deep as our own export writes them, and MuJoCo reads."""
    count = 450
    text = '<mujoco><compiler angle="radian"/><worldbody>'
    text += '<body pos="0 0 0.1"><joint/><geom size="0.1"/>' * count + "</body>" * count
    reading = read_bytes((text + "</worldbody></mujoco>").encode())
    assert len(reading.robot.joints) == count


MANY = [
    '<geom type="ellipsoid" size="1 2 3"/>',
    '<geom type="mesh" mesh="no"/>',
    '<joint type="slide" axis="1 0 0" armature="1"/>',
    '<site name="s"/>',
    '<replicate count="1000000"/>',
]


@pytest.mark.parametrize("inside", MANY)
def test_thousands_of_elements_take_seconds(inside):
    text = f'<mujoco><worldbody><body name="b">{inside * 10_000}</body></worldbody></mujoco>'
    start = time.perf_counter()
    parse_mjcf(text.encode())
    assert time.perf_counter() - start < 20.0  # squares of such numbers would take minutes


def test_thousands_of_constraints_take_seconds():
    text = "".join(f'<body><joint name="j{n}"/><geom size="1"/></body>' for n in range(4000))
    chain = "".join(f'<joint joint1="j{n + 1}" joint2="j{n}"/>' for n in range(3999))
    pins = '<connect body1="body 1" anchor="1 0 0"/>' * 4000
    start = time.perf_counter()
    parse_mjcf(
        f"<mujoco><worldbody>{text}</worldbody><equality>{chain}{pins}</equality></mujoco>".encode()
    )
    assert time.perf_counter() - start < 20.0


@given(st.integers(0, 10_000), st.text('<>/"=abc 0123456789.-\n', max_size=5))
def test_mutated_files_never_crash(position, piece):
    place = position % len(FULL)
    reading = read_bytes((FULL[:place] + piece + FULL[place + len(piece) :]).encode())
    assert reading.problems or reading.robot is not None


FULL = changed(
    "<equality/>",
    '<equality><connect body1="lower" anchor="1 0 0"/><joint joint1="bend" joint2="lift"/>'
    '</equality><actuator><motor joint="lift" gear="2"/></actuator>'
    '<keyframe><key name="home" qpos="0 0"/></keyframe>',
)


# -- other files ------------------------------------------------------------------------------


def include(folder, **files):
    for name, text in files.items():
        path = folder / f"{name}.xml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return read_file(folder / "main.xml")


MAIN = '<mujoco><include file="parts/a.xml"/></mujoco>'


def test_includes_in_includes(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.xml").write_text(
        '<x><worldbody><body name="a"><include file="b.xml"/></body></worldbody></x>'
    )
    (tmp_path / "parts" / "b.xml").write_text(
        '<y><body name="b"><joint name="j"/><geom size="1"/></body><geom size="2"/></y>'
    )
    reading = include(tmp_path, main=MAIN)
    assert reading.problems == []
    assert [link.name for link in reading.robot.links] == ["a", "b"]


def test_problems_of_included_files_name_them(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "a.xml").write_text(
        '<x>\n<worldbody>\n<body name="a" pos="1"/></worldbody></x>'
    )
    (problem,) = include(tmp_path, main=MAIN).problems
    assert (problem.place, problem.line) == ("parts/a.xml: body 'a'@pos", 3)


@pytest.mark.parametrize(
    ("files", "kind", "words"),
    [
        (
            {"main": '<mujoco><include file="main.xml"/></mujoco>'},
            NestingError, "includes itself: 'main.xml' > 'main.xml'",
        ),
        (
            {"main": '<mujoco><include file="a.xml"/></mujoco>',
             "a": '<x><include file="main.xml"/></x>'},
            NestingError, "includes itself: 'main.xml' > 'a.xml' > 'main.xml'",
        ),
        (
            {"main": '<mujoco><include file="a.xml"/><include file="a.xml"/></mujoco>',
             "a": "<x/>"},
            NestingError, "a second time, expected once",
        ),
        (
            {"main": '<mujoco><include file="a.xml"/></mujoco>',
             "a": '<x><include file="b.xml"/></x>', "b": '<x><include file="a.xml"/></x>'},
            NestingError, "includes itself: 'a.xml' > 'b.xml' > 'a.xml'",
        ),
        (
            {"main": '<mujoco><include file="c0.xml"/></mujoco>',
             **{f"c{n}": f'<x><include file="c{n + 1}.xml"/></x>' for n in range(20)}},
            NestingError, "more than 16 deep",
        ),
        ({"main": '<mujoco><include file="/etc/passwd"/></mujoco>'}, NotReadableError, "absolute"),
        ({"main": '<mujoco><include file="../x.xml"/></mujoco>'}, NotReadableError, "leads out"),
        ({"main": '<mujoco><include file="a.txt"/></mujoco>'}, NotReadableError, ".txt is not one"),
        ({"main": '<mujoco><include file="http://a/b"/></mujoco>'}, NotReadableError, "not opened"),
        ({"main": '<mujoco><include file="a.xml"/></mujoco>', "a": "<x"}, NotXmlError, "line 1"),
        ({"main": '<mujoco><include file="a.xml"/></mujoco>', "a": BOMB}, NotXmlError, "entity"),
        (
            {"main": '<mujoco><include file="a.xml"/></mujoco>',
             "a": "<x>" + "<y/>" * 99_999 + "</x>"},
            TooManyElementsError, "100000",
        ),
    ],
)  # fmt: skip
def test_includes_that_are_refused(files, kind, words, tmp_path):
    folder = tmp_path / "mine"
    (tmp_path / "x.xml").write_text("<x/>")
    problem = include(folder, **files).problems[0]
    assert problem.kind is kind
    assert words in problem.message


def test_a_file_that_includes_itself_is_not_expanded(tmp_path):
    """Its body is there once: nothing but the circle is wrong with it."""
    body = '<worldbody><body name="a"><geom size="1"/></body></worldbody>'
    problems = include(tmp_path, main=f'<mujoco><include file="main.xml"/>{body}</mujoco>').problems
    assert [problem.kind for problem in problems] == [NestingError]


def test_a_link_to_a_file_elsewhere_is_not_included(tmp_path):
    (tmp_path / "secret.xml").write_text("<x/>")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "a.xml").symlink_to(tmp_path / "secret.xml")
    reading = include(tmp_path / "mine", main='<mujoco><include file="a.xml"/></mujoco>')
    assert "leads out" in reading.problems[0].message


MESHES = """<mujoco>
  <compiler meshdir="assets"/>
  <asset>
    <mesh name="there" file="there.obj" scale="2 2 2" refpos="1 0 0" refquat="0 0 0 1"/>
    <mesh file="gone.stl"/>
    <mesh name="old" file="old.msh"/>
  </asset>
  <worldbody>
    <body name="base"><geom type="mesh" mesh="there" mass="1"/><geom type="mesh" mesh="gone"/>
      <body name="tip" pos="0 0 1"><joint/><geom type="mesh" mesh="old"/><geom size="0.1"/></body>
    </body>
  </worldbody>
</mujoco>
"""
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


def test_meshes_are_found_and_those_missing_are_boxes(tmp_path):
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "there.obj").write_text(TETRAHEDRON)
    (tmp_path / "main.xml").write_text(MESHES)
    reading = read_file(tmp_path / "main.xml")
    assert reading.problems == []
    assert "3 meshes, 2 missing" in reading.meshes
    base, tip = reading.robot.links
    kinds = [visual.geometry.type for visual in (*base.visuals, *tip.visuals)]
    assert kinds == ["mesh", "box", "box", "sphere"]
    assert base.visuals[0].geometry.file == tmp_path / "assets" / "there.obj"
    # p becomes S R^T (p - p0), with R half a turn about z
    corner = base.visuals[0].pose @ [2.0, 0.0, 0.0, 1.0]
    assert corner[:3] == pytest.approx([0, 0, 0])
    strict = read_file(tmp_path / "main.xml", strict=True)
    assert {problem.kind for problem in strict.problems} == {MeshError}


def test_meshes_are_looked_for_only_where_they_may_be(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "there.obj").write_text(TETRAHEDRON)
    text = MESHES.replace('meshdir="assets"', 'meshdir=".."')
    found = parse_mjcf(text.encode(), Library(tmp_path / "mine"))
    assert len(found.meshes.missing) == 3


# -- inertia ---------------------------------------------------------------------------------


def test_solids_of_density_one_by_sampling():
    """Closed forms against sums over many points inside."""
    random = np.random.default_rng(4)
    points = random.uniform(-1, 1, (400_000, 3))
    x, y, z = points.T
    inside = {
        ("sphere", (0.9,)): x**2 + y**2 + z**2 < 0.81,
        ("ellipsoid", (0.9, 0.6, 0.4)): (x / 0.9) ** 2 + (y / 0.6) ** 2 + (z / 0.4) ** 2 < 1,
        ("box", (0.9, 0.5, 0.3)): (abs(x) < 0.9) & (abs(y) < 0.5) & (abs(z) < 0.3),
        ("cylinder", (0.4, 0.8)): (x**2 + y**2 < 0.16) & (abs(z) < 0.8),
        ("capsule", (0.4, 0.5)): x**2 + y**2 + np.maximum(abs(z) - 0.5, 0) ** 2 < 0.16,
    }
    for (kind, size), mask in inside.items():
        solid, p = primitive(kind, size), points[mask]
        share = 8.0 / len(points)
        assert solid.mass == pytest.approx(len(p) * share, rel=0.02)
        S = p.T @ p * share
        assert solid.inertia == pytest.approx(np.trace(S) * np.eye(3) - S, abs=0.03 * solid.mass)


def test_a_cube_as_a_mesh_is_the_box():
    from headframe.description.mjcf.inertia import hull

    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-2, 2) for z in (-3, 3)], dtype=float)
    vertices, faces = hull(corners + np.array([5.0, 0.0, 0.0]))
    box = primitive("box", (1, 2, 3))
    for way in ("exact", "legacy", "convex"):
        solid = of_mesh(vertices, faces, way)
        assert solid.mass == pytest.approx(box.mass)
        assert solid.com == pytest.approx([5, 0, 0])
        assert solid.inertia == pytest.approx(box.inertia)
    shell = of_mesh(vertices, faces, "shell")
    assert shell.mass == pytest.approx(2 * (2 * 4 + 2 * 6 + 4 * 6))
    assert of_mesh(np.zeros((3, 3)), np.array([[0, 1, 2]]), "exact") is None


def test_radians_and_degrees():
    degrees, _ = parsed(changed('angle="radian"', "").replace('range="-1 2"', 'range="-90 45"'))
    limit = degrees["joints"][0]["limit"]
    assert (limit["lower"], limit["upper"]) == pytest.approx((-math.pi / 2, math.pi / 4))
    slide, _ = parsed(
        changed('angle="radian"', "").replace('name="lift"', 'type="slide" name="lift"')
    )
    assert slide["joints"][0]["limit"] == {"lower": -1.0, "upper": 2.0}


@pytest.mark.parametrize(
    ("limited", "auto", "kept"),
    [
        ("auto", "true", True),
        ("auto", "false", False),
        ("true", "false", True),
        ("false", "true", False),
    ],
)
def test_ranges_count_where_they_are_switched_on(limited, auto, kept):
    text = changed('angle="radian"', f'angle="radian" autolimits="{auto}"')
    machine, _ = parsed(text.replace('range="-1 2"', f'range="-1 2" limited="{limited}"'))
    assert ("limit" in machine["joints"][0]) == kept


def test_a_shell_weighs_by_its_surface():
    """A cube of paper: two sides are square to an axis, four stand at 1/2 from it."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * 0.5
    solid = of_mesh(*hull(corners), "shell")
    assert solid.mass == pytest.approx(6.0)
    # a side of area 1 has 1/6 about the axis square to it, and 1/12 about one in it
    along = 2 * (1 / 6) + 4 * (1 / 12 + 1 / 4)
    np.testing.assert_allclose(solid.inertia, along * np.eye(3), atol=1e-12)
