"""Kernels that find what is near to what: shapes compared, memories of contacts matched."""

from __future__ import annotations

import math

from ...contact.kernels import (
    BOUNDS,
    FEET,
    NEAR_WORK,
    PAIR,
    SHAPE,
    TOUCH,
    hertz_stiffness,
    is_listed,
    overlap,
    put_bounds,
    sort_by_keys,
    sort_pairs,
    touch_at,
    widest_axis,
)
from ...jit import (
    Record,
    Records,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrices,
    numbers,
    records,
    table,
)
from ...mechanism import Floats, Ints
from ...spatial.kernels import Numbers, cross3, three
from ..status import FULL, OK
from .records import (
    CARRIER,
    CONTACT,
    LOOSE,
    MEETING,
    MOVER,
    PLACED,
    PLACED_SHAPE,
    WORLD,
    WORLD_STATE,
)
from .sleeping import is_awake

SKIN = 1e-7  # [m] beyond what a step moves: how near counts as near


@kernel
def find_meetings(world: Floats, state: Floats, work: Floats, solids: Floats) -> tuple[int, int]:
    """All that touches, or may touch in the next step: (status, how many)."""
    head = header(world, WORLD)
    shapes, at = records(world, head.shapes, SHAPE), records(work, head.work.shapes, PLACED_SHAPE)
    found = records(work, head.work.found, TOUCH)
    meetings = records(work, head.work.meetings, MEETING)
    near, poses = records(work, head.work.near_work, NEAR_WORK)[0], matrices(work, head.work.poses)
    pairs, n_pairs = pairs_of(head, work), sweep(world, state, work, solids)
    if n_pairs < 0:
        return FULL, 0
    materials, count = records(world, head.pairs, PAIR), 0
    for p in range(n_pairs):
        i, j = pairs[p, 0], pairs[p, 1]
        a, b = shapes[i], shapes[j]
        margin = at[i].moves + at[j].moves + SKIN
        n = touch_at(head.touch, a, poses[i], b, poses[j], solids, margin, near, found)
        on_feet = materials[a.material * head.materials + b.material].foundation > 0.0
        most = FEET * n if on_feet else n
        if count + most + header(state, WORLD_STATE).contacts > meetings.shape[0]:
            return FULL, count
        for k in range(n):
            found[k].a, found[k].b = i, j
            begin_meeting(head, world, a, b, found[k], meetings[count])
            if on_feet:
                stand_on_feet(head, world, work, meetings, count)
            count += FEET if on_feet else 1
    remember(state, meetings, count)
    return OK, count


@kernel
def sweep(world: Floats, state: Floats, work: Floats, solids: Floats) -> int:
    """Pairs of shapes whose boxes overlap within a step, sorted; -1 if there is no room for them.

    Boxes are sorted along the axis on which they are spread most, and compared with those that
    begin before they end.
    """
    head = header(world, WORLD)
    shapes, at = records(world, head.shapes, SHAPE), records(work, head.work.shapes, PLACED_SHAPE)
    bounds, poses = records(work, head.work.bounds, BOUNDS), matrices(work, head.work.poses)
    keys, order = numbers(work, head.work.keys), indices(work, head.work.sorted)
    pairs, count, n_pairs = pairs_of(head, work), shapes.shape[0], 0
    for i in range(count):
        put_bounds(shapes[i], poses[i], solids, at[i].moves + SKIN, bounds[i])
    axis = widest_axis(bounds)
    for i in range(count):
        keys[i], order[i] = bounds[i].low[axis], i
    sort_by_keys(keys, order, count)
    for k in range(count):
        i = order[k]
        for m in range(k + 1, count):
            j = order[m]
            if bounds[j].low[axis] > bounds[i].high[axis]:
                break
            if not overlap(bounds[i], bounds[j]) or not collide(
                head, world, state, shapes[i], shapes[j]
            ):
                continue
            if n_pairs == pairs.shape[0]:
                return -1
            pairs[n_pairs, 0], pairs[n_pairs, 1] = min(i, j), max(i, j)
            n_pairs += 1
    sort_pairs(pairs, n_pairs, keys, order)
    return n_pairs


