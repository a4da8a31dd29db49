"""Joints of a world: what holds two of its members together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..dynamics.kernels import JOINED
from ..jit import Records, new_records
from ..mechanism import Floats
from ..spatial import transform_points

if TYPE_CHECKING:
    from .world import World

ARM = 1.0  # [m] from the joint to the places that hold its turns
HERE, ALONG_X, ALONG_Z = (0.0, 0.0, 0.0), (ARM, 0.0, 0.0), (0.0, 0.0, ARM)

# of every kind of joint: places in its axes, and which of x, y, z each holds
JOINT_PLACES: dict[str, tuple[tuple[tuple[float, float, float], str], ...]] = {
    "fixed": ((HERE, "xyz"), (ALONG_Z, "xy"), (ALONG_X, "y")),
    "revolute": ((HERE, "xyz"), (ALONG_Z, "xy")),
    "prismatic": ((HERE, "xy"), (ALONG_Z, "xy"), (ALONG_X, "y")),
    "cylindrical": ((HERE, "xy"), (ALONG_Z, "xy")),
    "spherical": ((HERE, "xyz"),),
}


@dataclass(frozen=True, eq=False)
class WorldJoint:
    """What holds two members of a world together.

    Attributes:
        name: in the world.
        kind: "fixed", "revolute" or "prismatic" (about or along its z), "cylindrical", "spherical".
        a, b: names of what it joins; of a link of a machine "machine/link".
        X_AJ, X_BJ: the joint in the axes of both, (4, 4).
    """

    world: World
    name: str
    kind: str
    a: str
    b: str
    X_AJ: Floats
    X_BJ: Floats

    @property
    def wrench(self) -> Floats:
        """Moment about the joint [N m] and force [N] of b on a, in world axes, (6,)."""
        total, X_WJ = np.zeros(6), self.world.pose_of(self.a) @ self.X_AJ
        for (place, _), each in zip(
            JOINT_PLACES[self.kind], self.world.joined_records(self.name), strict=True
        ):
            force = each.axes.T @ each.force
            total[:3] += np.cross(X_WJ[:3, :3] @ place, force)
            total[3:] += force
        return total

    def records(self, number: int, carriers: tuple[tuple[int, Floats], ...]) -> Records:
        """JOINED of its places; `carriers`: the bodies of a and b, and X_BL of the member on it."""
        (body_a, X_A), (body_b, X_B) = carriers
        places = JOINT_PLACES[self.kind]
        found, row = new_records(len(places), JOINED), 0
        for record, (place, held) in zip(found, places, strict=True):
            record.joint, record.body_a, record.body_b = number, body_a, body_b
            record.p_A = transform_points(X_A @ self.X_AJ, place)
            record.p_B = transform_points(X_B @ self.X_BJ, place)
            record.axes_B = (X_B @ self.X_BJ)[:3, :3].T
            record.holds, record.row = [axis in held for axis in "xyz"], row
            row += len(held)
        found.rows = row
        return found

    def __repr__(self) -> str:
        return f"WorldJoint({self.name}: {self.kind}, {self.a} and {self.b})"
