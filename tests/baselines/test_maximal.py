"""Bodies, joints and drives in maximal coordinates, as both methods use them."""

import math
from itertools import pairwise, product

import numpy as np
import pytest
from scipy.special import ellipk

import headframe
import moving
import trees
from build import joint, machine
from finite_differences import central
from headframe.actuation import guiding as drives
from headframe.actuation.records import DRIVE
from headframe.baselines.maximal import driving as drive_kernels
from headframe.baselines.maximal import forces as force_kernels
from headframe.baselines.maximal import reading as reading_kernels
from headframe.baselines.maximal import rows as kernels
from headframe.baselines.maximal.packing import Maximal
from headframe.baselines.maximal.records import MOVING_BODY, REFERENCE, RESPONSE, BodyRowKind
from headframe.baselines.simmc.engine import Simmc
from headframe.baselines.xpbd.engine import Xpbd
from headframe.dynamics import forces as model_kernels
from headframe.dynamics.records import BODY, ENERGY, MODEL, PULL
from headframe.dynamics.status import DynamicsStatus, failed
from headframe.dynamics.tree.placing import place_tree
from headframe.errors import DynamicsError, StateError, UnknownElementError
from headframe.jit import Packing, Scratch, header, new_records, records
from maximal_scenes import (
    BOTH,
    NO_GRAVITY,
    balance,
    brick,
    chain,
    command,
    exact,
    flywheel,
    four_bar,
    model_of,
    slide,
)
from moving import pose_of, pull
from plain_python import run_as_python

G = 9.81


@pytest.fixture(params=BOTH, ids=["simmc", "xpbd"])
def method(request):
    return request.param


def rows_of(motion):
    """All rows between bodies: those that joints hold, and those that they leave free."""
    parts = motion.maximal.parts
    return np.concatenate([parts["held"], parts["free"]]).view(np.recarray)


def total(motion):
    return sum(motion.energy())


# --------------------------------------------------------- bodies and their coordinates


@pytest.mark.parametrize("name", ["mixed", "y up", "roadheader"])
def test_coordinates_come_back_from_the_bodies(name):
    """Every kind of joint, cylinders too: loops need not be closed for that."""
    model = model_of(trees.example(name))
    motion = Simmc(model, 1e-3)
    q, v = trees.draw(model.tree, np.random.default_rng(5))
    motion.set_state(q, v)
    assert np.abs(motion.q - q).max() < 1e-12
    assert np.abs(motion.v - v).max() < 1e-11


def test_poses_and_energy_are_the_trees():
    model = model_of(moving.example("crane"))
    motion = Simmc(model, 1e-3)
    random = np.random.default_rng(1)
    q, v = random.uniform(0.5, 1.0, model.tree.nq), random.normal(size=model.tree.nv)
    motion.set_state(q, v)
    scratch = Scratch()
    packed = model.tree_packing(scratch).buffer()
    work, memory = np.zeros(scratch.size), Packing(ENERGY).buffer()
    bodies, found = records(work, header(packed, MODEL).bodies, BODY), header(memory, ENERGY)
    place_tree(model.tree.freedoms, q, v, bodies)
    for link in model.tree.freedom_of_link:
        assert np.abs(pose_of(motion, link) - model.tree.pose(bodies, link)).max() < 1e-13
    model_kernels.energies(packed, work, memory)
    assert found.springs > 1.0
    assert motion.energy() == pytest.approx([*found], rel=1e-12)


def test_angles_count_on_past_a_turn(method):
    motion = method(model_of(flywheel(), NO_GRAVITY), 1e-2)
    motion.set_state([6.0], [25.0])
    motion.run(100)
    assert motion.q[0] == pytest.approx(31.0, abs=1e-9)
    assert motion.v[0] == pytest.approx(25.0, abs=1e-9)


