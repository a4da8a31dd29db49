"""Spheres that hold shapes, and sizes that are refused."""

import math

import numpy as np
import pytest

from contact_scenes import random_sizes
from headframe.contact import bounding_radius
from headframe.contact.kernels import BOUNDS, SHAPE, ShapeKind, put_bounds
from headframe.errors import StateError
from headframe.jit import new_records

K = ShapeKind
SIZED = [kind for kind in K if kind not in (K.HULL, K.MESH, K.TRIANGLE)]


@pytest.mark.parametrize("kind", SIZED)
def test_the_sphere_holds_the_box_along_the_axes_through_the_middle(kind):
    random = np.random.default_rng(kind)
    for _ in range(20):
        sizes = random_sizes(kind, random)
        record, box = new_records(1, SHAPE)[0], new_records(1, BOUNDS)[0]
        record.kind = kind
        record.sizes[: len(sizes)] = sizes
        put_bounds(record, np.eye(3, 4), np.zeros(1), 0.0, box)
        assert bounding_radius(kind, sizes) >= max(*box.high, *(-box.low)) - 1e-12
        if kind == K.BOX:
            assert bounding_radius(kind, sizes) == pytest.approx(np.linalg.norm(sizes))


def test_wrong_sizes_are_refused_by_name():
    with pytest.raises(StateError, match="capsule: half height: found 0"):
        bounding_radius(K.CAPSULE, (1.0, 0.0))
    with pytest.raises(StateError, match="sphere: radius: found nan"):
        bounding_radius(K.SPHERE, (math.nan,))
    with pytest.raises(StateError, match="sizes of a box"):
        bounding_radius(K.BOX, (1.0,))
    with pytest.raises(StateError, match="kind"):
        bounding_radius(K.MESH, ())
    assert bounding_radius(K.CYLINDER, (1.0, 0.0, 1.0)) == pytest.approx(math.sqrt(2.0))
