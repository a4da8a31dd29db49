"""What engines that go by steps count and book, as records."""

from __future__ import annotations

from ..jit import layout

# what was done since the start [J], as in `dynamics.engine.Work`
WORK_DONE = layout(
    drives="f8",
    dampers="f8",  # with dry friction
    pulls="f8",
    stops="f8",
    joints="f8",  # by what holds joints together and keeps loops closed
)

# the state of an engine begins with this
RUN = layout(
    steps="i8",  # made so far
    iterations="i8",  # of the last step
    iterated="i8",  # of all steps
    work=WORK_DONE,
)
