"""One browser, one server and one page for all tests; `visit` and `own` open others.

A test that fails leaves pictures of its pages in build/browser. Where there is no browser all tests
skip, for one reason; in CI that is a failure.
"""

import os
import re
from pathlib import Path

import pytest
from axe import axe_source, look
from cab import SIZE, Cab
from playwright.sync_api import sync_playwright
from running import Running

import browser
from headframe.server.settings import STATIC

PICTURES = Path(__file__).parents[2] / "build" / "browser"
PLAIN = "--disable-gpu-compositing"  # the picture is WebGL; without this all of the page would be
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
        flags = [*browser.flags(), PLAIN]
        started = playwright.chromium.launch(executable_path=path, args=flags)
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
def findings():
    """Looks at a page with axe; gives back one line for each finding."""
    source = axe_source()
    return lambda cab, where: look(cab, where, source)


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


# ------------------------------------------------------------------------ pages
# Loading a page takes longer than most tests, and drawing takes all there is of a computer without
# graphics. So tests hand a page on to each other, and those that are marked `blind`, since they do
# not look at the picture, have a page that draws none.

BLIND = """{
  const found = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    return kind.startsWith("webgl") ? null : found.call(this, kind, ...more);
  };
}"""


class Kept:
    """A page that outlives a test.

    Attributes:
        cab: the page; None where the next test has to open one.
    """

    def __init__(self, chromium, blind=False, **options):
        self.chromium, self.cab, self.blind = chromium, None, blind
        self.options = {"viewport": SIZE, "locale": "en-GB", **options}

    def take(self, server):
        """The page, as at the start."""
        if self.cab is None:
            context = self.chromium.new_context(**self.options)
            self.cab = opened(context, self.blind).open(for_tests(server.addresses[0]))
        self.cab.forget()
        return self.cab.fresh()

    def drop(self):
        if self.cab is not None:
            self.cab.page.context.close()
        self.cab = None


def opened(context, blind, script=""):
    """A new page."""
    page = context.new_page()
    for each in (script, BLIND if blind else ""):
        if each:
            page.add_init_script(each)
    return Cab(page, ["WebGL"] if blind else [])


def for_tests(address, query="?test"):
    return address.replace("/#", f"/{query}#")


@pytest.fixture(scope="session")
def kept(chromium):
    """The operator's pages that tests hand on to each other, by kind."""
    pages = Pages(
        seeing=Kept(chromium),
        blind=Kept(chromium, blind=True),
        touched=Kept(chromium, has_touch=True),
    )
    yield pages
    pages.alone()


class Pages(dict):
    """Pages that are kept, by kind."""

    def alone(self, kind=""):
        """The page of a kind; no other goes on drawing."""
        for name, page in self.items():
            if name != kind:
                page.drop()
        return self.get(kind)


def is_blind(request):
    """Whether a test does not look at the picture; `blind(False)` for one that does in its file."""
    mark = request.node.get_closest_marker("blind")
    return mark is not None and mark.args != (False,)


@pytest.fixture
def visit(request, chromium, kept):
    """Opens pages in contexts of their own; afterwards no problem of them may be left."""
    cabs, contexts = [], []
    if not {"cab", "touched"} & set(request.fixturenames):
        kept.alone()
    blind = is_blind(request)

    def go(address, query="?test", script="", context=None, size=SIZE):
        if context is None:
            context = chromium.new_context(viewport=size, locale="en-GB")
            contexts.append(context)
        cabs.append(opened(context, blind, script))
        return cabs[-1].open(for_tests(address, query))

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
    yield from handed_on(request, server, kept.alone("blind" if is_blind(request) else "seeing"))


@pytest.fixture
def touched(request, server, kept):
    """The same, on a screen that fingers touch."""
    yield from handed_on(request, server, kept.alone("touched"))


def handed_on(request, server, shared):
    """A page that outlives the test, unless the test failed."""
    try:
        yield shared.take(server)
        look_back(request.node, [shared.cab])
    except BaseException:
        shared.drop()
        raise
    if request.node.stash.get(FAILED, True):
        shared.drop()


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
