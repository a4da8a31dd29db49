"""A world for the kernels: movers, shapes and materials in buffers, and runs of it."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from ...contact.kernels import BOUNDS, NEAR_WORK, TOUCH, TOUCH_SHAPES, touch
from ...jit import (
    Packing,
    Record,
    Records,
    Scratch,
    address_of,
    as_argument,
    as_records,
    header,
    new_records,
    records,
)
from ...mechanism import Floats
from ..constrained import responding as constrained_responding
from ..constrained.motion import ConstrainedMotion
from ..embedding import responding as embedded_responding
from ..engine import KEPT
from ..motion import stepping as motion_stepping
from ..motion import touch_calls
from ..motion.engine import IntegratedMotion
from ..records import POWER, RUN
from ..status import STATUSES, DynamicsStatus
from . import stepping
from .blocks import words_for
from .loose import loose_energy
from .machine import DECIDE
from .newton import WINDOW
from .records import (
    COLUMN,
    CONTACT,
    ISLAND,
    JOINED_STATE,
    LOOSE,
    MACHINE,
    MEETING,
    MOVER,
    NODE,
    PLACED,
    PLACED_SHAPE,
    WORLD,
    WORLD_STATE,
    MoverKind,
)

FIRST = 64  # contacts that a world has memory for, to begin with
MOST_TOUCHES = 128  # of one pair of shapes
FILLED = 4  # blocks for each contact that an elimination fills, to begin with
BLOCK = 2 * 6 * 6  # numbers of each, to begin with


@dataclass(frozen=True)
class WorldParts:
    """What a world is made of, for kernels.

    Attributes:
        loose: LOOSE records.
        engines: machines in motion, and X_WO of each: the origin of its tree, (4, 4).
        carriers: CARRIER records; movers are the loose bodies, then the machines.
        shapes: SHAPE records, those of one body together.
        solids: buffer of hulls and meshes.
        pairs: PAIR records, (materials^2,).
        materials: how many there are.
        apart: pairs of bodies (a, b), a < b, that do not collide.
        joined: JOINED records, those of one joint together.
    """

    loose: Records
    engines: tuple[tuple[Any, Floats], ...]
    carriers: Records
    shapes: Records
    solids: Floats
    pairs: Records
    materials: int
    apart: tuple[tuple[int, int], ...]
    joined: Records


def responding_of(engine: IntegratedMotion) -> ModuleType:
    """Kernels of a machine's formulation at contacts."""
    if isinstance(engine, ConstrainedMotion):
        return constrained_responding
    return embedded_responding


