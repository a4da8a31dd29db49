"""SIMGC against closed forms, conservation laws, statics and other ways to the same motion."""

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import ellipj, ellipk
from simgc_scenes import bar, bricard, chain, four_bar, model_of, n_four_bar, simgc

import headframe
from build import actuator, joint, machine
from headframe.actuation import guiding as drives
from headframe.actuation.records import DRIVE
from headframe.constraints.simgc import driving as drive_kernels
from headframe.constraints.simgc import impulses as kernels
from headframe.constraints.simgc import ledger as ledger_kernels
from headframe.constraints.simgc import lines
from headframe.constraints.simgc.engine import Simgc
from headframe.constraints.simgc.records import COUNTS, IMPULSE_ROW, IMPULSE_WORK, LINE, SIMGC
from headframe.dynamics.loop_rows import jacobian
from headframe.dynamics.records import MODEL, POWER, PULL
from headframe.errors import DynamicsError, StateError
from headframe.jit import (
    Packing,
    Scratch,
    header,
    matrix,
    new_records,
    numbers,
    record,
    records,
)
from headframe.kinematics.velocities import rates
from moving import pose_of, pull
from plain_python import run_as_python

G = 9.81


def command(sim: Simgc, name: str, mode: int, value: float = 0.0) -> int:
    """Command a drive by name; its number."""
    n = [row.name for row in sim.model.rows].index(name)
    sim.drives[n].mode, sim.drives[n].value = mode, value
    return n


def total(sim: Simgc) -> float:
    return sum(sim.energy())


def swing(phi_0: float, omega: float, t: float) -> float:
    """Angle of a pendulum from hanging, let go at rest: phi'' = -omega^2 sin phi."""
    k = math.sin(phi_0 / 2.0)
    sn = ellipj(ellipk(k * k) + omega * t, k * k)[0]
    return 2.0 * math.asin(k * float(sn))


# ----------------------------------------------------------- the exact motion


def test_pendulum_converges_to_its_closed_form_at_first_order():
    exact = math.pi / 2 + swing(-math.pi / 2, math.sqrt(1.5 * G / 0.5), 1.0)
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        sim = simgc(chain(1), h)
        sim.run(round(1.0 / h))
        errors.append(abs(sim.q[0] - exact))
    assert errors[-1] < 5e-3
    assert [a / b for a, b in pairwise(errors)] == pytest.approx([2, 2], rel=0.1)


def test_parallelogram_is_a_pendulum_too():
    """A closed loop with a closed form: two cranks and a coupler of 1 kg and 1 m each."""
    omega = math.sqrt(6.0 * G / 5.0)  # (m g l + m_c g l) / (2/3 m l^2 + m_c l^2)
    exact = math.pi / 2 + swing(-1.2, omega, 1.0)
    errors = []
    for h in (2e-3, 1e-3, 5e-4):
        sim = simgc(n_four_bar(1), h, tolerance=1e-10)
        sim.set_state(
            np.array([math.pi / 2 - 1.2, math.pi / 2 - 1.2, 1.2 - math.pi / 2]), np.zeros(3)
        )
        sim.run(round(1.0 / h))
        errors.append(abs(sim.q[0] - exact))
        assert sim.position_error() < 1e-9
    assert errors[-1] < 5e-3
    assert [a / b for a, b in pairwise(errors)] == pytest.approx([2, 2], rel=0.1)


def test_double_pendulum_converges_to_runge_kutta():
    made = chain(2)

    def rate(x):
        return np.concatenate([x[2:], headframe.aba(made.mechanism, x[:2], x[2:], np.zeros(2))])

    x, h = np.zeros(4), 1e-3
    for _ in range(500):
        a = rate(x)
        b = rate(x + h / 2 * a)
        c = rate(x + h / 2 * b)
        d = rate(x + h * c)
        x = x + h / 6 * (a + 2 * b + 2 * c + d)
    errors = []
    for h in (1e-3, 5e-4):
        sim = simgc(made, h)
        sim.run(round(0.5 / h))
        errors.append(np.abs(sim.q - x[:2]).max())
    assert errors[1] < 2e-3
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)


