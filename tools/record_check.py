"""Refuse kernels that know an offset: records have names, and an index is a place or a component.

In a kernel's file an index is a variable, a sum of variables, or a small whole number that means a
component of a vector or a matrix. Strides and named offsets (`6 * k + 5`, `AT + 3`, `[MASS]`) are
for the files that pack records, which have no kernels.

    python tools/record_check.py        prints what it finds; the exit code tells whether it is much
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from kernel_hash import kernel_sources

PACKAGE = Path(__file__).parents[1] / "src" / "headframe"
MOST = 20  # components of the longest vector: an articulated inertia has 21 numbers

# Named indices that are places, not offsets: rows of small matrices, by what they are about.
PLACES = {"VELOCITIES", "PSEUDO"}

# Files that still use strides, and why.
EXCEPTIONS = {
    "pictures/_kernels.py": "pixels and triangles",
}


def offsets(source: str) -> Iterator[tuple[int, str]]:
    """Line and text of every index that is an offset."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Subscript):
            continue
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for part in parts:
            if is_offset(part) and not in_annotation(node):
                yield node.lineno, ast.unparse(node)


def in_annotation(node: ast.Subscript) -> bool:
    """Whether a subscript is a type: `tuple[int, ...]`, `NDArray[...]`."""
    name = node.value
    return isinstance(name, ast.Name) and name.id in (
        "tuple",
        "NDArray",
        "list",
        "dict",
        "Callable",
    )


def is_offset(index: ast.expr) -> bool:
    """Whether an index is a stride, a named offset, or a number that no vector has."""
    if isinstance(index, ast.Constant):
        return isinstance(index.value, int) and index.value > MOST
    if isinstance(index, ast.Name):
        return index.id.isupper() and len(index.id) > 1 and index.id not in PLACES
    if isinstance(index, ast.BinOp):
        return any(
            (isinstance(part, ast.Name) and part.id.isupper() and part.id not in PLACES)
            or (
                isinstance(part, ast.BinOp)
                and isinstance(part.op, ast.Mult)
                and any(isinstance(side, ast.Constant) for side in (part.left, part.right))
            )
            for part in ast.walk(index)
        )
    return False


def main() -> int:
    """Look at all files of kernels."""
    found = [
        f"{path.relative_to(PACKAGE).as_posix()}:{line}: {text}"
        for path in kernel_sources()
        if path.relative_to(PACKAGE).as_posix() not in EXCEPTIONS
        for line, text in offsets(path.read_text(encoding="utf-8"))
    ]
    for each in found:
        print(f"src/headframe/{each} is an offset: name what stands there in a record")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
