"""A machine in one configuration. Reading a `State` means that everything in it is up to date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import instance
from ..description import Actuator
from ..errors import StateError, UnknownElementError
from ..spatial import checked_pose
from .compiled import Mechanism
from .cylinders import pin_of
from .system import Floats


class JointValues(Mapping[str, Any]):
    """Joint positions by name, not to be changed; an unknown name is answered with the nearest."""

    def __init__(self, values: dict[str, Any]) -> None:
        self._values = values

    def __getitem__(self, name: str) -> Any:
        if name not in self._values:
            raise UnknownElementError("movable joint", name, self._values)
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


STANDING = np.eye(4)
STANDING.flags.writeable = False


class State:
    """Poses, lengths and joint values of a machine, all of one moment. Never changes.

    Attributes:
        mechanism: the compiled machine.
        q: joint positions [rad, m], (nq,).
        base: X_world_base, (4, 4): where the machine stands. The root link's own pose is
            relative to it.
    """

    def __init__(
        self, mechanism: Mechanism, q: NDArray[np.float64], base: ArrayLike | None = None
    ) -> None:
        """Hold the joint positions `q`; links are placed when they are first asked for."""
        self.mechanism = instance("mechanism", mechanism, Mechanism, "a Mechanism")
        self.q = mechanism.positions(q)
        self.q.flags.writeable = False
        self.base = STANDING if base is None else standing_at(base)

    @classmethod
    def solved(cls, mechanism: Mechanism, q: Floats, base: Floats) -> State:
        """A state of positions that a solver has just found: taken as they are, not copied."""
        state = cls.__new__(cls)
        q.setflags(write=False)
        state.mechanism, state.q, state.base = mechanism, q, base
        return state

    def moved(self, base: ArrayLike) -> State:
        """The same configuration on a machine that stands at X_world_base, (4, 4)."""
        return State.solved(self.mechanism, self.q, standing_at(base))

    @cached_property
    def _X(self) -> Floats:
        """World poses of the bodies, (nbody, 4, 4)."""
        poses: Floats = self.mechanism.poses(self.q.copy()[None], self.base.copy()[None])[0]
        return poses

    def pose(self, link: str) -> Floats:
        """X_world_link, (4, 4). Tubes and rods are links too: their x looks at the other mount."""
        if isinstance(link, str):
            body = self.mechanism.body_of_link.get(link)
            if body is not None:
                return np.array(self._X[body])
            if link in self._cylinder_poses:
                return self._cylinder_poses[link].copy()
        raise UnknownElementError("link", link, self.mechanism.robot.link_index)

    @cached_property
    def joints(self) -> Mapping[str, Any]:
        """Joint positions by name, numbers or, for joints of several freedoms, arrays.

        Revolute positions [rad] are continuous, never wrapped. Fixed joints and the joints that
        close loops have no position and are not listed.
        """
        values: dict[str, Any] = {}
        for name, part in self.mechanism.position_of_joint.items():
            width = part.stop - part.start
            if width == 1:
                values[name] = float(self.q[part.start])
            elif width > 1:
                values[name] = self.q[part].copy()
        return JointValues(values)

    @cached_property
    def mounts(self) -> Floats:
        """World points of every actuator's tube mount and rod mount [m], (n_actuators, 2, 3)."""
        mounts: Floats = self.mechanism.placing.mounts(self._X[None])[0]
        return mounts

    @cached_property
    def lengths(self) -> Floats:
        """Length of every actuator [m], (n_actuators,), in the order of the description."""
        lengths: Floats = np.linalg.norm(self.mounts[:, 1] - self.mounts[:, 0], axis=1)
        lengths.flags.writeable = False
        return lengths

    @cached_property
    def drives(self) -> Floats:
        """Lengths of all actuators [m], then positions of the servos' joints [rad, m], (n_drives,).

        Named by `Robot.drive_names`.
        """
        drives: Floats = np.concatenate([self.lengths, self.q[self.mechanism.servos.positions]])
        drives.flags.writeable = False
        return drives

    @property
    def inputs(self) -> Floats:
        """What the motion follows from: drives of `Robot.inputs` [m, rad], (n_inputs,)."""
        inputs: Floats = self.drives[self.mechanism.leaders]
        return inputs

    @cached_property
    def _cylinder_poses(self) -> dict[str, Floats]:
        """Poses of tubes and rods by name."""
        actuators = self.mechanism.robot.actuators
        poses = self.mechanism.placing.cylinders(self._X[None])[0]
        return {
            name: X
            for one, pair in zip(actuators, poses, strict=True)
            for name, X in zip((one.tube, one.rod), pair, strict=True)
        }

    def pin(self, actuator: Actuator) -> Floats:
        """World direction of a tube's pin."""
        link, axis = pin_of(self.mechanism, actuator)
        R_WL: Floats = self._X[self.mechanism.body_of_link[link]][:3, :3]
        return R_WL @ axis

    def __repr__(self) -> str:
        named = zip(self.mechanism.robot.drive_names, self.drives, strict=True)
        drives = ", ".join(f"{name}={value:.4f}" for name, value in named)
        return f"State({self.mechanism.robot.name}: {drives})"


def standing_at(base: ArrayLike) -> Floats:
    """A copy of a base's pose that cannot be changed; StateError if it is no rigid pose."""
    X_WB = checked_pose(base, "base")
    if X_WB.ndim != 2:
        raise StateError(f"base: found shape {X_WB.shape}, expected one pose, (4, 4)")
    X_WB.flags.writeable = False
    return X_WB
