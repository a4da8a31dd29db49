"""The rows that tie natural coordinates: rigid bodies, joints, angles and ways, as plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

import numpy as np

from ...mechanism import Floats
from ...mechanism.kernels import RowKind
from .natural import BASE, CROSS, TURN, Chain, Combination, Natural, NaturalBody
from .records import NaturalRowKind

Terms = dict[int, tuple[float, float, float]]  # elements, and how much of x, y and z


@dataclass(frozen=True, eq=False)
class NaturalRow:
    """One scalar equation; see `records.NaturalRowKind`.

    Attributes:
        kind: what it keeps.
        bodies: that it is about; the heaviest one scales its penalty.
        terms: elements and their parts in x, y and z.
        component: of a LINEAR.
        scalar: number of a scalar; -1.
        leader: of a RATIO: number of another scalar.
        ratio: of a RATIO.
        offset: [m, m^2, 1, rad].
        drive: of a GUIDE: number of a drive.
    """

    kind: NaturalRowKind
    bodies: tuple[int, ...]
    terms: Terms = field(default_factory=dict)
    component: int = 0
    scalar: int = -1
    leader: int = -1
    ratio: float = 0.0
    offset: float = 0.0
    drive: int = -1


@dataclass(frozen=True, eq=False)
class NaturalScalar:
    """An angle or a way that is a coordinate of its own.

    Attributes:
        body: the one that it moves.
        position, velocity: places in the tree; -1 for a thread's way.
        way: the scalar whose multiple it is there, and how many times; none for others.
        armature: inertia of a rotor [kg m^2, kg].
    """

    body: int
    position: int
    velocity: int
    armature: float
    way: tuple[int, float] | None = None


class Equations:
    """Scalars and rows of a machine.

    Attributes:
        natural: its bodies and elements.
        scalars: angles and ways where something acts along them: a drive, a limit, damping, dry
            friction, a rotor, a repeater, a thread.
        scalar_of: scalars by velocities of the tree.
        rows: all equations.
        guides: the row of each drive.
    """

    def __init__(self, natural: Natural) -> None:
        """Write them down."""
        self.natural = natural
        self.scalars: list[NaturalScalar] = []
        self.scalar_of: dict[int, int] = {}
        self.rows: list[NaturalRow] = []
        self._kept: set[tuple[object, ...]] = set()
        for number in range(1, len(natural.bodies)):
            self._keep_rigid(number)
        self._keep_shared()
        for on_a, on_b, across in natural.lines:
            for u in across:
                self._add_dot(
                    (on_a[0], on_b[0]), self._from_to(on_a, on_b), self._along(on_a[0], u)
                )
        for (a, u_A), (b, u_B) in natural.crossed:
            self._add_dot((a, b), self._along(a, u_A), self._along(b, u_B))
        needed = self._needed()
        for chain in natural.chains:
            self._add_scalars(chain, needed)
        self._tie_scalars()
        self.guides = [self._add_guide(n) for n in range(len(natural.model.rows))]

    # ------------------------------------------------------------------------------------- bodies

    def _keep_rigid(self, number: int) -> None:
        """Products of a body's directions stay what they are: lengths and angles, (5.16)."""
        body = self.natural.bodies[number]
        for one, other in combinations_with_replacement(_directions(body), 2):
            (x, on_x), (y, on_y) = one, other
            self._add_dot((number,), x, y, float(on_x @ on_y))

    def _keep_shared(self) -> None:
        """What bodies share that is not in the basis of all of them: (5.17)."""
        natural = self.natural
        for place, shared in enumerate(natural.shared):
            element = natural.number_of(place)
            owners = [mark for mark in shared.marks if mark.body != BASE]
            fixed = [mark for mark in shared.marks if mark.body == BASE]
            if element is None:
                first = fixed[0] if fixed else owners.pop(0)
                there = self._of(first.body, shared.is_point, first.local)
            else:
                there = {element: 1.0}
            for mark in owners:
                if element is not None and element in natural.bodies[mark.body].basis:
                    continue
                here = self._of(mark.body, shared.is_point, mark.local)
                self._add_linear((mark.body,), _difference(here, there))

    def _of(self, body: int, is_point: bool, local: Floats) -> Combination:
        one = self.natural.bodies[body]
        return one.point(local) if is_point else one.direction(local)

    def _along(self, body: int, u: Floats) -> Combination:
        return self.natural.bodies[body].direction(u)

    def _from_to(self, on_a: tuple[int, Floats], on_b: tuple[int, Floats]) -> Combination:
        p_A, p_B = (self.natural.bodies[body].point(local) for body, local in (on_a, on_b))
        return _difference(p_B, p_A)

    # ------------------------------------------------------------------------------------ scalars

    def _needed(self) -> set[int]:
        """Velocities of the tree along which something acts."""
        natural, model = self.natural, self.natural.model
        found = {row.velocity for row in model.rows}
        found |= set(np.flatnonzero(model.resistances.damping).tolist())
        found |= set(np.flatnonzero(model.resistances.friction).tolist())
        for row in natural.tree.loop_rows:
            if row.kind == RowKind.RATIO:
                found |= {int(row.follower.velocity), int(row.leader.velocity)}
        turning = (natural.tree.freedoms["armature"] != 0.0) | (
            natural.tree.freedoms["pitch"] != 0.0
        )
        return found | set(natural.tree.freedoms["velocity"][turning].tolist())

    def _add_scalars(self, chain: Chain, needed: set[int]) -> None:
        """Angles and ways of a joint of the tree that are needed, with their rows."""
        tree, kinds = self.natural.tree, chain.kinds(self.natural.tree)
        wanted = [int(tree.freedoms["velocity"][d]) in needed for d in chain.freedoms]
        if not any(wanted):
            return
        X, a, b = self.natural.first_frame(chain), chain.carrier, chain.body
        axes = np.eye(3)
        if chain.is_axial(tree):
            for freedom, kind in zip(chain.freedoms, kinds, strict=True):
                if kind == TURN:
                    self._add_turn((a, b), X, freedom)
                else:
                    self._add_way((a, b), X, self._add_scalar(b, freedom))
        elif kinds == CROSS:
            # seen along the first axis, the second has turned away from where it stood by the
            # first angle; along the second axis, the first by minus the second angle
            R = self.natural.second_turn(chain)
            z, u, c = X[:, 2], X[:, :3] @ R[:, 2], R[2]
            turned = self._along(a, u), self._along(b, axes[2]), self._along(a, np.cross(z, u))
            self._add_angle((a, b), *turned, self._add_scalar(b, chain.freedoms[0]))
            back = self._along(b, c), self._along(a, z), self._along(b, -np.cross(axes[2], c))
            self._add_angle((a, b), *back, self._add_scalar(b, chain.freedoms[1]))

    def _add_turn(self, bodies: tuple[int, int], X: Floats, freedom: int) -> None:
        """The angle about the axis of a frame X on A; of a thread the way follows it."""
        a, b = bodies
        turned = self._along(a, X[:, 0]), self._along(b, np.eye(3)[0]), self._along(a, X[:, 1])
        angle = self._add_scalar(b, freedom)
        self._add_angle(bodies, *turned, angle)
        pitch = float(self.natural.tree.freedoms["pitch"][freedom])
        if pitch != 0.0:
            way = self._append(NaturalScalar(b, -1, -1, 0.0, (angle, pitch)))
            self._add_way(bodies, X, way)
            self._add_ratio(bodies, way, angle, pitch, 0.0)

    def _add_way(self, bodies: tuple[int, int], X: Floats, scalar: int) -> None:
        """The way along the axis of a frame X on A to the origin of B."""
        a, b = bodies
        between = self._from_to((a, X[:, 3]), (b, np.zeros(3)))
        self._add_dot(bodies, between, self._along(a, X[:, 2]), scalar=scalar)

    def _add_scalar(self, body: int, freedom: int) -> int:
        record = self.natural.tree.freedoms[freedom]
        places = int(record["position"]), int(record["velocity"])
        scalar = self._append(NaturalScalar(body, *places, float(record["armature"])))
        self.scalar_of[places[1]] = scalar
        return scalar

    def _append(self, scalar: NaturalScalar) -> int:
        self.scalars.append(scalar)
        return len(self.scalars) - 1

    def _tie_scalars(self) -> None:
        """Repeaters: one scalar is a multiple of another, and an offset."""
        for row in self.natural.tree.loop_rows:
            if row.kind == RowKind.RATIO:
                places = int(row.follower.velocity), int(row.leader.velocity)
                follower, leader = (self.scalar_of[place] for place in places)
                bodies = self.scalars[follower].body, self.scalars[leader].body
                self._add_ratio(bodies, follower, leader, float(row.ratio), float(row.offset))

    # --------------------------------------------------------------------------------------- rows

    def _add_dot(
        self,
        bodies: Sequence[int],
        x: Combination,
        y: Combination,
        offset: float = 0.0,
        scalar: int = -1,
    ) -> None:
        """A product of two combinations, unless it is there already or nothing in it can move."""
        terms = {e: (x.get(e, 0.0), y.get(e, 0.0), 0.0) for e in sorted({*x, *y})}
        key = (frozenset({frozenset(x.items()), frozenset(y.items())}), scalar)
        if key in self._kept or not self._moves(terms):
            return
        self._kept.add(key)
        self.rows.append(
            NaturalRow(NaturalRowKind.DOT, tuple(bodies), terms, scalar=scalar, offset=offset)
        )

    def _add_angle(
        self, bodies: Sequence[int], x: Combination, y: Combination, z: Combination, scalar: int
    ) -> None:
        elements = sorted({*x, *y, *z})
        terms = {e: (x.get(e, 0.0), y.get(e, 0.0), z.get(e, 0.0)) for e in elements}
        self.rows.append(NaturalRow(NaturalRowKind.ANGLE, tuple(bodies), terms, scalar=scalar))

    def _add_linear(self, bodies: Sequence[int], x: Combination) -> None:
        terms = {e: (part, 0.0, 0.0) for e, part in sorted(x.items())}
        if self._moves(terms):
            for k in range(3):
                self.rows.append(
                    NaturalRow(NaturalRowKind.LINEAR, tuple(bodies), terms, component=k)
                )

    def _add_ratio(
        self, bodies: Sequence[int], scalar: int, leader: int, ratio: float, offset: float
    ) -> None:
        self.rows.append(
            NaturalRow(
                NaturalRowKind.RATIO, tuple(bodies), scalar=scalar, leader=leader, ratio=ratio,
                offset=offset,
            )
        )  # fmt: skip

    def _add_guide(self, drive: int) -> int:
        scalar = self.scalar_of[self.natural.model.rows[drive].velocity]
        bodies = (self.scalars[scalar].body,)
        self.rows.append(NaturalRow(NaturalRowKind.GUIDE, bodies, scalar=scalar, drive=drive))
        return len(self.rows) - 1

    def _moves(self, terms: Terms) -> bool:
        return any(self.natural.elements[e].value is None for e in terms)


def _directions(body: NaturalBody) -> list[tuple[Combination, Floats]]:
    """Three directions of a body: its vectors, and ways from its first point to the others."""
    found: list[tuple[Combination, Floats]] = []
    first = body.basis[0], body.B[:3, 0]
    for element, column in zip(body.basis[1:], body.B.T[1:], strict=True):
        if column[3] == 1.0:
            found.append(({element: 1.0, first[0]: -1.0}, column[:3] - first[1]))
        else:
            found.append(({element: 1.0}, column[:3]))
    return found


def _difference(one: Combination, other: Combination) -> Combination:
    found = dict(one)
    for element, part in other.items():
        found[element] = found.get(element, 0.0) - part
    return {element: part for element, part in found.items() if part != 0.0}
