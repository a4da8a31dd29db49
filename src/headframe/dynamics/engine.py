"""What every formulation offers to those who let a machine move: one contract for all engines."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from ..jit import Records
from ..mechanism import Floats


class Energies(NamedTuple):
    """Of a machine now [J]."""

    kinetic: float
    potential: float
    springs: float


class Work(NamedTuple):
    """What was done to a machine since its start [J]."""

    drives: float
    dampers: float
    pulls: float  # external forces
    stops: float
    joints: float  # what held joints together, where these are not exact


class Engine(Protocol):
    """A machine in motion by some formulation.

    Positions and velocities are those of the spanning tree, whatever the formulation's own
    coordinates are.

    Attributes:
        drives: DRIVE records of the model's rows: commands, and what became of them.
        pulls: PULL records: external forces from now on.
        by_lengths: whether lengths of cylinders are its coordinates.
    """

    drives: Records
    pulls: Records
    by_lengths: bool

    @property
    def time(self) -> float:
        """Since the start [s]."""

    @property
    def q(self) -> Floats:
        """Positions of the tree, (nq,)."""

    @property
    def v(self) -> Floats:
        """Velocities of the tree, (nv,)."""

    def set_state(self, q: Floats, v: Floats) -> None:
        """Begin at positions and velocities of the tree; those that loops decide follow."""

    def run(self, steps: int) -> None:
        """Make so many steps; DynamicsError if one cannot be made, the state being as before it."""

    def save(self) -> object:
        """All that decides how the motion goes on, bit for bit."""

    def restore(self, saved: object) -> None:
        """Back to what `save` gave."""

    def poses(self) -> Floats:
        """X_base_link of all links, in the order of the file, (n_links, 4, 4)."""

    def energy(self) -> Energies:
        """Energies now."""

    def work_done(self) -> Work:
        """What was done since the start."""

    def position_error(self) -> float:
        """How far the loop or joint that is open the widest is open [m, rad]."""

    @property
    def iterations(self) -> float:
        """Iterations a step, in the mean; 0 for formulations that need none."""