def test_spherical_and_free_joints_turn_by_the_exponential():
    """A free body without torque, turning about a principal axis, keeps doing so exactly."""
    made = machine(
        [joint("float", "base", "body", "free")],
        links=[
            {"name": "base"},
            {
                "name": "body",
                "inertial": {"mass": 2.0, "inertia": [[1, 0, 0], [0, 2, 0], [0, 0, 2.5]]},
            },
        ],
        home={"joints": {"float": [1, 0, 0, 0, 0, 0, 0]}},
    )
    sim = simgc(made, 1e-2)
    sim.v[2], sim.v[3] = 3.0, 0.5
    sim.run(100)
    assert sim.q[:4] == pytest.approx([math.cos(1.5), 0, 0, math.sin(1.5)], abs=1e-12)
    fallen = -0.5 * G * 1.0 * (1.0 + 1e-2)  # semi-implicit Euler: h^2 n (n + 1) / 2
    assert sim.q[4:] == pytest.approx([0.5, 0.0, fallen], abs=1e-12)


# ------------------------------------------------------------ joints: friction, motors, limits


def test_five_link_chain_swings_and_comes_to_rest_hanging_by_friction():
    made = headframe.load("five_link_chain")
    friction = np.array([j.friction for j in made.joints])
    sim = simgc(made, 2e-3)
    start = total(sim)
    sim.run(250)
    assert sim.energy()[0] > 10.0
    sim.run(60000)
    assert np.abs(sim.v).max() < 1e-9
    # rest is where friction can hold what gravity asks for, and that is what it does
    held = headframe.rnea(made.mechanism, sim.q, np.zeros(5), np.zeros(5))
    assert (np.abs(held) <= friction * (1.0 + 1e-6)).all()
    assert sim.impulses[:5] / sim.step == pytest.approx(held, abs=1e-3)
    low = min(pose_of(sim, f"link_{k}")[2, 3] for k in range(1, 6))
    assert pose_of(sim, "link_1")[2, 3] - low == pytest.approx(4 * 0.4, rel=0.02)
    there = sim.q.copy()
    sim.run(1000)
    assert np.abs(sim.q - there).max() < 1e-9
    assert sim.last_iterations == 1
    assert sim.work_done().dampers < 0.9 * (total(sim) - start) < 0.0


def spinning(torque: float, friction: float = 0.0) -> Simgc:
    """A bar of 1 kg and 1 m about a vertical axis, its motor of so much torque."""
    made = machine(
        [joint("spin", "base", "bar", axis=[0, 0, 1], friction=friction)],
        links=[{"name": "base"}, bar("bar", 1.0)],
        motors=[{"name": "motor", "joint": "spin", "max_torque": torque}],
    )
    return simgc(made, 1e-3)


def test_motor_reaches_its_speed_within_its_torque():
    """Constant acceleration torque / inertia, then constant speed without any torque."""
    sim = spinning(2.0)
    n = command(sim, "spin", drives.SPEED, 3.0)
    sim.run(400)
    assert sim.v[0] == pytest.approx(0.4 * 2.0 * 3.0)
    assert sim.drives[n].reaction == pytest.approx(2.0)
    sim.run(200)
    assert sim.v[0] == pytest.approx(3.0, abs=1e-12)
    assert sim.drives[n].reaction == pytest.approx(0.0, abs=1e-9)
    assert sim.work_done().drives == pytest.approx(total(sim))


def test_friction_takes_its_torque_and_no_more():
    sim = spinning(2.0, friction=0.5)
    command(sim, "spin", drives.FORCE, 2.0)
    sim.run(400)
    assert sim.v[0] == pytest.approx(0.4 * 1.5 * 3.0)
    command(sim, "spin", drives.FORCE, 0.0)
    sim.run(400)
    assert sim.v[0] == pytest.approx(0.4 * 1.5 * 3.0 - 0.4 * 0.5 * 3.0)
    sim.run(1200)
    assert sim.v[0] == 0.0
    command(sim, "spin", drives.FORCE, 0.49)
    sim.run(100)
    assert abs(sim.v[0]) < 1e-12
    assert sum(sim.work_done()) == pytest.approx(total(sim), abs=1e-9)


