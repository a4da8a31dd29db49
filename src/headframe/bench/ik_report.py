"""Tables and figures of the comparison of inverse kinematics."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from ..description import write_file
from . import before_after, figures, printed
from .contestants import IK_METHODS, OURS
from .goals import HEADER, SHOWN, YARD, Goal, multiples_section, of, ratio, yardsticks
from .ik import IkMachine
from .quality import Quality
from .surroundings import surroundings
from .tables import NOTHING, number, percent, plain, table
from .trials import Floats

YARDSTICKS = {"drake": 660.0, "scipy": 4400.0}  # [us], see `fk_report`
PICTURED = ("roadheader", "tcchs")
SEARCHES = ("golden", "brent", "newton1d", "secant")

PREFACE = """# Inverse kinematics

Written by `headframe bench ik`. Every method gets the same targets and the same random starts.
Every other target is the pose of a configuration; the rest are such poses turned and shifted out of
reach. Psi is the norm of the six-dimensional logarithm between the pose reached and the target, in
radians and metres, worked out from the joint positions that a method ends with. An answer that
opens a loop by 1e-8 m or breaks a bound by 1e-6 m does not count. "Reached" is Psi < 1e-6 on a
target within reach. Times are those of one call from Python, the shortest of several passes.
Printed figures are those of the MineRobot paper, whose "Ours" is golden section on nested forward
kinematics.
"""


def write_ik(results: Sequence[IkMachine], trials: int, seed: int, folder: Path) -> list[Path]:
    """Write `ik.md` and its figures; gives their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = [
        figures.draw_times(
            {r.name: {r.names[k]: t.mean for k, t in r.times.items()} for r in results},
            "inverse kinematics: time of one call from Python",
            folder / "ik_times.png",
        )
    ]
    curves = {r.name: r.curves for r in results if r.curves}
    if curves:
        drawn.append(figures.draw_curves(curves, IK_METHODS, folder / "ik_convergence.png"))
    for result in results:
        if result.name in PICTURED:
            path = folder / f"ik_{result.name}.png"
            drawn.append(before_after.draw(result.name, seed, path))
    page = folder / "ik.md"
    write_file(page, ik_page(results, trials, seed, [path.name for path in drawn]))
    return [page, *drawn]


def ik_page(results: Sequence[IkMachine], trials: int, seed: int, drawn: Sequence[str] = ()) -> str:
    """The whole page; figures that were not drawn are left out."""
    sections = [
        PREFACE,
        f"{trials} trials on every machine, seed {seed}.\n",
        "<!-- targets -->\n\n"
        + table(HEADER, [goal.row() for goal in goals(results)])
        + "\n<!-- end of targets -->\n",
        "## Where it ran\n",
        table(["what", "which"], [[k, v] for k, v in surroundings().items()]),
        "## Table 3: iterations and time\n",
        "Mean iterations / mean time of a call in milliseconds; below each method the print.\n",
        iterations_table(results),
        *_figure("ik_times.png", "Times of all methods", drawn),
        "## Fig. 18: convergence\n",
        "Median of Psi over the targets within reach, after every outer iteration.\n",
        *_figure("ik_convergence.png", "Objective over iterations", drawn),
        "## Fig. 17: before and after\n",
        *(
            line
            for name in PICTURED
            for line in _figure(f"ik_{name}.png", f"{name} before and after", drawn)
        ),
        "## Table 6: the part on inverse kinematics\n",
        "Mean time of a call in microseconds, and part of the targets within reach that were\n"
        "reached.\n",
        runtime_table(results),
        "Part of all targets for which a method ends within 1e-6 of the best that any method\n"
        "found. Drake's cost agrees with Psi only to second order, so it ends elsewhere for\n"
        "targets out of reach.\n",
        near_table(results),
        "Printed, in microseconds:\n",
        printed_table(results),
        *multiples_section(results),
        "## Table B.7: robustness\n",
        "Targets within reach; Psi in units of 1e-6, times in milliseconds; measured / printed.\n",
        robustness_table(results),
        *_remarks(printed.ROBUSTNESS_NOTES, results),
        "## Table B.8: one-dimensional searches\n",
        "Iterations and times in milliseconds, on Headframe's forward kinematics; measured /\n"
        "printed.\n",
        searches_table(results),
        "## Everything\n",
        *(part for result in results for part in (f"### {result.name}\n", full_table(result))),
        "## Are the peers tuned?\n",
        f"As for forward kinematics, on `{YARD}`.\n",
        table(HEADER, [goal.row() for goal in yardsticks(results, "IK", YARDSTICKS)]),
    ]
    return "\n".join(sections)


