"""Machines far from the base's origin move as those that stand in it, to the last digits."""

import numpy as np
import pytest

import headframe as hf
from build import actuator, joint, machine
from headframe.dynamics.tree import algorithms, functions
from headframe.dynamics.tree.memory import placed
from headframe.mechanism.tree import tree_of
from loop_scenes import rod

FORMULATIONS = ["embedded", "constrained", "augmented", "simgc"]


def moved(far):
    """A crane on a slewing mast with a four-bar and a spring, two cylinders, standing at `far`."""
    far = np.asarray(far, dtype=float)
    heavy = {"mass": 9.0, "com": far.tolist(), "inertia": np.eye(3).tolist()}
    links = [
        {"name": "ground", "inertial": heavy},
        rod("mast", 2.0, 50.0, 2), rod("boom", 3.0, 80.0), rod("stick", 2.0, 40.0),
        rod("crank", 1.0, 20.0, 2), rod("coupler", 1.2, 20.0), rod("rocker", 1.0, 20.0, 2),
        rod("tube_a", 0.8, 7.0), rod("rod_a", 0.8, 5.0),
        rod("tube_b", 0.8, 7.0), rod("rod_b", 0.8, 5.0),
    ]  # fmt: skip
    foot, heel, hook = (far + np.array([[0, 4, 0], [1, 4, 0], [2, 3, 0]])).tolist()
    parts_a, parts_b = ({"tube": f"tube_{n}", "rod": f"rod_{n}"} for n in "ab")
    return machine(
        [
            joint("slew", "ground", "mast", axis=[0, 0, 1], at=far.tolist()),
            joint("lift", "mast", "boom", at=[0, 0, 2.0]),
            joint("reach", "boom", "stick", at=[3.0, 0, 0]),
            joint("foot", "ground", "crank", at=foot),
            joint("head", "crank", "coupler", at=[0, 0, 1]),
            joint("heel", "ground", "rocker", at=heel),
            joint("close_a", "coupler", "rocker", at=[1.2, 0, 0]),
            joint("close_b", "rocker", "coupler", at=[0, 0, 1]),
        ],
        [
            actuator("lift", ("mast", (0.5, 0, 0.3)), ("boom", (1.2, 0, 0)), (1.4, 2.6)) | parts_a,
            actuator("leg", ("ground", heel), ("crank", (0, 0, 0.8)), (0.9, 1.5)) | parts_b,
        ],
        links=links,
        springs=[
            {
                "name": "spring", "link_a": "ground", "point_a": hook,
                "link_b": "rocker", "point_b": [0, 0, 0.5], "stiffness": 2e3, "rest_length": 1.0,
            }
        ],
    )  # fmt: skip


def quantities_of(m):
    """What does not depend on where the machine stands."""
    tree = tree_of(m.mechanism)
    q, v = tree.positions(m.home), np.linspace(-0.5, 0.7, tree.nv)
    tau = np.linspace(-100.0, 200.0, tree.nv)
    found = {
        "aba": algorithms.aba(m, q, v, tau),
        "forward_dynamics": algorithms.forward_dynamics(m, q, v, tau),
        "rnea": algorithms.rnea(m, q, v, v),
        "crba": algorithms.crba(m, q),
        "jacobian": functions.body_jacobian(m, q, "stick", [2.0, 0, 0]),
        "linear momentum": functions.momentum(m, q, v)[3:],
        "kinetic": np.array([functions.energy(m, q, v).kinetic]),
    }
    for formulation in FORMULATIONS:
        sim = hf.Simulation(m, formulation=formulation)
        before = sim.energy()
        sim.run(0.05)
        after = sim.energy()
        found[f"v of {formulation}"] = sim.v
        found[f"fall of {formulation}"] = np.array([after.potential - before.potential])
    return found


# tests


@pytest.fixture(scope="module")
def in_the_origin():
    m = moved([0, 0, 0])
    assert tree_of(m.mechanism).nearby is tree_of(m.mechanism)
    return m, quantities_of(m)


@pytest.mark.parametrize("far", [(100.0, 50.0, -30.0), (1e4, 5e3, -300.0)], ids=["100 m", "10 km"])
def test_far_away_everything_moves_as_in_the_origin(in_the_origin, far):
    """Before, accelerations by `aba` were wrong by 6e-12 of themselves at 100 m, 2e-8 at 10 km."""
    found = quantities_of(moved(far))
    for name, expected in in_the_origin[1].items():
        # places are doubles, known to 1e-16 of their distance, and home is closed with these
        least = 1e-12 + 1e-15 * np.linalg.norm(far)
        assert np.abs(found[name] - expected).max() < least * np.abs(expected).max(), name


def test_what_is_told_of_the_origin_is_told_of_the_bases(in_the_origin):
    """Moments, centre, potential energy and poses, moved by hand from the origin to `far`."""
    near, far = in_the_origin[0], np.array([100.0, 50.0, -30.0])
    away = moved(far)
    tree = tree_of(away.mechanism)
    assert tree.nearby.origin == pytest.approx(far)
    q, v = tree.positions(near.home), np.linspace(-0.5, 0.7, tree.nv)
    assert tree.poses(placed(tree, q))[:, :3, 3] == pytest.approx(
        tree.nearby.poses(placed(tree.nearby, q))[:, :3, 3], abs=1e-12
    )
    h, h_near = functions.momentum(away, q, v), functions.momentum(near, q, v)
    np.testing.assert_allclose(h[3:], h_near[3:], rtol=0, atol=1e-10)
    np.testing.assert_allclose(h[:3], h_near[:3] + np.cross(far, h_near[3:]), rtol=0, atol=1e-8)
    centre, centre_near = (functions.centre_of_mass(m, q) for m in (away, near))
    assert centre.mass == pytest.approx(centre_near.mass, rel=1e-14)
    np.testing.assert_allclose(centre.position, centre_near.position + far, rtol=0, atol=1e-11)
    moving = centre.mass - 9.0  # but for the ground
    higher = functions.energy(away, q, v).potential - functions.energy(near, q, v).potential
    assert higher == pytest.approx(moving * 9.81 * far[2], rel=1e-12)
    wrench = np.array([3.0, -2.0, 1.0, 50.0, -20.0, 70.0])
    moment = wrench[:3] + np.cross(far, wrench[3:])  # the same force, about the base's origin
    rates = np.zeros(tree.nv)
    tau, tau_near = (
        algorithms.rnea(m, q, v, rates, wrenches={"stick": load})
        for m, load in ((away, np.array([*moment, *wrench[3:]])), (near, wrench))
    )
    np.testing.assert_allclose(tau, tau_near, rtol=0, atol=1e-9)


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_simulations_far_away_tell_poses_and_energies_in_the_base(in_the_origin, formulation):
    near, far = in_the_origin[0], np.array([100.0, 50.0, -30.0])
    moving = functions.centre_of_mass(near, tree_of(near.mechanism).q_zero).mass - 9.0
    sims = [hf.Simulation(m, formulation=formulation) for m in (moved(far), near)]
    for sim in sims:
        sim.run(0.02)
    away, here = (sim.pose("stick")[:3, 3] for sim in sims)
    np.testing.assert_allclose(away, here + far, rtol=0, atol=1e-9)
    higher = sims[0].energy().potential - sims[1].energy().potential
    assert higher == pytest.approx(moving * 9.81 * far[2], rel=1e-9)
    assert sims[0].position_error() < 1e-6
