"""Pictures of whole machines."""

import sys

import numpy as np
import pytest

import headframe
from headframe.description import Robot
from headframe.errors import ExportError, MissingExtraError
from headframe.pictures import draw_machine
from headframe.pictures.machine import NamesLeft

mpl_image = pytest.importorskip("matplotlib.image")


class Still:
    """A state in which every link is at the origin."""

    def pose(self, link):
        return np.eye(4)


def toy(name="toy", link="base", **fields):
    visual = {"geometry": {"type": "box", "x": 2.0, "y": 1.0, "z": 1.0}}
    return Robot.model_validate(
        {"name": name, "links": [{"name": link, "visual": [visual]}], **fields}
    )


def test_a_machine_of_the_catalogue(tmp_path):
    machine = headframe.load("roadheader")
    path = draw_machine(machine.robot, machine.home, tmp_path / "roadheader.png")
    image = mpl_image.imread(path)
    assert image.shape[1] == 1600
    assert (image[:, :, :3] == 1.0).all(axis=2).mean() > 0.4  # white background
    assert (image[:, :, :3] < 0.9).any(axis=2).mean() > 0.1  # and a machine


@pytest.mark.parametrize("suffix", [".svg", ".pdf", ".PNG"])
def test_other_formats(tmp_path, suffix):
    assert draw_machine(toy(), Still(), tmp_path / f"toy{suffix}").stat().st_size > 5000


@pytest.mark.parametrize("up_axis", ["z", "y"])
def test_either_axis_up_and_no_names(tmp_path, up_axis):
    draw_machine(toy(up_axis=up_axis), Still(), tmp_path / "toy.png", names=False)


def test_names_are_taken_literally(tmp_path):
    robot = toy(name="$x^2$ 掘进机", link="$\\frac{a\n液压支架" + "long" * 60)
    draw_machine(robot, Still(), str(tmp_path / "toy.png"))


def test_tubes_and_rods_go_by_their_actuators_name():
    robot = headframe.load("door").robot
    names = NamesLeft(robot)
    texts = [names.texts[i] for i in names.waiting]
    parts = {part for a in robot.actuators for part in (a.tube, a.rod)}
    assert not parts & set(texts)
    assert {a.name for a in robot.actuators} <= set(texts)
    assert {link.name for link in robot.main_links if link.visuals} <= set(texts)


@pytest.mark.parametrize("name", headframe.machines())
def test_every_part_is_named_or_said_to_be_hidden(tmp_path, monkeypatch, name):
    machine = headframe.load(name)
    hidden = []
    monkeypatch.setattr(
        "headframe.pictures.machine.shortened",
        lambda text, most=28: hidden.append(text) or text,
    )
    draw_machine(machine.robot, machine.home, tmp_path / "m.png", machine.folder)
    notes = [text for text in hidden if text.startswith("not to be seen")]
    assert len(notes) <= 1
    assert len(notes[0].split(",")) <= 4 if notes else True


def test_pyplot_is_left_alone(tmp_path):
    loaded = "matplotlib.pyplot" in sys.modules
    draw_machine(toy(), Still(), tmp_path / "toy.png")
    assert ("matplotlib.pyplot" in sys.modules) == loaded


def test_what_cannot_be_drawn_is_said(tmp_path):
    with pytest.raises(ExportError, match=r"\.png, \.svg, \.pdf"):
        draw_machine(toy(), Still(), tmp_path / "toy.jpg")
    with pytest.raises(ExportError, match="no folder"):
        draw_machine(toy(), Still(), tmp_path / "missing" / "toy.png")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(ExportError, match="cannot be written"):
        draw_machine(toy(), Still(), tmp_path / "folder.png")
    empty = Robot.model_validate({"name": "empty", "links": [{"name": "base"}]})
    with pytest.raises(ExportError, match="nothing to draw"):
        draw_machine(empty, Still(), tmp_path / "toy.png")


def test_without_matplotlib_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"headframe\[plot\]"):
        draw_machine(toy(), Still(), tmp_path / "toy.png")
