"""The kernels of this room that other rooms call, with their records and what they return."""

from .records import RUN

__all__ = ["RUN"]
