"""Parts of scratch memory: views that cost nothing to cut."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

Array = NDArray[Any]
DOUBLE = 8  # bytes


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


def doubles_at(address: int, count: int) -> NDArray[np.float64]:
    """So many doubles that begin at an address, `NDArray.ctypes.data` of an array that is kept."""
    return np.ctypeslib.as_array((ctypes.c_double * int(count)).from_address(int(address)))


@type_callable(doubles_at)  # type: ignore[untyped-decorator]
def _type_of_doubles(_context: Any) -> Any:
    return lambda address, count: types.Array(types.float64, 1, "C")


@lower_builtin(doubles_at, types.Integer, types.Integer)  # type: ignore[untyped-decorator]
def _lower_doubles(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    made = context.make_array(signature.return_type)(context, builder)
    kinds = zip(values, signature.args, strict=True)
    address, count = (context.cast(builder, value, kind, types.intp) for value, kind in kinds)
    size = context.get_constant(types.intp, DOUBLE)
    populate_array(made, builder.inttoptr(address, made.data.type), [count], [size], size, None)
    return made._getvalue()
