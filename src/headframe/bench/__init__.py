"""Headframe beside its peers: the same problems, solved by each in the same process."""

from .command import register

__all__ = ["register"]
