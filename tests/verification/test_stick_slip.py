"""Section 3.3 of the thesis: a block on the ground that a spring pulls, in a world.

The spring's force is told to the world before each step, so that with the velocities where a step
ends it swings without gain or loss; contact and friction are the world's own.
"""

import numpy as np
import pytest

import headframe as hf
from headframe.description import Bristle, ContactMaterial, Friction
from worlds import PLANE

BLOCK = {"type": "box", "x": 0.4, "y": 0.2, "z": 0.1}


def pulled(friction, step, gravity, spring, start, anchor, seconds):
    """Times and places of a block of 1 kg that a spring pulls to `anchor(t)`, from rest."""
    stuff = ContactMaterial(
        name="stuff", stiffness=4e5, restitution=0.1, friction=Friction(**friction),
        bristle=Bristle(stiffness=1e6, damping=1e3),
    )  # fmt: skip
    world = hf.World(step=step, gravity=gravity)
    world.add_static("ground", PLANE, material=stuff)
    block = world.add_body("block", BLOCK, 1.0, at=[start, 0, 0.05], material=stuff)
    world.run(0.2)  # it sinks in
    rows = []
    for n in range(round(seconds / step)):
        t, x = n * step, block.pose[0, 3]
        block.apply([0, 0, 0, -spring(t) * (x - anchor(t)), 0, 0])
        world.step()
        rows.append((t + step, block.pose[0, 3]))
    return np.transpose(rows)


def half_swings(times, start, friction, springs):
    """Where a mass of 1 kg is, from half-swing to half-swing; `springs`: (when, stiffness).

    While it slides one way it swings about the place where spring and friction are in balance, for
    half a period; then it slides back, if the spring is stronger than friction.
    """
    x, where, turns = start, np.empty_like(times), []
    for n, (begin, k) in enumerate(springs):
        end = springs[n + 1][0] if n + 1 < len(springs) else np.inf
        t, w = begin, np.sqrt(k)
        while k * abs(x) > friction and t < end:
            middle, part = np.sign(x) * friction / k, (times >= t) & (times <= t + np.pi / w)
            where[part] = middle + (x - middle) * np.cos(w * (times[part] - t))
            x, t = 2 * middle - x, t + np.pi / w
            turns.append((t, x))
        where[times >= t] = x
    return where, np.array(turns)


@pytest.mark.parametrize(("step", "turn", "way"), [(0.01, 2e-5, 5e-3), (0.001, 1e-6, 5e-4)])
def test_a_mass_on_a_spring_with_dry_friction(step, turn, way):
    """Stretched by 1 m: three half-swings, at rest, and on with a stiffer spring after 10 s.

    Ends of the half-swings are asked for within 2 mm and 0.02 mm.
    """
    mu_g = 0.02 * 9.81
    times, found = pulled(
        {"static": 0.02, "dynamic": 0.02}, step, 9.81, lambda t: 1.0 if t < 10.0 - 1e-9 else 10.0,
        1.0, lambda _: 0.0, 13.0,
    )  # fmt: skip
    wanted, turns = half_swings(times, 1.0, mu_g, [(0.0, 1.0), (10.0, 10.0)])
    assert np.abs(found - wanted).max() < way
    assert turns[:3, 1] == pytest.approx([-0.6076, 0.2152, 0.1772])
    for at, x in turns[:3]:
        near = found[np.abs(times - at) < 0.5]
        extreme = near.min() if x < 0 else (near.max() if x == turns[1, 1] else near[-1])
        assert extreme == pytest.approx(x, abs=turn)


def ideal_period(mass, spring, gravity, static, dynamic, viscous, speed):
    """Of stick and slip on a belt: it slides as an oscillator until it has the belt's speed."""
    from scipy.integrate import solve_ivp

    middle, begins = (dynamic * mass * gravity + viscous * speed) / spring, static * mass * gravity
    begins /= spring

    def rates(_t, y):
        return y[1], -(spring * (y[0] - middle) + viscous * y[1]) / mass

    def holds(t, y):
        return y[1] - speed if t > 1e-6 else -1.0

    holds.terminal, holds.direction = True, 1
    run = solve_ivp(rates, (0, 60), (begins, speed), events=holds, rtol=1e-10, atol=1e-12)
    return run.t_events[0][0] + (begins - run.y_events[0][0][0]) / speed


def test_stick_and_slip_of_bowden_and_leben():
    """A belt of 0.05 m/s takes the block along until the spring pulls it back; in its axes."""
    wanted = ideal_period(1.0, 2.0, 10.0, 0.15, 0.1, 0.1, 0.05)
    assert wanted == pytest.approx(11.80, abs=0.005)
    feet = 4
    friction = {"static": 0.15, "dynamic": 0.1, "viscous": 0.1 / feet}
    times, found = pulled(friction, 1e-3, 10.0, lambda _: 2.0, 0.0, lambda t: -0.05 * t, 45.0)
    stretch = found + 0.05 * times
    falls = np.flatnonzero((stretch[1:] < 0.7) & (stretch[:-1] >= 0.7))
    assert len(falls) == 3
    assert np.diff(times[falls]) == pytest.approx([wanted] * 2, rel=0.01)
    assert stretch.max() == pytest.approx(0.75, rel=0.01)
