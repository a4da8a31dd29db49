"""The place where the compiled code of kernels is kept.

That is a folder whose name is a hash of all that the code depends on (see `sources`); any change
starts a new folder. It lies in the repository where the package is used out of one, so that tests,
tools and the command share it, else in the user's cache. `NUMBA_CACHE_DIR` overrides the choice.
Where nothing can be written, kernels compile anew in every process, and one warning says so.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from llvmlite import binding
from numba.core import config

from ..errors import HeadframeWarning
from .sources import PACKAGE, kernel_sources, source_hash


def _repository() -> Path | None:
    """The repository that the package is used out of; None where it was installed."""
    root = PACKAGE.parents[1]
    is_ours = PACKAGE.parent.name == "src" and (root / "tools" / "kernel_hash.py").is_file()
    return root if is_ours else None


def _chosen_folder() -> Path:
    """Where compiled kernels go; RuntimeError where that is the home of a user without one."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    repository = _repository()
    if repository is not None and os.access(repository, os.W_OK):
        return repository / ".cache" / f"numba-{source_hash()}"
    caches = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME")
    root = Path(caches) if caches else Path.home() / ".cache"
    return root / "headframe" / f"kernels-{source_hash()}"


@functools.cache
def cache_folder() -> Path | None:
    """Folder for compiled kernels, made if need be; None where none can be written."""
    wrong = "there is no home folder to keep them in"
    try:
        folder = _chosen_folder()
        wrong = f"{folder} cannot be written"
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except (OSError, RuntimeError):
        warnings.warn(
            f"{wrong}: kernels are compiled anew in every process", HeadframeWarning, stacklevel=2
        )
        return None


@contextmanager
def caching_in(folder: Path) -> Iterator[None]:
    """Point Numba at `folder` while a function is being decorated, and only then."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


@functools.cache
def _place() -> str:
    """What Numba keeps kernels by, beside their sources' text.

    A copy of the package elsewhere, one that was installed anew, another Python and another
    processor compile their own.
    """
    known = [str(PACKAGE), str(sys.version_info), str(binding.get_host_cpu_name())]
    known += [str(path.stat().st_mtime_ns) for path in kernel_sources()]
    return hashlib.sha256("\n".join(known).encode()).hexdigest()[:12]


def note(part: str) -> Path | None:
    """The file that says that all kernels of a part are kept; None where nothing can be kept."""
    folder = cache_folder()
    return None if folder is None else folder / f"{part}_{_place()}.txt"


def is_kept(part: str) -> bool:
    """Whether a part was compiled before; true where nothing can be kept, too."""
    file = note(part)
    return file is None or file.is_file()


def note_kept(part: str) -> None:
    """Write down that a part is kept, with all files that the folder holds now."""
    file = note(part)
    if file is not None:
        found = sorted(path.relative_to(file.parent).as_posix() for path in _compiled(file.parent))
        file.write_text("\n".join(found), encoding="utf-8")


def _compiled(folder: Path) -> Iterator[Path]:
    """Files that Numba keeps kernels in."""
    return folder.rglob("*.nb?")
