"""The two-leg support of the catalogue as a plane linkage, seen from its side.

Points are complex numbers x + i z. Angles are counted from home, anticlockwise as drawn.
"""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np
from matplotlib.patches import Polygon
from scipy.spatial import ConvexHull, QhullError

import headframe
from headframe.mechanism import State

from . import style

LINKS = {
    "base": "#d9dee3",
    "front_link": "#c5d8ee",
    "rear_link": "#c5d8ee",
    "shield": "#e4e8ec",
    "canopy": "#d9dee3",
    "front_beam": "#e4e8ec",
    "tail_beam": "#e4e8ec",
    "insert_plate": "#cfd6dc",
    "guard_rocker": "#c5d8ee",
    "guard_link": "#c5d8ee",
    "guard_plate": "#d9dee3",
}
BASE = (complex(-1.0, 0.12), complex(2.95, 0.12), complex(2.95, 0.3), complex(-1.0, 0.42))
TIPS = {  # where links without a further joint end, in their own axes
    "guard_plate": (0.85 + 0.0j,),
    "tail_beam": (-0.95 - 0.03j, -0.95 + 0.03j),
    "insert_plate": (-0.35 - 0.1j, -1.2 - 0.1j),
    "front_beam": (1.45 + 0.06j,),
    "canopy": (-0.2 + 0.1j, 2.9 + 0.1j),
}


