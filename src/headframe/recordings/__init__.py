"""Recordings of a driven machine: MCAP files with the machine inside, written, read, exported."""

from .reading import Run, open_run
from .writing import RunWriter

__all__ = ["Run", "RunWriter", "open_run"]
