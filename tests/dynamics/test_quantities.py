"""Jacobians, momentum, centre of mass, energy and Cholesky over a tree, and what is refused."""

from functools import partial

import numpy as np
import pytest

import headframe
from build import joint, machine
from finite_differences import central
from headframe.bench.mechanisms import free_body, seven_joint_arm, simple_pendulum
from headframe.dynamics import linear
from headframe.dynamics.records import TREE
from headframe.dynamics.status import DynamicsStatus
from headframe.dynamics.tree import (
    articulated,
    composite_inertia,
    newton_euler,
    placing,
    quantities,
)
from headframe.dynamics.tree.algorithms import aba, crba, forward_dynamics, rnea
from headframe.dynamics.tree.calling import place_of, pulls_on_bodies
from headframe.dynamics.tree.functions import (
    body_jacobian,
    centre_of_mass,
    energy,
    momentum,
)
from headframe.dynamics.tree.memory import bodies_of, pack_tree, placed
from headframe.errors import DynamicsError, NotAMachineError, StateError, UnknownElementError
from headframe.jit import Packing, header, records
from headframe.mechanism.records import FREEDOM
from headframe.mechanism.tree import tree_of
from headframe.spatial import algebra
from plain_python import run_as_python
from trees import EXAMPLES, body, draw, energies, example, moved, rotors

MODULES = (algebra, articulated, composite_inertia, linear, newton_euler, placing, quantities)
POINT = np.array([0.3, -0.2, 0.5])


@pytest.fixture(params=EXAMPLES)
def one(request):
    return example(request.param)


def states(one, count=3):
    """The tree, and random positions and velocities with another vector."""
    tree, random = tree_of(one.mechanism), np.random.default_rng(12)
    for _ in range(count):
        yield tree, *draw(tree, random), random.normal(size=tree.nv)


def close(found, wanted, tolerance=1e-11):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * (1 + np.abs(wanted).max()))


def poses(tree, q):
    """Poses of all links, (4, 4) by name."""
    bodies = placed(tree, q)
    return {name: tree.pose(bodies, name) for name in tree.freedom_of_link}


def links_with_mass(one):
    return [link for link in one.links if link.inertial is not None]


# ------------------------------------------------------------------------------------ Jacobians


def test_jacobian_is_the_rate_of_the_pose(one):
    """Of every link, tubes and rods among them, and column by column by finite differences."""
    for tree, q, v, _ in states(one, 2):
        there = poses(tree, q)
        # 1e-5: an error of h^2 beside rounding over h
        rates = [
            {name: (ahead[name] - back[name]) / 2e-5 for name in there}
            for ahead, back in (
                (poses(tree, moved(tree, q, 1e-5 * u)), poses(tree, moved(tree, q, -1e-5 * u)))
                for u in (*np.eye(tree.nv), v)
            )
        ]
        for name, X in there.items():
            J = body_jacobian(one.mechanism, q, name, POINT)
            assert J.shape == (6, tree.nv)
            spins = [rate[name][:3, :3] @ X[:3, :3].T for rate in rates]
            columns = [
                [spin[2, 1], spin[0, 2], spin[1, 0], *(rate[name] @ [*POINT, 1.0])[:3]]
                for spin, rate in zip(spins, rates, strict=True)
            ]
            close(J, np.transpose(columns[:-1]), 1e-8)
            close(J @ v, columns[-1], 1e-8)


def test_point_is_the_links_origin_if_none_is_given(one):
    for tree, q, _, _ in states(one, 1):
        for name, X in poses(tree, q).items():
            J = body_jacobian(one.mechanism, q, name)
            close(J, body_jacobian(one.mechanism, q, name, np.zeros(3)), 0.0)
            far = body_jacobian(one.mechanism, q, name, POINT)
            arm = X[:3, :3] @ POINT
            close(far[:3], J[:3], 0.0)
            close(far[3:], J[3:] + np.cross(J[:3].T, arm).T)