def test_locked_motor_slips_only_beyond_its_torque_and_does_not_snap_back():
    made = machine(
        [joint("arm", "base", "bar")],
        links=[{"name": "base"}, bar("bar", 1.0)],
        motors=[{"name": "motor", "joint": "arm", "max_torque": 6.0}],
    )
    sim = simgc(made, 1e-3)
    command(sim, "arm", drives.LOCKED)
    sim.run(1000)
    assert abs(sim.q[0]) < 1e-12  # gravity asks for 4.905 N m
    freedom = sim.model.tree.freedom_of_link["bar"]
    sim.pulls = pull(freedom, point=(1.0, 0.0, 0.0), force=(0.0, 0.0, -4.0))
    sim.run(200)
    slipped = sim.q[0]
    assert slipped > 0.05
    assert sim.drives[0].reaction == pytest.approx(-6.0)
    sim.pulls = new_records(0, PULL)
    sim.run(2000)
    assert sim.v[0] == pytest.approx(0.0, abs=1e-12)
    assert sim.q[0] > slipped


@pytest.mark.parametrize("h", [1e-2, 1e-3])
def test_limit_is_reached_not_passed_and_takes_the_speed_away(h):
    made = machine(
        [joint("arm", "base", "bar", limit={"lower": -0.1, "upper": 0.8})],
        links=[{"name": "base"}, bar("bar", 1.0)],
    )
    sim = simgc(made, h)
    highest, start = 0.0, total(sim)
    for _ in range(round(2.0 / h)):
        sim.run(1)
        highest = max(highest, sim.q[0])
    assert highest <= 0.8 + 1e-12
    assert sim.q[0] == pytest.approx(0.8, abs=1e-12)
    assert abs(sim.v[0]) < 1e-12
    assert sim.drives[0].stop == 1.0
    assert sim.drives[0].reaction == pytest.approx(-0.5 * G * math.cos(0.8))
    fall = 0.5 * G * math.sin(0.8)
    assert sim.work_done().stops == pytest.approx(-fall, rel=10 * h)
    assert total(sim) - start == pytest.approx(-fall)


def test_arm_leaves_its_stop_when_pushed_away():
    made = machine(
        [joint("arm", "base", "bar", limit={"lower": -1.0, "upper": 0.0})],
        links=[{"name": "base"}, bar("bar", 1.0)],
        motors=[{"name": "motor", "joint": "arm"}],
    )
    sim = simgc(made, 1e-3)
    sim.run(10)
    assert sim.q[0] == 0.0
    command(sim, "arm", drives.FORCE, -6.0)
    sim.run(1)
    # (6 - 4.905) N m on 1/3 kg m^2, nothing left of the stop's impulse
    assert sim.v[0] == pytest.approx(-(6.0 - 0.5 * G) * 3.0 * 1e-3)
    assert sim.drives[0].stop == 0.0


def test_repeater_keeps_its_ratio_and_carries_its_inertia():
    """One motor turns both bars: torque / (I + ratio^2 I)."""
    made = machine(
        [joint("one", "base", "a", axis=[0, 0, 1]), joint("two", "base", "b", axis=[0, 0, 1])],
        links=[{"name": "base"}, bar("a", 1.0), bar("b", 1.0)],
        motors=[{"name": "motor", "joint": "one"}],
        repeaters=[{"name": "gear", "joint": "two", "follows": "one", "ratio": -2.0}],
    )
    sim = simgc(made, 1e-3)
    command(sim, "one", drives.FORCE, 5.0)
    sim.run(500)
    assert sim.v == pytest.approx([0.5 * 5.0 / (5.0 / 3.0), -2.0 * 0.5 * 5.0 / (5.0 / 3.0)])
    assert sim.position_error() < 1e-12
    assert sum(sim.work_done()) == pytest.approx(total(sim), rel=1e-9)
    command(sim, "one", drives.SPEED, -1.0)
    sim.run(500)
    assert sim.v == pytest.approx([-1.0, 2.0])


def test_gripper_closes_both_fingers_to_the_limit():
    sim = simgc(headframe.load("gripper"), 1e-3)
    for name in ("turn", "shoulder", "elbow", "pitch", "roll"):
        command(sim, name, drives.LOCKED)
    command(sim, "finger_1", drives.SPEED, -1.0)
    sim.run(1000)
    assert sim.q[5:] == pytest.approx([-0.12, 0.12], abs=1e-9)
    assert sim.position_error() < 1e-9
    assert sim.q[:5] == pytest.approx(sim.model.home.q[:5], abs=1e-9)


