"""The solids that the catalogue's models are made of: closed, outward, of the right size."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest
import trimesh

SCRIPTS = str(Path(__file__).parents[1] / "tools" / "catalogue")


@pytest.fixture(scope="module")
def s():
    """The kit, whose folder is only on the path while it is imported."""
    sys.path.insert(0, SCRIPTS)
    try:
        import solids
        import solids.hiding
        import solids.mesh

        yield solids
    finally:
        sys.path.remove(SCRIPTS)


def mesh_of(s, solid):
    solid = s.mesh.rounded_off(solid, 6)
    faces = [(f[0], f[i], f[i + 1]) for f in solid.faces for i in range(1, len(f) - 1)]
    return trimesh.Trimesh(solid.vertices, faces, process=True)


def ring_area(sides):
    """Area of a regular polygon in the unit circle."""
    return sides / 2 * math.sin(2 * math.pi / sides)


SHAPED = [(0, 0), (2, 0), (2, 1), (1, 0.4), (0, 1)]  # has an inward corner; its area is 1.4


SOLIDS = {
    "block": (lambda s: s.block((1, 2, 3), (4, 5, 6), bevel=0.0), 6.0),
    "bevelled block": (lambda s: s.block((1, 2, 3)), 6.0),
    "bar": (lambda s: s.bar((0, 0, 0), (3, 4, 0), 0.2, 0.3), 5 * 0.06),
    "plate": (lambda s: s.plate(SHAPED, 0.5, 0.04), 1.4 * 0.04),
    "prism": (lambda s: s.prism(SHAPED, 0.2, 0.01), 1.4 * 0.2),
    "gear": (lambda s: s.prism(s.gear(12, 0.3, 0.36), 0.1), 0.0328),
    "shaft": (lambda s: s.shaft((0, 0, 0), (0, 2, 0), 0.5), ring_area(20) * 0.25 * 2),
    "ball": (lambda s: s.ball((1, 1, 1), 0.5, 20), math.pi / 6),
    "ring": (
        lambda s: s.ring([(0, 1), (1, 1), (1, 0.5), (0, 0.5)], (0, 0, 0), (1, 0, 0)),
        ring_area(20) * 0.75,
    ),
    "hose": (lambda s: s.hose([(0, 0, 0), (1, 0, 0)], 0.02), ring_area(5) * 0.02**2),
    "spool": (lambda s: s.spool((0, 0, 0), 0.1, 0.5, (0, 1, 0)), 0.017),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_are_closed_and_face_outwards(s, name):
    make, volume = SOLIDS[name]
    for solid in (make(s), make(s).mirrored(), make(s).at((1, 2, 3), (0.1, 0.2, 0.3))):
        mesh = mesh_of(s, solid)
        assert mesh.is_watertight
        assert mesh.is_winding_consistent
        assert mesh.volume == pytest.approx(volume, rel=0.06)


def test_a_hose_passes_through_its_points(s):
    points = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)], dtype=float)
    solid = s.hose(points, 0.02)
    for point in points:
        assert np.linalg.norm(solid.vertices - point, axis=1).min() == pytest.approx(0.02, rel=0.01)


def test_bolts_stand_on_their_points(s):
    solid = s.flange((0, 0, 1), (0, 0, 1), 0.5, 6, 0.02)
    assert len(solid.pieces) == 6
    for piece in solid.pieces:
        assert piece.vertices[:, 2].min() == pytest.approx(1.0)
        assert np.linalg.norm(piece.vertices[:, :2].mean(axis=0)) == pytest.approx(0.5)


def test_faces_inside_another_solid_are_dropped(s):
    large, small = s.block((1, 1, 1), bevel=0.0), s.block((0.2, 0.2, 2.0), bevel=0.0)
    inside = s.block((0.3, 0.3, 0.3), bevel=0.0)
    cover = s.hiding.Cover([large, small, inside])
    assert len(cover.open_faces(large).faces) == 6
    assert len(cover.open_faces(small).faces) == 6  # each of its sides comes out somewhere
    assert cover.open_faces(inside).faces == ()


def test_an_open_or_hollow_solid_hides_nothing(s):
    inside = s.block((0.1, 0.1, 0.1), bevel=0.0)
    shell = s.without_foot(s.lathe([(-1, 1), (1, 1)], (0, 0, 0), (0, 0, 1)))
    tube = s.ring([(-1, 1), (1, 1), (1, 0.5), (-1, 0.5)], (0, 0, 0), (0, 0, 1))
    cover = s.hiding.Cover([inside, shell, tube])
    assert len(cover.open_faces(inside).faces) == 6


def test_names_are_made_unique(s):
    looks = s.Looks("toy")
    looks.component("a")
    for _ in range(3):
        looks.add("nut", "base", (0.5, 0.5, 0.5, 1.0), s.block((1, 1, 1)))
    assert [body.name for body in looks.model().bodies] == ["nut", "nut 2", "nut 3"]
