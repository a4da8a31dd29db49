"""MJCF as text; whether MuJoCo agrees is checked in tests/crosscheck."""

from itertools import pairwise
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import trimesh

import headframe
from build import joint, machine
from headframe import ExportError
from headframe.description import Robot
from headframe.description.reading import read_bytes
from headframe.errors import MeshError
from headframe.export import mjcf_assets, mjcf_text, write_mjcf
from headframe.export.mjcf_geometry import realisable
from headframe.machine import Machine
from headframe.spatial import axis_angle_matrix, compose, matrix_from_quaternion


def robot(**content):
    return Robot.model_validate({"name": "test", **content})


def text_of(machine):
    return mjcf_text(machine.robot, machine.topology, machine.home)


def chain(count):
    links = [{"name": f"link{i}"} for i in range(count + 1)]
    joints = [
        {
            "name": f"joint{i}", "parent": f"link{i}", "child": f"link{i + 1}",
            "type": "revolute", "axis": (0.0, 1.0, 0.0), "origin_translation": (0.1, 0.0, 0.0),
        }
        for i in range(count)
    ]  # fmt: skip
    return Machine(robot(links=links, joints=joints))


def with_shapes(*shapes, **more):
    visuals = [{"geometry": shape} for shape in shapes]
    return Machine(robot(links=[{"name": "base", "visual": visuals, **more}]))


@pytest.mark.parametrize("name", headframe.machines())
def test_names_are_unique_of_their_kind(name):
    root = ET.fromstring(text_of(headframe.load(name)))
    for path in (".//body", ".//joint", ".//geom", ".//site", "equality/*", "actuator/*"):
        names = [e.get("name") for e in root.findall(path) if e.get("name")]
        assert len(names) == len(set(names))


@pytest.mark.parametrize("name", headframe.machines())
def test_every_member_of_a_redundant_group_has_its_actuator(name):
    machine = headframe.load(name)
    root = ET.fromstring(text_of(machine))
    written = [e.get("name") for e in root.findall("actuator/position")]
    assert written == [actuator.name for actuator in machine.actuators]


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "universal", "spherical", "free"])
@pytest.mark.parametrize("deep", [False, True])
def test_what_joints_have_is_written_for_each_of_their_freedoms(kind, deep):
    """A free joint below a moving body is three slides and a ball; above all, one free joint."""
    first = joint("first", "base", "arm", kind if not deep else "revolute", armature=0.5)
    second = joint("second", "arm", "hand", kind, damping=3.0, friction=2.0, armature=0.25)
    one = machine([first, second] if deep else [first | second | {"parent": "base"}])
    root = ET.fromstring(text_of(one))
    found = [e for e in root.findall(".//joint") if e.get("name").startswith("second")]
    count = {"universal": 2, "free": 4 if deep else 1}.get(kind, 1)
    assert [e.get("armature") for e in found] == ["0.25"] * count
    assert {(e.get("damping"), e.get("frictionloss")) for e in found} == {("3.0", "2.0")}
    again = Machine(read_bytes(text_of(one).encode()).robot)
    assert {j.armature for j in again.robot.joints if j.name.startswith("second")} == {0.25}


def test_numbers_are_written_in_full():
    machine = headframe.load("sths")
    root = ET.fromstring(text_of(machine))
    home = [float(word) for word in root.find("keyframe/key").get("ctrl").split()]
    assert home[: len(machine.actuators)] == list(machine.home.lengths)


def test_shapes():
    shapes = [
        {"type": "box", "x": 1.0, "y": 2.0, "z": 3.0},
        {"type": "cylinder", "r1": 1.0, "r2": 1.0, "h": 3.0},
        {"type": "capsule", "r": 1.0, "h": 3.0},
        {"type": "sphere", "r": 1.0},
        {"type": "cylinder", "r1": 1.0, "r2": 2.0, "h": 3.0},
        {"type": "cone", "r": 1.0, "h": 3.0},
        {"type": "cone", "r": 1.0, "h": 3.0},
    ]
    box = {"type": "box", "x": 1.0, "y": 1.0, "z": 1.0}
    root = ET.fromstring(text_of(with_shapes(*shapes, collision=[{"geometry": box}])))
    *geoms, collision = root.findall(".//geom")
    kinds = [geom.get("type") for geom in geoms]
    assert kinds == ["box", "cylinder", "capsule", "sphere", "mesh", "mesh", "mesh"]
    assert [geom.get("size") for geom in geoms[:4]] == ["0.5 1.0 1.5", "1.0 1.5", "1.0 1.5", "1.0"]
    assert all(geom.get("group") == "2" and geom.get("contype") == "0" for geom in geoms)
    assert collision.get("group") == "3"
    assert geoms[5].get("mesh") == geoms[6].get("mesh")  # equal shapes share an asset
    meshes = {mesh.get("name"): mesh for mesh in root.findall("asset/mesh")}
    vertices = np.array(meshes[geoms[5].get("mesh")].get("vertex").split(), dtype=float)
    assert vertices.reshape(-1, 3).max(axis=0) == pytest.approx([1.0, 1.0, 1.5])


