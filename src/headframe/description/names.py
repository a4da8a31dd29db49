"""Names in a machine file: unique, and each that is spoken of is there."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ..errors import DuplicateNameError, NameUnknownError, ValueRangeError, suggest
from .contact_material import SHIPPED_MATERIALS
from .drives import JOINT_DRIVES
from .jsonc import Findings, Path, shown

ELEMENTS = (
    "links", "joints", "actuators", "springs", *JOINT_DRIVES, "repeaters", "materials", "provenance"
)  # fmt: skip
REFERENCES = {  # the fields that name another element, and of which kind
    "joints": {"parent": "links", "child": "links"},
    "actuators": dict.fromkeys(("tube", "rod", "tube_parent", "rod_parent"), "links"),
    "springs": {"link_a": "links", "link_b": "links"},
    **{listed: {"joint": "joints"} for listed in JOINT_DRIVES},
    "repeaters": {"joint": "joints", "follows": "joints"},
}
MOST_COMPARISONS = 20_000  # of names, in search of the nearest


def raw_elements(data: dict[str, Any], key: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a list in the file, sound or not, with their positions."""
    items = data.get(key)
    for i, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, dict):
            yield i, item


def text_of(item: dict[str, Any], key: str) -> str:
    """The text in a field, or none."""
    value = item.get(key)
    return value if isinstance(value, str) else ""


class NameCheck:
    """Checks that names are unique, and that every name spoken of is there.

    Names that the reader invented for tubes and rods count, but are not offered in hints.

    Attributes:
        graph_is_known: whether all links have names of their own and all joints and actuators
            name links that are there, so that it makes sense to look at the graph.
    """

    def __init__(
        self, data: dict[str, Any], outcome: Findings, invented: Collection[str] = ()
    ) -> None:
        self.outcome = outcome
        self.invented = invented
        self.graph_is_known = all(
            isinstance(data.get(key, []), list)
            and all(isinstance(item, dict) for item in data.get(key, []))
            for key in ("links", "joints", "actuators")
        )
        self.names = {key: self._unique(data, key) for key in ELEMENTS[:-1]}
        self._check_drives(data)
        # without any names of links, that lack is the problem, and not each that is spoken of
        self.links_are_named = data.get("links") == [] or bool(self.names["links"])
        self.comparisons = MOST_COMPARISONS
        for key, kinds in REFERENCES.items():
            for i, item in raw_elements(data, key):
                for name, kind in kinds.items():
                    self._check(item.get(name), kind, (key, i, name), shown(item.get("name")))
        for i, actuator in raw_elements(data, "actuators"):
            partners = actuator.get("redundants")
            for k, partner in enumerate(partners if isinstance(partners, list) else ()):
                path: Path = ("actuators", i, "redundants", k)
                self._check(partner, "actuators", path, shown(actuator.get("name")))
        self._check_contacts(data)
        self._check(data.get("end_effector"), "links", ("end_effector",), "the end effector")
        home = data.get("home")
        for kind in ("joints", "actuators"):
            values = home.get(kind) if isinstance(home, dict) else None
            for name in values if isinstance(values, dict) else ():
                self._check(name, kind, ("home", kind, name), "home")

    def _check_contacts(self, data: dict[str, Any]) -> None:
        """Materials of shapes that touch are there, and pairs without contact are of two links."""
        for i, link in raw_elements(data, "links"):
            for k, shape in raw_elements(link, "collision"):
                name = shape.get("contact")
                if name not in SHIPPED_MATERIALS:
                    owner = f"link {shown(link.get('name'))}"
                    self._check(name, "materials", ("links", i, "collision", k, "contact"), owner)
        pairs = data.get("no_contact")
        for n, pair in enumerate(pairs if isinstance(pairs, list) else ()):
            ends = pair if isinstance(pair, list) and len(pair) == 2 else ()
            for k, name in enumerate(ends):
                self._check(name, "links", ("no_contact", n, k), "no_contact")
            if ends and isinstance(ends[0], str) and ends[0] == ends[1]:
                message = f"found {shown(ends[0])} twice, expected two links"
                self.outcome.complain(ValueRangeError, ("no_contact", n), message)

    def _unique(self, data: dict[str, Any], key: str) -> dict[str, None]:
        """All names of one kind, in the order of the file."""
        names: dict[str, None] = {}
        for i, item in raw_elements(data, key):
            name = item.get("name")
            if not isinstance(name, str) or not name:
                self.graph_is_known &= key != "links"
                continue
            if name in names:
                message = f"the name {shown(name)} is taken by an earlier {_one_of(key)}"
                self.outcome.complain(DuplicateNameError, (key, i, "name"), message)
                self.graph_is_known &= key != "links"
            names[name] = None
        return names

    def _check_drives(self, data: dict[str, Any]) -> None:
        """Drives of joints of different kinds have different names, too."""
        earlier: dict[str, str] = {}
        for listed, kind in JOINT_DRIVES.items():
            for i, item in raw_elements(data, listed):
                if (name := text_of(item, "name")) in earlier:
                    message = f"the name {shown(name)} is taken by a {earlier[name]}"
                    self.outcome.complain(DuplicateNameError, (listed, i, "name"), message)
            earlier |= dict.fromkeys(self.names[listed], kind.name)

    def _check(self, name: Any, kind: str, path: Path, owner: str) -> None:
        choices = self.names[kind]
        if isinstance(name, str) and name in choices:
            return
        if kind == "links":
            self.graph_is_known &= path[0] not in ("joints", "actuators")
        if isinstance(name, str) and (kind != "links" or self.links_are_named):
            self.comparisons -= len(choices)  # many mistakes in a large file would take minutes
            more = SHIPPED_MATERIALS if kind == "materials" else ()
            offered = (choice for choice in (*choices, *more) if choice not in self.invented)
            hint = suggest(name, offered) if self.comparisons > 0 else ""
            message = f"{owner} names {shown(name)}, which is no {_one_of(kind)}"
            self.outcome.complain(NameUnknownError, path, message, hint)


def _one_of(key: str) -> str:
    """What one element of a list is called."""
    return key[:-1].replace("_", " ")
