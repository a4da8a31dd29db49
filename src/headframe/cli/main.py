"""Commands. Each does its imports itself, so that none pays for what it does not use."""

from __future__ import annotations

import io
import json
import os
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ..bench import register as register_bench
from ..errors import ExportError, HeadframeError, StateError, printed
from ..export import FORMATS, ExportFormat, format_for, format_named
from . import models
from .common import MachineArgument, PackageOption, StrictOption, lines, loaded, plain_errors
from .kinematics import register as register_kinematics
from .recordings import register as register_recordings
from .run import register as register_run
from .simulate import register as register_simulate

app = typer.Typer(
    help="Closed-chain machines of mining and earth-moving: described, solved and shown.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class Stage(StrEnum):
    """Stages of the analysis whose graph `draw` can draw."""

    raw = "raw"
    contracted = "contracted"
    itep = "itep"


@app.command("list")
def list_machines() -> None:
    """List the machines of the catalogue."""
    from .show import catalogue_table, console

    with plain_errors():
        console.print(catalogue_table())


@app.command()
def info(
    machine: MachineArgument,
    assemble: Annotated[
        bool, typer.Option("--assemble", help="Also assemble it and give its home pose.")
    ] = False,
    package: PackageOption = None,
    strict: StrictOption = False,
) -> None:
    """Summarise a machine (parts, freedoms, cylinders, mass, provenance) or a 3DT file."""
    from .show import console, summary, working

    with plain_errors():
        if models.takes(machine):
            console.print(models.summary(machine))
            return
        with working(f"reading {machine}"):
            text = summary(loaded(machine, package, strict), assemble)
        console.print(text)


@app.command()
def check(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="MRDF, URDF, MJCF, zip, 3DT or scene files."),
    ],
    assemble: Annotated[
        bool, typer.Option("--assemble", help="Also assemble the machine, which takes longer.")
    ] = False,
    package: PackageOption = None,
    strict: StrictOption = False,
) -> None:
    """List every problem of a machine or scene file with its place; status 1 if there are any."""
    from ..description import given_packages
    from ..machine import Machine, examine
    from ..topology import counted
    from . import scenes

    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may lack letters that names have
        sys.stdout.reconfigure(errors="backslashreplace")
    bad = False
    with plain_errors():
        packages = given_packages(package or [])
    for name in files:
        if models.takes(name):
            bad |= not models.check(name)
            continue
        if scenes.takes(name):
            bad |= not scenes.check(name)
            continue
        try:
            reading = examine(name, packages, strict)
            for note in reading.notes:
                print(f"{name}: note: {lines(note)}")
            for problem in reading.problems:
                print(f"{name}: {lines(str(problem))}")
            if reading.meshes:
                print(f"{name}: {lines(reading.meshes)}")
            if reading.robot is None:
                bad = True
                count = len(reading.problems)
                print(f"{name}: {count} problem{'s' if count > 1 else ''}")
                continue
            machine = Machine(reading.robot, Path(name).parent, reading.counts)
            done = "assembles" if assemble and machine.home else "ok"
            counts = counted(machine.counts)
            print(f"{name}: {done}: {printed(machine.name)}, {counts}")
        except HeadframeError as error:
            told = str(error) if str(error).startswith(name) else f"{name}: {error}"
            print(lines(told))
            bad = True
    raise typer.Exit(1 if bad else 0)


def _chosen_format(output: Path) -> ExportFormat:
    """The format that a suffix tells."""
    try:
        return format_for(output)
    except ExportError as error:
        raise ExportError(f"{error}; use --to") from None


CONVERT_HELP = """Write a machine in another format.

{formats}

A 3DT file is written as OBJ or glTF, and an OBJ or glTF file as 3DT (or one as the other).
"""


def _convert_help() -> str:
    """What `convert --help` tells: the list of formats is that of `headframe.export`."""
    told = (
        f"{each.name} ({', '.join(each.suffixes)}): {each.text}."
        + (f" Without {each.lacks}." if each.lacks else "")
        for each in FORMATS.values()
    )
    return CONVERT_HELP.format(formats="\n\n".join(told))


