"""The command that lets a machine move: simulate."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import printed
from .common import MachineArgument, PackageOption, RepairOption, StrictOption, cell, plain_errors
from .common import loaded as loaded_machine

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from ..actuation import Command
    from ..machine import Machine
    from ..sim import Recording, Simulation

HOLDS = ("locked", "floating")
INTERRUPTED = 130  # status of a command that was ended by Ctrl-C


def register(app: typer.Typer) -> None:
    """Add the command to an application."""
    app.command()(simulate)


def simulate(
    machine: MachineArgument,
    seconds: Annotated[float, typer.Option(help="How long, in simulated s.")] = 10.0,
    step: Annotated[float, typer.Option(help="Of the integration, in s.")] = 1e-3,
    integrator: Annotated[
        str | None,
        typer.Option(help="Such as rk4 or implicit, for those that take one; else the best one."),
    ] = None,
    formulation: Annotated[
        str,
        typer.Option(
            help="How motion is computed: auto chooses between embedded (loops in closed form) and "
            "constrained (loops as constraints); a name that is not known lists all others."
        ),
    ] = "auto",
    coordinates: Annotated[
        str, typer.Option(help="Of embedded loops: auto, lengths or variables.")
    ] = "auto",
    gravity: Annotated[
        str, typer.Option(metavar="G|X,Y,Z", help="Downwards, or a vector in the world, in m/s^2.")
    ] = "9.81",
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=COMMAND",
            help="What a group, cylinder or motor is told: speed:0.05 (m/s, rad/s), length:2.1 "
            "(m), position:0.5 (of a motor's joint, rad or m), force:1e5 (N), torque:2000 (N m), "
            "locked or floating; can be given again.",
        ),
    ] = None,
    hold: Annotated[
        str,
        typer.Option(
            help="What cylinders do that are not set: locked or floating. Motors that are not set "
            "are idle: they turn freely."
        ),
    ] = "locked",
    length: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LENGTH",
            help="Length in m of a cylinder or group, or position in rad or m of a servo, at the "
            "start; can be given again. The others start as at home.",
        ),
    ] = None,
    rate: Annotated[float, typer.Option(help="Recorded moments a simulated second.")] = 100.0,
    plot: Annotated[
        Path | None, typer.Option(help="Picture to write (.png): motion, forces, energies.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="File to write (.npz): everything that is recorded.")
    ] = None,
    repair: RepairOption = None,
    package: PackageOption = None,
    strict: StrictOption = False,
) -> None:
    """Let a machine move under gravity, its cylinders and motors.

    It starts at rest. If it cannot go on, what was recorded until then is still written;
    nothing is if it cannot even start.
    """
    from ..errors import DynamicsError
    from ..sim import Recorder, Simulation, save_npz
    from .show import console, working

    with plain_errors():
        check_outputs(plot, save)
        pull, commands, begin = (
            gravity_of(gravity),
            commands_of(set_ or []),
            lengths_of(length or []),
        )
        check_hold(hold)
        with working(f"preparing {machine}"):
            loaded = loaded_machine(machine, package, strict, repair)
            simulation = Simulation(
                loaded, formulation, integrator, step=step, gravity=pull, coordinates=coordinates,
                start=loaded.fk(begin) if begin else None,
            )  # fmt: skip
            give_commands(simulation, commands, hold)
            options = {
                "seconds": seconds, "rate": rate, "gravity": pull, "coordinates": coordinates,
                "set": {name: str(command) for name, command in commands.items()}, "hold": hold,
                "length": begin,
            }  # fmt: skip
            recorder = Recorder(simulation, rate, options)
            recorder.steps_in(seconds)
            recorder.prepare()
            if recorder.first_error is not None:  # nothing to show, and nothing to keep
                raise recorder.first_error
        error, interrupted = None, False
        with moving_on(loaded.name, simulation.step_size) as tell:
            try:
                recorder.run(seconds, tell)
            except DynamicsError as stopped:
                error = stopped
            except KeyboardInterrupt:
                interrupted = True
        recording = recorder.recording
        if save is not None:
            save_npz(recording, save)
        if plot is not None:
            with working(f"drawing {plot}"):
                recording.plot(plot)
        console.print(run_text(simulation, recording))
        if save is not None:
            print(f"{save}: {len(recording):,} rows")
        if plot is not None:
            print(f"{plot}: picture")
        if error is not None:
            raise error
    if interrupted:
        print(f"note: interrupted at {recording.time[-1]:g} s", file=sys.stderr)
        raise typer.Exit(INTERRUPTED)


# ---------------------------------------------------------------------- input


def check_outputs(plot: Path | None, save: Path | None) -> None:
    """Refuse files that cannot be written, before the work is done."""
    from ..description import output_path, unwritable

    if plot is not None:
        from ..pictures import check_picture

        check_picture(plot)
    if save is not None:
        from ..sim import check_npz

        check_npz(save)
    for path in (plot, save):
        if path is not None:
            target = output_path(path)
            there = [target.parent, *([target] if target.exists() else [])]
            if not all(os.access(place, os.W_OK) for place in there):
                raise unwritable(path, PermissionError(13, "Permission denied"))


def gravity_of(text: str) -> float | list[float]:
    """A number or three; StateError for anything else."""
    from ..errors import StateError

    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (1, 3):
        raise StateError(
            f"--gravity: found {text!r}, expected a number downwards, such as 9.81, or a vector, "
            "such as 0,0,-9.81 [m/s^2]"
        )
    return numbers[0] if len(numbers) == 1 else numbers


def check_hold(word: str) -> None:
    """Refuse what all cylinders cannot be told alike."""
    from ..errors import StateError, suggest

    if word not in HOLDS:
        raise StateError(f"--hold: found {word!r}; {suggest(word, HOLDS)}")


def commands_of(texts: list[str]) -> dict[str, Command]:
    """Commands by name from texts such as boom=speed:0.05; StateError for any other."""
    from ..actuation import floating, force, locked, position, speed, torque
    from ..actuation import length as length_command
    from ..errors import StateError, suggest

    with_number: dict[str, Callable[[float], Command]] = {
        "length": length_command, "position": position, "speed": speed, "force": force,
        "torque": torque,
    }  # fmt: skip
    plain: dict[str, Callable[[], Command]] = {"locked": locked, "floating": floating}
    commands: dict[str, Command] = {}
    for name, text in pairs(texts, "--set", "NAME=COMMAND, such as boom=speed:0.05").items():
        kind, colon, value = (part.strip() for part in text.partition(":"))
        if kind in plain and not colon:
            commands[name] = plain[kind]()
        elif kind in with_number:
            try:
                number = float(value)
            except ValueError:
                raise StateError(
                    f"--set: found {name}={text}, expected a number after {kind}:"
                ) from None
            commands[name] = with_number[kind](number)
        elif kind in plain:
            raise StateError(f"--set: found {name}={text}, expected no number after {kind}")
        else:
            known = (*with_number, *plain)
            raise StateError(f"--set: {name}: found {kind!r}; {suggest(kind, known)}")
    return commands


def lengths_of(texts: list[str]) -> dict[str, float]:
    """Lengths by name from texts such as boom=2.1; StateError for any other."""
    from ..errors import StateError

    expected = "NAME=LENGTH, such as boom=1.5 [m]"
    lengths = {}
    for name, text in pairs(texts, "--length", expected).items():
        try:
            lengths[name] = float(text)
        except ValueError:
            found = f"{name}={text}"
            raise StateError(f"--length: found {found!r}, expected {expected}") from None
    return lengths


def pairs(texts: list[str], option: str, expected: str) -> dict[str, str]:
    """Parts left and right of the last = of texts; StateError if one is missing or there twice."""
    from ..errors import StateError

    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = (part.strip() for part in text.rpartition("="))
        if not sign or not name or not value:
            raise StateError(f"{option}: found {text!r}, expected {expected}")
        if name in found:
            raise StateError(f"{option}: found {name!r} twice, expected it once")
        found[name] = value
    return found


def give_commands(simulation: Simulation, commands: dict[str, Command], hold: str) -> None:
    """Tell all drives: what is set, and for the others the default."""
    from ..actuation import floating, locked
    from ..errors import StateError
    from ..sim import Commands

    names = Commands(simulation.model)
    set_by: dict[int, str] = {}
    for name in commands:
        row = names.row(name)
        if row in set_by:
            raise StateError(
                f"--set: found {set_by[row]!r} and {name!r}, which are one: set it once"
            )
        set_by[row] = name
    others = {}
    for n, drive in enumerate(simulation.model.rows):
        if n not in set_by and (drive.members or drive.motor):
            others[drive.name] = locked() if drive.members and hold == "locked" else floating()
    simulation.command({**others, **commands})


# ------------------------------------------------------------------- progress


@contextmanager
def moving_on(name: str, step: float) -> Iterator[Callable[[int, int], None]]:
    """A bar where somebody may be looking, else a few lines; gives what is to be told steps."""
    begin = time.perf_counter()

    def pace(done: int) -> str:
        wall = max(time.perf_counter() - begin, 1e-9)
        return f"{done * step / wall:.3g} times real time"

    if not sys.stderr.isatty():
        print(f"simulating {printed(name)}", file=sys.stderr, flush=True)
        last = [begin, 0.0]

        def say(done: int, total: int) -> None:
            """Every tenth part, but not within two seconds of the line before."""
            now = time.perf_counter()
            if done < total and done >= last[1] + 0.1 * total and now > last[0] + 2.0:
                last[:] = now, done
                line = f"  {done * step:.4g} of {total * step:.4g} s, {pace(done)}"
                print(line, file=sys.stderr, flush=True)

        yield say
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("simulating {task.description}", markup=False), BarColumn(),
        TextColumn("{task.fields[now]}"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(printed(name), total=None, now="")

        def show(done: int, total: int) -> None:
            now = f"{done * step:.1f} of {total * step:.4g} s, {pace(done)}"
            progress.update(task, completed=done, total=total, now=now)

        yield show


# --------------------------------------------------------------------- output


def run_text(simulation: Simulation, recording: Recording) -> RenderableType:
    """How the run was computed, how fast, how exactly; then where everything is."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    about, machine = recording.about, simulation.machine
    early = f" of {about.options['seconds']:g}" if about.error else ""
    facts = Table.grid(padding=(0, 2))
    for key, value in facts_of(simulation, recording).items():
        facts.add_row(Text(key, style="dim"), cell(value))
    head = cell(f"{machine.name}: simulated {recording.seconds:g}{early} s", "bold")
    parts: list[RenderableType] = [head, facts]
    tables = [_cylinders(machine, recording), _motors(recording)]
    if not any(table.row_count for table in tables):
        tables = [_joints(recording)]
    for table in tables:
        if table.row_count:
            parts += [Text(), table]
    return Group(*parts)


