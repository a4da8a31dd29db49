"""Laws of bodies that touch by impulses: closed forms, conservation, friction.

Loose bodies move alike in worlds of SIMGC and of SIMMC, so one of them stands for both.
"""

import numpy as np
import pytest

import headframe as hf
from worlds import BALL, CUBE, PLANE, G, grounded, momenta, stuff

CONVERGED = {"tolerance": 1e-12, "iterations": 5000}


def ground(material, **options):
    return grounded(material, formulation="simgc", **options)


# ---------------------------------------------------------------------------------------- bounces


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.9, 1.0])
def test_a_ball_leaves_with_its_restitution(restitution):
    """To rounding, in whatever part of a step it comes."""
    material = stuff(restitution=restitution)
    for speed in (0.5, 1.7, 3.0):
        world = ground(material, gravity=0.0)
        ball = world.add_body("ball", BALL, 2.0, at=[0, 0, 0.3], material=material,
                              velocity=[0, 0, 0, 0, 0, -speed])  # fmt: skip
        world.run(1.0)
        assert ball.velocity[5] == pytest.approx(restitution * speed, rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("restitution", [0.3, 0.7, 1.0])
def test_a_ball_bounces_to_the_square_of_its_restitution(restitution):
    """Heights eps^(2 n), but for how far above the ground it turns, at most h v = 0.3 mm."""
    material = stuff(restitution=restitution)
    world = ground(material, step=1e-4)
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.6], material=material)
    peaks, before, rising = [], np.inf, False
    while len(peaks) < 3:
        world.step(1)
        height = ball.pose[2, 3] - 0.1
        if rising and height < before:
            peaks.append(before)
        rising, before = height > before, height
    wanted = [0.5 * restitution ** (2 * n) for n in (1, 2, 3)]
    assert peaks == pytest.approx(wanted, rel=5e-3, abs=1e-4)
    energy = world.energy()
    assert energy.total <= energy.start
    assert energy.balance == pytest.approx(0.0, abs=1e-12)


def test_slow_balls_come_to_rest():
    """What falls slower than in two steps does not bounce any more: nothing jitters."""
    material = stuff(restitution=0.9)
    world = ground(material, step=5e-3)
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.2], material=material)
    world.run(20.0)
    assert ball.pose[2, 3] == pytest.approx(0.1, abs=2e-6)
    assert ball.velocity == pytest.approx(np.zeros(6), abs=1e-12)
    (contact,) = world.contacts
    assert contact.force == pytest.approx([0, 0, G], rel=1e-9)


def test_balls_that_meet_exchange_their_velocities():
    """Equal ones without loss; those of other masses by their restitution."""
    for mass, restitution in ((1.0, 1.0), (3.0, 0.4)):
        material = stuff(restitution=restitution, static=0.0)
        world = hf.World(gravity=0.0, formulation="simgc")
        one = world.add_body("one", BALL, 1.0, material=material, velocity=[0, 0, 0, 2.0, 0, 0])
        other = world.add_body("other", BALL, mass, at=[0.5, 0, 0], material=material)
        world.run(0.5)
        common = 2.0 / (1.0 + mass)
        assert one.velocity[3] == pytest.approx(common - restitution * mass * common, abs=1e-14)
        assert other.velocity[3] == pytest.approx(common * (1.0 + restitution), abs=1e-14)


# --------------------------------------------------------------------------------------- friction


def test_a_block_holds_below_the_angle_of_friction():
    material = stuff(static=0.5)
    world = ground(material, slope=np.radians(25), **CONVERGED)
    block = world.add_body("block", CUBE, 20.0, at=[0, 0, 0.1], material=material)
    world.run(60.0)
    np.testing.assert_allclose(block.pose[:3, 3], [0, 0, 0.1], atol=1e-9)
    assert all(contact.sticking for contact in world.contacts)


