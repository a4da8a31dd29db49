"""The graph as the matrices of the MineRobot paper, Eqs. (4) to (6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .contraction import Edge, kind_of
from .graph import Topology

CODES = {"revolute": 1, "prismatic": 2, "fixed": 3, "generalized": 4, "other": 5}
Matrix = NDArray[np.int64]


@dataclass(frozen=True)
class Matrices:
    """J, At, Ar and Rd. Links are the merged links, then tube and rod of every actuator.

    Attributes:
        J: (links, links) type of the joint from one link to another: 1 revolute, 2 prismatic,
            3 fixed, 4 generalized, 5 another; 0 for none. A closure stands once, from the last
            link of its loop to the first.
        J_contracted: the same after Algorithm 1.
        At: (actuators, links) 1 for the tube of an actuator.
        Ar: (actuators, links) 1 for the rod of an actuator.
        Rd: (actuators, actuators) 1 for actuators of one redundant group.
    """

    J: Matrix
    J_contracted: Matrix
    At: Matrix
    Ar: Matrix
    Rd: Matrix


def matrices(topology: Topology) -> Matrices:
    """The matrices of a machine."""
    main, actuators = len(topology.clusters), len(topology.robot.actuators)
    links = main + 2 * actuators
    J = _joint_matrix(links, topology.contraction.raw)
    for a, d, code in _closures(topology):
        J[d, a] = code
    At = np.zeros((actuators, links), dtype=np.int64)
    Ar = np.zeros((actuators, links), dtype=np.int64)
    Rd = np.zeros((actuators, actuators), dtype=np.int64)
    for i in range(actuators):
        At[i, main + 2 * i] = 1
        Ar[i, main + 2 * i + 1] = 1
    for members in topology.robot.groups:
        Rd[np.ix_(members, members)] = 1
    return Matrices(J, _joint_matrix(links, topology.contraction.edges), At, Ar, Rd)


def _joint_matrix(links: int, edges: tuple[Edge, ...]) -> Matrix:
    J = np.zeros((links, links), dtype=np.int64)
    for edge in edges:
        J[edge.parent, edge.child] = CODES[edge.kind]
    return J


def _closures(topology: Topology) -> list[tuple[int, int, int]]:
    """The two clusters that every pair of closing joints connects, and the joint's code.

    Around a four-bar the edge goes on in the direction of the others, so that it is a cycle.
    """
    index, joints = topology.robot.link_index, topology.robot.joints
    ends = []
    for number, closure in enumerate(topology.closures):
        a = topology.cluster_of[index[joints[closure.forward].parent]]
        d = topology.cluster_of[index[joints[closure.backward].parent]]
        ring = next((f for f in topology.contraction.four_bars if f.closure == number), None)
        if ring is not None:
            at = ring.joints.index(-1)
            d, a = ring.links[at], ring.links[(at + 1) % 4]
        ends.append((a, d, CODES[kind_of(joints[closure.forward])]))
    return ends
