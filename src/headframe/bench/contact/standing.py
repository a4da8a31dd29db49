"""A machine of 19.5 t on wheels: at rest, swaying, and lying on the ground with loose hinges."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..goals import Goal
from ..progress import Progress
from ..section import BenchSettings, ReportSection, peer
from ..tables import NOTHING, number, table
from .rivals import MujocoWorld, OurMachine, machine_in_mujoco, seconds_of

STEP, PASSES, PIECE = 5e-3, 8, 100  # [s]; how often so many steps are timed
WANTED, RATIO = 80.0, 1.5  # [us], times MuJoCo
TEXT = """A machine with a free base and 13 hinges, on balls for tyres, feet and edges, at steps of
{step:g} ms. "At rest" it stands on four wheels, "swaying" it has just been dropped on them, all
hinges held; "lying" its hinges are loose and it has sunk to the ground. MuJoCo reads Headframe's
export; held hinges are equality constraints there, which yield a little. The shortest of {passes}
times {piece} steps; swaying, the first ones.
"""


@dataclass(frozen=True)
class StandingCase:
    """How the machine begins: hinges held or not, how high above its wheels, turned, and waits."""

    name: str
    held: bool
    lift: float
    turned: tuple[float, float, float]
    waits: float  # [s] before it is timed
    passes: int = PASSES


CASES = (
    StandingCase("at rest", True, 0.0, (0.0, 0.0, 0.0), 5.0),
    StandingCase("swaying", True, 0.15, (0.1, 0.05, 0.0), 0.2, 1),
    StandingCase("lying", False, 0.15, (0.1, 0.05, 0.0), 6.0),
)


@dataclass(frozen=True)
class StandingTime:
    """Times of a step [us] and contacts, ours and MuJoCo's."""

    name: str
    ours: float
    theirs: float | None
    contacts: tuple[int, int | None]


def measure(settings: BenchSettings, progress: Progress) -> list[StandingTime]:
    """Run it."""
    mujoco = peer("mujoco", settings, progress)
    progress.begin("standing", len(CASES))
    found = []
    for case in CASES:
        arguments = STEP, case.held, case.lift, case.turned
        waits = 2 if settings.small else round(case.waits / STEP)
        ours = OurMachine(*arguments)
        theirs = machine_in_mujoco(mujoco, *arguments) if mujoco else None
        best = _best(ours, waits, case.passes)
        other = None if theirs is None else _best(theirs, waits, case.passes)
        touching = ours.contacts(), None if theirs is None else theirs.contacts()
        found.append(StandingTime(case.name, best, other, touching))
        progress.step(case.name)
    return found


def _best(rival: OurMachine | MujocoWorld, waits: int, passes: int) -> float:
    rival.steps(waits)
    return 1e6 * min(seconds_of(rival, PIECE) for _ in range(passes))


def section(found: list[StandingTime], folder: Path) -> ReportSection:
    """What the page says of it."""
    rows = [
        [each.name, number(each.ours), number(each.theirs), _ratio(each),
         str(each.contacts[0]), NOTHING if each.contacts[1] is None else str(each.contacts[1])]
        for each in found
    ]  # fmt: skip
    header = ["", ">Headframe [us]", ">MuJoCo [us]", ">ratio", ">contacts", ">MuJoCo's"]
    text = TEXT.format(step=1e3 * STEP, passes=PASSES, piece=PIECE)
    goals = [Goal(f"a step of the machine, {each.name}", each.ours, WANTED, "us") for each in found]
    goals += [
        Goal(f"the machine {each.name}, times MuJoCo", each.ours / each.theirs, RATIO)
        for each in found
        if each.theirs is not None
    ]
    return ReportSection("A machine that stands", [text, table(header, rows)], goals, [])


def _ratio(each: StandingTime) -> str:
    return NOTHING if each.theirs is None else number(each.ours / each.theirs)