@pytest.mark.parametrize("degrees", [30.0, 45.0])
def test_a_block_slides_above_the_angle_of_friction(degrees):
    """With g (sin - mu cos)."""
    slope, mu = np.radians(degrees), 0.5
    world = ground(stuff(static=mu), slope=slope, **CONVERGED)
    block = world.add_body("block", CUBE, 20.0, at=[0, 0, 0.1], material=stuff(static=mu))
    world.run(1.0)
    assert block.velocity[3] == pytest.approx(G * (np.sin(slope) - mu * np.cos(slope)), rel=1e-12)
    assert not any(contact.sticking for contact in world.contacts)
    assert world.sweeps.unsettled == 0


def test_static_friction_gives_way_to_dynamic():
    material, slope = stuff(static=0.6, dynamic=0.3), np.arctan(0.4)  # between both
    speeds = []
    for start in (0.0, 0.5):
        world = ground(material, slope=slope, **CONVERGED)
        block = world.add_body("block", CUBE, 20.0, at=[0, 0, 0.1], material=material,
                               velocity=[0, 0, 0, start, 0, 0])  # fmt: skip
        world.run(1.0)
        speeds.append(block.velocity[3])
    slides = 0.5 + G * (np.sin(slope) - 0.3 * np.cos(slope))
    assert speeds == pytest.approx([0.0, slides], rel=1e-9, abs=1e-12)


def test_friction_is_opposed_to_the_motion():
    """A block that slides along a diagonal stops on it, after v^2 / (2 mu g)."""
    world = ground(stuff(static=0.4), **CONVERGED)
    block = world.add_body("block", CUBE, 20.0, at=[0, 0, 0.1], material=stuff(static=0.4),
                           velocity=[0, 0, 0, 1.2, 1.6, 0])  # fmt: skip
    world.run(1.0)
    way = 2.0**2 / (2 * 0.4 * G)
    assert block.velocity == pytest.approx(np.zeros(6), abs=1e-12)
    assert block.pose[:2, 3] == pytest.approx([0.6 * way, 0.8 * way], rel=3e-3)  # h v / 2
    assert block.pose[1, 3] / block.pose[0, 3] == pytest.approx(4 / 3, rel=1e-9)


def test_a_ball_slides_and_then_rolls():
    """At 5/7 of its speed after 2 v / (7 mu g)."""
    world = ground(stuff(static=0.2), step=1e-4)
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.1], material=stuff(static=0.2),
                          velocity=[0, 0, 0, 2.0, 0, 0])  # fmt: skip
    rolls = 2 * 2.0 / (7 * 0.2 * G)
    world.run(0.95 * rolls)
    assert not world.contacts[0].sticking
    assert ball.velocity[3] == pytest.approx(2.0 - 0.2 * G * world.time, rel=1e-9)
    world.run(0.1 * rolls)
    assert world.contacts[0].sticking
    assert ball.velocity[3] == pytest.approx(2.0 * 5 / 7, rel=1e-9)
    assert 0.1 * ball.velocity[1] == pytest.approx(ball.velocity[3], rel=1e-9)


# -------------------------------------------------------------------------------- stacks and heaps


def test_a_stack_bears_its_weights():
    material = stuff(restitution=0.0)
    world = ground(material, **CONVERGED)
    for k in range(5):
        world.add_body(f"box {k}", CUBE, 5.0 + k, at=[0, 0, 0.1 + 0.2 * k], material=material)
    world.run(1.0)
    forces = np.zeros(5)
    for contact in world.contacts:
        lower = 0 if "ground" in (contact.a, contact.b) else 1 + int(contact.a[-1])
        forces[lower] += abs(contact.force[2])
    wanted = [G * sum(5.0 + k for k in range(lower, 5)) for lower in range(5)]
    assert forces == pytest.approx(wanted, rel=1e-9)
    heights = [world.part(f"box {k}").pose[2, 3] for k in range(5)]
    assert heights == pytest.approx([0.1 + 0.2 * k for k in range(5)], abs=1e-8)


