"""The kernels of this room that other rooms call, with their records and what they return."""

from .paper.nested_newton import sequential_forward

__all__ = ["sequential_forward"]
