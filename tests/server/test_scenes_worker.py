"""Scenes in the physics process, run here: who stands where, who is told, who is driven."""

import json

import numpy as np
import pytest
from test_worker import Bench

import headframe as hf
from headframe.protocol import decode, up
from headframe.protocol.down import SessionStatus
from headframe.server.cast import IN_TURN, Cast, SceneChoice
from headframe.server.faults import Chosen
from headframe.server.messages import DriveFile, FrameReport, SceneReport
from headframe.sim.session import Physics


def bay(tmp_path, count=6):
    """A small longwall with a loader behind it."""
    path = tmp_path / "bay.json"
    support = {"name": "support", "machine": "sths", "count": count}
    path.write_text(
        json.dumps(
            {
                "headframe_scene": 1,
                "name": "bay",
                "environment": {"kind": "longwall"},
                "machines": [
                    {**support, "step": {"xyz": [0, 1.6, 0]}},
                    {"name": "loader", "machine": "lhd", "origin": {"xyz": [-9, 0, 0]}},
                ],
                "drive": "support",
            }
        )
    )
    return str(path)


class Stage(Bench):
    """A bench with a scene file."""

    def __init__(self, scene, checkpoint=None, choice=None):
        self.scene = scene
        self.checkpoint, self.choice = checkpoint, choice or SceneChoice(scene)
        super().__init__(machine="")
        self.unit = {}

    def begin(self, worker):
        worker.stage(self.choice, Physics(), self.checkpoint)

    def tick(self, count=1):
        before = len(self.said)
        super().tick(count)
        for said in self.said[before:]:
            if isinstance(said, FrameReport):
                self.frame = decode(said.frame)
                for units in self.frame.crowd:
                    self.unit.update(zip(units.numbers.tolist(), units.poses, strict=True))

    def hold(self, levers, count):
        """Tick with levers held."""
        for _ in range(count):
            self.order(up.Levers(levers, 0.0, True, 0.0))
            self.now += 1 / 60
            self.worker.tick(self.now)
        self.hear()
        for said in self.said:
            if isinstance(said, FrameReport):
                for units in decode(said.frame).crowd:
                    self.unit.update(zip(units.numbers.tolist(), units.poses, strict=True))


@pytest.fixture
def stage(tmp_path):
    return Stage(bay(tmp_path))


def test_scene_tells_who_stands_there(stage):
    stage.hear()
    scene = stage.last(SceneReport).scene
    assert (scene.name, scene.environment, scene.guest) == ("bay", "longwall", False)
    assert scene.surroundings == {"seam": 3.3, "conveyor": 5.15, "face": 6.4}
    assert scene.scenes == ("longwall", "playground", "tunnel", "yard", "bay")
    support, loader = scene.stands
    assert support.units == ("1", "2", "3", "4", "5", "6")
    assert (support.first, loader.first, scene.driven) == (0, 6, 0)
    assert support.near == scene.geometry != support.geometry
    assert loader.near == loader.geometry  # one alone is shown in full
    shapes = stage.last(SceneReport).shapes
    assert {f"geometry/{name}.glb" for name in shapes} == {
        support.near, support.geometry, loader.near, scene.touched,
    }  # fmt: skip
    assert len(shapes[support.geometry[9:-4]]) < 0.2 * len(shapes[support.near[9:-4]])
    stage.tick(7)
    assert stage.last(SessionStatus).selected == ("1",)


def test_everybody_is_told_of_in_turn_while_nothing_moves(stage):
    stage.tick(2)
    stage.unit.clear()
    stage.tick(1)
    assert len(stage.unit) == IN_TURN
    stage.tick(2)
    assert set(stage.unit) == set(range(7))
    support, loader = hf.load("sths"), hf.load("lhd")
    for unit, poses in stage.unit.items():
        machine = support if unit < 6 else loader
        base = np.eye(4)
        base[:2, 3] = (0.0, 1.6 * unit) if unit < 6 else (-9.0, 0.0)
        state = machine.home.moved(base)
        wanted = [state.pose(link.name)[:3, 3] for link in machine.links]
        np.testing.assert_allclose(poses[:, :3], wanted, atol=1e-6)


