"""The kernels of forward and inverse kinematics run as plain Python too, with the same numbers."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import headframe as hf
from headframe.jit import header, matrix, numbers, records
from headframe.kinematics.forward import block_solving as forward
from headframe.kinematics.forward.status import STATUSES
from headframe.kinematics.inverse import bounded_newton as inverse
from headframe.kinematics.inverse.solve import EVEN_WEIGHTS, RESTARTS
from headframe.kinematics.records import CHAIN, CHAIN_STEP, LINKAGE, MOTION
from headframe.spatial import exp_pose

CASES = {
    "tcchs": "insert_plate",
    "sths": "guard_plate",
    "roadheader": "cutter_head",
    "lhd": "bucket",
}
POINT = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0])


@cache
def loaded(name):
    return hf.load(name)


def drawn(m, seed):
    low, high = m.kinematics.usable
    return np.random.default_rng(seed).uniform(low, high)


def run_forward(function, m, lengths, given=0):
    k = m.kinematics
    q = np.full(m.home.q.size, np.nan)
    status = function(k.link, lengths, m.home.q, given, k.new_work(), q)
    return status, q


@pytest.mark.parametrize("name", CASES)
def test_forward_as_plain_python(name):
    m = loaded(name)
    for seed in range(3):
        lengths = np.array(m.fk(drawn(m, seed)).lengths)
        compiled = run_forward(forward.forward, m, lengths, 1)
        plain = run_forward(forward.forward.py_func, m, lengths, 1)
        assert compiled[0] == plain[0] == forward.SOLVED
        np.testing.assert_allclose(plain[1], compiled[1], rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", CASES)
def test_parts_of_forward_as_plain_python(name):
    """Block by block with every kernel's Python function, then the joints."""
    m = loaded(name)
    k = m.kinematics
    lengths = np.array(m.fk(drawn(m, 4)).lengths)
    found = []
    for kernel in (lambda f: f, lambda f: f.py_func):
        work, head = k.new_work(), header(k.link, LINKAGE)
        theta, A = numbers(work, head.work.theta), matrix(work, head.work.A)
        motions = records(work, head.work.motions, MOTION)
        chain = records(work, head.work.chain, CHAIN_STEP)
        weights = matrix(work, head.work.weights)
        chains = records(k.link, head.chains, CHAIN)
        assert kernel(forward.check_bounds)(chains, lengths, 1) == forward.SOLVED
        kernel(forward.start)(k.link, m.home.q, theta)
        for block in range(len(k.plan.blocks)):
            status, _ = kernel(forward.solve_block)(
                k.link, block, lengths, theta, motions, chain, A, weights
            )
            assert status == forward.SOLVED
        q = np.array(m.home.q)
        assert kernel(forward.joints)(k.link, theta, q)
        status = kernel(forward.check_partners)(k.link, lengths, 1, theta, motions, chain)
        assert status == forward.SOLVED
        found.append(q)
    np.testing.assert_allclose(found[1], found[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "status"),
    [(np.nan, forward.NOT_FINITE), (1.0, forward.OUT_OF_BOUNDS), (-1.0, forward.OUT_OF_BOUNDS)],
)
def test_refusals_as_plain_python(change, status):
    """A status tells what is wrong and which actuator it is about."""
    m = loaded("roadheader")
    for function in (forward.forward, forward.forward.py_func):
        for act in (0, 4, 8):
            lengths = np.array(m.home.lengths)
            lengths[act] += change
            found, _ = run_forward(function, m, lengths)
            assert (found % STATUSES, found // STATUSES) == (status, act)
        lengths = np.array(m.home.lengths)
        lengths[1] += 0.01
        found, _ = run_forward(function, m, lengths, given=1)
        assert (found % STATUSES, found // STATUSES) == (forward.DISAGREES, 1)
        assert run_forward(function, m, lengths, given=0)[0] == forward.SOLVED


def run_inverse(function, m, link, Y, weights, start):
    k = m.kinematics
    solver = k.inverse_solver(link)
    q = np.full(start.q.size, np.nan)
    status, f, steps = function(
        k.link, solver.packed(start, weights), Y, weights, start.q, RESTARTS, solver.new_work(), q
    )
    return status, f, steps, q


@pytest.mark.parametrize("weights", [EVEN_WEIGHTS, POINT], ids=["pose", "point"])
@pytest.mark.parametrize("name", CASES)
def test_inverse_as_plain_python(name, weights):
    m, link = loaded(name), CASES[name]
    start = m.fk(drawn(m, 5))
    for off in (0.0, 0.2):
        Y = m.fk(drawn(m, 6)).pose(link) @ exp_pose(np.full(6, off))
        compiled = run_inverse(inverse.inverse, m, link, Y, weights, start)
        plain = run_inverse(inverse.inverse.py_func, m, link, Y, weights, start)
        assert plain[0] == compiled[0]
        assert plain[1] == pytest.approx(compiled[1], rel=1e-9, abs=1e-20)
        np.testing.assert_allclose(plain[3], compiled[3], rtol=0, atol=1e-8)


def test_batches_as_plain_python():
    m = loaded("tcchs")
    k = m.kinematics
    rows = np.array([m.fk(drawn(m, seed)).lengths for seed in range(3)])
    found = []
    for function in (forward.forward_batch, forward.forward_batch.py_func):
        q, status = np.zeros((3, m.home.q.size)), np.full(3, -1)
        function(k.link, rows, m.home.q, 1, k.new_work(), q, status)
        assert (status == forward.SOLVED).all()
        found.append(q)
    np.testing.assert_allclose(found[1], found[0], rtol=0, atol=1e-14)
    solver = k.inverse_solver("canopy")
    Y = m.fk_batch(rows, ["canopy"]).pose("canopy")
    found = []
    for function in (inverse.inverse_batch, inverse.inverse_batch.py_func):
        q, f = np.zeros((3, m.home.q.size)), np.zeros(3)
        status, steps = np.full((2, 3), -1)
        function(
            k.link, solver.packed(m.home, EVEN_WEIGHTS), Y.copy(), EVEN_WEIGHTS, m.home.q[None],
            RESTARTS, solver.new_work(), q, f, status, steps,
        )  # fmt: skip
        assert (f < 1e-18).all()
        assert (status == inverse.CONVERGED).all()
        assert (steps > 0).all()
        found.append(q)
    np.testing.assert_allclose(found[1], found[0], rtol=0, atol=1e-9)


# -- without the compiler ---------------------------------------------------------------


def what_a_machine_does():
    """Numbers that the kernels of forward and inverse kinematics take part in."""
    m = hf.load("lhd")
    low, high = m.kinematics.usable
    state = m.fk(0.3 * low + 0.7 * high)
    Y = state.pose("bucket") @ exp_pose(np.full(6, 0.1))
    result, near = m.ik("bucket", Y), m.ik("bucket", Y, mask=POINT)
    reached = m.ik("bucket", state.pose("bucket"))
    batch = m.fk_batch(np.array([low, high]), ["bucket"])
    return [
        *state.q, *result.lengths, result.objective, *near.lengths, near.objective,
        *reached.lengths, *batch.joints.ravel(), *batch.poses.ravel(),
    ]  # fmt: skip


def test_a_machine_without_the_compiler():
    """With compilation switched off in another process, the same numbers."""
    code = (
        "import numba; assert numba.config.DISABLE_JIT\n"
        "from kinematics.test_solver_kernels import what_a_machine_does\n"
        "print(*map(float, what_a_machine_does()))"
    )
    paths = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    plain = np.array([float(word) for word in done.stdout.split()])
    np.testing.assert_allclose(plain, what_a_machine_does(), rtol=1e-9, atol=1e-8)
