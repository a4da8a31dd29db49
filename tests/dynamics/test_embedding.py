"""Loop embedding against states, finite differences, and the tree's own equations."""

import numpy as np
import pytest

from finite_differences import central
from headframe.actuation import guiding as drives
from headframe.bench.mechanisms import four_bar
from headframe.dynamics import forces as shared
from headframe.dynamics.embedding import functions
from headframe.dynamics.embedding import reduced as kernels
from headframe.dynamics.embedding.packing import pack_embedded, why_not
from headframe.dynamics.model import DynamicsModel
from headframe.dynamics.records import EMBEDDED, MODEL, POWER, PULL
from headframe.dynamics.status import DynamicsStatus
from headframe.dynamics.tree.algorithms import crba, rnea
from headframe.errors import DynamicsError
from headframe.jit import header, matrix, new_records, record, records
from headframe.kinematics.velocities import rates
from headframe.mechanism import State
from headframe.mechanism.records import PLACE
from headframe.mechanism.tree import tree_of
from moving import EXAMPLES, boom, changed, draw_state, example, loaded, new_motion
from trees import position_rates

SOME = ("roadheader", "lhd", "tcchs", "crane", "skew boom", "support on a spherical joint")


@pytest.fixture(params=EXAMPLES)
def one(request):
    return example(request.param)


@pytest.fixture(params=["lengths", "variables"])
def by_lengths(request):
    return request.param == "lengths"


def engines(one, by_lengths, count=2):
    """Engines at random states with random rates of their coordinates, and the states."""
    if by_lengths and not one.kinematics.regular:
        pytest.skip("its lengths do not set its motion alone")
    random = np.random.default_rng(5)
    for _ in range(count):
        motion, state = new_motion(one, by_lengths), draw_state(one, random)
        tree = motion.model.tree
        motion.set_state(tree.positions(state), np.zeros(tree.nv))
        motion.velocities[:] = random.normal(size=motion.velocities.size)
        yield motion, state, random


def along(motion, vdot=None):
    """A function of time that puts the engine on its path, with such an acceleration."""
    q0, v0 = motion.coordinates.copy(), motion.velocities.copy()
    a = np.zeros(v0.size) if vdot is None else vdot

    def at(t):
        """Positions by steps along velocities; quaternions by a short series of their own."""
        motion.coordinates[:], motion.velocities[:] = q0, v0 + t * a
        rate = np.zeros(q0.size)
        shared.position_rates(motion.packed, q0, v0 + t / 2 * a, rate)
        again = np.zeros(q0.size)
        shared.position_rates(motion.packed, rate, v0, again)
        motion.coordinates[:] = q0 + t * rate
        for place in records(motion.packed, header(motion.packed, MODEL).quaternions, PLACE):
            quat = slice(place.position, place.position + 4)
            motion.coordinates[quat] += t * t / 2 * again[quat]
        shared.normalise(motion.packed, motion.coordinates)

    return at


def directions(motion):
    """G of the tree's velocities: a column for every rate of a coordinate, (nv_tree, nv)."""
    kept = motion.velocities.copy()
    columns = []
    for k in range(kept.size):
        motion.velocities[:] = np.eye(kept.size)[k]
        columns.append(motion.v)
    motion.velocities[:] = kept
    return np.array(columns).T


def accelerate(motion):
    """Accelerations of the coordinates, and the powers."""
    vdot, power = np.full(motion.velocities.size, np.nan), new_records(1, POWER)[0]
    power.drives = power.dampers = power.pulls = np.nan
    assert evaluate(motion, vdot, power) == DynamicsStatus.OK
    return vdot, power


def evaluate(motion, vdot, power):
    return kernels.evaluate(
        motion.packed, motion.coordinates, motion.velocities, motion.drives, motion.pulls,
        motion.work, vdot, power,
    )  # fmt: skip


def tree_acceleration(motion, vdot):
    """Rates of the tree's velocities along the path, by differences."""
    at, q, v = along(motion, vdot), motion.coordinates.copy(), motion.velocities.copy()

    def velocities(t):
        at(t)
        return motion.v

    found = central(velocities, 1e-5)
    motion.coordinates[:], motion.velocities[:] = q, v
    return found


def close(found, wanted, tolerance):
    size = np.abs(wanted).max(initial=0.0)
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * (1.0 + size))


# ---------------------------------------------------------------------- positions and velocities


