"""Sorting in place, in n log n steps whatever the order was."""

from __future__ import annotations

from ...jit import inlined_kernel, kernel
from ..near.vectors import Floats, Whole


@inlined_kernel
def sink(keys: Floats, order: Whole, root: int, count: int) -> None:
    """Let a key sink to its place in a heap whose greatest is at the top."""
    key, what = keys[root], order[root]
    child = root + root + 1
    while child < count:
        if child + 1 < count and comes_before(keys, order, child, child + 1):
            child += 1
        if key > keys[child] or (key == keys[child] and what >= order[child]):
            break
        keys[root], order[root] = keys[child], order[child]
        root = child
        child = root + root + 1
    keys[root], order[root] = key, what


@inlined_kernel
def comes_before(keys: Floats, order: Whole, i: int, j: int) -> bool:
    """Whether the key at i is less than that at j; of equal ones the number decides."""
    return bool(keys[i] < keys[j] or (keys[i] == keys[j] and order[i] < order[j]))


@kernel
def sort_by_keys(keys: Floats, order: Whole, count: int) -> None:
    """Sort keys, and numbers along with them; of equal keys the lower number comes first."""
    for root in range(count // 2 - 1, -1, -1):
        sink(keys, order, root, count)
    for last in range(count - 1, 0, -1):
        keys[0], keys[last] = keys[last], keys[0]
        order[0], order[last] = order[last], order[0]
        sink(keys, order, 0, last)
