"""Recordings."""

from __future__ import annotations

from ..camera import Camera
from ..studio import Studio

LOW, HIGH = "Low cut", "High cut"
BY = {LOW: -0.12, HIGH: 0.14}  # from home, of the boom's cylinders [m]


def take_record(studio: Studio) -> None:
    """Two runs of the roadheader: one again, and the other as its ghost."""
    camera = studio.open("roadheader", "--scene", "yard")
    camera.click("tool-record")
    for name, by in BY.items():
        record(camera, name, by)
    camera.click(f"open-{HIGH}")
    camera.until("store.replayed !== null")
    camera.find("film-compare").select_option(LOW)
    camera.until("view.overlay.group.getObjectByName('ghost cutter_head') !== undefined")
    camera.find("film-scrub").evaluate(
        "e => { e.value = 0.97 * e.max; e.dispatchEvent(new Event('input')); }"
    )
    camera.stand(-0.78, 0.14, 11.0, (3.8, 0.0, 1.9))
    camera.take("workbench/record")


def record(camera: Camera, name: str, by: float) -> None:
    """Record how the boom goes up or down."""
    camera.send(type="restart")
    camera.until("store.frame.time < 1")
    goal = camera.length("boom") + by
    camera.find("record-field").fill(name)
    camera.click("record-go")
    camera.bring(boom=goal)
    camera.click("record-go")
    camera.until("!facts.recording.on")
    camera.find(f"open-{name}").wait_for()


PICTURES = {"record": take_record}
