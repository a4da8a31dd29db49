"""Take the picture of the path tool for the documentation: `python tools/picture_path.py`.

A cross-section is laid out and planned as in docs/workbench/path.md, and seen in the page.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

import browser
from screenshots import LARGEST, PATIENCE, QUALITY, ROOT, Camera, tell_of

FILE = ROOT / "docs" / "_static" / "workbench" / "path.jpg"
SIZE = {"width": 1280, "height": 900}
TURN = 315  # pixels that the mouse drags
CUT = {
    "width": 4.0, "wall": 1.8, "rise": 1.4, "depth": 5.6, "diameter": 1.0, "floor": 0.0,
    "centre": 0.0,
}  # fmt: skip


def main() -> int:
    """Make the picture."""
    path = browser.find()
    if path is None:
        print("no browser found: install chromium, or set HEADFRAME_BROWSER")
        return 1
    FILE.parent.mkdir(parents=True, exist_ok=True)
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
            context.set_default_timeout(1000 * PATIENCE)
            page = context.new_page()
            page.goto(address)
            take(Camera(page, None), FILE)
            started.close()
    finally:
        server.terminate()
        server.wait()
    return 0


def take(camera: Camera, file: Path) -> None:
    """Lay the cut, plan it, and take the picture."""
    page = camera.page
    camera.until("facts.scene && !facts.loading && store.frame && store.hasSeat")
    camera.until("facts.scene.machine.links.every(view.worldMatrix, view)")
    page.get_by_test_id("quality").select_option("low")
    camera.click("tool-path")
    page.get_by_test_id("path-cut").locator("summary").click()
    for name, value in CUT.items():
        page.get_by_test_id(f"cut-{name}").fill(str(value))
        page.get_by_test_id(f"cut-{name}").press("Tab")
    camera.click("cut-make")
    camera.until("view.overlay.group.getObjectByName('vias')?.count > 20")
    page.get_by_test_id("path-cut").locator("summary").click()
    camera.click("path-plan")
    camera.until("view.overlay.group.getObjectByName('ribbon')")
    page.get_by_test_id("path-export-csv").scroll_into_view_if_needed()
    at_middle(page)
    walk_behind(page)
    camera.show("hf-readouts, .banners", False)
    camera.settle()
    page.screenshot(path=file, type="jpeg", quality=QUALITY, caret="hide")
    assert file.stat().st_size <= LARGEST
    tell_of(file)


def at_middle(page: Page) -> None:
    """Point at the middle of the path's time."""
    box = page.get_by_test_id("path-lengths").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.43 * box["width"], box["y"] + 0.5 * box["height"])


def walk_behind(page: Page) -> None:
    """Look at the face past the machine, from behind."""
    box = page.locator("canvas").bounding_box()
    assert box is not None
    x, y = box["x"] + 0.4 * box["width"], box["y"] + 0.5 * box["height"]
    for _ in range(2):
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + TURN, y, steps=4)
        page.mouse.up()


if __name__ == "__main__":
    sys.exit(main())
