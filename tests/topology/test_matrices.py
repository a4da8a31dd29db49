"""The matrices that the MineRobot paper prints in Eq. (23), with the column that its text lost."""

import numpy as np

import headframe as hf
from headframe.topology import matrices

EDGES = {(0, 1), (1, 2), (2, 3), (2, 4), (2, 5), (3, 0), (4, 7), (7, 8), (8, 9), (9, 10), (10, 7)}


def test_joint_matrix_of_the_top_coal_caving_support():
    found = matrices(hf.load("tcchs").topology)
    assert found.J.shape == (33, 33)
    expected = np.zeros((33, 33), dtype=int)
    for edge in EDGES:
        expected[edge] = 1
    expected[5, 6] = 2
    np.testing.assert_array_equal(found.J, expected)


def test_contracted_matrix_has_generalized_joints():
    J = matrices(hf.load("tcchs").topology).J_contracted
    assert {(int(a), int(b)) for a, b in zip(*np.nonzero(J == 4), strict=True)} == {(0, 2), (7, 8)}


def test_tubes_rods_and_redundancy():
    found = matrices(hf.load("tcchs").topology)
    assert (found.At.sum(axis=1) == 1).all()
    assert (found.Ar.sum(axis=1) == 1).all()
    assert found.At[3, 11 + 6] == 1
    assert found.Ar[3, 11 + 7] == 1
    pairs = np.kron(np.eye(5, dtype=int), np.ones((2, 2), dtype=int))
    np.testing.assert_array_equal(found.Rd[:10, :10], pairs)
    assert found.Rd[10].tolist() == [0] * 10 + [1]
