"""Folders as ROS has them: where the meshes of a URDF file are found, and where they are not."""

import os
from pathlib import Path

import numpy as np
import pytest
import trimesh

import headframe as hf
from dae_files import dae_of
from headframe.description import Box, Mesh
from headframe.description.archive import pack
from headframe.description.meshes import pieces_of
from headframe.description.packages import (
    LARGEST_MANIFEST,
    LEVELS,
    Found,
    Library,
    Missing,
    close_folder,
    given_packages,
)
from headframe.errors import HeadframeWarning, MeshError

ROBOT = """<robot name="arm">
  <link name="base">
    <visual><geometry><mesh filename="{0}"/></geometry></visual>
    <collision><geometry><cylinder radius="0.1" length="0.4"/></geometry></collision>
  </link>
  <link name="upper"/>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/></joint>
</robot>
"""
MESH = "package://arm_description/meshes/base.dae"
QUIET = pytest.mark.filterwarnings("ignore::headframe.HeadframeWarning")


def put(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def mesh(path, sides=(1.0, 2.0, 3.0)):
    """A mesh file with a box, in the format of its suffix."""
    box = trimesh.creation.box(sides)
    if path.suffix == ".dae":
        return put(path, dae_of(box.vertices, box.faces))
    path.parent.mkdir(parents=True, exist_ok=True)
    box.export(path)
    return path


def urdf(path, reference=MESH):
    return put(path, ROBOT.format(reference))


def manifest(folder, name):
    return put(
        folder / "package.xml", f'<?xml version="1.0"?>\n<package><name> {name} </name></package>'
    )


def seen(file, **options):
    """What is in the place of the mesh of the base."""
    machine = hf.load(file, **options)
    return machine.robot.links[0].visuals[0].geometry


def found(file, **options):
    """The mesh's file, which must have been found."""
    geometry = seen(file, **options)
    assert isinstance(geometry, Mesh), hf.examine(file).notes
    return geometry.file


# -- layouts ----------------------------------------------------------------------------


def test_a_package_with_its_folders_side_by_side(tmp_path):
    package = tmp_path / "arm_description"
    file = mesh(package / "meshes" / "base.dae")
    manifest(package, "arm_description")
    assert found(urdf(package / "urdf" / "arm.urdf")) == file


def test_a_folder_that_is_called_like_the_package_needs_no_manifest(tmp_path):
    file = mesh(tmp_path / "arm_description" / "meshes" / "base.dae")
    assert found(urdf(tmp_path / "arm_description" / "a" / "b" / "arm.urdf")) == file


def test_a_manifest_with_another_name_than_the_folder(tmp_path):
    file = mesh(tmp_path / "download" / "meshes" / "base.dae")
    manifest(tmp_path / "download", "arm_description")
    assert found(urdf(tmp_path / "download" / "urdf" / "arm.urdf")) == file


@pytest.mark.parametrize(
    "before",
    [
        "<!-- <name>other</name> -->",
        "<description><![CDATA[<name>other</name>]]></description>",
        "<author><name>other</name></author>",
    ],
)
def test_only_the_name_of_the_package_itself_counts(tmp_path, before):
    file = mesh(tmp_path / "download" / "meshes" / "base.dae")
    put(
        tmp_path / "download" / "package.xml",
        f"<package>{before}<name>arm_description</name></package>",
    )
    library = Library(tmp_path / "download" / "urdf")
    assert library.packages("other") == ()
    assert found(urdf(tmp_path / "download" / "urdf" / "arm.urdf")) == file


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE p [<!ENTITY a "arm_description">]><package><name>&a;</name></package>',
        "<package><name>arm_description</name></package>" + " " * LARGEST_MANIFEST,
        "<package>" + "<a>" * 100 + "</a>" * 100 + "<name>arm_description</name></package>",
        "<package><name>arm_description</name>",
    ],
    ids=["entity", "large", "deep", "open"],
)
def test_a_manifest_that_is_not_safe_names_nothing(tmp_path, text):
    put(tmp_path / "download" / "package.xml", text)
    assert Library(tmp_path / "download").packages("arm_description") == ()


