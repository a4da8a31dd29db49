"""A thread obeys closed forms in every room, and so does a kind that only this test knows."""

import math

import numpy as np
import pytest

from build import joint, machine
from finite_differences import central
from headframe.description import JOINT_KINDS, Does, JointKind, Keeps, Motion
from headframe.export import mjcf_text, urdf_notes
from headframe.export.page import machine_info
from headframe.kinematics.velocities import jacobian
from headframe.mechanism import State
from headframe.server.facts_sheet import facts_sheet
from headframe.sim import Simulation
from headframe.sim.formulations import FORMULATIONS
from headframe.spatial import axis_angle_matrix
from servo_machines import servo

GRAVITY = 9.81
MASS, INERTIA, PITCH = 4.0, 0.3, 0.9
WAY = PITCH / (2.0 * math.pi)  # of the thread, for each radian
STEPS = {
    "embedded": 1e-2, "constrained": 1e-2, "augmented": 1e-3, "simgc": 1e-4, "simmc": 1e-4,
    "xpbd": 1e-4, "penalty": 1e-3, "lagrange": 1e-3, "baumgarte": 1e-3, "matrix-r": 1e-3,
}  # fmt: skip


def links(*names):
    """The base, and balanced bodies that turn about z with INERTIA."""
    inertial = {"mass": MASS, "com": [0, 0, 0], "inertia": np.diag([0.2, 0.2, INERTIA]).tolist()}
    return [{"name": "base"}, *({"name": name, "inertial": inertial} for name in names)]


def nut(**fields):
    """A nut that runs down an upright thread."""
    thread = joint("thread", "base", "nut", "helical", axis=[0, 0, 1], pitch=PITCH)
    return machine([thread], links=links("nut"), **fields)


def screw_jack():
    """A crank that a spindle lifts: its nut turns and rises, and carries a rod by a ball."""
    return machine(
        [
            joint("spindle", "base", "nut", "helical", axis=[0, 0, 1], pitch=PITCH),
            joint("ball", "nut", "rod", "spherical"),
            joint("crank", "base", "crank_link", at=[1.0, 0, 0]),
            joint("close_rod", "rod", "crank_link", at=[0.9, 0, 0]),
            joint("close_crank", "crank_link", "rod", at=[0, 0, 0.5]),
        ],
        links=links("nut", "rod", "crank_link"),
        motors=[servo("spindle")],
        home={"joints": {"spindle": 1.0}},
    )


# ------------------------------------------------------------------------------------ kinematics


@pytest.mark.parametrize("turn", [-7.0, 0.0, 0.3, 20.0])
def test_thread_turns_and_moves_on(turn):
    axis = np.array([0.6, 0.0, 0.8])
    one = machine([joint("thread", "base", "nut", "helical", axis=list(axis), pitch=-PITCH)])
    X = State(one.mechanism, np.array([turn])).pose("nut")
    np.testing.assert_allclose(X[:3, :3], axis_angle_matrix(axis, turn), atol=1e-15)
    np.testing.assert_allclose(X[:3, 3], -WAY * turn * axis, atol=1e-14)


def test_twist_of_a_thread():
    one = nut(motors=[servo("thread")])
    np.testing.assert_allclose(jacobian(one.home, "nut")[:, 0], [0, 0, 1, 0, 0, WAY], atol=1e-15)


def test_loop_with_a_thread():
    """The crank stands where two circles meet, and moves as their formula does."""
    one = screw_jack()

    def end_of_crank(turn):
        return one.fk({"spindle": turn}).pose("crank_link")[:3, :3] @ [0, 0, 0.5] + [1, 0, 0]

    for turn in (0.2, 1.0, 1.5):
        x, y, z = end_of_crank(turn)
        assert y == pytest.approx(0.0, abs=1e-12)
        assert math.hypot(x - 1.0, z) == pytest.approx(0.5, abs=1e-12)
        assert math.hypot(x, z - WAY * turn) == pytest.approx(0.9, abs=1e-12)
    state = one.fk({"spindle": 1.2})
    J = jacobian(state, "crank_link")[:3, 0]
    R = state.pose("crank_link")[:3, :3]
    moved = central(lambda d: one.fk({"spindle": 1.2 + d}).pose("crank_link")[:3, :3]) @ R.T
    np.testing.assert_allclose(J, [moved[2, 1], moved[0, 2], moved[1, 0]], atol=1e-8)


# -------------------------------------------------------------------------------------- dynamics