def test_bent_bars_are_seen_as_meshes_and_touched_as_capsules():
    torus = {"type": "torus", "R": 1.0, "r": 0.25, "arc": np.pi}
    link = {"type": "chain_link", "R": 1.0, "r": 0.25, "length": 3.0}
    hull = {"type": "hull", "points": [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]}
    touched = [{"geometry": each, "translation": (0, 0, 1)} for each in (torus, link, hull)]
    root = ET.fromstring(text_of(with_shapes(torus, link, hull, collision=touched)))
    meshes = {mesh.get("name"): mesh for mesh in root.findall("asset/mesh")}
    assert [mesh.get("face") is None for mesh in meshes.values()] == [False, False, True]
    seen = [geom for geom in root.findall(".//geom") if geom.get("group") == "2"]
    assert [geom.get("type") for geom in seen] == ["mesh"] * 3
    capsules = [geom for geom in root.findall(".//geom") if geom.get("type") == "capsule"]
    assert len(capsules) == 12 + 26
    for geom in capsules:
        assert float(geom.get("size").split()[0]) == 0.25
        assert float(geom.get("pos").split()[2]) == 1.0
    straight = [geom for geom in capsules if float(geom.get("size").split()[1]) == 1.5]
    places = sorted(tuple(float(n) for n in geom.get("pos").split()) for geom in straight)
    np.testing.assert_allclose(places, [(0, -1, 1), (0, 1, 1)], atol=1e-12)
    ends = [bar_ends(geom) for geom in capsules[:12]]  # of the half ring, one after the other
    np.testing.assert_allclose(ends[0][0], (0, -1, 1), atol=1e-9)
    np.testing.assert_allclose(ends[-1][1], (0, 1, 1), atol=1e-9)
    for (_, end), (begin, _) in pairwise(ends):
        np.testing.assert_allclose(end, begin, atol=1e-9)


def bar_ends(geom):
    """Ends of a capsule's middle line."""
    words = {key: [float(n) for n in geom.get(key).split()] for key in ("pos", "quat", "size")}
    along = matrix_from_quaternion(words["quat"])[:, 2] * words["size"][1]
    return words["pos"] - along, words["pos"] + along


def test_names_that_xml_cannot_hold():
    names = ["a\x00b", "a\x01b", "a_b", "<&\"'>", "\ufffe", "world", "-- -->"]
    links = [{"name": name} for name in names]
    joints = [
        {
            "name": f"to {name}", "parent": names[0], "child": name, "type": "revolute",
            "axis": (1.0, 0.0, 0.0),
        }
        for name in names[1:]
    ]  # fmt: skip
    machine = Machine(robot(links=links, joints=joints))
    root = ET.fromstring(text_of(machine).encode())
    written = {body.get("name") for body in root.findall(".//body")}
    assert written == {"a_b", "a_b_2", "a_b_3", "<&\"'>", "_", "world_2", "-- -->"}


def test_massless_bodies_are_named_in_a_comment():
    notes = write_text_notes(chain(2))
    assert any("'link1', 'link2'" in note and "mass" in note for note in notes)


def write_text_notes(machine):
    from headframe.export.mjcf import build_mjcf

    return build_mjcf(machine.robot, machine.topology, machine.home, "meshes").notes


def test_a_chain_too_long_for_mujoco():
    with pytest.raises(ExportError, match="450 nested bodies"):
        text_of(chain(2000))


def test_y_up_only_turns_gravity():
    machine = Machine(robot(links=[{"name": "base"}], up_axis="y"))
    root = ET.fromstring(text_of(machine))
    assert root.find("option").get("gravity") == "0.0 -9.81 0.0"
    assert root.find(".//body").get("quat") is None


def test_inertia_is_only_changed_at_the_border():
    good = np.array([[4.0, 0.1, 0.2], [0.1, 5.0, 0.3], [0.2, 0.3, 6.0]])
    assert np.array_equal(realisable(good), good)
    for border in ([0.0, 1.0, 1.0], [0.5, 0.5, 1.0]):  # a rod, a plate
        moments = np.linalg.eigvalsh(realisable(np.diag(border)))
        assert moments[0] > 0
        assert moments[0] + moments[1] > moments[2]
        assert moments == pytest.approx(sorted(border), abs=1e-8)


