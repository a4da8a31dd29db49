"""MuJoCo's kinematics put every body where our forward kinematics does.

It is given our home's model, joint values and lengths. The pins about which tubes and rods swing
are nobody's joints in our description: they are found by Newton's method on MuJoCo's own equality
constraints, which must then hold.
"""

import numpy as np
import pytest

import headframe
from headframe.bench.printed import ORDER
from headframe.export import mjcf_text

mujoco = pytest.importorskip("mujoco")

STATES = 5


def equalities(model, data, qpos):
    """Residuals of the equality constraints, and their Jacobian (rows, nv)."""
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    return data.efc_pos[rows].copy(), data.efc_J.reshape(-1, model.nv)[rows].copy()


def positions(one, model, data, state):
    """MuJoCo's qpos of a state."""
    qpos = model.qpos0.copy()
    known = {**state.joints}
    for actuator, length in zip(one.robot.actuators, state.lengths, strict=True):
        known[f"{actuator.name}.length"] = length
    for name, value in known.items():
        qpos[model.joint(name).qposadr[0]] = value
    pins = np.ones(model.nv, dtype=bool)
    pins[[model.joint(name).dofadr[0] for name in known]] = False
    for _ in range(20):
        gaps, J = equalities(model, data, qpos)
        step = np.zeros(model.nv)
        if pins.any():
            step[pins] = -np.linalg.lstsq(J[:, pins], gaps, rcond=1e-10)[0]
        mujoco.mj_integratePos(model, qpos, step, 1.0)
        if np.abs(step).max() < 1e-13:
            break
    return qpos


def without_pin(one):
    """Tubes and rods whose turn about their own axis is anyone's choice."""
    return {part for a in one.robot.actuators if a.tube_axis is None for part in (a.tube, a.rod)}


@pytest.mark.parametrize("name", ORDER)
def test_bodies_are_where_forward_kinematics_puts_them(name):
    one = headframe.load(name)
    model = mujoco.MjModel.from_xml_string(mjcf_text(one.robot, one.topology, one.home))
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    random = np.random.default_rng(17)
    for _ in range(STATES):
        state = one.fk(random.uniform(*one.kinematics.usable))
        assert np.abs(state.q - one.home.q).max() > 1e-3
        gaps, _ = equalities(model, data, positions(one, model, data, state))
        assert np.abs(gaps).max(initial=0.0) < 1e-9
        for link in one.robot.links:
            body, X = data.body(link.name), state.pose(link.name)
            np.testing.assert_allclose(body.xpos, X[:3, 3], rtol=0, atol=1e-9)
            columns = slice(0, 1) if link.name in without_pin(one) else slice(0, 3)
            R = body.xmat.reshape(3, 3)
            np.testing.assert_allclose(R[:, columns], X[:3, columns], rtol=0, atol=1e-9)