@pytest.mark.parametrize("folder", ["arm_description", "called_otherwise"])
def test_two_packages_side_by_side(tmp_path, folder):
    file = mesh(tmp_path / "src" / folder / "meshes" / "base.dae")
    manifest(tmp_path / "src" / folder, "arm_description")
    manifest(tmp_path / "src" / "arm_bringup", "arm_bringup")
    assert found(urdf(tmp_path / "src" / "arm_bringup" / "urdf" / "arm.urdf")) == file


def test_the_way_up_has_four_levels(tmp_path):
    file = mesh(tmp_path / "arm_description" / "meshes" / "base.dae")
    deep = tmp_path.joinpath(*"abcde"[:LEVELS])
    assert found(urdf(deep / "arm.urdf")) == file
    deeper = tmp_path.joinpath(*"abcde"[: LEVELS + 1])
    with pytest.warns(HeadframeWarning, match="--package arm_description=DIR"):
        assert isinstance(seen(urdf(deeper / "arm.urdf")), Box)


def test_packages_of_the_environment(tmp_path, monkeypatch):
    file = mesh(tmp_path / "ws" / "src" / "arm_description" / "meshes" / "base.dae")
    alone = urdf(tmp_path / "p" / "q" / "r" / "s" / "t" / "arm.urdf")
    paths = f"relative{os.pathsep}{tmp_path / 'nowhere'}{os.pathsep}{tmp_path / 'ws' / 'src'}"
    monkeypatch.setenv("ROS_PACKAGE_PATH", paths)
    assert found(alone) == file
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "ws" / "src" / "arm_description"))
    assert found(alone) == file
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    shared = mesh(tmp_path / "opt" / "share" / "arm_description" / "meshes" / "base.dae")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "opt"))
    assert found(alone) == shared


def test_packages_that_are_given_come_first(tmp_path):
    near = mesh(tmp_path / "arm_description" / "meshes" / "base.dae")
    file = urdf(tmp_path / "arm_description" / "urdf" / "arm.urdf")
    other = mesh(tmp_path / "other" / "meshes" / "base.dae")
    assert found(file) == near
    assert found(file, packages={"arm_description": tmp_path / "other"}) == other
    assert found(file, packages={"leg_description": tmp_path / "other"}) == near


def test_a_package_that_is_a_link(tmp_path):
    file = mesh(tmp_path / "store" / "arm" / "meshes" / "base.dae")
    (tmp_path / "ws").mkdir()
    try:
        (tmp_path / "ws" / "arm_description").symlink_to(file.parent.parent)
    except OSError:
        pytest.skip("this system does not let us make links")
    assert found(urdf(tmp_path / "ws" / "bringup" / "arm.urdf")) == file


def test_gazebos_models_are_packages_too(tmp_path):
    file = mesh(tmp_path / "arm" / "meshes" / "base.dae")
    assert found(urdf(tmp_path / "arm" / "arm.urdf", "model://arm/meshes/base.dae")) == file


@QUIET
def test_without_such_a_package_the_files_own_is_taken(tmp_path):
    file = mesh(tmp_path / "download" / "meshes" / "base.dae")
    assert found(urdf(tmp_path / "download" / "urdf" / "arm.urdf")) == file
    beside = mesh(tmp_path / "flat" / "meshes" / "base.dae")
    assert found(urdf(tmp_path / "flat" / "arm.urdf")) == beside


