"""Constraints by impulses."""

from .stepping import SteppedEngine, TreeState

__all__ = ["SteppedEngine", "TreeState"]
