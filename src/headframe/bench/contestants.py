"""Who takes part: Headframe, the methods of the MineRobot paper, and the peers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import HeadframeError, UnknownElementError
from ..machine import Machine
from ..mechanism import State
from .peers import DrakePeer, MujocoMjcfPeer, MujocoPeer, Peer, ScipyPeer
from .progress import Progress

OURS = "Headframe"
PAPER = "paper's method"
TOLERANCE = 1e-10

PEERS: dict[str, Callable[[Machine, float], Peer]] = {
    "mujoco": MujocoMjcfPeer,
    "mujoco-lean": MujocoPeer,
    "drake": DrakePeer,
    "scipy": ScipyPeer,
}
PEER_NAMES = {
    "mujoco": MujocoMjcfPeer.name,
    "mujoco-lean": MujocoPeer.name,
    "drake": DrakePeer.name,
    "scipy": ScipyPeer.name,
}
# the methods of `Machine.ik` by name, as they are called in tables
IK_METHODS = {
    "newton": OURS,
    "golden": "golden section",
    "brent": "Brent",
    "newton1d": "Newton, 1-D",
    "secant": "secant",
    "golden-nested": "golden section, nested FK",
    "bfgs": "BFGS",
    "cg": "conjugate gradient",
    "cma": "CMA-ES",
    "one-plus-one": "(1+1)-ES",
}


@dataclass(frozen=True)
class Contestant:
    """A way to solve a problem.

    Attributes:
        key: for options and for looking it up.
        name: for tables.
        call: what is timed.
        arguments: what it is called with, from the problem's own arguments and its start.
    """

    key: str
    name: str
    call: Callable[..., Any]
    arguments: Callable[[tuple[Any, ...], State], tuple[Any, ...]]


def peers(machine: Machine, wanted: Sequence[str], progress: Progress) -> dict[str, Peer]:
    """The peers that are installed and know the machine; a line about each of the others."""
    found = {}
    for key in wanted:
        if key not in PEERS:
            raise UnknownElementError("peer", key, PEERS)
        try:
            found[key] = PEERS[key](machine, TOLERANCE)
        except HeadframeError as error:
            progress.say(f"{machine.name}: {PEER_NAMES[key]} is left out: {error}")
    return found


def forward(machine: Machine, known: dict[str, Peer]) -> list[Contestant]:
    """For lengths of all actuators and a start."""
    own = [
        Contestant("newton", OURS, machine.fk, lambda problem, start: (*problem, start)),
        Contestant("paper", PAPER, machine.fk, lambda problem, start: (*problem, start, "paper")),
    ]
    return own + [_peer(key, peer, peer.fk) for key, peer in known.items()]


def inverse(machine: Machine, known: dict[str, Peer], methods: Sequence[str]) -> list[Contestant]:
    """For a link, a pose and a start."""
    own = []
    for method in methods:
        if method not in IK_METHODS:
            raise UnknownElementError("method of inverse kinematics", method, IK_METHODS)
        more = () if method == "newton" else (None, None, method)
        own.append(
            Contestant(
                method,
                IK_METHODS[method],
                machine.ik,
                lambda problem, start, more=more: (*problem, start, *more),  # type: ignore[misc]
            )
        )
    return own + [_peer(key, peer, peer.ik) for key, peer in known.items()]


def _peer(key: str, peer: Peer, call: Callable[..., Any]) -> Contestant:
    return Contestant(key, peer.name, call, lambda problem, start: (*problem, peer.start(start.q)))


def state_of(answer: Any) -> State:
    """The configuration that a contestant has found."""
    state: State = answer if isinstance(answer, State) else answer.state
    return state
