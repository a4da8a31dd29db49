"""Worlds that impulses move: members, time, bits, and what they tell."""

import numpy as np
import pytest

import headframe as hf
from build import joint, machine
from headframe.bench.standing_machine import HEIGHT, standing_machine
from headframe.spatial import compose
from moving import loaded
from worlds import BALL, CUBE, G, grounded, states, stuff

BOTH = pytest.mark.parametrize("formulation", ["simgc", "simmc"])


# --------------------------------------------------------------------------------------- machines


@BOTH
def test_where_nothing_touches_a_machine_moves_as_in_a_simulation(formulation):
    machine = loaded("lhd")
    world = hf.World(formulation=formulation)
    inside = world.add(machine, "it")
    alone = hf.Simulation(machine, formulation=formulation)
    for each in (inside, alone):
        each.command({group: hf.locked() for group in machine.robot.group_names})
        each.apply("bucket", [0, 0, 0, 0, 0, -100.0])
    for drive in alone._engine.drives:  # as a world limits its cylinders
        drive.most_force = inside._engine.drives[0].most_force
    world.run(0.1)
    alone.run(0.1)
    assert np.array_equal(inside.q, alone.q)
    assert np.array_equal(inside.v, alone.v)
    assert inside.energy() == alone.energy()
    assert inside.formulation == formulation


@BOTH
def test_a_machine_stands_on_its_wheels(formulation):
    """A tree of 14 bodies, locked: its weight on four wheels."""
    world = grounded("rubber", step=5e-3, formulation=formulation, tolerance=1e-3, iterations=400)
    it = world.add(standing_machine(), "it", at=compose(np.eye(3), [0, 0, HEIGHT + 0.01]))
    it.command({motor.name: hf.locked() for motor in it.machine.robot.motors})
    world.run(4.0)
    assert {contact.a for contact in world.contacts} == {
        f"it/wheel_{end}_{side}" for end in ("front", "rear") for side in ("left", "right")
    }
    weight = sum(link.inertial.mass for link in it.machine.links if link.inertial) * G
    assert sum(contact.force[2] for contact in world.contacts) == pytest.approx(weight, rel=1e-3)
    assert np.abs(it.v).max() < 1e-3
    assert it.pose("chassis")[2, 3] == pytest.approx(HEIGHT, abs=1e-3)


@BOTH
def test_a_fixed_machine_is_in_the_way(formulation):
    """A ball that falls on the loader's body stays there; both know what that took."""
    machine = loaded("lhd")
    world = hf.World(step=2e-3, formulation=formulation)
    it = world.add(machine, "it")
    it.command({group: hf.locked() for group in machine.robot.group_names})
    world.add_body("ball", {"type": "sphere", "r": 0.3}, 50.0, at=[0, 0, 3.0], material="rubber")
    touched = set()
    for _ in range(150):
        world.step(5)
        touched |= {name for contact in world.contacts for name in (contact.a, contact.b)}
    assert "ball" in touched
    assert any(name.startswith("it/") for name in touched)
    assert world.energy().contacts < 0.0


@BOTH
def test_links_of_one_machine_touch_each_other(formulation):
    """The gripper closes on nothing: its fingers stop at each other, not at a stop."""
    machine = loaded("gripper")
    world = hf.World(formulation=formulation)
    gripper = world.add(machine, "it")
    gripper.command({motor.name: hf.locked() for motor in machine.robot.motors})
    gripper.command({"finger_1_motor": hf.torque(-1.0)})
    world.run(1.0)
    names = {frozenset((contact.a, contact.b)) for contact in world.contacts}
    assert names == {frozenset(("it/left_finger", "it/right_finger"))}
    assert abs(gripper.joint("finger_1").velocity) < 1e-6
    assert all(contact.depth < 1e-5 for contact in world.contacts)
    push = sum(contact.force[1] for contact in world.contacts)
    assert push != 0.0


