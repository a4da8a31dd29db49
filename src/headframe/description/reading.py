"""From a file to a robot, or to the list of everything that is wrong with the file.

Elements are checked one by one, so that one bad link does not hide a bad joint; what elements
say about each other is checked by `validation` on all that are sound in themselves.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, NamedTuple, TypeVar, cast

from pydantic import ValidationError

from ..errors import (
    FileTooLargeError,
    HeadframeWarning,
    MachineFileError,
    MissingFieldError,
    NotFiniteError,
    NotJsonError,
    NotReadableError,
    Problem,
    TooManyElementsError,
    UnknownFieldError,
    ValueRangeError,
    WrongTypeError,
    suggest,
)
from .dialects import Normalised, normalise
from .geometry import Box, Capsule, Cone, Cylinder, Element, Material, Mesh, Sphere, Visual
from .jsonc import Path, line_numbers, parse, path_text
from .model import (
    Actuator,
    Home,
    Inertial,
    Joint,
    Limit,
    Link,
    Motor,
    Provenance,
    Repeater,
    Robot,
    Spring,
)
from .validation import Parts, validate

LARGEST_FILE = 64 * 2**20  # bytes
MOST_ELEMENTS = 100_000

LISTS: dict[str, type[Element]] = {
    "links": Link,
    "joints": Joint,
    "actuators": Actuator,
    "springs": Spring,
    "motors": Motor,
    "repeaters": Repeater,
    "provenance": Provenance,
}
INSIDE: dict[str, type[Element]] = {
    "visual": Visual,
    "collision": Visual,
    "inertial": Inertial,
    "limit": Limit,
    "bound": Limit,
    "material": Material,
    "box": Box,
    "cylinder": Cylinder,
    "capsule": Capsule,
    "sphere": Sphere,
    "cone": Cone,
    "mesh": Mesh,
}
E = TypeVar("E", bound=Element)


@dataclass
class Reading:
    """What came of reading a file: a robot, or problems; and notes in either case."""

    robot: Robot | None
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_file(path: FilePath) -> Reading:
    """Read a machine file: MRDF of any dialect, or URDF."""
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            message = f"{size / 2**20:.0f} MiB, expected at most {LARGEST_FILE // 2**20} MiB"
            return Reading(None, [Problem(FileTooLargeError, "", message)])
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Reading(None, [Problem(NotReadableError, "", f"cannot be read: {reason}")])
    return read_bytes(data, path.parent)


def read_bytes(data: bytes, folder: FilePath | None = None) -> Reading:
    """Read the contents of a machine file; meshes are looked for in `folder`."""
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        from .urdf import parse_urdf

        canonical, problems, notes = parse_urdf(data)
        if canonical is None:
            return Reading(None, problems, notes)
        reading = _read_canonical(Normalised(canonical), folder)
        reading.problems = problems + reading.problems
        reading.notes = notes + reading.notes
        return reading if not problems else Reading(None, reading.problems, reading.notes)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"not JSON: byte {error.start} is not UTF-8"
        return Reading(None, [Problem(NotJsonError, "", message)])
    return read_text(text, folder)


def read_text(text: str, folder: FilePath | None = None) -> Reading:
    """Read MRDF text of any dialect."""
    raw, problems = parse(text)
    if not problems and not isinstance(raw, dict):
        problems = [Problem(WrongTypeError, "", f"found {_shown(raw)}, expected an object")]
    if problems:
        return Reading(None, _with_lines(problems, text))
    if too_many := _count_problem(raw):
        return Reading(None, [too_many])
    reading = _read_canonical(normalise(raw), folder)
    reading.problems = _with_lines(reading.problems, text)
    return reading


def robot_from(reading: Reading, source: str) -> Robot:
    """The robot of a reading; warns of its notes, raises its problems."""
    if reading.robot is None:
        raise error_of(reading.problems, source)
    for note in reading.notes:
        warnings.warn(f"{source}: {note}", HeadframeWarning, stacklevel=3)
    return reading.robot


def error_of(problems: list[Problem], source: str) -> MachineFileError:
    """The exception for a file's problems: of the first one's class, holding them all."""
    return problems[0].kind(problems, source)


def _count_problem(raw: dict[str, Any]) -> Problem | None:
    """Elements are the entries of all lists, and the shapes of links."""
    count = sum(len(raw[key]) for key in LISTS if isinstance(raw.get(key), list))
    links = raw.get("links")
    for link in links if isinstance(links, list) and count <= MOST_ELEMENTS else ():
        for key in ("visual", "collision"):
            shapes = link.get(key) if isinstance(link, dict) else None
            count += len(shapes) if isinstance(shapes, list) else 0
    if count <= MOST_ELEMENTS:
        return None
    return Problem(
        TooManyElementsError, "", f"{count:,} elements, expected at most {MOST_ELEMENTS:,}"
    )


def _read_canonical(file: Normalised, folder: FilePath | None) -> Reading:
    """Check a file in canonical form and build the robot."""
    problems = list(file.problems)
    parts: dict[str, list[tuple[int, Any]]] = {}
    for key, model in LISTS.items():
        parts[key] = []
        items = file.data.get(key, [])
        if not isinstance(items, list):
            message = f"found {_shown(items)}, expected a list"
            problems.append(Problem(WrongTypeError, path_text(file.origin((key,))), message))
            continue
        for i, item in enumerate(items):
            element = _element(model, item, (key, i), file, problems)
            if element is not None:
                parts[key].append((i, element))
    if "links" not in file.data:
        problems.append(Problem(MissingFieldError, "links", "a machine needs links"))
    heading = {key: value for key, value in file.data.items() if key not in LISTS}
    head = _element(Robot, {**heading, "links": ()}, (), file, problems)
    outcome = validate(
        Parts(
            **{key: cast("Any", parts[key]) for key in LISTS},
            heading=head,
            named=_raw_names(file.data),
            complete=not problems,
        ),
        folder,
    )
    for path, problem in outcome.problems:
        problems.append(problem_at(problem, file.origin(path)))
    notes = file.notes + outcome.notes
    if problems or head is None:
        return Reading(None, problems, notes)
    changed: dict[str, Any] = {
        key: tuple(element for _, element in outcome.parts[key]) for key in LISTS
    }
    robot = head.model_copy(update=changed)
    return Reading(robot, [], notes)


def problem_at(problem: Problem, path: Path) -> Problem:
    """`problem` with its place."""
    return Problem(problem.kind, path_text(path), problem.message, problem.hint)


def _raw_names(data: dict[str, Any]) -> dict[str, frozenset[str]]:
    """All names in the file, those of unsound elements included, so that one error is one."""
    names: dict[str, frozenset[str]] = {}
    for key in LISTS:
        items = data.get(key)
        found = [
            item["name"]
            for item in (items if isinstance(items, list) else [])
            if isinstance(item, dict) and isinstance(item.get("name"), str)
        ]
        names[key] = frozenset(found)
    return names


# -- one element -----------------------------------------------------------------------


def _element(
    model: type[E], item: Any, path: Path, file: Normalised, problems: list[Problem]
) -> E | None:
    """An element made from `item`, or None and problems."""
    try:
        return model.model_validate(item)
    except ValidationError as error:
        for fault in _faults(error, model):
            place = path_text(file.origin(path + fault.where))
            problems.append(Problem(fault.kind, place, fault.message, fault.hint))
        return None


class _Fault(NamedTuple):
    kind: type[MachineFileError]
    where: Path
    message: str
    hint: str


def _faults(error: ValidationError, model: type[Element]) -> Iterator[_Fault]:
    """Pydantic's complaints in our words; of several about one value, the last."""
    by_place: dict[Path, _Fault] = {}
    for complaint in error.errors(include_url=False):
        where, owner = _place(cast("Path", complaint["loc"]), model)
        fault = _fault(complaint["type"], where, complaint["input"], owner, complaint.get("ctx"))
        by_place[where] = fault
    yield from by_place.values()


