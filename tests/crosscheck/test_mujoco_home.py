"""The real MuJoCo loads what we write, stands in our home pose, and moves as we do."""

import numpy as np
import pytest
import trimesh
from scipy.optimize import least_squares
from zoo import ALL, machine

from headframe.bench.printed import ORDER
from headframe.description import Robot
from headframe.description.meshes import triangles_of
from headframe.export import mjcf_text, write_mjcf
from headframe.machine import Machine
from headframe.mechanism import State, follow, solve
from headframe.spatial import transform_points

mujoco = pytest.importorskip("mujoco")


def loaded(one):
    """MuJoCo's model and data of a machine, in its default configuration."""
    model = mujoco.MjModel.from_xml_string(mjcf_text(one.robot, one.topology, one.home))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def equality_residuals(data):
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    return data.efc_pos[rows].copy()


def pose_error(one, state, data):
    """Largest difference of body poses, metres and rotation matrix entries."""
    worst = 0.0
    for link in one.robot.links:
        # the one name that MuJoCo keeps to itself
        body = data.body("world_2" if link.name == "world" else link.name)
        X = state.pose(link.name)
        worst = max(worst, np.abs(body.xpos - X[:3, 3]).max())
        # how a tube without a known pin stands about its own axis is anyone's choice
        columns = slice(0, 1) if link.name in without_pin(one) else slice(0, 3)
        worst = max(worst, np.abs(body.xmat.reshape(3, 3) - X[:3, :3])[:, columns].max())
    return worst


def without_pin(one):
    return {p for a in one.robot.actuators if a.tube_axis is None for p in (a.tube, a.rod)}


@pytest.mark.parametrize("name", ALL)
def test_home_is_the_default_configuration(name):
    one = machine(name)
    model, data = loaded(one)
    assert np.abs(equality_residuals(data)).max(initial=0.0) < 1e-9
    assert pose_error(one, one.home, data) < 1e-9
    assert np.array_equal(model.key("home").qpos, model.qpos0)
    gravity = model.opt.gravity
    assert np.allclose(gravity / np.linalg.norm(gravity), -one.robot.up)


@pytest.mark.parametrize("name", ALL)
def test_loops_and_cylinders_are_there(name):
    one = machine(name)
    model, data = loaded(one)
    assert len(equality_residuals(data)) >= 3 * len(one.topology.loops)
    for i, actuator in enumerate(one.robot.actuators):
        joint = model.joint(f"{actuator.name}.length")
        assert model.qpos0[joint.qposadr[0]] == one.home.lengths[i]
        assert tuple(joint.range) == (actuator.bounds.lower, actuator.bounds.upper)
        motor = model.actuator(actuator.name)
        assert motor.trnid[0] == joint.id
        assert tuple(motor.ctrlrange) == (actuator.bounds.lower, actuator.bounds.upper)
        assert model.key("home").ctrl[motor.id] == one.home.lengths[i]
        if actuator.force:
            assert tuple(motor.forcerange) == (-actuator.force, actuator.force)


@pytest.mark.parametrize("name", ALL)
def test_values_of_joints_are_ours(name):
    one = machine(name)
    model, _ = loaded(one)
    for joint, value in one.home.joints.items():
        if np.ndim(value) == 0:
            assert model.qpos0[model.joint(joint).qposadr[0]] == value


@pytest.mark.parametrize("name", ALL)
def test_masses_are_ours(name):
    one = machine(name)
    model, _ = loaded(one)
    given = sum(link.inertial.mass for link in one.robot.links if link.inertial)
    # massless bodies get a ten-thousandth of the whole each
    assert model.body_mass.sum() == pytest.approx(given or 1.0, rel=1e-4 * model.nbody, abs=1.0)
    for link in one.robot.links:
        if link.inertial and link.name != "world":
            body = model.body(link.name)
            R_LI = np.zeros(9)
            mujoco.mju_quat2Mat(R_LI, body.iquat)
            R_LI = R_LI.reshape(3, 3)
            tensor = R_LI @ np.diag(body.inertia) @ R_LI.T
            assert body.ipos == pytest.approx(link.inertial.com)
            assert tensor == pytest.approx(np.array(link.inertial.inertia), rel=1e-6, abs=1e-6)


