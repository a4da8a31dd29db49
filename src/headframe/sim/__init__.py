"""A machine in motion, as a user holds it."""

from .recording import Recorder, Recording, record
from .simulation import Simulation

__all__ = ["Recorder", "Recording", "Simulation", "record"]
