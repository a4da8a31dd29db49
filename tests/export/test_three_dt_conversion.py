"""3DT models as OBJ and glTF and back."""

import json
import struct

import numpy as np
import pytest
import trimesh
from typer.testing import CliRunner

import headframe
from headframe.cli.main import app
from headframe.description.three_dt import Component, Model, model_from, read_model, read_model_text
from headframe.errors import ExportError, MachineFileError
from headframe.export.scene_glb import link_scene
from headframe.export.three_dt import model_of, read_any_model, write_model
from three_dt_models import CRANE, cube, two_cubes


def there_and_back(model, path):
    write_model(model, path)
    return model_from(read_any_model(path), str(path))


def points(body):
    """The corners of all triangles, sorted, (3 t, 3)."""
    corners = body.vertices[body.triangles].reshape(-1, 3)
    return corners[np.lexsort(corners.T)]


@pytest.mark.parametrize(
    "model", [two_cubes(), read_model_text(CRANE).model], ids=["cubes", "crane"]
)
def test_obj_keeps_everything_but_the_robots_attributes(model, tmp_path):
    again = there_and_back(model, tmp_path / "model.obj")
    assert again == Model(model.name, model.components)
    assert (tmp_path / "model.mtl").exists()


@pytest.mark.parametrize("name", [" a ", "a/b", "100 %", "é\u2028x", "\n", "\u00a0", "%2F"])
def test_obj_keeps_odd_names(name, tmp_path):
    model = Model(name, (Component(name, (cube(name, name, attributes={name: name}),)),))
    assert there_and_back(model, tmp_path / "odd.obj") == model


@pytest.mark.parametrize("suffix", ["glb", "gltf"])
def test_gltf_keeps_hierarchy_colours_and_attributes(suffix, tmp_path):
    model = two_cubes()
    again = there_and_back(model, tmp_path / f"model.{suffix}")
    assert again.name == model.name
    assert [c.name for c in again.components] == [c.name for c in model.components]
    for ours, theirs in zip(again.bodies, model.bodies, strict=True):
        assert (ours.name, ours.link, ours.crease) == (theirs.name, theirs.link, theirs.crease)
        assert dict(ours.attributes) == dict(theirs.attributes)
        np.testing.assert_allclose(ours.color, theirs.color, atol=1e-8)
        np.testing.assert_array_equal(points(ours), points(theirs))  # 0.1 is 0.1 again
        assert len(ours.vertices) == 8  # split for the normals, joined again


def test_others_read_what_is_written(tmp_path):
    model = two_cubes()
    for name in ("model.glb", "model.gltf", "model.obj"):
        write_model(model, tmp_path / name)
        scene = trimesh.load_scene(tmp_path / name)
        np.testing.assert_allclose(scene.bounds, [[0, 0, 0], [0.3, 0.3, 0.3]], atol=1e-7)
        assert scene.to_mesh().volume == pytest.approx(0.1**3 + 0.3**3, rel=1e-5)


def test_foreign_obj_files_are_understood(tmp_path):
    (tmp_path / "a.mtl").write_text("newmtl blue paint\nKd 0 0 1\nTr 0.25\n")
    (tmp_path / "a.obj").write_text(
        "mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
        "f -4//1 -3//1 -2//1 -1//1\nusemtl blue paint\nf 1/1 3/1 4/1\nf 1 2 2\n"
    )
    model = model_from(read_any_model(tmp_path / "a.obj"), "a.obj")
    (component,) = model.components
    first, second = component.bodies
    assert (component.name, first.name, second.name, first.link) == (
        "model",
        "body",
        "body_2",
        "model",
    )
    assert first.faces == ((0, 1, 2, 3),)
    assert second.color == (0.0, 0.0, 1.0, 0.75)
    assert len(second.sizes) == 1  # the face without area is left out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("v 0 0 0\nf 1 2 3\n", "line 2"),
        ("v 0 0 zero\n", "line 1"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "expected at least 3"),
        ("v 0 0 0\nf a b c\n", "expected a vertex"),
        ("mtllib ../../secret.mtl\n", "inside the machine file's folder"),
        ("# nothing\n", "found no faces"),
        ("v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "finite"),
    ],
)
def test_broken_obj_files_are_refused(tmp_path, text, words):
    path = tmp_path / "a" / "b.obj"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(MachineFileError, match=words):
        model_from(read_any_model(path), "b.obj")


def test_gltf_nodes_may_be_turned_and_scaled(tmp_path):
    box = trimesh.creation.box((1.0, 2.0, 3.0))
    scene = trimesh.Scene()
    turn = trimesh.transformations.rotation_matrix(np.pi / 2, (0, 0, 1))
    turn[:3, 3] = (5.0, 0.0, 0.0)
    scene.add_geometry(box, node_name="block", transform=turn)
    (tmp_path / "a.glb").write_bytes(scene.export(file_type="glb"))
    (body,) = model_from(read_any_model(tmp_path / "a.glb"), "a.glb").bodies
    np.testing.assert_allclose(body.vertices.min(axis=0), (4.0, -0.5, -1.5), atol=1e-6)
    np.testing.assert_allclose(body.vertices.max(axis=0), (6.0, 0.5, 1.5), atol=1e-6)


