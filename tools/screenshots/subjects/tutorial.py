"""The steps of docs/tutorial.md."""

from __future__ import annotations

from ..camera import Camera
from ..files import ROOT
from ..studio import Studio

FILE = ROOT / "docs" / "examples" / "my_support.json"
PLACES = (
    {"legs": 1.7, "tilt": 1.5, "push": 1.2},
    {"legs": 1.9, "tilt": 1.48, "push": 1.5},
    {"legs": 2.1, "tilt": 1.45, "push": 1.3},
)  # lengths at via points [m]


def take_drive(studio: Studio) -> None:
    """The support, with its legs a little longer."""
    camera = begin(studio)
    camera.bring(**PLACES[1])
    finish(camera, "drive")


def take_workspace(studio: Studio) -> None:
    """Where the forepole's tip can be."""
    camera = begin(studio)
    camera.click("tool-workspace", "workspace-start")
    camera.find("workspace-facts").wait_for()
    camera.until("view.overlay.group.getObjectByName('workspace') !== undefined")
    finish(camera, "workspace")


def take_path(studio: Studio) -> None:
    """A path through three places that were driven to."""
    camera = begin(studio)
    camera.click("tool-path")
    for lengths in PLACES:
        camera.bring(**lengths)
        camera.click("path-here")
    camera.click("path-oriented", "path-plan")
    camera.until("view.overlay.group.getObjectByName('ribbon')")
    camera.find("path-export-csv").scroll_into_view_if_needed()
    finish(camera, "path")


def begin(studio: Studio) -> Camera:
    """Drive the tutorial's machine."""
    return studio.open(str(FILE))


def finish(camera: Camera, name: str) -> None:
    """Take a picture of the support from its side."""
    camera.pause()
    camera.stand(-0.36, 0.1, 12.0, (2.9, 0.2, 2.0))
    camera.take(f"workbench/tutorial_{name}")


PICTURES = {
    "tutorial_drive": take_drive,
    "tutorial_workspace": take_workspace,
    "tutorial_path": take_path,
}
