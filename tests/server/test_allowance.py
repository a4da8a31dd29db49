"""Buckets that fill up again, by a clock that is turned by hand."""

import asyncio
from types import SimpleNamespace

import pytest

from headframe.server import allowance
from headframe.server.allowance import Allowance, Budget


def test_what_is_taken_fills_up_again_but_never_beyond_the_brim():
    bucket = Allowance(10.0, 2.0)
    assert [bucket.take(1.0, 0.0) for _ in range(3)] == [True, True, False]
    assert bucket.left(0.0) == -1.0
    assert bucket.left(0.25) == pytest.approx(1.5)
    assert bucket.left(0.2) == pytest.approx(1.5)  # a clock that goes back gives nothing
    assert bucket.left(100.0) == 2.0


def test_whoever_comes_while_a_budget_is_used_up_waits_for_one_more(monkeypatch):
    clock, slept = SimpleNamespace(now=50.0), []

    async def sleep(seconds):
        slept.append(seconds)
        clock.now += seconds

    monkeypatch.setattr(allowance.time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(allowance, "asyncio", SimpleNamespace(sleep=sleep, Lock=asyncio.Lock))

    async def turns():
        budget = Budget(10.0, 2.0)
        for _ in range(4):
            await budget.turn()

    asyncio.run(turns())
    assert slept == pytest.approx([0.1, 0.1])  # two at once, then one each tenth of a second