def test_shapes_that_are_meshes_stand_where_ours_do(tmp_path):
    """MuJoCo moves a mesh to its centre of mass and turns it; the geom must make up for it."""
    solid = trimesh.creation.icosphere(2).apply_scale((1.0, 2.0, 3.0))
    solid.apply_translation((0.5, 0.0, 0.0)).export(tmp_path / "solid.ply")
    flat = trimesh.Trimesh([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    flat.export(tmp_path / "flat.stl")
    shapes = [
        {"type": "cylinder", "r1": 0.5, "r2": 0.2, "h": 1.0},
        {"type": "cone", "r": 0.5, "h": 1.0},
        {"type": "mesh", "path": "solid.ply", "scale": (1.0, 0.5, 2.0)},
        {"type": "mesh", "path": "flat.stl"},
    ]
    place = {"translation": (1.0, 2.0, 3.0), "orientation": (0.3, 0.4, 0.5)}
    visuals = [{"geometry": shape, **place} for shape in shapes]
    links = [{"name": "base", "visual": visuals, "collision": visuals[:3]}]
    one = Machine(Robot.model_validate({"name": "shapes", "links": links}))
    write_mjcf(one.robot, one.topology, one.home, tmp_path / "shapes.xml", tmp_path)
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "shapes.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert model.ngeom == 7
    for geom, visual in enumerate(one.robot.links[0].visuals):
        mesh = model.geom_dataid[geom]
        start, count = model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]
        points = model.mesh_vert[start : start + count] @ data.geom_xmat[geom].reshape(3, 3).T
        points += data.geom_xpos[geom]
        vertices, _ = triangles_of(visual.geometry, tmp_path)
        ours = transform_points(visual.pose, vertices)
        # MuJoCo keeps vertices in single precision
        assert points.min(axis=0) == pytest.approx(ours.min(axis=0), abs=1e-5)
        assert points.max(axis=0) == pytest.approx(ours.max(axis=0), abs=1e-5)


# -- away from home ---------------------------------------------------------------------


def another_state(one):
    """A state with closed loops, some way from home."""
    mechanism, home = one.mechanism, one.home
    random = np.random.default_rng(2)
    if one.robot.actuators:
        bounds = np.array([[a.bounds.lower, a.bounds.upper] for a in one.robot.actuators])
        wanted = home.lengths + 0.4 * (random.uniform(*bounds.T) - home.lengths)
        solution = follow(mechanism, home.q, home.lengths, wanted)
    else:
        start = home.q + random.uniform(-0.2, 0.2, home.q.size)
        for joint, part in mechanism.position_of_joint.items():
            if one.robot.joint(joint).type in ("spherical", "free"):
                quat = start[part.start : part.start + 4]
                quat /= np.linalg.norm(quat)
        solution = solve(mechanism, start)
    assert solution.solved
    state = State(mechanism, solution.q)
    assert np.abs(state.q - home.q).max() > 0.01
    return state


def mujoco_positions(one, model, data, state):
    """qpos of a state: what we know by name, the rest from MuJoCo's own constraints."""
    qpos = model.qpos0.copy()
    known = np.zeros(model.nq, dtype=bool)

    def put(name, value):
        start = model.joint(name).qposadr[0]
        qpos[start : start + np.size(value)] = value
        known[start : start + np.size(value)] = True

    for joint in (one.robot.joint(name) for name in state.joints):
        value = state.joints[joint.name]
        turned = home_to(one, state, joint)
        if joint.type == "spherical":
            put(joint.name, turned)
        elif joint.type == "universal":
            put(f"{joint.name}.1", value[0])
            put(f"{joint.name}.2", value[1])
        elif joint.type == "free" and joint.parent == one.robot.links[one.topology.root].name:
            X = state.pose(joint.child)
            put(joint.name, [*X[:3, 3], *quaternion(X[:3, :3])])
        elif joint.type == "free":
            for letter, part in zip("xyz", value[4:], strict=True):
                put(f"{joint.name}.{letter}", part)
            put(f"{joint.name}.ball", turned)
        elif joint.type == "helical":
            put(joint.name, value)
            put(f"{joint.name}.way", joint.way_per_radian * value)
        else:
            put(joint.name, value)
    for actuator, length in zip(one.robot.actuators, state.lengths, strict=True):
        put(f"{actuator.name}.length", length)

    def gaps(unknown):
        data.qpos[:] = qpos
        data.qpos[~known] = unknown
        mujoco.mj_forward(model, data)
        return equality_residuals(data)

    if not known.all():
        found = least_squares(gaps, qpos[~known], xtol=1e-15, ftol=1e-15, gtol=1e-15)
        qpos[~known] = found.x
    return qpos


def quaternion(R):
    quat = np.zeros(4)
    mujoco.mju_mat2Quat(quat, np.ascontiguousarray(R).ravel())
    return quat


def home_to(one, state, joint):
    """Rotation of a joint's child since home, seen from its parent, as a quaternion."""
    R = [s.pose(joint.parent)[:3, :3].T @ s.pose(joint.child)[:3, :3] for s in (one.home, state)]
    return quaternion(R[0].T @ R[1])


@pytest.mark.parametrize("name", ALL)
def test_every_body_moves_as_ours(name):
    """With our joint values and lengths MuJoCo's loops close too, and all bodies agree.

    The tolerance allows for least_squares with differences of step 1e-8.
    """
    one = machine(name)
    model, data = loaded(one)
    state = another_state(one)
    data.qpos[:] = mujoco_positions(one, model, data, state)
    mujoco.mj_forward(model, data)
    assert np.abs(equality_residuals(data)).max(initial=0.0) < 1e-7
    assert pose_error(one, state, data) < 1e-6


@pytest.mark.parametrize("name", ["four_bar", "slewing_telescope", *ORDER])
def test_machines_stand(name):
    """Held at its home lengths a machine settles near home, with its loops closed."""
    one = machine(name)
    model, data = loaded(one)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    # nothing that no cylinder holds shall swing, nor the motors turn
    for joint in one.robot.joints:
        if joint.name in one.home.joints and not driven(one, joint.name):
            model.dof_damping[model.joint(joint.name).dofadr[0]] = 1e6
    data.ctrl[len(one.robot.actuators) :] = 0.0
    while data.time < 2.0:
        mujoco.mj_step(model, data)
    assert not any(warning.number for warning in data.warning)
    lengths = [data.joint(f"{a.name}.length").qpos[0] for a in one.robot.actuators]
    assert np.abs(lengths - one.home.lengths).max() < 0.01
    assert np.abs(equality_residuals(data)).max() < 1e-4


def driven(one, joint):
    index = one.robot.joint_index[joint]
    return any(index in loop.joints for loop in one.topology.loops)
