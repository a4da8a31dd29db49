"""A machine and the 3DT file that its description names: which bodies belong to which link."""

from __future__ import annotations

from pathlib import Path

from ...errors import NameUnknownError, Problem, suggest
from ..bodies import check_file
from ..jsonc import Findings, shown
from ..model import Robot
from .model import Body, Model
from .reading import ModelReading, model_from, read_model

MODEL_SUFFIX = ".3dt"


def read_for(robot: Robot, folder: Path) -> ModelReading:
    """Read the 3DT file that a robot names, and check that its links are the robot's.

    The problems' places begin with the file's name.
    """
    name, found = robot.geometry_file or "", Findings()
    check_file(name, (MODEL_SUFFIX,), folder, ("geometry_file",), found)
    if found.problems:
        return ModelReading(None, found.placed()[0])
    reading = read_model(folder / name)
    problems = list(reading.problems)
    if reading.model is not None:
        for line, body in zip(reading.lines, reading.model.bodies, strict=True):
            if body.link not in robot.link_index:
                message = f"body {shown(body.name)} names {shown(body.link)}, which is no link of "
                message += robot.name
                hint = suggest(body.link, robot.link_index)
                problems.append(Problem(NameUnknownError, "", message, hint, line))
    placed = [
        Problem(
            problem.kind,
            " / ".join(filter(None, (name, problem.place))),
            problem.message,
            problem.hint,
            problem.line,
            problem.column,
        )
        for problem in problems
    ]
    return ModelReading(None if problems else reading.model, placed, reading.lines)


def bodies_by_link(robot: Robot, folder: str | Path | None) -> dict[str, tuple[Body, ...]]:
    """The bodies of every link that the robot's 3DT file covers; none without file or folder.

    Raises:
        MachineFileError: the file has something wrong in it; of the first problem's class.
    """
    if robot.geometry_file is None or folder is None:
        return {}
    return grouped(model_from(read_for(robot, Path(folder)), robot.name))


def grouped(model: Model) -> dict[str, tuple[Body, ...]]:
    """The bodies of every link that has any."""
    groups: dict[str, list[Body]] = {}
    for body in model.bodies:
        groups.setdefault(body.link, []).append(body)
    return {link: tuple(bodies) for link, bodies in groups.items()}
