"""Steps that fail: the machine stands where it stood before, in all that decides how it goes on."""

from dataclasses import fields

import numpy as np
import pytest

import headframe as hf
from build import joint, machine
from headframe.dynamics import KEPT
from headframe.dynamics.records import PULL
from headframe.jit import new_records
from maximal_scenes import bar, chain
from moving import pull

STEP = 1e-3
ENGINES = {
    "simgc": ("simgc", {}),
    "simgc in time": ("simgc", {"time_budget": 60.0}),
    "simmc": ("simmc", {}),
    "xpbd": ("xpbd", {"substeps": 2}),
}


def exploding(stiffness=1e10):
    """A block on a spring that explicit steps cannot bear, beside arms with motors and stops."""
    inertial = {"mass": 2.0, "inertia": (0.1 * np.eye(3)).tolist()}
    return machine(
        [
            joint("slide", "base", "block", "prismatic", axis=[1, 0, 0]),
            joint("arm", "base", "arm_link", limit={"lower": -0.1, "upper": 0.01}),
            joint("turn", "base", "wheel", at=[0, 2, 0]),
        ],
        links=[
            {"name": "base"}, {"name": "block", "inertial": inertial}, bar("arm_link", 0.5),
            bar("wheel", 0.3),
        ],
        motors=[{"name": "motor", "joint": "turn", "max_torque": 30.0, "max_speed": 50.0}],
        springs=[
            {"name": "coil", "link_a": "base", "point_a": (-2, 0, 0), "link_b": "block",
             "point_b": (0, 0, 0), "stiffness": stiffness, "rest_length": 1.9, "damping": 0.0},
        ],
    )  # fmt: skip


def started(name):
    formulation, options = ENGINES[name]
    sim = hf.Simulation(exploding(), formulation, step=STEP, **options)
    sim.command({"motor": hf.speed(3.0)})
    return sim


def same(one, other):
    """Of what engines have saved, field by field."""
    for field in fields(one):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, np.ndarray):
            assert a.tobytes() == b.tobytes(), field.name
        else:
            assert a == b, field.name


@pytest.mark.parametrize("name", ENGINES)
def test_all_is_as_before_the_step_that_failed(name):
    """State, drives, impulses for the next step, ledger and counts of a run that ends there."""
    failing = started(name)
    with pytest.raises(hf.DynamicsError, match="stops being finite") as caught:
        failing.step(5000)
    steps = round(failing.time / STEP)
    assert steps > 2 * KEPT
    ending = started(name)
    ending.step(steps)
    same(failing._engine.save(), ending._engine.save())
    assert failing._engine.drives.tobytes() == ending._engine.drives.tobytes()
    assert (failing.time, failing.iterations) == (ending.time, ending.iterations)
    assert failing.q.tobytes() == ending.q.tobytes()
    error = caught.value
    assert error.time == failing.time
    assert f"(at {failing.time:.6g} s)" in str(error)


@pytest.mark.parametrize("name", ENGINES)
def test_error_has_the_last_states_oldest_first(name):
    failing = started(name)
    with pytest.raises(hf.DynamicsError) as caught:
        failing.step(5000)
    states = caught.value.states
    assert len(states) == KEPT
    other = started(name)
    other.step(round(failing.time / STEP) - KEPT + 1)
    for n, (q, v) in enumerate(states):
        if n:
            other.step()
        saved = other.save()
        assert other.q == pytest.approx(q, rel=1e-14)
        assert other.v.tobytes() == v.tobytes()
        other.restore(saved)  # reading is no part of the motion
    assert states[-1][0].tobytes() == failing.q.tobytes()
    assert states[-1][1].tobytes() == failing.v.tobytes()


@pytest.mark.parametrize("name", ENGINES)
def test_same_step_fails_again_and_few_steps_have_few_states(name):
    sim = started(name)
    with pytest.raises(hf.DynamicsError) as first:
        sim.step(5000)
    before = sim._engine.save()
    for _ in range(2):
        with pytest.raises(hf.DynamicsError) as again:
            sim.step(3)
        assert again.value.body == first.value.body
        assert len(again.value.states) == 1
        same(sim._engine.save(), before)


@pytest.mark.parametrize("name", ENGINES)
def test_run_goes_on_when_the_cause_is_gone(name):
    """A force that is no number comes after an arm rests on its stop; then it ends."""
    formulation, options = ENGINES[name]
    sims = [hf.Simulation(exploding(0.0), formulation, step=STEP, **options) for _ in range(2)]
    for sim in sims:
        sim.command({"motor": hf.speed(3.0)})
        sim.step(200)
    assert sims[0]._engine.drives.stop.any()
    sims[0]._engine.pulls = pull(1, force=(0, 0, np.inf))
    with pytest.raises(hf.DynamicsError) as caught:
        sims[0].step(5)
    assert caught.value.time == pytest.approx(0.2)
    for sim in sims:
        sim._engine.pulls = new_records(0, PULL)
        sim.step(50)
    same(sims[0]._engine.save(), sims[1]._engine.save())


@pytest.mark.parametrize("budget", [None, 60.0])
def test_joint_without_inertia_has_time_and_states(budget):
    """Of SIMGC; the others refuse such a machine from the start."""
    made = machine([joint("arm", "base", "bar"), joint("hand", "bar", "tool")])
    sim = hf.Simulation(made, "simgc", step=STEP, time_budget=budget)
    before = sim._engine.save()
    with pytest.raises(hf.DynamicsError, match="'arm' moves nothing that has mass") as caught:
        sim.step(3)
    error = caught.value
    assert (error.body, error.time, len(error.states)) == ("arm", 0.0, 1)
    assert [part.tolist() for part in error.states[0]] == [sim.q.tolist(), sim.v.tolist()]
    same(sim._engine.save(), before)


def test_states_are_no_more_than_there_were():
    sim = hf.Simulation(chain(2), "simmc", step=STEP)
    sim.step(5)
    sim._engine.pulls = pull(1, force=(0, 0, np.inf))
    with pytest.raises(hf.DynamicsError) as caught:
        sim.step(9)
    assert len(caught.value.states) == 1
