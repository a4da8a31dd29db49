"""JSON Schema of scene files."""

from __future__ import annotations

from typing import Any

from ..description import described, titled
from .scene import MOST_STANDS, Scene

WORDS: dict[str, dict[str, str]] = {
    "Scene": {
        "": "Machines, where they stand, and what is around them. Metres and radians; z is up.",
        "headframe_scene": "Version of the format, 1; it says that the file is a scene.",
        "name": "Name of the scene.",
        "environment": "The surroundings.",
        "machines": "Kinds of machines, each with its place.",
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
    "Stand": {
        "": "Machines of one kind that stand in a row.",
        "name": "Name of the stand; no other stand has it.",
        "machine": "A name of the catalogue, or the path of a .json, .mrdf or .urdf file in this "
        "file's folder or below.",
        "origin": "Where the first of them stands in the world.",
        "count": "How many there are.",
        "step": "Where the next one stands, in the axes of the one before.",
    },
}


def scene_schema() -> dict[str, Any]:
    """The schema, draft 2020-12; it describes files with the key ``"headframe_scene"``."""
    schema = Scene.model_json_schema(by_alias=True)
    schema["properties"]["machines"]["maxItems"] = MOST_STANDS
    return titled(described(schema, "Scene", WORDS), "Headframe scene 1")
