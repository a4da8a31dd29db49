"""Shapes with broken edges: closed, of the right size, with normals that look outwards."""

import numpy as np
import pytest
import trimesh

from headframe.description import Box, Capsule, ChainLink, Cone, Cylinder, Hull, Sphere, Torus
from headframe.description.meshes import triangles_of
from headframe.description.rounded import rounded, segments_of

SHAPES = [
    Box(type="box", x=1.0, y=0.5, z=0.2),
    Box(type="box", x=0.01, y=0.02, z=0.5),
    Cylinder(type="cylinder", r1=0.5, r2=0.5, h=2.0),
    Cylinder(type="cylinder", r1=0.5, r2=0.2, h=1.0),
    Cylinder(type="cylinder", r1=0.01, r2=0.01, h=0.3),
    Capsule(type="capsule", r=0.2, h=1.0),
    Sphere(type="sphere", r=0.7),
    Cone(type="cone", r=0.3, h=0.8),
    Torus(type="torus", R=0.4, r=0.05),
    Torus(type="torus", R=0.4, r=0.05, arc=2.0),
    ChainLink(type="chain_link", R=0.1, r=0.04, length=0.3),
    Hull(type="hull", points=((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1))),
]


def welded(vertices, faces):
    return trimesh.Trimesh(vertices, faces, process=True)


@pytest.mark.parametrize("detail", [1.0, 0.35])
@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.type)
def test_surfaces_are_closed_and_of_the_shapes_size(shape, detail):
    vertices, faces, normals = rounded(shape, detail)
    mesh, plain = welded(vertices, faces), welded(*triangles_of(shape))
    assert mesh.is_watertight
    assert mesh.is_winding_consistent
    # the ends of a truncated cone keep their radii, which adds a little beside the chamfer
    assert 0.6 * plain.volume < mesh.volume <= plain.volume * 1.005
    if detail == 1.0:
        # a polygon of n sides, n a multiple of 2 but perhaps not of 4, is narrower across
        aside = 1 - np.cos(np.pi / segments_of(float(plain.bounds[1][0])))
        assert np.abs(mesh.bounds - plain.bounds).max() <= aside * plain.bounds[1][0] + 1e-12
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1.0, atol=1e-12)
    flat = np.cross(
        vertices[faces[:, 1]] - vertices[faces[:, 0]], vertices[faces[:, 2]] - vertices[faces[:, 0]]
    )
    assert (np.einsum("fi,fci->fc", flat, normals[faces]) > -1e-12).all()


def test_a_chamfer_is_small_and_flat_sides_stay_flat():
    vertices, faces, normals = rounded(Box(type="box", x=1.0, y=1.0, z=0.1))
    assert (len(vertices), len(faces)) == (24, 44)
    np.testing.assert_array_equal(np.abs(normals).max(axis=1), 1.0)
    inset = 0.5 - np.sort(np.abs(vertices), axis=1)[:, 1]
    assert inset.max() == pytest.approx(0.008)  # 8 % of the smallest edge
    vertices, _, _ = rounded(Box(type="box", x=5.0, y=5.0, z=5.0))
    assert (2.5 - np.abs(vertices).min()) == pytest.approx(0.015)  # 15 mm at most


@pytest.mark.parametrize("shape", SHAPES[5:7], ids=lambda shape: shape.type)
def test_shapes_without_edges_are_those_of_the_other_meshes(shape):
    """With 32 segments the vertices are the same, but for the poles, which are there often."""
    ours = np.unique(np.round(rounded(shape)[0], 9) + 0.0, axis=0)
    theirs = np.unique(np.round(triangles_of(shape)[0], 9) + 0.0, axis=0)
    np.testing.assert_allclose(ours, theirs, atol=2e-9)


def test_less_detail_is_fewer_triangles():
    counts = [len(rounded(SHAPES[2], detail)[1]) for detail in (1.0, 0.75, 0.5, 0.25)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] < counts[0] / 3
