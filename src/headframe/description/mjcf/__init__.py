"""Reading MJCF, the format of MuJoCo: a tree of bodies, closed by equality constraints."""

from .reading import parse_mjcf

__all__ = ["parse_mjcf"]
