"""How the bytes of a frame lie for a machine: as a NumPy type, and as a ROS 1 message.

A frame has no padding and its arrays have the lengths that the machine gives them. So it is, byte
for byte, what ROS 1 would write for a message whose definition names every part: programs that
read ROS 1 messages from MCAP files (Foxglove among them) plot `lengths.boom` without any help.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import numpy as np

from ..protocol.down import MachineInfo
from ..protocol.frame import ENERGIES, FIELDS, MOTOR, POSE

KINDS = {"I": ("<u4", "uint32"), "H": ("<u2", "uint16"), "d": ("<f8", "float64")}
KINDS["f"] = ("<f4", "float32")
UNITS = {"time": "s", "oldest": "s", "newest": "s", "step_time": "s", "tick_time": "s"}
ENERGY_NAMES = ("kinetic", "potential", "drives", "unaccounted")
POSE_NAMES = ("x", "y", "z", "qw", "qx", "qy", "qz")
STATE = "headframe/State"  # name of the message
RULE = "=" * 80


def frame_type(machine: MachineInfo) -> np.dtype[np.void]:
    """The NumPy type of a frame: one field for each of the header's, and the arrays."""
    cylinders = (len(machine.cylinders),)
    arrays: list[tuple[str, str, tuple[int, ...]]] = [
        ("poses", "<f4", (len(machine.links), POSE)),
        ("lengths", "<f4", cylinders),
        ("speeds", "<f4", cylinders),
        ("forces", "<f4", cylinders),
        ("motor_values", "<f4", (len(machine.motors), MOTOR)),
        ("joint_values", "<f4", (len(machine.joints),)),
        ("energy", "<f4", (ENERGIES,)),
    ]
    return np.dtype([*((name, KINDS[kind][0]) for name, kind in FIELDS), *arrays])


def state_definition(machine: MachineInfo) -> str:
    """A frame of the machine as the definition of a ROS 1 message, with units in comments."""
    cylinders = [cylinder.name for cylinder in machine.cylinders]
    parts: dict[str, Iterable[str]] = {
        "Poses": _same("headframe/Pose", machine.links, ""),
        "Lengths": _same("float32", cylinders, "m"),
        "Speeds": _same("float32", cylinders, "m/s"),
        "Forces": _same("float32", cylinders, "N"),
        "Motors": _same("headframe/Motor", [motor.name for motor in machine.motors], ""),
        "Joints": (
            f"float32 {name} # [{'rad' if joint.turns else 'm'}]"
            for name, joint in zip(
                plain_names(joint.name for joint in machine.joints), machine.joints, strict=True
            )
        ),
        "Energy": _same("float32", ENERGY_NAMES, "J"),
    }
    head = [f"{KINDS[kind][1]} {name}{_unit(UNITS.get(name, ''))}" for name, kind in FIELDS]
    for part in parts:
        name = {"Motors": "motor_values", "Joints": "joint_values"}.get(part, part.lower())
        head.append(f"headframe/{part} {name}")
    parts["Pose"] = (f"float32 {n}{_unit('m' if len(n) == 1 else '')}" for n in POSE_NAMES)
    parts["Motor"] = ("float32 speed # [rad/s]", "float32 torque # [N m]")
    texts = ["\n".join(head)]
    texts += [f"MSG: headframe/{part}\n" + "\n".join(lines) for part, lines in parts.items()]
    return f"\n{RULE}\n".join(texts) + "\n"


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
