"""The comparisons: what they draw, count and write. Never how long anything takes."""

import math
import re
import sys
from itertools import pairwise

import numpy as np
import pytest
import typer
from quiet import Quiet
from typer.testing import CliRunner

import headframe
from headframe.baselines.paper.nested_newton import sequential_rows
from headframe.baselines.paper.sequential import sequence_of
from headframe.bench import figures, fk_report, ik_report, printed, timing
from headframe.bench.command import register
from headframe.bench.contestants import IK_METHODS, OURS, PAPER, PEER_NAMES
from headframe.bench.fk import FkMachine, FkTimes, compare_fk, judge, same
from headframe.bench.goals import Goal, multiples_section, ratio, yardsticks
from headframe.bench.ik import IkMachine, IkTimes, compare_ik
from headframe.bench.peers import ScipyPeer
from headframe.bench.progress import Bar, Lines
from headframe.bench.quality import Quality, study
from headframe.bench.regression import fit
from headframe.bench.steps import own_history
from headframe.bench.tables import number, percent, plain, table
from headframe.bench.timing import Batch, CallTimes, time_calls, time_kernels
from headframe.bench.trials import combinations, fk_cases, ik_trials
from headframe.cli.main import plain_errors
from headframe.mechanism import State, solve
from headframe.spatial import pose_error

MACHINES = ["door", "lhd"]
TRIALS = 3


@pytest.fixture(scope="module", autouse=True)
def few_passes():
    """Times do not matter here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(timing, "PASSES", 1)
        patch.setattr(timing, "KERNEL_PASSES", 2)
        yield


@pytest.fixture(scope="module")
def fk_results():
    return compare_fk(MACHINES, TRIALS, 0, ["scipy"], Quiet())


@pytest.fixture(scope="module")
def ik_results():
    methods = ["newton", "golden", "bfgs"]
    return compare_ik(MACHINES, TRIALS, 0, ["scipy"], Quiet(), methods)


def rows_of(text):
    """Cells of all rows of a Markdown table, without its header."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


# -------------------------------------------------------------------------- trials


def test_every_combination_of_types_occurs_once():
    found = combinations(headframe.load("tcchs"))
    assert len(found) == 3 * 3 * 2 * 2 - 1  # legs, jacks, insert jacks, face guard; not nothing
    assert max(found, key=sum) == (2, 4, 1, 4)
    assert len(found[2, 2, 0, 0]) == 2  # either pair of type B


def test_only_active_groups_change():
    machine = headframe.load("jumbo")
    for case in fk_cases(machine, TRIALS, 0):
        for trial in case.trials:
            moved = np.abs(trial.lengths - trial.start.lengths) > 1e-9
            assert moved.sum() == sum(case.actuators)
            assert same(machine.fk(trial.lengths, trial.start), trial.answer)


def test_trials_repeat_with_their_seed():
    machine = headframe.load("lhd")
    one, two, other = (ik_trials(machine, "bucket", 4, seed) for seed in (7, 7, 8))
    assert all((a.target == b.target).all() for a, b in zip(one, two, strict=True))
    assert all((a.target != b.target).any() for a, b in zip(one, other, strict=True))
    assert [trial.reachable for trial in one] == [True, False, True, False]


# --------------------------------------------------------------------------- timing


def test_failures_are_kept_and_told():
    def call(x):
        if x > 1:
            raise headframe.StateError(f"found {x}")
        return x

    found = time_calls(call, [(0,), (1,), (2,), (3,)])
    assert found.answers == [0, 1, None, None]
    assert found.error == "found 2"
    assert found.times.shape == (4,)
    assert found.mean >= 0.0
    assert found.median >= 0.0


def test_kernel_time_is_that_of_one_problem():
    calls = []
    one, ten = (Batch(lambda: calls.append(1), problems) for problems in (1, 10))
    times = time_kernels([one, ten], least=1e-4)
    assert times[0] > times[1] > 0.0
    assert len(calls) > 4


# ----------------------------------------------------------------------- regression


def test_regression_finds_what_was_put_in():
    counts = np.random.default_rng(0).integers(0, 5, size=(40, 4))
    truth = np.array([0.5, 2.0, 30.0, 7.0])
    found = fit(counts, counts @ truth)
    assert found.coefficients == pytest.approx(truth)
    assert (found.constant, found.r2) == (0.0, pytest.approx(1.0))
    assert found.rmse == pytest.approx(0.0, abs=1e-10)
    shifted = fit(counts, counts @ truth + 4.0, constant=True)
    assert shifted.constant == pytest.approx(4.0)
    assert fit(counts, counts @ truth + 4.0).r2 < shifted.r2


