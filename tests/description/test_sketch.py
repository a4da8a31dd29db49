"""Machines in few triangles: what is left out, and that the rest is where it was."""

import numpy as np
import pytest

import headframe as hf
from headframe.description.appearance import parts_of
from headframe.description.sketch import MOST, sketch_of
from headframe.export.scene_glb import link_scene


def box_of(parts):
    points = np.concatenate([part.vertices for part in parts])
    return points.min(axis=0), points.max(axis=0)


@pytest.mark.parametrize("name", hf.machines())
def test_few_triangles_of_the_same_size(name):
    machine = hf.load(name)
    robot = machine.robot
    sketch = sketch_of(robot)
    assert sum(len(part.faces) for own in sketch for part in own) <= MOST
    plain = parts_of(robot.model_copy(update={"geometry_file": None}), machine.folder)
    largest = max(range(len(plain)), key=lambda i: np.ptp(box_of(plain[i]), axis=0).max())
    low, high = box_of(sketch[largest])
    wanted = box_of(plain[largest])
    assert np.ptp(np.array([low, high]), axis=0).max() > 0.8 * np.ptp(wanted, axis=0).max()
    for own, full in zip(sketch, plain, strict=True):
        if own:
            low, high = box_of(own)
            assert (low >= box_of(full)[0] - 0.02).all()
            assert (high <= box_of(full)[1] + 0.02).all()
            for part in own:
                np.testing.assert_allclose(np.linalg.norm(part.normals, axis=1), 1.0, atol=1e-9)


def test_budget_takes_the_largest_first():
    robot = hf.load("tcchs").robot

    def area(parts):
        return max(np.linalg.norm(np.ptp(part.vertices, axis=0)) for own in parts for part in own)

    small, large = sketch_of(robot, 60), sketch_of(robot, 600)
    count = [sum(len(p.faces) for own in sketch for p in own) for sketch in (small, large)]
    assert count[0] <= 60 < count[1] <= 600
    assert area(small) == pytest.approx(area(large), rel=0.2)
    assert sketch_of(robot, 0) == ((),) * len(robot.links)


def test_as_gltf():
    machine = hf.load("tcchs")
    full, few = link_scene(machine), link_scene(machine, parts=sketch_of(machine.robot))
    assert few[:4] == b"glTF"
    assert len(few) < 0.2 * len(full)