class WorldEngine:
    """A world in motion, in steps of one size.

    Attributes:
        parts: what it is made of.
        state: what a run goes on from, but for the machines', which their engines have.
        world, work: for kernels.
    """

    def __init__(
        self, parts: WorldParts, step: float, gravity: Floats, sleeping: bool = True
    ) -> None:
        """Begin where the parts are; no contact is remembered."""
        self.parts, self.step, self.gravity, self.sleeping = parts, step, gravity, sleeping
        self._h = step  # of the steps that are made now, which may be parts of one
        self._calls = [self._touch_calls(engine) for engine, _ in parts.engines]
        self.state = self._new_state(FIRST)
        self._pack(FIRST)

    # ------------------------------------------------------------------ buffers

    def _touch_calls(self, engine: IntegratedMotion) -> Floats:
        own = responding_of(engine)
        return Packing(
            touch_calls.TOUCH_CALLS,
            place=address_of(own.place, touch_calls.PLACE),
            hold=address_of(own.hold, touch_calls.HOLD),
            respond=address_of(own.respond, touch_calls.RESPOND),
            change=address_of(own.change, touch_calls.CHANGE),
            react=address_of(own.react, touch_calls.REACT),
            lose=address_of(own.lose, touch_calls.LOSE),
            decide=address_of(motion_stepping.decide_step, DECIDE),
            run=address_of(motion_stepping.run, stepping.RUN),
        ).buffer()

    def _new_state(self, contacts: int) -> Floats:
        packing = Packing(WORLD_STATE)
        packing.add("loose", self.parts.loose)
        packing.add("known", new_records(contacts, CONTACT))
        packing.add("joined", new_records(len(self.parts.joined), JOINED_STATE))
        return packing.buffer()

    def _movers(self) -> Records:
        found = new_records(len(self.parts.loose) + len(self.parts.engines), MOVER)
        at = 0
        for n, mover in enumerate(found):
            mover.kind, mover.number, mover.width, mover.held = MoverKind.LOOSE, n, 6, 0
            if n >= len(self.parts.loose):
                mover.kind, mover.number = MoverKind.MACHINE, n - len(self.parts.loose)
                engine, _ = self.parts.engines[mover.number]
                mover.width, mover.held = engine.velocities.size, held_by(engine)
            mover.at, at = at, at + mover.width
            own = np.flatnonzero(self.parts.carriers.mover == n)
            mover.body = own[0] if own.size else -1
        return found

    def _machines(self) -> Records:
        found = new_records(len(self.parts.engines), MACHINE)
        for record, (engine, X_WO), own in zip(found, self.parts.engines, self._calls, strict=True):
            record.X_WO, record.method = X_WO[:3], int(engine.method)
            record.held, record.keeps = held_by(engine), KEPT
            arrays = {
                "calls": engine.calls, "touch_calls": own, "model": engine.packed,
                "state": engine.state, "drives": engine.flat_drives, "pulls": engine.flat_pulls,
                "work": engine.work, "kept": engine.kept,
            }  # fmt: skip
            for name, array in arrays.items():
                record[name] = array.ctypes.data, array.size
        return found

    def _pack(self, contacts: int) -> None:
        """Model and scratch memory for so many contacts."""
        parts, movers, scratch = self.parts, self._movers(), Scratch()
        joints = parts.joined[parts.joined.row == 0]
        width, count = int(movers.width.sum() + joints.rows.sum()), len(movers)
        nodes = count + len(joints)
        widest = 3 * int((movers.width + movers.held).max(initial=0))
        bodies, count_s = len(parts.carriers), len(parts.shapes)
        columns = min(nodes * nodes, FILLED * contacts)
        panels = min(width * width, int((movers.width**2).sum()) + BLOCK * columns)
        spans = scratch.spans(
            WORLD["work"], placed=(bodies, PLACED), shapes=(count_s, PLACED_SHAPE),
            poses=(count_s, 3, 4), bounds=(count_s, BOUNDS), keys=max(count_s, 4 * contacts),
            sorted=max(count_s, 4 * contacts), pairs=8 * contacts,
            near_work=(1, NEAR_WORK), found=(MOST_TOUCHES, TOUCH), meetings=(contacts, MEETING),
            fresh=(contacts, CONTACT),
            rows=2 * widest * contacts, near=count, island=count, members=count, offset=count,
            islands=(count, ISLAND), listing=contacts, node=count,
            z=width, trial=width, left=width, change=width, nodes=(nodes, NODE),
            ties=nodes * words_for(nodes), order=nodes, columns=(columns, COLUMN), panels=panels,
            history=WINDOW, velocity=width, held=int(movers.held.max(initial=0)), point=3,
            axes=(3, 3), free=3, power=(1, POWER),
        )  # fmt: skip
        packing = Packing(
            WORLD, h=self._h, gravity=self.gravity, width=width,
            touch=address_of(touch, TOUCH_SHAPES), materials=parts.materials,
            sleeping=int(self.sleeping),
            work=spans,
        )  # fmt: skip
        packing.add("movers", movers)
        packing.add("carriers", parts.carriers)
        packing.add("machines", self._machines())
        packing.add("shapes", parts.shapes)
        packing.add("joined", parts.joined)
        packing.add("pairs", parts.pairs)
        packing.add(
            "apart", np.array(sorted(a * bodies + b for a, b in parts.apart), dtype=np.int64)
        )
        self.world, self.work = packing.buffer(), np.zeros(scratch.size)
        self.contacts_at_most = contacts

    def _grow(self) -> None:
        """Memory for twice as many contacts."""
        self._make_room(2 * self.contacts_at_most)

    def _make_room(self, contacts: int) -> None:
        """Memory for so many contacts."""
        before, loose, known, joined = self.moment, self.loose, self.contacts, self.joined
        self.state = self._new_state(contacts)
        _copy_moment(before, self.moment)
        self.loose[:] = loose
        self.joined[:] = joined
        self._set_contacts(known)
        self._pack(contacts)

    def _set_contacts(self, contacts: Records) -> None:
        records(self.state, self.moment.known, CONTACT)[: len(contacts)] = contacts
        self.moment.contacts = len(contacts)

    def go_on_from(self, before: WorldEngine, shapes: list[int], joined: list[int]) -> None:
        """Take over time, ledger, contacts and joints of an engine with other members.

        `shapes`, `joined`: what number each of its shapes and places of joints has here; -1 if that
        is gone.
        """
        _copy_moment(before.moment, self.moment)
        for each, here in zip(before.joined, joined, strict=True):
            if here >= 0:
                self.joined[here] = each
        known = [each.copy() for each in before.contacts]
        kept = [each for each in known if min(shapes[each.touch.a], shapes[each.touch.b]) >= 0]
        for each in kept:
            each.touch.a, each.touch.b = shapes[each.touch.a], shapes[each.touch.b]
        kept.sort(key=lambda each: (int(each.touch.a), int(each.touch.b)))
        while len(kept) > self.contacts_at_most:
            self._make_room(2 * self.contacts_at_most)
        self._set_contacts(as_records(kept, CONTACT))

    def set_state(self, state: Floats) -> None:
        """Go back to a copy of `state`, whatever number of contacts it had memory for."""
        at = header(state, WORLD_STATE)
        if at.known[1] > self.contacts_at_most:
            self._make_room(int(at.known[1]))
        if at.known[1] == self.contacts_at_most:
            self.state[:] = state
            return
        _copy_moment(at, self.moment)
        self.loose[:] = records(state, at.loose, LOOSE)
        self.joined[:] = records(state, at.joined, JOINED_STATE)
        self._set_contacts(records(state, at.known, CONTACT)[: at.contacts])

    # -------------------------------------------------------------------- motion

    @property
    def loose(self) -> Records:
        """LOOSE records of the loose bodies now."""
        return records(self.state, header(self.state, WORLD_STATE).loose, LOOSE)

    @property
    def joined(self) -> Records:
        """JOINED_STATE of all places of joints."""
        return records(self.state, header(self.state, WORLD_STATE).joined, JOINED_STATE)

    @property
    def contacts(self) -> Records:
        """CONTACT records that the last step left behind."""
        moment = header(self.state, WORLD_STATE)
        return records(self.state, moment.known, CONTACT)[: moment.contacts]

    @property
    def moment(self) -> Record:
        """WORLD_STATE."""
        return header(self.state, WORLD_STATE)

    def step_in_parts(self, parts: int) -> int:
        """Make one step as so many shorter ones; as `go`."""
        self._set_h(self.step / parts)
        status = self.go(parts)
        self._set_h(self.step)
        for run in (self.moment, *(header(engine.state, RUN) for engine, _ in self.parts.engines)):
            run.steps -= parts - 1
        return status

    def _set_h(self, h: float) -> None:
        self._h = header(self.world, WORLD).h = h

    def failed_pair(self, status: int) -> tuple[int, int]:
        """The shapes whose contact a status tells of."""
        meetings = records(self.work, header(self.world, WORLD).work.meetings, MEETING)
        touch = meetings[int(status) // STATUSES].touch
        return int(touch.a), int(touch.b)

    def deep_pairs(self, share: float) -> list[tuple[int, int, float, float]]:
        """Pairs of shapes that are deeper in each other than a share of the smaller one's size.

        Each with the depth and that size [m].
        """
        while self._run(0) % STATUSES == DynamicsStatus.FULL:
            self._grow()
        meetings = records(self.work, header(self.world, WORLD).work.meetings, MEETING)
        found = []
        for each in meetings[: self.moment.near].touch:
            size = 2.0 * float(self.parts.shapes.radius[[each.a, each.b]].min())
            if each.depth > share * size:
                found.append((int(each.a), int(each.b), float(each.depth), size))
        return found

    def _run(self, steps: int) -> int:
        machines = records(self.world, header(self.world, WORLD).machines, MACHINE)
        for record, (engine, _) in zip(machines, self.parts.engines, strict=True):
            record.pulls = engine.flat_pulls.ctypes.data, engine.flat_pulls.size  # others by now
        return int(stepping.run(self.world, self.state, self.work, self.parts.solids, steps))

    def loose_energies(self) -> tuple[float, float]:
        """Kinetic and potential energy of all loose bodies [J]."""
        found = [loose_energy(body, self.gravity) for body in as_argument(self.loose)]
        return sum(each[0] for each in found), sum(each[1] for each in found)

    def go(self, steps: int) -> int:
        """Make steps: 0, or the status of the one that failed, all before it being made."""
        left, end = steps, int(self.moment.steps) + steps
        while left > 0:
            status = self._run(left)
            left = end - int(self.moment.steps)
            if status % STATUSES != DynamicsStatus.FULL:
                return status
            self._grow()
        return 0


def _copy_moment(before: Record, after: Record) -> None:
    """Time, ledger and counts of a WORLD_STATE; its parts stay where they are."""
    after.steps, after.contacts, after.failed = before.steps, before.contacts, before.failed
    after.iterations, after.work = before.iterations, before.work
    after.iterated, after.unsettled, after.worst = before.iterated, before.unsettled, before.worst


def held_by(engine: IntegratedMotion) -> int:
    """Most rows that loops and drives of a machine can hold."""
    if isinstance(engine, ConstrainedMotion):
        return int(engine.velocities.size)
    return len(engine.model.rows)
