"""Default classes of MJCF: attributes that elements have unless they say otherwise.

A class inherits from the class that it lies in. An element's class is its own `class`, else the
`childclass` of the nearest body or frame around it that has one, else the outermost class.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from ...errors import NameUnknownError, suggest
from ..urdf_values import short
from .values import MjcfValues, PlacedElement

MAIN = "main"
ACTUATORS = (
    "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle",
    "adhesion", "dcmotor",
)  # fmt: skip
ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
Attributes = dict[str, dict[str, str]]  # by tag, then by attribute


class Defaults:
    """Finds an element's attributes, its class's included."""

    def __init__(self, root: Element, values: MjcfValues) -> None:
        self.values = values
        self.classes: dict[str, Attributes] = {MAIN: {}}
        self._untold: set[str] = set()
        waiting = [(element, MAIN, True) for element in reversed(root.findall("default"))]
        while waiting:
            element, parent, outermost = waiting.pop()
            name = MAIN if outermost else element.get("class", "")
            if outermost and (other := element.get("class")):
                self.classes[other] = self.classes[MAIN]
            known = {tag: dict(found) for tag, found in self.classes[parent].items()}
            known = self.classes.setdefault(name, known)
            for child in element:
                if isinstance(child.tag, str) and child.tag != "default":
                    known.setdefault(_kind(child.tag), {}).update(child.attrib)
            waiting += [(child, name, False) for child in reversed(element.findall("default"))]

    def merged(self, element: Element, childclass: str = "") -> PlacedElement:
        """An element with its class's attributes where it has none of its own."""
        name = element.get("class", "") or childclass or MAIN
        if name not in self.classes:
            self._tell(name, element)
            name = MAIN
        attributes = dict(self.classes[name].get(_kind(str(element.tag)), {}))
        if any(key in element.attrib for key in ORIENTATIONS):
            for key in ORIENTATIONS:
                attributes.pop(key, None)
        whole = PlacedElement(str(element.tag), {**attributes, **element.attrib})
        whole.line = getattr(element, "line", None)
        whole.file = getattr(element, "file", "")
        whole.extend(list(element))
        return whole

    def childclass(self, element: Element, around: str) -> str:
        """The class of what lies in a body or frame."""
        return element.get("childclass", "") or around

    def _tell(self, name: str, element: Element) -> None:
        if name in self._untold:
            return
        self._untold.add(name)
        place = f"{element.tag}@{'class' if element.get('class') == name else 'childclass'}"
        message = f"there is no default class {short(name)}"
        hint = suggest(name, self.classes)
        self.values.complain(NameUnknownError, place, element, message, hint)


def _kind(tag: str) -> str:
    """All kinds of actuators share their defaults."""
    return "actuator" if tag in ACTUATORS else tag
