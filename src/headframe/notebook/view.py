"""`show`: the machine in a cell, with the page's own picture and a slider for every drive."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import HeadframeError, MissingExtraError
from ..export import link_scene, machine_info
from ..kinematics import checked_start, fk
from ..mechanism import State
from ..spatial import quaternion_from_matrix

if TYPE_CHECKING:
    from ..kinematics import Kinematics

SCRIPT = Path(__file__).with_name("static") / "widget.js"


def show(kinematics: Kinematics, folder: Path | None, state: State | None = None) -> Any:
    """A widget that shows a machine and moves it by its cylinders and servos.

    Its `lengths` [m] by group, with positions [rad, m] by servo, can be read and set from Python;
    `state` is the machine as it stands.

    Raises:
        MissingExtraError: anywidget is not installed.
        StateError: a state of another machine.
    """
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise MissingExtraError("showing machines in notebooks", "anywidget", "notebook") from None
    start = checked_start(kinematics, state)
    robot = kinematics.mechanism.robot

    class MachineView(anywidget.AnyWidget):  # type: ignore[misc]
        """A machine in a cell.

        Attributes:
            lengths: of the groups' first members [m], by group, and positions of servos, by motor.
            problem: why the machine did not follow the last lengths; empty if it did.
            state: where it is.
        """

        _esm = SCRIPT
        machine = traitlets.Dict(asdict(machine_info(kinematics.mechanism))).tag(sync=True)
        geometry = traitlets.Bytes(link_scene(robot, folder)).tag(sync=True)
        poses = traitlets.Bytes(poses_of(start)).tag(sync=True)
        lengths = traitlets.Dict(lengths_of(start)).tag(sync=True)
        problem = traitlets.Unicode("").tag(sync=True)

        def __init__(self) -> None:
            super().__init__()
            self.state = start

        @traitlets.observe("lengths")  # type: ignore[untyped-decorator]
        def _follow(self, change: Any) -> None:
            try:
                self.state = fk(kinematics, change["new"], start=self.state)
            except HeadframeError as error:
                self.problem = str(error)
                return
            self.problem = ""
            self.poses = poses_of(self.state)

    return MachineView()


def poses_of(state: State) -> bytes:
    """Poses of all links as a frame has them: position, quaternion (w, x, y, z), float32."""
    rows = []
    for link in state.mechanism.robot.links:
        X_WL = state.pose(link.name)
        rows.append([*X_WL[:3, 3], *quaternion_from_matrix(X_WL[:3, :3])])
    return np.array(rows, dtype="<f4").tobytes()


def lengths_of(state: State) -> dict[str, float]:
    """Lengths of the groups' first members [m], and positions of servos [rad, m], by name."""
    names = [each.name for each in state.mechanism.robot.inputs]
    return dict(zip(names, state.inputs.tolist(), strict=True))
