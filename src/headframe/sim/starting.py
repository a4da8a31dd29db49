"""How a simulation starts: velocities given by name, and the integrator that its dampers allow.

Of velocities by name, what loops decide follows from what is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..checks import number
from ..dynamics import SAME, DynamicsModel, crba, loop_jacobian
from ..errors import StateError, UnknownElementError
from ..mechanism import Floats, checked_vector

DEFAULT = "rk4"
STABLE = 2.0  # step times rate up to which that is stable, with room for other poses
MOST_TOLD = 6  # velocities that a message repeats
FITS = 1e-9  # [m/s, rad/s] by which given velocities may miss what loops allow


def integrator_for(model: DynamicsModel, step: float) -> str:
    """The default integrator: "rk4", or "implicit" where a damper is faster than the step.

    Without other forces a damped machine follows M vdot = -D v, which dies away at the rates
    lambda of D x = lambda M x, of motions x that the loops allow. The classical Runge-Kutta method
    is stable up to h lambda = 2.785; beyond, the motion explodes. Robots from URDF files often have
    dampers of 1 N m s on wrists of 1e-4 kg m2.
    """
    tree, damping = model.tree, model.damping
    if not damping.any():
        return DEFAULT
    from scipy.linalg import eigh, null_space

    q = tree.positions(model.home)
    J = loop_jacobian(tree, q)
    free = null_space(J, rcond=SAME) if len(J) else np.eye(tree.nv)
    M = free.T @ crba(tree.mechanism, q) @ free
    D = free.T @ (damping[:, None] * free)
    try:
        fastest = eigh(D, M, eigvals_only=True)[-1]
    except np.linalg.LinAlgError:  # motions without inertia, which the formulation complains about
        return DEFAULT
    return DEFAULT if step * fastest < STABLE else "implicit"


def start_velocity(model: DynamicsModel, q: Floats, given: object) -> Floats:
    """Velocities of the tree to start with, (nv,).

    Args:
        model: what moves.
        q: where it starts, of the tree.
        given: None for rest; all velocities of the tree, (nv,); or some of them by name.
    """
    if given is None:
        return np.zeros(model.tree.nv)
    if isinstance(given, Mapping):
        return _from_names(model, q, given)
    return checked_vector(given, model.tree.nv, "velocity")


def _from_names(model: DynamicsModel, q: Floats, given: Mapping[Any, Any]) -> Floats:
    """The slowest motion that has the given velocities and keeps the loops closed.

    Drives that are not named are slowed down first, so that they rest if they can; then all else.
    """
    parts = _parts(model)
    rows: list[int] = []
    values: list[float] = []
    for name, value in given.items():
        if not isinstance(name, str) or name not in parts:
            raise UnknownElementError("cylinder, group, motor or movable joint", name, parts)
        part, what = parts[name], f"velocity of {name!r}"
        one = len(part) == 1 and not isinstance(value, list | tuple | np.ndarray)
        rows += part
        values += [number(what, value)] if one else checked_vector(value, len(part), what).tolist()
    J = loop_jacobian(model.tree, q)
    exact = np.vstack([J, np.eye(model.tree.nv)[rows]])
    wanted = np.concatenate([np.zeros(len(J)), values])
    drives = [row.velocity for row in model.rows if row.velocity not in rows]
    v = _slowest(exact, wanted, drives)
    if not _fits(v, rows, values):
        names = [name for name in given for _ in parts[name]]
        raise StateError(_contradiction(J, names, rows, values))
    return v


def _fits(v: Floats, rows: list[int], values: list[float]) -> bool:
    """Whether a motion has the velocities that were given."""
    missed = np.abs(v[rows] - values)
    return bool(missed.max(initial=0.0) <= FITS * np.abs(values).max(initial=1.0))


def _contradiction(J: Floats, names: list[str], rows: list[int], values: list[float]) -> str:
    """Which of the given velocities contradict each other, and what the loops would allow.

    Velocities are left out one by one as long as those that are left contradict each other. Then
    each of these follows from the others.
    """
    kept = list(range(len(rows)))
    for n in range(len(rows)):
        fewer = [k for k in kept if k != n]
        v = _nearest(J, [rows[k] for k in fewer], [values[k] for k in fewer])
        if not _fits(v, [rows[k] for k in fewer], [values[k] for k in fewer]):
            kept = fewer
    allowed = []
    for n in kept:
        others = [k for k in kept if k != n]
        v = _nearest(J, [rows[k] for k in others], [values[k] for k in others])
        allowed.append(f"{names[n]!r}: {v[rows[n]] + 0.0:.6g}")
    if len(kept) == 1:
        n = kept[0]
        return f"velocity of {names[n]!r}: found {values[n]:g}, expected 0: its loops hold it still"
    found = ", ".join(f"{names[n]!r}: {values[n]:g}" for n in kept[:MOST_TOLD])
    more = f" and {len(kept) - MOST_TOLD} more" if len(kept) > MOST_TOLD else ""
    return (
        f"velocity: found {found}{more}, which contradict each other; as the others are given, the "
        f"loops allow only {', or '.join(allowed[:MOST_TOLD])}"
    )


def _nearest(J: Floats, rows: list[int], values: list[float]) -> Floats:
    """The least motion that has given velocities and closed loops, as nearly as can be."""
    A = np.vstack([J, np.eye(J.shape[1])[rows]])
    b = np.concatenate([np.zeros(len(J)), values])
    return np.asarray(np.linalg.lstsq(A, b, rcond=SAME)[0], dtype=np.float64)


def _slowest(A: Floats, b: Floats, first: list[int]) -> Floats:
    """Of all v with A v = b, as nearly as can be, those of least |v[first]|; of these the least."""
    from scipy.linalg import null_space

    v = np.asarray(np.linalg.lstsq(A, b, rcond=SAME)[0], dtype=np.float64)
    free = null_space(A, rcond=SAME)
    for chosen in (first, list(range(v.size))):
        if free.shape[1] and chosen:
            v = v - free @ np.linalg.lstsq(free[chosen], v[chosen], rcond=SAME)[0]
            free = free @ null_space(free[chosen], rcond=SAME)
    return v


def _parts(model: DynamicsModel) -> dict[str, list[int]]:
    """Places in the tree's velocities of joints, cylinders, groups and motors, by name."""
    tree, robot = model.tree, model.tree.mechanism.robot
    parts = {
        name: list(range(part.start, part.stop))
        for name, part in tree.mechanism.velocity_of_joint.items()
        if part.stop > part.start
    }
    parts |= {
        motor.name: parts[motor.joint] for motor in robot.joint_drives if motor.joint in parts
    }
    parts |= {row.name: [row.velocity] for row in model.rows}
    for cylinder in tree.cylinders:
        parts[robot.actuators[cylinder.actuator].name] = [cylinder.length_velocity]
    return parts
