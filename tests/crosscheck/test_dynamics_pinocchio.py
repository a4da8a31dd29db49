"""Pinocchio's algorithms and quantities of the same trees give our numbers."""

import numpy as np
import pytest

from headframe.bench.mechanisms import TREE_SIZES, machine_of, random_tree_urdf
from headframe.dynamics.tree.algorithms import aba, crba, forward_dynamics, rnea
from headframe.dynamics.tree.functions import (
    body_jacobian,
    centre_of_mass,
    energy,
    momentum,
)
from headframe.spatial import matrix_from_quaternion

pinocchio = pytest.importorskip("pinocchio")

EQUAL = 1e-10  # relative; rounding of two orders of summation is far below


class Tree:
    """One tree in both engines."""

    def __init__(self, machine, model):
        self.machine, self.model, self.data = machine, model, model.createData()

    def positions(self, q):
        """Our positions as Pinocchio holds them, joint by joint."""
        theirs = np.zeros(self.model.nq)
        for name, part in self.machine.mechanism.position_of_joint.items():
            joint = self.model.joints[self.model.getJointId(name)]
            ours, kind = q[part], self.machine.robot.joint(name).type
            if kind in ("spherical", "free"):  # wxyz and then the position; theirs last and xyzw
                ours = np.concatenate([ours[4:], ours[1:4], ours[:1]])
            theirs[joint.idx_q : joint.idx_q + joint.nq] = ours
        return theirs

    def rates(self, q):
        """S with v_theirs = S(q) v_ours, (nv, nv), and the rate of S as a function of v_ours.

        A free joint's velocity is, with us, angular in body axes and linear in the joint's; with
        Pinocchio linear first, and both in body axes: R^T times ours. R^T changes by
        -[w] R^T, with w the angular velocity in body axes.
        """
        S = np.zeros((self.model.nv, self.model.nv))
        frees = []
        for name, part in self.machine.mechanism.velocity_of_joint.items():
            joint = self.model.joints[self.model.getJointId(name)]
            rows = np.arange(joint.idx_v, joint.idx_v + joint.nv)
            if self.machine.robot.joint(name).type == "free":
                quat = q[self.machine.mechanism.position_of_joint[name]][:4]
                R = matrix_from_quaternion(quat)
                S[np.ix_(rows[3:], range(part.start, part.start + 3))] = np.eye(3)
                S[np.ix_(rows[:3], range(part.start + 3, part.stop))] = R.T
                frees.append((rows[:3], part, R))
            else:
                S[rows, np.arange(part.start, part.stop)] = 1.0

        def drift(v):
            """dS/dt v."""
            extra = np.zeros(self.model.nv)
            for rows, part, R in frees:
                w, linear = v[part][:3], v[part][3:]
                extra[rows] = -np.cross(w, R.T @ linear)
            return extra

        return S, drift

    def draw(self, random):
        """Random positions, velocities, accelerations and forces."""
        q = random.uniform(-1.5, 1.5, self.machine.mechanism.q_zero.size)
        for name, part in self.machine.mechanism.position_of_joint.items():
            if self.machine.robot.joint(name).type in ("spherical", "free"):
                q[part.start : part.start + 4] = unit(random, 4)
        nv = self.model.nv
        return q, random.normal(size=nv), random.normal(size=nv), random.normal(size=nv)


def unit(random, size):
    vector = random.normal(size=size)
    return vector / np.linalg.norm(vector)


def compare(tree, random):
    """All algorithms at random states; returns the largest relative difference."""
    largest = 0.0
    for _ in range(5):
        q, v, vdot, tau = tree.draw(random)
        S, drift = tree.rates(q)
        q_p, v_p, vdot_p = tree.positions(q), S @ v, S @ vdot + drift(v)
        mechanism = tree.machine.mechanism
        M_p = pinocchio.crba(tree.model, tree.data, q_p)
        M_p = np.triu(M_p) + np.triu(M_p, 1).T
        pairs = [
            (rnea(mechanism, q, v, vdot),
             S.T @ pinocchio.rnea(tree.model, tree.data, q_p, v_p, vdot_p)),
            (crba(mechanism, q), S.T @ M_p @ S),
            (S @ aba(mechanism, q, v, tau) + drift(v),
             pinocchio.aba(tree.model, tree.data, q_p, v_p, np.linalg.solve(S.T, tau))),
            (S @ forward_dynamics(mechanism, q, v, tau) + drift(v),
             pinocchio.aba(tree.model, tree.data, q_p, v_p, np.linalg.solve(S.T, tau))),
            *quantities(tree, q, v, random),
        ]  # fmt: skip
        for ours, theirs in pairs:
            largest = max(largest, np.abs(ours - theirs).max() / np.abs(theirs).max())
    return largest


