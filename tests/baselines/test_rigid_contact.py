"""Rigid contact as a complementarity problem: against all states, one by one, and soft contacts."""

import itertools

import numpy as np
import pytest

from headframe import StateError
from headframe.baselines.rigid_contact import complementary, dishes, rigid_motion
from headframe.description import Bristle, ContactMaterial, Friction
from headframe.errors import DynamicsError
from worlds import G, grounded

# ------------------------------------------------------------------------- complementarity


def all_answers(M, q):
    """Every z of a complementarity problem, by all choices of what is 0."""
    n, found = len(q), []
    for chosen in itertools.product((False, True), repeat=n):
        at = np.flatnonzero(chosen)
        z = np.zeros(n)
        if at.size:
            if np.linalg.matrix_rank(M[np.ix_(at, at)]) < at.size:
                continue
            z[at] = np.linalg.solve(M[np.ix_(at, at)], -q[at])
        if z.min() > -1e-9 and (M @ z + q).min() > -1e-9:
            found.append(z)
    return found


def test_problems_with_one_answer():
    """Of positive definite matrices, symmetric or not."""
    random = np.random.default_rng(1)
    for _ in range(300):
        n = int(random.integers(1, 7))
        A, B = random.normal(size=(n, n)), random.normal(size=(n, n))
        M, q = A @ A.T + 0.1 * np.eye(n) + (B - B.T), random.normal(size=n)
        (wanted,) = all_answers(M, q)
        np.testing.assert_allclose(complementary(M, q), wanted, atol=1e-8)


def test_ties_do_not_go_round_in_circles():
    """Many rows that are equally wrong."""
    for n in (2, 5, 9):
        M = np.ones((n, n)) + np.eye(n)
        z = complementary(M, -np.ones(n))
        np.testing.assert_allclose(z, np.full(n, 1 / (n + 1)), atol=1e-12)
    M = np.array([[1, 2, 0], [0, 1, 2], [2, 0, 1.0]])  # on which other rules for ties cycle
    np.testing.assert_allclose(complementary(M, -np.ones(3)), np.full(3, 1 / 3), atol=1e-12)


def test_problems_without_an_answer_and_wrong_arguments():
    with pytest.raises(DynamicsError, match="no answer that pivots lead to"):
        complementary([[-1.0]], [-1.0])
    with pytest.raises(StateError, match=r"matrix: .* as many rows as columns"):
        complementary([[1.0, 2.0]], [1.0])
    with pytest.raises(StateError, match="constant"):
        complementary([[1.0]], [1.0, 2.0])
    assert complementary(np.eye(2), [1, 0]).tolist() == [0, 0]


# ---------------------------------------------------------------------------------- dishes

STATES = ("apart", "sticks", "left", "right")


def enumerated(masses, friction, floor, pulls, gravity=9.81, states=STATES):
    """Motions of a stack of dishes that contradict nothing, of all states of their contacts."""
    n, found = len(masses), []
    for chosen in itertools.product(states, repeat=n):
        # unknown: x'', z'' of all dishes, normal and tangential force of all contacts
        A, b = np.zeros((4 * n, 4 * n)), np.zeros(4 * n)
        x, z, N, T = (np.arange(n) + k * n for k in range(4))
        for i, state in enumerate(chosen):
            A[i, x[i]], A[i, T[i]], b[i] = masses[i], -1.0, pulls[i]
            A[n + i, z[i]], A[n + i, N[i]], b[n + i] = masses[i], -1.0, -masses[i] * gravity
            if i + 1 < n:
                A[i, T[i + 1]], A[n + i, N[i + 1]] = 1.0, 1.0
            gap, slip = 2 * n + i, 3 * n + i
            if state == "apart":
                A[gap, N[i]] = A[slip, T[i]] = 1.0
                continue
            A[gap, z[i]], b[gap] = 1.0, floor[1] if i == 0 else 0.0
            if i > 0:
                A[gap, z[i - 1]] = -1.0
            if state == "sticks":
                A[slip, x[i]], b[slip] = 1.0, floor[0] if i == 0 else 0.0
                if i > 0:
                    A[slip, x[i - 1]] = -1.0
            else:
                A[slip, T[i]] = 1.0
                A[slip, N[i]] = -friction[i] if state == "left" else friction[i]
        if np.linalg.matrix_rank(A) < 4 * n:
            continue
        y = np.linalg.solve(A, b)
        below = np.concatenate([[floor[0]], y[x[:-1]]])
        under = np.concatenate([[floor[1]], y[z[:-1]]])
        slips, gaps, small = y[x] - below, y[z] - under, 1e-9
        fine = (gaps > -small).all() and (y[N] > -small).all()
        fine &= (np.abs(y[T]) < friction * y[N] + small).all()
        fine &= all(
            s < small if state == "left" else s > -small if state == "right" else True
            for s, state in zip(slips, chosen, strict=True)
        )
        if fine:
            found.append((y[x], y[z], y[N], y[T]))
    return found


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_dishes_against_all_their_states(n):
    """All that is consistent is one motion, though several states may tell it."""
    random = np.random.default_rng(n)
    seen = set()
    for _ in range(60 if n < 4 else 15):
        masses, friction = random.uniform(0.2, 3.0, n), random.uniform(0.0, 0.8, n)
        floor = random.uniform(-8, 8), random.choice([0.0, 4.0, -12.0])
        pulls = random.normal(size=n) * random.choice([0.0, 5.0])
        one = dishes(masses, friction, floor, pulls=pulls)
        seen.update(one.states)
        answers = enumerated(masses, friction, floor, pulls)
        assert answers
        for x, z, normal, tangential in answers:
            np.testing.assert_allclose(one.accelerations[::2], x, atol=1e-8)
            np.testing.assert_allclose(one.accelerations[1::2], z, atol=1e-8)
            np.testing.assert_allclose(one.normal, normal, atol=1e-8)
            np.testing.assert_allclose(one.tangential, tangential, atol=1e-8)
    assert seen == {"apart", "sticks", "slides"}