def _remarks(notes: Mapping[str, str], results: Sequence[IkMachine]) -> list[str]:
    """What is odd in the print, a line a machine."""
    robots = [printed.robot(result.name) for result in results]
    return [f"In the print, {robot}: {notes[robot]}.\n" for robot in robots if robot in notes]


def _figure(name: str, text: str, drawn: Sequence[str]) -> list[str]:
    return [f"![{text}]({name})\n"] if name in drawn else []


# ------------------------------------------------------------------------- targets


def goals(results: Sequence[IkMachine]) -> list[Goal]:
    """The targets of inverse kinematics, all on one machine."""
    ours = of(results, SHOWN, "newton")
    found = []
    for key, what, wanted in (
        ("golden", "the paper's algorithm on our FK", 50.0),
        ("golden-nested", "the paper's algorithm on its own FK", 200.0),
        ("drake", "Drake", 80.0),
    ):
        other = of(results, SHOWN, key)
        found.append(
            Goal(
                f"IK of {SHOWN}: time of {what} over ours",
                ratio(other.mean if other else None, ours.mean if ours else None),
                wanted,
                "x",
                True,
            )
        )
    return found


# -------------------------------------------------------------------------- tables


def iterations_table(results: Sequence[IkMachine]) -> str:
    """Table 3."""
    rows = []
    for key in ("newton", "golden", "golden-nested", "bfgs", "cg", "cma", "one-plus-one"):
        cells = []
        for result in results:
            times = result.times.get(key)
            cells.append(
                f"{number(float(np.nanmean(times.iterations)))} / {number(times.mean / 1e3)}"
                if times
                else NOTHING
            )
        rows.append([IK_METHODS[key], *cells])
        said = printed.IK.get("golden" if key == "golden-nested" else key)
        if said and key != "golden":
            rows.append(["printed", *(_pair(said.get(printed.robot(r.name))) for r in results)])
    return table(["method", *(f">{result.name}" for result in results)], rows)


def _pair(said: tuple[int, float] | None) -> str:
    return f"{said[0]} / {plain(said[1])}" if said else NOTHING


def _names(results: Sequence[IkMachine]) -> dict[str, str]:
    return {key: name for result in results for key, name in result.names.items()}


COMPARED = ("newton", "golden", "golden-nested", "mujoco", "mujoco-lean", "drake", "scipy")


def runtime_table(results: Sequence[IkMachine]) -> str:
    """Table 6: mean time and success."""
    names = {key: name for key, name in _names(results).items() if key in COMPARED}
    rows = [
        [
            result.name,
            *(
                f"{number(result.times[key].mean)} ({percent(result.reached(key))})"
                if key in result.times
                else NOTHING
                for key in names
            ),
        ]
        for result in results
    ]
    return table(["machine", *(f">{name}" for name in names.values())], rows)


def near_table(results: Sequence[IkMachine]) -> str:
    """How often each method is as good as the best."""
    names = _names(results)
    rows = [
        [
            name,
            *(percent(r.near_best(key)) if key in r.times else NOTHING for r in results),
        ]
        for key, name in names.items()
    ]
    return table(["method", *(f">{result.name}" for result in results)], rows)


def printed_table(results: Sequence[IkMachine]) -> str:
    """Table 6 as printed."""
    rows = []
    for result in results:
        cells = []
        for engine in printed.RUNTIME.values():
            said = engine.get(printed.robot(result.name))
            cells.append(f"{plain(1e3 * said[2])} ({percent(said[3])})" if said else NOTHING)
        rows.append([result.name, *cells])
    return table(["machine", *(f">{name}" for name in printed.RUNTIME)], rows)


