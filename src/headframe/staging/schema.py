"""JSON Schema of scene files."""

from __future__ import annotations

from typing import Any

from ..description import titled, with_shapes
from .scene import MOST_STANDS, MOST_THINGS, Scene

WORDS: dict[str, dict[str, str]] = {
    "Scene": {
        "": "Machines, where they stand, and what is around them. Metres and radians; z is up.",
        "headframe_scene": "Version of the format, 1; it says that the file is a scene.",
        "name": "Name of the scene.",
        "environment": "The surroundings.",
        "machines": "Kinds of machines, each with its place.",
        "bodies": "What lies about and nothing holds: boxes, stones, links of a chain.",
        "statics": "What stands fast and is touched: walls, ramps.",
        "materials": "Materials of surfaces that touch, beside those that Headframe knows: steel, "
        "rubber, wood, concrete, rock, ground. One of these names takes their place here.",
        "guest": "Where one more machine may stand, which is chosen later; absent or null if there "
        "is no room.",
        "drive": "Name of the stand that is driven at first; the first of all if absent.",
    },
    "Placement": {
        "": "A pose.",
        "xyz": "Place of the origin: x, y, z [m].",
        "rpy": "Roll, pitch and yaw about the fixed axes x, y and z [rad].",
    },
    "Tunnel": {
        "": "A roadway around the machine, with its face ahead.",
        "kind": "Kind of surroundings.",
    },
    "Longwall": {
        "": "A longwall face: supports in a row along y, the coal ahead of them.",
        "kind": "Kind of surroundings.",
        "seam": "Height of the roof above the floor [m].",
        "conveyor": "x of the middle of the armoured face conveyor [m].",
        "face": "x of the coal face [m].",
    },
    "Yard": {
        "": "Level ground under the sky, with a fence around.",
        "kind": "Kind of surroundings.",
        "length": "Length along x, about the origin [m].",
        "width": "Width along y, about the origin [m].",
        "fence": "Height of the fence [m].",
    },
    "LooseBody": {
        "": "Bodies of one kind that nothing holds, in a row. Each has either mass or density.",
        "name": "Name of the body, or of the row; no other body or static has it.",
        "shapes": "What it is made of, in its own axes: a shape or a list of shapes.",
        "mass": "Mass of each [kg], more than 0.",
        "density": "In place of the mass: density of all its shapes [kg/m^3], more than 0.",
        "at": "Where the first is in the world.",
        "material": "Name of the material of its surfaces, where a shape names none; steel if "
        "absent.",
        "count": "How many there are.",
        "step": "Where the next one is, in the axes of the one before.",
    },
    "StaticBody": {
        "": "What stands fast and is touched.",
        "name": "Name of it; no other body or static has it.",
        "shapes": "What it is made of, in its own axes: a shape or a list of shapes.",
        "at": "Where it is in the world.",
        "material": "Name of the material of its surfaces, where a shape names none; steel if "
        "absent.",
    },
    "Stand": {
        "": "Machines of one kind that stand in a row.",
        "name": "Name of the stand; no other stand has it.",
        "machine": "A name of the catalogue, or the path of a .json, .mrdf or .urdf file in this "
        "file's folder or below.",
        "base": '"free": under forces it stands on the ground and can be pushed; "fixed": it '
        "stays where it is; as the machine's file says if absent or null.",
        "origin": "Where the first of them stands in the world.",
        "count": "How many there are.",
        "step": "Where the next one stands, in the axes of the one before.",
    },
}


def scene_schema() -> dict[str, Any]:
    """The schema, draft 2020-12; it describes files with the key ``"headframe_scene"``."""
    schema = Scene.model_json_schema(by_alias=True)
    schema["properties"]["machines"]["maxItems"] = MOST_STANDS
    for key, name in (("bodies", "LooseBody"), ("statics", "StaticBody")):
        schema["properties"][key]["maxItems"] = MOST_THINGS
        fields = schema["$defs"][name]["properties"]
        many = fields["shapes"]
        fields["shapes"] = {"anyOf": [many, many["items"]]}  # one may stand without its list
    return titled(with_shapes(schema, "Scene", WORDS), "Headframe scene 1")
