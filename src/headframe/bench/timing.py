"""How long a call takes."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter_ns
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import HeadframeError

PASSES = 5
KERNEL_PASSES = 200
WARM = 3  # problems solved before the clock runs
PATIENCE = 4.0  # time for further passes of one method on one machine [s]


@dataclass(frozen=True)
class CallTimes:
    """Times of single calls [us], and what the calls gave (None where one failed).

    Attributes:
        times: of every problem, the shortest of all passes, (n,).
        answers: of the first pass.
        error: what the first failure said.
    """

    times: NDArray[np.float64]
    answers: list[Any]
    error: str = ""

    @property
    def mean(self) -> float:
        """[us]."""
        return float(self.times.mean())

    @property
    def median(self) -> float:
        """[us]."""
        return float(np.median(self.times))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Without garbage collection."""
    gc.collect()
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def time_calls(call: Callable[..., Any], problems: Sequence[tuple[Any, ...]]) -> CallTimes:
    """Time `call(*problem)` for every problem, in several passes, after a few calls untimed.

    The shortest time of a problem counts: what makes a pass longer is other work of the machine.
    Nothing is subtracted. A method so slow that its passes would take more than `PATIENCE`
    gets fewer of them, but at least one.
    """
    _pass(call, problems[:WARM])
    with undisturbed():
        times, answers, error = _pass(call, problems)
        more = min(PASSES, int(PATIENCE / max(times.sum() / 1e6, 1e-9))) - 1
        for _ in range(more):
            times = np.minimum(times, _pass(call, problems)[0])
    return CallTimes(times, answers, error)


def _pass(
    call: Callable[..., Any], problems: Sequence[tuple[Any, ...]]
) -> tuple[NDArray[np.float64], list[Any], str]:
    """Times [us] and answers of all problems, and what the first failure said."""
    times, answers, error = np.empty(len(problems)), [], ""
    now = perf_counter_ns
    for i, problem in enumerate(problems):
        answer = None
        begin = now()
        try:
            answer = call(*problem)
        except HeadframeError as failure:
            error = error or str(failure)
        times[i] = now() - begin
        answers.append(answer)
    return times / 1e3, answers, error


@dataclass(frozen=True)
class Batch:
    """A call that solves several problems."""

    call: Callable[[], Any]
    problems: int


def time_kernels(batches: Sequence[Batch], least: float = 1e-4) -> list[float]:
    """Time of one problem [us] in each of some batches; the best of several passes.

    Passes are short and go round all batches, so that other work of the machine, which comes and
    goes, leaves some of each alone.

    Args:
        batches: what is timed.
        least: a pass of one batch lasts at least this long [s].
    """
    repeats = []
    for batch in batches:
        batch.call()
        begin = perf_counter_ns()
        batch.call()
        repeats.append(max(1, int(least * 1e9 / max(1, perf_counter_ns() - begin))))
    best = [np.inf] * len(batches)
    with undisturbed():
        for _ in range(KERNEL_PASSES):
            for i, batch in enumerate(batches):
                begin = perf_counter_ns()
                for _ in range(repeats[i]):
                    batch.call()
                best[i] = min(best[i], (perf_counter_ns() - begin) / repeats[i])
    return [time / batch.problems / 1e3 for time, batch in zip(best, batches, strict=True)]
