"""Armature, the inertia of drives' rotors: in every formulation, and refused where it cannot be.

Trees and loops with rotors are also among the examples of the other tests of this folder.
"""

import math

import numpy as np
import pytest

import headframe as hf
from build import four_bar, joint, machine, with_rotors
from headframe.bench.mechanisms import double_pendulum
from headframe.description.model import Limit
from headframe.dynamics.tree.algorithms import aba, crba, forward_dynamics, rnea
from headframe.dynamics.tree.functions import energy
from headframe.mechanism.tree import idle_links, tree_of, without_inertia
from loop_scenes import rod
from trees import body, draw, example, rotors

G = 9.81
WAYS = [
    ("embedded", "rk4"),
    ("embedded", "implicit"),
    ("embedded", "variational"),
    ("constrained", "rk4"),
    ("constrained", "semi-implicit"),
    ("constrained", "variational"),
    ("simgc", None),
]
FIRST_ORDER = ("simgc", "semi-implicit", "implicit")
BAR = (2.0, 0.6, 1.7, 1.4)  # [m] ground, crank, coupler, rocker: the crank goes round


def bar(armature=(0.0, 0.0, 0.0), turning=0.0, **fields):
    """A four-bar of rods; `turning` [kg m^2] is added to the crank's own inertia."""
    links = [rod(name, l, 3.0 * l) for name, l in zip(LINKS, BAR[1:], strict=True)]
    inertia = np.array(links[0]["inertial"]["inertia"]) + turning * np.eye(3)
    links[0]["inertial"]["inertia"] = inertia.tolist()
    one = four_bar(*BAR, links=[{"name": "ground"}, *links], **fields)
    for name, value in zip(("crank", "coupler", "rocker"), armature, strict=True):
        one = changed(one, name, armature=value)
    return one


LINKS = ("crank_link", "coupler_link", "rocker_link")


def changed(one, name, **fields):
    """The machine with other fields in one of its joints."""
    joints = tuple(j.model_copy(update=fields) if j.name == name else j for j in one.robot.joints)
    return hf.Machine(one.robot.model_copy(update={"joints": joints}))


def pendulum(armature, kind="revolute", **fields):
    """A bar of 2 kg with its centre 0.4 m below a hinge about y."""
    inertial = {"mass": 2.0, "com": [0.0, 0.0, -0.4], "inertia": (0.1 * np.eye(3)).tolist()}
    hinge = joint("hinge", "base", "bar", kind, armature=armature, **fields)
    return machine([hinge], links=[{"name": "base"}, {"name": "bar", "inertial": inertial}])


def light_arm(armature=0.0, kind="revolute"):
    """A shoulder with a body, and behind it a joint whose link weighs nothing."""
    wrist = joint("wrist", "arm", "hand", kind, at=[0.5, 0, 0], axis=[0, 1, 0], armature=armature)
    return machine(
        [joint("shoulder", "base", "arm"), wrist],
        links=[{"name": "base"}, body("arm", 2), {"name": "hand"}],
        motors=[{"name": "drive", "joint": "wrist", "torque": 3.0}],
    )


# --------------------------------------------------------------------------------------- trees


def states_of(one, count=3):
    """The tree, and random positions, velocities and accelerations."""
    tree, random = tree_of(one.mechanism), np.random.default_rng(2)
    for _ in range(count):
        yield tree, *draw(tree, random), random.normal(size=tree.nv)


def test_it_stands_on_the_diagonal_and_nowhere_else():
    """Of every freedom of every kind of joint: M, the forces of a motion, and nothing at rest."""
    plain, one = example("without rotors"), example("rotors")
    for tree, q, v, vdot in states_of(one):
        a = rotors(tree)
        assert (a > 0.0).sum() == tree.nv  # all freedoms of free, spherical and universal ones
        close(crba(one, q), crba(plain, q) + np.diag(a))
        close(rnea(one, q, v, vdot), rnea(plain, q, v, vdot) + a * vdot)
        still = np.zeros(tree.nv)
        assert np.array_equal(rnea(one, q, v, still), rnea(plain, q, v, still))
        gained = energy(one, q, v).kinetic - energy(plain, q, v).kinetic
        assert gained == pytest.approx(0.5 * a @ v**2, rel=1e-9)


