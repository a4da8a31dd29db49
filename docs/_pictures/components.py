"""The picture of the page on 3DT: the roadheader, its components told apart by colour."""

import tempfile
from dataclasses import replace
from pathlib import Path

import matplotlib

import headframe as hf
from headframe.description.three_dt import Component, Model, model_from, model_text, read_for
from headframe.pictures.rendering import make_scene, perspective, render

from . import style

FOLDER = Path(__file__).parent
COLORS = (
    "#9aa5b1", "#c2255c", "#d7dde3", "#ee9d2e", "#e8590c",
    "#22b8cf", "#1f6fb2", "#66788a", "#7cb342", "#8e5bd0",
)  # fmt: skip
SIZE = (1560, 660)  # of the rendered view [px]


def draw_components(folder: Path, newest: float) -> None:
    """Draw it if it is missing, or older than `newest` or this file."""
    path = folder / "three_dt_components.png"
    newest = max(newest, *(file.stat().st_mtime for file in FOLDER.glob("*.py")))
    if path.exists() and path.stat().st_mtime >= newest:
        return
    machine = hf.load("roadheader")
    model = model_from(read_for(machine.robot, machine.folder), "roadheader")
    with matplotlib.rc_context(style.TEXT):
        _draw(machine, model, path)


def _draw(machine: hf.Machine, model: Model, path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = model_text(_painted(model))
        (Path(folder) / "roadheader.3dt").write_text(text, encoding="utf-8")
        scene = make_scene(machine.robot, machine.home, folder)
    camera = perspective(scene, (0.60, -0.72, 0.40), *SIZE, margin=(0.02, 0.03))
    picture = render(scene, camera)
    figure = style.figure(4.05)
    axes = figure.add_axes((0.0, 0.185, 1.0, 0.815))
    axes.imshow(picture.image, interpolation="lanczos")
    axes.axis("off")
    for i, (component, color) in enumerate(zip(model.components, COLORS, strict=True)):
        x, y = 0.025 + 0.190 * (i % 5), 0.115 - 0.075 * (i // 5)
        figure.text(x, y, "■", color=color, fontsize=12, va="center")
        figure.text(x + 0.025, y + 0.012, component.name, fontsize=8, va="center")
        bodies = f"{len(component.bodies)} bodies"
        figure.text(x + 0.025, y - 0.022, bodies, fontsize=7, va="center", color=style.QUIET)
    style.save(figure, path)


def _painted(model: Model) -> Model:
    """The model with one colour for all bodies of a component."""
    components = []
    for component, color in zip(model.components, COLORS, strict=True):
        paint = (*(int(color[k : k + 2], 16) / 255 for k in (1, 3, 5)), 1.0)
        bodies = tuple(replace(body, color=paint) for body in component.bodies)
        components.append(Component(component.name, bodies))
    return Model(model.name, tuple(components))
