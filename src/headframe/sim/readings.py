"""What a simulation tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class JointReading:
    """A joint now: numbers, or arrays for joints of several freedoms [rad, m; rad/s, m/s]."""

    position: Any
    velocity: Any


@dataclass(frozen=True)
class CylinderReading:
    """A cylinder now.

    Attributes:
        length: [m].
        speed: [m/s], positive extends.
        force: with which its group pushes along the first member [N]; for a guided or locked one
            the reaction that this takes, stops included.
        mode: its command.
        stop: "lower" or "upper" while it rests against that stop, else empty.
    """

    length: float
    speed: float
    force: float
    mode: str
    stop: str


@dataclass(frozen=True)
class Energy:
    """Energies now, and where energy came from and went since the start [J].

    Attributes:
        kinetic, potential, springs: now.
        drives: done by cylinders and motors.
        dampers: taken by damping and dry friction, not positive.
        pulls: done by external forces.
        stops: taken by impacts at end stops, not positive.
        joints: done by what holds joints and loops together; 0 where they hold exactly.
        contacts: done by what it touches, in a world.
        numerical: lost by steps with contacts, which are implicit, in a world; not positive. With
            impulses what weights do beside the mean velocity of a step; of either sign.
        start: total at the start.
    """

    kinetic: float
    potential: float
    springs: float
    drives: float
    dampers: float
    pulls: float
    stops: float
    joints: float
    contacts: float
    numerical: float
    start: float

    @property
    def total(self) -> float:
        """Kinetic, potential and springs' [J]."""
        return self.kinetic + self.potential + self.springs

    @property
    def balance(self) -> float:
        """What the ledger does not explain of the change since the start [J]: 0 if all is exact."""
        done = self.drives + self.dampers + self.pulls + self.stops + self.joints
        done += self.contacts + self.numerical
        return self.total - self.start - done
