"""Manifold's volumes of what two meshes have in common."""

import numpy as np
import pytest

from contact_scenes import POOL, pose, random_pose
from headframe.contact import closed_mesh, common_solid, filled

manifold3d = pytest.importorskip("manifold3d")

pytestmark = pytest.mark.crosscheck


def ring_mesh(R=0.7, r=0.25, n=24, m=12):
    """A torus of triangles."""
    u, v = (2.0 * np.pi * np.arange(k) / k for k in (n, m))
    x = (R + r * np.cos(v))[None, :] * np.cos(u)[:, None]
    y = (R + r * np.cos(v))[None, :] * np.sin(u)[:, None]
    z = np.broadcast_to(r * np.sin(v), (n, m))
    triangles = []
    for i in range(n):
        for j in range(m):
            p, q = i * m + j, ((i + 1) % n) * m + j
            s, t = i * m + (j + 1) % m, ((i + 1) % n) * m + (j + 1) % m
            triangles += [(p, q, t), (p, t, s)]
    return closed_mesh(np.stack([x, y, z], axis=-1).reshape(-1, 3), np.array(triangles))


MESHES = [*(hull.mesh for hull in POOL[::3]), ring_mesh()]


def theirs(mesh, X):
    """The same mesh there, where it stands."""
    points = mesh.points @ X[:, :3].T + X[:, 3]
    made = manifold3d.Mesh64(points, mesh.triangles.astype(np.uint64))
    return manifold3d.Manifold(made)


def compare(seed, number):
    """Compare random pairs; how many overlap."""
    random = np.random.default_rng(seed)
    seen = 0
    for _ in range(number):
        a, b = (MESHES[k] for k in random.integers(len(MESHES), size=2))
        X_WA, X_WB = random_pose(random, 0.5), random_pose(random, 0.5)
        common = theirs(a, X_WA) ^ theirs(b, X_WB)
        ours = common_solid(a, X_WA, b, X_WB)
        assert ours.volume == pytest.approx(common.volume(), abs=1e-7)
        if common.volume() < 1e-6:
            continue
        seen += 1
        made = common.to_mesh64()
        expected = filled(closed_mesh(made.vert_properties[:, :3], made.tri_verts.astype(int)))
        assert ours.centroid == pytest.approx(expected.centroid, abs=1e-6 / expected.volume)
        assert np.allclose(ours.inertia, expected.inertia, rtol=0, atol=1e-7)
    return seen


def test_common_volumes():
    assert compare(1, 60) > 20


@pytest.mark.slow
def test_common_volumes_of_many():
    compare(2, 5000)


def test_meshes_that_are_apart_or_inside_each_other():
    big, small = MESHES[0], MESHES[1]
    assert common_solid(big, pose(), small, pose((9.0, 0, 0))).volume == 0.0
    tiny = closed_mesh(small.points * 0.05, small.triangles)
    inside = big.points.mean(axis=0)
    found = common_solid(big, pose(), tiny, pose(inside))
    assert found.volume == pytest.approx(filled(tiny).volume)
    assert found.centroid == pytest.approx(filled(tiny).centroid + inside)