@pytest.mark.parametrize("name", ["skew boom", "mixed", "support on a spherical joint"])
def test_rows_have_the_right_derivatives(name):
    """J of every row against differences of C, for both bodies and all six motions of each."""
    one = trees.example(name) if name in trees.EXAMPLES else moving.example(name)
    model = model_of(one)
    motion = Simmc(model, 1e-3)
    q, v = trees.draw(model.tree, np.random.default_rng(2))
    motion.set_state(q, v)
    kinds, (response, unused) = set(), new_records(2, RESPONSE)
    for row in rows_of(motion):
        kernels.set_row(row, motion.bodies, response)
        kinds.add(row.kind)
        for (end, body), way in product(enumerate(row.ends), np.eye(6)):

            def moved(t, row=row, body=body, way=way):
                bodies = motion.bodies.copy()
                bodies[body].X[:, 3] += t * way[3:]
                kernels.rotate(bodies[body], *(t * way[:3]))
                return kernels.set_row(row, bodies, unused)

            if body > 0:
                assert response.J[end] @ way == pytest.approx(central(moved), abs=1e-8)
    if name == "skew boom":
        assert kinds == set(BodyRowKind)


def test_a_response_is_what_an_impulse_does_to_the_bodies():
    motion = Simmc(model_of(chain(2)), 1e-3)
    (response,), J = new_records(1, RESPONSE), np.random.default_rng(3).normal(size=(2, 6))
    response.ends, response.J = (1, 2), J
    K = kernels.respond(motion.maximal.parts["rigid"], motion.bodies, response)
    assert (response.J * response.W).sum() == pytest.approx(K)
    for end, body in enumerate(motion.maximal.bodies):
        R, M = motion.bodies[1 + end].X[:, :3], body.mass * np.eye(6)
        M[:3, :3] = R @ np.diag(body.inertia) @ R.T
        assert np.linalg.solve(M, J[end]) == pytest.approx(response.W[end])


def test_gaps_are_how_far_joints_are_open():
    motion = Simmc(model_of(chain(2)), 1e-3)
    assert motion.position_error() < 1e-15
    motion.bodies[2].X[:, 3] += [0.03, 0.0, -0.04]
    assert motion.position_error() == pytest.approx(0.05, rel=1e-12)
    assert motion.angle_error() < 1e-12
    kernels.rotate(motion.bodies[2], 0.2, 0.0, 0.0)
    assert motion.angle_error() == pytest.approx(math.sin(0.2), rel=1e-12)


def test_every_catalogue_machine_is_closed_at_home():
    for name in headframe.machines():
        one = headframe.load(name)
        motion = Simmc(model_of(one), 1e-3)
        assert motion.position_error() < 1e-9, name
        assert motion.angle_error() < 1e-9, name
        assert np.abs(motion.q - motion.model.tree.positions(one.home)).max() < 1e-9, name


# ------------------------------------------------------------------- parts without mass


def lift_without_parts():
    """The boom, its cylinder having no mass."""

    def change(content):
        for link in content["links"]:
            if link["name"] in ("ram_tube", "ram_rod"):
                link.pop("inertial")

    return moving.changed(moving.boom(), change)


def test_a_cylinder_without_mass_is_its_mounts():
    one = lift_without_parts()
    model = model_of(one)
    motion = Simmc(model, 1e-3)
    assert [body.name for body in motion.maximal.bodies] == ["arm"]
    state = one.fk({"ram": 1.3})
    q = model.tree.positions(state)
    motion.set_state(q, np.zeros(3))
    assert motion.q == pytest.approx(q, abs=1e-14)
    assert pose_of(motion, "ram_rod") == pytest.approx(state.pose("ram_rod"), abs=1e-12)
    rates = central(lambda t: model.tree.positions(one.fk({"ram": 1.3 + t})))
    motion.set_state(q, rates)
    assert motion.v == pytest.approx(rates, abs=1e-9)
    motion.pulls = pull(model.tree.freedom_of_link["ram_rod"], force=(0, 0, 1.0))
    with pytest.raises(DynamicsError, match="'ram' has no mass") as error:
        motion.run(1)
    assert error.value.body == "ram"


