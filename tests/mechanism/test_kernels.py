"""Tree kinematics, constraints and the linear solver, each against an independent computation."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine, rssr
from finite_differences import central
from headframe.mechanism import (
    Placing,
    State,
    closing,
    follow,
    levenberg_marquardt,
    placing,
    solve,
)
from headframe.mechanism.records import RowKind
from headframe.mechanism.solver import constraint_jacobian, residuals
from headframe.spatial import axis_angle_matrix, compose, matrix_from_quaternion


def zoo():
    """One machine with every joint type in its tree and every kind of closure."""
    return machine(
        [
            joint("r", "w", "a", axis=[0, 0.6, 0.8], at=[0.1, 0.2, 0.3], rpy=[0.3, -0.2, 0.9]),
            joint("p", "a", "b", "prismatic", axis=[1, 0, 0], at=[0.5, 0, 0.1], rpy=[0, 0.4, 0]),
            joint("u", "b", "c", "universal", axis=[0, 1, 0], axis2=[1, 0, 0], at=[0, 0.3, 0]),
            joint("s", "c", "d", "spherical", at=[0.2, 0.2, 0.2], rpy=[1, 0, 0]),
            joint("f", "w", "e", "free", at=[0, 1, 0], rpy=[0, 0, 0.5]),
            joint("x", "e", "g", "fixed", at=[0.3, 0, 0]),
            joint("c1", "d", "e", axis=[0, 0, 1], at=[0.1, 0, 0]),
            joint("c2", "e", "d", axis=[1, 0, 0], at=[0, 0.4, 0]),
            joint("c3", "a", "g", "prismatic", axis=[0, 0, 1], at=[0.2, 0, 0.1]),
            joint("c4", "g", "a", "prismatic", axis=[0, 0, 1], rpy=[0.2, 0, 0]),
            joint("c5", "b", "g", "universal", axis=[0, 0, 1], axis2=[1, 0, 0]),
            joint("c6", "g", "b", "universal", axis=[1, 0, 0], axis2=[0, 0, 1]),
            joint("c7", "c", "g", "fixed", at=[0.2, 0, 0.1]),
            joint("c8", "g", "c", "fixed", rpy=[0.2, 0, 0]),
        ],
        [actuator("cyl", ("a", (0.1, 0, 0)), ("d", (0, 0.2, 0.3)), (0.1, 5))],
        repeaters=[{"name": "rep", "joint": "p", "follows": "r", "ratio": 0.7, "offset": 0.2}],
    )


def random_positions(mechanism, seed):
    random = np.random.default_rng(seed)
    q = random.uniform(-1.5, 1.5, mechanism.q_zero.size)
    for name, part in mechanism.position_of_joint.items():
        if mechanism.robot.joint(name).type in ("spherical", "free"):
            quat = q[part.start : part.start + 4]
            q[part.start : part.start + 4] = quat / np.linalg.norm(quat)
    return q


def joint_motion(joint, q):
    """T(axis, q) as the description defines it, in plain matrices."""
    if joint.type == "revolute":
        return compose(axis_angle_matrix(joint.axis, q[0]), (0, 0, 0))
    if joint.type == "prismatic":
        return compose(np.eye(3), q[0] * np.asarray(joint.axis))
    if joint.type == "universal":
        first = axis_angle_matrix(joint.axis, q[0])
        return compose(first @ axis_angle_matrix(joint.axis2, q[1]), (0, 0, 0))
    if joint.type == "spherical":
        return compose(matrix_from_quaternion(q), (0, 0, 0))
    if joint.type == "free":
        return compose(matrix_from_quaternion(q[:4]), q[4:])
    return np.eye(4)


@pytest.mark.parametrize("seed", range(5))
def test_poses_are_products_of_joint_matrices(seed):
    m = zoo()
    state = State(m.mechanism, random_positions(m.mechanism, seed))
    for j in m.topology.tree_joints:
        joint = m.joints[j]
        q = state.q[m.mechanism.position_of_joint[joint.name]]
        expected = state.pose(joint.parent) @ joint.origin @ joint_motion(joint, q)
        np.testing.assert_allclose(state.pose(joint.child), expected, atol=1e-13)


def test_links_are_placed_by_one_function():
    """One state, many of them and units on their bases: the same poses to the last bit."""
    m = zoo().mechanism
    q = np.array([random_positions(m, seed) for seed in range(3)])
    base = compose(axis_angle_matrix((0, 0, 1), 0.3), (4.0, -2.0, 1.0))
    units = Placing(m).poses(q, np.tile(base, (3, 1, 1)))
    main = [m.robot.link_index[name] for name in m.body_of_link]
    for row, poses in zip(q, units, strict=True):
        state = State(m, row, base)
        found = [state.pose(name) for name in m.body_of_link]
        np.testing.assert_array_equal(found, poses[main])
        there = m.poses(row[None], np.eye(4)[None])[0]
        np.testing.assert_allclose(found, base @ there, atol=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_constraint_jacobian_is_the_derivative_of_the_residuals(seed):
    m = zoo().mechanism
    q = random_positions(m, seed)
    rows = np.arange(len(m.constraints))
    kinds = set(m.constraints["kind"].tolist())
    assert kinds == set(RowKind), "the machine must have every kind of constraint"
    lengths = np.zeros(1)  # a constant in the residual: the state's own would hide the derivative

    def residual_at(v, step):
        dv, moved = np.zeros(m.nv), np.empty_like(q)
        dv[v] = 1.0
        placing.step_positions(m.freedoms, q, dv, step, moved)
        r = np.zeros(rows.size)
        closing.residuals(m.constraints, m.targets(lengths), rows, moved, m.frames(moved), r)
        return r

    J = constraint_jacobian(State(m, q), rows)
    for v in range(m.nv):
        expected = central(lambda step, v=v: residual_at(v, step))
        np.testing.assert_allclose(J[:, v], expected, atol=2e-9)


def test_steps_keep_quaternions_unit_and_add_up():
    m = zoo().mechanism
    q = random_positions(m, 1)
    dv = np.random.default_rng(2).normal(size=m.nv)
    once, half, twice = np.empty_like(q), np.empty_like(q), np.empty_like(q)
    placing.step_positions(m.freedoms, q, dv, 1.0, once)
    placing.step_positions(m.freedoms, q, dv, 0.5, half)
    placing.step_positions(m.freedoms, half, dv, 0.5, twice)
    np.testing.assert_allclose(once, twice, atol=1e-14)
    for name, part in m.position_of_joint.items():
        if m.robot.joint(name).type in ("spherical", "free"):
            assert np.linalg.norm(once[part][:4]) == pytest.approx(1.0, abs=1e-15)


def test_cholesky_solves_and_refuses():
    random = np.random.default_rng(3)
    L = random.normal(size=(6, 6))
    A = L @ L.T + np.eye(6)
    b = random.normal(size=6)
    x, whole = b.copy(), np.zeros(6, dtype=np.int64)
    assert levenberg_marquardt.cholesky_solve(A.copy(), x, 6, whole)
    np.testing.assert_allclose(A @ x, b, atol=1e-12)
    assert not levenberg_marquardt.cholesky_solve(-A, b.copy(), 6, whole)


def test_residuals_of_a_closed_spatial_loop_vanish():
    home = rssr().home
    assert np.abs(residuals(home)).max() < 1e-12


def what_the_zoo_does():
    """Numbers that all kernels take part in, on a machine with all joints and constraints."""
    m = zoo().mechanism
    q = random_positions(m, 4)
    state = State(m, q)
    rows = np.arange(len(m.constraints))
    lengths = state.lengths + 0.05
    solved = solve(m, q, lengths, rows, max_steps=4)  # over-determined: on its way, not there
    free = m.length_rows
    followed = follow(m, q, state.lengths, lengths, free)
    assert followed.solved
    return [
        *q,
        *state.pose("g").ravel(),
        *residuals(state, rows),
        *constraint_jacobian(state, rows).ravel(),
        *solved.q,
        solved.residual,
        *followed.q,
        *hf.load("door").home.lengths,
    ]


def test_every_kernel_runs_as_plain_python():
    """With compilation switched off, every joint and constraint gives the same numbers."""
    code = (
        "import numba; assert numba.config.DISABLE_JIT\n"
        "from mechanism.test_kernels import what_the_zoo_does\n"
        "print(*map(float, what_the_zoo_does()))"
    )
    paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    plain = np.array([float(word) for word in done.stdout.split()])
    np.testing.assert_allclose(plain, what_the_zoo_does(), rtol=1e-9, atol=1e-9)