def facts_of(simulation: Simulation, recording: Recording) -> dict[str, str]:
    """What a user asks first, by name."""
    about = recording.about
    a_step = f"{1e6 * about.stepping / about.steps:.1f} us" if about.steps else "none was made"
    reading = max(about.wall - about.stepping, 0.0)
    facts = {
        "formulation": f"{about.formulation}: {about.reason}",
        "integrator": about.integrator or "its own",
        "steps": f"{about.steps:,} of {1000 * about.step:g} ms",
        "wall time": f"{about.wall:.3g} s, {reading:.2g} s of it for recording",
        "real-time factor": recording.pace,
        "a step": a_step,
        "energy balance": balance_of(recording),
    }
    if recording.about.formulation != "embedded":  # where loops are closed by themselves
        facts["loops"] = f"open by {simulation.position_error():.1e} m or rad at most"
    return facts


def balance_of(recording: Recording) -> str:
    """What the ledger does not explain at the end, in J and of the energy that moved."""
    last, turnover = float(recording.balance[-1]), recording.turnover
    text = f"{last:.2g} J"
    if turnover > 0.0:
        return f"{text}, {abs(last) / turnover:.1e} of the energy exchanged ({turnover:,.3g} J)"
    return text


def _cylinders(machine: Machine, recording: Recording) -> Table:
    """Lengths and speeds of all cylinders; what their groups are told, and with what force."""
    from .answers import _table

    table = _table(
        "cylinder", "group", "command", ">from (m)", ">to (m)", ">speed (m/s)", ">force (kN)",
        ">most (kN)", "stop",
    )  # fmt: skip
    robot = machine.robot
    for members, group in zip(robot.groups, robot.group_names, strict=True):
        n = recording.drives.index(group)
        force = recording.forces[:, n] / 1000.0
        for i in members:
            first = i == recording.first[n]
            ends = recording.lengths[[0, -1], i]
            table.add_row(
                cell(recording.cylinders[i]), cell(group), recording.commands[n] if first else "",
                *(_signed(value, 4) for value in ends), _signed(recording.speeds[-1, i], 4),
                *((_signed(force[-1], 2), _signed(_extreme(force), 2)) if first else ("", "")),
                _stop(recording, n) if first else "",
            )  # fmt: skip
    return table


