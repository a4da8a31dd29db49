"""Bodies that lie still sleep, and wake; bodies are pulled at; meshes touch."""

import numpy as np
import pytest

import headframe as hf
from worlds import BALL, CUBE, G, grounded, states, stuff


def stack(count=3, sleeping=True, step=2e-3):
    world = grounded(stuff(), step=step, sleeping=sleeping)
    for n in range(count):
        world.add_body(f"box {n}", CUBE, mass=8, at=[0, 0, 0.1 + 0.2 * n], material=stuff())
    return world


def asleep(world):
    return [world.part(name).asleep for name in world.names if name.startswith("box")]


def test_a_stack_sleeps_and_keeps_its_contacts():
    world = stack()
    world.run(0.4)
    assert asleep(world) == [False] * 3
    world.run(0.8)
    assert asleep(world) == [True] * 3
    before, contacts = states(world), len(world.contacts)
    assert contacts == 12
    ground = sum(each.force[2] for each in world.contacts if "ground" in (each.a, each.b))
    assert abs(ground) == pytest.approx(24 * G, rel=1e-6)
    poses = [world.part(f"box {n}").pose for n in range(3)]
    world.run(60.0)
    for n, pose in enumerate(poses):
        assert np.array_equal(world.part(f"box {n}").pose, pose)
    assert len(before) == 1
    assert len(world.contacts) == contacts
    assert world.energy().balance == pytest.approx(0.0, abs=1e-9)


def test_what_comes_near_wakes_the_whole_stack():
    world = stack()
    world.run(1.2)
    world.add_body("ball", BALL, mass=5, at=[0.05, 0, 1.5], material=stuff())
    world.run(0.3)
    assert asleep(world) == [True] * 3  # it is still in the air
    world.run(0.3)
    assert asleep(world) == [False] * 3
    assert world.energy().balance == pytest.approx(0.0, abs=1e-9)


def test_sleepers_wake_when_what_bears_them_goes():
    world = stack()
    world.run(1.2)
    world.remove("box 1")
    world.run(0.1)
    assert world.part("box 2").velocity[5] < -0.5
    assert asleep(world) == [False, False]


def test_with_sleep_and_without_it_goes_the_same_way_until_it_comes():
    one, other = stack(), stack(sleeping=False)
    for world in (one, other):
        world.run(0.4)
    assert [p.tobytes() for p in poses_of(one)] == [p.tobytes() for p in poses_of(other)]


def poses_of(world):
    return [world.part(f"box {n}").pose for n in range(3)]


def test_saved_asleep_it_wakes_the_same_way():
    world = stack()
    world.run(1.2)
    world.add_body("ball", BALL, mass=5, at=[0.05, 0, 1.0], material=stuff())
    world.run(0.1)
    saved = world.save()
    world.run(0.6)
    there = states(world)
    world.restore(saved)
    world.run(0.6)
    assert states(world) == there


def test_a_pulled_body_obeys_newton_and_the_ledger():
    world = hf.World(step=1e-3, gravity=0.0)
    ball = world.add_body("ball", BALL, mass=2, at=[0, 0, 0])
    ball.apply([0, 0, 0.008, 4.0, 0, 0])
    world.run(1.0)
    assert ball.velocity[3:] == pytest.approx([2.0, 0, 0], abs=1e-12)
    assert ball.velocity[2] == pytest.approx(0.008 / (0.4 * 2 * 0.01), rel=1e-9)
    assert world.energy().pulls == pytest.approx(world.energy().kinetic, rel=1e-12)
    ball.apply(None)
    world.run(1.0)
    assert ball.velocity[3:] == pytest.approx([2.0, 0, 0], abs=1e-12)


def test_a_pull_wakes_and_a_strong_one_moves():
    world = stack(1)
    world.run(1.2)
    box = world.part("box 0")
    assert box.asleep
    box.apply([0, 0, 0, 0.4 * 8 * G, 0, 0], point=[0, 0, -0.1])  # less than friction bears
    world.run(1.0)
    assert abs(box.pose[0, 3]) < 1e-3
    box.apply([0, 0, 0, 0.7 * 8 * G, 0, 0], point=[0, 0, -0.1])
    world.run(0.5)
    assert box.velocity[3] == pytest.approx(0.2 * G * 0.5, rel=0.02)
    assert world.energy().balance == pytest.approx(0.0, abs=1e-9)


def test_wrong_pulls_are_refused():
    world = stack(1)
    with pytest.raises(hf.StateError, match="wrench"):
        world.part("box 0").apply([1, 2, 3])
    with pytest.raises(hf.StateError, match="point"):
        world.part("box 0").apply(np.zeros(6), point=[np.nan, 0, 0])


def test_a_mesh_lies_on_the_ground_as_the_box_that_it_is(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    trimesh.creation.box((0.2, 0.2, 0.2)).export(tmp_path / "box.stl")
    world = grounded(stuff(), step=2e-3)
    mesh = {"type": "mesh", "path": "box.stl"}
    one = world.add_body("mesh", mesh, mass=8, at=[0, 0, 0.101], material=stuff(), folder=tmp_path)
    other = world.add_body("box", CUBE, mass=8, at=[1, 0, 0.101], material=stuff())
    world.run(1.0)
    assert one.pose[2, 3] == pytest.approx(other.pose[2, 3], abs=1e-5)
    assert np.abs(one.velocity).max() < 1e-6
