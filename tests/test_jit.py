"""The kernel decorator and its cache."""

import os
import subprocess
import sys

import numba
import pytest
from numba.core import config

from headframe import jit


def run(code, **environment):
    """Run Python code in a fresh process without make's cache folder."""
    inherited = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    return subprocess.run(
        [sys.executable, "-W", "always", "-c", code],
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_decorating_leaves_numbas_settings_alone():
    before = config.CACHE_DIR

    @jit.kernel
    def double(x):
        return 2 * x

    assert double(21) == 42
    assert double.py_func(21) == 42
    assert before == config.CACHE_DIR


def test_any_change_in_any_kernel_source_changes_the_folder(tmp_path, monkeypatch):
    room = tmp_path / "room"
    room.mkdir()
    source = room / "_kernels.py"
    source.write_text("a = 1\n")
    monkeypatch.setattr(jit, "PACKAGE", tmp_path)
    monkeypatch.setattr(jit, "kernel_sources", lambda: [source])
    before = jit.source_hash()
    source.write_text("a = 2\n")
    assert jit.source_hash() != before


def test_hash_covers_numbas_version(monkeypatch):
    before = jit.source_hash()
    monkeypatch.setattr(numba, "__version__", "0.0.0")
    assert jit.source_hash() != before


def test_cache_goes_to_the_users_cache_folder(tmp_path):
    code = "from headframe import jit; print(jit.cache_folder())"
    done = run(code, XDG_CACHE_HOME=str(tmp_path), LOCALAPPDATA="")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(tmp_path / "headframe" / "kernels-"))


def test_where_nothing_can_be_written_kernels_still_run(tmp_path):
    """A file in place of the folder: nobody, not even root, can make a folder below it."""
    blocker = tmp_path / "file"
    blocker.write_text("")
    code = (
        "from headframe.jit import kernel\n"
        "@kernel\n"
        "def double(x):\n    return 2 * x\n"
        "@kernel\n"
        "def triple(x):\n    return 3 * x\n"
        "print(double(21) + triple(1))"
    )
    done = run(code, NUMBA_CACHE_DIR=str(blocker / "cache"))
    assert done.stdout.strip() == "45", done.stderr
    assert done.stderr.count("compiled anew in every process") == 1


@pytest.mark.parametrize("name", ["headframe.mechanism._kernels", "headframe.pictures._kernels"])
def test_every_kernel_module_can_warm_up(name):
    __import__(name)
    sys.modules[name].warm_up()
