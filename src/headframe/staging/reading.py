"""From a file to a scene, or to the list of everything that is wrong with the file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any

import numpy as np

from ..description import SCENE_KEY as KEY
from ..description import Element, Findings, Path, decoded, parse, read_element, read_limited, shown
from ..errors import (
    DuplicateNameError,
    MissingFieldError,
    NameUnknownError,
    NotJsonError,
    NotReadableError,
    Problem,
    TooManyElementsError,
    ValueRangeError,
    WrongTypeError,
    suggest,
)
from ..machine import examine, machines
from .scene import (
    ENVIRONMENTS,
    FARTHEST,
    MOST_STANDS,
    MOST_UNITS,
    VERSION,
    Placement,
    Scene,
    Stand,
    Tunnel,
)
from .things import Things

LARGEST_SCENE = 2**20  # bytes
SUFFIXES = (".json", ".mrdf", ".urdf", ".xml", ".mjcf")
SHOWN = 5  # problems of a stand's machine file that are told


@dataclass
class SceneReading:
    """What came of reading a file: a scene, or problems."""

    scene: Scene | None
    problems: list[Problem] = field(default_factory=list)


def looks_like_scene(path: str | FilePath) -> bool:
    """Whether a file is meant as a scene: JSON with the key ``"headframe_scene"``."""
    data = read_limited(path, LARGEST_SCENE)
    if isinstance(data, Problem):
        return False
    text = decoded(data, NotJsonError, "JSON")
    if isinstance(text, Problem) or KEY not in text:
        return False
    raw, _ = parse(text)
    return isinstance(raw, dict) and KEY in raw


def read_scene(path: FilePath) -> SceneReading:
    """Read a scene file and those of its machines; raises nothing."""
    data = read_limited(path, LARGEST_SCENE)
    if isinstance(data, Problem):
        return SceneReading(None, [data])
    text = decoded(data, NotJsonError, "JSON")
    if isinstance(text, Problem):
        return SceneReading(None, [text])
    raw, found = parse(text)
    if not found.problems and not isinstance(raw, dict):
        found.complain(WrongTypeError, (), f"found {shown(raw)}, expected an object")
    scene = _scene(raw, path.parent, found) if isinstance(raw, dict) else None
    problems, _ = found.placed(text)
    return SceneReading(None if problems else scene, problems)


def _scene(raw: dict[str, Any], folder: FilePath, found: Findings) -> Scene | None:
    """Check the parts one by one, then what they say about each other."""
    _check_version(raw, found)
    environment = _environment(raw, found)
    stands = _stands(raw, found)
    guest = None
    if raw.get("guest") is not None:
        guest = read_element(Placement, raw["guest"], ("guest",), found)
        if guest is not None:
            place = Stand(name="guest", machine="any", origin=guest)
            _check_places(place, ("guest",), found, "xyz")
    things = Things(raw, folder, found)
    apart = ("environment", "machines", "guest", "bodies", "statics", "materials")
    heading = {key: value for key, value in raw.items() if key not in apart}
    head = read_element(
        Scene, {**heading, KEY: VERSION, "environment": Tunnel(kind="tunnel")}, (), found
    )
    _check_names(stands, raw.get("drive"), found)
    for i, stand in stands:
        _check_places(stand, ("machines", i), found)
        _check_machine(stand, folder, ("machines", i, "machine"), found)
    if sum(stand.count for _, stand in stands) > MOST_UNITS:
        message = f"found more than {MOST_UNITS} machines, expected at most {MOST_UNITS}"
        found.complain(TooManyElementsError, ("machines",), message)
    if raw.get("machines", []) == [] and raw.get("guest") is None:
        message = "the scene has no machines and no room for a guest"
        found.complain(MissingFieldError, ("machines",), message)
    if head is None:
        return None
    own = {"environment": environment, "machines": tuple(stand for _, stand in stands)}
    about = {
        "bodies": tuple(body for _, body in things.bodies),
        "statics": tuple(static for _, static in things.statics),
        "materials": tuple(things.materials),
    }
    return head.model_copy(update={**own, **about, "guest": guest})


def _check_version(raw: dict[str, Any], found: Findings) -> None:
    version = raw.get(KEY)
    if KEY not in raw and ("mrdf" in raw or "links" in raw):
        hint = "drive it with: headframe run FILE"
        found.complain(WrongTypeError, (), "found a machine, expected a scene", hint)
    elif KEY not in raw:
        found.complain(MissingFieldError, (KEY,), f"the field {KEY!r} is missing")
    elif isinstance(version, bool) or version != VERSION:
        found.complain(ValueRangeError, (KEY,), f"found {shown(version)}, expected {VERSION}")


def _environment(raw: dict[str, Any], found: Findings) -> Element | None:
    path: Path = ("environment",)
    if "environment" not in raw:
        found.complain(MissingFieldError, path, "the field 'environment' is missing")
        return None
    item = raw["environment"]
    kind = item.get("kind") if isinstance(item, dict) else None
    if not isinstance(item, dict):
        found.complain(WrongTypeError, path, f"found {shown(item)}, expected an object")
    elif "kind" not in item:
        hint = f"it is one of {', '.join(ENVIRONMENTS)}"
        found.complain(MissingFieldError, (*path, "kind"), "the field 'kind' is missing", hint)
    elif not isinstance(kind, str) or kind not in ENVIRONMENTS:
        message = f"found {shown(kind)}, expected one of {', '.join(ENVIRONMENTS)}"
        hint = suggest(kind, ENVIRONMENTS) if isinstance(kind, str) else ""
        found.complain(ValueRangeError, (*path, "kind"), message, hint)
    else:
        return read_element(ENVIRONMENTS[kind], item, path, found)
    return None


def _stands(raw: dict[str, Any], found: Findings) -> list[tuple[int, Stand]]:
    items = raw.get("machines", [])
    if not isinstance(items, list):
        found.complain(WrongTypeError, ("machines",), f"found {shown(items)}, expected a list")
        return []
    if len(items) > MOST_STANDS:
        message = f"found {len(items)} kinds of machines, expected at most {MOST_STANDS}"
        found.complain(TooManyElementsError, ("machines",), message)
        return []
    stands = []
    for i, item in enumerate(items):
        stand = _stand(item, ("machines", i), found)
        if stand is not None:
            stands.append((i, stand))
    return stands


def _stand(item: Any, path: Path, found: Findings) -> Stand | None:
    placed = {}
    for key in ("origin", "step") if isinstance(item, dict) else ():
        if key in item:
            placed[key] = read_element(Placement, item[key], (*path, key), found)
            item = {other: value for other, value in item.items() if other != key}
    stand = read_element(Stand, item, path, found)
    if stand is None:
        return None
    return stand.model_copy(
        update={key: value for key, value in placed.items() if value is not None}
    )


def _check_names(stands: list[tuple[int, Stand]], drive: Any, found: Findings) -> None:
    names: dict[str, None] = {}
    for i, stand in stands:
        if stand.name in names:
            message = f"the name {shown(stand.name)} is taken by an earlier machine"
            found.complain(DuplicateNameError, ("machines", i, "name"), message)
        names[stand.name] = None
    if isinstance(drive, str) and drive and drive not in names:
        message = f"found {shown(drive)}, which is no name of a machine of this scene"
        found.complain(NameUnknownError, ("drive",), message, suggest(drive, names))


def _check_places(stand: Stand, path: Path, found: Findings, place: str = "origin") -> None:
    """All units stand apart from each other, and not too far away; `place` is the first's field."""
    ends = np.abs(stand.poses[:, :3, 3]).max()
    if not ends <= FARTHEST:
        message = f"found a place {ends:.6g} m away, expected at most {FARTHEST:g} m"
        found.complain(ValueRangeError, (*path, place if stand.count == 1 else "step"), message)
    if stand.count > 1 and not any(stand.step.xyz):
        message = f"{stand.count} machines would stand in one place, expected a step between them"
        found.complain(ValueRangeError, (*path, "step"), message)


