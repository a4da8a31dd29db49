"""Laws of contact in a world: each parts with the restitution of its closed form, rests at rest."""

import numpy as np
import pytest

from headframe import StateError
from headframe.contact import (
    NORMAL_LAWS,
    exact_dissipation,
    kelvin_voigt_damping,
    kelvin_voigt_restitution,
    lankarani_dissipation,
    printed_dissipation,
    restitution_of,
)
from headframe.contact.force import SLOWEST
from headframe.description import ContactMaterial, Friction
from worlds import BALL, CUBE, G, grounded

STIFFNESS = 1e5  # [N/m^exponent], of one of two materials
FOUNDATION = 4e7  # [N/m^3], of one of two materials


def material(law, exponent=1.5, restitution=0.5, damping=400.0, friction=None):
    given = {"static": 0.5, "dynamic": 0.4, **(friction or {})}
    if law == "volumetric":
        return ContactMaterial(
            name=law, law=law, foundation=FOUNDATION, restitution=restitution,
            friction=Friction(**given),
        )  # fmt: skip
    return ContactMaterial(
        name=law, stiffness=STIFFNESS, exponent=exponent, restitution=restitution, law=law,
        damping=damping if law == "kelvin-voigt" else None, friction=Friction(**given),
    )  # fmt: skip


def parting_share(stuff, step, speed=1.0):
    """Share of its speed that a ball of 1 kg leaves the ground with, without gravity."""
    world = grounded(stuff, step=step, gravity=0.0)
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.1], material=stuff,
                          velocity=[0, 0, 0, 0, 0, -speed])  # fmt: skip
    while ball.velocity[5] < 0.0 or world.contacts:
        world.step(20)
    return ball.velocity[5] / speed


def extrapolated(stuff, step):
    """The same for steps without a size: the error is of the first order in them."""
    return 2.0 * parting_share(stuff, step / 2) - parting_share(stuff, step)


@pytest.mark.parametrize(
    ("law", "asked", "comes"),
    [
        ("hunt-crossley", 0.5, 0.5),
        ("hunt-crossley", 0.2, 0.2),
        ("printed", 0.5, 0.663),
        ("printed", 0.0, 0.488),
        ("lankarani", 0.5, restitution_of(lankarani_dissipation(0.5))),
        ("volumetric", 0.5, 0.5),
    ],
)
def test_balls_part_with_the_restitution_of_their_law(law, asked, comes):
    if law == "printed":
        assert restitution_of(printed_dissipation(asked)) == pytest.approx(comes, abs=5e-4)
    assert extrapolated(material(law, restitution=asked), 4e-5) == pytest.approx(comes, abs=2e-3)


@pytest.mark.parametrize("asked", [0.2, 0.6, 0.9])
def test_a_spring_with_a_damper_parts_with_the_restitution_of_its_mass(asked):
    """Two equal materials: half of the stiffness, half of the damping."""
    damping = kelvin_voigt_damping(asked, STIFFNESS / 2, 1.0)
    stuff = material("kelvin-voigt", exponent=1.0, damping=2 * damping)
    assert extrapolated(stuff, 4e-5) == pytest.approx(asked, abs=2e-3)
    heavier = kelvin_voigt_restitution(damping, STIFFNESS / 2, 4.0)
    assert heavier > asked  # what it loses depends on the mass


@pytest.mark.parametrize("law", NORMAL_LAWS)
@pytest.mark.parametrize("shape", [BALL, CUBE])
def test_what_is_put_down_at_rest_sinks_in_and_rests(law, shape):
    """No approach, so no speed to reckon dissipation from: it neither sticks nor explodes."""
    world = grounded(material(law))
    body = world.add_body("it", shape, 20.0, at=[0, 0, 0.1], material=material(law))
    start = world.energy().total
    for _ in range(10):
        world.run(0.6)
        assert world.energy().total <= start + 1e-9
    assert np.abs(body.velocity).max() < 1e-6
    stiffness, exponent, feet = STIFFNESS * 0.5**1.5, 1.5, len(world.contacts)
    if law == "volumetric":  # of a ball, also in place of a flat face; each place has four feet
        radius = 0.1 if shape is BALL else 0.1 * np.sqrt(3)
        stiffness, exponent, feet = np.pi * radius * FOUNDATION / 2, 2.0, feet / 4
    depth = (20.0 * G / (feet * stiffness)) ** (1 / exponent)
    assert body.pose[2, 3] == pytest.approx(0.1 - depth, abs=1e-6)
    assert world.energy().balance == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("law", NORMAL_LAWS)
def test_what_rests_can_be_lifted_again(law):
    """A ball that lies still and is thrown up leaves with its speed, and what the spring adds."""
    world = grounded(material(law), step=1e-4)
    world.add_body("it", BALL, 1.0, at=[0, 0, 0.1], material=material(law))
    world.run(1.0)
    rests = world.part("it")
    height = rests.pose[2, 3]
    thrown = grounded(material(law), step=1e-4)
    ball = thrown.add_body("it", BALL, 1.0, at=[0, 0, height], material=material(law),
                           velocity=[0, 0, 0, 0, 0, 1.0])  # fmt: skip
    thrown.run(0.05)
    assert not thrown.contacts
    assert ball.velocity[5] == pytest.approx(1.0 - 0.05 * G, abs=0.03)


