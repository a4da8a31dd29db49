"""The bench of dynamics: what it measures, judges and writes. Never how long anything takes."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import typer
from quiet import Quiet
from typer.testing import CliRunner

import headframe
from headframe.bench import command, pages, timing
from headframe.bench.command import register
from headframe.bench.dynamics import (
    algorithms,
    arms,
    drift,
    evaluations,
    grasping,
    holding,
    iftomm,
    impulses,
    lifting,
    rates,
    report,
    stiffening,
)
from headframe.bench.dynamics.plots import PlotCurve, PlotPanel, draw_panels
from headframe.bench.dynamics.scenes import command_all, lossless, simulation
from headframe.bench.goals import Goal
from headframe.bench.section import PEERS, BenchSettings, ReportSection, peer
from headframe.dynamics.records import POWER
from headframe.jit import Packing

ALONE = BenchSettings.quick(())


@pytest.fixture(scope="module", autouse=True)
def few_passes():
    """Times do not matter here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timing, "KERNEL_PASSES", 2)
        patch.setattr(arms, "PASSES", 1)
        yield


def rows_of(text):
    """Cells of all rows of the Markdown tables in a text, headers and rules included."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


class Counter:
    """A motion of which everything is known: energy 5 + n / 8 after n steps, until it breaks."""

    def __init__(self, breaks=10**9, place=lambda n: np.eye(4)):
        self.steps, self.breaks, self.place = 0, breaks, place

    @property
    def time(self):
        return self.steps * drift.STEP

    def step(self, n):
        self.steps = min(self.steps + n, self.breaks)
        if self.steps == self.breaks:
            raise headframe.DynamicsError("it broke", "boom", self.time, ())

    def energy(self):
        return SimpleNamespace(total=5.0 + self.steps / 8, kinetic=self.steps / 8)

    def pose(self, link):
        return self.place(self.steps)


# ------------------------------------------------------------------- shared


def test_a_machine_without_losses():
    machine = lossless(headframe.load("roadheader"))
    assert {joint.damping for joint in machine.joints} == {0.0}
    assert {motor.torque for motor in machine.robot.motors} == {0.0}
    assert any(joint.damping > 0.0 for joint in headframe.load("roadheader").joints)


def test_a_formulation_that_refuses_is_left_out_with_a_line():
    progress = Quiet()
    assert simulation(progress, headframe.load("peaucellier"), "embedded") is None
    (line,) = progress.lines
    assert line.startswith("peaucellier: loop embedding is left out: ")


def test_a_peer_that_is_missing_is_left_out_with_a_line(monkeypatch):
    progress = Quiet()
    monkeypatch.setitem(PEERS, "drake", ("Drake", "no_such_module"))
    assert peer("drake", BenchSettings(), progress) is None
    assert progress.lines[0].startswith("Drake is left out: ")
    assert peer("drake", ALONE, progress) is None  # not wanted: no line
    assert len(progress.lines) == 1


def test_the_command_offers_all_peers_and_parts():
    assert ",".join(report.DYNAMICS_PEERS) == command.DYNAMICS_PEERS
    assert ",".join(report.DYNAMICS_PAGE.parts) == command.DYNAMICS_PARTS


# --------------------------------------------------------------- algorithms


def test_algorithms_agree_with_pinocchio():
    pytest.importorskip("pinocchio")
    found = algorithms.compare([7, 9], 2, BenchSettings(), Quiet())
    assert [(one.algorithm, one.joints) for one in found] == [
        (name, n) for n in (7, 9) for name in ("RNEA", "CRBA", "ABA")
    ]
    assert all(one.difference < 1e-12 for one in found)
    assert all(min(one.out, one.fresh, one.peer) > 0.0 for one in found)
    wanted = algorithms.goals(found)
    assert [goal.wanted for goal in wanted] == [1e-10] + [1.0, 1.5] * 3  # none for 9 joints
    assert wanted[0].holds


def test_a_difference_is_seen():
    order = np.array([2, 0, 1])
    tau = np.array([1.0, -4.0, 2.0])
    assert algorithms._apart(tau, tau[order], order) == 0.0
    assert algorithms._apart(tau, tau[order] + [0.0, 0.0, 1e-3], order) == pytest.approx(2.5e-4)
    M = np.arange(9.0).reshape(3, 3)
    turned = M[np.ix_(order, order)]
    turned[2, 0] += 1.0  # below the diagonal, which Pinocchio leaves as it was
    assert algorithms._apart(M, turned, order) == 0.0


def test_algorithms_without_a_peer(tmp_path):
    found = algorithms.compare([7], 1, ALONE, Quiet())
    assert {goal.verdict for goal in algorithms.goals(found)} == {"not measured"}
    section = algorithms.section(found, tmp_path)
    assert section.figures[0].stat().st_size > 5_000


# -------------------------------------------------------------------- rates


def test_evaluations_are_those_of_a_step():
    """Compiled and as plain Python: the last row's accelerations, by v += h a."""
    sim = headframe.Simulation(headframe.load("lhd"), "embedded", "semi-implicit", step=1e-3)
    engine = sim._engine
    q, v = rates.states_near(engine.coordinates, engine.velocities.size)
    answers = []
    for function in (evaluations.evaluations, evaluations.evaluations.py_func):
        vdot, power = np.zeros(v.shape[1]), Packing(POWER).buffer()
        rest = engine.drives, engine.pulls, engine.work, vdot, power
        assert function(engine.calls, engine.packed, q, v, *rest) == 0
        answers.append(vdot)
    engine.coordinates[:], engine.velocities[:] = q[-1], v[-1]
    sim.step(1)
    assert np.abs(answers[0]).max() > 1e-3
    assert answers[0] == pytest.approx((engine.velocities - v[-1]) / 1e-3, rel=1e-9)
    assert answers[1] == pytest.approx(answers[0], rel=1e-12)


