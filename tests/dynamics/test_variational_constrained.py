"""The variational integrator for the constrained tree: symplectic on the loops."""

import numpy as np
import pytest

import headframe as hf
from build import with_rotors
from crosscheck import zoo
from headframe.actuation import guiding as drives
from headframe.bench.mechanisms import spinning_top
from headframe.dynamics import driven_rows, forces
from headframe.dynamics.forces import normalise
from headframe.dynamics.loop_rows import residuals
from headframe.dynamics.records import POWER
from headframe.dynamics.variational import constrained as kernels
from headframe.jit import new_records
from loop_scenes import Scene, bricard, heavy_four_bar, n_four_bar
from moving import boom, changed, crane, loaded, skew_boom, slider_crank, standing_on

GRASHOF = (2.2, 1.0, 2.0, 1.5)  # its crank goes round


def simulated(one, step, seconds=0.0, integrator="variational", **fields):
    sim = hf.Simulation(one, "constrained", integrator, step=step, **fields)
    sim.run(seconds)
    return sim


def turning():
    """A four-bar whose crank starts at 3 rad/s."""
    return heavy_four_bar(GRASHOF), {"velocity": [3.0, 0.0, 0.0]}


def tilted_top():
    """A heavy top on a spherical joint, tilted and spinning."""
    one = spinning_top()
    tilted = hf.State(one.mechanism, np.array([np.cos(0.2), np.sin(0.2), 0.0, 0.0]))
    return one, {"start": tilted, "velocity": [1.0, 2.0, 30.0]}


def tumbling(kind="free"):
    """A boom and its cylinder on a base that flies or turns freely."""
    one = standing_on(boom(), kind)
    velocity = np.zeros(hf.Simulation(one, "constrained").v.size)
    below = one.mechanism.velocity_of_joint["below"]
    velocity[below] = (0.5, -1.0, 1.7, 0.1, 0.2, 0.3)[: below.stop - below.start]
    velocity[one.mechanism.velocity_of_joint["lift"]] = 0.4
    return one, {"velocity": velocity}


def two_arms():
    """Two arms with a cylinder each, out of their hinges' planes."""
    velocity = np.zeros(hf.Simulation(skew_boom(), "constrained").v.size)
    velocity[:2] = 0.3, -0.2
    return skew_boom(), {"velocity": velocity}


MOVING = {
    "four-bar": turning,
    "two arms": two_arms,
    "top": tilted_top,
    "on a spherical joint": lambda: tumbling("spherical"),
    "on a free joint": tumbling,
}


# ------------------------------------------------------------------------------------------- order


@pytest.mark.parametrize("name", MOVING)
def test_second_order(name):
    one, fields = MOVING[name]()
    seconds = 0.08 if name == "two arms" else 0.2
    exact = simulated(one, 1e-3, seconds, "rk6", **fields)
    errors = []
    for step in (4e-3, 2e-3, 1e-3):
        sim = simulated(one, step, seconds, **fields)
        assert sim.energy().stops == 0.0
        errors.append(np.abs(np.concatenate([sim.q - exact.q, sim.v - exact.v])).max())
    assert errors[0] > 1e-8
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 2.0, atol=0.05)


@pytest.mark.parametrize("coordinates", ["lengths", "variables"])
def test_embedded_loops_make_the_same_motion_to_second_order(coordinates):
    apart = []
    for step in (2e-3, 1e-3):
        sim = hf.Simulation(
            boom(), "embedded", "variational", step=step, coordinates=coordinates, gravity=2.0
        )
        sim.run(0.1)
        apart.append(np.abs(sim.q - simulated(boom(), step, 0.1, gravity=2.0).q).max())
    assert 1e-12 < apart[0] < 1e-5
    assert apart[1] == pytest.approx(0.25 * apart[0], rel=0.05)


# -------------------------------------------------------------------------------------- symplectic