def _check_machine(stand: Stand, folder: FilePath, path: Path, found: Findings) -> None:
    """A machine of the catalogue, or a file below the scene's folder without problems."""
    name = stand.machine
    if name in machines():
        return
    if FilePath(name).suffix.lower() not in SUFFIXES:
        message = f"found {shown(name)}, which is no machine of the catalogue and no file of "
        hint = suggest(name, machines())
        found.complain(NameUnknownError, path, message + ", ".join(SUFFIXES), hint)
        return
    file = machine_file(name, folder)
    if file is None:
        message = f"found {shown(name)}, expected a file inside the scene file's folder"
        found.complain(NotReadableError, path, message)
        return
    if not file.is_file():
        found.complain(NotReadableError, path, f"found {shown(name)}, but there is no such file")
        return
    problems = examine(file).problems
    for problem in problems[:SHOWN]:
        found.complain(problem.kind, path, f"{name}: {problem}".replace(str(file), name))
    if len(problems) > SHOWN:
        message = f"{name}: and {len(problems) - SHOWN} more problems"
        found.complain(problems[0].kind, path, message)


def machine_file(name: str, folder: FilePath) -> FilePath | None:
    """The file that a stand names; None where it lies outside of the scene file's folder."""
    if any(sign in name for sign in "\0:\\") or FilePath(name).is_absolute():
        return None
    try:
        file = (folder / name).resolve()
        inside = file.is_relative_to(folder.resolve())
    except (OSError, RuntimeError, ValueError):
        return None
    return file if inside else None
