"""Scenes, cameras and rendered pictures of toy machines."""

import math

import numpy as np
import pytest

import headframe
from headframe.description import Robot
from headframe.description.meshes import triangles_of
from headframe.description.three_dt import read_for
from headframe.pictures.rendering import (
    make_scene,
    orthographic,
    perspective,
    render,
    smooth_patches,
)
from headframe.spatial import pose

FRONT, ABOVE = ((0.0, -1.0, 0.0), (0.0, 0.0, 1.0)), ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))


class Placed:
    """A state that has its poses from a table."""

    def __init__(self, **poses):
        self.poses = poses

    def pose(self, link):
        return self.poses.get(link, np.eye(4))


def box(x, y, z, color=(0.8, 0.1, 0.1, 1.0), **fields):
    return {
        "geometry": {"type": "box", "x": x, "y": y, "z": z},
        "material": {"color": color},
        **fields,
    }


def robot(*links, **fields):
    return Robot.model_validate({"name": "toy", "links": list(links), **fields})


def link(name, *visuals):
    return {"name": name, "visual": list(visuals)}


def test_nothing_to_see_is_no_scene():
    invisible = link("base", box(1.0, 1.0, 1.0, (0.5, 0.5, 0.5, 0.0)))
    assert make_scene(robot(link("base")), Placed()) is None
    assert make_scene(robot(invisible), Placed()) is None


def test_scenes_follow_the_state():
    toy = robot(link("base", box(2.0, 2.0, 2.0)), link("arm", box(1.0, 1.0, 1.0)))
    scene = make_scene(toy, Placed(arm=pose((5.0, 0.0, 0.5), (0.0, 0.0, math.pi / 4))))
    np.testing.assert_allclose(scene.bounds[0], [-1, -1, -1])
    np.testing.assert_allclose(scene.bounds[1], [5 + math.sqrt(0.5), 1, 1])
    assert scene.owners == ("base", "arm")


def test_machines_with_y_up_are_stood_up():
    scene = make_scene(robot(link("base", box(3.0, 2.0, 1.0)), up_axis="y"), Placed())
    np.testing.assert_allclose(scene.bounds[1] - scene.bounds[0], [3, 1, 2])


@pytest.mark.parametrize(
    ("shape", "patches"),
    [
        ({"type": "box", "x": 1.0, "y": 1.0, "z": 1.0}, 6),
        ({"type": "cylinder", "r1": 1.0, "r2": 1.0, "h": 1.0}, 3),
        ({"type": "cone", "r": 1.0, "h": 2.0}, 2),
        ({"type": "sphere", "r": 1.0}, 1),
        ({"type": "capsule", "r": 1.0, "h": 1.0}, 1),
    ],
)
def test_patches_end_at_sharp_edges(shape, patches):
    toy = robot(link("base", {"geometry": shape}))
    vertices, faces = triangles_of(toy.links[0].visuals[0].geometry)
    assert set(smooth_patches(vertices, faces)) == set(range(patches))
    # the same for a mesh that repeats its vertices, as STL files do
    repeated = np.arange(3 * len(faces)).reshape(-1, 3)
    assert set(smooth_patches(vertices[faces.ravel()], repeated)) == set(range(patches))


@pytest.mark.parametrize("viewer", [(1.0, -1.0, 0.5), (0.2, -1.0, 2.0), (1.0, 0.0, 0.0)])
@pytest.mark.parametrize("sizes", [(1.0, 1.0, 1.0), (20.0, 1.0, 2.0), (0.01, 0.02, 0.9)])
def test_perspective_fits_and_centres(viewer, sizes):
    scene = make_scene(robot(link("base", box(*sizes))), Placed())
    camera = perspective(scene, viewer, 400, 200, margin=(0.1, 0.1))
    points = camera.project(scene.vertices)
    low, high = points[:, :2].min(axis=0), points[:, :2].max(axis=0)
    np.testing.assert_allclose((low + high) / 2, [200, 100], atol=1e-6)
    size = (high - low) / (320, 160)
    assert size.max() == pytest.approx(1.0, abs=5e-3)
    assert points[:, 2].min() > 0


