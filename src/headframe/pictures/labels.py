"""Names beside a picture: where to put them so that nothing overlaps.

Names may stand on a grid of places, on lines like those of a text, wherever they cover nothing.
Each gets the place from which its leader is short and runs over few strange parts; then one name
at a time moves until no name overlaps another and no leader crosses a leader or a name.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import rasterizing

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]

OVER_OTHERS = 2.5  # a pixel of leader over another part costs that many pixels more
OFF_CENTER = 0.35  # cost of a pixel between the leader's end and the part's thickest place
CROSSING = 3000.0  # cost of crossing a leader or a name [px]
OVERLAP = 1e6  # cost of two names on each other [px]
TOO_LONG = 600.0  # names that cost more are left to other views [px]
BEST = 160  # places of a name that are looked at
GAP = 10  # free space between the machine and a name [px]
COLUMN, LINE = 40.0, 9.0  # distance of places; of lines beyond the text's height [px]


@dataclass(frozen=True)
class PlacedLabel:
    """A name's place: middle of its text, the leader's end there, and its end on the part [px]."""

    text: tuple[float, float]
    start: tuple[float, float]
    anchor: tuple[float, float]


@dataclass(frozen=True)
class Choices:
    """The k best places of one name.

    Attributes:
        cost: (k,) [px].
        texts: middle of the text, (k, 2) [px].
        starts: the leader's end at the text, (k, 2) [px].
        ends: the leader's end on the part, (k, 2) [px].
        half: half the text's width and height, with some air, (2,) [px].
    """

    cost: Floats
    texts: Floats
    starts: Floats
    ends: Floats
    half: Floats

    def __len__(self) -> int:
        return len(self.cost)

    def at(self, k: int) -> PlacedLabel:
        """The k-th place."""
        text, start, end = (tuple(map(float, p[k])) for p in (self.texts, self.starts, self.ends))
        return PlacedLabel(text, start, end)  # type: ignore[arg-type]


def place_names(
    owner: NDArray[np.int32], wanted: list[int], sizes: Floats, blocked: Mask | None = None
) -> list[PlacedLabel | None]:
    """Find a place for every name.

    Args:
        owner: which name a pixel belongs to, -1 for none, (h, w).
        wanted: the owners that get a name.
        sizes: width and height of their texts [px], (n, 2).
        blocked: further pixels that names must not cover, (h, w).

    Returns:
        A place for each of `wanted`; None where a part cannot be seen or there is no room.
    """
    result: list[PlacedLabel | None] = [None] * len(wanted)
    if not wanted:
        return result
    depth = np.zeros(owner.shape)
    rasterizing.depth_inside(owner, depth)
    taken = owner >= 0 if blocked is None else (owner >= 0) | blocked
    area = np.zeros((owner.shape[0] + 1, owner.shape[1] + 1), dtype=np.int64)
    area[1:, 1:] = np.cumsum(np.cumsum(taken, axis=0), axis=1)
    places = _places(owner.shape, float(np.max(sizes[:, 1])))
    choices = {}
    for i, who in enumerate(wanted):
        anchors = _anchors(owner == who, depth)
        if len(anchors):
            choice = _choices(owner, who, anchors, sizes[i], places, area)
            if len(choice):
                choices[i] = choice
    for i, k in _assign(choices).items():
        result[i] = choices[i].at(k)
    return result


def _places(shape: tuple[int, ...], text_height: float) -> Floats:
    """Middles of all places, (k, 2) as x, y [px]."""
    height, width = shape
    columns, lines = max(1, int(width // COLUMN)), max(1, int(height // (text_height + LINE)))
    x = (np.arange(columns) + 0.5) * width / columns
    y = (np.arange(lines) + 0.5) * height / lines
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def _anchors(mask: Mask, depth: Floats, most: int = 12, least: int = 40) -> Floats:
    """Points well inside what is seen of a part, the deepest first, (k, 2) as x, y [px]."""
    points = np.argwhere(mask)
    if len(points) < least:
        return np.zeros((0, 2))
    inside = depth[points[:, 0], points[:, 1]]
    deepest = points[int(np.argmax(inside))].astype(float)
    points = points[inside >= min(0.7 * float(np.max(inside)), 14.0)].astype(float)
    points = points[:: max(1, len(points) // 2000)]
    chosen = [deepest]
    apart = np.linalg.norm(points - deepest, axis=1)
    while len(chosen) < most and apart.max() > 6.0:
        chosen.append(points[int(np.argmax(apart))])
        apart = np.minimum(apart, np.linalg.norm(points - chosen[-1], axis=1))
    return np.array(chosen)[:, ::-1] + 0.5


def _choices(
    owner: NDArray[np.int32],
    who: int,
    anchors: Floats,
    size: Floats,
    places: Floats,
    area: NDArray[np.int64],
) -> Choices:
    """Cost and leader of one name at every place; `area` sums what names must not cover."""
    height, width = owner.shape
    half = size / 2 + (3.0, 1.0)
    low, high = places - half - GAP, places + half + GAP
    left, right = np.clip(np.stack([low[:, 0], high[:, 0]]), 0, width).astype(np.int64)
    top, bottom = np.clip(np.stack([low[:, 1], high[:, 1]]), 0, height).astype(np.int64)
    covered = area[bottom, right] - area[top, right] - area[bottom, left] + area[top, left]
    inside = (low + GAP > 4.0).all(axis=1) & (high - GAP < (width - 4.0, height - 4.0)).all(axis=1)
    places = places[(covered == 0) & inside]
    near = np.linalg.norm(places[:, None] - anchors, axis=-1).min(axis=1, initial=np.inf)
    places = places[np.argsort(near, kind="stable")[:BEST]]

    # the side of the text that is nearest to each anchor, (places, anchors, 2)
    sides = np.array([(-half[0], 0.0), (half[0], 0.0), (0.0, -half[1]), (0.0, half[1])])
    starts = places[:, None, None, :] + sides
    length = np.linalg.norm(anchors[None, :, None, :] - starts, axis=-1)
    side = np.argmin(length, axis=-1)
    length = length.min(axis=-1, initial=np.inf)
    starts = places[:, None, :] + sides[side]
    steps = np.linspace(0.03, 0.97, 24)[:, None]
    along = (starts[..., None, :] + steps * (anchors - starts)[..., None, :]).astype(np.int64)
    there = owner[np.clip(along[..., 1], 0, height - 1), np.clip(along[..., 0], 0, width - 1)]
    strange = ((there >= 0) & (there != who)).mean(axis=-1)
    off_center = np.linalg.norm(anchors - anchors[0], axis=1)
    cost = length * (1.0 + OVER_OTHERS * strange) + OFF_CENTER * off_center
    best = np.argmin(cost, axis=1)
    rows = np.arange(len(places))
    fit = cost[rows, best] < TOO_LONG
    rows, best = rows[fit], best[fit]
    return Choices(
        cost[rows, best], places[rows], starts[rows, best], anchors[best], size / 2 + 4.0
    )


def _assign(choices: dict[int, Choices], attempts: int = 10) -> dict[int, int]:
    """Place of every name; a name that would still lie on another is left out."""
    # those with the dearest best place choose first
    order = sorted(choices, key=lambda i: -float(np.min(choices[i].cost)))
    place_of = _settled({}, order, choices)
    # where names still touch each other, take them and some of their neighbours out, and let
    # them choose in another order
    shuffle = np.random.default_rng(0)
    for attempt in range(attempts):
        troubled = [i for i in order if _trouble_here(i, choices, place_of) > 0]
        if not troubled:
            break
        at = {i: choices[i].texts[k] for i, k in place_of.items()}
        away = {i: min(float(np.linalg.norm(at[i] - at[j])) for j in troubled) for i in order}
        nearest = sorted(order, key=away.__getitem__)[: len(troubled) + attempt]
        others = {i: k for i, k in place_of.items() if i not in nearest}
        turn = [nearest[i] for i in shuffle.permutation(len(nearest))]
        trial = _settled(others, [*turn, *others], choices)
        if _total(trial, choices) < _total(place_of, choices) - 1e-9:
            place_of = trial
    for i in order:
        if _trouble_here(i, choices, place_of) >= OVERLAP:
            del place_of[i]
    return place_of


def _settled(
    place_of: dict[int, int], order: list[int], choices: dict[int, Choices], sweeps: int = 10
) -> dict[int, int]:
    """Let every name in turn go to its best place, until none wants to move."""
    place_of = dict(place_of)
    for _ in range(sweeps):
        changed = False
        for i in order:
            total = choices[i].cost + _trouble(i, choices, place_of)
            best = int(np.argmin(total))
            if i not in place_of or total[best] < total[place_of[i]] - 1e-9:
                place_of[i], changed = best, True
        if not changed:
            break
    return place_of


def _total(place_of: dict[int, int], choices: dict[int, Choices]) -> float:
    """Cost of all names where they are; what two names share counts for both."""
    return sum(
        float(choices[i].cost[k]) + _trouble_here(i, choices, place_of) for i, k in place_of.items()
    )


def _trouble_here(i: int, choices: dict[int, Choices], place_of: dict[int, int]) -> float:
    """Cost of what name i touches where it is."""
    return float(_trouble(i, choices, place_of, slice(place_of[i], place_of[i] + 1))[0])


def _trouble(
    i: int, choices: dict[int, Choices], place_of: dict[int, int], which: slice = slice(None)
) -> Floats:
    """Cost of what name i would touch at `which` of its places, given where the others are."""
    own = choices[i]
    others = [j for j in place_of if j != i]
    if not others:
        return np.zeros(len(own.cost[which]))
    texts = np.array([choices[j].texts[place_of[j]] for j in others])
    starts = np.array([choices[j].starts[place_of[j]] for j in others])
    ends = np.array([choices[j].ends[place_of[j]] for j in others])
    half = np.array([choices[j].half for j in others])
    a, b, text = own.starts[which, None], own.ends[which, None], own.texts[which, None]
    crossing = segments_cross(a, b, starts, ends)
    through = np.zeros_like(crossing)
    for turn in ((1.0, 1.0), (1.0, -1.0)):  # diagonals of the others' boxes, and of one's own
        through |= segments_cross(a, b, texts - half * turn, texts + half * turn)
        through |= segments_cross(text - own.half * turn, text + own.half * turn, starts, ends)
    overlap = (np.abs(text - texts) < own.half + half).all(axis=-1)
    touched = crossing.sum(axis=1) + through.sum(axis=1)
    return np.asarray(CROSSING * touched + OVERLAP * overlap.sum(axis=1))


def segments_cross(a: Floats, b: Floats, c: Floats, d: Floats) -> Mask:
    """Whether segments ab and cd have a point in common, broadcast over leading axes."""

    def side(p: Floats, q: Floats, r: Floats) -> Floats:
        e, f = q - p, r - p
        return np.asarray(e[..., 0] * f[..., 1] - e[..., 1] * f[..., 0])

    return np.asarray(
        (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0), dtype=np.bool_
    )
