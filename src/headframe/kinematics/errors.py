"""What a status of a kernel of kinematics says to people, and about which cylinder or link."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import LengthError, PartnerError, SingularityError, StateError
from ..jit import header, numbers
from ..mechanism import Floats, State
from .forward import block_solving as kernels
from .forward.status import STATUSES
from .records import LINKAGE

if TYPE_CHECKING:
    from .model import Kinematics


def error_of(kinematics: Kinematics, status: int, wanted: Floats) -> Exception:
    """The error that a status of forward kinematics stands for; lengths [m] as they were wanted."""
    code, act = status % STATUSES, status // STATUSES
    found = float(wanted[act])
    if code == kernels.NOT_FINITE:
        return not_finite(kinematics, act, found)
    if code == kernels.OUT_OF_BOUNDS:
        return out_of_bounds(kinematics, act, found)
    if code in (kernels.DISAGREES, kernels.PARTNER_OUT):
        follows = float(State(kinematics.mechanism, _left_in(kinematics)).lengths[act])
        if code == kernels.DISAGREES:
            return disagrees(kinematics, act, found, follows)
        return partner_out(kinematics, act, follows, wanted)
    return _unreachable(kinematics, act, found)


def not_finite(kinematics: Kinematics, act: int, found: float) -> StateError:
    """Of a length that is infinite or no number."""
    return StateError(f"{_name(kinematics, act)!r}: found {found}, expected a finite length [m]")


def out_of_bounds(kinematics: Kinematics, act: int, found: float) -> LengthError:
    """Of a length [m] that its cylinder cannot have."""
    name, (low, high) = _name(kinematics, act), _bounds(kinematics, act)
    return LengthError(
        f"{name!r}: found {found:.9g} m, expected {low:.9g} to {high:.9g} m",
        name, found, (low, high),
    )  # fmt: skip


def disagrees(kinematics: Kinematics, act: int, found: float, follows: float) -> PartnerError:
    """Of a partner's length [m] that is not the one which follows."""
    name, leader = _name(kinematics, act), _name(kinematics, _leader(kinematics, act))
    return PartnerError(
        f"{name!r}: found {found:.9g} m, expected {follows:.9g} m, which follows from its partner "
        f"{leader!r}; set {leader!r} alone and the others follow",
        name, found, (follows, follows),
    )  # fmt: skip


def partner_out(
    kinematics: Kinematics, act: int, follows: float, wanted: Floats | None = None
) -> LengthError:
    """Of a partner that would leave its bounds, there or, if it would not there, on the way.

    `wanted` are the lengths that were asked for [m], if there was no way to them.
    """
    first, at = _leader(kinematics, act), ""
    name, leader = _name(kinematics, act), _name(kinematics, first)
    low, high = _bounds(kinematics, act)
    if wanted is not None:
        found = float(wanted[first])
        if low - kernels.SLACK <= follows <= high + kernels.SLACK:
            group = kinematics.group_of(first)
            low, high = (float(ends[group]) for ends in kinematics.usable)
            return LengthError(
                f"{leader!r}: found {found:.9g} m, but on the way there its partner {name!r} "
                f"leaves its bounds; expected {low:.9g} to {high:.9g} m",
                leader, found, (low, high),
            )  # fmt: skip
        at = f"with {leader!r} at {found:.9g} m "
    return LengthError(
        f"{name!r}: its length follows from its partner {leader!r}; {at}it would be "
        f"{follows:.9g} m, expected {low:.9g} to {high:.9g} m",
        name, follows, (low, high),
    )  # fmt: skip


def immovable(link: str, start: str = "this start") -> SingularityError:
    """Of a link where inverse kinematics has found no start."""
    return SingularityError(f"{link!r}: its cylinders cannot move it from {start}")


def _unreachable(kinematics: Kinematics, act: int, found: float) -> SingularityError:
    name = _name(kinematics, act)
    reach = kinematics.reach_of(kinematics.group_of(act))
    if reach is not None and reach.interval is not None:
        low, high = reach.interval
        return SingularityError(
            f"{name!r}: found {found:.9g} m, which lies beyond a dead centre; from here it "
            f"reaches {low:.9g} to {high:.9g} m",
            name, reach.interval,
        )  # fmt: skip
    return SingularityError(f"{name!r}: found {found:.9g} m, which cannot be reached", name)


def _left_in(kinematics: Kinematics) -> Floats:
    """Joint positions of the variables that the last call of the kernel has left behind."""
    theta = numbers(kinematics.work, header(kinematics.link, LINKAGE).work.theta)
    q = np.array(kinematics.home.q)
    kernels.joints(kinematics.link, theta, q)
    return q


def _name(kinematics: Kinematics, act: int) -> str:
    return kinematics.mechanism.robot.actuators[act].name


def _bounds(kinematics: Kinematics, act: int) -> tuple[float, float]:
    bounds = kinematics.mechanism.robot.actuators[act].bounds
    return bounds.lower, bounds.upper


def _leader(kinematics: Kinematics, act: int) -> int:
    """The actuator whose length an actuator's follows from, itself if it leads."""
    return int(kinematics.first_members[kinematics.group_of(act)])
