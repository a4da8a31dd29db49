"""What frames of a scene with loose bodies tell, and what stays when its machines change."""

import json

import numpy as np
import pytest
from test_worker import Bench

from headframe.protocol import decode, up
from headframe.server.cast import SceneChoice
from headframe.server.messages import Checkpoint, FrameReport, SceneReport
from headframe.sim import Physics

BOX = {"geometry": {"type": "box", "x": 0.4, "y": 0.4, "z": 0.4}}
SCENE = {
    "headframe_scene": 1,
    "name": "test bay",
    "environment": {"kind": "yard"},
    "machines": [
        {"name": "arm", "machine": "gripper"},
        {"name": "loader", "machine": "lhd", "base": "free", "origin": {"xyz": [0, 8, 0.3]}},
    ],
    "bodies": [
        {"name": "box", "shapes": BOX, "mass": 20, "at": {"xyz": [3, 0, 0.4]}},
        {"name": "still", "shapes": BOX, "mass": 20, "at": {"xyz": [5, 0, 0.2]}, "count": 6,
         "step": {"xyz": [1, 0, 0]}},
    ],
    "statics": [{"name": "wall", "shapes": BOX, "at": {"xyz": [-3, 0, 0.2]}}],
    "drive": "arm",
}  # fmt: skip


class Bay(Bench):
    """A worker that begins in a scene, under forces."""

    def __init__(self, choice, checkpoint=None, dynamics=True):
        self.choice, self.checkpoint = choice, checkpoint
        self.scene = choice.scene
        super().__init__(machine="", dynamics=dynamics)
        self.hear()

    def begin(self, worker):
        worker.stage(self.choice, worker.first, self.checkpoint)

    def frames(self):
        return [decode(said.frame) for said in self.said if isinstance(said, FrameReport)]


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "bay.json"
    path.write_text(json.dumps(SCENE), encoding="utf-8")
    return SceneChoice(str(path))


def lying(frames):
    """Where the last frames have all bodies: x, y, z by number."""
    return {int(row[0]): row[1:4] for frame in frames for row in frame.bodies}


def test_frames_tell_bodies_that_moved_and_what_touches(scene):
    bay = Bay(scene)
    bay.tick(40)
    frames = bay.frames()
    names = bay.last(SceneReport).scene.members
    assert names[:10] == ("ground", "box", *(f"still {n + 1}" for n in range(6)), "wall", "base")
    assert names[-2:] == ("arm", "loader")
    assert len(frames[0].bodies) == 7
    assert all(len(frame.bodies) <= 7 for frame in frames)
    assert lying(frames)[0][2] == pytest.approx(0.2, abs=1e-3), "it was put 0.2 m above the ground"
    touching = {frozenset((names[int(a)], names[int(b)])) for *_, a, b in frames[-1].contacts}
    assert frozenset(("box", "ground")) in touching
    assert frozenset(("loader", "ground")) in touching
    bay.said.clear()
    bay.tick(60)
    bay.said.clear()
    bay.tick(20)
    told = [len(frame.bodies) for frame in bay.frames()]
    assert np.median(told) == 4, "all lie still"


def test_a_machine_that_stands_free_falls_though_it_is_not_driven(scene):
    bay = Bay(scene)
    bay.tick(40)
    heights = [
        units.poses[k, 0, 2]
        for frame in bay.frames()
        for units in frame.crowd
        for k in np.flatnonzero(units.numbers == 1)
    ]
    assert heights[0] > 0.25
    assert heights[-1] == pytest.approx(0.0, abs=0.02)


def test_bodies_and_machines_stay_where_they_are_when_another_is_driven(scene):
    bay = Bay(scene)
    bay.tick(40)
    before = lying(bay.frames())
    bay.said.clear()
    bay.order(up.Select("loader", None))
    bay.tick(3)
    assert bay.worker.session.physics.dynamics
    assert bay.worker.session.motion.state.base[2, 3] == pytest.approx(0.0, abs=0.02)
    for number, place in lying(bay.frames()).items():
        np.testing.assert_allclose(place, before[number], atol=1e-3)
    bay.order(up.Restart())
    bay.said.clear()
    bay.tick(1)
    assert lying(bay.frames())[0][2] == pytest.approx(0.4, abs=2e-3)


def test_a_new_process_goes_on_with_bodies_where_they_were(scene):
    bay = Bay(scene)
    bay.order(up.Select("loader", None))
    bay.tick(60)
    checkpoint = bay.last(Checkpoint)
    other = Bay(checkpoint.choice, checkpoint)
    session = other.worker.session
    assert session.paused
    np.testing.assert_allclose(session.body_poses, checkpoint.bodies, atol=1e-9)
    np.testing.assert_allclose(session.motion.state.base, checkpoint.base, atol=1e-9)
    assert session.motion.state.base[2, 3] < 0.02


def test_by_kinematics_nothing_touches(scene):
    bay = Bay(scene, dynamics=False)
    bay.tick(20)
    frames = bay.frames()
    assert all(len(frame.contacts) == 0 for frame in frames)
    assert lying(frames)[0][2] == pytest.approx(0.4)
    bay.order(up.SetPhysics(dynamics=True))
    bay.tick(20)
    assert lying(bay.frames())[0][2] < 0.39
    assert bay.worker.session.physics == Physics(dynamics=True)
