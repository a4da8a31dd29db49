"""The way of a cutting head over a cross-section, as in docs/workbench/path.md."""

from __future__ import annotations

from ..studio import Studio

CUT = {
    "width": 4.0, "wall": 1.8, "rise": 1.4, "depth": 5.6, "diameter": 1.0, "floor": 0.0,
    "centre": 0.0,
}  # fmt: skip
POINTED = 0.43  # part of the path's time at which the mouse points


def take_path(studio: Studio) -> None:
    """The planned path before the machine, and the machine on its way."""
    camera = studio.open("roadheader")
    camera.click("tool-path")
    camera.find("path-cut").locator("summary").click()
    for name, value in CUT.items():
        camera.find(f"cut-{name}").fill(str(value))
        camera.find(f"cut-{name}").press("Tab")
    camera.click("cut-make")
    camera.until("view.overlay.group.getObjectByName('vias')?.count > 20")
    camera.find("path-cut").locator("summary").click()
    camera.click("path-plan")
    camera.until("view.overlay.group.getObjectByName('ribbon')")
    camera.find("path-export-csv").scroll_into_view_if_needed()
    box = camera.find("path-lengths").bounding_box()
    assert box is not None
    camera.page.mouse.click(box["x"] + POINTED * box["width"], box["y"] + 0.5 * box["height"])
    camera.pause()
    camera.stand(-0.55, 0.15, 10.0, (4.2, 0.2, 1.5))
    camera.take("workbench/path")


PICTURES = {"path": take_path}
