"""What all kernels share: their decorators and cache, memory, calls by address, and warming up.

`decorators` compile a function, `cache` keeps its code; `sources` tells which files are compiled;
`memory` cuts scratch arrays; `calling` calls a kernel by its address; `warming` compiles ahead of
use; `progress` tells that something is being compiled.
"""

from .cache import cache_folder
from .calling import address_of, caller
from .decorators import batch_kernel, inlined_kernel, kernel
from .memory import part, table
from .sources import PACKAGE, kernel_sources, source_hash
from .warming import is_warm, warm_up

__all__ = [
    "PACKAGE",
    "address_of",
    "batch_kernel",
    "cache_folder",
    "caller",
    "inlined_kernel",
    "is_warm",
    "kernel",
    "kernel_sources",
    "part",
    "source_hash",
    "table",
    "warm_up",
]
