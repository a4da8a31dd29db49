"""Models in MJCF are read as MuJoCo reads them: poses of bodies, masses, inertia matrices.

Joints have MuJoCo's positions and velocities; a free joint has its turn before its shift. Armature,
which MuJoCo adds to the diagonal of the matrix, is part of it.
"""

import shutil
import warnings
from pathlib import Path

import numpy as np
import pytest
from zoo import ALL, machine

import headframe
from headframe.dynamics.tree.algorithms import aba, crba
from headframe.dynamics.tree.functions import energy
from headframe.errors import HeadframeWarning
from headframe.mechanism import State

mujoco = pytest.importorskip("mujoco")

TESTS = Path(__file__).parents[1]
EXAMPLE = TESTS.parent / "docs" / "examples" / "grabber_mjcf"
MODELS = [
    *(TESTS / "fixtures" / "mjcf" / f"{name}.xml" for name in ("odd_corners", "quadruped")),
    TESTS / "fixtures" / "mjcf" / "five_bar.xml",
    EXAMPLE / "grabber.xml",
    EXAMPLE / "scene.xml",
]


def loaded(path):
    """Our machine and MuJoCo's model of a file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", HeadframeWarning)
        one = headframe.load(path)
    return one, mujoco.MjModel.from_xml_path(str(path))


def positions(one, model, random):
    """The same random positions, MuJoCo's and ours; and S with v_mujoco = S v_ours."""
    theirs, ours = np.full(model.nq, np.nan), np.full(one.mechanism.q_zero.size, np.nan)
    S = np.zeros((model.nv, one.mechanism.nv))
    for name, part in one.mechanism.position_of_joint.items():
        if part.stop == part.start:
            continue
        joint, v = model.joint(name), one.mechanism.velocity_of_joint[name].start
        q, d = joint.qposadr[0], joint.dofadr[0]
        turn, shift = random.normal(size=4), random.normal(size=3)
        turn /= np.linalg.norm(turn)
        kind = one.robot.joint(name).type
        if kind == "free":
            theirs[q : q + 7], ours[part] = [*shift, *turn], [*turn, *shift]
            S[d : d + 3, v + 3 : v + 6] = S[d + 3 : d + 6, v : v + 3] = np.eye(3)
        elif kind == "spherical":
            theirs[q : q + 4] = ours[part] = turn
            S[d : d + 3, v : v + 3] = np.eye(3)
        else:
            theirs[q] = ours[part] = random.uniform(-2.0, 2.0)
            S[d, v] = 1.0
    assert np.isfinite(theirs).all()
    assert np.isfinite(ours).all()
    return theirs, ours, S


def compare(one, model, tries=5, equal=1e-10):
    """Poses of all bodies, and the inertia matrix, at random positions."""
    data, random = mujoco.MjData(model), np.random.default_rng(1)
    for _ in range(tries):
        data.xpos[:], data.xmat[:] = np.nan, np.nan
        data.qpos[:], q, S = positions(one, model, random)
        mujoco.mj_forward(model, data)
        state = State(one.mechanism, q)
        for body in range(1, model.nbody):
            X_WL = state.pose(model.body(body).name)
            R_WB = data.xmat[body].reshape(3, 3)
            np.testing.assert_allclose(X_WL[:3, :3], R_WB, rtol=0, atol=1e-12)
            np.testing.assert_allclose(X_WL[:3, 3], data.xpos[body], rtol=0, atol=1e-12)
        M = np.full((model.nv, model.nv), np.nan)
        for row, unit in zip(M, np.eye(model.nv), strict=True):
            mujoco.mj_mulM(model, data, row, unit)
        M = S.T @ M @ S
        ours = np.full(M.shape, np.nan)
        crba(one.mechanism, q, ours)
        # entry by entry, each against the two freedoms' own inertias: fingers count as arms do
        scale = np.sqrt(np.outer(np.diag(M), np.diag(M)))
        np.testing.assert_allclose(ours / scale, M / scale, rtol=0, atol=equal)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_poses_and_inertias_are_mujocos(path):
    compare(*loaded(path))


