"""RNEA, CRBA and ABA: identities between them, energy, closed forms, and what they refuse."""

import math
from functools import partial

import numpy as np
import pytest

from build import joint, machine
from finite_differences import central
from headframe.bench.mechanisms import free_body, seven_joint_arm, simple_pendulum
from headframe.dynamics.records import TREE
from headframe.dynamics.status import DynamicsStatus
from headframe.dynamics.tree import (
    articulated,
    composite_inertia,
    newton_euler,
    placing,
)
from headframe.dynamics.tree.algorithms import aba, crba, rnea
from headframe.dynamics.tree.calling import pulls_on_bodies, ready
from headframe.dynamics.tree.memory import bodies_of, pack_tree, placed
from headframe.errors import DynamicsError, StateError, UnknownElementError
from headframe.jit import header, records
from headframe.jit.entries import compile_entry, entries_of
from headframe.mechanism import State
from headframe.mechanism.records import FREEDOM
from headframe.mechanism.tree import tree_of
from headframe.spatial import algebra
from plain_python import run_as_python
from trees import EXAMPLES, body, draw, energies, example, moved

MODULES = (algebra, articulated, composite_inertia, newton_euler, placing)
SMALL = ("mixed", "y up", "rotors", "roadheader")  # enough where plain Python runs


@pytest.fixture(params=EXAMPLES)
def one(request):
    return example(request.param)


@pytest.fixture
def as_python(monkeypatch):
    """Every kernel as plain Python, in the kernels that call it too."""
    run_as_python(monkeypatch, *MODULES)


def states(one, count=4):
    """The tree, and random positions and velocities with two more vectors."""
    tree, random = tree_of(one.mechanism), np.random.default_rng(2)
    for _ in range(count):
        yield tree, *draw(tree, random), random.normal(size=tree.nv), random.normal(size=tree.nv)


def close(found, wanted, tolerance=1e-11):
    np.testing.assert_allclose(found, wanted, rtol=0, atol=tolerance * (1 + np.abs(wanted).max()))


# ------------------------------------------------------------------------------- identities


def test_forward_dynamics_undoes_inverse_dynamics(one):
    for _, q, v, vdot, _ in states(one):
        tau = rnea(one.mechanism, q, v, vdot)
        close(aba(one.mechanism, q, v, tau), vdot, 1e-8)  # cylinders: M's condition is 1e7


def test_mass_matrix_is_symmetric_and_positive(one):
    for _, q, _, _, _ in states(one):
        M = crba(one.mechanism, q)
        assert np.array_equal(M, M.T)
        assert np.linalg.eigvalsh(M).min() > 0.0


def test_columns_of_the_mass_matrix(one):
    """Each is what an acceleration of one freedom costs."""
    for tree, q, _, _, _ in states(one, 2):
        M, rest = crba(one.mechanism, q), np.zeros(tree.nv)
        still = rnea(one.mechanism, q, rest, rest)
        for column, unit in zip(M.T, np.eye(tree.nv), strict=True):
            close(rnea(one.mechanism, q, rest, unit) - still, column)


def test_forward_dynamics_by_cholesky(one):
    """M vdot + bias = tau."""
    for tree, q, v, _, tau in states(one):
        bias = rnea(one.mechanism, q, v, np.zeros(tree.nv))
        L = np.linalg.cholesky(crba(one.mechanism, q))
        vdot = np.linalg.solve(L.T, np.linalg.solve(L, tau - bias))
        close(aba(one.mechanism, q, v, tau), vdot, 1e-8)


def test_impulse_response_is_the_inverse_of_the_mass_matrix(one):
    for tree, q, v, _, impulse in states(one, 2):
        aba(one.mechanism, q, v, impulse)  # leaves the articulated inertias behind
        memory = ready(one.mechanism)[0]  # what `aba` has worked in
        dv = np.full(tree.nv, np.nan)
        articulated.respond(tree.freedoms, impulse, bodies_of(memory), dv)
        close(crba(one.mechanism, q) @ dv, impulse, 1e-9)


