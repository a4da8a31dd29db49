"""Take pictures of the workbench's topology and inspection for the documentation.

    python tools/screenshots_graph.py [topology] [inspect]

Starts a server and a browser; writes docs/_static/workbench/topology.jpg and inspect.jpg. The
picture is drawn at low quality, since what matters here is what the tools add to it.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable

from playwright.sync_api import sync_playwright

import browser
from screenshots import PATIENCE, QUALITY, ROOT, SIZE, Camera, tell_of

FOLDER = ROOT / "docs" / "_static" / "workbench"


def main() -> int:
    """Make the pictures."""
    wanted = sys.argv[1:] or list(PICTURES)
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
            camera = Camera(page, None)
            camera.until("facts.scene && !facts.loading && store.frame && store.hasSeat")
            page.get_by_test_id("quality").select_option("low")
            camera.show("hf-readouts, .banners", False)
            for name in wanted:
                PICTURES[name](camera)
            started.close()
    finally:
        server.terminate()
        server.wait()
    return 0


def topology(camera: Camera) -> None:
    """The balance jack of a shield support: what it moves, in the graph and in the picture."""
    camera.choose("sths")
    camera.click("tool-topology")
    camera.click("topology-stage-contracted")
    camera.click("topology-group-balance_jack")
    take(camera, "topology")
    camera.click("close-tool")


def inspection(camera: Camera) -> None:
    """The boom of a roadheader with all axes and centres of mass."""
    camera.choose("roadheader")
    camera.click("tool-inspect")
    camera.page.get_by_test_id("inspect-axes").check()
    camera.page.get_by_test_id("inspect-centres").check()
    camera.page.get_by_test_id("inspect-link").select_option("boom")
    take(camera, "inspect")
    camera.click("close-tool")


PICTURES: dict[str, Callable[[Camera], None]] = {"topology": topology, "inspect": inspection}


def take(camera: Camera, name: str) -> None:
    """Take a picture, once what has changed is drawn."""
    camera.settle()
    path = FOLDER / f"{name}.jpg"
    camera.page.screenshot(
        path=path, type="jpeg", quality=QUALITY, timeout=1000 * PATIENCE, caret="hide"
    )
    tell_of(path)


if __name__ == "__main__":
    sys.exit(main())
