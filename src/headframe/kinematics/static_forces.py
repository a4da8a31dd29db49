"""Forces of the cylinders and servos that hold a machine still, by virtual work."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from ..checks import mapping, number, vector
from ..description import Actuator, Robot
from ..mechanism import Floats, State
from .velocities import jacobian, rates

STILL = 1e-9  # part of the first member's motion below which another member does not move


def statics(
    state: State, wrenches: Mapping[str, ArrayLike] | None = None, gravity: float = 9.81
) -> Floats:
    """Forces of all drives that hold the machine still, (n_drives,); positive pushes.

    Those of actuators [N] come first, then torques [N m] of servos, or forces [N] of slides. For a
    small change of the input g, drives and loads together do no work: F_g + sum over loads of
    J_link[:, g] . wrench = 0. Loads are the given wrenches, the weight of every link that has a
    mass, tubes and rods among them, and the pull of springs. Joints that motors spin are held by
    their motors. Within a group members share F_g at equal pressure, see `share`.

    Args:
        state: where the machine stands.
        wrenches: by link, torque [N m] then force [N] on it, at its origin in world axes, (6,).
        gravity: its strength [m/s^2], along the world's -z, or -y if the machine's `up_axis` is y.

    Raises:
        UnknownElementError: a wrench on a link that the machine does not have.
        StateError: a wrench that is no six finite numbers, or gravity that is not finite.
        SingularityError: a length that cannot set the motion.
    """
    robot = state.mechanism.robot
    work = np.zeros(len(robot.inputs))
    given = mapping("wrenches", wrenches, "six numbers")
    strength = number("gravity", gravity, unit="m/s^2")
    loads = chain(_given(robot, given), _weights(state, strength), _springs(state))
    for link, wrench in loads:
        work += jacobian(state, link).T @ wrench
    groups = len(robot.groups)
    forces = share(robot, rates(state).lengths[:, :groups], -work[:groups])
    # a servo may move cylinders' mounts: what these then do is not the servo's to do
    passed = rates(state).lengths[:, groups:].T @ forces
    return np.concatenate([forces, -work[groups:] - passed])


# -------------------------------------------------------------------- loads
# Each gives pairs of a link's name and a wrench on it, (6,): torque [N m] first, at the link's
# origin in world axes.


def _given(robot: Robot, wrenches: Mapping[str, ArrayLike]) -> Iterator[tuple[str, Floats]]:
    for name, wrench in wrenches.items():
        link = robot.link(name).name
        yield link, vector(f"wrench on link {name!r}", wrench, 6, "N m, then N")


def _weights(state: State, strength: float) -> Iterator[tuple[str, Floats]]:
    """Links without an inertial weigh nothing."""
    robot = state.mechanism.robot
    for link in robot.links:
        if link.inertial is not None:
            weight = -link.inertial.mass * strength * robot.up
            arm = state.pose(link.name)[:3, :3] @ link.inertial.com
            yield link.name, np.concatenate([np.cross(arm, weight), weight])


def _springs(state: State) -> Iterator[tuple[str, Floats]]:
    """A spring longer than at rest pulls its ends together with stiffness (length - rest).

    Dampers do nothing at rest, nor does a spring of no length, which has no direction.
    """
    for spring in state.mechanism.robot.springs:
        ends = ((spring.link_a, spring.point_a), (spring.link_b, spring.point_b))
        arms = [state.pose(link)[:3, :3] @ point for link, point in ends]
        a, b = (state.pose(link)[:3, 3] + arm for (link, _), arm in zip(ends, arms, strict=True))
        length = float(np.linalg.norm(b - a))
        if length > 0.0:
            pull_on_a = spring.stiffness * (length - spring.rest_length) * (b - a) / length
            for (link, _), arm, pull in zip(ends, arms, (pull_on_a, -pull_on_a), strict=True):
                yield link, np.concatenate([np.cross(arm, pull), pull])


# ------------------------------------------------------------------ sharing


def share(robot: Robot, dl_dl: Floats, totals: Floats) -> Floats:
    """Forces of all actuators [N], (n_actuators,), of which C^T f = F.

    C = `dl_dl` (n_actuators, n_groups) has the length of every actuator per length of every
    group's first member, F = `totals` (n_groups,) [N] is what each group must do as if its first
    member did it alone. Within a group forces keep a fixed ratio, f = S p, so that
    p = (C^T S)^-1 F; mostly no group moves another's members, and that is one division each.
    The area on which pressure acts depends on who pushes, and that on the sign of p.
    """
    positive = totals >= 0.0
    forces = np.zeros(len(robot.actuators))
    for _ in range(len(robot.groups) + 1):
        S = _ratios(robot, dl_dl, positive)
        p = np.linalg.solve(dl_dl.T @ S, totals)
        forces = S @ p
        if np.array_equal(p >= 0.0, positive):
            break
        positive = p >= 0.0
    return forces


def _ratios(robot: Robot, dl_dl: Floats, positive: np.ndarray) -> Floats:
    """S (n_actuators, n_groups): forces of a group's members at p = 1.

    With c the rate of a member's length: equal pressure on each member's area, f = p sign(c) A,
    where all bores are known, p in pascal; else the least sum of squares, f = p c, p in newton.
    """
    S = np.zeros_like(dl_dl)
    for group, numbers in enumerate(robot.groups):
        members = [robot.actuators[i] for i in numbers]
        c = dl_dl[list(numbers), group]
        if any(member.bore is None for member in members):
            S[list(numbers), group] = c
            continue
        sense = np.where(np.abs(c) > STILL, np.sign(c), 0.0)
        pushes = sense > 0.0 if positive[group] else sense < 0.0
        areas = [area(member, bool(out)) for member, out in zip(members, pushes, strict=True)]
        S[list(numbers), group] = sense * areas
    return S


def area(actuator: Actuator, pushes: bool) -> float:
    """Area on which the pressure acts [m^2]: the bore's, or if it pulls, the ring's about the rod.

    Where the rod's diameter is not known, the bore's for both.
    """
    bore = actuator.bore or 0.0
    rod = 0.0 if pushes else actuator.rod_diameter or 0.0
    return math.pi / 4 * (bore**2 - rod**2)