ROTORS = """<mujoco>
  <compiler angle="radian"/>
  <default>
    <joint armature="0.3"/>
    <default class="light"><joint armature="0.02"/></default>
  </default>
  <worldbody>
    <body name="a" pos="0.1 0.2 0.3">
      <joint name="a" type="free"/>
      <geom size="0.1 0.2 0.3" type="box" pos="0.1 0 0"/>
      <body name="b" pos="0.5 0 0" euler="0.1 0.2 0.3">
        <joint name="b" type="ball"/>
        <geom size="0.1 0.2 0.1" type="box" pos="0 0.1 0.2"/>
        <body name="c" pos="0 0.3 0">
          <joint name="c" axis="0 1 0" class="light"/>
          <joint name="d" type="slide" axis="1 0 0" armature="2"/>
          <geom size="0.1" pos="0.1 0 0.1"/>
          <body name="e" pos="0 0.3 0">
            <joint name="e" axis="0 0 1" armature="0"/>
            <geom size="0.1 0.2" type="capsule" pos="0 0.1 0"/>
          </body>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor joint="c" gear="-3" armature="0.01"/>
    <position joint="e" gear="20" armature="1e-3"/>
    <velocity joint="e" armature="0.5"/>
  </actuator>
</mujoco>
"""


def test_rotors_are_mujocos(tmp_path):
    """Of joints, by classes, and of actuators behind their gears; and the motion with them."""
    (tmp_path / "m.xml").write_text(ROTORS)
    one, model = loaded(tmp_path / "m.xml")
    compare(one, model)
    data, random = mujoco.MjData(model), np.random.default_rng(3)
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_ACTUATION
    for _ in range(5):
        data.qpos[:], q, S = positions(one, model, random)
        v, tau = random.normal(size=(2, model.nv))
        data.qvel[:], data.qfrc_applied[:] = S @ v, S @ tau
        mujoco.mj_forward(model, data)
        found = aba(one.mechanism, q, v, tau)
        np.testing.assert_allclose(found, S.T @ data.qacc, rtol=1e-9, atol=1e-9)
        kinetic = energy(one.mechanism, q, v).kinetic
        M = np.zeros((model.nv, model.nv))
        for row, unit in zip(M, np.eye(model.nv), strict=True):
            mujoco.mj_mulM(model, data, row, unit)
        assert kinetic == pytest.approx(data.qvel @ M @ data.qvel / 2, rel=1e-12)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_bodies_weigh_what_mujoco_says(path):
    one, model = loaded(path)
    for body in range(1, model.nbody):
        link = one.robot.link(model.body(body).name)
        mass = link.inertial.mass if link.inertial else 0.0
        assert mass == pytest.approx(model.body_mass[body], rel=1e-12)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_ranges_are_mujocos(path):
    one, model = loaded(path)
    for j in range(model.njnt):
        joint = one.robot.joint(model.joint(j).name)
        if model.jnt_limited[j]:
            assert (joint.limit.lower, joint.limit.upper) == pytest.approx(model.jnt_range[j])
        else:
            assert joint.limit is None


def test_the_keyframe_home_is_home():
    for path in (EXAMPLE / "grabber.xml", TESTS / "fixtures" / "mjcf" / "quadruped.xml"):
        one, model = loaded(path)
        data = mujoco.MjData(model)
        mujoco.mj_resetDataKeyframe(model, data, model.key("home").id)
        mujoco.mj_forward(model, data)
        for body in range(1, model.nbody):
            place = one.home.pose(model.body(body).name)[:3, 3]
            np.testing.assert_allclose(place, data.xpos[body], rtol=0, atol=1e-12)
        # and its loops are those that MuJoCo closes: connects have three rows, joints one
        assert np.abs(data.efc_pos[data.efc_type == 0]).max(initial=0.0) < 1e-12


