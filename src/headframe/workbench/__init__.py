"""Studies of a machine: computations of the workbench that take their time.

A study takes the machine as it stands and a request, tells how far it is, and leaves files.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