def test_a_skew_cylinder_without_mass_has_its_two_angles():
    def change(content):
        for link in content["links"]:
            if link["name"].endswith(("_tube", "_rod")):
                link.pop("inertial")

    one = moving.changed(moving.example("skew boom"), change)
    model = model_of(one)
    motion = Simmc(model, 1e-3)
    q = model.tree.positions(one.fk([1.2, 1.25]))
    rates = central(lambda t: model.tree.positions(one.fk([1.2 + 0.3 * t, 1.25 - t])))
    motion.set_state(q, rates)
    assert motion.q == pytest.approx(q, abs=1e-13)
    assert motion.v == pytest.approx(rates, abs=1e-8)


@pytest.mark.parametrize("one", [lift_without_parts, moving.slider_crank])
def test_parts_without_mass_take_part_in_the_motion(one, method):
    model = model_of(one())
    right = exact(model, 0.1).q
    off = []
    for h in (1e-3, 5e-4):
        motion = method(model, h)
        motion.run(round(0.1 / h))
        off.append(np.abs(motion.q - right).max())
    assert off[1] < 1e-3
    assert off[0] / off[1] == pytest.approx(2.0, rel=0.05)


def test_what_cannot_be_a_body_is_named():
    with pytest.raises(DynamicsError, match="'bar_0' has no mass") as error:
        Maximal(model_of(machine([joint("hinge", "base", "bar_0")])))
    assert error.value.body == "bar_0"
    point = {"name": "bob", "inertial": {"mass": 1, "com": [1, 0, 0], "inertia": [[0] * 3] * 3}}
    with pytest.raises(DynamicsError, match="'bob' is a point without inertia"):
        Maximal(model_of(machine([joint("hinge", "base", "bob")], links=[{"name": "base"}, point])))


def test_a_thin_rod_gets_a_little_inertia_about_its_axis():
    thin = machine(
        [joint("hinge", "base", "rod")], links=[{"name": "base"}, moving.thin_rod("rod", 1.0, 12.0)]
    )
    body = Maximal(model_of(thin)).bodies[0]
    assert body.inertia == pytest.approx([1e-3, 1.0, 1.0])
    assert np.linalg.det(body.X_FB[:3, :3]) == pytest.approx(1.0)


# --------------------------------------------------------------------- the motion itself


def test_a_free_body_keeps_its_momentum(method):
    """Angular momentum exactly; energy to first order in the step, tumbling as it may."""
    model = model_of(brick(), NO_GRAVITY)
    drift = []
    for h in (2e-3, 1e-3):
        motion = method(model, h)
        motion.set_state(
            np.array([1.0, 0, 0, 0, 0, 0, 0]), np.array([1.0, 2.0, 0.5, 0.3, -0.2, 0.1])
        )
        start, spin, speed = (
            total(motion),
            motion.bodies[1].spin.copy(),
            motion.V[1, 3:].copy(),
        )
        motion.run(round(2.0 / h))
        assert motion.bodies[1].spin == pytest.approx(spin, rel=1e-9)
        assert motion.V[1, 3:] == pytest.approx(speed, rel=1e-9)
        drift.append(abs(total(motion) / start - 1.0))
    assert drift[1] < 2e-3
    assert drift[0] / drift[1] == pytest.approx(2.0, rel=0.1)


def test_pendulum_has_the_period_of_the_elliptic_integral(method):
    """A bar let go 60 degrees from hanging: four times its way to the lowest point."""
    amplitude, omega = math.radians(60.0), math.sqrt(1.5 * G / 0.5 / (1 + 0.05**2 / 4 / 0.5**2))
    period = 4.0 * ellipk(math.sin(amplitude / 2) ** 2) / omega
    off = []
    for h in (1e-3, 5e-4):
        motion = method(model_of(chain(1)), h)
        motion.set_state([math.pi / 2 - amplitude], [0.0])
        before = motion.q[0]
        while motion.q[0] < math.pi / 2:
            before = motion.q[0]
            motion.run(1)
        late = (motion.q[0] - math.pi / 2) / (motion.q[0] - before) * h
        off.append(4.0 * (motion.time - late) / period - 1.0)
    assert abs(off[1]) < 1e-2
    assert off[0] / off[1] == pytest.approx(2.0, rel=0.15)


