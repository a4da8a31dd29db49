"""Drake's multibody constraints under SNOPT.

The plant holds the main links without cylinders. A closure holds a point of one link in the
frame of another; a cylinder is a bound on the distance of two points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ...description import Joint
from ...errors import MissingExtraError
from ...machine import Machine
from ...spatial import invert
from .base import Floats, PeerAnswer, PeerPart, PeerPin, Start, part_moving, whole

# Without a cost every full step is a good one: a heavy penalty on gaps lets SNOPT take it.
FK_PENALTY = 1e4
IK_OPTIMALITY = 1e-6


class DrakePeer:
    """Forward and inverse kinematics of a machine on Drake.

    Raises:
        MissingExtraError: Drake is not installed.
    """

    name = "Drake"

    def __init__(self, machine: Machine, tolerance: float = 1e-10) -> None:
        self._machine, self._tolerance = machine, tolerance
        self._closing = _Closing(_Plant(whole(machine)), tolerance)
        self._reaches: dict[str, _Reaching] = {}

    def start(self, q: Floats) -> Start:
        """See `Peer`."""
        return Start(q.copy(), q[self._closing.plant.places])

    def fk(self, lengths: Floats, start: Start) -> PeerAnswer:
        """See `Peer`."""
        return self._closing.solve(lengths, start)

    def ik(self, link: str, target: Floats, start: Start) -> PeerAnswer:
        """See `Peer`."""
        reach = self._reaches.get(link)
        if reach is None:
            plant = _Plant(part_moving(self._machine, link))
            reach = self._reaches[link] = _Reaching(plant, link, self._tolerance)
        return reach.solve(target, start)


class _Plant:
    """Drake's plant of a part, with a frame in the world that is the target of `ik`.

    Attributes:
        frames: the links' frames, by name.
        context: Drake's state, in which `target` has its pose.
        places: where Headframe's joint positions hold those of Drake.
    """

    def __init__(self, part: PeerPart) -> None:
        try:
            from pydrake import math as drake_math
            from pydrake import solvers
            from pydrake.multibody import inverse_kinematics, tree
            from pydrake.multibody.plant import MultibodyPlant
        except ImportError:
            raise MissingExtraError("the peer Drake", "drake", "bench") from None
        self.part = part
        self.tree: Any = tree
        self.math: Any = drake_math
        self.kinematics: Any = inverse_kinematics
        self.solvers: Any = solvers
        self.plant: Any = MultibodyPlant(0.0)
        self.frames: dict[str, Any] = {}
        self._add_links()
        self.target: Any = self.plant.AddFrame(
            tree.FixedOffsetFrame("target of ik", self.plant.world_frame(), self.pose(np.eye(4)))
        )
        self.plant.Finalize()
        self.context: Any = self.plant.CreateDefaultContext()
        joints = sorted((*part.joints, *part.held), key=self.position)
        self.places = part.places([joint.name for joint in joints])

    def pose(self, X: Floats) -> Any:
        """Drake's form of a pose, (4, 4)."""
        R = self.math.RotationMatrix.ProjectToRotationMatrix(X[:3, :3])
        return self.math.RigidTransform(R, X[:3, 3])

    def _add_links(self) -> None:
        """The tree of the machine; joints that are not of the part stand as at home."""
        part, plant, tree = self.part, self.plant, self.tree
        robot, topology, home = part.machine.robot, part.machine.topology, part.machine.home
        inertia = tree.SpatialInertia.SolidSphereWithMass(1.0, 1.0)
        root = robot.links[topology.root]
        self.frames[root.name] = plant.AddRigidBody(root.name, inertia).body_frame()
        plant.WeldFrames(plant.world_frame(), self.frames[root.name], self.pose(root.pose))
        kept = {joint.name for joint in (*part.joints, *part.held)}
        for joint in (robot.joints[j] for j in topology.tree_joints):
            child, parent = robot.link(joint.child), self.frames[joint.parent]
            frame = plant.AddRigidBody(child.name, inertia).body_frame()
            self.frames[child.name] = frame
            if joint.name not in kept:
                X_PC = invert(home.pose(joint.parent)) @ home.pose(joint.child)
                plant.WeldFrames(parent, frame, self.pose(X_PC))
                continue
            kind = tree.PrismaticJoint if joint.kind.is_slide else tree.RevoluteJoint
            X_PJ, X_CJ = self.pose(joint.origin), self.pose(invert(child.pose))
            on_parent = tree.FixedOffsetFrame(f"{joint.name}.parent", parent, X_PJ)
            on_child = tree.FixedOffsetFrame(f"{joint.name}.child", frame, X_CJ)
            ends = plant.AddFrame(on_parent), plant.AddFrame(on_child)
            plant.AddJoint(kind(joint.name, *ends, np.asarray(joint.axis or (1.0, 0.0, 0.0))))

    def closure(self, pin: PeerPin) -> Any:
        """Constraint of a closure: no gap square to the pin, in link A's axes [m]."""
        X_AP = np.eye(4)
        X_AP[:3, :3] = np.column_stack([*pin.across, pin.along])
        X_AP[:3, 3] = pin.point_a
        free = np.array([0.0, 0.0, np.inf])
        constraint = self.kinematics.PositionConstraint(
            self.plant, self.frames[pin.link_a], self.pose(X_AP), -free, free,
            self.frames[pin.link_b], pin.point_b, self.context,
        )  # fmt: skip
        moving = self.moving(pin.link_a, pin.link_b)
        constraint.SetGradientSparsityPattern([(row, v) for row in range(3) for v in moving])
        return constraint

    def cylinder_ends(self, number: int) -> tuple[Any, ...]:
        """Frames and points of a cylinder, as Drake's distance constraint takes them."""
        actuator = self.part.actuators[number]
        return (
            self.plant, self.frames[actuator.tube_parent], np.array(actuator.tube_offset),
            self.frames[actuator.rod_parent], np.array(actuator.rod_offset),
        )  # fmt: skip

    def cylinder_sparsity(self, number: int) -> list[tuple[int, int]]:
        """The positions that a cylinder's length depends on."""
        actuator = self.part.actuators[number]
        return [(0, v) for v in self.moving(actuator.tube_parent, actuator.rod_parent)]

    def moving(self, link_a: str, link_b: str) -> list[int]:
        """Drake's positions of the joints that move two links against each other."""
        machine = self.part.machine
        path = {machine.joints[j] for j in machine.topology.movable_path(link_a, link_b)}
        return sorted(self.position(joint) for joint in self.part.joints if joint in path)

    def position(self, joint: Joint) -> int:
        """Drake's position of a joint."""
        return int(self.plant.GetJointByName(joint.name).position_start())

    def snopt(self, tolerance: float, **settings: float) -> tuple[Any, Any]:
        """SNOPT and its options."""
        solver, options = self.solvers.SnoptSolver(), self.solvers.SolverOptions()
        all_settings: dict[str, Any] = {
            "Major feasibility tolerance": tolerance,
            "Major optimality tolerance": tolerance,
            "Verify level": -1,
        } | {name.replace("_", " "): value for name, value in settings.items()}
        for name, value in all_settings.items():
            options.SetOption(solver.id(), name, value)
        return solver, options


