"""Pictures of objects in notebooks: what a cell gives back is drawn where it can be.

IPython asks for these by the names of the classes, so that nothing is imported before it is needed,
and no class has to know that notebooks exist.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..errors import HeadframeError

Draw = Callable[[Any, Path], object]


def _draw_state(state: Any, path: Path) -> None:
    from ..pictures import draw_machine

    draw_machine(state.mechanism.robot, state, path, names=False)


def _draw_topology(topology: Any, path: Path) -> None:
    from ..pictures import draw_topology

    draw_topology(topology.robot, path, "raw")


PICTURES: dict[tuple[str, str], Draw] = {
    ("headframe.machine", "Machine"): lambda machine, path: machine.draw(path, names=False),
    ("headframe.mechanism.state", "State"): _draw_state,
    ("headframe.topology.graph", "Topology"): _draw_topology,
    ("headframe.kinematics.inverse.solve", "IKResult"): lambda found, path: _draw_state(
        found.state, path
    ),
    ("headframe.planning.workspaces", "Workspace"): lambda found, path: found.save(path),
    ("headframe.planning.trajectories", "Trajectory"): lambda found, path: found.plot(path),
    ("headframe.sim.recording", "Recording"): lambda found, path: found.plot(path),
}


def png(draw: Draw, shown: Any) -> bytes | None:
    """A picture as PNG; None where it cannot be drawn, so that the text is shown alone."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        try:
            draw(shown, path)
        except HeadframeError:  # no matplotlib, or a machine that cannot be assembled
            return None
        return path.read_bytes()


def register(shell: Any) -> None:
    """Let an IPython shell draw our objects."""
    formatter = shell.display_formatter.formatters["image/png"]
    for (module, name), draw in PICTURES.items():
        formatter.for_type_by_name(module, name, lambda shown, draw=draw: png(draw, shown))
