"""The pictures in the documentation, and the program that takes them."""

import re
from pathlib import Path

import pytest
from PIL import Image

import headframe as hf
from screenshots import program
from screenshots.files import DOCS, LARGEST, QUALITIES, keep
from screenshots.subjects import PICTURES

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = {
    found
    for page in PAGES
    for found in re.findall(r"_static/((?:page|workbench)/\w+)\.jpg", page.read_text("utf-8"))
}


@pytest.mark.parametrize("name", sorted(SHOWN))
def test_a_picture_that_is_shown_is_there_and_can_be_taken_again(name):
    assert name.split("/")[1] in PICTURES
    path = DOCS / f"{name}.jpg"
    assert path.stat().st_size <= LARGEST
    with Image.open(path) as picture:
        assert picture.width == (390 if name == "page/phone" else 1280)


@pytest.mark.parametrize("name", hf.machines())
def test_every_machine_has_a_small_picture_for_the_chooser(name):
    assert name in PICTURES
    with Image.open(ROOT / "web" / "public" / "machines" / f"{name}.jpg") as picture:
        assert picture.size == (400, 250)


def test_a_picture_is_kept_as_good_as_its_size_allows(tmp_path, monkeypatch):
    monkeypatch.setattr("screenshots.files.ROOT", tmp_path)
    noise = Image.effect_noise((1000, 600), 50)
    noise.save(tmp_path / "best.jpg", quality=QUALITIES[0], optimize=True)
    assert (tmp_path / "best.jpg").stat().st_size > LARGEST
    keep(noise, tmp_path / "new" / "noise.jpg")
    assert 0.5 * LARGEST < (tmp_path / "new" / "noise.jpg").stat().st_size <= LARGEST
    with pytest.raises(SystemExit, match=r"large\.jpg"):
        keep(noise.resize((4000, 2400), Image.Resampling.NEAREST), tmp_path / "large.jpg")
    assert not (tmp_path / "large.jpg").exists()


def test_names_are_listed_and_unknown_ones_refused(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["screenshots", "--list"])
    assert program.main() == 0
    assert capsys.readouterr().out.split() == list(PICTURES)
    monkeypatch.setattr("sys.argv", ["screenshots", "--only", "reach", "nosuch", "other"])
    with pytest.raises(SystemExit):
        program.main()
    assert "no such picture: nosuch, other" in capsys.readouterr().err
