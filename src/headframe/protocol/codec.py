"""Messages as JSON, and back."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any, Never, NoReturn

from pydantic import TypeAdapter, ValidationError

from ..errors import ProtocolError
from .down import Down
from .up import Up

LARGEST_MESSAGE = 64 * 1024  # bytes of a message
MOST_PROBLEMS = 8  # of a message that are told
SHOWN = 80  # letters of what was given that an error repeats

_UP: TypeAdapter[Up] = TypeAdapter(Up)


def read(text: str | bytes) -> Up:
    """The message of a client in a JSON text: one of `up.Up`.

    Raises:
        ProtocolError: no JSON, no message, or one with wrong fields; all of them are named.
    """
    if len(text) > LARGEST_MESSAGE:
        raise ProtocolError(f"message: found {len(text)} bytes, expected at most {LARGEST_MESSAGE}")
    try:
        return _UP.validate_json(text, strict=True)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False)
        told = [_problem(each) for each in found[:MOST_PROBLEMS]]
        if len(found) > MOST_PROBLEMS:
            told.append(f"and {len(found) - MOST_PROBLEMS} more")
        raise ProtocolError("; ".join(told)) from None


def write(message: Down | Any) -> str:
    """A message as JSON text."""
    return json.dumps(asdict(message), ensure_ascii=False, allow_nan=False)


def unhandled(message: Never, where: str) -> NoReturn:
    """The last case of a `match` over messages, where none is left.

    Raises:
        ProtocolError: there is one all the same, and nobody thought of it.
    """
    raise ProtocolError(f"{where}: nothing is done with a message {type(message).__name__}")


def _problem(found: Any) -> str:
    """A problem of a message in a sentence."""
    place = ".".join(str(part) for part in found["loc"]) or "message"
    given = repr(found.get("input"))
    if len(given) > SHOWN:
        given = given[:SHOWN] + "..."
    return f"{place}: found {given}, {found['msg'][0].lower()}{found['msg'][1:]}"
