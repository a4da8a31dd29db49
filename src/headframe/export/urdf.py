"""URDF of a machine's tree, and a plain account of what URDF cannot say about it.

URDF knows trees of links and joints of one freedom. Loops, cylinders, springs and motors have no
place in it; the comment at the top of the file names every one that was left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np

from ..description import WIDE_EFFORT, WIDE_SPEED, Does, Joint, Link, Robot, shapes_of
from ..spatial import invert, pose, rpy_from_matrix
from ..topology import Topology
from .mesh_files import MeshFiles, write_with_meshes
from .urdf_geometry import UrdfGeometry
from .xml_text import XmlNames, comment, numbers, put, to_text

if TYPE_CHECKING:
    from ..mechanism import State

# What stands for "no limit" where URDF demands one
WIDE_ANGLE, WIDE_DISTANCE = 1e3, 1e3
ZERO = (0.0, 0.0, 0.0)
# URDF is z-up: y becomes z
Z_UP_FROM_Y_UP = pose(ZERO, (math.pi / 2, 0.0, 0.0))


@dataclass(frozen=True)
class UrdfStep:
    """One URDF joint of the chain that stands for a joint of the machine."""

    ending: str
    type: str
    xyz: Iterable[float] = ZERO
    rpy: Iterable[float] = ZERO
    axis: Iterable[float] | None = None
    follows: bool = False  # the joint before it, by the pitch of their thread


def urdf_text(robot: Robot, topology: Topology, state: State | None = None) -> str:
    """The machine's tree in URDF.

    Args:
        robot: the machine.
        topology: its tree and loops.
        state: with it, tubes and rods are written too, fixed to their parents as they stand in
            it; without it they are left out.

    Mesh files have the paths that they have in the machine file.
    """
    return Writer(robot, topology, state).text()


def urdf_notes(robot: Robot, topology: Topology, state: State | None = None) -> list[str]:
    """What URDF cannot say about this machine, a sentence each."""
    return Writer(robot, topology, state).notes


def write_urdf(
    robot: Robot,
    topology: Topology,
    state: State | None,
    path: str | Path,
    folder: str | Path | None = None,
) -> list[str]:
    """Write URDF, and the meshes into a folder `NAME_meshes` beside it.

    Args:
        robot: the machine.
        topology: its tree and loops.
        state: as in `urdf_text`.
        path: the file to write.
        folder: the machine file's folder, to which mesh paths are relative.

    Returns:
        What URDF cannot say about this machine; the comment at the file's top says the same.

    Raises:
        ExportError: a file cannot be written.
        MeshError: a mesh cannot be read.
    """
    path = Path(path)
    files = MeshFiles(f"{path.stem}_meshes")
    writer = Writer(robot, topology, state, files)
    meshes = files.contents(folder)
    write_with_meshes(path, writer.text(), meshes)
    return writer.notes


class Writer:
    """A URDF document while it is being written."""

    def __init__(
        self,
        robot: Robot,
        topology: Topology,
        state: State | None,
        files: MeshFiles | None = None,
    ) -> None:
        self.robot, self.topology, self.state = robot, topology, state
        self.names = XmlNames()
        self.shapes = UrdfGeometry(files)
        self.notes: list[str] = []
        self.unlimited: list[str] = []
        self.links: list[ET.Element] = []
        self.joints: list[ET.Element] = []
        self.link_name = {
            link.name: self.names.new("link", link.name)
            for link in robot.links
            if state is not None or link.name not in robot.cylinder_parts
        }
        self.joint_name = {
            robot.joints[j].name: self.names.new("joint", robot.joints[j].name)
            for j in topology.tree_joints
        }
        self.mimics = self.find_mimics()
        self.add_root()
        for j in topology.tree_joints:
            self.add_tree_joint(robot.joints[j])
        if state is not None:
            self.add_cylinders(state)
        self.take_notes()

    def text(self) -> str:
        """The finished document."""
        root = ET.Element("robot", name=self.names.new("robot", self.robot.name))
        lines = [
            f"{self.robot.name}, written by Headframe: the tree only. SI units, radians, z up.",
            *self.notes,
        ]
        root.append(comment(lines))
        root.extend([*self.shapes.materials, *self.links, *self.joints])
        return to_text(root)

    # ------------------------------------------------------------------ elements

    def add_root(self) -> None:
        """The root link; a link `world` carries it if it is not at the origin or not z-up."""
        root = self.robot.links[self.topology.root]
        X = Z_UP_FROM_Y_UP @ root.pose if self.robot.up_axis == "y" else root.pose
        if not np.array_equal(X, np.eye(4)):
            world = self.names.new("link", "world")
            self.links.append(ET.Element("link", name=world))
            rpy = root.orientation if self.robot.up_axis == "z" else rpy_from_matrix(X[:3, :3])
            step = UrdfStep("", "fixed", X[:3, 3], rpy)
            name = self.names.new("joint", "world_to_root")
            self.add_joint(name, step, world, self.link_name[root.name])
        self.add_link(root)

    def add_link(self, link: Link) -> None:
        """A link with its inertia and shapes."""
        element = ET.Element("link", name=self.link_name[link.name])
        if link.inertial is not None:
            inertial = put(element, "inertial")
            put(inertial, "origin", xyz=numbers(link.inertial.com), rpy=numbers(ZERO))
            put(inertial, "mass", value=numbers(link.inertial.mass))
            tensor = link.inertial.inertia
            parts = {
                f"i{'xyz'[i]}{'xyz'[k]}": numbers(tensor[i][k])
                for i in range(3)
                for k in range(i, 3)
            }
            put(inertial, "inertia", **parts)
        for visual in shapes_of(self.robot, link):
            self.shapes.add(element, "visual", visual, link.name)
        for shape in link.collision:
            self.shapes.add(element, "collision", shape, link.name)
        self.links.append(element)

    def add_tree_joint(self, joint: Joint) -> None:
        """A joint of the tree as one or several URDF joints, and the link it leads to."""
        link = self.robot.link(joint.child)
        steps, before = steps_of(joint), ""
        if not np.array_equal(link.pose, np.eye(4)):
            steps.append(UrdfStep(".frame", "fixed", link.translation, link.orientation))
        parent = self.link_name[joint.parent]
        for i, step in enumerate(steps):
            name = self.joint_name[joint.name]
            if step.ending:
                name = self.names.new("joint", joint.name + step.ending)
            if i == len(steps) - 1:
                target = self.link_name[link.name]
            else:
                target = self.names.new("link", f"{joint.name}.{i + 1}")
                self.links.append(ET.Element("link", name=target))
            element = self.add_joint(name, step, parent, target, joint)
            if step.follows:
                ratio = numbers(joint.way_per_radian)
                put(element, "mimic", joint=before, multiplier=ratio, offset=numbers(0.0))
            parent, before = target, name
        self.add_link(link)

    def add_joint(
        self, name: str, step: UrdfStep, parent: str, child: str, joint: Joint | None = None
    ) -> ET.Element:
        """One URDF joint."""
        element = ET.Element("joint", name=name, type=step.type)
        put(element, "parent", link=parent)
        put(element, "child", link=child)
        put(element, "origin", xyz=numbers(step.xyz), rpy=numbers(step.rpy))
        if step.axis is not None:
            put(element, "axis", xyz=numbers(step.axis))
        if joint is not None and step.type not in ("fixed", "floating"):
            self.add_limit(element, step, joint)
            if joint.damping or joint.friction:
                put(
                    element,
                    "dynamics",
                    damping=numbers(joint.damping),
                    friction=numbers(joint.friction),
                )
            if not step.ending and joint.name in self.mimics:
                element.append(self.mimics[joint.name])
        self.joints.append(element)
        return element

    def add_limit(self, element: ET.Element, step: UrdfStep, joint: Joint) -> None:
        """Range, effort and speed; wide ones where URDF wants a figure and there is none."""
        motors = [drive for drive in self.robot.joint_drives if drive.joint == joint.name]
        effort = next((m.max_torque for m in motors if m.max_torque), WIDE_EFFORT)
        speed = next((m.max_speed for m in motors if m.max_speed), WIDE_SPEED)
        attributes = {"effort": numbers(effort), "velocity": numbers(speed)}
        if step.type in ("revolute", "prismatic"):
            wide = WIDE_DISTANCE if step.type == "prismatic" else WIDE_ANGLE
            lower, upper = -wide, wide
            if joint.limit is not None and not step.follows:
                lower, upper = joint.limit.lower, joint.limit.upper
            elif not step.follows:
                self.unlimited.append(joint.name)
            attributes = {"lower": numbers(lower), "upper": numbers(upper)} | attributes
        put(element, "limit", **attributes)

    def add_cylinders(self, state: State) -> None:
        """Tubes and rods, fixed to their parents as they stand in `state`."""
        for actuator in self.robot.actuators:
            for part, parent in (
                (actuator.tube, actuator.tube_parent),
                (actuator.rod, actuator.rod_parent),
            ):
                X_PC = invert(state.pose(parent)) @ state.pose(part)
                step = UrdfStep("", "fixed", X_PC[:3, 3], rpy_from_matrix(X_PC[:3, :3]))
                name = self.names.new("joint", f"{part}.mount")
                self.add_joint(name, step, self.link_name[parent], self.link_name[part])
                self.add_link(self.robot.link(part))

    def find_mimics(self) -> dict[str, ET.Element]:
        """The repeaters that URDF can say, by the joint that follows."""
        mimics: dict[str, ET.Element] = {}
        for repeater in self.robot.repeaters:
            ends = [self.robot.joint(name) for name in (repeater.joint, repeater.follows)]
            single = all(joint.name in self.joint_name and joint.kind.is_single for joint in ends)
            if single and repeater.joint not in mimics:
                mimics[repeater.joint] = ET.Element(
                    "mimic",
                    joint=self.joint_name[repeater.follows],
                    multiplier=numbers(repeater.ratio),
                    offset=numbers(repeater.offset),
                )
            else:
                self.notes.append(
                    f"Repeater {repeater.name!r} is left out: q[{repeater.joint}] = "
                    f"{repeater.ratio:g} q[{repeater.follows}] + {repeater.offset:g}."
                )
        return mimics

    # --------------------------------------------------------------------- notes

    def take_notes(self) -> None:
        """Name everything that is not in the file, or not as it is."""
        robot = self.robot
        notes = [
            f"Loop {loop.name!r} is open: the {robot.joints[c.forward].type} pivot between "
            f"{robot.joints[c.forward].parent!r} and {robot.joints[c.forward].child!r} is left out."
            for loop in self.topology.loops
            if loop.closure >= 0
            for c in (self.topology.closures[loop.closure],)
        ]
        for actuator in robot.actuators:
            force = f", up to {actuator.force:g} N" if actuator.force else ""
            notes.append(
                f"Actuator {actuator.name!r} is left out: length {actuator.bounds.lower:g} to "
                f"{actuator.bounds.upper:g} m between {actuator.tube_parent!r} and "
                f"{actuator.rod_parent!r}{force}."
            )
        if robot.actuators and self.state is None:
            notes.append("Tubes and rods of the actuators are left out, with their masses.")
        elif robot.actuators:
            notes.append("Tubes and rods are fixed to their parents as they stand at home.")
        notes += [
            f"Spring {s.name!r} between {s.link_a!r} and {s.link_b!r} is left out: "
            f"{s.stiffness:g} N/m, rest length {s.rest_length:g} m, {s.damping:g} N s/m."
            for s in robot.springs
        ]
        notes += [
            f"{d.kind.capitalize()} {d.name!r} of joint {d.joint!r} is left out; its limits are "
            "the joint's."
            for d in robot.joint_drives
        ]
        for joint in (robot.joints[j] for j in self.topology.tree_joints):
            if joint.kind.motions and not joint.kind.urdf:
                notes.append(f"Joint {joint.name!r} is {joint.type}: written as {_parts(joint)}.")
            if joint.armature and not joint.kind.is_fixed:
                unit = "kg" if joint.kind.is_slide else "kg m^2"
                notes.append(
                    f"Armature of joint {joint.name!r} is left out: {joint.armature:g} {unit}."
                )
        if self.unlimited:
            notes.append(
                f"Joints without limits have {WIDE_ANGLE:g} rad or {WIDE_DISTANCE:g} m: "
                + ", ".join(repr(name) for name in self.unlimited)
                + "."
            )
        if robot.base == "free":
            notes.append("The base is free: URDF leaves that to the program that reads it.")
        if robot.no_contact:
            pairs = ", ".join(f"{a!r} and {b!r}" for a, b in robot.no_contact)
            notes.append(f"Links that pass through each other are not told: {pairs}.")
        if any(shape.contact for link in robot.links for shape in link.collision):
            notes.append("Contact materials are left out.")
        if robot.up_axis == "y":
            notes.append("The machine is y-up: the joint 'world_to_root' turns it.")
        self.notes += notes + self.shapes.notes()


def steps_of(joint: Joint) -> list[UrdfStep]:
    """The URDF joints of a joint; the first one has its origin."""
    origin = (joint.origin_translation, joint.origin_orientation)
    kind = joint.kind
    if kind.urdf:
        return [UrdfStep("", kind.urdf, *origin, joint.direction() if kind.is_single else None)]
    steps: list[UrdfStep] = []
    for n, motion in enumerate(kind.motions):
        ending = "" if kind.is_single else f".{n + 1}"
        match motion.does:
            case Does.BALL:
                steps += [
                    UrdfStep(f".{name}", "continuous", axis=axis)
                    for name, axis in zip("xyz", np.eye(3), strict=True)
                ]
            case Does.SLIDE:
                steps.append(UrdfStep(ending, "prismatic", axis=joint.direction(motion)))
            case Does.TURN:
                steps.append(UrdfStep(ending, "continuous", axis=joint.direction(motion)))
            case Does.SCREW:
                turn = "continuous" if joint.limit is None else "revolute"
                axis = joint.direction(motion)
                steps.append(UrdfStep(ending, turn, axis=axis))
                steps.append(UrdfStep(f"{ending}.way", "prismatic", axis=axis, follows=True))
    return [replace(steps[0], xyz=origin[0], rpy=origin[1]), *steps[1:]]


def _parts(joint: Joint) -> str:
    """What stands for a joint that URDF does not have, in words."""
    words = {
        Does.TURN: "a hinge",
        Does.SLIDE: "a slide",
        Does.SCREW: "a hinge and a slide that mimics it",
        Does.BALL: "hinges about x, y and z, which lock when the middle one stands at 90 degrees",
    }
    return ", then ".join(words[motion.does] for motion in joint.kind.motions)