class _Closing:
    """All closures, and cylinders of given lengths.

    Drake's distance constraint cannot be given other bounds, so every call makes new ones; the
    rest is made once.
    """

    def __init__(self, plant: _Plant, tolerance: float) -> None:
        self.plant, self.tolerance = plant, tolerance
        numbers = range(len(plant.part.cylinders))
        self.closures = [plant.closure(pin) for pin in plant.part.pins]
        self.ends = [plant.cylinder_ends(i) for i in numbers]
        self.sparsity = [plant.cylinder_sparsity(i) for i in numbers]
        self.solver, self.options = plant.snopt(tolerance, Penalty_parameter=FK_PENALTY)

    def solve(self, lengths: Floats, start: Start) -> PeerAnswer:
        """Joint positions with the given lengths [m], (n_actuators,)."""
        plant, context = self.plant, self.plant.context
        distance = plant.kinematics.PointToPointDistanceConstraint
        program = plant.solvers.MathematicalProgram()
        q = program.NewContinuousVariables(start.values.size)
        for closure in self.closures:
            program.AddConstraint(closure, q)
        wanted = lengths[plant.part.cylinders]
        for ends, sparsity, length in zip(self.ends, self.sparsity, wanted.tolist(), strict=True):
            cylinder = distance(*ends, length, length, context)
            cylinder.SetGradientSparsityPattern(sparsity)
            program.AddConstraint(cylinder, q)
        result = self.solver.Solve(program, start.values, self.options)
        values, solved = result.get_x_val(), result.is_success()
        return PeerAnswer(plant.part, values, plant.places, start, 0, solved, lengths)


class _Reaching:
    """The pose nearest to a target, as a program that is made once.

    The target is a frame of the plant, whose pose is a parameter in Drake's context. The cost
    |p|^2 + 2 (1 - cos phi) of the distance p [m] and angle phi between link and target differs
    from the squared logarithm in higher orders only.
    """

    def __init__(self, plant: _Plant, link: str, tolerance: float) -> None:
        self.plant, self.link, part = plant, link, plant.part
        kinematics, context, frame = plant.kinematics, plant.context, plant.frames[link]
        self.program: Any = plant.solvers.MathematicalProgram()
        q = self.program.NewContinuousVariables(plant.places.size)
        for pin in part.pins:
            self.program.AddConstraint(plant.closure(pin), q)
        for i, (lower, upper) in enumerate(part.bounds.T.tolist()):
            cylinder = kinematics.PointToPointDistanceConstraint(
                *plant.cylinder_ends(i), lower, upper, context
            )
            cylinder.SetGradientSparsityPattern(plant.cylinder_sparsity(i))
            self.program.AddConstraint(cylinder, q)
        here, straight = np.zeros(3), plant.math.RotationMatrix()
        place = kinematics.PositionCost(
            plant.plant, plant.target, here, frame, here, np.eye(3), context
        )
        turn = kinematics.OrientationCost(
            plant.plant, plant.target, straight, frame, straight, 2.0, context
        )
        self.program.AddCost(place, q)
        self.program.AddCost(turn, q)
        self.held = [plant.position(joint) for joint in part.held]
        self.holds = [
            self.program.AddBoundingBoxConstraint(0.0, 0.0, q[i]).evaluator() for i in self.held
        ]
        self.solver, self.options = plant.snopt(tolerance, Major_optimality_tolerance=IK_OPTIMALITY)

    def solve(self, target: Floats, start: Start) -> PeerAnswer:
        """Joint positions in which the link is nearest to the pose `target`, (4, 4)."""
        plant = self.plant
        plant.target.SetPoseInParentFrame(plant.context, plant.pose(target))
        values = start.q[plant.places]
        for i, hold in zip(self.held, self.holds, strict=True):
            hold.set_bounds(values[i : i + 1], values[i : i + 1])
        result = self.solver.Solve(self.program, values, self.options)
        values, solved = result.get_x_val(), result.is_success()
        goal = (self.link, target)
        return PeerAnswer(plant.part, values, plant.places, start, 0, solved, goal=goal)