def test_mass_matrix_is_that_of_the_jacobians(one):
    """M = sum of J^T I J over the links, each at its own centre, and the rotors."""
    for tree, q, _, _ in states(one):
        M, there = np.diag(rotors(tree)), poses(tree, q)
        for link in links_with_mass(one):
            J = body_jacobian(one.mechanism, q, link.name, link.inertial.com)
            R = there[link.name][:3, :3]
            M += J[:3].T @ R @ np.array(link.inertial.inertia) @ R.T @ J[:3]
            M += link.inertial.mass * J[3:].T @ J[3:]
        close(crba(one.mechanism, q), M)


def test_forces_by_the_jacobian(one):
    """A force on a link costs J^T f, J being that of the base's origin carried along."""
    wrench = np.array([3.0, -2.0, 1.0, 5.0, 4.0, -6.0])
    for tree, q, v, vdot in states(one, 1):
        without = rnea(one.mechanism, q, v, vdot)
        for name, X in poses(tree, q).items():
            origin = np.linalg.inv(X)[:3, 3]
            J = body_jacobian(one.mechanism, q, name, origin)
            under = rnea(one.mechanism, q, v, vdot, wrenches={name: wrench})
            close(without - under, J.T @ wrench, 1e-11 * (1 + np.abs(without).max()))


def test_a_link_on_the_base_does_not_move():
    one = example("roadheader")
    tree = tree_of(one.mechanism)
    fixed = [name for name, freedom in tree.freedom_of_link.items() if freedom < 0]
    assert fixed
    for name in fixed:
        assert not body_jacobian(one, tree.q_zero, name, POINT).any()


# -------------------------------------------------------- momentum, centre of mass and energy


def test_momentum_is_that_of_the_links(one):
    """Sum of m v and of the spins, each link's from its Jacobian."""
    for tree, q, v, _ in states(one):
        total, there = np.zeros(6), poses(tree, q)
        for link in links_with_mass(one):
            X, m = there[link.name], link.inertial.mass
            J = body_jacobian(one.mechanism, q, link.name, link.inertial.com)
            spin, speed = J[:3] @ v, J[3:] @ v
            J_C = X[:3, :3] @ np.array(link.inertial.inertia) @ X[:3, :3].T
            p_WC = (X @ [*link.inertial.com, 1.0])[:3]
            total += [*(J_C @ spin + m * np.cross(p_WC, speed)), *(m * speed)]
        close(momentum(one.mechanism, q, v), total)
        close(momentum(one.mechanism, q, v), energies(tree, q, v)[2])


def test_linear_momentum_is_that_of_the_centre(one):
    for tree, q, v, _ in states(one, 2):
        mass = centre_of_mass(one.mechanism, q).mass

        def centre(h, tree=tree, q=q, v=v):
            return centre_of_mass(one.mechanism, moved(tree, q, h * v)).position

        close(mass * central(centre, 1e-5), momentum(one.mechanism, q, v)[3:], 1e-7)


def test_centre_of_mass_is_that_of_all_links(one):
    """With those that stand on the base."""
    for tree, q, _, _ in states(one):
        there, bodies = poses(tree, q), links_with_mass(one)
        mass = sum(link.inertial.mass for link in bodies)
        moment = sum(
            link.inertial.mass * (there[link.name] @ [*link.inertial.com, 1.0])[:3]
            for link in bodies
        )
        found = centre_of_mass(one.mechanism, q)
        assert found.mass == pytest.approx(mass, rel=1e-13)
        assert found.position.shape == (3,)
        close(found.position, moment / mass)


def test_energy_is_that_of_the_mass_matrix_and_of_the_heights(one):
    for tree, q, v, _ in states(one):
        found, there = energy(one.mechanism, q, v), poses(tree, q)
        assert found.kinetic == pytest.approx(v @ crba(one.mechanism, q) @ v / 2, rel=1e-11)
        heights = [
            -link.inertial.mass * tree.gravity @ (there[link.name] @ [*link.inertial.com, 1.0])[:3]
            for link in links_with_mass(one)
            if tree.freedom_of_link[link.name] >= 0
        ]
        assert found.potential == pytest.approx(sum(heights), abs=1e-11 * np.abs(heights).sum())
        assert found.total == found.kinetic + found.potential
        kinetic, potential = found
        assert (kinetic, potential) == pytest.approx(energies(tree, q, v)[:2], rel=1e-13)


