"""All about a part."""

from __future__ import annotations

from ..studio import Studio


def take_inspect(studio: Studio) -> None:
    """The boom of a roadheader with all axes and centres of mass."""
    camera = studio.open("roadheader", "--scene", "yard")
    camera.stop_at(2.0)
    camera.click("tool-inspect")
    camera.find("inspect-axes").check()
    camera.find("inspect-centres").check()
    camera.find("inspect-link").select_option("boom")
    camera.page.wait_for_timeout(500)  # the solver's figures
    camera.stand(-0.78, 0.2, 9.0, (2.8, 0.0, 1.5))
    camera.take("workbench/inspect")


PICTURES = {"inspect": take_inspect}