def swing(far):
    """A bar that hangs from a base, whose origin is far away, and a ball that it strikes."""
    links = [{"name": "base"}, {
        "name": "bar", "inertial": {"mass": 2.0, "com": [0.5, 0, 0],
                                    "inertia": [[1e-3, 0, 0], [0, 0.2, 0], [0, 0, 0.2]]},
        "collision": [{"translation": [0.5, 0, 0], "geometry": {"type": "box", "x": 1.0, "y": 0.1,
                                                                "z": 0.1}}],
    }]  # fmt: skip
    return machine([joint("hinge", "base", "bar", at=[far, 0, 1.0])], links=links)


@BOTH
def test_a_machine_far_from_its_bases_origin_touches_the_same(formulation):
    """It stands back by as much, so that it is in the same place; SIMMC counts from the base."""
    ends = []
    for far in (0.0, 500.0):
        world = hf.World(formulation=formulation)
        world.add(swing(far), "it", at=compose(np.eye(3), [-far, 0.0, 0.0]))
        ball = world.add_body("ball", BALL, 1.0, at=[0.7, 0, 0.2], material="steel")
        world.add_static("table", CUBE, at=[0.7, 0, 0.0], material="steel")
        world.run(0.6)
        ends.append((ball.pose[:3, 3], ball.velocity[3:]))
    assert abs(ends[0][1][0]) > 0.5  # it was struck
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-6)


# ----------------------------------------------------------------------------------------- bodies


def heap(formulation="simgc"):
    world = grounded("concrete", step=2e-3, formulation=formulation)
    for k in range(6):
        shape = CUBE if k % 2 else BALL
        world.add_body(f"b{k}", shape, 5.0, at=[0.05 * k, 0.03 * k, 0.3 + 0.25 * k],
                       material="wood")  # fmt: skip
    return world


def scene(formulation):
    """A heap beside a gripper that closes on a box."""
    world = heap(formulation)
    machine = loaded("gripper")
    gripper = world.add(machine, "gripper", at=compose(np.eye(3), [3.0, 0, 0]))
    gripper.command({motor.name: hf.locked() for motor in machine.robot.motors})
    gripper.command({"finger_1_motor": hf.torque(-5.0)})
    (shape,) = machine.collision.shapes[machine.robot.link_index["left_finger"]]
    place = gripper.pose("left_finger") @ shape.pose
    world.add_body("box", {"type": "box", "x": 0.05, "y": 0.1, "z": 0.06}, 0.5,
                   at=[place[0, 3], 0, place[2, 3]], material="rubber")  # fmt: skip
    return world


@BOTH
def test_the_same_inputs_give_the_same_bits(formulation):
    one, two = scene(formulation), scene(formulation)
    one.run(0.6)
    for _ in range(60):
        two.run(0.01)
    assert states(one) == states(two)


@BOTH
def test_going_back_repeats_every_bit(formulation):
    world = scene(formulation)
    world.run(0.3)
    saved = world.save()
    world.run(0.4)
    first, told = states(world), world.sweeps
    world.restore(saved)
    assert world.time == pytest.approx(0.3)
    world.run(0.4)
    assert states(world) == first
    assert world.sweeps == told


@BOTH
def test_what_comes_and_goes_changes_nothing_else(formulation):
    world, other = scene(formulation), scene(formulation)
    world.run(0.2)
    other.run(0.2)
    world.add_body("far", BALL, 1.0, at=[50, 0, 5.0])
    world.step(3)
    other.step(3)
    world.remove("far")
    world.add_static("post", CUBE, at=[-50, 0, 0])
    world.run(0.4)
    other.run(0.4)
    for name in (*(f"b{k}" for k in range(6)), "box"):
        assert np.array_equal(world.part(name).pose, other.part(name).pose)
        assert np.array_equal(world.part(name).velocity, other.part(name).velocity)
    assert np.array_equal(world.part("gripper").q, other.part("gripper").q)
    assert world.energy().balance == pytest.approx(other.energy().balance, abs=1e-9)
    world.remove("gripper")
    world.run(0.5)
    assert world.part("box").pose[2, 3] < other.part("box").pose[2, 3]


