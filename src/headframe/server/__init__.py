"""The simulator in the browser: a web server, and physics in a process of its own.

The web server is loaded when it is asked for: the physics process does without it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
