"""XML from strangers: no DTDs, no entities, no depths; every element knows its line."""

from __future__ import annotations

import re
from typing import Any
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from ..errors import MachineFileError, NestingError, NotXmlError, Problem, TooManyElementsError

DEEPEST = 64
MOST_ELEMENTS = 100_000
HEAD = 2**20  # bytes in which the outermost element begins
BOM = b"\xef\xbb\xbf"
COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)


def parse_xml(
    data: bytes, deepest: int = DEEPEST, most: int = MOST_ELEMENTS
) -> tuple[Element | None, list[Problem]]:
    """The root element, or what is wrong with the XML. DTDs and entities are refused.

    Args:
        data: the file.
        deepest: how many elements may lie in each other.
        most: how many elements there may be.
    """
    builder = _Builder(deepest, most)
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
        return root, []
    return None, [Problem(kind, "", message, line=line)]


def parse_forgiving(
    data: bytes, deepest: int = DEEPEST
) -> tuple[Element | None, list[Problem], list[str]]:
    """The root element of XML as people write it, or what is wrong; and what was forgiven.

    Forgiven are blank lines before the declaration, zeros behind the end, letters in another
    encoding than the file says, comments with two dashes in them, and prefixes that nothing
    declares. What cannot be read after that is a problem of the file as it came.
    """
    root, problems = parse_xml(data, deepest)
    if root is not None or problems[0].kind is not NotXmlError:
        return root, problems, []
    mended = data
    notes: list[str] = []
    for mend, note in (
        (_without_blanks, "blanks before the XML declaration are left out"),
        (_without_tail, "zeros behind the last element are left out"),
        (_as_utf8, "the file is not UTF-8, as it should be; it is read as Latin-1"),
        (_without_comments, "comments are left out: one holds '--', which XML does not allow"),
        (_with_prefixes, "prefixes of elements are not declared (xmlns)"),
    ):
        changed = mend(mended)
        if changed == mended:
            continue
        mended, notes = changed, [*notes, note]
        root, _ = parse_xml(mended, deepest)
        if root is not None:
            return root, [], notes
    return None, problems, []


def outermost(data: bytes) -> str:
    """Tag of the outermost element, as far as a look at the text can tell; else empty."""
    text = COMMENT.sub(b"", data[:HEAD])
    match = re.search(rb"<([A-Za-z_][\w.-]*)", text)
    return match[1].decode() if match else ""


def _without_blanks(data: bytes) -> bytes:
    """The file without blanks before its declaration; lines keep their numbers."""
    text = data.removeprefix(BOM).lstrip()
    if not text.startswith(b"<?xml"):
        return data
    end = text.find(b"?>") + 2
    lines = data[: len(data) - len(text)].count(b"\n")
    return text[:end] + b"\n" * lines + text[end:]


def _without_tail(data: bytes) -> bytes:
    """The file without zero bytes behind its end."""
    return data.rstrip(b"\0 \t\r\n") if data.endswith(b"\0") else data


def _as_utf8(data: bytes) -> bytes:
    """Text in an encoding that was not declared, as UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        if b"\0" not in data[:1000]:
            return data.decode("latin-1").encode()
    return data


def _without_comments(data: bytes) -> bytes:
    """The file without comments; lines keep their numbers."""
    return COMMENT.sub(lambda found: b"\n" * found[0].count(b"\n"), data)


def _with_prefixes(data: bytes) -> bytes:
    """The file with all prefixes declared in its outermost element."""
    root = re.search(rb"<[A-Za-z_][\w.-]*(?=[\s/>])", data)
    if root is None:
        return data
    used = set(re.findall(rb"[<\s/]([A-Za-z_][\w.-]*):[A-Za-z_]", data)) - {b"xml", b"xmlns"}
    wanted = sorted(prefix for prefix in used if b"xmlns:" + prefix not in data)[:100]
    added = b"".join(b' xmlns:%s="undeclared/%s"' % (prefix, prefix) for prefix in wanted)
    return data[: root.end()] + added + data[root.end() :]


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

    def __init__(self, deepest: int, most: int) -> None:
        super().__init__(element_factory=_Placed)
        self.deepest, self.most = deepest, most
        self.namespace = ""  # of the outermost element: the file's own, which needs no telling
        self.parser: Any = None
        self.depth = 0
        self.count = 0

    def start(self, tag: Any, attrs: Any, /) -> Any:
        self.depth += 1
        self.count += 1
        if self.depth > self.deepest:
            raise _RefusedError(NestingError, f"elements are nested more than {self.deepest} deep")
        if self.count > self.most:
            raise _RefusedError(TooManyElementsError, f"more than {self.most} elements")
        if self.count == 1 and tag.startswith("{"):
            self.namespace = tag.partition("}")[0] + "}"
        element = super().start(self.plain(tag), attrs)
        element.line = self.line  # type: ignore[attr-defined]
        return element

    def end(self, tag: Any, /) -> Any:
        self.depth -= 1
        return super().end(self.plain(tag))

    def plain(self, tag: str) -> str:
        """A tag without the file's own namespace."""
        return tag[len(self.namespace) :] if tag.startswith(self.namespace) else tag

    @property
    def line(self) -> int | None:
        """The line that the parser has come to."""
        return getattr(self.parser, "CurrentLineNumber", None)
