"""Pinocchio reads our URDF and places every link where we place it."""

import math

import numpy as np
import pytest
from zoo import ALL, DIALECTS, machine

from headframe.export import urdf_text
from headframe.mechanism import State
from headframe.spatial import pose

pinocchio = pytest.importorskip("pinocchio")


def random_positions(one, random):
    """Positions of the tree's joints, loops not closed."""
    q = random.uniform(-2.0, 2.0, one.home.q.size)
    for joint, part in one.mechanism.position_of_joint.items():
        if one.robot.joint(joint).type in ("spherical", "free"):
            quat = q[part.start : part.start + 4]
            quat /= np.linalg.norm(quat)
    return q


def pinocchio_positions(one, model, state):
    """The same positions as Pinocchio holds them."""
    q = pinocchio.neutral(model)

    def put(name, value):
        joint = model.joints[model.getJointId(name)]
        if joint.nq == 2:  # a continuous joint
            value = [math.cos(value), math.sin(value)]
        q[joint.idx_q : joint.idx_q + joint.nq] = value

    for name, value in state.joints.items():
        kind = one.robot.joint(name).type
        if kind == "universal":
            put(f"{name}.1", value[0])
            put(f"{name}.2", value[1])
        elif kind == "spherical":
            w, x, y, z = value
            R = pinocchio.Quaternion(w, x, y, z).matrix()
            # R = Rx(a) Ry(b) Rz(c)
            put(f"{name}.x", math.atan2(-R[1, 2], R[2, 2]))
            put(f"{name}.y", math.asin(np.clip(R[0, 2], -1.0, 1.0)))
            put(f"{name}.z", math.atan2(-R[0, 1], R[0, 0]))
        elif kind == "helical":
            put(name, value)
            put(f"{name}.way", one.robot.joint(name).way_per_radian * value)
        elif kind == "free":
            w, x, y, z, *translation = value
            put(name, [*translation, x, y, z, w])
        else:
            put(name, value)
    return q


@pytest.mark.parametrize("name", ALL)
def test_links_are_where_ours_are(name):
    one = machine(name)
    model = pinocchio.buildModelFromXML(urdf_text(one.robot, one.topology, one.home))
    data = model.createData()
    upright = pose((0, 0, 0), (math.pi / 2, 0, 0)) if one.robot.up_axis == "y" else np.eye(4)
    random = np.random.default_rng(1)
    for _ in range(20):
        state = State(one.mechanism, random_positions(one, random))
        pinocchio.framesForwardKinematics(model, data, pinocchio_positions(one, model, state))
        for link in one.robot.main_links:
            frame = data.oMf[model.getFrameId(link.name, pinocchio.FrameType.BODY)]
            # ten joints in a row, metres: rounding stays far below
            assert frame.homogeneous == pytest.approx(upright @ state.pose(link.name), abs=1e-11)


@pytest.mark.parametrize("name", [n for n in ALL if n not in ("weightless", *DIALECTS)])
def test_mass_and_centre_are_ours(name):
    one = machine(name)
    # Pinocchio takes the links that are fixed to its world for part of the world
    model = pinocchio.buildModelFromXML(
        urdf_text(one.robot, one.topology, one.home), pinocchio.JointModelFreeFlyer()
    )
    data = model.createData()
    state = one.home
    q = pinocchio_positions(one, model, state)
    centre = pinocchio.centerOfMass(model, data, q)
    bodies = [link for link in one.robot.links if link.inertial]
    mass = sum(link.inertial.mass for link in bodies)
    moment = sum(
        link.inertial.mass * (state.pose(link.name) @ [*link.inertial.com, 1.0])[:3]
        for link in bodies
    )
    upright = pose((0, 0, 0), (math.pi / 2, 0, 0)) if one.robot.up_axis == "y" else np.eye(4)
    assert pinocchio.computeTotalMass(model) == pytest.approx(mass)
    assert centre == pytest.approx(upright[:3, :3] @ moment / mass)
