"""Tokens and sessions."""

import pytest
from starlette.requests import HTTPConnection

from headframe.server.access import MOST_SESSIONS, Access


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


def test_password_is_asked_for_besides_the_token():
    access = Access(1, "open sesame")
    token = access.tokens["operator"]
    assert access.open(token) is None
    assert access.open(token, "open Sesame") is None
    assert access.open("x", "open sesame") is None
    assert access.open(token, "open sesame").role == "operator"


@pytest.mark.parametrize("client", ["127.0.0.1", "192.0.2.7"])
def test_programs_need_the_password_wherever_they_run(client):
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