def test_loops_close_where_mujocos_do():
    one, model = loaded(TESTS / "fixtures" / "mjcf" / "five_bar.xml")
    data = mujoco.MjData(model)
    state = one.home
    for name, part in one.mechanism.position_of_joint.items():
        if part.stop > part.start:
            assert state.q[part] == pytest.approx(model.joint(name).qpos0, abs=1e-9)  # as written
    # elsewhere: move one motor, close our loop, and ask MuJoCo for the gap
    pose = State(one.mechanism, state.q + 0.0)
    data.qpos[:] = [pose.joints[model.joint(j).name] for j in range(model.njnt)]
    mujoco.mj_forward(model, data)
    assert data.ne == 3
    assert np.abs(data.efc_pos[: data.ne]).max() < 1e-12


HELD = """<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="a" pos="0.1 0.2 0.3" euler="0.1 0.2 0.3">
      <freejoint name="a"/>
      <geom size="0.1 0.2 0.3" type="box" contype="0"/>
      <site name="sa" pos="0.1 0.2 0" euler="0.3 0 0"/>
    </body>
    <body name="b" pos="-0.1 0.4 0" quat="1 0 0.2 0">
      <freejoint name="b"/>
      <geom size="0.1" contype="0"/>
      <site name="sb" pos="0 0.2 0.1" euler="0 0.3 0"/>
    </body>
  </worldbody>
  <equality>{}</equality>
</mujoco>
"""


@pytest.mark.parametrize(
    "held",
    [
        '<connect body1="a" body2="b" anchor="0.1 -0.2 0.3"/>',
        '<connect body1="b" anchor="0.1 -0.2 0.3"/>',
        '<connect site1="sa" site2="sb"/>',
        '<weld body1="a" body2="b"/>',
        '<weld body1="b" body2="a" anchor="0 0 0" relpose="0.1 0.2 0.3 1 0.1 0.2 0.3"/>',
        '<weld site1="sa" site2="sb"/>',
    ],
)
def test_what_is_held_is_what_mujoco_holds(held, tmp_path):
    """Gaps at random positions, and no gap and no turn where MuJoCo has none."""
    (tmp_path / "m.xml").write_text(HELD.format(held))
    one, model = loaded(tmp_path / "m.xml")
    data, random = mujoco.MjData(model), np.random.default_rng(2)
    for _ in range(3):
        data.qpos[:], q, _ = positions(one, model, random)
        mujoco.mj_forward(model, data)
        state = State(one.mechanism, q)
        (closure,) = one.topology.closures
        ends = (one.joints[j] for j in (closure.forward, closure.backward))
        a, b = ((state.pose(end.parent) @ end.origin)[:3, 3] for end in ends)
        assert np.linalg.norm(a - b) == pytest.approx(np.linalg.norm(data.efc_pos[:3]), abs=1e-12)
    mujoco.mj_resetData(model, data)
    home = {name: np.asarray(value) for name, value in one.home.joints.items()}
    for name, value in home.items():
        start = model.joint(name).qposadr[0]
        data.qpos[start : start + 7] = [*value[4:], *value[:4]]
    mujoco.mj_forward(model, data)
    assert data.ne == (3 if "connect" in held else 6)
    assert np.abs(data.efc_pos[: data.ne]).max() < 1e-9


