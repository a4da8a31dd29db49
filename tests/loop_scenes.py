"""Machines with loops for dynamics tests, and a Runge-Kutta driver for the constrained tree."""

from __future__ import annotations

from typing import Any

import numpy as np

import build
from build import joint
from headframe.dynamics.constrained import multipliers as constrained
from headframe.dynamics.constrained import rows as parts
from headframe.dynamics.constrained.packing import pack_constrained
from headframe.dynamics.forces import energies, position_rates
from headframe.dynamics.loop_rows import residuals
from headframe.dynamics.model import DynamicsModel
from headframe.dynamics.records import BODY, CONSTRAINED, ENERGY, LOOP_ROW, MODEL, POWER, PULL
from headframe.dynamics.tree.placing import place_tree
from headframe.jit import Packing, header, kernel, matrix, new_records, record, records
from headframe.kinematics.model import make_kinematics
from headframe.machine import Machine
from headframe.mechanism import State
from headframe.mechanism.tree import tree_of


def rod(name: str, length: float = 1.0, mass: float = 1.0, along: int = 0) -> dict[str, Any]:
    """A thin rod with evenly spread mass, along an axis of its link from the origin on."""
    axis = np.eye(3)[along]
    inertia = mass * length**2 / 12 * (np.eye(3) - np.outer(axis, axis))
    com = (0.5 * length * axis).tolist()
    return {
        "name": name,
        "inertial": {"mass": mass, "com": com, "inertia": inertia.tolist()},
    }


def point(name: str, at: list[float], mass: float = 1.0) -> dict[str, Any]:
    """A mass in one point of its link."""
    return {
        "name": name,
        "inertial": {"mass": mass, "com": at, "inertia": np.zeros((3, 3)).tolist()},
    }


def pendulum() -> Machine:
    """IFToMM A01: a mass of 1 kg on a weightless bar of 1 m, horizontal at 0, falling in x-z."""
    return build.machine(
        [joint("swing", "ground", "bob")], links=[{"name": "ground"}, point("bob", [-1.0, 0, 0])]
    )


def n_four_bar(n: int) -> Machine:
    """IFToMM A02: n windows of bars of 1 m and 1 kg, standing upright."""
    links, joints = [{"name": "ground"}], []
    for i in range(n + 1):
        links.append(rod(f"post{i}", along=2))
        joints.append(joint(f"foot{i}", "ground", f"post{i}", at=[i, 0, 0]))
    for i in range(n):
        links.append(rod(f"beam{i}"))
        joints.append(joint(f"head{i}", f"post{i}", f"beam{i}", at=[0, 0, 1]))
        joints.append(joint(f"tie{i}a", f"beam{i}", f"post{i + 1}", at=[1, 0, 0]))
        joints.append(joint(f"tie{i}b", f"post{i + 1}", f"beam{i}", at=[0, 0, 1]))
    return build.machine(joints, links=links)


def bricard() -> Machine:
    """IFToMM A04: six hinges, five moving rods of 1 m and 1 kg along edges of a cube.

    Each hinge is perpendicular to both of its rods. The count of Kutzbach gives no freedom; it has
    one.
    """
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]])
    sides = np.roll(corners, -1, axis=0) - corners  # sides[i] goes from corner i to the next
    joints, links = [], [{"name": "ground"}]
    for i in range(5):
        # every link's axes are the cube's; the rod lies between corners i + 1 and i + 2
        side, last = sides[(i + 1) % 6], corners[i]
        inertia = (np.eye(3) - np.outer(side, side)) / 12
        inertial = {"mass": 1.0, "com": (0.5 * side).tolist(), "inertia": inertia.tolist()}
        links.append({"name": f"rod{i}", "inertial": inertial})
        parent = f"rod{i - 1}" if i else "ground"
        place = corners[i + 1] - (last if i else 0)
        axis = np.cross(sides[i], sides[(i + 1) % 6])
        joints.append(joint(f"hinge{i}", parent, f"rod{i}", axis=axis.tolist(), at=place.tolist()))
    axis = np.cross(sides[5], sides[0]).tolist()
    joints.append(joint("close_a", "rod4", "ground", axis=axis, at=sides[5].tolist()))
    joints.append(joint("close_b", "ground", "rod4", axis=axis, at=corners[0].tolist()))
    return build.machine(joints, links=links, up_axis="y")


