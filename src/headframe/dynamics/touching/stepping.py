"""Kernels of a world's steps: what is near to something moves by an implicit step, the rest flies.

One step of h seconds:

1. all bodies are placed, and what is near to what is found (`meeting`);
2. a mover that is near to nothing makes the step of its own integrator;
3. the others form islands; for each, velocities without contacts and the contacts' rows are set,
   the contacts are solved for (`newton`), drives and stops looked at (`machine`), and all of that
   again if these give way;
4. movers go on with the velocities where the step ends; contacts remember.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ...contact.kernels import PAIR, SHAPE, bend, stored_energy
from ...jit import (
    VECTOR,
    WHOLE,
    Record,
    Records,
    caller,
    entry,
    header,
    indices,
    inlined_kernel,
    kernel,
    matrix,
    numbers,
    part,
    records,
    table,
)
from ...mechanism import Floats
from ..linear import add_scaled, inner, zero
from ..motion import stepping as motion_stepping
from ..motion.touch_calls import TOUCH_CALLS
from ..status import FULL, OK
from .islands import set_islands
from .joining import add_joined, keep_joined, set_heaviness, wake_joined
from .laying import lay_nodes
from .loose import WIDTH, fly, free_velocity, loose_rows, push_loose
from .machine import (
    begin_machine,
    end_velocities,
    go_freely,
    look_at_drives,
    machine_rows,
    move_machine,
)
from .meeting import copy_touch, find_meetings, is_before
from .newton import solve_island
from .placing import array, place_bodies
from .records import (
    CARRIER,
    CONTACT,
    ISLAND,
    JOINED,
    LOOSE,
    MACHINE,
    MEETING,
    MOVER,
    PLACED,
    WORLD,
    WORLD_STATE,
    MoverKind,
)
from .sleeping import rest_islands, sleeps, wake_what_is_met

LOOSE_KIND, MACHINE_KIND = MoverKind.LOOSE.value, MoverKind.MACHINE.value
ROUNDS = 12  # how often drives and stops may give way in one step

RUN = WHOLE(*motion_stepping.run.entry_types)  # type: ignore[attr-defined]
run_machine: Callable[..., int] = caller(RUN)


@entry(VECTOR, VECTOR, VECTOR, VECTOR, WHOLE)
@kernel
def run(world: Floats, state: Floats, work: Floats, solids: Floats, steps: int) -> int:
    """So many steps; what a step that fails leaves behind is to be thrown away.

    With none it is only looked for what is near to what: `meetings`, `WORLD_STATE.near` of them.
    """
    moment = header(state, WORLD_STATE)
    if steps == 0:
        status = place_bodies(world, state, work)
        if status == OK:
            status, moment.near = find_meetings(world, state, work, solids)
        return status
    for _ in range(steps):
        status = step(world, state, work, solids)
        if status != OK:
            return status
        moment.steps += 1
    return OK


@kernel
def step(world: Floats, state: Floats, work: Floats, solids: Floats) -> int:
    """One step."""
    head, moment = header(world, WORLD), header(state, WORLD_STATE)
    status = place_bodies(world, state, work)
    if status != OK:
        return status
    status, count = find_meetings(world, state, work, solids)
    while status == OK and (
        wake_what_is_met(world, state, work, count) or wake_joined(world, state)
    ):
        status, count = find_meetings(world, state, work, solids)
    if status != OK:
        return status
    total = add_joined(world, state, work, count)
    if total < 0:
        return FULL
    found, islands = set_islands(world, work, total), records(work, head.work.islands, ISLAND)
    if not lay_rows(world, work, total) or not lay_nodes(world, work, found):
        return FULL
    status, moment.iterations = move_the_others(world, state, work), 0
    for k in range(found):
        if status == OK:
            status = step_island(world, state, work, islands[k])
    if status == OK:
        keep_contacts(world, state, work, count)
        keep_joined(world, state, work, count, total)
        rest_islands(world, state, work, found)
    return status


@inlined_kernel
def lay_rows(world: Floats, work: Floats, count: int) -> bool:
    """Where the rows of every contact begin; False if there is no room for them."""
    head = header(world, WORLD)
    movers, meetings = (
        records(world, head.movers, MOVER),
        records(work, head.work.meetings, MEETING),
    )
    at = 0
    for m in range(count):
        one = meetings[m]
        if one.a >= 0:
            one.rows_a, one.held_a = at, at + 3 * movers[one.a].width
            at = one.held_a + 3 * movers[one.a].held
        if one.b >= 0:
            one.rows_b, one.held_b = at, at + 3 * movers[one.b].width
            at = one.held_b + 3 * movers[one.b].held
    return bool(at <= head.work.rows[1])


@kernel
def move_the_others(world: Floats, state: Floats, work: Floats) -> int:
    """A step of all movers that are near to nothing, by their own integrators."""
    head = header(world, WORLD)
    movers, near = records(world, head.movers, MOVER), indices(work, head.work.near)
    machines, moment = records(world, head.machines, MACHINE), header(state, WORLD_STATE)
    loose = records(state, moment.loose, LOOSE)
    for n in range(movers.shape[0]):
        if near[n] != 0:
            continue
        if movers[n].kind == LOOSE_KIND:
            body = loose[movers[n].number]
            if body.asleep == 0:
                moment.work.pulls += fly(body, head.h, head.gravity)
        else:
            one = machines[movers[n].number]
            own = header(array(one.touch_calls), TOUCH_CALLS)
            status = run_machine(
                own.run, array(one.calls), array(one.model), one.method, head.h, 1,
                array(one.state), array(one.drives), array(one.pulls), array(one.work),
                table(array(one.kept), 0, one.keeps, one.kept[1] // one.keeps),
            )  # fmt: skip
            if status != OK:
                header(state, WORLD_STATE).failed = n
                return status
    return OK


@kernel
def step_island(world: Floats, state: Floats, work: Floats, island: Record) -> int:
    """A step of movers that contacts tie together."""
    moment = header(state, WORLD_STATE)
    status = begin_island(world, state, work, island)
    if status != OK:
        return status
    for _ in range(ROUNDS):
        status = set_rows(world, state, work, island)
        if status != OK:
            return status
        status, iterations = solve_island(world, work, island)
        moment.iterations += iterations
        if status != OK:
            moment.failed = -1
            return status
        if settle_machines(world, work, island):
            break
    return move_island(world, state, work, island)


@inlined_kernel
def begin_island(world: Floats, state: Floats, work: Floats, island: Record) -> int:
    """What commands make of the drives of an island's machines."""
    head = header(world, WORLD)
    movers, machines = records(world, head.movers, MOVER), records(world, head.machines, MACHINE)
    members = indices(work, head.work.members)
    for k in range(island.first, island.last):
        if movers[members[k]].kind == MACHINE_KIND:
            status = begin_machine(machines[movers[members[k]].number], head.h)
            if status != OK:
                header(state, WORLD_STATE).failed = members[k]
                return status
    return OK


