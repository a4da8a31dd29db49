"""Whether anything may be near to a machine, by upright boxes about its links.

A step of a world looks for what is near to what, shape by shape. Where the boxes of a machine's
links, as they stood before some steps and after them, stay clear of all others, nothing can have
been near in between, and the machine need not be looked at so closely.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ..description import CollisionShape, triangles_of
from ..machine import Machine
from ..mechanism import Floats

CLEAR = 0.02  # [m] between boxes: more than a way bends, in the steps that are made at once
THIN = 1e-6  # [m]: half a side of a box is no shorter


def link_points(machine: Machine) -> list[Floats]:
    """Points of the surface of every link's shapes that are touched, link axes [m], (n, 3) each."""
    found = []
    for shapes in machine.collision.shapes:
        own = [np.zeros((0, 3))]
        for shape in shapes:
            X_LS, points = shape.pose, triangles_of(shape.geometry, machine.folder)[0]
            own.append(points @ X_LS[:3, :3].T + X_LS[:3, 3])
        found.append(np.concatenate(own))
    return found


def lowest(machine: Machine, poses: Floats) -> float:
    """Height of its lowest point that can be touched, at X_world_link (n_links, 4, 4) [m]."""
    heights = [
        float((points @ X_WL[2, :3]).min() + X_WL[2, 3])
        for points, X_WL in zip(link_points(machine), poses, strict=True)
        if len(points)
    ]
    return min(heights, default=0.0)


class LinkBoxes:
    """Boxes about the links of a machine.

    Attributes:
        links: positions of the links that can be touched, (n,).
    """

    def __init__(self, machine: Machine) -> None:
        """Find them in the links' own axes."""
        points = link_points(machine)
        self.links = np.array([n for n, own in enumerate(points) if len(own)], dtype=np.int64)
        low = np.array([points[n].min(axis=0) for n in self.links]).reshape(-1, 3)
        high = np.array([points[n].max(axis=0) for n in self.links]).reshape(-1, 3)
        self._middle, self._half = 0.5 * (low + high), 0.5 * (high - low)

    def at(self, poses: Floats) -> Floats:
        """Upright boxes at X_world_link (n_links, 4, 4): lowest and highest corners, (n, 2, 3)."""
        X_WL = poses[self.links]
        middle = np.einsum("nij,nj->ni", X_WL[:, :3, :3], self._middle) + X_WL[:, :3, 3]
        half = np.einsum("nij,nj->ni", np.abs(X_WL[:, :3, :3]), self._half)
        return np.stack([middle - half, middle + half], axis=1)


class TurnedBoxes:
    """Boxes about the shapes of pairs of links, turned as these are, to tell them apart.

    Two boxes are apart if there is a gap along an axis of one of them, or along a normal to an axis
    of each (the theorem of separating axes). Those normals tell crossed edges apart, which are left
    out here: what is not told apart is looked at more closely.
    """

    def __init__(self, machine: Machine, pairs: list[tuple[int, int]]) -> None:
        """Find the boxes of all pairs of shapes of some pairs of links."""
        ends: tuple[list[int], list[int]] = ([], [])
        boxes: tuple[list[Floats], list[Floats]] = ([], [])
        shapes = machine.collision.shapes
        known = {link: [_turned(s, machine) for s in shapes[link]] for link in set(sum(pairs, ()))}
        for a, b in pairs:
            for one in known[a]:
                for other in known[b]:
                    for side, link, box in ((0, a, one), (1, b, other)):
                        ends[side].append(link)
                        boxes[side].append(box)
        self._links = [np.array(own, dtype=np.int64) for own in ends]
        self._boxes = [np.array(own).reshape(-1, 4, 4) for own in boxes]

    def __len__(self) -> int:
        return len(self._links[0])

    def are_apart(self, poses: Floats, gap: float) -> bool:
        """Whether all pairs are so far from each other [m], at X_world_link (n_links, 4, 4)."""
        if not len(self):
            return True
        a, b = (poses[links] @ box for links, box in zip(self._links, self._boxes, strict=True))
        between = b[:, :3, 3] - a[:, :3, 3]
        apart = np.zeros(len(self), dtype=bool)
        for axes in (a, b):  # columns are half sides
            units = axes[:, :3, :3] / np.linalg.norm(axes[:, :3, :3], axis=1, keepdims=True)
            away = np.abs(np.einsum("nij,ni->nj", units, between))
            for own in (a, b):
                away -= np.abs(np.einsum("nij,nik->njk", units, own[:, :3, :3])).sum(axis=2)
            apart |= (away > gap).any(axis=1)
        return bool(apart.all())


def _turned(shape: CollisionShape, machine: Machine) -> Floats:
    """Middle and half sides, as columns, of the box about a shape in its own axes, (4, 4)."""
    points = triangles_of(shape.geometry, machine.folder)[0]
    low, high = points.min(axis=0), points.max(axis=0)
    box = np.diag([*(np.maximum(0.5 * (high - low), THIN)), 1.0])
    box[:3, 3] = 0.5 * (low + high)
    found: Floats = shape.pose @ box
    return found


class Nearness:
    """Whether links of a machine that stands fast may touch anything."""

    def __init__(
        self, machine: Machine, moves: Iterable[int], about: Floats, ground: float
    ) -> None:
        """Hold what is about.

        Args:
            machine: what moves.
            moves: positions of the links that move; the others stand still.
            about: upright boxes of what stands still, (n, 2, 3).
            ground: height of the ground [m].
        """
        self._links, self._about, self._ground = LinkBoxes(machine), about, ground
        moving, found = set(moves), machine.collision
        self._moving = np.array(
            [n for n, link in enumerate(self._links.links) if int(link) in moving], dtype=np.int64
        )
        self._pairs = TurnedBoxes(
            machine,
            [
                (a, b)
                for a, b in found.pairs
                if not found.made[a] and not found.made[b] and (a in moving or b in moving)
            ],
        )

    def is_clear(self, before: Floats, after: Floats) -> bool:
        """Whether nothing can have been near on the way from X_world_link (n_links, 4, 4)."""
        if not len(self._moving):
            return True
        start, end = self._links.at(before)[self._moving], self._links.at(after)[self._moving]
        low = np.minimum(start[:, 0], end[:, 0]) - CLEAR
        high = np.maximum(start[:, 1], end[:, 1]) + CLEAR
        if low[:, 2].min() < self._ground:
            return False
        near = self._about[
            ((self._about[:, 0] < high.max(axis=0)) & (low.min(axis=0) < self._about[:, 1])).all(
                axis=1
            )
        ]
        overlaps = (low[:, None] < near[:, 1]) & (near[:, 0] < high[:, None])
        if overlaps.all(axis=2).any():
            return False
        return self._pairs.are_apart(after, CLEAR + 2.0 * float(np.abs(end - start).max()))
