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
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from inspect import Parameter, Signature
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config, event, sigutils, types
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

from .errors import HeadframeWarning

F = TypeVar("F", bound=Callable[..., Any])
Array = NDArray[Any]
PACKAGE = Path(__file__).parent
# Numba keeps kernels by the places of their sources: a copy elsewhere compiles its own.
STILL = 15.0  # seconds without anything done after which that is told
PROGRESS = "HEADFRAME_PROGRESS"  # environment: whether this process tells of what it compiles
TOLD_EVERY = 5.0  # seconds between two lines on what is compiled
LIST = f"warm_{hashlib.sha256(str(PACKAGE).encode()).hexdigest()[:12]}.txt"


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


def _compiled(function: F, **options: bool) -> F:
    """Division by zero gives an infinity or NaN, as in NumPy, for the kernel to look at."""
    _progress.declared += 1
    folder = cache_folder()
    if folder is None:
        return numba.njit(error_model="numpy", **options)(function)  # type: ignore[no-any-return]
    with _caching_in(folder):
        compiled = numba.njit(cache=True, error_model="numpy", **options)
        return compiled(function)  # type: ignore[no-any-return]


class _Progress(event.Listener):  # type: ignore[misc]
    """Tells on standard error that kernels are compiled, at once and then now and then.

    Numba tells of kernels that are compiled, not of those that are read from the cache.

    Attributes:
        declared: kernels of all rooms that are loaded; a program uses some of them.
        done: those that this process has compiled, for whatever types.
    """

    def __init__(self) -> None:
        self.declared = 0
        self.done: set[Callable[..., Any]] = set()
        self._under_way = 0
        self._began = 0.0

    def on_start(self, event: Any) -> None:
        """Numba begins to compile a kernel, maybe within another one."""
        self._under_way += 1
        if not self._began:
            self._began = time.monotonic()
            _say("compiling kernels, which are kept for the next time")
            threading.Thread(target=self._tell, daemon=True).start()

    def on_end(self, event: Any) -> None:
        """A kernel is done; Numba compiles functions of its own, too."""
        self._under_way -= 1
        function = event.data["dispatcher"].py_func
        if function.__module__.partition(".")[0] == __package__:
            self.done.add(function)

    def _tell(self) -> None:
        while True:
            time.sleep(TOLD_EVERY)
            if self._under_way:
                passed = time.monotonic() - self._began
                done = len(self.done)
                _say(f"  {done} of at most {self.declared} kernels compiled, {passed:.0f} s")


_progress = _Progress()
if os.environ.get(PROGRESS) and parent_process() is None:
    event.register("numba:compile", _progress)


def part(array: Array, at: int, count: int) -> Array:
    """Part of a flat array, which must lie within it.

    A slice in a kernel looks at its bounds and counts references, which takes its time in kernels
    of a microsecond, and far more of it while they are compiled.
    """
    return array[at : at + count]


def table(array: Array, at: int, rows: int, columns: int) -> Array:
    """Part of a flat array as a table (rows, columns)."""
    return array[at : at + rows * columns].reshape(rows, columns)


@type_callable(part)  # type: ignore[untyped-decorator]
def _type_of_part(_context: Any) -> Any:
    return lambda array, at, count: array


@type_callable(table)  # type: ignore[untyped-decorator]
def _type_of_table(_context: Any) -> Any:
    return lambda array, at, rows, columns: array.copy(ndim=2)