def test_forward_dynamics_undo_inverse_dynamics():
    one = example("rotors")
    for _, q, v, vdot in states_of(one):
        tau = rnea(one, q, v, vdot)
        close(aba(one, q, v, tau), vdot, 1e-9)
        close(forward_dynamics(one, q, v, tau), vdot, 1e-9)


def close(found, wanted, tolerance=1e-12):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * np.abs(wanted).max())


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_period_of_a_pendulum(formulation, integrator):
    """T = 2 pi sqrt((I + m l^2 + a) / (m g l)): at rest at an end, level at a quarter of it."""
    armature, small = 0.25, 1e-4
    period = 2 * math.pi * math.sqrt((0.1 + 2.0 * 0.4**2 + armature) / (2.0 * G * 0.4))
    one = pendulum(armature)
    start = hf.State(one.mechanism, np.array([small]))
    sim = hf.Simulation(one, formulation, integrator, step=period / 4000, start=start)
    sim.run(period / 4)
    rough = formulation in FIRST_ORDER or integrator in FIRST_ORDER  # by steps, of 1000
    assert abs(sim.q[0]) < small * (2e-3 if rough else 1e-6)
    sim.run(period / 4)
    assert sim.q[0] == pytest.approx(-small, rel=5e-3 if rough else 1e-6)


def test_a_slide_falls_slower():
    """The rotor weighs nothing: m g = (m + a) z''."""
    one = pendulum(3.0, "prismatic", axis=[0, 0, 1])
    assert aba(one, [0.0], [0.0], [0.0]) == pytest.approx([-2.0 * G / (2.0 + 3.0)])


# --------------------------------------------------------------------------------------- loops


@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_on_the_ground_it_is_inertia_of_the_link(formulation, integrator):
    """A crank on the ground turns with its rotor: the same motion, energies and impacts."""
    # with embedded loops the variational steps cannot hold a crank at a stop
    stops, ends = (formulation, integrator) != ("embedded", "variational"), []
    for one in (bar((0.8, 0.0, 0.0)), bar(turning=0.8)):
        limit = Limit.make(lower=-1.0, upper=1.3) if stops else None
        sim = hf.Simulation(changed(one, "crank", limit=limit), formulation, integrator, step=1e-3)
        sim.run(0.6)
        balance = sim.energy()
        ends.append([*sim.q, *sim.v, balance.kinetic, balance.potential, balance.stops])
    assert (ends[0][-1] < -1e-2) == stops  # it did meet it
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-7, atol=1e-7)


def test_embedded_and_constrained_move_alike():
    """Rotors in all three joints of the loop, those on moving links among them."""
    one = bar((0.8, 0.5, 0.3))
    ends = []
    for formulation in ("embedded", "constrained"):
        sim = hf.Simulation(one, formulation, "rk6", step=5e-4, velocity={"crank": 2.0})
        sim.run(0.8)
        at = sim.energy()
        assert abs(at.balance) < 1e-11 * abs(at.start)
        M = crba(one, sim.q)
        assert at.kinetic == pytest.approx(sim.v @ M @ sim.v / 2, rel=1e-12)
        ends.append([*sim.q, *sim.v])
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-9)
    without = hf.Simulation(bar(), "embedded", "rk6", step=5e-4, velocity={"crank": 2.0})
    without.run(0.8)
    assert np.abs(without.q - ends[0][:3]).max() > 0.01


