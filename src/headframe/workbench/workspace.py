"""The study "workspace": where a point of a link can get, and what ends its reach.

It leaves these files:

- ``cloud.bin``: little-endian; n points in the world [m], three float32 each, then n bytes: the end
  that is nearest to each, as numbered in the legend, 255 for none.
- ``surface.bin``: little-endian; v points, three float32 each, then v bytes: the end that limits
  each; zeros up to a multiple of four bytes; then t triangles, three uint32 each, and m lines, two
  uint32 each: positions of points. How it is found is told in `headframe.workbench.surface`.
- ``workspace.npz``: as `Workspace.save` writes it.
- ``workspace.glb``: cloud and surface with colours at their vertices.

The study "workspace_picture" draws the last of them: ``workspace.png``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import ConfigDict, Field

from ..description import write_file
from ..errors import StateError
from ..mechanism import Ints
from ..pictures import NO_COLOR, color_of
from ..planning import SIZE_UNITS, Workspace, workspace
from .image import NO_END, Image
from .reach_files import cloud_bytes, glb_bytes, surface_bytes
from .study import Bench, StudyOutcome
from .surface import ReachSurface, surface_of

FEWEST, MOST = 100, 500_000  # samples
SAMPLING = 0.7  # part of the work that sampling is

Coordinate = Annotated[float, Field(allow_inf_nan=False, ge=-1000.0, le=1000.0)]
Point = tuple[Coordinate, Coordinate, Coordinate]


@dataclass(frozen=True, slots=True)
class WorkspaceRequest:
    """What is asked for.

    Attributes:
        link: name of a main link.
        point: the point of the link that is followed, in its axes [m].
        samples: how many.
        seed: of the samples: the same ones every time.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    link: Annotated[str, Field(max_length=200)]
    point: Point = (0.0, 0.0, 0.0)
    samples: Annotated[int, Field(ge=FEWEST, le=MOST)] = 50_000
    seed: Annotated[int, Field(ge=0, le=2**32 - 1)] = 0


def study_workspace(bench: Bench, request: WorkspaceRequest) -> StudyOutcome:
    """Sample where the point gets, find the boundary, and write files.

    Raises:
        UnknownElementError: no main link of that name.
        StateError: no cylinder moves the link.
    """
    kinematics, folder, progress = bench.machine.kinematics, bench.folder, bench.progress

    def sampled(done: int, of: int) -> None:
        progress(SAMPLING * done / of, "samples")

    cloud = workspace(
        kinematics, request.link, request.samples, request.seed, start=bench.state,
        point=request.point, progress=sampled,
    )  # fmt: skip
    image = Image(kinematics, cloud, lambda: progress(SAMPLING, "boundary"))
    surface = surface_of(image)
    nearest = image.nearest_ends(image.cloud_strokes)
    progress(0.85, "files")
    legend = _legend(cloud, nearest, surface.ends)
    colors = {entry["end"]: entry["color"] for entry in legend}
    write_file(folder / "cloud.bin", cloud_bytes(cloud.points, nearest))
    write_file(folder / "surface.bin", surface_bytes(surface))
    write_file(folder / "workspace.glb", glb_bytes(cloud, nearest, surface, colors))
    cloud.save(folder / "workspace.npz")
    _last.clear()
    _last[bench.number] = cloud
    files = ("cloud.bin", "surface.bin", "workspace.glb", "workspace.npz")
    return StudyOutcome(_facts(cloud, image, surface, legend), files)


@dataclass(frozen=True, slots=True)
class PictureRequest:
    """The drawing of a workspace, which takes longer than to find it.

    Attributes:
        of: number of the study that found it.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    of: Annotated[int, Field(ge=0, le=2**53)]


def draw_workspace(bench: Bench, request: PictureRequest) -> StudyOutcome:
    """Draw the last workspace.

    Raises:
        StateError: it is gone.
        MissingExtraError: a computer without matplotlib.
    """
    if request.of not in _last:
        raise StateError(f"workspace {request.of} is gone: compute it again")
    bench.progress(0.1, "picture")
    _last[request.of].save(bench.folder / "workspace.png", bench.machine.folder)
    return StudyOutcome({}, ("workspace.png",))


_last: dict[int, Workspace] = {}  # by the number of its study


def _facts(
    cloud: Workspace, image: Image, surface: ReachSurface, legend: list[dict[str, Any]]
) -> dict[str, Any]:
    low, high = cloud.box
    return {
        "machine": cloud.state.mechanism.robot.name,
        "link": cloud.link,
        "point": cloud.point.tolist(),
        "samples": len(cloud),
        "missing": cloud.missing,
        "groups": list(cloud.inputs),
        "dimension": image.dimension,
        "size": cloud.size,
        "measure": surface.measure,
        "unit": SIZE_UNITS.get(image.dimension, ""),
        "box": [low.tolist(), high.tolist()],
        "surface": {
            "method": surface.method,
            "vertices": len(surface.vertices),
            "triangles": len(surface.triangles),
            "lines": len(surface.lines),
        },
        "legend": legend,
    }


def _legend(cloud: Workspace, nearest: Ints, limiting: Ints) -> list[dict[str, Any]]:
    """The ends that occur: number, group, first cylinder or servo, which end, where, its colour."""
    entries = []
    for end in np.unique(np.concatenate([nearest, limiting])).tolist():
        if end == NO_END:
            entries.append({"end": end, "group": "", "cylinder": "", "color": NO_COLOR})
            continue
        group, upper = divmod(end, 2)
        each = cloud.moved_by[group]
        entries.append(
            {
                "end": end,
                "group": each.name,
                "cylinder": each.element,
                "servo": bool(each.joint),
                "unit": each.unit,
                "upper": bool(upper),
                "length": float(cloud.ends[upper, group]),
                "color": color_of(end),
            }
        )
    return entries
