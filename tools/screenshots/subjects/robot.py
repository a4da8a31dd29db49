"""A robot from a URDF file, planned for: docs/urdf.md."""

from __future__ import annotations

from ..camera import Camera
from ..files import ROOT
from ..studio import Studio

FILE = ROOT / "docs" / "examples" / "picker_description" / "urdf" / "picker.urdf"
PLACES = ((0.5, -0.9), (0.9, -0.2), (0.6, 0.7))  # shoulder and slew at via points [rad]


def take(studio: Studio) -> None:
    """The way of a finger through three places, and the servos over time."""
    camera = studio.open(str(FILE))
    camera.click("tool-path")
    camera.find("path-link").select_option("left_finger")
    for shoulder, slew in PLACES:
        bring(camera, shoulder=shoulder, slew=slew)
        camera.click("path-here")
    camera.click("path-plan")
    camera.until("view.overlay.group.getObjectByName('ribbon')")
    camera.find("path-export-csv").scroll_into_view_if_needed()
    camera.pause()
    camera.take("workbench/robot")


def bring(camera: Camera, **positions: float) -> None:
    """Bring servos to positions [rad], all at once."""
    joint = "store.frame.joints[facts.scene.machine.joints.findIndex((each) => each.name === '{}')]"
    camera.insist(
        lambda: [camera.go_to(name, wanted) for name, wanted in positions.items()],
        " && ".join(
            f"Math.abs({joint.format(name)} - {wanted}) < 1e-4"
            for name, wanted in positions.items()
        ),
    )


PICTURES = {"robot": take}
