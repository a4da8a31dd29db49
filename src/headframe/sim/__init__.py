"""A machine in motion, as a user holds it."""

from .simulation import Simulation

__all__ = ["Simulation"]
