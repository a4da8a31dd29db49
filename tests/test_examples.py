"""Every program in examples/ runs, tells what it promises, and writes what its docstring names."""

import ast
import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import headframe as hf

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "examples"
PROGRAMS = sorted(FOLDER.glob("*.py"))
PAGE = (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")
LINES = range(20, 61)  # lines that are not empty

# What a program prints (one pattern a line that has to be there).
TOLD = {
    "01": [
        r"^the catalogue: .*roadheader",
        r"^telescope +2\.050 +1\.900 to 2\.450$",
        r"^groups: slew",
    ],
    "02": [
        r"reached: True$",
        r"m too short, reached: False$",
        r"^refused: 'boom_left': found 2\.5 m",
    ],
    "03": [
        r"^20000 places of the cutter head, 10\.\d+ m³$",
        r"^highest place (\[.*\]) .* \1$",
    ],
    "04": [
        r"^lhd: embedded, because",
        r"^after the fall it is at 0\.\d+ m$",
        r"^wrote .*lift\.png$",
    ],
    "05": [
        r"^problem: .*'lower_amr'.*did you mean 'lower_arm'",
        r"^driven: ram 0\.750 m",
    ],
    "06": [
        r"moved by shoulder, elbow$",
        r"^its tip gets 0\.9 m high",
        r"^moved: shoulder 0\.200 rad",
    ],
    "07": [
        r"^151 moments over 3 s, the same numbers: True$",
        r"^front_legs: 2\.459 m to 2\.370 m",
    ],
    "08": [
        r"^lift: 1\.648 m to 1\.[67]\d+ m by lever \+1",
        r"^wrote .*operator\.csv: \d+ frames$",
    ],
    "09": [
        r"raise the bucket by 0\.33 m$",
        r"^refused: 'lift': found 9 m",
        r"stays at 1\.07 m$",
    ],
    "10": [
        r"^one thread:  20000 poses in",
        r"^the same to the last bit: True$",
    ],
    "11": [
        r"^\d+ via points, .* 9\d\.\d % of the face cut$",
        r"^at half speed, for hard rock: 1\d\d s",
    ],
    "12": [
        r"^embedded +0\.0000",
        r"^constrained +0\.0000",
        r"^xpbd +0\.\d+",
    ],
    "13": [
        r"^  note: Actuator 'lift' is left out",
        r"^read again from lhd\.xml: .* [\d.e-]+ mm off$",
    ],
}
SHORTER = {"10": ["--rows", "20000"], "12": ["--seconds", "0.1"]}


def number(program):
    return program.name[:2]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_it_runs_tells_what_it_promises_and_writes_what_it_names(
    program, tmp_path, monkeypatch, capsys
):
    """Programs run in this process, so that the compiled code is loaded once."""
    arguments = SHORTER.get(number(program), [])
    if "--folder" in program.read_text("utf-8"):
        arguments = [*arguments, "--folder", str(tmp_path)]
    monkeypatch.setattr("sys.argv", [str(program), *arguments])
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(program), run_name="__main__")

    said = capsys.readouterr().out
    for pattern in TOLD[number(program)]:
        assert re.search(pattern, said, re.MULTILINE), f"{pattern}\nis not in\n{said}"
    named = re.findall(r"\b\w+\.(?:png|npz|csv|json|urdf|xml|glb|zip)\b", docstring(program))
    assert named or number(program) == "02"
    for name in named:
        assert (tmp_path / name).stat().st_size > 0, name
        if name.endswith(".png"):
            check_picture(tmp_path / name)
    if number(program) == "08":
        table = np.loadtxt(tmp_path / "operator.csv", delimiter=",", skiprows=1)
        assert np.ptp(table, axis=0).min() > 0.02  # time, and both cylinders, went on


def check_picture(path):
    with Image.open(path) as picture:
        assert picture.width > 500
        assert len(picture.convert("RGB").getcolors(1 << 24)) > 20  # not empty


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_it_is_short_and_uses_public_names_only(program):
    text = program.read_text(encoding="utf-8")
    assert len([line for line in text.splitlines() if line.strip()]) in LINES
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert not [name for name in imported if name.startswith("headframe.")]
    used = set(re.findall(r"\bhf\.(\w+)", text))
    assert used <= set(hf.__all__)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_the_page_shows_it(program):
    assert f"../examples/{program.name}" in PAGE


def test_there_are_a_dozen_numbered_without_a_gap():
    numbers = [int(number(program)) for program in PROGRAMS]
    assert numbers == list(range(1, len(PROGRAMS) + 1))
    assert len(PROGRAMS) >= 12
    assert {number(program) for program in PROGRAMS} == set(TOLD)


def docstring(program):
    return ast.get_docstring(ast.parse(program.read_text(encoding="utf-8"))) or ""