def canonical(one, q, v):
    """Positions and their momenta; of a quaternion the momentum 2 q (0, p), p of the body rates."""
    p = hf.crba(one.mechanism, q) @ v
    found, at_v, at_q = [], 0, 0
    quats = sorted(
        one.mechanism.position_of_joint[joint.name].start
        for joint in one.robot.joints
        if joint.type in ("spherical", "free")
    )
    while at_v < p.size:
        if at_q in quats:
            w, u = q[at_q], q[at_q + 1 : at_q + 4]
            m = p[at_v : at_v + 3]
            found += [-2.0 * u @ m, *(2.0 * (w * m + np.cross(u, m)))]
            at_q, at_v = at_q + 4, at_v + 3
        else:
            found.append(p[at_v])
            at_q, at_v = at_q + 1, at_v + 1
    return np.concatenate([q, found])


def area(one, ends):
    """The symplectic form dq ^ dp of two variations, each given by its two ends."""
    a, b = (canonical(one, *up) - canonical(one, *down) for up, down in ends)
    n = a.size // 2
    return a[:n] @ b[n:] - a[n:] @ b[:n]


@pytest.mark.parametrize("name", MOVING)
def test_areas_in_phase_space_are_kept(name):
    """dq ^ dp of variations along the loops, before and after a long step."""
    one, fields = MOVING[name]()
    changes = {}
    for integrator in ("variational", "midpoint"):
        sim = simulated(one, 2e-2, integrator=integrator, **fields)
        engine, random = sim._engine, np.random.default_rng(3)
        q0, v0, size = sim.q, sim.v, 1e-4
        before, after = [], []
        for _ in range(2):
            dq, dv = random.normal(size=q0.size), random.normal(size=v0.size)
            pair, moved = [], []
            for sign in (size, -size):
                q = q0 + sign * dq
                normalise(engine.packed, q)
                engine.set_state(q, v0 + sign * dv)
                pair.append((sim.q, sim.v))
                sim.step()
                moved.append((sim.q, sim.v))
            before.append(pair)
            after.append(moved)
        assert sim.energy().stops == 0.0
        first = area(one, before)
        changes[integrator] = abs(area(one, after) / first - 1.0)
    assert changes["variational"] < 1e-6
    assert changes["midpoint"] > 10.0 * changes["variational"]


@pytest.mark.parametrize("name", MOVING)
def test_it_goes_back_the_way_it_came(name):
    one, fields = MOVING[name]()
    sim = simulated(one, 4e-3, **fields)
    q0, v0 = sim.q, sim.v
    sim.step(20)
    away = sim.q
    sim._engine.velocities[:] *= -1.0
    sim.step(20)
    assert np.abs(away - q0).max() > 1e-2
    np.testing.assert_allclose(sim.q, q0, atol=1e-10)
    np.testing.assert_allclose(sim.v, -v0, atol=1e-8)