def test_tree_stands_as_the_state(one, by_lengths):
    """Joints, tubes and rods, and every link's pose."""
    for motion, state, _ in engines(one, by_lengths):
        tree = motion.model.tree
        apart = motion.q - tree.positions(state)
        tubes = [c.position + k for c in tree.cylinders for k in range(len(c.tube))]
        apart[tubes] = np.angle(np.exp(1j * apart[tubes]))  # states tell them within one turn
        close(apart, 0.0, 1e-10)
        bodies = motion.place()
        for link in one.robot.links:
            close(tree.pose(bodies, link.name), state.pose(link.name), 1e-10)


def test_velocities_are_rates_of_the_positions(one, by_lengths):
    for motion, _, _ in engines(one, by_lengths):
        q, v = motion.q, motion.v
        at = along(motion)

        def positions(t, at=at, motion=motion):
            at(t)
            return motion.q

        close(central(positions), position_rates(motion.model.tree, q, v), 1e-7)


def test_lengths_follow_as_in_kinematics(one):
    """The rates of all lengths are those of kinematics, if the first members' are."""
    for motion, state, _ in engines(one, one.kinematics.regular, 1):
        v = motion.v
        firsts = [members[0] for members in one.robot.groups]
        found = np.array([v[c.length_velocity] for c in motion.model.tree.cylinders])
        if len(found):
            close(found, rates(state).lengths @ found[firsts], 1e-9)


def test_both_kinds_of_coordinates_move_alike(one):
    """The same state and the same tree velocities give the same tree accelerations."""
    if not one.kinematics.regular:
        pytest.skip("its lengths do not set its motion alone")
    for motion, state, _ in engines(one, True):
        other = new_motion(one, False)
        other.set_state(motion.model.tree.positions(state), motion.v)
        close(other.v, motion.v, 1e-9)
        found = [tree_acceleration(m, accelerate(m)[0]) for m in (motion, other)]
        close(found[0], found[1], 1e-5)


# ------------------------------------------------------------------------------------- equations


def test_reduced_inertia(one, by_lengths):
    """G^T M G with M of the tree; over lengths, seen through the kinetic energy."""
    for motion, _, _ in engines(one, by_lengths):
        G, M = directions(motion), crba(one.mechanism, motion.q)
        wanted = G.T @ M @ G
        v = motion.velocities
        assert motion.energy().kinetic == pytest.approx(v @ wanted @ v / 2, rel=1e-9)
        if not by_lengths:
            functions.place_all(motion.packed, motion.coordinates, v, motion.work)
            kernels.reduce_inertia(motion.packed, motion.work)
            own = record(motion.packed, header(motion.packed, MODEL).own, EMBEDDED)
            found = matrix(motion.work, own.work.M)
            np.testing.assert_allclose(found, found.T, rtol=0, atol=1e-12 * np.abs(found).max())
            close(found, wanted, 1e-10)


def residual(motion, tau):
    """G^T (M v' + b - tau), and the size of what adds up to it."""
    vdot, _ = accelerate(motion)
    a, G = tree_acceleration(motion, vdot), directions(motion)
    mechanism, q, v = motion.model.tree.mechanism, motion.q, motion.v
    parts = np.abs(crba(mechanism, q)) @ np.abs(a) + np.abs(rnea(mechanism, q, v, 0.0 * a))
    return G.T @ (rnea(mechanism, q, v, a) - tau), np.abs(G).T @ parts


def damping(motion):
    """Forces of damping and dry friction on the tree's velocities."""
    tau, v, mechanism = np.zeros(motion.model.tree.nv), motion.v, motion.model.tree.mechanism
    for name, part in mechanism.velocity_of_joint.items():
        j = mechanism.robot.joint(name)
        tau[part] = -j.damping * v[part] - j.friction * np.tanh(v[part] / 1e-3)
    return tau


def springs(motion):
    """Generalized forces of the springs, by differences of their lengths."""
    tree, tau = motion.model.tree, np.zeros(motion.velocities.size)
    for spring in tree.mechanism.robot.springs:

        def length(spring=spring):
            bodies = motion.place()
            ends = [
                (tree.pose(bodies, link) @ (*point, 1.0))[:3]
                for link, point in (
                    (spring.link_a, spring.point_a),
                    (spring.link_b, spring.point_b),
                )
            ]
            return np.linalg.norm(ends[1] - ends[0])

        kept_q, kept_v = motion.coordinates.copy(), motion.velocities.copy()
        slopes = []
        for k in range(kept_v.size):
            motion.velocities[:] = np.eye(kept_v.size)[k]
            at = along(motion)

            def moved(t, at=at, length=length):
                at(t)
                return length()

            slopes.append(central(moved))
            motion.coordinates[:], motion.velocities[:] = kept_q, kept_v
        slope = np.array(slopes)
        pull = spring.stiffness * (length() - spring.rest_length)
        tau -= slope * (pull + spring.damping * (slope @ kept_v))
    return tau


