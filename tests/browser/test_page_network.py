"""Coming in, losing the connection, other sites, other versions."""

import http.server
import re
import signal
import threading
from contextlib import contextmanager
from urllib.parse import urlsplit

import psutil
import pytest
from cab import eventually
from playwright.sync_api import expect
from proxy import Proxy

pytestmark = pytest.mark.blind

REFUSED = "status of 401"
LOST = ("WebSocket", "ERR_", "Failed to load resource")


@pytest.fixture
def proxy(server):
    """The network to the common server."""
    passing = Proxy(server.port)
    yield passing
    passing.close()


@contextmanager
def site(page):
    """A page of another site, at another port and by another name of this computer."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = page.encode()
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://localhost:{serving.server_port}/"
        serving.shutdown()


# -------------------------------------------------------------------- tokens


def assert_no_token(cab, server):
    for token in server.tokens.values():
        assert token not in cab.page.url
        assert not any(token in url.partition("#")[0] for url in cab.requests)


def test_token_leaves_the_address_and_a_reload_works(server, own):
    assert urlsplit(own.page.url).fragment == ""
    assert_no_token(own, server)
    own.page.reload()
    own.loaded().alive()
    assert_no_token(own, server)


def test_second_click_on_the_printed_address(server, own):
    """In the same tab only the fragment changes; the page goes on, and keeps the seat.

    What the first socket told to be under way, and nobody ends any more, is forgotten.
    """
    client = own.tell("facts.welcome.client")
    own.tell("store.set({ loading: { type: 'loading', text: 'preparing physics', part: 0 } })")
    own.page.goto(server.addresses[0].replace("/#", "/?test#"))
    own.until(f"facts.welcome !== null && facts.welcome.client !== {client}")
    own.loaded().alive()
    assert urlsplit(own.page.url).fragment == ""
    assert own.status["operators"] == 1  # the first socket is closed
    own.drive("w", "boom", 0.01)


def test_link_on_another_site(server, visit):
    page = f'<a id="go" href="{server.addresses[0].replace("/#", "/?test#")}">drive</a>'
    with site(page) as address:
        cab = visit(address)
        cab.expects("favicon")
        cab.page.click("#go")
        cab.fresh()
    assert_no_token(cab, server)
    cab.drive("w", "boom", 0.01)


def test_wrong_token_asks_for_the_address(server, visit):
    cab = visit(f"{server.base}/#operator={'x' * 32}")
    cab.expects(REFUSED)
    cab.until("facts.connection === 'address'")
    expect(cab.find("overlay")).to_contain_text("Open the address that the server printed")


def test_no_token_asks_for_the_address(server, visit):
    cab = visit(f"{server.base}/#")
    cab.expects(REFUSED)
    cab.until("facts.connection === 'address'")
    expect(cab.find("overlay")).to_contain_text("Open the address that the server printed")


def test_server_that_was_started_anew(new_server, visit):
    first = new_server()
    cab = visit(first.addresses[0]).loaded()
    cab.expects(REFUSED, *LOST)
    first.stop(signal.SIGKILL)
    second = new_server("--port", str(first.port))
    cab.until("facts.connection === 'address'")
    expect(cab.find("overlay")).to_contain_text("After a restart it is a new one")
    assert_no_token(cab, first)
    cab.page.goto(second.addresses[0].replace("/#", "/?test#"))
    cab.loaded().alive()
    assert_no_token(cab, second)


# --------------------------------------------------------------- connection


def test_lost_connection_comes_back(server, proxy, visit):
    cab = visit(proxy.address(server.addresses[0]))
    cab.expects(*LOST)
    cab.fresh()
    cab.hold_key("w", cab.longer("boom"))
    with server.talk("viewer") as viewer:
        proxy.drop()
        cab.until("facts.connection === 'reconnecting'")
        expect(cab.situation("reconnecting")).to_contain_text("levers are dead")
        viewer.until(lambda: viewer.status["presence"] == "closed")
        viewer.until(lambda: viewer.frame.speeds[2] == 0.0)
        assert cab.tell("hands.levers()") == {}
        assert "Somebody else" not in str(cab.tell("facts.toasts"))
        expect(cab.find("estop")).to_be_disabled()
        expect(cab.find("estop-offline")).to_be_visible()
        proxy.mend()
        cab.until("facts.connection === 'open'")
        cab.page.keyboard.up("w")
        cab.loaded()
        if not cab.tell("store.hasSeat"):  # a busy computer took longer than the seat is kept
            cab.send(type="take_seat")
        cab.alive()
        expect(cab.situation("reconnecting")).to_have_count(0)
    cab.drive("w", "boom", 0.01)


def test_server_that_stays_away_is_gone(server, proxy, visit):
    cab = visit(proxy.address(server.addresses[0]))
    cab.expects(*LOST)
    cab.loaded()
    proxy.drop()
    cab.until("facts.connection === 'gone'")
    expect(cab.find("overlay")).to_contain_text("The server is gone")
    proxy.mend()
    cab.until("facts.connection === 'open'")


def test_another_version_asks_to_reload(server, visit):
    def lie(data):
        return re.sub(rb'("version":\s*)\d', rb"\g<1>9", data)

    passing = Proxy(server.port, lie)
    try:
        cab = visit(passing.address(server.addresses[0]))
        cab.expects(*LOST)  # the network is taken away before the page
        cab.until("facts.connection === 'version'")
        expect(cab.find("overlay")).to_contain_text("The server has another version")
        expect(cab.find("reload")).to_be_visible()
        cab.page.wait_for_timeout(500)
        assert cab.tell("store.hasSeat") is False
    finally:
        passing.close()


# -------------------------------------------------------------- other sites

INTRUDER = """
<script>
const server = "%s";
async function attempt() {
  const said = {};
  for (const [name, path, options] of [
    ["session", "session", { credentials: "include" }],
    ["post", "session", { method: "POST", body: '{"token":"x"}', credentials: "include" }],
    ["machine", "machine?name=a.json", { method: "POST", body: "{}", credentials: "include" }],
    ["plain", "machine?name=a.json", { method: "POST", body: "{}", mode: "no-cors" }],
  ]) {
    try {
      const answer = await fetch(server + path, options);
      said[name] = answer.type === "opaque" ? "opaque" : String(answer.status);
    } catch { said[name] = "refused"; }
  }
  said.socket = await new Promise((done) => {
    const socket = new WebSocket(server.replace("http", "ws") + "ws");
    socket.onopen = () => done("open");
    socket.onerror = () => done("refused");
  });
  return said;
}
</script>
"""


def test_page_of_another_site_gets_nothing(server, cab, visit):
    """It runs in the operator's browser, which has the cookie."""
    cab.page.wait_for_timeout(200)
    before = {**cab.status, "newest": 0, "overruns": 0}
    with site(INTRUDER % f"{server.base}/") as address:
        other = visit(address, context=cab.page.context)
        other.expects(".")  # the browser tells of each of the refusals
        said = other.page.evaluate("attempt()")
    assert said["socket"] == "refused"
    assert said["session"] == said["post"] == said["machine"] == "refused"
    assert said["plain"] in ("opaque", "refused")  # sent, but refused: see what follows
    assert {**cab.status, "newest": 0, "overruns": 0} == before
    assert cab.tell("facts.connection") == "open"


