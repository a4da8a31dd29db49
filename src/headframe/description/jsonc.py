"""JSON as people write it: with ``//`` and ``/* */`` comments and trailing commas.

The standard parser does the work. Comments and trailing commas are blanked out, not removed, so
that every position in the text stays what it was and a problem can be given its line.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from ..errors import (
    DuplicateNameError,
    MachineFileError,
    NestingError,
    NotJsonError,
    Problem,
    WrongTypeError,
)

SCHEMA_KEY = "$schema"  # by which editors find the schema of a file
MOST_NESTING = 64
LOCATED_TEXT = 8 * 2**20  # beyond this many characters, problems are reported without lines
LONGEST_INTEGER = 400  # digits; anything longer is beyond a double anyway
LONGEST_SHOWN = 60  # characters of a value or key that a message repeats

Path = tuple[str | int, ...]

# Every pattern takes time in proportion to the text, whatever is in it: a string or comment that
# is left open runs to the end of its line or of the text, and nothing is tried twice.
_STRING = r'"(?:[^"\\\n]|\\.)*+"?'
_COMMENT = re.compile(_STRING + r"|(//[^\n]*|/\*.*?(?:\*/|\Z))", re.DOTALL)
_TRAILING_COMMA = re.compile(_STRING + r"|[\[{,:]\s*,|(,)(?=\s*[\]}])", re.DOTALL)
_TOKEN = re.compile(_STRING + r"|[\[\]{}:,]|[^\s\[\]{}:,\"]+", re.DOTALL)
_BRACKET = re.compile(_STRING + r"|([\[{])|([\]}])", re.DOTALL)
_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")

_REASONS = {  # how the standard parser's complaints begin, and what they mean to a person
    "Expecting value": "expected a value",
    "Expecting property name": "expected a key in double quotes",
    "Expecting ':'": "expected ':' after a key",
    "Expecting ','": "expected ',' or a closing bracket",
    "Unterminated string": "a string is not closed",
    "Invalid control character": "a control character in a string",
    "Invalid \\escape": "a backslash that escapes nothing (write \\\\ for a backslash)",
    "Invalid \\uXXXX": "expected four hexadecimal digits after \\u",
    "Extra data": "more text after the end of the machine",
}


@dataclass
class Findings:
    """What was found out about a file, each thing at its path."""

    problems: list[tuple[Path, Problem]] = field(default_factory=list)
    notes: list[tuple[Path, str]] = field(default_factory=list)

    def complain(
        self, kind: type[MachineFileError], path: Path, message: str, hint: str = ""
    ) -> None:
        """Add a problem."""
        self.problems.append((path, Problem(kind, "", message, hint)))

    def note(self, path: Path, text: str) -> None:
        """Add something that is no problem, but good to know."""
        self.notes.append((path, text))

    def take(self, other: Findings, origin: Callable[[Path], Path]) -> None:
        """Add what another found; `origin` turns its paths into this one's."""
        self.problems += [(origin(path), problem) for path, problem in other.problems]
        self.notes += [(origin(path), text) for path, text in other.notes]

    def placed(
        self, text: str = "", place: Callable[[Path], str] | None = None
    ) -> tuple[list[Problem], list[str]]:
        """Problems in the order of their lines and notes, all with place and line in `text`.

        `place` tells how a person finds a path; as in JSON if None.
        """
        told = place or path_text
        paths = [path for path, _ in self.problems + self.notes if path]
        lines = line_numbers(text, paths) if paths and len(text) <= LOCATED_TEXT else {}

        def line_of(path: Path) -> int | None:
            return next(
                (lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), None
            )

        problems = [
            Problem(p.kind, told(path), p.message, p.hint, p.line or line_of(path))
            for path, p in self.problems
        ]
        notes = []
        for path, note in self.notes:
            line = line_of(path)
            where = told(path) + (f" (line {line})" if line else "")
            notes.append(f"{where}: {note}" if path else note)
        return sorted(problems, key=lambda problem: problem.line or 0), notes


class _Object(dict[str, Any]):
    """An object of the file, with the keys that stand in it twice."""

    repeated: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = _Object(pairs)
    if len(found) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        found.repeated = tuple(key for key, count in counts.items() if count > 1)
    return found


def _integer(digits: str) -> int | float:
    """Python refuses to convert very long integers, and takes its time for long ones."""
    if len(digits) <= LONGEST_INTEGER:
        return int(digits)
    return -math.inf if digits.startswith("-") else math.inf


def parse(text: str) -> tuple[Any, Findings]:
    """The value in `text`, None if it is not JSON or too deep, and what is wrong with it.

    A file may name its schema, for its author's editor: that key is left out here.
    """
    found = Findings()
    value = None
    try:
        value = _loads(text)
    except json.JSONDecodeError:
        try:
            value = _loads(_blanked(text))
        except json.JSONDecodeError as error:
            found.problems.append(((), _not_json(error)))
        except RecursionError:
            found.problems.append(((), _too_deep(text)))
    except RecursionError:
        found.problems.append(((), _too_deep(text)))
    if not found.problems and not _check_structure(value, text, found):
        value = None
    if isinstance(value, dict) and SCHEMA_KEY in value:
        named = value.pop(SCHEMA_KEY)
        if not isinstance(named, str):
            message = f"found {shown(named)}, expected the path or address of a schema in quotes"
            found.complain(WrongTypeError, (SCHEMA_KEY,), message)
    return value, found


