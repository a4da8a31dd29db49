"""Methods that exist to be compared with: SIMMC, XPBD, the papers' kinematics.

Nothing imports from here by name: `sim` and `Machine` load a method when somebody asks for it.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
