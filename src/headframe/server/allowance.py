"""How much may come in a time: buckets that fill up again."""

from __future__ import annotations

import asyncio
import time


class Allowance:
    """So much a second, and so much at once."""

    def __init__(self, a_second: float, at_once: float) -> None:
        """The bucket is full."""
        self._a_second, self._at_once = a_second, at_once
        self._left, self._at = at_once, -float("inf")

    def left(self, now: float) -> float:
        """What may still come at a moment [s]; negative if too much came."""
        if now > self._at:
            passed = now - self._at
            self._left = min(self._left + self._a_second * passed, self._at_once)
            self._at = now
        return self._left

    def take(self, amount: float, now: float) -> bool:
        """Take from the bucket; False if that was more than it held."""
        self._left = self.left(now) - amount
        return self._left >= 0.0


class Budget:
    """An allowance that many share: who comes while it is used up waits for a turn."""

    def __init__(self, a_second: float, at_once: float) -> None:
        """Nobody waits."""
        self._allowance, self._a_second = Allowance(a_second, at_once), a_second
        self._one = asyncio.Lock()  # lets them in one after the other, in the order they came

    async def turn(self) -> None:
        """Wait until there is enough for one more."""
        async with self._one:
            short = 1.0 - self._allowance.left(time.monotonic())
            if short > 0.0:
                await asyncio.sleep(short / self._a_second)
            self._allowance.take(1.0, time.monotonic())
