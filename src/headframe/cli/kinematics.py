"""Commands that solve: fk, ik, workspace and trajectory."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import (
    MachineArgument,
    PackageOption,
    StrictOption,
    lines,
    plain_errors,
    progressing,
)
from .common import loaded as loaded_machine

if TYPE_CHECKING:
    from ..machine import Machine
    from ..mechanism import Floats
    from ..planning import Serpentine

Three = tuple[float, float, float]
Six = tuple[float, float, float, float, float, float]

SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Length in m of an actuator or of a group of redundant ones, or position of a servo "
        "or its joint in rad (m of a slide); can be given again.",
    ),
]
LinkOption = Annotated[str | None, typer.Option("--link", help="The end effector if not given.")]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of tables: SI units and radians.")
]


def register(app: typer.Typer) -> None:
    """Add the commands to an application."""
    for command in (fk, ik, workspace, trajectory):
        app.command()(command)


def fk(
    machine: MachineArgument,
    set_: SetOption = None,
    link: Annotated[
        list[str] | None,
        typer.Option("--link", help="A link whose pose is wanted too; can be given again."),
    ] = None,
    method: Annotated[
        str, typer.Option(help="exact, continuation, or paper (one actuator after the other).")
    ] = "exact",
    as_json: JsonOption = False,
    package: PackageOption = None,
    strict: StrictOption = False,
) -> None:
    """Forward kinematics: where everything is for given lengths of cylinders, positions of servos.

    What is not set stays as at home; redundant partners follow.
    """
    from .answers import state_json, state_text
    from .show import console, working

    with plain_errors():
        lengths = settings(set_ or [])
        with working(f"solving {machine}"):
            loaded = loaded_machine(machine, package, strict)
            state = loaded.fk(lengths, method=method)
            ends = [loaded.robot.end_effector] if loaded.robot.end_effector else []
            links = list(dict.fromkeys([*ends, *(link or [])]))
            for name in links:
                state.pose(name)  # complains about unknown ones
        if as_json:
            print(state_json(loaded, state, links))
        else:
            console.print(state_text(loaded, state, links))


def ik(
    machine: MachineArgument,
    position: Annotated[
        Three, typer.Option(metavar="X Y Z", help="Where the link's origin shall be, in m.")
    ],
    link: LinkOption = None,
    rpy: Annotated[
        Three | None,
        typer.Option(metavar="R P Y", help="Roll, pitch, yaw in degrees; free if not given."),
    ] = None,
    free_orientation: Annotated[
        bool, typer.Option("--free-orientation", help="Say so: the orientation is free.")
    ] = False,
    weights: Annotated[
        Six | None,
        typer.Option(
            metavar="W W W W W W",
            help="Of the errors about and along the link's axes, angular ones first.",
        ),
    ] = None,
    set_: SetOption = None,
    method: Annotated[
        str, typer.Option(help="newton, or a method that it is compared with.")
    ] = "newton",
    as_json: JsonOption = False,
    package: PackageOption = None,
    strict: StrictOption = False,
) -> None:
    """Inverse kinematics: lengths and positions that bring a link to a place, or near to it.

    The search starts at home, or where --set tells; drives that do not move the link stay.
    """
    from math import radians

    from ..errors import StateError
    from ..spatial import pose
    from .answers import ik_json, ik_text
    from .show import console, working

    with plain_errors():
        if rpy is not None and free_orientation:
            raise StateError("found --rpy and --free-orientation, expected one of them")
        free = rpy is None
        lengths = settings(set_ or [])
        with working(f"solving {machine}"):
            loaded = loaded_machine(machine, package, strict)
            name = link or end_effector(loaded)
            target = pose(position, [radians(angle) for angle in rpy or (0.0, 0.0, 0.0)])
            start = loaded.fk(lengths) if lengths else loaded.home
            mask = (0, 0, 0, 1, 1, 1) if free else None
            loaded.kinematics.inverse_solver(name)  # not a part of the time
            seconds = 0.0
            for _ in range(2):  # the first time kernels load, which does not count
                begin = time.perf_counter()
                result = loaded.ik(name, target, start, weights, mask, method)
                seconds = time.perf_counter() - begin
                if seconds > 1.0 and method != "newton":
                    break  # slow by itself
        if as_json:
            print(ik_json(loaded, result, free, seconds))
        else:
            console.print(ik_text(loaded, result, free, seconds))


def workspace(
    machine: MachineArgument,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="File to write: points .npz, picture .png.")
    ],
    link: LinkOption = None,
    samples: Annotated[int, typer.Option(min=2, help="How many.")] = 100_000,
    seed: Annotated[int, typer.Option(min=0, help="Of the random samples.")] = 0,
    grid: Annotated[
        bool, typer.Option("--grid", help="Evenly spaced lengths instead of random ones.")
    ] = False,
    point: Annotated[
        Three,
        typer.Option(metavar="X Y Z", help="Point that is followed, in the link's axes, in m."),
    ] = (0.0, 0.0, 0.0),
    package: PackageOption = None,
    strict: StrictOption = False,
) -> None:
    """Sample where a link can get, and draw it with the drives that end its reach."""
    from ..planning import check_cloud_file
    from ..planning import workspace as sample
    from .answers import workspace_text
    from .show import console, working

    with plain_errors():
        check_cloud_file(output)
        with working(f"preparing {machine}"):
            loaded = loaded_machine(machine, package, strict)
            name = link or end_effector(loaded)
            kinematics = loaded.kinematics
        with progressing(f"sampling {name} of {loaded.name}") as tell:
            method = "grid" if grid else "random"
            cloud = sample(kinematics, name, samples, seed, method, point=point, progress=tell)
        with working(f"writing {output}"):
            cloud.save(output, loaded.folder)
        console.print(workspace_text(cloud))
        print(f"{output}: {len(cloud):,} points")


def trajectory(
    machine: MachineArgument,
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write: .csv or .json.")],
    via: Annotated[
        Path | None, typer.Argument(metavar="VIA.json", help="A file of via points.")
    ] = None,
    serpentine: Annotated[
        Three | None,
        typer.Option(
            metavar="WIDTH WALL RISE",
            help="Instead of a file: cut an arched cross-section row by row, in m.",
        ),
    ] = None,
    depth: Annotated[
        float | None,
        typer.Option(help="Of the cut, ahead, in m; where the link is at home if not given."),
    ] = None,
    diameter: Annotated[float, typer.Option(help="Of the cutting head, in m.")] = 1.0,
    overlap: Annotated[float, typer.Option(help="Of two rows, as a part of the diameter.")] = 0.2,
    margin: Annotated[float, typer.Option(help="From the head to the profile, in m.")] = 0.05,
    floor: Annotated[float, typer.Option(help="Height of the profile's floor, in m.")] = 0.0,
    plot: Annotated[Path | None, typer.Option(help="Picture to write (.png).")] = None,
    link: Annotated[
        str | None, typer.Option(help="The file's link, or the end effector, if not given.")
    ] = None,
    from_home: Annotated[
        bool, typer.Option("--from-home", help="Begin at home, not at the first via point.")
    ] = False,
    closest: Annotated[
        bool, typer.Option("--closest", help="Pass via points out of reach as near as can be.")
    ] = False,
    step: Annotated[float, typer.Option(help="Between samples of the curve, in m.")] = 0.01,
    interval: Annotated[float, typer.Option(help="Between rows of the file, in s.")] = 0.02,
    link_speed: Annotated[
        float | None, typer.Option(help="Limit of the speed of the link's origin, in m/s.")
    ] = None,
    package: PackageOption = None,
    strict: StrictOption = False,
) -> None:
    """Lead a link through via points, from rest to rest, as fast as its drives allow.

    The via points come from a file, or from --serpentine.
    """
    from ..errors import StateError
    from ..planning import ViaFile, check_plan_file, read_via_file
    from ..planning import trajectory as plan
    from .answers import serpentine_text, trajectory_notes, trajectory_text
    from .show import console, working

    with plain_errors():
        check_plan_file(output)
        if plot is not None:
            from ..pictures import checked_path

            checked_path(plot)
        if (via is None) == (serpentine is None):
            found = "neither" if via is None else "both"
            raise StateError(f"found {found}, expected a file of via points or --serpentine")
        file = ViaFile(None, ()) if via is None else read_via_file(via)
        with working(f"preparing {machine}"):
            loaded = loaded_machine(machine, package, strict)
            name = link or file.link or end_effector(loaded)
            kinematics = loaded.kinematics
        if serpentine is not None:
            with working("laying the rows of the cut"):
                way, points = cut(loaded, name, serpentine, depth, diameter, overlap, margin, floor)
                file = ViaFile(name, points)
            console.print(serpentine_text(way))
        start = loaded.home if from_home else None
        with progressing(f"solving the way of {name} of {loaded.name}") as tell:
            motion = plan(
                kinematics, name, file.points, start, None, step, interval, link_speed, closest,
                tell,
            )  # fmt: skip
        motion.save(output)
        if plot is not None:
            with working(f"drawing {plot}"):
                motion.plot(plot, loaded.folder)
        console.print(trajectory_text(motion))
        for note in trajectory_notes(motion):
            print(f"note: {lines(note)}", file=sys.stderr)
        print(f"{output}: {len(motion):,} rows")
        if plot is not None:
            print(f"{plot}: picture")


def cut(
    machine: Machine,
    link: str,
    shape: Three,
    depth: float | None,
    diameter: float,
    overlap: float,
    margin: float,
    floor: float,
) -> tuple[Serpentine, tuple[Floats, ...]]:
    """The serpentine over an arched cross-section, and its via points."""
    from ..planning import arched, serpentine

    ahead = float(machine.home.pose(link)[0, 3]) if depth is None else depth
    way = serpentine(
        machine.kinematics, link, arched(*shape), ahead, diameter, overlap, margin, floor
    )
    return way, tuple(way.positions(ahead, floor, up=machine.robot.up))


def settings(texts: list[str]) -> dict[str, float]:
    """Lengths and positions by name from texts such as boom=1.5; StateError for any other."""
    from ..errors import StateError

    lengths: dict[str, float] = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        try:
            length = float(value)
        except ValueError:
            sign = ""
        if not sign or not name.strip():
            raise StateError(f"--set: found {text!r}, expected NAME=VALUE, such as boom=1.5 [m]")
        if name.strip() in lengths:
            raise StateError(f"--set: found {name.strip()!r} twice, expected it once")
        lengths[name.strip()] = length
    return lengths


def end_effector(machine: Machine) -> str:
    """The machine's end effector; StateError if its file names none."""
    from ..errors import StateError

    if machine.robot.end_effector is None:
        raise StateError(f"{machine.name}: its file names no end effector, expected --link")
    return machine.robot.end_effector
