# The front of this room: what others import of it. A file loads when a name of it is first used.

from .cast import SceneChoice as SceneChoice
from .messages import FrameReport as FrameReport
from .messages import Order as Order
from .serving import listen as listen
from .serving import serve as serve
from .settings import ServerSettings as ServerSettings
from .settings import is_loopback as is_loopback
from .worker import Worker as Worker
