"""Refuse kernels that know an offset: records have names, and an index is a place or a component.

In a file of kernels a whole number in an index means a component of a vector or a matrix: at most
5, the last of a six-vector, and at most 3 beside a variable (`3 + k`, the linear part of one;
`iq + 3`, the last part of a quaternion). Refused are

    parts[7], x[at + 7]             numbers that no component has
    x[at : at + 3], x[::6]          pieces that are cut out of a flat array
    x[6 * k + 5]                    strides, also as `at = 6 * k`, and then `x[at]`
    x[MASS], x[records.AT + 1]      named offsets, alone and in sums
    x[rows.shape[0] + r]            what lies behind something else in one array
    rows_work[2]                    rows of scratch memory by their numbers
    part(work, AT + 3, n)           the same where `part`, `table` and `record` are told a place

Such things are for the files that pack records, which have no kernels. What cannot be seen here are
rows and columns of other matrices that mean different things, and sums of variables.

    python tools/record_check.py        prints what it finds; the exit code tells whether it is much
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from kernel_hash import kernel_sources

PACKAGE = Path(__file__).parents[1] / "src" / "headframe"
LAST = 5  # component of the longest vector
LAST_BESIDE = 3  # what may be added to a variable
TYPES = ("tuple", "list", "dict", "type", "NDArray", "ndarray", "Callable")
CUTS = ("part", "table", "record")  # functions of `jit` whose second argument is a place
SIZES = ("shape", "size")

# Named indices that are places, not offsets: rows of small matrices, by what they are about.
PLACES = {"VELOCITIES", "PSEUDO"}


class Let(NamedTuple):
    """An array whose components are known by their numbers, or cut out by them, and why."""

    array: str  # as it is written before the bracket
    reason: str


POSE = "a pose as twelve numbers, 3x4 in rows (spatial/algebra.py)"
BODY = "a rigid body as ten numbers (spatial/algebra.py)"
PACKED = "a symmetric 6x6 matrix as the 21 numbers of its triangle"
CHAINS = "chains of equal length one behind the other, of which one is taken"

EXCEPTIONS = {
    "baselines/maximal/reading.py": (
        Let("A", POSE),
        Let("B", POSE),
        Let("frame", POSE),
        Let("q_io", "positions of a free joint: a quaternion, behind it a place"),
    ),
    "constraints/augmented/reading.py": (
        Let("X", POSE),
        Let("q_io", "positions of a free joint: a quaternion, behind it a place"),
    ),
    "dynamics/embedding/functions.py": (Let("records(work, own.work.chains, CHAIN_STEP)", CHAINS),),
    "dynamics/touching/loose.py": (Let("X", POSE), Let("R", POSE)),
    "dynamics/touching/placing.py": (Let("X", POSE), Let("X_WS", POSE)),
    "dynamics/tree/articulated.py": (
        Let("x", PACKED),
        Let("p", PACKED),
        Let("h", PACKED),
        Let("handle", PACKED),
    ),
    "dynamics/tree/quantities.py": (Let("body", BODY),),
    "dynamics/variational/midpoint.py": (
        Let("A_work", "of a matrix that is factored, the first row is used as a vector"),
    ),
    "kinematics/inverse/objective.py": (Let("chains", CHAINS),),
    "mechanism/placing.py": (Let("pose", POSE),),
    "pictures/shading.py": (
        Let("ground_in", "centre, radius, spacing and two axes of the ground: not a record yet"),
        Let("normal_in", "a picture of twice as many pixels"),
        Let("key", "a picture of eight times as many pixels"),
    ),
    "spatial/algebra.py": (
        Let("x", "poses and rigid bodies, which are taken apart here"),
        Let("a", BODY),
        Let("b", BODY),
        Let("S", "a series of seven terms"),
        Let("C", "a series of seven terms"),
    ),
}


class Offset(NamedTuple):
    """An index that is an offset."""

    line: int
    text: str
    array: str


def offsets(source: str) -> Iterator[Offset]:
    """Every index of a file that is an offset, in the order of its lines."""
    tree = ast.parse(source)
    strides: dict[ast.AST, frozenset[str]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            strides |= dict.fromkeys(ast.walk(function), strides_of(function))
    found = set()
    for node in ast.walk(tree):
        known = strides.get(node, frozenset())
        if isinstance(node, ast.Subscript) and not is_type(node):
            array, indices = node.value, parts_of(node.slice)
            bad = any(is_offset(index, known) for index in indices) or (
                is_scratch(array) and number_of(indices[0]) is not None
            )
        elif isinstance(node, ast.Call) and last_name(node.func) in CUTS and len(node.args) > 1:
            array, bad = node.args[0], is_offset(node.args[1], known)
        else:
            continue
        if bad:
            found.add(Offset(node.lineno, ast.unparse(node), ast.unparse(array)))
    yield from sorted(found)


def parts_of(index: ast.expr) -> list[ast.expr]:
    """What stands between the commas of an index."""
    return index.elts if isinstance(index, ast.Tuple) else [index]


def is_type(node: ast.Subscript) -> bool:
    """Whether a subscript is a type: `tuple[int, ...]`, `NDArray[...]`."""
    return last_name(node.value) in TYPES


def is_scratch(array: ast.expr) -> bool:
    """Whether an array is scratch memory by its name: `work`, `rows_work`."""
    return last_name(array).split("_")[-1] == "work"


def last_name(node: ast.expr) -> str:
    """`AT` of `AT` and of `records.AT`; nothing if it is no name."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


