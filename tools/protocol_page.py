"""Write the tables of docs/protocol.md from the code: `python tools/protocol_page.py`.

Each table stands between two comments that name it. `--new-frame` also takes a new frame for the
hex dump: the first one of docs/examples/lift.json. A test fails where the page lags behind.
"""

from __future__ import annotations

import inspect
import re
import sys
from functools import cache
from pathlib import Path
from struct import unpack_from
from typing import Any, get_args

from pydantic import TypeAdapter

from headframe.protocol import codec, down, up
from headframe.protocol.frame_layout import (
    ELEMENT,
    ELEMENT_BYTES,
    HEAD,
    HEADER,
    HEADER_FIELDS,
    POSES,
    SECTIONS,
    FrameSection,
)
from headframe.server import access, client, hub, order_queue, wire
from headframe.server.messages import FrameReport
from headframe.server.routes import desk, machine, recordings, session, studies
from headframe.server.seat import KEPT
from headframe.sim.dead_man import SILENCE, STALL

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "protocol.md"
FRAME = ROOT / "docs" / "examples" / "frame.hex"

FIELD_WORDS = {  # where the docstring speaks of several fields at once
    "Hello.version": "of the protocol that the client speaks",
    "Ping.sent": "the client's own clock [ms]",
    "GoTo.group": "its name, or that of a servo",
    "GoTo.length": "of the group's first cylinder [m], or of the servo's joint [rad, m]",
    "LetFloat.group": "its name",
    "LetFloat.on": "true opens the valves, false closes them",
    "SpinMotor.motor": "its name",
    "SpinMotor.speed": "fraction of its largest speed",
    "Pause.on": "true stops simulated time",
    "Step.count": "of substeps, each of `status.step` seconds",
    "TimeScale.scale": "simulated seconds a second",
    "Rewind.time": "simulated [s]",
    "ChooseScene.name": "of the scene",
    "ChooseScene.machine": "the guest's name",
    "ChooseMachine.name": "of the machine",
    "SceneInfo.scenes": "names of scenes to choose from",
    "SceneInfo.driven": "position in `stands` of what is driven",
    "SceneInfo.integrators": "to choose from",
    "Status.viewers": "how many sockets of viewers there are",
    "Pong.sent": "what the question had",
    "Refused.about": "type of the message; `message` if it had none",
    "Refused.text": "why, in words",
    "Reached.number": "that of the question",
    "StudyStatus.kind": "which study it is",
    "StudyStatus.text": "what it is busy with, or why it failed",
    "Notice.code": "another client took your seat; you have the seat; you speak another version",
    "Loading.text": "what it is busy with",
    "Loading.part": "that is done, 0 to 1",
    "Group.upper": "bound of the first member [m]",
    "MotorInfo.name": "of the motor",
    "MotorInfo.joint": "that it drives",
    "MotorInfo.link": "that it turns",
    "MotorInfo.speed": "largest [rad/s]",
    "MotorInfo.torque": "largest [N m]",
    "MotorInfo.servo": "whether it can be told where to go, by `go_to`",
    "CylinderInfo.name": "of the cylinder",
    "CylinderInfo.tube": "name of the link that is its tube",
    "CylinderInfo.rod": "name of the link that is its rod",
    "CylinderInfo.lower": "shortest length [m]",
    "CylinderInfo.upper": "longest length [m]",
    "JointInfo.name": "of the joint",
    "JointInfo.turns": "true: its position is an angle [rad]; false: a way [m]",
    "JointInfo.lower": "end of its range [rad or m]",
    "JointInfo.upper": "end of its range [rad or m]",
    "MachineInfo.cylinders": "in the order of the frames' lengths",
    "MachineInfo.groups": "the levers",
    "MachineInfo.motors": "in the order of the frames' motors",
    "Choice.name": "of the machine",
    "Choice.machine_class": 'such as "roadheader"; empty if none',
    "SolvedBlock.groups": "names of the groups",
    "SolvedBlock.method": "how they are solved",
    "SolvedBlock.iterations": "steps of the solver",
    "TakenBranch.kind": "of the part",
    "TakenBranch.name": "of the part",
    "TakenBranch.side": "which solution it has taken",
    "TakenBranch.as_home": "the same as in the home pose",
    "NearDeadCentre.group": "its name",
    "NearDeadCentre.left": "stroke that is left to it [m]",
    "NearDeadCentre.towards": "which way",
    "NearDeadCentre.inside": "it lies within the bounds",
    "NearDeadCentre.exact": "found by a closed form; else estimated",
}


