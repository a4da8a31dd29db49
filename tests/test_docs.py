"""Every Python example in the README and the docs runs."""

import json
import re
from pathlib import Path

import pytest
from runs import Made
from typer.testing import CliRunner

from headframe.baselines.paper.methods import METHODS
from headframe.cli.main import app

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md")), *sorted((DOCS / "workbench").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
EXAMPLES = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(BLOCK.findall(page.read_text(encoding="utf-8")))
]


@pytest.mark.parametrize("code", EXAMPLES)
def test_example_runs(code, tmp_path, monkeypatch):
    """Run in a folder that has the repository's files in place and takes what is written."""
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    (tmp_path / "build").mkdir()
    if "run.mcap" in code:  # which a person has recorded
        Made(tmp_path / "run.mcap", "roadheader", ticks=3)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "example", "exec"), {"__name__": "example"})


def test_all_methods_of_inverse_kinematics_are_listed():
    text = (ROOT / "docs" / "kinematics.md").read_text(encoding="utf-8")
    listed = re.findall(r'^\| `"([a-z0-9-]+)"` \|', text, re.MULTILINE)
    assert listed == ["newton", *METHODS]


IK_COMMAND = re.compile(r"^headframe (ik [^#\n]*)", re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_targets_of_inverse_kinematics_are_reached(page, monkeypatch):
    if page.name == "urdf.md":  # which goes to the example's folder first
        monkeypatch.chdir(ROOT / "docs" / "examples" / "picker_description" / "urdf")
    for command in IK_COMMAND.findall(page.read_text(encoding="utf-8")):
        result = CliRunner().invoke(app, [*command.split(), "--json"])
        assert result.exit_code == 0, result.output
        assert json.loads(result.stdout)["reachable"], command


def test_there_are_examples():
    assert len(EXAMPLES) >= 3


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_nothing_is_left_to_measure(page):
    assert "TODO" not in page.read_text(encoding="utf-8")
