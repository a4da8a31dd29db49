"""`headframe bench`: the comparisons from the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Annotated

import typer

Guard = Callable[[], AbstractContextManager[None]]

ALL_PEERS = ("mujoco", "mujoco-lean", "drake", "scipy")
DYNAMICS_PEERS = "pinocchio,mujoco,pybullet,drake"
CONTACT_PEERS = "mujoco,pybullet,coal"
CONTACT_PARTS = "standing,heap,growth,shapes"
DYNAMICS_PARTS = "algorithms,rates,lifting,drift,impulses,iftomm,holding,stiffening"
bench = typer.Typer(help="Compare with other engines and with the papers.")
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
Steps = Annotated[int, typer.Option(min=100, help="Steps of the study of energy drift.")]
Hours = Annotated[float, typer.Option(min=0.001, help="Hours for which locked machines are held.")]

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
            min=1,
            help="Study the minima instead: against so many restarts of the best of the peers.",
        ),
    ] = None,
    targets: Targets = 10_000,
) -> None:
    """Inverse kinematics: Tables 3, 6, B.7 and B.8 and Figs. 17 and 18, with peers."""
    with _guarded():
        if restarts is None:
            _ik(machines, trials, 0 if seed is None else seed, peers, output)
        else:
            chosen = STUDY_SEED if seed is None else seed
            _study(machines, targets, restarts, chosen, peers, output)


@bench.command("dynamics")
def dynamics_command(
    only: Annotated[
        str | None,
        typer.Option(help=f"Parts of {DYNAMICS_PARTS}; only their sections are replaced."),
    ] = None,
    steps: Steps = 1_000_000,
    hours: Hours = 1.0,
    peers: Annotated[
        str, typer.Option(help=f"Engines, separated by commas, of {DYNAMICS_PEERS}; or none.")
    ] = DYNAMICS_PEERS,
    output: Output = FOLDER,
    quick: Annotated[
        bool, typer.Option("--quick", help="As little of everything as shows that it runs.")
    ] = False,
) -> None:
    """Dynamics: figures 10 to 12 and table 1 of the papers, benchmark problems, and peers."""
    with _guarded():
        _dynamics(only, steps, hours, peers, output, quick)


@bench.command("contact")
def contact_command(
    only: Annotated[
        str | None,
        typer.Option(help=f"Parts of {CONTACT_PARTS}; only their sections are replaced."),
    ] = None,
    peers: Annotated[
        str, typer.Option(help=f"Engines, separated by commas, of {CONTACT_PEERS}; or none.")
    ] = CONTACT_PEERS,
    output: Output = FOLDER,
    quick: Annotated[
        bool, typer.Option("--quick", help="As little of everything as shows that it runs.")
    ] = False,
) -> None:
    """Contact: a machine that stands, heaps of boxes, and pairs of shapes, with peers."""
    with _guarded():
        _contact(only, peers, output, quick)


@bench.command("server")
def server_command(
    seconds: Annotated[
        float, typer.Option(min=1.0, help="For which each number of clients is watched.")
    ] = 60.0,
    scene: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="Only time the ticks of a scene, all driven.")
    ] = "",
    output: Output = FOLDER,
) -> None:
    """The server in the browser's stead: nobody, then 32 clients, one of which never reads."""
    with _guarded():
        if scene:
            from .server import convoy

            ticks = round(60 * min(seconds, 60.0))
            print(convoy.report(scene, [convoy.measure(scene, ticks, on) for on in (False, True)]))
            return
        from .server.crowd import CLIENTS, measure, report

        loads = []
        for clients in (0, CLIENTS):
            print(f"{clients or 'no'} clients, {seconds:g} s", file=sys.stderr, flush=True)
            loads.append(measure(clients, seconds))
        print(report(loads, output))


@bench.command("all")
def all_command(
    machines: Machines = None,
    trials: Trials = 100,
    seed: Seed = 0,
    peers: Peers = PEERS,
    output: Output = FOLDER,
    restarts: Annotated[int, typer.Option(min=1, help="Of the study of minima.")] = 64,
    targets: Targets = 10_000,
    steps: Steps = 1_000_000,
    hours: Hours = 1.0,
) -> None:
    """Everything: kinematics forward and inverse, the study of minima, dynamics, and contact."""
    with _guarded():
        _fk(machines, trials, seed, peers, output)
        _ik(machines, trials, seed, peers, output)
        if _names(peers, []):
            _study(None, targets, restarts, STUDY_SEED, peers, output)
        else:
            print("the study of minima is left out: it needs a peer", file=sys.stderr)
        _dynamics(None, steps, hours, DYNAMICS_PEERS if _names(peers, []) else "none", output)
        _contact(None, CONTACT_PEERS if _names(peers, []) else "none", output)


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


def _study(
    machines: str | None, targets: int, restarts: int, seed: int, peers: str, output: Path
) -> None:
    _alone()
    from .ik_report import quality_goal, write_quality
    from .progress import shown
    from .quality import MACHINE, study

    name = _names(machines, [MACHINE])[0]
    with shown() as progress:
        quality = study(targets, restarts, seed, progress, name, _names(peers, []))
    _tell([quality_goal(quality).row()], write_quality(quality, output))


def _dynamics(
    only: str | None, steps: int, hours: float, peers: str, output: Path, quick: bool = False
) -> None:
    _alone()
    from .dynamics.report import DYNAMICS_PAGE
    from .progress import shown
    from .section import BenchSettings

    wanted = _names(peers, [])
    settings = BenchSettings(wanted, steps, 3600.0 * hours)
    if quick:
        settings = BenchSettings.quick(wanted)
    with shown() as progress:
        parts = _names(only, list(DYNAMICS_PAGE.parts))
        goals, written = DYNAMICS_PAGE.run(parts, settings, output, progress)
    _tell([goal.row() for goal in goals], written)


def _contact(only: str | None, peers: str, output: Path, quick: bool = False) -> None:
    _alone()
    from .contact.report import CONTACT_PAGE
    from .progress import shown
    from .section import BenchSettings

    settings = BenchSettings(_names(peers, []), small=quick)
    with shown() as progress:
        parts = _names(only, list(CONTACT_PAGE.parts))
        goals, written = CONTACT_PAGE.run(parts, settings, output, progress)
    _tell([goal.row() for goal in goals], written)


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