def test_group_lever_moves_all_and_one_by_one_moves_one(stage):
    stage.tick(3)
    group = stage.worker.session.machine.robot.group_names[0]
    home = {unit: poses.copy() for unit, poses in stage.unit.items()}

    def moved():
        return {
            unit
            for unit in home
            if np.abs(stage.unit[unit][:, :3] - home[unit][:, :3]).max() > 1e-3
        }

    stage.order(up.Select("support", ("3",)))
    assert stage.last(SessionStatus).selected == ("3",)
    stage.hold({group: -1.0}, 40)
    assert moved() == {2}
    assert decode(stage.last(FrameReport).frame).unit == 2
    stage.hold({}, 40)
    stage.order(up.Select("support"))
    assert len(stage.last(SessionStatus).selected) == 6
    stage.hold({group: -1.0}, 40)
    assert moved() == set(range(6))
    assert decode(stage.last(FrameReport).frame).unit == 0
    first = decode(stage.last(FrameReport).frame)
    np.testing.assert_allclose(stage.unit[0], first.poses, atol=1e-6)


def test_frames_of_standing_units_stay_small(stage):
    stage.tick(20)
    small = len(stage.last(FrameReport).frame)
    group = stage.worker.session.machine.robot.group_names[0]
    stage.order(up.Select("support"))
    stage.hold({group: -1.0}, 20)
    assert len(stage.last(FrameReport).frame) > small + 5 * 16 * 7 * 4


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (up.Select("suport"), "did you mean 'support'"),
        (up.Select("support", ("7",)), "no unit of 'support' is called '7'"),
        (up.ChooseScene("longwal"), "did you mean 'longwall'"),
        (up.ChooseScene("tunnel", "roadhaeder"), "did you mean 'roadheader'"),
        (up.ChooseMachine("lhd"), "no room for another machine"),
        (up.ChooseScene("longwall", "lhd"), "no room for another machine"),
    ],
)
def test_what_is_refused_changes_nothing(stage, message, said):
    stage.tick(5)
    number, steps = stage.worker.scene, stage.worker.session.steps
    stage.order(message)
    assert said in stage.refused().message.text
    assert (stage.worker.scene, stage.worker.session.steps) == (number, steps)
    assert stage.worker.cast.staged.name == "bay"


def test_levers_must_be_neutral(stage):
    stage.tick(5)
    group = stage.worker.session.machine.robot.group_names[0]
    stage.hold({group: 0.5}, 3)
    for message in (up.Select("support", ("2",)), up.Select("loader")):
        stage.order(message)
        assert "neutral" in stage.refused().message.text


def test_another_kind_begins_a_session_and_leaves_the_others(stage):
    stage.tick(5)
    group = stage.worker.session.machine.robot.group_names[0]
    stage.order(up.Select("support", ("2", "5")))
    stage.hold({group: -1.0}, 40)
    stage.hold({}, 40)
    supports = stage.worker.session.joints
    stage.order(up.Select("loader"))
    scene = stage.last(SceneReport).scene
    assert scene.driven == 1
    assert scene.machine.machine_class == "loader"
    stage.tick(20)
    assert stage.last(SessionStatus).selected == ("1",)
    assert decode(stage.last(FrameReport).frame).unit == 6
    stage.hold({"lift": 1.0}, 40)
    stage.hold({}, 30)
    loader = stage.worker.session.joints
    stage.order(up.Select("support", ("4",)))
    np.testing.assert_array_equal(stage.worker.session.joints, supports)
    np.testing.assert_array_equal(stage.worker.cast.kinds[1].joints, loader)
    stage.tick(10)
    kind = stage.worker.cast.kinds[1]
    assert not np.allclose(loader[0], kind.machine.home.q, atol=1e-3)
    state = hf.State(kind.machine.mechanism, loader[0], kind.bases[0])
    for place, link in zip(stage.unit[6], kind.machine.links, strict=True):
        np.testing.assert_allclose(place[:3], state.pose(link.name)[:3, 3], atol=1e-6)


