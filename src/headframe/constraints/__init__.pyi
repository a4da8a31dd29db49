from .augmented.engine import Augmented as Augmented
from .striking.engine import ImpulseWorld as ImpulseWorld
from .striking.engine import Strikable as Strikable
from .striking.engine import calls_to as calls_to
