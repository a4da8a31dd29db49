"""Take the picture of the workspace tool for the documentation.

    python tools/workspace_picture.py [QUALITY]

Starts a server and a browser, lets the roadheader's reach be computed, and writes
docs/_static/workbench/workspace.jpg. QUALITY is that of the page, "high" if none is given.
"""

from __future__ import annotations

import subprocess
import sys

from playwright.sync_api import sync_playwright

import browser
from screenshots import LARGEST, PATIENCE, ROOT, SIZE, Camera, tell_of

PATH = ROOT / "docs" / "_static" / "workbench" / "workspace.jpg"


def main(quality: str = "high") -> int:
    """Make the picture."""
    found = browser.find()
    if found is None:
        print("no browser found: install chromium, or set HEADFRAME_BROWSER")
        return 1
    PATH.parent.mkdir(parents=True, exist_ok=True)
    server = subprocess.Popen(
        [sys.executable, "-m", "headframe", "run", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().strip()
        with sync_playwright() as playwright:
            started = playwright.chromium.launch(executable_path=found, args=browser.flags())
            context = started.new_context(viewport=SIZE, locale="en-GB", reduced_motion="reduce")
            page = context.new_page()
            page.goto(address, timeout=1000 * PATIENCE)
            take(Camera(page, None), quality)
            started.close()
    finally:
        server.terminate()
        server.wait()
    return 0


def take(camera: Camera, quality: str) -> None:
    """Open the tool, compute, and take the picture."""
    camera.until("facts.scene && !facts.loading && store.frame && store.hasSeat")
    camera.page.get_by_test_id("quality").select_option(quality)
    camera.show("hf-readouts, .banners", False)
    camera.choose("roadheader")
    camera.click("tool-workspace")
    camera.click("workspace-start")
    camera.until("view.overlay.group.getObjectByName('workspace') !== undefined")
    camera.look("chase")
    camera.settle()
    camera.page.screenshot(
        path=PATH, type="jpeg", quality=80, timeout=1000 * PATIENCE, caret="hide"
    )
    assert PATH.stat().st_size <= LARGEST
    tell_of(PATH)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
