"""The registry of formulations: one contract for all, and why one cannot move a machine."""

import pytest

import headframe as hf
from build import peaucellier, rssr
from headframe.dynamics import DynamicsModel, Engine
from headframe.jit import DYNAMICS
from headframe.mechanism import tree_of
from headframe.sim.formulations import FORMULATIONS, choose, part_needed, parts_needed


def model_of(machine):
    return DynamicsModel(tree_of(machine.mechanism), machine.kinematics, machine.home)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_every_engine_says_that_it_keeps_the_contract(name):
    """So that type checking compares them; what is left out cannot be made."""
    engine = FORMULATIONS[name].make(model_of(hf.load("lhd")), 1e-3)
    assert Engine in type(engine).__mro__
    assert engine.time == 0.0
    saved, q = engine.save(), engine.q.copy()
    engine.run(3)
    engine.restore(saved)
    assert (engine.q == q).all()


@pytest.mark.parametrize(
    ("machine", "chosen", "why"),
    [
        (lambda: hf.load("roadheader"), "embedded", "closed forms"),
        (rssr, "constrained", "cannot be embedded: "),
        (peaucellier, "constrained", "cannot be embedded: "),
    ],
)
def test_auto_takes_the_first_that_can(machine, chosen, why):
    name, reason = choose(model_of(machine()), None)
    assert name == chosen
    assert why in reason


@pytest.mark.parametrize("name", ["simmc", "xpbd"])
def test_why_not_is_told_before_anything_is_made(name):
    robot = hf.load("gripper").robot
    joint = next(each for each in robot.joints if each.kind.is_single)
    joints = [
        each.model_copy(update={"armature": 0.1}) if each is joint else each
        for each in robot.joints
    ]
    heavy = hf.Machine(robot.model_copy(update={"joints": tuple(joints)}))
    assert FORMULATIONS[name].why_not(model_of(hf.load("gripper")), None) == ""
    assert f"'{joint.name}' have armature" in FORMULATIONS[name].why_not(model_of(heavy), None)


def test_what_a_formulation_compiles_follows_from_where_it_is():
    parts = {name: part_needed(name) for name in ("auto", *FORMULATIONS)}
    assert parts["auto"] == parts["embedded"] == parts["constrained"] == DYNAMICS
    assert parts["simmc"] == parts["xpbd"]
    assert len({DYNAMICS, parts["simgc"], parts["simmc"]}) == 3
    assert parts_needed("auto") == parts_needed("embedded") == (DYNAMICS, "contact")
    assert parts_needed("simgc") == (DYNAMICS, parts["simgc"])
