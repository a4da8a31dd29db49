"""The operator's cab: levers, switches and the emergency stop, and what they tell the machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..actuation import Command, floating, length, locked, position, speed
from ..description import FULL_SPEED, Actuator, Robot, full_speed_of
from ..errors import CommandError, UnknownElementError
from .dead_man import DeadMan

if TYPE_CHECKING:
    from .playing import Playing


@dataclass(frozen=True)
class Switches:
    """What stays as it was set, unlike levers, which spring back.

    Attributes:
        targets: lengths that groups go to [m], and positions that servos go to [rad, m].
        floating: groups with open valves.
        motors: fraction of the largest speed for each motor that turns.
        playing: the planned motion that the machine follows.
    """

    targets: Mapping[str, float] = field(default_factory=dict)
    floating: frozenset[str] = frozenset()
    motors: Mapping[str, float] = field(default_factory=dict)
    playing: Playing | None = None


AT_REST = Switches(MappingProxyType({}), frozenset(), MappingProxyType({}))


class Cab:
    """Turns what an operator does into commands.

    While the dead man's switch or the emergency stop holds, cylinders hold and motors stand, and
    what was switched on is off.

    Attributes:
        dead_man: knows whether levers are alive.
        switches: what is switched on.
        emergency: the emergency stop is latched.
    """

    def __init__(self, robot: Robot) -> None:
        """All at rest."""
        self.robot = robot
        self.dead_man = DeadMan()
        self.switches = AT_REST
        self.emergency = False
        self._first = {
            name: robot.actuators[members[0]]
            for name, members in zip(robot.group_names, robot.groups, strict=True)
        }
        self._motors = {drive.name: drive for drive in robot.joint_drives}
        self._inputs = {each.name: each for each in robot.inputs}

    # -------------------------------------------------------------- operator

    def beat(self, now: float, levers: Mapping[str, float], age: float, present: bool) -> None:
        """Take a heartbeat, as `DeadMan.beat`; one that makes levers dead switches all off."""
        self.dead_man.beat(now, levers, age, present)
        if self.dead_man.reason:
            self.switches = AT_REST

    def leave(self, reason: str) -> None:
        """Nobody holds the levers any more: all is off, however soon somebody comes."""
        self.dead_man.leave(reason)
        self.switches = AT_REST

    def go_to(self, name: str, value: float) -> None:
        """Bring a group to a length [m], or a servo to a position [rad, m]."""
        if name not in self._inputs:
            raise UnknownElementError("group or servo", name, self._inputs)
        each = self._inputs[name]
        self.check_alive(f"{name!r}")
        if not each.lower <= value <= each.upper:
            raise CommandError(
                f"{name!r}: found {value:g} {each.unit}, expected {each.lower:g} to "
                f"{each.upper:g} {each.unit}"
            )
        now = self.switches
        self.switches = replace(
            now,
            targets={**now.targets, name: value},
            floating=now.floating - {name},
            motors=_without(now.motors, name),
            playing=None,
        )

    def let_float(self, group: str, on: bool) -> None:
        """Open or close a group's valves."""
        self._group(group)
        now = self.switches
        if on:
            self.check_alive(f"{group!r}")
            self.switches = replace(
                now,
                floating=now.floating | {group},
                targets=_without(now.targets, group),
                playing=None,
            )
        else:
            self.switches = replace(now, floating=now.floating - {group})

    def spin(self, motor: str, fraction: float) -> None:
        """Let a motor turn at a fraction of its largest speed, -1 to 1."""
        if motor not in self._motors:
            raise UnknownElementError("motor", motor, self._motors)
        if fraction == 0.0:
            self.switches = replace(self.switches, motors=_without(self.switches.motors, motor))
            return
        self.check_alive(f"{motor!r}")
        now = self.switches
        self.switches = replace(
            now,
            motors={**now.motors, motor: fraction},
            targets=_without(now.targets, motor),
            playing=None if motor in self._led(now.playing) else now.playing,
        )

    def play(self, playing: Playing | None) -> None:
        """Follow a planned motion, its drives no longer anything else; None ends that."""
        now = self.switches
        if playing is None:
            self.switches = replace(now, playing=None)
            return
        self.check_alive("the machine")
        led = self._led(playing)
        self.switches = replace(
            now,
            targets=_without(now.targets, *led),
            floating=now.floating - led,
            motors=_without(now.motors, *led),
            playing=playing,
        )

    def _led(self, playing: Playing | None) -> set[str]:
        """Names of the groups and servos that follow what is played."""
        inputs = () if playing is None else playing.course.inputs
        return {self.robot.inputs[number].name for number in inputs}

    def stop(self) -> None:
        """Press the emergency stop."""
        self.emergency = True
        self.switches = AT_REST

    def release(self) -> None:
        """Release the emergency stop; CommandError while a lever is deflected."""
        if not self.dead_man.neutral:
            raise CommandError("the emergency stop is released only with all levers neutral")
        self.emergency = False

    # --------------------------------------------------------------- machine

    def commands(self, now: float) -> dict[str, Command]:
        """One command for every group and motor at a moment of real time [s]."""
        dead = self.dead_man.look(now) or self.emergency
        if dead:
            self.switches = AT_REST
        levers = {} if dead else self._known(self.dead_man.levers)
        if levers:  # a hand on a lever ends what was switched
            self.switches = replace(
                self.switches,
                targets=_without(self.switches.targets, *levers),
                floating=self.switches.floating - levers.keys(),
                playing=None,
            )
        commands = {name: self._command_of(name, levers) for name in self._first}
        for name, motor in self._motors.items():
            fraction = self.switches.motors.get(name, 0.0)
            if name in self.switches.targets:
                commands[name] = position(self.switches.targets[name])
            elif fraction:
                commands[name] = speed(fraction * full_speed_of(self.robot, motor))
            else:
                commands[name] = locked()
        return commands

    def _command_of(self, group: str, levers: Mapping[str, float]) -> Command:
        if group in levers:
            return speed(levers[group] * self.full_speed(group))
        if group in self.switches.floating:
            return floating()
        if group in self.switches.targets:
            return length(self.switches.targets[group])
        return locked()

    def full_speed(self, group: str) -> float:
        """Speed of a group at full deflection [m/s]."""
        return self._first[group].speed or FULL_SPEED

    # --------------------------------------------------------------- helpers

    def _group(self, name: str) -> Actuator:
        if name not in self._first:
            raise UnknownElementError("group", name, self._first)
        return self._first[name]

    def _known(self, levers: Mapping[str, float]) -> dict[str, float]:
        """Levers of this machine's groups: a page may still hold those of the machine before."""
        return {name: value for name, value in levers.items() if name in self._first}

    def check_alive(self, what: str) -> None:
        """CommandError if nothing may move now."""
        if self.emergency:
            raise CommandError(f"{what} cannot move: the emergency stop is pressed")
        if self.dead_man.reason:
            raise CommandError(f"{what} cannot move: levers are dead ({self.dead_man.reason})")


def _without(values: Mapping[str, float], *names: str) -> dict[str, float]:
    return {name: value for name, value in values.items() if name not in names}
