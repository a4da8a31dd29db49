"""The decorators of all kernels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from .cache import cache_folder, caching_in
from .progress import progress

F = TypeVar("F", bound=Callable[..., Any])


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
    progress.declared += 1
    folder = cache_folder()
    if folder is None:
        return numba.njit(error_model="numpy", **options)(function)  # type: ignore[no-any-return]
    with caching_in(folder):
        compiled = numba.njit(cache=True, error_model="numpy", **options)
        return compiled(function)  # type: ignore[no-any-return]
