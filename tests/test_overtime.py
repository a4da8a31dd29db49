"""A test that goes on after its time is up ends its process, which tells where it was."""

from pathlib import Path

import pytest

CONFTEST = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import overtime

overtime.DEAF = 0.5

def pytest_configure(config):
    overtime.watch(config, grace=1.0)
"""

WAITS_FOR_A_PROCESS = """
import subprocess, sys, time

def test_that_waits():
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]):
        time.sleep(60)  # its time ends here, and __exit__ waits for the process
"""

WAITS_AT_ITS_END = """
import threading, time
import pytest

@pytest.fixture
def thing():
    yield
    threading.Event().wait()

def test_that_waits(thing):
    time.sleep(60)
"""

IS_DEAF = """
import itertools

def test_that_waits():
    sum(itertools.repeat(0))  # no signal is heard, and no thread of Python has a turn
"""


@pytest.mark.parametrize(
    ("source", "place"),
    [
        pytest.param(WAITS_FOR_A_PROCESS, "in __exit__", id="a process in a with"),
        pytest.param(WAITS_AT_ITS_END, "in thing", id="the end of a fixture"),
        pytest.param(IS_DEAF, "in test_that_waits", id="compiled code"),
    ],
)
def test_it_ends_and_tells_where_it_was(pytester, monkeypatch, source, place):
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # some take seconds to load
    pytester.makeconftest(CONFTEST)
    pytester.makepyfile(source)
    done = pytester.runpytest_subprocess("-p", "pytest_timeout", "--timeout", "0.2", timeout=60)
    said = done.stderr.str()
    assert done.ret == 1
    done.stdout.no_fnmatch_line("*1 *ed in *")  # it did not come to that
    assert "test_that_waits" in said
    assert place in said