def test_what_contacts_tell():
    world = grounded("steel", step=5e-3, formulation="simgc", tolerance=1e-12, iterations=1000)
    world.add_body("box", CUBE, 20.0, at=[0, 0, 0.1], material="steel")
    world.run(1.0)
    pushed = np.zeros(3)
    for contact in world.contacts:
        assert {contact.a, contact.b} == {"box", "ground"}
        sign = 1.0 if contact.a == "box" else -1.0
        assert sign * contact.normal == pytest.approx([0, 0, 1])
        assert contact.point[:2] == pytest.approx(0.1 * np.sign(contact.point[:2]))
        assert contact.sticking
        assert contact.depth == pytest.approx(0.0, abs=1e-9)
        pushed += sign * contact.force
    assert pushed == pytest.approx([0, 0, 20.0 * G], rel=1e-9, abs=1e-9)


def test_steps_that_do_not_converge_are_counted():
    few = grounded("steel", formulation="simgc", iterations=2)
    many = grounded("steel", formulation="simgc", iterations=2000)
    for world in (few, many):
        for k in range(4):
            world.add_body(f"b{k}", CUBE, 20.0, at=[0, 0, 0.1 + 0.2 * k], material="steel")
        world.run(0.1)
    assert few.sweeps.unsettled > 0
    assert few.sweeps.worst > 1e-6
    assert few.sweeps.mean <= 2.0
    assert (many.sweeps.unsettled, many.sweeps.worst) == (0, 0.0)


def test_more_contacts_than_there_was_room_for():
    world = grounded("steel", step=5e-3, formulation="simgc", tolerance=1e-9)
    for k in range(30):
        world.add_body(f"b{k}", CUBE, 1.0, at=[0.5 * k, 0, 0.1], material="steel")
    world.run(0.1)
    assert sum(contact.force[2] for contact in world.contacts) == pytest.approx(30.0 * G, rel=1e-6)


# ----------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: hf.World(formulation="xpbd"), "formulation: found 'xpbd', expected one of 'auto'"),
        (lambda: hf.World(tolerance=1e-6), "a world of 'auto' takes no 'tolerance'"),
        (lambda: hf.World(formulation="simgc", tolerence=1), "takes no 'tolerence'; did you mean"),
        (lambda: hf.World(formulation="simgc", tolerance=0.0), "tolerance: found 0.0"),
        (lambda: hf.World(formulation="simmc", iterations=0), "iterations: found 0"),
        (lambda: hf.World(formulation="simgc", beta=2.0), "beta: found 2.0"),
        (lambda: hf.World(formulation="simgc").add(loaded("lhd"), formulation="embedded"),
         "formulation: found 'embedded', expected one of 'auto', 'simgc'"),
        (lambda: hf.World(formulation="simmc").add(loaded("lhd"), integrator="rk4"),
         "brings its own integrator"),
    ],
)  # fmt: skip
def test_errors_say_what_was_expected(make, told):
    with pytest.raises(hf.StateError) as error:
        make()
    assert told in str(error.value)


def test_members_are_not_joined():
    world = heap()
    with pytest.raises(hf.StateError, match="a world of 'simgc' cannot join its members"):
        world.join("b0", "b1")
    world.run(0.1)


def test_a_loose_body_is_pulled_at():
    """Along the ground, against its friction: with F / m - mu g; the ledger has the work of it."""
    material = stuff(static=0.5)
    world = grounded(material, formulation="simgc", tolerance=1e-12, iterations=2000)
    box = world.add_body("box", CUBE, 20.0, at=[0, 0, 0.1], material=material)
    box.apply([0, 0, 0, 300.0, 0, 0])
    world.run(0.5)
    assert box.velocity[3] == pytest.approx((300.0 / 20.0 - 0.5 * G) * 0.5, rel=1e-9)
    energy = world.energy()
    assert energy.pulls == pytest.approx(300.0 * box.pose[0, 3], rel=1e-2)  # half a step's way
    assert energy.balance == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("height", [0.1, 5.0])
def test_a_body_that_is_nowhere_any_more_is_named(height):
    world = grounded("steel", formulation="simgc")
    world.add_body("ball", BALL, 1.0, at=[0, 0, height], material="steel")
    world.run(0.01)
    world.loose_record("ball").v[1] = np.nan
    with pytest.raises(hf.DynamicsError, match="'ball': its place or velocity is not finite"):
        world.run(1.0)
    assert world.time == pytest.approx(0.01)
