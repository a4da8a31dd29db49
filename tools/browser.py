"""Find the browser for the tests and pictures of the page: `python tools/browser.py`.

`HEADFRAME_BROWSER`, or a Chromium or Chrome on the PATH. With `--install`, where there is none and
this is root on a system with apt, Debian's Chromium is installed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
# WebGL by software, and nothing that asks the network on its own
FLAGS = (
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def find() -> str | None:
    """Path of a browser; None if there is none."""
    told = os.environ.get("HEADFRAME_BROWSER")
    if told:
        return shutil.which(told)
    found = (shutil.which(name) for name in (*NAMES, *PLACES))
    return next((path for path in found if path), None)


def flags() -> list[str]:
    """How to start it; root has no sandbox."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    return [*FLAGS, *(["--no-sandbox"] if root else [])]


def install() -> None:
    """Install Debian's Chromium, as root."""
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        print("[headframe] installing chromium for the tests of the page", flush=True)
        for command in (["update", "-qq"], ["install", "-y", "-qq", "chromium"]):
            subprocess.run(["apt-get", *command], stdout=subprocess.DEVNULL, check=False)


def main() -> int:
    """Print the browser's path."""
    if find() is None and "--install" in sys.argv[1:] and not os.environ.get("HEADFRAME_BROWSER"):
        install()
    print(find() or "no browser found: install chromium, or set HEADFRAME_BROWSER")
    return 0


if __name__ == "__main__":
    sys.exit(main())
