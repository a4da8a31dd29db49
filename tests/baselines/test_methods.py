"""The methods that inverse kinematics is compared with: each reaches what it can."""

import importlib
from functools import cache

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine, stewart_platform
from headframe.baselines.paper import methods, psi
from headframe.baselines.paper import searches as kernels
from headframe.baselines.paper.methods import METHODS, SEARCHES, convergence
from headframe.bench.printed import ORDER
from headframe.errors import MissingExtraError, StateError
from headframe.spatial import pose
from plain_python import run_as_python

LINKS = {"tcchs": "canopy", "roadheader": "cutter_head"}
INSTALLED = importlib.util.find_spec("cma") is not None
RUN = [m for m in METHODS if m != "cma" or INSTALLED]

# Psi at the end [rad and m]. All stop where Psi stalls by 1e-6, which leaves more than that where
# progress is slow: along the valley of two legs that do nearly the same, and for descents that
# are no second-order methods. The (1+1)-ES has 200 steps.
REACHES = dict.fromkeys(METHODS, 1e-5) | {
    "cg": 1e-4,
    "gradient": 1e-2,
    "one-plus-one": 5e-2,
}


@cache
def loaded(name):
    return hf.load(name)


def target_near(m, link, seed=5, part=0.2):
    """A pose that the link has for lengths off home by a part of their strokes."""
    low, high = m.kinematics.usable
    first = m.kinematics.first_members
    off = part * np.random.default_rng(seed).uniform(-1.0, 1.0, low.size) * (high - low)
    return m.fk(np.clip(m.home.lengths[first] + off, low, high)).pose(link)


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("method", RUN)
def test_every_method_reaches_a_target_near_the_start(name, method):
    m, link = loaded(name), LINKS[name]
    Y = target_near(m, link)
    start = m.ik(link, m.home.pose(link)).state
    result = m.ik(link, Y, method=method)
    assert result.objective < REACHES[method]
    assert np.linalg.norm(result.error) == pytest.approx(result.objective, abs=1e-9)
    assert result.objective < np.linalg.norm(hf.pose_error(start.pose(link), Y))
    assert result.iterations >= 1


@pytest.mark.parametrize("name", LINKS)
@pytest.mark.parametrize("method", RUN)
def test_bounds_are_kept_and_the_closest_pose_is_found(name, method):
    """Two metres up no canopy and no cutter head can be: cylinders end at their bounds."""
    m, link = loaded(name), LINKS[name]
    Y = pose((0.0, 0.0, 2.0), (0.0, 0.0, 0.0)) @ m.home.pose(link)
    best = m.ik(link, Y)
    result = m.ik(link, Y, method=method)
    assert not result.reachable
    low, high = m.kinematics.usable
    lengths = result.lengths[m.kinematics.first_members]
    assert (lengths >= low - 1e-9).all()
    assert (lengths <= high + 1e-9).all()
    assert best.objective - 1e-6 <= result.objective < 1.05 * best.objective


@pytest.mark.parametrize("method", RUN)
def test_the_same_again_is_the_same(method):
    m = loaded("tcchs")
    Y = target_near(m, "canopy", seed=6)
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first, second = (m.ik("canopy", Y, method=method) for _ in range(2))
    assert (first.state.q == second.state.q).all()
    assert first.iterations == second.iterations
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


@pytest.mark.parametrize("name", ORDER)
@pytest.mark.parametrize("search", SEARCHES)
def test_both_forward_kinematics_lead_to_the_same(name, search):
    m = loaded(name)
    link = last_moved(m)
    Y = target_near(m, link, seed=7)
    own = m.ik(link, Y, method=search)
    nested = m.ik(link, Y, method=f"{search}-nested")
    assert own.objective < 1e-4
    assert nested.objective == pytest.approx(own.objective, abs=1e-5)
    assert np.abs(own.lengths - nested.lengths).max() < 1e-4


def last_moved(m):
    """The main link that the most groups move."""
    names = [link.name for link in m.links if link.name in m.mechanism.body_of_link]
    return max(names, key=lambda name: m.kinematics.inverse_solver(name).problem.n)


def test_golden_takes_the_same_way_on_both():
    """But where two values of Psi are equal to 1e-10, on either side: 1e-6 m of a length apart."""
    m = loaded("tcchs")
    Y = target_near(m, "canopy", seed=8)
    ways = [history(m, "canopy", Y, method) for method in ("golden", "golden-nested")]
    assert ways[0] == pytest.approx(ways[1], abs=2e-6)


def history(m, link, Y, method):
    kinematics = m.kinematics
    solver = kinematics.inverse_solver(link)
    return convergence(kinematics, solver, Y, m.home, np.ones(6), method)