def test_checkpoint_brings_everybody_back(stage, tmp_path):
    group = stage.worker.session.machine.robot.group_names[0]
    stage.tick(3)
    stage.order(up.Select("support", ("2", "3")))
    stage.hold({group: -1.0}, 40)
    stage.hold({}, 30)
    checkpoint = stage.worker.checkpoint()
    again = Stage(stage.scene, checkpoint, checkpoint.choice)
    assert again.worker.session.selected == (1, 2)
    assert again.worker.session.paused
    assert again.worker.session.steps == checkpoint.steps
    np.testing.assert_array_equal(again.worker.session.joints, stage.worker.session.joints)
    again.tick(10)
    np.testing.assert_allclose(again.unit[2], stage.unit[2], atol=1e-6)


def test_guests_come_and_go(stage):
    stage.tick(3)
    stage.order(up.ChooseScene("yard"))
    scene = stage.last(SceneReport).scene
    assert [stand.name for stand in scene.stands] == ["loader", "jumbo"]
    assert scene.driven == 0
    stage.tick(5)
    stage.hold({"lift": 1.0}, 30)
    stage.hold({}, 30)
    lifted = stage.worker.session.joints
    stage.order(up.ChooseMachine("door"))
    scene = stage.last(SceneReport).scene
    assert [stand.name for stand in scene.stands] == ["loader", "jumbo", "door"]
    assert (scene.driven, scene.machine.name) == (2, "door")
    np.testing.assert_array_equal(stage.worker.cast.kinds[0].joints, lifted)
    stage.order(up.ChooseMachine("lhd"))  # instead of the door, beside the loader
    stands = stage.last(SceneReport).scene.stands
    assert [stand.name for stand in stands] == ["loader", "jumbo", "lhd"]
    np.testing.assert_array_equal(stage.worker.cast.kinds[0].joints, lifted)
    stage.order(up.ChooseScene("bay"))  # the file that it was started with
    assert stage.last(SceneReport).scene.name == "bay"
    stage.order(up.ChooseScene("tunnel", "door"))
    scene = stage.last(SceneReport).scene
    assert (scene.name, scene.machine.name, len(scene.stands)) == ("tunnel", "door", 1)
    stage.tick(3)
    assert decode(stage.last(FrameReport).frame).crowd == ()


def test_a_scene_by_its_first_machine():
    cast = Cast(SceneChoice("tunnel"))
    assert cast.now.machine.name == "roadheader"
    assert cast.now.alone
    yard = Cast(SceneChoice("yard", "door"))
    assert yard.now.machine.name == "door"
    assert yard.choice == SceneChoice("yard", "door", "door", "door")


def test_file_that_comes_where_there_is_no_room_is_shown_in_the_tunnel(stage, tmp_path):
    own = tmp_path / "own.json"
    own.write_text(
        json.dumps({"mrdf": "1", "name": "own", "links": [{"name": "base"}, {"name": 3}]})
    )
    stage.order(DriveFile("key", str(own)))
    assert "links[1].name" in stage.last(Chosen).problems[0].place
    assert stage.last(SceneReport).scene.name == "bay"
    own.write_text(json.dumps({"mrdf": "1", "name": "own", "links": [{"name": "base"}]}))
    stage.order(DriveFile("key", str(own)))
    assert stage.last(Chosen).problems == ()
    scene = stage.last(SceneReport).scene
    assert (scene.name, scene.machine.name) == ("tunnel", "own")