def test_universal_joint_is_two_hinges():
    at, axes = {"at": [0.1, 0.2, 0.3], "rpy": [0.3, 0.2, 0.1]}, ([0.6, 0.8, 0.0], [0.0, 0.0, 1.0])
    links = [body("base", 1), body("arm", 2), body("hand", 3)]
    tail = joint("tail", "arm", "hand", at=[0.5, 0, 0])
    cross = machine(
        [joint("u", "base", "arm", "universal", axis=axes[0], axis2=axes[1], **at), tail],
        links=links,
    )
    hinges = machine(
        [
            joint("u1", "base", "between", axis=axes[0], **at),
            joint("u2", "between", "arm", axis=axes[1]),
            tail,
        ],
        links=[*links, {"name": "between"}],
    )
    random = np.random.default_rng(3)
    q, v, vdot = random.normal(size=(3, 3))
    close(rnea(cross.mechanism, q, v, vdot), rnea(hinges.mechanism, q, v, vdot))
    close(crba(cross.mechanism, q), crba(hinges.mechanism, q))
    close(aba(cross.mechanism, q, v, vdot), aba(hinges.mechanism, q, v, vdot))


def test_welded_body_counts_for_its_carrier():
    """Two links, one fixed to the other, are one link with the inertia of both."""
    links = [body("base", 1), body("arm", 2), body("hand", 3)]
    hinge = joint("hinge", "base", "arm", axis=[0, 0.6, 0.8], at=[0.1, 0, 0])
    weld = joint("weld", "arm", "hand", "fixed", at=[0.3, 0.2, 0.1], rpy=[0.2, 0.5, 0.1])
    two = machine([hinge, weld], links=links)
    # inertia of both in the arm's axes, from their poses
    X_AH = np.linalg.inv(two.home.pose("arm")) @ two.home.pose("hand")
    parts = []
    for link, X in (("arm", np.eye(4)), ("hand", X_AH)):
        inertial, R = two.robot.link(link).inertial, X[:3, :3]
        parts.append(
            (inertial.mass, R @ inertial.com + X[:3, 3], R @ np.array(inertial.inertia) @ R.T)
        )
    mass = sum(m for m, _, _ in parts)
    com = sum(m * c for m, c, _ in parts) / mass
    J = sum(
        I + m * ((c - com) @ (c - com) * np.eye(3) - np.outer(c - com, c - com))
        for m, c, I in parts
    )
    J = (J + J.T) / 2
    both = {**links[1], "inertial": {"mass": mass, "com": list(com), "inertia": J.tolist()}}
    alone = machine([hinge], links=[links[0], both])
    q, v, vdot = np.array([[0.3], [1.2], [-0.7]])
    close(rnea(two.mechanism, q, v, vdot), rnea(alone.mechanism, q, v, vdot))
    close(crba(two.mechanism, q), crba(alone.mechanism, q))


# --------------------------------------------------------------------------- energy and forces


def test_kinetic_energy_is_that_of_the_mass_matrix(one):
    for tree, q, v, _, _ in states(one):
        kinetic, _, _ = energies(tree, q, v)
        assert kinetic == pytest.approx(v @ crba(one.mechanism, q) @ v / 2, rel=1e-11)


def test_gravity_torque_is_the_slope_of_the_potential_energy(one):
    for tree, q, _, _, _ in states(one, 2):
        rest = np.zeros(tree.nv)

        def height(h, unit, tree=tree, q=q, rest=rest):
            return energies(tree, moved(tree, q, h * unit), rest)[1]

        slope = [central(partial(height, unit=unit), 1e-5) for unit in np.eye(tree.nv)]
        close(rnea(one.mechanism, q, rest, rest), np.array(slope), 1e-8)


def test_power_of_the_forces_is_the_rate_of_the_energy(one):
    """Along q(h) with velocity v + h vdot, the energy changes by tau . v: all terms of RNEA."""
    for tree, q, v, vdot, _ in states(one):

        def energy(h, tree=tree, q=q, v=v, vdot=vdot):
            there = moved(tree, q, h * v + h * h / 2 * vdot)
            kinetic, potential, _ = energies(tree, there, v + h * vdot)
            return kinetic + potential

        power = rnea(one.mechanism, q, v, vdot) @ v
        size = np.abs(rnea(one.mechanism, q, v, vdot)) @ np.abs(v)
        assert central(energy, 1e-5) == pytest.approx(power, abs=1e-7 * size)


def test_forces_on_links_do_work_on_their_motion(one):
    """v . (tau without - tau with) is the power of the forces, by poses a moment apart."""
    random = np.random.default_rng(7)
    for tree, q, v, vdot, tau in states(one, 2):
        wrenches = {link.name: random.normal(size=6) for link in one.links}
        power = 0.0

        def pose(h, link, tree=tree, q=q, v=v):
            return tree.pose(placed(tree, moved(tree, q, h * v), v), link)

        for link, wrench in wrenches.items():
            spin = central(lambda h, link=link: pose(h, link), 1e-5) @ np.linalg.inv(pose(0, link))
            angular = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
            power += wrench[:3] @ angular + wrench[3:] @ spin[:3, 3]  # at the origin
        without = rnea(one.mechanism, q, v, vdot)
        under = rnea(one.mechanism, q, v, vdot, wrenches=wrenches)
        assert v @ (without - under) == pytest.approx(power, rel=1e-6, abs=1e-6)
        # and the accelerations are those of the forces as generalized ones
        close(
            aba(one.mechanism, q, v, tau, wrenches=wrenches),
            aba(one.mechanism, q, v, tau + without - under),
            1e-7,
        )