@app.command(help=_convert_help())
def convert(
    machine: MachineArgument,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="File to write; its suffix tells the format.")
    ],
    to: Annotated[
        str | None,
        typer.Option(metavar="FORMAT", help="The format, if the suffix does not tell."),
    ] = None,
    package: PackageOption = None,
    strict: StrictOption = False,
) -> None:
    """Write a machine in another format."""
    with plain_errors():
        if models.converts(machine):
            models.convert(machine, output)
            return
        form = _chosen_format(output) if to is None else format_named(to.lower(), "--to")
        known = loaded(machine, package, strict)
        for note in known.export(output, form.name):
            print(f"note: {lines(note)}", file=sys.stderr)
        print(f"{output}: {printed(known.name)} as {form.name}")


@app.command()
def draw(
    machine: MachineArgument,
    output: Annotated[Path, typer.Option("-o", "--output", help="Picture to write (.png).")],
    topology: Annotated[
        bool, typer.Option("--topology", help="Draw the graph of links, joints and actuators.")
    ] = False,
    stage: Annotated[
        Stage | None,
        typer.Option(
            help="Which graph (implies --topology): raw, the machine as it stands (default); "
            "contracted, with generalized joints for its four-bars; itep, what each redundant "
            "group of cylinders moves with all others locked."
        ),
    ] = None,
    names: Annotated[bool, typer.Option(help="Write the names of the parts.")] = True,
    collision: Annotated[
        bool,
        typer.Option(
            "--collision",
            help="Draw the shapes that are touched: those of the file blue, those that are made "
            "of what is seen orange.",
        ),
    ] = False,
    package: PackageOption = None,
    strict: StrictOption = False,
) -> None:
    """Draw an assembled machine from the side, from above and in perspective, or its graph."""
    from .show import working

    with plain_errors():
        if collision and (topology or stage):
            raise StateError("found --collision and --topology, expected one of them")
        with working(f"drawing {machine}"):
            known = loaded(machine, package, strict)
            if topology or stage:
                written = known.draw_topology(output, stage or Stage.raw)
            else:
                written = known.draw(output, names=names, collision=collision)
        print(f"{written}: {printed(known.name)}")


@app.command()
def topology(
    machine: MachineArgument, package: PackageOption = None, strict: StrictOption = False
) -> None:
    """Print four-bars, generalized joints and what each group of cylinders moves."""
    with plain_errors():
        print(loaded(machine, package, strict).topology)


@app.command()
def schema(
    scene: Annotated[bool, typer.Option("--scene", help="That of scene files.")] = False,
    canonical: Annotated[
        bool, typer.Option("--canonical", help="That of the one form that is saved.")
    ] = False,
) -> None:
    """Print the JSON Schema of machine files in all their forms, or of scene files."""
    from ..description import canonical_schema, mrdf_schema
    from ..staging import scene_schema

    with plain_errors():
        if scene and canonical:
            raise StateError("found --scene and --canonical, expected one of them")
        made = scene_schema if scene else canonical_schema if canonical else mrdf_schema
        print(json.dumps(made(), indent=2))


register_kinematics(app)
register_simulate(app)
register_run(app)
register_recordings(app)
register_bench(app, plain_errors)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Closed-chain machines of mining and earth-moving: described, solved and shown."""
    if show:
        from .. import __version__

        print(f"headframe {__version__}")
        raise typer.Exit


def run() -> None:
    """Run the command; what it cannot print or write is told in a line."""
    os.environ.setdefault("HEADFRAME_PROGRESS", "1")  # for headframe.jit, which loads much later
    try:
        app()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has had enough
        sys.stderr.close()
        os._exit(0)
    except OSError as error:
        print(f"error: {error.strerror or error}", file=sys.stderr)
        os._exit(1)


if __name__ == "__main__":
    run()
