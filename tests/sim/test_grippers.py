"""Robots from URDF files, driven: motors turn and slide, and what mimics a joint follows it."""

import warnings

import pytest

import headframe as hf
from headframe.sim.kinematic import Kinematic
from headframe.sim.session import Session

FINGER = """<link name="{0}"><inertial><origin xyz="0 0 0.02"/><mass value="0.05"/>
<inertia ixx="1e-5" ixy="0" ixz="0" iyy="1e-5" iyz="0" izz="1e-5"/></inertial></link>"""
GRIPPER = f"""<robot name="gripper"><link name="palm"/>{FINGER.format("left")}
{FINGER.format("right")}{FINGER.format("tip")}{FINGER.format("wrist")}
<joint name="left" type="prismatic"><parent link="palm"/><child link="left"/><axis xyz="0 1 0"/>
  <limit lower="0" upper="0.04" effort="20" velocity="0.2"/></joint>
<joint name="right" type="prismatic"><parent link="palm"/><child link="right"/><axis xyz="0 -1 0"/>
  <limit lower="0" upper="0.04" effort="20" velocity="0.2"/><mimic joint="left"/></joint>
<joint name="tip" type="revolute"><parent link="right"/><child link="tip"/><axis xyz="1 0 0"/>
  <limit lower="-2" upper="2" effort="20" velocity="1"/>
  <mimic joint="right" multiplier="10" offset="0.1"/></joint>
<joint name="wrist" type="continuous"><parent link="palm"/><child link="wrist"/>
  <axis xyz="0 0 1"/></joint></robot>"""


@pytest.fixture
def gripper(tmp_path):
    path = tmp_path / "gripper.urdf"
    path.write_text(GRIPPER)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hf.HeadframeWarning)
        return hf.load(path)


def moved(state):
    return {name: float(state.joints[name]) for name in ("left", "right", "tip", "wrist")}


def test_a_chain_of_mimics_follows_in_kinematics(gripper):
    motion = Kinematic(gripper, 1e-3)
    motion.command({"left": hf.speed(0.1), "wrist": hf.speed(0.5)})
    motion.step(300)
    found = moved(motion.state)
    assert 0.015 < found["left"] <= 0.0201  # 0.3 s at 0.1 m/s, less what speeding up takes
    assert found["right"] == pytest.approx(found["left"], abs=1e-12)
    assert found["tip"] == pytest.approx(10 * found["left"] + 0.1, abs=1e-12)
    assert found["wrist"] == pytest.approx(0.1, abs=0.02)


def test_it_follows_in_dynamics_too(gripper):
    sim = hf.Simulation(gripper, gravity=0.0)
    sim.command({"left": hf.speed(0.1), "wrist": hf.locked()})
    sim.run(0.2)
    found = moved(sim.state)
    assert found["left"] == pytest.approx(0.5 * 0.4 * 0.2**2, rel=0.02)  # half a second to 0.2 m/s
    assert found["right"] == pytest.approx(found["left"], abs=1e-6)
    assert found["tip"] == pytest.approx(10 * found["left"] + 0.1, abs=1e-5)


def test_a_person_drives_it_by_its_motors(gripper):
    session = Session(gripper)
    for n in range(1, 61):
        now = n / 60
        session.cab.beat(now, {}, 0.0, True)
        if n == 2:
            session.spin("left", 1.0)
        session.tick(now)
    found = moved(session.motion.state)
    assert found["left"] == pytest.approx(0.04, abs=1e-6)  # at its stop
    assert found["right"] == pytest.approx(0.04, abs=1e-6)
