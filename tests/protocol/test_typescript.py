"""The page's types are those of the messages."""

import subprocess
import sys
from pathlib import Path

import pytest

from headframe.protocol import frame_layout, up
from headframe.protocol.__main__ import FILE
from headframe.protocol.frame_layout import FrameSection, SectionColumn
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


def test_another_section_needs_nothing_by_hand(monkeypatch):
    """The page's decoder cuts it, knows its columns, and counts it into a frame's length."""
    columns = (SectionColumn("flow", "m3/s"), SectionColumn("pressure", "Pa"))
    oil = FrameSection("oil", "cylinders", columns, "in the hoses")
    *others, crowd = frame_layout.SECTIONS
    monkeypatch.setattr(frame_layout, "SECTIONS", (*others, oil, crowd))
    text = source()
    assert "oil: { flow: 0, pressure: 1 }" in text
    assert "/** in the hoses */\n  oil: Float32Array;" in text
    assert "    2 * head.cylinders,\n    head.crowd,\n" in text
    assert "    oil: take(9),\n    crowd: take(10),\n" in text
