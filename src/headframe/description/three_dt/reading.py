"""From 3DT text to a model, or to the list of everything that is wrong with the text.

The text is read line by line. Lists of vertices and faces announce how many rows follow; these
are converted all at once where nothing is wrong with them, and row by row where something is.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from ...errors import (
    DuplicateNameError,
    MissingFieldError,
    NotThreeDtError,
    Problem,
    TooManyElementsError,
    UnknownFieldError,
    ValueRangeError,
    WrongTypeError,
    suggest,
)
from ..files import decoded, read_limited
from ..geometry import Material
from ..jsonc import shown
from ..model import FrozenMapping
from .checking import Surface, check_faces, check_vertices, corners_are_there
from .model import MODEL_CREASE, Body, Component, Floats, Integers, Model, frozen
from .scanning import INTEGER, LIKE_A_NUMBER, MOST_CORNERS, EnoughError, Scanner, Token
from .writing import VERSION

MOST_BODIES = 100_000

WITHIN = {  # the keywords of each block
    "robot": ("attribute", "component", "end"),
    "component": ("attribute", "body", "end"),
    "body": ("color", "crease", "attribute", "vertices", "faces", "end"),
}
KEYWORDS = ("3DT", "robot", *dict.fromkeys(chain.from_iterable(WITHIN.values())))


@dataclass
class ModelReading:
    """What came of reading a 3DT file: a model, or problems.

    Attributes:
        model: None if there are problems.
        problems: in the order of their lines.
        lines: line of every body, in the order of `Model.bodies`.
    """

    model: Model | None
    problems: list[Problem] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)


def read_model(path: str | Path) -> ModelReading:
    """Read a 3DT file."""
    data = read_limited(path)
    if isinstance(data, Problem):
        return ModelReading(None, [data])
    text = decoded(data, NotThreeDtError, "3DT")
    if isinstance(text, Problem):
        return ModelReading(None, [text])
    return read_model_text(text)


def read_model_text(text: str) -> ModelReading:
    """Read 3DT text."""
    reader = _Reader(text)
    with contextlib.suppress(EnoughError):
        reader.read()
        check_faces(reader.surfaces)
    problems = sorted(reader.problems, key=lambda problem: problem.line or 0)
    return ModelReading(None if problems else reader.model, problems, reader.body_lines)


def model_from(reading: ModelReading, source: str) -> Model:
    """The model of a reading; raises its problems, as an error of the first one's class."""
    if reading.model is None:
        raise reading.problems[0].kind(reading.problems, source)
    return reading.model


@dataclass
class _Block:
    """An open robot, component or body, and what was found in it so far."""

    kind: str
    name: str
    line: int
    link: str = ""
    attributes: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    parts: list[Any] = field(default_factory=list)
    color: tuple[float, ...] | None = None
    crease: float | None = None
    vertices: Floats | None = None
    corners: Integers | None = None
    sizes: Integers | None = None
    sound: bool = True  # whether its vertices are all there, so that faces can be checked


