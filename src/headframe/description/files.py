"""Reading and writing files.

What cannot be read is told as a `Problem`. What is written appears whole or not at all, and never
in place of something that is no file.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from ..checks import path as checked_path
from ..errors import (
    ExportError,
    FileTooLargeError,
    MachineFileError,
    NotReadableError,
    Problem,
)

LARGEST_FILE = 64 * 2**20  # bytes


def open_plain(path: str | Path) -> BinaryIO:
    """Open a file to read it; OSError for what is no plain file: a pipe would wait for ever."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    number = os.open(path, flags)
    mode = os.fstat(number).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(number, "rb")
    os.close(number)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    raise OSError(errno.EINVAL, "not a plain file")


def read_limited(path: str | Path, largest: int = LARGEST_FILE) -> bytes | Problem:
    """The contents of a file of at most `largest` bytes, or why there are none."""
    try:
        with open_plain(path) as file:
            size = os.fstat(file.fileno()).st_size
            data = b"" if size > largest else file.read(largest + 1)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        return Problem(NotReadableError, "", f"cannot be read: {reason}")
    size = max(size, len(data))  # it may grow while it is read
    if size > largest:
        message = f"found {size / 2**20:.1f} MiB, expected at most {largest // 2**20} MiB"
        return Problem(FileTooLargeError, "", message)
    return data


def decoded(data: bytes, kind: type[MachineFileError], language: str) -> str | Problem:
    """UTF-8 as text, or the problem of class `kind` with something that is no `language`."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        found = data[error.start]
        message = f"not {language}: found byte 0x{found:02x}, expected text in UTF-8"
        hint = "it looks like UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        return Problem(kind, "", message, hint, data.count(b"\n", 0, error.start) + 1)


def output_path(path: str | Path) -> Path:
    """The path to write to: links are followed to the file they stand for.

    Raises:
        ExportError: the folder does not exist, or something stands there that is no plain file.
    """
    path = checked_path("path", path)
    try:
        target = Path(path).resolve()
        if not target.parent.is_dir():
            raise ExportError(f"{path}: cannot be written: there is no folder {Path(path).parent}")
        if target.exists() and not target.is_file():
            raise ExportError(f"{path}: cannot be written: it is there and no plain file")
    except (OSError, ValueError, RuntimeError) as error:
        raise unwritable(path, error) from None
    return target


def write_file(path: str | Path, content: str | bytes) -> None:
    """Write a file so that it appears whole or not at all.

    Raises:
        ExportError: it cannot be written; what was there before is still there.
    """
    target = output_path(path)
    draft = target.with_name(target.name + ".part")
    try:
        draft.write_bytes(content.encode() if isinstance(content, str) else content)
        draft.replace(target)
    except (OSError, ValueError) as error:
        draft.unlink(missing_ok=True)
        raise unwritable(path, error) from None


def unwritable(path: str | Path, error: Exception) -> ExportError:
    """The error for a file that could not be written, in our words."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return ExportError(f"{path}: cannot be written: {reason.lower()}")
