"""What is wrong with a machine that came as a file, as it goes from process to process."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import HeadframeError, MachineFileError, Problem


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong; fields as those of `headframe.Problem`."""

    message: str
    place: str = ""
    hint: str = ""
    line: int | None = None
    column: int | None = None

    @staticmethod
    def of(problem: Problem) -> Fault:
        """A problem without its class."""
        return Fault(problem.message, problem.place, problem.hint, problem.line, problem.column)

    @property
    def text(self) -> str:
        """All of it in a line."""
        return str(
            Problem(MachineFileError, self.place, self.message, self.hint, self.line, self.column)
        )


@dataclass(frozen=True, slots=True)
class Chosen:
    """What came of a file: it is driven if there are no problems.

    Attributes:
        key: names the file.
        problems: everything that is wrong with it.
        notes: what was changed or ignored on the way in.
    """

    key: str
    problems: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()


def faults_of(error: HeadframeError) -> tuple[Fault, ...]:
    """Everything that an error tells."""
    if isinstance(error, MachineFileError):
        return tuple(map(Fault.of, error.problems))
    return (Fault(str(error)),)
