"""The protocol in TypeScript: types of the messages, places in a frame, the version.

`python -m headframe.protocol` writes `web/src/protocol/generated.ts`; with `--check` it only tells
whether that file is what it would write.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from . import down, frame_layout, sheets, up
from .codec import LARGEST_MESSAGE
from .version import VERSION

SCALARS = {
    Any: "unknown",
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
HEAD = """\
// Made by `python -m headframe.protocol` from src/headframe/protocol; do not edit.
"""


def source() -> str:
    """The whole file."""
    ups, downs = _members(up.Up), _members(down.Down)
    parts = [
        HEAD,
        *_constants(),
        *_frames(),
        *map(_interface, _with_parts((*ups, *downs, *_members(sheets.Sheets)))),
    ]
    parts.append(f"export type Up =\n  | {_names(ups)};\n")
    parts.append(f"export type Down =\n  | {_names(downs)};\n")
    return "\n".join(parts)


def _constants() -> Iterator[str]:
    yield f"export const VERSION = {VERSION};\nexport const LARGEST_MESSAGE = {LARGEST_MESSAGE};\n"


def _frames() -> Iterator[str]:
    """Everything that a decoder of frames needs, from `frame_layout`."""
    layout = frame_layout
    yield (
        f"export const FRAME_MAGIC = 0x{layout.MAGIC:08x};\n"
        f"/** Bytes of a frame's header. */\nexport const HEADER = {layout.HEADER};\n"
        f"/** Bytes of a number of the sections. */\n"
        f"export const ELEMENT_BYTES = {layout.ELEMENT_BYTES};\n"
    )
    flags = "".join(f"  {flag.name}: {flag.value},\n" for flag in layout.Flags)
    yield f"export const FLAGS = {{\n{flags}}} as const;\n"
    yield from _header()
    yield from _sections()
    yield (
        "/** Numbers before those of a batch of the crowd. */\n"
        f"export const BATCH_COLUMNS = {_places(layout.BATCH)} as const;\n"
        f"export const BATCH = {len(layout.BATCH)};\n"
    )


def _header() -> Iterator[str]:
    """The header: where its fields begin, what they are, and a function that reads them."""
    places, types, reads, at = [], [], [], 0
    for field in frame_layout.HEADER_FIELDS:
        name = _camel(field.name)
        places.append(f"  {name}: {at},\n")
        types.append(f"  /** {field.text}{_unit(field.unit)} */\n  {name}: number;\n")
        reads.append(f"    {name}: view.get{field.kind.capitalize()}({at}, true),\n")
        at += field.size
    yield (
        "/** Where the fields of a frame's header begin [bytes]. */\n"
        f"export const AT = {{\n{''.join(places)}}} as const;\n"
    )
    yield f"/** A frame's header. */\nexport interface FrameHeader {{\n{''.join(types)}}}\n"
    yield (
        "/** The header at the beginning of a frame. */\n"
        "export function readHeader(view: DataView): FrameHeader {\n"
        f"  return {{\n{''.join(reads)}  }};\n}}\n"
    )


def _sections() -> Iterator[str]:
    """The sections: names and columns, and functions that say how long they are and cut them."""
    table, widths, columns, types, sizes, cuts = [], [], [], [], [], []
    for number, section in enumerate(frame_layout.SECTIONS):
        name, rows, width = section.name, section.rows, section.width
        table.append(
            f'  {{ id: {number}, name: "{name}", rows: "{rows}", element: '
            f'"{frame_layout.ELEMENT}", width: {width} }},\n'
        )
        widths.append(f"  {name}: {width},\n")
        columns.append(f"  {name}: {_places(section.columns)},\n")
        types.append(f"  /** {section.text} */\n  {name}: Float32Array;\n")
        factors = [str(width)] * (width > 1 or not rows) + [f"head.{_camel(rows)}"] * bool(rows)
        sizes.append(f"    {' * '.join(factors)},\n")
        cuts.append(f"    {name}: take({number}),\n")
    yield (
        "/** The tables after the header, in their order; `rows` names the header's field that\n"
        " * counts them, and is empty where there is one row. */\n"
        f"export const SECTIONS = [\n{''.join(table)}] as const;\n"
    )
    yield (
        "/** How many numbers a row of a section has. */\n"
        f"export const WIDTH = {{\n{''.join(widths)}}} as const;\n"
    )
    yield (
        "/** Where in a row of a section a number stands. */\n"
        f"export const COLUMN = {{\n{''.join(columns)}}} as const;\n"
    )
    yield f"/** The sections as views. */\nexport interface FrameSections {{\n{''.join(types)}}}\n"
    yield (
        "/** How many numbers each section has. */\n"
        "export function sectionSizes(head: FrameHeader): number[] {\n"
        f"  return [\n{''.join(sizes)}  ];\n}}\n"
    )
    yield (
        "/** The sections of a frame, as views into its bytes. */\n"
        "export function cutSections(data: ArrayBuffer, sizes: number[]): FrameSections {\n"
        "  let at = HEADER;\n"
        "  const take = (section: number): Float32Array => {\n"
        "    const part = new Float32Array(data, at, sizes[section]);\n"
        "    at += part.byteLength;\n"
        "    return part;\n"
        "  };\n"
        f"  return {{\n{''.join(cuts)}  }};\n}}\n"
    )


def _places(columns: tuple[frame_layout.SectionColumn, ...]) -> str:
    """Names of columns and where they stand."""
    inner = ", ".join(f"{column.name}: {n}" for n, column in enumerate(columns))
    return f"{{ {inner} }}"


def _unit(unit: str) -> str:
    return f" [{unit}]" if unit else ""


def _members(union: Any) -> tuple[type, ...]:
    """The classes of a union of messages."""
    if get_origin(union) is Annotated:
        union = get_args(union)[0]
    return get_args(union)


def _with_parts(classes: tuple[type, ...]) -> list[type]:
    """These classes and those that their fields hold, each once, parts first."""
    found: list[type] = []

    def visit(kind: Any) -> None:
        if is_dataclass(kind) and isinstance(kind, type):
            if kind not in found:
                for hint in get_type_hints(kind).values():
                    visit(hint)
                found.append(kind)
        else:
            for part in get_args(kind):
                visit(part)

    for kind in classes:
        visit(kind)
    return found


def _interface(kind: type) -> str:
    """A dataclass as an interface with the first line of its docstring, and bounds of numbers."""
    summary = (kind.__doc__ or "").strip().splitlines()[0]
    hints = get_type_hints(kind, include_extras=True)
    lines = []
    for field in fields(kind):
        if bounds := _bounds(hints[field.name]):
            lines.append(f"  /** {bounds} */")
        lines.append(f"  {field.name}: {_type(hints[field.name])};")
    return f"/** {summary} */\nexport interface {kind.__name__} {{\n" + "\n".join(lines) + "\n}\n"


def _bounds(hint: Any) -> str:
    """Least and greatest value of the numbers in a type; empty where none are declared."""
    parts = get_args(hint)
    if get_origin(hint) is Annotated and parts[0] in (int, float):
        known = {type(rule).__name__: rule for info in parts[1:] for rule in info.metadata}
        if "Ge" in known and "Le" in known:
            return f"{_plain(known['Ge'].ge)} to {_plain(known['Le'].le)}"
        return ""
    return next(filter(None, map(_bounds, parts)), "")


def _plain(number: float) -> str:
    """A number in few letters."""
    short = f"{number:g}".replace("e+0", "e").replace("e+", "e")
    return short if float(short) == number else f"{number}"


def _type(hint: Any) -> str:
    """A type in TypeScript."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint in SCALARS:
        return SCALARS[hint]
    if origin is Annotated:
        return _type(parts[0])
    if origin is Literal:
        return " | ".join(f'"{part}"' for part in parts)
    if origin in (Union, types.UnionType):
        return " | ".join(map(_type, parts))
    if origin is tuple and parts[-1] is Ellipsis:
        inner = _type(parts[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(map(_type, parts))}]"
    if origin is dict:
        return f"Record<{_type(parts[0])}, {_type(parts[1])}>"
    if is_dataclass(hint) and isinstance(hint, type):
        return hint.__name__
    raise TypeError(f"{hint!r} has no counterpart in TypeScript")


def _names(classes: tuple[type, ...]) -> str:
    return "\n  | ".join(kind.__name__ for kind in classes)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)
