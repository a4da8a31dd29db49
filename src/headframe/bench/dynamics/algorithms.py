"""RNEA, CRBA and ABA beside Pinocchio, on random trees."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...dynamics import aba, crba, rnea
from ...mechanism import Floats, Ints, Mechanism
from ..goals import Goal
from ..mechanisms import TREE_SIZES, random_tree, random_tree_urdf
from ..progress import Progress
from ..section import BenchSettings, ReportSection, peer
from ..tables import number, table
from ..timing import Batch, time_kernels
from .plots import PlotCurve, PlotPanel, draw_panels

ALGORITHMS = ("RNEA", "CRBA", "ABA")
TRIALS, SEED = 20, 0
OUT, FRESH, PEER = "Headframe, with out=", "Headframe", "Pinocchio"
CLOSE, SMALL, SMALL_FRESH, LARGE = 1e-10, 1.0, 1.5, 0.5  # what is aimed at
TEXT = """The three recursive algorithms over a spanning tree, called from Python:
`headframe.rnea`, `crba` and `aba` with an array for the answer (`out=`) and without, and
Pinocchio's functions of the same names on the same trees, read from the same URDF. Arguments are
looked at in every call of ours. Calls go round all methods in short passes, and the best pass of
each counts. Pinocchio's CRBA and ABA come in two conventions, of which the quicker one is taken.
Times in microseconds.
"""


@dataclass(frozen=True)
class Compared:
    """One algorithm on one tree: times of a call [us], and how far the answers are apart.

    Attributes:
        algorithm, joints: which, and of how many joints.
        out, fresh: our time with an array for the answer, and without.
        peer: Pinocchio's; nan without it.
        difference: largest difference, as part of the largest number; nan without Pinocchio.
    """

    algorithm: str
    joints: int
    out: float
    fresh: float
    peer: float
    difference: float


class Pinocchio:
    """Its model of a tree, and where its velocities stand among ours."""

    def __init__(self, pin: Any, urdf: str, mechanism: Mechanism) -> None:
        self.pin, self.model = pin, pin.buildModelFromXML(urdf)
        self.data = self.model.createData()
        self.order: Ints = np.zeros(mechanism.nv, dtype=np.int64)
        for name, part in mechanism.velocity_of_joint.items():
            joint = self.model.joints[self.model.getJointId(name)]
            self.order[joint.idx_v] = part.start

    def calls(self, algorithm: str) -> list[Callable[..., Any]]:
        """The function in all its conventions."""
        pin, model, data = self.pin, self.model, self.data
        if algorithm == "RNEA":
            return [lambda *values: pin.rnea(model, data, *values)]
        function = pin.crba if algorithm == "CRBA" else pin.aba
        ways = (pin.Convention.LOCAL, pin.Convention.WORLD)
        return [lambda *values, way=way: function(model, data, *values, way) for way in ways]


def measure(settings: BenchSettings, progress: Progress) -> list[Compared]:
    """Run it."""
    sizes = (7, 30) if settings.small else TREE_SIZES
    return compare(sizes, 3 if settings.small else TRIALS, settings, progress)


def compare(
    sizes: Sequence[int], trials: int, settings: BenchSettings, progress: Progress
) -> list[Compared]:
    """All algorithms on random trees of so many joints, with as many random arguments."""
    progress.begin("algorithms", len(sizes))
    pin = peer("pinocchio", settings, progress)
    found = []
    for n in sizes:
        found += _compare(n, trials, pin)
        progress.step(f"{n} joints")
    return found


def _compare(n: int, trials: int, pin: Any) -> list[Compared]:
    mechanism = random_tree(n, SEED).mechanism
    theirs = Pinocchio(pin, random_tree_urdf(n, SEED), mechanism) if pin else None
    random = np.random.default_rng([SEED, n])
    q, v, a = (list(random.uniform(-1.0, 1.0, (trials, n))) for _ in range(3))
    found = []
    functions: tuple[Callable[..., Floats], ...] = (rnea, crba, aba)
    for algorithm, function in zip(ALGORITHMS, functions, strict=True):
        vectors = (q,) if algorithm == "CRBA" else (q, v, a)
        rows = list(zip(*vectors, strict=True))
        answer = np.empty((n, n) if algorithm == "CRBA" else n)
        batches = [
            _batch(function, [(mechanism, *row, answer) for row in rows]),
            _batch(function, [(mechanism, *row) for row in rows]),
        ]
        difference = np.nan
        if theirs is not None:
            turned = [tuple(x[theirs.order].copy() for x in row) for row in rows]
            calls = theirs.calls(algorithm)
            batches += [_batch(call, turned) for call in calls]
            own = [function(mechanism, *row) for row in rows]
            difference = max(
                _apart(mine, call(*row), theirs.order)
                for call in calls
                for mine, row in zip(own, turned, strict=True)
            )
        times = time_kernels(batches)
        peers = min(times[2:], default=np.nan)
        found.append(Compared(algorithm, n, times[0], times[1], peers, difference))
    return found


def _batch(call: Callable[..., Any], problems: Sequence[tuple[Any, ...]]) -> Batch:
    def run() -> None:
        for problem in problems:
            call(*problem)

    return Batch(run, len(problems))


def _apart(mine: Floats, theirs: Floats, order: Ints) -> float:
    """Largest difference as part of the largest number; of a matrix, its upper triangle counts."""
    mine = mine[np.ix_(order, order)] if mine.ndim == 2 else mine[order]
    if mine.ndim == 2:
        mine, theirs = np.triu(mine), np.triu(theirs)
    return float(np.abs(mine - theirs).max() / np.abs(mine).max())


# --------------------------------------------------------------------- report


def goals(found: Sequence[Compared]) -> list[Goal]:
    """Equal answers, and times as parts of Pinocchio's."""
    apart = max((one.difference for one in found), default=np.nan)
    wanted = [Goal("RNEA, CRBA, ABA: difference to Pinocchio", apart, CLOSE)]
    for one in found:
        what = f"{one.algorithm}, {one.joints} joints"
        if one.joints == 7:
            wanted.append(Goal(f"{what}, out=", one.out / one.peer, SMALL, "x"))
            wanted.append(Goal(f"{what}, without", one.fresh / one.peer, SMALL_FRESH, "x"))
        elif one.joints >= 30:
            wanted.append(Goal(f"{what}, out=", one.out / one.peer, LARGE, "x"))
    return wanted