def test_relative_paths_stay_in_the_package(tmp_path):
    file = mesh(tmp_path / "arm" / "meshes" / "base.dae")
    mesh(tmp_path / "secret" / "base.dae")
    manifest(tmp_path / "arm", "arm")
    assert found(urdf(tmp_path / "arm" / "urdf" / "arm.urdf", "../meshes/base.dae")) == file
    outside = urdf(tmp_path / "arm" / "urdf" / "out.urdf", "../../secret/base.dae")
    with pytest.warns(HeadframeWarning, match="leads out"):
        assert isinstance(seen(outside), Box)
    # without a manifest and out of a folder that is not called urdf, there is no package
    alone = urdf(tmp_path / "bare" / "here" / "arm.urdf", "../meshes/base.dae")
    mesh(tmp_path / "bare" / "meshes" / "base.dae")
    with pytest.warns(HeadframeWarning, match="leads out"):
        assert isinstance(seen(alone), Box)


@pytest.mark.parametrize("reference", ["file://{0}", "{0}", "meshes\\base.dae"])
def test_absolute_paths_into_the_files_own_folder(tmp_path, reference):
    file = mesh(tmp_path / "meshes" / "base.dae")
    assert found(urdf(tmp_path / "arm.urdf", reference.format(file))) == file


# -- what is not opened -----------------------------------------------------------------


@pytest.mark.parametrize(
    "reference",
    [
        "package://arm_description/../secret/base.dae",
        "package://arm_description//etc/base.dae",
        "package://../secret/base.dae",
        "package://./secret/base.dae",
        "package://secret",
        "file:///etc/passwd",
        "/etc/passwd",
        "C:\\secret\\base.dae",
        "\\\\host\\share\\base.dae",
        "http://example.org/base.dae",
        "../secret/base.dae",
        "~/base.dae",
        "",
        "package://arm_description/package.xml",
        "package://arm_description/meshes/a\0.dae",
        "meshes/link.dae",
    ],
)
def test_what_is_not_opened(tmp_path, reference):
    package = tmp_path / "arm_description"
    manifest(package, "arm_description")
    mesh(tmp_path / "secret" / "base.dae")
    (package / "meshes").mkdir()
    (package / "meshes" / "link.dae").symlink_to(tmp_path / "secret" / "base.dae")
    library = Library(package, environment={})
    assert isinstance(library.find(reference, (".dae", ".stl")), Missing), reference


def test_a_link_to_another_kind_of_file_is_not_opened(tmp_path):
    put(tmp_path / "arm" / "secret.txt", "secret")
    (tmp_path / "arm" / "a.dae").symlink_to(tmp_path / "arm" / "secret.txt")
    assert isinstance(Library(tmp_path / "arm", environment={}).find("a.dae", (".dae",)), Missing)


def test_a_home_folder_is_neither_searched_nor_passed(tmp_path, monkeypatch):
    home = tmp_path / "me"
    mesh(home / "arm_description" / "meshes" / "base.dae")
    mesh(tmp_path / "arm_description" / "meshes" / "base.dae")
    monkeypatch.setattr(Path, "home", lambda: home)
    for folder in (home / "work", home):
        library = Library(folder, environment={})
        assert library.packages("arm_description") == ()
        assert isinstance(library.find(MESH, (".dae",)), Missing)
    monkeypatch.setattr(Path, "home", lambda: Path("/nobody/here"))
    assert len(Library(home / "work", environment={}).packages("arm_description")) == 2


def test_the_root_is_not_searched():
    assert Library("/", environment={}).packages("usr") == ()
    assert Library("/usr", environment={}).packages("bin") == (Path("/usr/bin").resolve(),)


def test_packages_that_are_given_must_be_folders(tmp_path):
    assert given_packages([f"arm={tmp_path}"]) == {"arm": tmp_path}
    for text in ("arm", "=x", "arm=", f"a/b={tmp_path}", f"arm={tmp_path / 'gone'}"):
        with pytest.raises(MeshError, match="expected"):
            given_packages([text])


# -- closed folders ---------------------------------------------------------------------


