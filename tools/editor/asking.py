"""What VS Code's own JSON service says about a machine file with our schema."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import build_web

SCRIPT = Path(__file__).with_name("ask.mjs")
SERVICE = build_web.WEB / "node_modules" / "vscode-json-languageservice"
CARET = "|"


@dataclass(frozen=True)
class Answer:
    """What an editor shows at a place of a file.

    Attributes:
        problems: in words.
        completions: what is offered, by its name: what would be written, and words about it.
        hover: words about what stands there.
    """

    problems: list[str]
    completions: dict[str, tuple[str, str]]
    hover: str


def is_there() -> bool:
    """Whether Node and the service are installed."""
    return build_web.find("node") is not None and SERVICE.is_dir()


def ask(schema: dict[str, Any], text: str) -> Answer:
    """Ask about the place of the caret, a bar, in a text."""
    at = text.index(CARET)
    question = {"schema": schema, "text": text.replace(CARET, "", 1), "at": at}
    node = build_web.find("node")
    if node is None:
        raise RuntimeError("Node is not installed")
    done = subprocess.run(
        [node, str(SCRIPT)],
        input=json.dumps(question),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )
    said = json.loads(done.stdout)
    offered = {one["label"]: (one["insert"], one["words"]) for one in said["completions"]}
    return Answer(said["problems"], offered, said["hover"])
