"""An MJCF document while it is being written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..contact import Collision
from ..description import Robot
from ..spatial import invert, quaternion_from_matrix
from ..topology import Topology
from .mesh_files import MeshFiles
from .xml_text import XmlNames, comment, numbers, put, to_text

if TYPE_CHECKING:
    from ..mechanism import State

Floats = NDArray[np.float64]


class MjcfDocument:
    """The sections of the document, and what is known of the elements in them.

    Attributes:
        collision: what of the machine is touched; None for the file's shapes alone.
        bodies: the body of every link that has been placed, by the link's name.
        poses: X_WB of every body that has been placed, (4, 4) each.
        joints: names of the MJCF joints that stand for a joint of the robot.
        home: position of every MJCF joint in the home pose.
        controls: command of every MJCF actuator in the home pose.
        meshes: asset names of mesh files and of frusta, by what they are made of.
        mesh_files: files that must stand beside the document.
        notes: what a reader should know, for the comment at the top.
    """

    def __init__(
        self,
        robot: Robot,
        topology: Topology,
        state: State,
        mesh_folder: str,
        collision: Collision | None = None,
    ) -> None:
        self.robot, self.topology, self.state = robot, topology, state
        self.collision = collision
        self.names = XmlNames()
        self.names.new("body", "world")  # MuJoCo's own
        self.bodies: dict[str, ET.Element] = {}
        self.poses: dict[ET.Element, Floats] = {}
        self.joints: dict[str, list[str]] = {}
        self.home: dict[ET.Element, tuple[float, ...]] = {}
        self.controls: list[float] = []
        self.meshes: dict[tuple[Any, ...], str] = {}
        self.mesh_files = MeshFiles(mesh_folder)
        self.notes: list[str] = []

        self.root = ET.Element("mujoco", model=self.names.new("model", robot.name))
        self.asset = ET.Element("asset")
        self.world = ET.Element("worldbody")
        self.tendon = ET.Element("tendon")
        self.equality = ET.Element("equality")
        self.actuator = ET.Element("actuator")
        self.contact = ET.Element("contact")
        self.keyframe = ET.Element("keyframe")
        self.poses[self.world] = np.eye(4)
        self.total_mass = sum(link.inertial.mass for link in robot.links if link.inertial)

    def add_body(self, parent: ET.Element, name: str, X_WB: Floats) -> ET.Element:
        """A body at the world pose `X_WB`, (4, 4), in another one."""
        X_PB = invert(self.poses[parent]) @ X_WB
        body = put(parent, "body", name=self.names.new("body", name), **place(X_PB))
        self.poses[body] = X_WB
        return body

    def add_joint(
        self,
        body: ET.Element,
        name: str,
        kind: str,
        home: tuple[float, ...],
        **attributes: str,
    ) -> str:
        """A joint of a body that stands at `home` in the home pose; gives its name."""
        name = self.names.new("joint", name)
        joint = put(body, "joint", name=name, type=kind, **attributes)
        self.home[joint] = home
        if kind in ("hinge", "slide"):
            joint.set("ref", numbers(home))
        return name

    def add_site(self, body: ET.Element, name: str, pose_or_point: ArrayLike) -> str:
        """A hidden site of a body, at a pose (4, 4) or a point (3,) in it; gives its name."""
        name = self.names.new("site", name)
        given = np.asarray(pose_or_point, dtype=float)
        where = place(given) if given.shape == (4, 4) else {"pos": numbers(given)}
        put(body, "site", name=name, group="4", **where)
        return name

    def text(self) -> str:
        """The finished document."""
        for section in (
            self.asset, self.world, self.contact, self.tendon, self.equality, self.actuator,
            self.keyframe,
        ):  # fmt: skip
            if len(section):
                self.root.append(section)
        self.root.insert(0, comment(self.notes))
        return to_text(self.root)


def place(X_PB: Floats) -> dict[str, str]:
    """Attributes `pos` and `quat` of a pose, (4, 4); none where they would say nothing."""
    attributes = {}
    if X_PB[:3, 3].any():
        attributes["pos"] = numbers(X_PB[:3, 3])
    quat = quaternion_from_matrix(X_PB[:3, :3])
    if quat[1:].any():
        attributes["quat"] = numbers(quat)
    return attributes
