"""JSON as people write it: with ``//`` and ``/* */`` comments and trailing commas.

The standard parser does the work. Comments and trailing commas are blanked out, not removed, so
that every position in the text stays what it was and a problem can be given its line.
"""

from __future__ import annotations

import json
import re
from typing import Any

from ..errors import DuplicateNameError, NestingError, NotJsonError, Problem

MOST_NESTING = 64
LOCATED_TEXT = 8 * 2**20  # beyond this many characters, problems are reported without lines

Path = tuple[str | int, ...]

_STRING = r'"(?:[^"\\\n]|\\.)*"'
_COMMENT = re.compile(_STRING + r"|(//[^\n]*|/\*.*?\*/)", re.DOTALL)
_TRAILING_COMMA = re.compile(_STRING + r"|(,)(?=\s*[\]}])")
_TOKEN = re.compile(_STRING + r"|[\[\]{}:,]|[^\s\[\]{}:,\"]+")


class _Object(dict[str, Any]):
    """An object of the file, with the keys that stand in it twice."""

    repeated: tuple[str, ...] = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = _Object(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        found.repeated = tuple(sorted({key for key in keys if keys.count(key) > 1}))
    return found


def parse(text: str) -> tuple[Any, list[Problem]]:
    """The value in `text`, and what is wrong with it as JSON (then the value is None)."""
    plain = text
    try:
        try:
            value = json.loads(text, object_pairs_hook=_object)
        except json.JSONDecodeError:
            plain = _blanked(text)
            value = json.loads(plain, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        found = plain[error.pos : error.pos + 20].split("\n")[0].strip()
        near = f" near {found!r}" if found else " at the end of the file"
        reason = error.msg[0].lower() + error.msg[1:]
        return None, [Problem(NotJsonError, "", f"not JSON: {reason}{near}", line=error.lineno)]
    except RecursionError:
        return None, [_too_deep(())]
    except ValueError:  # an integer of more digits than Python converts
        return None, [Problem(NotJsonError, "", "not JSON: a number has too many digits")]
    problems = _structure_problems(value)
    return (None if problems else value), problems


def _blanked(text: str) -> str:
    """`text` with spaces in place of comments and of commas before a closing bracket."""

    def blank(match: re.Match[str]) -> str:
        if match.group(1) is None:
            return match.group(0)
        return re.sub(r"[^\n]", " ", match.group(0))

    return _TRAILING_COMMA.sub(blank, _COMMENT.sub(blank, text))


def _structure_problems(value: Any) -> list[Problem]:
    """Keys given twice, and nesting beyond the limit."""
    problems = []
    waiting: list[tuple[Path, Any]] = [((), value)]
    while waiting:
        path, item = waiting.pop()
        if isinstance(item, dict):
            for key in getattr(item, "repeated", ()):
                message = f"the key {key!r} is given more than once"
                problems.append(Problem(DuplicateNameError, path_text((*path, key)), message))
            inner: list[tuple[str | int, Any]] = list(item.items())
        elif isinstance(item, list):
            inner = list(enumerate(item))
        else:
            continue
        if len(path) >= MOST_NESTING:
            return [_too_deep(path)]
        waiting += [
            ((*path, key), child) for key, child in inner if isinstance(child, dict | list)
        ]
    return problems


def _too_deep(path: Path) -> Problem:
    return Problem(
        NestingError, path_text(path[:8]), f"nested more than {MOST_NESTING} levels deep"
    )


def path_text(path: Path) -> str:
    """A path as people write it: ``links[2].visual[0].geometry``."""
    text = ""
    for key in path:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else str(key)
    return text


def line_numbers(text: str) -> dict[Path, int]:
    """Line of every value, by its path; empty for a text too long to be worth it.

    Only ever called on a text that has parsed, so that it need not mind errors.
    """
    if len(text) > LOCATED_TEXT:
        return {}
    lines: dict[Path, int] = {}
    path: list[str | int] = []
    containers: list[str] = []
    key_next = False
    line, last = 1, 0
    for match in _TOKEN.finditer(_blanked(text)):
        line += text.count("\n", last, match.start())
        last = match.start()
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
        elif key_next:
            path[-1] = json.loads(token)
            lines[tuple(path)] = line
        else:
            lines.setdefault(tuple(path), line)
            if token in "[{":
                containers.append(token)
                key_next = token == "{"
                path.append("" if key_next else 0)
    return lines
