"""Kernels of a world's steps by sequential impulses.

One step of h seconds:

1. all bodies are placed, and what is near to what is found, as in any world;
2. a mover that is near to nothing makes its own step;
3. the others form islands; for each, the velocities without contacts are made, then impulses of the
   machines' own rows and of the contacts are swept over in turn, until none changes by more than
   the tolerance; then the pseudo-impulses, which take indentations back;
4. movers go on by both velocities (paper SIMGC, Eq. (9)); contacts keep their impulses.
"""

from __future__ import annotations

import math

from ...dynamics.kernels import (
    CONTACT,
    ISLAND,
    WORLD,
    WORLD_STATE,
    DynamicsStatus,
    MoverKind,
    copy_touch,
    find_meetings,
    fly,
    lay_rows,
    place_loose,
    place_shapes,
    set_islands,
)
from ...jit import VECTOR, WHOLE, Record, entry, header, inlined_kernel, kernel, records
from ...mechanism import Floats
from ...spatial.kernels import HERE, ZERO, put_pose, put_six
from .calls import (
    PSEUDO,
    VELOCITIES,
    begin_machine,
    finish_machine,
    run_machine,
    sweep_machine,
    turn_machine,
)
from .loose import begin_loose, beyond_work, move_loose, work_of_pull
from .machine import array, calls_of, drives_of, place_link, pulls_of, settle_in
from .parts import StrikingParts, parts_of
from .rows import (
    aim_aside,
    piece_of,
    set_least,
    set_strike,
    sweep_strikes,
    work_of,
    work_of_both,
)

OK, FULL, NOT_FINITE = (
    DynamicsStatus.OK.value, DynamicsStatus.FULL.value, DynamicsStatus.NOT_FINITE.value
)  # fmt: skip
LOOSE_KIND, MACHINE_KIND = MoverKind.LOOSE.value, MoverKind.MACHINE.value


@entry(VECTOR, VECTOR, VECTOR, VECTOR, VECTOR, WHOLE)
@kernel
def run(world: Floats, own: Floats, state: Floats, work: Floats, solids: Floats, steps: int) -> int:
    """So many steps; what a step that fails leaves behind is to be thrown away.

    With none it is only looked for what is near to what: `meetings`, `WORLD_STATE.near` of them.
    """
    moment = header(state, WORLD_STATE)
    if steps == 0:
        status = place_all(world, own, state, work)
        if status == OK:
            status, moment.near = find_meetings(world, state, work, solids)
        return status
    for _ in range(steps):
        status = step(world, own, state, work, solids)
        if status != OK:
            return status
        moment.steps += 1
    return OK


@kernel
def step(world: Floats, own: Floats, state: Floats, work: Floats, solids: Floats) -> int:
    """One step."""
    moment = header(state, WORLD_STATE)
    status = place_all(world, own, state, work)
    if status != OK:
        return status
    status, count = find_meetings(world, state, work, solids)
    if status != OK:
        return status
    found = set_islands(world, work, count)
    islands = records(work, header(world, WORLD).work.islands, ISLAND)
    if not lay_rows(world, work, count):
        return FULL
    status = move_the_others(world, own, state, work)
    moment.iterations, unsettled = 0, moment.unsettled
    for k in range(found):
        if status == OK:
            status = step_island(world, own, state, work, islands[k])
    moment.iterated += moment.iterations
    moment.unsettled = min(moment.unsettled, unsettled + 1)
    if status == OK:
        keep_contacts(world, own, state, work, count)
    return status


# ------------------------------------------------------------------------------------ where it is


@kernel
def place_all(world: Floats, own: Floats, state: Floats, work: Floats) -> int:
    """Where all bodies are and how fast, and their shapes."""
    m = parts_of(world, own, state, work)
    for n in range(m.machines.shape[0]):
        status = settle_in(m.machines[n])
        if status != OK:
            header(state, WORLD_STATE).failed = m.loose.shape[0] + n
            return status
    for b in range(m.carriers.shape[0]):
        if m.carriers[b].mover < 0:
            put_pose(m.placed[b].X_WB, HERE)
            put_six(m.placed[b].velocity, ZERO)
            continue
        mover = m.movers[m.carriers[b].mover]
        if mover.kind == LOOSE_KIND:
            place_loose(m.loose[mover.number], m.placed[b])
        else:
            machine = m.machines[mover.number]
            place_link(machine, m.carriers[b].freedom, m.pose, m.motion, m.placed[b])
    place_shapes(header(world, WORLD), world, work)
    return OK


