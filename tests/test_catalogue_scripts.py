"""The catalogue's files are what their scripts make, and in the one canonical form."""

import subprocess
import sys
from pathlib import Path

import pytest

import headframe as hf
from headframe.description.writing import mrdf_text
from headframe.machine import find

SCRIPTS = Path(__file__).parents[1] / "tools" / "catalogue"


def run(*arguments):
    command = [sys.executable, str(SCRIPTS), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_files_are_what_the_scripts_make():
    result = run("--check")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_there_is_no_other_machine():
    result = run("--check", "submarine")
    assert result.returncode == 2
    assert f"no machine submarine; there are {', '.join(hf.machines())}" in result.stderr


@pytest.mark.parametrize("name", hf.machines())
def test_file_is_canonical(name):
    assert mrdf_text(hf.load(name).robot) == find(name).read_bytes().decode("utf-8")
