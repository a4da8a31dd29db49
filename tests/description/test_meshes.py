"""Meshes of shapes, and mesh files that nobody should trust."""

import contextlib
import json
import math
import struct

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from dae_files import dae_of
from headframe.description import Visual
from headframe.description.mesh_files import MESH_BYTES, coarser
from headframe.description.meshes import corner_normals, pieces_of, triangles_of
from headframe.errors import FileTooLargeError, MachineFileError, MeshError

FORMATS = ("stl", "dae", "obj", "ply", "glb", "gltf", "off")


def shape(kind, **sizes):
    return Visual.model_validate({"geometry": {"type": kind, **sizes}}).geometry


def mesh_file(path, **fields):
    return shape("mesh", path=path, **fields)


def mesh_of(*shape_and_place):
    """What trimesh makes of the triangles of a shape."""
    return trimesh.Trimesh(*triangles_of(*shape_and_place), process=False)


def write_box(folder, name, extents=(1.0, 2.0, 3.0)):
    box = trimesh.creation.box(extents)
    if name.endswith(".gltf"):
        files = trimesh.exchange.gltf.export_gltf(trimesh.Scene(box), embed_buffers=True)
        (folder / name).write_bytes(files["model.gltf"])
    elif name.endswith(".dae"):
        (folder / name).write_text(dae_of(box.vertices, box.faces))
    else:
        box.export(folder / name)
    return folder / name


# ------------------------------------------------------------------ shapes

# A 32-sided section has sin(a) / a of a circle's area, a = 2 pi / 32: 0.6 % less. Spheres lose
# about as much again over their 16 steps from pole to pole.
SHAPES = [
    (shape("box", x=1.0, y=2.0, z=3.0), 6.0, (1.0, 2.0, 3.0)),
    (shape("cylinder", r1=0.5, r2=0.5, h=2.0), math.pi / 2, (1.0, 1.0, 2.0)),
    (shape("cylinder", r1=1.0, r2=0.5, h=3.0), math.pi * 1.75, (2.0, 2.0, 3.0)),
    (shape("cone", r=1.0, h=3.0), math.pi, (2.0, 2.0, 3.0)),
    (shape("sphere", r=1.0), 4 / 3 * math.pi, (2.0, 2.0, 2.0)),
    (shape("capsule", r=1.0, h=2.0), (4 / 3 + 2) * math.pi, (2.0, 2.0, 4.0)),
    # by Pappus: the area of the section times the way of its middle
    (shape("torus", R=1.0, r=0.25), 2 * math.pi**2 * 0.25**2, (2.5, 2.5, 0.5)),
    (
        shape("chain_link", R=1.0, r=0.25, length=3.0),
        (2 * math.pi + 6.0) * math.pi * 0.25**2,
        (5.5, 2.5, 0.5),
    ),
    (
        shape("hull", points=[(x, y, z) for x in (-1, 0, 1) for y in (-1, 1) for z in (-2, 2)]),
        16.0,
        (2.0, 2.0, 4.0),
    ),
]


@pytest.mark.parametrize(("geometry", "volume", "extents"), SHAPES)
def test_shapes_are_closed_centred_and_of_the_right_size(geometry, volume, extents):
    mesh = mesh_of(geometry)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    assert 0.98 * volume < mesh.volume <= volume * (1 + 1e-12)  # positive: faces look outwards
    np.testing.assert_allclose(mesh.bounds, np.array([[-0.5], [0.5]]) * extents, atol=1e-12)


def test_a_frustum_has_r1_below_and_r2_above():
    vertices, _ = triangles_of(shape("cylinder", r1=1.0, r2=0.25, h=2.0))
    radius = np.linalg.norm(vertices[:, :2], axis=1)
    assert radius[vertices[:, 2] < 0].max() == pytest.approx(1.0)
    assert radius[vertices[:, 2] > 0].max() == pytest.approx(0.25)


