"""A machine in motion, as a user holds it."""

from .commanding import Commands
from .dead_man import CLOSED, NOBODY, STALL
from .formulations import FORMULATION_NAMES, part_needed
from .pacer import TICK
from .playing import Course, Playing, course_problems, read_course
from .recording import Recorder, Recording, check_npz, record, save_npz
from .session import Physics, Session, Target
from .simulation import Simulation

__all__ = [
    "CLOSED",
    "FORMULATION_NAMES",
    "NOBODY",
    "STALL",
    "TICK",
    "Commands",
    "Course",
    "Physics",
    "Playing",
    "Recorder",
    "Recording",
    "Session",
    "Simulation",
    "Target",
    "check_npz",
    "course_problems",
    "part_needed",
    "read_course",
    "record",
    "save_npz",
]
