"""What the file says about the home pose, and whether a pose is what it says."""

from __future__ import annotations

import numpy as np

from ..errors import AssemblyError
from .blocks import bounds_of
from .compiled import Mechanism
from .state import State
from .system import Floats, Ints

BOUND_SLACK = 1e-9  # how far a length may lie outside its bounds [m]
ROUNDING = 0.1  # how far the file's home may be from a closed pose [rad, m]


class HomeRequest:
    """The file's home, as positions and lengths to look for.

    Attributes:
        q: positions to start from: the file's, else 0 or the nearest value in the limit.
        named: velocities whose joints the file names.
        lengths: lengths to assemble at: the file's, else the middle of the bounds [m].
        named_lengths: the actuators that the file names.
        lower: lower bounds of all actuators [m].
        upper: upper bounds of all actuators [m].
    """

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism, home = mechanism, mechanism.robot.home
        self._joints = (home.joints or {}) if home else {}
        self._actuators = (home.actuators or {}) if home else {}
        self.lower, self.upper = bounds_of(mechanism)
        self.q, self.named = self._positions()
        self.lengths, self.named_lengths = self._lengths()

    def _positions(self) -> tuple[Floats, Ints]:
        m = self.mechanism
        q = m.q_zero.copy()
        q[m.limited] = np.clip(0.0, m.limit_lower, m.limit_upper)
        named: list[int] = []
        for name, value in self._joints.items():
            part, velocities = m.position_of_joint[name], m.velocity_of_joint[name]
            if part.stop - part.start != np.size(value):
                raise AssemblyError(
                    f"home: joint {name!r} takes {part.stop - part.start} value(s), "
                    f"but {np.size(value)} are given",
                    name,
                )
            q[part] = value
            if m.robot.joint(name).kind.has_ball:
                quat = q[part][:4]
                norm = float(np.linalg.norm(quat))
                if abs(norm - 1.0) > 1e-3:
                    raise AssemblyError(
                        f"home: the quaternion of joint {name!r} has length {norm:g}, expected 1",
                        name,
                    )
                q[part.start : part.start + 4] = quat / norm
            named += range(velocities.start, velocities.stop)
        self.check_limits(q, "home: ")
        return q, np.array(named, dtype=np.int64)

    def _lengths(self) -> tuple[Floats, Ints]:
        lengths = 0.5 * (self.lower + self.upper)
        named: list[int] = []
        for name, length in self._actuators.items():
            i = self.mechanism.robot.actuator_index[name]
            if not self.lower[i] - BOUND_SLACK <= length <= self.upper[i] + BOUND_SLACK:
                raise AssemblyError(
                    f"home: actuator {name!r} is to be {length:g} m long, "
                    f"outside its bounds {self.lower[i]:g} to {self.upper[i]:g} m",
                    name,
                )
            lengths[i] = length
            named.append(i)
        return lengths, np.array(named, dtype=np.int64)

    @property
    def allowed(self) -> tuple[Floats, Floats]:
        """Shortest and longest lengths: the bounds, or for what the file names its length [m]."""
        lower, upper = self.lower.copy(), self.upper.copy()
        lower[self.named_lengths] = upper[self.named_lengths] = self.lengths[self.named_lengths]
        return lower, upper

    def check_limits(self, q: Floats, where: str = "") -> None:
        """Refuse a pose with a joint outside its limit."""
        m = self.mechanism
        values = q[m.limited]
        outside = np.maximum(m.limit_lower - values, values - m.limit_upper)
        if outside.size and outside.max() > BOUND_SLACK:
            worst = int(np.argmax(outside))
            name = m.joint_at(int(m.limited[worst]))
            raise AssemblyError(
                f"{where}joint {name!r} is at {values[worst]:.4g}, outside its limit "
                f"{m.limit_lower[worst]:g} to {m.limit_upper[worst]:g}",
                name,
                float(outside[worst]),
            )

    def check_joints(self, q: Floats) -> None:
        """Refuse a home whose joint values contradict each other by more than rounding."""
        for name, value in self._joints.items():
            found = q[self.mechanism.position_of_joint[name]]
            apart = float(np.max(np.abs(found - value)))
            if apart > ROUNDING:
                shown = ", ".join(f"{v:.4g}" for v in found)
                raise AssemblyError(
                    f"home: the loops do not close with joint {name!r} at {value}; "
                    f"the nearest closed pose has it at {shown}",
                    name,
                    apart,
                )

    def check_lengths(self, state: State) -> None:
        """Refuse a home that gives the partners of a group lengths they cannot have together."""
        for name, length in self._actuators.items():
            found = float(state.lengths[self.mechanism.robot.actuator_index[name]])
            if abs(found - length) > BOUND_SLACK:
                raise AssemblyError(
                    f"home: actuator {name!r} is to be {length:g} m long, but follows the first "
                    f"of its group at {found:.6g} m",
                    name,
                    abs(found - length),
                )
