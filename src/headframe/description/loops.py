"""Which joints close loops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Protocol


class Connection(Protocol):
    """Anything that leads from a parent link to a child link."""

    @property
    def parent(self) -> str: ...  # noqa: D102

    @property
    def child(self) -> str: ...  # noqa: D102


def closure_pairs(joints: Sequence[Connection]) -> tuple[tuple[int, int], ...]:
    """Pairs of joints between the same two links in opposite directions.

    Each pair is one pivot that closes a loop: the pivot's place on either link is the origin of
    the joint whose parent that link is. The joint listed first in the file comes first.
    """
    waiting: dict[tuple[str, str], list[int]] = defaultdict(list)
    pairs = []
    for j, joint in enumerate(joints):
        opposite = waiting[joint.child, joint.parent]
        if opposite:
            pairs.append((opposite.pop(0), j))
        else:
            waiting[joint.parent, joint.child].append(j)
    return tuple(pairs)