@inlined_kernel
def pairs_of(head: Record, work: Floats) -> Ints:
    """Room for pairs of shapes, (n, 2)."""
    whole = indices(work, head.work.pairs)
    return table(whole, 0, whole.shape[0] // 2, 2)


@inlined_kernel
def collide(head: Record, world: Floats, state: Floats, a: Record, b: Record) -> bool:
    """Whether two shapes are of bodies that touch each other where they meet, one being awake."""
    carriers, apart = records(world, head.carriers, CARRIER), indices(world, head.apart)
    movers = records(world, head.movers, MOVER)
    loose = records(state, header(state, WORLD_STATE).loose, LOOSE)
    if a.body == b.body:
        return False
    one, other = mover_of(carriers, a.body), mover_of(carriers, b.body)
    if not is_awake(movers, loose, one) and not is_awake(movers, loose, other):
        return False
    low, high = min(a.body, b.body), max(a.body, b.body)
    return low < 0 or not is_listed(low * carriers.shape[0] + high, apart)


@inlined_kernel
def mover_of(carriers: Records, body: int) -> int:
    """The mover that a body belongs to; -1 if it stands still."""
    return carriers[body].mover if body >= 0 else -1


@inlined_kernel
def begin_meeting(
    head: Record, world: Floats, a: Record, b: Record, touch_in: Record, out: Record
) -> None:
    """What a step needs of a contact that was found; nothing is remembered yet."""
    carriers = records(world, head.carriers, CARRIER)
    pairs = records(world, head.pairs, PAIR)
    copy_touch(touch_in, out.touch)
    out.body_a, out.body_b = a.body, b.body
    out.a, out.b = mover_of(carriers, a.body), mover_of(carriers, b.body)
    out.pair = a.material * head.materials + b.material
    out.stiffness = hertz_stiffness(pairs[out.pair], curvature_of(a, b, touch_in.curvature))
    set_axes(touch_in.normal, out.axes)
    out.bristle[0], out.bristle[1] = 0.0, 0.0
    out.memory.bristle[0], out.memory.bristle[1], out.memory.bristle[2] = 0.0, 0.0, 0.0
    out.memory.speed, out.memory.slides, out.memory.touches = 0.0, 0, 0
    out.push.force[0], out.push.force[1], out.push.force[2] = 0.0, 0.0, 0.0
    out.turning, out.joined = 0.0, -1


@kernel
def stand_on_feet(
    head: Record, world: Floats, work: Floats, meetings_io: Records, first: int
) -> None:
    """Let a place with the volumetric law stand on four feet, meetings from `first` on.

    The foundation of a place of depth d, a paraboloid of curvature c, has the volume pi d^2 / c and
    the radius of gyration r, r^2 = 2 d / (3 c). Four feet at r along both tangents, each with a
    quarter of the volume, have its moments of the first and second order: their dampers resist
    rolling by K a J_t w_t (4.7), and their friction spinning by mu F r (4.10), and each of them
    slides as its own place does.

    Rolling brings ever new material to a foot, at the same depth: its spring must not see the way
    that its material moves by rolling, while its damper does. What it moves by with the velocities
    where the step begins is given back to it in the depth, and left as `turning`.
    """
    one, placed = meetings_io[first], records(work, head.work.placed, PLACED)
    shapes = records(world, head.shapes, SHAPE)
    touch, axes = one.touch, one.axes
    curvature = curvature_of(shapes[touch.a], shapes[touch.b], touch.curvature)
    r = math.sqrt(max(touch.depth, 0.0) * 2.0 / (3.0 * curvature))
    w: Numbers = (0.0, 0.0, 0.0)
    if one.body_a >= 0:
        w = three(placed[one.body_a].velocity)
    if one.body_b >= 0:
        v = three(placed[one.body_b].velocity)
        w = (w[0] - v[0], w[1] - v[1], w[2] - v[2])
    one.stiffness = one.stiffness / FEET
    for foot in range(FEET - 1, -1, -1):
        out = meetings_io[first + foot]
        if foot > 0:
            copy_meeting(one, out)
        out.touch.feature = FEET * touch.feature + foot
        side, k = (r if foot % 2 == 0 else -r), 1 + foot // 2
        way = (side * axes[k, 0], side * axes[k, 1], side * axes[k, 2])
        moves = cross3(w, way)
        out.turning = axes[0, 0] * moves[0] + axes[0, 1] * moves[1] + axes[0, 2] * moves[2]
        out.touch.depth += head.h * out.turning
        for i in range(3):
            out.touch.point[i] += way[i]


@inlined_kernel
def copy_meeting(one: Record, out: Record) -> None:
    """Copy what `begin_meeting` sets."""
    copy_touch(one.touch, out.touch)
    out.body_a, out.body_b, out.a, out.b = one.body_a, one.body_b, one.a, one.b
    out.pair, out.stiffness, out.joined = one.pair, one.stiffness, one.joined
    out.bristle[0], out.bristle[1] = 0.0, 0.0
    out.memory.speed, out.memory.slides, out.memory.touches = 0.0, 0, 0
    for i in range(3):
        out.memory.bristle[i], out.push.force[i] = 0.0, 0.0
        for k in range(3):
            out.axes[i, k] = one.axes[i, k]


@inlined_kernel
def curvature_of(a: Record, b: Record, curvature: float) -> float:
    """Of a contact; between flat faces that of a ball as large as the smaller shape."""
    return float(max(curvature, 1.0 / min(a.radius, b.radius)))


@inlined_kernel
def copy_touch(touch_in: Record, out: Record) -> None:
    """Copy a TOUCH."""
    out.a, out.b, out.feature = touch_in.a, touch_in.b, touch_in.feature
    out.depth, out.curvature = touch_in.depth, touch_in.curvature
    for k in range(3):
        out.point[k], out.normal[k] = touch_in.point[k], touch_in.normal[k]


@inlined_kernel
def set_axes(normal: Floats, axes_out: Floats) -> None:
    """The normal and two tangents, right-handed; the first is across the normal's smallest part."""
    n = three(normal)
    small = 0
    if abs(n[1]) < abs(n[small]):
        small = 1
    if abs(n[2]) < abs(n[small]):
        small = 2
    e = (1.0 if small == 0 else 0.0, 1.0 if small == 1 else 0.0, 1.0 if small == 2 else 0.0)
    t = cross3(n, e)
    unit = 1.0 / math.sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])
    t = (unit * t[0], unit * t[1], unit * t[2])
    s = cross3(n, t)
    for k in range(3):
        axes_out[0, k], axes_out[1, k], axes_out[2, k] = n[k], t[k], s[k]


