"""Every peer solves what it is given: residual, branch, bounds and distance, by our own measure.

MuJoCo comes with what the tests need; Drake does not, and may be missing everywhere.
"""

import sys
from functools import cache

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import headframe
from build import actuator, four_bar, joint, machine, rssr
from finite_differences import central
from headframe.bench.peers import DrakePeer, MujocoMjcfPeer, MujocoPeer, ScipyPeer
from headframe.bench.peers.base import PoseLog, part_moving, rotation_vector, whole
from headframe.bench.peers.mujoco_reach import nearest_in_box
from headframe.bench.printed import ORDER
from headframe.mechanism import State, follow
from headframe.mechanism.solver import residuals
from headframe.spatial import axis_angle_matrix, exp_pose, log_pose, pose_error

MUJOCO = [pytest.param(kind, marks=pytest.mark.crosscheck) for kind in (MujocoMjcfPeer, MujocoPeer)]
PEERS = [*MUJOCO, DrakePeer, ScipyPeer]
SAMPLES = 5


@cache
def loaded(name):
    return headframe.load(name)


@cache
def made(peer, name):
    return peer(loaded(name))


def peer_of(kind, name):
    """The peer for a machine of the catalogue; skips where its engine is missing."""
    try:
        return made(kind, name)
    except headframe.MissingExtraError as error:
        pytest.skip(str(error))


@cache
def jumps(name):
    """States on home's branch, whose lengths are anywhere within their bounds."""
    one, random = loaded(name), np.random.default_rng(3)
    firsts, states = one.mechanism.first_members, []
    while len(states) < SAMPLES:
        lengths = one.home.lengths.copy()
        lengths[firsts] = random.uniform(*bounds(one)[:, firsts])
        solution = follow(one.mechanism, one.home.q, one.home.lengths, lengths)
        if solution.solved:
            states.append(State(one.mechanism, solution.q))
    return states


def bounds(one):
    return np.array([[a.bounds.lower, a.bounds.upper] for a in one.actuators]).T


def gap(state):
    return np.abs(residuals(state)).max(initial=0.0)


def outside(one, answer):
    """By how much the worst length is out of its bounds [m]."""
    lower, upper = bounds(one)
    return max((lower - answer.lengths).max(), (answer.lengths - upper).max())


@pytest.mark.parametrize("name", ORDER)
@pytest.mark.parametrize("kind", PEERS)
def test_lengths_are_met_on_the_branch(kind, name):
    one, peer = loaded(name), peer_of(kind, name)
    start = peer.start(one.home.q)
    for wanted in jumps(name):
        answer = peer.fk(wanted.lengths, start)
        state = answer.state
        assert answer.solved
        assert answer.residual < 1e-9
        assert gap(state) <= answer.residual
        assert np.abs(answer.lengths - wanted.lengths).max() <= answer.residual
        assert np.isnan(answer.objective)
        for link in one.robot.main_links:
            assert state.pose(link.name) == pytest.approx(wanted.pose(link.name), abs=1e-7)


@pytest.mark.parametrize("name", ORDER)
@pytest.mark.parametrize("kind", PEERS)
def test_reachable_poses_are_reached(kind, name):
    one, peer = loaded(name), peer_of(kind, name)
    link, start = one.robot.end_effector, peer.start(one.home.q)
    reached = 0
    for wanted in jumps(name):
        target = wanted.pose(link)
        answer = peer.ik(link, target, start)
        assert answer.residual < 1e-8
        assert outside(one, answer) < 1e-6
        assert answer.objective == np.linalg.norm(pose_error(answer.state.pose(link), target))
        reached += answer.solved and answer.objective < 1e-4
    assert reached >= SAMPLES - 1


@pytest.mark.parametrize("name", ["tcchs", "sths", "jumbo", "roadheader"])
@pytest.mark.parametrize(
    ("kind", "slack"),
    # Drake's cost has another third order
    [
        *(pytest.param(*kind.values, 1e-6, marks=kind.marks) for kind in MUJOCO),
        (DrakePeer, 5e-3),
    ],
)
def test_poses_out_of_reach_are_approached_alike(kind, slack, name):
    one, peer, other = loaded(name), peer_of(kind, name), peer_of(ScipyPeer, name)
    link, random = one.robot.end_effector, np.random.default_rng(4)
    for state in jumps(name):
        xi = random.normal(scale=[0.2, 0.2, 0.2, 0.5, 0.5, 0.5])
        target = state.pose(link) @ exp_pose(xi)
        distances = []
        for one_peer in (peer, other):
            answer = one_peer.ik(link, target, one_peer.start(one.home.q))
            assert answer.residual < 1e-8
            assert outside(one, answer) < 1e-6
            distances.append(answer.objective)
        assert distances[0] == pytest.approx(distances[1], abs=slack)


@pytest.mark.parametrize("kind", PEERS)
def test_a_spinning_joint_stays(kind):
    """The drum is placed with the angle that it has at the start, which is not home's."""
    one, peer = loaded("shearer"), peer_of(kind, "shearer")
    spin = one.mechanism.position_of_joint["cutting_left"].start
    q, wanted = one.home.q.copy(), jumps("shearer")[0].q.copy()
    q[spin] = wanted[spin] = 1.3
    target = State(one.mechanism, wanted).pose("drum_left")
    answer = peer.ik("drum_left", target, peer.start(q))
    assert answer.q[spin] == pytest.approx(1.3, abs=1e-12)
    assert answer.state.pose("drum_left") == pytest.approx(target, abs=1e-5)


