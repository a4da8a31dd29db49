"""Geoms of MJCF: what is seen of a body, what is touched, and what has mass.

MuJoCo shows the groups 0 to 2 unless told otherwise, and lets touch what has a `contype` or
`conaffinity`. Models of the field keep to that: their class `visual` has group 2 and touches
nothing, their class `collision` has group 3. Where nothing would be seen at all, the shapes that
touch are seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from ...errors import MassError, MeshError, MissingFieldError, NameUnknownError, ValueRangeError
from ...spatial import compose
from ..urdf_shapes import LEFT_OUT, Shapes
from ..urdf_values import called, short
from .assets import Assets, MeshAsset
from .compiler import Settings
from .inertia import Solid, primitive, together
from .places import Floats, as_fields, z_along
from .tree import MjcfBody
from .values import MjcfValues

SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
NO_BODIES = ("plane", "hfield", "sdf")  # surroundings, and what MRDF has no word for
KINDS = (*SIZES, *NO_BODIES, "mesh")
LAST_SEEN = 2  # group
DENSITY = 1000.0  # [kg/m^3]


@dataclass(eq=False)
class Geom:
    """A shape: its kind and sizes as MJCF has them, its pose in its body, its mesh if it is one."""

    element: Element
    place: str
    kind: str
    size: list[float]
    X_BG: Floats
    mesh: MeshAsset | None
    group: int

    @property
    def touches(self) -> bool:
        """Whether it touches anything."""
        return any(self.element.get(key, "1").strip() != "0" for key in ("contype", "conaffinity"))


class Geoms:
    """Reads the geoms of bodies."""

    def __init__(
        self, settings: Settings, values: MjcfValues, assets: Assets, shapes: Shapes
    ) -> None:
        self.settings, self.values, self.assets, self.shapes = settings, values, assets, shapes
        self._solids: dict[MeshAsset, Solid | None] = {}

    def of(self, body: MjcfBody) -> list[Geom]:
        """The geoms of a body; those that cannot be used are left out with a note."""
        found = [self._geom(element, X, body) for element, X in body.geoms]
        return [geom for geom in found if geom is not None]

    def _geom(self, element: Element, X_BG: Floats, body: MjcfBody) -> Geom | None:
        place = f"{body.place}/{called('geom', element)}"
        kind = self.values.word(element, place, "type", "sphere", KINDS)
        group = self.values.soft_number(element, place, "group", 0.0, "0 is taken")
        geom = Geom(element, place, kind, [], X_BG, None, int(group or 0))
        if kind in NO_BODIES:
            self.values.ignored[f"geom type={kind}"] += 1
            return None
        if "mesh" in element.attrib:
            return self._of_mesh(geom)
        if kind == "mesh":
            message = "no mesh is named"
            self.values.forgive(MissingFieldError, place, element, message, LEFT_OUT)
            return None
        return self._sized(geom)

    def _of_mesh(self, geom: Geom) -> Geom | None:
        name = geom.element.get("mesh", "")
        if name not in self.assets.mesh_names:
            message = f"there is no mesh {short(name)} among the assets"
            self.values.forgive(NameUnknownError, geom.place, geom.element, message, LEFT_OUT)
            return None
        geom.mesh = self.assets.mesh(name)
        if geom.kind != "mesh":
            self.values.remark("the shape that MuJoCo fits to its mesh is the mesh", geom.place)
            geom.kind = "mesh"
        return None if geom.mesh is None else geom

    def _sized(self, geom: Geom) -> Geom | None:
        """A primitive; `fromto` gives its middle, its direction and its length."""
        element, place, count = geom.element, geom.place, SIZES[geom.kind]
        size = self.values.numbers(element, place, "size", 1, 3, LEFT_OUT) or []
        fromto = None
        if geom.kind != "sphere":
            fromto = self.values.numbers(element, place, "fromto", 6, 6, LEFT_OUT)
        if fromto is not None and size:
            start, end = np.array(fromto[:3]), np.array(fromto[3:])
            R = z_along(start - end)
            if R is None:
                message = "found a fromto whose ends are one point"
                self.values.forgive(ValueRangeError, place, element, message, LEFT_OUT)
                return None
            half = float(np.linalg.norm(end - start)) / 2
            size = [size[0], half] if count == 2 else [size[0], size[0], half]
            geom.X_BG = geom.X_BG @ compose(R, (start + end) / 2)
        if len(size) < count:
            told = short(element.get("size", ""))
            message = f"found size {told}, expected {count} numbers for a {geom.kind}"
            self.values.forgive(ValueRangeError, place, element, message, LEFT_OUT)
            return None
        geom.size = size[:count]
        if min(geom.size) <= 0.0 or max(geom.size) > 1e6:
            told = short(" ".join(f"{value:g}" for value in geom.size))
            message = f"found size {told}, expected more than 0 and at most 1e6"
            self.values.forgive(ValueRangeError, place, element, message, LEFT_OUT)
            return None
        return geom

    # -------------------------------------------------------------- pictures

    def is_seen(self, geom: Geom) -> bool:
        """Whether MuJoCo shows it unless told otherwise."""
        return geom.group <= LAST_SEEN

    def shape(self, geom: Geom) -> dict[str, Any]:
        """A geom as MRDF has shapes."""
        X = geom.X_BG
        if geom.mesh is not None:
            content, X = dict(geom.mesh.geometry), X @ geom.mesh.X_GM
        else:
            content, turn = self._content(geom)
            X = X @ compose(turn, np.zeros(3))
        shape: dict[str, Any] = {**as_fields(X), "geometry": content}
        name = geom.element.get("name", "")
        if 0 < len(name) <= 256:
            shape["name"] = name
        color = self.assets.color(geom.element, geom.place)
        if color is not None:
            shape["material"] = {"color": color}
        return shape

    def _content(self, geom: Geom) -> tuple[dict[str, Any], Floats]:
        """Our words for a primitive, and how it is turned in the geom's axes, (3, 3)."""
        size, still = geom.size, np.eye(3)
        if geom.kind == "sphere":
            return {"type": "sphere", "r": size[0]}, still
        if geom.kind == "box":
            sides = zip("xyz", size, strict=True)
            return {"type": "box"} | {key: 2.0 * value for key, value in sides}, still
        if geom.kind == "cylinder":
            return {"type": "cylinder", "r1": size[0], "r2": size[0], "h": 2.0 * size[1]}, still
        if geom.kind == "capsule":
            return {"type": "capsule", "r": size[0], "h": 2.0 * size[1]}, still
        self.values.remark("an ellipsoid is seen as a capsule along its longest axis", geom.place)
        longest = int(np.argmax(size))
        r = (sum(size) - size[longest]) / 2.0
        turn = np.roll(np.eye(3), longest - 2, axis=0)  # takes z to the longest axis
        if size[longest] - r < 1e-3 * r:
            return {"type": "sphere", "r": size[longest]}, still
        return {"type": "capsule", "r": r, "h": 2.0 * (size[longest] - r)}, turn

    # ------------------------------------------------------------------ mass

    def solid(self, geoms: Sequence[Geom]) -> Solid | None:
        """What the geoms of a body weigh together; None if nothing."""
        first, last = self.settings.groups
        solids = [self._solid(geom) for geom in geoms if first <= geom.group <= last]
        return together([solid for solid in solids if solid is not None])

    def _solid(self, geom: Geom) -> Solid | None:
        mass = self.values.soft_number(geom.element, geom.place, "mass", -1.0, "0 is taken")
        density = self.values.soft_number(geom.element, geom.place, "density", DENSITY, "1000")
        given = "mass" in geom.element.attrib
        if mass is None or density is None or (given and mass == 0.0) or density == 0.0:
            return None
        if (given and mass < 0.0) or density < 0.0:
            told = f"mass {mass:g}" if given else f"density {density:g}"
            message = f"found {told}, expected at least 0"
            self.values.forgive(MassError, geom.place, geom.element, message, "0 is taken")
            return None
        if geom.element.get("shellinertia", "false").strip() == "true" and geom.mesh is None:
            self.values.remark("the inertia is that of a solid, not of a shell", geom.place)
        unit = primitive(geom.kind, geom.size) if geom.mesh is None else self._mesh(geom)
        if unit is None:
            return None
        return unit.scaled(mass / unit.mass if given else density).seen_from(geom.X_BG)

    def _mesh(self, geom: Geom) -> Solid | None:
        """A mesh with density 1, read once; None and a note if that cannot be done."""
        asset = geom.mesh
        if asset is None:
            return None
        if asset not in self._solids:
            try:
                self._solids[asset] = asset.solid()
                reason = "its mesh has no volume, or no file"
            except Exception as error:  # of whatever class readers of meshes raise
                self._solids[asset] = None
                reason = f"its mesh cannot be read: {str(error)[:200]}"
            if self._solids[asset] is None:
                instead = "its mass is left out"
                self.values.forgive(MeshError, geom.place, geom.element, reason, instead)
        return self._solids[asset]
