"""What all formulations over the tree share, as two arrays; and the rows that drives act on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from ...actuation import _kernels as drives
from ...kinematics.forward.solve import fk
from ...kinematics.model import Kinematics
from ...mechanism import State
from ...mechanism.compiled import Floats, Ints
from ..tree import _kernels as tree_kernels
from ..tree.packing import Tree
from . import _kernels as kernels


@dataclass(frozen=True)
class Row:
    """One scalar that a drive acts on or a stop limits.

    A redundant group's length (its first member's), or a joint with a motor or with limits.

    Attributes:
        name: of the group or the joint.
        members: actuators of the group, the first one setting the motion; none for a joint.
        motor: name of the joint's motor; empty if it has none.
        position, velocity: where it stands in the tree's q and v.
    """

    name: str
    members: tuple[int, ...]
    motor: str
    position: int
    velocity: int


@dataclass(frozen=True, eq=False)
class Model:
    """A machine ready for any formulation: its tree under a gravity, and its rows."""

    tree: Tree
    kinematics: Kinematics
    home: State

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The groups in their order, then the joints of one freedom with a motor or limits."""
        robot, mechanism = self.tree.mechanism.robot, self.tree.mechanism
        found = []
        for name, members in zip(robot.group_names, robot.groups, strict=True):
            cylinder = self.tree.cylinders[members[0]]
            found.append(Row(name, members, "", cylinder.length_position, cylinder.length_velocity))
        motors = {motor.joint: motor.name for motor in robot.motors}
        limited = self._limited()
        for name, part in mechanism.velocity_of_joint.items():
            if part.stop - part.start == 1 and (name in motors or name in limited):
                position = mechanism.position_of_joint[name].start
                found.append(Row(name, (), motors.get(name, ""), position, part.start))
        return tuple(found)

    @cached_property
    def input_rows(self) -> Ints:
        """The row of each of `Robot.inputs`: the groups' in their order, then the servos'."""
        robot = self.tree.mechanism.robot
        row_of = {row.name: n for n, row in enumerate(self.rows) if not row.members}
        servos = [row_of[each.joint] for each in robot.inputs if each.joint]
        return np.array([*range(len(robot.groups)), *servos], dtype=np.int64)

    def _limited(self) -> set[str]:
        """Joints with limits that no cylinder's end stops keep already."""
        robot = self.tree.mechanism.robot
        limits = {j.name: j.limit for j in robot.joints if j.limit is not None}
        moved = self._held_by_cylinders().intersection(limits)
        if not moved or not self.kinematics.regular:
            return set(limits)
        ends = [
            fk(self.kinematics, np.array(corner)).joints
            for corner in product(*zip(*self.kinematics.usable, strict=True))
        ]
        kept = {
            name
            for name in moved
            if all(limits[name].lower <= end[name] <= limits[name].upper for end in ends)
        }
        return set(limits) - kept

    def _held_by_cylinders(self) -> set[str]:
        """Joints that a cylinder acts across."""
        topology, robot = self.tree.mechanism.topology, self.tree.mechanism.robot
        held = {
            j
            for actuator in robot.actuators
            for j in topology.movable_path(actuator.tube_parent, actuator.rod_parent)
        }
        for four_bar in topology.contraction.four_bars:
            if held.intersection(four_bar.joints):
                held.update(j for j in four_bar.joints if j >= 0)
        return {robot.joints[j].name for j in held}

    def new_drive(self) -> Floats:
        """Drives of all rows, floating but for motors that turn from the start."""
        robot = self.tree.mechanism.robot
        drive = np.zeros((len(self.rows), drives.DRIVE))
        drive[:, drives.LOWER], drive[:, drives.UPPER] = -np.inf, np.inf
        drive[:, drives.MOST_SPEED : drives.MOST_FORCE + 1] = np.inf
        usable = self.kinematics.usable if self.kinematics.regular else None
        motors = {motor.name: motor for motor in robot.motors}
        servos = {each.name: each for each in robot.inputs if each.joint}
        for n, row in enumerate(self.rows):
            if row.members:
                actuator = robot.actuators[row.members[0]]
                bounds = actuator.bounds.lower, actuator.bounds.upper
                drive[n, [drives.LOWER, drives.UPPER]] = bounds
                if usable is not None:
                    drive[n, [drives.LOWER, drives.UPPER]] = usable[0][n], usable[1][n]
                drive[n, drives.MOST_SPEED] = actuator.speed or np.inf
                drive[n, drives.MOST_ACCELERATION] = actuator.acceleration or np.inf
                continue
            limit = robot.joint(row.name).limit
            if limit is not None:
                drive[n, [drives.LOWER, drives.UPPER]] = limit.lower, limit.upper
            if row.motor:
                motor = motors[row.motor]
                drive[n, drives.MOST_SPEED] = motor.max_speed or np.inf
                drive[n, drives.MOST_FORCE] = motor.max_torque or np.inf
                drive[n, drives.MODE], drive[n, drives.VALUE] = drives.FORCE, motor.torque
            if row.motor in servos:  # else it would ask for all its torque in every step
                drive[n, drives.MOST_ACCELERATION] = servos[row.motor].full_acceleration
        return drive

    def arrays(
        self,
        formulation: int,
        nq: int,
        nv: int,
        quaternions: list[tuple[int, int]],
        own_header: list[int],
        own_i: Ints,
        own_f: Floats,
    ) -> tuple[Ints, Floats]:
        """`model_i` and `model_f` with a formulation's own part.

        At OWN and OWN + 1 of the header stands where `own_i` and `own_f` begin, behind that
        `own_header`.
        """
        tree = self.tree
        nd = len(tree.tree_i)
        springs_i, springs_f = self._springs()
        header = np.zeros(kernels.HEADER, dtype=np.int64)
        parts_i = [header, tree.tree_i.ravel(), np.array(quaternions, dtype=np.int64).ravel()]
        parts_i += [springs_i, own_i]
        starts = np.cumsum([0] + [part.size for part in parts_i])
        floats = [tree.tree_f.ravel(), self._damping(), springs_f, own_f]
        starts_f = np.cumsum([0] + [part.size for part in floats])
        header[: kernels.SPRINGS_F + 1] = (
            formulation, nq, nv, len(self.rows), nd, starts[1], len(quaternions), starts[2],
            len(springs_i) // 2, starts[3], starts_f[2],
        )  # fmt: skip
        header[kernels.OWN] = starts[4]
        header[kernels.OWN + 1] = starts_f[3]
        header[kernels.OWN + 2 : kernels.OWN + 2 + len(own_header)] = own_header
        return np.concatenate(parts_i), np.concatenate(floats)

    @property
    def damping(self) -> Floats:
        """Of the tree's velocities [N m s, N s/m], (nv,)."""
        return self._damping()[: self.tree.nv]

    def _damping(self) -> Floats:
        """Damping, then dry friction, of the tree's velocities."""
        mechanism = self.tree.mechanism
        values = np.zeros((2, self.tree.nv))
        for name, part in mechanism.velocity_of_joint.items():
            joint = mechanism.robot.joint(name)
            values[0, part], values[1, part] = joint.damping, joint.friction
        return values.ravel()

    def _springs(self) -> tuple[Ints, Floats]:
        tree, ints, floats = self.tree, [], []
        for spring in tree.mechanism.robot.springs:
            for link, point in ((spring.link_a, spring.point_a), (spring.link_b, spring.point_b)):
                X = tree.X_FL[link]
                ints.append(tree.freedom_of_link[link])
                floats.append(X[:3, :3] @ np.asarray(point) + X[:3, 3])
            floats.append(np.array([spring.stiffness, spring.rest_length, spring.damping]))
        flat = np.concatenate(floats) if floats else np.zeros(0)
        return np.array(ints, dtype=np.int64), flat

    def tree_quaternions(self) -> list[tuple[int, int]]:
        """First position and velocity of the tree's quaternions."""
        kind = self.tree.tree_i[:, tree_kernels.KIND]
        chosen = self.tree.tree_i[kind == tree_kernels.SPHERICAL]
        pairs = [(int(row[tree_kernels.IQ]), int(row[tree_kernels.IV])) for row in chosen]
        return sorted(pairs)