def test_energy_is_that_of_a_simulation():
    one = example("roadheader")
    sim = headframe.Simulation(one)
    sim.run(0.05)
    # under `embedded`, q and v are those of the tree
    found, wanted = energy(one, sim.q, sim.v), sim.energy()
    assert found.kinetic == pytest.approx(wanted.kinetic, rel=1e-9)
    assert found.potential == pytest.approx(wanted.potential, rel=1e-12)


# -------------------------------------------------------------------- forward dynamics by Cholesky


def test_cholesky_and_articulated_bodies_agree(one):
    for _, q, v, tau in states(one):
        M = crba(one.mechanism, q)
        scale = max(1.0, 1e-5 * np.linalg.cond(M))  # which amplifies the rounding of both
        close(forward_dynamics(one, q, v, tau), aba(one, q, v, tau), 1e-10 * scale)
        wrenches = {link.name: np.arange(6.0) for link in one.links}
        found = forward_dynamics(one, q, v, tau, wrenches)
        close(found, aba(one, q, v, tau, wrenches=wrenches), 1e-10 * scale)
        # the forces of the motion found are those that were given
        needed = rnea(one, q, v, found, wrenches=wrenches)
        size = np.abs(M).max() * np.abs(found).max() + np.abs(rnea(one, q, v, 0 * v)).max()
        np.testing.assert_allclose(needed, tau, rtol=0, atol=1e-12 * size)


def test_forward_dynamics_undoes_inverse_dynamics(one):
    for _, q, v, vdot in states(one):
        tau = rnea(one.mechanism, q, v, vdot)
        close(forward_dynamics(one.mechanism, q, v, tau), vdot, 1e-8)  # cylinders, as for aba


def test_free_body_falls_and_turns_by_eulers_equations():
    J = np.array([0.3, 0.5, 0.7])
    one = free_body(tuple(J))
    q, v = draw(tree_of(one.mechanism), np.random.default_rng(5))
    vdot = forward_dynamics(one.mechanism, q, v, np.zeros(6))
    close(vdot, np.array([*(-np.cross(v[:3], J * v[:3]) / J), 0.0, 0.0, -9.81]))


def test_the_answer_may_take_the_place_of_the_forces():
    one = example("mixed")
    for _, q, v, tau in states(one, 1):
        wanted = forward_dynamics(one, q, v, tau)
        assert forward_dynamics(one, q, v, tau, out=tau) is tau
        assert np.array_equal(tau, wanted)
        both = v.copy()
        assert np.array_equal(
            forward_dynamics(one, q, both, wanted, out=both), forward_dynamics(one, q, v, wanted)
        )


def massless_leaf():
    links = [body("base", 1), body("arm", 2), {"name": "flag"}]
    slide = joint("halyard", "arm", "flag", "prismatic")
    return machine([joint("shoulder", "base", "arm"), slide], links=links), "halyard"


