"""Which files are compiled, and a hash of all that their code depends on.

Numba notices a change in a kernel's own file, but not in a file that the kernel calls into or takes
a constant from: it would go on returning the old result. So the hash covers the kernels' files and
every file of the package that they import.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numba

PACKAGE = Path(__file__).parents[1]
IN_KERNELS = ("calling.py", "decorators.py", "memory.py", "records.py")  # what kernels use of `jit`
DECORATED = re.compile(rb"^[ \t]*@(?:jit\.)?(?:batch_|inlined_)?kernel\b", re.MULTILINE)
IMPORTED = re.compile(rb"^from (\.+)([\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)
COMMENT = re.compile(rb"#[^\n]*")


@cache
def kernel_sources() -> tuple[Path, ...]:
    """All files with compiled functions, in a fixed order: those that use a decorator of ours."""
    modules = sorted(path for path in PACKAGE.rglob("*.py") if not _is_ours(path))
    return tuple(path for path in modules if DECORATED.search(path.read_bytes()))


def module_name(path: Path) -> str:
    """How a file of the package is imported: "headframe.spatial.rotations"."""
    return ".".join((PACKAGE.name, *path.relative_to(PACKAGE).with_suffix("").parts))


def hashed_sources(kernels: Iterable[Path]) -> list[Path]:
    """Files whose text decides what kernels do: theirs, all that these import, and of `jit`."""
    own = [path for name in IN_KERNELS if (path := PACKAGE / "jit" / name).is_file()]
    found, waiting = set(own), list(kernels)
    while waiting:
        path = waiting.pop()
        if path not in found and not _is_ours(path):
            found.add(path)
            waiting.extend(_imports(path))
    return sorted(found)


def source_hash() -> str:
    """Hash of all that compiled code depends on, and of Numba's version."""
    digest = hashlib.sha256(numba.__version__.encode())
    for path in hashed_sources(kernel_sources()):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _is_ours(path: Path) -> bool:
    """Whether a file is one of `jit`, which speaks of kernels and has none."""
    return path.parent == PACKAGE / "jit"


def _imports(path: Path) -> Iterator[Path]:
    """Files of the package from which a module takes something while it is loaded."""
    for dots, module, names in IMPORTED.findall(COMMENT.sub(b"", path.read_bytes())):
        at = path.parents[len(dots) - 1].joinpath(*module.decode().split("."))
        for name in names.strip(b"()").split(b","):
            first = name.split()[:1]
            if first:
                yield from _files(at / first[0].decode(), at)


def _files(*places: Path) -> Iterator[Path]:
    """The first of some modules that is there: a name may be a module, or be in one."""
    for place in places:
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                yield file
                return
