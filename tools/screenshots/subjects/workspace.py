"""Where the roadheader's head can be."""

from __future__ import annotations

from ..studio import Studio


def take_workspace(studio: Studio) -> None:
    """The volume before the machine, seen over its tail."""
    camera = studio.open("roadheader", "--scene", "yard")
    camera.stop_at(2.0)
    camera.click("tool-workspace", "workspace-start")
    camera.until("view.overlay.group.getObjectByName('workspace') !== undefined")
    camera.stand(2.6, 0.3, 13.5, (3.0, 0.0, 1.5))
    camera.take("workbench/workspace")


PICTURES = {"workspace": take_workspace}