def test_six_dishes_against_their_3_to_the_6_states():
    """On a floor that does not fall away none parts: each sticks, or slides to one of two sides."""
    random = np.random.default_rng(9)
    masses, friction = random.uniform(0.2, 3.0, 6), random.uniform(0.05, 0.6, 6)
    one = dishes(masses, friction, (4.0, 0.0))
    answers = enumerated(masses, friction, (4.0, 0.0), np.zeros(6), states=STATES[1:])
    for x, _, normal, tangential in answers:
        np.testing.assert_allclose(one.accelerations[::2], x, atol=1e-8)
        np.testing.assert_allclose(one.normal, normal, atol=1e-8)
        np.testing.assert_allclose(one.tangential, tangential, atol=1e-8)
    assert answers
    assert one.normal == pytest.approx(9.81 * np.cumsum(masses[::-1])[::-1])


def test_a_hundred_dishes():
    """Far beyond what can be listed: all conditions hold."""
    random = np.random.default_rng(3)
    masses, friction = random.uniform(0.2, 3.0, 100), random.uniform(0.05, 0.6, 100)
    one = dishes(masses, friction, (2.5, 1.0))
    assert (np.abs(one.tangential) <= friction * one.normal + 1e-6).all()
    assert (one.tangential * one.slips <= 1e-6).all()
    slides = np.abs(one.slips) > 1e-8
    assert slides.any()
    assert not slides.all()
    np.testing.assert_allclose(np.abs(one.tangential[slides]), (friction * one.normal)[slides])


def test_what_slides_keeps_its_direction():
    """A block that slides is braked by mu g, whatever would hold it."""
    one = rigid_motion(np.eye(2), [0.0, -G], [[0.0, 1.0]], [[1.0, 0.0]], [0.3], slip=[-2.0])
    assert one.accelerations == pytest.approx([0.3 * G, 0.0])
    assert one.states == ("slides",)


def test_a_rod_that_jams():
    """Painleve: with friction enough a rod that slides has no motion, or several."""
    angle, mass = np.radians(60), 1.0
    inertia = mass / 12
    normal = [[0.0, 1.0, -0.5 * np.cos(angle)]]
    tangent = [[1.0, 0.0, 0.5 * np.sin(angle)]]
    M, weight = np.diag([mass, mass, inertia]), [0.0, -mass * G, 0.0]
    across, along = 0.25 * np.cos(angle) ** 2, 0.25 * np.cos(angle) * np.sin(angle)
    for friction, slip in ((0.0, 1.0), (0.1, 1.0), (3.0, 1.0), (1.0, -1.0)):
        found = rigid_motion(M, weight, normal, tangent, [friction], slip=[slip])
        answers = 1 / mass + (across + slip * friction * along) / inertia
        assert found.normal == pytest.approx([G / answers])
    with pytest.raises(DynamicsError):
        rigid_motion(M, weight, normal, tangent, [3.0], slip=[-1.0])


def test_arguments_that_it_refuses():
    with pytest.raises(StateError, match=r"mass: .*positive definite"):
        rigid_motion([[0.0]], [1.0], [[1.0]], [[0.0]], [0.1])
    with pytest.raises(StateError, match=r"normals: .*1 rows of 2 numbers"):
        rigid_motion(np.eye(2), [0, 1], [[1.0]], [[0.0, 1.0]], [0.1])
    with pytest.raises(StateError, match=r"friction: .*coefficients of 0 or more"):
        dishes([1.0], [-0.1])
    with pytest.raises(StateError, match="masses"):
        dishes([], [])


# --------------------------------------------------------------- and contacts that give way


def plate(name, friction, bristle):
    return ContactMaterial(
        name=name, young=2e3 * bristle, restitution=0.1,
        friction=Friction(static=friction, dynamic=friction),
        bristle=Bristle(stiffness=bristle, damping=bristle / 500),
    )  # fmt: skip


def test_soft_contacts_move_as_rigid_ones_the_stiffer_they_are():
    """Three plates on a floor that accelerates, as a world in its axes."""
    frictions, speeding, end = (0.5, 0.5, 0.1, 0.4), 2.5, 0.3
    rigid = dishes([4.0] * 3, np.sqrt(np.multiply(frictions[:-1], frictions[1:])), (speeding, 0))
    assert rigid.states == ("sticks", "slides", "slides")
    ways = 0.5 * (rigid.accelerations[::2] - speeding) * end**2
    errors = []
    for bristle in (2e4, 2e5, 2e6, 2e7):
        slope, strength = np.arctan(speeding / G), np.hypot(speeding, G)
        world = grounded(plate("floor", frictions[0], bristle), 1e-4, -slope, strength)
        for k in range(3):
            world.add_body(f"{k}", {"type": "box", "x": 0.6, "y": 0.6, "z": 0.02}, 4.0,
                           at=[0, 0, 0.01 + 0.02 * k],
                           material=plate(f"{k}", frictions[k + 1], bristle))  # fmt: skip
        world.run(end)
        errors.append(np.abs([world.part(f"{k}").pose[0, 3] - ways[k] for k in range(3)]).max())
    assert errors[0] > 3 * errors[1] > 6 * errors[2]
    assert errors[-1] < 2e-4
