"""Natural coordinates, rows and the factor's pattern of a machine, laid out for the kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np

from ...description import Spring
from ...dynamics import DynamicsModel, tied_by_loops
from ...jit import Packing, Record, Records, Scratch, as_records, new_records
from ...mechanism import Floats, Ints
from ...mechanism.kernels import FreedomKind
from .equations import Equations, NaturalRow
from .natural import CROSS, FREE, SLIDE, Chain, Combination, Natural
from .ordering import Pattern, elimination_order, pattern_of
from .records import (
    AUGMENTED,
    AUGMENTED_WORK,
    BLOCK_PLACES,
    BODY_FRAME,
    DRIVEN_SCALAR,
    MASS_PAIR,
    NATURAL_BODY,
    NATURAL_JOINT,
    NATURAL_ROW,
    NATURAL_SPRING,
    ROW_NOW,
    SCALAR_LOSS,
    TERM,
    NaturalJointKind,
    NaturalRowKind,
)

LIGHT = 0.1  # of the mean mass: what light bodies count for in the penalty matrix

Node = tuple[bool, int]  # whether it is a scalar, and its number, or an element's


class AugmentedModel:
    """A machine in natural coordinates, numbered and packed.

    Attributes:
        natural: bodies and elements.
        equations: scalars and rows.
        place_of: where each element, or (True, number) each scalar, stands in q.
        n: coordinates; what stands behind them never moves.
        size: numbers in q.
    """

    def __init__(self, model: DynamicsModel) -> None:
        """Find coordinates and equations, and in what order to eliminate."""
        self.model = model
        self.natural = Natural(model)
        self.equations = Equations(self.natural)
        self.springs = [self._spring(each) for each in model.tree.mechanism.robot.springs]
        self._number()

    # --------------------------------------------------------------------------------- numbering

    def _number(self) -> None:
        """Places of elements and scalars: those that move in the order of elimination."""
        used = self._used()
        nodes: list[Node] = [(False, e) for e in used if self._moves(e)]
        nodes += [(True, s) for s in range(len(self.equations.scalars))]
        number = {node: k for k, node in enumerate(nodes)}
        cliques = [[number[node] for node in clique] for clique in self._cliques()]
        order = elimination_order([1 if is_scalar else 3 for is_scalar, _ in nodes], cliques)
        self.place_of: dict[Node, int] = {}
        at = 0
        for k in order:
            self.place_of[nodes[k]] = at
            at += 1 if nodes[k][0] else 3
        self.n = at
        for e in used:
            if not self._moves(e):
                self.place_of[False, e] = at
                at += 3
        self.size = at

    def _used(self) -> list[int]:
        """Elements that any body has in its basis; the base's come first."""
        return sorted({e for body in self.natural.bodies for e in body.basis})

    def _moves(self, element: int) -> bool:
        return self.natural.elements[element].value is None

    def _cliques(self) -> Iterable[list[Node]]:
        """What rows, masses and springs couple."""
        for row in self.equations.rows:
            yield self._nodes(row)
        for body in self.natural.bodies:
            yield [(False, e) for e in body.basis if self._moves(e)]
        for combination in self.springs:
            yield [(False, e) for e in combination if self._moves(e)]

    def _nodes(self, row: NaturalRow) -> list[Node]:
        found: list[Node] = [(False, e) for e in row.terms if self._moves(e)]
        return found + [(True, s) for s in (row.scalar, row.leader) if s >= 0]

    @cached_property
    def pattern(self) -> Pattern:
        """Of the factor."""
        cliques = [
            sorted(k for node in clique for k in self._columns(node)) for clique in self._cliques()
        ]
        return pattern_of(self.n, cliques)

    def _columns(self, node: Node) -> range:
        at = self.place_of[node]
        return range(at, at + (1 if node[0] else 3))

    def owner(self, coordinate: int) -> str:
        """The link that a coordinate belongs to."""
        for (is_scalar, number), at in self.place_of.items():
            if at <= coordinate < at + (1 if is_scalar else 3):
                scalars, elements = self.equations.scalars, self.natural.elements
                body = scalars[number].body if is_scalar else elements[number].body
                return self.natural.bodies[body].name
        return self.natural.bodies[0].name

    # ----------------------------------------------------------------------------------- packing

    def packing(self, scratch: Scratch, state: int, **settings: float) -> Packing:
        """Everything for the kernels; settings are fields of AUGMENTED.

        `state` is how many numbers the state has.
        """
        self.terms: list[tuple[int, float, float, float]] = []
        self.entries: list[int] = []
        self.pairs: list[int] = []
        rows = self._rows()
        self.blocks: list[Ints] = []
        springs, bodies = self._springs(), self._bodies()
        pattern = self.pattern
        begins, columns, places = pattern.by_rows
        tied = tied_by_loops(
            self.model.tree,
            self.model.tree.positions(self.model.home),
            [row.velocity for row in self.model.rows],
        )
        packing = Packing(
            AUGMENTED, n=self.n, tied=tied, work=self._work(scratch, state), **settings
        )
        packing.add("rows", rows)
        packing.add("springs", springs)
        packing.add("blocks", np.array(self.blocks, np.int64).view(BLOCK_PLACES).ravel())
        packing.add("terms", np.array(self.terms, TERM))
        packing.add("entries", np.array(self.entries, np.int64))
        packing.add("pairs", np.array(self.pairs, np.int64))
        packing.add("masses", self._masses())
        packing.add("weights", self._weights())
        packing.add("losses", np.array(self._losses(), SCALAR_LOSS))
        packing.add("drives", np.array(self._drives(), DRIVEN_SCALAR))
        packing.add("bodies", bodies)
        packing.add("joints", self._joints())
        packing.add("columns", pattern.columns, within="factor")
        packing.add("rows", pattern.rows, within="factor")
        packing.add("left", begins, within="factor")
        packing.add("left_columns", columns, within="factor")
        packing.add("left_places", places, within="factor")
        return packing

    def _work(self, scratch: Scratch, state: int) -> Records:
        """Scratch memory."""
        rows, n, filled = len(self.equations.rows), self.n, len(self.pattern.rows)
        entries = sum(len(self._entry_columns(row)) for row in self.equations.rows)
        return scratch.spans(
            AUGMENTED_WORK, q=self.size, v=self.size, a=self.size, multipliers=rows,
            reactions=rows, rows=(rows, ROW_NOW), slopes=entries, tangent=n + filled, L=filled,
            D=n, column=n, right=n, force=n, frames=(len(self.natural.bodies), BODY_FRAME),
            tree_v=self.model.tree.nv, lifted=len(self.model.rows), begun=state,
            stops=len(self.model.rows),
        )  # fmt: skip

    def penalties(self, factor: float) -> Floats:
        """The penalty matrix's diagonal, (2.82): by the heaviest body that a row is about."""
        mass = np.array([body.J[3, 3] for body in self.natural.bodies])
        share = mass / self.mean_mass if self.mean_mass > 0.0 else np.ones(len(mass))
        share = np.maximum(share, LIGHT)
        return np.array([factor * max(share[b] for b in row.bodies) for row in self.equations.rows])

    @cached_property
    def mean_mass(self) -> float:
        """(2.81) [kg]."""
        masses = [body.J[3, 3] for body in self.natural.bodies[1:]]
        return float(np.mean(masses)) if masses else 0.0

    def _rows(self) -> Records:
        """NATURAL_ROW of all rows; their penalties are set by whoever knows the step."""
        found = new_records(len(self.equations.rows), NATURAL_ROW)
        for record, row in zip(found, self.equations.rows, strict=True):
            record.kind, record.component, record.drive = row.kind, row.component, row.drive
            record.ratio, record.offset = row.ratio, row.offset
            record.scalar = self.place_of[True, row.scalar] if row.scalar >= 0 else -1
            record.leader = self.place_of[True, row.leader] if row.leader >= 0 else -1
            record.terms = len(self.terms), len(row.terms)
            self.terms += [(self.place_of[False, e], *parts) for e, parts in row.terms.items()]
            columns = self._entry_columns(row)
            record.entries, record.pairs = (len(self.entries), len(columns)), len(self.pairs)
            self.entries += columns
            self.pairs += [
                self.pattern.place(i, j) for k, i in enumerate(columns) for j in columns[: k + 1]
            ]
        return found

    def _entry_columns(self, row: NaturalRow) -> list[int]:
        """Columns of a row's slopes, in the order in which the kernels set them."""
        moving = [self.place_of[False, e] for e in row.terms if self._moves(e)]
        if row.kind == NaturalRowKind.LINEAR:
            return [at + row.component for at in moving]
        columns = [at + k for at in moving for k in range(3)]
        return columns + [self.place_of[True, s] for s in (row.scalar, row.leader) if s >= 0]

    def _masses(self) -> Records:
        """MASS_PAIR of all pairs of elements that have mass in common, and of rotors."""
        found: dict[tuple[int, int], float] = {}
        for body in self.natural.bodies[1:]:
            M = body.coefficients @ body.J @ body.coefficients.T
            for i in range(4):
                for j in range(i + 1):
                    places = [self.place_of[False, body.basis[k]] for k in (i, j)]
                    if max(places) < self.n and M[i, j] != 0.0:
                        pair = max(places), min(places)
                        found[pair] = found.get(pair, 0.0) + M[i, j]
        records = []
        for (a, b), mass in found.items():
            records.append((a, b, 3, mass, [self.pattern.place(a + k, b + k) for k in range(3)]))
        for number, scalar in enumerate(self.equations.scalars):
            if scalar.armature != 0.0:
                at = self.place_of[True, number]
                records.append((at, at, 1, scalar.armature, [self.pattern.place(at, at), 0, 0]))
        return np.array(records, MASS_PAIR)

    def _weights(self) -> Floats:
        """Gravity: on an element of a body the part of its mass that goes with it."""
        found = np.zeros(self.size)
        for body in self.natural.bodies[1:]:
            for e, share in zip(body.basis, body.coefficients @ body.J[:, 3], strict=True):
                at = self.place_of[False, e]
                found[at : at + 3] += share * self.model.tree.gravity
        return found

    def _spring(self, spring: Spring) -> Combination:
        natural, tree = self.natural, self.natural.tree
        found: Combination = {}
        ends = (spring.link_a, spring.point_a, -1.0), (spring.link_b, spring.point_b, 1.0)
        for link, point, sign in ends:
            X = tree.X_FL[link]
            body = natural.bodies[natural.body_of_freedom[tree.freedom_of_link[link]]]
            for e, part in body.point(X[:3, :3] @ np.asarray(point) + X[:3, 3]).items():
                found[e] = found.get(e, 0.0) + sign * part
        return found

    def _springs(self) -> Records:
        """NATURAL_SPRING, with the blocks of their elements in pairs."""
        robot = self.model.tree.mechanism.robot
        found = new_records(len(self.springs), NATURAL_SPRING)
        for record, spring, ends in zip(found, robot.springs, self.springs, strict=True):
            record.stiffness, record.damping = spring.stiffness, spring.damping
            record.rest_length, record.blocks = spring.rest_length, len(self.blocks)
            record.terms = len(self.terms), len(ends)
            places = [self.place_of[False, e] for e in ends]
            parts = zip(places, ends.values(), strict=True)
            self.terms += [(at, part, 0.0, 0.0) for at, part in parts]
            self._add_blocks(places)
        return found

    def _add_blocks(self, places: Sequence[int]) -> None:
        """Blocks of elements in pairs, each with those before it and with itself."""
        for i, a in enumerate(places):
            self.blocks += [self._block(a, b) for b in places[: i + 1]]

    def _block(self, a: int, b: int) -> Ints:
        """Places of a block in the tangent: of one on the diagonal the lower half."""
        block = np.full((3, 3), -1, dtype=np.int64)
        for i in range(3):
            for j in range(3):
                if max(a, b) < self.n and (a != b or j <= i):
                    block[i, j] = self.pattern.place(a + i, b + j)
        return block.ravel()

    def _losses(self) -> list[tuple[int, float, float]]:
        return [
            (self.place_of[True, self.equations.scalar_of[velocity]], loss.damping, loss.friction)
            for velocity, loss in enumerate(self.model.resistances)
            if loss.damping or loss.friction
        ]

    def _drives(self) -> list[tuple[int, int]]:
        return [
            (self.place_of[True, self.equations.scalar_of[row.velocity]], guide)
            for row, guide in zip(self.model.rows, self.equations.guides, strict=True)
        ]

    def _bodies(self) -> Records:
        found = new_records(len(self.natural.bodies), NATURAL_BODY)
        for record, body in zip(found, self.natural.bodies, strict=True):
            record.freedom, record.coefficients = body.freedom, body.coefficients
            record.places = [self.place_of[False, e] for e in body.basis]
            record.blocks = len(self.blocks)
            self._add_blocks(record.places.tolist())
        return found

    def _joints(self) -> Records:
        """NATURAL_JOINT: one for each freedom about or along an axis, and for each other joint."""
        tree, found = self.natural.tree, []
        for chain in self.natural.chains:
            axial = chain.is_axial(tree)
            for freedom, kind in zip(chain.freedoms, chain.kinds(tree), strict=True):
                if axial:
                    found.append(self._axial_joint(chain, freedom, kind))
            if not axial:
                found.append(self._other_joint(chain))
        return as_records(found, NATURAL_JOINT)

    def _joint(self, chain: Chain, freedom: int) -> Record:
        """With the places of a freedom."""
        record, place = new_records(1, NATURAL_JOINT)[0], self.natural.tree.freedoms[freedom]
        record.bodies, record.scalar = (chain.carrier, chain.body), -1
        record.position, record.velocity = place["position"], place["velocity"]
        record.X_AF = self.natural.first_frame(chain)
        return record

    def _axial_joint(self, chain: Chain, freedom: int, kind: FreedomKind) -> Record:
        record = self._joint(chain, freedom)
        record.kind = NaturalJointKind.SLIDE if kind == SLIDE else NaturalJointKind.TURN
        scalar = self.equations.scalar_of.get(int(record.velocity))
        if scalar is not None:
            record.kind, record.scalar = NaturalJointKind.SCALAR, self.place_of[True, scalar]
        return record

    def _other_joint(self, chain: Chain) -> Record:
        """A cross, a ball, or a free joint, whose ball comes first in positions and velocities."""
        kinds, tree = chain.kinds(self.natural.tree), self.natural.tree
        if kinds == FREE:
            record = self._joint(chain, chain.freedoms[3])
            record.kind = NaturalJointKind.FREE
            for d in chain.freedoms[1:4]:  # from the frame of its first slide to its own
                record.X_AF[:, :3] = record.X_AF[:, :3] @ tree.freedoms["X_PF"][d][:, :3]
            return record
        record = self._joint(chain, chain.freedoms[0])
        record.kind = NaturalJointKind.CROSS if kinds == CROSS else NaturalJointKind.BALL
        if kinds == CROSS:
            record.R_EF = self.natural.second_turn(chain)
        return record

    # ------------------------------------------------------------------------------------- states

    def place(
        self, frames: Sequence[Floats], motions: Sequence[Floats], q: Floats, v: Floats
    ) -> tuple[Floats, Floats]:
        """Coordinates and velocities of bodies that are placed.

        Args:
            frames: of the bodies in the base, (4, 4) each.
            motions: of the bodies, at the base's origin, (6,) each.
            q: positions of the tree, from which scalars are taken.
            v: velocities of the tree.
        """
        found, rates = np.zeros(self.size), np.zeros(self.size)
        for (is_scalar, number), at in self.place_of.items():
            if is_scalar:
                found[at], rates[at] = self._scalar(number, q, v)
                continue
            element = self.natural.elements[number]
            if element.value is not None:
                found[at : at + 3] = element.value
                continue
            X, w, u = frames[element.body], *np.split(motions[element.body], 2)
            e = X[:3, :3] @ element.local
            if element.is_point:
                e = e + X[:3, 3]
            found[at : at + 3] = e
            rates[at : at + 3] = np.cross(w, e) + (u if element.is_point else 0.0)
        return found, rates

    def _scalar(self, number: int, q: Floats, v: Floats) -> tuple[float, float]:
        scalar = self.equations.scalars[number]
        if scalar.way is not None:
            leader, pitch = self.equations.scalars[scalar.way[0]], scalar.way[1]
            return pitch * q[leader.position], pitch * v[leader.velocity]
        return float(q[scalar.position]), float(v[scalar.velocity])