# ----------------------------------------------------------------- loops


@pytest.mark.parametrize(("h", "bound"), [(1e-2, 2e-2), (1e-3, 2e-4)])
def test_four_bar_stays_closed_and_its_error_falls_with_the_square_of_the_step(h, bound):
    sim = simgc(four_bar(), h)
    worst = 0.0
    for _ in range(300):
        sim.run(round(0.01 / h))
        worst = max(worst, sim.position_error())
    assert 0.0 < worst < bound


def test_plane_loop_uses_two_lines_of_its_five_rows():
    sim = simgc(four_bar(), 1e-3)
    sim.run(1)
    assert sim.loops.m == 5
    assert sim._moment.counts.loop_lines == 2


def test_opened_loop_closes_by_pseudo_velocities_alone():
    """The part beta of the error goes in every step, and no velocity comes of it."""
    made = four_bar()
    tree = model_of(made).tree.with_gravity(np.zeros(3))
    model = type(model_of(made))(tree, made.kinematics, made.home)
    sim = Simgc(model, 1e-3, beta=0.5)
    sim.q[0] += 1e-4
    before = sim.position_error()
    for _ in range(10):
        sim.run(1)
        assert sim.position_error() == pytest.approx(0.5 * before, rel=1e-2)
        before = sim.position_error()
        assert np.abs(sim.v).max() < 1e-12


@pytest.mark.parametrize("h", [1e-2, 1e-3])
def test_pen_of_the_peaucellier_linkage_draws_a_straight_line(h):
    """Inversion takes the circle of the crank's end to a line: x = (long^2 - short^2) / 2 a."""
    made = headframe.load("peaucellier")
    sim = simgc(made, h)
    pen = made.home.pose("pen")[:3, 3]
    n = command(sim, "hinge_1", drives.SPEED, 0.5)
    places = []
    for _ in range(200):
        sim.run(round(0.01 / h))
        places.append(pose_of(sim, "pen")[:3, 3])
    assert sim.q[0] == pytest.approx(made.home.q[0] + 0.5 * 2.0, abs=5e-3)
    assert abs(sim.drives[n].reaction) < 120.0
    travelled = np.ptp(places, axis=0)
    assert sorted(travelled)[-1] > 0.5
    assert sorted(travelled)[1] < (1e-4 if h == 1e-2 else 1e-6)
    across = int(np.argsort(travelled)[1])
    assert places[-1][across] == pytest.approx(pen[across], abs=1e-4)
    assert sim.position_error() < (2e-5 if h == 1e-2 else 2e-7)


def test_n_four_bar_passes_its_singular_poses():
    """A02 of the IFToMM benchmarks: all bars lie in one line twice a turn."""
    made = n_four_bar(2)
    sim = simgc(made, 1e-3)
    for name, part in made.mechanism.velocity_of_joint.items():
        sim.v[part] = 1.0 if name.startswith("foot") else -1.0
    start, worst, open_by = total(sim), 0.0, 0.0
    for _ in range(100):
        sim.run(100)
        worst = max(worst, abs(total(sim) - start))
        open_by = max(open_by, sim.position_error())
    assert sim.q[0] - made.home.q[0] > 8.0 * math.pi  # turns made
    assert worst < 5e-3 * start
    assert open_by < 1e-7


def test_bricard_mechanism_moves_though_it_is_overconstrained():
    """A04 of the IFToMM benchmarks: six equations for five joints, and one freedom left."""
    sim = simgc(bricard(), 1e-3)
    start, worst, fastest = total(sim), 0.0, 0.0
    for _ in range(100):
        sim.run(100)
        worst = max(worst, abs(total(sim) - start))
        fastest = max(fastest, sim.energy()[0])
    assert fastest > 19.0
    assert worst < 5e-3 * fastest
    assert sim.position_error() < 1e-9
    assert sim._moment.counts.loop_lines == 4


# -------------------------------------------------------------- hydraulic machines