def test_momentum_of_a_free_body():
    """Angular about the origin and linear, from its own velocity; its rate is the weight."""
    one = free_body((0.3, 0.5, 0.7), mass=2.0)
    tree = tree_of(one.mechanism)
    q, v = draw(tree, np.random.default_rng(4))
    R, p = State(one.mechanism, q).pose("body")[:3, :3], q[4:]
    _, _, h = energies(tree, q, v)
    spin = R @ np.diag([0.3, 0.5, 0.7]) @ v[:3]
    close(h, np.concatenate([spin + np.cross(p, 2.0 * v[3:]), 2.0 * v[3:]]))
    vdot = aba(one.mechanism, q, v, np.zeros(6))

    def later(t):
        there = moved(tree, q, t * v + t * t / 2 * vdot)
        return energies(tree, there, v + t * vdot)[2]

    weight = 2.0 * tree.gravity
    close(central(later, 1e-5), np.concatenate([np.cross(p, weight), weight]), 1e-8)


def test_free_body_falls_and_turns_by_eulers_equations():
    J = np.array([0.3, 0.5, 0.7])
    one = free_body(tuple(J))
    q, v = draw(tree_of(one.mechanism), np.random.default_rng(5))
    vdot = aba(one.mechanism, q, v, np.zeros(6))
    close(vdot, np.array([*(-np.cross(v[:3], J * v[:3]) / J), 0.0, 0.0, -9.81]))


def test_pendulum():
    """A point on a bar: g cos(angle) / l, downwards from the level."""
    one = simple_pendulum()
    for angle in (0.0, 0.4, 2.0, 7.0):
        vdot = aba(one.mechanism, [angle], [3.0], [0.0])
        assert vdot == pytest.approx([-9.81 * np.cos(angle)], abs=1e-14)
        assert crba(one.mechanism, [angle]) == pytest.approx(np.array([[1.0]]), rel=1e-15)


# ------------------------------------------------------------------------------------ Python


@pytest.mark.parametrize("name", SMALL)
def test_plain_python_gives_the_same(name, as_python, monkeypatch):
    """Every algorithm with every kernel as plain Python, against the compiled ones."""
    one = example(name)
    for tree, q, v, vdot, tau in states(one, 1):
        pull = pulls_on_bodies(tree, {link.name: np.arange(6.0) for link in one.links})
        plain = run_all(tree, q, v, vdot, tau, pull)
        monkeypatch.undo()
        compiled = run_all(tree, q, v, vdot, tau, pull)
        for found, wanted in zip(plain, compiled, strict=True):
            close(found, wanted, 1e-9)


def run_all(tree, q, v, vdot, tau, pull):
    """Results of all kernels that are called from outside."""
    memory, nv = pack_tree(tree), tree.nv
    bodies = bodies_of(memory)
    results = [np.full(nv, np.nan) for _ in range(5)]
    M, statuses = np.full((nv, nv), np.nan), []
    for pulled in range(2):
        bodies["pull"] = pulled * pull
        statuses.append(newton_euler.rnea(memory, q, v, vdot, results[pulled]))
        statuses.append(articulated.aba(memory, q, v, tau, results[2 + pulled]))
    articulated.respond(tree.freedoms, tau, bodies, results[4])
    statuses.append(composite_inertia.crba(memory, q, M))
    placing.place_tree(tree.freedoms, q, v, bodies)
    assert statuses == [DynamicsStatus.OK] * 5
    fields = ("turn", "X_WF", "axis", "velocity", "acceleration", "inertia", "composite")
    return [*results, M, *(bodies[field].copy() for field in fields)]


