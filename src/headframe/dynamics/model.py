"""What all formulations over the tree share; and the rows that drives act on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from ..actuation.kernels import DRIVE, DriveMode
from ..jit import Packing, Records, Scratch, new_records
from ..kinematics import Kinematics, fk
from ..mechanism import Floats, Ints, State, Tree
from ..mechanism.kernels import PLACE, FreedomKind
from .loads import pack_loads
from .motion.runge_kutta import STAGES
from .records import BODY, DRIVEN_ROW, MODEL, POWER, RESISTANCE, ROW_STATE, STEPPING

LIMITED = ("lower", "upper", "most_speed", "most_acceleration", "most_force")  # of a drive


@dataclass(frozen=True)
class Row:
    """One scalar that a drive acts on or a stop limits.

    A redundant group's length (its first member's), or a joint with a motor or with limits.

    Attributes:
        name: of the group or the joint.
        members: actuators of the group, the first one setting the motion; none for a joint.
        motor: name of the joint's motor; empty if it has none.
        drive: its place in `Tree.driven`; -1 for a joint that has limits alone.
        position, velocity: where it stands in the tree's q and v.
    """

    name: str
    members: tuple[int, ...]
    motor: str
    drive: int
    position: int
    velocity: int


@dataclass(frozen=True, eq=False)
class DynamicsModel:
    """A machine ready for any formulation: its tree under a gravity, and its rows."""

    tree: Tree
    kinematics: Kinematics
    home: State

    @property
    def near(self) -> Tree:
        """The tree about a point near it, as the kernels of formulations in joints take it."""
        return self.tree.nearby

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The groups in their order, then the joints of one freedom with a motor or limits."""
        robot, mechanism = self.tree.mechanism.robot, self.tree.mechanism
        found = [
            Row(name, members, "", group, *self.tree.driven.place[group].tolist())
            for group, (name, members) in enumerate(
                zip(robot.group_names, robot.groups, strict=True)
            )
        ]
        drives = {each.joint: n for n, each in enumerate(robot.joint_drives, len(found))}
        names = {each.joint: each.name for each in robot.joint_drives}
        limited = self._limited()
        for name, part in mechanism.velocity_of_joint.items():
            if part.stop - part.start == 1 and (name in drives or name in limited):
                position, drive = mechanism.position_of_joint[name].start, drives.get(name, -1)
                found.append(Row(name, (), names.get(name, ""), drive, position, part.start))
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

    def new_drives(self) -> Records:
        """Drives of all rows, DRIVE records, floating but for motors that turn from the start."""
        robot, driven = self.tree.mechanism.robot, self.tree.driven
        drives = new_records(len(self.rows), DRIVE)
        drives.lower, drives.upper = -np.inf, np.inf
        drives.most_speed = drives.most_acceleration = drives.most_force = np.inf
        for row, drive in zip(self.rows, drives, strict=True):
            limit = None if row.members else robot.joint(row.name).limit
            if row.drive >= 0:
                for limited in LIMITED:
                    drive[limited] = driven[limited][row.drive]
            elif limit is not None:
                drive.lower, drive.upper = limit.lower, limit.upper
            if row.motor:
                drive.mode, drive.value = DriveMode.FORCE, driven.torque[row.drive]
        if self.kinematics.regular:
            count = len(robot.groups)
            lower, upper = self.kinematics.usable
            drives.lower[:count], drives.upper[:count] = lower[:count], upper[:count]
        return drives

    def tree_packing(self, scratch: Scratch) -> Packing:
        """A model of a formulation whose coordinates are the tree's own."""
        tree, rows = self.tree, self.driven_rows
        for record, row in zip(rows, self.rows, strict=True):
            record.position, record.velocity = row.position, row.velocity
        return self.packing(tree.nq, tree.nv, self.tree_quaternions(), rows, scratch)

    @property
    def driven_rows(self) -> Records:
        """DRIVEN_ROW records of the rows, their places in coordinates being left open."""
        found = new_records(len(self.rows), DRIVEN_ROW)
        for record, row in zip(found, self.rows, strict=True):
            record.freedom, record.tree_velocity = self.tree.freedom_at[row.velocity], row.velocity
        return found

    def packing(
        self, nq: int, nv: int, quaternions: list[tuple[int, int]], rows: Records, scratch: Scratch
    ) -> Packing:
        """A model of a formulation, to which it adds its own part.

        Args:
            nq: number of its coordinates.
            nv: number of their velocities.
            quaternions: first position and velocity of its quaternions.
            rows: DRIVEN_ROW records.
            scratch: where scratch memory is reserved.
        """
        tree = self.near
        packing = Packing(
            MODEL, nq=nq, nv=nv, gravity=tree.gravity,
            bodies=scratch.reserve((len(tree.freedoms), BODY)),
            stepping=self._stepping(nq, nv, scratch),
        )  # fmt: skip
        packing.add("freedoms", tree.freedoms)
        packing.add("resistances", self.resistances)
        packing.add("quaternions", np.array(quaternions, PLACE))
        packing.add("rows", rows)
        pack_loads(tree, packing)
        return packing

    def _stepping(self, nq: int, nv: int, scratch: Scratch) -> Records:
        """Scratch memory of the integrators."""
        rows = len(self.rows)
        return scratch.spans(
            STEPPING, stages_q=(STAGES, nq), stages_v=(STAGES, nv), stages_power=(STAGES, POWER),
            q=nq, qdot=nq, v=nv, vdot=nv, trial=nv, change=nv, left=nv, there=nv, A=(nv, nv),
            begun=(rows, ROW_STATE), ended=(rows, ROW_STATE), mask=rows, lifted=rows, pressed=rows,
            q_begun=nq, v_begun=nv, flow=(1, POWER), power=(1, POWER),
        )  # fmt: skip

    @property
    def damping(self) -> Floats:
        """Of the tree's velocities [N m s, N s/m], (nv,)."""
        damping: Floats = self.resistances["damping"]
        return damping

    @cached_property
    def resistances(self) -> Records:
        """RESISTANCE of the tree's velocities."""
        mechanism = self.tree.mechanism
        found = new_records(self.tree.nv, RESISTANCE)
        for name, part in mechanism.velocity_of_joint.items():
            joint = mechanism.robot.joint(name)
            found.damping[part], found.friction[part] = joint.damping, joint.friction
        return found

    def tree_quaternions(self) -> list[tuple[int, int]]:
        """First position and velocity of the tree's quaternions."""
        balls = self.tree.freedoms[self.tree.freedoms["kind"] == FreedomKind.BALL]
        return sorted((int(ball.position), int(ball.velocity)) for ball in balls)
