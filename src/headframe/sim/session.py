"""`Session`: a machine that a person drives, in real time or slower or faster, and back."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..actuation import Command
from ..errors import CommandError, HeadframeError, StateError
from ..kinematics import IKResult
from ..machine import Machine
from ..mechanism import GRAVITY, Floats, Ints, State
from ..protocol import CONTACTS
from ..spatial import matrix_from_quaternion
from .cab import AT_REST, Cab, Switches
from .convoy import Convoy, SavedConvoy
from .forced import Forced
from .kinematic import Kinematic
from .mover import Mover
from .pacer import Pacer
from .playing import Course, play
from .ring import LONGEST, MOST_BYTES, Moment, Ring, size_of
from .setting import Setting
from .touching import Touching, why_not

STEP = 1e-3  # a substep [s]
MOMENT = 600  # bytes of what holds a saved state: moment, point, dictionaries
MOTION = 300_000  # bytes of what moves a machine, which its states keep alive
UNIT = 1e-3  # how far a quaternion's norm may be from 1
FORCES_EVERY = 6  # ticks: forces of single cylinders are read ten times a second
AT_ONCE = 4e-3  # computing time without a look at the emergency stop [s]


@dataclass(frozen=True)
class Physics:
    """How a machine moves.

    Attributes:
        dynamics: under forces, or by kinematics alone.
        formulation: of dynamics; see `Simulation`.
        integrator: None takes the formulation's own.
        gravity: downwards [m/s^2].
    """

    dynamics: bool = False
    formulation: str = "auto"
    integrator: str | None = None
    gravity: float = GRAVITY


@dataclass(frozen=True, slots=True, eq=False)
class SavedSession:
    """What a moment of the ring holds: who moved, from where, and what was switched on.

    `others` is where all units stood while one of them moved under forces; `lying` where loose
    bodies were while nothing moved them, (n, 4, 4), and `setting` where other machines were then.
    """

    motion: Mover
    saved: object
    physics: Physics
    switches: Switches
    others: SavedConvoy | None
    lying: Floats
    setting: Setting | None


@dataclass(frozen=True, slots=True, eq=False)
class SessionReading:
    """What can be seen and measured now; arrays as in `protocol.frame`.

    `bodies` are X_world_body of all loose bodies, (n, 4, 4).
    """

    poses: Floats
    lengths: Floats
    speeds: Floats
    forces: Floats
    motors: Floats
    joints: Floats
    energy: Floats
    bodies: Floats
    contacts: Floats


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link should be.

    Attributes:
        link: its name.
        position: of its origin in the world [m].
        quaternion: of its axes in the world (w, x, y, z); None if any will do.
    """

    link: str
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float] | None = None

    @property
    def mask(self) -> tuple[bool, ...]:
        """Which components of the pose error count."""
        return (self.quaternion is not None,) * 3 + (True,) * 3

    def pose(self, state: State) -> Floats:
        """X_world_link, (4, 4), with the axes of the state if any will do."""
        X = state.pose(self.link)
        if not np.isfinite(self.position).all():
            raise StateError(f"position: found {self.position!r:.80}, expected finite numbers")
        X[:3, 3] = self.position
        if self.quaternion is not None:
            norm = float(np.linalg.norm(self.quaternion))
            if not abs(norm - 1.0) <= UNIT:
                raise StateError(f"quaternion: found a norm of {norm:g}, expected 1")
            X[:3, :3] = matrix_from_quaternion(np.array(self.quaternion) / norm)
        return X


