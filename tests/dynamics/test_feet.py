"""Feet on which a place with the volumetric law stands in a world."""

import numpy as np
import pytest

from headframe.contact.kernels import FEET
from headframe.description import ContactMaterial, Friction
from headframe.dynamics.touching import meeting
from headframe.dynamics.touching.records import MEETING, WORLD
from headframe.jit import header, records
from plain_python import run_as_python
from worlds import BALL, grounded

DEPTH, SPIN = 0.002, (0.3, 0.7, 11.0)


def stood():
    """Kernels' records of a ball on four feet: the world, its scratch memory, the meetings."""
    skin = ContactMaterial(
        name="skin", law="volumetric", foundation=4e7, restitution=0.5,
        friction=Friction(static=0.4, dynamic=0.4),
    )  # fmt: skip
    world = grounded(skin)
    world.add_body("ball", BALL, 1.0, at=[0.3, -0.2, 0.1 - DEPTH], material=skin,
                   velocity=[*SPIN, 0, 0, 0])  # fmt: skip
    engine = world._now()
    assert engine.deep_pairs(0.5) == []  # it looks for what is near
    head = header(engine.world, WORLD)
    return head, engine, records(engine.work, head.work.meetings, MEETING)


def test_feet_have_the_moments_of_a_paraboloid():
    head, _, meetings = stood()
    feet, r2 = meetings[:FEET], 2 / 3 * 0.1 * DEPTH
    points = feet.touch.point
    np.testing.assert_allclose(points.mean(axis=0)[:2], [0.3, -0.2], atol=1e-15)
    ways = points - points.mean(axis=0)
    np.testing.assert_allclose(ways.T @ ways / FEET, np.diag([r2 / 2, r2 / 2, 0]), atol=1e-15)
    assert feet.stiffness.sum() == pytest.approx(np.pi * 2e7 * 0.1)
    assert len(set(feet.touch.feature)) == FEET
    rolls = np.cross(SPIN, ways)[:, 2]
    np.testing.assert_allclose(feet.turning, rolls, atol=1e-15)
    np.testing.assert_allclose(feet.touch.depth, DEPTH + head.h * rolls, atol=1e-12)


def test_uncompiled_it_gives_the_same(monkeypatch):
    head, engine, meetings = stood()
    found = meetings[:FEET].copy()
    one = meetings[0]
    one.touch.point = found.touch.point.mean(axis=0)
    one.touch.depth, one.touch.feature = DEPTH, found.touch.feature[0] // FEET
    one.stiffness = FEET * found.stiffness[0]
    run_as_python(monkeypatch, meeting)
    meeting.stand_on_feet(head, engine.world, engine.work, meetings, 0)
    for name in ("turning", "stiffness", "pair", "a", "b", "axes"):
        np.testing.assert_allclose(meetings[:FEET][name], found[name], rtol=1e-12)
    np.testing.assert_allclose(meetings[:FEET].touch.point, found.touch.point, rtol=1e-12)
    np.testing.assert_allclose(meetings[:FEET].touch.depth, found.touch.depth, rtol=1e-12)
