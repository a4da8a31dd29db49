"""The formats that a machine can be written in: the one list of them.

The command line (`headframe convert`), `Machine.export`, the server's downloads and the page all
read it. To add a format, write an `ExportFormat` into `FORMATS`, or call `register_format`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ..errors import ExportError, suggest

if TYPE_CHECKING:
    from ..contact import Collision
    from ..description import Robot
    from ..mechanism import State
    from ..topology import Topology


class Exportable(Protocol):
    """What writers need of a `Machine`; `home` is worked out when it is first asked for."""

    @property
    def robot(self) -> Robot:
        """Its description."""

    @property
    def topology(self) -> Topology:
        """Its tree and loops."""

    @property
    def home(self) -> State:
        """Its home pose."""

    @property
    def collision(self) -> Collision:
        """What of it is touched."""

    @property
    def folder(self) -> Path | None:
        """Where its file lies, to which paths of meshes are relative; None if it has none."""

    def save(self, path: Path) -> Path:
        """Write it as MRDF."""


WriteMachine = Callable[[Exportable, Path], list[str]]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """A format of machines.

    Attributes:
        name: how it is asked for: ``--to NAME``, ``form=NAME``.
        title: how people call it.
        suffixes: of its files; the first is that of files for which nobody chose one.
        media_type: of a file, for downloads.
        text: what it is for, in a few words.
        lacks: what it cannot express of any machine, in a few words; empty if nothing. What it
            cannot express of a certain one are the notes that `write` gives back.
        write: writes a machine; gives back notes for the user. Loads what it needs when called.
        aliases: other names by which it is asked for.
        single: what is downloaded is its one file, even where it names others beside it.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    media_type: str
    text: str
    lacks: str
    write: WriteMachine
    aliases: tuple[str, ...] = ()
    single: bool = False


def _save(machine: Exportable, path: Path) -> list[str]:
    machine.save(path)
    return []


def _write_mjcf(machine: Exportable, path: Path) -> list[str]:
    from .mjcf import write_mjcf

    parts = machine.robot, machine.topology, machine.home
    return write_mjcf(*parts, path, machine.folder, machine.collision)


def _write_urdf(machine: Exportable, path: Path) -> list[str]:
    from .urdf import write_urdf

    return write_urdf(machine.robot, machine.topology, machine.home, path, machine.folder)


def _write_gltf(machine: Exportable, path: Path) -> list[str]:
    from .gltf import write_gltf

    write_gltf(machine.robot, machine.home, path, machine.folder)
    return []


def _write_three_dt(machine: Exportable, path: Path) -> list[str]:
    from .three_dt import model_of, write_model

    write_model(model_of(machine.robot, machine.folder), path)
    return []


FORMATS: dict[str, ExportFormat] = {
    each.name: each
    for each in (
        ExportFormat(
            "zip",
            "ZIP",
            (".zip",),
            "application/zip",
            "MRDF with all its files, to be loaded again",
            "",
            _save,
        ),
        ExportFormat(
            "mrdf",
            "MRDF",
            (".json", ".mrdf"),
            "application/json",
            "the machine file alone",
            "",
            _save,
            single=True,
        ),
        ExportFormat(
            "mjcf",
            "MJCF",
            (".xml", ".mjcf"),
            "application/xml",
            "for MuJoCo, with its loops",
            "speed and acceleration limits of drives",
            _write_mjcf,
        ),
        ExportFormat(
            "urdf",
            "URDF",
            (".urdf",),
            "application/xml",
            "the tree of links; loops are cut",
            "loops, cylinders, springs and motors",
            _write_urdf,
        ),
        ExportFormat(
            "gltf",
            "glTF",
            (".glb", ".gltf"),
            "model/gltf-binary",
            "looks only, at home",
            "joints, cylinders and masses",
            _write_gltf,
            aliases=("glb",),
        ),
        ExportFormat(
            "3dt",
            "3DT",
            (".3dt",),
            "text/plain",
            "looks only, part by part",
            "joints, cylinders and masses",
            _write_three_dt,
        ),
    )
}


def format_names() -> tuple[str, ...]:
    """All names by which formats are asked for."""
    return tuple(name for each in FORMATS.values() for name in (each.name, *each.aliases))


def format_named(name: str, what: str = "form") -> ExportFormat:
    """The format of a name; `what` is how the place is called where it was given.

    Raises:
        ExportError: there is none; the nearest is told.
    """
    for each in FORMATS.values():
        if name in (each.name, *each.aliases):
            return each
    raise ExportError(f"{what}: found {name[:40]!r}; {suggest(name, format_names())}")


def format_for(path: str | Path) -> ExportFormat:
    """The format that a file's suffix tells.

    Raises:
        ExportError: it tells none; all suffixes are told.
    """
    suffix = Path(path).suffix
    for each in FORMATS.values():
        if suffix.lower() in each.suffixes:
            return each
    known = ", ".join(suffix for each in FORMATS.values() for suffix in each.suffixes)
    raise ExportError(f"{path}: suffix {suffix!r} is none of {known}")


def register_format(new: ExportFormat) -> None:
    """Add a format.

    Raises:
        ExportError: another one has its name, or one of its suffixes.
    """
    for each in FORMATS.values():
        for taken in {each.name, *each.aliases} & {new.name, *new.aliases}:
            raise ExportError(f"format {new.name!r}: {taken!r} is the name of {each.title}")
        for taken in set(each.suffixes) & set(new.suffixes):
            raise ExportError(f"format {new.name!r}: {taken!r} is the suffix of {each.title}")
    FORMATS[new.name] = new
