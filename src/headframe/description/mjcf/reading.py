"""Reading MJCF: an XML file becomes the raw form of a canonical MRDF file.

A body is a link; its joints, in their order, are joints with links without mass between them,
which are called like the joint that moves them. The link of a body has the body's own frame, and
joints have MuJoCo's positions: where a body stands at `ref`, the joint's position is `ref`.

What makes the mechanism ambiguous is a problem, and what is not understood is named in a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ...errors import ValueRangeError
from ..joint_kinds import JOINT_KINDS
from ..packages import Library
from ..safe_xml import parse_forgiving
from ..urdf import Parsed
from ..urdf_shapes import Shapes
from .assets import Assets
from .bodies import as_inertial, solids_of
from .compiler import read_settings
from .defaults import Defaults
from .drives import DriveReader
from .equalities import EqualityReader, MjcfClosure, closing_joints
from .home import home_of
from .includes import DEEPEST, Includes
from .places import Floats, Places, as_fields
from .shapes import Geom, Geoms
from .tree import Freedom, MjcfBody, MjcfTree, TreeReader
from .values import MjcfNames, MjcfValues

TYPES = {kind.mjcf: kind.name for kind in JOINT_KINDS.values() if kind.mjcf and not kind.is_hinge}
KEPT = {"damping": "damping", "frictionloss": "friction", "armature": "armature"}
READ = {
    "compiler", "option", "default", "asset", "worldbody", "contact", "equality", "actuator",
    "tendon", "keyframe",
}  # fmt: skip


def parse_mjcf(data: bytes, library: Library | None = None, strict: bool = False) -> Parsed:
    """Turn an MJCF file into the raw form of canonical MRDF.

    Args:
        data: the file.
        library: finds its meshes and the files that it includes; if None they are not looked for.
        strict: whether meshes that are missing, and values that are otherwise forgiven with a
            note, are problems.
    """
    root, problems, notes = parse_forgiving(data, DEEPEST)
    if root is None:
        return Parsed(None, problems)
    reader = _Reader(root, library, strict)
    machine = reader.machine()
    problems, notes = reader.values.problems, notes + reader.values.notes()
    return Parsed(machine, problems, notes, reader.shapes.meshes, reader.counts)


class _Reader:
    """Puts the parts of the file together."""

    def __init__(self, root: Element, library: Library | None, strict: bool) -> None:
        self.root = root
        self.values = MjcfValues(strict)
        Includes(self.values, library).expand(root)
        self.settings = read_settings(root, self.values)
        self.defaults = Defaults(root, self.values)
        self.places = Places(self.settings, self.values)
        self.names = MjcfNames(self.values)
        self.shapes = Shapes(root, self.values, library)
        assets = Assets(root, self.settings, self.defaults, self.values, self.shapes)
        self.geoms = Geoms(self.settings, self.values, assets, self.shapes)
        self.links: list[dict[str, Any]] = []
        self.joints: list[dict[str, Any]] = []
        self.rotors: dict[str, float] = {}  # what actuators add to the armature of their joints
        self.counts: dict[str, int] = {}

    def machine(self) -> dict[str, Any]:
        """The whole machine."""
        reader = TreeReader(self.settings, self.defaults, self.places, self.names, self.values)
        tree = reader.tree(self.root)
        self.counts = {"links": len(tree.bodies) - 1, "joints": len(tree.freedoms)}  # not the world
        equalities = EqualityReader(tree, self.defaults, self.places, self.names, self.values).read(
            self.root
        )
        drives = DriveReader(tree, self.defaults, self.names, self.values)
        springs = drives.springs(self.root)
        followers = {repeater["joint"] for repeater in equalities.repeaters}
        motors = drives.motors(self.root, followers, bool(equalities.closures))
        self.rotors = drives.rotors

        named = {id(end) for c in equalities.closures for end in (c.one, c.other)}
        held = {name for spring in springs for name in (spring["link_a"], spring["link_b"])}
        self._bodies(tree, id(tree.bodies[0]) in named or "world" in held)
        self._close(equalities.closures)
        self.shapes.stand_in(self.links, self.joints)
        self._count_others()

        machine: dict[str, Any] = {"mrdf": "1", "name": self._name()}
        if self.settings.up_axis != "z":
            machine["up_axis"] = self.settings.up_axis
        machine["links"], machine["joints"] = self.links, self.joints
        lists = {
            "motors": motors,
            "springs": springs,
            "repeaters": equalities.repeaters,
            "no_contact": self._no_contact(),
        }
        machine |= {key: content for key, content in lists.items() if content}
        home = home_of(self.root, tree, equalities.closures, equalities.repeaters, self.values)
        if home:
            machine["home"] = {"joints": home}
        return machine

    def _name(self) -> str:
        return self.root.get("model", "").strip()[:256] or "robot"

    def _no_contact(self) -> list[list[str]]:
        """Pairs of links that the file excludes from contact."""
        links = {link["name"] for link in self.links}
        pairs = []
        for element in self.root.findall("contact/*"):
            bodies = [element.get(key, "") for key in ("body1", "body2")]
            if element.tag == "exclude" and links.issuperset(bodies) and bodies[0] != bodies[1]:
                pairs.append(bodies)
            else:
                self.values.ignored[f"contact/{element.tag}"[:80]] += 1
        return pairs

    def _count_others(self) -> None:
        """Sections that say nothing about the mechanism."""
        for section in self.root:
            if section.tag in READ:
                continue
            tag = str(section.tag)[:80]
            self.values.ignored[tag] += max(len(section), 1)

    # ---------------------------------------------------------------- bodies

    def _bodies(self, tree: MjcfTree, world_is_named: bool) -> None:
        """Links and joints of all bodies; the world is a link only if something needs it."""
        world, *bodies = tree.bodies
        geoms = {body: self.geoms.of(body) for body in tree.bodies}
        solids = solids_of(bodies, geoms, self.geoms, self.settings, self.values)
        top = [body for body in bodies if body.parent is world]
        alone = len(top) == 1 and not top[0].freedoms and not geoms[world]
        if not bodies:
            message = "found no body, expected at least one"
            self.values.complain(ValueRangeError, "worldbody", self.root, message)
        any_seen = any(self.geoms.is_seen(geom) for group in geoms.values() for geom in group)
        root = top[0] if alone and not world_is_named else world
        for body in tree.bodies[1 if root is not world else 0 :]:
            link: dict[str, Any] = {"name": body.name}
            self._shapes(link, geoms[body], any_seen)
            if body in solids:
                link["inertial"] = as_inertial(solids[body])
            if body is root:
                link |= as_fields(body.X_WB)
                self.links.append(link)
            else:
                self._mount(body, link)
        self._tell_losses(tree)

    def _shapes(self, link: dict[str, Any], geoms: Sequence[Geom], any_seen: bool) -> None:
        """What is seen and what is touched of a link."""
        seen = [self.geoms.shape(g) for g in geoms if self.geoms.is_seen(g) or not any_seen]
        touched = [self.geoms.shape(g) for g in geoms if g.touches]
        if seen:
            link["visual"] = seen
        if touched:
            link["collision"] = touched

    def _mount(self, body: MjcfBody, link: dict[str, Any]) -> None:
        """The joints that lead to a body, and the links between them."""
        assert body.parent is not None
        parent, X = body.parent.name, body.X_PB
        if not body.freedoms:
            name = self.names.new("joint", f"{body.name} mount")
            joint = {"name": name, "type": "fixed", "parent": parent, "child": body.name}
            self.joints.append(joint | as_fields(X, "origin_"))
            self.links.append(link)
            return
        for freedom in body.freedoms:
            last = freedom is body.freedoms[-1]
            carried = link if last else {"name": self.names.new("body", freedom.name)}
            self.joints.append(self._joint(freedom, parent, carried["name"], X))
            after = freedom.after
            if not np.array_equal(after, np.eye(4)):
                carried |= as_fields(after)
            self.links.append(carried)
            parent, X = carried["name"], np.eye(4)

    def _joint(self, freedom: Freedom, parent: str, child: str, X: Floats) -> dict[str, Any]:
        kind = TYPES.get(freedom.kind) or ("revolute" if freedom.limit else "continuous")
        X_PJ = np.eye(4) if freedom.kind == "free" else X @ freedom.before
        joint: dict[str, Any] = {
            "name": freedom.name,
            "type": kind,
            "parent": parent,
            "child": child,
            **as_fields(X_PJ, "origin_"),
        }
        if freedom.is_single:
            joint["axis"] = [float(value) for value in freedom.axis]
        if freedom.limit is not None:
            joint["limit"] = {"lower": freedom.limit[0], "upper": freedom.limit[1]}
        for key, ours in KEPT.items():
            value = self._kept(freedom, key)
            if key == "armature":
                value += self.rotors.get(freedom.name, 0.0)
            if value:
                joint[ours] = value
        return joint

    def _kept(self, freedom: Freedom, key: str) -> float:
        """Damping, friction or armature of a joint, which are not negative."""
        if freedom.kind == "free" and freedom.element.tag == "freejoint":
            return 0.0
        most = 1 if key == "armature" else 3
        numbers = self.values.numbers(freedom.element, freedom.place, key, 1, most, "0 is taken")
        if numbers is None:
            return 0.0
        if any(numbers[1:]):
            self.values.remark(f"{key} that grows with speed: only its first number is kept")
        if numbers[0] < 0.0:
            message = f"found {numbers[0]:g}, expected at least 0"
            where = f"{freedom.place}@{key}"
            self.values.forgive(ValueRangeError, where, freedom.element, message, "0 is taken")
            return 0.0
        return numbers[0]

    def _tell_losses(self, tree: MjcfTree) -> None:
        """Name what joints have and MRDF's have not, with the largest."""
        key, largest, count = "stiffness", 0.0, 0
        for freedom in tree.freedoms.values():
            text = freedom.element.get(key)
            if text is None or freedom.element.tag == "freejoint":
                continue
            numbers = self.values.numbers(
                freedom.element, freedom.place, key, 1, 3, "it is left out"
            )
            if numbers and any(numbers):
                largest, count = max(largest, *map(abs, numbers)), count + 1
        if count:
            joints = "1 joint" if count == 1 else f"{count} joints"
            what = "springs of joints (stiffness) are not kept"
            self.values.remark(f"{what}: {joints}, at most {largest:g}")

    def _close(self, closures: Sequence[MjcfClosure]) -> None:
        """The pairs of joints that close loops."""
        joined = {frozenset((joint["parent"], joint["child"])) for joint in self.joints}
        for closure in closures:
            links, joints = closing_joints(closure, joined, self.names)
            self.links += links
            self.joints += joints