def thin_rod():
    """It turns about its own line, which is not the base's."""
    rod = {"mass": 1.0, "com": [0.5, 0, 0], "inertia": [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}
    links = [body("base", 1), {"name": "rod", "inertial": rod}, body("hand", 3)]
    roll = joint("roll", "base", "rod", axis=[1, 0, 0], at=[0.1, 0.2, 0.3], rpy=[0.3, 0.2, 0.1])
    return machine([joint("other", "base", "hand"), roll], links=links), "roll"


def one_line():
    """Two hinges on one line with nothing between them."""
    links = [body("base", 1), {"name": "ring"}, body("arm", 2)]
    where = {"axis": [0.6, 0.8, 0.0], "at": [0.1, 0.2, 0.3], "rpy": [0.3, 0.2, 0.1]}
    second = joint("inner", "ring", "arm", axis=[0.6, 0.8, 0.0])
    return machine([joint("outer", "base", "ring", **where), second], links=links), "inner"


@pytest.mark.parametrize("make", [massless_leaf, thin_rod, one_line])
def test_where_the_matrix_is_not_positive_definite(make):
    one, name = make()
    random = np.random.default_rng(1)
    for _ in range(20):
        q, v, tau = random.normal(size=(3, 2))
        with pytest.raises(DynamicsError, match=f"not positive definite at '{name}'") as caught:
            forward_dynamics(one, q, v, tau)
        assert caught.value.body == name
        with pytest.raises(DynamicsError):  # of articulated bodies neither
            aba(one, q, v, tau)


# ------------------------------------------------------------------------------------ Python


@pytest.mark.parametrize("name", ["mixed", "y up", "rotors", "roadheader"])
def test_plain_python_gives_the_same(name, monkeypatch):
    """Every kernel as plain Python, in the kernels that call it too."""
    one = example(name)
    tree, q, v, tau = next(states(one, 1))
    compiled = run_all(one, tree, q, v, tau)
    run_as_python(monkeypatch, *MODULES)
    for found, wanted in zip(run_all(one, tree, q, v, tau), compiled, strict=True):
        close(found, wanted, 1e-9)


def run_all(one, tree, q, v, tau):
    """Results of all kernels that are called from outside."""
    nv, memory = tree.nv, pack_tree(tree)
    shapes = [(6, nv), (6, nv), (6,), (4,), (2,), (nv,), (nv,)]
    J, J_base, h, centre, found, vdot, pulled = results = [np.full(n, np.nan) for n in shapes]
    scratch, root = new_matrices(nv, np.nan), one.robot.links[one.topology.root].name
    last = place_of(tree, list(tree.freedom_of_link)[-1])
    statuses = [
        quantities.body_jacobian(memory, last, POINT, q, J),
        quantities.body_jacobian(memory, place_of(tree, root), POINT, q, J_base),
        quantities.momentum(memory, q, v, h),
        quantities.centre_of_mass(memory, np.arange(4.0), q, centre),
        quantities.energy(memory, q, v, found),
        quantities.forward_dynamics(memory, scratch, q, v, tau, vdot),
    ]
    pulls = pulls_on_bodies(tree, {link.name: np.arange(6.0) for link in one.links})
    bodies_of(memory)["pull"] = pulls
    statuses.append(quantities.forward_dynamics(memory, scratch, q, v, tau, pulled))
    assert statuses == [DynamicsStatus.OK] * 7
    return results


def new_matrices(nv, value=0.0):
    """Scratch memory of `forward_dynamics`, full of a value."""
    packing = Packing(quantities.MATRICES)
    packing.add("M", np.full((nv, nv), value))
    packing.add("L", np.full((nv, nv), value))
    return packing.buffer()


def test_statuses_as_plain_python(monkeypatch):
    run_as_python(monkeypatch, *MODULES)
    tree = tree_of(simple_pendulum().mechanism)
    one, two = np.zeros(1), np.zeros(2)
    at = Packing(quantities.LINK, freedom=0, X_FL=np.eye(3, 4)).buffer()
    memory, matrices = pack_tree(tree), new_matrices(1)

    def run(q, v, size, tau=one, point=POINT):
        return [
            quantities.body_jacobian(memory, at, point, q, np.zeros((6, size))),
            quantities.momentum(memory, q, v, np.zeros(5 + size)),
            quantities.centre_of_mass(memory, np.zeros(4), q, np.zeros(3 + size)),
            quantities.energy(memory, q, v, np.zeros(1 + size)),
            quantities.forward_dynamics(memory, matrices, q, v, tau, np.zeros(size)),
        ]

    assert run(one, one, 1) == [DynamicsStatus.OK] * 5
    assert run(two, two, 1) == [DynamicsStatus.WRONG_SIZE] * 5
    assert run(one, one, 2) == [DynamicsStatus.WRONG_SIZE] * 5
    assert run(one, one, 1, two, two)[::4] == [DynamicsStatus.WRONG_SIZE] * 2
    assert run(np.array([np.nan]), one, 1) == [DynamicsStatus.NOT_FINITE] * 5
    records(memory, header(memory, TREE).freedoms, FREEDOM)["body"] = 0.0
    found = run(one, one, 1)
    assert found[2::2] == [DynamicsStatus.NO_INERTIA, DynamicsStatus.NOT_POSITIVE]  # at freedom 0
    assert found[:2] == [DynamicsStatus.OK] * 2


# ---------------------------------------------------------------------------- what is refused

CALLS = {
    "rnea": (rnea, ("q", "v", "vdot")),
    "crba": (crba, ("q",)),
    "aba": (aba, ("q", "v", "tau")),
    "forward_dynamics": (forward_dynamics, ("q", "v", "tau")),
    "body_jacobian": (partial(body_jacobian, link="link_7"), ("q",)),
    "momentum": (momentum, ("q", "v")),
    "centre_of_mass": (centre_of_mass, ("q",)),
    "energy": (energy, ("q", "v")),
}
NEW = [name for name in CALLS if name not in ("rnea", "crba", "aba")]
WITH_OUT = ["forward_dynamics", "body_jacobian"]


@pytest.fixture(scope="module")
def arm():
    return seven_joint_arm()


def given(name):
    """Right arguments of a function, for the arm."""
    return list(np.random.default_rng(9).normal(size=(len(CALLS[name][1]), 7)))


def numbers(answer):
    """An answer as one vector."""
    return np.concatenate([np.ravel(part) for part in answer])


@pytest.mark.parametrize("name", CALLS)
def test_a_machine_is_taken_for_its_mechanism(name, arm):
    function, values = CALLS[name][0], given(name)
    wanted = numbers(function(arm.mechanism, *values))
    for _ in range(2):
        assert np.array_equal(numbers(function(arm, *values)), wanted)
    assert np.array_equal(numbers(function(arm, *map(list, values))), wanted)


@pytest.mark.parametrize("name", CALLS)
def test_what_is_no_machine(name, arm):
    function, values = CALLS[name][0], given(name)
    for wrong in (None, {}, [], "roadheader", 3, np.zeros(7), arm.home, headframe.Machine):
        with pytest.raises(NotAMachineError, match=r"^found .*, expected a Machine"):
            function(wrong, *values)


@pytest.mark.parametrize("name", NEW)
def test_anything_like_an_array_is_taken(name, arm):
    function, values = CALLS[name][0], given(name)
    wanted = numbers(function(arm, *values))
    frozen = [one.copy() for one in values]
    for one in frozen:
        one.flags.writeable = False
    gaps = [np.repeat(one, 2)[::2] for one in values]
    for others in ([list(one) for one in values], [tuple(one) for one in values], frozen, gaps):
        assert np.array_equal(numbers(function(arm, *others)), wanted)
    assert np.array_equal(values, given(name))


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("wrong", [np.zeros(6), np.zeros((7, 1)), 1.0, [], None, ["a"] * 7, {}])
def test_wrong_arrays(name, wrong, arm):
    function, names = CALLS[name]
    for n, argument in enumerate(names):
        values = given(name)
        values[n] = wrong
        with pytest.raises(StateError, match=rf"^{argument}: found .*, expected .*\(7,\)"):
            function(arm, *values)


@pytest.mark.parametrize("name", NEW)
@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none(name, number, arm):
    function, names = CALLS[name]
    for n, argument in enumerate(names):
        values = given(name)
        values[n][4] = number
        with pytest.raises(StateError, match=rf"^{argument}: found numbers that are not finite"):
            function(arm, *values)


def test_numbers_too_large(arm):
    huge = np.full(7, 1e200)
    for call in (
        partial(forward_dynamics, arm, np.zeros(7), huge, np.zeros(7)),
        partial(energy, arm, np.zeros(7), huge),
        partial(momentum, arm, np.zeros(7), 1e108 * huge),
        partial(body_jacobian, arm, np.zeros(7), "link_7", [1e308, 1e308, 1e308]),
    ):
        with pytest.raises(StateError, match="too large"):
            call()
    slides = example("prismatic")
    for call in (partial(forward_dynamics, v=np.zeros(3), tau=np.zeros(3)), centre_of_mass):
        with pytest.raises(StateError, match="too large"):
            call(slides, q=np.full(3, 1e308))


@pytest.mark.parametrize("name", WITH_OUT)
def test_answer_goes_where_it_is_wanted(name, arm):
    function, values = CALLS[name][0], given(name)
    wanted = function(arm, *values)
    for others in (values, [list(one) for one in values]):
        out = np.full_like(wanted, np.nan)
        assert function(arm, *others, out=out) is out
        assert np.array_equal(out, wanted)


@pytest.mark.parametrize("name", WITH_OUT)
def test_answers_that_do_not_fit(name, arm):
    function, values = CALLS[name][0], given(name)
    right = function(arm, *values)
    frozen = right.copy()
    frozen.flags.writeable = False
    wrong = [right[:-1].copy(), right.astype(np.float32), list(right), frozen, np.zeros((3, 3, 3))]
    if right.ndim == 2:
        wrong += [np.asfortranarray(right), np.zeros((7, 6))]
    for out in wrong:
        with pytest.raises(StateError, match=r"^out: found "):
            function(arm, *values, out=out)


def test_links_and_points_that_are_none(arm):
    with pytest.raises(UnknownElementError, match="did you mean 'link_7'"):
        body_jacobian(arm, np.zeros(7), "link_77")
    for wrong in (None, 3, ["link_7"], {}):
        with pytest.raises(UnknownElementError, match="expected its name"):
            body_jacobian(arm, np.zeros(7), wrong)
    for wrong in (np.zeros(2), np.zeros(4), 1.0, "abc", {}, ["a"] * 3):
        with pytest.raises(StateError, match=r"^point: found .*, expected .*\(3,\)"):
            body_jacobian(arm, np.zeros(7), "link_7", wrong)
    with pytest.raises(StateError, match=r"^point: found numbers that are not finite"):
        body_jacobian(arm, np.zeros(7), "link_7", np.array([0.0, np.nan, 0.0]))
    wanted = body_jacobian(arm, np.zeros(7), "link_7", np.array([1.0, 2.0, 3.0]))
    assert np.array_equal(body_jacobian(arm, np.zeros(7), "link_7", [1, 2, 3]), wanted)


@pytest.mark.parametrize("function", [rnea, aba, forward_dynamics])
def test_wrenches_that_are_none(function, arm):
    zeros = np.zeros(7)
    for wrong in ([], [np.zeros(6)], np.zeros((7, 6)), "link_7", 3.0, ("link_7", np.zeros(6))):
        with pytest.raises(StateError, match=r"^wrenches: found .*, expected .* by link"):
            function(arm, zeros, zeros, zeros, wrenches=wrong)
    with pytest.raises(UnknownElementError, match="did you mean 'link_7'"):
        function(arm, zeros, zeros, zeros, wrenches={"link_77": np.zeros(6)})
    with pytest.raises(StateError, match="wrench on 'link_7'"):
        function(arm, zeros, zeros, zeros, wrenches={"link_7": np.zeros(3)})
    # and forces of a call are gone in the next one
    wanted = function(arm, zeros, zeros, zeros)
    function(arm, zeros, zeros, zeros, wrenches={"link_7": np.ones(6)})
    assert np.array_equal(function(arm, zeros, zeros, zeros), wanted)


def test_nothing_has_no_centre():
    one = machine([joint("a", "base", "arm")], links=[{"name": "base"}, {"name": "arm"}])
    with pytest.raises(DynamicsError, match="no link has mass"):
        centre_of_mass(one, [0.0])
    assert not momentum(one, [0.0], [1.0]).any()
    assert energy(one, [0.0], [1.0]) == (0.0, 0.0)


def test_a_machine_that_does_not_move():
    one = machine([joint("a", "base", "arm", "fixed")], links=[body("base", 1), body("arm", 2)])
    assert forward_dynamics(one, [], [], []).shape == (0,)
    assert body_jacobian(one, [], "arm").shape == (6, 0)
    mass = sum(link.inertial.mass for link in one.links)
    assert centre_of_mass(one, []).mass == pytest.approx(mass)
    assert energy(one, [], []) == (0.0, 0.0)
