"""The script that continuous integration runs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "run"


@pytest.mark.skipif(shutil.which("bash") is None, reason="a script for bash")
@pytest.mark.parametrize(("given", "expected"), [(None, "true"), ("", "true"), ("yes", "yes")])
def test_ci_is_set_whoever_starts_it(tmp_path, given, expected):
    """With CI set, a crosscheck that skips is a failure; a stand-in for make shows what it got."""
    fake = tmp_path / "make"
    fake.write_text('#!/bin/sh\necho "CI=$CI make $*"\n')
    fake.chmod(0o755)
    environment = {key: value for key, value in os.environ.items() if key != "CI"}
    environment["PATH"] = f"{tmp_path}{os.pathsep}{environment['PATH']}"
    if given is not None:
        environment["CI"] = given
    done = subprocess.run(
        ["bash", str(SCRIPT)], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == f"CI={expected} make test"
