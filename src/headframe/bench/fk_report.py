"""Tables and figures of the comparison of forward kinematics."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ..description import write_file
from . import figures, printed
from .contestants import OURS, PAPER
from .fk import ROWS, FkMachine, FkTimes
from .goals import ALLOWED, HEADER, SHOWN, YARD, Goal, multiples_section, of, ratio, yardsticks
from .regression import Fit, fit
from .surroundings import surroundings
from .tables import NOTHING, number, percent, plain, table

# Times of tuned peers on a support of one four-bar, a canopy and two groups of legs [us]
YARDSTICKS = {"mujoco": 62.0, "drake": 490.0}

PREFACE = """# Forward kinematics

Written by `headframe bench fk`. Times are those of one call from Python in microseconds, the mean
over all trials; a trial is timed in several passes, of which the shortest counts. "Kernel" is the
time of one problem inside the compiled code. A trial is solved if all loops and lengths are met to
1e-9 m *and* the answer lies on the branch that a continuation from the start leads to. Printed
figures are those of the MineRobot paper: C++ on another machine, for a comparison of sizes only.
"""


def write_fk(results: Sequence[FkMachine], trials: int, seed: int, folder: Path) -> list[Path]:
    """Write `fk.md` and its figures; gives their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    fits = regressions(results)
    drawn = [
        figures.draw_fits(results, fits, folder / "fk_regression.png"),
        figures.draw_times(
            {r.name: {r.names[k]: t.mean for k, t in r.all_active.items()} for r in results},
            "forward kinematics: time of one call from Python",
            folder / "fk_times.png",
        ),
    ]
    page = folder / "fk.md"
    write_file(page, fk_page(results, fits, trials, seed))
    return [page, *drawn]


def fk_page(results: Sequence[FkMachine], fits: dict[str, Fit], trials: int, seed: int) -> str:
    """The whole page."""
    sections = [
        PREFACE,
        f"{trials} trials of every case, seed {seed}.\n",
        "<!-- targets -->\n\n"
        + table(HEADER, [goal.row() for goal in goals(results)])
        + "\n<!-- end of targets -->\n",
        "## Where it ran\n",
        table(["what", "which"], [[k, v] for k, v in surroundings().items()]),
        "## Table 1: structure\n",
        structure_table(results),
        "## Table 2: all actuators active\n",
        active_table(results),
        "## Eq. (24): time by active types\n",
        REGRESSION_TEXT,
        regression_table(fits),
        "![Predicted against measured times](fk_regression.png)\n",
        "## Table 6: the part on forward kinematics\n",
        "Mean time of a call in microseconds, and success.\n",
        runtime_table(results),
        "![Times of all methods](fk_times.png)\n",
        "Median time of a call in microseconds, and part of the trials with a small residual on\n"
        "whatever branch.\n",
        median_table(results),
        "Printed, in microseconds:\n",
        printed_table(results),
        *multiples_section(results),
        "## Many in one call\n",
        f"`fk_batch` of {ROWS:,} rows of lengths, on one core.\n",
        batch_table(results),
        "## Are the peers tuned?\n",
        YARD_TEXT,
        table(HEADER, [goal.row() for goal in yardsticks(results, "FK", YARDSTICKS)]),
    ]
    return "\n".join(sections)


# ------------------------------------------------------------------------- targets


def goals(results: Sequence[FkMachine]) -> list[Goal]:
    """The targets of forward kinematics, all on one machine."""
    ours = of(results, SHOWN, "newton")
    call, kernel = (ours.mean, ours.kernel) if ours else (math.nan, math.nan)
    batch = next((r.batch for r in results if r.name == SHOWN), math.nan)
    found = [
        Goal(f"FK of {SHOWN}: a call from Python", call, 5.0, "us"),
        Goal(f"FK of {SHOWN}: inside the kernel", kernel, 1.5, "us"),
    ]
    for key, name, by_call, by_kernel in (
        ("mujoco", "MuJoCo", 40.0, 100.0),
        ("drake", "Drake", 200.0, 500.0),
    ):
        peer = of(results, SHOWN, key)
        slow = peer.mean if peer else None
        found += [
            Goal(f"{name}'s time over that of our call", ratio(slow, call), by_call, "x", True),
            Goal(
                f"{name}'s time over that of our kernel", ratio(slow, kernel), by_kernel, "x", True
            ),
        ]
    found.append(Goal(f"FK of {SHOWN} in a batch", batch, 500_000.0, "solves/s", True))
    return found


YARD_TEXT = f"""A peer must not be slower than {ALLOWED} times what a tuned one needed for a
support of one four-bar, a canopy and two groups of legs. Here it is `{YARD}`, which has a second
four-bar besides.
"""


# -------------------------------------------------------------------------- tables


def structure_table(results: Sequence[FkMachine]) -> str:
    """Table 1, counted, with the print beside it."""
    rows = []
    for result in results:
        robot = printed.robot(result.name)
        said = printed.STRUCTURE.get(robot)
        rows.append(
            [
                result.name,
                robot or NOTHING,
                " / ".join(str(n) for n in result.structure),
                " / ".join(str(n) for n in said) if said else NOTHING,
                printed.STRUCTURE_NOTES.get(robot, ""),
            ]
        )
    header = [
        "machine", "in the paper", "links / joints / actuators", "printed", "on the print"
    ]  # fmt: skip
    return table(header, rows)