@kernel
def set_rows(world: Floats, state: Floats, work: Floats, island: Record) -> int:
    """Velocities without contacts of an island's movers, and the rows of its contacts."""
    head = header(world, WORLD)
    movers, machines = records(world, head.movers, MOVER), records(world, head.machines, MACHINE)
    members, listing = indices(work, head.work.members), indices(work, head.work.listing)
    meetings, rows = records(work, head.work.meetings, MEETING), numbers(work, head.work.rows)
    joined = records(world, head.joined, JOINED)
    for k in range(island.first, island.last):
        mover = movers[members[k]]
        if mover.kind == MACHINE_KIND:
            v_free = part(numbers(work, head.work.velocity), mover.at, mover.width)
            status = go_freely(machines[mover.number], head.h, v_free)
            if status != OK:
                header(state, WORLD_STATE).failed = members[k]
                return status
    for k in range(island.begin, island.end):
        one = meetings[listing[k]]
        zero(one.free_a)
        zero(one.free_b)
        if one.a >= 0:
            set_side(
                world, state, work, one, one.a, one.body_a, 1.0, one.rows_a, one.held_a, one.free_a
            )
        if one.b >= 0:
            set_side(
                world, state, work, one, one.b, one.body_b, -1.0, one.rows_b, one.held_b, one.free_b
            )
        if one.joined >= 0:
            set_heaviness(movers, rows, joined[one.joined], one)
            continue
        approach = one.turning - one.free_a[0] - one.free_b[0]
        one.memory.speed = max(one.memory.speed, approach)
        set_lightness(movers, rows, one)
    return OK


@inlined_kernel
def set_lightness(movers: Records, rows: Floats, one_io: Record) -> None:
    """Size of a contact's normal row, on the side where it is larger."""
    one_io.lightness = 0.0
    for side in range(2):
        mover, begin = (one_io.a, one_io.rows_a) if side == 0 else (one_io.b, one_io.rows_b)
        if mover >= 0:
            normal = table(rows, begin, 3, movers[mover].width)[0]
            one_io.lightness = max(one_io.lightness, math.sqrt(inner(normal, normal)))


