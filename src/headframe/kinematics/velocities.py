"""How fast everything moves when cylinders change their length and servos turn: Jacobians.

A machine has as many inputs as redundant groups of cylinders and servos: the length of a group's
first member stands for it, and for a servo the position of its joint (`Robot.inputs`). All rates
here are per metre of one such length, or per radian or metre of one such position, with the other
inputs locked, every loop kept closed and the joints that motors spin held still.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..errors import SingularityError
from ..mechanism import Floats, Mechanism, State, constraint_jacobian, pin_of, solve
from ..spatial import skew

RANK = 1e-9  # part of the largest singular value below which one is 0
LEVER = 1e-6  # length [m] per motion [rad, m] below which a cylinder does not move its machine
NEARBY = 1e-3  # distance [rad, m] of the pose in which the freedoms of loops are counted again


@dataclass(frozen=True, eq=False)
class Rates:
    """Derivatives of a state with respect to the inputs, per metre or radian of each.

    Attributes:
        positions: of the joint velocities [rad, m], (nv, n_inputs).
        lengths: of all actuators' lengths [m], (n_actuators, n_inputs).
        bodies: twists of the bodies, angular first [rad, m], at the world's origin in world
            axes, (nbody, 6, n_inputs).
    """

    positions: Floats
    lengths: Floats
    bodies: Floats


def rates(state: State) -> Rates:
    """All rates of a state, found once and kept with it, since a state never changes.

    Raises:
        SingularityError: a length that cannot set the motion.
    """
    kept: Rates | None = vars(state).get("_rates")
    if kept is None:
        servos = state.mechanism.servos
        dq_dl = servos.rates(state.mechanism.nv) if _open(state) else _least_motion(state)
        dl_dl = constraint_jacobian(state, state.mechanism.length_rows) @ dq_dl
        kept = Rates(dq_dl, dl_dl, _body_rates(state, dq_dl))
        for part in (kept.positions, kept.lengths, kept.bodies):
            part.flags.writeable = False
        vars(state)["_rates"] = kept
    return kept


def position_rates(state: State) -> Floats:
    """dq_dl, (nv, n_inputs): joint velocities per metre or radian of each input.

    Freedoms that nothing drives rest.

    Raises:
        SingularityError: a length that cannot set the motion.
    """
    return rates(state).positions


def jacobian(state: State, link: str) -> Floats:
    """Twist of a link per metre or radian of each input, (6, n_inputs).

    Angular first [rad, m], at the link's origin, in world axes. A tube or a rod moves as the
    frame that `State.pose` gives it: its origin is a mount, its x looks at the other one.

    Raises:
        UnknownElementError: no link of that name.
        SingularityError: a length that cannot set the motion.
    """
    mechanism = state.mechanism
    X_WL = state.pose(link)
    if link in mechanism.body_of_link:
        return _shifted(rates(state).bodies[mechanism.body_of_link[link]], X_WL[:3, 3])
    return _cylinder_rate(state, link, X_WL)


# ------------------------------------------------------------------- joints


def _open(state: State) -> bool:
    """Whether servos alone move the machine, and no loop has to stay closed."""
    m = state.mechanism
    return not len(m.length_rows) and len(m.closing_rows) == len(m.servos.followers)


def _least_motion(state: State) -> Floats:
    """dq_dl, (nv, n_inputs), by two singular value decompositions.

    With the closing equations C v = 0 of the loops and the rates L v of the inputs, which are the
    first members' lengths and the servos' joints, v = N w with N a basis of C's null space: planar
    loops written in three dimensions have more equations than they need, which the rank of C takes
    care of. L N = U S V^T then gives v = N V S^-1 U^T dl/dt, of all motions the one of least norm,
    so that what nothing drives rests. A vanishing value in S is a dead centre: its column of U is
    the combination of inputs that no motion changes.
    """
    m = state.mechanism
    N = loop_motions(state)
    U, S, Vt = np.linalg.svd(input_jacobian(state) @ N)
    count = len(m.leaders)
    lever = np.zeros(count)
    lever[: S.size] = S
    if count and lever[-1] < LEVER:
        worst = int(np.argmax(np.abs(U[:, -1])))
        rate = f"{lever[-1]:.1g} {m.robot.inputs[worst].unit} per rad of motion"
        why = f"it changes by {rate}, expected more than {LEVER:g}"
        raise _singular(m, worst, why)
    dq_dl: Floats = N @ Vt[:count].T @ (U / lever).T
    _check_branches(state, N, N @ Vt[count:].T, dq_dl)
    return dq_dl


def input_jacobian(state: State) -> Floats:
    """Rates of the inputs per joint velocity, loops left aside, (n_inputs, nv)."""
    m = state.mechanism
    lengths = constraint_jacobian(state, m.length_rows[m.first_members])
    return np.vstack([lengths, np.eye(m.nv)[m.servos.velocities]])


def loop_motions(state: State) -> Floats:
    """Orthonormal basis of the velocities that keep loops closed, spinning joints held, (nv, k)."""
    m = state.mechanism
    spinning = [m.robot.joints[j].name for j in sorted(m.topology.spinning)]
    held = [m.velocity_of_joint[name] for name in spinning if name in m.velocity_of_joint]
    C = np.vstack(
        [constraint_jacobian(state, m.closing_rows), *(np.eye(m.nv)[part] for part in held)]
    )
    _, singular, Vt = np.linalg.svd(C)
    rank = int(np.sum(singular > RANK * singular.max(initial=0.0)))
    return Vt[rank:].T


def _check_branches(state: State, motions: Floats, loose: Floats, dq_dl: Floats) -> None:
    """Refuse a pose in which loops can leave in more ways than they can a little further on.

    There branches of the motion cross, as those of a parallelogram laid flat, and lengths do not
    tell which is taken. `loose` (nv, k) are motions that change no first member's length: mostly
    freedoms that no cylinder drives, which have no joint in common with the driven ones. Where
    they have, the loops are closed once more nearby, and freedoms lost on the way show a crossing.
    """
    in_common = np.abs(dq_dl).T @ np.linalg.norm(loose, axis=1)
    if in_common.max(initial=0.0) < RANK:
        return
    m = state.mechanism
    hinged = np.concatenate([m.angles, m.slides])
    q = state.q.copy()
    q[hinged] += NEARBY * np.random.default_rng(0).uniform(-1.0, 1.0, hinged.size)
    near = solve(m, q)
    if near.solved and loop_motions(State(m, near.q)).shape[1] < motions.shape[1]:
        group = int(np.argmax(in_common))
        raise _singular(m, group, "branches of the motion cross in this pose")


def _singular(mechanism: Mechanism, number: int, why: str) -> SingularityError:
    robot, each = mechanism.robot, mechanism.robot.inputs[number]
    what = "the position of servo" if each.joint else "the length of actuator"
    group = "" if each.name == each.element else f" (group {each.name!r})"
    return SingularityError(
        f"{robot.name}: singular pose: {what} {each.element!r}{group} cannot set the motion: {why}",
        actuator=each.element,
    )


# -------------------------------------------------------------------- links


def _body_rates(state: State, dq_dl: Floats) -> Floats:
    """Twists of all bodies at the world's origin in world axes, (nbody, 6, n_inputs).

    A body's twist is the sum of those of the velocities that move it. `twists` gives them in the
    base's axes at the base's origin; with X_WB = (R, p) they are w_W = R w_B and
    v_W = R v_B + p x w_W in the world.
    """
    m = state.mechanism
    twists_B = m.twists(state.q)
    R_WB, p_WB = state.base[:3, :3], state.base[:3, 3]
    angular = twists_B[:, :3] @ R_WB.T
    linear = twists_B[:, 3:] @ R_WB.T + np.cross(p_WB, angular)
    twists_W = np.hstack([angular, linear])
    bodies: Floats = np.einsum("bv,vi,vg->big", m.moves.astype(float), twists_W, dq_dl)
    return bodies


def _shifted(twist: Floats, p: Floats) -> Floats:
    """Twists at the world's origin, (6, n), as seen at the point `p`: v_p = v_0 + w x p."""
    return np.vstack([twist[:3], twist[3:] - skew(p) @ twist[:3]])