def active_table(results: Sequence[FkMachine]) -> str:
    """Table 2."""
    rows = []
    for result in results:
        robot = printed.robot(result.name)
        said = printed.FK.get(robot)
        ours, paper = (result.all_active.get(key) for key in ("newton", "paper"))
        rows.append(
            [
                result.name,
                ", ".join(str(n) for n in result.actuators),
                ", ".join(str(n) for n in said[0]) if said else NOTHING,
                plain(1e3 * said[1]) if said else NOTHING,
                *_call_and_kernel(paper),
                *_call_and_kernel(ours),
                printed.FK_NOTES.get(robot, ""),
            ]
        )
    header = [
        "machine", "a, b, c, d", "printed", ">printed [us]", f">{PAPER} [us]", ">its kernel [us]",
        f">{OURS} [us]", ">its kernel [us]", "on the print",
    ]  # fmt: skip
    return table(header, rows)


def _call_and_kernel(times: FkTimes | None) -> list[str]:
    return [number(times.mean), number(times.kernel)] if times else [NOTHING, NOTHING]


def runtime_table(results: Sequence[FkMachine]) -> str:
    """Table 6: mean time and success of every method."""
    return _methods_table(results, lambda times: (times.mean, times.success))


def median_table(results: Sequence[FkMachine]) -> str:
    """Median time, and success without regard to the branch."""
    return _methods_table(results, lambda times: (times.median, times.solved))


def _methods_table(
    results: Sequence[FkMachine], pick: Callable[[FkTimes], tuple[float, float]]
) -> str:
    names = {key: name for result in results for key, name in result.names.items()}
    rows = []
    for result in results:
        cells = []
        for key in names:
            times = result.all_active.get(key)
            if times is None:
                cells.append(NOTHING)
                continue
            time, part = pick(times)
            cells.append(f"{number(time)} ({percent(part)})")
        rows.append([result.name, *cells])
    return table(["machine", *(f">{name}" for name in names.values())], rows)


def printed_table(results: Sequence[FkMachine]) -> str:
    """Table 6 as printed."""
    rows = []
    for result in results:
        robot = printed.robot(result.name)
        cells = []
        for engine in printed.RUNTIME.values():
            said = engine.get(robot)
            cells.append(f"{plain(1e3 * said[0])} ({percent(said[1])})" if said else NOTHING)
        rows.append([result.name, *cells])
    return table(["machine", *(f">{name}" for name in printed.RUNTIME)], rows)


def batch_table(results: Sequence[FkMachine]) -> str:
    """Speed of batches."""
    rows = [
        [result.name, number(times.kernel if times else None), number(result.batch)]
        for result in results
        for times in [result.all_active.get("newton")]
    ]
    return table(["machine", ">kernel [us]", ">solves/s"], rows)


# ---------------------------------------------------------------------- regression

REGRESSION_TEXT = f"""The paper explains the time by t = a t_A + b t_B + c t_C + d t_D, with the
numbers of active actuators of each type. One group is solved once, however many cylinders it has:
"by groups" counts groups instead. {OURS} solves all blocks in every call, active or not, so its
time hardly depends on what is active; an R² near or below 0 says just that. Times in microseconds.
"""


def regressions(results: Sequence[FkMachine]) -> dict[str, Fit]:
    """Fits by what was fitted; empty if there are no cases."""
    cases = [case for result in results for case in result.cases]
    if not cases:
        return {}
    actuators = np.array([case.actuators for case in cases], dtype=float)
    groups = np.array([case.groups for case in cases])
    found = {}
    for key, name in (("paper", PAPER), ("newton", OURS)):
        inside = np.array([case.times[key].kernel for case in cases])
        call = np.array([case.times[key].mean for case in cases])
        if np.isfinite(inside).all():
            found[f"{name}, kernel"] = fit(actuators, inside)
            found[f"{name}, kernel, by groups"] = fit(groups, inside)
            found[f"{name}, kernel, by groups, with a constant"] = fit(
                groups, inside, constant=True
            )
        found[f"{name}, call"] = fit(actuators, call)
        found[f"{name}, call, with a constant"] = fit(actuators, call, constant=True)
    return found


def regression_table(fits: dict[str, Fit]) -> str:
    """Coefficients beside the printed ones."""
    said = [
        "printed", NOTHING, *(plain(1e3 * value) for value in printed.REGRESSION),
        f"{printed.REGRESSION_R2:.4f}", plain(1e3 * printed.REGRESSION_RMSE),
    ]  # fmt: skip
    rows = [
        [
            name,
            number(one.constant) if one.constant else NOTHING,
            *(number(value) for value in one.coefficients),
            f"{one.r2:.4f}",
            number(one.rmse),
        ]
        for name, one in fits.items()
    ]
    header = [
        "what", ">constant", ">t_A", ">t_B", ">t_C", ">t_D", ">R²", ">RMSE"
    ]  # fmt: skip
    return table(header, [said, *rows])
