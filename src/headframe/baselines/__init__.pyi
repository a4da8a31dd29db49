# The front of this room: what others import of it. A file loads when a name of it is first used.

from .paper.methods import convergence as convergence
from .paper.sequential import sequence_of as sequence_of
