"""Where a point of a link gets to, as a function of the lengths of the cylinders that move it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import combinations, product

import numpy as np

from ..kinematics import Kinematics
from ..mechanism import Floats, Ints
from ..planning import Sampler, Workspace

STEP = 1e-5  # of the stroke, for differences
LOOKS = 256  # places of the box at which the dimension is found
NOTHING = 1e-5  # of the largest derivative: what is less is 0
STILL = 1e-6  # derivative of a point that stays [m]
FLAT = 1e-6  # of a cloud's extent: what is thinner lies in a plane
NO_END = 255  # instead of the number of an end

Beat = Callable[[], None]  # to be called now and then


class Image:
    """The map from the box of lengths to the place of the point.

    Lengths are given in strokes: 0 for the lower end of a group, 1 for the upper. Ends have
    numbers: 2 k for the lower end of the group at position k of `cloud.inputs`, 2 k + 1 for the
    upper one.

    Attributes:
        cloud: samples of it.
        n: groups that move the link.
        moving: positions of those that move the point, too.
        ended: those of them that have ends.
        dimension: of what the point sweeps, 0 to 3.
    """

    def __init__(self, kinematics: Kinematics, cloud: Workspace, beat: Beat) -> None:
        from scipy.stats import qmc  # takes half a second, at each start if it stood above

        self.cloud, self.beat = cloud, beat
        self.n = len(cloud.inputs)
        names = [each.name for each in cloud.state.mechanism.robot.inputs]
        groups = tuple(names.index(name) for name in cloud.inputs)
        self._sampler = Sampler(kinematics, cloud.link, cloud.point, groups, cloud.state)
        sobol = qmc.Sobol(self.n, seed=np.random.default_rng(0))
        J = self.derivative(sobol.random_base2(int(np.log2(LOOKS))))
        J = J[np.isfinite(J).all(axis=(1, 2))]
        sizes = np.linalg.svd(J, compute_uv=False) if len(J) else np.zeros((1, 1))
        least = max(STILL, NOTHING * float(sizes.max()))
        self.dimension = int((sizes > least).sum(axis=1).max())
        columns = np.linalg.norm(J, axis=1).max(axis=0, initial=0.0)
        self.moving = tuple(int(k) for k in np.flatnonzero(columns > least))
        self.ended = tuple(k for k in self.moving if not cloud.moved_by[k].endless)

    def place(self, strokes: Floats) -> Floats:
        """The point in the world [m], (n, 3), for lengths in strokes, (n, n_groups).

        NaN where the machine cannot have these lengths together.
        """
        low, high = self.cloud.ends
        lengths = low + np.clip(strokes, 0.0, 1.0) * (high - low)
        points, _ = self._sampler.place(lengths, lambda _done, _all: self.beat())
        return points

    def derivative(self, strokes: Floats) -> Floats:
        """How the point moves with each length [m per stroke], (n, 3, n_groups)."""
        columns = []
        for k in range(self.n):
            ahead, behind = strokes.copy(), strokes.copy()
            ahead[:, k] = np.minimum(ahead[:, k] + STEP, 1.0)
            behind[:, k] = np.maximum(behind[:, k] - STEP, 0.0)
            step = (ahead - behind)[:, k, None]
            columns.append((self.place(ahead) - self.place(behind)) / step)
        return np.stack(columns, axis=2)

    def strokes(self, of_moving: Floats) -> Floats:
        """Strokes of all groups, (n, n_groups), from those of `moving`; others at the middle."""
        whole = np.full((len(of_moving), self.n), 0.5)
        whole[:, self.moving] = of_moving
        return whole

    @cached_property
    def cloud_strokes(self) -> Floats:
        """The cloud's lengths in strokes, (n, n_groups)."""
        return self.cloud.left[:, :, 0]

    def nearest_ends(self, strokes: Floats) -> Ints:
        """Number of the end that is nearest, of the groups that move the point, (n,)."""
        part = strokes[:, self.ended]
        if part.shape[1] == 0:
            return np.full(len(strokes), NO_END, dtype=np.int64)
        left = np.stack([part, 1.0 - part], axis=2).reshape(len(part), -1)
        at = left.argmin(axis=1)
        ends: Ints = 2 * np.array(self.ended)[at // 2] + at % 2
        return ends

    @cached_property
    def plane(self) -> tuple[Floats, Floats] | None:
        """A point and two axes, (2, 3), of the plane that the cloud lies in; None if in none."""
        points = self.cloud.points[:: max(1, len(self.cloud) // 4096)]
        middle = points.mean(axis=0)
        _, sizes, axes = np.linalg.svd(points - middle, full_matrices=False)
        if len(sizes) < 3 or sizes[2] > FLAT * sizes[0] or sizes[0] == 0.0:
            return None
        return middle, axes[:2]

    @cached_property
    def folded(self) -> bool:
        """Whether the map turns over somewhere, of as many lengths as dimensions.

        Then part of the boundary lies inside the box of lengths, where the arm is stretched, and
        not at its faces.
        """
        n = len(self.moving)
        nodes = {1: 65, 2: 33, 3: 11}[n]
        grid = np.stack(np.meshgrid(*[np.linspace(0, 1, nodes)] * n, indexing="ij"), axis=-1)
        J = self.derivative(self.strokes(grid.reshape(-1, n)))[:, :, self.moving]
        if n == 3:
            turns = np.linalg.det(J)
        elif n == 2 and self.plane is not None:
            turns = np.linalg.det(self.plane[1] @ J)
        else:
            return False  # of a curve, or of a sheet in space, every point is on the boundary
        least = NOTHING * np.abs(turns).max()
        return bool(not np.isfinite(turns).all() or turns.min() < -least < least < turns.max())


def box_faces(n: int, k: int, nodes: int) -> Floats:
    """Points of all faces of dimension k of the unit cube of n dimensions, (m, n)."""
    axis = np.linspace(0.0, 1.0, nodes)
    inner = np.stack(np.meshgrid(*[axis] * k, indexing="ij"), axis=-1).reshape(-1, k)
    faces = []
    for free in combinations(range(n), k):
        for ends in product((0.0, 1.0), repeat=n - k):
            face = np.empty((len(inner), n))
            face[:, list(free)] = inner
            face[:, [i for i in range(n) if i not in free]] = ends
            faces.append(face)
    return np.vstack(faces)
