"""How good the minima are: against the best of many restarts of a peer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from ..errors import HeadframeError, UnknownElementError
from ..machine import Machine, load
from ..mechanism import State
from ..spatial import exp_pose, pose_error
from .contestants import PEER_NAMES, peers
from .ik import GAP, NEAR, end_effector
from .peers import Peer
from .progress import Progress
from .trials import Draws, Floats, away

MACHINE = "tcchs"
POOL = 2048  # configurations that starts are drawn from
CHOICE = ("mujoco-lean", "mujoco", "scipy", "drake")  # the fastest reliable one that is there
ZERO = 1e-9  # objective that no restart can better by what counts
CHUNK = 100  # targets between two signs of life


@dataclass(frozen=True, eq=False)
class Quality:
    """Objectives of Headframe and of a peer's best, for many targets.

    Attributes:
        machine, link: what was moved.
        peer: its name.
        restarts: starts of the peer for each target.
        seed: of targets and starts.
        ours: from one start, (n,).
        best: the least of all restarts, (n,).
        reachable: whether a target was taken from a configuration, (n,).
        seconds: that the peer's restarts took.
    """

    machine: str
    link: str
    peer: str
    restarts: int
    seed: int
    ours: Floats
    best: Floats
    reachable: NDArray[np.bool_]
    seconds: float

    def not_worse(self, reachable: bool | None = None) -> float:
        """Part of the targets where ours is not worse by more than 1e-6; of one kind, or all."""
        good = self.ours <= self.best + NEAR
        chosen = good if reachable is None else good[self.reachable == reachable]
        return float(np.mean(chosen)) if chosen.size else np.nan

    def better(self) -> float:
        """Part where ours is better than the best restart by more than 1e-6."""
        return float(np.mean(self.ours < self.best - NEAR))

    @property
    def worst(self) -> float:
        """By how much the worst of ours is worse."""
        return float(np.max(self.ours - self.best))


def study(
    targets: int,
    restarts: int,
    seed: int,
    progress: Progress,
    machine_name: str = MACHINE,
    wanted: Sequence[str] = CHOICE,
) -> Quality:
    """Run the study.

    Args:
        targets: how many, every other one within reach.
        restarts: random starts of the peer for each; Headframe gets the first of them.
        seed: of targets and starts; none that was used for tuning.
        progress: is told how far it is.
        machine_name: a machine of the catalogue, or a file.
        wanted: keys of the peers to choose from; the first of `CHOICE` among them is restarted.

    Raises:
        UnknownElementError: a peer that there is not.
        HeadframeError: no peer that is wanted and installed knows the machine.
    """
    machine = load(machine_name)
    link = end_effector(machine)
    peer = _first_peer(machine, wanted, progress)
    draws = Draws(machine, seed)
    pool = [draws.state() for _ in range(min(POOL, 4 * max(targets, restarts)))]
    starts = [peer.start(state.q) for state in pool]
    ours, best = np.empty(targets), np.full(targets, np.inf)
    kinds = np.arange(targets) % 2 == 0
    progress.begin(f"{restarts} restarts of {peer.name}", -(-targets // CHUNK))
    seconds = 0.0
    for number in range(targets):
        target = draws.state().pose(link)
        if not kinds[number]:
            target = target @ exp_pose(away(draws.random))
        target = np.ascontiguousarray(target)
        chosen = draws.random.integers(len(pool), size=restarts)
        ours[number] = psi(machine.ik(link, target, pool[chosen[0]]).state, link, target)
        begin = perf_counter()
        for choice in chosen:
            answer = peer.ik(link, target, starts[choice])
            if answer.residual < GAP:
                best[number] = min(best[number], answer.objective)
            if best[number] < ZERO:
                break
        seconds += perf_counter() - begin
        if (number + 1) % CHUNK == 0 or number + 1 == targets:
            progress.step(f"{number + 1} targets")
    return Quality(machine.name, link, peer.name, restarts, seed, ours, best, kinds, seconds)


def _first_peer(machine: Machine, wanted: Sequence[str], progress: Progress) -> Peer:
    """The first of the choice that is wanted, installed and knows the machine."""
    for key in wanted:
        if key not in CHOICE:
            raise UnknownElementError("peer", key, CHOICE)
    for key in CHOICE:
        if key not in wanted:
            progress.say(
                f"{machine.name}: {PEER_NAMES[key]} is left out: it is not among the peers"
            )
            continue
        for peer in peers(machine, [key], progress).values():
            return peer
    raise HeadframeError(
        f"{machine.name}: peers: found {', '.join(wanted) or 'none'}, expected one that can be "
        f"restarted, of {', '.join(CHOICE)}"
    )


def psi(state: State, link: str, target: Floats) -> float:
    """Distance of a link from its target [rad, m]."""
    return float(np.linalg.norm(pose_error(state.pose(link), target)))
