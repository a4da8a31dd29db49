"""One browser, one server and one page for all tests; `visit` and `own` open others.

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
def recordings(tmp_path_factory):
    """The folder in which the server keeps recordings."""
    return tmp_path_factory.mktemp("server") / "recordings"


@pytest.fixture(scope="session")
def server(recordings):
    """A server that no test ends."""
    running = Running("--port", "0", "--recordings", str(recordings))
    yield running
    running.stop()


@pytest.fixture
def new_server():
    """Starts servers that a test may end."""
    started = []

    def start(*arguments, **options):
        started.append(Running(*(arguments or ("--port", "0")), **options))
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.stop()


@pytest.fixture(scope="session")
def kept(chromium):
    """The operator's page that tests hand on to each other, once there is one."""
    shared = Kept(chromium)
    yield shared
    shared.drop()


class Kept:
    """A page that outlives a test: loading one takes longer than most tests.

    Attributes:
        cab: the page; None where the next test has to open one.
    """

    def __init__(self, chromium):
        self.chromium, self.cab = chromium, None

    def take(self, server):
        """The page, as at the start."""
        if self.cab is None:
            context = self.chromium.new_context(viewport=SIZE, locale="en-GB")
            self.cab = Cab(context.new_page()).open(server.addresses[0].replace("/#", "/?test#"))
        self.cab.forget()
        return self.cab.fresh()

    def drop(self):
        if self.cab is not None:
            self.cab.page.context.close()
        self.cab = None


@pytest.fixture
def visit(request, chromium, kept):
    """Opens pages in contexts of their own; afterwards no problem of them may be left."""
    cabs, contexts = [], []
    if "cab" not in request.fixturenames:
        kept.drop()  # it would draw all the while

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
        look_back(request.node, cabs)
    finally:
        for context in contexts:
            context.close()


@pytest.fixture
def own(server, visit):
    """An operator's page that the test may spoil: everything at the start, levers alive."""
    return visit(server.addresses[0]).fresh()


@pytest.fixture
def cab(request, server, kept):
    """The operator's page: the machine in the picture, levers alive, everything at the start."""
    try:
        yield kept.take(server)
        look_back(request.node, [kept.cab])
    except BaseException:
        kept.drop()
        raise
    if request.node.stash.get(FAILED, True):
        kept.drop()


def look_back(node, cabs):
    """Keep pictures of pages whose test failed; what the browser complained of is a failure too."""
    if node.stash.get(FAILED, True):
        keep_pictures(node.name, cabs)
    surprises = [surprise for cab in cabs for surprise in cab.surprises]
    assert surprises == [], surprises


def keep_pictures(name, cabs):
    PICTURES.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w-]+", "_", name)
    for n, cab in enumerate(cabs):
        if not cab.page.is_closed():
            cab.page.screenshot(path=PICTURES / f"{name}_{n}.png", timeout=20_000)
