"""Inertias that no body has: found, told, and mended to the nearest that one has.

A body's inertia about its centre of mass is I = trace(S) 1 - S, with S the second moment of its
mass, the integral of r r^T dm, which no body has negative. With the principal moments a, b, c of I
the eigenvalues of S are (b + c - a) / 2 and so on: none is negative where the two smaller moments
add up to at least the largest (triangle inequality), and then the moments are not negative either.

`nearest` keeps the principal axes and moves the moments (a, b, c) to the nearest point of the cone
of those that a body has: (s2 + s3, s1 + s3, s1 + s2) with s1, s2, s3 >= 0, the eigenvalues of S.
The Frobenius distance of two tensors is at least that of their sorted eigenvalues (Hoffman and
Wielandt) and equal for a common eigenbasis, so this is the nearest of all tensors, in whatever
axes. The cone has three edges, (0, 1, 1), (1, 0, 1) and (1, 1, 0). The nearest point lies on its
tip or inside of one of its seven faces; it is the nearest of the projections onto the faces' spans
that lie in the cone.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..errors import DynamicsError, StateError, listed
from .jsonc import Findings
from .model import Inertial, Link, Robot

Floats = NDArray[np.float64]
TOLERANCE = 1e-9  # of the largest entry: figures in files are rounded
EDGES = np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
LENT_MASS = 0.01  # of the lightest link: what a link without mass is given
LENT_RADIUS = 0.05  # [m]: the ball that gives a link without inertia one
REPAIRS = ("nearest",)


def excess(inertial: Inertial) -> float:
    """By how much the largest principal moment is too large [kg m^2]; 0 if a body has them.

    It is the largest moment less the sum of the other two, or what a moment lacks to 0.
    """
    I = np.array(inertial.inertia, dtype=float)
    size = float(np.abs(I).max())
    if size == 0.0:
        return 0.0
    low, middle, high = np.linalg.eigvalsh((I + I.T) / (2.0 * size))
    found = max(high - low - middle, -low)
    return float(found * size) if found > TOLERANCE else 0.0


def nearest(inertia: Floats) -> Floats:
    """The inertia that a body can have which is nearest to the given one, (3, 3).

    Args:
        inertia: symmetric, (3, 3) [kg m^2].
    """
    I = np.array(inertia, dtype=float)
    size = float(np.abs(I).max()) or 1.0
    moments, R = np.linalg.eigh((I + I.T) / (2.0 * size))
    mended = size * (R * _in_cone(moments)) @ R.T
    whole: Floats = (mended + mended.T) / 2.0
    return whole


def _in_cone(moments: Floats) -> Floats:
    """The nearest point of the cone of principal moments, (3,)."""
    best, least = np.zeros(3), float(moments @ moments)
    for count in (1, 2, 3):
        for edges in combinations(EDGES, count):
            A = np.array(edges).T
            share = np.linalg.lstsq(A, moments, rcond=None)[0]
            point = A @ share
            distance = float((point - moments) @ (point - moments))
            if (share >= -1e-12).all() and distance < least:
                best, least = np.maximum(point, 0.0), distance
    return best


def note_inertias(links: Sequence[Link], outcome: Findings) -> None:
    """Tell of inertias that no body has, link by link."""
    told = [text for link in links if (text := _told(link))]
    if told:
        outcome.note(
            (),
            f"inertias that no body has (the two smaller principal moments must add up to at least "
            f"the largest): {'; '.join(told[:12])}"
            + (f" and {len(told) - 12} more" if len(told) > 12 else "")
            + '; kinematics does not mind, dynamics asks for repair="nearest"',
        )


def _told(link: Link) -> str:
    """What is wrong with a link's inertia, in a few words; empty if nothing is."""
    if link.inertial is None or not (by := excess(link.inertial)):
        return ""
    I = np.array(link.inertial.inertia, dtype=float)
    moments = np.linalg.eigvalsh((I + I.T) / 2.0)
    listed_moments = ", ".join(f"{moment:.4g}" for moment in moments)
    return f"link {link.name!r} by {by:.3g} kg m^2 (moments {listed_moments})"


def unsound(robot: Robot) -> list[str]:
    """Names of the links whose inertia no body has."""
    return [link.name for link in robot.links if link.inertial and excess(link.inertial)]


def require_sound(robot: Robot) -> None:
    """Raise DynamicsError if a link has an inertia that no body has."""
    told = [text for link in robot.links if (text := _told(link))]
    if told:
        raise DynamicsError(
            f"{robot.name}: dynamics needs inertias that a body can have: {'; '.join(told[:6])}"
            + (f" and {len(told) - 6} more" if len(told) > 6 else "")
            + '; mend the file, or ask for the nearest ones: load(..., repair="nearest"), '
            "--repair nearest",
            body=unsound(robot)[0],
        )


def repaired(robot: Robot, repair: str | None, idle: Sequence[str] = ()) -> tuple[Robot, list[str]]:
    """The robot with inertias that dynamics can use, and what was changed.

    Args:
        robot: the machine.
        repair: None for none, or "nearest": inertias become the nearest that a body can have.
        idle: links without inertia that move with nothing else; "nearest" lends them a little.

    Raises:
        StateError: `repair` is neither.
    """
    if repair is None:
        return robot, []
    if repair not in REPAIRS:
        raise StateError(f"repair: found {repair!r:.80}, expected 'nearest' or None")
    masses = [link.inertial.mass for link in robot.links if link.inertial is not None]
    lent = LENT_MASS * min(masses, default=1.0)
    notes, links, given = [], [], []
    for link in robot.links:
        inertial = link.inertial
        if inertial is not None and excess(inertial):
            I = np.array(inertial.inertia, dtype=float)
            mended = nearest(I)
            change = np.linalg.norm(mended - I) / np.linalg.norm(I)
            notes.append(f"link {link.name!r}: its inertia is changed by {change:.2%}")
            inertial = inertial.model_copy(update={"inertia": _rows(mended)})
        if link.name in idle:
            given.append(link.name)
            mass = lent if inertial is None else inertial.mass
            ball = 0.4 * mass * LENT_RADIUS**2 * np.eye(3)
            com = (0.0, 0.0, 0.0) if inertial is None else inertial.com
            before = np.zeros((3, 3)) if inertial is None else np.array(inertial.inertia)
            inertial = Inertial.make(mass=mass, com=com, inertia=_rows(before + ball))
        changed = inertial is not link.inertial
        links.append(link.model_copy(update={"inertial": inertial}) if changed else link)
    if given:
        notes.append(
            f"links {listed(given)} move without inertia: each is lent a ball of radius "
            f"{LENT_RADIUS * 1000:g} mm, of {lent:.3g} kg where it has no mass"
        )
    return (robot.model_copy(update={"links": tuple(links)}) if notes else robot), notes


def _rows(inertia: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(row) for row in inertia.tolist())
