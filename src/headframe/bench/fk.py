"""The comparison of forward kinematics."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ..errors import HeadframeError
from ..kinematics.kernels import forward_batch
from ..loading import load_baseline
from ..machine import Machine, load
from ..mechanism import State, residuals
from .contestants import TOLERANCE, Contestant, forward, peers, state_of
from .progress import Progress
from .timing import Batch, CallTimes, time_calls, time_kernels
from .trials import Counts, FkCase, FkTrial, Floats, fk_cases

RESIDUAL = 1e-9  # of a loop or a length, below which a problem is solved [m]
BRANCH = 1e-6  # of a link's pose, within which it is the right one [m, and of a rotation matrix]
ROWS = 1000  # of a batch


@dataclass(frozen=True, eq=False)
class FkTimes:
    """A method on a machine, or in one case of it.

    Attributes:
        mean, median: of a call from Python [us].
        kernel: of one problem inside the kernel [us]; nan for methods without one.
        success: part of the trials with a small residual on the right branch.
        solved: part with a small residual, on any branch.
    """

    mean: float
    median: float
    kernel: float = np.nan
    success: float = np.nan
    solved: float = np.nan


@dataclass(frozen=True, eq=False)
class FkCaseTimes:
    """One case of Eq. (24): what is active, and times of the methods by key."""

    actuators: Counts
    groups: tuple[float, ...]
    times: dict[str, FkTimes]


@dataclass(eq=False)
class FkMachine:
    """What was measured on one machine.

    Attributes:
        name: of the machine.
        structure: links, joints, actuators.
        actuators: of types A to D.
        names: of the methods, by key.
        cases: of Eq. (24).
        all_active: times with all actuators active, by key.
        batch: solves a second in one call of `fk_batch`.
    """

    name: str
    structure: tuple[int, int, int]
    actuators: Counts
    names: dict[str, str] = field(default_factory=dict)
    cases: list[FkCaseTimes] = field(default_factory=list)
    all_active: dict[str, FkTimes] = field(default_factory=dict)
    batch: float = np.nan

    @property
    def by_method(self) -> dict[str, FkTimes]:
        """Times with all actuators active, by key."""
        return self.all_active


def compare_fk(
    machines: Sequence[str], trials: int, seed: int, wanted: Sequence[str], progress: Progress
) -> list[FkMachine]:
    """Run everything.

    Args:
        machines: names or files.
        trials: of every case.
        seed: of the random problems.
        wanted: keys of peers.
        progress: is told how far it is.
    """
    loaded = [load(name) for name in machines]
    progress.begin("forward kinematics", len(loaded))
    found = []
    for machine in loaded:
        found.append(_compare(machine, trials, seed, wanted, progress))
        progress.step(machine.name)
    return found


def _compare(
    machine: Machine, trials: int, seed: int, wanted: Sequence[str], progress: Progress
) -> FkMachine:
    cases = fk_cases(machine, trials, seed)
    full = cases[-1]
    counts = machine.counts
    structure = counts["links"], counts["joints"], counts["actuators"]
    result = FkMachine(machine.name, structure, full.actuators)
    kernel_times = _kernel_times(machine, cases)
    for contestant in forward(machine, peers(machine, wanted, progress)):
        key = contestant.key
        result.names[key] = contestant.name
        times = _time(machine, contestant, full, progress)
        result.all_active[key] = replace(times, kernel=kernel_times[key, -1])
    own = forward(machine, {})
    for i, case in enumerate(cases):
        found = {}
        for contestant in own:
            times = _time(machine, contestant, case, progress)
            found[contestant.key] = replace(times, kernel=kernel_times[contestant.key, i])
        result.cases.append(FkCaseTimes(case.actuators, case.groups, found))
    result.batch = _batch(machine, full)
    return result


def _time(machine: Machine, contestant: Contestant, case: FkCase, progress: Progress) -> FkTimes:
    problems = [contestant.arguments((trial.lengths,), trial.start) for trial in case.trials]
    timing = time_calls(contestant.call, problems)
    if timing.error:
        failed = sum(answer is None for answer in timing.answers)
        progress.say(
            f"{machine.name}: {contestant.name}: {failed} of {len(problems)} failed, the first "
            f"with: {timing.error}"
        )
    success, solved = judge(case.trials, timing)
    return FkTimes(timing.mean, timing.median, np.nan, success, solved)


def judge(trials: Sequence[FkTrial], timing: CallTimes) -> tuple[float, float]:
    """Parts of the trials that were solved on the right branch, and on any."""
    solved, right = 0, 0
    for trial, answer in zip(trials, timing.answers, strict=True):
        if answer is None:
            continue
        state = state_of(answer)
        if residual(state, trial.lengths) < RESIDUAL:
            solved += 1
            right += same(state, trial.answer)
    return right / len(trials), solved / len(trials)


def residual(state: State, lengths: Floats) -> float:
    """Largest gap of a loop and error of a length [m]."""
    gap = float(np.abs(residuals(state)).max(initial=0.0))
    return max(gap, float(np.abs(state.lengths - lengths).max(initial=0.0)))


def same(one: State, other: State) -> bool:
    """Whether two configurations place all main links alike."""
    links = one.mechanism.robot.main_links
    return all(np.abs(one.pose(x.name) - other.pose(x.name)).max() < BRANCH for x in links)


# --------------------------------------------------------------------- inside the kernels


def _kernel_times(machine: Machine, cases: Sequence[FkCase]) -> defaultdict[tuple[str, int], float]:
    """Time of a problem inside the kernel [us], by method and case; -1 is the last case.

    Not a number where a method has no kernel, or does not cover the machine.
    """
    batches = {}
    for i, case in enumerate(cases):
        for key, make in (("newton", _own_batch), ("paper", _paper_batch)):
            batch = make(machine, case)
            if batch is not None:
                batches[key, i] = batch
    found: defaultdict[tuple[str, int], float] = defaultdict(lambda: np.nan)
    found.update(zip(batches, time_kernels(list(batches.values())), strict=True))
    for key in ("newton", "paper"):
        found[key, -1] = found[key, len(cases) - 1]
    return found


def _rows(case: FkCase) -> tuple[Floats, Floats, Floats, NDArray[np.int64]]:
    """Lengths and starts, and room for positions and statuses."""
    lengths = np.array([trial.lengths for trial in case.trials])
    starts = np.array([trial.start.q for trial in case.trials])
    return lengths, starts, np.empty_like(starts), np.zeros(len(lengths), dtype=np.int64)


def _own_batch(machine: Machine, case: FkCase) -> Batch | None:
    kinematics = machine.kinematics
    if not kinematics.regular:
        return None
    lengths, _, q, status = _rows(case)
    home, work = kinematics.home.q, kinematics.new_work()

    def run() -> None:
        forward_batch(kinematics.link, lengths, home, 1, work, q, status)

    return Batch(run, len(lengths))


def _paper_batch(machine: Machine, case: FkCase) -> Batch | None:
    kinematics = machine.kinematics
    try:
        sequence = load_baseline("sequence")(kinematics)
        sequential_rows = load_baseline("sequential rows")
    except HeadframeError:
        return None
    lengths, starts, q, status = _rows(case)

    def run() -> None:
        sequential_rows(
            kinematics.link, sequence.packed, lengths, starts, TOLERANCE, sequence.state, q, status
        )

    return Batch(run, len(lengths))


def _batch(machine: Machine, case: FkCase) -> float:
    """Solves a second in one call from Python."""
    lengths = np.array([trial.lengths for trial in case.trials])
    rows = np.resize(lengths, (ROWS, lengths.shape[1]))
    (time,) = time_kernels([Batch(lambda: machine.fk_batch(rows), ROWS)])
    return 1e6 / time
