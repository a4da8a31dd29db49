"""A machine before and after inverse kinematics, as in Fig. 17 of the MineRobot paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from ..errors import HeadframeError
from ..machine import Machine, load
from ..mechanism import State
from ..pictures import (
    INK,
    QUIET,
    VIEWER,
    Camera,
    RenderedScene,
    make_scene,
    new_figure,
    panel,
    perspective,
    render,
    save,
)
from .ik import end_effector
from .quality import psi
from .trials import Floats, IkTrial, ik_trials

SIZE = (780, 560)
TRIALS = 12  # of which one with a rather long way is shown
AXES = ("#d55e00", "#009e73", "#0072b2")


def draw(name: str, seed: int, path: Path) -> Path:
    """Draw a machine at a random start and where Headframe's method brings it, with the target."""
    machine = load(name)
    link = end_effector(machine)
    trials = [trial for trial in ik_trials(machine, link, TRIALS, seed) if trial.reachable]
    trials.sort(key=lambda one: psi(one.start, link, one.target))
    trial = trials[2 * len(trials) // 3]
    result = machine.ik(link, trial.target, trial.start)
    states = {"before": trial.start, "after": result.state}
    scenes = [_scene(machine, state) for state in states.values()]
    camera = _camera(scenes)
    figure = new_figure(2 * SIZE[0], SIZE[1] + 70)
    for column, ((when, state), scene) in enumerate(zip(states.items(), scenes, strict=True)):
        axes = panel(figure, SIZE[0] * column, 70, *SIZE)
        picture = render(scene, camera)
        axes.imshow(picture.image, interpolation="none", extent=(0, SIZE[0], SIZE[1], 0))
        axes.set_axis_off()
        _mark(axes, camera, trial, state, link)
        width, height = figure.get_size_inches() * 100
        x = (SIZE[0] * column + 28) / width
        figure.text(x, 1 - 36 / height, f"{name}, {when}", fontsize=16, color=INK)
        text = f"{link} is {psi(state, link, trial.target):.2g} from the target (rad and m)"
        figure.text(x, 1 - 60 / height, text, fontsize=11.5, color=QUIET)
    return save(figure, path)


def _scene(machine: Machine, state: State) -> RenderedScene:
    scene = make_scene(machine.robot, state, machine.folder)
    if scene is None:
        raise HeadframeError(f"{machine.name}: no link has a visual, there is nothing to draw")
    return scene


def _camera(scenes: list[RenderedScene]) -> Camera:
    """One view that holds both."""
    one = scenes[0]
    vertices = np.vstack([scene.vertices for scene in scenes])
    both = RenderedScene(
        vertices, one.part, one.triangles, one.normals, one.identity, one.colors, one.owners
    )
    return perspective(both, VIEWER, *SIZE, margin=(0.06, 0.08))


def _mark(axes: Any, camera: Camera, trial: IkTrial, state: State, link: str) -> None:
    """The target as a ring with three axes, and a line to it from where the link is."""
    from matplotlib import patheffects

    rim = [patheffects.withStroke(linewidth=4.5, foreground="white", alpha=0.9)]
    origin = trial.target[:3, 3]
    here = _pixel(camera, state.pose(link)[:3, 3])
    there = _pixel(camera, origin)
    for direction, color in zip(trial.target[:3, :3].T, AXES, strict=True):
        tip = _pixel(camera, origin + 0.5 * direction)
        axes.plot(*zip(there, tip, strict=True), color=color, linewidth=2.4, path_effects=rim)
    axes.plot(
        *zip(here, there, strict=True), color=INK, linewidth=1.4, linestyle=(0, (4, 3)),
        path_effects=rim,
    )  # fmt: skip
    axes.plot(*there, "o", markersize=15, markerfacecolor="#f0c000", markeredgecolor=INK)
    axes.plot(*here, "o", markersize=6, color=INK, markeredgecolor="white")


def _pixel(camera: Camera, point: Floats) -> tuple[float, float]:
    column, row, _ = camera.project(point[None])[0]
    return float(column), float(row)
