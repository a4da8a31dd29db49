"""The constrained tree: against dense algebra, closed forms and conservation of energy."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import build
import headframe
from build import actuator, joint
from crosscheck import zoo
from headframe.actuation import guiding as drives
from headframe.dynamics import driven_rows
from headframe.dynamics import forces as shared
from headframe.dynamics import loop_rows as loops
from headframe.dynamics.constrained import basis
from headframe.dynamics.constrained import multipliers as constrained
from headframe.dynamics.constrained import rows as parts
from headframe.dynamics.constrained.motion import ConstrainedMotion
from headframe.dynamics.embedding.motion import EmbeddedMotion
from headframe.dynamics.model import DynamicsModel
from headframe.dynamics.records import POWER, ROW_STATE
from headframe.dynamics.status import STATUSES, DynamicsStatus
from headframe.dynamics.tree.algorithms import crba, rnea
from headframe.jit import new_records
from headframe.mechanism.tree import tree_of
from loop_scenes import (
    Scene,
    bricard,
    energy_error,
    heavy_four_bar,
    n_four_bar,
    point,
    rod,
    slider_crank,
)
from plain_python import run_as_python

G = 9.81
CATALOGUE = ("tcchs", "roadheader", "lhd")
ZOO = ("four_bar", "slewing_telescope", "joint_zoo", "slider_crank", "cardan", "rssr")
SCENES = {
    **{name: lambda name=name: Scene(zoo.machine(name)) for name in (*ZOO, *CATALOGUE)},
    "bricard": lambda: Scene(bricard()),
    "three windows": lambda: Scene(n_four_bar(3)),
    "rotors": lambda: Scene(build.with_rotors(zoo.machine("joint_zoo"))),
    "rotors in a loop": lambda: Scene(build.with_rotors(zoo.machine("slewing_telescope"), 50.0)),
}


def stirred(name, seed=0, guided=0):
    """A scene on its loops in general motion, some rows pushed, some guided."""
    scene = SCENES[name]()
    random = np.random.default_rng(seed)
    scene.v[:] = random.normal(size=scene.tree.nv)
    assert scene.project() == 0
    scene.v *= 0.5 / np.abs(scene.v).max()
    rates = np.zeros_like(scene.q)
    shared.position_rates(scene.packed, scene.q, 0.2 * scene.v, rates)
    scene.q += rates
    assert scene.project() == 0
    scene.drives.pull = random.normal(size=len(scene.drives)) * 100
    scene.drives.now[:guided] = drives.GUIDED
    scene.drives.pull[:guided] /= 100
    return scene


def bias(scene):
    gamma = np.zeros(len(scene.loops))
    scene.place()
    loops.bias(scene.loops, scene.tree.freedoms, scene.v, scene.bodies, gamma)
    return gamma


def residuals(scene):
    phi = np.zeros(len(scene.loops))
    scene.place()
    loops.residuals(scene.loops, scene.q, scene.bodies, phi)
    return phi


def dense(scene):
    """Accelerations and multipliers from the whole linear system, by numpy alone."""
    mechanism, nv = scene.machine.mechanism, scene.tree.nv
    M = crba(mechanism, scene.q)
    tau = -rnea(mechanism, scene.q, scene.v, np.zeros(nv))
    tau -= scene.model.resistances["damping"] * scene.v
    tau -= scene.model.resistances["friction"] * np.tanh(scene.v / 1e-3)
    J, right = scene.jacobian(), -bias(scene)
    for row, drive in zip(scene.model.rows, scene.drives, strict=True):
        if drive.now == drives.GUIDED:
            J = np.vstack([J, np.eye(nv)[row.velocity]])
            right = np.append(right, drive.pull)
        else:
            tau[row.velocity] += drive.pull
    m = len(J)
    # rows in units that make them of like size, so that the rank can be told
    scale = 1.0 / np.sqrt(np.maximum(np.einsum("ij,ij->i", J, J), 1e-12))
    size = np.sqrt(np.diag(M).mean())
    J = J * scale[:, None]
    A = np.block([[M / size**2, -J.T], [J, np.zeros((m, m))]])
    x = np.linalg.lstsq(A, np.concatenate([tau / size**2, scale * right]), rcond=1e-12)[0]
    return x[:nv], x[nv:] * scale * size**2


def kinetic(scene):
    M = crba(scene.machine.mechanism, scene.q)
    return 0.5 * scene.v @ M @ scene.v


# ------------------------------------------------------------------------------- accelerations


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("guided", [0, 1])
def test_accelerations_solve_the_whole_system(name, guided):
    scene = stirred(name, guided=guided)
    if name in ("joint_zoo", "rotors"):
        scene.head.loads.springs[1] = 0  # without its spring, which the dense system has not
    vdot, _ = scene.evaluate()
    wanted, force = dense(scene)
    np.testing.assert_allclose(vdot, wanted, rtol=0, atol=1e-7 * (1 + np.abs(wanted).max()))
    for row in range(min(guided, len(scene.drives))):
        found = scene.drives[row].reaction
        assert found == pytest.approx(force[len(scene.loops) + row], rel=1e-6)
        assert vdot[scene.model.rows[row].velocity] == scene.drives[row].pull


@pytest.mark.parametrize("name", SCENES)
def test_loops_stay_closed_to_second_order(name):
    scene = stirred(name)
    vdot, _ = scene.evaluate()
    J, gamma = scene.jacobian(), bias(scene)
    np.testing.assert_allclose(J @ vdot, -gamma, rtol=0, atol=1e-9 * (1 + np.abs(vdot).max()))


def test_a_closing_hinge_and_a_closing_ball_move_a_plane_linkage_alike():
    """Five rows of a hinge, three of them redundant, and three of a ball, one of them."""
    found = []
    for kind in ("revolute", "spherical"):
        rods = [rod("a"), rod("b", 2.0), rod("c", 1.5)]
        joints = [
            joint("crank", "ground", "a"),
            joint("coupler", "a", "b", at=[1, 0, 0]),
            joint("rocker", "b", "c", at=[2, 0, 0]),
            joint("close_ground", "ground", "c", kind, at=[2.2, 0, 0]),
            joint("close_rocker", "c", "ground", kind, at=[1.5, 0, 0]),
        ]
        scene = Scene(build.machine(joints, links=[{"name": "ground"}, *rods]))
        scene.start(crank=1.0)
        found.append(scene.evaluate()[0])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-10)


@pytest.mark.parametrize("off", [1e-7, 1e-5, 1e-3])
def test_accelerations_are_smooth_where_redundant_loops_hold_only_nearly(off):
    """As in the stages of a step: a fifth row looks independent there, and is not enforced."""
    scene = Scene(bricard())
    scene.run(0.5, 1e-3)
    on_loops, _ = scene.evaluate()
    scene.q += off * np.random.default_rng(0).normal(size=5)
    nearby, _ = scene.evaluate()
    assert np.abs(nearby - on_loops).max() < 20 * off
    if off > 1e-6:
        scene.own.rank = 5
        assert np.abs(scene.evaluate()[0] - on_loops).max() > 0.1


def test_powers_are_forces_times_rates():
    scene = stirred("roadheader", guided=2)
    _, power = scene.evaluate()
    given = sum(
        scene.v[row.velocity] * (drive.reaction if drive.now == drives.GUIDED else drive.pull)
        for row, drive in zip(scene.model.rows, scene.drives, strict=True)
    )
    assert power.drives == pytest.approx(given, rel=1e-12)
    assert (scene.drives.reaction[2:] == 0.0).all()


def test_massless_rods_take_part():
    """The four-bar of the zoo has a massless rod; the whole system is regular all the same."""
    scene = stirred("four_bar")
    assert np.count_nonzero(crba(scene.machine.mechanism, scene.q).diagonal() == 0.0) == 1
    vdot, _ = scene.evaluate()
    np.testing.assert_allclose(vdot, dense(scene)[0], rtol=1e-7, atol=1e-7)


def test_what_nothing_holds_and_nothing_weighs_cannot_be_moved():
    for make in (lambda: zoo.machine("weightless"), build.stewart_platform):
        scene = Scene(make())
        status = scene.status(np.zeros(scene.tree.nv), new_records(1, POWER)[0])
        assert status % STATUSES == DynamicsStatus.NO_INERTIA
        freedom = status // STATUSES
        assert scene.tree.freedoms["body"][freedom, 0] == 0.0


# ---------------------------------------------------------------------------------- projection


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("guided", [0, 1])
def test_projection_closes_positions_and_velocities(name, guided):
    scene = stirred(name, guided=guided)
    random = np.random.default_rng(3)
    rates = np.zeros_like(scene.q)
    shared.position_rates(scene.packed, scene.q, 1e-3 * random.normal(size=scene.v.size), rates)
    scene.q += rates
    shared.normalise(scene.packed, scene.q)
    scene.v += 1e-2 * random.normal(size=scene.v.size)
    kept = [(scene.q[row.position], scene.v[row.velocity]) for row in scene.model.rows[:guided]]
    opened = np.abs(residuals(scene)).max(initial=0.0)
    assert scene.project() == 0
    assert opened > 1e-4
    assert np.abs(residuals(scene)).max() < 1e-12
    assert np.abs(scene.jacobian() @ scene.v).max() < 1e-12
    for row, (position, rate) in zip(scene.model.rows, kept, strict=False):
        assert (scene.q[row.position], scene.v[row.velocity]) == (position, rate)


@pytest.mark.parametrize("name", ["bricard", "tcchs", "rssr"])
def test_velocities_change_as_little_as_can_be(name):
    """By M dv = J^T lambda: no other change of least kinetic energy closes the rows."""
    scene = stirred(name)
    before = scene.v.copy()
    before += np.random.default_rng(4).normal(size=before.size)
    scene.v[:] = before
    assert scene.project() == 0
    push = crba(scene.machine.mechanism, scene.q) @ (scene.v - before)
    J = scene.jacobian()
    rest = push - J.T @ np.linalg.lstsq(J.T, push, rcond=1e-10)[0]
    assert np.abs(rest).max() < 1e-9 * np.abs(push).max()


@pytest.mark.parametrize("off", [0.0, 1e-12, 1e-9, 1e-7, 1e-5])
def test_a_singular_pose_is_left_as_it_is(off):
    """Flat parallelograms: rows are nearly lost, and no state is thrown away for their sake."""
    scene = Scene(n_four_bar(3), at_zero=True)
    scene.q[:] = np.array([1, 1, 1, 1, -1, -1, -1]) * (0.5 * np.pi - off)
    scene.v[:] = [1, 1, 1, 1, -1, -1, -1]
    scene.q += 1e-14 * np.random.default_rng(0).normal(size=7)
    q, v = scene.q.copy(), scene.v.copy()
    assert scene.project() == 0
    np.testing.assert_allclose(scene.q, q, atol=1e-6)
    np.testing.assert_allclose(scene.v, v, atol=1e-3)
    vdot, _ = scene.evaluate()
    assert np.abs(vdot).max() < 100.0


def test_loops_that_cannot_be_closed_are_told():
    scene = Scene(heavy_four_bar((2.2, 1.0, 2.0, 1.5)))
    scene.loops["point_b"] += 10.0  # the pivot far out of reach
    status = scene.project()
    assert status % STATUSES == DynamicsStatus.NO_CLOSURE
    assert 0 <= status // STATUSES < len(scene.loops)


def test_loops_hold_against_drives_that_contradict_each_other():
    """Two joints of one four-bar guided to speeds that do not fit."""
    limit = {"lower": -4, "upper": 4}
    scene = Scene(
        build.machine(
            [
                joint("crank", "ground", "a", limit=limit),
                joint("coupler", "a", "b", at=[1, 0, 0], limit=limit),
                joint("rocker", "b", "c", at=[2, 0, 0]),
                joint("close_ground", "ground", "c", at=[2.2, 0, 0]),
                joint("close_rocker", "c", "ground", at=[1.5, 0, 0]),
            ],
            links=[{"name": "ground"}, rod("a"), rod("b", 2.0), rod("c", 1.5)],
        )
    )
    scene.drives.now = drives.GUIDED
    scene.drives.pull = 1.0, 7.0
    vdot, _ = scene.evaluate()
    np.testing.assert_allclose(scene.jacobian() @ vdot, -bias(scene), atol=1e-12)
    assert np.isin(vdot[:2], [1.0, 7.0]).sum() == 1


# --------------------------------------------------------------------------------------- stops


@pytest.mark.parametrize("name", ["roadheader", "tcchs", "four_bar"])
@pytest.mark.parametrize("guided", [0, 1])
def test_a_stop_takes_the_energy_it_says(name, guided):
    scene = stirred(name, guided=guided)
    mask = np.zeros(len(scene.drives))
    mask[-1] = 1.0
    before, rates = kinetic(scene), scene.v.copy()
    status, lost, done = constrained.arrest(
        scene.packed, scene.q, scene.v, mask, scene.drives, True, scene.work
    )
    assert status == 0
    assert scene.v[scene.model.rows[-1].velocity] == 0.0
    assert np.abs(scene.jacobian() @ scene.v).max() < 1e-12
    assert before - kinetic(scene) == pytest.approx(lost - done, rel=1e-9, abs=1e-12 * before)
    assert lost > 0.0
    moved = scene.v - rates
    if guided and len(mask) > 1:
        assert moved[scene.model.rows[0].velocity] == 0.0
        assert done != 0.0
    else:
        assert done == 0.0
    # nothing but loops, guides and the stop may push
    J = np.vstack([scene.jacobian(), np.eye(scene.tree.nv)[scene.model.rows[-1].velocity]])
    if guided:
        J = np.vstack([J, np.eye(scene.tree.nv)[scene.model.rows[0].velocity]])
    push = crba(scene.machine.mechanism, scene.q) @ moved
    rest = push - J.T @ np.linalg.lstsq(J.T, push, rcond=1e-10)[0]
    assert np.abs(rest).max() < 1e-6 * np.abs(push).max()


def test_a_locked_cylinder_holds():
    scene = Scene(headframe.load("tcchs"))
    scene.drives.now = drives.GUIDED
    scene.drives.pull = 0.0
    q = scene.q.copy()
    out = scene.run(2.0, 2e-3)
    for row in scene.model.rows:
        assert scene.q[row.position] == q[row.position]
    np.testing.assert_allclose(scene.q, q, atol=1e-12)
    assert out[:, 0].max() < 1e-18


def test_rows_and_the_trees_state_are_the_coordinates():
    scene = stirred("roadheader")
    states = new_records(len(scene.drives), ROW_STATE)
    constrained.read_rows(scene.packed, scene.q, scene.v, scene.work, states)
    for row, found in zip(scene.model.rows, states, strict=True):
        assert (found.position, found.rate) == (scene.q[row.position], scene.v[row.velocity])
    q, v = np.zeros_like(scene.q), np.zeros_like(scene.v)
    constrained.tree_state(scene.packed, scene.q, scene.v, scene.work, q, v)
    assert (q == scene.q).all()
    assert (v == scene.v).all()


# -------------------------------------------------------------------------------- closed forms


def test_slider_crank_follows_its_equation_of_motion():
    """With x the slider's place, b the rod's angle: m(a) a'' + m'(a) a'^2 / 2 + V'(a) = 0."""
    r, l, crank, rod_mass, slider = 0.3, 1.0, 2.0, 3.0, 4.0

    def terms(a):
        """Inertia that the crank feels, its derivative by a, and the derivative of V."""
        # z is down for a > 0 about y; sin b = -(r / l) sin a
        c, s = np.cos(a), np.sin(a)
        root = np.sqrt(l * l - r * r * s * s)
        x1 = -r * s - r * r * s * c / root
        x2 = -r * c - r * r * (c * c - s * s) / root - r**4 * s * s * c * c / root**3
        b1 = -r * c / root
        b2 = r * s / root - r**3 * c * c * s / root**3
        # centre of the rod: halfway between the crank's pin and the slider
        gx1, gz1 = 0.5 * (-r * s + x1), -0.5 * r * c
        gx2, gz2 = 0.5 * (-r * c + x2), 0.5 * r * s
        m = crank * r * r / 3 + slider * x1 * x1
        m += rod_mass * (gx1 * gx1 + gz1 * gz1 + l * l / 12 * b1 * b1)
        m1 = 2 * slider * x1 * x2
        m1 += 2 * rod_mass * (gx1 * gx2 + gz1 * gz2 + l * l / 12 * b1 * b2)
        return m, m1, G * (crank * -0.5 * r * c + rod_mass * gz1)

    def rate(_, y):
        m, m1, V1 = terms(y[0])
        return [y[1], -(0.5 * m1 * y[1] ** 2 + V1) / m]

    scene = Scene(slider_crank(r, l, crank, rod_mass, slider))
    scene.start(crank=2.0)
    start = scene.q[scene.position("crank")]
    out = scene.run(5.0, 5e-4)
    wanted = solve_ivp(rate, (0, 5), [start, 2.0], method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    assert scene.q[scene.position("crank")] == pytest.approx(wanted[0], abs=1e-9)
    assert scene.v[scene.velocity("crank")] == pytest.approx(wanted[1], abs=5e-9)
    assert out[:, 2].max() < 1e-12
    assert energy_error(out) < 1e-9


def test_four_bar_keeps_its_energy_and_stays_closed():
    """It drops through its dead centres' neighbourhood many times."""
    scene = Scene(heavy_four_bar((2.2, 1.0, 2.0, 1.5)))
    scene.start(crank=5.0)
    out = scene.run(10.0, 1e-3)
    assert out[:, 2].max() < 1e-12
    assert energy_error(out) < 1e-7
    assert np.ptp(out[:, 0]) > 1.0


def test_energy_error_falls_with_the_fourth_power_of_the_step():
    errors = []
    for h in (4e-3, 2e-3):
        scene = Scene(heavy_four_bar((2.2, 1.0, 2.0, 1.5)))
        scene.start(crank=5.0)
        errors.append(energy_error(scene.run(1.0, h)))
    assert 3.7 < np.log2(errors[0] / errors[1]) < 5.5


def test_double_pendulum_is_the_closed_form():
    """Point masses 1 and 2 kg on bars of 1 and 0.7 m; no loop at all."""
    m1, m2, l1, l2 = 1.0, 2.0, 1.0, 0.7

    def rate(_, y):
        # absolute angles from the downward vertical
        a, b, da, db = y
        c, s = np.cos(a - b), np.sin(a - b)
        M = np.array([[(m1 + m2) * l1 * l1, m2 * l1 * l2 * c], [m2 * l1 * l2 * c, m2 * l2 * l2]])
        f = np.array([
            -m2 * l1 * l2 * s * db * db - (m1 + m2) * G * l1 * np.sin(a),
            m2 * l1 * l2 * s * da * da - m2 * G * l2 * np.sin(b),
        ])  # fmt: skip
        return [da, db, *np.linalg.solve(M, f)]

    scene = Scene(
        build.machine(
            [joint("upper", "ground", "a"), joint("lower", "a", "b", at=[0, 0, -l1])],
            links=[{"name": "ground"}, point("a", [0, 0, -l1], m1), point("b", [0, 0, -l2], m2)],
            home={"joints": {"upper": 1.0, "lower": 0.5}},
        )
    )
    out = scene.run(3.0, 1e-3)
    y = solve_ivp(rate, (0, 3), [1.0, 1.5, 0, 0], method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(scene.q, [y[0], y[1] - y[0]], atol=1e-8)
    assert energy_error(out) < 1e-8


def test_work_of_a_cylinders_force_is_the_energy_gained():
    jack = actuator("jack", ("ground", (0.5, 0, -0.5)), ("boom", (1, 0, 0)), (0.2, 3.0))
    scene = Scene(
        build.machine(
            [joint("swing", "ground", "boom", damping=3.0)],
            [{**jack, "tube": "tube", "rod": "rod"}],
            links=[{"name": "ground"}, rod("boom", 2.0, 10.0), rod("tube"), rod("rod")],
            home={"joints": {"swing": -0.3}},
        )
    )
    scene.drives[0].pull = 150.0
    out = scene.run(2.0, 1e-3)
    assert energy_error(out) < 1e-7
    assert np.abs(out[:, 3]).max() > 10.0
    assert out[:, 2].max() < 1e-12


@pytest.mark.parametrize(
    ("name", "seconds", "stops"),
    [("roadheader", 0.3, True), ("sths", 0.3, False), ("lhd", 1.5, True)],
)
def test_loop_embedding_makes_the_same_motion(name, seconds, stops):
    """Another formulation in other coordinates; two of the machines drop onto their stops."""
    machine = headframe.load(name)
    model = DynamicsModel(tree_of(machine.mechanism), machine.kinematics, machine.home)
    embedded, tied = EmbeddedMotion(model, 1e-3, by_lengths=False), ConstrainedMotion(model, 1e-3)
    for motion in (embedded, tied):
        motion.run(round(seconds / 1e-3))
    np.testing.assert_allclose(tied.q, embedded.q, atol=1e-9)
    np.testing.assert_allclose(tied.v, embedded.v, atol=1e-8)
    np.testing.assert_allclose(tied.work_done(), embedded.work_done(), rtol=1e-8, atol=1e-6)
    assert (tied.work_done().stops < -1.0) == stops
    assert np.abs(tied.q - model.tree.positions(machine.home)).max() > 1e-3


def test_loops_hold_though_steps_are_too_long():
    """Steps of a twentieth of a turn: the motion is wrong, its loops are not."""
    scene = Scene(heavy_four_bar((2.2, 1.0, 2.0, 1.5)))
    scene.start(crank=5.0)
    out = scene.run(600.0, 0.05)
    assert out[:, 2].max() < 1e-12


# ---------------------------------------------------------------------------------- as written


@pytest.mark.parametrize("name", ["four_bar", "rotors in a loop"])
def test_kernels_run_as_python(name, monkeypatch):
    """Compiled and plain, the same numbers."""
    scene = stirred(name, guided=1)
    vdot, _ = scene.evaluate()
    run_as_python(monkeypatch, constrained, parts, basis, loops, driven_rows)
    np.testing.assert_allclose(scene.evaluate()[0], vdot, rtol=1e-9, atol=1e-9)
    scene.q += 1e-4
    assert scene.project() == 0
    assert np.abs(residuals(scene)).max() < 1e-12
    mask = np.zeros(len(scene.drives))
    status, _, _ = constrained.arrest(
        scene.packed, scene.q, scene.v, mask, scene.drives, True, scene.work
    )
    assert status == 0