def _motors(recording: Recording) -> Table:
    """Joints with a motor or with limits."""
    from .answers import _table

    table = _table(
        "motor", "joint", "command", ">from", ">to", "", ">speed", "", ">torque (N m)", "stop"
    )
    for n, name in enumerate(recording.drives):
        if recording.first[n] < 0:
            unit = recording.units[n]
            ends = (_signed(value, 4) for value in recording.positions[[0, -1], n])
            table.add_row(
                cell(recording.motors[n]), cell(name), recording.commands[n], *ends, unit,
                _signed(recording.rates[-1, n], 4), f"{unit}/s",
                _signed(recording.forces[-1, n], 1), _stop(recording, n),
            )  # fmt: skip
    return table


def _joints(recording: Recording) -> Table:
    """Joints of one freedom, for machines that nothing drives."""
    from .answers import _table

    table = _table("joint", ">from", ">to", "", ">speed", "")
    for n, name in enumerate(recording.q_names):
        if name in recording.v_names:
            unit = recording.q_units[n]
            ends = (_signed(value, 4) for value in recording.q[[0, -1], n])
            rate = recording.v[-1, recording.v_names.index(name)]
            table.add_row(cell(name), *ends, unit, _signed(rate, 4), f"{unit}/s")
    return table


def _stop(recording: Recording, n: int) -> str:
    """The stop that a drive rests against, or the last one that it was seen at."""
    stops = recording.stops[:, n]
    touched = stops[stops != 0]
    if not touched.size:
        return ""
    word = "lower" if touched[-1] < 0 else "upper"
    return word if stops[-1] else f"was {word}"


def _extreme(values: Any) -> float:
    """The value of the largest size, with its sign; NaN left aside."""
    finite = [float(value) for value in values if value == value]
    return max(finite, key=abs, default=float("nan"))


def _signed(value: float, digits: int) -> str:
    """A number without a sign before nought."""
    if not abs(value) < 1e9:
        return f"{value:.4g}"
    return f"{round(float(value), digits) + 0.0:,.{digits}f}"