def test_an_arc_lies_about_the_x_axis_and_ends_in_half_spheres():
    geometry = shape("torus", R=2.0, r=0.5, arc=math.pi / 2)
    mesh = mesh_of(geometry)
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    volume = math.pi / 2 * 2.0 * math.pi * 0.25 + 4 / 3 * math.pi * 0.125
    assert 0.97 * volume < mesh.volume < volume
    ends = 2.0 * np.array([math.cos(math.pi / 4), math.sin(math.pi / 4)])
    np.testing.assert_allclose(mesh.bounds[:, 1], [-ends[1] - 0.5, ends[1] + 0.5], atol=0.01)
    poles = mesh.vertices[-2:, :2]
    along = np.array([[-1.0, -1.0], [-1.0, 1.0]]) / math.sqrt(2)
    np.testing.assert_allclose(poles, ends * [[1, -1], [1, 1]] + 0.5 * along, atol=1e-12)


def test_a_hull_keeps_its_corners_only_and_needs_a_volume():
    inside = [(0.1, 0.1, 0.1), (0.2, 0.1, 0.1)]
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    vertices, faces = triangles_of(shape("hull", points=[*inside, *corners]))
    np.testing.assert_array_equal(vertices, corners)
    assert len(faces) == 4
    with pytest.raises(MeshError, match="found 4 points in a plane"):
        triangles_of(shape("hull", points=[(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]))


def test_a_cone_points_up():
    vertices, _ = triangles_of(shape("cone", r=1.0, h=2.0))
    np.testing.assert_allclose(vertices[vertices[:, 2] > 0], [[0.0, 0.0, 1.0]])


def test_normals_are_sharp_on_a_box():
    vertices, faces = triangles_of(shape("box", x=1.0, y=2.0, z=3.0))
    normals = corner_normals(vertices, faces)
    np.testing.assert_allclose(np.abs(normals).max(axis=2), 1.0)
    outwards = np.einsum("fci,fci->fc", normals, vertices[faces])
    assert (outwards > 0).all()


def test_a_flat_side_stays_flat_beside_a_chamfer_if_areas_weigh():
    """A square metre with a chamfer of 1 cm along an edge, at 45 degrees."""
    vertices = np.array(
        [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [1.01, 0, -0.01], [1.01, 1, -0.01]]
    )
    faces = np.array([[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]])
    tilt = {
        by_area: corner_normals(vertices, faces, math.radians(50), by_area)[0, 1, 0]
        for by_area in (False, True)
    }
    assert tilt[False] > 0.3  # bent half way towards the chamfer
    assert 0.0 < tilt[True] < 0.03


def test_normals_are_smooth_round_a_cylinder_and_sharp_at_its_ends():
    vertices, faces = triangles_of(shape("cylinder", r1=1.0, r2=1.0, h=2.0))
    normals = corner_normals(vertices, faces).reshape(-1, 3)
    corners = vertices[faces].reshape(-1, 3)
    side = np.abs(normals[:, 2]) < 0.5
    np.testing.assert_allclose(normals[side], corners[side] * (1, 1, 0), atol=1e-9)
    np.testing.assert_allclose(np.abs(normals[~side, 2]), 1.0)


def test_a_dense_fan_gets_flat_normals_instead_of_filling_the_memory():
    count = 6000
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    rim = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(count)])
    faces = np.column_stack(
        [np.full(count, count), np.arange(count), np.roll(np.arange(count), -1)]
    )
    normals = corner_normals(np.vstack([rim, [[0, 0, 0.1]]]), faces)
    np.testing.assert_allclose(normals[:, 0], normals[:, 1])


# -------------------------------------------------------------- good files


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format_is_read_and_scaled(tmp_path, suffix):
    write_box(tmp_path, f"part.{suffix}")
    mesh = mesh_of(mesh_file(f"part.{suffix}", scale=[2.0, 1.0, 0.5]), tmp_path)
    np.testing.assert_allclose(mesh.extents, (2.0, 2.0, 1.5))
    assert mesh.volume == pytest.approx(6.0)


def test_a_text_stl_is_read(tmp_path):
    trimesh.creation.box((1, 1, 1)).export(tmp_path / "a.stl", file_type="stl_ascii")
    assert len(mesh_of(mesh_file("a.stl"), tmp_path).faces) == 12