def main() -> int:
    """Write the page."""
    if "--new-frame" in sys.argv[1:]:
        data = taken_frame()
        FRAME.write_text("\n".join(rows_of(data)) + "\n", encoding="utf-8", newline="\n")
    PAGE.write_text(made(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
    return 0


def made(page: str) -> str:
    """The page with all its tables made anew."""
    tables = {
        "up": lambda: messages(get_args(get_args(up.Up)[0])),
        "down": lambda: messages(get_args(down.Down)),
        "parts": lambda: messages(parts_of_messages()),
        "header": header_table,
        "sections": section_table,
        "length": length,
        "limits": limits_table,
        "dump": dump,
    }
    for name, table in tables.items():
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        before, _, rest = page.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise SystemExit(f"{PAGE}: there is no table {name!r}")
        page = f"{before}{begin}\n{table().strip()}\n\n{end}{after}"
    return page


# ------------------------------------------------------------------ messages


def messages(classes: tuple[type, ...]) -> str:
    """Every message with its fields, their kinds and bounds."""
    return "\n\n".join(map(message, classes))


def message(kind: type) -> str:
    """A message: what it is about, and a table of its fields."""
    schema = TypeAdapter(kind).json_schema()
    about, words = words_of(kind)
    name = schema["properties"].pop("type", {}).get("const")
    lines = [f"### `{name}`" if name else f"### {kind.__name__}", "", about]
    if schema["properties"]:
        needed = schema.get("required", [])
        lines += ["", "| field | value | |", "| --- | --- | --- |"]
        for field, value in schema["properties"].items():
            text = words.get(field) or FIELD_WORDS[f"{kind.__name__}.{field}"]
            if field not in needed:
                text += "; may be left out"
            lines.append(f"| `{field}` | {value_words(value)} | {text} |")
    return "\n".join(lines)


def words_of(kind: type) -> tuple[str, dict[str, str]]:
    """What a class is, and what its docstring says of its fields."""
    about, _, attributes = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")
    words: dict[str, str] = {}
    for base in reversed(kind.__mro__[1:-1]):
        words |= words_of(base)[1]
    field = ""
    for line in attributes.splitlines():
        found = re.match(r"    (\w+): (.*)", line)
        if found:
            field = found[1]
            words[field] = found[2]
        elif field and line.strip():
            words[field] += " " + line.strip()
    words = {name: by_type(text.rstrip(".")) for name, text in words.items()}
    return by_type(" ".join(about.split())), words


@cache
def by_type(text: str) -> str:
    """A text that calls messages by their types, and not by the names of their classes."""
    whole = (*get_args(get_args(up.Up)[0]), *get_args(down.Down))
    types = {kind.__name__: _type_of(kind) for kind in whole}
    return re.sub(r"`(\w+)`", lambda found: f"`{types.get(found[1], found[1])}`", text)


def _type_of(kind: type) -> str:
    return str(TypeAdapter(kind).json_schema()["properties"]["type"]["const"])


def value_words(value: dict[str, Any]) -> str:
    """What a field may hold, in words."""
    if "$ref" in value:
        return value["$ref"].rpartition("/")[2]
    if "const" in value:
        return f'`"{value["const"]}"`'
    if "enum" in value:
        return ", ".join(f'`"{one}"`' for one in value["enum"])
    if "anyOf" in value:
        return " or ".join(map(value_words, value["anyOf"]))
    match value.get("type"):
        case "null":
            return "null"
        case "boolean":
            return "true or false"
        case "string":
            least, most = value.get("minLength", 0), value.get("maxLength")
            return "text" if most is None else f"text of {least} to {most} letters"
        case "integer" | "number" as kind:
            word = "whole number" if kind == "integer" else "number"
            least, most = value.get("minimum"), value.get("maximum")
            return word if least is None else f"{word}, {plain(least)} to {plain(most)}"
        case "array" if "prefixItems" in value:
            return f"list of {len(value['prefixItems'])}: {value_words(value['prefixItems'][0])}"
        case "array":
            most = f" of {value['minItems']} to {value['maxItems']}" if "maxItems" in value else ""
            return f"list{most}: {value_words(value['items'])}"
        case "object":
            inner = value.get("additionalProperties")
            kind = value_words(inner) if isinstance(inner, dict) else "anything"
            most = f", at most {value['maxProperties']}" if "maxProperties" in value else ""
            return f"object: {kind}, by name{most}"
    return "anything"


def plain(number: float) -> str:
    """A number without noughts that nobody counts."""
    if number == 2**53:
        return "2^53"
    return f"{number:g}"


def parts_of_messages() -> tuple[type, ...]:
    """The classes that stand within messages of the server, in the order of their file."""
    whole = get_args(down.Down)
    kinds = [
        kind
        for _, kind in inspect.getmembers(down, inspect.isclass)
        if kind.__module__ == down.__name__ and kind not in whole and kind is not down.SessionStatus
    ]
    return tuple(sorted(kinds, key=lambda kind: inspect.getsourcelines(kind)[1]))


# -------------------------------------------------------------------- frames


def header_table() -> str:
    """The header's fields with their places."""
    lines = ["| offset | field | kind | |", "| --- | --- | --- | --- |"]
    at = 0
    for field in HEADER_FIELDS:
        unit = f" [{field.unit}]" if field.unit else ""
        lines.append(f"| {at} | `{field.name}` | {field.kind} | {field.text}{unit} |")
        at += field.size
    return "\n".join([*lines, f"| {at} | | | end of the header |"])


def section_table() -> str:
    """The sections: how many numbers each has, and which."""
    lines = [f"| section | {ELEMENT} | columns | |", "| --- | --- | --- | --- |"]
    for section in SECTIONS:
        columns = ", ".join(f"`{column.name}`" for column in section.columns)
        lines.append(f"| `{section.name}` | {_how_many(section)} | {columns} | {section.text} |")
    return "\n".join(lines)


def _how_many(section: FrameSection) -> str:
    """Rows and width of a section, in words."""
    if not section.rows:
        return str(section.width)
    if section.rows == section.name and section is SECTIONS[-1]:
        return "as the header says"
    return section.rows if section.width == 1 else f"{section.rows} x {section.width}"


def length() -> str:
    """How long a frame is."""
    terms: dict[str, int] = {}
    for section in SECTIONS:
        terms[section.rows] = terms.get(section.rows, 0) + section.width
    words = [f"{n} {rows}".strip() if n > 1 or not rows else rows for rows, n in terms.items()]
    return f"A frame has {HEADER} + {ELEMENT_BYTES} x ({' + '.join(words)}) bytes."


def sections(data: bytes) -> list[tuple[str, int]]:
    """The sections of a frame and how many float32 each has."""
    names = (field.name for field in HEADER_FIELDS)
    head = dict(zip(names, HEAD.unpack_from(data), strict=True))
    return [(section.name, section.count(head)) for section in SECTIONS]


def rows_of(data: bytes, width: int = 16) -> list[str]:
    """Bytes in hexadecimal, so many a row."""
    return [data[at : at + width].hex(" ") for at in range(0, len(data), width)]


def frame_bytes() -> bytes:
    """The frame that is kept for the page."""
    return bytes.fromhex(FRAME.read_text(encoding="utf-8"))


def dump() -> str:
    """The kept frame, field by field and section by section."""
    data = frame_bytes()
    at, rows = 0, []
    for field in HEADER_FIELDS:
        value = _number(data, at, field.letter)
        rows.append((at, field.size, f"{field.name} = {value}"))
        at += field.size
    for name, count in sections(data):
        rows.append((at, 0, f"{name}: {f'{count} float32' if count else 'none'}"))
        for words, numbers in _lines(name, count):
            values = " ".join(_number(data, at + 4 * k, "f") for k in range(numbers))
            rows.append((at, 4 * numbers, words + values))
            at += 4 * numbers
    lines = [
        f"{start:4d}  {data[start : start + size].hex(' '):<47}  {words}"
        for start, size, words in rows
    ]
    return "\n".join(["```text", *lines, "```"])


def _lines(section: str, count: int) -> list[tuple[str, int]]:
    """How a section is cut into lines: what each begins with, and its numbers."""
    if section == POSES.name:
        whole = range(count // POSES.width)
        return [part for n in whole for part in ((f"link {n}: at ", 3), ("turned by ", 4))]
    return [("", min(4, count - first)) for first in range(0, count, 4)]


def _number(data: bytes, at: int, kind: str) -> str:
    """The number at a place, in words."""
    (value,) = unpack_from("<" + kind, data, at)
    return f"{value:.4g}" if kind in "df" else f"0x{value:08X}" if value > 2**30 else str(value)


def taken_frame() -> bytes:
    """A frame of the lift of the examples, from the loop that the physics process runs."""
    sys.path.insert(0, str(ROOT / "tests" / "server"))
    from played import said_by_physics

    said = said_by_physics(str(ROOT / "docs" / "examples" / "lift.json"), ticks=12)
    return [one.frame for one in said if isinstance(one, FrameReport)][-1]


# -------------------------------------------------------------------- limits


def limits_table() -> str:
    """What the server allows, as its code has it."""
    kib, mib = 1024, 2**20
    rows = [
        (
            "a message of a client",
            f"{codec.LARGEST_MESSAGE // kib} KiB",
            "the socket closes with 1009",
        ),
        (
            "what a client sends, each frame of the socket counting "
            f"{wire.A_FRAME} bytes more than it has",
            f"{wire.A_SECOND // kib} KiB a second, {wire.AT_ONCE // kib} KiB at once",
            "the socket closes with 1008",
        ),
        (
            "messages of all viewers together",
            f"{hub.VIEWERS_A_SECOND:g} a second, {hub.VIEWERS_AT_ONCE:g} at once",
            "they wait for their turn; the emergency stop does not",
        ),
        (
            "orders that wait for physics",
            f"{order_queue.MOST_OF_ONE} of a client, {order_queue.MOST} of all",
            "`refused`; there is always room for levers, pause, stop and release",
        ),
        (
            "messages that a client has not read",
            f"{client.MOST_TEXTS}",
            "the socket closes with 1013; of frames and status only the newest waits",
        ),
        (
            "clients",
            f"{hub.MOST_CLIENTS} of each role",
            "a viewer is closed with 1013; for an operator the one who came first goes",
        ),
        (
            "answer to a ping of the server, which comes every "
            f"{wire.PING_EVERY:g} s (most libraries answer by themselves)",
            f"{wire.PING_PATIENCE:g} s",
            "the connection is cut",
        ),
        (
            "the first request of a connection, and each next one",
            f"{wire.HEAD_PATIENCE:g} s",
            "the connection is cut",
        ),
        (
            "body of `POST /session`",
            f"{session.MOST_SESSION} bytes, {session.PATIENCE:g} s",
            "401, 408",
        ),
        ("the next part of a body", f"{desk.PATIENCE:g} s", "408"),
        ("body of `POST /machine`", f"{machine.MOST_BYTES // mib} MiB", "413"),
        (
            "body of `POST /study/{kind}`",
            f"{studies.MOST_REQUEST // mib} MiB; {studies.MOST_FILE // mib} MiB for "
            f"`{studies.FILE}`",
            "413",
        ),
        ("body of `PUT /recordings/{name}`", f"{recordings.MOST_BYTES // mib} MiB", "413"),
        ("frames of `GET /recordings/{name}/frames`", f"{recordings.MOST_FRAMES}", "400"),
        (
            "pause after a wrong password",
            f"{access.FIRST_PAUSE:g} s, doubled each time, up to {access.LONGEST_PAUSE:g} s",
            "429 with `Retry-After`",
        ),
        (
            "heartbeats (`levers`)",
            f"at most {SILENCE:g} s apart, with `age` up to {STALL:g} s",
            "levers are dead",
        ),
        ("a seat that its client left", f"kept {KEPT:g} s for the same session", "then it is free"),
    ]
    lines = ["| what | how much | beyond that |", "| --- | --- | --- |"]
    return "\n".join([*lines, *(f"| {a} | {b} | {c} |" for a, b, c in rows)])


if __name__ == "__main__":
    sys.exit(main())
