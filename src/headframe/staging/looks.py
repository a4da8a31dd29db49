"""How bodies and statics of a scene look: as links of a machine do, one for each kind."""

from __future__ import annotations

from ..description import CollisionShape, Link, Material, Robot, Visual
from .scene import LooseBody, Scene, StaticBody

COLORS = {  # of shapes without a colour of their own, by their contact material
    "steel": (0.45, 0.48, 0.52, 1.0),
    "rubber": (0.12, 0.12, 0.13, 1.0),
    "wood": (0.62, 0.45, 0.27, 1.0),
    "concrete": (0.62, 0.62, 0.60, 1.0),
    "rock": (0.40, 0.38, 0.36, 1.0),
    "ground": (0.42, 0.34, 0.25, 1.0),
}


def things_as_links(scene: Scene) -> Robot | None:
    """The bodies, row by row, then the statics, each as a link; None if there are none."""
    things: tuple[LooseBody | StaticBody, ...] = (*scene.bodies, *scene.statics)
    links = tuple(
        Link.make(name=thing.name, visuals=tuple(map(_seen, thing.surfaces))) for thing in things
    )
    return Robot.make(name=scene.name, links=links) if links else None


def _seen(shape: CollisionShape) -> Visual:
    """A shape as what is seen, with a colour."""
    fields = {
        key: getattr(shape, key)
        for key in ("name", "translation", "orientation", "geometry", "material")
        if key in shape.model_fields_set
    }
    color = COLORS.get(shape.contact or "")
    if "material" not in fields and color is not None:
        fields["material"] = Material(color=color)
    return Visual.make(**fields)