def expected_forces(made: headframe.Machine) -> np.ndarray:
    """What each group's first member has to push if it does so alone [N]."""
    found: np.ndarray = rates(made.home).lengths.T @ made.statics()
    return found


@pytest.mark.parametrize("name", ["roadheader", "sths", "tcchs", "lhd", "jumbo"])
def test_locked_machine_holds_and_its_reactions_are_those_of_statics(name):
    made = headframe.load(name)
    sim = simgc(made, 1e-3)
    groups = len(made.robot.groups)
    sim.drives.mode = drives.LOCKED
    start, lengths = sim.q.copy(), [row.position for row in sim.model.rows]
    sim.run(1000)
    expected = expected_forces(made)
    found = sim.drives.reaction[:groups]
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-3)
    assert np.abs(sim.q - start)[lengths].max() < 1e-9
    assert sim.position_error() < 1e-9


@pytest.mark.parametrize("grouped", [True, False])
def test_reactions_do_not_depend_on_how_rows_are_grouped(grouped):
    """Row by row as the paper has it, light cylinders on heavy links need many more sweeps."""
    made = headframe.load("sths")
    sim = simgc(made, 1e-3, grouped=grouped, iterations=2000)
    sim.drives.mode = drives.LOCKED
    sim.run(100)
    expected = expected_forces(made)
    assert sim.drives.reaction == pytest.approx(expected, rel=1e-3)
    assert (sim.iterations < 10) == grouped


def test_forces_of_statics_keep_the_machine_where_it_is():
    made = headframe.load("sths")
    sim = simgc(made, 1e-3)
    for row, force in zip(sim.model.rows, expected_forces(made), strict=True):
        command(sim, row.name, drives.FORCE, force)
    start = sim.q.copy()
    sim.run(100)
    assert np.abs(sim.q - start).max() < 1e-6
    for row in sim.model.rows:
        command(sim, row.name, drives.FLOATING)
    sim.run(100)
    assert np.abs(sim.q - start).max() > 1e-2


def test_guided_boom_keeps_its_limits_and_does_the_work():
    made = headframe.load("roadheader")
    sim = simgc(made, 1e-3)
    sim.drives.mode = drives.LOCKED
    row = next(row for row in sim.model.rows if row.name == "boom")
    place = sim.q[row.position] + 0.05
    n = command(sim, "boom", drives.LENGTH, place)
    start, speeds = total(sim), [0.0]
    for _ in range(1500):
        sim.run(1)
        speeds.append(sim.v[row.velocity])
    assert max(speeds) == pytest.approx(0.06)
    assert np.abs(np.diff(speeds)).max() <= 0.3 * 1e-3 * (1.0 + 1e-9)
    assert sim.q[row.position] == pytest.approx(place, abs=1e-9)
    assert speeds[-1] == pytest.approx(0.0, abs=1e-9)
    raised = total(sim) - start
    assert raised > 1e4
    assert sim.work_done().drives == pytest.approx(raised, rel=1e-3)
    assert sum(sim.work_done()) == pytest.approx(raised, rel=1e-8)
    # at rest again its force is that of statics there
    state = state_of(made, sim)
    expected = (rates(state).lengths.T @ made.statics(state))[n]
    assert sim.drives[n].reaction == pytest.approx(expected, rel=1e-6)


def test_cylinder_too_fast_to_brake_runs_into_its_stop():
    """Locked while it falls, it may only slow down at its own limit: the stop does the rest."""
    made = headframe.load("jumbo")
    sim = simgc(made, 1e-3)
    n = command(sim, "lift", drives.FLOATING)
    row, lower = sim.model.rows[n], sim.drives[n].lower
    while sim.q[row.position] > lower + 0.05:
        sim.run(1)
    speed = sim.v[row.velocity]
    assert speed**2 > 4.0 * 0.05 * made.robot.actuator("lift").acceleration  # cannot brake
    command(sim, "lift", drives.LOCKED)
    lowest = np.inf
    for _ in range(1000):
        sim.run(1)
        lowest = min(lowest, sim.q[row.position])
    assert lowest > lower - 1e-9
    assert sim.q[row.position] == pytest.approx(lower, abs=1e-6)
    assert sim.work_done().stops < 0.5 * sim.work_done().drives < 0.0
    assert sim.drives[n].reaction == pytest.approx(
        (rates(state_of(made, sim)).lengths.T @ made.statics(state_of(made, sim)))[n], rel=1e-2
    )