def test_rates(tmp_path):
    found = rates.compare(["lhd", "peaucellier"], 5, ALONE, progress := Quiet())
    (lhd,) = found.machines
    assert lhd.name == "lhd"
    assert lhd.freedoms == (2, headframe.Simulation(headframe.load("lhd")).q.size)
    assert lhd.rate == pytest.approx(1e6 / lhd.kernel)
    assert lhd.factor == pytest.approx(1e3 / lhd.step)
    assert "peaucellier" in progress.lines[0]  # it has no loops that can be embedded
    assert [one.key for one in found.arms] == ["steps", "loop"]
    assert found.arms[1].apart == 0.0
    assert [goal.verdict for goal in rates.goals(found)] == ["not measured"] * 2
    text = "\n".join(rates.section(found, tmp_path).text)
    assert "| lhd | 2 |" in text


@pytest.mark.parametrize("key", ["mujoco", "pinocchio", "pybullet", "drake"])
def test_the_arms_of_the_peers_fall_as_ours(key):
    pytest.importorskip(PEERS[key][1])
    found = arms.step_arms(2, BenchSettings((key,)), Quiet())
    assert len(found) > 2
    assert all(one.apart < 1e-9 for one in found)


# ------------------------------------------------------------------ lifting


def test_position_errors_are_those_of_the_paper():
    """A head at distance 2 that comes closer by a millimetre a step."""
    at = {"n": 0}

    def advance(n):
        at["n"] += n
        if at["n"] > 4:
            raise headframe.DynamicsError("it broke", "boom", 0.0, ())

    steps, errors, stopped = lifting.errors_of(
        6, np.array([0.0, 0.0, 1.0]), advance, lambda: np.array([2.0 - 1e-3 * at["n"], 0.0, 1.0])
    )
    assert steps.tolist() == [1, 2, 3, 4]
    assert errors == pytest.approx([100 * 1e-3 * n / (2 - 1e-3 * n) for n in (1, 2, 3, 4)])
    assert stopped == "it broke"


def test_the_boom_is_raised_without_error():
    machine = headframe.load("roadheader")
    sim = headframe.Simulation(machine, "embedded")
    found = lifting.lift("ours", sim, 40)
    assert found.steps[-1] == 40
    assert found.errors.max() < 1e-10
    assert found.frame > 0.0
    assert sim.cylinder("boom").length > machine.home.lengths[2] + 1e-5
    assert abs(sim.cylinder("telescope").speed) < 1e-12


def test_goals_of_the_raised_boom():
    """No more than rounding where loops hold exactly, and less than all others."""
    exact, soft = lifting.EXACT[0], "PyBullet, maximal coordinates"

    def lift(name, *errors):
        return lifting.Lift(name, np.arange(len(errors)) + 1.0, np.array(errors), 1.0)

    goals = lifting.goals([lift(exact, 1e-14, 2e-13), lift(soft, 1e-3, 1e-2)])
    assert [goal.holds for goal in goals] == [True, True]
    goals = lifting.goals([lift(exact, 1e-2), lift(soft, 1e-3)])
    assert [goal.holds for goal in goals] == [False, False]


