"""Where tubes and rods look, and poses of all links of many machines of one kind at once."""

from __future__ import annotations

import numpy as np

from ..description import Actuator
from .compiled import Floats, Mechanism

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
    """Knows a machine's links and mounts, to place any number of units in a few calls."""

    def __init__(self, mechanism: Mechanism) -> None:
        """Collect bodies, mounts and pins."""
        self.mechanism = mechanism
        robot, bodies = mechanism.robot, mechanism.body_of_link
        self._main = [i for i, link in enumerate(robot.links) if link.name in bodies]
        numbers = [bodies[robot.links[i].name] for i in self._main]
        self._links = mechanism.links[numbers]
        place = {robot.links[i].name: n for n, i in enumerate(self._main)}
        acts = robot.actuators
        index = {link.name: i for i, link in enumerate(robot.links)}
        self._ends = [
            (
                np.array([place[getattr(a, f"{end}_parent")] for a in acts], dtype=np.int64),
                np.array([getattr(a, f"{end}_offset") for a in acts]).reshape(-1, 3),
                [index[getattr(a, end)] for a in acts],
            )
            for end in ("tube", "rod")
        ]
        pins = [pin_of(mechanism, actuator) for actuator in acts]
        self._pin_parents = np.array([place[parent] for parent, _ in pins], dtype=np.int64)
        self._pins = np.array([axis for _, axis in pins]).reshape(-1, 3)

    def poses(self, q: Floats, X_WB: Floats) -> Floats:
        """X_world_link of all links in the order of the file, (n, n_links, 4, 4).

        Args:
            q: joint positions of each unit, (n, nq).
            X_WB: where each stands, (n, 4, 4).
        """
        m = self.mechanism
        found = np.zeros((len(q), len(m.robot.links), 4, 4))
        if len(q) == 0:
            return found
        X = m.poses(np.ascontiguousarray(q), np.ascontiguousarray(X_WB), self._links)
        found[:, self._main] = X
        if len(self._pins) == 0:
            return found
        tube, rod = (
            np.einsum("nbij,bj->nbi", X[:, parents, :3, :3], offsets) + X[:, parents][..., :3, 3]
            for parents, offsets, _ in self._ends
        )
        pins = np.einsum("nbij,bj->nbi", X[:, self._pin_parents, :3, :3], self._pins)
        for (_, _, links), own, other in zip(self._ends, (tube, rod), (rod, tube), strict=True):
            found[:, links] = look_at(own, other, pins)
        return found
