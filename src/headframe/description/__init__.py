"""What a machine is, as frozen data; reading, checking and writing MRDF, reading URDF and MJCF."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