class _Reader(Scanner):
    """Takes statement after statement, and makes a model of them."""

    def __init__(self, text: str) -> None:
        super().__init__(text, KEYWORDS)
        self.blocks: list[_Block] = []
        self.surfaces: list[Surface] = []  # whose faces are yet to be checked
        self.body_lines: list[int] = []
        self.model: Model | None = None

    def place(self) -> str:
        """Where reading has come to: the component and the body."""
        return " / ".join(f"{block.kind} {shown(block.name)}" for block in self.blocks[1:])

    def read(self) -> None:
        self.header()
        while (tokens := self.statement()) is not None:
            word, *rest = tokens
            if self.model is not None:
                message = f"found {shown(word.text)} after the end of the robot"
                self.complain(NotThreeDtError, self.at, message, "", word.column)
                return
            if not self.blocks:
                self.robot(word, rest)
            elif word.text in WITHIN[self.blocks[-1].kind]:
                getattr(self, f"take_{word.text}")(rest)
            elif LIKE_A_NUMBER.match(word.text):
                self.stray_rows(word)
            else:
                self.unknown(word)
        if self.blocks:
            block = self.blocks[-1]
            message = (
                f"the file ends inside the {block.kind} {shown(block.name)} of line {block.line}"
            )
            self.complain(NotThreeDtError, len(self.lines), message, "is it cut off?")
        elif self.model is None:
            self.complain(MissingFieldError, len(self.lines), "the robot is missing")

    def header(self) -> None:
        first = self.statement()
        if first is None:
            self.fail("the file is empty, expected the header '3DT 1'")
        if first[0].text != "3DT":
            self.fail(f"found {shown(first[0].text)}, expected the header '3DT {VERSION}'")
        if [token.text for token in first[1:]] != [VERSION]:
            found = " ".join(token.text for token in first[1:])
            self.fail(f"found version {shown(found)}, expected {VERSION!r}")

    def fail(self, message: str) -> NoReturn:
        self.complain(NotThreeDtError, max(self.at, 1), message)
        raise EnoughError

    def unknown(self, word: Token) -> None:
        block = self.blocks[-1]
        if word.text in KEYWORDS:
            message = f"found {word.text!r} in a {block.kind}, where it does not belong"
            hint = f"it takes {', '.join(WITHIN[block.kind])}"
            if word.text in ("body", "component") and block.kind in ("body", "component"):
                hint = f"is the 'end' of the {block.kind} of line {block.line} missing?"
        else:
            message = f"unknown keyword {shown(word.text)}"
            hint = suggest(word.text, WITHIN[block.kind])
        self.complain(UnknownFieldError, self.at, message, hint, word.column)
        self.skip_rows()
        if word.text == "body" and block.kind == "body":  # go on as if it had ended
            self.blocks.pop()
            self.take_body(self.tokens()[1:])

    def stray_rows(self, word: Token) -> None:
        message = f"found numbers ({shown(word.text)} ...) that no list has announced"
        hint = "'vertices' and 'faces' say how many rows follow"
        self.complain(NotThreeDtError, self.at, message, hint, word.column)
        self.skip_rows()

    # -- blocks ----------------------------------------------------------------------

    def robot(self, word: Token, rest: list[Token]) -> None:
        if word.text != "robot":
            message = f"found {shown(word.text)}, expected 'robot' and its name"
            hint = suggest(word.text, ("robot",))
            near = hint if hint.startswith("did") else ""
            self.complain(NotThreeDtError, self.at, message, near, word.column)
            raise EnoughError
        name = self.name(rest, "name of the robot")
        self.no_more(rest)
        self.blocks.append(_Block("robot", name or "", self.at))

    def take_component(self, rest: list[Token]) -> None:
        name = self.name(rest, "name of the component")
        self.no_more(rest)
        self.open("component", name)

    def take_body(self, rest: list[Token]) -> None:
        name = self.name(rest, "name of the body")
        link = ""
        if rest and rest[0].text == "link":
            rest.pop(0)
            link = self.name(rest, "name of the link") or ""
            self.no_more(rest)
        elif name is not None:
            message = "the link that carries the body is missing"
            hint = 'write body "..." link "..."'
            self.complain(MissingFieldError, self.at, message, hint)
        self.open("body", name)
        self.blocks[-1].link = link
        self.body_lines.append(self.at)
        if len(self.body_lines) > MOST_BODIES:
            message = f"found more bodies than expected, which are {MOST_BODIES:,} at most"
            self.complain(TooManyElementsError, self.at, message)
            raise EnoughError

    def open(self, kind: str, name: str | None) -> None:
        names = self.blocks[-1].names
        if name is not None and name in names:
            message = f"the name {shown(name)} is taken by an earlier {kind}"
            self.complain(DuplicateNameError, self.at, message)
        names.add(name or "")
        self.blocks.append(_Block(kind, name or "", self.at))

    def take_attribute(self, rest: list[Token]) -> None:
        key = self.name(rest, "key of the attribute")
        value = self.text(rest, "value of the attribute") if key is not None else None
        if key is None or value is None:
            return
        self.no_more(rest)
        attributes = self.blocks[-1].attributes
        if key in attributes:
            message = f"the attribute {shown(key)} is given more than once"
            self.complain(DuplicateNameError, self.at, message)
        attributes[key] = value

    def take_color(self, rest: list[Token]) -> None:
        block = self.blocks[-1]
        if block.color is not None:
            self.complain(DuplicateNameError, self.at, "the color is given more than once")
        if len(rest) not in (3, 4):
            message = f"found {len(rest)} values, expected red, green, blue and perhaps opacity"
            self.complain(WrongTypeError, self.at, message)
            return
        values = []
        for token in rest:
            value = self.number(token)
            if value is None:
                return
            if not 0.0 <= value <= 1.0:
                message = f"found {shown(token.text)}, expected 0 to 1"
                hint = "divide by 255" if value > 1.0 else ""
                self.complain(ValueRangeError, self.at, message, hint, token.column)
                return
            values.append(value + 0.0)
        block.color = (*values, 1.0)[:4]

    def take_crease(self, rest: list[Token]) -> None:
        block = self.blocks[-1]
        if block.crease is not None:
            self.complain(DuplicateNameError, self.at, "the crease is given more than once")
        if len(rest) != 1:
            message = f"found {len(rest)} values, expected one angle in degrees"
            self.complain(WrongTypeError, self.at, message)
            return
        value = self.number(rest[0])
        if value is not None and not 0.0 <= value <= 180.0:
            message = f"found {shown(rest[0].text)}, expected 0 to 180 degrees"
            self.complain(ValueRangeError, self.at, message, "", rest[0].column)
            value = None
        block.crease = value

    def take_end(self, rest: list[Token]) -> None:
        self.no_more(rest)
        block = self.blocks[-1]
        made: Body | Component | None = None
        if block.kind == "body":
            for what in ("vertices", "faces"):
                if (block.vertices if what == "vertices" else block.sizes) is None:
                    self.complain(MissingFieldError, self.at, f"the {what} are missing")
            if block.vertices is not None and block.corners is not None and block.sizes is not None:
                red, green, blue, opacity = block.color or Material().color
                arrays = (frozen(block.vertices), frozen(block.corners), frozen(block.sizes))
                color, attributes = (red, green, blue, opacity), FrozenMapping(block.attributes)
                crease = MODEL_CREASE if block.crease is None else block.crease
                made = Body(block.name, block.link, *arrays, color, attributes, crease)
        elif not block.names:
            what = "bodies" if block.kind == "component" else "components"
            self.complain(MissingFieldError, block.line, f"the {block.kind} has no {what}")
        self.blocks.pop()
        attributes = FrozenMapping(block.attributes)
        if block.kind == "component":
            made = Component(block.name, tuple(block.parts), attributes)
        if block.kind == "robot":
            self.model = Model(block.name, tuple(block.parts), attributes)
        elif made is not None:
            self.blocks[-1].parts.append(made)

    # -- lists -----------------------------------------------------------------------

    def take_vertices(self, rest: list[Token]) -> None:
        block = self.blocks[-1]
        if block.vertices is not None:
            self.complain(DuplicateNameError, self.at, "the vertices are given more than once")
        block.vertices, block.sound = np.zeros((0, 3)), False
        before = len(self.problems)
        count = self.count(rest, "vertices")
        if count is None:
            return
        rows, lines = self.rows(count, float, self.vertex)
        flat = np.array(list(chain.from_iterable(rows)), dtype=np.float64)
        block.vertices = flat.reshape(-1, 3) + 0.0  # no negative zeros
        check_vertices(block.vertices, lines, self.complain)
        block.sound = len(self.problems) == before

    def take_faces(self, rest: list[Token]) -> None:
        block = self.blocks[-1]
        if block.sizes is not None:
            self.complain(DuplicateNameError, self.at, "the faces are given more than once")
        block.corners = block.sizes = np.zeros(0, dtype=np.int64)
        if block.vertices is None:
            self.complain(MissingFieldError, self.at, "found faces, expected the vertices first")
            self.skip_rows()
            block.vertices, block.sound = np.zeros((0, 3)), False
            return
        before = len(self.problems)
        count = self.count(rest, "faces")
        if count is None:
            return
        rows, lines = self.rows(count, int, self.face)
        block.sizes = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows))
        block.corners = np.array(list(chain.from_iterable(rows)), dtype=np.int64)
        if len(self.problems) == before and block.sound:
            complain = partial(self.complain, place=self.place())
            surface = Surface(block.vertices, block.corners, block.sizes, lines, complain)
            if corners_are_there(surface):
                self.surfaces.append(surface)

    def vertex(self, tokens: list[Token]) -> list[float] | None:
        if len(tokens) != 3:
            message = f"found a vertex of {len(tokens)} values, expected x, y and z"
            self.complain(WrongTypeError, self.at, message)
            return None
        values = [self.number(token) for token in tokens]
        return None if None in values else [value for value in values if value is not None]

    def face(self, tokens: list[Token]) -> list[int] | None:
        if not 3 <= len(tokens) <= MOST_CORNERS:
            message = f"found a face of {len(tokens)} corners, expected 3 to {MOST_CORNERS}"
            self.complain(ValueRangeError, self.at, message)
            return None
        for token in tokens:
            if not INTEGER.fullmatch(token.text) or len(token.text) > 18:
                message = f"found {shown(token.text)}, expected the position of a vertex"
                self.complain(WrongTypeError, self.at, message, "", token.column)
                return None
        return [int(token.text) for token in tokens]