@pytest.mark.parametrize("formulation", ["embedded", "constrained"])
def test_variational_steps_keep_the_energy_and_are_of_second_order(formulation):
    one, runs = bar((0.8, 0.5, 0.3)), {}
    for integrator, step in (("rk6", 5e-4), ("variational", 4e-3), ("variational", 2e-3)):
        sim = hf.Simulation(one, formulation, integrator, step=step, velocity={"crank": 3.0})
        sim.run(1.0)
        runs[step] = sim.q
        if integrator == "variational":
            errors = []
            for _ in range(80):
                sim.run(0.1)
                errors.append(abs(sim.energy().balance))
            assert max(errors[40:]) < 3.0 * max(errors[:40])
    far = [np.abs(runs[step] - runs[5e-4]).max() for step in (4e-3, 2e-3)]
    assert far[0] / far[1] == pytest.approx(4.0, rel=0.1)


@pytest.mark.parametrize("kind", ["spherical", "free"])
def test_joints_that_turn_freely(kind):
    """The rotors of a ball are alike about its axes, so that none of them has a gyroscope's part.

    The variational integrator, which has its own momenta for quaternions, meets the same motion.
    """
    one = machine(
        [
            joint("ball", "base", "arm", kind, armature=0.4),
            joint("wrist", "arm", "hand", at=[0.5, 0, 0], armature=0.2),
        ],
        links=[{"name": "base"}, body("arm", 2), body("hand", 3)],
    )
    tree = tree_of(one.mechanism)
    v = np.random.default_rng(1).normal(size=tree.nv)
    ends = {}
    for formulation, integrator, step in (
        ("embedded", "rk6", 1e-3),
        ("constrained", "rk6", 1e-3),
        ("constrained", "variational", 1e-3),
        ("constrained", "variational", 5e-4),
    ):
        sim = hf.Simulation(one, formulation, integrator, step=step, velocity=v)
        sim.run(0.5)
        ends[formulation, integrator, step] = sim.q
        if integrator == "rk6":
            assert abs(sim.energy().balance) < 1e-10 * sim.energy().kinetic
    exact, other, coarse, fine = ends.values()
    np.testing.assert_allclose(other, exact, rtol=0, atol=1e-11)
    assert np.abs(coarse - exact).max() / np.abs(fine - exact).max() == pytest.approx(4.0, rel=0.1)


def test_the_ledger_of_a_driven_loop():
    """What a motor gives is in the rotors too: nothing is missing, in any formulation."""
    motor = [{"name": "drive", "joint": "crank", "torque": 40.0}]
    one = bar((0.8, 0.5, 0.3), motors=motor)
    for formulation, most in (("embedded", 1e-9), ("constrained", 1e-9), ("simgc", 1e-9)):
        sim = hf.Simulation(one, formulation, step=5e-4)
        sim.run(0.5)
        at = sim.energy()
        assert at.drives > 10.0
        assert abs(at.balance) < most * at.drives or formulation == "simgc"
        if formulation == "simgc":  # of first order
            assert abs(at.balance) < 5e-3 * at.drives
        sim.command({"drive": hf.speed(1.0)})
        sim.run(0.3)
        assert sim.v[0] == pytest.approx(1.0, abs=1e-6)


def test_cylinders_carry_it():
    """A support with rotors in its hinges: lengths as coordinates, variables, and the tree."""
    one, ends = with_rotors(hf.load("sths"), 4000.0), []
    for formulation, coordinates in (
        ("embedded", "lengths"),
        ("embedded", "variables"),
        ("constrained", "auto"),
    ):
        sim = hf.Simulation(one, formulation, "rk6", step=1e-3, coordinates=coordinates)
        sim.run(0.05)
        at = sim.energy()
        assert abs(at.balance) < 1e-6 * at.kinetic
        ends.append(sim.q)
    np.testing.assert_allclose(ends[1], ends[0], rtol=0, atol=1e-8)
    np.testing.assert_allclose(ends[2], ends[0], rtol=0, atol=1e-8)


# ------------------------------------------------------------------------- links without mass


