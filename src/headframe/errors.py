"""One tree of exceptions: everything a user can cause derives from `HeadframeError`.

Exceptions carry their fields, so that a program can react to them without parsing text.
A machine file can have many things wrong with it; each is a `Problem`, and the exception
raised for the file is of the class that belongs to the first of them and holds them all.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class HeadframeError(Exception):
    """Base class of every error that a user of Headframe can cause."""


class HeadframeWarning(UserWarning):
    """Something was accepted, but changed or ignored on the way in."""


@dataclass(frozen=True)
class Problem:
    """One defect of a machine file, for a person to find and mend.

    Attributes:
        kind: the exception class that stands for this sort of defect.
        place: JSON path, such as ``joints[3].parent``, or a file of an archive; empty for the file
            as a whole.
        message: what is wrong: what was found and what was expected.
        hint: the nearest valid name or a way out; empty if there is none.
        line: line in the file, counted from 1; None where it is unknown.
        column: column in that line, counted from 1; None where it is unknown.
    """

    kind: type[MachineFileError]
    place: str
    message: str
    hint: str = ""
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        where = self.place or "file"
        if self.line is not None:
            column = "" if self.column is None else f", column {self.column}"
            where += f" (line {self.line}{column})"
        return f"{where}: {self.message}" + (f"; {self.hint}" if self.hint else "")


class MachineFileError(HeadframeError):
    """A machine file that cannot be used. `problems` lists everything found in it."""

    def __init__(self, problems: Sequence[Problem], source: str = "") -> None:
        """Keep the problems; `source` is the file's name as the user gave it."""
        self.problems = tuple(problems)
        self.source = source
        head = f"{source}: " if source else ""
        count = len(self.problems)
        if count == 1:
            text = f"{head}{self.problems[0]}"
        else:
            shown = "\n".join(f"  {problem}" for problem in self.problems[:20])
            more = f"\n  ... and {count - 20} more" if count > 20 else ""
            text = f"{head}{count} problems\n{shown}{more}"
        super().__init__(text)


class NotReadableError(MachineFileError):
    """The file does not exist, is a folder, or may not be read."""


class NotJsonError(MachineFileError):
    """The text is not JSON (with ``//`` comments and trailing commas allowed)."""


class NotXmlError(MachineFileError):
    """A URDF file that is not well-formed or not safe XML."""


class NotThreeDtError(MachineFileError):
    """The text is not 3DT: no header, lists that do not hold what they announce, no end."""


class ArchiveError(MachineFileError):
    """A zip archive that is damaged or not safe, or without one machine file in it."""


class FileTooLargeError(MachineFileError):
    """The file, or a mesh it refers to, is larger than the limit."""


class NestingError(MachineFileError):
    """Arrays and objects are nested too deeply."""


class TooManyElementsError(MachineFileError):
    """More elements than a machine may have."""


class UnknownFieldError(MachineFileError):
    """A field that the format does not have."""


class MissingFieldError(MachineFileError):
    """A field that must be there and is not."""


class WrongTypeError(MachineFileError):
    """A value of another type than the field takes."""


class NotFiniteError(MachineFileError):
    """NaN, an infinity, or a number too large for a double."""


class ValueRangeError(MachineFileError):
    """A number or word outside what the field allows."""


class AxisError(MachineFileError):
    """An axis of zero length, or two axes that do not fit each other."""


class NameUnknownError(MachineFileError):
    """A reference to a link, joint or actuator that is not there."""


class DuplicateNameError(MachineFileError):
    """Two elements of one kind share a name, or an object has a key twice."""


class SelfJointError(MachineFileError):
    """A joint or an actuator that connects a link to itself."""


class DisconnectedError(MachineFileError):
    """Links that no joint connects to the rest of the machine."""


class TwoParentsError(MachineFileError):
    """A link with two parents that is not the pivot of a loop."""


class BoundsError(MachineFileError):
    """Bounds or limits that are reversed or negative."""


class RedundantsError(MachineFileError):
    """Redundant actuators that do not name each other, or contradict each other."""


class MassError(MachineFileError):
    """A mass that is not positive."""


class InertiaError(MachineFileError):
    """An inertia that no body can have."""


class MeshError(MachineFileError):
    """A mesh that is missing, unreadable, or outside the machine file's folder."""


class UnknownMachineError(HeadframeError):
    """Neither a machine of the catalogue nor a file."""


class UnknownSceneError(HeadframeError):
    """Neither a scene of the catalogue nor a file."""


class UnknownElementError(HeadframeError, KeyError):
    """A name was asked for that the machine does not have."""

    def __init__(self, kind: str, name: object, choices: Iterable[str]) -> None:
        """Say which `kind` of element was looked for, under which name, among which."""
        self.kind = kind
        self.name = name
        self.choices = tuple(choices)
        found = f"no {kind} is called {name!r}"
        if not isinstance(name, str):
            found = f"{kind}: found {name!r:.80}, expected its name (str)"
        super().__init__(f"{found}; {suggest(str(name), self.choices)}")

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would show it in quotes


