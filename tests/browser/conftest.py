"""One browser and one server for all tests; a page of its own for each.

A test that fails leaves pictures of its pages in build/browser. Where there is no browser all tests
skip, for one reason; in CI that is a failure.
"""

import os
import re
from pathlib import Path

import pytest
from cab import SIZE, Cab
from playwright.sync_api import sync_playwright
from running import Running

import browser
from headframe.server.settings import STATIC

PICTURES = Path(__file__).parents[2] / "build" / "browser"
MISSING = "no browser: install chromium, or set HEADFRAME_BROWSER to one"
FAILED = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.when == "call":
        item.stash[FAILED] = report.failed
    if report.skipped and MISSING in str(report.longrepr):  # one line for all tests
        report.longrepr = (__file__, None, f"Skipped: {MISSING}")
    return report


@pytest.fixture(scope="session", autouse=True)
def chromium():
    """The browser; needed by every test here."""
    path = browser.find()
    if path is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)(MISSING)
    if not (STATIC / "index.html").is_file():
        pytest.fail("the page is not built: run `make web`")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=browser.flags())
        yield started
        started.close()


@pytest.fixture(scope="session")
def server():
    """A server that no test ends."""
    running = Running("--port", "0")
    yield running
    running.stop()


@pytest.fixture
def new_server():
    """Starts servers that a test may end."""
    started = []

    def start(*arguments):
        started.append(Running(*(arguments or ("--port", "0"))))
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.stop()


@pytest.fixture
def visit(request, chromium):
    """Opens pages in contexts of their own; afterwards no problem of them may be left."""
    cabs, contexts = [], []

    def go(address, query="?test", script="", context=None, size=SIZE):
        if context is None:
            context = chromium.new_context(viewport=size, locale="en-GB")
            contexts.append(context)
        page = context.new_page()
        if script:
            page.add_init_script(script)
        cabs.append(Cab(page))
        return cabs[-1].open(address.replace("/#", f"/{query}#"))

    yield go
    try:
        if request.node.stash.get(FAILED, True):
            keep_pictures(request.node.name, cabs)
        surprises = [surprise for cab in cabs for surprise in cab.surprises]
        assert surprises == [], surprises
    finally:
        for context in contexts:
            context.close()


@pytest.fixture
def cab(server, visit):
    """The operator's page: the machine in the picture, levers alive, everything at the start."""
    return visit(server.addresses[0]).fresh()


def keep_pictures(name, cabs):
    PICTURES.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w-]+", "_", name)
    for n, cab in enumerate(cabs):
        if not cab.page.is_closed():
            cab.page.screenshot(path=PICTURES / f"{name}_{n}.png", timeout=20_000)
