"""What the commands check, info and convert do with 3DT files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import printed
from .common import cell, lines

if TYPE_CHECKING:
    from rich.console import RenderableType

CONVERTED = (".3dt", ".obj", ".glb", ".gltf")


def takes(name: str) -> bool:
    """Whether a name on the command line is that of a 3DT file."""
    return Path(name).suffix.lower() == ".3dt"


def converts(name: str) -> bool:
    """Whether a name is that of a model: 3DT, or a format that 3DT is converted from."""
    return Path(name).suffix.lower() in CONVERTED


def check(name: str) -> bool:
    """Print every problem of a 3DT file, or what is in it; whether it has none."""
    from ..description import read_model
    from ..topology import counted

    reading = read_model(name)
    for problem in reading.problems:
        print(f"{name}: {lines(str(problem))}")
    if reading.model is None:
        count = len(reading.problems)
        print(f"{name}: {count} problem{'s' if count > 1 else ''}")
        return False
    print(f"{name}: ok: {printed(reading.model.name)}, {counted(reading.model.counts)}")
    return True


def convert(name: str, output: Path) -> None:
    """Write a model in the format that the suffix of `output` tells, and say so.

    Raises:
        MachineFileError: something is wrong with the model.
        ExportError: a suffix that is not known, or a file that cannot be written.
    """
    from ..description import model_from
    from ..export import read_any_model, write_model

    model = model_from(read_any_model(name), name)
    for path in write_model(model, output):
        print(f"{path}: {printed(model.name)}")


def summary(name: str) -> RenderableType:
    """Counts of a 3DT file, and of each of its components.

    Raises:
        MachineFileError: something is wrong with the file.
    """
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from ..description import model_from, read_model

    model = model_from(read_model(name), name)
    head = Table.grid(padding=(0, 2))
    facts = {key: f"{count:,}" for key, count in model.counts.items()}
    for key, value in {**facts, **model.attributes}.items():
        head.add_row(cell(key, "dim"), cell(value))
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in ("component", "links", ">bodies", ">vertices", ">triangles"):
        right = column.startswith(">")
        table.add_column(column.lstrip(">"), justify="right" if right else "left")
    for component in model.components:
        bodies = component.bodies
        table.add_row(
            cell(component.name),
            cell(", ".join(dict.fromkeys(body.link for body in bodies))),
            f"{len(bodies):,}",
            f"{sum(len(body.vertices) for body in bodies):,}",
            f"{sum(len(body.triangles) for body in bodies):,}",
        )
    return Group(cell(model.name, "bold"), head, Text(), table)