@lower_builtin(table, types.Array, types.Integer, types.Integer, types.Integer)  # type: ignore[untyped-decorator]
@lower_builtin(part, types.Array, types.Integer, types.Integer)  # type: ignore[untyped-decorator]
def _lower_part(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """An array over the memory of another one, which outlives it."""
    whole = context.make_array(signature.args[0])(context, builder, values[0])
    made = context.make_array(signature.return_type)(context, builder)
    numbers = zip(values[1:], signature.args[1:], strict=True)
    at, *shape = (context.cast(builder, value, kind, types.intp) for value, kind in numbers)
    strides = [whole.itemsize]
    for count in reversed(shape[1:]):
        strides.insert(0, builder.mul(count, strides[0]))
    data = builder.gep(whole.data, [at])
    populate_array(made, data, shape, strides, whole.itemsize, None)
    return made._getvalue()


def caller(signature: str) -> Callable[..., Any]:
    """A function for kernels that calls another kernel by its address: `call(address, ...)`.

    A kernel is optimised together with all that it calls, again in every kernel that calls it. One
    that is called by address is compiled once and on its own, and which one is called may be
    decided while running. `address_of` tells where it is.

    Args:
        signature: of the kernels called, as Numba writes it, "int64(float64[::1])".
    """
    arguments, returns = sigutils.normalize_signature(signature)

    def call(address: int, *passed: Any) -> Any:
        return _at[int(address)](*passed)

    def type_of_call(*_passed: Any) -> Any:
        return returns(types.int64, *arguments)

    names = ["address", *(f"argument_{n}" for n in range(len(arguments)))]
    type_of_call.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(name, Parameter.POSITIONAL_ONLY) for name in names]
    )
    type_callable(call)(lambda _context: type_of_call)

    any_number = types.VarArg(types.Any)  # type: ignore[attr-defined]

    @lower_builtin(call, types.int64, any_number)  # type: ignore[untyped-decorator]
    def lower_call(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        convention = context.call_conv
        code = convention.get_function_type(returns, arguments).as_pointer()
        kernel_at = builder.inttoptr(values[0], code)
        _, result = convention.call_function(builder, kernel_at, returns, arguments, values[1:])
        return result

    return call


_at: dict[int, Callable[..., Any]] = {}  # kernels by address, for kernels that run as plain Python


def address_of(compiled: Any, signature: str) -> int:
    """Where the machine code of a kernel begins, compiled for a signature if it is not yet."""
    arguments, _ = sigutils.normalize_signature(signature)
    address = id(compiled)
    if hasattr(compiled, "overloads"):
        compiled.compile(arguments)
        found = compiled.overloads[arguments]
        address = int(found.library.get_pointer_to_function(found.fndesc.llvm_func_name))
    _at[address] = compiled
    return address


def warm_up() -> None:
    """Compile every kernel (or load it from the cache), and show how far it is.

    Rooms are compiled side by side, as far as there are processors. Two processes that keep
    kernels of one file at the same moment may lose one of them, so that all are asked for once
    more in the end, which takes seconds.
    """
    from rich.progress import track

    rooms: dict[str, list[Path]] = {}
    for path in kernel_sources()[1:]:
        rooms.setdefault(path.relative_to(PACKAGE).parts[0], []).append(path)
    largest_first = sorted(rooms, key=lambda room: -sum(p.stat().st_size for p in rooms[room]))
    workers = min(len(rooms), os.cpu_count() or 1)
    pool = ProcessPoolExecutor(
        workers, mp_context=get_context("spawn"), initializer=_end_with_parent
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
    _warm_up_files(kernel_sources()[1:])
    _list_compiled()


def _finished(work: dict[Future[None], str], shown: bool) -> Iterator[Future[None]]:
    """Rooms as they are done; where there is no bar, a line for each and one now and then."""
    began, waiting = time.monotonic(), set(work)
    if not shown:
        _say("compiling kernels, which takes minutes the first time")
    while waiting:
        done, waiting = wait(waiting, STILL, FIRST_COMPLETED)
        for room in done:
            if not shown:
                _say(f"compiled {work[room]}")
            yield room
        if not done and not shown:
            passed = time.monotonic() - began
            _say(
                f"still compiling: {len(work) - len(waiting)} of {len(work)} parts, {passed:.0f} s"
            )


def _end_with_parent() -> None:
    """A compiler whose parent was killed must not go on alone."""
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _say(text: str) -> None:
    """Tell on standard error: standard output belongs to what a command answers."""
    print(text, file=sys.stderr, flush=True)


def is_warm() -> bool:
    """Whether every kernel was compiled before; true where nothing can be kept, too."""
    folder = cache_folder()
    return folder is None or (folder / LIST).is_file()


def _warm_up_files(paths: list[Path]) -> None:
    """Compile the kernels of some files."""
    for path in paths:
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        importlib.import_module(".".join(("headframe", *parts))).warm_up()


def _list_compiled() -> None:
    """Write down what the folder holds now, so that a test can tell what came later."""
    folder = cache_folder()
    if folder is not None:
        found = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.nb?"))
        (folder / LIST).write_text("\n".join(found), encoding="utf-8")


if __name__ == "__main__":
    importlib.import_module("headframe.jit").warm_up()  # not __main__'s: workers import it by name