def _loads(text: str) -> Any:
    return json.loads(text, object_pairs_hook=_object, parse_int=_integer)


def _not_json(error: json.JSONDecodeError) -> Problem:
    text, at = error.doc, error.pos
    rest = text[at : at + 200].strip().split("\n")[0][:20].strip()
    reason = next((ours for theirs, ours in _REASONS.items() if error.msg.startswith(theirs)), "")
    if not text.strip():
        message = "the file is empty, expected an object in braces"
    elif text.startswith("/*", at):
        message = f"a comment is not closed, near {rest!r}"
    elif error.msg.startswith("Invalid control") and text[at] in "\r\n":
        before = text[max(0, at - 20) : at].split("\n")[-1]
        message = f"a string is not closed on its line, after {before!r}"
    else:
        near = f"near {rest!r}" if rest else "at the end of the file"
        message = f"{reason or error.msg}, {near}"
    return Problem(NotJsonError, "", f"not JSON: {message}", line=error.lineno)


def _blanked(text: str) -> str:
    """`text` with spaces in place of comments and of commas before a closing bracket."""

    def blank(match: re.Match[str]) -> str:
        found: str = match.group(0)
        left_open = found.startswith("/*") and (len(found) < 4 or not found.endswith("*/"))
        if match.group(1) is None or left_open:
            return found
        return re.sub(r"[^\n]", " ", found)

    return _TRAILING_COMMA.sub(blank, _COMMENT.sub(blank, text))


def _check_structure(value: Any, text: str, found: Findings) -> bool:
    """Look for keys given twice and for nesting beyond the limit; False if there is such."""
    level, repeated = [value], False
    for depth in itertools.count(1):
        level = [item for item in level if isinstance(item, dict | list)]
        if not level:
            break
        if depth > MOST_NESTING:
            found.problems.append(((), _too_deep(text)))
            return False
        repeated = repeated or any(getattr(item, "repeated", ()) for item in level)
        level = [v for item in level for v in (item.values() if isinstance(item, dict) else item)]
    waiting: list[tuple[Path, Any]] = [((), value)] if repeated else []
    while waiting:
        path, item = waiting.pop()
        for key in getattr(item, "repeated", ()):
            message = f"the key {shown(key)} is given more than once"
            found.complain(DuplicateNameError, (*path, key), message)
        children = item.items() if isinstance(item, dict) else enumerate(item)
        waiting += [((*path, key), v) for key, v in children if isinstance(v, dict | list)]
    return True


def _too_deep(text: str) -> Problem:
    """Nesting beyond the limit, at the line where it is first reached."""
    line, depth = None, 0
    for match in _BRACKET.finditer(_blanked(text)):
        depth += 1 if match.group(1) else -1 if match.group(2) else 0
        if depth > MOST_NESTING:
            line = text.count("\n", 0, match.start()) + 1
            break
    message = f"found nesting deeper than {MOST_NESTING} levels, expected {MOST_NESTING} at most"
    return Problem(NestingError, "", message, line=line)


# -- places and values, for people -----------------------------------------------------


def path_text(path: Path) -> str:
    """A path as people write it: ``links[2].visual[0].geometry``."""
    text = ""
    for key in path:
        if isinstance(key, int):
            text += f"[{key}]"
        elif _PLAIN_KEY.fullmatch(key) and len(key) <= LONGEST_SHOWN:
            text += f".{key}" if text else key
        else:
            text += f"[{shown(key)}]"
    return text


def shown(value: Any) -> str:
    """A value of the file, cut to a readable length."""
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    if isinstance(value, list | tuple):
        if len(value) > 6:
            return f"a list of {len(value)} values"
        text = "[" + ", ".join(shown(item) for item in value) + "]"
    elif isinstance(value, str):
        text = repr(value[: LONGEST_SHOWN + 1])
    elif value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    elif isinstance(value, float) and math.isnan(value):
        return "NaN"
    elif abs(value) > 1e308:
        return f"{'-' if value < 0 else ''}Infinity or a number beyond 1e308"
    else:
        text = repr(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


def line_numbers(text: str, paths: Iterable[Path]) -> dict[Path, int]:
    """Line of the values at `paths` and of all that enclose them, where they are in `text`.

    Only ever called on a text that has parsed, so that it need not mind errors.
    """
    wanted = {path[:end] for path in paths for end in range(1, len(path) + 1)}
    lines: dict[Path, int] = {}
    path: list[str | int] = []
    containers: list[str] = []
    key_next = False
    line, last = 1, 0
    for match in _TOKEN.finditer(_blanked(text)):
        token = match.group(0)
        if token in "]}":
            containers.pop()
            path.pop()
        elif token == ",":
            key_next = containers[-1] == "{"
            if not key_next:
                path[-1] = int(path[-1]) + 1
        elif token == ":":
            key_next = False
        else:
            if key_next:
                path[-1] = json.loads(token) if "\\" in token else token[1:-1]
            elif token in "[{":
                containers.append(token)
            place = tuple(path)
            if place in wanted:
                line += text.count("\n", last, match.start())
                last = match.start()
                if key_next or place not in lines:
                    lines[place] = line
            if token in "[{" and not key_next:
                key_next = token == "{"
                path.append("" if key_next else 0)
    return lines
