"""`Simulation`: a machine that moves under forces, driven by its cylinders and motors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..actuation import MODES, Command
from ..actuation.kernels import DrivenBy
from ..checks import LARGEST, finite, shown
from ..description import require_sound
from ..dynamics import INTEGRATORS, DynamicsModel, Engine
from ..dynamics.kernels import PULL
from ..errors import NotAMachineError, StateError, UnknownElementError, suggest
from ..jit import Records, new_records
from ..kinematics import checked_start
from ..machine import Machine
from ..mechanism import GRAVITY, Floats, State, checked_vector, tree_of
from .commanding import Commands
from .formulations import FORMULATION_NAMES, FORMULATIONS, INTEGRATOR_NAMES, choose
from .readings import CylinderReading, Energy, JointReading
from .starting import DEFAULT, integrator_for, start_velocity

COORDINATES = ("auto", "lengths", "variables")
MOST_STEPS = 10**15
SMALLEST_STEP = 1e-12  # [s]
OF_MOTORS = ("torque", "position")  # what is a force or a length of a cylinder
AT_ONCE = 2000  # steps without a look at what Python has to say
KINDS = {int(mode): kind for kind, mode in MODES.items() if kind not in OF_MOTORS}


@dataclass(frozen=True, eq=False)
class SavedSimulation:
    """A simulation's state, to go back to."""

    engine: object
    formulation: str
    machine: Machine
    settings: dict[str, Any]
    pulls: dict[str, Records]
    start: float


