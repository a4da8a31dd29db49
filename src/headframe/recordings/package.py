"""A machine with all its files, to be carried inside of a recording."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..description import close_folder, mrdf_text, read_limited, unwritable
from ..errors import Problem, RecordingError
from ..machine import Machine

DESCRIPTION = "machine.json"


@dataclass(frozen=True)
class Package:
    """Files of a machine by their names: `DESCRIPTION`, its MRDF text, and what that refers to."""

    files: Mapping[str, bytes]

    @property
    def fingerprint(self) -> str:
        """Equal for equal machines."""
        digest = hashlib.sha256()
        for name, data in sorted(self.files.items()):
            digest.update(f"{len(name.encode())} {len(data)} {name}".encode())
            digest.update(data)
        return digest.hexdigest()[:32]


def pack(machine: Machine) -> Package:
    """A machine with its meshes and its 3DT file.

    Raises:
        RecordingError: one of them cannot be read.
    """
    files = {DESCRIPTION: mrdf_text(machine.robot).encode()}
    for name, file in machine.files():
        if name == DESCRIPTION or file is None:
            raise RecordingError(f"{machine.name}: its file {name!r} cannot be put in a recording")
        data = read_limited(file)
        if isinstance(data, Problem):
            raise RecordingError(f"{machine.name}: its file {name!r} {data.message}")
        files[name] = data
    return Package(files)


def unpack(package: Package, folder: Path) -> Path:
    """Write a machine's files into an empty folder; gives back the path of its description.

    Raises:
        RecordingError: a name that leads out of the folder.
        ExportError: a file that cannot be written.
    """
    for name in package.files:
        if not is_inside(name):
            raise RecordingError(f"found a file named {name[:100]!r}, expected a relative path")
    for name, data in package.files.items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except (OSError, ValueError) as error:
            raise unwritable(name, error) from None
    close_folder(folder)
    return folder / DESCRIPTION


def is_inside(name: str) -> bool:
    """Whether a file's name stays in the folder that it is put in, on every system."""
    parts = PurePosixPath(name).parts
    odd = any(letter in name for letter in '\\:*?"<>|') or not name.isprintable()
    return bool(parts) and not odd and not name.startswith("/") and ".." not in parts