class Support:
    """Pivots, mounts and poses of the catalogue's `tcchs`."""

    def __init__(self) -> None:
        self.machine = headframe.load("tcchs")
        self.robot = self.machine.robot
        self.home = self.machine.home

    # ------------------------------------------------------------- drawing

    def place(self, state: State, link: str, point: complex) -> complex:
        """A point of a link in the plane."""
        at = state.pose(link) @ [point.real, 0.0, point.imag, 1.0]
        return complex(at[0], at[2])

    def pivot(self, state: State, joint: str) -> complex:
        """Where a joint is."""
        found = next(j for j in self.robot.joints if j.name == joint)
        at = state.pose(found.parent) @ found.origin[:, 3]
        return complex(at[0], at[2])

    def mounts(self, state: State, actuator: str) -> tuple[complex, complex]:
        """Tube and rod of an actuator."""
        tube, rod = state.mounts[self.robot.actuator_index[actuator]]
        return complex(tube[0], tube[2]), complex(rod[0], rod[2])

    def corners(self, state: State, link: str) -> list[complex]:
        """Joints and mounts on a link, and its tips."""
        points = [self.place(state, link, tip) for tip in TIPS.get(link, ())]
        for j in self.robot.joints:
            if link in (j.parent, j.child):
                own = j.origin[:, 3] if j.parent == link else np.array([0.0, 0.0, 0.0, 1.0])
                at = state.pose(link) @ own
                points.append(complex(at[0], at[2]))
        for n, a in enumerate(self.robot.actuators):
            for end, parent in enumerate((a.tube_parent, a.rod_parent)):
                if parent == link:
                    at = state.mounts[n, end]
                    points.append(complex(at[0], at[2]))
        return points

    def draw(
        self,
        axes: Any,
        state: State,
        links: Iterable[str] = LINKS,
        actuators: Iterable[str] | None = None,
        alpha: float = 1.0,
        cylinder: str = style.CYLINDER,
        width: float = 4.5,
        scale: float = 1.0,
    ) -> None:
        """Draw links as plates between their joints and mounts, and cylinders."""
        axes.plot([-2.6, 3.3], [0.1, 0.1], color=style.FAINT, lw=0.9 * scale, zorder=1)
        for number, link in enumerate(links):
            z = 2.0 + 0.1 * number
            if link == "base":
                foot = self.pivot(state, "base_front_link")
                bracket = [foot, foot.real - 0.16 + 0.35j, foot.real + 0.16 + 0.35j]
                plate(axes, bracket, LINKS[link], alpha, z, scale)
                plate(axes, [*BASE], LINKS[link], alpha, z, scale)
            else:
                plate(axes, self.corners(state, link), LINKS[link], alpha, z, scale)
        names = [a.name for a in self.robot.actuators] if actuators is None else actuators
        for name in names:
            if not name.endswith("_right"):
                style.cylinder(axes, *self.mounts(state, name), cylinder, alpha=alpha, width=width)
        for j in self.robot.joints:
            if j.type == "revolute" and {j.parent, j.child} <= set(links):
                style.pin(axes, self.pivot(state, j.name), size=3.6 * scale)

    # ---------------------------------------------------- legs and four-bar

    @cached_property
    def ring(self) -> tuple[complex, complex, complex, complex]:
        """Pivots of the four-bar at home: ground-front, front-shield, shield-rear, rear-ground."""
        names = ("base_front_link", "front_link_shield", "shield_rear_link", "base_rear_link")
        a, b, c, d = (self.pivot(self.home, name) for name in names)
        return a, b, c, d

    def close(self, theta: Any, side: float = 0.0) -> tuple[Any, Any, Any]:
        """Places of the two moving pivots and the turn of the shield; `side` 0 is home's."""
        A, B0, C0, D = self.ring
        own = np.sign((np.conj(D - B0) * (C0 - B0)).imag)
        B = A + np.exp(1j * theta) * (B0 - A)
        BD = D - B
        r1, r2, d2 = abs(C0 - B0) ** 2, abs(C0 - D) ** 2, np.abs(BD) ** 2
        along = 0.5 * (1.0 + (r1 - r2) / d2)
        h2 = r1 / d2 - along**2
        h = np.sqrt(np.where(h2 > 0.0, h2, np.nan))
        C = B + BD * (along + 1j * (own if side == 0.0 else side) * h)
        return B, C, (C - B) / (C0 - B0)

    def legs(self, theta: Any, phi: Any) -> tuple[Any, Any]:
        """Lengths of front and rear legs [m]; `phi` turns the canopy relative to the shield."""
        _, B0, _, _ = self.ring
        hinge = self.pivot(self.home, "shield_canopy")
        B, _, u = self.close(theta)
        found = []
        for name in ("front_leg_left", "rear_leg_left"):
            tube, rod = self.mounts(self.home, name)
            turned = hinge + np.exp(1j * phi) * (rod - hinge)
            found.append(np.abs(B + u * (turned - B0) - tube))
        return found[0], found[1]

    def determinant(self, theta: Any, phi: Any) -> Any:
        """Of d(legs) / d(theta, phi), by central differences: for pictures that is enough."""
        h = 1e-5
        rows = []
        for d in ((h, 0.0), (0.0, h)):
            ahead = self.legs(theta + d[0], phi + d[1])
            behind = self.legs(theta - d[0], phi - d[1])
            rows.append([(a - b) / (2 * h) for a, b in zip(ahead, behind, strict=True)])
        return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]

    def variables(self, state: State) -> tuple[float, float]:
        """Turns of front link and canopy from home, unwrapped near home."""
        A, B0, _, _ = self.ring
        B = self.pivot(state, "front_link_shield")
        hinge, tip = (self.place(state, "canopy", z) for z in (0j, 1 + 0j))
        hinge0, tip0 = (self.place(self.home, "canopy", z) for z in (0j, 1 + 0j))
        shield = (self.pivot(state, "shield_rear_link") - B) / (self.ring[2] - B0)
        theta = np.angle((B - A) / (B0 - A))
        phi = np.angle((tip - hinge) / (tip0 - hinge0) / shield)
        return float(theta), float(phi)


def plate(
    axes: Any,
    points: list[complex],
    color: str,
    alpha: float = 1.0,
    zorder: float = 2.0,
    scale: float = 1.0,
) -> None:
    """A link: the hull of its points with round corners."""
    xy = np.array([[z.real, z.imag] for z in points])
    try:
        xy = xy[ConvexHull(xy).vertices]
    except (QhullError, ValueError):
        xy = xy[[np.argmin(xy @ [1.0, 0.37]), np.argmax(xy @ [1.0, 0.37])]]
    for width, tone, above in ((8.2, "#9aa4ae", 0.0), (6.8, color, 0.05)):
        axes.add_patch(
            Polygon(
                xy, closed=True, facecolor=color, edgecolor=tone, lw=scale * width,
                joinstyle="round", capstyle="round", alpha=alpha, zorder=zorder + above,
            )
        )  # fmt: skip