class Simulation:
    """A machine that moves under forces.

    Positions `q` and velocities `v` are those of the spanning tree in every formulation: the
    joints of the file in its order, then of every cylinder the angle of its tube about the pin
    (for a mount that is no plane one also the angle out of that plane) and its length.

    Two simulations of the same inputs have bit-identical states, on one machine and build.

    Attributes:
        machine: what moves.
        formulation: how it is computed: "embedded", "constrained", "augmented", "simgc", "simmc"
            or "xpbd".
        reason: why "auto" chose this one.
        integrator: name of the integrator; empty for those that bring their own.
        step_size: [s].
    """

    # a misspelt or unknown attribute is an error
    __slots__ = (
        "_commands", "_engine", "_pulls", "_settings", "_start", "base", "formulation",
        "integrator", "machine", "model", "reason", "step_size",
    )  # fmt: skip

    def __init__(
        self,
        machine: Machine,
        formulation: str = "auto",
        integrator: str | None = None,
        step: float = 1e-3,
        gravity: float | ArrayLike = GRAVITY,
        start: State | None = None,
        velocity: ArrayLike | Mapping[str, float | ArrayLike] | None = None,
        coordinates: str = "auto",
        repair: str | None = None,
        **options: Any,
    ) -> None:
        """Put a machine somewhere; drives float, motors turn with the torque of the file.

        Args:
            machine: such as `headframe.load` gives.
            formulation: "auto" embeds loops in closed form where that can be done, and keeps them
                as constraints of the tree where not.
            integrator: "euler", "midpoint", "rk4", "rk6", "semi-implicit", "implicit" or
                "variational"; if None "rk4", or "implicit" where dampers are faster than a step.
                For "embedded" and "constrained"; "augmented" takes "newmark", which it has if
                None, "hht" or "generalized-alpha".
            step: [s].
            gravity: downwards [m/s^2], or a vector in world axes, (3,).
            start: where it starts; home if None.
            velocity: with which it starts; at rest if None. By name of cylinders, groups, motors
                or joints [m/s, rad/s] (three or six numbers for joints with more than one freedom,
                turns first): then what is not named is as slow as its loops allow, drives first.
                Or all of the tree, (nv,), of which those that loops decide follow from the others.
            coordinates: of embedded loops: "lengths" of the cylinders, driving "variables", or
                "auto": lengths where these alone set the motion.
            repair: "nearest" to move `machine.repaired("nearest")`: with inertias that a body can
                have, where the file has others, and a little lent to what moves without.
            **options: of the other formulations, such as `iterations`.

        Raises:
            StateError: an argument that is none of these.
            DynamicsError: a machine that the formulation cannot move, or with inertias that no
                body has.
        """
        if not isinstance(machine, Machine):
            raise NotAMachineError(
                f"found {machine!r}, expected a Machine, such as load(...) gives"
            )
        given, machine = machine, machine.repaired(repair)
        require_sound(machine.robot)
        self.machine = machine
        if machine is not given and start is not None:  # the same place of the mended machine
            start = checked_start(given.kinematics, start)
            start = State(machine.mechanism, start.q, start.base)
        origin = checked_start(machine.kinematics, start)
        self.base = origin.base
        pull = _gravity(gravity, machine, self.base)
        self.model = DynamicsModel(
            tree_of(machine.mechanism).with_gravity(pull), machine.kinematics, machine.home
        )
        self.step_size = checked_step(step)
        if integrator is not None:
            integrator = _named(integrator, INTEGRATOR_NAMES, "integrator")
        self.formulation = _named(formulation, FORMULATION_NAMES, "formulation")
        self.reason = "it was asked for"
        if self.formulation not in FORMULATIONS:
            self.formulation, self.reason = choose(self.model, integrator)
        self.integrator = ""
        self._engine = self._new_engine(
            integrator, _named(coordinates, COORDINATES, "coordinates"), options
        )
        self._settings = {
            "step": self.step_size,
            "coordinates": "lengths" if self._engine.by_lengths else "variables",
            "integrator": self.integrator,
            "options": options,
            "gravity": tuple(pull.tolist()),
            "base": tuple(self.base.ravel().tolist()),
        }
        self._commands = Commands(self.model)
        self._pulls: dict[str, Records] = {}
        q = self.model.tree.positions(origin)
        self._engine.set_state(q, start_velocity(self.model, q, velocity))
        self._start = sum(self._engine.energy())

    # ------------------------------------------------------------------ time

    def run(self, seconds: float) -> None:
        """Go on for so many seconds, as whole steps: the nearest number of them.

        Raises:
            DynamicsError: a step that cannot be made; the state is the one before it.
        """
        length = finite(seconds)
        if length is None or length < 0.0:
            raise StateError(f"seconds: found {seconds!r}, expected a number, not negative")
        steps = round(min(length / self.step_size, 1e18))
        if steps >= MOST_STEPS:
            raise StateError(
                f"seconds: found {length:g}, which are more than {MOST_STEPS:.0e} steps"
            )
        self.step(steps)

    def step(self, n: int = 1) -> None:
        """Make n steps, inside one kernel; after every few thousand it can be interrupted."""
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 0 <= n < MOST_STEPS:
            raise StateError(
                f"n: found {n!r:.80}, expected a whole number from 0 to less than {MOST_STEPS:.0e}"
            )
        left = int(n)
        while left > AT_ONCE:
            before = self._engine.save()
            try:
                self._engine.run(AT_ONCE)
            except KeyboardInterrupt:  # it comes before the steps are counted
                self._engine.restore(before)
                raise
            left -= AT_ONCE
        self._engine.run(left)

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return float(self._engine.time)

    # ----------------------------------------------------------------- state

    @property
    def q(self) -> Floats:
        """Positions of the tree [rad, m, unit quaternions], (nq,)."""
        return np.array(self._engine.q)

    @property
    def v(self) -> Floats:
        """Velocities of the tree [rad/s, m/s], (nv,)."""
        return np.array(self._engine.v)

    @property
    def state(self) -> State:
        """Poses, lengths and joints now."""
        mechanism = self.machine.mechanism
        return State.solved(mechanism, self.q[: mechanism.q_zero.size].copy(), self.base)

    def pose(self, link: str) -> Floats:
        """X_world_link, (4, 4), tubes and rods included."""
        tree = self.model.tree
        tree.carrier_of(link)
        pose: Floats = self.poses()[tree.mechanism.robot.link_index[link]]
        return pose

    def poses(self) -> Floats:
        """X_world_link of all links, in the order of the file, (n_links, 4, 4)."""
        X_WL: Floats = self.base @ self._engine.poses()
        return X_WL

    def joint(self, name: str) -> JointReading:
        """Position and velocity of a joint, those that loops decide included."""
        mechanism = self.machine.mechanism
        movable = [n for n, p in mechanism.position_of_joint.items() if p.stop > p.start]
        if not isinstance(name, str) or name not in movable:
            raise UnknownElementError("movable joint", name, movable)
        part, part_v = mechanism.position_of_joint[name], mechanism.velocity_of_joint[name]
        q, v = self.q[part], self.v[part_v]
        return JointReading(float(q[0]), float(v[0])) if q.size == 1 else JointReading(q, v)

    def cylinder(self, name: str) -> CylinderReading:
        """Length, speed and force of a cylinder, or of a group's first one.

        The force is that of the last step: a command shows in it after the next one.
        """
        robot = self.machine.robot
        if isinstance(name, str) and name in robot.actuator_index:
            number = robot.actuator_index[name]
        else:
            row = self.model.rows[self._commands.row(name)]
            if not row.members:
                raise UnknownElementError("cylinder or group", name, robot.actuator_index)
            number = row.members[0]
        group = next(n for n, row in enumerate(self.model.rows) if number in row.members)
        drive, cylinder = self._engine.drives[group], self.model.tree.cylinders[number]
        guided = drive.now == DrivenBy.GUIDED
        return CylinderReading(
            length=float(self.q[cylinder.length_position]),
            speed=float(self.v[cylinder.length_velocity]),
            force=float(drive.reaction if guided else drive.pull),
            mode=KINDS[int(drive.mode)],
            stop={-1: "lower", 1: "upper"}.get(int(drive.stop), ""),
        )

    @property
    def forces(self) -> dict[str, float]:
        """Force of every group along its first cylinder [N], and torque of every motor [N m]."""
        drives = self._engine.drives
        guided = drives.now == DrivenBy.GUIDED
        values = np.where(guided, drives.reaction, drives.pull)
        return {row.name: float(f) for row, f in zip(self.model.rows, values, strict=True)}

    def energy(self) -> Energy:
        """Energies now, and the ledger since the start."""
        return Energy(*self._engine.energy(), *self._engine.work_done(), self._start)

    def position_error(self) -> float:
        """How far the loop or joint that is open the widest is open [m, rad]."""
        return self._engine.position_error()

    @property
    def iterations(self) -> float:
        """Iterations a step, in the mean; 0 for formulations that need none."""
        return self._engine.iterations

    # --------------------------------------------------------------- control

    def command(self, commands: Mapping[str, Command]) -> None:
        """Tell cylinders and motors what to do; they go on until told otherwise.

        Args:
            commands: by group, cylinder or motor: `headframe.length`, `speed`, `force`, `torque`,
                `locked` or `floating`.

        Raises:
            UnknownElementError: no cylinder, group or motor of that name.
            CommandError: what it cannot do; then no command is taken.
        """
        self._commands.set(commands, self._engine.drives)

    def apply(self, link: str, wrench: ArrayLike | None, point: ArrayLike | None = None) -> None:
        """Pull at a link from now on, with a force that stays the same in world axes.

        Args:
            link: name of a link; a second call replaces the first.
            wrench: moment [N m] and force [N] in world axes, (6,); None ends it.
            point: where it acts, in the link's axes [m], (3,); the link's origin if None.
        """
        tree = self.model.tree
        freedom = tree.carrier_of(link)
        if wrench is None:
            self._pulls.pop(link, None)
        else:
            vector = checked_vector(wrench, 6, "wrench")
            place = checked_vector(np.zeros(3) if point is None else point, 3, "point")
            X_FL, R_WB = tree.X_FL[link], self.base[:3, :3]
            if freedom >= 0:
                pull = new_records(1, PULL)
                pull.freedom, pull.point = freedom, X_FL[:3, :3] @ place + X_FL[:3, 3]
                pull.moment, pull.force = R_WB.T @ vector[:3], R_WB.T @ vector[3:]
                self._pulls[link] = pull
        self._engine.pulls = np.concatenate([new_records(0, PULL), *self._pulls.values()]).view(
            np.recarray
        )

    def save(self) -> SavedSimulation:
        """The state, its commands and its ledger, to go back to."""
        return SavedSimulation(
            self._engine.save(), self.formulation, self.machine, self._settings, dict(self._pulls),
            self._start,
        )  # fmt: skip

    def restore(self, saved: object) -> None:
        """Back to a saved state; the same commands from there on give the same motion, bit for bit.

        Raises:
            StateError: saved by another formulation, of another machine, or with another step,
                integrator, other coordinates, options, gravity or base.
        """
        if not isinstance(saved, SavedSimulation):
            raise StateError(f"saved: found {saved!r}, expected what `save` gave")
        if (saved.formulation, saved.machine.robot) != (self.formulation, self.machine.robot):
            raise StateError(
                f"saved: found a state of {saved.machine.name!r} ({saved.formulation}), expected "
                f"one of {self.machine.name!r} ({self.formulation})"
            )
        for name, value in self._settings.items():
            if saved.settings[name] != value:
                raise StateError(
                    f"saved: found a state of {name} {saved.settings[name]}, expected {value}"
                )
        self._engine.restore(saved.engine)
        self._pulls, self._start = dict(saved.pulls), saved.start

    def __repr__(self) -> str:
        how = f"{self.formulation}, {self.integrator}" if self.integrator else self.formulation
        return f"Simulation({self.machine.name}: {how}, {self.time:g} s)"

    # --------------------------------------------------------------- helpers

    def _new_engine(
        self, integrator: str | None, coordinates: str, options: dict[str, Any]
    ) -> Engine:
        formulation = FORMULATIONS[self.formulation]
        if not formulation.coordinates and coordinates != "auto":
            raise StateError(
                f"coordinates: found {coordinates!r}, but {self.formulation!r} has its own"
            )
        own = formulation.own_integrators
        if own and integrator is not None:
            self.integrator = _named(integrator, own, "integrator")
            return formulation.make(self.model, self.step_size, integrator=integrator, **options)
        if not formulation.integrators:
            if integrator is not None:
                raise StateError(f"{self.formulation!r} brings its own integrator: leave it out")
            self.integrator = next(iter(own), "")
            return formulation.make(self.model, self.step_size, **options)
        if integrator is not None:
            integrator = _named(integrator, tuple(INTEGRATORS), "integrator")
        if options:
            known = list(signature(Simulation).parameters)[:-1]
            raise StateError(
                f"found {', '.join(options)}, which {self.formulation!r} does not take; "
                f"{suggest(next(iter(options)), known)}"
            )
        self.integrator = integrator or integrator_for(self.model, self.step_size)
        if self.integrator != (integrator or DEFAULT):
            self.reason += "; implicit steps, since its dampers are faster than a step"
        chosen: dict[str, object] = {"integrator": self.integrator}
        if formulation.coordinates:
            regular = self.machine.kinematics.regular
            chosen["by_lengths"] = regular if coordinates == "auto" else coordinates == "lengths"
        return formulation.make(self.model, self.step_size, **chosen)


def checked_step(step: object) -> float:
    """A step that can be made [s]."""
    size = finite(step)
    if size is None or not SMALLEST_STEP <= size < 10.0:
        expected = f"seconds, more than 0, at least {SMALLEST_STEP:g}, and below 10"
        raise StateError(f"step: found {shown(step)}, expected {expected}")
    return size


def _named(value: object, choices: tuple[str, ...], what: str) -> str:
    if not isinstance(value, str) or value not in choices:
        raise StateError(f"{what}: found {value!r}; {suggest(str(value), choices)}")
    return value


def _gravity(gravity: object, machine: Machine, X_WB: Floats) -> Floats:
    """Gravity in base axes."""
    downwards = finite(gravity)
    if downwards is not None and abs(downwards) <= LARGEST:
        vector = -downwards * machine.robot.up
    elif isinstance(gravity, int | float | np.number):
        raise StateError(
            f"gravity: found {shown(gravity)}, expected a finite number or three, up to {LARGEST:g}"
        )
    else:
        vector = checked_vector(gravity, 3, "gravity")
    turned: Floats = X_WB[:3, :3].T @ vector
    return turned
