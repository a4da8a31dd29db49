"""Objects are drawn where a notebook shows them."""

import subprocess
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell

import headframe as hf
from headframe.notebook.pictures import PICTURES, register

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def shell():
    shell = InteractiveShell()
    register(shell)
    return shell


def shown(shell, value):
    """What a cell with this value shows, by type."""
    data, _ = shell.display_formatter.format(value)
    return data


def examples():
    machine = hf.load("door")
    yield machine
    yield machine.home
    yield machine.topology
    target = machine.home.pose(machine.robot.end_effector or "panel_left")
    yield machine.ik(machine.robot.end_effector or "panel_left", target)


@pytest.mark.parametrize("value", list(examples()), ids=lambda value: type(value).__name__)
def test_objects_have_pictures_beside_their_text(shell, value):
    data = shown(shell, value)
    assert data["image/png"][:8] == PNG
    assert data["text/plain"]


def test_results_have_pictures(shell):
    machine = hf.load("lhd")
    found = hf.workspace(machine, samples=500, seed=1)
    assert shown(shell, found)["image/png"][:8] == PNG
    assert shown(shell, hf.record(hf.Simulation(machine), 0.05))["image/png"][:8] == PNG


def test_every_class_is_there():
    for module, name in PICTURES:
        __import__(module)
        assert hasattr(sys.modules[module], name)


def test_machine_that_cannot_be_drawn_is_shown_as_text(shell, monkeypatch):
    machine = hf.load("door")

    def fail(*_args, **_options):
        raise hf.MissingExtraError("drawing", "matplotlib", "plot")

    monkeypatch.setattr(type(machine), "draw", fail)
    data = shown(shell, machine)
    assert "image/png" not in data
    assert "door" in data["text/plain"]


def test_import_registers_in_a_notebook_and_costs_nothing_elsewhere():
    script = (
        "import sys, headframe; assert 'headframe.notebook.pictures' not in sys.modules; "
        "assert 'IPython' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    script = (
        "from IPython.core.interactiveshell import InteractiveShell as S; s = S.instance(); "
        "import headframe as hf; "
        "assert 'image/png' in s.display_formatter.format(hf.load('door'))[0]"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