def test_statuses_as_plain_python(as_python):
    tree = tree_of(simple_pendulum().mechanism)
    one, two, M = np.zeros(1), np.zeros(2), np.zeros((2, 2))
    memory = pack_tree(tree)
    rnea, crba, aba = newton_euler.rnea, composite_inertia.crba, articulated.aba
    assert rnea(memory, two, one, one, one.copy()) == DynamicsStatus.WRONG_SIZE
    assert aba(memory, one, one, two, one.copy()) == DynamicsStatus.WRONG_SIZE
    assert crba(memory, one, M) == DynamicsStatus.WRONG_SIZE
    nan = np.array([np.nan])
    assert rnea(memory, nan, one, one, one.copy()) == DynamicsStatus.NOT_FINITE
    assert crba(memory, nan, np.zeros((1, 1))) == DynamicsStatus.NOT_FINITE
    records(memory, header(memory, TREE).freedoms, FREEDOM)["body"] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        assert aba(memory, one, one, one, one.copy()) == DynamicsStatus.NO_INERTIA


def test_every_kernel_compiles():
    for module in (articulated, composite_inertia, newton_euler, placing):
        declared = list(entries_of(module))
        assert declared
        for kernel in declared:
            compile_entry(kernel)
            assert kernel.overloads


def test_cosine_and_sine_are_the_librarys_to_the_last_digit():
    quarters = np.arange(-200, 201) * (math.pi / 2)
    angles = [*np.linspace(-7.0, 7.0, 4001), *quarters, *np.nextafter(quarters, 0.0)]
    for angle in [*angles, *np.geomspace(1e-300, 1e300, 601), -0.0]:
        wanted = math.cos(angle), math.sin(angle)
        found = algebra.cosine_and_sine(angle)
        assert found == pytest.approx(wanted, rel=0, abs=2.3e-16)
    for angle in (math.inf, -math.inf, math.nan):
        assert np.isnan(algebra.cosine_and_sine(angle)).all()


# ---------------------------------------------------------------------------- what is refused

CALLS = {"rnea": (rnea, 3), "aba": (aba, 3), "crba": (crba, 1)}
NAMES = {"rnea": ("q", "v", "vdot"), "aba": ("q", "v", "tau"), "crba": ("q",)}


@pytest.fixture(scope="module")
def arm():
    return seven_joint_arm().mechanism


@pytest.fixture(params=CALLS)
def call(request, arm):
    """A function of the arm with its right arguments, and the names of these."""
    function, count = CALLS[request.param]
    given = list(np.random.default_rng(9).normal(size=(count, 7)))
    return lambda *values, **more: function(arm, *values, **more), given, NAMES[request.param]


def test_anything_like_an_array_is_taken(call):
    function, given, _ = call
    wanted = function(*given)
    frozen = [values.copy() for values in given]
    for values in frozen:
        values.flags.writeable = False
    gaps = [np.repeat(values, 2)[::2] for values in given]
    assert not gaps[0].flags.c_contiguous
    for values in ([list(v) for v in given], [tuple(v) for v in given], frozen, gaps):
        assert np.array_equal(function(*values), wanted)
    whole = [np.arange(7) - n for n in range(len(given))]
    found = function(*(values.tolist() for values in whole))
    assert np.array_equal(found, function(*(values.astype(float) for values in whole)))
    assert np.array_equal(function(*whole), found)  # of integers
    single = [values.astype(np.float32) for values in given]
    close(function(*single), wanted, 1e-5)


def test_arguments_are_not_changed(call):
    function, given, _ = call
    before = [values.copy() for values in given]
    function(*given)
    function(*map(list, given))
    assert np.array_equal(given, before)


def test_answer_goes_where_it_is_wanted(call):
    function, given, _ = call
    wanted = function(*given)
    out = np.full_like(wanted, np.nan)
    assert function(*given, out=out) is out
    assert np.array_equal(out, wanted)
    out[:] = np.nan
    assert function(*map(list, given), out=out) is out
    assert np.array_equal(out, wanted)
    assert function(*given) is not function(*given)  # else an array of its own


@pytest.mark.parametrize("wrong", [np.zeros(6), np.zeros(8), np.zeros((7, 1)), [0.0] * 3, 1.0, []])
def test_wrong_sizes(call, wrong):
    function, given, names = call
    for n, name in enumerate(names):
        values = [*given[:n], wrong, *given[n + 1 :]]
        with pytest.raises(StateError, match=rf"^{name}: found shape .*, expected \(7,\)"):
            function(*values)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none(call, number):
    function, given, names = call
    for n, name in enumerate(names):
        wrong = given[n].copy()
        wrong[4] = number
        for values in (wrong, list(wrong)):
            with pytest.raises(StateError, match=rf"^{name}: found numbers that are not finite"):
                function(*given[:n], values, *given[n + 1 :])


