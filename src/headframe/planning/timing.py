"""As fast as the cylinders allow along a given way, from rest to rest.

Along the way every length is a function of u. With x = (du/dt)^2 and a = d²u/dt², the speed and
the acceleration of a length are

    dl/dt = l' sqrt(x),        d²l/dt² = l' a + l'' x,        dx/du = 2 a.

So limits of speed are upper bounds of x, limits of acceleration are linear in (a, x), and with `a`
constant between samples x is linear between them. Backwards from the end, the largest x at each
sample from which the machine can still stop; then forwards, always the largest acceleration that
stays below it. (Reachability analysis after Pham and Pham, IEEE T-RO 34, 2018.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..mechanism import Floats

FLAT = 1e-12  # coefficient of the acceleration below which an inequality does not limit it
FASTEST, HARDEST = 10.0, 100.0  # of u itself [m/s, m/s²], where no cylinder limits it


@dataclass(frozen=True, eq=False)
class Timing:
    """How u grows with time: with a constant acceleration between samples.

    Attributes:
        u: samples of the way, (n,).
        t: time at each [s], (n,).
        rate: du/dt at each [1/s times the unit of u], (n,); 0 at both ends.
    """

    u: Floats
    t: Floats
    rate: Floats

    def at(self, times: Floats) -> tuple[Floats, Floats]:
        """Values of u and du/dt at times within 0 and the end."""
        piece = np.clip(np.searchsorted(self.t, times, side="right") - 1, 0, len(self.t) - 2)
        span = np.diff(self.t)[piece]
        part = np.clip((times - self.t[piece]) / span, 0.0, 1.0)
        before, after = self.rate[piece], self.rate[piece + 1]
        rate = before + part * (after - before)
        return self.u[piece] + 0.5 * (before + rate) * part * span, rate

    def stretched(self, factor: float) -> Timing:
        """The same motion, slower by a factor."""
        return Timing(self.u, self.t * factor, self.rate / factor)


def fastest(
    u: Floats, first: Floats, second: Floats, speeds: Floats, accelerations: Floats, most: Floats
) -> Timing:
    """The timing of least duration within the limits at the samples.

    Args:
        u: samples of the way, (n,).
        first: dl/du, (n, m).
        second: d²l/du², (n, m).
        speeds: limits of |dl/dt| [m/s], (m,).
        accelerations: limits of |d²l/dt²| [m/s²], (m,).
        most: limit of du/dt at each sample, (n,); infinite where there is none.
    """
    with np.errstate(divide="ignore"):
        rates = np.min(speeds / np.abs(first), axis=1, initial=FASTEST)
    ceiling = np.minimum(rates, most) ** 2
    stages = [_stage(u, first, second, accelerations, i) for i in range(len(u) - 1)]
    can_stop = np.zeros(len(u))
    for i in reversed(range(len(stages))):
        can_stop[i] = min(ceiling[i], _largest_x(_within(stages[i], can_stop[i + 1])))
    x = np.zeros(len(u))
    for i, stage in enumerate(stages):
        a = _largest_a(_within(stage, can_stop[i + 1]), x[i])
        x[i + 1] = np.clip(x[i] + stage.span * a, 0.0, can_stop[i + 1])
    rate = np.sqrt(x)
    t = np.concatenate([[0.0], np.cumsum(2.0 * np.diff(u) / (rate[:-1] + rate[1:]))])
    return Timing(u, t, rate)


@dataclass(frozen=True, eq=False)
class _Stage:
    """Inequalities A a + B x <= C between two samples, where x grows by `span` a."""

    A: Floats
    B: Floats
    C: Floats
    span: float


def _stage(u: Floats, first: Floats, second: Floats, limits: Floats, i: int) -> _Stage:
    """Limits of acceleration at both ends of a stage, and of u's own."""
    span = 2.0 * float(u[i + 1] - u[i])
    A = np.concatenate([first[i], first[i + 1] + span * second[i + 1], [1.0]])
    B = np.concatenate([second[i], second[i + 1], [0.0]])
    C = np.concatenate([limits, limits, [HARDEST]])
    return _Stage(np.concatenate([A, -A]), np.concatenate([B, -B]), np.tile(C, 2), span)


def _within(stage: _Stage, next_x: float) -> _Stage:
    """The stage with 0 <= x + span a <= next_x."""
    return _Stage(
        np.append(stage.A, (stage.span, -stage.span)),
        np.append(stage.B, (1.0, -1.0)),
        np.append(stage.C, (next_x, 0.0)),
        stage.span,
    )


def _largest_x(stage: _Stage) -> float:
    """The largest x for which some acceleration fulfils all inequalities.

    Each gives an upper or a lower bound of the acceleration, linear in x; every lower one must
    stay below every upper one. x = 0 always does.
    """
    A, B, C = stage.A, stage.B, stage.C
    up, down, flat = A > FLAT, A < -FLAT, np.abs(A) <= FLAT
    c_up, b_up = C[up] / A[up], B[up] / A[up]
    c_down, b_down = C[down] / A[down], B[down] / A[down]
    room = np.append((c_up[:, None] - c_down).ravel(), C[flat])
    taken = np.append((b_up[:, None] - b_down).ravel(), B[flat])
    binding = taken > FLAT
    return float(np.min(room[binding] / taken[binding], initial=np.inf))


def _largest_a(stage: _Stage, x: float) -> float:
    """The largest acceleration at x."""
    up = stage.A > FLAT
    return float(np.min((stage.C[up] - stage.B[up] * x) / stage.A[up]))
