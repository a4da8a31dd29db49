"""Named records in kernels: one buffer of doubles, cut into arrays of records where it is used.

A dtype declares what a record holds; all its fields are doubles (f8), whole numbers (i8) and
vectors, matrices or records of those, so that any record begins at a double of the buffer. A
kernel takes one buffer, since every argument more costs time in calls of a microsecond, and cuts
from it what it works on:

    model = header(buffer, MODEL)
    freedoms = records(buffer, model.freedoms, FREEDOM)
    freedoms[d].parent, freedoms[d].X_PF[0, 3]

Where a part is, its span tells: a field of the header that `Packing` has filled. No kernel knows
an offset. Fields are views, to be read, written through and passed on. A dtype must not depend on
a machine's sizes, or every machine would compile anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba.core import types
from numba.extending import lower_builtin, type_callable
from numba.np.arrayobj import populate_array
from numpy.typing import NDArray

Array = NDArray[Any]
Records = Any  # an array of records in a kernel; of what kind, its name and its dtype say
Record = Any
Buffer = NDArray[np.float64]

DOUBLE = 8  # bytes
SPAN = ("i8", (2,))  # where a part begins, and how many records or numbers it has
TABLE = ("i8", (3,))  # where a matrix begins, its rows and columns
TABLES = ("i8", (4,))  # where matrices begin, how many, and the rows and columns of each


def layout(**fields: Any) -> np.dtype[Any]:
    """The dtype of a record: names, and for each "f8", "i8", a dtype, or (one of them, shape).

    A name that NumPy's own records use for something else, such as T, is a TypeError.
    """
    taken = [name for name in fields if hasattr(np.record, name)]
    if taken:
        raise TypeError(f"found fields {taken}, which NumPy's records have already")
    declared = [
        (name, *kind) if isinstance(kind, tuple) else (name, kind) for name, kind in fields.items()
    ]
    return np.dtype(declared, align=True)


def doubles(dtype: np.dtype[Any]) -> int:
    """How many doubles of a buffer a record takes."""
    return dtype.itemsize // DOUBLE


# ------------------------------------------------------------------------------------- in kernels


def header(buffer: Buffer, dtype: np.dtype[Any]) -> Record:
    """The record that a buffer begins with."""
    return record(buffer, 0, dtype)


def record(buffer: Buffer, at: int, dtype: np.dtype[Any]) -> Record:
    """The record that begins at a double of a buffer."""
    return buffer[at : at + doubles(dtype)].view(dtype).view(np.recarray)[0]


def records(buffer: Buffer, span: Array, dtype: np.dtype[Any]) -> Records:
    """Part of a buffer as an array of records."""
    at, count = span
    return buffer[at : at + count * doubles(dtype)].view(dtype).view(np.recarray)


def all_records(buffer: Buffer, dtype: np.dtype[Any]) -> Records:
    """A buffer that holds nothing but records of a kind."""
    return buffer.view(dtype).view(np.recarray)


def numbers(buffer: Buffer, span: Array) -> Buffer:
    """Part of a buffer as a vector."""
    at, count = span
    return buffer[at : at + count]


def indices(buffer: Buffer, span: Array) -> NDArray[np.int64]:
    """Part of a buffer as whole numbers."""
    at, count = span
    return buffer[at : at + count].view(np.int64)


def matrix(buffer: Buffer, table: Array) -> Buffer:
    """Part of a buffer as a matrix."""
    at, rows, columns = table
    return buffer[at : at + rows * columns].reshape(rows, columns)


def matrices(buffer: Buffer, tables: Array) -> Buffer:
    """Part of a buffer as matrices of one size."""
    at, count, rows, columns = tables
    return buffer[at : at + count * rows * columns].reshape(count, rows, columns)


@type_callable(header)  # type: ignore[untyped-decorator]
def _type_of_header(_context: Any) -> Any:
    return lambda buffer, dtype: dtype.dtype


@type_callable(record)  # type: ignore[untyped-decorator]
def _type_of_record(_context: Any) -> Any:
    return lambda buffer, at, dtype: dtype.dtype


@type_callable(records)  # type: ignore[untyped-decorator]
def _type_of_records(_context: Any) -> Any:
    return lambda buffer, span, dtype: types.Array(dtype.dtype, 1, "C")


@type_callable(all_records)  # type: ignore[untyped-decorator]
def _type_of_all_records(_context: Any) -> Any:
    return lambda buffer, dtype: types.Array(dtype.dtype, 1, "C")


@type_callable(numbers)  # type: ignore[untyped-decorator]
def _type_of_numbers(_context: Any) -> Any:
    return lambda buffer, span: types.Array(types.float64, 1, "C")


@type_callable(indices)  # type: ignore[untyped-decorator]
def _type_of_indices(_context: Any) -> Any:
    return lambda buffer, span: types.Array(types.int64, 1, "C")


@type_callable(matrix)  # type: ignore[untyped-decorator]
def _type_of_matrix(_context: Any) -> Any:
    return lambda buffer, table: types.Array(types.float64, 2, "C")


@type_callable(matrices)  # type: ignore[untyped-decorator]
def _type_of_matrices(_context: Any) -> Any:
    return lambda buffer, tables: types.Array(types.float64, 3, "C")


@lower_builtin(header, types.Array, types.DType)  # type: ignore[untyped-decorator]
def _lower_header(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    whole = context.make_array(signature.args[0])(context, builder, values[0])
    return builder.bitcast(whole.data, context.get_value_type(signature.return_type))


@lower_builtin(record, types.Array, types.Integer, types.DType)  # type: ignore[untyped-decorator]
def _lower_record(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    whole = context.make_array(signature.args[0])(context, builder, values[0])
    at = context.cast(builder, values[1], signature.args[1], types.intp)
    begin = builder.gep(whole.data, [at])
    return builder.bitcast(begin, context.get_value_type(signature.return_type))


@lower_builtin(all_records, types.Array, types.DType)  # type: ignore[untyped-decorator]
def _lower_all_records(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """An array over all the memory of a buffer, as in `_lower_part`."""
    kind = signature.return_type
    whole = context.make_array(signature.args[0])(context, builder, values[0])
    made = context.make_array(kind)(context, builder)
    size = context.get_constant(types.intp, kind.dtype.size)
    bytes_in_all = builder.mul(whole.nitems, context.get_constant(types.intp, DOUBLE))
    data = builder.bitcast(whole.data, made.data.type)
    populate_array(made, data, [builder.sdiv(bytes_in_all, size)], [size], size, None)
    return made._getvalue()


@lower_builtin(records, types.Array, types.Array, types.DType)  # type: ignore[untyped-decorator]
@lower_builtin(numbers, types.Array, types.Array)  # type: ignore[untyped-decorator]
@lower_builtin(indices, types.Array, types.Array)  # type: ignore[untyped-decorator]
@lower_builtin(matrix, types.Array, types.Array)  # type: ignore[untyped-decorator]
@lower_builtin(matrices, types.Array, types.Array)  # type: ignore[untyped-decorator]
def _lower_part(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """An array over the memory of a buffer, which outlives it; without counting references."""
    kind = signature.return_type
    whole = context.make_array(signature.args[0])(context, builder, values[0])
    span = context.make_array(signature.args[1])(context, builder, values[1])
    made = context.make_array(kind)(context, builder)
    at, *shape = (
        builder.load(builder.gep(span.data, [context.get_constant(types.intp, k)]))
        for k in range(1 + kind.ndim)
    )
    size = kind.dtype.size if isinstance(kind.dtype, types.Record) else DOUBLE
    strides = [context.get_constant(types.intp, size)]
    for count in reversed(shape[1:]):
        strides.insert(0, builder.mul(count, strides[0]))
    data = builder.bitcast(builder.gep(whole.data, [at]), made.data.type)
    populate_array(made, data, shape, strides, context.get_constant(types.intp, size), None)
    return made._getvalue()


# ---------------------------------------------------------------------------------------- packing


class Packing:
    """Lays parts into one buffer behind a header, whose fields of the same names get their spans.

    packing = Packing(MODEL, nq=3)
    packing.add("freedoms", freedoms)
    buffer = packing.buffer()
    """

    def __init__(self, dtype: np.dtype[Any], **values: Any) -> None:
        """Begin with a header of some dtype, with values for fields that are no spans."""
        self.header = np.zeros(1, dtype)
        for name, value in values.items():
            self.header[name] = value
        self._parts: list[Array] = [self.header]

    @property
    def end(self) -> int:
        """Doubles laid so far."""
        return sum(part.nbytes for part in self._parts) // DOUBLE

    def add(self, name: str, part: Array, within: str = "") -> None:
        """Lay a vector, a matrix, whole numbers or records behind what is there.

        Its span is the header's field of that name, or one of a field that is a record itself.
        """
        if part.dtype.names is None:
            part = part.astype(np.int64 if part.dtype.kind in "iub" else np.float64)
        head = self.header[within] if within else self.header
        head[name] = self.end, *part.shape
        self._parts.append(part)

    def within(self, name: str, dtype: np.dtype[Any], **values: Any) -> Packing:
        """Another header behind what is there, whose own parts follow; `name` tells where."""
        inner = Packing(dtype, **values)
        self.header[name] = self.end
        self._parts.append(inner.header)
        inner._parts = self._parts
        return inner

    def buffer(self) -> Buffer:
        """Headers and parts as one array of doubles."""
        flat = [np.ascontiguousarray(part).ravel().view(np.float64) for part in self._parts]
        return np.concatenate(flat)


class Scratch:
    """Where parts of scratch memory are, as a record of spans; the memory itself comes later.

    scratch = Scratch()
    spans = scratch.spans(WORK, bodies=(nd, BODY), M=(nv, nv), right=nv)
    work = np.zeros(scratch.size)
    """

    def __init__(self) -> None:
        """Begin with nothing."""
        self.size = 0

    def spans(self, dtype: np.dtype[Any], **shapes: Any) -> Array:
        """A record of spans: for each field a number, (rows, columns) or (number, dtype)."""
        found = np.zeros((), dtype)
        if set(shapes) != set(dtype.names or ()):
            raise TypeError(f"found {sorted(shapes)}, expected {dtype.names}")
        for name, shape in shapes.items():
            found[name] = self.reserve(shape)
        return found

    def reserve(self, shape: Any) -> tuple[int, ...]:
        """The span of so many numbers, of a matrix (rows, columns), or of (number, dtype)."""
        wide = 1
        if isinstance(shape, tuple) and isinstance(shape[1], np.dtype):
            shape, wide = shape[0], doubles(shape[1])
        sizes = shape if isinstance(shape, tuple) else (shape,)
        at, self.size = self.size, self.size + wide * int(np.prod(sizes))
        return at, *sizes


def new_records(count: int, dtype: np.dtype[Any]) -> Records:
    """Records of nothing, whose fields are attributes outside of kernels, too."""
    return np.zeros(count, dtype).view(np.recarray)


def as_argument(found: Records) -> Records:
    """The same records for kernels, which take a plain array in an eighth of a record array's time.

    Outside of kernels fields of single records are attributes, those of the array are not.
    """
    return found.view(np.ndarray)


def as_records(found: Sequence[Record], dtype: np.dtype[Any]) -> Records:
    """Single records as an array of them."""
    all_records = new_records(len(found), dtype)
    for n, one in enumerate(found):
        all_records[n] = one
    return all_records
