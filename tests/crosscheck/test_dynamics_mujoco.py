"""MuJoCo's numbers of our MJCF are those of our trees, cylinders included.

MuJoCo hangs every tube on its parent by two hinges, the pin and one across; ours has the second
hinge only where the mount is no plane one, and turns it the other way. Loops are left open: what
is compared is the tree.
"""

import numpy as np
import pytest
from zoo import INERTIAL, floats, slewing_telescope

import headframe
from build import with_rotors
from headframe.bench.mechanisms import random_tree, seven_joint_arm
from headframe.bench.printed import ORDER
from headframe.description import Robot
from headframe.dynamics.tree.algorithms import aba, crba, forward_dynamics, rnea
from headframe.dynamics.tree.functions import (
    body_jacobian,
    centre_of_mass,
    energy,
    momentum,
)
from headframe.export import mjcf_text
from headframe.machine import Machine
from headframe.mechanism import State
from headframe.mechanism.tree import tree_of
from poses import home_and_elsewhere

mujoco = pytest.importorskip("mujoco")

EQUAL = 1e-10


def standing(one, state):
    """MuJoCo's model, and its data with all positions those of the state."""
    model = mujoco.MjModel.from_xml_string(mjcf_text(one.robot, one.topology, state))
    return model, mujoco.MjData(model)


def selection(one, model):
    """S with v_mujoco = S v_ours, (nv_mujoco, nv_ours)."""
    tree = tree_of(one.mechanism)
    S = np.zeros((model.nv, tree.nv))
    for name, part in one.mechanism.velocity_of_joint.items():
        if part.stop > part.start:
            S[model.joint(name).dofadr[0], part.start] = 1.0
    for actuator, cylinder in zip(one.actuators, tree.cylinders, strict=True):
        S[model.joint(f"{actuator.name}.pin").dofadr[0], cylinder.velocity] = 1.0
        if len(cylinder.tube) == 2:
            S[model.joint(f"{actuator.name}.cross").dofadr[0], cylinder.velocity + 1] = -1.0
        S[model.joint(f"{actuator.name}.length").dofadr[0], cylinder.length_velocity] = 1.0
    assert np.linalg.matrix_rank(S) == tree.nv
    return S


def mass_matrix(model, data):
    M = np.zeros((model.nv, model.nv))
    for column, unit in zip(M, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, column, unit)
    return M


def check(one, state, random):
    """Mass matrix, bias, forward dynamics and quantities in one state."""
    model, data = standing(one, state)
    tree, S = tree_of(one.mechanism), selection(one, model)
    q, v = tree.positions(state), random.normal(size=tree.nv)
    data.qvel[:] = S @ v
    mujoco.mj_forward(model, data)
    M, bias = S.T @ mass_matrix(model, data) @ S, S.T @ data.qfrc_bias
    close(crba(one.mechanism, q), M)
    close(rnea(one.mechanism, q, v, np.zeros(tree.nv)), bias)
    tau = random.normal(size=tree.nv) * np.abs(bias).max()
    vdot = np.linalg.solve(M, tau - bias)
    # M's condition amplifies its rounding
    tolerance = EQUAL * max(1.0, 1e-6 * np.linalg.cond(M))
    close(aba(one.mechanism, q, v, tau), vdot, tolerance)
    close(forward_dynamics(one.mechanism, q, v, tau), vdot, tolerance)
    check_quantities(one, model, data, q, v)


def check_quantities(one, model, data, q, v):
    """Jacobians of all links, tubes and rods among them; mass and centre, momentum, energy."""
    S, point = selection(one, model), np.array([0.3, -0.2, 0.5])
    linear, angular = np.zeros((2, 3, model.nv))
    tree, compared = tree_of(one.mechanism), set()
    for name, freedom in tree.freedom_of_link.items():
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
        if freedom >= 0 and body >= 0:  # welded links may be part of their carriers
            place = data.xpos[body] + data.xmat[body].reshape(3, 3) @ point
            mujoco.mj_jac(model, data, linear, angular, place, body)
            close(body_jacobian(one, q, name, point), np.vstack([angular, linear]) @ S)
            compared.add(name)
    assert compared >= {
        name for cylinder in one.actuators for name in (cylinder.tube, cylinder.rod)
    }
    found = centre_of_mass(one, q)
    close([found.mass, *found.position], np.array([model.body_mass.sum(), *data.subtree_com[0]]))
    mujoco.mj_subtreeVel(model, data)
    p = found.mass * data.subtree_linvel[0]
    at_origin = data.subtree_angmom[0] + np.cross(data.subtree_com[0], p)
    close(momentum(one, q, v), np.concatenate([at_origin, p]))
    kinetic = data.qvel @ mass_matrix(model, data) @ data.qvel / 2
    assert energy(one, q, v).kinetic == pytest.approx(kinetic, rel=EQUAL)


def close(ours, theirs, tolerance=EQUAL):
    size = np.abs(theirs).max()
    assert size > 0.0
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * size)


@pytest.mark.parametrize("name", ORDER)
def test_machines_with_their_cylinders(name):
    one = headframe.load(name)
    random = np.random.default_rng(3)
    for state in home_and_elsewhere(one):
        check(one, state, random)


def test_mounts_that_are_not_plane():
    """Tubes that turn about their pins and out of the pins' planes."""
    content = slewing_telescope()
    for link in content["links"]:  # MuJoCo would give some mass to what has none
        link["inertial"] = INERTIAL
    for cylinder in content["actuators"]:  # without a pin, MuJoCo's tubes turn about their own z
        cylinder["tube_axis"] = [0.0, 1.0, 0.0]
    one = Machine(Robot.model_validate(floats(content)))
    assert [len(cylinder.tube) for cylinder in tree_of(one.mechanism).cylinders] == [2, 2]
    random = np.random.default_rng(5)
    for state in home_and_elsewhere(one):
        angles = [tree_of(one.mechanism).positions(state)[part] for part in (-5, -2)]
        assert np.abs(angles).min() > 0.05  # they do lean
        check(one, state, random)


@pytest.mark.parametrize("name", ["roadheader", "sths"])
def test_machines_with_rotors(name):
    """Armature is written for MuJoCo, which gives every quantity its part of it."""
    one = with_rotors(headframe.load(name), 500.0)
    random = np.random.default_rng(6)
    for state in home_and_elsewhere(one):
        check(one, state, random)


CHAINS = {
    "7R": seven_joint_arm,
    "15": lambda: random_tree(15, 3),
    "rotors": lambda: with_rotors(random_tree(15, 3)),
}


@pytest.mark.parametrize("name", CHAINS)
def test_open_chains(name):
    one = CHAINS[name]()
    random = np.random.default_rng(4)
    for _ in range(3):
        check(one, State(one.mechanism, random.uniform(-2, 2, one.mechanism.nv)), random)
