"""Kernels of worlds that impulses move, as plain Python."""

import numpy as np
import pytest

import headframe as hf
from headframe.baselines.maximal import forces as maximal_forces
from headframe.baselines.maximal import rows as maximal_rows
from headframe.baselines.simmc import impulses as simmc_impulses
from headframe.baselines.simmc import touching as simmc_touching
from headframe.constraints.simgc import touching as simgc_touching
from headframe.constraints.striking import loose, machine, rows, stepping
from headframe.contact.near import touch
from headframe.dynamics.touching import islands, meeting, placing
from headframe.dynamics.touching import loose as touching_loose
from headframe.spatial import compose
from moving import loaded
from plain_python import run_as_python
from worlds import BALL, CUBE, grounded

MODULES = (
    stepping, rows, machine, loose, simgc_touching, simmc_touching, meeting, placing, islands,
    touching_loose, touch, simmc_impulses, maximal_rows, maximal_forces,
)  # fmt: skip


def small_world(formulation):
    """A ball that comes down on a box, and a gripper whose fingers are about to close on another.

    Few iterations: plain Python takes its time.
    """
    world = grounded("rubber", step=5e-3, formulation=formulation, iterations=20)
    world.add_body("box", CUBE, 5.0, at=[0, 0, 0.1], material="rubber")
    world.add_body("ball", BALL, 1.0, at=[0.02, 0, 0.31], material="rubber",
                   velocity=[0, 1, 0, 0.2, 0, -2.0])  # fmt: skip
    gripper = loaded("gripper")
    held = world.add(gripper, "gripper", at=compose(np.eye(3), [5.0, 0.0, 0.0]))
    held.command({motor.name: hf.locked() for motor in gripper.robot.motors})
    held.command({"finger_1_motor": hf.torque(-5.0)})
    (pad,) = gripper.collision.shapes[gripper.robot.link_index["left_finger"]]
    place = held.pose("left_finger") @ pad.pose
    world.add_body("held", {"type": "box", "x": 0.05, "y": 0.106, "z": 0.06}, 0.5,
                   at=[place[0, 3], 0, place[2, 3]], material="rubber")  # fmt: skip
    return world


@pytest.mark.parametrize("formulation", ["simgc", "simmc"])
def test_steps_in_python_are_the_compiled_ones(formulation, monkeypatch):
    ends = []
    for plain in (False, True):
        if plain:
            run_as_python(monkeypatch, *MODULES)
        world = small_world(formulation)
        touched = set()
        for _ in range(12):
            world.step(1)
            touched |= {name for one in world.contacts for name in (one.a, one.b)}
        bodies = [world.part(name) for name in ("box", "ball", "held")]
        found = [body.pose.ravel() for body in bodies] + [body.velocity for body in bodies]
        ends.append((np.concatenate([*found, world.part("gripper").q]), world.energy()))
        assert touched == {
            "box", "ball", "held", "ground", "gripper/left_finger", "gripper/right_finger",
        }  # fmt: skip
    np.testing.assert_allclose(ends[1][0], ends[0][0], atol=1e-9)
    assert ends[1][1].contacts == pytest.approx(ends[0][1].contacts, abs=1e-9)
