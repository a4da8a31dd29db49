"""What is around a machine that is driven: things of its scene, and other machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from ..machine import Machine
from ..mechanism import Floats, Placing
from ..spatial import pose
from ..staging import Staged

UPRIGHT = pose((0.0, 0.0, 0.0), (np.pi / 2, 0.0, 0.0))  # from y up to z up
GROUND = "ground"


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A machine that is not driven.

    Attributes:
        name: of its stand, with its number where there are several.
        machine: what it is.
        q: positions of its joints, (nq,).
        base: X_world_base, (4, 4), in the machine's own up axis.
        number: of the unit in the scene.
    """

    name: str
    machine: Machine
    q: Floats
    base: Floats
    number: int

    def poses(self) -> Floats:
        """X_world_link of its links, z up, (n_links, 4, 4)."""
        found: Floats = Placing(self.machine.mechanism).poses(self.q[None], self.base[None])[0]
        return UPRIGHT @ found if self.machine.robot.up_axis == "y" else found

    @property
    def is_free(self) -> bool:
        """Whether it stands on what is there, and can be pushed."""
        return self.machine.robot.base == "free" and self.machine.robot.up_axis == "z"


@dataclass(frozen=True, eq=False)
class Setting:
    """What is around a machine that is driven.

    Members of the scene are numbered, for frames: the ground, bodies, statics, links of the machine
    that is driven, then all units.

    Attributes:
        staged: the scene.
        machine: what is driven.
        name: of its stand.
        units: names of the units of that stand.
        first: number of the first of them in the scene.
        obstacles: units of other stands.
    """

    staged: Staged
    machine: Machine
    name: str
    units: tuple[str, ...] = ("1",)
    first: int = 0
    obstacles: tuple[Obstacle, ...] = ()

    def body_poses(self) -> Floats:
        """X_world_body of all bodies as the scene has them, (n, 4, 4)."""
        found = [X_WL for row in self.staged.scene.bodies for X_WL in row.poses]
        return np.array(found).reshape(-1, 4, 4)

    def things(self) -> Iterator[str]:
        """Names of all bodies, then of what stands fast."""
        for row in self.staged.scene.bodies:
            yield from row.units
        for static in self.staged.scene.statics:
            yield static.name

    def unit_name(self, unit: int) -> str:
        """What a unit of the stand that is driven is called."""
        return self.name if len(self.units) == 1 else f"{self.name} {self.units[unit]}"

    def among(self, driven: int, joints: Floats, bases: Floats) -> Setting:
        """The same with the other units of the driven stand as obstacles.

        Args:
            driven: which unit is driven.
            joints: positions of the joints of all of them, (n, nq).
            bases: where they stand, (n, 4, 4).
        """
        others = tuple(
            Obstacle(self.unit_name(n), self.machine, joints[n], bases[n], self.first + n)
            for n in range(len(self.units))
            if n != driven
        )
        return replace(self, obstacles=self.obstacles + others)

    def after(self, moved: Mapping[int, tuple[Floats, Floats]]) -> Setting:
        """The same after some obstacles moved: by number, joint positions and X_world_base."""
        found = [
            replace(each, q=moved[each.number][0], base=moved[each.number][1])
            if each.number in moved
            else each
            for each in self.obstacles
        ]
        return replace(self, obstacles=tuple(found))

    @property
    def first_link(self) -> int:
        """Number of the driven machine's first link among the members of the scene."""
        return 1 + sum(1 for _ in self.things())

    @property
    def first_unit(self) -> int:
        """Number of the scene's first unit among its members."""
        return self.first_link + len(self.machine.links)
