"""Loops over the tree: closed at home, and derivatives against finite differences."""

import numpy as np
import pytest

import build
from crosscheck import zoo
from finite_differences import central
from headframe.dynamics import loop_rows as kernels
from headframe.dynamics.loops import loops_of
from headframe.dynamics.tree.memory import placed
from headframe.mechanism.records import FreedomKind
from headframe.mechanism.tree import tree_of

MACHINES = {
    **{name: lambda name=name: zoo.machine(name) for name in zoo.SMALL},
    **{name: lambda name=name: zoo.machine(name) for name in ("tcchs", "roadheader", "sths")},
    "stewart platform": build.stewart_platform,
    "rssr with skew axes": build.rssr,
    "peaucellier": build.peaucellier,
}


@pytest.fixture(scope="module", params=MACHINES)
def tied(request):
    """A tree, its home positions, and its loops."""
    machine = MACHINES[request.param]()
    tree = tree_of(machine.mechanism)
    return tree, tree.positions(machine.home), loops_of(tree)


def moved(tree, q, v, time):
    """Positions after a time at constant velocities; quaternions turn about body axes."""
    out = q.copy()
    for freedom in tree.freedoms:
        kind, iq, iv = freedom["kind"], freedom["position"], freedom["velocity"]
        if kind in (FreedomKind.TURN, FreedomKind.SLIDE):
            out[iq] += time * v[iv]
        elif kind == FreedomKind.BALL:
            rate = v[iv : iv + 3]
            angle = np.linalg.norm(rate) * time
            axis = np.sin(0.5 * angle) * rate / np.linalg.norm(rate) if angle else np.zeros(3)
            w, u = np.cos(0.5 * angle), q[iq + 1 : iq + 4]
            out[iq] = q[iq] * w - u @ axis
            out[iq + 1 : iq + 4] = q[iq] * axis + w * u + np.cross(u, axis)
    return out


def residuals(loops, q):
    phi = np.full(loops.m, np.nan)
    kernels.residuals(loops.rows, q, placed(loops.tree, q), phi)
    return phi


def jacobian(loops, q):
    tree = loops.tree
    J = np.full((loops.m, tree.nv), np.nan)
    kernels.jacobian(loops.rows, tree.freedoms, placed(tree, q), J)
    return J


def bias(loops, q, v):
    tree = loops.tree
    gamma = np.full(loops.m, np.nan)
    kernels.bias(loops.rows, tree.freedoms, v, placed(tree, q, v), gamma)
    return gamma


def strange(tree, q, seed):
    """Positions where no loop is closed, and velocities."""
    rng = np.random.default_rng(seed)
    return moved(tree, q, rng.normal(size=tree.nv), 0.5), rng.normal(size=tree.nv)


def test_home_closes_every_loop(tied):
    _, q, loops = tied
    assert np.abs(residuals(loops, q)).max() < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_jacobian_is_the_derivative_of_the_residuals(tied, seed):
    tree, q, loops = tied
    q, v = strange(tree, q, seed)
    rate = central(lambda t: residuals(loops, moved(tree, q, v, t)))
    np.testing.assert_allclose(jacobian(loops, q) @ v, rate, atol=1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_bias_is_the_derivative_of_the_rates(tied, seed):
    tree, q, loops = tied
    q, v = strange(tree, q, seed)
    # with v constant, the rate's derivative is Jdot v alone
    rate = central(lambda t: jacobian(loops, moved(tree, q, v, t)) @ v)
    np.testing.assert_allclose(bias(loops, q, v), rate, atol=3e-7)


# ------------------------------------------------------------------------------------ counting


@pytest.mark.parametrize(
    ("name", "rows"),
    [
        ("four_bar", 5 + 2),  # a hinge, and a cylinder in the plane
        ("slewing_telescope", 3 + 3),  # two cylinders that are not
        ("joint_zoo", 1),  # a repeater
        ("slider_crank", 5),  # a prismatic pair
        ("cardan", 4),
        ("rssr", 3),
        ("split_coupler", 6),  # a fixed pair
    ],
)
def test_rows_of_every_kind_of_loop(name, rows):
    tree = tree_of(zoo.machine(name).mechanism)
    found = loops_of(tree)
    assert found.m == len(found.name) == len(found.kind) == rows
    left = loops_of(tree, cylinders=False)
    assert left.m == sum(kind != "cylinder" for kind in found.kind)


@pytest.mark.parametrize(
    ("name", "freedoms"),
    [("four_bar", 1), ("slider_crank", 1), ("cardan", 1), ("rssr", 2), ("split_coupler", 1),
     ("slewing_telescope", 4), ("joint_zoo", 20), ("peaucellier", 1), ("stewart platform", 6)],
)  # fmt: skip
def test_rows_leave_the_freedoms_that_the_machine_has(name, freedoms):
    """RSSR: one of its two is the turning of the rod about itself."""
    machine = MACHINES[name]()
    tree = tree_of(machine.mechanism)
    J = jacobian(loops_of(tree), tree.positions(machine.home))
    assert tree.nv - np.linalg.matrix_rank(J, tol=1e-9) == freedoms


def test_lean_rows_span_the_same(tied):
    tree, q, loops = tied
    lean = loops_of(tree, lean=True)
    both = np.vstack([jacobian(loops, q), jacobian(lean, q)])
    rank = np.linalg.matrix_rank(both, tol=1e-9)
    assert np.linalg.matrix_rank(jacobian(lean, q), tol=1e-9) == rank
    assert np.abs(residuals(lean, q)).max() < 1e-12


def test_lean_rows_of_plane_loops_are_two():
    tree = tree_of(zoo.machine("four_bar").mechanism)
    assert loops_of(tree, lean=True).m == 2 + 2
    tree = tree_of(build.peaucellier().mechanism)
    assert loops_of(tree, lean=True).m == 6
    # a hinge that is not parallel to the others keeps its five
    tilted = build.machine(
        [
            build.joint("a", "base", "x", axis=[1, 0, 0]),
            build.joint("b", "x", "y", axis=[0, 1, 0], at=[0, 0, 1]),
            build.joint("close_a", "y", "base", axis=[0, 1, 0], at=[0, 0, -1]),
            build.joint("close_b", "base", "y", axis=[0, 1, 0]),
        ]
    )
    assert loops_of(tree_of(tilted.mechanism), lean=True).m == 5


def test_a_hinges_third_row_is_along_its_axis():
    """So that its multiplier is the axial force."""
    tree = tree_of(zoo.machine("four_bar").mechanism)
    loops = loops_of(tree)
    np.testing.assert_allclose(np.abs(loops.rows["vector_a"][2]), [0, 0, 1], atol=1e-12)
