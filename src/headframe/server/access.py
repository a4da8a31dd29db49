"""Who may do what: tokens, sessions and their cookie."""

from __future__ import annotations

import ipaddress
import math
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any

from starlette.requests import HTTPConnection

from .allowance import Allowance

OPERATOR, VIEWER = "operator", "viewer"
PASSWORD_HEADER = "x-headframe-password"
MOST_SESSIONS = 4096  # of each role
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0  # after wrong passwords from an address [s]
ALL_A_SECOND, ALL_AT_ONCE = 4.0, 20.0  # wrong passwords from all addresses together
MOST_ADDRESSES = 1024  # that are remembered


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
        self._tries = Tries()
        self._sessions: dict[str, str] = {}  # oldest first

    def open(
        self, token: Any, password: Any = None, session: str = "", address: str = ""
    ) -> Visitor | None:
        """A session for a token; None if token or password is wrong, told from an address.

        A browser that comes again, with a `session` of the same role, goes on with that one, so
        that a second click on an address does not cost it the seat.

        Raises:
            TooManyTriesError: the password is not looked at, since wrong ones came before it.
        """
        role = self._role(token)
        if role is None or not self._knows(password, address):
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
        password = connection.headers.get(PASSWORD_HEADER)
        try:
            if role is None or not self._knows(password, address_of(connection)):
                return None
        except TooManyTriesError:
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

    def _knows(self, password: Any, address: str) -> bool:
        if self._password is None:
            return True
        if not password or not isinstance(password, str):  # none is no try
            return False
        now = time.monotonic()
        if wait := self._tries.wait(address, now):
            raise TooManyTriesError(wait)
        right = secrets.compare_digest(password.encode("utf-8", "replace"), self._password.encode())
        self._tries.note(address, right, now)
        return right


class TooManyTriesError(Exception):
    """A password is not looked at for some seconds."""

    def __init__(self, seconds: float) -> None:
        """Tell how many."""
        self.seconds = max(math.ceil(seconds), 1)
        super().__init__(f"a wrong password was given: wait {self.seconds} s")


class Tries:
    """Wrong passwords: the next one is looked at later and later, for each address by itself.

    All addresses together have an allowance, too; an address that knew the password does not need
    it, so that nobody can keep others out.
    """

    def __init__(self) -> None:
        """None has come yet."""
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, until when
        self._right: OrderedDict[str, None] = OrderedDict()
        self._all = Allowance(ALL_A_SECOND, ALL_AT_ONCE)

    def wait(self, address: str, now: float) -> float:
        """Seconds until a password of an address is looked at."""
        _, until = self._wrong.get(address, (0, 0.0))
        alone = max(until - now, 0.0)
        if address in self._right:
            return alone
        return max(alone, (1.0 - self._all.left(now)) / ALL_A_SECOND)

    def note(self, address: str, right: bool, now: float) -> None:
        """A password was looked at."""
        if right:
            self._wrong.pop(address, None)
            self._right[address] = None
            self._right.move_to_end(address)
        else:
            count, _ = self._wrong.get(address, (0, 0.0))
            pause = min(FIRST_PAUSE * 2.0**count, LONGEST_PAUSE)
            self._wrong[address] = min(count + 1, 10), now + pause
            self._wrong.move_to_end(address)
            self._all.take(1.0, now)
        for kept in (self._wrong, self._right):
            while len(kept) > MOST_ADDRESSES:
                kept.popitem(last=False)


def address_of(connection: HTTPConnection) -> str:
    """Where a connection comes from, not what it claims; of IPv6 the network, which has many."""
    host = connection.client.host if connection.client is not None else ""
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))