# -- meshes and files -------------------------------------------------------------------


def machine_with_mesh(folder):
    (folder / "parts").mkdir()
    trimesh.creation.box((1, 2, 3)).export(folder / "parts" / "block.ply")
    shape = {"type": "mesh", "path": "parts/block.ply", "scale": (1.0, 1.0, 0.5)}
    return with_shapes(shape)


def test_meshes_stand_beside_the_file(tmp_path):
    machine = machine_with_mesh(tmp_path)
    target = tmp_path / "out" / "machine.xml"
    target.parent.mkdir()
    write_mjcf(machine.robot, machine.topology, machine.home, target, tmp_path)
    asset = ET.parse(target).getroot().find("asset/mesh")
    assert asset.get("file") == "machine_meshes/block.obj"
    assert asset.get("scale") == "1.0 1.0 0.5"
    mesh = trimesh.load_mesh(target.parent / asset.get("file"))
    assert mesh.extents == pytest.approx([1, 2, 3])
    assets = mjcf_assets(machine.robot, machine.topology, machine.home, tmp_path)
    assert list(assets) == ["meshes/block.obj"]


def test_a_missing_mesh_writes_nothing(tmp_path):
    machine = with_shapes({"type": "mesh", "path": "none.stl"})
    target = tmp_path / "machine.xml"
    with pytest.raises(MeshError):
        write_mjcf(machine.robot, machine.topology, machine.home, target, tmp_path)
    assert not target.exists()


def test_a_file_that_cannot_be_written(tmp_path):
    machine = chain(1)
    with pytest.raises(ExportError, match="cannot be written"):
        write_mjcf(machine.robot, machine.topology, machine.home, tmp_path)


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0)])
@pytest.mark.parametrize("turn", [0.0, 0.4])
def test_slide_that_closes_a_loop_counts_from_its_guide(axis, turn):
    """At zero the slider stands at the guide's origin: `ref` is how far along it is at home."""
    guide = {"type": "prismatic", "axis": axis, "origin_orientation": (0.0, turn, 0.0)}
    hinge = {"type": "revolute", "axis": (0.0, 1.0, 0.0)}
    machine = Machine(
        robot(
            links=[{"name": name} for name in ("ground", "a", "b", "slider")],
            joints=[
                {"name": "crank", "parent": "ground", "child": "a", **hinge},
                {"name": "coupler", "parent": "a", "child": "b", **hinge,
                 "origin_translation": (1.0, 0.0, 0.0)},
                {"name": "pin", "parent": "b", "child": "slider", **hinge,
                 "origin_translation": (2.0, 0.0, 0.0)},
                {"name": "on_ground", "parent": "ground", "child": "slider", **guide,
                 "origin_translation": (0.25, 0.0, 0.0)},
                {"name": "on_slider", "parent": "slider", "child": "ground", **guide},
            ],
            home={"joints": {"crank": -0.7}},
        )
    )  # fmt: skip
    tree = ET.fromstring(text_of(machine))
    (slide,) = tree.findall(".//joint[@type='slide']")
    line = np.array([np.cos(turn), 0.0, -np.sin(turn)]) * axis[0]
    place = machine.home.pose("slider")[:3, 3] - (0.25, 0.0, 0.0)
    np.testing.assert_allclose(np.cross(line, place), 0.0, atol=1e-9)
    assert abs(place @ line) > 0.5
    assert float(slide.get("ref")) == pytest.approx(place @ line, abs=1e-9)


def site_places(tree):
    """World places of all sites at home, by name, from nested bodies."""
    found = {}

    def look(body, X_WB):
        for site in body.findall("site"):
            found[site.get("name")] = (X_WB @ place_of(site))[:3, 3]
        for child in body.findall("body"):
            look(child, X_WB @ place_of(child))

    look(tree.find("worldbody"), np.eye(4))
    return found


def place_of(element):
    quat = np.array(element.get("quat", "1 0 0 0").split(), float)
    return compose(
        matrix_from_quaternion(quat), np.array(element.get("pos", "0 0 0").split(), float)
    )


