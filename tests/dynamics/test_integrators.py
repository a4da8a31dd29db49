"""Integrators: order conditions of their tables, and the orders that motions show."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

import headframe as hf
from build import joint, machine
from headframe.bench.mechanisms import double_pendulum, seven_joint_arm, spinning_top
from headframe.dynamics.motion.runge_kutta import COUNTS as STAGES_OF
from headframe.dynamics.motion.runge_kutta import INTEGRATORS, TABLES
from moving import block, boom, loaded, standing_on

ORDERS = {"euler": 1, "midpoint": 2, "rk4": 4, "rk6": 6, "semi-implicit": 1, "implicit": 1}
EXPLICIT = {"euler": 1, "midpoint": 2, "rk4": 4, "rk6": 6}

# ------------------------------------------------------------------------------- order conditions


def rooted_trees(order):
    """All rooted trees of so many nodes, each as the sorted tuple of its branches."""
    if order == 1:
        return [()]
    found = set()
    for sizes in partitions(order - 1):
        for branches in choices(sizes):
            found.add(tuple(sorted(branches)))
    return sorted(found)


def partitions(total, most=None):
    """Sums of positive whole numbers, falling."""
    if total == 0:
        return [()]
    most = total if most is None else most
    return [(n, *rest) for n in range(min(total, most), 0, -1) for rest in partitions(total - n, n)]


def choices(sizes):
    """One tree of every size, in all ways."""
    if not sizes:
        return [()]
    first = sizes[0]
    count = sizes.count(first)
    here = combinations_with_replacement(rooted_trees(first), count)
    return [(*some, *rest) for some in here for rest in choices(sizes[count:])]


def nodes(tree):
    return 1 + sum(map(nodes, tree))


def density(tree):
    """Product of the sizes of all its subtrees (gamma of Butcher)."""
    return nodes(tree) * int(np.prod([density(branch) for branch in tree] or [1]))


def weights(tree, A):
    """The elementary weights of a tree at every stage."""
    found = np.ones(len(A))
    for branch in tree:
        found = found * (A @ weights(branch, A))
    return found


def table(name):
    """Coefficients and weights of an explicit method."""
    method = INTEGRATORS[name]
    stages = STAGES_OF[method]
    return TABLES[method, :stages, :stages], TABLES[method, stages, :stages]


def test_there_are_as_many_trees_as_there_should_be():
    assert [len(rooted_trees(n)) for n in range(1, 8)] == [1, 1, 2, 4, 9, 20, 48]


@pytest.mark.parametrize("name", EXPLICIT)
def test_order_conditions(name):
    """b . Phi(t) = 1 / gamma(t) for every rooted tree up to the order, and not all beyond."""
    A, b = table(name)
    assert np.array_equal(A, np.tril(A, -1))
    order = EXPLICIT[name]

    def gaps(n):
        return [b @ weights(tree, A) - 1.0 / density(tree) for tree in rooted_trees(n)]

    for n in range(1, order + 1):
        np.testing.assert_allclose(gaps(n), 0.0, atol=1e-14)
    assert np.abs(gaps(order + 1)).max() > 1e-4


# ------------------------------------------------------------------------------- observed orders


def ends(one, integrator, seconds, counts, **fields):
    """Positions and velocities at the end, for each number of steps."""
    found = []
    for count in counts:
        sim = hf.Simulation(one, integrator=integrator, step=seconds / count, **fields)
        sim.step(count)
        found.append(np.concatenate([sim.q, sim.v]))
    return found


def observed(one, integrator, seconds, count, **fields):
    """Order of convergence from three step sizes, each half of the one before."""
    a, b, c = ends(one, integrator, seconds, (count, 2 * count, 4 * count), **fields)
    return np.log2(np.linalg.norm(a - b) / np.linalg.norm(b - c))


def swinging():
    """A start velocity for the seven joints of an arm."""
    return np.array([0.4, -0.8, 0.6, 1.1, -0.5, 0.9, 2.0])


COUNTS = {1: 400, 2: 50, 4: 20, 6: 10}


@pytest.mark.parametrize("name", ORDERS)
def test_order_on_an_arm(name):
    order = ORDERS[name]
    found = observed(seven_joint_arm(), name, 0.4, COUNTS[order], velocity=swinging())
    assert found == pytest.approx(order, abs=0.15 if order < 6 else 0.4)


@pytest.mark.parametrize("coordinates", ["lengths", "variables"])
@pytest.mark.parametrize("name", ORDERS)
def test_order_on_a_machine_with_loops(name, coordinates):
    """A boom with its cylinder, swinging inside its stroke."""
    order = ORDERS[name]
    found = observed(boom(), name, 0.15, COUNTS[order] // 2, coordinates=coordinates)
    assert found == pytest.approx(order, abs=0.15 if order < 6 else 0.4)


@pytest.mark.parametrize("name", [*ORDERS, "variational"])
def test_order_on_the_constrained_tree(name):
    """The same boom, its cylinder held by multipliers."""
    order = ORDERS.get(name, 2)
    found = observed(boom(), name, 0.15, COUNTS[order] // 2, formulation="constrained")
    assert found == pytest.approx(order, abs=0.15 if order < 6 else 0.5)


@pytest.mark.parametrize("formulation", ["auto", "constrained"])
@pytest.mark.parametrize("name", [*ORDERS, "variational"])
@pytest.mark.parametrize("model", ["five_link_chain", "peaucellier", "gripper"])
def test_every_integrator_moves_every_model(model, name, formulation):
    """Dry friction and repeaters included, which are stiff where a motion begins."""
    exact = hf.Simulation(loaded(model), formulation, "rk6", step=1e-4)
    exact.run(0.05)
    sim = hf.Simulation(loaded(model), formulation, name, step=5e-4)
    sim.run(0.05)
    np.testing.assert_allclose(sim.q, exact.q, atol=2e-3)


@pytest.mark.parametrize("name", ["rk4", "rk6"])
def test_order_on_the_roadheader(name):
    """It falls for 0.1 s without reaching a stop."""
    found = observed(loaded("roadheader"), name, 0.1, 5)
    assert found == pytest.approx(ORDERS[name], abs=0.3 if name == "rk4" else 0.7)


@pytest.mark.parametrize("name", ORDERS)
def test_order_with_quaternions(name):
    """A heavy top, tilted and spinning."""
    one = spinning_top()
    tilted = hf.State(one.mechanism, np.array([np.cos(0.2), np.sin(0.2), 0.0, 0.0]))
    order = ORDERS[name]
    spin = np.array([1.0, 2.0, 30.0])
    found = observed(one, name, 0.2, COUNTS[order], start=tilted, velocity=spin)
    assert found == pytest.approx(order, abs=0.2 if order < 6 else 0.5)


@pytest.mark.parametrize("name", ["rk4", "rk6"])
def test_order_of_a_machine_on_a_free_joint(name):
    one = standing_on(boom(), "free")
    velocity = np.zeros(hf.Simulation(one).v.size)
    velocity[one.mechanism.velocity_of_joint["below"]] = 0.5, -1.0, 1.7, 0.1, 0.2, 0.3
    velocity[-1] = 0.3  # of the cylinder
    found = observed(one, name, 0.5, 10, velocity=velocity)
    assert found == pytest.approx(ORDERS[name], abs=0.3)


@pytest.mark.parametrize("name", ORDERS)
def test_all_integrators_agree_in_the_limit(name):
    """All converge to what RK6 finds with small steps."""
    exact = ends(double_pendulum(), "rk6", 0.5, [400])[0]
    count = {1: 20000, 2: 2000, 4: 200, 6: 100}[ORDERS[name]]
    found = ends(double_pendulum(), name, 0.5, [count])[0]
    np.testing.assert_allclose(found, exact, atol=1e-3 if ORDERS[name] == 1 else 1e-5)


@pytest.mark.parametrize("name", ORDERS)
def test_quaternions_stay_unit(name):
    one = spinning_top()
    sim = hf.Simulation(one, integrator=name, velocity=[5.0, 3.0, 40.0])
    sim.step(500)
    assert np.linalg.norm(sim.q) == pytest.approx(1.0, abs=1e-15)


# ----------------------------------------------------------------------- one step, by the formulas


def damped(damping):
    """A mass of 2 kg on an upright slide: v' = -g - damping v / 2."""
    slide = joint("slide", "base", "box", "prismatic", axis=[0, 0, 1], damping=damping)
    return machine([slide], links=[{"name": "base"}, block("box", 2.0)])


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("euler", lambda v, h, a: (h * v, v + h * a(v))),
        ("semi-implicit", lambda v, h, a: (h * (v + h * a(v)), v + h * a(v))),
        ("midpoint", lambda v, h, a: (h * (v + h / 2 * a(v)), v + h * a(v + h / 2 * a(v)))),
        (
            "implicit",
            lambda v, h, a: tuple((v - 9.81 * h) / (1.0 + 1.5 * h) * x for x in (h, 1.0)),
        ),
    ],
)
def test_one_step(name, wanted):
    h, v = 0.1, 0.7
    sim = hf.Simulation(damped(3.0), integrator=name, step=h, velocity=[v])
    sim.step()
    assert (sim.q[0], sim.v[0]) == pytest.approx(wanted(v, h, lambda x: -9.81 - 1.5 * x), rel=1e-12)


def test_implicit_euler_takes_steps_that_others_cannot():
    """Damping so strong that an explicit step of that size diverges."""
    sim = hf.Simulation(damped(1e4), integrator="implicit", step=0.1)
    sim.step(100)
    assert sim.v[0] == pytest.approx(-2.0 * 9.81 / 1e4, rel=1e-9)
    with pytest.raises(hf.DynamicsError):
        hf.Simulation(damped(1e4), integrator="rk4", step=0.1).step(1000)
