"""The simulator in the browser: a web server, and physics in a process of its own.

The web server is loaded when it is asked for: the physics process does without it.
"""

from typing import TYPE_CHECKING, Any

from .settings import ServerSettings

if TYPE_CHECKING:
    from .serving import listen, serve

__all__ = ["ServerSettings", "listen", "serve"]


def __getattr__(name: str) -> Any:
    if name in ("listen", "serve"):
        from . import serving

        return getattr(serving, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
