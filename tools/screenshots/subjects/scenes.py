"""Scenes with machines in position."""

from __future__ import annotations

import math

from ..camera import Camera
from ..files import ROOT
from ..studio import Studio

DEPTH = 0.5  # by which legs are lowered at most [m]
WAVE = 12  # supports from crest to crest
LEVELS = 7
DRIVEN = ("1", "2", "3")


def take_longwall(studio: Studio) -> None:
    """The supports of a longwall, lowered in a wave."""
    camera = studio.open("--scene", "longwall")
    camera.send(type="time_scale", scale=4.0)
    legs = {group: camera.length(group) for group in ("front_legs", "rear_legs")}
    for level, units in sorted(levels(camera.tell("facts.scene.stands[0].units")).items()):
        if level:
            select(camera, units)
            depth = DEPTH * level / (LEVELS - 1)
            camera.bring(**{group: length - depth for group, length in legs.items()})
    select(camera, list(DRIVEN))
    finish(camera, "scenes_longwall")


def levels(units: list[str]) -> dict[int, list[str]]:
    """Which units are lowered how far, 0 to LEVELS - 1; the driven ones are not."""
    found: dict[int, list[str]] = {}
    first = units.index(DRIVEN[0])
    for n, name in enumerate(units):
        part = 0.5 - 0.5 * math.cos(2 * math.pi * (n - first) / WAVE)
        found.setdefault(round(part * (LEVELS - 1)), []).append(name)
    return found


def select(camera: Camera, units: list[str]) -> None:
    """Drive some units of the first stand."""
    stand = camera.tell("facts.scene.stands[0].name")
    camera.send(type="select", stand=stand, units=units)
    camera.until(f"JSON.stringify(facts.status.selected) === JSON.stringify({units})")


def take_yard(studio: Studio) -> None:
    """The yard's loader with its bucket up, and the jumbo behind it."""
    camera = studio.open("--scene", "yard")
    camera.send(type="time_scale", scale=4.0)
    camera.bring(lift=camera.part("lift", 0.7))
    camera.stand(-0.62, 0.2, 14.5, (2.2, -4.2, 1.2))
    finish(camera, "scenes_yard")


def take_store(studio: Studio) -> None:
    """A yard with things that lie about, and the loader before them."""
    camera = studio.open("--scene", str(ROOT / "docs" / "examples" / "store.json"))
    camera.wait(1.0)
    camera.stand(-0.75, 0.38, 18.0, (8.5, -0.5, 0.4))
    finish(camera, "scenes_store")


def finish(camera: Camera, name: str) -> None:
    """Pause, and take the picture."""
    camera.send(type="time_scale", scale=1.0)
    camera.pause()
    camera.page.wait_for_timeout(1000)  # units that stand are told of in turn
    camera.take(f"workbench/{name}")


PICTURES = {
    "scenes_longwall": take_longwall,
    "scenes_yard": take_yard,
    "scenes_store": take_store,
}
