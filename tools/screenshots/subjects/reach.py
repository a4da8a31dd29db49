"""The handle on the roadheader's head, out of reach."""

from __future__ import annotations

from ..studio import Studio

GOAL = (6.6, -0.9, 4.0)  # in the simulation's axes [m]


def take_reach(studio: Studio) -> None:
    """The machine has gone as near as it can, and a ghost stands where the handle is."""
    camera = studio.open("roadheader", "--scene", "yard")
    camera.click("tool-reach")
    camera.until("view.overlay.group.getObjectByName('handle')")

    def type_in() -> None:
        for axis, value in zip("xyz", GOAL, strict=True):
            camera.find(f"reach-{axis}").fill(f"{value}")
        camera.click("reach-go")

    camera.insist(type_in, "view.overlay.group.getObjectByName('ghost cutter_head') !== undefined")
    camera.page.wait_for_timeout(1000)
    camera.pause()
    camera.stand(-0.74, 0.14, 10.5, (3.9, 0.0, 2.3))
    camera.take("workbench/reach")


PICTURES = {"reach": take_reach}
