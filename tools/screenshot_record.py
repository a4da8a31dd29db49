"""Take the picture of the tool for recordings: `python tools/screenshot_record.py`.

Starts a server with an empty folder of recordings, records two runs of the roadheader, and takes
the first with the second as a ghost: docs/_static/workbench/record.jpg.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import browser
from screenshots import PATIENCE, SIZE, Camera

PICTURE = Path(__file__).parents[1] / "docs" / "_static" / "workbench" / "record.jpg"
LENGTHS = {"Low cut": -0.08, "High cut": 0.12}  # of the boom, from home [m]
QUALITY = 82


def main() -> int:
    """Make the picture."""
    path = browser.find()
    if path is None:
        print("no browser found: install chromium, or set HEADFRAME_BROWSER")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "headframe", "run", "--no-browser", "--port", "0",
             "--recordings", folder],
            stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            with sync_playwright() as playwright:
                started = playwright.chromium.launch(executable_path=path, args=browser.flags())
                page = started.new_context(viewport=SIZE, locale="en-GB").new_page()
                page.goto(address, timeout=1000 * PATIENCE)
                take(Camera(page, None))
                started.close()
        finally:
            server.terminate()
            server.wait()
    return 0


def take(camera: Camera) -> None:
    """Record two runs, and show both."""
    camera.until("facts.scene && !facts.loading && store.frame && store.hasSeat")
    camera.until("facts.scene.machine.links.every(view.worldMatrix, view)")
    camera.page.get_by_test_id("quality").select_option("low")
    camera.show("hf-readouts", False)
    camera.click("tool-record")
    for name, by in LENGTHS.items():
        record(camera, name, by)
    camera.click("open-High cut")
    camera.until("store.replayed !== null")
    camera.page.get_by_test_id("film-compare").select_option("Low cut")
    camera.until("view.overlay.group.getObjectByName('ghost cutter_head') !== undefined")
    camera.page.get_by_test_id("film-scrub").evaluate(
        "e => { e.value = 0.97 * e.max; e.dispatchEvent(new Event('input')); }"
    )
    camera.page.mouse.move(420, 400)
    camera.page.mouse.wheel(0, 500)  # a step back, so that both booms are seen
    camera.page.wait_for_timeout(4000)
    shot = camera.page.screenshot(timeout=1000 * PATIENCE)
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    Image.open(io.BytesIO(shot)).convert("RGB").save(PICTURE, quality=QUALITY, optimize=True)
    print(f"{PICTURE}: {PICTURE.stat().st_size:,} bytes")


def record(camera: Camera, name: str, by: float) -> None:
    """Record how the boom goes up or down."""
    camera.send({"type": "restart"})
    camera.page.wait_for_timeout(500)
    group = camera.tell("facts.scene.machine.groups.findIndex(({ name }) => name === 'boom')")
    groups = camera.tell("facts.scene.machine.groups")
    lifted = groups[max(group, 0)]
    at = lifted["cylinders"][0]
    goal = camera.tell(f"store.frame.lengths[{at}]") + by
    camera.page.get_by_test_id("record-field").fill(name)
    camera.click("record-go")
    there = f"Math.abs(store.frame.lengths[{at}] - {goal}) < 2e-3"
    while not camera.tell(there):  # levers may die where pictures take long
        if camera.tell(f"facts.status.targets['{lifted['name']}'] === undefined"):
            camera.send({"type": "go_to", "group": lifted["name"], "length": goal})
        camera.page.wait_for_timeout(400)
    camera.click("record-go")
    camera.until("!facts.recording.on")
    camera.page.get_by_test_id(f"open-{name}").wait_for()


if __name__ == "__main__":
    sys.exit(main())
