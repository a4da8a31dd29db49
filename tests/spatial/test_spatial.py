"""Rotations and poses against scipy and against their own laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from headframe.errors import StateError
from headframe.spatial import (
    axis_angle_matrix,
    compose,
    invert,
    matrix_from_quaternion,
    matrix_from_rpy,
    perpendiculars,
    pose,
    quaternion_from_matrix,
    quaternions_from_matrices,
    rotated,
    rpy_from_matrix,
    skew,
    transform_points,
)
from headframe.spatial.transforms import checked_pose

angles = st.floats(-7, 7)


@given(angles, angles, angles)
def test_rpy_is_roll_then_pitch_then_yaw_about_fixed_axes(roll, pitch, yaw):
    expected = Rotation.from_euler("xyz", (roll, pitch, yaw)).as_matrix()
    np.testing.assert_allclose(matrix_from_rpy((roll, pitch, yaw)), expected, atol=1e-14)


@given(angles, angles, angles)
def test_rpy_of_a_matrix_gives_the_matrix_back(roll, pitch, yaw):
    R = matrix_from_rpy((roll, pitch, yaw))
    np.testing.assert_allclose(matrix_from_rpy(rpy_from_matrix(R)), R, atol=1e-14)


@pytest.mark.parametrize("away", [1e-3, 1e-6, 1e-8, 3e-9, 1e-10, 1e-13])
def test_rpy_near_the_poles(away):
    R = Rotation.from_euler("xyz", (0.7, math.pi / 2 - away, -1.3)).as_matrix()
    np.testing.assert_allclose(matrix_from_rpy(rpy_from_matrix(R)), R, atol=1e-14)


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2])
@pytest.mark.parametrize("roll", [0.0, 0.7, -2.0])
def test_rpy_at_the_poles(roll, pitch):
    R = matrix_from_rpy((roll, pitch, 0.4))
    np.testing.assert_allclose(matrix_from_rpy(rpy_from_matrix(R)), R, atol=1e-14)


@given(angles, angles, angles)
def test_quaternion_of_a_matrix_gives_the_matrix_back(roll, pitch, yaw):
    R = matrix_from_rpy((roll, pitch, yaw))
    quat = quaternion_from_matrix(R)
    assert quat[0] >= 0
    np.testing.assert_allclose(matrix_from_quaternion(quat), R, atol=1e-14)


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0, 0.8)])
def test_half_turns_have_quaternions(axis):
    R = axis_angle_matrix(axis, math.pi)
    np.testing.assert_allclose(matrix_from_quaternion(quaternion_from_matrix(R)), R, atol=1e-14)


def test_many_quaternions_are_those_of_single_matrices():
    random = np.random.default_rng(8)
    R = np.array([matrix_from_rpy(random.uniform(-4, 4, 3)) for _ in range(200)])
    half = [axis_angle_matrix(axis, math.pi) for axis in np.eye(3)]
    R = np.concatenate([R, np.array(half), np.eye(3)[None]]).reshape(2, 102, 3, 3)
    found = quaternions_from_matrices(R)
    assert found.shape == (2, 102, 4)
    for quat, matrix in zip(found.reshape(-1, 4), R.reshape(-1, 3, 3), strict=True):
        np.testing.assert_allclose(quat, quaternion_from_matrix(matrix), atol=1e-14)
    assert quaternions_from_matrices(np.zeros((0, 3, 3))).shape == (0, 4)


def test_axis_angle_agrees_with_scipy_and_skew_with_cross():
    axis = np.array([0.36, 0.48, 0.8])
    expected = Rotation.from_rotvec(1.1 * axis).as_matrix()
    np.testing.assert_allclose(axis_angle_matrix(axis, 1.1), expected, atol=1e-15)
    v = np.array([0.3, -2.0, 5.0])
    np.testing.assert_allclose(skew(axis) @ v, np.cross(axis, v), atol=1e-15)


def test_poses_compose_invert_and_act():
    X_AB = pose((1, 2, 3), (0.3, -0.4, 0.5))
    np.testing.assert_allclose(X_AB @ invert(X_AB), np.eye(4), atol=1e-15)
    points = np.array([[0.0, 0.0, 0.0], [1.0, -1.0, 2.0]])
    np.testing.assert_allclose(transform_points(X_AB, points)[0], (1, 2, 3))
    difference = transform_points(X_AB, points[1]) - transform_points(X_AB, points[0])
    np.testing.assert_allclose(rotated(X_AB, points[1] - points[0]), difference, atol=1e-15)
    assert compose(np.eye(3), (1, 2, 3))[3].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("leading", [(), (3,), (2, 3), (0,)])
def test_poses_are_checked_whatever_their_leading_axes(leading):
    X = np.tile(pose((1, 2, 3), (0.3, -0.4, 0.5)), (*leading, 1, 1))
    checked = checked_pose(X, "X")
    np.testing.assert_array_equal(checked, X)
    assert not np.shares_memory(checked, X)


@pytest.mark.parametrize("leading", [(), (3,), (2, 3)])
@pytest.mark.parametrize(
    ("element", "value", "message"),
    [
        ((0, 3), math.nan, "X: found nan, expected finite numbers"),
        ((0, 0), 2.0, "X: found a 3 x 3 part that is no rotation: R.T R is off .* by 3"),
        ((2, 2), -1.0, "X: found a mirroring R with det R = -1, expected det R = 1"),
        ((3, 1), 1e-9, r"X: found the last row \[.*\], expected \[0. 0. 0. 1.\]"),
    ],
)
def test_one_bad_pose_spoils_a_stack(leading, element, value, message):
    X = np.tile(np.eye(4), (*leading, 1, 1))
    X[(*(n - 1 for n in leading), *element)] = value
    with pytest.raises(StateError, match=message):
        checked_pose(X, "X")


def test_the_last_row_of_a_pose_may_be_off_where_that_is_allowed():
    X = np.eye(4)
    X[3, 1] = 1e-9
    np.testing.assert_array_equal(checked_pose(X, "X", last_row=1e-6), X)


@given(angles, angles)
def test_perpendiculars_make_a_right_handed_frame(a, b):
    axis = np.array([np.cos(a) * np.cos(b), np.sin(a) * np.cos(b), np.sin(b)])
    frame = np.column_stack([*perpendiculars(axis), axis])
    np.testing.assert_allclose(frame.T @ frame, np.eye(3), atol=1e-14)
    assert np.linalg.det(frame) > 0.0