@pytest.mark.parametrize("name", ["double pendulum", "mixed"])
def test_trees_converge_to_articulated_bodies_at_first_order(name, method):
    """Hinges, slides, universal, ball and free joints, against ABA and RK4."""
    one = chain(2) if name == "double pendulum" else trees.example(name)
    model = model_of(one)
    q, v = trees.draw(model.tree, np.random.default_rng(3))
    right_q, right_v = trees.fall(one, q, v, 1e-3, 50)[-1]
    off = []
    for h in (1e-3, 5e-4, 2.5e-4):
        motion = method(model, h, **({"iterations": 2000} if method is Simmc else {}))
        motion.set_state(q, v)
        motion.run(round(0.05 / h))
        off.append((np.abs(motion.q - right_q).max(), np.abs(motion.v - right_v).max()))
    assert off[2][0] < 1e-3
    for coarse, fine in pairwise(off):
        assert coarse[0] / fine[0] == pytest.approx(2.0, rel=0.15)
        assert coarse[1] / fine[1] == pytest.approx(2.0, rel=0.15)


@pytest.mark.parametrize(
    "one", [four_bar, moving.crane, moving.skew_boom], ids=["four-bar", "crane", "skew boom"]
)
def test_loops_converge_to_the_constrained_tree_at_first_order(one, method):
    """With cylinders as bodies on plane and on skew mounts, springs, damping and dry friction."""
    model = model_of(one())
    right = exact(model, 0.1).q
    off = []
    for h in (1e-3, 5e-4):
        motion = method(model, h, **({"iterations": 2000} if method is Simmc else {}))
        motion.run(round(0.1 / h))
        off.append(np.abs(motion.q - right).max())
    assert off[1] < 2e-3
    assert off[0] / off[1] == pytest.approx(2.0, rel=0.1)


def test_a_repeater_follows(method):
    """Of the gripper, whose second jaw repeats the first with the opposite sign."""
    one = headframe.load("gripper")
    model = model_of(one)
    (repeater,) = one.robot.repeaters
    leader = one.mechanism.position_of_joint[repeater.follows].start
    follower = one.mechanism.position_of_joint[repeater.joint].start
    motion = method(model, 1e-3)
    start = motion.q[leader]
    row = next(row for row in model.rows if row.position == leader)
    command(motion, row.name, drives.SPEED, -0.1 if start > 0.0 else 0.1)
    motion.run(200)
    assert abs(motion.q[leader] - start) > 0.01
    expected = repeater.ratio * motion.q[leader] + repeater.offset
    assert motion.q[follower] == pytest.approx(expected, abs=1e-4)


# ------------------------------------------------------------------------ forces


def test_a_pull_accelerates_and_its_work_is_kept(method):
    """A force off the centre of mass of a free body, without gravity."""
    model = model_of(brick(), NO_GRAVITY)
    motion = method(model, 1e-3)
    brick_at = model.tree.freedom_of_link["brick"]
    motion.pulls = pull(brick_at, point=(0.1, -0.2, 0.3), force=(6.0, 0, 0))
    motion.run(1000)
    assert motion.V[1, 3:] == pytest.approx([2.0, 0, 0], abs=1e-9)
    assert motion.work_done().pulls == pytest.approx(0.5 * 3.0 * 2.0**2, rel=1e-9)
    motion.pulls = pull(brick_at, moment=(0.4, 0, 0))
    motion.run(500)
    assert motion.bodies[1].spin == pytest.approx([0.2, 0, 0], abs=1e-9)


