"""Recordings of a driven machine: MCAP files with the machine inside, written, read, exported."""

from .reading import RecordedRun, open_run
from .writing import RunWriter

__all__ = ["RecordedRun", "RunWriter", "open_run"]