def test_files_in_folders_below_are_found(tmp_path):
    (tmp_path / "below").mkdir()
    write_box(tmp_path / "below", "part.stl")
    assert len(mesh_of(mesh_file("below/part.stl"), str(tmp_path)).faces) == 12


def test_a_gltf_buffer_beside_the_file_is_read(tmp_path):
    (tmp_path / "m").mkdir()
    files = trimesh.exchange.gltf.export_gltf(trimesh.Scene(trimesh.creation.box((1, 1, 1))))
    for name, data in files.items():
        (tmp_path / "m" / name).write_bytes(data)
    assert len(mesh_of(mesh_file("m/model.gltf"), tmp_path).faces) == 12


# --------------------------------------------------------------- bad files


def problem_of(folder, path, kind=MeshError, place="links[0].visual[1]"):
    with pytest.raises(kind) as caught:
        mesh_of(mesh_file(path), folder, place)
    (problem,) = caught.value.problems
    assert problem.kind is kind
    assert problem.place == place
    return str(problem)


def test_without_a_folder_there_is_no_mesh():
    assert "no folder" in problem_of(None, "a.stl")


@pytest.mark.parametrize("path", ["../secret.stl", "a/../../secret.stl", "..\\secret.stl"])
def test_paths_that_leave_the_folder_are_refused(tmp_path, path):
    write_box(tmp_path, "secret.stl")
    (tmp_path / "machine").mkdir()
    assert "outside" in problem_of(tmp_path / "machine", path)


def test_absolute_paths_are_refused(tmp_path):
    path = write_box(tmp_path, "secret.stl")
    (tmp_path / "machine").mkdir()
    problem_of(tmp_path / "machine", str(path))


def test_links_that_leave_the_folder_are_refused(tmp_path):
    path = write_box(tmp_path, "secret.stl")
    (tmp_path / "machine").mkdir()
    try:
        (tmp_path / "machine" / "a.stl").symlink_to(path)
    except OSError:
        pytest.skip("this system does not let us make links")
    assert "outside" in problem_of(tmp_path / "machine", "a.stl")


def test_a_nul_in_the_path_is_refused(tmp_path):
    problem_of(tmp_path, "a\0.stl")


def test_a_missing_file_is_named(tmp_path):
    assert "'gone.stl'" in problem_of(tmp_path, "gone.stl")


def test_a_folder_is_not_a_mesh(tmp_path):
    (tmp_path / "a.stl").mkdir()
    assert "no such file" in problem_of(tmp_path, "a.stl")


@pytest.mark.parametrize("name", ["a.3mf", "a.zip", "a.zae", "a"])
def test_other_formats_are_refused_and_the_right_ones_named(tmp_path, name):
    (tmp_path / name).write_bytes(b"x")
    assert ".stl, .dae, .obj" in problem_of(tmp_path, name)


def test_too_large_a_file_is_refused_unread(tmp_path):
    with (tmp_path / "a.stl").open("wb") as file:
        file.truncate(MESH_BYTES + 1)
    assert "bytes" in problem_of(tmp_path, "a.stl", FileTooLargeError)


def test_an_stl_that_claims_more_than_it_holds(tmp_path):
    path = write_box(tmp_path, "a.stl")
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, 80, 4_000_000_000)
    path.write_bytes(data)
    assert "claims 4000000000 faces, the file holds 12" in problem_of(tmp_path, "a.stl")


def test_a_ply_that_claims_more_than_it_holds(tmp_path):
    head = b"ply\nformat ascii 1.0\nelement vertex 99999999999\nproperty float x\nend_header\n"
    (tmp_path / "a.ply").write_bytes(head)
    assert "claims" in problem_of(tmp_path, "a.ply")


def changed_gltf(folder, change):
    path = write_box(folder, "a.gltf")
    tree = json.loads(path.read_bytes())
    change(tree)
    path.write_text(json.dumps(tree))


def test_a_gltf_that_claims_more_than_it_holds(tmp_path):
    def change(tree):
        tree["accessors"][0]["count"] = 10**12
        del tree["accessors"][0]["bufferView"]  # means: all zeros

    changed_gltf(tmp_path, change)
    assert "claims" in problem_of(tmp_path, "a.gltf")