def test_bullets_boom_follows_and_its_error_is_not_zero():
    bullet = pytest.importorskip("pybullet")
    from headframe.bench.dynamics.bullet import BulletBoom

    machine = headframe.load("roadheader")
    boom = BulletBoom(bullet, machine, 1e-3)
    for name in BulletBoom.BODIES:
        assert boom.pose(name) == pytest.approx(machine.home.pose(name), abs=1e-6)
        mass = boom.client("getDynamicsInfo", boom.members[name].number, -1)[0]
        assert mass == pytest.approx(machine.robot.link(name).inertial.mass)
    for n in range(400):
        boom.step(0.1e-3 * n, 0.1)
    angle, rate = boom.pitch()
    assert angle == pytest.approx(0.04, abs=0.02)  # it sags a little under its weight
    assert rate == pytest.approx(0.1, abs=0.05)
    found = lifting.bullet_lift(bullet, machine, 20)
    assert 1e-8 < found.errors.max() < 1.0


# -------------------------------------------------------------------- drift


def test_drift_is_the_largest_so_far():
    scene = drift.DriftScene("counter", lambda integrator, step: Counter(), "link")
    found = drift.long_run(scene, "rk4", 1000, unit=2.0)
    assert found.steps[[0, -1]].tolist() == [1, 1000]
    assert found.drift == pytest.approx(found.steps / 16)
    assert found.stopped == ""


def test_divergence_is_a_result(tmp_path):
    scene = drift.DriftScene("counter", lambda integrator, step: Counter(breaks=50), "link")
    found = drift.long_run(scene, "euler", 1000, unit=2.0)
    assert found.stopped == "it broke"
    assert found.steps[-1] == 50
    assert found.drift[-1] == pytest.approx(50 / 16)
    short = drift.short_run(scene, "euler", 1e-3, 0.1, 1.0, np.zeros(3))
    assert math.isnan(short.energy)
    assert math.isnan(short.place)
    text = drift.drift_table(drift.Drifts([found], [short], {"counter": 2.0}))
    assert rows_of(text)[-1][-2:] == ["50", "it broke"]


def test_short_runs_end_where_they_should():
    def place(n):
        X = np.eye(4)
        X[0, 3] = 0.5 * n
        return X

    scene = drift.DriftScene("counter", lambda integrator, step: Counter(place=place), "link")
    found = drift.short_run(scene, "rk4", 2e-3, 0.1, 4.0, np.array([20.0, 0.0, 0.0]))
    assert found.energy == pytest.approx(50 / 8 / 4)  # 50 steps
    assert found.place == pytest.approx(5.0)


def test_the_hanging_boom_swings_between_its_stops():
    scene = drift.boom_scene()
    sim = scene.begin("rk4", 2e-3)
    pitch = []
    for _ in range(60):
        sim.run(0.05)
        pitch.append(sim.joint("pitching").position)
    limit = sim.machine.robot.joint("pitching").limit
    assert limit.lower < min(pitch) < 0.0 < max(pitch) < limit.upper
    energy = sim.energy()
    assert (energy.stops, energy.dampers) == (0.0, 0.0)
    assert energy.total == pytest.approx(energy.start, abs=1e-6 * abs(energy.start))


def test_orders_show_in_the_accuracy(tmp_path):
    found = drift.compare(100, (4e-3, 2e-3), 0.08, Quiet(), ("euler", "rk4"))
    assert len(found.long) == 4
    by = {(one.scene, one.integrator, one.step): one for one in found.short}
    for scene in found.ranges:
        ratio = by[scene, "euler", 4e-3].place / by[scene, "euler", 2e-3].place
        assert ratio == pytest.approx(2.0, rel=0.2)  # first order
        assert by[scene, "rk4", 2e-3].place < 1e-4 * by[scene, "euler", 2e-3].place
    section = drift.section(found, tmp_path)
    assert [path.name for path in section.figures] == [
        "dynamics_drift.png",
        "dynamics_accuracy.png",
    ]
    assert all(path.stat().st_size > 10_000 for path in section.figures)


# ----------------------------------------------------------------- impulses


