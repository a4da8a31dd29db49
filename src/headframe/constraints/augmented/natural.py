"""Natural coordinates: the points and unit vectors that a machine's bodies are described by.

A body is described by four elements, points or vectors e_1 ... e_4 in the axes of the base, at
least one of them a point. With (x, y, z, 1) for points and (x, y, z, 0) for vectors as columns of
B, all in the body's own frame, a point r of the body is

    r_W = sum_k c_k e_k,    c = B^-1 (r, 1),

with coefficients c that never change; (5.17) is this for one point and three vectors, and (5.16)
belongs to two points and two vectors. So the kinetic energy is that of a constant mass matrix,

    M_kl = (B^-1 J B^-T)_kl 1_3,    J = integral of (r, 1)(r, 1)^T dm,

for any choice of elements. Elements are chosen where joints are, so that two bodies have them in
common: a hinge that shares a point and its axis needs no equation at all. What stands on the base
is constant and no coordinate. A body whose joints give fewer than four independent elements gets
unit vectors (and, if it has none, a point) of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...description import Does, Joint, Keeps
from ...dynamics import DynamicsModel
from ...errors import listed
from ...mechanism import PARALLEL, Floats, Tree
from ...mechanism.kernels import FreedomKind
from ...spatial import perpendiculars
from .sharing import SharedElement, Sharing

Combination = dict[int, float]  # elements, and how much of each

BASE = 0
CLEAR = 0.3  # sine from which on a direction is independent enough of others
WIDE = 0.25  # of a body's size: distance from which on a second point makes a direction
SMALL = 0.01  # [m] under which it does not, whatever the size


@dataclass(frozen=True, eq=False)
class NaturalElement:
    """A point or a unit vector.

    Attributes:
        is_point: or a vector.
        value: where it is, if it stands on the base [m, 1], (3,); else None.
        body: one that it belongs to.
        local: its coordinates there.
    """

    is_point: bool
    value: Floats | None
    body: int
    local: Floats


@dataclass(frozen=True, eq=False)
class NaturalBody:
    """A body, and the four elements that describe it.

    Attributes:
        name: of its first link.
        freedom: of the tree, whose frame is the body's; -1 for the base.
        basis: four elements.
        B: their coordinates in the body's frame as columns, (4, 4).
        coefficients: B^-1.
        J: integral of (r, 1)(r, 1)^T dm over the body [kg m^2, kg m, kg], (4, 4).
    """

    name: str
    freedom: int
    basis: tuple[int, ...]
    B: Floats
    coefficients: Floats
    J: Floats

    def point(self, local: Floats) -> Combination:
        """A point of the body as a combination of its elements."""
        return self._combination(np.array([*local, 1.0]))

    def direction(self, local: Floats) -> Combination:
        """A direction of the body as a combination of its elements."""
        return self._combination(np.array([*local, 0.0]))

    def _combination(self, four: Floats) -> Combination:
        c = self.coefficients @ four
        kept = np.abs(c) > 1e-14 * np.abs(c).max()
        return {e: float(x) for e, x, keep in zip(self.basis, c, kept, strict=True) if keep}


@dataclass(frozen=True, eq=False)
class Chain:
    """What is between a body and the one that carries it: one joint, its freedoms in order."""

    carrier: int  # bodies
    body: int
    freedoms: tuple[int, ...]

    def kinds(self, tree: Tree) -> tuple[FreedomKind, ...]:
        """What its freedoms do."""
        return tuple(FreedomKind(tree.freedoms["kind"][d]) for d in self.freedoms)

    def is_axial(self, tree: Tree) -> bool:
        """Whether all that it does is about and along one axis."""
        later = tree.freedoms["X_PF"][list(self.freedoms[1:])]
        return {*self.kinds(tree)} <= {TURN, SLIDE} and np.allclose(later, np.eye(4)[:3])


TURN, SLIDE = FreedomKind.TURN, FreedomKind.SLIDE
BALL = FreedomKind.BALL, FreedomKind.PART, FreedomKind.PART
FREE = SLIDE, SLIDE, SLIDE, *BALL
CROSS = TURN, TURN


class Natural:
    """A machine in natural coordinates.

    Attributes:
        tree: the machine, about a point near it.
        bodies: the base first.
        body_of_freedom: the body that a freedom carries; the base for -1.
        chains: joints of the tree, cylinders' among them.
        elements: points and vectors.
        shared: of these, with all bodies that have them; others belong to one body.
        lines: pairs of points (A, p_A), (B, p_B) with directions of A along which their distance
            stays zero, and the body's name.
        crossed: pairs of directions (A, u_A), (B, u_B) whose product stays the same.
    """

    def __init__(self, model: DynamicsModel) -> None:
        """Find bodies and what joints let them share, then four elements for every body."""
        self.model = model
        self.tree = model.near
        self.robot = self.tree.mechanism.robot
        self._names: dict[int, str] = {}
        for link in self.robot.links:
            freedom = self.tree.freedom_of_link[link.name]
            self._names.setdefault(freedom, link.name)
        freedoms = [-1, *sorted(d for d in self._names if d >= 0)]
        self.body_of_freedom = {d: n for n, d in enumerate(freedoms)}
        self.chains = tuple(self._chain(d) for d in freedoms[1:])
        self.lines: list[tuple[tuple[int, Floats], tuple[int, Floats], list[Floats]]] = []
        self.crossed: list[tuple[tuple[int, Floats], tuple[int, Floats]]] = []
        self._sharing = Sharing()
        for chain in self.chains:
            self._share_turning(chain)
        for cylinder in self.tree.cylinders:
            self._share_rod_end(cylinder.actuator, cylinder.rod)
        for closure in self.tree.mechanism.topology.closures:
            self._share_closure(
                *(self.robot.joints[j] for j in (closure.forward, closure.backward))
            )
        plane = {each.rod: len(each.tube) == 1 for each in self.tree.cylinders}
        for chain in self.chains:
            if chain.kinds(self.tree) == (SLIDE,):
                self._share_sliding(chain, plane.get(chain.freedoms[0], False))
        self.shared = self._sharing.elements()
        self.elements: list[NaturalElement] = []
        self._number: dict[int, int] = {}  # elements by their place in `shared`
        self.bodies = [self._base(), *(self._body(n, d) for n, d in enumerate(freedoms[1:], 1))]

    # ------------------------------------------------------------------------------------ joints

    def _chain(self, freedom: int) -> Chain:
        parent, between = int(self.tree.freedoms["parent"][freedom]), [freedom]
        while parent not in self.body_of_freedom:
            between.insert(0, parent)
            parent = int(self.tree.freedoms["parent"][parent])
        carrier, body = self.body_of_freedom[parent], self.body_of_freedom[freedom]
        return Chain(carrier, body, tuple(between))

    def first_frame(self, chain: Chain) -> Floats:
        """X_PF of a joint's first freedom at position 0, in the frame of the carrier, (3, 4)."""
        found: Floats = self.tree.freedoms["X_PF"][chain.freedoms[0]]
        return found

    def second_turn(self, chain: Chain) -> Floats:
        """R_EF: axes of a cross's second freedom in those of its first at position 0, (3, 3)."""
        found: Floats = self.tree.freedoms["X_PF"][chain.freedoms[1]][:, :3]
        return found

    def _share_turning(self, chain: Chain) -> None:
        """What hinges, threads, crosses and balls of the tree let two bodies share."""
        X, a, b = self.first_frame(chain), chain.carrier, chain.body
        kinds, origin, z = chain.kinds(self.tree), np.zeros(3), np.array([0.0, 0.0, 1.0])
        if chain.is_axial(self.tree):
            if TURN in kinds:
                self._sharing.unite(False, (a, X[:, 2]), (b, z))
                if SLIDE in kinds or self.tree.freedoms["pitch"][[*chain.freedoms]].any():
                    self.lines.append(((a, X[:, 3]), (b, origin), [X[:, 0], X[:, 1]]))
                else:
                    self._sharing.unite(True, (a, X[:, 3]), (b, origin))
        elif kinds == CROSS:
            self._sharing.unite(True, (a, X[:, 3]), (b, origin))
            self.crossed.append(((a, X[:, 2]), (b, z)))
        elif kinds == BALL:
            self._sharing.unite(True, (a, X[:, 3]), (b, origin))

    def _share_sliding(self, chain: Chain, plane: bool) -> None:
        """All directions of a slide; of a plane cylinder hinges already hold the pin's, its y."""
        X, a, b = self.first_frame(chain), chain.carrier, chain.body
        x, y = np.eye(3)[:2]
        if not plane:  # along what is shared already, if anything is across
            for local, R in ((a, X[:, :3]), (b, np.eye(3))):
                for u in (R.T @ u for u in self._sharing.directions(local)):
                    if abs(u[2]) <= PARALLEL:
                        x, y = u, np.array([-u[1], u[0], 0.0])
        for u in (x, y, np.array([0.0, 0.0, 1.0])):
            self._sharing.unite(False, (a, X[:, :3] @ u), (b, u))
        across = [X[:, :3] @ u for u in ((x,) if plane else (x, y))]
        self.lines.append(((a, X[:, 3]), (b, np.zeros(3)), across))

    def _share_rod_end(self, actuator: int, rod: int) -> None:
        """A rod's end is a point of the link that it moves."""
        one = self.robot.actuators[actuator]
        holder = self.tree.freedom_of_link[one.rod_parent], self.tree.X_FL[one.rod_parent]
        p_H = holder[1][:3, :3] @ np.asarray(one.rod_offset) + holder[1][:3, 3]
        b, h = self.body_of_freedom[rod], self.body_of_freedom[holder[0]]
        self._sharing.unite(True, (b, np.zeros(3)), (h, p_H))

    def _share_closure(self, on_a: Joint, on_b: Joint) -> None:
        """What a pivot keeps that closes a loop."""
        X_A, X_B = (self.tree.X_FL[on.parent] @ on.origin for on in (on_a, on_b))
        a, b = (self.body_of_freedom[self.tree.freedom_of_link[on.parent]] for on in (on_a, on_b))
        if a == b:
            return
        u_A, u_B = X_A[:3, :3] @ on_a.direction(), X_B[:3, :3] @ on_b.direction()
        for keeps in on_a.kind.keeps:
            if keeps is Keeps.POINT:
                self._sharing.unite(True, (a, X_A[:3, 3]), (b, X_B[:3, 3]))
            elif keeps is Keeps.PARALLEL:
                self._sharing.unite(False, (a, u_A), (b, self._same_way(a, u_A, b, u_B)))
            elif keeps is Keeps.PERPENDICULAR:
                self.crossed.append(((a, u_A), (b, u_B)))
            elif keeps is Keeps.ORIENTATION:
                for k in range(3):
                    self._sharing.unite(False, (a, X_A[:3, k]), (b, X_B[:3, k]))
            elif keeps is Keeps.LINE:
                across = list(perpendiculars(u_A))
                self.lines.append(((a, X_A[:3, 3]), (b, X_B[:3, 3]), across))

    def _same_way(self, a: int, u_A: Floats, b: int, u_B: Floats) -> Floats:
        """A direction of B, turned round if at home it looks against that of A."""
        R_A, R_B = (self._frame_at_home(body) for body in (a, b))
        return u_B if (R_A @ u_A) @ (R_B @ u_B) >= 0.0 else -u_B

    def _frame_at_home(self, body: int) -> Floats:
        freedom = next(d for d, n in self.body_of_freedom.items() if n == body)
        link = self._names[freedom]
        R_WL, R_FL = self.model.home.pose(link)[:3, :3], self.tree.X_FL[link][:3, :3]
        found: Floats = R_WL @ R_FL.T
        return found

    # ------------------------------------------------------------------------------------ bodies

    def _base(self) -> NaturalBody:
        """The base: constant elements of its own."""
        basis = []
        for k in range(4):
            is_point, local = k == 3, np.eye(4)[k, :3]
            self.elements.append(NaturalElement(is_point, local, BASE, local))
            basis.append(len(self.elements) - 1)
        name = self._names.get(-1, "")
        return NaturalBody(name, -1, tuple(basis), np.eye(4), np.eye(4), np.zeros((4, 4)))

    def _body(self, body: int, freedom: int) -> NaturalBody:
        """Elements that it shares with most, as far as they are independent, then its own."""
        offered = []
        for place, shared in enumerate(self.shared):
            locals_ = [mark.local for mark in shared.marks if mark.body == body]
            if locals_:
                offered.append((self._rank(shared), place, shared.is_point, locals_[0]))
        offered.sort(key=lambda each: each[:2])
        J = _pseudo_inertia(self.tree.freedoms["body"][freedom])
        points = [(place, local) for _, place, is_point, local in offered if is_point]
        if points:
            first, p = points[0]
            chosen, columns = [self._element(first)], [np.array([*p, 1.0])]
        else:
            p = J[:3, 3] / J[3, 3] if J[3, 3] > 0.0 else np.zeros(3)
            chosen, columns = [self._own(body, True, p)], [np.array([*p, 1.0])]
            first = -1
        size = max((float(np.linalg.norm(local - p)) for _, local in points), default=0.0)
        across: list[Floats] = []  # orthonormal, along the directions that are chosen
        for _, place, is_point, local in offered:
            if place == first or len(chosen) == 4:
                continue
            way = local - p if is_point else local
            length = float(np.linalg.norm(way))
            if is_point and length < max(WIDE * size, SMALL):
                continue
            rest = _rest(way / length, across)
            if np.linalg.norm(rest) >= CLEAR:
                across.append(rest / np.linalg.norm(rest))
                chosen.append(self._element(place))
                columns.append(np.array([*local, 1.0 if is_point else 0.0]))
        while len(chosen) < 4:
            own = max((_rest(u, across) for u in np.eye(3)), key=lambda u: float(u @ u))
            own /= np.linalg.norm(own)
            across.append(own)
            chosen.append(self._own(body, False, own))
            columns.append(np.array([*own, 0.0]))
        B = np.column_stack(columns)
        return NaturalBody(self._names[freedom], freedom, tuple(chosen), B, np.linalg.inv(B), J)

    def _rank(self, shared: SharedElement) -> tuple[bool, int]:
        """What stands on the base first, then what most bodies have."""
        on_base = any(mark.body == BASE for mark in shared.marks)
        return not on_base, -len(shared.marks)

    def _element(self, place: int) -> int:
        """The number of a shared element, which it gets where a body first needs it."""
        if place not in self._number:
            shared = self.shared[place]
            first = shared.marks[0]
            value = next((mark.local for mark in shared.marks if mark.body == BASE), None)
            element = NaturalElement(shared.is_point, value, first.body, first.local)
            self._number[place] = len(self.elements)
            self.elements.append(element)
        return self._number[place]

    def _own(self, body: int, is_point: bool, local: Floats) -> int:
        self.elements.append(NaturalElement(is_point, None, body, local))
        return len(self.elements) - 1

    def number_of(self, place: int) -> int | None:
        """The element that a shared one is; None if it is in no body's basis."""
        return self._number.get(place)