@inlined_kernel
def remember(state: Floats, meetings: Records, count: int) -> None:
    """Give meetings the memories of the same contacts in the last step; both are sorted by pairs.

    Bristles are turned with the normal by taking out what is not in the tangents' plane any more.
    """
    moment = header(state, WORLD_STATE)
    known, first = records(state, moment.known, CONTACT), 0
    for m in range(count):
        new = meetings[m]
        while first < moment.contacts and is_before(known[first].touch, new.touch):
            first += 1
        k = first
        while k < moment.contacts and same_pair(known[k].touch, new.touch):
            old = known[k]
            if old.touch.feature == new.touch.feature:
                take_memory(old, new)
                break
            k += 1


@inlined_kernel
def is_before(a: Record, b: Record) -> bool:
    """Whether the pair of a TOUCH comes before that of another."""
    return bool(a.a < b.a or (a.a == b.a and a.b < b.b))


@inlined_kernel
def same_pair(a: Record, b: Record) -> bool:
    """Whether two TOUCH are of the same shapes."""
    return bool(a.a == b.a and a.b == b.b)


@inlined_kernel
def take_memory(old: Record, new_io: Record) -> None:
    """What a contact remembers, in the axes that it has now."""
    was, now, axes = old.memory, new_io.memory, new_io.axes
    now.speed, now.slides, now.touches = was.speed, was.slides, was.touches
    for k in range(2):
        new_io.bristle[k] = (
            axes[1 + k, 0] * was.bristle[0]
            + axes[1 + k, 1] * was.bristle[1]
            + axes[1 + k, 2] * was.bristle[2]
        )
    for k in range(3):
        new_io.push.force[k] = (
            axes[k, 0] * old.force[0] + axes[k, 1] * old.force[1] + axes[k, 2] * old.force[2]
        )