def test_impulses_stand_beside_the_print(tmp_path):
    found = impulses.compare(0.03, Quiet())
    assert {(one.scene, one.method) for one in found} == {
        (scene, method) for scene in impulses.SCENES for method in ("simmc", "simgc", "grouped")
    }
    assert all(one.gap < 1e-3 for one in found)
    assert all(not one.stopped or "steps left" in one.stopped for one in found)
    few = {one.method: one.iterations for one in found if one.scene == "peaucellier"}
    assert few["simgc"] < few["simmc"]  # as the paper finds
    text = "\n".join(impulses.section(found, tmp_path).text)
    assert "| 16 | 2,300 |" in text
    assert "| 3 | 200 |" in text  # of the manipulator, which grasps
    assert "| 0.6 | 10 |" in text


def test_the_gripper_of_table_1_carries_its_box():
    """At the steps of the table, by both methods; iterations differ as the paper finds."""
    sweeps = {}
    for formulation in ("simmc", "simgc"):
        scene = grasping.Grasp(formulation, step=impulses.STEP, iterations=impulses.MOST_GRASPING)
        start = scene.thing.pose[:3, 3]
        scene.run("let go")
        assert scene.touching == {"second table"}
        assert scene.thing.pose[:2, 3] == pytest.approx(scene.carried(start)[:2], abs=0.01)
        sweeps[formulation] = scene.world.sweeps.mean
    assert 4 * sweeps["simgc"] < sweeps["simmc"]


def test_the_crank_goes_to_and_fro():
    sim = headframe.Simulation(headframe.load("peaucellier"), "simgc", step=1e-2)
    impulses.drive("peaucellier", sim, 0.0)
    sim.step(30)
    assert sim.joint("hinge_1").velocity == pytest.approx(impulses.SWING, abs=1e-3)
    impulses.drive("peaucellier", sim, impulses.TURN + 0.1)
    sim.step(30)
    assert sim.joint("hinge_1").velocity == pytest.approx(-impulses.SWING, abs=1e-3)


# ------------------------------------------------------------------- IFToMM


def test_benchmark_problems(tmp_path):
    given = iftomm.problems(3)
    assert [problem.name for problem in given] == ["A01", "A02, N = 2", "A02, N = 3", "A04"]
    found = iftomm.compare(given, 0.05, Quiet())
    assert len(found) == 12
    for one in found:
        assert not one.stopped
        assert one.times[-1] == pytest.approx(0.05)
        if one.formulation == "constrained":
            assert one.error < 1e-8
            assert one.gap < 1e-11
    bounds = [goal.wanted for goal in iftomm.goals(found)]
    assert bounds[::3] == [1e-5, 0.1, 0.1, 1e-3]
    assert bounds[1::3] == [1e-4, 0.1, 0.1, 1e-3]
    assert bounds[2::3] == pytest.approx([0.0196, 0.1403, 0.2005, 0.1365], rel=2e-3)
    assert all(goal.holds for goal in iftomm.goals(found))
    section = iftomm.section(found, tmp_path)
    assert section.figures[0].stat().st_size > 10_000


def test_a_problem_that_stops_has_no_error_within_its_bound():
    one = iftomm.Benchmark("A01", "constrained", 1e-5, np.zeros(1), np.zeros(1), 0.0, 1.0, "broke")
    (goal,) = iftomm.goals([one])
    assert not goal.holds


# ------------------------------------------------------------------ holding


def test_locked_machines_hold():
    for formulation in ("embedded", "constrained"):
        sim = headframe.Simulation(headframe.load("lhd"), formulation, step=5e-3)
        found = holding.hold(sim, 0.6)
        assert found.seconds == pytest.approx(0.6)
        assert found.length < 1e-12
        (goal,) = holding.goals([found])
        assert goal.holds


def test_a_machine_that_sinks_is_seen(monkeypatch):
    """Its drives float instead of being locked."""
    monkeypatch.setattr(holding, "lock_all", lambda sim: command_all(sim, {}, headframe.floating()))
    sim = headframe.Simulation(headframe.load("lhd"), "embedded", step=5e-3)
    found = holding.hold(sim, 0.3)
    assert found.length > 1e-3
    assert found.effector > 1e-3
    assert not holding.goals([found])[0].holds


def test_simulated_times_are_told():
    assert [holding._hours(x) for x in (3600.0, 600.0, 1.0)] == ["1.0 h", "10 min", "1.0 s"]


# --------------------------------------------------------------- stiffening


