"""Compiling ahead of use: every kernel, room by room and side by side.

Kernels that are called from outside of kernels declare the types of their arguments (`entry`), or a
function `warm_up()` of their file calls them once. All others compile with their callers.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path

from .cache import note_kept
from .compile_order import PARTS
from .entries import compile_entry, entries_of
from .progress import say
from .sources import PACKAGE, kernel_sources, module_name

STILL = 15.0  # seconds without anything done after which that is told


def warm_up() -> None:
    """Compile every kernel (or load it from the cache), and show how far it is.

    Rooms are compiled side by side, as far as there are processors. Two processes that keep
    kernels of one file at the same moment may lose one of them, so that all are asked for once
    more in the end, which takes seconds.
    """
    from rich.progress import track

    rooms: dict[str, list[Path]] = {}
    for path in kernel_sources():
        rooms.setdefault(path.relative_to(PACKAGE).parts[0], []).append(path)
    largest_first = sorted(rooms, key=lambda room: -sum(p.stat().st_size for p in rooms[room]))
    workers = min(len(rooms), os.cpu_count() or 1)
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=end_with_parent
    )
    try:
        work = {pool.submit(_warm_up_files, rooms[room]): room for room in largest_first}
        shown = sys.stdout.isatty()
        for done in track(
            _finished(work, shown), "compiling kernels", len(work), disable=not shown
        ):
            done.result()
    except BaseException:  # whoever gives up does not wait for the compilers
        pool.shutdown(wait=False, cancel_futures=True)
        for child in active_children():
            child.terminate()
        raise
    pool.shutdown()
    _warm_up_files(kernel_sources())
    for part in PARTS:
        note_kept(part)


def _finished(work: dict[Future[None], str], shown: bool) -> Iterator[Future[None]]:
    """Rooms as they are done; where there is no bar, a line for each and one now and then."""
    began, waiting = time.monotonic(), set(work)
    if not shown:
        say("compiling kernels, which takes minutes the first time")
    while waiting:
        done, waiting = wait(waiting, STILL, FIRST_COMPLETED)
        for room in done:
            if not shown:
                say(f"compiled {work[room]}")
            yield room
        if not done and not shown:
            passed = time.monotonic() - began
            say(f"still compiling: {len(work) - len(waiting)} of {len(work)} parts, {passed:.0f} s")


def warm_up_file(path: Path) -> None:
    """Compile the kernels of a file, or load them."""
    module = importlib.import_module(module_name(path))
    for kernel in entries_of(module):
        compile_entry(kernel)
    if hasattr(module, "warm_up"):
        module.warm_up()


def _warm_up_files(paths: Iterable[Path]) -> None:
    for path in paths:
        warm_up_file(path)


def end_with_parent() -> None:
    """A compiler whose parent was killed must not go on alone."""
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
