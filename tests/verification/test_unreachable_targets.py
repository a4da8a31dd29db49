"""Minima of inverse kinematics out of reach: as good as the best of many starts, in few steps."""

from __future__ import annotations

import zlib
from functools import cache

import numpy as np
import pytest

import headframe as hf
from headframe.kinematics.forward.block_solving import forward_batch
from headframe.kinematics.inverse.bounded_newton import inverse_batch
from headframe.kinematics.inverse.solve import RESTARTS
from headframe.spatial import exp_pose

LINKS = [  # of the catalogue that three groups move, or more
    ("jumbo", "rock_drill"), ("roadheader", "cutter_head"), ("sshs", "front_beam"),
    ("sshs", "extension"), ("sshs", "face_guard"), ("sths", "guard_rocker"),
    ("sths", "guard_plate"), ("tcchs", "front_beam"), ("tcchs", "tail_beam"),
    ("tcchs", "guard_plate"), ("tcchs", "insert_plate"),
]  # fmt: skip
WEIGHTS = {  # and how far targets are turned [rad] and shifted [m] from poses in reach
    "pose": ([1, 1, 1, 1, 1, 1], 0.3, 0.6),
    "pose, far": ([1, 1, 1, 1, 1, 1], 1.0, 2.0),
    "point": ([0, 0, 0, 1, 1, 1], 0.3, 1.0),
    "point, far": ([0, 0, 0, 1, 1, 1], 0.3, 4.0),
    "mostly place": ([0.2, 0.2, 0.2, 1, 1, 1], 0.3, 0.6),
    "mostly axes": ([1, 1, 1, 0.1, 0.1, 0.1], 0.5, 1.0),
    "in its plane": ([0, 1, 0, 1, 0, 1], 0.5, 1.0),
    "uneven": ([0.5, 1, 0.2, 1, 0.3, 0.6], 0.5, 1.0),
}
STARTS = 64
NEAR = 1e-6  # how much worse an answer may be [rad, m]


@cache
def machine(name):
    return hf.load(name)


def configurations(m, count, random):
    """Positions at lengths anywhere in their bounds, (count, nq)."""
    k = m.kinematics
    lower, upper = k.usable
    lengths = np.repeat(np.array(k.home.lengths)[None], count, axis=0)
    lengths[:, k.first_members] = random.uniform(lower, upper, (count, len(lower)))
    q, status = np.empty((count, k.home.q.size)), np.zeros(count, dtype=np.int64)
    forward_batch(k.link, lengths, k.home.q, 0, k.new_work(), q, status)
    assert not status.any()
    return q


def solve(m, link, weights, targets, starts, restarts):
    """Distances of the answers from their targets, and steps, (n,) each."""
    k, solver = m.kinematics, m.kinematics.inverse_solver(link)
    q, f = np.empty_like(starts), np.empty(len(targets))
    status, steps = np.zeros((2, len(targets)), dtype=np.int64)
    packed = solver.packed(m.home, weights)
    inverse_batch(
        k.link, packed, targets, weights, starts, restarts, solver.new_work(), q, f, status, steps
    )
    return np.sqrt(2.0 * f), steps


def compare(name, link, kind, count):
    """Distances: ours, and the best of many starts; our steps, and those of one start; (n,) each.

    Some of the targets are within reach, more of them where less counts.
    """
    m, (weights, turn, shift) = machine(name), WEIGHTS[kind]
    random = np.random.default_rng(zlib.crc32(f"{name} {link} {kind}".encode()))
    weights = np.array(weights, dtype=float)
    spread = np.array([turn] * 3 + [shift] * 3)
    targets = np.array(
        [
            hf.State(m.mechanism, q).pose(link)
            @ exp_pose(random.uniform() * random.normal(0, spread))
            for q in configurations(m, count, random)
        ]
    )
    starts = configurations(m, count, random)
    best, once = solve(m, link, weights, targets, starts, 0)
    for _ in range(STARTS - 1):
        others = configurations(m, count, random)
        best = np.minimum(best, solve(m, link, weights, targets, others, 0)[0])
    ours, steps = solve(m, link, weights, targets, starts, RESTARTS)
    return ours, best, steps, once


@pytest.mark.parametrize(("name", "link"), LINKS)
def test_closest_poses_are_as_close_as_the_best_of_many_starts(name, link):
    """A sample; all of it is below. One start alone is worse for 5 % of the supports' targets."""
    found = [compare(name, link, kind, 25) for kind in ("pose", "point", "uneven")]
    worse = sum(np.sum(ours > best + NEAR) for ours, best, _, _ in found)
    assert worse <= 1


def test_an_arm_without_other_minima_takes_hardly_more_steps_than_from_one_start():
    """Seven starts took 30 steps; now three of them are given up as soon as they lead back."""
    _, _, steps, once = compare("roadheader", "cutter_head", "pose", 200)
    assert np.median(once) <= 5
    assert np.median(steps) <= np.median(once) + 4


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_of_thousands_of_targets_no_more_than_one_in_a_thousand_is_worse(capsys):
    """Printed: for each link and weights the targets, and how many of the answers are worse."""
    total = worse = 0
    with capsys.disabled():
        print(f"\n{'machine':11} {'link':13} {'weights':13} targets worse   %   steps (one start)")
        for name, link in LINKS:
            for kind in WEIGHTS:
                ours, best, steps, once = compare(name, link, kind, 3000)
                bad = int(np.sum(ours > best + NEAR))
                part = 100.0 * bad / max(ours.size, 1)
                numbers = (
                    f"{ours.size:7d} {bad:5d} {part:5.2f} {steps.mean():5.1f} {once.mean():5.1f}"
                )
                print(f"{name:11} {link:13} {kind:13} {numbers}", flush=True)
                total, worse = total + ours.size, worse + bad
        print(f"{worse} of {total} are worse: {100.0 * worse / total:.3f} %")
    assert worse <= 1e-3 * total
