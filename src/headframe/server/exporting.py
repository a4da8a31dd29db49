"""A machine as a file to take home, made in a process of its own.

Assembling and writing may take seconds of computation. In the server's own process that would hold
up the operator's heartbeat, and in the physics process the machine.
"""

from __future__ import annotations

import asyncio
import re
import tempfile
import warnings
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from ..description import ARCHIVE_SUFFIX, pack
from ..errors import ExportError, HeadframeError, HeadframeWarning, MachineFileError
from ..export import ExportFormat
from ..machine import LoadOptions

WITHOUT_SHAPES = "The 3DT file and the meshes are not in this file; a zip archive has them."
ARCHIVE = "application/zip"
PATIENCE = 120.0  # [s]
LOOK = 0.05  # [s]
LAST_WAIT = 0.2  # for a process that was killed [s]
LONGEST_NAME = 80  # letters


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file.

    Attributes:
        name: for whoever keeps it.
        content: its bytes.
        media_type: what they are.
        notes: what its format cannot say of the machine.
        trouble: why there is none; empty if there is.
    """

    name: str = ""
    content: bytes = b""
    media_type: str = ""
    notes: tuple[str, ...] = ()
    trouble: str = ""


def file_stem(name: str) -> str:
    """A machine's name as a file's, without what a file system or a person may stumble over."""
    plain = re.sub(r"[^\w.-]+", "_", name)[:LONGEST_NAME].strip("._-")
    return plain or "machine"


def export_machine(
    machine: str, form: ExportFormat, reading: LoadOptions | None = None
) -> ExportedFile:
    """Write a machine, read with these options, in a format.

    Where the format needs several files (meshes beside a document) they come in one archive.

    Raises:
        HeadframeError: the machine cannot be read, assembled or written so.
    """
    loaded = (reading or LoadOptions()).load(machine)
    with tempfile.TemporaryDirectory(prefix="headframe-") as folder:
        path = Path(folder) / f"{file_stem(loaded.name)}{form.suffixes[0]}"
        try:
            notes = form.write(loaded, path)
        except HeadframeError as error:
            raise ExportError(_reason(error).replace(f"{folder}/", "")) from None
        files = _all(Path(folder))
    if form.single:
        notes += [WITHOUT_SHAPES] if len(files) > 1 else []
        files = {path.name: files[path.name]}
    if len(files) == 1:
        return ExportedFile(path.name, files[path.name], form.media_type, tuple(notes))
    name = f"{path.stem}_{form.name}{ARCHIVE_SUFFIX}"
    return ExportedFile(name, pack(files), ARCHIVE, tuple(notes))


def _reason(error: HeadframeError) -> str:
    """What an error tells, without the name of the file that it is about."""
    if isinstance(error, MachineFileError):
        return "; ".join(map(str, error.problems))
    return str(error)


def _all(folder: Path) -> dict[str, bytes]:
    """All files of a folder by their names in it."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


async def export_in_process(machine: str, form: ExportFormat, reading: LoadOptions) -> ExportedFile:
    """What `export_machine` gives, from a process of its own; `trouble` tells what went wrong."""
    context = get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, machine, form, reading), daemon=True)
    process.start()
    theirs.close()
    end = asyncio.get_running_loop().time() + PATIENCE
    try:
        while not ours.poll():
            if asyncio.get_running_loop().time() > end:
                return ExportedFile(trouble=f"it took more than {PATIENCE:g} s")
            await asyncio.sleep(LOOK)
        answer: Any = await asyncio.to_thread(_received, ours)
        return (
            answer
            if isinstance(answer, ExportedFile)
            else ExportedFile(trouble="the process for it ended")
        )
    finally:
        process.kill()
        process.join(LAST_WAIT)
        ours.close()


def _received(pipe: Connection) -> Any:
    try:
        return pipe.recv()
    except (EOFError, OSError):
        return None


def _work(pipe: Connection, machine: str, form: ExportFormat, reading: LoadOptions) -> None:
    warnings.simplefilter("ignore", HeadframeWarning)  # told when the machine was loaded
    try:
        answer = export_machine(machine, form, reading)
    except HeadframeError as error:
        answer = ExportedFile(trouble=_reason(error))
    except OSError as error:  # a disk that is full
        answer = ExportedFile(trouble=f"it cannot be written: {(error.strerror or '').lower()}")
    pipe.send(answer)
    pipe.close()
