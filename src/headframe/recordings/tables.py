"""Recordings as tables: a row for each tick, columns with names and units."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..description import output_path, unwritable
from ..errors import ExportError, MissingExtraError
from ..protocol import Flags
from .about import About
from .layout import ENERGY_NAMES, POSE_NAMES
from .reading import RecordedRun

ROWS = 3600  # at a time: a minute
TIME = "time [s]"
ENERGY_TITLES = dict(
    zip(
        ENERGY_NAMES,
        ("kinetic energy", "potential energy", "work of drives", "unaccounted energy"),
        strict=True,
    )
)


@dataclass(frozen=True)
class Column:
    """A column: its title with the unit, and its values from frames."""

    title: str
    values: Callable[[NDArray[Any]], NDArray[Any]]


@dataclass(frozen=True)
class Exported:
    """What was written: rows, columns, seconds from the first row to the last."""

    rows: int
    columns: int
    seconds: float


def export_run(run: RecordedRun, path: str | Path, poses: bool = False) -> Exported:
    """Write a recording as a table; the file appears whole or not at all.

    Numbers are told with as many digits as they need to be read back exactly.

    Args:
        run: what `open_run` gives; its `end` is known afterwards.
        path: file to write; its suffix tells the format.
        poses: also the pose of every link and every loose body.

    Raises:
        ExportError: another suffix, or a file that cannot be written.
        MissingExtraError: pyarrow is not installed, which .parquet needs.
        RecordingError: the recording cannot be read any more.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in TABLE_WRITERS:
        raise ExportError(f"{path}: suffix {suffix!r} is none of {', '.join(TABLE_WRITERS)}")
    columns = columns_of(run.about, poses)
    rows, seconds = 0, 0.0
    with _draft(path) as draft, TABLE_WRITERS[suffix](draft, columns, run) as add:
        for times, frames in _pieces(run):
            add([times, *(column.values(frames) for column in columns)])
            rows, seconds = rows + len(times), float(times[-1])
    return Exported(rows, 1 + len(columns), seconds)


def columns_of(about: About, poses: bool = False) -> list[Column]:
    """All columns but the time since the start."""
    machine = about.machine

    def single(name: str) -> Callable[[NDArray[Any]], NDArray[Any]]:
        return lambda frames: frames[name]

    def part(name: str, *at: int) -> Callable[[NDArray[Any]], NDArray[Any]]:
        index: Any = (slice(None), *at)
        return lambda frames: frames[name][index]

    def flag(which: Flags) -> Callable[[NDArray[Any]], NDArray[Any]]:
        return lambda frames: (frames["flags"] & int(which)) != 0

    found = [Column("simulated time [s]", single("time"))]
    for field, what, unit in (
        ("lengths", "length", "m"),
        ("speeds", "speed", "m/s"),
        ("forces", "force", "N"),
    ):
        found += [
            Column(f"{cylinder.name} {what} [{unit}]", part(field, n))
            for n, cylinder in enumerate(machine.cylinders)
        ]
    slides = {joint.name for joint in machine.joints if not joint.turns}
    for n, motor in enumerate(machine.motors):
        units = ("m/s", "force [N]") if motor.joint in slides else ("rad/s", "torque [N m]")
        found.append(Column(f"{motor.name} speed [{units[0]}]", part("motor_values", n, 0)))
        found.append(Column(f"{motor.name} {units[1]}", part("motor_values", n, 1)))
    found += [
        Column(f"{joint.name} position [{'rad' if joint.turns else 'm'}]", part("joint_values", n))
        for n, joint in enumerate(machine.joints)
    ]
    found += [
        Column(f"{title} [J]", part("energy", n)) for n, title in enumerate(ENERGY_TITLES.values())
    ]
    found += [
        Column("step time [s]", single("step_time")),
        Column("tick time [s]", single("tick_time")),
        Column("overruns [1]", single("overruns")),
    ]
    found += [Column(f"{which.name.lower()} [1]", flag(which)) for which in Flags if which.name]
    if poses:
        found += [
            Column(f"{link} {axis} [{'m' if len(axis) == 1 else '1'}]", part("poses", n, k))
            for n, link in enumerate(machine.links)
            for k, axis in enumerate(POSE_NAMES)
        ]
        found += [  # after the number of each
            Column(f"{body} {axis} [{'m' if len(axis) == 1 else '1'}]", part("body_values", n, k))
            for n, body in enumerate(about.bodies)
            for k, axis in enumerate(POSE_NAMES, 1)
        ]
    return found


def _pieces(run: RecordedRun) -> Iterator[tuple[NDArray[np.float64], NDArray[Any]]]:
    """Seconds since the start and frames, so many at a time."""
    first = -1
    times: list[int] = []
    frames = bytearray()
    for nanoseconds, frame in run.frames():
        first = nanoseconds if first < 0 else first
        times.append(nanoseconds - first)
        frames += frame
        if len(times) == ROWS:
            yield np.array(times) * 1e-9, np.frombuffer(bytes(frames), run.type)
            times.clear()
            frames.clear()
    if times:
        yield np.array(times) * 1e-9, np.frombuffer(bytes(frames), run.type)


@contextmanager
def _draft(path: str | Path) -> Iterator[Path]:
    """A file beside the one to be written, which takes its place when all is done."""
    target = output_path(path)
    draft = target.with_name(target.name + ".part")
    try:
        yield draft
        draft.replace(target)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        draft.unlink(missing_ok=True)


Add = Callable[[Sequence[NDArray[Any]]], None]


@contextmanager
def _csv(path: Path, columns: list[Column], _run: RecordedRun) -> Iterator[Add]:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([TIME, *(column.title for column in columns)])

        def add(values: Sequence[NDArray[Any]]) -> None:
            writer.writerows(zip(*map(_texts, values), strict=True))

        yield add


def _texts(values: NDArray[Any]) -> list[str]:
    """Numbers as texts of the fewest digits that tell them; true and false as 1 and 0."""
    plain = values.astype(np.uint8) if values.dtype == bool else values
    texts: list[str] = plain.astype(str).tolist()
    return texts


@contextmanager
def _parquet(path: Path, columns: list[Column], run: RecordedRun) -> Iterator[Add]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingExtraError("writing .parquet", "pyarrow", "parquet") from None
    nothing = np.zeros(0, run.type)
    kinds = {TIME: np.dtype(np.float64)}
    kinds |= {column.title: column.values(nothing).dtype for column in columns}
    schema = pyarrow.schema(
        [pyarrow.field(title, pyarrow.from_numpy_dtype(kind)) for title, kind in kinds.items()],
        metadata=run.about.record(),
    )
    with pyarrow.parquet.ParquetWriter(path, schema) as writer:

        def add(values: Sequence[NDArray[Any]]) -> None:
            arrays = [np.ascontiguousarray(each) for each in values]
            writer.write_table(pyarrow.table(arrays, schema=schema))

        yield add


# formats of tables by the file's suffix: the one list of them
TABLE_WRITERS: dict[
    str, Callable[[Path, list[Column], RecordedRun], AbstractContextManager[Add]]
] = {
    ".csv": _csv,
    ".parquet": _parquet,
}
