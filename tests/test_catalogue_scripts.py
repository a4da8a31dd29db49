"""The catalogue's files are what their scripts make, and in the one canonical form."""

import subprocess
import sys
from pathlib import Path

import pytest

import headframe as hf
from headframe.description.three_dt import model_text, read_for
from headframe.description.writing import mrdf_text
from headframe.machine import find

MACHINES = [name for name in hf.machines() if hf.load(name).robot.geometry_file is not None]
SCRIPTS = Path(__file__).parents[1] / "tools" / "catalogue"


def run(*arguments):
    command = [sys.executable, str(SCRIPTS), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


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


# -- models ----------------------------------------------------------------------------

COMPONENTS = [  # figure 6 of the MineRobot paper
    "Main Body", "Cutting Head", "Telescopic Arm", "Supporting Arm", "Arm Base",
    "Cylinder Barrel", "Piston Rod", "Rear Frame", "Shovel Plate", "Loader Gathering Arm",
]  # fmt: skip


def model_of(name):
    machine = hf.load(name)
    return read_for(machine.robot, machine.folder).model


def test_the_eight_machines_have_models():
    assert MACHINES == ["door", "jumbo", "lhd", "roadheader", "shearer", "sshs", "sths", "tcchs"]
    sizes = [find(name).with_suffix(".3dt").stat().st_size for name in MACHINES]
    assert sum(sizes) < 8e6


@pytest.mark.parametrize("name", MACHINES)
def test_model_is_canonical_and_covers_every_link_that_is_seen(name):
    model = model_of(name)
    assert model_text(model) == find(name).with_suffix(".3dt").read_bytes().decode("utf-8")
    seen = {link.name for link in hf.load(name).links if link.visuals}
    assert {body.link for body in model.bodies} == seen
    assert 5_000 < model.counts["triangles"] <= 40_000


def test_the_roadheader_has_the_components_of_the_paper():
    model = model_of("roadheader")
    assert [component.name for component in model.components] == COMPONENTS
    assert model.counts["bodies"] >= 100
    assert 20_000 <= model.counts["triangles"] <= 40_000
    picks = [body for body in model.bodies if body.name.startswith("picks")]
    assert sum(int(body.attributes["count"]) for body in picks) == 55  # five spirals of eleven


@pytest.mark.parametrize("name", MACHINES)
def test_models_are_about_as_large_as_the_shapes_of_the_machine_file(name):
    """What is seen of a link lies where its visuals lie, but for hoses, lamps and rails."""
    machine = hf.load(name)
    for body in model_of(name).bodies:
        boxes = machine.robot.link(body.link).visuals
        reach = max(sum(x * x for x in v.translation) ** 0.5 for v in boxes) + 4.0
        assert abs(body.vertices).max() < reach, body.name


CHANGED = """
import importlib.util, sys
from dataclasses import replace
sys.path.insert(0, {scripts!r})
spec = importlib.util.spec_from_file_location("catalogue", {scripts!r} + "/__main__.py")
main = importlib.util.module_from_spec(spec)
spec.loader.exec_module(main)
path = main.FOLDER / "door.3dt"
model = main.read_model(path).model
assert main.is_current_model(path, model)
first, *others = model.components
body, *rest = first.bodies
for other in (
    replace(body, name="other"),
    replace(body, color=(0.0, 0.0, 0.0, 1.0)),
    replace(body, vertices=body.vertices + 0.01),
):
    component = replace(first, bodies=(other, *rest))
    assert not main.is_current_model(path, replace(model, components=(component, *others)))
assert not main.is_current_model(path, replace(model, components=model.components[1:]))
"""


def test_a_model_that_differs_is_noticed():
    command = [sys.executable, "-c", CHANGED.format(scripts=str(SCRIPTS))]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
