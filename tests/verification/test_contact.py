"""Laws of bodies that touch: closed forms, conservation, friction."""

import numpy as np
import pytest

import headframe as hf
from worlds import BALL, CUBE, G, grounded, momenta, stuff


def test_a_ball_sinks_in_as_hertz_says():
    """Depth (5 m v^2 / (4 k))^(2/5), duration 2.9432 depth / v; first order in the step."""
    world = grounded(stuff(restitution=1.0), step=2e-6, gravity=0.0)
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.1], material=stuff(restitution=1.0),
                          velocity=[0, 0, 0, 0, 0, -1.0])  # fmt: skip
    k = 4 / 3 * 5e7 * np.sqrt(0.1)
    wanted = (5 / (4 * k)) ** 0.4
    heights = []
    while ball.velocity[5] < 0.0 or world.contacts:
        world.step(1)
        heights.append(ball.pose[2, 3])
    assert 0.1 - min(heights) == pytest.approx(wanted, rel=2e-3)
    assert 2e-6 * len(heights) == pytest.approx(2.9432 * wanted, rel=5e-3)
    assert ball.velocity[5] == pytest.approx(1.0, rel=5e-3)


@pytest.mark.parametrize("restitution", [0.3, 0.7, 0.9])
def test_a_ball_bounces_to_the_square_of_its_restitution(restitution):
    """Heights eps^(2 n), by steps of a six-hundredth of a contact; the error falls with them."""
    material = stuff(restitution=restitution, young=1e9)
    world = grounded(material, step=2e-6)
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.6], material=material)
    peaks, before, rising = [], np.inf, False
    while len(peaks) < 2:
        world.step(100)
        height = ball.pose[2, 3] - 0.1
        if rising and height < before:
            peaks.append(before)
        rising, before = height > before, height
    assert peaks[0] == pytest.approx(0.5 * restitution**2, rel=0.03)
    assert peaks[1] == pytest.approx(0.5 * restitution**4, rel=0.1)  # its weight counts, too


def test_a_ball_slides_and_then_rolls():
    """At 5/7 of its speed after 2 v / (7 mu g)."""
    material = stuff(static=0.2, bristle=(1e7, 1e4))
    world = grounded(material, step=5e-4)
    depth = (G / (4 / 3 * 5e7 * np.sqrt(0.1))) ** (2 / 3)
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.1 - depth], material=material,
                          velocity=[0, 0, 0, 2.0, 0, 0])  # fmt: skip
    rolls = 2 * 2.0 / (7 * 0.2 * G)
    world.run(0.95 * rolls)
    assert not world.contacts[0].sticking
    assert ball.velocity[3] == pytest.approx(2.0 - 0.2 * G * world.time, rel=1e-4)
    world.run(0.15 * rolls)
    assert world.contacts[0].sticking
    w, v = ball.velocity[1], ball.velocity[3]
    assert v == pytest.approx(2.0 * 5 / 7, rel=1e-3)
    assert w * 0.1 == pytest.approx(v, rel=1e-3)
    assert ball.velocity[[0, 2, 4]] == pytest.approx([0, 0, 0], abs=1e-12)


def test_a_block_holds_below_the_angle_of_friction():
    """An hour on a slope of 20 degrees, friction 0.5: it does not creep."""
    world = grounded("steel", step=5e-3, slope=np.radians(20))
    block = world.add_body("block", CUBE, 20.0, at=[0, 0, 0.1], material="steel")
    world.run(5.0)
    before = block.pose
    world.run(3600.0)
    np.testing.assert_allclose(block.pose, before, atol=1e-9)
    assert all(contact.sticking for contact in world.contacts)


@pytest.mark.parametrize("degrees", [30.0, 45.0])
def test_a_block_slides_above_the_angle_of_friction(degrees):
    """With g (sin - mu cos)."""
    slope, mu = np.radians(degrees), 0.3
    world = grounded(stuff(static=mu), slope=slope)
    block = world.add_body("block", CUBE, 20.0, at=[0, 0, 0.1], material=stuff(static=mu))
    world.run(1.0)
    before = block.velocity[3]
    world.run(1.0)
    rate = block.velocity[3] - before
    assert rate == pytest.approx(G * (np.sin(slope) - mu * np.cos(slope)), rel=1e-3)


