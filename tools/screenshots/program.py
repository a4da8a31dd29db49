"""What the command line asks for."""

from __future__ import annotations

import argparse

import browser

from .studio import Studio
from .subjects import PICTURES


def main() -> int:
    """Make the pictures."""
    parser = argparse.ArgumentParser(
        prog="screenshots", description="Take pictures of the page for the documentation."
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", help="names of pictures to make")
    parser.add_argument("--list", action="store_true", help="print the names of all pictures")
    given = parser.parse_args()
    if given.list:
        print(*PICTURES, sep="\n")
        return 0
    wanted = given.only or list(PICTURES)
    if unknown := [name for name in wanted if name not in PICTURES]:
        parser.error(f"no such picture: {', '.join(unknown)}; --list tells all names")
    path = browser.find()
    if path is None:
        print("no browser found: install chromium, or set HEADFRAME_BROWSER")
        return 1
    with Studio(path) as studio:
        for name in wanted:
            PICTURES[name](studio)
    return 0