def test_orthographic_pictures_have_the_machine_where_the_scale_says():
    toy = robot(link("base", box(4.0, 2.0, 1.0)))
    scene = make_scene(toy, Placed())
    camera = orthographic(scene, *FRONT, 100, 60, pixels_per_metre=20.0)
    seen = render(scene, camera, ground=False).owner >= 0
    expected = np.zeros_like(seen)
    expected[20:40, 10:90] = True
    np.testing.assert_array_equal(seen, expected)


def test_what_is_in_front_is_seen_and_the_background_is_white():
    toy = robot(link("back", box(2.0, 0.2, 2.0)), link("front", box(1.0, 0.2, 1.0)))
    state = Placed(front=pose((0.0, -1.0, 0.0), (0.0, 0.0, 0.0)))
    scene = make_scene(toy, state)
    picture = render(scene, orthographic(scene, *FRONT, 80, 80), ground=False)
    assert picture.owner[40, 40] == 1
    assert picture.owner[10, 40] == 0
    assert picture.owner[0, 0] == -1
    assert (picture.image[0, 0] == 255).all()


def test_of_faces_in_one_plane_the_later_is_seen_whole():
    toy = robot(
        link("base", box(2.0, 1.0, 2.0), box(1.0, 1.0, 1.0, (0.1, 0.1, 0.9, 1.0))),
    )
    scene = make_scene(toy, Placed(base=pose((0.3, 0.1, 0.7), (0.0, 0.4, 0.0))))
    for camera in (orthographic(scene, *FRONT, 90, 90), perspective(scene, (0.3, -1, 0.2), 90, 90)):
        image = render(scene, camera, ground=False).image.astype(int)
        middle = image[40:48, 40:48]
        assert (middle[..., 2] > middle[..., 0]).all()


def test_colours_and_lines_come_out():
    toy = robot(link("base", box(1.0, 1.0, 1.0, (0.1, 0.8, 0.1, 1.0))))
    scene = make_scene(toy, Placed())
    image = render(scene, orthographic(scene, *FRONT, 60, 60), ground=False).image.astype(int)
    face, outline = image[30, 30], image[30, 2]
    assert face[1] > face[0] + 50
    assert outline.sum() < face.sum()


def test_the_ground_takes_a_shadow():
    toy = robot(link("base", box(1.0, 1.0, 1.0), box(0.1, 0.1, 0.1, translation=[0, 0, -3.0])))
    scene = make_scene(toy, Placed())
    image = render(scene, perspective(scene, (0.5, -0.7, 0.4), 200, 160, margin=(0.3, 0.1))).image
    owner = render(scene, perspective(scene, (0.5, -0.7, 0.4), 200, 160, margin=(0.3, 0.1))).owner
    ground = image[owner < 0]
    assert ground.min() < 225  # the shadow
    assert (ground == 255).mean() > 0.3


def test_odd_sizes_and_coarse_sampling_are_fine():
    scene = make_scene(robot(link("base", box(1.0, 1.0, 1.0))), Placed())
    for factor in (1, 2, 3):
        picture = render(scene, orthographic(scene, *ABOVE, 61, 37), factor=factor)
        assert picture.image.shape == (37, 61, 3)
        assert picture.owner.shape == (37, 61)


def test_bodies_of_the_3dt_file_are_drawn():
    machine = headframe.load("sths")
    model = read_for(machine.robot, machine.folder).model
    scene = make_scene(machine.robot, machine.home, machine.folder)
    assert len(scene.triangles) == model.counts["triangles"]
    assert len(set(scene.identity[:, 1].tolist())) == model.counts["bodies"]
    plain = make_scene(machine.robot, machine.home)  # no folder: the visuals
    for low, high in zip(scene.bounds, plain.bounds, strict=True):
        np.testing.assert_allclose(low, high, atol=0.25)  # hoses and bolts stand out a little
