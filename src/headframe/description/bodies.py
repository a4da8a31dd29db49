"""Masses and shapes that a body can have, and meshes that a machine file may use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path as FilePath

import numpy as np

from ..errors import FileTooLargeError, InertiaError, MassError, MeshError, ValueRangeError
from .geometry import ChainLink, Geometry, Hull, Mesh, Torus
from .jsonc import Findings, Path
from .mesh_files import MESH_SUFFIXES
from .model import Inertial, Link

LARGEST_MESH = 64 * 2**20  # bytes
THINNEST = 1e-6  # of a hull, as part of its extent


def check_inertial(inertial: Inertial, path: Path, outcome: Findings) -> None:
    """Mass must be positive; principal moments must satisfy the triangle inequality."""
    if inertial.mass <= 0.0:
        outcome.complain(
            MassError, (*path, "mass"), f"found {inertial.mass:g}, expected a mass of more than 0"
        )
    size = max(abs(value) for row in inertial.inertia for value in row)
    inertia = np.array(inertial.inertia) / (size or 1.0)
    if np.abs(inertia - inertia.T).max() > 1e-9:
        message = "found a matrix that is not symmetric, expected a symmetric one"
        outcome.complain(InertiaError, (*path, "inertia"), message)
        return
    moments = np.linalg.eigvalsh(inertia)
    listed = ", ".join(f"{moment * size:g}" for moment in moments)
    if moments[0] < -1e-9:
        message = f"found principal moments {listed}, expected none below 0"
        outcome.complain(InertiaError, (*path, "inertia"), message)
    elif moments[0] + moments[1] < moments[2] - 1e-9:
        outcome.complain(
            InertiaError,
            (*path, "inertia"),
            f"found principal moments {listed}, expected the two smaller to add up to at least the "
            "largest (triangle inequality)",
        )


def check_shapes(i: int, link: Link, folder: FilePath | None, outcome: Findings) -> None:
    """Check what takes more than one measure of a link's shapes to judge, and their meshes."""
    for key, shapes in (("visual", link.visuals), ("collision", link.collision)):
        for k, shape in enumerate(shapes):
            check_geometry(shape.geometry, ("links", i, key, k, "geometry"), folder, outcome)


def check_geometry(
    geometry: Geometry, path: Path, folder: FilePath | None, outcome: Findings
) -> None:
    """A mesh has its file, a bent bar a hole, a hull a volume."""
    if isinstance(geometry, Mesh):
        check_file(geometry.path, MESH_SUFFIXES, folder, (*path, "path"), outcome)
    elif isinstance(geometry, Torus | ChainLink) and geometry.r >= geometry.R:
        message = f"found {geometry.r:g}, expected less than R, which is {geometry.R:g}"
        outcome.complain(ValueRangeError, (*path, "r"), message)
    elif isinstance(geometry, Hull) and (thick := thickness(geometry)) < THINNEST:
        message = f"found points {thick:.3g} of their extent thick, expected a body with a volume"
        hint = "four of its points must not lie in one plane"
        outcome.complain(ValueRangeError, (*path, "points"), message, hint)


def thickness(hull: Hull) -> float:
    """How thick a cloud of points is where it is thinnest, as part of its extent."""
    points = np.array(hull.points)
    largest = np.abs(points).max() or 1.0
    spread = np.linalg.svd((points - points.mean(axis=0)) / largest, compute_uv=False)
    return float(spread[2] / spread[0]) if spread[0] > 0.0 else 0.0


def check_file(
    name: str, suffixes: Sequence[str], folder: FilePath | None, path: Path, outcome: Findings
) -> None:
    """A mesh or 3DT file must be of a known kind, inside the machine file's folder."""
    outside = f"found {name!r}, expected a file inside the machine file's folder"
    if any(sign in name for sign in "\0:\\") or FilePath(name).is_absolute():
        outcome.complain(MeshError, path, f"found {name!r}, expected a relative path with '/'")
        return
    depth = 0
    for part in name.split("/"):
        depth += -1 if part == ".." else 0 if part in ("", ".") else 1
        if depth < 0:
            outcome.complain(MeshError, path, outside)
            return
    if FilePath(name).suffix.lower() not in suffixes:
        message = f"found {name!r}, expected a file of {', '.join(suffixes)}"
        outcome.complain(MeshError, path, message)
        return
    if folder is None:
        return
    file = folder / name
    try:
        if not file.resolve().is_relative_to(folder.resolve()):
            outcome.complain(MeshError, path, outside)
        elif not file.is_file():
            outcome.complain(MeshError, path, f"there is no file {name!r}")
        elif (size := file.stat().st_size) > LARGEST_MESH:
            message = f"found {name!r} of {size / 2**20:.1f} MiB, expected at most 64 MiB"
            outcome.complain(FileTooLargeError, path, message)
    except (OSError, RuntimeError) as error:  # RuntimeError: symbolic links in a circle
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        outcome.complain(MeshError, path, f"{name!r} cannot be read: {reason}")
