"""A machine's tree as functions of its driving variables: arrays for the kernels of embedding."""

from __future__ import annotations

import numpy as np

from ...errors import DynamicsError
from ...kinematics.lengths import _kernels as lengths
from ...mechanism.compiled import Floats, Ints
from ..model import _kernels as shared
from ..model.packing import Model
from ..tree import _kernels as tree_kernels
from .layout import _kernels as kernels


def why_not(model: Model) -> str:
    """Why a machine's loops cannot be embedded; empty if they can."""
    return model.kinematics.plan.reason


def pack_embedded(model: Model, by_lengths: bool) -> tuple[Ints, Floats, Coordinates]:
    """`model_i` and `model_f` of loop embedding.

    Args:
        model: the machine.
        by_lengths: whether lengths are the coordinates in place of the variables they set.

    Raises:
        DynamicsError: loops outside the closed-form scope, or lengths as coordinates where they
            do not set the motion alone.
    """
    reason = why_not(model)
    if reason:
        raise DynamicsError(f"loops cannot be embedded: {reason}")
    if by_lengths and not model.kinematics.regular:
        raise DynamicsError(
            "lengths cannot be coordinates: within their bounds they do not set the motion alone"
        )
    return _Packer(model, by_lengths).arrays()


class Coordinates:
    """How coordinates stand to the tree's positions.

    Attributes:
        names: of the coordinates' joints or groups, one each velocity.
        by_lengths: whether lengths are coordinates.
    """

    def __init__(self, packer: _Packer) -> None:
        self.by_lengths = packer.by_lengths
        self.names = packer.names
        self._packer = packer

    def of_tree(self, q_tree: Floats, v_tree: Floats) -> tuple[Floats, Floats]:
        """Coordinates and their velocities where the tree has these positions and velocities."""
        packer = self._packer
        q, v = np.zeros(packer.nq), np.zeros(packer.nv)
        for k, (iq, iv, home, sign) in enumerate(packer.sources):
            q[k] = (q_tree[iq] - home) * sign
            v[k] = v_tree[iv] * sign
        for begin, part, begin_v, part_v in packer.extras:
            q[begin : begin + part.stop - part.start] = q_tree[part]
            v[begin_v : begin_v + part_v.stop - part_v.start] = v_tree[part_v]
        return q, v