MESH = """<mujoco>
  <compiler angle="radian" {compiler}/>
  <asset>
    <mesh name="finger" file="finger.obj" {mesh}/>
    <mesh name="points" vertex="0 0 0 0.125 0 0 0 0.25 0 0 0 0.5 0.03125 0.0625 -0.125"/>
  </asset>
  <worldbody>
    <body name="a" pos="0.1 0 0"><joint name="a"/>
      <geom type="mesh" mesh="finger" pos="0.3 0.1 0" euler="0.1 0.2 0.3" {geom}/>
      <body name="b" pos="0.2 0 0"><joint name="b" axis="1 0 0"/>
        <geom type="mesh" mesh="points" density="500"/>
        <geom size="0.02" group="4" mass="1"/>
        <body name="c" pos="0.1 0 0.3"><joint name="c" axis="1 1 0"/>
          <inertial pos="0 0 0.1" mass="0.01" diaginertia="1e-4 2e-4 3e-4"/>
          <geom size="0.1"/>
        </body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize(
    "given",
    [
        {"mesh": 'scale="0.001 0.001 0.001"'},
        {"mesh": 'scale="0.001 0.001 0.001" inertia="exact"', "geom": 'mass="0.7"'},
        {"mesh": 'scale="0.001 0.002 0.001" inertia="convex"', "geom": 'density="7800"'},
        {"mesh": 'scale="0.001 0.001 0.001" inertia="shell"', "geom": 'mass="2"'},
        {"mesh": 'scale="0.001 -0.001 0.001" inertia="exact"'},
        {"mesh": 'scale="0.001 0.001 0.001" refpos="10 20 5" refquat="1 0.5 0.2 0"'},
        {"mesh": 'scale=".001 .001 .001"', "compiler": 'inertiafromgeom="true"'},
        {"mesh": 'scale=".001 .001 .001"', "compiler": 'settotalmass="10"'},
        {"mesh": 'scale=".001 .001 .001"', "compiler": 'inertiagrouprange="0 3"'},
        {"mesh": 'scale=".001 .001 .001"', "compiler": 'boundmass="0.5" boundinertia="0.01"'},
    ],
    ids=lambda given: " ".join(given.values()),
)
def test_masses_of_meshes_and_settings(given, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where MuJoCo writes its warnings to
    shutil.copy(EXAMPLE / "assets" / "finger.obj", tmp_path)
    words = {"mesh": "", "geom": "", "compiler": "", **given}
    (tmp_path / "m.xml").write_text(MESH.format(**words))
    # MuJoCo turns a body's inertia to its principal axes by steps, and stops short of 1e-10
    compare(*loaded(tmp_path / "m.xml"), tries=2, equal=1e-9)


@pytest.mark.parametrize("sequence", ["xyz", "XYZ", "zyx", "zXz", "YxZ"])
@pytest.mark.parametrize("unit", ["degree", "radian"])
def test_sequences_of_angles(sequence, unit, tmp_path):
    size = 40.0 if unit == "degree" else 0.7
    angles = f"{size} {-1.5 * size} {2.2 * size}"
    text = (
        f'<mujoco><compiler eulerseq="{sequence}" angle="{unit}"/><worldbody>'
        f'<body name="a" euler="{angles}" pos="1 2 3"><joint name="a" ref="{size}"/>'
        f'<geom size="0.1 0.2 0.3" type="box" axisangle="1 2 3 {size}"/>'
        f'<body name="b" euler="{size} {90.0 if unit == "degree" else 1.5707963} 0">'
        f'<joint name="b" type="slide" ref="0.5"/><geom size="0.1"/></body></body>'
        "</worldbody></mujoco>"
    )
    (tmp_path / "m.xml").write_text(text)
    compare(*loaded(tmp_path / "m.xml"), tries=2)


@pytest.mark.parametrize("name", [*ALL])
def test_our_own_export_comes_back(name, tmp_path):
    """Links of the tree stand where they stood; cylinders come back as slides with connects."""
    one = machine(name)
    one.export(tmp_path / "m.xml", "mjcf")
    again, model = loaded(tmp_path / "m.xml")
    compare(again, model, tries=1)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    for link in one.robot.main_links:
        if link.name in again.robot.link_index:
            expected = one.home.pose(link.name)
            np.testing.assert_allclose(again.home.pose(link.name), expected, rtol=0, atol=1e-9)
