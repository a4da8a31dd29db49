"""A browser, and the server whose page it shows."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import ExitStack
from types import TracebackType

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

import browser

from .camera import PATIENCE, Camera

SIZE = ViewportSize(width=1280, height=720)


class Studio:
    """Starts what a picture needs; a context manager that ends all of it.

    Args:
        path: of the browser.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.ends = ExitStack()
        self.running: tuple[str, ...] | None = None
        self.server = ExitStack()
        self.address = ""
        self.started: Browser | None = None
        self.page: Page | None = None

    def __enter__(self) -> Studio:
        playwright = self.ends.enter_context(sync_playwright())
        self.started = playwright.chromium.launch(executable_path=self.path, args=browser.flags())
        self.ends.callback(self.started.close)
        self.ends.callback(self.leave)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.ends.close()

    def open(self, *arguments: str, quality: str = "high") -> Camera:
        """The operator's page, new, of `headframe run` with these arguments."""
        page = self.visit(self.serve(arguments))
        return Camera(page).begin(quality)

    def visit(self, address: str, size: ViewportSize = SIZE) -> Page:
        """A page of any server; there is one page at a time."""
        assert self.started is not None
        if self.page is not None:
            self.page.context.close()
        context = self.started.new_context(
            viewport=size, locale="en-GB", reduced_motion="reduce", color_scheme="dark"
        )
        context.set_default_timeout(1000 * PATIENCE)
        self.page = context.new_page()
        self.page.goto(address, wait_until="commit")
        return self.page

    def serve(self, arguments: tuple[str, ...]) -> str:
        """Address for the operator; the server goes on where it has these arguments already."""
        if arguments != self.running:
            self.leave()
            folder = self.server.enter_context(tempfile.TemporaryDirectory())
            command = [sys.executable, "-m", "headframe", "run", "--no-browser", "--port", "0"]
            process = self.server.enter_context(
                subprocess.Popen(
                    [*command, "--recordings", folder, *arguments],
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            self.server.callback(process.terminate)
            assert process.stdout is not None
            self.address = process.stdout.readline().strip()
            self.running = arguments
        return self.address

    def leave(self) -> None:
        """Close the page and end the server."""
        if self.page is not None:
            self.page.context.close()
        self.page = self.running = None
        self.server.close()