def section(found: Sequence[Compared], folder: Path) -> ReportSection:
    """Table, picture and targets."""
    rows = [
        [
            one.algorithm, str(one.joints), number(one.out), number(one.fresh), number(one.peer),
            number(one.out / one.peer), number(one.fresh / one.peer), number(one.difference),
        ]
        for one in found
    ]  # fmt: skip
    header = [
        "algorithm", ">joints", f">{OUT}", f">{FRESH}", f">{PEER}", ">ratio with out=", ">ratio",
        ">difference",
    ]  # fmt: skip
    panels = []
    for algorithm in ALGORITHMS:
        own = [one for one in found if one.algorithm == algorithm]
        joints = [one.joints for one in own]
        curves = [
            PlotCurve(OUT, joints, [one.out for one in own], points=True),
            PlotCurve(FRESH, joints, [one.fresh for one in own], points=True),
            PlotCurve(PEER, joints, [one.peer for one in own], points=True),
        ]
        panels.append(PlotPanel(algorithm, "joints", "time of a call [µs]", curves))
    picture = draw_panels(
        "recursive algorithms on random trees", panels, folder / "dynamics_algorithms.png", 3
    )
    text = [TEXT, table(header, rows), f"![Times over the number of joints]({picture.name})\n"]
    return ReportSection("Recursive algorithms", text, goals(found), [picture])