def test_regression_of_noise_has_the_textbook_error():
    random = np.random.default_rng(1)
    counts = random.integers(0, 5, size=(30, 4)).astype(float)
    times = counts @ [1.0, 2.0, 3.0, 4.0] + random.normal(size=30)
    found = fit(counts, times)
    error = times - counts @ found.coefficients
    assert found.rmse == pytest.approx(np.sqrt(np.mean(error**2)))
    assert found.r2 == pytest.approx(1.0 - np.sum(error**2) / np.sum((times - times.mean()) ** 2))


def test_a_type_that_never_occurs_has_no_coefficient():
    found = fit([[1, 0, 0, 0], [2, 1, 0, 0], [0, 3, 0, 0]], [1.0, 4.0, 6.0])
    assert found.coefficients[:2] == pytest.approx([1.0, 2.0])
    assert np.isnan(found.coefficients[2:]).all()


# ------------------------------------------------------------------- goals and tables


@pytest.mark.parametrize(
    ("goal", "verdict"),
    [
        (Goal("t", 4.0, 5.0, "us"), "holds"),
        (Goal("t", 7.5, 5.0, "us"), "missed by 1.50x"),
        (Goal("t", 20.0, 40.0, "x", at_least=True), "missed by 2.00x"),
        (Goal("t", 40.0, 40.0, "x", at_least=True), "holds"),
        (Goal("t", 99.5, 99.9, "%", at_least=True), "missed by 0.400 points"),
        (Goal("t", math.nan, 1.0), "not measured"),
    ],
)
def test_verdicts(goal, verdict):
    assert goal.verdict == verdict
    assert goal.row()[-1] == verdict


def test_ratios():
    assert ratio(60.0, 3.0) == 20.0
    assert math.isnan(ratio(None, 3.0))
    assert math.isnan(ratio(3.0, None))


def test_numbers():
    assert [number(x) for x in (0.0, 3.14159, 1234.5, 1e-5, math.inf, math.nan)] == [
        "0", "3.14", "1,234", "1.00e-5", "∞", "\u2013",
    ]  # fmt: skip
    assert (percent(0.9998), percent(1.0), percent(math.nan)) == ("99.98 %", "100 %", "\u2013")
    assert (plain(11.0), plain(78.63), plain(None)) == ("11", "78.63", "\u2013")


def test_tables():
    text = table(["name", ">time"], [["a", "1"]])
    assert text == "| name | time |\n| --- | ---: |\n| a | 1 |\n"


# ------------------------------------------------------------------------ the print


def test_the_print_is_whole():
    robots = set(printed.ROBOTS.values())
    models = {"five_link_chain", "gripper", "peaucellier"}  # of another paper
    assert set(printed.ORDER) == set(headframe.machines()) - models
    tables = [printed.STRUCTURE, printed.FK, *printed.IK.values(), *printed.RUNTIME.values()]
    tables += [*printed.ROBUSTNESS.values(), *printed.SEARCHES.values()]
    assert all(set(one) == robots for one in tables)


def test_the_corrections_are_ours():
    """What the notes say of the print is what the catalogue counts."""
    for name, robot in printed.ROBOTS.items():
        machine = headframe.load(name)
        wrong = tuple(machine.counts.values()) != printed.STRUCTURE[robot]
        assert wrong == (robot in printed.STRUCTURE_NOTES)
        active = max(combinations(machine), key=sum)
        assert (active != printed.FK[robot][0]) == (robot in printed.FK_NOTES)


# ---------------------------------------------------------------- forward kinematics


def test_fk_measures_every_method_and_case(fk_results):
    assert [result.name for result in fk_results] == MACHINES
    for result in fk_results:
        assert list(result.names.values()) == [OURS, PAPER, "scipy"]
        assert result.all_active["newton"].success == 1.0
        assert result.all_active["paper"].success == 1.0
        assert result.batch > 0.0
    door, lhd = fk_results
    assert [case.actuators for case in door.cases] == [(0, 0, 1, 0)]
    assert {case.actuators for case in lhd.cases} == {(1, 0, 0, 0), (0, 0, 1, 0), (1, 0, 1, 0)}


