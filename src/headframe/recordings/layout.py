"""How the bytes of a frame lie for a machine: as a NumPy type, and as a ROS 1 message.

A frame has no padding and its arrays have the lengths that the machine gives them. So it is, byte
for byte, what ROS 1 would write for a message whose definition names every part: programs that
read ROS 1 messages from MCAP files (Foxglove among them) plot `lengths.boom` without any help.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from ..protocol import (
    BODIES,
    CONTACTS,
    CROWD,
    ELEMENT,
    ENERGY,
    HEADER_FIELDS,
    MOTORS,
    POSES,
    SECTIONS,
    FrameSection,
)
from .about import About

NUMPY = {"uint32": "<u4", "uint16": "<u2", "float64": "<f8", "float32": "<f4"}
ENERGY_NAMES = tuple(column.name for column in ENERGY.columns)
POSE_NAMES = tuple(column.name for column in POSES.columns)
# the header has fields of these names, which say how many there are
RENAMED = {
    "motors": "motor_values",
    "joints": "joint_values",
    "bodies": "body_values",
    "contacts": "contact_values",
}
ARRAYS = tuple(section for section in SECTIONS if section is not CROWD)
STATE = "headframe/State"  # name of the message
RULE = "=" * 80


def frame_type(about: About) -> np.dtype[np.void]:
    """The NumPy type of a frame: one field for each of the header's, and the arrays."""
    machine = about.machine
    rows = {
        "links": len(machine.links),
        "cylinders": len(machine.cylinders),
        "motors": len(machine.motors),
        "joints": len(machine.joints),
        "bodies": len(about.bodies),
        "contacts": about.contacts,
    }
    arrays = [
        (RENAMED.get(section.name, section.name), NUMPY[ELEMENT], section.shape(rows))
        for section in ARRAYS
    ]
    return np.dtype([*((field.name, NUMPY[field.kind]) for field in HEADER_FIELDS), *arrays])


def state_definition(about: About) -> str:
    """A frame of the machine as the definition of a ROS 1 message, with units in comments."""
    machine = about.machine
    cylinders = [cylinder.name for cylinder in machine.cylinders]
    joints = plain_names(joint.name for joint in machine.joints)
    rows: dict[str, Iterable[str]] = {
        "poses": _same("headframe/Pose", machine.links, ""),
        "motors": _same("headframe/Motor", [motor.name for motor in machine.motors], ""),
        "joints": (
            f"{ELEMENT} {name}{_unit('rad' if joint.turns else 'm')}"
            for name, joint in zip(joints, machine.joints, strict=True)
        ),
        "energy": _columns(ENERGY),
        "bodies": _same("headframe/Body", about.bodies, ""),
        "contacts": _same(
            "headframe/Contact", (f"contact_{n + 1}" for n in range(about.contacts)), ""
        ),
    }
    parts: dict[str, Iterable[str]] = {
        section.name.capitalize(): rows[section.name]
        if section.name in rows
        else _same(ELEMENT, cylinders, section.columns[0].unit)
        for section in ARRAYS
    }
    head = [f"{field.kind} {field.name}{_unit(field.unit)}" for field in HEADER_FIELDS]
    for section in ARRAYS:
        name = RENAMED.get(section.name, section.name)
        head.append(f"headframe/{section.name.capitalize()} {name}")
    parts |= {"Pose": _columns(POSES), "Motor": _columns(MOTORS)}
    parts |= {"Body": _columns(BODIES), "Contact": _columns(CONTACTS)}
    texts = ["\n".join(head)]
    texts += [f"MSG: headframe/{part}\n" + "\n".join(lines) for part, lines in parts.items()]
    return f"\n{RULE}\n".join(texts) + "\n"


def _columns(section: FrameSection) -> Iterator[str]:
    """The columns of a section as lines of a definition."""
    return (f"{ELEMENT} {column.name}{_unit(column.unit)}" for column in section.columns)


def plain_names(names: Iterable[str]) -> list[str]:
    """Names as a message definition takes them: letters, digits, underscores; each only once."""
    made: list[str] = []
    for name in names:
        plain = re.sub(r"\W", "_", name, flags=re.ASCII)
        plain = plain if re.match(r"[A-Za-z]", plain) else f"n_{plain}"
        made.append(_unused(plain, set(made)))
    return made


def _unused(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def _same(kind: str, names: Iterable[str], unit: str) -> Iterator[str]:
    return (f"{kind} {name}{_unit(unit)}" for name in plain_names(names))


def _unit(unit: str) -> str:
    return f" # [{unit}]" if unit else ""