def quantities(tree, q, v, random):
    """Jacobians of points of all links, momentum, centre of mass and energy, ours and theirs."""
    model, data, one = tree.model, tree.data, tree.machine
    S, _ = tree.rates(q)
    q_p, v_p = tree.positions(q), S @ v
    pinocchio.computeJointJacobians(model, data, q_p)
    for joint in one.joints:
        number, point = model.getJointId(joint.name), random.normal(size=3)
        J = pinocchio.getJointJacobian(model, data, number, pinocchio.ReferenceFrame.WORLD)
        J = J.reshape(6, -1) @ S  # a single column comes as a vector
        place = data.oMi[number].homogeneous @ one.robot.link(joint.child).pose @ [*point, 1.0]
        theirs = np.vstack([J[3:], J[:3] + np.cross(J[3:].T, place[:3]).T])
        yield body_jacobian(one, q, joint.child, point), theirs
    h = pinocchio.computeCentroidalMomentum(model, data, q_p, v_p)
    at_origin = h.angular + np.cross(data.com[0], h.linear)
    yield momentum(one, q, v), np.concatenate([at_origin, h.linear])
    centre = pinocchio.centerOfMass(model, data, q_p)
    found = centre_of_mass(one, q)
    yield np.array([found.mass, *found.position]), np.array([data.mass[0], *centre])
    kinetic = pinocchio.computeKineticEnergy(model, data, q_p, v_p)
    potential = pinocchio.computePotentialEnergy(model, data, q_p)
    yield np.array(energy(one, q, v)), np.array([kinetic, potential])


@pytest.mark.parametrize("size", TREE_SIZES)
def test_random_trees(size):
    """The same URDF text in both."""
    for seed in range(4):
        text = random_tree_urdf(size, seed)
        tree = Tree(machine_of(text), pinocchio.buildModelFromXML(text))
        assert tree.model.nv == size
        assert compare(tree, np.random.default_rng(seed)) < EQUAL


KINDS = ("revolute", "prismatic", "continuous", "universal", "spherical", "free", "helical")
MODELS = {
    "revolute": lambda joint: pinocchio.JointModelRevoluteUnaligned(np.array(joint.axis)),
    "continuous": lambda joint: pinocchio.JointModelRevoluteUnaligned(np.array(joint.axis)),
    "prismatic": lambda joint: pinocchio.JointModelPrismaticUnaligned(np.array(joint.axis)),
    "universal": lambda joint: pinocchio.JointModelUniversal(
        np.array(joint.axis), np.array(joint.axis2)
    ),
    "spherical": lambda joint: pinocchio.JointModelSpherical(),
    "free": lambda joint: pinocchio.JointModelFreeFlyer(),
    "helical": lambda joint: pinocchio.JointModelHelicalUnaligned(
        np.array(joint.axis), joint.pitch / (2.0 * np.pi)
    ),
}