def test_the_branch_is_part_of_success():
    machine = headframe.load("lhd")
    trials = fk_cases(machine, TRIALS, 0)[-1].trials
    right = CallTimes(np.zeros(TRIALS), [trial.answer for trial in trials])
    assert judge(trials, right) == (1.0, 1.0)
    answers = [trials[0].answer, trials[0].answer, None]
    assert judge(trials, CallTimes(np.zeros(TRIALS), answers)) == (1 / 3, 1 / 3)
    answers = [trials[0].answer, elsewhere(trials[1].answer), None]
    assert judge(trials, CallTimes(np.zeros(TRIALS), answers)) == (1 / 3, 2 / 3)


def elsewhere(state):
    """Another assembly with the same lengths, found from random joints."""
    m, random = state.mechanism, np.random.default_rng(0)
    rows = np.concatenate([m.closing_rows, m.length_rows])
    for _ in range(200):
        found = solve(m, random.uniform(-3.0, 3.0, state.q.size), np.array(state.lengths), rows)
        apart = np.abs(np.sin(0.5 * (found.q - state.q))).max()
        if found.solved and apart > 0.1:
            return State(m, found.q)
    raise AssertionError("there is no other assembly")


def test_fk_page(fk_results, tmp_path):
    page, *drawn = fk_report.write_fk(fk_results, TRIALS, 0, tmp_path / "new")
    text = page.read_text(encoding="utf-8")
    assert [path.name for path in drawn] == ["fk_regression.png", "fk_times.png"]
    assert all(path.stat().st_size > 10_000 for path in drawn)
    assert all(f"]({path.name})" in text for path in drawn)
    for part in ("Table 1", "Table 2", "Eq. (24)", "Table 6"):
        assert re.search(rf"^## {re.escape(part)}", text, re.MULTILINE)
    between = text.partition("<!-- targets -->")[2].partition("<!-- end of targets -->")[0]
    assert len(rows_of(between)) == 7
    assert all(row[-1] == "not measured" for row in rows_of(between))  # no tcchs in this run


def test_fk_tables(fk_results):
    assert [row[0] for row in rows_of(fk_report.structure_table(fk_results))] == MACHINES
    active = rows_of(fk_report.active_table(fk_results))
    assert [row[1] for row in active] == ["0, 0, 1, 0", "1, 0, 1, 0"]
    assert [row[3] for row in active] == ["176.4", "176.2"]
    runtime = rows_of(fk_report.runtime_table(fk_results))
    assert all(len(row) == 4 and row[1].endswith("(100 %)") for row in runtime)
    fits = rows_of(fk_report.regression_table(fk_report.regressions(fk_results)))
    assert fits[0][2:] == ["2.5", "2.2", "185", "239.6", "0.9936", "29.48"]
    assert {row[0].split(",")[0] for row in fits[1:]} == {OURS, PAPER}
    assert len(rows_of(fk_report.batch_table(fk_results))) == 2


def test_fk_goals_are_computed(fk_results):
    result = fk_results[0]
    times = {"newton": FkTimes(2.0, 2.0, 0.5), "mujoco": FkTimes(100.0, 90.0)}
    made = type(result)("tcchs", result.structure, result.actuators, {}, [], times, 4e5)
    verdicts = [goal.verdict for goal in fk_report.goals([made])]
    assert verdicts == [
        "holds", "holds", "holds", "holds", "not measured", "not measured", "missed by 1.25x"
    ]  # fmt: skip
    assert [goal.found for goal in fk_report.goals([made])][2:4] == [50.0, 200.0]


@pytest.mark.parametrize("kind", ["FK", "IK"])
def test_yardsticks_and_multiples_of_both_comparisons(kind):
    def made(name, **means):
        if kind == "FK":
            times = {key: FkTimes(mean, mean, 0.5 * mean) for key, mean in means.items()}
            return FkMachine(name, (1, 1, 1), (0, 0, 0, 0), dict.fromkeys(means, name), [], times)
        times = {
            key: IkTimes(np.full(2, mean), np.ones(2), np.ones(2), 0.5 * mean)
            for key, mean in means.items()
        }
        return IkMachine(name, "link", np.ones(2, dtype=bool), dict.fromkeys(means, name), times)

    results = [made("sths", drake=80.0, scipy=200.0), made("tcchs", newton=2.0, mujoco=50.0)]
    goals = yardsticks(results, kind, {"drake": 60.0, "scipy": 100.0, "mujoco": 1.0})
    assert [(g.what, g.found, g.wanted) for g in goals[:2]] == [
        (f"sths: {kind} of sths", 80.0, 90.0),
        (f"sths: {kind} of sths", 200.0, 150.0),
    ]
    assert [goal.verdict for goal in goals] == ["holds", "missed by 1.33x", "not measured"]
    head, text = multiples_section(results)
    assert head.startswith("On `tcchs`")
    assert rows_of(text) == [["tcchs", "25.0x", "50.0x"]]
    assert multiples_section(results[:1]) == []
    assert multiples_section([made("tcchs", mujoco=50.0)]) == []