def state_of(made: headframe.Machine, sim: Simgc) -> headframe.State:
    return headframe.State(made.mechanism, sim.q[: made.home.q.size])


def test_floating_support_sinks_to_its_stops_and_the_ledger_says_where_the_energy_went():
    sim = simgc(headframe.load("lhd"), 1e-3)
    start = total(sim)
    sim.run(4000)
    lost = total(sim) - start
    assert set(sim.drives.stop) & {-1.0, 1.0}
    assert sim.work_done().stops < 0.0
    assert sum(sim.work_done()) == pytest.approx(lost, rel=2e-3)


def test_spatial_cylinder_holds_a_ball_jointed_boom():
    """A mount that is no plane one: three rows, two angles; statics by virtual work."""
    cylinders, links = [], [{"name": "base"}, bar("boom", 2.0, 100.0)]
    for name, side in (("left", 1.0), ("right", -1.0)):
        links += [bar(f"{name}_tube", 0.4, 5.0), bar(f"{name}_rod", 0.4, 5.0)]
        tube, rod = ("base", (0.2, 0.5 * side, -0.6)), ("boom", (1.0, 0.1 * side, 0.0))
        parts = {"tube": f"{name}_tube", "rod": f"{name}_rod"}
        cylinders.append(actuator(name, tube, rod, (0.5, 2.0)) | parts)
    mast = joint("mast", "base", "boom", "universal", axis=[0, 0, 1], axis2=[0, 1, 0])
    made = machine([mast], cylinders, links=links, home={"joints": {"mast": [0.0, 0.0]}})
    sim = simgc(made, 1e-3)
    sim.drives.mode = drives.LOCKED
    sim.run(500)
    assert sim.loops.m == 6
    assert sim.drives.reaction == pytest.approx(made.statics(), rel=1e-6)


# ------------------------------------------------------------------- the solver


def test_warm_start_reduces_iterations():
    counts = []
    for warm in (True, False):
        sim = simgc(headframe.load("peaucellier"), 1e-2)
        command(sim, "hinge_1", drives.SPEED, 0.5)
        for _ in range(100):
            if not warm:
                sim.impulses[:] = 0.0
            sim.run(1)
        counts.append(sim.iterations)
    assert counts[0] < 0.75 * counts[1]


def test_more_iterations_and_smaller_tolerance_close_loops_better():
    def rate(**settings):
        sim = simgc(headframe.load("peaucellier"), 1e-2, **settings)
        command(sim, "hinge_1", drives.SPEED, 0.5)
        sim.run(100)
        J = np.zeros((sim.loops.m, sim.v.size))
        jacobian(sim.loops.rows, sim.model.tree.freedoms, sim._bodies, J)
        return np.abs(J @ sim.v).max(), sim.last_iterations

    few, count = rate(iterations=5)
    assert count == 5
    many, _ = rate(iterations=1000)
    exact, _ = rate(iterations=5000, tolerance=1e-12)
    assert few > 100 * many > 1000 * exact


def test_time_budget_ends_the_sweeps():
    def peaucellier(**settings):
        sim = simgc(headframe.load("peaucellier"), 1e-2, **settings)
        command(sim, "hinge_1", drives.SPEED, 0.5)
        sim.run(20)
        return sim

    hurried = peaucellier(time_budget=0.0)
    assert hurried.iterations == 1.0
    patient, plain = peaucellier(time_budget=60.0), peaucellier()
    assert patient.q.tolist() == plain.q.tolist()
    assert patient.iterations == plain.iterations


def roadheader_at_work() -> Simgc:
    sim = simgc(headframe.load("roadheader"), 1e-3)
    sim.drives.mode = drives.LOCKED
    command(sim, "boom", drives.FLOATING)
    command(sim, "slew", drives.SPEED, 0.05)
    command(sim, "cutting", drives.SPEED, 4.0)
    return sim


def test_runs_repeat_bit_for_bit_however_they_are_cut():
    one, other = roadheader_at_work(), roadheader_at_work()
    one.run(300)
    for n in (1, 99, 200):
        other.run(n)
    assert one.save().state.tobytes() == other.save().state.tobytes()
    assert one.drives.tobytes() == other.drives.tobytes()
    assert (one.time, one.iterations) == (other.time, other.iterations)


