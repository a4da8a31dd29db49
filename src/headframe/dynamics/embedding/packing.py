"""A machine's tree as functions of its driving variables: records for the kernels of embedding."""

from __future__ import annotations

import numpy as np

from ...errors import DynamicsError
from ...jit import Records, Scratch, new_records
from ...kinematics.kernels import (
    CHAIN_STEP,
    MAX_STEPS,
    MOST_VARIABLES,
    MOTION,
    TABLE_DIMS,
    StepKind,
)
from ...mechanism import Floats
from ...mechanism.kernels import FreedomKind
from ..model import DynamicsModel
from ..records import (
    EMBEDDED,
    EMBEDDED_CYLINDER,
    EMBEDDED_WORK,
    FUNCTION,
    LED_LENGTH,
    MIDPOINT_WORK,
    POWER,
    PositionSource,
)


def why_not(model: DynamicsModel) -> str:
    """Why a machine's loops cannot be embedded; empty if they can."""
    return model.kinematics.plan.reason


def pack_embedded(model: DynamicsModel, by_lengths: bool) -> tuple[Floats, int, Coordinates]:
    """A model of loop embedding, doubles of scratch memory, and how to get coordinates.

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
    coordinates = Coordinates(model, by_lengths)
    return *coordinates.packed(), coordinates


class Coordinates:
    """The tree's freedoms as functions of the coordinates, and these from the tree's positions.

    Attributes:
        names: of the coordinates' joints or groups, one each velocity.
        sources: of every coordinate that is a variable's: place in the tree's q and v, home, sign.
    """

    def __init__(self, model: DynamicsModel, by_lengths: bool) -> None:
        self.model, self.by_lengths = model, by_lengths
        self.tree, kinematics = model.near, model.kinematics
        self.plan = kinematics.plan
        assert kinematics.packer is not None
        self.geometry = kinematics.packer
        self.kinematics = kinematics
        self.n_vars = len(self.plan.variables)
        self.group_of = {  # groups whose lengths are coordinates, by the variables they set
            variable: group
            for block in (self.plan.blocks if by_lengths else ())
            for group, variable in zip(block.groups, block.variables, strict=True)
        }
        self.mechanism = self.tree.mechanism
        self.columns: list[int] = []
        self.functions = new_records(len(self.tree.freedoms), FUNCTION)
        self.functions.cosine = 1.0
        self.freedom_at = self.tree.freedom_at
        self.nq = self.nv = self.n_vars
        self.quaternions: list[tuple[int, int]] = []
        self.extras: list[tuple[int, slice, int, slice]] = []
        self._add_variables()
        self._add_rings()
        self._add_extras()
        self._add_cylinders()
        self.sources, self.names = self._sources()

    @property
    def turns_freely(self) -> bool:
        """Whether there are quaternions among them."""
        return self.nq > self.nv

    def of_tree(self, q_tree: Floats, v_tree: Floats) -> tuple[Floats, Floats]:
        """Coordinates and their velocities where the tree has these positions and velocities."""
        q, v = np.zeros(self.nq), np.zeros(self.nv)
        for k, (iq, iv, home, sign) in enumerate(self.sources):
            q[k] = (q_tree[iq] - home) * sign
            v[k] = v_tree[iv] * sign
        for begin, part, begin_v, part_v in self.extras:
            q[begin : begin + part.stop - part.start] = q_tree[part]
            v[begin_v : begin_v + part_v.stop - part_v.start] = v_tree[part_v]
        return q, v

    def packed(self) -> tuple[Floats, int]:
        """The model, and doubles of scratch memory."""
        scratch = Scratch()
        packing = self.model.packing(self.nq, self.nv, self.quaternions, self._rows(), scratch)
        packing.header["projects"] = len(self.model.rows) > 0
        own = packing.within(
            "own", EMBEDDED, by_lengths=self.by_lengths, n_vars=self.n_vars,
            work=self._spans(scratch), midpoint=self._midpoint(scratch),
        )  # fmt: skip
        own.add("link", self.kinematics.link)
        own.add("functions", self.functions)
        own.add("columns", np.array(self.columns, dtype=np.int64))
        own.add("cylinders", self._cylinders())
        own.add("led", self._led())
        return packing.buffer(), scratch.size

    def _spans(self, scratch: Scratch) -> Records:
        """Scratch memory of the kernels."""
        nd, nv, n_acts = len(self.tree.freedoms), self.nv, len(self.geometry.chains)
        rows = len(self.model.rows)
        return scratch.spans(
            EMBEDDED_WORK, theta=nv, rate=nv,
            motions=(len(self.geometry.motions), MOTION),
            chains=((MAX_STEPS + 1) * n_acts, CHAIN_STEP), lengths=n_acts,
            block=(MOST_VARIABLES, MOST_VARIABLES + 1), weights=(TABLE_DIMS, 4),
            G=len(self.columns), Gdot=len(self.columns), v_tree=nd, bias=nd, tau=nd, M=(nv, nv),
            L=(nv, nv), right=nv, answer=nv, more=nv, wanted=rows, chosen=rows, S=(rows, rows),
            response=(rows, nv), held=(rows, nv), held_by=(rows, rows), held_rows=1 + rows,
        )  # fmt: skip

    def _midpoint(self, scratch: Scratch) -> Records:
        """Scratch memory of the variational integrator."""
        nq, nv, nd = self.nq, self.nv, len(self.tree.freedoms)
        return scratch.spans(
            MIDPOINT_WORK, q=nq, qdot=nq, v=nv, p0=nv, p=nv, f=nv, spare=nv, p_tree=nd, f_tree=nd,
            fixed=nv, pull=nv, before=nv, M=(nv, nv), B=(nv, nv), D=(nv, nv), power=(1, POWER),
        )  # fmt: skip

    def _set(
        self, freedom: int, source: PositionSource, number: int, columns: list[int],
        home: float = 0.0, sign: float = 1.0,
    ) -> Records:  # fmt: skip
        """Say what a freedom follows from."""
        function = self.functions[freedom]
        function.source, function.number = source, number
        function.first, function.count = len(self.columns), len(columns)
        function.cosine, function.sine = np.cos(home), np.sin(home)
        function.home, function.sign = home, sign
        function.pitch = self.tree.freedoms[freedom].pitch
        self.columns += columns
        return function

    def _home_and_sign(self, variable: int) -> tuple[float, float]:
        """Position = home + sign * variable."""
        record = self.geometry.variables[variable]
        return float(record.home), float(record.sign)

    def _add_variables(self) -> None:
        """Hinges and slides that are variables themselves."""
        for number, variable in enumerate(self.plan.variables):
            if variable.kind != StepKind.RING:
                slides = variable.kind == StepKind.SLIDING
                source = PositionSource.SLIDE if slides else PositionSource.HINGE
                name = self.mechanism.robot.joints[variable.joint].name
                freedom = self.freedom_at[self.mechanism.velocity_of_joint[name].start]
                self._set(freedom, source, number, [number], *self._home_and_sign(number))

    def _add_rings(self) -> None:
        """The three tree joints of every four-bar."""
        by_position = {int(iq): d for d, iq in enumerate(self.tree.freedoms["position"])}
        for number, bar in enumerate(self.geometry.four_bars):
            for joint in self.geometry.bar_joints[bar.first_joint :][:3]:
                freedom, variable = by_position[int(joint.position)], int(bar.variable)
                function = self._set(
                    freedom,
                    PositionSource.RINGED,
                    number,
                    [variable],
                    float(joint.home),
                    float(joint.sign),
                )
                function.before, function.after = joint.before, joint.after

    def _add_extras(self) -> None:
        """Joints of several freedoms, which are coordinates as they are."""
        known = {v.joint for v in self.plan.variables} | {
            j for bar in self.plan.topology.contraction.four_bars for j in bar.joints
        }
        robot = self.mechanism.robot
        for j in sorted(self.mechanism.topology.tree_joints):
            joint = robot.joints[j]
            if j in known or joint.kind.is_fixed:
                continue
            part = self.mechanism.position_of_joint[joint.name]
            part_v = self.mechanism.velocity_of_joint[joint.name]
            self.extras.append((self.nq, part, self.nv, part_v))
            for iv in range(part_v.start, part_v.stop):
                freedom = self.freedom_at[iv]
                record = self.tree.freedoms[freedom]
                column = self.nv + iv - part_v.start
                place = self.nq + int(record.position) - part.start
                turns, width = 0, 1
                if record.kind == FreedomKind.TURN:
                    turns, width = 1, 0
                elif record.kind == FreedomKind.BALL:
                    width = 4
                    self.quaternions.append((place, column))
                elif record.kind == FreedomKind.PART:
                    place, width = -1, 0
                function = self._set(freedom, PositionSource.EXTRA, place, [column])
                function.turns, function.width = turns, width
            self.nq += part.stop - part.start
            self.nv += part_v.stop - part_v.start

    def _add_cylinders(self) -> None:
        q_home = self.tree.positions(self.model.home)
        for cylinder in self.tree.cylinders:
            way = [step.variable for step in self.plan.ways[cylinder.actuator]]
            for freedom, source in zip(
                cylinder.tube, (PositionSource.TUBE, PositionSource.TILT), strict=False
            ):
                angle = float(q_home[self.tree.freedoms[freedom].position])
                self._set(freedom, source, cylinder.actuator, way, angle)
            self._set(cylinder.rod, PositionSource.ROD, cylinder.actuator, way)

    def _cylinders(self) -> Records:
        """Freedoms of every actuator, and its chain's plane in the axes of the tube's mount.

        The chain's plane is given in base axes at home, where the tube's parent stands as there.
        """
        home = self.model.home
        found = new_records(len(self.tree.cylinders), EMBEDDED_CYLINDER)
        for record, cylinder, plane in zip(
            found, self.tree.cylinders, self.geometry.planes, strict=True
        ):
            actuator = self.mechanism.robot.actuators[cylinder.actuator]
            record.tube, record.rod = cylinder.tube[0], cylinder.rod
            record.tilt = cylinder.tube[1] if len(cylinder.tube) > 1 else -1
            X_FM = self.tree.freedoms[cylinder.tube[0]].X_PF
            R_WF = (
                home.pose(actuator.tube_parent)[:3, :3]
                @ self.tree.X_FL[actuator.tube_parent][:3, :3].T
            )
            R_MW = (R_WF @ X_FM[:, :3]).T
            tube, rod = home.mounts[cylinder.actuator]
            record.plane = np.column_stack([R_MW @ plane.ex, R_MW @ plane.ey])
            record.across = float((rod - tube) @ plane.normal) * (R_MW @ plane.normal)
        return found

    def _led(self) -> Records:
        """The lengths that are coordinates in place of variables."""
        pairs = [
            (variable, self.tree.cylinders[self.mechanism.robot.groups[group][0]].rod)
            for variable, group in self.group_of.items()
        ]
        return np.array(pairs, LED_LENGTH)

    def _rows(self) -> Records:
        """Freedom of every row, and where it stands in the coordinates, if it does."""
        direct = {(iq, iv): (k, k) for k, (iq, iv, _, _) in enumerate(self.sources)}
        for begin, part, begin_v, part_v in self.extras:
            direct[part.start, part_v.start] = begin, begin_v
        found = self.model.driven_rows
        for record, row in zip(found, self.model.rows, strict=True):
            record.position, record.velocity = direct.get((row.position, row.velocity), (-1, -1))
            if self.functions[record.freedom].source == PositionSource.RINGED:
                record.position = record.velocity = -1
        return found

    def _sources(self) -> tuple[list[tuple[int, int, float, float]], list[str]]:
        """`sources` and `names`."""
        robot = self.mechanism.robot
        found, names = [], []
        for number, variable in enumerate(self.plan.variables):
            if number in self.group_of:
                cylinder = self.tree.cylinders[robot.groups[self.group_of[number]][0]]
                found.append((cylinder.length_position, cylinder.length_velocity, 0.0, 1.0))
                names.append(robot.group_names[self.group_of[number]])
                continue
            if variable.kind == StepKind.RING:
                found.append(self._ring_source(number, variable.four_bar))
            else:
                joint = robot.joints[variable.joint].name
                iq = self.mechanism.position_of_joint[joint].start
                iv = self.mechanism.velocity_of_joint[joint].start
                found.append((iq, iv, *self._home_and_sign(number)))
            names.append(robot.joints[variable.joint].name)
        for _, _, _, part_v in self.extras:
            owner = self.tree.owner[self.freedom_at[part_v.start]]
            names += [owner] * (part_v.stop - part_v.start)
        return found, names

    def _ring_source(self, number: int, bar: int) -> tuple[int, int, float, float]:
        """A tree joint whose position is the four-bar's variable, or its opposite."""
        iq = int(self.geometry.variables[number].position)
        if iq < 0:
            name = self.plan.topology.loops[self.plan.topology.contraction.four_bars[bar].closure]
            raise DynamicsError(
                f"the variable of {name.name!r} is the angle at its closing pivot: "
                "use lengths as coordinates"
            )
        freedom = next(each for each in self.tree.freedoms if each.position == iq)
        return iq, int(freedom.velocity), *self._home_and_sign(number)
