"""Scenes by name, and from files."""

from __future__ import annotations

import os
import warnings
from functools import cached_property
from importlib import resources
from pathlib import Path

from .. import checks
from ..description import error_of
from ..errors import HeadframeWarning, UnknownSceneError, suggest
from ..machine import LoadOptions, Machine, machines
from .reading import machine_file, read_scene
from .scene import Scene, Stand


class Staged:
    """A scene with the folder of its file, so that its machines can be loaded.

    Attributes:
        scene: what was read.
        folder: of the file.
    """

    def __init__(self, scene: Scene, folder: Path, options: LoadOptions | None = None) -> None:
        """Hold a scene; its machines are loaded, with these options, when first asked for."""
        self.scene = scene
        self.folder = folder
        self._options = options or LoadOptions()

    def __repr__(self) -> str:
        stands = [f"{stand.count} x {stand.machine}" for stand in self.scene.machines]
        return f"Staged({self.name}: {', '.join([self.scene.environment.kind, *stands])})"

    @property
    def name(self) -> str:
        """The scene's name."""
        return self.scene.name

    @cached_property
    def _loaded(self) -> dict[tuple[str, str | None], Machine]:
        return {}

    def source(self, stand: Stand) -> str:
        """What a stand's machine is loaded by: a name of the catalogue, or a path."""
        if stand.machine in machines():
            return stand.machine
        return str(machine_file(stand.machine, self.folder) or stand.machine)

    def machine(self, stand: Stand) -> Machine:
        """The machine of a stand, the same object for stands of one kind.

        Its base is as the stand says, where it says so.

        Raises:
            MachineFileError: its file can no longer be used.
        """
        source, base = self.source(stand), stand.base
        if (source, None) not in self._loaded:
            with warnings.catch_warnings():  # those who check the scene's file are told its notes
                warnings.simplefilter("ignore", HeadframeWarning)
                self._loaded[source, None] = self._options.load(source)
        if (source, base) not in self._loaded:
            known = self._loaded[source, None]
            robot = known.robot.model_copy(update={"base": base})
            counts = {kind: known.counts[kind] for kind in ("links", "joints")}
            self._loaded[source, base] = Machine(robot, known.folder, counts)
        return self._loaded[source, base]


def scenes() -> list[str]:
    """Names of the scenes of the catalogue."""
    return sorted(path.stem for path in _catalogue().glob("*.json"))


def load_scene(name_or_path: str | os.PathLike[str], options: LoadOptions | None = None) -> Staged:
    """Load a scene of the catalogue by name, or a scene file by path.

    Its machines are loaded with these options.

    Raises:
        UnknownSceneError: neither a name of the catalogue nor a file.
        MachineFileError: a file with something wrong in it; of the subclass of the first problem.
    """
    path = find_scene(name_or_path)
    reading = read_scene(path)
    if reading.scene is None:
        raise error_of(reading.problems, os.fspath(name_or_path))
    return Staged(reading.scene, path.parent, options)


def find_scene(name_or_path: str | os.PathLike[str]) -> Path:
    """The file of a scene of the catalogue or of a path."""
    checks.path("name_or_path", name_or_path)
    text = os.fspath(name_or_path)
    if text in scenes():
        return _catalogue() / f"{text}.json"
    path = Path(text)
    try:
        if text and path.is_file():
            return path
    except (OSError, ValueError):
        pass
    looks_like_file = path.suffix.lower() == ".json" or "/" in text
    what = "there is no such file" if looks_like_file else "neither a scene nor a scene file"
    hint = "" if looks_like_file else f"; {suggest(text, scenes())}"
    raise UnknownSceneError(f"{text}: {what}{hint}")


def _catalogue() -> Path:
    return Path(str(resources.files("headframe"))) / "scenes"