def mixed_tree(kinds, seed):
    """A branching tree of the given joints, built by hand in both engines.

    Links have poses of their own in their joints' frames, where Pinocchio's bodies are placed.
    """
    random = np.random.default_rng(seed)
    base = random.uniform(-1, 1, (2, 3))
    links = [{"name": "link_0", "translation": list(base[0]), "orientation": list(base[1])}]
    joints = []
    for n, kind in enumerate(kinds, start=1):
        A = random.normal(size=(3, 3))
        J = 0.1 * (np.trace(A @ A.T) * np.eye(3) - A @ A.T)  # that of a cloud of points
        link = {
            "name": f"link_{n}",
            "translation": list(random.uniform(-1, 1, 3)),
            "orientation": list(random.uniform(-1, 1, 3)),
            "inertial": {
                "mass": random.uniform(0.5, 3.0),
                "com": list(random.uniform(-0.3, 0.3, 3)),
                "inertia": J.tolist(),
            },
        }
        joint = {
            "name": f"joint_{n}",
            "parent": f"link_{random.integers(max(0, n - 3), n)}",
            "child": f"link_{n}",
            "type": kind,
            "origin_translation": list(random.uniform(-1, 1, 3)),
            "origin_orientation": list(random.uniform(-1, 1, 3)),
        }
        if kind not in ("spherical", "free"):
            joint["axis"] = list(unit(random, 3))
        if kind == "universal":
            across = np.cross(joint["axis"], unit(random, 3))
            joint["axis2"] = list(across / np.linalg.norm(across))
        if kind == "helical":
            joint["pitch"] = random.uniform(-2.0, 2.0)
        links.append(link)
        joints.append(joint)
    machine = machine_of({"mrdf": "1", "name": "mixed", "links": links, "joints": joints})
    return Tree(machine, pinocchio_model(machine.robot))


def pinocchio_model(robot):
    """The same tree; Pinocchio wants whole branches one after another, whatever the file does."""
    model = pinocchio.Model()

    def add(link, carrier, X_carrier_link):
        """Add everything on a link, which stands so on one of Pinocchio's joints."""
        for joint in robot.joints:
            if joint.parent == link:
                placement = pinocchio.SE3(X_carrier_link @ joint.origin)
                number = model.addJoint(carrier, MODELS[joint.type](joint), placement, joint.name)
                child = robot.link(joint.child)
                body = child.inertial
                inertia = pinocchio.Inertia(body.mass, np.array(body.com), np.array(body.inertia))
                model.appendBodyToJoint(number, inertia, pinocchio.SE3(child.pose))
                add(child.name, number, child.pose)

    add("link_0", 0, robot.link("link_0").pose)
    return model


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_joint_alone_and_in_a_chain(kind):
    for seed, count in enumerate((1, 2, 4)):
        tree = mixed_tree([kind] * count, seed)
        assert compare(tree, np.random.default_rng(seed)) < EQUAL


@pytest.mark.parametrize("seed", range(6))
def test_mixed_trees(seed):
    kinds = np.random.default_rng(seed).permutation([*KINDS, *KINDS, *KINDS])
    tree = mixed_tree(list(map(str, kinds)), seed)
    assert compare(tree, np.random.default_rng(seed)) < EQUAL


def test_external_forces():
    """Forces on links; Pinocchio takes them at its joints' frames and in their axes."""
    tree = mixed_tree(["free", "spherical", "revolute", "prismatic", "revolute"], 3)
    model, data, mechanism = tree.model, tree.data, tree.machine.mechanism
    random = np.random.default_rng(5)
    q, v, vdot, tau = tree.draw(random)
    S, drift = tree.rates(q)
    q_p, v_p = tree.positions(q), S @ v
    wrenches = {f"link_{n}": random.normal(size=6) for n in range(6)}  # the base's does nothing
    pinocchio.forwardKinematics(model, data, q_p)
    forces = pinocchio.StdVec_Force()
    forces.extend([pinocchio.Force.Zero()] * model.njoints)
    for joint in tree.machine.joints:
        number, wrench = model.getJointId(joint.name), wrenches[joint.child]
        forces[number] = data.oMi[number].actInv(pinocchio.Force(wrench[3:], wrench[:3]))

    needed = S.T @ pinocchio.rnea(model, data, q_p, v_p, S @ vdot + drift(v), forces)
    found = rnea(mechanism, q, v, vdot, wrenches=wrenches)
    assert np.abs(found - rnea(mechanism, q, v, vdot)).max() > 0.1
    assert found == pytest.approx(needed, rel=0, abs=EQUAL * np.abs(needed).max())
    rates = pinocchio.aba(model, data, q_p, v_p, np.linalg.solve(S.T, tau), forces)
    found = S @ aba(mechanism, q, v, tau, wrenches=wrenches) + drift(v)
    assert found == pytest.approx(rates, rel=0, abs=EQUAL * np.abs(rates).max())