def test_a_stiction_point_holds_a_block_and_lets_it_slide():
    point = {"law": "stiction-point", "transition": 2e-3, "dynamic": 0.5}
    for slope, slides in ((np.arctan(0.3), False), (np.arctan(0.7), True)):
        stuff = material("hunt-crossley", restitution=0.1, friction=point)
        world = grounded(stuff, slope=slope, step=5e-4)
        block = world.add_body("block", CUBE, 20.0, at=[0, 0, 0.0985], material=stuff)
        world.run(1.0)
        before = block.velocity[3]
        world.run(0.5)
        gains = (block.velocity[3] - before) / 0.5
        wanted = G * (np.sin(slope) - 0.5 * np.cos(slope)) if slides else 0.0
        assert gains == pytest.approx(wanted, abs=0.01)
        assert (before > 1.0) == slides
        assert world.energy().balance == pytest.approx(0.0, abs=1e-6)


# ------------------------------------------------------------------- the volumetric law


def soft_ball(velocity, step, restitution=0.5):
    """A world with a ball of 1 kg that lies on a soft skin, and its depth [m]."""
    friction = {"static": 0.4, "dynamic": 0.4}
    stuff = material("volumetric", restitution=restitution, friction=friction)
    world = grounded(stuff, step=step)
    depth = np.sqrt(G / (np.pi * 0.1 * FOUNDATION / 2))
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.1 - depth], material=stuff,
                          velocity=velocity)  # fmt: skip
    return world, ball, depth


@pytest.mark.parametrize(("step", "restitution"), [(1e-3, 0.5), (2e-4, 0.5), (1e-3, 0.9)])
def test_a_ball_that_rolls_is_slowed_down_by_its_foundation(step, restitution):
    """(4.7): I w' = -K a J_t w with K V = m g, J_t = V R d / 3 and I = 7/5 m R^2 about the place.

    It is put down without a speed, and its weight adds less than SLOWEST within a step, so that a
    is dissipation / SLOWEST. The step counts by its first order, and the depth by d / R.
    """
    world, ball, depth = soft_ball([0, 0.5, 0, 0.05, 0, 0], step, restitution)
    rate = G * exact_dissipation(restitution) / SLOWEST * depth / (3 * 1.4 * 0.1)
    assert 0.3 < rate < 5.0
    world.run(0.2)
    before, start = ball.velocity[1], world.time
    world.run(0.5)
    found = np.log(before / ball.velocity[1]) / (world.time - start)
    assert found == pytest.approx(rate, rel=0.02)
    assert ball.velocity[3] == pytest.approx(0.1 * ball.velocity[1], rel=0.02)  # it does not slide


def test_a_ball_that_spins_stops():
    """(4.10): mu m g r with r^2 = 2 R d / 3, after 2/5 m R^2 w / that."""
    world, ball, depth = soft_ball([0, 0, 20.0, 0, 0, 0], 1e-3)
    stops = 0.4 * 0.01 * 20.0 / (0.4 * G * np.sqrt(2 * 0.1 * depth / 3))
    world.run(0.5 * stops)
    assert ball.velocity[2] == pytest.approx(10.0, rel=0.02)
    world.run(0.45 * stops)
    assert 0.0 < ball.velocity[2] < 2.0
    world.run(0.1 * stops)
    assert abs(ball.velocity[2]) < 1e-3
    assert np.abs(ball.velocity[:2]).max() < 1e-6
    assert world.energy().balance == pytest.approx(0.0, abs=1e-9)


def test_a_ball_that_slides_and_spins_slides_further():
    """What friction spends on spinning it has not for sliding."""
    speeds = []
    for spin in (0.0, 60.0):
        world, ball, _ = soft_ball([0, 0, spin, 0.3, 0, 0], 1e-3)
        world.run(0.02)
        speeds.append(ball.velocity[3])
    assert speeds[1] > speeds[0] + 0.01


def test_without_the_volumetric_law_a_ball_spins_and_rolls_on():
    world = grounded(material("hunt-crossley"))
    ball = world.add_body("ball", BALL, 1.0, at=[0, 0, 0.1], material=material("hunt-crossley"),
                          velocity=[0, 0.5, 20.0, 0.05, 0, 0])  # fmt: skip
    world.run(1.0)
    assert ball.velocity[[1, 2]] == pytest.approx([0.5, 20.0], rel=0.02)


def test_a_material_that_contradicts_itself_is_refused():
    stuff = material("hunt-crossley").model_copy(update={"damping": 3.0})
    world = grounded(material("hunt-crossley"))
    with pytest.raises(StateError, match="found damping with the law hunt-crossley"):
        world.add_body("it", BALL, 1.0, material=stuff)
