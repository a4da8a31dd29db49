"""Natural coordinates: bodies, rows and their derivatives, forces, and the sparse factor."""

import numpy as np
import pytest
from augmented_scenes import Kernels, augmented

import headframe as hf
import moving
import trees
from finite_differences import central
from headframe.constraints.augmented import factor as factor_kernels
from headframe.constraints.augmented import forces as force_kernels
from headframe.constraints.augmented import newton
from headframe.constraints.augmented import rows as row_kernels
from headframe.constraints.augmented.ordering import elimination_order, pattern_of
from headframe.constraints.augmented.records import NATURAL_BODY, TERM
from headframe.dynamics import aba
from headframe.jit import indices, numbers, records
from moving import pull

ALL_KINDS = ["mixed", "y up", "without rotors", "roadheader", "tcchs"]


# ------------------------------------------------------------------------------------ coordinates


@pytest.mark.parametrize("name", ALL_KINDS)
def test_coordinates_of_the_tree_come_back(name):
    """Every kind of joint; loops are closed where the state is put in."""
    one = trees.example(name)
    engine = augmented(one)
    tree, random = engine.model.tree, np.random.default_rng(5)
    if tree.mechanism.topology.loops:
        q, v = tree.positions(engine.model.home), np.zeros(tree.nv)
    else:
        q, v = trees.draw(tree, random)
    engine.set_state(q, v)
    found_q, found_v = engine.now()
    np.testing.assert_allclose(found_q, q, atol=1e-11)
    np.testing.assert_allclose(found_v, v, atol=1e-11)
    residuals, rates = engine.constraints()
    assert np.abs(residuals).max() < 1e-12
    assert np.abs(rates).max() < 1e-12


@pytest.mark.parametrize("name", ["mixed", "y up", "without rotors", "arm", "tree of 15"])
def test_energies_and_poses_are_the_trees(name):
    """So the constant mass matrix is right, for every choice of points and vectors."""
    one = trees.example(name)
    engine = augmented(one)
    tree = engine.model.tree
    q, v = trees.draw(tree, np.random.default_rng(7))
    engine.set_state(q, v)
    wanted, found = hf.energy(one, q, v), engine.energy()
    assert found.kinetic == pytest.approx(wanted.kinetic, rel=1e-12)
    assert found.potential == pytest.approx(wanted.potential, rel=1e-12, abs=1e-10)
    bodies = trees.placed(tree, q, v)
    np.testing.assert_allclose(engine.poses(), tree.poses(bodies), atol=1e-12)


@pytest.mark.parametrize("name", ["mixed", "without rotors", "arm"])
def test_accelerations_are_those_of_articulated_bodies(name):
    """Of the tree's velocities, after one short step from the same state."""
    one = trees.example(name)
    step = 1e-5
    engine = augmented(one, step)
    q, v = trees.draw(engine.model.tree, np.random.default_rng(11))
    engine.set_state(q, v)
    wanted = aba(one, q, v, np.zeros_like(v))
    engine.run()
    found = (engine.v - v) / step
    np.testing.assert_allclose(found, wanted, atol=2e-3 * (1.0 + np.abs(wanted).max()))


def test_hinges_share_their_point_and_axis():
    """Five links in a plane: one axis for all, a point for each hinge, a vector for each body."""
    natural = augmented(moving.loaded("five_link_chain")).augmented.natural
    shared = [len(each.marks) for each in natural.shared if not each.is_point]
    assert shared == [6]  # the base, too
    moving_elements = [each for each in natural.elements if each.value is None]
    assert sum(each.is_point for each in moving_elements) == 4
    assert sum(not each.is_point for each in moving_elements) == 6  # the last body has two


def test_what_it_cannot_move_is_told():
    one = trees.example("rotors")
    with pytest.raises(hf.DynamicsError, match=r"turn freely and have damping, friction or arm"):
        hf.Simulation(one, "augmented")


# ------------------------------------------------------------------------------------ derivatives


@pytest.mark.parametrize("name", ["mixed", "rods", "gears"])
def test_slopes_and_what_velocities_sweep_by_differences(name):
    """Phi_q, and (d Phi_q / dt) v, off the constraints; every kind of row is there."""
    one = {"mixed": lambda: trees.example("mixed"), "rods": moving.skew_boom,
           "gears": lambda: moving.loaded("gripper")}[name]()  # fmt: skip
    kernels, random = Kernels(augmented(one)), np.random.default_rng(3)
    q, v = kernels.away(random), kernels.direction(random)
    J = kernels.slopes(q)
    wanted = central(lambda h: kernels.residuals(q + h * v))
    np.testing.assert_allclose(J @ v[: kernels.n], wanted, atol=1e-7)
    turned = central(lambda h: kernels.slopes(q + h * v) @ v[: kernels.n])
    kernels.slopes(q)
    terms = records(kernels.model, kernels.head.terms, TERM)
    found = [row_kernels.swept(row, terms, q, v) for row in kernels.rows]
    np.testing.assert_allclose(found, turned, atol=1e-6)


