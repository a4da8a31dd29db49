"""`headframe bench`: the comparisons from the command line."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

Guard = Callable[[], AbstractContextManager[None]]

ALL_PEERS = ("mujoco", "mujoco-lean", "drake", "scipy")
bench = typer.Typer(help="Compare with other engines and with the MineRobot paper.")
_guards: list[Guard] = []

Machines = Annotated[
    str | None,
    typer.Option(help="Names, separated by commas; all eight of the paper if not given."),
]
Trials = Annotated[int, typer.Option(min=1, help="Random problems of each case.")]
Seed = Annotated[int, typer.Option(min=0, help="Of the random problems.")]
Peers = Annotated[
    str, typer.Option(help=f"Engines, separated by commas, of {', '.join(ALL_PEERS)}; or none.")
]
Output = Annotated[Path, typer.Option("-o", "--output", help="Folder for tables and figures.")]
Targets = Annotated[int, typer.Option(min=1, help="Targets of the study of minima.")]

PEERS = ",".join(ALL_PEERS)
FOLDER = Path("docs/benchmarks")
STUDY_SEED = 20261


def register(app: typer.Typer, guard: Guard = nullcontext) -> None:
    """Add the command `bench` to an application; `guard` surrounds all work, for its errors."""
    _guards[:] = [guard]
    app.add_typer(bench, name="bench")


def _guarded() -> AbstractContextManager[None]:
    return _guards[-1]() if _guards else nullcontext()


def _names(text: str | None, default: list[str]) -> list[str]:
    """A list of names; "none" is an empty one."""
    if text is None:
        return default
    if text == "none":
        return []
    return [name.strip() for name in text.split(",") if name.strip()]


@bench.command("fk")
def fk_command(
    machines: Machines = None,
    trials: Trials = 100,
    seed: Seed = 0,
    peers: Peers = PEERS,
    output: Output = FOLDER,
) -> None:
    """Forward kinematics: Tables 1, 2 and 6 and Eq. (24) of the paper, with peers."""
    with _guarded():
        _fk(machines, trials, seed, peers, output)


@bench.command("ik")
def ik_command(
    machines: Machines = None,
    trials: Trials = 100,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help=f"Of the random problems: 0, or {STUDY_SEED} with --restarts."),
    ] = None,
    peers: Peers = PEERS,
    output: Output = FOLDER,
    restarts: Annotated[
        int | None,
        typer.Option(
            min=1, help="Study the minima instead: against so many restarts of the best peer."
        ),
    ] = None,
    targets: Targets = 10_000,
) -> None:
    """Inverse kinematics: Tables 3, 6, B.7 and B.8 and Figs. 17 and 18, with peers."""
    with _guarded():
        if restarts is None:
            _ik(machines, trials, 0 if seed is None else seed, peers, output)
        else:
            _study(machines, targets, restarts, STUDY_SEED if seed is None else seed, output)


@bench.command("all")
def all_command(
    machines: Machines = None,
    trials: Trials = 100,
    seed: Seed = 0,
    peers: Peers = PEERS,
    output: Output = FOLDER,
    restarts: Annotated[int, typer.Option(min=1, help="Of the study of minima.")] = 64,
    targets: Targets = 10_000,
) -> None:
    """Everything: forward and inverse kinematics, and the study of minima."""
    with _guarded():
        _fk(machines, trials, seed, peers, output)
        _ik(machines, trials, seed, peers, output)
        _study(None, targets, restarts, STUDY_SEED, output)


def _fk(machines: str | None, trials: int, seed: int, peers: str, output: Path) -> None:
    _alone()
    from .fk import compare_fk
    from .fk_report import goals, write_fk
    from .printed import ORDER
    from .progress import shown

    chosen = _names(machines, ORDER)
    with shown() as progress:
        results = compare_fk(chosen, trials, seed, _names(peers, []), progress)
    _tell([goal.row() for goal in goals(results)], write_fk(results, trials, seed, output))


def _ik(machines: str | None, trials: int, seed: int, peers: str, output: Path) -> None:
    _alone()
    from .ik import compare_ik
    from .ik_report import goals, write_ik
    from .printed import ORDER
    from .progress import shown

    chosen = _names(machines, ORDER)
    with shown() as progress:
        results = compare_ik(chosen, trials, seed, _names(peers, []), progress)
    _tell([goal.row() for goal in goals(results)], write_ik(results, trials, seed, output))


def _study(machines: str | None, targets: int, restarts: int, seed: int, output: Path) -> None:
    _alone()
    from .ik_report import quality_goal, write_quality
    from .progress import shown
    from .quality import MACHINE, study

    name = _names(machines, [MACHINE])[0]
    with shown() as progress:
        quality = study(targets, restarts, seed, progress, name)
    _tell([quality_goal(quality).row()], write_quality(quality, output))


def _alone() -> None:
    """One thread for everybody, before the libraries that use more are loaded."""
    from .surroundings import one_thread

    one_thread()


def _tell(rows: list[list[str]], written: list[Path]) -> None:
    """Print the targets and what was written."""
    for what, wanted, found, verdict in rows:
        print(f"{what}: {found}, wanted {wanted}: {verdict}")
    for path in written:
        print(path)
