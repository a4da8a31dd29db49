"""What a server is started with."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path

from ..machine import LoadOptions

PORT = 8710
TRIED = 90  # ports after the default that are tried
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
STATIC = Path(__file__).parent / "static"


@dataclass(frozen=True)
class ServerSettings:
    """How to serve.

    Attributes:
        machine: a name of the catalogue, or a path: the scene's guest; empty for its own choice.
        host: address to listen at.
        port: None takes the default, or the next free one.
        dynamics: start in dynamic mode.
        scene: a name of the catalogue of scenes, or a path.
        allowed: names under which other computers reach this one.
        password: asked for besides the token where other computers can connect.
        static: folder of the built page.
        recordings: folder of recordings; that of the user if None.
        replay: a recording to look at, wherever it lies.
        reading: how files of machines are read.
    """

    machine: str = ""
    host: str = "127.0.0.1"
    port: int | None = None
    dynamics: bool = False
    scene: str = "tunnel"
    allowed: tuple[str, ...] = ()
    password: str | None = field(default=None, repr=False)
    static: Path = STATIC
    recordings: Path | None = None
    replay: Path | None = None
    reading: LoadOptions = field(default_factory=LoadOptions)


def is_loopback(host: str) -> bool:
    """Whether a host's name or address is this computer's own."""
    name = host.strip("[]").lower()
    if name in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