def forces(kernels, q, v, pulls):
    engine = kernels.engine
    engine._set_pulls(pulls)
    force_kernels.set_forces(
        kernels.model, q, v, engine.given_drives, engine._body_pulls, kernels.work
    )
    return numbers(kernels.work, kernels.head.work.force).copy()


def test_stiffness_and_damping_by_differences():
    """K and C of springs with dampers and of damped joints; a spring that pulls, at its own line.

    How fast a damper's direction turns is left out of K, so that ends move along the spring.
    """
    one = moving.changed(moving.crane(), without_friction)
    kernels, random = Kernels(augmented(one)), np.random.default_rng(2)
    n, q = kernels.n, kernels.q.copy()
    v, d = np.zeros_like(q), kernels.direction(random)
    none = pull(0)[:0]
    kernels.slopes(q)
    force_kernels.set_tangent(kernels.model, 0.0, 0.0, 1.0, 0.0, q, v, kernels.work)
    K = kernels.tangent()
    force_kernels.set_tangent(kernels.model, 0.0, 0.0, 0.0, 1.0, q, v, kernels.work)
    C = kernels.tangent()
    wanted_K = -central(lambda h: forces(kernels, q + h * d, v, none))
    wanted_C = -central(lambda h: forces(kernels, q, v + h * d, none))
    scale = np.abs(wanted_K).max()
    np.testing.assert_allclose(K @ d[:n], wanted_K, atol=1e-6 * scale)
    np.testing.assert_allclose(C @ d[:n], wanted_C, atol=1e-6 * np.abs(wanted_C).max())
    assert np.abs(K).max() > 100.0
    assert np.abs(C).max() > 10.0


