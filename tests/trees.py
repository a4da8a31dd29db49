"""Spanning trees for tests of dynamics: examples, random states, and a small integrator."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

import headframe
from build import joint, machine, with_rotors
from headframe.bench.mechanisms import random_tree, seven_joint_arm
from headframe.description import JOINT_KINDS
from headframe.dynamics.tree.algorithms import aba
from headframe.dynamics.tree.memory import placed
from headframe.machine import Machine
from headframe.mechanism.tree import Tree, tree_of

KINDS = ("revolute", "prismatic", "continuous", "universal", "spherical", "free", "helical")


def body(name: str, seed: int) -> dict:
    """A link with a frame of its own, off its joint, and the inertia of a cloud of points."""
    random = np.random.default_rng(seed)
    A = random.normal(size=(3, 3))
    J = 0.1 * (np.trace(A @ A.T) * np.eye(3) - A @ A.T)
    return {
        "name": name,
        "translation": list(random.uniform(-0.5, 0.5, 3)),
        "orientation": list(random.uniform(-1.0, 1.0, 3)),
        "inertial": {
            "mass": random.uniform(0.5, 3.0),
            "com": list(random.uniform(-0.3, 0.3, 3)),
            "inertia": J.tolist(),
        },
    }


def tree_of_kinds(kinds: tuple[str, ...], seed: int = 0, **fields: object) -> Machine:
    """A branching tree of such joints; their order in the file is not that of the tree."""
    random = np.random.default_rng(seed)
    joints = []
    for n, kind in enumerate(kinds, start=1):
        Q, _ = np.linalg.qr(random.normal(size=(3, 3)))
        more = {name: list(axis) for name, axis in zip(JOINT_KINDS[kind].axes, Q, strict=False)}
        parent = f"body_{random.integers(max(0, n - 3), n)}"
        at, rpy = random.uniform(-0.5, 0.5, 3), random.uniform(-1.0, 1.0, 3)
        joints.append(
            joint(f"joint_{n}", parent, f"body_{n}", kind, at=list(at), rpy=list(rpy), **more)
        )
    links = [body(f"body_{n}", 100 * seed + n) for n in range(len(kinds) + 1)]
    return machine(joints[::-1], links=links, **fields)


EXAMPLES: dict[str, Callable[[], Machine]] = {
    **{kind: (lambda kind=kind: tree_of_kinds((kind,) * 3, 1)) for kind in KINDS},
    "mixed": lambda: tree_of_kinds((*KINDS, "fixed", *KINDS[::-1], "fixed"), 2),
    "y up": lambda: tree_of_kinds(("free", "universal", "fixed", "spherical"), 3, up_axis="y"),
    "rotors": lambda: with_rotors(example("without rotors")),
    "without rotors": lambda: tree_of_kinds(("free", *KINDS, "fixed", "spherical"), 5),
    "arm": seven_joint_arm,
    "tree of 15": lambda: random_tree(15),
    "roadheader": lambda: headframe.load("roadheader"),
    "tcchs": lambda: headframe.load("tcchs"),
}


@cache
def example(name: str) -> Machine:
    """One of the examples, made once."""
    return EXAMPLES[name]()


def draw(tree: Tree, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Random positions and velocities; quaternions are of length 1."""
    q = random.uniform(-1.5, 1.5, tree.nq)
    for quat in quaternions(tree, q):
        quat /= np.linalg.norm(quat)
    for cylinder in tree.cylinders:
        q[cylinder.length_position] = random.uniform(1.0, 2.0)
    return q, random.normal(size=tree.nv)


def quaternions(tree: Tree, q: np.ndarray) -> list[np.ndarray]:
    """Views of the quaternions in some positions."""
    return [q[part.start : part.start + 4] for part, _ in turning(tree)]


def turning(tree: Tree) -> list[tuple[slice, slice]]:
    """Places of positions and velocities of the joints that have quaternions."""
    m = tree.mechanism
    return [
        (m.position_of_joint[j.name], m.velocity_of_joint[j.name])
        for j in m.robot.joints
        if j.type in ("spherical", "free") and j.name in m.position_of_joint
    ]


