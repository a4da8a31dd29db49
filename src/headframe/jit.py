"""The one decorator of all kernels, and the place where their compiled code is kept.

Numba notices a change in a kernel's own file, but not in a file that the kernel calls into:
it would go on returning the old result. So compiled code is kept in a folder whose name is a
hash of all kernel sources; any change in any of them starts a new folder. `NUMBA_CACHE_DIR`
overrides the choice. Where nothing can be written, kernels compile anew in every process, and
one warning says so.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config

from .errors import HeadframeWarning

F = TypeVar("F", bound=Callable[..., Any])
PACKAGE = Path(__file__).parent
LIST = "warm.txt"


def kernel_sources() -> list[Path]:
    """All files whose code is compiled, in a fixed order."""
    return [Path(__file__), *sorted(PACKAGE.rglob("_kernels.py"))]


def source_hash() -> str:
    """Hash of all kernel sources and of Numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in kernel_sources():
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _chosen_folder() -> Path:
    """Where compiled kernels go; RuntimeError where that is the home of a user without one."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    if chosen:
        return Path(chosen)
    caches = os.environ.get("LOCALAPPDATA") or os.environ.get("XDG_CACHE_HOME")
    root = Path(caches) if caches else Path.home() / ".cache"
    return root / "headframe" / f"kernels-{source_hash()}"


@cache
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
def _caching_in(folder: Path) -> Iterator[None]:
    """Point Numba at `folder` while a function is being decorated, and only then."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = before


def kernel(function: F) -> F:
    """Compile `function` on first use: float64, cached, without fastmath."""
    return _compiled(function)


def batch_kernel(function: F) -> F:
    """Compile `function` as a kernel that lets other threads run while it does.

    For kernels over many problems: threads share the work, each with its own scratch memory.
    """
    return _compiled(function, nogil=True)


def inlined_kernel(function: F) -> F:
    """Compile `function` as part of whatever kernel calls it.

    For small steps of microsecond solvers: a call that passes a few arrays costs 20 ns.
    """
    return _compiled(function, forceinline=True)


def spliced_kernel(function: F) -> F:
    """Write `function` into whatever kernel calls it, before anything is compiled.

    For the layers of a long loop: every kernel is optimised together with all that it calls, so
    each layer above a large kernel would take that kernel's whole compilation once more.
    """
    return _compiled(function, inline="always")


def _compiled(function: F, **options: bool | str) -> F:
    """Division by zero gives an infinity or NaN, as in NumPy, for the kernel to look at."""
    folder = cache_folder()
    if folder is None:
        return numba.njit(error_model="numpy", **options)(function)  # type: ignore[no-any-return]
    with _caching_in(folder):
        compiled = numba.njit(cache=True, error_model="numpy", **options)
        return compiled(function)  # type: ignore[no-any-return]


def warm_up() -> None:
    """Compile every kernel (or load it from the cache), and show how far it is."""
    from rich.progress import track

    modules = [
        ".".join(("headframe", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in kernel_sources()[1:]
    ]
    for name in track(modules, "compiling kernels", disable=not sys.stdout.isatty()):
        if not sys.stdout.isatty():
            print(f"compiling {name}", flush=True)
        importlib.import_module(name).warm_up()
    _list_compiled()


def _list_compiled() -> None:
    """Write down what the folder holds now, so that a test can tell what came later."""
    folder = cache_folder()
    if folder is not None:
        found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.nb?"))
        (folder / LIST).write_text("\n".join(found), encoding="utf-8")


if __name__ == "__main__":
    warm_up()