# --------------------------------------------------------------------------------- one index


def is_offset(index: ast.expr, strides: frozenset[str]) -> bool:
    """Whether an index is an offset, with the names of variables that are strides."""
    if isinstance(index, ast.Slice):
        return is_cut(index, strides)
    if isinstance(index, ast.IfExp):
        return is_offset(index.body, strides) or is_offset(index.orelse, strides)
    if isinstance(index, ast.Call):
        return any(is_offset(argument, strides) for argument in index.args)
    number = number_of(index)
    if number is not None:
        return not -LAST - 1 <= number <= LAST
    if isinstance(index, ast.BinOp):
        return is_far(index, strides, LAST_BESIDE)
    return is_constant(index) or is_stride(index, strides)


def is_cut(cut: ast.Slice, strides: frozenset[str]) -> bool:
    """Whether a slice has an offset as a bound, or takes every so many."""
    step = 1 if cut.step is None else number_of(cut.step)
    if step not in (1, -1):
        return True
    return any(is_bound(bound, strides) for bound in (cut.lower, cut.upper) if bound is not None)


def is_bound(bound: ast.expr, strides: frozenset[str]) -> bool:
    """Whether a slice's bound is an offset: an end is one further, a sum is a piece's length."""
    number = number_of(bound)
    if number is not None:
        return not -LAST - 1 <= number <= LAST + 1
    if isinstance(bound, ast.BinOp):
        return is_far(bound, strides, 1)
    return is_offset(bound, strides)


def is_far(sum_: ast.BinOp, strides: frozenset[str], most: int) -> bool:
    """Whether arithmetic in an index has named constants, strides, sizes, or a sum above `most`."""
    leaves = list(leaves_of(sum_))
    total = sum(number_of(leaf) or 0 for leaf in leaves)
    return (
        abs(total) > most
        or has_stride(sum_)
        or has_size(sum_)
        or any(is_constant(leaf, alone=False) or is_stride(leaf, strides) for leaf in leaves)
    )


def leaves_of(node: ast.expr) -> Iterator[ast.expr]:
    """What arithmetic is made of; the right side of a remainder is none of it: `(k + 1) % 3`."""
    if isinstance(node, ast.BinOp):
        yield from leaves_of(node.left)
        if not (isinstance(node.op, ast.Mod) and number_of(node.right) is not None):
            yield from leaves_of(node.right)
    elif isinstance(node, ast.UnaryOp) and number_of(node) is None:
        yield from leaves_of(node.operand)
    else:
        yield node


