"""Actuators of MJCF that act on joints, as motors; straight tendons with stiffness, as springs."""

from __future__ import annotations

from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ...errors import ValueRangeError
from ..inputs import FULL_SPEED
from ..urdf_values import called
from .defaults import Defaults
from .tree import Freedom, MjcfTree
from .values import MjcfNames, MjcfValues

ON_JOINTS = ("general", "motor", "position", "velocity", "intvelocity", "dcmotor")
TARGETS = ("tendon", "site", "slidersite", "cranksite", "body", "refsite")
HUGE = 1e9  # [N m, N]: as good as no figure


class DriveReader:
    """Reads `<actuator>` and `<tendon>`."""

    def __init__(
        self, tree: MjcfTree, defaults: Defaults, names: MjcfNames, values: MjcfValues
    ) -> None:
        self.tree, self.defaults, self.names, self.values = tree, defaults, names, values
        self.rotors: dict[str, float] = {}  # armature of actuators, as their joints feel it

    # ---------------------------------------------------------------- motors

    def motors(self, root: Element, followers: set[str], closed: bool) -> list[dict[str, Any]]:
        """Motors of the joints that actuators drive.

        A file without any actuator, as is one of a bare arm, gives every joint a motor that turns
        or slides and follows no other; not where loops are closed, since then some are passive.
        """
        elements = [e for section in root.findall("actuator") for e in section]
        if not elements and not closed:
            free = [f for name, f in self.tree.freedoms.items() if name not in followers]
            found = [self._plain(freedom) for freedom in free if freedom.is_single]
            if found:
                self.values.remark("no actuators: joints that turn or slide are given motors")
            return found
        driven: dict[str, str] = {}
        found = []
        for element in elements:
            tag = str(element.tag)[:80]
            place = called(tag, element)
            whole = self.defaults.merged(element)
            name = whole.get("joint") or whole.get("jointinparent") or ""
            if tag not in ON_JOINTS:
                self.values.remark(f"actuators of the kind <{tag}> are left out", place)
                continue
            if any(key in whole.attrib for key in TARGETS) or not name:
                self.values.remark("the actuator drives no joint, and is left out", place)
                continue
            joint = self.values.named(
                whole,
                place,
                "joint" if whole.get("joint") else "jointinparent",
                self.tree.freedoms,
                "joint",
            )
            if joint is None:
                continue
            freedom = self.tree.freedoms[joint]
            if freedom.is_single:
                rotor = self._rotor(whole, place)
                self.rotors[joint] = self.rotors.get(joint, 0.0) + rotor
            if not freedom.is_single:
                message = f"the actuator drives a {freedom.kind} joint, and is left out"
                self.values.remark(message, place)
            elif joint in followers:
                message = "the actuator drives a joint that follows another, and is left out"
                self.values.remark(message, place)
            elif joint in driven:
                self.values.remark("another actuator drives its joint; it is left out", place)
            else:
                driven[joint] = place
                found.append(self._motor(whole, place, tag, freedom))
        return found

    def _rotor(self, element: Element, place: str) -> float:
        """Armature of an actuator at its joint: the rotor's, times the gear's square."""
        zero = "0 is taken"
        armature = self.values.soft_number(element, place, "armature", 0.0, zero) or 0.0
        if armature < 0.0:
            message = f"found {armature:g}, expected at least 0"
            self.values.forgive(ValueRangeError, f"{place}@armature", element, message, zero)
            return 0.0
        gears = self.values.numbers(element, place, "gear", 1, 6, "1 is taken")
        return armature * (gears[0] if gears else 1.0) ** 2

    def _plain(self, freedom: Freedom) -> dict[str, Any]:
        name = self.names.new("motor", freedom.name)
        return {"name": name, "joint": freedom.name, "servo": True} | self._joint_ratings(freedom)

    def _joint_ratings(self, freedom: Freedom) -> dict[str, float]:
        ratings = {"max_speed": FULL_SPEED} if freedom.kind == "slide" else {}
        force = self._largest(freedom.element, freedom.place, "actuatorfrcrange")
        return ratings | ({"max_torque": force} if 0.0 < force < HUGE else {})

    def _motor(self, element: Element, place: str, tag: str, freedom: Freedom) -> dict[str, Any]:
        """A motor with the ratings that the file gives: at the joint, behind the gear."""
        name = self.names.own("motor", element, freedom.name)
        motor: dict[str, Any] = {"name": name, "joint": freedom.name, "servo": True}
        motor |= self._joint_ratings(freedom)
        gears = self.values.numbers(element, place, "gear", 1, 6, "1 is taken")
        gear = abs(gears[0]) if gears and gears[0] else 1.0
        force = gear * self._largest(element, place, "forcerange")
        command = self._largest(element, place, "ctrlrange")
        if not force and tag == "motor":
            force = gear * command
        elif not force and tag == "general" and element.get("biastype", "none") == "none":
            gain = self.values.numbers(element, place, "gainprm", 1, 20, "1 is taken")
            force = gear * command * abs(gain[0] if gain else 1.0)
        if 0.0 < force < HUGE:
            motor["max_torque"] = min(force, motor.get("max_torque", force))
        if tag == "velocity" and 0.0 < command / gear < HUGE:
            motor["max_speed"] = command / gear
        return motor

    def _largest(self, element: Element, place: str, key: str) -> float:
        """The larger end of a range; 0 if there is none."""
        limited = element.get(key.replace("range", "limited"), "auto").strip()
        found = self.values.numbers(element, place, key, 2, 2, "it is left out")
        return max(map(abs, found)) if found and limited != "false" else 0.0

    # --------------------------------------------------------------- springs

    def springs(self, root: Element) -> list[dict[str, Any]]:
        """Straight tendons between two sites, with stiffness; others are named."""
        found = []
        for element in (e for section in root.findall("tendon") for e in section):
            whole = self.defaults.merged(element)
            place = called(str(element.tag)[:80], element)
            ends = [site.get("site", "") for site in element.findall("site")]
            spring = None
            if element.tag == "spatial" and len(ends) == 2 and len(element) == 2:
                spring = self._spring(whole, place, ends)
            if spring is None:
                self.values.remark("the tendon is not understood and left out", place)
            else:
                found.append(spring)
        return found

    def _spring(self, element: Element, place: str, ends: list[str]) -> dict[str, Any] | None:
        """A spring with a damper; None if the tendon is neither, or is more than that."""
        zero = "0 is taken"
        stiffness = self.values.soft_number(element, place, "stiffness", 0.0, zero) or 0.0
        damping = self.values.soft_number(element, place, "damping", 0.0, zero) or 0.0
        if self.values.soft_number(element, place, "armature", 0.0, zero):
            self.values.remark("armature (inertia along the tendon) is not kept", place)
        rest = self.values.numbers(element, place, "springlength", 1, 2, zero)
        if not set(ends) <= self.tree.sites.keys() or min(stiffness, damping) < 0.0:
            return None
        (one, X_one), (other, X_other) = (self.tree.sites[name] for name in ends)
        if one is other or not (stiffness or damping):
            return None
        if rest is None or rest[0] < 0.0:  # as long as it is where all joints are at `ref`
            gap = (one.X_WB @ X_one)[:3, 3] - (other.X_WB @ X_other)[:3, 3]
            rest = [float(np.linalg.norm(gap))]
        if len(rest) == 2 and rest[0] != rest[1]:
            return None
        return {
            "name": self.names.own("spring", element, f"{one.name}/{other.name}"),
            "link_a": one.name,
            "point_a": [float(value) for value in X_one[:3, 3]],
            "link_b": other.name,
            "point_b": [float(value) for value in X_other[:3, 3]],
            "stiffness": stiffness,
            "rest_length": rest[0],
            "damping": damping,
        }
