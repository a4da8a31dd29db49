"""Connections that take more than they should, to a small application on the same wires."""

import asyncio
import contextlib
import socket
import threading
import time

import psutil
import pytest
import uvicorn
from websockets.frames import Frame, Opcode
from websockets.sync.client import connect

from headframe.server import wire
from headframe.server.allowance import Allowance, Budget

FAST = 0.4  # [s]


async def application(scope, receive, send):
    """Echoes on a socket; sends much to whoever asks for it; answers requests with a word."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            for _ in range(2000 if message["text"] == "much" else 1):
                await send({"type": "websocket.send", "text": message["text"] * 1000})
    elif scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"fine"})


@pytest.fixture
def server(monkeypatch):
    """The port of a server that has little patience."""
    monkeypatch.setattr(wire, "HEAD_PATIENCE", FAST)
    monkeypatch.setattr(wire, "LINGER", FAST)
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # the system keeps little
    config = uvicorn.Config(
        application, http=wire.Http, ws=wire.Socket, ws_ping_interval=FAST, ws_ping_timeout=FAST,
        ws_per_message_deflate=False, lifespan="off", log_level="error",
    )  # fmt: skip
    running = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(running.serve([listening])), daemon=True)
    thread.start()
    yield SimpleServer(listening.getsockname()[1], running)
    running.should_exit = True
    thread.join(20.0)
    assert not thread.is_alive()


class SimpleServer:
    def __init__(self, port, server):
        self.port, self.server = port, server

    def plain(self):
        return contextlib.closing(socket.create_connection(("127.0.0.1", self.port)))

    def upgraded(self):
        """A connection after the handshake, to write frames as one likes."""
        raw = socket.create_connection(("127.0.0.1", self.port))
        raw.sendall(
            b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        assert b"101" in raw.recv(4096)
        return contextlib.closing(raw)

    @property
    def connections(self):
        return len(self.server.server_state.connections)

    @property
    def unsent(self):
        """Bytes that wait in the server's memory for somebody to read them."""
        held = [protocol.transport for protocol in list(self.server.server_state.connections)]
        return sum(one.get_write_buffer_size() for one in held if one is not None)


def frame(opcode, data=b"", fin=True):
    return Frame(opcode, data, fin).serialize(mask=True, extensions=[])


def sent_before_end(raw, piece, most):
    """How often a piece could be sent before the other side closed."""
    for count in range(most):
        try:
            raw.sendall(piece)
        except OSError:
            return count
    return most


def closes(raw, seconds=10.0):
    """Seconds until the other side closes, what it sends being thrown away."""
    started = time.monotonic()
    raw.settimeout(seconds)
    with contextlib.suppress(ConnectionError):
        while raw.recv(65536):
            pass
    return time.monotonic() - started


@pytest.mark.parametrize("opcode", [Opcode.CONT, Opcode.PING, Opcode.PONG, Opcode.TEXT])
def test_empty_frames_count(server, opcode):
    """A thousand of them are heard; a million are not."""
    with server.upgraded() as raw:
        if opcode is Opcode.CONT:
            raw.sendall(frame(Opcode.TEXT, b"", fin=False))
        piece = 1000 * frame(opcode, b"", fin=opcode is not Opcode.CONT)
        thread = threading.Thread(target=closes, args=(raw,), daemon=True)
        thread.start()
        assert sent_before_end(raw, piece, 1000) < 1000
        thread.join(10.0)
        assert not thread.is_alive()


@pytest.mark.quiet
def test_a_flood_leaves_time_for_others(server):
    with server.upgraded() as raw, connect(f"ws://127.0.0.1:{server.port}/") as other:
        raw.sendall(frame(Opcode.TEXT, b"", fin=False))
        piece = 20_000 * frame(Opcode.CONT, b"", fin=False)
        flood = threading.Thread(target=sent_before_end, args=(raw, piece, 50), daemon=True)
        flood.start()
        longest = 0.0
        for _ in range(50):
            started = time.monotonic()
            other.send("a")
            other.recv(timeout=5.0)
            longest = max(longest, time.monotonic() - started)
        flood.join(20.0)
    assert longest < 0.5  # half a million frames took seconds


def test_whoever_does_not_read_is_closed(server):
    """Neither what was asked for stays for one, nor a question to the other."""
    with server.upgraded() as raw, server.upgraded() as other:
        other.sendall(frame(Opcode.TEXT, b"much"))
        raw.sendall(frame(Opcode.PING, b"x" * 125))
        assert server.connections == 2
        end = time.monotonic() + 10.0
        while server.connections and time.monotonic() < end:
            time.sleep(0.05)
        assert server.connections == 0


def test_unread_pongs_do_not_pile_up(server, monkeypatch):
    """Thousands of pings, as many as can be sent until the socket is closed for not reading."""
    for limit in ("A_SECOND", "AT_ONCE"):
        monkeypatch.setattr(wire, limit, 1e12)  # else it is closed for sending too much
    piece = 100 * frame(Opcode.PING, b"x" * 125)
    with server.upgraded() as raw:
        pieces, most, before = [], 0, psutil.Process().memory_info().rss
        flood = threading.Thread(
            target=lambda: pieces.append(sent_before_end(raw, piece, 10_000)), daemon=True
        )
        flood.start()
        while flood.is_alive():
            most = max(most, server.unsent)
            time.sleep(0.002)
        grown = psutil.Process().memory_info().rss - before
    assert 20 <= pieces[0] < 10_000  # thousands, and it did end
    assert most < 2**18  # all answers would be megabytes
    assert grown < 2**24


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "])
def test_a_connection_without_a_request_is_closed(server, sent):
    with server.plain() as raw:
        raw.sendall(sent)
        assert closes(raw) < 20 * FAST


def test_a_head_that_comes_letter_by_letter_is_not_waited_for(server):
    with server.plain() as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
        started = time.monotonic()
        with contextlib.suppress(OSError):
            while time.monotonic() < started + 10.0:
                raw.sendall(b"x")
                time.sleep(0.05)
        assert time.monotonic() - started < 20 * FAST


def test_sockets_and_requests_outlive_the_patience_for_a_head(server):
    with connect(f"ws://127.0.0.1:{server.port}/") as client, server.plain() as raw:
        for _ in range(8):
            time.sleep(FAST / 3)
            client.send("a")
            assert len(client.recv(timeout=5.0)) == 1000
            raw.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            got = b""
            while not got.endswith(b"0\r\n\r\n"):
                got += raw.recv(4096)


def test_allowance_fills_up_again():
    allowance = Allowance(10.0, 5.0)
    assert all(allowance.take(1.0, 100.0) for _ in range(5))
    assert not allowance.take(1.0, 100.0)
    assert allowance.left(100.2) == pytest.approx(1.0)
    assert allowance.left(50.0) == pytest.approx(1.0)  # a clock does not go back
    assert allowance.left(1000.0) == 5.0


def test_budget_lets_them_in_one_after_the_other():
    async def come():
        budget, order = Budget(100.0, 1.0), []

        async def one(number):
            await budget.turn()
            order.append(number)

        started = time.monotonic()
        await asyncio.gather(*map(one, range(6)))
        return order, time.monotonic() - started

    order, seconds = asyncio.run(come())
    assert order == list(range(6))
    assert seconds > 0.03