def test_a_closed_folder_is_all_that_is_seen(tmp_path, monkeypatch):
    mesh(tmp_path / "arm_description" / "meshes" / "base.dae")
    file = urdf(tmp_path / "upload" / "set" / "urdf" / "arm.urdf")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path))
    options = {"packages": {"arm_description": tmp_path / "arm_description"}}
    assert found(file)
    close_folder(tmp_path / "upload")
    with pytest.warns(HeadframeWarning, match="not found"):
        assert isinstance(seen(file, **options), Box)
    inside = mesh(tmp_path / "upload" / "arm_description" / "meshes" / "base.dae")
    assert found(file) == inside
    inside.unlink()
    inside.symlink_to(tmp_path / "arm_description" / "meshes" / "base.dae")
    with pytest.warns(HeadframeWarning, match="missing"):
        assert isinstance(seen(file), Box)


@pytest.mark.parametrize("prefix", ["", "set/"])
def test_a_zip_archive_brings_its_packages(tmp_path, monkeypatch, prefix):
    mesh(tmp_path / "arm_description" / "meshes" / "base.dae")
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path))
    box = trimesh.creation.box((1, 1, 1))
    files = {
        f"{prefix}arm_description/package.xml": b"<package><name>arm_description</name></package>",
        f"{prefix}arm_description/urdf/arm.urdf": ROBOT.format(MESH).encode(),
        f"{prefix}arm_description/meshes/base.dae": dae_of(box.vertices, box.faces).encode(),
    }
    put(tmp_path / "arm.zip", pack(files))
    machine = hf.load(tmp_path / "arm.zip")
    geometry = machine.robot.links[0].visuals[0].geometry
    assert isinstance(geometry, Mesh)
    assert machine.folder in geometry.file.parents or "headframe-" in str(geometry.file)
    del files[f"{prefix}arm_description/meshes/base.dae"]
    put(tmp_path / "bare.zip", pack(files))
    with pytest.warns(HeadframeWarning, match="no such file"):
        assert isinstance(seen(tmp_path / "bare.zip"), Box)


# -- what stands in for a mesh ----------------------------------------------------------


@QUIET
def test_a_missing_mesh_is_a_box_of_the_size_of_the_collision_shape(tmp_path):
    box = seen(urdf(tmp_path / "arm.urdf"))
    assert (box.x, box.y, box.z) == (0.2, 0.2, 0.4)


@QUIET
def test_without_one_the_box_reaches_to_the_joints(tmp_path):
    text = ROBOT.format(MESH).replace("<collision>", "<!--").replace("</collision>", "-->")
    origin = '<origin xyz="0 0 2"/>'
    text = text.replace('type="continuous">', f'type="continuous">{origin}')
    robot = hf.load(put(tmp_path / "arm.urdf", text)).robot
    visual = robot.links[0].visuals[0]
    assert visual.translation == (0.0, 0.0, 1.0)
    assert (visual.geometry.x, visual.geometry.z) == (0.5, 2.5)


def test_strict_refuses_missing_meshes_and_names_each(tmp_path):
    file = urdf(tmp_path / "arm.urdf")
    with pytest.raises(MeshError, match="package 'arm_description' is not found") as caught:
        hf.load(file, strict=True)
    (problem,) = caught.value.problems
    assert problem.line == 3
    assert hf.examine(file, strict=True).problems


@QUIET
def test_missing_meshes_are_counted_in_a_line(tmp_path):
    file = urdf(tmp_path / "arm.urdf")
    assert hf.examine(file).meshes == "1 mesh, 1 missing (a box in its place): 'base.dae'"
    mesh(tmp_path / "meshes" / "base.dae")
    assert hf.examine(file).meshes == "1 mesh, all found"


def test_a_mesh_that_cannot_be_read_is_a_box_and_a_warning(tmp_path):
    put(tmp_path / "base.dae", b"<COLLADA>")
    file = urdf(tmp_path / "arm.urdf", "base.dae")
    machine = hf.load(file)
    with pytest.warns(HeadframeWarning, match=r"base\.dae.*a box stands in its place"):
        ((vertices, _, _),) = pieces_of(machine.robot.links[0].visuals[0], machine.folder)
    assert np.ptp(vertices, axis=0) == pytest.approx([0.2, 0.2, 0.4])
    strict = hf.load(file, strict=True)
    with pytest.raises(MeshError, match="cannot be read"):
        pieces_of(strict.robot.links[0].visuals[0], strict.folder)


