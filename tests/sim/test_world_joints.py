"""Joints of a world: exact, strong, and gone when asked."""

import numpy as np
import pytest

import headframe as hf
from worlds import BALL, CUBE, G, states

ALONG_Y = np.array([[1.0, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])  # z is along y


def at(place, axes=None):
    X = np.eye(4) if axes is None else axes.copy()
    X[:3, 3] = place
    return X


def hung(kind, gravity=G, step=1e-3, place=(0.5, 0.0, 2.0)):
    """A ball that a joint holds at a post."""
    world = hf.World(step=step, gravity=gravity)
    world.add_static("post", CUBE, at=[0, 0, 2])
    bob = world.add_body("bob", BALL, mass=10, at=place)
    return world, bob, world.join("bob", "post", kind, at=at([0, 0, 2], ALONG_Y))


def test_a_pendulum_swings_with_its_period():
    world, bob, _ = hung("revolute", step=2e-4, place=(0.02, 0.0, 1.5))
    inertia = 10 * (0.5**2 + 0.02**2) + 0.4 * 10 * 0.1**2
    period = 2 * np.pi * np.sqrt(inertia / (10 * G * np.hypot(0.02, 0.5)))
    world.run(0.6 * period)
    crossing, before = None, bob.pose[0, 3]
    while crossing is None:
        world.step()
        now = bob.pose[0, 3]
        if before < 0.0 <= now:
            crossing = world.time - 2e-4 * now / (now - before)
        before = now
    assert crossing == pytest.approx(0.75 * period, rel=2e-3)


def test_the_length_of_a_pendulum_stays():
    world, bob, _ = hung("revolute")
    for _ in range(100):
        world.run(0.01)
        assert np.hypot(bob.pose[0, 3], bob.pose[2, 3] - 2) == pytest.approx(0.5, abs=2e-5)
        assert bob.pose[1, 3] == pytest.approx(0.0, abs=1e-12)
    assert world.energy().balance == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("kind", "free"),
    [("fixed", ()), ("revolute", (4,)), ("spherical", (3, 4, 5)), ("prismatic", (1,)),
     ("cylindrical", (1, 4))],
)  # fmt: skip
def test_each_kind_lets_move_just_what_it_should(kind, free):
    """Pulled along and turned about every axis; 0-2 are ways, 3-5 turns about the joint's place."""
    for axis in range(6):
        world, bob, _ = hung(kind, gravity=0.0, place=(0.0, 0.0, 2.0))
        wrench = np.zeros(6)
        wrench[3 + axis if axis < 3 else axis - 3] = 50.0 if axis < 3 else 5.0
        bob.apply(wrench)
        world.run(0.1)
        moved = np.abs(bob.pose[:3, 3] - [0, 0, 2]).max()
        turned = np.abs(bob.pose[:3, :3] - np.eye(3)).max()
        if axis in free:
            assert (moved if axis < 3 else turned) > 0.01, axis
        else:
            assert max(moved, turned) < 1e-9, axis


def test_a_chain_bears_its_weight():
    world = hf.World(step=1e-3)
    world.add_static("hook", BALL, at=[0, 0, 5])
    last = "hook"
    for n in range(10):
        world.add_body(
            f"link {n}", {"type": "capsule", "r": 0.02, "h": 0.1}, 1.0, [0, 0, 4.9 - 0.2 * n]
        )
        world.join(f"link {n}", last, "spherical", [0, 0, 5 - 0.2 * n], name=f"joint {n}")
        last = f"link {n}"
    world.run(1.0)
    for n in range(10):
        assert world.part(f"joint {n}").wrench[3:] == pytest.approx([0, 0, (10 - n) * G], abs=1e-5)
        assert world.part(f"link {n}").pose[2, 3] == pytest.approx(4.9 - 0.2 * n, abs=1e-9)


def test_what_is_joined_does_not_collide_and_falls_apart_when_the_joint_goes():
    world = hf.World(step=1e-3)
    world.add_static("ground", {"type": "plane"})
    world.add_static("post", CUBE, at=[0, 0, 2])
    box = world.add_body("box", CUBE, mass=5, at=[0.19, 0, 2.0])
    world.join("box", "post")
    world.run(0.3)
    assert box.pose[2, 3] == pytest.approx(2.0, abs=1e-9)
    assert world.contacts == []
    world.remove("box-post")
    assert "box-post" not in world.names
    world.run(0.3)
    assert box.pose[2, 3] < 1.7


def test_a_joint_goes_with_what_it_holds():
    world, _, _ = hung("fixed")
    world.run(0.01)
    world.remove("post")
    assert world.names == ["bob"]
    world.run(0.1)
    assert world.part("bob").velocity[5] == pytest.approx(-0.1 * G, rel=1e-6)


def test_a_body_is_joined_to_a_machine():
    world = hf.World(step=1e-3)
    door = world.add(hf.load("door"), "door")
    link = door.machine.robot.links[-1].name
    X = world.pose_of(f"door/{link}")
    place = X[:3, 3] + [0, 0, 3.0]
    weight = world.add_body("weight", BALL, mass=3, at=place)
    joint = world.join("weight", f"door/{link}")
    offset = np.linalg.inv(world.pose_of(f"door/{link}")) @ weight.pose
    world.run(0.3)
    now = np.linalg.inv(world.pose_of(f"door/{link}")) @ weight.pose
    np.testing.assert_allclose(now, offset, atol=1e-4)
    assert np.isfinite(joint.wrench).all()


def test_saved_and_restored_it_goes_the_same_way():
    world, _, _ = hung("spherical")
    world.run(0.2)
    saved = world.save()
    world.run(0.2)
    there = states(world)
    world.restore(saved)
    world.run(0.2)
    assert states(world) == there


def test_wrong_joints_are_refused():
    world, _, _ = hung("fixed")
    world.add_static("wall", CUBE, at=[9, 0, 0])
    with pytest.raises(hf.StateError, match="both stand still"):
        world.join("wall", "post")
    with pytest.raises(hf.StateError, match="another member"):
        world.join("bob", "bob")
    with pytest.raises(hf.StateError, match="type: found 'glued'"):
        world.join("bob", "wall", "glued")
    with pytest.raises(hf.UnknownElementError, match="nobody"):
        world.join("bob", "nobody")
    with pytest.raises(hf.StateError, match="has already"):
        world.join("bob", "wall", name="bob")