def _cylinder_rate(state: State, part: str, X_WL: Floats) -> Floats:
    """Twist of a tube or rod at its origin in world axes, (6, n_inputs)."""
    m, bodies = state.mechanism, rates(state).bodies
    number, end = next(
        (i, end)
        for i, actuator in enumerate(m.robot.actuators)
        for end, name in enumerate((actuator.tube, actuator.rod))
        if name == part
    )
    actuator = m.robot.actuators[number]
    parents = (actuator.tube_parent, actuator.rod_parent)
    mounts = [
        _shifted(bodies[m.body_of_link[parent]], point)[3:]
        for parent, point in zip(parents, state.mounts[number], strict=True)
    ]
    pin = state.pin(actuator)
    turns_with, _ = pin_of(m, actuator)
    pin_rate = -skew(pin) @ bodies[m.body_of_link[turns_with], :3]
    apart = mounts[1 - end] - mounts[end]
    angular = look_at_rate(X_WL[:3, :3], float(state.lengths[number]), pin, apart, pin_rate)
    return np.vstack([angular, mounts[end]])


def look_at_rate(
    R_WL: Floats, distance: float, pin: Floats, apart: Floats, pin_rate: Floats
) -> Floats:
    """Angular velocity of a `look_at` frame in world axes, (3, n).

    With d the vector to the other mount, x = d / |d| and z = m / |m|, m = pin - (pin . x) x:

        dx = (1 - x x^T) dd / |d|,      y . dz = y . dm / |m| = y . (dpin - (pin . x) dx) / |m|.

    From dx = w x x the part of w across x is x cross dx; from dz = w x z its part along x is
    -y . dz. Where the pin lies along the cylinder, `look_at` puts a fixed axis of the world in
    its place, which does not move.

    Args:
        R_WL: the frame in the world, (3, 3).
        distance: |d| [m]; the frame of a cylinder of no length does not turn.
        pin: direction of the pin in world axes, (3,).
        apart: velocity of the other mount less that of the own, in world axes, (3, n).
        pin_rate: velocity of the pin's direction in world axes, (3, n).
    """
    x, y, z = R_WL.T
    dx = (apart - np.outer(x, x @ apart)) / distance if distance > 0 else np.zeros_like(apart)
    if np.linalg.norm(pin - (pin @ x) * x) < 1e-6:
        pin, pin_rate = np.eye(3)[int(np.argmin(np.abs(x)))], np.zeros_like(pin_rate)
    spin = -y @ (pin_rate - (pin @ x) * dx) / (pin @ z)
    angular: Floats = skew(x) @ dx + np.outer(x, spin)
    return angular
