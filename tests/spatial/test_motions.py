"""Logarithms and exponentials of poses against scipy and against their own laws."""

import math
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import expm, logm
from scipy.spatial.transform import Rotation

import headframe
from headframe.errors import StateError
from headframe.spatial import (
    adjoint,
    compose,
    exp_pose,
    invert,
    log_pose,
    pose,
    pose_error,
    skew,
)

AXES = [(1, 0, 0), (0, -1, 0), (0, 0, 1), (0.6, 0, -0.8), (-0.48, 0.6, 0.64), (1e-9, -1, 0)]
NEAR_NOTHING = [0.0, 5e-324, 1e-200, 1e-160, 1e-17, 1e-9, 1e-8, 3e-8, 1e-7, 1e-4, 1e-2]
NEAR_HALF_A_TURN = [0.0, 1e-16, 1e-13, 1e-9, 1e-8, 1e-7, 1e-4, 1e-2]
motions = st.tuples(*[st.floats(-1.8, 1.8)] * 6)  # angles up to 3.12


def generator(xi):
    """The 4x4 matrix whose exponential is the pose of a 6-vector."""
    matrix = np.zeros((4, 4))
    matrix[:3, :3] = skew(xi[:3])
    matrix[:3, 3] = xi[3:]
    return matrix


def random_motions(count, largest, seed=7):
    """6-vectors with angles spread evenly up to `largest` [rad]."""
    rng = np.random.default_rng(seed)
    axes = rng.normal(size=(count, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    angles = np.linspace(0.0, largest, count)[:, np.newaxis]
    return np.hstack([angles * axes, rng.uniform(-2, 2, size=(count, 3))])


@given(motions)
def test_exp_agrees_with_the_matrix_exponential(xi):
    np.testing.assert_allclose(exp_pose(xi), expm(generator(np.array(xi))), atol=1e-13)


@pytest.mark.parametrize("xi", random_motions(24, 3.1))
def test_log_agrees_with_the_matrix_logarithm(xi):
    X = exp_pose(xi)
    np.testing.assert_allclose(generator(log_pose(X)), logm(X).real, atol=1e-12)


@given(motions)
def test_log_takes_exp_back(xi):
    np.testing.assert_allclose(log_pose(exp_pose(xi)), xi, atol=1e-13)


def test_angles_beyond_half_a_turn_come_back_the_other_way_round():
    np.testing.assert_allclose(
        log_pose(exp_pose((0, 0, 4.0, 0, 0, 1.5))), (0, 0, 4 - math.tau, 0, 0, 1.5), atol=1e-14
    )


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("angle", NEAR_NOTHING)
def test_near_no_rotation(axis, angle):
    omega = angle * np.array(axis)
    rho = np.array([0.3, -2.0, 0.7])
    X = exp_pose([*omega, *rho])
    # p = (1 + W/2 + W^2/6 + ...) rho; the first term left out is at most angle^5 |rho| / 720
    W = skew(omega)
    series = np.eye(3) + W / 2 + W @ W / 6 + W @ W @ W / 24 + W @ W @ W @ W / 120
    np.testing.assert_allclose(X[:3, 3], series @ rho, rtol=0, atol=1e-15 + 3e-3 * angle**5)
    found = log_pose(X)
    # to all digits, down to the smallest numbers there are
    np.testing.assert_allclose(found[:3], omega, rtol=0, atol=1e-323 + 1e-15 * angle)
    np.testing.assert_allclose(found[3:], rho, rtol=0, atol=2e-15)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("missing", NEAR_HALF_A_TURN)
def test_near_half_a_turn(axis, missing):
    angle = math.pi - missing
    X = compose(Rotation.from_rotvec(angle * np.array(axis)).as_matrix(), (0.3, -2.0, 0.7))
    xi = log_pose(X)
    assert abs(np.linalg.norm(xi[:3]) - angle) < 1e-12
    np.testing.assert_allclose(exp_pose(xi), X, atol=3e-15)
    if missing > 1e-12:
        np.testing.assert_allclose(xi[:3], angle * np.array(axis), atol=1e-12)


@pytest.mark.parametrize("axis", AXES)
def test_at_exactly_half_a_turn_one_axis_is_chosen(axis):
    """With R = 2 u u^T - 1, w is exactly 0, and nothing but the rule tells u from -u."""
    u = np.array(axis, dtype=float)
    X = compose(2 * np.outer(u, u) - np.eye(3), (1.0, 2.0, 3.0))
    xi, same = log_pose(X), log_pose(compose(X[:3, :3].T, X[:3, 3]))
    np.testing.assert_array_equal(xi, same)
    largest = np.argmax(np.abs(u))
    assert xi[largest] > 0
    np.testing.assert_allclose(xi[:3], math.pi * u * np.sign(u[largest]), atol=1e-12)
    np.testing.assert_allclose(exp_pose(xi), X, atol=3e-15)


def test_pose_error_is_the_way_from_one_pose_to_the_other():
    X_WA = pose((1, 2, 3), (0.3, -0.4, 0.5))
    X_WB = pose((-1, 0.5, 2), (-0.7, 1.1, 2.0))
    error = pose_error(X_WA, X_WB)
    np.testing.assert_allclose(error, log_pose(invert(X_WA) @ X_WB), atol=1e-14)
    np.testing.assert_allclose(X_WA @ exp_pose(error), X_WB, atol=1e-14)
    np.testing.assert_allclose(pose_error(X_WB, X_WA), -error, atol=1e-14)
    np.testing.assert_allclose(pose_error(X_WB, X_WB), 0.0, atol=1e-15)
    assert headframe.pose_error is pose_error


def test_angular_part_comes_first():
    X_WA = pose((1, 2, 3), (0, 0, math.pi / 2))
    turned = X_WA @ pose((0, 0, 0), (0.2, 0, 0))
    shifted = X_WA @ pose((0, 0, 0.4), (0, 0, 0))
    np.testing.assert_allclose(pose_error(X_WA, turned), (0.2, 0, 0, 0, 0, 0), atol=1e-15)
    np.testing.assert_allclose(pose_error(X_WA, shifted), (0, 0, 0, 0, 0, 0.4), atol=1e-15)


def test_adjoint_carries_motions_from_frame_to_frame():
    X_AB = pose((1, -2, 3), (0.3, -0.4, 0.5))
    xi = np.array([0.3, 0.5, -0.9, 0.2, 1.0, -0.4])
    expected = X_AB @ exp_pose(xi) @ invert(X_AB)
    np.testing.assert_allclose(exp_pose(adjoint(X_AB) @ xi), expected, atol=1e-14)
    np.testing.assert_allclose(adjoint(X_AB) @ adjoint(invert(X_AB)), np.eye(6), atol=1e-14)


def test_stacks_give_what_single_ones_give():
    xi = random_motions(12, 3.14).reshape(3, 4, 6)
    X = exp_pose(xi)
    assert X.shape == (3, 4, 4, 4)
    errors = pose_error(X[:, :1], X)
    assert errors.shape == (3, 4, 6)
    for i, j in np.ndindex(3, 4):
        np.testing.assert_allclose(X[i, j], exp_pose(xi[i, j]), atol=1e-15)
        np.testing.assert_allclose(log_pose(X)[i, j], log_pose(X[i, j]), atol=1e-15)
        np.testing.assert_allclose(errors[i, j], pose_error(X[i, 0], X[i, j]), atol=1e-15)
        np.testing.assert_allclose(adjoint(X)[i, j], adjoint(X[i, j]), atol=1e-15)
    assert pose_error(np.eye(4), X[0]).shape == (4, 6)
    assert log_pose(np.zeros((0, 4, 4))).shape == (0, 6)
    assert exp_pose(np.zeros((0, 6))).shape == (0, 4, 4)


def test_arguments_stay_as_they_are():
    X = pose((1, 2, 3), (0.3, -0.4, 0.5))
    before = X.copy()
    log_pose(X)[:] = pose_error(X, X)
    adjoint(X)[:] = 0.0
    np.testing.assert_array_equal(X, before)


MIRROR = np.diag([1.0, 1.0, -1.0, 1.0])
STRETCHED = np.diag([1.0, 1.0 + 2e-6, 1.0, 1.0])
HUGE = np.diag([1e200, 1.0, 1.0, 1.0])
PROJECTIVE = np.eye(4) + np.outer((0, 0, 0, 1), (0, 0.1, 0, 0))
NOT_A_NUMBER = np.where(np.eye(4, k=3) > 0, np.nan, np.eye(4))
BAD_POSES = [
    pytest.param(np.eye(3), r"found shape \(3, 3\), expected \(\.\.\., 4, 4\)", id="3x3"),
    pytest.param(np.eye(4)[:3], r"found shape \(3, 4\), expected \(\.\.\., 4, 4\)", id="3x4"),
    pytest.param(1.0, r"found shape \(\), expected", id="number"),
    pytest.param("pose", "found 'pose', expected numbers", id="text"),
    pytest.param([[1, 2], [3]], "expected numbers", id="ragged"),
    pytest.param(None, "expected", id="nothing"),
    pytest.param(NOT_A_NUMBER, "found nan, expected finite", id="nan"),
    pytest.param(np.full((4, 4), -np.inf), "found -inf, expected finite", id="inf"),
    pytest.param(STRETCHED, r"off the identity by 4e-06, expected a rotation", id="stretched"),
    pytest.param(HUGE, "off the identity by inf", id="huge"),
    pytest.param(MIRROR, "det R = -1, expected det R = 1", id="mirror"),
    pytest.param(PROJECTIVE, r"last row \[0\.  0\.1 0\.  1\. \], expected", id="projective"),
    pytest.param([np.eye(4), MIRROR], "det R = -1", id="second of a stack"),
]


@pytest.mark.parametrize(("bad", "message"), BAD_POSES)
def test_what_is_no_pose_is_refused(bad, message):
    for function in (log_pose, adjoint):
        with pytest.raises(StateError, match=rf"^X: .*{message}"):
            function(bad)
    with pytest.raises(StateError, match=rf"^X: .*{message}"):
        pose_error(bad, np.eye(4))
    with pytest.raises(StateError, match=rf"^Y: .*{message}"):
        pose_error(np.eye(4), bad)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.zeros(5), r"found shape \(5,\), expected \(\.\.\., 6\)"),
        (0.0, r"found shape \(\)"),
        ([0, 0, np.inf, 0, 0, 0], "found inf, expected finite numbers"),
        ("motion", "found 'motion', expected numbers"),
    ],
)
def test_what_is_no_motion_is_refused(bad, message):
    with pytest.raises(StateError, match=f"^xi: {message}"):
        exp_pose(bad)


def test_stacks_that_do_not_fit_are_refused():
    two, three = np.tile(np.eye(4), (2, 1, 1)), np.tile(np.eye(4), (3, 1, 1))
    with pytest.raises(StateError, match=r"found shapes \(2, 4, 4\) and \(3, 4, 4\)"):
        pose_error(two, three)


def test_a_pose_with_rounding_in_it_is_taken():
    X = np.eye(4)
    X[:3, :3] *= 1 + 1e-7
    np.testing.assert_allclose(log_pose(X), 0.0, atol=1e-15)


def test_no_compiled_code_is_loaded():
    code = "import sys, headframe; headframe.pose_error; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
