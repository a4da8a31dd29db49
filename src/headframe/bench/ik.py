"""The comparison of inverse kinematics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import HeadframeError
from ..kinematics import EVEN_WEIGHTS, RESTARTS
from ..kinematics.kernels import inverse_batch
from ..loading import load_baseline
from ..machine import Machine, load
from ..mechanism import State, bounds_of, residuals
from ..spatial import pose_error
from .contestants import IK_METHODS, inverse, peers, state_of
from .progress import Progress
from .steps import own_history
from .timing import Batch, time_calls, time_kernels
from .trials import Floats, IkTrial, ik_trials

REACHED = 1e-6  # objective below which a target is reached [rad, m]
NEAR = 1e-6  # how much worse than the best found an objective may be
GAP = 1e-8  # largest gap of a loop in an answer that counts [m]
SAME = 1e-4  # [rad, m] between joints on one branch
OUTSIDE = 1e-6  # how far beyond a bound a length in it may be [m]
CURVES = ("newton", "golden", "bfgs", "cg", "gradient", "cma", "one-plus-one")
CURVE_MACHINES = ("tcchs", "sths", "sshs", "roadheader")


@dataclass(frozen=True, eq=False)
class IkTimes:
    """A method on a machine.

    Attributes:
        times: of a call from Python [us], (n,).
        iterations: as the method counts them, (n,).
        objective: at the end, infinite where there is no answer that keeps loops and bounds, (n,).
        kernel: time of one problem inside the kernel [us]; nan for methods without one.
    """

    times: Floats
    iterations: Floats
    objective: Floats
    kernel: float = np.nan

    @property
    def mean(self) -> float:
        """Time of a call [us]."""
        return float(self.times.mean())


@dataclass(eq=False)
class IkMachine:
    """What was measured on one machine.

    Attributes:
        name: of the machine.
        link: that was moved.
        reachable: whether each target was taken from a configuration, (n,).
        names: of the methods, by key.
        times: by key.
        curves: median objective over the outer iterations, by key; targets within reach.
    """

    name: str
    link: str
    reachable: NDArray[np.bool_]
    names: dict[str, str] = field(default_factory=dict)
    times: dict[str, IkTimes] = field(default_factory=dict)
    curves: dict[str, Floats] = field(default_factory=dict)

    @property
    def by_method(self) -> dict[str, IkTimes]:
        """Times by key."""
        return self.times

    @property
    def best(self) -> Floats:
        """Least objective that any method found for each target, (n,)."""
        found: Floats = np.min([times.objective for times in self.times.values()], axis=0)
        return found

    def reached(self, key: str) -> float:
        """Part of the targets within reach that a method reached."""
        objective = self.times[key].objective[self.reachable]
        return float(np.mean(objective < REACHED)) if objective.size else np.nan

    def near_best(self, key: str, reachable: bool | None = None) -> float:
        """Part of the targets for which a method is as good as the best; of one kind, or all."""
        good = self.times[key].objective <= self.best + NEAR
        chosen = good if reachable is None else good[self.reachable == reachable]
        return float(np.mean(chosen)) if chosen.size else np.nan


def compare_ik(
    machines: Sequence[str],
    trials: int,
    seed: int,
    wanted: Sequence[str],
    progress: Progress,
    methods: Sequence[str] = tuple(IK_METHODS),
) -> list[IkMachine]:
    """Run everything.

    Args:
        machines: names or files.
        trials: on every machine, half of them with targets within reach.
        seed: of the random problems.
        wanted: keys of peers.
        progress: is told how far it is.
        methods: of `Machine.ik`.
    """
    loaded = [load(name) for name in machines]
    progress.begin("inverse kinematics", len(loaded) * (len(methods) + len(wanted)))
    return [_compare(machine, trials, seed, wanted, methods, progress) for machine in loaded]


def _compare(
    machine: Machine,
    trials: int,
    seed: int,
    wanted: Sequence[str],
    methods: Sequence[str],
    progress: Progress,
) -> IkMachine:
    link = end_effector(machine)
    problems = ik_trials(machine, link, trials, seed)
    kernel = _kernel_time(machine, link, problems)
    result = IkMachine(machine.name, link, np.array([trial.reachable for trial in problems]))
    for contestant in inverse(machine, peers(machine, wanted, progress), methods):
        calls = [contestant.arguments((link, t.target), t.start) for t in problems]
        timing = time_calls(contestant.call, calls)
        failed = sum(answer is None for answer in timing.answers)
        if failed:
            progress.say(
                f"{machine.name}: {contestant.name}: {failed} of {trials} failed, the first with: "
                f"{timing.error}"
            )
        if failed < trials:
            pairs = list(zip(timing.answers, problems, strict=True))
            result.names[contestant.key] = contestant.name
            result.times[contestant.key] = IkTimes(
                timing.times,
                np.array([getattr(answer, "iterations", np.nan) for answer, _ in pairs]),
                np.array([objective(machine, link, *pair) for pair in pairs]),
            )
        progress.step(f"{machine.name}: {contestant.name}")
    if "newton" in result.times:  # taken twice, far apart, as other work comes and goes
        kernel = min(kernel, _kernel_time(machine, link, problems))
        result.times["newton"] = replace(result.times["newton"], kernel=kernel)
    if machine.name in CURVE_MACHINES:
        result.curves = _curves(machine, link, problems, progress)
    return result


def end_effector(machine: Machine) -> str:
    """The link to move.

    Raises:
        HeadframeError: the machine does not name one.
    """
    if not machine.robot.end_effector:
        raise HeadframeError(f"{machine.name}: names no end effector, so there is none to move")
    return machine.robot.end_effector


def on_branch(machine: Machine, state: State) -> bool:
    """Whether a state is what forward kinematics gives for its lengths, which is unique."""
    if not machine.kinematics.regular:
        return True
    low, high = bounds_of(machine.mechanism)
    lengths = np.clip(state.lengths, low, high)[machine.mechanism.first_members]
    try:
        return bool(np.abs(machine.fk(lengths, state).q - state.q).max() < SAME)
    except HeadframeError:
        return False


def objective(machine: Machine, link: str, answer: Any, trial: IkTrial) -> float:
    """|log(X^-1 Y)| of an answer; infinite if it breaks a loop or a bound."""
    if answer is None:
        return np.inf
    state = state_of(answer)
    low, high = bounds_of(machine.mechanism)
    gap = np.abs(residuals(state)).max(initial=0.0)
    outside = max((low - state.lengths).max(), (state.lengths - high).max())
    if gap > GAP or outside > OUTSIDE or not on_branch(machine, state):
        return np.inf
    return float(np.linalg.norm(pose_error(state.pose(link), trial.target)))


def _kernel_time(machine: Machine, link: str, trials: Sequence[IkTrial]) -> float:
    """Time of a problem inside Headframe's kernel [us]; nan where the general solver is used."""
    kinematics = machine.kinematics
    solver = kinematics.inverse_solver(link)
    if solver.problem.reason:
        return np.nan
    targets = np.array([trial.target for trial in trials])
    starts = np.array([trial.start.q for trial in trials])
    q, f = np.empty_like(starts), np.empty(len(trials))
    status, steps = np.zeros((2, len(trials)), dtype=np.int64)

    def run() -> None:
        inverse_batch(
            kinematics.link, solver.packed(trials[0].start, EVEN_WEIGHTS), targets, EVEN_WEIGHTS,
            starts, RESTARTS, solver.work, q, f, status, steps,
        )  # fmt: skip

    (time,) = time_kernels([Batch(run, len(trials))])
    return time


def _curves(
    machine: Machine, link: str, trials: Sequence[IkTrial], progress: Progress
) -> dict[str, Floats]:
    """Median objective after every outer iteration, over the targets within reach."""
    curves = {}
    kinematics = machine.kinematics
    chosen = [trial for trial in trials if trial.reachable]
    for method in CURVES:
        try:
            if method == "newton":
                histories = [own_history(machine, link, t.target, t.start) for t in chosen]
            else:
                solver, convergence = kinematics.inverse_solver(link), load_baseline("convergence")
                histories = [
                    convergence(kinematics, solver, t.target, t.start, EVEN_WEIGHTS, method)
                    for t in chosen
                ]
        except HeadframeError as error:
            progress.say(f"{machine.name}: no curve of {method}: {error}")
            continue
        longest = max(len(history) for history in histories)
        padded = [history + history[-1:] * (longest - len(history)) for history in histories]
        curves[method] = np.median(padded, axis=0)
    return curves