@pytest.mark.parametrize("sense", [1.0, -1.0])
def test_pin_that_closes_a_loop_is_held_at_two_points_that_meet(sense):
    """The pin's axis may point either way in the two links: the points are the same at home."""
    hinge = {"type": "revolute", "axis": (0.0, 1.0, 0.0)}
    machine = Machine(
        robot(
            links=[{"name": name} for name in ("ground", "a", "b", "c")],
            joints=[
                {"name": "crank", "parent": "ground", "child": "a", **hinge},
                {"name": "coupler", "parent": "a", "child": "b", **hinge,
                 "origin_translation": (1.0, 0.0, 0.0)},
                {"name": "rocker", "parent": "b", "child": "c", **hinge,
                 "origin_translation": (2.0, 0.0, 0.0)},
                {"name": "on_ground", "parent": "ground", "child": "c", **hinge,
                 "origin_translation": (2.0, 0.0, 0.0)},
                {"name": "on_c", "parent": "c", "child": "ground", "type": "revolute",
                 "axis": (0.0, sense, 0.0), "origin_translation": (1.5, 0.0, 0.0)},
            ],
        )
    )  # fmt: skip
    tree = ET.fromstring(text_of(machine))
    places, holds = site_places(tree), tree.findall(".//equality/connect")
    assert len(holds) == 2
    for hold in holds:
        one, other = places[hold.get("site1")], places[hold.get("site2")]
        np.testing.assert_allclose(one, other, atol=1e-9)
    first, second = (places[hold.get("site1")] for hold in holds)
    assert abs(first[1] - second[1]) == pytest.approx(0.2), "along the pin, to either side"


def test_repeaters_and_motors_keep_their_figures():
    """MuJoCo's polynomial is about the home pose, where the repeater holds: its constant is 0."""
    hinge = {"type": "revolute", "axis": (0.0, 1.0, 0.0)}
    machine = Machine(
        robot(
            links=[{"name": name} for name in ("ground", "a", "b")],
            joints=[
                {"name": "lead", "parent": "ground", "child": "a", **hinge},
                {"name": "tail", "parent": "a", "child": "b", **hinge},
            ],
            motors=[{"name": "drive", "joint": "lead", "max_torque": 70.0}],
            repeaters=[
                {"name": "r", "joint": "tail", "follows": "lead", "ratio": 2.0, "offset": 0.3}
            ],
            home={"joints": {"lead": 0.25}},
        )
    )
    assert machine.home.joints["tail"] == pytest.approx(0.8)
    tree = ET.fromstring(text_of(machine))
    (tie,) = tree.findall(".//equality/joint")
    assert (tie.get("joint1"), tie.get("joint2")) == ("tail", "lead")
    figures = np.array(tie.get("polycoef").split(), float)
    np.testing.assert_allclose(figures, [0.0, 2.0, 0.0, 0.0, 0.0], atol=1e-9)
    (motor,) = tree.findall(".//actuator/motor")
    assert [float(end) for end in motor.get("ctrlrange").split()] == [-70.0, 70.0]


def test_slides_of_a_free_joint_below_a_moving_body_are_along_its_own_axes():
    """At home the body is turned against the joint's frame; slides are given in the body's axes."""
    half = 0.5**0.5
    one = machine(
        [
            joint("lift", "base", "boom", rpy=[0.3, -0.2, 0.9]),
            joint("float", "boom", "raft", "free", at=[1.0, 0.0, 0.0], rpy=[0.1, 0.7, -0.4]),
        ],
        home={"joints": {"lift": 0.4, "float": [half, 0.0, half, 0.0, 0.1, 0.2, 0.3]}},
    )
    tree = ET.fromstring(text_of(one))
    R_WC = one.home.pose("raft")[:3, :3]
    R_WJ = (one.home.pose("boom") @ one.robot.joint("float").origin)[:3, :3]
    for k, letter in enumerate("xyz"):
        slide = tree.find(f".//joint[@name='float.{letter}']")
        axis = np.array([float(word) for word in slide.get("axis").split()])
        np.testing.assert_allclose(R_WC @ axis, R_WJ[:, k], atol=1e-9)
        assert float(slide.get("ref")) == pytest.approx((0.1, 0.2, 0.3)[k])


def test_the_first_axis_of_a_universal_joint_stays_in_its_parent():
    """Axes are given in the body as it stands at home, where the second angle is not 0."""
    one = machine(
        [joint("cross", "base", "arm", "universal", rpy=[0.3, -0.2, 0.9])],
        home={"joints": {"cross": [0.5, -0.8]}},
    )
    cross = one.robot.joint("cross")
    R_WC, R_WJ = one.home.pose("arm")[:3, :3], cross.origin[:3, :3]
    turned = axis_angle_matrix(np.array(cross.axis), 0.5) @ np.array(cross.axis2)
    tree = ET.fromstring(text_of(one))
    for ending, axis in ((".1", np.array(cross.axis)), (".2", turned)):
        written = tree.find(f".//joint[@name='cross{ending}']").get("axis").split()
        np.testing.assert_allclose(R_WC @ [float(w) for w in written], R_WJ @ axis, atol=1e-9)