def drift(one, integrator, step, steps, **fields):
    """The largest error of energy in every tenth of a motion [J]."""
    sim = simulated(one, step, integrator=integrator, **fields)
    worst = np.zeros(10)
    for tenth in range(10):
        for _ in range(100):
            sim.step(steps // 1000)
            worst[tenth] = max(worst[tenth], abs(sim.energy().balance))
    return worst


def test_energy_does_not_drift():
    """A hundred thousand steps of a fiftieth of a second: 2000 s, some 1500 turns of the crank."""
    one, fields = turning()
    kept, lost = (drift(one, name, 2e-2, 100_000, **fields) for name in ("variational", "rk4"))
    assert kept.max() < 0.5
    assert kept[1:].max() < 1.05 * kept[0]
    assert (np.diff(lost) > 0.1).all()
    assert lost[-1] > 10.0 * kept.max()


def test_energy_of_a_top_does_not_drift():
    one, fields = tilted_top()
    kept, lost = (drift(one, name, 1e-2, 50_000, **fields) for name in ("variational", "rk4"))
    assert kept[1:].max() < 1.1 * kept[0]
    assert lost[-1] > 10.0 * kept.max()


# ------------------------------------------------------------------------------------------- loops


def closure(sim, scene):
    """The largest residual of the loops, and the largest rate of one."""
    scene.q[:], scene.v[:] = sim.q, sim.v
    phi = np.zeros(len(scene.loops))
    scene.place()
    residuals(scene.loops, scene.q, scene.bodies, phi)
    return np.abs(phi).max(), np.abs(scene.jacobian() @ scene.v).max()


@pytest.mark.parametrize("name", ["crane", "roadheader", "tcchs", "rssr", "bricard"])
def test_loops_are_closed_after_every_step(name):
    one = {"crane": crane, "bricard": bricard}.get(name, lambda: zoo.machine(name))()
    sim, scene = simulated(one, 2e-3), Scene(one)
    for _ in range(60):
        sim.step()
        gap, rate = closure(sim, scene)
        assert gap < 1e-12
        assert rate < 1e-12 * (1.0 + np.abs(sim.v).max())
    assert np.abs(sim.v).max() > 0.01


@pytest.mark.parametrize("name", ["peaucellier", "bricard"])
def test_redundant_loops(name):
    one = bricard() if name == "bricard" else loaded(name)
    errors = []
    for step in (4e-3, 2e-3):
        sim = simulated(one, step, 1.0)
        errors.append(abs(sim.energy().balance))
        assert closure(sim, Scene(one))[0] < 1e-12
    np.testing.assert_allclose(
        simulated(one, 1e-3, 0.2).q, simulated(one, 1e-3, 0.2, "rk4").q, atol=1e-5
    )
    assert errors[0] < 0.02
    assert errors[1] < 0.3 * errors[0]


def uneven_windows():
    """IFToMM A02 with rods of unlike weight, so that nothing is held by symmetry."""

    def change(content):
        for link, factor in zip(content["links"][1:], (3.0, 0.5, 1.0, 2.0, 0.7), strict=True):
            inertial = link["inertial"]
            inertial["mass"] *= factor
            inertial["inertia"] = (factor * np.array(inertial["inertia"])).tolist()

    return changed(n_four_bar(2), change)


@pytest.mark.parametrize("step", [1e-3, 1e-2])
def test_singular_poses_are_passed(step):
    """Flat about every 0.4 to 1.3 s; the error stays what it was, and no window folds."""
    one, velocity = uneven_windows(), [1.0, 1.0, 1.0, -1.0, -1.0]
    worst = drift(one, "variational", step, 10_000, velocity=velocity)
    assert worst.max() < 120.0 * step**2
    assert worst[1:].max() < 1.05 * worst[0]
    assert np.ptp(simulated(one, step, 10.0, velocity=velocity).q[:3]) < 1e-9


def test_steps_that_end_near_a_singular_pose():
    """However near; the first one begins in it."""
    random, one = np.random.default_rng(1), uneven_windows()
    velocity = np.array([3.0, 3.0, 3.0, -3.0, -3.0])
    for n in range(20):
        tilt = 0.5 * np.pi if n == 0 else random.uniform(0.0, 1.5)
        sim = simulated(one, random.uniform(1e-3, 1e-2))
        start = np.array([tilt, tilt, tilt, -tilt, -tilt])
        sim._engine.set_state(start, velocity)
        first = sum(sim._engine.energy())
        sim.run(2.0)
        assert sum(sim._engine.energy()) == pytest.approx(first, abs=120.0 * sim.step_size**2)
        assert np.ptp(sim.q[:3]) < 1e-6


# ------------------------------------------------------------------------------- drives and forces


def test_a_locked_cylinder_holds():
    one = slider_crank()
    sim = simulated(one, 1e-3)
    sim.command({"link": hf.locked()})
    start = sim.cylinder("link").length
    sim.run(1.0)
    assert abs(sim.cylinder("link").length - start) < 1e-12
    assert sim.cylinder("link").speed == 0.0
    assert abs(sim.energy().balance) < 1e-4
    assert sim.energy().drives == pytest.approx(0.0, abs=1e-12)


def test_a_guided_cylinder_moves_as_told_and_reports_its_force():
    one = loaded("roadheader")
    forces, works = [], []
    for integrator in ("variational", "rk4"):
        sim = simulated(one, 1e-3, integrator=integrator)
        sim.command({name: hf.locked() for name in one.robot.group_names})
        sim.command({"boom": hf.speed(0.05)})
        sim.run(0.5)
        assert sim.cylinder("boom").speed == pytest.approx(0.05, abs=1e-12)
        forces.append(sim.forces["boom"])
        works.append(sim.energy().drives)
    assert forces[0] == pytest.approx(forces[1], rel=1e-3)
    assert works[0] == pytest.approx(works[1], rel=1e-4)


def test_work_is_the_energy_gained_to_second_order():
    """Springs, damping, dry friction, a cylinder's force, a guided joint and a pull."""
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        sim = simulated(crane(), step)
        sim.command({"ram": hf.force(600.0)})
        sim.apply("hand", [0.0, 2.0, 1.0, 30.0, 10.0, 20.0])
        sim.run(0.15)
        found = sim.energy()
        assert min(abs(found.drives), abs(found.dampers), abs(found.pulls)) > 1.0
        assert found.stops == 0.0
        errors.append(abs(found.balance))
    np.testing.assert_allclose(np.log2(np.array(errors[:-1]) / errors[1:]), 2.0, atol=0.1)


@pytest.mark.parametrize("name", ["five_link_chain", "gripper"])
def test_dry_friction_is_no_obstacle(name):
    """It turns within 1e-3 of a unit of speed, far less than a step changes."""
    one = loaded(name)
    errors = [abs(simulated(one, step, 0.5).energy().balance) for step in (2e-3, 1e-3)]
    assert errors[0] < 5e-3
    assert errors[1] < 0.3 * errors[0]
    ends = [simulated(one, 1e-4, 0.1, name) for name in ("variational", "rk6")]
    np.testing.assert_allclose(ends[0].q, ends[1].q, atol=5e-5)


def test_stops_hold():
    sims = [simulated(loaded("lhd"), 1e-3, 1.5, name) for name in ("variational", "rk4")]
    np.testing.assert_allclose(sims[0].q, sims[1].q, atol=1e-6)
    assert sims[0].energy().stops < -1.0
    assert sims[0].energy().stops == pytest.approx(sims[1].energy().stops, rel=1e-5)


def test_a_row_that_leaves_its_stop_while_the_base_turns():
    """Where a step's error is larger than the way that the row has gone from its stop."""
    one, fields = tumbling("spherical")
    for step in (5e-3, 2e-3):
        sim = simulated(one, step, 60.0, **fields)
        assert sim.energy().stops < -1.0
        assert abs(sim.energy().balance) < 1e4 * step**2


def test_a_step_that_is_too_long_is_told():
    one, fields = turning()
    with pytest.raises(hf.DynamicsError, match=r"converge|close|finite"):
        simulated(one, 2.0, 100.0, **fields)


# -------------------------------------------------------------------------------------- as written


# modules whose kernels run as Python where the step calls them
PLAIN = (kernels.__name__, driven_rows.__name__, forces.__name__)


def test_kernels_run_as_python(monkeypatch):
    """Compiled and plain, the same numbers."""
    ends = []
    for plain in (False, True):
        scene = Scene(with_rotors(standing_on(crane(), "spherical"), 50.0))
        scene.v[:] = np.random.default_rng(0).normal(size=scene.tree.nv)
        scene.drives[0].now = drives.GUIDED
        scene.drives[0].pull = 0.3
        assert scene.project() == 0
        if plain:
            for name, value in list(vars(kernels).items()):
                if getattr(value, "__module__", "") in PLAIN:
                    monkeypatch.setattr(kernels, name, getattr(value, "py_func", value))
        flow = new_records(1, POWER)[0]
        place = driven_rows.rows_of.py_func(scene.packed)[0].velocity
        rate = scene.v[place]
        status = kernels.constrained_variational_step(
            scene.packed, 1e-3, scene.q, scene.v, scene.drives, scene.pulls, scene.work, flow
        )
        assert status == 0
        assert scene.v[place] == pytest.approx(rate + 0.3e-3, abs=1e-15)
        ends.append(np.concatenate([scene.q, scene.v, [*flow], scene.drives.reaction]))
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-9, atol=1e-9)