def slider_crank(r: float, l: float, crank: float, rod_mass: float, slider: float) -> Machine:
    """A crank in the x-z plane, a rod, and a slider on the x axis; given masses of the three."""
    return build.machine(
        [
            joint("crank", "ground", "crank_link"),
            joint("rod", "crank_link", "rod_link", at=[r, 0, 0]),
            joint("slide", "ground", "slider", "prismatic", axis=[1, 0, 0]),
            joint("pin_a", "rod_link", "slider", at=[l, 0, 0]),
            joint("pin_b", "slider", "rod_link"),
        ],
        links=[
            {"name": "ground"},
            rod("crank_link", r, crank),
            rod("rod_link", l, rod_mass),
            point("slider", [0.0, 0, 0], slider),
        ],
        home={"joints": {"crank": -0.7}},
    )


def heavy_four_bar(lengths: tuple[float, float, float, float]) -> Machine:
    """A four-bar of rods, 1 kg a metre, in the x-z plane."""
    names = ("crank_link", "coupler_link", "rocker_link")
    rods = [rod(name, l, l) for name, l in zip(names, lengths[1:], strict=True)]
    return build.four_bar(*lengths, links=[{"name": "ground"}, *rods])


@kernel
def rk4(
    model, h, steps, q, v, drives, pulls, work, stages, powers, energy_memory, out
):  # fmt: skip
    """RK4, projected after every step; out[n] = [kinetic, potential, open, work given]."""
    nq, nv = q.shape[0], v.shape[0]
    head = header(model, MODEL)
    loops = records(model, record(model, head.own, CONSTRAINED).loops, LOOP_ROW)
    bodies = records(work, head.bodies, BODY)
    power, energy, phi = powers[0], header(energy_memory, ENERGY), np.zeros(loops.shape[0])
    tree_q, tree_v = np.zeros(nq), np.zeros(nv)
    qs, vs = stages[:, :nq], stages[:, nq : nq + nv]
    weights = np.array([1.0, 2.0, 2.0, 1.0])
    q1, v1 = np.zeros(nq), np.zeros(nv)
    kq, kv = np.zeros(nq), np.zeros(nv)
    given = 0.0
    for n in range(steps + 1):
        status = constrained.tree_state(model, q, v, work, tree_q, tree_v)
        energies(model, work, energy_memory)
        residuals(loops, q, bodies, phi)
        out[n, 0], out[n, 1], out[n, 2] = energy.kinetic, energy.potential + energy.springs, 0.0
        for i in range(phi.shape[0]):
            out[n, 2] = max(out[n, 2], abs(phi[i]))
        out[n, 3] = given
        if n == steps:
            break
        q1[:] = q
        v1[:] = v
        for s in range(4):
            position_rates(model, q1, v1, kq)
            status = constrained.evaluate(model, q1, v1, drives, pulls, work, kv, power)
            if status != 0:
                return status, n
            given += h / 6 * weights[s] * (power.drives + power.dampers + power.pulls)
            qs[s] = kq
            vs[s] = kv
            part = h if s == 2 else 0.5 * h
            if s < 3:
                for i in range(nq):
                    q1[i] = q[i] + part * kq[i]
                for i in range(nv):
                    v1[i] = v[i] + part * kv[i]
        for i in range(nq):
            q[i] += h / 6 * (qs[0, i] + 2 * qs[1, i] + 2 * qs[2, i] + qs[3, i])
        for i in range(nv):
            v[i] += h / 6 * (vs[0, i] + 2 * vs[1, i] + 2 * vs[2, i] + vs[3, i])
        status = constrained.project(model, q, v, drives, work)
        if status != 0:
            return status, n
    return 0, steps


