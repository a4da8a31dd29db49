"""Kernels that are called from outside of kernels, and the types of their arguments.

Numba finds out the types when a kernel is first called. Where they are declared, a kernel can be
compiled ahead of its first call, and can be made to refuse any others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from numba import from_dtype
from numba.core import types

F = TypeVar("F", bound=Callable[..., Any])

NUMBER = types.float64
WHOLE = types.int64
TRUTH = types.boolean
VECTOR = types.Array(types.float64, 1, "C")
FROZEN = types.Array(types.float64, 1, "C", readonly=True)  # a vector that cannot be written to
MATRIX = types.Array(types.float64, 2, "C")
MATRICES = types.Array(types.float64, 3, "C")
MATRICES_4 = types.Array(types.float64, 4, "C")  # rows of matrices
WHOLES = types.Array(types.int64, 1, "C")
WHOLE_MATRIX = types.Array(types.int64, 2, "C")


def record_of(dtype: np.dtype[Any]) -> Any:
    """The type of a record."""
    return from_dtype(dtype)


def array_of(dtype: np.dtype[Any]) -> Any:
    """The type of an array of records."""
    return types.Array(record_of(dtype), 1, "C")


def tuple_of(*members: Any) -> Any:
    """The type of a tuple of such members."""
    return types.BaseTuple.from_types(members)  # type: ignore[attr-defined]


def entry(*arguments: Any) -> Callable[[F], F]:
    """Declare the types with which a kernel is called from outside of kernels."""

    def declared(kernel: F) -> F:
        kernel.entry_types = arguments  # type: ignore[attr-defined]
        return kernel

    return declared


def entries_of(module: ModuleType) -> Iterator[Any]:
    """The kernels of a module that are called from outside of kernels."""
    for value in vars(module).values():
        if hasattr(value, "entry_types") and value.__module__ == module.__name__:
            yield value


def compile_entry(kernel: Any) -> None:
    """Compile a kernel for its declared types, or load it from the cache, if it is not yet."""
    if hasattr(kernel, "overloads") and kernel.entry_types not in kernel.overloads:
        kernel.compile(kernel.entry_types)


def lock(kernel: Any) -> None:
    """Let a kernel take its declared types and nothing else, with a TypeError."""
    if hasattr(kernel, "overloads"):
        compile_entry(kernel)
        kernel.disable_compile()