@kernel
def set_side(
    world: Floats, state: Floats, work: Floats, one: Record, mover: int, body: int, sign: float,
    begin: int, held_begin: int, free_out: Floats,
) -> None:  # fmt: skip
    """Rows of a contact by the velocities of one of its bodies, and its free velocity."""
    head = header(world, WORLD)
    movers, carriers = records(world, head.movers, MOVER), records(world, head.carriers, CARRIER)
    rows, placed = numbers(work, head.work.rows), records(work, head.work.placed, PLACED)
    number = movers[mover].number
    if movers[mover].kind == MACHINE_KIND:
        machine = records(world, head.machines, MACHINE)[number]
        machine_rows(
            machine, head.h, carriers[body].freedom, one, sign, numbers(work, head.work.point),
            matrix(work, head.work.axes), numbers(work, head.work.free),
            table(rows, begin, 3, movers[mover].width),
            table(rows, held_begin, 3, movers[mover].held), free_out,
        )  # fmt: skip
        return
    loose = records(state, header(state, WORLD_STATE).loose, LOOSE)[number]
    R, axes = table(rows, begin, 3, WIDTH), one.axes
    loose_rows(loose, placed[body].X_WB, one.touch.point, axes, R)
    v = free_velocity(loose, placed[body].X_WB, head.h, head.gravity, one.touch.point)
    for k in range(3):
        for i in range(3):
            free_out[k] += sign * axes[k, i] * v[i]
        for i in range(WIDTH):
            R[k, i] *= sign


@kernel
def settle_machines(world: Floats, work: Floats, island: Record) -> bool:
    """Velocities of an island's machines where the step ends; whether their drives bear that."""
    head = header(world, WORLD)
    movers, machines = records(world, head.movers, MOVER), records(world, head.machines, MACHINE)
    members, offset = indices(work, head.work.members), indices(work, head.work.offset)
    z, fine = numbers(work, head.work.z), True
    for k in range(island.first, island.last):
        n = members[k]
        if movers[n].kind != MACHINE_KIND:
            continue
        machine, width = machines[movers[n].number], movers[n].width
        v = part(numbers(work, head.work.velocity), movers[n].at, width)
        held = part(numbers(work, head.work.held), 0, machine.held)
        gather_held(head, work, island, n, machine.held, held)
        end_velocities(machine, head.h, part(z, offset[n], width), held, v)
        fine = look_at_drives(machine, head.h, v) and fine
    return fine


@inlined_kernel
def gather_held(
    head: Record, work: Floats, island: Record, mover: int, n: int, held_out: Floats
) -> None:
    """What of the contacts' impulses a machine's loops and guided rows bear."""
    meetings, rows = records(work, head.work.meetings, MEETING), numbers(work, head.work.rows)
    listing = indices(work, head.work.listing)
    zero(held_out)
    for k in range(island.begin, island.end):
        one = meetings[listing[k]]
        if not pushes(one):
            continue
        if one.a == mover:
            add_held(head.h, table(rows, one.held_a, 3, n), one.push.force, held_out)
        if one.b == mover:
            add_held(head.h, table(rows, one.held_b, 3, n), one.push.force, held_out)


@inlined_kernel
def pushes(one: Record) -> bool:
    """Whether a contact or a joint has a force."""
    return bool(one.joined >= 0 or one.push.force[0] != 0.0)


@inlined_kernel
def add_held(h: float, held: Floats, force: Floats, held_io: Floats) -> None:
    """Add h held^T f."""
    for k in range(3):
        add_scaled(h * force[k], held[k], held_io)


