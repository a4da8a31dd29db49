"""Inertias that no body has: by how much, and the nearest that one has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from headframe.description.inertia import excess, nearest
from headframe.description.model import Inertial
from headframe.spatial import matrix_from_rpy

moments = st.tuples(*[st.floats(-3.0, 3.0) for _ in range(3)])
turns = st.tuples(*[st.floats(-3.0, 3.0) for _ in range(3)])


def tensor(moments, rpy=(0.0, 0.0, 0.0)):
    R = matrix_from_rpy(rpy)
    return R @ np.diag(moments) @ R.T


def inertial(I):
    return Inertial.make(mass=1.0, inertia=tuple(map(tuple, I.tolist())))


def test_by_how_much():
    assert excess(inertial(tensor((1.0, 1.0, 2.0)))) == 0.0
    assert excess(inertial(tensor((1.0, 1.0, 2.5), (0.3, 0.2, 0.1)))) == pytest.approx(0.5)
    assert excess(inertial(tensor((-0.5, 2.0, 1.0)))) == pytest.approx(1.5)
    assert excess(inertial(np.zeros((3, 3)))) == 0.0


@given(moments, turns)
def test_the_nearest_is_one_that_a_body_has_and_stays_as_it_is(values, rpy):
    mended = nearest(tensor(values, rpy))
    a, b, c = np.linalg.eigvalsh(mended)
    assert a >= -1e-9
    assert c - a - b <= 1e-9
    assert nearest(mended) == pytest.approx(mended, abs=1e-9)


@given(moments, turns)
def test_no_other_tensor_is_nearer(values, rpy):
    """Against a search over all second moments S = L L^T, in whatever axes: I = tr(S) 1 - S."""
    given_ = tensor(values, rpy)
    mended = nearest(given_)

    def distance(x):
        L = np.zeros((3, 3))
        L[np.tril_indices(3)] = x
        S = L @ L.T
        return ((np.trace(S) * np.eye(3) - S - given_) ** 2).sum()

    rng = np.random.default_rng(0)
    best = min(minimize(distance, rng.normal(size=6)).fun for _ in range(3))
    assert ((mended - given_) ** 2).sum() <= best + 1e-6


def test_a_known_case():
    """Thin rods added up: moments (1, 1, 3) lie 1 beyond the plane a + b = c."""
    assert nearest(tensor((1.0, 1.0, 3.0))) == pytest.approx(np.diag([4 / 3, 4 / 3, 8 / 3]))
    assert nearest(-np.eye(3)) == pytest.approx(np.zeros((3, 3)))
