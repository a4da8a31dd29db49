"""Cholesky and inversion against NumPy, compiled and as plain Python."""

import numpy as np
import pytest

from headframe.dynamics import linear as kernels


@pytest.fixture(params=["compiled", "python"])
def linear(request):
    """The kernels by name."""

    def kernel(name):
        found = getattr(kernels, name)
        return found if request.param == "compiled" else found.py_func

    return kernel


def positive(n, random, worst=1e4):
    """A positive definite matrix of such a condition."""
    Q, _ = np.linalg.qr(random.normal(size=(n, n)))
    return (Q * np.geomspace(1.0, worst, n)) @ Q.T


@pytest.mark.parametrize("n", [0, 1, 2, 5, 9])
def test_cholesky(linear, n):
    random = np.random.default_rng(n)
    A, x = positive(n, random), random.normal(size=n)
    L = np.full((n, n), np.nan)  # nothing above the diagonal is read
    assert linear("factor")(A, L)
    lower = np.tril(L, -1) + np.diag(1.0 / np.diag(L))
    np.testing.assert_allclose(lower, np.linalg.cholesky(A), rtol=1e-10, atol=1e-12)
    b = A @ x
    linear("solve_factored")(L, b)
    np.testing.assert_allclose(b, x, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize(
    "A",
    [
        [[0.0]],
        [[-1.0]],
        [[np.nan]],
        [[1.0, 2.0], [2.0, 1.0]],
        [[1.0, 1.0], [1.0, 1.0]],
        [[1.0, 0.0], [0.0, np.nan]],
    ],
)
def test_no_factor_of_what_is_not_positive(linear, A):
    A = np.array(A)
    assert not linear("factor")(A, np.zeros_like(A))


def test_factor_leaves_the_matrix_alone(linear):
    A = positive(4, np.random.default_rng(4))
    before = A.copy()
    linear("factor")(A, np.zeros((4, 4)))
    assert np.array_equal(A, before)


@pytest.mark.parametrize("n", [0, 1, 3, 8])
def test_inverse(linear, n):
    random = np.random.default_rng(10 + n)
    A = np.eye(n) + 0.1 * random.normal(size=(n, n))  # near 1, and not symmetric
    found = A.copy()
    linear("invert")(found)
    np.testing.assert_allclose(found, np.linalg.inv(A), rtol=1e-11, atol=1e-12)
