"""Who may do what: tokens, sessions and their cookie."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from starlette.requests import HTTPConnection

OPERATOR, VIEWER = "operator", "viewer"
PASSWORD_HEADER = "x-headframe-password"
MOST_SESSIONS = 4096  # of each role


@dataclass(frozen=True, slots=True)
class Visitor:
    """A session and what it may do."""

    session: str
    role: str


class Access:
    """Two tokens that live as long as the server, and the sessions that were opened with them.

    A token stands in the fragment of an address, which browsers do not send; the page posts it and
    gets a cookie. Programs send the token with every request. Where other computers can connect,
    both need the password too, wherever they run: a proxy makes every request look near.
    """

    def __init__(self, port: int, password: str | None = None) -> None:
        """Make new tokens. The cookie's name holds the port: all ports of a host share cookies."""
        self.tokens = {OPERATOR: secrets.token_urlsafe(24), VIEWER: secrets.token_urlsafe(24)}
        self.cookie = f"headframe_{port}"
        self._password = password
        self._sessions: dict[str, str] = {}  # oldest first

    def open(self, token: Any, password: Any = None, session: str = "") -> Visitor | None:
        """A session for a token; None if token or password is wrong.

        A browser that comes again, with a `session` of the same role, goes on with that one, so
        that a second click on an address does not cost it the seat.
        """
        role = self._role(token)
        if role is None or not self._knows(password):
            return None
        if self._sessions.get(session) == role:
            return Visitor(session, role)
        visitor = Visitor(secrets.token_urlsafe(24), role)
        self._sessions[visitor.session] = role
        alike = [name for name, its in self._sessions.items() if its == role]
        if len(alike) > MOST_SESSIONS:  # viewers cannot push an operator out
            del self._sessions[alike[0]]
        return visitor

    def lacks_password(self, token: Any) -> bool:
        """Whether a token is right, so that only the password can have been wrong."""
        return self._role(token) is not None

    def visitor(self, connection: HTTPConnection) -> Visitor | None:
        """Who sends a request or opens a socket; None if that is not known."""
        session = connection.cookies.get(self.cookie, "")
        if session in self._sessions:
            return Visitor(session, self._sessions[session])
        kind, _, token = connection.headers.get("authorization", "").partition(" ")
        role = self._role(token.strip()) if kind.lower() == "bearer" else None
        if role is None or not self._knows(connection.headers.get(PASSWORD_HEADER)):
            return None
        return Visitor(f"programs of the {role}", role)  # one session: the token is one

    def _role(self, token: Any) -> str | None:
        if not isinstance(token, str):
            return None
        given = token.encode("utf-8", "replace")
        found = None
        for role, right in self.tokens.items():  # both are compared, so that time tells nothing
            if secrets.compare_digest(given, right.encode()):
                found = role
        return found

    def _knows(self, password: Any) -> bool:
        if self._password is None:
            return True
        given = password if isinstance(password, str) else ""
        return secrets.compare_digest(given.encode("utf-8", "replace"), self._password.encode())
