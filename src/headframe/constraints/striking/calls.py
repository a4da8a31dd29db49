"""What a world of impulses asks of a machine's formulation: kernels, called by their addresses.

In a step of a machine that is near to something

1. `place` and `link` tell where its links are and how they move;
2. `begin` makes its velocities without contacts, the last impulses of its own rows applied;
3. `respond` gives rows of contacts;
4. `sweep` goes once over its own rows, of velocities or of pseudo-velocities, in turn with a sweep
   over the contacts, which change the same velocities;
5. `turn` ends with the velocities and begins with the pseudo-velocities;
6. `finish` moves it on.

`run` makes whole steps of a machine that is near to nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from ...actuation.kernels import DRIVE
from ...dynamics.kernels import PULL
from ...jit import MATRIX, NUMBER, VECTOR, WHOLE, array_of, caller, layout

VELOCITIES, PSEUDO = 0, 1  # the stages of a step: velocities, then pseudo-velocities

DRIVES, PULLS = array_of(DRIVE), array_of(PULL)
# model, pulls, steps, state, drives, work
RUN_MACHINE = WHOLE(VECTOR, PULLS, WHOLE, VECTOR, DRIVES, VECTOR)
# model, state, work
PLACE_MACHINE = WHOLE(VECTOR, VECTOR, VECTOR)
# model, state, work, freedom, X (3, 4) and velocity (6,) of what it carries, at the origin
LINK = WHOLE(VECTOR, VECTOR, VECTOR, WHOLE, MATRIX, VECTOR)
# model, pulls, state, drives, work
BEGIN = WHOLE(VECTOR, PULLS, VECTOR, DRIVES, VECTOR)
# model, state, work, freedom, point (3,), axes (3, 3), J (3, wide): velocities of the point along
# the axes by a piece of the machine's; Y (3, wide): what unit impulses there make of that piece;
# returns which piece it is
RESPOND_TO = WHOLE(VECTOR, VECTOR, VECTOR, WHOLE, VECTOR, MATRIX, MATRIX, MATRIX)
# model, stage, whether backwards, state, work: the largest change of an impulse
SWEEP = NUMBER(VECTOR, WHOLE, WHOLE, VECTOR, VECTOR)
# model, state, drives, work
TURN = WHOLE(VECTOR, VECTOR, DRIVES, VECTOR)
# model, pulls, state, drives, work, sweeps, what contacts did to it [J]
FINISH = WHOLE(VECTOR, PULLS, VECTOR, DRIVES, VECTOR, WHOLE, NUMBER)

STRIKE_CALLS = layout(
    run="i8",
    place="i8",
    link="i8",
    begin="i8",
    respond="i8",
    sweep="i8",
    turn="i8",
    finish="i8",
)
SIGNATURES = {
    "run": RUN_MACHINE, "place": PLACE_MACHINE, "link": LINK, "begin": BEGIN,
    "respond": RESPOND_TO, "sweep": SWEEP, "turn": TURN, "finish": FINISH,
}  # fmt: skip

run_machine: Callable[..., int] = caller(RUN_MACHINE)
place_machine: Callable[..., int] = caller(PLACE_MACHINE)
find_link: Callable[..., int] = caller(LINK)
begin_machine: Callable[..., int] = caller(BEGIN)
respond_to: Callable[..., int] = caller(RESPOND_TO)
sweep_machine: Callable[..., float] = caller(SWEEP)
turn_machine: Callable[..., int] = caller(TURN)
finish_machine: Callable[..., int] = caller(FINISH)