@kernel
def move_the_others(world: Floats, own: Floats, state: Floats, work: Floats) -> int:
    """A step of all movers that are near to nothing."""
    m, moment = parts_of(world, own, state, work), header(state, WORLD_STATE)
    for n in range(m.movers.shape[0]):
        if m.near[n] != 0:
            continue
        if m.movers[n].kind == LOOSE_KIND:
            moment.work.pulls += fly(m.loose[m.movers[n].number], m.h, m.gravity)
            if not is_finite(m.loose[m.movers[n].number]):
                moment.failed = n
                return NOT_FINITE
            continue
        one = m.machines[m.movers[n].number]
        status = run_machine(
            calls_of(one).run, array(one.model), pulls_of(one), 1, array(one.state), drives_of(one),
            array(one.work),
        )  # fmt: skip
        if status != OK:
            moment.failed = n
            return status
    return OK


# --------------------------------------------------------------------------------------- islands


@kernel
def step_island(world: Floats, own: Floats, state: Floats, work: Floats, island: Record) -> int:
    """A step of movers that contacts tie together."""
    m, moment = parts_of(world, own, state, work), header(state, WORLD_STATE)
    status = begin_island(m, moment, island)
    if status != OK:
        return status
    for k in range(island.begin, island.end):
        set_strike(m, m.meetings[m.listing[k]], m.strikes[m.listing[k]])
    sweeps = improve(m, moment, VELOCITIES, island)
    if any_bounces(m, island):
        sweeps += bounce_less(m, moment, island)
    turn_island(m, island)
    sweeps = max(sweeps, improve(m, moment, PSEUDO, island))
    moment.iterations = max(moment.iterations, sweeps)
    return finish_island(m, moment, island, sweeps)


@kernel
def begin_island(m: StrikingParts, moment: Record, island: Record) -> int:
    """Velocities without contacts."""
    for k in range(island.first, island.last):
        n = m.members[k]
        m.struck[n] = 0
        if m.movers[n].kind == LOOSE_KIND:
            v, push = piece_of(m.moving[n], VELOCITIES, 0), piece_of(m.moving[n], PSEUDO, 0)
            begin_loose(m.loose[m.movers[n].number], m.h, m.gravity, v, push)
            continue
        one = m.machines[m.movers[n].number]
        status = begin_machine(
            calls_of(one).begin, array(one.model), pulls_of(one), array(one.state), drives_of(one),
            array(one.work),
        )  # fmt: skip
        if status != OK:
            moment.failed = n
            return status
    return OK


@kernel
def improve(m: StrikingParts, moment: Record, stage: int, island: Record) -> int:
    """Sweeps, back and forth in turn, until no impulse changes by more than the tolerance.

    Returns how many; where they end before that, `unsettled` counts the step, and `worst` keeps the
    largest change of its last sweep.
    """
    worst, done = 0.0, 0
    while done < m.iterations:
        back, worst = done % 2, 0.0
        for k in range(island.first, island.last):
            n = m.members[k]
            if m.movers[n].kind == MACHINE_KIND:
                one = m.machines[m.movers[n].number]
                worst = max(
                    worst,
                    sweep_machine(
                        calls_of(one).sweep, array(one.model), stage, back, array(one.state),
                        array(one.work),
                    ),
                )  # fmt: skip
        worst = max(worst, sweep_strikes(m, island, stage, back))
        done += 1
        if not worst > m.tolerance:
            return done
    moment.unsettled += 1
    moment.worst = max(moment.worst, worst)
    return done


@inlined_kernel
def any_bounces(m: StrikingParts, island: Record) -> bool:
    """Whether any contact of an island bounces."""
    found = False
    for k in range(island.begin, island.end):
        found = found or m.strikes[m.listing[k]].bounces == 1
    return found


@kernel
def bounce_less(m: StrikingParts, moment: Record, island: Record) -> int:
    """Where bounces have added energy, half of their restitution, then none; the sweeps of that.

    Impulses that were too large go back in the sweeps.
    """
    sweeps, share = 0, 0.5
    while share >= 0.0 and energy_gained(m, island) > 0.0:
        for k in range(island.begin, island.end):
            set_least(m, m.meetings[m.listing[k]], m.strikes[m.listing[k]], share)
        sweeps += improve(m, moment, VELOCITIES, island)
        share -= 0.5
    return sweeps