@pytest.mark.parametrize("kind", MUJOCO)
def test_what_is_read_from_mujoco_is_what_it_has_now(kind):
    """The solver keeps views of arrays that MuJoCo might put elsewhere."""
    peer = peer_of(kind, "tcchs")
    for wanted in jumps("tcchs"):
        peer.fk(wanted.lengths, peer.start(loaded("tcchs").home.q))
        engine = peer._newton.engine
        assert engine.gaps.ctypes.data == engine.data.efc_pos.ctypes.data
        assert engine.J.ctypes.data == engine.data.efc_J.ctypes.data
        assert engine.gaps.size == engine.data.nefc


@pytest.mark.parametrize(
    ("kind", "module", "package"),
    [
        (MujocoPeer, "mujoco", "mujoco"),
        (MujocoMjcfPeer, "mujoco", "mujoco"),
        (DrakePeer, "pydrake", "drake"),
    ],
)
def test_a_missing_engine_is_named(kind, module, package, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(headframe.MissingExtraError) as caught:
        kind(loaded("door"))
    assert (caught.value.package, caught.value.extra) == (package, "bench")


# ------------------------------------------------------------------ what peers refuse


def test_other_machines_are_refused():
    with pytest.raises(headframe.HeadframeError, match="do not know loops"):
        whole(rssr())
    with pytest.raises(headframe.HeadframeError, match="do not set all"):
        whole(four_bar(1.0, 0.5, 1.0, 0.8))
    leg = actuator("leg", ("base", (0, 0, 1)), ("a", (1, 0, 0)), (1.0, 2.0))
    ball = machine([joint("ball", "base", "a", "spherical")], [leg])
    with pytest.raises(headframe.HeadframeError, match="spherical"):
        whole(ball)


def test_links_that_cannot_move_are_refused():
    with pytest.raises(headframe.HeadframeError, match="no cylinder moves base"):
        part_moving(loaded("tcchs"), "base")
    with pytest.raises(headframe.UnknownElementError):
        part_moving(loaded("tcchs"), "canapy")


def test_only_what_moves_the_link_is_solved():
    part = part_moving(loaded("tcchs"), "canopy")
    assert len(part.joints) == 4
    assert [a.name for a in part.actuators] == ["front_leg_left", "rear_leg_left"]


@pytest.mark.crosscheck
def test_of_the_exported_model_only_what_moves_is_solved():
    """Of tcchs ten joints and the pins of all cylinders; not the hinges across, which rest."""
    engine = peer_of(MujocoMjcfPeer, "tcchs")._newton.engine
    assert engine.model.nv == 10 + 3 * 11
    assert engine.unknown.size == 10 + 11
    assert engine.rows.size == 2 * 2 + 2 * 11  # of each pivot and each rod, two in its plane
    # the jumbo's cylinders leave their planes when it swings
    engine = peer_of(MujocoMjcfPeer, "jumbo")._newton.engine
    assert engine.rows.size > engine.unknown.size > 5 + 3


# ------------------------------------------------------------------------- small parts


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-3, 0.099, 0.101, 1.0, 3.0])
def test_logarithm_and_its_slope(angle):
    logs, random = PoseLog(), np.random.default_rng(6)
    axis = random.normal(size=3)
    xi = np.array([*(angle * axis / np.linalg.norm(axis)), *random.normal(size=3)])
    X = exp_pose(xi)

    def log(pose):
        return np.array(logs.log(rotation_vector(pose[:3, :3].tolist()), pose[:3, 3].tolist()))

    assert log(X) == pytest.approx(xi, abs=1e-12)
    slope = logs.slope(log(X).tolist())
    for i, twist in enumerate(np.eye(6)):
        # a twist from the left, (6,), moves the logarithm by a column
        column = central(lambda h, twist=twist: log_pose(exp_pose(h * twist) @ X))
        assert slope[:, i] == pytest.approx(column, abs=1e-8)


@pytest.mark.parametrize("axis", np.eye(3))
@pytest.mark.parametrize("angle", [1.0, np.pi - 1e-9, np.pi, -2.5])
def test_rotation_vectors_near_half_a_turn(axis, angle):
    R = axis_angle_matrix(axis, angle)
    vector = np.array(rotation_vector(R.tolist()))
    assert np.linalg.norm(vector) == pytest.approx(abs(angle), abs=1e-9)
    assert exp_pose([*vector, 0, 0, 0])[:3, :3] == pytest.approx(R, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_least_squares_in_a_box(seed):
    random = np.random.default_rng(seed)
    M, e = random.normal(size=(6, 4)), random.normal(size=6)
    low, high = -random.uniform(0, 0.3, 4), random.uniform(0, 0.3, 4)
    x = nearest_in_box(M.T @ M, M.T @ e, 0.0, low, high)
    assert x == pytest.approx(lsq_linear(M, e, (low, high), tol=1e-14).x, abs=1e-6)