def robustness_table(results: Sequence[IkMachine]) -> str:
    """Table B.7."""
    rows = []
    for result in results:
        robot = printed.robot(result.name)
        for key in ("newton", "golden", "bfgs", "cg"):
            times = result.times.get(key)
            if times is None:
                continue
            within = times.objective[result.reachable]
            found = [
                percent(result.reached(key)),
                number(1e6 * float(np.median(within))),
                number(1e6 * float(np.quantile(within, 0.95))),
                plain(float(np.median(times.iterations[result.reachable]))),
                number(float(np.median(times.times[result.reachable])) / 1e3),
            ]
            said = printed.ROBUSTNESS.get(key, {}).get(robot)
            print_cells = [percent(said[0]), *(plain(x) for x in said[1:])] if said else []
            if said:
                found = [f"{a} / {b}" for a, b in zip(found, print_cells, strict=True)]
            rows.append([result.name, IK_METHODS[key], *found])
    header = [
        "machine", "method", ">reached", ">median Psi", ">P95 Psi", ">median iterations",
        ">median time",
    ]  # fmt: skip
    return table(header, rows)


def searches_table(results: Sequence[IkMachine]) -> str:
    """Table B.8."""
    rows = []
    for result in results:
        robot = printed.robot(result.name)
        for key in SEARCHES:
            times = result.times.get(key)
            if times is None:
                continue
            found = [
                float(np.mean(times.iterations)),
                float(np.median(times.iterations)),
                times.mean / 1e3,
                float(np.median(times.times)) / 1e3,
            ]
            said = printed.SEARCHES[key].get(robot)
            cells = (
                [f"{number(a)} / {plain(b)}" for a, b in zip(found, said, strict=True)]
                if said
                else [number(a) for a in found]
            )
            rows.append([result.name, IK_METHODS[key], *cells])
    header = [
        "machine", "search", ">mean iterations", ">median iterations", ">mean time",
        ">median time",
    ]  # fmt: skip
    return table(header, rows)


def full_table(result: IkMachine) -> str:
    """Everything about one machine."""
    rows = []
    for key, times in result.times.items():
        within = times.objective[result.reachable]
        beyond = times.objective[~result.reachable]
        rows.append(
            [
                result.names[key],
                number(float(np.nanmean(times.iterations)))
                if np.any(times.iterations)
                else NOTHING,
                number(times.mean),
                number(float(np.median(times.times))),
                number(times.kernel),
                *(number(_quantile(within, part)) for part in (0.5, 0.95)),
                percent(result.reached(key)),
                *(number(_quantile(beyond, part)) for part in (0.5, 0.95)),
                *(percent(result.near_best(key, kind)) for kind in (True, False)),
            ]
        )
    header = [
        "method", ">iterations", ">mean [us]", ">median [us]", ">kernel [us]",
        ">Psi within reach, median", ">P95", ">reached", ">Psi out of reach, median", ">P95",
        ">near best, within", ">near best, out",
    ]  # fmt: skip
    return table(header, rows)


def _quantile(values: Floats, part: float) -> float:
    return float(np.quantile(values, part)) if values.size else math.nan


# ------------------------------------------------------------------- minima


def write_quality(quality: Quality, folder: Path) -> list[Path]:
    """Write `ik_quality.md`."""
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "ik_quality.md"
    write_file(page, quality_page(quality))
    return [page]


def quality_goal(q: Quality) -> Goal:
    """What is aimed at."""
    what = f"IK of {q.machine}: not worse than the best of {q.restarts} restarts by more than 1e-6"
    return Goal(what, 100.0 * q.not_worse(), 99.9, "%", True)


def quality_page(q: Quality) -> str:
    """How often Headframe is not worse than the best of many restarts."""
    worse = int(np.sum(q.ours > q.best + 1e-6))
    rows = [
        ["targets", str(q.ours.size)],
        ["restarts for each", f"{q.restarts} of {q.peer}, the first from {OURS}'s own start"],
        ["seed", str(q.seed)],
        ["not worse by more than 1e-6", percent(q.not_worse())],
        ["… of the targets within reach", percent(q.not_worse(True))],
        ["… of those out of reach", percent(q.not_worse(False))],
        ["worse", f"{worse} targets, by at most {number(max(q.worst, 0.0))}"],
        ["better than all restarts by more than 1e-6", percent(q.better())],
        ["time of all restarts", f"{number(q.seconds)} s"],
    ]
    return "\n".join(
        [
            "# How good the minima are\n",
            f"Written by `headframe bench ik --restarts {q.restarts} --targets {q.ours.size}`. "
            f"Link `{q.link}` of `{q.machine}`; every other target within reach. {OURS} starts "
            "once, from a random configuration.\n",
            "<!-- targets -->\n\n"
            + table(HEADER, [quality_goal(q).row()])
            + "\n<!-- end of targets -->\n",
            table(["what", "found"], rows),
        ]
    )
