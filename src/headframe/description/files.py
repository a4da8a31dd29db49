"""Writing files: whole or not at all, and never in place of something that is no file."""

from __future__ import annotations

from pathlib import Path

from ..errors import ExportError


def output_path(path: str | Path) -> Path:
    """The path to write to: links are followed to the file they stand for.

    Raises:
        ExportError: the folder does not exist, or something stands there that is no plain file.
    """
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
