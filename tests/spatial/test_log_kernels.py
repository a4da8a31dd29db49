"""Kernels of the logarithm: exact series, matrix functions, finite differences."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from scipy.linalg import expm

from finite_differences import central
from headframe.spatial import exp_pose, log_pose, pose_error, skew
from headframe.spatial import pose_logarithm as kernels

ANGLES = [0.0, 1e-200, 1e-9, 1e-5, 1e-3, 0.03, 0.3, 1.0, 2.0, 2.9, 3.1]


@pytest.fixture(params=["compiled", "python"])
def run(request):
    """Call a kernel by name, the one way or the other."""

    def call(name, *arguments):
        kernel = getattr(kernels, name)
        return (kernel if request.param == "compiled" else kernel.py_func)(*arguments)

    return call


def unit(rng, size):
    vector = rng.normal(size=size)
    return vector / np.linalg.norm(vector)


def samples():
    """(e, lambda, a_i, a_j) at every angle and at random ones; a_i and a_j are of length 1."""
    rng = np.random.default_rng(11)
    for angle in [*ANGLES, *rng.uniform(0.0, 3.1, size=20)]:
        e = np.concatenate([angle * unit(rng, 3), rng.uniform(-2, 2, size=3)])
        yield e, rng.normal(size=6), unit(rng, 6), unit(rng, 6)


def bracket(e):
    """Matrix of x -> [e, x], (6, 6)."""
    matrix = np.zeros((6, 6))
    matrix[:3, :3] = matrix[3:, 3:] = skew(e[:3])
    matrix[3:, :3] = skew(e[3:])
    return matrix


def logarithm(run, X, Y):
    e = np.full(6, np.nan)
    run("pose_log", X, Y, e)
    return e


def moved_logarithm(run, a, e):
    """log(exp(a) exp(e))."""
    return logarithm(run, exp_pose(-a), exp_pose(e))


def rates(run, e, a):
    c2, c4, _, _ = run("log_coefficients", e[:3] @ e[:3])
    de = np.full(6, np.nan)
    run("log_rates", e, a, c2, c4, de)
    return de


def curvature(run, e, multipliers, a):
    n = np.full(6, np.nan)
    run("log_curvature", e, multipliers, a, *run("log_coefficients", e[:3] @ e[:3]), n)
    return n


@cache
def bernoulli(count):
    """The first `count` Bernoulli numbers, exactly."""
    numbers = [Fraction(1)]
    for k in range(1, count):
        known = sum(math.comb(k + 1, j) * number for j, number in enumerate(numbers))
        numbers.append(-known / (k + 1))
    return numbers


def exact_coefficients(phi2):
    """(c2, c4, dc2, dc4) from the Taylor series of G in exact arithmetic, for phi < 4.

    G(y) = sum over k >= 1 of B_2k y^k / (2k)!, whose terms fall by (phi / 2 pi)^2: after 75 of
    them what is left is below 1e-25.
    """
    y = -Fraction(phi2)
    terms = [bernoulli(152)[2 * k] / math.factorial(2 * k) for k in range(76)]
    terms[0] = Fraction(0)

    def powers(shift):
        """All k from `shift` on, with the term of y^k divided by y^shift."""
        return [(k, terms[k] * y ** (k - shift)) for k in range(shift, 76)]

    # c4 = (G' y - G) / y^2 and c2 = (2 G - G' y) / y; d/dphi / phi = -2 d/dy
    c4 = sum((k - 1) * term for k, term in powers(2))
    c2 = sum((2 - k) * term for k, term in powers(1))
    dc4 = -2 * sum((k - 1) * (k - 2) * term for k, term in powers(3))
    dc2 = -2 * sum((2 - k) * (k - 1) * term for k, term in powers(2))
    return [float(c) for c in (c2, c4, dc2, dc4)]


def test_every_kernel_compiles():
    kernels.warm_up()


@pytest.mark.parametrize("phi", [*ANGLES, math.pi, 4.0])
def test_coefficients_are_right_to_the_last_digits(run, phi):
    found = run("log_coefficients", phi**2)
    np.testing.assert_allclose(found, exact_coefficients(phi**2), rtol=2e-15, atol=0)


@pytest.mark.parametrize("phi", [4.5, 5.0, 5.5, 6.0])
def test_coefficients_beyond_half_a_turn(run, phi):
    """Value and slope of G at y = -phi^2, where nothing cancels."""
    c2, c4, _, _ = run("log_coefficients", phi**2)
    y, half = -(phi**2), phi / 2
    cot = math.cos(half) / math.sin(half)
    slope = (half * (1 + cot**2) - cot) / (4 * phi)  # dG/dphi = cot/2 - (phi/4) (1 + cot^2)
    assert c2 * y + c4 * y**2 == pytest.approx(half * cot - 1, rel=1e-13)
    assert c2 + 2 * c4 * y == pytest.approx(slope, rel=1e-13)


def test_logarithms_agree_with_the_public_ones(run):
    rng = np.random.default_rng(5)
    for angle in [*ANGLES, 3.14, math.pi - 1e-9, *rng.uniform(0, math.pi, size=40)]:
        axis = rng.permutation([1.0, *rng.uniform(-1, 1, size=2)])
        xi = np.concatenate([angle * axis / np.linalg.norm(axis), rng.uniform(-2, 2, size=3)])
        X = exp_pose(rng.uniform(-1.5, 1.5, size=6))
        Y = X @ exp_pose(xi)
        e = logarithm(run, X, Y)
        np.testing.assert_allclose(e, xi, atol=2e-14)
        np.testing.assert_allclose(e, pose_error(X, Y), atol=2e-14)
        np.testing.assert_array_equal(logarithm(run, X[:3].copy(), Y[:3].copy()), e)


@pytest.mark.parametrize("angle", [1e-300, 1e-160, 1e-17, 1e-9, 0.9e-8, 1.1e-8, 2e-8, 3e-8, 1e-6])
def test_logarithms_near_no_rotation(run, angle):
    xi = np.array([0.6 * angle, 0.0, -0.8 * angle, 0.3, -2.0, 0.7])
    e = logarithm(run, np.eye(4), exp_pose(xi))
    np.testing.assert_allclose(e[:3], xi[:3], rtol=1e-14)
    np.testing.assert_allclose(e[3:], xi[3:], rtol=0, atol=1e-15)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, -1, 0), (0, 0, 1), (-0.48, 0.6, 0.64)])
@pytest.mark.parametrize("missing", [0.0, 1e-16, 1e-13, 1e-8, 1e-4])
def test_logarithms_near_half_a_turn(run, axis, missing):
    X = exp_pose([*((math.pi - missing) * np.array(axis)), 0.3, -2.0, 0.7])
    e = logarithm(run, np.eye(4), X)
    assert abs(np.linalg.norm(e[:3]) - (math.pi - missing)) < 1e-12
    np.testing.assert_allclose(exp_pose(e), X, atol=3e-15)
    np.testing.assert_allclose(e, log_pose(X), atol=1e-14)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, -1, 0), (0, 0, -1), (-0.48, 0.6, -0.64)])
def test_logarithms_at_exactly_half_a_turn(run, axis):
    X = np.eye(4)
    X[:3, :3] = 2 * np.outer(axis, axis) - np.eye(3)
    e = logarithm(run, np.eye(4), X)
    np.testing.assert_allclose(e, log_pose(X), atol=1e-15)
    np.testing.assert_allclose(np.abs(e[:3]), math.pi * np.abs(axis), atol=1e-14)


def test_rates_are_the_inverse_of_the_left_jacobian(run):
    """Jl is the integral of exp(t ad) from 0 to 1, a block of one larger exponential."""
    for e, _, a, _ in samples():
        block = np.zeros((12, 12))
        block[:6, :6], block[:6, 6:] = bracket(e), np.eye(6)
        Jl = expm(block)[:6, 6:]
        np.testing.assert_allclose(Jl @ rates(run, e, a), a, atol=2e-14)


def test_rates_are_those_of_the_logarithm(run):
    for e, _, a, _ in samples():
        expected = central(lambda s, a=a, e=e: moved_logarithm(run, s * a, e))
        np.testing.assert_allclose(rates(run, e, a), expected, atol=3e-9)


def test_rates_may_take_the_place_of_what_they_are_of(run):
    e, _, a, _ = next(samples())
    expected = rates(run, e, a)
    c2, c4, _, _ = run("log_coefficients", e[:3] @ e[:3])
    run("log_rates", e, a, c2, c4, a)
    np.testing.assert_array_equal(a, expected)


def test_curvature_is_the_gradient_of_the_rates(run):
    for e, multipliers, a, _ in samples():
        expected = [
            central(lambda s, v=v, e=e, m=multipliers, a=a: m @ rates(run, e + s * v, a))
            for v in np.eye(6)
        ]
        np.testing.assert_allclose(curvature(run, e, multipliers, a), expected, atol=3e-9)


def mixed_difference(function, h):
    """Second derivative of function(s, t) by s and t at 0, with an error of the order h^2."""
    return (function(h, h) - function(h, -h) - function(-h, h) + function(-h, -h)) / (4 * h * h)


def test_curvature_gives_the_second_derivative_of_the_logarithm(run):
    """By second differences, extrapolated.

    With steps of 4e-3 and 2e-3 the error left over is of the order h^4 = 6e-11 times a sixth
    derivative, and logarithms good to 1e-15 add 1e-15 / h^2 = 3e-10. The largest steps are half of
    what is missing to half a turn at 3.1 rad.
    """
    for e, multipliers, a_i, a_j in samples():

        def value(s, t, e=e, m=multipliers, a_i=a_i, a_j=a_j):
            return m @ moved_logarithm(run, s * a_i + t * a_j, e)

        coarse, fine = mixed_difference(value, 4e-3), mixed_difference(value, 2e-3)
        found = 0.5 * (
            curvature(run, e, multipliers, a_j) @ rates(run, e, a_i)
            + curvature(run, e, multipliers, a_i) @ rates(run, e, a_j)
        )
        assert found == pytest.approx((4 * fine - coarse) / 3, abs=3e-9)
