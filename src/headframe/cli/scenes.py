"""What the command check does with scene files."""

from __future__ import annotations

from pathlib import Path

from ..errors import printed
from .common import lines


def takes(name: str) -> bool:
    """Whether a name on the command line is that of a scene file."""
    from ..staging import looks_like_scene

    return Path(name).suffix.lower() == ".json" and looks_like_scene(name)


def check(name: str) -> bool:
    """Print every problem of a scene file, or what is in it; whether it has none."""
    from ..staging import read_scene

    reading = read_scene(Path(name))
    for problem in reading.problems:
        print(f"{name}: {lines(str(problem))}")
    if reading.scene is None:
        count = len(reading.problems)
        print(f"{name}: {count} problem{'s' if count > 1 else ''}")
        return False
    scene = reading.scene
    stands = [f"{stand.count} x {printed(stand.machine)}" for stand in scene.machines]
    stands += ["room for a guest"] if scene.guest is not None else []
    print(f"{name}: ok: {printed(scene.name)}, {scene.environment.kind}, {', '.join(stands)}")
    return True
