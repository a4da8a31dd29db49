"""XML that every parser takes: numbers in full, legal characters, unique names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from xml.etree import ElementTree as ET

from .unique_names import UniqueNames

# What XML 1.0 allows: no control characters, no halves of surrogate pairs
ILLEGAL = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def legal(text: str) -> str:
    """The text with `_` for every character that XML cannot hold."""
    return ILLEGAL.sub("_", text)


def numbers(*values: float | Iterable[float]) -> str:
    """Numbers and arrays of numbers, separated by blanks, so that reading gives the same bits."""
    flat: list[float] = []
    for value in values:
        flat += [float(v) for v in value] if isinstance(value, Iterable) else [float(value)]
    return " ".join(repr(v + 0.0) for v in flat)  # + 0.0 turns -0.0 into 0.0


def comment(lines: Iterable[str]) -> Any:
    """A comment of several lines; `--`, which would end it, is broken up."""
    text = legal("\n  ".join(lines))
    while "--" in text:
        text = text.replace("--", "- -")
    return ET.Comment(f"\n  {text}\n")


class XmlNames:
    """Gives names that are legal in XML and unique among those of their kind."""

    def __init__(self) -> None:
        self._of_kind: dict[str, UniqueNames] = defaultdict(UniqueNames)

    def new(self, kind: str, wanted: str) -> str:
        """`wanted`, or something like it if another element of that kind has it."""
        return self._of_kind[kind].new(legal(wanted) or kind)


def put(parent: ET.Element, tag: str, **attributes: str) -> ET.Element:
    """A new element, the last one in `parent`."""
    return ET.SubElement(parent, tag, attributes)


def to_text(root: ET.Element) -> str:
    """The document, indented."""
    ET.indent(root)
    body = ET.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{body}\n'