def test_save_and_restore_go_on_bit_for_bit():
    sim = roadheader_at_work()
    sim.run(150)
    saved = sim.save()
    sim.run(150)
    first = sim.save()
    command(sim, "slew", drives.FLOATING)
    sim.run(10)
    sim.restore(saved)
    sim.run(150)
    assert sim.save().state.tobytes() == first.state.tobytes()
    assert sim.drives.tobytes() == first.drives.tobytes()
    assert sim.time == pytest.approx(0.3)
    with pytest.raises(StateError, match="another machine"):
        simgc(chain(1), 1e-3).restore(saved)


def test_wrong_settings_are_refused():
    model = model_of(chain(1))
    for wrong in (
        {"step": 0.0}, {"step": math.nan}, {"tolerance": -1.0}, {"beta": 0.0}, {"beta": 1.5},
        {"iterations": 0}, {"time_budget": -1.0},
        {"tolerance": "fine"}, {"iterations": 2.5}, {"time_budget": math.nan},
    ):  # fmt: skip
        with pytest.raises(StateError, match=next(iter(wrong))):
            Simgc(model, **{"step": 1e-3, **wrong})


def test_motion_that_stops_being_finite_names_its_joint_and_keeps_the_last_state():
    sim = simgc(chain(3), 1e-3)
    sim.run(5)
    before = sim.q.copy()
    sim.v[1] = 1e200
    with pytest.raises(DynamicsError, match="joint_") as caught:
        sim.run(10)
    assert caught.value.body in ("joint_1", "joint_2", "joint_3")
    assert caught.value.time == pytest.approx(5e-3)
    assert sim.q.tolist() == before.tolist()
    assert sim.time == pytest.approx(5e-3)
    assert len(caught.value.states) == 1


def test_joint_that_moves_no_mass_is_named():
    made = machine([joint("arm", "base", "bar"), joint("hand", "bar", "tool")])
    with pytest.raises(DynamicsError, match="'arm'"):
        simgc(made).run(1)


# ----------------------------------------------------------------- kernels in Python


@pytest.fixture
def in_python(monkeypatch):
    """All kernels of the step as plain Python."""
    run_as_python(monkeypatch, kernels, drive_kernels, ledger_kernels, lines)


def busy_machines() -> list[Simgc]:
    """Friction, stops, guided and forced drives, pulls, repeaters, quaternions and loops."""
    gripper = simgc(headframe.load("gripper"), 1e-2)
    command(gripper, "turn", drives.SPEED, 1.0)
    command(gripper, "finger_1", drives.LENGTH, 0.1)
    command(gripper, "elbow", drives.LOCKED)
    gripper.pulls = pull(3, point=(0.1, 0, 0), moment=(0, 1, 0), force=(0, 0, -10.0))
    loader = simgc(headframe.load("lhd"), 1e-2)
    command(loader, "lift", drives.FORCE, -3e5)
    free = simgc(
        machine(
            [joint("ball", "base", "body", "spherical")],
            links=[{"name": "base"}, bar("body", 1.0)],
            home={"joints": {"ball": [1, 0, 0, 0]}},
        ),
        1e-2,
    )
    free.v[:] = 1.0, 2.0, 3.0
    return [gripper, loader, free]


def test_step_in_python_is_the_compiled_one(request):
    compiled = busy_machines()
    for sim in compiled:
        sim.run(12)
    request.getfixturevalue("in_python")
    for plain, fast in zip(busy_machines(), compiled, strict=True):
        plain.run(12)
        assert plain.q == pytest.approx(fast.q, abs=1e-9)
        assert plain.v == pytest.approx(fast.v, abs=1e-7)
        assert plain.work_done() == pytest.approx(fast.work_done(), rel=1e-7, abs=1e-7)