class Session:
    """Drives one machine, or selected units of many, by a cab, in substeps that follow real time.

    By kinematics all selected units obey; under forces the first of them moves alone, and all
    others stand. With a setting it then touches what is around it: the ground, things that lie
    about, other machines; see `Touching`. By kinematics it passes through them, and loose bodies
    stay where they are.

    Attributes:
        machine: what is driven.
        cab: the operator's levers and switches.
        pacer: from real time to substeps.
        paused: simulated time stands still.
        trouble: why the simulation stopped; empty while it goes well.
        step_time: computing time of a substep in the last tick [s].
        check_stop: looks at an emergency stop that does not wait for its turn, and presses the
            cab's; true if it was pressed. Called now and then between substeps.
    """

    def __init__(
        self,
        machine: Machine,
        physics: Physics | None = None,
        step: float = STEP,
        ring_bytes: int = MOST_BYTES,
        bases: Floats | None = None,
        joints: Floats | None = None,
        setting: Setting | None = None,
        lying: Floats | None = None,
    ) -> None:
        """Stand at home, time running, the first unit selected.

        Args:
            machine: what is driven.
            physics: how it moves.
            step: a substep [s].
            ring_bytes: of all states that are kept.
            bases: X_world_base of each unit, (n, 4, 4); one at the origin if None.
            joints: positions of the joints of each unit, (n, nq); at home if None.
            setting: what is around it; nothing touches it if None.
            lying: X_world_body of the loose bodies, (n, 4, 4); where the scene has them if None.
        """
        self.machine = machine
        self._bases = bases
        self._setting = self._first_setting = setting
        self._lying = np.zeros((0, 4, 4)) if setting is None else setting.body_poses()
        if lying is not None and lying.shape == self._lying.shape:
            self._lying = lying
        self.cab = Cab(machine.robot)
        self.pacer = Pacer(step)
        self.paused, self.trouble, self.step_time = False, "", 0.0
        self.check_stop: Callable[[], bool] = lambda: False
        self._physics = physics or Physics()
        self._convoy: Convoy | None = None
        self._motion = self._first_motion(joints)
        self._steps = self._newest = 0
        self._ring = Ring(round(LONGEST / step), ring_bytes)
        self._forces = np.zeros(len(machine.robot.drive_names))
        self._ticks = self._forces_due = 0
        self._single = list(machine.mechanism.single_positions.values())
        self._cost = AT_ONCE  # computing time of a substep [s]
        self._kept: object = None  # what moved in the last moment of the ring
        self._kept_course: object = None  # what was played then
        self._kept_lying: object = None  # where bodies were then

    # ------------------------------------------------------------------ time

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._steps * self.pacer.step

    @property
    def steps(self) -> int:
        """Substeps since the start."""
        return self._steps

    @property
    def oldest(self) -> float:
        """Earliest moment to rewind to [s]."""
        first = self._ring.oldest
        return (self._steps if first is None else first) * self.pacer.step

    @property
    def newest(self) -> float:
        """Latest moment that rewinding can come back to [s]."""
        return self._newest * self.pacer.step

    @property
    def forgotten(self) -> bool:
        """Whether the beginning went out of the ring."""
        return self._ring.forgotten

    @property
    def ring_bytes(self) -> int:
        """Size of all states that are kept."""
        return self._ring.size

    def tick(self, now: float) -> None:
        """Make the substeps that are due at a moment of real time [s]."""
        self._ticks += 1
        if self.paused or self.trouble:
            self.cab.commands(now)  # the dead man's switch is looked at all the same
            self.pacer.rest(now)
            self.step_time = 0.0
            return
        count = self.pacer.due(now)
        if count:
            self._advance(count, now)

    def step(self, count: int, now: float) -> None:
        """Make substeps while paused; the emergency stop ends that.

        Raises:
            CommandError: time runs, the simulation has stopped, or not all of them were made.
        """
        if not self.paused:
            raise CommandError("single steps are made while paused")
        if self.trouble:
            raise CommandError("the simulation has stopped: rewind it or start it anew")
        made = self._advance(count, now, gives_up=True)
        if made < count and not self.trouble:
            raise CommandError(f"the emergency stop was pressed after {made} of {count} substeps")

    def pause(self, on: bool) -> None:
        """Let simulated time stand still, or go on."""
        if self.trouble and not on:
            raise CommandError("the simulation has stopped: rewind it or start it anew")
        self.paused = on

    def rewind(self, seconds: float) -> None:
        """Go to a moment of the ring [s] and pause there: poses, speeds, commands and all.

        The same commands from there on give the same motion, bit for bit.
        """
        wanted, moment = -1, None
        if self.oldest - self.pacer.step < seconds < self.newest + self.pacer.step:
            wanted = round(seconds / self.pacer.step)
            moment = self._ring.before(wanted)
        if moment is None or wanted > self._newest:
            raise StateError(
                f"time: found {seconds:g} s, expected {self.oldest:g} to {self.newest:g} s"
            )
        point: SavedSession = moment.state
        self._motion, self._physics = point.motion, point.physics
        self._lying, self._setting = point.lying, point.setting
        self._motion.restore(point.saved)
        if self._convoy is not None and point.others is not None:
            self._convoy.restore(point.others)
        self.paused, self.trouble = True, ""
        self.cab.switches = point.switches
        self._move(wanted - moment.steps)
        self._steps = wanted
        if self.cab.emergency:
            self.cab.switches = AT_REST

    def restart(self) -> None:
        """Begin anew at home; the emergency stop and the selection stay as they are."""
        selected = self.selected
        self._setting = self._first_setting
        if self._setting is not None:
            self._lying = self._setting.body_poses()
        self._motion = self._first_motion(None, selected)
        self._steps = self._newest = 0
        self._ring.clear()
        self.cab.switches = AT_REST
        self.paused, self.trouble = False, ""

    def resume(self, start: State, velocity: Floats, steps: int) -> None:
        """Go on from a state that another session was in after so many substeps, and pause."""
        if self.machine.robot.base != "free":
            start = start.moved(self._motion.state.base)
        if self._physics.dynamics:
            self._motion = self._new_motion(self._physics, start, velocity)
        else:
            self._motion = self._new_motion(self._physics, start)
        self._steps = self._newest = steps
        self._ring.clear()
        self.paused = True

    def _advance(self, count: int, now: float, gives_up: bool = False) -> int:
        """Give the commands and make substeps; a failure pauses at the last good state.

        The emergency stop is looked at meanwhile: what is left is made at rest, or not at all if
        it `gives_up`. Gives back how many were made.
        """
        started, begun, left = time.perf_counter(), self._steps, count
        try:
            self._command(left, now)
            while left:
                part = min(left, self._at_once())
                before = time.perf_counter()
                self._move(part)
                self._cost = (time.perf_counter() - before) / part
                self._steps += part
                left -= part
                if left and self.check_stop():
                    if gives_up:
                        break
                    self._command(left, now)
        except HeadframeError as error:
            self.trouble = str(error)
            self._back_to(begun)
        self._newest = self._steps
        self.step_time = (time.perf_counter() - started) / count
        return self._steps - begun

    def _command(self, count: int, now: float) -> None:
        """Tell the machine what the cab wants for the next substeps, and keep the moment."""
        commands = self.cab.commands(now)
        if self.cab.switches.playing is not None:
            commands |= self._played(count)
        self._motion.command(commands)
        self._keep()

    def _at_once(self) -> int:
        """Substeps until the emergency stop is looked at again.

        By kinematics any number of them takes as long as one. Under forces every substep is worked
        out, and it makes no difference to the motion how many are made in one call.
        """
        if self._motion.led is not None:
            return sys.maxsize
        return max(int(AT_ONCE / self._cost), 1)

    def _move(self, count: int) -> None:
        """Make substeps by the commands that are given, along what is played."""
        playing, led = self.cab.switches.playing, self._motion.led
        if playing is None or not playing.there or led is None:
            self._motion.step(count)
        elif count:
            values, rates = playing.course.at(playing.moment(self.pacer.step, count))
            led.follow(count, playing.course.inputs, values, playing.rate * rates)
        if playing is not None:
            later = playing.later(count)
            now = None if later.over(self.pacer.step) else later
            self.cab.switches = replace(self.cab.switches, playing=now)

    def _played(self, count: int) -> dict[str, Command]:
        """Commands of what is played."""
        assert self.cab.switches.playing is not None
        values, rates = self._input_motion()
        playing = self.cab.switches.playing.arrived(values, rates, self._steps)
        self.cab.switches = replace(self.cab.switches, playing=playing)
        if playing.there and self._motion.led is not None:
            return {}  # it is placed
        return playing.commands(self.machine.robot, values, count, self.pacer.step)

    def _input_motion(self) -> tuple[Floats, Floats]:
        """Values [m, rad] and rates of all inputs."""
        return self._motion.state.inputs, self._motion.input_rates()

    def _keep(self) -> None:
        saved = self._motion.save()
        size = MOMENT + size_of(saved) + (MOTION if self._motion is not self._kept else 0)
        playing = self.cab.switches.playing
        if playing is not None and playing.course is not self._kept_course:
            size += size_of(playing.course)
        self._kept_course = None if playing is None else playing.course
        self._kept = self._motion
        if self._lying is not self._kept_lying:
            size += size_of(self._lying)
        self._kept_lying = self._lying
        others = None
        if self._convoy is not None and self._motion is not self._convoy:
            others = self._convoy.save()
            size += size_of(others)
        point = SavedSession(
            self._motion, saved, self._physics, self.cab.switches, others, self._lying,
            self._setting,
        )  # fmt: skip
        self._ring.add(Moment(self._steps, point, size))

    def _back_to(self, begun: int) -> None:
        """The last state that was kept, if that was after the failing tick had begun."""
        moment = self._ring.before(self._steps)
        if moment is not None and moment.steps >= begun:
            moment.state.motion.restore(moment.state.saved)
            self._steps = moment.steps

    # -------------------------------------------------------------- operator

    def let_float(self, group: str, on: bool) -> None:
        """Open or close a group's valves, in dynamic mode."""
        if on and not self._physics.dynamics:
            raise CommandError(f"{group!r} floats only under forces: choose dynamics")
        self.cab.let_float(group, on)

    def spin(self, motor: str, fraction: float) -> None:
        """Let a motor turn at a fraction of its largest speed, -1 to 1."""
        led = self._motion.led
        if fraction and led is not None:
            led.check_turns(motor)
        self.cab.spin(motor, fraction)

    def reach(self, target: Target) -> IKResult:
        """Bring a link of the first selected unit to a target, or as near as its drives allow.

        By kinematics the machine is there at once; under forces cylinders and servos go there.
        """
        self.cab.check_alive(f"{target.link!r}")
        found = self.machine.ik(
            target.link, target.pose(self._motion.state), self._motion.state, mask=target.mask
        )
        led = self._motion.led
        if led is not None:
            self.cab.switches = replace(self.cab.switches, targets={}, playing=None)
            led.place(found.state)
            return found
        here = self._motion.state.inputs
        wanted = found.state.inputs
        for n, each in enumerate(self.machine.robot.inputs):
            if wanted[n] != here[n]:  # rounding may lead out by 1e-16
                self.cab.go_to(each.name, min(max(float(wanted[n]), each.lower), each.upper))
        return found

    def play(self, course: Course, rate: float = 1.0, start: float = 0.0) -> None:
        """Go to where a planned motion starts, at the cylinders' own speed, and follow it.

        It ends at its end, at a lever, at the dead man's switch and at the emergency stop; while
        time stands still it waits.

        Raises:
            CommandError: nobody is there, or several units are selected.
        """
        if len(self.selected) > 1:
            raise CommandError(
                f"a path is followed by one unit: {len(self.selected)} are selected, choose one"
            )
        self.cab.check_alive("the machine")
        values, _ = self._input_motion()
        step = self.pacer.step
        self.cab.play(play(course, self.machine.robot, values, rate, start, step))

    def stop_playing(self) -> None:
        """End what is played; cylinders come to rest."""
        self.cab.play(None)

    # ----------------------------------------------------------------- units

    @property
    def selected(self) -> tuple[int, ...]:
        """Units that obey, in their order."""
        return (0,) if self._convoy is None else self._convoy.selected

    def select(self, units: Sequence[int]) -> None:
        """Let other units obey; what was switched on is off.

        Raises:
            CommandError: no such units, or a lever is deflected: nothing may start unseen.
        """
        if not self.cab.dead_man.neutral:
            raise CommandError("units are selected with all levers neutral")
        if self._convoy is None:
            if set(units) != {0}:
                raise CommandError(f"units: found {list(units)!r:.60}, expected the only one, 0")
            return
        if self._motion is self._convoy:
            self._convoy.select(units)
        else:
            before = self._convoy.save()
            try:
                self._convoy.place(self._motion.state)
                self._convoy.select(units)
                self._motion = self._next_motion(self._physics, self._convoy.state)
            except HeadframeError:
                self._convoy.restore(before)
                raise
        self.cab.switches = AT_REST

    @property
    def joints(self) -> Floats:
        """Positions of the joints of all units, (n, nq)."""
        if self._convoy is None:
            return self._motion.state.q[None].copy()
        joints = self._convoy.joints
        joints[self.selected[0]] = self._motion.state.q
        return joints

    def moved(self) -> tuple[Ints, Floats]:
        """Units that moved since this was last asked, and poses of their links (n, n_links, 4, 4).

        With a single unit there is nothing to tell beside `read`.
        """
        if self._convoy is None:
            return np.zeros(0, dtype=np.int64), np.zeros((0, len(self.machine.links), 4, 4))
        units = self._convoy.moved()
        if self._motion is self._convoy:
            return units, self._convoy.poses_of(units)
        first = self.selected[0]
        units = np.append(units[units != first], first)
        poses = self._convoy.poses_of(units)
        poses[-1] = self._motion.poses()
        return units, poses

    def others_moved(self) -> list[tuple[int, Floats]]:
        """Units of other kinds that may move: numbers in the scene, poses (n_links, 4, 4)."""
        touching = self._motion.touching
        if touching is None:
            return []
        return list(zip(touching.others.tolist(), touching.other_poses(), strict=True))

    def other_states(self) -> dict[int, tuple[Floats, Floats]]:
        """Joint positions and X_world_base of units of other kinds that may move, by number."""
        touching, setting = self._motion.touching, self._setting
        if touching is not None:
            return touching.other_states()
        obstacles = () if setting is None else setting.obstacles
        return {each.number: (each.q, each.base) for each in obstacles if each.is_free}

    # --------------------------------------------------------------- physics

    @property
    def physics(self) -> Physics:
        """How the machine moves."""
        return self._physics

    @property
    def motion(self) -> Mover:
        """What moves it now."""
        return self._motion

    def set_physics(self, physics: Physics) -> None:
        """Move on in another way from here, at rest; what is refused changes nothing."""
        self._motion = self._next_motion(physics, self._motion.state)
        self._physics = physics
        self.cab.switches = AT_REST

    def _next_motion(self, physics: Physics, start: State) -> Mover:
        """What moves from here on; all that is around stays where it has come to."""
        before = self._lying, self._setting
        self._lying, moved = self.body_poses, self.other_states()
        if self._setting is not None and moved:
            self._setting = self._setting.after(moved)
        try:
            return self._new_motion(physics, start)
        except HeadframeError:
            self._lying, self._setting = before
            raise

    def _first_motion(self, joints: Floats | None, selected: Sequence[int] = (0,)) -> Mover:
        """All units where they are at first."""
        if self._bases is None:
            return self._new_motion(self._physics, None)
        if len(self._bases) > 1:
            convoy = Convoy(self.machine, self.pacer.step, self._bases, joints)
            convoy.select(selected)
            self._convoy = convoy
            return self._new_motion(self._physics, convoy.state)
        q = self.machine.home.q if joints is None else joints[0]
        start = State(self.machine.mechanism, q, self._bases[0])
        return self._new_motion(self._physics, start)

    def _new_motion(
        self, physics: Physics, start: State | None, velocity: Floats | None = None
    ) -> Mover:
        motion: Mover
        how = physics.formulation, physics.integrator, self.pacer.step, physics.gravity
        if physics.dynamics and self._setting is not None and not self._why_alone(physics):
            motion = Touching(
                self._settled(self._setting), *how, self.machine.home if start is None else start,
                velocity, self._lying,
            )  # fmt: skip
        elif physics.dynamics:
            motion = Forced(self.machine, *how, start, velocity)
            if self._setting is not None:
                motion.reason += f"; it touches nothing: {self._why_alone(physics)}"
        elif self._convoy is not None and start is not None:
            self._convoy.place(start)
            motion = self._convoy
        else:
            motion = Kinematic(self.machine, self.pacer.step, start)
        saved = motion.save()
        motion.step(1)  # refuses what cannot move at all, and compiles what is to be compiled
        motion.restore(saved)
        return motion

    def _why_alone(self, physics: Physics) -> str:
        """Why the machine touches nothing under forces; empty if it does."""
        return why_not(self.machine, physics.formulation)

    def _settled(self, setting: Setting) -> Setting:
        """What is around the unit that is driven: also the others of its kind."""
        if self._convoy is None or self._bases is None:
            return setting
        return setting.among(self.selected[0], self._convoy.joints, self._bases)

    # -------------------------------------------------------------- readings

    @property
    def body_poses(self) -> Floats:
        """X_world_body of all loose bodies, (n, 4, 4)."""
        touching = self._motion.touching
        return self._lying if touching is None else touching.body_poses()

    def read(self) -> SessionReading:
        """Everything that a frame shows."""
        motion, robot = self._motion, self.machine.robot
        state = motion.state
        if self._ticks >= self._forces_due:
            self._forces = self._drive_forces()
            self._forces_due = self._ticks + FORCES_EVERY
        motors = np.column_stack([motion.motor_rates(), motion.motor_forces(self._forces)])
        touching = motion.touching
        contacts = np.zeros((0, CONTACTS.width)) if touching is None else touching.contacts()
        return SessionReading(
            motion.poses(), state.lengths, motion.actuator_speeds(),
            self._forces[: len(robot.actuators)], motors, state.q[self._single], motion.energies(),
            self.body_poses, contacts,
        )  # fmt: skip

    def _drive_forces(self) -> Floats:
        """Force of every cylinder [N] and servo [N m, N]: what holds it still, or what moves it."""
        try:
            return self._motion.drive_forces(self._physics.gravity)
        except (HeadframeError, np.linalg.LinAlgError):  # at a dead centre
            return np.zeros(len(self.machine.robot.drive_names))
