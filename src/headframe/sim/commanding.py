"""From names and commands to rows of the drives."""

from __future__ import annotations

from collections.abc import Mapping

from ..actuation import Command
from ..actuation.kernels import DriveMode
from ..description import Robot
from ..dynamics import DynamicsModel, Row
from ..errors import CommandError, UnknownElementError
from ..jit import Record, Records, as_argument

ROUNDING = 1e-9  # [m, rad] by which a place may lie beyond an end stop


class Commands:
    """Knows which row a name means, and what it can be told."""

    def __init__(self, model: DynamicsModel) -> None:
        """Collect the names: groups, first members, motors and their joints."""
        self.model = model
        self.robot: Robot = model.tree.mechanism.robot
        self.row_of: dict[str, int] = {}
        self.leader_of: dict[str, str] = {}
        for n, row in enumerate(model.rows):
            if row.members:
                first, *partners = (self.robot.actuators[i].name for i in row.members)
                self.row_of.update({row.name: n, first: n})
                self.leader_of.update(dict.fromkeys(partners, row.name))
            elif row.motor:
                self.row_of.update({row.name: n, row.motor: n})

    def row(self, name: str) -> int:
        """The row of a group, a cylinder, a motor or a motor's joint.

        Raises:
            UnknownElementError: none is called that.
            CommandError: a cylinder that follows the first of its group.
        """
        if not isinstance(name, str):
            raise UnknownElementError("cylinder, group or motor", name, self.row_of)
        if name in self.row_of:
            return self.row_of[name]
        if name in self.leader_of:
            raise CommandError(
                f"{name!r} follows the first cylinder of its group: command "
                f"{self.leader_of[name]!r}"
            )
        raise UnknownElementError("cylinder, group or motor", name, self.row_of)

    def set(self, commands: Mapping[str, Command], drives_io: Records) -> None:
        """Write commands into the drives: all of them, or none where one is wrong."""
        if not isinstance(commands, Mapping):
            raise CommandError(f"found {commands!r}, expected commands by name")
        drives = as_argument(drives_io)
        checked: dict[int, tuple[str, Command]] = {}
        for name, command in commands.items():
            row = self.row(name)
            if not isinstance(command, Command):
                raise CommandError(
                    f"{name!r}: found {command!r}, expected a command such as "
                    "headframe.speed(0.05), length, position, force, torque, locked or floating"
                )
            self._check(name, self.model.rows[row], command, drives[row])
            if row in checked:
                raise CommandError(f"{checked[row][0]!r} and {name!r} are one: command it once")
            checked[row] = name, command
        modes, values, stops = drives["mode"], drives["value"], drives["stop"]
        for row, (_, command) in checked.items():
            modes[row], values[row] = command.mode, command.value
            if command.mode not in (DriveMode.FLOATING, DriveMode.FORCE):
                stops[row] = 0.0

    def _check(self, name: str, row: Row, command: Command, drive: Record) -> None:
        """Refuse what the drive cannot do."""
        value, kind = command.value, command.kind
        if row.members:
            if kind in ("torque", "position"):
                other = "a force" if kind == "torque" else "a length"
                raise CommandError(f"{name!r} is a cylinder: found {command}, expected {other}")
            if kind == "length" and not _can_reach(drive, value):
                raise CommandError(
                    f"{name!r}: found {command}, expected a length of {drive.lower:g} to "
                    f"{drive.upper:g} m"
                )
            most = self.robot.actuators[row.members[0]].force
            share = len(row.members)
            if kind == "force" and most and abs(value) > most * share:
                raise CommandError(
                    f"{name!r}: found {command}, expected at most {most * share:g} N "
                    f"({share} cylinders of {most:g} N)"
                )
        elif kind in ("length", "force"):
            raise CommandError(
                f"{name!r} is a motor: found {command}, expected a torque, a speed or a position"
            )
        elif kind == "position" and not _can_reach(drive, value):
            raise CommandError(
                f"{name!r}: found {command}, expected a position of {drive.lower:g} to "
                f"{drive.upper:g} {self._unit(row)}"
            )
        elif kind == "torque" and abs(value) > drive.most_force:
            raise CommandError(
                f"{name!r}: found {command}, expected at most {drive.most_force:g} N m"
            )
        if kind == "speed" and abs(value) > drive.most_speed:
            raise CommandError(
                f"{name!r}: found {command}, expected at most {drive.most_speed:g} "
                f"{self._unit(row)}/s"
            )

    def _unit(self, row: Row) -> str:
        slides = row.members or self.robot.joint(row.name).kind.is_slide
        return "m" if slides else "rad"


def _can_reach(drive: Record, place: float) -> bool:
    """Whether a place [m, rad] lies between the end stops, up to rounding."""
    return bool(drive.lower - ROUNDING <= place <= drive.upper + ROUNDING)