def test_equations_of_motion(one, by_lengths):
    """What inverse dynamics of the tree needs along the motion is what damping and springs give."""
    for motion, _, _ in engines(one, by_lengths):
        found, size = residual(motion, damping(motion))
        close(found / size, springs(motion) / size, 1e-6)


def test_equations_of_motion_with_drives_and_pulls(one, by_lengths):
    """A force of a drive acts along its row; an external one on a point of its link."""
    for motion, _, random in engines(one, by_lengths, 1):
        tree, tau = motion.model.tree, damping(motion)
        for row, drive in zip(motion.model.rows, motion.drives, strict=True):
            drive.now, drive.pull = drives.PUSHED, 1e4 * random.normal()
            tau[row.velocity] += drive.pull
        power, pulls = np.zeros(motion.velocities.size), []
        for link in [link.name for link in one.robot.links if tree.freedom_of_link[link.name] >= 0]:
            wrench, point = 1e3 * random.normal(size=6), random.uniform(-1, 1, 3)
            X = tree.X_FL[link]
            at = X[:3, :3] @ point + X[:3, 3]
            pulls.append((tree.freedom_of_link[link], at, wrench[:3], wrench[3:]))
            power += virtual_power(motion, link, point, wrench)
        motion.pulls = np.array(pulls, PULL).view(np.recarray)
        found, size = residual(motion, tau)
        close(found / size, (power + springs(motion)) / size, 1e-6)
        _, powers = accelerate(motion)
        given = motion.drives.pull @ motion.v[[r.velocity for r in motion.model.rows]]
        assert powers.drives == pytest.approx(given, rel=1e-9, abs=1e-9)
        assert powers.pulls == pytest.approx(power @ motion.velocities, rel=1e-5)


def virtual_power(motion, link, point, wrench):
    """Power of a moment and a force at a point, for a unit rate of every coordinate."""
    tree, found = motion.model.tree, []
    q, v = motion.coordinates.copy(), motion.velocities.copy()
    here = tree.pose(motion.place(), link)
    for k in range(v.size):
        motion.velocities[:] = np.eye(v.size)[k]
        at = along(motion)

        def pose(t, at=at):
            at(t)
            return tree.pose(motion.place(), link)

        rate = central(pose)
        spin = rate[:3, :3] @ here[:3, :3].T
        angular = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        found.append(wrench[:3] @ angular + wrench[3:] @ (rate[:3, :3] @ point + rate[:3, 3]))
        motion.coordinates[:], motion.velocities[:] = q, v
    return np.array(found)


def test_guided_rows_accelerate_as_told(one, by_lengths):
    """Prescribed accelerations are met, and their reactions close the equations of motion."""
    for motion, _, random in engines(one, by_lengths, 1):
        motion.drives.now = drives.GUIDED
        motion.drives.pull = random.normal(size=len(motion.drives))
        vdot, powers = accelerate(motion)
        a, v = tree_acceleration(motion, vdot), motion.v
        reactions = motion.drives.reaction.copy()
        places = [row.velocity for row in motion.model.rows]
        close(a[places], motion.drives.pull, 1e-6)
        tau = damping(motion)
        tau[places] += reactions
        found, size = residual(motion, tau)
        close(found / size, springs(motion) / size, 1e-6)
        assert powers.drives == pytest.approx(reactions @ v[places], rel=1e-9, abs=1e-9)


def test_free_rows_have_no_reaction():
    motion = new_motion(example("roadheader"))
    motion.drives.reaction = 7.0
    accelerate(motion)
    assert not motion.drives.reaction.any()


# ------------------------------------------------------------------------------------- impulses


def arrest(motion, stopped):
    """(energy lost, work of guided drives) of stopping such rows."""
    mask = np.zeros(len(motion.drives))
    mask[stopped] = 1.0
    status, lost, done = kernels.arrest(
        motion.packed, motion.coordinates, motion.velocities, mask, motion.drives, True, motion.work
    )
    assert status == DynamicsStatus.OK
    return lost, done


@pytest.mark.parametrize("name", SOME)
def test_arrested_rows_stop_and_others_keep_their_momentum(name, by_lengths):
    """The change of the momenta is one impulse along the stopped row."""
    one = example(name)
    for motion, _, _ in engines(one, by_lengths, 2):
        G, M = directions(motion), crba(one.mechanism, motion.q)
        before, energy = motion.v, motion.energy().kinetic
        lost, done = arrest(motion, [0])
        after = motion.v
        row = motion.model.rows[0].velocity
        assert abs(after[row]) < 1e-10 * (1.0 + abs(before[row]))
        impulse = G.T @ M @ (after - before)
        along_row = G[row]
        close(impulse, along_row * (impulse @ along_row) / (along_row @ along_row), 1e-9)
        assert lost == pytest.approx(energy - motion.energy().kinetic, rel=1e-8)
        assert lost > 0.0
        assert done == 0.0


