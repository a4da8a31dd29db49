"""Recordings: what a simulation did, as plain arrays, and as .npz files."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import checks
from ..checks import function, instance, mapping, number
from ..description import open_plain, output_path, unwritable, write_file
from ..dynamics import Row
from ..errors import DynamicsError, ExportError, StateError
from ..jit import Record
from ..mechanism import Floats
from .simulation import KINDS, MOST_STEPS, Simulation

Progress = Callable[[int, int], None]  # how many steps are done, of how many

RATE, SLOWEST = 100.0, 1e-6  # [Hz]
CHUNK = 5000  # most steps between two calls of `progress`
LARGEST = 2 * 10**9  # bytes of a recording
ENERGIES = ("kinetic", "potential", "springs")
LEDGER = ("drives", "dampers", "pulls", "stops", "joints")


@dataclass(frozen=True)
class RecordingAbout:
    """How a recording came about.

    Attributes:
        machine: its name.
        formulation, reason: how the motion was computed, and why so.
        integrator: empty for formulations that bring their own.
        step: [s].
        steps: how many were made.
        wall: how long that took, reading what is recorded included [s].
        stepping: how long the steps alone took [s].
        start: energy at the start of the simulation [J].
        error: why it stopped early; empty if it did not.
        options: what a user asked for; anything that JSON can hold.
    """

    machine: str
    formulation: str
    reason: str
    integrator: str
    step: float
    steps: int = 0
    wall: float = 0.0
    stepping: float = 0.0
    start: float = 0.0
    error: str = ""
    options: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Recording:
    """What a simulation did: one row for each recorded moment.

    A drive is the length of a group of cylinders (that of its first member), or a joint with a
    motor or with limits. Forces are those of the step that ended at the moment; in the first row,
    those of the first step.

    Attributes:
        about: how it came about.
        time: since the start of the simulation [s], (n,).
        q, v: positions and velocities of the tree [rad, m, unit quaternions; rad/s, m/s], (n, nq)
            and (n, nv).
        q_names, v_names: what these are.
        q_units: "m", "rad", or "1" for parts of a quaternion.
        lengths: of all cylinders [m], (n, n_cylinders).
        speeds: of all cylinders [m/s], (n, n_cylinders).
        cylinders: their names.
        positions, rates: of the drives [m, rad; m/s, rad/s], (n, n_drives).
        forces: of the drives [N, N m], (n, n_drives).
        stops: -1 or 1 while a drive rests against its lower or upper stop, else 0, (n, n_drives).
        bounds: lower and upper end of the drives [m, rad], infinite where there is none,
            (n_drives, 2).
        drives: names of the groups, then of the joints.
        units: "m" or "rad", of their positions.
        first: position among the cylinders of each group's first one; -1 for joints, (n_drives,).
        motors: name of each joint's motor, empty where there is none; (n_drives,).
        commands: of the drives, such as "speed 0.05 m/s", at the end.
        energies: kinetic, potential and of springs [J], (n, 3).
        ledger: done by drives, dampers, external forces, stops and joints since the start of the
            simulation [J], (n, 5).
    """

    about: RecordingAbout
    time: Floats
    q: Floats
    v: Floats
    q_names: tuple[str, ...]
    v_names: tuple[str, ...]
    q_units: tuple[str, ...]
    lengths: Floats
    speeds: Floats
    cylinders: tuple[str, ...]
    positions: Floats
    rates: Floats
    forces: Floats
    stops: NDArray[np.int8]
    bounds: Floats
    drives: tuple[str, ...]
    units: tuple[str, ...]
    first: NDArray[np.int64]
    motors: tuple[str, ...]
    commands: tuple[str, ...]
    energies: Floats
    ledger: Floats

    @property
    def balance(self) -> Floats:
        """What the ledger does not explain of the energy's change since the start [J], (n,)."""
        total: Floats = self.energies.sum(axis=1) - self.about.start - self.ledger.sum(axis=1)
        return total

    @property
    def turnover(self) -> float:
        """The most energy that was on its way: stored since the first row, or exchanged [J]."""
        stored = np.abs(self.energies - [0.0, *self.energies[0, 1:]]).sum(axis=1)
        exchanged = np.abs(self.ledger - self.ledger[0]).sum(axis=1)
        both = np.maximum(stored, exchanged)
        return float(np.max(both[np.isfinite(both)], initial=0.0))

    @property
    def seconds(self) -> float:
        """Simulated time [s]."""
        return float(self.time[-1] - self.time[0])

    @property
    def real_time_factor(self) -> float:
        """Simulated seconds a second of wall time; 0 if no step was made."""
        return self.seconds / self.about.wall if self.about.wall > 0.0 else 0.0

    @property
    def pace(self) -> str:
        """The real-time factor for people."""
        factor = self.real_time_factor
        return f"{factor:,.0f}" if factor >= 100.0 else f"{factor:.3g}"

    def __len__(self) -> int:
        return len(self.time)

    def __repr__(self) -> str:
        return f"Recording({self.about.machine}: {self.seconds:g} s, {len(self)} rows)"

    def save(self, path: str | Path) -> Path:
        """Write it as compressed .npz; see `save_npz`."""
        return save_npz(self, path)

    @staticmethod
    def load(path: str | Path) -> Recording:
        """Read what `save` wrote; see `load_npz`."""
        return load_npz(path)

    def plot(self, path: str | Path) -> Path:
        """Draw lengths, speeds, forces and energies over time, as .png, .svg or .pdf.

        Raises:
            ExportError: another suffix, or a file that cannot be written.
            MissingExtraError: matplotlib is not installed.
        """
        from ..pictures import DrawnRun, draw_run

        about, driven = self.about, bool(self.cylinders) or any(self.motors)
        columns = [n for n, name in enumerate(self.q_names) if name in self.v_names]
        rates = [self.v_names.index(self.q_names[n]) for n in columns]
        how = f"{about.integrator}, " if about.integrator else ""
        run = DrawnRun(
            title=f"{about.machine}: simulated {self.seconds:g} s",
            facts=f"{about.formulation}   ·   {how}{about.steps:,} steps of "
            f"{1000 * about.step:g} ms   ·   {self.pace} times real time",
            problem=about.error,
            time=self.time,
            names=self.drives if driven else tuple(self.q_names[n] for n in columns),
            notes=self.commands if driven else ("",) * len(columns),
            units=self.units if driven else tuple(self.q_units[n] for n in columns),
            positions=self.positions if driven else self.q[:, columns],
            rates=self.rates if driven else self.v[:, rates],
            forces=self.forces if driven else np.zeros((len(self), len(columns))),
            stops=self.stops if driven else np.zeros((len(self), len(columns)), dtype=np.int8),
            bounds=self.bounds if driven else np.tile([-np.inf, np.inf], (len(columns), 1)),
            energies=dict(zip(ENERGIES, self.energies.T, strict=True)),
            works=dict(zip(LEDGER, self.ledger.T, strict=True)),
            balance=self.balance,
            turnover=self.turnover,
        )
        return draw_run(run, path)