def test_a_spring_swings_with_its_period_and_its_damper_loses_energy(method):
    def spring(damping):
        made = slide()

        def change(content):
            content["springs"] = (
                {"name": "coil", "link_a": "base", "point_a": (-2, 0, 0), "link_b": "block",
                 "point_b": (0, 0, 0), "stiffness": 50.0, "rest_length": 2.0, "damping": damping},
            )  # fmt: skip

        return model_of(moving.changed(made, change))

    motion = method(spring(0.0), 1e-3)
    motion.set_state([0.3], [0.0])
    motion.run(round(math.pi / 5.0 / 1e-3))  # half a period of sqrt(50 / 2) = 5 rad/s
    assert motion.q[0] == pytest.approx(-0.3, abs=2e-3)
    motion = method(spring(4.0), 5e-4)
    motion.set_state([0.3], [0.0])
    start = total(motion)
    motion.run(1000)
    assert motion.work_done().dampers < -0.5
    assert abs(balance(motion, start)) < 5e-3 * start


def test_damping_and_dry_friction_slow_a_wheel_as_they_should(method):
    motion = method(model_of(flywheel(damping=0.5)), 1e-3)
    motion.set_state([0.0], [4.0])
    motion.run(1000)
    assert motion.v[0] == pytest.approx(4.0 * math.exp(-0.5 / 2.0), rel=2e-4)
    motion = method(model_of(flywheel(friction=3.0)), 1e-3)
    motion.set_state([0.0], [4.0])
    motion.run(2000)
    assert motion.v[0] == pytest.approx(1.0, abs=1e-6)
    motion.run(1000)
    assert motion.v[0] == pytest.approx(0.0, abs=1e-12)
    assert motion.work_done().dampers == pytest.approx(-0.5 * 2.0 * 4.0**2, rel=1e-6)


def test_joints_of_several_freedoms_are_damped_about_each(method):
    """A ball joint whose body would spin on: every component decays alike."""
    ball = {"mass": 1.0, "inertia": (0.5 * np.eye(3)).tolist()}
    one = machine(
        [joint("ball", "base", "globe", "spherical", damping=0.25)],
        links=[{"name": "base"}, {"name": "globe", "inertial": ball}],
    )
    motion = method(model_of(one), 1e-3)
    motion.set_state([1, 0, 0, 0], [1.0, -2.0, 3.0])
    motion.run(1000)
    assert np.linalg.norm(motion.v) == pytest.approx(math.sqrt(14) * math.exp(-0.5), rel=1e-3)


# ------------------------------------------------------------------------ drives


def test_a_cylinder_goes_as_fast_as_it_is_told(method):
    one = headframe.load("lhd")
    motion = method(model_of(one), 1e-3)
    for row in motion.model.rows:
        command(motion, row.name, drives.LOCKED)
    row = motion.model.rows[0]
    n = command(motion, row.name, drives.SPEED, 0.05)
    motion.run(1000)
    before = motion.q[row.position]
    motion.run(500)
    assert motion.q[row.position] - before == pytest.approx(0.025, abs=2e-5)
    assert motion.v[row.velocity] == pytest.approx(0.05, abs=2e-4)
    assert motion.drives[n].now == drives.GUIDED


def test_a_length_is_reached_and_kept(method):
    motion = method(model_of(moving.boom(ram={"speed": 0.2, "acceleration": 0.5})), 1e-3)
    row = motion.model.rows[0]
    target = motion.q[row.position] + 0.1
    command(motion, "ram", drives.LENGTH, target)
    motion.run(500)
    assert motion.q[row.position] < target - 1e-3
    motion.run(1000)
    assert motion.q[row.position] == pytest.approx(target, abs=2e-6)
    motion.run(1000)
    assert motion.q[row.position] == pytest.approx(target, abs=2e-6)
    assert abs(motion.v[row.velocity]) < 1e-6


@pytest.mark.parametrize("name", ["roadheader", "sths"])
def test_locked_cylinders_hold_with_the_forces_of_statics(name, method):
    """By virtual work: the first of a group carries what the group carries in statics."""
    one = headframe.load(name)
    motion = method(model_of(one), 1e-3)
    q = motion.q
    for row in motion.model.rows:
        command(motion, row.name, drives.LOCKED)
    motion.run(1000)
    assert np.abs(motion.q - q).max() < (1e-9 if method is Simmc else 2e-5)
    forces = one.statics()
    for n, row in enumerate(motion.model.rows):
        if len(row.members) == 1 or (name == "roadheader" and row.name == "boom"):
            held = forces[list(row.members)].sum()
            assert motion.drives[n].reaction == pytest.approx(held, rel=1e-4, abs=1.0)


