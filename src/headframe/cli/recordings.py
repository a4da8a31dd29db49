"""Commands for recordings: look at one again, and make a table of one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import printed
from .common import plain_errors
from .run import NoBrowserOption, PortOption, RecordingsOption, checked_folder, start

if TYPE_CHECKING:
    from ..recordings import RecordedRun

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="A recording (.mcap).")]


def register(app: typer.Typer) -> None:
    """Add the commands."""

    @app.command()
    def replay(
        file: FileArgument,
        port: PortOption = None,
        recordings: RecordingsOption = None,
        no_browser: NoBrowserOption = False,
    ) -> None:
        """Look at a recording in the browser, with the machine that it holds."""
        from tempfile import TemporaryDirectory

        from ..machine import load
        from ..recordings import open_run, unpack
        from ..server import ServerSettings

        with plain_errors(), TemporaryDirectory(prefix="headframe-") as folder:
            kept, run = checked_folder(recordings), open_run(file)
            machine = unpack(run.machine(), Path(folder))
            load(machine)
            settings = ServerSettings(
                machine=str(machine),
                port=port,
                recordings=kept,
                replay=file.resolve(),
            )
            start(settings, browse=not no_browser)

    @app.command()
    def export(
        file: FileArgument,
        output: Annotated[
            Path,
            typer.Option("-o", "--output", help="Table to write, such as run.csv."),
        ],
        poses: Annotated[
            bool, typer.Option("--poses", help="Also the pose of every link, seven columns each.")
        ] = False,
    ) -> None:
        """Write a recording as a table: a row for each tick, columns with names and units."""
        from ..recordings import export_run, open_run

        with plain_errors():
            run = open_run(file)
            done = export_run(run, output, poses)
            name = run.about.machine.name
            print(
                f"{output}: {printed(name)}, {done.rows:,} rows and {done.columns} columns, "
                f"{done.seconds:.2f} s"
            )
            _tell_cut(run, done.seconds)


def _tell_cut(run: RecordedRun, seconds: float) -> None:
    """Say where a recording ends that is not whole."""
    from ..recordings import CUT_OFF

    if run.cut:
        what = "is cut off" if run.end == CUT_OFF else f"is damaged ({run.end})"
        print(f"note: {run.path} {what}: read up to {seconds:.2f} s", file=sys.stderr)
