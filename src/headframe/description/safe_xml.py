"""XML from strangers: no DTDs, no entities, no depths; every element knows its line."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from ..errors import MachineFileError, NestingError, NotXmlError, Problem, TooManyElementsError

DEEPEST = 64
MOST_ELEMENTS = 100_000


def parse_xml(data: bytes) -> tuple[Element | None, list[Problem]]:
    """The root element, or what is wrong with the XML. DTDs and entities are refused."""
    builder = _Builder()
    parser = DefusedXMLParser(target=builder, forbid_dtd=True)
    builder.parser = parser.parser
    kind: type[MachineFileError] = NotXmlError
    line = None
    try:
        parser.feed(data)
        root: Element = parser.close()
    except ParseError as error:
        line = error.position[0]
        message = f"not well-formed XML: {str(error).split(': line')[0]}"
    except DefusedXmlException as error:
        line = builder.line
        what = type(error).__name__.removesuffix("Forbidden")
        message = f"XML with document type or entity definitions is not read ({what})"
    except _RefusedError as error:
        kind, message, line = error.kind, str(error), builder.line
    except (ValueError, LookupError) as error:  # encodings that are unknown or do not fit
        message = f"not readable as XML: {error}"
    else:
        if root.tag == "robot":
            return root, []
        message = f"the outermost element is <{root.tag[:80]}>, not <robot>: this is not URDF"
    return None, [Problem(kind, "", message, line=line)]


class _Placed(Element):
    """An element that knows its line."""

    line: int | None = None


class _RefusedError(Exception):
    """A file that is not worth reading on."""

    def __init__(self, kind: type[MachineFileError], message: str) -> None:
        self.kind = kind
        super().__init__(message)


class _Builder(TreeBuilder):
    """Builds elements with lines, and stops at files that are too deep or too large."""

    def __init__(self) -> None:
        super().__init__(element_factory=_Placed)
        self.parser: Any = None
        self.depth = 0
        self.count = 0

    def start(self, tag: Any, attrs: Any, /) -> Any:
        self.depth += 1
        self.count += 1
        if self.depth > DEEPEST:
            raise _RefusedError(NestingError, f"elements are nested more than {DEEPEST} deep")
        if self.count > MOST_ELEMENTS:
            raise _RefusedError(TooManyElementsError, f"more than {MOST_ELEMENTS} elements")
        element = super().start(tag, attrs)
        element.line = self.line  # type: ignore[attr-defined]
        return element

    def end(self, tag: Any, /) -> Any:
        self.depth -= 1
        return super().end(tag)

    @property
    def line(self) -> int | None:
        """The line that the parser has come to."""
        return getattr(self.parser, "CurrentLineNumber", None)
