"""3DT models as Wavefront OBJ: objects are named ``component/body``, groups are links.

Attributes stand in comments of our own (``# attribute "key" "value"``), which others overlook.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote, unquote

from ..description import (
    MODEL_CREASE,
    Body,
    Findings,
    Model,
    ModelReading,
    check_file,
    number,
    quoted,
    read_limited,
    shown,
)
from ..errors import (
    MachineFileError,
    MissingFieldError,
    Problem,
    ValueRangeError,
    WrongTypeError,
)
from .model_import import Collected

Color = tuple[float, float, float, float]
GREY: Color = (0.6, 0.6, 0.6, 1.0)
COMPONENT, BODY = "model", "body"  # of what an OBJ file gives no name
_ATTRIBUTE = re.compile(r'#\s*attribute\s+("(?:[^"\\]|\\.)*")\s+("(?:[^"\\]|\\.)*")\s*$')
_CREASE = re.compile(r"#\s*crease\s+(\d{1,3}(?:\.\d*)?)\s*$")
_ROBOT = re.compile(r'#\s*robot\s+("(?:[^"\\]|\\.)*")\s*$')


def obj_files(model: Model, materials_name: str) -> tuple[str, str]:
    """The text of the OBJ file, and of the .mtl file that it names."""
    colors = list(dict.fromkeys(body.color for body in model.bodies))
    names = {color: f"color_{i}" for i, color in enumerate(colors)}
    lines = [f"# robot {quoted(model.name)}", f"mtllib {materials_name}"]
    start = 1
    for component in model.components:
        for body in component.bodies:
            lines.append(f"o {_coded(component.name)}/{_coded(body.name)}")
            lines.append(f"g {_coded(body.link)}")
            if body.crease != MODEL_CREASE:
                lines.append(f"# crease {number(body.crease)}")
            for key, value in body.attributes.items():
                lines.append(f"# attribute {quoted(key)} {quoted(value)}")
            lines.append(f"usemtl {names[body.color]}")
            lines += [
                f"v {number(x)} {number(y)} {number(z)}" for x, y, z in body.vertices.tolist()
            ]
            lines += ["f " + " ".join(str(start + i) for i in face) for face in body.faces]
            start += len(body.vertices)
    materials = []
    for color, name in names.items():
        red, green, blue, opacity = map(number, color)
        materials += [f"newmtl {name}", f"Kd {red} {green} {blue}", f"d {opacity}", ""]
    return "\n".join([*lines, ""]), "\n".join(materials)


def read_obj_model(path: Path) -> ModelReading:
    """Read an OBJ file and the .mtl file beside it as a model.

    An object's name before the first ``/`` is its component. Its link is its group, or else its
    component. Texture coordinates, normals, lines and points are left out, and so are faces
    without area and vertices that no face has.
    """
    data = read_limited(path)
    if isinstance(data, Problem):
        return ModelReading(None, [data])
    reader = _Obj(path)
    for i, line in enumerate(_lines(data)):
        reader.take(line.strip(), i + 1)
    if not reader.problems and not any(piece.faces for piece in reader.pieces):
        reader.complain(MissingFieldError, 0, "found no faces")
    if reader.problems:
        return ModelReading(None, reader.problems[:1000])
    return reader.collected().reading()


class _Piece:
    """An object of the file, as far as it has one material."""

    def __init__(self, name: str, link: str, color: Color) -> None:
        self.component, _, self.body = name.partition("/") if "/" in name else ("", "", name)
        self.link = link
        self.color = color
        self.attributes: dict[str, str] = {}
        self.crease = MODEL_CREASE
        self.faces: list[list[int]] = []


class _Obj:
    """Takes an OBJ file line by line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.robot = path.stem
        self.vertices: list[list[float]] = []
        self.pieces = [_Piece("", "", GREY)]
        self.colors: dict[str, Color] = {}
        self.problems: list[Problem] = []

    def complain(self, kind: type[MachineFileError], line: int, message: str) -> None:
        self.problems.append(Problem(kind, "", message, "", line or None))

    def take(self, line: str, at: int) -> None:
        word, _, rest = line.partition(" ")
        rest = rest.strip()
        piece = self.pieces[-1]
        if word == "v":
            self.vertex(rest.split(), at)
        elif word == "f":
            self.face(rest.split(), at)
        elif word == "o":
            self.pieces.append(_Piece(rest, "", piece.color))
        elif word == "g":
            if piece.faces:
                self.pieces.append(self.another(piece))
            self.pieces[-1].link = rest
        elif word == "usemtl":
            color = self.colors.get(rest, GREY)
            if piece.faces and piece.color != color:
                self.pieces.append(self.another(piece))
            self.pieces[-1].color = color
        elif word == "mtllib":
            self.materials(rest, at)
        elif found := _ATTRIBUTE.match(line):
            key, value = (json.loads(text) for text in found.groups())
            piece.attributes[key] = value
        elif found := _CREASE.match(line):
            piece.crease = min(180.0, float(found.group(1)))
        elif found := _ROBOT.match(line):
            self.robot = json.loads(found.group(1))

    def another(self, piece: _Piece) -> _Piece:
        new = _Piece("/".join(filter(None, (piece.component, piece.body))), piece.link, piece.color)
        new.attributes, new.crease = dict(piece.attributes), piece.crease
        return new

    def vertex(self, words: list[str], at: int) -> None:
        try:
            x, y, z = (float(word) for word in words[:3])
        except ValueError:
            self.complain(WrongTypeError, at, f"found {shown(' '.join(words))}, expected x, y, z")
            x = y = z = 0.0
        self.vertices.append([x, y, z])

    def face(self, words: list[str], at: int) -> None:
        face = []
        for word in words:
            first = word.partition("/")[0]
            if not re.fullmatch(r"-?\d{1,15}", first, re.ASCII):
                self.complain(WrongTypeError, at, f"found {shown(word)}, expected a vertex")
                return
            given = int(first)
            corner = given - 1 if given > 0 else len(self.vertices) + given
            if given == 0 or not 0 <= corner < len(self.vertices):
                message = f"found vertex {given}, expected 1 to {len(self.vertices)}"
                self.complain(ValueRangeError, at, message)
                return
            face.append(corner)
        if len(face) < 3:
            self.complain(ValueRangeError, at, f"found {len(face)} corners, expected at least 3")
            return
        self.pieces[-1].faces.append(face)

    def materials(self, name: str, at: int) -> None:
        """Take the diffuse colours and opacities of a materials file beside this one."""
        found = Findings()
        check_file(name, (".mtl",), self.path.parent, (), found)
        for _, problem in found.problems:
            self.complain(problem.kind, at, f"materials: {problem.message}")
        if found.problems:
            return
        data = read_limited(self.path.parent / name)
        if isinstance(data, Problem):
            self.complain(data.kind, at, f"materials {shown(name)}: {data.message}")
            return
        color, key = GREY, ""
        for line in _lines(data):
            word, _, rest = line.strip().partition(" ")
            try:
                values = [min(1.0, max(0.0, float(value))) for value in rest.split()[:3]]
            except ValueError:
                values = []
            if word == "newmtl":
                color, key = GREY, rest.strip()
            elif word == "Kd" and len(values) == 3:
                color = (values[0], values[1], values[2], color[3])
            elif word == "d" and values:
                color = (*color[:3], values[0])
            elif word == "Tr" and values:
                color = (*color[:3], 1.0 - values[0])
            if key:
                self.colors[key] = color

    def collected(self) -> Collected:
        collected = Collected(self.robot or COMPONENT)
        for piece in self.pieces:
            component = unquote(piece.component) or COMPONENT
            corners = sorted({corner for face in piece.faces for corner in face})
            place = {corner: i for i, corner in enumerate(corners)}
            body = Body.make(
                unquote(piece.body) or BODY,
                unquote(piece.link) or component,
                [self.vertices[corner] for corner in corners],
                [[place[corner] for corner in face] for face in piece.faces],
                piece.color,
                piece.attributes,
                piece.crease,
            )
            collected.add(component, body)
        return collected


def _coded(name: str) -> str:
    """A name without what would end it or split it; `unquote` gives it back."""
    coded = "".join(
        quote(sign, safe="") if sign in "/%" or (sign != " " and not sign.isprintable()) else sign
        for sign in name
    )
    return coded if coded == coded.strip() else coded.replace(" ", "%20")


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8-sig", errors="replace").split("\n")
