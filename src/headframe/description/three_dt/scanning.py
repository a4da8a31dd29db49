"""Lines, tokens and values of a 3DT text, and what is wrong with them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ...errors import (
    MachineFileError,
    MissingFieldError,
    NotFiniteError,
    NotThreeDtError,
    Problem,
    TooManyElementsError,
    ValueRangeError,
    WrongTypeError,
)
from ..jsonc import shown

MOST_ROWS = 5_000_000  # vertices and faces of a file
MOST_CORNERS = 256  # of a face
MOST_PROBLEMS = 1000  # after which reading ends
LONGEST_NAME = 256

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|#.*|[^\s"#]+')
_PLAIN = re.compile(r"[-+0-9.eE\s]*")  # no comment, no NaN, no infinity, no digits of other scripts
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
INTEGER = re.compile(r"[-+]?\d+", re.ASCII)
LIKE_A_NUMBER = re.compile(r"[-+.\d]|nan\b|inf", re.ASCII | re.IGNORECASE)


class EnoughError(Exception):
    """Reading cannot go on, or need not."""


class Token(NamedTuple):
    """A word, number or quoted text, and its column from 1."""

    text: str
    column: int


class Scanner:
    """Goes through the lines of a text once, and notes what is wrong with them.

    Attributes:
        lines: of the text.
        at: the line that was taken last, from 1; 0 before the first.
        problems: found so far.
    """

    def __init__(self, text: str, keywords: tuple[str, ...]) -> None:
        self.lines = text.split("\n")
        self.at = 0
        self.problems: list[Problem] = []
        self._keywords = keywords
        self._rows_left = MOST_ROWS

    def place(self) -> str:
        """Where in the hierarchy the scanner has come to."""
        return ""

    def complain(
        self,
        kind: type[MachineFileError],
        line: int,
        message: str,
        hint: str = "",
        column: int | None = None,
        place: str | None = None,
    ) -> None:
        """Note a problem of a line."""
        place = self.place() if place is None else place
        self.problems.append(Problem(kind, place, message, hint, line, column))
        if len(self.problems) >= MOST_PROBLEMS:
            raise EnoughError

    # -- lines -----------------------------------------------------------------------

    def tokens(self) -> list[Token]:
        """The tokens of the line that was just taken, without its comment."""
        line = self.lines[self.at - 1].rstrip("\r")
        found = [Token(m.group(), m.start() + 1) for m in _TOKEN.finditer(line)]
        return found[:-1] if found and found[-1].text.startswith("#") else found

    def statement(self) -> list[Token] | None:
        """The tokens of the next line that has any; None at the end."""
        while self.at < len(self.lines):
            self.at += 1
            if tokens := self.tokens():
                return tokens
        return None

    def skip_rows(self) -> None:
        """Go past rows of numbers, so that they are not complained of one by one."""
        while self.at < len(self.lines):
            line = self.lines[self.at].strip()
            if line and not line.startswith("#") and not LIKE_A_NUMBER.match(line):
                return
            self.at += 1

    # -- values ----------------------------------------------------------------------

    def text(self, tokens: list[Token], what: str) -> str | None:
        """The quoted text at the head of `tokens`, which loses it; None if there is none."""
        if not tokens:
            self.complain(MissingFieldError, self.at, f"the {what} is missing")
            return None
        token = tokens.pop(0)
        value: Any = None
        if token.text.startswith('"'):
            try:
                value = json.loads(token.text)
                value.encode()
            except ValueError:
                value = None
        if not isinstance(value, str):
            message = f"found {shown(token.text)}, expected the {what} in double quotes"
            self.complain(WrongTypeError, self.at, message, "", token.column)
            return None
        return value

    def name(self, tokens: list[Token], what: str) -> str | None:
        """A text of 1 to 256 characters at the head of `tokens`; None if there is none."""
        value = self.text(tokens, what)
        if value is not None and not 1 <= len(value) <= LONGEST_NAME:
            message = f"found a {what} of {len(value)} characters, expected 1 to {LONGEST_NAME}"
            self.complain(ValueRangeError, self.at, message)
            return None
        return value

    def no_more(self, tokens: list[Token]) -> None:
        """Complain of tokens that are left over."""
        if tokens:
            message = f"found {shown(tokens[0].text)}, expected the end of the line"
            self.complain(NotThreeDtError, self.at, message, "", tokens[0].column)

    def number(self, token: Token) -> float | None:
        """The finite number that a token is; None if it is none."""
        value = float(token.text) if _NUMBER.fullmatch(token.text) else None
        if value is not None and abs(value) < float("inf"):
            return value
        if value is not None or re.fullmatch(r"[-+]?(nan|inf(inity)?)", token.text, re.IGNORECASE):
            message = f"found {shown(token.text)}, expected a finite number"
            self.complain(NotFiniteError, self.at, message, "", token.column)
        else:
            message = f"found {shown(token.text)}, expected a number"
            self.complain(WrongTypeError, self.at, message, "", token.column)
        return None

    def count(self, tokens: list[Token], what: str) -> int | None:
        """How many rows a list announces, if it can have so many."""
        if len(tokens) != 1 or not re.fullmatch(r"\d{1,18}", tokens[0].text, re.ASCII):
            found = " ".join(token.text for token in tokens)
            message = f"found {shown(found)}, expected how many {what} follow"
            self.complain(WrongTypeError, self.at, message)
            self.skip_rows()
            return None
        count = int(tokens[0].text)
        self._rows_left -= count
        if self._rows_left < 0:
            message = f"found {count:,} more {what}, expected at most {MOST_ROWS:,} rows in a file"
            self.complain(TooManyElementsError, self.at, message)
            raise EnoughError
        if count > len(self.lines) - self.at:
            left = len(self.lines) - self.at
            message = f"found {count:,} {what} announced, but only {left:,} lines follow"
            self.complain(NotThreeDtError, self.at, message, "is the file cut off?")
            self.skip_rows()
            return None
        return count

    # -- rows ------------------------------------------------------------------------

    def rows(
        self, count: int, kind: type[Any], careful: Callable[[list[Token]], list[Any] | None]
    ) -> tuple[list[list[Any]], list[int] | range]:
        """The next rows as numbers, and their lines; with the problems of those that are bad."""
        chunk = self.lines[self.at : self.at + count]
        if _PLAIN.fullmatch("\n".join(chunk)):
            try:
                rows = [list(map(kind, line.split())) for line in chunk]
            except ValueError:
                rows = []
            sizes = set(map(len, rows))
            good = sizes <= {3} if kind is float else not sizes or min(sizes) >= 3
            if len(rows) == count and good and max(sizes, default=0) <= MOST_CORNERS:
                small = kind is float or all(max(row) < 2**62 > -min(row) for row in rows)
                if small and (kind is int or all(map(_finite, rows))):
                    start = self.at + 1
                    self.at += count
                    return rows, range(start, start + count)
        found: list[list[Any]] = []
        lines: list[int] = []
        taken = 0
        while taken < count and self.at < len(self.lines):
            self.at += 1
            tokens = self.tokens()
            if not tokens:
                continue
            if tokens[0].text in self._keywords:
                self.at -= 1
                message = f"found {taken:,} rows before {tokens[0].text!r}, expected {count:,}"
                self.complain(NotThreeDtError, self.at + 1, message)
                return found, lines
            taken += 1
            row = careful(tokens)
            if row is not None:
                found.append(row)
                lines.append(self.at)
        if taken < count:
            message = f"found {taken:,} rows before the end of the file, expected {count:,}"
            self.complain(NotThreeDtError, self.at, message, "is it cut off?")
        return found, lines


def _finite(row: list[float]) -> bool:
    return min(row) > -1e300 and max(row) < 1e300
