"""Tokens and sessions."""

import pytest
from starlette.requests import HTTPConnection

from headframe.server import access as module
from headframe.server.access import (
    ALL_AT_ONCE,
    FIRST_PAUSE,
    LONGEST_PAUSE,
    MOST_ADDRESSES,
    MOST_SESSIONS,
    Access,
    TooManyTriesError,
    Tries,
    address_of,
)


@pytest.fixture
def clock(monkeypatch):
    """A clock that goes on by a minute whenever it is looked at, or stands still."""

    class Clock:
        now, step = 1000.0, 60.0

        def __call__(self):
            self.now += self.step
            return self.now

    clock = Clock()
    monkeypatch.setattr(module.time, "monotonic", clock)
    return clock


def connection(headers=None, client="127.0.0.1"):
    raw = [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    return HTTPConnection({"type": "http", "headers": raw, "client": (client, 1)})


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


def test_tokens_are_long_and_new():
    tokens = {token for _ in range(20) for token in Access(1).tokens.values()}
    assert len(tokens) == 40
    assert min(map(len, tokens)) >= 32


@pytest.mark.parametrize("role", ["operator", "viewer"])
def test_session_has_its_token_s_role(role):
    access = Access(8710)
    visitor = access.open(access.tokens[role])
    found = access.visitor(connection({"Cookie": f"headframe_8710={visitor.session}"}))
    assert found == visitor
    assert found.role == role
    assert access.visitor(connection(bearer(access.tokens[role]))).role == role


@pytest.mark.parametrize("token", ["", "x", None, 5, ["a"], "ü" * 40])
def test_wrong_tokens_open_nothing(token):
    access = Access(1)
    assert access.open(token) is None
    assert access.visitor(connection(bearer(token))) is None


def test_cookie_of_another_port_or_server_is_unknown():
    access, other = Access(8710), Access(8710)
    session = access.open(access.tokens["operator"]).session
    assert access.visitor(connection({"Cookie": f"headframe_8711={session}"})) is None
    assert other.visitor(connection({"Cookie": f"headframe_8710={session}"})) is None
    assert access.visitor(connection()) is None


def test_second_click_goes_on_with_the_same_session():
    access = Access(1)
    operator, viewer = access.tokens["operator"], access.tokens["viewer"]
    first = access.open(operator)
    assert access.open(operator, session=first.session) == first
    assert access.open(viewer, session=first.session).session != first.session
    assert access.open(operator, session="made up").session not in ("made up", first.session)
    assert access.open("x", session=first.session) is None


def test_password_is_asked_for_besides_the_token(clock):
    access = Access(1, "open sesame")
    token = access.tokens["operator"]
    assert access.open(token) is None
    assert access.open(token, "open Sesame") is None
    assert access.open("x", "open sesame") is None
    assert access.open(token, "open sesame").role == "operator"


@pytest.mark.parametrize("client", ["127.0.0.1", "192.0.2.7"])
def test_programs_need_the_password_wherever_they_run(client, clock):
    """A proxy on the same computer makes every request look like a near one."""
    access = Access(1, "open sesame")
    headers = bearer(access.tokens["operator"])
    assert access.visitor(connection(headers, client)) is None
    wrong = {**headers, "X-Headframe-Password": "open Sesame"}
    assert access.visitor(connection(wrong, client)) is None
    right = {**headers, "X-Headframe-Password": "open sesame"}
    assert access.visitor(connection(right, client)).role == "operator"
    assert access.visitor(connection({**right, **bearer("x")}, client)) is None


def test_sessions_are_bounded_and_viewers_push_no_operator_out():
    access = Access(1)
    operator = access.open(access.tokens["operator"]).session
    first = access.open(access.tokens["viewer"]).session
    for _ in range(MOST_SESSIONS):
        last = access.open(access.tokens["viewer"]).session
    assert access.visitor(connection({"Cookie": f"headframe_1={first}"})) is None
    for session in (last, operator):
        assert access.visitor(connection({"Cookie": f"headframe_1={session}"})) is not None


def test_only_a_right_token_is_told_of_the_password():
    access = Access(1, "open sesame")
    assert access.lacks_password(access.tokens["viewer"])
    assert not access.lacks_password("x")


# ---------------------------------------------------------------- wrong passwords


def tried(access, password, address="192.0.2.1"):
    """What a try comes to: in, wrong, or not even looked at."""
    try:
        visitor = access.open(access.tokens["operator"], password, "", address)
    except TooManyTriesError:
        return "wait"
    return "wrong" if visitor is None else "in"


def test_after_a_wrong_password_the_next_is_not_looked_at_for_a_while(clock):
    access = Access(1, "open sesame")
    clock.step = 0.0
    assert tried(access, "a") == "wrong"
    assert tried(access, "open sesame") == "wait"  # though it is right
    assert tried(access, "open sesame", "192.0.2.2") == "in"
    clock.now += FIRST_PAUSE
    assert tried(access, "open sesame") == "in"


def test_a_header_is_no_way_around_the_pause(clock):
    access = Access(1, "open sesame")
    clock.step = 0.0
    headers = bearer(access.tokens["operator"])

    def with_header(password, **more):
        told = {**headers, "X-Headframe-Password": password, **more}
        return access.visitor(connection(told, "192.0.2.1"))

    assert with_header("a") is None
    assert with_header("open sesame") is None
    assert with_header("open sesame", **{"X-Forwarded-For": "192.0.2.9"}) is None
    assert tried(access, "open sesame") == "wait"
    clock.now += FIRST_PAUSE
    assert with_header("open sesame") is not None


def test_the_pause_becomes_longer(clock):
    access = Access(1, "open sesame")
    clock.step, looked = 0.0, 0
    for _ in range(1000):
        looked += tried(access, "a") == "wrong"
        clock.now += 0.1
    assert looked <= 6 + 100.0 / LONGEST_PAUSE
    clock.now += LONGEST_PAUSE
    assert tried(access, "open sesame") == "in"
    assert tried(access, "a") == "wrong"
    clock.now += FIRST_PAUSE  # it begins anew
    assert tried(access, "open sesame") == "in"


def test_many_addresses_together_have_an_allowance(clock):
    access = Access(1, "open sesame")
    clock.step = 0.0
    assert tried(access, "open sesame", "198.51.100.1") == "in"
    looked = sum(tried(access, "a", f"10.0.{n // 256}.{n % 256}") == "wrong" for n in range(1000))
    assert looked == ALL_AT_ONCE
    assert tried(access, "open sesame", "203.0.113.1") == "wait"
    assert tried(access, "open sesame", "198.51.100.1") == "in"  # who knew it is not kept out


def test_no_password_is_no_try(clock):
    access = Access(1, "open sesame")
    clock.step = 0.0
    for _ in range(100):
        assert tried(access, None) == tried(access, "") == "wrong"
    assert tried(access, "open sesame") == "in"


def test_a_wrong_token_tells_nothing_of_the_password(clock):
    access = Access(1, "open sesame")
    clock.step = 0.0
    assert access.open("x", "a") is access.open("x", "open sesame") is None
    assert tried(access, "open sesame") == "in"


def test_addresses_are_not_remembered_without_end():
    tries = Tries()
    for n in range(3 * MOST_ADDRESSES):
        tries.note(str(n), n % 2 == 0, float(n))
    assert len(tries._wrong) <= MOST_ADDRESSES
    assert len(tries._right) <= MOST_ADDRESSES


@pytest.mark.parametrize(
    ("client", "address"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8::1:2", "2001:db8::/64"),
        ("2001:db8::ffff:2", "2001:db8::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("testclient", "testclient"),
    ],
)
def test_address_of_a_connection(client, address):
    assert address_of(connection({"X-Forwarded-For": "10.0.0.1"}, client)) == address
