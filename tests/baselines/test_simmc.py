"""SIMMC: what sequential impulses alone have, beside what `test_maximal` says of both methods."""

import math
from itertools import pairwise

import numpy as np
import pytest

import headframe
import moving
from headframe.actuation import guiding as drives
from headframe.baselines.maximal import driving as drive_kernels
from headframe.baselines.maximal import forces as force_kernels
from headframe.baselines.maximal import reading as reading_kernels
from headframe.baselines.maximal import rows as body_kernels
from headframe.baselines.simmc import impulses as kernels
from headframe.baselines.simmc.engine import Simmc
from headframe.jit.entries import compile_entry, entries_of
from maximal_scenes import (
    NO_GRAVITY,
    assert_same_drives,
    chain,
    command,
    flywheel,
    four_bar,
    model_of,
)
from moving import pose_of, pull
from plain_python import run_as_python


def total(motion):
    return sum(motion.energy())


def test_a_gap_is_closed_by_beta_a_step_and_leaves_no_motion():
    """Split impulses: pseudo-velocities move bodies, and are forgotten."""
    motion = Simmc(model_of(chain(2), NO_GRAVITY), 1e-3, tolerance=1e-12, iterations=1000, beta=0.3)
    motion.bodies[2].X[:, 3] += [0.0, 0.01, 0.0]
    gaps = [motion.position_error()]
    for _ in range(20):
        motion.run(1)
        gaps.append(motion.position_error())
    assert [b / a for a, b in pairwise(gaps)] == pytest.approx([0.7] * 20, rel=1e-3)
    assert motion.energy()[0] < 1e-20


def test_a_loop_is_closed_the_better_the_more_iterations():
    found = []
    for iterations in (2, 10, 50, 500):
        motion = Simmc(model_of(four_bar()), 1e-3, iterations=iterations)
        worst = 0.0
        for _ in range(50):
            motion.run(10)
            worst = max(worst, motion.position_error())
        found.append(worst)
    assert found[0] > found[1] > found[2]
    # from here on it is the step, not the iterations: a gap of h^2 times an acceleration over beta
    assert found[2] == pytest.approx(found[3], rel=0.1)
    assert found[3] < 1e-4


def test_the_gap_that_a_step_leaves_falls_with_its_square():
    found = []
    for h in (2e-3, 1e-3, 5e-4):
        motion = Simmc(model_of(four_bar()), h, tolerance=1e-9, iterations=2000)
        motion.run(round(0.4 / h))
        found.append(motion.position_error())
    assert [a / b for a, b in pairwise(found)] == pytest.approx([4.0, 4.0], rel=0.1)


def test_iterations_end_with_the_tolerance():
    """And a looser tolerance ends them sooner; none is left when nothing moves any more."""
    counts = []
    for tolerance in (1e-3, 1e-6, 1e-9):
        motion = Simmc(model_of(chain(5)), 1e-2, tolerance=tolerance, iterations=10_000)
        motion.run(50)
        counts.append(motion.iterations)
        assert motion.last_iterations < 10_000
    assert counts[0] < counts[1] < counts[2]
    still = Simmc(model_of(chain(5), NO_GRAVITY), 1e-2)
    still.run(3)
    assert (still.last_iterations, still.iterations) == (2, 2.0)
    still = Simmc(model_of(chain(5), NO_GRAVITY), 1e-2, alternating=False)
    still.run(3)
    assert (still.last_iterations, still.iterations) == (1, 1.0)


@pytest.mark.parametrize("iterations", [2, 6, 20])
def test_few_iterations_are_crude_but_hold(iterations):
    """Alternating sweeps: what they leave dies away, through light rods under a heavy boom."""
    motion = Simmc(model_of(headframe.load("roadheader")), 1e-3, iterations=iterations)
    for row in motion.model.rows:
        command(motion, row.name, drives.LOCKED)
    command(motion, "boom", drives.SPEED, 0.05)
    motion.run(1000)
    assert motion.position_error() < 0.01 / iterations
    assert motion.energy()[0] < 1e-2 * motion.energy()[1]


def test_both_orders_of_sweeps_find_the_same_impulses():
    found = []
    for alternating in (True, False):
        motion = Simmc(
            model_of(four_bar()), 1e-3, tolerance=1e-12, iterations=10_000, alternating=alternating
        )
        motion.run(20)
        found.append(motion.q)
    assert found[0] == pytest.approx(found[1], abs=1e-9)


def test_warm_starting_leaves_nothing_to_do_where_nothing_changes():
    motion = Simmc(model_of(headframe.load("sths")), 1e-3)
    for row in motion.model.rows:
        command(motion, row.name, drives.LOCKED)
    motion.run(1)
    assert motion.last_iterations > 50
    motion.run(1000)
    assert motion.last_iterations <= 4