def test_scene_whose_file_has_changed_is_gone_to_all_the_same(stage, tmp_path):
    """A stand that is called differently now begins at home."""
    stage.order(up.ChooseScene("tunnel"))
    stage.order(up.ChooseScene("bay"))
    changed = json.loads((tmp_path / "bay.json").read_text())
    changed["machines"][1]["name"] = "digger"
    (tmp_path / "bay.json").write_text(json.dumps(changed))
    stage.order(up.ChooseScene("bay"))
    assert [stand.name for stand in stage.last(SceneReport).scene.stands] == ["support", "digger"]


def test_notes_of_a_scene_s_own_machines_are_not_told_of_a_file_that_comes(tmp_path, recwarn):
    (tmp_path / "arm.urdf").write_text(
        '<robot name="arm"><link name="a"/><link name="b"/><joint name="j" type="prismatic">'
        '<parent link="a"/><child link="b"/></joint></robot>'
    )
    scene = tmp_path / "scene.json"
    machines = [{"name": "arm", "machine": "arm.urdf"}]
    yard = {"headframe_scene": 1, "name": "s", "environment": {"kind": "yard"}, "guest": {}}
    scene.write_text(json.dumps({**yard, "machines": machines}))
    stage = Stage(str(scene))
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"mrdf": "1", "name": "own", "links": [{"name": "base"}]}))
    stage.order(DriveFile("key", str(own)))
    assert stage.last(Chosen).notes == ()
    assert not recwarn.list


def test_another_kind_starts_nothing_unseen(stage):
    """A pause, the time scale and gravity go on; how it is computed is the machine's own."""
    stage.order(up.SetPhysics(True, "simgc", "", 1.62))
    stage.order(up.TimeScale(0.25))
    stage.order(up.Pause(True))
    stage.order(up.Select("loader"))
    stage.tick(10)
    told = stage.last(SessionStatus)
    assert (told.paused, told.scale, told.gravity, told.dynamics) == (True, 0.25, 1.62, True)
    assert told.formulation != "simgc"


def test_own_scene_called_like_one_of_the_catalogue_hides_nothing(tmp_path):
    path = tmp_path / "mine.json"
    place = {"headframe_scene": 1, "name": "longwall", "environment": {"kind": "yard"}, "guest": {}}
    path.write_text(json.dumps(place))
    stage = Stage(str(path))
    stage.tick()
    assert stage.last(SceneReport).scene.name == "longwall (file)"
    stage.order(up.ChooseScene("longwall"))
    assert len(stage.last(SceneReport).scene.stands[0].units) == 100
    stage.order(up.ChooseScene("longwall (file)"))
    assert stage.last(SceneReport).scene.environment == "yard"


def test_second_machine_of_a_kind_has_a_name_of_its_own(tmp_path):
    cast = Cast(SceneChoice("yard", "jumbo"))
    names = [kind.name for kind in cast.kinds]
    assert len(set(names)) == len(names)
    assert names[-1] == f"{hf.load('jumbo').name} 2"


def test_a_machine_that_is_chosen_instead_of_one_in_trouble_waits(stage):
    """Time stood still for whoever looks, and goes on when told to."""
    stage.worker.session.trouble = "it fell over"
    stage.order(up.Select("loader", None))
    assert stage.worker.session.machine.name == "lhd"
    assert stage.worker.session.paused
    assert stage.worker.session.trouble == ""


def test_a_machine_that_cannot_be_driven_leaves_the_other_driven(stage, monkeypatch):
    before = stage.worker.session

    def refused(*_, **__):
        raise hf.DynamicsError("it cannot move")

    monkeypatch.setattr("headframe.server.worker.Session", refused)
    stage.order(up.Select("loader", None))
    assert stage.worker.session is before
    assert stage.worker.cast.now.name == "support"
    assert stage.worker.checkpoint().choice.driven == "support"
    monkeypatch.undo()
    stage.tick()
    assert stage.frame.unit == 0
    stage.order(up.Select("loader", None))
    assert stage.worker.cast.now.name == "loader"