def heap(material, formulation="simgc", **options):
    world = grounded(material, step=2e-3, formulation=formulation, **options)
    random = np.random.default_rng(3)
    for k in range(12):
        place = [*random.uniform(-0.1, 0.1, 2), 0.3 + 0.25 * k]
        world.add_body(f"{k}", CUBE if k % 2 else BALL, 5.0, at=place, material=material,
                       velocity=[*random.uniform(-3, 3, 3), 0, 0, 0])  # fmt: skip
    return world


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.9])
def test_energy_never_grows_in_a_heap(restitution):
    """But for what the tolerance of the impulses leaves, and friction stays in its cone."""
    world = heap(stuff(restitution=restitution, static=0.4))
    energies = [world.energy().total]
    for _ in range(1500):
        world.step(1)
        energies.append(world.energy().total)
        for contact in world.contacts:
            pushes = contact.force @ contact.normal
            rubs = np.linalg.norm(contact.force - pushes * contact.normal)
            assert rubs <= 0.4 * pushes * (1.0 + 1e-12)
            assert contact.depth < 5e-3  # corners that turn run in by the square of a step
    assert np.diff(energies).max() < 1e-6
    assert energies[-1] < 0.5 * energies[0]
    assert world.energy().balance == pytest.approx(0.0, abs=1e-9 * energies[0])


def test_a_pile_rests_where_the_implicit_step_lets_it_rest():
    """Blocks stacked like bricks: within what elastic ones give way, and the slop of rigid ones."""
    ends = []
    for formulation in ("auto", "simgc"):
        material = stuff(restitution=0.0, young=1e9)
        world = grounded(material, step=2e-3, formulation=formulation)
        brick = {"type": "box", "x": 0.4, "y": 0.2, "z": 0.1}
        for row in range(3):
            for k in range(3 - row):
                at = [0.42 * k + 0.21 * row, 0, 0.05 + 0.1 * row + 0.01]
                world.add_body(f"{row} {k}", brick, 10.0, at=at, material=material)
        world.run(3.0)
        ends.append([world.part(name).pose[:3, 3] for name in world.names if name != "ground"])
        deepest = max(contact.depth for contact in world.contacts)
        assert max(np.abs(world.part(name).velocity).max() for name in world.names[:-1]) < 1e-4
        if formulation == "auto":
            sinks = 3 * deepest  # of three layers
    assert sinks < 1e-3
    np.testing.assert_allclose(ends[1], ends[0], atol=sinks + 2e-6)


@pytest.mark.parametrize("beta", [0.2, 1e-12])
def test_collisions_keep_momentum(beta):
    """Boxes and balls that meet in space, spinning, with friction.

    What is taken back of an indentation moves bodies without velocities, which changes their
    angular momentum about a distant point; impulses do not.
    """
    random = np.random.default_rng(7)
    world = hf.World(step=1e-3, gravity=0.0, formulation="simgc", beta=beta)
    names = []
    for k in range(8):
        at = np.array([np.cos(k), np.sin(k), 0.3 * np.sin(3 * k)]) * 0.8
        shape = {"type": "box", "x": 0.2, "y": 0.15, "z": 0.1} if k % 2 else BALL
        world.add_body(f"{k}", shape, 1.0 + k, at=at, material="rubber",
                       velocity=[*random.normal(size=3) * 5, *(-2 * at)])  # fmt: skip
        names.append(f"{k}")
    before, touched = momenta(world, names), 0
    for _ in range(1000):
        world.step(1)
        touched += len(world.contacts)
    assert touched > 50
    after = momenta(world, names)
    np.testing.assert_allclose(after[:3], before[:3], atol=1e-12 * 60)  # of 60 kg m/s and more
    np.testing.assert_allclose(after[3:], before[3:], atol=1e-12 * 60 if beta < 0.2 else 1e-3)


def test_a_start_within_something_is_taken_back_without_speed():
    """By pseudo-velocities: a fifth of the depth a step, and no energy of motion comes of it."""
    world = ground("steel")
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.095], material="steel")
    depths = []
    for _ in range(100):
        world.step(1)
        depths.append(0.1 - ball.pose[2, 3])
        assert np.abs(ball.velocity).max() < 1e-12
    assert depths[0] == pytest.approx(0.8 * 5e-3, rel=1e-3)
    assert depths[-1] == pytest.approx(1e-6, abs=1e-7)
    static = ground("steel")
    static.add_static("post", PLANE, at=[0, 0, -1])
    static.run(0.1)
    assert static.contacts == []