def test_coupled_row_stays_in_its_cone():
    """A block pressed on the ground: the tangential impulse is at most mu times the normal one."""
    mass, mu = 2.0, 0.5
    scratch, counts = Scratch(), new_records(1, COUNTS)[0]
    spans = scratch.spans(
        IMPULSE_WORK, rows=(2, IMPULSE_ROW), lines=(2, LINE), J=(2, 2), Y=(2, 2), A=(2, 2),
        mix=(2, 2), rates=(2, 2), applied=(2, 2), tau=2, vdot=2, before=2, push=2, impulses=2,
        power=(1, POWER),
    )  # fmt: skip
    packing = Packing(MODEL)
    packing.within("own", SIMGC, work=spans)
    model = packing.buffer()
    counts.rows[lines.VELOCITIES] = counts.lines = 2
    for sideways in (0.4, 3.0):
        work = np.zeros(scratch.size)
        rows = records(work, spans["rows"], IMPULSE_ROW)
        rows.line, rows.coupled = (0, 1), (-1, 0)
        first, second = rows.aims[:, lines.VELOCITIES]
        first["high"], rows[1].factor = np.inf, mu
        rows.order[:, lines.VELOCITIES] = 0, 1
        matrix(work, spans["A"])[:] = np.eye(2) / mass
        records(work, spans["lines"], LINE).mass = mass
        rate = matrix(work, spans["rates"])[lines.VELOCITIES]
        rate[:] = -1.0, sideways
        for kernel in (lines.sweep, lines.sweep.py_func):
            kernel(model, lines.VELOCITIES, counts, work)
        assert first["impulse"] == pytest.approx(mass * 1.0)
        assert second["impulse"] == pytest.approx(-min(mass * sideways, mu * mass * 1.0))
        assert rate[1] == pytest.approx(max(sideways - mu, 0.0))


def test_lines_of_a_group_leave_each_other_alone():
    """J' Y'^T is diagonal, and the impulses go back to the lines as they were."""
    sim = simgc(headframe.load("roadheader"), 1e-3)
    sim.drives.mode = drives.LOCKED
    sim.run(3)
    n, loops = sim._moment.counts.lines, sim._moment.counts.loop_lines
    at = record(sim.packed, header(sim.packed, MODEL).own, SIMGC).work
    whole = matrix(sim.work, at.J)[:n] @ matrix(sim.work, at.Y)[:n].T
    assert np.abs(whole - whole.T).max() < 1e-12
    found = records(sim.work, at.lines, LINE)[:n]
    assert np.diag(whole) * found.mass == pytest.approx(np.ones(n))
    groups = found.group
    same = (groups[:, None] == groups[None, :]) & (groups >= 0)[:, None] & ~np.eye(n, dtype=bool)
    scale = np.sqrt(np.outer(np.diag(whole), np.diag(whole)))
    assert same[loops:, :loops].any()
    assert np.abs(whole / scale)[same].max() < 1e-9
    # generalized impulse of all rows, by their own Jacobians, is the one that was applied
    J = np.zeros((sim.loops.m, sim.v.size))
    jacobian(sim.loops.rows, sim.model.tree.freedoms, sim._bodies, J)
    by_rows = sim.impulses[-sim.loops.m :] @ J
    for k, row in enumerate(sim.model.rows):
        by_rows[row.velocity] += sim.impulses[3 * k : 3 * k + 3].sum()
    assert by_rows == pytest.approx(numbers(sim.work, at.impulses), abs=1e-6)


@pytest.mark.parametrize("python", [False, True])
def test_guided_rate_comes_to_rest_at_its_place_within_its_limits(python):
    kernel = drive_kernels.wanted_rate.py_func if python else drive_kernels.wanted_rate
    drive = new_records(1, DRIVE)[0]
    drive.mode, drive.value = drives.LENGTH, 1.0
    drive.lower, drive.upper = 0.0, 0.9
    drive.most_speed, drive.most_acceleration = 0.5, 2.0
    position, rate, h, fastest = 0.1, 0.0, 1e-2, 0.0
    for _ in range(400):
        new = kernel(position, rate, h, drive)
        assert abs(new - rate) <= 2.0 * h * (1.0 + 1e-9)
        rate, position = new, position + h * new
        fastest = max(fastest, rate)
        assert position <= 0.9 + 1e-12
    assert fastest == 0.5
    assert position == pytest.approx(0.9, abs=1e-12)
    assert rate == pytest.approx(0.0, abs=1e-9)
