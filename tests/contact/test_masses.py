"""Masses and inertias of shapes against fine meshes, boxes of random points and known forms."""

import math

import numpy as np
import pytest
import trimesh

from headframe.contact import inertial_of
from headframe.contact.masses import moments_of, of_surface
from headframe.contact.shapes import Faceted
from headframe.description import CollisionShape
from headframe.description.bent import bent_bar
from headframe.description.mjcf.inertia import primitive

SHAPES = {
    "sphere": {"type": "sphere", "r": 0.7},
    "box": {"type": "box", "x": 1.0, "y": 2.0, "z": 0.5},
    "capsule": {"type": "capsule", "r": 0.3, "h": 1.2},
    "cylinder": {"type": "cylinder", "r1": 0.4, "r2": 0.4, "h": 1.2},
    "frustum": {"type": "cylinder", "r1": 0.6, "r2": 0.2, "h": 1.5},
    "cone": {"type": "cone", "r": 0.6, "h": 1.5},
    "torus": {"type": "torus", "R": 0.8, "r": 0.3},
    "arc": {"type": "torus", "R": 0.8, "r": 0.3, "arc": 2.0},
    "long arc": {"type": "torus", "R": 0.8, "r": 0.1, "arc": 5.0},
    "chain_link": {"type": "chain_link", "R": 0.5, "r": 0.2, "length": 0.9},
    "hull": {"type": "hull", "points": [(0, 0, 0), (1, 0, 0), (0, 2, 0), (0, 0, 3), (1, 1, 1)]},
}


def shape(name, **more):
    return CollisionShape.make(geometry=SHAPES[name], **more)


def inside(name, points):
    """Which points lie in a shape, by its definition."""
    geometry = shape(name).geometry
    x, y, z = points.T
    away = np.hypot(x, y)
    match geometry.type:
        case "sphere":
            return np.linalg.norm(points, axis=1) < geometry.r
        case "box":
            return (np.abs(points) < np.array([geometry.x, geometry.y, geometry.z]) / 2).all(axis=1)
        case "capsule":
            beyond = np.maximum(np.abs(z) - geometry.h / 2, 0.0)
            return np.hypot(away, beyond) < geometry.r
        case "cylinder" | "cone":
            r1, r2 = (
                getattr(geometry, "r1", getattr(geometry, "r", 0)),
                getattr(geometry, "r2", 0.0),
            )
            radius = r1 + (r2 - r1) * (z / geometry.h + 0.5)
            return (np.abs(z) < geometry.h / 2) & (away < radius)
        case "torus":
            angle = np.clip(np.arctan2(y, x), -geometry.arc / 2, geometry.arc / 2)
            line = geometry.R * np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
            ends = geometry.R * np.array(
                [(math.cos(a), math.sin(a), 0) for a in (geometry.arc / 2, -geometry.arc / 2)]
            )
            near = np.linalg.norm(points - line, axis=1)
            for end in ends:
                near = np.minimum(near, np.linalg.norm(points - end, axis=1))
            return near < geometry.r
        case "chain_link":
            along = np.clip(x, -geometry.length / 2, geometry.length / 2)
            off = np.hypot(x - along, y)
            return np.hypot(off - geometry.R, z) < geometry.r
    return None


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "hull"])
def test_moments_against_random_points(name):
    """A million points in a box: four standard errors."""
    rng = np.random.default_rng(5)
    half = np.array([1.3, 1.3, 1.3])
    points = rng.uniform(-half, half, size=(1_000_000, 3))
    chosen = points[inside(name, points)]
    box = 8 * half.prod()
    found = moments_of(shape(name).geometry)
    share = len(chosen) / len(points)
    spread = 4 * box * math.sqrt(share * (1 - share) / len(points))
    assert found.volume == pytest.approx(share * box, abs=spread)
    np.testing.assert_allclose(found.first, chosen.sum(axis=0) * box / len(points), atol=2 * spread)
    second = chosen.T @ chosen * box / len(points)
    np.testing.assert_allclose(found.second, second, atol=2 * spread)


