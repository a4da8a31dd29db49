"""Settings of MJCF's `<compiler>`: units, sequences of angles, folders, origin of inertias."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from xml.etree.ElementTree import Element

from ...errors import ValueRangeError
from .values import MjcfValues

FLAGS = ("true", "false")


@dataclass
class Settings:
    """What `<compiler>` and `<option>` say.

    Attributes:
        angle: radians of one unit of an angle.
        eulerseq: axes of Euler's angles: small letters turn with the body, capitals do not.
        autolimits: whether a range alone limits a joint.
        meshdir: folder of meshes, as seen from the main file.
        strippath: whether only the last part of a mesh's path counts.
        from_geoms: whether inertias come from geoms: "auto" where no `<inertial>` is given.
        groups: first and last group of geoms that have mass.
        balance: whether inertias that no body has are replaced by their mean.
        least_mass, least_inertia: of every body [kg, kg m^2].
        total_mass: all masses are scaled to that [kg]; not if it is not above 0.
        up_axis: away from gravity.
    """

    angle: float = pi / 180.0
    eulerseq: str = "xyz"
    autolimits: bool = True
    meshdir: str = ""
    strippath: bool = False
    from_geoms: str = "auto"
    groups: tuple[int, int] = (0, 5)
    balance: bool = False
    least_mass: float = 0.0
    least_inertia: float = 0.0
    total_mass: float = -1.0
    up_axis: str = "z"


def read_settings(root: Element, values: MjcfValues) -> Settings:
    """The settings of all `<compiler>` elements: later ones win."""
    settings = Settings()
    for element in root.findall("compiler"):
        _read_compiler(element, settings, values)
    for element in root.findall("option"):
        _read_gravity(element, settings, values)
    return settings


def _read_compiler(element: Element, settings: Settings, values: MjcfValues) -> None:
    place = "compiler"

    def flag(key: str, now: bool) -> bool:
        return values.word(element, place, key, str(now).lower(), FLAGS) == "true"

    def number(key: str, now: float) -> float:
        value = values.number(element, place, key, now)
        return now if value is None else value

    if "angle" in element.attrib:
        unit = values.word(element, place, "angle", "degree", ("degree", "radian"))
        settings.angle = 1.0 if unit == "radian" else pi / 180.0
    if values.word(element, place, "coordinate", "local", ("local", "global")) == "global":
        message, hint = "global coordinates are not read", "save the model anew with MuJoCo"
        values.complain(ValueRangeError, f"{place}@coordinate", element, message, hint)
    sequence = element.get("eulerseq", settings.eulerseq).strip()
    if len(sequence) == 3 and set(sequence) <= set("xyzXYZ"):
        settings.eulerseq = sequence
    else:
        message = f"found {sequence[:40]!r}, expected three of the letters x, y, z, X, Y, Z"
        values.complain(ValueRangeError, f"{place}@eulerseq", element, message)
    settings.autolimits = flag("autolimits", settings.autolimits)
    settings.meshdir = element.get("meshdir", element.get("assetdir", settings.meshdir))
    settings.strippath = flag("strippath", settings.strippath)
    words = ("auto", "true", "false")
    settings.from_geoms = values.word(element, place, "inertiafromgeom", settings.from_geoms, words)
    groups = values.numbers(element, place, "inertiagrouprange", 2, 2)
    if groups is not None:
        settings.groups = int(groups[0]), int(groups[1])
    settings.balance = flag("balanceinertia", settings.balance)
    settings.least_mass = number("boundmass", settings.least_mass)
    settings.least_inertia = number("boundinertia", settings.least_inertia)
    settings.total_mass = number("settotalmass", settings.total_mass)


def _read_gravity(element: Element, settings: Settings, values: MjcfValues) -> None:
    """Up is z or y; any other gravity is a note."""
    gravity = values.numbers(element, "option", "gravity", 3, 3, "gravity is 9.81 along -z")
    if gravity is None:
        return
    x, y, z = gravity
    if x == z == 0.0 and y < 0.0:
        settings.up_axis = "y"
    elif x or y or z > 0.0:
        told = " ".join(f"{value:g}" for value in gravity)
        values.remark(f"gravity {told} is not kept: it is 9.81 along -z", "option")
