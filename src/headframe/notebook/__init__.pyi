# The front of this room: what others import of it. A file loads when a name of it is first used.

from .pictures import register as register
from .view import show as show
