"""Who stands in a scene, without a server: places of machines that are y up among the others."""

import json
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from headframe.errors import HeadframeWarning
from headframe.mechanism import State
from headframe.server.cast import Cast, SceneChoice
from headframe.spatial import pose

DEMO = Path(__file__).parents[1] / "fixtures" / "demo_dialect_support.json"


def test_machines_that_are_y_up_stand_where_the_scene_says(tmp_path):
    """The page turns them upright about x, from y up to z up: then they stand at their places."""
    shutil.copy(DEMO, tmp_path / "demo.json")
    stand = {"xyz": [3, 4, 1], "rpy": [0, 0, math.pi / 2]}
    scene = {
        "headframe_scene": 1,
        "name": "mixed",
        "environment": {"kind": "yard"},
        "machines": [
            {"name": "loader", "machine": "lhd", "origin": stand},
            {"name": "demo", "machine": "demo.json", "origin": stand, "count": 2,
             "step": {"xyz": [0, 2, 0]}},
        ],
    }  # fmt: skip
    (tmp_path / "mixed.json").write_text(json.dumps(scene))
    loader, demo = Cast(SceneChoice(str(tmp_path / "mixed.json"))).kinds
    assert demo.machine.robot.up_axis == "y"
    np.testing.assert_allclose(loader.bases[0], pose(stand["xyz"], stand["rpy"]), atol=1e-12)
    # x stays, z becomes y, y becomes -z; the second stands 2 m along its y, which is the world's -x
    np.testing.assert_allclose(demo.bases[:, :3, 3], [[3, 1, -4], [1, 1, -4]], atol=1e-12)
    ahead = demo.bases[0][:3, :3] @ (1.0, 0.0, 0.0)
    np.testing.assert_allclose(ahead, (0.0, 0.0, -1.0), atol=1e-12)
    above = demo.bases[0][:3, :3] @ (0.0, 1.0, 0.0)
    np.testing.assert_allclose(above, (0.0, 1.0, 0.0), atol=1e-12)
    state = State(demo.machine.mechanism, demo.joints[1], demo.bases[1])
    for n, link in enumerate(demo.machine.links):
        np.testing.assert_allclose(demo.poses[1, n, :3], state.pose(link.name)[:3, 3], atol=1e-12)


def test_a_guest_that_is_y_up_comes_with_its_warning():
    with pytest.warns(HeadframeWarning):
        cast = Cast(SceneChoice("tunnel", guest=str(DEMO)))
    assert cast.now.machine.robot.up_axis == "y"
    assert cast.now.alone


def test_joints_of_a_machine_whose_file_has_changed_are_left_aside():
    """A checkpoint of before has another number of them: the machine stands as it did."""
    cast = Cast(SceneChoice("tunnel", "lhd"))
    joints, poses = cast.now.joints.copy(), cast.now.poses.copy()
    for wrong in (joints[:, :-1], np.vstack([joints, joints]), np.zeros((1, 99))):
        cast.stand(cast.driven, wrong)
        np.testing.assert_array_equal(cast.now.joints, joints)
        np.testing.assert_array_equal(cast.now.poses, poses)