def test_a_force_moves_as_in_the_constrained_tree(method):
    """And its work is what the ledger says."""
    model = model_of(moving.boom())
    other = exact(model, 0.0)
    motion = method(model, 2.5e-4)
    for moved in (motion, other):
        moved.drives[0].mode, moved.drives[0].value = drives.FORCE, 4000.0
    start = total(motion)
    motion.run(800)
    other.run(1000)
    assert motion.q == pytest.approx(other.q, abs=5e-4)
    assert motion.work_done().drives == pytest.approx(other.work_done().drives, rel=5e-3)
    assert abs(balance(motion, start)) < 5e-3 * motion.work_done().drives


@pytest.mark.parametrize("upwards", [True, False])
def test_end_stops_are_inelastic_and_their_loss_is_kept(upwards, method):
    """A block of 2 kg at 0.8 m/s into either stop of its slide; then it rests there."""
    motion = method(model_of(slide(-0.1, 0.1), NO_GRAVITY), 1e-3)
    sign = 1.0 if upwards else -1.0
    motion.set_state([0.0], [0.8 * sign])
    motion.run(100)
    assert motion.q[0] == pytest.approx(0.08 * sign, abs=1e-9)
    motion.run(200)
    assert motion.q[0] == pytest.approx(0.1 * sign, abs=1e-6)
    assert motion.v[0] == pytest.approx(0.0, abs=1e-6)
    assert motion.work_done().stops == pytest.approx(-0.64, rel=1e-6)


def test_a_machine_falls_onto_its_stops_and_rests(method):
    """A drill rig whose cylinders float."""
    one = headframe.load("jumbo")
    motion = method(model_of(one), 1e-3)
    for row in motion.model.rows:
        command(motion, row.name, drives.FLOATING)
    start = total(motion)
    motion.run(1500)
    resting = motion.drives.stop[:3] != 0.0
    assert resting.any()
    assert motion.energy()[0] < 1e-3 * start
    n = int(np.flatnonzero(resting)[0])
    drive = motion.drives[n]
    bound = drive.upper if drive.stop > 0 else drive.lower
    length = motion.q[motion.model.rows[n].position]
    assert length == pytest.approx(bound, abs=2e-5)
    # against the upper stop it is held back, at the lower it is carried
    assert motion.drives[n].reaction * motion.drives[n].stop < 0.0


def test_work_explains_the_energy(method):
    """Of drives, losses, stops and joints: what the step itself does wrong falls with it."""
    lifted, fallen = [], []
    for h in (8e-4, 4e-4, 2e-4):
        settings = {"iterations": 3000, "tolerance": 1e-8} if method is Simmc else {}
        motion = method(model_of(moving.example("crane")), h, **settings)
        start = total(motion)
        command(motion, "ram", drives.SPEED, 0.1)
        motion.run(round(0.2 / h))
        assert motion.work_done().drives > 30.0
        lifted.append(balance(motion, start))
        command(motion, "ram", drives.FLOATING)
        motion.run(round(0.4 / h))
        assert motion.work_done().dampers < -250.0
        fallen.append(balance(motion, start))
    assert [a / b for a, b in pairwise(lifted)] == pytest.approx([2.0, 2.0], rel=0.05)
    assert [a / b for a, b in pairwise(fallen)] == pytest.approx([2.0, 2.0], rel=0.05)
    assert abs(fallen[-1]) < 1e-3 * 250.0


def test_an_impact_of_a_machine_is_booked(method):
    """A loader falls onto its stops, and all that is lost is found in the ledger."""
    motion = method(model_of(headframe.load("lhd")), 1e-3, iterations=500 if method is Simmc else 1)
    start = total(motion)
    for row in motion.model.rows:
        command(motion, row.name, drives.FLOATING)
    motion.run(800)
    assert total(motion) - start < -15_000.0
    assert abs(balance(motion, start)) < 1e-2 * (start - total(motion))