@kernel
def energy_gained(m: StrikingParts, island: Record) -> float:
    """What contacts do in the step, and gravity to loose bodies beyond its own work [J]."""
    gained = 0.0
    for k in range(island.begin, island.end):
        gained += work_of_both(m, m.meetings[m.listing[k]], m.strikes[m.listing[k]])
    for k in range(island.first, island.last):
        n = m.members[k]
        if m.movers[n].kind == LOOSE_KIND:
            body, v = m.loose[m.movers[n].number], piece_of(m.moving[n], VELOCITIES, 0)
            gained += beyond_work(body, m.h, m.gravity, v)
    return gained


@kernel
def turn_island(m: StrikingParts, island: Record) -> None:
    """Velocities are final; what pseudo-velocities shall do."""
    for k in range(island.first, island.last):
        n = m.members[k]
        if m.movers[n].kind == MACHINE_KIND:
            one = m.machines[m.movers[n].number]
            turn_machine(
                calls_of(one).turn, array(one.model), array(one.state), drives_of(one),
                array(one.work),
            )  # fmt: skip
    for k in range(island.begin, island.end):
        aim_aside(m, m.meetings[m.listing[k]], m.strikes[m.listing[k]])


@kernel
def finish_island(m: StrikingParts, moment: Record, island: Record, sweeps: int) -> int:
    """Movers of an island go on. A loose body that nothing has pushed flies."""
    for k in range(island.begin, island.end):
        one, strike = m.meetings[m.listing[k]], m.strikes[m.listing[k]]
        if strike.impulse[0] == 0.0 and strike.aside == 0.0:
            continue
        if one.a >= 0:
            m.struck[one.a] = 1
        if one.b >= 0:
            m.struck[one.b] = 1
        moment.work.contacts += work_of_both(m, one, strike)
    for k in range(island.first, island.last):
        n = m.members[k]
        if m.movers[n].kind == LOOSE_KIND:
            status = finish_loose(m, moment, n)
        else:
            status = finish_struck(m, n, island, sweeps)
        if status != OK:
            moment.failed = n
            return status
    return OK


@inlined_kernel
def finish_loose(m: StrikingParts, moment: Record, n: int) -> int:
    """A loose body goes on."""
    body = m.loose[m.movers[n].number]
    if m.struck[n] == 0:
        moment.work.pulls += fly(body, m.h, m.gravity)
    else:
        v, push = piece_of(m.moving[n], VELOCITIES, 0), piece_of(m.moving[n], PSEUDO, 0)
        X_WB = m.placed[m.movers[n].body].X_WB
        moment.work.pulls += work_of_pull(body, m.h, v)
        moment.work.numerical += move_loose(body, X_WB, m.h, m.gravity, v, push)
    return OK if is_finite(body) else NOT_FINITE


@inlined_kernel
def is_finite(body: Record) -> bool:
    """Whether place and velocities of a loose body are numbers."""
    total = 0.0
    for k in range(3):
        total += body.p_WB[k] + body.v[k] + body.w[k]
    return math.isfinite(total)


@inlined_kernel
def finish_struck(m: StrikingParts, n: int, island: Record, sweeps: int) -> int:
    """A machine goes on."""
    one, taken = m.machines[m.movers[n].number], 0.0
    for k in range(island.begin, island.end):
        meeting = m.meetings[m.listing[k]]
        if meeting.a == n or meeting.b == n:
            taken += work_of(m, meeting, m.strikes[m.listing[k]], n)
    return finish_machine(
        calls_of(one).finish, array(one.model), pulls_of(one), array(one.state), drives_of(one),
        array(one.work), sweeps, taken,
    )  # fmt: skip


@kernel
def keep_contacts(world: Floats, own: Floats, state: Floats, work: Floats, count: int) -> None:
    """Contacts of this step for the next one: where they were, and their forces."""
    m, moment = parts_of(world, own, state, work), header(state, WORLD_STATE)
    known, kept = records(state, moment.known, CONTACT), 0
    for n in range(count):
        one, strike = m.meetings[n], m.strikes[n]
        if strike.impulse[0] == 0.0:
            continue
        out, axes, p = known[kept], one.axes, strike.impulse
        copy_touch(one.touch, out.touch)
        out.memory.speed = -strike.before[0] if strike.bounces else 0.0
        out.memory.slides, out.memory.touches = strike.slides, 1
        out.slides, out.energy = strike.slides, 0.0
        for i in range(3):
            out.memory.bristle[i] = 0.0
            out.force[i] = (axes[0, i] * p[0] + axes[1, i] * p[1] + axes[2, i] * p[2]) / m.h
        kept += 1
    moment.contacts = kept