def test_static_friction_gives_way_to_dynamic():
    """A block that is pushed over its static limit goes on with its dynamic one."""
    material = stuff(static=0.6, dynamic=0.3)
    slope = np.arctan(0.4)  # between both
    world = grounded(material, slope=slope)
    block = world.add_body("block", CUBE, 20.0, at=[0, 0, 0.1], material=material)
    world.run(2.0)
    assert np.abs(block.velocity).max() < 1e-9
    moved = grounded(material, slope=slope)
    block = moved.add_body("block", CUBE, 20.0, at=[0, 0, 0.1], material=material,
                           velocity=[0, 0, 0, 0.5, 0, 0])  # fmt: skip
    moved.run(1.0)
    assert block.velocity[3] == pytest.approx(
        0.5 + G * (np.sin(slope) - 0.3 * np.cos(slope)), rel=0.02
    )


def test_a_steel_box_on_steel_lies_still():
    """Stiffness of Hertz for steel, steps of 5 ms: nothing jitters, no energy appears."""
    world = grounded("steel", step=5e-3)
    box = world.add_body("box", CUBE, 20.0, at=[0, 0, 0.5], material="steel")
    energies = []
    for _ in range(400):
        world.step(1)
        energies.append(world.energy().total)
    assert (np.diff(energies) <= 1e-9).all()
    assert np.abs(box.velocity).max() < 1e-11
    assert world.energy().balance == pytest.approx(0.0, abs=1e-9)


def test_a_stack_bears_its_weights():
    world = grounded("steel", step=5e-3)
    for k in range(10):
        world.add_body(f"box {k}", CUBE, 20.0, at=[0, 0, 0.1 + 0.2 * k], material="steel")
    world.run(10.0)
    forces = dict.fromkeys(range(10), 0.0)
    for contact in world.contacts:
        lower = 0 if "ground" in (contact.a, contact.b) else 1 + int(contact.a[-1])
        forces[lower] += abs(contact.force[2])
    wanted = [(10 - k) * 20.0 * G for k in range(10)]
    assert list(forces.values()) == pytest.approx(wanted, rel=1e-6)
    assert max(np.abs(world.part(f"box {k}").velocity).max() for k in range(10)) < 1e-9


@pytest.mark.slow
def test_a_stack_stands_for_an_hour():
    world = grounded("steel", step=5e-3)
    for k in range(10):
        world.add_body(f"box {k}", CUBE, 20.0, at=[0, 0, 0.1 + 0.2 * k], material="steel")
    world.run(20.0)
    before = [world.part(f"box {k}").pose for k in range(10)]
    world.run(3600.0)
    for k in range(10):
        np.testing.assert_allclose(world.part(f"box {k}").pose, before[k], atol=1e-9)


def test_collisions_keep_momentum():
    """Boxes and balls that meet in space, spinning, with friction."""
    rng = np.random.default_rng(7)
    world = hf.World(step=1e-3, gravity=0.0)
    names = []
    for k in range(8):
        at = np.array([np.cos(k), np.sin(k), 0.3 * np.sin(3 * k)]) * 0.8
        shape = {"type": "box", "x": 0.2, "y": 0.15, "z": 0.1} if k % 2 else BALL
        world.add_body(f"{k}", shape, 1.0 + k, at=at, material="rubber",
                       velocity=[*rng.normal(size=3) * 5, *(-2 * at)])  # fmt: skip
        names.append(f"{k}")
    before, touched = momenta(world, names), 0
    for _ in range(1000):
        world.step(1)
        touched += len(world.contacts)
    assert touched > 50
    np.testing.assert_allclose(momenta(world, names), before, atol=1e-12 * 60)


def test_a_body_tumbles_freely():
    """Angular momentum to the last digits, energy to the order of the method."""
    world = hf.World(step=1e-3, gravity=0.0)
    world.add_body("brick", {"type": "box", "x": 0.3, "y": 0.2, "z": 0.05}, 2.0,
                   velocity=[1.0, 8.0, 0.1, 0, 0, 0])  # fmt: skip
    before, energy = momenta(world, ["brick"]), world.energy().total
    world.run(20.0)
    np.testing.assert_allclose(momenta(world, ["brick"]), before, atol=1e-14)
    assert world.energy().total == pytest.approx(energy, rel=1e-9)