class _Packer:
    """Collects the table of freedoms."""

    def __init__(self, model: Model, by_lengths: bool) -> None:
        self.model, self.by_lengths = model, by_lengths
        self.tree, kinematics = model.tree, model.kinematics
        self.plan = kinematics.plan
        assert kinematics.packer is not None
        self.geometry = kinematics.packer
        self.kinematics = kinematics
        self.n_vars = len(self.plan.variables)
        self.mechanism = self.tree.mechanism
        self.columns: list[int] = []
        nd = len(self.tree.tree_i)
        self.ints = np.zeros((nd, kernels.FREEDOM_I), dtype=np.int64)
        self.floats = np.zeros((nd, kernels.FREEDOM_F))
        self.floats[:, 0] = 1.0
        self.freedom_at = {int(row[tree_kernels.IV]): d for d, row in enumerate(self.tree.tree_i)}
        self.nq = self.nv = self.n_vars
        self.quaternions: list[tuple[int, int]] = []
        self.extras: list[tuple[int, slice, int, slice]] = []
        self._add_variables()
        self._add_rings()
        self._add_extras()
        self._add_cylinders()
        self.sources, self.names = self._sources()

    def arrays(self) -> tuple[Ints, Floats, Coordinates]:
        """Both arrays, and how to get coordinates."""
        link_i, link_f = self.kinematics.link_i, self.kinematics.link_f
        acts_i, acts_f = self._actuators()
        rows = self._rows()
        parts_i = [link_i, self.ints.ravel(), np.array(self.columns, dtype=np.int64), acts_i, rows]
        parts_f = [link_f, self.floats.ravel(), acts_f]
        at_i = np.cumsum([0] + [part.size for part in parts_i])
        at_f = np.cumsum([0] + [part.size for part in parts_f])
        header = [
            int(self.by_lengths), at_i[0], link_i.size, at_f[0], link_f.size, at_i[1], at_f[1],
            at_i[2], at_i[3], at_f[2], at_i[4], len(self.columns), self.nv - self.n_vars,
        ]  # fmt: skip
        model_i, model_f = self.model.arrays(
            shared.EMBEDDED, self.nq, self.nv, self.quaternions, [int(n) for n in header],
            np.concatenate(parts_i), np.concatenate(parts_f),
        )  # fmt: skip
        for place in (
            kernels.LINK_AT, kernels.FREEDOMS_AT, kernels.COLUMNS_AT, kernels.ACTS_AT,
            kernels.ROWS_AT,
        ):  # fmt: skip
            model_i[place] += model_i[shared.OWN]
        for place in (kernels.LINK_F, kernels.FREEDOMS_F, kernels.ACTS_F_AT):
            model_i[place] += model_i[shared.OWN + 1]
        return model_i, model_f, Coordinates(self)

    def _set(self, freedom: int, ints: list[int], floats: list[float], columns: list[int]) -> None:
        self.ints[freedom] = [*ints, *([0] * (4 - len(ints))), len(self.columns), len(columns)]
        if floats:
            home, sign = floats
            self.floats[freedom] = np.cos(home), np.sin(home), sign, home
        self.columns += columns

    def _freedom_of_joint(self, j: int) -> int:
        name = self.mechanism.robot.joints[j].name
        return self.freedom_at[self.mechanism.velocity_of_joint[name].start]

    def _add_variables(self) -> None:
        """Hinges and slides that are variables themselves."""
        for number, variable in enumerate(self.plan.variables):
            if variable.kind != "four-bar":
                source = kernels.SLIDE if variable.kind == "prismatic" else kernels.HINGE
                home, sign = self.geometry.vars_f[number]
                freedom = self._freedom_of_joint(variable.joint)
                self._set(freedom, [source, number], [home, sign], [number])

    def _add_rings(self) -> None:
        """The three tree joints of every four-bar."""
        by_position = {int(row[tree_kernels.IQ]): d for d, row in enumerate(self.tree.tree_i)}
        for bar, (ints, floats) in enumerate(
            zip(self.geometry.bars_i, self.geometry.bars_f, strict=True)
        ):
            variable = ints[lengths.BAR_VARIABLE]
            for k in range(3):
                position, before, after = ints[3 * k : 3 * k + 3]
                home, sign, _ = floats[lengths.BAR_JOINTS_F + 3 * k :][:3]
                freedom = by_position[position]
                self._set(freedom, [kernels.RINGED, bar, before, after], [home, sign], [variable])

    def _add_extras(self) -> None:
        """Joints of several freedoms, which are coordinates as they are."""
        known = {v.joint for v in self.plan.variables} | {
            j for bar in self.plan.topology.contraction.four_bars for j in bar.joints
        }
        robot = self.mechanism.robot
        for j in sorted(self.mechanism.topology.tree_joints):
            joint = robot.joints[j]
            if j in known or joint.type == "fixed":
                continue
            part = self.mechanism.position_of_joint[joint.name]
            part_v = self.mechanism.velocity_of_joint[joint.name]
            self.extras.append((self.nq, part, self.nv, part_v))
            for iv in range(part_v.start, part_v.stop):
                freedom = self.freedom_at[iv]
                row = self.tree.tree_i[freedom]
                kind, offset = row[tree_kernels.KIND], int(row[tree_kernels.IQ]) - part.start
                column = self.nv + iv - part_v.start
                place, hinge, count = self.nq + offset, -1, 1
                if kind == tree_kernels.REVOLUTE:
                    hinge, count = 0, 0
                elif kind == tree_kernels.SPHERICAL:
                    count = 4
                    self.quaternions.append((place, column))
                elif kind == tree_kernels.PART:
                    place, count = -1, 0
                self._set(freedom, [kernels.EXTRA, place, hinge, count], [0.0, 1.0], [column])
            self.nq += part.stop - part.start
            self.nv += part_v.stop - part_v.start

    def _add_cylinders(self) -> None:
        q_home = self.tree.positions(self.model.home)
        for cylinder in self.tree.cylinders:
            way = [step.variable for step in self.plan.ways[cylinder.actuator]]
            for freedom, source in zip(cylinder.tube, (kernels.TUBE, kernels.TILT), strict=False):
                angle = float(q_home[self.tree.tree_i[freedom, tree_kernels.IQ]])
                self._set(freedom, [source, cylinder.actuator], [angle, 1.0], way)
            self._set(cylinder.rod, [kernels.ROD, cylinder.actuator], [0.0, 1.0], way)

    def _actuators(self) -> tuple[Ints, Floats]:
        """Freedoms of every actuator, and its chain's plane in the axes of the tube's mount.

        The chain's plane is given in base axes at home, where the tube's parent stands as there.
        """
        home = self.model.home
        ints, floats = [], []
        for cylinder, plane in zip(self.tree.cylinders, self.geometry.planes, strict=True):
            actuator = self.mechanism.robot.actuators[cylinder.actuator]
            tilt = cylinder.tube[1] if len(cylinder.tube) > 1 else -1
            ints += [cylinder.tube[0], tilt, cylinder.rod]
            X_FM = self.tree.tree_f[1 + cylinder.tube[0], :12].reshape(3, 4)
            R_WF = (
                home.pose(actuator.tube_parent)[:3, :3]
                @ self.tree.X_FL[actuator.tube_parent][:3, :3].T
            )
            R_MW = (R_WF @ X_FM[:, :3]).T
            tube, rod = home.mounts[cylinder.actuator]
            across = float((rod - tube) @ plane.normal) * (R_MW @ plane.normal)
            floats.append(np.column_stack([R_MW @ plane.ex, R_MW @ plane.ey]).ravel())
            floats.append(across)
        flat = np.concatenate(floats) if floats else np.zeros(0)
        return np.array(ints, dtype=np.int64), flat

    def _rows(self) -> Ints:
        """Freedom of every row, then where it stands in the coordinates and their velocities.

        -1 where it is no coordinate itself.
        """
        direct = {(iq, iv): (k, k) for k, (iq, iv, _, _) in enumerate(self.sources)}
        for begin, part, begin_v, part_v in self.extras:
            direct[part.start, part_v.start] = begin, begin_v
        freedoms = [self.freedom_at[row.velocity] for row in self.model.rows]
        found = [
            (-1, -1)
            if self.ints[freedom, 0] == kernels.RINGED
            else direct.get((row.position, row.velocity), (-1, -1))
            for row, freedom in zip(self.model.rows, freedoms, strict=True)
        ]
        places = [k for k, _ in found] + [k for _, k in found]
        return np.array([*freedoms, *places], dtype=np.int64)

    def _sources(self) -> tuple[list[tuple[int, int, float, float]], list[str]]:
        """Of every coordinate that is a variable's: its place in the tree's q and v, home, sign."""
        robot = self.mechanism.robot
        group_of = {
            variable: group
            for block in self.plan.blocks
            for group, variable in zip(block.groups, block.variables, strict=True)
        }
        found, names = [], []
        for number, variable in enumerate(self.plan.variables):
            if self.by_lengths and number in group_of:
                cylinder = self.tree.cylinders[robot.groups[group_of[number]][0]]
                found.append((cylinder.length_position, cylinder.length_velocity, 0.0, 1.0))
                names.append(robot.group_names[group_of[number]])
                continue
            if variable.kind == "four-bar":
                found.append(self._ring_source(number, variable.four_bar))
            else:
                home, sign = self.geometry.vars_f[number]
                part = robot.joints[variable.joint].name
                found.append((
                    self.mechanism.position_of_joint[part].start,
                    self.mechanism.velocity_of_joint[part].start, home, sign,
                ))  # fmt: skip
            names.append(robot.joints[variable.joint].name)
        for _, _, _, part_v in self.extras:
            owner = self.tree.owner[self.freedom_at[part_v.start]]
            names += [owner] * (part_v.stop - part_v.start)
        return found, names

    def _ring_source(self, number: int, bar: int) -> tuple[int, int, float, float]:
        """A tree joint whose position is the four-bar's variable, or its opposite."""
        home, sign = self.geometry.vars_f[number]
        iq = self.geometry.vars_i[number][1]
        if iq < 0:
            name = self.plan.topology.loops[self.plan.topology.contraction.four_bars[bar].closure]
            raise DynamicsError(
                f"the variable of {name.name!r} is the angle at its closing pivot: "
                "use lengths as coordinates"
            )
        freedom = next(d for d, row in enumerate(self.tree.tree_i) if row[tree_kernels.IQ] == iq)
        return iq, int(self.tree.tree_i[freedom, tree_kernels.IV]), home, sign


__all__ = ["Coordinates", "pack_embedded", "why_not"]