def test_the_kernel_of_the_papers_method_as_plain_python():
    machine = headframe.load("lhd")
    kinematics = machine.kinematics
    sequence = sequence_of(kinematics)
    trials = fk_cases(machine, 2, 0)[-1].trials
    lengths, starts = (
        np.array([getattr(t, "lengths", None) for t in trials]),
        np.array([t.start.q for t in trials]),
    )
    found = []
    for function in (sequential_rows, sequential_rows.py_func):
        q, status = np.empty_like(starts), np.full(2, -1)
        function(
            kinematics.link, sequence.packed, lengths, starts, 1e-10, sequence.state, q, status
        )
        assert (status == 0).all()
        found.append(q)
    assert found[0] == pytest.approx(found[1], abs=1e-12)
    assert found[0] == pytest.approx(np.array([t.answer.q for t in trials]), abs=1e-8)


# ---------------------------------------------------------------- inverse kinematics


def test_ik_judges_every_method(ik_results):
    for result in ik_results:
        assert list(result.times) == ["newton", "golden", "bfgs", "scipy"]
        assert result.reachable.tolist() == [True, False, True]
        assert result.reached("newton") == 1.0
        assert result.near_best("newton") == 1.0
        assert (result.best[result.reachable] < 1e-9).all()
        assert (result.best[~result.reachable] > 1e-3).all()


def test_best_is_over_all_methods():
    times = {
        "a": IkTimes(np.ones(2), np.ones(2), np.array([0.5, 1e-8])),
        "b": IkTimes(np.ones(2), np.ones(2), np.array([0.4, 1e-3])),
    }
    result = IkMachine("m", "link", np.array([False, True]), {"a": "a", "b": "b"}, times)
    assert result.best.tolist() == [0.4, 1e-8]
    assert (result.near_best("a"), result.near_best("a", True)) == (0.5, 1.0)
    assert (result.reached("a"), result.reached("b")) == (1.0, 0.0)


def test_ik_tables(ik_results):
    iterations = rows_of(ik_report.iterations_table(ik_results))
    assert [row[0] for row in iterations].count("printed") == 5
    assert iterations[3] == ["printed", "1 / 4.06", "1 / 4.21"]
    assert len(rows_of(ik_report.runtime_table(ik_results))) == 2
    near = rows_of(ik_report.near_table(ik_results))
    assert near[0] == [OURS, "100 %", "100 %"]
    robust = rows_of(ik_report.robustness_table(ik_results))
    assert [row[:2] for row in robust[:3]] == [
        ["door", OURS], ["door", "golden section"], ["door", "BFGS"]
    ]  # fmt: skip
    assert robust[1][2].endswith("/ 100 %")
    searches = rows_of(ik_report.searches_table(ik_results))
    assert [row[0] for row in searches] == MACHINES
    assert all(len(rows_of(ik_report.full_table(result))) == 4 for result in ik_results)