@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
@pytest.mark.parametrize(("formulation", "integrator"), WAYS)
def test_a_link_without_mass_moves_by_its_rotor(formulation, integrator, kind):
    """Without weight it is the torque that turns it: a (w' of the link) = tau, times t^2 / 2."""
    one = light_arm(0.5, kind)
    sim = hf.Simulation(one, formulation, integrator, step=1e-3)
    sim.run(0.1)
    rough = formulation in FIRST_ORDER or integrator in FIRST_ORDER
    squared = 0.1 * (0.1 + (1e-3 if rough else 0.0))  # with speeds of the ends of steps
    assert sim.q[1] == pytest.approx(3.0 / 0.5 * squared / 2, rel=1e-6)


def test_without_armature_the_ways_out_are_named():
    one = light_arm()
    assert (without_inertia(tree_of(one.mechanism)), idle_links(tree_of(one.mechanism))) == (
        "wrist",
        ["hand"],
    )
    told = r"'wrist' moves .* `inertial`, the joint an `armature`, .* fixed joint, .*'hand'\)"
    for act in (
        lambda: aba(one, np.zeros(2), np.zeros(2), np.zeros(2)),
        lambda: hf.Simulation(one, "embedded").run(0.01),
        lambda: hf.Simulation(one, "constrained").run(0.01),
        lambda: hf.Simulation(one, "simgc").run(0.01),
    ):
        with pytest.raises(hf.DynamicsError, match=told):
            act()


def test_a_joint_with_armature_is_not_idle():
    tree = tree_of(light_arm(0.5).mechanism)
    assert (without_inertia(tree), idle_links(tree)) == ("", [])
    assert light_arm(0.5).repaired("nearest").robot.link("hand").inertial is None


def test_a_rotor_further_out_does_not_help():
    """It turns with its own joint only: the arm between has no inertia."""
    one = machine(
        [joint("shoulder", "base", "arm"), joint("wrist", "arm", "hand", armature=0.5)],
    )
    tree = tree_of(one.mechanism)
    assert (without_inertia(tree), idle_links(tree)) == ("shoulder", ["arm"])
    with pytest.raises(hf.DynamicsError, match="'shoulder' moves nothing") as caught:
        aba(one, np.zeros(2), np.zeros(2), np.zeros(2))
    assert caught.value.body == "shoulder"


@pytest.mark.parametrize("formulation", ["embedded", "constrained"])
def test_a_loop_without_mass_turns_with_one_rotor(formulation):
    """Its other links follow the crank, which turns as if they were not there."""
    motor = [{"name": "drive", "joint": "crank", "torque": 2.0}]
    one = changed(four_bar(*BAR, motors=motor), "crank", armature=0.5)
    sim = hf.Simulation(one, formulation)
    start = sim.q[0]
    sim.run(0.3)
    assert sim.q[0] - start == pytest.approx(2.0 / 0.5 * 0.3**2 / 2, rel=1e-5)


# -------------------------------------------------------------------------------- maximal


@pytest.mark.parametrize("formulation", ["simmc", "xpbd"])
def test_maximal_coordinates_refuse_it(formulation):
    with pytest.raises(hf.DynamicsError, match=r"'crank' have armature.*take 'embedded'") as caught:
        hf.Simulation(bar((0.8, 0.0, 0.0)), formulation)
    assert caught.value.body == "crank"
    hf.Simulation(bar(), formulation)


def test_a_fixed_joint_has_no_freedom_for_it():
    one = machine(
        [joint("weld", "base", "arm", "fixed", armature=2.0), joint("hinge", "arm", "hand")],
        links=[{"name": "base"}, body("arm", 2), body("hand", 3)],
    )
    assert not tree_of(one.mechanism).armature.any()
    hf.Simulation(one, "simmc")


def test_double_pendulum_in_closed_form():
    """Two bars: the rotor of the second turns with the angle between them."""
    plain = double_pendulum()
    one = with_rotors(plain)
    a = rotors(tree_of(one.mechanism))
    q, v, tau = np.array([0.4, -0.7]), np.array([1.0, 2.0]), np.array([3.0, -1.0])
    bias = rnea(plain, q, v, np.zeros(2))
    close(aba(one, q, v, tau), np.linalg.solve(crba(plain, q) + np.diag(a), tau - bias))
