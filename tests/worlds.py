"""Worlds for tests."""

import numpy as np

import headframe as hf
from headframe.description import Bristle, ContactMaterial, Friction

BALL = {"type": "sphere", "r": 0.1}
CUBE = {"type": "box", "x": 0.2, "y": 0.2, "z": 0.2}
PLANE = {"type": "plane"}
G = 9.81


def stuff(restitution=0.5, static=0.5, dynamic=None, young=1e8, bristle=(1e6, 1e3), **fields):
    """A material; a pair of it has half of its modulus, and half of its bristles."""
    return ContactMaterial(
        name="stuff", young=young, poisson=0.0, restitution=restitution,
        friction=Friction(static=static, dynamic=static if dynamic is None else dynamic),
        bristle=Bristle(stiffness=bristle[0], damping=bristle[1]), **fields,
    )  # fmt: skip


def grounded(material, step=1e-3, slope=0.0, gravity=G, sleeping=False, **options):
    """A world with a plane ground; gravity pulls as on a slope [rad] that falls along x.

    Nothing sleeps, so that what stands still is seen to do so."""
    down = gravity * np.array([np.sin(slope), 0.0, -np.cos(slope)])
    world = hf.World(step=step, gravity=down, sleeping=sleeping, **options)
    world.add_static("ground", PLANE, material=material)
    return world


def states(world):
    """All that moves, to be compared bit by bit."""
    saved = world.save()
    machines = [each.engine.state for each in saved.machines.values()]
    return [saved.state.tobytes(), *(state.tobytes() for state in machines)]


def momenta(world, names):
    """Linear momentum and angular momentum about the origin of all bodies together."""
    linear, angular = np.zeros(3), np.zeros(3)
    for name in names:
        body = world.part(name)
        R, w, m = body.pose[:3, :3], body.velocity[:3], body.mass
        c = body.pose[:3, 3] + R @ np.array(body.inertial.com)
        v = body.velocity[3:] + np.cross(w, c - body.pose[:3, 3])
        linear += m * v
        angular += m * np.cross(c, v) + R @ np.array(body.inertial.inertia) @ R.T @ w
    return np.concatenate([linear, angular])
