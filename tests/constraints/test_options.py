"""Options of the impulse and position based formulations: what they take and what they refuse."""

import math

import numpy as np
import pytest

import headframe as hf
from headframe.baselines.simmc.engine import Simmc
from headframe.baselines.xpbd.engine import Xpbd
from headframe.checks import shown, whole
from headframe.constraints.simgc.engine import Simgc
from maximal_scenes import chain, model_of

NO_NUMBER = ("x", None, [1], True, np.True_, 1j, math.nan, np.float64("nan"), math.inf, 10**400)
NO_COUNT = (*NO_NUMBER, 2.5, 2.0, np.float64(3.0), 0, -1, np.int64(-3), 10**30, 2**31)
NO_FLAG = ("no", None, 0, 1, 1.0, np.int64(1))
COUNTS = (("simgc", "iterations"), ("simmc", "iterations"), ("xpbd", "substeps"),
          ("xpbd", "iterations"))  # fmt: skip
NUMBERS = (("simgc", "tolerance"), ("simgc", "beta"), ("simmc", "tolerance"), ("simmc", "beta"))
FLAGS = (("simgc", "grouped"), ("simmc", "alternating"))
ONE = chain(1)


def refused(formulation, name, value):
    with pytest.raises(hf.StateError) as caught:
        hf.Simulation(ONE, formulation, **{name: value})
    assert str(caught.value).startswith(f"{name}: found {shown(value)}, expected ")


@pytest.mark.parametrize(("formulation", "name"), COUNTS)
def test_counts_that_are_none(formulation, name):
    for value in NO_COUNT:
        refused(formulation, name, value)


@pytest.mark.parametrize(("formulation", "name"), NUMBERS)
def test_numbers_that_are_none(formulation, name):
    for value in (*NO_NUMBER, -1.0, np.float32(-1.0)):
        refused(formulation, name, value)


def test_numbers_out_of_bounds():
    for formulation in ("simgc", "simmc"):
        for value in (0.0, 1.5, np.float64(1.0000001)):
            refused(formulation, "beta", value)
    refused("simgc", "tolerance", 0.0)
    assert hf.Simulation(ONE, "simmc", tolerance=0)._engine._settings["tolerance"] == 0.0


def test_time_budgets_that_are_none():
    for value in ("x", [1], True, math.nan, -1.0, 10**400):
        refused("simgc", "time_budget", value)


@pytest.mark.parametrize(("formulation", "name"), FLAGS)
def test_flags_that_are_none(formulation, name):
    for value in NO_FLAG:
        refused(formulation, name, value)


@pytest.mark.parametrize("make", [Simgc, Simmc, Xpbd])
def test_steps_that_are_none(make):
    for value in (*NO_NUMBER, 0.0, -1e-3):
        with pytest.raises(hf.StateError, match=r"^step: found .*, expected a number above 0"):
            make(model_of(ONE), value)


def test_numbers_of_numpy_do_as_well():
    """And they give the same motion as Python's own."""
    for formulation, plain, of_numpy in (
        ("simgc", {"iterations": 5, "beta": 1, "grouped": False, "tolerance": 0.5},
         {"iterations": np.int64(5), "beta": np.int32(1), "grouped": np.False_,
          "tolerance": np.float32(0.5)}),
        ("simmc", {"iterations": 4, "beta": 0.5, "alternating": False},
         {"iterations": np.uint8(4), "beta": np.float32(0.5), "alternating": np.False_}),
        ("xpbd", {"substeps": 3, "iterations": 2},
         {"substeps": np.int16(3), "iterations": np.int64(2)}),
    ):  # fmt: skip
        one, other = (hf.Simulation(chain(2), formulation, **o) for o in (plain, of_numpy))
        one.step(20)
        other.step(20)
        assert one.q.tobytes() == other.q.tobytes()
    assert hf.Simulation(ONE, "simgc", time_budget=np.float64(0.0))._engine.time_budget == 0.0
    assert hf.Simulation(ONE, "simgc", time_budget=None)._engine.time_budget is None


def test_largest_count():
    most = 2**31 - 1
    assert whole("n", most) == most
    for formulation in ("simgc", "simmc"):  # they end with the tolerance
        hf.Simulation(ONE, formulation, iterations=most).step(2)