def test_a_gltf_whose_nodes_contain_each_other(tmp_path):
    def change(tree):
        tree["nodes"] += [
            {"children": [len(tree["nodes"]) + 1]},
            {"children": [len(tree["nodes"])]},
        ]

    changed_gltf(tmp_path, change)
    assert "contain each other" in problem_of(tmp_path, "a.gltf")


def test_a_gltf_that_reads_other_folders(tmp_path):
    (tmp_path / "machine").mkdir()
    (tmp_path / "secret").write_bytes(b"x" * 4096)

    def change(tree):
        tree["buffers"][0]["uri"] = "../secret"

    changed_gltf(tmp_path / "machine", change)
    assert "outside" in problem_of(tmp_path / "machine", "a.gltf")


@pytest.mark.parametrize("suffix", FORMATS)
def test_empty_files(tmp_path, suffix):
    (tmp_path / f"a.{suffix}").write_bytes(b"")
    assert "empty" in problem_of(tmp_path, f"a.{suffix}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n"),
        ("a.off", "OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n"),
        ("a.stl", "solid nothing\nfacet\nendsolid\n"),
    ],
)
def test_files_without_faces(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    problem_of(tmp_path, name)


def test_vertices_must_be_finite(tmp_path):
    (tmp_path / "a.off").write_text("OFF\n3 1 0\n0 0 nan\n1 0 0\n0 1 0\n3 0 1 2\n")
    problem_of(tmp_path, "a.off")


def test_faces_must_have_their_vertices(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    problem_of(tmp_path, "a.obj")


def test_vertices_must_have_three_coordinates(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0\nv 1 0\nv 0 1\nf 1 2 3\n")
    problem_of(tmp_path, "a.obj")


@pytest.mark.parametrize("suffix", FORMATS)
@settings(max_examples=40)
@given(data=st.data())
def test_damaged_files_give_a_mesh_or_a_mesh_error(tmp_path_factory, suffix, data):
    folder = tmp_path_factory.mktemp("damaged")
    path = write_box(folder, f"a.{suffix}")
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(1, len(content)))])
    with contextlib.suppress(MachineFileError):  # nothing else may come out
        assert len(mesh_of(mesh_file(path.name), folder).faces)


# ------------------------------------------------------------ many triangles


def test_a_coarser_surface_keeps_its_place_and_its_size():
    ball = trimesh.creation.icosphere(subdivisions=5, radius=1.0)
    vertices, faces = coarser(np.array(ball.vertices), np.array(ball.faces), 3000)
    assert 1000 < len(faces) <= 3000
    rough = trimesh.Trimesh(vertices, faces, process=False)
    assert rough.volume == pytest.approx(ball.volume, rel=0.05)
    assert np.abs(rough.bounds - ball.bounds).max() < 0.1
    same = coarser(np.array(ball.vertices), np.array(ball.faces), len(ball.faces))
    assert len(same[1]) == len(ball.faces)


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_a_coarser_surface_of_any_size(scale):
    ball = trimesh.creation.icosphere(subdivisions=4, radius=scale)
    _, faces = coarser(np.array(ball.vertices), np.array(ball.faces), 500)
    assert 100 < len(faces) <= 500


def test_points_in_one_place_are_no_surface():
    faces = np.arange(300).reshape(-1, 3)
    vertices, kept = coarser(np.zeros((300, 3)), faces, 10)
    assert len(kept) <= 10
    assert np.isfinite(vertices).all()


def test_stl_is_welded_and_made_coarser_where_it_is_looked_at(tmp_path):
    trimesh.creation.icosphere(subdivisions=4).export(tmp_path / "a.stl")
    visual = Visual.model_validate({"geometry": {"type": "mesh", "path": "a.stl"}})
    ((vertices, faces, _),) = pieces_of(visual, tmp_path)
    assert len(faces) == 5120
    assert len(vertices) == 2562  # Euler: half as many as faces, and two
    ((_, few, _),) = pieces_of(visual, tmp_path, most=1000)
    assert len(few) <= 1000
