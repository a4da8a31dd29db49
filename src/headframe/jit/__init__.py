"""What all kernels share: decorators and cache, memory, calls by address, and warming up.

`decorators` compile a function, `cache` keeps its code; `entries` declare what types it is called
with; `sources` tells which files are compiled; `memory` and `records` cut arrays out of buffers;
`calling` calls a kernel by its address; `warming` compiles ahead of use; `progress` tells that
something is being compiled.
"""

from .background import Background
from .cache import cache_folder
from .calling import address_of, caller
from .compile_order import DRIVING, DYNAMICS, REACHING, part_of
from .decorators import batch_kernel, inlined_kernel, kernel
from .entries import (
    FROZEN,
    MATRICES,
    MATRICES_4,
    MATRIX,
    NUMBER,
    TRUTH,
    VECTOR,
    WHOLE,
    WHOLE_MATRIX,
    WHOLES,
    array_of,
    compile_entry,
    entry,
    lock,
    record_of,
    tuple_of,
)
from .memory import doubles_at, part, table
from .record_arrays import (
    SPAN,
    TABLE,
    TABLES,
    Packing,
    Record,
    Records,
    Scratch,
    all_records,
    as_argument,
    as_records,
    doubles,
    header,
    indices,
    layout,
    matrices,
    matrix,
    new_records,
    numbers,
    record,
    records,
)
from .sources import PACKAGE, kernel_sources, source_hash
from .warming import warm_up

__all__ = [
    "DRIVING",
    "DYNAMICS",
    "FROZEN",
    "MATRICES",
    "MATRICES_4",
    "MATRIX",
    "NUMBER",
    "PACKAGE",
    "REACHING",
    "SPAN",
    "TABLE",
    "TABLES",
    "TRUTH",
    "VECTOR",
    "WHOLE",
    "WHOLES",
    "WHOLE_MATRIX",
    "Background",
    "Packing",
    "Record",
    "Records",
    "Scratch",
    "address_of",
    "all_records",
    "array_of",
    "as_argument",
    "as_records",
    "batch_kernel",
    "cache_folder",
    "caller",
    "compile_entry",
    "doubles",
    "doubles_at",
    "entry",
    "header",
    "indices",
    "inlined_kernel",
    "kernel",
    "kernel_sources",
    "layout",
    "lock",
    "matrices",
    "matrix",
    "new_records",
    "numbers",
    "part",
    "part_of",
    "record",
    "record_of",
    "records",
    "source_hash",
    "table",
    "tuple_of",
    "warm_up",
]
