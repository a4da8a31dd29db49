"""XPBD: what position-based dynamics alone has, beside what `test_maximal` says of both methods."""

import math
from itertools import pairwise

import numpy as np
import pytest

import headframe
import moving
from headframe.actuation import guiding as drives
from headframe.baselines.maximal import driving as drive_kernels
from headframe.baselines.maximal import forces as force_kernels
from headframe.baselines.maximal import rows as body_kernels
from headframe.baselines.maximal.records import MOVING_BODY, RESPONSE
from headframe.baselines.xpbd import projections as kernels
from headframe.baselines.xpbd.engine import Xpbd
from headframe.jit import new_records
from headframe.jit.entries import compile_entry, entries_of
from headframe.spatial import axis_angle_matrix, quaternion_from_matrix
from maximal_scenes import (
    NO_GRAVITY,
    assert_same_drives,
    brick,
    chain,
    command,
    flywheel,
    four_bar,
    model_of,
)
from moving import pull
from plain_python import run_as_python


def total(motion):
    return sum(motion.energy())


def worst_gap(motion, steps, parts=20):
    worst = 0.0
    for _ in range(parts):
        motion.run(steps // parts)
        worst = max(worst, motion.position_error())
    return worst


def test_gaps_fall_with_the_square_of_the_substep():
    found = [worst_gap(Xpbd(model_of(four_bar()), 2e-3, n), 200) for n in (2, 4, 8, 16)]
    assert all(3.0 < a / b < 6.0 for a, b in pairwise(found))
    assert found[-1] < 1e-5


def test_iterations_close_gaps_too():
    found = [worst_gap(Xpbd(model_of(four_bar()), 2e-3, 2, n), 200) for n in (1, 4, 16)]
    assert found[0] > 2.0 * found[1] > 4.0 * found[2]
    assert Xpbd(model_of(four_bar()), 2e-3, 3, 4).iterations == 0.0


def test_rounds_are_counted():
    motion = Xpbd(model_of(chain(2)), 1e-3, 3, 4)
    motion.run(7)
    assert (motion.last_iterations, motion.iterations) == (12, 12.0)


@pytest.mark.parametrize("substeps", [2, 10, 100])
def test_five_link_chain_only_loses_energy(substeps):
    """One round a substep is enough, however many substeps: nothing feeds on what it leaves."""
    motion = Xpbd(model_of(chain(5)), 1e-2, substeps)
    energies = [total(motion)]
    for _ in range(20):
        motion.run(5)
        energies.append(total(motion))
    assert max(np.diff(energies)) < 1e-3 * motion.energy()[0]
    assert motion.position_error() < 0.02


@pytest.mark.parametrize(
    ("name", "substeps"), [("roadheader", 1), ("roadheader", 10), ("tcchs", 2)]
)
def test_locked_machines_stay_where_they_are(name, substeps):
    """Light tubes and rods between heavy links: gaps of h^2 g times a few, and no motion left."""
    motion = Xpbd(model_of(headframe.load(name)), 1e-3, substeps)
    for row in motion.model.rows:
        command(motion, row.name, drives.LOCKED)
    q = motion.q
    motion.run(1000)
    h = motion.step / substeps
    assert motion.position_error() < 100.0 * 9.81 * h * h
    assert np.abs(motion.q - q).max() < 200.0 * 9.81 * h * h
    assert motion.energy()[0] < 1e-4 * motion.energy()[1]


def test_a_stop_does_not_throw_a_machine_back():
    """The roadheader's apron falls to its stop; its rod is a hundred times lighter."""
    motion = Xpbd(model_of(headframe.load("roadheader")), 1e-3, 10)
    for row in motion.model.rows:
        command(motion, row.name, drives.LOCKED)
    n = command(motion, "shovel_plate", drives.FLOATING)
    row = motion.model.rows[n]
    motion.run(190)
    speed, before = motion.v[row.velocity], total(motion)
    assert speed > 0.6
    motion.run(10)
    assert abs(motion.v[row.velocity]) < 0.01 * speed
    assert motion.q[row.position] == pytest.approx(motion.drives[n].upper, abs=1e-5)
    lost = motion.work_done().stops
    assert lost < -8000.0
    assert total(motion) - before == pytest.approx(lost, rel=0.01)
    motion.run(200)
    assert motion.q[row.position] == pytest.approx(motion.drives[n].upper, abs=1e-5)
    assert motion.drives[n].stop == 1.0


def test_a_turn_is_taken_back_from_the_poses():
    """Velocities from two quaternions, of either sign, are the rotation vector over the time."""
    motion = Xpbd(model_of(brick(), NO_GRAVITY), 1e-3)
    bodies, turn = motion.bodies, np.array([0.3, -0.5, 0.4])
    before, body = bodies.copy(), bodies[1]
    angle = float(np.linalg.norm(turn))
    R = axis_angle_matrix(turn / angle, angle) @ body.X[:, :3]
    body.quat[:] = -quaternion_from_matrix(R)
    body.X[0, 3] += 0.25
    kernels.set_velocities(0.5, before, bodies, motion.V)
    assert motion.V[1, :3] == pytest.approx(turn / 0.5)
    assert motion.V[1, 3:] == pytest.approx([0.5, 0.0, 0.0])


def test_a_shift_moves_and_turns_a_body():
    bodies, (response,) = new_records(2, MOVING_BODY), new_records(1, RESPONSE)
    bodies.quat[:, 0] = 1.0
    response.ends, response.W = (0, 1), np.arange(12.0).reshape(2, 6)
    kernels.shift(response, 1e-4, bodies)
    assert bodies[1].X[:, 3] == pytest.approx([9e-4, 10e-4, 11e-4])
    turn = 1e-4 * response.W[1, :3]
    assert bodies[1].X[:, :3] == pytest.approx(
        axis_angle_matrix(turn / np.linalg.norm(turn), float(np.linalg.norm(turn))), abs=1e-8
    )
    assert not bodies[0].X.any()  # the base stays


@pytest.mark.parametrize("name", ["crane", "gripper", "stopped", "motor"])
def test_kernels_run_as_python(name, monkeypatch):
    """The whole step, as compiled: with drives, losses and springs, a repeater, a stop."""
    one = {"crane": moving.crane, "motor": lambda: flywheel(motor=True, friction=1.0, damping=1.0)}
    made = one[name]() if name in one else headframe.load("gripper" if name == "gripper" else "lhd")
    motions = []
    for _ in range(2):
        motion = Xpbd(model_of(made), 1e-3, 2)
        motion.drives.mode = drives.FLOATING if name == "stopped" else drives.SPEED
        motion.drives.value = 0.05
        if name == "stopped":
            motion.drives[0].upper = motion.q[motion.model.rows[0].position] - 1e-5
        motion.pulls = pull(0, (0.1, 0.2, 0.3), moment=(1.0, 2.0, 3.0), force=(4.0, 5.0, 6.0))
        motions.append(motion)
    motions[0].run(1)
    run_as_python(monkeypatch, kernels, body_kernels, drive_kernels, force_kernels)
    motions[1].run(1)
    assert motions[1].state == pytest.approx(motions[0].state, rel=1e-8, abs=1e-10)
    assert_same_drives(motions[1].drives, motions[0].drives, rel=1e-6, abs=1e-6)
    if name == "stopped":
        assert motions[1].drives[0].stop == 1.0


def test_kernels_warm_up():
    declared = list(entries_of(kernels))
    assert declared == [kernels.run]
    compile_entry(kernels.run)
    assert kernels.run.overloads
    assert math.isfinite(kernels.CALM)
