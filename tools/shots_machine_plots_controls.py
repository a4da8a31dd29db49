"""Take pictures of three tools of the workbench for the documentation.

    python tools/shots_machine_plots_controls.py                 all three
    python tools/shots_machine_plots_controls.py --only plots    one

`machine` shows what is wrong with a file, `plots` a boom that is lifted in dynamic mode, `controls`
the editor while it waits for a key. They go to docs/_static/workbench.
"""

from __future__ import annotations

import argparse
import io
import json
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import browser
from headframe.description.archive import pack
from headframe.description.jsonc import parse
from screenshots import LARGEST, PATIENCE, QUALITY, ROOT, SIZE, Camera, tell_of

FOLDER = ROOT / "docs" / "_static" / "workbench"
NAMES = ("machine", "plots", "controls")
TRIES = 50
RUN = 14.0  # simulated time that the plots show [s]


def main() -> int:
    """Make the pictures."""
    parser = argparse.ArgumentParser(description="Take pictures of tools of the workbench.")
    parser.add_argument("--only", nargs="+", choices=NAMES, help="pictures to make")
    parser.add_argument("--quality", default="low", help="of the picture behind: low to high")
    given = parser.parse_args()
    path = browser.find()
    if path is None:
        print("no browser found: install chromium, or set HEADFRAME_BROWSER")
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    server = subprocess.Popen(
        [sys.executable, "-m", "headframe", "run", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        with sync_playwright() as playwright:
            started = playwright.chromium.launch(executable_path=path, args=browser.flags())
            context = started.new_context(viewport=SIZE, locale="en-GB", reduced_motion="reduce")
            page = context.new_page()
            page.goto(address, timeout=1000 * PATIENCE)
            camera = Camera(page, given.only)
            camera.until("facts.scene && !facts.loading && store.frame && store.hasSeat")
            page.get_by_test_id("quality").select_option(given.quality)
            camera.show("hf-readouts, .banners", False)
            for name in NAMES:
                if camera.wants(name):
                    {"machine": machine, "plots": plots, "controls": controls}[name](camera)
            started.close()
    finally:
        server.terminate()
        server.wait()
    return 0


def machine(camera: Camera) -> None:
    """An archive with mistakes in its machine file."""
    described, _ = parse((ROOT / "docs" / "examples" / "lift.json").read_text())
    described["joints"][0]["parent"] = "basis"
    described["actuators"][0]["bound"] = {"lower": 1.4, "upper": 0.9}
    described["colour"] = "yellow"
    files = {"lift.json": json.dumps(described, indent=2).encode()}
    camera.choose("roadheader")
    camera.click("tool-machine")
    camera.page.get_by_test_id("machine-file").set_input_files(
        {"name": "lift.zip", "mimeType": "application/zip", "buffer": pack(files)}
    )
    camera.page.get_by_test_id("machine-problems").wait_for(timeout=1000 * PATIENCE)
    take(camera, "machine")
    camera.click("close-tool")


def plots(camera: Camera) -> None:
    """The boom is lifted and the head slewed, under forces."""
    camera.choose("roadheader")
    camera.send({"type": "restart"})
    camera.send({"type": "set_physics", "dynamics": True})
    camera.until("facts.status.dynamics && !facts.loading")
    camera.click("tool-plots")
    camera.click("plots-choose")
    for kind in ("length", "force"):
        for group in ("shovel_plate", "stabiliser_left", "stabiliser_right"):
            camera.click(f"plots-{kind}-{group}")
    for group in ("boom", "slew", "telescope"):
        camera.click(f"plots-speed-{group}")
    camera.click("plots-choose")
    camera.page.evaluate("headframe.view.render = () => {}")  # so that levers live on any computer
    camera.send({"type": "pause", "on": False})
    for group, part, after in (("boom", 0.9, 4.0), ("slew", 0.85, 6.0), ("telescope", 0.9, 8.0)):
        camera.until(f"store.frame.time > {after}")
        go_to(camera, group, part)
    camera.until(f"store.frame.time > {RUN}")
    camera.send({"type": "rewind", "time": RUN})
    camera.until("facts.status.paused")
    camera.page.evaluate("delete headframe.view.render")
    camera.page.get_by_test_id("plots-span").select_option("10")
    box = camera.page.get_by_test_id("plot-length").locator(".u-over").bounding_box()
    assert box is not None
    camera.settle()
    camera.page.mouse.move(box["x"] + 0.55 * box["width"], box["y"] + 0.4 * box["height"])
    take(camera, "plots", settle=False)
    camera.click("close-tool")
    camera.send({"type": "set_physics", "dynamics": False})


def go_to(camera: Camera, group: str, part: float) -> None:
    """Send a group to a part of its stroke, again where a late heartbeat has undone it."""
    of = f"facts.scene.machine.groups.find(({{ name }}) => name === '{group}')"
    lower, upper = camera.tell(f"(({{ lower, upper }}) => [lower, upper])({of})")
    length = lower + part * (upper - lower)
    for _ in range(TRIES):
        camera.until("facts.status.presence === ''")
        camera.send({"type": "go_to", "group": group, "length": length})
        camera.page.wait_for_timeout(200)
        if camera.tell(f"facts.status.targets.{group} !== undefined"):
            return
    raise SystemExit(f"{group} never went to {length:.3f} m")


def controls(camera: Camera) -> None:
    """The editor, which waits for a key."""
    camera.choose("roadheader")
    camera.click("tool-controls")
    camera.click("bind-plus-telescope")
    take(camera, "controls")
    camera.click("controls-cancel")
    camera.click("close-tool")


def take(camera: Camera, name: str, settle: bool = True) -> None:
    """Take the picture of the page."""
    if settle:
        camera.settle()
    taken = camera.page.screenshot(timeout=1000 * PATIENCE)
    path = FOLDER / f"{name}.jpg"
    Image.open(io.BytesIO(taken)).convert("RGB").save(path, quality=QUALITY, optimize=True)
    assert path.stat().st_size < LARGEST, path
    tell_of(Path(path))


if __name__ == "__main__":
    sys.exit(main())
