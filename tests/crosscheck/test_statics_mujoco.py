"""MuJoCo's bodies and constraints need the same cylinder forces to stand still as ours.

MuJoCo's machine stands still where bias = passive + applied + cylinders + J_eq^T lambda, with
the bias at rest that of gravity alone, and lambda whatever the loops take. Its tubes and rods are
bodies of their own, on a pin and in each other, so that it knows nothing of our look-at frames.
"""

import numpy as np
import pytest

import headframe
from headframe.bench.printed import ORDER
from headframe.export import mjcf_text
from headframe.kinematics.static_forces import statics
from headframe.kinematics.velocities import jacobian, rates
from headframe.spatial import pose
from poses import home_and_elsewhere

mujoco = pytest.importorskip("mujoco")

X_WB = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))


def standing(one, state):
    """MuJoCo's model and data, standing in the state: it is written as if that were home."""
    model = mujoco.MjModel.from_xml_string(mjcf_text(one.robot, one.topology, state))
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def held(one, model, data):
    """What never moves: rows of all equality constraints and of the joints that motors spin."""
    equal = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    J_eq = data.efc_J.reshape(-1, model.nv)[equal]
    motors = [model.joint(one.robot.joints[j].name).dofadr[0] for j in one.topology.spinning]
    return np.vstack([J_eq, np.eye(model.nv)[motors]])


def slides(one, model):
    """Rows that pick the cylinders' speeds out of the velocities, (n_actuators, nv)."""
    dofs = [model.joint(f"{a.name}.length").dofadr[0] for a in one.robot.actuators]
    return np.eye(model.nv)[dofs]


def motions(one, model, data):
    """MuJoCo's velocities per metre of each group's first member, (nv, n_groups)."""
    closing = held(one, model, data)
    first = slides(one, model)[one.mechanism.first_members]
    wanted = np.vstack([np.zeros((len(closing), len(first))), np.eye(len(first))])
    dv, _, _, _ = np.linalg.lstsq(np.vstack([closing, first]), wanted, rcond=1e-10)
    return dv


def load(one, model, data, wrenches):
    """Generalized forces that the cylinders and loops have to balance, (nv,)."""
    applied = np.zeros(model.nv)
    for link, wrench in wrenches.items():
        body = model.body(link).id
        mujoco.mj_applyFT(
            model, data, wrench[3:], wrench[:3], data.xpos[body].copy(), body, applied
        )
    return data.qfrc_bias - data.qfrc_passive - applied


@pytest.mark.parametrize("base", [np.eye(4), X_WB], ids=["level", "tilted"])
@pytest.mark.parametrize("name", ORDER)
def test_cylinders_hold_mujocos_machine(name, base):
    one = headframe.load(name)
    random = np.random.default_rng(6)
    for state in home_and_elsewhere(one):
        there = state.moved(base)
        model, data = standing(one, there)
        assert one.robot.up == pytest.approx(-model.opt.gravity / 9.81)
        links = [link.name for link in one.robot.links]
        for wrenches in ({}, {link: random.normal(scale=1e4, size=6) for link in links}):
            forces = statics(there, wrenches)
            needed = load(one, model, data, wrenches)
            size = np.abs(needed).max()
            # the totals of the groups, from MuJoCo's own motions
            totals = motions(one, model, data).T @ needed
            assert rates(there).lengths.T @ forces == pytest.approx(
                totals, rel=1e-9, abs=1e-9 * size
            )
            # and member by member: what is left is taken by loops and motors
            left = needed - slides(one, model).T @ forces
            support = held(one, model, data).T
            taken, _, _, _ = np.linalg.lstsq(support, left, rcond=1e-10)
            assert np.abs(support @ taken - left).max() < 1e-9 * size


@pytest.mark.parametrize("name", ORDER)
def test_links_move_as_mujocos_bodies(name):
    """Jacobians of all links, tubes and rods, at their origins."""
    one = headframe.load(name)
    for state in home_and_elsewhere(one):
        there = state.moved(X_WB)
        model, data = standing(one, there)
        dv = motions(one, model, data)
        for link in one.robot.links:
            linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
            mujoco.mj_jacBody(model, data, linear, angular, model.body(link.name).id)
            theirs = np.vstack([angular, linear]) @ dv
            assert jacobian(there, link.name) == pytest.approx(theirs, abs=1e-10)