@pytest.mark.blind(False)
def test_headers_and_hosts_of_a_whole_session(server, visit):
    """No request goes to another host, and every answer has the headers that keep scripts out."""
    cab = visit(server.addresses[0])
    answers = []
    cab.page.on("response", lambda answer: answers.append(answer))
    cab.page.reload()
    cab.fresh()
    cab.find("chooser").click()
    cab.page.keyboard.press("Escape")
    cab.find("camera-seat").click()
    cab.drive("w", "boom", 0.01)
    assert cab.requests
    for url in cab.requests:
        parts = urlsplit(url)
        assert parts.scheme in ("blob", "data") or parts.netloc == f"{server.host}:{server.port}", (
            url
        )
    own = [answer for answer in answers if urlsplit(answer.url).netloc]
    assert any(answer.url.endswith(".js") for answer in own)
    for answer in own:
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


# ------------------------------------------------------------ physics process


def physics_of(server):
    """The server's physics process: the child that computes most."""
    children = psutil.Process(server.process.pid).children(recursive=True)
    spawned = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
    assert spawned, [child.cmdline() for child in children]
    return spawned[0]


@pytest.mark.parametrize(
    "remedy", [pytest.param("remedy-restart", marks=pytest.mark.slow), "remedy-rewind"]
)
def test_physics_process_that_is_killed(new_server, visit, remedy):
    server = new_server()
    cab = visit(server.addresses[0]).fresh()
    cab.drive("w", "boom", 0.05)
    driven = cab.length("boom")
    home = cab.tell("store.frame.newest")
    cab.until(f"store.frame.time > {home + 1.5}")  # a checkpoint comes every second
    physics_of(server).kill()
    cab.until("!facts.status.alive")
    expect(cab.situation("dead")).to_contain_text("The physics process has ended")
    cab.find(remedy).click()
    cab.until("facts.status.alive && facts.loading === null")
    cab.loaded()
    cab.until("facts.status.alive")
    eventually(lambda: server.get("/health").json()["status"] == "ok")
    expect(cab.situation("dead")).to_have_count(0)
    cab.alive()
    if remedy == "remedy-rewind":
        assert cab.length("boom") == pytest.approx(driven, abs=1e-4)
        cab.find("pause").click()  # what was rewound is paused
    else:
        assert cab.length("boom") < driven - 0.04
    cab.drive("w", "boom", 0.01)