class Recorder:
    """Runs a simulation and keeps what it does, a row every so often.

    What was recorded before an error is kept: see `recording`.

    Attributes:
        first_error: why not even the first step can be made, once `prepare` has tried; else None.
    """

    def __init__(
        self,
        simulation: Simulation,
        rate: float = RATE,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """Watch a simulation.

        Args:
            simulation: what will run; it may have run before.
            rate: rows a simulated second [Hz]; the nearest whole number of steps apart.
            options: to be kept with the recording, see `RecordingAbout`.

        Raises:
            StateError: a rate that is no positive number.
        """
        self.simulation = instance("simulation", simulation, Simulation, "a Simulation")
        hertz = number("rate", rate, least=SLOWEST, unit="Hz")
        self.every = max(1, round(1.0 / (hertz * simulation.step_size)))
        self._options = dict(mapping("options", options, "values"))
        self._start = simulation.energy().start
        self.first_error: DynamicsError | None = None
        self._tables: list[Floats] = []
        self._steps, self._wall, self._stepping, self._error = 0, 0.0, 0.0, ""
        model = simulation.model
        sizes = (
            1,
            model.tree.nq,
            model.tree.nv,
            len(model.rows),
            len(model.rows),
            len(ENERGIES),
            len(LEDGER),
        )
        self._ends = np.cumsum(sizes).tolist()

    def prepare(self) -> None:
        """Record the first row, if there is none yet; kernels are loaded, or compiled."""
        if not self._tables:
            table = np.zeros((1, self._ends[-1]))
            self._read(table[0], self._first_forces())
            self._tables.append(table)

    def run(self, seconds: float, progress: Progress | None = None) -> None:
        """Go on for so many seconds, as whole steps, and record; the last moment is recorded too.

        Args:
            seconds: of simulated time, more than half a step.
            progress: told now and then how many steps are done, of how many.

        Raises:
            StateError: no such time, or more rows than fit into memory.
            DynamicsError: the simulation cannot go on; its last state is recorded.
        """
        function("progress", progress)
        total = self.steps_in(seconds)
        self.prepare()
        table = np.zeros((-(-total // self.every) + 1, self._ends[-1]))
        self._tables.append(table[:0])
        begin, done, rows = time.perf_counter(), 0, 0
        try:
            while done < total:
                count = min(self.every - done % self.every, CHUNK, total - done)
                self._step(count)
                done += count
                if done % self.every == 0 or done == total:
                    self._read(table[rows])
                    rows += 1
                    self._tables[-1] = table[:rows]
                if progress is not None:
                    progress(done, total)
        except DynamicsError as error:
            self._error = str(error)
            if self.simulation.time > max(part[-1, 0] for part in self._tables if len(part)):
                try:
                    self._read(table[rows])
                    self._tables[-1] = table[: rows + 1]
                except DynamicsError:
                    pass  # the state before it cannot be read either
            raise
        finally:
            self._wall += time.perf_counter() - begin

    def steps_in(self, seconds: float) -> int:
        """Whole steps in so many seconds; StateError if there are none, or too many to record."""
        h = self.simulation.step_size
        total = round(min(_positive(seconds, "seconds", "s") / h, MOST_STEPS))
        if total < 1:
            raise StateError(f"seconds: found {seconds:g}, expected at least a step of {h:g} s")
        size = 8 * self._ends[-1] * (total // self.every + 2)
        if size > LARGEST:
            rows = total // self.every
            raise StateError(
                f"{rows:,} rows would take {size / 1e9:.0f} GB, expected at most "
                f"{LARGEST / 1e9:.0f}: record at a lower rate, or for a shorter time"
            )
        return total

    @property
    def recording(self) -> Recording:
        """Everything recorded so far; StateError if nothing is."""
        if not sum(len(table) for table in self._tables):
            raise StateError("nothing is recorded yet")
        simulation = self.simulation
        tree, rows = simulation.model.tree, simulation.model.rows
        table, q_units = np.concatenate(self._tables), _units(simulation)
        q, v, forces, stops, energies, ledger = (
            table[:, a:b].copy() for a, b in pairwise(self._ends)
        )
        drives = simulation._engine.drives
        about = RecordingAbout(
            simulation.machine.name, simulation.formulation, simulation.reason,
            simulation.integrator, simulation.step_size, self._steps, self._wall, self._stepping,
            self._start, self._error, self._options,
        )  # fmt: skip
        return Recording(
            about=about,
            time=table[:, 0].copy(),
            q=q,
            v=v,
            q_names=_names(simulation, positions=True),
            v_names=_names(simulation, positions=False),
            q_units=q_units,
            lengths=q[:, [cylinder.length_position for cylinder in tree.cylinders]],
            speeds=v[:, [cylinder.length_velocity for cylinder in tree.cylinders]],
            cylinders=tuple(actuator.name for actuator in simulation.machine.actuators),
            positions=q[:, [row.position for row in rows]],
            rates=v[:, [row.velocity for row in rows]],
            forces=forces,
            stops=stops.astype(np.int8),
            bounds=np.column_stack([drives.lower, drives.upper]),
            drives=tuple(row.name for row in rows),
            units=tuple(q_units[row.position] for row in rows),
            first=np.array([row.members[0] if row.members else -1 for row in rows], dtype=np.int64),
            motors=tuple(row.motor for row in rows),
            commands=tuple(
                _command(d, row, q_units[row.position]) for d, row in zip(drives, rows, strict=True)
            ),
            energies=energies,
            ledger=ledger,
        )

    def _step(self, count: int) -> None:
        """So many steps, their time taken; those before an error count."""
        before, begin = self.simulation.time, time.perf_counter()
        try:
            self.simulation.step(count)
        finally:
            self._stepping += time.perf_counter() - begin
            self._steps += round((self.simulation.time - before) / self.simulation.step_size)

    def _read(self, row_out: Floats, forces: Floats | None = None) -> None:
        """One row of the table."""
        simulation, energy = self.simulation, self.simulation.energy()
        if forces is None:
            forces = np.array(list(simulation.forces.values()))
        parts = (
            [simulation.time], simulation.q, simulation.v, forces,
            simulation._engine.drives.stop,
            [getattr(energy, name) for name in ENERGIES],
            [getattr(energy, name) for name in LEDGER],
        )  # fmt: skip
        row_out[:] = np.concatenate(parts)

    def _first_forces(self) -> Floats:
        """Forces of the first step, which is made and undone; NaN if it cannot be made."""
        saved = self.simulation.save()
        try:
            self.simulation.step(1)
            return np.array(list(self.simulation.forces.values()))
        except DynamicsError as error:
            self.first_error = error
            return np.full(len(self.simulation.model.rows), np.nan)
        finally:
            self.simulation.restore(saved)


def record(
    simulation: Simulation,
    seconds: float,
    rate: float = RATE,
    progress: Progress | None = None,
    options: Mapping[str, Any] | None = None,
) -> Recording:
    """Run a simulation and give what it did; see `Recorder` for the arguments.

    Use a `Recorder` to have also what was recorded before an error.

    Raises:
        StateError: a time or a rate that is none.
        DynamicsError: the simulation cannot go on.
    """
    recorder = Recorder(simulation, rate, options)
    recorder.run(seconds, progress)
    return recorder.recording


# ---------------------------------------------------------------------- files


def check_npz(path: str | Path) -> Path:
    """The path, if a recording can be written there; ExportError if not."""
    path = checks.path("path", path)
    if path.suffix.lower() != ".npz":
        raise ExportError(f"{path}: recordings are written as .npz")
    output_path(path)
    return path


def save_npz(recording: Recording, path: str | Path) -> Path:
    """Write a recording as compressed .npz, whole or not at all.

    The file holds the arrays under the names that `Recording` explains, names of energies and of
    the ledger's columns, `machine`, and `about` and `options` as JSON texts. NumPy reads it without
    pickles.

    Raises:
        ExportError: another suffix, or a file that cannot be written.
    """
    path = check_npz(path)
    arrays = {
        item.name: np.asarray(getattr(recording, item.name))
        for item in fields(Recording)
        if item.name != "about"
    }
    about = asdict(recording.about)
    try:
        options = json.dumps(about.pop("options"))
    except (TypeError, ValueError) as error:
        raise unwritable(path, error) from None
    file = io.BytesIO()
    np.savez_compressed(
        file,
        allow_pickle=False,
        **arrays,
        energy_names=np.array(ENERGIES),
        ledger_names=np.array(LEDGER),
        machine=np.array(recording.about.machine),
        about=np.array(json.dumps(about)),
        options=np.array(options),
    )
    write_file(path, file.getvalue())
    return path


def load_npz(path: str | Path) -> Recording:
    """Read what `save_npz` wrote.

    Raises:
        StateError: no such file, or one of something else.
    """
    path = checks.path("path", path)
    try:
        with open_plain(path) as opened, np.load(opened, allow_pickle=False) as file:
            about = RecordingAbout(
                **json.loads(str(file["about"])), options=json.loads(str(file["options"]))
            )
            values: dict[str, Any] = {
                item.name: file[item.name] for item in fields(Recording) if item.name != "about"
            }
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise StateError(f"{path}: cannot be read: {reason}") from None
    except (KeyError, ValueError, TypeError, AttributeError, EOFError, zipfile.BadZipFile):
        raise StateError(f"{path}: found no recording, expected a file by save_npz") from None
    for item in fields(Recording):
        if str(item.type).startswith("tuple"):
            values[item.name] = tuple(values[item.name].tolist())
    return Recording(about=about, **values)


# -------------------------------------------------------------------- helpers


def _positive(value: object, what: str, unit: str) -> float:
    return number(what, value, above=0.0, unit=unit)


def _names(simulation: Simulation, positions: bool) -> tuple[str, ...]:
    """Names of the tree's positions or velocities, in their order."""
    mechanism, tree = simulation.machine.mechanism, simulation.model.tree
    parts = mechanism.position_of_joint if positions else mechanism.velocity_of_joint
    names = []
    for joint, _ in sorted(parts.items(), key=lambda item: item[1].start):
        kind = simulation.machine.robot.joint(joint).kind
        endings = kind.position_names if positions else kind.velocity_names
        names += [f"{joint}.{ending}" if ending else joint for ending in endings]
    for actuator, cylinder in zip(simulation.machine.actuators, tree.cylinders, strict=True):
        tube = (".angle", ".tilt")[: len(cylinder.tube)]
        names += [actuator.name + suffix for suffix in (*tube, ".length")]
    return tuple(names)


def _units(simulation: Simulation) -> tuple[str, ...]:
    """Units of the tree's positions, in their order."""
    mechanism, tree = simulation.machine.mechanism, simulation.model.tree
    units: list[str] = []
    for joint, _ in sorted(mechanism.position_of_joint.items(), key=lambda item: item[1].start):
        units += simulation.machine.robot.joint(joint).kind.units
    for cylinder in tree.cylinders:
        units += [*(("rad",) * len(cylinder.tube)), "m"]
    return tuple(units)


def _command(drive: Record, row: Row, position_unit: str) -> str:
    """What a drive is told, such as "speed 0.05 m/s"; empty for joints that nothing drives."""
    if not row.members and not row.motor:
        return ""
    kind, value = KINDS[int(drive.mode)], f"{drive.value:g}"
    if row.members:
        unit = {"length": "m", "speed": "m/s", "force": "N"}.get(kind)
    else:
        kind = {"force": "torque", "length": "position"}.get(kind, kind)
        unit = {
            "position": position_unit,
            "speed": f"{position_unit}/s",
            "torque": "N" if position_unit == "m" else "N m",
        }.get(kind)
    return f"{kind} {value} {unit}" if unit else kind