def test_ik_page(ik_results, tmp_path):
    page, *drawn = ik_report.write_ik(ik_results, TRIALS, 0, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert [path.name for path in drawn] == ["ik_times.png"]
    assert "](ik_times.png)" in text
    assert "ik_convergence.png" not in text  # none of its machines was in this run
    for part in ("Table 3", "Table 6", "Table B.7", "Table B.8", "Everything"):
        assert re.search(rf"^## {re.escape(part)}", text, re.MULTILINE)


def test_own_history_falls_to_the_end_of_the_solver():
    machine = headframe.load("lhd")
    trial = ik_trials(machine, "bucket", 1, 0)[0]
    history = own_history(machine, "bucket", trial.target, trial.start)
    first = np.linalg.norm(pose_error(trial.start.pose("bucket"), trial.target))
    assert history[0] == pytest.approx(first)
    assert history[-1] < 1e-9
    assert all(b <= a for a, b in pairwise(history))


def test_curves_are_drawn(tmp_path):
    curves = {"tcchs": {"newton": [1.0, 1e-3, 0.0], "golden": [1.0, 0.5]}}
    path = figures.draw_curves(curves, IK_METHODS, tmp_path / "curves.png")
    assert path.stat().st_size > 10_000


# --------------------------------------------------------------------------- minima


def test_study_of_minima(tmp_path):
    quality = study(4, 2, 1, Quiet(), "lhd")
    assert quality.ours.shape == quality.best.shape == (4,)
    assert quality.not_worse() == 1.0
    (page,) = ik_report.write_quality(quality, tmp_path)
    assert "2 restarts" in page.read_text(encoding="utf-8")


def test_the_study_restarts_a_peer_that_is_wanted():
    progress = Quiet()
    assert study(2, 1, 1, progress, "lhd", ["scipy"]).peer == ScipyPeer.name
    assert [line.partition(":")[2] for line in progress.lines] == [
        f" {name} is left out: it is not among the peers"
        for name in (PEER_NAMES["mujoco-lean"], PEER_NAMES["mujoco"])
    ]


def test_the_study_needs_a_peer():
    with pytest.raises(headframe.HeadframeError, match="peers: found none, expected one that can"):
        study(2, 1, 1, Quiet(), "lhd", [])
    with pytest.raises(headframe.UnknownElementError, match="no peer is called 'bullet'"):
        study(2, 1, 1, Quiet(), "lhd", ["scipy", "bullet"])


def test_minima_are_counted():
    quality = Quality(
        "m", "link", "peer", 2, 0, np.array([0.5, 1e-9, 0.3, 0.2]), np.array([0.4, 0.0, 0.3, 0.3]),
        np.array([False, True, False, True]), 1.0,
    )  # fmt: skip
    assert (quality.not_worse(), quality.not_worse(True), quality.not_worse(False)) == (
        0.75, 1.0, 0.5
    )  # fmt: skip
    assert quality.better() == 0.25
    assert quality.worst == pytest.approx(0.1)


# -------------------------------------------------------------------------- command


def run(*arguments):
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app, plain_errors)
    return CliRunner().invoke(app, ["bench", *arguments])


def test_command_writes_pages(tmp_path):
    done = run("fk", "--machines", "door", "--trials", "2", "--peers", "none", "-o", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert f"{tmp_path}/fk.md" in done.output
    assert (tmp_path / "fk.md").exists()


def test_a_missing_peer_is_left_out_with_a_line(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "mujoco", None)
    options = ["--machines", "door", "--trials", "2", "--peers", "mujoco"]
    done = run("fk", *options, "-o", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert "MuJoCo is left out" in done.output
    assert "MuJoCo |" not in (tmp_path / "fk.md").read_text(encoding="utf-8").split("Printed")[0]


def test_the_command_gives_its_peers_to_the_study(tmp_path):
    options = ["--machines", "lhd", "--restarts", "1", "--targets", "2", "--peers", "scipy"]
    done = run("ik", *options, "-o", str(tmp_path))
    assert done.exit_code == 0, done.output
    assert "is left out: it is not among the peers" in done.output
    assert "1 of scipy" in (tmp_path / "ik_quality.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fk", "--machines", "tcchz"], "did you mean 'tcchs'?"),
        (["ik", "--machines", "nothing"], "neither a catalogue machine nor a file"),
        (["fk", "--machines", "door", "--trials", "1", "--peers", "bullet"], "no peer is called"),
        (["ik", "--restarts", "2", "--machines", "tcchz"], "did you mean 'tcchs'?"),
        (["ik", "--restarts", "2", "--peers", "none"], "peers: found none, expected one"),
        (["ik", "--restarts", "2", "--peers", "bullet"], "no peer is called"),
    ],
)
def test_mistakes_are_told(arguments, message, tmp_path):
    done = run(*arguments, "-o", str(tmp_path))
    assert done.exit_code == 1
    assert message in done.output
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", [Bar, Lines])
def test_progress(kind, capfd):
    progress = kind()
    progress.begin("work", 2)
    progress.step("one")
    progress.say("Drake is left out")
    progress.step("two")
    assert "Drake is left out" in capfd.readouterr().err