class Scene:
    """A machine as a constrained tree, at home and at rest.

    With `at_zero` home is where all joints are 0: a search for it takes long with 40 loops.
    """

    def __init__(self, machine: Machine, at_zero: bool = False) -> None:
        mechanism = machine.mechanism
        self.machine, self.tree = machine, tree_of(mechanism)
        home = State(mechanism, mechanism.q_zero) if at_zero else machine.home
        self.model = DynamicsModel(self.tree, make_kinematics(mechanism, home), home)
        self.packed, size = pack_constrained(self.model)
        self.head = header(self.packed, MODEL)
        self.own = record(self.packed, self.head.own, CONSTRAINED)
        self.work = np.zeros(size)
        self.q, self.v = self.tree.positions(home), np.zeros(self.tree.nv)
        self.drives = self.model.new_drives()
        self.pulls = new_records(0, PULL)
        self.loops = records(self.packed, self.own.loops, LOOP_ROW)
        self.bodies = records(self.work, self.head.bodies, BODY)

    @property
    def rank(self) -> int:
        """How many rows of the loops count as independent."""
        return int(self.own.rank)

    def position(self, name: str) -> int:
        """Place of a joint in q."""
        return self.machine.mechanism.position_of_joint[name].start

    def velocity(self, name: str) -> int:
        """Place of a joint in v."""
        return self.machine.mechanism.velocity_of_joint[name].start

    def evaluate(self) -> tuple[np.ndarray, Any]:
        """Accelerations and powers."""
        vdot, power = np.full(self.tree.nv, np.nan), new_records(1, POWER)[0]
        assert self.status(vdot, power) == 0
        return vdot, power

    def status(self, vdot: np.ndarray, power: Any) -> int:
        """Accelerations and powers; the status."""
        return constrained.evaluate(
            self.packed, self.q, self.v, self.drives, self.pulls, self.work, vdot, power
        )

    def project(self) -> int:
        """Back on the loops; the status."""
        return constrained.project(self.packed, self.q, self.v, self.drives, self.work)

    def start(self, **rates: float) -> None:
        """Velocities nearest to what some joints are given, all loops moving along."""
        given = np.array([self.velocity(name) for name in rates])
        J = self.jacobian()
        rest = np.setdiff1d(np.arange(self.tree.nv), given)
        self.v[given] = list(rates.values())
        self.v[rest] = np.linalg.lstsq(J[:, rest], -J[:, given] @ self.v[given], rcond=None)[0]

    def jacobian(self) -> np.ndarray:
        """J of the loops' rows at q."""
        self.place()
        parts.set_rows(self.packed, self.work)
        return matrix(self.work, self.own.work.J).copy()

    def place(self) -> None:
        """Bring the bodies to where q and v are."""
        place_tree(self.tree.freedoms, self.q, self.v, self.bodies)

    def run(self, seconds: float, h: float) -> np.ndarray:
        """RK4; [kinetic, potential and spring energy, largest residual, work given] every step."""
        steps = round(seconds / h)
        out, stages = np.zeros((steps + 1, 4)), np.zeros((4, self.q.size + self.v.size))
        status, done = rk4(
            self.packed, h, steps, self.q, self.v, self.drives, self.pulls, self.work, stages,
            new_records(1, POWER), Packing(ENERGY).buffer(), out,
        )  # fmt: skip
        assert (status, done) == (0, steps)
        return out


def energy_error(out: np.ndarray) -> float:
    """Largest difference between the energy and what it was at first with what was given [J]."""
    balance = out[:, 0] + out[:, 1] - out[:, 3]
    return float(np.abs(balance - balance[0]).max())