# -- formats, colours, and files that go along ------------------------------------------


@pytest.mark.parametrize("suffix", ["dae", "stl", "obj", "ply", "glb"])
def test_every_format_is_seen(tmp_path, suffix):
    package = tmp_path / "arm_description"
    mesh(package / "meshes" / f"base.{suffix}")
    reference = f"package://arm_description/meshes/base.{suffix}"
    machine = hf.load(urdf(package / "urdf" / "arm.urdf", reference))
    pieces = pieces_of(machine.robot.links[0].visuals[0], machine.folder)
    vertices = np.concatenate([piece[0] for piece in pieces])
    assert np.ptp(vertices, axis=0) == pytest.approx([1.0, 2.0, 3.0])


def test_text_stl_is_read_like_binary(tmp_path):
    text = trimesh.exchange.stl.export_stl_ascii(trimesh.creation.box((1, 2, 3)))
    put(tmp_path / "base.stl", text)
    machine = hf.load(urdf(tmp_path / "arm.urdf", "base.stl"))
    ((_, faces, _),) = pieces_of(machine.robot.links[0].visuals[0], machine.folder)
    assert len(faces) == 12


def test_a_mesh_shows_its_own_colours_where_urdf_gives_none(tmp_path):
    mesh(tmp_path / "base.dae")
    put(tmp_path / "base.mtl", "newmtl rust\nKd 0.8 0.2 0.1\nd 0.5\n")
    put(tmp_path / "base.obj", "mtllib base.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
        "usemtl rust\nf 1 2 3\nusemtl other\nf -4 3/1 4//2\n")  # fmt: skip
    orange, rust, grey = (1.0, 0.5, 0.0, 1.0), (0.8, 0.2, 0.1, 0.5), (0.6, 0.6, 0.6, 1.0)
    for name, colors in (("base.dae", {orange}), ("base.obj", {rust, grey})):
        file = urdf(tmp_path / "arm.urdf", name)
        machine = hf.load(file)
        pieces = pieces_of(machine.robot.links[0].visuals[0], machine.folder)
        assert {piece[2].color for piece in pieces} == colors
        material = '<material name="m"><color rgba="0 1 0 1"/></material></visual>'
        put(file, ROBOT.format(name).replace("</visual>", material))
        machine = hf.load(file)
        ((_, _, paint),) = pieces_of(machine.robot.links[0].visuals[0], machine.folder)
        assert paint.color == (0.0, 1.0, 0.0, 1.0)


def test_a_glb_shows_its_base_colour_in_srgb(tmp_path):
    box = trimesh.creation.box((1, 1, 1))
    linear = [0.2158605, 0.2158605, 0.2158605, 1.0]  # half grey in sRGB
    material = trimesh.visual.material.PBRMaterial(baseColorFactor=linear)
    box.visual = trimesh.visual.TextureVisuals(material=material)
    put(tmp_path / "base.glb", trimesh.Scene(box).export(file_type="glb"))
    machine = hf.load(urdf(tmp_path / "arm.urdf", "base.glb"))
    ((_, _, paint),) = pieces_of(machine.robot.links[0].visuals[0], machine.folder)
    assert paint.color == pytest.approx((0.5, 0.5, 0.5, 1.0), abs=5e-3)


def test_a_mirrored_mesh_looks_outwards(tmp_path):
    mesh(tmp_path / "base.stl")
    text = ROBOT.format("base.stl").replace("base.stl", 'base.stl" scale="1 -1 1')
    machine = hf.load(put(tmp_path / "arm.urdf", text))
    ((vertices, faces, _),) = pieces_of(machine.robot.links[0].visuals[0], machine.folder)
    assert trimesh.Trimesh(vertices, faces, process=False).volume == pytest.approx(6.0)


