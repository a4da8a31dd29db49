"""Machines in other people's formats: MJCF (MuJoCo), URDF, glTF; 3DT models in OBJ and glTF.

`formats` lists them, and loads with next to nothing; writers load when they are first asked for.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