def test_five_link_chain_swings_out_at_ten_milliseconds():
    """Paper SIMGC's first scene: friction brings it to rest, hanging."""
    one = headframe.load("five_link_chain")
    motion = Simmc(model_of(one), 1e-2, iterations=2000)
    energies = [total(motion)]
    worst = 0.0
    for _ in range(60):
        motion.run(20)
        energies.append(total(motion))
        worst = max(worst, motion.position_error())
    assert max(np.diff(energies)) < 1e-6 * abs(energies[0])
    assert worst < 0.05
    assert 20 < motion.iterations < 500
    lowest = min(pose_of(motion, link.name)[2, 3] for link in one.robot.links[1:])
    X = pose_of(motion, "link_5")
    hanging = one.robot.link("link_5").inertial.com
    assert X[2, 3] == pytest.approx(lowest)
    assert (X[:3, :3] @ hanging)[2] == pytest.approx(-np.linalg.norm(hanging), rel=0.1)


def test_peaucellier_draws_its_straight_line():
    """Paper SIMGC's second scene; three loops need more iterations than the chain."""
    one = headframe.load("peaucellier")
    motion = Simmc(model_of(one), 1e-2, iterations=5000)
    row = motion.model.rows[0]
    command(motion, row.name, drives.SPEED, 0.5)
    tip, q = one.robot.end_effector, motion.q[row.position]
    points = []
    for _ in range(20):
        motion.run(5)
        points.append(pose_of(motion, tip)[:3, 3])
    assert motion.q[row.position] - q == pytest.approx(0.5 * (1.0 - 0.005), abs=0.01)
    assert 100 < motion.iterations < 5000
    off = np.array(points) - np.mean(points, axis=0)
    _, spread, _ = np.linalg.svd(off)
    assert spread[0] > 0.2
    assert spread[1] < 3e-3 * spread[0]


def test_a_raised_boom_is_where_its_length_says():
    """The lift of paper 000's figure 10: the boom's cylinders extend, everything else is locked."""
    one = headframe.load("roadheader")
    motion = Simmc(model_of(one), 1e-3)
    for row in motion.model.rows:
        command(motion, row.name, drives.LOCKED)
    n = command(motion, "boom", drives.SPEED, 0.05)
    worst = 0.0
    for _ in range(20):
        motion.run(100)
        worst = max(worst, motion.position_error())
    row = motion.model.rows[n]
    raised = one.fk({"boom": motion.q[row.position]})
    assert raised.lengths[row.members[0]] - one.home.lengths[row.members[0]] > 0.08
    assert pose_of(motion, "cutter_head") == pytest.approx(raised.pose("cutter_head"), abs=1e-4)
    assert worst < 1e-4


def test_a_row_keeps_its_impulse_between_bounds():
    assert kernels.clipped(5.0, 1.0, -3.0, 4.0) == 3.0
    assert kernels.clipped(-5.0, 1.0, -3.0, 4.0) == -4.0
    assert kernels.clipped(0.5, 1.0, -3.0, 4.0) == 0.5


@pytest.mark.parametrize("name", ["crane", "gripper", "stopped", "motor"])
def test_kernels_run_as_python(name, monkeypatch):
    """The whole step, as compiled: with drives, losses and springs, a repeater, a stop."""
    one = {"crane": moving.crane, "motor": lambda: flywheel(motor=True, friction=1.0, damping=1.0)}
    made = one[name]() if name in one else headframe.load("gripper" if name == "gripper" else "lhd")
    motions = []
    for _ in range(2):
        motion = Simmc(model_of(made), 1e-3, iterations=5)
        motion.drives.mode = drives.FLOATING if name == "stopped" else drives.SPEED
        motion.drives.value = 0.05
        if name == "stopped":
            motion.drives[0].upper = motion.q[motion.model.rows[0].position] - 1e-5
        motion.pulls = pull(0, (0.1, 0.2, 0.3), moment=(1.0, 2.0, 3.0), force=(4.0, 5.0, 6.0))
        motions.append(motion)
    motions[0].run(2)
    run_as_python(monkeypatch, kernels, body_kernels, drive_kernels, force_kernels)
    motions[1].run(2)
    assert motions[1].state == pytest.approx(motions[0].state, rel=1e-9, abs=1e-12)
    assert motions[1].last_iterations == motions[0].last_iterations
    assert_same_drives(motions[1].drives, motions[0].drives, rel=1e-6)
    if name == "stopped":
        assert motions[1].drives[0].stop == 1.0


def test_kernels_warm_up():
    for module in (kernels, body_kernels, force_kernels, reading_kernels):
        declared = list(entries_of(module))
        assert declared
        for kernel in declared:
            compile_entry(kernel)
            assert kernel.overloads
    assert math.isfinite(kernels.clipped(0.0, 0.0, -1.0, 1.0))
