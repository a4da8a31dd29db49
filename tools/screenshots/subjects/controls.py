"""The editor of keys and sticks."""

from __future__ import annotations

from ..studio import Studio


def take_controls(studio: Studio) -> None:
    """It waits for a key."""
    camera = studio.open("roadheader")
    camera.stop_at(2.0)
    camera.click("tool-controls", "bind-plus-telescope")
    camera.take("workbench/controls")


PICTURES = {"controls": take_controls}
