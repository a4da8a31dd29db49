"""Where a machine's links can be brought, and the ways that lead there in time.

Workspaces, motions through via points, and ways of a cutting head over a face.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