def test_a_motor_gives_no_more_than_its_torque(method):
    motion = method(model_of(flywheel(motor=True)), 1e-3)
    n = command(motion, "axle", drives.SPEED, 5.0)
    motion.run(1000)
    assert motion.v[0] == pytest.approx(3.0 / 2.0, rel=2e-3)
    assert motion.drives[n].reaction == pytest.approx(3.0, rel=1e-6)
    motion.run(4000)
    assert motion.v[0] == pytest.approx(5.0, rel=1e-3)
    assert abs(motion.drives[n].reaction) < 0.1


def test_a_reference_starts_where_the_row_is_and_lands_where_it_shall():
    table, references = new_records(1, DRIVE), new_records(1, REFERENCE)
    table.lower, table.upper = -9.0, 9.0
    table.most_speed, table.most_acceleration, table.most_force = 1.0, 2.0, np.inf
    assert math.isnan(drive_kernels.command(0, 0.3, 0.1, 0.01, table, references))
    assert references[0].active == 0
    table.mode, table.value = drives.LENGTH, 1.0
    place = 0.3
    for _ in range(300):
        mean = drive_kernels.command(0, place, 0.1, 0.01, table, references)
        assert abs(mean) <= 1.0 + 1e-12
        place += 0.01 * mean
    assert place == pytest.approx(1.0, abs=1e-9)


def test_a_stop_is_the_nearer_bound():
    (drive,) = new_records(1, DRIVE)
    drive.lower, drive.upper, drive.most_force = -1.0, 2.0, np.inf
    assert drive_kernels.stop_side(drive, -0.9) == pytest.approx((1.0, 0.1))
    assert drive_kernels.stop_side(drive, 2.5) == pytest.approx((-1.0, -0.5))
    drive.now = drives.GUIDED
    assert drive_kernels.stop_side(drive, 2.5) == (0.0, 0.0)
    drive.now, drive.lower, drive.upper = drives.PUSHED, -np.inf, np.inf
    assert drive_kernels.stop_side(drive, 2.5) == (0.0, 0.0)


# --------------------------------------------------------------------------- running


def test_the_same_inputs_give_the_same_bits(method):
    def moved():
        motion = method(model_of(moving.example("crane")), 1e-3)
        command(motion, "ram", drives.SPEED, 0.1)
        motion.run(50)
        command(motion, "ram", drives.FLOATING)
        motion.run(50)
        return motion

    a, b = moved(), moved()
    assert a.state.tobytes() == b.state.tobytes()
    assert a.q.tobytes() == b.q.tobytes()


def test_what_was_saved_goes_on_bit_for_bit(method):
    motion = method(model_of(moving.example("crane")), 1e-3)
    command(motion, "ram", drives.LENGTH, 1.2)
    motion.run(30)
    saved = motion.save()
    motion.run(40)
    after, time = motion.state.copy(), motion.time
    command(motion, "ram", drives.FLOATING)
    motion.pulls = pull(1, point=1.0, moment=1.0, force=1.0)
    motion.run(10)
    motion.restore(saved)
    assert motion.time == pytest.approx(0.03)
    for _ in range(40):  # one by one or all at once
        motion.run(1)
    assert motion.state.tobytes() == after.tobytes()
    assert motion.time == time
    with pytest.raises(StateError, match="another machine"):
        method(model_of(chain(1)), 1e-3).restore(saved)


def test_what_stops_being_finite_is_named_and_the_state_is_the_one_before(method):
    motion = method(model_of(chain(2)), 1e-3)
    motion.run(5)
    q = motion.q
    motion.pulls = pull(1, force=(0, 0, np.inf))
    with pytest.raises(DynamicsError, match="'bar_") as error:
        motion.run(3)
    assert error.value.body in ("bar_0", "bar_1")
    assert error.value.time == pytest.approx(5e-3)
    assert motion.steps == 5
    assert motion.q.tobytes() == q.tobytes()
    assert error.value.states[0][0].tobytes() == motion.q.tobytes()
    assert error.value.states[0][1].tobytes() == motion.v.tobytes()