@pytest.mark.parametrize("method", RUN)
def test_convergence_starts_at_the_start_and_never_rises(method):
    m = loaded("tcchs")
    Y = target_near(m, "canopy", seed=9)
    way = history(m, "canopy", Y, method)
    result = m.ik("canopy", Y, method=method)
    assert way[0] == pytest.approx(np.linalg.norm(hf.pose_error(m.home.pose("canopy"), Y)))
    assert way[-1] == result.objective
    assert (np.diff(way) < 1e-5).all()
    counted_from_zero = method.removesuffix("-nested") in SEARCHES
    assert result.iterations == len(way) - 1 - counted_from_zero


def test_counts_are_those_of_the_papers_table():
    """One freedom after the other: one sweep reaches the target, one more confirms it."""
    for name, link in (("roadheader", "cutter_head"), ("door", "leaf_right")):
        m = loaded(name)
        assert m.ik(link, target_near(m, link), method="golden").iterations == 1
    m = loaded("roadheader")
    assert (
        m.ik("cutter_head", target_near(m, "cutter_head"), method="one-plus-one").iterations == 200
    )


@pytest.mark.parametrize("method", RUN)
def test_a_link_that_nothing_moves(method):
    m = loaded("roadheader")
    with pytest.raises(StateError, match="'main_body': no cylinder moves it"):
        m.ik("main_body", m.home.pose("main_body"), method=method)


@pytest.mark.parametrize("method", [m for m in RUN if m != "one-plus-one"])
def test_a_method_that_runs_out_of_steps_says_so(method, monkeypatch):
    """None of them is at the minimum after two; the (1+1)-ES always ends after its 200."""
    m = loaded("tcchs")
    Y = target_near(m, "canopy")
    assert m.ik("canopy", Y, method=method).converged
    monkeypatch.setattr(methods, "MOST", 2)
    short = m.ik("canopy", Y, method=method)
    assert (short.converged, short.reachable) == (False, False)


@pytest.mark.parametrize("method", ["golden", "golden-nested", "bfgs", "cg"])
def test_weights_base_and_start_count(method):
    m = loaded("tcchs")
    X = pose((3.0, -2.0, 1.0), (0.4, -1.1, 2.0))
    low, high = m.kinematics.usable
    start = m.fk(low + 0.4 * (high - low)).moved(X)
    Y = X @ target_near(m, "canopy", seed=10)
    mask = [0, 0, 0, 1, 0, 1]
    exact = m.ik("canopy", Y, start, mask=mask)
    result = m.ik("canopy", Y, start, mask=mask, method=method)
    assert result.objective == pytest.approx(exact.objective, abs=1e-5)
    assert (result.state.base == X).all()
    jack = m.robot.actuator_index["face_guard_jack"]
    assert result.lengths[jack] == pytest.approx(start.lengths[jack], abs=1e-12)


def test_an_unknown_method_is_answered_with_those_there_are():
    m = loaded("tcchs")
    for wrong in ("goldn", "bfgs-nested", "-nested"):
        with pytest.raises(StateError, match=f"found '{wrong}', expected one of 'newton'"):
            m.ik("canopy", m.home.pose("canopy"), method=wrong)


def test_a_machine_that_only_newton_covers():
    m = stewart_platform()
    with pytest.raises(StateError, match="only method 'newton' covers 'platform'"):
        m.ik("platform", m.home.pose("platform"), method="golden")


def test_a_machine_of_no_type_has_all_but_the_nested_ones():
    """Two cylinders that each act over both slides."""
    m = machine(
        [
            joint("x", "base", "sledge", "prismatic", axis=[1, 0, 0]),
            joint("z", "sledge", "tool", "prismatic", axis=[0, 0, 1], at=[0.5, 0, 1]),
        ],
        [
            actuator("low", ("base", (-1, 0, 0)), ("tool", (0, 0, 0)), (1.5, 2.3)),
            actuator("high", ("base", (-1, 0, 2)), ("tool", (0, 0, 0)), (1.5, 2.3)),
        ],
    )
    Y = target_near(m, "tool")
    for method in ("golden", "bfgs", "cg"):
        assert m.ik("tool", Y, method=method).objective < 1e-5
    with pytest.raises(StateError, match="'low' is none of types A to D"):
        m.ik("tool", Y, method="golden-nested")


def test_without_the_package_cma_the_extra_is_named(monkeypatch):
    def missing(name):
        raise ImportError(name)

    m = loaded("tcchs")
    m.kinematics.inverse_solver("canopy")
    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(MissingExtraError, match=r"headframe\[bench\]"):
        m.ik("canopy", m.home.pose("canopy"), method="cma")


@pytest.mark.parametrize("method", [*SEARCHES, "golden-nested", "bfgs", "cg", "one-plus-one"])
def test_kernels_run_as_plain_python(method, monkeypatch):
    m = loaded("tcchs")
    Y = target_near(m, "canopy", seed=11, part=0.01)
    compiled = m.ik("canopy", Y, method=method)
    run_as_python(monkeypatch, kernels, psi)
    plain = m.ik("canopy", Y, method=method)
    assert plain.objective == pytest.approx(compiled.objective, abs=1e-7)