@kernel
def move_island(world: Floats, state: Floats, work: Floats, island: Record) -> int:
    """Movers of an island go on with the velocities where the step ends."""
    head, moment = header(world, WORLD), header(state, WORLD_STATE)
    movers, machines = records(world, head.movers, MOVER), records(world, head.machines, MACHINE)
    loose, placed = records(state, moment.loose, LOOSE), records(work, head.work.placed, PLACED)
    members, offset = indices(work, head.work.members), indices(work, head.work.offset)
    z, listing = numbers(work, head.work.z), indices(work, head.work.listing)
    meetings = records(work, head.work.meetings, MEETING)
    for m in range(island.begin, island.end):
        one = meetings[listing[m]]
        for k in range(3):
            done = head.h * one.push.force[k] * one.velocity[k]
            if one.joined >= 0:
                moment.work.joints += done
            else:
                moment.work.contacts += done
    for k in range(island.first, island.last):
        n = members[k]
        mover = movers[n]
        if mover.kind == LOOSE_KIND:
            X_WB = placed[mover.body].X_WB
            own = part(z, offset[n], WIDTH)
            lost, pulled = push_loose(loose[mover.number], X_WB, head.h, head.gravity, own)
            moment.work.numerical -= lost
            moment.work.pulls += pulled
            continue
        v = part(numbers(work, head.work.velocity), mover.at, mover.width)
        own = part(z, offset[n], mover.width)
        taken = work_on(head, work, island, n, own)
        status = move_machine(machines[mover.number], head.h, v, own, taken)
        if status != OK:
            moment.failed = n
            return status
    return OK


@inlined_kernel
def work_on(head: Record, work: Floats, island: Record, mover: int, z: Floats) -> float:
    """What contacts do to a mover in the step [J]."""
    meetings, rows = records(work, head.work.meetings, MEETING), numbers(work, head.work.rows)
    listing, done, width = indices(work, head.work.listing), 0.0, z.shape[0]
    for m in range(island.begin, island.end):
        one = meetings[listing[m]]
        if not pushes(one):
            continue
        for k in range(3):
            if one.a == mover:
                own = one.free_a[k] + inner(table(rows, one.rows_a, 3, width)[k], z)
                done += head.h * one.push.force[k] * own
            if one.b == mover:
                own = one.free_b[k] + inner(table(rows, one.rows_b, 3, width)[k], z)
                done += head.h * one.push.force[k] * own
    return done


@kernel
def keep_contacts(world: Floats, state: Floats, work: Floats, count: int) -> None:
    """Contacts of this step for the next one, and those of bodies that sleep, sorted by shapes."""
    head, moment = header(world, WORLD), header(state, WORLD_STATE)
    known, fresh = records(state, moment.known, CONTACT), records(work, head.work.fresh, CONTACT)
    meetings, pairs = records(work, head.work.meetings, MEETING), records(world, head.pairs, PAIR)
    kept, old = 0, next_asleep(world, state, 0)
    for m in range(count):
        one = meetings[m]
        while old < moment.contacts and is_before(known[old].touch, one.touch):
            fresh[kept] = known[old]
            kept, old = kept + 1, next_asleep(world, state, old + 1)
        bend(pairs[one.pair], head.h, one.velocity, one.push, one.bristle, one.memory)
        if one.memory.touches == 1:
            put_contact(pairs[one.pair], head.h, one, fresh[kept])
            kept += 1
    while old < moment.contacts:
        fresh[kept] = known[old]
        kept, old = kept + 1, next_asleep(world, state, old + 1)
    for k in range(kept):
        known[k] = fresh[k]
    moment.contacts = kept


@inlined_kernel
def next_asleep(world: Floats, state: Floats, at: int) -> int:
    """The next known contact of bodies that sleep, from one on."""
    head, moment = header(world, WORLD), header(state, WORLD_STATE)
    movers, loose = records(world, head.movers, MOVER), records(state, moment.loose, LOOSE)
    shapes, carriers = records(world, head.shapes, SHAPE), records(world, head.carriers, CARRIER)
    known = records(state, moment.known, CONTACT)
    while at < moment.contacts and not sleeps(movers, loose, shapes, carriers, known[at]):
        at += 1
    return at


@inlined_kernel
def put_contact(pair: Record, h: float, one: Record, out: Record) -> None:
    """CONTACT that a meeting leaves behind: where it was, its force, what it remembers."""
    axes, force = one.axes, one.push.force
    copy_touch(one.touch, out.touch)
    out.touch.depth -= h * one.turning
    out.memory.speed, out.memory.slides = one.memory.speed, one.memory.slides
    out.memory.touches, out.slides = 1, one.push.slides
    out.energy = stored_energy(
        pair, one.stiffness, one.touch.depth - h * one.velocity[0], one.bristle
    )
    for i in range(3):
        out.memory.bristle[i] = axes[1, i] * one.bristle[0] + axes[2, i] * one.bristle[1]
        out.force[i] = axes[0, i] * force[0] + axes[1, i] * force[1] + axes[2, i] * force[2]