def test_unfit_arguments_are_refused():
    model = model_of(chain(1))
    for make, text in (
        (lambda: Simmc(model, 0.0), "step: found 0.0"),
        (lambda: Simmc(model, math.nan), "step"),
        (lambda: Simmc(model, 1e-3, tolerance=-1.0), "tolerance: found -1.0"),
        (lambda: Simmc(model, 1e-3, iterations=0), "iterations: found 0"),
        (lambda: Simmc(model, 1e-3, beta=0.0), "beta: found 0.0"),
        (lambda: Simmc(model, 1e-3, beta=1.5), "beta"),
        (lambda: Xpbd(model, 1e-3, substeps=0), "substeps: found 0"),
        (lambda: Xpbd(model, 1e-3, iterations=0), "iterations: found 0"),
        (lambda: Simmc(model, 1e-3).set_state([0.0, 1.0], [0.0]), "q: found shape"),
        (lambda: Simmc(model, 1e-3).set_state([np.nan], [0.0]), "not finite"),
    ):
        with pytest.raises(StateError, match=text):
            make()
    with pytest.raises(UnknownElementError, match="no link is called 'bar'"):
        headframe.Simulation(chain(1), "simmc").pose("bar")
    assert pose_of(Simmc(model, 1e-3), "base") == pytest.approx(np.eye(4))


# --------------------------------------------------------------------------- kernels


def test_kernels_run_as_python(monkeypatch):
    motion = Simmc(model_of(moving.example("skew boom")), 1e-3)
    model, state, work, bodies = motion._packed, motion.state, motion._work, motion.bodies
    response, same = new_records(2, RESPONSE)
    for row in rows_of(motion):
        C = kernels.set_row.py_func(row, bodies, response)
        assert pytest.approx(C) == kernels.set_row(row, bodies, same)
        assert np.allclose(same.J, response.J)
        assert kernels.respond.py_func(motion.maximal.parts["rigid"], bodies, response) > 0.0
    right, q, v = motion.q, motion.q, motion.v
    run_as_python(monkeypatch, kernels, force_kernels, reading_kernels)
    reading_kernels.recover(model, state, work, q, v)
    assert q == pytest.approx(right)
    reading_kernels.recover_cylinder(True, (3.0, 4.0, 0.0), (0.3, 0.4, 0.5), q, v)
    assert q[:3] == pytest.approx([math.atan2(4, 3), 0.0, 5.0])
    assert v[:3] == pytest.approx([0.0, 0.1, 0.5])
    assert reading_kernels.gaps(model, state, work) == pytest.approx((0.0, 0.0), abs=1e-12)
    kernels.track(model, state, work)
    assert kernels.end_step(model, state, work, 3) == 0
    assert (motion.steps, motion.last_iterations) == (1, 3)
    memory = Packing(ENERGY).buffer()
    force_kernels.accelerate(model, new_records(0, PULL), 0.1, state, work)
    assert motion.V[1:, 5] == pytest.approx(-0.1 * G)
    force_kernels.energies(model, state, work, memory)
    mass = sum(body.mass for body in motion.maximal.bodies)
    assert header(memory, ENERGY).kinetic == pytest.approx(0.5 * mass * (0.1 * G) ** 2)
    bodies[2].X[0, 3] = np.nan
    assert kernels.end_step(model, state, work, 3) == failed(DynamicsStatus.NOT_FINITE, 2)
    assert motion.steps == 1


def test_turning_and_settling_run_as_python():
    (body,) = new_records(1, MOVING_BODY)
    body.quat[0] = 1.0
    kernels.rotate.py_func(body, 0.0, 0.0, math.pi / 2)
    assert body.X[:, :3] == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    (drive,), (reference,) = new_records(1, DRIVE), new_records(1, REFERENCE)
    drive.now, drive.stop, reference.active = drives.GUIDED, -1.0, 1
    drive_kernels.settle.py_func(drive, reference, 5.0, 2.0, 5.0)
    assert (drive.reaction, reference.active) == (7.0, 0)