def test_a_machine_is_saved_with_the_meshes_of_its_packages(tmp_path):
    package = tmp_path / "arm_description"
    put(package / "meshes" / "base.mtl", "newmtl rust\nKd 0.8 0.2 0.1\n")
    put(package / "meshes" / "base.obj", "mtllib base.mtl\nusemtl rust\nv 0 0 0\nv 1 0 0\n"
        "v 1 1 0\nf 1 2 3\n")  # fmt: skip
    file = urdf(package / "urdf" / "arm.urdf", "../meshes/base.obj")
    machine = hf.load(file)
    for name in ("out/arm.json", "out/arm.zip"):
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        machine.save(target)
        again = hf.load(target)
        assert again.robot == machine.robot
        ((_, _, paint),) = pieces_of(again.robot.links[0].visuals[0], again.folder)
        assert paint.color == (0.8, 0.2, 0.1, 1.0)


def test_two_files_never_share_a_name(tmp_path):
    first = mesh(tmp_path / "arm" / "urdf" / "leg" / "a.stl")
    second = mesh(tmp_path / "leg" / "a.stl")
    library = Library(tmp_path / "arm" / "urdf", {"leg": tmp_path / "leg"}, {})
    one = library.find("leg/a.stl", (".stl",))
    two = library.find("package://leg/a.stl", (".stl",))
    assert isinstance(one, Found)
    assert isinstance(two, Found)
    assert (one.file, two.file) == (first, second)
    assert one.path != two.path


@pytest.mark.parametrize("wanted", [".env", "secrets.txt", "base.mtl", "other.mtl"])
def test_a_mesh_reads_and_takes_along_only_materials_and_buffers(tmp_path, wanted):
    """Neither by its name nor behind a link is another file opened, or copied when it is saved."""
    source, target = tmp_path / "source", tmp_path / "target"
    target.mkdir()
    put(source / wanted, "newmtl rust\nKd 0.8 0.2 0.1\n")
    if wanted == "other.mtl":  # a link to something else
        put(source / "secrets.txt", "newmtl rust\nKd 0.8 0.2 0.1\n")
        (source / wanted).unlink()
        (source / wanted).symlink_to("secrets.txt")
    triangle = "v 0 0 0\nv 1 0 0\nv 1 1 0\nusemtl rust\nf 1 2 3\n"
    put(source / "base.obj", f"mtllib {wanted}\n{triangle}")
    machine = hf.load(urdf(source / "arm.urdf", "base.obj"))
    ((_, _, paint),) = pieces_of(machine.robot.links[0].visuals[0], machine.folder)
    machine.save(target / "arm.json")
    allowed = wanted == "base.mtl"
    assert (paint.color[:3] == (0.8, 0.2, 0.1)) == allowed
    assert [path.name for path in target.rglob("*") if path.name == wanted] == [wanted] * allowed


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_pipe_beside_a_mesh_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "base.mtl")
    put(tmp_path / "base.obj", "mtllib base.mtl\nv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n")
    reading = hf.examine(urdf(tmp_path / "arm.urdf", "base.obj"))
    assert reading.robot is not None


def test_what_is_above_a_home_is_not_searched_either(tmp_path, monkeypatch):
    """A file beside the homes of others sees nothing of the folder that holds them."""
    people = tmp_path / "people"
    mesh(people / "arm_description" / "meshes" / "base.dae")
    (people / "shared").mkdir(parents=True)
    monkeypatch.setattr(Path, "home", lambda: people / "somebody" / "deep")
    assert Library(people / "shared", environment={}).packages("arm_description") == ()
    monkeypatch.setattr(Path, "home", lambda: Path("/nobody/here"))
    assert len(Library(people / "shared", environment={}).packages("arm_description")) == 1