def number_of(node: ast.expr) -> int | None:
    """The whole number that is written there, or None."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        number = number_of(node.operand)
        return None if number is None else -number
    whole = isinstance(node, ast.Constant) and type(node.value) is int
    return node.value if whole else None


def is_constant(node: ast.expr, alone: bool = True) -> bool:
    """Whether a node is a named constant; alone in an index one letter may be a variable."""
    name = last_name(node)
    short = len(name) == 1 and (alone or isinstance(node, ast.Attribute))
    return name.isupper() and not short and name not in PLACES


def is_stride(node: ast.expr, strides: frozenset[str]) -> bool:
    """Whether a node is a variable that was made by a stride."""
    return isinstance(node, ast.Name) and node.id in strides


def has_stride(node: ast.expr) -> bool:
    """Whether something is multiplied by a whole number."""
    return any(
        isinstance(part, ast.BinOp)
        and isinstance(part.op, (ast.Mult, ast.LShift))
        and any(abs(number_of(side) or 0) > 1 for side in (part.left, part.right))
        for part in arithmetic(node)
    )


def has_size(node: ast.expr) -> bool:
    """Whether something is added to the size of an array: what lies behind it."""
    return any(
        isinstance(part, ast.BinOp)
        and isinstance(part.op, ast.Add)
        and any(is_size(side) for side in (part.left, part.right))
        for part in arithmetic(node)
    )


def is_size(node: ast.expr) -> bool:
    """Whether a node is `x.shape[0]`, `x.size` or `len(x)`."""
    if isinstance(node, ast.Call):
        return last_name(node.func) == "len"
    inner = node.value if isinstance(node, ast.Subscript) else node
    return isinstance(inner, ast.Attribute) and inner.attr in SIZES


def arithmetic(node: ast.expr) -> Iterator[ast.expr]:
    """A node and the arithmetic that it is made of, without what stands in brackets or calls."""
    yield node
    if isinstance(node, ast.BinOp):
        yield from arithmetic(node.left)
        yield from arithmetic(node.right)


# ------------------------------------------------------------------------------ one function


def strides_of(function: ast.FunctionDef) -> frozenset[str]:
    """Variables that a function sets by a stride or a named offset: `at = 6 * k`, `at = AT + k`."""
    found = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                found |= {
                    name for name, value in pairs(target, node.value) if strides_to(name, value)
                }
        elif isinstance(node, ast.For) and is_striding(node.iter):
            found.add(last_name(node.target))
    return frozenset(found)


def pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Names and what they get, in `a = 1` and in `a, b = 1, 2`."""
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for one, its in zip(target.elts, value.elts, strict=False):
            yield from pairs(one, its)


def strides_to(name: str, value: ast.expr) -> bool:
    """Whether a variable gets what would be an offset in an index.

    Not what goes on from itself (`iq = iq + 4`, behind a quaternion), nor what is divided (a cell).
    """
    if not isinstance(value, ast.BinOp) or name in map(last_name, leaves_of(value)):
        return False
    divided = any(
        isinstance(part, ast.BinOp) and isinstance(part.op, (ast.Div, ast.FloorDiv, ast.Mod))
        for part in arithmetic(value)
    )
    return not divided and is_far(value, frozenset(), LAST_BESIDE)


def is_striding(sequence: ast.expr) -> bool:
    """Whether a loop goes over every so many: `range(0, n, 6)`."""
    if not (isinstance(sequence, ast.Call) and last_name(sequence.func) == "range"):
        return False
    step = number_of(sequence.args[2]) if len(sequence.args) > 2 else 1
    return step not in (1, -1)


def main() -> int:
    """Look at all files of kernels."""
    found = [
        f"{name}:{offset.line}: {offset.text}"
        for path in kernel_sources()
        for name in [path.relative_to(PACKAGE).as_posix()]
        for offset in offsets(path.read_text(encoding="utf-8"))
        if offset.array not in {let.array for let in EXCEPTIONS.get(name, ())}
    ]
    for each in found:
        print(f"src/headframe/{each} is an offset: name what stands there in a record")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
