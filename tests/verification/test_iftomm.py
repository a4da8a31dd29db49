"""Benchmark problems of the IFToMM library of computational benchmarks, by the constrained tree.

Energy is to be kept over 10 s: A02 to 0.1 J, A04 to 1e-3 J.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from loop_scenes import Scene, bricard, energy_error, n_four_bar, pendulum

G = 9.81


def windows(n: int) -> Scene:
    """A02 at its start: upright, its upper corners moving at 1 m/s."""
    scene = Scene(n_four_bar(n), at_zero=True)
    scene.v[: n + 1], scene.v[n + 1 :] = 1.0, -1.0
    return scene


def angle(n: int, seconds: float) -> float:
    """Of the posts, from the upright: one compound pendulum as long as no window folds.

    n + 1 posts turn, n beams move along with their upper ends:
    ((n + 1) / 3 + n) a'' = ((n + 1) / 2 + n) g sin a.
    """
    inertia, moment = (n + 1) / 3 + n, (n + 1) / 2 + n
    found = solve_ivp(
        lambda _, y: [y[1], moment / inertia * G * np.sin(y[0])], (0, seconds), [0.0, 1.0],
        method="DOP853", rtol=1e-12, atol=1e-12,
    )  # fmt: skip
    return float(found.y[0, -1])


def test_a01_simple_pendulum():
    scene = Scene(pendulum())
    out = scene.run(10.0, 1e-3)
    wanted = solve_ivp(
        lambda _, y: [y[1], -G * np.cos(y[0])], (0, 10), [0.0, 0.0],
        method="DOP853", rtol=1e-12, atol=1e-12,
    ).y[0, -1]  # fmt: skip
    assert energy_error(out) < 1e-10
    # the bar points to -x at 0, and its end's height is sin q
    assert scene.q[0] == pytest.approx(wanted, abs=1e-9)
    assert out[:, 0].max() == pytest.approx(G, rel=1e-4)


@pytest.mark.parametrize("h", [1e-3, 1e-2])
def test_a02_two_windows(h):
    """Flat, and so at a singular pose, about every 0.4 to 1.3 s."""
    scene = windows(2)
    out = scene.run(10.0, h)
    assert energy_error(out) < 1e-4
    assert out[:, 2].max() < 1e-12
    assert scene.q[0] == pytest.approx(angle(2, 10.0), abs=1e-5)
    assert np.ptp(scene.q[:3]) < 1e-9  # no window has folded


def test_a02_forty_windows_for_a_while():
    scene = windows(40)
    assert scene.rank == 80
    out = scene.run(2.0, 1e-2)  # two passes
    assert energy_error(out) < 1e-3
    assert out[:, 2].max() < 1e-12
    assert scene.q[0] == pytest.approx(angle(40, 2.0), abs=1e-5)


@pytest.mark.slow
def test_a02_forty_windows():
    scene = windows(40)
    out = scene.run(10.0, 1e-3)
    assert energy_error(out) < 1e-3
    assert out[:, 2].max() < 1e-12
    assert scene.q[0] == pytest.approx(angle(40, 10.0), abs=1e-5)


@pytest.mark.slow
def test_a02_wherever_steps_end():
    """However near to the singular pose a step ends, from starts spread at random."""
    random = np.random.default_rng(1)
    for _ in range(100):
        scene = windows(2)
        tilt = random.uniform(0, 1.5)
        scene.q[:3], scene.q[3:] = tilt, -tilt
        out = scene.run(4.0, 1e-3)
        assert energy_error(out) < 1e-3
        assert np.ptp(scene.q[:3]) < 1e-6


def test_a04_bricard():
    """Five rows close it and four are independent: Kutzbach counts no freedom, it has one."""
    scene = Scene(bricard())
    assert (len(scene.loops), scene.rank, scene.tree.nv) == (5, 4, 5)
    out = scene.run(10.0, 1e-3)
    assert energy_error(out) < 1e-8
    assert out[:, 2].max() < 1e-12
    assert out[:, 0].max() > 4.0