def _rest(u: Floats, across: Sequence[Floats]) -> Floats:
    """What of a direction is not along others, which are orthonormal."""
    for other in across:
        u = u - (u @ other) * other
    return u


def _pseudo_inertia(body: Floats) -> Floats:
    """Integral of (r, 1)(r, 1)^T dm from mass, first moment and inertia about the frame's origin.

    The inertia is I = tr(S) 1 - S with S the integral of r r^T dm, so that S = tr(I) / 2 1 - I.
    """
    mass, xx, yy, zz, xy, xz, yz = (body[k] for k in (0, 4, 5, 6, 7, 8, 9))
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    J = np.zeros((4, 4))
    J[:3, :3] = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    J[:3, 3] = J[3, :3] = body[1:4]
    J[3, 3] = mass
    return J


def why_not(model: DynamicsModel) -> str:
    """Why natural coordinates cannot move a machine; empty if they can."""
    robot = model.tree.mechanism.robot
    resisting = [
        joint.name
        for joint in (robot.joints[j] for j in model.tree.mechanism.topology.tree_joints)
        if joint.kind.has_ball and (joint.damping or joint.friction or joint.armature)
    ]
    if resisting:
        return (
            f"joints {listed(resisting)} turn freely and have damping, friction or armature, for "
            "which natural coordinates have no angle: take 'embedded', 'constrained' or 'simgc'"
        )
    for j in model.tree.mechanism.topology.tree_joints:
        joint = robot.joints[j]
        does = [motion.does for motion in joint.kind.motions]
        axial = len({motion.along for motion in joint.kind.motions}) <= 1
        known = axial or does == [Does.TURN, Does.TURN] or joint.kind.is_free
        if not known:
            return (
                f"joint {joint.name!r} is {joint.kind.name}, for which natural coordinates have no "
                "rows: take 'embedded', 'constrained' or 'simgc'"
            )
    return ""