def plain(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Places in q and in v of the coordinates whose rates are velocities."""
    in_q, in_v = np.ones(tree.nq, dtype=bool), np.ones(tree.nv, dtype=bool)
    for part, rates in turning(tree):
        in_q[part.start : part.start + 4] = False
        in_v[rates.start : rates.start + 3] = False
    return np.flatnonzero(in_q), np.flatnonzero(in_v)


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Product of two quaternions wxyz."""
    vector = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *vector])


def moved(tree: Tree, q: np.ndarray, motion: np.ndarray) -> np.ndarray:
    """Positions after a motion of the freedoms: velocities times a time, turns in body axes."""
    q = q.copy()
    in_q, in_v = plain(tree)
    q[in_q] += motion[in_v]
    for part, rates in turning(tree):
        turn = motion[rates.start : rates.start + 3]
        angle = np.linalg.norm(turn)
        half = np.array([np.cos(angle / 2), *(np.sinc(angle / 2 / np.pi) / 2 * turn)])
        q[part.start : part.start + 4] = product(q[part.start : part.start + 4], half)
    return q


def position_rates(tree: Tree, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """dq/dt; of a quaternion it is half its product with the angular velocity in body axes."""
    rates = np.zeros(tree.nq)
    in_q, in_v = plain(tree)
    rates[in_q] = v[in_v]
    for part, turn in turning(tree):
        w = np.array([0.0, *v[turn.start : turn.start + 3]])
        rates[part.start : part.start + 4] = product(q[part.start : part.start + 4], w) / 2
    return rates


def fall(
    one: Machine, q: np.ndarray, v: np.ndarray, h: float, steps: int
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Positions and velocities of the tree under gravity alone, by RK4; the start is the first."""
    tree = tree_of(one.mechanism)
    in_q, in_v = plain(tree)
    nothing = np.zeros(tree.nv)
    is_plain = in_q.size == tree.nq and np.array_equal(in_q, in_v)

    def rates(y: np.ndarray) -> np.ndarray:
        q, v = y[: tree.nq], y[tree.nq :]
        dq = v if is_plain else position_rates(tree, q, v)
        return np.concatenate([dq, aba(one.mechanism, q, v, nothing)])

    y = np.concatenate([q, v])
    path = [(q, v)]
    for _ in range(steps):
        a = rates(y)
        b = rates(y + h / 2 * a)
        c = rates(y + h / 2 * b)
        d = rates(y + h * c)
        y = y + h / 6 * (a + 2 * b + 2 * c + d)
        for quat in quaternions(tree, y):
            quat /= np.linalg.norm(quat)
        path.append((y[: tree.nq].copy(), y[tree.nq :].copy()))
    return path


def rotors(tree: Tree) -> np.ndarray:
    """Armature of the joints, by velocities [kg m^2, kg], (nv,)."""
    values = np.zeros(tree.nv)
    for name, part in tree.mechanism.velocity_of_joint.items():
        values[part] = tree.mechanism.robot.joint(name).armature
    return values


def energies(tree: Tree, q: np.ndarray, v: np.ndarray) -> tuple[float, float, np.ndarray]:
    """Kinetic and potential energy [J], and the momentum at the origin, (6,), body by body.

    Rotors have kinetic energy, and no momentum.
    """
    bodies = placed(tree, q, v)
    kinetic, potential, momentum = 0.5 * rotors(tree) @ v**2, 0.0, np.zeros(6)
    for (m, *rest), motion in zip(bodies["inertia"], bodies["velocity"], strict=True):
        s, (xx, yy, zz, xy, xz, yz) = np.array(rest[:3]), rest[3:]
        J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        w, u = motion[:3], motion[3:]
        h = np.concatenate([J @ w + np.cross(s, u), m * u - np.cross(s, w)])
        kinetic += 0.5 * motion @ h
        potential -= tree.gravity @ s
        momentum += h
    return float(kinetic), float(potential), momentum
