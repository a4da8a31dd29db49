"""`headframe run`: the simulator in the browser."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import PackageOption, RepairOption, StrictOption, loaded, plain_errors

if TYPE_CHECKING:
    from ..machine import LoadOptions
    from ..server import ServerSettings

PASSWORD = "HEADFRAME_PASSWORD"
SHORTEST = 8  # letters of a password
PortOption = Annotated[
    int | None,
    typer.Option(min=0, max=65535, help="Port; 8710 or the next free one if not given."),
]
RecordingsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="Folder of recordings; headframe/recordings in your data folder if not given.",
    ),
]
NoBrowserOption = Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def run(
        machine: Annotated[
            str,
            typer.Argument(
                metavar="[MACHINE|FILE]",
                help="A name or the path of a file; the scene's own choice if not given.",
            ),
        ] = "",
        port: PortOption = None,
        host: Annotated[
            str,
            typer.Option(
                help="Address to listen at. Another than this computer's own needs a password "
                f"({PASSWORD}, or asked for) and --allow-host."
            ),
        ] = "127.0.0.1",
        allow_host: Annotated[
            list[str] | None,
            typer.Option(
                metavar="NAME", help="Name by which other computers reach this one; repeatable."
            ),
        ] = None,
        scene: Annotated[
            str,
            typer.Option(
                metavar="NAME|FILE", help="Scene: tunnel, longwall, yard, or the path of a file."
            ),
        ] = "tunnel",
        dynamics: Annotated[
            bool, typer.Option("--dynamics", help="Start in dynamic mode.")
        ] = False,
        recordings: RecordingsOption = None,
        no_browser: NoBrowserOption = False,
        package: PackageOption = None,
        strict: StrictOption = False,
        repair: RepairOption = None,
    ) -> None:
        """Drive machines in the browser. Prints the operator's address, then the viewers'."""
        from ..errors import ServerError
        from ..server import ServerSettings, is_loopback
        from ..staging import load_scene

        with plain_errors():
            staged = load_scene(scene)  # all problems are told before anything is started
            if machine and staged.scene.guest is None:
                raise ServerError(
                    f"the scene {staged.name!r} has no room for another machine: found "
                    f"{machine!r}, expected none"
                )
            kept = checked_folder(recordings)
            password = None
            if not is_loopback(host):
                password = _password(host, allow_host)
            with _guest(machine, package, strict, repair) as guest:
                settings = ServerSettings(
                    machine=guest,
                    host=host,
                    port=port,
                    dynamics=dynamics,
                    scene=scene,
                    allowed=tuple(allow_host or ()),
                    password=password,
                    recordings=kept,
                    reading=_reading(package, repair),
                )
                start(settings, browse=not no_browser)


def _reading(package: list[str] | None, repair: str | None) -> LoadOptions:
    """How the server's processes read files of machines."""
    from ..description import given_packages
    from ..machine import LoadOptions

    found = given_packages(package or [])
    return LoadOptions(tuple((name, path.resolve()) for name, path in found.items()), repair)


@contextmanager
def _guest(
    machine: str, package: list[str] | None, strict: bool, repair: str | None
) -> Iterator[str]:
    """Name or file of a machine without problems; an archive stays unpacked meanwhile."""
    from ..description import is_archive
    from ..machine import opened

    if not machine:
        yield ""
        return
    with opened(machine) as file:
        loaded(str(file), package, strict, repair)
        yield str(file) if is_archive(machine) else machine


def _password(host: str, allowed: list[str] | None) -> str:
    """The password for a server that other computers reach."""
    from ..errors import ServerError

    password = os.environ.get(PASSWORD, "")
    if allowed and not password and sys.stdin.isatty():
        password = typer.prompt("Password for this server", hide_input=True, err=True)
    missing = []
    if not allowed:
        missing.append("give the name by which they reach it with --allow-host NAME")
    if len(password) < SHORTEST:
        missing.append(
            f"a password of at least {SHORTEST} letters is needed, in the environment variable "
            f"{PASSWORD} or typed when asked"
        )
    if missing:
        raise ServerError(
            f"host {host!r} can be reached from other computers: {'; '.join(missing)}"
        )
    _say("warning: traffic is not encrypted; let a proxy with TLS or a tunnel carry it")
    return password


def checked_folder(folder: Path | None) -> Path | None:
    """A folder of recordings, or none; ServerError for something that is no folder."""
    from ..errors import ServerError

    if folder is not None and folder.exists() and not folder.is_dir():
        raise ServerError(f"--recordings: found {folder}, expected a folder")
    return folder


def start(settings: ServerSettings, browse: bool) -> None:
    """Serve; a port that is taken is told before anything else is done."""
    from ..server import listen, serve

    serve(settings, listen(settings), _say, browse)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
