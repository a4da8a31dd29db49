"""The page's types are those of the messages."""

import subprocess
import sys
from pathlib import Path

import pytest

from headframe.protocol import up
from headframe.protocol.__main__ import FILE
from headframe.protocol.typescript import _bounds, _type, source

ROOT = Path(__file__).resolve().parents[2]


def test_generated_file_is_current():
    assert (ROOT / FILE).read_text(encoding="utf-8") == source(), "run: make protocol"


def test_check_tells_a_difference(tmp_path):
    file = tmp_path / "generated.ts"
    command = [sys.executable, "-m", "headframe.protocol", str(file)]
    check = [*command, "--check"]
    assert subprocess.run(check, capture_output=True).returncode == 1
    subprocess.run(command, check=True)
    assert subprocess.run(check, capture_output=True).returncode == 0
    file.write_text(file.read_text("utf-8").replace("boolean", "number", 1), "utf-8")
    done = subprocess.run(check, capture_output=True, text=True)
    assert done.returncode == 1
    assert "make protocol" in done.stderr


def test_types():
    assert _type(dict[str, float]) == "Record<string, number>"
    assert _type(tuple[int, ...]) == "number[]"
    assert _type(tuple[float, str]) == "[number, string]"
    assert _type(str | None) == "string | null"
    with pytest.raises(TypeError, match="no counterpart"):
        _type(complex)


def test_bounds_of_numbers_are_told():
    assert _bounds(up.Fraction) == "-1 to 1"
    assert _bounds(tuple[up.Metres, up.Metres] | None) == "-1e6 to 1e6"
    assert _bounds(up.Number) == "0 to 9007199254740992"
    assert _bounds(str) == _bounds(dict[str, float]) == ""