@pytest.mark.parametrize("name", FORMULATIONS)
def test_nut_falls_along_its_thread(name):
    """(I + m w^2) q'' = -m g w, with w the way for each radian: a constant acceleration."""
    sim = Simulation(nut(), formulation=name, step=STEPS[name])
    sim.run(1.0)
    wanted = -MASS * GRAVITY * WAY / (INERTIA + MASS * WAY**2)
    exact = name in ("embedded", "constrained")
    assert sim.joint("thread").position == pytest.approx(wanted / 2, rel=1e-12 if exact else 2e-4)
    assert sim.joint("thread").velocity == pytest.approx(wanted, rel=1e-12 if exact else 2e-4)
    assert abs(sim.joint("thread").position) > math.pi  # more than half a turn
    X = sim.pose("nut")
    held = 1e-5 if name == "penalty" else 1e-6
    assert X[2, 3] == pytest.approx(WAY * sim.joint("thread").position, abs=held)


@pytest.mark.parametrize("name", [n for n in FORMULATIONS if n != "embedded"])
def test_loop_with_a_thread_falls_with_its_energy(name):
    sim = Simulation(screw_jack(), formulation=name, step=STEPS[name] / 10)
    start = sim.energy().potential
    sim.run(0.1)
    kinetic, potential = sim.energy().kinetic, sim.energy().potential
    assert kinetic > 0.1
    assert kinetic + potential == pytest.approx(start, abs=2e-3 * kinetic)
    assert sim.position_error() < 1e-5


# ------------------------------------------------------------------------- files and the page


def test_exporters_say_what_their_format_cannot():
    one = nut()
    assert any("'thread' is helical" in note for note in urdf_notes(one.robot, one.topology))
    assert "'thread' is helical, which MuJoCo does not have" in mjcf_text(
        one.robot, one.topology, one.home
    )


def test_the_page_takes_it_for_an_angle():
    one = nut(motors=[servo("thread")])
    (facts,) = facts_sheet(one, 1).joints
    assert (facts.kind, facts.slides, facts.index) == ("helical", False, 0)
    assert [info.turns for info in machine_info(one.mechanism).joints] == [True]


# ---------------------------------------------------------------------- a kind of this test alone


@pytest.fixture
def cylindrical(monkeypatch):
    """A joint that turns about its axis and slides along it; nobody has it."""
    kind = JointKind(
        "cylindrical",
        (Motion(Does.TURN, "axis", "turn"), Motion(Does.SLIDE, "axis", "way")),
        (Keeps.LINE, Keeps.PARALLEL),
    )
    monkeypatch.setitem(JOINT_KINDS, kind.name, kind)


@pytest.mark.parametrize("name", FORMULATIONS)
def test_new_kind_moves(name, cylindrical):
    """It falls freely along its axis, and turns about it as it began."""
    sleeve = joint("sleeve", "base", "nut", "cylindrical", axis=[0, 0, 1])
    one = machine([sleeve], links=links("nut"))
    sim = Simulation(one, formulation=name, step=STEPS[name], velocity={"sleeve": [2.0, 0.5]})
    sim.run(0.5)
    turn, way = sim.joint("sleeve").position
    assert turn == pytest.approx(1.0, rel=1e-6)
    assert way == pytest.approx(0.25 - GRAVITY * 0.125, rel=5e-4)  # steps of first order
    assert sim.pose("nut")[2, 3] == pytest.approx(way, abs=1e-6)


def test_new_kind_closes_loops(cylindrical):
    """A crank, a rod and a sleeve on a rail: the sleeve's height follows from two lengths."""
    one = machine(
        [
            joint("crank", "base", "crank_link"),
            joint("rod", "crank_link", "rod_link", at=[0, 0, 0.5]),
            joint("pin", "rod_link", "sleeve", at=[0, 0, 1.5]),
            joint("close_base", "base", "sleeve", "cylindrical", axis=[0, 0, 1], at=[0.1, 0, 0]),
            joint("close_sleeve", "sleeve", "base", "cylindrical", axis=[0, 0, 1]),
        ],
        links=links("crank_link", "rod_link", "sleeve"),
        motors=[servo("crank")],
        home={"joints": {"crank": 0.3}},
    )
    for angle in (0.1, 0.5, 1.0):
        X = one.fk({"crank": angle}).pose("sleeve")
        across = 0.5 * math.sin(angle) - 0.1
        height = 0.5 * math.cos(angle) + math.sqrt(1.5**2 - across**2)
        np.testing.assert_allclose(X[:3, 3], [0.1, 0.0, height], atol=1e-12)


def test_new_kind_is_written_as_a_chain(cylindrical):
    one = machine([joint("sleeve", "base", "nut", "cylindrical", axis=[0, 0, 1])])
    notes = urdf_notes(one.robot, one.topology)
    assert any("'sleeve' is cylindrical: written as a hinge, then a slide" in n for n in notes)
    assert {"sleeve.1", "sleeve.2"} <= set(mjcf_text(one.robot, one.topology, one.home).split('"'))
