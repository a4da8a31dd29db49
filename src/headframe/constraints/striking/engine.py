"""A world that sequential impulses move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from ...checks import number, whole
from ...dynamics import WorldEngine, WorldParts
from ...dynamics.kernels import MACHINE, MOVER, MoverKind
from ...jit import Packing, Records, Scratch, address_of, header, matrix, new_records, records
from ...mechanism import Floats
from ...spatial import compose
from . import stepping
from .calls import SIGNATURES, STRIKE_CALLS
from .records import MOVING, STRIKE, STRIKING, STRUCK

LOOSE_WIDTH = 6  # velocities of a loose body
SLOP = 1e-6  # [m] of indentation that is left


@dataclass(frozen=True)
class Strikable:
    """What a world of impulses needs of a machine's engine.

    Attributes:
        calls: STRIKE_CALLS.
        model, state, drives, work: its buffers.
        pulls: gives its PULL records, as its kernels take them.
        v, push: velocities and pseudo-velocities, in pieces of `wide`.
        origin: of its coordinates, in those of `DynamicsModel.near` [m], (3,).
    """

    calls: Floats
    model: Floats
    state: Floats
    drives: Floats
    work: Floats
    pulls: Callable[[], Records]
    v: Floats
    push: Floats
    wide: int
    origin: Floats


def calls_to(kernels: ModuleType) -> Floats:
    """STRIKE_CALLS of a formulation's kernels."""
    found = {name: address_of(getattr(kernels, name), kind) for name, kind in SIGNATURES.items()}
    return Packing(STRIKE_CALLS, **found).buffer()


class ImpulseWorld(WorldEngine):
    """A world in motion by sequential impulses.

    Contacts are rigid: materials give restitution and friction, no stiffness. Every machine's
    engine has a method `strikable`.
    """

    def __init__(
        self,
        parts: WorldParts,
        step: float,
        gravity: Floats,
        tolerance: float = 1e-6,
        iterations: int = 200,
        beta: float = 0.2,
    ) -> None:
        """Begin where the parts are; no contact is remembered.

        Args:
            parts: what it is made of.
            step: [s].
            gravity: (3,) [m/s^2].
            tolerance: change of an impulse below which a sweep is the last [N s, N m s].
            iterations: most sweeps a step.
            beta: part of an indentation that is taken back in a step, 0 < beta <= 1.

        Raises:
            StateError: an option that is none of these.
        """
        self._settings = {
            "tolerance": number("tolerance", tolerance, above=0.0),
            "iterations": whole("iterations", iterations),
            "beta": number("beta", beta, above=0.0, most=1.0),
            "slop": SLOP,
        }
        self._struck = [(engine.strikable(), X_WO) for engine, X_WO in parts.engines]
        self._pulls: list[Records] = []  # as the kernels have them
        super().__init__(parts, step, gravity, sleeping=False)

    def _touch_calls(self, engine: object) -> Floats:
        return np.zeros(0)

    def _movers(self) -> Records:
        found, wide = new_records(len(self.parts.loose) + len(self._struck), MOVER), self._widths()
        for n, mover in enumerate(found):
            of_machines = n - len(self.parts.loose)
            mover.kind, mover.number = MoverKind.LOOSE, n
            if of_machines >= 0:
                mover.kind, mover.number = MoverKind.MACHINE, of_machines
            mover.width = mover.held = wide[n]  # rows J and, as wide, Y
            own = np.flatnonzero(self.parts.carriers.mover == n)
            mover.body = own[0] if own.size else -1
        return found

    def _widths(self) -> list[int]:
        """Velocities that a contact's rows are over, of every mover."""
        return [LOOSE_WIDTH] * len(self.parts.loose) + [one.wide for one, _ in self._struck]

    def _machines(self) -> Records:
        return new_records(0, MACHINE)  # STRUCK takes its place

    def _pack(self, contacts: int) -> None:
        """Model and scratch memory for so many contacts; what impulses need is behind it."""
        super()._pack(contacts)
        scratch, loose = Scratch(), len(self.parts.loose)
        scratch.size = self.work.size
        spans = scratch.spans(
            STRIKING["work"], strikes=(contacts, STRIKE),
            struck=loose + len(self._struck), v=(loose, LOOSE_WIDTH), push=(loose, LOOSE_WIDTH),
            point=3, axes=(3, 3), pose=(3, 4), motion=6,
        )  # fmt: skip
        self.work = np.zeros(scratch.size)
        packing = Packing(STRIKING, work=spans, **self._settings)
        packing.add("machines", self._struck_records())
        packing.add("moving", self._moving(spans))
        self.own = packing.buffer()

    def _struck_records(self) -> Records:
        found = new_records(len(self._struck), STRUCK)
        for record, (one, X_WO) in zip(found, self._struck, strict=True):
            record.X_WO = (X_WO @ compose(np.eye(3), one.origin))[:3]
            for name in ("calls", "model", "state", "drives", "work"):
                record[name] = _at(getattr(one, name))
        return found

    def _moving(self, spans: Records) -> Records:
        """Where the velocities of all movers are."""
        found, loose = new_records(len(self._widths()), MOVING), len(self.parts.loose)
        v, push = (matrix(self.work, spans[name]) for name in ("v", "push"))
        for n, record in enumerate(found):
            one = self._struck[n - loose][0] if n >= loose else None
            record.wide = one.wide if one else LOOSE_WIDTH
            record.v, record.push = _at(one.v if one else v[n]), _at(one.push if one else push[n])
        return found

    def _run(self, steps: int) -> int:
        self._pulls = [one.pulls() for one, _ in self._struck]
        machines = records(self.own, header(self.own, STRIKING).machines, STRUCK)
        for record, pulls in zip(machines, self._pulls, strict=True):
            record.pulls = _at(pulls.view(np.float64))
        return int(
            stepping.run(self.world, self.own, self.state, self.work, self.parts.solids, steps)
        )


def _at(array: Floats) -> tuple[int, int]:
    """Address and size of an array."""
    return array.ctypes.data, array.size
