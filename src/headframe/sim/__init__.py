"""A machine in motion, as a user holds it."""

from .commanding import Commands
from .dead_man import CLOSED, NOBODY, STALL
from .formulations import FORMULATION_NAMES, parts_needed
from .pacer import TICK
from .playing import Course, Playing, course_problems, read_course
from .recording import Recorder, Recording, check_npz, record, save_npz
from .session import Physics, Session, Target
from .setting import GROUND, UPRIGHT, Obstacle, Setting
from .simulation import Simulation
from .touching import Touching
from .world import World
from .world_members import WorldBody, WorldContact, WorldMachine

__all__ = [
    "CLOSED",
    "FORMULATION_NAMES",
    "GROUND",
    "NOBODY",
    "STALL",
    "TICK",
    "UPRIGHT",
    "Commands",
    "Course",
    "Obstacle",
    "Physics",
    "Playing",
    "Recorder",
    "Recording",
    "Session",
    "Setting",
    "Simulation",
    "Target",
    "Touching",
    "World",
    "WorldBody",
    "WorldContact",
    "WorldMachine",
    "check_npz",
    "course_problems",
    "parts_needed",
    "read_course",
    "record",
    "save_npz",
]