def test_impact_with_a_guided_drive(by_lengths):
    """A guided row keeps its rate; the work of its impulse is apart from what the stop takes."""
    for motion, _, _ in engines(example("tcchs"), by_lengths, 2):
        motion.drives[1].now = drives.GUIDED
        rows = [row.velocity for row in motion.model.rows]
        before, energy = motion.v[rows], motion.energy().kinetic
        lost, done = arrest(motion, [0])
        after = motion.v[rows]
        assert abs(after[0]) < 1e-9
        assert after[1] == pytest.approx(before[1], abs=1e-9)
        assert energy - motion.energy().kinetic == pytest.approx(lost - done, rel=1e-8)
        assert done != 0.0


# -------------------------------------------------------------------------------- what is refused


def model_of(one):
    return DynamicsModel(tree_of(one.mechanism), one.kinematics, one.home)


def test_loops_outside_the_scope_are_refused():
    model = model_of(loaded("peaucellier"))
    assert "no planar four-bars" in why_not(model)
    with pytest.raises(DynamicsError, match=r"cannot be embedded: .*no planar four-bars"):
        pack_embedded(model, False)


def test_lengths_that_do_not_set_the_motion_are_refused():
    with pytest.raises(DynamicsError, match="lengths cannot be coordinates"):
        pack_embedded(model_of(example("slider crank")), True)


def test_names_of_the_coordinates():
    _, _, by_length = pack_embedded(model_of(loaded("lhd")), True)
    _, _, by_variable = pack_embedded(model_of(loaded("lhd")), False)
    assert by_length.names == ["slide", "lift"]
    assert set(by_variable.names) <= set(loaded("lhd").mechanism.position_of_joint)
    _, _, floating = pack_embedded(model_of(example("boom on a free joint")), True)
    assert floating.names == ["ram", *["below"] * 6]


def test_dead_centre_is_told():
    """With mounts and hinge in one line no force of the cylinder turns the arm."""

    def straight(content):
        content["actuators"][0]["tube_offset"] = (-0.5, 0.0, 0.0)

    motion = new_motion(changed(boom(), straight), False)
    motion.coordinates[0] = -motion._coordinates.sources[0][2]  # where the arm is level
    assert directions(motion)[2, 0] == 0.0
    motion.drives[0].now = drives.GUIDED
    assert evaluate(motion, np.zeros(1), new_records(1, POWER)[0]) == DynamicsStatus.DEAD_CENTRE


def test_four_bar_that_cannot_close_is_told():
    """A crank longer than its neighbours cannot go round."""
    motion = new_motion(four_bar(lengths=(1.0, 0.9, 0.5, 0.6), start=-0.4))
    motion.coordinates[0] = 2.5
    with pytest.raises(DynamicsError, match="four-bar cannot close"):
        motion.place()


def test_lengths_without_a_configuration_are_told():
    motion = new_motion(loaded("sths"), True)
    motion.coordinates[0] = 9.0
    with pytest.raises(DynamicsError, match=r"'.*': its length has no configuration") as caught:
        motion.place()
    assert caught.value.body in motion.model.tree.mechanism.robot.group_names


def test_massless_machine_is_told():
    bare = changed(boom(), lambda c: [link.update(inertial=None) for link in c["links"]])
    with pytest.raises(DynamicsError, match="'lift' moves nothing that has mass") as caught:
        new_motion(bare).run(1)
    assert caught.value.body == "lift"


def test_massless_parts_that_others_carry_are_fine():
    """A tube without mass is no obstacle, since its motion is the arm's."""
    light = changed(
        boom(),
        lambda c: [link.update(inertial=None) for link in c["links"] if "ram" in link["name"]],
    )
    motion = new_motion(light)
    motion.run(10)
    assert np.isfinite(motion.q).all()


def test_order_of_the_file_does_not_matter():
    one = example("crane")
    other = changed(one, lambda c: c.update(joints=c["joints"][::-1]))
    found = []
    for machine in (one, other):
        motion = new_motion(machine)
        motion.run(50)
        state = State(machine.mechanism, motion.q[: machine.mechanism.q_zero.size])
        found.append(state.pose("hand"))
    close(found[0], found[1], 1e-11)
