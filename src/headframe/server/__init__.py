"""The simulator in the browser: a web server, and physics in a process of its own."""

from .serving import listen, serve
from .settings import Settings

__all__ = ["Settings", "listen", "serve"]