def test_the_scene_of_a_machine_is_read_by_links(tmp_path):
    (tmp_path / "lift.glb").write_bytes(link_scene(headframe.load("five_link_chain")))
    model = model_from(read_any_model(tmp_path / "lift.glb"), "lift.glb")
    assert {body.link for body in model.bodies} <= {
        link.name for link in headframe.load("five_link_chain").links
    }


def broken_glb(change):
    """A GLB whose JSON was changed."""
    from headframe.export.gltf_model import gltf_bytes

    data = gltf_bytes(two_cubes(), binary=True)
    (size,) = struct.unpack_from("<I", data, 12)
    tree = json.loads(data[20 : 20 + size])
    change(tree)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    rest = data[20 + size :]
    head = struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON")
    return head + text + rest


CHANGES = {
    "count": lambda tree: tree["accessors"][0].update(count=9000),
    "huge": lambda tree: tree["accessors"][0].update(count=10**12),
    "negative": lambda tree: tree["bufferViews"][0].update(byteOffset=-8),
    "view": lambda tree: tree["accessors"][0].update(bufferView=99),
    "type": lambda tree: tree["accessors"][0].update(componentType=1),
    "sparse": lambda tree: tree["accessors"][0].update(sparse={}),
    "cycle": lambda tree: tree["nodes"][0].update(children=[3]),
    "mesh": lambda tree: tree["nodes"][0].update(mesh=7),
    "buffer": lambda tree: tree["buffers"][0].update(uri="../../etc/passwd.bin"),
    "data": lambda tree: tree["buffers"][0].update(uri="data:;base64,%%"),
    "nodes": lambda tree: tree.update(nodes=[]),
    "draco": lambda tree: tree["meshes"][0]["primitives"][0].update(extensions={"X_d": {}}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_broken_gltf_files_are_refused(tmp_path, name):
    path = tmp_path / "a.glb"
    path.write_bytes(broken_glb(CHANGES[name]))
    with pytest.raises(MachineFileError):
        model_from(read_any_model(path), "a.glb")


def test_what_is_no_gltf_at_all(tmp_path):
    for name, data in (("a.glb", b"glTF"), ("a.gltf", b"[]"), ("b.gltf", b"{"), ("c.glb", b"")):
        (tmp_path / name).write_bytes(data)
        assert read_any_model(tmp_path / name).problems


def test_a_machine_as_a_model():
    machine = headframe.load("five_link_chain")
    model = model_of(machine.robot, machine.folder)
    assert [c.name for c in model.components] == [
        link.name for link in machine.links if link.visuals
    ]
    assert model.counts["bodies"] == sum(len(link.visuals) for link in machine.links)


# -- the commands ----------------------------------------------------------------------


@pytest.fixture
def call(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_model(two_cubes(), tmp_path / "cubes.3dt")

    def run(*words):
        return CliRunner().invoke(app, list(words))

    return run


def test_convert_there_and_back(call):
    for name in ("a.obj", "a.glb", "a.gltf"):
        result = call("convert", "cubes.3dt", "-o", name)
        assert result.exit_code == 0, result.output
        result = call("convert", name, "-o", "back.3dt")
        assert result.exit_code == 0, result.output
        back = read_model("back.3dt").model
        assert back.counts["triangles"] == 24
        assert [body.link for body in back.bodies] == ["base", "boom"]


def test_convert_a_machine(call):
    assert call("convert", "gripper", "-o", "gripper.3dt").exit_code == 0
    assert read_model("gripper.3dt").model.name == "gripper"


def test_check_and_info(call, tmp_path):
    result = call("check", "cubes.3dt")
    assert result.exit_code == 0
    counts = "2 components, 2 bodies, 16 vertices, 12 faces, 24 triangles"
    assert result.output == f"cubes.3dt: ok: two cubes, {counts}\n"
    result = call("info", "cubes.3dt")
    assert result.exit_code == 0
    for words in ("two cubes", "Base plate", "triangles", "24"):
        assert words in result.output
    text = (tmp_path / "cubes.3dt").read_text()
    (tmp_path / "cubes.3dt").write_text(text.replace("faces 6", "fazes 6"))
    result = call("check", "cubes.3dt", "gripper")
    assert result.exit_code == 1
    assert result.output.count("did you mean 'faces'?") == 2
    assert "gripper: ok" in result.output
    result = call("info", "cubes.3dt")
    assert result.exit_code == 1
    assert "Traceback" not in result.output


def test_mistakes_are_one_message(call, tmp_path):
    before = sorted(tmp_path.iterdir())
    for words in (
        ("convert", "cubes.3dt", "-o", "a.stl"),
        ("convert", "missing.3dt", "-o", "a.obj"),
        ("convert", "missing.obj", "-o", "a.3dt"),
        ("convert", "cubes.3dt", "-o", "none/a.obj"),
        ("info", "missing.3dt"),
        ("check", "missing.3dt"),
    ):
        result = call(*words)
        assert result.exit_code == 1, words
        assert "Traceback" not in result.output
        assert isinstance(result.exception, SystemExit)
    assert sorted(tmp_path.iterdir()) == before


def test_another_suffix_is_refused(tmp_path):
    model = Model("m", (Component("c", (cube(),)),))
    with pytest.raises(ExportError, match=r"none of \.3dt, \.obj, \.glb, \.gltf"):
        write_model(model, tmp_path / "m.ply")
