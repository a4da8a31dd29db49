"""Contact: shapes that touch, where they do, and with what force. It knows no coordinates."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
