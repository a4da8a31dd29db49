"""Figures over time."""

from __future__ import annotations

from ..studio import Studio

STANDING = ("shovel_plate", "stabiliser_left", "stabiliser_right")
MOVED = {"boom": 0.9, "slew": 0.85, "telescope": 0.9}  # to these parts of their strokes
BETWEEN = 2.0  # simulated time from one to the next [s]


def take_plots(studio: Studio) -> None:
    """The boom is lifted and the head slewed, under forces."""
    camera = studio.open("roadheader", "--scene", "yard")
    camera.send(type="set_physics", dynamics=True)
    camera.until("facts.status.dynamics && !facts.loading")
    camera.click("tool-plots", "plots-choose")
    camera.click(*(f"plots-{kind}-{group}" for kind in ("length", "force") for group in STANDING))
    camera.click("plots-choose")
    camera.send(type="restart")
    camera.until("store.frame.time < 1")
    camera.wait(BETWEEN)
    for group, part in MOVED.items():
        goal = camera.part(group, part)
        camera.insist(
            lambda group=group, goal=goal: camera.go_to(group, goal),
            f"facts.status.targets.{group} !== undefined",
        )
        camera.wait(BETWEEN)
    camera.wait(BETWEEN)
    camera.pause()
    camera.find("plots-span").select_option("10")
    box = camera.find("plot-length").locator(".u-over").bounding_box()
    assert box is not None
    pointed = (box["x"] + 0.55 * box["width"], box["y"] + 0.4 * box["height"])
    camera.stand(-0.74, 0.14, 12.0, (3.6, 0.0, 2.3))
    camera.take("workbench/plots", pointed)


PICTURES = {"plots": take_plots}