def test_numbers_too_large(arm):
    huge = np.full(7, 1e200)
    with pytest.raises(StateError, match="too large"):
        rnea(arm, np.zeros(7), huge, huge)
    with pytest.raises(StateError, match="too large"):
        aba(arm, np.zeros(7), huge, np.zeros(7))
    slides = example("prismatic").mechanism
    for function in (rnea, aba):
        with pytest.raises(StateError, match="too large"):
            function(slides, huge[:3], np.zeros(3), np.zeros(3))


@pytest.mark.parametrize("wrong", [["a"] * 7, None, [None] * 7, {}, [[1.0], [1.0, 2.0]]])
def test_things_that_are_no_numbers(call, wrong):
    function, given, names = call
    for n in range(len(names)):
        with pytest.raises(StateError, match=rf"^{names[n]}: found "):
            function(*given[:n], wrong, *given[n + 1 :])


def test_answers_that_do_not_fit(call):
    function, given, _ = call
    right = function(*given)
    frozen = right.copy()
    frozen.flags.writeable = False
    wrong = [
        right[:-1].copy(), np.zeros((3, 3, 3)), right.astype(np.float32), right.astype(int),
        list(right), frozen, np.repeat(right, 2, axis=0)[::2],
    ]  # fmt: skip
    if right.ndim == 2:
        wrong.append(np.asfortranarray(right))
    for out in wrong:
        with pytest.raises(StateError, match=r"^out: found "):
            function(*given, out=out)
        with pytest.raises(StateError, match=r"^out: found "):
            function(*map(list, given), out=out)


def test_a_leaf_without_mass_is_named():
    """Its joint moves nothing: no acceleration could be told, but forces can."""
    links = [body("base", 1), body("arm", 2), {"name": "flag"}]
    one = machine(
        [joint("shoulder", "base", "arm"), joint("halyard", "arm", "flag", "prismatic")],
        links=links,
    )
    zeros = np.zeros(2)
    with pytest.raises(DynamicsError, match="'halyard' moves nothing that has mass") as caught:
        aba(one.mechanism, zeros, zeros, zeros)
    assert caught.value.body == "halyard"
    assert rnea(one.mechanism, zeros, zeros, np.ones(2))[1] == 0.0
    assert crba(one.mechanism, zeros)[1, 1] == 0.0


def test_a_link_without_mass_may_carry_one_that_has_some():
    links = [body("base", 1), {"name": "arm"}, body("hand", 3)]
    one = machine([joint("a", "base", "arm"), joint("b", "arm", "hand", at=[1, 0, 0])], links=links)
    q, v, vdot = np.random.default_rng(6).normal(size=(3, 2))
    close(aba(one.mechanism, q, v, rnea(one.mechanism, q, v, vdot)), vdot)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_not_finite_is_not_mistaken_for_massless(arm, number):
    q = np.full(7, number)
    with pytest.raises(StateError, match=r"^q: found numbers that are not finite"):
        aba(arm, q, np.zeros(7), np.zeros(7))


def test_a_freedom_that_a_thin_rod_leaves_without_inertia_is_named():
    """A rod that turns about its own line; the hand behind it is all right."""
    rod = {"mass": 1.0, "com": [0.5, 0, 0], "inertia": [[0, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]}
    links = [body("base", 1), {"name": "rod", "inertial": rod}, body("hand", 3)]
    one = machine(
        [joint("roll", "base", "rod", axis=[1, 0, 0]), joint("other", "base", "hand")], links=links
    )
    zeros = np.zeros(2)
    with pytest.raises(DynamicsError) as caught:
        aba(one.mechanism, zeros, zeros, zeros)
    assert caught.value.body == "roll"


def test_wrenches_on_what_there_is_not(arm):
    zeros = np.zeros(7)
    for function in (rnea, aba):
        with pytest.raises(UnknownElementError, match="did you mean 'link_7'"):
            function(arm, zeros, zeros, zeros, wrenches={"link_77": np.zeros(6)})
        for wrong in (np.zeros(3), np.full(6, np.nan), None, {}, "abc", [[1.0], [1.0, 2.0]]):
            with pytest.raises(StateError, match="wrench on 'link_7'"):
                function(arm, zeros, zeros, zeros, wrenches={"link_7": wrong})
        # with lists as well, and none at all
        wanted = function(arm, zeros, zeros, zeros, wrenches={"link_7": np.arange(6.0)})
        found = function(arm, [0.0] * 7, zeros, zeros, wrenches={"link_7": list(range(6))})
        assert np.array_equal(found, wanted)
        empty = function(arm, zeros, zeros, zeros, wrenches={})
        assert np.array_equal(empty, function(arm, zeros, zeros, zeros))
