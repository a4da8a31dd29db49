"""Accelerations of rigid bodies that touch, with friction, by complementarity (4.2)-(4.4).

Contacts have normal rows N (k, n) and tangential rows T (k, n) over the bodies' n velocities, and
what their gaps and slips accelerate by without any acceleration of the bodies (a floor that moves,
curvature): g and s. With forces f on the bodies

    a = M^-1 (f + N^T l + T^T m),        gap'' = N a + g,        slip' = T a + s,

where gap'' >= 0, l >= 0 and one of them is 0. Of a contact that slides, m = -mu sign(slip) l, which
goes into the normal rows, D = N - mu sign(slip) T. Of one that does not, |m| <= mu l, and slip' is
0 unless m is at its limit against it: with m = p - q, both >= 0, and a bound r >= 0 of slip', the
unknowns are z = (l, p, q, r), and w = (gap'', slip' + r, r - slip', rest) follows:

    gap''     =  N M^-1 (D^T l + T^T (p - q)) + N M^-1 f + g
    slip' + r =  T M^-1 (D^T l + T^T (p - q)) + r + T M^-1 f + s
    r - slip' = -T M^-1 (D^T l + T^T (p - q)) + r - T M^-1 f - s
    rest      =  mu l - p - q.

Without sliding contacts z^T w - z^T const = |N^T l + T^T (p - q)|^2 + mu l r >= 0 in the metric of
M^-1: for such matrices pivots find an answer wherever there is one (Stewart and Trinkle, 1996). A
contact that slides can take that away: a rod that is pushed over a rough floor may jam.

Momenta M v + h f in place of f give velocities in place of accelerations and impulses in place of
forces: a step of rigid bodies whose impacts are plastic.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...checks import number, numbers, refuse, vector
from .complementarity import complementary

Floats = NDArray[np.float64]
ROUNDING = 1e-9  # of the largest force or acceleration: what counts as nothing


@dataclass(frozen=True)
class RigidMotion:
    """What rigid bodies that touch do.

    Attributes:
        accelerations: of the bodies, (n,).
        normal: forces of the contacts along their normals, (k,) [N].
        tangential: forces along their tangents, (k,) [N].
        gaps: accelerations of the gaps, (k,) [m/s^2].
        slips: accelerations along the tangents, (k,) [m/s^2].
        states: of every contact "apart", "sticks" or "slides".
    """

    accelerations: Floats
    normal: Floats
    tangential: Floats
    gaps: Floats
    slips: Floats
    states: tuple[str, ...]


def rigid_motion(
    mass: object, forces: object, normals: object, tangents: object, friction: object,
    slip: object = None, gap_drift: object = None, slip_drift: object = None,
) -> RigidMotion:  # fmt: skip
    """Accelerations of rigid bodies, and forces of their contacts.

    Args:
        mass: M, (n, n).
        forces: on the bodies, (n,).
        normals: N (k, n): how fast gaps open by velocities of the bodies.
        tangents: T (k, n): how fast contacts slip by them.
        friction: coefficients, (k,).
        slip: velocities with which they slip now, (k,) [m/s]; 0 if absent.
        gap_drift: g, (k,) [m/s^2]; 0 if absent.
        slip_drift: s, (k,) [m/s^2]; 0 if absent.

    Raises:
        StateError: an argument is not what it should be.
        DynamicsError: there is no such motion, or none that pivots lead to.
    """
    f = numbers("forces", forces)
    if f.ndim != 1:
        refuse("forces", forces, "a list of numbers")
    M, mu = numbers("mass", mass), numbers("friction", friction)
    n, k = len(f), mu.size
    if M.shape != (n, n) or not (np.linalg.eigvalsh(0.5 * (M + M.T)) > 0.0).all():
        refuse("mass", mass, f"{n} rows of {n} numbers, positive definite")
    if mu.ndim != 1 or (mu < 0.0).any():
        refuse("friction", friction, "coefficients of 0 or more")
    N, T = _rows("normals", normals, k, n), _rows("tangents", tangents, k, n)
    slips = _or_nothing("slip", slip, k)
    g, s = _or_nothing("gap_drift", gap_drift, k), _or_nothing("slip_drift", slip_drift, k)
    dry = N - (mu * np.sign(slips))[:, None] * T
    held = np.flatnonzero(slips == 0.0)
    inverse, unit, count = np.linalg.inv(M), np.eye(held.size), held.size
    ways = np.vstack([T[held], -T[held]])  # p, q
    rows, forces_by = np.vstack([N, ways]) @ inverse, np.vstack([dry, ways])
    bounds = np.vstack([np.zeros((k, count)), unit, unit])  # r in each row
    rest = np.hstack([np.diag(mu)[held], -unit, -unit])
    matrix = np.block([[rows @ forces_by.T, bounds], [rest, np.zeros_like(unit)]])
    drift = np.concatenate([g, s[held], -s[held]])
    z = complementary(matrix, np.concatenate([rows @ f + drift, np.zeros(count)]))
    normal, tangential = z[:k], -mu * np.sign(slips) * z[:k]
    tangential[held] = z[k : k + count] - z[k + count : k + 2 * count]
    a = inverse @ (f + N.T @ normal + T.T @ tangential)
    gaps, slip_rates = N @ a + g, T @ a + s
    return RigidMotion(
        a, normal, tangential, gaps, slip_rates, _states(normal, gaps, slips, slip_rates)
    )


def _rows(name: str, given: object, k: int, n: int) -> Floats:
    rows = numbers(name, given).reshape(-1, n) if k == 0 else numbers(name, given)
    if rows.shape != (k, n):
        refuse(name, given, f"{k} rows of {n} numbers, one of each contact")
    return rows


def _or_nothing(name: str, given: object, k: int) -> Floats:
    return np.zeros(k) if given is None else vector(name, given, k)


def _states(normal: Floats, gaps: Floats, slip: Floats, rates: Floats) -> tuple[str, ...]:
    """What each contact does."""
    small = ROUNDING * max(1.0, np.abs(gaps).max(initial=0.0), np.abs(rates).max(initial=0.0))
    told = []
    for force, gap, speed, rate in zip(normal, gaps, slip, rates, strict=True):
        if force == 0.0 and gap > small:
            told.append("apart")
        else:
            told.append("slides" if speed != 0.0 or abs(rate) > small else "sticks")
    return tuple(told)


def dishes(
    masses: object, friction: object, floor: object = (0.0, 0.0), gravity: float = 9.81,
    pulls: object = None,
) -> RigidMotion:  # fmt: skip
    """The stack of dishes of section 4.1, on a floor that moves.

    Args:
        masses: of the dishes from below, (n,) [kg].
        friction: coefficients below each of them, (n,).
        floor: its accelerations along x and upwards [m/s^2].
        gravity: [m/s^2], downwards.
        pulls: forces on the dishes along x, (n,) [N]; none if absent.

    Returns:
        Accelerations are (x, z) of one dish after the other; contacts go from below.
    """
    m = numbers("masses", masses)
    if m.ndim != 1 or m.size == 0 or not (m > 0.0).all():
        refuse("masses", masses, "one mass above 0 or more [kg]")
    n = m.size
    along, up = vector("floor", floor, 2, "m/s^2")
    down = number("gravity", gravity, unit="m/s^2")
    steps = np.eye(n) - np.eye(n, k=-1)
    forces = np.zeros((n, 2))
    forces[:, 0], forces[:, 1] = _or_nothing("pulls", pulls, n), -down * m
    drift = np.eye(n)[0]
    return rigid_motion(
        np.diag(np.repeat(m, 2)), forces.ravel(), np.kron(steps, [0.0, 1.0]),
        np.kron(steps, [1.0, 0.0]), vector("friction", friction, n),
        gap_drift=-up * drift, slip_drift=-along * drift,
    )  # fmt: skip