def test_stiffer_loops_bring_mujoco_to_our_motion(tmp_path):
    pytest.importorskip("mujoco")
    given = stiffening.motions(0.1)
    found = stiffening.compare(given, [(0.05, 0.95), (0.0002, 0.9999)], BenchSettings(), Quiet())
    for motion in given:
        soft, stiff = (one for one in found if one.machine == motion.machine.name)
        assert stiff.apart < 1e-6
        assert stiff.gap < soft.gap
    assert stiffening.section(found, tmp_path).figures[0].exists()
    assert all(goal.holds for goal in stiffening.goals(found))
    assert not any(goal.holds for goal in stiffening.goals([found[0], found[2]]))


def test_without_mujoco_nothing_is_stiffened(tmp_path):
    found = stiffening.compare(stiffening.motions(0.1), stiffening.STIFFER, ALONE, Quiet())
    assert found == []
    assert stiffening.section(found, tmp_path).text == ["MuJoCo was not measured.\n"]


# --------------------------------------------------------------------- page


def test_a_part_that_is_run_again_replaces_its_section(tmp_path, monkeypatch):
    words = {"n": 0}

    def fake(name):
        def section(found, folder):
            return ReportSection(name, [f"{name} {found}\n"], [Goal(name, found, 2.0)], [])

        def measure(settings, progress):
            words["n"] += 1
            return float(words["n"])

        return SimpleNamespace(measure=measure, section=section)

    monkeypatch.setattr(pages, "import_module", lambda name: fake(name.rpartition(".")[2]))
    goals, written = report.DYNAMICS_PAGE.run(["rates", "drift"], ALONE, tmp_path / "new", Quiet())
    assert [goal.what for goal in goals] == ["rates", "drift"]
    page = written[0]
    first = page.read_text(encoding="utf-8")
    assert "rates 1.0" in first
    assert "drift 2.0" in first
    report.DYNAMICS_PAGE.run(["rates"], ALONE, tmp_path / "new", Quiet())
    second = page.read_text(encoding="utf-8")
    assert "rates 3.0" in second
    assert "drift 2.0" in second
    targets = second.split("<!-- targets -->")[1].split("<!-- end of targets -->")[0]
    assert [row[-1] for row in rows_of(targets)[2:]] == ["missed by 1.50x", "holds"]


def test_names_are_checked(tmp_path):
    with pytest.raises(headframe.UnknownElementError, match="drift"):
        report.DYNAMICS_PAGE.run(["drft"], ALONE, tmp_path, Quiet())
    with pytest.raises(headframe.UnknownElementError, match="mujoco"):
        report.DYNAMICS_PAGE.run(["drift"], BenchSettings(("mujco",)), tmp_path, Quiet())


def test_every_part_is_a_module_with_both_functions():
    for name in report.DYNAMICS_PAGE.parts:
        module = getattr(headframe.bench.dynamics, name)
        assert callable(module.measure)
        assert callable(module.section)


def test_the_command_writes_a_page(tmp_path):
    app = typer.Typer()
    register(app)
    arguments = ["bench", "dynamics", "--quick", "--only", "impulses", "--peers", "none"]
    result = CliRunner().invoke(app, [*arguments, "-o", str(tmp_path)])
    assert result.exit_code == 0, result.output
    text = (tmp_path / "dynamics.md").read_text(encoding="utf-8")
    assert "SIMMC against SIMGC (table 1)" in text
    assert "Raising the boom" not in text


def test_all_runs_dynamics_too(tmp_path, monkeypatch):
    calls = []
    for name in ("_fk", "_ik", "_study", "_dynamics"):
        monkeypatch.setattr(command, name, lambda *values, name=name: calls.append((name, values)))
    app = typer.Typer()
    register(app)
    options = ["--peers", "none", "--steps", "5000", "--hours", "0.5", "-o", str(tmp_path)]
    assert CliRunner().invoke(app, ["bench", "all", *options]).exit_code == 0
    assert calls[-1] == ("_dynamics", (None, 5000, 0.5, "none", tmp_path))


def test_pictures(tmp_path):
    x = np.geomspace(1, 1e6, 20)
    curves = [
        PlotCurve("a", x, 1e-9 * x),
        PlotCurve("b", x[:9], x[:9], broken=True),
        PlotCurve("c", x, 0 * x),
    ]
    panels = [PlotPanel("one", "x", "y", curves), PlotPanel("two", "x", "y", curves, (False, True))]
    path = draw_panels("title", panels, tmp_path / "a.png")
    assert path.stat().st_size > 10_000
