"""Machines in notebooks: a view to turn and move, and pictures of what Python shows."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