class NotAMachineError(HeadframeError, TypeError):
    """Something else was given where a `Machine` is needed."""


class StateError(HeadframeError, ValueError):
    """Joint positions or lengths of the wrong number, or not finite."""


class LengthError(HeadframeError, ValueError):
    """A length that an actuator cannot have.

    Attributes:
        actuator: name of the actuator.
        length: the length that was given, or that follows from the others [m].
        expected: the lengths it can have [m]: its bounds, or the one that follows, twice.
    """

    def __init__(
        self, message: str, actuator: str, length: float, expected: tuple[float, float]
    ) -> None:
        """Keep the actuator and the lengths beside the text."""
        self.actuator = actuator
        self.length = length
        self.expected = expected
        super().__init__(message)


class PartnerError(LengthError):
    """A redundant partner whose length does not fit the first member's."""


class SingularityError(HeadframeError, ValueError):
    """A pose in which, or a length from which, the motion does not follow.

    Attributes:
        actuator: name of the actuator whose length cannot set the motion; None if it is no one's.
        reachable: the lengths of that actuator that can be reached [m]; None where not known.
    """

    def __init__(
        self,
        message: str,
        actuator: str | None = None,
        reachable: tuple[float, float] | None = None,
    ) -> None:
        """Keep the actuator and its range beside the text."""
        self.actuator = actuator
        self.reachable = reachable
        super().__init__(message)


class UnreachableError(HeadframeError, ValueError):
    """A via point that the link cannot reach.

    Attributes:
        via: its position in the list.
        position_error: how far the closest pose found is away [m].
        angle_error: how far it is turned [rad]; 0 where orientations are free.
    """

    def __init__(self, message: str, via: int, position_error: float, angle_error: float) -> None:
        """Keep which one and by how much beside the text."""
        self.via = via
        self.position_error = position_error
        self.angle_error = angle_error
        super().__init__(message)


class DynamicsError(HeadframeError, ArithmeticError):
    """A motion that cannot be computed, or that cannot go on.

    Attributes:
        body: name of the body, joint or cylinder where it was found; None if it is no one's.
        time: when [s]; None outside of a simulation.
        states: the last states before it, oldest first: pairs (q, v) as a simulation has them.
    """

    def __init__(
        self,
        message: str,
        body: str | None = None,
        time: float | None = None,
        states: Sequence[object] = (),
    ) -> None:
        """Keep where and when, and what was before, beside the text."""
        self.body = body
        self.time = time
        self.states = tuple(states)
        super().__init__(message)


class CommandError(HeadframeError, ValueError):
    """A command that a cylinder or a motor cannot follow."""


class AssemblyError(HeadframeError):
    """The machine cannot be assembled.

    Attributes:
        loop: name of the loop that stays open the widest, or of the actuator out of bounds.
        gap: by how much it stays open [m].
    """

    def __init__(self, message: str, loop: str = "", gap: float = 0.0) -> None:
        """Keep the loop and its gap beside the text."""
        self.loop = loop
        self.gap = gap
        super().__init__(message)


class ProtocolError(HeadframeError, ValueError):
    """A message or a frame that is none."""


class ServerError(HeadframeError):
    """A server that cannot be started; `taken` if another one has the port."""

    def __init__(self, message: str, taken: bool = False) -> None:
        super().__init__(message)
        self.taken = taken


class ExportError(HeadframeError):
    """A machine that the asked format cannot hold, or a file that cannot be written."""


class RecordingError(HeadframeError):
    """A recording that cannot be opened, kept or named so."""


class MissingExtraError(HeadframeError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, feature: str, package: str, extra: str) -> None:
        """Say what needs which package, and the extra that brings it."""
        self.package = package
        self.extra = extra
        super().__init__(
            f"{feature} needs {package}, which is not installed: pip install 'headframe[{extra}]'"
        )


def suggest(name: str, choices: Iterable[str], most: int = 8) -> str:
    """Say which valid name is nearest to `name`, or which names there are."""
    names = [choice for choice in choices if choice]
    by_small_letters = {choice.lower(): choice for choice in names[:5000]}
    near = difflib.get_close_matches(name[:256].lower(), by_small_letters, n=1, cutoff=0.6)
    if near:
        return f"did you mean {by_small_letters[near[0]]!r}?"
    return f"there are {listed(names, most)}"


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names in quotes, the first of them if they are many; "none" if there are none."""
    shown = ", ".join(repr(name[:64]) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "none"


def printed(name: str) -> str:
    """A name for a line or a table of the terminal.

    One with signs that move the cursor, break the line or turn the order of letters around is put
    in quotes, with their codes in their place.
    """
    return name if name.isprintable() else repr(name)


def escaped(line: str) -> str:
    """A line of words with names in them, such signs replaced by their codes."""
    if line.isprintable():
        return line
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in line)