def _place(location: Path, model: type[Element]) -> tuple[Path, type[Element]]:
    """Path of a complaint without pydantic's union tags, and the element it lies in."""
    where: list[str | int] = []
    owner = model
    for depth, key in enumerate(location):
        before = location[depth - 1] if depth else None
        is_tag = isinstance(key, str) and (
            (before == "geometry" and key in INSIDE) or key == "float" or key.startswith("tuple[")
        )
        if isinstance(key, str) and key in INSIDE and depth < len(location) - 1:
            owner = INSIDE[key]
        elif key == "home":
            owner = Home
        if not is_tag:
            where.append(key)
    return tuple(where), owner


def _fault(
    code: str, where: Path, found: Any, owner: type[Element], context: dict[str, Any] | None
) -> _Fault:
    name = str(where[-1]) if where else ""
    if code == "missing" and where and isinstance(where[-1], int):
        return _Fault(WrongTypeError, where[:-1], f"found {_shown(found)}, too few values", "")
    if code in ("missing", "union_tag_not_found"):
        field_name = "type" if code == "union_tag_not_found" else name
        return _Fault(MissingFieldError, where, f"the field {field_name!r} is missing", "")
    if code == "extra_forbidden":
        fields = [info.alias or key for key, info in owner.model_fields.items()]
        return _Fault(UnknownFieldError, where, f"unknown field {name!r}", suggest(name, fields))
    if code in ("finite_number", "int_parsing_size") or _is_huge(found):
        return _Fault(NotFiniteError, where, f"found {_shown(found)}, expected a finite number", "")
    if code in ("literal_error", "union_tag_invalid"):
        listed = str((context or {}).get("expected") or (context or {}).get("expected_tags", ""))
        choices = [word.strip(" '") for word in listed.replace(" or ", ", ").split(",")]
        if isinstance(found, dict):
            found = found.get("type")
        hint = suggest(found, choices) if isinstance(found, str) else ""
        return _Fault(ValueRangeError, where, f"found {_shown(found)}, expected {listed}", hint)
    if code in ("greater_than", "greater_than_equal", "less_than_equal"):
        bound = next(iter((context or {}).values()), 0)
        words = {"greater_than": "more than", "greater_than_equal": "at least"}
        limit = f"{words.get(code, 'at most')} {bound:g}"
        return _Fault(ValueRangeError, where, f"found {_shown(found)}, expected {limit}", "")
    if code.startswith("string_too"):
        return _Fault(ValueRangeError, where, "expected a name of 1 to 256 characters", "")
    return _Fault(WrongTypeError, where, f"found {_shown(found)}, expected {_expected(code)}", "")