@pytest.mark.parametrize("name", ["arm", "without rotors", "roadheader"])
def test_stiffness_on_points_of_bodies_by_differences(name):
    """A force that grows with where a point is: what bodies touch will push like that."""
    kernels, random = Kernels(augmented(trees.example(name))), np.random.default_rng(6)
    A = random.normal(size=(3, 3))
    K, tangent = A @ A.T, numbers(kernels.work, kernels.head.work.tangent)
    six = tuple(K[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
    bodies = records(kernels.model, kernels.head.bodies, NATURAL_BODY)
    for number in range(1, len(bodies)):
        point, d = random.uniform(-0.3, 0.3, 3), kernels.direction(random)
        body = bodies[number]

        def pushed(h, body=body, point=point, d=d):
            out, p = np.zeros(kernels.n), force_kernels.point_of(body, point, kernels.q + h * d)
            force_kernels.push(kernels.n, body, point, tuple(-K @ np.array(p)), out)
            return out

        tangent[:] = 0.0
        force_kernels.stiffen(kernels.model, number, point, six, tangent)
        found = kernels.tangent() @ d[: kernels.n]
        np.testing.assert_allclose(found, -central(pushed), atol=1e-6 * (1 + np.abs(found).max()))


def without_friction(content):
    for joint in content["joints"]:
        joint["friction"] = 0.0
    content["springs"] = tuple({**each, "rest_length": 0.1} for each in content["springs"])


def test_pulls_do_the_work_that_they_should():
    """Power of a force and a moment on a moving body, from the tree's velocities."""
    one = trees.example("arm")
    kernels = Kernels(augmented(one))
    engine = kernels.engine
    q, v = trees.draw(engine.model.tree, np.random.default_rng(4))
    engine.set_state(q, v)
    given = pull(5, point=(0.1, -0.2, 0.3), force=(3.0, -7.0, 2.0), moment=(1.0, 4.0, -2.0))
    none = given[:0]
    Q = forces(kernels, kernels.q, kernels.v, given) - forces(kernels, kernels.q, kernels.v, none)
    link = next(name for name, d in engine.model.tree.freedom_of_link.items() if d == 5)
    X = engine.model.tree.X_FL[link]
    local = X[:3, :3].T @ (np.array([0.1, -0.2, 0.3]) - X[:3, 3])
    J = hf.body_jacobian(one, q, link, local)
    wrench = np.array([1.0, 4.0, -2.0, 3.0, -7.0, 2.0])
    assert Q @ kernels.v[: kernels.n] == pytest.approx(wrench @ J @ v, rel=1e-11)


@pytest.mark.parametrize("name", ["roadheader", "crane"])
def test_whole_tangent_by_differences(name):
    """Of the residual (2.57) times beta h^2, but for the curvature of the rows; (2.61).

    Multipliers that cancel alpha Phi leave nothing for that curvature to act on.
    """
    one = moving.changed(moving.crane(), without_friction)
    if name == "roadheader":
        one = moving.loaded(name)
    engine = augmented(one, integrator="generalized-alpha", rho=0.6, penalty=1e3)
    kernels, random = Kernels(engine), np.random.default_rng(8)
    head, work, n = kernels.head, kernels.head.work, kernels.n
    kernels.now.live[[row.drive >= 0 for row in kernels.rows]] = 0
    h, q, d = head.step, kernels.away(random, 0.01), kernels.direction(random)
    q_now, v_now, a_now = (numbers(kernels.work, at) for at in (work.q, work.v, work.a))
    residuals = kernels.residuals(q)
    numbers(kernels.work, work.multipliers)[:] = -kernels.rows.penalty * residuals

    def right(scale):
        q_now[:] = q + scale * d
        v_now[:] = scale * head.gamma / (head.beta * h) * d
        a_now[:] = scale / (head.beta * h * h) * d
        row_kernels.set_rows(kernels.model, q_now, kernels.work)
        force_kernels.set_forces(
            kernels.model, q_now, v_now, engine.given_drives, engine._body_pulls, kernels.work
        )
        newton.set_right(kernels.model, kernels.state, kernels.work)
        return numbers(kernels.work, work.right).copy()

    wanted = -central(right, 1e-6)
    right(0.0)
    part = newton.constraint_part(kernels.model)
    of_C = (1.0 - head.delta_f) * head.gamma * h
    arguments = 1.0 - head.delta_m, part, part, of_C, q_now, v_now
    force_kernels.set_tangent(kernels.model, *arguments, kernels.work)
    found = kernels.tangent() @ d[:n]
    np.testing.assert_allclose(found, wanted, atol=1e-6 * np.abs(wanted).max())


# -------------------------------------------------------------------------------- the sparse factor


def test_pattern_and_factor_of_a_random_matrix():
    """Of nodes of one and three unknowns: T = L D L^T, and what is solved with it."""
    random = np.random.default_rng(1)
    widths = random.choice([1, 3], 30).tolist()
    cliques = [random.choice(30, 4, replace=False).tolist() for _ in range(25)]
    order = elimination_order(widths, cliques)
    assert sorted(order) == list(range(30))
    begins = dict(zip(order, np.cumsum([0, *(widths[k] for k in order)]).tolist(), strict=False))
    unknowns = [
        sorted(begins[k] + i for k in clique for i in range(widths[k]))
        for clique in [*cliques, *([k] for k in range(30))]
    ]
    n = sum(widths)
    T = 1e-3 * np.eye(n)
    for clique in unknowns:
        A = random.normal(size=(len(clique), len(clique)))
        T[np.ix_(clique, clique)] += A @ A.T
    pattern = pattern_of(n, unknowns)
    kept = np.zeros(n + len(pattern.rows))
    for i, j in zip(*np.nonzero(np.tril(T)), strict=True):
        kept[pattern.place(int(i), int(j))] = T[i, j]
    L, D, work = np.zeros(len(pattern.rows)), np.zeros(n), np.zeros(n)
    arguments = pattern.columns, pattern.rows, *pattern.by_rows, kept, work, L, D
    assert factor_kernels.factor(*arguments) == factor_kernels.DONE
    x = random.normal(size=n)
    solved = T @ x
    factor_kernels.solve(pattern.columns, pattern.rows, L, D, solved)
    np.testing.assert_allclose(solved, x, rtol=1e-8)
    plain, plain_D = np.zeros_like(L), np.zeros_like(D)
    factor_kernels.factor.py_func(*arguments[:-2], plain, plain_D)
    assert np.abs(plain - L).max() < 1e-12
    kept[5] = -1.0
    assert factor_kernels.factor(*arguments) == 5


def test_leaves_are_eliminated_before_what_carries_them_and_fill_nothing():
    """Whatever the numbers of the nodes: each is coupled with one that comes later, at most."""
    edges = [(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6), (0, 7), (7, 8)]
    order = elimination_order([1] * 9, edges)
    place = {node: k for k, node in enumerate(order)}
    pattern = pattern_of(9, [sorted((place[a], place[b])) for a, b in edges])
    assert len(pattern.rows) == len(edges)
    assert order[0] in (3, 4, 5, 6, 8)


def test_entries_of_the_factor_stay_few():
    """A roadheader has 150 coordinates; its factor is a tenth full."""
    engine = augmented(moving.loaded("roadheader"))
    model, n = engine.augmented, engine.augmented.n
    assert len(model.pattern.rows) < 0.12 * n * (n - 1) / 2
    assert len(indices(engine.packed, Kernels(engine).head.entries)) == len(model.entries)