@pytest.mark.parametrize("name", ["torus", "arc", "long arc", "chain_link"])
def test_bent_bars_against_fine_meshes(name):
    """Of a polygon with n sides a part of 2 pi^2 / (3 n^2) is missing, of two twice that."""
    geometry = shape(name).geometry
    surface = Faceted(*bent_bar(geometry, 600, 600)[:2])
    found, wanted = moments_of(geometry), of_surface(surface)
    assert found.volume == pytest.approx(wanted.volume, rel=5e-5)
    np.testing.assert_allclose(found.first, wanted.first, atol=1e-4 * found.volume)
    np.testing.assert_allclose(found.second, wanted.second, atol=1e-4 * found.volume)


@pytest.mark.parametrize("name", ["sphere", "box", "capsule", "cylinder"])
def test_the_closed_forms_of_another_place_of_the_house(name):
    geometry = shape(name).geometry
    sizes = {
        "sphere": lambda g: (g.r,),
        "box": lambda g: (g.x / 2, g.y / 2, g.z / 2),
        "capsule": lambda g: (g.r, g.h / 2),
        "cylinder": lambda g: (g.r1, g.h / 2),
    }[name](geometry)
    wanted = primitive(name, sizes)
    found = inertial_of([shape(name)], density=1.0)
    assert found.mass == pytest.approx(wanted.mass, rel=1e-14)
    np.testing.assert_allclose(found.inertia, wanted.inertia, rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(found.com, 0.0, atol=1e-15)


def test_a_whole_ring_and_a_cone():
    """m (5/8 r^2 + R^2/2) across and m (3/4 r^2 + R^2) along; a cone's middle is at h/4."""
    ring = inertial_of([shape("torus")], mass=2.0)
    R, r = 0.8, 0.3
    np.testing.assert_allclose(
        np.diag(ring.inertia),
        2.0 * np.array([0.625 * r * r + R * R / 2] * 2 + [0.75 * r * r + R * R]),
        rtol=1e-13,
    )
    cone = inertial_of([shape("cone")], mass=2.0)
    np.testing.assert_allclose(cone.com, (0, 0, -1.5 / 4), atol=1e-14)
    assert cone.inertia[2][2] == pytest.approx(0.3 * 2.0 * 0.36)


def test_hulls_and_meshes_as_trimesh_has_them(tmp_path):
    hull = shape("hull")
    wanted = trimesh.convex.convex_hull(np.array(hull.geometry.points))
    wanted.density = 7.0
    found = inertial_of([hull], density=7.0)
    assert found.mass == pytest.approx(wanted.mass)
    np.testing.assert_allclose(found.com, wanted.center_mass, atol=1e-12)
    np.testing.assert_allclose(found.inertia, wanted.moment_inertia, atol=1e-12)
    wanted.export(tmp_path / "hull.obj")
    mesh = CollisionShape.make(geometry={"type": "mesh", "path": "hull.obj"})
    again = inertial_of([mesh], density=7.0, folder=tmp_path)
    np.testing.assert_allclose(again.inertia, found.inertia, rtol=1e-6, atol=1e-6)


def test_shapes_of_a_body_add_up_wherever_they_are():
    """A box that is cut in two, turned and moved."""
    place = {"orientation": (0.3, -0.5, 0.9)}
    whole = CollisionShape.make(geometry=SHAPES["box"], translation=(1, 2, 3), **place)
    half = {**SHAPES["box"], "y": 1.0}
    R = whole.pose[:3, :3]
    halves = [
        CollisionShape.make(
            geometry=half,
            translation=tuple((np.array([1, 2, 3]) + R @ (0, y, 0)).tolist()),
            **place,
        )
        for y in (-0.5, 0.5)
    ]
    one, two = (inertial_of(shapes, mass=10.0) for shapes in ([whole], halves))
    np.testing.assert_allclose(two.com, one.com, atol=1e-12)
    np.testing.assert_allclose(two.inertia, one.inertia, atol=1e-12)
    moments = np.linalg.eigvalsh(np.array(one.inertia))
    np.testing.assert_allclose(moments, 10.0 / 12 * np.array([1.25, 4.25, 5.0]), rtol=1e-12)
