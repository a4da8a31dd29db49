"""What routes answer with, and what the OpenAPI description says of it: one declaration."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict, Field

from ..faults import Fault

JSON, TEXT, BYTES = "application/json", "text/plain", "application/octet-stream"


class Answer(BaseModel):
    """An answer with its fields and no others."""

    model_config = ConfigDict(extra="forbid")

    def response(self, status: int = 200, headers: dict[str, str] | None = None) -> JSONResponse:
        """This answer on its way."""
        return JSONResponse(self.model_dump(), status, headers)


class Refusal(Answer):
    """Why nothing was done."""

    error: str = Field(description="In words.")


class Stranger(Refusal):
    """Who asks is not known."""

    password: bool = Field(description="The token is right, and a password is missing or wrong.")


class Detail(BaseModel):
    """One parameter that does not fit."""

    loc: list[str | int] = Field(description="Which one: its kind and its name.")
    msg: str = Field(description="What is wrong, in words.")
    type: str = Field(description="Kind of mistake.")


class Unfit(BaseModel):
    """Parameters of the request that are missing or do not fit."""

    detail: list[Detail] = Field(description="All of them.")


class Who(Answer):
    """What a visitor may do."""

    role: str = Field(description='"operator" or "viewer".')
    version: int = Field(description="Of the protocol.")


class Health(Answer):
    """How the server is."""

    status: str = Field(description='"ok", "loading", "stopped" or "physics ended".')
    version: int = Field(description="Of the protocol.")
    clients: int = Field(description="Open sockets.")
    frames: int = Field(description="Frames since the start.")
    overruns: int = Field(description="Ticks that took too long.")
    ring_bytes: int = Field(description="Memory of the states that can be gone back to [bytes].")


class FileFault(Answer):
    """One thing that is wrong with a file."""

    message: str = Field(description="What is wrong.")
    place: str = Field(description='Path in the file, such as "links[2].name"; empty if none.')
    hint: str = Field(description="What may help; empty if nothing.")
    line: int | None = Field(description="Where, counted from 1; null if not known.")
    column: int | None = Field(description="Where, counted from 1; null if not known.")
    text: str = Field(description="All of it in a line.")

    @staticmethod
    def of(fault: Fault) -> FileFault:
        """What a page is told of a fault."""
        return FileFault(**asdict(fault), text=fault.text)


class DriveAnswer(Answer):
    """What came of a machine's file: it is driven if there are no problems."""

    problems: list[FileFault] = Field(description="Everything that is wrong with it.")
    notes: list[str] = Field(description="What was changed or ignored on the way in.")


class Begun(Answer):
    """A study that was begun; the socket tells how it goes on."""

    number: int = Field(description="Of the study.")


class Nothing(Answer):
    """Nothing is to be said."""


class Named(Answer):
    """A recording."""

    name: str = Field(description="Of the recording.")


class ShelfItem(Answer):
    """A recording of the list."""

    name: str = Field(description="Of the recording.")
    bytes: int = Field(description="Size of its file.")
    machine: str = Field(description="Name of the machine; empty if it cannot be read.")
    started: float = Field(description="When, in seconds since 1970.")
    seconds: float = Field(description="How long it is [s].")
    cut: bool = Field(description="Its end is missing.")
    problem: str = Field(description="Why it cannot be read; empty if it can.")
    fixed: bool = Field(description="It lies elsewhere: it can be neither named nor deleted.")


class ShelfList(Answer):
    """All recordings."""

    recordings: list[ShelfItem] = Field(description="The newest first.")
    replay: str = Field(description="The one to look at first; empty if none.")


class FilmFacts(Answer):
    """What a page needs to show a recording."""

    name: str = Field(description="Of the recording.")
    machine: str = Field(description="Name of the machine.")
    started: float = Field(description="When, in seconds since 1970.")
    dynamics: bool = Field(description="Under forces; else by kinematics.")
    formulation: str = Field(description="Of dynamics.")
    count: int = Field(description="Number of frames.")
    seconds: float = Field(description="How long it is [s].")
    size: int = Field(description="Bytes of a frame.")
    whole: bool = Field(description="All of it can be shown.")
    too_long: bool = Field(description="It is longer than what can be shown.")
    fits: bool = Field(description="It shows the machine that is driven.")
    bodies: bool = Field(description="Its loose bodies are those of the scene.")


class Redriven(Answer):
    """The machine of a recording is driven."""

    problems: list[str] = Field(description="Always empty.")


class Undriven(Refusal):
    """The machine of a recording cannot be driven."""

    problems: list[str] = Field(default=[], description="Everything that is wrong with it.")


WHY = {
    400: "Something of the request is not possible.",
    401: "The visitor is not known.",
    403: "Not allowed: to this visitor, or under this Host or Origin.",
    404: "There is no such thing.",
    408: "The rest of the request did not come.",
    409: "Not possible now.",
    413: "The request is too large.",
    415: "A file of another kind than those that are read.",
    422: "The request was understood, and cannot be followed.",
    429: "Too many wrong passwords: wait as long as Retry-After says.",
    503: "Not now: the server has too much to do, or physics has ended.",
    507: "The server's disk is full.",
}
EVERYWHERE = (503, 507)
FILE = {"type": "string", "format": "binary"}
SENT_FILE = {BYTES: {"schema": FILE}}


def document(
    good: Any,
    *others: int,
    status: int = 200,
    known: bool = True,
    params: bool = False,
    models: dict[int, Any] | None = None,
    texts: tuple[int, ...] = (),
    body: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Options of a route, for its description alone: what the route does is its own matter.

    Args:
        good: model of the answer, or the media types that a file may have.
        others: status codes of refusals beside those that every route has.
        status: of the good answer.
        known: asks for a session.
        params: has parameters, whose mistakes are told as `Unfit`.
        models: of answers that are not a `Refusal`, by status code.
        texts: status codes of refusals in plain text.
        body: what is sent, by media type.
    """
    chosen = dict.fromkeys((403, *others, *EVERYWHERE), Refusal) | (models or {})
    if known:
        chosen[401] = Stranger
    if params:
        chosen[422] = Unfit | chosen[422] if 422 in chosen else Unfit
    refused: dict[int | str, dict[str, Any]] = {
        code: {"model": model, "description": WHY[code]} for code, model in chosen.items()
    }
    refused[403]["content"] = {TEXT: {"schema": {"type": "string"}}}  # of the guard
    for code in texts:
        refused[code] = {
            "content": {TEXT: {"schema": {"type": "string"}}},
            "description": WHY[code],
        }
    if isinstance(good, str | tuple):
        kinds = (good,) if isinstance(good, str) else good
        content = {kind: {"schema": {} if kind == JSON else FILE} for kind in kinds}
        answer: dict[str, Any] = {"content": content, "description": "The file."}
    else:
        answer = {"model": good, "description": good.__doc__.strip().split("\n")[0]}
    extra: dict[str, Any] = {} if known else {"security": []}
    if body is not None:
        extra["requestBody"] = {"required": True, "content": body}
    return {
        "status_code": status,
        "response_class": Response,  # the routes make their answers themselves
        "responses": {status: answer, **refused},
        "openapi_extra": extra,
    }
