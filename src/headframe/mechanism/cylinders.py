"""Where tubes and rods look, and poses of all links of many machines of one kind at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..description import Actuator

if TYPE_CHECKING:
    from .compiled import Mechanism

Floats = NDArray[np.float64]

ALONG = 1e-6  # a pin that is so nearly along its cylinder does not say which way is up


def pin_of(mechanism: Mechanism, actuator: Actuator) -> tuple[str, Floats]:
    """Direction of the tube's pin in the axes of a main link, (3,), and that link.

    Taken from the chain's first hinge if the file does not give it.
    """
    robot, axis = mechanism.robot, actuator.tube_axis
    if axis is None:
        path = mechanism.topology.movable_path(actuator.tube_parent, actuator.rod_parent)
        for joint in (robot.joints[j] for j in path):
            if joint.kind.is_hinge:
                return joint.parent, joint.origin[:3, :3] @ joint.direction()
        axis = (0.0, 1.0, 0.0) if robot.up_axis == "z" else (0.0, 0.0, 1.0)
    return actuator.tube_parent, np.asarray(axis)


def look_at(origins: Floats, others: Floats, pins: Floats) -> Floats:
    """Poses (..., 4, 4) at `origins` whose x points at `others` and whose z is nearest to `pins`.

    Signed and in three dimensions: the arccos of the MineRobot paper's appendix B.1 loses the
    sign. Where a pin lies along its cylinder, any perpendicular serves. All (..., 3).
    """
    along = others - origins
    distance = np.linalg.norm(along, axis=-1, keepdims=True)
    x = np.where(distance > 0, along / np.where(distance > 0, distance, 1.0), (1.0, 0.0, 0.0))
    z = pins - np.sum(pins * x, axis=-1, keepdims=True) * x
    helpers = np.eye(3)[np.argmin(np.abs(x), axis=-1)]
    z_helped = helpers - np.sum(helpers * x, axis=-1, keepdims=True) * x
    z = np.where(np.linalg.norm(z, axis=-1, keepdims=True) < ALONG, z_helped, z)
    z = z / np.linalg.norm(z, axis=-1, keepdims=True)
    X = np.zeros((*origins.shape[:-1], 4, 4))
    X[..., :3, 0], X[..., :3, 2] = x, z
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):  # y = z x x, without what a cross costs
        X[..., i, 1] = z[..., j] * x[..., k] - z[..., k] * x[..., j]
    X[..., :3, 3] = origins
    X[..., 3, 3] = 1.0
    return X


class Placing:
    """Knows a machine's links and mounts, to place any number of units in a few calls.

    X are world poses of the bodies, (n, nbody, 4, 4), see `Mechanism.poses`.
    """

    def __init__(self, mechanism: Mechanism) -> None:
        """Collect bodies, mounts and pins."""
        self.mechanism = mechanism
        index, bodies = mechanism.robot.link_index, mechanism.body_of_link
        acts = mechanism.robot.actuators
        self._main = [index[name] for name in bodies]
        self._parts = _pairs([(index[a.tube], index[a.rod]) for a in acts])
        self._parents = _pairs([(bodies[a.tube_parent], bodies[a.rod_parent]) for a in acts])
        self._offsets = np.array([(a.tube_offset, a.rod_offset) for a in acts]).reshape(-1, 2, 3)
        pins = [pin_of(mechanism, actuator) for actuator in acts]
        self._pin_parents = np.array([bodies[parent] for parent, _ in pins], dtype=np.int64)
        self._pins = np.array([axis for _, axis in pins]).reshape(-1, 3)

    def poses(self, q: Floats, X_WB: Floats) -> Floats:
        """X_world_link of all links in the order of the file, (n, n_links, 4, 4).

        Args:
            q: joint positions of each unit, (n, nq).
            X_WB: where each stands, (n, 4, 4).
        """
        m = self.mechanism
        found = np.zeros((len(q), len(m.robot.links), 4, 4))
        if len(q):
            X = m.poses(np.ascontiguousarray(q), np.ascontiguousarray(X_WB))
            found[:, self._main], found[:, self._parts] = X, self.cylinders(X)
        return found

    def mounts(self, X: Floats) -> Floats:
        """World points of all tube and rod mounts [m], (n, n_actuators, 2, 3)."""
        X_WP = X[:, self._parents]
        points: Floats = np.einsum("nbeij,bej->nbei", X_WP[..., :3, :3], self._offsets)
        return points + X_WP[..., :3, 3]

    def cylinders(self, X: Floats) -> Floats:
        """World poses of all tubes and rods, (n, n_actuators, 2, 4, 4)."""
        ends = self.mounts(X)
        pins = np.einsum("nbij,bj->nbi", X[:, self._pin_parents, :3, :3], self._pins)
        return look_at(ends, ends[:, :, ::-1], pins[:, :, None])


def _pairs(numbers: list[tuple[int, int]]) -> NDArray[np.int64]:
    return np.array(numbers, dtype=np.int64).reshape(-1, 2)