def _expected(code: str) -> str:
    words = {
        "float_type": "a number",
        "string_type": "a string",
        "tuple_type": "a list",
        "dict_type": "an object",
        "model_type": "an object",
        "model_attributes_type": "an object",
        "too_long": "fewer values",
        "too_short": "more values",
    }
    return words.get(code, "another type")


def _is_huge(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**308


def _shown(value: Any) -> str:
    """A value of the file, cut to a readable length."""
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list | tuple) and len(value) > 6:
        return f"a list of {len(value)}"
    if _is_huge(value):
        return "a number beyond 1e308"
    names = {None: "null", True: "true", False: "false"}
    text = names[value] if value is None or isinstance(value, bool) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _with_lines(problems: list[Problem], text: str) -> list[Problem]:
    """Give each problem the line of its place, or of the nearest enclosing value."""
    if not problems or all(problem.line is not None for problem in problems):
        return problems
    try:
        lines = {path_text(path): line for path, line in line_numbers(text).items()}
    except (IndexError, ValueError):  # a text that did not parse has no places
        return problems
    located = []
    for problem in problems:
        place = problem.place
        while place and place not in lines:
            place = place[: max(place.rfind("."), place.rfind("["), 0)]
        line = problem.line if problem.line is not None else lines.get(place) if place else None
        located.append(Problem(problem.kind, problem.place, problem.message, problem.hint, line))
    return located
